"""What was only not loaded is not shown as empty: nothing can be booked on it, and it comes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.address import query
from tests.browser.test_offline import installed
from tests.browser.test_round_page import expect_query, open_page, own_requests, tap


def refuse(route: Route) -> None:
    route.fulfill(status=502, body="")


def abort(route: Route) -> None:
    route.abort()


FAULTS = pytest.mark.parametrize("fault", [abort, refuse])
Fault = Callable[[Route], None]


def cut(page: Page, fault: Fault, address: str) -> None:
    """Open a page whose requests for the round fail, until `mend`."""
    page.route("**/fragment/round*", fault)
    page.goto(address)
    expect(page.locator("#round-awaits")).to_be_visible()
    # A table of other rules, without names and with zeros, is not there to be tapped.
    expect(page.locator("[data-seat='0']")).to_be_hidden()
    expect(page.locator('[data-act="self_draw"]')).to_be_hidden()
    expect(page.locator("#evening")).to_be_hidden()


def mend(page: Page) -> None:
    page.unroute("**/fragment/round*")
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#round-awaits")).to_be_hidden()


@own_requests
@FAULTS
def test_the_running_round_is_waited_for_and_goes_on(page: Page, fault: Fault) -> None:
    open_page(page, "/settle/?rules=laok&n=甲,乙,丙,丁")
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    cut(page, fault, "/settle/")
    assert page.evaluate("location.search") == ""
    mend(page)
    expect_query(page, rules="laok", e="ws,13")
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, rules="laok", e="ws,13.k2c")
    expect(page.locator("[data-round]")).to_have_count(1)


@own_requests
@FAULTS
def test_the_remembered_rules_are_waited_for(page: Page, fault: Fault) -> None:
    open_page(page)
    page.evaluate("localStorage.setItem('rules', JSON.stringify({ rules: 'laok', opt: 'cap:5' }))")
    cut(page, fault, "/settle/")
    mend(page)
    expect_query(page, rules="laok", opt="cap:5")


@own_requests
@FAULTS
def test_a_hand_from_the_calculator_waits_for_the_round_that_it_joins(
    page: Page, fault: Fault
) -> None:
    open_page(page, "/settle/?rules=laok")
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="k2c")
    brought = "/settle/?rules=laok&a=ws,-h11122233344455m"
    cut(page, fault, brought)
    assert page.evaluate("location.pathname + location.search") == brought
    mend(page)
    expect_query(page, e="k2c", a="ws,-h11122233344455m")


def test_a_shared_round_opened_without_a_network_keeps_its_address_and_comes(page: Page) -> None:
    installed(page, "/settle/")
    # What another phone sent, never seen here.
    shared = "/settle/?rules=laok&n=甲,乙,丙,丁&e=ws,13.k2c"
    page.context.set_offline(True)
    page.goto(shared)
    expect(page.locator("#round-awaits")).to_be_visible()
    expect(page.locator('[data-act="self_draw"]')).to_be_hidden()
    assert query(page) == {"rules": "laok", "n": "甲,乙,丙,丁", "e": "ws,13.k2c"}
    page.context.set_offline(False)
    expect(page.locator("[data-seat='0']")).to_contain_text("甲")
    expect(page.locator(".event")).to_have_count(2)
    assert query(page)["e"] == "ws,13.k2c"


@own_requests
@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_tap_that_a_gateway_refuses_is_sent_again(page: Page, status: int) -> None:
    open_page(page)
    page.route("**/fragment/round*", lambda route: route.fulfill(status=status, body=""))
    tap(page, '[data-act="self_draw"]')
    expect(page.locator("#round-net")).to_be_visible()
    page.unroute("**/fragment/round*")
    expect_query(page, a="ws")
    expect(page.locator("#round-net")).to_be_hidden()


# What is typed or tapped is there again, whichever way the page was left.

WAYS = [
    '.languages a[hreflang="en"]',
    '.languages a[hreflang="zh-Hant"]',
    ".nav a.here",
    ".brand",
    "#evening-link",
]


@own_requests
@pytest.mark.parametrize("way", WAYS)
def test_what_is_typed_survives_every_way_out_of_the_page(page: Page, way: str) -> None:
    open_page(page, "/settle/?rules=laok")
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    tap(page, '[data-act="self_draw"]', '[data-who="1"]')
    expect_query(page, e="k2c", a="ws,1")
    page.locator('input[name="f1"]').fill("9")
    page.locator("#n0").evaluate(
        "node => { node.closest('details').open = true; node.value = '王'; }"
    )
    with page.expect_navigation():
        page.locator(way).evaluate("link => link.click()")
    if not re.search(r"/settle/(\?|$)", page.url):
        page.goto("/settle/")
    page.wait_for_selector("main[data-ready]")
    expect(page.locator('input[name="f1"]')).to_have_value("9")
    expect(page.locator("#n0")).to_have_value("王")
    page.locator('[data-act="save"]').tap()
    expect_query(page, e="k2c.ws,19")
    assert query(page)["n"] == "王,,,"


@own_requests
def test_a_tap_that_has_no_answer_when_the_page_is_left_is_done_when_it_is_back(
    page: Page,
) -> None:
    open_page(page, "/settle/?rules=laok&a=ws,13")
    tap(
        page,
        '[data-act="cancel"]',
        '[data-act="self_draw"]',
        '[data-who="1"]',
        '[data-fan-key="3"]',
    )
    expect_query(page, a="ws,13")
    page.route("**/fragment/round*", abort)
    tap(page, '[data-act="save"]')
    expect(page.locator("#round-net")).to_be_visible()
    page.goto("/rules/")
    page.unroute("**/fragment/round*")
    open_page(page)
    expect_query(page, e="ws,13")
    expect(page.locator("[data-round]")).to_have_count(1)
