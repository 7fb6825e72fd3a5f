"""The sheet of an evening as a picture: everybody's total, round by round, the fewest payments.

It is SVG with letters as letters: the device that asks for it has the fonts that its people's names
need, makes a PNG of it and sends that on.
"""

from collections.abc import Iterable, Iterator
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext

from calculator.round.evening import Evening
from calculator.round.present import Json
from calculator.site.drawing import INK, INK_2, Text, breadth

#: So many rounds are drawn, the last ones: a picture of more is too high to be read on a phone.
MOST_DRAWN = 40
MARGIN, LINE, GAP = 32, 34, 24
#: No column is broader, nor the picture narrower; what is longer is drawn closer.
BROADEST, NARROWEST = 150, 560
COLOURS = {"plus": "#14654a", "minus": "#8f2d12", "nil": INK_2}


class Drawing:
    """The picture of an evening as of a day: its size, texts and rules, for the template."""

    def __init__(self, evening: Evening, day: date) -> None:
        self.evening = evening
        self.rows = evening.rows[-MOST_DRAWN:]
        first = max(map(breadth, (gettext("合计"), gettext("局"))))
        self.columns = [first, *(self._broad(n) for n in range(len(evening.names)))]
        self.left = MARGIN
        people = len(evening.names) or 1
        self.width = max(NARROWEST, 2 * MARGIN + sum(self.columns) + GAP * people)
        self.gap = (self.width - 2 * MARGIN - sum(self.columns)) // people
        #: How high the rules are drawn.
        self.rules: list[int] = []
        self.texts = [*self._texts(day)]
        self.right = self.width - MARGIN
        self.height = self.texts[-1].y + MARGIN

    def _broad(self, person: int) -> int:
        """The breadth of somebody's column."""
        cells = [self.evening.sums[person], *(row["cells"][person] for row in self.rows)]
        texts = [self.evening.names[person], *(cell["text"] for cell in cells)]
        return min(BROADEST, max(map(breadth, texts)))

    def _row(self, y: int, head: str, cells: Iterable[Json], *, bold: bool) -> Iterator[Text]:
        """One row of the table: what it is, and a cell for everybody."""
        yield Text(text=head, x=MARGIN, y=y, colour=INK_2)
        x = MARGIN + self.columns[0]
        for column, cell in zip(self.columns[1:], cells, strict=True):
            x += self.gap + column
            colour = COLOURS.get(cell["sign"], INK)
            text = Text(text=cell["text"], x=x, y=y, anchor="end", colour=colour, bold=bold)
            yield text.within(column)

    def _texts(self, day: date) -> Iterator[Text]:
        room = self.width - 2 * MARGIN
        y = MARGIN + 28
        yield Text(text=gettext("今晚的账"), x=MARGIN, y=y, size=30, bold=True)
        when = date_format(day, "DATE_FORMAT")
        yield Text(text=when, x=self.width - MARGIN, y=y, anchor="end", colour=INK_2)
        y += LINE + 14
        people = [{"text": name, "sign": ""} for name in self.evening.names]
        yield from self._row(y, gettext("局"), people, bold=True)
        self.rules.append(y + 10)
        for row in self.rows:
            y += LINE
            yield from self._row(y, str(row["number"]), row["cells"], bold=False)
        self.rules.append(y + 10)
        y += LINE
        yield from self._row(y, gettext("合计"), self.evening.sums, bold=True)
        if len(self.evening.rounds) > MOST_DRAWN:
            y += LINE
            about = {"all": len(self.evening.rounds), "last": MOST_DRAWN}
            left = gettext("共 %(all)s 局，这里是最后 %(last)s 局；合计是全部的。") % about
            yield Text(text=left, x=MARGIN, y=y, colour=INK_2).within(room)
        y += LINE + 14
        yield Text(text=gettext("整晚这样付最省"), x=MARGIN, y=y, bold=True)
        paid = [f"{p['payer']} → {p['taker']}  {p['amount']}" for p in self.evening.payments]
        for line in paid or [gettext("谁也不欠谁。")]:
            y += LINE
            yield Text(text=line, x=MARGIN, y=y).within(room)
        yield Text(text=gettext("算番"), x=MARGIN, y=y + LINE + 8, size=16, colour=INK_2)
