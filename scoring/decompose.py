"""Division (拆牌) of concealed tiles into sets and a pair, or seven pairs.

Suits are independent until the last step.  A suit is nine counts packed into one int; its *facts*
are computed once and shared by every hand that holds it: a small set of flags that says which kinds
of reading it has.  A hand has a kind of reading where all three suits have it, so a verdict starts
with three look-ups and two ANDs.  The divisions themselves are listed only when somebody asks how a
hand is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from .tiles import SUIT_BITS, SUIT_MASK, UNIT, Packed, Tile, iterate

#: A suit: nine counts of three bits.  At most 405,350 of them hold no more than 14 tiles.
SuitCode = int
#: Flags of a suit or a whole hand, a bit each.
Facts = int

STANDARD: Facts = 1  #: sets, with or without a pair
PUNGS: Facts = 2  #: the same with pungs alone
OUTSIDE: Facts = 4  #: the same with a 1 or 9 in every set and the pair
PAIRS: Facts = 8  #: pairs alone, four alike being two
ALL_FACTS: Facts = STANDARD | PUNGS | OUTSIDE | PAIRS

_SUIT_ONES = sum(UNIT[:9])
_PUNG_CODES = tuple(3 * UNIT[r] for r in range(9))
_PAIR_CODES = tuple(2 * UNIT[r] for r in range(9))
_CHOW_CODES = tuple(UNIT[r] + UNIT[r + 1] + UNIT[r + 2] for r in range(7))
_PUNG_FACTS = tuple(STANDARD | PUNGS | (OUTSIDE if r in (0, 8) else 0) for r in range(9))
_CHOW_FACTS = tuple(STANDARD | (OUTSIDE if r in (0, 6) else 0) for r in range(7))


@cache
def _set_facts(code: SuitCode) -> Facts:
    """The facts of a suit that is to be sets alone; bounded by the number of suits."""
    if not code:
        return STANDARD | PUNGS | OUTSIDE
    low = ((code & -code).bit_length() - 1) // 3
    have = code >> 3 * low & 7
    found = 0
    if have >= 3:
        found = _PUNG_FACTS[low] & _set_facts(code - _PUNG_CODES[low])
    if low < 7 and code >> 3 * low + 3 & 7 and code >> 3 * low + 6 & 7:
        found |= _CHOW_FACTS[low] & _set_facts(code - _CHOW_CODES[low])
    return found


def _left_over(code: SuitCode, weights: tuple[int, int]) -> int:
    """A sum over the tiles of a suit, modulo three."""
    one, two = weights
    return ((code & one).bit_count() + 2 * (code & two).bit_count()) % 3


def _weights(of_rank: Sequence[int]) -> tuple[int, int]:
    """The bits of a suit that add one to a sum over its tiles, and those that add two."""
    bits = [(1 << 3 * r + b, (of_rank[r] << b) % 3) for r in range(9) for b in range(3)]
    return sum(bit for bit, w in bits if w == 1), sum(bit for bit, w in bits if w == 2)


_TILES_OF = _weights([1] * 9)
_RANKS_OF = _weights(range(9))


def _pair_ranks(code: SuitCode) -> list[int]:
    """The ranks from 0 that the pair of a suit may have, ascending.

    The ranks of every set add up to a multiple of three, so the others tell the pair's.
    """
    first = 2 * _left_over(code, _RANKS_OF) % 3
    return [r for r in (first, first + 3, first + 6) if code >> 3 * r & 6]


#: So many suits are kept; whoever asks for all there are begins anew.
_MOST_SUITS = 100_000


class _SuitFacts(dict[SuitCode, Facts]):
    """The facts of every suit met so far; a missing one is computed.

    No more than 26,786 suits can stand in a hand that wins.
    """

    def __missing__(self, code: SuitCode) -> Facts:
        if code > SUIT_MASK:
            return 0  # 红中 stands above the last suit
        found = 0 if code & _SUIT_ONES else PAIRS
        rest = _left_over(code, _TILES_OF)
        if rest == 0:
            found |= _set_facts(code)
        elif rest == 2:
            for r in _pair_ranks(code):
                found |= _PUNG_FACTS[r] & _set_facts(code - _PAIR_CODES[r])
        if len(self) >= _MOST_SUITS:
            self.clear()
        self[code] = found
        return found


#: Pairs of ranks in a row (连七对), of any number; the empty suit is one.
CHAINS: frozenset[SuitCode] = frozenset(
    sum(_PAIR_CODES[low:high]) for low in range(9) for high in range(low, 10)
)
#: 九莲宝灯: 1112345678999 and any tile of the suit; or the empty suit.
NINE_GATES: frozenset[SuitCode] = frozenset(
    (0, *(_SUIT_ONES + 2 * UNIT[0] + 2 * UNIT[8] + UNIT[r] for r in range(9)))
)
#: ``SUIT_FACTS[code]``: the facts of a suit.  The empty suit has them all.
SUIT_FACTS = _SuitFacts()


def suit_codes(packed: Packed) -> tuple[SuitCode, SuitCode, SuitCode]:
    """The three suits of packed counts."""
    return (
        packed & SUIT_MASK,
        packed >> SUIT_BITS & SUIT_MASK,
        packed >> 2 * SUIT_BITS & SUIT_MASK,
    )


def hand_facts(packed: Packed, melds: int) -> Facts:
    """Which kinds of reading the concealed tiles of a full hand have beside so many melds.

    >>> from .notation import parse
    >>> hand_facts(parse("11223344556677m").packed, 0) == STANDARD | PAIRS
    True
    """
    facts = (
        SUIT_FACTS[packed & SUIT_MASK]
        & SUIT_FACTS[packed >> SUIT_BITS & SUIT_MASK]
        & SUIT_FACTS[packed >> 2 * SUIT_BITS]
    )
    return facts & ~PAIRS if melds else facts


CHOW = "chow"
PUNG_SET = "pung"
NO_PAIR = -1


class Division(NamedTuple):
    """拆法: one way to divide concealed tiles.

    ``sets`` are ``(kind, lowest tile)``; of seven pairs (``pairs`` not empty) there are none.
    ``facts`` are those that this one way to divide them has.
    """

    facts: Facts
    sets: tuple[tuple[str, Tile], ...] = ()
    pair: Tile = NO_PAIR
    pairs: tuple[Tile, ...] = ()

    @property
    def chows(self) -> frozenset[Tile]:
        """The lowest tiles of its chows (顺子)."""
        return frozenset(t for kind, t in self.sets if kind == CHOW)

    @property
    def outside(self) -> bool:
        """带幺九: every set and the pair holds a 1 or a 9; seven pairs never count as that."""
        return bool(self.facts & OUTSIDE)

    @property
    def twins(self) -> int:
        """板板高: how many times two of its chows are the same."""
        lowest = [t for kind, t in self.sets if kind == CHOW]
        return sum(lowest.count(t) // 2 for t in self.chows)

    @property
    def straight(self) -> bool:
        """一条龙: 123, 456 and 789 of one suit are among its sets."""
        return any({9 * s, 9 * s + 3, 9 * s + 6} <= self.chows for s in range(3))


def division_of(sets: Iterable[tuple[str, Tile]], pair: Tile = NO_PAIR) -> Division:
    """The division into these sets and this pair.

    >>> division_of([(PUNG_SET, 0), (CHOW, 6)], 8).outside
    True
    """
    sets = tuple(sets)
    facts = STANDARD | PUNGS | OUTSIDE
    for kind, tile in sets:
        facts &= (_CHOW_FACTS if kind == CHOW else _PUNG_FACTS)[tile % 9]
    if pair != NO_PAIR:
        facts &= _PUNG_FACTS[pair % 9]
    return Division(facts, sets, pair)


@cache
def _cuts(suit: int, code: SuitCode) -> tuple[Division, ...]:
    """Every way to cut a suit into sets alone; bounded by the number of suits that can be.

    Of sets with the same lowest tile pungs come before chows.
    """
    if not code:
        return (division_of(()),)
    low = ((code & -code).bit_length() - 1) // 3
    parts: list[tuple[str, SuitCode]] = []
    if code >> 3 * low & 7 >= 3:
        parts.append((PUNG_SET, code - _PUNG_CODES[low]))
    if low < 7 and code >> 3 * low + 3 & 7 and code >> 3 * low + 6 & 7:
        parts.append((CHOW, code - _CHOW_CODES[low]))
    return tuple(
        division_of(((kind, 9 * suit + low), *more.sets))
        for kind, rest in parts
        if _set_facts(rest)
        for more in _cuts(suit, rest)
    )


def _suit_divisions(suit: int, code: SuitCode) -> Sequence[Division]:
    """All divisions of a suit in its place, with a pair where the number of its tiles asks for one.

    Pairs ascend.
    """
    if _left_over(code, _TILES_OF) != 2:
        return _cuts(suit, code)
    return [
        Division(cut.facts & _PUNG_FACTS[r], cut.sets, 9 * suit + r)
        for r in _pair_ranks(code)
        if _set_facts(rest := code - _PAIR_CODES[r])
        for cut in _cuts(suit, rest)
    ]


@lru_cache(maxsize=256)
def divisions(packed: Packed, melds: int) -> tuple[Division, ...]:
    """Every division of the concealed tiles of a full hand, seven pairs first.

    Kept for a while, as one hand is compared under every system.

    >>> from .notation import parse
    >>> [len(d.sets) for d in divisions(parse("11223344556677m").packed, 0)]
    [0, 4, 4, 4]
    """
    facts = hand_facts(packed, melds)
    found: list[Division] = []
    if facts & PAIRS:
        found.append(Division(PAIRS, pairs=tuple(iterate(packed))[::2]))
    if facts & STANDARD:
        # At most one of the suits has the pair.
        m, p, s = map(_suit_divisions, range(3), suit_codes(packed))
        found += [
            Division(
                a.facts & b.facts & c.facts,
                a.sets + b.sets + c.sets,
                max(a.pair, b.pair, c.pair),
            )
            for a in m
            for b in p
            for c in s
        ]
    return tuple(found)
