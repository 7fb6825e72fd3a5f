"""High contrast (forced colours), dark and light: text reads, tiles are themselves, states show."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.pixels import measured
from tests.browser.test_accessibility import PAGES

SCALE = 2
WINNING = "/?rules=chengdu&hand=1233455567899p!5p&by=self_draw"
#: Where states stand that the other pages do not show.
STATES = (
    "/?rules=chengdu&hand=123m456p&arm=pung",
    "/house/?rules=chengdu&opt=cap:4",
    "/settle/?rules=laok&a=wd0,1",
    "/learn/drill/?rules=laok&kind=fan&level=1&seed=a&n=1&answer=0",
    "/compare/?rules=chengdu&hand=1122335577m8888p&with=laok",
)

#: The rectangles of what a selector finds, of that only which nothing covers.
SHOWN = """(selector) => [...document.querySelectorAll(selector)].flatMap((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  const off = node.closest(".unseen, [aria-disabled=true], :disabled");
  if (width < 4 || height < 4 || off || !node.checkVisibility()) return [];
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return top && (node.contains(top) || top.contains(node)) ? [[x, y, width, height]] : [];
})"""
#: The same of every element that holds text itself.
TEXTS = """() => [...document.querySelectorAll("body *")].flatMap((node) => {
  const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  const off = ".unseen, .skip, [aria-disabled=true], :disabled, option, noscript, svg";
  if (!own || node.closest(off)) return [];
  const { x, y, width, height } = node.getBoundingClientRect();
  if (width < 4 || height < 4 || !node.checkVisibility({ visibilityProperty: true })) return [];
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return top && (node.contains(top) || top.contains(node))
    ? [[x, y, width, height, node.outerHTML.slice(0, 90)]] : [];
})"""
FACES = ".tile .face:not(:has([href$=back])), .key .face"
STATED = (
    "[aria-pressed=true], main [aria-current], .tile.won, .tile.hit, .tile.bad, .is-right,"
    " .is-wrong, .problems p, .compare .own > th, .versus .decisive > th, input:checked ~ .tile"
)


@pytest.fixture(scope="module")
def meter(browser: Browser) -> Iterator[Page]:
    """An empty page that reads pictures."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module", params=["dark", "light"])
def forced(request: pytest.FixtureRequest, browser: Browser, base_url: str) -> Iterator[Page]:
    """A phone in a forced mode, as tall as any page."""
    scheme: Literal["dark", "light"] = request.param
    context = browser.new_context(
        viewport={"width": 375, "height": 3200},
        device_scale_factor=SCALE,
        base_url=base_url,
        service_workers="block",
        forced_colors="active",
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


def opened(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")


def shown(page: Page, selector: str) -> list[Any]:
    found: list[Any] = page.evaluate(SHOWN, selector)
    return found


@pytest.mark.parametrize("address", [*PAGES, *STATES])
def test_in_high_contrast_text_reads_tiles_are_ivory_and_states_show(
    forced: Page, meter: Page, address: str
) -> None:
    opened(forced, address)
    texts = forced.evaluate(TEXTS)
    tiles, states = shown(forced, FACES), shown(forced, STATED)
    every = [box[:4] for box in texts] + tiles + states
    seen = measured(forced, meter, every, SCALE)
    assert len(seen) == len(every)
    faint = [
        (box[4], round(one.contrast, 1))
        for box, one in zip(texts, seen, strict=False)
        if one.contrast < 4.5
    ]
    assert not faint
    for one in seen[len(texts) : len(texts) + len(tiles)]:
        assert one.contrast > 3
        assert one.bright > 0.3, "a tile keeps its ivory"
    for box, one in zip(states, seen[len(texts) + len(tiles) :], strict=True):
        assert one.edge > 3, box


def test_a_pressed_key_looks_unlike_one_that_is_not(forced: Page, meter: Page) -> None:
    opened(forced, WINNING)
    keys = [
        shown(forced, f".seg [data-act={way}]")[0] for way in ("self_draw", "discard", "rob_kong")
    ]
    inside = [[x + 4, y + 4, 3, height - 8] for x, y, _, height in keys]
    pressed, *others = [one.brightest for one in measured(forced, meter, inside, SCALE)]
    for other in others:
        high, low = max(pressed, other), min(pressed, other)
        assert (high + 0.05) / (low + 0.05) > 3
