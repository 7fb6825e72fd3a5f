"""Requests that come to nothing are told so in words, with the right status and no more."""

from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path

from calculator import urls
from calculator.settings import MAX_QUERY

handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500


def broken(_request: HttpRequest) -> HttpResponse:
    """A view with a fault."""
    raise RuntimeError("secret inside")


urlpatterns = [path("broken", broken), path("api/broken", broken), *urls.urlpatterns]


@pytest.fixture
def client() -> Iterator[Client]:
    """A client that sees what users see."""
    with override_settings(ROOT_URLCONF=__name__):
        yield Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("address", "status", "headline"),
    [
        ("/nowhere", 404, "没有这一页"),
        ("/rules/texas/", 404, "没有这一页"),
        ("/rules/terms/nonsense/", 404, "没有这一页"),
        ("/%00", 404, "没有这一页"),
        ("/%ff%fe", 404, "没有这一页"),
        (f"/?hand={'1' * MAX_QUERY}", 414, "地址太长"),
        (f"/settle/?{'&' * MAX_QUERY}a=1", 414, "地址太长"),
        (f"/?{'a=1&' * 300}", 400, "这个地址读不懂"),
    ],
)
def test_a_page_says_what_is_wrong_with_the_address(
    client: Client, address: str, status: int, headline: str
) -> None:
    response = client.get(address)
    assert response.status_code == status
    page = response.content.decode()
    assert f"<h1>{headline}</h1>" in page
    assert 'href="/"' in page
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("strict", [False, True])
def test_pages_are_only_looked_at(client: Client, method: str, strict: bool) -> None:
    client.handler.enforce_csrf_checks = strict
    response = getattr(client, method)("/", {"hand": "123m"})
    assert response.status_code == 405
    assert response["Allow"] == "GET, HEAD"
    assert "<h1>这一页只能看</h1>" in response.content.decode()


def test_a_body_that_is_too_long_for_a_page_is_refused(client: Client) -> None:
    client.handler.enforce_csrf_checks = True
    response = client.post("/", {"hand": "1" * 70_000})
    assert 400 <= response.status_code < 500
    assert b"<h1>" in response.content


@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_the_page_of_a_refusal_speaks_the_language_of_its_path(
    client: Client, language: str
) -> None:
    response = client.get(f"/{language}/nowhere")
    assert response.status_code == 404
    assert response["Content-Language"] == language
    assert f'href="/{language}/"' in response.content.decode()


def test_a_wrong_host_is_a_400_and_is_not_repeated(client: Client) -> None:
    for address in ("/", "/healthz", "/api/v1/rules", "/nowhere"):
        response = client.get(address, headers={"host": "elsewhere.example"})
        assert response.status_code == 400
        assert b"elsewhere" not in response.content


@pytest.mark.parametrize("address", ["//elsewhere.example/x", "/en//elsewhere.example/x"])
def test_no_address_makes_a_page_that_links_to_another_host(client: Client, address: str) -> None:
    # A client would read the start of such an address as a host.
    response = client.get("/", PATH_INFO=address)
    assert response.status_code == 404
    assert b'href="//' not in response.content


def test_programs_are_refused_in_json(client: Client) -> None:
    for address, status in ((f"?a={'1' * MAX_QUERY}", 414), (f"?{'a=1&' * 300}", 400)):
        response = client.get(f"/api/v1/rules{address}")
        assert response.status_code == status
        (error,) = response.json()["errors"]
        assert error["code"]
        assert error["message"]


def test_a_fault_of_ours_is_a_500_that_shows_nothing_of_the_inside(client: Client) -> None:
    response = client.get("/broken?hand=123m")
    assert response.status_code == 500
    page = response.content.decode()
    assert "secret inside" not in page
    assert "Traceback" not in page
    for sentence in ("请过一会儿再试", "請過一會兒再試", "try again"):
        assert sentence in page
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store"
    assert response["X-Request-ID"]


def test_a_fault_of_ours_is_json_for_programs(client: Client) -> None:
    response = client.post("/api/broken", "{}", content_type="application/json")
    assert response.status_code == 500
    assert response.json()["errors"] == [{"code": "server_error"}]
