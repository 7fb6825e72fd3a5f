"""Which tiles a hand waits on: four held, melds, jokers, the missing suit."""

import pytest

from scoring.contract import score
from scoring.hand import SELF_DRAW, Win, summarise
from scoring.notation import parse
from scoring.rules import Rules, load
from scoring.score import scorer
from scoring.tiles import TILE_NAMES, TILE_OF_NAME
from scoring.waits import candidates, is_dead, valued, waits

CHENGDU, SBR, YAOJI = load("chengdu"), load("sbr"), load("yaoji")
M, P, S = range(3)


def listed(text: str, rules: Rules = CHENGDU, void: int | None = None) -> str:
    """The waits of a hand in notation, with spaces between."""
    hand = parse(text)
    found = waits(hand.packed, summarise(hand.melds), rules, void=void)
    values = valued(hand.packed, summarise(hand.melds), scorer(rules, Win()), void=void)
    assert [tile for tile, _ in values] == found
    return " ".join(TILE_NAMES[tile] for tile in found)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123456789m1155p", "1p 5p"),
        ("123456789m1123p", "1p 4p"),
        ("123456789m1112p", "2p 3p"),
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("1122334455667m", "1m 4m 7m"),
        ("1133557799m113p", "3p"),
        ("1111333355557m", "7m"),
        # The pair in a suit that has nothing else yet.
        ("123456789m123p5p", "5p"),
        ("5p[111m][222m][333m][444m]", "5p"),
        ("123456789m13p5s5p", ""),
        ("1234567m12347p", ""),
        # A third suit: a flower pig waits on nothing.
        ("123456m123p11s55s", ""),
        ("123m456p[777s]2p2p4p5p", ""),
        # Pairs alone are no win beside melds.
        ("2244668p[111m][333m]", ""),
        ("1199m55p7p[111p][333p]", ""),
    ],
)
def test_waits_of_plain_hands(hand: str, expected: str) -> None:
    assert listed(hand) == expected


@pytest.mark.parametrize(
    ("hand", "rules", "expected"),
    [
        # Four in the hand itself: never a wait.
        ("1111m234p567p789p", CHENGDU, ""),
        ("1111m234p567p789p", SBR, ""),
        # Three in a pung and the fourth in the hand.
        ("2223m[111m][444p][555p]", CHENGDU, "1m 3m 4m"),
        ("23m55p[1111m][777p][888p]", CHENGDU, "4m"),
        ("23m55p[1111m][777p][888p]", SBR, "1m 4m"),
        ("23m55p(4444m)[1111m][888p]", CHENGDU, ""),
        ("23m55p(4444m)[1111m][888p]", SBR, "1m 4m"),
        ("1m[111m][222m][333m][444p]", CHENGDU, ""),
        ("1m[111m][222m][333m][444p]", SBR, "1m"),
    ],
)
def test_a_tile_held_four_times_waits_only_where_own_melds_do_not_count(
    hand: str, rules: Rules, expected: str
) -> None:
    assert listed(hand, rules) == expected


def test_a_dead_wait_adds_no_second_root_and_takes_none_away() -> None:
    hand = parse("23m55p[1111m][777p][888p]")
    melds = summarise(hand.melds)
    one, four = TILE_OF_NAME["1m"], TILE_OF_NAME["4m"]
    assert is_dead(hand.packed, melds, one)
    assert not is_dead(hand.packed, melds, four)
    assert not is_dead(parse("111m").packed, summarise(()), 0)
    assert is_dead(parse("1111m").packed, summarise(()), 0)
    found = dict(valued(hand.packed, melds, scorer(SBR, Win())))
    assert found[one].uncapped_fan == found[four].uncapped_fan == 1
    # The fourth of a pung is one, and stays one beside the fifth copy.
    pung = parse("2m[222m][333m][444p][555p]")
    assert not listed("2m[222m][333m][444p][555p]", CHENGDU)
    best = valued(pung.packed, summarise(pung.melds), scorer(SBR, Win()))
    assert [verdict.uncapped_fan for _, verdict in best] == [3]


def test_what_may_be_a_wait_at_all() -> None:
    hand = parse("1111m222m[3333p]")
    melds = summarise(hand.melds)
    plain = {TILE_NAMES[t] for t in candidates(hand.packed, melds, CHENGDU)}
    assert set(TILE_NAMES[:27]) - plain == {"1m", "3p"}
    exposed = {TILE_NAMES[t] for t in candidates(hand.packed, melds, SBR)}
    assert set(TILE_NAMES[:27]) - exposed == {"1m"}
    jokers = {TILE_NAMES[t] for t in candidates(hand.packed, melds, YAOJI)}
    assert set(TILE_NAMES[:27]) - jokers == {"1m", "3p", "1s"}


@pytest.mark.parametrize(
    ("void", "expected"), [(None, "1m 4m 7m"), (S, "1m 4m 7m"), (P, ""), (M, "")]
)
def test_the_missing_suit_is_no_wait(void: int | None, expected: str) -> None:
    assert listed("23m456m789m99p123p", void=void) == expected


def test_a_wait_in_the_missing_suit_is_none() -> None:
    assert listed("123456789m111m5m", void=P) == listed("123456789m111m5m")
    assert listed("5m[111p][222p][333p][444p]", void=M) == ""


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        # The joker's own tile is never listed, with a joker in the hand or without.
        ("123678m2333678s", "2s 4s"),
        ("123678m333678s1s", "1m 2m 3m 4m 5m 6m 7m 8m 9m 2s 3s 4s 5s 6s 7s 8s 9s"),
        ("23456789m55p111s", "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p 5p 6p 7p 8p 9p"),
        ("1111s234m567m789m", ""),
    ],
)
def test_jokers_are_no_waits(hand: str, expected: str) -> None:
    found = listed(hand, YAOJI)
    assert "1s" not in found.split()
    if expected:
        assert set(expected.split()) >= set(found.split())
        assert found
    else:
        assert found == ""


def test_waits_are_worth_what_the_win_is_worth() -> None:
    hand = parse("1112345678999m")
    by = scorer(load("xueliu"), Win(SELF_DRAW))
    for tile, verdict in valued(hand.packed, summarise(()), by):
        full = parse(f"1112345678999m!{TILE_NAMES[tile]}")
        assert verdict == by.value(full.concealed)
        assert "men_qing_zi_mo" in {line.id for line in verdict.terms}


def test_the_missing_suit_counts_beside_jokers_too() -> None:
    hand = "1235789m5588p1s"
    assert listed(hand, YAOJI) != ""
    assert listed(hand, YAOJI, void=S) == listed(hand, YAOJI)
    assert listed(hand, YAOJI, void=P) == ""
    # Two jokers may be a pair of any suit but the missing one.
    lonely = "123456m78999m11s"
    assert {name[1] for name in listed(lonely, YAOJI).split()} == {"m", "p", "s"}
    assert {name[1] for name in listed(lonely, YAOJI, void=P).split()} == {"m", "s"}


@pytest.mark.parametrize(("hand", "sets"), [("111p9m[111m]", 2), ("111999p9m[1111m]", 3)])
def test_pungs_that_are_outside_too_count_as_both_where_patterns_add_up(
    hand: str, sets: int
) -> None:
    """Two suits have terminals enough for so few pungs; the wait is worth what the win is."""
    fans = {"dai_yao_jiu": 2, "dui_dui_hu": 1}
    asked = {"ruleset": "sbr", "options": {"fans": fans, "sets": sets, "cap": None}}
    [wait] = score({**asked, "hand": hand})["waits"]
    won = score({**asked, "hand": f"{hand}!9m"})
    assert wait["terms"] == won["terms"]
    assert {"dui_dui_hu", "dai_yao_jiu"} <= {term["id"] for term in wait["terms"]}
