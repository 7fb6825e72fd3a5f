"""A Chromium that launches: found, or installed by `python -m tests.browser.chromium`."""

import os
import shutil
import subprocess
import sys
from functools import cache

from playwright.sync_api import Error, sync_playwright

from tests.packages import ROOT, apt, run

#: The same engine without windows first: its tests take a third less time.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
FONT = "fonts-noto-cjk"
# As root Chromium starts only without its own sandbox.
ARGUMENTS = ["--no-sandbox"] if ROOT else []


@cache
def find() -> str | None:
    """The path of a Chromium that really launches, or None."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        for path in [*map(shutil.which, NAMES), own]:
            if path and os.access(path, os.X_OK):
                try:
                    playwright.chromium.launch(executable_path=path, args=ARGUMENTS).close()
                except Error:
                    continue
                return path
    return None


def has_chinese_font() -> bool:
    """Whether a page in Chinese can be drawn."""
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", ":lang=zh"], capture_output=True, check=False)
    return bool(listed.stdout.strip())


def install() -> None:
    """Chromium and a Chinese font from the distribution, else Playwright's own Chromium."""
    for browser in NAMES[:2]:
        if not find() and apt(browser):
            find.cache_clear()
    if not has_chinese_font():
        apt(FONT)
    if not find():
        print("Installing Playwright's Chromium …", flush=True)
        run(sys.executable, "-m", "playwright", "install", "chromium")
        find.cache_clear()


if __name__ == "__main__":
    if not (find() and has_chinese_font()):
        install()
    print(f"Chromium: {find() or 'none launches here; the browser tests will be skipped'}")
