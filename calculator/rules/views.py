"""The rules pages: every term and option in every system, from the table of terms and the files.

| path                 | answers                                                              |
|----------------------|----------------------------------------------------------------------|
| `/rules/`            | all terms and options side by side; `?q=…` finds one by any name     |
| `/rules/<system>/`   | one rule system in full                                              |
| `/rules/terms/<id>/` | one term, option or payment: meaning, examples, value per system     |
"""

from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from calculator.site import links
from calculator.site.examples import hand_example, round_example
from calculator.words import badge, examples, glossary, options, rulebook, rulings, texts
from calculator.words.search import search, search_systems
from scoring import rules as engine
from scoring.addresses.hand import write_query
from scoring.explain import basis
from scoring.patterns import TERMS, Term
from scoring.rules import Rules

Json = dict[str, Any]

MAX_SEARCH = 40


def systems() -> list[Rules]:
    """Every rule system, in the usual order."""
    return [engine.load(one) for one in engine.ids()]


def rule_line(rules: Rules) -> str:
    """A system in one line: how it counts, cap, base, what it adds to a self-draw."""
    return " · ".join([options.value_said("scale", rules.scale), *badge.line(rules)])


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All systems, all terms, all options, and the search."""
    query = request.GET.get("q", "").strip()[:MAX_SEARCH]
    every = systems()
    return render(
        request,
        "rules/index.html",
        {
            "section": "rules",
            "q": query,
            "found": search(query),
            "found_systems": search_systems(query),
            "systems": [(rules, rule_line(rules)) for rules in every],
            "groups": [
                (texts.word(glossary.GROUPS, group), rulebook.terms_beside(every, group))
                for group in ("pattern", "bonus")
            ],
            "settings": list(zip(*map(rulebook.settings_rows, every), strict=True)),
            "house": [term.id for term in TERMS.values() if term.house],
            "others": [key for key, rule in glossary.RULES.items() if rule.option is None],
        },
    )


@require_safe
def system(request: HttpRequest, ruleset: str) -> HttpResponse:
    """One rule system: values, money, end of the wall, play, readings, what is assumed."""
    if ruleset not in engine.ids():
        raise Http404
    rules = engine.load(ruleset)
    book = rulebook.describe(rules)
    return render(
        request,
        "rules/system.html",
        {
            "section": "rules",
            "rules": rules,
            "book": book,
            "line": rule_line(rules),
            "terms": book["terms"],
            "groups": [
                (texts.word(glossary.GROUPS, group), list(rows))
                for group, rows in groupby(rulebook.settings_rows(rules), lambda row: row.group)
            ],
            "counting": rulebook.counting(rules),
            "readings": rulings.of_system(rules, lambda opt: house_link(ruleset, opt)),
            "assumed": rulebook.assumed_in_words(rules),
            "systems": systems(),
        },
    )


def house_link(ruleset: str, opt: str) -> str:
    """The sheet of house rules, with these on."""
    return f"{reverse('house')}?{write_query({'rules': ruleset, 'opt': opt})}"


def _names(terms: list[Term]) -> list[Json]:
    return [{"name": gettext(t.name), "link": links.to_term(t.id)} for t in terms]


def _relations(term: Term) -> list[Json]:
    """What holds of a term beside others, and what each system makes of that."""
    inside = glossary.included(term) if term.kind == "pattern" else []
    around = glossary.outgrown(term) if term.kind == "pattern" else []
    pure = glossary.pure_form(term)
    found = [
        (gettext("每一手都同时是"), inside, _counted_by(term) if inside else []),
        (gettext("这些牌型也都是它"), around, _counted_by(term) if around and not inside else []),
        (gettext("同一门花色时"), [], _pure_by(term, pure) if pure else []),
        (gettext("被这些牌型吸收"), glossary.absorbed_by(term), []),
        (gettext("不能同时有"), glossary.excluded_by(term), []),
    ]
    return [
        {"title": title, "terms": _names(terms), "told": told}
        for title, terms, told in found
        if terms or told
    ]


def _named(systems: list[Rules]) -> str:
    return texts.joined(gettext(rules.short) for rules in systems)


def _counted_by(term: Term) -> list[str]:
    """What counts where several patterns fit, by system."""
    sums = [rules for rules in glossary.playing(term) if rules.combine == "sum"]
    best = [rules for rules in glossary.playing(term) if rules.combine != "sum"]
    told = []
    if best:
        told.append(gettext("%(systems)s：只算番数最大的一个。") % {"systems": _named(best)})
    if sums:
        told.append(gettext("%(systems)s：凡是符合的都加起来。") % {"systems": _named(sums)})
    return told


def _pure_by(term: Term, pure: Term) -> list[str]:
    """What a pattern in one suit is, by system: a pattern of its own, a sum, or the greater."""
    own: list[Rules] = []
    sums: list[Rules] = []
    best: list[Rules] = []
    for rules in glossary.playing(term):
        (own if pure.id in rules.fans else sums if rules.combine == "sum" else best).append(rules)
    said = {
        "term": gettext(term.name),
        "pure": gettext(pure.name),
        "suit": texts.term("qing_yi_se"),
    }
    sentences = (
        (own, gettext("%(systems)s：算%(pure)s。")),
        (sums, gettext("%(systems)s：%(term)s和%(suit)s都加起来。")),
        (best, gettext("%(systems)s：%(term)s和%(suit)s只算大的；%(pure)s可以在家规里打开。")),
    )
    return [text % {**said, "systems": _named(those)} for those, text in sentences if those]


def _absorbs(term: Term) -> str:
    if term.absorbs_quads:
        return gettext("第一组四张相同已经在牌型里，不算根；第二组起照算。")
    if term.absorbs_kongs:
        return gettext("四个杠已经在牌型里，不再另外加番。")
    return ""


def _term_values(key: str) -> list[Json]:
    """A term's or option's value in each system, and where that stands."""
    rows: list[Json] = []
    for rules in systems():
        row = {
            "id": rules.id,
            "system": gettext(rules.name),
            "short": gettext(rules.short),
            "link": reverse("rules_system", args=[rules.id]),
            "source": gettext(rules.source),
        }
        if key in TERMS:
            fan = rulebook.fan_in(rules, key)
            value = gettext("%(n)s番") % {"n": texts.fans(fan)} if fan is not None else ""
            if key in rules.refuses and fan is None:
                value = gettext("不许")
            basis_of = basis(rules, key) if fan is not None else ""
            parts = [{"name": "", "value": value, "assumed": basis_of == "assumed"}]
            if not isinstance(fan, int) and fan is not None:
                parts = [
                    {
                        "name": texts.word(texts.MELDS, kind),
                        "assumed": False,
                        "value": gettext("%(n)s番") % {"n": each},
                    }
                    for kind, each in fan.items()
                ]
        else:
            parts = [
                {
                    "name": setting.name if setting.path != key else "",
                    "value": setting.value,
                    "assumed": setting.assumed,
                }
                for setting in rulebook.settings_rows(rules)
                if setting.rule == key
            ]
        rows.append({**row, "parts": parts})
    return rows if any(part["value"] for row in rows for part in row["parts"]) else []


def _is_matrix(values: list[Json]) -> bool:
    """Whether every system has the same several parts, so that a table of them reads best."""
    return bool(values) and all(len(row["parts"]) > 1 for row in values)


@require_safe
def term(request: HttpRequest, key: str) -> HttpResponse:
    """One term, option or payment."""
    if key not in glossary.ids():
        raise Http404
    row = TERMS.get(key)
    group = glossary.kind_of(row) if row else glossary.RULES[key].group
    note = examples.NOTES.get(key)
    return render(
        request,
        "rules/term.html",
        {
            "section": "rules",
            "key": key,
            "sprite": static("tiles.svg"),
            "name": gettext(glossary.name_id(key)),
            "aliases": glossary.others(key),
            "names": glossary.names(key),
            "group": texts.word(glossary.GROUPS, group),
            "text": gettext(glossary.text_id(key)),
            "absorbs": _absorbs(row) if row else "",
            "house": bool(row and row.house),
            "is_term": row is not None,
            "relations": _relations(row) if row else [],
            "hands": [hand_example(one) for one in examples.HANDS.get(key, ())],
            "rounds": [round_example(*one) for one in examples.ROUNDS.get(key, ())],
            "note": gettext(note) if note else "",
            "values": (values := _term_values(key)),
            "readings": list(rulings.of_rule(key, house_link)),
            "columns": [p["name"] for p in values[0]["parts"]] if _is_matrix(values) else [],
        },
    )
