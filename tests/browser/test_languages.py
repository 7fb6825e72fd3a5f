"""The small phone in every language: nothing sticks out, no word is cut, no sideways scroll."""

import pytest
from playwright.sync_api import Browser

PAGES = (
    "/",
    "/?rules=chengdu&hand=2m(1111m)[333-3m](5555m)[7777m]!2m&by=self_draw&after=concealed_kong"
    "&opt=cap:4,self_draw_bonus:base,fans.jin_gou_diao:2",
    "/?rules=chengdu&hand=1123455567899p",
    "/compare/?rules=chengdu&hand=1233455567899p!5p&by=self_draw&with=sbr",
    "/house/?rules=laok&hand=1233455567899p!5p",
    "/settle/?rules=chengdu&e=k2e0.k1c5m.wd0k,23.ws,13",
    "/settle/?rules=chengdu&a=wd0,13",
    "/settle/?rules=chengdu&e=ws,13&a=n,0p",
    "/rules/",
    "/rules/yaoji/",
    "/rules/terms/gang_shang_hua/",
    "/learn/",
    "/learn/drill/?rules=laok&kind=patterns&level=2&seed=words&n=3",
)
#: Buttons and links whose words do not fit into them, or that stand outside the screen.
CUT = """() => [...document.querySelectorAll("button, summary, .button, nav a")]
    .filter((e) => e.checkVisibility() && e.textContent.trim() && !e.closest(".strip, .unseen"))
    .filter((e) => getComputedStyle(e).display !== "inline")
    .filter((e) => !e.closest(".wide, .rwide, details:not([open]) > :not(summary)"))
    .filter((e) =>
        e.scrollWidth > e.clientWidth + 6 || e.getBoundingClientRect().right > screen.width)
    .map((e) => e.textContent.trim())"""


@pytest.mark.parametrize("prefix", ["/en", "/zh-hant"])
def test_every_page_fits_the_smallest_phone(browser: Browser, base_url: str, prefix: str) -> None:
    for width in (320, 375):
        context = browser.new_context(
            base_url=base_url,
            viewport={"width": width, "height": 640},
            is_mobile=True,
            has_touch=True,
        )
        page = context.new_page()
        for path in PAGES:
            page.goto(prefix + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, path)
            assert page.evaluate(CUT) == [], (width, path)
        context.close()
