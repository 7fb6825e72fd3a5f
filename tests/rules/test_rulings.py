"""A value that rests on a reading of its source says so, with the other reading and its switch."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from scoring import rules as engine
from scoring.contract import explain, rulings, score
from scoring.patterns import TERMS

#: Each of the quarrels: a hand in its address, the reading, and the hand under the other one.
QUARRELS = {
    "gang_shang_hua": (
        "rules=chengdu&hand=234678m99p678p(3333p)&by=self_draw&after=concealed_kong",
        "没有说连不连杠本身",
        "那样算，这手牌 3番 · 8倍。",
        "fans.gang_shang_hua:1",
    ),
    "long_qi_dui": (
        "rules=chengdu&hand=1122335577m8888p",
        "没有说龙七对里的那条龙另不另计一根",
        "那样算，这手牌 5番 · 32倍。",
        "fans.long_qi_dui:5,fans.qing_long_qi_dui:6",
    ),
    "tian_hu": (
        "rules=laok&hand=1122334455m6677m&by=self_draw&bless=tian_hu",
        "和手牌自己的牌型比大小，只算大的",
        "那样算，这手牌 11番 · 1024倍。",
        "blessing_adds:on",
    ),
    "qiang_gang": (
        "rules=jipin&hand=123456789m22p34p!5p&by=rob_kong",
        "没有写明抢杠加几番",
        "那样算，这手牌 1番 · 1倍。",
        "fans.qiang_gang:off",
    ),
    "qing_yi_se": (
        "rules=xueliu&hand=12345678999m111m",
        "原文在番数表之前中断",
        "那样算，这手牌 4番 · 4倍。",
        "fans.dui_dui_hu:2,fans.qing_yi_se:4,fans.qi_dui:4,fans.qing_qi_dui:16",
    ),
}


def page(address: str) -> str:
    return Client().get(address, follow=True).content.decode()


def ruling_of(html: str, term: str) -> str:
    found = re.search(rf'data-ruling="{term}">(.*?)</li>', html, re.S)
    assert found, f"no reading under {term}"
    return unescape(found[1])


@pytest.mark.parametrize("term", QUARRELS)
def test_under_a_line_stand_its_reading_the_other_one_and_the_switch(term: str) -> None:
    query, reading, effect, opt = QUARRELS[term]
    told = ruling_of(page(f"/?{query}"), term)
    assert reading in told
    assert effect in told
    (link,) = re.findall(r'href="([^"]+)" data-switch', told)
    assert parse_qs(urlsplit(link).query)["opt"] == [opt]


@pytest.mark.parametrize("term", QUARRELS)
def test_the_switch_leads_to_the_hand_that_was_promised(term: str) -> None:
    query, _reading, effect, _opt = QUARRELS[term]
    told = ruling_of(page(f"/?{query}"), term)
    (link,) = re.findall(r'href="([^"]+)" data-switch', told)
    html = page(link)
    fan, multiple = re.findall(r"\d+", effect)
    assert f'data-fan="{fan}" data-multiple="{multiple}"' in html
    assert f'data-ruling="{term}"' not in html, "the table has settled it"


def test_who_pays_can_rest_on_a_reading_too() -> None:
    query = "rules=chengdu&hand=234678m99p678p[3333p]&by=self_draw&after=exposed_kong"
    html = unescape(page(f"/?{query}"))
    assert "原文没有写明点杠花由谁付" in html
    assert "那样算，这手牌点杠者包付 3 家，共 24。" in html


def test_a_reading_that_changes_nothing_here_says_so() -> None:
    given = {"by": "self_draw", "after_kong": "exposed_kong", "options": {"cap": 2}}
    hand = "234678m99p678p[3333p]"
    found = {tuple(r["terms"]): r for r in rulings({"ruleset": "chengdu", "hand": hand, **given})}
    assert found[("gang_shang_hua",)]["differs"] is None
    query = f"rules=chengdu&opt=cap:2&hand={hand}&by=self_draw&after=exposed_kong"
    assert "那样算，这手牌也是这么多。" in ruling_of(page(f"/?{query}"), "gang_shang_hua")


def test_what_did_not_count_says_on_which_reading_that_rests() -> None:
    html = page("/fragment/compare?rules=chengdu&hand=1122335577m8888p")
    (entry,) = [p for p in html.split("<li data-not-counted>")[1:] if "不再算根" in p]
    assert "没有说龙七对里的那条龙另不另计一根" in entry.partition("</li>")[0]
    stated = page("/fragment/compare?rules=laok&hand=1122335577m8888p")
    assert "data-ruling" not in stated


def test_only_what_the_source_states_is_called_stated() -> None:
    def basis(ruleset: str, hand: str, **more: object) -> dict[str, str]:
        answer = explain({"ruleset": ruleset, "hand": hand, **more})
        return {line["id"]: line["basis"] for line in answer["lines"]}

    won = {"by": "self_draw", "after_kong": "concealed_kong"}
    hand = "234678m99p678p(3333p)"
    assert basis("chengdu", hand, **won)["gang_shang_hua"] == "reading"
    assert basis("laok", hand, **won)["gang_shang_hua"] == "stated"
    assert basis("chengdu", "1122335577m8888p")["long_qi_dui"] == "reading"
    html = page("/fragment/compare?rules=chengdu&hand=1122335577m8888p")
    assert "成都计番：4番，原文可以两样读" in html
    settled = {"fans": {"gang_shang_hua": 1}}
    assert basis("chengdu", hand, **won, options=settled)["gang_shang_hua"] == "house"


@pytest.mark.parametrize("ruleset", engine.ids())
def test_everything_assumed_has_a_sentence_and_every_switch_changes_something(ruleset: str) -> None:
    rules = engine.load(ruleset)
    told = {key for ruling in rules.readings for key in ruling.on}
    assert rules.assumed <= told
    for ruling in rules.readings:
        if ruling.options:
            assert rules.override(ruling.options).changed()


@pytest.mark.parametrize(
    ("key", "system"),
    [("gang_shang_hua", "chengdu"), ("gen", "chengdu"), ("tian_hu", "yaoji"), ("bloom", "jipin"),
     ("pig", "yichang"), ("dealer", "laok"), ("cap", "yaoji"), ("kong_in_out", "yichang")],
)  # fmt: skip
def test_the_page_of_a_term_or_rule_names_the_systems_that_leave_it_open(
    key: str, system: str
) -> None:
    html = page(f"/rules/terms/{key}/")
    assert f'data-reading="{system}"' in html
    assert 'data-reading="sbr"' not in html


def test_the_page_of_a_system_has_a_switch_beside_every_reading_that_has_one() -> None:
    for ruleset in engine.ids():
        rules = engine.load(ruleset)
        switches = re.findall(r'data-switch="([^"]+)"', page(f"/rules/{ruleset}/"))
        assert len(switches) == sum(bool(ruling.options) for ruling in rules.readings)


def test_the_book_states_the_next_dealer_and_the_penalties() -> None:
    assert not engine.load("sbr").assumed
    assert not engine.load("sbr").readings


@pytest.mark.parametrize("ruleset", engine.ids())
def test_every_term_that_rests_on_a_reading_is_one_of_the_system(ruleset: str) -> None:
    rules = engine.load(ruleset)
    terms = {key.removeprefix("fans.") for r in rules.readings for key in r.on if "fans." in key}
    assert terms <= set(TERMS)
    assert all(term in rules.fans or term == "si_ji" for term in terms)


def test_what_the_other_reading_makes_of_a_hand_is_what_the_engine_makes_of_it() -> None:
    for query in (
        {"ruleset": "chengdu", "hand": "11112222333344m", "by": "self_draw"},
        {"ruleset": "yaoji", "hand": "11222244448888m"},
        {"ruleset": "jipin", "hand": "22224444666688m"},
        {"ruleset": "yichang", "hand": "1122334455m6677m"},
        {"ruleset": "chengdu", "hand": "1122335577m888p"},
    ):
        for ruling in rulings(query):
            other = score({**query, "options": ruling["options"]})
            valued = other if other["status"] == "win" else other["waits"][0]
            assert (ruling["fan"], ruling["multiple"]) == (valued["fan"], valued["multiple"])
