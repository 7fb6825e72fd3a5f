"""What is said to an answer is about that question: which tiles, by how much, what has changed."""

from typing import Any

import pytest

from calculator.learn.feedback import Answered, changes, comments, mistake
from calculator.learn.present import round_explained
from calculator.management.commands.drills import faults
from calculator.words import texts
from scoring import rules as engine
from scoring.contract import explain, score
from scoring.drills import Question, question
from scoring.notation import parse
from scoring.rules import load
from scoring.tiles import TILE_NAMES

SYSTEMS = engine.ids()


def some(kind: str, ruleset: str = "chengdu", level: int = 2, many: int = 24) -> list[Question]:
    return [question(load(ruleset), kind, level, "feedback", n) for n in range(many)]


def said(asked: Question, code: str, ruleset: str = "chengdu") -> list[str]:
    return [mistake(asked, c, load(ruleset)) for c in asked.choices if c.mistake == code]


def test_a_hand_that_does_not_win_is_told_by_the_tiles_that_fit_nowhere() -> None:
    for asked in some("win"):
        for text in said(asked, "broken"):
            near = [
                row
                for row in explain(asked.request)["patterns"]
                if row["id"] in ("ping_hu", "qi_dui")
            ]
            least = min(row["distance"] for row in near if row["give"])
            named = [row["give"] for row in near if row["distance"] == least]
            assert any(all(texts.tile(tile) in text for tile in give) for give in named), text


def test_a_pig_is_told_which_pig_it_is() -> None:
    seen = set()
    for asked in [*some("pig"), *some("pig", level=1)]:
        hand = parse(asked.request["hand"])
        held = [*hand.concealed, *(meld.tile for meld in hand.melds)]
        suits = {TILE_NAMES[tile][1] for tile in held}
        for text in said(asked, "pig_first"):
            assert ("三门花色都有" in text) == (len(suits) == 3)
            assert ("还留着" in text) == (len(suits) < 3)
            seen.add("还留着" in text)
        for text in said(asked, "no_pig"):
            assert ("定缺" in text) == ("void" in asked.request)
        for text in said(asked, "missed_wait"):
            assert all(texts.tile(wait["tile"]) in text for wait in score(asked.request)["waits"])
    assert seen == {True, False}


@pytest.mark.parametrize("kind", ["fan", "change", "settle"])
def test_a_wrong_number_is_told_by_how_much_it_is_wrong(kind: str) -> None:
    rules = load("laok")
    for asked in some(kind, "laok"):
        right = asked.chosen(asked.answer[0])
        assert right is not None
        for choice in asked.choices:
            told = comments(asked, Answered((choice.key,), not choice.mistake), rules)
            if not choice.mistake:
                assert not told
                continue
            way = "多了" if choice.value > right.value else "少了"
            assert any(
                way in text and f"{abs(choice.value - right.value):g}" in text for text in told
            )


def test_a_change_is_told_by_what_came_and_what_went() -> None:
    for ruleset in SYSTEMS:
        for asked in some("change", ruleset, 3, 12):
            told = "".join(changes(asked))
            assert asked.changed is not None
            before, after = score(asked.request), score(asked.changed)
            if asked.change.startswith(("ruleset", "cap", "self_draw")):
                continue
            rows = [
                {(t["id"], t["fan"]) for t in one["terms"] if t["fan"]} for one in (before, after)
            ]
            for term, _ in rows[0] ^ rows[1]:
                assert texts.term(term) in told
            assert f"{after['multiple']}倍" in told


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_nobody_gets_far_by_answering_that_nothing_changes(ruleset: str, level: int) -> None:
    asked = some("change", ruleset, level, 30)
    same = [q for q in asked if q.answer == (str(score(q.request)["multiple"]),)]
    assert len(same) <= len(asked) // 4


def test_a_round_that_contradicts_what_it_books_is_a_fault() -> None:
    rules = load("chengdu")
    bloom = next(q for q in some("settle", level=3) if q.stratum == "bloom")
    assert not list(faults(rules, bloom))
    for event in bloom.request["events"]:
        if event["type"] == "win":
            # A kong and 杠上花 bring three at least.
            event["winners"][0]["fan"] = 2
    assert any("at least" in fault for fault in faults(rules, bloom))


def test_what_a_round_is_explained_by_is_on_the_page() -> None:
    for asked in some("settle", level=3, many=12):
        shown: Any = round_explained(asked)
        assert shown["transfers"]
        assert [row["here"] for row in shown["totals"]].count(True) == 1


def test_the_first_level_speaks_of_what_it_shows_alone() -> None:
    known = {"ping_hu", "dui_dui_hu", "qing_yi_se", "qi_dui", None}
    for ruleset in SYSTEMS:
        for kind in ("fan", "patterns", "payment"):
            for asked in some(kind, ruleset, 1, 12):
                terms = {choice.term for choice in asked.choices}
                assert terms <= known | {"wu_ji", "men_qing_zi_mo"}, (ruleset, asked.key, terms)
