"""The rule badge: which preset, and what the table has changed, in a few words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from calculator.words import texts
from calculator.words.options import value_in_short
from scoring import rules as rule_files
from scoring.rules import Rules

#: The most changes that a badge names one by one.
NAMED = 2


def cap(rules: Rules) -> str:
    """The cap in a few words."""
    return value_in_short("cap", rules.cap)


def base(rules: Rules) -> str:
    """The base in a few words."""
    return value_in_short("base", rules.base)


def every_change(rules: Rules) -> list[str]:
    """What differs from the preset, a few words each."""
    return [_change(path, value) for path, value in rules.changed().items()]


def changes(rules: Rules) -> list[str]:
    """The same with the cap left out."""
    return [_change(path, value) for path, value in rules.changed().items() if path != "cap"]


def _change(path: str, value: Any) -> str:
    """A change in a few words."""
    table, _, term = path.partition(".")
    if table != "fans":
        return value_in_short(path, value)
    if value is None:
        return gettext("无%(term)s") % {"term": texts.term(term)}
    if isinstance(value, Mapping):
        return gettext("%(term)s改番") % {"term": texts.term(term)}
    return gettext("%(term)s%(n)s番") % {"term": texts.term(term), "n": value}


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


def line(rules: Rules) -> list[str]:
    """What is asked first of a system: cap, base, what it adds to a self-draw, its joker."""
    found = [cap(rules), base(rules)]
    if rules.self_draw_bonus != "none":
        found.append(value_in_short("self_draw_bonus", rules.self_draw_bonus))
    if rules.joker:
        found.append(value_in_short("joker", rules.joker))
    return found


def presets(current: str, opt: str) -> list[dict[str, Any]]:
    """The rule systems to choose from."""
    found = []
    for ruleset in rule_files.ids():
        rules = rule_files.load(ruleset)
        flows = [gettext("血流")] if rules.blood_flow else []
        found.append(
            {
                "id": ruleset,
                "name": texts.ruleset(ruleset),
                "line": " · ".join([*line(rules), *flows]),
                "on": ruleset == current and not opt,
            }
        )
    return found
