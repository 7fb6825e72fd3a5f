"""A ledger in words: who wrote what and when, and who is here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext

from calculator.round.present import names_of
from calculator.tables.book import Book
from calculator.tables.ledger import NAMES
from calculator.tables.models import Entry, Presence, Table
from calculator.words import badge
from calculator.words.rounds import title
from scoring.addresses.hand import rules_of
from scoring.addresses.round import read_event, read_round
from scoring.words import N_

Json = dict[str, Any]

#: Who has asked for news this lately is here.
HERE = timedelta(seconds=45)
#: So many devices of one table are told of; more come to no table.
MOST_HERE = 40

#: What an entry did, in one sentence.
SENTENCES = {
    "round": N_("开了新的一局"),
    "add": N_("记了：%(what)s"),
    "edit": N_("改成：%(what)s"),
    "move": N_("挪了：%(what)s"),
    "delete": N_("删了：%(what)s"),
    "names": N_("换了名字：%(what)s"),
    "rules": N_("换了规则：%(what)s"),
    "dealer": N_("换了庄：%(what)s"),
    "fee": N_("定了台板"),
    "undo": N_("撤回了第 %(n)s 条"),
}
#: The same of names that were put right for the whole evening.
PUT_RIGHT = N_("改正了名字，各局都改：%(what)s")


class Told:
    """The entries of a table in words, each as things stood when it was made."""

    def __init__(self, book: Book) -> None:
        self.entries, self.ledger = book.entries, book.ledger
        #: The text of each line after the last entry about it.
        self._lines: dict[int, str] = {}

    def history(self) -> list[Json]:
        """Every entry, the latest first: its number, who, when, what, and whether it counts."""
        return [self._row(entry) for entry in self.entries][::-1]

    def of(self, numbers: Sequence[int]) -> list[Json]:
        """The entries with these numbers, in order."""
        return [row for row in self.history()[::-1] if row["seq"] in numbers]

    def _row(self, entry: Entry) -> Json:
        return {
            "seq": entry.seq,
            "who": entry.who or gettext("有人"),
            "device": entry.device,
            "at": localtime(entry.at),
            "what": gettext(_sentence(entry)) % {"what": self._what(entry), "n": entry.target},
            "void": entry.seq in self.ledger.void,
            # The ledger itself began with the first; that is taken back by removing the table.
            "stays": entry.seq == 1,
        }

    def _what(self, entry: Entry) -> str:
        match entry.kind:
            case "add" | "edit":
                self._lines[entry.seq if entry.kind == "add" else entry.target] = entry.text
                return self._line(entry, entry.text)
            case "move" | "delete":
                return self._line(entry, self._lines.get(entry.target, ""))
            case "rules":
                return badge.badge(rules_of(read_round(dict(parse_qsl(entry.text)))[0]))
            case "names":
                return entry.text.replace(",", gettext("、"))
            case "dealer":
                return self._names(entry)[int(entry.text)]
        return ""

    def _line(self, entry: Entry, text: str) -> str:
        events = [read_event(part) for part in text.split(".") if part]
        return title(events[-1], self._names(entry)) if events else gettext("已经不在的一条")

    def _names(self, entry: Entry) -> list[str]:
        return names_of(self.ledger.round_of(entry.round).page)


def _sentence(entry: Entry) -> str:
    return PUT_RIGHT if entry.kind == NAMES and entry.target else SENTENCES[entry.kind]


def here(table: Table, own: str) -> list[Json]:
    """Who is at a table now, the device that asks first."""
    lately = _lately(table).order_by("who", "device")
    rows = [{"who": one.who or gettext("有人"), "own": one.device == own} for one in lately]
    return sorted(rows, key=lambda row: not row["own"])


def seen(table: Table, device: str, who: str, seat: int | None) -> None:
    """Note that a device is here; who has gone is forgotten when the next one comes."""
    now = timezone.now()
    if table.present.filter(device=device).update(who=who, seat=seat, seen=now):
        return
    table.present.exclude(pk__in=_lately(table).values("pk")).delete()
    if table.present.count() < MOST_HERE:
        one = Presence(table=table, device=device, who=who, seat=seat, seen=now)
        Presence.objects.bulk_create([one], ignore_conflicts=True)


def _lately(table: Table) -> QuerySet[Presence]:
    """Who has asked lately; a time to come is one of before the clock was set back."""
    now = timezone.now()
    return table.present.filter(seen__gt=now - HERE, seen__lte=now + HERE)
