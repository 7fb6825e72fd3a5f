"""The house-rule sheet: what it offers, what it says about the hand, what it sends and keeps."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext

from calculator.house import models
from calculator.house import present as house
from calculator.house.worth import InFront
from calculator.words import badge, examples, strips
from scoring import ready
from scoring import rules as engine
from scoring.addresses.hand import read_options, write_options
from scoring.contract import compare, score, settle
from scoring.contract.hand import read_query
from scoring.patterns import TERMS
from scoring.rules import OptionErrors

HOOK = "9m[111m][222m][555m][777m]!9m"
PURE_PAIRS = "1122445566778m!8m"


def in_front(**request: object) -> InFront:
    query, errors, _ = read_query({"ruleset": "chengdu", **request})
    assert query is not None, errors
    return InFront(query)


def line(path: str, ruleset: str = "chengdu", options: object = None, **request: object):
    """One line of the sheet."""
    rules = engine.load(ruleset).override(options or {})
    hand = in_front(ruleset=ruleset, options=options or {}, **request) if request else None
    return next(one for one in house.lines(rules, hand) if one.path == path)


@pytest.mark.parametrize("ruleset", engine.ids())
def test_the_sheet_offers_every_option_and_every_term(ruleset: str) -> None:
    rules = engine.load(ruleset)
    paths = {one.path for one in house.lines(rules, None)}
    assert {f"fans.{term}" for term in TERMS} <= paths
    for name, value in rules.options().items():
        if name != "fans":
            parts = {f"{name}.{key}" for key in value} if isinstance(value, dict) else {name}
            assert parts <= paths


@pytest.mark.parametrize("ruleset", engine.ids())
def test_every_choice_survives_the_address_has_a_badge_and_can_be_put_back(ruleset: str) -> None:
    rules = engine.load(ruleset)
    for one in house.lines(rules, None):
        assert sum(choice.on for choice in one.choices) == bool(one.choices)
        for choice in one.choices:
            try:
                changed = house.with_value(rules, one.path, choice.value)
            except OptionErrors:
                continue
            assert engine.load(ruleset).override(read_options(write_options(changed))) == changed
            assert (badge.badge(changed) == badge.badge(rules)) == (changed == rules)
            assert house.without_change(changed, one.path) == rules


def test_an_effect_is_what_the_engine_says_of_the_changed_rules() -> None:
    for ruleset in engine.ids():
        request = {"ruleset": ruleset, "hand": PURE_PAIRS, "by": "self_draw"}
        hand = in_front(**request)
        assert hand.now is not None
        for one in house.lines(engine.load(ruleset), hand):
            for choice in one.choices:
                if choice.value == "each":
                    continue
                options = read_options(f"{one.path}:{choice.value}")
                answer = score({**request, "options": options})
                if answer["status"] != "win":
                    continue
                found = hand.under(house.with_value(engine.load(ruleset), one.path, choice.value))
                assert found is not None
                assert (found.fan, found.multiple) == (answer["fan"], answer["multiple"])
                assert found.cents == answer["points"] * 100


def test_switching_on_says_what_the_hand_becomes() -> None:
    found = line("fans.jin_gou_diao", hand=HOOK, options={"fans": {"qing_dui": None}})
    assert found.effects == ()  # two fan of 清一色 stand against two of 金钩钓
    found = line("fans.qing_jin_gou_diao", options={"fans": {"jin_gou_diao": 2}}, hand=HOOK)
    assert found.effects == ("打开后（4番）：3番8倍 → 4番16倍",)


def test_a_cap_says_what_it_would_cut() -> None:
    effects = line("cap", hand=PURE_PAIRS).effects
    assert effects == ("改成3 番：4番16倍 → 3番8倍",)


def test_who_pays_is_an_effect_too() -> None:
    found = line("bloom", hand="234567m3459p[6666p]!9p", by="self_draw", after_kong="exposed_kong")
    assert any("点杠者" in effect for effect in found.effects)


def test_the_base_speaks_of_points() -> None:
    found = line("base", ruleset="laok", options={"base": 5}, hand=PURE_PAIRS)
    assert found.effects == ("改成6：付80 → 付96",)


def test_a_ready_hand_shows_the_effect_on_its_best_wait() -> None:
    hand = in_front(hand="1113456666788s")
    assert hand.wait
    found = next(one for one in house.lines(engine.load("chengdu"), hand) if one.path == "fans.gen")
    assert found.effects == ("关掉后：3番8倍 → 2番4倍",)


def test_an_unfinished_hand_has_no_effects() -> None:
    hand = in_front(hand="123m")
    assert not hand.valued
    assert not any(one.effects for one in house.lines(engine.load("chengdu"), hand))


@pytest.mark.parametrize(
    "ruleset, on, pure, fan",
    [
        ("chengdu", {"jin_gou_diao": 2}, "qing_jin_gou_diao", 4),
        ("laok", {"jin_gou_diao": 3}, "qing_jin_gou_diao", 5),
        ("xueliu", {"jin_gou_diao": 3}, "qing_jin_gou_diao", 8),
        ("jipin", {"long_qi_dui": 4}, "qing_long_qi_dui", 6),
    ],
)
def test_a_pattern_switched_on_offers_its_pure_form(
    ruleset: str, on: dict[str, int], pure: str, fan: int
) -> None:
    (key,) = on
    offer = line(f"fans.{key}", ruleset=ruleset, options={"fans": on}).offer
    assert offer["set"] == f"fans.{pure}:{fan}"


def test_a_system_that_adds_patterns_up_needs_no_pure_form() -> None:
    assert line("fans.shi_ba_luo_han", "sbr", {"fans": {"shi_ba_luo_han": 4}}).offer is None


def test_the_offer_goes_once_it_is_taken() -> None:
    on = {"fans": {"jin_gou_diao": 2, "qing_jin_gou_diao": 4}}
    assert line("fans.jin_gou_diao", options=on).offer is None


def test_a_bad_value_is_told_and_the_others_stand() -> None:
    rules, errors = house.apply(engine.load("laok"), {"fans.qing_yi_se": "0", "cap": "5"})
    assert [error["code"] for error in errors] == ["bad_option"]
    assert rules.cap == 5
    assert rules.fan_of("qing_yi_se") == 3


def test_fields_that_nobody_knows_do_nothing() -> None:
    fields = {"magic": "1", "fans.magic": "2", "pig.x": "1"}
    rules, errors = house.apply(engine.load("laok"), fields)
    assert not errors
    assert not rules.changes()


def test_one_bloom_value_per_kong_and_one_for_all() -> None:
    chengdu = engine.load("chengdu")
    rules, _ = house.apply(chengdu, {"fans.gang_shang_hua.exposed_kong": "1"})
    assert rules.fan_of("gang_shang_hua", "exposed_kong") == 1
    assert rules.fan_of("gang_shang_hua", "concealed_kong") == 3
    rules, _ = house.apply(chengdu, {"fans.gang_shang_hua": "1"})
    assert rules.fans["gang_shang_hua"] == 1


def test_the_badge_names_preset_and_changes() -> None:
    rules = engine.load("chengdu").override({"cap": 4, "self_draw_bonus": "base"})
    assert badge.badge(rules) == "成都·4番封顶·自摸加底"
    assert badge.badge(engine.load("chengdu").override({"refund": False})).endswith("不退税")


def fields_of(html: str) -> dict[str, str]:
    """What a browser would send of the sheet's form."""
    form = re.search(r'<form id="house-form".*?</form>', html, re.S)
    assert form
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]+>", form[0]):
        found = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        sent[found["name"]] = unescape(found["value"])
    for name, body in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form[0], re.S):
        chosen = re.search(r'value="([^"]*)" selected', body)
        assert chosen, name
        sent[name] = unescape(chosen[1])
    return sent


STATE = {"rules": "chengdu", "hand": PURE_PAIRS, "by": "self_draw"}


@pytest.mark.parametrize("ruleset", engine.ids())
def test_the_form_sent_unchanged_changes_nothing(client: Client, ruleset: str) -> None:
    given = {"rules": ruleset, "hand": "123m"}
    sent = fields_of(client.get("/house/", given).content.decode())
    response = client.get("/house/", {**sent, "to": "hand"})
    assert response.status_code == 302
    assert response["Location"] == f"/?rules={ruleset}&hand=123m"


def test_the_form_leads_to_the_canonical_address(client: Client) -> None:
    sent = fields_of(client.get("/house/", STATE).content.decode())
    sent |= {"o.cap": "4", "o.self_draw_bonus": "base", "o.fans.gen": "off", "to": "hand"}
    response = client.get("/house/", sent)
    assert response["Location"] == (
        f"/?rules=chengdu&hand={PURE_PAIRS}&by=self_draw"
        "&opt=fans.gen:off,cap:4,self_draw_bonus:base"
    )


def test_a_round_gets_its_rules_changed_and_keeps_its_events(client: Client) -> None:
    given = {"rules": "laok", "back": "rules=laok&d=1&e=k2e0.wske,23"}
    sent = fields_of(client.get("/house/", given).content.decode())
    response = client.get("/house/", {**sent, "o.cap": "4", "to": "round"})
    assert response["Location"] == "/settle/?rules=laok&opt=cap:4&d=1&e=k2e0.wske,23"
    fragment = client.get("/fragment/house", {**sent, "o.cap": "4", "to": "round"})
    assert fragment["HX-Redirect"] == response["Location"]


def test_reset_one_and_reset_all(client: Client) -> None:
    given = {**STATE, "opt": "fans.gen:off,cap:4"}
    sent = fields_of(client.get("/house/", given).content.decode())
    one = client.get("/house/", {**sent, "reset": "cap"})
    assert one["Location"].startswith("/house/?")
    assert one["Location"].endswith("opt=fans.gen:off")
    every = client.get("/house/", {**sent, "reset": "all"})
    assert "opt" not in every["Location"]


def test_the_sheet_marks_what_is_changed(client: Client) -> None:
    html = client.get("/fragment/house", {**STATE, "opt": "cap:4"}).content.decode()
    assert 'data-changed="1"' in html
    assert 'data-opt="cap:4"' in html
    assert re.findall(r'data-option="([^"]+)" data-changed', html) == ["cap"]


def test_a_bad_option_of_an_address_is_told_in_the_sheet(client: Client) -> None:
    html = client.get("/fragment/house", {**STATE, "opt": "cap:x"}).content.decode()
    assert "data-bad" in html
    assert 'role="alert"' in html


@pytest.mark.parametrize("typed", ["-1", "1e9", "0.333", ""])
def test_a_value_that_cannot_be_is_told_at_its_field_and_stays_typed(
    client: Client, typed: str
) -> None:
    asked = {**STATE, "o.base": typed, "o.cap": "4"}
    for path in ("/fragment/house", "/house/"):
        html = client.get(path, asked).content.decode()
        line = re.search(r'data-option="base".*?</div>', html, re.DOTALL)
        assert line and f'value="{typed}"' in line[0]
        assert "“底”要写 0 到 1000000 的数，最多两位小数。" in line[0]
        assert html.count('role="alert"') == 1
        # What else was chosen counts.
        assert 'data-opt="cap:4"' in html


def test_the_file_holds_the_options_and_opens_again(client: Client) -> None:
    given = {"rules": "laok", "opt": "fans.gen:off,base:0.5,pig.points:cap", "name": "周五那桌"}
    response = client.get("/house/rules.json", given)
    assert "attachment" in response["Content-Disposition"]
    made = json.loads(response.content)
    assert made["format"] == house.FILE_FORMAT
    assert made["name"] == "周五那桌"
    rules = engine.load(made["ruleset"]).override(made["options"])
    assert write_options(rules) == "fans.gen:off,base:0.5,pig.points:cap"
    assert client.get(made["address"]).status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "",
        "rules=nowhere",
        "rules=chengdu&hand=xyz",
        "rules=chengdu&opt=" + "x" * 3000,
        "o.cap=999999&o.base=-1&o.fans.gen=" + "9" * 50,
        "set=cap&reset=cap",
        "set=:::&reset=..",
        "reset=fans.gang_shang_hua",
        "set=fans.gang_shang_hua.exposed_kong:x",
    ],
)
@pytest.mark.parametrize("path", ["/house/", "/fragment/house", "/house/rules.json", "/compare/"])
def test_no_address_brings_the_page_down(client: Client, path: str, query: str) -> None:
    assert client.get(f"{path}?{query}").status_code in (200, 302, 422)


@pytest.mark.parametrize("page", ["/", "/house/", "/en/house/"])
def test_the_words_of_the_script_are_json_and_all_are_used(client: Client, page: str) -> None:
    found = re.search(r'data-saved data-words="([^"]*)"', client.get(page).content.decode())
    assert found
    words = json.loads(unescape(found[1]))
    script = (Path(settings.BASE_DIR) / "static" / "house" / "house.js").read_text("utf-8")
    assert set(re.findall(r"words\.([a-z_]+)", script)) == words.keys()
    assert all("%(name)s" in words[key] for key in ("more", "new_name", "qr_of", "copied_name"))


def test_every_system_answers_below_the_result(client: Client) -> None:
    html = client.get("/fragment/compare", STATE).content.decode()
    rows = compare({"ruleset": "chengdu", "hand": PURE_PAIRS, "by": "self_draw"})
    assert isinstance(rows, list)
    for row in rows:
        hook = f'data-compare="{row["ruleset"]}"'
        found = re.search(rf"<tr {hook}[^>]*>", html)
        assert found
        assert f'data-multiple="{row["multiple"]}"' in found[0]


def test_the_table_of_all_systems_begins_with_the_tables_own_rules(client: Client) -> None:
    html = client.get("/fragment/compare", {**STATE, "opt": "cap:3"}).content.decode()
    first = re.search(r"<tr data-compare.*?</tr>", html, re.S)
    assert first
    assert "data-own" in first[0]
    assert "成都·3番封顶" in first[0]


def test_a_dispute_marks_the_line_that_decides(client: Client) -> None:
    given = {**STATE, "opt": "cap:3", "with": "chengdu"}
    html = client.get("/compare/", given).content.decode()
    assert re.findall(r'data-line="([^"]+)" class="decisive"', html) == ["cap"]
    html = client.get("/compare/", {**STATE, "with": "yaoji"}).content.decode()
    assert "wu_ji" in re.findall(r'data-line="([^"]+)" class="decisive"', html)


def test_equal_worth_is_said(client: Client) -> None:
    html = client.get("/compare/", {**STATE, "by": "discard", "with": "laok"}).content.decode()
    assert "每个付钱的人付的一份一样多" in html
    assert "data-decides" not in html


def test_each_line_says_where_it_stands(client: Client) -> None:
    given = {"rules": "xueliu", "hand": PURE_PAIRS, "opt": "fans.qing_qi_dui:12"}
    html = client.get("/fragment/compare", given).content.decode()
    assert "家规：12番" in html
    html = client.get("/fragment/compare", {**given, "opt": ""}).content.decode()
    assert "推定，原文没有写明" in html
    html = client.get("/fragment/compare", STATE).content.decode()
    assert "原文写明" in html


def test_the_absorbed_root_is_explained(client: Client) -> None:
    given = {"rules": "chengdu", "hand": "113355777m2244p!7m"}
    html = client.get("/fragment/compare", given).content.decode()
    assert "已经算在龙七对里" in html


def test_what_is_missing_stands_nearest_first(client: Client) -> None:
    html = client.get("/fragment/missing", STATE).content.decode()
    distances = [int(n) for n in re.findall(r'data-distance="(\d+)"', html)]
    assert distances == sorted(distances)
    assert distances[0] > 0


def test_four_jokers_are_paid_by_all_on_the_sheet_of_house_rules_too() -> None:
    worth = in_front(ruleset="yaoji", hand="1111s22334455m66p").now
    assert worth is not None
    assert [(p.who, p.players) for p in worth.payments] == [("each_other", 3)]


def test_the_sheet_says_who_pays_for_whom_as_the_result_does(client: Client) -> None:
    """点杠花包赔: the giver pays the shares of all three, and the sheet says so too."""
    hand = {"hand": "234567m3459p[6666p]!9p", "by": "self_draw", "after": "exposed_kong"}
    asked = {"rules": "laok", **hand}
    said = "点杠者包付 3 家，共 72"
    assert said in client.get("/", asked).content.decode()
    assert f"{said} → 点杠者付 24" in client.get("/house/", asked).content.decode()


def test_an_empty_field_of_exclusions_is_no_change(client: Client) -> None:
    given = {"rules": "chengdu", "hand": PURE_PAIRS, "o.excludes": "", "o.cap": "3"}
    where = client.get("/house/", given)["Location"]
    assert where.endswith("&opt=cap:3")


@pytest.mark.parametrize("table", ready.ids())
def test_a_ready_made_table_is_chosen_without_scripts(client: Client, table: str) -> None:
    made = client.get("/house/", {"rules": "laok", "opt": "cap:3", "table": table})
    assert made.status_code == 302
    page = client.get(made["Location"]).content.decode()
    rules = ready.load(table).rules
    assert f'data-rules="{rules.id}" data-opt="{write_options(rules)}"' in page
    pressed = re.search(rf'data-table="{table}" aria-pressed="(\w+)"', page)
    assert pressed and pressed[1] == "true"
    said = re.search(rf'data-table-changes="{table}">(.*?)</li>', page)
    assert said
    for change in badge.every_change(rules):
        assert change in said[1]
    assert gettext(ready.load(table).source) in said[1]


def test_one_tap_sets_what_belongs_together(client: Client) -> None:
    page = client.get("/house/", {"rules": "chengdu"}).content.decode()
    both = "fans.tian_hu:off,fans.di_hu:off"
    assert f'name="set" value="{both}"' in page
    made = client.get("/house/", {"rules": "chengdu", "set": both})
    assert made["Location"].endswith(f"opt={both}")


@pytest.mark.parametrize("ruleset", engine.ids())
def test_of_each_row_of_the_strips_one_choice_is_in_force(ruleset: str) -> None:
    rules = engine.load(ruleset)
    for strip in (strips.often(rules), strips.size(rules)):
        for row in strip["rows"]:
            assert sum(choice.on for choice in row["choices"]) == 1, row["name"]
            for choice in row["choices"]:
                changed = house.set_together(rules, choice.value)
                assert (changed == rules) == choice.on, choice.value


def test_the_sheet_is_searched_without_scripts(client: Client) -> None:
    page = client.get("/house/", {"rules": "chengdu", "q": "查花猪"}).content.decode()
    assert set(re.findall(r'data-option="([\w.]+)"', page)) == {
        "pig.points",
        "pig.times_best",
        "pig.to",
        "pig.also_not_ready",
    }
    nothing = client.get("/house/", {"rules": "chengdu", "q": "qqqq"}).content.decode()
    assert "没有这个名字的规则" in nothing
    # What is looked for stays through a change.
    made = client.get("/house/", {"rules": "chengdu", "q": "封顶", "o.cap": "4"})
    assert "q=%E5%B0%81%E9%A1%B6" in made["Location"]


def model_lines(ruleset: str) -> dict[str, tuple[str, ...]]:
    return {line.path: line.models for line in house.lines(engine.load(ruleset), None)}


def test_every_option_says_what_it_changes_in_numbers_of_a_model() -> None:
    """So none is a switch that changes nothing."""
    shown = {
        path for ruleset in engine.ids() for path, told in model_lines(ruleset).items() if told
    }
    # 海底 by the way of winning has no line of its own.
    of_kinds = {
        path
        for ruleset in engine.ids()
        for path in engine.OPTIONS
        if path.startswith("fans.hai_di.")
        and models.effects(engine.load(ruleset), path, ("3", "off"), "zh-hans")
    }
    assert shown | of_kinds == set(engine.OPTIONS)


def test_a_model_round_has_the_numbers_of_the_engine() -> None:
    request, _ = examples.ROUNDS["refund"][0]
    before, after = (
        settle({**request, "options": {"refund": refund}})["totals"] for refund in (True, False)
    )
    [told] = model_lines("laok")["refund"]
    assert told.startswith("举例，东暗杠；牌墙摸完：东没叫")
    for outcome in (before, after):
        for total in outcome:
            assert f"{total:+d}".replace("-", "−").replace("+0", "0") in told


def test_the_hand_in_front_comes_before_a_model() -> None:
    rules = engine.load("chengdu")
    mine = {line.path: line for line in house.lines(rules, in_front(hand=PURE_PAIRS))}
    assert mine["fans.qing_qi_dui"].effects
    assert not mine["fans.qing_qi_dui"].models
    assert not mine["refund"].effects
    assert mine["refund"].models


def test_a_hand_below_the_minimum_of_another_table_does_not_win_there() -> None:
    told = (
        line("min_fan", hand="23445677m345789p").models
        + line("min_fan", hand="23445677m345789p").effects
    )
    assert any("不胡" in one for one in told)
