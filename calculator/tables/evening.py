"""The evening of a shared table: its rounds as the sheet of an evening reads them, and the fee."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from calculator.round.present import names_of, plain
from calculator.tables.ledger import Ledger
from scoring import evening
from scoring.contract import settle
from scoring.evening import Fee, Totals
from scoring.rules import exact

#: A fee of more than this is none.
MAX_FEE = 1_000_000


class TableEvening:
    """Everybody who played, in the order in which they came, and what each round was for them.

    A person is known by the name, the second of one name as that; a seat without one by its wind.
    """

    def __init__(self, ledger: Ledger) -> None:
        played = [
            dict(zip(_people(names_of(one.page)), totals, strict=False))
            for one in ledger.rounds
            if (totals := _totals(one.page.request))
        ]
        people = list(dict.fromkeys(person for round in played for person in round))
        people = people[: evening.MAX_PEOPLE]
        self.names = [name for name, _ in people]
        self.rounds: list[Totals] = [tuple(round.get(one) for one in people) for round in played]
        self.fee = read_fee(ledger.fee, self.names)

    @property
    def written(self) -> str:
        """The rounds as the address of an evening has them; the fee is one more."""
        rows = [*self.rounds]
        if self.fee and rows:
            rows.append(evening.fee_of(self.rounds, self.fee))
        return "_".join(
            ",".join("" if cents is None else plain(exact(cents)) for cents in row) for row in rows
        )


def _people(names: list[str]) -> list[tuple[str, int]]:
    """Each name with how many before it are the same.

    >>> _people(["Ann", "Bob", "Ann"])
    [('Ann', 0), ('Bob', 0), ('Ann', 1)]
    """
    return [(name, names[:seat].count(name)) for seat, name in enumerate(names)]


def _totals(request: dict[str, Any]) -> list[int] | None:
    """The totals of a round in hundredths; None where nothing happened or it cannot be settled."""
    if not request["events"]:
        return None
    answer = settle(request)
    if answer["status"] != "settled":
        return None
    return [int(Decimal(str(total)) * 100) for total in answer["totals"]]


def read_fee(text: str, names: list[str]) -> Fee | None:
    """A fee as an entry says it: ``12.5,round,winner,Ann``; None where it says none.

    >>> read_fee("12.5,round,winner,Ann", ["Bob", "Ann"])
    Fee(cents=1250, each_round=True, share='winner', to=1)
    """
    parts = [*text.split(","), "", "", ""]
    try:
        cents = Decimal(parts[0]) * 100
    except InvalidOperation:
        return None
    if not cents.is_finite() or not 0 < cents <= MAX_FEE * 100 or cents != int(cents):
        return None
    share = "winner" if parts[2] == "winner" else "each"
    made = Fee(int(cents), parts[1] == "round", share)
    return replace(made, to=names.index(parts[3])) if parts[3] in names else made
