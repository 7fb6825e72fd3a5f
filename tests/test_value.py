"""The quick value of a hand is the value of its best reading, whatever the rules and the win."""

from typing import Any

import pytest

from scoring.contract import score
from scoring.contract_hand import read_query
from scoring.hand import DISCARD, SELF_DRAW, Win, summarise
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
