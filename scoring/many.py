"""Values of many hands at once, arrays in and arrays out (批量计番).

The same verdicts as :func:`scoring.score.value`, hand by hand; only the look-ups are done on whole
arrays.  Needs NumPy, the optional extra ``fast``.

A hand is three suit codes (``int32``, nine counts of three bits: what ``decompose.suit_codes``
gives) or 27 counts.  Hands with jokers, and rules with a term that depends on the reading (夹心五,
卡二条, 一条龙 …), are scored one by one.  红中 is in no suit, so it can only be in melds here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .decompose import OUTSIDE, PAIRS
from .enumerate import suits
from .hand import MAX_MELDS, MELD_KINDS, Meld, Win, summarise
from .patterns import PATTERN_ORDER
from .rules import Rules
from .score import (
    FIVE_ALIKE,
    Scorer,
    Verdict,
    scorer,
)
from .signature import ALL_RANKS, MELDS_SHIFT, NOT_PURE, QUADS_SHIFT, RANK_BITS
from .tiles import (
    COPIES,
    FULL_COUNT,
    SUIT_BITS,
    SUIT_MASK,
    UNIT,
    ZHONG,
    Packed,
    iterate,
)

Ints = NDArray[np.int32]
Melds = tuple[Meld, ...]

_RANKS = 9
_STATES = (COPIES + 1) ** _RANKS
_CHUNK = 1 << 17
# In the table of suits this bit says that there is a tile at all.
_PRESENT = NOT_PURE
# Above what a suit adds to a signature the table has its number of tiles, at most 36.
_TILES_SHIFT = MELDS_SHIFT
_Cell: Any = np.uint16 if 36 << _TILES_SHIFT < 1 << 16 else np.uint32
_SUMS = 7 << QUADS_SHIFT | 63 << _TILES_SHIFT
_LOW = (1 << MELDS_SHIFT) - 1
_TWO_SUITS = (1 << 2 * SUIT_BITS) - 1


class Values(NamedTuple):
    """What each hand is worth, one entry a hand.

    ``pattern`` is the place in ``patterns.PATTERNS`` of the base pattern counted, of several the
    one worth most (the first listed on a tie); ``verdict`` the place of the whole verdict in
    ``verdicts``.  Both are −1, and the rest is 0, where a hand does not win.
    """

    fan: Ints
    uncapped_fan: Ints
    multiple: NDArray[np.int64]
    pattern: Ints
    verdict: Ints
    verdicts: tuple[Verdict, ...]


def as_codes(hands: Any) -> Ints:
    """Hands as an array of three suit codes each, from those or from 27 counts.

    Raises :class:`ValueError` for another shape, and for what is no code or no count.

    >>> counts = [0] * 27
    >>> counts[9] = 2
    >>> as_codes([counts]).tolist()
    [[0, 2, 0]]
    """
    array = np.asarray(hands)
    if array.ndim != 2 or array.shape[1] not in (3, 27):
        raise ValueError("hands are rows of 3 suit codes or of 27 counts")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError("suit codes and counts are integers")
    if array.shape[1] == 3:
        if array.size and not 0 <= array.min() <= array.max() <= SUIT_MASK:
            raise ValueError("a suit code is nine counts of three bits")
        return array.astype(np.int32, copy=False)
    if array.size and not 0 <= array.min() <= array.max() <= COPIES:
        raise ValueError(f"{FIVE_ALIKE}, or fewer than none")
    fields = np.array([UNIT[r] for r in range(_RANKS)], dtype=np.int32)
    return array.reshape(-1, 3, _RANKS).astype(np.int32) @ fields


def from_packed(hands: Sequence[Packed]) -> Ints:
    """Packed hands as an array of three suit codes each.

    >>> from_packed([UNIT[0] + UNIT[26]]).tolist()
    [[1, 0, 16777216]]
    """
    low = np.array([h & _TWO_SUITS for h in hands], dtype=np.int64)
    high = np.array([h >> 2 * SUIT_BITS for h in hands], dtype=np.int64)
    return np.stack((low & SUIT_MASK, low >> SUIT_BITS, high), axis=1).astype(np.int32)


def to_packed(codes: Ints) -> list[Packed]:
    """The packed hands of an array of suit codes, the inverse of :func:`from_packed`."""
    wide = codes.astype(np.int64)
    low = (wide[:, 0] | wide[:, 1] << SUIT_BITS).tolist()
    return [a | b << 2 * SUIT_BITS for a, b in zip(low, wide[:, 2].tolist(), strict=True)]


@cache
def _triples() -> Ints:
    """Three fields of a code → their part of the state; far below 0 with more than four alike."""
    table = np.full(512, -10 * _STATES, dtype=np.int32)
    for a in range(COPIES + 1):
        for b in range(COPIES + 1):
            for c in range(COPIES + 1):
                table[a | b << 3 | c << 6] = a + 5 * b + 25 * c
    return table


def _states(codes: Ints) -> Ints:
    """Suit codes as numbers in base five, so that a table of all suits is dense."""
    part = _triples()
    state: Ints = part[codes & 511]
    state += 125 * part[codes >> 9 & 511]
    state += 15625 * part[codes >> 18]
    return state


def _legal_states(codes: Ints) -> Ints:
    """As `_states`; raises :class:`ValueError` where more than four are alike."""
    state = _states(codes)
    if state.size and state.min() < 0:
        raise ValueError(FIVE_ALIKE)
    return state


def _bits_of_rank() -> Ints:
    """What a tile of each rank says of its suit: it is there, and the limits that it breaks."""
    found = []
    for rank in range(_RANKS):
        bits = _PRESENT
        bits |= sum(bit for limit, bit in RANK_BITS if rank not in limit.ranks)
        found.append(bits)
    return np.array(found, dtype=np.int32)


@cache
def _table() -> NDArray[Any]:
    """What every suit adds to a signature: facts, four-alikes, ranks, presence, tiles."""
    state = np.arange(_STATES, dtype=np.int32)
    table = np.zeros(_STATES, dtype=_Cell)
    for rank in range(_RANKS):
        number = state // 5**rank % 5
        table += (number == COPIES).astype(_Cell) << QUADS_SHIFT
        table += number.astype(_Cell) << _TILES_SHIFT
        table |= np.where(number > 0, _bits_of_rank()[rank], 0).astype(_Cell)
    for tiles in range(FULL_COUNT + 1):
        made = suits(tiles)
        if made:
            places = _states(np.array([code for code, _ in made], dtype=np.int32))
            table[places] |= np.array([facts for _, facts in made], dtype=_Cell)
    return table


@cache
def _ways_table() -> NDArray[np.int64]:
    """In how many ways the tiles of each suit can be held: C(4, n) for each kind, multiplied."""
    each = np.array([comb(COPIES, n) for n in range(COPIES + 1)], dtype=np.int64)
    table = np.ones(1, dtype=np.int64)
    for _ in range(_RANKS):
        table = np.multiply.outer(each, table).reshape(-1)
    return table


def ways(hands: Any) -> NDArray[np.int64]:
    """In how many ways the concealed tiles of each hand can be held, copies told apart.

    >>> ways([[0, 2, 0]]).tolist()  # one tile twice: 2 is two of its kind
    [6]
    """
    codes, table = as_codes(hands), _ways_table()
    found: NDArray[np.int64] = table[_states(codes[:, 0])]
    return found * table[_states(codes[:, 1])] * table[_states(codes[:, 2])]


def meld_numbers(choices: Sequence[Melds]) -> Ints:
    """Choices of melds as an array: a row each, a number for each meld, 0 where there is none.

    The number is 1 + tile + 27 × kind + 108 × jokers, the kind as its place in ``MELD_KINDS``.

    >>> meld_numbers([(), (Meld("pung", 4), Meld("concealed_kong", 0))]).tolist()
    [[0, 0, 0, 0], [5, 82, 0, 0]]
    """
    rows = [
        [1 + m.tile + 27 * MELD_KINDS.index(m.kind) + 108 * m.jokers for m in melds]
        + [0] * (MAX_MELDS - len(melds))
        for melds in choices
    ]
    return np.array(rows, dtype=np.int32).reshape(-1, MAX_MELDS)


def _melds_of(row: list[int]) -> Melds:
    """The melds of one row of numbers."""
    return tuple(
        Meld(MELD_KINDS[(n - 1) // 27 % 4], (n - 1) % 27, (n - 1) // 108) for n in row if n
    )


class _MeldTable:
    """What each choice of melds adds to the signatures of its hands, as arrays.

    ``full`` is how many tiles a hand without melds has.
    """

    def __init__(self, numbers: Ints, full: int) -> None:
        size = len(numbers)
        self.numbers = numbers
        self.pungs = np.zeros((size, 3), dtype=np.int32)
        # Where there is no room for a concealed tile: one beside a pung, none beside a kong.
        self.full = np.zeros((size, 3), dtype=np.int32)
        self.present = np.zeros((size, 3), dtype=np.int32)
        self.jokers = np.zeros(size, dtype=np.int32)
        bits = np.zeros(size, dtype=np.int32)
        inside = np.zeros(size, dtype=np.bool_)
        twice = np.zeros(size, dtype=np.bool_)
        of_rank, of_kind = _bits_of_rank(), np.array(_BITS_OF_KIND, dtype=np.int32)
        for column in numbers.T:
            row = np.flatnonzero(column)
            number = column[row] - 1
            tile, kind = number % 27, number // 27 % 4
            suit, rank = tile // 9, tile % 9
            pung = kind == 0
            self.pungs[row, suit] += np.where(pung, 3 << 3 * rank, 0).astype(np.int32)
            twice[row] |= self.full[row, suit] >> 3 * rank & 6 != 0
            self.full[row, suit] |= (np.where(pung, 6, 7) << 3 * rank).astype(np.int32)
            self.present[row, suit] |= of_rank[rank]
            self.jokers[row] += number // 108
            bits[row] += of_kind[kind]
            inside[row] |= (rank > 0) & (rank < _RANKS - 1)
        # Those with jokers are looked at one by one.
        if (twice & (self.jokers == 0)).any():
            raise ValueError(f"{FIVE_ALIKE}, melds counted")
        melded = bits > 0
        self.keep = np.full(size, ~0, dtype=np.int32)
        self.keep[melded] = ~PAIRS
        self.keep[melded & inside] = ~(PAIRS | OUTSIDE)
        distinct, place = np.unique(bits << MELDS_SHIFT, return_inverse=True)
        self.bits: list[int] = distinct.tolist()
        self.place = place.reshape(-1).astype(np.int32)
        # How many tiles a full hand has beside them, their pungs counted.
        kongs = (bits >> 3 & 7) + (bits >> 6 & 7) + (bits >> 9 & 7)
        self.tiles = full - 3 * kongs

    def melds(self, choice: int) -> Melds:
        """One choice, for a hand that is scored alone."""
        return _melds_of(self.numbers[choice].tolist())


#: The bits of :class:`.hand.MeldSummary` that one meld of each kind adds.
_BITS_OF_KIND = [summarise((Meld(kind, 0),)).bits for kind in MELD_KINDS]


def score_many(
    hands: Any,
    melds: Sequence[Melds] | Ints = ((),),
    which: Any = None,
    *,
    rules: Rules,
    win: Win = Win(),  # noqa: B008 - frozen
) -> Values:
    """What each of many full hands is worth under the same rules and way of winning.

    ``melds`` are the choices of melds that occur, or an array of :func:`meld_numbers`; ``which``
    gives for each hand the place of its own choice.  Without it there is either one choice for all
    or one for each hand.  A hand with too few or too many tiles (相公) does not win.  Raises
    :class:`ValueError` for a hand with more than four of a kind, melds counted.

    >>> from .notation import parse
    >>> from .rules import load
    >>> hand = parse("11334466778899m").packed
    >>> score_many(from_packed([hand]), rules=load("chengdu")).multiple.tolist()
    [16]
    """
    codes = as_codes(hands)
    by = scorer(rules, win)
    numbers = melds if isinstance(melds, np.ndarray) else meld_numbers(melds)
    if which is None:
        which = np.zeros(len(codes)) if len(numbers) == 1 else np.arange(len(numbers))
    places = np.asarray(which, np.int32)
    if places.shape != (len(codes),):
        raise ValueError("melds, or which, have one place for each hand")
    table = _MeldTable(numbers, rules.size.full)
    collected = _Verdicts()
    verdict = np.empty(len(codes), dtype=np.int32)
    for at in range(0, len(codes), _CHUNK):
        rows, place = codes[at : at + _CHUNK], places[at : at + _CHUNK]
        alone = np.flatnonzero(_one_by_one(rows, place, table, rules))
        others = rows
        if alone.size:
            others = rows.copy()
            others[alone] = 0
        found = _by_signature(_signatures(others, place, table), table, by, collected)
        packed = to_packed(rows[alone])
        for row, hand, choice in zip(alone, packed, place[alone], strict=True):
            found[row] = collected.place(by.value([*iterate(hand)], table.melds(choice)))
        verdict[at : at + _CHUNK] = found
    return collected.values(verdict)


def _signatures(codes: Ints, place: Ints, melds: _MeldTable) -> Ints:
    """The signature of each hand with the place of its melds' bits on top; −1: no win."""
    suit_table = _table()
    facts = np.full(len(codes), 15, dtype=np.int32)
    more = np.zeros(len(codes), dtype=np.int32)
    number = np.zeros(len(codes), dtype=np.int32)
    quads = np.zeros(len(codes), dtype=np.int32)
    none = len(melds.bits) == 1 and not melds.bits[0]
    for suit in range(3):
        code = codes[:, suit]
        own = suit_table[_legal_states(code)].astype(np.int32)
        facts &= own
        if none:
            quads += own & _SUMS
        else:
            if (code & melds.full[place, suit]).any():
                raise ValueError(f"{FIVE_ALIKE}, melds counted")
            alike = suit_table[_legal_states(code + melds.pungs[place, suit])]
            quads += alike & _SUMS
            own |= melds.present[place, suit]
        more |= own
        number += own >> 7 & 1
    facts &= melds.keep[place] & 15
    facts *= quads >> _TILES_SHIFT == melds.tiles[place]
    signature: Ints = facts | quads & 7 << QUADS_SHIFT | (more & ALL_RANKS)
    signature |= np.where(number == 2, NOT_PURE, 0)
    signature |= melds.place[place] << MELDS_SHIFT
    return np.where((facts == 0) | (number > 2), -1, signature)


def _one_by_one(codes: Ints, place: Ints, melds: _MeldTable, rules: Rules) -> NDArray[np.bool_]:
    """Which hands have to be scored one by one."""
    if rules.reading_dependent:
        return np.ones(len(codes), dtype=np.bool_)
    if rules.joker_tile is None:
        return np.zeros(len(codes), dtype=np.bool_)
    if rules.joker_tile == ZHONG:  # of no suit: it can only be in a meld here
        return melds.jokers[place] > 0
    suit, rank = divmod(rules.joker_tile, _RANKS)
    held: NDArray[np.bool_] = (codes[:, suit] & 7 << 3 * rank) != 0
    return held | (melds.jokers[place] > 0)


def _by_signature(signatures: Ints, melds: _MeldTable, by: Scorer, collected: _Verdicts) -> Ints:
    """The place of each hand's verdict, each signature judged once."""
    places = np.full((len(melds.bits) << MELDS_SHIFT) + 1, -1, dtype=np.int32)
    present = np.zeros(len(places), dtype=np.bool_)
    present[signatures] = True
    present[-1] = False
    for signature in np.flatnonzero(present).tolist():
        full = signature & _LOW | melds.bits[signature >> MELDS_SHIFT]
        places[signature] = collected.place(by.by_signature(full))
    return places[signatures]


class _Verdicts:
    """The verdicts met so far; a scorer gives the same object for the same verdict."""

    def __init__(self) -> None:
        self._verdicts: list[Verdict] = []
        self._places: dict[int, int] = {}

    def place(self, verdict: Verdict | None) -> int:
        if verdict is None:
            return -1
        place = self._places.setdefault(id(verdict), len(self._verdicts))
        if place == len(self._verdicts):
            self._verdicts.append(verdict)
        return place

    def values(self, verdict: Ints) -> Values:
        verdicts = tuple(self._verdicts)

        def column(numbers: list[int], missing: int, kind: Any) -> Any:
            return np.array([*numbers, missing], dtype=kind)[verdict]

        return Values(
            column([v.fan for v in verdicts], 0, np.int32),
            column([v.uncapped_fan for v in verdicts], 0, np.int32),
            column([v.multiple for v in verdicts], 0, np.int64),
            column([_main_pattern(v) for v in verdicts], -1, np.int32),
            verdict,
            verdicts,
        )


def _main_pattern(verdict: Verdict) -> int:
    """The place of the base pattern counted, of several the one worth most."""
    worth = {term.id: term.fan for term in verdict.terms}
    best = max(verdict.patterns, key=lambda p: (worth[p], -PATTERN_ORDER[p]))
    return PATTERN_ORDER[best]
