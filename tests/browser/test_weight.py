"""What a first visit costs: bytes over the wire, movement on the screen, other hosts asked."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE
from tests.browser.places import firsts
from tests.browser.test_accessibility import PAGES

MOST = 70 * 1024
MOVED = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""
#: Icons and the manifest, which a browser with a window fetches on its own.
ICONS = """() => Promise.all(
  [...document.querySelectorAll("link[rel=icon], link[rel=manifest]")]
    .map((link) => fetch(link.href, { cache: "reload" }).then((answer) => answer.text()))
)"""


@pytest.fixture
def page(browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone that has never been here; what the service worker fetches later is not counted."""
    context = browser.new_context(**PHONE, base_url=base_url, service_workers="block")
    yield context.new_page()
    context.close()


def test_the_first_visit_is_light_asks_this_host_alone_and_stands_still(
    page: Page, base_url: str
) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    addresses: dict[str, str] = {}
    weights: dict[str, float] = {}

    def sent(event: Any) -> None:
        addresses[event["requestId"]] = event["request"]["url"]

    def finished(event: Any) -> None:
        # Headers included, as encoded on the wire.
        weights[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", sent)
    session.on("Network.loadingFinished", finished)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.evaluate(ICONS)
    page.wait_for_load_state("networkidle")
    names = {i: urlsplit(address).path for i, address in addresses.items()}
    assert {urlsplit(a).netloc for a in addresses.values()} == {urlsplit(base_url).netloc}
    fetched = {names[i]: weight for i, weight in weights.items()}
    for part in ("/", "site.", "app.", "htmx", "tiles.", "favicon.", "manifest"):
        assert any(part in name for name in fetched), part
    assert sum(fetched.values()) <= MOST, fetched
    assert page.evaluate(MOVED) < 0.02


def test_a_shared_hand_does_not_move_while_it_loads(page: Page) -> None:
    for address in (
        "/?rules=chengdu&hand=1233455567899p!5p",
        "/settle/?rules=laok&e=k2e0.ws,13",
        "/rules/chengdu/",
        "/learn/",
    ):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(MOVED) < 0.02, address


@pytest.mark.parametrize("address", [*PAGES, "/?rules=chengdu&hand=1122335577m8888p"])
def test_nothing_moves_under_a_reader_on_a_slow_line(page: Page, address: str) -> None:
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": 400,
            "downloadThroughput": 60_000,
            "uploadThroughput": 30_000,
        },
    )
    page.goto(address)
    page.wait_for_load_state("networkidle")
    # What is fetched when somebody scrolls there is asked for from a place above it.
    for part in (0.4, 0.7, 1, 1):
        page.evaluate("(part) => window.scrollTo(0, document.body.scrollHeight * part)", part)
        page.wait_for_load_state("networkidle")
    assert page.evaluate(MOVED) < 0.05


def test_what_is_shared_stands_at_the_result_above_what_comes_late(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=1122335577m8888p")
    page.wait_for_selector("main[data-ready]")
    copy, code, late = firsts(page, "[data-copy]", "[data-qr] summary", ".below")
    assert copy.bottom <= late.y
    assert code.bottom <= late.y
    page.locator("[data-qr] summary").click()
    page.locator("[data-qr] img").evaluate("(picture) => picture.decode()")


def test_paper_has_the_qr_code(page: Page) -> None:
    page.add_init_script("window.print = () => { document.documentElement.dataset.printed = ''; }")
    page.goto("/?rules=chengdu&hand=1122335577m8888p")
    page.wait_for_selector("main[data-ready]")
    page.locator("[data-print]").click()
    page.wait_for_selector("html[data-printed]")
    page.emulate_media(media="print")
    code = page.locator("[data-print-qr]")
    assert code.is_visible()
    assert code.evaluate("(picture) => picture.complete && picture.naturalWidth > 0")
