"""A database that takes no more: it is said, nothing is half booked, and later all goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from calculator.tables import book
from calculator.tables.ledger import Draft
from calculator.tables.models import Table

pytestmark = pytest.mark.django_db(transaction=True)

WRITER = book.Writer("a", "Ann", 1)
#: What PostgreSQL says where it cannot make a file longer.
NO_SPACE = """
CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
CREATE TRIGGER no_space AFTER INSERT ON tables_entry EXECUTE FUNCTION no_space();
"""


@contextmanager
def full_disk() -> Iterator[None]:
    """SQLite really has no page more; PostgreSQL fails as it does then, when it writes an entry."""
    postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if postgres:
            cursor.execute(NO_SPACE)
        else:
            cursor.execute("PRAGMA page_count")
            cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
        yield
        if postgres:
            cursor.execute("DROP FUNCTION no_space CASCADE")
        else:
            cursor.execute("PRAGMA max_page_count = 1073741823")


def test_on_a_full_disk_an_entry_is_refused_whole_and_booked_once_when_there_is_room() -> None:
    table, token = book.opened([Draft("round", "rules=laok")], WRITER, "open")
    phone = Client(HTTP_SEC_FETCH_SITE="same-origin")
    booked: list[str] = []

    def send(name: str) -> int:
        query = f"rules=laok&e={'.'.join([*booked, name])}"
        given = {"device": "b", "who": "Bob", "round": 1, "saw": 1, "key": f"k{len(booked)}"}
        return phone.post(f"/t/{token}/entries", {**given, "query": query}).status_code

    with full_disk():
        long = "p01,1," + "万" * 40
        while (status := send(long)) == 200:
            booked.append(long)
            assert len(booked) < 60, "the disk is never full"
        assert status == 503
        answer = phone.get(f"/t/{token}/")  # what is there can still be read
        assert answer.status_code == 200
        assert book.read(table).head == 1 + len(booked)
    assert send(long) == send(long) == 200
    assert book.read(table).head == Table.objects.get().head == 2 + len(booked)
