"""The network is cut: what was seen stays readable, what is new waits, all recovers by itself."""

import re

from playwright.sync_api import Page, expect

expect.set_options(timeout=20_000)

FULL_FLUSH = "/?rules=chengdu&hand=1233455567899p!5p"
CONTROLLED = """() => navigator.serviceWorker.ready.then(() =>
  navigator.serviceWorker.controller ||
  new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done)))"""


def installed(page: Page, address: str = "/") -> None:
    """Open a page and wait until the service worker has taken over."""
    page.goto(address)
    page.evaluate(f"({CONTROLLED})().then(() => true)")


def test_the_calculator_opens_takes_tiles_and_recovers(page: Page) -> None:
    installed(page)
    page.context.set_offline(True)
    page.goto("/?rules=laok&hand=123m")
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("[data-hand-tile]")).to_have_count(3)
    expect(page.locator("[data-tile='1m']")).to_have_attribute("data-left", "3")
    expect(page.locator("[data-no-network]")).to_be_visible()
    expect(page.locator("#net")).to_be_visible()
    expect(page.locator("#result")).to_have_class(re.compile("stale"))
    page.locator("[data-tile='4m']").tap()
    expect(page.locator("[data-hand-tile]")).to_have_count(4)
    page.context.set_offline(False)
    expect(page.locator("#net")).to_be_hidden()
    expect(page.locator("#result")).not_to_have_class(re.compile("stale"))
    expect(page.locator("[data-rules=laok]")).to_be_visible()


def test_tiles_and_counts_change_in_the_frame_of_the_tap(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector("main[data-ready]")
    # Nothing can be drawn or fetched between the click and the look: it is one task.
    seen = page.evaluate(
        """() => {
          const key = document.querySelector("[data-tile='5m']");
          key.click();
          return [document.querySelectorAll("[data-hand-tile='5m']").length, key.dataset.left,
            key.getAttribute("aria-label"), location.search];
        }"""
    )
    assert seen == [1, "3", "五万，剩三张", "?rules=chengdu&hand=5m"]


def test_recent_results_rules_and_lessons_stay_readable(page: Page) -> None:
    installed(page)
    page.goto("/rules/chengdu/")
    page.goto("/learn/tiles/")
    page.goto("/?rules=chengdu&hand=123345556789p")
    page.wait_for_selector("main[data-ready]")
    page.locator("[data-tile='9p']").tap()
    expect(page.locator("[data-result][data-status=ready]")).to_be_visible()
    page.locator("[data-tile='9p']").tap()
    expect(page.locator("[data-result][data-status=win]")).to_be_visible()
    hand = page.url
    page.context.set_offline(True)
    page.goto("/rules/chengdu/")
    expect(page.locator("h1")).to_contain_text("血战到底")
    page.goto("/learn/tiles/")
    expect(page.locator("h1")).to_be_visible()
    # This address was never fetched as a page, only written by the taps.
    page.goto(hand)
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "2")
    expect(page.locator("[data-win-tile]")).to_have_attribute("data-hand-tile", "9p")
    page.goto("/rules/yichang/")
    expect(page.locator("h1")).to_have_text("没有网络")
    page.locator("[data-kept-hands] a").first.tap()
    expect(page.locator("[data-result]")).to_have_attribute("data-status", "win")


def test_what_is_kept_lists_lessons_and_hands_that_a_link_opened(page: Page) -> None:
    installed(page)
    page.goto("/learn/roots/?rules=chengdu")
    page.goto(FULL_FLUSH)
    page.wait_for_selector("main[data-ready]")
    page.context.set_offline(True)
    page.goto("/rules/yichang/")
    expect(page.locator("[data-kept-pages] a[href='/learn/roots/?rules=chengdu']")).to_be_visible()
    hand = page.locator("[data-kept-hands] a")
    expect(hand).to_have_count(1)
    hand.tap()
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")


def test_a_hand_that_nobody_has_counted_says_so_and_is_counted_later(page: Page) -> None:
    installed(page)
    page.context.set_offline(True)
    page.goto(FULL_FLUSH)
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#net")).to_contain_text("还没有算过")
    # What the empty page shows is nobody's result.
    expect(page.locator("[data-result]")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    expect(page.locator("[data-result]")).to_be_visible()
    expect(page.locator("#net")).to_be_hidden()


def test_each_language_keeps_a_shell_of_its_own(page: Page) -> None:
    installed(page, "/en/")
    page.context.set_offline(True)
    page.goto("/en/rules/laok/")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("main a[href='/en/']")).to_be_visible()
    # Of a language that was never seen nothing is kept; the page that is says so.
    page.goto("/rules/laok/")
    expect(page.locator("[data-kept-nothing], [data-kept-pages]").first).to_be_attached()


def test_taps_in_a_round_are_kept_and_booked_when_the_network_is_back(page: Page) -> None:
    installed(page, "/settle/?rules=laok")
    page.wait_for_selector("main[data-ready]")
    page.context.set_offline(True)
    page.locator('[data-act="concealed_kong"]').tap()
    expect(page.locator("#round-net")).to_be_visible()
    expect(page.locator("#round")).to_have_class(re.compile("stale"))
    page.context.set_offline(False)
    expect(page.locator('[data-who="1"]').first).to_be_visible()
    expect(page.locator("#round-net")).to_be_hidden()
    page.locator('[data-who="1"]').first.tap()
    page.locator('[data-act="save"]').tap()
    expect(page).to_have_url(re.compile("e=k1c"))
