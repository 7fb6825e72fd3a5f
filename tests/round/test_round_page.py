"""The page of a round over HTTP: every button is a plain GET, every answer the engine's numbers."""

import csv
import io
import itertools
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from calculator.round import state as round_table
from calculator.round.state import MAX_ROUND_EVENTS, act
from scoring import rules as rule_systems
from scoring.addresses.round import RoundPage, read_round

#: Two kongs, a discard, a self-draw, and the wall runs out on a pig and a ready player.
ROUND = "k2e0.k1c.wd0,23.ws,13.n,0p,3r2"


def page_of(query=""):
    found, bad = read_round(dict(parse_qsl(query)))
    assert not bad
    return found


def do(query, *actions):
    """The query after some taps."""
    page = page_of(query)
    for action in actions:
        step = act(page, action)
        assert step.done, action
        page = step.page
    return page.query


def text(response):
    assert response.status_code == 200
    return response.content.decode()


def totals(html):
    return {int(s): t for s, t in re.findall(r'data-seat="(\d)" data-total="(-?[\d.]+)"', html)}


# Taps.


@pytest.mark.parametrize(
    ("before", "actions", "after"),
    [
        ("", ["new:exposed_kong", "who:2", "from:0", "save"], "e=k2e0"),
        ("", ["new:concealed_kong", "who:1", "tile:5m", "save"], "e=k1c5m"),
        ("", ["new:added_kong", "who:1", "flag:late", "save"], "e=k1al"),
        ("", ["new:self_draw", "who:1", "fan:1:3", "save"], "e=ws,13"),
        ("", ["new:discard", "who:1", "who:2", "from:0", "fan:1:2", "fan:2:0", "save"],
         "e=wd0,12,20"),
        ("", ["new:rob_kong", "from:1", "who:0", "fan:0:2", "save"], "e=k1ar.wr1,02"),
        ("", ["new:draw", "state:0:flower_pig", "state:1:not_ready", "state:2:ready", "fan:2:3",
              "state:3:ready", "fan:3:1", "waive:3", "save"], "e=n,0p,1n,2r3,3r1_w"),
        ("", ["new:escape", "who:3", "flag:last_four", "best:0:32", "save"], "e=x3l,032"),
        ("e=ws,13", ["edit:0", "fan:1:4", "save"], "e=ws,14"),
        ("e=ws,13.k0c", ["up:1"], "e=k0c.ws,13"),
        ("e=ws,13.k0c", ["delete:0"], "e=k0c"),
        ("e=k1ar.wr1,02.k3c", ["delete:1"], "e=k3c"),
        ("e=k1ar.wr1,02.k3c", ["down:0"], "e=k3c.k1ar.wr1,02"),
        ("e=k1ar.wr1,02", ["edit:0", "from:2", "save"], "e=k2ar.wr2,02"),
        ("e=ws,13", ["new:self_draw", "cancel"], "e=ws,13"),
        ("e=ws,13", ["dealer:2"], "d=2&e=ws,13"),
        ("e=ws,13", ["clear"], ""),
        ("n=a,b,c,d&e=ws,13", ["next:1"], "d=1&n=a,b,c,d"),
    ],
)  # fmt: skip
def test_taps(before, actions, after):
    expected = "rules=chengdu" + (f"&{after}" if after else "")
    assert do(before, *actions) == expected


def test_a_win_right_after_a_kong_has_its_bonus_chosen_already():
    assert do("e=k1c", "new:self_draw", "who:1").endswith("a=wskc,1")
    assert do("e=k1c", "new:self_draw", "who:2").endswith("a=ws,2")
    assert do("e=k1c", "new:discard", "who:2", "from:1").endswith("a=wd1k,2")
    assert do("e=k1c", "new:self_draw", "who:1", "flag:after_kong").endswith("a=ws,1")


def test_changing_the_kind_keeps_who_was_chosen():
    assert do("", "new:exposed_kong", "who:2", "from:1", "new:discard").endswith("a=wd1,2")
    assert do("", "new:discard", "who:2", "fan:2:3", "new:self_draw").endswith("a=ws,23")


def test_the_same_player_cannot_pay_himself():
    assert do("", "new:discard", "who:2", "from:2").endswith("a=wd2")
    assert do("", "new:exposed_kong", "from:1", "who:1").endswith("a=k1e-")


@pytest.mark.parametrize(
    "action",
    ["", "x", "who:0", "fan:0:3", "save", "edit:0", "up:9", "dealer:4", "rules:nope", "new:x",
     "state:0:x", "tile:5m", "next:9", "best:0:1", "waive:0", "flag:late"],
)  # fmt: skip
def test_an_action_that_means_nothing_here_changes_nothing(action):
    step = act(RoundPage(), action)
    assert not step.done
    assert step.page == RoundPage()


def test_a_fourth_winner_is_not_taken():
    page = page_of("a=wd-,0,1,2")
    assert act(page, "who:3").page == page


def test_the_calculator_starts_with_the_booked_kongs_of_the_seat():
    page = page_of("e=k1c5m.k1a3p.k1e02s.k2c9m.k1c&a=ws,1")
    assert round_table.booked_melds(page, 1) == "(5555m)[333-3p][2222s]"


# The page.


def test_the_page_settles_the_round_of_its_address(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": ROUND}))
    assert totals(html) == {0: "-72", 1: "38", 2: "24", 3: "10"}
    assert "Σ = 0" in html
    assert html.count("data-transfer") == 11
    assert html.count("data-payment") == 3
    assert "下一局" in html


def test_every_cell_of_the_tables_opens_its_reason(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": ROUND}))
    opened = re.findall(r'href="#(c-[a-z_]+-\d)"', html)
    assert len(opened) == 14
    assert all(f'id="{name}"' in html for name in opened)


@pytest.mark.parametrize("prefix", ["", "/zh-hant", "/en"])
def test_every_language_shows_the_same_numbers(client: Client, prefix: str):
    html = text(client.get(f"{prefix}/settle/", {"rules": "chengdu", "e": ROUND}))
    assert totals(html) == {0: "-72", 1: "38", 2: "24", 3: "10"}


def test_a_button_without_scripts_redirects_to_the_state_that_it_makes(client: Client):
    answer = client.get("/settle/", {"rules": "chengdu", "a": "ws,1", "do": "fan:1:3"})
    assert answer.status_code == 302
    assert answer["Location"] == "/settle/?rules=chengdu&a=ws,13"


def test_typed_fans_and_names_are_taken(client: Client):
    answer = client.get("/settle/", {"a": "ws,1", "f1": "12", "do": ""})
    assert answer["Location"] == "/settle/?rules=chengdu&a=ws,112"
    answer = client.get("/settle/", {"n0": "王", "n1": " 李 ", "do": "names"})
    assert answer["Location"] == f"/settle/?rules=chengdu&n={quote('王')},{quote('李')},,"


def test_a_loose_address_redirects_to_the_one_of_its_state(client: Client):
    answer = client.get("/settle/", {"e": "ws,13.", "d": "0"})
    assert answer.status_code == 302
    assert answer["Location"] == "/settle/?rules=chengdu&e=ws,13"


def test_what_cannot_be_read_is_told_and_the_rest_is_shown(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13.zzz"}))
    assert 'data-problem="bad_field"' in html
    assert totals(html)[1] == "24"


def test_payers_are_shown_before_the_fan_is_known_and_amounts_before_saving(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13", "a": "ws,2"}))
    assert "东、北付" in html
    assert 'data-act="save" aria-disabled="true"' in html
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13", "a": "ws,22"}))
    assert 'data-preview="win"' in html
    assert 'data-act="save" aria-disabled' not in html


def test_seats_that_have_won_cannot_be_chosen(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13", "a": "wd-"}))
    assert re.search(r'data-who="1"[^>]* disabled', html)
    assert not re.search(r'data-who="0"[^>]* disabled', html)
    html = text(client.get("/settle/", {"rules": "xueliu", "e": "ws,13", "a": "wd-"}))
    assert not re.search(r'data-who="1"[^>]* disabled', html)


def test_an_event_that_became_illegal_is_flagged_and_stops_the_replay_there(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13.ws,11.k0c"}))
    assert 'class="event wrong" data-event="1"' in html
    assert 'class="event stopped" data-event="2"' in html
    assert 'data-problem="seat_already_won"' in html
    assert totals(html)[1] == "24"


def test_the_end_of_the_wall_says_who_is_still_missing(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13", "a": "n,0p"}))
    assert "还差：南" not in html
    assert "还差：西、北" in html


def test_a_hand_that_comes_back_fills_the_place_that_waits_for_it(client: Client):
    back = {"rules": "chengdu", "e": "k1c5m", "a": "wskc,1h"}
    came = {"hand": "123m 234p 345p 99p (5555m)", "by": "self_draw", "after": "concealed_kong"}
    answer = client.get("/settle/", {**back, **came})
    made = dict(parse_qsl(urlsplit(answer["Location"]).query))
    assert made == {**back, "a": "wskc,1h123m23344599p(5555m)"}


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("1112345678999m", "有叫"),
        ("9m1112345678p11s", "花猪"),
        ("14799m11447799p", "没叫"),
    ],
)
def test_given_a_hand_the_page_finds_how_it_stands(client: Client, hand: str, found: str):
    entry = {"rules": "chengdu", "a": f"n,0h{hand}"}
    html = text(client.get("/settle/", entry))
    shown = re.search(r'data-found="0".*?</span>([^<]*)</p>', html)
    assert shown
    assert shown[1].strip().startswith(found)


@pytest.mark.parametrize(("check", "fan"), [("max", 3), ("min", 1)])
def test_a_hand_at_the_end_of_the_wall_shows_the_wait_that_counts(
    client: Client, check: str, fan: int
):
    events = "n,0h111222333m78p99p,1n,2n,3n"
    given = {"rules": "laok", "opt": f"call_check:{check}"}
    for query in ({"e": events}, {"a": "n,0h111222333m78p99p"}):
        assert f"有叫，{fan} 番" in text(client.get("/settle/", {**given, **query}, follow=True))


def test_a_win_by_hand_shows_its_terms(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,1h11123455567899p"}))
    assert "清一色" in html


def test_a_system_that_does_not_take_a_house_rule_says_so(client: Client):
    asked = {"rules": "chengdu", "opt": "fans.qing_yi_se:0,cap:3", "e": "ws,13"}
    page = text(client.get("/settle/", {**asked, "do": "rules:laok"}, follow=True))
    assert "去掉了它没有的规则：清一色" in page
    assert "已换成老K" in page
    part = text(client.get("/fragment/round", {**asked, "do": "rules:laok"}))
    assert "去掉了它没有的规则：清一色" in part
    assert "去掉了" not in text(client.get("/settle/", {**asked, "do": "rules:sbr"}, follow=True))


def test_an_address_cannot_put_words_into_that_note(client: Client):
    page = client.get("/settle/", {"rules": "laok", "say": "dropped", "dropped": "hat,cap:1"})
    assert "去掉了它没有的规则：封顶" in text(page)


def test_a_hand_that_comes_from_nowhere_begins_a_win_without_a_winner(client: Client):
    answer = client.get("/settle/", {"hand": "11122233344455m", "by": "self_draw", "void": "s"})
    assert answer["Location"] == "/settle/?rules=chengdu&a=ws,-h11122233344455m_vs"


def test_a_winner_of_a_round_opens_in_the_calculator(client: Client):
    entry = {"rules": "chengdu", "e": "ws,1h11122233344455m", "opt": "cap:4"}
    html = text(client.get("/settle/", {n: entry[n] for n in ("rules", "opt", "e")}))
    assert "/?rules=chengdu&amp;hand=11122233344455m&amp;by=self_draw&amp;opt=cap:4" in html


def test_a_round_too_long_for_an_address_offers_a_file(client: Client):
    events = ".".join(["ws,0h123456m99s[555p](6666p)!9s_vm"] * 60)
    html = text(client.get("/settle/", {"rules": "xueliu", "e": events}))
    assert "请用文件" in html
    assert "/settle/qr.svg" not in html
    assert "/settle/round.json" in html


def test_the_file_holds_the_address_and_the_request(client: Client):
    answer = client.get("/settle/round.json", {"rules": "laok", "e": ROUND})
    data = json.loads(text(answer))
    assert data["address"] == f"rules=laok&e={ROUND}"
    assert data["request"]["ruleset"] == "laok"
    assert len(data["request"]["events"]) == 5
    assert "attachment" in answer["Content-Disposition"]


def test_the_address_of_a_round_is_a_qr_code(client: Client):
    answer = client.get("/settle/qr.svg", {"rules": "laok", "e": ROUND})
    assert answer["Content-Type"] == "image/svg+xml"
    assert b"<svg" in answer.content


def test_the_fragment_is_the_round_without_the_page(client: Client):
    html = text(client.get("/fragment/round", {"a": "ws,1", "do": ["fan:1:3", "save"]}))
    assert "<html" not in html
    assert 'data-query="rules=chengdu&amp;e=ws,13"' in html


def test_the_tab_says_where_the_table_stands(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "ws,13"}))
    assert "<title>东−8 南+24 西−8 北−8 · 算番</title>" in html


# The evening.


def test_the_sheet_of_an_evening_adds_up_and_draws_four_lines(client: Client):
    rounds = "24,-24,0,0_2.5,-2.5,0,0_-1,-1,3,-1"
    html = text(client.get("/settle/evening/", {"r": rounds, "n": "甲,乙,丙,丁"}))
    assert re.findall(r'data-evening-total="([^"]+)"', html) == ["25.5", "-27.5", "3", "-1"]
    assert html.count("<polyline") == 4
    assert "甲 +25.5" in html
    assert html.count("data-round=") == 3


def test_a_name_from_right_to_left_leaves_a_sign_before_its_amount(client: Client):
    html = text(client.get("/settle/evening/", {"r": "2,-2,0,0", "n": "دانا,乙,丙,丁"}))
    held = "\u2068دانا\u2069"
    assert f"{held} +2" in html
    assert re.search(rf"<li><span>乙</span>.*<span>{held}</span><b>2</b>", html)
    assert '<th scope="col">دانا</th>' in html


@pytest.mark.parametrize(
    "rounds",
    ["3,-1,-1,-1", "-3,1,1,1", "1,-1,0,0", "0,0,0,0", "9,8,-8,-9", "1,1,-1,-1", "9,-8,-1,0"],
)
def test_every_line_of_an_evening_has_its_name_beside_it_in_the_picture(
    client: Client, rounds: str
):
    html = text(client.get("/settle/evening/", {"r": rounds}))
    heights = sorted(float(y) for y in re.findall(r'<text x="[^"]+" y="([^"]+)"', html))
    assert len(heights) == 4
    assert heights[0] >= 12
    assert heights[-1] <= 150
    assert all(below - above >= 13 for above, below in itertools.pairwise(heights))


def lines(html: str) -> dict[str, str]:
    """Everybody on the sheet of an evening, and what they come to."""
    names = re.findall(r'<th scope="col">([^<]+)</th>', html)[1:]
    totals = re.findall(r'data-evening-total="([^"]+)"', html)
    return dict(zip(names, totals, strict=True))


def test_the_sheet_of_an_evening_has_a_line_for_everybody_who_played(client: Client):
    asked = {"n": "Ann,Bob,Cat,Dan,Eve", "r": "24,-24,0,0_-3,1,1,,1"}
    html = text(client.get("/settle/evening/", asked))
    assert lines(html) == {"Ann": "21", "Bob": "-23", "Cat": "1", "Dan": "0", "Eve": "1"}
    assert html.count("<polyline") == 5


def test_rounds_of_fewer_players_stand_on_the_sheet_of_all(client: Client):
    rounds = {"r": "2,-2_-1,-1,2_5,,,-5"}
    assert lines(text(client.get("/settle/evening/", rounds))) == {
        "东": "6", "南": "-3", "西": "2", "北": "-5",
    }  # fmt: skip
    two = {"n": "甲,乙", "r": "2,-2"}
    assert lines(text(client.get("/settle/evening/", two))) == {"甲": "2", "乙": "-2"}


#: As release 1.0.0 gave them out: four names by seat, or none.
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("r=24,-24,0,0_3,-1,-1,-1", {"东": "27", "南": "-25", "西": "-1", "北": "-1"}),
        (
            "n=%E7%8E%8B,%E6%9D%8E,,&r=24,-24,0,0_-8,0,0,8",
            {"王": "16", "李": "-24", "西": "0", "北": "8"},
        ),
        (
            "r=999999999999,-999999999999,0,0",
            {"东": "999999999999", "南": "-999999999999", "西": "0", "北": "0"},
        ),
    ],
)
def test_addresses_of_an_evening_keep_their_meaning(
    client: Client, query: str, found: dict[str, str]
):
    assert lines(text(client.get(f"/settle/evening/?{query}"))) == found


def test_the_sheet_reads_the_greatest_total_that_a_round_can_have(client: Client):
    page = text(client.get("/settle/", {"rules": "laok", "opt": "base:1000000", "e": "ws,099"}))
    found = re.search(r'data-totals="([^"]+)"', page)
    assert found
    html = text(client.get("/settle/evening/", {"r": found[1]}))
    assert ",".join(lines(html).values()) == found[1]
    assert len(found[1].split(",")[0]) > 12


@pytest.mark.parametrize("rounds", ["", "x", "1,2,3", "1,2,3,4,5", "1e9,0,0,0", "٣,0,0,0"])
def test_what_is_no_evening_is_an_empty_one(client: Client, rounds: str):
    html = text(client.get("/fragment/evening", {"r": rounds}))
    assert "<polyline" not in html


def test_pages_of_a_round_set_no_cookie_and_vary_on_nothing_of_theirs(client: Client):
    answer = client.get("/settle/", {"rules": "chengdu", "e": ROUND})
    assert not answer.cookies
    assert "Cookie" not in answer.get("Vary", "")


def test_values_that_the_source_does_not_state_are_said_to_be_assumed(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "k2e0"}))
    assert "按推定：直杠，点杠者付。" in html
    own = {"rules": "chengdu", "opt": "kong_points.exposed:3", "e": "k2e0"}
    assert "按推定" not in text(client.get("/settle/", own))


def test_horses_are_asked_for_where_they_count(client: Client):
    entry = "ws,0h11123455567899p"
    html = text(client.get("/settle/", {"rules": "laok", "a": entry}))
    assert 'name="h0"' in html
    typed = {"h0": "3m 七筒", "do": "horses:0"}
    answer = client.get("/settle/", {"rules": "laok", "a": entry, **typed})
    assert answer["Location"] == f"/settle/?rules=laok&a={entry}_x3m7p"
    assert 'name="h0"' not in text(client.get("/settle/", {"rules": "chengdu", "a": entry}))


# A hand from the calculator is noted down as it was reckoned there.


@pytest.mark.parametrize(
    ("asked", "seat", "kong", "saved", "fan"),
    [
        ({"hand": "11123499p[555p](7777p)", "by": "self_draw", "after": "concealed_kong"},
         "who:1", ["before:concealed_kong"], "e=k1c7p.wskc,1h11123499p[555p](7777p)", 7),
        ({"hand": "11123499p[555p][7777p]", "by": "self_draw", "after": "exposed_kong"},
         "who:1", ["before:exposed_kong:3"], "e=k1e37p.wske,1h11123499p[555p][7777p]", None),
        ({"hand": "123456m23457895p", "pao": "1"},
         "who:1", ["from:2", "before:added_kong"], "e=k2a.wd2k,1h123456m23457895p", None),
    ],
)  # fmt: skip
def test_the_kong_before_a_win_is_asked_for_and_never_dropped(
    client: Client, asked, seat, kong, saved, fan
):
    link = re.search(
        r'href="([^"]*)" data-into-round', text(client.get("/", {"rules": "chengdu", **asked}))
    )
    state = client.get(link[1].replace("&amp;", "&"))["Location"].split("?")[1]
    *taps, last = [seat, *kong]
    waiting = do(state, *taps)
    html = text(client.get(f"/settle/?{waiting}"))
    assert f'value="{last}"' in html
    assert re.search(r'data-act="save" aria-disabled="true"', html)
    assert not act(page_of(waiting), "save").done
    saved_query = do(waiting, last, "save")
    assert unquote(saved_query).endswith(saved)
    html = text(client.get(f"/settle/?{saved_query}"))
    assert 'class="problem"' not in html
    if fan:
        assert f"胡 {fan} 番" in html


def test_a_hand_whose_kong_bonus_is_taken_off_needs_no_kong():
    state = "a=wskc,1h11123499p[555p](7777p)"
    saved = unquote(do(state, "flag:after_kong", "save"))
    assert saved.endswith("e=ws,1h11123499p[555p](7777p)")


@pytest.mark.parametrize(
    ("state", "came", "entry"),
    [
        ("e=k1c7p&a=wskc,1h", {"by": "self_draw"}, "ws,1h{}"),
        ("e=k1c7p&a=wskc,1h", {"by": "self_draw", "after": "concealed_kong"}, "wskc,1h{}"),
        ("a=wd0,1h", {"by": "self_draw", "last": "1"}, "wsl,1h{}"),
        ("a=wsl,1h", {"by": "discard"}, "wd-,1h{}"),
        ("e=k0c&a=wd0k,1h", {"by": "discard"}, "wd0,1h{}"),
        ("a=ws,1h", {"by": "self_draw", "bless": "di_hu"}, "ws,1h{}_bd"),
    ],
)
def test_circumstances_changed_in_the_calculator_come_back_with_the_hand(
    client: Client, state, came, entry
):
    hand = "11123499p[555p](7777p)"
    given = {**dict(parse_qsl(state)), "hand": hand, **came}
    answer = client.get("/settle/", {"rules": "chengdu", **given})
    assert dict(parse_qsl(urlsplit(answer["Location"]).query))["a"] == entry.format(hand)


def test_several_winners_of_one_tile_stay_with_their_way_and_the_page_says_so(client: Client):
    hand = "123456m23457895p"
    given = {"rules": "chengdu", "a": "wd0,13,2h", "hand": hand, "by": "self_draw"}
    answer = client.get("/settle/", given)
    assert f"a=wd0,13,2h{hand}&say=way" in answer["Location"]
    assert 'data-problem="way"' in text(client.get(answer["Location"]))


def test_a_hand_reckoned_under_other_rules_says_that_the_round_keeps_its_own(client: Client):
    back = "rules=laok&a=ws,1h"
    given = {"rules": "chengdu", "hand": "11122233344455m", "by": "self_draw", "back": back}
    link = re.search(r'href="([^"]*)" data-into-round', text(client.get("/", given)))
    answer = client.get(link[1].replace("&amp;", "&"))
    assert 'data-problem="rules"' in text(client.get(answer["Location"]))


@pytest.mark.parametrize("typed", ["-5", "−5", "abc", "3.5", "100"])
def test_a_fan_that_is_none_is_refused_in_words(client: Client, typed: str):
    given = {"rules": "chengdu", "a": "ws,1", "f1": typed, "do": ""}
    answer = client.get("/settle/", given)
    kept = {"rules": "chengdu", "a": "ws,1", "f1": typed, "say": "fan-1"}
    assert dict(parse_qsl(urlsplit(answer["Location"]).query)) == kept
    for html in (text(client.get(answer["Location"])), text(client.get("/fragment/round", given))):
        assert "没有记上：南的番数要填 0 到 99 的整数" in html
        assert 'data-query="rules=chengdu&amp;a=ws,1"' in html


def test_assumed_values_are_kept_apart(client: Client):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": "k2e0.k1c"}))
    assert "点杠者付；暗杠" in html


@pytest.mark.parametrize("language", ["", "/en", "/zh-hant"])
def test_a_full_round_says_why_nothing_more_is_noted_down(client: Client, language: str):
    given = {"rules": "chengdu", "e": ".".join(["k1c"] * MAX_ROUND_EVENTS)}
    address = f"{language}/settle/"
    html = text(client.get(address, {**given, "do": "new:self_draw"}, follow=True))
    assert html.count("data-event=") == MAX_ROUND_EVENTS
    assert 'data-problem="full"' in html
    assert str(MAX_ROUND_EVENTS) in html.partition('data-problem="full"')[2].partition("</p>")[0]
    fewer = {**given, "e": given["e"][4:], "do": "new:self_draw"}
    assert 'data-problem="full"' not in text(client.get(address, fewer, follow=True))


@pytest.mark.parametrize("entry", ["", "ws,13", "ws,1", "n,0p"])
def test_more_events_than_a_round_can_have_are_said_and_not_drawn(client: Client, entry: str):
    events = ".".join(["ws,11"] * 210)
    given = {"rules": "xueliu", "e": events, **({"a": entry} if entry else {})}
    html = text(client.get("/settle/", given))
    assert "“一局的记录”最多写 64 项" in html
    assert html.count("data-event=") == MAX_ROUND_EVENTS
    assert totals(html)[1] == str(3 * MAX_ROUND_EVENTS)
    assert client.get("/settle/round.json", given).status_code == 422


@pytest.mark.parametrize("events", ["k2c5m.k1e05m", "k2c5m.k2c5m", "k2a5mr.wr2,13.k3c5m"])
def test_a_second_kong_of_a_tile_deserves_a_second_look(client: Client, events: str):
    html = text(client.get("/settle/", {"rules": "chengdu", "e": events}))
    assert "五万超过了四张" in html
    assert "超过了四张" not in text(client.get("/settle/", {"rules": "yaoji", "e": events}))


@pytest.mark.parametrize("hand", ["", "123m", "11122233344455m"])
def test_the_calculator_always_shows_the_way_back_without_a_hand(client: Client, hand: str):
    back = {"back": "rules=chengdu&a=ws,1h"}
    asked = {"rules": "chengdu", **({"hand": hand} if hand else {}), **back}
    link = re.search(r'href="([^"]*)" data-out-of-hand', text(client.get("/", asked)))
    answer = client.get(link[1].replace("&amp;", "&"))
    assert answer["Location"] == "/settle/?rules=chengdu&a=ws,1"


def test_a_player_at_the_end_of_the_wall_waits_for_no_hand_any_more():
    assert do("a=n,0p,2h", "unhand").endswith("a=n,0p")


def test_the_calculator_of_a_round_counts_only_those_who_still_pay(client: Client):
    hand = {"rules": "chengdu", "hand": "11122233344455m", "by": "self_draw"}
    assert "其余 3 家各付" in text(client.get("/", hand))
    back = {"back": "rules=chengdu&e=wd0,12&a=ws,2h"}
    assert "其余 2 家各付" in text(client.get("/", {**hand, **back}))
    flow = {"back": "rules=xueliu&e=wd0,12&a=ws,2h"}
    assert "其余 3 家各付" in text(client.get("/", {**hand, **flow}))


def test_who_has_left_pays_no_win_and_is_not_asked(client: Client):
    """血流: a winner who leaves gives back what he won and plays no more."""
    back = "rules=xueliu&e=ws,03.x0&a=ws,1h"
    page = text(client.get("/", {"rules": "xueliu", "hand": "11122233344455m", "by": "self_draw",
                                 "back": back}))  # fmt: skip
    assert "2 家各付" in page
    entry = text(client.get("/settle/", {"rules": "xueliu", "e": "ws,03.x0", "a": "ws"}))
    assert re.search(r'value="who:0"[^>]*disabled', entry)


@pytest.mark.parametrize("ruleset", rule_systems.ids())
def test_an_escape_asks_for_more_than_the_rules_give_anyway(client: Client, ruleset: str):
    given = {"rules": ruleset, "a": "x1l"}
    assert "比 16 倍大才要填" in text(client.get("/settle/", given))


def test_an_escape_follows_the_rule_file(client: Client, monkeypatch: pytest.MonkeyPatch):
    rules = replace(rule_systems.load("laok"), escape_points=7)
    monkeypatch.setattr("calculator.round.present.rules_of", lambda page: rules)
    assert "比 7 倍大才要填" in text(client.get("/settle/", {"rules": "laok", "a": "x1l"}))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"rules": "chengdu", "opt": "pig.to:nobody"}, "四家加罚分是零"),
        ({"rules": "sbr"}, "四家加罚分是零"),
        ({"rules": "laok"}, "四家相加是零"),
    ],
)
def test_the_start_says_what_adds_up_to_zero(client: Client, query: dict[str, str], said: str):
    assert said in text(client.get("/settle/", query, follow=True))


def test_the_words_of_the_script_are_json_and_all_are_used(client: Client):
    found = re.search(r'<main [^>]*data-words="([^"]*)"', text(client.get("/settle/")))
    assert found
    folder = Path(settings.BASE_DIR) / "static" / "round"
    scripts = "".join(path.read_text("utf-8") for path in folder.glob("*.js"))
    assert set(re.findall(r"words\.([a-zA-Z]+)", scripts)) == json.loads(unescape(found[1])).keys()


def test_names_in_the_fields_count_whichever_button_is_pressed(client: Client):
    typed = {"n0": "王", "n1": "", "n2": "", "n3": "李", "do": "new:concealed_kong"}
    made = client.get("/settle/", {"rules": "chengdu", **typed})["Location"]
    assert dict(parse_qsl(urlsplit(made).query)) == {
        "rules": "chengdu", "n": "王,,,李", "a": "k-c",
    }  # fmt: skip
    kept = {"rules": "chengdu", "n": "王,,,李", "do": "new:concealed_kong"}
    assert "n=%E7%8E%8B" in client.get("/settle/", kept)["Location"]


# What is typed is noted down by whatever is pressed next.

HORSED = "ws,0h11122233355m88p!8p"


def made_by(client: Client, **given: str) -> dict[str, str]:
    """The parameters of the address that a button leads to."""
    return dict(parse_qsl(urlsplit(client.get("/settle/", given)["Location"]).query))


@pytest.mark.parametrize(
    ("entry", "typed", "pressed", "made"),
    [
        ("x3l", {"b0": "40"}, "save", {"e": "x3l,040"}),
        ("x3l,040", {"b0": ""}, "save", {"e": "x3l"}),
        (HORSED, {"h0": "1m5m"}, "save", {"e": f"{HORSED}_x15m"}),
        ("ws,03", {"f0": "9"}, "save", {"e": "ws,09"}),
        ("ws,0", {"f0": "9"}, "save", {"e": "ws,09"}),
        ("wd3,0,1", {"f0": "9", "f1": "10"}, "typed:0", {"a": "wd3,09,110"}),
        ("wd3,0,1", {"f0": "9", "f1": "10"}, "save", {"e": "wd3,09,110"}),
        ("wd3,0,1", {"f0": "9", "f1": ""}, "fan:1:4", {"a": "wd3,09,14"}),
        ("wd3,02,1", {"f0": "2", "f1": "7"}, "who:2", {"a": "wd3,02,17,2"}),
        ("wd3,0,1", {"f0": "9"}, "new:self_draw", {"a": "ws,09"}),
        ("n,0p,1r,2r", {"f1": "3", "f2": "5"}, "state:3:not_ready", {"a": "n,0p,1r3,2r5,3n"}),
        ("ws,0", {"f0": "9"}, "dealer:2", {"d": "2", "a": "ws,09"}),
        ("ws,0", {"f0": "9"}, "", {"a": "ws,09"}),
        ("x3l", {"b0": "40", "b1": "50"}, "", {"a": "x3l,040,150"}),
    ],
)
def test_what_is_typed_counts_whichever_button_is_pressed(
    client: Client, entry, typed, pressed, made
):
    given = {"rules": "laok", "a": entry, **typed, "do": pressed}
    assert made_by(client, **given) == {"rules": "laok", **made}


@pytest.mark.parametrize(
    ("typed", "pressed", "made"),
    [
        ({"f1": "9"}, "fan:1:4", {"a": "ws,14"}),
        ({"f1": "x"}, "fan:1:4", {"a": "ws,14"}),
        ({"f1": "x"}, "who:2", {"a": "wskc,2"}),
        ({"f1": "9"}, "cancel", {}),
        ({"f1": "x"}, "cancel", {}),
        ({"f1": "9"}, "new:self_draw", {}),
        ({"f1": "x"}, "new:concealed_kong", {"a": "k1c"}),
        ({"f3": "9"}, "save", {"e": "k2c.ws,13"}),
        ({"f1": "9"}, "edit:0", {"a": "k2c", "at": "0"}),
        ({"f1": "3"}, "save", {"e": "k2c.ws,13"}),
    ],
)
def test_what_is_typed_goes_with_the_entry_that_it_was_typed_for(
    client: Client, typed, pressed, made
):
    given = {"rules": "laok", "e": "k2c", "a": "ws,13", **typed, "do": pressed}
    assert made_by(client, **given) == {"rules": "laok", "e": "k2c", **made}


@pytest.mark.parametrize(
    ("entry", "typed", "said"),
    [
        ("x3l", {"b1": "viel"}, "没有记上：李最大的牌，倍数要填整数。"),
        (HORSED, {"h0": "1m5"}, "没有记上：王买马的牌读不出来"),
        ("ws,13", {"f1": "1e1"}, "没有记上：李的番数要填 0 到 99 的整数。"),
        ("ws,13", {"f1": "9" * 50}, "没有记上：李的番数要填 0 到 99 的整数。"),
    ],
)
@pytest.mark.parametrize("pressed", ["save", "dealer:1", ""])
def test_a_typed_value_that_cannot_be_read_stops_the_save_and_stays(
    client: Client, entry, typed, said, pressed
):
    state = {"rules": "laok", "n": "王,李,赵,张", "a": entry}
    given = {**state, **typed, "do": pressed}
    answer = client.get("/settle/", given)
    [(name, value)] = typed.items()
    html = text(client.get(answer["Location"]))
    for shown in (html, text(client.get("/fragment/round", given))):
        assert said in unescape(shown)
        field = re.search(rf'<input name="{name}"[^>]*>', shown)
        assert field
        assert f'value="{value[:40]}"' in field[0]
        assert 'aria-invalid="true"' in field[0]
        assert "data-event=" not in shown
    # It is no part of the state.
    assert f"{name}=" not in re.search(r'data-query="([^"]*)"', html)[1]


def test_what_can_be_read_is_kept_beside_what_cannot(client: Client):
    given = {"rules": "laok", "a": "wd3,0,1", "f0": "9", "f1": "x", "do": "save"}
    made = {"rules": "laok", "a": "wd3,09,1", "f1": "x", "say": "fan-1"}
    assert made_by(client, **given) == made


@pytest.mark.parametrize(
    ("entry", "typed", "back"),
    [("wd3,0,1", {"f0": "9"}, "wd3,09,1h"), ("n,0r,1p", {"f0": "2", "f1": "8"}, "n,0r2,1h")],
)
def test_what_is_typed_is_in_the_round_that_a_hand_comes_back_to(
    client: Client, entry, typed, back
):
    answer = client.get("/settle/", {"rules": "laok", "a": entry, **typed, "do": "calc:1"})
    assert answer["Location"].startswith("/?rules=laok&")
    assert dict(parse_qsl(urlsplit(answer["Location"]).query))["back"] == f"rules=laok&a={back}"
    stays = made_by(client, rules="laok", a=entry, f0="x", do="calc:1")
    assert stays == {"rules": "laok", "a": entry, "f0": "x", "say": "fan-0"}


@pytest.mark.parametrize("asked", ["calc:", "calc:9", "calc:2", "calc:None"])
def test_nobody_is_asked_for_a_hand_that_the_entry_has_no_place_for(client: Client, asked: str):
    for entry in ("wd3,-h1m", "k1c", "ws,1"):
        assert made_by(client, rules="laok", a=entry, do=asked) == {"rules": "laok", "a": entry}


def test_taps_meant_for_after_a_save_that_is_stopped_are_not_done(client: Client):
    given = {"a": "ws,13", "f1": "x", "do": ["save", "new:discard", "who:2"]}
    html = text(client.get("/fragment/round", given))
    assert 'data-query="rules=chengdu&amp;a=ws,13"' in html


@pytest.mark.parametrize(
    "address",
    ["/", "/house/?rules=laok&opt=cap:4", "/settle/?a=ws,1", "/settle/", "/compare/", "/rules/",
     "/learn/drill/?kind=value", "/settle/evening/"],
)  # fmt: skip
def test_enter_in_a_field_presses_nothing_that_stands_in_its_form(client: Client, address: str):
    """Without scripts, Enter presses the first button of a form: one for that, or the only one."""
    html = text(client.get(address, follow=True))
    for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
        buttons = re.findall(r"<button(?![^>]*type=\"button\")[^>]*>", form)
        written = re.findall(r"<(?:input(?![^>]*type=\"(?:hidden|checkbox)\")|select)[^>]*>", form)
        assert not written or len(buttons) == 1 or "aria-hidden" in buttons[0], buttons[0]


# What can no longer be.


@pytest.mark.parametrize(
    ("rules", "events", "names", "taps", "made"),
    [
        ("chengdu", "ws,02.n,0p,2r3,3n", "东", ["state:1:not_ready"], "ws,02.n,1n,2r3,3n"),
        ("chengdu", "ws,02.n,0r4,1n,2r3,3n", "东", [], "ws,02.n,1n,2r3,3n"),
        ("chengdu", "wd2,02,12.n,0r4,1n,2r3,3n", "东南", [], "wd2,02,12.n,2r3,3n"),
        ("xueliu", "ws,02.n,0n,1n,2r3,3n", "东", [], "ws,02.n,1n,2r3,3n"),
    ],
)
def test_the_end_of_the_wall_is_mended_when_a_player_has_become_a_winner(
    client: Client, rules, events, names, taps, made
):
    state = {"rules": rules, "e": events}
    assert 'class="event wrong"' in text(client.get("/settle/", state))
    answer = client.get("/settle/", {**state, "do": "edit:1"})
    html = text(client.get(answer["Location"]))
    for name in names:
        assert f"{name}在这之前已经胡了或走了，流局里记给这一家的去掉了。" in html
    state = urlsplit(answer["Location"]).query.partition("&say")[0]
    if rules == "chengdu":
        assert len(re.findall(r"data-standing", html)) == 4 - len(names)
    saved = do(state, *taps, "save")
    assert parse_qsl(saved)[-1] == ("e", made)
    assert 'class="problem"' not in text(client.get(f"/settle/?{saved}"))


def test_an_end_of_the_wall_being_noted_down_follows_a_change_of_rules(client: Client):
    state = {"rules": "xueliu", "e": "ws,02", "a": "n,0r4,1n,2r3,3n", "do": "rules:chengdu"}
    made = {"rules": "chengdu", "e": "ws,02", "a": "n,1n,2r3,3n", "say": "gone-0"}
    assert made_by(client, **state) == made


@pytest.mark.parametrize(("taps", "events"), [
    (["new:self_draw"], "ws,02"),
    (["new:discard", "from:2"], "wd2,02"),
    ([], "k1a3mr.wr1,02"),
    (["from:3"], "k3ar.wr3,02"),
])  # fmt: skip
def test_a_robbed_kong_goes_when_nobody_robs_it_any_more(taps: list[str], events: str):
    assert do("e=k1a3mr.wr1,02.k3c", "edit:1", *taps, "save").endswith(f"e={events}.k3c")


@pytest.mark.parametrize(
    ("entry", "pressed", "said"),
    [
        ("wd0,12,23", "from:1", "南不再是胡家，记给这一家的番去掉了。"),
        ("wd0,12,23", "new:self_draw", "西不再是胡家，记给这一家的番去掉了。"),
        ("wd0,1,23", "from:1", ""),
        ("wd0,12,23", "from:3", ""),
        ("wd0,12,23", "who:1", ""),
    ],
)
def test_a_winner_that_is_taken_out_by_another_choice_is_told(client: Client, entry, pressed, said):
    state = {"rules": "chengdu", "e": "k0c", "a": entry, "do": pressed}
    html = text(client.get("/settle/", state, follow=True))
    assert re.findall(r'data-problem="unwon">(.*?)</p>', html) == ([said] if said else [])


def previewed(client: Client, **given: str) -> str:
    """What stands beside the button that notes an entry down."""
    html = text(client.get("/fragment/round", given))
    return unescape(re.search(r'class="preview".*?</div>', html, re.S)[0])


@pytest.mark.parametrize(
    ("given", "least"),
    [
        ({"rules": "chengdu", "e": "k1c", "a": "ws,1"}, "有暗杠：至少 2 番"),
        ({"rules": "chengdu", "e": "k1c", "a": "wskc,1"}, "有暗杠、杠上花：至少 5 番"),
        ({"rules": "laok", "e": "k1c.k2c.k1e0", "a": "ws,1"}, "有暗杠、直杠：至少 3 番"),
        ({"rules": "xueliu", "e": "k1c", "a": "wd0,1"}, "有暗杠：至少 3 番"),
        ({"rules": "jipin", "e": "k1c.k1c.k1c.k1c", "a": "ws,1"}, "有暗杠：至少 4 番"),
        ({"rules": "chengdu", "e": "k0c", "a": "wd0k,1"}, "有杠上炮：至少 1 番"),
        ({"rules": "chengdu", "a": "wr0,1"}, "有抢杠：至少 1 番"),
    ],
)
def test_the_keys_know_the_least_that_the_booked_kongs_are_worth(
    client: Client, given: dict[str, str], least: str
):
    html = text(client.get("/fragment/round", given))
    assert least in html
    fan = int(re.search(r"至少 (\d)", least)[1])
    keys = re.findall(r'data-fan-of="1" data-fan-key="(\d+)"( class="less")?', html)
    assert [key for key, dim in keys if dim] == [key for key, _ in keys if int(key) < fan]


def test_less_than_the_booked_kongs_is_taken_with_a_note(client: Client):
    entry = {"rules": "chengdu", "n": "a,小王,c,d", "e": "k1c"}
    note = "小王有暗杠，至少 2 番；这里照 0 番记。"
    assert note in previewed(client, **entry, a="ws,10")
    assert note not in previewed(client, **entry, a="ws,12")
    assert note in previewed(client, **entry, a="n,1r0")
    assert do("e=k1c&a=ws,10", "save").endswith("e=k1c.ws,10")


def test_of_two_players_left_the_other_one_is_chosen_as_payer():
    after_two = "e=ws,01.ws,11"
    assert do(after_two, "new:discard", "who:2").endswith("a=wd3,2")
    assert do(after_two, "new:exposed_kong", "who:3").endswith("a=k3e2")
    assert do(after_two, "new:rob_kong", "who:2").endswith("a=wr3,2")
    # The other way round the payer changes too; what is tapped away stays away.
    assert do(f"{after_two}&a=wd3,2", "from:3").endswith("a=wd-,2")
    # With more players left, or in 血流, nobody is chosen.
    assert do("e=ws,01", "new:discard", "who:2").endswith("a=wd-,2")
    assert do(f"rules=xueliu&{after_two}", "new:discard", "who:2").endswith("a=wd-,2")


def test_a_kong_that_is_paid_with_a_win_says_so(client: Client):
    later = "现在不付，有人胡再算。"
    assert later in previewed(client, rules="xueliu", a="k1c")
    assert later not in previewed(client, rules="chengdu", a="k1c")
    log = text(client.get("/fragment/round", {"rules": "xueliu", "e": "k1c.ws,11"}))
    assert log.count(later) == 1
    assert log.count('class="running"') == 1


@pytest.mark.parametrize(
    ("hand", "state"),
    [
        ("1113456666788s", "ready"),
        ("1234m123p123s147m", "flower_pig"),
        ("147m258m1122p147p", "not_ready"),
    ],
)
def test_a_hand_at_the_walls_end_chooses_its_state(client: Client, hand: str, state: str):
    html = text(client.get("/fragment/round", {"rules": "chengdu", "a": f"n,2h{hand}"}))
    standing = re.search(r'data-standing="2".*?</div>', html, re.S)[0]
    assert re.findall(r'data-state="(\w+)" aria-pressed="true"', standing) == [state]


def test_the_calculator_says_whose_hand_it_is_and_for_what(client: Client):
    asked = {"rules": "chengdu", "back": "rules=chengdu&n=a,b,小王,d&a=ws,2h"}
    html = text(client.get("/", asked))
    assert "小王胡的牌：连胡的那张一共 14 张" in html
    assert "at-the-end" not in html
    html = text(client.get("/", {**asked, "back": "rules=chengdu&a=n,0p,2h"}))
    assert "流局时西手里的牌：一共 13 张" in html
    assert "at-the-end" in html
    assert "data-wanted" not in text(client.get("/", {"rules": "chengdu"}))


def test_a_fan_may_be_said_before_its_winner():
    assert do("", "new:discard", "fan:first:3").endswith("a=wd-,-3")
    assert do("", "new:discard", "fan:first:3", "who:1", "from:0", "save").endswith("e=wd0,13")
    assert do("a=wd0,12,2", "fan:first:4").endswith("a=wd0,14,2")
    assert not act(page_of("a=k1c"), "fan:first:3").done


def test_a_winners_hand_can_be_given_up_for_a_number():
    assert do("a=wd0,1h11122233344455m,22", "unhand:1").endswith("a=wd0,1,22")


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ("ws,23.ws,02.ws,11", "西第一个胡，下一局坐庄。"),
        ("wd3,02,12.ws,21", "第一次胡就有几家，北点的炮，下一局坐庄。"),
        ("n,0p,1n,2n,3n", "这一局没有人胡，下一局还是东坐庄。"),
    ],
)
def test_it_is_said_who_deals_next_and_why(client: Client, events: str, said: str):
    html = text(client.get("/fragment/round", {"rules": "chengdu", "e": events}))
    assert said in html


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("entry", ["", "wd0,1", "ws,1", "n,0r2", "k1e0", "x0l"])
def test_a_table_of_fewer_has_so_many_seats(client: Client, players: int, entry: str):
    given = {"rules": "chengdu", "opt": f"players:{players}", "e": "wd0,12", "a": entry}
    html = text(client.get("/fragment/round", given))
    seats = set(map(str, range(players)))
    assert set(re.findall(r'class="seat s(\d)', html)) == seats
    for hook in ("who", "giver", "standing", "dealer"):
        assert set(re.findall(rf'data-{hook}="(\d)"', html)) <= seats


def test_a_deal_that_goes_round_is_said_so(client: Client):
    given = {"rules": "chengdu", "opt": "next_dealer:rotate", "e": "ws,23.ws,02.ws,31"}
    assert "轮流坐庄，下一局南坐庄。" in text(client.get("/fragment/round", given))


def tapped(client: Client, query: str, *actions: str, **typed: str) -> str:
    """Where taps lead, as the query of the page's address."""
    data = {**dict(parse_qsl(query)), "do": list(actions), **typed}
    return unquote(client.get("/settle/", data)["Location"]).partition("?")[2]


def test_a_false_win_is_noted_down_in_two_taps_and_drops_out(client: Client) -> None:
    query = tapped(client, "rules=sbr", "new:false_win", "who:1", "save")
    assert query == "rules=sbr&e=f1"
    html = client.get(f"/settle/?{query}").content.decode()
    assert 'data-seat="1" data-total="-24"' in html
    assert "南诈和" in html
    entry = client.get(f"/settle/?{query}&a=ws").content.decode()
    assert re.search(r'data-who="1"[^>]*disabled', entry)


def test_an_agreed_payment_is_noted_down_before_and_after_the_end(client: Client) -> None:
    begun = tapped(client, "rules=chengdu", "new:payment", "from:0", "who:2")
    query = tapped(client, begun, "save", m0="12.5", t0="补上局，2.5")
    assert query == "rules=chengdu&e=p02,12_5,补上局，2~d5"
    html = client.get("/settle/", dict(parse_qsl(query))).content.decode()
    assert "东付给西：补上局，2.5" in html
    assert 'data-seat="2" data-total="12.5"' in html
    over = "rules=laok&opt=round_ends:first_win&e=ws,01"
    assert 'value="new:payment"' in client.get(f"/settle/?{over}").content.decode()
    begun = tapped(client, over, "new:payment", "from:0", "who:2")
    assert tapped(client, begun, "save", m0="5").endswith("e=ws,01.p02,5")


@pytest.mark.parametrize("typed", ["0", "-1", "1.234", "abc", "9" * 9])
def test_a_sum_that_is_none_is_told_and_stays_typed(client: Client, typed: str) -> None:
    query = tapped(client, "rules=chengdu&a=p02,", "save", m0=typed)
    assert "e=p" not in query
    html = client.get("/settle/", dict(parse_qsl(query))).content.decode()
    assert "约定付款要填大于 0 的分" in html
    assert 'name="m0"' in html and f'value="{typed}"' in html


def test_a_passive_pig_is_marked_where_that_matters(client: Client) -> None:
    html = client.get("/settle/?rules=sbr&a=n,0p").content.decode()
    assert 'data-passive="0"' in html
    assert "data-passive" not in client.get("/settle/?rules=laok&a=n,0p").content.decode()
    assert tapped(client, "rules=sbr&a=n,0p", "passive:0") == "rules=sbr&a=n,0p_p"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_page_has_as_many_seats_as_there_are_players(client: Client, players: int) -> None:
    opt = "" if players == 4 else f"&opt=players:{players}"
    html = client.get(f"/settle/?rules=chengdu{opt}&e=ws,01&a=n").content.decode()
    assert len(set(re.findall(r'data-seat="(\d)"', html))) == players
    assert len(re.findall(r'data-dealer="\d"', html)) == players
    drawn = client.get(f"/settle/?rules=chengdu{opt}&a=wd1,01").content.decode()
    assert len(re.findall(r'data-who="\d"', drawn)) == players


# The evening as it is sent: text and spreadsheet.

EVENING = {"n": "=Ann,Bob,Cat,Dan", "r": "24,-24,0,0_-3,1,1,1"}


def test_the_text_of_an_evening_has_everybody_every_round_and_the_fewest_payments(client: Client):
    html = text(client.get("/settle/evening/", EVENING))
    found = re.search(r'<textarea id="evening-text"[^>]*>([^<]*)</textarea>', html)
    assert found
    written = unescape(found[1]).split("\n")
    assert written[:7] == [
        "今晚的账", "=Ann +21", "Bob −23", "Cat +1", "Dan +1",
        "第 1 局：=Ann +24，Bob −24，Cat 0，Dan 0", "第 2 局：=Ann −3，Bob +1，Cat +1，Dan +1",
    ]  # fmt: skip
    assert set(written[8:11]) == {"Bob → =Ann 21", "Bob → Cat 1", "Bob → Dan 1"}
    assert written[-1].startswith("http://")


def table_of(client: Client, path: str, query: dict[str, str]) -> list[list[str]]:
    answer = client.get(path, query)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert re.search(r'filename="[a-z]+-20\d\d-\d\d-\d\d\.csv"', answer["Content-Disposition"])
    written = answer.content.decode("utf-8")
    assert written[0] == "\ufeff"
    return list(csv.reader(io.StringIO(written[1:])))


def test_the_spreadsheet_of_an_evening_has_the_totals_and_no_formula(client: Client):
    rows = table_of(client, "/settle/evening.csv", EVENING)
    assert rows[0] == ["局", "'=Ann", "Bob", "Cat", "Dan"]
    assert rows[1:4] == [
        ["1", "24", "-24", "0", "0"],
        ["2", "-3", "1", "1", "1"],
        ["合计", "21", "-23", "1", "1"],
    ]
    assert rows[-1] == ["局", "经过", "付", "收", "数目", "原因"]


def test_the_spreadsheet_of_a_round_has_every_transfer_with_its_reason(client: Client):
    query = {"rules": "laok", "n": "=1+1,Bob,Cat,Dan", "e": "k2e0.wd1,03"}
    head, *rows = table_of(client, "/settle/round.csv", query)
    assert head == ["局", "经过", "付", "收", "数目", "原因"]
    assert [row[2:5] for row in rows] == [["'=1+1", "Cat", "6"], ["Bob", "'=1+1", "24"]]
    assert all(row[0] == "1" and row[1] and row[5] for row in rows)
    part = table_of(client, "/settle/round.csv", {**query, "part": "7"})
    assert [row[1:] for row in part] == [row[1:] for row in rows]
    assert {row[0] for row in part} == {"7"}


def test_what_a_newer_link_says_besides_is_told(client: Client) -> None:
    answer = client.get("/settle/", {"rules": "laok", "e": "ws,12", "wind": "e"}, follow=True)
    assert answer.redirect_chain[0][0] == "/settle/?rules=laok&e=ws,12&say=newer"
    assert "也许更新的版本才读得懂" in answer.content.decode()


def test_the_last_copy_goes_along_from_the_hand_to_the_round(client: Client) -> None:
    given = {"rules": "laok", "opt": "fans.jue_zhang:1", "hand": "234567m345678p99m!9m", "jue": "1"}
    where = client.get("/settle/", given)["Location"]
    assert where.partition("a=")[2].startswith("wd-u,")
