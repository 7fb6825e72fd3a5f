"""Where things stand on the screen, all of them read in one moment.

A page may still be filling itself while a test looks at it (the comparison comes when it is
scrolled to), and Playwright's `bounding_box` waits for an element to hold still: two of them
one after the other can be of two different screens. So a test that compares places asks here,
once, for all it compares.
"""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

_FIRSTS = """selectors => selectors.map((selector) => {
  const box = [...document.querySelectorAll(selector)]
    .map((node) => node.getBoundingClientRect())
    .find(({ width, height }) => width && height);
  return box && [box.x, box.y, box.width, box.height];
})"""
_ALL = """nodes => nodes.map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return [x, y, width, height];
})"""


@dataclass(frozen=True)
class Box:
    """A rectangle of the screen, in CSS pixels from its left upper corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Where it ends to the right."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Where it ends below."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Where a finger would hit it."""
        return self.x + self.width / 2, self.y + self.height / 2


def firsts(page: Page, *selectors: str) -> list[Box]:
    """The first shown element of each CSS selector; a selector that shows nothing is an error."""
    found: list[Any] = page.evaluate(_FIRSTS, list(selectors))
    missing = [s for s, box in zip(selectors, found, strict=True) if not box]
    assert not missing, f"not on the page: {missing}"
    return [Box(*box) for box in found]


def boxes(parts: Locator) -> list[Box]:
    """Every element of a locator; none at all is an error."""
    found: list[Any] = parts.evaluate_all(_ALL)
    assert found, f"not on the page: {parts}"
    return [Box(*box) for box in found]
