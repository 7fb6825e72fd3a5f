"""The ready-made tables: each a file, checked like a rule system, offered beside the systems."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from scoring import ready
from scoring.addresses.hand import read_options
from scoring.contract import settle
from scoring.rules import RulesError, load

ROOT = Path(__file__).parents[2]
#: What each of the nine is called, and its system.
NINE = {
    "sbr_four": ("竞赛四番", "sbr"),
    "chengdu_common": ("成都常见", "chengdu"),
    "rooms": ("川麻房间", "chengdu"),
    "rooms_flow": ("血流房间", "chengdu"),
    "zhong_flow": ("红中血流", "xueliu"),
    "three_two": ("三丁拐", "chengdu"),
    "three_three": ("三人三房", "chengdu"),
    "four_two": ("四人两房", "chengdu"),
    "two_two": ("二人两房", "chengdu"),
}
COMMON = {"cap", "self_draw_bonus", "pig", "fans"}


def test_the_nine_tables_in_their_order() -> None:
    found = {table.id: (table.name, table.rules.id) for table in map(ready.load, ready.ids())}
    assert found == NINE
    assert list(found) == list(NINE)


@pytest.mark.parametrize(
    ("table", "more"),
    [
        ("three_two", {"players": 3, "suits": 2}),
        ("three_three", {"players": 3}),
        ("four_two", {"suits": 2, "sets": 2}),
        ("two_two", {"players": 2, "suits": 2, "sets": 2}),
    ],
)
def test_a_smaller_table_is_the_common_one_with_fewer(table: str, more: dict[str, int]) -> None:
    changes = ready.load(table).rules.changes()
    common = ready.load("chengdu_common").rules.changes()
    assert changes == {**common, **more}
    assert set(common) == COMMON


@pytest.mark.parametrize("table", NINE)
def test_an_address_writes_a_table_as_its_system_and_options(client: Client, table: str) -> None:
    rows = client.get("/api/v1/rules").json()["tables"]
    row = next(row for row in rows if row["table"] == table)
    made = load(row["ruleset"])
    rules = ready.load(table).rules
    assert made.override(read_options(row["opt"])) == rules == made.override(row["options"])
    page = client.get("/settle/", {"rules": row["ruleset"], "opt": row["opt"]})
    assert page.status_code == 200
    assert row["source"]
    assert settle({"ruleset": row["ruleset"], "options": row["options"], "events": []})["open"]


def test_the_names_are_in_the_language_of_the_reader(client: Client) -> None:
    rows = client.get("/api/v1/rules", {"lang": "en"}).json()["tables"]
    assert not re.search("[\u3400-\u9fff]", json.dumps(rows, ensure_ascii=False))


GOOD = 'id = "home"\nname = "周五那桌"\nsystem = "laok"\nsource = "自家"\n[options]\ncap = 4\n'


def test_a_table_is_one_small_file(tmp_path: Path) -> None:
    (tmp_path / "home.toml").write_text(GOOD, "utf-8")
    assert ready.load("home", tmp_path).rules.changes() == {"cap": 4}
    assert ready.ids(tmp_path) == ("home",)


def test_the_recipe_of_the_handbook_makes_a_table(tmp_path: Path) -> None:
    section = (ROOT / "docs" / "contributing.md").read_text("utf-8").partition("## Add a table")[2]
    recipe = re.search(r"```toml\n(.*?)```", section, re.S)
    assert recipe
    (tmp_path / "friday.toml").write_text(recipe[1], "utf-8")
    table = ready.load("friday", tmp_path)
    assert table.rules.changes() == {"cap": 5, "fans": {"gen": 2}}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"周五那桌"', '""', "name: a text is needed"),
        ('"laok"', '"nowhere"', "system: no system 'nowhere'"),
        ('"home"', '"house"', "id: must be the file's name, 'home'"),
        ("cap = 4", "cap = 400", "cap: 1..99|null"),
        ("cap = 4", "hat = 4", "hat: unknown_option"),
        ("cap = 4", "", "options: they change nothing"),
        ("[options]", "[extra]", "extra: unknown key"),
        ("cap = 4", "cap = ", ""),
    ],
)
def test_a_bad_line_is_named_with_file_and_key(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    (tmp_path / "home.toml").write_text(GOOD.replace(old, new), "utf-8")
    with pytest.raises(RulesError, match=re.escape(f"home.toml: {said}")):
        ready.load("home", tmp_path)


def test_a_table_that_is_none_is_not_found() -> None:
    with pytest.raises(KeyError):
        ready.load("../rulesets/laok")
