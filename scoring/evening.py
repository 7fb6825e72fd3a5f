"""An evening (一晚) of rounds: what each of its people won or lost, and where they stand after it.

Written as ``24,-24,0,0_3,-1,-1,,-1``: rounds in order, in each an amount for every person, in the
order of their names; nothing where somebody did not play.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Fee:
    """台板: what a table costs, in hundredths, for each round or for the whole evening.

    ``share``: everybody pays the same (``each``), or who won most (``winner``).  ``to`` is the
    place of the person who gets it, None where that is nobody at the table.  Source: custom.
    """

    cents: Cents
    each_round: bool = False
    share: str = "each"
    to: int | None = None


def fee_of(rounds: Sequence[Totals], fee: Fee) -> Totals:
    """What the fee of an evening moves: an amount for every person.

    Hundredths that cannot be shared are paid by those who come first; of several who won most the
    first pays.

    >>> fee_of([(200, -200, None), (None, 500, -500)], Fee(900))
    (-300, -300, -300)
    >>> fee_of([(200, -200, None), (None, 500, -500)], Fee(900, True, "winner", 0))
    (900, -900, 0)
    """
    people = len(rounds[0]) if rounds else 0
    moved = [0] * people
    for played in rounds if fee.each_round else [_whole(rounds)] if rounds else []:
        for person, cents in _shares(played, fee):
            moved[person] -= cents
            if fee.to is not None and fee.to < people:
                moved[fee.to] += cents
    return tuple(moved)


def _whole(rounds: Sequence[Totals]) -> Totals:
    """An evening as one round: who never played has no part in it."""
    there = [any(each[n] is not None for each in rounds) for n in range(len(rounds[0]))]
    ends = running(rounds)[-1]
    return tuple(cents if here else None for cents, here in zip(ends, there, strict=True))


def _shares(played: Totals, fee: Fee) -> list[tuple[int, Cents]]:
    """Who pays how much of one fee."""
    there = [(cents, n) for n, cents in enumerate(played) if cents is not None]
    if fee.share == "winner":
        return [(max(there, key=lambda each: (each[0], -each[1]))[1], fee.cents)]
    least, more = divmod(fee.cents, len(there))
    return [(n, least + (turn < more)) for turn, (_, n) in enumerate(there)]
