"""Every rules page in a real browser, 375 px wide: nothing sticks out, nothing is out of reach."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from calculator.words import glossary
from scoring import rules as engine
from tests.browser.places import boxes, firsts

SYSTEMS = [f"/rules/{ruleset}/" for ruleset in engine.ids()]
TERMS = [f"/rules/terms/{key}/" for key in glossary.ids()]
AUDITED = [
    "/rules/",
    "/rules/?q=杠",
    *SYSTEMS,
    *(f"/rules/terms/{key}/" for key in ("gen", "jin_gou_diao", "gang_shang_hua", "pig", "ready")),
    "/compare/?rules=chengdu&hand=1122445566778m!8m&by=self_draw&opt=cap:3&with=yaoji",
    "/house/?rules=chengdu&hand=1122445566778m!8m&opt=cap:3,fans.jin_gou_diao:2",
]


def fits(page: Page) -> bool:
    # Not `innerWidth`: a phone shows what is too wide smaller, and that grows with it.
    size = page.viewport_size
    assert size is not None
    return page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("prefix", ["", "/en", "/zh-hant"])
def test_every_rules_page_fits_a_phone(page: Page, prefix: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    for path in (f"{prefix}{one}" for one in ("/rules/", *SYSTEMS, *TERMS)):
        response = page.goto(path)
        assert response is not None
        assert response.status == 200, path
        assert fits(page), path
        assert page.locator("h1").is_visible(), path


@pytest.mark.parametrize("path", AUDITED)
def test_a_page_is_accessible_in_both_themes(page: Page, path: str) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [320, 1280])
def test_the_pages_fit_other_screens(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    for path in AUDITED:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        assert fits(page), path


def test_the_table_of_all_terms_shows_every_system_on_a_phone(page: Page) -> None:
    page.goto("/rules/")
    table = page.locator(".wide").first
    *_, last = boxes(table.locator("thead th"))
    assert last.right <= 376
    # The second table is wider: its first column stays while the others pass.
    words = page.locator(".wide").nth(1)
    words.evaluate("(region) => (region.scrollLeft = 400)")
    assert boxes(words.locator("tbody th"))[0].x >= 0
    assert words.get_attribute("tabindex") == "0"


def test_the_search_needs_no_script(plain_page: Page) -> None:
    plain_page.goto("/rules/")
    plain_page.fill("#q", "裸奔")
    plain_page.click(".find button")
    plain_page.click('[data-entry="jin_gou_diao"]')
    expect(plain_page.locator("h1")).to_have_text("金钩钓")


def test_an_example_opens_in_the_calculator_with_the_same_value(plain_page: Page) -> None:
    plain_page.goto("/rules/terms/qing_dui/")
    plain_page.click(".example .button")
    expect(plain_page.locator("[data-result]")).to_have_attribute("data-fan", "3")


def test_an_example_round_opens_in_the_settlement(plain_page: Page) -> None:
    plain_page.goto("/rules/terms/bloom/")
    plain_page.click(".example .button")
    expect(plain_page.locator('[data-seat="0"][data-total]').first).to_have_attribute(
        "data-total", "-78"
    )


def test_a_comparison_shows_which_tile_won_and_whose_rules_stand_left(page: Page) -> None:
    page.goto("/compare/?rules=chengdu&hand=1122445566778m!8m&by=self_draw&with=yaoji")
    expect(page.locator(".held .tile.hit")).to_have_attribute("aria-label", "八万，胡的牌")
    expect(page.locator(".held")).not_to_contain_text("!8m")
    expect(page.locator("#own-system")).to_be_visible()
    own, form = firsts(page, "#own-system", ".versus-form")
    assert own.y < form.y
    page.goto("/compare/?rules=chengdu&hand=1122445566779m1p")
    expect(page.locator(".held .tile.hit")).to_have_count(0)


def test_a_dispute_is_settled_without_a_script(plain_context: BrowserContext) -> None:
    page = plain_context.new_page()
    page.goto("/compare/?rules=chengdu&hand=1122445566778m!8m&by=self_draw")
    page.select_option("#with", "jipin")
    page.click(".versus-form button")
    expect(page.locator("[data-decides]")).to_have_attribute("data-line", "cap")
