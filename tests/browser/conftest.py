"""The site as users meet it: gunicorn under production settings, a real Chromium, a phone."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import chromium
from tests.served import manage, served

# How long a page may take on a busy machine; what it must show is not changed by that.
expect.set_options(timeout=20_000)

ROOT = Path(__file__).parents[2]
PHONE: dict[str, Any] = {
    "viewport": {"width": 375, "height": 667},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "locale": "zh-CN",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts the browser."""
    path = chromium.find()
    if path is None:
        reason = "no Chromium launches here"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return {"executable_path": path, "args": chromium.ARGUMENTS}


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a gunicorn of this test run's own; `page.goto("/")` goes there."""
    with served(tmp_path_factory.mktemp("served")) as site:
        manage(site.environment, "migrate", "--verbosity", "0")
        yield site.url


@pytest.fixture(scope="session")
def browser_context_args(base_url: str) -> dict[str, Any]:
    """Every `page` of the tests is a phone, 375 px wide, with touch."""
    return {**PHONE, "base_url": base_url}


@pytest.fixture
def plain_context(browser: Browser, base_url: str) -> Iterator[BrowserContext]:
    """The same phone with JavaScript switched off."""
    context = browser.new_context(**PHONE, base_url=base_url, java_script_enabled=False)
    yield context
    context.close()


@pytest.fixture
def plain_page(plain_context: BrowserContext) -> Page:
    """A page without JavaScript."""
    return plain_context.new_page()
