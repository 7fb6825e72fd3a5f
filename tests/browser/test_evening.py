"""An evening on one phone: from round to round and back, what is taken out and put back."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.address import query
from tests.browser.places import boxes, firsts
from tests.browser.test_round_page import expect_query, open_page, tap

WIN = ('[data-fan-key="3"]', '[data-act="save"]')
HEADS = "#evening-sheet thead th"


def win(page: Page, seat: int, already: str = "") -> None:
    """Record a self-draw worth 3 番."""
    tap(page, '[data-act="self_draw"]', f'[data-who="{seat}"]', *WIN)
    expect_query(page, e=f"{already}ws,{seat}3")


def name(page: Page, *names: str) -> None:
    tap(page, "#round-names summary")
    for seat, each in enumerate(names):
        page.locator(f"#n{seat}").fill(each)
    tap(page, 'button[value="names"]')
    for seat, each in enumerate(names):
        expect(page.locator(f'[data-seat="{seat}"]')).to_contain_text(each)


def next_round(page: Page) -> None:
    tap(page, "a[data-next]")
    expect(page).not_to_have_url(re.compile("[?&]e="))


def edit(page: Page, number: int, events: str) -> None:
    tap(page, f'[data-open="{number - 1}"]')
    expect_query(page, e=events)


def kept(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """JSON.parse(localStorage["suanfan.evening"]).rounds
          .map((round) => new URLSearchParams(round.query).get("e"))"""
    )
    return found


def two_rounds(page: Page) -> None:
    """Two rounds, the first of 甲 alone, then 乙 and 丙 named; the third is about to begin."""
    open_page(page, "/settle/?rules=laok")
    name(page, "甲")
    win(page, 0)
    next_round(page)
    win(page, 1)
    next_round(page)
    expect_query(page, d="1")


def test_after_an_older_round_the_evening_goes_on_with_the_latest_names_and_dealer(
    page: Page,
) -> None:
    two_rounds(page)
    name(page, "甲", "乙", "丙")
    fresh = query(page)
    edit(page, 1, "ws,03")
    expect(page.locator(HEADS).nth(2)).to_have_text("乙")
    next_round(page)
    expect_query(page, d="1")
    assert query(page) == fresh
    # Names given in the round itself are there for the next one, too.
    win(page, 2)
    edit(page, 1, "ws,03")
    expect(page.locator(HEADS).nth(3)).to_have_text("丙")


def test_a_changed_older_round_changes_no_later_one(page: Page) -> None:
    two_rounds(page)
    fresh = query(page)
    edit(page, 1, "ws,03")
    name(page, "王")
    tap(page, "#round-names summary", '[data-dealer="3"]')
    expect_query(page, d="3")
    # Who that is is asked; until it is answered it is somebody else.
    expect(page.locator(HEADS)).to_have_text(["局", "王", "南", "西", "北", "甲"])
    next_round(page)
    expect_query(page, d="1")
    assert query(page) == fresh


def test_after_an_older_round_the_evening_goes_on_under_the_latest_rules(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    win(page, 0)
    next_round(page)
    tap(page, "#round-rules summary", '[data-preset="sbr"]')
    win(page, 1)
    next_round(page)
    expect_query(page, rules="sbr", d="1")
    edit(page, 1, "ws,03")
    next_round(page)
    expect_query(page, rules="sbr", d="1")


def test_a_round_being_written_is_gone_back_to_with_its_entry(page: Page) -> None:
    two_rounds(page)
    tap(page, '[data-act="concealed_kong"]', '[data-who="2"]', '[data-act="save"]')
    expect_query(page, e="k2c")
    tap(page, '[data-act="self_draw"]', '[data-who="3"]')
    expect_query(page, a="ws,3")
    edit(page, 1, "ws,03")
    tap(page, "a[data-next]")
    expect_query(page, d="1", e="k2c", a="ws,3")
    assert kept(page) == ["ws,03", "ws,13", "k2c"]


def test_the_dealer_of_the_round_to_come_follows_a_correction_of_the_latest(page: Page) -> None:
    two_rounds(page)
    name(page, "甲", "乙")
    edit(page, 2, "ws,13")
    tap(page, '[data-event="0"] summary', '[data-event="0"] [data-act="edit"]', '[data-who="2"]')
    # The keys of the winner before stand there until the answer comes.
    tap(page, '[data-fan-of="2"][data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e="ws,23")
    next_round(page)
    expect_query(page, d="2")
    assert query(page)["n"] == "甲,乙,,"


def test_an_evening_kept_before_this_goes_on_after_its_latest_round(page: Page) -> None:
    """What was kept then of a round has its address and totals alone."""
    open_page(page)
    none = {"totals": "0,0,0,0", "over": True}
    rounds = [
        {"id": f"round{seat}", "query": f"rules=laok&e=ws,{seat}3.n", **none} for seat in (0, 2)
    ]
    page.evaluate(
        """rounds => { localStorage["suanfan.evening"] = JSON.stringify(
          { version: 1, rounds, current: "round0", draft: rounds[0].query }) }""",
        rounds,
    )
    open_page(page)
    expect_query(page, e="ws,03.n")
    next_round(page)
    expect_query(page, d="2")


def test_an_older_round_that_is_emptied_keeps_its_place(page: Page) -> None:
    two_rounds(page)
    edit(page, 1, "ws,03")
    tap(page, '[data-event="0"] summary', '[data-event="0"] [data-act="delete"]')
    expect(page.locator("[data-round]")).to_have_count(1)
    page.reload()
    page.wait_for_selector("main[data-ready]")
    win(page, 3)
    expect(page.locator("[data-round]")).to_have_count(2)
    assert kept(page) == ["ws,33", "ws,13"]


def test_an_entry_half_made_stays_with_its_round(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    tap(page, '[data-act="discard"]', '[data-who="2"]', '[data-giver="0"]', *WIN)
    expect_query(page, e="wd0,23")
    tap(page, '[data-act="discard"]', '[data-who="1"]', '[data-giver="3"]')
    expect_query(page, a="wd3,1")
    next_round(page)
    expect(page.locator("#round-say")).to_contain_text("没记完")
    assert "a" not in query(page)
    tap(page, '[data-act="undo"]')
    expect_query(page, e="wd0,23", a="wd3,1")
    tap(page, '[data-act="redo"]')
    expect(page).not_to_have_url(re.compile("[?&]e="))
    # Later, too, and after a reload.
    tap(page, '[data-act="concealed_kong"]', '[data-who="0"]')
    expect_query(page, a="k0c")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    edit(page, 1, "wd0,23")
    expect_query(page, a="wd3,1")
    tap(page, "a[data-next]")
    expect_query(page, a="k0c")
    assert kept(page) == ["wd0,23"]


def test_undo_leads_back_through_the_rounds(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    win(page, 0)
    next_round(page)
    win(page, 1)
    entry = ["ws,13", "ws,1", "ws"]
    for a in entry:
        tap(page, '[data-act="undo"]')
        expect_query(page, a=a)
    tap(page, '[data-act="undo"]')
    expect(page).not_to_have_url(re.compile("[?&]a="))
    tap(page, '[data-act="undo"]')
    expect_query(page, e="ws,03")
    expect(page.locator("[data-round]")).to_have_count(1)
    tap(page, '[data-act="redo"]')
    expect(page).not_to_have_url(re.compile("[?&]e="))
    for a in reversed(entry):
        tap(page, '[data-act="redo"]')
        expect_query(page, a=a)
    tap(page, '[data-act="redo"]')
    expect_query(page, e="ws,13")
    expect(page.locator("[data-round]")).to_have_count(2)
    assert kept(page) == ["ws,03", "ws,13"]


def test_clearing_the_evening_empties_it_and_undo_brings_it_back(page: Page) -> None:
    two_rounds(page)
    edit(page, 2, "ws,13")
    tap(page, '[data-do="forget"]', '[data-do="forget"]')
    expect(page).not_to_have_url(re.compile("[?&]e="))
    expect(page.locator("[data-round]")).to_have_count(0)
    assert query(page) == {"rules": "laok"}
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator("#evening-sheet")).to_contain_text("还没有记下来的局")
    tap(page, '[data-do="restore"]')
    expect_query(page, e="ws,13")
    expect(page.locator("[data-round]")).to_have_count(2)
    tap(page, '[data-act="redo"]')
    expect(page.locator("[data-round]")).to_have_count(0)
    tap(page, '[data-act="undo"]')
    expect(page.locator("[data-round]")).to_have_count(2)
    assert kept(page) == ["ws,03", "ws,13"]


def test_one_round_is_taken_out_of_the_evening_and_put_back(page: Page) -> None:
    two_rounds(page)
    win(page, 2)
    expect(page.locator("[data-round]")).to_have_count(3)
    page.wait_for_load_state("networkidle")
    remove = page.get_by_role("button", name="去掉第 1 局")
    remove.press("Enter")
    expect(page.locator("#round-say")).to_contain_text("再点一次")
    assert len(kept(page)) == 3
    page.get_by_role("button", name="再点一次就去掉第 1 局").press("Enter")
    expect(page.locator("[data-round]")).to_have_count(2)
    assert kept(page) == ["ws,13", "ws,23"]
    expect(page.locator('[data-remove="0"]')).to_be_focused()
    expect_query(page, e="ws,23")
    tap(page, '[data-do="restore"]')
    expect(page.locator("[data-round]")).to_have_count(3)
    assert kept(page) == ["ws,03", "ws,13", "ws,23"]
    expect(page.locator('[data-do="restore"]')).to_be_hidden()


def test_where_the_round_on_the_page_is_taken_out_the_evening_goes_on(page: Page) -> None:
    two_rounds(page)
    win(page, 2)
    tap(page, '[data-remove="2"]', '[data-remove="2"]')
    expect(page).not_to_have_url(re.compile("[?&]e="))
    expect_query(page, d="1")
    expect(page.locator("[data-round]")).to_have_count(2)
    # The dealer of the round to come is that after the round before.
    tap(page, '[data-remove="1"]', '[data-remove="1"]')
    expect(page.locator("[data-round]")).to_have_count(1)
    expect(page).not_to_have_url(re.compile("[?&]d="))
    tap(page, '[data-act="undo"]')
    expect_query(page, d="1")
    expect(page.locator("[data-round]")).to_have_count(2)
    tap(page, '[data-act="undo"]')
    expect_query(page, e="ws,23")
    assert kept(page) == ["ws,03", "ws,13", "ws,23"]


def test_somebody_elses_round_stays_when_the_evening_is_cleared(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    win(page, 0)
    open_page(page, "/settle/?rules=chengdu&e=k1c")
    expect(page.locator("#round-foreign")).to_be_visible()
    tap(page, '[data-do="forget"]', '[data-do="forget"]')
    expect(page.locator("[data-round]")).to_have_count(0)
    expect_query(page, e="k1c")
    expect(page.locator("#round-foreign")).to_be_visible()


def test_what_cannot_be_read_of_a_file_is_named_and_left_out(page: Page, tmp_path: Path) -> None:
    open_page(page)
    file = tmp_path / "evening.json"
    rounds: list[Any] = [
        {"query": "rules=xxx&e=zz"},
        {"query": "javascript:alert(1)"},
        None,
    ]
    file.write_text(json.dumps({"format": "suanfan-evening", "rounds": rounds}))
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("#round-say")).to_have_text("这几局读不出来，没有导入：1、2、3。")
    expect(page.locator("[data-round]")).to_have_count(0)
    rounds.insert(1, {"query": "rules=laok&e=ws,13"})
    file.write_text(json.dumps({"format": "suanfan-evening", "rounds": rounds}))
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("#round-say")).to_have_text("已导入。这几局读不出来，没有导入：1、3、4。")
    expect(page.locator("[data-round]")).to_have_count(1)
    # Like everything else it can be undone.
    tap(page, '[data-act="undo"]')
    expect(page.locator("[data-round]")).to_have_count(0)


def test_rounds_of_a_file_need_no_ids(page: Page, tmp_path: Path) -> None:
    open_page(page)
    file = tmp_path / "evening.json"
    rounds = [{"query": "rules=laok&e=ws,13"}, {"query": "rules=laok&e=ws,23"}]
    file.write_text(json.dumps({"format": "suanfan-evening", "rounds": rounds}))
    page.set_input_files('[data-do="import"]', file)
    expect(page.locator("[data-round]")).to_have_count(2)


def test_a_fresh_device_goes_on_with_the_dealer_of_the_file(page: Page, tmp_path: Path) -> None:
    open_page(page)
    file = tmp_path / "evening.json"
    rounds = [{"query": "rules=laok&n=甲,乙,,&e=ws,03"}, {"query": "rules=sbr&n=甲,乙,丙,&e=ws,23"}]
    file.write_text(json.dumps({"format": "suanfan-evening", "rounds": rounds}))
    page.set_input_files('[data-do="import"]', file)
    expect_query(page, rules="sbr", d="2")
    assert query(page)["n"] == "甲,乙,丙,"


def test_each_tap_made_without_a_network_is_one_step(page: Page) -> None:
    open_page(page)
    page.context.set_offline(True)
    tap(page, '[data-act="concealed_kong"]', '[data-act="self_draw"]')
    page.context.set_offline(False)
    expect_query(page, a="ws")
    tap(page, '[data-act="undo"]')
    expect_query(page, a="k-c")
    tap(page, '[data-act="undo"]')
    expect(page).not_to_have_url(re.compile("[?&]a="))
    tap(page, '[data-act="redo"]', '[data-act="redo"]')
    expect_query(page, a="ws")


def test_a_round_from_a_link_is_printed_without_this_devices_evening(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    win(page, 0)
    expect(page.locator("[data-round]")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator("#evening-sheet table")).to_be_visible()
    controls = page.locator(
        "button:not(.unseen), summary:not(.badge, .menu-of > *), input, textarea"
        ", [data-next], .why-head a"
    )
    shown = "all => all.filter(each => each.offsetParent).map(each => each.outerHTML)"
    assert controls.evaluate_all(shown) == []
    expect(page.locator("#evening-link")).to_be_hidden()
    page.emulate_media(media="screen")
    open_page(page, "/settle/?rules=chengdu&e=ws,13")
    expect(page.locator("#evening-sheet table")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("#evening")).to_be_hidden()
    expect(page.locator(".sheet-of")).to_be_visible()


@pytest.mark.parametrize("prefix", ["", "/zh-hant", "/en"])
def test_a_round_is_edited_and_removed_with_a_thumb_on_the_smallest_phone(
    page: Page, prefix: str
) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    names = "WWWWWWWWWWWW,王小明明明明,Bartholomew,x"
    open_page(page, f"{prefix}/settle/?rules=majsoul&n={names}&e=k2e0.wd2k,05,16.k3ar.wr3,26")
    tap(page, '[data-do="adopt"]')
    expect(page.locator("[data-remove]")).to_have_count(1)
    edit_key, remove_key, card = firsts(page, "[data-open]", "[data-remove]", "#evening")
    assert edit_key.right <= remove_key.x
    assert min(edit_key.width, remove_key.width, edit_key.height, remove_key.height) >= 36
    assert remove_key.right <= card.right
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [320, 375])
@pytest.mark.parametrize(
    "address",
    [
        "/en/settle/?rules=majsoul&n=Elizabeth,Christopher,Bartholomew,Wilhelmina"
        "&e=k2e0.wd2k,05,16.k3ar.wr3,26",
        f"/settle/?rules=majsoul&n={','.join(['Ｗ' * 12] * 4)}&e=k2e0.wd2k,020,130.ws,35",
        f"/settle/?rules=majsoul&n={','.join(['W' * 12] * 4)}&e=k2e0.wd2k,020,130.ws,35",
    ],
)
def test_long_names_in_the_payments_can_be_read(page: Page, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    open_page(page, address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    rows = page.locator(".payments li")
    lines: list[list[int]] = rows.evaluate_all(
        """rows => rows.map((row) => [...row.querySelectorAll("span:not(.arrow)")].map((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          return new Set([...range.getClientRects()].map((line) => line.top)).size;
        }))"""
    )
    assert max(max(row) for row in lines) <= (2 if "W" * 3 in address or "Ｗ" in address else 1)
    for row in boxes(rows):
        assert row.right <= width


@pytest.mark.parametrize("prefix", ["", "/zh-hant", "/en"])
@pytest.mark.parametrize("width", [320, 375, 1280])
def test_the_sign_of_no_network_covers_nothing(page: Page, prefix: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    open_page(page, f"{prefix}/settle/")
    page.context.set_offline(True)
    expect(page.locator("[data-no-network]")).to_be_visible()
    # The words themselves, not the room around them that can be tapped; all in one moment.
    sign, *words = page.evaluate(
        """() => {
          const word = (each) => {
            const range = document.createRange();
            range.selectNodeContents(each);
            return range.getBoundingClientRect().toJSON();
          };
          const sign = document.querySelector("[data-no-network]").getBoundingClientRect();
          return [sign.toJSON(), ...[...document.querySelectorAll(".top a, .top svg")].map(word)];
        }"""
    )
    for word in words:
        beside = word["right"] <= sign["left"] or sign["right"] <= word["left"]
        assert beside or sign["bottom"] <= word["top"], (word, sign)


def test_the_evenings_total_stands_beside_each_name(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    name(page, "甲", "乙", "丙", "丁")
    win(page, 0)
    beside = page.locator("[data-tonight]")
    expect(beside.first).to_have_text("今晚 +72")
    next_round(page)
    expect(beside).to_have_text(["今晚 +72", "今晚 −24", "今晚 −24", "今晚 −24"])
    # It goes with the person, and somebody else's round has nothing to do with it.
    name(page, "乙", "甲", "丙", "丁")
    expect(beside).to_have_text(["今晚 −24", "今晚 +72", "今晚 −24", "今晚 −24"])
    other = page.context.new_page()
    open_page(other, "/settle/?rules=laok&n=甲,乙,丙,丁&e=ws,13")
    expect(other.locator(".seat-total").nth(1)).to_have_text("+72")
    expect(other.locator("[data-tonight]:visible")).to_have_count(0)
