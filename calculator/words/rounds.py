"""The events of a round in words, one sentence each: the only set of them."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from calculator.words import texts
from scoring.hand import CONCEALED_KONG, EXPOSED_KONG, ROB_KONG, SELF_DRAW
from scoring.words import N_

Json = Mapping[str, Any]

_STATES = {
    "ready": N_("%(seat)s有叫（%(fan)s番）"),
    "waived": N_("%(seat)s有叫（%(fan)s番），放过了胡牌"),
    "not_ready": N_("%(seat)s没叫"),
    "flower_pig": N_("%(seat)s是花猪"),
    "passive": N_("%(seat)s是被动花猪"),
    "shown": N_("%(seat)s亮出手牌"),
}


#: Directions of letters and marks after which digits and signs would stand reversed.
_BACKWARDS = ("R", "AL", "AN", "RLE", "RLO", "RLI")


def isolated(name: str) -> str:
    """A name that is written from right to left, so that what stands after it keeps its place.

    >>> isolated("小王"), isolated("دانا") == "\u2068دانا\u2069"
    ('小王', True)
    """
    backwards = any(unicodedata.bidirectional(letter) in _BACKWARDS for letter in name)
    return f"\u2068{name}\u2069" if backwards else name


def seat(number: int | None) -> str:
    """The name of a seat; nobody is the penalty box."""
    return gettext("罚分") if number is None else gettext(texts.SEATS[number])


def _winner(winner: Json) -> str:
    name = seat(winner["seat"])
    if "fan" not in winner:
        return name
    return gettext("%(seat)s（%(fan)s番）") % {"seat": name, "fan": winner["fan"]}


def standing(number: int, hand: Json) -> str:
    """How a seat stands at the end of the wall, told without its hand.

    >>> standing(1, {"state": "not_ready"})
    '南没叫'
    """
    flags = (flag for flag in ("waived", "passive") if hand.get(flag))
    state = next(flags, hand.get("state", "shown"))
    return gettext(_STATES[state]) % {"seat": seat(number), "fan": hand.get("fan")}


def title(event: Json, names: Sequence[str]) -> str:
    """An event in one line, without its numbers; the seats are told by these names.

    >>> title({"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 0}, "东南西北")
    '西直杠，东点杠'
    """
    return _TITLES[event["type"]](event, names)


def _kong_title(event: Json, names: Sequence[str]) -> str:
    who = {"who": names[event["seat"]]}
    if event["kind"] == EXPOSED_KONG:
        return gettext("%(who)s直杠，%(giver)s点杠") % {**who, "giver": names[event["from"]]}
    if event["kind"] == CONCEALED_KONG:
        return gettext("%(who)s暗杠") % who
    if event.get("robbed"):
        return gettext("%(who)s补杠，被抢") % who
    if event.get("late"):
        return gettext("%(who)s补杠，不是刚摸到的") % who
    return gettext("%(who)s补杠") % who


def _win_title(event: Json, names: Sequence[str]) -> str:
    who = {"who": texts.joined(names[w["seat"]] for w in event["winners"])}
    if event["by"] == SELF_DRAW:
        flower = event.get("after_kong")
        return (gettext("%(who)s杠上花") if flower else gettext("%(who)s自摸")) % who
    who["giver"] = names[event["from"]]
    if event["by"] == ROB_KONG:
        return gettext("%(who)s抢%(giver)s的杠") % who
    if event.get("kong_discard"):
        return gettext("%(who)s胡，%(giver)s杠上炮") % who
    return gettext("%(who)s胡，%(giver)s点炮") % who


def _payment_title(event: Json, names: Sequence[str]) -> str:
    people = {"payer": names[event["from"]], "payee": names[event["to"]]}
    if note := event.get("note"):
        return gettext("%(payer)s付给%(payee)s：%(note)s") % {**people, "note": note}
    return gettext("%(payer)s付给%(payee)s，说好的") % people


_TITLES: dict[str, Callable[[Json, Sequence[str]], str]] = {
    "kong": _kong_title,
    "win": _win_title,
    "false_win": lambda event, names: gettext("%(who)s诈和") % {"who": names[event["seat"]]},
    "payment": _payment_title,
    "escape": lambda event, names: gettext("%(who)s逃跑") % {"who": names[event["seat"]]},
    "draw": lambda event, names: gettext("流局"),
}


def event(one: Json) -> str:
    """One event of an example, with what the winners have or the hands are at the wall's end.

    >>> event({"type": "win", "by": "self_draw", "winners": [{"seat": 2, "fan": 3}]})
    '西（3番）自摸'
    """
    if one["type"] == "draw":
        parts = [standing(int(number), hand) for number, hand in sorted(one["hands"].items())]
        return gettext("牌墙摸完：%(states)s") % {"states": gettext("，").join(parts)}
    names = [seat(number) for number in range(len(texts.SEATS))]
    for winner in one.get("winners", ()):
        names[winner["seat"]] = _winner(winner)
    return title(one, names)
