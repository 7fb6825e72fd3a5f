"""No input reaches a 5xx: a crawl with hostile inputs over every address of the site.

The addresses come from the URLconf and the parameters from the forms, so what is added later is
crawled too.
"""

import json
import random
from urllib.parse import quote

import pytest
from django.test import Client

from tests.routes import Route, parameters, routes

# A shared table is looked for in the database.
pytestmark = pytest.mark.django_db

LONG = 10_000
MANY = 2_000

#: Values already in percent-escapes: what a browser or an attacker may put into an address.
HOSTILE = {
    "nothing": "",
    "nul": "%00",
    "nul inside": "123m%00456p",
    "bytes that are no UTF-8": "%ff%fe%c0%80%ed%a0%80",
    "half an escape": "%",
    "broken escapes": "%zz%1",
    "newlines": "a%0d%0aSet-Cookie:%20a=b",
    "right to left": quote("\u202e\u2066123m\u0000"),
    "other planes": quote("🀇🀈🀉😀\U0010ffff"),
    "other digits": quote("١٢٣²³½９９m"),
    "combining": quote("1" + "\u0301" * 300),
    "markup": quote("<script>alert(1)</script>\"'>{{7*7}}{% load %}"),
    "paths": quote("../../etc/passwd%2e%2e/"),
    "brackets": quote("[" * 200 + "](" * 100),
    "a number": "9" * 300,
    "a negative": "-1",
    "an exponent": "1e999",
    "a float": "nan",
    "separators": quote(",:;.-_~!|" * 40),
    "huge options": quote(",".join(f"fans.{name}:99" for name in ["gen"] * 200)),
    "deep options": quote("a." * 400 + ":1"),
    "options": quote("cap:-1,base:1e9,base:0.001,pig.points:cap,kong_points.x:1,joker:9z,fans:1"),
    "actions": quote("tile:9z:x,meld:99:pung,undo,by:,arm::,rules:chengdu:x"),
    "events": quote("k2e5m0.w9.d.x~~.w0f99.k.k.e3.(((.draw"),
    "long": "1" * MANY,
    "long, wide": quote("万" * 700),
}
#: Longer than any address that a server passes on; a proxy in front may.
TOO_LONG = {"long": "1" * LONG, "options": quote("fans.gen:1," * 1000), "wide": quote("万" * LONG)}

PARTS = ["%00", "%ff", "x" * MANY, quote("清一色"), "-", "..%2f..%2f", "a%20b", "_", "%0a"]


@pytest.fixture(scope="module")
def client() -> Client:
    """A client that raises what would be a 500, so that the cause is seen."""
    return Client()


def get(client: Client, address: str) -> int:
    response = client.get(address)
    where = address[:300]
    assert response.status_code < 500, where
    assert not response.cookies, where
    assert "Set-Cookie" not in response, where
    return response.status_code


ROUTES = routes()
# In the other languages the same views answer; a few requests each will do there.
FIRST = [route for route in ROUTES if not route.template.startswith(("/en/", "/zh-hant/"))]
OTHERS = [route for route in ROUTES if route not in FIRST]


def named(route: Route) -> str:
    return route.template


@pytest.mark.parametrize("route", FIRST, ids=named)
def test_hostile_values_of_every_parameter_do_no_harm(client: Client, route: Route) -> None:
    names = parameters()
    address = route.filled()
    for at, value in enumerate(HOSTILE.values()):
        get(client, f"{address}?" + "&".join(f"{name}={value}" for name in names))
        name = names[at % len(names)]
        get(client, f"{address}?{name}={value}&{name}=1&{name}={value}")
    chance = random.Random(route.template)
    for name in names:
        value = chance.choice(list(HOSTILE.values()))
        get(client, f"{address}?rules=yaoji&hand=123m&{name}={value}")


#: What other sites of the host, or a Django of old, may have left in a browser.
COOKIES = {"csrftoken": "x", "sessionid": "y", "django_language": "en", "messages": "z"}


@pytest.mark.parametrize("route", ROUTES, ids=named)
def test_a_cookie_changes_no_answer_and_none_is_set_for_it(route: Route) -> None:
    plain, carrying = Client(), Client()
    carrying.cookies.load(COOKIES)
    for method in ("get", "post"):
        expected, answer = (getattr(who, method)(route.filled()) for who in (plain, carrying))
        assert answer.status_code == expected.status_code
        assert answer.content == expected.content
        assert not answer.cookies
        assert "Cookie" not in answer.get("Vary", "")


@pytest.mark.parametrize("route", OTHERS, ids=named)
def test_hostile_values_do_no_harm_in_any_language(client: Client, route: Route) -> None:
    names = parameters()
    for value in random.Random(route.template).sample(list(HOSTILE.values()), 4):
        get(client, f"{route.filled()}?" + "&".join(f"{name}={value}" for name in names))


@pytest.mark.parametrize("route", [r for r in FIRST if r.for_people], ids=named)
def test_what_no_address_would_hold_is_refused_in_words(client: Client, route: Route) -> None:
    for value in TOO_LONG.values():
        assert get(client, f"{route.filled()}?hand={value}") == 414
    # An address that only leads to a file reads no parameters at all.
    # The worker of the engine is there where its files are built.
    others = {"/favicon.ico": {302}, "/engine.js": {200, 400, 404}}
    expected = others.get(route.filled(), {200, 400})
    assert get(client, f"{route.filled()}?" + "a=1&" * 1_500) in expected


@pytest.mark.parametrize("route", [r for r in FIRST if r.parts], ids=named)
def test_hostile_parts_of_a_path_are_found_or_not(client: Client, route: Route) -> None:
    for part in PARTS:
        assert get(client, route.filled(part)) in (200, 301, 302, 404, 405)
        get(client, f"{route.filled(part)}?hand=%00")


@pytest.mark.parametrize("route", FIRST, ids=named)
def test_every_method_gets_an_answer(client: Client, route: Route) -> None:
    bodies = [b"", b"\x00\xff", b"[" * 20_000, json.dumps({"hand": "1" * LONG}).encode()]
    for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "BREW"):
        for body in bodies:
            response = client.generic(method, route.filled(), body, "application/json")
            assert response.status_code < 500
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x", "text/plain; charset=x"):
        response = client.generic("POST", route.filled(), b"--x\r\n\x00", kind)
        assert response.status_code < 500


@pytest.mark.parametrize("route", ROUTES, ids=named)
def test_looking_without_the_body_is_like_looking(client: Client, route: Route) -> None:
    head, got = client.head(route.filled()), client.get(route.filled())
    assert head.status_code == got.status_code
    assert not head.content
    for name in ("Content-Type", "Content-Language", "Cache-Control"):
        assert head.get(name) == got.get(name)


def test_hostile_headers_do_no_harm(client: Client) -> None:
    for value in ("\x00", "é" * 500, "x" * LONG, "a,b;q=z,*;q=9", "W/" * 100, "bytes=9-1,-"):
        for name in (
            "accept-language",
            "accept-encoding",
            "if-none-match",
            "if-modified-since",
            "range",
            "x-forwarded-proto",
            "x-request-id",
            "hx-request",
            "hx-current-url",
            "cookie",
            "referer",
            "content-type",
        ):
            for address in ("/", "/fragment/result?rules=chengdu&hand=123m", "/api/v1/rules"):
                assert client.get(address, headers={name: value}).status_code < 500


def test_a_host_with_anything_in_it_is_a_400(client: Client) -> None:
    for host in ("", "a b", "testserver:99999999", "testserver@x", "[::1", "testserver/../", "%00"):
        assert client.get("/", headers={"host": host}).status_code in (200, 400)
