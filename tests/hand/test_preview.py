"""Links carry a title, a line and a picture with the value; devices can install the site."""

import json
import re
from collections.abc import Mapping
from html import unescape
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from django.test import Client

from calculator.hand.picture import CHARACTERS, Picture, _letters, png, svg
from calculator.site import build

FULL_FLUSH = {"rules": "chengdu", "hand": "1233455567899p!5p"}
READY = {"rules": "chengdu", "hand": "1112223p[999p](2222s)"}


def properties(page: str) -> dict[str, str]:
    return {
        name: unescape(value)
        for name, value in re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page)
    }


def head(client: Client, path: str, given: Mapping[str, str]) -> dict[str, str]:
    return properties(client.get(path, given).content.decode())


def size(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n")
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


@pytest.mark.parametrize(
    ("path", "title", "value"), [("/", "3番 · 8倍", "8倍"), ("/en/", "3 fan · ×8", "×8")]
)
def test_a_link_to_a_hand_previews_its_value_its_rules_and_its_picture(client, path, title, value):
    found = head(client, path, FULL_FLUSH)
    assert title in found["og:title"]
    assert value in found["og:description"]
    assert found["og:url"] == f"http://testserver{path}?rules=chengdu&hand=1233455567899p!5p"
    picture = found["og:image"].removeprefix("http://testserver")
    answer = client.get(picture)
    assert answer["Content-Type"] == "image/png"
    assert size(answer.content) == (1200, 630)


def test_the_house_rules_stand_in_the_line_under_the_title(client):
    assert "3番封顶" in head(client, "/", {**FULL_FLUSH, "opt": "cap:3"})["og:description"]


@pytest.mark.parametrize("path", ["/rules/", "/learn/", "/settle/", "/compare/", "/house/", "/en/"])
def test_every_page_has_a_picture(client, path):
    picture = head(client, path, {})["og:image"].removeprefix("http://testserver")
    assert client.get(picture).status_code == 200


def test_a_link_to_a_round_previews_its_balance(client):
    found = head(client, "/settle/", {"rules": "laok", "e": "ws,13"})
    assert "+72" in found["og:title"]
    assert "24" in found["og:description"]
    assert found["og:url"].endswith("/settle/?rules=laok&e=ws,13")


def test_whoever_previews_a_link_may_fetch_the_page_and_its_picture(client):
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    for path in ("/?rules=chengdu&hand=55m", "/en/preview.png?rules=chengdu&hand=55m"):
        assert robots.can_fetch("Twitterbot", path)
        assert robots.can_fetch("facebookexternalhit", path)
    assert not robots.can_fetch("Twitterbot", "/api/v1/rules")


def test_the_picture_may_be_kept_for_a_day(client):
    for path in ("/preview.png", "/preview.svg"):
        assert client.get(path, FULL_FLUSH)["Cache-Control"] == "public, max-age=86400"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"hand": "nonsense"},
        {"hand": "1" * 5000},
        {"rules": "none", "hand": "55m"},
        {"hand": "123456789m123456789p123456789s"},
        {"hand": "5555555m"},
        {"hand": "[111p][222p][333p][444p]5p", "rules": "majsoul"},
        {"rules": "yaoji", "hand": "1s1s1s1s234m"},
    ],
)
def test_any_address_has_a_picture_of_bounded_size(client, given):
    for kind in ("png", "svg"):
        answer = client.get(f"/preview.{kind}", given)
        assert answer.status_code == 200
        assert len(answer.content) < 150_000


def test_the_picture_shows_the_hand_with_melds_apart_and_the_winning_tile_last():
    picture = svg(Picture(text="3番", groups=(("1m", "2m"), ("back", "9p", "9p", "back"))))
    assert ElementTree.fromstring(picture).attrib["viewBox"] == "0 0 1200 630"
    assert not re.search(r"<(text|image|style|script|use)\b|href|var\(", picture)
    assert png(Picture(text="", groups=(("1m",),))) != png(Picture(text="", groups=(("2m",),)))


def test_the_picture_of_a_ready_hand_shows_its_waits(client):
    ready = client.get("/preview.svg", READY).content
    assert ready != client.get("/preview.svg", {**READY, "hand": "1112224p[999p](2222s)"}).content


def test_every_letter_of_the_picture_has_an_outline():
    assert set(_letters()) == set(CHARACTERS)


# ------------------------------------------------------------------ the app


@pytest.mark.parametrize(
    ("prefix", "lang"), [("", "zh-Hans"), ("zh-hant/", "zh-Hant"), ("en/", "en")]
)
def test_each_language_installs_as_an_app_of_its_own_words(client, prefix, lang):
    page = client.get(f"/{prefix}").content.decode()
    address = re.search(r'<link rel="manifest" href="([^"]+)"', page)
    assert address is not None
    assert address[1] == f"/{prefix}manifest.webmanifest"
    answer = client.get(address[1])
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["lang"] == lang
    assert manifest["start_url"] == f"/{prefix}"
    assert manifest["scope"] == "/"
    assert {"192x192", "512x512"} == {icon["sizes"] for icon in manifest["icons"]}
    assert {"any", "maskable"} == {icon["purpose"] for icon in manifest["icons"]}
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_the_service_worker_stands_at_the_root_and_is_asked_for_anew(client):
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert f'const RELEASE = "{build.mark()}"' in script
    assert client.get("/")["X-Release"] == build.mark()
    assert '["/", "/zh-hant/", "/en/"]' in script
    assert "&quot;" not in script


def test_a_report_carries_address_version_and_numbers(client):
    page = client.get("/", FULL_FLUSH).content.decode()
    found = re.search(r'data-copy="([^"]+)" data-report', page)
    assert found is not None
    report = unescape(found[1]).splitlines()
    assert report[0] == "http://testserver/?rules=chengdu&hand=1233455567899p!5p"
    assert report[1] == f"算番 {build.version()} {build.mark()}"
    assert report[2] == "win, fan 3, uncapped_fan 3, multiple 8, points 8"
    assert report[3:] == ["qing_yi_se: fan 2, count 1", "gen: fan 1, count 1"]
