"""Every page of the site in a real browser: nothing breaks its policy, nothing complains."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.storage import FORBIDDEN, STORAGE
from tests.routes import Route, routes

#: Nothing, a hand, and something that cannot be read.
STATES = ("", "?rules=chengdu&hand=1233455567899p!5p", "?rules=yaoji&opt=cap:4&hand=%5B55p")

#: Fragments, pictures and files are the same in every language; pages are looked at in each.
PAGES = [
    route
    for route in routes()
    if route.for_people and (route.template.endswith("/") or route.template.count("/") < 3)
]


#: What the page does now is done, and nobody has caught what failed in it.
NEXT_TASK = """() => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done(null);
  port2.postMessage(null);
})"""


def watched(page: Page, base_url: str) -> list[str]:
    """What the page complains about and where else it goes, in a list that grows."""
    found: list[str] = []

    def console(message: Any) -> None:
        # A refusal is a page of its own here, and the browser notes its status.
        if message.type in ("error", "warning") and "the server responded with" not in message.text:
            found.append(message.text)

    def failed(asked: Any) -> None:
        # A page that is left before its icon has come is no fault.
        if asked.failure != "net::ERR_ABORTED":
            found.append(f"{asked.url}: {asked.failure}")

    host = urlsplit(base_url).netloc
    page.on("console", console)
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on(
        "request",
        lambda asked: found.append(asked.url) if urlsplit(asked.url).netloc != host else None,
    )
    page.on("requestfailed", failed)
    page.add_init_script(
        "addEventListener('securitypolicyviolation', event =>"
        " console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))"
    )
    return found


@pytest.mark.parametrize("route", PAGES, ids=lambda route: route.template)
def test_no_page_breaks_its_policy(page: Page, base_url: str, route: Route) -> None:
    complaints = watched(page, base_url)
    translated = route.template.startswith(("/en/", "/zh-hant/"))
    for state in STATES[1:2] if translated else STATES:
        address = route.filled() + state
        response = page.request.get(address)
        assert response.status < 500
        if urlsplit(response.url).path.startswith("/static/"):
            continue  # led to a file that carries no policy of its own
        assert "unsafe" not in response.headers["content-security-policy"]
        # A picture or a file opened alone is shown by the browser, in its own way.
        if response.headers["content-type"].startswith("text/html"):
            page.goto(address)
    page.wait_for_load_state("networkidle")
    assert complaints == []


@pytest.mark.parametrize("path", ["/nowhere", "/en/nowhere", "/?hand=" + "1" * 8_100])
def test_a_refusal_breaks_no_policy_and_leads_back(page: Page, base_url: str, path: str) -> None:
    complaints = watched(page, base_url)
    page.goto(path)
    back = page.get_by_role("main").get_by_role("link")
    expect(back).to_have_count(1)
    page.goto(back.get_attribute("href") or "")
    expect(page.locator("[data-tile='5m']")).to_be_visible()
    assert complaints == []


def test_back_and_forward_show_whole_pages(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=123345556789p")
    page.locator("[data-tile='9p']").click()
    page.goto("/rules/")
    page.go_back()
    expect(page.locator("[data-hand-tile]")).to_have_count(13)
    expect(page.locator("[data-result]")).to_have_attribute("data-status", "ready")
    page.go_forward()
    expect(page.locator("[data-row]").first).to_be_visible()


def test_static_files_are_fetched_once(page: Page) -> None:
    page.goto("/rules/")
    page.wait_for_load_state("networkidle")
    page.goto("/rules/chengdu/")
    fetched = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter(entry => entry.name.includes('/static/') && entry.transferSize > 0)"
        ".map(entry => entry.name)"
    )
    assert fetched == []


@pytest.mark.parametrize("storage", sorted(STORAGE))
@pytest.mark.parametrize(
    "address", ["", "settle/", "house/", "rules/", "learn/", "learn/drill/", "offline/"]
)
def test_no_page_needs_to_keep_anything(
    page: Page, base_url: str, storage: str, address: str
) -> None:
    page.add_init_script(f"({STORAGE[storage]})()")
    found = watched(page, base_url)
    page.clock.install()
    page.goto(f"/{address}")
    page.wait_for_load_state("networkidle")
    page.locator("[data-theme-switch]").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    if address == "offline/":
        expect(page.locator("[data-kept-nothing]")).to_be_visible()
    # The service worker is asked for last.
    page.clock.run_for(2500)
    if STORAGE[storage] is not FORBIDDEN:
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.evaluate(NEXT_TASK)
    assert found == []
