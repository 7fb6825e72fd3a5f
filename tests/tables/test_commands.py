"""`manage.py tables`: listed without a way in, written out whole, forgotten in time."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from calculator.management.commands import tables
from calculator.tables import book
from calculator.tables.ledger import Draft
from calculator.tables.models import Entry, Table

pytestmark = pytest.mark.django_db

ANN = book.Writer("a", "Ann", 0)
DRAFTS = [Draft("round", "rules=laok&n=Ann,Bob,Cat,Dan"), Draft("add", "wd1,02")]


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("tables", *arguments, stdout=out, lang="zh-hans")
    return out.getvalue()


def test_a_list_names_tables_and_opens_none() -> None:
    _, token = book.opened(DRAFTS, ANN, "open")
    listed = said()
    assert listed.split()[-1] == "2"
    assert token not in listed


def test_without_tables_the_list_is_empty() -> None:
    assert said().strip() == ""


def test_an_export_holds_the_rounds_and_every_entry() -> None:
    table, token = book.opened(DRAFTS, ANN, "open")
    written = said("export", str(table.pk))
    found = json.loads(written)
    assert found["rounds"] == ["rules=laok&n=Ann,Bob,Cat,Dan&e=wd1,02"]
    assert [(entry["seq"], entry["who"], entry["kind"]) for entry in found["entries"]] == [
        (1, "Ann", "round"),
        (2, "Ann", "add"),
    ]
    assert token not in written


def test_a_table_expires_thirty_days_after_its_last_entry() -> None:
    old, _ = book.opened(DRAFTS, ANN, "open")
    new, _ = book.opened(DRAFTS, ANN, "open")
    for table, days in ((old, 31), (new, 29)):
        when = table.touched - timedelta(days=days)
        Table.objects.filter(pk=table.pk).update(touched=when)
    assert tables.expire() == 1
    assert list(Table.objects.all()) == [new]
    assert set(Entry.objects.values_list("table", flat=True)) == {new.pk}


def test_an_entry_later_than_now_shuts_nobody_out() -> None:
    """The clock was set back: what was written before is in the future."""
    table, _ = book.opened(DRAFTS, ANN, "open")
    Entry.objects.update(at=table.touched + timedelta(hours=2))
    kept = book.read(table)
    assert book.write(kept, [Draft("add", "k3c")], book.Writer("b", "Bob", 2), "k").head == 3
