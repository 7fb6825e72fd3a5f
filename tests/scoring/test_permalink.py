"""Addresses of the page of one hand: in, out, canonical, and old ones for ever."""

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.addresses.hand import (
    HandPage,
    canonical,
    hand_request,
    read_hand,
    read_options,
    rules_of,
    switch_rules,
    write_options,
    write_query,
)
from scoring.contract import score
from scoring.hand import BLESSINGS, KONGS, MELD_KINDS, WAYS, Meld, make_hand
from scoring.rules import UnknownRuleset, ids, load
from scoring.tiles import TILES

#: Addresses that are out in the world. They keep their meaning; never edit a line, add new ones.
FROZEN = [
    (
        "rules=chengdu&hand=1112345678999m!5m",
        {"ruleset": "chengdu", "hand": "1112345678999m!5m"},
    ),
    (
        "rules=chengdu&hand=1112345678999m5m&by=self_draw",
        {"ruleset": "chengdu", "hand": "11123456789995m", "by": "self_draw"},
    ),
    (
        "rules=yaoji&hand=2m[55p1s][777-7s](9999m)&by=rob_kong&last=1&void=s&seen=11m9p",
        {
            "ruleset": "yaoji",
            "hand": "2m(9999m)[55p1s][777-7s]",
            "by": "rob_kong",
            "last_tile": True,
            "void": "s",
            "seen": "11m9p",
        },
    ),
    (
        "rules=jipin&hand=11m(5555p)&by=self_draw&after=concealed_kong"
        "&opt=cap:off,self_draw_bonus:base,fans.jin_gou_diao:2,fans.gen:off,pig.points:8",
        {
            "ruleset": "jipin",
            "hand": "11m(5555p)",
            "by": "self_draw",
            "after_kong": "concealed_kong",
            "options": {
                "fans": {"gen": None, "jin_gou_diao": 2},
                "cap": None,
                "self_draw_bonus": "base",
                "pig": {"points": 8},
            },
        },
    ),
    (
        "rules=laok&hand=11223344556677p&by=self_draw&bless=tian_hu",
        {
            "ruleset": "laok",
            "hand": "11223344556677p",
            "by": "self_draw",
            "blessing": "tian_hu",
        },
    ),
    (
        "rules=laok&hand=11m&pao=1&opt=base:0.5,refund:off,kong_points.added:2",
        {
            "ruleset": "laok",
            "hand": "11m",
            "kong_discard": True,
            "options": {"base": 0.5, "refund": False, "kong_points": {"added": 2}},
        },
    ),
]


def parameters(query: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in query.split("&"))


@pytest.mark.parametrize(("query", "request_"), FROZEN, ids=[q for q, _ in FROZEN])
def test_an_old_address_keeps_its_meaning(query: str, request_: dict[str, object]) -> None:
    page, bad = read_hand(parameters(query))
    assert not bad
    made = hand_request(page.parameters)
    if "options" in made:
        made["options"] = {
            name: float(value) if name == "base" else value
            for name, value in made["options"].items()
        }
    assert made == request_


def test_defaults_are_left_out_and_rules_are_not() -> None:
    assert read_hand({"by": "discard", "pao": "0"})[0].query == "rules=chengdu"


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("一万二万三万", "123m"),
        ("9m1m5p", "19m5p"),
        ("[999s][111m]", "[111m][999s]"),
        ("11223344556677m", "11223344556677m"),
        ("m1122334455667 7", "11223344556677m"),
        ("[555 5p]1m", "1m[555-5p]"),
        ("123m!4m", "123m!4m"),
    ],
)
def test_free_text_becomes_canonical(typed: str, written: str) -> None:
    assert read_hand({"hand": typed})[0].parameters.get("hand") == written


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("[-5p111s]", "[-5p111s]"),
        ("[+5p111s]", "[-5p111s]"),
        ("[%2B5p111s]", "[-5p111s]"),
        ("[5+5p11s]", "[5-5p11s]"),
        ("[+5p11s]", "[5p11s]"),  # a pung is never added
        ("(+5p111s)", "(5p111s)"),
        ("[5p+111s]", "[5p111s]"),
    ],
)
def test_an_added_kong_stays_one_whatever_a_query_makes_of_its_sign(
    typed: str, written: str
) -> None:
    asked = dict(parse_qsl(f"rules=yaoji&hand=12345m{typed}"))
    assert read_hand(asked)[0].parameters["hand"] == f"12345m{written}"


def test_what_an_address_cannot_mean_is_named() -> None:
    given = {"rules": "x", "hand": "12x", "by": "x", "void": "z", "seen": "?", "opt": "cap:x"}
    page, bad = read_hand(given)
    assert set(bad) == set(given)
    assert page == HandPage()
    codes = {error["code"] for error in score(hand_request(given))["errors"]}
    assert codes == {"unknown_ruleset", "bad_notation", "bad_field"}


def test_brackets_are_escaped_so_that_no_chat_cuts_the_link() -> None:
    query = write_query({"hand": "1m[222m](3333m)!1m"})
    assert not set("[]()") & set(query)


@pytest.mark.parametrize(
    "text",
    ["cap:x", "foo:1", "cap", "fans:3", "fans.gen.deep:1", "pig.points:-1", "cap:1e999", ":", "."],
)
def test_bad_options_are_errors_and_never_crash(text: str) -> None:
    page, bad = read_hand({"opt": text})
    assert bad == ("opt",)
    assert page.opt == ""
    answer = score(hand_request({"opt": text}))
    assert {e["code"] for e in answer["errors"]} <= {"bad_option", "unknown_option"}


def test_options_that_equal_the_preset_are_left_out() -> None:
    assert read_hand({"rules": "jipin", "opt": "cap:4"})[0].opt == ""


def test_a_kind_of_kong_can_be_told_alone() -> None:
    rules = load("chengdu").override(read_options("fans.gang_shang_hua.concealed_kong:1"))
    assert write_options(rules).startswith("fans.gang_shang_hua.")
    assert load("chengdu").override(read_options(write_options(rules))) == rules


def test_switching_the_preset_drops_what_it_does_not_take() -> None:
    page, _ = read_hand({"rules": "chengdu", "hand": "1m", "opt": "fans.qing_yi_se:0,cap:3"})
    other, dropped = switch_rules(page, "laok")
    assert (other.rules, other.opt, other.hand) == ("laok", "cap:3", page.hand)
    assert dropped == ("fans.qing_yi_se:0",)
    with pytest.raises(UnknownRuleset):
        switch_rules(page, "nowhere")


melds = st.builds(
    Meld, st.sampled_from(MELD_KINDS), st.sampled_from(TILES), st.integers(0, 2)
).filter(lambda m: m.tile != 18 or m.jokers == 0)
options = st.sampled_from(
    ["", "cap:3", "cap:off", "self_draw_bonus:fan", "fans.gen:off", "base:0.25", "fans.men_qing:1"]
)


@given(
    rules=st.sampled_from(ids()),
    tiles=st.lists(st.sampled_from(TILES), max_size=14),
    laid=st.lists(melds, max_size=4),
    win=st.none() | st.sampled_from(TILES),
    by=st.sampled_from(WAYS),
    after=st.sampled_from(("", *KONGS)),
    pao=st.booleans(),
    last=st.booleans(),
    bless=st.sampled_from(("", *BLESSINGS)),
    void=st.sampled_from(("", "m", "p", "s")),
    seen=st.lists(st.sampled_from(TILES), max_size=6),
    opt=options,
)
def test_writing_and_reading_a_state_is_the_identity(  # type: ignore[no-untyped-def]
    rules, tiles, laid, win, opt, seen, **rest
) -> None:
    hand = canonical(make_hand(tiles, tuple(laid), win_tile=win))
    page = HandPage(rules=rules, hand=hand, seen=tuple(sorted(seen)), **rest)
    page = replace(page, opt=write_options(load(rules).override(read_options(opt))))
    again, bad = read_hand(page.parameters)
    assert not bad
    assert again == page
    assert again.query == page.query
    assert rules_of(again).id == rules
