"""What a hand is worth after a change: drawn by oneself, in one suit, with a kong, elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from ..contract import score
from ..hand import EXPOSED_KONG, KONGS, PUNG, ROB_KONG, SELF_DRAW
from ..patterns import GANG_SHANG_HUA, PING_HU
from ..rules import Rules, ids, load
from ..tiles import COPIES, TILE_NAMES, Tile
from .hands import Made, as_planned, asking, hand_of, options_of, suits_of, with_options
from .model import Draft, Json, Question, Stratum
from .value import Wrong, numbers, right_keys, wrong_fans

_Change = tuple[Json, Json, str]


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """What is changed, by level."""
    yield Stratum(twist="self_draw")
    yield Stratum(twist="one_suit")
    if level > 1:
        if any(rules.fan_of(kind) for kind in KONGS):
            yield Stratum("dui_dui_hu", twist="kong")
            yield Stratum(PING_HU, twist="kong")
        yield Stratum("qing_yi_se", twist="other_wait")
        yield Stratum("dui_dui_hu", twist="other_wait")
    if level > 2:
        for luck in ("gang_shang_hua", "gang_shang_pao", "hai_di"):
            if rules.fan_of(luck, EXPOSED_KONG):
                yield Stratum("dui_dui_hu", kongs=luck == "gang_shang_hua", twist=luck)
        if rules.fan_of("qiang_gang"):
            yield Stratum(twist="qiang_gang")
        yield Stratum("qing_dui", twist="cap")
        yield Stratum("qing_yi_se", twist="ruleset")
        yield Stratum("qing_qi_dui", twist="ruleset")
        yield Stratum("qi_dui", twist="one_suit")


def _one_suit(made: Made, joker: Tile | None) -> Made | None:
    """The tiles of the smaller suit carried over to the other one; None where they do not fit."""
    suits = sorted(suits_of(made, joker))
    if len(suits) != 2:
        return None
    every = [*made.tiles, made.win, *(m.tile for m in made.melds for _ in range(m.size))]
    kept = max(suits, key=lambda s: sum(t // 9 == s for t in every))

    def carried(tile: Tile) -> Tile:
        return tile if tile == joker or tile // 9 == kept else 9 * kept + tile % 9

    moved = [carried(t) for t in every]
    if any(moved.count(t) > COPIES for t in moved) or (joker in moved and joker not in every):
        return None
    melds = tuple(replace(m, tile=carried(m.tile)) for m in made.melds)
    return Made(tuple(carried(t) for t in made.tiles), melds, carried(made.win))


def _kong_instead(rules: Rules, made: Made, rng: Random) -> _Change | None:
    held = [*made.tiles, made.win]
    pungs = [m for m in made.melds if m.kind == PUNG and m.tile not in held]
    if not pungs:
        return None
    pung = rng.choice(pungs)
    kind = rng.choice([k for k in KONGS if rules.fan_of(k) is not None])
    melds = tuple(replace(m, kind=kind) if m is pung else m for m in made.melds)
    after = replace(made, melds=melds)
    return asking(rules, made.hand), asking(rules, after.hand), f"kong.{kind}"


def _other_wait(rules: Rules, made: Made) -> _Change | None:
    answer = score(asking(rules, made.waiting))
    if answer["status"] != "ready" or len(answer["waits"]) < 2:
        return None
    values = {wait["tile"]: wait["multiple"] for wait in answer["waits"] if wait["left"]}
    won = TILE_NAMES[made.win]
    others = [tile for tile in values if values[tile] != values.get(won, values[tile])]
    if not others:
        return None
    after = replace(made, win=TILE_NAMES.index(others[0]))
    return asking(rules, made.hand), asking(rules, after.hand), "other_wait"


def _changes(rules: Rules, stratum: Stratum, made: Made, rng: Random) -> _Change | None:
    """The request before and after a change, and the code of the change."""
    twist, before = stratum.twist, asking(rules, made.hand)
    if twist in _SAID:
        return before, {**before, **_SAID[twist]}, twist
    return _TWISTS.get(twist, _other_rules)(rules, made, rng)


#: Changes that only another way of winning makes.
_SAID: dict[str, Json] = {
    "gang_shang_pao": {"kong_discard": True},
    "hai_di": {"last_tile": True},
}


def _drawn(rules: Rules, made: Made, rng: Random) -> _Change | None:
    return asking(rules, made.hand), asking(rules, made.hand, by=SELF_DRAW), "self_draw"


def _pure(rules: Rules, made: Made, rng: Random) -> _Change | None:
    pure = _one_suit(made, rules.joker_tile)
    if pure is None:
        return None
    return asking(rules, made.hand), asking(rules, pure.hand), "one_suit"


def _bloomed(rules: Rules, made: Made, rng: Random) -> _Change | None:
    # The giver of a 直杠 may pay alone; the question asks what each player pays.
    apart = () if rules.bloom == "self_draw" else (EXPOSED_KONG,)
    kinds = [m.kind for m in made.melds if m.is_kong and m.kind not in apart]
    if not kinds:
        return None
    kind = rng.choice(kinds)
    drawn = asking(rules, made.hand, by=SELF_DRAW)
    return drawn, {**drawn, "after_kong": kind}, f"{GANG_SHANG_HUA}.{kind}"


def _robbed(rules: Rules, made: Made, rng: Random) -> _Change | None:
    if made.win in (*made.tiles, *(m.tile for m in made.melds)):
        return None
    before = asking(rules, made.hand)
    return before, {**before, "by": ROB_KONG}, "qiang_gang"


def _other_cap(rules: Rules, made: Made, rng: Random) -> _Change | None:
    before = asking(rules, made.hand)
    fan = score(before)["uncapped_fan"]
    cap = None if rules.cap is not None and rules.cap < fan else max(rules.least, fan - 1)
    return before, {**before, "options": with_options(rules, {"cap": cap})}, f"cap.{cap}"


def _other_rules(rules: Rules, made: Made, rng: Random) -> _Change | None:
    before = asking(rules, made.hand)
    others = [r for r in ids() if r != rules.id and load(r).joker == rules.joker]
    other = rng.choice(others or [r for r in ids() if r != rules.id])
    table = load(other).at_table_of(rules)
    after = {"ruleset": other, **options_of(table), "hand": before["hand"]}
    return before, after, f"ruleset.{other}"


_TWISTS: dict[str, Callable[[Rules, Made, Random], _Change | None]] = {
    "self_draw": _drawn,
    "one_suit": _pure,
    "kong": _kong_instead,
    "other_wait": lambda rules, made, rng: _other_wait(rules, made),
    GANG_SHANG_HUA: _bloomed,
    "qiang_gang": _robbed,
    "cap": _other_cap,
}


def payers(change: str, new: Json) -> int:
    """How many shares are asked for: of a self-draw, what all who pay it bring together."""
    return int(new["payments"][0]["players"]) if change == SELF_DRAW else 1


def _wrong_multiples(
    rules: Rules, after: Json, answers: tuple[Json, Json], shares: int, level: int
) -> Iterator[Wrong]:
    """The multiples that players arrive at by mistake after a change."""
    old, new = answers
    bare = rules.multiple(new["fan"])
    extra = new["multiple"] - bare
    yield old["multiple"], "one_pays" if shares > 1 else "nothing_changes", None
    if extra:
        yield shares * bare, "forgot_self_draw_base", None
    if new["uncapped_fan"] > new["fan"]:
        yield shares * (rules.multiple(new["uncapped_fan"]) + extra), "ignored_cap", None
    for fan, mistake, term in wrong_fans(rules, after, new, level):
        if fan >= rules.least:
            yield shares * (rules.multiple(fan) + extra), mistake, term


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A winning hand, changed; None where a random try fails."""
    made = hand_of(rules, level, stratum, rng, 3)
    if made is None:
        return None

    def ask() -> Question | None:
        if not as_planned(made, stratum, rules):
            return None
        changed = _changes(rules, stratum, made, rng)
        if changed is None:
            return None
        before, after, code = changed
        old, new = score(before), score(after)
        if old["status"] != "win" or new["status"] != "win":
            return None
        assumed = tuple(dict.fromkeys((*old["assumed"], *new["assumed"])))
        then = rules
        if after["ruleset"] != rules.id or after.get("options") != before.get("options"):
            then = load(after["ruleset"]).override(after.get("options", {}))
        shares = payers(code, new)
        choices = numbers(
            shares * new["multiple"], _wrong_multiples(then, after, (old, new), shares, level), 1
        )
        if len(choices) < 4 or (stratum.twist == "ruleset" and old["multiple"] == new["multiple"]):
            return None
        return Question(
            "change", level, "", before, choices, right_keys(choices), assumed, code, after
        )

    return Draft(made.key, ask)
