"""A table's own rules may be far from any preset: every page answers, and no digit is lost."""

import json
import random
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from calculator.learn.lessons import LESSONS
from calculator.site import wire
from calculator.words.answers import points
from scoring import contract, rules
from scoring.addresses.hand import write_options, write_query
from scoring.addresses.round import RoundPage
from scoring.drills import KINDS, LEVELS, question
from tests import house_rules
from tests.independent import hands
from tests.independent import rounds as random_rounds

#: Doubled 99 times without a cap: sums that no float holds.
UNCAPPED = {
    "ruleset": "chengdu",
    "options": {"base": Decimal("0.1"), "difference": True},
    "events": [
        {"type": "kong", "seat": 0, "kind": "concealed_kong"},
        {"type": "win", "by": "self_draw", "winners": [{"seat": 1, "fan": 99}]},
    ],
}


def far_rules(seed: str) -> rules.Rules:
    """A system with far house rules."""
    chance = random.Random(seed)
    ruleset = chance.choice(rules.ids())
    return rules.load(ruleset).override(house_rules.options(chance, ruleset, sizes=True))


def asked(made: rules.Rules, **parameters: str) -> str:
    """The query of a page under these rules."""
    return write_query({"rules": made.id, "opt": write_options(made), **parameters})


def cents(amount: Any) -> int:
    """An amount as it is written, in hundredths."""
    hundred = 100 * Fraction(str(amount))
    assert hundred.denominator == 1
    return int(hundred)


def test_amounts_that_no_float_holds_are_answered_to_the_last_digit() -> None:
    answer = contract.settle(UNCAPPED)
    kong = 2 * 10
    win = 2**99 * 10
    assert [cents(total) for total in answer["totals"]] == [
        3 * kong - win, 3 * win - kong, -win - kong, -win - kong,
    ]  # fmt: skip
    assert sum(cents(row["amount"]) for row in answer["transfers"]) == 3 * kong + 3 * win


def test_they_are_written_and_read_without_loss() -> None:
    answer = contract.settle(UNCAPPED)
    read = wire.loads(wire.dumps(answer))
    assert [cents(total) for total in read["totals"]] == [cents(t) for t in answer["totals"]]
    assert '"totals": [-63382530011411470074835160268.2, ' in wire.dumps(answer)


def test_the_amounts_of_one_answer_can_be_added_up() -> None:
    assert {type(total) for total in contract.settle(UNCAPPED)["totals"]} <= {int, Decimal}
    usual = contract.settle({**UNCAPPED, "options": {"base": 0.1}, "events": [
        {"type": "win", "by": "self_draw", "winners": [{"seat": 1, "fan": 3}]},
    ]})  # fmt: skip
    assert usual["totals"] == [-0.8, 2.4, -0.8, -0.8]
    json.dumps(usual)


@pytest.mark.parametrize("fan", [40, 46, 50, 99])
def test_what_a_hand_pays_is_exact(fan: int) -> None:
    answer = contract.score({
        "ruleset": "chengdu",
        "options": {"cap": None, "base": 12345.67, "fans": {"qing_yi_se": fan}},
        "hand": "11122234567899m", "by": "self_draw",
    })  # fmt: skip
    assert answer["status"] == "win"
    assert cents(answer["points"]) == answer["multiple"] * 1234567
    assert cents(answer["payments"][0]["amount"]) == answer["multiple"] * 1234567


def test_a_large_amount_is_shown_to_its_last_digit(client: Client) -> None:
    assert points(98765.36) == "98765.36"
    assert points(Decimal("190147590034234410224505480805.2")) == "190147590034234410224505480805.2"
    given = {"rules": "chengdu", "opt": "base:12345.67", "hand": "22244455577799m"}
    for page in ("/", "/compare/", "/house/"):
        assert "98765.36" in client.get(page, given, follow=True).content.decode(), page


def test_the_page_of_a_round_shows_every_digit(client: Client) -> None:
    page = RoundPage(rules="chengdu", opt="base:0.1", dealer=0, events=tuple(UNCAPPED["events"]))
    shown = client.get(f"/settle/?{page.query}").content.decode()
    totals = re.findall(r'data-total="([^"]+)"', shown)
    assert sum(cents(total) for total in totals) == 0
    assert totals[0] == "-63382530011411470074835160268.2"


@pytest.mark.parametrize("seed", range(30))
def test_every_page_of_a_hand_answers(client: Client, seed: int) -> None:
    made = far_rules(f"hand {seed}")
    request = hands.request(random.Random(f"hand {seed}"), made.id, house_rules=False)
    for page in ("/", "/compare/", "/house/", "/fragment/missing", "/preview.svg", "/learn/"):
        address = f"{page}?{asked(made, hand=request['hand'], by=request.get('by', 'discard'))}"
        assert client.get(address, follow=True).status_code == 200, address


def written(events: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Events as an address holds them: horses as one text."""
    for event in events:
        for winner in event.get("winners", ()):
            if "horses" in winner:
                winner["horses"] = "".join(winner["horses"])
    return tuple(events)


@pytest.mark.parametrize("seed", range(30))
def test_every_page_of_a_round_answers(client: Client, seed: int) -> None:
    made = far_rules(f"round {seed}")
    played = random_rounds.request(random.Random(f"round {seed}"))
    page = RoundPage(
        rules=made.id, opt=write_options(made), dealer=0, events=written(played["events"])
    )
    for path in ("/settle/", "/en/settle/", "/fragment/round", "/settle/round.json"):
        response = client.get(f"{path}?{page.query}", follow=True)
        assert response.status_code == 200, page.query


@pytest.mark.parametrize("seed", range(12))
def test_every_lesson_answers(client: Client, seed: int) -> None:
    made = far_rules(f"lesson {seed}")
    for lesson in LESSONS:
        address = f"/learn/{lesson.id}/?{asked(made)}"
        assert client.get(address, follow=True).status_code == 200, address


@pytest.mark.parametrize("kind", KINDS)
def test_every_drill_answers_and_tells_right_from_wrong(client: Client, kind: str) -> None:
    for number in range(12):
        chance = random.Random(f"{kind} {number}")
        made = far_rules(f"drill {kind} {number}")
        level = chance.choice(LEVELS)
        one = question(made, kind, level, "far", number)
        keys = [choice.key for choice in one.choices]
        assert len(set(keys)) == len(keys) > 1
        assert set(one.answer) <= set(keys)
        for choice in one.choices:
            address = "/learn/drill/?" + asked(
                made, kind=kind, level=str(level), seed="far", n=str(number), a=choice.key
            )
            assert client.get(address, follow=True).status_code == 200, address
