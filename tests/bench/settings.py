"""The site's own settings, with one view more."""

from calculator.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
