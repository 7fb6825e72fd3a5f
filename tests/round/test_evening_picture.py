"""The sheet of an evening as a picture, and the names of files."""

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils.timezone import localdate

from calculator.round.evening import Evening
from scoring.addresses.hand import write_query

EVENING = {"n": "=Ann,Bob,Cat,Dan", "r": "24,-24,0,0_-3,1,1,1"}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(client: Client, path: str, **given: str) -> tuple[ElementTree.Element, list[str]]:
    """The picture of an evening, and its texts in their order."""
    answer = client.get(f"{path}?{write_query(given)}")
    assert answer["Content-Type"] == "image/svg+xml"
    picture = ElementTree.fromstring(answer.content)
    return picture, [text.text or "" for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/settle/evening.svg", ["今晚的账", "2026年5月1日", "合计", "整晚这样付最省"]),
        ("/zh-hant/settle/evening.svg", ["今晚的帳", "2026年5月1日", "合計", "整晚這樣付最省"]),
        ("/en/settle/evening.svg", ["This evening", "May 1, 2026", "Total"]),
    ],
)
def test_the_picture_of_an_evening_has_its_day_its_people_rounds_totals_and_payments(
    client: Client, path: str, said: list[str]
) -> None:
    _, texts = drawn(client, path, **EVENING, day="2026-05-01")
    sheet = Evening(EVENING["r"], EVENING["n"].split(","))
    for text in (*said, *sheet.names, *(each["text"] for each in sheet.sums)):
        assert text in texts
    for row in sheet.rows:
        cells = [cell["text"] for cell in row["cells"]]
        at = texts.index(str(row["number"]))
        assert texts[at : at + 1 + len(cells)] == [str(row["number"]), *cells]
    for paid in sheet.payments:
        assert f"{paid['payer']} → {paid['taker']}  {paid['amount']}" in texts


def test_the_picture_of_a_long_evening_of_many_has_the_last_rounds_and_says_so(
    client: Client,
) -> None:
    rounds = "_".join(["11" + ",-1" * 11] * 160 + ["0,0"] * 40)
    names = ",".join(f"{n} of a dozen"[:12] for n in range(12))
    picture, texts = drawn(client, "/settle/evening.svg", n=names, r=rounds)
    assert "共 200 局，这里是最后 40 局；合计是全部的。" in texts
    assert "200" in texts and "160" not in texts
    assert "+1760" in texts
    assert int(picture.get("width", "0")) < 2400
    assert int(picture.get("height", "0")) < 2400


def test_a_name_in_the_picture_of_an_evening_is_no_markup(client: Client) -> None:
    _, texts = drawn(client, "/settle/evening.svg", n="<b>&,Bob,Cat,Dan", r="3,-1,-1,-1")
    assert "<b>&" in texts


def test_every_file_is_named_with_its_day(client: Client) -> None:
    day = f"{localdate():%Y-%m-%d}"
    files = {
        "/settle/round.json?rules=laok&e=ws,13": f"round-{day}.json",
        "/settle/round.csv?rules=laok&e=ws,13": f"round-{day}.csv",
        "/settle/evening.csv?r=3,-1,-1,-1": f"evening-{day}.csv",
        "/house/rules.json?rules=laok": f"house-rules-laok-{day}.json",
    }
    for address, name in files.items():
        assert client.get(address)["Content-Disposition"] == f'attachment; filename="{name}"'
