"""The sheet of an evening (一晚的账) made ready for a template: rounds, sums, the four lines."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any
from unicodedata import east_asian_width

from django.utils.translation import gettext

from calculator.round.present import count_words, payments, plain, sign
from calculator.words.answers import balance
from scoring import evening
from scoring.rules import exact
from scoring.settle import SEATS, fewest_transfers

Json = dict[str, Any]

WIDTH, HEIGHT = 320, 150
LEFT, RIGHT, TOP, BOTTOM = 6, 112, 12, 12
#: So many rounds that could not be read are named.
MOST_UNREAD = 9
#: The least distance between two labels.
LABEL = 13


class Evening:
    """Rounds with their running totals.

    >>> Evening("24,-24,0,0_3,-1,-1,-1", list("东南西北")).totals
    (2700, -2500, -100, -100)
    """

    def __init__(self, written: str, names: Sequence[str]) -> None:
        self.names = list(names)
        self.rounds = evening.read_totals(written)
        self.written = written.split("_")

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Where each round stands in the address: one that cannot be read has its place there.

        >>> Evening("x_1,-1,0,0", list("东南西北")).places
        (1,)
        """
        parts = enumerate(self.written[: evening.MAX_ROUNDS])
        return tuple(place for place, part in parts if evening.read_totals(part))

    @cached_property
    def running(self) -> tuple[evening.Totals, ...]:
        """The balance of the four seats after each round."""
        return evening.running(self.rounds)

    @property
    def unread(self) -> str:
        """Which rounds of the address are not on the sheet, in words; nothing where all are."""
        parts = enumerate(self.written, start=1)
        lost = [
            str(number)
            for number, part in parts
            if part and (number > evening.MAX_ROUNDS or not evening.read_totals(part))
        ]
        if not lost:
            return ""
        shown = [*lost[:MOST_UNREAD], *(["…"] if len(lost) > MOST_UNREAD else [])]
        return gettext("这几局读不出来，没有算进去：%(rounds)s。") % {
            "rounds": gettext("、").join(shown)
        }

    @property
    def totals(self) -> evening.Totals:
        """Where the four seats stand, in hundredths."""
        return self.running[-1] if self.running else (0, 0, 0, 0)

    @property
    def rows(self) -> list[Json]:
        """A row for each round."""
        return [
            {
                "number": place + 1,
                "index": place,
                "cells": [_cell(cents) for cents in each],
                "running": [_cell(cents) for cents in running],
                "edit": gettext("改第 %(n)s 局") % {"n": place + 1},
                "remove": gettext("去掉第 %(n)s 局") % {"n": place + 1},
                "question": gettext("再点一次就去掉第 %(n)s 局。") % {"n": place + 1},
            }
            for place, each, running in zip(self.places, self.rounds, self.running, strict=True)
        ]

    @property
    def sums(self) -> list[Json]:
        """The four totals."""
        return [
            {**_cell(cents), "name": self.names[seat], "seat": seat}
            for seat, cents in enumerate(self.totals)
        ]

    @property
    def payments(self) -> list[Json]:
        """The fewest payments that settle the whole evening."""
        rows = [
            {"from": p.source, "to": p.target, "amount": exact(p.cents)}
            for p in fewest_transfers(self.totals)
        ]
        return payments(rows, self.names)

    @property
    def payments_count(self) -> str:
        """How many payments."""
        return count_words(len(self.payments))

    @property
    def chart(self) -> Json | None:
        """Four lines over the rounds, from nothing, labelled at their ends."""
        if not self.rounds:
            return None
        lines = [[0, *(sums[seat] for sums in self.running)] for seat in SEATS]
        high, low = max(map(max, lines)), min(map(min, lines))
        span = max(high - low, 1)
        step = (WIDTH - LEFT - RIGHT) / len(self.rounds)

        def y(cents: int) -> float:
            return TOP + (HEIGHT - TOP - BOTTOM) * (high - cents) / span

        ends = sorted(SEATS, key=lambda seat: -lines[seat][-1])
        # Labels keep off each other and inside: pushed down from above, then up from below.
        labels: dict[int, float] = {}
        free = 0.0
        for seat in ends:
            labels[seat] = max(y(lines[seat][-1]), free)
            free = labels[seat] + LABEL
        free = HEIGHT - 4.0
        for seat in reversed(ends):
            labels[seat] = min(labels[seat], free)
            free = labels[seat] - LABEL
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "zero": f"{y(0):.1f}",
            "left": LEFT,
            "right": WIDTH - RIGHT,
            "label_x": WIDTH - RIGHT + 8,
            "lines": [
                {
                    "seat": seat,
                    "points": " ".join(
                        f"{LEFT + i * step:.1f},{y(c):.1f}" for i, c in enumerate(lines[seat])
                    ),
                    "end_x": f"{WIDTH - RIGHT:.1f}",
                    "end_y": f"{y(lines[seat][-1]):.1f}",
                    "label_y": f"{labels[seat] + 4:.1f}",
                    "name": _label(self.names[seat]),
                    "total": balance(exact(lines[seat][-1])),
                }
                for seat in SEATS
            ],
        }


def _label(name: str) -> str:
    """As much of a name as stands beside the chart: four Chinese characters, or eight letters.

    >>> _label("东方不败也"), _label("Southwest wind")
    ('东方不败', 'Southwes')
    """
    taken, room = 0, 8
    for char in name:
        room -= 2 if east_asian_width(char) in "WF" else 1
        if room < 0:
            break
        taken += 1
    return name[:taken]


def _cell(cents: int) -> Json:
    value = exact(cents)
    return {"text": balance(value), "plain": plain(value), "sign": sign(value)}
