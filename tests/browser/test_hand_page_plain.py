"""The calculator page without JavaScript: every key a button of one form."""

import re

from playwright.sync_api import Page, expect

from tests.browser.address import query
from tests.browser.places import firsts
from tests.browser.test_hand_page import Fingers, hand, result, split


class PlainFingers(Fingers):
    """Taps that each load a page, but for those that only open something."""

    def tap(self, *selectors: str) -> None:
        for selector in selectors:
            if "summary" in selector or "data-rules" in selector:
                super().tap(selector)
            else:
                with self.page.expect_navigation():
                    super().tap(selector)


def open_plain(page: Page, address: str = "/") -> Fingers:
    page.goto(address)
    return PlainFingers(page)


def test_fourteen_taps_give_the_result(plain_page: Page) -> None:
    fingers = open_plain(plain_page)
    fingers.tiles(*split("12334555567899p"))
    expect(result(plain_page)).to_have_attribute("data-fan", "3")
    expect(plain_page).to_have_title(re.compile("3番 · 8倍"))
    assert query(plain_page) == {"rules": "chengdu", "hand": "12334555567899p"}


def test_melds_and_the_kong_win(plain_page: Page) -> None:
    fingers = open_plain(plain_page)
    fingers.acts("pung")
    expect(plain_page.locator("#say")).to_contain_text("碰哪张")
    fingers.tiles("9p")
    fingers.acts("concealed_kong")
    fingers.tiles("2s")
    fingers.tiles(*split("23456788p"))
    fingers.acts("after_kong")
    assert fingers.taps <= 14
    expect(result(plain_page)).to_have_attribute("data-fan", "5")
    expect(plain_page.locator("#say")).to_contain_text("自摸")


def test_tap_rules_of_the_hand(plain_page: Page) -> None:
    fingers = open_plain(plain_page, "/?rules=chengdu&hand=1233455567899p!5p")
    fingers.tap('[data-hand-tile="1p"]')
    expect(plain_page.locator("[data-win-tile]")).to_have_attribute("data-hand-tile", "1p")
    fingers.tap("[data-win-tile]")
    assert len(hand(plain_page)) == 13
    plain_page.go_back()
    expect(plain_page.locator("[data-win-tile]")).to_have_attribute("data-hand-tile", "1p")


def test_a_meld_offers_its_menu(plain_page: Page) -> None:
    fingers = open_plain(plain_page, "/?rules=chengdu&hand=1m%5B555p%5D")
    fingers.tap("[data-meld] summary", '[data-choice="added_kong"]')
    assert query(plain_page)["hand"] == "1m[555-5p]"


def test_the_preset_changes_in_two_taps(plain_page: Page) -> None:
    fingers = open_plain(plain_page, "/?rules=chengdu&hand=1233455567899p!5p")
    fingers.tap("[data-rules]", '[data-preset="laok"]')
    expect(result(plain_page)).to_have_attribute("data-points", "48")
    assert query(plain_page)["rules"] == "laok"


def test_a_grey_control_explains_itself(plain_page: Page) -> None:
    fingers = open_plain(plain_page)
    fingers.grey("[data-act=after_kong]")
    expect(plain_page.locator("#say")).to_contain_text("先有杠")


def test_text_is_read(plain_page: Page) -> None:
    open_plain(plain_page)
    plain_page.locator("#text").fill("11223344556677筒")
    plain_page.locator("#text").press("Enter")
    expect(result(plain_page)).to_have_attribute("data-status", "win")
    assert query(plain_page)["hand"] == "11223344556677p"


def test_nothing_scrolls_sideways(plain_page: Page) -> None:
    plain_page.set_viewport_size({"width": 320, "height": 568})
    open_plain(plain_page, "/?rules=chengdu&hand=1233455567899p!5p")
    main, *parts = firsts(plain_page, "main", ".bar", ".strip", ".conds", ".tray", ".details")
    assert main.width <= 320
    for part in parts:
        assert part.x >= 0 and part.right <= 320
