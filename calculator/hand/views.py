"""The calculator page `/`: one hand, its address, and the fragments that keep it current.

| path               | answers                                                             |
|--------------------|---------------------------------------------------------------------|
| `/`                | the page; `do=…` (a button without JavaScript) redirects to a state |
| `/fragment/result` | the result of a state, and the problems next to their causes        |
| `/fragment/state`  | JSON: what `text=…` or `do=…` makes of a state, canonical           |
| `/qr.svg`          | the page's address as a QR code                                     |
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, pgettext
from django.views.decorators.http import require_safe

from calculator.hand.state import ASK, NOTES, SEEN, Note, Table, act, chosen, why_not
from calculator.site import build, errors, examples, links, scripts
from calculator.site.asking import hand_wanted, payers_of
from calculator.site.forms import MAX_PASTED, HandForm
from calculator.site.hands import Asked, rulings_beside
from calculator.site.qr import picture
from calculator.site.wire import dumps
from calculator.words import badge, strips, texts
from calculator.words.answers import (
    conditions,
    hand_in_words,
    meld_faces,
    not_stated,
    present,
    void_tiles,
)
from scoring import rules as rule_systems
from scoring.addresses.hand import (
    hand_request,
    read_text,
    switch_rules,
    write_query,
    write_value,
)
from scoring.contract import rulings, score
from scoring.hand import KONGS, MELD_KINDS, WAYS, Hand, Meld
from scoring.notation import NotationError, NotationProblem, format_hand
from scoring.patterns import TERMS
from scoring.rules import Rules, UnknownRuleset
from scoring.tiles import SUITS, TILE_NAMES, TILE_OF_NAME, ZHONG
from scoring.words import N_

Json = dict[str, Any]

#: The circumstances of a win as the page names them, and the terms that they bring.
CIRCUMSTANCES = {
    ASK: "gang_shang_hua",
    "kong_discard": "gang_shang_pao",
    "last_tile": "hai_di",
    "last_copy": "jue_zhang",
    "tian_hu": "tian_hu",
    "di_hu": "di_hu",
}

#: What the winning tile and the last tile of a hand that has not won are called.
WON = N_("%(tile)s，胡的牌")
LAST = N_("%(tile)s，最后一张")

RED_DRAGON = TILE_NAMES[ZHONG]


def _words(note: Note | None) -> str:
    """One line for a note of the table."""
    if note is None:
        return ""
    filled: Json = {}
    for name, value in note.args.items():
        if name in ("tile", "joker"):
            tile = value if isinstance(value, str) else TILE_NAMES[value]
            filled[name] = texts.tile(tile) if name == "tile" else texts.joker(tile)
        elif name in ("term", "by", "verb"):
            filled[name] = _circumstance(value)
        elif name == "others":
            filled[name] = texts.joined(map(_circumstance, value))
        else:
            filled[name] = value
    return gettext(NOTES[note.code]) % filled


def _circumstance(key: str) -> str:
    if key in CIRCUMSTANCES:
        return texts.term(CIRCUMSTANCES[key])
    return texts.word({**texts.WAYS, **texts.MELDS}, key)


def _write_note(note: Note) -> str:
    """A note as the `say` of an address."""
    parts = [note.code]
    for name, value in note.args.items():
        if name in ("tile", "joker"):
            value = TILE_NAMES[value]
        elif name == "others":
            value = ".".join(value)
        parts.append(f"{name}-{value}")
    return ",".join(parts)


def _read_note(text: str) -> Note | None:
    """The note of an address; whatever is not one of ours says nothing."""
    code, *rest = text.split(",")
    if code not in NOTES:
        return None
    ids = {*CIRCUMSTANCES, *WAYS, *MELD_KINDS}
    args: Json = {}
    for part in rest:
        name, _, value = part.partition("-")
        if name in ("tile", "joker") and value in TILE_OF_NAME:
            args[name] = TILE_OF_NAME[value]
        elif (name in ("term", "by", "verb") and value in ids) or (
            name == "n" and value.isdecimal() and len(value) < 3
        ):
            args[name] = value
        elif name == "others" and set(value.split(".")) <= ids:
            args[name] = value.split(".")
        elif name == "rules" and value in rule_systems.ids():
            args[name] = texts.ruleset(value)
        elif name == "options" and len(value) < 300:
            args[name] = texts.options_named(value.split(";"))
    note = Note(code, args)
    try:
        _words(note)
    except KeyError:
        return None
    return note


def _read_field(text: str) -> dict[str, str]:
    """What the text of the field says of the page.

    A field that is full may have cut off what was pasted into it, and half a link says something
    else: such a text is not read.
    """
    if len(text) == MAX_PASTED:
        raise NotationError([NotationProblem(text[:20], MAX_PASTED, "too_long")])
    return read_text(text)


class State(Asked):
    """A request's state: what it asks, the table, and what is being typed."""

    def __init__(self, form: HandForm) -> None:
        super().__init__(form)
        self.table = Table.of(self.page, self.rules, arm=form.extra("arm") or "")
        self.note = _read_note(form.extra("say") or "")
        #: A text that could not be read; the hand stays as it was.
        self.draft = form.extra("draft") or ""
        if self.draft and not self.draft_errors:
            self.draft = ""

    def cancel_link(self) -> str:
        """Back to the round that asked, without a hand."""
        return f"{reverse('round')}?{self.back}&do=unhand"

    def round_link(self) -> str:
        """Into a round as a win: back to the one that asked, else the one being written."""
        page = self.page
        rules = {n: v for n, v in page.parameters.items() if n in ("rules", "opt")}
        asked = self.back or write_query(rules)
        theirs = {n: v for n, v in parse_qsl(self.back) if n in ("rules", "opt")}
        given = {
            "hand": format_hand(page.hand),
            "by": page.by,
            "after": page.after,
            "pao": "1" if page.pao else "",
            "last": "1" if page.last else "",
            "jue": "1" if page.jue else "",
            "bless": page.bless,
            "void": page.void,
            # The round keeps its own rules and says so.
            "under": "1" if self.back and theirs != rules else "",
        }
        return f"{reverse('round')}?{asked}&{write_query({n: v for n, v in given.items() if v})}"

    @property
    def draft_errors(self) -> list[Json]:
        """What is wrong with the text that could not be read."""
        try:
            _read_field(self.draft)
        except NotationError as error:
            return [
                {"code": "bad_notation", "text": p.text, "at": p.at, "why": p.why, "field": "hand"}
                for p in error.problems
            ]
        return []

    @property
    def raw(self) -> str:
        """The hand as written when it could not be read."""
        return self.given.get("hand", "") if "hand" in self.bad else ""

    def turned(self) -> bool:
        """Do what the request asks for: read its text, then its action. Whether it asked."""
        text, do = self.form.extra("text"), self.form.extra("do")
        if text is None and do is None:
            return False
        shown = self.draft or self.raw or format_hand(self.page.hand)
        if text is not None and text != shown:
            self.draft = ""
            try:
                read = _read_field(text)
            except NotationError:
                self.draft = text
                return True
            self._take(read)
        if do and do != "text":
            self.draft = ""
            self._act(do)
        return True

    def _take(self, read: dict[str, str]) -> None:
        """Lay what a text says over the state: a hand, or the whole state of a link."""
        if "rules" in read:
            form = HandForm.read(read)
            self._become(form.given)
            if form.newer:
                self.note = Note("newer")
            return
        self._become({**self.parameters, "hand": read["hand"]})
        if "by" in read:
            self._act(f"by:{read['by']}")

    def _become(self, given: dict[str, str]) -> None:
        self.read({name: value for name, value in given.items() if value})
        self.table = Table.of(self.page, self.rules)

    def _act(self, do: str) -> None:
        verb, _, value = do.partition(":")
        if verb == "rules":
            try:
                page, dropped = switch_rules(self.page, value)
            except UnknownRuleset:
                self.note = Note("unknown_action")
                return
            self._become(page.parameters)
            if dropped:
                options = ";".join(part.partition(":")[0] for part in dropped)
                self.note = Note("dropped", {"rules": value, "options": options})
            return
        step = act(self.table, do)
        self.note = step.note
        if step.refused:
            return
        keep = {n: v for n, v in self.given.items() if n in self.bad and n != "hand"}
        self._become({**step.table.page.parameters, **keep})
        self.table = replace(self.table, arm=step.table.arm)

    def address(self) -> str:
        """The page's address for this state; the armed verb and the note ride along."""
        extra = {
            "arm": self.table.arm,
            "say": _write_note(self.note) if self.note else "",
            "back": self.back,
            "draft": self.draft,
            "name": self.form.table_name,
        }
        return links.to_hand(self.parameters, {k: v for k, v in extra.items() if v})


@require_safe
def hand_page(request: HttpRequest) -> HttpResponse:
    """The calculator."""
    state = State(HandForm.read(request.GET))
    if state.turned():
        return HttpResponseRedirect(state.address())
    if state.form.newer:
        state.note = Note("newer")
    if request.GET and not state.bad:
        extra = {"arm", "say", "back", "draft", "name"} & set(request.GET)
        given = {n: v for n, v in request.GET.items() if n not in extra}
        many = any(len(values) > 1 for _, values in request.GET.lists())
        if many or list(given.items()) != list(state.parameters.items()):
            return HttpResponseRedirect(state.address())
    return render(request, "hand/hand.html", page_context(request, state))


@require_safe
def hand_result(request: HttpRequest) -> HttpResponse:
    """The fragment that htmx swaps in."""
    state = State(HandForm.read(request.GET))
    return render(
        request, "hand/_result.html", {**result_context(request, state), "fragment": True}
    )


@require_safe
def hand_state(request: HttpRequest) -> HttpResponse:
    """For the page's script: the canonical state after a text or an action, and what to say."""
    state = State(HandForm.read(request.GET))
    state.turned()
    dropped = state.note.args if state.note else {}
    note = _read_note(_write_note(state.note)) if state.note else None
    return JsonResponse(
        {
            "query": write_query(state.parameters),
            "readable": "hand" not in state.bad and not state.draft,
            "problems": [p["message"] for p in texts.listed(state.draft_errors)],
            "marked": _marked(state.draft, state.draft_errors),
            "say": _words(note),
            "dropped": dropped.get("options", ""),
        }
    )


@require_safe
def qr(request: HttpRequest) -> HttpResponse:
    """The address of a hand as a QR code."""
    state = State(HandForm.read(request.GET))
    name = {"name": state.form.table_name} if state.form.table_name else None
    return picture(request.build_absolute_uri(links.to_hand(state.parameters, name)), error="m")


def _slot(error: Json) -> str:
    """Where on the page a problem is told: next to what caused it."""
    field = error.get("field", "")
    if error["code"] in ("unknown_ruleset", "unknown_option", "bad_option") or field == "options":
        return "rules"
    if field == "seen":
        return "seen"
    if error["code"] == "impossible_win" or field in (
        "by",
        "after_kong",
        "kong_discard",
        "last_tile",
        "last_copy",
        "blessing",
        "void",
    ):
        return "win"
    return "text" if error["code"] == "bad_notation" else "hand"


def _marked(text: str, errors: list[Json]) -> list[Json]:
    """The text as written with its offending parts marked."""
    found = [e for e in errors if e["code"] == "bad_notation" and e.get("field") == "hand"]
    parts: list[Json] = []
    at = 0
    for error in sorted(found, key=lambda e: e["at"]):
        start, end = error["at"], error["at"] + len(error["text"])
        if start < at or end > len(text):
            continue
        parts += [{"text": text[at:start]}, {"text": text[start:end], "bad": True}]
        at = end
    return [*parts, {"text": text[at:]}] if parts else []


def result_context(request: HttpRequest, state: State) -> Json:
    """What the result fragment shows of a state."""
    asked = state.parameters
    answer = score(hand_request(asked))
    if told := state.form.too_long:
        answer = {"status": "error", "errors": [*answer.get("errors", []), *told]}
    if state.back and answer.get("payments"):
        # Who has won already pays no more.
        payers = {"each_other": payers_of(state.back)}
        answer["payments"] = [
            {**p, "players": payers.get(p["who"], p["players"])} for p in answer["payments"]
        ]
    table = state.table
    empty = state.is_empty
    joker = table.play.joker
    jokers = 0 if joker is None else table.tiles.count(joker)
    void_held = void_tiles(state.page.hand, state.page.void, state.rules)
    shown = present(
        answer,
        state.rules,
        empty=empty,
        jokers=jokers,
        void_held=void_held,
        rulings=rulings_beside(state.page, rulings(hand_request(asked)), answer, state.back),
    )
    problems: dict[str, list[Json]] = {}
    for problem in shown.get("problems", ()):
        problems.setdefault(_slot(problem), []).append(problem)
    if state.draft:
        problems["text"] = state.draft_errors
    problems = {slot: texts.listed(found) for slot, found in problems.items()}
    parameters = state.parameters
    path = links.to_hand(parameters)
    return {
        "shown": shown,
        "problems": problems,
        "marked": _marked(state.draft, state.draft_errors)
        if state.draft
        else _marked(asked.get("hand", ""), answer.get("errors", [])),
        "rules": state.rules,
        "badge": badge.badge(state.rules),
        "sprite": static("tiles.svg"),
        "home": reverse("hand"),
        "link": request.build_absolute_uri(path),
        "qr": f"{reverse('qr')}?{write_query(parameters)}",
        "why_link": f"{reverse('compare')}?{write_query(parameters)}",
        "as_text": "" if empty else as_text(request.build_absolute_uri(path), state, shown),
        "report": report(request.build_absolute_uri(path), answer),
        "picture": f"{reverse('preview')}?{write_query(parameters)}",
        "examples": examples.to_try(state.rules) if empty else (),
        "round_link": state.round_link(),
        "cancel_link": state.cancel_link(),
        "back": state.back,
    }


def as_text(link: str, state: State, shown: Json) -> str:
    """Hand, rules, breakdown and payments as plain text, to be pasted anywhere."""
    hand = format_hand(state.page.hand) or state.raw
    if state.page.hand != Hand() and (get_language() or "").startswith("zh"):
        said = hand_in_words(state.page.hand, won=shown["status"] == "win")
        hand = gettext("%(tiles)s（%(notation)s）") % {"tiles": said, "notation": hand}
    lines = [hand, badge.badge(state.rules), conditions(state.page)]
    value = shown.get("value")
    lines.append(f"{shown['headline']} = {value}" if value else shown["headline"])
    lines += [f"  {line['name']} {line['worth']}" for line in shown.get("lines", ())]
    if shown["status"] == "ready":
        lines += [
            f"  {w['name']} {w['left_text']} {w['terms_text']} {w['value']}" for w in shown["waits"]
        ]
    if shown.get("sub"):
        lines.append(shown["sub"])
    for ruling in shown.get("told", ()):
        lines += [ruling["text"], f"{ruling['other']} {ruling['effect']}"]
    if value:
        lines += not_stated(shown["unsaid"])
    return "\n".join([*lines, link])


def report(link: str, answer: Json) -> str:
    """What helps whoever looks into a result: address, version, numbers. Ids, in no language."""
    numbers = [
        f"{name} {answer[name]}"
        for name in ("fan", "uncapped_fan", "multiple", "points", "shanten", "missing")
        if name in answer
    ]
    version = f"{gettext('算番')} {build.version()} {build.mark()}"
    lines = [link, version, ", ".join([answer["status"], *numbers])]
    lines += [f"{t['id']}: fan {t['fan']}, count {t['count']}" for t in answer.get("terms", ())]
    lines += [
        f"{w['tile']}: left {w['left']}, fan {w['fan']}, multiple {w['multiple']}"
        for w in answer.get("waits", ())
    ]
    if answer.get("assumed"):
        lines.append(f"assumed {', '.join(answer['assumed'])}")
    lines += [error["code"] for error in answer.get("errors", ())]
    return "\n".join(lines)


def _tile(name: str, joker: str | None, *, bad: bool = False, last: str = "") -> Json:
    """A tile of the strip; ``last`` says what else the one apart is called."""
    wild = name == joker
    label = gettext(texts.WILD) % {"tile": texts.tile(name)} if wild else texts.tile(name)
    if last:
        label = gettext(last) % {"tile": label}
    return {"id": name, "label": label, "bad": bad, "wild": _wild() if wild else ""}


def _key(table: Table, name: str, joker: str | None) -> Json:
    """A key of the picker."""
    left = table.left(TILE_OF_NAME[name])
    return {
        "tile": name,
        "left": left,
        "label": texts.tile_left(name, left, wild=name == joker),
        "wild": _wild() if name == joker else "",
        "why": why_not(table, f"tile:{name}") is not None,
    }


def _wild() -> str:
    """The mark of a joker (任用) in the corner of its tile."""
    return pgettext("牌角", "任")


def _meld(table: Table, index: int, meld: Meld) -> Json:
    tile = TILE_NAMES[meld.tile]
    name = texts.word(texts.MELDS, meld.kind)
    choices = [
        {
            "id": kind,
            "name": texts.word(texts.MELDS, kind),
            "on": kind == meld.kind,
            "why": kind != meld.kind and why_not(table, f"meld:{index}:{kind}"),
        }
        for kind in MELD_KINDS
    ]
    joker = table.play.joker
    if joker is not None:
        called = texts.joker(TILE_NAMES[joker])
        choices += [
            {
                "id": f"jokers:{n}",
                "name": gettext("%(joker)s%(n)s张") % {"joker": called, "n": n},
                "on": n == meld.jokers,
                "why": n != meld.jokers and why_not(table, f"meld:{index}:jokers:{n}"),
            }
            for n in range(4)
        ]
    choices.append({"id": "remove", "name": gettext("拿掉"), "on": False, "why": None})
    return {
        "index": index,
        "kind": meld.kind,
        "tile": tile,
        "name": name,
        "faces": meld_faces(meld),
        "label": gettext("%(meld)s %(tile)s") % {"meld": name, "tile": texts.tile(tile)},
        "choices": choices,
    }


@lru_cache(maxsize=64)
def early_strip(rules: Rules, _language: str, house: str) -> str:
    """What tables change most, before the sheet has come; it depends on the rules alone."""
    return render_to_string("house/_strip.html", {"strip": strips.often(rules), "early": house})


@lru_cache(maxsize=8)
def script_words(language: str) -> str:
    """The words that the page's script needs, as JSON; one set for each language."""
    return dumps(
        {
            "notes": {code: gettext(text) for code, text in NOTES.items()},
            "tiles": {tile: texts.tile(tile) for tile in TILE_NAMES},
            "melds": {kind: texts.word(texts.MELDS, kind) for kind in MELD_KINDS},
            "ways": {way: texts.word(texts.WAYS, way) for way in WAYS},
            "terms": {key: texts.term(term) for key, term in CIRCUMSTANCES.items()},
            "join": gettext("、"),
            "left": [gettext(text) for text in texts.TILES_LEFT],
            "win": gettext(WON),
            "last": gettext(LAST),
            "wild": gettext(texts.WILD),
            "mark": _wild(),
            "meld": gettext("%(meld)s %(tile)s"),
            "count": gettext("手牌%(n)s张，共%(full)s张"),
            "unsee": gettext("收回%(tile)s"),
            "copied": gettext("已复制"),
            "no_copy": gettext("复制不了：请长按选中"),
            "digits": gettext("%(digits)s… 再按 m 万 p 筒 s 条"),
            "undone": gettext("已撤销"),
            "redone": gettext("已重做"),
            "nothing_more": gettext("没有可撤销的了"),
            "not_asked": gettext("网络不通：这手牌还没有算过，连上后自动算。"),
            "too_long": gettext(texts.WHY["bad_notation", "too_long"]),
            "address_too_long": gettext(errors.SENTENCES[414][1]),
            "max_query": settings.MAX_QUERY,
            "jokers": {joker: texts.joker(joker) for joker in texts.JOKERS},
            "joker_count": gettext("%(joker)s%(n)s张"),
            "systems": {r: _play(rule_systems.load(r)) for r in rule_systems.ids()},
        }
    )


def _play(rules: Rules) -> Json:
    """What decides what a tap may do under a system, by its option; the usual left out."""
    term = rules.fan_of("jue_zhang")
    said = {
        "joker": rules.joker,
        "suits": rules.suits,
        "sets": rules.sets,
        "di_hu_by": rules.di_hu_by,
        "kong_discard_robbed": rules.kong_discard_robbed,
        "fans.jue_zhang": term,
    }
    usual = Rules("", "", "", "", "max", 0)
    return {path: write_value(v) for path, v in said.items() if v != getattr(usual, path, None)}


def page_context(request: HttpRequest, state: State) -> Json:
    """Everything on the calculator page."""
    table, page = state.table, state.page
    context = result_context(request, state)
    bad_tiles = {
        p["tile"] for found in context["problems"].values() for p in found if p.get("tile")
    }
    bad_tiles |= set(context["shown"]["bad_tiles"])
    ordered = [TILE_NAMES[t] for t in table.tiles]
    win = ordered.pop() if table.is_full or table.named else None
    ordered.sort(key=TILE_OF_NAME.__getitem__)
    on = chosen(table)
    joker, won = state.rules.joker_name, context["shown"]["status"] == "win"
    suits = []
    for letter in SUITS:
        named = _button(letter, texts.SUITS[letter])
        suits.append(
            {
                **named,
                "void": table.void == letter,
                "void_name": gettext("定缺%(suit)s") % {"suit": named["name"]},
                "hidden": letter == table.void or letter not in table.suits_open,
                "keys": [_key(table, f"{rank}{letter}", joker) for rank in range(1, 10)],
            }
        )
    return {
        **context,
        "section": "hand",
        "own_query": write_query(state.parameters),
        "words": script_words(language := get_language() or ""),
        "saved_words": scripts.rules_words(language),
        "table_name": state.form.table_name,
        "table": table,
        "parameters": list(state.parameters.items()),
        "melds": [_meld(table, i, m) for i, m in enumerate(table.melds)],
        "tiles": [_tile(t, joker, bad=t in bad_tiles) for t in ordered],
        "win": _tile(win, joker, bad=win in bad_tiles, last=WON if won else LAST) if win else None,
        "has_won": won,
        "seal": gettext("胡"),
        "ghosts": range(max(0, table.full_count - len(table.tiles))),
        "blank": {"id": "1m", "label": "", "wild": ""},
        "blank_meld": {**_meld(table, 0, Meld("pung", 0)), "faces": []},
        "count_text": gettext("手牌%(n)s张，共%(full)s张")
        % {"n": len(table.tiles), "full": table.full_count},
        "text": state.draft or state.raw or format_hand(page.hand),
        "longest": MAX_PASTED,
        "draft": state.draft,
        "wanted": wanted(state.back, state.rules.size.full),
        "seen": [
            {
                "id": TILE_NAMES[t],
                "label": gettext("收回%(tile)s") % {"tile": texts.tile(TILE_NAMES[t])},
            }
            for t in table.seen
        ],
        "ways": [{**_button(w, texts.WAYS[w]), "on": table.by == w} for w in WAYS],
        "suits": suits,
        "two": sum(not suit["hidden"] for suit in suits) == 2,
        "no_voids": table.play.suits < len(SUITS) and not table.void,
        "dragon": _key(table, RED_DRAGON, RED_DRAGON) if joker == RED_DRAGON else None,
        "chips": [
            {
                **_button(key, TERMS[term].name),
                "on": key in on,
                "why": key not in on and why_not(table, key),
                "hidden": key == "last_copy" and not (table.play.last_copy or key in on),
            }
            for key, term in CIRCUMSTANCES.items()
        ],
        "ask": table.arm == ASK,
        "kongs": [
            {
                "id": kind,
                "name": texts.word(texts.MELDS, kind),
                "on": table.after == kind,
                "there": kind in table.kong_kinds,
            }
            for kind in KONGS
        ],
        "verbs": [
            {
                **_button(kind, texts.MELDS[kind]),
                "on": table.arm == kind,
                "why": why_not(table, f"arm:{kind}"),
            }
            for kind in MELD_KINDS
        ],
        "back_why": why_not(table, "back"),
        "clear_why": why_not(table, "clear"),
        "note": "" if table.arm == ASK else _words(state.note or _standing(table)),
        "strip": early_strip(state.rules, language, reverse("house")),
        "presets": badge.presets(page.rules, page.opt),
        "house_link": f"{reverse('house')}?{write_query(state.parameters)}",
    }


def wanted(back: str, full: int) -> Json | None:
    """Whose hand a round asks for, and for what: a win, or the end of the wall."""
    name, won = hand_wanted(back) if back else ("", True)
    if not name:
        return None
    line = (
        gettext("%(name)s胡的牌：连胡的那张一共 %(n)s 张，一副杠算三张。")
        if won
        else gettext("流局时%(name)s手里的牌：一共 %(n)s 张，一副杠算三张；看有没有叫。")
    )
    return {"line": line % {"name": name, "n": full if won else full - 1}, "won": won}


def _button(key: str, name: str) -> Json:
    """What a button does, and what stands on it: less than the whole name, for want of room."""
    whole = gettext(name)
    return {"id": key, "name": whole, "short": _short(get_language()).get(key, whole)}


@lru_cache(maxsize=8)
def _short(_language: str | None) -> dict[str, str]:
    """What is said shorter on a button; in Chinese the names are short already."""
    return {
        "discard": pgettext("按键", "点炮"),
        "rob_kong": pgettext("按键", "抢杠"),
        "exposed_kong": pgettext("按键", "直杠"),
        "added_kong": pgettext("按键", "补杠"),
        "concealed_kong": pgettext("按键", "暗杠"),
        "tian_hu": pgettext("按键", "天胡"),
        "di_hu": pgettext("按键", "地胡"),
        "s": pgettext("按键", "条"),
    }


def _standing(table: Table) -> Note | None:
    """What the table waits for, said as long as it waits."""
    if table.arm in MELD_KINDS:
        return Note("pick_tile", {"verb": table.arm})
    return Note("pick_seen") if table.arm == SEEN else None
