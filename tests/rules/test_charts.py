"""The rules pages say how rare things are, with the numbers of the counts."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from calculator.rules.charts import Row, bars
from scoring import rarity, rules
from scoring.patterns import TERMS


@pytest.mark.parametrize("term", ["qing_long_qi_dui", "dui_dui_hu", "gen", "yi_tiao_long"])
def test_a_term_page_says_how_rare_it_is(client: Client, term: str) -> None:
    page = client.get(f"/rules/terms/{term}/").content.decode()
    share = rarity.of_term(term)
    assert share is not None
    assert "data-rarity" in page
    assert f"{share.shapes:,}" in page
    assert "2,561,091" in page


@pytest.mark.parametrize("term", ["ping_hu", "jin_gou_diao", "hai_di", "base"])
def test_no_share_where_there_is_nothing_to_say(client: Client, term: str) -> None:
    assert "data-rarity" not in client.get(f"/rules/terms/{term}/").content.decode()


def test_every_term_page_with_counts_opens(client: Client) -> None:
    for term in TERMS:
        assert client.get(f"/rules/terms/{term}/").status_code == 200


@pytest.mark.parametrize("system", rules.ids())
def test_a_system_page_draws_every_fan(client: Client, system: str) -> None:
    page = client.get(f"/rules/{system}/").content.decode()
    drawing = re.search(r'<svg class="bars".*?</svg>', page, re.DOTALL)
    assert drawing
    svg = ElementTree.fromstring(drawing[0])
    names = [text.text for text in svg.iter("text") if text.get("class") == "name"]
    assert names == [f"{fan}番" for fan in rarity.by_fan(system)]
    assert len(list(svg.iter("rect"))) == 2 * len(names)
    # Whoever hears the page hears every row.
    assert all(name in svg.get("aria-label", "") for name in names if name)
    assert "style" not in drawing[0]


def test_bars_are_as_long_as_their_parts_and_stay_inside() -> None:
    rows = [Row("1", ((0.5, "50%"), (0.25, "25%"))), Row("2", ((1e-9, "0%"), (0.0, "")))]
    svg = ElementTree.fromstring(bars(rows, 'a "label" & more'))
    assert svg.get("aria-label") == 'a "label" & more'
    longest, half, least, none = (float(r.get("width", "")) for r in svg.iter("rect"))
    assert half == longest / 2
    assert least == 1
    assert none == 0
    assert all(float(t.get("x", "")) < 320 - 40 for t in svg.iter("text"))


def test_no_rows_make_an_empty_chart() -> None:
    assert ElementTree.fromstring(bars([], "")).get("viewBox") == "0 0 320 0"
