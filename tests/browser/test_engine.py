"""The site answers on the device itself, where that was chosen: its own Python, without a network.

The engine starts slowly, so these tests share one browser profile in which it has been chosen.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from scoring.addresses.hand import hand_request
from scoring.contract import score
from tests import case_files
from tests.browser.conftest import PHONE
from tests.browser.engine import ASK, NAMES, START, UNSEEN, Site, choose, headers_of
from tests.browser.test_offline import FULL_FLUSH, installed
from tests.routes import routes

# One worker of pytest-xdist runs them all, so that there is one such profile.
pytestmark = pytest.mark.xdist_group("engine")

#: What is about the server itself.
NOT_SHARED = ("/sw.js", "/engine.js", "/healthz", "/robots.txt", "/favicon.ico")
#: Pictures for other hosts, the programs' interface, and shared tables, which only a server has.
OF_SERVERS = ("/preview.", "/api/", "/t/", "/join/", "/open/")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    made = Site(tmp_path_factory.mktemp("engine"))
    yield made
    made.stop()


#: Opens a browser on a folder.
Opener = Callable[[Path], AbstractContextManager[Page]]


@pytest.fixture(scope="module")
def opened(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType, site: Site
) -> Opener:
    """A browser of a profile, started cold."""

    @contextmanager
    def opened(profile: Path) -> Iterator[Page]:
        context = browser_type.launch_persistent_context(
            profile, **browser_type_launch_args, **PHONE, base_url=site.address
        )
        context.set_default_timeout(60_000)
        try:
            yield context.pages[0]
        finally:
            context.close()

    return opened


@pytest.fixture(scope="module")
def profile(opened: Opener, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A browser's folder in which the engine was chosen and has made its snapshot."""
    folder = tmp_path_factory.mktemp("profile")
    with opened(folder) as page:
        choose(page)
        assert any(".memory." in name for name in page.evaluate(NAMES))
    return folder


@pytest.fixture
def phone(opened: Opener, profile: Path, tmp_path: Path) -> Iterator[Page]:
    """A page of a browser with the engine, whose changes no other test sees."""
    shutil.copytree(profile, tmp_path / "profile", symlinks=True)
    with opened(tmp_path / "profile") as page:
        yield page


def asked_hand(address: str) -> dict[str, Any]:
    """The request to the scorer that an address is."""
    return hand_request(dict(parse_qsl(urlsplit(address).query)))


def counted(page: Page, address: str) -> None:
    """The page shows what the hand of the address is worth, and says nothing of a network."""
    page.goto(address)
    result = page.locator("[data-result]")
    fan = score(asked_hand(address))["fan"]
    expect(result).to_have_attribute("data-fan", str(fan), timeout=START)
    expect(page.locator("main[data-ready]")).to_be_attached()
    expect(page.locator("#net")).to_be_hidden()
    expect(page.locator("[data-no-network]")).to_be_hidden()


# ---------------------------------------------------------------- the same answers


def addresses() -> list[str]:
    """One of each kind in each language, empty and with a hand."""
    found = []
    for route in routes():
        path = route.filled()
        if path in NOT_SHARED or any(part in path for part in OF_SERVERS):
            continue
        # Without a seed the address of a drill leads to a new one each time.
        plain = "?kind=value&seed=a&n=0" if path.endswith("/drill/") else ""
        found += [f"{path}{plain}", f"{path}?rules=yaoji&hand=1233455567899p!5p&seed=a&n=1"]
    return [*found, "/settle", "/en/rules/nowhere/", "/?hand=%5B55p&rules=laok"]


def test_server_and_browser_give_the_same_bytes(phone: Page, site: Site) -> None:
    phone.goto("/offline/")
    asked = addresses()
    assert len(asked) > 100
    requests = [{"url": f"{site.address}{one}"} for one in asked]
    told = phone.evaluate(ASK, [site.module(), requests])
    for address, (status, headers, body) in zip(asked, told, strict=True):
        assert (status, headers_of(headers), body) == site.asked(address), address


def test_the_shared_cases_come_out_the_same_in_the_browser(
    phone: Page, site: Site, client: Client
) -> None:
    hands = [request for _, request, _ in case_files.hand_cases()]
    rounds = [
        case["request"]
        for name in ("rounds", "rounds_house_rules")
        for case in case_files.load(name)
    ]
    assert len(hands) > 400 and len(rounds) > 200
    requests = [
        {
            "method": "POST",
            "url": f"{site.address}/api/v1/{call}",
            "body": json.dumps(body),
        }
        for call, bodies in (("score", hands), ("settle", rounds))
        for body in bodies
    ]
    phone.goto("/offline/")
    there = phone.evaluate(ASK, [site.module(), requests])
    for one, (_, _, body) in zip(requests, there, strict=True):
        path = one["url"].removeprefix(site.address)
        here = client.post(path, one["body"], "application/json", secure=True).content
        assert body == here.decode(), one["body"]


# ---------------------------------------------------------------- no network


def test_a_cold_browser_without_a_server_counts_a_hand_never_seen(
    opened: Opener, profile: Path, tmp_path: Path, site: Site
) -> None:
    shutil.copytree(profile, tmp_path / "profile", symlinks=True)
    with site.gone(), opened(tmp_path / "profile") as page:
        counted(page, UNSEEN)
        # Pages that were never opened, in any language, also where the slash is missing.
        page.goto("/en/rules/laok/")
        expect(page.locator("h1")).to_contain_text("Lao K")
        page.goto("/learn/drill/?kind=value&seed=abc&n=0")
        expect(page.locator("[data-question]")).to_be_visible()
        page.goto("/settle?rules=laok")
        page.wait_for_selector("main[data-ready]")
        page.locator('[data-act="concealed_kong"]').tap()
        page.locator('[data-who="1"]').first.tap()
        expect(page.locator("#round-net")).to_be_hidden()


def test_where_no_worker_is_shared_each_page_has_its_own(phone: Page, site: Site) -> None:
    phone.add_init_script("delete window.SharedWorker")
    phone.goto("/offline/")
    assert phone.evaluate("typeof SharedWorker") == "undefined"
    with site.gone():
        counted(phone, UNSEEN)
        # Every start begins with one and the same memory, but deals as it likes.
        deals = set()
        for _ in range(2):
            phone.goto("/learn/drill/?kind=value")
            expect(phone.locator("[data-question]")).to_be_visible(timeout=START)
            deals.add(phone.url)
        assert len(deals) == 2


def test_a_tap_without_a_network_is_counted_at_once(phone: Page) -> None:
    phone.goto("/?rules=chengdu&hand=11123456789s")
    phone.wait_for_selector("main[data-ready]")
    phone.context.set_offline(True)
    for tile in ("9s", "9s"):
        phone.locator(f"[data-tile='{tile}']").tap()
    expect(phone.locator("[data-result][data-status=ready]")).to_be_visible(timeout=START)
    expect(phone.locator("#net")).to_be_hidden()
    expect(phone.locator("[data-no-network]")).to_be_hidden()
    expect(phone.locator("#result")).not_to_have_class("stale")


def test_a_line_on_which_nothing_comes_is_not_waited_for(phone: Page, site: Site) -> None:
    phone.goto("/offline/")
    with site.silent():
        counted(phone, UNSEEN)


# ---------------------------------------------------------------- the choice


def test_a_release_fetches_only_what_it_changed_and_drops_what_was(phone: Page, site: Site) -> None:
    phone.goto("/offline/")
    before = phone.evaluate(NAMES)
    (mine,) = [name for name in before if "/site." in name and name.endswith(".pack")]
    # As after a release: another site, and a memory that was made with it.
    phone.evaluate(
        """async (mine) => {
          const cache = await caches.open("engine");
          await cache.put(mine.replace("site.", "site.0000"), await cache.match(mine));
          await cache.put("/static/engine/x.memory.before", new Response("old"));
          await cache.delete(mine);
        }""",
        mine,
    )
    log = site.folder / "log"
    already = len(log.read_text("utf-8"))
    phone.goto("/rules/")
    # A condition that is itself asynchronous is not waited for by `wait_for_function`.
    phone.evaluate(
        f"""async ([names, limit]) => {{
          const end = performance.now() + limit;
          for (let now; (now = JSON.stringify((await ({NAMES})()).sort())) !== names; ) {{
            if (performance.now() > end) throw new Error(now);
            await new Promise(requestAnimationFrame);
          }}
        }}""",
        [json.dumps(sorted(before), separators=(",", ":")), START],
    )
    asked = [json.loads(line)["path"] for line in log.read_text("utf-8")[already:].splitlines()]
    assert [path for path in asked if path.endswith(".pack")] == [mine]


def test_what_was_chosen_can_be_removed(phone: Page) -> None:
    phone.goto("/offline/")
    phone.locator("[data-engine-remove]").tap()
    expect(phone.locator("[data-engine-get]")).to_be_visible()
    expect(phone.locator("[data-engine-remove]")).to_be_hidden()
    assert phone.evaluate(NAMES) == []
    phone.context.set_offline(True)
    phone.goto(FULL_FLUSH)
    expect(phone.locator("#net")).to_contain_text("还没有算过")


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A phone that has chosen nothing."""
    context = browser.new_context(**PHONE, base_url=site.address)
    yield context
    context.close()


def test_who_has_not_chosen_it_finds_what_was_there_before(visitor: BrowserContext) -> None:
    page = visitor.new_page()
    installed(page)
    visitor.set_offline(True)
    page.goto(FULL_FLUSH)
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#net")).to_contain_text("还没有算过")
    expect(page.locator("[data-no-network]")).to_be_visible()
    assert page.evaluate(NAMES) == []


def test_fetching_shows_that_it_goes_on_and_can_be_stopped(
    visitor: BrowserContext, site: Site
) -> None:
    page = visitor.new_page()
    installed(page, "/offline/")
    get = page.locator("[data-engine-get]")
    expect(get).to_be_visible()
    with site.silent():
        get.tap()
        expect(page.locator("progress")).to_be_visible()
        expect(get).to_be_hidden()
        page.locator("[data-engine-stop]").tap()
        expect(page.locator("[data-engine-choice] [role=status]")).to_contain_text("停下了")
        expect(get).to_be_visible()
        expect(page.locator("progress")).to_be_hidden()


SAVING = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


def test_nothing_is_fetched_where_data_is_saved(visitor: BrowserContext) -> None:
    visitor.add_init_script(SAVING)
    page = visitor.new_page()
    installed(page, "/offline/")
    expect(page.locator("[data-engine-choice] [role=status]")).to_contain_text("省流量")
    expect(page.locator("[data-engine-get]")).to_be_hidden()


def missed(page: Page) -> None:
    """The network went while a page was open."""
    page.context.set_offline(True)
    page.wait_for_function("() => localStorage.getItem('suanfan.engine') === 'missed'")
    page.context.set_offline(False)


def app_installed(page: Page) -> None:
    """The site was put among the device's apps."""
    page.evaluate("dispatchEvent(new Event('appinstalled'))")


OFFERED = pytest.mark.parametrize("event", [missed, app_installed])
#: What a page does about the engine, again and to its end.
LOOK = "async (module) => (await import(module)).look(false)"


@OFFERED
def test_it_is_offered_once_to_who_may_want_it(
    visitor: BrowserContext, site: Site, event: Callable[[Page], None]
) -> None:
    page = visitor.new_page()
    installed(page)
    offer = page.locator(".engine-offer")
    expect(offer).to_have_count(0)
    event(page)
    page.goto("/rules/")
    expect(offer.locator("a")).to_have_attribute("href", "/offline/")
    page.goto("/rules/")
    page.evaluate(LOOK, site.module())
    expect(offer).to_have_count(0)


@OFFERED
def test_it_is_never_offered_where_data_is_saved(
    visitor: BrowserContext, site: Site, event: Callable[[Page], None]
) -> None:
    visitor.add_init_script(SAVING)
    page = visitor.new_page()
    installed(page)
    event(page)
    page.goto("/rules/")
    page.evaluate(LOOK, site.module())
    expect(page.locator(".engine-offer")).to_have_count(0)


def test_the_workers_own_answer_alone_may_run_webassembly(site: Site) -> None:
    name = "content-security-policy"
    worker, page = site.asked("/engine.js")[1][name], site.asked("/offline/")[1][name]
    assert worker == page.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    assert "unsafe" not in page


def test_without_the_files_there_is_no_engine_and_no_choice(page: Page) -> None:
    assert page.request.get("/engine.js").status == 404
    assert 'ENGINE = ""' in page.request.get("/sw.js").text()
    installed(page, "/offline/")
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-engine-choice]")).to_be_hidden()
