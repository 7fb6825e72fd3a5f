"""Every code and every expectation of the engine has its own sentence."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import scoring
from calculator.words import texts
from calculator.words.answers import present
from scoring.addresses.hand import HAND_PARAMETERS
from scoring.addresses.round import ROUND_PARAMETERS
from scoring.contract import score, settle
from scoring.contract.hand import _REQUEST_KEYS
from scoring.hand import BLESSINGS
from scoring.rules import FIELDS, OPTIONS, OptionErrors, Takes, load

SOURCES = sorted(Path(scoring.__file__).parent.rglob("*.py"))
#: Codes that the site alone gives.
OF_THE_SITE = {"bad_request", "too_large", "method_not_allowed", "not_found", "bad_field"}
#: Told by a sentence of its `why`, or not shown: unknown names have a sentence of their own.
WITH_WHY = {"a full count", "one tile short of a full count", "at most three jokers", "term id"}
#: Where an expectation is an argument, and at which place.
EXPECTING = {"field": 1, "bad": 1, "_bad": 1, "_Bad": 0}
LATIN = re.compile("[a-z]{2}")


@cache
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of the engine, with the name of its module."""
    root = Path(scoring.__file__).parent
    found = []
    for path in SOURCES:
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found += [(name, node) for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    return tuple(found)


def called(node: ast.AST) -> str:
    """The bare name of what a node calls."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def strings(node: ast.AST | None) -> set[str]:
    """The texts that an expression may be, with 7 for what is put into them."""
    if isinstance(node, ast.IfExp):
        return strings(node.body) | strings(node.orelse)
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "7" for part in node.values]
        return {"".join(map(str, parts))}
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def under(key: str) -> set[str]:
    """The texts under a key of a dict, in an argument or in a variable of this name."""
    found: set[str] = set()
    for _, node in nodes():
        if isinstance(node, ast.Dict):
            for name, value in zip(node.keys, node.values, strict=True):
                found |= strings(value) if strings(name) == {key} else set()
        elif isinstance(node, ast.keyword | ast.Assign):
            names = [node.arg] if isinstance(node, ast.keyword) else node.targets
            if key in [getattr(one, "id", one) for one in names]:
                found |= strings(node.value)
    return found


def codes() -> set[str]:
    """Every code of an error, a warning or a note."""
    found = under("code")
    for _, node in nodes():
        if called(node) in ("error", "_error"):
            found |= strings(node.args[0]) if node.args else set()
        elif called(node) == "_acts":
            found |= strings(node.args[1])
    return found


def expectations() -> set[str]:
    """Everything that a field or an option may expect, the plain choices aside."""
    found = under("expected")
    for _, node in nodes():
        place = EXPECTING.get(called(node))
        if place is not None and len(node.args) > place:
            found |= strings(node.args[place])
    for name in FIELDS:
        with pytest.raises(OptionErrors) as refused:
            load("chengdu").override({name: "?"})
        words = getattr(OPTIONS.get(name), "takes", Takes()).also
        if not any(isinstance(word, str) for word in words):
            found |= {error["expected"] for error in refused.value.errors}
    # A part of another expectation stands in it.
    return {text for text in found if not text.startswith("7|")} - WITH_WHY


def choices() -> Iterator[tuple[str, list[str]]]:
    """The choices of every field, and the name of the field."""
    for module, node in nodes():
        place = {"choice": 0, "_choice": 1}.get(called(node))
        if place is None or module not in ("contract.hand", "contract.round"):
            continue
        names = strings(node.args[place]) if len(node.args) > place + 1 else set()
        code = compile(ast.Expression(node.args[place + 1]), module, "eval") if names else None
        if code is not None:
            found = eval(code, vars(import_module(f"scoring.{module}")))
            yield names.pop(), [str(one) for one in found]


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    assert codes() | OF_THE_SITE == texts.ERRORS.keys() | texts.NOTES.keys()


def reasons() -> set[str]:
    """Every reason that an error may give besides its code."""
    # A request that is no object and a text that is nothing have the sentence of their code.
    found = under("why") - {"not_an_object"} | {"repeated_key"}
    for module, node in nodes():
        if called(node) == "NotationProblem":
            found |= {strings(one).pop() for one in getattr(node, "args", [])[2:]} - {"unknown"}
        elif module == "analyse" and getattr(node, "name", "") in ("_no_such_way", "_no_blessing"):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Yield):
                    found |= strings(inner.value)
    blessed = {one for one in found if one.startswith("7_")}
    return found - blessed | {name + one[1:] for one in blessed for name in BLESSINGS}


def test_every_reason_of_an_error_has_a_sentence_and_every_such_sentence_a_reason() -> None:
    assert reasons() == {why for _, why in texts.WHY}


def test_every_expectation_has_a_sentence() -> None:
    every = expectations()
    assert {"{id: fan|null}", "7 names of at most 7 characters", "true|false", "7..7"} <= every
    for expected in every:
        error = {"code": "bad_field", "field": "seat", "expected": expected}
        said = texts.message(error)
        assert said != texts.message({"code": "bad_field", "field": "seat"}), expected
        assert not LATIN.search(said), (expected, said)


def test_every_choice_of_a_field_has_a_word() -> None:
    every = dict(choices())
    assert {"by", "kind", "type", "state", "void", "blessing"} <= every.keys()
    for name, found in every.items():
        error = {"code": "bad_field", "field": name, "expected": "|".join(found)}
        assert not LATIN.search(texts.message(error)), name


@pytest.mark.parametrize("name", FIELDS)
def test_every_option_says_what_it_takes(name: str) -> None:
    for value in ("?", {"to": "?", "exposed": "?", "qi_dui": "?"}):
        with pytest.raises(OptionErrors) as refused:
            load("chengdu").override({name: value})
        for error in refused.value.errors:
            if error["code"] == "bad_option":
                assert not LATIN.search(texts.message(error)), error


def test_every_field_has_a_name() -> None:
    names = {*HAND_PARAMETERS, *ROUND_PARAMETERS, *_REQUEST_KEYS}
    for module, node in nodes():
        if module != "contract.round" or not isinstance(node, ast.Call):
            continue
        if called(node) == "known":
            names |= {name for arg in node.args for name in strings(arg)}
        elif called(node) in ("bad", "_bad", "seat", "flag", "choice", "tile"):
            names |= {name for arg in node.args[:1] for name in strings(arg)}
    assert {"type", "players", "waived", "best"} <= names
    assert {name for name in names if name.isidentifier()} - texts.FIELDS.keys() == set()


def settled(**more: Any) -> list[str]:
    """What a round is refused with."""
    answer = settle({"ruleset": "chengdu", "events": [], **more})
    return [texts.message(error) for error in answer.get("errors", ())]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"by": "self_draw", "winners": []}, "自摸只有一家胡。"),
        ({"by": "discard", "from": 0, "winners": []}, "“胡家”要写 1 到 3 家。"),
    ],
)
def test_winners_are_counted_and_no_number(event: dict[str, Any], said: str) -> None:
    assert settled(events=[{"type": "win", **event}]) == [said]


def test_a_name_for_each_player_is_needed() -> None:
    assert settled(players=["a", "b"]) == ["“名字”要每家写一个，每个最多 40 个字。"]


def test_a_table_of_options_says_that_it_is_one() -> None:
    answer = score({"ruleset": "chengdu", "hand": "", "options": {"fans": 3}})
    assert texts.message(answer["errors"][0]) == "“番种”要逐项写：每个番种几番，或者不算。"


def test_a_win_passed_up_by_a_hand_that_is_not_ready_is_remarked_in_words() -> None:
    hands = {"0": {"state": "not_ready", "waived": True}}
    hands |= {str(seat): {"state": "not_ready"} for seat in (1, 2, 3)}
    answer = settle({"ruleset": "laok", "events": [{"type": "draw", "hands": hands}]})
    said = [texts.message(warning) for warning in answer["warnings"]]
    assert said == ["东没有叫，“最后四张放过了胡牌”不起作用。"]


def step_names(**asked: Any) -> list[str]:
    """From the fan to the multiple, in words."""
    answer = score({"hand": "22244455577799m", "by": "self_draw", **asked})
    rules = load(asked["ruleset"]).override(asked["options"])
    return [step["name"] for step in present(answer, rules)["steps"]]


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("chengdu", "翻 "),
        ("laok", "从 1 番起，翻 "),
        ("xueliu", "番数就是倍数"),
    ],
)
def test_what_a_self_draw_adds_is_a_step_of_its_own(ruleset: str, said: str) -> None:
    plain = step_names(ruleset=ruleset, options={"self_draw_bonus": "none"})
    assert plain[0].startswith(said)
    for bonus, step in (("base", "自摸另加一个底"), ("double", "自摸付两倍")):
        made = step_names(ruleset=ruleset, options={"self_draw_bonus": bonus})
        assert made == [plain[0], step, *plain[1:]]
