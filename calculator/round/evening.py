"""The sheet of an evening (一晚的账) made ready for a template: rounds, sums, everybody's line."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any
from unicodedata import east_asian_width

from django.utils.translation import gettext

from calculator.round.present import count_words, payments, plain, sign
from calculator.words import texts
from calculator.words.answers import balance
from calculator.words.rounds import isolated
from scoring import evening
from scoring.addresses.round import clean_name
from scoring.rules import exact
from scoring.settle import fewest_transfers

Json = dict[str, Any]

WIDTH = 320
LEFT, RIGHT, TOP, BOTTOM = 6, 112, 12, 12
#: So many rounds that could not be read are named.
MOST_UNREAD = 9
#: The least distance between two labels.
LABEL = 13


def read_people(written: Sequence[str]) -> list[str]:
    """The names of an evening's people; of the first four, who has none has the wind.

    >>> read_people(["Ann", "", "Cat"]), read_people(["a", "b", "c", "d", "e"])[4:]
    (['Ann', '南', 'Cat', '北'], ['e'])
    """
    names = [clean_name(name) for name in written][: evening.MAX_PEOPLE]
    names += [""] * (len(texts.SEATS) - len(names))
    winds = [gettext(wind) for wind in texts.SEATS]
    return [
        name or (winds[place] if place < len(winds) else str(place + 1))
        for place, name in enumerate(names)
    ]


class Evening:
    """Rounds with their running totals; ``names`` and ``written`` as an address has them.

    >>> Evening("24,-24,0,0_3,-1,-1,,-1", ["Ann", "Bob", "Cat", "Dan", "Eve"]).totals
    (2700, -2500, -100, 0, -100)
    """

    def __init__(self, written: str, names: Sequence[str]) -> None:
        self.written = written.split("_")
        people = read_people(names)
        read = [evening.read_round(part, len(people)) for part in self.written]
        kept = [each for each in read[: evening.MAX_ROUNDS] if each]
        # Fewer than four play where nobody sits on the last seats.
        named = max((n for n, name in enumerate(names, 1) if name), default=0)
        played = [n for each in kept for n, cents in enumerate(each, 1) if cents is not None]
        shown = max([named, *played])
        #: The people, as many as are named or played.
        self.names = people[:shown]
        #: Where each round stands in the address: one that cannot be read has its place there.
        self.places = [n for n, each in enumerate(read[: evening.MAX_ROUNDS]) if each]
        self.rounds = [each[:shown] for each in kept]
        self._lost = [
            number
            for number, (part, each) in enumerate(zip(self.written, read, strict=True), 1)
            if part and (number > evening.MAX_ROUNDS or not each)
        ]

    @cached_property
    def running(self) -> tuple[tuple[int, ...], ...]:
        """The balance of everybody after each round."""
        return evening.running(self.rounds)

    @property
    def unread(self) -> str:
        """Which rounds of the address are not on the sheet, in words; nothing where all are."""
        if not self._lost:
            return ""
        few = [str(number) for number in self._lost[:MOST_UNREAD]]
        shown = [*few, *(["…"] if len(self._lost) > MOST_UNREAD else [])]
        return gettext("这几局读不出来，没有算进去：%(rounds)s。") % {"rounds": texts.joined(shown)}

    @property
    def totals(self) -> tuple[int, ...]:
        """Where everybody stands, in hundredths."""
        return self.running[-1] if self.running else (0,) * len(self.names)

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
    def said(self) -> list[str]:
        """The names as they stand before an amount, whose sign keeps its place."""
        return [isolated(name) for name in self.names]

    @property
    def sums(self) -> list[Json]:
        """Everybody's total."""
        return [
            {**_cell(cents), "name": self.said[person], "person": person}
            for person, cents in enumerate(self.totals)
        ]

    @property
    def payments(self) -> list[Json]:
        """The fewest payments that settle the whole evening."""
        rows = [
            {"from": p.source, "to": p.target, "amount": exact(p.cents)}
            for p in fewest_transfers(self.totals)
        ]
        return payments(rows, self.said)

    @property
    def payments_count(self) -> str:
        """How many payments."""
        return count_words(len(self.payments))

    def as_text(self, link: str) -> str:
        """The evening as plain text: everybody, round by round, the fewest payments, the link."""
        lines = [gettext("今晚的账")]
        lines += [f"{each['name']} {each['text']}" for each in self.sums]
        for row in self.rows:
            played = zip(self.said, row["cells"], strict=True)
            cells = [f"{name} {cell['text']}" for name, cell in played if cell["text"]]
            about = {"n": row["number"], "totals": gettext("，").join(cells)}
            lines.append(gettext("第 %(n)s 局：%(totals)s") % about)
        lines.append(gettext("整晚这样付最省"))
        lines += [f"{p['payer']} → {p['taker']} {p['amount']}" for p in self.payments] or [
            gettext("谁也不欠谁。")
        ]
        return "\n".join([*lines, link])

    @property
    def chart(self) -> Json | None:
        """A line for everybody over the rounds, from nothing, labelled at its end."""
        if not self.rounds:
            return None
        people = range(len(self.names))
        lines = [[0, *(sums[person] for sums in self.running)] for person in people]
        height = max(150, TOP + BOTTOM + LABEL * (len(lines) + 1))
        high, low = max(map(max, lines)), min(map(min, lines))
        span = max(high - low, 1)
        step = (WIDTH - LEFT - RIGHT) / len(self.rounds)

        def y(cents: int) -> float:
            return TOP + (height - TOP - BOTTOM) * (high - cents) / span

        ends = sorted(people, key=lambda person: -lines[person][-1])
        # Labels keep off each other and inside: pushed down from above, then up from below.
        labels: dict[int, float] = {}
        free = 0.0
        for person in ends:
            labels[person] = max(y(lines[person][-1]), free)
            free = labels[person] + LABEL
        free = height - 4.0
        for person in reversed(ends):
            labels[person] = min(labels[person], free)
            free = labels[person] - LABEL
        return {
            "width": WIDTH,
            "height": height,
            "zero": f"{y(0):.1f}",
            "left": LEFT,
            "right": WIDTH - RIGHT,
            "label_x": WIDTH - RIGHT + 8,
            "lines": [
                {
                    "look": person % 6,
                    "points": " ".join(
                        f"{LEFT + i * step:.1f},{y(c):.1f}" for i, c in enumerate(lines[person])
                    ),
                    "end_x": f"{WIDTH - RIGHT:.1f}",
                    "end_y": f"{y(lines[person][-1]):.1f}",
                    "label_y": f"{labels[person] + 4:.1f}",
                    "name": isolated(_label(self.names[person])),
                    "total": balance(exact(lines[person][-1])),
                }
                for person in people
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


def _cell(cents: int | None) -> Json:
    if cents is None:
        return {"text": "", "plain": "", "sign": "nil"}
    value = exact(cents)
    return {"text": balance(value), "plain": plain(value), "sign": sign(value)}
