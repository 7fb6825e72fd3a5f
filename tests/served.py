"""The site as it is served: a gunicorn of this test run's own, with production settings."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INHERITED = ("PATH", "HOME", "LANG")


@dataclass(frozen=True)
class Served:
    """A running site: where it answers, its process, and the environment that it runs in."""

    url: str
    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    @property
    def workers(self) -> list[int]:
        """The processes that answer."""
        master = self.process.pid
        listed = Path(f"/proc/{master}/task/{master}/children").read_text("ascii")
        return [int(pid) for pid in listed.split()]


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def manage(environment: dict[str, str], *command: str) -> None:
    """Run a command of the site."""
    subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True)


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[Served]:
    """Serve the site from a folder that is empty at first; `settings` go into its environment."""
    port = free_port()
    environment = {
        **{name: os.environ[name] for name in INHERITED if name in os.environ},
        "SECRET_KEY": secrets.token_urlsafe(64),
        "HTTPS": "0",
        "STATIC_ROOT": str(folder / "static"),
        "DATABASE_URL": f"sqlite:///{folder / 'tables.sqlite3'}",
        **settings,
    }
    manage(environment, "collectstatic", "--noinput", "--verbosity", "0")
    command = (sys.executable, "-m", "calculator.site")
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen(
            [*command, "--bind", f"127.0.0.1:{port}"], cwd=ROOT, env=environment, stderr=log
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/robots.txt", process, folder / "log")
            yield Served(f"http://127.0.0.1:{port}", process, environment)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=15)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Return once the server answers; fail with its log if it does not come up."""
    for _ in range(150):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")
