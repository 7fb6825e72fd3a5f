"""A table sets its own rules: on the page with scripts, on a page of its own without."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.storage import STORAGE

HAND = "/?rules=chengdu&hand=1122445566778m!8m&by=self_draw"
HOOK = "/?rules=chengdu&hand=9m[111m][222m][555m][777m]!9m"


def open_sheet(page: Page, address: str) -> None:
    page.goto(address)
    page.click(".badge")
    expect(page.locator("[data-house]")).to_be_visible()


def unfold(page: Page, group: str) -> None:
    page.click(f"#g-{group} summary")


def test_an_option_changes_result_badge_and_address_at_once(page: Page) -> None:
    open_sheet(page, HAND)
    unfold(page, "cap")
    page.focus("#o-cap")
    page.select_option("#o-cap", "3")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    expect(page.locator(".badge")).to_contain_text("3番封顶")
    expect(page.locator("[data-change]")).to_have_attribute("data-change", "cap")
    assert page.url.endswith("&opt=cap:3")
    # The group that was open still is, and the choice has kept the focus.
    expect(page.locator("#g-cap")).to_have_attribute("open", "")
    assert page.evaluate("document.activeElement.id") == "o-cap"


def test_a_sheet_opened_before_its_module_has_come_fills_when_it_does(page: Page) -> None:
    held: list[Route] = []
    page.route("**/house.*js", lambda route: held.append(route))
    page.goto(HAND, wait_until="commit")
    page.wait_for_selector("main[data-ready]")
    page.click(".badge")
    expect(page.locator("#rules")).to_be_visible()
    for request in held:
        request.continue_()
    expect(page.locator("[data-house]")).to_be_visible()


def test_a_change_without_a_network_is_said_and_made_when_there_is_one(page: Page) -> None:
    page.goto(HAND)
    page.context.set_offline(True)
    page.click(".badge")
    expect(page.locator("#house [role=alert]")).to_contain_text("家规取不来")
    page.context.set_offline(False)
    expect(page.locator("[data-house]")).to_be_visible()
    unfold(page, "cap")
    page.context.set_offline(True)
    page.select_option("#o-cap", "3")
    expect(page.locator("[data-option=cap] [role=alert]")).to_be_in_viewport()
    expect(page.locator("#o-cap")).to_have_value("3")
    page.context.set_offline(False)
    expect(page.locator("[data-change]")).to_have_attribute("data-change", "cap")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    expect(page.locator("#house [role=alert]")).to_have_count(0)
    # A button that was pressed is pressed again, not the form of it sent.
    page.context.set_offline(True)
    page.click(".changes button")
    expect(page.locator("#house [role=alert]")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("[data-change]")).to_have_count(0)
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "4")


def test_the_sheet_says_what_an_option_does_to_this_hand(page: Page) -> None:
    open_sheet(page, HAND)
    unfold(page, "self_draw")
    effects = page.locator("#g-self_draw [data-effect]")
    expect(effects.first).to_have_text("自摸加底：4番16倍 → 4番17倍")


def test_switching_on_the_golden_hook_offers_its_pure_form(page: Page) -> None:
    open_sheet(page, HOOK)
    unfold(page, "pattern")
    page.select_option("#o-fans-jin_gou_diao", "2")
    page.click("[data-offer]")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "4")
    expect(page.locator('[data-change="fans.qing_jin_gou_diao"]')).to_be_visible()
    assert "fans.jin_gou_diao:2,fans.qing_jin_gou_diao:4" in page.url


def test_reset_one_then_all(page: Page) -> None:
    open_sheet(page, HAND + "&opt=fans.gen:off,cap:3")
    page.click('[data-change="cap"] button')
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "4")
    expect(page.locator('[data-change="fans.gen"] button')).to_be_focused()
    page.click('.house-foot [value="all"]')
    expect(page.locator("[data-house]")).to_have_attribute("data-changed", "0")
    expect(page.locator(".badge")).not_to_contain_text("无根")
    assert "opt" not in page.url


def test_house_rules_can_be_undone_like_everything_else(page: Page) -> None:
    open_sheet(page, HAND)
    unfold(page, "cap")
    page.select_option("#o-cap", "3")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    page.keyboard.press("Escape")
    page.click('[data-act="undo"]')
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "4")
    page.click(".badge")
    expect(page.locator("[data-house]")).to_have_attribute("data-changed", "0")


def test_the_device_remembers_named_rules_and_uses_them_where_no_link_says(page: Page) -> None:
    open_sheet(page, HAND)
    unfold(page, "cap")
    page.select_option("#o-cap", "3")
    expect(page.locator("[data-house]")).to_have_attribute("data-opt", "cap:3")
    page.fill("#house-name", "周五那桌")
    page.click("[data-save]")
    expect(page.locator(".saved .use")).to_have_text("周五那桌")
    page.goto("/")
    expect(page.locator(".badge")).to_contain_text("周五那桌")
    # A link says its own rules; the name brings the table's back.
    open_sheet(page, "/?rules=laok&hand=1122445566778m!8m")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "5")
    page.click(".saved .use")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    expect(page.locator(".saved .use")).to_have_attribute("aria-pressed", "true")
    page.click(".saved .more summary")
    page.click(".more-menu button >> text=删除")
    expect(page.locator(".saved .use")).to_have_count(0)


def test_three_house_rules_take_at_most_six_taps(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=9m[111m][222m][555m][777m]!9m&by=self_draw")
    taps = [
        ".badge",
        '[name=set][value="cap:4"]',
        '[name=set][value="self_draw_bonus:base"]',
        '[name=set][value="bloom:giver_pays_all"]',
        ".sheet .close",
    ]
    for number, tap in enumerate(taps):
        page.click(tap)
        if 0 < number < 4:
            expect(page.locator(tap)).to_have_attribute("aria-pressed", "true")
            expect(page.locator(tap)).to_be_focused()
    assert len(taps) <= 6  # which is where the sheet is left, too
    assert page.url.endswith("opt=cap:4,self_draw_bonus:base,bloom:giver_pays_all")
    expect(page.locator("[data-result]")).to_have_attribute("data-multiple", "9")


def test_the_strip_stands_on_top_and_the_sheet_that_comes_moves_nothing(page: Page) -> None:
    held: list[Route] = []
    page.route("**/fragment/house*", lambda route: held.append(route))
    page.goto(HAND + "&opt=cap:4")
    page.click(".badge")
    tops = """() => [".quick", "#q-cap-3", "[data-preset=laok]"].map(
        one => Math.round(document.querySelector(one).getBoundingClientRect().top))"""
    before = page.evaluate(tops)
    assert before == sorted(before)
    expect(page.locator("#rules button:visible").first).to_have_attribute("value", "cap:3")
    page.wait_for_function("() => document.activeElement.closest('.quick')")
    for request in held:
        request.continue_()
    expect(page.locator("[data-house]")).to_be_visible()
    assert page.evaluate(tops) == before
    expect(page.locator("#q-cap-4")).to_be_focused()


def test_a_rule_tapped_before_the_sheet_has_come_is_set_when_it_does(page: Page) -> None:
    held: list[Route] = []
    page.route("**/fragment/house*", lambda route: held.append(route), times=1)
    page.goto(HAND)
    page.click(".badge")
    page.click("#q-cap-3")
    assert "opt" not in page.url
    for request in held:
        request.continue_()
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    assert page.url.endswith("&opt=cap:3")


def test_without_a_script_the_strip_sets_a_rule(plain_page: Page) -> None:
    plain_page.goto(HAND)
    plain_page.click(".badge")
    plain_page.click('[name=set][value="cap:3"]')
    expect(plain_page.locator("[data-change]")).to_have_attribute("data-change", "cap")
    plain_page.click(".house-foot .main")
    expect(plain_page.locator("[data-result]")).to_have_attribute("data-fan", "3")


def test_a_ready_made_table_is_two_taps(page: Page) -> None:
    page.goto("/?rules=laok&opt=cap:3")
    page.click(".badge")
    page.click('[data-table="two_two"]')
    expect(page.locator(".badge")).to_have_attribute("data-rules", "chengdu")
    expect(page.locator('[data-table="two_two"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#hand .ghost")).to_have_count(8)


def test_a_kept_table_is_renamed_copied_and_shared(page: Page) -> None:
    open_sheet(page, HAND + "&opt=cap:3")
    page.fill("#house-name", "周五那桌")
    page.click("[data-save]")
    # Kept tables come first, before what is changed most.
    expect(page.locator("#rules button:visible").first).to_have_text("周五那桌")
    more = page.locator(".saved .more")
    more.first.locator("summary").click()
    page.click(".more-menu button >> text=复制一份")
    expect(page.locator(".saved .use")).to_have_text(["周五那桌", "周五那桌 副本"])
    more.nth(1).locator("summary").click()
    more.nth(1).locator("button >> text=改名").click()
    page.keyboard.type("周六")
    page.keyboard.press("Enter")
    expect(page.locator(".saved .use")).to_have_text(["周五那桌", "周六"])
    more.first.locator("summary").click()
    more.first.locator("button >> text=二维码").click()
    code = more.first.locator("img")
    expect(code).to_have_attribute(
        "src", re.compile(r"/qr\.svg\?rules=chengdu&opt=cap%3A3&name=%E5")
    )
    assert code.evaluate("img => img.decode().then(() => img.naturalWidth)") > 0
    with page.expect_download() as download:
        more.first.locator("a[download]").click()
    assert json.loads(Path(download.value.path()).read_text("utf-8"))["name"] == "周五那桌"


def test_a_link_brings_the_name_of_the_table_along(page: Page) -> None:
    page.goto("/?rules=chengdu&opt=cap:3&name=<b>周五</b>那桌")
    expect(page.locator(".badge")).to_contain_text("<b>周五</b>那桌")
    page.click('[data-tile="1m"]')
    expect(page).to_have_url(re.compile("hand=1m&opt=cap:3$"))
    expect(page.locator(".badge")).to_contain_text("<b>周五</b>那桌")
    page.click(".badge")
    expect(page.locator("[data-house]")).to_be_visible()
    # Nothing is kept before the reader wants it.
    expect(page.locator(".saved .use")).to_have_count(0)
    page.click("[data-save]")
    expect(page.locator(".saved .use")).to_have_text("<b>周五</b>那桌")
    page.click('[name=set][value="cap:4"]')
    expect(page.locator(".badge")).to_contain_text("4番封顶")


def test_the_sheet_is_searched_by_any_name(page: Page) -> None:
    open_sheet(page, HAND)
    page.fill("#house-q", "jgd")
    page.keyboard.press("Enter")
    expect(page.locator(".rule")).to_have_count(1)
    # What has come is heard a moment later.
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)
    page.select_option("#o-fans-jin_gou_diao", "2")
    expect(page.locator("[data-change]")).to_have_attribute("data-change", "fans.jin_gou_diao")
    expect(page.locator(".rule")).to_have_count(1)


def test_a_file_carries_house_rules_to_another_device(page: Page, tmp_path: Path) -> None:
    open_sheet(page, HAND + "&opt=fans.gen:off,cap:3")
    page.fill("#house-name", "老地方")
    with page.expect_download() as download:
        page.click("[data-export]")
    file = tmp_path / "rules.json"
    download.value.save_as(file)
    made = json.loads(file.read_text("utf-8"))
    assert made["name"] == "老地方"
    assert made["options"] == {"fans": {"gen": None}, "cap": 3}
    open_sheet(page, "/?rules=laok&hand=1122445566778m!8m")
    page.set_input_files("[data-import]", file)
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    expect(page.locator(".badge")).to_have_attribute("data-rules", "chengdu")
    assert page.url.endswith("opt=fans.gen:off,cap:3")


def test_a_file_of_something_else_is_refused(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('{"format": "something"}')
    open_sheet(page, HAND)
    page.set_input_files("[data-import]", file)
    expect(page.locator("[data-saved-say]")).to_have_text("这不是家规文件。")


@pytest.mark.parametrize("storage", sorted(STORAGE))
def test_a_browser_that_keeps_nothing_says_so(page: Page, tmp_path: Path, storage: str) -> None:
    file = tmp_path / "rules.json"
    made = {"format": "suanfan-house-rules", "name": "a", "ruleset": "chengdu"}
    file.write_text(json.dumps({**made, "options": {"cap": 3}}))
    page.add_init_script(f"({STORAGE[storage]})()")
    open_sheet(page, HAND)
    page.set_input_files("[data-import]", file)
    expect(page.locator("[data-saved-say]")).to_contain_text("存不下")
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sheet_is_accessible_and_fits(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    open_sheet(page, HAND + "&opt=cap:3")
    unfold(page, "cap")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_without_a_script_the_sheet_is_a_page(plain_page: Page) -> None:
    plain_page.goto(HAND)
    plain_page.click(".badge")
    plain_page.click("#house a.button")
    unfold(plain_page, "cap")
    plain_page.select_option("#o-cap", "3")
    plain_page.click(".house-foot .main")
    expect(plain_page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    assert plain_page.url.endswith("&opt=cap:3")


def test_without_a_script_reset_stays_on_the_sheet(plain_page: Page) -> None:
    plain_page.goto("/house/" + HAND[1:] + "&opt=cap:3")
    plain_page.click('[data-change="cap"] button')
    expect(plain_page.locator("[data-house]")).to_have_attribute("data-changed", "0")
    assert "/house/" in plain_page.url


@pytest.mark.parametrize("script", [True, False])
def test_enter_in_a_field_keeps_the_changes_that_were_made(
    page: Page, plain_page: Page, script: bool
) -> None:
    page = page if script else plain_page
    page.goto("/house/?rules=chengdu&opt=cap:4,refund:off")
    unfold(page, "cap")
    page.fill("#o-base", "5")
    page.press("#o-base", "Enter")
    sheet = page.locator("[data-house]")
    expect(sheet).to_have_attribute("data-changed", "3")
    expect(sheet).to_have_attribute("data-opt", "base:5,cap:4,refund:off")
    expect(page).to_have_url(re.compile("opt=base:5,cap:4,refund:off$"))


def test_the_reasons_come_below_the_result(page: Page) -> None:
    page.goto(HAND)
    page.locator(".below").first.scroll_into_view_if_needed()
    expect(page.locator('[data-compare="yaoji"]')).to_have_attribute("data-fan", "6")
    expect(page.locator('[data-why="qing_qi_dui"]')).to_be_visible()
    page.locator(".below .below").scroll_into_view_if_needed()
    expect(page.locator("[data-missing]").first).to_have_attribute("data-distance", "2")


def test_without_a_script_the_reasons_are_one_link_away(plain_page: Page) -> None:
    plain_page.goto(HAND)
    plain_page.click(".below a")
    expect(plain_page.locator('[data-why="qing_qi_dui"]')).to_be_visible()
    expect(plain_page.locator('[data-compare="yaoji"]')).to_have_attribute("data-fan", "6")


@pytest.mark.parametrize("script", [True, False])
def test_a_round_changes_its_rules_and_comes_back(
    page: Page, plain_page: Page, script: bool
) -> None:
    page = page if script else plain_page
    page.goto("/settle/?rules=laok&e=ws,23")
    page.click("#round-rules summary")
    page.click("#round-rules .to-sheet")
    unfold(page, "cap")
    page.select_option("#o-cap", "2")
    if script:
        expect(page.locator("[data-house]")).to_have_attribute("data-opt", "cap:2")
        assert "opt=cap:2" in page.url
    page.click('.house-foot [name="to"]')
    expect(page.locator('[data-seat="2"][data-total]').first).to_have_attribute("data-total", "36")
    assert page.url.endswith("/settle/?rules=laok&opt=cap:2&e=ws,23")
