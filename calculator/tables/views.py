"""A shared table (一桌): opened, joined, recorded by any of its phones, seen by all.

| path                     | answers                                                            |
|--------------------------|--------------------------------------------------------------------|
| `/settle/open/`          | POST: a new table with the rounds that the device has              |
| `/join/`                 | the code that somebody said aloud: POST leads to a recording link  |
| `/t/<token>/`            | the round being played; POST without JavaScript: a button          |
| `/t/<token>/news`        | 204, or what was booked since `rev` as a fragment                  |
| `/t/<token>/entries`     | POST: an entry of a device; 409 with what others wrote before      |
| `/t/<token>/people/`     | the links, the code, who is here; POST: renew, a code, remove      |
| `/t/<token>/history/`    | every entry: who, what, when; POST: take one back                  |
| `/t/<token>/qr.svg`      | a link as a QR code                                                |
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from calculator.round import views as round_views
from calculator.site import errors
from calculator.site.qr import picture
from calculator.tables import book, present
from calculator.tables.access import Visit, at_table, joined, said_aloud, stored, unkept, visit
from calculator.tables.book import Refused, Writer
from calculator.tables.forms import EntryForm, OpenForm, PresenceForm, UndoForm, WriterForm
from calculator.tables.ledger import Draft, Round, beginning, difference, fold, lines_of
from calculator.tables.limits import allowed
from calculator.tables.tokens import CODE_LENGTH, watching
from scoring.addresses.round import RoundPage, read_round
from scoring.words import N_

Json = dict[str, Any]

#: What is said of what could not be booked.
REFUSALS = {
    "full": N_("没有记上：这一桌的记录已经满了，请再来一桌。"),
    "fast": N_("没有记上：这一分钟里记得太多了，等一会儿再记。"),
    "long": N_("没有记上：太长了。"),
    "gone": N_("这一桌已经删掉了。"),
    "watching": N_("这个链接只能看，不能记。"),
}


def own_state(request: HttpRequest, data: Any, round: Round) -> round_views.State:
    """The round's page as the ledger has it, with the entry that the device is making."""
    given = data.copy()
    for name in ("rules", "opt", "d", "n", "e"):
        given.pop(name, None)
    for name, value in round.parameters.items():
        given[name] = value
    return round_views.State(request, given)


def context(request: HttpRequest, at: Visit, state: round_views.State, told: present.Told) -> Json:
    """Everything on the page of a table."""
    round = _asked_round(request, told)
    device = request.GET.get("device", "")
    met = [int(n) for n in request.GET.get("met", "").split(",") if n.isdecimal()][:9]
    refused = request.GET.get("refused", "")
    return {
        **round_views.context(request, state),
        "table": at,
        "round": round,
        "rounds": [
            {"number": n, "seq": one.seq, "on": one.seq == round.seq}
            for n, one in enumerate(told.ledger.rounds, start=1)
        ],
        "head": at.table.head,
        "action": reverse("table", args=[at.token]),
        "met": told.of(met),
        "refused": gettext(REFUSALS[refused]) if refused in REFUSALS else "",
        "here": present.here(at.table, device),
    }


def _asked_round(request: HttpRequest, told: present.Told) -> Round:
    """The round that the address names, else the one being played."""
    asked = (request.GET.get("round") or request.POST.get("round") or "")[:9]
    return told.ledger.round_of(int(asked) if asked.isdecimal() else 0)


@require_POST
@stored
def opened(request: HttpRequest) -> HttpResponse:
    """A new table with what the device has; an empty one where it has nothing."""
    form = OpenForm(request.POST)
    if not form.is_valid():
        return errors.refusal(request, 400)
    if not allowed(request, "open"):
        return errors.refusal(request, 429)
    drafts: list[Draft] = []
    for query in form.cleaned_data["rounds"] or [""]:
        page, _ = read_round(round_views.RoundForm.read(_query(query)).given)
        drafts += [beginning(page), *(Draft("add", line) for line in lines_of(page))]
    if len(drafts) > book.MAX_ENTRIES:
        return errors.refusal(request, 413)
    _, token = book.opened(drafts, _writer(form), _key(form))
    return unkept(HttpResponseRedirect(reverse("table_people", args=[token])))


@require_http_methods(["GET", "HEAD", "POST"])
@stored
def join(request: HttpRequest) -> HttpResponse:
    """Six characters lead to a recording link."""
    code = request.POST.get("code", "")[:40]
    if request.method != "POST":
        return render(request, "tables/join.html", {"section": "settle", "length": CODE_LENGTH})
    if not allowed(request, "code"):
        return errors.refusal(request, 429)
    if token := joined(code):
        return unkept(HttpResponseRedirect(reverse("table", args=[token])))
    words = {"section": "settle", "length": CODE_LENGTH, "code": code, "wrong": True}
    return unkept(render(request, "tables/join.html", words, status=404))


@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def page(request: HttpRequest, at: Visit) -> HttpResponse:
    """The round being played; without JavaScript every button is a POST that is answered here."""
    told = present.Told(book.entries_of(at.table))
    round = _asked_round(request, told)
    if request.method != "POST":
        state = own_state(request, request.GET, round)
        words = round_views.script_words(round_views.get_language() or "")
        return render(
            request, "tables/page.html", {**context(request, at, state, told), "words": words}
        )
    form = WriterForm(request.POST)
    state = own_state(request, request.POST, round)
    more = {"round": str(round.seq)} if round.seq != told.ledger.last.seq else {}
    if not form.is_valid() or (not at.records and state.page.settled != round.page):
        more["refused"] = "watching"
    else:
        more |= _booked(at, form, round, state.page)
    return HttpResponseRedirect(_address(at, state, more))


def _booked(at: Visit, form: Any, round: Round, made: RoundPage) -> dict[str, str]:
    """Book what a page makes of a round; what to say of it where it could not be booked."""
    drafts = difference(round, made)
    if not drafts:
        return {}
    try:
        done = book.write(at.table, drafts, _writer(form), _key(form))
    except Refused as refused:
        return {"refused": refused.code}
    return {"met": ",".join(str(entry.seq) for entry in done.met)} if done.met else {}


def _address(at: Visit, state: round_views.State, more: dict[str, str]) -> str:
    """The table again, with the entry that is still open and what there is to say."""
    entry = state.page.parameters
    kept = {name: entry[name] for name in ("a", "at") if name in entry}
    if "met" not in more and "refused" not in more and kept.get("a") == state.form.given.get("a"):
        kept = {} if state.page.entry is None else kept
    return f"{reverse('table', args=[at.token])}?{round_views.write_query({**kept, **more})}"


@require_safe
@at_table
def news(request: HttpRequest, at: Visit) -> HttpResponse:
    """What was booked since the device last looked; 204 where that is nothing."""
    form = PresenceForm(request.GET)
    if form.is_valid() and form.cleaned_data["device"]:
        asked = form.cleaned_data
        present.seen(at.table, asked["device"], asked["who"], asked["seat"])
    rev = form.cleaned_data.get("rev") if form.is_valid() else None
    if rev == at.table.head:
        return HttpResponse(status=204)
    told = present.Told(book.entries_of(at.table))
    state = own_state(request, request.GET, _asked_round(request, told))
    return render(request, "tables/_table.html", context(request, at, state, told))


@require_POST
@at_table
def entries(request: HttpRequest, at: Visit) -> HttpResponse:
    """Book what a device has made of a round; 409 with what others wrote that touches it."""
    form = EntryForm(request.POST)
    if not form.is_valid():
        return _answer({"errors": sorted(form.errors)}, 422)
    if not at.records:
        return _answer({"say": gettext(REFUSALS["watching"])}, 403)
    asked = form.cleaned_data
    mine = [
        entry
        for entry in book.entries_of(at.table)
        if entry.seq <= (asked["saw"] or 0) or entry.device == asked["device"]
    ]
    made, bad = read_round(round_views.RoundForm.read(_query(asked["query"])).given)
    if bad or not mine:
        return _answer({"errors": list(bad)}, 422)
    said = _booked(at, form, fold(mine).round_of(asked["round"]), made)
    at.table.refresh_from_db()
    if "refused" in said:
        return _answer({"say": gettext(REFUSALS[said["refused"]])}, 429)
    if "met" in said:
        rows = present.Told(book.entries_of(at.table)).of([int(n) for n in said["met"].split(",")])
        met = [gettext("%(who)s %(what)s") % row for row in rows]
        return _answer({"met": met, "head": at.table.head}, 409)
    return _answer({"head": at.table.head}, 200)


def _answer(body: Json, status: int) -> JsonResponse:
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
