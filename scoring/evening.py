"""An evening (一晚) of rounds: what each of its people won or lost, and where they stand after it.

Written as ``24,-24,0,0_3,-1,-1,,-1``: rounds in order, in each an amount for every person, in the
order of their names; nothing where somebody did not play.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .settle import Cents

#: What each person won or lost in a round; None: did not play.
Totals = tuple[Cents | None, ...]

#: More rounds than a night has are neither kept nor read.
MAX_ROUNDS = 200
#: More people do not come to one table in a night.
MAX_PEOPLE = 12
#: No round comes to an amount of more digits: 64 events of a million times 2**99 from three payers.
MAX_DIGITS = 40
_AMOUNT = re.compile(rf"(-?)([0-9]{{1,{MAX_DIGITS}}})(?:\.([0-9]{{1,2}}))?")


def _cents(text: str) -> Cents:
    """An amount in hundredths; raises :class:`ValueError` where it is none."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    cents = int(found[2]) * 100 + int((found[3] or "").ljust(2, "0"))
    return -cents if found[1] else cents


def read_round(text: str, people: int = 4) -> Totals | None:
    """The totals of one round, or None where it is none: too many amounts, or won from nobody.

    >>> read_round("2.5,,-2.5", 4)
    (250, None, -250, None)
    """
    parts = text.split(",")
    try:
        amounts = [_cents(part) if part else None for part in parts]
    except ValueError:
        return None
    played = [amount for amount in amounts if amount is not None]
    if len(parts) > people or len(played) < 2 or sum(played) > 0:
        return None
    return (*amounts, *[None] * (people - len(parts)))


def running(rounds: Sequence[Totals]) -> tuple[tuple[Cents, ...], ...]:
    """The balance of everybody after each round.

    >>> running([(1, -1, None), (None, 2, -2)])
    ((1, -1, 0), (1, 1, -2))
    """
    found: list[tuple[Cents, ...]] = []
    balance: Sequence[Cents] = [0] * (len(rounds[0]) if rounds else 0)
    for totals in rounds:
        balance = [sum(pair) for pair in zip(balance, (t or 0 for t in totals), strict=True)]
        found.append(tuple(balance))
    return tuple(found)
