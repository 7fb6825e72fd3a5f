"""Many hands at once are worth exactly what they are worth one by one."""

from itertools import islice
from random import Random

import numpy as np
import pytest

from scoring import enumerate as every
from scoring import rules
from scoring.decompose import SUIT_FACTS
from scoring.hand import CONCEALED_KONG, EXPOSED_KONG, PUNG, SELF_DRAW, Meld, Win, summarise
from scoring.many import (
    Values,
    _states,
    _table,
    as_codes,
    from_packed,
    meld_numbers,
    score_many,
    to_packed,
)
from scoring.notation import parse
from scoring.patterns import PATTERNS
from scoring.score import scorer, value
from scoring.tiles import TILES, UNIT, Packed, pack
from tests.bench.deals import winning_hands

WINS = [Win(), Win(SELF_DRAW), Win(SELF_DRAW, after_kong=EXPOSED_KONG, last_tile=True)]
SYSTEMS = rules.ids()


def some_hands(number: int, seed: str) -> tuple[list[Packed], list[tuple[Meld, ...]]]:
    """Hands that win and, one in four, hands with one tile changed that mostly do not."""
    random = Random(seed)
    packed, melds = [], []
    for melded in (False, True):
        for deal in winning_hands(number, melds=melded):
            tiles = list(deal.tiles)
            if random.random() < 0.25:
                tiles[0] = random.choice([t for t in TILES if not deal.counts[t]])
            packed.append(pack(tiles))
            melds.append(tuple(Meld(kind, tile) for kind, tile in deal.melds))
    return packed, melds


def alike(values: Values, hands: list[Packed], melds: list[tuple[Meld, ...]], by: object) -> None:
    for at, (hand, own) in enumerate(zip(hands, melds, strict=True)):
        one = by.verdict(hand, summarise(own))  # type: ignore[attr-defined]
        if one is None:
            assert values.verdict[at] == values.pattern[at] == -1
            assert values.fan[at] == values.uncapped_fan[at] == values.multiple[at] == 0
            continue
        assert values.verdicts[values.verdict[at]] == one
        numbers = (values.fan[at], values.uncapped_fan[at], values.multiple[at])
        assert numbers == (one.fan, one.uncapped_fan, one.multiple)
        assert PATTERNS[values.pattern[at]].id in one.patterns


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("win", WINS, ids=["discard", "self_draw", "bloom"])
def test_hands_of_every_kind_agree(system: str, win: Win) -> None:
    preset = rules.load(system)
    hands, melds = some_hands(600 if preset.joker is None else 150, system)
    which = np.arange(len(hands))
    values = score_many(from_packed(hands), melds, which, rules=preset, win=win)
    alike(values, hands, melds, scorer(preset, win))
    assert {-1} < set(values.pattern.tolist())


def test_terms_that_depend_on_the_reading_agree_too() -> None:
    house = rules.load("chengdu").override({"fans": {"yi_tiao_long": 2, "jiang_qi_dui": 6}})
    hands, melds = some_hands(150, "reading")
    values = score_many(from_packed(hands), melds, range(len(hands)), rules=house)
    alike(values, hands, melds, scorer(house, Win()))


@pytest.mark.parametrize("system", ["chengdu", "sbr"])
def test_every_tenth_hand_with_one_meld_agrees(system: str) -> None:
    hands = list(islice(every.hands(1), 0, 200_000, 10))
    choices = list(dict.fromkeys(group.melds for group, _ in hands))
    which = [choices.index(group.melds) for group, _ in hands]
    values = score_many(
        from_packed([p for _, p in hands]), choices, which, rules=rules.load(system)
    )
    assert (values.verdict >= 0).all()
    alike(
        values,
        [part for _, part in hands],
        [group.melds for group, _ in hands],
        scorer(rules.load(system), Win()),
    )


def test_the_table_of_suits_holds_what_the_engine_finds() -> None:
    random = Random(9)
    codes = []
    for _ in range(3000):
        left = random.randrange(15)
        tiles = random.sample([r for r in range(9) for _ in range(4)], left)
        codes.append(pack(tiles))
    table = _table()[_states(np.array(codes, dtype=np.int32))]
    assert (table & 15).tolist() == [SUIT_FACTS[code] for code in codes]


def test_counts_and_suit_codes_are_the_same_hands() -> None:
    hands, _ = some_hands(50, "counts")
    counts = [[hand >> 3 * tile & 7 for tile in TILES] for hand in hands]
    assert (as_codes(counts) == from_packed(hands)).all()
    assert to_packed(as_codes(counts)) == hands


def test_melds_as_numbers_are_the_same_melds() -> None:
    hands, melds = some_hands(80, "numbers")
    chengdu = rules.load("chengdu")
    one = score_many(from_packed(hands), melds, rules=chengdu)
    many = score_many(from_packed(hands), meld_numbers(melds), rules=chengdu)
    assert (one.verdict == many.verdict).all()
    assert one.verdicts == many.verdicts
    alike(one, hands, melds, scorer(chengdu, Win()))


def test_melds_with_jokers_agree() -> None:
    yaoji = rules.load("yaoji")
    cases = [
        ("11m23p", (Meld(PUNG, 4, 1), Meld(CONCEALED_KONG, 9, 2), Meld(PUNG, 8))),
        ("11m234p", (Meld(PUNG, 4, 1), Meld(CONCEALED_KONG, 9, 2), Meld(PUNG, 8))),
        ("22m", (Meld(PUNG, 4), Meld(EXPOSED_KONG, 9, 1), Meld(PUNG, 8), Meld(PUNG, 10, 1))),
    ]
    hands = [parse(text).packed for text, _ in cases]
    melds = [own for _, own in cases]
    values = score_many(from_packed(hands), melds, rules=yaoji)
    alike(values, hands, melds, scorer(yaoji, Win()))
    assert values.verdict.tolist().count(-1) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_sets_of_three_suits_are_no_win(system: str) -> None:
    preset = rules.load(system)
    cases = [
        ("123m456p789s11122p", ()),
        ("1122m33445566p77s", ()),
        ("22m345p", (Meld(PUNG, 22), Meld(PUNG, 11), Meld(PUNG, 5))),
        ("22m345p", (Meld(PUNG, 4), Meld(PUNG, 11), Meld(PUNG, 5))),
    ]
    hands = [parse(text).packed for text, _ in cases]
    values = score_many(from_packed(hands), [own for _, own in cases], rules=preset)
    alike(values, hands, [own for _, own in cases], scorer(preset, Win()))
    assert values.verdict.tolist()[:3] == [-1, -1, -1]
    assert values.verdict[3] >= 0


def test_melds_with_any_number_of_jokers_go_through_their_numbers() -> None:
    yaoji = rules.load("yaoji")
    melds = [
        (Meld(kind, tile, jokers),)
        for kind in (PUNG, EXPOSED_KONG, CONCEALED_KONG)
        for tile in (0, 8, 9, 17, 19, 25)
        for jokers in range(4 if kind != PUNG else 3)
    ]
    hands = [parse("33m234567p666p").packed] * len(melds)
    one = score_many(from_packed(hands), melds, rules=yaoji)
    numbers = score_many(from_packed(hands), meld_numbers(melds), rules=yaoji)
    assert (one.fan == numbers.fan).all()
    assert (one.multiple == numbers.multiple).all()
    alike(numbers, hands, melds, scorer(yaoji, Win()))


def test_no_hands_have_no_values() -> None:
    values = score_many(from_packed([]), rules=rules.load("chengdu"))
    assert values.fan.shape == (0,)
    assert values.verdicts == ()


@pytest.mark.parametrize(
    ("part", "melds"),
    [
        (5 * UNIT[0] + 3 * UNIT[1] + 3 * UNIT[2] + 3 * UNIT[3], ()),
        (2 * UNIT[4], (Meld(PUNG, 4), Meld(PUNG, 5), Meld(PUNG, 6), Meld(PUNG, 7))),
        (3 * UNIT[4] + 2 * UNIT[0], (Meld(CONCEALED_KONG, 4), Meld(PUNG, 5), Meld(PUNG, 6))),
    ],
)
def test_a_fifth_tile_is_refused(part: Packed, melds: tuple[Meld, ...]) -> None:
    with pytest.raises(ValueError, match="more than four"):
        score_many(from_packed([part]), [melds], rules=rules.load("chengdu"))


@pytest.mark.parametrize("wrong", [[[1, 2]], [1, 2, 3], [[0] * 26]])
def test_other_arrays_are_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="rows of"):
        score_many(wrong, rules=rules.load("chengdu"))
    with pytest.raises(ValueError, match="one place"):
        score_many(from_packed([0]), [(), ()], [0, 1], rules=rules.load("chengdu"))
    with pytest.raises(ValueError, match="one place"):
        score_many(from_packed([0, 0, 0]), [(), ()], rules=rules.load("chengdu"))


@pytest.mark.parametrize("system", ["chengdu", "yaoji", "sbr"])
def test_any_number_of_tiles_is_worth_what_it_is_alone(system: str) -> None:
    random = Random(system)
    given = rules.load(system)
    hands = [[], [0, 0], [0] * 3 + [1] * 2, [t for t in range(14) for _ in range(2)]]
    wall = [t for t in TILES[:12] for _ in range(4)]
    hands += [random.sample(wall, random.randint(0, 20)) for _ in range(300)]
    melds = [random.choice([(), (Meld(PUNG, 20),), (Meld(EXPOSED_KONG, 20),)]) for _ in hands]
    found = score_many(from_packed([pack(hand) for hand in hands]), melds, rules=given)
    for at, (hand, own) in enumerate(zip(hands, melds, strict=True)):
        alone = value(hand, own, rules=given)
        assert found.multiple[at] == (alone.multiple if alone else 0), (hand, own)


def test_rows_of_counts_are_what_tiles_can_be() -> None:
    chengdu = rules.load("chengdu")
    for row in ([8, 1, 3, 3, 3, 3], [5] * 27, [-1], [1 << 40]):
        with pytest.raises(ValueError, match="more than four of a kind, or fewer"):
            score_many([row + [0] * (27 - len(row))], rules=chengdu)
    with pytest.raises(ValueError, match="integers"):
        score_many([[0.5] * 27], rules=chengdu)
    for code in (-1, 1 << 27):
        with pytest.raises(ValueError, match="nine counts"):
            score_many([[0, code, 0]], rules=chengdu)
    assert score_many([[0] * 27], rules=chengdu).verdict.tolist() == [-1]


@pytest.mark.parametrize("kinds", [(PUNG, PUNG), (EXPOSED_KONG, CONCEALED_KONG)])
def test_melds_of_one_tile_twice_are_refused(kinds: tuple[str, ...]) -> None:
    melds = tuple(Meld(kind, 4) for kind in kinds)
    with pytest.raises(ValueError, match="melds counted"):
        score_many(from_packed([pack(range(9))]), [melds], rules=rules.load("chengdu"))
