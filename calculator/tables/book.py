"""Writing into a ledger: one writer after another, nothing twice, nobody overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from calculator.tables.ledger import ROUND, Draft, Ledger, fold, meet
from calculator.tables.models import MAX_TEXT, Entry, Link, Table
from calculator.tables.tokens import digest, new_token, watching

#: More entries than any evening has, and more than people make in a minute.
MAX_ENTRIES = 5000
MAX_A_MINUTE = 120


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


@dataclass(frozen=True)
class Written:
    """What came of an entry: the number of the last entry, or those of others that it met."""

    head: int
    met: tuple[Entry, ...] = ()


def entries_of(table: Table) -> list[Entry]:
    """The whole ledger of a table, in order."""
    return list(table.entries.order_by("seq"))


def ledger_of(table: Table) -> Ledger:
    """The evening of a table."""
    return fold(entries_of(table))


@transaction.atomic
def opened(drafts: Sequence[Draft], writer: Writer, key: str) -> tuple[Table, str]:
    """A new table with its first entries, and the token of its recording link."""
    table = Table.objects.create()
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


def write(table: Table, drafts: Sequence[Draft], writer: Writer, key: str) -> Written:
    """Book entries, unless the same key was booked before or others wrote what they touch.

    Raises :class:`Refused`. Round 0 is the one being played.
    """
    with transaction.atomic():
        locked = Table.objects.select_for_update().filter(pk=table.pk).first()
        if locked is None:
            raise Refused("gone")
        if locked.entries.filter(key=_key(key, 0)).exists():
            return Written(locked.head)
        now = ledger_of(locked)
        mine = [_placed(draft, now) for draft in drafts]
        others = [*locked.entries.filter(seq__gt=writer.saw).exclude(device=writer.device)]
        if met := meet(mine, others, now):
            return Written(locked.head, tuple(met))
        _append(locked, mine, writer, key)
        return Written(locked.head)


def _placed(draft: Draft, now: Ledger) -> Draft:
    if draft.round or not now.rounds:
        return draft
    return Draft(draft.kind, draft.text, now.last.seq, draft.target)


def _append(table: Table, drafts: list[Draft], writer: Writer, key: str) -> None:
    """Put entries at the end. The caller holds the table."""
    _check(table, drafts)
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


def _check(table: Table, drafts: Sequence[Draft]) -> None:
    if any(len(draft.text) > MAX_TEXT for draft in drafts):
        raise Refused("long")
    if table.head + len(drafts) > MAX_ENTRIES:
        raise Refused("full")
    now = timezone.now()
    lately = table.entries.filter(at__gt=now - timedelta(minutes=1), at__lte=now, seq__gt=1)
    if table.head and lately.count() + len(drafts) > MAX_A_MINUTE:
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
