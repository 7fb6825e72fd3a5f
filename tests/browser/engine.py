"""A server whose site runs on the device as well, and a browser in which that was chosen."""

import json
import os
import secrets
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.releases import OPENER
from tests.browser.test_offline import installed
from tests.deployment import ROOT, free_ports, running

#: How long the first start may take on a machine that is busy with other tests.
START = 180_000
UNSEEN = "/zh-hant/?rules=chengdu&hand=1112345678999s!5s"
#: Headers that say which server it was and when, not what the answer is.
OF_A_SERVER = {
    *("date", "server", "connection", "x-request-id", "content-length", "transfer-encoding"),
}
ASK = """async ([module, asked]) => {
  const { ask } = await import(module);
  const answers = [];
  for (const one of asked) {
    const { status, headers, body } = await ask({ do: "answer", ...one });
    answers.push([status, headers, new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)]);
  }
  return answers;
}"""


NAMES = """async () => {
  if (!(await caches.has("engine"))) return [];
  const cache = await caches.open("engine");
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}"""


class Site:
    """A server with the engine's files that can be stopped, and held so that it never answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "SECRET_KEY": secrets.token_urlsafe(64),
            "HTTPS": "0",
            "STATIC_ROOT": str(folder / "static"),
            "WEB_CONCURRENCY": "1",
        }
        for command in (["collectstatic", "--noinput", "--verbosity", "0"], ["offline"]):
            subprocess.run(
                [sys.executable, "manage.py", *command],
                cwd=ROOT,
                env={"PATH": os.environ["PATH"], **self.environment},
                stdout=subprocess.DEVNULL,
                check=True,
            )
        self.stack = ExitStack()
        self.start()

    def start(self) -> None:
        command = (sys.executable, "-m", "gunicorn", "--config", "python:calculator.site.server")
        self.process = self.stack.enter_context(
            running(
                self.folder / "log",
                self.port,
                *(*command, "--bind", f"127.0.0.1:{self.port}"),
                **self.environment,
            )
        )

    def stop(self) -> None:
        self.stack.close()

    @contextmanager
    def gone(self) -> Iterator[None]:
        """No server, for a browser that may be started in the meantime."""
        self.stop()
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """The phone shows a bar, but nothing comes."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=True,
        )
        processes = [self.process.pid, *map(int, listed.stdout.split())]
        for one in processes:
            os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in processes:
                os.kill(one, signal.SIGCONT)

    def module(self) -> str:
        """The script through which pages reach the engine."""
        names = json.loads((self.folder / "static" / "staticfiles.json").read_text("utf-8"))
        return f"/static/{names['paths']['offline/engine.js']}"

    def asked(self, address: str) -> tuple[int, dict[str, str], str]:
        """What the server says."""
        request = urllib.request.Request(f"{self.address}{address}")
        try:
            got = OPENER.open(request, timeout=30)
        except urllib.error.HTTPError as refused:
            got = refused
        with got:
            return got.status, headers_of(got.headers.items()), got.read().decode()


def headers_of(pairs: Any) -> dict[str, str]:
    """The headers of an answer but for those of its server."""
    return {n.lower(): v for n, v in pairs if n.lower() not in OF_A_SERVER}


def choose(page: Page) -> None:
    """Have the engine on this device, as its owner does."""
    installed(page, "/offline/")
    expect(page.locator("[data-engine-get]")).to_contain_text("MB")
    page.locator("[data-engine-get]").tap()
    expect(page.locator("[data-engine-remove]")).to_be_visible(timeout=START)
    expect(page.locator("[data-engine-choice] [role=status]")).to_contain_text("都在这台设备上")
