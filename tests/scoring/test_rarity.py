"""The committed counts are what the hands say, and some of them what arithmetic says."""

from io import StringIO
from math import comb

import pytest
from django.core.management import call_command

from calculator.rules.rarity import fan_spread
from scoring import rarity, rules
from scoring.enumerate import CONCEALED_COUNTS

ALL = CONCEALED_COUNTS[0]


def test_the_file_holds_what_is_counted_anew() -> None:
    out = StringIO()
    call_command("rarity", "--check", stdout=out)
    assert "qing_long_qi_dui" in out.getvalue()


def pairs_of(kinds: int, quads: int | None = None) -> tuple[int, int]:
    """(shapes, ways) of seven pairs from so many kinds, with so many four-alikes or any."""
    shapes = ways = 0
    for four in range(4) if quads is None else [quads]:
        number = comb(kinds, four) * comb(kinds - four, 7 - 2 * four)
        shapes += number
        ways += number * 6 ** (7 - 2 * four)
    return shapes, ways


def in_two_suits(one: int, two: int) -> int:
    """All hands on at most two suits, from those on one suit and those on two given suits."""
    return 3 * two - 3 * one


@pytest.mark.parametrize(
    ("term", "quads"), [("qi_dui", None), ("qing_qi_dui", None), ("jiang_qi_dui", None)]
)
def test_seven_pairs_are_counted_by_formula(term: str, quads: int | None) -> None:
    share = rarity.of_term(term)
    kinds = 3 if term == "jiang_qi_dui" else 9
    one, two = pairs_of(kinds, quads), pairs_of(2 * kinds, quads)
    if term == "qing_qi_dui":
        expected = tuple(3 * number for number in one)
    else:
        expected = tuple(in_two_suits(a, b) for a, b in zip(one, two, strict=True))
    assert share is not None
    assert (share.shapes, share.ways) == expected


def test_dragons_are_the_seven_pairs_that_are_not_all_different() -> None:
    pairs, dragons = rarity.of_term("qi_dui"), rarity.of_term("long_qi_dui")
    assert pairs is not None
    assert dragons is not None
    plain = [in_two_suits(a, b) for a, b in zip(pairs_of(9, 0), pairs_of(18, 0), strict=True)]
    assert [pairs.shapes - dragons.shapes, pairs.ways - dragons.ways] == plain


def test_all_pungs_are_counted_by_formula() -> None:
    share = rarity.of_term("dui_dui_hu")
    assert share is not None
    one, two = (n * comb(n - 1, 4) for n in (9, 18))
    # Four pungs and a pair; two pairs of the same kind cannot make a pung and a pair.
    assert share.shapes == in_two_suits(one, two)
    assert share.ways == share.shapes * 4**4 * 6


@pytest.mark.parametrize("system", rules.ids())
def test_patterns_and_fans_of_a_system_add_up(system: str) -> None:
    fans = rarity.by_fan(system)
    assert fans
    everything = next(iter(fans.values()))
    for capped in (True, False):
        rows = rarity.by_fan(system, capped=capped)
        assert sum(row.shapes for row in rows.values()) == everything.of_shapes
        assert sum(row.ways for row in rows.values()) == everything.of_ways
    if rules.load(system).combine == "max":
        shares = [rarity.of_pattern(system, term) for term in rules.load(system).fans]
        assert sum(s.shapes for s in shares if s) == everything.of_shapes
    if rules.load(system).joker is None:
        assert everything.of_shapes == ALL


def test_a_share_says_one_in_how_many() -> None:
    share = rarity.of_term("qing_long_qi_dui")
    assert share is not None
    assert round(share.one_in, 1) == 376.4
    assert share.one_way_in == share.of_ways / share.ways


@pytest.mark.parametrize("term", ["jin_gou_diao", "tian_hu", "hai_di", "nothing"])
def test_what_no_hand_without_melds_decides_has_no_share(term: str) -> None:
    assert rarity.of_term(term) is None
    assert rarity.of_pattern("majsoul", term) is None


def test_a_system_that_was_not_counted_has_no_shares() -> None:
    assert rarity.by_fan("village") == {}
    assert rarity.of_pattern("village", "qi_dui") is None
    assert fan_spread("village") == {"chart": ""}
