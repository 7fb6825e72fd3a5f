"""Every winning hand there is (全部和牌), made by construction and never by search.

A suit that can stand in a winning hand is some sets, some sets and a pair, or pairs alone; there
are 26,786 of them.  Hands are put together from two suits at most, so each comes out exactly once
and in a fixed order, whatever is read from the stream first.

Concealed hands run over all three suits.  Hands with melds run up to the names of the suits: of the
hands that become one another by exchanging suits, one is listed, with its tiles in 万 and 筒.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import comb, prod

from .decompose import PAIRS, STANDARD, SUIT_FACTS, Facts, SuitCode
from .hand import MELD_KINDS, PUNG, Meld
from .tiles import SUIT_BITS, SUIT_MASK, UNIT, USUAL, Packed, Size, iterate

#: How many concealed parts win beside 0, 1, 2 … melds, on at most two suits, by the size of a hand.
COUNTS: dict[int, tuple[int, ...]] = {
    4: (2_561_091, 245_769, 22_806, 1_269, 27),
    3: (245_769, 22_806, 1_269, 27),
    2: (37_998, 1_269, 27),
}
CONCEALED_COUNTS = COUNTS[USUAL.sets]

_SETS = (*(3 * UNIT[r] for r in range(9)), *(UNIT[r] + UNIT[r + 1] + UNIT[r + 2] for r in range(7)))
_ONES = sum(UNIT[:9])


def _crowded(code: SuitCode) -> bool:
    """Whether a suit holds more than four of a kind; a field holds up to seven."""
    return bool(code >> 2 & (code | code >> 1) & _ONES)


@cache
def _grown(sets: int) -> frozenset[SuitCode]:
    """The suits that so many sets make."""
    if not sets:
        return frozenset((0,))
    grown = (code + one for code in _grown(sets - 1) for one in _SETS)
    return frozenset(code for code in grown if not _crowded(code))


@cache
def suits(tiles: int) -> tuple[tuple[SuitCode, Facts], ...]:
    """The suits of so many tiles that can stand in a winning hand, ascending, with their facts.

    >>> [len(suits(n)) for n in range(5)]
    [1, 0, 9, 16, 45]
    """
    sets, rest = divmod(tiles, 3)
    found: set[SuitCode] = set()
    if rest == 0:
        found |= _grown(sets)
    elif rest == 2:
        made = (code + 2 * UNIT[r] for code in _grown(sets) for r in range(9))
        found |= {code for code in made if not _crowded(code)}
    if tiles % 2 == 0:
        found |= {sum(2 * UNIT[r] for r in ranks) for ranks in _pairs(tiles // 2)}
    return tuple((code, SUIT_FACTS[code]) for code in sorted(found))


def _pairs(number: int) -> Iterator[tuple[int, ...]]:
    """The ranks of so many pairs, no more than two of them alike."""
    for twice in range(number // 2 + 1):
        for doubled in combinations(range(9), twice):
            others = [r for r in range(9) if r not in doubled]
            for single in combinations(others, number - 2 * twice):
                yield (*doubled, *doubled, *single)


def concealed(
    melds: int = 0, *, among: tuple[int, ...] = (0, 1, 2), size: Size = USUAL
) -> Iterator[Packed]:
    """Every concealed part that wins beside so many melds, the melds' own tiles left aside.

    ``among`` are the suits that it may use.

    >>> sum(1 for _ in concealed(3)), sum(1 for _ in concealed(3, among=(0,)))
    (1269, 135)
    """
    tiles = size.full - 3 * melds
    admitted = STANDARD if melds else STANDARD | PAIRS
    for suit in among:
        shift = SUIT_BITS * suit
        yield from (code << shift for code, facts in suits(tiles) if facts & admitted)
    for first, second in combinations(among, 2):
        low, high = SUIT_BITS * first, SUIT_BITS * second
        for number in range(1, tiles):
            others = suits(tiles - number)
            for code, facts in suits(number):
                wanted, part = facts & admitted, code << low
                yield from (part + (other << high) for other, f in others if f & wanted)


@dataclass(frozen=True, slots=True)
class Group:
    """Melds, and which concealed parts go with them.

    A part fits where it has nothing in ``forbidden``: no fifth tile.  ``mirrored`` melds are the
    same in 万 and 筒, so that of a part and its mirror image only one is listed.
    """

    melds: tuple[Meld, ...]
    forbidden: Packed
    mirrored: bool

    def admits(self, part: Packed) -> bool:
        """Whether a concealed part on 万 and 筒 makes a hand of this group.

        >>> group = Group((Meld(PUNG, 0),), UNIT[0] * 6, False)
        >>> group.admits(2 * UNIT[0]), group.admits(2 * UNIT[1])
        (False, True)
        """
        if part & self.forbidden:
            return False
        return not self.mirrored or (part & SUIT_MASK) >= part >> SUIT_BITS


def _side(number: int, suit: int) -> list[tuple[Meld, ...]]:
    """Every choice of so many melds within one suit."""
    return [
        tuple(Meld(kind, 9 * suit + r) for kind, r in zip(kinds, ranks, strict=True))
        for ranks in combinations(range(9), number)
        for kinds in product(MELD_KINDS, repeat=number)
    ]


def groups(melds: int) -> Iterator[Group]:
    """Every choice of so many melds up to the names of the suits, in a fixed order.

    >>> [sum(1 for _ in groups(n)) for n in range(3)]
    [1, 36, 1242]
    """
    for second in range(melds // 2 + 1):
        first = melds - second
        ours, theirs = _side(first, 0), _side(second, 1)
        for at, one in enumerate(ours):
            # With as many in each suit, the pair of choices is listed once, the greater first.
            for other in theirs[: at + 1] if first == second else theirs:
                yield _group((*one, *other), mirrored=first == second and other == theirs[at])


def _group(melds: tuple[Meld, ...], *, mirrored: bool) -> Group:
    # A pung leaves room for one more of its kind, a kong for none.
    forbidden = sum((6 if m.kind == PUNG else 7) * UNIT[m.tile] for m in melds)
    return Group(melds, forbidden, mirrored)


def hands(melds: int, *, start: int = 0, size: Size = USUAL) -> Iterator[tuple[Group, Packed]]:
    """Every winning hand with so many melds up to the names of the suits: its group and its part.

    ``start`` is the number of the group to begin with, so that a walk can be taken up again.

    >>> group, part = next(hands(4))
    >>> group.melds[0].tile, part == 2 * UNIT[4]
    (0, True)
    """
    parts = tuple(concealed(melds, among=(0, 1), size=size))
    for number, group in enumerate(groups(melds)):
        if number >= start:
            yield from ((group, part) for part in parts if group.admits(part))


def renamings(melds: tuple[Meld, ...], part: Packed) -> int:
    """How many different hands a hand becomes by exchanging the suits: 3 or 6, or 3 if mirrored.

    >>> renamings((), UNIT[0] * 2), renamings((), UNIT[0] * 2 + UNIT[9] * 3)
    (3, 6)
    """
    sides = []
    for suit in range(3):
        own = {(m.tile % 9, m.kind) for m in melds if m.tile // 9 == suit}
        sides.append((part >> SUIT_BITS * suit & SUIT_MASK, own))
    used = [side for side in sides if side != (0, set())]
    return 3 if len(used) == 1 or used[0] == used[1] else 6


def ways(part: Packed) -> int:
    """In how many ways concealed tiles can be held, copies told apart: C(4, n) for each kind.

    >>> ways(2 * UNIT[0] + 3 * UNIT[4])
    24
    """
    tiles = list(iterate(part))
    return prod(comb(4, tiles.count(tile)) for tile in set(tiles))
