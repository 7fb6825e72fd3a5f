"""Engine and independent scorer agree on a sample of all winning hands, and would not always."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scoring import rules, score
from scoring.decompose import OUTSIDE, PAIRS, SUIT_FACTS
from scoring.notation import parse
from scoring.tiles import NO_TERMINALS
from tests import every_hand
from tests.every_hand import Unit, check, units

ROOT = Path(__file__).parents[2]
SYSTEMS = rules.ids()
#: The stream of concealed hands begins with those of 万 alone.
ALL_OF_WAN = 15_349
#: Every so manieth hand of a part; primes, so that no regularity is met with another.
STEPS = {
    "concealed": 499,
    "melds1": 499,
    "melds2": 2003,
    "melds3": 4001,
    "melds4": 2003,
    "waits": 97,
    "jokers": 97,
    "terms": 9973,
    "hooks": 2003,
    "three": 997,
    "two": 97,
    "zhong": 97,
    "places": 199,
}
#: Of parts whose pieces are long to walk through, every so manieth piece.
PIECES = {"melds2": 3, "melds4": 2, "hooks": 9}


@pytest.mark.parametrize("part", every_hand.PARTS)
def test_a_sample_agrees(part: str) -> None:
    seen = 0
    for unit in units([part], STEPS[part])[:: PIECES.get(part, 1)]:
        found = check(unit, SYSTEMS)
        assert found.examples == []
        assert found.differences == 0
        seen += found.hands
    assert seen >= 100


def test_units_cover_every_item_once() -> None:
    for step in (1, 7):
        for part in every_hand.PARTS:
            mine = units([part], step)
            assert mine[0].start == 0
            assert mine[-1].stop == every_hand.SIZES[part][1]
            assert all(a.stop == b.start for a, b in pairwise(mine))


def test_there_are_93600_hands_of_thirteen_tiles_in_one_suit() -> None:
    hands = [every_hand._waiting(number) for number in range(every_hand.ONE_SUIT_WAITS)]
    assert len(set(hands)) == every_hand.ONE_SUIT_WAITS
    assert max(hands) < 1 << 27


# Faults planted on purpose: each is found.


@pytest.mark.parametrize(
    ("system", "old", "new"),
    [
        ("laok", "gen = 1", "gen = 2"),
        ("chengdu", "qing_yi_se = 2", "qing_yi_se = 3"),
        ("jipin", "cap = 4", "cap = 3"),
        ("xueliu", "men_qing_zi_mo = 1", "men_qing_zi_mo = 2"),
        ("majsoul", 'self_draw_bonus = "base"', 'self_draw_bonus = "none"'),
    ],
)
def test_a_wrong_value_in_a_rule_file_is_found(
    tmp_path: Path, system: str, old: str, new: str
) -> None:
    folder = shutil.copytree(rules.RULESETS, tmp_path / "rulesets")
    file = folder / f"{system}.toml"
    text = file.read_text("utf-8")
    assert text.count(f"\n{old}\n") == 1
    file.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), "utf-8")
    sample = units(["concealed"], 499)
    assert sum(check(unit, [system], folder).differences for unit in sample) > 0


def test_one_wrong_fact_of_one_suit_is_found_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    code = parse("11223344556677m").packed
    monkeypatch.setitem(SUIT_FACTS, code, SUIT_FACTS[code] & ~PAIRS)
    found = check(Unit("concealed", 0, ALL_OF_WAN), SYSTEMS)
    # That hand alone, under every system, by discard and by self-draw.
    assert found.differences == 2 * len(SYSTEMS)
    assert all(" 11223344556677m: " in example for example in found.examples)


def test_a_fact_that_is_too_kind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A suit taken for an outside one that has a 456 in it."""
    code = parse("11123456789999m").packed
    assert not SUIT_FACTS[code] & OUTSIDE
    monkeypatch.setitem(SUIT_FACTS, code, SUIT_FACTS[code] | OUTSIDE)
    found = check(Unit("concealed", 0, ALL_OF_WAN), ["chengdu"])
    assert found.differences == 2


def test_a_wrong_predicate_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """将对 that takes any pungs without 1 and 9."""
    faulty = tuple(
        replace(
            term,
            holds=lambda r: r.all_pungs and NO_TERMINALS in r.ranks,
            target=replace(term.target, ranks=NO_TERMINALS),
        )
        if term.id == "jiang_dui"
        else term
        for term in score.PATTERNS
    )
    monkeypatch.setattr(score, "PATTERNS", faulty)
    score.scorer.cache_clear()
    try:
        # Four melds of 2 to 5 and more: 将对 under one system, unknown to the other.
        found = check(Unit("melds4", 14_336, 14_340), ["chengdu", "xueliu"])
    finally:
        score.scorer.cache_clear()
    assert found.differences > 0
    assert all(example.startswith("chengdu ") for example in found.examples)


@pytest.mark.parametrize(("part", "term"), [("terms", "jiu_lian"), ("terms", "ban_ban_gao")])
def test_a_term_of_no_system_that_is_worth_something_else_is_found(
    monkeypatch: pytest.MonkeyPatch, part: str, term: str
) -> None:
    houses = {**every_hand.HOUSES, part: {"chengdu": {"fans": {term: 3}}}}
    monkeypatch.setattr(every_hand, "HOUSES", houses)
    monkeypatch.setattr(every_hand.Table, "asked", ("chengdu", json.dumps({"fans": {term: 4}})))
    found = check(Unit(part, 0, ALL_OF_WAN, 7), ["chengdu"])
    assert found.differences > 0


def test_what_a_hand_of_two_sets_lacks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pairs of a hand of two sets, taken for no hand."""
    code = parse("11223344m").packed
    monkeypatch.setitem(SUIT_FACTS, code, SUIT_FACTS[code] & ~PAIRS)
    found = check(Unit("two", 0, 1), ["chengdu"])
    # In each suit, by discard and by self-draw.
    assert found.differences == 3 * 2
    assert all(" 11223344" in example for example in found.examples)


def test_the_joker_counted_among_the_waits_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this comparison found in the engine at its first run."""
    plain = every_hand.waits

    def with_joker(part: int, melds: object, system: rules.Rules) -> list[int]:
        return plain(part, melds, replace(system, joker=None))  # type: ignore[arg-type]

    monkeypatch.setattr(every_hand, "waits", with_joker)
    found = check(Unit("waits", 93_600, 94_600), ["yaoji"])
    assert found.differences > 0


# The command


def verify(*arguments: str) -> str:
    out = StringIO()
    call_command("verify", *arguments, "--jobs", "1", stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_counts_and_keeps_its_results(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    arguments = ("concealed", "--step", "9973", "--rules", "sbr", "--state", str(state))
    first = verify(*arguments)
    number = len(range(0, 2_500_000, 9973)) + len(range(0, 61_091, 9973))
    assert re.search(rf"concealed +{number} +{2 * number} +0\n", first)
    kept = json.loads(state.read_text())
    assert set(kept["units"]) == {"concealed:0", "concealed:2500000"}
    # What is kept is not done again: a number written into the file comes out.
    kept["units"]["concealed:0"]["hands"] += 1_000
    state.write_text(json.dumps(kept))
    assert f"{number + 1_000:,}" in verify(*arguments)


def test_a_terminal_sees_counts_and_the_time_left(tmp_path: Path) -> None:
    """Of the pieces of this run: a file of results may hold those of other parts."""

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    state = tmp_path / "state.json"
    arguments = ("jokers", "--step", "701", "--state", str(state))
    verify(*arguments)
    kept = json.loads(state.read_text())
    kept["units"]["concealed:0"] = kept["units"].popitem()[1]
    state.write_text(json.dumps(kept))
    screen = Terminal()
    call_command("verify", *arguments, "--jobs", "1", stdout=StringIO(), stderr=screen)
    number = len(units(["jokers"], 701))
    shown = screen.getvalue()
    assert f"{number} of {number} pieces" in shown
    assert " 0 differences; " in shown
    assert re.search(r"\d+:\d\d left", shown)


def test_results_of_another_choice_are_not_taken(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    first = verify("jokers", "--step", "4001", "--state", str(state))
    kept = json.loads(state.read_text())
    kept["about"]["files"] = "another engine"
    kept["units"]["jokers:0"]["hands"] += 1_000
    state.write_text(json.dumps(kept))
    assert verify("jokers", "--step", "4001", "--state", str(state)) == first


def test_it_can_be_stopped_and_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    command = [sys.executable, "manage.py", "verify", "jokers", "--step", "10", "--jobs", "2"]
    command += ["--state", str(state)]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not state.exists() and running.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=120)
    if running.returncode == 130:
        assert "Stopped after" in said
    else:
        assert running.returncode == 0  # too quick to be stopped
    assert json.loads(state.read_text())["units"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "jokers" in done.stdout
    assert len(json.loads(state.read_text())["units"]) == len(units(["jokers"], 10))


@pytest.mark.parametrize(
    "wrong", [["melds5"], ["--rules", "nowhere"], ["--step", "0"], ["--jobs", "0"]]
)
def test_what_it_does_not_know_is_told(wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify", *wrong, stdout=StringIO())


def test_a_file_that_is_no_state_is_told(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text("[]")
    with pytest.raises(CommandError, match="holds no results"):
        call_command("verify", "jokers", "--state", str(state), stdout=StringIO())
