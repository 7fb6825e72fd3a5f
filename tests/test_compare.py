"""The same hand under every system: which rows there are, and whose rules they are."""

import shutil
from pathlib import Path

from scoring.contract import compare
from scoring.rules import RULESETS, ids

HAND = {"ruleset": "laok", "hand": "11123455567899m"}


def test_a_table_that_changes_nothing_has_no_row_of_its_own() -> None:
    rows = compare({**HAND, "options": {"base": 6}})
    assert [row["ruleset"] for row in rows] == list(ids())
    changed = compare({**HAND, "options": {"cap": 1}})
    assert [row["ruleset"] for row in changed] == ["laok", *ids()]


def test_the_systems_compared_are_those_of_the_folder(tmp_path: Path) -> None:
    for file in RULESETS.glob("*.toml"):
        shutil.copy(file, tmp_path)
    for ruleset in ("laok", "sbr"):
        file = tmp_path / f"{ruleset}.toml"
        text = file.read_text("utf-8")
        assert "qing_yi_se = " in text
        file.write_text(text.replace("qing_yi_se = ", "qing_yi_se = 1"), "utf-8")
    usual = {row["ruleset"]: row["fan"] for row in compare(HAND)}
    here = {row["ruleset"]: row["fan"] for row in compare(HAND, folder=tmp_path)}
    assert {name for name in usual if usual[name] != here[name]} <= {"laok", "sbr"}
    assert here["laok"] == usual["laok"] + 10
