"""One round as JSON (一局的 JSON): the request of ``settle`` in, its response out.

Every event is read when its turn comes, so that the first bad one stops the replay and the answer
still tells what stood before it; the events after it are only read.  Hands are valued by the same
analysis that values single hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ..analyse import (
    NotWonResult,
    Query,
    ReadyResult,
    Result,
    WinResult,
    analyse,
    assumed_of,
    counts_as_drawn,
    flower_pig,
    impossible,
)
from ..hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KONGS,
    ROB_KONG,
    SELF_DRAW,
    WAYS,
    suits_shown,
)
from ..notation import NotationError, parse_tile
from ..rules import MAX_FAN, MONEY, TOO_LARGE_FOR_FLOAT, Rules, exact, money, number, whole
from ..settle import (
    DIFFERENCE,
    ESCAPE,
    FALSE_WIN,
    FLOWER_PIG,
    KONG_TRANSFER,
    KONG_UNDO,
    NOT_READY,
    READY,
    REASONS,
    REFUND,
    WIN,
    Agreed,
    Draw,
    Error,
    Escape,
    Event,
    FalseWin,
    Kong,
    Payment,
    Replay,
    SeatResult,
    Settlement,
    Standing,
    Transfer,
    Why,
    WinEvent,
    Winner,
)
from ..tiles import SUITS, TILE_NAMES, Tile
from ..words import shortened
from .hand import (
    Json,
    failed,
    listed,
    read_query,
    read_rules,
    unknown_fields,
    within_limits,
)

#: More events than any round can have are refused.
MAX_EVENTS = 200
MAX_NAME = 40
#: The longest note beside an agreed payment.
MAX_NOTE = 80
#: The largest multiple that an escape may name.
MAX_MULTIPLE = 1 << MAX_FAN

#: How an answer writes hundredths.
_Money = Callable[[int], int | float | Decimal]

_REQUEST_KEYS = frozenset(("ruleset", "options", "dealer", "players", "events"))
_CONDITIONS = ("after_kong", "kong_discard", "last_tile", "last_copy")
_WINNER_KEYS = ("hand", "melds", "win_tile", "void", "blessing", "horses")
_HAND_KEYS = (*_WINNER_KEYS, "seen")


class _Fields:
    """Reads the fields of one event and gathers what is wrong with them."""

    def __init__(
        self,
        raw: Any,
        where: str,
        errors: list[Error],
        event: int,
        warnings: list[Error],
        players: int,
    ) -> None:
        is_object = isinstance(raw, dict | Mapping)
        self.raw: Mapping[str, Any] = raw if is_object else {}
        self.where = where
        self.errors = errors
        self.event = event
        self.warnings = warnings
        self.players = players
        self.names: Sequence[str] = ()
        if not is_object:
            self.bad("", "object")

    def error(self, code: str, **params: Any) -> None:
        """Note an error of this event."""
        self.errors.append({"code": code, "event": self.event, **params})

    def bad(self, field: str, expected: str, **params: Any) -> None:
        """Note that a field holds something else than expected."""
        path = f"{self.where}.{field}" if field else self.where
        self.error("bad_field", field=path, expected=expected, **params)

    def known(self, *names: str) -> None:
        """Every other field gets a warning: nothing is dropped in silence."""
        self.names = names
        self.unknown(unknown_fields(self.raw, names))

    def unknown(self, notes: Sequence[Error]) -> None:
        """Warn of fields that nobody reads, by their places in this object."""
        for note in notes:
            field = f"{self.where}.{note['field']}"
            self.warnings.append({"code": note["code"], "event": self.event, "field": field})

    def inner(self, raw: Any, where: str) -> _Fields:
        """The fields of an object inside this one."""
        where = f"{self.where}.{where}"
        return _Fields(raw, where, self.errors, self.event, self.warnings, self.players)

    def seats(self) -> Iterator[tuple[int, str]]:
        """The seats that are the keys of this object, each with its key; others are noted."""
        for key in self.raw:
            if str(key) in map(str, range(self.players)):
                yield int(key), key
            else:
                self.bad(shortened(str(key)), f"0..{self.players - 1}")

    def seat(self, field: str, *, needed: bool = True) -> int | None:
        """A seat."""
        value = self.raw.get(field)
        if value is None and not needed:
            return None
        return self.whole(field, 0, self.players - 1)

    def flag(self, field: str) -> bool:
        """A truth value, false when absent."""
        value = self.raw.get(field)
        if value is not None and not isinstance(value, bool):
            self.bad(field, "true|false")
        return value is True

    def choice(self, field: str, choices: Sequence[str], *, needed: bool = True) -> str | None:
        """One of some ids."""
        value = self.raw.get(field)
        if value is None and not needed:
            return None
        if not isinstance(value, str) or value not in choices:
            self.bad(field, "|".join(choices))
            return None
        return value

    def whole(self, field: str, low: int, high: int) -> int | None:
        """A whole number in a range."""
        value = whole(self.raw.get(field), low, high)
        if value is None:
            self.bad(field, f"{low}..{high}")
        return value

    def tile(self, field: str) -> Tile | None:
        """One tile in notation, None when absent."""
        value = self.raw.get(field)
        if value is None:
            return None
        if not isinstance(value, str):
            self.bad(field, "tile")
            return None
        try:
            return parse_tile(value)
        except NotationError as error:
            for p in error.problems:
                where = f"{self.where}.{field}"
                self.error("bad_notation", text=p.text, at=p.at, why=p.why, field=where)
            return None

    def table(self, field: str) -> Mapping[str, Any]:
        """An object, empty when absent."""
        value = self.raw.get(field)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.bad(field, "object")
            return {}
        return value


class _Reader:
    """Reads the events of one request under its rules.

    One that does not value hands reads all that is written and takes each for a great one.
    """

    def __init__(
        self, rules: Rules, dealer: int, *, values: bool = True, suits: Set[int] = frozenset()
    ) -> None:
        self.rules = rules
        self.dealer = dealer
        self.values = values
        #: The suits that the hands of the round show together, as far as they have been read.
        self.suits = set(suits)
        #: How many hands it has met.
        self.hands = 0
        self.warnings: list[Error] = []
        self.assumed: list[str] = []

    def read(self, raw: Any, index: int) -> tuple[Event | None, list[Error]]:
        """One event with everything that is wrong with what is written in it.

        An event with errors stands for as much of it as could be read, None for nothing.
        """
        errors: list[Error] = []
        where = f"events[{index}]"
        fields = _Fields(raw, where, errors, index, self.warnings, self.rules.players)
        kind = None if errors else fields.choice("type", tuple(_EVENTS))
        if kind is None:
            return None, errors
        return _EVENTS[kind](self, fields), errors

    def kong(self, fields: _Fields) -> Event | None:
        """杠."""
        fields.known("type", "seat", "kind", "tile", "from", "late", "robbed")
        seat = fields.seat("seat")
        kind = fields.choice("kind", KONGS)
        giver = fields.seat("from", needed=kind == EXPOSED_KONG)
        tile = fields.tile("tile")
        late, robbed = fields.flag("late"), fields.flag("robbed")
        if kind in (ADDED_KONG, CONCEALED_KONG) and giver is not None:
            fields.bad("from", "null")
        if kind in (EXPOSED_KONG, CONCEALED_KONG):
            for name, flag in (("late", late), ("robbed", robbed)):
                if flag:
                    fields.bad(name, "false")
        if seat is None or kind is None or (giver is None and kind == EXPOSED_KONG):
            return None
        return Kong(seat, kind, tile, giver, late, robbed)

    def win(self, fields: _Fields) -> Event | None:
        """胡."""
        fields.known("type", "by", "from", "winners", *_CONDITIONS)
        by = fields.choice("by", WAYS)
        self_drawn = by == SELF_DRAW
        giver = fields.seat("from", needed=by is not None and not self_drawn)
        after_kong = fields.choice("after_kong", KONGS, needed=False)
        kong_discard, last_tile = fields.flag("kong_discard"), fields.flag("last_tile")
        last_copy = fields.flag("last_copy")
        if self_drawn and giver is not None:
            fields.bad("from", "null")
        if after_kong is not None and by is not None and not self_drawn:
            fields.bad("after_kong", "null")
            after_kong = None
        robbed_too = by == ROB_KONG and not self.rules.kong_discard_robbed
        if kong_discard and (self_drawn or robbed_too):
            fields.bad("kong_discard", "false")
            kong_discard = False
        raw_winners = fields.raw.get("winners")
        if not isinstance(raw_winners, Sequence) or isinstance(raw_winners, str):
            fields.bad("winners", "list")
            return None
        most = 1 if self_drawn else fields.players - 1
        if not 1 <= len(raw_winners) <= most:
            fields.bad("winners", f"1..{most}")
            return None
        winners: list[Winner] = []
        conditions = {
            "by": by, "after_kong": after_kong, "kong_discard": kong_discard,
            "last_tile": last_tile, "last_copy": last_copy,
        }  # fmt: skip
        for place, raw in enumerate(raw_winners):
            inner = fields.inner(raw, f"winners[{place}]")
            winner = self.winner(inner, conditions) if isinstance(raw, Mapping) else None
            if winner is not None:
                if any(w.seat == winner.seat for w in winners):
                    inner.bad("seat", "each seat once", seat=winner.seat)
                winners.append(winner)
        if by is None or not winners or (giver is None and not self_drawn):
            return None
        return WinEvent(by, tuple(winners), giver, after_kong, kong_discard, last_tile)

    def winner(self, fields: _Fields, conditions: Mapping[str, Any]) -> Winner | None:
        """One winner, by 番 or by hand."""
        fields.known("seat", "fan", *_WINNER_KEYS)
        seat = fields.seat("seat")
        if fields.raw.get("hand") is None:
            fan = fields.whole("fan", 0, MAX_FAN)
            return None if seat is None else Winner(seat, MAX_FAN if fan is None else fan)
        if fields.raw.get("fan") is not None:
            fields.bad("fan", "null beside a hand")
        if seat is None or conditions["by"] is None:
            return None
        query = self.query(fields, seat, {**conditions, "seat": seat, "dealer": self.dealer})
        if query is None:
            return Winner(seat, MAX_FAN)
        whys = impossible(query)
        for why in whys:
            fields.error("impossible_win", why=why, seat=seat)
        if query.hand.missing and not query.four_jokers:
            fields.bad("hand", "a full count", why="count", seat=seat)
            return Winner(seat, MAX_FAN)
        if self.values and not whys:
            return self._valued_winner(fields, seat, analyse(query))
        return Winner(seat, MAX_FAN, query.hand)

    def _valued_winner(self, fields: _Fields, seat: int, result: Result) -> Winner:
        if isinstance(result, WinResult):
            verdict = result.verdict
            self.assumed += result.assumed
            return Winner(
                seat,
                verdict.fan,
                result.query.hand,
                drawn=counts_as_drawn(result.query, verdict),
                four_jokers=result.query.four_jokers,
            )
        if isinstance(result, NotWonResult):
            fields.error("not_a_win", seat=seat, flower_pig=result.flower_pig)
        return Winner(seat, MAX_FAN)

    def escape(self, fields: _Fields) -> Event | None:
        """逃跑."""
        fields.known("type", "seat", "last_four", "best")
        seat = fields.seat("seat")
        last_four = fields.flag("last_four")
        best = [0] * fields.players
        inner = fields.inner(fields.table("best"), "best")
        for other, key in inner.seats():
            best[other] = inner.whole(key, 0, MAX_MULTIPLE) or 0
        return None if seat is None else Escape(seat, last_four, tuple(best))

    def false_win(self, fields: _Fields) -> Event | None:
        """诈和."""
        fields.known("type", "seat")
        seat = fields.seat("seat")
        return None if seat is None else FalseWin(seat)

    def payment(self, fields: _Fields) -> Event | None:
        """约定付款."""
        fields.known("type", "from", "to", "amount", "note")
        source, target = fields.seat("from"), fields.seat("to")
        amount = money(fields.raw.get("amount"))
        if not amount:
            fields.bad("amount", f"0.01..{MONEY.high}, two decimals")
        note = fields.raw.get("note")
        if note is not None and not (isinstance(note, str) and len(note) <= MAX_NOTE):
            fields.bad("note", f"at most {MAX_NOTE} characters")
        if source is None or target is None or not amount:
            return None
        return Agreed(source, target, int(amount * 100), note if isinstance(note, str) else "")

    def draw(self, fields: _Fields) -> Event | None:
        """流局."""
        fields.known("type", "hands")
        if not isinstance(fields.raw.get("hands"), Mapping):
            fields.bad("hands", "object")
            return None
        standings: list[Standing | None] = [None] * fields.players
        inner = fields.inner(fields.raw["hands"], "hands")
        for seat, key in inner.seats():
            if (raw := inner.raw[key]) is not None:
                each = inner.inner(raw, str(key))
                if isinstance(raw, Mapping):
                    standings[seat] = self.standing(each, seat) or Standing(READY, MAX_FAN)
        return Draw(tuple(standings))

    def standing(self, fields: _Fields, seat: int) -> Standing | None:
        """What one seat shows at the end of the wall, by hand or as the table saw it."""
        fields.known("state", "fan", "waived", "passive", "hand", "melds", "void", "seen")
        waived, passive = fields.flag("waived"), fields.flag("passive")
        by_hand = fields.raw.get("hand") is not None
        state = fields.choice("state", (READY, NOT_READY, FLOWER_PIG), needed=not by_hand)
        if state == FLOWER_PIG and self.rules.suits < len(SUITS):
            fields.bad("state", f"{READY}|{NOT_READY}")
        if by_hand:
            found = self._standing_of_hand(fields, seat, waived)
            shows = state if found is None else found.state
            if self.values and state not in (None, shows):
                fields.bad("state", str(shows), why="hand_says", state=shows, seat=seat)
        else:
            fan = 0
            if state == READY:
                fan = fields.whole("fan", 0, MAX_FAN) or 0
            elif state is not None and fields.raw.get("fan") is not None:
                fields.bad("fan", "null")
            if state is None:
                return None
            found = Standing(state, fan, self.rules.check_by == SELF_DRAW, waived, fan)
        if found is not None and found.state == FLOWER_PIG and passive:
            found = replace(found, state=_PASSIVE[self.rules.passive_pig])
        if waived and found is not None and found.state != READY:
            self.warnings.append({"code": "waived_not_ready", "event": fields.event, "seat": seat})
            found = replace(found, waived=False)
        return found

    def _standing_of_hand(self, fields: _Fields, seat: int, waived: bool) -> Standing | None:
        if fields.raw.get("fan") is not None:
            fields.bad("fan", "null beside a hand")
        query = self.query(fields, seat, {"by": self.rules.check_by})
        if query is None:
            return None
        hand = query.hand
        if query.four_jokers:
            fields.bad("hand", "at most three jokers", why="four_jokers", seat=seat)
            return None
        if hand.missing != 1:
            fields.bad("hand", "one tile short of a full count", why="count", seat=seat)
            return None
        if flower_pig(query):
            return Standing(FLOWER_PIG, hand=hand)
        if not self.values:
            return Standing(READY, MAX_FAN, hand=hand)
        result = analyse(replace(query, rules=_checking(self.rules)))
        if not isinstance(result, ReadyResult):
            return Standing(NOT_READY, hand=hand)
        best = counts = result.waits[0]
        if self.rules.call_check == "min":
            counts = min(result.waits, key=lambda wait: wait.verdict.fan)
        used = assumed_of(self.rules, counts.verdict)
        fan, drawn = counts.verdict.fan, self.rules.check_by == SELF_DRAW
        return Standing(READY, fan, drawn, waived, best.verdict.fan, best.tile, hand, used)

    def query(self, fields: _Fields, seat: int, conditions: Mapping[str, Any]) -> Query | None:
        """The hand in ``fields`` as it is to be valued; None, with errors, where it cannot be."""
        self.hands += 1
        # Of a seat at the wall's end no winning tile is read, and that has been told.
        keys = [key for key in _HAND_KEYS if key in fields.names]
        shown = {key: fields.raw[key] for key in keys if fields.raw.get(key) is not None}
        query, errors, unknown = read_query({**shown, **conditions}, rules=self.rules)
        fields.unknown(unknown)
        for error in errors:
            error = {**error, "seat": seat}
            if error["code"] == "too_many_tiles":
                error = {**error, "code": "bad_field", "field": "hand", "why": "count"}
            if "field" in error:
                error["field"] = f"{fields.where}.{error['field']}"
            fields.error(**error)
        if query is None:
            return None
        self.suits |= suits_shown(query.hand, self.rules.joker_tile)
        if len(self.suits) == self.rules.suits < len(SUITS):
            # Whatever a hand waits for, it is of the two suits that the table plays with.
            (unused,) = set(range(len(SUITS))) - self.suits
            query = replace(query, void=unused)
        return query


#: What a flower pig is that has thrown nothing but his void suit (被动花猪), by the option.
_PASSIVE = {"pig": FLOWER_PIG, "not_ready": NOT_READY}


@lru_cache(maxsize=64)
def _checking(rules: Rules) -> Rules:
    """The rules as 查叫 values a ready hand by: without its own kongs where those do not count."""
    if rules.check_kongs:
        return rules
    return rules.override({"fans": {kind: None for kind in KONGS if kind in rules.fans}})


_EVENTS: dict[str, Callable[[_Reader, _Fields], Event | None]] = {
    "kong": _Reader.kong,
    "win": _Reader.win,
    "false_win": _Reader.false_win,
    "payment": _Reader.payment,
    "escape": _Reader.escape,
    "draw": _Reader.draw,
}


def _pending(replay: Replay, raw: Any) -> list[Error]:
    """The error of a robbed kong before an event that cannot be read, if that is not its win.

    Where what cannot be read may have been meant as the win, the kong is not to blame.
    """
    kind = raw.get("type") if isinstance(raw, Mapping) else None
    if not isinstance(kind, str) or kind not in _EVENTS:
        return []
    if kind != WIN:
        return replay.pending()
    by, giver = raw.get("by"), whole(raw.get("from"), 0, replay.seats[-1])
    if by not in WAYS or (by == ROB_KONG and giver is None):
        return []
    return replay.pending(by, giver)


def _next_event(replay: Replay, raw: Any, index: int) -> tuple[Event | None, list[Error], _Reader]:
    """The event that comes next, what is wrong with it there, and who has read it.

    What cannot have happened is refused before any hand is valued.
    """
    suits = replay.suits
    for values in (False, True):
        reader = _Reader(replay.rules, replay.dealer, values=values, suits=suits)
        event, problems = reader.read(raw, index)
        wrong = problems + (replay.check(event) if event else _pending(replay, raw))
        if wrong or not reader.hands:
            break
        suits = reader.suits
    return event, wrong, reader


@within_limits
def settle(request: Any) -> Json:
    """Settle one round: the ``settle`` call of the contract, dict in and dict out.

    Beside the contract's keys the answer has ``tables`` (what each seat won or lost by 杠, 胡, …;
    a last number went to nobody) and ``running`` (the balances after each event).

    Status ``settled``, or ``error`` with the problems of the request or of its events and, under
    ``settled``, the answer for the events before the first bad one.  An event that cannot come
    where it stands is told once, what is written wrong in others all the same.

    The ``state`` of a seat is None where the round does not say: for who has not won while it is
    open, or when it has ended before the wall did.

    >>> answer = settle({"ruleset": "laok", "events": [
    ...     {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}]})
    >>> answer["totals"], answer["open"]
    ([24, -24, 0, 0], True)
    """
    if not isinstance(request, Mapping):
        return failed([{"code": "bad_json", "why": "not_an_object"}])
    errors: list[Error] = []
    rules = read_rules(request, errors)
    dealer = _dealer(request, 4 if rules is None else rules.players, errors)
    if errors or rules is None or dealer is None:
        return failed(errors)
    replay = Replay(rules, dealer)
    warnings: list[Error] = []
    assumed: list[str] = []
    played: list[Event] = []
    later: list[Error] = []
    for index, raw in enumerate(request["events"]):
        if replay.errors:
            # How the round stands is no longer known: only what is wrong in itself can be told.
            event, problems = _Reader(rules, dealer, values=False).read(raw, index)
            later += problems + (replay.check_alone(event, index) if event else [])
            continue
        event, wrong, reader = _next_event(replay, raw, index)
        warnings += reader.warnings
        if event is None or wrong:
            replay.refuse(wrong)
        else:
            replay.play(event)
            played.append(event)
            assumed += reader.assumed
    result = replay.result()
    answer = _answer(result, rules)
    answer["warnings"] += warnings
    used = (*assumed, *_of_standings(result), *_assumed(result, rules, played))
    answer["assumed"] = list(dict.fromkeys(used))
    answer["warnings"] = listed(answer["warnings"] + unknown_fields(request, _REQUEST_KEYS))
    if result.errors:
        errors = sorted([*result.errors, *later], key=lambda error: error["event"])
        return {**failed(errors), "settled": answer}
    return {"status": "settled", **answer}


def _dealer(request: Mapping[str, Any], players: int, errors: list[Error]) -> int | None:
    """Who deals, of a request whose players and list of events are looked at besides."""
    dealer = 0 if request.get("dealer") is None else whole(request["dealer"], 0, players - 1)
    if dealer is None:
        errors.append(_bad("dealer", f"0..{players - 1}"))
    if not _are_names(request.get("players"), players):
        errors.append(_bad("players", f"{players} names of at most {MAX_NAME} characters"))
    events = request.get("events")
    if not isinstance(events, Sequence) or isinstance(events, str):
        errors.append(_bad("events", "list"))
    elif len(events) > MAX_EVENTS:
        errors.append(_bad("events", f"at most {MAX_EVENTS}"))
    return dealer


def _are_names(names: Any, players: int) -> bool:
    """Whether these name the players; nothing names nobody."""
    if names is None:
        return True
    is_list = isinstance(names, Sequence) and not isinstance(names, str)
    if not is_list or len(names) != players:
        return False
    return all(isinstance(name, str) and len(name) <= MAX_NAME for name in names)


#: Options behind each reason; their values may be ones that the source does not state.
_OPTIONS_OF: dict[str, tuple[str, ...]] = {
    WIN: ("scale",),
    EXPOSED_KONG: ("kong_points.exposed",),
    ADDED_KONG: ("kong_points.added",),
    CONCEALED_KONG: ("kong_points.concealed",),
    KONG_TRANSFER: ("kong_transfer",),
    KONG_UNDO: ("kong_transfer",),
    FLOWER_PIG: ("pig.points", "pig.times_best", "pig.to", "pig.also_not_ready"),
    NOT_READY: ("scale", "call_check"),
    DIFFERENCE: ("scale", "difference"),
    REFUND: ("refund",),
    ESCAPE: ("escape_points",),
    FALSE_WIN: ("false_win.points", "false_win.to"),
}


def _of_standings(result: Settlement) -> Iterator[str]:
    """What the hands at the wall's end use for money that the source does not state."""
    # 补差价 compares two hands; the others pay what one is worth.
    checked = {
        seat
        for row in result.rows
        if row.why is not None and row.reason in (FLOWER_PIG, NOT_READY, DIFFERENCE)
        for seat in ((row.source, row.target) if row.reason == DIFFERENCE else (row.target,))
    }
    for seat, ended in enumerate(result.seats):
        if seat in checked and ended.standing is not None:
            yield from ended.standing.assumed


def _used(result: Settlement, rules: Rules, events: Sequence[Event]) -> Iterator[str]:
    """The options that a round's money and its next dealer come from."""
    reasons = {row.reason for row in result.rows}
    for reason in REASONS:
        if reason in reasons:
            yield from _OPTIONS_OF.get(reason, ())
    pigs = [row for row in result.rows if row.reason == FLOWER_PIG]
    if any(row.why is not None or rules.pig.points == "cap" for row in pigs):
        yield "scale"
    wins = [event for event in events if isinstance(event, WinEvent)]
    if any(win.by == SELF_DRAW and win.after_kong == EXPOSED_KONG for win in wins):
        yield "bloom"
    yield from _used_of_kongs(result, events)
    if any(isinstance(event, FalseWin) for event in events):
        yield "false_win.returns_kongs"
    if rules.next_dealer != "rotate":
        if wins and len(wins[0].winners) > 1:
            yield "dealer"
        if not wins and not result.open:
            yield "nobody_won"


def _used_of_kongs(result: Settlement, events: Sequence[Event]) -> Iterator[str]:
    """杠进杠出: the kongs that whoever paid for them had by then."""
    paid_for = [row for row in result.rows if row.why is not None and row.why.kongs]
    last = {
        row.source if row.why is None or row.why.share_of is None else row.why.share_of: row.event
        for row in paid_for
    }
    for index, event in enumerate(events):
        if isinstance(event, Kong) and not event.robbed and index < last.get(event.seat, 0):
            yield f"fans.{event.kind}"
    if paid_for:
        yield "kong_in_out"
    if any(row.reason == FLOWER_PIG for row in paid_for):
        yield "pig.kong_in_out"


#: What a part of an option decides is told by the option's own id.
_TOLD_AS = {"pig.kong_in_out": "kong_in_out"}


def _assumed(result: Settlement, rules: Rules, events: Sequence[Event]) -> Iterator[str]:
    """Ids of the options used whose values the source does not state (推定).

    A value that the table has set itself is no longer assumed.
    """
    for option in _used(result, rules, events):
        if option in rules.unstated or (option == "escape_points" and rules.escape_points is None):
            yield _TOLD_AS.get(option, option).removeprefix("fans.")


def _bad(field: str, expected: str, **params: Any) -> Error:
    return {"code": "bad_field", "field": field, "expected": expected} | params


def _answer(result: Settlement, rules: Rules) -> Json:
    # No amount is above all that was paid, so one look decides for the whole answer: its amounts
    # can be added up, which floats and decimals side by side cannot.
    paid = sum(row.cents for row in result.rows)
    money = number if paid < TOO_LARGE_FOR_FLOAT else exact
    return {
        "transfers": [_transfer(row, money) for row in result.rows],
        "totals": [money(cents) for cents in result.totals],
        "penalties": money(result.penalties),
        "pairwise": [_payment(p, money) for p in result.pairwise],
        "fewest_transfers": [_payment(p, money) for p in result.fewest_transfers],
        "tables": {name: [money(c) for c in row] for name, row in result.tables.items()},
        "running": [[money(cents) for cents in row] for row in result.running],
        "seats": [_seat(s, rules) for s in result.seats],
        "warnings": list(result.warnings),
        "assumed": [],
        "next_dealer": result.next_dealer,
        "open": result.open,
    }


def _transfer(row: Transfer, money: _Money) -> dict[str, Any]:
    out: Json = {
        "event": row.event,
        "from": row.source,
        "to": row.target,
        "amount": money(row.cents),
        "reason": row.reason,
    }
    if row.note:
        out["note"] = row.note
    if row.why is not None:
        out["why"] = {"fan": row.why.fan}
        for name, value, default in zip(Why._fields[1:], row.why[1:], _WHY_DEFAULTS, strict=True):
            if value != default:
                out["why"][name] = value
    return out


#: What is not worth telling about a transfer.
_WHY_DEFAULTS = Why(0)[1:]


def _payment(payment: Payment, money: _Money) -> dict[str, Any]:
    return {"from": payment.source, "to": payment.target, "amount": money(payment.cents)}


def _seat(seat: SeatResult, rules: Rules) -> dict[str, Any]:
    out: dict[str, Any] = {"state": seat.state, "fans": list(seat.fans), "best": None}
    standing = seat.standing
    if standing is not None and standing.state == READY and standing.best is not None:
        fan = rules.capped(standing.best)
        drawn = rules.self_draw_units(fan) if standing.drawn else 0
        out["best"] = {
            "tile": None if standing.tile is None else TILE_NAMES[standing.tile],
            "fan": fan,
            "multiple": rules.multiple(fan) + drawn,
        }
    if seat.left:
        out["left"] = True
    if standing is not None and standing.waived:
        out["waived"] = True
    return out
