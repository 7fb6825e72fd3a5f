"""Under which rules a sentence of a lesson is true: questions put to a table's rules."""

from __future__ import annotations

from collections.abc import Callable

from scoring.hand import BLESSINGS, KONGS
from scoring.rules import Rules, zi_mo_fan
from scoring.tiles import BIRD

When = Callable[[Rules], bool]


def always(_rules: Rules) -> bool:
    """Under any rules."""
    return True


def none_of(*whens: When) -> When:
    """Where none of these holds."""
    return lambda rules: not any(when(rules) for when in whens)


def all_of(*whens: When) -> When:
    """Where all of these hold."""
    return lambda rules: all(when(rules) for when in whens)


def has(*terms: str) -> When:
    """Under rules that have all of these terms."""
    return lambda rules: all(rules.fan_of(term, KONGS[0]) is not None for term in terms)


def lacks(*terms: str) -> When:
    """Under rules that have none of these terms."""
    return lambda rules: all(rules.fan_of(term, KONGS[0]) is None for term in terms)


def has_fan(term: str) -> When:
    """Under rules that have the term and give anything for it."""
    return lambda rules: bool(rules.fan_of(term))


def alone(kong: str) -> When:
    """Under rules that have this kong but not all three."""
    return all_of(has(kong), none_of(has(*KONGS)))


def system(*ids: str) -> When:
    """Under these systems, however a table changes them."""
    return lambda rules: rules.id in ids


def greatest(rules: Rules) -> bool:
    """One pattern counts, the greatest."""
    return rules.combine == "max"


def blessings_add(rules: Rules) -> bool:
    """A blessing comes on top of the pattern."""
    return greatest(rules) and rules.blessing_adds and not lacks(*BLESSINGS)(rules)


def jokers(rules: Rules) -> bool:
    """Some tiles stand for any other."""
    return rules.joker is not None


def birds(rules: Rules) -> bool:
    """幺鸡: the jokers are tiles of the pack, and four of them win."""
    return rules.joker_tile == BIRD


def doubling(rules: Rules) -> bool:
    """Each fan doubles."""
    return rules.scale == "double"


def one_win_ends(rules: Rules) -> bool:
    """普通场: the first win ends the round."""
    return rules.round_ends == "first_win"


def blood_war(rules: Rules) -> bool:
    """血战: who has won leaves, the others play on."""
    return not rules.blood_flow and not one_win_ends(rules)


def flows(end: str) -> When:
    """血流 that goes on to this end."""
    return lambda rules: rules.blood_flow and rules.round_ends == end


def winners_pay(rules: Rules) -> bool:
    """血流: whoever has won pays on; not where the first win ends the round."""
    return rules.blood_flow and not one_win_ends(rules)


def capped(rules: Rules) -> bool:
    """There is a cap."""
    return rules.cap is not None


def base_bonus(rules: Rules) -> bool:
    """A self-draw brings a base more, above the cap."""
    return rules.self_draw_bonus == "base"


def fan_bonus(rules: Rules) -> bool:
    """A self-draw brings fan of its own."""
    return bool(zi_mo_fan(rules))


no_bonus: When = none_of(base_bonus, fan_bonus)


def kong_money(rules: Rules) -> bool:
    """A kong is paid at once."""
    money = rules.kong_points
    return any((money.exposed, money.exposed_others, money.added, money.concealed))


def payer_kongs(rules: Rules) -> bool:
    """杠进杠出, and some kong has a fan to pay."""
    return rules.kong_in_out and any(rules.fan_of(kind) for kind in KONGS)


def bloom(way: str) -> When:
    """Who pays a self-draw after a 直杠."""
    return lambda rules: rules.bloom == way


def call_check(way: str) -> When:
    """How 查叫 is paid."""
    return lambda rules: rules.call_check == way


def times_best(rules: Rules) -> bool:
    """A flower pig may pay by what the other waits for."""
    return bool(rules.pig.times_best) and rules.pig.to != "nobody"


def pig(to: str, *, fixed: bool) -> When:
    """What a flower pig pays goes to these players; a fixed sum, or by their waits.

    Where nothing is fixed, only the ready are paid, whoever else is named.
    """

    def when(rules: Rules) -> bool:
        named = rules.pig.to
        if not rules.pig_points and named in ("non_pigs", "unwon"):
            # In 血流 a winner is ready too.
            named = "ready_unwon" if named == "unwon" and rules.blood_flow else "ready"
        if fixed:
            return named == to and bool(rules.pig_points) and not times_best(rules)
        return named == to and times_best(rules)

    return when


def by_waits(*, least: bool, times: bool, or_fixed: bool) -> When:
    """How much a flower pig pays where it depends on the other's wait."""
    return lambda rules: (
        times_best(rules)
        and (rules.call_check == "min") == least
        and (rules.pig.times_best > 1) == times
        and bool(rules.pig_points) == or_fixed
    )
