"""The hand cases kept under tests/data/cases, and what it means to agree with one."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "data" / "cases"
HAND_FILES = (
    "source_examples",
    "hands",
    "hands_house_rules",
    "coverage",
    "known_faults",
    "hands_tables",
)


def load(name):
    """The cases of one file, in order."""
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def hand_cases():
    """(label, request, expected) of every case about one hand."""
    return [
        (f"{name}:{line}", case["request"], case["expect"])
        for name in HAND_FILES
        for line, case in enumerate(load(name), start=1)
    ]


def pairs(terms):
    """Sorted [id, fan] pairs without zero-fan terms, from an engine's or a case's terms."""
    found = []
    for term in terms:
        name, fan = (term["id"], term["fan"]) if isinstance(term, dict) else term
        if fan:
            found.append([name, fan])
    return sorted(found)


def value(answer):
    """What a case says of a win or a wait, taken from an answer."""
    numbers = {key: answer[key] for key in ("fan", "uncapped_fan", "multiple")}
    return {**numbers, "terms": pairs(answer["terms"])}


def in_terms_of(expected, answer):
    """The answer reduced to the keys that the case speaks about, so the two can be compared."""
    status = answer["status"]
    seen = {}
    for key in expected:
        if key == "waits" and status == "ready":
            # Terms are told where no other reading is of equal value.
            told = {tile: wait.keys() for tile, wait in expected[key].items()}
            seen[key] = {
                wait["tile"]: {
                    k: v for k, v in value(wait).items() if k in told.get(wait["tile"], k)
                }
                for wait in answer["waits"]
            }
        elif key == "tiles":
            tiles = {wait["tile"] for wait in answer.get("waits", ())}
            seen[key] = sorted(tiles, key=lambda tile: ("mps".index(tile[1]), tile[0]))
        elif key == "terms" and status == "win":
            seen[key] = pairs(answer["terms"])
        elif key == "pattern" and status == "win":
            # A plain hand of no value may leave its pattern out of the counted terms.
            seen[key] = answer["patterns"][0]
        elif key == "code" and status == "error":
            codes = [error["code"] for error in answer["errors"]]
            seen[key] = codes[0] if len(set(codes)) == 1 else codes
        else:
            seen[key] = answer.get(key)
    return seen
