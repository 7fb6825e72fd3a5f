"""Every migration of the shared tables, forward and back, over an evening that is kept."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.test import Client

from calculator.tables import book
from calculator.tables.ledger import Draft
from calculator.tables.models import Entry, Link, Table

pytestmark = pytest.mark.django_db(transaction=True)

APP = "tables"
WRITER = book.Writer("a", "Ann", 1)
NAMES = sorted(name for app, name in MigrationLoader(None).disk_migrations if app == APP)


def migrated(name: str | None) -> None:
    MigrationExecutor(connection).migrate([(APP, name)])


@pytest.fixture(autouse=True)
def newest_again() -> Iterator[None]:
    """The tests that come after find every table."""
    yield
    migrated(NAMES[-1])


def kept() -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table of ours, whatever columns there are."""
    found = {}
    with connection.cursor() as cursor:
        for name in sorted(connection.introspection.table_names(cursor)):
            if name.startswith("tables_"):
                cursor.execute(f'SELECT * FROM "{name}"')
                found[name] = sorted(cursor.fetchall(), key=repr)
    return found


def an_evening() -> str:
    """A table with two rounds and something of everything; the token that opens it."""
    drafts = [Draft("round", "rules=laok&n=Ann,Bob,Cat,Dan"), Draft("add", "wd1,02")]
    table, token = book.opened([*drafts, *drafts], WRITER, "open")
    last = book.read(table)
    for number, draft in enumerate((Draft("add", "k2c"), Draft("fee", "8,evening,each,"))):
        book.write(last, [draft], WRITER, str(number))
    Client().get(f"/t/{token}/news?rev=9&here=1&device=d&who=Ann")
    return token


def evening_of(token: str) -> bytes:
    answer = Client().get(f"/t/{token}/evening/")
    assert answer.status_code == 200
    return answer.content


@pytest.mark.parametrize("name", NAMES)
def test_an_evening_goes_back_to_any_migration_and_forward_with_nothing_lost(name: str) -> None:
    token = an_evening()
    rows, shown = kept(), evening_of(token)
    migrated(name)
    migrated(NAMES[-1])
    assert (kept(), evening_of(token)) == (rows, shown)


def test_all_the_way_back_nothing_is_left_and_forward_again_a_table_can_be_opened() -> None:
    an_evening()
    migrated(None)
    assert kept() == {}
    migrated(NAMES[-1])
    assert not any(model.objects.exists() for model in (Table, Entry, Link))
    assert b"Ann" in evening_of(an_evening())


def test_the_migrations_are_those_of_the_models() -> None:
    call_command("makemigrations", APP, check=True, dry_run=True, verbosity=0)
