"""An evening (一晚) of rounds: the totals of each, and where the table stands after it.

Written as ``24,-24,0,0_3,-1,-1,-1``: four amounts a round, rounds in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .settle import Cents

#: What the four seats won or lost in a round.
Totals = tuple[Cents, Cents, Cents, Cents]

#: More rounds than a night has are not read.
MAX_ROUNDS = 200
_AMOUNT = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,2}))?")


def _cents(text: str) -> Cents | None:
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return None
    cents = int(found[2]) * 100 + int((found[3] or "").ljust(2, "0"))
    return -cents if found[1] else cents


def read_totals(text: str) -> tuple[Totals, ...]:
    """The totals of each round; what is not four amounts, or won from nobody, is left out.

    >>> read_totals("2.5,-2.5,0,0_3,-1,-1,-1")
    ((250, -250, 0, 0), (300, -100, -100, -100))
    """
    found: list[Totals] = []
    for part in text.split("_")[:MAX_ROUNDS]:
        cents = [c for c in map(_cents, part.split(",")) if c is not None]
        if len(cents) == 4 and part.count(",") == 3 and sum(cents) <= 0:
            found.append((cents[0], cents[1], cents[2], cents[3]))
    return tuple(found)


def running(rounds: Sequence[Totals]) -> tuple[Totals, ...]:
    """The balance of the four seats after each round.

    >>> running([(1, -1, 0, 0), (0, 0, 2, -2)])
    ((1, -1, 0, 0), (1, -1, 2, -2))
    """
    found: list[Totals] = []
    a = b = c = d = 0
    for east, south, west, north in rounds:
        a, b, c, d = a + east, b + south, c + west, d + north
        found.append((a, b, c, d))
    return tuple(found)
