"""What is promised of the storage on the device: nothing is lost, or dead, without a word."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.storage import STORAGE
from tests.browser.test_evening import kept, win
from tests.browser.test_people import import_file
from tests.browser.test_round_page import expect_query, open_page, tap

ASIDE = "[data-aside]"
GOOD = {"id": "good00", "query": "rules=laok&e=ws,13", "totals": "-8,24,-8,-8", "over": False}


def keep(page: Page, name: str, text: str, area: str = "localStorage") -> None:
    """Put a text into the storage before any script of the next page reads it."""
    page.goto("/offline/")
    page.evaluate("([area, name, text]) => window[area].setItem(name, text)", [area, name, text])


def saved(page: Page, button: str) -> tuple[str, Any]:
    """The file that a button gives: its name, and what is in it."""
    with page.expect_download() as download:
        tap(page, button)
    return download.value.suggested_filename, json.loads(Path(download.value.path()).read_text())


@pytest.fixture
def faults(page: Page) -> list[str]:
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.mark.parametrize(
    "text",
    [
        '{"rounds": [null]}',
        '{"rounds": [{"id": "x"}], "version": 1, "current": "x"}',
        '{"rounds": 3}',
        "[1]",
        "7",
        "not even JSON",
        '{"rounds": [], "version": 2, "next": 1, "draft": 2, "unsure": [null]}',
        '{"rounds": [{"id": "a", "query": "e=ws,13", "totals": [1]}]}',
    ],
)
def test_an_evening_that_cannot_be_read_stops_nothing(
    page: Page, faults: list[str], text: str
) -> None:
    keep(page, "suanfan.evening", text)
    open_page(page)
    win(page, 1)
    expect(page.locator("[data-round]")).to_have_count(1)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect_query(page, e="ws,13")
    assert kept(page) == ["ws,13"]
    assert faults == []


def test_what_cannot_be_read_is_set_aside_and_the_rest_goes_on(
    page: Page, faults: list[str]
) -> None:
    evening = {"version": 2, "rounds": [None, GOOD, {"id": 3}], "current": "good00"}
    keep(page, "suanfan.evening", json.dumps(evening))
    open_page(page)
    expect_query(page, e="ws,13")
    expect(page.locator("[data-round]")).to_have_count(1)
    expect(page.locator(ASIDE)).to_be_visible()
    page.reload()
    expect(page.locator(ASIDE)).to_be_visible()
    name, file = saved(page, "[data-aside-save]")
    assert name.startswith("unread-20")
    assert [piece["part"] for piece in file["pieces"]] == [None, {"id": 3}]
    tap(page, "[data-aside-drop]")
    expect(page.locator(ASIDE)).to_be_hidden()
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator(ASIDE)).to_be_hidden()
    assert faults == []


@pytest.mark.parametrize(
    "text", ["[null]", '[{"here": 1, "state": 2}]', "3", "{", '{"taps": [null], "fields": 1}']
)
def test_steps_of_a_round_that_cannot_be_read_are_no_steps(
    page: Page, faults: list[str], text: str
) -> None:
    for name in ("undo", "redo", "mine", "left"):
        keep(page, f"suanfan.round.{name}", text, "sessionStorage")
    open_page(page)
    win(page, 1)
    for _ in range(4):
        tap(page, '[data-act="undo"]')
    expect(page.locator('[data-act="undo"]')).to_have_attribute("aria-disabled", "true")
    assert faults == []


@pytest.mark.parametrize("past", ["[null]", "[{}]", "3", "null"])
def test_steps_of_a_hand_that_cannot_be_read_are_no_steps(
    page: Page, faults: list[str], past: str
) -> None:
    page.goto("/?rules=chengdu&hand=11m")
    page.wait_for_selector("main[data-ready]")
    history = json.loads(page.evaluate("sessionStorage.getItem('history')"))
    text = json.dumps({**history, "past": json.loads(past), "future": json.loads(past)})
    keep(page, "history", text, "sessionStorage")
    page.goto("/?rules=chengdu&hand=11m")
    page.wait_for_selector("main[data-ready]")
    tap(page, '[data-tile="5p"]', '[data-act="undo"]')
    expect_query(page, hand="11m")
    page.locator('[data-act="undo"]').tap(force=True)
    expect_query(page, hand="11m")
    assert faults == []


@pytest.mark.parametrize(
    "text",
    ['{"kinds": null}', '{"kinds": {"value": null}, "seen": 3}', "[]", "{", '{"streak": "x"}'],
)
def test_practice_that_cannot_be_read_stops_no_lesson(
    page: Page, faults: list[str], text: str
) -> None:
    keep(page, "practice", text)
    page.goto("/learn/drill/?rules=chengdu&kind=value&seed=a&n=0")
    page.locator("[data-question] button.option").first.tap()
    expect(page.locator("[data-score]")).not_to_be_empty()
    expect(page.locator(ASIDE)).to_be_visible()
    assert faults == []


def test_one_bad_house_rule_loses_no_other(page: Page, faults: list[str]) -> None:
    keep(page, "houses", json.dumps([None, {"name": "周五桌", "rules": "laok", "opt": "cap:4"}]))
    page.goto("/house/?rules=chengdu")
    expect(page.locator("[data-saved] .use")).to_have_text(["周五桌"])
    assert faults == []


@pytest.mark.parametrize("storage", sorted(STORAGE))
def test_an_evening_that_the_browser_does_not_keep_is_told_at_once_and_offered_as_a_file(
    page: Page, storage: str
) -> None:
    page.add_init_script(f"({STORAGE[storage]})()")
    open_page(page)
    win(page, 1)
    notice = page.locator("#round-unkept")
    expect(notice).to_be_visible()
    name, file = saved(page, '#round-unkept [data-do="rescue"]')
    assert name.startswith("evening-20")
    assert [round_["totals"] for round_ in file["rounds"]] == [
        page.locator(".cols").get_attribute("data-totals")
    ]


def test_a_browser_that_keeps_the_evening_says_nothing(page: Page) -> None:
    open_page(page)
    win(page, 1)
    expect(page.locator("[data-round]")).to_have_count(1)
    expect(page.locator("#round-unkept")).to_be_hidden()
    expect(page.locator(ASIDE)).to_be_hidden()


def test_an_evening_has_as_many_rounds_as_its_sheet_and_its_file(
    page: Page, tmp_path: Path
) -> None:
    rounds = [{**GOOD, "id": f"round{n}"} for n in range(201)]
    evening = {"version": 2, "rounds": rounds, "current": "round199"}
    keep(page, "suanfan.evening", json.dumps(evening))
    open_page(page)
    # One too many was kept by an earlier release: it is set aside, not left out in silence.
    expect(page.locator("[data-round]")).to_have_count(200)
    expect(page.locator(ASIDE)).to_be_visible()
    _, file = saved(page, '#evening [data-do="export"]')
    assert len(file["rounds"]) == 200
    tap(page, "a[data-next]")
    expect(page.locator("#round-say")).to_contain_text("最多记 200 局")
    expect_query(page, e="ws,13")
    other = [{"query": "rules=laok&e=ws,23"}]
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 2, "rounds": other})
    expect(page.locator("#round-say")).to_contain_text("最多记 200 局")
    assert len(kept(page)) == 200
    tap(page, '[data-remove="199"]', '[data-remove="199"]')
    expect(page.locator("[data-round]")).to_have_count(199)
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 2, "rounds": other})
    expect(page.locator("[data-round]")).to_have_count(200)
