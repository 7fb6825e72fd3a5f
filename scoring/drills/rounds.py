"""What a player has won or lost at the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from ..contract import score, settle
from ..hand import ADDED_KONG, EXPOSED_KONG, KONGS, ROB_KONG, SELF_DRAW, Win
from ..notation import format_hand
from ..patterns import GANG_SHANG_HUA, PING_HU
from ..rules import Rules, number
from .hands import as_planned, asking, build, options_of, with_options
from .model import DEALING, RIGHT, Choice, Draft, Json, Question, Stratum, hundredths
from .pig import FLOWER_PIG, NOT_READY, READY


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """How the round ends, by level."""
    several = rules.players > 2
    yield Stratum(twist="check")
    yield Stratum(twist="discard_win")
    yield Stratum(twist="self_draw_win")
    if level > 1:
        yield Stratum(twist="pig")
        if several:
            yield Stratum(twist="shared")
        if not rules.kong_in_out:
            yield Stratum(twist="kong")
            yield Stratum(twist="refund")
        if rules.difference:
            yield Stratum(twist="difference")
    if level > 2:
        if several:
            yield Stratum(twist="pigs")
        yield Stratum(twist="robbed")
        yield Stratum(twist="by_hand")
        yield Stratum(twist="bloom")
        if rules.kong_in_out:
            yield Stratum(twist="kong_owed")
        else:
            yield Stratum(twist="transfer")
        if not rules.blood_flow and rules.players > 3:
            yield Stratum(twist="three_wins")


def _some_fan(rules: Rules, level: int, rng: Random) -> int:
    if rules.scale == "linear":
        return rng.choice((1, 3, 5, 8, 10)[: 3 + level])
    return rules.fan0 + rng.choice((0, 1, 2, 3, 4, 5)[: 3 + level])


class _Round:
    """A round being made up: its events, who has won, who is still in."""

    def __init__(self, rules: Rules, level: int, rng: Random) -> None:
        self.rules, self.level, self.rng = rules, level, rng
        self.events: list[Json] = []
        self.won: list[int] = []
        self.kongs: dict[int, list[str]] = {seat: [] for seat in range(rules.players)}
        self.seats = rng.sample(range(rules.players), rules.players)
        #: Four parts to play; where fewer play, the first ones have two.
        self.parts = (self.seats * 2)[:4]

    def _another(self, seat: int, but: Sequence[int]) -> int:
        """A seat, or somebody else where it may not be that one."""
        others = [each for each in self.seats if each not in but]
        return self.rng.choice(others) if seat in but and others else seat

    def fan(self, seat: int, win: Win | None = None) -> int:
        """A value that the hand of a seat may have: a pattern, and all that is booked of it."""
        rules = self.rules
        more = [rules.fan_of(kind) for kind in self.kongs[seat]]
        if win is not None:
            more.append(rules.fan_of(GANG_SHANG_HUA, win.after_kong) if win.after_kong else None)
            more.append(rules.fan_of("gang_shang_pao") if win.kong_discard else None)
            more.append(rules.fan_of("qiang_gang") if win.by == ROB_KONG else None)
        return _some_fan(rules, self.level, self.rng) + sum(fan or 0 for fan in more)

    def kong(self, seat: int, giver: int, kind: str | None = None) -> None:
        """A kong, of a random kind unless told."""
        kind = kind or self.rng.choice(KONGS)
        event: Json = {"type": "kong", "seat": seat, "kind": kind}
        if kind == EXPOSED_KONG:
            event["from"] = self._another(giver, [seat])
        self.events.append(event)
        self.kongs[seat].append(kind)

    def win(self, winners: Sequence[int], by: str, **more: Any) -> None:
        """A win by these seats, each with a random value."""
        winners = list(dict.fromkeys(winners))
        if "from" in more:
            winners = [seat for seat in winners if seat != more["from"]] or winners
            more["from"] = self._another(more["from"], winners)
        event = {"type": "win", "by": by, **more}
        how = {name: more[name] for name in ("after_kong", "kong_discard") if name in more}
        win = Win(by, **how)
        event["winners"] = [{"seat": seat, "fan": self.fan(seat, win)} for seat in winners]
        self.events.append(event)
        self.won += winners

    def draw(self, states: Sequence[str], by_hand: str = "") -> None:
        """The wall is empty: the seats that have not won stand as told, the last state for all."""
        hands: Json = {}
        left = [seat for seat in self.seats if seat not in self.won]
        if len(left) < 2 and not self.rules.blood_flow:
            return  # the round is over
        for at, seat in enumerate(left):
            state = states[min(at, len(states) - 1)]
            hands[str(seat)] = {"state": state}
            if state == READY:
                hands[str(seat)] = {"hand": by_hand} if by_hand else {**hands[str(seat)]}
                if by_hand:
                    by_hand = ""
                else:
                    hands[str(seat)]["fan"] = self.fan(seat)
        self.events.append({"type": "draw", "hands": dict(sorted(hands.items()))})


def _waiting_hand(rules: Rules, rng: Random) -> str | None:
    """A ready hand with more than one wait, to be valued at the end of the wall."""
    stratum = Stratum(rng.choice((PING_HU, "qing_yi_se", "dui_dui_hu")))
    made = build(rules, stratum, rng, most_melds=2)
    if made is None or not as_planned(made, stratum, rules):
        return None
    answer = score(asking(rules, made.waiting))
    several = answer["status"] == "ready" and len({w["multiple"] for w in answer["waits"]}) > 1
    return format_hand(made.waiting) if several else None


def _ending(rules: Rules, level: int, twist: str, rng: Random) -> list[Json] | None:
    """The events of a round that ends as the stratum asks."""
    made = _Round(rules, level, rng)
    some = [rng.choice((READY, NOT_READY)), rng.choice((READY, NOT_READY))]
    if twist == "by_hand":
        hand = _waiting_hand(rules, rng)
        if hand is None:
            return None
        _shown(made, some, rng, hand)
    else:
        _ENDINGS[twist](made, some, rng)
    return made.events


def _checked(made: _Round, some: list[str], rng: Random) -> None:
    made.draw([READY, NOT_READY, *some])


def _won_by_discard(made: _Round, some: list[str], rng: Random) -> None:
    a, b, *_ = made.parts
    made.win([a], "discard", **{"from": b})
    made.draw([READY, NOT_READY, some[0]])


def _won_by_draw(made: _Round, some: list[str], rng: Random) -> None:
    made.win([made.seats[0]], SELF_DRAW)
    made.draw([READY, NOT_READY, some[0]])


def _shared(made: _Round, some: list[str], rng: Random) -> None:
    a, b, c, d = made.parts
    made.win([a, b], "discard", **{"from": rng.choice((c, d))})
    made.draw([READY, NOT_READY])


def _one_pig(made: _Round, some: list[str], rng: Random) -> None:
    _, _, c, d = made.parts
    if rng.random() < 0.5 and len(made.seats) > 2:
        made.win([d], "discard", **{"from": c})
    made.draw([READY, FLOWER_PIG, NOT_READY, READY])


def _two_pigs(made: _Round, some: list[str], rng: Random) -> None:
    a, b, c, _ = made.parts
    made.kong(a, b)
    made.kong(b, c)
    made.draw([READY, FLOWER_PIG, FLOWER_PIG, some[0]])


def _konged(made: _Round, some: list[str], rng: Random, owner: int = 0) -> None:
    a, _, c, d = made.parts
    made.kong(made.parts[owner], c)
    if rng.random() < 0.5:
        made.kong(a, d)
    made.draw([READY, NOT_READY, *some])


def _refunded(made: _Round, some: list[str], rng: Random) -> None:
    _konged(made, some, rng, owner=1)


def _owed(made: _Round, some: list[str], rng: Random) -> None:
    a, b, c, d = made.parts
    made.kong(b, a)
    if rng.random() < 0.5:
        made.kong(c, d)
    made.win([a], rng.choice((SELF_DRAW, "discard")))
    if made.events[-1]["by"] == "discard":
        made.events[-1]["from"] = b
    made.draw([READY, NOT_READY, some[0]])


def _compared(made: _Round, some: list[str], rng: Random) -> None:
    if rng.random() < 0.4 and len(made.seats) > 2:
        made.win([made.parts[3]], SELF_DRAW)
    made.draw([READY, READY, READY, some[0]])


def _transferred(made: _Round, some: list[str], rng: Random) -> None:
    a, b, c, d = made.parts
    made.kong(a, d)
    winners = [b, c] if rng.random() < 0.3 else [b]
    made.win(winners, "discard", **{"from": a}, kong_discard=True)
    made.draw([NOT_READY, READY, some[0]])


def _robbed(made: _Round, some: list[str], rng: Random) -> None:
    a, b, *_ = made.parts
    made.events.append({"type": "kong", "seat": a, "kind": ADDED_KONG, "robbed": True})
    made.win([b], ROB_KONG, **{"from": a})
    made.draw([NOT_READY, READY, some[0]])


def _bloomed(made: _Round, some: list[str], rng: Random) -> None:
    a, b, *_ = made.parts
    made.kong(a, b, EXPOSED_KONG)
    made.win([a], SELF_DRAW, after_kong=EXPOSED_KONG)
    made.draw([READY, NOT_READY, some[0]])


def _won_by_three(made: _Round, some: list[str], rng: Random) -> None:
    a, b, c, d = made.parts
    made.kong(d, a)
    made.win([a], "discard", **{"from": d})
    made.win([b], SELF_DRAW)
    made.win([c], "discard", **{"from": d})


def _shown(made: _Round, some: list[str], rng: Random, hand: str) -> None:
    _, b, _, d = made.parts
    if rng.random() < 0.5:
        # The hand of the first seat is shown, and no kong lies beside it.
        made.kong(b, d)
    made.draw([READY, NOT_READY, *some], by_hand=hand)


#: How a round comes to its end.
_ENDINGS: dict[str, Callable[[_Round, list[str], Random], None]] = {
    "check": _checked,
    "discard_win": _won_by_discard,
    "self_draw_win": _won_by_draw,
    "shared": _shared,
    "pig": _one_pig,
    "pigs": _two_pigs,
    "kong": _konged,
    "refund": _refunded,
    "kong_owed": _owed,
    "difference": _compared,
    "transfer": _transferred,
    "robbed": _robbed,
    "bloom": _bloomed,
    "three_wins": _won_by_three,
}


def _misread(rules: Rules) -> Iterator[tuple[Json, str]]:
    """Rules that people forget or mix up at the end, as options, each with the mistake's code."""
    yield {"cap": None}, "ignored_cap"
    if rules.base != 1:
        yield {"base": 1}, "forgot_base"
    yield {"call_check": "none"}, "forgot_check"
    yield {"pig": {"points": 0, "times_best": 0}}, "forgot_pig"
    yield {"pig": {"also_not_ready": not rules.pig.also_not_ready}}, "pig_checked"
    yield {"refund": not rules.refund}, "forgot_refund" if rules.refund else "refunded"
    wrong = "forgot_difference" if rules.difference else "paid_difference"
    yield {"difference": not rules.difference}, wrong
    kongs = dict.fromkeys(("exposed", "exposed_others", "added", "concealed"), 0)
    yield {"kong_points": kongs}, "forgot_kongs"
    yield {"kong_transfer": "none"}, "forgot_transfer"
    if rules.kong_in_out:
        yield {"kong_in_out": False}, "forgot_payer_kongs"
    if rules.self_draw_bonus == "base":
        yield {"self_draw_bonus": "none"}, "forgot_self_draw_base"
    for bloom in ("self_draw", "giver_pays_all"):
        if bloom != rules.bloom:
            yield {"bloom": bloom}, "bloom_otherwise"
    for to in ("non_pigs", "ready"):
        if to != rules.pig.to:
            yield {"pig": {"to": to}}, "pig_to_others"


def _total(cents: int, mistake: str = RIGHT) -> Choice:
    amount = number(cents)
    return Choice(str(amount), amount, mistake)


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A round to its end and one seat of it; None where a random try fails."""
    events = _ending(rules, level, stratum.twist, rng)
    if events is None:
        return None
    request: Json = {"ruleset": rules.id, **options_of(rules), "dealer": 0, "events": events}
    seat = rng.choice(range(rules.players))

    def ask() -> Question | None:
        answer = settle(request)
        if answer["status"] != "settled" or answer["open"] or answer["warnings"]:
            return None
        right = hundredths(answer["totals"][seat])
        if not right:
            return None
        found = {right: _total(right)}
        for options, mistake in _misread(rules):
            other = settle({**request, "options": with_options(rules, options)})
            if other["status"] == "settled" and len(found) < 4:
                value = hundredths(other["totals"][seat])
                found.setdefault(value, _total(value, mistake))
        base = rules.base_cents or 100
        for step in (-right - right, base, -base, 2 * base, -2 * base, 3 * base):
            if len(found) < 4:
                wrong = "wrong_way" if step == -right - right else "miscounted"
                value = right + step
                found.setdefault(value, _total(value, wrong))
        choices = tuple(found[value] for value in sorted(found))
        # Who deals next is not asked.
        assumed = tuple(key for key in answer["assumed"] if key not in DEALING)
        return Question(
            "settle", level, "", request, choices, (found[right].key,), assumed, seat=seat
        )

    return Draft(f"{events}{seat}", ask)
