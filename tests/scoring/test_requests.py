"""What a request may hold, and how the rest of it is told."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from calculator.words import texts
from scoring.contract import compare, explain, score, settle
from scoring.hand import Meld
from scoring.notation import format_hand, parse

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


# Fields that nobody reads.

MISSPELT = {
    "ruleset": "yaoji",
    "hand": "123456m22p345p",
    "melds": [{"kind": "pung", "tile": "5p", "joker": 1}],
    "by_whom": 2,
}
PLACED = ["by_whom", "melds[0].joker"]


def unread(notes: list[Any]) -> list[str]:
    return [note["field"] for note in notes if note["code"] == "unknown_field"]


def test_a_field_that_nobody_reads_is_told_with_its_place() -> None:
    assert unread(score(MISSPELT)["notes"]) == PLACED
    assert unread(score({**MISSPELT, "hand": "123456m22p34p"})["notes"]) == PLACED
    assert unread(explain(MISSPELT)["notes"]) == PLACED
    for row in compare(MISSPELT):
        assert unread(row["notes"]) == PLACED
    clean = {**MISSPELT, "melds": [{"kind": "pung", "tile": "5p", "jokers": 1}]}
    del clean["by_whom"]
    assert "notes" not in explain(clean)
    assert not any("notes" in row for row in compare(clean))


def test_a_round_tells_it_in_whatever_stands_inside_an_event() -> None:
    meld = {"kind": "pung", "tile": "9m", "jokerz": 1}
    winner = {"seat": 0, "hand": "123456m11222p", "melds": [meld], "meldz": []}
    left = {"hand": "1123456789p", "melds": [{**meld, "tile": "8m"}], "win_tile": "9m"}
    draw = {"1": left, "2": {"state": "not_ready"}, "3": {"state": "not_ready"}}
    events = [{**SELF_DRAW, "winners": [winner]}, {"type": "draw", "hands": draw}]
    answer = round_of(*events, ruleset="chengdu", more=1)
    assert answer["status"] == "settled"
    warned = [w for w in answer["warnings"] if w["code"] == "unknown_field"]
    assert [(w.get("event"), w["field"]) for w in warned] == [
        (0, "events[0].winners[0].meldz"),
        (0, "events[0].winners[0].melds[0].jokerz"),
        (1, "events[1].hands.1.win_tile"),
        (1, "events[1].hands.1.melds[0].jokerz"),
        (None, "more"),
    ]


LONG = "x" * 60_000


@pytest.mark.parametrize(
    "answer",
    [
        score({**HAND, "ruleset": LONG}),
        score({**HAND, "hand": LONG}),
        score({**HAND, LONG: 1}),
        score({**HAND, "melds": [{"kind": "pung", "tile": "1p", LONG: 1}]}),
        score({**HAND, "options": {LONG: 1}}),
        score({**HAND, "options": {"fans": {LONG: 1, "gang_shang_hua": {LONG: 1}}}}),
        score({**HAND, "options": {"pig": {LONG: 1}, "kong_points": {LONG: 1}}}),
        round_of({"type": "escape", "seat": 0, "best": {LONG: 1}}),
        round_of({"type": "draw", "hands": {LONG: {}}}),
        round_of({**KONG, LONG: 1, "tile": LONG}, **{LONG: 1}),
    ],
)
def test_what_was_sent_is_repeated_in_short(answer: Any) -> None:
    for told in (answer, texts.localise(answer)):
        assert len(str(told)) < 3000
        assert LONG[:30] not in str(told) or "…" in str(told)


# A seat at the end of the wall.

HANDS = {
    "ready": "123456789m22p34p",
    "not_ready": "159m159m1234567p",
    "flower_pig": "123456m159p159s1p",
}


@pytest.mark.parametrize("shown", HANDS)
@pytest.mark.parametrize("said", [*HANDS, None, "asleep"])
def test_a_state_beside_a_hand_is_the_one_that_the_hand_shows(shown: str, said: str | None) -> None:
    others = {str(seat): {"state": "not_ready"} for seat in (1, 2, 3)}
    alone = {"hand": HANDS[shown]}

    def settled(left: Any) -> Any:
        return round_of({"type": "draw", "hands": {"0": left, **others}}, ruleset="chengdu")

    answer = settled({**alone, "state": said})
    if said in (shown, None):
        assert answer == settled(alone)
        return
    (error,) = answer["errors"]
    assert (error["code"], error["field"]) == ("bad_field", "events[0].hands.0.state")
    if said in HANDS:
        assert (error["expected"], error["seat"]) == (shown, 0)
    assert "?" not in texts.message(error)


# The winning tile.


@pytest.mark.parametrize("melds", [(), (Meld("pung", 26),)])
@pytest.mark.parametrize("hand", ["", "1m", "5p", "15p", "123456m", "12345678m5p", "123456m225p"])
def test_a_winning_tile_is_added_beside_every_hand_that_is_short(
    hand: str, melds: tuple[Meld, ...]
) -> None:
    apart = [{"kind": meld.kind, "tile": "9s"} for meld in melds]
    request = {"ruleset": "chengdu", "hand": hand, "melds": apart}
    named = score({**request, "win_tile": "5p"})
    assert named == score({**request, "hand": f"{hand}!5p"})
    assert named["hand"] == format_hand(parse(f"{hand}!5p", melds))
