"""The deployment of `docs/deploy` on this machine, for tests and for measuring."""

import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import proxy

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "docs" / "deploy"
HOST = "suanfan.example"

Process = subprocess.Popen[bytes]


def free_ports(number: int) -> list[int]:
    """Ports that nobody listens on right now."""
    probes = [socket.socket() for _ in range(number)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def wait_for(port: int, process: Process, log: Path) -> None:
    """Return once something listens on the port."""
    for _ in range(300):
        if process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text()}")


@contextmanager
def running(
    log: Path, port: int, *command: str, folder: Path = ROOT, **environment: str
) -> Iterator[Process]:
    """A server, from the moment it listens until it is told to stop."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=out,
            stderr=out,
            env={"PATH": os.environ["PATH"], **environment},
        )
        try:
            wait_for(port, process, log)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def instance_command(port: int) -> list[str]:
    """The command of the systemd unit, with this Python and on this port."""
    unit = (DEPLOY / "suanfan@.service").read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    _python, *rest = shlex.split(line.replace("%i", str(port)))
    return [sys.executable, *rest]


def nginx_configuration(
    folder: Path,
    ports: tuple[int, int],
    instances: tuple[int, int],
    changes: dict[str, str],
    encrypted: bool,
) -> Path:
    """The example's configuration on these ports and in this folder, with changes."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    changes = {
        "listen 80": f"listen 127.0.0.1:{ports[1]}",
        "listen 443 ssl": f"listen 127.0.0.1:{ports[0]} ssl",
        "/etc/ssl/suanfan": str(folder),
        "127.0.0.1:8001": f"127.0.0.1:{instances[0]}",
        "127.0.0.1:8002": f"127.0.0.1:{instances[1]}",
        "/var/cache/nginx/suanfan": f"{folder}/cache",
        "/var/log/nginx/suanfan.log": f"{folder}/access.log",
        "/srv/suanfan/docs/deploy/pages": f"{DEPLOY}/pages",
        **changes,
    }
    if not encrypted:
        changes["listen 443 ssl"] = f"listen 127.0.0.1:{ports[0]}"
        changes["    ssl_reject_handshake on;\n"] = ""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "whole.conf"
    whole.write_text(
        f"{'user root;' if os.geteuid() == 0 else ''}\nworker_processes 1;\n"
        f"pid {folder}/pid;\nerror_log {folder}/error.log info;\n"
        f"events {{ worker_connections 256; }}\nhttp {{\n{own}{text}}}\n",
        "utf-8",
    )
    return whole


@dataclass(frozen=True)
class Site:
    """Two instances behind nginx."""

    port: int
    unencrypted: int
    instances: tuple[int, int]
    processes: tuple[Process, Process]
    folder: Path


def prepared(folder: Path, encrypted: bool) -> dict[str, str]:
    """The settings of an instance whose static files lie in this folder."""
    settings = {
        "SECRET_KEY": secrets.token_urlsafe(64),
        "ALLOWED_HOSTS": HOST,
        "BEHIND_PROXY": "1",
        "WEB_CONCURRENCY": "1",
        "STATIC_ROOT": str(folder / "static"),
        "HTTPS": "1" if encrypted else "0",
    }
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **settings},
        check=True,
    )
    return settings


@contextmanager
def instance(folder: Path) -> Iterator[int]:
    """The port of one instance with nothing in front of it, as on a table's own network."""
    (port,) = free_ports(1)
    command = instance_command(port)
    with running(folder / "log", port, *command, **prepared(folder, encrypted=False)):
        yield port


@contextmanager
def site(folder: Path, changes: dict[str, str], *, encrypted: bool = True) -> Iterator[Site]:
    """The whole deployment, with `changes` to nginx's configuration."""
    nginx = proxy.find()
    assert nginx, proxy.MISSING
    port, unencrypted, first, second = free_ports(4)
    settings = prepared(folder, encrypted)
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "rsa:2048"),
            *("-subj", f"/CN={HOST}", "-keyout", "key.pem", "-out", "fullchain.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    whole = nginx_configuration(folder, (port, unencrypted), (first, second), changes, encrypted)
    one = running(folder / "first", first, *instance_command(first), **settings)
    two = running(folder / "second", second, *instance_command(second), **settings)
    front = running(folder / "front", port, nginx, "-c", str(whole), "-g", "daemon off;")
    with one as a, two as b, front:
        yield Site(port, unencrypted, (first, second), (a, b), folder)
