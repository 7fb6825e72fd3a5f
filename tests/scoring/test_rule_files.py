"""A rule file that says what no rules can be is refused: its name, the key, what is meant."""

from pathlib import Path

import pytest

from scoring.contract import compare, explain, score
from scoring.rules import RulesError, Ruling, load
from scoring.settle import Escape, settle

GOOD = """\
id = "home"
name = "自家规则"
short = "自家"
source = "牌桌约定"
combine = "max"
fan0 = 1
fans.ping_hu = 1
"""

ROW = "each has on and text, and may have also, other, options"


def read(folder: Path, text: str) -> str:
    """The id of what a file `home.toml` says."""
    (folder / "home.toml").write_text(text, "utf-8")
    return load("home", folder).id


def test_a_small_file_is_enough(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == "home"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nothing = 1", "nothing: unknown key"),
        ('check_by = "guess"', "check_by: discard|self_draw"),
        ("assumed = [1]", "assumed: a list of texts is needed"),
        ('assumed = ["nothing"]', "assumed: unknown id 'nothing'"),
        ("play = [1]", "play: a list of texts is needed"),
        ("readings = [1]", f"readings: {ROW}"),
        ('readings = [{ on = ["cap"] }]', f"readings: {ROW}"),
        ('readings = [{ on = ["hat"], text = "一" }]', "readings: unknown id 'hat'"),
        ('readings = [{ on = ["cap"], text = "一", options = { cap = "x" } }]', "cap: 1..99|null"),
        (
            'readings = [{ on = ["cap"], text = "一", options = { cap = "none" } }]',
            "readings: the options of 'cap' change nothing",
        ),
        ("escape_points = -1", "fan0 or escape_points: 0..9999"),
        ('refuses = ["nothing"]', "refuses: tian_hu|di_hu"),
        ("self_draw_bonus = 3", "self_draw_bonus: none|base|fan|base_capped|double"),
        ("fans.nothing = 1", "fans.nothing: term id"),
    ],
)
def test_a_bad_line_is_named_with_its_key(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(tmp_path, f"{GOOD}{line}\n")
    assert str(caught.value) == f"home.toml: {said}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"home"', '"else"', "id: must be the file's name, 'home'"),
        ('"max"', '"most"', "combine: max|sum"),
        ('"自家"', "7", "short: a text is needed"),
    ],
)
def test_a_bad_value_is_named_with_its_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(tmp_path, GOOD.replace(old, new))
    assert str(caught.value) == f"home.toml: {said}"


def test_what_a_file_says_for_people_is_kept_in_order(tmp_path: Path) -> None:
    reading = '[[readings]]\non = ["cap"]\ntext = "三"\noptions = { cap = 4 }\n'
    texts = f'play = ["一", "二"]\nescape_points = 0\n{reading}'
    read(tmp_path, f"{GOOD}{texts}")
    rules = load("home", tmp_path)
    assert (rules.play, rules.escape_points) == (("一", "二"), 0)
    assert rules.readings == (Ruling(("cap",), "三", options={"cap": 4}),)


def test_who_runs_away_pays_what_the_file_says(tmp_path: Path) -> None:
    read(tmp_path, f"{GOOD}escape_points = 5\n")
    assert settle(load("home", tmp_path), [Escape(3)]).totals == (500, 500, 500, -1500)


def test_a_bloom_that_names_some_kongs_is_nothing_after_the_others(tmp_path: Path) -> None:
    read(tmp_path, f"{GOOD}fans.gang_shang_hua = {{ exposed_kong = 1, added_kong = 1 }}\n")
    rules = load("home", tmp_path)
    found = [rules.fan_of("gang_shang_hua", f"{kind}_kong") for kind in ("added", "concealed")]
    assert found == [1, None]
    some = {"exposed_kong": 2, "added_kong": 2}
    table = load("home", tmp_path).override({"fans": {"gang_shang_hua": some, "gen": 1}})
    assert table.fan_of("gang_shang_hua", "concealed_kong") is None


def test_a_bloom_is_one_number_only_where_all_kongs_have_it(tmp_path: Path) -> None:
    read(tmp_path, GOOD)
    some = {"exposed_kong": 1, "added_kong": 1}
    table = load("home", tmp_path).override({"fans": {"gang_shang_hua": some}})
    assert table.fan_of("gang_shang_hua", "added_kong") == 1
    assert table.fan_of("gang_shang_hua", "concealed_kong") is None


def test_every_call_reads_the_rules_of_another_folder(tmp_path: Path) -> None:
    read(tmp_path, GOOD)
    asked = {"ruleset": "home", "hand": "123456789m1122p"}
    (row,) = compare(asked, folder=tmp_path)
    assert row["ruleset"] == score(asked, folder=tmp_path)["ruleset"] == "home"
    assert explain(asked, folder=tmp_path)["ruleset"] == "home"


def test_the_end_of_the_round_follows_blood_flow_unless_the_table_sets_it() -> None:
    chengdu = load("chengdu")
    assert chengdu.override({"blood_flow": True}).round_ends == "wall"
    both = chengdu.override({"blood_flow": True, "round_ends": "three_wins"})
    assert both.round_ends == "three_wins"
