"""`manage.py serve`: the whole site for a table, on the local network."""

import os
import secrets
import socket
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.utils.translation import gettext

from calculator.settings import HOST
from calculator.site.console import SpeakingCommand
from calculator.site.start import require_static_files

# Any address outside this network will do: connecting a datagram socket sends nothing.
SOMEWHERE_ELSE = ("192.0.2.1", 9)


class Command(SpeakingCommand):
    help = "Serve the site on the local network with gunicorn, as in production but over http."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2)

    def handle(self, *, port: int, workers: int, **_: Any) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                self.fail(
                    gettext("端口 %(port)s 已被占用，换一个：make run PORT=%(other)s")
                    % {"port": port, "other": port + 1}
                )
        try:
            require_static_files()
        except ImproperlyConfigured:
            call_command("collectstatic", interactive=False, verbosity=0)
        prepare_database()
        outward = outward_address()
        environment = {
            **os.environ,
            "DEBUG": "0",
            "HTTPS": "0",
            "SECRET_KEY": os.environ.get("SECRET_KEY") or kept_key(),
            "ALLOWED_HOSTS": os.environ.get("ALLOWED_HOSTS") or ",".join(own_names(outward)),
        }
        self.stdout.write(f"\n  http://localhost:{port}")
        if outward:
            address = f"http://{outward}:{port}"
            self.stdout.write(f"  {address}   " + gettext("（同一网络里的手机）") + "\n\n")
            self.stdout.flush()
            if sys.stdout.encoding.lower().startswith("utf"):
                segno.make(address, error="l").terminal(compact=True)
        sys.stdout.flush()
        os.chdir(settings.BASE_DIR)
        os.execve(
            sys.executable,
            [
                *(sys.executable, "-m", "calculator.site"),
                *("--bind", f"0.0.0.0:{port}", "--workers", str(workers)),
            ],
            environment,
        )


def prepare_database() -> None:
    """The folder and the tables of the database, made or brought to this release."""
    name = settings.DATABASES["default"]["NAME"]
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)


def kept_key() -> str:
    """A secret key of this checkout's own, made once and kept beside the code, unversioned."""
    file = settings.BASE_DIR / ".secret-key"
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(64), "ascii")
    return str(file.read_text("ascii").strip())


def outward_address() -> str | None:
    """The address under which other devices of the local network reach this one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE_ELSE)
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def own_names(outward: str | None) -> list[str]:
    """Every name and address that this machine answers to."""
    host = socket.gethostname()
    names = ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", host, f"{host.split('.')[0]}.local"]
    try:
        listed = subprocess.run(
            ["hostname", "-I"], capture_output=True, text=True, timeout=5, check=False
        ).stdout.split()
    except (OSError, subprocess.TimeoutExpired):
        listed = []
    names += [f"[{address}]" if ":" in address else address for address in listed]
    every = dict.fromkeys([*names, *([outward] if outward else [])])
    return [name for name in every if HOST.fullmatch(name)]
