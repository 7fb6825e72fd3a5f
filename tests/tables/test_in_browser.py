"""Four phones at one table: what one records the others see, and nothing is lost on the way."""

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import (  # noqa: F401
    PHONE,
    base_url,
    browser_context_args,
    browser_type_launch_args,
)

pytestmark = pytest.mark.browser

NAMES = "rules=laok&n=Ann,Bob,Cat,Dan"


@pytest.fixture
def phone(browser: Browser, base_url: str) -> Iterator[Callable[..., Page]]:  # noqa: F811
    """Makes phones, each of somebody else."""
    made: list[BrowserContext] = []

    def one(**more: object) -> Page:
        made.append(browser.new_context(**{**PHONE, "base_url": base_url, **more}))
        return made[-1].new_page()

    yield one
    for context in made:
        context.close()


def opened(page: Page, query: str = NAMES) -> str:
    """Open a table from the page of a round; its address."""
    page.goto(f"/settle/?{query}")
    page.get_by_role("button", name="让全桌看到").tap()
    page.wait_for_url(re.compile("/t/.+/people/"))
    page.get_by_role("link", name="回到这一桌").tap()
    page.wait_for_url(re.compile(r"/t/[^/]+/$"))
    return page.url


def tap(page: Page, value: str) -> None:
    page.locator(f'button[name=do][value="{value}"]').first.tap()


def win(page: Page, winner: int, giver: int, fan: int) -> None:
    """A win by discard, up to and without 记下."""
    tap(page, "new:discard")
    tap(page, f"who:{winner}")
    tap(page, f"from:{giver}")
    tap(page, f"fan:{winner}:{fan}")
    expect(page.locator('button[name=do][value="save"]')).to_be_enabled()


def total(page: Page, seat: int, amount: str) -> None:
    expect(page.locator(f'[data-seat="{seat}"][data-total]')).to_have_attribute(
        "data-total", amount
    )


def test_what_one_phone_records_the_others_see(phone: Callable[..., Page]) -> None:
    ann, bob, cat = phone(), phone(), phone()
    address = opened(ann)
    ann.goto(f"{address}people/")
    watching = ann.locator("[data-link=watch]").get_attribute("href")
    ann.goto(address)
    bob.goto(address)
    cat.goto(watching)
    win(ann, 0, 1, 2)
    tap(ann, "save")
    for page in (ann, bob, cat):
        total(page, 0, "12")
        total(page, 1, "-12")
    tap(bob, "new:concealed_kong")
    tap(bob, "who:2")
    tap(bob, "save")
    for page in (ann, cat):
        total(page, 2, "24")


def test_an_open_entry_stays_open_while_others_record(phone: Callable[..., Page]) -> None:
    ann, bob = phone(), phone()
    bob.goto(opened(ann))
    win(ann, 0, 1, 2)
    tap(bob, "new:concealed_kong")
    tap(bob, "who:2")
    tap(bob, "save")
    total(ann, 2, "36")
    tap(ann, "save")
    for page in (ann, bob):
        total(page, 0, "0")  # 12 from Bob, 12 to Cat


def test_who_records_the_same_as_another_is_told_and_nothing_is_booked_twice(
    phone: Callable[..., Page],
) -> None:
    ann, bob = phone(), phone()
    bob.goto(opened(ann))
    bob.locator("#who-am-i summary").tap()
    bob.locator('[data-me="Bob"]').tap()
    # Ann's phone hears nothing for a while.
    ann.route("**/news?**", lambda route: route.abort())
    win(ann, 0, 1, 2)
    win(bob, 0, 1, 2)
    tap(bob, "save")
    total(bob, 0, "12")
    tap(ann, "save")
    expect(ann.locator('[data-problem="met"]')).to_contain_text("Bob 记了")
    total(ann, 0, "12")
    expect(ann.locator('button[name=do][value="save"]')).to_be_visible()


def test_taps_without_a_network_are_kept_and_booked_once_when_it_is_back(
    phone: Callable[..., Page],
) -> None:
    ann, bob = phone(), phone()
    address = opened(ann)
    bob.goto(address)
    win(ann, 0, 1, 2)
    ann.context.set_offline(True)
    tap(ann, "save")
    expect(ann.locator("#table-net")).to_contain_text("点过的1下")
    # The page is closed meanwhile, and opened again by the same phone.
    ann.context.set_offline(False)
    again = ann.context.new_page()
    ann.close()
    again.goto(address)
    total(again, 0, "12")
    total(bob, 0, "12")
    expect(again.locator("[data-event]")).to_have_count(1)


def test_a_lost_answer_books_nothing_twice(phone: Callable[..., Page]) -> None:
    ann = phone()
    opened(ann)
    win(ann, 0, 1, 2)
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.request.url)
            route.fetch()  # it arrives and is booked, but no answer comes
            route.abort()
        else:
            route.continue_()

    ann.route("**/t/*/", lose)
    tap(ann, "save")
    total(ann, 0, "12")
    expect(ann.locator("#table-net")).to_be_hidden()
    assert lost
    expect(ann.locator("[data-event]")).to_have_count(1)


def test_undo_takes_back_ones_own_last_entry_alone(phone: Callable[..., Page]) -> None:
    ann, bob = phone(), phone()
    bob.goto(opened(ann))
    tap(ann, "new:concealed_kong")
    tap(ann, "who:0")
    tap(ann, "save")
    total(bob, 0, "36")
    tap(bob, "new:concealed_kong")
    tap(bob, "who:1")
    tap(bob, "save")
    total(ann, 1, "24")
    ann.locator("[data-act=undo]").first.tap()
    for page in (ann, bob):
        total(page, 1, "36")
        total(page, 0, "-12")


def test_nothing_of_a_table_is_kept_by_the_service_worker(phone: Callable[..., Page]) -> None:
    ann = phone()
    address = opened(ann)
    ann.goto(address)
    kept = ann.evaluate(
        "async () => { const found = []; for (const name of await caches.keys())"
        " for (const asked of await (await caches.open(name)).keys()) found.push(asked.url);"
        " return found }"
    )
    assert not [url for url in kept if "/t/" in url or "/join/" in url]
    assert json.loads(ann.evaluate("localStorage['suanfan.tables']"))[0]["address"] in address


def test_what_stands_at_the_round_can_be_taken_along(phone: Callable[..., Page]) -> None:
    ann = phone(permissions=["clipboard-read", "clipboard-write"])
    opened(ann, f"{NAMES}&e=wd1,02")
    ann.get_by_role("button", name="复制成文字").tap()
    expect(ann.locator("#table-say")).to_have_text("已复制")
    assert "Ann" in ann.evaluate("navigator.clipboard.readText()")
    expect(ann.locator("[data-act=redo]").first).to_be_hidden()


def test_a_hand_from_the_calculator_comes_back_to_the_table(phone: Callable[..., Page]) -> None:
    ann = phone()
    address = opened(ann)
    tap(ann, "new:discard")
    tap(ann, "who:0")
    tap(ann, "from:1")
    ann.locator("a[data-calculator]").first.tap()
    ann.wait_for_url(re.compile(r"/\?.*back="))
    ann.goto(ann.url.replace("hand=&", "").replace("/?", "/?hand=22244455577799m&", 1))
    ann.get_by_role("link", name=re.compile("回到|用这手牌")).first.tap()
    ann.wait_for_url(re.compile("/t/"))
    assert ann.url.startswith(address)
    tap(ann, "save")
    total(ann, 0, "48")
