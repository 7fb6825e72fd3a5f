"""Addresses of a round: frozen, short, and one for each state."""

import pytest

from scoring.addresses.hand import switch_rules
from scoring.addresses.round import (
    MAX_ADDRESS,
    RoundPage,
    UnreadableEvent,
    complete,
    holes,
    read_event,
    read_names,
    read_round,
    write_event,
)
from scoring.contract import settle
from tests.round_files import numbers, round_cases

#: Addresses that people have: they go on meaning what they meant. Never edit, only add.
FROZEN = [
    (
        "k2e0",
        {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 0},
    ),
    ("k1c5m", {"type": "kong", "seat": 1, "kind": "concealed_kong", "tile": "5m"}),
    ("k3al", {"type": "kong", "seat": 3, "kind": "added_kong", "late": True}),
    ("k3a7sr", {"type": "kong", "seat": 3, "kind": "added_kong", "tile": "7s", "robbed": True}),
    (
        "wd0,23",
        {"type": "win", "by": "discard", "from": 0, "winners": [{"seat": 2, "fan": 3}]},
    ),
    (
        "wd0kl,23,310",
        {
            "type": "win",
            "by": "discard",
            "from": 0,
            "kong_discard": True,
            "last_tile": True,
            "winners": [{"seat": 2, "fan": 3}, {"seat": 3, "fan": 10}],
        },
    ),
    ("ws,14", {"type": "win", "by": "self_draw", "winners": [{"seat": 1, "fan": 4}]}),
    (
        "wske,1h123m(5555p)!4m_vs",
        {
            "type": "win",
            "by": "self_draw",
            "after_kong": "exposed_kong",
            "winners": [{"seat": 1, "hand": "123m(5555p)!4m", "void": "s"}],
        },
    ),
    (
        "ws,0h11122233344455m_bt_x3m7p",
        {
            "type": "win",
            "by": "self_draw",
            "winners": [
                {
                    "seat": 0,
                    "hand": "11122233344455m",
                    "blessing": "tian_hu",
                    "horses": "3m7p",
                }
            ],
        },
    ),
    (
        "wr1,02",
        {"type": "win", "by": "rob_kong", "from": 1, "winners": [{"seat": 0, "fan": 2}]},
    ),
    (
        "wr1k,02",
        {
            "type": "win",
            "by": "rob_kong",
            "from": 1,
            "kong_discard": True,
            "winners": [{"seat": 0, "fan": 2}],
        },
    ),
    ("f2", {"type": "false_win", "seat": 2}),
    ("p02,12", {"type": "payment", "from": 0, "to": 2, "amount": 12}),
    (
        "p31,0_25,tea~d ~c~~",
        {"type": "payment", "from": 3, "to": 1, "amount": 0.25, "note": "tea. ,~"},
    ),
    (
        "n,0p_p,1h123m_vp_s44p_w_p",
        {
            "type": "draw",
            "hands": {
                "0": {"state": "flower_pig", "passive": True},
                "1": {"hand": "123m", "void": "p", "seen": "44p", "waived": True, "passive": True},
            },
        },
    ),
    ("x3", {"type": "escape", "seat": 3}),
    (
        "x3l,04,132",
        {"type": "escape", "seat": 3, "last_four": True, "best": {"0": 4, "1": 32}},
    ),
    (
        "n,0p,1n,2r3_w,3h123m_vp",
        {
            "type": "draw",
            "hands": {
                "0": {"state": "flower_pig"},
                "1": {"state": "not_ready"},
                "2": {"state": "ready", "fan": 3, "waived": True},
                "3": {"hand": "123m", "void": "p"},
            },
        },
    ),
    ("n", {"type": "draw", "hands": {}}),
]


@pytest.mark.parametrize(("text", "event"), FROZEN, ids=[text for text, _ in FROZEN])
def test_an_event_of_an_address_keeps_its_meaning(text, event):
    assert read_event(text) == event
    assert write_event(event) == text
    assert complete(event)


@pytest.mark.parametrize(
    "text",
    ["", "k", "k4c", "k0e4", "k0cl", "k0er", "k0c0m", "w", "wd,03", "wdk0", "wsk,03", "wr0ke,13",
     "wd0,4", "wd0,", "wd0,1x", "wd0,1999", "ws,0h1m_q", "x9", "x0,9", "f4", "p02", "p02,x",
     "p02,1_234", "p02,1,a~b", "p02,1,a,b", "n,4p", "n,0q", "n0p",
     "n,0r100", "q", "k0c k1c", "ws,0h1m_vz", "ws,0h1m_bx", "ws,0h一万,二万"],
)  # fmt: skip
def test_what_is_no_event_is_refused(text):
    with pytest.raises(UnreadableEvent):
        read_event(text)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("k-e-", ("seat", "from")),
        ("wd-", ("winners", "from")),
        ("wd0,2", ("fan",)),
        ("wd0,2h", ("hand",)),
        ("ws,-h123m", ("winners",)),
        ("n,0r", ("fan",)),
        ("n,0h", ("hand",)),
        ("x-", ("seat",)),
    ],
)
def test_an_entry_says_what_it_still_needs(text, missing):
    event = read_event(text)
    assert holes(event) == missing
    assert write_event(event) == text


def plain(request):
    """A request without what stands for nothing."""
    return [
        {k: v for k, v in event.items() if v is not None and v is not False}
        for event in request["events"]
    ]


BY_FAN = [
    (label, request, expected)
    for label, request, expected in round_cases()
    if "'hand'" not in str(request)
]


@pytest.mark.parametrize(("label", "request_", "expected"), BY_FAN, ids=[r[0] for r in BY_FAN])
def test_a_round_survives_its_address(label, request_, expected):
    page = RoundPage(
        rules=request_["ruleset"], dealer=request_["dealer"], events=tuple(plain(request_))
    )
    again, bad = read_round(dict(page.parameters))
    assert not bad
    assert again == page
    answer = settle({**again.request, "options": request_.get("options", {})})
    assert numbers(answer) == numbers(expected)


def test_twelve_events_with_names_and_house_rules_take_at_most_600_characters():
    events = "k2e0.k1c5m.wd0k,23,31.k3a7sr.wr3,04.k0al.k1e3.k2c.k0e2.k1e2.k2a.ws,13"
    assert events.count(".") == 11
    page, bad = read_round(
        {
            "rules": "xueliu",
            "opt": "base:0.5,cap:5,kong_points.exposed:2,bloom:giver_pays_all,pig.points:8",
            "d": "3",
            "n": "王小明,李四,赵六,张三",
            "e": events,
        }
    )
    assert not bad
    assert len(page.query) <= 600
    assert len(RoundPage(events=page.events).query) <= 120


def test_a_round_of_hands_stays_short_enough_to_send():
    hand = "1h123456m[555p](6666p)99s!9s"
    page, bad = read_round({"e": ".".join(f"ws,{hand}" for _ in range(12))})
    assert not bad
    assert len(page.query) < MAX_ADDRESS


def test_one_state_has_one_address():
    same = [
        {"rules": "laok", "e": "ws,03"},
        {"rules": "laok", "e": ".ws,03.", "d": "0", "n": ",,,"},
        {"rules": "laok", "opt": "base:6", "e": "ws,03", "at": ""},
    ]
    assert {read_round(parameters)[0].query for parameters in same} == {"rules=laok&e=ws,03"}


@pytest.mark.parametrize(
    ("parameters", "bad"),
    [
        ({"rules": "nope"}, ("rules",)),
        ({"opt": "cap:-1"}, ("opt",)),
        ({"d": "4"}, ("d",)),
        ({"e": "ws,03.what"}, ("e",)),
        ({"e": "ws,0"}, ("e",)),
        ({"a": "what"}, ("a",)),
        ({"a": "ws", "at": "3"}, ("at",)),
    ],
)
def test_what_an_address_cannot_mean_is_named_and_the_rest_stands(parameters, bad):
    page, found = read_round(parameters)
    assert found == bad
    assert len(page.events) == (1 if "what" in parameters.get("e", "") else 0)


def test_names_lose_commas_and_what_does_not_fit():
    assert read_names(["a,b", " 小\u200b王 ", "", "x" * 40]) == ("ab", "小王", "", "x" * 12)
    assert read_names(["", " ", "", ""]) == ()


def test_switching_rules_keeps_what_the_new_ones_know():
    page, _ = read_round({"rules": "laok", "opt": "base:5,bloom:self_draw", "e": "ws,03"})
    switched, dropped = switch_rules(page, "chengdu")
    assert switched.opt == "base:5"
    assert dropped == ()
    assert switched.events == page.events


def test_one_name_leaves_the_others_nameless() -> None:
    assert read_names(["王"]) == ("王", "", "", "")
    assert read_names(["", ""]) == ()
