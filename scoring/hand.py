"""Hands (手牌), melds (副露) and the way a hand was won, with their problems.

A :class:`Hand` is what lies on the table; a :class:`Win` is how it was won.  Both are frozen.
:func:`problems` finds everything that no legal hand can have, all at once, as a set of flags.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Flag, auto

from .tiles import (
    BIRD,
    ONES,
    SIZES,
    SUIT_FIELDS,
    TERMINAL_FIELDS,
    UNIT,
    USUAL,
    ZHONG,
    Packed,
    Size,
    Tile,
    pack,
)

PUNG = "pung"
EXPOSED_KONG = "exposed_kong"
ADDED_KONG = "added_kong"
CONCEALED_KONG = "concealed_kong"
KONGS: tuple[str, ...] = (EXPOSED_KONG, ADDED_KONG, CONCEALED_KONG)
MELD_KINDS: tuple[str, ...] = (PUNG, *KONGS)

DISCARD = "discard"
SELF_DRAW = "self_draw"
ROB_KONG = "rob_kong"
WAYS: tuple[str, ...] = (DISCARD, SELF_DRAW, ROB_KONG)

HEAVENLY = "tian_hu"
EARTHLY = "di_hu"
BLESSINGS: tuple[str, ...] = (HEAVENLY, EARTHLY)

#: The most melds that a hand of any size has.
MAX_MELDS = max(SIZES)


@dataclass(frozen=True, slots=True, order=True)
class Meld:
    """副露: one pung (碰) or kong (直杠, 补杠, 暗杠) laid down.

    ``tile`` is the kind that it stands for; ``jokers`` of its tiles are jokers, each a ``joker``
    (幺鸡 or 红中).

    >>> Meld(PUNG, 4).size, Meld(CONCEALED_KONG, 4).is_kong
    (3, True)
    """

    kind: str
    tile: Tile
    jokers: int = 0
    joker: Tile = BIRD

    @property
    def is_kong(self) -> bool:
        """Whether this is a kong (杠) of any kind."""
        return self.kind != PUNG

    @property
    def size(self) -> int:
        """How many tiles lie there: 3 or 4."""
        return 4 if self.is_kong else 3


@dataclass(frozen=True, slots=True)
class Hand:
    """手牌: the concealed tiles without the winning one, the melds, and the winning tile.

    ``tiles`` is sorted.  ``win_tile`` is None while nothing has been won; ``named`` says that it
    was named and is not just the last tile written.  ``size`` is the table's.

    >>> Hand((0, 1, 2), win_tile=3, named=True).concealed
    (0, 1, 2, 3)
    """

    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    win_tile: Tile | None = None
    named: bool = False
    size: Size = USUAL

    #: All concealed tiles, the winning one included, sorted; and the same as packed counts.
    concealed: tuple[Tile, ...] = field(init=False, compare=False, repr=False)
    packed: Packed = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        last = self.win_tile
        concealed = self.tiles if last is None else tuple(sorted((*self.tiles, last)))
        object.__setattr__(self, "concealed", concealed)
        object.__setattr__(self, "packed", pack(concealed))

    @property
    def full_count(self) -> int:
        """How many concealed tiles a hand with these melds has when it has won."""
        return self.size.full - 3 * len(self.melds)

    @property
    def missing(self) -> int:
        """How many tiles are missing to the full count; negative when there are too many."""
        return self.full_count - len(self.concealed)


def make_hand(
    tiles: list[Tile],
    melds: tuple[Meld, ...] = (),
    *,
    win_tile: Tile | None = None,
    size: Size = USUAL,
) -> Hand:
    """A hand of tiles in the order written: the last one of a full hand is the winning tile.

    ``win_tile`` names a winning tile *beside* ``tiles``.

    >>> make_hand([5, 1] + [0] * 12).win_tile
    0
    """
    if win_tile is not None:
        return Hand(tuple(sorted(tiles)), melds, win_tile, named=True, size=size)
    if tiles and len(tiles) == size.full - 3 * len(melds):
        return Hand(tuple(sorted(tiles[:-1])), melds, tiles[-1], size=size)
    return Hand(tuple(sorted(tiles)), melds, size=size)


@dataclass(frozen=True, slots=True)
class Win:
    """和牌方式: how a hand was won, and what came with it.

    ``after_kong`` is the kind of kong whose replacement tile won (杠上花), ``kong_discard`` the
    discard after a kong (杠上炮), ``last_tile`` the end of the wall (海底), ``horses`` how many
    horses (买马) hit the winner, ``last_copy`` that the other three copies lie open (绝张).

    >>> Win(SELF_DRAW, after_kong=CONCEALED_KONG).self_drawn
    True
    """

    by: str = DISCARD
    after_kong: str | None = None
    kong_discard: bool = False
    last_tile: bool = False
    blessing: str | None = None
    horses: int = 0
    last_copy: bool = False

    @property
    def self_drawn(self) -> bool:
        """自摸: whether the winner drew the tile himself."""
        return self.by == SELF_DRAW


class Problem(Flag):
    """What no legal hand can have; several at once are possible."""

    NONE = 0
    FIVE_OF_A_KIND = auto()
    TOO_MANY_TILES = auto()
    TOO_MANY_MELDS = auto()
    MELD_WITHOUT_NATURAL = auto()
    MELD_OF_JOKERS = auto()
    FOREIGN_TILES = auto()


class MeldSummary:
    """What scoring needs to know of all melds together."""

    __slots__ = ("bits", "held", "jokers", "number", "present", "pungs")

    def __init__(self, pungs: Packed, kongs: Packed, jokers: int, bits: int) -> None:
        self.pungs: Packed = 3 * pungs  #: three of each pung kind; kongs are not in it
        self.present: Packed = pungs + kongs  #: one of each meld's kind, two where it comes twice
        #: Three or four of each, as the melds stand for.
        self.held: Packed = self.pungs + 4 * kongs if kongs else self.pungs
        self.number = bits & 7
        self.jokers = jokers
        #: Three bits each for how many there are in all, exposed, added and concealed kongs.
        self.bits = bits

    @property
    def outside(self) -> bool:
        """Whether every meld is of ones or nines."""
        return not self.present & _INNER_FIELDS

    @property
    def exposed(self) -> int:
        """How many exposed kongs (直杠)."""
        return self.bits >> 3 & 7

    @property
    def added(self) -> int:
        """How many added kongs (补杠)."""
        return self.bits >> 6 & 7

    @property
    def concealed(self) -> int:
        """How many concealed kongs (暗杠)."""
        return self.bits >> 9 & 7

    @property
    def kongs(self) -> int:
        """How many kongs (杠) of any kind."""
        return self.exposed + self.added + self.concealed

    @property
    def open(self) -> bool:
        """Whether there is a pung, exposed or added kong: no 门清."""
        return self.concealed < self.number


_KIND_BITS = {PUNG: 1, EXPOSED_KONG: 1 | 1 << 3, ADDED_KONG: 1 | 1 << 6, CONCEALED_KONG: 1 | 1 << 9}


_INNER_FIELDS = 7 * ONES & ~TERMINAL_FIELDS


def summarise(melds: tuple[Meld, ...]) -> MeldSummary:
    """The summary of melds that scoring reads.

    >>> summarise((Meld(PUNG, 0), Meld(CONCEALED_KONG, 8))).outside
    True
    """
    pungs = kongs = bits = jokers = 0
    for meld in melds:
        kind = meld.kind
        if kind == PUNG:
            pungs += UNIT[meld.tile]
        else:
            kongs += UNIT[meld.tile]
        bits += _KIND_BITS[kind]
        jokers += meld.jokers
    return MeldSummary(pungs, kongs, jokers, bits)


def physical_count(hand: Hand, tile: Tile, joker: Tile | None = None) -> int:
    """How many physical copies of ``tile`` the hand shows: concealed, in melds, as jokers.

    >>> physical_count(Hand((4,), (Meld(PUNG, 4),)), 4)
    4
    """
    return _shown(hand, joker).count(tile)


def _shown(hand: Hand, joker: Tile | None) -> tuple[Tile, ...]:
    """Every tile that the hand shows, one by one; jokers in melds where there are jokers."""
    shown = hand.concealed
    for meld in hand.melds:
        shown += (meld.tile,) * (meld.size - meld.jokers)
        if meld.jokers and joker is not None:
            shown += (joker,) * meld.jokers
    return shown


def five_of_a_kind(hand: Hand, joker: Tile | None = None) -> tuple[Tile, ...]:
    """The tiles of which the hand shows more than the four copies that exist."""
    shown = _shown(hand, joker)
    if hand.melds:
        shown = tuple(sorted(shown))
    # In order, the fifth tile of a kind stands four places behind the first.
    return tuple(dict.fromkeys(a for a, b in zip(shown, shown[4:], strict=False) if a == b))


def suits_shown(hand: Hand, joker: Tile | None = None, seen: Packed = 0) -> set[int]:
    """The suits that a hand and what lies open elsewhere show; jokers have none."""
    natural = {t // 9 for t in hand.concealed if t != joker} | {m.tile // 9 for m in hand.melds}
    return {s for s, fields in enumerate(SUIT_FIELDS) if s in natural or seen & fields}


def problems(hand: Hand, joker: Tile | None = None) -> Problem:
    """Everything that is impossible about a hand under rules with this joker.

    >>> problems(Hand((0,) * 5))
    <Problem.FIVE_OF_A_KIND: 1>
    """
    found = Problem.NONE
    if len(hand.melds) > hand.size.sets:
        found |= Problem.TOO_MANY_MELDS
    elif hand.missing < 0:
        found |= Problem.TOO_MANY_TILES
    if five_of_a_kind(hand, joker):
        found |= Problem.FIVE_OF_A_KIND
    for meld in hand.melds:
        if meld.jokers >= meld.size:
            found |= Problem.MELD_WITHOUT_NATURAL
        if (meld.jokers and meld.joker != joker) or meld.tile in (joker, ZHONG):
            found |= Problem.MELD_OF_JOKERS
    if joker != ZHONG and ZHONG in hand.concealed:
        found |= Problem.FOREIGN_TILES
    return found
