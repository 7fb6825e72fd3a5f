"""The rule card (规则卡): the rules of one table on one page, A4 or A6, to print or to send.

| path           | answers                                                   |
|----------------|-----------------------------------------------------------|
| `/house/card/` | `rules` and `opt` as everywhere, `size`, and a `name`     |
| `/house/card.svg` | the same as a picture, without `size`                  |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from calculator.house.picture import Picture
from calculator.site import links
from calculator.site.forms import HandForm
from calculator.site.hands import Asked
from calculator.site.responses import respond
from calculator.words import badge, rulebook, texts
from scoring import ready
from scoring.addresses.hand import write_query
from scoring.hand import KONGS
from scoring.patterns import TERMS
from scoring.rules import Rules, Ruling
from scoring.words import N_

Json = dict[str, Any]

#: Said although they say no: a table asks for them.
_SAID_ANYWAY = frozenset(("cap", "refund", "difference", "self_draw_bonus"))
#: What there is no flower pig (花猪) for, with two suits.
_OF_PIGS = ("pig", "passive_pig")


class Paper(NamedTuple):
    """A size of paper: its columns, what of them can be filled, in millimetres, and the largest
    letters, in points."""

    name: str
    columns: int
    broad: float
    high: float
    most: int


PAPERS: dict[str, Paper] = {
    "a6": Paper(N_("A6：一张明信片"), 2, 44, 106, 9),
    "a4": Paper(N_("A4：贴在墙上"), 3, 58, 258, 16),
}
#: One point in millimetres; letters come in quarters of a point, from the smallest that is legible.
_POINT, _STEPS, _LEAST = 0.3528, 4, 3
#: How high a line is, in letters.
_LEADING = 1.3


def terms(rules: Rules, kind: str) -> list[Json]:
    """The terms of a kind that are on, each with its 番 and what that makes."""
    rows = []
    for term in TERMS.values():
        fan = rulebook.fan_in(rules, term.id)
        if term.kind != kind or fan is None:
            continue
        for part, each in _parts(fan):
            if each is not None:
                rows.append(
                    {
                        "id": term.id,
                        "name": _named(term.id, part),
                        "fan": each,
                        "worth": _worth(rules, kind, each),
                    }
                )
    return sorted(rows, key=lambda row: row["fan"]) if kind == "pattern" else rows


def _parts(fan: Any) -> list[tuple[str, int | None]]:
    return list(fan.items()) if isinstance(fan, Mapping) else [("", fan)]


def _named(term: str, part: str) -> str:
    name = texts.term(term)
    if not part:
        return name
    if part in KONGS:
        return texts.term_after(term, part)
    return gettext("%(term)s：%(way)s") % {"term": name, "way": texts.word(texts.WAYS, part)}


def _worth(rules: Rules, kind: str, fan: int) -> str:
    """What a pattern pays, or by how much a bonus raises it."""
    if kind == "pattern":
        return gettext("%(n)s倍") % {"n": rules.multiple(rules.capped(fan))}
    if rules.scale == "linear":
        return f"+{fan}"
    return f"×{2**fan}"


def settings(rules: Rules) -> list[Json]:
    """Payments and the end of the wall, by group; what is off and nobody asks for is left out."""
    groups: dict[str, list[Json]] = {}
    for row in rulebook.settings_rows(rules):
        if row.group in CARD_GROUPS and _is_said(rules, row.path):
            groups.setdefault(row.group, []).append(
                {"path": row.path, "name": row.name, "value": row.value, "guess": row.assumed}
            )
    return [
        {"id": group, "name": gettext(CARD_GROUPS[group]), "rows": groups[group]}
        for group in CARD_GROUPS
        if group in groups
    ]


#: The groups of options on the card: all but how a hand is counted, which its terms say.
CARD_GROUPS: dict[str, str] = {
    "table": N_("牌桌"),
    "value": N_("怎么算"),
    "cap": N_("底和封顶"),
    "self_draw": N_("自摸"),
    "kong": N_("杠"),
    "wall": N_("流局"),
    "round": N_("诈和与坐庄"),
}


def _is_said(rules: Rules, path: str) -> bool:
    if not _applies(rules, path):
        return False
    name = path.partition(".")[0]
    value = rules.escape_points if path == "escape_points" else rules.values[path]
    return bool(value) or name in _SAID_ANYWAY or path in rules.changed()


def _applies(rules: Rules, path: str) -> bool:
    """Whether a value can matter at this table."""
    return rules.suits > 2 or path.partition(".")[0] not in _OF_PIGS


def title(rules: Rules, name: str = "") -> str:
    """What the card is called: as the reader says, a ready-made table, or its system."""
    table = next((t for t in map(ready.load, ready.ids()) if t.rules == rules), None)
    return name or (gettext(table.name) if table else texts.ruleset(rules.id))


def card(rules: Rules, name: str = "") -> Json:
    """Everything on the card."""
    return {
        "title": title(rules, name),
        "badge": badge.badge(rules),
        "counting": rulebook.counting(rules),
        "patterns": terms(rules, "pattern"),
        "bonuses": terms(rules, "bonus"),
        "groups": settings(rules),
        "readings": [gettext(ruling.text) for ruling in readings(rules)],
        "assumed": texts.joined(map(texts.unstated, sorted(_unsaid(rules)))),
    }


def readings(rules: Rules) -> list[Ruling]:
    """How the source is read, where that can matter at this table."""
    return [r for r in rules.open_readings if any(_applies(rules, path) for path in r.on)]


def _unsaid(rules: Rules) -> frozenset[str]:
    """What the source does not state and no reading on the card speaks of."""
    told = {path for ruling in rules.open_readings for path in ruling.on}
    return frozenset(path for path in rules.unstated - told if _applies(rules, path))


def _words(made: Any) -> Iterator[str]:
    if isinstance(made, str):
        yield made
    elif isinstance(made, Mapping):
        yield " ".join(str(v) for v in made.values() if isinstance(v, str | int))
        for value in made.values():
            if isinstance(value, list):
                yield from _words(value)
    elif isinstance(made, list):
        for one in made:
            yield from _words(one)


def letter_size(made: Json, paper: Paper) -> int:
    """How large the letters can be for all of it to fit, in quarters of a point."""
    widths = [_width(text) for text in _words(made)]
    for size in range(paper.most * _STEPS, _LEAST * _STEPS, -1):
        letter = size / _STEPS * _POINT
        lines = sum(ceil(width * letter / paper.broad) for width in widths)
        if lines * letter * _LEADING <= paper.columns * paper.high:
            return size
    return _LEAST * _STEPS


def _width(text: str) -> float:
    """How long a text is, in Chinese letters; one of Latin script is about half as wide."""
    return sum(1 if ord(letter) > 0x2E7F else 0.55 for letter in text)


@require_safe
def svg(request: HttpRequest) -> HttpResponse:
    """The card as a picture for whoever has no scripts; 422 for rules that cannot be."""
    asked = Asked(HandForm.read(request.GET))
    if asked.form.rule_errors:
        return respond({"status": "error", "errors": asked.form.rule_errors})
    own = _own(asked)
    target = request.build_absolute_uri(links.to_hand(own))
    shown = {"picture": Picture(card(asked.rules, asked.form.table_name), target)}
    return render(request, "house/card.svg", shown, content_type="image/svg+xml")


def _own(asked: Asked) -> dict[str, str]:
    """The parameters of the rules, with what the table is called."""
    rules = {n: v for n, v in asked.page.parameters.items() if n in ("rules", "opt")}
    name = asked.form.table_name
    return {**rules, **({"name": name} if name else {})}


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The card, and what can be done with it."""
    asked = Asked(HandForm.read(request.GET))
    size = request.GET.get("size", "")
    size = size if size in PAPERS else "a6"
    made, own = card(asked.rules, asked.form.table_name), _own(asked)
    rules = {n: v for n, v in own.items() if n != "name"}
    link = request.build_absolute_uri(links.to_hand(own))
    return render(
        request,
        "house/card.html",
        {
            "section": "rules",
            "own_query": write_query({**own, "size": size}),
            "card": made,
            "letters": letter_size(made, PAPERS[size]),
            "errors": [texts.message(error) for error in asked.form.rule_errors],
            "size": size,
            "sizes": [
                {
                    "id": key,
                    "name": gettext(paper.name),
                    "link": f"{reverse('house_card')}?{write_query({**own, 'size': key})}",
                }
                for key, paper in PAPERS.items()
            ],
            "link": link,
            "shown_link": link.partition("?")[0],
            "back": f"{reverse('house')}?{write_query(rules)}",
            "qr": f"{reverse('qr')}?{write_query(own)}",
            "picture": f"{reverse('house_card_svg')}?{write_query(own)}",
        },
    )
