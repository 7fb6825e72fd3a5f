"""All the hand cases, through the library and once through the command line in a batch."""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring import contract
from tests.case_files import hand_cases, in_terms_of

CASES = hand_cases()
PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize(("label", "request_", "expected"), CASES, ids=[case[0] for case in CASES])
def test_case(label, request_, expected):
    answer = contract.score(copy.deepcopy(request_))
    assert in_terms_of(expected, answer) == expected


def test_a_request_is_left_as_it_was():
    for _, request, _ in CASES:
        before = copy.deepcopy(request)
        contract.score(request)
        assert request == before


def test_all_cases_in_one_batch_through_the_command_line(tmp_path):
    """One line in, one line out, in order, from any folder; an error line fails the run."""
    lines = [json.dumps(request, ensure_ascii=False) for _, request, _ in CASES]
    done = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), "score", "--json"],
        input="\n".join([*lines, "no json"]) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(CASES) + 1
    for (label, _, expected), answer in zip(CASES, answers[:-1], strict=True):
        assert (label, in_terms_of(expected, answer)) == (label, expected)
    assert [error["code"] for error in answers[-1]["errors"]] == ["bad_json"]
    assert done.returncode == 1
