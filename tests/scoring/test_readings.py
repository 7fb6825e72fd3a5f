"""What counts for one hand: claims about single terms, each under a system that has it."""

from typing import Any

import pytest

from scoring import contract
from scoring.hand import DISCARD, Win
from scoring.notation import parse
from scoring.rules import load
from scoring.score import value


def terms(ruleset: str, hand: str, **more: object) -> dict[str, int]:
    """The terms of a win with what they add, by the answer and by the quick way alike."""
    got = contract.score({"ruleset": ruleset, "hand": hand, **more})
    assert got["status"] == "win", got
    found = {term["id"]: term["fan"] for term in got["terms"]}
    read, win = parse(hand), Win(str(more.get("by", DISCARD)))
    quick = value(read.concealed, read.melds, rules=load(ruleset), win=win)
    assert quick is not None
    assert {line.id: line.fan for line in quick.terms} == found
    assert list(quick.patterns) == got["patterns"]
    return found


@pytest.mark.parametrize(
    ("hand", "closed"),
    [
        ("123456789m11122p", True),
        ("123456m11122p(9999m)", True),
        ("123m11122p(9999m)(5555p)", True),
        ("22p(9999m)(5555p)(1111p)(3333m)", True),
        ("123456m11122p[9999m]", False),
        ("123456m11122p[999-9m]", False),
        ("123456m11122p[999m]", False),
        ("123m11122p(9999m)[555p]", False),
        ("22p(9999m)(5555p)(1111p)[333-3m]", False),
    ],
)
def test_only_concealed_kongs_leave_a_hand_closed(hand: str, closed: bool) -> None:
    assert ("men_qing_zi_mo" in terms("xueliu", hand, by="self_draw")) == closed
    assert "men_qing_zi_mo" not in terms("xueliu", hand, by="discard")


@pytest.mark.parametrize(
    ("hand", "pattern"),
    [
        ("222555888m22255p", "jiang_dui"),
        ("222555888m22233p", "dui_dui_hu"),
        ("888m22p[222m](5555m)[555-5p]", "jiang_dui"),
        ("888m22p[222m](5555m)[333p]", "dui_dui_hu"),
        ("222555888m333m99m", "qing_dui"),
        ("111789m99m123p[999p]", "dai_yao_jiu"),
        ("111789m99m123p[888p]", "ping_hu"),
        ("111789m99m123m[999p]", "dai_yao_jiu"),
        ("111789m99m123m(5555m)", "qing_yi_se"),
        ("11m123m789m999m[111p]", "dai_yao_jiu"),
        ("113355m1133p7799p", "qi_dui"),
        ("11112233m778899p", "long_qi_dui"),
        ("11112233778899m", "qing_long_qi_dui"),
        ("11223344557799m", "qing_qi_dui"),
        ("111789m99m789m123m", "qing_yao_jiu"),
    ],
)
def test_the_pattern_of_a_hand(hand: str, pattern: str) -> None:
    assert next(iter(terms("chengdu", hand))) == pattern


@pytest.mark.parametrize(
    ("hand", "roots"),
    [
        ("111123m456m78999p", 1),
        ("23m456m78999p[111m]1m", 1),
        ("23m456m78999p1m(1111p)", 0),
        ("11112222m333344p", 2),
        ("1111222233m4444p", 2),
        ("1112223334444m5m", 1),
        ("22m[111m][333m][444p]5p5p5p", 0),
    ],
)
def test_four_alike_that_are_no_kong_are_roots(hand: str, roots: int) -> None:
    assert terms("chengdu", hand).get("gen", 0) == roots


@pytest.mark.parametrize("kinds", [("[1111m]", "exposed"), ("[111-1m]", "added")])
def test_kongs_pay_by_their_kind(kinds: tuple[str, str]) -> None:
    text, kind = kinds
    found = terms("chengdu", f"234567m55p(9999p){text}")
    assert found["concealed_kong"] == 2
    assert found[f"{kind}_kong"] == 1
    assert "gen" not in found


# 杠进杠出: who has a list of kongs pays for it; who has none has none.

IN_OUT = {"ruleset": "xueliu", "hand": "11122233344455m"}


def amounts(request: dict[str, Any]) -> list[tuple[str, int, Any]]:
    return [(p["who"], p["players"], p["amount"]) for p in contract.score(request)["payments"]]


def test_a_payer_without_a_list_of_kongs_pays_too() -> None:
    drawn = {**IN_OUT, "by": "self_draw"}
    plain = amounts(drawn)[0][2]
    some = amounts({**drawn, "payer_kongs": [["concealed_kong"]]})
    assert some == [
        ("each_other", 1, plain + 2), ("each_other", 1, plain), ("each_other", 1, plain),
    ]  # fmt: skip


def test_who_pays_for_all_pays_his_own_kongs_once() -> None:
    bloom = {
        "ruleset": "xueliu", "options": {"bloom": "giver_pays_all"},
        "hand": "11122233344m[5555m]", "by": "self_draw", "after_kong": "exposed_kong",
    }  # fmt: skip
    alone = amounts(bloom)[0][2]
    assert amounts({**bloom, "payer_kongs": [[]]}) == [("giver", 1, alone)]
    his = {**bloom, "payer_kongs": [["concealed_kong"]]}
    assert amounts(his) == [("giver", 1, alone + 2)]
    assert contract.score(his)["payments"][0]["shares"] == 3
    once = {**bloom, "options": {"bloom": "discard"}, "payer_kongs": [[], []]}
    assert contract.score(once)["errors"][0]["field"] == "payer_kongs"
