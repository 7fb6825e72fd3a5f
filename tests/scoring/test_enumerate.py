"""Every winning hand is listed, exactly once, in a fixed order."""

from itertools import islice

import pytest

from scoring import enumerate as every
from scoring.decompose import hand_facts
from scoring.hand import Meld, summarise
from scoring.tiles import ONES, SUIT_BITS, SUIT_MASK, TILES, UNIT, count, total

#: Hands with melds up to the names of the suits.
MELDED_COUNTS = {1: 2_204_761, 2: 6_373_922, 3: 9_089_325, 4: 5_483_520}


@pytest.mark.parametrize("melds", range(5))
def test_the_number_of_concealed_parts_is_known(melds: int) -> None:
    assert sum(1 for _ in every.concealed(melds)) == every.CONCEALED_COUNTS[melds]


@pytest.mark.parametrize("melds", [1, 2])
def test_the_number_of_hands_with_melds_is_known(melds: int) -> None:
    assert sum(1 for _ in every.hands(melds)) == MELDED_COUNTS[melds]


def test_no_concealed_hand_is_listed_twice() -> None:
    assert len(set(every.concealed(1))) == every.CONCEALED_COUNTS[1]


def test_concealed_hands_up_to_the_names_of_the_suits_stand_for_all() -> None:
    standing = sum(every.renamings((), part) for _, part in every.hands(0))
    assert standing == every.CONCEALED_COUNTS[0]


def test_hands_with_one_meld_stand_for_every_part_beside_every_meld_that_fits() -> None:
    # The meld is in 万: three renamings where everything is, six where there are 筒.
    standing = sum(6 if part >> SUIT_BITS else 3 for _, part in every.hands(1))
    fitting = 0
    for part in every.concealed(1):
        suits = [suit for suit in range(3) if part >> SUIT_BITS * suit & SUIT_MASK]
        tiles = 27 if len(suits) == 1 else 18
        # A pung where at most one is held, three kinds of kong where none is.
        two = (part >> 1 | part >> 2) & ONES
        one = part & ONES & ~two
        fitting += 4 * tiles - 4 * two.bit_count() - 3 * one.bit_count()
    assert standing == fitting


def test_suits_found_by_search_are_those_made_by_construction() -> None:
    def codes(rank: int, left: int) -> list[int]:
        if rank == 9:
            return [] if left else [0]
        return [
            number * UNIT[rank] + rest
            for number in range(min(4, left) + 1)
            for rest in codes(rank + 1, left - number)
        ]

    searched = [code for code in codes(0, 8) if hand_facts(code, 0)]
    assert sorted(searched) == [code for code, _ in every.suits(8)]


def test_hands_hold_no_fifth_tile_and_the_full_count() -> None:
    for melds in range(5):
        for group, part in islice(every.hands(melds), 0, 200_000, 97):
            held = part + summarise(group.melds).held
            assert total(part) == 14 - 3 * melds
            assert all(count(held, tile) <= 4 for tile in TILES)


def test_a_walk_can_be_taken_up_at_any_group() -> None:
    groups = list(every.groups(2))
    whole = list(every.hands(2, start=1200))
    assert whole[0][0] == groups[1200]
    later = list(every.hands(2, start=1230))
    assert whole[-len(later) :] == later


def test_of_mirror_images_only_one_is_listed() -> None:
    group = next(g for g in every.groups(2) if g.mirrored)
    assert [m.tile for m in group.melds] == [0, 9]
    ours, theirs = 2 * UNIT[4] + 3 * UNIT[10], 3 * UNIT[1] + 2 * UNIT[13]
    assert group.admits(ours) != group.admits(theirs)


def test_copies_told_apart_multiply() -> None:
    assert every.ways(4 * UNIT[0]) == 1
    assert every.ways(2 * UNIT[0] + 2 * UNIT[9] + UNIT[11]) == 6 * 6 * 4
    assert every.renamings((Meld("pung", 0), Meld("pung", 9)), 2 * UNIT[4]) == 6
    assert every.renamings((Meld("pung", 0), Meld("pung", 9)), 2 * UNIT[4] + 2 * UNIT[13]) == 3
