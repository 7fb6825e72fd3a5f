"""Every winning hand, by the engine and by the independent scorer: where do the two differ?

The work is cut into units that need nothing of one another, so that they can run on several cores
and be taken up again. `check(unit, …)` does one: it makes the hands, asks the engine hand by hand
(`Scorer.verdict`) and all at once (`score_many`), asks `tests.independent.fast`, and compares fan,
uncapped fan, multiple, patterns and every term.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from scoring import enumerate as every
from scoring import rules as rule_systems
from scoring.hand import DISCARD, SELF_DRAW, Hand, Meld, Win, summarise
from scoring.many import from_packed, score_many
from scoring.notation import format_hand
from scoring.rules import RULESETS
from scoring.score import Verdict, scorer
from scoring.tiles import UNIT, Packed, count, pack, total, unpack
from scoring.waits import valued, waits
from tests.independent import fast, hands

WAYS = (DISCARD, SELF_DRAW)
PARTS = ("concealed", "melds1", "melds2", "melds3", "melds4", "waits", "jokers")
#: How many items of a part go into one unit, and how many there are; an item is a hand in
#: ``concealed`` and ``waits``, a choice of melds in ``melds…``, a natural part in ``jokers``.
SIZES = {
    "concealed": (50_000, every.CONCEALED_COUNTS[0]),
    "melds1": (1, 36),
    "melds2": (15, 1_242),
    "melds3": (200, 26_112),
    "melds4": (4_000, 391_968),
    "waits": (5_000, 193_600),
    "jokers": (1_000, 20_000),
}
ONE_SUIT_WAITS = 93_600
#: The sampled part of a part: two-suit hands of ``waits``, all of ``jokers``.
SEED = 27
BATCH = 50_000


@dataclass(frozen=True)
class Unit:
    """One piece of work: items ``start`` to ``stop`` of a part, every ``step``-th hand of them."""

    part: str
    start: int
    stop: int
    step: int = 1

    @property
    def key(self) -> str:
        """Its name in a file of results."""
        return f"{self.part}:{self.start}"


@dataclass
class Found:
    """What came of a unit: hands seen, values compared, differences, and some of those."""

    hands: int = 0
    compared: int = 0
    differences: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, other: "Found") -> None:
        self.hands += other.hands
        self.compared += other.compared
        self.differences += other.differences
        self.examples = (self.examples + other.examples)[:EXAMPLES]

    def differ(self, example: str) -> None:
        self.differences += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(example)


EXAMPLES = 20


def units(parts: Sequence[str], step: int = 1) -> list[Unit]:
    """All units of some parts, in order; those of a sample are larger."""
    found = []
    for part in parts:
        size, number = SIZES[part]
        size *= min(step, 50)
        found += [Unit(part, at, min(at + size, number), step) for at in range(0, number, size)]
    return found


def check(unit: Unit, systems: Sequence[str], folder: Path = RULESETS) -> Found:
    """Do one unit under some systems, each winning by discard and by self-draw."""
    if unit.part == "waits":
        return _check_waits(unit, systems, folder)
    if unit.part == "jokers":
        return _check_jokers(unit, systems, folder)
    found = Found()
    stream = islice(_hands(unit), 0, None, unit.step)
    while batch := list(islice(stream, BATCH)):
        choices: dict[tuple[Meld, ...], int] = {}
        which = [choices.setdefault(melds, len(choices)) for melds, _ in batch]
        _check_hands([part for _, part in batch], list(choices), which, systems, folder, found)
    return found


def _hands(unit: Unit) -> Iterator[tuple[tuple[Meld, ...], Packed]]:
    """The hands of a unit as melds and concealed part."""
    if unit.part == "concealed":
        yield from (((), p) for p in islice(every.concealed(), unit.start, unit.stop))
        return
    melds = int(unit.part[-1])
    parts = tuple(every.concealed(melds, among=(0, 1)))
    for group in islice(every.groups(melds), unit.start, unit.stop):
        yield from ((group.melds, part) for part in parts if group.admits(part))


def counts_of(codes: Any) -> Any:
    """Suit codes as rows of 27 counts, the independent scorer's way to write a hand."""
    shifts = np.arange(9, dtype=np.int32) * 3
    return (codes[:, :, None] >> shifts & 7).astype(np.int8).reshape(-1, 27)


def _check_hands(
    parts: list[Packed],
    choices: list[tuple[Meld, ...]],
    which: list[int],
    systems: Sequence[str],
    folder: Path,
    found: Found,
) -> None:
    codes = from_packed(parts)
    counts = counts_of(codes)
    plain_melds = [[(m.kind, m.tile) for m in melds] for melds in choices]
    sorted_hands = fast.kinds(counts, plain_melds, which)
    summaries = [summarise(melds) for melds in choices]
    own = [summaries[at] for at in which]
    found.hands += len(parts)
    for system in systems:
        rules = rule_systems.load(system, folder)
        wild = np.flatnonzero(counts[:, rules.joker_tile] > 0) if rules.joker else np.array([])
        assert not (wild.size and any(choices)), "hands with melds hold no jokers"
        for by in WAYS:
            one_by_one = list(map(scorer(rules, Win(by)).verdict, parts, own))
            values = score_many(codes, choices, which, rules=rules, win=Win(by))
            known = (*values.verdicts, None)  # -1, no win, is the last
            at_once = [known[at] for at in values.verdict.tolist()]
            place, answers = fast.answers(system, by, sorted_hands)
            expected = [answers[at] for at in place.tolist()]
            if wild.size:
                best = _wild(system, by, counts[wild])
                for at, answer in zip(wild.tolist(), best, strict=True):
                    expected[at] = answer
            found.compared += len(parts)
            # Few different triples occur; each is compared once.
            triples = list(zip(one_by_one, at_once, expected, strict=True))
            distinct = {tuple(map(id, triple)): triple for triple in triples}
            wrong = {ids for ids, triple in distinct.items() if not alike(*triple)}
            if wrong:
                for at, triple in enumerate(triples):
                    if tuple(map(id, triple)) in wrong:
                        found.differ(_example(parts[at], choices[which[at]], system, by, triple))


def alike(one: Verdict | None, many: Verdict | None, answer: fast.Answer | None) -> bool:
    """Whether the engine's two ways and the independent scorer say the same."""
    if one is None or answer is None:
        return one is None and many is None and answer is None
    terms = tuple(sorted((line.id, line.fan) for line in one.terms if line.fan))
    return (
        one == many
        and (one.fan, one.uncapped_fan, one.multiple)
        == (answer.fan, answer.uncapped_fan, answer.multiple)
        and any(set(one.patterns) == set(chosen) for chosen in answer.patterns)
        and sum(line.fan for line in one.terms) == one.uncapped_fan
        and (not answer.ties or terms in answer.ties)
    )


def _wild(system: str, by: str, counts: Any) -> list[fast.Answer | None]:
    """The independent answers for hands that hold jokers."""
    found: list[fast.Answer | None] = [None] * len(counts)
    number = counts[:, fast.JOKER]
    for jokers in range(1, 4):
        rows = np.flatnonzero(number == jokers)
        if rows.size:
            naturals = counts[rows].copy()
            naturals[:, fast.JOKER] = 0
            best = fast.with_jokers(system, by, naturals, jokers)
            for row, answer in zip(rows.tolist(), best, strict=True):
                # Another assignment may tie with other terms.
                found[row] = answer and answer._replace(ties=())
    for row in np.flatnonzero(number == 4).tolist():
        found[row] = fast.four_jokers(system)
    return found


def _example(
    part: Packed, melds: tuple[Meld, ...], system: str, by: str, triple: Sequence[Any]
) -> str:
    hand = format_hand(Hand(tuple(unpack(part)), melds))
    one, many, answer = triple
    return f"{system} {by} {hand}: one by one {one}, at once {many}, independent {answer}"


@lru_cache(maxsize=1)
def _one_suit_hands() -> list[Packed]:
    """Every hand of thirteen tiles of 万."""

    def codes(rank: int, left: int) -> Iterator[Packed]:
        if rank == 9:
            if not left:
                yield 0
            return
        for number in range(min(4, left) + 1):
            for rest in codes(rank + 1, left - number):
                yield rest | number << 3 * rank

    return list(codes(0, 13))


def _random_win(rnd: Random) -> list[int]:
    """Fourteen concealed tiles of a random hand that wins."""
    while True:
        tiles, melds = hands.winning_tiles(rnd)
        if not melds:
            return tiles


def _waiting(number: int) -> Packed:
    """A thirteen-tile hand: first all of one suit, then some of two; two in three are ready."""
    one_suit = _one_suit_hands()
    if number < len(one_suit):
        return one_suit[number]
    rnd = Random(f"{SEED} waits {number}")
    tiles = _random_win(rnd)
    if number % 3 == 0:
        hands.change_tile(rnd, tiles, [])
    tiles.remove(rnd.choice(tiles))
    return pack(tiles)


def _check_waits(unit: Unit, systems: Sequence[str], folder: Path) -> Found:
    found = Found()
    parts = [_waiting(number) for number in range(unit.start, unit.stop, unit.step)]
    found.hands = len(parts)
    none = summarise(())
    for system in systems:
        rules = rule_systems.load(system, folder)
        mine = [p for p in parts if not (rules.joker and count(p, fast.JOKER))]
        counts = counts_of(from_packed(mine))
        for by in WAYS:
            judge = scorer(rules, Win(by))
            place, answers = fast.waits(system, by, counts)
            found.compared += len(mine)
            for part, places in zip(mine, place.tolist(), strict=True):
                got = dict(valued(part, none, judge))
                expected = {t: answers[p] for t, p in enumerate(places) if answers[p]}
                if rules.joker:
                    expected.pop(fast.JOKER, None)
                same = waits(part, none, rules) == sorted(expected) == sorted(got)
                if not same or not all(alike(v, v, expected[t]) for t, v in got.items()):
                    found.differ(_example(part, (), system, by, (got, None, expected)))
    return found


def _with_jokers(number: int) -> Packed:
    """A hand with one to three jokers; one in four has a tile changed."""
    rnd = Random(f"{SEED} jokers {number}")
    tiles = _random_win(rnd)
    if number % 4 == 0:
        hands.change_tile(rnd, tiles, [])
    rest = [tile for tile in tiles if tile != fast.JOKER]
    jokers = min(3, max(1 + number % 3, len(tiles) - len(rest)))
    rnd.shuffle(rest)
    return pack(rest[: 14 - jokers]) + jokers * UNIT[fast.JOKER]


def _check_jokers(unit: Unit, systems: Sequence[str], folder: Path) -> Found:
    found = Found()
    parts = [_with_jokers(number) for number in range(unit.start, unit.stop, unit.step)]
    parts = [part for part in parts if total(part) == 14]
    mine = [s for s in systems if rule_systems.load(s, folder).joker]
    _check_hands(parts, [()], [0] * len(parts), mine, folder, found)
    return found
