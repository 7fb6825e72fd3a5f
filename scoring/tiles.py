"""Tiles (牌): the 27 kinds of 万, 筒 and 条, four of each, 108 in all; 红中 at tables that add it.

A tile is an int 0–26, ``9 × suit + rank − 1``, with the suits in the order m p s; 红中, which is
only ever a joker, is 27.  Counts of tiles
are packed into one int, three bits a kind (``UNIT[tile]`` is one tile), so that a whole hand is a
sum and questions about it are masks.  Three bits hold a count up to 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Tile = int
#: Counts of several kinds, three bits each, kind 0 lowest.
Packed = int

SUITS = "mps"
#: The kinds that sets are made of.
TILES: tuple[Tile, ...] = tuple(range(27))
#: 幺鸡, the 1条 that is a joker under some rules; 红中, of no suit, under others.
BIRD: Tile = 18
ZHONG: Tile = 27
COPIES = 4


@dataclass(frozen=True, slots=True)
class Size:
    """How large a winning hand is: so many sets and a pair.

    >>> SIZES[2].full, SIZES[2].pairs, SIZES[3].pairs
    (8, 4, 0)
    """

    sets: int

    @property
    def full(self) -> int:
        """How many tiles a hand without melds has when it has won."""
        return 3 * self.sets + 2

    @property
    def pairs(self) -> int:
        """How many pairs win (七对, and its like in a short hand); 0 where none do."""
        return 0 if self.full % 2 else self.full // 2


#: Every size that is played, by the number of its sets, the usual one first.
SIZES: dict[int, Size] = {sets: Size(sets) for sets in (4, 3, 2)}
USUAL = SIZES[4]
FULL_COUNT = USUAL.full

#: ``TILE_NAMES[tile]`` is the canonical name, e.g. ``"5m"``; ``TILE_OF_NAME`` is its inverse.
TILE_NAMES: tuple[str, ...] = (*(f"{r}{s}" for s in SUITS for r in range(1, 10)), "7z")
TILE_OF_NAME: dict[str, Tile] = {name: tile for tile, name in enumerate(TILE_NAMES)}

SUIT_BITS = 27
SUIT_MASK: Packed = (1 << SUIT_BITS) - 1
UNIT: tuple[Packed, ...] = tuple(1 << 3 * t for t in (*TILES, ZHONG))
#: One in every field of the suits: multiply by n to get n of every kind.
ONES: Packed = sum(UNIT[:ZHONG])
_EVERY: Packed = sum(UNIT)
#: The bit that says "four or more" in every field.
FOURS: Packed = ONES << 2


def _fields(tiles: Iterable[Tile]) -> Packed:
    return sum(7 << 3 * t for t in tiles)


SUIT_FIELDS: tuple[Packed, ...] = tuple(SUIT_MASK << SUIT_BITS * s for s in range(3))
TERMINAL_FIELDS: Packed = _fields(t for t in TILES if t % 9 in (0, 8))


@dataclass(frozen=True, slots=True)
class Ranks:
    """A limit on the numbers of all tiles of a hand (二五八, 断幺): a row of ``RANK_LIMITS``."""

    code: str  #: of melds that break it
    ranks: tuple[int, ...]  #: those it leaves, from 0
    others: Packed  #: the fields of every kind that breaks it


def _ranks(*ranks: int, code: str) -> Ranks:
    return Ranks(code, ranks, _fields(t for t in TILES if t % 9 not in ranks))


ONLY_258 = _ranks(1, 4, 7, code="melds_not_258")
NO_TERMINALS = _ranks(1, 2, 3, 4, 5, 6, 7, code="melds_terminal")
RANK_LIMITS: tuple[Ranks, ...] = (ONLY_258, NO_TERMINALS)


def suit(tile: Tile) -> int:
    """The suit (花色) of a tile: 0 万, 1 筒, 2 条; 3, which is none, for 红中.

    >>> suit(TILE_OF_NAME["3p"])
    1
    """
    return tile // 9


def rank(tile: Tile) -> int:
    """The number (点数) of a tile, 1–9.

    >>> rank(TILE_OF_NAME["3p"])
    3
    """
    return tile % 9 + 1


NO_TILE = "tiles are numbers from 0 to 26, and 27 where 红中 is a joker"
# Not by place in `UNIT`, where a negative number would be counted from the end.
_unit_of = dict(enumerate(UNIT)).__getitem__


def pack(tiles: Iterable[Tile]) -> Packed:
    """Count tiles into one int; at most seven of a kind.

    Raises :class:`ValueError` for what is no tile.

    >>> unpack(pack([0, 0, 26]))
    [0, 0, 26]
    """
    try:
        return sum(map(_unit_of, tiles))
    except (KeyError, TypeError):
        raise ValueError(NO_TILE) from None


def unpack(packed: Packed) -> list[Tile]:
    """The sorted tiles of packed counts, the inverse of :func:`pack`."""
    return list(iterate(packed))


def iterate(packed: Packed) -> Iterator[Tile]:
    """Yield every tile of packed counts in ascending order, copies one by one."""
    tile = 0
    while packed:
        for _ in range(packed & 7):
            yield tile
        packed >>= 3
        tile += 1


def count(packed: Packed, tile: Tile) -> int:
    """How many copies of ``tile`` are in packed counts.

    >>> count(pack([4, 4, 5]), 4)
    2
    """
    return packed >> 3 * tile & 7


def total(packed: Packed) -> int:
    """How many tiles packed counts hold in all.

    >>> total(pack([4, 4, 5]))
    3
    """
    return (
        (packed & _EVERY).bit_count()
        + 2 * (packed >> 1 & _EVERY).bit_count()
        + 4 * (packed >> 2 & _EVERY).bit_count()
    )


def suits_of(packed: Packed) -> int:
    """How many suits are present in packed counts, 0–3.

    >>> suits_of(pack([0, 9]))
    2
    """
    m, p, s = SUIT_FIELDS
    return bool(packed & m) + bool(packed & p) + bool(packed & s)
