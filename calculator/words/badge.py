"""The rule badge: which preset, and what the table has changed, in a few words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from calculator.words import texts
from scoring.rules import Rules
from scoring.words import N_

#: The most changes that a badge names one by one.
NAMED = 2

SELF_DRAW = {"none": N_("自摸不加"), "base": N_("自摸加底"), "fan": N_("自摸加番")}

#: Every other choice in a few words, by option and value as an address writes it.
SHORT: dict[str, dict[str, str]] = {
    "self_draw_bonus": SELF_DRAW,
    "scale": {"double": N_("每番翻倍"), "linear": N_("番即是倍")},
    "blessing_adds": {"on": N_("天地胡另加"), "off": N_("天地胡不另加")},
    "joker": {"1s": N_("幺鸡任用"), "off": N_("没有任用")},
    "late_added_kong_free": {"on": N_("迟补杠不收"), "off": N_("迟补杠照收")},
    "kong_in_out": {"on": N_("杠进杠出"), "off": N_("杠进不杠出")},
    "kong_transfer": {
        "each": N_("杠钱全转"),
        "split": N_("杠钱平分"),
        "undo": N_("杠钱退回"),
        "none": N_("杠钱不转"),
    },
    "bloom": {
        "self_draw": N_("点杠花各家付"),
        "discard": N_("点杠花算点炮"),
        "giver_pays_all": N_("点杠花包赔"),
    },
    "blood_flow": {"on": N_("血流"), "off": N_("不打血流")},
    "round_ends": {
        "three_wins": N_("三家胡完"),
        "wall": N_("打到摸完"),
        "first_win": N_("一家胡完"),
    },
    "call_check": {"max": N_("查大叫"), "min": N_("查小叫"), "none": N_("不查叫")},
    "call_check_winners": {"on": N_("胡家也收查叫"), "off": N_("胡家不收查叫")},
    "difference": {"on": N_("补差价"), "off": N_("不补差价")},
    "refund": {"on": N_("退税"), "off": N_("不退税")},
    "dead_waits": {"exclude": N_("死叫不算"), "exposed_count": N_("死叫也算")},
    "pig.also_not_ready": {"on": N_("花猪也查叫"), "off": N_("花猪不查叫")},
    "pig.to": {
        "non_pigs": N_("花猪赔各家"),
        "unwon": N_("花猪赔未胡的"),
        "ready": N_("花猪赔有叫的"),
        "nobody": N_("花猪罚分"),
    },
}
#: Amounts in a few words.
AMOUNTS: dict[str, str] = {
    "kong_points.exposed": N_("直杠%(n)s底"),
    "kong_points.exposed_others": N_("擦挂%(n)s底"),
    "kong_points.added": N_("补杠%(n)s底"),
    "kong_points.concealed": N_("暗杠%(n)s底"),
    "pig.points": N_("花猪%(n)s底"),
    "pig.times_best": N_("花猪%(n)s倍叫"),
}


def cap(rules: Rules) -> str:
    """The cap in a few words."""
    if rules.cap is None:
        return gettext("不封顶")
    return gettext("%(n)s番封顶") % {"n": rules.cap}


def base(rules: Rules) -> str:
    """The base in a few words."""
    return gettext("底%(n)s") % {"n": f"{rules.base:f}"}


def changes(rules: Rules) -> list[str]:
    """What differs from the preset, a few words each; the cap left out."""
    found: list[str] = []
    for name, value in rules.changes().items():
        if name == "cap":
            continue
        if name == "base":
            found.append(base(rules))
        elif isinstance(value, Mapping):
            found += [_inside(name, key, inner) for key, inner in value.items()]
        else:
            found.append(_short(name, value))
    return found


def _short(path: str, value: Any) -> str:
    """A change that is no value of a term, in a few words."""
    if path in AMOUNTS:
        return gettext("花猪赔极品") if value == "cap" else gettext(AMOUNTS[path]) % {"n": value}
    written = {True: "on", False: "off", None: "off"}.get(value, value)
    return texts.word(SHORT[path], written)


def _inside(name: str, key: str, value: Any) -> str:
    if name != "fans":
        return _short(f"{name}.{key}", value)
    if value is None:
        return gettext("无%(term)s") % {"term": texts.term(key)}
    if isinstance(value, Mapping):
        return gettext("%(term)s改番") % {"term": texts.term(key)}
    return gettext("%(term)s%(n)s番") % {"term": texts.term(key), "n": value}


def parts(rules: Rules) -> list[str]:
    """Preset, cap and changes.

    >>> from scoring.rules import load
    >>> parts(load("chengdu").override({"cap": 4, "self_draw_bonus": "base"}))
    ['成都', '4番封顶', '自摸加底']
    """
    found = changes(rules)
    if len(found) > NAMED + 1:
        rest = gettext("另改%(n)s处") % {"n": len(found) - NAMED}
        found = [*found[:NAMED], rest]
    return [texts.ruleset(rules.id, short=True), cap(rules), *found]


def badge(rules: Rules) -> str:
    """The badge as one line."""
    return "·".join(parts(rules))
