"""The events of a round in words, one sentence each, for whoever reads an example."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from calculator.words import texts
from scoring.words import N_

Json = Mapping[str, Any]

_KONGS = {
    "exposed_kong": N_("%(seat)s直杠，%(giver)s点的"),
    "added_kong": N_("%(seat)s补杠"),
    "concealed_kong": N_("%(seat)s暗杠"),
    "late": N_("%(seat)s补杠，不是刚摸到的那张"),
    "robbed": N_("%(seat)s补杠，被抢"),
}
_WINS = {
    "discard": N_("%(giver)s点炮，%(winners)s胡"),
    "self_draw": N_("%(winners)s自摸"),
    "rob_kong": N_("%(winners)s抢杠胡，%(giver)s付"),
    "after_kong": N_("%(winners)s杠上花"),
    "kong_discard": N_("%(giver)s杠上炮，%(winners)s胡"),
}
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


def event(one: Json) -> str:
    """One event of a round.

    >>> event({"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 0})
    '西直杠，东点的'
    """
    if one["type"] == "kong":
        kind = next((flag for flag in ("robbed", "late") if one.get(flag)), one["kind"])
        return gettext(_KONGS[kind]) % {"seat": seat(one["seat"]), "giver": seat(one.get("from"))}
    if one["type"] == "win":
        how = next((flag for flag in ("after_kong", "kong_discard") if one.get(flag)), one["by"])
        winners = gettext("、").join(map(_winner, one["winners"]))
        return gettext(_WINS[how]) % {"winners": winners, "giver": seat(one.get("from"))}
    if one["type"] == "false_win":
        return gettext("%(seat)s诈和") % {"seat": seat(one["seat"])}
    if one["type"] == "payment":
        people = {"payer": seat(one["from"]), "payee": seat(one["to"])}
        return gettext("说好%(payer)s付给%(payee)s") % people
    if one["type"] == "escape":
        return gettext("%(seat)s逃跑") % {"seat": seat(one["seat"])}
    parts = [standing(int(number), hand) for number, hand in sorted(one["hands"].items())]
    return gettext("牌墙摸完：%(states)s") % {"states": gettext("，").join(parts)}
