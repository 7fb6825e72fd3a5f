"""What somebody sees in a real Chromium on a slow line: the first paint, and the answer to a tap.

By the clock, medians; Chromium delays every request by the latency, which counts no handshake.
"""

from collections.abc import Iterator
from statistics import median
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from scoring.notation import format_tiles
from scoring.tiles import TILE_NAMES
from tests.bench import site
from tests.bench.deals import Deal
from tests.browser import chromium

VISITS, TAPS = 15, 40
PHONE = {"viewport": {"width": 375, "height": 667}, "has_touch": True, "is_mobile": True}
SLOW = {"latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}
NEAR = {"latency": 50, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
#: The first paint of anything, and the last time that something larger was painted.
PAINTS = """() => new Promise((done) => {
  const first = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  new PerformanceObserver((list) => done([first, list.getEntries().at(-1).startTime]))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
#: From a finger on a tile to the end of the frame that shows another result.
WATCH = """() => {
  window.painted = [];
  let began = 0;
  addEventListener("pointerdown", (event) => { began = event.timeStamp; }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = () => window.painted.push(performance.now() - began);
    after.port2.postMessage(0);
  })).observe(document.querySelector("#result"), { childList: true });
}"""


def _line(context: BrowserContext, page: Page, speed: dict[str, float]) -> None:
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **speed})


def _visits(browser: Browser, address: str) -> list[list[float]]:
    """Paints of a page for phones that have never been here."""
    found = []
    for _ in range(VISITS):
        context = browser.new_context(**PHONE, service_workers="block")
        page = context.new_page()
        _line(context, page, SLOW)
        page.goto(address)
        page.wait_for_load_state("networkidle")
        found.append(page.evaluate(PAINTS))
        context.close()
    return found


def _taps(browser: Browser, address: str, hands: list[Deal]) -> list[float]:
    """From a tap on the tile that wins to the paint of what the hand is worth."""
    found: list[float] = []
    context = browser.new_context(**PHONE, service_workers="block")
    page = context.new_page()
    _line(context, page, NEAR)
    for deal in hands:
        page.goto(f"{address}{format_tiles(sorted(deal.tiles[:-1]))}")
        page.wait_for_selector("main[data-ready]")
        page.wait_for_load_state("networkidle")
        page.evaluate(WATCH)
        page.locator(f'[data-tile="{TILE_NAMES[deal.tiles[-1]]}"]').first.tap()
        page.wait_for_function("() => window.painted.length")
        found.append(page.evaluate("() => window.painted[0]"))
    context.close()
    return found


def rows(hands: list[Deal]) -> Iterator[tuple[str, str]]:
    """Both, through gunicorn; the service worker keeps out of it."""
    path: Any = chromium.find()
    if path is None:
        yield "paints in Chromium", "not installed"
        return
    with site.served() as port, sync_playwright() as playwright:
        site.connect(port)
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        here = f"http://127.0.0.1:{port}/"
        hand = f"{here}?rules=chengdu&hand="
        shared = hand + format_tiles(sorted(hands[0].tiles))
        try:
            for what, address in (("the page", here), ("a shared hand", shared)):
                first, useful = zip(*_visits(browser, address), strict=True)
                yield f"400 kbit/s, 400 ms: first paint of {what}", f"{median(first):.0f} ms"
                yield f"400 kbit/s, 400 ms: all of it ({what})", f"{median(useful):.0f} ms"
            taps = _taps(browser, hand, hands[:TAPS])
            yield "a line of 50 ms: a tap, to the paint", f"{median(taps):.0f} ms"
            yield "the same, the slowest of ten", f"{sorted(taps)[9 * len(taps) // 10]:.0f} ms"
        except Error as error:
            yield "paints in Chromium", str(error).splitlines()[0]
        finally:
            browser.close()
