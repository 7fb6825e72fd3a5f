"""The settings fail loudly, and what they promise is in the answers."""

import gzip
import json
import logging
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.test import Client, RequestFactory, override_settings

from calculator.site import start
from calculator.site.logs import JsonFormatter, request_id
from tests.routes import Route, routes

ROOT = Path(__file__).parents[2]
# /healthz asks the database.
pytestmark = pytest.mark.django_db
KEY = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdef"


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a management command in an environment of its own."""
    return python("manage.py", *arguments, **environment)


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_settings_pass_the_deployment_check() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", SECRET_KEY=KEY)
    assert done.returncode == 0, done.stderr


def test_nothing_is_served_without_a_secret_key() -> None:
    assert "SECRET_KEY is not set" in manage("check").stderr
    served = python("-c", "import calculator.wsgi")
    assert served.returncode != 0
    assert "SECRET_KEY is not set" in served.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "short"),
        ("SECRET_KEY", "a" * 60),
        ("SECRET_KEY", "django-insecure-" + KEY),
        ("DEBUG", "yes"),
        ("HTTPS", "true"),
        ("BEHIND_PROXY", "nginx"),
        ("ALLOWED_HOSTS", " , "),
        ("ALLOWED_HOSTS", "suanfan.example,*"),
        ("ALLOWED_HOSTS", "https://suanfan.example"),
        ("ALLOWED_HOSTS", "localhost,suanfan.example:8000"),
        ("ALLOWED_HOSTS", "suanfan.example/"),
        ("ALLOWED_HOSTS", "2001:db8::1"),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "abc"),
        ("WEB_CONCURRENCY", ""),
    ],
)
def test_a_value_that_cannot_be_read_or_is_unsafe_stops_the_start_by_name(
    name: str, value: str
) -> None:
    done = manage("check", **{"SECRET_KEY": KEY, name: value})
    assert done.returncode != 0
    assert name in done.stderr


def test_the_inside_is_shown_to_this_machine_alone() -> None:
    done = manage("check", SECRET_KEY=KEY, DEBUG="1", ALLOWED_HOSTS="localhost,suanfan.example")
    assert done.returncode != 0
    assert "DEBUG" in done.stderr
    assert manage("check", DEBUG="1").returncode == 0


@pytest.mark.parametrize("host", ["suanfan.example", ".suanfan.example", "10.0.0.7", "[::1]"])
def test_every_way_to_name_a_host_is_taken(host: str) -> None:
    assert manage("check", SECRET_KEY=KEY, ALLOWED_HOSTS=host).returncode == 0


def served(**environment: str) -> str:
    """What the server's own command says before it gives up."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        done = python("-m", "calculator.site", "--bind", f"127.0.0.1:{port}", **environment)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize(("name", "value"), [("WEB_CONCURRENCY", "abc"), ("HTTPS", "maybe")])
def test_the_server_says_in_one_line_what_stops_it(name: str, value: str) -> None:
    said = served(**{"SECRET_KEY": KEY, name: value})
    assert said.startswith(f"{name} must be ")
    assert repr(value) in said
    assert len(said.splitlines()) == 1


#: What may lie where the names of the static files are expected.
MANIFESTS = {
    "nothing": None,
    "an empty file": "",
    "no names": '{"version": "1.1", "paths": {}}',
    "names without their files": '{"version": "1.1", "paths": {"favicon.svg": "favicon.1.svg"}}',
    "no table": "[]",
}


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_nothing_is_served_before_the_static_files_are_collected(
    tmp_path: Path, manifest: str | None
) -> None:
    if manifest is not None:
        (tmp_path / "staticfiles.json").write_text(manifest)
    said = served(SECRET_KEY=KEY, STATIC_ROOT=str(tmp_path))
    assert said.startswith("STATIC_ROOT lacks ")
    assert "collectstatic" in said


def test_what_cannot_be_read_of_a_collection_is_collected_anew(tmp_path: Path) -> None:
    (tmp_path / "staticfiles.json").write_text("")
    collected = manage("collectstatic", "--noinput", STATIC_ROOT=str(tmp_path))
    assert collected.returncode == 0, collected.stderr
    settings = {"SECRET_KEY": KEY, "STATIC_ROOT": str(tmp_path)}
    served = python("-c", "import calculator.wsgi, gc; print(gc.get_freeze_count())", **settings)
    assert served.returncode == 0
    # What has been read by then is looked through by no collection during a request.
    assert int(served.stdout) > 50_000


@pytest.mark.parametrize("compiled", [None, b"", b"no catalogue at all"])
def test_no_language_is_served_without_its_catalogue(
    tmp_path: Path, compiled: bytes | None
) -> None:
    shutil.copytree(ROOT / "calculator" / "locale", tmp_path, dirs_exist_ok=True)
    with override_settings(LOCALE_PATHS=[tmp_path]):
        start.require_catalogues()
        catalogue = tmp_path / "en" / "LC_MESSAGES" / "django.mo"
        catalogue.unlink()
        if compiled is not None:
            catalogue.write_bytes(compiled)
        with pytest.raises(ImproperlyConfigured, match=r"'en'.*texts --compile"):
            start.require_catalogues()


@pytest.fixture
def client() -> Client:
    return Client()


def test_the_health_check_answers(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]


def test_a_wrong_host_is_a_400(client: Client) -> None:
    assert client.get("/healthz", headers={"host": "elsewhere.example"}).status_code == 400


def test_plain_http_is_sent_to_https_in_production() -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        response = Client().get("/api/v1/rules")
    assert response.status_code == 301
    assert response["Location"] == "https://testserver/api/v1/rules"


def test_every_answer_has_the_security_headers_and_no_cookie(client: Client) -> None:
    for address in ("/healthz", "/api/v1/rules", "/nowhere"):
        response = client.get(address)
        policy = response["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Referrer-Policy"] == "same-origin"
        assert response["X-Frame-Options"] == "DENY"
        assert "camera=()" in response["Permissions-Policy"]
        assert response["Cross-Origin-Resource-Policy"] == "same-origin"
        assert not response.cookies


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/nowhere", "zh-hans"),
        ("/zh-hant/nowhere", "zh-hant"),
        ("/en/nowhere", "en"),
        ("/fr/nowhere", "zh-hans"),
        ("//en/nowhere", "zh-hans"),
    ],
)
def test_the_language_comes_from_the_path_alone(client: Client, path: str, language: str) -> None:
    response = client.get(path, headers={"accept-language": "fr,en;q=0.5"})
    assert response["Content-Language"] == language
    assert "Vary" not in response


def test_a_request_leaves_one_line_without_its_query(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "calculator.requests"):
        response = client.get("/healthz?hand=123m")
    assert len(caplog.records) == 1
    line = JsonFormatter().format(caplog.records[0])
    assert "\n" not in line
    assert "123m" not in line
    logged = json.loads(line)
    assert logged["id"] == response["X-Request-ID"]
    assert (logged["method"], logged["path"], logged["status"]) == ("GET", "/healthz", 200)


def test_the_id_of_a_request_is_the_proxy_s_where_one_is_trusted(client: Client) -> None:
    given = "0123456789abcdef" * 2
    assert client.get("/healthz", headers={"x-request-id": given})["X-Request-ID"] != given
    with override_settings(BEHIND_PROXY=True):
        assert client.get("/healthz", headers={"x-request-id": given})["X-Request-ID"] == given
        made_up = client.get("/healthz", headers={"x-request-id": given + "\\n"})
        assert made_up["X-Request-ID"] != given


def test_a_fault_is_logged_under_the_id_of_its_request_and_without_a_query() -> None:
    token = request_id.set("a" * 32)
    record = logging.LogRecord("x", logging.ERROR, "", 0, "Error at /?hand=123m here", (), None)
    line = json.loads(JsonFormatter().format(record))
    request_id.reset(token)
    assert line["id"] == "a" * 32
    assert line["message"] == "Error at /?… here"


@pytest.mark.parametrize("address", ["/", "/fragment/result?rules=chengdu&hand=123m", "/en/rules/"])
def test_pages_and_fragments_may_be_kept_by_anybody_for_a_minute(
    client: Client, address: str
) -> None:
    response = client.get(address)
    assert response["Cache-Control"] == "public, max-age=60"
    assert "Vary" not in response
    assert "Set-Cookie" not in response
    again = client.get(address, headers={"if-none-match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_fragment_is_a_part_and_has_an_address_of_its_own(client: Client) -> None:
    query = "rules=chengdu&hand=11223344556677p"
    page = client.get(f"/?{query}")
    asked_by_htmx = client.get(f"/?{query}", headers={"hx-request": "true"})
    fragment = client.get(f"/fragment/result?{query}", headers={"hx-request": "true"})
    assert asked_by_htmx.content == page.content
    assert b"<html" in page.content
    assert b"<html" not in fragment.content


def test_the_answer_to_head_is_that_to_get_without_its_body(client: Client) -> None:
    # The test client would cut the body off itself, so the handler is asked directly.
    environ = RequestFactory().head("/").environ
    head = get_wsgi_application().get_response(WSGIRequest(environ))
    assert head.content == b""
    assert int(head["Content-Length"]) == len(client.get("/").content)


INLINE = re.compile(
    r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:", re.IGNORECASE
)


@pytest.mark.parametrize("route", [r for r in routes() if r.for_people], ids=lambda r: r.template)
def test_no_page_has_a_script_or_a_style_inside(client: Client, route: Route) -> None:
    for state in ("", "?rules=chengdu&hand=1233455567899p!5p"):
        response = client.get(route.filled() + state, follow=True)
        if not response["Content-Type"].startswith("text/html"):
            return
        page = response.content.decode()
        assert not INLINE.findall(page)
        if "<html" in page:
            for line in ('"allowEval":false', '"includeIndicatorStyles":false'):
                assert line in page


def test_crawlers_are_kept_from_the_endless_states_of_a_page(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain"
    assert b"Disallow: /*?" in response.content


def test_an_answer_is_compressed_for_those_who_ask_and_says_so(client: Client) -> None:
    plain = client.get("/api/v1/rules/laok")
    packed = client.get("/api/v1/rules/laok", headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]


@pytest.mark.parametrize("address", ["/rules/laok/", "/static/site/site.css"])
@pytest.mark.parametrize("accepted", ["gzip;q=0", "br;q=0, gzip; q=0.0", "identity,gzip;q=0.000"])
def test_a_coding_that_is_refused_is_not_used(
    served_files: Client, address: str, accepted: str
) -> None:
    plain = served_files.get(address, headers={"accept-encoding": accepted})
    assert plain.status_code == 200
    assert "Content-Encoding" not in plain
    packed = served_files.get(address, headers={"accept-encoding": "br;q=0, gzip;q=0.5"})
    assert packed["Content-Encoding"] == "gzip"


@pytest.fixture
def served_files(tmp_path: Path) -> Client:
    """A client of a site that has one compressed file, served as in production."""
    sheet = tmp_path / "site" / "site.css"
    sheet.parent.mkdir()
    sheet.write_text("p{}" * 500)
    Path(f"{sheet}.gz").write_bytes(gzip.compress(sheet.read_bytes()))
    with override_settings(STATIC_ROOT=tmp_path):
        client = Client()
        client.handler.load_middleware()
    return client


def test_an_unchanged_answer_need_not_be_sent_again(client: Client) -> None:
    first = client.get("/api/v1/rules")
    again = client.get("/api/v1/rules", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
