"""`manage.py tables`: the shared tables that are kept, written out, and forgotten in time."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext

from calculator.site.console import SpeakingCommand, columns
from calculator.site.wire import dumps
from calculator.tables import book
from calculator.tables.models import Table
from calculator.tables.present import Told

#: So long after its last entry a table is removed.
KEPT_FOR = timedelta(days=30)


class Command(SpeakingCommand):
    help = "List the shared tables, write one out as JSON, or remove those that nobody uses."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="?", choices=("list", "export", "expire"), default="list")
        parser.add_argument("table", nargs="?", type=int, help="the number of the table to export")

    def handle(self, *, what: str, table: int | None, **_: Any) -> None:
        if what == "expire":
            self.stdout.write(gettext("删掉了 %(n)s 桌。") % {"n": expire()})
        elif what == "export":
            self._export(table)
        else:
            rows = list(listed())
            self.stdout.write("\n".join(columns(rows)) if rows else "")

    def _export(self, number: int | None) -> None:
        found = Table.objects.filter(pk=number or 0).first()
        if found is None:
            self.fail(gettext("没有这一桌：%(n)s") % {"n": number})
        self.stdout.write(dumps(exported(found)))


def listed() -> Iterator[tuple[str, ...]]:
    """A row for each table, the one that was used last first. No row opens a table."""
    for table in Table.objects.order_by("-touched"):
        yield str(table.pk), f"{localtime(table.touched):%Y-%m-%d %H:%M}", str(table.head)


def exported(table: Table) -> dict[str, Any]:
    """Everything of a table: its rounds as addresses say them, and its entries as they are kept."""
    told = Told(book.read(table))
    return {
        "format": "suanfan-table",
        "version": 1,
        "rounds": [one.page.query for one in told.ledger.rounds],
        "entries": [
            {
                "seq": entry.seq,
                "at": entry.at.isoformat(),
                "who": entry.who,
                "kind": entry.kind,
                "text": entry.text,
                "round": entry.round,
                "target": entry.target,
            }
            for entry in told.entries
        ],
    }


def expire() -> int:
    """Remove the tables whose last entry is too long ago; how many there were."""
    old = list(Table.objects.filter(touched__lt=timezone.now() - KEPT_FOR))
    for table in old:
        book.removed(table)
    return len(old)
