"""The value (番, 倍) of a full hand that wins.

A hand's tiles give a small *signature*: the kinds of reading it has, its four-alikes, its suits
and ranks, a summary of its melds.  Few signatures exist, so the verdict of each is found once per
rules and way of winning, and scoring a hand is a handful of masks and one look-up.  Shapes and
other readings are worked out only when asked for (``Scorer.readings``).

Jokers are assigned suit by suit: for each suit and number of jokers, the distinct outcomes; the
best combination of three suits is the best assignment, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from .decompose import (
    ALL_FACTS,
    CHAINS,
    NINE_GATES,
    OUTSIDE,
    PAIRS,
    PUNGS,
    STANDARD,
    SUIT_FACTS,
    Division,
    divisions,
    suit_codes,
)
from .hand import (
    BLESSINGS,
    EXPOSED_KONG,
    KONGS,
    SELF_DRAW,
    Hand,
    Meld,
    MeldSummary,
    Win,
    five_of_a_kind,
    summarise,
)
from .patterns import (
    BONUSES,
    GEN,
    PATTERNS,
    SI_JI,
    TERM_ORDER,
    ZI_MO,
    Reading,
    Term,
)
from .rules import Rules, zi_mo_fan
from .signature import (
    CHAIN,
    EDGE,
    GATES,
    IN_PAIR,
    JOKERS,
    MELDS_SHIFT,
    MIDDLE,
    MIDDLE_FIVE,
    MIDDLE_TWO,
    NOT_PURE,
    PLACED,
    PLACED_SHIFT,
    PLACES,
    QUADS_SHIFT,
    RANK_BITS,
    STANDS,
    STRAIGHT,
    TWINS_SHIFT,
)
from .tiles import (
    COPIES,
    FOURS,
    NO_TILE,
    ONES,
    RANK_LIMITS,
    SUIT_BITS,
    SUIT_FIELDS,
    SUIT_MASK,
    UNIT,
    ZHONG,
    Packed,
    Tile,
    count,
    iterate,
    pack,
    total,
)
from .ways import (
    ANY_JOKER,
    NOT_HERE,
    Suit,
    divided,
    first_ways,
    joined,
    order_of,
    outcomes,
    shares,
)

FIVE_ALIKE = "more than four of a kind"

#: So many verdicts are kept by all scorers together.
MOST_VERDICTS = 25_000


@dataclass(frozen=True, slots=True)
class Counted:
    """One line of a breakdown: the term, its fan in all, and how often it counts."""

    id: str
    fan: int
    count: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a hand is worth.

    ``fan`` is after the cap, ``multiple`` in units of base with any self-draw unit; the ``terms``
    add up to ``uncapped_fan``.  ``patterns`` are the base patterns counted.  ``order`` compares
    readings: the greater is the better.
    """

    fan: int
    uncapped_fan: int
    multiple: int
    patterns: tuple[str, ...]
    terms: tuple[Counted, ...]
    order: tuple[int, int, int, tuple[tuple[int, int], ...]]


class ScoredReading(NamedTuple):
    """One reading with its verdict: how the tiles are divided and what jokers stand for.

    ``jokers`` are the tiles that the concealed jokers stand for.
    """

    verdict: Verdict
    division: Division | None
    jokers: tuple[Tile, ...] = ()


_M, _P, _S = SUIT_FIELDS
#: So many readings of a hand with jokers are listed at most: there can be thousands.
MOST_READINGS = 13

_Triple = tuple[int, int, int]

#: Where melds are present more than once.
_TWICE = 6 * ONES


def _crowded(counts: Packed) -> Packed:
    """The fields of packed counts that hold five or more."""
    return counts >> 2 & (counts | counts >> 1) & ONES


def _over_full(packed: Packed, melds: tuple[Meld, ...], summary: MeldSummary) -> bool:
    """Whether tiles with no five alike are five alike together with melds."""
    if summary.jokers or summary.present & _TWICE:
        return bool(five_of_a_kind(Hand(tuple(iterate(packed)), melds)))
    return bool(packed & summary.held & FOURS or _crowded(packed + summary.held))


#: What a verdict is kept by.
_Memo = dict[int, Verdict]


class _Verdicts:
    """The verdicts that all scorers keep together."""

    def __init__(self) -> None:
        self.number = 0
        self._memos: dict[int, _Memo] = {}

    def keep(self, memo: _Memo, signature: int, verdict: Verdict) -> None:
        """Keep one more in a scorer's memo; where there are too many all memos begin anew."""
        if self.number >= MOST_VERDICTS:
            for full in self._memos.values():
                full.clear()
            self._memos.clear()
            self.number = 0
        self.number += 1
        self._memos[id(memo)] = memo
        memo[signature] = verdict


KEPT = _Verdicts()

#: The kinds of reading that a whole hand may have at once.
_FORMS = (PAIRS, STANDARD, PUNGS, OUTSIDE)


class Scorer:
    """Scores hands under fixed rules and one way of winning; keeps the verdicts it has found.

    >>> from .notation import parse
    >>> from .rules import load
    >>> Scorer(load("chengdu"), Win()).value(parse("11223345678999m").concealed).fan
    2
    """

    def __init__(self, rules: Rules, win: Win) -> None:
        self.rules = rules
        self.win = win
        self._joker = rules.joker_tile
        self._full_count = rules.size.full
        self._excludes = {bonus: frozenset(row) for bonus, row in rules.excludes.items()}
        self._bloom_discard = (
            rules.bloom == "discard" and win.self_drawn and win.after_kong == EXPOSED_KONG
        )
        self._drawn = win.self_drawn and not self._bloom_discard
        self._patterns: list[tuple[Term, int]] = []
        self._blessings: list[tuple[Term, int]] = []
        for term in PATTERNS:
            fan = rules.fan_of(term.id)
            if fan is None or term.id == SI_JI:
                continue
            aside = rules.blessing_adds and rules.combine == "max" and term.id in BLESSINGS
            (self._blessings if aside else self._patterns).append((term, fan))
        self._bonuses: list[tuple[Term, int]] = []
        for term in BONUSES:
            fan = rules.fan_for(term.id, win)
            if term.id == ZI_MO:
                fan = None if self._bloom_discard else zi_mo_fan(rules)
            if fan is not None:
                self._bonuses.append((term, fan))
        counting = [term for term, _ in (*self._patterns, *self._blessings, *self._bonuses)]
        #: What the terms that are on ask of the sets of a reading, and of the ranks.
        self._asks = sum(term.asks for term in counting)
        #: Whether every way to read a hand has to be looked at.
        self._each_way = bool(self._asks) or rules.pungs_outside
        asked = {term.target.ranks for term in counting if term.target is not None}
        self._ranks = [(limit.others, bit) for limit, bit in RANK_BITS if limit in asked]
        # Verdicts by signature: of whole hands, and of single ways to read one.
        self._signatures: _Memo = {}
        self._of_ways: _Memo = {}

    def value(self, tiles: Collection[Tile], melds: tuple[Meld, ...] = ()) -> Verdict | None:
        """The verdict on the concealed tiles of a full hand, or None when it does not win.

        A hand with too few or too many tiles (相公) does not.  Raises :class:`ValueError` for more
        than four of a kind, melds counted, and for what is no tile.
        """
        packed = pack(tiles)
        if packed & FOURS and _crowded(packed):
            raise ValueError(FIVE_ALIKE)
        summary, full_count = _NO_MELDS, self._full_count
        if melds:
            summary = summarise(melds)
            present = summary.present
            if (packed & 7 * present or present & _TWICE) and _over_full(packed, melds, summary):
                raise ValueError(FIVE_ALIKE)
            full_count -= 3 * len(melds)
        found = self.verdict(packed, summary) if len(tiles) == full_count else None
        if found is None or self._joker is not None:
            # Eight or more of a kind are not seen in the packed counts: they are fewer tiles there.
            wild = 0 if self._joker is None else count(packed, self._joker) + summary.jokers
            if wild > COPIES or total(packed) != len(tiles):
                raise ValueError(FIVE_ALIKE)
            if self._joker != ZHONG and count(packed, ZHONG):
                raise ValueError(NO_TILE)
        return found

    def verdict(
        self,
        packed: Packed,
        melds: MeldSummary,
        *,
        win_tile: Tile | None = None,
        void: int | None = None,
        dead: Tile | None = None,
    ) -> Verdict | None:
        """The best verdict on packed concealed tiles of a full hand beside melds.

        ``void`` is the declared missing suit, ``dead`` a tile whose fifth copy is being awaited.
        None when the hand does not win.
        """
        if self._joker is not None:
            wild = count(packed, self._joker)
            if wild + melds.jokers >= self.rules.jokers_that_win:
                return self._four_jokers(packed, melds, win_tile, void)
            if wild or melds.jokers:
                return self._best_way(packed, melds, win_tile, void, dead)
        if self._each_way:
            return self._best_way(packed, melds, win_tile, void, dead)
        present = packed | melds.present
        if void is not None and present & SUIT_FIELDS[void]:
            return None
        facts = (
            SUIT_FACTS[packed & SUIT_MASK]
            & SUIT_FACTS[packed >> SUIT_BITS & SUIT_MASK]
            & SUIT_FACTS[packed >> 2 * SUIT_BITS]
        )
        if melds.number:
            facts &= ~PAIRS
            if facts & OUTSIDE and not melds.outside:
                facts -= OUTSIDE
        suits = (present & _M != 0) + (present & _P != 0) + (present & _S != 0)
        if not facts or suits > 2:
            return None
        alike = packed + melds.pungs
        signature = facts | (alike & FOURS).bit_count() << QUADS_SHIFT
        if suits == 2:
            signature |= NOT_PURE
        for others, bit in self._ranks:
            if present & others:
                signature |= bit
        signature |= melds.bits << MELDS_SHIFT
        return self._signatures.get(signature) or self.by_signature(signature)

    def by_signature(self, signature: int) -> Verdict:
        """Find and keep the best verdict among the readings that a signature stands for.

        A signature without any fact stands for none: it must not be asked for.
        """
        found = self._signatures.get(signature)
        if found is not None:
            return found
        common = signature & ~ALL_FACTS
        best = max(
            (self._by_way(common | form) for form in _FORMS if signature & form),
            key=lambda v: v.order,
        )
        KEPT.keep(self._signatures, signature, best)
        return best

    def _reading(self, signature: int) -> Reading:
        """The reading that a signature of one way stands for, the winning tile in one place."""
        melds = signature >> MELDS_SHIFT
        return Reading(
            seven_pairs=bool(signature & PAIRS),
            all_pungs=bool(signature & PUNGS),
            outside=bool(signature & OUTSIDE),
            quads=signature >> QUADS_SHIFT & 7,
            suits=2 if signature & NOT_PURE else 1,
            ranks=tuple(limit for limit, bit in RANK_BITS if not signature & bit),
            sets=self.rules.sets,
            melds=melds & 7,
            exposed=melds >> 3 & 7,
            added=melds >> 6 & 7,
            concealed=melds >> 9 & 7,
            open=melds >> 9 & 7 < melds & 7,
            jokers=bool(signature & JOKERS),
            joker_system=self.rules.joker is not None,
            win=self.win,
            straight=bool(signature & STRAIGHT),
            twins=signature >> TWINS_SHIFT & 3,
            chain=bool(signature & CHAIN),
            gates=bool(signature & GATES),
            place=PLACED[signature >> PLACED_SHIFT],
        )

    def judge(self, reading: Reading) -> Verdict:
        """The best verdict on one reading: which pattern counts, and every bonus.

        In a ``sum`` system all patterns that hold count together.
        """
        holding = [(term, fan) for term, fan in self._patterns if term.holds(reading)]
        bonuses = [(term, fan, 1) for term, fan in self._blessings if term.holds(reading)]
        for term, fan in self._bonuses:
            number = int(term.holds(reading))
            if number:
                bonuses.append((term, fan, number))
        alone = [one for one in holding if one[0].id in BLESSINGS]
        if self.rules.blessing_alone and alone:
            return self._count(alone, ())
        if self.rules.combine == "sum":
            return self._count(holding, bonuses)
        return max((self._count([one], bonuses) for one in holding), key=lambda v: v.order)

    def _count(
        self, patterns: Sequence[tuple[Term, int]], bonuses: Sequence[tuple[Term, int, int]]
    ) -> Verdict:
        """The verdict where these patterns count and all bonuses that they do not absorb."""
        absorbed_quads = max((term.absorbs_quads for term, _ in patterns), default=0)
        absorbed_kongs = any(term.absorbs_kongs for term, _ in patterns)
        lines = [Counted(term.id, fan, 1) for term, fan in patterns]
        chosen = {term.id for term, _ in patterns}
        for term, fan, number in bonuses:
            if term.id in self._excludes and chosen & self._excludes[term.id]:
                continue
            if term.id == GEN:
                number -= absorbed_quads
            elif absorbed_kongs and term.id in KONGS:
                number = 0
            if number > 0:
                lines.append(Counted(term.id, fan * number, number))
        uncapped = sum(line.fan for line in lines)
        fan = self.rules.capped(uncapped)
        multiple = self.rules.multiple(fan)
        if self._drawn:
            multiple += self.rules.self_draw_units(fan)
        base_fan = sum(fan for _, fan in patterns)
        # After all that the rules say the terms decide, so that equal readings have equal terms.
        listed = tuple((-TERM_ORDER[line.id], line.count) for line in lines)
        return Verdict(
            fan,
            uncapped,
            multiple,
            tuple(term.id for term, _ in patterns),
            tuple(lines),
            (multiple, base_fan, uncapped, listed),
        )

    # Readings in full

    def summary(
        self,
        division: Division,
        packed: Packed,
        melds: MeldSummary,
        *,
        jokers: bool,
    ) -> Reading:
        """The summary of one division; ``packed`` has the jokers assigned.

        The winning tile has no place in it, see :func:`places`.
        """
        present = packed | melds.present
        alike = packed + melds.pungs
        codes = suit_codes(packed)
        return Reading(
            seven_pairs=bool(division.pairs),
            all_pungs=not division.chows and not division.pairs,
            outside=division.outside and melds.outside,
            quads=(alike & FOURS).bit_count(),
            suits=sum(bool(present & fields) for fields in SUIT_FIELDS),
            ranks=tuple(limit for limit in RANK_LIMITS if not present & limit.others),
            sets=self.rules.sets,
            melds=melds.number,
            exposed=melds.exposed,
            added=melds.added,
            concealed=melds.concealed,
            open=melds.open,
            jokers=jokers,
            joker_system=self.rules.joker is not None,
            win=self.win,
            straight=division.straight,
            twins=division.twins,
            chain=bool(division.pairs) and CHAINS.issuperset(codes),
            gates=NINE_GATES.issuperset(codes),
        )

    def _plain_readings(
        self, packed: Packed, melds: MeldSummary, win_tile: Tile | None
    ) -> Iterator[ScoredReading]:
        present = packed | melds.present
        suits = (present & _M != 0) + (present & _P != 0) + (present & _S != 0)
        if suits > 2:
            return
        alike = packed + melds.pungs
        common = (alike & FOURS).bit_count() << QUADS_SHIFT | melds.bits << MELDS_SHIFT
        if suits == 2:
            common |= NOT_PURE
        for others, bit in self._ranks:
            if present & others:
                common |= bit
        keep = ~0 if melds.outside else ~OUTSIDE
        for division in divisions(packed, melds.number):
            signature = division.facts & keep | common
            if self._asks:
                signature |= self._asked_of(division, packed, win_tile)
            yield ScoredReading(self._by_way(signature), division)

    def _asked_of(self, division: Division, packed: Packed, win_tile: Tile | None) -> int:
        """What the rules ask of the sets of a division, and where the winning tile may stand."""
        found = places(division, win_tile) | division.twins << TWINS_SHIFT
        codes = suit_codes(packed)
        if division.straight:
            found |= STRAIGHT
        if division.pairs and CHAINS.issuperset(codes):
            found |= CHAIN
        if NINE_GATES.issuperset(codes):
            found |= GATES
        return found & self._asks

    def readings(
        self,
        packed: Packed,
        melds: MeldSummary,
        *,
        win_tile: Tile | None = None,
        void: int | None = None,
        dead: Tile | None = None,
    ) -> list[ScoredReading]:
        """Every reading of a full hand that wins, best first; empty when it does not win.

        With jokers, one reading for each division and assignment; no more than
        :data:`MOST_READINGS` of them.
        """
        joker = self.rules.joker_tile
        found: list[ScoredReading] = []
        if joker is not None and count(packed, joker) + melds.jokers >= self.rules.jokers_that_win:
            return self._four_joker_readings(packed, melds, win_tile, void)
        if joker is not None and (count(packed, joker) or melds.jokers):
            return self._ways(packed, melds, win_tile, void, dead)
        if void is None or not (packed | melds.present) & SUIT_FIELDS[void]:
            found = list(self._plain_readings(packed, melds, win_tile))
        found.sort(key=lambda r: r.verdict.order, reverse=True)
        return found

    # Every way to read a hand

    def _suits(
        self,
        packed: Packed,
        melds: MeldSummary,
        win_tile: Tile | None,
        void: int | None,
        dead: Tile | None,
    ) -> tuple[list[Suit], int] | None:
        """The three suits and how many jokers they share; None where nothing can be read."""
        joker = self._joker
        wild = 0 if joker is None else count(packed, joker)
        natural = packed if joker is None else packed - wild * UNIT[joker]
        held = natural - (0 if dead is None else UNIT[dead]) + melds.held
        present = natural | melds.present
        if _crowded(held) or (void is not None and present & SUIT_FIELDS[void]):
            return None
        codes, helds = suit_codes(natural), suit_codes(held)
        pungs, kinds = suit_codes(melds.pungs), suit_codes(melds.present)
        pairs = not melds.number
        return [
            Suit(codes[s], helds[s], pungs[s], kinds[s], pairs, *self._asked(s, win_tile))
            for s in range(3)
        ], wild

    def _asked(self, suit: int, win_tile: Tile | None) -> tuple[int, int]:
        """Where the winning tile stands in a suit, and what the rules ask of the suit's sets."""
        asks = self._asks
        if suit != 2:
            asks &= ~MIDDLE_TWO
        if win_tile is not None and asks & PLACES:
            if win_tile == self._joker:
                return ANY_JOKER, asks
            if win_tile // 9 == suit:
                return win_tile % 9, asks
        return NOT_HERE, asks & ~PLACES

    def _combined(
        self, suits: list[Suit], wild: int, melds: MeldSummary, void: int | None
    ) -> Iterator[tuple[int, _Triple, _Triple]]:
        """Each signature that the hand can be read as, with the jokers and outcome of each suit."""
        keep = ~0 if melds.outside else ~OUTSIDE
        more = melds.bits << MELDS_SHIFT
        if wild or melds.jokers:
            more |= JOKERS
        one, two, three = (bool(suit.code | suit.present) for suit in suits)
        tables = [outcomes(suit, wild) for suit in suits]
        for shared, number in shares(wild, (one, two, three), void):
            parts = [table[n] for table, n in zip(tables, shared, strict=True)]
            if all(parts):
                colours = more | NOT_PURE if number == 2 else more
                for found, of_suits in joined(parts):
                    yield found & keep | colours, shared, of_suits

    def _best_way(
        self,
        packed: Packed,
        melds: MeldSummary,
        win_tile: Tile | None,
        void: int | None,
        dead: Tile | None,
    ) -> Verdict | None:
        """The best verdict over every division and every assignment of the concealed jokers."""
        asked = self._suits(packed, melds, win_tile, void, dead)
        if asked is None:
            return None
        signatures = {found for found, _, _ in self._combined(*asked, melds, void)}
        return max(map(self._by_way, signatures), key=lambda v: v.order, default=None)

    def _ways(
        self,
        packed: Packed,
        melds: MeldSummary,
        win_tile: Tile | None,
        void: int | None,
        dead: Tile | None,
    ) -> list[ScoredReading]:
        """The best readings of a hand with jokers, as many as are ever shown."""
        asked = self._suits(packed, melds, win_tile, void, dead)
        if asked is None:
            return []
        suits, wild = asked
        ranked: dict[Any, list[tuple[Verdict, _Triple, _Triple]]] = {}
        for signature, shared, of_suits in self._combined(suits, wild, melds, void):
            verdict = self._by_way(signature)
            ranked.setdefault(verdict.order, []).append((verdict, shared, of_suits))
        found: list[ScoredReading] = []
        for order in sorted(ranked, reverse=True):
            # Of equal readings those come first whose jokers stand for the lower tiles.
            equal = [
                (shared, order_of(way), way, verdict)
                for verdict, shared, of_suits in ranked[order]
                for way in first_ways(suits, shared, of_suits, MOST_READINGS)
            ]
            equal.sort(key=lambda one: one[:2])
            for _, _, way, verdict in equal[: MOST_READINGS - len(found)]:
                found.append(ScoredReading(verdict, *divided(suits, way)))
            if len(found) == MOST_READINGS:
                break
        return found

    def _by_way(self, signature: int) -> Verdict:
        """The verdict on the ways that have a signature: one reading, the winning tile anywhere."""
        found = self._of_ways.get(signature)
        if found is not None:
            return found
        spots = signature & PLACES
        if spots:
            # The tile stands in one of its places, or nowhere that counts.
            way = signature - spots
            at = [n << PLACED_SHIFT for n, (bit, _) in enumerate(STANDS, 1) if spots & bit]
            best = max((self._by_way(way | each) for each in (0, *at)), key=lambda v: v.order)
        else:
            best = self.judge(self._reading(signature))
        KEPT.keep(self._of_ways, signature, best)
        return best

    def _four_jokers(
        self, packed: Packed, melds: MeldSummary, win_tile: Tile | None, void: int | None
    ) -> Verdict:
        """四幺鸡: the flat worth, or the hand's own where no cap stands and that is more."""
        return self._four_joker_readings(packed, melds, win_tile, void)[0].verdict

    def _four_joker_readings(
        self, packed: Packed, melds: MeldSummary, win_tile: Tile | None, void: int | None
    ) -> list[ScoredReading]:
        rules = self.rules
        own, worth = rules.fan_of(SI_JI), rules.si_ji_fan
        fan = rules.capped(worth)
        multiple = rules.multiple(fan)
        flat = Verdict(
            fan,
            worth,
            multiple,
            (SI_JI,),
            (Counted(SI_JI, worth, 1),),
            (multiple, worth, worth, ((-TERM_ORDER[SI_JI], 1),)),
        )
        found = [ScoredReading(flat, None)]
        full = self._full_count - 3 * melds.number
        if rules.cap is None and own is None and total(packed) == full:
            drawn = scorer(rules, replace(self.win, by=SELF_DRAW, kong_discard=False))
            best = drawn._ways(packed, melds, win_tile, void, None)[:1]
            if best and best[0].verdict.multiple > flat.multiple:
                found = best + found
        return found


_NO_MELDS = summarise(())


def places(division: Division, tile: Tile | None) -> int:
    """Where a tile may stand in a division, as bits of a signature.

    >>> from .notation import parse
    >>> one, *_ = divisions(parse("123456789m45655p").packed, 0)
    >>> places(one, 13) == MIDDLE | MIDDLE_FIVE | IN_PAIR
    True
    """
    if tile is None:
        return 0
    found, chows = IN_PAIR if tile == division.pair else 0, division.chows
    if tile - 1 in chows:
        found |= MIDDLE
        found |= MIDDLE_FIVE if tile % 9 == 4 else MIDDLE_TWO if tile == KA_ER_TIAO else 0
    if (tile % 9 == 2 and tile - 2 in chows) or (tile % 9 == 6 and tile in chows):
        found |= EDGE
    return found


#: 二条, of 卡二条.
KA_ER_TIAO: Tile = 19


@lru_cache(maxsize=256)
def scorer(rules: Rules, win: Win) -> Scorer:
    """The shared scorer for rules and a way of winning."""
    return Scorer(rules, win)


def least_fan(kongs: Sequence[str], *, rules: Rules, win: Win = Win()) -> int:  # noqa: B008 - frozen
    """至少几番: the least 番, after the cap, of a hand of which no more is known than its kongs.

    ``kongs`` are their kinds. The rest is taken to be worth as little as it can be: a plain hand
    of two suits, open, without 根, and with a joker where there are any.

    >>> from .hand import CONCEALED_KONG
    >>> from .rules import load
    >>> least_fan([CONCEALED_KONG], rules=load("chengdu"))
    2
    >>> after = Win(SELF_DRAW, after_kong=CONCEALED_KONG)
    >>> least_fan([CONCEALED_KONG], rules=load("chengdu"), win=after)
    5
    """
    joker_system = rules.joker is not None
    exposed, added, concealed = map(kongs.count, KONGS)
    reading = Reading(
        seven_pairs=False,
        all_pungs=len(kongs) == rules.sets,
        outside=False,
        quads=0,
        suits=2,
        ranks=(),
        sets=rules.sets,
        melds=len(kongs),
        exposed=exposed,
        added=added,
        concealed=concealed,
        open=concealed < rules.sets,
        jokers=joker_system,
        joker_system=joker_system,
        win=win,
    )
    return scorer(rules, win).judge(reading).fan


_latest: tuple[Rules, Win, Callable[..., Verdict | None]] | None = None


def value(
    tiles: Collection[Tile],
    melds: tuple[Meld, ...] = (),
    *,
    rules: Rules,
    win: Win = Win(),  # noqa: B008 - frozen
) -> Verdict | None:
    """What the concealed tiles of a full hand are worth (番, 倍), or None when it does not win.

    The quick way from tile ints to a value, for programs that score many hands.  A hand with too
    few or too many tiles (相公) does not win.  Raises :class:`ValueError` for more than four of a
    kind, melds counted, and for what is no tile.

    >>> from .notation import parse
    >>> from .rules import load
    >>> value(parse("11334466778899m").concealed, rules=load("chengdu")).multiple
    16
    """
    global _latest
    latest = _latest
    # The same rules and way as before, as a rule: to see that is quicker than to look them up.
    if latest is None or latest[0] is not rules or latest[1] is not win:
        latest = _latest = rules, win, scorer(rules, win).value
    return latest[2](tiles, melds)
