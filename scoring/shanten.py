"""向听数: how far a hand is from ready, and from any pattern, under 缺一门 and 定缺.

The distance is to a *target*: counts of a winning shape in at most two suits, no kind more often
than its four copies allow beside the melds.  Suits are searched apart: for each number of sets,
with or without the pair, the least number of tiles that the suit lacks, and which kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .decompose import SuitCode, suit_codes
from .hand import MeldSummary
from .memo import kept
from .patterns import Target
from .rules import Rules
from .tiles import (
    COPIES,
    SUIT_BITS,
    SUIT_FIELDS,
    TILES,
    UNIT,
    USUAL,
    Packed,
    Size,
    Tile,
    count,
)

#: What a suit lacks: the least number of tiles, the ranks (bits) that some best target lacks, and
#: one best target.
Lack = tuple[int, int, SuitCode]

_NONE: Lack = (99, 0, 0)
_MOST_PAIRS = USUAL.pairs
_ANY = Target()
#: How many copies of a tile nobody can see.
Left = Callable[[Tile], int]
#: A shape: how many tiles are lacking in all, the suits, and what each of them lacks.
_Found = tuple[int, list[int], tuple[Lack, ...]]


def _join(old: Lack, new: Lack) -> Lack:
    if new[0] < old[0]:
        return new
    return (old[0], old[1] | new[1], old[2]) if new[0] == old[0] else old


#: What may stand at a rank: chows that begin there, sets in all, pairs, and the tiles wanted.
_Choice = tuple[int, int, int, int]


@cache
def _choices(carried: int, room: int, chows: int, others: bool) -> tuple[_Choice, ...]:
    """What may stand at a rank that earlier chows take ``carried`` tiles of.

    ``chows`` is the most that may begin there, ``others`` says whether a pung and a pair may be.
    """
    found = []
    for chow in range(chows + 1):
        for pung, pair in ((0, 0), (0, 1), (1, 0), (1, 1)) if others else ((0, 0),):
            want = carried + chow + 3 * pung + 2 * pair
            if want <= room:
                found.append((chow, chow + pung, pair, want))
    return tuple(found)


#: Lacks by state: chows begun at the last rank and at the one before, sets and pairs so far.
_States = dict[tuple[int, int, int, int], Lack]


#: The lowest ranks of a suit, so few that many suits have the same.
_SHARED = 6


def _sets_below(
    ranks: int, code: SuitCode, limits: SuitCode, shape: Target, sets: int, runs: tuple[int, ...]
) -> _States:
    """What the lowest ranks of a suit lack for each state.

    Three equal chows are three pungs, so at most two chows start at one rank, unless those pungs
    would not do (带幺九).
    """
    if not ranks:
        return {(0, 0, len(runs), 0): (0, 0, 0)}
    r = ranks - 1
    below = UNIT[r] - 1
    go_on = _sets_shared if r <= _SHARED else _sets_below
    before = go_on(r, code & below, limits & below, shape, sets, runs)
    have, room = code >> 3 * r & 7, limits >> 3 * r & 7
    rank_ok = shape.ranks is None or r in shape.ranks.ranks
    others = rank_ok and not (shape.outside and r not in (0, 8))
    chows = 0
    if shape.chows and r <= 6 and rank_ok and not (shape.outside and r not in (0, 6)):
        chows = 4 if shape.outside else 2
    if not rank_ok:
        room = 0
    fixed = sum(low <= r <= low + 2 for low in runs)
    found: _States = {}
    for (last, earlier, k, p), (cost, mask, made) in before.items():
        for chow, more, pair, want in _choices(last + earlier + fixed, room, chows, others):
            if k + more > sets or p + pair > 1:
                continue
            key = (chow, last, k + more, p + pair)
            target = made + want * UNIT[r]
            lack = want - have
            new = (cost, mask, target)
            if lack > 0:
                new = (cost + lack, mask | 1 << r, target)
            old = found.get(key)
            found[key] = new if old is None else _join(old, new)
    return found


_sets_shared = kept(most=60_000)(_sets_below)


@kept(most=40_000)
def _set_lacks(
    code: SuitCode, limits: SuitCode, shape: Target, sets: int, runs: tuple[int, ...]
) -> dict[int, Lack]:
    """What the suit lacks for k sets and p pairs, keyed ``2 k + p``.

    ``limits`` holds how many of each rank a target may have, ``runs`` the lowest ranks of chows
    that must be among the sets.
    """
    found: dict[int, Lack] = {}
    if len(runs) > sets:
        return found
    for (last, before, k, p), lack in _sets_below(9, code, limits, shape, sets, runs).items():
        if not last and not before:
            key = 2 * k + p
            found[key] = _join(found.get(key, _NONE), lack)
    return found


def _pairs_below(ranks: int, code: SuitCode, limits: SuitCode, shape: Target) -> dict[int, Lack]:
    """What the lowest ranks of a suit lack for n pairs with q four-alikes, keyed ``4 n + q``."""
    if not ranks:
        return {0: (0, 0, 0)}
    r = ranks - 1
    below = UNIT[r] - 1
    go_on = _pairs_shared if r <= _SHARED else _pairs_below
    table = go_on(r, code & below, limits & below, shape)
    if shape.ranks is not None and r not in shape.ranks.ranks:
        return table
    have, room = code >> 3 * r & 7, limits >> 3 * r & 7
    found = dict(table)
    for key, (cost, mask, made) in table.items():
        for pairs in (1, 2):
            want = 2 * pairs
            if want > room or key // 4 + pairs > _MOST_PAIRS:
                continue
            lack = want - have
            target = made + want * UNIT[r]
            new = (cost + lack, mask | 1 << r, target) if lack > 0 else (cost, mask, target)
            to = key + 4 * pairs + (pairs == 2 and key & 3 < 3)
            found[to] = _join(found.get(to, _NONE), new)
    return found


_pairs_shared = kept(most=30_000)(_pairs_below)


@kept(most=40_000)
def _pair_lacks(code: SuitCode, limits: SuitCode, shape: Target) -> dict[int, Lack]:
    """What the suit lacks for n pairs with q four-alikes, up to three, keyed ``4 n + q``."""
    return _pairs_below(9, code, limits, shape)


@dataclass(frozen=True, slots=True)
class Distance:
    """How many tiles a hand lacks of a target, which kinds some best target lacks, and one such.

    ``target`` are the packed concealed tiles of one nearest winning hand.
    """

    lacking: int
    kinds: frozenset[Tile]
    target: Packed


def _limits(
    melds: MeldSummary,
    natural: Packed,
    jokers: int,
    rules: Rules,
    left: Left | None,
    *,
    dead_waits: bool,
) -> Iterator[tuple[Packed, Tile | None]]:
    """How many of each kind a target may have; a second set for every dead wait allowed.

    The joker's own kind can only be made of ``jokers``.
    """
    room = 0
    for tile in TILES:
        free = max(0, COPIES - count(melds.held, tile))
        if tile == rules.joker_tile:
            free = min(free, jokers)
        elif left is not None:
            free = min(free, count(natural, tile) + left(tile))
        room += free * UNIT[tile]
    yield room, None
    if dead_waits and rules.dead_waits == "exposed_count":
        for tile in TILES:
            held = count(melds.held, tile)
            if held and count(natural, tile) < COPIES and tile != rules.joker_tile:
                yield room + UNIT[tile], tile


def distance(
    packed: Packed,
    melds: MeldSummary,
    rules: Rules,
    *,
    void: int | None = None,
    shape: Target = _ANY,
    to_wait: bool = False,
    left: Left | None = None,
) -> Distance | None:
    """The tiles that the concealed tiles lack of the nearest winning hand of a shape.

    Jokers fill what is lacking.  ``to_wait`` asks for a hand that need only be waited for: its last
    tile may be dead where the rules admit dead waits, and is no joker.  ``left`` says how many
    copies of a tile there are still to be had, where that matters.  None when no exchange of
    concealed tiles leads there.

    >>> from .notation import parse
    >>> from .hand import summarise
    >>> from .rules import load
    >>> distance(parse("123456789m1p").packed, summarise(()), load("chengdu")).lacking
    4
    """
    wild = 0 if rules.joker_tile is None else count(packed, rules.joker_tile)
    natural = packed - (wild * UNIT[rules.joker_tile] if rules.joker_tile is not None else 0)
    if not _melds_fit(melds, shape, rules.size):
        return None
    least, target = _NONE[0], 0
    kinds: set[Tile] = set()
    jokers = wild if to_wait else COPIES - 1 - melds.jokers
    for limits, dead in _limits(melds, natural, jokers, rules, left, dead_waits=to_wait):
        for lack, suits, lacks in _combine(natural, limits, melds, void, shape, rules.size):
            if lack > least:
                continue
            tiles, made = _in_suits(suits, lacks)
            # A dead wait is lacked last of all; a target that does not lack it is no new one.
            if dead is not None and dead not in tiles:
                continue
            if lack < least:
                least, kinds, target = lack, tiles, made
            else:
                kinds |= tiles
    if least >= _NONE[0]:
        return None
    return Distance(max(0, least - wild), frozenset(kinds), target)


def _melds_fit(melds: MeldSummary, shape: Target, size: Size) -> bool:
    """Whether the melds themselves keep to what the shape asks of every set."""
    present = melds.present
    if (shape.melded and melds.number != size.sets) or (shape.konged and melds.kongs != size.sets):
        return False
    if shape.closed and melds.open:
        return False
    if shape.outside and not melds.outside:
        return False
    if shape.whole and melds.number:
        return False
    return shape.ranks is None or not present & shape.ranks.others


def _combine(
    natural: Packed,
    limits: Packed,
    melds: MeldSummary,
    void: int | None,
    shape: Target,
    size: Size,
) -> Iterator[_Found]:
    """What is lacking for every choice of suits, numbers of sets and pair."""
    occupied = [s for s in range(3) if melds.present & SUIT_FIELDS[s]]
    number = 1 if shape.pure else 2
    codes, rooms = suit_codes(natural), suit_codes(limits)
    if void in occupied:
        return
    for suits in combinations(range(3), number):
        if any(s not in suits for s in occupied):
            continue
        chosen = [s for s in suits if s != void]
        if not chosen:
            continue
        if shape.whole:
            yield from _whole(chosen[0], codes, rooms, size, shape)
            continue
        if shape.form != "seven_pairs":
            yield from _standard(chosen, codes, rooms, size.sets - melds.number, shape)
        if shape.form != "standard" and not melds.number and size.pairs:
            yield from _seven_pairs(chosen, codes, rooms, size.pairs, shape)


def _in_suits(suits: list[int], lacks: tuple[Lack, ...]) -> tuple[set[Tile], Packed]:
    """The kinds that one or two suits lack together, and the packed target."""
    target = 0
    kinds: set[Tile] = set()
    for suit, (_, mask, made) in zip(suits, lacks, strict=False):
        target |= made << SUIT_BITS * suit
        kinds |= {9 * suit + r for r in range(9) if mask >> r & 1}
    return kinds, target


def _standard(
    suits: list[int],
    codes: tuple[int, int, int],
    rooms: tuple[int, int, int],
    sets: int,
    shape: Target,
) -> Iterator[_Found]:
    forced = [(suit, runs) for suit in suits for runs in shape.runs] or [(-1, ())]
    for with_runs, runs in forced:
        tables = [
            _set_lacks(codes[s], rooms[s], shape, sets, runs if s == with_runs else ())
            for s in suits
        ]
        if len(suits) == 1:
            if (found := tables[0].get(2 * sets + 1)) is not None:
                yield found[0], suits, (found,)
            continue
        for key, lack in tables[0].items():
            other = tables[1].get(2 * sets + 1 - key)
            if other is not None:
                yield lack[0] + other[0], suits, (lack, other)


def _whole(
    suit: int,
    codes: tuple[int, int, int],
    rooms: tuple[int, int, int],
    size: Size,
    shape: Target,
) -> Iterator[_Found]:
    """What the suit lacks of each hand that a shape lists in full."""
    for target in shape.whole:
        counts = [target >> 3 * r & 7 for r in range(9)]
        if sum(counts) != size.full:
            continue
        if any(want > rooms[suit] >> 3 * r & 7 for r, want in enumerate(counts)):
            continue
        lacks = [max(0, want - (codes[suit] >> 3 * r & 7)) for r, want in enumerate(counts)]
        mask = sum(1 << r for r, lack in enumerate(lacks) if lack)
        yield sum(lacks), [suit], ((sum(lacks), mask, target),)


def _seven_pairs(
    suits: list[int],
    codes: tuple[int, int, int],
    rooms: tuple[int, int, int],
    pairs: int,
    shape: Target,
) -> Iterator[_Found]:
    tables = [_pair_lacks(codes[s], rooms[s], shape) for s in suits]
    others = tables[1] if len(suits) == 2 else {0: (0, 0, 0)}
    for key, lack in tables[0].items():
        for quads in range(4):
            other = others.get(4 * (pairs - key // 4) + quads)
            if other is not None and (key & 3) + quads >= shape.quads:
                yield lack[0] + other[0], suits, (lack, other)


def shanten(
    packed: Packed,
    melds: MeldSummary,
    rules: Rules,
    *,
    void: int | None = None,
    left: Left | None = None,
) -> tuple[int | None, frozenset[Tile]]:
    """向听数 of a hand that has not won, and the kinds that bring it nearer.

    0 is ready (下叫); None when the melds rule out any win.  The count may be full or one short.

    >>> from .notation import parse
    >>> from .hand import summarise
    >>> from .rules import load
    >>> shanten(parse("123456789m13p55p").packed, summarise(()), load("chengdu"))[0]
    0
    """
    found = distance(packed, melds, rules, void=void, to_wait=True, left=left)
    if found is None:
        return None, frozenset()
    return max(0, found.lacking - 1), found.kinds
