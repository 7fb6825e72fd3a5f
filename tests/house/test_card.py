"""The rule card: everything that a table plays by, from the rules in force."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils.translation import gettext, override

from calculator.house import card
from scoring import ready
from scoring import rules as engine
from scoring.addresses.hand import write_options
from scoring.rules import Rules

EVERY: dict[str, Rules] = {
    **{one: engine.load(one) for one in engine.ids()},
    **{one: ready.load(one).rules for one in ready.ids()},
}


def shown(client: Client, rules: Rules, language: str = "", **more: str) -> str:
    given = {"rules": rules.id, "opt": write_options(rules), **more}
    response = client.get(f"{language}/house/card/", given)
    assert response.status_code == 200
    return unescape(response.content.decode())


@pytest.mark.parametrize("one", EVERY)
def test_every_term_that_is_on_stands_on_the_card_with_what_it_pays(
    client: Client, one: str
) -> None:
    rules = EVERY[one]
    page = shown(client, rules)
    assert set(re.findall(r'data-card-term="(\w+)"', page)) >= set(rules.fans)
    for row in card.terms(rules, "pattern"):
        assert row["worth"] == f"{rules.multiple(rules.capped(row['fan']))}倍"
        assert f"{row['fan']}番 <i>{row['worth']}</i>" in page


@pytest.mark.parametrize("one", EVERY)
def test_readings_and_what_is_assumed_stand_on_the_card(client: Client, one: str) -> None:
    rules = EVERY[one]
    page = shown(client, rules)
    for ruling in card.readings(rules):
        assert gettext(ruling.text) in page


def test_a_bonus_says_by_how_much_it_raises() -> None:
    doubling = {row["id"]: row["worth"] for row in card.terms(engine.load("laok"), "bonus")}
    assert doubling["gen"] == "×2"
    linear = {row["id"]: row["worth"] for row in card.terms(engine.load("xueliu"), "bonus")}
    assert linear["concealed_kong"] == "+2"


def test_the_kinds_of_a_term_stand_one_by_one() -> None:
    rules = engine.load("chengdu").override({"fans": {"hai_di": {"self_draw": 2}}})
    rows = {row["name"]: row["fan"] for row in card.terms(rules, "bonus")}
    assert rows["杠上花：暗杠之后"] == 3
    assert rows["海底：自摸"] == 2
    assert "海底：点炮" not in rows


def test_there_is_no_pig_where_two_suits_are_played(client: Client) -> None:
    assert "花猪" in shown(client, EVERY["three_three"])
    assert "花猪" not in shown(client, EVERY["three_two"])


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ({"rules": "laok"}, "老K血战到底"),
        ({"rules": "xueliu", "opt": "joker:zhong"}, "红中血流"),
        ({"rules": "laok", "opt": "cap:4", "name": "周五那桌"}, "周五那桌"),
        ({"rules": "laok", "name": "<b>&"}, "<b>&"),
    ],
)
def test_the_card_is_called_as_its_table(client: Client, given: dict[str, str], title: str) -> None:
    page = client.get("/house/card/", given).content.decode()
    named = re.search(r"<article.*?<h2>(.*?)</h2>", page, re.S)
    assert named and unescape(named[1]) == title


@pytest.mark.parametrize("language", ["", "/en", "/zh-hant"])
def test_the_card_speaks_the_language_of_its_address(client: Client, language: str) -> None:
    page = shown(client, EVERY["chengdu"], language)
    with override(language.strip("/") or "zh-hans"):
        assert gettext("清一色") in page
        assert gettext("流局") in page


def test_a_size_that_is_none_is_the_small_one_and_a_bad_option_is_told(client: Client) -> None:
    page = client.get("/house/card/", {"rules": "laok", "size": "a9", "opt": "cap:x"})
    text = page.content.decode()
    assert 'data-card="a6"' in text
    assert 'role="alert"' in text


def test_more_to_say_makes_smaller_letters() -> None:
    for paper in card.PAPERS.values():
        made = card.card(EVERY["chengdu"])
        less = {**made, "readings": []}
        assert card.letter_size(less, paper) > card.letter_size(made, paper)
        more = {**made, "readings": made["readings"] * 50}
        assert card.letter_size(more, paper) == 12


@pytest.mark.parametrize("language", ["", "/zh-hant", "/en"])
def test_the_card_is_a_picture_without_scripts_too(client: Client, language: str) -> None:
    """Everything that the paper says stands in the drawing, within its edges."""
    for ruleset in engine.ids():
        answer = client.get(f"{language}/house/card.svg", {"rules": ruleset, "name": "<b>"})
        assert answer["Content-Type"] == "image/svg+xml"
        picture = ElementTree.fromstring(answer.content)
        texts = picture.findall("{*}text")
        high, broad = int(picture.attrib["height"]), int(picture.attrib["width"])
        assert all(0 < int(text.attrib["y"]) < high for text in texts)
        assert all(0 < int(text.attrib["x"]) < broad for text in texts)
        said = "".join(text.text or "" for text in texts).replace(" ", "")
        assert "<b>" in said
        page = client.get(f"{language}/house/card/", {"rules": ruleset, "name": "<b>"})
        for row in re.findall(
            r'data-card-\w+="[\w.]+"><span>([^<]+)</span>', page.content.decode()
        ):
            assert unescape(row).replace(" ", "") in said
        assert picture.find(".//{*}g/{*}svg") is not None


def test_no_picture_is_made_of_rules_that_cannot_be(client: Client) -> None:
    assert client.get("/house/card.svg", {"rules": "laok", "opt": "hat:1"}).status_code == 422


def test_without_scripts_the_card_offers_its_picture(client: Client) -> None:
    page = client.get("/house/card/", {"rules": "laok", "opt": "cap:4", "name": "a"})
    found = re.search(r'<noscript>.*?href="([^"]+)" download', page.content.decode())
    assert found
    assert found[1] == "/house/card.svg?rules=laok&amp;opt=cap:4&amp;name=a"
