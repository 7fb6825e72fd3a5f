"""Four phones play an evening at once, each with a trouble of its own, and all end with one sum."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.addresses.round import read_round
from scoring.contract import settle
from tests.tables.test_in_browser import (
    base_url,  # noqa: F401
    browser_context_args,  # noqa: F401
    browser_type_launch_args,  # noqa: F401
    opened,
    phone,  # noqa: F401
    tap,
    win,
)

pytestmark = pytest.mark.browser


def slow(page: Page) -> None:
    """A line on which everything takes half a second and a page some more."""
    line = {"offline": False, "latency": 500, "downloadThroughput": 20_000}
    session = page.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", {**line, "uploadThroughput": 10_000})


def deaf(page: Page) -> Callable[[], None]:
    """A page to which no news comes; what it is called to hear again."""

    def lose(route: Route) -> None:
        route.abort()

    page.route("**/news?**", lose)
    return lambda: page.unroute("**/news?**", lose)


def kong(page: Page, seat: int) -> None:
    tap(page, "new:concealed_kong")
    tap(page, f"who:{seat}")
    tap(page, "save")


def booked(page: Page, events: int) -> dict[str, str]:
    """The round's address, as soon as the page shows so many events of it."""
    expect(page.locator("[data-event]")).to_have_count(events)
    query = page.locator("#shared .cols").get_attribute("data-link")
    return dict(parse_qsl(unescape(query or "")))


def all_see(pages: list[Page], events: int) -> list[int]:
    """What the engine makes of the events; every page shows just that."""
    given = booked(pages[0], events)
    totals = settle(read_round(given)[0].request)["totals"]
    for page in pages:
        assert booked(page, events) == given
        for seat, amount in enumerate(totals):
            where = page.locator(f'[data-seat="{seat}"][data-total]')
            expect(where).to_have_attribute("data-total", str(amount))
    return [int(total) for total in totals]


def test_an_evening_on_four_phones_loses_and_doubles_nothing(phone: Callable[..., Page]) -> None:  # noqa: F811
    ann, bob, cat, dan = phone(), phone(), phone(), phone()
    address = opened(ann)
    ann.goto(f"{address}people/")
    watching = ann.locator("[data-link=watch]").get_attribute("href")
    for page, where in ((ann, address), (bob, address), (cat, address), (dan, watching)):
        page.goto(where or "")
    bob.locator("#who-am-i summary").tap()
    bob.locator('[data-me="Bob"]').tap()
    slow(bob)
    hear_again = deaf(ann)

    # Bob's line is slow; Ann's page is stale: she notes down what he has noted down already.
    win(ann, 1, 0, 2)
    win(bob, 1, 0, 2)
    tap(bob, "save")
    all_see([bob, cat, dan], 1)
    tap(ann, "save")
    expect(ann.locator('[data-problem="met"]')).to_contain_text("Bob 记了")
    tap(ann, "cancel")
    expect(ann.locator('button[value="save"]')).to_have_count(0)
    hear_again()
    all_see([ann, bob, cat, dan], 1)

    # Cat loses the network in the middle of an entry, goes on, and closes the page.
    tap(cat, "new:concealed_kong")
    tap(cat, "who:2")
    expect(cat.locator('button[value="save"]')).to_be_enabled()
    cat.context.set_offline(True)
    tap(cat, "save")
    expect(cat.locator("#table-net")).to_contain_text("点过的1下")
    kong(ann, 3)
    all_see([ann, bob, dan], 2)
    cat.context.set_offline(False)
    again = cat.context.new_page()
    cat.close()
    again.goto(address)
    pages = [ann, bob, again, dan]
    first = all_see(pages, 3)

    # The next round, two at once; whoever meets the other is told, and notes it down once more.
    tap(bob, "next")
    for page in pages:
        expect(page.locator("[data-event]")).to_have_count(0)
        expect(page.locator(".shared-rounds [aria-current=page]")).to_contain_text("2")
    win(ann, 0, 3, 3)
    tap(ann, "save")
    all_see(pages, 1)
    kong(again, 2)
    second = all_see(pages, 2)

    # Undo is one's own last; the watcher has nothing to note down with.
    again.locator("[data-act=undo]").first.tap()
    second = all_see(pages, 1)
    expect(dan.get_by_text("这个链接只能看")).to_be_visible()

    dan.goto(f"{dan.url}evening/")
    for seat, (one, two) in enumerate(zip(first, second, strict=True)):
        person = dan.locator(f'[data-evening-person="{seat}"]')
        expect(person).to_have_attribute("data-evening-total", str(one + two))
    ann.goto(f"{address}history/")
    expect(ann.locator("[data-entry]")).to_have_count(8)
    told = " ".join(ann.locator("[data-entry] .what").all_inner_texts())
    assert re.search("撤回了第 7 条", told)
