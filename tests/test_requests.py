"""What a request may hold, and how the rest of it is told."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from scoring.contract import score, settle

HAND = {"ruleset": "laok", "hand": "123456789m1122p", "melds": []}
WON = {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}
KONG = {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 1}


# Numbers.


def horse_hand(number: Any) -> Any:
    hand = {"ruleset": "laok", "hand": "123456789m11222p", "horses": ["1m"]}
    return score({**hand, "seat": number, "dealer": number})


def joker_hand(number: Any) -> Any:
    melds = [{"kind": "pung", "tile": "5p", "jokers": number}]
    return score({"ruleset": "yaoji", "hand": "123456m22p345p", "melds": melds})


def round_of(*events: Any, ruleset: str = "laok", **more: Any) -> Any:
    return settle({"ruleset": ruleset, "events": list(events), **more})


#: Every place of a request that takes a whole number, as what is answered with it there.
PLACES: dict[str, Callable[[Any], Any]] = {
    "seat and dealer": horse_hand,
    "jokers": joker_hand,
    "cap": lambda n: score({**HAND, "options": {"cap": n}}),
    "fan of a term": lambda n: score({**HAND, "options": {"fans": {"qing_yi_se": n}}}),
    "fan of a kind": lambda n: score(
        {**HAND, "options": {"fans": {"gang_shang_hua": {"added_kong": n}}}}
    ),
    "kong points": lambda n: score({**HAND, "options": {"kong_points": {"added": n}}}),
    "pig": lambda n: score({**HAND, "options": {"pig": {"points": n, "times_best": n}}}),
    "dealer": lambda n: round_of(WON, dealer=n),
    "seat of a kong": lambda n: round_of({**KONG, "seat": n, "from": 0}),
    "from of a kong": lambda n: round_of({**KONG, "from": n}),
    "from of a win": lambda n: round_of({**WON, "from": n}),
    "winner's seat": lambda n: round_of({**WON, "from": 3, "winners": [{"seat": n, "fan": 3}]}),
    "winner's fan": lambda n: round_of({**WON, "winners": [{"seat": 0, "fan": n}]}),
    "robbed of": lambda n: round_of(
        {"type": "kong", "seat": 1, "kind": "added_kong", "robbed": True},
        {**WON, "by": "rob_kong", "from": n},
    ),
    "who leaves": lambda n: round_of({"type": "escape", "seat": n}),
    "best of an escape": lambda n: round_of(
        {"type": "escape", "seat": 3, "last_four": True, "best": {"0": n}}
    ),
    "fan of a wait": lambda n: round_of(
        {"type": "draw", "hands": {"0": {"state": "ready", "fan": n}, **NOT_READY}}
    ),
}
NOT_READY = {str(seat): {"state": "not_ready"} for seat in (1, 2, 3)}


@pytest.mark.parametrize("place", PLACES)
def test_a_whole_number_is_one_however_it_is_written(place: str) -> None:
    answers = [PLACES[place](one) for one in (1, 1.0, Decimal(1), Decimal("1.0"))]
    assert answers[0]["status"] != "error"
    assert answers == answers[:1] * 4


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "other",
    [
        *(True, False, "1", [1], 1.5, Decimal("1.5"), -1, 1e300, Decimal("1e999999")),
        *(float("nan"), float("inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")),
    ],
    ids=repr,
)
def test_nothing_else_is_a_whole_number(place: str, other: Any) -> None:
    answer = PLACES[place](other)
    assert answer["status"] == "error"
    assert {error["code"] for error in answer["errors"]} <= {"bad_field", "bad_option"}


@pytest.mark.parametrize("other", [True, "1", Decimal("NaN"), Decimal("sNaN"), float("nan")])
def test_no_base_is_made_of_what_is_no_number(other: Any) -> None:
    (error,) = score({**HAND, "options": {"base": other}})["errors"]
    assert (error["code"], error["option"]) == ("bad_option", "base")


# Events.

X = {"type": "x"}
SELF_DRAW = {"type": "win", "by": "self_draw", "winners": [{"seat": 0, "fan": 2}]}
ROBBED = {"type": "kong", "seat": 1, "kind": "added_kong", "robbed": True}
OVER = {"type": "escape", "seat": 0}
PAYS_HIMSELF = {**WON, "from": 0}
SHORT = ("bad_field", 1)
FIVE = {
    "type": "draw",
    "hands": {
        "0": {"hand": "1112223334499p"},
        "1": {"hand": "1123456788899p"},
        "2": {"state": "not_ready"},
        "3": {"state": "not_ready"},
    },
}


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([X, {"type": "y"}], [("bad_field", 0), ("bad_field", 1)]),
        ([WON, X, {**KONG, "seat": 9}], [("bad_field", 1), ("bad_field", 2)]),
        ([X, {**WON, "winners": []}, {"type": "draw"}], [("bad_field", n) for n in range(3)]),
        # What can only be said of a round that stands is said once.
        ([SELF_DRAW, SELF_DRAW, SELF_DRAW], [("seat_already_won", 1)]),
        ([OVER, WON, KONG], [("bad_event_order", 1)]),
        ([SELF_DRAW, SELF_DRAW, X, SELF_DRAW], [("seat_already_won", 1), ("bad_field", 2)]),
        ([X, {**WON, "kong_discard": True}, {"type": "draw", "hands": {}}], [("bad_field", 0)]),
        # A hand is wrong and a player pays himself wherever that stands.
        ([X, {**SELF_DRAW, "winners": [{"seat": 0, "hand": "1m"}]}], [("bad_field", 0), SHORT]),
        ([X, PAYS_HIMSELF, FIVE], [("bad_field", 0), ("bad_from", 1), ("impossible_tiles", 2)]),
        ([X, {**SELF_DRAW, "winners": [{"seat": 0, "fan": 0}]}], [("bad_field", 0), SHORT]),
        # A kong is not called unrobbed because of a win that cannot be read.
        ([ROBBED, X], [("bad_field", 1)]),
        ([ROBBED, {"type": []}], [("bad_field", 1)]),
        ([ROBBED, {**WON, "by": "rob_kong", "from": "1"}], [("bad_field", 1)]),
        ([ROBBED, {**WON, "by": "rob"}], [("bad_field", 1)]),
        ([ROBBED, {**WON, "winners": []}], [("bad_event_order", 0), ("bad_field", 1)]),
        ([ROBBED, {"type": "escape"}], [("bad_event_order", 0), ("bad_field", 1)]),
        ([ROBBED, KONG, X], [("bad_event_order", 0), ("bad_field", 2)]),
        ([ROBBED, {**KONG, "from": 2, "late": 1}], [("bad_event_order", 0), ("bad_field", 1)]),
    ],
)
def test_all_events_that_are_wrong_in_themselves_are_told_at_once(
    events: list[Any], told: list[tuple[str, int]]
) -> None:
    answer = round_of(*events)
    assert [(error["code"], error["event"]) for error in answer["errors"]] == told
    for error in answer["errors"]:
        place = f"events[{error['event']}]"
        assert error.get("field", place).startswith(place)
    first = told[0][1]
    before = round_of(*events[:first])
    before = before.get("settled", before)  # a robbed kong waits for its win
    assert answer["settled"]["transfers"] == before["transfers"]
    assert answer["settled"]["assumed"] == before["assumed"]
