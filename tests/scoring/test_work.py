"""A request is bounded in the work that it asks for: counted in hands, never by the clock."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from calculator.site.middleware import LimitWork
from scoring import contract, drills
from scoring.contract.hand import MOST_LISTED
from scoring.rules import load
from scoring.work import MOST_HANDS, TooMuchWork, Work, bounded, spend

WAITING = "1113456666788s"
WON = "22244455577799m"
NOT = {"state": "not_ready"}


@pytest.fixture
def work() -> Iterator[Work]:
    """The work of one request."""
    with bounded() as counted:
        yield counted


def test_a_hand_that_is_asked_for_again_is_not_analysed_again(work: Work) -> None:
    first = contract.score({"ruleset": "chengdu", "hand": WAITING})
    once = work.hands
    assert contract.score({"ruleset": "chengdu", "hand": WAITING}) == first
    assert 0 < once == work.hands


def test_the_same_hand_under_other_rules_is_another_one(work: Work) -> None:
    contract.score({"ruleset": "chengdu", "hand": WAITING})
    once = work.hands
    contract.score({"ruleset": "laok", "hand": WAITING})
    assert work.hands > once


def test_where_every_hand_is_worth_nothing_no_money_is_asked_for() -> None:
    rules = load("xueliu").override({"cap": 0})
    assert drills.question(rules, "settle", 3, "a", 0).kind == "win"


def test_a_call_on_its_own_says_that_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.contract.hand.bounded", lambda: bounded(most=2))
    assert contract.score({"ruleset": "chengdu", "hand": WAITING}) == {
        "status": "error",
        "errors": [{"code": "too_much_work", "most": 2}],
    }


def test_within_a_request_it_is_the_request_that_is_too_much() -> None:
    with bounded(most=2), pytest.raises(TooMuchWork):
        contract.score({"ruleset": "chengdu", "hand": WAITING})


READY = {str(seat): {"hand": WAITING} for seat in range(4)}
DRAW = {"type": "draw", "hands": {"0": {"hand": WAITING}, **{str(s): NOT for s in (1, 2, 3)}}}
IMPOSSIBLE = {
    "five alike over several seats": [{"type": "draw", "hands": READY}],
    "four jokers that have not won": [
        {"type": "draw", "hands": {**DRAW["hands"], "1": {"hand": "1111s234567m555p"}}}
    ],
    "a player who pays himself": [
        {"type": "win", "by": "discard", "from": 0, "winners": [{"seat": 0, "hand": WON}]}
    ],
    "a kong that nobody made": [
        {
            "type": "win",
            "by": "self_draw",
            "after_kong": "concealed_kong",
            "winners": [{"seat": 0, "hand": WON}],
        }
    ],
    "a hand with a tile too few": [
        {"type": "win", "by": "self_draw", "winners": [{"seat": 0, "hand": WON[1:]}]}
    ],
}


@pytest.mark.parametrize("events", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_have_happened_is_refused_before_any_hand_is_valued(
    events: list[dict[str, Any]], work: Work
) -> None:
    answer = contract.settle({"ruleset": "yaoji", "events": events})
    assert answer["status"] == "error"
    assert work.hands == 0


def test_after_the_end_of_a_round_no_hand_is_valued(work: Work) -> None:
    contract.settle({"ruleset": "chengdu", "events": [DRAW]})
    once = work.hands
    answer = contract.settle({"ruleset": "chengdu", "events": [DRAW] * 200})
    assert answer["errors"][0]["why"] == "after_end"
    assert work.hands == once


def test_after_the_first_error_no_hand_is_valued(work: Work) -> None:
    win = {"type": "win", "by": "self_draw", "winners": [{"seat": 1, "hand": WON}]}
    contract.settle({"ruleset": "xueliu", "events": [{"type": "kong", "seat": 9}, win, DRAW]})
    assert work.hands == 0


def test_as_many_wins_with_jokers_as_no_round_has_are_too_much(client: Client) -> None:
    """A fresh hand each time, so that none has been analysed before."""
    chows = [f"{low}{low + 1}{low + 2}{suit}" for suit in "mp" for low in range(1, 8)]
    hands = [
        f"{a}{b}{c}1s1s1s55p" for a, b, c in combinations(chows, 3) if (a + b + c).count("5p") < 3
    ]
    events = [
        {"type": "win", "by": "self_draw", "winners": [{"seat": 0, "hand": hand}]} for hand in hands
    ]
    body = {"ruleset": "yaoji", "options": {"blood_flow": True}, "events": events[:200]}
    answer = client.post("/api/v1/settle", body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "too_much_work"
    body["events"] = events[:60]
    answer = client.post("/api/v1/settle", body, content_type="application/json")
    assert answer.status_code == 200


def refused(path: str) -> HttpResponse:
    """What the site answers where a view asks for too much."""

    def view(_request: HttpRequest) -> HttpResponse:
        spend(MOST_HANDS + 1)
        return HttpResponse()

    request = RequestFactory().get(path)
    try:
        return LimitWork(view)(request)
    except TooMuchWork as error:
        answer = LimitWork(view).process_exception(request, error)
        assert answer is not None
        return answer


def test_a_page_past_the_limit_is_a_plain_page() -> None:
    answer = refused("/settle/")
    assert answer.status_code == 422
    assert "要算的牌太多" in answer.content.decode()


def test_the_interface_past_the_limit_has_a_code() -> None:
    answer = refused("/api/v1/settle")
    assert answer.status_code == 422
    (error,) = json.loads(answer.content)["errors"]
    assert (error["code"], error["most"]) == ("too_much_work", MOST_HANDS)
    assert str(MOST_HANDS) in error["message"]


def test_five_thousand_unknown_fields_are_told_with_a_number() -> None:
    request = {f"field{n}": 0 for n in range(5000)}
    rows = contract.compare({**request, "ruleset": "chengdu", "hand": "22244455577799m"})
    assert isinstance(rows, list)
    assert len(rows[0]["notes"]) == MOST_LISTED + 1
    assert rows[0]["notes"][-1] == {"code": "more", "count": 5000 - MOST_LISTED}


def test_many_errors_are_told_with_a_number(client: Client) -> None:
    events = [{"type": "kong", "seat": 9} for _ in range(200)]
    answer = client.post(
        "/api/v1/settle",
        {"ruleset": "laok", "events": events},
        content_type="application/json",
    ).json()
    assert len(answer["errors"]) == MOST_LISTED + 1
    assert answer["errors"][-1]["code"] == "more"
    assert "?" not in answer["errors"][-1]["message"]


def test_the_sheet_of_house_rules_values_one_wait_for_each_change(
    client: Client, work: Work
) -> None:
    client.get("/house/", {"rules": "yaoji", "hand": "1113455667999s"})
    waits = 26
    assert waits < work.hands < 10 * waits


@pytest.mark.parametrize("kind", [kind for kind in drills.KINDS if kind != "win"])
def test_a_question_is_given_up_before_it_costs_too_much(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be asked of a kind, a few hundred drafts are put to the engine at most."""
    asked = Counter[str]()

    def nothing(kind: str) -> None:
        asked[kind] += 1

    def hopeless(*_: object) -> tuple[drills.model.Draft, ...]:
        return (drills.model.Draft(str(asked.total()), lambda: nothing(kind)),)

    monkeypatch.setitem(drills._MAKERS, kind, hopeless)
    assert drills.question(load("yaoji"), kind, 3, "a", 0).kind == "win"
    assert 10 < asked[kind] < 500


LINED = "fans.jia_xin_wu:1,fans.yi_tiao_long:1,fans.ka_er_tiao:1"
SAME = "n," + ",".join(f"{seat}h1113455667999s" for seat in range(4))
OTHERS = "n,0h111s13579m24689p,1h111s2468m1357p99m,2h11s13579m12468p7m,3h1s1379m2468p13579m"
#: The costliest that attackers and the search have come upon, by route.
WORST = {
    "one hand sixteen times": ("/fragment/round", {"opt": LINED, "e": ".".join([SAME] * 4)}),
    "one hand as often as fits": ("/fragment/round", {"opt": LINED, "e": ".".join([SAME] * 90)}),
    "other hands": ("/settle/", {"opt": LINED, "e": ".".join([OTHERS] * 30)}),
    "walls that run out": ("/fragment/round", {"e": ".".join(["n"] * 3900)}),
    "wins by three": ("/settle/", {"rules": "xueliu", "e": ".".join(["wd0,12,22,32"] * 400)}),
    "wins by hand": (
        "/settle/",
        {"rules": "xueliu", "e": ".".join(["ws,0h11122233344455m"] * 300)},
    ),
    "a sheet of house rules": ("/house/", {"opt": LINED, "hand": "1113455667999s"}),
    "a question": (
        "/learn/drill/",
        {"rules": "xueliu", "opt": "cap:0", "kind": "settle", "level": "3", "seed": "a", "n": "0"},
    ),
    "a comparison": ("/compare/", {"opt": LINED, "hand": "13579m13579p111s9p"}),
}


@pytest.mark.parametrize(("path", "given"), WORST.values(), ids=WORST)
def test_no_request_is_known_that_asks_for_more(
    path: str, given: dict[str, str], client: Client, work: Work
) -> None:
    answer = client.get(path, {"rules": "yaoji", **given}, follow=True)
    assert answer.status_code == 200
    assert len(answer.content) <= 256 * 1024
    assert work.hands <= MOST_HANDS / 2


def test_as_many_unknown_fields_as_fit_are_a_short_answer(client: Client) -> None:
    given = {f"f{n}": 0 for n in range(5000)}
    body = {"ruleset": "chengdu", "hand": "22244455577799m", **given}
    answer = client.post("/api/v1/compare", body, content_type="application/json")
    assert answer.status_code == 200
    assert len(answer.content) <= 256 * 1024
