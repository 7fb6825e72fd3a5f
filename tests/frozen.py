"""Whole answers of the interface, kept as they were: every key, every code, every parameter.

The cases say what a hand or a round is worth; this says that nothing else of an answer changes
unseen. Where a change is meant, `python -m tests.frozen` writes the answers anew, and the
difference is read line by line before it is committed.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations, cycle
from pathlib import Path
from typing import Any

from scoring import contract, generate, patterns, rules
from scoring.hand import DISCARD, EARTHLY, HEAVENLY, ROB_KONG, SELF_DRAW
from scoring.notation import NotationError, format_hand, parse
from tests import case_files

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


CALLS = {
    "read": read,
    "score": contract.score,
    "told": told,
    "explain": contract.explain,
    "compare": contract.compare,
    "settle": contract.settle,
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
              [{"kind": "pung", "tile": "5p", "jokers": None}], [{"kind": "pung"}] * 17),
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
    "payer_kongs": (*ANYTHING, [[]] * 16, [[]] * 17, [["exposed_kong"] * 16], [["exposed_kong"]], [["exposed_kong"] * 5], [[], []], [["x"]]),
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


def _rounds() -> Iterator[dict[str, Any]]:
    whole = {"ruleset": "laok", "dealer": 1, "events": [*EVENTS]}
    for field, values in ROUND_FIELDS.items():
        for value in values:
            yield {**whole, field: value}
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
    for request in (None, 7, "x", [], {}, HAND, WAITING, {**WAITING, "hand": "2223334445p"}):
        for call in ("score", "explain", "compare", "settle"):
            yield call, request
    for field, values in HAND_FIELDS.items():
        for value in values:
            for base in (HAND, WAITING):
                yield "score", {**base, field: value}
    for blessing in (HEAVENLY, EARTHLY):
        for seat in (0, 1):
            yield "score", {**HAND, "by": "self_draw", "melds": [], "hand": "12344455566699m",
                            "blessing": blessing, "seat": seat, "dealer": 0, "win_tile": None}
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
        yield "score", {"ruleset": "yaoji", "hand": hand, "options": {"fans": {"dai_yao_jiu": 4}},
                        "melds": [{"kind": kind, "tile": tile} for kind, tile in melds]}
    for text in _texts():
        yield "read", text
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
    for hand in ("123456789m4699p5p", "12399m", "11223399m1199p22p"):
        yield "explain", {"ruleset": "laok", "hand": hand, "options": {"fans": EVERY_TERM}}
    for label, request, _ in case_files.hand_cases():
        file, number = label.split(":")
        if file in ("coverage", "known_faults") or int(number) % 12 == 0:
            yield "score", request
            yield "explain", request
        if int(number) % 30 == 0:
            yield "compare", request
    yield from (("told", request) for request in _occasions())
    for ruleset in rules.ids():
        for kind in generate.KINDS:
            topics = ("", *generate.TOPICS) if kind in generate.TOPICAL else ("",)
            for number, topic in enumerate(topics):
                for level in generate.LEVELS:
                    asked = {"ruleset": ruleset, "kind": kind, "level": level, "topic": topic}
                    yield "drill", {**asked, "n": number}
                    if not topic:
                        yield from (("drill", {**asked, "n": n}) for n in (1, 5))
    yield from (("settle", request) for request in _rounds())
    with (DATA / "rounds_illegal.jsonl").open(encoding="utf-8") as lines:
        yield from (("settle", json.loads(line)["request"]) for line in lines)
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
        yield json.dumps([call, request, answer], ensure_ascii=False, separators=(",", ":"))


def kept(call: str) -> list[str]:
    """The kept lines of one call."""
    with FILE.open(encoding="utf-8") as lines:
        return [line.rstrip("\n") for line in lines if line.startswith(f'["{call}"')]


if __name__ == "__main__":
    written = [f"{line}\n" for call in CALLS for line in answered(call)]
    FILE.write_text("".join(written), encoding="utf-8")
