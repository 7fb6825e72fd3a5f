"""A rule system in full, from its file and the table of terms: nothing here is typed twice."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from calculator import texts
from scoring.patterns import TERMS
from scoring.rules import Rules


def summary(rules: Rules) -> dict[str, Any]:
    """A rule system in a list of them."""
    return {
        "ruleset": rules.id,
        "name": gettext(rules.name),
        "short": gettext(rules.short),
        "source": gettext(rules.source),
        "combine": rules.combine,
        "fan0": rules.fan0,
    }


def describe(rules: Rules) -> dict[str, Any]:
    """Everything about a rule system: values, options, readings, what its source leaves open."""
    return {
        **summary(rules),
        "terms": [
            {
                "id": term.id,
                "name": gettext(term.name),
                "aliases": [gettext(alias) for alias in term.aliases],
                "kind": term.kind,
                "fan": plain(rules.fans.get(term.id)),
                "assumed": f"fans.{term.id}" in rules.assumed,
            }
            for term in TERMS.values()
        ],
        "options": rules.options(),
        "check_by": rules.check_by,
        "refuses": list(rules.refuses),
        "escape_points": rules.escape_points,
        "assumed": sorted(rules.assumed),
        "play": [gettext(text) for text in rules.play],
        "readings": [gettext(text) for text in rules.readings],
    }


def plain(fan: Any) -> Any:
    """A fan value as JSON has it: a number, one number per kind of kong, or nothing."""
    return fan if fan is None or isinstance(fan, int) else dict(fan)


def settings_in_words(rules: Rules) -> Iterator[tuple[str, str, bool]]:
    """Each option but the terms: its name, its value, and whether the value is assumed."""
    values = {**rules.options(), "escape_points": rules.escape_points}
    del values["fans"]
    for name, value in values.items():
        parts = {name: value}
        if isinstance(value, dict):
            parts = {f"{name}.{key}": part for key, part in value.items()}
        for path, part in parts.items():
            assumed = path in rules.assumed or name in rules.assumed
            yield texts.word(texts.OPTIONS, path), texts.option_value(path, part), assumed
