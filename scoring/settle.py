"""Settlement (结算): what happened in a round → who pays whom, coin by coin.

A round is a list of events (杠, 胡, 逃跑, 流局), replayed from the first.  A :class:`Replay` takes
them one by one, refuses the first that cannot have happened, and keeps what stood before it.
Money is counted in whole hundredths of a point (``cents``), so nothing is ever rounded.

Hands are valued elsewhere: here a winner comes with his 番, a ready player with the 番 of the wait
that counts.  What a system pays and its sources stand in its file (``rulesets/``).

>>> from .rules import load
>>> events = [Kong(1, "concealed_kong"), WinEvent("discard", (Winner(0, 3),), giver=2)]
>>> settle(load("chengdu"), events).totals
(600, 600, -1000, -200)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from .hand import (
    ADDED_KONG,
    EXPOSED_KONG,
    KONGS,
    MAX_MELDS,
    ROB_KONG,
    SELF_DRAW,
    Hand,
)
from .rules import Rules
from .tiles import COPIES, TILE_NAMES, TILES, Tile

Seat = int
#: Hundredths of a point.
Cents = int
Error = dict[str, Any]

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
FORFEIT = "forfeit"
#: Every reason a transfer can have, in the order of the tables.
REASONS: tuple[str, ...] = (
    *KONGS, KONG_TRANSFER, KONG_UNDO, WIN, FORFEIT, ESCAPE,
    FLOWER_PIG, NOT_READY, DIFFERENCE, REFUND,
)  # fmt: skip

#: The tables (结算表): what each adds up.
TABLES: dict[str, tuple[str, ...]] = {
    "kong": (*KONGS, KONG_TRANSFER, KONG_UNDO),
    "win": (WIN, FORFEIT),
    "escape": (ESCAPE,),
    FLOWER_PIG: (FLOWER_PIG,),
    NOT_READY: (NOT_READY,),
    DIFFERENCE: (DIFFERENCE,),
    REFUND: (REFUND,),
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

    ``hand`` is what was laid open, if it was.  ``extra`` is what each payer adds in units of base,
    None where the rules decide it (自摸加底).  ``four_jokers``: everybody pays, whatever the way.
    """

    seat: Seat
    fan: int
    hand: Hand | None = None
    extra: int | None = None
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
    best: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player shows when the wall is empty (流局).

    ``state`` is ``ready`` (下叫), ``not_ready`` (没叫) or ``flower_pig`` (花猪).  ``fan`` is the 番
    of the wait that 查叫 counts, ``extra`` what a base bonus adds to it in units of base.
    ``best`` and ``tile`` tell of the best wait for display, ``assumed`` of the values that ``fan``
    is made of and the source does not state.
    """

    state: str
    fan: int = 0
    extra: int = 0
    waived: bool = False
    best: int | None = None
    tile: Tile | None = None
    hand: Hand | None = None
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """流局: the wall is empty; what each seat shows, None for those who need not."""

    hands: tuple[Standing | None, Standing | None, Standing | None, Standing | None]


Event = Kong | WinEvent | Escape | Draw


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
    """One payment; ``target`` is None for a penalty that nobody receives."""

    event: int
    source: Seat
    target: Seat | None
    cents: Cents
    reason: str
    why: Why | None = None


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
    def totals(self) -> tuple[Cents, Cents, Cents, Cents]:
        """What each seat won or lost."""
        sums = [0, 0, 0, 0]
        for row in self.rows:
            sums[row[1]] -= row[3]
            if row[2] is not None:
                sums[row[2]] += row[3]
        return (sums[0], sums[1], sums[2], sums[3])

    @cached_property
    def tables(self) -> dict[str, tuple[Cents, ...]]:
        """What each seat won or lost by table; a fifth number is what went to nobody."""
        found = {table: [0] * 5 for table in TABLES}
        for row in self.rows:
            sums = found[_TABLE_OF[row.reason]]
            sums[row.source] -= row.cents
            sums[4 if row.target is None else row.target] += row.cents
        return {table: tuple(sums) for table, sums in found.items()}

    @cached_property
    def running(self) -> tuple[tuple[Cents, ...], ...]:
        """The balance of the four seats after each event that was taken."""
        sums = [0] * 4
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
        self.table: dict[int, Cents] = {}
        self.pig = rules.pig_points * base

    def points(self, fan: int, kongs: int = 0) -> Cents:
        """What one payer pays for ``fan`` of the winner and ``kongs`` 番 of his own."""
        if self.cap is not None and fan > self.cap:
            fan = self.cap
        fan += kongs
        cents = self.table.get(fan)
        if cents is None:
            cents = self.table[fan] = self.rules.multiple(fan) * self.base
        return cents

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
_WRONG_ANYWHERE = frozenset(("bad_from", "bad_field", "impossible_tiles"))

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
        self._money = _money(rules)
        self._rows: list[Transfer] = []
        self._index = 0
        self._last: Event | None = None
        self._last_income: _Booked | None = None
        self._won = [False] * 4
        self._left = [False] * 4
        self._fans: list[list[int]] = [[], [], [], []]
        self._kongs: list[list[_Booked]] = [[], [], [], []]
        self._kong_fan = [0, 0, 0, 0]
        self._konged: set[Tile] = set()
        self._first_win: WinEvent | None = None
        self._shown: list[_Shown | None] = [None] * 4
        self._robbed: list[_Robbed] = []
        self._standings: list[Standing | None] = [None] * 4
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
        if isinstance(event, Kong):
            self._kong(event)
        elif isinstance(event, WinEvent):
            if _shows(event):
                self._lay_open(event)
            self._win(event)
        elif isinstance(event, Escape):
            self._escape(event)
        else:
            if _shows(event):
                self._lay_open(event)
            self._draw(event)
        self._last = event
        self._index += 1
        return []

    def check(self, event: Event) -> list[Error]:
        """What is wrong with an event if it comes next; nothing changes."""
        last = self._last
        if isinstance(last, Kong) and last.robbed:
            by, giver = (event.by, event.giver) if isinstance(event, WinEvent) else (None, None)
            if errors := self.pending(by, giver):
                return errors
        if self.ended:
            return [self._error("bad_event_order", why="after_end")]
        if isinstance(event, Kong):
            return self._check_kong(event)
        if isinstance(event, WinEvent):
            return self._check_win(event) or (self._check_tiles(event) if _shows(event) else [])
        if isinstance(event, Escape):
            return self._check_escape(event)
        return self._check_draw(event) or (self._check_tiles(event) if _shows(event) else [])

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
            seats=tuple(self._seat(s) for s in SEATS),
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
        if self._left[seat] and self._money.winners_stay:
            return [self._error("not_allowed", seat=seat, why="left")]
        if self._won[seat] and not self._money.winners_stay:
            return [self._error(code, seat=seat)]
        return []

    def _others(self, seat: Seat) -> list[Seat]:
        """Everybody else who still pays: the unwon, in 血流 the winners too."""
        if self._money.winners_stay:
            left = self._left
            return [s for s in SEATS if s != seat and not left[s]]
        won = self._won
        return [s for s in SEATS if s != seat and not won[s]]

    def _check_kong(self, kong: Kong) -> list[Error]:
        errors = self._acts(kong.seat, "seat_already_won")
        if not kong.robbed and len(self._kongs[kong.seat]) >= MAX_MELDS:
            errors.append(self._error("too_many_melds", seat=kong.seat, count=MAX_MELDS + 1))
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
        standing = last if last is not None and not last.robbed else None
        for place, winner in enumerate(win.winners):
            errors += self._acts(winner.seat, "seat_already_won")
            if winner.fan < self._money.least:
                errors.append(self._bad(f"winners[{place}].fan", winner.seat, why="below_least"))
        giver = win.giver
        if giver is not None:
            errors += self._acts(giver, "bad_from")
            if any(w.seat == giver for w in win.winners):
                errors.append(self._error("bad_from", seat=giver))
        if win.by == ROB_KONG and not (last and last.robbed and last.seat == giver):
            errors.append(self._error("bad_event_order", why="no_robbed_kong"))
        if win.kong_discard and not (standing and standing.seat == giver):
            errors.append(self._error("bad_event_order", why="no_kong_before"))
        if win.after_kong is not None:
            seat = win.winners[0].seat
            if not (standing and standing.seat == seat and standing.kind == win.after_kong):
                errors.append(self._error("bad_event_order", why="no_kong_before"))
        return errors

    def _check_escape(self, escape: Escape) -> list[Error]:
        if self._left[escape.seat]:
            return [self._error("not_allowed", seat=escape.seat, why="left")]
        return []

    def _check_draw(self, draw: Draw) -> list[Error]:
        errors: list[Error] = []
        for seat, standing in enumerate(draw.hands):
            if standing is None:
                if not self._won[seat]:
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
        counts = [0] * len(TILES)
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
            for tile in TILES
            if counts[tile] > COPIES
        ]

    def _lay_open(self, event: WinEvent | Draw) -> None:
        """Take the hands that an event shows; warn of booked kongs that they do not show."""
        before = self._shown
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
        self, source: Seat, target: Seat | None, cents: Cents, reason: str, why: Why | None = None
    ) -> None:
        if cents:
            self._rows.append(Transfer(self._index, source, target, cents, reason, why))

    def _check_copies(self, kong: Kong) -> None:
        """Warn of a second kong of a tile; jokers may stand in for it."""
        if kong.tile is None or self.rules.joker_tile is not None:
            return
        if kong.tile in self._konged:
            self._warnings.append(self._error("impossible_tiles", tile=TILE_NAMES[kong.tile]))
        self._konged.add(kong.tile)

    def _kong(self, kong: Kong) -> None:
        self._last_income = None
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
        booked = self._last_income = _Booked(kong, tuple(income))
        self._kongs[seat].append(booked)
        self._kong_fan[seat] += money.kong_fan[kind]

    def _win(self, win: WinEvent) -> None:
        money, own = self._money, self._kong_fan
        for winner in win.winners:
            seat, fan = winner.seat, money.capped(winner.fan)
            payer = win.giver  # who pays everything, if one player does
            extra = 0
            if winner.four_jokers:
                payer, payers = None, self._others(seat)
            elif payer is not None:
                payers = [payer]
            else:
                payers = self._others(seat)
                extra = int(self.rules.self_draw_bonus == "base")
                if win.after_kong == EXPOSED_KONG and self.rules.bloom != "self_draw":
                    assert isinstance(self._last, Kong) and self._last.giver is not None
                    payer = self._last.giver
                    if self.rules.bloom == "discard":
                        payers, extra = [payer], 0
            if winner.extra is not None:
                extra = winner.extra
            for each in payers:
                cents = money.points(fan, own[each]) + extra * money.base
                source = each if payer is None else payer
                share_of = None if source == each else each
                self._pay(source, seat, cents, WIN, Why(fan, own[each], extra, 1, share_of))
        if win.kong_discard and self._last_income is not None:
            self._move_income(self._last_income, [w.seat for w in win.winners])
        if self._first_win is None:
            self._first_win = win
        for winner in win.winners:
            self._won[winner.seat] = True
            self._fans[winner.seat].append(money.capped(winner.fan))
        distinct = sum(self._won)
        ends = self.rules.round_ends
        self.ended = ends == "first_win" or (
            distinct >= 3 and (ends == "three_wins" or not money.winners_stay)
        )

    def _move_income(self, booked: _Booked, winners: list[Seat]) -> None:
        """呼叫转移: the income of the last kong goes to the winners, or back."""
        how, seat = self.rules.kong_transfer, booked.kong.seat
        if how == "none":
            return
        income = sum(cents for _, cents in booked.income)
        if how == "undo":
            for payer, cents in booked.income:
                self._pay(seat, payer, cents, KONG_UNDO)
        elif how == "each":
            for winner in winners:
                self._pay(seat, winner, income, KONG_TRANSFER)
        else:
            step = 100 if self._money.base % 100 == 0 else 1
            share = income // step // len(winners) * step
            rest = income - share * len(winners)
            nearest = min(winners, key=lambda w: (w - seat) % 4)
            for winner in winners:
                self._pay(seat, winner, share + rest * (winner == nearest), KONG_TRANSFER)
        kongs = self._kongs[seat]
        kongs[kongs.index(booked)] = booked._replace(income=())

    def _escape(self, escape: Escape) -> None:
        seat = escape.seat
        self._left[seat] = True
        if self._won[seat]:
            back = [row for row in self._rows if row.reason == WIN and row.target == seat]
            for row in back:
                self._pay(seat, row.source, row.cents, FORFEIT)
            return
        units = self.rules.runaway_points
        for other in SEATS:
            if other != seat and not self._won[other]:
                best = escape.best[other] if escape.last_four else 0
                self._pay(seat, other, max(units, best) * self._money.base, ESCAPE)
        self.ended = True

    def _draw(self, draw: Draw) -> None:
        rules, money = self.rules, self._money
        flow = money.winners_stay
        standings: list[Standing | None] = list(draw.hands)
        if flow:
            for seat in SEATS:
                if self._won[seat] and standings[seat] is None:
                    fan = max(self._fans[seat])
                    standings[seat] = Standing(READY, fan, best=fan)
        self._standings = standings
        state = [None if s is None else s.state for s in standings]
        ready = [s for s in SEATS if state[s] == READY]
        pigs = [s for s in SEATS if state[s] == FLOWER_PIG]
        self._pigs(pigs, ready, standings)
        if rules.call_check != "none":
            self._call_check(pigs, [s for s in SEATS if state[s] == NOT_READY], ready, standings)
        if rules.difference:
            self._difference(ready, standings)
        if rules.refund:
            for seat in SEATS:
                if state[seat] in (NOT_READY, FLOWER_PIG):
                    for booked in self._kongs[seat]:
                        for payer, cents in booked.income:
                            self._pay(seat, payer, cents, REFUND)
        self.ended = True

    def _value(self, standing: Standing, payer: Seat | None = None) -> Cents:
        """What a ready hand is worth in the check, against a payer's own kongs."""
        kongs = 0 if payer is None else self._kong_fan[payer]
        return self._money.points(standing.fan, kongs) + standing.extra * self._money.base

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
            for other in SEATS:
                if other in pigs:
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
                        why = Why(
                            money.capped(standing.fan), self._kong_fan[pig], standing.extra, times
                        )
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
            for seat in SEATS:
                if self._won[seat]:
                    takers[seat] = Standing(READY, max(self._fans[seat]))
        for payer in payers:
            for seat, standing in sorted(takers.items()):
                why = Why(self._money.capped(standing.fan), self._kong_fan[payer], standing.extra)
                self._pay(payer, seat, self._value(standing, payer), NOT_READY, why)

    def _difference(self, ready: list[Seat], standings: Sequence[Standing | None]) -> None:
        """补差价."""
        values = {s: (self._value(x), x) for s in ready if (x := standings[s]) is not None}
        for low, (less, small) in values.items():
            for high, (more, big) in values.items():
                if less < more and not big.waived:
                    capped = self._money.capped
                    why = Why(capped(big.fan), extra=big.extra, than=capped(small.fan))
                    self._pay(low, high, more - less, DIFFERENCE, why)

    # What follows.

    def _seat(self, seat: Seat) -> SeatResult:
        standing = self._standings[seat]
        state = WON if self._won[seat] else None if standing is None else standing.state
        return SeatResult(state, tuple(self._fans[seat]), standing, self._left[seat])

    def _next_dealer(self) -> Seat:
        first = self._first_win
        if first is None:
            return self.dealer
        if len(first.winners) == 1:
            return first.winners[0].seat
        assert first.giver is not None
        return first.giver


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
    fines = [0, 0, 0, 0]
    for row in rows:
        source, target = row.source, row.target
        if target is None:
            fines[source] += row.cents
        elif source < target:
            net[source, target] = net.get((source, target), 0) + row.cents
        else:
            net[target, source] = net.get((target, source), 0) - row.cents
    out = [
        Payment(a, b, cents) if cents > 0 else Payment(b, a, -cents)
        for (a, b), cents in sorted(net.items())
        if cents
    ]
    return (*out, *(Payment(seat, None, cents) for seat, cents in enumerate(fines) if cents))


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
