"""Asks the tests about one change after another, each in a fork that has loaded no source yet.

Started by `sample.py` in a copy of the project; reads a line `[seconds, [tests], keep, amounts]`
for every question (`keep`: what gets compiled may stay; `amounts`: the environment) and answers
`noticed`, `survived` or `endless`. What takes long to load and is not ours (Django, pytest, …) is
loaded once, before the forks.
"""

import importlib
import json
import os
import signal
import sys
import time
from pathlib import Path

LIBRARIES = (
    *("django.conf", "django.core.management", "django.db", "django.template", "django.test"),
    *("django.test.client", "django.utils.translation", "django.views", "django.urls"),
    *("django.contrib.staticfiles.storage", "django_htmx.middleware", "whitenoise.middleware"),
    *("hypothesis", "hypothesis.strategies", "jsonschema", "numpy", "openapi_spec_validator"),
    *("pytest", "pytest_django.plugin", "playwright.sync_api", "pytest_playwright", "segno"),
)
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header")


def ask(seconds: float, tests: list[str], keep: bool, amounts: dict[str, str]) -> str:
    """What these tests say of the source as it stands."""
    child = os.fork()
    if not child:
        os.setsid()
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        # Nothing compiled of a change may be taken for the source later.
        sys.dont_write_bytecode = not keep
        os.environ.update(amounts)
        code = 1
        try:
            import pytest

            code = int(pytest.main([*OPTIONS, *tests]))
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return "noticed" if status else "survived"
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "endless"


def main() -> None:
    sys.path.insert(0, str(Path.cwd()))
    for name in LIBRARIES:
        importlib.import_module(name)
    ours = [name for name in sys.modules if name.partition(".")[0] in ("scoring", "calculator")]
    assert not ours, ours
    for line in sys.stdin:
        print(ask(*json.loads(line)), flush=True)


if __name__ == "__main__":
    main()
