"""What all tests share."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from calculator.words import catalogues


def pytest_sessionstart() -> None:
    """Tests read today's translations, and have a key as a served site does."""
    settings.SECRET_KEY = "0123456789-for-tests-only-" * 2
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
