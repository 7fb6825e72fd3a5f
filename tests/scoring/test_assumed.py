"""Values that no source states are marked wherever a hand shows them: answers, tables, pages."""

import json
import re

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.addresses.round import RoundPage
from scoring.contract import compare, score

#: Waits for 清对 (9m) and for 清一色 (8m).
WAITS_FOR_TWO = "2224445557779m"


def test_every_wait_says_what_no_source_states_of_its_value():
    answer = score({"ruleset": "xueliu", "hand": WAITS_FOR_TWO})
    assert {wait["tile"]: wait["assumed"] for wait in answer["waits"]} == {
        "9m": ["qing_dui", "scale"],
        "8m": ["qing_yi_se", "scale"],
    }
    assert answer["assumed"] == ["qing_dui", "scale", "qing_yi_se"]
    stated = score({"ruleset": "chengdu", "hand": WAITS_FOR_TWO})
    assert stated["assumed"] == [] == stated["waits"][0]["assumed"]
    own = {"scale": "double", "fans": {"qing_dui": 9}}
    answer = score({"ruleset": "xueliu", "hand": WAITS_FOR_TWO, "options": own})
    assert answer["assumed"] == ["qing_yi_se"]


def test_so_does_every_wait_behind_a_discard():
    answer = score({"ruleset": "yichang", "hand": "2224445557779m1p"})
    (best, *_) = answer["discards"]
    assert best["tile"] == "1p"
    assert [wait["assumed"] for wait in best["waits"]] == [["qing_dui"], []]
    assert answer["assumed"] == ["qing_dui"]


@pytest.mark.parametrize("hand", [WAITS_FOR_TWO, WAITS_FOR_TWO + "9m"])
def test_every_row_of_a_comparison_says_it_too(hand):
    rows = compare({"ruleset": "chengdu", "options": {"cap": 4}, "hand": hand})
    assert {row["ruleset"]: row["assumed"] for row in rows if row["assumed"]} == {
        "xueliu": ["qing_dui", "scale"],
        "yichang": ["qing_dui"],
    }


def test_a_hand_without_a_value_uses_none():
    answer = score({"ruleset": "xueliu", "hand": "147m258p369s1234m"})
    assert (answer["status"], answer["assumed"]) == ("not_ready", [])
    rows = compare({"ruleset": "xueliu", "hand": "147m258p369s1234m"})
    assert all(row["assumed"] == [] for row in rows)


@pytest.mark.parametrize(
    ("kongs", "options", "assumed"),
    [
        ([["added_kong"]], {}, ["added_kong"]),
        ([["added_kong", "concealed_kong", "added_kong"]], {}, ["added_kong", "concealed_kong"]),
        ([["added_kong"]], {"fans": {"added_kong": 2}}, []),
        ([["added_kong"]], {"kong_in_out": False}, []),
        ([[]], {}, []),
    ],
)
def test_what_the_kongs_of_a_payer_add_may_be_assumed(kongs, options, assumed):
    asked = {"hand": "123456789m22p345p", "payer_kongs": kongs, "options": options}
    assert score({"ruleset": "yichang", **asked})["assumed"] == assumed
    # The same values are stated there.
    assert "added_kong" not in score({"ruleset": "xueliu", **asked})["assumed"]


# What people see.

#: The reading that all patterns of 血流 rest on.
BROKEN_OFF = "原文在番数表之前中断，各牌型的番数借用同源的宜昌规则"

TWO_WAYS = f"/?rules=xueliu&hand={WAITS_FOR_TWO}"
STATED = f"/?rules=chengdu&hand={WAITS_FOR_TWO}"
MARK = re.compile(r'<span class="tag(?: slim)?">(推定值?|est\.)</span>')


def page(address):
    return Client().get(address, follow=True).content.decode()


def parts(html, opening):
    """The pieces of a page that each begin with an element."""
    return html.split(opening)[1:]


def test_every_wait_on_the_page_is_marked_and_the_values_are_named():
    html = page(TWO_WAYS)
    waits = [part.partition("</button>")[0] for part in parts(html, '<button class="wait')]
    assert len(waits) == 2
    assert all(MARK.search(wait) and "，推定" in wait for wait in waits)
    assert BROKEN_OFF in html
    assert not MARK.search(page(STATED))
    assert "按推定" not in page(STATED)


def test_only_the_waits_whose_value_is_assumed_are_marked():
    html = page(f"/?rules=yichang&hand={WAITS_FOR_TWO}")
    waits = [part.partition("</button>")[0] for part in parts(html, '<button class="wait')]
    assert [bool(MARK.search(wait)) for wait in waits] == [True, False]


def test_every_discard_on_the_page_is_marked():
    html = page("/?rules=xueliu&hand=1122334455667m9p")
    rows = [part.partition("</li>")[0] for part in parts(html, "<li data-discard")]
    assert rows
    assert all(MARK.search(row) for row in rows)
    assert "按推定：清七对、番与倍" in html


@pytest.mark.parametrize("hand", [WAITS_FOR_TWO, WAITS_FOR_TWO + "9m"])
def test_every_row_of_the_comparison_on_the_page_is_marked(hand):
    html = page(f"/fragment/compare?rules=xueliu&hand={hand}")
    rows = {part.partition('"')[0]: part.partition("</tr>")[0]
            for part in parts(html, '<tr data-compare="')}  # fmt: skip
    assert {name for name, row in rows.items() if MARK.search(row)} == {"xueliu", "yichang"}


def test_two_systems_side_by_side_mark_the_value_of_the_one_that_does_not_state_it():
    html = page(f"/compare/?rules=yichang&with=chengdu&hand={WAITS_FOR_TWO}9m")
    (row,) = [p.partition("</tr>")[0] for p in parts(html, '<tr data-line="qing_dui"')]
    assert [cell.count('class="guess"') for cell in parts(row, "<td>")] == [1, 0]
    assert "是推定：原文没有写明" in html
    own = page(f"/compare/?rules=yichang&opt=fans.qing_dui:9&with=chengdu&hand={WAITS_FOR_TWO}9m")
    (row,) = [p.partition("</tr>")[0] for p in parts(own, '<tr data-line="qing_dui"')]
    assert 'class="guess"' not in row


def test_what_a_hand_lacks_is_marked_where_its_value_is_assumed():
    html = page("/fragment/missing?rules=yichang&hand=1122334455667m9p")
    rows = {part.partition('"')[0]: part.partition("</li>")[0]
            for part in parts(html, '<li data-missing="')}  # fmt: skip
    assert MARK.search(rows["qing_qi_dui"])
    assert not MARK.search(rows["qing_yi_se"])


def test_what_is_copied_and_what_a_link_previews_say_it_too():
    for hand in (WAITS_FOR_TWO, WAITS_FOR_TWO + "9m"):
        html = page(f"/?rules=xueliu&hand={hand}")
        text = html.partition('class="as-text"')[2].partition("</textarea>")[0]
        assert BROKEN_OFF in text
        report = html.partition("data-report")[0].rpartition("data-copy")[2]
        assert "assumed qing_dui, scale" in report
    assert 'og:description" content="清对，8番 · 8倍，点炮者付 8，有推定值' in html
    assert "推定" not in page(f"{STATED}9m").partition("</head>")[0]


def test_a_round_says_it_in_what_is_copied():
    page_of = RoundPage(rules="xueliu", events=(left_of_the_wall(),))
    html = page(f"/settle/?{page_of.query}")
    text = html.partition('id="as-text"')[2].partition("</textarea>")[0]
    assert "按推定：清对；番与倍；没有人胡时谁坐庄。" in text
    assert "有推定值" in html.partition("</head>")[0]


def left_of_the_wall():
    nobody = {str(seat): {"state": "not_ready"} for seat in (1, 2, 3)}
    return {"type": "draw", "hands": {"0": {"hand": WAITS_FOR_TWO}, **nobody}}


def test_the_tables_of_the_command_line_are_marked(capsys, tmp_path):
    def said(*arguments):
        call_command(*arguments, lang="zh-hans")
        return capsys.readouterr().out

    text = said("score", WAITS_FOR_TWO, "--rules=xueliu")
    assert [line.split()[-1] for line in text.splitlines() if line[:2] in ("9m", "8m")] == [
        "推定",
        "推定",
    ]
    assert "推定（出处没有写明）：清对、番与倍、清一色" in text
    assert "推定" not in said("score", WAITS_FOR_TWO)
    text = said("score", WAITS_FOR_TWO, "--compare")
    assert [line.split()[-1] for line in text.splitlines() if "推定" in line] == [
        "推定：清对、番与倍",
        "推定：清对",
    ]
    text = said("score", WAITS_FOR_TWO + "1p", "--rules=yichang")
    assert [line.split()[-1] for line in text.splitlines() if line[:2] in ("1p", "9m")] == [
        "推定",
        "1p",
    ]
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"ruleset": "yichang", "events": [left_of_the_wall()]}))
    assert "推定（出处没有写明）：清对；没有人胡时谁坐庄" in said("settle", str(file))
    assert "推定（出处没有写明）：" in (text := said("rules", "chengdu"))
    assert "没有人胡时谁坐庄" in text


def test_lessons_and_rules_pages_mark_what_they_show():
    assert "按推定：番与倍" in page("/learn/fan/?rules=xueliu")
    html = page("/learn/tables/?rules=chengdu")
    rows = dict(re.findall(r'<tr[^>]*data-system="(\w+)">(.*?)</tr>', html, re.S))
    assert {name for name, row in rows.items() if MARK.search(row)} == {"xueliu", "yichang"}
    assert "番数就是倍数。（推定）" in page("/rules/xueliu/")
    assert "番数就是倍数。（推定）" not in page("/rules/yichang/")
    # The source of 宜昌 does not say that a pig pays five times.
    assert "按推定" in page("/rules/terms/pig/")


def test_the_sheet_of_house_rules_marks_what_the_table_has_not_set_itself():
    def marked(address):
        rows = re.findall(r'data-option="([^"]+)".*?<label[^>]*>(.*?)</label>', page(address), re.S)
        return {path for path, label in rows if MARK.search(label)}

    assert "fans.qing_dui" in marked("/house/?rules=yichang")
    assert not {"fans.qing_yi_se", "scale"} & marked("/house/?rules=yichang")
    assert "fans.qing_dui" not in marked("/house/?rules=yichang&opt=fans.qing_dui:9")
