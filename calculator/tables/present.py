"""A ledger in words: who wrote what and when, and who is here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl

from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext

from calculator.round.present import names_of, title
from calculator.tables.ledger import Ledger, fold
from calculator.tables.models import Entry, Presence, Table
from calculator.words import badge
from scoring.addresses.hand import rules_of
from scoring.addresses.round import read_event, read_round
from scoring.words import N_

Json = dict[str, Any]

#: Who has asked for news this lately is here.
HERE = timedelta(seconds=45)

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


class Told:
    """The entries of a ledger in words, each as things stood when it was made."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.ledger: Ledger = fold(entries)
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
            "what": gettext(SENTENCES[entry.kind]) % {"what": self._what(entry), "n": entry.target},
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


def here(table: Table, own: str) -> list[Json]:
    """Who is at a table now, the device that asks first."""
    lately = table.present.filter(seen__gt=timezone.now() - HERE).order_by("who", "device")
    rows = [{"who": one.who or gettext("有人"), "own": one.device == own} for one in lately]
    return sorted(rows, key=lambda row: not row["own"])


def seen(table: Table, device: str, who: str, seat: int | None) -> None:
    """Note that a device is here; at most every few seconds, as phones ask all the time."""
    Presence.objects.update_or_create(
        table=table,
        device=device,
        defaults={"who": who, "seat": seat, "seen": timezone.now()},
    )
