"""Any hand (手牌) → what can be said of it: a win, its waits, its best discards, how far it is.

:func:`analyse` answers a :class:`Query` with one of the frozen results of this module; the contract
writes them as JSON.  Nothing is rendered here: tiles are ints, words are ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from .hand import (
    BLESSINGS,
    DISCARD,
    EARTHLY,
    EXPOSED_KONG,
    HEAVENLY,
    ROB_KONG,
    SELF_DRAW,
    Hand,
    MeldSummary,
    Win,
    physical_count,
    summarise,
)
from .patterns import HAI_DI, MA, SI_JI, TERMS
from .rules import Rules
from .score import ScoredReading, Verdict, scorer
from .shanten import shanten
from .tiles import COPIES, SUIT_FIELDS, TILES, UNIT, Packed, Tile, count
from .waits import valued
from .work import current, spend

#: How many other readings an answer lists at most; with jokers there can be thousands.
MAX_ALTERNATIVES = 12


#: Reading a full hand in every way is as much work as valuing so many, with jokers that much more.
_READ = 4


@dataclass(frozen=True, slots=True)
class Query:
    """One question: a hand under rules, how it was won, and what else is known.

    ``void`` is the declared missing suit (定缺) as 0–2; ``seen`` are packed counts of tiles visible
    elsewhere; ``payer_kongs`` are the kongs of each payer, in turn order after the winner;
    ``horses`` are the tiles turned over for 买马.
    """

    rules: Rules
    hand: Hand
    win: Win = field(default_factory=Win)
    void: int | None = None
    seen: Packed = 0
    seat: int | None = None
    dealer: int | None = None
    payer_kongs: tuple[tuple[str, ...], ...] = ()
    horses: tuple[Tile, ...] = ()

    #: The summary of the melds, and how many jokers the hand holds, melds counted.
    melds: MeldSummary = field(init=False, compare=False, repr=False)
    jokers: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        melds, joker = summarise(self.hand.melds), self.rules.joker_tile
        jokers = 0 if joker is None else count(self.hand.packed, joker) + melds.jokers
        object.__setattr__(self, "melds", melds)
        object.__setattr__(self, "jokers", jokers)

    @property
    def four_jokers(self) -> bool:
        """四幺鸡: whether the jokers alone have won."""
        return self.jokers >= self.rules.jokers_that_win

    def left(self, tile: Tile) -> int:
        """How many copies of a tile nobody can see yet, 0–4."""
        mine = physical_count(self.hand, tile, self.rules.joker_tile)
        return max(0, 4 - mine - count(self.seen, tile))


class WinPayment(NamedTuple):
    """Who pays a win and how much each, in hundredths of a point.

    ``shares`` is how many players' shares are in it: the giver of a 直杠 may pay for all three.
    """

    who: str
    players: int
    cents: int
    shares: int = 1


class WinResult(NamedTuple):
    """和: a hand that wins, its best reading first among ``readings``.

    ``notes`` are code and parameters of what was asked for and counts nothing.
    """

    query: Query
    readings: tuple[ScoredReading, ...]
    payments: tuple[WinPayment, ...]
    assumed: tuple[str, ...]
    notes: tuple[dict[str, Any], ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict that counts."""
        return self.readings[0].verdict


@dataclass(frozen=True, slots=True)
class Wait:
    """叫: a tile that completes the hand, with copies left and its verdict."""

    tile: Tile
    left: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ReadyResult:
    """下叫: a hand one short that waits; best wait first."""

    query: Query
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard that leaves the hand ready, with its waits, best first."""

    tile: Tile
    waits: tuple[Wait, ...]


@dataclass(frozen=True, slots=True)
class NotWonResult:
    """A full count that does not win; best discard first.

    ``below_minimum``: its shape wins, for fewer fan than the table asks (起胡).
    """

    query: Query
    discards: tuple[Discard, ...]
    shanten: int | None
    flower_pig: bool
    below_minimum: bool = False


@dataclass(frozen=True, slots=True)
class NotReadyResult:
    """没叫: one short and not ready; ``useful`` are the tiles that bring it nearer."""

    query: Query
    shanten: int | None
    useful: tuple[tuple[Tile, int], ...]
    flower_pig: bool


@dataclass(frozen=True, slots=True)
class IncompleteResult:
    """Fewer tiles than a waiting hand has: ``missing`` up to the ready count."""

    query: Query
    missing: int


@dataclass(frozen=True, slots=True)
class ImpossibleResult:
    """A win that cannot have happened as told; ``whys`` are the contract's reasons."""

    query: Query
    whys: tuple[str, ...] = field(default_factory=tuple)


Result = (
    WinResult | ReadyResult | NotWonResult | NotReadyResult | IncompleteResult | ImpossibleResult
)


def impossible(query: Query) -> tuple[str, ...]:
    """Every reason why the win cannot have happened as told; empty when it can have.

    >>> from .hand import SELF_DRAW
    >>> from .notation import parse
    >>> from .rules import load
    >>> win = Win(SELF_DRAW, after_kong="concealed_kong")
    >>> impossible(Query(load("chengdu"), parse("11334466m557799p"), win))
    ('after_kong_without_kong',)
    """
    blessed = () if query.win.blessing is None else _no_blessing(query, query.win.blessing)
    return (*_no_such_way(query), *blessed)


def _no_such_way(query: Query) -> Iterator[str]:
    """Why nobody can have won that way."""
    win, hand, rules = query.win, query.hand, query.rules
    named = hand.win_tile if hand.named else None
    if win.after_kong is not None:
        if not win.self_drawn:
            yield "after_kong_not_self_draw"
        if all(meld.kind != win.after_kong for meld in hand.melds):
            yield "after_kong_without_kong"
    robbed = win.by == ROB_KONG
    if win.kong_discard and win.by != DISCARD and not (robbed and rules.kong_discard_robbed):
        yield "kong_discard_not_discard"
    if robbed and win.last_tile:
        yield "rob_kong_last_tile"
    if robbed and named is not None and rules.joker is None and physical_count(hand, named) > 1:
        yield "robbed_tile_held"
    if rules.joker_tile is not None and named == rules.joker_tile and not win.self_drawn:
        yield "joker_not_self_draw"


def _no_blessing(query: Query, name: str) -> Iterator[str]:
    """Why it can have been no 天胡 or 地胡."""
    win, rules = query.win, query.rules
    if query.hand.melds:
        yield f"{name}_with_meld"
    ways = _DI_HU_BY[rules.di_hu_by] if name == EARTHLY else (SELF_DRAW,)
    if win.by not in ways:
        on_discard = DISCARD in ways and SELF_DRAW not in ways
        yield "di_hu_not_discard" if on_discard else f"{name}_not_self_draw"
    known = query.seat is not None and query.dealer is not None
    if known and (query.seat == query.dealer) != (name == HEAVENLY):
        yield "tian_hu_not_dealer" if name == HEAVENLY else "di_hu_dealer"
    if win.after_kong is not None or win.kong_discard or win.by == ROB_KONG:
        yield "blessing_with_kong_bonus"
    if name in rules.refuses and rules.fan_of(name) is None:
        yield "blessing_refused"


#: 地胡: the ways of winning that are one.
_DI_HU_BY = {
    SELF_DRAW: (SELF_DRAW,),
    "first_discard": (DISCARD,),
    "both": (SELF_DRAW, DISCARD),
}


def flower_pig(query: Query) -> bool:
    """花猪: three suits in hand and melds, or a tile of the declared missing suit.

    Jokers have no suit.  With two suits in use nobody is one.
    """
    if query.rules.suits < len(SUIT_FIELDS):
        return False
    joker = query.rules.joker_tile
    present = query.hand.packed | query.melds.present
    if joker is not None:
        present -= count(query.hand.packed, joker) * UNIT[joker]
    suits = [s for s in range(3) if present & SUIT_FIELDS[s]]
    return len(suits) == 3 or query.void in suits


def horses_hit(horses: tuple[Tile, ...], seat: int, dealer: int, players: int = 4) -> int:
    """买马: how many horses point at a seat: number n points n − 1 seats on from the dealer.

    >>> horses_hit((2, 15), seat=2, dealer=0)
    2
    """
    return sum((dealer + tile % 9) % players == seat for tile in horses)


def _waits(query: Query, packed: Packed, by: Win) -> tuple[Wait, ...]:
    found = [
        Wait(tile, left, verdict)
        for tile, verdict in valued(packed, query.melds, scorer(query.rules, by), void=query.void)
        if (left := query.left(tile)) or query.rules.dead_waits != "seen"
    ]
    found.sort(key=lambda w: (-w.verdict.multiple, -w.verdict.uncapped_fan, -w.left, w.tile))
    return tuple(found)


def _shanten(query: Query) -> tuple[int | None, frozenset[Tile]]:
    left = query.left if query.rules.dead_waits == "seen" else None
    return shanten(query.hand.packed, query.melds, query.rules, void=query.void, left=left)


def _plain_win(win: Win) -> Win:
    """The way of winning without anything that happens only once: as waits are valued."""
    return Win(win.by if win.self_drawn else DISCARD)


def analyse(query: Query) -> Result:
    """What can be said of a hand without problems (see ``hand.problems``).

    Within one request (``work.bounded``) the same question is answered once; raises
    :class:`~scoring.work.TooMuchWork` past its limit.

    >>> from .notation import parse
    >>> from .rules import load
    >>> result = analyse(Query(load("chengdu"), parse("1113456666788s")))
    >>> [wait.tile for wait in result.waits]
    [19, 22, 24, 25]
    """
    work = current()
    return _analysed(query) if work is None else work.once(_analysed, query)


def _analysed(query: Query) -> Result:
    hand, rules = query.hand, query.rules
    if hand.missing > 1 and not query.four_jokers:
        return IncompleteResult(query, hand.missing - 1)
    if hand.missing == 0 or query.four_jokers:
        return _full(query)
    waits = _waits(query, hand.packed, _plain_win(query.win))
    if waits:
        return ReadyResult(query, waits)
    far, kinds = _shanten(query)
    if far is not None and rules.joker_tile is not None and query.jokers < COPIES:
        kinds |= {rules.joker_tile}  # a joker always brings a hand nearer
    useful = sorted(((t, query.left(t)) for t in kinds), key=lambda u: (-u[1], u[0]))
    return NotReadyResult(query, far, tuple(useful), flower_pig(query))


def _full(query: Query) -> Result:
    hand, rules, melds = query.hand, query.rules, query.melds
    win = query.win
    if query.horses and query.seat is not None and query.dealer is not None:
        win = replace(win, horses=horses_hit(query.horses, query.seat, query.dealer, rules.players))
    by = scorer(rules, win)
    spend(_READ * (1 + query.jokers))
    readings = by.readings(hand.packed, melds, win_tile=hand.win_tile, void=query.void)
    short = bool(readings) and _below_minimum(query, readings[0].verdict)
    if readings and not short:
        whys = impossible(query)
        if whys:
            return ImpossibleResult(query, whys)
        best = readings[0].verdict
        return WinResult(
            query,
            tuple(_distinct(readings)),
            payments(query, best),
            assumed(query, best),
            notes(query, best),
        )
    discards: list[Discard] = []
    plain = _plain_win(query.win)
    for tile in TILES:
        if count(hand.packed, tile) and tile != rules.joker_tile:
            waits = _waits(query, hand.packed - UNIT[tile], plain)
            if waits:
                discards.append(Discard(tile, waits))
    discards.sort(
        key=lambda d: (-d.waits[0].verdict.multiple, -sum(w.left for w in d.waits), d.tile)
    )
    if discards:
        far: int | None = 0
    else:
        far, _ = _shanten(query)
    return NotWonResult(query, tuple(discards), far, flower_pig(query), short)


def _below_minimum(query: Query, verdict: Verdict) -> bool:
    """起胡: whether a hand has too few fan to win; four jokers always win."""
    least = query.rules.min_fan
    return least is not None and verdict.uncapped_fan < least and not query.four_jokers


def _distinct(readings: list[ScoredReading]) -> list[ScoredReading]:
    """The best reading and the others that differ, the best of each division first."""
    if len(readings) == 1:
        return readings
    kept: list[ScoredReading] = []
    seen: set[Any] = set()
    for reading in readings:
        division = reading.division
        key = (
            None
            if division is None
            else (tuple(sorted(division.sets)), division.pair, division.pairs)
        )
        if key not in seen:
            seen.add(key)
            kept.append(reading)
        if len(kept) > MAX_ALTERNATIVES:
            break
    return kept


def payments(query: Query, verdict: Verdict) -> tuple[WinPayment, ...]:
    """Who pays for a win (谁付), in hundredths of a point each.

    For four jokers (四幺鸡) every other player pays, whatever the way.  With ``payer_kongs`` under
    杠进杠出 there is one row for each payer, since payers can differ; whoever has no list there has
    no kongs.  The one list of a giver who pays for all raises his own share.
    """
    rules, win = query.rules, query.win
    giver = _bloomed(win) and rules.bloom != "self_draw"
    others = rules.players - 1
    if query.four_jokers or (win.self_drawn and not giver):
        who, players, shares = "each_other", others, 1
    elif giver:
        who, players, shares = "giver", 1, others if rules.bloom == "giver_pays_all" else 1
    else:
        who, players, shares = ("robbed" if win.by == ROB_KONG else "discarder"), 1, 1
    if not rules.kong_in_out or not query.payer_kongs:
        return (WinPayment(who, players, verdict.multiple * rules.base_cents * shares, shares),)
    drawn = counts_as_drawn(query, verdict)
    missing: tuple[tuple[str, ...], ...] = ((),) * (players * shares - len(query.payer_kongs))
    units = [
        rules.multiple(verdict.fan + own)
        + (rules.self_draw_units(verdict.fan, own) if drawn else 0)
        for own in (kong_fan(rules, kongs) for kongs in (*query.payer_kongs, *missing))
    ]
    amounts = [each * rules.base_cents for each in units]
    if shares > 1 and len(query.payer_kongs) == 1:
        return (WinPayment(who, 1, sum(amounts), shares),)
    return tuple(WinPayment(who, 1, cents) for cents in amounts)


def _bloomed(win: Win) -> bool:
    """点杠花: a self-draw after a 直杠."""
    return win.self_drawn and win.after_kong == EXPOSED_KONG


def counts_as_drawn(query: Query, verdict: Verdict) -> bool:
    """Whether a win gets what a self-draw adds: four jokers may, a 点杠花 by ``bloom`` may not."""
    if verdict.patterns == (SI_JI,) or (_bloomed(query.win) and query.rules.bloom == "discard"):
        return False
    return query.win.self_drawn or query.four_jokers


def kong_fan(rules: Rules, kongs: tuple[str, ...]) -> int:
    """杠进杠出: the fan that a payer's own kongs add to what he pays."""
    return sum(rules.fan_of(kind) or 0 for kind in kongs)


def assumed(query: Query, verdict: Verdict) -> tuple[str, ...]:
    """The ids of the values that a win and its payments use and the source does not state (推定).

    A value that the table has set itself is no longer assumed.
    """
    rules = query.rules
    found = list(assumed_of(rules, verdict))
    if _bloomed(query.win) and "bloom" in rules.unstated:
        found.append("bloom")
    if rules.kong_in_out and rules.unstated and any(query.payer_kongs):
        found += (k for kongs in query.payer_kongs for k in kongs if k in rules.unstated_terms)
        if "kong_in_out" in rules.unstated:
            found.append("kong_in_out")
    return tuple(dict.fromkeys(found))


def assumed_of(rules: Rules, verdict: Verdict) -> tuple[str, ...]:
    """The ids of the values that a hand's own value is made of and the source does not state.

    >>> from .notation import parse
    >>> from .rules import load
    >>> from .score import value
    >>> hand = parse("22244455577799m").concealed
    >>> assumed_of(load("xueliu"), value(hand, rules=load("xueliu")))
    ('qing_dui', 'scale')
    """
    if not rules.unstated:
        return ()
    terms = rules.unstated_terms
    found = [line.id for line in verdict.terms if line.id in terms]
    if "scale" in rules.unstated:
        found.append("scale")
    return tuple(found)


def notes(query: Query, verdict: Verdict) -> tuple[dict[str, Any], ...]:
    """What was asked for and counts nothing: a code and the term it is about."""
    asked = [*_asked_for(query)]
    counted = {line.id for line in verdict.terms} if asked else set()
    found = [_why_not(query, verdict, term, counted) for term in asked if term not in counted]
    if query.payer_kongs and not query.rules.kong_in_out:
        found.append({"code": "kong_in_out_off"})
    return tuple(found)


def _asked_for(query: Query) -> Iterator[str]:
    """The bonuses that the way of winning would bring."""
    win = query.win
    if win.after_kong is not None:
        yield "gang_shang_hua"
    if win.kong_discard:
        yield "gang_shang_pao"
    if win.by == ROB_KONG:
        yield "qiang_gang"
    if win.last_tile:
        yield HAI_DI
    if win.last_copy:
        yield "jue_zhang"
    if win.blessing is not None:
        yield win.blessing
    if query.horses:
        yield MA


def _why_not(query: Query, verdict: Verdict, term: str, counted: set[str]) -> dict[str, Any]:
    """Why a bonus that was asked for does not count."""
    rules = query.rules
    if rules.fan_for(term, query.win) is None:
        code = "blessing_unknown" if term in BLESSINGS else "term_off"
    elif by := excluded_by(rules, term, verdict):
        return {"code": "excluded", "term": term, "by": by}
    elif term == MA:
        code = "no_horse_hits"
    elif counted == {"si_ji"}:
        code = "four_jokers_flat"
    else:
        code = "pattern_outweighed"
    return {"code": code, "term": TERMS[term].id}


def excluded_by(rules: Rules, bonus: str, verdict: Verdict) -> str:
    """The counted pattern beside which the table does not count a bonus; "" where none."""
    row = rules.excludes.get(bonus, ())
    return next((pattern for pattern in verdict.patterns if pattern in row), "")
