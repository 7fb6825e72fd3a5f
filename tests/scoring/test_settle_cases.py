"""The engine and the command line agree with the round cases and the rounds worked by hand."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.contract import settle
from tests.round_files import (
    faults,
    illegal_rounds,
    numbers,
    refused_cases,
    round_cases,
    worked_rounds,
)

ROUNDS = round_cases() + worked_rounds()
ILLEGAL = illegal_rounds()
REFUSED = refused_cases()
MANAGE = Path(__file__).parents[2] / "manage.py"


@pytest.mark.parametrize(("label", "request_", "expected"), ROUNDS, ids=[row[0] for row in ROUNDS])
def test_round(label, request_, expected):
    answer = settle(request_)
    assert answer["status"] == "settled", answer
    assert numbers(answer) == numbers(expected)


@pytest.mark.parametrize(
    ("title", "request_", "code", "event"), ILLEGAL, ids=[row[0] for row in ILLEGAL]
)
def test_illegal_round(title, request_, code, event):
    answer = settle(request_)
    assert answer["status"] == "error"
    assert faults(answer) == {(code, event)}


@pytest.mark.parametrize(("label", "request_", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused_round(label, request_, code):
    answer = settle(request_)
    assert answer["status"] == "error"
    assert answer["errors"][0]["code"] == code


def command_line(tmp_path, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, str(MANAGE), "settle", "--json"],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_command_line_settles_every_round_from_any_folder(tmp_path):
    status, answers = command_line(tmp_path, [request for _, request, _ in ROUNDS])
    assert status == 0
    assert len(answers) == len(ROUNDS)
    for (label, _, expected), answer in zip(ROUNDS, answers, strict=True):
        assert numbers(answer) == numbers(expected), label


def test_command_line_reports_a_bad_round_and_goes_on(tmp_path):
    (_, good, expected), (_, bad, code, event) = ROUNDS[0], ILLEGAL[0]
    _, refused = command_line(tmp_path, [request for _, request, _ in REFUSED])
    assert [answer["errors"][0]["code"] for answer in refused] == [row[2] for row in REFUSED]
    status, answers = command_line(tmp_path, [bad, good])
    assert status == 1
    assert faults(answers[0]) == {(code, event)}
    assert numbers(answers[1]) == numbers(expected)
