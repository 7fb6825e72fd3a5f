"""The settings fail loudly, and what they promise is in the answers."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client, override_settings

from calculator.logs import JsonFormatter

ROOT = Path(__file__).parents[1]
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
    [("SECRET_KEY", "short"), ("DEBUG", "yes"), ("HTTPS", "true"), ("ALLOWED_HOSTS", " , ")],
)
def test_a_value_that_cannot_be_read_stops_the_start_by_name(name: str, value: str) -> None:
    done = manage("check", **{"SECRET_KEY": KEY, name: value})
    assert done.returncode != 0
    assert name in done.stderr


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


def test_an_answer_is_compressed_for_those_who_ask_and_says_so(client: Client) -> None:
    plain = client.get("/api/v1/rules/laok")
    packed = client.get("/api/v1/rules/laok", headers={"accept-encoding": "gzip"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]


def test_an_unchanged_answer_need_not_be_sent_again(client: Client) -> None:
    first = client.get("/api/v1/rules")
    again = client.get("/api/v1/rules", headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
