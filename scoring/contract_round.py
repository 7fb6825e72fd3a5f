"""One round as JSON (一局的 JSON): the request of ``settle`` in, its response out.

Every event is read when its turn comes, so that the first bad one stops the replay and the answer
still tells what stood before it.  Hands are valued by the same ``score`` that values single hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from . import settle as rounds
from .contract import hand_of, score
from .hand import ADDED_KONG, CONCEALED_KONG, EXPOSED_KONG, KONGS, ROB_KONG, SELF_DRAW, WAYS, Hand
from .notation import NotationError, parse_tile
from .rules import MAX_FAN, OptionErrors, Rules, UnknownRuleset, exact, ids, load
from .settle import (
    FLOWER_PIG,
    NOT_READY,
    READY,
    SEATS,
    Draw,
    Error,
    Escape,
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
from .tiles import SUITS, TILE_NAMES, TILE_OF_NAME, Tile, suit

#: More events than any round can have are refused.
MAX_EVENTS = 200
MAX_NAME = 40
#: The largest multiple that an escape may name.
MAX_MULTIPLE = 1 << MAX_FAN

_REQUEST_KEYS = frozenset(("ruleset", "options", "dealer", "players", "events"))
_HAND_KEYS = ("hand", "melds", "win_tile", "void", "blessing", "horses")


class _Fields:
    """Reads the fields of one event and gathers what is wrong with them."""

    def __init__(self, raw: Mapping[str, Any], where: str, errors: list[Error], event: int) -> None:
        self.raw = raw
        self.where = where
        self.errors = errors
        self.event = event

    def bad(self, field: str, expected: str, **params: Any) -> None:
        """Note that a field holds something else than expected."""
        path = f"{self.where}.{field}" if field else self.where
        self.errors.append(
            {"code": "bad_field", "event": self.event, "field": path, "expected": expected} | params
        )

    def known(self, *names: str) -> None:
        """Every other field is an error: a misspelt one must not be ignored."""
        for name in self.raw:
            if name not in names:
                self.bad(str(name), "|".join(names), why="unknown")

    def seat(self, field: str, *, needed: bool = True) -> int | None:
        """A seat, 0–3."""
        value = self.raw.get(field)
        if value is None and not needed:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value not in SEATS:
            self.bad(field, "0..3")
            return None
        return value

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
        value = self.raw.get(field)
        if isinstance(value, (float, Decimal)) and value == value and value % 1 == 0:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.bad(field, f"{low}..{high}")
            return None
        return value

    def tile(self, field: str) -> Tile | None:
        """One tile in notation, None when absent."""
        value = self.raw.get(field)
        if value is None:
            return None
        try:
            return parse_tile(value) if isinstance(value, str) else self.bad(field, "tile")
        except NotationError as error:
            self.errors += [
                {"code": "bad_notation", "event": self.event, "text": p.text, "at": p.at,
                 "why": p.why, "field": f"{self.where}.{field}"}
                for p in error.problems
            ]  # fmt: skip
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
    """Reads the events of one request under its rules."""

    def __init__(self, ruleset: str, options: Mapping[str, Any], rules: Rules, dealer: int) -> None:
        self.request = {"ruleset": ruleset, "options": options}
        self.rules = rules
        self.dealer = dealer

    def read(self, raw: Any, index: int) -> tuple[rounds.Event | None, list[Error]]:
        """One event, or None with everything that is wrong with it."""
        errors: list[Error] = []
        fields = _Fields(raw if isinstance(raw, Mapping) else {}, f"events[{index}]", errors, index)
        if not isinstance(raw, Mapping):
            fields.bad("", "object")
            return None, errors
        kind = fields.choice("type", tuple(_EVENTS))
        if kind is None:
            return None, errors
        event = _EVENTS[kind](self, fields)
        return (None, errors) if errors else (event, [])

    def kong(self, fields: _Fields) -> rounds.Event | None:
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
        if seat is None or kind is None:
            return None
        return Kong(seat, kind, tile, giver, late, robbed)

    def win(self, fields: _Fields) -> rounds.Event | None:
        """胡."""
        fields.known("type", "by", "from", "winners", "after_kong", "kong_discard", "last_tile")
        by = fields.choice("by", WAYS)
        self_drawn = by == SELF_DRAW
        giver = fields.seat("from", needed=by is not None and not self_drawn)
        after_kong = fields.choice("after_kong", KONGS, needed=False)
        kong_discard, last_tile = fields.flag("kong_discard"), fields.flag("last_tile")
        if self_drawn and giver is not None:
            fields.bad("from", "null")
        if after_kong is not None and by is not None and not self_drawn:
            fields.bad("after_kong", "null")
        if kong_discard and by in (SELF_DRAW, ROB_KONG):
            fields.bad("kong_discard", "false")
        raw_winners = fields.raw.get("winners")
        if not isinstance(raw_winners, Sequence) or isinstance(raw_winners, str):
            fields.bad("winners", "list")
            return None
        most = 1 if self_drawn else 3
        if not 1 <= len(raw_winners) <= most:
            fields.bad("winners", f"1..{most}")
            return None
        winners: list[Winner] = []
        conditions = {
            "by": by, "after_kong": after_kong, "kong_discard": kong_discard,
            "last_tile": last_tile,
        }  # fmt: skip
        for number, raw in enumerate(raw_winners):
            where = f"{fields.where}.winners[{number}]"
            inner = _Fields(
                raw if isinstance(raw, Mapping) else {}, where, fields.errors, fields.event
            )
            if not isinstance(raw, Mapping):
                inner.bad("", "object")
                continue
            winner = self.winner(inner, conditions)
            if winner is not None:
                if any(w.seat == winner.seat for w in winners):
                    inner.bad("seat", "each seat once", seat=winner.seat)
                winners.append(winner)
        if by is None:
            return None
        return WinEvent(by, tuple(winners), giver, after_kong, kong_discard, last_tile)

    def winner(self, fields: _Fields, conditions: Mapping[str, Any]) -> Winner | None:
        """One winner, by 番 or by hand."""
        fields.known("seat", "fan", *_HAND_KEYS)
        seat = fields.seat("seat")
        if fields.raw.get("hand") is None:
            fan = fields.whole("fan", 0, MAX_FAN)
            for name in _HAND_KEYS[1:]:
                if fields.raw.get(name):
                    fields.bad(name, "only with a hand")
            return None if seat is None or fan is None else Winner(seat, fan)
        if fields.raw.get("fan") is not None:
            fields.bad("fan", "null beside a hand")
        if seat is None or conditions["by"] is None:
            return None
        request = self._hand_request(fields) | conditions | {"seat": seat, "dealer": self.dealer}
        for name in ("blessing", "horses"):
            if fields.raw.get(name) is not None:
                request[name] = fields.raw[name]
        answer, hand = self._score(request, fields, seat)
        if answer is None or hand is None:
            return None
        status = answer["status"]
        if status != "win":
            if hand.missing == 0:
                code = {"code": "not_a_win", "event": fields.event, "seat": seat}
                fields.errors.append(code | _pick(answer, "shanten", "flower_pig"))
            else:
                fields.bad("hand", "full count", why="count", seat=seat)
            return None
        extra = answer["multiple"] - self.rules.multiple(answer["fan"])
        return Winner(seat, answer["fan"], hand, extra)

    def escape(self, fields: _Fields) -> rounds.Event | None:
        """逃跑."""
        fields.known("type", "seat", "last_four", "best")
        seat = fields.seat("seat")
        last_four = fields.flag("last_four")
        best = [0, 0, 0, 0]
        table = fields.table("best")
        inner = _Fields(table, f"{fields.where}.best", fields.errors, fields.event)
        for key in table:
            if str(key) not in _SEAT_NAMES:
                inner.bad(str(key), "0..3")
            else:
                best[int(key)] = inner.whole(key, 0, MAX_MULTIPLE) or 0
        if seat is None:
            return None
        return Escape(seat, last_four, (best[0], best[1], best[2], best[3]))

    def draw(self, fields: _Fields) -> rounds.Event | None:
        """流局."""
        fields.known("type", "hands")
        if not isinstance(fields.raw.get("hands"), Mapping):
            fields.bad("hands", "object")
            return None
        table = fields.table("hands")
        standings: list[Standing | None] = [None, None, None, None]
        inner = _Fields(table, f"{fields.where}.hands", fields.errors, fields.event)
        for key, raw in table.items():
            if str(key) not in _SEAT_NAMES:
                inner.bad(str(key), "0..3")
            elif raw is None:
                continue
            elif not isinstance(raw, Mapping):
                inner.bad(str(key), "object")
            else:
                each = _Fields(raw, f"{inner.where}.{key}", fields.errors, fields.event)
                standings[int(key)] = self.standing(each, int(key))
        return Draw((standings[0], standings[1], standings[2], standings[3]))

    def standing(self, fields: _Fields, seat: int) -> Standing | None:
        """What one seat shows at the end of the wall, by hand or as the table saw it."""
        fields.known("state", "fan", "waived", "hand", "melds", "void")
        waived = fields.flag("waived")
        if fields.raw.get("hand") is not None:
            found = self._standing_of_hand(fields, seat, waived)
        else:
            state = fields.choice("state", (READY, NOT_READY, FLOWER_PIG))
            fan = 0
            if state == READY:
                fan = fields.whole("fan", 0, MAX_FAN) or 0
            elif state is not None and fields.raw.get("fan") is not None:
                fields.bad("fan", "null")
            if state is None:
                return None
            found = Standing(state, fan, self._check_extra(), waived, fan)
        if waived and found is not None and found.state != READY:
            fields.bad("waived", "false")
        return found

    def _standing_of_hand(self, fields: _Fields, seat: int, waived: bool) -> Standing | None:
        if fields.raw.get("fan") is not None:
            fields.bad("fan", "null beside a hand")
        request = self._hand_request(fields) | {"by": self.rules.check_by}
        answer, hand = self._score(request, fields, seat)
        if answer is None or hand is None:
            return None
        if hand.win_tile is not None or hand.missing != 1:
            fields.bad("hand", "ready count", why="count", seat=seat)
            return None
        joker = self.rules.joker_tile
        if joker is not None and _jokers(hand, joker) >= 4:
            fields.bad("hand", "at most three jokers", why="four_jokers", seat=seat)
            return None
        if _is_pig(hand, joker, fields.raw.get("void")):
            return Standing(FLOWER_PIG, hand=hand)
        if answer["status"] != "ready":
            return Standing(NOT_READY, hand=hand)
        waits = answer["waits"]
        best = max(waits, key=lambda w: (w["multiple"], w["uncapped_fan"]), default=None)
        if best is None:  # nothing but a joker would complete it
            return Standing(READY, self.rules.fan0, self._check_extra(), waived, hand=hand)
        fan = best["fan"]
        if self.rules.call_check == "min":
            fan = min(w["fan"] for w in waits)
        tile = TILE_OF_NAME[best["tile"]]
        return Standing(READY, fan, self._check_extra(), waived, best["fan"], tile, hand)

    def _check_extra(self) -> int:
        """What a base bonus adds to a ready hand, where 查叫 takes the self-draw value."""
        return int(self.rules.check_by == SELF_DRAW and self.rules.self_draw_bonus == "base")

    def _hand_request(self, fields: _Fields) -> dict[str, Any]:
        keys = ("hand", "melds", "win_tile", "void")
        return self.request | {k: fields.raw[k] for k in keys if fields.raw.get(k) is not None}

    def _score(
        self, request: Mapping[str, Any], fields: _Fields, seat: int
    ) -> tuple[dict[str, Any] | None, Hand | None]:
        """The answer of ``score`` to a hand and the hand itself; errors become the event's."""
        answer = score(request)
        hand, _ = hand_of(request, self.rules)
        if answer["status"] != "error":
            return answer, hand
        for error in answer["errors"]:
            error = {"code": error["code"], "event": fields.event, "seat": seat} | error
            if error["code"] == "too_many_tiles":
                error |= {"code": "bad_field", "field": f"{fields.where}.hand", "why": "count"}
            elif "field" in error:
                error["field"] = f"{fields.where}.{error['field']}"
            fields.errors.append(error)
        return None, None


_SEAT_NAMES = frozenset("0123")
_EVENTS: dict[str, Callable[[_Reader, _Fields], rounds.Event | None]] = {
    "kong": _Reader.kong,
    "win": _Reader.win,
    "escape": _Reader.escape,
    "draw": _Reader.draw,
}


def settle(request: Any) -> dict[str, Any]:
    """Settle one round: the ``settle`` call of the contract, dict in and dict out.

    Status ``settled``, or ``error`` with the problems of the first bad event (or of the request)
    and, under ``settled``, the answer for the events before it.

    >>> answer = settle({"ruleset": "laok", "events": [
    ...     {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}]})
    >>> answer["totals"], answer["open"]
    ([24, -24, 0, 0], True)
    """
    errors: list[Error] = []
    if not isinstance(request, Mapping):
        return {"status": "error", "errors": [{"code": "bad_json"}]}
    rules = _rules(request, errors)
    for key in request:
        if key not in _REQUEST_KEYS:
            errors.append(_bad(str(key), "|".join(sorted(_REQUEST_KEYS)), why="unknown"))
    dealer = request.get("dealer")
    dealer = 0 if dealer is None else dealer
    if isinstance(dealer, bool) or not isinstance(dealer, int) or dealer not in SEATS:
        errors.append(_bad("dealer", "0..3"))
    names = request.get("players")
    if names is not None and not (
        isinstance(names, Sequence)
        and not isinstance(names, str)
        and len(names) == 4
        and all(isinstance(n, str) and len(n) <= MAX_NAME for n in names)
    ):
        errors.append(_bad("players", f"4 names of at most {MAX_NAME} characters"))
    events = request.get("events")
    if not isinstance(events, Sequence) or isinstance(events, str):
        errors.append(_bad("events", "list"))
    elif len(events) > MAX_EVENTS:
        errors.append(_bad("events", f"at most {MAX_EVENTS}"))
    if errors or rules is None or events is None:
        return {"status": "error", "errors": errors}
    reader = _Reader(request["ruleset"], request.get("options") or {}, rules, dealer)
    replay = Replay(rules, dealer)
    for index, raw in enumerate(events):
        robs = raw if isinstance(raw, Mapping) and raw.get("type") == "win" else {}
        if problems := replay.pending(robs.get("by"), robs.get("from")):
            replay.refuse(problems)
            break
        event, problems = reader.read(raw, index)
        if event is None:
            replay.refuse(problems)
            break
        if replay.play(event):
            break
    result = replay.result()
    if result.errors:
        return {"status": "error", "errors": list(result.errors), "settled": _answer(result, rules)}
    return {"status": "settled"} | _answer(result, rules)


def _rules(request: Mapping[str, Any], errors: list[Error]) -> Rules | None:
    """The rules that a request names; what is wrong with them goes to ``errors``."""
    ruleset = request.get("ruleset")
    options = request.get("options")
    if not isinstance(ruleset, str):
        errors.append(_bad("ruleset", "|".join(ids())))
        return None
    try:
        rules = load(ruleset)
    except UnknownRuleset:
        errors.append({"code": "unknown_ruleset", "ruleset": ruleset})
        return None
    if options is not None and not isinstance(options, Mapping):
        errors.append(_bad("options", "object"))
        return None
    try:
        return rules.override(options or {})
    except OptionErrors as wrong:
        errors += wrong.errors
        return None


def _bad(field: str, expected: str, **params: Any) -> Error:
    return {"code": "bad_field", "field": field, "expected": expected} | params


def _pick(answer: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: answer[key] for key in keys if key in answer}


def _jokers(hand: Hand, joker: Tile) -> int:
    return hand.concealed.count(joker) + sum(m.jokers for m in hand.melds)


def _is_pig(hand: Hand, joker: Tile | None, void: Any) -> bool:
    """花猪: three suits in hand and melds, or a tile of the declared void suit."""
    suits = {suit(t) for t in hand.concealed if t != joker} | {suit(m.tile) for m in hand.melds}
    return len(suits) == 3 or any(SUITS[s] == void for s in suits)


def _answer(result: Settlement, rules: Rules) -> dict[str, Any]:
    return {
        "transfers": [_transfer(row) for row in result.rows],
        "totals": [exact(cents) for cents in result.totals],
        "penalties": exact(result.penalties),
        "pairwise": [_payment(p) for p in result.pairwise],
        "fewest_transfers": [_payment(p) for p in result.fewest_transfers],
        "seats": [_seat(s, rules) for s in result.seats],
        "warnings": list(result.warnings),
        "next_dealer": result.next_dealer,
        "open": result.open,
    }


def _transfer(row: Transfer) -> dict[str, Any]:
    out = {
        "event": row.event,
        "from": row.source,
        "to": row.target,
        "amount": exact(row.cents),
        "reason": row.reason,
    }
    if row.why is not None:
        default = Why(0)._asdict()
        why = {k: v for k, v in row.why._asdict().items() if k == "fan" or v != default[k]}
        out["why"] = why
    return out


def _payment(payment: Payment) -> dict[str, Any]:
    return {
        "from": payment.source, "to": payment.target, "amount": exact(payment.cents)
    }  # fmt: skip


def _seat(seat: SeatResult, rules: Rules) -> dict[str, Any]:
    out: dict[str, Any] = {"state": seat.state, "fans": list(seat.fans), "best": None}
    standing = seat.standing
    if standing is not None and standing.state == READY and standing.best is not None:
        out["best"] = {
            "tile": None if standing.tile is None else TILE_NAMES[standing.tile],
            "fan": rules.capped(standing.best),
            "multiple": rules.multiple(rules.capped(standing.best)) + standing.extra,
        }
    if seat.left:
        out["left"] = True
    if standing is not None and standing.waived:
        out["waived"] = True
    return out
