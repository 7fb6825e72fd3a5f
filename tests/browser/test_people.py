"""An evening belongs to people, not to seats: who is who when names and seats change."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.address import query
from tests.browser.test_evening import kept, name, next_round, win
from tests.browser.test_round_page import expect_query, open_page, tap

ASK = "#round-unsure .notice"


def lines(page: Page) -> dict[str, str]:
    """Everybody on the sheet, and what they come to."""
    names = page.locator("#evening-sheet thead th").all_text_contents()[1:]
    totals = page.locator("[data-evening-total]").evaluate_all(
        "all => all.map((each) => each.dataset.eveningTotal)"
    )
    return dict(zip(names, totals, strict=True))


def expect_lines(page: Page, rounds: int, **people: int) -> None:
    expect(page.locator("[data-round]")).to_have_count(rounds)
    expect(page.locator("#evening-sheet thead th")).to_have_text(["局", *people])
    for person, total in people.items():
        column = list(people).index(person)
        expect(page.locator(f'[data-evening-person="{column}"]')).to_have_attribute(
            "data-evening-total", str(total)
        )
    assert lines(page) == {person: str(total) for person, total in people.items()}


def discard(page: Page, winner: int, giver: int, events: str) -> None:
    """Record a win of 3 番 by discard."""
    tap(page, '[data-act="discard"]', f'[data-who="{winner}"]', f'[data-giver="{giver}"]')
    tap(page, '[data-fan-key="3"]', '[data-act="save"]')
    expect_query(page, e=events)


def table(page: Page) -> None:
    """Ann has won from Bob; the next round is about to begin."""
    open_page(page, "/settle/?rules=laok&n=Ann,Bob,Cat,Dan")
    discard(page, 0, 1, "wd1,03")
    next_round(page)


def rename(page: Page, *names: str) -> None:
    if not page.locator("#round-names[open]").count():
        tap(page, "#round-names summary")
    for seat, each in enumerate(names):
        page.locator(f"#n{seat}").fill(each)
    tap(page, 'button[value="names"]')
    expect_query(page, n=",".join(names))


def import_file(page: Page, folder: Path, data: Any) -> None:
    file = folder / "evening.json"
    file.write_text(json.dumps(data))
    page.set_input_files('[data-do="import"]', file)


def test_who_changes_seats_keeps_the_line(page: Page) -> None:
    table(page)
    expect_lines(page, 1, Ann=24, Bob=-24, Cat=0, Dan=0)
    rename(page, "Bob", "Ann", "Cat", "Dan")
    expect(page.locator(ASK)).to_have_count(0)
    discard(page, 0, 1, "wd1,03")
    expect_lines(page, 2, Ann=0, Bob=0, Cat=0, Dan=0)
    # Nor does the sheet on a page of its own know seats.
    page.goto(page.locator("#evening-link").get_attribute("href") or "")
    expect(page.locator('[data-evening-person="0"]')).to_have_attribute("data-evening-total", "0")


def test_a_fifth_player_has_a_line_beside_the_one_who_left(page: Page) -> None:
    table(page)
    rename(page, "Ann", "Eve", "Cat", "Dan")
    expect(page.locator(ASK)).to_contain_text("Eve")
    expect(page.locator(ASK)).to_contain_text("Bob")
    tap(page, '[data-do="replaced"]')
    expect(page.locator(ASK)).to_have_count(0)
    discard(page, 1, 0, "wd0,13")
    expect_lines(page, 2, Ann=0, Bob=-24, Cat=0, Dan=0, Eve=24)
    # Asked once: neither is new any more.
    next_round(page)
    rename(page, "Ann", "Bob", "Cat", "Dan")
    expect(page.locator(ASK)).to_have_count(0)
    discard(page, 1, 0, "wd0,13")
    expect_lines(page, 3, Ann=-24, Bob=0, Cat=0, Dan=0, Eve=24)


def test_a_corrected_name_is_one_person_in_every_round(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&n=An,Bob,Cat,Dan")
    discard(page, 0, 1, "wd1,03")
    next_round(page)
    rename(page, "Ann", "Bob", "Cat", "Dan")
    page.reload()
    page.wait_for_selector("main[data-ready]")
    tap(page, '[data-do="renamed"]')
    expect(page.locator(ASK)).to_have_count(0)
    expect_lines(page, 1, Ann=24, Bob=-24, Cat=0, Dan=0)
    discard(page, 0, 1, "wd1,03")
    expect_lines(page, 2, Ann=48, Bob=-48, Cat=0, Dan=0)
    tap(page, '[data-open="0"]')
    expect_query(page, n="Ann,Bob,Cat,Dan", e="wd1,03")


def test_the_correction_of_a_name_can_be_undone(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&n=An,Bob,Cat,Dan")
    discard(page, 0, 1, "wd1,03")
    next_round(page)
    rename(page, "Ann", "Bob", "Cat", "Dan")
    tap(page, '[data-do="renamed"]')
    expect_lines(page, 1, Ann=24, Bob=-24, Cat=0, Dan=0)
    tap(page, '[data-act="undo"]')
    expect_lines(page, 1, An=24, Bob=-24, Cat=0, Dan=0)
    expect(page.locator(ASK)).to_have_count(1)
    tap(page, '[data-act="redo"]')
    expect_lines(page, 1, Ann=24, Bob=-24, Cat=0, Dan=0)
    expect(page.locator(ASK)).to_have_count(0)


def test_whose_only_round_is_on_the_page_is_called_otherwise_without_a_question(
    page: Page,
) -> None:
    open_page(page, "/settle/?rules=laok&n=An,Bob,Cat,Dan")
    discard(page, 0, 1, "wd1,03")
    rename(page, "Ann", "Bob", "Cat", "Dan")
    expect_lines(page, 1, Ann=24, Bob=-24, Cat=0, Dan=0)
    expect(page.locator(ASK)).to_have_count(0)


def test_a_seat_that_is_named_late_was_theirs_before(page: Page) -> None:
    open_page(page, "/settle/?rules=laok")
    discard(page, 0, 1, "wd1,03")
    next_round(page)
    name(page, "Ann", "Bob")
    expect_lines(page, 1, Ann=24, Bob=-24, 西=0, 北=0)
    expect(page.locator(ASK)).to_have_count(0)
    tap(page, '[data-act="undo"]')
    expect(page.locator("#evening-sheet thead")).not_to_contain_text("Ann")
    tap(page, '[data-act="redo"]')
    expect(page.locator("#evening-sheet thead")).to_contain_text("Ann")


def test_a_friends_round_counts_for_its_people_whoever_sits_first(page: Page) -> None:
    table(page)
    open_page(page, "/settle/?rules=laok&n=Dan,Ann,Bob,Cat&e=wd2,03")
    tap(page, '[data-do="adopt"]')
    expect_lines(page, 2, Ann=24, Bob=-48, Cat=0, Dan=24)


def test_the_file_of_another_table_gives_nobody_elses_money(page: Page, tmp_path: Path) -> None:
    table(page)
    rounds = [{"query": "rules=laok&n=Eve,Ann,Gus,Hal&e=wd1,03"}]
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 2, "rounds": rounds})
    expect_lines(page, 2, Ann=0, Bob=-24, Cat=0, Dan=0, Eve=24, Gus=0, Hal=0)


def test_an_evening_kept_by_the_first_release_has_the_same_lines(page: Page) -> None:
    """Then people were seats, and the newest names were those of all rounds before."""
    open_page(page)
    rounds = [
        {"id": "round0", "query": "rules=laok&e=wd1,03", "totals": "24,-24,0,0", "over": False},
        {
            "id": "round1",
            "query": "rules=laok&n=%E7%8E%8B,%E6%9D%8E,,&e=wd1,03",
            "totals": "24,-24,0,0",
            "over": False,
            "next": "rules=laok&n=%E7%8E%8B,%E6%9D%8E,,",
        },
    ]
    page.evaluate(
        """rounds => { localStorage["suanfan.evening"] = JSON.stringify(
          { version: 1, rounds, current: "round1", draft: rounds[1].query }) }""",
        rounds,
    )
    open_page(page)
    expect_query(page, e="wd1,03")
    assert query(page)["n"] == "王,李,,"
    expect_lines(page, 2, 王=48, 李=-48, 西=0, 北=0)


def test_a_file_of_the_first_release_opens(page: Page, tmp_path: Path) -> None:
    open_page(page)
    rounds = [
        {"id": "round0", "query": "rules=laok&e=wd1,03", "totals": "24,-24,0,0"},
        {"id": "round1", "query": "rules=laok&n=王,李,,&e=wd1,03", "totals": "24,-24,0,0"},
    ]
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 1, "rounds": rounds})
    expect_lines(page, 2, 王=48, 李=-48, 西=0, 北=0)
    assert query(page)["n"] == "王,李,,"


def test_two_people_of_one_name_have_two_lines(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&n=Wang,Wang,Cat,Dan")
    discard(page, 0, 1, "wd1,03")
    expect(page.locator("[data-evening-total]")).to_have_count(4)
    totals = page.locator("[data-evening-total]").all_text_contents()
    assert totals == ["+24", "−24", "0", "0"]


def test_two_rounds_of_a_file_with_one_id_are_two(page: Page, tmp_path: Path) -> None:
    open_page(page)
    rounds = [{"id": "same00", "query": f"rules=laok&e=ws,{seat}3"} for seat in (1, 2)]
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 1, "rounds": rounds})
    expect(page.locator("[data-round]")).to_have_count(2)
    assert kept(page) == ["ws,13", "ws,23"]


def test_a_file_of_a_newer_version_or_without_rounds_is_told_as_such(
    page: Page, tmp_path: Path
) -> None:
    open_page(page)
    win(page, 0)
    say = page.locator("#round-say")
    rounds = [{"query": "rules=laok&e=ws,13"}]
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 99, "rounds": rounds})
    expect(say).to_contain_text("更新的版本")
    import_file(page, tmp_path, {"format": "suanfan-evening", "version": 2, "rounds": []})
    expect(say).to_contain_text("一局也没有")
    import_file(page, tmp_path, {"format": "other", "rounds": rounds})
    expect(say).to_contain_text("读不出来")
    expect(page.locator("[data-round]")).to_have_count(1)
