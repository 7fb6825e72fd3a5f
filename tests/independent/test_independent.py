"""The independent scorer agrees with the cases, and is independent."""

import ast
from pathlib import Path

import pytest

from tests.case_files import hand_cases, in_terms_of, pairs

from . import scorer, shanten

CASES = hand_cases()


def as_engine_answer(answer, expected):
    """The independent answer in the contract's shape; of tied readings the expected one."""
    if answer["status"] == "error":
        return {"status": "error", "errors": [{"code": answer["code"]}]}
    if answer["status"] == "ready":
        waits = [
            {"tile": tile, **wait, "terms": tied(wait, expected.get("waits", {}).get(tile))}
            for tile, wait in answer["waits"].items()
        ]
        return {**answer, "waits": waits}
    if answer["status"] == "win":
        patterns = answer["patterns"][0]
        return {**answer, "terms": tied(answer, expected), "patterns": patterns}
    return answer


def tied(answer, expected):
    if expected and expected.get("terms") in answer["ties"]:
        return expected["terms"]
    return answer["ties"][0]


@pytest.mark.parametrize(("label", "request_", "expected"), CASES, ids=[case[0] for case in CASES])
def test_case(label, request_, expected):
    answer = as_engine_answer(scorer.score(request_), expected)
    assert in_terms_of(expected, answer) == expected


def test_there_are_cases_of_every_system_and_status():
    seen = {(request["ruleset"], expected.get("status", "win")) for _, request, expected in CASES}
    assert {ruleset for ruleset, _ in seen} == set(scorer.RULESETS)
    assert {status for _, status in seen} >= {"win", "ready", "not_ready", "not_won", "error"}


def test_it_imports_nothing_of_the_engine():
    folder = Path(__file__).parent
    for file in (folder / "scorer.py", folder / "shanten.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            assert not any(name.split(".")[0] in {"scoring", "calculator"} for name in names)


def test_a_changed_value_is_noticed(monkeypatch):
    _, request, expected = next(case for case in CASES if case[0] == "source_examples:3")
    assert pairs(scorer.score(request)["terms"]) == [["qing_yi_se", 2]]
    monkeypatch.setitem(scorer.FANS, "qing_yi_se", (1, *scorer.FANS["qing_yi_se"][1:]))
    answer = as_engine_answer(scorer.score(request), expected)
    assert in_terms_of(expected, answer) != expected


@pytest.mark.parametrize(
    ("tiles", "melds", "void", "expected"),
    [
        # 123 456 789 and 13 with a lone 5 and 8: one exchange makes the pair.
        ("123456789m1358p", [], None, 1),
        # Ready already: shanten 0 is for whoever waits.
        ("123456789m1233p", [], None, 0),
        # The bamboo run is a third suit: ten tiles are of use.
        ("123456m789p123s1p", [], None, 3),
        # Six pairs and a single: seven pairs wait.
        ("1122334455m667p", [], None, 0),
        # Melds are fixed and count: two sets done, two runs and a pair to go.
        ("1245m1p", [("pung", 0), ("pung", 4), ("pung", 8)], None, 1),
    ],
)
def test_shanten(tiles, melds, void, expected):
    held = scorer.count(scorer.read_tiles(tiles)[0])
    assert shanten.missing(held, melds, void) - 1 == expected


def test_suit_costs_agree_with_every_target_written_out():
    """The walk over ranks finds the minimum of all targets of two sets and a pair, listed."""
    runs = [(low, low + 1, low + 2) for low in range(7)]
    sets = [*runs, *((rank,) * 3 for rank in range(9))]
    targets = []
    for first in range(16):
        for second in range(first, 16):
            for pair in range(9):
                tiles = (*sets[first], *sets[second], pair, pair)
                counts = tuple(tiles.count(rank) for rank in range(9))
                if max(counts) <= 4:
                    targets.append(counts)
    for held in [
        (1, 1, 1, 1, 1, 1, 1, 1, 0),
        (4, 0, 0, 2, 0, 0, 0, 1, 1),
        (0, 0, 3, 0, 3, 0, 0, 0, 2),
        (0, 0, 0, 0, 0, 0, 0, 0, 0),
        (2, 0, 2, 0, 2, 0, 1, 0, 1),
    ]:
        cheapest = min(
            sum(max(0, wanted - have) for wanted, have in zip(target, held, strict=True))
            for target in targets
        )
        assert shanten.suit_costs(held, (4,) * 9)[2, 1, 0] == cheapest


@pytest.mark.parametrize(
    ("tiles", "melds", "pattern", "expected"),
    [
        ("11223345678999m", [], "qing_yi_se", 0),
        ("11223345678m999p", [], "qing_yi_se", 3),
        ("11223344556677m", [], "qing_long_qi_dui", 2),
        ("123456789m11122p", [], "yi_tiao_long", 0),
        ("123456789m11122p", [], "dai_yao_jiu", 3),
        ("123456789m11p", [("pung", 13)], "qi_dui", None),
        ("111222333m78999p", [], "dui_dui_hu", 1),
    ],
)
def test_distance(tiles, melds, pattern, expected):
    held = scorer.count(scorer.read_tiles(tiles)[0])
    assert shanten.distance(held, melds, pattern) == expected
