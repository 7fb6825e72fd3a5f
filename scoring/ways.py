"""Suits with jokers (听用): every way to read a suit, and what a signature takes from each.

A *way* is one division of one completion: what the jokers become, where the chows begin, where the
pair is.  The three suits are looked at apart.  Of a suit's ways only the distinct *outcomes*
matter to a value, and there are few of them, so a whole hand is a small product, exactly, although
it may have thousands of readings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .decompose import (
    CHAINS,
    CHOW,
    NINE_GATES,
    NO_PAIR,
    OUTSIDE,
    PAIRS,
    PUNG_SET,
    PUNGS,
    STANDARD,
    Division,
    Facts,
    SuitCode,
    division_of,
)
from .memo import kept
from .signature import (
    CHAIN,
    EDGE,
    GATES,
    IN_PAIR,
    MIDDLE,
    MIDDLE_FIVE,
    MIDDLE_TWO,
    PLACES,
    QUADS_SHIFT,
    RANK_BITS,
    STRAIGHT,
    TWINS,
    TWINS_SHIFT,
)
from .tiles import (
    FOURS,
    ONES,
    SUIT_BITS,
    SUIT_MASK,
    TERMINAL_FIELDS,
    UNIT,
    Tile,
    iterate,
)

_FACTS: Facts = STANDARD | PUNGS | OUTSIDE | PAIRS | CHAIN | GATES
_COUNTED = 7 << QUADS_SHIFT | TWINS
_REST = ~(_FACTS | _COUNTED)

_SUIT_ONES = ONES & SUIT_MASK
_SUIT_FOURS = FOURS & SUIT_MASK
_SUIT_TERMINALS = TERMINAL_FIELDS & SUIT_MASK
_SUIT_RANKS = tuple((limit.others & SUIT_MASK, bit) for limit, bit in RANK_BITS)
_SUIT_INNER = SUIT_MASK & ~_SUIT_TERMINALS
#: A chow is its lowest tile times this.
_CHOW = UNIT[0] + UNIT[1] + UNIT[2]
_CHOW_BITS = SUIT_BITS
_INNER_STARTS = sum(7 * UNIT[r] for r in range(1, 6))
_PUNGS = tuple(3 * UNIT[r] for r in range(9))

#: The winning tile of a suit: none in it, or any that a joker stands for; else its rank from 0.
NOT_HERE = -1
ANY_JOKER = 9


class Way(NamedTuple):
    """One way to read a suit; ``pair`` is a rank, or ``NO_PAIR`` or :data:`PAIRS_ALONE`."""

    added: SuitCode  #: what the jokers stand for
    pair: int
    chows: SuitCode  #: the lowest tiles of the chows


PAIRS_ALONE = 9


#: How many jokers each suit has, and how many suits there are then.
Share = tuple[tuple[int, int, int], int]


class Suit(NamedTuple):
    """What is asked of one suit besides its jokers.

    ``held`` is what stands there with the melds, ``pungs`` the pungs among them, ``present`` one of
    each meld's kind.  ``win`` is the winning tile, ``asks`` the bits that the rules look at.
    """

    code: SuitCode
    held: SuitCode
    pungs: SuitCode
    present: SuitCode
    pairs: bool
    win: int = NOT_HERE
    asks: int = 0


@kept(most=120_000)
def _sets(code: SuitCode, jokers: int) -> frozenset[int]:
    """Every way to read a suit as sets alone: what is added, and the chows above it."""
    if not code:
        if not jokers:
            return frozenset((0,))
        if jokers < 3:
            return frozenset()
        chows = (UNIT[r] * _CHOW | UNIT[r] << _CHOW_BITS for r in range(7))
        return frozenset(a + b for a in (*_PUNGS, *chows) for b in _sets(0, jokers - 3))
    low = ((code & -code).bit_length() - 1) // 3
    found: set[int] = set()
    have = code >> 3 * low & 7
    lack = max(0, 3 - have)
    if lack <= jokers:
        more = lack * UNIT[low]
        found = {more + way for way in _sets(code - min(have, 3) * UNIT[low], jokers - lack)}
    for first in range(max(0, low - 2), min(low, 6) + 1):
        left, more, lack = code, UNIT[first] << _CHOW_BITS, 0
        for r in (first, first + 1, first + 2):
            if code >> 3 * r & 7:
                left -= UNIT[r]
            else:
                more += UNIT[r]
                lack += 1
        if lack <= jokers:
            found |= {more + way for way in _sets(left, jokers - lack)}
    return frozenset(found)


@lru_cache(maxsize=8)
def _pairs(jokers: int) -> tuple[SuitCode, ...]:
    """The pairs that an even number of jokers may become within a suit."""
    if not jokers:
        return (0,)
    return tuple(sorted({2 * UNIT[r] + more for r in range(9) for more in _pairs(jokers - 2)}))


def _number(code: SuitCode) -> int:
    return (
        (code & _SUIT_ONES).bit_count()
        + 2 * (code >> 1 & _SUIT_ONES).bit_count()
        + 4 * (code >> 2 & _SUIT_ONES).bit_count()
    )


def _parts(suit: Suit, jokers: int) -> Iterator[tuple[int, SuitCode, Iterable[int]]]:
    """The ways of a suit by their pairs: what is added for the pair, and the sets beside it.

    A fifth copy of something is not ruled out here.
    """
    code = suit.code
    rest = (_number(code) + jokers) % 3
    if rest == 0:
        yield NO_PAIR, 0, _sets(code, jokers)
    elif rest == 2:
        for r in range(9):
            have = code >> 3 * r & 7
            if have > 1:
                yield r, 0, _sets(code - 2 * UNIT[r], jokers)
            elif have + jokers > 1:
                lack = 2 - have
                yield r, lack * UNIT[r], _sets(code - have * UNIT[r], jokers - lack)
    odd = code & _SUIT_ONES
    spare = jokers - odd.bit_count()
    if suit.pairs and spare >= 0 and spare % 2 == 0:
        yield PAIRS_ALONE, odd, _pairs(spare)


def ways(suit: Suit, jokers: int) -> list[Way]:
    """Every way to read a suit with so many jokers, in order; none makes a fifth copy of anything.

    >>> code = UNIT[0] + UNIT[1]
    >>> [way.added == UNIT[2] for way in ways(Suit(code, code, 0, 0, pairs=False), 1)]
    [True]
    """
    found = (
        Way((way & SUIT_MASK) + more, pair, way >> SUIT_BITS)
        for pair, more, sets in _parts(suit, jokers)
        for way in sets
    )
    return sorted((way for way in found if _fits(suit.held, way.added)), key=_in_order)


def _fits(held: SuitCode, added: SuitCode) -> bool:
    """Whether no kind is there five times."""
    # Four and four would flow over into the next field, where nobody looks for them.
    both = held + added
    return not (held & added & _SUIT_FOURS or both >> 2 & (both | both >> 1) & _SUIT_ONES)


def outcome(suit: Suit, added: SuitCode, pair: int, chows: SuitCode) -> int:
    """What a signature takes from one way: facts, four-alikes, ranks, and what is asked."""
    made = suit.code + added
    if pair == PAIRS_ALONE:
        found = PAIRS
    else:
        found = STANDARD if chows else STANDARD | PUNGS
        if not (chows & _INNER_STARTS or made - chows * _CHOW & _SUIT_INNER):
            found |= OUTSIDE
    alike = made + suit.pungs
    if alike & _SUIT_FOURS:
        found |= (alike & _SUIT_FOURS).bit_count() << QUADS_SHIFT
    present = made | suit.present
    for others, bit in _SUIT_RANKS:
        if present & others:
            found |= bit
    return found | _asked(suit, added, pair, chows) if suit.asks else found


def _asked(suit: Suit, added: SuitCode, pair: int, chows: SuitCode) -> int:
    """What the rules ask of the sets and pairs, and where the winning tile may stand."""
    asks, made = suit.asks, suit.code + added
    found = 0
    if chows & 7 and chows & 7 << 9 and chows & 7 << 18:
        found = STRAIGHT
    twins = (chows >> 1 & _SUIT_ONES).bit_count() + 2 * (chows >> 2 & _SUIT_ONES).bit_count()
    found |= twins << TWINS_SHIFT
    if pair == PAIRS_ALONE and made in CHAINS:
        found |= CHAIN
    if made in NINE_GATES:
        found |= GATES
    if asks & PLACES:
        ranks = range(9) if suit.win == ANY_JOKER else (suit.win,)
        for rank in ranks:
            if suit.win == rank or added >> 3 * rank & 7:
                found |= _places(rank, pair, chows)
    return found & asks


#: In the middle of a run some ranks have a term of their own.
_MIDDLES = (0, MIDDLE | MIDDLE_TWO, MIDDLE, MIDDLE, MIDDLE | MIDDLE_FIVE, MIDDLE, MIDDLE, MIDDLE, 0)


def _places(rank: int, pair: int, chows: SuitCode) -> int:
    """Where a tile of a rank may stand: 夹心五 and 卡二条 stand in the middle, too."""
    found = IN_PAIR if pair == rank else 0
    if rank and chows >> 3 * (rank - 1) & 7:
        found |= _MIDDLES[rank]
    if (rank == 2 and chows & 7) or (rank == 6 and chows >> 18 & 7):
        found |= EDGE
    return found


@kept(most=150_000, weight=lambda tables: 8 + sum(map(len, tables)))
def outcomes(suit: Suit, most: int) -> tuple[tuple[int, ...], ...]:
    """The distinct outcomes of a suit with no joker, with one, and so on to ``most``."""
    held = suit.held
    return tuple(
        tuple(
            {
                outcome(suit, added, pair, way >> SUIT_BITS)
                for pair, more, sets in _parts(suit, jokers)
                for way in sets
                if _fits(held, added := (way & SUIT_MASK) + more)
            }
        )
        for jokers in range(most + 1)
    )


@lru_cache(maxsize=256)
def shares(jokers: int, occupied: tuple[bool, bool, bool], void: int | None) -> tuple[Share, ...]:
    """The ways to share jokers among the suits so that no third one appears, and not ``void``.

    ``occupied`` are the suits that have tiles already.

    >>> shares(1, (True, True, False), None)
    (((0, 1, 0), 2), ((1, 0, 0), 2))
    """
    found: list[Share] = []
    for a in range(jokers + 1):
        for b in range(jokers + 1 - a):
            shared = (a, b, jokers - a - b)
            used = [o or n > 0 for o, n in zip(occupied, shared, strict=True)]
            if sum(used) <= 2 and (void is None or not used[void]):
                found.append((shared, sum(used)))
    return tuple(found)


def joined(
    parts: Sequence[Sequence[int]],
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """What outcomes of the suits are together: facts that all have, the rest of each."""
    one, two, three = parts
    for a in one:
        for b in two:
            facts = a & b & _FACTS
            if facts:
                rest = ((a | b) & _REST) + (a & _COUNTED) + (b & _COUNTED)
                for c in three:
                    if facts & c:
                        yield facts & c | (rest | c & _REST) + (c & _COUNTED), (a, b, c)


def _in_order(way: Way) -> tuple[int, ...]:
    """Ways sort by what the jokers become, then as a suit is divided: pungs before chows."""
    return (way.added, way.pair, *(way.chows >> 3 * r & 7 for r in range(7)))


@lru_cache(maxsize=16)
def _by_outcome(suit: Suit, jokers: int) -> dict[int, list[Way]]:
    """The ways of a suit by their outcomes, in order."""
    found: dict[int, list[Way]] = {}
    for way in ways(suit, jokers):
        found.setdefault(outcome(suit, *way), []).append(way)
    return found


def first_ways(
    suits: Sequence[Suit], shared: Sequence[int], outcomes: Sequence[int], most: int
) -> Iterator[tuple[Way, Way, Way]]:
    """The ways of a hand with these outcomes, so many of them that the first ``most`` are there."""
    a, b, c = (
        _by_outcome(suit, jokers)[found]
        for suit, jokers, found in zip(suits, shared, outcomes, strict=True)
    )
    # Before the way made of the i-th, j-th and k-th of the suits stand i × j × k others.
    for i, one in enumerate(a[:most], 1):
        for j, two in enumerate(b[: most // i], 1):
            for three in c[: most // (i * j)]:
                yield one, two, three


def order_of(found: Sequence[Way]) -> tuple[Any, ...]:
    """Ways of a hand sort by what the jokers become in every suit, then by the divisions."""
    return (*(way.added for way in found), *map(_in_order, found))


def divided(suits: Sequence[Suit], found: Sequence[Way]) -> tuple[Division, tuple[Tile, ...]]:
    """The division that the ways of the three suits are, and what the jokers stand for."""
    sets: list[tuple[str, Tile]] = []
    pairs: list[Tile] = []
    pair = NO_PAIR
    added = 0
    for s, (suit, way) in enumerate(zip(suits, found, strict=True)):
        added |= way.added << SUIT_BITS * s
        made = suit.code + way.added
        if way.pair == PAIRS_ALONE:
            pairs += [9 * s + t for t in iterate(made)][::2]
            continue
        if way.pair != NO_PAIR:
            pair = 9 * s + way.pair
            made -= 2 * UNIT[way.pair]
        pungs = made - way.chows * _CHOW
        for r in range(9):
            sets += [(PUNG_SET, 9 * s + r)] * (pungs >> 3 * r & 1)
            sets += [(CHOW, 9 * s + r)] * (way.chows >> 3 * r & 7)
    stands = tuple(iterate(added))
    return Division(PAIRS, pairs=tuple(pairs)) if pairs else division_of(sets, pair), stands
