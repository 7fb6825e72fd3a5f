"""Writing into a ledger: one writer after another, nothing twice, nobody overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from calculator.tables.ledger import ROUND, Draft, Ledger, further, meet
from calculator.tables.models import MAX_TEXT, Entry, Link, Table
from calculator.tables.tokens import digest, new_token, watching

#: More entries than any evening has, and more than people make in a minute.
MAX_ENTRIES = 5000
MAX_A_MINUTE = 120
#: How the ledger names a page without scripts, which has no name of its own: it may be anybody's.
NO_DEVICE = "page"


class Refused(Exception):
    """What cannot be booked; ``code`` says why: ``full``, ``fast``, ``long`` or ``gone``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Writer:
    """Who writes: the device, the name that it goes by, and the last entry that it saw."""

    device: str
    who: str
    saw: int

    def wrote(self, entry: Entry) -> bool:
        """Whether an entry is known to be the writer's own: without a device nobody's is."""
        return self.device == entry.device != NO_DEVICE


@dataclass(frozen=True)
class Written:
    """What came of an entry: the number of the last entry, or those of others that it met."""

    head: int
    met: tuple[Entry, ...] = ()


@dataclass
class Book:
    """A table's entries as far as they were read, and the evening that they come to.

    What is written is never changed, so that what others add is read and folded alone.
    """

    table: Table
    entries: list[Entry] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def head(self) -> int:
        """The number of the last entry that was read."""
        return self.entries[-1].seq if self.entries else 0

    def read_on(self) -> None:
        """Read what was written since."""
        new = list(self.table.entries.filter(seq__gt=self.head).order_by("seq"))
        self.ledger = further(self.ledger, self.entries, new)
        self.entries += new


def read(table: Table) -> Book:
    """The whole book of a table."""
    book = Book(table)
    book.read_on()
    return book


@transaction.atomic
def opened(drafts: Sequence[Draft], writer: Writer, key: str) -> tuple[Table, str]:
    """A new table with its first entries, and the token of its recording link."""
    table = Table.objects.create()
    _check(Book(table), drafts)
    token = renewed(table)
    _append(table, list(drafts), writer, key)
    return table, token


@transaction.atomic
def renewed(table: Table) -> str:
    """A new link that records and one that watches; those of before open nothing any more."""
    table.links.all().delete()
    Table.objects.filter(pk=table.pk).update(code=None, code_until=None)
    return linked(table)


def linked(table: Table) -> str:
    """One more link that records, with the one that watches beside it; its token."""
    token = new_token()
    Link.objects.create(digest=digest(token), table=table, records=True)
    Link.objects.create(digest=digest(watching(token)), table=table, records=False)
    return token


def write(book: Book, drafts: Sequence[Draft], writer: Writer, key: str) -> Written:
    """Book entries, unless the same key was booked before or others wrote what they touch.

    The book is read on to its end. Raises :class:`Refused`. Round 0 is the one being played.
    """
    with transaction.atomic():
        table = Table.objects.select_for_update().filter(pk=book.table.pk).first()
        if table is None:
            raise Refused("gone")
        book.read_on()
        if any(entry.key == _key(key, 0) for entry in book.entries):
            return Written(book.head)
        mine = [_placed(draft, book.ledger) for draft in drafts]
        others = [e for e in book.entries[writer.saw :] if not writer.wrote(e)]
        if met := meet(mine, others, book.ledger):
            return Written(book.head, tuple(met))
        _check(book, drafts)
        _append(table, mine, writer, key)
        book.read_on()
        return Written(book.head)


def _placed(draft: Draft, now: Ledger) -> Draft:
    if draft.round or not now.rounds:
        return draft
    return Draft(draft.kind, draft.text, now.last.seq, draft.target)


def _append(table: Table, drafts: list[Draft], writer: Writer, key: str) -> None:
    """Put entries at the end. The caller holds the table."""
    begun = 0
    for number, draft in enumerate(drafts):
        seq = table.head + 1
        begun = seq if draft.kind == ROUND else begun
        Entry.objects.create(
            place=f"{table.pk}:{seq}",
            table=table,
            seq=seq,
            previous_id=f"{table.pk}:{seq - 1}" if seq > 1 else None,
            key=_key(key, number),
            kind=draft.kind,
            text=draft.text,
            # What comes after a round in one writing belongs to that round.
            round=0 if draft.kind == ROUND else draft.round or begun,
            target=draft.target,
            device=writer.device,
            who=writer.who,
        )
        table.head = seq
    table.touched = timezone.now()
    table.save(update_fields=["head", "touched"])


def _check(book: Book, drafts: Sequence[Draft]) -> None:
    if any(len(draft.text) > MAX_TEXT for draft in drafts):
        raise Refused("long")
    if book.head + len(drafts) > MAX_ENTRIES:
        raise Refused("full")
    now = timezone.now()
    # What stands in the future was written before the clock was set back.
    lately = [e for e in book.entries[1:] if now - timedelta(minutes=1) < e.at <= now]
    if book.head and len(lately) + len(drafts) > MAX_A_MINUTE:
        raise Refused("fast")


def _key(key: str, number: int) -> str:
    return f"{key}.{number}"


def removed(table: Table) -> None:
    """Delete a table with all that is kept of it.

    The entries are one chain: the database is asked once, not once for each.
    """
    with transaction.atomic():
        table.entries.all()._raw_delete(table.entries.db)
        table.delete()
