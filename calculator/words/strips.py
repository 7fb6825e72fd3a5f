"""常改: the house rules that are set with one tap each, on the page of a hand and on the sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from calculator.words import glossary, options
from scoring import rules as engine
from scoring.addresses.hand import write_value
from scoring.patterns import TERMS
from scoring.rules import KINDS, Rules
from scoring.words import N_

Json = dict[str, Any]

#: A row of a strip: its name, the options that it sets together, and the values that are offered as
#: an address has them; a 番 that the rules suggest is "".
Row = tuple[str, tuple[str, ...], tuple[str, ...]]

#: 常改: what tables change most, on top of the sheet.
OFTEN: tuple[Row, ...] = (
    (N_("封顶"), ("cap",), ("3", "4", "5", "off")),
    (N_("自摸"), ("self_draw_bonus",), ("none", "base", "fan")),
    (N_("点杠花"), ("bloom",), ("self_draw", "giver_pays_all", "discard", "giver_self_draw")),
    (N_("金钩钓"), ("fans.jin_gou_diao",), ("off", "")),
    (N_("天胡、地胡"), ("fans.tian_hu", "fans.di_hu"), ("off", "")),
    (N_("呼叫转移"), ("kong_transfer",), ("each", "split", "undo", "none")),
)

#: What of the table is chosen first, after its system.
SIZE: tuple[Row, ...] = (
    (N_("几个人"), ("players",), ("4", "3", "2")),
    (N_("几门"), ("suits",), ("3", "2")),
    (N_("几张"), ("sets",), ("4", "3", "2")),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that an option can take, as in an address and in words."""

    value: str
    name: str
    on: bool = False

    @property
    def id(self) -> str:
        """The id of the button that takes it."""
        return "q-" + re.sub(r"\W", "-", self.value)


def value_at(rules: Rules, path: str) -> Any:
    """The value of an option, by its path in an address."""
    term, _, kind = path.removeprefix("fans.").partition(".")
    return rules.fan_of(term, kind) if kind and term in KINDS else rules.values.get(path)


def suggested(rules: Rules, term: str) -> int:
    """What a term that is off would sensibly be worth: as elsewhere, or as what it is made of."""
    row = TERMS[term]
    least = rules.least
    base_of = next((one for one in TERMS.values() if glossary.pure_form(one) is row), None)
    pure = rules.fan_of("qing_yi_se")
    if base_of is not None and pure is not None:
        plain = rules.fan_of(base_of.id)
        if plain is not None:
            return plain + pure - (least if rules.combine == "max" else 0)
    elsewhere: Counter[int] = Counter()
    for other in map(engine.load, engine.ids()):
        fan = other.fan_of(term)
        if fan is not None and other.scale == rules.scale == "double":
            up = other.fan0 if row.kind == "pattern" else 0
            elsewhere[fan - up] += 1
    if elsewhere:
        return elsewhere.most_common(1)[0][0] + (least if row.kind == "pattern" else 0)
    if row.kind == "bonus":
        return 1
    inside = [rules.fan_of(one.id) or 0 for one in glossary.included(row)]
    return max([least, *inside]) + 1


def often(rules: Rules) -> Json:
    """常改: what is changed most, with one tap each."""
    return _strip(rules, gettext("常改的"), OFTEN)


def size(rules: Rules) -> Json:
    """How many players, suits and tiles, with one tap each."""
    return _strip(rules, gettext("几个人、几门、几张"), SIZE)


def _strip(rules: Rules, name: str, rows: Sequence[Row]) -> Json:
    return {"name": name, "rows": [_strip_row(rules, *row) for row in rows]}


def _strip_row(rules: Rules, name: str, paths: Sequence[str], offered: Sequence[str]) -> Json:
    now = [write_value(value_at(rules, path)) for path in paths]
    values = [tuple(value or str(_worth(rules, path)) for path in paths) for value in offered]
    if tuple(now) not in values:
        values.append(tuple(now))
    return {
        "name": gettext(name),
        "choices": [
            Choice(
                ",".join(f"{path}:{value}" for path, value in zip(paths, each, strict=True)),
                _in_brief(paths[0], each[0]),
                on=list(each) == now,
            )
            for each in values
        ],
    }


def _worth(rules: Rules, path: str) -> int:
    """What a term is worth, or would be."""
    term = path.removeprefix("fans.")
    fan = rules.fan_of(term)
    return suggested(rules, term) if fan is None else fan


def _in_brief(path: str, value: str) -> str:
    if path.startswith("fans."):
        return gettext("不算") if value == "off" else fan_words(int(value))
    return options.value_in_brief(path, int(value) if value.isdecimal() else _off(value))


def _off(value: str) -> str | None:
    return None if value == "off" else value


def fan_words(fan: int) -> str:
    """A number of 番, as the sheet says it."""
    return gettext("%(n)s番") % {"n": fan}
