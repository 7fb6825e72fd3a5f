"""The distribution's Firefox: found, or installed by `python -m tests.browser.firefox`.

It is driven over Marionette, its own protocol, because Playwright drives only a Firefox of its own
making.
"""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.browser.engine import START
from tests.deployment import free_ports
from tests.packages import apt

NAMES = ("firefox-esr", "firefox")
#: Every look at the page comes so long after the one before.
PAUSE = 0.05


def find() -> str | None:
    """The path of Firefox, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Firefox:
    """A running browser that does as it is told."""

    def __init__(self, port: int) -> None:
        end = time.monotonic() + 60
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), timeout=START / 1000)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(PAUSE)
        self.stream = self.socket.makefile("rb")
        self._read()  # it says who it is
        self.number = 0
        self.told("WebDriver:NewSession")

    def _read(self) -> Any:
        length = b""
        while (char := self.stream.read(1)) != b":":
            length += char
        return json.loads(self.stream.read(int(length)))

    def told(self, command: str, **parameters: Any) -> Any:
        """Its answer to one command."""
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, value = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return value

    def seen(self, script: str) -> Any:
        """What a script of the page returns, as soon as that is something."""
        end = time.monotonic() + START / 1000
        while time.monotonic() < end:
            with suppress(RuntimeError):  # another page comes in between
                if found := self.told("WebDriver:ExecuteScript", script=script, args=[])["value"]:
                    return found
            time.sleep(PAUSE)
        raise TimeoutError(script)

    def goes(self, address: str) -> None:
        """Open an address."""
        self.told("WebDriver:Navigate", url=address)


@contextmanager
def started(program: str, profile: Path) -> Iterator[Firefox]:
    """Firefox on a profile of its own."""
    (port,) = free_ports(1)
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    process = subprocess.Popen(
        (program, "--headless", "--marionette", "--profile", str(profile)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        firefox = Firefox(port)
        yield firefox
        firefox.told("Marionette:Quit", flags=["eAttemptQuit"])
        process.wait(60)
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    if not find():
        apt(NAMES[0])
    print(f"Firefox: {find() or 'none here; its test will be skipped'}")
