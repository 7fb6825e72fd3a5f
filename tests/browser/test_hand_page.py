"""The calculator page in a real browser: a phone of 375 px, touched."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.address import query
from tests.browser.places import boxes, firsts

TAPS = json.loads((Path(__file__).parents[1] / "data" / "taps.json").read_text(encoding="utf-8"))


# A machine under load may take its time; nothing here measures how long.
expect.set_options(timeout=20_000)


class Fingers:
    """Taps on the page, counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, *selectors: str) -> None:
        for selector in selectors:
            self.page.locator(selector).first.tap()
            self.taps += 1

    def grey(self, selector: str) -> None:
        """A tap on a control that is marked as out of use."""
        control = self.page.locator(selector)
        expect(control).to_have_attribute("aria-disabled", "true")
        control.tap(force=True)

    def tiles(self, *names: str) -> None:
        self.tap(*(f'[data-tile="{name}"]' for name in names))

    def acts(self, *names: str) -> None:
        self.tap(*(f'[data-act="{name}"]' for name in names))


def open_page(page: Page, address: str = "/") -> Fingers:
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    return Fingers(page)


def reach(part: Locator) -> Locator:
    """Scroll to a part of the page and let the screen come to rest, as an eye and a thumb do."""
    part.evaluate(
        """node => new Promise((done) => {
          node.scrollIntoView({ block: "center" });
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)));
        })"""
    )
    return part


def split(notation: str) -> list[str]:
    """`12m3p` → 1m 2m 3p."""
    return [n + run[-1] for run in re.findall(r"\d+[mps]", notation) for n in run[:-1]]


def result(page: Page) -> Locator:
    return page.locator("[data-result]")


def hand(page: Page) -> list[str]:
    """The concealed tiles as shown, the winning one last."""
    return page.locator("[data-hand-tile]").evaluate_all(
        "nodes => nodes.map(node => node.dataset.handTile)"
    )


def expect_win(page: Page, *, fan: int, multiple: int) -> None:
    expect(result(page)).to_have_attribute("data-status", "win")
    expect(result(page)).to_have_attribute("data-fan", str(fan))
    expect(result(page)).to_have_attribute("data-multiple", str(multiple))


# ------------------------------------------------------------------ entry


def test_fourteen_taps_give_the_result(page: Page) -> None:
    fingers = open_page(page)
    fingers.tiles(*split("12334555567899p"))
    assert fingers.taps == 14
    expect_win(page, fan=3, multiple=8)
    expect(page.locator("[data-term=gen]")).to_have_attribute("data-term-fan", "1")
    expect(page).to_have_title(re.compile("3番 · 8倍"))


def test_a_pung_a_concealed_kong_and_the_kong_win_take_fourteen_taps_at_most(page: Page) -> None:
    fingers = open_page(page)
    fingers.acts("pung")
    fingers.tiles("9p")
    fingers.acts("concealed_kong")
    fingers.tiles("2s")
    fingers.tiles(*split("23456788p"))
    fingers.acts("after_kong")
    assert fingers.taps <= 14
    # 暗杠 2 + 杠上花 3 in chengdu
    expect_win(page, fan=5, multiple=32)
    expect(page.locator("[data-act=self_draw]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#say")).to_contain_text("杠上花")


def test_the_winning_tile_changes_in_one_tap(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    before = fingers.taps
    fingers.tap('[data-hand-tile="1p"]')
    assert fingers.taps - before == 1
    expect(page.locator("[data-win-tile]")).to_have_attribute("data-hand-tile", "1p")
    assert query(page)["hand"] == "2334555567899p!1p"


def test_the_ringed_tile_leaves_with_a_tap_and_a_key_replaces_it(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    fingers.tap("[data-win-tile]")
    expect(result(page)).to_have_attribute("data-status", "ready")
    fingers.tiles("4p")
    expect(page.locator("[data-win-tile]")).to_have_attribute("data-hand-tile", "4p")


def test_below_full_count_a_tap_removes(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=123m")
    fingers.tap('[data-hand-tile="2m"]')
    assert hand(page) == ["1m", "3m"]


def test_the_preset_changes_in_two_taps(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    fingers.tap("[data-rules]", '[data-preset="laok"]')
    assert fingers.taps == 2
    expect(page.locator("[data-rules=laok]")).to_be_visible()
    expect(result(page)).to_have_attribute("data-points", "48")
    assert query(page)["rules"] == "laok"


def test_switching_drops_what_the_preset_does_not_take_and_says_so(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&opt=fans.qing_yi_se:0,cap:3")
    fingers.tap("[data-rules]", '[data-preset="laok"]')
    expect(page.locator("#say")).to_contain_text("清一色")
    assert query(page) == {"rules": "laok", "opt": "cap:3"}
    fingers.acts("undo")
    assert query(page) == {"rules": "chengdu", "opt": "fans.qing_yi_se:0,cap:3"}


def test_a_double_tap_is_two_tiles_and_no_zoom(page: Page) -> None:
    open_page(page)
    key = page.locator('[data-tile="5m"]')
    [box] = boxes(key)
    page.touchscreen.tap(*box.middle)
    page.touchscreen.tap(*box.middle)
    assert hand(page) == ["5m", "5m"]
    assert page.evaluate("visualViewport.scale") == 1
    for area in ("[data-tile='5m']", "[data-act=pung]", "[data-hand-tile='5m']"):
        style = page.locator(area).first.evaluate("node => getComputedStyle(node).touchAction")
        assert style == "manipulation"


def test_keys_show_what_is_left_melds_counted(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=5m%5B555p%5D")
    key = page.locator('[data-tile="5p"]')
    expect(key).to_have_attribute("data-left", "1")
    expect(key).to_have_attribute("aria-label", "五筒，剩一张")
    fingers.tiles("5p")
    fingers.grey('[data-tile="5p"]')
    expect(page.locator("#say")).to_have_text("五筒四张都用完了")
    assert hand(page) == ["5m", "5p"]


def test_a_long_press_offers_the_verbs(page: Page) -> None:
    open_page(page)
    page.locator('[data-tile="7s"]').dispatch_event(
        "pointerdown", {"button": 0, "pointerType": "touch", "bubbles": True}
    )
    menu = page.locator("#menu")
    expect(menu).to_be_visible()
    page.locator('[data-tile="7s"]').dispatch_event("pointerup", {"bubbles": True})
    menu.locator('[data-verb="exposed_kong"]').tap()
    expect(page.locator('[data-meld="exposed_kong"]')).to_have_attribute("data-meld-tile", "7s")
    assert query(page)["hand"] == "[7777s]"


def test_a_tap_on_a_meld_offers_other_kinds_and_removal(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1m%5B555p%5D")
    fingers.tap("[data-meld] summary", '[data-choice="added_kong"]')
    assert query(page)["hand"] == "1m[555-5p]"
    fingers.tap("[data-meld] summary", '[data-choice="remove"]')
    assert query(page)["hand"] == "1m"


def test_several_kinds_of_kong_ask_which(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=23488p%5B5555p%5D%282222s%29")
    fingers.acts("after_kong")
    fingers.tap("#ask button:has-text('暗杠')")
    assert query(page)["after"] == "concealed_kong"
    assert query(page)["by"] == "self_draw"


def test_a_grey_control_explains_itself(page: Page) -> None:
    fingers = open_page(page)
    fingers.grey("[data-act=after_kong]")
    expect(page.locator("#say")).to_contain_text("先有杠")


def test_undo_and_redo_cover_everything(page: Page) -> None:
    fingers = open_page(page)
    fingers.tiles("1m", "2m")
    fingers.acts("self_draw", "last_tile", "clear")
    expect(page.locator("[data-hand-tile]")).to_have_count(0)
    for _ in range(3):
        fingers.acts("undo")
    assert query(page) == {"rules": "chengdu", "hand": "12m"}
    fingers.acts("redo")
    assert query(page) == {"rules": "chengdu", "hand": "12m", "by": "self_draw"}
    page.reload()
    page.wait_for_selector("main[data-ready]")
    fingers.acts("undo", "undo")
    assert query(page) == {"rules": "chengdu", "hand": "1m"}


def test_the_missing_suit_gives_the_others_larger_keys(page: Page) -> None:
    fingers = open_page(page)
    [before] = boxes(page.locator('[data-tile="5p"]'))
    fingers.tap('[data-void="m"]')
    expect(page.locator('[data-tile="5m"]')).to_be_hidden()
    [after] = boxes(page.locator('[data-tile="5p"]'))
    assert after.height > before.height
    assert query(page)["void"] == "m"


def test_seen_tiles_lower_what_is_left(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=2333344455566m")
    expect(page.locator('[data-wait="1m"]')).to_have_attribute("data-left", "4")
    page.locator("[data-act=seen]").evaluate("node => node.click()")
    fingers.tiles("1m", "1m")
    expect(page.locator('[data-wait="1m"]')).to_have_attribute("data-left", "2")
    assert query(page)["seen"] == "11m"


def test_a_suggested_discard_is_taken_out_with_a_tap(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=2333344455566m9p")
    reach(page.locator('[data-discard="9p"] button')).tap()
    expect(result(page)).to_have_attribute("data-status", "ready")
    reach(page.locator('[data-wait="1m"]')).tap()
    expect_win(page, fan=3, multiple=8)


# ------------------------------------------------------------------ text and keyboard


def test_the_keyboard_enters_a_hand(page: Page) -> None:
    open_page(page)
    page.keyboard.type("12334555567899p")
    expect_win(page, fan=3, multiple=8)
    page.keyboard.press("Backspace")
    expect(result(page)).to_have_attribute("data-status", "ready")
    page.keyboard.press("Control+z")
    expect_win(page, fan=3, multiple=8)


def test_arrows_walk_over_the_keys(page: Page) -> None:
    open_page(page)
    page.locator('[data-tile="1m"]').focus()
    for key in ("ArrowRight", "ArrowDown", "Enter", "ArrowLeft", "Space"):
        page.keyboard.press(key)
    assert hand(page) == ["1p", "2p"]


def test_the_text_field_and_the_picker_are_one_state(page: Page) -> None:
    fingers = open_page(page)
    fingers.tiles("1m", "2m")
    field = page.locator("#text")
    expect(field).to_have_value("12m")
    field.fill("一万二万三万 暗杠9筒")
    expect(page.locator('[data-meld="concealed_kong"]')).to_have_attribute("data-meld-tile", "9p")
    assert hand(page) == ["1m", "2m", "3m"]
    field.blur()
    expect(field).to_have_value("123m(9999p)")


def test_a_pasted_hand_is_read(page: Page) -> None:
    open_page(page)
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text", "11223344556677筒");
          document.body.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }"""
    )
    expect(result(page)).to_have_attribute("data-status", "win")
    assert query(page)["hand"] == "11223344556677p"


def test_what_cannot_be_read_is_told_beside_the_text(page: Page) -> None:
    fingers = open_page(page)
    page.locator("#text").fill("12x3m")
    problem = page.locator("#problems-text [data-problem=bad_notation]")
    expect(problem.first).to_be_visible()
    expect(page.locator("#problems-text mark")).to_have_text("x")
    expect(page.locator("#text")).to_have_attribute("aria-invalid", "true")
    page.locator("#text").blur()
    fingers.tiles("5m")
    assert hand(page) == ["5m"]
    expect(problem).to_have_count(0)
    fingers.acts("undo")
    expect(page.locator("#text")).to_have_value("12x3m")


def paste(page: Page, text: str, into: str = "body") -> None:
    page.evaluate(
        """([text, into]) => {
          const data = new DataTransfer();
          data.setData("text", text);
          document.querySelector(into).dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        [text, into],
    )


def expect_too_long(page: Page, text: str) -> None:
    """It is told beside the field, which still has the text, and the hand is as it was."""
    expect(page.locator("#problems-text [data-problem]")).to_have_text("写得太长，不会是一手牌。")
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#text")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#net")).to_be_hidden()
    assert hand(page) == ["1m", "2m"]


@pytest.mark.parametrize("into", ["body", "#text"])
def test_a_text_too_long_to_be_sent_is_told_beside_the_field(page: Page, into: str) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=12m")
    long = "一万" * 600
    paste(page, long, into)
    expect_too_long(page, long)
    page.locator("#text").blur()
    expect_too_long(page, long)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect_too_long(page, long)
    fingers.acts("undo")
    expect(page.locator("#text")).to_have_value("12m")
    expect(page.locator("#problems-text [data-problem]")).to_have_count(0)


def test_the_field_takes_no_more_than_can_be_sent(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=12m")
    most = int(page.locator("#text").get_attribute("maxlength") or 0)
    with page.expect_response("**/fragment/state*") as answer:
        page.locator("#text").fill("万" * most)
    assert answer.value.ok
    expect_too_long(page, "万" * most)


@pytest.mark.browser_context_args(service_workers="block")
def test_an_address_that_a_proxy_refuses_is_not_called_the_network(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=12m")
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=414, body="")

    page.route("**/fragment/*", refuse)
    paste(page, "123m")
    expect_too_long(page, "123m")
    fingers.tiles("3m")
    expect(page.locator("#net")).to_contain_text("地址里写得太长")
    page.wait_for_timeout(2500)
    assert len([url for url in asked if "/fragment/result" in url]) == 1


def test_a_long_copy_pasted_into_the_field_keeps_its_link(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=12m")
    link = "https://host/?rules=laok&hand=123m&opt=cap:3"
    paste(page, f"{'x' * 1500} {link}", "#text")
    expect(page.locator("[data-hand-tile]")).to_have_count(3)
    assert query(page) == {"rules": "laok", "hand": "123m", "opt": "cap:3"}


@pytest.mark.parametrize(
    ("width", "height", "address"),
    [
        (320, 568, "/?rules=chengdu&hand=1233455567899p!5p"),
        (320, 568, "/"),
        (375, 667, "/?rules=chengdu&hand=1233455567899p!5p"),
        (667, 375, "/?rules=chengdu&hand=1233455567899p!5p"),
        (844, 390, "/?rules=chengdu&hand=22m%281111m%29%5B333m%5D"),
    ],
)
def test_hand_result_ways_and_picker_share_the_first_screen(
    page: Page, width: int, height: int, address: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, address)
    *parts, key = firsts(page, ".bar", ".strip", ".conds .chips", ".tray", ".key")
    for box in parts:
        assert box.x >= -4 and box.right <= width + 4
        assert box.bottom <= height
    for i, one in enumerate(parts):
        for other in parts[:i]:
            apart_y = max(one.y, other.y) + 1 >= min(one.bottom, other.bottom)
            apart_x = max(one.x, other.x) + 5 >= min(one.right, other.right)
            assert apart_x or apart_y
    assert key.height >= 52
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_whoever_wants_to_paste_is_led_to_the_text_field(page: Page, plain_page: Page) -> None:
    open_page(page).tap("[data-to-text]")
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#text")).to_be_in_viewport()
    plain_page.goto("/?rules=chengdu&hand=1233455567899p!5p")
    plain_page.locator("[data-to-text]").tap()
    expect(plain_page.locator("#text")).to_be_in_viewport()
    field, result = firsts(plain_page, "#text", ".details")
    assert field.y < result.y


def test_the_menu_leads_back_to_the_hand(page: Page) -> None:
    fingers = open_page(page)
    fingers.tiles("1m", "2m", "3m")
    page.locator('.nav a[href$="rules/"]').tap()
    page.locator(".brand").tap()
    page.wait_for_selector("main[data-ready]")
    assert hand(page) == ["1m", "2m", "3m"]
    assert query(page) == {"rules": "chengdu", "hand": "123m"}
    fingers.acts("undo")
    assert hand(page) == ["1m", "2m"]


def test_the_lessons_follow_the_rules_of_the_hand_page(page: Page) -> None:
    fingers = open_page(page)
    page.goto("/learn/")
    assert "rules=" not in page.url
    open_page(page)
    fingers.tap("[data-rules]", '[data-preset="laok"]')
    expect(page.locator("[data-rules=laok]")).to_be_visible()
    page.goto("/learn/")
    page.wait_for_url("**/learn/?rules=laok")
    page.goto("/learn/?rules=yaoji")
    expect(page.locator(".switch [aria-current]")).to_have_attribute("href", re.compile("yaoji"))


def test_quick_taps_and_house_rules_write_nothing_into_the_console(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    fingers = open_page(page)
    for name in ("1m", "2m", "3m", "4m", "5m", "6m"):
        fingers.tiles(name)
        page.wait_for_timeout(30)
    fingers.tap(".badge", "#g-cap summary")
    page.locator("#o-cap").select_option("4")
    expect(page.locator("[data-house][data-opt='cap:4']")).to_be_visible()
    expect(page.locator("#result .stale")).to_have_count(0)
    assert not said


def test_rubbish_leaves_the_hand_and_one_undo_takes_it_back(page: Page) -> None:
    fingers = open_page(page)
    fingers.tiles("1m", "2m")
    field = page.locator("#text")
    field.press_sequentially("乱写一通 abc", delay=60)
    problems = page.locator("#problems-text [data-problem]")
    expect(problems.first).to_be_visible()
    assert hand(page) == ["1m", "2m"]
    assert query(page)["hand"] == "12m"
    # What was typed is kept when the server has read it, a moment after the last letter.
    for _ in range(200):
        if "abc" in (page.evaluate("sessionStorage.getItem('history')") or ""):
            break
        page.wait_for_timeout(100)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert hand(page) == ["1m", "2m"]
    expect(field).to_have_value("乱写一通 abc12m")
    expect(problems.first).to_be_visible()
    fingers.acts("undo")
    expect(field).to_have_value("12m")
    expect(problems).to_have_count(0)
    fingers.tiles("3m")
    assert hand(page) == ["1m", "2m", "3m"]


def test_a_problem_stands_next_to_its_cause(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=11111m2p")
    expect(page.locator("#problems-hand [data-problem=five_of_a_kind]")).to_be_visible()
    expect(page.locator("#hand .bad")).to_have_count(5)
    fingers = Fingers(page)
    fingers.tap('[data-hand-tile="1m"]')
    expect(page.locator("[data-problem]")).to_have_count(0)
    expect(page.locator("#hand .bad")).to_have_count(0)


def test_an_impossible_win_is_told_beside_the_conditions(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=1233455567899p!5p&by=rob_kong")
    expect(page.locator("#problems-win [data-problem=impossible_win]")).to_be_visible()


# ------------------------------------------------------------------ address


def test_reload_and_a_pasted_link_restore_the_exact_state(page: Page) -> None:
    fingers = open_page(page)
    fingers.acts("concealed_kong")
    fingers.tiles("2s")
    fingers.tiles(*split("23456788999p"))
    fingers.acts("after_kong", "last_tile")
    fingers.tap('[data-void="m"]', '[data-hand-tile="4p"]')
    expect(result(page)).to_have_attribute("data-status", "win")
    address, shown = page.url, hand(page)
    assert shown[-1] == "4p"
    page.reload()
    expect(result(page)).to_have_attribute("data-status", "win")
    assert page.url == address
    assert hand(page) == shown
    other = page.context.new_page()
    open_page(other, address)
    assert other.url == address
    assert hand(other) == shown
    expect(other.locator("[data-act=last_tile]")).to_have_attribute("aria-pressed", "true")
    expect(other.locator('[data-void="m"]')).to_have_attribute("aria-pressed", "true")


def test_back_leaves_the_page_and_returns_to_it_as_it_was(page: Page) -> None:
    page.goto("/healthz")
    fingers = open_page(page)
    fingers.tiles("1m", "2m", "3m")
    address = page.url
    page.go_back()
    assert page.url.endswith("/healthz")
    page.go_forward()
    page.wait_for_selector("main[data-ready]")
    assert page.url == address
    assert hand(page) == ["1m", "2m", "3m"]


def test_the_chosen_rules_are_remembered_only_where_the_address_is_silent(page: Page) -> None:
    fingers = open_page(page)
    fingers.tap("[data-rules]", '[data-preset="jipin"]')
    expect(page.locator("[data-rules=jipin]")).to_be_visible()
    open_page(page, "/")
    expect(page.locator("[data-rules=jipin]")).to_be_visible()
    open_page(page, "/?rules=laok")
    expect(page.locator("[data-rules=laok]")).to_be_visible()


# ------------------------------------------------------------------ the network


def test_a_slow_answer_never_overwrites_a_newer_one(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        if len(held) < 1:
            held.append(route)
        else:
            route.continue_()

    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    page.route("**/fragment/result*", hold)
    fingers.acts("self_draw")
    page.wait_for_timeout(50)
    fingers.acts("last_tile")
    fingers.tap("[data-win-tile]")
    expect(result(page)).to_have_attribute("data-status", "ready")
    for route in held:
        route.fulfill(
            status=200,
            content_type="text/html",
            body='<section class="result" data-result data-status="old"></section>',
        )
    page.wait_for_timeout(200)
    expect(result(page)).to_have_attribute("data-status", "ready")


def test_without_a_network_the_last_result_stays_marked_and_recovers(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    page.context.set_offline(True)
    fingers.tap("[data-win-tile]")
    assert len(hand(page)) == 13
    expect(page.locator("#net")).to_be_visible()
    expect(page.locator("#result")).to_have_class(re.compile("stale"))
    expect(result(page)).to_have_attribute("data-status", "win")
    page.context.set_offline(False)
    expect(result(page)).to_have_attribute("data-status", "ready", timeout=15000)
    expect(page.locator("#net")).to_be_hidden()


# ------------------------------------------------------------------ both reducers


def test_the_page_reduces_as_the_server_does(page: Page) -> None:
    open_page(page)
    found = page.evaluate(
        """async (taps) => {
          const { act, read, write } =
            await import(document.querySelector("script[src*='/app.']").src);
          const { systems } = JSON.parse(document.querySelector("main").dataset.words);
          const table = ({ arm = "", order, ...given }) => {
            const made = read(new URLSearchParams(given), systems);
            return { ...made, arm, ...(order ? { tiles: order.match(/../g) } : {}) };
          };
          return taps.map((tap) => {
            const { table: next, note } = act(table(tap.from), tap.do);
            return {
              query: write(next), expected: write(table(tap.to)), arm: next.arm,
              note: note ? note.code : null, order: next.tiles.join(""),
            };
          });
        }""",
        TAPS,
    )
    for tap, made in zip(TAPS, found, strict=True):
        assert made["query"] == made["expected"], tap["claim"]
        assert made["arm"] == tap["to"].get("arm", ""), tap["claim"]
        assert made["note"] == tap.get("note"), tap["claim"]
        assert made["order"] == tap["to"].get("order", made["order"]), tap["claim"]


def test_the_page_writes_the_address_that_the_server_writes(page: Page) -> None:
    from tests.hand.test_table import table_of

    open_page(page)
    written: list[str] = page.evaluate(
        """async (states) => {
          const { read, write } = await import(document.querySelector("script[src*='/app.']").src);
          return states.map(({ arm, order, ...given }) => write(read(new URLSearchParams(given))));
        }""",
        [tap["to"] for tap in TAPS],
    )
    assert written == [table_of(tap["to"]).page.query for tap in TAPS]


# ------------------------------------------------------------------ looks


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/?rules=chengdu&hand=1233455567899p!5p",
        "/?rules=jipin&hand=23455p%5B999-9p%5D%282222s%29%5B111p%5D&opt=self_draw_bonus:base",
        "/?rules=chengdu&hand=2333344455566m",
        "/?rules=chengdu&hand=2333344455566m9p",
        "/?rules=chengdu&hand=12x34",
        "/en/?rules=chengdu&hand=1233455567899p!5p&by=self_draw",
    ],
)
def test_nothing_scrolls_sideways(page: Page, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 568})
    open_page(page, address)
    for fold in page.locator("details.fold").all():
        fold.evaluate("node => node.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_screen_holds_everything_that_a_thumb_needs(page: Page) -> None:
    open_page(page)
    height = page.evaluate("innerHeight")
    parts = firsts(page, ".bar", ".strip", ".conds", ".tray")
    for box in parts:
        assert box.y >= 0 and box.bottom <= height, parts
    _, _, conds, tray = parts
    assert conds.bottom <= tray.y


@pytest.mark.parametrize(("width", "height"), [(320, 568), (375, 667), (390, 844), (768, 1024)])
def test_the_picker_leaves_the_screen_to_whoever_reads_the_result(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    expect_win(page, fan=3, multiple=8)
    tray = page.locator(".tray")
    assert boxes(tray)[0].bottom <= height
    reach(page.locator(".details .card").first)
    picker, lines = firsts(page, ".tray", ".details .card")
    assert picker.bottom <= lines.y
    reach(page.locator("[data-copy]").first)
    reach(page.locator(".below").first)
    expect(page.locator(".details [data-compare]").first).to_be_attached()
    reach(page.locator(".details [data-compare]").last)
    expect(tray).not_to_be_in_viewport()
    # What the page says to a tap there is said on the screen.
    page.locator("[data-copy]").first.tap()
    expect(page.locator("#say")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "height"), [(375, 667), (390, 700)])
def test_in_english_too_the_conditions_stand_above_the_picker(
    page: Page, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    tall = set()
    for held in ("", "?rules=chengdu&hand=1233455p", "?rules=chengdu&hand=1233455567899p!5p"):
        open_page(page, f"/en/{held}")
        bar, conds, tray = firsts(page, ".bar", ".conds", ".tray")
        tall.add(round(bar.height))
        assert conds.bottom <= tray.y
        ways, voids = boxes(page.locator(".conds .seg"))
        assert ways.y == voids.y
        assert len({button.y for button in boxes(page.locator(".verbs button:visible"))}) == 1
    assert len(tall) == 1
    # Short on the button, whole in its name.
    expect(page.get_by_role("button", name="Concealed kong", exact=True)).to_be_visible()


def test_the_word_on_the_winning_tile_leaves_its_face_free(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    open_page(page, "/en/?rules=chengdu&hand=1233455567899p!5p")
    tile, seal = firsts(page, "[data-win-tile]", "[data-win-tile] .seal")
    wide, high = tile.right - seal.x, tile.bottom - seal.y
    assert wide * high < 0.25 * tile.width * tile.height


def test_a_tile_tapped_while_the_text_is_being_read_comes_after_it(page: Page) -> None:
    fingers = open_page(page)
    waiting: list[Any] = []
    page.route("**/fragment/state**", lambda route: waiting.append(route))
    page.locator("#text").fill("123m")
    with page.expect_request("**/fragment/state**"):
        page.locator("#text").blur()
    fingers.tiles("9p", "9p")
    assert hand(page) == ["9p", "9p"]
    for route in waiting:
        route.continue_()
    expect(page.locator("[data-hand-tile]")).to_have_count(5)
    assert hand(page) == ["1m", "2m", "3m", "9p", "9p"]


def test_nothing_moves_under_the_thumb_while_a_hand_is_entered(page: Page) -> None:
    open_page(page)
    where = """() => [".bar", ".strip", ".conds", ".tray"].map(
        (part) => Math.round(document.querySelector(part).getBoundingClientRect().top))"""
    before = page.evaluate(where)
    # Taps on places of the screen, as a thumb's are: a tap on an element scrolls to it if it
    # cannot be hit at once, and that would be a movement of the test's own.
    tiles = sorted(set(split("12334555567899p")))
    keys = firsts(page, *(f"[data-tile='{tile}']" for tile in tiles))
    places = {tile: key.middle for tile, key in zip(tiles, keys, strict=True)}
    entered: list[str] = []
    for tile in split("12334555567899p"):
        page.touchscreen.tap(*places[tile])
        entered.append(tile)
        expect(page.locator("[data-hand-tile]")).to_have_count(len(entered))
        assert hand(page) == entered
        assert page.evaluate(where) == before, tile
    expect_win(page, fan=3, multiple=8)
    assert page.evaluate(where) == before


def test_keys_are_large_enough_for_a_thumb(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    open_page(page)
    for row in page.locator("[data-suit]").all():
        keys = boxes(row.locator("[data-tile]"))
        assert len(keys) == 9
        assert len({key.y for key in keys}) == 1
        assert all(key.width >= 24 and key.height >= 52 for key in keys)


def test_conditions_are_large_enough_for_a_thumb(page: Page) -> None:
    open_page(page)
    assert min(button.height for button in boxes(page.locator(".conds button:visible"))) >= 44


@pytest.mark.parametrize("sharing", [True, False])
def test_no_button_of_sharing_stands_beside_a_gap(page: Page, sharing: bool) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    shareable = "can => document.documentElement.classList.toggle('no-share', !can)"
    page.evaluate(shareable, sharing)
    row, *buttons = boxes(page.locator(".share, .share button:visible"))
    ends: dict[float, float] = {}
    for button in buttons:
        ends[button.y] = max(ends.get(button.y, 0), button.right)
    assert len(ends) == 2
    assert all(abs(end - row.right) < 6 for end in ends.values())


def test_the_theme_switch_is_remembered_and_tiles_stay_ivory(page: Page) -> None:
    open_page(page)
    page.locator("[data-theme-switch]").tap()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    ivory = page.locator('[data-tile="5m"]').evaluate(
        "node => getComputedStyle(node).backgroundImage.match(/\\d+/g).slice(0, 3).map(Number)"
    )
    assert min(ivory) > 200


def test_digits_on_the_tiles_are_a_preference(page: Page) -> None:
    open_page(page)
    mark = "node => getComputedStyle(node, '::after').content"
    assert page.locator('[data-tile="5m"]').evaluate(mark) == "none"
    page.locator("[data-digits-switch]").evaluate("node => node.click()")
    assert page.locator('[data-tile="5m"]').evaluate(mark) == '"5m"'


def test_the_first_visit_weighs_little_and_stays_at_home(page: Page, base_url: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    hosts: set[str] = set()
    session.on("Network.loadingFinished", lambda e: sizes.append(e["encodedDataLength"]))
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    open_page(page)
    page.wait_for_load_state("networkidle")
    assert hosts == {urlsplit(base_url).netloc}
    assert sum(sizes) <= 70_000, sizes


def test_nothing_on_the_page_breaks_its_policy(page: Page) -> None:
    said: list[Any] = []
    # Requests that a newer one replaced are told by htmx; that is as it should be.
    page.on("console", lambda m: m.text.startswith("htmx:") or said.append(m.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    fingers = open_page(page)
    fingers.tiles(*split("12334555567899p"))
    expect_win(page, fan=3, multiple=8)
    fingers.tap("[data-rules]", '[data-preset="yaoji"]')
    expect(page.locator("[data-rules=yaoji]")).to_be_visible()
    assert said == []


def test_parts_that_fetch_for_themselves_never_stop_the_result(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu&hand=1233455567899p!5p")
    for act, status in (("win-tile", "ready"), ("tile", "win")) * 4:
        reach(page.locator(".details").first)
        fingers.tap("[data-win-tile]" if act == "win-tile" else '[data-tile="5p"]')
        expect(result(page)).to_have_attribute("data-status", status)
        expect(page.locator("#result")).not_to_have_class(re.compile("stale"))


@pytest.mark.parametrize(
    "address",
    [
        "/?rules=laok&hand=222999m8p[444m][777p]!8p",
        "/compare/?rules=laok&hand=222999m8p[444m][777p]!8p&with=sbr",
        "/learn/money/?rules=laok",
    ],
)
def test_tiles_of_a_reading_are_all_of_one_size(page: Page, address: str) -> None:
    page.goto(address)
    tiles = page.locator(".read").first.locator(".tile")
    sizes = tiles.evaluate_all(
        "all => all.map(t => [t.offsetWidth, t.offsetHeight, t.firstElementChild.clientHeight])"
    )
    assert len(sizes) >= 11
    assert len({tuple(size) for size in sizes}) == 1
    assert sizes[0][1] - sizes[0][2] < 3


# ------------------------------------------------------------------ tables of other kinds


def play_by(page: Page, opt: str) -> None:
    """What the sheet of house rules tells the page."""
    page.evaluate(
        """opt => document.dispatchEvent(
          new CustomEvent("house", { detail: { rules: "chengdu", opt } }))""",
        opt,
    )


def test_the_picker_follows_the_rules_while_the_page_stays(page: Page) -> None:
    fingers = open_page(page, "/?rules=chengdu")
    dragon = page.locator('[data-tile="7z"]')
    expect(dragon).to_have_count(0)
    play_by(page, "suits:2,sets:2,joker:zhong")
    fingers.tiles("1m", "7z")
    expect(page.locator("[data-suit=s]")).to_be_visible()
    fingers.tiles("3p")
    expect(page.locator("[data-suit=s]")).to_be_hidden()
    expect(page.locator("#hand .ghost")).to_have_count(5)
    expect(page.locator(".voids")).to_be_hidden()
    assert hand(page) == ["1m", "3p", "7z"]
    play_by(page, "fans.jue_zhang:1")
    expect(dragon).to_have_count(0)
    expect(page.locator("[data-suit=s]")).to_be_visible()
    expect(page.locator(".voids")).to_be_visible()
    fingers.acts("last_copy", "undo", "undo")
    expect(dragon).to_be_visible()
    expect(page.locator("[data-act=last_copy]")).to_be_hidden()
