"""The rounds kept under tests/data, and what it means to agree with one."""

import json
from fractions import Fraction
from pathlib import Path

from tests.case_files import load

ROUND_FILES = ("rounds", "rounds_house_rules", "rounds_tables")
DATA = Path(__file__).parent / "data"
WORKED = DATA / "rounds_worked"


def _cases():
    return [
        (f"{name}:{line}", case["request"], case["expect"])
        for name in ROUND_FILES
        for line, case in enumerate(load(name), start=1)
    ]


def round_cases():
    """(label, request, expected) of every case about a round that is settled."""
    return [case for case in _cases() if "code" not in case[2]]


def refused_cases():
    """(label, request, code) of every case about a round that is refused."""
    return [(label, asked, told["code"]) for label, asked, told in _cases() if "code" in told]


def worked_rounds():
    """(label, request, expected) of every round worked out by hand."""
    files = sorted(WORKED.glob("*.json"))
    rounds = [(file.stem, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return [(name, worked["request"], worked["expect"]) for name, worked in rounds]


def illegal_rounds():
    """(title, request, code, event) of rounds that cannot be settled; no event: the request."""
    with (DATA / "rounds_illegal.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [(row["title"], row["request"], row["code"], row["event"]) for row in rows]


def faults(answer):
    """(code, event) of each error of an answer."""
    return {(error["code"], error.get("event")) for error in answer["errors"]}


def exact(number):
    """A decimal as it is written, without a binary fraction."""
    return Fraction(str(number))


def flows_of(transfers):
    """`event:from>to:reason` → sum, of an engine's transfers; `None` is nobody."""
    flows = {}
    for line in transfers:
        key = f"{line['event']}:{line['from']}>{line['to']}:{line['reason']}"
        flows[key] = flows.get(key, 0) + exact(line["amount"])
    return flows


def numbers(answer):
    """What a case says of a round, as exact numbers, of a case or an engine's answer."""
    flows = flows_of(answer["transfers"]) if "transfers" in answer else answer["flows"]
    return {
        "totals": [exact(total) for total in answer["totals"]],
        "penalties": exact(answer["penalties"]),
        "next_dealer": answer["next_dealer"],
        "flows": {key: exact(amount) for key, amount in flows.items()},
    }
