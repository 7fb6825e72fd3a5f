"""Texts of a picture, in SVG with letters as letters: the device that shows it has the fonts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from unicodedata import east_asian_width

SIZE = 20
INK, INK_2 = "#1b2420", "#535e57"


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text on its base line; ``x`` is where it begins, or ends (``anchor``)."""

    text: str
    x: int
    y: int
    size: int = SIZE
    colour: str = INK
    anchor: str = "start"
    bold: bool = False
    #: What it is drawn closer to fit in; 0 where it has room.
    squeezed: int = 0

    def within(self, room: int) -> "Text":
        """The same, drawn closer where it is broader than there is room."""
        return replace(self, squeezed=room if breadth(self.text, self.size) > room else 0)


def breadth(text: str, size: int = SIZE) -> int:
    """About how broad a text is.

    >>> breadth("小王"), breadth("+24")
    (40, 36)
    """
    return sum(size if east_asian_width(c) in "WF" else round(size * 0.6) for c in text)


def wrapped(text: str, room: int, size: int = SIZE) -> Iterator[str]:
    """A text in lines that are about as broad as there is room; Latin words stay whole.

    >>> list(wrapped("杠钱不封顶", 60)), list(wrapped("no cap on it", 80))
    (['杠钱不', '封顶'], ['no cap', 'on it'])
    """
    line = ""
    for word in _words(text):
        if line and breadth((line + word).rstrip(), size) > room:
            yield line.rstrip()
            line = word.lstrip()
        else:
            line += word
    if line:
        yield line.rstrip()


def _words(text: str) -> Iterator[str]:
    """What may not be broken: a Chinese letter, a Latin word with the space after it."""
    word = ""
    for letter in text:
        if east_asian_width(letter) in "WF":
            if word:
                yield word
            yield letter
            word = ""
        else:
            word += letter
            if letter == " ":
                yield word
                word = ""
    if word:
        yield word
