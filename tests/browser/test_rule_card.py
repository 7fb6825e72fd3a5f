"""The rule card on paper: one page, whatever the table, language and size; and a picture."""

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scoring import ready
from scoring import rules as engine
from scoring.addresses.hand import write_options

TABLES = [
    *((one, "") for one in engine.ids()),
    *((t.rules.id, write_options(t.rules)) for t in map(ready.load, ready.ids())),
]
#: Millimetres, as a PDF's points.
SIZES = {"a6": (298, 420), "a4": (595, 842)}
#: Whether something leaves the columns, which then begin one more beside the paper.
LEFT = """() => {
  const columns = document.querySelector(".card-columns");
  const paper = columns.getBoundingClientRect();
  return [...columns.querySelectorAll("p, h3")].some((node) => {
    const { right, bottom } = node.getBoundingClientRect();
    return right > paper.right + 1 || bottom > paper.bottom + 1;
  });
}"""


@pytest.mark.parametrize("language", ["", "/zh-hant", "/en"])
@pytest.mark.parametrize("size", SIZES)
def test_every_table_is_one_page_of_paper(page: Page, language: str, size: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 1200})
    page.emulate_media(media="print")
    for number, (rules, opt) in enumerate(TABLES):
        page.goto(f"{language}/house/card/?rules={rules}&opt={opt}&size={size}")
        assert not page.evaluate(LEFT), (rules, opt)
        if number % 6:
            continue  # what leaves no column needs no second page
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, (rules, opt)
        broad, high = map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)[0])
        assert (round(broad), round(high)) == pytest.approx(SIZES[size], abs=1)


@pytest.mark.parametrize(("size", "most"), [("a6", (1240, 1748)), ("a4", (1754, 2480))])
def test_the_card_is_a_picture_to_send(page: Page, size: str, most: tuple[int, int]) -> None:
    page.add_init_script("delete Navigator.prototype.canShare")
    page.goto(f"/house/card/?rules=laok&opt=cap:4&size={size}&name=周五那桌")
    with page.expect_download() as download:
        page.click("[data-card-picture]")
    assert download.value.suggested_filename.startswith("周五那桌")
    picture = Path(download.value.path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == pytest.approx(most, abs=1)
    # Paper with nothing on it would be a hundredth of that.
    assert len(picture) > 40_000


def test_the_sheet_leads_to_the_card_of_its_rules(page: Page) -> None:
    page.goto("/house/?rules=laok&opt=cap:4")
    page.click("[data-card-link]")
    expect(page.locator("[data-card] h2")).to_have_text("老K血战到底")
    expect(page.locator('[data-card-option="cap"]')).to_contain_text("4 番")
    code = page.locator("[data-card-qr]")
    assert code.evaluate("img => img.decode().then(() => img.naturalWidth)") > 0
