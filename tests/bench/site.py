"""A result, as fragment and as JSON, through gunicorn on loopback, against a view doing nothing.

All are served by the same worker, behind the same middleware, and asked for in turn.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import IO
from urllib.parse import urlencode

from scoring.notation import format_tiles
from tests.bench.deals import Deal

ROOT = Path(__file__).resolve().parents[2]
EMPTY, FRAGMENT, SCORE = "/bench-empty", "/fragment/result", "/api/v1/score"
COMPARE, PAGE = "/fragment/compare", "/"
ROUNDS = 400


def _run(log: IO[str], *command: str, static: str) -> subprocess.Popen[str]:
    """A module of this Python, with the site's production settings and its own static files."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
        "SECRET_KEY": "for-the-benchmark-only-" + "0123456789" * 4,
        "STATIC_ROOT": static,
        "HTTPS": "0",
        "DEBUG": "0",
    }
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=environment,
        stdout=log,
        stderr=log,
        text=True,
    )


def _partials(deal: Deal) -> dict[str, str]:
    """The addresses of a result, of waits, of discards and of a comparison, for one hand."""
    tiles = sorted(deal.tiles)
    # One tile of a suit that the hand has fewest of, in place of the winning one: no win.
    suits = [sum(tile // 9 == suit for tile in tiles) for suit in range(3)]
    stray = 9 * suits.index(min(suits)) + 4
    asked = {
        "result": (FRAGMENT, tiles),
        "waits": (FRAGMENT, sorted(deal.tiles[:-1])),
        "discards": (FRAGMENT, [*sorted(deal.tiles[:-1]), stray]),
        "comparison": (COMPARE, tiles),
        "page": (PAGE, tiles),
    }
    return {
        what: f"{path}?{urlencode({'rules': 'chengdu', 'hand': format_tiles(those)})}"
        for what, (path, those) in asked.items()
    }


@contextmanager
def served() -> Iterator[int]:
    """The port of a gunicorn with one thread; what it said is told where something goes wrong."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as static, tempfile.TemporaryFile("w+") as log:
        _run(log, "django", "collectstatic", "--noinput", static=static).wait()
        server = _run(
            log,
            *("gunicorn", "django.core.wsgi:get_wsgi_application()"),
            *("--bind", f"127.0.0.1:{port}", "--worker-class", "gthread", "--threads", "1"),
            static=static,
        )
        try:
            yield port
        except OSError as error:
            log.seek(0)
            raise SystemExit(f"{error}; the server said:\n{log.read()[-2000:]}") from error
        finally:
            server.terminate()
            server.wait()


def result(hands: list[Deal]) -> Iterator[tuple[str, str]]:
    """Median times, one connection, a new hand each time."""
    spent: dict[str, list[float]] = {}
    with served() as port:
        connection = connect(port)
        for deal, other in zip(hands[:ROUNDS], hands[ROUNDS:], strict=False):
            for what, address in _partials(deal).items():
                spent.setdefault(f"one {what}", []).append(_time(connection, address))
            nothing = spent.setdefault("an empty view", [])
            nothing.append(_time(connection, EMPTY))
            asked = {"ruleset": "chengdu", "hand": format_tiles(sorted(other.tiles))}
            api = spent.setdefault("one score of the interface", [])
            api.append(_time(connection, SCORE, json.dumps(asked)))
    for what, times in spent.items():
        yield f"{what} through gunicorn, median", f"{1000 * median(times):.2f} ms"
        yield f"{what}: multiple of the empty view", f"{median(times) / median(nothing):.1f} ×"
    # The page asks for the comparison when somebody scrolls to it; as one answer they would share
    # what the empty view takes.
    both = median(spent["one result"]) + median(spent["one comparison"]) - median(nothing)
    yield "result and comparison as one: multiple", f"{both / median(nothing):.1f} ×"
    page = median(spent["one page"]) / median(spent["one result"])
    yield "one page: multiple of its result", f"{page:.1f} ×"


def connect(port: int) -> http.client.HTTPConnection:
    """A kept connection to the server, once it answers."""
    for _ in range(100):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            _time(connection, EMPTY)
            return connection
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise TimeoutError("gunicorn does not answer")


def _time(connection: http.client.HTTPConnection, address: str, body: str | None = None) -> float:
    begin = time.perf_counter()
    connection.request("POST" if body else "GET", address, body)
    response = connection.getresponse()
    response.read()
    spent = time.perf_counter() - begin
    if response.status != 200:
        raise OSError(f"{address} answered {response.status}")
    return spent
