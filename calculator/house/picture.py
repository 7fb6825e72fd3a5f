"""The rule card as a picture that needs no script: one column, as high as the rules are long."""

from collections.abc import Iterator
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from calculator.site import qr
from calculator.site.drawing import INK, INK_2, SIZE, Text, breadth, wrapped

Json = dict[str, Any]

GREEN = "#1b5742"
MARGIN, LINE = 32, 30
#: As broad as is read on a phone that shows all of it; the code stands in the corner.
WIDTH, CODE = 640, 120


class Picture:
    """The picture of a card (`card.card`), for the template; `target` is what its code says."""

    width, left, right = WIDTH, MARGIN, WIDTH - MARGIN
    code_at = WIDTH - MARGIN - CODE

    def __init__(self, card: Json, target: str) -> None:
        self.code: SafeString = qr.inline(target, CODE)
        #: How high the rules under the rows are drawn.
        self.rules: list[int] = []
        self._y = MARGIN
        self.texts = [*self._texts(card)]
        self.height = self._y + MARGIN

    def _down(self, by: int = LINE) -> int:
        self._y += by
        return self._y

    def _prose(self, text: str, room: int = WIDTH - 2 * MARGIN, **how: Any) -> Iterator[Text]:
        for line in wrapped(text, room, how.get("size", SIZE)):
            yield Text(text=line, x=MARGIN, y=self._down(), **how)

    def _head(self, text: str) -> Text:
        return Text(text=text, x=MARGIN, y=self._down(LINE + 14), colour=GREEN, bold=True)

    def _row(self, name: str, value: str) -> Iterator[Text]:
        """A name and its value, which is broken where both have no room beside each other."""
        yield Text(text=name, x=MARGIN, y=self._down())
        room = self.right - MARGIN - breadth(name) - SIZE
        if breadth(value) > room:
            self._down()
            room = self.right - MARGIN
        for number, line in enumerate(wrapped(value, room)):
            y = self._down() if number else self._y
            yield Text(text=line, x=self.right, y=y, anchor="end", bold=True)
        self.rules.append(self._y + 9)

    def _texts(self, card: Json) -> Iterator[Text]:
        beside = self.code_at - MARGIN - SIZE
        yield from self._prose(card["title"], beside, size=30, colour=GREEN, bold=True)
        yield from self._prose(card["badge"], beside, colour=INK_2)
        self._y = max(self._y, MARGIN + CODE)
        for sentence in card["counting"]:
            yield from self._prose(sentence, colour=INK)
        for name, rows in ((gettext("牌型"), "patterns"), (gettext("加番"), "bonuses")):
            yield self._head(name)
            for row in card[rows]:
                fan = gettext("%(n)s番") % {"n": row["fan"]}
                yield from self._row(row["name"], f"{fan}  {row['worth']}")
        for group in card["groups"]:
            yield self._head(group["name"])
            for row in group["rows"]:
                yield from self._row(row["name"], row["value"])
        if card["readings"] or card["assumed"]:
            yield self._head(gettext("读法"))
            for text in card["readings"]:
                yield from self._prose(f"· {text}", colour=INK_2)
        if card["assumed"]:
            told = gettext("规则原文没有写明，按推定：%(names)s。") % {"names": card["assumed"]}
            yield from self._prose(f"· {told}", colour=INK_2)
