"""What each option of the money does to a round, worked out by hand: one claim, one sum.

Where nothing else is said the rules are 成都 with a base of 1: a hand of n 番 is worth 2 to the n.
"""

import pytest

from scoring.contract import settle

PLAIN = "234567m3456789p9p"
#: Waits for the 9筒 alone, with a concealed kong of 6筒 beside.
KONGED = {"hand": "234567m3459p(6666p)"}
READY = {"state": "ready", "fan": 1}
NOT_READY = {"state": "not_ready"}
PIG = {"state": "flower_pig"}
FALSE_WIN = {"type": "false_win", "seat": 1}


def kong(seat, kind="concealed_kong", **more):
    return {"type": "kong", "seat": seat, "kind": kind, **more}


def win(by, *winners, **more):
    giver = {"from": more.pop("giver")} if "giver" in more else {}
    won = [{"seat": seat, "fan": fan} for seat, fan in winners]
    return {"type": "win", "by": by, "winners": won, **giver, **more}


def draw(*standings):
    hands = {str(seat): each for seat, each in enumerate(standings) if each is not None}
    return {"type": "draw", "hands": hands}


def settled(*events, ruleset="chengdu", dealer=0, **options):
    request = {"ruleset": ruleset, "options": options, "dealer": dealer, "events": list(events)}
    answer = settle(request)
    assert answer["status"] == "settled", answer
    return answer


def totals(*events, **more):
    return settled(*events, **more)["totals"]


def refused(*events, ruleset="chengdu", **options):
    answer = settle({"ruleset": ruleset, "options": options, "events": list(events)})
    assert answer["status"] == "error"
    return {(error["code"], error.get("why")) for error in answer["errors"]}


@pytest.mark.parametrize(
    ("bonus", "paid"), [("none", 8), ("base", 9), ("base_capped", 8), ("double", 16)]
)
def test_a_self_draw_at_the_cap(bonus, paid):
    assert totals(win("self_draw", (0, 5)), cap=3, self_draw_bonus=bonus)[0] == 3 * paid


def test_a_base_that_stays_below_the_cap_is_added():
    assert totals(win("self_draw", (0, 2)), cap=3, self_draw_bonus="base_capped")[0] == 3 * 5


def test_a_doubled_self_draw_doubles_the_payers_own_kongs_too():
    events = [kong(1), win("self_draw", (0, 1))]
    found = totals(*events, ruleset="yichang", self_draw_bonus="double")
    assert found == [(1 + 2) * 2 + 2 * 2, -6, -2, -2]


@pytest.mark.parametrize(
    ("bloom", "paid"),
    [
        ("self_draw", [15, -5, -5, -5]),
        ("giver_pays_all", [15, -15, 0, 0]),
        ("giver_self_draw", [5, -5, 0, 0]),
        ("discard", [4, -4, 0, 0]),
    ],
)
def test_who_pays_a_bloom_after_a_given_kong(bloom, paid):
    events = [
        kong(0, "exposed_kong", **{"from": 1}),
        win("self_draw", (0, 2), after_kong="exposed_kong"),
    ]
    found = totals(*events, self_draw_bonus="base", bloom=bloom, kong_points={"exposed": 0})
    assert found == paid


def test_all_kong_money_still_held_goes_to_every_winner():
    discard = win("discard", (1, 0), (2, 0), giver=0, kong_discard=True)
    earlier = [kong(0), kong(3), kong(0, "added_kong")]
    both = settled(*earlier, discard, kong_transfer="all")
    moved = [row for row in both["transfers"] if row["reason"] == "kong_transfer"]
    assert [(row["to"], row["amount"]) for row in moved] == [(1, 9), (2, 9)]
    # It is his no longer: nothing is left to go back.
    end = draw(NOT_READY, None, None, READY)
    after = settled(*earlier, discard, end, kong_transfer="all")
    assert not [row for row in after["transfers"] if row["reason"] == "refund"]


@pytest.mark.parametrize(("how", "reason"), [("each", "refund"), ("undo", "kong_undo")])
def test_kong_money_that_is_not_handed_on_to_several_may_be_refunded(how, reason):
    discard = win("discard", (1, 0), (2, 0), giver=0, kong_discard=True)
    answer = settled(
        kong(0), discard, draw(NOT_READY, None, None, READY),
        kong_transfer=how, kong_transfer_several=False,
    )  # fmt: skip
    back = [row["reason"] for row in answer["transfers"] if row["from"] == 0]
    assert [each for each in back if each in ("refund", "kong_undo")] == [reason] * 3


def test_a_single_winner_still_gets_the_kong_money():
    discard = win("discard", (1, 0), giver=0, kong_discard=True)
    assert totals(kong(0), discard, kong_transfer_several=False) == [-1, 5, -2, -2]


ROBBED = [
    kong(0),
    kong(0, "added_kong", robbed=True),
    win("rob_kong", (2, 1), giver=0, kong_discard=True),
]


def test_the_kong_before_a_robbed_one_is_undone_as_by_a_discard():
    assert totals(*ROBBED, ruleset="sbr") == [-2, 0, 2, 0]


def test_elsewhere_a_robbed_kong_is_no_discard_after_a_kong():
    assert refused(*ROBBED) == {("bad_field", None)}


def test_a_hand_that_robs_after_a_kong_counts_both():
    robbing = {"type": "win", "by": "rob_kong", "from": 0, "kong_discard": True,
               "winners": [{"seat": 2, "hand": "23467m345678p99p!5m"}]}  # fmt: skip
    answer = settled(*ROBBED[:2], robbing, ruleset="sbr")
    assert answer["seats"][2]["fans"] == [2]


def test_between_the_robbed_kong_and_the_one_before_nothing_happens():
    other = [ROBBED[0], kong(1), *ROBBED[1:]]
    assert refused(*other, ruleset="sbr") == {("bad_event_order", "no_kong_before")}


@pytest.mark.parametrize("ruleset", ["chengdu", "sbr", "xueliu"])
def test_after_the_last_tile_there_is_no_kong_to_rob(ruleset):
    events = [kong(1, "added_kong", robbed=True),
              win("rob_kong", (2, 3), giver=1, last_tile=True)]  # fmt: skip
    assert ("impossible_win", "rob_kong_last_tile") in refused(*events, ruleset=ruleset)


@pytest.mark.parametrize(("by", "worth"), [("discard", 2), ("self_draw", 3)])
def test_the_check_values_a_hand_as_the_table_says(by, worth):
    end = draw(NOT_READY, READY, READY, READY)
    assert totals(end, check_by=by, self_draw_bonus="base")[0] == -3 * worth


@pytest.mark.parametrize(("kongs", "worth"), [(True, 4), (False, 1)])
def test_the_check_counts_the_kongs_of_a_ready_hand_or_not(kongs, worth):
    assert totals(draw(NOT_READY, KONGED, NOT_READY, NOT_READY), check_kongs=kongs)[1] == 3 * worth


def test_what_the_table_agreed_for_a_ready_hand_keeps_its_kongs():
    end = draw(NOT_READY, {"state": "ready", "fan": 2}, NOT_READY, NOT_READY)
    assert totals(end, check_kongs=False)[1] == 12


def test_a_passive_pig_may_be_merely_not_ready_and_collects_from_the_pigs():
    end = draw(PIG | {"passive": True}, PIG, READY, READY)
    assert totals(end)[0] == -2 * 16 - 2 * 2
    spared = settled(end, passive_pig="not_ready")
    assert spared["totals"] == [16 - 2 * 2, -3 * 16 - 2 * 2, 16 + 4, 16 + 4]
    assert spared["seats"][0]["state"] == "not_ready"


def test_passive_says_nothing_of_a_hand_that_is_no_pig():
    end = draw(READY | {"passive": True}, NOT_READY, NOT_READY, NOT_READY)
    assert totals(end, passive_pig="not_ready") == [6, -2, -2, -2]


@pytest.mark.parametrize(
    ("options", "events", "dealer"),
    [
        ({}, [win("self_draw", (3, 1))], 3),
        ({"next_dealer": "rotate"}, [win("self_draw", (3, 1))], 2),
        ({"next_dealer": "rotate"}, [], 2),
        ({}, [draw(*[NOT_READY] * 4)], 1),
        ({"nobody_won": "next"}, [draw(*[NOT_READY] * 4)], 2),
        ({"nobody_won": "next"}, [win("discard", (3, 1), giver=0)], 3),
        ({"next_dealer": "rotate", "players": 2}, [win("self_draw", (1, 1))], 0),
    ],
)
def test_who_deals_next(options, events, dealer):
    assert settled(*events, dealer=1, **options)["next_dealer"] == dealer


def test_a_false_win_pays_everyone_who_has_not_won_and_drops_out():
    events = [kong(1), win("discard", (2, 0), giver=3), FALSE_WIN]
    # The kong money stays his; of seat 2, who has won, nothing is owed.
    assert totals(*events) == [8 - 2, 6 - 16, 1 - 2, 8 - 2 - 1]
    # Of two who are left no wins are needed for an end.
    rest = [win("self_draw", (0, 1))]
    after = settled(*events, *rest)
    assert [row["from"] for row in after["transfers"] if row["event"] == 3] == [3]
    assert after["open"] is False


def test_a_false_win_in_the_competition_rules_is_a_penalty_and_returns_kong_money():
    answer = settled(kong(1), FALSE_WIN, ruleset="sbr")
    assert answer["totals"] == [0, -24, 0, 0]
    assert answer["penalties"] == 24
    assert [row["reason"] for row in answer["transfers"][3:]] == ["false_win"] + ["refund"] * 3


@pytest.mark.parametrize(
    "later",
    [kong(1), win("self_draw", (1, 1)), win("discard", (2, 1), giver=1), FALSE_WIN,
     {"type": "escape", "seat": 1}, draw(READY, READY, READY, READY)],
)  # fmt: skip
def test_who_has_won_falsely_does_nothing_more(later):
    assert ("not_allowed", "out") in refused(FALSE_WIN, later)


def test_a_false_winner_is_neither_checked_nor_a_pig_nor_paid():
    end = draw(NOT_READY, None, PIG, READY)
    assert totals(FALSE_WIN, end) == [8 + 16 - 2, -24, 8 - 2 * 16 - 2, 8 + 16 + 4]


def test_what_would_go_back_to_a_false_winner_stays_with_the_konger():
    end = draw(NOT_READY, None, READY, READY)
    answer = settled(kong(0), FALSE_WIN, end)
    assert [row["to"] for row in answer["transfers"] if row["reason"] == "refund"] == [2, 3]
    undone = win("discard", (2, 0), giver=0, kong_discard=True)
    answer = settled(FALSE_WIN, kong(0), undone, ruleset="sbr")
    assert all(row["from"] != 1 for row in answer["transfers"] if row["event"])


@pytest.mark.parametrize(("players", "ends"), [(4, False), (3, False), (2, True)])
def test_a_false_win_ends_a_round_only_when_fewer_than_two_are_left(players, ends):
    assert settled(FALSE_WIN, players=players)["open"] is not ends


def test_a_winner_who_plays_on_may_win_falsely_and_keeps_what_he_won():
    first = win("self_draw", (1, 3))
    answer = settled(first, FALSE_WIN, draw(READY, None, READY, READY), ruleset="xueliu")
    assert answer["totals"] == [8 - 3, 9 - 24, 8 - 3, 8 - 3]
    assert answer["seats"][1] == {"state": "won", "fans": [3], "best": None}
    assert ("seat_already_won", None) in refused(first, FALSE_WIN)


def test_who_has_left_a_round_of_blood_flow_does_not_keep_it_going():
    events = [win("self_draw", (1, 3)), {"type": "escape", "seat": 1}, FALSE_WIN | {"seat": 0}]
    assert settled(*events, ruleset="xueliu", players=3)["open"] is False


def test_an_agreed_payment_is_in_points_and_its_note_comes_back():
    paid = {"type": "payment", "from": 0, "to": 2, "amount": 12.5, "note": "补上局"}
    row = settled(paid, base=100)["transfers"][0]
    assert row == {
        "event": 0, "from": 0, "to": 2, "amount": 12.5, "reason": "agreed", "note": "补上局"
    }  # fmt: skip


def test_an_agreed_payment_may_follow_the_end_and_may_be_anybodys():
    end = draw(*[NOT_READY] * 4)
    paid = {"type": "payment", "from": 1, "to": 3, "amount": 5}
    assert totals(FALSE_WIN, draw(NOT_READY, None, NOT_READY, NOT_READY), paid)[3] == 8 + 5
    assert totals(end, paid) == [0, -5, 0, 5]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"to": 1}, ("bad_from", None)),
        ({"to": None}, ("bad_field", None)),
        ({"amount": 0}, ("bad_field", None)),
        ({"amount": -1}, ("bad_field", None)),
        ({"amount": 0.001}, ("bad_field", None)),
        ({"amount": "5"}, ("bad_field", None)),
        ({"note": "三" * 81}, ("bad_field", None)),
        ({"note": 7}, ("bad_field", None)),
    ],
)
def test_a_payment_that_cannot_be_is_told(change, error):
    paid = {"type": "payment", "from": 1, "to": 3, "amount": 5, "note": "三" * 80}
    assert totals(paid) == [0, -5, 0, 5]
    assert refused(paid | change) == {error}


def test_a_payment_stands_between_a_kong_and_no_win():
    paid = {"type": "payment", "from": 1, "to": 3, "amount": 5}
    flower = win("self_draw", (0, 2), after_kong="concealed_kong")
    assert refused(kong(0), paid, flower) == {("bad_event_order", "no_kong_before")}
    robbed = [kong(0, "added_kong", robbed=True), paid, win("rob_kong", (1, 1), giver=0)]
    assert ("bad_event_order", "robbed_without_win") in refused(*robbed)


@pytest.mark.parametrize(
    ("players", "expected"),
    [(4, [6, -2, -2, -2]), (3, [4, -2, -2]), (2, [2, -2])],
)
def test_a_self_draw_is_paid_by_the_others_there_are(players, expected):
    answer = settled(win("self_draw", (0, 1)), players=players)
    assert answer["totals"] == expected
    assert len(answer["seats"]) == players
    assert answer["open"] is (players > 2)


@pytest.mark.parametrize(
    "request_",
    [
        {"dealer": 3, "events": []},
        {"players": ["东", "南", "西", "北"], "events": []},
        {"events": [kong(3)]},
        {"events": [win("discard", (0, 1), giver=3)]},
        {"events": [win("discard", (0, 1), (1, 1), (2, 1), giver=2)]},
        {"events": [draw(*[NOT_READY] * 4)]},
        {"events": [{"type": "escape", "seat": 0, "best": {"3": 1}}]},
        {"events": [{"type": "payment", "from": 0, "to": 3, "amount": 1}]},
        {"events": [FALSE_WIN | {"seat": 3}]},
    ],
)
def test_a_seat_that_is_not_there_is_a_bad_field(request_):
    answer = settle({"ruleset": "chengdu", "options": {"players": 3}, **request_})
    assert "bad_field" in {error["code"] for error in answer["errors"]}


def test_the_names_of_three_players_are_three():
    request = {"ruleset": "chengdu", "options": {"players": 3}, "players": list("东南西")}
    assert settle({**request, "events": []})["status"] == "settled"


def test_every_table_and_balance_has_a_place_for_each_seat_and_one_for_penalties():
    answer = settled(FALSE_WIN, ruleset="sbr", players=2)
    assert answer["tables"]["false_win"] == [0, -24, 24]
    assert answer["running"] == [[0, -24]]
