"""Every page for everybody: axe's rules, the keyboard alone, large text, less motion, few suits."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.places import boxes

expect.set_options(timeout=20_000)

AXE = Axe().axe_script
#: All of axe's rules in the light, what depends on colours again in the dark.
LOOK = """async (rules) => {
  const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
  return found.violations.flatMap((broken) => broken.nodes.map(
    (node) => `${broken.id}: ${node.html.slice(0, 160)}: ${node.failureSummary}`));
}"""
ALL = {"rules": {"target-size": {"enabled": True}}}

WIN = "/?rules=chengdu&hand=1233455567899p!5p&by=self_draw"
PAGES = (
    "/",
    WIN,
    "/?rules=yaoji&hand=1s123456789m[55p1s]!9m&opt=cap:4",
    "/?rules=laok&hand=1112223p[999p](2222s)&seen=3p",
    "/?rules=chengdu&hand=147m258p1122m35p1m",
    "/?rules=chengdu&hand=12x&opt=cap:99",
    "/compare/?rules=chengdu&hand=1233455567899p!5p",
    "/house/?rules=laok",
    "/house/card/?rules=laok&opt=cap:4",
    "/settle/",
    "/settle/?rules=laok&e=k2e0.k1c.wd0,23.ws,13.n,0p,3r2",
    "/settle/?rules=sbr&e=ws,13&a=wd-,0,2,3",
    "/settle/evening/?r=24,-24,0,0_3,-1,-1,-1",
    "/rules/",
    "/rules/chengdu/",
    "/rules/terms/qing_yi_se/",
    "/learn/",
    "/learn/tiles/",
    "/learn/drill/?rules=laok&kind=fan&level=1&seed=a&n=1",
    "/offline/",
    "/nowhere/",
)


@pytest.fixture(scope="module")
def tall(browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone as tall as any page, so that nothing lies under the parts that stay in view."""
    context = browser.new_context(
        viewport={"width": 375, "height": 4000}, base_url=base_url, service_workers="block"
    )
    context.add_init_script(AXE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("prefix", ["", "/zh-hant", "/en"])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_by_day_and_by_night(tall: Page, prefix: str, address: str) -> None:
    tall.emulate_media(color_scheme="light", reduced_motion="reduce")
    tall.goto(prefix + address)
    if "hand=" in address or "/settle/" in address:
        # What is fetched when it comes into view is there too.
        tall.wait_for_load_state("networkidle")
    assert tall.evaluate(LOOK, ALL) == []
    tall.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert tall.evaluate(LOOK, ALL) == []


# ------------------------------------------------------------------ the keyboard


def test_a_hand_is_entered_and_shared_by_keyboard_alone(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector("main[data-ready]")
    for key in "1233455567899p5p":
        page.keyboard.press(key)
    expect(page.locator("[data-result]")).to_have_attribute("data-fan", "3")
    seen: set[str] = set()
    wanted = {"pung", "self_draw", "text", "clear", "badge", "copy"}
    for _ in range(200):
        if seen >= wanted:
            break
        page.keyboard.press("Tab")
        label, outline = page.evaluate(
            """() => {
              const node = document.activeElement;
              const { act, tile, copy } = node.dataset;
              return [act || tile || (copy ? "copy" : "") || node.id || node.className,
                node === document.body ? "" : getComputedStyle(node).outlineStyle];
            }"""
        )
        assert outline != "none", label
        seen.add(label)
    assert seen >= wanted


def test_the_sheet_of_rules_keeps_the_focus_and_gives_it_back(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector("main[data-ready]")
    page.locator(".badge").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rules")).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate("Boolean(document.activeElement.closest('#rules'))")
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()
    expect(page.locator(".badge")).to_be_focused()


# ------------------------------------------------------------------ names and announcements


def test_keys_say_their_tile_and_how_many_are_left(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=55s")
    expect(page.locator("[data-tile='5s']")).to_have_attribute("aria-label", "五条，剩两张")


def test_a_result_is_announced_once_when_the_hand_has_come_to_rest(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=123345556789p")
    page.wait_for_selector("main[data-ready]")
    page.evaluate(
        """() => {
          window.said = [];
          const live = document.getElementById("live");
          new MutationObserver(() => window.said.push(live.textContent))
            .observe(live, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for tile in ("9p", "9p"):
        page.locator(f"[data-tile='{tile}']").tap()
    expect(page.locator("#live")).to_have_text(re.compile("清一色"))
    assert page.evaluate("window.said.length") == 1


# ------------------------------------------------------------------ large text, motion, suits


@pytest.mark.parametrize("prefix", ["", "/en"])
def test_nothing_leaves_the_screen_at_twice_the_size_of_text(page: Page, prefix: str) -> None:
    width = "document.documentElement.scrollWidth"
    for address in PAGES:
        page.set_viewport_size({"width": 375, "height": 667})
        page.goto(prefix + address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(width) <= 375, address
        # A desktop of 1280 pixels at four times the size.
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.set_viewport_size({"width": 320, "height": 600})
        assert page.evaluate(width) <= 320, address


@pytest.mark.parametrize("address", ["/en" + WIN, WIN, "/en/settle/", "/en/learn/money/"])
@pytest.mark.parametrize("size", [24, 32])
def test_whoever_reads_very_large_text_can_scroll_to_everything(
    page: Page, address: str, size: int
) -> None:
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size}})
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    kept = """() => [...document.querySelectorAll(".bar, .tray, .entry, .acts")]
      .filter((part) => ["sticky", "fixed"].includes(getComputedStyle(part).position))
      .map((part) => part.className)"""
    assert page.evaluate(kept) == []


def test_less_motion_means_none(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(WIN)
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((node) => {
          const style = getComputedStyle(node);
          return style.transitionDuration !== "0s" || style.animationName !== "none";
        }).map((node) => node.className)"""
    )
    assert moving == []


def test_two_suits_get_larger_keys_than_three(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=55s")
    page.wait_for_selector("main[data-ready]")
    key = page.locator("[data-tile='5s']")
    [before] = boxes(key)
    page.locator("[data-void=m]").tap()
    expect(page.locator("[data-tile='5m']")).to_be_hidden()
    [after] = boxes(key)
    assert after.height > 1.3 * before.height


def test_what_is_chosen_or_at_odds_is_marked_by_more_than_colour(page: Page) -> None:
    page.goto("/?rules=chengdu&hand=1233455567899p!5p&by=self_draw&last=1")
    page.wait_for_selector("main[data-ready]")
    tick = "node => getComputedStyle(node, '::before').content"
    assert "✓" in page.locator("[data-act=last_tile]").evaluate(tick)
    expect(page.locator("[data-win-tile] .seal")).to_have_text("胡")
    page.goto("/?rules=chengdu&hand=11111m")
    assert "!" in page.locator("[data-hand-tile='1m']").first.evaluate(tick)
    expect(page.locator("[data-problem]").first).to_be_visible()


# ------------------------------------------------------------------ what is small or falls apart

SMALL = """() => [...document.querySelectorAll("main :is(a, button, summary)")].flatMap((node) => {
  const { width, height } = node.getBoundingClientRect();
  if (!width || !height || !node.checkVisibility() || node.closest(".unseen, p, .lines")) return [];
  if (node.matches(".unseen")) return [];
  return width < 24 || height < 24 ? [`${node.outerHTML.slice(0, 90)} ${width} ${height}`] : [];
})"""
SPLIT = """() => [...document.querySelectorAll(".set.laid, .meld-tiles, .mini .whole")].filter(
  (group) => new Set([...group.querySelectorAll(".tile")].map(
    (tile) => Math.round(tile.getBoundingClientRect().y))).size > 1).length"""


@pytest.mark.parametrize("address", PAGES)
def test_what_can_be_tapped_outside_of_sentences_is_never_tiny(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize(
    "address",
    [
        "/?rules=chengdu&hand=99p(1111m)(2222m)(3333p)[4444p]",
        "/compare/?rules=chengdu&hand=99p(1111m)(2222m)(3333p)[4444p]",
        "/rules/terms/shi_ba_luo_han/",
        "/settle/?rules=laok&e=ws,0h11123499p[555p](7777p)",
    ],
)
def test_a_kong_stands_on_one_line(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(address)
    assert page.locator(".set.laid, .meld-tiles, .mini .whole").count()
    assert page.evaluate(SPLIT) == 0


def test_paper_has_no_button(page: Page) -> None:
    page.goto("/house/?rules=chengdu&opt=cap:4")
    page.emulate_media(media="print")
    assert not page.locator("button:visible, .button:visible").count()


def test_the_badge_bears_the_name_under_which_the_table_kept_its_rules(page: Page) -> None:
    kept = '[{"name": "周五那桌", "rules": "chengdu", "opt": "cap:4"}]'
    page.add_init_script(f"localStorage.setItem('houses', '{kept}')")
    page.goto("/?rules=chengdu&opt=cap:4&hand=11223344556677m")
    expect(page.locator("#result .badge")).to_contain_text("周五那桌")
    page.goto("/?rules=chengdu&opt=cap:5&hand=11223344556677m")
    expect(page.locator("#result .badge")).to_contain_text("5番封顶")


def test_a_name_from_right_to_left_leaves_the_signs_where_they_are(page: Page) -> None:
    page.goto("/settle/?rules=laok&n=دانا,b,c,d&e=k1c")
    said = page.locator(".running").first.inner_text()
    assert "\u2068دانا\u2069" in said
