"""Real fingers: touches sent to the browser itself, at a place of the screen, whatever is there."""

from playwright.sync_api import Page

from tests.browser.places import firsts

_NEAR = "selector => document.querySelector(selector).scrollIntoView({ block: 'nearest' })"


class Finger:
    """One finger on one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def down(self, x: float, y: float) -> None:
        """Put the finger down."""
        self._send("touchStart", [{"x": x, "y": y}])

    def up(self) -> None:
        """Lift it."""
        self._send("touchEnd", [])

    def tap(self, x: float, y: float) -> None:
        """Tap a place."""
        self.down(x, y)
        self.up()

    def on(self, *selectors: str) -> None:
        """Tap where a control stands, as soon as it is on the page; it is not waited for."""
        for selector in selectors:
            self.page.wait_for_selector(selector)
            self.page.evaluate(_NEAR, selector)
            [box] = firsts(self.page, selector)
            self.tap(*box.middle)

    def _send(self, kind: str, points: list[dict[str, float]]) -> None:
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
