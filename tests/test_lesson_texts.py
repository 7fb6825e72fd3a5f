"""What the lessons say is what the engine does, under the presets and under a table's own rules."""

from random import Random
from typing import Any

import pytest

from calculator.lessons import BY_ID, facts, ladder
from scoring import rules as engine
from scoring.contract import score
from scoring.permalink import read_options
from scoring.rules import Rules, load
from tests import house_rules

SYSTEMS = engine.ids()
PLAIN = "234567m3456789p!9p"


def table(ruleset: str, opt: str = "") -> Rules:
    return load(ruleset).override(read_options(opt))


def far(number: int, **more: Any) -> Rules:
    """A table far from any preset, where money is worth something."""
    chance = Random(f"lesson text {number}")
    ruleset = chance.choice(SYSTEMS)
    made = load(ruleset).override(house_rules.options(chance, ruleset)).override(more)
    return made if made.base else made.override({"base": 1})


FAR = [*map(load, SYSTEMS), *map(far, range(150))]


def said(lesson: str, rules: Rules) -> list[str]:
    return [text % facts(rules) for text in BY_ID[lesson].paragraphs(rules)]


def says(lesson: str, rules: Rules, words: str) -> bool:
    return any(words in text for text in said(lesson, rules))


def captions(lesson: str, rules: Rules) -> list[str]:
    return [figure.caption for figure in BY_ID[lesson].shown(rules)]


def scored(rules: Rules, hand: str = PLAIN, **more: Any) -> dict[str, Any]:
    asked = {"ruleset": rules.id, "options": rules.changes(), "hand": hand, "by": "discard"}
    answer = score(asked | more)
    assert answer["status"] == "win"
    return answer


@pytest.mark.parametrize(
    ("ruleset", "opt"),
    [
        ("jipin", "fans.ping_hu:4,cap:2"), ("chengdu", "cap:0"), ("chengdu", "cap:1"),
        ("laok", "cap:1"), ("xueliu", "cap:0"), ("xueliu", "cap:2"), ("jipin", "fans.ping_hu:4"),
    ],
)  # fmt: skip
def test_the_ladder_and_its_text_stop_at_the_cap(ruleset: str, opt: str) -> None:
    rules = table(ruleset, opt)
    steps = [row["fan"] for row in ladder(rules)]
    assert steps
    assert rules.cap is not None
    assert max(steps) == rules.cap
    text = said("fan", rules)[1]
    assert f"{rules.cap + 1}番" not in text
    assert f"{rules.multiple(rules.cap)}倍" in text
    assert ("封顶" in text) == (len(steps) < 3)


def test_what_a_plain_hand_pays_in_the_text_is_what_the_hand_pays() -> None:
    for rules in FAR:
        answer = scored(rules)
        shown = captions("fan", rules)
        assert shown.count("一手平胡。") == (len(answer["terms"]) == 1)
        if len(answer["terms"]) == 1:
            assert said("fan", rules)[-1].endswith(f"付{rules.points(answer['multiple'])}。")


def test_every_step_in_the_text_is_what_the_engine_makes_of_it() -> None:
    for rules in FAR:
        assert ladder(rules)
        numbers = facts(rules)
        for step in range(3):
            fan = rules.capped(numbers[f"f{step}"])
            assert numbers[f"m{step}"] == rules.multiple(fan)


