"""Division (拆牌) of concealed tiles into sets and a pair, or seven pairs.

Suits are independent until the last step.  A suit is nine counts packed into one int; its *facts*
are computed once and shared by every hand that holds it: a small set of flags that says which kinds
of reading it has.  A hand has a kind of reading where all three suits have it, so a verdict starts
with three look-ups and two ANDs.  The divisions themselves are listed only when somebody asks how a
hand is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product

from .memo import kept
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


#: So many suits are kept; whoever asks for all there are begins anew.
_MOST_SUITS = 100_000


class _SuitFacts(dict[SuitCode, Facts]):
    """The facts of every suit met so far; a missing one is computed.

    No more than 26,786 suits can stand in a hand that wins.
    """

    def __missing__(self, code: SuitCode) -> Facts:
        if code > SUIT_MASK:
            return 0  # 红中 stands above the last suit
        number = (
            (code & _SUIT_ONES).bit_count()
            + 2 * (code & _SUIT_ONES << 1).bit_count()
            + 4 * (code & _SUIT_ONES << 2).bit_count()
        )
        found = 0 if code & _SUIT_ONES else PAIRS
        rest = number % 3
        if rest == 0:
            found |= _set_facts(code)
        elif rest == 2:
            # The ranks of every set add up to a multiple of three, so the others tell the pair's.
            ranks = 0
            for r in range(9):
                ranks += r * (code >> 3 * r & 7)
            for r in range(2 * ranks % 3, 9, 3):
                if code >> 3 * r & 7 >= 2:
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


@dataclass(frozen=True)
class Division:
    """拆法: one way to divide concealed tiles.

    ``sets`` are ``(kind, lowest tile)``; of seven pairs (``pairs`` not empty) there are none.
    """

    sets: tuple[tuple[str, Tile], ...] = ()
    pair: Tile = -1
    pairs: tuple[Tile, ...] = ()

    @cached_property
    def chows(self) -> frozenset[Tile]:
        """The lowest tiles of its chows (顺子)."""
        return frozenset(t for kind, t in self.sets if kind == CHOW)

    @cached_property
    def outside(self) -> bool:
        """带幺九: every set and the pair holds a 1 or a 9; seven pairs never count as that."""
        return (
            not self.pairs
            and self.pair % 9 in (0, 8)
            and all(t % 9 in ((0, 6) if kind == CHOW else (0, 8)) for kind, t in self.sets)
        )

    @cached_property
    def twins(self) -> int:
        """板板高: how many times two of its chows are the same."""
        lowest = [t for kind, t in self.sets if kind == CHOW]
        return sum(lowest.count(t) // 2 for t in self.chows)

    @cached_property
    def straight(self) -> bool:
        """一条龙: 123, 456 and 789 of one suit are among its sets."""
        return any({9 * s, 9 * s + 3, 9 * s + 6} <= self.chows for s in range(3))


_SuitDivision = tuple[tuple[tuple[str, int], ...], int]


@kept(most=20_000)
def _divide_suit(code: SuitCode, pair: bool) -> tuple[_SuitDivision, ...]:
    """All divisions of a suit into sets, with or without a pair; ranks count from 0."""
    found: list[_SuitDivision] = []
    if pair:
        for r in range(9):
            if code >> 3 * r & 7 >= 2:
                rests = _divide_suit(code - _PAIR_CODES[r], False)
                found += [(sets, r) for sets, _ in rests]
        return tuple(found)
    if not code:
        return (((), -1),)
    low = ((code & -code).bit_length() - 1) // 3
    if code >> 3 * low & 7 >= 3:
        for sets, _ in _divide_suit(code - _PUNG_CODES[low], False):
            found.append((((PUNG_SET, low), *sets), -1))
    if low < 7 and code >> 3 * low + 3 & 7 and code >> 3 * low + 6 & 7:
        for sets, _ in _divide_suit(code - _CHOW_CODES[low], False):
            found.append((((CHOW, low), *sets), -1))
    return tuple(found)


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
        tiles = tuple(iterate(packed))
        found.append(Division(pairs=tiles[::2]))
    if not facts & STANDARD:
        return tuple(found)
    codes = suit_codes(packed)
    per_suit: list[tuple[_SuitDivision, ...]] = []
    for code in codes:
        number = sum(code >> 3 * r & 7 for r in range(9))
        per_suit.append(_divide_suit(code, number % 3 == 2))
    for parts in product(*per_suit):
        sets: list[tuple[str, Tile]] = []
        pair = -1
        for suit, (suit_sets, suit_pair) in enumerate(parts):
            sets += [(kind, 9 * suit + r) for kind, r in suit_sets]
            if suit_pair >= 0:
                pair = 9 * suit + suit_pair
        found.append(Division(tuple(sets), pair))
    return tuple(found)
