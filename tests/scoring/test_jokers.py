"""What jokers may stand for: never a fifth tile, never a third suit, always the best."""

import pytest

from scoring import contract
from tests.independent import scorer
from tests.independent.agreement import differences

UNCAPPED = {"cap": None}


@pytest.mark.parametrize(
    ("hand", "options", "expected"),
    [
        # The joker would have to be the fifth 4万, whichever way the four are cut.
        ("4444m111222333p1s", {}, "not_won"),
        ("444m1111222333p1s", {}, "win"),
        ("4m111222333p1s", {}, "incomplete"),
        # Two and three jokers beside three and four alike.
        ("444m111222333p11s", {}, "win"),
        ("4444m11122233p11s", {}, "win"),
        ("4444m1112223p111s", {}, "win"),
        ("44448888m11p111s9p", {}, "win"),
        # A third suit, and the missing one.
        ("123456m789p11p2s1s2s", {}, "not_won"),
        ("123456m789p11p55m1s", {}, "win"),
        # Melds: what they hold cannot be held again.
        ("44m11p1s[444m][222p][333p]", {}, "error"),
        ("4m1s[444m][222p][333p][555p]", {}, "not_won"),
        ("5m1s[444m][222p][333p][555p]", {}, "win"),
        ("4m1s[4444m][222p][333p][555p]", {}, "error"),
        ("23m55p1s[1111m][222p](4444m)", {}, "not_won"),
        ("23m55p1s[1111m][222p][666p]", {}, "win"),
        ("5m1s[55m1s][222p][333p][555p]", {}, "not_won"),
        ("6m1s[55m1s][222p][333p][555p]", {}, "win"),
        # Four: won at once, and without a cap the hand itself may be worth more.
        ("1111s", {}, "win"),
        ("1111s2345678m123m", {}, "win"),
        ("1111s22334455m66p", UNCAPPED, "win"),
        ("66m88m1111s33s9999s", {**UNCAPPED, "fans": {"zhong_zhang": 6}}, "win"),
        ("9999s8888s1111s22s", UNCAPPED, "win"),
    ],
)
def test_jokers_stand_for_what_they_may(
    hand: str, options: dict[str, object], expected: str
) -> None:
    bare = hand.partition("[")[0].partition("(")[0]
    request: dict[str, object] = {"ruleset": "yaoji", "hand": hand, "options": options}
    got = contract.score(request)
    assert got["status"] == expected
    if bare == hand:
        # The other scorer reads plain hands only.
        assert differences(scorer.score(request), got) == []


def test_the_answer_says_what_a_joker_stands_for() -> None:
    request = {"ruleset": "yaoji", "hand": "1133557799m113p1s"}
    got = contract.score(request)
    assert got["jokers"] == ["3p"]
    assert got["patterns"] == ["qi_dui"]


@pytest.mark.parametrize("jokers", [1, 2, 3])
def test_more_jokers_are_never_worth_less_than_the_tiles_they_replace(jokers: int) -> None:
    tiles = ["2m", "2m", "3m", "3m", "4m", "4m", "5m", "5m", "5m", "5m", "7p", "7p", "8p", "8p"]
    options = {"fans": {"wu_ji": None}, "cap": None}
    whole = contract.score({"ruleset": "yaoji", "hand": "".join(tiles), "options": options})
    changed = contract.score(
        {"ruleset": "yaoji", "hand": "".join(["1s"] * jokers + tiles[jokers:]), "options": options}
    )
    assert changed["uncapped_fan"] >= whole["uncapped_fan"]
