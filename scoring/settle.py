"""Settlement (结算): what happened in a round → who pays whom, coin by coin.

A round is a list of events (杠, 胡, 诈和, 逃跑, 流局, 约定付款), replayed from the first.  A
:class:`Replay` takes them one by one, refuses the first that cannot have happened, and keeps what
stood before it.
Money is counted in whole hundredths of a point (``cents``), so nothing is ever rounded.

Hands are valued elsewhere: here a winner comes with his 番, a ready player with the 番 of the wait
that counts.  What a system pays and its sources stand in its file (``rulesets/``).

>>> from .rules import load
>>> events = [Kong(1, "concealed_kong"), WinEvent("discard", (Winner(0, 3),), giver=2)]
>>> settle(load("chengdu"), events).totals
(600, 600, -1000, -200)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from .hand import (
    ADDED_KONG,
    EXPOSED_KONG,
    KONGS,
    ROB_KONG,
    SELF_DRAW,
    Hand,
    suits_shown,
)
from .rules import Rules
from .tiles import COPIES, TILE_NAMES, Tile

Seat = int
#: Hundredths of a point.
Cents = int
Error = dict[str, Any]

#: The seats of a full table; ``players`` may leave the last ones empty.
SEATS: tuple[Seat, ...] = (0, 1, 2, 3)

WIN = "win"
KONG_TRANSFER = "kong_transfer"
KONG_UNDO = "kong_undo"
FLOWER_PIG = "flower_pig"
NOT_READY = "not_ready"
READY = "ready"
WON = "won"
DIFFERENCE = "difference"
REFUND = "refund"
ESCAPE = "escape"
FALSE_WIN = "false_win"
AGREED = "agreed"
FORFEIT = "forfeit"
#: Every reason a transfer can have, in the order of the tables.
REASONS: tuple[str, ...] = (
    *KONGS, KONG_TRANSFER, KONG_UNDO, WIN, FORFEIT, FALSE_WIN, ESCAPE,
    FLOWER_PIG, NOT_READY, DIFFERENCE, REFUND, AGREED,
)  # fmt: skip

#: The tables (结算表): what each adds up.
TABLES: dict[str, tuple[str, ...]] = {
    "kong": (*KONGS, KONG_TRANSFER, KONG_UNDO),
    "win": (WIN, FORFEIT),
    FALSE_WIN: (FALSE_WIN,),
    "escape": (ESCAPE,),
    FLOWER_PIG: (FLOWER_PIG,),
    NOT_READY: (NOT_READY,),
    DIFFERENCE: (DIFFERENCE,),
    REFUND: (REFUND,),
    AGREED: (AGREED,),
}

_TABLE_OF = {reason: table for table, reasons in TABLES.items() for reason in reasons}


@dataclass(frozen=True, slots=True)
class Kong:
    """杠: one kong, booked when it was declared.

    ``giver`` is the player whose discard made a 直杠.  ``late`` is an added kong whose tile was not
    just drawn, ``robbed`` one that the next event robs (抢杠): it pays nothing.
    """

    seat: Seat
    kind: str
    tile: Tile | None = None
    giver: Seat | None = None
    late: bool = False
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class Winner:
    """One winner (胡家) with the final 番 of the hand, before or after the cap.

    ``hand`` is what was laid open, if it was.  ``drawn`` is whether what a self-draw adds counts
    (自摸加底), None where the way of winning decides it.  ``four_jokers``: everybody pays, whatever
    the way.
    """

    seat: Seat
    fan: int
    hand: Hand | None = None
    drawn: bool | None = None
    four_jokers: bool = False


@dataclass(frozen=True, slots=True)
class WinEvent:
    """胡: one tile won, by one player or several (一炮多响).

    ``giver`` discarded the tile or was robbed of it.  ``after_kong`` and ``kong_discard`` speak of
    the event just before (杠上花, 杠上炮).
    """

    by: str
    winners: tuple[Winner, ...]
    giver: Seat | None = None
    after_kong: str | None = None
    kong_discard: bool = False
    last_tile: bool = False


@dataclass(frozen=True, slots=True)
class Escape:
    """逃跑: a player leaves.  ``best`` is each seat's best multiple, for the last four tiles."""

    seat: Seat
    last_four: bool = False
    best: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FalseWin:
    """诈和: a player claims a win that is none, pays, and takes no further part."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Agreed:
    """约定付款: whatever the table has agreed that one player pays another."""

    source: Seat
    target: Seat
    cents: Cents
    note: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player shows when the wall is empty (流局).

    ``state`` is ``ready`` (下叫), ``not_ready`` (没叫) or ``flower_pig`` (花猪).  ``fan`` is the 番
    of the wait that 查叫 counts, ``drawn`` whether what a self-draw adds comes on top.
    ``best`` and ``tile`` tell of the best wait for display, ``assumed`` of the values that ``fan``
    is made of and the source does not state.
    """

    state: str
    fan: int = 0
    drawn: bool = False
    waived: bool = False
    best: int | None = None
    tile: Tile | None = None
    hand: Hand | None = None
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """流局: the wall is empty; what each seat shows, None for those who need not."""

    hands: tuple[Standing | None, ...]


Event = Kong | WinEvent | FalseWin | Escape | Draw | Agreed


class Why(NamedTuple):
    """What a transfer was reckoned from, so that each coin can be explained.

    ``fan`` is the 番 after the cap, ``kongs`` the 番 that the payer's own kongs add (杠进杠出),
    ``extra`` the units of base on top, ``times`` the factor of 花猪.  ``share_of`` is the player
    whose share somebody else pays (包).  ``than`` is the smaller 番 of a 补差价.
    """

    fan: int
    kongs: int = 0
    extra: int = 0
    times: int = 1
    share_of: Seat | None = None
    than: int | None = None


class Transfer(NamedTuple):
    """One payment; ``target`` is None for a penalty that nobody receives.

    ``note`` is what the table has written beside an agreed payment.
    """

    event: int
    source: Seat
    target: Seat | None
    cents: Cents
    reason: str
    why: Why | None = None
    note: str = ""


class Payment(NamedTuple):
    """One payment that settles debts; ``target`` is None for a penalty."""

    source: Seat
    target: Seat | None
    cents: Cents


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended: ``state`` is None while the round is open."""

    state: str | None
    fans: tuple[int, ...] = ()
    standing: Standing | None = None
    left: bool = False


@dataclass(frozen=True)
class Settlement:
    """结算: the transfers of a round in order, and all that follows from them.

    ``errors`` are the problems of the first bad event, if there is one; the rest then speaks of
    the events before it.
    """

    rows: tuple[Transfer, ...]
    errors: tuple[Error, ...]
    seats: tuple[SeatResult, ...]
    warnings: tuple[Error, ...]
    next_dealer: Seat
    open: bool
    events: int = 0

    @cached_property
    def totals(self) -> tuple[Cents, ...]:
        """What each seat won or lost."""
        sums = [0] * len(self.seats)
        for row in self.rows:
            sums[row[1]] -= row[3]
            if row[2] is not None:
                sums[row[2]] += row[3]
        return tuple(sums)

    @cached_property
    def tables(self) -> dict[str, tuple[Cents, ...]]:
        """What each seat won or lost by table; a last number is what went to nobody."""
        found = {table: [0] * (len(self.seats) + 1) for table in TABLES}
        for row in self.rows:
            sums = found[_TABLE_OF[row.reason]]
            sums[row.source] -= row.cents
            sums[-1 if row.target is None else row.target] += row.cents
        return {table: tuple(sums) for table, sums in found.items()}

    @cached_property
    def running(self) -> tuple[tuple[Cents, ...], ...]:
        """The balance of the seats after each event that was taken."""
        sums = [0] * len(self.seats)
        found: list[tuple[Cents, ...]] = []
        for row in self.rows:
            while len(found) < row.event:
                found.append(tuple(sums))
            sums[row.source] -= row.cents
            if row.target is not None:
                sums[row.target] += row.cents
        while len(found) < self.events:
            found.append(tuple(sums))
        return tuple(found)

    @cached_property
    def penalties(self) -> Cents:
        """What went to nobody; totals and penalties add up to nothing."""
        return sum(row[3] for row in self.rows if row[2] is None)

    @cached_property
    def pairwise(self) -> tuple[Payment, ...]:
        """Who owes whom once the debts of each two players are netted."""
        return pairwise(self.rows)

    @cached_property
    def fewest_transfers(self) -> tuple[Payment, ...]:
        """A smallest set of payments that settles the table."""
        return fewest_transfers(self.totals)


class _Money:
    """A system's amounts in cents, looked up once."""

    __slots__ = (
        "added", "base", "cap", "concealed", "exposed", "exposed_others", "kong_fan", "late_free",
        "least", "pig", "rules", "table", "winners_stay",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        base = self.base = rules.base_cents
        points = rules.kong_points
        self.exposed, self.exposed_others = points.exposed * base, points.exposed_others * base
        self.added, self.concealed = points.added * base, points.concealed * base
        self.late_free = rules.late_added_kong_free
        self.kong_fan = {
            kind: (rules.fan_of(kind) or 0) if rules.kong_in_out else 0 for kind in KONGS
        }
        self.winners_stay = rules.blood_flow
        self.cap = rules.cap
        self.least = rules.least
        self.table: dict[tuple[int, int, bool], Cents] = {}
        self.pig = rules.pig_points * base

    def points(self, fan: int, kongs: int = 0, *, drawn: bool = False) -> Cents:
        """What one payer pays for ``fan`` of the winner and ``kongs`` 番 of his own.

        ``drawn``: with what a self-draw adds.
        """
        if self.cap is not None and fan > self.cap:
            fan = self.cap
        cents = self.table.get((fan, kongs, drawn))
        if cents is None:
            units = self.rules.multiple(fan + kongs)
            if drawn:
                units += self.rules.self_draw_units(fan, kongs)
            cents = self.table[fan, kongs, drawn] = units * self.base
        return cents

    def why(self, fan: int, kongs: int = 0, *, drawn: bool = False) -> Why:
        """The same told: what it was reckoned from."""
        fan = self.capped(fan)
        return Why(fan, kongs, self.rules.self_draw_units(fan, kongs) if drawn else 0)

    def capped(self, fan: int) -> int:
        """The winner's 番 after the cap."""
        return fan if self.cap is None or fan <= self.cap else self.cap


@lru_cache(maxsize=256)
def _money(rules: Rules) -> _Money:
    return _Money(rules)


class _Booked(NamedTuple):
    """A kong that stands, with what each payer paid for it."""

    kong: Kong
    income: tuple[tuple[Seat, Cents], ...]


class _Shown(NamedTuple):
    """A hand that a seat laid open; ``taken`` is the event whose tile others may show too."""

    hand: Hand
    taken: int | None


def _shows(event: WinEvent | Draw) -> bool:
    """Whether any hand is laid open."""
    if isinstance(event, WinEvent):
        return any(winner.hand is not None for winner in event.winners)
    return any(standing is not None and standing.hand is not None for standing in event.hands)


#: What an event is told before anything has happened, whatever happens before it: a player pays
#: himself, a hand is worth less than a plain one, five tiles are alike.
_WRONG_ANYWHERE = frozenset(("bad_from", "bad_field", "impossible_tiles", "too_many_suits"))

#: A player whose kong was robbed, and the tile if it is known.
_Robbed = tuple[Seat, Tile | None]


class Replay:
    """A round as far as it has been played.

    ``play`` takes the next event and returns its errors; after an error nothing more is taken.
    Playing a prefix and then the rest is the same as playing all.
    """

    def __init__(self, rules: Rules, dealer: Seat = 0) -> None:
        self.rules = rules
        self.dealer = dealer
        self.errors: list[Error] = []
        self.ended = False
        #: The suits of the hands that have been laid open.
        self.suits: set[int] = set()
        self.seats: tuple[Seat, ...] = tuple(range(rules.players))
        self._money = _money(rules)
        self._rows: list[Transfer] = []
        self._index = 0
        self._last: Event | None = None
        self._before_last: Event | None = None
        number = len(self.seats)
        self._won = [False] * number
        self._left = [False] * number
        self._out = [False] * number
        self._fans: list[list[int]] = [[] for _ in self.seats]
        self._kongs: list[list[_Booked]] = [[] for _ in self.seats]
        self._kong_fan = [0] * number
        self._konged: set[Tile] = set()
        self._first_win: WinEvent | None = None
        self._shown: list[_Shown | None] = [None] * number
        self._robbed: list[_Robbed] = []
        self._standings: list[Standing | None] = [None] * number
        self._warnings: list[Error] = []

    @property
    def events(self) -> int:
        """How many events have been taken."""
        return self._index

    def pending(self, by: str | None = None, giver: Seat | None = None) -> list[Error]:
        """The error of a robbed kong unless the next event is a win that robs it.

        ``by`` and ``giver`` are those of the next event if it is a win.  The error is the kong's.
        """
        last = self._last
        if not isinstance(last, Kong) or not last.robbed or self.errors:
            return []
        if by == ROB_KONG and giver == last.seat:
            return []
        error = self._error("bad_event_order", why="robbed_without_win")
        return [error | {"event": self._index - 1}]

    def refuse(self, errors: list[Error]) -> list[Error]:
        """Stop here: the next event cannot be taken, for these reasons."""
        self.errors += errors
        return errors

    def play(self, event: Event) -> list[Error]:
        """Take the next event; returns what is wrong with it, nothing if it stands."""
        if self.errors:
            return self.errors
        if errors := self.check(event):
            return self.refuse(errors)
        if isinstance(event, WinEvent | Draw) and _shows(event):
            self._lay_open(event)
        _PLAYS[type(event)](self, event)
        self._before_last, self._last = self._last, event
        self._index += 1
        return []

    def check(self, event: Event) -> list[Error]:
        """What is wrong with an event if it comes next; nothing changes."""
        last = self._last
        if isinstance(last, Kong) and last.robbed:
            by, giver = (event.by, event.giver) if isinstance(event, WinEvent) else (None, None)
            if errors := self.pending(by, giver):
                return errors
        if self.ended and not isinstance(event, Agreed):
            return [self._error("bad_event_order", why="after_end")]
        errors = _CHECKS[type(event)](self, event)
        if not errors and isinstance(event, WinEvent | Draw) and _shows(event):
            errors = self._check_tiles(event) + self._check_suits(event)
        return errors

    def check_alone(self, event: Event, index: int) -> list[Error]:
        """What is wrong with an event wherever it stands; ``index`` is its place in the round."""
        fresh = Replay(self.rules, self.dealer)
        fresh._index = index
        return [error for error in fresh.check(event) if error["code"] in _WRONG_ANYWHERE]

    def result(self) -> Settlement:
        """The settlement as it stands; a robbed kong without its win is an error at the end."""
        return Settlement(
            rows=tuple(self._rows),
            errors=tuple(self.errors or self.pending()),
            seats=tuple(self._seat(s) for s in self.seats),
            warnings=tuple(self._warnings),
            next_dealer=self._next_dealer(),
            open=not self.ended,
            events=self._index,
        )

    # Who may do what.

    def _error(self, code: str, **params: Any) -> Error:
        return {"code": code, "event": self._index, **params}

    def _bad(self, field: str, seat: Seat, *, why: str) -> Error:
        """The error of a field of this event."""
        path = f"events[{self._index}].{field}"
        return self._error("bad_field", field=path, seat=seat, why=why)

    def _acts(self, seat: Seat, code: str) -> list[Error]:
        """The error of a seat that acts although it has won or left; ``code`` says as what."""
        if self._out[seat]:
            return [self._error("not_allowed", seat=seat, why="out")]
        if self._left[seat] and self._money.winners_stay:
            return [self._error("not_allowed", seat=seat, why="left")]
        if self._won[seat] and not self._money.winners_stay:
            return [self._error(code, seat=seat)]
        return []

    def _others(self, seat: Seat) -> list[Seat]:
        """Everybody else who still pays: the unwon, in 血流 the winners too."""
        gone, out = self._left if self._money.winners_stay else self._won, self._out
        return [s for s in self.seats if s != seat and not gone[s] and not out[s]]

    def _check_kong(self, kong: Kong) -> list[Error]:
        errors = self._acts(kong.seat, "seat_already_won")
        most = self.rules.sets
        if not kong.robbed and len(self._kongs[kong.seat]) >= most:
            errors.append(self._error("too_many_melds", seat=kong.seat, count=most + 1))
        if kong.giver is not None:
            if kong.giver == kong.seat:
                errors.append(self._error("bad_from", seat=kong.seat))
            errors += self._acts(kong.giver, "bad_from")
            if not errors and self._won[kong.seat]:
                errors.append(self._error("not_allowed", seat=kong.seat, why="locked"))
        return errors

    def _check_win(self, win: WinEvent) -> list[Error]:
        errors: list[Error] = []
        last = self._last if isinstance(self._last, Kong) else None
        kong = self._kong_before(win.by)
        for place, winner in enumerate(win.winners):
            errors += self._acts(winner.seat, "seat_already_won")
            if winner.fan < self._money.least:
                errors.append(self._bad(f"winners[{place}].fan", winner.seat, why="below_least"))
            elif winner.hand is None and winner.fan < (self.rules.min_fan or 0):
                errors.append(self._error("not_a_win", seat=winner.seat))
        giver = win.giver
        if giver is not None:
            errors += self._acts(giver, "bad_from")
            if any(w.seat == giver for w in win.winners):
                errors.append(self._error("bad_from", seat=giver))
        if win.by == ROB_KONG:
            if win.last_tile:
                errors.append(self._error("impossible_win", why="rob_kong_last_tile"))
            if not (last and last.robbed and last.seat == giver):
                errors.append(self._error("bad_event_order", why="no_robbed_kong"))
        if win.kong_discard and not (kong and kong.seat == giver):
            errors.append(self._error("bad_event_order", why="no_kong_before"))
        if win.after_kong is not None:
            seat = win.winners[0].seat
            if not (kong and kong.seat == seat and kong.kind == win.after_kong):
                errors.append(self._error("bad_event_order", why="no_kong_before"))
        return errors

    def _kong_before(self, by: str) -> Kong | None:
        """The kong that a win speaks of (杠上花, 杠上炮), if it is where it has to be.

        Of a robbed kong that is the one before it.
        """
        event = self._before_last if by == ROB_KONG else self._last
        return event if isinstance(event, Kong) and not event.robbed else None

    def _check_false_win(self, false_win: FalseWin) -> list[Error]:
        return self._acts(false_win.seat, "seat_already_won")

    def _check_escape(self, escape: Escape) -> list[Error]:
        for gone, why in ((self._left, "left"), (self._out, "out")):
            if gone[escape.seat]:
                return [self._error("not_allowed", seat=escape.seat, why=why)]
        return []

    def _check_agreed(self, agreed: Agreed) -> list[Error]:
        if agreed.source == agreed.target:
            return [self._error("bad_from", seat=agreed.source)]
        return []

    def _check_draw(self, draw: Draw) -> list[Error]:
        errors: list[Error] = []
        for seat, standing in enumerate(draw.hands):
            if standing is None:
                if not self._won[seat] and not self._out[seat]:
                    errors.append(self._error("missing_hand", seat=seat))
                continue
            errors += self._acts(seat, "seat_already_won")
            if standing.state != READY:
                if self._won[seat] and self._money.winners_stay:
                    errors.append(self._bad(f"hands.{seat}.state", seat, why="winner_is_ready"))
            elif standing.fan < self._money.least:
                errors.append(self._bad(f"hands.{seat}.fan", seat, why="below_least"))
        return errors

    # Hands that were laid open.

    def _open_after(self, event: WinEvent | Draw) -> tuple[list[_Shown | None], list[_Robbed]]:
        """The hands that lie open after an event, and the tiles robbed so far."""
        shown, robbed = list(self._shown), list(self._robbed)
        if isinstance(event, Draw):
            for seat, standing in enumerate(event.hands):
                if standing is not None and standing.hand is not None:
                    shown[seat] = _Shown(standing.hand, None)
            return shown, robbed
        for winner in event.winners:
            if winner.hand is not None:
                taken = None if event.by == SELF_DRAW else self._index
                shown[winner.seat] = _Shown(winner.hand, taken)
                if event.by == ROB_KONG and event.giver is not None:
                    robbed.append((event.giver, winner.hand.win_tile))
        return shown, robbed

    def _check_tiles(self, event: WinEvent | Draw) -> list[Error]:
        """Five of a kind over all that lies open."""
        shown, robbed = self._open_after(event)
        counts = [0] * len(TILE_NAMES)
        takers: set[tuple[int, Tile | None]] = set()
        joker = self.rules.joker_tile
        for each in shown:
            if each is None:
                continue
            for tile in each.hand.concealed:
                counts[tile] += 1
            for meld in each.hand.melds:
                counts[meld.tile] += meld.size - meld.jokers
                if joker is not None:
                    counts[joker] += meld.jokers
            if each.taken is not None and each.hand.win_tile is not None:
                # What several took from one discard is one tile.
                key = (each.taken, each.hand.win_tile)
                counts[each.hand.win_tile] -= key in takers
                takers.add(key)
        for seat, taken in set(robbed):
            # The robbed player may still show the void kong: its fourth tile is the winner's.
            each = shown[seat]
            if taken is not None and each is not None:
                kongs = {m.tile for m in each.hand.melds if m.kind == ADDED_KONG}
                counts[taken] -= taken in kongs
        return [
            self._error("impossible_tiles", tile=TILE_NAMES[tile])
            for tile, count in enumerate(counts)
            if count > COPIES
        ]

    def _check_suits(self, event: WinEvent | Draw) -> list[Error]:
        """More suits over all hands of the round than the table plays with."""
        if len(self._suits_after(event)) <= self.rules.suits:
            return []
        return [self._error("too_many_suits", suits=self.rules.suits)]

    def _suits_after(self, event: WinEvent | Draw) -> set[int]:
        """The suits of all hands shown so far, an event's among them."""
        hands = (each.hand for each in self._open_after(event)[0] if each is not None)
        return self.suits.union(*(suits_shown(hand, self.rules.joker_tile) for hand in hands))

    def _lay_open(self, event: WinEvent | Draw) -> None:
        """Take the hands that an event shows; warn of booked kongs that they do not show."""
        before = self._shown
        self.suits = self._suits_after(event)
        self._shown, self._robbed = self._open_after(event)
        for seat, shown in enumerate(self._shown):
            if shown is not None and shown is not before[seat]:
                self._compare_kongs(seat, shown.hand)

    def _compare_kongs(self, seat: Seat, hand: Hand) -> None:
        """Warn of every booked kong that the hand does not show."""
        kongs = [m for m in hand.melds if m.is_kong]
        booked = sorted((b.kong for b in self._kongs[seat]), key=lambda k: k.tile is None)
        for kong in booked:
            for meld in kongs:
                if meld.kind == kong.kind and kong.tile in (None, meld.tile):
                    kongs.remove(meld)
                    break
            else:
                tile = None if kong.tile is None else TILE_NAMES[kong.tile]
                self._warnings.append(
                    self._error("kong_not_shown", seat=seat, kind=kong.kind, tile=tile)
                )

    # The money.

    def _pay(
        self,
        source: Seat,
        target: Seat | None,
        cents: Cents,
        reason: str,
        why: Why | None = None,
        note: str = "",
    ) -> None:
        if cents:
            self._rows.append(Transfer(self._index, source, target, cents, reason, why, note))

    def _check_copies(self, kong: Kong) -> None:
        """Warn of a second kong of a tile; jokers may stand in for it."""
        if kong.tile is None or self.rules.joker_tile is not None:
            return
        if kong.tile in self._konged:
            self._warnings.append(self._error("impossible_tiles", tile=TILE_NAMES[kong.tile]))
        self._konged.add(kong.tile)

    def _kong(self, kong: Kong) -> None:
        self._check_copies(kong)
        if kong.robbed:
            return
        money, seat, kind = self._money, kong.seat, kong.kind
        income: list[tuple[Seat, Cents]] = []
        for payer in self._others(seat):
            if kind == EXPOSED_KONG:
                cents = money.exposed if payer == kong.giver else money.exposed_others
            elif kind == ADDED_KONG:
                cents = 0 if kong.late and money.late_free else money.added
            else:
                cents = money.concealed
            if cents:
                self._rows.append(Transfer(self._index, payer, seat, cents, kind))
                income.append((payer, cents))
        self._kongs[seat].append(_Booked(kong, tuple(income)))
        self._kong_fan[seat] += money.kong_fan[kind]

    def _win(self, win: WinEvent) -> None:
        money, own = self._money, self._kong_fan
        for winner in win.winners:
            seat, fan = winner.seat, money.capped(winner.fan)
            payer, payers = self._payers(win, winner)
            drawn = winner.drawn
            if drawn is None:
                drawn = win.by == SELF_DRAW and not self._bloomed(win, "discard")
            for each in payers:
                cents = money.points(fan, own[each], drawn=drawn)
                source = each if payer is None else payer
                share_of = None if source == each else each
                why = money.why(fan, own[each], drawn=drawn)._replace(share_of=share_of)
                self._pay(source, seat, cents, WIN, why)
        if win.kong_discard and win.giver is not None:
            self._move_income(win.giver, [w.seat for w in win.winners])
        if self._first_win is None:
            self._first_win = win
        for winner in win.winners:
            self._won[winner.seat] = True
            self._fans[winner.seat].append(money.capped(winner.fan))
        ends = self.rules.round_ends
        self.ended = ends == "first_win" or (
            (ends == "three_wins" or not money.winners_stay) and self._unwon < 2
        )

    def _bloomed(self, win: WinEvent, *ways: str) -> bool:
        """Whether a win is a 点杠花 that is paid in one of these ways."""
        return win.after_kong == EXPOSED_KONG and self.rules.bloom in ways

    def _payers(self, win: WinEvent, winner: Winner) -> tuple[Seat | None, list[Seat]]:
        """Who pays everything, if one player does, and whose shares are paid."""
        others = self._others(winner.seat)
        if winner.four_jokers:
            return None, others
        if win.giver is not None:
            return win.giver, [win.giver]
        if win.after_kong == EXPOSED_KONG and not self._bloomed(win, "self_draw"):
            assert isinstance(self._last, Kong) and self._last.giver is not None
            giver = self._last.giver
            return giver, others if self._bloomed(win, "giver_pays_all") else [giver]
        return None, others

    @property
    def _unwon(self) -> int:
        """How many are in the round and have not won."""
        return sum(not won and not out for won, out in zip(self._won, self._out, strict=True))

    def _move_income(self, seat: Seat, winners: list[Seat]) -> None:
        """呼叫转移: what a player's last kong brought, or all of them, goes on or back."""
        how = self.rules.kong_transfer
        several = len(winners) > 1 and not self.rules.kong_transfer_several
        if how == "none" or (several and how != "undo"):
            return
        booked = self._kongs[seat] if how == "all" else self._kongs[seat][-1:]
        income = sum(cents for each in booked for _, cents in each.income)
        if how == "undo":
            self._give_back(seat, booked, KONG_UNDO)
        elif how == "split":
            step = 100 if self._money.base % 100 == 0 else 1
            share = income // step // len(winners) * step
            rest = income - share * len(winners)
            nearest = min(winners, key=lambda w: (w - seat) % len(self.seats))
            for winner in winners:
                self._pay(seat, winner, share + rest * (winner == nearest), KONG_TRANSFER)
        else:
            for winner in winners:
                self._pay(seat, winner, income, KONG_TRANSFER)
        self._kongs[seat][-len(booked) :] = [each._replace(income=()) for each in booked]

    def _give_back(self, seat: Seat, booked: Iterable[_Booked], reason: str) -> None:
        """Kong income goes back to who paid it; what is due to a false winner stays."""
        for each in booked:
            for payer, cents in each.income:
                if not self._out[payer]:
                    self._pay(seat, payer, cents, reason)

    def _false_win(self, false_win: FalseWin) -> None:
        """诈和."""
        seat, rules = false_win.seat, self.rules.false_win
        cents = rules.points * self._money.base
        payees = self._others(seat) if rules.to == "unwon" else [None]
        for payee in payees:
            self._pay(seat, payee, cents, FALSE_WIN)
        if rules.returns_kongs:
            self._give_back(seat, self._kongs[seat], REFUND)
            self._kongs[seat] = [each._replace(income=()) for each in self._kongs[seat]]
        self._out[seat] = True
        self.ended = len(self._others(seat)) < 2

    def _agreed(self, agreed: Agreed) -> None:
        """约定付款."""
        self._pay(agreed.source, agreed.target, agreed.cents, AGREED, note=agreed.note)

    def _escape(self, escape: Escape) -> None:
        seat = escape.seat
        self._left[seat] = True
        if self._won[seat]:
            back = [row for row in self._rows if row.reason == WIN and row.target == seat]
            for row in back:
                self._pay(seat, row.source, row.cents, FORFEIT)
            return
        units = self.rules.runaway_points
        for other in self.seats:
            if other != seat and not self._won[other] and not self._out[other]:
                best = escape.best[other] if escape.last_four and escape.best else 0
                self._pay(seat, other, max(units, best) * self._money.base, ESCAPE)
        self.ended = True

    def _draw(self, draw: Draw) -> None:
        rules, flow = self.rules, self._money.winners_stay
        standings: list[Standing | None] = list(draw.hands)
        if flow:
            for seat in self.seats:
                if self._won[seat] and not self._out[seat] and standings[seat] is None:
                    fan = max(self._fans[seat])
                    standings[seat] = Standing(READY, fan, best=fan)
        self._standings = standings
        state = [None if s is None else s.state for s in standings]
        ready = [s for s in self.seats if state[s] == READY]
        not_ready = [s for s in self.seats if state[s] == NOT_READY]
        pigs = [s for s in self.seats if state[s] == FLOWER_PIG]
        self._pigs(pigs, ready, standings)
        if rules.call_check != "none":
            self._call_check(pigs, not_ready, ready, standings)
        if rules.difference:
            self._difference(ready, standings)
        if rules.refund:
            for seat in sorted(not_ready + pigs):
                self._give_back(seat, self._kongs[seat], REFUND)
        self.ended = True

    def _value(self, standing: Standing, payer: Seat | None = None) -> Cents:
        """What a ready hand is worth in the check, against a payer's own kongs."""
        kongs = 0 if payer is None else self._kong_fan[payer]
        return self._money.points(standing.fan, kongs, drawn=standing.drawn)

    def _pigs(
        self, pigs: list[Seat], ready: list[Seat], standings: Sequence[Standing | None]
    ) -> None:
        """查花猪."""
        rules, money = self.rules, self._money
        times = rules.pig.times_best
        for pig in pigs:
            if rules.pig.to == "nobody":
                self._pay(pig, None, money.pig, FLOWER_PIG)
                continue
            for other in self.seats:
                if other in pigs or self._out[other]:
                    continue
                if rules.pig.to == "unwon" and self._won[other]:
                    continue
                if rules.pig.to == "ready" and other not in ready:
                    continue
                cents, why = money.pig, None
                standing = standings[other]
                if times and standing is not None and standing.state == READY:
                    value = times * self._value(standing, pig)
                    if value > cents:
                        cents = value
                        own = self._kong_fan[pig]
                        why = money.why(standing.fan, own, drawn=standing.drawn)
                        why = why._replace(times=times)
                self._pay(pig, other, cents, FLOWER_PIG, why)

    def _call_check(
        self,
        pigs: list[Seat],
        not_ready: list[Seat],
        ready: list[Seat],
        standings: Sequence[Standing | None],
    ) -> None:
        """查叫 (查大叫)."""
        payers = sorted(not_ready + pigs) if self.rules.pig.also_not_ready else not_ready
        takers: dict[Seat, Standing] = {}
        for seat in ready:
            standing = standings[seat]
            if standing is not None and not standing.waived:
                takers[seat] = standing
        if self.rules.call_check_winners and not self._money.winners_stay:
            for seat in self.seats:
                if self._won[seat]:
                    takers[seat] = Standing(READY, max(self._fans[seat]))
        for payer in payers:
            for seat, standing in sorted(takers.items()):
                own = self._kong_fan[payer]
                why = self._money.why(standing.fan, own, drawn=standing.drawn)
                self._pay(payer, seat, self._value(standing, payer), NOT_READY, why)

    def _difference(self, ready: list[Seat], standings: Sequence[Standing | None]) -> None:
        """补差价."""
        values = {s: (self._value(x), x) for s in ready if (x := standings[s]) is not None}
        for low, (less, small) in values.items():
            for high, (more, big) in values.items():
                if less < more and not big.waived:
                    why = self._money.why(big.fan, drawn=big.drawn)
                    why = why._replace(than=self._money.capped(small.fan))
                    self._pay(low, high, more - less, DIFFERENCE, why)

    # What follows.

    def _seat(self, seat: Seat) -> SeatResult:
        standing = self._standings[seat]
        state = WON if self._won[seat] else None if standing is None else standing.state
        return SeatResult(state, tuple(self._fans[seat]), standing, self._left[seat])

    def _next_dealer(self) -> Seat:
        first, after = self._first_win, (self.dealer + 1) % len(self.seats)
        if self.rules.next_dealer == "rotate":
            return after
        if first is None:
            return after if self.rules.nobody_won == "next" else self.dealer
        if len(first.winners) == 1:
            return first.winners[0].seat
        assert first.giver is not None
        return first.giver


#: How each kind of event is played, and what may be wrong with it.
_PLAYS: dict[type[Event], Callable[[Replay, Any], None]] = {
    Kong: Replay._kong,
    WinEvent: Replay._win,
    FalseWin: Replay._false_win,
    Escape: Replay._escape,
    Draw: Replay._draw,
    Agreed: Replay._agreed,
}
_CHECKS: dict[type[Event], Callable[[Replay, Any], list[Error]]] = {
    Kong: Replay._check_kong,
    WinEvent: Replay._check_win,
    FalseWin: Replay._check_false_win,
    Escape: Replay._check_escape,
    Draw: Replay._check_draw,
    Agreed: Replay._check_agreed,
}


def settle(rules: Rules, events: Iterable[Event], dealer: Seat = 0) -> Settlement:
    """Settle a round (结算一局): replay its events from the first.

    Never raises for a round that cannot have happened: ``errors`` tells of the first bad event,
    and everything else speaks of the events before it.

    >>> from .rules import load
    >>> settle(load("laok"), [WinEvent("self_draw", (Winner(0, 2),))]).totals
    (3600, -1200, -1200, -1200)
    """
    replay = Replay(rules, dealer)
    for event in events:
        if replay.play(event):
            break
    return replay.result()


def pairwise(rows: Iterable[Transfer]) -> tuple[Payment, ...]:
    """Who owes whom once what each two players owe each other is netted.

    >>> pairwise([Transfer(0, 0, 1, 300, "win"), Transfer(1, 1, 0, 100, "win")])
    (Payment(source=0, target=1, cents=200),)
    """
    net: dict[tuple[Seat, Seat], Cents] = {}
    fines: dict[Seat, Cents] = {}
    for row in rows:
        source, target = row.source, row.target
        if target is None:
            fines[source] = fines.get(source, 0) + row.cents
        elif source < target:
            net[source, target] = net.get((source, target), 0) + row.cents
        else:
            net[target, source] = net.get((target, source), 0) - row.cents
    out = [
        Payment(a, b, cents) if cents > 0 else Payment(b, a, -cents)
        for (a, b), cents in sorted(net.items())
        if cents
    ]
    return (*out, *(Payment(seat, None, cents) for seat, cents in sorted(fines.items())))


def _cancelling(amounts: Sequence[Cents]) -> list[list[int]]:
    """The most groups of places whose amounts cancel out; those of nothing are in none.

    >>> _cancelling((500, -500, 0, 300, -300))
    [[0, 1], [3, 4]]
    """
    owing = [place for place, cents in enumerate(amounts) if cents]
    bits = [1 << n for n in range(len(owing))]
    sums, most = [0], [0]  # by the set of places, one bit each
    for chosen in range(1, 1 << len(owing)):
        lowest = (chosen & -chosen).bit_length() - 1
        sums.append(sums[chosen & (chosen - 1)] + amounts[owing[lowest]])
        best = max(most[chosen ^ bit] for bit in bits if chosen & bit)
        most.append(best + (not sums[chosen]))
    groups: list[list[int]] = []
    rest, group = len(sums) - 1, list[int]()
    while rest:
        if group and not sums[rest]:
            group = []
        # Whoever can go without a group being lost goes into the one that is being taken apart.
        worth = most[rest] - (not sums[rest])
        place = next(n for n, bit in enumerate(bits) if rest & bit and most[rest ^ bit] == worth)
        if not group:
            groups.append(group)
        group.append(owing[place])
        rest ^= bits[place]
    return groups


def fewest_transfers(totals: Sequence[Cents]) -> tuple[Payment, ...]:
    """A smallest set of payments that settles these totals (最少几笔付清).

    What is missing to zero goes to nobody (a penalty).  A group that cancels out among itself needs
    one payment fewer than it has members, so the most groups make the fewest payments.

    Raises :class:`ValueError` where the totals add up to more than nothing.

    >>> fewest_transfers((500, -500, 300, -300))
    (Payment(source=1, target=0, cents=500), Payment(source=3, target=2, cents=300))
    """
    if sum(totals) > 0:
        raise ValueError("nobody pays")
    left = [*totals, -sum(totals)]
    nobody = len(totals)
    out: list[Payment] = []
    for group in _cancelling(left):
        for _ in range(len(group) - 1):
            payer = min(group, key=left.__getitem__)
            taker = max(group, key=left.__getitem__)
            cents = min(-left[payer], left[taker])
            if not cents:
                break
            left[payer] += cents
            left[taker] -= cents
            out.append(Payment(payer, None if taker == nobody else taker, cents))
    return tuple(sorted(out, key=lambda p: (p.source, p.target is None, p.target or 0)))
