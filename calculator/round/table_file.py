"""A round and an evening as rows of a spreadsheet (CSV): every transfer, and everybody's totals."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext

from calculator.round.evening import Evening
from calculator.round.present import Shown
from calculator.words.rounds import title

#: What a spreadsheet would take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
#: Spreadsheets know UTF-8 by it.
BOM = "\ufeff"


def plain_text(text: str) -> str:
    """A text that no spreadsheet reckons.

    >>> plain_text("=1+1"), plain_text("王")
    ("'=1+1", '王')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def written(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; texts are neutralised, amounts stay as they are.

    >>> print(written([["a,b", "-x", Amount("-2")]]).strip())
    "a,b",'-x,-2
    """
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\r\n")
    for row in rows:
        table.writerow([plain_text(cell) if type(cell) is str else cell for cell in row])
    return file.getvalue()


class Amount(str):
    """An amount as it is written, which a spreadsheet may read as a number."""

    __slots__ = ()


def head() -> list[object]:
    """The names of the columns of transfers."""
    return [
        gettext("局"),
        gettext("经过"),
        gettext("付"),
        gettext("收"),
        gettext("数目"),
        gettext("原因"),
    ]


def transfers(shown: Shown, number: int) -> list[list[object]]:
    """A row for each transfer of a round that is the evening's round of this number."""
    events = shown.page.events
    return [
        [
            number,
            f"{row['event'] + 1}. {title(events[row['event']], shown.names)}",
            row["payer"],
            row["taker"],
            Amount(row["amount_plain"]),
            " ".join(filter(None, (row["reason_text"], row["why_text"]))),
        ]
        for row in shown.ledger()
    ]


def totals(evening: Evening) -> list[list[object]]:
    """Everybody's totals in each round, and of all."""

    def cells(row: Iterable[dict[str, str]]) -> list[object]:
        return [Amount(cell["plain"]) if cell["plain"] else "" for cell in row]

    return [
        [gettext("局"), *evening.names],
        *([row["number"], *cells(row["cells"])] for row in evening.rows),
        [gettext("合计"), *cells(evening.sums)],
    ]
