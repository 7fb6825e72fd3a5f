"""The site as the worker asks it: one call for one request, without a server in between."""

import json
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

#: One address of each kind: what answering them imports, reads and works out is in the snapshot.
KINDS = (
    "?rules=chengdu&hand=1233455567899p!5p",
    "fragment/result?rules=chengdu&hand=1233455567899p",
    "qr.svg?rules=chengdu",
    "settle/",
    "settle/evening/",
    "house/",
    "compare/?rules=chengdu&hand=1233455567899p!5p",
    "rules/",
    "rules/chengdu/",
    "rules/terms/qing_yi_se/",
    "learn/",
    "learn/tiles/",
    "learn/drill/?kind=value&seed=a&n=0",
    "offline/",
)


def answer(
    method: str, url: str, headers: str = "{}", body: str = ""
) -> tuple[int, list[tuple[str, str]], bytes]:
    """Status, headers and body of what the site says to one request; its headers are JSON."""
    asked, sent = urlsplit(url), body.encode()
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        # The bytes of the path as WSGI has them.
        "PATH_INFO": unquote_to_bytes(asked.path).decode("latin-1"),
        "QUERY_STRING": asked.query,
        "HTTP_HOST": asked.netloc,
        "SERVER_NAME": asked.hostname,
        "SERVER_PORT": str(asked.port or {"https": 443}.get(asked.scheme, 80)),
        "CONTENT_LENGTH": str(len(sent)),
        "CONTENT_TYPE": "application/json" if body else "",
        "wsgi.url_scheme": asked.scheme,
        "wsgi.input": BytesIO(sent),
    }
    for name, value in json.loads(headers).items():
        environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
    status, told = 0, []

    def start_response(line: str, found: list[tuple[str, str]], *_: object) -> Any:
        nonlocal status, told
        status, told = int(line.partition(" ")[0]), found

    response = application(environ, start_response)
    return status, told, b"".join(response)


def warm(origin: str) -> None:
    """Ask one address of each kind in each language, before the memory is kept for later starts."""
    from calculator.offline.views import prefixes

    for prefix in prefixes():
        for kind in KINDS:
            answer("GET", f"{origin}{prefix}{kind}")
