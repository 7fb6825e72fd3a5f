"""The value (番, 倍) of a full hand that wins.

A hand's tiles give a small *signature*: the kinds of reading it has, its four-alikes, its suits
and ranks, a summary of its melds.  Few signatures exist, so the verdict of each is found once per
rules and way of winning, and scoring a hand is a handful of masks and one look-up.  Shapes and
other readings are worked out only when asked for (``Scorer.readings``).

Jokers are assigned suit by suit: for each suit and number of jokers, the distinct outcomes; the
best combination of three suits is the best assignment, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .decompose import (
    OUTSIDE,
    PAIRS,
    PUNGS,
    STANDARD,
    SUIT_FACTS,
    Division,
    completions,
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
    PATTERN_ORDER,
    PATTERNS,
    SI_JI,
    ZI_MO,
    Reading,
    Term,
)
from .rules import Rules, zi_mo_fan
from .tiles import (
    COPIES,
    FOURS,
    FULL_COUNT,
    NOT_258_FIELDS,
    ONES,
    SUIT_BITS,
    SUIT_FIELDS,
    SUIT_MASK,
    TERMINAL_FIELDS,
    TILES,
    UNIT,
    Packed,
    Tile,
    count,
    iterate,
    pack,
    total,
)

JOKERS_THAT_WIN = 4
FIVE_ALIKE = "more than four of a kind"

_MEMO_LIMIT = 200_000


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
    order: tuple[int, int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ScoredReading:
    """One reading with its verdict: how the tiles are divided and what jokers stand for.

    ``jokers`` are the tiles that the concealed jokers stand for.
    """

    verdict: Verdict
    division: Division | None
    jokers: tuple[Tile, ...] = ()


_M, _P, _S = SUIT_FIELDS
_SUIT_ONES = ONES & SUIT_MASK
_SUIT_FOURS = FOURS & SUIT_MASK
_SUIT_NOT_258 = NOT_258_FIELDS & SUIT_MASK
_SUIT_TERMINALS = TERMINAL_FIELDS & SUIT_MASK

# Bits of a signature above the four of the facts; those of the melds come last.
QUADS_SHIFT = 4
NOT_PURE = 1 << 7
NOT_258 = 1 << 8
TERMINALS = 1 << 9
MELDS_SHIFT = 10


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
        self._reading_dependent = rules.reading_dependent
        self._bloom_discard = (
            rules.bloom == "discard" and win.self_drawn and win.after_kong == EXPOSED_KONG
        )
        self._extra = int(
            rules.self_draw_bonus == "base" and win.self_drawn and not self._bloom_discard
        )
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
            fan = rules.fan_of(term.id, win.after_kong)
            if term.id == ZI_MO:
                fan = None if self._bloom_discard else zi_mo_fan(rules)
            if fan is not None:
                self._bonuses.append((term, fan))
        # Verdicts by signature, of hands without jokers and with.
        self._signatures: tuple[dict[int, Verdict], dict[int, Verdict]] = ({}, {})
        self._by_reading: dict[Reading, Verdict] = {}

    def value(self, tiles: Collection[Tile], melds: tuple[Meld, ...] = ()) -> Verdict | None:
        """The verdict on the concealed tiles of a full hand, or None when it does not win.

        A hand with too few or too many tiles (相公) does not.  Raises :class:`ValueError` for more
        than four of a kind, melds counted, and for what is no tile.
        """
        packed = pack(tiles)
        if packed & FOURS and _crowded(packed):
            raise ValueError(FIVE_ALIKE)
        summary, full_count = _NO_MELDS, FULL_COUNT
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
            if wild + melds.jokers >= JOKERS_THAT_WIN:
                return self._four_jokers(packed, melds, win_tile, void)
            if wild or melds.jokers:
                return self._wild(packed, melds, wild, win_tile, void, dead)
        present = packed | melds.present
        if void is not None and present & SUIT_FIELDS[void]:
            return None
        if self._reading_dependent:
            best = self._best_reading(self._plain_readings(packed, melds, win_tile))
            return best.verdict if best else None
        facts = (
            SUIT_FACTS[packed & SUIT_MASK]
            & SUIT_FACTS[packed >> SUIT_BITS & SUIT_MASK]
            & SUIT_FACTS[packed >> 2 * SUIT_BITS]
        )
        if melds.number:
            facts &= ~PAIRS if melds.outside else ~(PAIRS | OUTSIDE)
        suits = (present & _M != 0) + (present & _P != 0) + (present & _S != 0)
        if not facts or suits > 2:
            return None
        alike = packed + melds.pungs
        signature = facts | (alike & FOURS & ~((alike & ONES) << 2)).bit_count() << QUADS_SHIFT
        if suits == 2:
            signature |= NOT_PURE
        if present & NOT_258_FIELDS:
            signature |= NOT_258
        if present & TERMINAL_FIELDS:
            signature |= TERMINALS
        signature |= melds.bits << MELDS_SHIFT
        return self._signatures[0].get(signature) or self.by_signature(signature)

    def by_signature(self, signature: int, *, wild: bool = False) -> Verdict:
        """Find and keep the best verdict among the readings that a signature stands for.

        A signature without any fact stands for none: it must not be asked for.
        """
        memo = self._signatures[wild]
        found = memo.get(signature)
        if found is not None:
            return found
        melds = signature >> MELDS_SHIFT
        plain = Reading(
            seven_pairs=False,
            all_pungs=False,
            outside=False,
            quads=signature >> QUADS_SHIFT & 7,
            suits=2 if signature & NOT_PURE else 1,
            only_258=not signature & NOT_258,
            no_terminals=not signature & TERMINALS,
            melds=melds & 7,
            exposed=melds >> 3 & 7,
            added=melds >> 6 & 7,
            concealed=melds >> 9 & 7,
            open=melds >> 9 & 7 < melds & 7,
            jokers=wild,
            joker_system=self.rules.joker is not None,
            win=self.win,
        )
        readings: list[Reading] = []
        if signature & PAIRS:
            readings.append(plain._replace(seven_pairs=True))
        if signature & STANDARD:
            readings.append(plain)
        if signature & PUNGS:
            readings.append(plain._replace(all_pungs=True))
        if signature & OUTSIDE:
            readings.append(plain._replace(outside=True))
        best = max((self.judge(r) for r in readings), key=lambda v: v.order)
        if len(memo) >= _MEMO_LIMIT:
            memo.clear()
        memo[signature] = best
        return best

    def judge(self, reading: Reading) -> Verdict:
        """The best verdict on one reading: which pattern counts, and every bonus.

        In a ``sum`` system all patterns that hold count together.
        """
        found = self._by_reading.get(reading)
        if found is not None:
            return found
        holding = [(term, fan) for term, fan in self._patterns if term.holds(reading)]
        bonuses = [(term, fan, 1) for term, fan in self._blessings if term.holds(reading)]
        for term, fan in self._bonuses:
            number = int(term.holds(reading))
            if number:
                bonuses.append((term, fan, number))
        if self.rules.combine == "sum":
            best = self._count(holding, bonuses)
        else:
            best = max((self._count([one], bonuses) for one in holding), key=lambda v: v.order)
        if len(self._by_reading) >= _MEMO_LIMIT:
            self._by_reading.clear()
        self._by_reading[reading] = best
        return best

    def _count(
        self, patterns: Sequence[tuple[Term, int]], bonuses: Sequence[tuple[Term, int, int]]
    ) -> Verdict:
        """The verdict where these patterns count and all bonuses that they do not absorb."""
        absorbed_quads = max((term.absorbs_quads for term, _ in patterns), default=0)
        absorbed_kongs = any(term.absorbs_kongs for term, _ in patterns)
        lines = [Counted(term.id, fan, 1) for term, fan in patterns]
        for term, fan, number in bonuses:
            if term.id == GEN:
                number -= absorbed_quads
            elif absorbed_kongs and term.id in KONGS:
                number = 0
            if number > 0:
                lines.append(Counted(term.id, fan * number, number))
        uncapped = sum(line.fan for line in lines)
        fan = self.rules.capped(uncapped)
        multiple = self.rules.multiple(fan) + self._extra
        base_fan = sum(fan for _, fan in patterns)
        listed = tuple(-PATTERN_ORDER[term.id] for term, _ in patterns)
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
        win_tiles: Sequence[Tile],
        *,
        jokers: bool,
    ) -> Reading:
        """The summary of one division; ``packed`` has the jokers assigned."""
        present = packed | melds.present
        alike = packed + melds.pungs
        chows = division.chows
        return Reading(
            seven_pairs=bool(division.pairs),
            all_pungs=not chows and not division.pairs,
            outside=division.outside and melds.outside,
            quads=(alike & FOURS & ~((alike & ONES) << 2)).bit_count(),
            suits=sum(bool(present & fields) for fields in SUIT_FIELDS),
            only_258=not present & NOT_258_FIELDS,
            no_terminals=not present & TERMINAL_FIELDS,
            melds=melds.number,
            exposed=melds.exposed,
            added=melds.added,
            concealed=melds.concealed,
            open=melds.open,
            jokers=jokers,
            joker_system=self.rules.joker is not None,
            win=self.win,
            straight=division.straight,
            middle_five=any(t % 9 == 4 and t - 1 in chows for t in win_tiles),
            edge_two=19 in win_tiles and 18 in chows,
        )

    def _plain_readings(
        self, packed: Packed, melds: MeldSummary, win_tile: Tile | None, *, jokers: bool = False
    ) -> Iterator[ScoredReading]:
        present = packed | melds.present
        if sum(bool(present & fields) for fields in SUIT_FIELDS) > 2:
            return
        win_tiles = () if win_tile is None else (win_tile,)
        for division in divisions(packed, melds.number):
            reading = self.summary(division, packed, melds, win_tiles, jokers=jokers)
            yield ScoredReading(self.judge(reading), division)

    @staticmethod
    def _best_reading(readings: Iterable[ScoredReading]) -> ScoredReading | None:
        return max(readings, key=lambda r: r.verdict.order, default=None)

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

        With jokers, one reading for each division and assignment.
        """
        joker = self.rules.joker_tile
        found: list[ScoredReading] = []
        if joker is not None and count(packed, joker) + melds.jokers >= JOKERS_THAT_WIN:
            return self._four_joker_readings(packed, melds, win_tile, void)
        if joker is not None and (count(packed, joker) or melds.jokers):
            wild = count(packed, joker)
            found = list(self._wild_readings(packed, melds, wild, win_tile, void, dead))
        elif void is None or not (packed | melds.present) & SUIT_FIELDS[void]:
            found = list(self._plain_readings(packed, melds, win_tile))
        found.sort(key=lambda r: r.verdict.order, reverse=True)
        return found

    # Jokers

    def _wild_base(
        self, packed: Packed, melds: MeldSummary, wild: int, dead: Tile | None
    ) -> tuple[Packed, Packed] | None:
        """The natural tiles, and what each kind holds already; None where five would be alike."""
        joker = self.rules.joker_tile
        assert joker is not None
        natural = packed - wild * UNIT[joker]
        held = natural - (0 if dead is None else UNIT[dead]) + melds.held
        if _crowded(held):
            return None
        return natural, held

    def _wild(
        self,
        packed: Packed,
        melds: MeldSummary,
        wild: int,
        win_tile: Tile | None,
        void: int | None,
        dead: Tile | None,
    ) -> Verdict | None:
        """The best verdict over every assignment of the concealed jokers."""
        if self.rules.reading_dependent:
            best = self._best_reading(
                self._wild_readings(packed, melds, wild, win_tile, void, dead)
            )
            return best.verdict if best else None
        base = self._wild_base(packed, melds, wild, dead)
        if base is None:
            return None
        natural, held = base
        codes, helds, pungs = suit_codes(natural), suit_codes(held), suit_codes(melds.pungs)
        memory = suit_codes(melds.present)
        present = natural | melds.present
        if void is not None and present & SUIT_FIELDS[void]:
            return None
        occupied = [bool(present & fields) for fields in SUIT_FIELDS]
        if sum(occupied) > 2:
            return None
        may_be_pairs = not melds.number
        keep = ~0 if may_be_pairs else (~PAIRS if melds.outside else ~(PAIRS | OUTSIDE))
        more = melds.bits << MELDS_SHIFT
        signatures: set[int] = set()
        for shares in _SHARES[wild]:
            used = [o or bool(n) for o, n in zip(occupied, shares, strict=True)]
            suits = sum(used)
            if suits > 2 or (void is not None and used[void]):
                continue
            parts = []
            for s in range(3):
                part = _outcomes(codes[s], helds[s], pungs[s], memory[s], shares[s], may_be_pairs)
                if not part:
                    break
                parts.append(part)
            else:
                signatures |= _joined(parts, keep, more | (NOT_PURE if suits == 2 else 0))
        if not signatures:
            return None
        return max((self.by_signature(s, wild=True) for s in signatures), key=lambda v: v.order)

    def _wild_readings(
        self,
        packed: Packed,
        melds: MeldSummary,
        wild: int,
        win_tile: Tile | None,
        void: int | None,
        dead: Tile | None,
    ) -> Iterator[ScoredReading]:
        """Every division of every assignment of the concealed jokers."""
        base = self._wild_base(packed, melds, wild, dead)
        if base is None:
            return
        natural, held = base
        joker = self.rules.joker_tile
        present = natural | melds.present
        if void is not None and present & SUIT_FIELDS[void]:
            return
        if sum(bool(present & fields) for fields in SUIT_FIELDS) > 2:
            return
        codes, helds = suit_codes(natural), suit_codes(held)
        for shares in _SHARES[wild]:
            options: list[list[Packed]] = []
            for s in range(3):
                adds = (
                    []
                    if shares[s] and s == void
                    else sorted(_room(codes[s], helds[s], shares[s], pairs=not melds.number))
                )
                options.append([add << SUIT_BITS * s for add in adds])
            if not all(options):
                continue
            for m in options[0]:
                for p in options[1]:
                    for t in options[2]:
                        added = m | p | t
                        made = natural + added
                        here = made | melds.present
                        if sum(bool(here & fields) for fields in SUIT_FIELDS) > 2:
                            continue
                        stands = tuple(iterate(added))
                        win_tiles: tuple[Tile, ...] = ()
                        if win_tile is not None:
                            win_tiles = stands if win_tile == joker else (win_tile,)
                        for division in divisions(made, melds.number):
                            reading = self.summary(division, made, melds, win_tiles, jokers=True)
                            yield ScoredReading(self.judge(reading), division, stands)

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
            (multiple, worth, worth, (-PATTERN_ORDER[SI_JI],)),
        )
        found = [ScoredReading(flat, None)]
        if rules.cap is None and own is None and self._full(packed, melds):
            drawn = scorer(rules, replace(self.win, by=SELF_DRAW, kong_discard=False))
            wild = count(packed, rules.joker_tile or 0)
            readings = drawn._wild_readings(packed, melds, wild, win_tile, void, None)
            best = drawn._best_reading(readings)
            if best is not None and best.verdict.multiple > flat.multiple:
                found.insert(0, best)
        return found

    @staticmethod
    def _full(packed: Packed, melds: MeldSummary) -> bool:
        return sum(count(packed, t) for t in TILES) == 14 - 3 * melds.number


_NO_MELDS = summarise(())


def _room(code: int, held: int, number: int, *, pairs: bool) -> list[int]:
    """What so many jokers may become in a suit: no fifth copy of anything."""
    return [add for add in completions(code, number, pairs=pairs) if _fits(held, add)]


def _fits(held: int, add: int) -> bool:
    # Four and four would flow over into the next field, where nobody looks for them.
    both = held + add
    crowded = held & add & _SUIT_FOURS | both >> 2 & (both | both >> 1) & _SUIT_ONES
    return not (add and crowded)


@lru_cache(maxsize=65536)
def _outcomes(
    code: int, held: int, pungs: int, melds: int, number: int, pairs: bool
) -> tuple[int, ...]:
    """The distinct outcomes of a suit with so many jokers: facts, four-alikes, ranks.

    ``held`` is what stands in the suit with the melds, ``pungs`` the pungs among them, ``melds``
    one of each meld's kind.
    """
    found: set[int] = set()
    for add in _room(code, held, number, pairs=pairs):
        made = code + add
        alike = made + pungs
        quads = (alike & _SUIT_FOURS & ~((alike & _SUIT_ONES) << 2)).bit_count()
        outcome = SUIT_FACTS[made] | quads << QUADS_SHIFT
        present = made | melds
        if present & _SUIT_NOT_258:
            outcome |= NOT_258
        if present & _SUIT_TERMINALS:
            outcome |= TERMINALS
        found.add(outcome)
    return tuple(found)


def _joined(parts: Sequence[Sequence[int]], keep: int, more: int) -> set[int]:
    """The signatures of every combination of the three suits' outcomes."""
    found: set[int] = set()
    for a in parts[0]:
        for b in parts[1]:
            two = a & b & keep & 15
            if not two:
                continue
            for c in parts[2]:
                facts = two & c
                if facts:
                    quads = (a >> 4 & 7) + (b >> 4 & 7) + (c >> 4 & 7)
                    ranks = (a | b | c) & (NOT_258 | TERMINALS)
                    found.add(facts | quads << QUADS_SHIFT | ranks | more)
    return found


#: ``_SHARES[n]``: the ways to share n jokers among the three suits.
_SHARES = tuple(
    tuple((a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a))
    for n in range(JOKERS_THAT_WIN + 1)
)


@lru_cache(maxsize=1024)
def scorer(rules: Rules, win: Win) -> Scorer:
    """The shared scorer for rules and a way of winning."""
    return Scorer(rules, win)


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
