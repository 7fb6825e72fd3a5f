"""Seats are drawn as people sit: the next player to the right, against the clock."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.places import firsts
from tests.browser.test_evening import next_round, win
from tests.browser.test_people import rename
from tests.browser.test_round_page import open_page, tap


def around(page: Page, hook: str) -> None:
    """Assert where the seats of a square are, from who sits at the bottom on."""
    me = int(page.locator("#round").get_attribute("data-me") or 0)
    order = [(me + n) % 4 for n in range(4)]
    mine, right, across, left = firsts(page, *(f'[{hook}="{seat}"]' for seat in order))
    assert right.x >= mine.right
    assert right.y == mine.y
    assert across.bottom <= right.y
    assert across.x == right.x
    assert (left.x, left.y) == (mine.x, across.y)


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_every_square_has_the_next_player_to_the_right(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, "/settle/?rules=laok&n=Ann,Bob,Cat,Dan")
    around(page, "data-seat")
    tap(page, '[data-act="discard"]', '[data-who="0"]')
    expect(page.locator('[data-giver="1"]')).to_be_visible()
    for hook in ("data-seat", "data-who", "data-giver"):
        around(page, hook)


def test_a_tap_on_a_name_seats_that_person_at_the_bottom_wherever_they_sit(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&n=Ann,Bob,Cat,Dan")
    tap(page, '[data-me-seat="2"]')
    expect(page.locator("#round")).to_have_attribute("data-me", "2")
    expect(page.locator('[data-me-seat="2"]')).to_have_attribute("aria-pressed", "true")
    tap(page, '[data-act="discard"]', '[data-who="0"]')
    expect(page.locator('[data-giver="1"]')).to_be_visible()
    for hook in ("data-seat", "data-who", "data-giver"):
        around(page, hook)
    tap(page, '[data-act="cancel"]')
    rename(page, "Cat", "Bob", "Ann", "Dan")
    expect(page.locator("#round")).to_have_attribute("data-me", "0")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#round")).to_have_attribute("data-me", "0")
    around(page, "data-seat")


def test_the_evening_leaves_the_device_as_text_and_as_rows_with_every_transfer(page: Page) -> None:
    page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    open_page(page, "/settle/?rules=laok&n=Ann,Bob,Cat,Dan")
    win(page, 0)
    next_round(page)
    win(page, 1)
    expect(page.locator("[data-round]")).to_have_count(2)
    with page.expect_download() as download:
        tap(page, '[data-do="table"]')
    assert re.fullmatch(r"evening-20\d\d-\d\d-\d\d\.csv", download.value.suggested_filename)
    written = Path(download.value.path()).read_text("utf-8")
    assert written[0] == "\ufeff"
    assert written.count("\ufeff") == 1
    rows = [line.split(",") for line in written[1:].splitlines()]
    assert [row[:1] + row[2:4] for row in rows[6:]] == [
        ["1", "Bob", "Ann"], ["1", "Cat", "Ann"], ["1", "Dan", "Ann"],
        ["2", "Ann", "Bob"], ["2", "Cat", "Bob"], ["2", "Dan", "Bob"],
    ]  # fmt: skip
    # On the sheet below the round and on the page of its own.
    for address in (None, page.locator("#evening-link").get_attribute("href")):
        if address:
            page.goto(address)
        tap(page, "[data-share-text]")
        said = page.evaluate("window.shared.text")
        assert said == page.locator("#evening-text").input_value()
        assert "第 2 局" in said
