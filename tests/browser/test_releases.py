"""A new release replaces all of itself on a device, whatever keeps pages of the one before."""

import re
from collections.abc import Iterator
from http.client import HTTPMessage

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.engine import START, choose
from tests.browser.releases import Front, copied, in_front, served
from tests.browser.test_offline import installed

expect.set_options(timeout=20_000)

HAND = "/?rules=chengdu&hand=1233455567899p!5p"
#: Asks for the service worker of today, and says how its installation ended.
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const fresh = await registration.update();
  const worker = fresh.installing || fresh.waiting;
  if (!worker) return fresh.active.state;
  return new Promise((done) => {
    const look = () => ["activated", "redundant"].includes(worker.state) && done(worker.state);
    worker.addEventListener("statechange", look);
    look();
  });
}"""
#: Which release made each page that is kept for the time without a network.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    if (!/^(shell|pages|results)-/.test(name)) continue;
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const made = (await (await cache.match(url)).text()).match(/data-made-by="(\\w+)"/);
      if (made) found.push([new URL(url).pathname, made[1]]);
    }
  }
  return found;
}"""
#: Waits until the engine's last file is on the device.
HELD = """async ([file, limit]) => {
  const end = performance.now() + limit;
  while (!(await caches.match(file, { cacheName: "engine" }))) {
    if (performance.now() > end) throw new Error(file);
    await new Promise(requestAnimationFrame);
  }
}"""
SHELL = {"/", "/settle/", "/offline/"}


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Both releases, each from a folder of its own; neither has the other's files."""
    folder = tmp_path_factory.mktemp("releases")
    with served(copied(folder, "one")) as one, served(copied(folder, "two")) as two:
        yield {"one": one, "two": two}


@pytest.fixture
def front(ports: dict[str, int]) -> Iterator[Front]:
    with in_front(ports, "one") as made:
        yield made


@pytest.fixture
def visitor(browser: Browser, front: Front) -> Iterator[BrowserContext]:
    """A phone that knows the site under one address."""
    context = browser.new_context(**PHONE, base_url=front.address)
    yield context
    context.close()


def made_by(page: Page, release: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-made-by", release)


def run_by(page: Page, release: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-run", release)


def test_no_page_of_the_release_before_is_taken_from_the_browsers_own_cache(
    visitor: BrowserContext, front: Front
) -> None:
    page = visitor.new_page()
    for address in ("/settle/", "/offline/", "/"):
        installed(page, address)
    front.serve = "two"
    assert page.evaluate(UPDATE) == "activated"
    kept = [(path, release) for path, release in page.evaluate(KEPT) if release == "two"]
    assert {path for path, _ in kept} == SHELL
    visitor.set_offline(True)
    for address in SHELL:
        page.goto(address)
        made_by(page, "two")
        run_by(page, "two")


def test_behind_a_proxy_that_keeps_pages_the_whole_release_before_stays_until_all_is_new(
    visitor: BrowserContext, front: Front
) -> None:
    front.keeping = True
    page = visitor.new_page()
    installed(page)
    front.serve = "two"
    assert page.evaluate(UPDATE) == "redundant"
    assert {release for _, release in page.evaluate(KEPT)} == {"one"}
    front.kept.clear()
    assert page.evaluate(UPDATE) == "activated"
    visitor.set_offline(True)
    page.goto("/settle/")
    made_by(page, "two")


def test_what_the_proxy_still_has_of_the_release_before_is_shown_and_not_kept(
    visitor: BrowserContext, front: Front
) -> None:
    front.keeping = True
    page = visitor.new_page()
    page.goto("/learn/tiles/")
    made_by(page, "one")
    old = front.kept
    front.kept, front.serve = {}, "two"
    installed(page)
    front.kept = {path: answer for path, answer in old.items() if path == "/learn/tiles/"}
    page.goto("/learn/tiles/")
    made_by(page, "one")
    assert ["/learn/tiles/", "one"] not in page.evaluate(KEPT)


def test_two_releases_in_turn_and_the_pages_that_were_open_go_on(
    visitor: BrowserContext, front: Front
) -> None:
    old = visitor.new_page()
    installed(old)
    old.wait_for_selector("main[data-ready]")
    lesson = visitor.new_page()
    lesson.goto("/learn/tiles/")
    front.serve = "two"
    assert lesson.evaluate(UPDATE) == "activated"
    # The page of the release before is answered by the new one, taps and all.
    old.locator("[data-tile='4m']").tap()
    expect(old.locator("[data-hand-tile]")).to_have_count(1)
    expect(old.locator("#result")).not_to_have_class("stale")
    # The browser has the lesson for a minute; its files are nowhere but on the device.
    lesson.goto("/learn/tiles/")
    run_by(lesson, "one")
    front.serve = "one"
    assert lesson.evaluate(UPDATE) == "activated"
    front.serve = "two"
    assert old.evaluate(UPDATE) == "activated"
    visitor.set_offline(True)
    old.reload()
    made_by(old, "two")
    run_by(old, "two")
    expect(old.locator("[data-hand-tile]")).to_have_count(1)


def test_a_page_that_was_open_has_the_engine_of_each_release_in_turn(
    visitor: BrowserContext, front: Front
) -> None:
    page = visitor.new_page()
    choose(page)
    page.goto("/")
    page.wait_for_selector("main[data-ready]")
    for at, release in enumerate(("two", "one"), start=1):
        front.serve = release
        assert page.evaluate(UPDATE) == "activated"
        told = re.search('ENGINE = "(.+)"', page.request.get("/sw.js").text())
        assert told
        page.evaluate(HELD, [told[1], START])
        visitor.set_offline(True)
        page.locator("[data-tile='4m']").tap()
        expect(page.locator("[data-hand-tile]")).to_have_count(at)
        expect(page.locator("#result")).not_to_have_class("stale", timeout=START)
        expect(page.locator("#net")).to_be_hidden()
        lesson = visitor.new_page()
        lesson.goto("/learn/tiles/")
        made_by(lesson, release)
        lesson.close()
        visitor.set_offline(False)


def test_behind_a_proxy_that_has_the_engine_of_the_release_before_nothing_is_replaced(
    visitor: BrowserContext, front: Front
) -> None:
    page = visitor.new_page()
    installed(page)
    front.kept["/engine.js"] = front.answer("/engine.js", HTTPMessage())
    front.keeping, front.serve = True, "two"
    assert page.evaluate(UPDATE) == "redundant"
    assert {release for _, release in page.evaluate(KEPT)} == {"one"}
    front.kept.clear()
    assert page.evaluate(UPDATE) == "activated"


@pytest.mark.parametrize(
    ("typed", "opened"),
    [("/settle", "/settle/"), ("/en", "/en/"), ("/settle?rules=laok", "/settle/?rules=laok")],
)
def test_an_address_without_its_closing_slash_opens_without_a_network(
    visitor: BrowserContext, front: Front, typed: str, opened: str
) -> None:
    page = visitor.new_page()
    installed(page)
    visitor.set_offline(True)
    page.goto(typed)
    expect(page).to_have_url(front.address + opened)
    made_by(page, "one")
