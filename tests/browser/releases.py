"""Two releases of the site, one after the other, behind what stands in front of them."""

import os
import secrets
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.deployment import ROOT, free_ports, running

#: What of the engine is the same in both releases.
BUILT = ROOT / "build" / "offline"
#: What a release is made of.
PARTS = ("calculator", "scoring", "templates", "static", "manage.py", "pyproject.toml")

Answer = tuple[int, HTTPMessage, bytes]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A proxy hands a redirection on."""

    def redirect_request(self, *_: object) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))


@dataclass
class Front:
    """One address for both releases: `serve` says which of them answers, and `keeping` whether
    pages are kept as by a cache that heeds no wish for the newest."""

    ports: dict[str, int]
    serve: str
    keeping: bool = False
    kept: dict[str, Answer] = field(default_factory=dict)
    address: str = ""

    def answer(self, path: str, headers: HTTPMessage) -> Answer:
        if self.keeping and path in self.kept:
            return self.kept[path]
        wanted = {name: value for name, value in headers.items() if name.lower() != "connection"}
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[self.serve]}{path}", headers=wanted
        )
        try:
            with OPENER.open(asked, timeout=30) as got:
                answer = got.status, got.headers, got.read()
        except urllib.error.HTTPError as told:
            answer = told.code, told.headers, told.read()
        if self.keeping and "public" in answer[1].get("Cache-Control", ""):
            self.kept[path] = answer
        return answer


def handler(front: Front) -> type[BaseHTTPRequestHandler]:
    """Answers every GET with what the front says."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, body = front.answer(self.path, self.headers)
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() not in ("connection", "content-length", "date", "server"):
                    self.send_header(name, value)
            if status != 304:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is told."""

    return Handler


def copied(folder: Path, name: str) -> Path:
    """The site in a folder of its own, whose frame and whose script say the release's name."""
    tree = folder / name
    tree.mkdir()
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, tree / part)
    for made in (*BUILT.glob("library.*"), *BUILT.glob("runtime.*"), *BUILT.glob("npm/[in]*")):
        there = tree / made.relative_to(ROOT)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.symlink_to(made)
    frame = tree / "templates" / "base.html"
    text = frame.read_text("utf-8")
    frame.write_text(text.replace("<body ", f'<body data-made-by="{name}" ', 1), "utf-8")
    script = tree / "static" / "offline" / "offline.js"
    said = f'document.documentElement.dataset.run = "{name}";'
    script.write_text(f"{script.read_text('utf-8')}\n{said}\n", "utf-8")
    return tree


@contextmanager
def served(tree: Path) -> Iterator[int]:
    """The port of a gunicorn for this folder."""
    (port,) = free_ports(1)
    settings = {
        "SECRET_KEY": secrets.token_urlsafe(64),
        "HTTPS": "0",
        "WEB_CONCURRENCY": "1",
        "STATIC_ROOT": str(tree / "collected"),
    }
    for command in (["collectstatic", "--noinput", "--verbosity", "0"], ["offline"]):
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=tree,
            env={"PATH": os.environ["PATH"], **settings},
            stdout=subprocess.DEVNULL,
            check=True,
        )
    command = (sys.executable, "-m", "calculator.site")
    bound = ("--bind", f"127.0.0.1:{port}")
    with running(tree / "log", port, *command, *bound, folder=tree, **settings):
        yield port


@contextmanager
def in_front(ports: dict[str, int], serve: str) -> Iterator[Front]:
    """The address under which the browser knows the site."""
    front = Front(ports, serve)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler(front)) as server:
        front.address = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield front
        finally:
            server.shutdown()
