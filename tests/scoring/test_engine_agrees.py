"""The engine gives the same answers as the independent brute-force scorer on random requests.

Every status, number, term, wait, discard and payment is compared. `AGREEMENT_CASES` sets how many
requests are tried in all, `AGREEMENT_SEED` where they begin; a failure prints the request.
"""

import copy
import json
import os
import random
import shutil

import pytest

from scoring import contract, rules
from tests.independent import hands, scorer
from tests.independent.agreement import differences

CASES = int(os.environ.get("AGREEMENT_CASES", "4000"))
SEED = int(os.environ.get("AGREEMENT_SEED", "20251130"))


def disagreements(seed, number, ruleset, house_rules, folder=rules.RULESETS):
    """(request, lines) of each of `number` random requests that the two scorers see otherwise."""
    rnd = random.Random(f"{seed} {ruleset} {house_rules}")
    for _ in range(number):
        request = hands.request(rnd, ruleset, house_rules)
        got = contract.score(copy.deepcopy(request), folder=folder)
        lines = differences(scorer.score(request), got)
        if lines:
            yield request, lines


@pytest.mark.parametrize("house_rules", [False, True], ids=["preset", "house_rules"])
@pytest.mark.parametrize("ruleset", scorer.RULESETS)
def test_random_hands_are_worth_the_same(ruleset, house_rules):
    number = CASES // (2 * len(scorer.RULESETS))
    for request, lines in disagreements(SEED, number, ruleset, house_rules):
        pytest.fail("\n".join([json.dumps(request, ensure_ascii=False), *lines]))


CHANGES = [
    ("chengdu", "concealed_kong = 2", "concealed_kong = 1"),
    ("yaoji", "cap = 6", "cap = 5"),
    ("laok", "gen = 1", "gen = 2"),
    ("jipin", "qing_dui = 4", "qing_dui = 5"),
    ("xueliu", "men_qing_zi_mo = 1", "men_qing_zi_mo = 2"),
    ("yichang", "dui_dui_hu = 3", "dui_dui_hu = 4"),
    ("sbr", 'self_draw_bonus = "base"', 'self_draw_bonus = "none"'),
    ("majsoul", "qi_dui = 3", "qi_dui = 4"),
]


@pytest.mark.parametrize(("ruleset", "old", "new"), CHANGES)
def test_one_changed_value_in_a_rule_file_is_noticed(tmp_path, ruleset, old, new):
    """The comparison can fail: a single wrong value in a copy of the files makes it."""
    folder = shutil.copytree(rules.RULESETS, tmp_path / "rulesets")
    assert next(disagreements(SEED, 30, ruleset, False, folder), None) is None
    folder = shutil.copytree(folder, tmp_path / "changed")
    file = folder / f"{ruleset}.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count(f"\n{old}\n") == 1
    file.write_text(text.replace(f"\n{old}\n", f"\n{new}\n"), encoding="utf-8")
    assert next(disagreements(SEED, 500, ruleset, False, folder), None) is not None


NEW_SYSTEM = """
id = "village"
name = "村里的打法"
short = "村"
source = "村口的牌桌"
combine = "sum"
scale = "double"
fan0 = 0
base = 0.5
cap = 5
self_draw_bonus = "fan"

[fans]
ping_hu = 0
dui_dui_hu = 1
qing_yi_se = 3
men_qing = 1
gen = 2
"""


def test_a_new_system_needs_only_a_data_file(tmp_path):
    (tmp_path / "village.toml").write_text(NEW_SYSTEM, encoding="utf-8")
    assert rules.ids(tmp_path) == ("village",)
    request = {"ruleset": "village", "hand": "11122233355444m", "by": "self_draw"}
    got = contract.score(request, folder=tmp_path)
    assert got["status"] == "win"
    terms = {term["id"]: term["fan"] for term in got["terms"] if term["fan"]}
    assert terms == {"dui_dui_hu": 1, "qing_yi_se": 3, "men_qing": 1, "zi_mo": 1}
    assert (got["uncapped_fan"], got["fan"], got["multiple"], got["points"]) == (6, 5, 32, 16)


def test_a_system_that_is_not_there_is_unknown(tmp_path):
    (tmp_path / "village.toml").write_text(NEW_SYSTEM, encoding="utf-8")
    got = contract.score({"ruleset": "chengdu", "hand": "123m"}, folder=tmp_path)
    assert [error["code"] for error in got["errors"]] == ["unknown_ruleset"]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("gen = 2", "gen = -1", "fans.gen"),
        ("gen = 2", "gem = 2", "fans.gem"),
        ("cap = 5", 'cap = "high"', "cap"),
        ('combine = "sum"', 'combine = "both"', "combine"),
        ("base = 0.5", "basis = 0.5", "basis"),
        ("fan0 = 0", "fan0 = 1", "fans.ping_hu"),
    ],
)
def test_a_fault_in_a_rule_file_is_told_with_file_and_key(tmp_path, old, new, key):
    text = NEW_SYSTEM.replace(old, new)
    (tmp_path / "village.toml").write_text(text, encoding="utf-8")
    with pytest.raises(rules.RulesError) as caught:
        rules.load("village", tmp_path)
    assert "village.toml" in str(caught.value)
    assert key in str(caught.value)
