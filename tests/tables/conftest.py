"""The site with a database of its own: SQLite, or the PostgreSQL that `DATABASE_URL` names."""

import os
from collections.abc import Iterator

import pytest

from tests.served import Served, manage, served


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A gunicorn with two workers and a database that has its tables."""
    given = {name: os.environ[name] for name in ("DATABASE_URL",) if name in os.environ}
    with served(tmp_path_factory.mktemp("tables"), WEB_CONCURRENCY="2", **given) as running:
        manage(running.environment, "migrate", "--verbosity", "0")
        yield running
