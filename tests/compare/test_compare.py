"""The same hand under every system: which rows there are, and whose rules they are."""

import re
import shutil
from html import unescape
from pathlib import Path

from django.test import Client

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


def beside(left: str, right: str, more: str = "") -> dict[str, list[str]]:
    """The rows in which two systems differ, with what stands in them."""
    html = Client().get(f"/compare/?rules={left}&with={right}{more}").content.decode()
    card = html.partition("两套规则本身的不同")[2].partition("</section>")[0]
    return {
        unescape(name): [re.sub(r"<[^>]+>|\u2060|推", "", cell) for cell in cells.split("<td>")[1:]]
        for name, cells in re.findall(r'<th scope="row"><a[^>]*>(.*?)</a></th>(.*?)</tr>', card)
    }


def test_two_systems_are_compared_by_what_a_hand_pays() -> None:
    rows = beside("chengdu", "laok")
    # 2 fan from 0 and 3 fan from 1 are both four times the base.
    assert not {"平胡", "清一色", "对对胡", "龙七对", "天胡", "补杠"} & set(rows)
    assert rows["暗杠"] == ["2番", "1番"]
    assert beside("chengdu", "majsoul")["龙七对"] == ["4番 · 16倍", "4番 · 8倍"]
    html = Client().get("/compare/?rules=chengdu&with=laok").content.decode()
    assert "成都从 0 番数起，老K从 1 番数起" in html


def test_caps_at_one_multiple_are_one_cap() -> None:
    # 3 fan from 0 and 4 fan from 1: eight times the base.
    assert "封顶" not in beside("sbr", "jipin")
    assert beside("sbr", "majsoul")["封顶"] == ["8倍封顶", "32倍封顶"]


def test_a_system_beside_itself_does_not_differ() -> None:
    for ruleset in ids():
        assert beside(ruleset, ruleset) == {}


def test_the_header_of_a_comparison_names_every_condition_of_the_win() -> None:
    hand = "/compare/?rules=chengdu&hand=234678m99p678p(3333p)&by=self_draw"
    html = Client().get(f"{hand}&after=concealed_kong&last=1&void=s&seen=1s2s").content.decode()
    assert "自摸 · 杠上花（暗杠之后） · 海底 · 定缺条 · 桌上已见 一条、二条" in html


def test_equal_shares_of_different_payers_are_not_called_the_same(client: Client) -> None:
    hand = "234567m3459p[6666p]!9p"
    asked = {"rules": "chengdu", "hand": hand, "by": "self_draw", "after": "exposed_kong"}
    text = client.get("/compare/", asked | {"with": "yaoji"}).content.decode()
    assert "每个付钱的人付的一份一样多" in text
    assert "谁付不一样" in text and "点杠者" in text
