"""What all tests share."""

import os
import sys
from collections.abc import Iterator

import pytest
from django.test import override_settings

from calculator import catalogues
from scoring.decompose import SUIT_FACTS


def pytest_sessionstart() -> None:
    """Tests read today's translations."""
    catalogues.compile_stale()


@pytest.fixture(scope="session", autouse=True)
def served_in_process() -> Iterator[None]:
    """The test client speaks http and has no collected files; the browser tests have both."""
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    with override_settings(
        SECURE_SSL_REDIRECT=False,
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": plain},
        },
    ):
        yield


@pytest.fixture(autouse="FRESH_CACHES" in os.environ)
def fresh_caches() -> None:
    """In a mutation run every test works everything out itself, so that it is known for whom."""
    for name, module in list(sys.modules.items()):
        if name.startswith("scoring."):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
    SUIT_FACTS.clear()
