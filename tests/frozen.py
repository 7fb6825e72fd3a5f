"""Whole answers of the interface, kept as they were: every key, every code, every parameter.

The cases say what a hand or a round is worth; this says that nothing else of an answer changes
unseen. Where a change is meant, `python -m tests.frozen` writes the answers anew, and the
difference is read line by line before it is committed.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import combinations, cycle
from pathlib import Path
from typing import Any

from scoring import contract, patterns, rules
from scoring import drills as generate
from scoring.addresses.hand import (
    hand_request,
    read_hand,
    read_options,
    read_text,
    rules_of,
    switch_rules,
)
from scoring.addresses.round import (
    UnreadableEvent,
    holes,
    read_event,
    read_round,
    write_event,
)
from scoring.hand import DISCARD, EARTHLY, HEAVENLY, ROB_KONG, SELF_DRAW
from scoring.notation import NotationError, format_hand, parse, parse_tiles
from tests import case_files
from tests.round_files import round_cases

FILE = Path(__file__).parent / "data" / "answers.jsonl"
DATA = FILE.parent


def drill(asked: dict[str, Any]) -> Any:
    """A question of the drills: a link to one must go on asking the same."""
    made = generate.question(
        rules.load(asked["ruleset"]), asked["kind"], asked["level"], "a", asked["n"], asked["topic"]
    )
    return asdict(made)


#: What the circumstances of a win change of an answer.
CIRCUMSTANCES = ("status", "errors", "notes", "multiple", "uncapped_fan", "payments")


def told(asked: dict[str, Any]) -> Any:
    """A score without its breakdown: there are many circumstances."""
    answer = contract.score(asked)
    return {key: answer[key] for key in CIRCUMSTANCES if key in answer}


def read(text: str) -> Any:
    """A hand read from text, or everything that is wrong with the text."""
    try:
        hand = parse(text)
    except NotationError as error:
        return [asdict(problem) for problem in error.problems]
    return [format_hand(hand), hand.named, [meld.kind for meld in hand.melds]]


def address(asked: tuple[str, Any]) -> Any:
    """What an address, a piece of one or a text that may hold one stands for."""
    what, given = asked
    if what == "hand":
        page, bad = read_hand(given)
        parameters, switched = page.parameters, switch_rules(page, "laok")
        return [parameters, bad, hand_request(parameters), rules_of(page).changes(),
                switched[0].opt, switched[1]]  # fmt: skip
    if what == "round":
        page, bad = read_round(given)
        switched = switch_rules(page, "laok")
        return [page.parameters, bad, page.request, page.settled.query,
                holes(page.entry) if page.entry else None, rules_of(page).changes(),
                [switched[0].query, switched[1]]]  # fmt: skip
    try:
        if what == "request":
            return hand_request(given)
        if what == "tiles":
            return parse_tiles(given)
        if what == "event":
            event = read_event(given)
            return [event, write_event(event), holes(event)]
        return read_text(given) if what == "text" else read_options(given)
    except NotationError as error:
        return [asdict(problem) for problem in error.problems]
    except UnreadableEvent as error:
        return error.text


def options(asked: tuple[str, dict[str, Any]]) -> Any:
    """What a table's options make of a rule system, or what is wrong with them."""
    ruleset, given = asked
    try:
        return rules.load(ruleset).override(given).changes()
    except rules.OptionErrors as error:
        return [str(error), error.errors]


def booked(asked: dict[str, Any]) -> Any:
    """What a round's events lead to: each payment with its reason, and what is odd about it."""
    answer = contract.settle(asked)
    rows = [list(transfer.values()) for transfer in answer.get("transfers", ())]
    return [rows, answer.get("fewest_transfers"), answer.get("warnings"), answer.get("errors")]


CALLS = {
    "options": options,
    "address": address,
    "read": read,
    "score": contract.score,
    "told": told,
    "explain": contract.explain,
    "compare": contract.compare,
    "settle": contract.settle,
    "booked": booked,
    "drill": drill,
}

HAND = {
    "ruleset": "chengdu",
    "hand": "123456789m9m",
    "melds": [{"kind": "pung", "tile": "5p"}],
    "win_tile": "9m",
}
WAITING = {"ruleset": "laok", "hand": "2223334445p67p", "by": "self_draw"}
THREE_KONGS = {
    "melds": [{"kind": "exposed_kong", "tile": "2m"}, {"kind": "added_kong", "tile": "4m"},
              {"kind": "concealed_kong", "tile": "6m"}],
    "hand": "33355p",
}  # fmt: skip
ONE_SUIT = {"hand": "11122233344455m"}
FOUR_JOKERS = {"hand": "1111s22333444m55m"}
#: What may be true of a win, two at a time, and the way of winning that belongs to it.
OCCASIONS: tuple[dict[str, Any], ...] = (
    {},
    *({"after_kong": kind, "by": SELF_DRAW}
      for kind in ("exposed_kong", "added_kong", "concealed_kong")),
    {"kong_discard": True, "by": DISCARD},
    {"last_tile": True},
    *({"blessing": name, "by": SELF_DRAW} for name in (HEAVENLY, EARTHLY)),
    {"horses": "159m", "seat": 1, "dealer": 0},
    {"horses": "159m", "seat": 2, "dealer": 2},
    {"payer_kongs": [["exposed_kong", "concealed_kong"]], "by": DISCARD},
    {"payer_kongs": [["concealed_kong"], [], ["added_kong", "exposed_kong"]], "by": SELF_DRAW},
    {"by": ROB_KONG},
    {"by": ROB_KONG, "win_tile": "5p"},
    {"by": DISCARD, "win_tile": "1s"},
)  # fmt: skip


def _pungs(*names: str, jokers: int = 0) -> list[dict[str, Any]]:
    more = {"jokers": jokers} if jokers else {}
    return [{"kind": "pung", "tile": name, **more} for name in names]


#: Several things wrong with one hand; melds that bar patterns.
FAULTY: tuple[dict[str, Any], ...] = (
    {"hand": "11111m22p33p44p55p66p77p88p"},
    {"hand": "1111m99999p", "melds": _pungs("1m", "9p")},
    {"hand": "55m5m99p", "melds": _pungs("5m", "3p", "7p", jokers=2)},
    {"hand": "99p123m", "melds": _pungs("5m", "3p", "7p", jokers=1)},
    {"hand": "99p123m111s", "melds": _pungs("5m", "3p", jokers=3)},
    {"hand": "99p123m", "melds": _pungs("1s", "3p", "7p")},
    {"hand": "99999p123m456m789m1m", "melds": _pungs("1s", jokers=1)},
    {"hand": "99p123m", "melds": _pungs("1m", "3p", "7s")},
    {"hand": "99p123m", "melds": _pungs("1m", "3p", "7p"), "void": "m"},
    {"hand": "99p123m", "melds": _pungs("1m", "9m", "5p"), "void": "s"},
    {"hand": "99p12m", "melds": _pungs("2m", "9m", "5p")},
)
#: Waits of one value under a cap, ways of winning that waits do not know, a hand that is short.
WAITING_FOR_MORE: tuple[dict[str, Any], ...] = (
    {"hand": "1112345678999m"},
    {"hand": "1112345678999m", "by": ROB_KONG},
    {"hand": "1112345678999m", "by": SELF_DRAW, "seen": "111p"},
    {"hand": "2223334445556m", "by": SELF_DRAW},
    {"hand": "3335m", "melds": _pungs("1m", "2m", "4m"), "seen": "5m"},
    {"hand": "123456789m4699p5p"},
    {"hand": "123456m99p"},
)
EVERY_TERM = dict.fromkeys(patterns.TERMS, 1)
ANYTHING = ("x", "10p", "1z!", 7, -1, True, None, [], ["x"], {"x": 1}, 1.5)
HAND_FIELDS = {
    "ruleset": ("", "nowhere", 7),
    "options": (7, {"nothing": 1}, {"cap": -1}, {"fans": {"qing_yi_se": "x"}}, {"fans": 3},
                {"fans": {"gang_shang_hua": {"x": 1}}}, {"kong_points": {"x": 1}},
                {"blood_flow": True}, {"blood_flow": True, "round_ends": "three_wins"},
                {"pig": {"x": 1}}, {"cap": 5, "bloom": "x", "base": "x"}),
    "hand": ("12x", "1", 7, "11111m", "123456789m123456789p", "", "1233455567899p!5p", "5s!6p",
             "123!4m!5m99p", "1m" * 300, "123m[555p 1s]99p", "123m [55 1s p]99p", "123m-456m-99p!"),
    "melds": (7, [7], [{"kind": "chow", "tile": "1m"}], [{"kind": "pung"}], [{"tile": "1m"}],
              [{"kind": "pung", "tile": "12m"}], [{"kind": "pung", "tile": "x"}],
              [{"kind": "pung", "tile": "5p", "jokers": 9}],
              [{"kind": "pung", "tile": "1m", "more": 1}], [{"kind": "pung", "tile": "1m"}] * 5,
              [{"kind": "pung", "tile": "5p", "jokers": None}], [{"kind": "pung"}] * 16,
              [{"kind": "pung"}] * 17),
    "win_tile": ("x", "12m", 7, "9s", ["9m"], "5m"),
    "by": ANYTHING,
    "after_kong": (*ANYTHING, "exposed_kong"),
    "kong_discard": ANYTHING,
    "last_tile": ANYTHING,
    "blessing": (*ANYTHING, HEAVENLY, EARTHLY),
    "void": (*ANYTHING, "m", "s"),
    "seen": (*ANYTHING, "1m" * 300, "11111m", "1112m", "9999s"),
    "horses": (*ANYTHING, "159m", "1m" * 40),
    "seat": ANYTHING,
    "dealer": ANYTHING,
    "payer_kongs": (*ANYTHING, [[]] * 16, [[]] * 17, [["exposed_kong"] * 16],
                    [["exposed_kong"]], [["exposed_kong"] * 5], [[], []], [["x"]]),
    "unknown": (1,),
}  # fmt: skip

EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "kong", "seat": 2, "kind": "exposed_kong", "from": 0, "tile": "5m"},
    {"type": "kong", "seat": 1, "kind": "added_kong", "tile": "3s", "late": True},
    {"type": "win", "by": "discard", "from": 0, "winners": [{"seat": 2, "fan": 3}]},
    {"type": "win", "by": "self_draw",
     "winners": [{"seat": 1, "hand": "11122233344455m", "void": "s"}]},
    {"type": "draw", "hands": {"0": {"state": "not_ready"},
                               "3": {"hand": "2223334445p67p", "waived": True}}},
)  # fmt: skip
ESCAPE = {"type": "escape", "seat": 3, "last_four": True, "best": {"0": 4, "1": 8, "2": 2}}
EVENT_FIELDS = {
    "type": ("x", None),
    "seat": ("x", 4, True, None),
    "kind": ("x", None, "concealed_kong", "exposed_kong", "added_kong"),
    "from": ("x", 4, None, 3),
    "tile": ("x", "12m", 7, "9p9"),
    "late": ("x", True),
    "robbed": ("x", True),
    "by": ("x", None, "rob_kong", "self_draw", "discard"),
    "after_kong": ("x", "added_kong"),
    "kong_discard": ("x", True),
    "last_tile": ("x", True),
    "winners": ("x", [], [7], [{"seat": 2, "fan": 1}] * 2, [{"seat": 9, "fan": -1}],
                [{"seat": 3, "hand": "12x"}], [{"seat": 3, "hand": "123m"}],
                [{"seat": 3, "hand": "147m258p1122m35p1m", "fan": 3}],
                [{"seat": 3, "hand": "11122233344455m", "blessing": HEAVENLY, "more": 1}],
                [{"seat": 3, "hand": "11122233344455m55555m"}],
                [{"seat": n, "fan": n} for n in (1, 2, 3)]),
    "hands": ("x", {"9": None}, {"0": 7}, {"0": {"state": "x"}}, {"0": {"state": "ready"}},
              {"0": {"state": "not_ready", "fan": 1, "waived": True}, "3": {"state": "flower_pig"}},
              {"0": {"state": "not_ready", "waived": True}, "3": {"state": "ready", "fan": 1}},
              {"0": {"hand": "123m"}, "3": {"hand": "1m", "fan": 2}},
              {"0": {"state": "not_ready", "void": "m"}, "3": {"state": "ready", "melds": []}},
              {"0": {"hand": "123456789m1123p", "void": "p"}, "3": {"hand": "147m258p1122m35p"}},
              {"0": {"state": "ready", "fan": 2, "more": 1}, "3": {"state": "ready", "fan": 5}}),
    "last_four": ("x", False),
    "best": ("x", {"9": 1}, {"0": "x"}, {"0": -1, "2": 4.0}),
    "more": (1,),
}  # fmt: skip
ROUND_FIELDS = {
    "ruleset": ("nowhere", 7),
    "options": ({"base": 5}, {"nothing": 1}, {"pig": {"points": 8}, "refund": False}),
    "dealer": ("x", 4, 2, True),
    "players": (["a"] * 3, ["a" * 99] * 4, ["a", "b", "c", "d"], 7),
    "events": (7, None, [7], [{}] * 201),
    "more": (1,),
}


FIVES = "1112223334445m!5m"
PAIR_OF_FIVES = "55m123456789p11p!5m"
UNREADY = {"2": {"state": "not_ready"}, "3": {"state": "flower_pig"}}
THREE_FIVES = "555m123456789p1p!1p"


def _won(by: str, *hands: str, giver: int = 3, **more: Any) -> dict[str, Any]:
    given = {} if by == SELF_DRAW else {"from": giver}
    winners = [{"seat": seat, "hand": hand} for seat, hand in enumerate(hands)]
    return {"type": "win", "by": by, **given, "winners": winners, **more}


#: Rounds whose tiles can or cannot be, and players who run away.
ODD_ROUNDS: tuple[tuple[dict[str, Any], ...], ...] = (
    ({"type": "kong", "seat": 0, "kind": "concealed_kong", "tile": "5m"},
     {"type": "kong", "seat": 1, "kind": "concealed_kong", "tile": "5m"}),
    (_won(DISCARD, FIVES, PAIR_OF_FIVES),),
    (_won(DISCARD, FIVES, PAIR_OF_FIVES, THREE_FIVES),),
    (_won(SELF_DRAW, FIVES), _won(DISCARD, "", PAIR_OF_FIVES)),
    (_won(SELF_DRAW, FIVES),
     {"type": "draw", "hands": {"1": {"hand": "55m123456789p11p"}, **UNREADY}}),
    (_won(SELF_DRAW, FIVES),
     {"type": "draw", "hands": {"1": {"hand": "555m123456789p1p"}, **UNREADY}}),
    ({"type": "kong", "seat": 3, "kind": "added_kong", "tile": "5m", "robbed": True},
     _won(ROB_KONG, FIVES)),
    ({"type": "kong", "seat": 2, "kind": "added_kong", "tile": "5m"}, _won(DISCARD, FIVES)),
    (ESCAPE,),
    ({**ESCAPE, "last_four": False, "best": {"0": 40}},),
    ({"type": "escape", "seat": 0}, {"type": "escape", "seat": 1}, EVENTS[-1]),
    (_won(DISCARD, FIVES), {"type": "escape", "seat": 2}, {"type": "escape", "seat": 0}),
)  # fmt: skip


def _rounds() -> Iterator[dict[str, Any]]:
    whole = {"ruleset": "laok", "dealer": 1, "events": [*EVENTS]}
    for field, values in ROUND_FIELDS.items():
        for value in values:
            yield {**whole, field: value}
    yield {"ruleset": "laok", "more": 1, "k" * 50: 1, "events": [{**EVENTS[0], "k" * 50: 1}]}
    for ruleset in rules.ids():
        ready = [EVENTS[0], EVENTS[-1]]
        yield {"ruleset": ruleset, "options": {"self_draw_bonus": "base"}, "events": ready}
    for ruleset in ("laok", "sbr", "yichang"):
        for place, event in enumerate((*EVENTS[:-1], ESCAPE, EVENTS[-1])):
            for field, values in EVENT_FIELDS.items():
                if field in event or ruleset == "laok":
                    for value in values:
                        before = EVENTS[: min(place, 4)]
                        yield {"ruleset": ruleset, "events": [*before, {**event, field: value}]}


#: One of every kind of character that a hand may be written with, and some that are none.
LETTERS = "159五１mM万pｐ筒sS条索🀇🀙🀘 ,、/-－+!！[［(（]】)碰杠槓z中"
WORDS = ("碰", "直杠", "明槓", "补杠", "巴杠", "暗杠", "下雨", "刮风", "杠")
AFTER = ("5m", "  5m", "m5 m1", "五万", "🀇", "幺鸡", "", "5", "m", " z", "-5m", "5m1m", "碰5m")
TEXTS = (
    *("", "1m" * 201, "1m" * 200, "[555s1s]", "[5s11s]", "(5s111s)", "[1s1s1s]", "[1s555s]"),
    *("[555-5m]", "[555 5m]", "[55-55m]", "[5-55m]", "[-555m]", "[555m-]", "(555-5m)"),
    *("[555-5m 1s]", "[55-5m1s]", "[55-5m 1s]", "[5m5m5m 5m]", "[555m 555m]", "[55m]", "[555m)"),
    *("[555m", "[555m[666m]", "[555m!5m]", "[5碰5m]", "(5555m)(6666m]", "555m]", "m[555]", "m1 m"),
    *("m123p456 s77", "m123 [m555]", "1m m", "12 3m 4", "12-3m", "!5m!6m", "!5m!", "123m!5"),
    *("123m!p5", "123m！５ｍ", "碰5m 直杠6p 补杠7p 暗杠8s 99m"),
)


def _texts() -> Iterator[str]:
    yield from TEXTS
    for letter in LETTERS:
        yield from (letter, f"12{letter}3m", f"[55{letter}5m]", f"!{letter}", f"m1{letter}2 p3")
    for word in WORDS:
        yield from (f"99m {word}{after}" for after in AFTER)
    chance = random.Random(1)
    for _ in range(400):
        yield "".join(chance.choices(LETTERS, k=chance.randint(2, 9)))


OPT = "cap:4,base:0.5,fans.gen:off,pig.points:cap,kong_points.added:3,refund:off,fans.si_ji:on"
HAND_ADDRESSES: dict[str, tuple[str, ...]] = {
    "rules": ("", "laok", "nowhere"),
    "hand": ("", "12x", "[555m]123456m99p!9p", "(5555p)5p", "2223334445p67p", "[555-5s1s]"),
    "by": ("self_draw", "rob_kong", "discard", "x"),
    "after": ("concealed_kong", "x"),
    "pao": ("0", "1", "2"),
    "last": ("0", "1", ""),
    "bless": ("tian_hu", "di_hu", "x"),
    "void": ("m", "x"),
    "seen": ("159m", "x", "1m" * 300),
    "opt": (OPT, "x:1", "cap:-1", "cap:off", "cap:on", "joker:off,joker:1s", "base:1e400",
            "base:NaN,fans:3", "cap.x:1,cap:2", ",,", "refund:on,refund:off", "base:1000000000.5",
            "cap:3,fans.qing_yi_se:0,refund:off"),
}  # fmt: skip
ROUND_ADDRESSES: dict[str, tuple[str, ...]] = {
    "rules": ("", "nowhere", "xueliu"),
    "opt": (OPT, "x:1", "cap:off", "cap:3,fans.qing_yi_se:0,refund:off"),
    "d": ("0", "3", "4", "x"),
    "n": ("a,b,c,d", "a", ",,,d", " 小　王 ,x\ty", "a,b,c,d,e,f", "x" * 40, ",,,"),
    "e": ("k2e0.k1c5m.wd0k,23.ws,13.n,0p,3r2", "k2e0.wd-,2.k1c", "wq", "k2e0..k1c", "n,0r"),
    "a": ("ws,", "wd-,2", "n,0r", "q", "k2c"),
    "at": ("0", "1", "9", "x", "-1"),
}
EVENT_TEXTS = (
    *("k2e0", "k-e-", "k2e", "k2c5m", "k2a5ml", "k2cl", "k2e0r", "k2ar", "k2alr", "k4c", "k2c5x"),
    *("wd0,23", "wd-,2,3", "wd0", "wd0k,23", "wd0l,23,31", "ws,14", "wskc,14", "wsk,14", "ws"),
    *("wr1,02", "wr1k,02", "wd0kc,23", "wsl,1", "ws,1h", "ws,1h11122233344455m_bt_x3m7p_vs"),
    *("ws,1h11m_bq", "ws,1h11m_vx", "ws,1h11m_x3", "ws,1hzz", "ws,1hz.z", "wd0,2hz_q", "ws,-5"),
    *("ws,123", "ws,4", "ws,1h11m_", "x3", "x3l,032", "x-", "x3,0x", "x4", "n", "n,0p,1n,2r3"),
    *("n,0r", "n,0h11m_vm_w", "n,0hzz", "n,0hz.z", "n,0p_w", "n,4p", "n,0x", "n,0h11m_vx", "", "q"),
)
SHARED = (
    *("https://host/?rules=laok&hand=11m&last=1", "host/?hand=12x", "host/?rules=laok", "what?"),
    *("见 https://host/en/?hand=11m&by=self_draw 吧", "a?b?hand=11m", "?hand=", "11m ?", "?"),
    *("22244455577799m 自摸", "123m99p!9p 点炮", "11m 胡 5p", "11m 抢杠", "11m 自摸胡 5m", "11m糊"),
    *("222444555777m99p 自摸 9p", "222444555777m99p胡9p。", "222444555777m99p 和 z", "123x 自摸"),
    *("222444555777m99p\n成都·不封顶\n对对胡", "123m456p\n99s", "123m\n成都 不封顶\n·", "自摸"),
)
NUMBERS = (0, 1, -1, 1.5, 2.0, 0.01, 0.005, rules.MAX_FAN, rules.MAX_FAN + 1, rules.MAX_POINTS,
           rules.MAX_POINTS + 1, int(rules.MAX_BASE),
           int(rules.MAX_BASE) + 1, True, False, None, "x",
           "cap", [], {}, {"x": 1}, "1s")  # fmt: skip
TABLES = {
    "fans": ("gen", "ping_hu", "qing_yi_se", "gang_shang_hua"),
    "kong_points": ("exposed", "exposed_others", "added", "concealed"),
    "pig": ("points", "times_best", "to", "also_not_ready"),
}


def _addresses() -> Iterator[tuple[str, Any]]:
    hand = {"rules": "chengdu", "hand": "123456789m[555p]99m"}
    yield from (("hand", {**hand, key: v}) for key, vs in HAND_ADDRESSES.items() for v in vs)
    for key, values in ROUND_ADDRESSES.items():
        for value in values:
            yield "round", {"e": "k2e0.ws,13", "a": "wd0,2", "opt": "cap:4,refund:off", key: value}
            yield "round", {key: value}
    yield from (("event", text) for text in EVENT_TEXTS)
    yield from (("text", text) for text in SHARED)
    yield from (("options", text) for text in HAND_ADDRESSES["opt"])
    for flag in ("0", "1", "x"):
        yield "request", {"hand": "11m", "last": flag, "pao": flag, "opt": "cap:off"}
    yield from (("tiles", text) for text in ("1-2m", "[1m]", "!1m", "碰1m", "12m 3p", "m12", "x"))


def _choices(path: str) -> tuple[str, ...]:
    """The words that an option takes; none where numbers or truth values do."""
    option = rules.OPTIONS.get(path)
    choices = option is not None and option.takes.high is None
    return tuple(word for word in option.takes.also if isinstance(word, str)) if choices else ()


def _options() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in rules.FIELDS:
        for value in (*NUMBERS, *_choices(name)):
            yield "laok", {name: value}
            yield from (("laok", {name: {key: value}}) for key in TABLES.get(name, ()))
            if name == "fans":
                yield "laok", {name: {"gang_shang_hua": {"added_kong": value}}}
    yield from (("laok", {"pig": {"to": to}}) for to in _choices("pig.to"))
    for ruleset in rules.ids():
        for term in patterns.TERMS:
            yield from ((ruleset, {"fans": {term: fan}}) for fan in (None, 0))
        for flow in (True, False):
            yield from (
                (ruleset, {"blood_flow": flow, **more})
                for more in ({}, {"cap": 0}, {"round_ends": "first_win"}, {"cap": 1, "x": 1})
            )


def _occasions() -> Iterator[dict[str, Any]]:
    """Every two occasions with every hand in every system, won in a way that varies."""
    ways = cycle((DISCARD, SELF_DRAW))
    for ruleset in rules.ids():
        hands = (THREE_KONGS, ONE_SUIT, FOUR_JOKERS)
        for hand in hands if rules.load(ruleset).joker else hands[:2]:
            for one, other in combinations(OCCASIONS, 2):
                yield {"ruleset": ruleset, "by": next(ways), **hand, **one, **other}


def requests() -> Iterator[tuple[str, Any]]:
    """Every call with what it is asked."""
    yield from _of_any_call()
    yield from _of_fields()
    yield from _of_terms_of_the_sets()
    yield from (("read", text) for text in _texts())
    yield from (("address", asked) for asked in _addresses())
    yield from (("options", asked) for asked in _options())
    yield from _of_systems()
    yield from _of_dead_waits()
    yield from _of_unknown_names()
    yield from _of_cases()
    yield from (("told", request) for request in _occasions())
    yield from _of_drills()
    yield from _of_rounds()


def _of_any_call() -> Iterator[tuple[str, Any]]:
    for request in (None, 7, "x", [], {}, HAND, WAITING, {**WAITING, "hand": "2223334445p"}):
        for call in ("score", "explain", "compare", "settle"):
            yield call, request


def _of_fields() -> Iterator[tuple[str, Any]]:
    for field, values in HAND_FIELDS.items():
        for value in values:
            for base in (HAND, WAITING):
                yield "score", {**base, field: value}
    for blessing in (HEAVENLY, EARTHLY):
        for seat in (0, 1):
            yield (
                "score",
                {
                    **HAND,
                    "by": "self_draw",
                    "melds": [],
                    "hand": "12344455566699m",
                    "blessing": blessing,
                    "seat": seat,
                    "dealer": 0,
                    "win_tile": None,
                },
            )


def _of_terms_of_the_sets() -> Iterator[tuple[str, Any]]:
    for term in ("jia_xin_wu", "ka_er_tiao", "yi_tiao_long"):
        for hand in ("123456789m4699p5p", "123456789m13s99p2s", "123456789m46s99p5s"):
            for call in ("score", "explain"):
                yield call, {"ruleset": "chengdu", "hand": hand, "options": {"fans": {term: 1}}}
    for hand, melds in (
        ("1s789m123p99p123m", ()),
        ("1s789m13p99p99m1m", ()),
        ("1s78m123p99p99m1m", ()),
        ("1s79m123p99p1s7m", (("pung", "1m"),)),
        ("1s79m99p8m1s", (("pung", "1m"), ("concealed_kong", "9p"))),
        ("1s79m123p99p1s", (("pung", "5m"),)),
    ):
        yield (
            "score",
            {
                "ruleset": "yaoji",
                "hand": hand,
                "options": {"fans": {"dai_yao_jiu": 4}},
                "melds": [{"kind": kind, "tile": tile} for kind, tile in melds],
            },
        )


def _of_systems() -> Iterator[tuple[str, Any]]:
    for ruleset in rules.ids():
        for request in (*FAULTY, *WAITING_FOR_MORE):
            yield "score", {"ruleset": ruleset, **request}
            yield "explain", {"ruleset": ruleset, **request}
        in_and_out = {"kong_in_out": True, "self_draw_bonus": "base"}
        for by, kongs in (
            ("discard", [["exposed_kong"]]),
            ("self_draw", [["exposed_kong"]]),
            ("self_draw", [["concealed_kong"], [], ["added_kong"]]),
        ):
            yield "told", {"ruleset": ruleset, **ONE_SUIT, "by": by, "payer_kongs": kongs,
                           "options": in_and_out}  # fmt: skip
    for request in ({"hand": "123456789m4699p5p"}, {"hand": "11223399m1199p22p"}, *FAULTY):
        yield "explain", {"ruleset": "laok", **request, "options": {"fans": EVERY_TERM}}


def _of_dead_waits() -> Iterator[tuple[str, Any]]:
    dead = {"dead_waits": "exposed_count"}
    for ruleset in ("yaoji", "sbr", "chengdu"):
        for hand, kind in (("46p11m1s78m234m", "exposed_kong"), ("4556p11m1s8m234m", "pung"),
                           ("5p11m1s789m234m", "pung"), ("46p11m789m234m", "concealed_kong"),
                           ("1s5p11m77m88m99m", "pung"), ("5p123m789m234m", "pung")):  # fmt: skip
            melds = [{"kind": kind, "tile": "5p"}]
            yield "score", {"ruleset": ruleset, "hand": hand, "melds": melds, "options": dead}


def _of_unknown_names() -> Iterator[tuple[str, Any]]:
    for hand in ("12x", "123456789m4699p5p"):
        yield "score", {"ruleset": "nowhere", "hand": hand, "unknown": 1}
        yield "score", {"ruleset": "chengdu", "hand": hand, "unknown": 1, "k" * 50: 1}


def _of_cases() -> Iterator[tuple[str, Any]]:
    for label, request, _ in case_files.hand_cases():
        file, number = label.split(":")
        if file in ("coverage", "known_faults") or int(number) % 12 == 0:
            yield "score", request
            yield "explain", request
        if int(number) % 30 == 0:
            yield "compare", request


def _of_drills() -> Iterator[tuple[str, Any]]:
    for ruleset in rules.ids():
        for kind in generate.KINDS:
            topics = ("", *generate.TOPICS) if kind in generate.TOPICAL else ("",)
            for number, topic in enumerate(topics):
                for level in generate.LEVELS:
                    asked = {"ruleset": ruleset, "kind": kind, "level": level, "topic": topic}
                    yield "drill", {**asked, "n": number}
                    if not topic:
                        yield from (("drill", {**asked, "n": n}) for n in (1, 5))


def _of_rounds() -> Iterator[tuple[str, Any]]:
    yield from (("settle", request) for request in _rounds())
    with (DATA / "rounds_illegal.jsonl").open(encoding="utf-8") as lines:
        yield from (("settle", json.loads(line)["request"]) for line in lines)
    for ruleset in rules.ids():
        for events in ODD_ROUNDS:
            yield "booked", {"ruleset": ruleset, "dealer": 0, "events": events}
    systems = cycle(rules.ids())
    for _, request, _ in round_cases():
        yield "booked", request
        yield "booked", {**request, "ruleset": next(systems)}
    for name in ("rounds", "rounds_house_rules"):
        for case in case_files.load(name)[::4]:
            yield "settle", case["request"]


def answered(*calls: str) -> Iterator[str]:
    """Each request of these calls with its answer, one line of JSON each, doubles left out."""
    asked = {json.dumps(one, sort_keys=True): one for one in requests() if one[0] in calls}
    for call, request in asked.values():
        answer = CALLS[call](request)
        if call == "settle" and isinstance(answer, dict):
            # The answer up to a fault is that of a shorter round.
            answer.pop("settled", None)
        yield json.dumps(
            [call, request, answer],
            ensure_ascii=False,
            separators=(",", ":"),
            default=lambda other: dict(other) if isinstance(other, Mapping) else str(other),
        )


def kept(call: str) -> list[str]:
    """The kept lines of one call."""
    with FILE.open(encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines if line.startswith(f'["{call}"')]


if __name__ == "__main__":
    written = [f"{line}\n" for call in CALLS for line in answered(call)]
    FILE.write_text("".join(written), encoding="utf-8")
