"""Addresses of a round: the whole state of ``/settle/`` in its query string, both ways.

| parameter | values                                                       | left out when     |
|-----------|--------------------------------------------------------------|-------------------|
| ``rules`` | a rule system's id                                           | never             |
| ``opt``   | house rules, as on the page of one hand                      | none              |
| ``d``     | the dealer's seat, ``0`` to ``3``                            | ``0``             |
| ``n``     | the names of the seats with commas between                   | nobody is named   |
| ``e``     | the events in order, with ``.`` between                      | none              |
| ``a``     | the entry being made: one event, perhaps with holes          | none              |
| ``at``    | which event the entry replaces                               | it is a new one   |

An event is one letter and what it needs, in this order; ``S`` is a seat, ``F`` a number of 番:

    kS…    杠: then a (补杠), c (暗杠) or eS (直杠 and its giver); a tile; l late, r robbed
    wdS    点炮 by S; k 杠上炮; l last tile; u last copy (绝张); then the winners
    ws     自摸; ke, ka, kc 杠上花 after that kong; l, u; then the winner
    wrS    抢杠 from S; k 杠上炮 of the kong before; l, u; then the winners
    xS     逃跑; l among the last four tiles; then ``,SM``: the best multiple of a seat
    fS     诈和 by S
    pST    约定付款 from S to T; then ``,A``: the amount, ``_`` for its decimal point; then ``,``
           and the note, if there is one, in which ``~d``, ``~c`` and ``~~`` are ``.``, ``,``, ``~``
    n      流局; then ``,S`` and p (花猪), n (没叫), rF (下叫) or h and a hand; ``_w``
           waived, ``_p`` passive

Winners are ``,SF`` by 番 or ``,Sh`` and a hand in notation. After a hand may stand ``_v`` and the
void suit, ``_b`` with t or d (天胡, 地胡), ``_x`` and the horses, ``_s`` and what lies open
elsewhere at the wall's end. A hole is ``-`` for a seat, and nothing for a number or a hand.

Twelve events by 番 take about 120 characters. One state has one address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from ..hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    DISCARD,
    EARTHLY,
    EXPOSED_KONG,
    HEAVENLY,
    ROB_KONG,
    SELF_DRAW,
)
from ..notation import NotationError, format_hand, parse
from ..rules import OptionErrors, Rules, UnknownRuleset, load, number
from ..settle import ESCAPE, FALSE_WIN, FLOWER_PIG, NOT_READY, READY
from ..words import plain
from .hand import DEFAULT_RULES, canonical, read_options, rules_of, write_options, write_query

Event = dict[str, Any]

ROUND_PARAMETERS: tuple[str, ...] = ("rules", "opt", "d", "n", "e", "a", "at")

#: A name longer than this is cut: it has to fit a quarter of a narrow screen.
MAX_NAME = 12
#: Where an address gets longer than this, a file is offered instead.
MAX_ADDRESS = 2000
#: More text than this is no round.
MAX_EVENTS_TEXT = 8000
#: No round has more events: for each win or kong one of the 55 tiles of the wall is drawn (59 with
#: 红中), a few robbed kongs are an event of their own, and the wall runs out.
MAX_ROUND_EVENTS = 64

_KONGS = {"e": EXPOSED_KONG, "a": ADDED_KONG, "c": CONCEALED_KONG}
_KONG_LETTERS = {kind: letter for letter, kind in _KONGS.items()}
_WAYS = {"d": DISCARD, "s": SELF_DRAW, "r": ROB_KONG}
_WAY_LETTERS = {way: letter for letter, way in _WAYS.items()}
_STATES = {"p": FLOWER_PIG, "n": NOT_READY, "r": READY}
_STATE_LETTERS = {state: letter for letter, state in _STATES.items()}
_BLESSINGS = {"t": HEAVENLY, "d": EARTHLY}
_BLESSING_LETTERS = {blessing: letter for letter, blessing in _BLESSINGS.items()}

_SEAT = r"[0-3-]"
_KONG = re.compile(rf"k({_SEAT})(?:(a|c)|e({_SEAT}))([1-9][mps])?(l)?(r)?")
_WIN = re.compile(rf"w(?:(d|r)({_SEAT})|(s))(?:k([eac]?))?(l)?(u)?((?:,.*)?)")
_ESCAPE = re.compile(rf"x({_SEAT})(l)?((?:,[0-3][0-9]{{1,31}})*)")
_DRAW = re.compile(r"n((?:,.*)?)")
_FALSE_WIN = re.compile(rf"f({_SEAT})")
_PAYMENT = re.compile(
    rf"p({_SEAT})({_SEAT}),([0-9]{{0,7}})(?:_([0-9]{{1,2}}))?(?:,((?:[^~,]|~[dc~])*))?"
)
#: What the note of a payment cannot hold as it is.
_NOTE_MARKS = {"~": "~~", ".": "~d", ",": "~c"}
_NOTE_MARK = {mark: char for char, mark in _NOTE_MARKS.items()}
_WINNER = re.compile(rf"({_SEAT})(?:([0-9]{{0,2}})|h([^_]*)((?:_.*)?))")
_TILES = r"(?:[1-9]+[mpsz])+"
_STANDING = re.compile(
    rf"([0-3])(?:(p)|(n)|r([0-9]{{0,2}})|h([^_]*)(?:_v([mps]))?(?:_s({_TILES}))?)(_w)?(_p)?"
)


class UnreadableEvent(ValueError):
    """A piece of an address that is no event; ``text`` is that piece."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def _seat(text: str | None) -> int | None:
    return None if text in (None, "", "-") else int(str(text))


def _seat_text(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def read_event(text: str) -> Event:
    """One event of an address as the contract has it; holes are None.

    Raises :class:`UnreadableEvent`.

    >>> read_event("k2e0")
    {'type': 'kong', 'seat': 2, 'kind': 'exposed_kong', 'from': 0}
    >>> read_event("wd0,23")
    {'type': 'win', 'by': 'discard', 'from': 0, 'winners': [{'seat': 2, 'fan': 3}]}
    """
    for pattern, reader in _READERS:
        if found := pattern.fullmatch(text):
            return reader(text, found)
    raise UnreadableEvent(text)


def _read_kong(text: str, found: re.Match[str]) -> Event:
    seat, own, giver, tile, late, robbed = found.groups()
    event: Event = {"type": "kong", "seat": _seat(seat), "kind": _KONGS[own or "e"]}
    if own is None:
        event["from"] = _seat(giver)
    if tile:
        event["tile"] = tile
    if (late or robbed) and own != "a":
        raise UnreadableEvent(text)
    return event | ({"late": True} if late else {}) | ({"robbed": True} if robbed else {})


def _read_escape(text: str, found: re.Match[str]) -> Event:
    seat, last, best = found.groups()
    event: Event = {"type": "escape", "seat": _seat(seat)}
    if last:
        event["last_four"] = True
    if best:
        event["best"] = {part[0]: int(part[1:]) for part in best[1:].split(",")}
    return event


def _read_false_win(text: str, found: re.Match[str]) -> Event:
    return {"type": "false_win", "seat": _seat(found[1])}


def _read_draw(text: str, found: re.Match[str]) -> Event:
    parts = filter(None, found[1].split(","))
    return {"type": "draw", "hands": dict(_read_standing(text, part) for part in parts)}


def _read_win(text: str, found: re.Match[str]) -> Event:
    way, giver, own, after, last, copy, winners = found.groups()
    event: Event = {"type": "win", "by": _WAYS[way or own]}
    if way:
        event["from"] = _seat(giver)
    if after is not None:  # a bare k after a discard, k and the kind of kong after a self-draw
        if after != "" and way is None:
            event["after_kong"] = _KONGS[after]
        elif after == "" and way:
            event["kong_discard"] = True
        else:
            raise UnreadableEvent(text)
    if last:
        event["last_tile"] = True
    if copy:
        event["last_copy"] = True
    event["winners"] = [_read_winner(text, part) for part in winners[1:].split(",") if winners]
    return event


def _read_payment(text: str, found: re.Match[str]) -> Event:
    source, target, whole, part, note = found.groups()
    amount = f"{whole}.{part or 0}"
    event: Event = {"type": "payment", "from": _seat(source), "to": _seat(target)}
    event["amount"] = number(int(Decimal(amount) * 100)) if whole else None
    if note:
        event["note"] = re.sub("~[dc~]", lambda mark: _NOTE_MARK[mark[0]], note)
    return event


def _hand_text(text: str, written: str) -> str:
    """A hand of an address in canonical notation; what cannot be read is the engine's to tell."""
    try:
        return format_hand(canonical(parse(written)))
    except NotationError:
        if any(c in written for c in ".,_"):
            raise UnreadableEvent(text) from None
        return written


def _read_winner(text: str, part: str) -> Event:
    found = _WINNER.fullmatch(part)
    if found is None:
        raise UnreadableEvent(text)
    seat, fan, hand, more = found.groups()
    winner: Event = {"seat": _seat(seat)}
    if hand is None:
        winner["fan"] = int(fan) if fan else None
        return winner
    winner["hand"] = _hand_text(text, hand)
    for extra in filter(None, more.split("_")):
        letter, value = extra[0], extra[1:]
        if letter == "v" and value in ("m", "p", "s"):
            winner["void"] = value
        elif letter == "b" and value in _BLESSINGS:
            winner["blessing"] = _BLESSINGS[value]
        elif letter == "x" and re.fullmatch(_TILES, value):
            winner["horses"] = value
        else:
            raise UnreadableEvent(text)
    return winner


def _read_standing(text: str, part: str) -> tuple[str, Event]:
    found = _STANDING.fullmatch(part)
    if found is None:
        raise UnreadableEvent(text)
    seat, pig, not_ready, fan, hand, void, seen, waived, passive = found.groups()
    standing: Event
    if hand is not None:
        standing = {"hand": _hand_text(text, hand)}
        if void:
            standing["void"] = void
        if seen:
            standing["seen"] = seen
    else:
        standing = {"state": _STATES[pig or not_ready or "r"]}
        if fan is not None:
            standing["fan"] = int(fan) if fan else None
    for name, on in (("waived", waived), ("passive", passive)):
        if on:
            standing[name] = True
    return seat, standing


_READERS: tuple[tuple[re.Pattern[str], Callable[[str, re.Match[str]], Event]], ...] = (
    (_KONG, _read_kong),
    (_WIN, _read_win),
    (_ESCAPE, _read_escape),
    (_FALSE_WIN, _read_false_win),
    (_PAYMENT, _read_payment),
    (_DRAW, _read_draw),
)


def write_event(event: Mapping[str, Any]) -> str:
    """An event as an address has it, the inverse of :func:`read_event`.

    >>> write_event({"type": "kong", "seat": 1, "kind": "added_kong", "robbed": True})
    'k1ar'
    """
    return _WRITERS[event["type"]](event)


def _write_kong(event: Mapping[str, Any]) -> str:
    text = f"k{_seat_text(event.get('seat'))}{_KONG_LETTERS[event['kind']]}"
    if event["kind"] == EXPOSED_KONG:
        text += _seat_text(event.get("from"))
    text += event.get("tile") or ""
    return text + "l" * bool(event.get("late")) + "r" * bool(event.get("robbed"))


def _write_win(event: Mapping[str, Any]) -> str:
    text = f"w{_WAY_LETTERS[event['by']]}"
    if event["by"] != SELF_DRAW:
        text += _seat_text(event.get("from")) + "k" * bool(event.get("kong_discard"))
    elif event.get("after_kong"):
        text += f"k{_KONG_LETTERS[event['after_kong']]}"
    text += "l" * bool(event.get("last_tile")) + "u" * bool(event.get("last_copy"))
    return text + "".join("," + _write_winner(w) for w in event.get("winners", ()))


def _write_escape(event: Mapping[str, Any]) -> str:
    text = f"x{_seat_text(event.get('seat'))}" + "l" * bool(event.get("last_four"))
    best = event.get("best") or {}
    return text + "".join(f",{seat}{best[seat]}" for seat in sorted(best))


def _write_false_win(event: Mapping[str, Any]) -> str:
    return f"f{_seat_text(event.get('seat'))}"


def _write_draw(event: Mapping[str, Any]) -> str:
    hands = event["hands"]
    return "n" + "".join(f",{seat}{_write_standing(hands[seat])}" for seat in sorted(hands))


def _write_payment(event: Mapping[str, Any]) -> str:
    text = f"p{_seat_text(event.get('from'))}{_seat_text(event.get('to'))},"
    if event.get("amount") is not None:
        text += str(event["amount"]).replace(".", "_")
    note = str(event.get("note") or "")
    written = "".join(_NOTE_MARKS.get(char, char) for char in note)
    return text + ("," + written if written else "")


def _write_winner(winner: Mapping[str, Any]) -> str:
    text = _seat_text(winner.get("seat"))
    if winner.get("hand") is None:
        fan = winner.get("fan")
        return text + ("" if fan is None else str(fan))
    text += f"h{winner['hand']}"
    if winner.get("void"):
        text += f"_v{winner['void']}"
    if winner.get("blessing"):
        text += f"_b{_BLESSING_LETTERS[winner['blessing']]}"
    return text + (f"_x{winner['horses']}" if winner.get("horses") else "")


def _write_standing(standing: Mapping[str, Any]) -> str:
    if standing.get("hand") is not None:
        text = f"h{standing['hand']}"
        if standing.get("void"):
            text += f"_v{standing['void']}"
        if standing.get("seen"):
            text += f"_s{standing['seen']}"
    else:
        text = _STATE_LETTERS[standing["state"]]
        if standing["state"] == READY and standing.get("fan") is not None:
            text += str(standing["fan"])
    return text + "_w" * bool(standing.get("waived")) + "_p" * bool(standing.get("passive"))


_WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "kong": _write_kong,
    "win": _write_win,
    "escape": _write_escape,
    "false_win": _write_false_win,
    "payment": _write_payment,
    "draw": _write_draw,
}


@dataclass(frozen=True)
class RoundPage:
    """The state of the page of a round. ``opt`` is canonical; events are the contract's.

    ``entry`` is the event being made, ``at`` the one that it replaces.

    >>> RoundPage(events=(read_event("ws,03"),)).query
    'rules=chengdu&e=ws,03'
    """

    rules: str = DEFAULT_RULES
    opt: str = ""
    dealer: int = 0
    names: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    entry: Event | None = None
    at: int | None = None

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The seats there are."""
        return tuple(range(self._rules.players))

    @cached_property
    def _rules(self) -> Rules:
        return rules_of(self)

    @property
    def position(self) -> int:
        """Where the entry stands, or would stand, among the events."""
        return len(self.events) if self.at is None else self.at

    @property
    def earlier(self) -> tuple[Event, ...]:
        """The events before the entry."""
        return self.events[: self.position]

    @property
    def has_won(self) -> set[int]:
        """Seats that have won where the entry stands."""
        wins = [event for event in self.earlier if event["type"] == "win"]
        return {winner["seat"] for win in wins for winner in win["winners"]}

    @property
    def out_of_play(self) -> set[int]:
        """Seats that no longer play where the entry stands.

        Who left or claimed a false win, and but in 血流 who has won.
        """
        left = {e["seat"] for e in self.earlier if e["type"] in (ESCAPE, FALSE_WIN)}
        return left if self._rules.blood_flow else left | self.has_won

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The address's parameters, defaults left out, in order."""
        every = {
            "rules": self.rules,
            "opt": self.opt,
            "d": str(self.dealer) if self.dealer else "",
            "n": ",".join(self.names[: len(self.seats)]),
            "e": ".".join(write_event(e) for e in self.events),
            "a": "" if self.entry is None else write_event(self.entry),
            "at": "" if self.entry is None or self.at is None else str(self.at),
        }
        return {name: every[name] for name in ROUND_PARAMETERS if every[name]}

    @property
    def query(self) -> str:
        """The query string, without the question mark."""
        return write_query(self.parameters)

    @property
    def settled(self) -> RoundPage:
        """The same round without the entry being made: what a link carries."""
        return replace(self, entry=None, at=None)

    @property
    def request(self) -> dict[str, Any]:
        """The round as a request to ``settle``."""
        request: dict[str, Any] = {"ruleset": self.rules}
        if self.opt:
            request["options"] = read_options(self.opt)
        if self.names:
            request["players"] = list(self.names[: len(self.seats)])
        return {**request, "dealer": self.dealer, "events": list(self.events)}


def clean_name(name: str) -> str:
    """A name as an address can hold it: no comma, no control character, not too long.

    >>> clean_name(" 小,王 ")
    '小王'
    """
    kept = "".join(c for c in plain(name) if c not in ",，")
    return " ".join(kept.split())[:MAX_NAME].strip()


def read_names(written: Sequence[str]) -> tuple[str, ...]:
    """The four names, or none at all where nobody is named."""
    names = tuple(clean_name(name) for name in [*written, "", "", "", ""][:4])
    return names if any(names) else ()


def read_round(parameters: Mapping[str, str]) -> tuple[RoundPage, tuple[str, ...]]:
    """The state that an address stands for, and the names of the parameters it cannot mean.

    Those have their default in the state; of the events, those before the unreadable one stand, and
    no more than any round has.

    >>> read_round({"rules": "laok", "e": "ws,03.wq"})[1]
    ('e',)
    """
    bad: list[str] = []
    try:
        rules = load(parameters.get("rules") or DEFAULT_RULES)
    except UnknownRuleset:
        bad.append("rules")
        rules = load(DEFAULT_RULES)
    try:
        table = rules.override(read_options(parameters.get("opt", "")))
    except OptionErrors:
        bad.append("opt")
        table = rules
    dealer = parameters.get("d") or "0"
    if dealer not in map(str, range(table.players)):
        bad.append("d")
        dealer = "0"
    events: list[Event] = []
    try:
        for text in filter(None, parameters.get("e", "")[:MAX_EVENTS_TEXT].split(".")):
            event = read_event(text)
            if not complete(event) or len(events) == MAX_ROUND_EVENTS:
                raise UnreadableEvent(text)
            events.append(event)
    except UnreadableEvent:
        bad.append("e")
    entry: Event | None = None
    try:
        entry = read_event(parameters["a"]) if parameters.get("a") else None
    except UnreadableEvent:
        bad.append("a")
    at: int | None = None
    if entry is not None and parameters.get("at"):
        if re.fullmatch(r"[0-9]{1,3}", parameters["at"]) and int(parameters["at"]) < len(events):
            at = int(parameters["at"])
        else:
            bad.append("at")
    names = read_names(parameters["n"].split(",")) if parameters.get("n") else ()
    page = RoundPage(rules.id, write_options(table), int(dealer), names, tuple(events), entry, at)
    return page, tuple(bad)


def holes(event: Mapping[str, Any]) -> tuple[str, ...]:
    """What an entry still needs: ``seat``, ``from``, ``to``, ``amount``, ``winners`` and so on.

    >>> holes(read_event("wd-,2"))
    ('from', 'fan')
    """
    found: list[str] = []
    kind = event["type"]
    if kind in ("kong", "escape", "false_win") and event.get("seat") is None:
        found.append("seat")
    if kind == "win" and not event["winners"]:
        found.append("winners")
    if kind == "win" and any(w.get("seat") is None for w in event["winners"]):
        found.append("winners")
    found += [key for key in ("from", "to", "amount") if key in event and event[key] is None]
    given: list[Mapping[str, Any]] = []
    if kind == "win":
        given = list(event["winners"])
    elif kind == "draw":
        given = [s for s in event["hands"].values() if s.get("state", READY) == READY]
    if any(g.get("hand") is None and g.get("fan") is None for g in given):
        found.append("fan")
    if any(g.get("hand") == "" for g in given):
        found.append("hand")
    return tuple(dict.fromkeys(found))


def complete(event: Mapping[str, Any]) -> bool:
    """Whether an event has no holes."""
    return not holes(event)
