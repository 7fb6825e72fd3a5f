"""The independent settlement agrees with the cases and the worked rounds, and is independent."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from tests.round_files import faults, illegal_rounds, numbers, round_cases, worked_rounds

from . import settlement
from .scorer import score
from .settlement import fewest_payments, settle

CASES = round_cases()
ILLEGAL = illegal_rounds()
ROUNDS = CASES + worked_rounds()


@pytest.mark.parametrize(("label", "request_", "expected"), ROUNDS, ids=[row[0] for row in ROUNDS])
def test_round(label, request_, expected):
    answer = settle(request_, score)
    assert answer["status"] == "settled", answer
    assert numbers(answer) == numbers(expected)


def test_there_are_rounds_of_every_system_and_reason():
    assert {request["ruleset"] for _, request, _ in CASES} == set(settlement.SYSTEMS)
    reasons = {key.split(":")[2] for _, _, expected in ROUNDS for key in expected["flows"]}
    assert reasons == {
        *settlement.KONG_KINDS,
        "win",
        "kong_transfer",
        "kong_undo",
        "flower_pig",
        "not_ready",
        "difference",
        "refund",
        "escape",
        "forfeit",
        "false_win",
        "agreed",
    }


@pytest.mark.parametrize(("label", "request_", "expected"), ROUNDS, ids=[row[0] for row in ROUNDS])
def test_the_expected_numbers_add_up(label, request_, expected):
    expected = numbers(expected)
    totals = [Fraction(0)] * len(expected["totals"])
    for key, amount in expected["flows"].items():
        payer, to = key.split(":")[1].split(">")
        totals[int(payer)] -= amount
        if to != "None":
            totals[int(to)] += amount
    assert totals == expected["totals"]
    assert sum(totals) + expected["penalties"] == 0


@pytest.mark.parametrize(
    ("title", "request_", "code", "event"), ILLEGAL, ids=[row[0] for row in ILLEGAL]
)
def test_illegal_round(title, request_, code, event):
    answer = settle(request_, score)
    assert answer["status"] == "error"
    assert faults(answer) == {(code, event)}


def test_it_imports_nothing_of_the_engine():
    tree = ast.parse(Path(settlement.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        assert not any(name.split(".")[0] in {"scoring", "calculator"} for name in names)


def test_a_changed_value_is_noticed(monkeypatch):
    monkeypatch.setitem(settlement.SYSTEMS["sbr"]["pig"], "points", 23)
    wrong = [
        label
        for label, request, expected in CASES
        if numbers(settle(request, score)) != numbers(expected)
    ]
    assert wrong


@pytest.mark.parametrize(
    ("totals", "penalties", "payments"),
    [
        ([0, 0, 0, 0], 0, 0),
        ([5, -5, 0, 0], 0, 1),
        # Two pairs that cancel need two payments, not three.
        ([5, -3, -5, 3], 0, 2),
        ([5, -3, -4, 2], 0, 3),
        ([-24, 0, 0, 0], 24, 1),
        ([-24, 3, -3, 0], 24, 2),
    ],
)
def test_fewest_payments(totals, penalties, payments):
    assert fewest_payments([Fraction(t) for t in totals], Fraction(penalties)) == payments
