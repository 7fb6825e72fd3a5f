"""The rule badge: which preset, and what the table has changed, in a few words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from calculator import texts
from scoring.rules import Rules
from scoring.words import N_

#: The most changes that a badge names one by one.
NAMED = 2

SELF_DRAW = {"none": N_("自摸不加"), "base": N_("自摸加底"), "fan": N_("自摸加番")}


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
        elif name == "self_draw_bonus":
            found.append(texts.word(SELF_DRAW, value))
        elif isinstance(value, Mapping):
            found += [_inside(name, key, inner) for key, inner in value.items()]
        else:
            found.append(texts.word(texts.OPTIONS, name))
    return found


def _inside(name: str, key: str, value: Any) -> str:
    if name != "fans":
        return texts.word(texts.OPTIONS, f"{name}.{key}")
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
