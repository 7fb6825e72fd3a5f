"""Every winning hand, by the engine and by the independent scorer: where do the two differ?

The work is cut into units that need nothing of one another, so that they can run on several cores
and be taken up again. `check(unit, …)` does one: it makes the hands, asks the engine hand by hand
(`Scorer.verdict`) and all at once (`score_many`), asks `tests.independent.fast`, and compares fan,
uncapped fan, multiple, patterns and every term.

Beside the systems some parts are played at tables with house rules: terms that no system has, hands
of three sets and of two, 红中, and what the place of the winning tile is worth.
"""

import json
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
from scoring.rules import RULESETS, Rules
from scoring.score import Verdict, scorer
from scoring.tiles import SIZES as HAND_SIZES
from scoring.tiles import UNIT, ZHONG, Packed, count, pack, total, unpack
from scoring.waits import valued, waits
from tests.independent import fast, hands
from tests.independent import scorer as plain

WAYS = (DISCARD, SELF_DRAW)
PARTS = (
    *("concealed", "melds1", "melds2", "melds3", "melds4", "waits", "jokers"),
    *("terms", "hooks", "three", "two", "zhong", "places"),
)
#: How many items of a part go into one unit, and how many there are; an item is a hand in
#: ``concealed``, ``terms`` and ``waits``, a choice of melds in ``melds…``, ``hooks``, ``three`` and
#: ``two``, a natural part in ``jokers`` and ``zhong``, a hand in ``places``.
SIZES = {
    "concealed": (50_000, every.CONCEALED_COUNTS[0]),
    "melds1": (1, 36),
    "melds2": (15, 1_242),
    "melds3": (200, 26_112),
    "melds4": (4_000, 391_968),
    "waits": (5_000, 193_600),
    "jokers": (1_000, 20_000),
    "terms": (50_000, every.CONCEALED_COUNTS[0]),
    "hooks": (4_000, 391_968),
    "three": (500, 27_391),
    "two": (300, 1_279),
    "zhong": (500, 10_000),
    "places": (1_000, 20_000),
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


#: Patterns of one hand that no system has, each with a 番 of its own.
NEW_PATTERNS = {
    "jiang_qi_dui": 6,
    "jiang_jin_gou_diao": 7,
    "shuang_long_qi_dui": 8,
    "san_long_qi_dui": 9,
    "lian_qi_dui": 10,
    "jiu_lian": 11,
}
NEW_BONUSES = {"men_qing": 1, "zhong_zhang": 2}
OF_THE_READING = {"yi_tiao_long": 1, "ban_ban_gao": 2}
OF_THE_PLACE = {"dan_diao": 1, "ka_zhang": 2, "bian_zhang": 1, "jia_xin_wu": 3, "ka_er_tiao": 4}
EXCLUDES = {"zhong_zhang": ["jiang_dui", "qi_dui"], "gen": ["qing_yi_se"], "men_qing": ["jiu_lian"]}

#: Per part the house rules of the tables beside the systems that play it: one that counts the best
#: pattern, one that adds them up.
HOUSES: dict[str, dict[str, dict[str, Any]]] = {
    "terms": {
        "chengdu": {
            "fans": {**NEW_PATTERNS, **NEW_BONUSES, **OF_THE_READING},
            "excludes": EXCLUDES,
            "cap": 9,
            "self_draw_bonus": "base_capped",
        },
        "xueliu": {
            "fans": {**NEW_PATTERNS, **NEW_BONUSES, **OF_THE_READING},
            "self_draw_bonus": "double",
        },
    },
    "hooks": {
        "chengdu": {"fans": {**NEW_PATTERNS, **NEW_BONUSES}, "excludes": EXCLUDES},
        "xueliu": {"fans": {**NEW_PATTERNS, **NEW_BONUSES}, "self_draw_bonus": "fan"},
    },
    "zhong": {
        "chengdu": {"joker": "zhong", "fans": {**NEW_PATTERNS, **OF_THE_READING}},
        "xueliu": {"joker": "zhong", "fans": {"wu_ji": 1}},
    },
    "places": {
        "laok": {"fans": {**OF_THE_PLACE, **OF_THE_READING}},
        "xueliu": {"fans": OF_THE_PLACE, "excludes": {"dan_diao": ["dui_dui_hu"]}},
    },
}
#: The parts whose hands have fewer sets. The systems play them all, and so does a table that adds
#: up what a hand of few pungs can be at once: pungs alone, and outside.
SMALLER = {"three": 3, "two": 2}
ADDED_UP = {"dai_yao_jiu": 2, "qing_yao_jiu": 1, "dui_dui_hu": 1}


@dataclass(frozen=True)
class Table:
    """A system, perhaps with house rules; `asked` is how the independent scorer is told."""

    ruleset: str
    options: str = "{}"

    @property
    def asked(self) -> tuple[str, str]:
        return self.ruleset, self.options

    @property
    def name(self) -> str:
        return self.ruleset if self.options == "{}" else f"{self.ruleset} {self.options}"

    def rules(self, folder: Path) -> Rules:
        """The same for the engine."""
        return rule_systems.load(self.ruleset, folder).override(json.loads(self.options))


def tables(part: str, systems: Sequence[str]) -> list[Table]:
    """Who plays a part, of some systems."""
    if part in HOUSES:
        houses = HOUSES[part]
        return [Table(s, json.dumps(houses[s])) for s in systems if s in houses]
    if part in SMALLER:
        size = {"sets": SMALLER[part]}
        added_up = {"fans": ADDED_UP, **size}
        added = [Table("sbr", json.dumps(added_up))] if "sbr" in systems else []
        return [*(Table(s, json.dumps(size)) for s in systems), *added]
    return [Table(s) for s in systems]


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
    played = tables(unit.part, systems)
    if unit.part in _OTHERS:
        return _OTHERS[unit.part](unit, played, folder)
    found = Found()
    stream = islice(_hands(unit), 0, None, unit.step)
    while batch := list(islice(stream, BATCH)):
        choices: dict[tuple[Meld, ...], int] = {}
        which = [choices.setdefault(melds, len(choices)) for melds, _ in batch]
        _check_hands(
            [part for _, part in batch],
            list(choices),
            which,
            played,
            folder,
            found,
            full=unit.part == "terms",
        )
    return found


def _hands(unit: Unit) -> Iterator[tuple[tuple[Meld, ...], Packed]]:
    """The hands of a unit as melds and concealed part."""
    if unit.part in ("concealed", "terms"):
        yield from (((), p) for p in islice(every.concealed(), unit.start, unit.stop))
        return
    if unit.part in SMALLER:
        yield from _smaller(unit)
        return
    melds = 4 if unit.part == "hooks" else int(unit.part[-1])
    parts = tuple(every.concealed(melds, among=(0, 1)))
    for group in islice(every.groups(melds), unit.start, unit.stop):
        yield from ((group.melds, part) for part in parts if group.admits(part))


def _smaller(unit: Unit) -> Iterator[tuple[tuple[Meld, ...], Packed]]:
    """The hands of fewer sets: all concealed ones first, then choices of melds."""
    size = HAND_SIZES[SMALLER[unit.part]]
    numbered = ((m, group) for m in range(size.sets + 1) for group in every.groups(m))
    for melds, group in islice(numbered, unit.start, unit.stop):
        if not melds:
            yield from (((), part) for part in every.concealed(size=size))
            continue
        for part in every.concealed(melds, among=(0, 1), size=size):
            if group.admits(part):
                yield group.melds, part


def counts_of(codes: Any) -> Any:
    """Suit codes as rows of 27 counts, the independent scorer's way to write a hand."""
    shifts = np.arange(9, dtype=np.int32) * 3
    return (codes[:, :, None] >> shifts & 7).astype(np.int8).reshape(-1, 27)


def _check_hands(
    parts: list[Packed],
    choices: list[tuple[Meld, ...]],
    which: list[int],
    played: Sequence[Table],
    folder: Path,
    found: Found,
    *,
    full: bool = False,
) -> None:
    codes = from_packed(parts)
    counts = counts_of(codes)
    plain_melds = [[(m.kind, m.tile) for m in melds] for melds in choices]
    sorted_hands = fast.kinds(counts, plain_melds, which, full)
    summaries = [summarise(melds) for melds in choices]
    own = [summaries[at] for at in which]
    found.hands += len(parts)
    for table in played:
        rules = table.rules(folder)
        wild = np.flatnonzero(counts[:, rules.joker_tile] > 0) if rules.joker else np.array([])
        assert not any(choices[which[at]] for at in wild), "hands with melds hold no jokers"
        for by in WAYS:
            one_by_one = list(map(scorer(rules, Win(by)).verdict, parts, own))
            values = score_many(codes, choices, which, rules=rules, win=Win(by))
            known = (*values.verdicts, None)  # -1, no win, is the last
            at_once = [known[at] for at in values.verdict.tolist()]
            place, answers = fast.answers(table.asked, by, sorted_hands)
            expected = [answers[at] for at in place.tolist()]
            if wild.size:
                best = _wild(table, by, counts[wild])
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
                        found.differ(_example(parts[at], choices[which[at]], table, by, triple))


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


def _wild(table: Table, by: str, counts: Any) -> list[fast.Answer | None]:
    """The independent answers for hands that hold jokers."""
    found: list[fast.Answer | None] = [None] * len(counts)
    number = counts[:, fast.JOKER]
    for jokers in range(1, 4):
        rows = np.flatnonzero(number == jokers)
        if rows.size:
            naturals = counts[rows].copy()
            naturals[:, fast.JOKER] = 0
            best = fast.with_jokers(table.asked, by, naturals, jokers)
            for row, answer in zip(rows.tolist(), best, strict=True):
                # Another assignment may tie with other terms.
                found[row] = answer and answer._replace(ties=())
    for row in np.flatnonzero(number == 4).tolist():
        found[row] = fast.four_jokers(table.asked)
    return found


def _example(
    part: Packed, melds: tuple[Meld, ...], table: Table, by: str, triple: Sequence[Any]
) -> str:
    hand = format_hand(Hand(tuple(unpack(part)), melds))
    one, many, answer = triple
    return f"{table.name} {by} {hand}: one by one {one}, at once {many}, independent {answer}"


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


def _check_waits(unit: Unit, played: Sequence[Table], folder: Path) -> Found:
    found = Found()
    parts = [_waiting(number) for number in range(unit.start, unit.stop, unit.step)]
    found.hands = len(parts)
    none = summarise(())
    for table in played:
        rules = table.rules(folder)
        mine = [p for p in parts if not (rules.joker and count(p, fast.JOKER))]
        counts = counts_of(from_packed(mine))
        for by in WAYS:
            judge = scorer(rules, Win(by))
            place, answers = fast.waits(table.asked, by, counts)
            found.compared += len(mine)
            for part, places in zip(mine, place.tolist(), strict=True):
                got = dict(valued(part, none, judge))
                expected = {t: answers[p] for t, p in enumerate(places) if answers[p]}
                if rules.joker:
                    expected.pop(fast.JOKER, None)
                same = waits(part, none, rules) == sorted(expected) == sorted(got)
                if not same or not all(alike(v, v, expected[t]) for t, v in got.items()):
                    found.differ(_example(part, (), table, by, (got, None, expected)))
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


def _check_jokers(unit: Unit, played: Sequence[Table], folder: Path) -> Found:
    found = Found()
    parts = [_with_jokers(number) for number in range(unit.start, unit.stop, unit.step)]
    parts = [part for part in parts if total(part) == 14]
    mine = [table for table in played if table.rules(folder).joker]
    _check_hands(parts, [()], [0] * len(parts), mine, folder, found)
    return found


def _with_zhong(number: int) -> tuple[list[int], int]:
    """A hand with one to four 红中 as its natural tiles and their number."""
    rnd = Random(f"{SEED} zhong {number}")
    tiles = _random_win(rnd)
    if number % 4 == 0:
        hands.change_tile(rnd, tiles, [])
    rnd.shuffle(tiles)
    jokers = 4 if number % 100 == 0 else 1 + number % 3
    return tiles[jokers:], jokers


def _check_zhong(unit: Unit, played: Sequence[Table], folder: Path) -> Found:
    found = Found()
    of_number: dict[int, list[Packed]] = {}
    for number in range(unit.start, unit.stop, unit.step):
        naturals, jokers = _with_zhong(number)
        of_number.setdefault(jokers, []).append(pack(naturals))
        found.hands += 1
    for table in played:
        for by in WAYS:
            judge = scorer(table.rules(folder), Win(by))
            for jokers, parts in of_number.items():
                counts = counts_of(from_packed(parts))
                answers = fast.with_jokers(table.asked, by, counts, jokers, full=True)
                for part, answer in zip(parts, answers, strict=True):
                    held = part + jokers * UNIT[ZHONG]
                    got = judge.verdict(held, summarise(()))
                    found.compared += 1
                    if not alike(got, got, answer and answer._replace(ties=())):
                        found.differ(_example(held, (), table, by, (got, got, answer)))
    return found


def _check_places(unit: Unit, played: Sequence[Table], folder: Path) -> Found:
    """Every tile of a hand as the one that won."""
    found = Found()
    for number in range(unit.start, unit.stop, unit.step):
        tiles, shown = hands.winning_tiles(Random(f"{SEED} places {number}"))
        melds = tuple(Meld(kind, tile) for kind, tile in shown)
        found.hands += 1
        for table in played:
            for by in WAYS:
                _check_winners(tiles, melds, table, by, folder, found)
    return found


def _check_winners(
    tiles: list[int],
    melds: tuple[Meld, ...],
    table: Table,
    by: str,
    folder: Path,
    found: Found,
) -> None:
    judge, own = scorer(table.rules(folder), Win(by)), summarise(melds)
    rules, shown = fast.table_of(table.asked), [(m.kind, m.tile) for m in melds]
    how = {**plain.NO_SITUATION, "by": by, "no_joker": True}
    for won in sorted(set(tiles)):
        got = judge.verdict(pack(tiles), own, win_tile=won)
        held = plain.count(tiles)[:27]
        best = plain.best_verdict(rules, held, 0, shown, how, None, won, False)
        answer = fast.as_answer(rules, best)
        found.compared += 1
        if not alike(got, got, answer):
            found.differ(_example(pack(tiles), melds, table, by, (got, won, answer)))


#: The parts that are no stream of full hands.
_OTHERS = {
    "waits": _check_waits,
    "jokers": _check_jokers,
    "zhong": _check_zhong,
    "places": _check_places,
}
