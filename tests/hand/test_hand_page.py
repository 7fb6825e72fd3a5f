"""The calculator page over HTTP: addresses, redirects, fragments, headers."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client

WIN = {"rules": "chengdu", "hand": "1233455567899p!5p"}


def get(client: Client, path: str, **params: str):  # type: ignore[no-untyped-def]
    return client.get(path, params)


def where(response) -> dict[str, str]:  # type: ignore[no-untyped-def]
    """The parameters of a redirect."""
    assert response.status_code == 302
    return dict(parse_qsl(urlsplit(response["Location"]).query))


def text(response) -> str:  # type: ignore[no-untyped-def]
    assert response.status_code == 200
    return response.content.decode()


def test_the_empty_page_is_chengdu_and_teaches_three_hands(client: Client) -> None:
    page = text(client.get("/"))
    assert 'data-rules="chengdu"' in page
    assert page.count("data-example") == 3
    assert page.count('data-tile="') == 27


def test_a_canonical_address_opens_scored(client: Client) -> None:
    page = text(get(client, "/", **WIN))
    assert 'data-status="win" data-fan="3" data-multiple="8" data-points="8"' in page
    assert "<title>3番 · 8倍 · 清一色 + 根×1 · 算番</title>" in page
    assert 'data-term="gen" data-term-fan="1"' in page
    assert page.count("data-win-tile") == 1
    assert "点炮者付 8" in page


@pytest.mark.parametrize(
    "typed",
    [
        {"hand": "1233455567899p!5p"},
        {"rules": "chengdu", "hand": "9987655543321p!5p", "by": "discard"},
        {"hand": "1233455567899p!5p", "rules": "chengdu"},
        {**WIN, "utm_source": "chat"},
        {**WIN, "opt": "cap:off"},
    ],
)
def test_one_state_has_one_address(client: Client, typed: dict[str, str]) -> None:
    assert where(get(client, "/", **typed)) == WIN


def test_the_default_winning_tile_stays_unnamed(client: Client) -> None:
    page = text(get(client, "/", rules="chengdu", hand="12334555567899p"))
    assert 'data-win-tile="9p" aria-label="九筒，胡的牌"' in page


@pytest.mark.parametrize(
    ("state", "do", "expected"),
    [
        ({}, "tile:5m", {"hand": "5m"}),
        ({"hand": "5m"}, "arm:pung", {"hand": "5m", "arm": "pung", "say": "pick_tile,verb-pung"}),
        ({"hand": "5m", "arm": "pung"}, "tile:9p", {"hand": "5m[999p]"}),
        ({"hand": "5m"}, "after_kong", {"hand": "5m", "say": "need_kong"}),
        ({"hand": "5m", "by": "self_draw"}, "clear", {"say": "cleared"}),
        (
            {"opt": "fans.qing_yi_se:0"},
            "rules:laok",
            {"say": "dropped,rules-laok,options-fans.qing_yi_se"},
        ),
    ],
)
def test_a_button_redirects_to_the_state_it_makes(
    client: Client, state: dict[str, str], do: str, expected: dict[str, str]
) -> None:
    made = where(get(client, "/", rules="chengdu", **state, do=do))
    rules = "laok" if do == "rules:laok" else "chengdu"
    assert made == {"rules": rules, **expected}


def test_a_changed_text_is_read_before_the_button_acts(client: Client) -> None:
    response = get(client, "/", rules="chengdu", hand="1m", text="一万二万", do="tile:3m")
    assert where(response) == {"rules": "chengdu", "hand": "123m"}


def test_an_unreadable_text_stays_as_written_beside_its_problem(client: Client) -> None:
    response = get(client, "/", rules="chengdu", text="12x3m", do="text")
    assert where(response) == {"rules": "chengdu", "draft": "12x3m"}
    for address in (response["Location"], "/?rules=chengdu&hand=12x3m"):
        page = text(client.get(address))
        assert 'data-problem="bad_notation"' in page
        assert "<mark>x</mark>" in page
        assert 'value="12x3m"' in page


def test_the_longest_text_of_the_field_is_told_and_kept_not_cut(client: Client) -> None:
    most = int(re.search(r'id="text"[^>]* maxlength="(\d+)"', text(client.get("/")))[1])  # type: ignore[index]
    link = "?rules=laok&hand=123m&opt=cap:3"
    for long in ("万" * most, "x" * (most - len(link)) + link):
        asked = get(client, "/", rules="chengdu", hand="12m", text=long, do="text")
        assert asked.status_code == 302
        page = text(client.get(asked["Location"]))
        assert "写得太长" in page
        assert f'value="{html.escape(long)}" maxlength' in page
        assert 'data-hand-tile="2m"' in page


def test_an_unreadable_text_leaves_the_hand_as_it_was(client: Client) -> None:
    asked = get(client, "/", rules="chengdu", hand="123m", text="乱写 12x", do="text")
    state = {"rules": "chengdu", "hand": "123m", "draft": "乱写 12x"}
    assert where(asked) == state
    page = text(client.get(asked["Location"]))
    assert page.count("data-win-tile") + page.count("data-hand-tile") >= 3
    # The next button goes on from that hand.
    went_on = get(client, "/", **state, text="乱写 12x", do="tile:4m")
    assert where(went_on) == {"rules": "chengdu", "hand": "1234m"}
    made = get(client, "/fragment/state", rules="chengdu", hand="123m", text="qq").json()
    assert (made["query"], made["readable"]) == ("rules=chengdu&hand=123m", False)
    assert len(made["problems"]) == 1


def test_a_long_rubbish_names_a_few_problems_and_counts_the_rest(client: Client) -> None:
    made = get(client, "/fragment/state", text="a 1m b 2m c 3m d 4m e 5m").json()
    assert len(made["problems"]) == 4
    assert made["problems"][-1] == "还有2处问题"


@pytest.mark.parametrize("prefix", ["", "/en", "/zh-hant"])
def test_the_page_reads_its_own_link_and_its_own_text_copy(client: Client, prefix: str) -> None:
    state = {**WIN, "by": "self_draw", "opt": "cap:4"}
    page = text(get(client, f"{prefix}/", **state))
    copied = html.unescape(re.search(r'data-copy="([^"]*\n[^"]*)"', page)[1])  # type: ignore[index]
    link = copied.splitlines()[-1]
    assert link.startswith("http")
    no_lines = copied.replace("\n", "")
    for pasted in (link, copied, no_lines, f"看看 {link}"):
        assert where(get(client, "/", rules="laok", text=pasted, do="text")) == state
    without_link = copied.rpartition("\n")[0]
    made = where(get(client, "/", rules="laok", text=without_link, do="text"))
    assert made == {"rules": "laok", "hand": WIN["hand"]}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("22244455577799m 自摸", {"hand": "22244455577799m", "by": "self_draw"}),
        ("22244455577799m，点炮", {"hand": "22244455577799m"}),
        ("22244455577799m抢杠胡", {"hand": "22244455577799m", "by": "rob_kong"}),
        ("1233455567899p,胡五筒", {"hand": "1233455567899p!5p"}),
        ("12334555567899p 自摸五筒", {"hand": "1233455567899p!5p", "by": "self_draw"}),
        ("22m 刮风一筒 下雨三条", {"hand": "22m[1111p](3333s)"}),
    ],
)
def test_a_text_may_end_with_how_it_was_won(
    client: Client, written: str, expected: dict[str, str]
) -> None:
    made = where(get(client, "/", rules="chengdu", text=written, do="text"))
    assert made == {"rules": "chengdu", **expected}


def test_a_kong_of_no_kind_is_asked_about(client: Client) -> None:
    made = get(client, "/fragment/state", text="22m 杠3条").json()
    assert made["problems"] == ["“杠”没有说是哪一种：请写直杠、补杠或暗杠（第 5 个字）。"]


@pytest.mark.parametrize(
    ("params", "slot", "code"),
    [
        ({"hand": "11111m"}, "hand", "five_of_a_kind"),
        ({"hand": "123456789m123456p"}, "hand", "too_many_tiles"),
        ({"hand": "1233455567899p!5p", "by": "rob_kong"}, "win", "impossible_win"),
        ({"hand": "1m", "by": "magic"}, "win", "bad_field"),
        ({"hand": "1m", "seen": "zz"}, "seen", "bad_notation"),
        ({"rules": "nowhere"}, "rules", "unknown_ruleset"),
        ({"opt": "cap:x"}, "rules", "bad_option"),
        ({"opt": "colour:red"}, "rules", "unknown_option"),
    ],
)
def test_a_problem_stands_next_to_its_cause(
    client: Client, params: dict[str, str], slot: str, code: str
) -> None:
    page = text(get(client, "/", **{"rules": "chengdu", **params}))
    place = re.search(rf'<div id="problems-{slot}".*?</div>', page, re.DOTALL)
    assert place and f'data-problem="{code}"' in place[0]


@pytest.mark.parametrize(
    "params",
    [
        {"hand": "1" * 5000},
        {"hand": "\x00"},
        {"rules": "../../etc"},
        {"opt": "a." * 700},
        {"by": "x" * 500},
        {"seen": "🀇" * 300},
        {"do": "meld:9:jokers:9"},
        {"do": "tile:"},
        {"do": ":" * 150},
        {"say": "taken,tile-9z,n-99999"},
        {"say": "dropped"},
        {"arm": "<script>"},
        {"text": "123m" * 99},
    ],
)
def test_no_input_breaks_the_page(client: Client, params: dict[str, str]) -> None:
    for path in ("/", "/fragment/result", "/fragment/state", "/qr.svg"):
        assert get(client, path, **params).status_code in (200, 302, 414)


def test_what_an_address_says_is_only_what_we_say(client: Client) -> None:
    page = text(get(client, "/", rules="chengdu", say="dropped,rules-laok,options-<b>hi</b>"))
    assert "<b>hi" not in page
    assert "<i>" not in text(get(client, "/", rules="chengdu", say="<i>"))


def test_the_fragment_is_the_result_with_problems_out_of_band(client: Client) -> None:
    fragment = text(get(client, "/fragment/result", **WIN))
    assert "<html" not in fragment
    assert 'data-fan="3"' in fragment
    assert fragment.count('hx-swap-oob="true"') == 5


def test_the_state_route_normalises_text(client: Client) -> None:
    made = get(client, "/fragment/state", rules="chengdu", text="一万二万 暗杠5筒").json()
    assert made["query"] == "rules=chengdu&hand=12m%285555p%29"
    assert made["readable"] is True
    assert get(client, "/fragment/state", text="zz").json()["readable"] is False


def test_nothing_varies_sets_cookies_or_is_forbidden_to_caches(client: Client) -> None:
    for path in ("/", "/fragment/result", "/qr.svg", "/en/"):
        response = get(client, path, **WIN)
        assert "Vary" not in response
        assert not response.cookies
        assert "public" in response["Cache-Control"]
    assert client.post("/").status_code == 405


def test_the_qr_code_is_our_own_picture_of_this_address(client: Client) -> None:
    response = get(client, "/qr.svg", **WIN)
    assert response["Content-Type"] == "image/svg+xml"
    assert b"<svg" in response.content


def test_each_language_keeps_the_state(client: Client) -> None:
    page = text(client.get("/zh-hant/?rules=chengdu&hand=1233455567899p!5p"))
    assert 'lang="zh-Hant"' in page
    assert 'action="/zh-hant/"' in page
    assert 'href="/en/?rules=chengdu&amp;hand=1233455567899p!5p"' in page
    assert where(get(client, "/en/", hand="1m")) == {"rules": "chengdu", "hand": "1m"}


def test_the_badge_names_preset_and_changes(client: Client) -> None:
    page = text(get(client, "/", rules="chengdu", opt="cap:4,self_draw_bonus:base"))
    assert "成都·4番封顶·自摸加底" in page


def test_jokers_show_what_they_stand_for(client: Client) -> None:
    page = text(get(client, "/", rules="yaoji", hand="23456p11s(8888p)[999p]!7p"))
    assert 'data-status="win"' in page
    assert "幺鸡代" in page


def test_ready_hands_list_waits_and_full_ones_discards(client: Client) -> None:
    page = text(get(client, "/", rules="chengdu", hand="2333344455566m"))
    assert 'data-wait="1m" data-left="4"' in page
    page = text(get(client, "/", rules="chengdu", hand="2333344455566m9p"))
    assert 'data-discard="9p"' in page


@pytest.mark.parametrize(
    ("hand", "void", "why", "bad"),
    [
        ("123456m234789p55p", "p", "花猪：还有定缺的筒", {f"{n}p" for n in (2, 3, 4, 5, 7, 8, 9)}),
        ("22244455577799m", "m", "花猪：还有定缺的万", {"2m", "4m", "5m", "7m", "9m"}),
        ("123m456p55p12m", "s", "", set()),
        ("123m456p789s1233m", "", "花猪：三门都有", set()),
        ("123m456p789s1233m", "s", "花猪：还有定缺的条", {"7s", "8s", "9s"}),
    ],
)
def test_a_flower_pig_says_which_rule_it_breaks_and_marks_the_tiles(
    client: Client, hand: str, void: str, why: str, bad: set[str]
) -> None:
    page = text(client.get("/", {"rules": "chengdu", "hand": hand, "void": void}, follow=True))
    assert ("花猪" in page) == bool(why)
    assert why in page
    marked = re.findall(r'class="tile(?: won)? bad"[^>]*data-hand-tile="(\w\w)"', page)
    assert set(marked) == bad


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"hand": "1m" * 300}, "“手牌”写得太长了。"),
        ({"by": "x" * 60}, "“怎么胡的”写得太长了。"),
        ({"by": "magic"}, "“怎么胡的”只能是：点炮、自摸、抢杠。"),
        ({"after": "magic"}, "“杠上花”只能是：直杠、补杠、暗杠。"),
        ({"pao": "7"}, "“杠上炮”只能是“是”或“否”。"),
        ({"bless": "x"}, "“天胡、地胡”只能是：天胡、地胡。"),
        ({"void": "x"}, "“定缺”只能是：万、筒、条。"),
        ({"opt": "base:0.333"}, "“底”要写 0 到 1000000 的数，最多两位小数。"),
        ({"opt": "cap:100"}, "“封顶”要写 0 到 99 的整数，或者不封顶。"),
        ({"opt": "fans.gen:x"}, "“根”要写 0 到 99 的整数，或者不算。"),
        ({"opt": "scale:x"}, "“番与倍”只能是：每番翻倍、番数就是倍数。"),
        ({"opt": "pig.to:x"}, "“花猪赔给”只能是：所有不是花猪的人、未胡的人、有叫的人、"),
    ],
)
def test_a_problem_is_told_in_words_for_people(
    client: Client, params: dict[str, str], sentence: str
) -> None:
    page = text(get(client, "/", rules="chengdu", **params))
    assert sentence in page
    told = "".join(re.findall(r"<p data-problem.*?</p>", page))
    assert not re.search(r"\?|\||\.\.|null|discard", told)


def test_the_icon_is_found_where_browsers_look(client: Client) -> None:
    response = client.get("/favicon.ico")
    assert response.status_code == 302
    assert response["Location"].endswith(".svg")


def test_a_title_does_not_go_on_after_a_full_stop(client: Client) -> None:
    for home, comma in (("/", "。，"), ("/en/", ".,")):
        page = client.get(f"{home}?rules=chengdu&hand=123456789m123456p").content.decode()
        head = html.unescape(page.partition("</head>")[0])
        assert comma not in head
        assert "。 ·" not in head


def test_only_a_hand_that_has_won_bears_the_mark_of_a_win(client: Client) -> None:
    won = text(client.get("/?rules=chengdu&hand=11223344556677m"))
    assert 'class="hand"' in won
    assert "七万，胡的牌" in won
    lost = text(client.get("/?rules=chengdu&hand=11223344556m147p"))
    assert 'class="hand unwon"' in lost
    assert "胡的牌" not in lost.partition("data-words")[0] + lost.partition('id="hand"')[2]
    assert "七筒，最后一张" in lost


def test_a_joker_is_marked_on_its_key_and_in_the_hand(client: Client) -> None:
    page = text(client.get("/?rules=yaoji&hand=23m1s"))
    assert 'data-wild="任" aria-label="一条（任用），剩三张"' in page
    assert 'data-wild="任" aria-label="一条（任用）"' in page
    assert page.count("data-wild=") == 2
    assert "data-wild=" not in text(client.get("/?rules=chengdu&hand=23m1s"))


def test_the_sets_of_a_shape_are_groups_with_a_name(client: Client) -> None:
    page = text(client.get("/?rules=chengdu&hand=123777m5559p[888p]!9p"))
    shape = page.partition('class="read"')[2].partition("</div>")[0]
    named = re.findall(r'class="set[^"]*" role="group" aria-label="(\w+)"', shape)
    assert sorted(named) == sorted(["顺子", "刻子", "刻子", "碰", "对子"])


def open_suits(page: str) -> list[str]:
    return [s for s, more in re.findall(r'data-suit="(\w)"([^>]*)>', page) if "hidden" not in more]


@pytest.mark.parametrize(
    ("hand", "seen", "suits"),
    [
        ("", "", "mps"),
        ("123m", "", "mps"),
        ("123m4s", "", "ms"),
        ("1m[222p]", "", "mp"),
        ("1m", "9p", "mp"),
        ("1m2p3s", "", "mps"),
    ],
)
def test_of_two_suits_the_picker_shows_those_that_may_still_appear(
    client: Client, hand: str, seen: str, suits: str
) -> None:
    given = {"hand": hand, "seen": seen, "opt": "suits:2"}
    page = text(client.get("/", {"rules": "chengdu", **{k: v for k, v in given.items() if v}}))
    assert "".join(open_suits(page)) == suits
    assert re.search(r'class="seg voids"[^>]* hidden', page)
    assert ('data-problem="too_many_suits"' in page) == (hand == "1m2p3s")


def test_the_red_dragon_has_a_key_where_it_is_a_joker(client: Client) -> None:
    page = text(get(client, "/", rules="xueliu", hand="23456799m77z[111m]!9m", opt="joker:zhong"))
    assert page.count('data-tile="') == 28
    assert 'data-tile="7z" data-left="2" data-wild="任" aria-label="红中（任用），剩两张"' in page
    assert "摸到红中也胡" not in page
    assert "红中代：" in page
    ready = text(get(client, "/", rules="xueliu", hand="23456999m77z[111m]", opt="joker:zhong"))
    assert "摸到红中也胡" in ready
    assert not re.search("幺鸡代|摸到幺鸡|幺鸡也", page + ready)


def test_the_last_copy_is_asked_for_where_it_counts(client: Client) -> None:
    def chip(page: str) -> str:
        return re.search(r'<button[^>]* data-act="last_copy"[^>]*>', page)[0]  # type: ignore[index]

    plain = text(get(client, "/", **WIN))
    assert " hidden" in chip(plain)
    on = {**WIN, "opt": "fans.jue_zhang:1"}
    page = text(get(client, "/", **on))
    assert " hidden" not in chip(page)
    made = where(get(client, "/", **on, do="last_copy"))
    assert made == {**{k: WIN[k] for k in WIN}, "jue": "1", "opt": "fans.jue_zhang:1"}
    counted = text(get(client, "/", **made))
    assert 'data-term="jue_zhang" data-term-fan="1"' in counted
    assert "绝张" in counted.partition('class="as-text"')[2]
    # Asked for where it counts nothing it can be taken back.
    assert " hidden" not in chip(text(get(client, "/", **WIN, jue="1")))


@pytest.mark.parametrize(("sets", "hand", "full"), [(2, "1122m34p", 8), (3, "11122m34p", 11)])
def test_short_hands_have_as_many_places_as_they_need(
    client: Client, sets: int, hand: str, full: int
) -> None:
    page = text(get(client, "/", rules="chengdu", hand=hand, opt=f"suits:2,sets:{sets}"))
    tiles = page.count("data-hand-tile") - page.partition("<template")[2].count("data-hand-tile")
    assert tiles + page.count('class="ghost"') == full
    assert f"共{full}张" in page


def test_the_name_of_a_table_stands_on_the_badge_and_in_the_code_and_decides_nothing(
    client: Client,
) -> None:
    name = "\u202e <i>周五</i>" + "桌" * 40
    where = client.get("/", {"name": name, "opt": "cap:3", "rules": "laok"})["Location"]
    assert where.startswith("/?rules=laok&opt=cap:3&name=")
    html = client.get(where).content.decode()
    assert "&lt;i&gt;周五&lt;/i&gt;桌" in html
    assert "<i>周五" not in html
    assert "\u202e" not in html
    assert "桌" * 30 not in html
    plain, named = (
        client.get("/qr.svg", {"rules": "laok", **more}) for more in ({}, {"name": "a"})
    )
    assert plain.content != named.content


def test_what_a_newer_link_says_besides_is_told(client: Client) -> None:
    told = "也许更新的版本才读得懂"
    answer = client.get("/", {"rules": "laok", "hand": "11m", "wind": "e"}, follow=True)
    assert answer.redirect_chain[0][0] == "/?rules=laok&hand=11m&say=newer"
    assert told in answer.content.decode()
    pasted = client.get("/", {"text": "https://host/?rules=laok&hand=11m&wind=e"}, follow=True)
    assert told in pasted.content.decode()
    # What a chat program hangs on a link is nobody's concern.
    quiet = client.get("/", {"rules": "laok", "hand": "11m", "utm_source": "x", "fbclid": "y"})
    assert quiet["Location"] == "/?rules=laok&hand=11m"


def test_the_copied_text_says_the_other_reading_before_what_it_would_be_worth(
    client: Client,
) -> None:
    asked = {"rules": "chengdu", "hand": "234567m3459p[6666p]!9p", "by": "self_draw"}
    page = client.get("/", asked | {"after": "exposed_kong"}).content.decode()
    [copied] = [text for text in re.findall(r'data-copy="([^"]*)"', page) if "那样算" in text]
    others = re.findall(r'class="ruling"[^>]*>\s*<p>[^<]*</p>\s*<p>([^<]*?) ?那样算', page)
    assert others and all(html.unescape(other) in html.unescape(copied) for other in others)
