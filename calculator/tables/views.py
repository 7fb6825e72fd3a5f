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
| `/t/<token>/evening/`    | every round and who owes whom; POST: the table fee                 |
| `/t/<token>/qr.svg`      | a link as a QR code                                                |
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from secrets import token_hex
from threading import Lock
from time import monotonic
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from calculator.round import views as round_views
from calculator.round.evening import Evening
from calculator.round.present import plain
from calculator.round.views import following
from calculator.site import errors
from calculator.site.forms import RoundForm
from calculator.site.qr import picture
from calculator.site.wire import dumps
from calculator.tables import book, present
from calculator.tables.access import CODE_FOR, Visit, at_table, joined, said_aloud, stored, unkept
from calculator.tables.book import NO_DEVICE, Book, Refused, Writer
from calculator.tables.evening import TableEvening
from calculator.tables.forms import EntryForm, FeeForm, OpenForm, PresenceForm, UndoForm, WriterForm
from calculator.tables.ledger import (
    NAMES,
    Draft,
    Ledger,
    Round,
    beginning,
    difference,
    fold,
    lines_of,
)
from calculator.tables.limits import allowed
from calculator.tables.models import Table
from calculator.tables.tokens import CODE_LENGTH, digest, watching
from scoring.addresses.hand import write_query
from scoring.addresses.round import RoundPage, read_round
from scoring.rules import exact
from scoring.words import N_

Json = dict[str, Any]

#: What is said of what could not be booked.
REFUSALS = {
    "full": N_("没有记上：这一桌的记录已经满了，请再来一桌。"),
    "fast": N_("没有记上：这一分钟里记得太多了，等一会儿再记。"),
    "long": N_("没有记上：太长了。"),
    "gone": N_("这一桌已经删掉了。"),
    "watching": N_("这个链接只能看，不能记。"),
    "met": N_("没有撤回：别人刚刚改过这一条，看一眼再撤。"),
}


class Watched:
    """Whether the database can be asked: found out once a second, however often somebody asks."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._until = 0.0
        self._answers = False

    def answers(self) -> bool:
        """What is known, which is no older than a second."""
        with self._lock:
            if monotonic() >= self._until:
                self._answers = self._ask()
                self._until = monotonic() + 1
        return self._answers

    def _ask(self) -> bool:
        try:
            Table.objects.exists()
        except DatabaseError:
            return False
        return True


#: One for each worker.
database = Watched()


def own_state(request: HttpRequest, data: QueryDict, round: Round) -> round_views.State:
    """The round's page as the ledger has it, with the entry that the device is making."""
    given = data.copy()
    for name in ("rules", "opt", "d", "n", "e"):
        given.pop(name, None)
    for name, value in round.parameters.items():
        given[name] = value
    return round_views.State(request, given)


def context(request: HttpRequest, at: Visit, kept: Book, given: QueryDict) -> Json:
    """Everything on the page of a table; ``given`` is what an address of it says."""
    round = _asked_round(given, kept.ledger)
    state = own_state(request, given, round)
    met = [int(n) for n in given.get("met", "").split(",") if n.isdecimal()][:9]
    refused = given.get("refused", "")
    return {
        **round_views.context(request, state),
        "table": at,
        "rounds": [
            {"number": n, "seq": one.seq, "on": one.seq == round.seq}
            for n, one in enumerate(kept.ledger.rounds, start=1)
        ],
        "head": kept.head,
        "action": reverse("table", args=[at.token]),
        "parameters": [
            ("saw", kept.head),
            ("round", round.seq),
            ("key", token_hex(8)),
            *_open_entry(state.page),
        ],
        "met": present.Told(kept).of(met) if met else [],
        "refused": gettext(REFUSALS[refused]) if refused in REFUSALS else "",
        "here": present.here(at.table, given.get("device", "")),
    }


def _asked_round(given: QueryDict, ledger: Ledger) -> Round:
    """The round that an address names, else the one being played."""
    asked = given.get("round", "")[:9]
    return ledger.round_of(int(asked) if asked.isdecimal() else 0)


def _open_entry(page: RoundPage) -> list[tuple[str, str]]:
    """The entry being made, which the ledger does not have."""
    return [(name, text) for name, text in page.parameters.items() if name in ("a", "at")]


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
        page, _ = read_round(RoundForm.read(QueryDict(query)).given)
        drafts += [beginning(page), *(Draft("add", line) for line in lines_of(page))]
    if len(drafts) > book.MAX_ENTRIES:
        return errors.refusal(request, 413)
    _, token = book.opened(drafts, _writer(form), _key(form, drafts))
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
    """The round being played; every button is a POST that is answered here."""
    if request.method == "POST":
        return _pressed(request, at)
    given = request.GET
    if given.get("hand"):  # what comes back from the calculator
        state = own_state(request, given, _asked_round(given, book.read(at.table).ledger))
        return HttpResponseRedirect(_address(at, dict(_open_entry(state.page))))
    shown = context(request, at, book.read(at.table), given)
    more = {
        "words": script_words(get_language() or ""),
        # The device keeps what it could not send yet under a name that opens nothing.
        "queue": digest(at.token)[:16],
        "names": " ".join(name for name in shown["page"].names if name),
    }
    return render(request, "tables/page.html", {**shown, **more})


def _pressed(request: HttpRequest, at: Visit) -> HttpResponse:
    """What a button leads to: for the page's script the table anew, else the address of it."""
    kept = book.read(at.table)
    round = _asked_round(request.POST, kept.ledger)
    state = own_state(request, request.POST, round)
    form = WriterForm(request.POST)
    said = {"refused": "long"}
    if form.is_valid():
        said = _written(at, kept, form, _meant(request.POST.get("do"), kept, form, round, state))
    # Where nothing was booked, what was being entered stays open.
    entry = dict(_open_entry(state.page)) if not said else _entry_sent(request)
    if request.POST.get("do") == "next" and not said:
        entry = {}
    elif round.seq != kept.ledger.last.seq:
        entry["round"] = str(round.seq)
    given = {**entry, **said}
    if not request.headers.get("HX-Request"):
        return HttpResponseRedirect(_address(at, given))
    return render(request, "tables/_table.html", context(request, at, kept, _query(given)))


def _entry_sent(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST[name] for name in ("a", "at") if request.POST.get(name)}


def _query(given: dict[str, str]) -> QueryDict:
    made = QueryDict(mutable=True)
    made.update(given)
    return made


def _meant(
    do: str | None, kept: Book, form: WriterForm, round: Round, state: round_views.State
) -> list[Draft]:
    """The entries that a button makes: 下一局, one's own last entry back, or a changed round."""
    if do == "next":
        return [beginning(following(round.page))]
    if do == "undo":
        return _own_last(kept, _writer(form))
    made = difference(round, state.page)
    if do == "rename":
        return [replace(one, target=round.seq) if one.kind == NAMES else one for one in made]
    return made


def _own_last(kept: Book, writer: Writer) -> list[Draft]:
    """What takes back the last entry of a writer that still counts; nothing where there is none."""
    mine = [e for e in kept.entries[1:] if writer.wrote(e) and e.kind != "undo"]
    left = [entry for entry in mine if entry.seq not in kept.ledger.void]
    return [Draft("undo", round=e.round, target=e.seq) for e in left[-1:]]


def _written(at: Visit, kept: Book, form: WriterForm, drafts: list[Draft]) -> dict[str, str]:
    """Book entries; what is to be said where that was not possible."""
    if not drafts:
        return {}
    if not at.records:
        return {"refused": "watching"}
    try:
        done = book.write(kept, drafts, _writer(form), _key(form, drafts))
    except Refused as refused:
        return {"refused": refused.code}
    return {"met": ",".join(str(entry.seq) for entry in done.met)} if done.met else {}


@lru_cache(maxsize=8)
def script_words(language: str) -> str:
    """The words that the page's script needs, as JSON; one set for each language."""
    return dumps(
        {
            "waiting": gettext("网络不通：点过的%(n)s下留在这台设备上，连上后按顺序记。"),
            "away": gettext("网络不通，正在重新连接……"),
            "refused": gettext("这一下没有记上。"),
            "copied": gettext("已复制"),
            "noCopy": gettext("复制不了：请长按选中"),
            "gone": gettext("这一桌已经删掉了，或者链接换过了。"),
        }
    )


def _address(at: Visit, given: dict[str, str]) -> str:
    where = reverse("table", args=[at.token])
    return f"{where}?{write_query(given)}" if given else where


def _writer(form: WriterForm) -> Writer:
    given = form.cleaned_data
    return Writer(given["device"] or NO_DEVICE, given["who"], given["saw"] or 0)


def _key(form: WriterForm, drafts: list[Draft]) -> str:
    """By which an entry that comes twice is known.

    The buttons of a page without scripts have one key together; what each does is part of it.
    """
    given = form.cleaned_data
    if given["key"] and not given["device"]:
        return digest(f"{given['key']} {drafts}")[:32]
    return given["key"] or token_hex(8)


@require_safe
@at_table
def news(request: HttpRequest, at: Visit) -> HttpResponse:
    """What was booked since the device last looked; 204 where that is nothing."""
    form = PresenceForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    if asked.get("device") and asked.get("here"):
        present.seen(at.table, asked["device"], asked["who"], asked["seat"])
    if asked.get("rev") == at.table.head:
        return HttpResponse(status=204)
    kept = book.read(at.table)
    given = _followed(request.GET, kept.ledger, asked.get("rev") or 0)
    return render(request, "tables/_table.html", context(request, at, kept, given))


def _followed(given: QueryDict, ledger: Ledger, rev: int) -> QueryDict:
    """What a page asks for: the newest round, where it was at the newest that it had seen.

    Not in the middle of an entry, which belongs to the round that it was begun in.
    """
    seen = [round.seq for round in ledger.rounds if round.seq <= rev]
    followed = given.copy()
    if not given.get("a") and seen and given.get("round") == str(seen[-1]):
        del followed["round"]
    return followed


@require_POST
@at_table
def entries(request: HttpRequest, at: Visit) -> HttpResponse:
    """Book what a device has made of a round; 409 with what others wrote that touches it."""
    form = EntryForm(request.POST)
    if not form.is_valid():
        return _answer({"errors": sorted(form.errors)}, 422)
    asked = form.cleaned_data
    kept, writer = book.read(at.table), _writer(form)
    base = fold(e for e in kept.entries if e.seq <= writer.saw or writer.wrote(e))
    made, bad = read_round(RoundForm.read(QueryDict(asked["query"])).given)
    if bad or not base.rounds:
        return _answer({"errors": [*bad]}, 422)
    said = _written(at, kept, form, difference(base.round_of(asked["round"]), made))
    if "refused" in said:
        status = {"watching": 403, "gone": 404}.get(said["refused"], 429)
        return _answer({"say": gettext(REFUSALS[said["refused"]])}, status)
    if met := said.get("met"):
        rows = present.Told(kept).of([int(n) for n in met.split(",")])
        return _answer({"met": [gettext("%(who)s %(what)s") % row for row in rows]}, 409)
    return _answer({"head": kept.head}, 200)


def _answer(body: Json, status: int) -> JsonResponse:
    return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})


@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def people(request: HttpRequest, at: Visit) -> HttpResponse:
    """How others come in, who is here; for who records: a code, new links, the end of the table."""
    code = ""
    if request.method == "POST":
        if not at.records:
            return errors.refusal(request, 403)
        do = request.POST.get("do")
        if do == "renew":
            return HttpResponseRedirect(reverse("table_people", args=[book.renewed(at.table)]))
        if do == "remove" and request.POST.get("sure"):
            book.removed(at.table)
            return HttpResponseRedirect(reverse("round"))
        code = said_aloud(at.table) if do == "code" else ""
    links = {"record": at.token} if at.records else {}
    links["watch"] = watching(at.token) if at.records else at.token
    return render(
        request,
        "tables/people.html",
        {
            "section": "settle",
            "table": at,
            "code": code,
            "hours": int(CODE_FOR.total_seconds() // 3600),
            "links": {
                what: request.build_absolute_uri(reverse("table", args=[token]))
                for what, token in links.items()
            },
            "here": present.here(at.table, request.GET.get("device", "")),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def evening(request: HttpRequest, at: Visit) -> HttpResponse:
    """Every round of the table, everybody's sum, the fewest payments, and the table fee."""
    said: dict[str, str] = {}
    kept = book.read(at.table)
    if request.method == "POST":
        form = FeeForm(request.POST)
        if not form.is_valid():
            return errors.refusal(request, 400)
        said = _written(at, kept, form, [Draft("fee", form.fee)])
        if not said:
            return HttpResponseRedirect(reverse("table_evening", args=[at.token]))
    found = TableEvening(kept.ledger)
    query = write_query({"n": ",".join(found.names), "r": found.written})
    sheet = f"{reverse('evening')}?{query}"
    shown = Evening(found.written, found.names)
    return render(
        request,
        "tables/evening.html",
        {
            "section": "settle",
            "table": at,
            "head": kept.head,
            "evening": shown,
            "sheet": sheet,
            "own_query": query,
            "as_text": shown.as_text(request.build_absolute_uri(sheet)),
            "fee": _fee_shown(found),
            "again": beginning(replace(kept.ledger.last.page, dealer=0)).text,
            "refused": gettext(REFUSALS[said["refused"]]) if said.get("refused") else "",
        },
    )


def _fee_shown(found: TableEvening) -> Json:
    """The fee as the form has it."""
    fee = found.fee
    if fee is None:
        return {}
    return {
        "amount": plain(exact(fee.cents)),
        "each_round": fee.each_round,
        "winner": fee.share == "winner",
        "to": "" if fee.to is None else found.names[fee.to],
    }


@require_safe
@at_table
def qr(request: HttpRequest, at: Visit) -> HttpResponse:
    """A link of the table as a QR code: `what=watch`, or the one that records."""
    token = watching(at.token) if at.records and request.GET.get("what") == "watch" else at.token
    return picture(request.build_absolute_uri(reverse("table", args=[token])), error="m")


@require_http_methods(["GET", "HEAD", "POST"])
@at_table
def history(request: HttpRequest, at: Visit) -> HttpResponse:
    """Every entry, the latest first; each can be taken back by an entry of its own."""
    refused = ""
    kept = book.read(at.table)
    if request.method == "POST":
        form = UndoForm(request.POST)
        if not form.is_valid():
            return errors.refusal(request, 400)
        refused = _taken_back(at, kept, form)
        if not refused:
            return HttpResponseRedirect(reverse("table_history", args=[at.token]))
    return render(
        request,
        "tables/history.html",
        {
            "section": "settle",
            "table": at,
            "head": kept.head,
            "rows": present.Told(kept).history(),
            "refused": gettext(REFUSALS[refused]) if refused else "",
        },
    )


def _taken_back(at: Visit, kept: Book, form: UndoForm) -> str:
    """Take an entry back; the code of a refusal where that is not possible."""
    target = form.cleaned_data["undo"]
    entry = next((entry for entry in kept.entries if entry.seq == target), None)
    if entry is None:
        return "gone"
    said = _written(at, kept, form, [Draft("undo", round=entry.round, target=target)])
    return "met" if "met" in said else said.get("refused", "")
