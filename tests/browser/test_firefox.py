"""The site on the device in Firefox, as in Chromium."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.contract import score
from tests.browser import firefox
from tests.browser.engine import UNSEEN, Site
from tests.browser.test_engine import asked_hand

# With the other tests of the engine, so that one worker makes its files.
pytestmark = pytest.mark.xdist_group("engine")


@pytest.fixture
def program() -> str:
    """The path of Firefox."""
    path = firefox.find()
    if path is None:
        reason = "no Firefox here: `apt install firefox-esr`"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with the files of the engine."""
    (tmp_path / "site").mkdir()
    made = Site(tmp_path / "site")
    yield made
    made.stop()


def choose(browser: firefox.Firefox, site: Site) -> None:
    """Have the engine on this device, as its owner does."""
    browser.goes(f"{site.address}/offline/")
    browser.seen("return navigator.serviceWorker.controller !== null")
    browser.seen(
        "const get = document.querySelector('[data-engine-get]');"
        "return get.checkVisibility() && (get.click(), true)"
    )
    browser.seen("return document.querySelector('[data-engine-remove]').checkVisibility()")


def test_firefox_started_cold_without_a_server_counts_a_hand_never_seen(
    program: str, site: Site, tmp_path: Path
) -> None:
    with firefox.started(program, tmp_path / "profile") as browser:
        choose(browser, site)
    with site.gone(), firefox.started(program, tmp_path / "profile") as browser:
        browser.goes(site.address + UNSEEN)
        fan = browser.seen("return document.querySelector('[data-fan]')?.dataset.fan")
        assert fan == str(score(asked_hand(UNSEEN))["fan"])
