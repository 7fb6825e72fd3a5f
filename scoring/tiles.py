"""Tiles (牌): the 27 kinds of 万, 筒 and 条, four of each, 108 in all.

A tile is an int 0–26, ``9 × suit + rank − 1``, with the suits in the order m p s.  Counts of tiles
are packed into one int, three bits a kind (``UNIT[tile]`` is one tile), so that a whole hand is a
sum and questions about it are masks.  Three bits hold a count up to 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Tile = int
#: Counts of several kinds, three bits each, kind 0 lowest.
Packed = int

SUITS = "mps"
TILES: tuple[Tile, ...] = tuple(range(27))
COPIES = 4
FULL_COUNT = 14

#: ``TILE_NAMES[tile]`` is the canonical name, e.g. ``"5m"``; ``TILE_OF_NAME`` is its inverse.
TILE_NAMES: tuple[str, ...] = tuple(f"{r}{s}" for s in SUITS for r in range(1, 10))
TILE_OF_NAME: dict[str, Tile] = {name: tile for tile, name in enumerate(TILE_NAMES)}

SUIT_BITS = 27
SUIT_MASK: Packed = (1 << SUIT_BITS) - 1
UNIT: tuple[Packed, ...] = tuple(1 << 3 * t for t in TILES)
#: One in every field: multiply by n to get n of every kind.
ONES: Packed = sum(UNIT)
#: The bit that says "four or more" in every field.
FOURS: Packed = ONES << 2


def _fields(tiles: Iterable[Tile]) -> Packed:
    return sum(7 << 3 * t for t in tiles)


SUIT_FIELDS: tuple[Packed, ...] = tuple(SUIT_MASK << SUIT_BITS * s for s in range(3))
TERMINAL_FIELDS: Packed = _fields(t for t in TILES if t % 9 in (0, 8))
#: Every kind except the 2, 5 and 8 (将) of each suit.
NOT_258_FIELDS: Packed = _fields(t for t in TILES if t % 9 not in (1, 4, 7))


def suit(tile: Tile) -> int:
    """The suit (花色) of a tile: 0 万, 1 筒, 2 条.

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
        raise ValueError("tiles are numbers from 0 to 26") from None


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
        (packed & ONES).bit_count()
        + 2 * (packed >> 1 & ONES).bit_count()
        + 4 * (packed >> 2 & ONES).bit_count()
    )


def suits_of(packed: Packed) -> int:
    """How many suits are present in packed counts, 0–3.

    >>> suits_of(pack([0, 9]))
    2
    """
    m, p, s = SUIT_FIELDS
    return bool(packed & m) + bool(packed & p) + bool(packed & s)
