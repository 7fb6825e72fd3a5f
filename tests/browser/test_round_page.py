"""The page of a round in a real browser: a phone of 375 px, touched, with and without scripts."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.address import query
from tests.browser.places import boxes, firsts
from tests.browser.storage import STORAGE

#: Requests can be held and refused only where no service worker makes them.
own_requests = pytest.mark.browser_context_args(service_workers="block")

#: A round of two kongs, a discard win, a self-draw and a drawn wall with a pig and a ready player.
TAPS = [
    *('[data-act="exposed_kong"]', '[data-who="2"]', '[data-giver="0"]', '[data-act="save"]'),
    *('[data-act="concealed_kong"]', '[data-who="1"]', '[data-act="save"]'),
    *('[data-act="discard"]', '[data-who="2"]', '[data-giver="0"]', '[data-fan-key="3"]'),
    '[data-act="save"]',
    *('[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]'),
    '[data-act="draw"]',
    '[data-standing="0"] [data-state="flower_pig"]',
    *('[data-standing="3"] [data-state="ready"]', '[data-standing="3"] [data-fan-key="2"]'),
    '[data-act="save"]',
]
EVENTS = "k2e0.k1c.wd0,23.ws,13.n,0p,3r2"


def open_page(page: Page, address: str = "/settle/") -> None:
    page.goto(address)
    page.wait_for_selector("main[data-ready]")


def tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        control = page.locator(selector).first
        expect(control).to_be_enabled()
        control.tap()


def expect_query(page: Page, **parameters: str) -> None:
    """Wait until the address has these parameters."""
    for name, value in parameters.items():
        pattern = re.compile(rf"[?&]{name}={re.escape(value)}(?:[&#]|$)")
        expect(page).to_have_url(pattern)


def hold_first(page: Page) -> list[Route]:
    """The first answer of the round waits here until the test lets it go."""
    held: list[Route] = []
    page.route(
        "**/fragment/round*",
        lambda route: route.continue_() if held else held.append(route),
    )
    return held


def totals(page: Page) -> list[str]:
    return page.locator("[data-total]").evaluate_all("all => all.map(each => each.dataset.total)")


def test_a_whole_round_takes_at_most_21_taps(page: Page) -> None:
    open_page(page)
    for selector in TAPS:
        before = page.locator(".cols").get_attribute("data-query")
        tap(page, selector)
        expect(page.locator(".cols")).not_to_have_attribute("data-query", before or "")
    assert len(TAPS) <= 21
    assert query(page)["e"] == EVENTS
    assert totals(page) == ["-72", "38", "24", "10"]


def test_taps_faster_than_the_network_are_all_taken_in_order(page: Page) -> None:
    open_page(page)
    page.evaluate(
        """() => {
          const press = (value) => {
            const button = document.createElement("button");
            button.name = "do";
            button.value = value;
            document.querySelector("#round form").append(button);
            button.click();
          };
          ["new:self_draw", "who:1", "fan:1:3", "save", "new:concealed_kong", "who:2", "save"]
            .forEach(press);
        }"""
    )
    expect_query(page, e="ws,13.k2c")


def test_many_taps_in_one_breath_are_all_taken(page: Page) -> None:
    open_page(page)
    page.evaluate(
        """() => {
          const button = Object.assign(document.createElement("button"), { name: "do" });
          for (let n = 0; n < 8; n++)
            for (const value of ["new:concealed_kong", `who:${n % 4}`, "save"]) {
              document.querySelector("#round form").append(button);
              button.value = value;
              button.click();
            }
        }"""
    )
    expect_query(page, e="k0c.k1c.k2c.k3c.k0c.k1c.k2c.k3c")


def test_undo_and_redo_go_through_everything(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]')
    expect_query(page, a="ws,1")
    tap(page, '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,13")
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,1")
    tap(page, '[data-act="redo"]')
    expect_query(page, a="ws,13")
    tap(page, '[data-act="redo"]')
    expect_query(page, e="ws,13")


@own_requests
def test_a_tap_during_an_undo_comes_after_it(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="0"]', '[data-fan-key="5"]')
    expect_query(page, a="ws,05")
    held = hold_first(page)
    with page.expect_request("**/fragment/round*"):
        tap(page, '[data-act="undo"]')
    tap(page, '[data-fan-key="3"]')
    page.wait_for_timeout(500)
    held[0].continue_()
    expect_query(page, a="ws,03")
    page.wait_for_load_state("networkidle")
    expect_query(page, a="ws,03")
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,0")


@own_requests
def test_an_undo_that_does_not_arrive_can_be_done_again(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]')
    expect_query(page, a="ws,13")
    page.context.set_offline(True)
    for _ in range(3):
        tap(page, '[data-act="undo"]')
        expect(page.locator("#round-say")).to_contain_text("网络不通")
        page.evaluate("document.getElementById('round-say').hidden = true")
    page.context.set_offline(False)
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,1")
    page.context.set_offline(True)
    tap(page, '[data-act="redo"]')
    expect(page.locator("#round-say")).to_contain_text("网络不通")
    page.context.set_offline(False)
    tap(page, '[data-act="redo"]')
    expect_query(page, a="ws,13")


@own_requests
def test_a_round_that_cannot_be_opened_is_not_written_over(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&n=a,b,c,d&e=ws,13")
    tap(page, '[data-do="adopt"]', "a[data-next]")
    expect(page).not_to_have_url(re.compile("e="))
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect(page.locator("[data-round]")).to_have_count(2)
    page.context.set_offline(True)
    tap(page, '[data-open="0"]')
    expect(page.locator("#round-say")).to_contain_text("网络不通")
    page.context.set_offline(False)
    tap(page, '[data-act="concealed_kong"]', '[data-who="1"]', '[data-act="save"]')
    expect_query(page, e="k2c.k1c")
    kept = page.evaluate("JSON.parse(localStorage['suanfan.evening']).rounds.map(r => r.query)")
    assert [parse_qs(q)["e"] for q in kept] == [["ws,13"], ["k2c.k1c"]]


@own_requests
@pytest.mark.parametrize("storage", sorted(STORAGE))
def test_a_browser_that_keeps_nothing_takes_every_tap_once(page: Page, storage: str) -> None:
    faults: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: "/fragment/round" in request.url and asked.append(""))
    page.add_init_script(f"({STORAGE[storage]})()")
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    # Long enough for a tap to be sent again.
    page.wait_for_timeout(1500)
    assert len(asked) == 4
    expect(page.locator("#round-net")).to_be_hidden()
    expect(page.locator("[data-round]")).to_have_count(1)
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,13")
    tap(page, '[data-act="redo"]')
    expect_query(page, e="ws,13")
    assert faults == []


@own_requests
def test_a_fault_of_the_page_sends_no_tap_again(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: "/fragment/round" in request.url and asked.append(""))
    open_page(page)
    # Some browsers refuse an address that changes often.
    page.evaluate(
        """() => {
          const replace = history.replaceState.bind(history);
          history.replaceState = (...given) => {
            history.replaceState = replace;
            throw new DOMException("Too many calls.", "SecurityError");
          };
        }"""
    )
    tap(page, '[data-act="self_draw"]', '[data-who="1"]')
    expect_query(page, a="ws,1")
    page.wait_for_timeout(1500)
    assert len(asked) == 2
    expect(page.locator("#round-net")).to_be_hidden()


@own_requests
def test_what_another_tab_wrote_is_not_asked_for_without_a_pause(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=500, body="")

    page.route("**/fragment/round*", refuse)
    page.evaluate(
        """() => {
          const evening = JSON.parse(localStorage["suanfan.evening"]);
          evening.rounds[0].query = "rules=chengdu&e=k2c";
          localStorage["suanfan.evening"] = JSON.stringify(evening);
          dispatchEvent(new StorageEvent("storage", { key: "suanfan.evening" }));
        }"""
    )
    page.wait_for_timeout(1000)
    assert 1 <= len(asked) <= 3
    page.unroute("**/fragment/round*")
    expect_query(page, e="k2c")
    expect(page.locator("#round-net")).to_be_hidden()


@own_requests
def test_a_round_too_long_for_the_address_is_told_so(page: Page) -> None:
    open_page(page)
    page.route("**/fragment/round*", lambda route: route.fulfill(status=414, body=""))
    tap(page, '[data-act="self_draw"]')
    expect(page.locator("#round-say")).to_have_text("没有记上：这一局太长，地址里放不下了。")
    expect(page.locator("#round-net")).to_be_hidden()


def test_the_longest_names_fit_the_address(page: Page) -> None:
    open_page(page, f"/settle/?rules=chengdu&e={EVENTS}")
    tap(page, "#round-names summary")
    for seat in range(4):
        page.locator(f"#n{seat}").fill("龘" * 50)
    tap(page, 'button[value="names"]')
    expect_query(page, n="%2C".join(["%E9%BE%98" * 12] * 4).replace("%2C", ","))


def test_a_name_stands_in_the_title_as_it_is_written(page: Page) -> None:
    open_page(page)
    tap(page, "#round-names summary")
    for seat, name in enumerate(("$&", "$$", "$`", "$'")):
        page.locator(f"#n{seat}").fill(name)
    tap(page, 'button[value="names"]')
    expect(page.locator('[data-seat="0"]')).to_contain_text("$&")
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect(page).to_have_title(re.compile(r"^\$&\S+ \$\$\S+ \$`\S+ \$'\S+ · "))


def test_an_event_is_edited_moved_and_deleted(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&e=ws,13.k0c")
    tap(page, '[data-event="0"] summary', '[data-event="0"] [data-act="edit"]')
    expect_query(page, a="ws,13", at="0")
    tap(page, '[data-fan-key="5"]', '[data-act="save"]')
    expect_query(page, e="ws,15.k0c")
    tap(page, '[data-event="0"] summary', '[data-event="0"] [data-act="down"]')
    expect_query(page, e="k0c.ws,15")
    tap(page, '[data-event="1"] summary', '[data-event="1"] [data-act="delete"]')
    expect_query(page, e="k0c")


def test_nothing_is_lost_when_the_tab_is_closed(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]')
    tap(page, '[data-act="save"]', '[data-act="discard"]', '[data-who="2"]')
    expect_query(page, e="ws,13", a="wd-,2")
    other = page.context.new_page()
    page.close()
    open_page(other)
    expect_query(other, e="ws,13", a="wd-,2")


def test_the_evening_adds_up_and_a_past_round_can_be_changed(page: Page) -> None:
    open_page(page, f"/settle/?rules=chengdu&n=a,b,c,d&e={EVENTS}")
    tap(page, '[data-do="adopt"]')
    tap(page, "#round-names summary", '[data-dealer="3"]')
    expect_query(page, d="3", n="a,b,c,d")
    tap(page, "a[data-next]")
    expect_query(page, d="2", n="a,b,c,d")
    assert "e" not in query(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="2"]')
    tap(page, '[data-act="save"]')
    total = page.locator('[data-evening-person="1"]')
    expect(total).to_have_attribute("data-evening-total", "50")
    expect(page.locator(".chart polyline")).to_have_count(4)
    tap(page, '[data-open="0"]')
    expect_query(page, d="3", e=EVENTS)
    tap(page, '[data-event="3"] summary', '[data-event="3"] [data-act="edit"]')
    tap(page, '[data-fan-key="2"]', '[data-act="save"]')
    expect(total).to_have_attribute("data-evening-total", "42")
    page.reload()
    expect(page.locator("[data-round]")).to_have_count(2)
    expect(total).to_have_attribute("data-evening-total", "42")


def test_the_evening_leaves_as_a_file_and_comes_back(page: Page, tmp_path: Path) -> None:
    open_page(page, f"/settle/?rules=laok&e={EVENTS}")
    tap(page, '[data-do="adopt"]')
    tap(page, "#round-names summary", '[data-dealer="1"]')
    expect(page.locator("[data-round]")).to_have_count(1)
    with page.expect_download() as download:
        tap(page, '#evening [data-do="export"]')
    file = tmp_path / "evening.json"
    download.value.save_as(file)
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["format"] == "suanfan-evening"
    tap(page, '[data-do="forget"]', '[data-do="forget"]')
    page.evaluate("localStorage.clear()")
    open_page(page, "/settle/?rules=laok")
    expect(page.locator("[data-round]")).to_have_count(0)
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("[data-round]")).to_have_count(1)
    # The totals of a file are reckoned again, not believed.
    kept["rounds"][0]["totals"] = "999,-999,0,0"
    file.write_text(json.dumps(kept), encoding="utf-8")
    page.evaluate("localStorage.clear()")
    open_page(page, "/settle/?rules=laok")
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("[data-evening-person='0']")).not_to_have_attribute(
        "data-evening-total", "999"
    )


def test_a_file_that_is_none_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    open_page(page)
    file = tmp_path / "x.json"
    file.write_text('{"rounds": 3}', encoding="utf-8")
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("#round-say")).to_be_visible()


def test_somebody_elses_round_stays_apart_until_it_is_taken(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&e=ws,13")
    expect(page.locator("[data-round]")).to_have_count(0)
    tap(page, '[data-act="concealed_kong"]', '[data-who="0"]', '[data-act="save"]')
    expect_query(page, e="ws,13.k0c")
    expect(page.locator("[data-round]")).to_have_count(0)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("[data-round]")).to_have_count(0)
    tap(page, '[data-do="adopt"]')
    expect(page.locator("[data-round]")).to_have_count(1)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#round-foreign")).to_be_hidden()


def test_two_tabs_of_one_round_keep_the_events_of_both(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    other = page.context.new_page()
    open_page(other)
    expect_query(other, e="ws,13")
    tap(other, '[data-act="concealed_kong"]', '[data-who="0"]')
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="ws,13.k2c")
    expect_query(other, e="ws,13.k2c", a="k0c")
    tap(other, '[data-act="save"]')
    expect_query(other, e="ws,13.k2c.k0c")
    expect_query(page, e="ws,13.k2c.k0c")
    expect(page.locator("[data-round]")).to_have_count(1)


def test_a_tab_left_at_the_last_round_does_not_write_over_the_next(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,13")
    other = page.context.new_page()
    open_page(other)
    tap(page, "a[data-next]")
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect(page.locator("[data-round]")).to_have_count(2)
    tap(other, '[data-act="concealed_kong"]', '[data-who="0"]', '[data-act="save"]')
    expect_query(other, e="ws,13.k0c")
    expect(other.locator("[data-round]")).to_have_count(2)
    kept = page.evaluate("JSON.parse(localStorage['suanfan.evening']).rounds.map(r => r.query)")
    assert [parse_qs(q)["e"] for q in kept] == [["ws,13.k0c"], ["k2c"]]
    expect_query(page, e="k2c")


def test_a_file_that_is_there_already_is_not_counted_again(page: Page, tmp_path: Path) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', '[data-fan-key="3"]', '[data-act="save"]')
    expect(page.locator("[data-round]")).to_have_count(1)
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"format": "suanfan-round", "address": "rules=chengdu&e=ws,13"}))
    with page.expect_download() as download:
        tap(page, '#evening [data-do="export"]')
    evening = tmp_path / "evening.json"
    download.value.save_as(evening)
    # An evening knows its rounds by more than their address.
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="ws,13.k2c")
    page.set_input_files('[data-do="import"]', evening)
    expect(page.locator("#round-say")).to_contain_text("没有重复记")
    expect(page.locator("[data-round]")).to_have_count(1)
    for _ in range(2):
        page.set_input_files('[data-do="import"]', file)
        expect_query(page, e="ws,13")
        expect(page.locator("[data-round]")).to_have_count(2)


def test_a_fresh_device_takes_the_names_of_an_evening(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "evening.json"
    rounds = [{"id": "abcdefgh", "query": "rules=laok&n=甲,乙,丙,丁&e=ws,13"}]
    file.write_text(json.dumps({"format": "suanfan-evening", "version": 1, "rounds": rounds}))
    open_page(page)
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("#evening-sheet thead")).to_contain_text("甲")
    expect(page.locator('[data-seat="0"]')).to_contain_text("甲")
    expect(page.locator("#round-rules summary")).to_have_attribute("data-rules", "laok")


def test_the_rules_chosen_for_a_hand_hold_for_a_new_round(page: Page) -> None:
    houses = [{"name": "老王家", "rules": "chengdu", "opt": "cap:4"}]
    open_page(page)
    page.evaluate(
        """houses => {
          localStorage.setItem("rules", JSON.stringify({ rules: "laok", opt: "cap:5" }));
          localStorage.setItem("houses", JSON.stringify(houses));
        }""",
        houses,
    )
    open_page(page)
    badge = page.locator("#round-rules summary")
    expect(badge).to_have_attribute("data-rules", "laok")
    expect_query(page, opt="cap:5")
    # A link says its own.
    other = page.context.new_page()
    open_page(other, "/settle/?rules=sbr&e=k1c")
    expect(other.locator("#round-rules summary")).to_have_attribute("data-rules", "sbr")
    tap(page, "#round-rules summary", '[data-house="0"]')
    expect(badge).to_have_attribute("data-rules", "chengdu")
    expect_query(page, opt="cap:4")
    expect(page.locator('[data-house="0"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("JSON.parse(localStorage.rules).opt") == "cap:4"


def test_a_winner_is_entered_by_hand_in_the_calculator_and_comes_back(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&e=k1c5m")
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', "a[data-calculator]")
    page.wait_for_selector("main[data-ready]")
    assert query(page)["hand"] == "(5555m)"
    for tile in ("1m", "1m", "1m", "2m", "3m", "4m", "6m", "7m", "8m", "9m", "9m"):
        page.locator(f'[data-tile="{tile}"]').tap()
    expect(page.locator('[data-result][data-status="win"]')).to_be_visible()
    page.locator("[data-into-round]").tap()
    page.wait_for_selector("#round [data-preview]")
    expect_query(page, e="k1c5m")
    tap(page, '[data-act="save"]')
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-total", "390")


def test_the_way_back_to_the_round_outlives_a_reload_of_the_calculator(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="self_draw"]', '[data-who="1"]', "a[data-calculator]")
    page.wait_for_selector("main[data-ready]")
    page.locator('[data-tile="1m"]').tap()
    expect_query(page, hand="1m", back="rules%3Dchengdu%26a%3Dws%2C1h")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert "back=" in (page.locator(".languages a").last.get_attribute("href") or "")
    page.locator("[data-out-of-hand]").tap()
    page.wait_for_selector("#round")
    expect_query(page, a="ws,1")


def test_a_scored_hand_goes_into_the_round_that_is_being_written(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="k2c")
    page.goto("/?rules=chengdu&hand=11123455567899p&by=self_draw")
    page.wait_for_selector("main[data-ready]")
    page.locator("[data-into-round]").tap()
    expect_query(page, e="k2c")
    tap(page, '[data-who="0"]', '[data-act="save"]')
    expect(page.locator('[data-seat="0"]')).to_have_attribute("data-total", "10")


def test_a_hand_after_a_kong_joins_the_round_with_that_kong(page: Page) -> None:
    open_page(page)
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="k2c")
    hand = "hand=11123499p[555p](7777p)&by=self_draw&after=concealed_kong"
    page.goto(f"/?rules=chengdu&{hand}")
    page.wait_for_selector("main[data-ready]")
    page.locator("[data-into-round]").tap()
    expect_query(page, e="k2c")
    tap(page, '[data-who="1"]')
    expect(page.locator('[data-act="save"]')).to_be_disabled()
    tap(page, 'button[value="before:concealed_kong"]', '[data-act="save"]')
    expect_query(page, e="k2c.k1c7p.wskc,1h11123499p%5B555p%5D%287777p%29")


def test_without_scripts_the_same_taps_make_the_same_round(plain_page: Page) -> None:
    plain_page.goto("/settle/")
    for selector in TAPS:
        with plain_page.expect_navigation():
            plain_page.locator(selector).first.tap()
    assert query(plain_page)["e"] == EVENTS
    assert totals(plain_page) == ["-72", "38", "24", "10"]
    plain_page.locator('a[href="#c-kong-1"]').tap()
    expect(plain_page.locator("#c-kong-1")).to_be_visible()


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize(
    "address",
    [
        "/settle/",
        f"/settle/?rules=chengdu&n=王小明明,李四,赵六六六六,张三&opt=base:1000&e={EVENTS}",
        "/settle/?rules=xueliu&e=k1c.ws,112.wd0,23,31&a=n,0r,2p",
        "/settle/?rules=sbr&e=ws,13&a=wd-,0,2,3",
        "/en/settle/?rules=majsoul&e=ws,13&a=x0l",
    ],
)
def test_nothing_is_wider_than_the_screen(page: Page, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    open_page(page, address)
    wide: Any = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_the_evening_stays_inside_its_card_and_names_can_be_read(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.emulate_media(color_scheme="light")
    names = "王小明明明明,李四四四四四,赵六六六六六,张三三三三三"
    open_page(page, f"/settle/?rules=chengdu&opt=base:10&n={names}&e={EVENTS}")
    tap(page, '[data-do="adopt"]', "#round-names summary")
    button, card = firsts(page, "[data-open]", ".card:has([data-open])")
    assert button.right <= card.right
    colours: Any = page.locator("#n0").evaluate(
        """input => [getComputedStyle(input).color, getComputedStyle(input).backgroundColor]
          .map(colour => colour.match(/\\d+/g).slice(0, 3).map(Number))
          .map(([red, green, blue]) => red + green + blue)"""
    )
    assert abs(colours[0] - colours[1]) > 400


@pytest.mark.parametrize("width", [320, 375, 412])
def test_no_seat_breaks_inside_its_word(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    open_page(page, "/en/settle/?rules=chengdu")
    tap(page, "#round-names summary")
    lines = """words => words.map((word) => {
      const range = document.createRange();
      range.selectNodeContents(word);
      return [new Set([...range.getClientRects()].map((r) => r.top)).size,
        range.getBoundingClientRect().right <= word.getBoundingClientRect().right + 1];
    })"""
    words = page.locator(".name-row label, .name-row button")
    assert words.evaluate_all(lines) == [[1, True]] * 8
    assert len({field.x for field in boxes(page.locator(".name-row input"))}) == 1


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_the_columns_of_the_account_are_even_whatever_stands_in_them(
    page: Page, width: int, prefix: str
) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    firsts = set()
    for events in ("k2e0", EVENTS):
        open_page(page, f"{prefix}/settle/?rules=chengdu&e={events}")
        columns = [round(cell.width) for cell in boxes(page.locator(".sheet-of thead tr > *"))]
        assert max(columns[1:]) - min(columns[1:]) <= 1
        firsts.add(columns[0])
    assert max(firsts) - min(firsts) <= 1
    # With a column of penalties it still fits.
    open_page(page, f"{prefix}/settle/?rules=jipin&opt=pig.to:nobody&e={EVENTS}")
    table = page.locator(".sheet-of .rwide")
    assert table.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


def test_an_evening_without_rounds_says_how_they_get_there(page: Page) -> None:
    page.goto("/settle/evening/")
    page.locator(".none-yet a").tap()
    expect(page).to_have_url(re.compile(r"/settle/$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "address",
    [
        f"/settle/?rules=chengdu&e={EVENTS}",
        "/settle/?rules=xueliu&e=k1c.ws,112.wd0,23,31&a=n,0r,2p",
        "/settle/?rules=laok&e=k1c5m&a=ws,1h11123455567899p",
        "/settle/evening/?r=1,-1,0,0_2,-2,0,0",
    ],
)
def test_nothing_keeps_anybody_out(page: Page, scheme: Any, address: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    found = Axe().run(page).response["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in found] == []


def test_typed_names_go_along_with_whatever_is_tapped_next(page: Page) -> None:
    open_page(page)
    tap(page, "#round-names summary")
    page.locator("#n0").fill("王")
    tap(page, '[data-act="concealed_kong"]')
    expect_query(page, a="k-c")
    assert query(page)["n"] == "王,,,"
    # They are noted down: the panel no longer stands before the round.
    expect(page.locator("#round-names")).not_to_have_attribute("open", "")
    tap(page, '[data-act="cancel"]', "#round-names summary", '[data-dealer="2"]')
    expect_query(page, d="2")
    expect(page.locator("#round-names")).to_have_attribute("open", "")


def test_a_new_event_comes_into_sight_and_has_the_focus_of_its_button(page: Page) -> None:
    open_page(page, "/settle/?rules=xueliu&e=ws,13.ws,12.ws,13.ws,13.ws,13")
    tap(page, '[data-act="concealed_kong"]', '[data-who="1"]')
    expect_query(page, a="k1c")
    page.locator('[data-act="save"]').press("Enter")
    newest = page.locator('[data-event="5"]')
    expect(newest).to_be_visible()
    expect(newest.locator("summary")).to_be_focused()
    keys, shown = firsts(page, "#entry", '[data-event="5"]')
    assert shown.bottom <= keys.y


def test_who_pays_whom_is_one_tap_from_the_end_of_a_round(page: Page) -> None:
    open_page(page, f"/settle/?rules=chengdu&e={EVENTS}")
    tap(page, ".over a[href='#pay-title']")
    expect(page.locator("#pay-title")).to_be_in_viewport()


def test_a_round_that_cannot_be_says_from_where_its_balance_is(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&e=k2e0.k1c.wd0,23.ws,23.k3c")
    told = page.locator(".seats .broken a")
    expect(told).to_be_in_viewport()
    told.tap()
    expect(page.locator("#event-4")).to_be_in_viewport()
    expect(page.locator(".sheet-of .broken")).to_have_count(1)


# What is typed goes along with what is tapped next.

HORSED = "ws,0h11122233355m88p!8p"


@pytest.mark.parametrize(
    ("entry", "typed", "made"),
    [
        ("x3l", {"b0": "40"}, "x3l,040"),
        (HORSED, {"h0": "1m5m"}, f"{HORSED}_x15m"),
        ("ws,03", {"f0": "9"}, "ws,09"),
        ("wd3,0,1", {"f0": "9", "f1": "10"}, "wd3,09,110"),
    ],
)
@pytest.mark.parametrize("scripts", [True, False])
def test_a_typed_number_is_in_what_is_saved(
    page: Page, plain_page: Page, scripts: bool, entry: str, typed: dict[str, str], made: str
) -> None:
    used = page if scripts else plain_page
    used.goto(f"/settle/?rules=laok&a={entry}")
    if scripts:
        used.wait_for_selector("main[data-ready]")
    for summary in used.locator(".worth details summary").all():
        summary.tap()
    for name, value in typed.items():
        used.locator(f'input[name="{name}"]').fill(value)
    # Without scripts the button does not see that what it lacks is typed: it is grey, and does it.
    used.locator('[data-act="save"]').tap(force=not scripts)
    expect(used.locator('[data-event="0"]')).to_have_count(1)
    assert query(used) == {"rules": "laok", "e": made}


def test_two_typed_numbers_are_both_kept_by_enter_in_one(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,0,1")
    page.locator('input[name="f0"]').fill("9")
    page.locator('input[name="f1"]').fill("10")
    page.locator('input[name="f1"]').press("Enter")
    expect_query(page, a="wd3,09,110")


@pytest.mark.parametrize("scripts", [True, False])
def test_a_number_that_cannot_be_read_stops_the_save_and_stands_where_it_was_typed(
    page: Page, plain_page: Page, scripts: bool
) -> None:
    used = page if scripts else plain_page
    used.goto("/settle/?rules=laok&n=王,李,赵,张&a=wd3,02,13")
    if scripts:
        used.wait_for_selector("main[data-ready]")
    field = used.locator('input[name="f1"]')
    used.locator('input[name="f0"]').fill("5")
    field.fill("-1")
    tap(used, '[data-act="save"]')
    told = used.locator('[data-problem="fan"]')
    expect(told).to_have_text("没有记上：李的番数要填 0 到 99 的整数。")
    expect(used.locator('input[name="f0"]')).to_have_value("5")
    expect(field).to_have_value("-1")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(used.locator("[data-event]")).to_have_count(0)
    # It still counts: nothing is saved around it.
    with used.expect_response(lambda answer: "save" in answer.url or "say=" in answer.url):
        tap(used, '[data-act="save"]')
    expect(used.locator(".busy")).to_have_count(0)
    used.wait_for_load_state()
    expect(told).to_have_count(1)
    expect(used.locator("[data-event]")).to_have_count(0)
    field.fill("7")
    tap(used, '[data-act="save"]')
    expect(used.locator("[data-event]")).to_have_count(1)
    assert query(used)["e"] == "wd3,05,17"


@own_requests
def test_what_is_typed_while_an_answer_is_on_its_way_is_not_lost(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,02,13")
    held = hold_first(page)
    with page.expect_request("**/fragment/round*"):
        tap(page, '[data-fan-of="0"][data-fan-key="4"]')
    field = page.locator('input[name="f1"]')
    field.fill("9")
    held[0].continue_()
    expect_query(page, a="wd3,04,13")
    expect(field).to_have_value("9")
    expect(field).to_be_focused()
    tap(page, '[data-act="save"]')
    expect_query(page, e="wd3,04,19")


@own_requests
def test_a_number_mended_while_its_save_is_being_refused_stays(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,02,13")
    held = hold_first(page)
    field = page.locator('input[name="f1"]')
    field.fill("-1")
    with page.expect_request("**/fragment/round*"):
        tap(page, '[data-act="save"]')
    field.fill("7")
    held[0].continue_()
    expect(page.locator('[data-problem="fan"]')).to_be_visible()
    expect(field).to_have_value("7")
    expect(field).to_be_focused()
    tap(page, '[data-act="save"]')
    expect_query(page, e="wd3,02,17")


@own_requests
def test_a_number_that_is_mended_before_it_is_refused_is_taken(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,02,13")
    held = hold_first(page)
    first, second = page.locator('input[name="f0"]'), page.locator('input[name="f1"]')
    second.fill("-1")
    with page.expect_request("**/fragment/round*"):
        tap(page, '[data-act="save"]')
    first.fill("5")
    tap(page, '[data-act="discard"]')
    second.fill("7")
    tap(page, '[data-act="save"]')
    held[0].continue_()
    # 点炮 would have closed the entry: it was tapped for a new one.
    expect_query(page, e="wd3,05,17")


@own_requests
def test_a_key_after_a_typed_number_counts_and_a_number_after_a_key(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=ws,03")
    page.context.set_offline(True)
    page.locator('input[name="f0"]').fill("9")
    tap(page, '[data-fan-key="4"]')
    page.locator('input[name="f0"]').fill("12")
    tap(page, '[data-act="save"]')
    page.context.set_offline(False)
    expect_query(page, e="ws,012")
    tap(page, '[data-act="undo"]')
    expect_query(page, a="ws,04")


@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_typed_is_in_the_round_that_a_link_leads_on_from(
    page: Page, plain_page: Page, scripts: bool
) -> None:
    used = page if scripts else plain_page
    used.goto("/settle/?rules=laok&a=wd3,0,1")
    if scripts:
        used.wait_for_selector("main[data-ready]")
    used.locator('input[name="f0"]').fill("9")
    by_hand = "a[data-calculator]" if scripts else 'button[value="calc:1"]'
    used.locator(f'[data-winner="1"] {by_hand}').tap()
    used.wait_for_selector("#table [data-tile]")
    assert query(used)["back"] == "rules=laok&a=wd3,09,1h"


def test_a_typed_number_is_enough_to_save(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,0,1")
    save = page.locator('[data-act="save"]')
    expect(save).to_be_disabled()
    page.locator('input[name="f0"]').fill("9")
    expect(save).to_be_disabled()
    page.locator('input[name="f1"]').fill("10")
    expect(save).to_be_enabled()
    page.locator('input[name="f1"]').fill("")
    expect(save).to_be_disabled()


# Without scripts Enter notes down what is typed, and does nothing else.


@pytest.mark.parametrize(
    ("entry", "name", "value", "made"),
    [
        ("x3l", "b0", "40", {"a": "x3l,040"}),
        (HORSED, "h0", "1m5m", {"a": f"{HORSED}_x15m"}),
        ("wd3,02,1", "f1", "9", {"a": "wd3,02,19"}),
        ("ws,02", "n1", "李", {"n": ",李,,", "a": "ws,02"}),
    ],
)
def test_enter_notes_down_what_is_typed_without_scripts(
    plain_page: Page, entry: str, name: str, value: str, made: dict[str, str]
) -> None:
    plain_page.set_viewport_size({"width": 375, "height": 1400})
    plain_page.goto(f"/settle/?rules=laok&a={entry}")
    if name == "n1":
        plain_page.locator("#round-names summary").tap()
    field = plain_page.locator(f'input[name="{name}"]')
    field.fill(value)
    with plain_page.expect_navigation():
        field.press("Enter")
    assert query(plain_page) == {"rules": "laok", **made}


@pytest.mark.parametrize("scripts", [True, False])
def test_the_end_of_the_wall_follows_a_winner_that_was_corrected(
    page: Page, plain_page: Page, scripts: bool
) -> None:
    used = page if scripts else plain_page
    used.goto("/settle/?rules=chengdu&e=ws,12.n,0p,2r3,3n")
    if scripts:
        used.wait_for_selector("main[data-ready]")
    for selector in ('[data-event="0"] summary', '[data-event="0"] [data-act="edit"]',
                     '[data-who="0"]', '[data-fan-of="0"][data-fan-key="2"]',
                     '[data-act="save"]'):  # fmt: skip
        tap(used, selector)
    expect(used.locator('[data-event="1"].wrong')).to_have_count(1)
    tap(used, '[data-event="1"] summary', '[data-event="1"] [data-act="edit"]')
    expect(used.locator('[data-problem="gone"]')).to_contain_text("东在这之前已经胡了")
    tap(used, '[data-standing="1"] [data-state="not_ready"]', '[data-act="save"]')
    expect(used.locator(".event")).to_have_count(2)
    expect(used.locator(".problem")).to_have_count(0)
    assert query(used)["e"] == "ws,02.n,1n,2r3,3n"
