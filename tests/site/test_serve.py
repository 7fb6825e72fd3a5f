"""`manage.py serve`, which is `make run`: the table's own server."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from calculator.management.commands import serve

ROOT = Path(__file__).parents[2]


@pytest.fixture
def port() -> int:
    """A port that is free right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


@pytest.fixture
def server(port: int, tmp_path: Path) -> Iterator[Path]:
    """A running server; what it prints goes to the file."""
    printed = tmp_path / "printed"
    environment = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "0123456789abcdefghij" * 3,
        "STATIC_ROOT": str(tmp_path / "static"),
    }
    with printed.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, ROOT / "manage.py", "serve", "--port", str(port), "--workers", "1"],
            cwd=tmp_path,
            env=environment,
            stdout=out,
            stderr=subprocess.DEVNULL,
        )
        try:
            for _ in range(300):
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield printed
        finally:
            process.terminate()
            process.wait(timeout=15)


def test_the_printed_addresses_are_served_and_no_others(server: Path, port: int) -> None:
    printed = server.read_text("utf-8")
    hosts = re.findall(rf"http://([\w.]+):{port}", printed)
    assert hosts[0] == "localhost"
    for host in [*hosts, "127.0.0.1"]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/healthz", headers={"Host": f"{host}:{port}"}
        )
        assert urllib.request.urlopen(request).status == 200
    wrong = urllib.request.Request(
        f"http://127.0.0.1:{port}/healthz", headers={"Host": "elsewhere.example"}
    )
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(wrong)
    # The address for phones comes as a picture too.
    assert len(hosts) == 1 or "▄" in printed


def test_a_port_that_is_taken_is_said_with_a_way_out(port: int) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", port))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert f"make run PORT={port + 1}" in done.stderr


def test_the_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    with override_settings(BASE_DIR=tmp_path):
        first = serve.kept_key()
        assert serve.kept_key() == first
    file = tmp_path / ".secret-key"
    assert len(first) >= 50
    assert file.stat().st_mode & 0o077 == 0
