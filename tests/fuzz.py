"""Fuzzing: text that nobody would write, at every boundary of the engine.

A *target* reads text and checks what must hold whatever it says: no exception gets past the
boundary, and no answer violates a property. Texts are made by mangling good ones. What once failed
stands in tests/data/fuzz/, a JSON string a line, and is tried again by every test run.

`python -m tests.fuzz [TARGET …] [--seconds N] [--seed N]` looks for more and keeps what it finds.
"""

import argparse
import copy
import json
import random
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from calculator.site import wire
from scoring import contract, notation, rules
from scoring import drills as generate
from scoring.addresses import hand as permalink
from scoring.addresses import round as permalink_round
from scoring.hand import make_hand
from tests import case_files, house_rules
from tests.independent import hands
from tests.independent import rounds as random_rounds

FOLDER = Path(__file__).parent / "data" / "fuzz"
STATUSES = {"win", "ready", "not_ready", "not_won", "incomplete", "error"}


def same(one: Any, other: Any) -> None:
    """Equality, said in full when it fails."""
    assert one == other, f"{one!r} is not {other!r}"


# Targets


def check_notation(text: str) -> None:
    """What is read is written and read again; what is not read is named with its place."""
    try:
        hand = notation.parse(text)
    except notation.NotationError as error:
        assert error.problems
        for problem in error.problems:
            assert 0 <= problem.at <= len(text)
            assert text[problem.at :].startswith(problem.text), problem
        return
    written = notation.format_hand(hand)
    same(notation.parse(written), hand)
    same(notation.format_hand(notation.parse(written)), written)


def check_options(text: str) -> None:
    """House rules of an address: refused with codes, or written and read back the same."""
    ruleset, _, given = text.partition(" ")
    try:
        preset = rules.load(ruleset)
        made = preset.override(permalink.read_options(given))
    except rules.UnknownRuleset:
        return
    except rules.OptionErrors as error:
        assert error.errors
        assert {e["code"] for e in error.errors} <= {"unknown_option", "bad_option"}
        return
    written = permalink.write_options(made)
    again = preset.override(permalink.read_options(written))
    same(again, made)
    same(hash(again), hash(made))
    same(preset.override(made.changes()), made)
    same(permalink.write_options(again), written)


def check_rule_file(text: str) -> None:
    """A rule file is refused by name and key, or it makes rules that can be written out."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "chengdu.toml"
        file.write_text(text, "utf-8", "surrogatepass")
        try:
            made = rules.read(file)
        except rules.RulesError as error:
            assert str(error).startswith("chengdu.toml: ")
            return
    same(made.override(made.options()), made)
    assert made.changes() == {}


def check_score(text: str) -> None:
    """Any JSON is answered; sums are right, and the canonical form of a hand is worth the same."""
    request = loaded(text)
    before = copy.deepcopy(request)
    got = contract.score(request)
    same(request, before)
    wire.dumps(got)
    assert got["status"] in STATUSES
    if got["status"] == "error":
        assert got["errors"]
        assert all(error["code"] for error in got["errors"])
        return
    for part in [got, *got.get("waits", ()), *got.get("alternatives", ())]:
        if "terms" in part:
            same(sum(term["fan"] for term in part["terms"]), part["uncapped_fan"])
            assert part["fan"] <= part["uncapped_fan"]
    same(contract.score(canonical(request)), got)


def canonical(request: dict[str, Any]) -> dict[str, Any]:
    """The same request with the concealed tiles in order and the winning one apart."""
    hand = notation.parse(request["hand"])
    if request.get("win_tile") or hand.win_tile is None or request.get("melds"):
        return request
    if not hand.named:
        return request
    return {**request, "hand": notation.format_hand(hand)}


def check_compare(text: str) -> None:
    """Every system answers, the request's own as `score` does."""
    request = loaded(text)
    rows, got = contract.compare(request), contract.score(request)
    wire.dumps(rows)
    if isinstance(rows, dict):
        same(rows["status"], "error")
        return
    # A table's own version of a system stands before the presets.
    names = [row["ruleset"] for row in rows]
    same(names[-len(rules.ids()) :], list(rules.ids()))
    assert names[: -len(rules.ids())] in ([], [request["ruleset"]])
    assert all(row["status"] in STATUSES for row in rows)
    if got["status"] == "win" and not request.get("options"):
        own = next(row for row in rows if row["ruleset"] == request["ruleset"])
        same((own["fan"], own["multiple"]), (got["fan"], got["multiple"]))


def check_explain(text: str) -> None:
    """Every distance is a number of tiles, and no pattern is both had and missed."""
    got = contract.explain(loaded(text))
    wire.dumps(got)
    for row in got.get("patterns", ()):
        distance = row["distance"]
        assert distance is None or 0 <= distance <= 14
        assert len(row["give"]) <= 14
    had = {line["id"] for line in got.get("lines", ())}
    assert not had & {row["id"] for row in got.get("patterns", ()) if row["distance"] == 0}


def cents(amount: Any) -> int:
    """An amount as it is written, in hundredths."""
    hundred = 100 * Fraction(str(amount))
    assert hundred.denominator == 1, amount
    return int(hundred)


def check_settle(text: str) -> None:
    """Any JSON is answered; nothing is lost, and every total is the sum of its transfers."""
    request = loaded(text)
    before = copy.deepcopy(request)
    got = contract.settle(request)
    same(request, before)
    wire.dumps(got)
    same(contract.settle(request), got)
    assert got["status"] in ("settled", "error")
    if got["status"] == "error":
        assert got["errors"]
        got = got.get("settled")
        if got is None:
            return
    flows = [0] * len(got["totals"])
    lost = 0
    for row in got["transfers"]:
        amount = cents(row["amount"])
        assert amount > 0
        flows[row["from"]] -= amount
        if row["to"] is None:
            lost += amount
        else:
            flows[row["to"]] += amount
    same([cents(total) for total in got["totals"]], flows)
    same(sum(flows) + lost, 0)
    same(cents(got["penalties"]), lost)
    left = list(flows)
    for payment in got["fewest_transfers"]:
        left[payment["from"]] += cents(payment["amount"])
        if payment["to"] is not None:
            left[payment["to"]] -= cents(payment["amount"])
    assert not any(left), left


def check_hand_address(text: str) -> None:
    """An address stands for one state, whose own address stands for it again."""
    parameters = parameters_of(text)
    page, bad = permalink.read_hand(parameters)
    again, worse = permalink.read_hand(parameters_of(page.query))
    same((again, worse), (page, ()))
    same(again.query, page.query)
    permalink.rules_of(page)
    for system in rules.ids():
        permalink.switch_rules(page, system)
    try:
        request = permalink.hand_request(parameters)
    except rules.OptionErrors:
        assert "opt" in bad
        return
    got = contract.score(request)
    assert got["status"] in STATUSES
    assert not bad or got["status"] == "error"


def check_round_address(text: str) -> None:
    """The same for the page of a round."""
    page, _ = permalink_round.read_round(parameters_of(text))
    again, worse = permalink_round.read_round(parameters_of(page.query))
    same((again, worse), (page, ()))
    same(again.query, page.query)
    permalink.rules_of(page)
    for system in rules.ids():
        permalink.switch_rules(page, system)
    check_settle(wire.dumps(page.request))
    if page.entry is not None:
        permalink_round.holes(page.entry)


def check_drill(text: str) -> None:
    """A question under any house rules has one right answer among choices that differ."""
    ruleset, kind, level, number, given = [*text.split(" ", 4), *[""] * 5][:5]
    try:
        made = rules.load(ruleset).override(permalink.read_options(given))
    except (rules.UnknownRuleset, rules.OptionErrors):
        return
    if kind not in generate.KINDS or level not in ("1", "2", "3") or len(number) != 1:
        return
    turn = ord(number)
    asked = generate.question(made, kind, int(level), "fuzz", turn)
    same(generate.question(made, kind, int(level), "fuzz", turn), asked)
    keys = [choice.key for choice in asked.choices]
    same(len(set(keys)), len(keys))
    assert asked.answer and set(asked.answer) <= set(keys)
    assert len(keys) > 1


def parameters_of(query: str) -> dict[str, str]:
    """The parameters of an address, which is UTF-8 whatever was sent."""
    return dict(parse_qsl(query.encode("utf-8", "replace").decode()))


def loaded(text: str) -> Any:
    """The JSON that a text holds; another value where it is none."""
    try:
        return wire.loads(text)
    except wire.BadJson:
        return text


TARGETS: dict[str, Callable[[str], None]] = {
    "notation": check_notation,
    "options": check_options,
    "rule_file": check_rule_file,
    "score": check_score,
    "compare": check_compare,
    "explain": check_explain,
    "settle": check_settle,
    "hand_address": check_hand_address,
    "round_address": check_round_address,
    "drill": check_drill,
}

# Good texts


@cache
def seeds(target: str) -> list[str]:
    """Good texts of a target, from the cases and from the makers of random requests."""
    rnd = random.Random(target)
    requests = [request for _, request, _ in case_files.hand_cases()]
    requests += [hands.request(rnd) for _ in range(300)]
    if target == "drill":
        return [drill_of(rnd) for _ in range(400)]
    requests += [with_far_rules(rnd, hands.request(rnd, house_rules=False)) for _ in range(100)]
    if target == "notation":
        return [request["hand"] for request in requests] + NOTATIONS
    if target == "options":
        return [*OPTIONS, *options_of(requests)]
    if target == "rule_file":
        return [path.read_text("utf-8") for path in sorted(rules.RULESETS.glob("*.toml"))]
    if target in ("score", "compare", "explain"):
        return [wire.dumps(request) for request in requests]
    if target == "hand_address":
        return [*addresses(requests), *ADDRESSES]
    played = [random_rounds.request(random.Random(n)) for n in range(200)]
    played += [
        with_far_rules(rnd, random_rounds.request(random.Random(n))) for n in range(200, 300)
    ]
    if target == "settle":
        return [wire.dumps(one) for one in played]
    return [
        permalink_round.RoundPage(
            rules=one["ruleset"],
            opt=permalink.write_options(
                rules.load(one["ruleset"]).override(one.get("options", {}))
            ),
            dealer=one.get("dealer", 0),
            events=tuple(one["events"]),
        ).query
        for one in played
    ]


def with_far_rules(rnd: random.Random, request: dict[str, Any]) -> dict[str, Any]:
    """The same request under a table's own rules, far ones too."""
    return {**request, "options": house_rules.options(rnd, request["ruleset"])}


def drill_of(rnd: random.Random) -> str:
    """A drill under far house rules."""
    ruleset = rnd.choice(rules.ids())
    made = rules.load(ruleset).override(house_rules.options(rnd, ruleset))
    kind, level = rnd.choice(generate.KINDS), rnd.choice(generate.LEVELS)
    return f"{ruleset} {kind} {level} {chr(rnd.randrange(48, 123))} {permalink.write_options(made)}"


NOTATIONS = [
    "m123p456s777",
    "一二三万 四五六筒 七七条",
    "123456789m11p[555p]",
    "11m[222m](3333p)[44-44s][5555p]!1m",
    "１２３ｍ",
    "🀇🀈🀉🀙🀚🀛🀐🀐",
    "碰5筒 暗杠幺鸡 直杠三万 补杠9p 11m",
    "[55p1s][55-5p1s]2m",
]
OPTIONS = [
    "chengdu cap:4,self_draw_bonus:base,fans.jin_gou_diao:2,fans.gen:off,pig.points:8",
    "yaoji cap:off,joker:off,base:0.25",
    "sbr fans.gang_shang_hua.concealed_kong:3,kong_points.exposed_others:1",
    "laok pig.points:cap,pig.to:ready,pig.also_not_ready:1,blood_flow:1,scale:linear",
]
ADDRESSES = [
    "rules=chengdu&hand=123m456p78s!9s&by=self_draw&after=concealed_kong&last=1",
    "rules=laok&hand=11m(5555p)!1m&opt=cap:4,fans.gen:off&void=s&seen=123p&pao=1&bless=tian_hu",
]


def options_of(requests: list[dict[str, Any]]) -> Iterator[str]:
    for request in requests:
        try:
            made = rules.load(request["ruleset"]).override(request.get("options", {}))
        except (rules.OptionErrors, rules.UnknownRuleset):
            continue
        yield f"{request['ruleset']} {permalink.write_options(made)}"


def addresses(requests: list[dict[str, Any]]) -> Iterator[str]:
    for request in requests:
        try:
            hand = notation.parse(request["hand"])
            hand = make_hand(list(hand.tiles), hand.melds, win_tile=hand.win_tile)
            yield permalink.HandPage(rules=request["ruleset"], hand=hand).query
        except notation.NotationError:
            continue


# Mangling

ALPHABET = (
    "0123456789mpsMPS万筒条饼索一九幺鸡碰杠暗补直[]()!-+ ,.:;&=%_~wdrkxnahv"
    "\"'{}\n\t\x00０９ｍ🀇🀡東é\ud800"
)
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 3, 4, 14, 99, 100, 10**9, 10**30, 0.5, 0.005, 1e308),
    *("", "1s", "5m", "chengdu", "yaoji", "self_draw", "cap", "off", "[555m]", "0", "x" * 200),
    *([], [[]], ["5m"], {}, {"0": 1}, {"fans": {"gen": 1}}, [None] * 5, "\ud800"),
]


def mangled_text(rnd: random.Random, text: str, other: str) -> str:
    """A text with a few pieces cut, doubled, exchanged, replaced or taken from another."""
    for _ in range(rnd.choice([1, 1, 2, 3, 6])):
        at = rnd.randint(0, len(text))
        to = min(len(text), at + rnd.choice([0, 1, 1, 2, 5]))
        kind = rnd.randrange(6)
        if kind == 0:
            text = text[:at] + text[to:]
        elif kind == 1:
            text = text[:at] + rnd.choice(ALPHABET) + text[to:]
        elif kind == 2:
            text = text[:to] + text[at:]
        elif kind == 3:
            start = rnd.randint(0, len(other))
            text = text[:at] + other[start : start + rnd.randint(1, 8)] + text[to:]
        elif kind == 4:
            text = text[:at] + text[at:to][::-1] + text[to:]
        else:
            text = text[:at] + str(rnd.choice([0, 1, 9, 13, 99, 100, 10000])) + text[to:]
    return text


def mangled_value(rnd: random.Random, value: Any, other: Any) -> Any:
    """A JSON value with something in it changed, dropped, added or taken from another."""
    if rnd.random() < 0.12:
        return rnd.choice(VALUES)
    if isinstance(value, dict) and value:
        return _mangled_object(rnd, dict(value), other)
    if isinstance(value, list) and value:
        return _mangled_list(rnd, list(value), other)
    if isinstance(value, str):
        return mangled_text(rnd, value, other if isinstance(other, str) else "5m")
    if isinstance(value, int) and not isinstance(value, bool):
        return value + rnd.choice([-1, 1, 1, 10])
    return rnd.choice(VALUES)


def _mangled_object(rnd: random.Random, changed: dict[str, Any], other: Any) -> dict[str, Any]:
    key = rnd.choice(sorted(changed, key=str))
    kind = rnd.randrange(5)
    if kind == 0:
        del changed[key]
    elif kind == 1 and isinstance(other, dict) and other:
        taken = rnd.choice(sorted(other, key=str))
        changed[taken] = other[taken]
    elif kind == 2:
        new = rnd.choice(["", "seat", "from", "fan", "hand", "late", key + "x"])
        changed[new] = rnd.choice(VALUES)
    else:
        inner = other.get(key) if isinstance(other, dict) else other
        changed[key] = mangled_value(rnd, changed[key], inner)
    return changed


def _mangled_list(rnd: random.Random, changed: list[Any], other: Any) -> list[Any]:
    at = rnd.randrange(len(changed))
    kind = rnd.randrange(5)
    if kind == 0:
        del changed[at]
    elif kind == 1:
        changed.insert(rnd.randrange(len(changed)), changed[at])
    elif kind == 2:
        changed[at], changed[-1] = changed[-1], changed[at]
    else:
        inner = other[at % len(other)] if isinstance(other, list) and other else other
        changed[at] = mangled_value(rnd, changed[at], inner)
    return changed


def made(target: str, rnd: random.Random) -> str:
    """A text for a target."""
    text, other = rnd.choice(seeds(target)), rnd.choice(seeds(target))
    if text.startswith("{") and rnd.random() < 0.9:
        value: Any = json.loads(text)
        for _ in range(rnd.choice([1, 1, 2, 4])):
            value = mangled_value(rnd, value, json.loads(other))
        return json.dumps(value)
    return mangled_text(rnd, text, other)


# The corpus


def corpus(target: str) -> list[str]:
    """What is kept of a target."""
    file = FOLDER / f"{target}.jsonl"
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def keep(target: str, text: str) -> None:
    """Add a text to what is kept."""
    if text not in corpus(target):
        with (FOLDER / f"{target}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(text) + "\n")


def shortened(target: str, text: str) -> str:
    """A shorter text that fails in the same way, by leaving out pieces."""

    def failure(candidate: str) -> str:
        try:
            TARGETS[target](candidate)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__} {frame.filename}:{frame.lineno}"
        return ""

    wanted = failure(text)
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text):
            candidate = text[:at] + text[at + size :]
            if failure(candidate) == wanted:
                text = candidate
            else:
                at += size
        size //= 2
    return text


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "targets", nargs="*", choices=[*TARGETS, []], metavar="TARGET", help="default: all"
    )
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=time.time_ns())
    options = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for target in options.targets or TARGETS:
        rnd = random.Random(f"{options.seed} {target}")
        until, number, seen = time.monotonic() + options.seconds, 0, set()
        while time.monotonic() < until:
            number += 1
            text = made(target, rnd)
            try:
                TARGETS[target](text)
            except Exception as error:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                what = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
                if what not in seen:
                    seen.add(what)
                    text = shortened(target, text)
                    keep(target, text)
                    print(f"{target}: {what}: {error}\n  {text!r}", flush=True)
        print(f"{target}: {number:,} texts, {len(seen)} kinds of failure", flush=True)


if __name__ == "__main__":
    main()
