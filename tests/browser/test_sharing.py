"""A link, a text, a picture, a sheet of paper: the same hand for whoever gets it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from calculator.site import build

expect.set_options(timeout=20_000)

HAND = "/?rules=chengdu&hand=1233455567899p!5p&by=self_draw&opt=self_draw_bonus:base"
ROUND = "/settle/?rules=laok&e=k2e0.k1c.wd0,23"
#: What a page shows of a result: the bar, the rules and every line.
SHOWN = ".bar, .badge, .lines li, .pays, .read .tile, .strip [data-hand-tile]"
SHOWN_ROUND = ".seats [data-total], .badge, .event .what, [data-payment]"
READ = """(parts) => [...document.querySelectorAll(parts)].map((node) =>
  node.getAttribute("aria-label") || node.textContent.replace(/\\s+/g, " ").trim())"""
#: Another table's habits, and an evening in the middle.
HABITS = """() => {
  localStorage.setItem("rules", JSON.stringify({ rules: "majsoul", opt: "cap:3" }));
  localStorage.setItem("theme", "dark");
  localStorage.setItem("digits", "on");
  localStorage.setItem("suanfan.evening", JSON.stringify({ version: 1, rounds: [
    { id: "a", query: "rules=sbr&e=ws,13", totals: "-8,24,-8,-8", over: false }], current: "a",
    draft: "rules=sbr&e=ws,13" }));
}"""


@pytest.fixture
def desk(browser: Browser, base_url: str) -> Iterator[Page]:
    """A page that may read the clipboard."""
    context = browser.new_context(
        base_url=base_url, permissions=["clipboard-read", "clipboard-write"]
    )
    yield context.new_page()
    context.close()


def clipboard(page: Page) -> str:
    found: Any = page.evaluate("navigator.clipboard.readText()")
    return str(found)


@pytest.mark.parametrize(("address", "shown"), [(HAND, SHOWN), (ROUND, SHOWN_ROUND)])
def test_a_link_shows_the_same_with_other_habits_and_without_scripts(
    page: Page, plain_page: Page, address: str, shown: str
) -> None:
    plain_page.goto(address)
    plain = plain_page.evaluate(READ, shown)
    page.goto("/rules/")
    page.evaluate(HABITS)
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    assert page.evaluate(READ, shown) == plain
    assert len(plain) > 6


def test_the_link_the_text_and_the_report_are_copied(desk: Page, base_url: str) -> None:
    desk.goto(HAND)
    desk.wait_for_selector("main[data-ready]")
    desk.get_by_role("button", name="复制链接").click()
    expect(desk.locator("#say")).to_be_visible()
    assert clipboard(desk) == base_url + HAND
    desk.get_by_role("button", name="复制成文字").click()
    desk.wait_for_timeout(100)
    text = clipboard(desk)
    hand, rules, *_ = text.splitlines()
    assert hand == "一二三三四五五五六七八九九筒 胡五筒（1233455567899p!5p）"
    assert rules.startswith("成都·")
    for part in ("自摸加底", "清一色 + 根×1 = 3番", "根×1 1番", "各付 9", base_url):
        assert part in text
    desk.locator("[data-report]").click()
    desk.wait_for_timeout(100)
    report = clipboard(desk)
    assert report.startswith(f"{base_url}{HAND}\n算番 {build.version()}")
    assert "multiple 9" in report


def test_a_round_is_copied_as_link_text_and_report(desk: Page, base_url: str) -> None:
    desk.goto(ROUND)
    desk.wait_for_selector("main[data-ready]")
    for name, parts in (
        ("复制链接", [base_url + ROUND]),
        ("复制成文字", ["老K", "→", base_url + ROUND]),
        ("报告这个结果", [base_url + ROUND, build.version(), "totals ", "exposed_kong"]),
    ):
        desk.get_by_role("button", name=name).click()
        expect(desk.locator("#round-say")).to_be_visible()
        desk.wait_for_timeout(100)
        for part in parts:
            assert part in clipboard(desk)


@pytest.mark.parametrize("address", [HAND, ROUND])
def test_the_sheet_of_the_device_is_offered_where_there_is_one(
    page: Page, base_url: str, address: str
) -> None:
    page.add_init_script(
        "navigator.share = (data) => { window.shared = data; return Promise.resolve(); }"
    )
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    page.locator("button[data-share]").click()
    shared = page.evaluate("window.shared")
    assert shared["url"] == base_url + address
    assert shared["title"]


@pytest.mark.parametrize("address", [HAND, ROUND])
def test_over_plain_http_copying_works_and_the_rest_says_why_not(page: Page, address: str) -> None:
    page.add_init_script(
        """Object.defineProperty(window, "isSecureContext", { value: false });
        for (const name of ["clipboard", "share", "serviceWorker"])
          Object.defineProperty(navigator, name, { value: undefined });
        delete Navigator.prototype.serviceWorker; delete navigator.serviceWorker;
        document.execCommand = (what) => {
          window.copied = document.activeElement.value; return what === "copy"; };"""
    )
    page.goto(address)
    page.wait_for_selector("main[data-ready]")
    expect(page.locator(".insecure")).to_be_visible()
    expect(page.locator("button[data-share]")).to_be_hidden()
    page.get_by_role("button", name="复制链接").click()
    page.wait_for_function("() => window.copied")
    assert page.evaluate("window.copied").endswith(address)


EVENING = "/settle/evening/?n=小王,Bob,Cat,Dan&r=24,-24,0,0_-3,1,1,1"


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n")
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def test_the_picture_of_an_evening_is_a_file_with_its_day(desk: Page) -> None:
    desk.goto(EVENING)
    with desk.expect_download() as download:
        desk.locator("[data-picture]").click()
    day = desk.evaluate("new Date().toLocaleDateString('sv')")
    assert download.value.suggested_filename == f"evening-{day}.png"
    width, height = size(Path(download.value.path()).read_bytes())
    assert width == 2 * 560
    assert height > 600


def test_a_phone_sends_the_picture_of_an_evening_on(page: Page) -> None:
    page.add_init_script(
        """navigator.canShare = ({ files }) => files.length > 0;
        navigator.share = ({ files }) => {
          window.shared = files.map(({ name, type, size }) => [name, type, size > 1000]);
          return Promise.resolve(); }"""
    )
    page.goto(EVENING)
    page.locator("[data-picture]").tap()
    page.wait_for_function("() => window.shared")
    day = page.evaluate("new Date().toLocaleDateString('sv')")
    assert page.evaluate("window.shared") == [[f"evening-{day}.png", "image/png", True]]


def test_a_picture_that_cannot_be_drawn_is_told(page: Page) -> None:
    page.goto(EVENING)
    page.route("**/evening.svg*", lambda route: route.abort())
    page.locator("[data-picture]").tap()
    expect(page.locator("#round-say")).to_contain_text("图片没有画出来")


def test_the_code_is_a_picture_of_this_address(page: Page) -> None:
    page.goto(HAND)
    page.wait_for_selector("main[data-ready]")
    page.locator("[data-qr] summary").click()
    page.wait_for_function("() => document.querySelector('.qr').naturalWidth > 0")
    page.goto(ROUND)
    page.locator(".rqr img").scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('.rqr img').naturalWidth > 0")


def test_the_printed_sheet_has_the_hand_the_lines_and_the_address(page: Page) -> None:
    page.goto(HAND)
    page.emulate_media(media="print")
    for part in (".bar", "[data-win-tile]", "[data-term=gen]", ".pays", ".print-only"):
        expect(page.locator(part).first).to_be_visible()
    expect(page.locator("p.print-only")).to_have_text(re.compile("hand=1233455567899p!5p"))
    for part in (".top", ".tray", ".share", ".conds", ".more"):
        expect(page.locator(part)).to_be_hidden()


def test_the_printed_sheet_of_a_round_has_events_and_sums(page: Page) -> None:
    page.goto(ROUND)
    page.wait_for_selector("main[data-ready]")
    page.emulate_media(media="print")
    for part in (".seats", ".event", ".sums-table", "[data-payment]"):
        expect(page.locator(part).first).to_be_visible()
    for part in (".top", ".entry", ".rshare"):
        expect(page.locator(part)).to_be_hidden()


def named(page: Page) -> tuple[str | None, str]:
    """The address that a page names as its own, and the query of the English one."""
    english = page.locator("[rel=alternate][hreflang=en]").get_attribute("href") or ""
    return page.locator("[rel=canonical]").get_attribute("href"), english.partition("?")[2]


def test_the_address_that_a_page_names_follows_the_taps(page: Page) -> None:
    page.goto("/?rules=laok&hand=12m")
    page.locator('[data-tile="5p"]').click()
    page.wait_for_url("**/?rules=laok&hand=12m5p")
    assert named(page) == (page.url, "rules=laok&hand=12m5p")
    page.goto("/settle/?rules=laok&e=ws,13.k2c")
    page.locator('[data-event="1"] summary').click()
    page.locator('[data-event="1"] [data-act="delete"]').click()
    page.wait_for_url("**/settle/?rules=laok&e=ws,13")
    assert named(page) == (page.url, "rules=laok&e=ws,13")
