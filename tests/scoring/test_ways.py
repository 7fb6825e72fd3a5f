"""Ways to read a hand suit by suit, held against every tile that every joker might be."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from scoring.decompose import Division, divisions
from scoring.hand import PUNG, Meld, Win, summarise
from scoring.rules import Rules, load
from scoring.score import MOST_READINGS, ScoredReading, Scorer, places
from scoring.signature import STANDS
from scoring.tiles import COPIES, SUIT_FIELDS, TILES, UNIT, Tile, count, pack

DEPENDENT = {"jia_xin_wu": 1, "yi_tiao_long": 2, "ka_er_tiao": 1}
PLACED = {"dan_diao": 2, "ka_zhang": 1, "bian_zhang": 3, "ban_ban_gao": 2, "lian_qi_dui": 9}
RULES = {
    "as they are": load("yaoji"),
    "without a cap, every part a reading": load("yaoji").override(
        {"cap": None, "fans": {**DEPENDENT, **PLACED, "zhong_zhang": 3, "jiu_lian": 9}}
    ),
    "sums": load("sbr").override({"joker": "1s", "cap": None, "fans": DEPENDENT}),
}
JOKER = 18


def every_reading(
    by: Scorer, natural: list[Tile], wild: int, melds: tuple[Meld, ...], win: Tile | None
) -> Iterator[ScoredReading]:
    """Every division of every assignment, one after the other."""
    summary = summarise(melds)
    for stands in combinations_with_replacement(TILES, wild):
        made = pack([*natural, *stands])
        if any(count(made, t) + count(summary.held, t) > COPIES for t in TILES):
            continue
        if sum(bool((made | summary.present) & fields) for fields in SUIT_FIELDS) > 2:
            continue
        wins = () if win is None else stands if win == JOKER else (win,)
        alike: set[object] = set()
        for division in divisions(made, summary.number):
            sets = tuple(sorted(division.sets))
            if (sets, division.pair) in alike:
                continue
            alike.add((sets, division.pair))
            plain = by.summary(division, made, summary, jokers=wild > 0)
            spots = {bit for tile in wins for bit in placed(division, tile)}
            readings = [plain, *(plain._replace(place=spot) for spot in spots)]
            verdict = max((by.judge(reading) for reading in readings), key=lambda v: v.order)
            yield ScoredReading(verdict, division, stands)


def placed(division: Division, tile: Tile) -> Iterator[int]:
    """Each place of a tile, one by one."""
    found = places(division, tile)
    yield from (place for bit, place in STANDS if found & bit)


def hands(number: int, wild: int, melded: bool) -> Iterator[tuple[list[Tile], tuple[Meld, ...]]]:
    """Hands that win with so many jokers, a chance each time: few kinds, close together."""
    random = Random(f"{wild}/{melded}")
    melds = (Meld(PUNG, random.choice((0, 4, 13))),) if melded else ()
    held = {meld.tile for meld in melds}
    for _ in range(number):
        tiles: list[Tile] = []
        for _ in range(4 - len(melds)):
            low = random.choice((*range(7), *range(9, 16)))
            chow = random.random() < 0.7
            tiles += (low, low + 1, low + 2) if chow else (low, low, low)
        pair = random.choice((0, 1, 4, 8, 12))
        tiles += (pair, pair)
        random.shuffle(tiles)
        if all(tiles.count(t) + 3 * (t in held) <= COPIES for t in tiles):
            yield tiles[wild:], melds


@pytest.mark.parametrize("melded", [False, True])
@pytest.mark.parametrize(("wild", "number"), [(0, 60), (1, 40), (2, 16), (3, 5)])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_best_way_is_the_best_of_all_readings(
    rules: Rules, wild: int, number: int, melded: bool
) -> None:
    by = Scorer(rules, Win())
    for natural, melds in hands(number, wild, melded):
        packed = pack(natural) + wild * UNIT[JOKER]
        for win in {None, natural[-1], JOKER if wild else natural[0]}:
            every = sorted(
                every_reading(by, natural, wild, melds, win),
                key=lambda reading: reading.verdict.order,
                reverse=True,
            )
            verdict = by.verdict(packed, summarise(melds), win_tile=win)
            assert verdict is not None
            assert verdict.order == every[0].verdict.order
            listed = by.readings(packed, summarise(melds), win_tile=win)
            if wild:
                assert [r.verdict.order for r in listed] == [
                    r.verdict.order for r in every[:MOST_READINGS]
                ]
                known = {
                    (r.verdict.order, tuple(sorted(r.division.sets)), r.division.pairs, r.jokers)
                    for r in every
                    if r.division is not None
                }
                assert {
                    (r.verdict.order, tuple(sorted(r.division.sets)), r.division.pairs, r.jokers)
                    for r in listed
                    if r.division is not None
                } <= known
