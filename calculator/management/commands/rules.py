"""`manage.py rules [ID]`: the rule systems, one of them in full, or one term in all of them."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from calculator.site import wire
from calculator.site.console import SpeakingCommand, columns
from calculator.words import examples, glossary, rulebook, rulings, texts
from calculator.words.search import search
from scoring import rules as engine
from scoring.words import shortened


class Command(SpeakingCommand):
    help = (
        "List the rule systems, or print one with every value, its source and its readings, or "
        "one term or rule, by its id or any of its names, in every system."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "id", nargs="?", help="a rule system, such as chengdu, or a term, such as gen"
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *, id: str | None, json: bool, **_: Any) -> None:
        if id is not None and id not in engine.ids():
            found_terms = search(id)
            if found_terms and not json:
                for key in found_terms:
                    self.show(entry(key))
                return
            known = ", ".join(engine.ids())
            problem = texts.message({"code": "unknown_ruleset", "ruleset": shortened(id)})
            self.fail(f"{problem} ({known})")
        systems = [engine.load(one) for one in engine.ids()]
        if json:
            found: Any = [rulebook.summary(one) for one in systems]
            if id is not None:
                found = rulebook.describe(engine.load(id))
            self.stdout.write(wire.dumps(found, indent=2))
        elif id is None:
            rows = [(one.id, gettext(one.name), gettext(one.source)) for one in systems]
            self.show(columns([("ID", gettext("规则"), gettext("出处")), *rows], head=True))
            self.show(tables())
        else:
            self.show(page(engine.load(id)))


def tables() -> Iterator[str]:
    """The ready-made tables, for people."""
    yield ""
    rows = [
        (one["table"], one["name"], texts.ruleset(one["ruleset"], short=True), one["source"])
        for one in rulebook.ready_made()
    ]
    head = ("ID", gettext("现成的牌桌"), gettext("规则"), gettext("出处"))
    yield from columns([head, *rows], head=True)


def page(rules: engine.Rules) -> Iterator[str]:
    """Everything about one rule system, for people."""
    book = rulebook.describe(rules)
    assumed = gettext("推定")
    yield f"{book['name']} ({rules.id})"
    yield gettext("出处：%(source)s") % {"source": book["source"]}
    yield from rulebook.counting(rules)
    yield ""
    rows = [(gettext("番种"), gettext("番"), "", gettext("别名"), "ID")]
    for term in book["terms"]:
        if term["fan"] is None:
            continue
        per_kong = isinstance(term["fan"], dict)
        rows.append(
            (
                term["name"],
                "" if per_kong else str(term["fan"]),
                assumed if term["assumed"] else "",
                texts.joined(term["aliases"]),
                term["id"],
            )
        )
        for kind, fan in (term["fan"] if per_kong else {}).items():
            after = gettext("%(kong)s之后") % {"kong": texts.word(texts.MELDS, kind)}
            rows.append((f"  {after}", str(fan), "", "", f"{term['id']}.{kind}"))
    yield from columns(rows, "lr", head=True)
    yield ""
    settings = [
        (name, value, assumed if guess else "")
        for name, value, guess in rulebook.settings_in_words(rules)
    ]
    yield from columns([(gettext("选项"), gettext("取值"), ""), *settings], head=True)
    yield ""
    names = gettext("；").join(name for _page, name in rulebook.assumed_in_words(rules))
    yield gettext("推定（出处没有写明）：%(names)s") % {"names": names}
    if book["play"]:
        yield ""
        yield gettext("打法")
        yield from (f"· {line}" for line in book["play"])
    if rules.readings:
        yield ""
        yield gettext("读法")
    for reading in rulings.of_system(rules, "--opt {}".format):
        yield f"· {reading['text']}"
        if reading["opt"]:
            yield f"  {reading['other']} {reading['link']}"


def entry(key: str) -> Iterator[str]:
    """Everything about one term or rule, for people."""
    yield f"{gettext(glossary.name_id(key))} ({key})"
    if others := glossary.names(key)[1:]:
        yield gettext("又叫 %(names)s") % {"names": texts.joined(map(gettext, others))}
    yield gettext(glossary.text_id(key))
    yield ""
    rows = [(gettext("规则"), gettext("值"), "")]
    for rules in map(engine.load, engine.ids()):
        for said, value, guess in rulebook.values_of(rules, key):
            rows.append((f"{gettext(rules.name)} {said}".strip(), value, guess))
    if len(rows) > 1:
        yield from columns(rows, head=True)
        yield ""
    for parameters in examples.HANDS.get(key, ()):
        yield gettext("例：%(hand)s（%(rules)s）") % parameters
    yield ""
