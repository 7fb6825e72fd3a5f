"""A rule system in full, from its file and the table of terms: nothing here is typed twice."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from calculator.words import badge, glossary, options, rulings, texts
from scoring import ready
from scoring.addresses.hand import write_options
from scoring.patterns import PING_HU, SI_JI, TERMS
from scoring.rules import FIELDS, OPTIONS, Rules
from scoring.tiles import BIRD


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


def ready_made() -> list[dict[str, Any]]:
    """The ready-made tables: the system of each, what it changes, and where it comes from."""
    return [
        {
            "table": table.id,
            "name": gettext(table.name),
            "ruleset": table.rules.id,
            "options": table.rules.changes(),
            "opt": write_options(table.rules),
            "changes": badge.every_change(table.rules),
            "source": gettext(table.source),
        }
        for table in map(ready.load, ready.ids())
    ]


def describe(rules: Rules) -> dict[str, Any]:
    """Everything about a rule system: values, options, readings, what its source leaves open."""
    return {
        **summary(rules),
        "terms": [
            {
                "id": term.id,
                "name": gettext(term.name),
                "aliases": glossary.others(term.id),
                "kind": term.kind,
                "fan": plain(fan := fan_in(rules, term.id)),
                "multiple": rules.multiple(rules.capped(fan)) if isinstance(fan, int) else None,
                "assumed": f"fans.{term.id}" in rules.assumed,
            }
            for term in TERMS.values()
        ],
        "options": rules.options(),
        "refuses": list(rules.refuses),
        "escape_points": rules.escape_points,
        "assumed": sorted(rules.assumed),
        "play": [gettext(text) for text in rules.play],
        "readings": [gettext(ruling.text) for ruling in rules.readings],
        "rulings": [
            {
                "on": list(ruling.on),
                "reading": gettext(ruling.text),
                "other_reading": rulings.other_reading(rules, ruling.options, ruling.other),
                "options": ruling.options,
            }
            for ruling in rules.readings
        ],
    }


def fan_in(rules: Rules, term: str) -> Any:
    """What a term is worth in a system; four jokers are worth the cap where nothing is said."""
    if term == SI_JI and rules.joker_tile == BIRD and term not in rules.fans:
        return rules.si_ji_fan
    return rules.fans.get(term)


def terms_beside(every: list[Rules], group: str) -> list[tuple[str, list[tuple[Any, bool]]]]:
    """The terms of a group with their value in each system, and whether that is assumed."""
    return [
        (term.id, [(fan_in(one, term.id), f"fans.{term.id}" in one.assumed) for one in every])
        for term in TERMS.values()
        if glossary.kind_of(term) == group
    ]


def plain(fan: Any) -> Any:
    """A fan value as JSON has it: a number, one number per kind of kong, or nothing."""
    return fan if fan is None or isinstance(fan, int) else dict(fan)


class Setting(NamedTuple):
    """One option of a system in words; `rule` is the page that explains it."""

    path: str
    rule: str
    group: str
    name: str
    value: str
    assumed: bool


def settings_rows(rules: Rules) -> Iterator[Setting]:
    """Each option but the terms, in the order of the rules; the same paths for every system."""
    for path, value in {**rules.values, "escape_points": rules.escape_points}.items():
        if path.startswith("fans."):
            continue
        name = path.partition(".")[0]
        group = OPTIONS[path].group if path in OPTIONS else "wall"
        assumed = path in rules.unstated or name in rules.unstated
        said = options.value_said(path, value)
        yield Setting(path, name, group, options.name(path), said, assumed)


def settings_in_words(rules: Rules) -> Iterator[tuple[str, str, bool]]:
    """Each option but the terms: its name, its value, and whether the value is assumed."""
    for row in settings_rows(rules):
        yield row.name, row.value, row.assumed


def counting(rules: Rules) -> list[str]:
    """How a system counts, in sentences: where it starts, how fan become money, what is kept."""
    start = {"fan": rules.fan_of(PING_HU), "multiple": rules.multiple(rules.fan_of(PING_HU) or 0)}
    guess = gettext("（推定）")
    plain_hand = gettext("平胡 %(fan)s 番，值 %(multiple)s 倍。") % start
    found = [plain_hand + (guess if PING_HU in rules.unstated_terms else "")]
    if rules.combine == "sum":
        found.append(gettext("牌型可以叠加：凡是符合的都加起来。"))
    else:
        found.append(gettext("牌型只算最大的一个；根、杠这些再往上加。"))
    linear = rules.scale == "linear"
    scale = gettext("番数就是倍数。") if linear else gettext("每多一番，付的钱翻一倍。")
    found.append(scale + (guess if "scale" in rules.unstated else ""))
    if rules.cap is not None:
        most = {"fan": rules.cap, "multiple": rules.multiple(rules.cap)}
        found.append(gettext("最多算 %(fan)s 番，%(multiple)s 倍；杠钱不封顶。") % most)
    for blessing in rules.refuses:
        found.append(gettext("没有%(term)s。") % {"term": texts.term(blessing)})
    return found


def assumed_in_words(rules: Rules) -> list[tuple[str, str]]:
    """What the source of a system does not state: the page that explains it, and its name."""
    found: dict[str, tuple[str, str]] = {}
    for key in sorted(sorted(rules.assumed), key=_order):
        table, _, inside = key.partition(".")
        page = inside if table == "fans" else table
        found[key] = (page, texts.unstated(key))
    return list(found.values())


def _order(key: str) -> tuple[int, int]:
    table, _, inside = key.partition(".")
    if table == "fans":
        return 0, list(TERMS).index(inside)
    return 1, FIELDS.index(table) if table in FIELDS else len(FIELDS)


def values_of(rules: Rules, key: str) -> Iterator[tuple[str, str, str]]:
    """A term's or option's values in a system: which part of it, the value, 推定 or nothing."""
    guess = gettext("推定")
    if key in TERMS:
        fan = fan_in(rules, key)
        for part, each in fan.items() if isinstance(fan, Mapping) else [("", fan)]:
            value = gettext("没有") if each is None else gettext("%(n)s番") % {"n": each}
            assumed = each is not None and f"fans.{key}" in rules.assumed
            yield texts.word(texts.MELDS, part), value, guess if assumed else ""
        return
    rows = [row for row in settings_rows(rules) if row.rule == key]
    for row in rows:
        yield row.name if len(rows) > 1 else "", row.value, guess if row.assumed else ""
