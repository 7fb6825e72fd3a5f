"""A first-time reader on a phone: from the path through a lesson into the drills."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring import drills as generate
from scoring.rules import load
from tests.browser.places import boxes


def question(page: Page) -> Locator:
    return page.locator("[data-question]")


def asked(page: Page) -> generate.Question:
    """The question of a drill's page, made anew from its address."""
    given = dict(
        part.split("=") for part in page.url.partition("?")[2].partition("#")[0].split("&")
    )
    return generate.question(
        load(given["rules"]), given["kind"], int(given["level"]), given["seed"], int(given["n"])
    )


def answer(page: Page, *keys: str) -> None:
    """Tap these answers, and send them where there are several."""
    for key in keys:
        page.locator(f'[data-answer="{key}"]').first.click()
    if page.locator(".send").count():
        page.locator(".send").click()
    expect(page.locator("[data-correct]")).to_have_count(1)


def test_a_first_time_reader_learns_a_step_and_goes_on(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="学", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("学会算番")
    page.locator("[data-lesson-link=tiles]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("牌，和缺一门")
    expect(page.locator(".suits").first.locator(".tile")).to_have_count(27)
    # The first hand wins, the second has a tile that fits nowhere, the third three suits.
    for key in ("yes", "no", "no", "yes"):
        answer(page, key)
        expect(question(page)).to_have_attribute("data-correct", "true")
        page.locator("[data-next]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("一局怎么打")
    page.locator(".crumb a").click()
    expect(page.locator("[data-lesson-link=tiles] .path-done")).to_be_visible()
    expect(page.locator("[data-lesson-link=play] .path-done")).to_be_hidden()
    expect(page.locator("[data-score]")).to_have_text("答对4题，共4题 · 连对4题")


def test_the_rules_chosen_stay_through_lessons_and_drills(page: Page) -> None:
    page.goto("/learn/")
    page.get_by_role("link", name="老K").click()
    page.locator("[data-lesson-link=fan]").click()
    expect(page.locator(".lesson-columns")).to_contain_text("底是6")
    page.locator("[data-answer]").first.click()
    page.get_by_role("link", name="这一类再练几道").click()
    expect(page).to_have_url(re.compile(r"/learn/drill/\?rules=laok&kind=fan&level=1&seed=\w+&n=0"))


def test_an_example_opens_in_the_calculator(page: Page) -> None:
    page.goto("/learn/patterns/?rules=laok")
    page.locator(".figure-open").nth(1).click()
    expect(page.locator("[data-result]")).to_have_attribute("data-status", "win")
    expect(page).to_have_url(re.compile(r"/\?rules=laok&hand="))


@pytest.mark.parametrize("kind", generate.KINDS)
def test_every_kind_is_answered_with_taps(page: Page, kind: str) -> None:
    page.goto(f"/learn/drill/?rules=chengdu&kind={kind}&level=2&seed=taps&n=0")
    right = asked(page).answer
    answer(page, *right)
    expect(question(page)).to_have_attribute("data-correct", "true")
    expect(page.locator("[data-explained]")).to_be_visible()
    page.locator("[data-next]").click()
    expect(page).to_have_url(re.compile("n=1"))
    expect(question(page)).not_to_have_attribute("data-correct", re.compile("."))


def test_a_wrong_answer_says_what_was_wrong(page: Page) -> None:
    page.goto("/learn/drill/?rules=chengdu&kind=fan&level=2&seed=taps&n=0")
    wrong = next(choice.key for choice in asked(page).choices if choice.mistake)
    answer(page, wrong)
    expect(question(page)).to_have_attribute("data-correct", "false")
    expect(page.locator(".judged")).to_contain_text(re.compile("你的答案(多|少)了"))


def test_score_and_streak_stay_on_the_device_and_count_once(page: Page) -> None:
    score = page.locator("[data-score]")
    for number in range(3):
        page.goto(f"/learn/drill/?rules=chengdu&kind=win&level=1&seed=score&n={number}")
        answer(page, *asked(page).answer)
    expect(score).to_have_text("答对3题，共3题 · 连对3题")
    page.reload()
    expect(score).to_have_text("答对3题，共3题 · 连对3题")
    page.goto("/learn/drill/?rules=chengdu&kind=fan&level=1&seed=score&n=0")
    answer(page, next(c.key for c in asked(page).choices if c.mistake))
    expect(score).to_have_text("答对3题，共4题 · 最长连对3题")
    # What went wrong is what to practise next, told on the page of the path.
    page.goto("/learn/")
    expect(page.locator("[data-advice-link]")).to_have_text("接着练：几番")
    page.locator("[data-advice-link]").click()
    expect(page).to_have_url(re.compile("kind=fan"))


def test_the_keyboard_answers_and_goes_on(page: Page) -> None:
    page.goto("/learn/drill/?rules=chengdu&kind=fan&level=1&seed=keys&n=0")
    page.keyboard.press("2")
    expect(page.locator("[data-correct]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("n=1"))


def test_the_same_address_asks_the_same_elsewhere(page: Page, plain_page: Page) -> None:
    address = "/learn/drill/?rules=sbr&kind=waits&level=3&seed=shared&n=7"
    page.goto(address)
    plain_page.goto(address)
    hands = [
        [tile.get_attribute("data-hand-tile") for tile in one.locator("[data-hand-tile]").all()]
        for one in (page, plain_page)
    ]
    assert hands[0]
    assert hands[0] == hands[1]


@pytest.mark.parametrize("kind", ["fan", "waits", "discard", "settle"])
def test_without_scripts_everything_works(plain_page: Page, kind: str) -> None:
    plain_page.goto(f"/learn/drill/?rules=laok&kind={kind}&level=1&seed=plain&n=0")
    answer(plain_page, *asked(plain_page).answer)
    expect(question(plain_page)).to_have_attribute("data-correct", "true")
    plain_page.locator("[data-next]").click()
    expect(plain_page).to_have_url(re.compile("n=1"))


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize(
    "address",
    [
        "/learn/",
        "/learn/tiles/?rules=yaoji",
        "/learn/tables/",
        "/learn/end/?n=3&a=x&done=1",
        "/learn/drill/?rules=majsoul&kind=payment&level=3&seed=w&n=2",
        "/learn/drill/?rules=laok&kind=waits&level=3&seed=w&n=0&done=1",
        "/learn/drill/?rules=laok&kind=settle&level=3&seed=w&n=4",
    ],
)
def test_nothing_scrolls_sideways(page: Page, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_the_winning_tile_is_as_large_as_the_others(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 640})
    page.goto("/learn/drill/?rules=chengdu&kind=fan&level=1&seed=sizes&n=0")
    tiles = boxes(page.locator(".felt-hand > .tile"))
    assert len({round(tile.width) for tile in tiles}) == 1
    # Seven of them to a row.
    assert width > 375 or len(tiles) < 14 or len({tile.y for tile in tiles}) == 2


def test_who_is_to_tap_a_tile_of_the_hand_is_told(page: Page) -> None:
    page.goto("/learn/drill/?rules=chengdu&kind=discard&level=1&seed=told&n=0")
    expect(page.locator(".question")).to_contain_text("点要打的那张。")
    answer(page, *asked(page).answer)
    expect(page.locator(".question")).not_to_contain_text("点要打的那张。")


def test_the_way_back_is_large_enough_for_a_thumb(page: Page) -> None:
    page.goto("/learn/drill/?rules=chengdu&kind=fan&level=1&seed=sizes&n=0")
    link = page.locator(".crumb a")
    hits = """link => {
      const { left, top, width, height } = link.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const ends = [[0, -21], [0, 21], [-12, 0], [21, 0]];
      return ends.map(([dx, dy]) => document.elementFromPoint(x + dx, y + dy) === link);
    }"""
    assert link.evaluate(hits) == [True] * 4


def test_answers_are_large_enough_for_a_thumb(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    for kind, wide, tall in (("fan", 120, 52), ("waits", 24, 48), ("discard", 30, 40)):
        page.goto(f"/learn/drill/?rules=laok&kind={kind}&level=2&seed=thumb&n=0")
        locator = ".pick-tile" if kind == "waits" else "[data-answer]"
        for box in boxes(page.locator(locator)):
            assert box.width >= wide
            assert box.height >= tall
