"""What holds for every round, whatever the table plays."""

import copy
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contract import settle
from tests.independent import rounds
from tests.independent.settlement import fewest_payments, table_rules
from tests.round_files import exact, flows_of

PLAY = settings(derandomize=True, deadline=None, max_examples=300)
JUNK = (None, True, -1, 0.5, 10**30, "x", "五", "", [], {}, [None], {"a": 1}, [[1]], float("nan"))
SEEDS = st.integers(min_value=0, max_value=2**64 - 1)


def round_of(seed, **how):
    """A random legal round and its settlement."""
    request = rounds.request(random.Random(seed), **how)
    return request, settle(request)


def rules_of(request):
    return table_rules(request["ruleset"], request.get("options", {}))


def by_pair(answer):
    """Flows without the index of their event, for comparing rounds told in another order."""
    sums = {}
    for key, amount in flows_of(answer["transfers"]).items():
        pair = key.split(":", 1)[1]
        sums[pair] = sums.get(pair, 0) + amount
    return sums


def told_in_another_order(request, change):
    """The settlement of the round after `change` has rearranged a copy of its events."""
    other = copy.deepcopy(request)
    change(other["events"])
    return settle(other)


def speaks_of_the_event_before(event):
    return any(event.get(key) for key in ("after_kong", "kong_discard")) or (
        event.get("by") == "rob_kong"
    )


def neighbours(events, fits):
    """Indices of events that may be told in either order with the next."""
    return [
        at
        for at in range(len(events) - 1)
        if fits(events[at], events[at + 1])
        and not (at + 2 < len(events) and speaks_of_the_event_before(events[at + 2]))
    ]


def swap(at):
    def change(events):
        events[at], events[at + 1] = events[at + 1], events[at]

    return change


@PLAY
@given(SEEDS)
def test_nothing_is_lost_and_every_total_is_the_sum_of_its_lines(seed):
    _, answer = round_of(seed)
    totals = [exact(0)] * len(answer["totals"])
    penalties = exact(0)
    for line in answer["transfers"]:
        amount = exact(line["amount"])
        assert amount > 0
        totals[line["from"]] -= amount
        if line["to"] is None:
            penalties += amount
        else:
            totals[line["to"]] += amount
    assert totals == [exact(total) for total in answer["totals"]]
    assert penalties == exact(answer["penalties"])
    assert sum(totals) + penalties == 0


@PLAY
@given(SEEDS)
def test_the_order_of_two_plain_kongs_does_not_matter(seed):
    request, answer = round_of(seed)

    def two_kongs(first, second):
        kinds = first["type"] == second["type"] == "kong"
        return kinds and not first.get("robbed") and not second.get("robbed")

    for at in neighbours(request["events"], two_kongs):
        other = told_in_another_order(request, swap(at))
        assert by_pair(other) == by_pair(answer)
        assert other["totals"] == answer["totals"]


@PLAY
@given(SEEDS)
def test_the_order_of_two_discards_of_four_players_does_not_matter(seed):
    """Somebody wins from one player and somebody else from another: only the dealer may change."""
    request, answer = round_of(seed, by_hand=0)

    def two_discards(first, second):
        if not first.get("by") == second.get("by") == "discard":
            return False
        if speaks_of_the_event_before(first) or speaks_of_the_event_before(second):
            return False
        if rules_of(request)["round_ends"] == "first_win":
            return False
        winners = [w["seat"] for event in (first, second) for w in event["winners"]]
        return not {first["from"], second["from"]} & set(winners)

    for at in neighbours(request["events"], two_discards):
        other = told_in_another_order(request, swap(at))
        assert by_pair(other) == by_pair(answer)
        assert other["totals"] == answer["totals"]


@PLAY
@given(SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_winners_and_of_hands_does_not_matter(seed, rnd):
    request, answer = round_of(seed)

    def shuffle(events):
        for event in events:
            rnd.shuffle(event.get("winners", []))
            if "hands" in event:
                hands = list(event["hands"].items())
                rnd.shuffle(hands)
                event["hands"] = dict(hands)

    other = told_in_another_order(request, shuffle)
    assert flows_of(other["transfers"]) == flows_of(answer["transfers"])
    assert other["next_dealer"] == answer["next_dealer"]


@PLAY
@given(SEEDS)
def test_who_has_won_is_out_of_it_but_for_the_empty_wall(seed):
    """血战: afterwards a winner receives from pigs, 退税 and, where played, the check; he pays
    nothing, unless he leaves."""
    request, answer = round_of(seed)
    rules = rules_of(request)
    if rules["blood_flow"]:
        return
    won = {}
    for at, event in enumerate(request["events"]):
        for winner in event.get("winners", []):
            won[winner["seat"]] = at
    receives = {"flower_pig", "refund", "forfeit"}
    if rules["call_check_winners"]:
        receives.add("not_ready")
    for line in answer["transfers"]:
        if line["reason"] == "agreed":
            continue  # what the table agrees is its own affair
        if line["event"] > won.get(line["from"], 99):
            assert line["reason"] == "forfeit"
        if line["event"] > won.get(line["to"], 99):
            assert line["reason"] in receives


@PLAY
@given(SEEDS)
def test_the_latest_kong_moves_once_unless_each_winner_gets_it(seed):
    request, answer = round_of(seed)
    rules = rules_of(request)
    how = rules["kong_transfer"]
    if how == "all":
        return
    moved = {"kong_transfer", "kong_undo"}
    for at, event in enumerate(request["events"]):
        lines = [line for line in answer["transfers"] if line["event"] == at]
        out = sum(exact(line["amount"]) for line in lines if line["reason"] in moved)
        if not event.get("kong_discard"):
            assert not out
            continue
        before = at - 1 - (event["by"] == "rob_kong")
        false = {e["seat"] for e in request["events"][:at] if e["type"] == "false_win"}
        kong = [line for line in answer["transfers"] if line["event"] == before]
        income = sum(
            exact(line["amount"]) for line in kong if how != "undo" or line["from"] not in false
        )
        times = {"each": len(event["winners"]), "split": 1, "undo": 1, "none": 0}[how]
        if len(event["winners"]) > 1 and how != "undo" and not rules["kong_transfer_several"]:
            times = 0
        assert out == times * income
        assert all(line["from"] == event["from"] for line in lines if line["reason"] in moved)


@PLAY
@given(SEEDS)
def test_a_prefix_and_then_the_rest_is_the_whole(seed):
    request, answer = round_of(seed)
    for end, event in enumerate(request["events"]):
        if event.get("by") == "rob_kong":
            continue  # A robbed kong cannot stand without its win.
        start = settle({**request, "events": request["events"][:end]})
        assert start["status"] == "settled"
        assert start["open"] or event["type"] == "payment"
        assert start["transfers"] == [line for line in answer["transfers"] if line["event"] < end]


@PLAY
@given(SEEDS)
def test_the_payments_settle_the_table_and_are_the_fewest(seed):
    _, answer = round_of(seed)
    left = [*map(exact, answer["totals"]), exact(answer["penalties"])]
    for payment in answer["fewest_transfers"]:
        amount = exact(payment["amount"])
        assert amount > 0
        left[payment["from"]] += amount
        left[-1 if payment["to"] is None else payment["to"]] -= amount
    assert not any(left)
    totals = [exact(total) for total in answer["totals"]]
    least = fewest_payments(totals, exact(answer["penalties"]))
    assert len(answer["fewest_transfers"]) == least


@PLAY
@given(SEEDS)
def test_who_owes_whom_is_what_the_lines_leave(seed):
    _, answer = round_of(seed)
    net = {}
    for line in answer["transfers"]:
        a, b = line["from"], line["to"]
        if b is not None:
            net[a, b] = net.get((a, b), 0) + exact(line["amount"])
            net[b, a] = net.get((b, a), 0) - exact(line["amount"])
    owed = {pair: amount for pair, amount in net.items() if amount > 0}
    said = {(p["from"], p["to"]): exact(p["amount"]) for p in answer["pairwise"]}
    assert {pair: amount for pair, amount in said.items() if pair[1] is not None} == owed


@PLAY
@given(SEEDS)
def test_the_tables_and_the_running_balance_add_up_to_the_totals(seed):
    request, answer = round_of(seed)
    columns = zip(*answer["tables"].values(), strict=True)
    sums = [sum(map(exact, column)) for column in columns]
    assert sums == [exact(total) for total in (*answer["totals"], answer["penalties"])]
    assert len(answer["running"]) == len(request["events"])
    for at, balance in enumerate(answer["running"]):
        lines = [line for line in answer["transfers"] if line["event"] <= at]
        for seat in range(len(balance)):
            won = sum(exact(line["amount"]) for line in lines if line["to"] == seat)
            lost = sum(exact(line["amount"]) for line in lines if line["from"] == seat)
            assert exact(balance[seat]) == won - lost


def with_junk(rnd, value):
    """The same JSON with one part of it deleted or replaced by something out of place."""
    if isinstance(value, (dict, list)) and value and rnd.random() < 0.85:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = rnd.choice(keys)
        if rnd.random() < 0.15:
            del value[key]
        else:
            value[key] = with_junk(rnd, value[key])
        return value
    return copy.deepcopy(rnd.choice(JUNK))


@settings(PLAY, max_examples=1500)
@given(SEEDS)
def test_junk_is_answered_and_never_raises(seed):
    rnd = random.Random(seed)
    answer = settle(with_junk(rnd, rounds.request(rnd, by_hand=0.4)))
    assert answer["status"] in {"settled", "error"}
    if answer["status"] == "error":
        assert answer["errors"]
        assert all(error["code"] for error in answer["errors"])
