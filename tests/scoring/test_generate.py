"""Generated questions: each has one right answer, the engine's, and wrong ones that are wrong."""

import os
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from calculator.learn.feedback import MISTAKES, mistake
from calculator.management.commands.drills import check, faults, report_lines, spread_lines
from scoring import rules as engine
from scoring.contract import score, settle
from scoring.drills import (
    BLOCK,
    KINDS,
    LEVELS,
    TOPICAL,
    TOPICS,
    Question,
    mixed_kind,
    question,
    shape_of,
    strata_of,
    stratum_at,
    topics,
)
from scoring.notation import parse
from scoring.patterns import GEN, TERMS
from scoring.rules import Rules, load

#: A third of a seed's hundred for each level: what one seed shows is even.
ONE_SEED = 99
#: Of each kind and system here; `make verify` asks a thousand.
EACH = int(os.environ.get("DRILLS", ONE_SEED))

SYSTEMS = engine.ids()


def some(kind: str, ruleset: str = "chengdu", level: int = 2, many: int = 40) -> list[Question]:
    return [question(load(ruleset), kind, level, "tests", n) for n in range(many)]


@cache
def checked(kind: str, ruleset: str, many: int) -> Any:
    """What is found among so many questions; made once for the tests of this module."""
    return check(load(ruleset), kind, many, "proof")


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_question_has_the_engines_answer_and_no_other(kind: str, ruleset: str) -> None:
    found = checked(kind, ruleset, EACH)
    assert not found.faults
    assert not found.doubles


@pytest.mark.parametrize("ruleset", SYSTEMS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_level_shows_all_that_it_is_to_show_evenly(kind: str, ruleset: str) -> None:
    rules = load(ruleset)
    found = checked(kind, ruleset, ONE_SEED)
    for level in LEVELS:
        wanted = {stratum.name for stratum in strata_of(rules, kind, level)}
        here = {name: n for (at, name), n in found.strata.items() if at == level}
        assert set(here) == wanted, "\n".join(spread_lines(found.strata))
        assert max(here.values()) - min(here.values()) <= 1


def test_the_report_of_the_spread_is_of_today() -> None:
    """`python manage.py drills --report > tests/data/drill_spread.txt`"""
    report = Path(__file__).parents[1] / "data" / "drill_spread.txt"
    assert report.read_text(encoding="utf-8").splitlines() == list(report_lines(SYSTEMS, KINDS))


@pytest.mark.parametrize(
    ("ruleset", "kind", "level"),
    [
        ("chengdu", "win", 1),
        ("sbr", "fan", 1),
        ("majsoul", "patterns", 3),
        ("jipin", "waits", 3),
        ("laok", "waits", 1),
        ("yaoji", "discard", 2),
        ("chengdu", "change", 1),
        ("xueliu", "payment", 1),
        ("sbr", "pig", 1),
        ("yichang", "settle", 1),
        ("laok", "settle", 2),
    ],
)
def test_no_question_comes_twice_in_the_first_hundred(ruleset: str, kind: str, level: int) -> None:
    made = [question(load(ruleset), kind, level, "twice", n) for n in range(BLOCK)]
    assert len({asked.key for asked in made}) == BLOCK


def test_another_seed_gives_another_question() -> None:
    """That the same one gives the same, today and tomorrow, is kept by `tests/frozen.py`."""
    made = {kind: question(load("chengdu"), kind, 2, "abc", 7).request for kind in KINDS}
    other = {kind: question(load("chengdu"), kind, 2, "abd", 7).request for kind in KINDS}
    assert all(made[kind] != other[kind] for kind in KINDS)


def test_levels_raise_what_appears() -> None:
    rules = load("chengdu")
    first, second, third = (strata_of(rules, "fan", level) for level in LEVELS)
    assert len(first) < len(second) < len(third)
    assert not any(s.roots or s.kongs or s.luck for s in first)
    assert any(s.roots for s in second)
    assert not any(s.luck for s in second)
    assert any(s.luck for s in third)


def test_every_pattern_of_a_system_is_asked_about() -> None:
    for ruleset in SYSTEMS:
        rules = load(ruleset)
        asked = {s.shape for level in LEVELS for s in strata_of(rules, "patterns", level)}
        asked |= {s.luck for s in strata_of(rules, "patterns", 3)}
        known = {term for term in rules.fans if engine.TERMS[term].kind == "pattern"}
        assert known <= asked, ruleset


def test_hands_show_what_their_stratum_says() -> None:
    for asked in some("fan", level=3):
        hand = parse(asked.request["hand"])
        shape = asked.stratum.split("+")[0]
        assert shape_of(hand) == shape


def wrong(asked: Question, code: str) -> list[Any]:
    return [choice.value for choice in asked.choices if choice.mistake == code]


def test_a_forgotten_root_is_among_the_wrong_answers() -> None:
    for asked in some("fan"):
        answer = score(asked.request)
        roots = sum(term["count"] for term in answer["terms"] if term["id"] == GEN)
        if roots:
            assert answer["fan"] - 1 in [c.value for c in asked.choices]
        if "long_qi_dui" in answer["patterns"]:
            assert wrong(asked, "dragon_twice") == [answer["fan"] + 1]


def test_an_ignored_cap_is_among_the_wrong_answers() -> None:
    capped = [a for a in some("fan", "jipin", 3) if score(a.request)["uncapped_fan"] > 4]
    assert capped
    for asked in capped:
        assert wrong(asked, "ignored_cap") == [score(asked.request)["uncapped_fan"]]


def test_a_held_quad_is_among_the_wrong_waits() -> None:
    quads = [a for a in some("waits") if a.stratum.startswith("held_quad")]
    assert quads
    for asked in quads:
        assert wrong(asked, "held_quad")
        assert not set(wrong(asked, "held_quad")) & set(asked.answer)


def test_where_dead_waits_count_the_held_quad_is_right() -> None:
    quads = [a for a in some("waits", "sbr") if a.stratum.startswith("held_quad")]
    assert quads
    for asked in quads:
        waits = {wait["tile"]: wait["left"] for wait in score(asked.request)["waits"]}
        assert 0 in waits.values()
        assert set(asked.answer) == set(waits)


def test_the_best_discard_is_best_for_value_and_for_speed() -> None:
    """Nobody can say that another discard is better: it wins no more and has no more tiles."""
    for asked in some("discard", level=3, many=12):
        assert not list(faults(load("chengdu"), asked))


def test_assumed_values_are_never_used_in_silence() -> None:
    for kind in ("fan", "payment"):
        for asked in some(kind, "xueliu", many=20):
            assert set(asked.assumed) == set(score(asked.request)["assumed"])
            assert asked.assumed
    kongs = [a for a in some("settle", "chengdu", 2) if "kong" in a.stratum]
    assert all(
        any(key.startswith("kong_points.") for key in asked.assumed)
        for asked in kongs
        if any(row["reason"].endswith("_kong") for row in settle(asked.request)["transfers"])
    )
    assert kongs


def test_each_mistake_has_a_sentence_of_its_own() -> None:
    for ruleset in ("laok", "xueliu", "sbr"):
        rules = load(ruleset)
        for kind in KINDS:
            for level in LEVELS:
                for number in range(12):
                    asked = question(rules, kind, level, "words", number)
                    for choice in asked.choices:
                        assert bool(choice.mistake) == bool(mistake(asked, choice, rules))


#: What has to hold of the rules for a mistake's sentence to be true.
TRUE_WHEN = {
    "kongs_alike": lambda rules, term: rules.fan_of(term) != rules.fan_of("exposed_kong"),
    "self_draw_fan": lambda rules, _: (
        rules.self_draw_bonus == "none" and not rules.fan_of("men_qing_zi_mo")
    ),
    "self_draw_base": lambda rules, _: rules.self_draw_bonus == "base",
    "self_draw_open": lambda rules, _: bool(rules.fan_of("men_qing_zi_mo")),
    "forgot_self_draw_base": lambda rules, _: rules.self_draw_bonus == "base",
    "plain_is_one": lambda rules, _: rules.fan_of("ping_hu") == 0,
    "plain_is_nothing": lambda rules, _: rules.fan_of("ping_hu") == 1,
}


@pytest.mark.parametrize("options", [{}, {"fans": {"ping_hu": 2}}, {"self_draw_bonus": "fan"}])
@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_what_is_said_of_a_mistake_is_true_of_the_rules(ruleset: str, options: Any) -> None:
    rules = load(ruleset).override(options)
    for kind in ("fan", "payment", "settle"):
        for number in range(40):
            asked = question(rules, kind, 3, "true", number)
            for choice in asked.choices:
                if choice.mistake in TRUE_WHEN:
                    assert TRUE_WHEN[choice.mistake](rules, choice.term), (asked, choice)


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_what_each_pays_is_asked_only_where_each_pays(ruleset: str) -> None:
    blooms = 0
    for number in range(60):
        asked = question(load(ruleset), "change", 3, "each", number)
        if asked.change.startswith(("gang_shang_hua", "self_draw")):
            assert asked.changed is not None
            assert score(asked.changed)["payments"][0]["who"] == "each_other"
            blooms += asked.change.startswith("gang_shang_hua")
    assert bool(blooms) == (load(ruleset).fan_of("gang_shang_hua", "concealed_kong") is not None)


def test_topics_narrow_the_hands() -> None:
    for ruleset in SYSTEMS:
        rules = load(ruleset)
        for topic in topics(rules):
            for kind in sorted(TOPICAL):
                assert strata_of(rules, kind, 1, topic)
    pairs = {s.shape for s in strata_of(load("chengdu"), "fan", 3, "pairs")}
    assert pairs == {"long_qi_dui", "qing_qi_dui", "qing_long_qi_dui"}
    assert "outside" not in topics(load("sbr"))
    assert set(topics(load("chengdu"))) == set(TOPICS)


HOUSE: list[dict[str, Any]] = [
    {"base": 0},
    {"base": "0.25"},
    {"cap": 0},
    {"cap": 1, "self_draw_bonus": "fan"},
    {"scale": "linear"},
    {"joker": "1s"},
    {"fans": {"gen": None, "exposed_kong": None, "added_kong": None, "concealed_kong": None}},
    {"fans": {"dui_dui_hu": 0, "qing_yi_se": 0, "qi_dui": 0, "qing_dui": 0, "qing_qi_dui": 0}},
    {"fans": {"dui_dui_hu": None, "qing_yi_se": None, "qi_dui": None}},
    {"call_check": "none", "refund": False, "difference": False, "pig": {"points": 0}},
    {"kong_in_out": True, "blood_flow": True, "bloom": "discard"},
    {"dead_waits": "exposed_count", "fans": {"men_qing": 3, "yi_tiao_long": 2, "jia_xin_wu": 1}},
]


SIZES = [
    {"sets": 2},
    {"sets": 3, "joker": "zhong"},
    {"players": 3, "suits": 2},
    {"players": 2, "suits": 2, "sets": 2},
    {"players": 3, "fans": {"jin_gou_diao": 2, "shi_ba_luo_han": 5}, "sets": 3},
]


@pytest.mark.parametrize("options", SIZES, ids=str)
@pytest.mark.parametrize("ruleset", ["chengdu", "xueliu"])
def test_a_smaller_table_is_asked_about_its_own_hands(
    ruleset: str, options: dict[str, Any]
) -> None:
    rules = load(ruleset).override({**options, "cap": 5})
    for kind in KINDS:
        for level in LEVELS:
            asked = question(rules, kind, level, "size", 1)
            assert asked.kind == kind
            assert asked.request["options"] == rules.changes()
            assert not list(faults(rules, asked))
            if kind == "settle":
                assert asked.seat is not None
                assert asked.seat < rules.players
            elif kind in ("win", "discard"):
                assert not parse(asked.request["hand"], size=rules.size).missing


@pytest.mark.parametrize("ruleset", ["chengdu", "xueliu"])
def test_a_term_of_no_system_is_drilled_where_a_table_has_it(ruleset: str) -> None:
    house = [term for term in TERMS.values() if term.house]
    fans = {term.id: 40 + n if term.kind == "pattern" else 1 for n, term in enumerate(house)}
    terms = fans.keys() - {"zi_mo", "ka_er_tiao"}
    rules = load(ruleset).override({"fans": fans, "cap": None})
    counted: set[str] = set()
    for number in range(2 * len(strata_of(rules, "fan", 3))):
        asked = question(rules, "fan", 3, "house", number)
        assert not list(faults(rules, asked))
        counted |= {term["id"] for term in score(asked.request)["terms"]}
    # 将七对 has four alike, so where a root completes nothing it is not asked for.
    assert terms - counted <= {"jiang_qi_dui"}
    assert all(not s.luck or s.luck not in terms for s in strata_of(load(ruleset), "fan", 3))


def test_with_two_suits_nobody_is_asked_about_pigs_or_a_third_suit() -> None:
    rules = load("chengdu").override({"suits": 2})
    for level in LEVELS:
        asked = question(rules, "pig", level, "two", 3)
        assert {choice.key for choice in asked.choices} == {"ready", "not_ready"}
        shown = {
            s.twist for kind in ("win", "pig", "settle") for s in strata_of(rules, kind, level)
        }
        assert not shown & {"third_suit", "three_suits", "void", "void_left", "pig", "pigs"}


@pytest.mark.parametrize("options", HOUSE, ids=str)
def test_house_rules_never_leave_a_drill_without_a_question(options: dict[str, Any]) -> None:
    if options.get("base") == "0.25":
        options = {"base": 0.25}
    rules: Rules = load("chengdu").override(options)
    for kind in KINDS:
        for level in LEVELS:
            asked = question(rules, kind, level, "house", 1)
            assert not list(faults(rules, asked))


def test_a_mixed_drill_asks_every_kind_before_one_comes_again() -> None:
    for turn in range(3):
        asked = Counter(mixed_kind("abc", turn * len(KINDS) + n) for n in range(len(KINDS)))
        assert asked == Counter(KINDS)


@pytest.mark.parametrize(
    ("kind", "level", "number", "topic"),
    [("magic", 1, 0, ""), ("fan", 4, 0, ""), ("fan", 1, -1, ""), ("fan", 1, 0, "magic")],
)
def test_what_does_not_exist_is_refused(kind: str, level: int, number: int, topic: str) -> None:
    with pytest.raises(ValueError, match="no such question"):
        question(load("chengdu"), kind, level, "abc", number, topic)
    with pytest.raises(ValueError, match="no such question"):
        stratum_at(load("chengdu"), kind, level, "abc", number, topic)


def test_mistakes_are_whole_sentences() -> None:
    assert all(text.endswith(("。", "：%(why)s")) for text in MISTAKES.values())
