"""What a first visit costs: bytes over the wire, movement on the screen, other hosts asked."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE

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
