"""The house-rule sheet: inside the calculator page with scripts, a page of its own without.

| path                | answers                                                              |
|---------------------|----------------------------------------------------------------------|
| `/house/`           | the sheet as a page; a change redirects to the state that it makes,  |
|                     | and `to` leaves it for the hand, or for the round of `back`          |
| `/fragment/house`   | the sheet for htmx; a change answers with the sheet that it makes    |
| `/house/rules.json` | the house rules as a small file; 422 where they cannot be            |

Fields are `o.<option>`; `set=cap:4` sets options, `reset=cap` puts one back, `reset=all` all;
`table=three_two` begins with a ready-made table.
"""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from calculator.house import present as house
from calculator.house.worth import InFront
from calculator.site import links, scripts, wire
from calculator.site.forms import HandForm
from calculator.site.hands import Asked
from calculator.site.responses import attached, respond
from calculator.words import badge, strips, texts
from calculator.words.search import search
from scoring import ready
from scoring import rules as engine
from scoring.addresses.hand import HandPage, hand_request, write_options, write_query
from scoring.addresses.round import read_round
from scoring.contract.hand import read_query
from scoring.rules import OptionErrors, Rules

Json = dict[str, Any]

#: What is looked for in the sheet is no longer than this.
MAX_SOUGHT = 30


class House:
    """A request's sheet: the state, the rules that it asks for, and what could not be."""

    def __init__(self, request: HttpRequest) -> None:
        self.sent = {name: str(value) for name, value in request.GET.items()}
        self.state = Asked(HandForm.read(request.GET))
        self.rules: Rules = self.state.rules
        self.errors: list[Json] = self.state.form.rule_errors
        fields = {
            name[len(house.PREFIX) :]: value
            for name, value in self.sent.items()
            if name.startswith(house.PREFIX)
        }
        self.reset, self.set = self.sent.get("reset", ""), self.sent.get("set", "")
        table = self.sent.get("table", "")
        self.asked = bool(fields or self.reset or self.set or table)
        self.alone = "alone" in self.sent
        #: What is looked for in the sheet.
        self.sought = " ".join(self.sent.get("q", "").split())[:MAX_SOUGHT]
        #: The query of the round that asked for these rules, if one did.
        self.back = self.state.back
        if table in ready.ids():
            # What the fields of the sheet say is of the rules before it.
            self.rules, fields = ready.load(table).rules, {}
        self.rules, found = house.apply(self.rules, fields)
        #: What was typed and cannot be, by option: told next to its field.
        self.faults = {e["option"]: e for e in found if e.get("option") in fields}
        self.typed = {path: fields[path] for path in self.faults}
        self.errors += found
        self._set(self.set)
        if self.reset == "all":
            self.rules = engine.load(self.rules.id)
        elif self.reset in engine.OPTIONS:
            try:
                self.rules = house.without_change(self.rules, self.reset)
            except OptionErrors as faults:
                self.errors += faults.errors

    def _set(self, text: str) -> None:
        paths = [part.partition(":")[0] for part in text.split(",")]
        if not all(path in engine.OPTIONS for path in paths):
            return
        try:
            self.rules = house.set_together(self.rules, text)
        except OptionErrors as faults:
            self.errors += faults.errors

    @property
    def page(self) -> HandPage:
        """The hand under the rules that were asked for."""
        opt = write_options(self.rules)
        return replace(self.state.page, rules=self.rules.id, opt=opt)

    @property
    def parameters(self) -> dict[str, str]:
        """The address's parameters; what could not be read stays as written."""
        made = self.page.parameters
        bad = {n: self.state.given[n] for n in self.state.bad if n in self.state.given}
        return {**made, **{n: v for n, v in bad.items() if n not in ("opt", "rules")}}

    def _told(self, line: house.Line) -> house.Line:
        """A line with what was typed there, and why that cannot be."""
        if line.path not in self.faults:
            return line
        fault = texts.message(self.faults[line.path])
        return replace(line, value=self.typed[line.path], fault=fault)

    def _found(self, groups: list[Json]) -> list[Json]:
        """The groups with what is looked for; all of them where nothing is."""
        if not self.sought:
            return groups
        found = set(search(self.sought))
        rows = [{**g, "lines": [line for line in g["lines"] if line.rule in found]} for g in groups]
        return [group for group in rows if group["lines"]]

    def target(self) -> str:
        """Where the rules go once they are chosen: the round that asked, or the hand."""
        if not self.back:
            return links.to_hand(self.parameters)
        given = dict(parse_qsl(self.back))
        round_page, _bad = read_round({**given, "rules": "", "opt": ""})
        played = replace(round_page, rules=self.rules.id, opt=write_options(self.rules))
        return f"{reverse('round')}?{played.query}"

    def own_address(self, **changed: str) -> str:
        """The sheet as a page, for the state that it shows or one that differs so."""
        more = {"back": self.back, "q": self.sought}
        kept = {**self.parameters, **{name: value for name, value in more.items() if value}}
        return f"{reverse('house')}?{write_query({**kept, **changed})}"

    def _presets(self) -> list[Json]:
        """The rule systems, each with its button and its link."""
        return [
            {**preset, "link": self.own_address(rules=preset["id"])}
            for preset in badge.presets(self.page.rules, self.page.opt)
        ]

    def context(self) -> Json:
        """What the sheet shows."""
        query, _errors, _notes = read_query(hand_request(self.page.parameters))
        hand = InFront(query) if query is not None else None
        groups = house.sheet(self.rules, hand)
        for group in groups:
            group["lines"] = [self._told(line) for line in group["lines"]]
            group["open"] = self.sought or any(line.fault for line in group["lines"])
        parameters = self.parameters
        own = write_query({n: v for n, v in parameters.items() if n in ("rules", "opt")})
        return {
            "rules": self.rules,
            "opt": self.page.opt,
            "badge": badge.badge(self.rules),
            "preset_name": texts.ruleset(self.rules.id),
            "tables": house.tables(self.rules),
            "often": strips.often(self.rules),
            "size": strips.size(self.rules),
            "presets": self._presets(),
            "sought": self.sought,
            "groups": self._found(groups),
            "changed": (
                changed := [line for group in groups for line in group["lines"] if line.changed]
            ),
            "number": len(changed),
            "valued": hand is not None and hand.valued,
            "now": hand.now.words if hand is not None and hand.now is not None else "",
            "wait": texts.tile(hand.wait) if hand is not None and hand.wait else "",
            "bad": bool(self.errors),
            "errors": [
                texts.message(error)
                for error in self.errors
                if error.get("option") not in self.faults
            ],
            "kept": [*parameters.items(), *([("back", self.back)] if self.back else [])],
            "export": f"{reverse('house_file')}?{own}",
            "card": f"{reverse('house_card')}?{own}",
            "dispute": f"{reverse('compare')}?{write_query(parameters)}",
            "for_round": bool(self.back),
            "target": self.target(),
            "own_address": self.own_address(),
            "alone": self.alone,
        }


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """The sheet that htmx swaps in; `to` leaves it with the rules that are chosen."""
    asked = House(request)
    if "to" in asked.sent and not asked.errors:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = asked.target()
        return response
    return render(request, "house/_sheet.html", asked.context())


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The sheet as a page of its own."""
    asked = House(request)
    if asked.asked and not asked.errors:
        leaves = "to" in asked.sent
        return HttpResponseRedirect(asked.target() if leaves else asked.own_address())
    return render(
        request,
        "house/page.html",
        {
            **asked.context(),
            "section": "hand",
            "own_query": write_query(asked.parameters),
            "alone": True,
            "saved_words": scripts.rules_words(get_language() or ""),
        },
    )


@require_safe
def file(request: HttpRequest) -> HttpResponse:
    """The house rules as a small file to keep, send or import on another device."""
    asked = House(request)
    if asked.errors:
        return respond({"status": "error", "errors": asked.errors})
    name = asked.state.form.table_name
    only = {n: v for n, v in asked.page.parameters.items() if n in ("rules", "opt")}
    made = house.exported(asked.rules, name, request.build_absolute_uri(links.to_hand(only)))
    response = HttpResponse(wire.encoded(made, indent=2) + b"\n", content_type="application/json")
    response["Content-Disposition"] = attached(f"house-rules-{asked.rules.id}.json")
    return response
