"""The page of a round `/settle/`: events in, every coin out; the next round and the evening.

| path               | answers                                                                |
|--------------------|------------------------------------------------------------------------|
| `/settle/`         | the page; `do=…` (a button without JavaScript) redirects to a state    |
| `/settle/evening/` | the sheet of an evening, whose totals are in the address               |
| `/settle/round.json` | the round as a file: its address and the request to `settle`; 422    |
|                    | where the address cannot be read                                       |
| `/settle/round.csv`, `/settle/evening.csv` | every transfer of a round, the totals of an       |
|                    | evening, as rows of a spreadsheet                                      |
| `/settle/evening.svg` | the sheet of an evening as a picture                                |
| `/settle/qr.svg`   | the page's address as a QR code                                        |
| `/fragment/round`  | what the page's script swaps in after a tap                            |
| `/fragment/evening` | the same for the sheet of the evening                                 |
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from calculator.round import table_file as table_rows
from calculator.round.drawing import Drawing
from calculator.round.evening import Evening
from calculator.round.present import Shown, count_words
from calculator.round.state import (
    LEAVING,
    act,
    booked_melds,
    brought,
    decided,
    entry_fields,
    handed,
    named,
    waiting,
)
from calculator.site import wire
from calculator.site.forms import EveningForm, RoundForm
from calculator.site.qr import picture
from calculator.site.responses import attached, respond
from calculator.words import badge, texts
from calculator.words.answers import used
from scoring.addresses.hand import canonical, write_query
from scoring.addresses.round import (
    MAX_ADDRESS,
    MAX_NAME,
    MAX_ROUND_EVENTS,
    RoundPage,
    clean_name,
    read_round,
)
from scoring.evening import MAX_PEOPLE, MAX_ROUNDS
from scoring.notation import NotationError, format_hand, parse
from scoring.rules import MAX_FAN
from scoring.settle import SEATS
from scoring.tiles import SUITS
from scoring.words import N_

Json = dict[str, Any]

#: Two kongs, a discard, a self-draw, and the wall runs out on a pig and a ready player.
EXAMPLE = "k2e0.k1c.wd0,23.ws,13.n,0p,3r2"


#: What the page says after a tap that it could not do, or did otherwise than expected.
SAID = {
    "way": N_("几家胡同一张牌，怎么胡的由这一条定，这手牌按它重新算了。"),
    "missing": N_("没有记上：先补上还差的。"),
    "full": N_("没有记上：一局在这里最多记 %(full)s 条，先删一条再记。"),
    "names": N_("名字里不能有逗号，四个名字每个最多 %(letters)s 个字；多出来的没有记上。"),
    "hand": N_("没有记上：这手牌读不出来。"),
    "rules": N_("这一局的规则是：%(rules)s。这手牌按它重新算了。"),
    # As the page of one hand says it.
    "dropped": texts.DROPPED,
    "newer": texts.NEWER,
}
#: The same where it is about one player: `fan-1` is about the second seat.
SAID_OF = {
    "fan": N_("没有记上：%(name)s的番数要填 0 到 %(most)s 的整数。"),
    "best": N_("没有记上：%(name)s最大的牌，倍数要填整数。"),
    "horses": N_("没有记上：%(name)s买马的牌读不出来，例：3m7p。"),
    "amount": N_("没有记上：约定付款要填大于 0 的分，最多两位小数。"),
    "note": N_("没有记上：附言太长。"),
    "gone": N_("%(name)s在这之前已经胡了或走了，流局里记给这一家的去掉了。"),
    "unwon": N_("%(name)s不再是胡家，记给这一家的番去掉了。"),
}
#: What the sheet of an evening says where names have been cut.
TOO_MANY = N_(
    "名字里不能有逗号，每个最多 %(letters)s 个字，一晚最多 %(most)s 个人；多出来的没有记上。"
)
#: What is said of a field that cannot be read, by its letter.
FIELDS = {"f": "fan", "b": "best", "h": "horses", "m": "amount", "t": "note"}


@lru_cache(maxsize=8)
def script_words(language: str) -> str:
    """The words that the page's script needs, as JSON; one set for each language."""
    return wire.dumps(
        {
            "offline": gettext("网络不通，这一局现在打不开。"),
            "refused": gettext("这一下没有记上。"),
            "tooLong": gettext("没有记上：这一局太长，地址里放不下了。"),
            "badFile": gettext("这个文件读不出来。"),
            "newerFile": gettext("这个文件来自更新的版本，这里读不了：刷新页面再试。"),
            "emptyFile": gettext("这个文件里一局也没有，没有导入。"),
            "imported": gettext("已导入。"),
            "importedSome": gettext("已导入新的局，已经记着的没有重复记。"),
            "already": gettext("这一局已经在今晚的账里，没有重复记。"),
            "elsewhere": gettext("另一个页面改过这一局，已换成最新的。"),
            "clear": gettext("清掉这一晚的全部记录？先导出成文件更稳妥。"),
            "sure": gettext("再点一次就清掉"),
            "again": gettext("再点"),
            "tonight": gettext("今晚 %(total)s"),
            "removed": gettext("这一局已从今晚的账里拿掉，撤销可以找回来。"),
            "entryStays": gettext("没记完的那一笔留在刚才那一局，撤销就回到那里。"),
            "unread": gettext("这几局读不出来，没有导入：%(rounds)s。"),
            "comma": gettext("、"),
            "fullEvening": gettext("一晚最多记 %(most)s 局，多的没有记：先导出成文件，再清掉。")
            % {"most": MAX_ROUNDS},
            "unsure": gettext("%(new)s 是 %(old)s 改了名字，还是换了一个人？"),
        }
    )


#: What a field of the entry can hold; more is none of them, and kept no longer than this.
MAX_TYPED = 40
#: So many taps are done at once; the script sends no more.
MOST_ACTIONS = 20


def address(page: RoundPage) -> str:
    """The page of this round in the active language."""
    return f"{reverse('round')}?{page.query}"


def said_of(code: str) -> tuple[str, int] | None:
    """A code of :data:`SAID_OF` and the seat that it is about, or None.

    >>> said_of("fan-1"), said_of("fan"), said_of("way")
    (('fan', 1), None, None)
    """
    name, _, seat = code.partition("-")
    return (name, int(seat)) if name in SAID_OF and seat in ("0", "1", "2", "3") else None


def cut(written: Sequence[str], names: Sequence[str]) -> bool:
    """Whether names have lost more than spaces on their way into an address.

    >>> cut(["小 王 ", "", "", ""], ["小 王", "", "", ""]), cut(["a,b"], ["ab"])
    (False, True)
    """
    return "".join("".join(written).split()) != "".join("".join(names).split())


class State:
    """A request's round, what could not be read of it, and what it asks to be done."""

    def __init__(self, request: HttpRequest, data: QueryDict | None = None) -> None:
        data = request.GET if data is None else data
        self.form = RoundForm.read(data)
        self.page, bad = read_round(self.form.given)
        #: The parameters of the address that cannot be meant.
        self.bad = (*bad, *(error["field"] for error in self.form.too_long))
        #: What to say about the last tap.
        self.said = [
            code for code in self.form.extra("say").split(",") if code in SAID or said_of(code)
        ]
        #: What was typed into the fields of the entry and cannot be read, by the field's name.
        self.refused = {
            name: self._typed(name)
            for name in entry_fields(self.page)
            if f"{FIELDS[name[0]]}-{name[1]}" in self.said and name in self.form.data
        }
        if cut(self.form.given.get("n", "").split(","), self.page.names):
            self.said.append("names")
        #: House rules that the system just chosen does not take.
        self.dropped = self.form.extra("dropped") if "dropped" in self.said else ""
        #: Whose hand the calculator is asked for.
        self.hand_of: str = ""
        self.asked = self._act(data.getlist("do"))

    @property
    def errors(self) -> list[Json]:
        """What the address says and cannot mean, the rules as the engine tells it."""
        ruled = self.form.rule_errors
        named_by_rules = {"rules", "opt"} if ruled else set()
        fields = [name for name in dict.fromkeys(self.bad) if name not in named_by_rules]
        return [*ruled, *({"code": "bad_field", **self._unfit(name)} for name in fields)]

    def _unfit(self, name: str) -> Json:
        """What of a parameter cannot be: its value, or that it holds so many events."""
        if name == "e" and len(self.page.events) == MAX_ROUND_EVENTS:
            return {"field": "events", "expected": f"at most {MAX_ROUND_EVENTS}"}
        return {"field": name}

    @property
    def address(self) -> str:
        """The page's address for this state; what to say rides along."""
        said = {"say": ",".join(self.said)} if self.said else {}
        if self.dropped:
            said["dropped"] = self.dropped
        return f"{reverse('round')}?{write_query({**self.page.parameters, **self.refused, **said})}"

    def _say_what_differs(self, before: Json | None, more: Json) -> None:
        """Say where the round reckons a hand otherwise than the calculator that sent it."""
        entry = self.page.entry
        if self.form.extra("under"):
            self.said.append("rules")
        way = more["by"] and entry and entry["type"] == "win" and more["by"] != entry["by"]
        if before and way:
            self.said.append("way")

    def _typed(self, name: str) -> str:
        """What stands in a field of the entry, no longer than any can be."""
        text = str(self.form.data.get(name, ""))
        return "".join(c for c in text if c.isprintable()).strip()[:MAX_TYPED]

    def _take(self, name: str) -> None:
        """Note down what was typed into a field of the entry; keep it where it cannot be read."""
        letter, seat, typed = name[0], name[1], self._typed(name)
        nothing = "0" if letter == "b" else ""
        step = act(self.page, f"{FIELDS[letter]}:{seat}:{typed or nothing}")
        self.page = step.page
        if not step.done:
            self.refused[name] = typed

    def _take_typed(self, action: str) -> None:
        """Note down what was typed and has not been, whichever button was pressed.

        Not so where that button leaves the entry, or decides by itself what the field is about.
        """
        if action.partition(":")[0] in LEAVING:
            return
        held = entry_fields(self.page)
        for name, value in held.items():
            kept = name not in self.form.data or self._typed(name) == value
            if not kept and name not in decided(action):
                self._take(name)

    def _act(self, actions: Sequence[str]) -> bool:
        extra = self.form.extra
        if hand := extra("hand"):
            try:
                hand = format_hand(canonical(parse(hand)))
            except NotationError:
                self.said.append("hand")
                return True
            names = ("void", "bless", "by", "after", "pao", "last", "jue")
            more = {name: extra(name) for name in names}
            before = self.page.entry
            self.page = handed(self.page, hand, more)
            self._say_what_differs(before, more)
        # What stands in the fields of the names counts, whichever button was pressed.
        typed = any(f"n{seat}" in self.form.data for seat in SEATS)
        if actions and typed and "names" not in actions:
            self._one("names")
        if actions:
            self.refused = {}
            self._take_typed(actions[0])
        for action in actions[:MOST_ACTIONS]:
            if action == "save" and self.refused:
                break  # nor what follows: it was meant for after this
            self._one(action)
            shown = entry_fields(self.page)
            self.refused = {name: typed for name, typed in self.refused.items() if name in shown}
        self.said += [f"{FIELDS[name[0]]}-{name[1]}" for name in sorted(self.refused)]
        return bool(actions or hand)

    def _one(self, action: str) -> None:
        if action == "names":
            typed = [str(self.form.data.get(f"n{seat}", "")) for seat in SEATS]
            self.page = named(self.page, typed)
            if cut(typed, self.page.names):
                self.said.append("names")
        elif action.partition(":")[0] in ("horses", "bests", "sum"):
            shown = entry_fields(self.page)
            for name in decided(action):
                if name in shown and name not in self.refused:
                    self._take(name)
        elif action.startswith("calc:"):
            self.hand_of = action.removeprefix("calc:")
        else:
            step = act(self.page, action[:60])
            self.page = step.page
            if action == "save" and self.page.entry is not None:
                self.said.append("missing")
            if step.dropped:
                self.said.append("dropped")
                self.dropped = ",".join(step.dropped)
            self.said += [f"{code}-{seat}" for code, seat in step.lost]
            adding = action.partition(":")[0] in ("new", "before")
            if adding and not step.done and len(self.page.events) >= MAX_ROUND_EVENTS:
                self.said.append("full")


@require_safe
def round_page(request: HttpRequest) -> HttpResponse:
    """The round."""
    state = State(request)
    if state.asked:
        return HttpResponseRedirect(leads_to(state))
    passing = {"say", "dropped", *state.refused}
    given = [(name, value) for name, value in request.GET.items() if name not in passing]
    if state.form.newer and not state.refused:
        state.said.append("newer")
    if given and not state.bad and given != list(state.page.parameters.items()):
        return HttpResponseRedirect(state.address)
    words = script_words(get_language() or "")
    return render(request, "round/page.html", {**context(request, state), "words": words})


@require_safe
def round_fragment(request: HttpRequest) -> HttpResponse:
    """The round again after a tap, without the page around it."""
    return render(request, "round/_round.html", context(request, State(request)))


@require_safe
def round_file(request: HttpRequest) -> HttpResponse:
    """The round as a file, for whoever has more events than an address should hold."""
    state = State(request)
    if state.errors:
        return respond({"status": "error", "errors": state.errors})
    page = state.page.settled
    answer = JsonResponse(
        {"format": "suanfan-round", "version": 1, "address": page.query, "request": page.request},
        json_dumps_params={"ensure_ascii": False, "indent": 1, "default": str},
    )
    answer["Content-Disposition"] = attached("round.json")
    return answer


def table_file(text: str, name: str) -> HttpResponse:
    """The answer with rows of a spreadsheet."""
    answer = HttpResponse(table_rows.BOM + text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = attached(name)
    return answer


@require_safe
def round_table(request: HttpRequest) -> HttpResponse:
    """Every transfer of a round as rows of a spreadsheet; `part` is its number in an evening."""
    shown = Shown(State(request).page.settled)
    part = request.GET.get("part", "")
    numbered = part.isascii() and part.isdigit() and len(part) <= 3
    rows = table_rows.transfers(shown, int(part) if numbered else 1)
    return table_file(
        table_rows.written(rows if numbered else [table_rows.head(), *rows]), "round.csv"
    )


@require_safe
def evening_table(request: HttpRequest) -> HttpResponse:
    """The totals of an evening as rows of a spreadsheet, and the head of the transfers to come."""
    evening = evening_context(request)["evening"]
    rows = [*table_rows.totals(evening), [], table_rows.head()]
    return table_file(table_rows.written(rows), "evening.csv")


@require_safe
def evening_drawing(request: HttpRequest) -> HttpResponse:
    """The sheet of an evening as a picture; `day` is the one that its device has."""
    evening = evening_context(request)["evening"]
    day = EveningForm.read(request.GET).cleaned_data.get("day") or localdate()
    shown = {"drawing": Drawing(evening, day)}
    return render(request, "round/evening.svg", shown, content_type="image/svg+xml")


@require_safe
def round_qr(request: HttpRequest) -> HttpResponse:
    """The address of a round as a QR code."""
    target = request.build_absolute_uri(address(State(request).page.settled))
    return picture(target, error="l")


@require_safe
def evening_page(request: HttpRequest) -> HttpResponse:
    """The sheet of an evening."""
    return render(request, "round/evening.html", evening_context(request))


@require_safe
def evening_fragment(request: HttpRequest) -> HttpResponse:
    """The sheet of an evening, without the page around it."""
    return render(request, "round/_evening.html", evening_context(request))


def evening_context(request: HttpRequest) -> Json:
    """Everything on the sheet of an evening."""
    form = EveningForm.read(request.GET)
    names = form.given.get("n", "").split(",")
    evening = Evening(form.given.get("r", ""), names)
    told = [texts.message(fault) for fault in form.too_long]
    if cut(names, [clean_name(name) for name in names[:MAX_PEOPLE]]):
        told.append(gettext(TOO_MANY) % {"letters": MAX_NAME, "most": MAX_PEOPLE})
    if evening.unread:
        told.append(evening.unread)
    link = request.build_absolute_uri(f"{reverse('evening')}?{write_query(form.given)}")
    return {
        "section": "settle",
        "own_query": write_query(form.given),
        "as_text": evening.as_text(link) if evening.rounds else "",
        "evening": evening,
        "told": told,
    }


def following(page: RoundPage) -> RoundPage:
    """下一局: the same players under the same rules, with the next dealer."""
    return RoundPage(page.rules, page.opt, Shown(page).settled["next_dealer"], page.names)


def context(request: HttpRequest, state: State) -> Json:
    """Everything on the page of a round."""
    page = state.page
    shown = Shown(page, state.refused)
    entry = shown.entry()
    rules_words = {"rules": badge.badge(shown.rules)}
    back = request.build_absolute_uri(address(page.settled))
    for item in hands_of(entry):
        item["calculator"] = calculator(page, item)
    log = shown.log()
    for line in log:
        for given in line["given"]:
            given["address"] = f"{reverse('hand')}?{write_query(given['link'])}"
            given["who"] = shown.names[given["seat"]]
    events = len(page.events)
    said = {
        "most": MAX_FAN,
        "full": MAX_ROUND_EVENTS,
        "letters": MAX_NAME,
        "options": texts.options_named(state.dropped.split(",")),
        **rules_words,
    }
    return {
        "section": "settle",
        "most_rounds": MAX_ROUNDS,
        "own_query": page.settled.query,
        "page": page,
        "query": page.query,
        "link_query": page.settled.query,
        "brought": write_query(brought(page)),
        "parameters": list(page.parameters.items()),
        "bad": [{**error, "message": texts.message(error)} for error in state.errors],
        "said": [told(code, shown, said) for code in dict.fromkeys(state.said)],
        "badge": rules_words["rules"],
        "presets": badge.presets(page.rules, page.opt),
        "shown": shown,
        "seats": shown.seats(),
        "log": log,
        "broken": next((line["number"] for line in log if line["errors"]), None),
        "house": f"{reverse('house')}?{write_query(house(page))}",
        "example": f"{reverse('round')}?{write_query({'rules': page.rules, 'e': EXAMPLE})}",
        "kinds": shown.kinds(),
        "entry": entry,
        "tables": shown.tables(),
        "payments": shown.payments(),
        "payments_count": count_words(len(shown.payments())),
        "ledger": shown.ledger(),
        "warnings": shown.warnings(),
        "assumed": used(shown.settled),
        # What a flower pig pays may go to nobody.
        "fined": shown.rules.pig.to == "nobody",
        "penalties": shown.settled["penalties"],
        "totals": [wire.dumps(total) for total in shown.settled["totals"]],
        "over": shown.over,
        "began": bool(events),
        "next": address(following(page)),
        "dealing": shown.dealing(),
        "link": back,
        "too_long": len(back) > MAX_ADDRESS,
        "file": f"{reverse('round_file')}?{page.settled.query}",
        "qr": f"{reverse('round_qr')}?{page.settled.query}",
        "as_text": shown.as_text(back) if events else "",
        "report": shown.report(back) if events else "",
        "preview": shown.preview() if events else "",
        "suits": [
            {
                "name": texts.word(texts.SUITS, letter),
                "tiles": [
                    {"id": f"{rank}{letter}", "name": texts.tile(f"{rank}{letter}")}
                    for rank in range(1, 10)
                ],
            }
            for letter in SUITS
        ],
        "sprite": static("tiles.svg"),
        "title": title(shown),
    }


def told(code: str, shown: Shown, parameters: Json) -> Json:
    """What to say for a code, and the code without its seat."""
    if about := said_of(code):
        name, seat = about
        sentence = gettext(SAID_OF[name]) % {**parameters, "name": shown.names[seat]}
        return {"code": name, "message": sentence}
    return {"code": code, "message": gettext(SAID[code]) % parameters}


def house(page: RoundPage) -> dict[str, str]:
    """The parameters of the sheet of house rules, with the way back."""
    parameters = {"rules": page.rules, "opt": page.opt, "back": page.query}
    return {name: value for name, value in parameters.items() if value}


def title(shown: Shown) -> str:
    """What the browser's tab says: the balance of the four seats."""
    if not shown.page.events:
        return gettext("结算一局")
    return " ".join(f"{seat['name']}{seat['total']}" for seat in shown.seats())


def leads_to(state: State) -> str:
    """The address after a button: the calculator where it asks for a hand, else the round."""
    entry = Shown(state.page).entry() if state.hand_of and not state.refused else None
    for item in hands_of(entry):
        if str(item["seat"]) == state.hand_of:
            return calculator(state.page, item)
    return state.address


def hands_of(entry: Json | None) -> list[Json]:
    """The players of an entry whose hands can be given: winners, or all at the end of the wall."""
    given = [*(entry or {}).get("given", ()), *(entry or {}).get("standings", ())]
    return [item for item in given if item["seat"] is not None]


def calculator(page: RoundPage, item: Json) -> str:
    """The calculator for one hand of the entry, with the way back."""
    seat = item["seat"]
    parameters = dict(item["link"])
    if not item.get("hand"):
        parameters["hand"] = booked_melds(page, seat)
    parameters = {name: value for name, value in parameters.items() if value}
    back = waiting(page, seat).query
    return f"{reverse('hand')}?{write_query({**parameters, 'back': back})}"
