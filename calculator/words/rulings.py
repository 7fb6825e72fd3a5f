"""Readings of the rules (读法) in words: what a source leaves open, and what else it could mean.

The sentences stand in the rule files; what another reading makes of a hand is the engine's.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.translation import gettext

from calculator.words import badge, texts
from calculator.words.answers import payment_words
from scoring import rules as engine
from scoring.addresses.hand import write_options
from scoring.patterns import TERMS
from scoring.rules import Rules, Ruling

Json = dict[str, Any]

#: An address of the page that takes house rules, as `opt` writes them.
Linked = Callable[[str], str]


def other_reading(rules: Rules, options: Mapping[str, Any], said: str) -> str:
    """The other reading of a source in one sentence; nothing where no option goes that way."""
    if said or not options:
        return gettext(said) if said else ""
    table = (rules.preset or rules).override(options)
    changes = texts.joined(badge.changes(table))
    return gettext("另一种读法：%(changes)s。") % {"changes": changes}


def beside(rules: Rules, rows: Sequence[Json], status: str, linked: Linked) -> list[Json]:
    """The readings that a hand rests on, each with what the other one makes of this hand."""
    return [
        {
            "terms": row["terms"],
            "on": row["on"],
            "text": gettext(row["reading"]),
            "other": other_reading(rules, row["options"], row["other_reading"]),
            "effect": _effect(row, status),
            "differs": row["differs"] is not None,
            "link": linked(write_options(rules.override(row["options"]))),
        }
        for row in rows
    ]


def _effect(row: Json, status: str) -> str:
    """What the other reading makes of a hand, in one sentence."""
    if row["differs"] is None:
        return gettext("那样算，这手牌也是这么多。")
    if "fan" not in row:
        return gettext("那样算，这手牌不能胡。")
    value = {"fan": row["fan"], "multiple": row["multiple"]}
    if status == "ready":
        return gettext("那样算，最大的一张 %(fan)s番 · %(multiple)s倍。") % value
    if row["differs"] == "multiple":
        return gettext("那样算，这手牌 %(fan)s番 · %(multiple)s倍。") % value
    paid = gettext("；").join(map(payment_words, row["payments"]))
    return gettext("那样算，这手牌%(paid)s。") % {"paid": paid}


def of_system(rules: Rules, linked: Linked) -> list[Json]:
    """Every reading of a system."""
    return [_told(rules, ruling, linked) for ruling in rules.readings]


def of_rule(key: str, linked: Callable[[str, str], str]) -> Iterator[Json]:
    """The readings that a term or rule rests on, with their systems; `linked` takes both."""
    for rules in map(engine.load, engine.ids()):
        for ruling in rules.readings:
            if any(_is_about(path, key) for path in (*ruling.on, *ruling.also)):
                told = _told(rules, ruling, partial(linked, rules.id))
                yield {"system": gettext(rules.name), "id": rules.id, **told}


def _told(rules: Rules, ruling: Ruling, linked: Linked) -> Json:
    opt = write_options(rules.override(ruling.options))
    return {
        "text": gettext(ruling.text),
        "other": other_reading(rules, ruling.options, ruling.other),
        "opt": opt,
        "link": linked(opt) if opt else "",
    }


def _is_about(path: str, key: str) -> bool:
    table, _, inside = path.partition(".")
    return inside == key if key in TERMS else table == key
