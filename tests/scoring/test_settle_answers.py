"""What an answer of `settle` says beside its numbers: seats, warnings, errors, decimals."""

import json
from decimal import Decimal

import pytest

from scoring import rules
from scoring.contract import settle

KONG = {"type": "kong", "seat": 0, "kind": "concealed_kong", "tile": "5m"}
SELF_DRAW = {"type": "win", "by": "self_draw", "winners": [{"seat": 0, "fan": 1}]}
NOBODY = {str(seat): {"state": "not_ready"} for seat in range(4)}


def round_of(*events, ruleset="chengdu", **options):
    return settle({"ruleset": ruleset, "options": options, "dealer": 0, "events": list(events)})


def test_an_empty_round_is_open_and_owes_nothing():
    answer = round_of()
    assert answer["status"] == "settled"
    assert answer["open"] is True
    assert answer["transfers"] == answer["pairwise"] == answer["fewest_transfers"] == []


@pytest.mark.parametrize(
    ("events", "still_open"),
    [
        ([SELF_DRAW], True),
        ([{"type": "draw", "hands": NOBODY}], False),
        ([{"type": "escape", "seat": 1}], False),
        ([SELF_DRAW, {"type": "escape", "seat": 0}], True),
    ],
)
def test_a_round_without_an_end_is_marked_open(events, still_open):
    assert round_of(*events, ruleset="laok")["open"] is still_open


def test_every_seat_says_how_it_ended():
    hands = {
        "1": {"hand": "123456789m1123p", "melds": []},
        "2": {"state": "flower_pig"},
        "3": {"state": "not_ready"},
    }
    seats = round_of(SELF_DRAW, {"type": "draw", "hands": hands})["seats"]
    assert [seat["state"] for seat in seats] == ["won", "ready", "flower_pig", "not_ready"]
    assert seats[0]["fans"] == [1]
    best = seats[1]["best"]
    assert (best["fan"], best["multiple"]) == (0, 1)
    assert best["tile"] in {"1p", "4p"}
    assert seats[2]["best"] is seats[3]["best"] is None


def test_the_best_wait_is_named_with_its_tile():
    hand = {"hand": "3499m123678p", "melds": [{"kind": "pung", "tile": "5m"}]}
    seats = round_of({"type": "draw", "hands": {**NOBODY, "1": hand}})["seats"]
    assert seats[1]["best"] == {"tile": "5m", "fan": 1, "multiple": 2}


def test_a_booked_kong_that_the_hand_does_not_show_is_a_warning_and_no_error():
    hand = {"seat": 0, "hand": "123456789m11222p", "melds": []}
    answer = round_of(KONG, {**SELF_DRAW, "winners": [hand]})
    assert answer["status"] == "settled"
    (warning,) = answer["warnings"]
    assert (warning["seat"], warning["kind"], warning["tile"]) == (0, "concealed_kong", "5m")


@pytest.mark.parametrize(
    ("booked", "shown"),
    [
        ({"tile": "5m"}, {"kind": "concealed_kong", "tile": "5m"}),
        ({}, {"kind": "concealed_kong", "tile": "6p"}),
    ],
)
def test_a_booked_kong_that_the_hand_shows_is_no_warning(booked, shown):
    kong = {"type": "kong", "seat": 0, "kind": "concealed_kong", **booked}
    hand = {"seat": 0, "hand": "123789m12311p", "melds": [shown]}
    assert round_of(kong, {**SELF_DRAW, "winners": [hand]})["warnings"] == []


@pytest.mark.parametrize(
    "shown",
    [{"kind": "concealed_kong", "tile": "6p"}, {"kind": "added_kong", "tile": "5m"}],
)
def test_a_kong_of_another_tile_or_kind_does_not_stand_for_the_booked_one(shown):
    hand = {"seat": 0, "hand": "123789m12311p", "melds": [shown]}
    assert len(round_of(KONG, {**SELF_DRAW, "winners": [hand]})["warnings"]) == 1


def test_every_hand_shown_is_held_against_the_kongs_once():
    """血流: the hand of the first win lacks the kong; another player's hand changes nothing."""
    lacking = {**SELF_DRAW, "winners": [{"seat": 0, "hand": "123456789m11222p", "melds": []}]}
    other = {"seat": 1, "hand": "123456789s44555p", "melds": []}
    answer = round_of(KONG, lacking, {**SELF_DRAW, "winners": [other]}, ruleset="yichang")
    assert [warning["event"] for warning in answer["warnings"]] == [1]


def test_a_kong_without_a_tile_takes_what_the_named_one_leaves():
    kongs = [{**KONG, "tile": None}, KONG]
    shown = [{"kind": "concealed_kong", "tile": tile} for tile in ("5m", "6p")]
    hand = {"seat": 0, "hand": "123m12311p", "melds": shown}
    assert round_of(*kongs, {**SELF_DRAW, "winners": [hand]})["warnings"] == []


def test_a_robbed_kong_need_not_be_shown():
    events = [
        {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "5m", "robbed": True},
        {"type": "win", "by": "rob_kong", "from": 1, "winners": [{"seat": 0, "fan": 1}]},
        {"type": "draw", "hands": {**NOBODY, "1": {"hand": "123456789m1123p", "melds": []}}},
    ]
    del events[2]["hands"]["0"]
    answer = round_of(*events)
    assert (answer["status"], answer["warnings"]) == ("settled", [])


def test_money_with_decimals_is_written_as_it_is_counted():
    answer = round_of(KONG, base=0.1)
    assert answer["totals"] == [0.6, -0.2, -0.2, -0.2]
    assert '"amount": 0.2' in json.dumps(answer)
    whole = round_of(KONG, base=5.0)
    assert json.dumps(whole["totals"]) == "[30, -10, -10, -10]"


def test_a_penalty_is_owed_to_nobody_everywhere():
    pig = {**NOBODY, "2": {"state": "flower_pig"}}
    answer = round_of({"type": "draw", "hands": pig}, ruleset="sbr")
    assert answer["penalties"] == 24
    assert [(line["from"], line["to"]) for line in answer["transfers"]] == [(2, None)]
    assert [(line["from"], line["to"]) for line in answer["fewest_transfers"]] == [(2, None)]


def test_what_two_players_owe_each_other_is_netted():
    events = [
        {"type": "win", "by": "discard", "from": 0, "winners": [{"seat": 1, "fan": 3}]},
        {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 1}]},
    ]
    answer = round_of(*events, ruleset="yichang")
    assert answer["pairwise"] == [{"from": 0, "to": 1, "amount": 2}]


def test_a_bad_event_is_told_and_the_events_before_it_still_stand():
    answer = round_of(KONG, SELF_DRAW, SELF_DRAW, KONG)
    assert answer["status"] == "error"
    assert {error["event"] for error in answer["errors"]} == {2}
    before = round_of(KONG, SELF_DRAW)
    assert answer["settled"]["totals"] == before["totals"]
    assert answer["settled"]["transfers"] == before["transfers"]


def test_all_problems_of_the_bad_event_are_told_at_once():
    hands = {"0": {"state": "asleep"}, "1": {"state": "ready"}}
    errors = round_of({"type": "draw", "hands": hands})["errors"]
    assert sorted(error["code"] for error in errors) == ["bad_field"] * 2 + ["missing_hand"] * 2
    assert {error["seat"] for error in errors if error["code"] == "missing_hand"} == {2, 3}


def test_nobody_has_a_fifth_kong() -> None:
    kong = {"type": "kong", "seat": 0, "kind": "concealed_kong"}
    answer = settle({"ruleset": "chengdu", "events": [kong] * 5})
    assert answer["errors"] == [{"code": "too_many_melds", "event": 4, "seat": 0, "count": 5}]
    assert answer["settled"]["totals"] == [24, -8, -8, -8]
    robbed = {"type": "kong", "seat": 0, "kind": "added_kong", "robbed": True}
    win = {"type": "win", "by": "rob_kong", "from": 0, "winners": [{"seat": 1, "fan": 2}]}
    answer = settle({"ruleset": "chengdu", "events": [kong, kong, kong, kong, robbed, win]})
    assert answer["status"] == "settled"


def test_numbers_of_a_thousand_digits_are_refused_like_others() -> None:
    win = {"type": "win", "by": "self_draw", "winners": [{"seat": 1, "fan": Decimal("1e999")}]}
    (error,) = settle({"ruleset": "chengdu", "events": [win]})["errors"]
    assert (error["code"], error["expected"]) == ("bad_field", "0..99")


READY, NOT_READY, PIG = ({"state": "ready", "fan": 2}, {"state": "not_ready"},
                         {"state": "flower_pig"})  # fmt: skip
#: It waits for 清对 (9m) and for 清一色 (8m).
HALF_READY = {"hand": "2224445557779m"}


def left(*hands):
    """The end of the wall; whoever is not named is not ready."""
    shown = (*hands, *[NOT_READY] * (4 - len(hands)))
    return {"type": "draw", "hands": {str(seat): hand for seat, hand in enumerate(shown)}}


BLOOM = {"type": "win", "by": "self_draw", "after_kong": "exposed_kong"}


@pytest.mark.parametrize(
    ("ruleset", "events", "options", "assumed"),
    [
        (
            "chengdu",
            [
                {"type": "kong", "seat": 1, "kind": "exposed_kong", "from": 0},
                {**BLOOM, "winners": [{"seat": 1, "fan": 4}]},
            ],
            {},
            ["kong_points.exposed", "bloom"],
        ),
        ("xueliu", [SELF_DRAW], {}, ["scale"]),
        ("xueliu", [SELF_DRAW], {"scale": "double"}, []),
        (
            "yichang",
            [KONG, {**SELF_DRAW, "winners": [{"seat": 1, "fan": 1}]}],
            {},
            ["concealed_kong"],
        ),
        (
            "yichang",
            [
                KONG,
                {"type": "kong", "seat": 1, "kind": "exposed_kong", "from": 2},
                {**BLOOM, "winners": [{"seat": 1, "fan": 4}]},
            ],
            {"bloom": "giver_pays_all"},
            ["concealed_kong"],
        ),
        (
            "laok",
            [
                {
                    "type": "win",
                    "by": "discard",
                    "from": 0,
                    "winners": [{"seat": 1, "fan": 1}, {"seat": 2, "fan": 1}],
                }
            ],
            {},
            ["dealer"],
        ),
        # A runaway ends the round, and nobody has won it.
        ("chengdu", [{"type": "escape", "seat": 3}], {}, ["escape_points", "nobody_won"]),
        # A hand at the wall's end that money is reckoned from, and one that nobody pays for.
        ("yichang", [left(HALF_READY)], {}, ["qing_dui", "nobody_won"]),
        ("xueliu", [left(HALF_READY)], {}, ["qing_dui", "scale", "nobody_won"]),
        ("xueliu", [left(HALF_READY)], {"call_check": "min"},
         ["qing_yi_se", "scale", "nobody_won"]),
        ("xueliu", [left(HALF_READY)], {"fans": {"qing_dui": 9}}, ["scale", "nobody_won"]),
        ("xueliu", [left(HALF_READY, PIG, PIG, PIG)], {},
         ["qing_dui", "scale", "pig.also_not_ready", "nobody_won"]),
        ("xueliu", [left(HALF_READY, READY, READY, READY)], {}, ["nobody_won"]),
        ("xueliu", [left(HALF_READY, READY, READY, READY)], {"difference": True},
         ["qing_dui", "scale", "nobody_won"]),
        # 花猪: twice the best hand is reckoned with the scale; the pig's own kongs are added to it.
        ("xueliu", [KONG, left(PIG, READY, READY, READY)], {},
         ["pig.also_not_ready", "scale", "kong_in_out", "nobody_won"]),
        ("xueliu", [KONG, left(PIG, READY, READY, READY)], {"kong_in_out": False},
         ["pig.also_not_ready", "scale", "nobody_won"]),
        ("xueliu", [KONG, left(PIG, READY, READY, READY)],
         {"pig": {"points": 99, "also_not_ready": True}}, ["scale", "nobody_won"]),
        ("yichang", [left(PIG, READY, READY, READY)], {},
         ["pig.times_best", "pig.also_not_ready", "nobody_won"]),
        # A kong that comes after what its player paid has added nothing.
        ("yichang", [{**SELF_DRAW, "winners": [{"seat": 1, "fan": 1}]}, KONG], {}, []),
        # Somebody has won: who deals next is stated.
        ("chengdu", [SELF_DRAW, left(None, READY)], {}, []),
    ],
)  # fmt: skip
def test_what_no_source_states_is_marked_wherever_it_is_used(ruleset, events, options, assumed):
    answer = settle({"ruleset": ruleset, "options": options, "events": events})
    assert answer["assumed"] == assumed


@pytest.mark.parametrize("ruleset", rules.ids())
def test_one_source_alone_says_who_deals_after_a_round_that_nobody_won(ruleset):
    answer = settle({"ruleset": ruleset, "dealer": 2, "events": [left(*[NOT_READY] * 4)]})
    assert answer["next_dealer"] == 2
    assert answer["assumed"] == ([] if ruleset == "sbr" else ["nobody_won"])
    begun = settle({"ruleset": ruleset, "dealer": 2, "events": []})
    assert (begun["open"], begun["assumed"]) == (True, [])


def test_what_was_refused_uses_nothing():
    win = {"type": "win", "by": "discard", "from": 0,
           "winners": [{"seat": 0, "hand": "22244455577799m"}]}  # fmt: skip
    assert settle({"ruleset": "xueliu", "events": [win]})["settled"]["assumed"] == []
