"""The quick value of a hand is the value of its best reading, whatever the rules and the win."""

from typing import Any

import pytest

from scoring.contract import score
from scoring.contract.hand import read_query
from scoring.hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    DISCARD,
    EXPOSED_KONG,
    PUNG,
    SELF_DRAW,
    Meld,
    Win,
    summarise,
)
from scoring.notation import parse
from scoring.rules import ids, load
from scoring.score import scorer, value
from tests.case_files import hand_cases

#: House rules laid over those of a case; the first three need the reading itself.
HOUSE: dict[str, dict[str, Any]] = {
    "as it is": {},
    "jia xin wu": {"fans": {"jia_xin_wu": 1}},
    "ka er tiao": {"fans": {"ka_er_tiao": 2}},
    "both, no cap": {"fans": {"jia_xin_wu": 1, "ka_er_tiao": 3}, "cap": None},
    "bloom as a discard": {"bloom": "discard", "self_draw_bonus": "base"},
    "bloom paid by the giver": {"bloom": "giver_pays_all", "self_draw_bonus": "fan"},
    "no bonus": {"self_draw_bonus": "none"},
}


@pytest.mark.parametrize("house", HOUSE)
def test_the_quick_value_is_that_of_the_best_reading(house: str) -> None:
    compared = 0
    for label, request, _ in hand_cases():
        options = {**request.get("options", {}), **HOUSE[house]}
        for by in ("discard", "self_draw"):
            asked = {**request, "options": options, "by": by, "horses": None}
            told = score(asked)
            if told["status"] != "win":
                continue
            query, _errors, _notes = read_query(asked)
            assert query is not None
            hand = query.hand
            quick = scorer(query.rules, query.win).verdict(
                hand.packed, summarise(hand.melds), win_tile=hand.win_tile, void=query.void
            )
            assert quick is not None, label
            found = (quick.fan, quick.uncapped_fan, quick.multiple)
            assert found == (told["fan"], told["uncapped_fan"], told["multiple"]), label
            compared += 1
    assert compared > 300


def test_a_wait_for_the_middle_five_is_valued_as_one() -> None:
    asked = {
        "ruleset": "chengdu",
        "hand": "123m46p99p",
        "melds": [{"kind": "pung", "tile": "9m"}, {"kind": "pung", "tile": "1p"}],
        "options": {"fans": {"jia_xin_wu": 1}},
    }
    waits = {wait["tile"]: [term["id"] for term in wait["terms"]] for wait in score(asked)["waits"]}
    assert waits == {"5p": ["ping_hu", "jia_xin_wu"]}


def test_a_joker_that_is_drawn_may_be_the_middle_five() -> None:
    asked = {
        "ruleset": "yaoji",
        "hand": "46p99p123m789m123p",
        "win_tile": "1s",
        "by": "self_draw",
        "options": {"fans": {"jia_xin_wu": 2}},
    }
    told = score(asked)
    assert "jia_xin_wu" in [term["id"] for term in told["terms"]]
    query, _errors, _notes = read_query(asked)
    assert query is not None
    quick = scorer(query.rules, query.win).verdict(
        query.hand.packed, summarise(()), win_tile=query.hand.win_tile
    )
    assert quick is not None
    assert quick.multiple == told["multiple"]


@pytest.mark.parametrize(("fan", "multiple"), [(3, 4), (5, 16)])
def test_four_jokers_are_worth_what_the_table_says(fan: int, multiple: int) -> None:
    told = score({"ruleset": "yaoji", "hand": "1111s22333444m55m", "by": "self_draw",
                  "options": {"fans": {"si_ji": fan}, "cap": None}})  # fmt: skip
    assert (told["fan"], told["multiple"]) == (fan, multiple)


def test_rules_and_ways_in_turn_are_each_valued_by_their_own() -> None:
    tiles = parse("11123455567899m").concealed
    ways = [(load(one), Win(by)) for one in ids() for by in (DISCARD, SELF_DRAW)]
    for rules, win in ways * 2:
        assert value(tiles, rules=rules, win=win) == scorer(rules, win).value(tiles)


PUNGS = tuple(Meld(PUNG, tile) for tile in range(5))


@pytest.mark.parametrize("system", ids())
@pytest.mark.parametrize(
    ("tiles", "melds"),
    [
        ([], ()),
        ([], PUNGS),
        ([0, 0], ()),
        ([0, 0, 1, 1, 2, 2], ()),
        ([0, 0, 0, 1, 1], ()),
        ([0] * 3 + [1] * 3 + [2] * 3 + [3] * 3 + [4] * 3 + [5] * 2, ()),
        ([t for t in range(14) for _ in range(2)], ()),
        ([8, 8, 8], PUNGS[:4]),
        ([8], PUNGS[:4]),
    ],
)
def test_a_hand_with_too_few_or_too_many_tiles_does_not_win(
    system: str, tiles: list[int], melds: tuple[Meld, ...]
) -> None:
    assert value(tiles, melds, rules=load(system)) is None


@pytest.mark.parametrize("system", ids())
@pytest.mark.parametrize(
    ("tiles", "melds"),
    [
        ([0] * 5 + [1] * 2 + [2] * 3 + [3] * 3 + [4], ()),
        ([0] * 8 + [18] * 4 + [1] * 2, ()),
        ([3] * 14, ()),
        ([0, 0], (Meld(EXPOSED_KONG, 0), *PUNGS[1:4])),
        ([4, 4], (Meld(PUNG, 4), *PUNGS[1:4])),
        ([4] * 4 + [5], (Meld(CONCEALED_KONG, 4), *PUNGS[1:3])),
        ([8, 8], (PUNGS[0], *PUNGS[:3])),
        ([8, 8], (Meld(EXPOSED_KONG, 0), Meld(ADDED_KONG, 0), *PUNGS[1:3])),
        ([8, 8], (PUNGS[0], Meld(ADDED_KONG, 0), *PUNGS[1:3])),
    ],
)
def test_more_than_four_of_a_kind_are_refused(
    system: str, tiles: list[int], melds: tuple[Meld, ...]
) -> None:
    with pytest.raises(ValueError, match="more than four of a kind"):
        value(tiles, melds, rules=load(system))


def test_jokers_in_melds_leave_room_for_the_tiles_that_they_stand_for() -> None:
    yaoji = load("yaoji")
    melds = (Meld(PUNG, 13, jokers=1), Meld(PUNG, 12), Meld(PUNG, 11), Meld(PUNG, 10))
    # Four that exist, but the joker would stand for a fifth.
    assert value([13, 13], melds, rules=yaoji) is None
    assert value([12, 13, 14, 9, 9], melds[:1] + melds[2:3] + PUNGS[:1], rules=yaoji)
    with pytest.raises(ValueError, match="more than four"):
        value([13, 13], (Meld(PUNG, 13), *melds[1:]), rules=yaoji)
    with pytest.raises(ValueError, match="more than four"):
        value([13] * 3 + [9, 9], melds[:3], rules=yaoji)
    with pytest.raises(ValueError, match="more than four"):
        value([18] * 4 + [9], melds[:3], rules=yaoji)


@pytest.mark.parametrize("wrong", [-1, -27, -28, 27, 53, 54, "1m", None])
def test_what_is_no_tile_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="from 0 to 26"):
        value([*range(13), wrong], rules=load("chengdu"))
