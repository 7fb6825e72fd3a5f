"""A page names its own address: without what was said or typed on the way, in every language."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from scoring.addresses.round import read_event, write_event

SITE = "http://testserver"
HAND = "rules=laok&hand=123m"
LINK = re.compile(r'<link rel="(canonical|alternate)"(?: hreflang="([^"]+)")? href="([^"]+)">')


def links(client: Client, address: str) -> dict[str, str]:
    """The addresses that a page names as its own, by language; the page's own has none."""
    html = client.get(address, follow=True).content.decode()
    return {language: unescape(link) for _, language, link in LINK.findall(html)}


@pytest.mark.parametrize(
    ("asked", "path", "query"),
    [
        ("/", "/", ""),
        ("/?rules=chengdu", "/", ""),
        (f"/?{HAND}", "/", f"?{HAND}"),
        (f"/?{HAND}&arm=pung&say=nothing&back=rules%3Dlaok", "/", f"?{HAND}"),
        ("/?hand=123m&rules=laok", "/", f"?{HAND}"),
        ("/settle/", "/settle/", ""),
        ("/settle/?rules=laok&e=ws,13&a=k2c&say=fan", "/settle/", "?rules=laok&e=ws,13"),
        ("/settle/evening/?r=1,-1,0,0&x=1", "/settle/evening/", "?r=1,-1,0,0"),
        ("/house/?rules=laok&opt=cap:4&alone=1", "/house/", "?rules=laok&opt=cap:4"),
        (f"/compare/?{HAND}&x=1", "/compare/", f"?{HAND}"),
        (f"/compare/?{HAND}&with=sbr", "/compare/", f"?{HAND}&with=sbr"),
        ("/rules/?q=gen", "/rules/", ""),
        ("/rules/terms/gen/", "/rules/terms/gen/", ""),
        ("/learn/?rules=laok", "/learn/", "?rules=laok"),
        ("/learn/tiles/?n=1&a=x", "/learn/tiles/", "?rules=chengdu&n=1"),
        (
            "/learn/drill/?rules=chengdu&kind=fan&level=1&seed=abc&n=2&a=3",
            "/learn/drill/",
            "?rules=chengdu&kind=fan&level=1&seed=abc&n=2",
        ),
    ],
)
def test_a_page_names_its_own_address_in_every_language(
    client: Client, asked: str, path: str, query: str
) -> None:
    every = {
        "zh-Hans": f"{SITE}{path}{query}",
        "zh-Hant": f"{SITE}/zh-hant{path}{query}",
        "en": f"{SITE}/en{path}{query}",
    }
    assert links(client, asked) == {"": every["zh-Hans"], **every}
    assert links(client, f"/en{asked}") == {"": every["en"], **every}


def test_what_is_no_page_names_no_address(client: Client) -> None:
    assert links(client, "/nowhere/") == {}


@pytest.mark.parametrize("script", ["hand/app.js", "round/round.js", "house/house.js"])
def test_a_script_that_writes_the_address_writes_the_named_one_too(script: str) -> None:
    text = (Path(settings.BASE_DIR) / "static" / script).read_text("utf-8")
    assert '"[rel=canonical], [rel=alternate]"' in text


def test_what_has_a_label_has_a_role_that_takes_one(client: Client) -> None:
    # Without a role a span or a div is nothing that can be named.
    for address in ("/", "/settle/?rules=laok&e=ws,13.k2c", "/settle/evening/?r=1,-1,0,0"):
        html = client.get(address, follow=True).content.decode()
        for tag in re.findall(r"<(?:span|div|p|i|b)\b[^>]*aria-label[^>]*>", html):
            assert " role=" in tag, tag
        assert 'role="menu' not in html


# What the documents show.

ROOT = Path(settings.BASE_DIR)
FILES = (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
TEXTS = {path.name: path.read_text("utf-8") for path in FILES}
#: Addresses with a query, but for those that an ellipsis cuts short.
SHOWN = [
    (name, address)
    for name, text in TEXTS.items()
    for address in re.findall(r"`(/[^`\s]*\?[^`\s…]+)`", text)
]
EVENTS = [
    written
    for row in re.findall(r"^\| [^|]+ \| `[knwx].*\| (.+) \|$", TEXTS["addresses.md"], re.MULTILINE)
    for written in re.findall(r"`([^`]+)`", row)
]


@pytest.mark.parametrize(("document", "address"), SHOWN)
def test_an_address_that_a_document_shows_is_canonical_and_has_no_problem(
    client: Client, document: str, address: str
) -> None:
    response = client.get(address)
    assert response.status_code == 200, document
    assert "data-problem" not in response.content.decode()


def test_every_kind_of_event_has_an_example_that_is_written_as_shown() -> None:
    assert len(SHOWN) >= 3
    assert {written[0] for written in EVENTS} == set("kwxn")
    for written in EVENTS:
        assert write_event(read_event(written)) == written


def test_the_request_of_the_readme_is_answered(client: Client) -> None:
    ((path, body),) = re.findall(r"curl -s localhost:8000(\S+) -d '(.+)'", TEXTS["README.md"])
    answer = client.post(path, body, content_type="application/x-www-form-urlencoded")
    assert answer.json()["status"] == "win"
