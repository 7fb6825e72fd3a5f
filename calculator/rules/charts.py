"""Small charts drawn on the server: SVG without script or style, coloured by the site's sheet.

The words in a chart are for the eye; whoever hears the page hears the chart's label instead, which
therefore says the same numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH = 320
NAME_WIDTH = 44
TEXT_WIDTH = 64
ROW = 30
BAR = 9
#: A bar that is not nothing is at least this wide.
LEAST = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its name, and for each bar its part of 1 and the text behind it."""

    name: str
    bars: tuple[tuple[float, str], ...]


def bars(rows: Sequence[Row], label: str) -> SafeString:
    """Horizontal bars, one below another, the first of each row filled and the second hollow.

    >>> "<rect" in bars([Row("1", ((0.5, "50 %"),))], "half of them")
    True
    """
    longest = max((part for row in rows for part, _ in row.bars), default=0) or 1
    room = WIDTH - NAME_WIDTH - TEXT_WIDTH
    drawn = []
    for number, row in enumerate(rows):
        top = ROW * number
        drawn.append(
            format_html(
                '<text class="name" x="{}" y="{}">{}</text>', NAME_WIDTH - 6, top + 17, row.name
            )
        )
        # One bar stands in the middle of its row, two share it.
        first = top + (ROW - (BAR + 3) * len(row.bars)) / 2
        for at, (part, text) in enumerate(row.bars):
            width = max(LEAST, room * part / longest) if part else 0
            y = first + (BAR + 3) * at
            drawn.append(
                format_html(
                    '<rect class="bar{}" x="{}" y="{}" width="{}" height="{}" rx="1"/>'
                    '<text class="value" x="{}" y="{}">{}</text>',
                    at + 1,
                    NAME_WIDTH,
                    f"{y:g}",
                    f"{width:.1f}",
                    BAR,
                    f"{NAME_WIDTH + width + 5:.1f}",
                    f"{y + BAR - 1:g}",
                    text,
                )
            )
    return format_html(
        '<svg class="bars" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        ROW * len(rows),
        label,
        format_html_join("", "{}", ((one,) for one in drawn)),
    )
