"""The tile faces, drawn by formula: twenty-eight SVG symbols and the back of a tile.

A face is 60 × 80 units on a transparent ground; body, thickness and shadow belong to the page.
Circles, bamboo and 红中 need nothing but this module. The characters need the outlines of ten
glyphs, given as path data by whoever calls (see ``manage.py draw_tiles``).

Only plain elements with presentation attributes are used: no style attribute (the site's content
policy forbids it) and no ``<use>`` inside a symbol (not every browser follows one in a sprite
that is itself used from outside). Colours are custom properties with the traditional colour as
fallback, so that a page may restyle a face and an image file needs no style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import cos, hypot, pi, radians, sin

WIDTH, HEIGHT = 60, 80
NUMERALS = "一二三四五六七八九"
WAN = "萬"

INK = "var(--tile-ink,#1c1c22)"
RED = "var(--tile-red,#b9261c)"
GREEN = "var(--tile-green,#12703f)"
BLUE = "var(--tile-blue,#1c4a96)"
FACE = "var(--tile-face,#fbf8ef)"

Point = tuple[float, float]


def num(value: float) -> str:
    """A coordinate in tenths of a unit, as short as it can be written."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{num(x)} {num(y)}" for x, y in points)


def _circle(x: float, y: float, r: float, paint: str) -> str:
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" {paint}/>'


def _ring(x: float, y: float, r: float, width: float, colour: str, dash: str = "") -> str:
    return _circle(x, y, r, f'fill="none" stroke="{colour}" stroke-width="{num(width)}"{dash}')


def _beads(r: float, count: int) -> str:
    """Dash attributes that turn the stroke of a circle of radius ``r`` into round beads."""
    return f' stroke-linecap="round" stroke-dasharray="0 {2 * pi * r / count:.3f}"'


# ---------------------------------------------------------------------------------- 万


def character(number: int, glyphs: Mapping[str, str]) -> str:
    """一萬 … 九萬: the numeral in ink above a red 萬. ``glyphs`` maps a character to its path."""
    return (
        f'<path fill="{INK}" stroke="{INK}" stroke-width="1.2" stroke-linejoin="round" '
        f'd="{glyphs[NUMERALS[number - 1]]}"/>'
        f'<path fill="{RED}" stroke="{RED}" stroke-width=".7" stroke-linejoin="round" '
        f'd="{glyphs[WAN]}"/>'
    )


# ---------------------------------------------------------------------------------- 筒

_CIRCLES: dict[int, tuple[float, Sequence[tuple[float, float, str]]]] = {
    2: (14.5, [(30, 20.5, GREEN), (30, 59.5, BLUE)]),
    3: (11.6, [(15, 16, BLUE), (30, 40, RED), (45, 64, GREEN)]),
    4: (12, [(16, 20, BLUE), (44, 20, GREEN), (16, 60, GREEN), (44, 60, BLUE)]),
    5: (
        10.6,
        [(15, 16, BLUE), (45, 16, GREEN), (30, 40, RED), (15, 64, GREEN), (45, 64, BLUE)],
    ),
    6: (
        10.2,
        [(17, 14, GREEN), (43, 14, GREEN)] + [(x, y, RED) for y in (43, 66) for x in (17, 43)],
    ),
    7: (
        8.8,
        [(11, 11.5, GREEN), (30, 18.5, GREEN), (49, 25.5, GREEN)]
        + [(x, y, RED) for y in (48, 68) for x in (19, 41)],
    ),
    8: (8.8, [(x, y, BLUE) for y in (11.2, 30.4, 49.6, 68.8) for x in (18, 42)]),
    9: (
        8.6,
        [(x, y, c) for y, c in ((14, GREEN), (40, RED), (66, BLUE)) for x in (10.5, 30, 49.5)],
    ),
}


def _coin(x: float, y: float, r: float, colour: str) -> str:
    rim = 0.25 * r
    bead = 0.54 * r
    return (
        _ring(x, y, r - rim / 2, rim, colour)
        + _ring(x, y, bead, 0.24 * r, colour, _beads(bead, 8))
        + _circle(x, y, 0.29 * r, f'fill="{colour}"')
    )


def _rosette() -> str:
    x, y = WIDTH / 2, HEIGHT / 2
    petals = "".join(
        f'<ellipse cx="30" cy="32.7" rx="2.7" ry="5" transform="rotate({a} 30 40)"/>'
        for a in range(0, 360, 45)
    )
    return (
        _ring(x, y, 25.4, 3.2, GREEN)
        + _ring(x, y, 19.9, 3.4, BLUE, _beads(19.9, 24))
        + _ring(x, y, 15.2, 1.8, GREEN)
        + f'<g fill="{RED}">{petals}</g>'
        + _circle(x, y, 2.4, f'fill="{BLUE}"')
    )


def circles(number: int) -> str:
    """一筒 … 九筒: one great rosette, otherwise coins with a beaded ring."""
    if number == 1:
        return _rosette()
    r, coins = _CIRCLES[number]
    return "".join(_coin(x, y, r, colour) for x, y, colour in coins)


# ---------------------------------------------------------------------------------- 条

_Stick = tuple[float, float, float, float, str]  # centre x and y, length, degrees, colour


def _row(xs: Sequence[float], y: float, length: float, colours: Sequence[str]) -> list[_Stick]:
    return [(x, y, length, 0, c) for x, c in zip(xs, colours, strict=True)]


_THREE = (13, 30, 47)
_STICKS: dict[int, list[_Stick]] = {
    2: _row([30], 21, 33, [GREEN]) + _row([30], 59, 33, [BLUE]),
    3: _row([30], 21, 33, [BLUE]) + _row([16, 44], 59, 33, [GREEN, GREEN]),
    4: _row([17, 43], 21, 33, [GREEN, BLUE]) + _row([17, 43], 59, 33, [BLUE, GREEN]),
    5: _row([13, 47], 21, 33, [GREEN, BLUE])
    + _row([30], 40, 33, [RED])
    + _row([13, 47], 59, 33, [BLUE, GREEN]),
    6: _row(_THREE, 21, 33, [GREEN] * 3) + _row(_THREE, 59, 33, [BLUE] * 3),
    7: _row([30], 14, 22, [RED])
    + _row(_THREE, 41, 22, [GREEN, BLUE, GREEN])
    + _row(_THREE, 67, 22, [GREEN, BLUE, GREEN]),
    8: [
        (x, y, length, turn * flip, colour)
        for y, flip, colour in ((22, 1, GREEN), (58, -1, BLUE))
        for x, length, turn in ((6.3, 31, 0), (20.9, 31, -21), (39.1, 31, 21), (53.7, 31, 0))
    ],
    9: [stick for y in (14, 40, 66) for stick in _row(_THREE, y, 22, [GREEN, RED, BLUE])],
}

_GIRTH = {2: 1.3, 3: 1.25, 4: 1.25, 5: 1.2, 6: 1.15, 7: 1.05, 8: 0.95, 9: 1.05}


def _stick(stick: _Stick, girth: float) -> tuple[str, str]:
    """Outline and gloss of a stick: two joints, broad at the three nodes and narrow between."""
    x, y, length, degrees, _ = stick
    node, waist, bulge = 4.2 * girth, 3 * girth, 2.6 * girth
    c, s = cos(radians(degrees)), sin(radians(degrees))

    def at(*local: Point) -> str:
        return _points((x + u * c - v * s, y + u * s + v * c) for u, v in local)

    def flank(u: int) -> str:
        """Down the right (u = 1) or up the left (u = -1), round corners included."""
        end, edge, thin = u * length / 2, u * node, u * waist
        return (
            f"Q{at((edge, -end), (edge, -end + u * 1.2))}"
            f"Q{at((edge, -end + u * bulge), (thin, -end + u * (bulge + 1)))}"
            f"L{at((thin, -u * bulge))}"
            f"C{at((edge, -u * 1.4), (edge, u * 1.4), (thin, u * bulge))}"
            f"L{at((thin, end - u * (bulge + 1)))}"
            f"Q{at((edge, end - u * bulge), (edge, end - u * 1.2))}"
            f"Q{at((edge, end), (edge - u * 1.2, end))}"
        )

    top = length / 2
    outline = f"M{at((node - 1.2, -top))}{flank(1)}L{at((1.2 - node, top))}{flank(-1)}Z"
    shine, inset = -0.9 * girth, bulge + 1.6
    gloss = "".join(
        f"M{at((shine, start))}L{at((shine, stop))}"
        for start, stop in ((inset - top, -inset), (inset, top - inset))
    )
    return outline, gloss


def bamboo(number: int) -> str:
    """一条 … 九条: a bird, otherwise sticks; 八条 leans them into an M above a W."""
    if number == 1:
        return _bird()
    outlines: dict[str, str] = {}
    shines = ""
    for stick in _STICKS[number]:
        outline, gloss = _stick(stick, _GIRTH[number])
        outlines[stick[4]] = outlines.get(stick[4], "") + outline
        shines += gloss
    return (
        "".join(f'<path fill="{colour}" d="{d}"/>' for colour, d in outlines.items())
        + f'<path stroke="{FACE}" stroke-width=".9" stroke-linecap="round" d="{shines}"/>'
    )


def _feather(tip: Point, width: float) -> str:
    """One feather of the train: a drop from the rump to a round tip with an eye in it."""
    root = (34, 43)
    length = hypot(tip[0] - root[0], tip[1] - root[1])
    c, s = (tip[0] - root[0]) / length, (tip[1] - root[1]) / length

    def at(*local: Point) -> str:
        return _points((root[0] + u * c - v * s, root[1] + u * s + v * c) for u, v in local)

    eye = (root[0] + (length - width) * c, root[1] + (length - width) * s)
    flank = 1.3 * width
    return (
        f'<path fill="{GREEN}" stroke="{FACE}" stroke-width="1.4" d="M{at((0, 0))}'
        f"C{at((length * 0.5, flank * 0.6), (length * 0.7, flank), (length - width, flank))}"
        f"S{at((length, flank * 0.5), (length, 0))}"
        f"S{at((length - width * 0.5, -flank), (length - width, -flank))}"
        f'S{at((length * 0.5, -flank * 0.6), (0, 0))}Z"/>'
        + _circle(*eye, width * 0.62, f'fill="{FACE}"')
        + _circle(*eye, width * 0.36, f'fill="{RED}"')
    )


def _bird() -> str:
    rounded = 'stroke-linecap="round" stroke-linejoin="round"'
    crest_and_legs = (
        f'<path fill="none" stroke="{RED}" stroke-width="1.9" {rounded} '
        'd="M22 14Q20 9.5 15.5 7M23 13Q23.5 8 23 4.5M24 14Q27 9 31 7.5'
        'M19 55L17.5 73M10.5 74.5L17.5 73L21 76M26.5 56L26 72.5L30 75.5"/>'
    )
    plumes = "".join(
        _circle(x, y, 2.1, f'fill="{RED}"') for x, y in ((15, 6.5), (23, 4), (31.5, 7))
    )
    beak = f'<path fill="{RED}" d="M16 16.5L5.5 21.5L16 24.5Z"/>'
    train = _feather((58, 61), 4.4) + _feather((38.5, 77.5), 4.4) + _feather((52, 74), 4.9)
    body = (
        f'<path fill="{GREEN}" d="M14 20Q14 12 22 12Q30 12 30 20Q30 26 35.5 31Q44 38 43 47'
        'Q40 56.5 28 57Q12 57 10.5 42Q10 35 14 29Q16 25.5 14 20Z"/>'
    )
    wing = (
        f'<path fill="{BLUE}" stroke="{FACE}" stroke-width="1.6" {rounded} '
        'd="M18.5 37Q24 29.5 32 35Q41 42.5 45.5 56.5Q36 57.5 28 54.5'
        'Q19 51 17.5 44Q17 40 18.5 37Z"/>'
        f'<path fill="none" stroke="{FACE}" stroke-width="1.5" {rounded} '
        'd="M24 40Q31.5 42.5 36.5 51.5M22.5 45Q26 49.5 30 51"/>'
    )
    eye = _circle(20.5, 19, 2.2, f'fill="{FACE}"') + _circle(20, 19, 1.2, f'fill="{INK}"')
    return crest_and_legs + plumes + beak + train + body + wing + eye


# ---------------------------------------------------------------------------------- 红中


def red_dragon() -> str:
    """红中: an engraved 中, a box broader at the top and a stroke that runs out in a point."""
    box = "M8 20Q30 17.5 52 20Q52.5 34 48.5 48Q30 46.5 11.5 48Q7.5 34 8 20Z"

    def half(way: int) -> str:
        """The hollow on one side of the stroke."""
        corner, foot, root, top = (
            _points([(30 + way * x, y)])
            for x, y in ((15.6, 26), (13.4, 42.2), (3.8, 41.3), (3.8, 25))
        )
        side, under, over = (
            _points([(30 + way * x, y)]) for x, y in ((15.3, 34.5), (8.5, 41.4), (10, 25.2))
        )
        return f"M{corner}Q{side} {foot}Q{under} {root}L{top}Q{over} {corner}Z"

    stroke = "M26.2 7.5Q30 5.5 33.8 7.5L33.6 60Q33 69 30 75Q27 69 26.4 60Z"
    return (
        f'<path fill="{RED}" fill-rule="evenodd" d="{box}{half(-1)}{half(1)}"/>'
        f'<path fill="{RED}" d="{stroke}"/>'
    )


# ---------------------------------------------------------------------------------- back


def back() -> str:
    """The back of a tile, for the concealed kong: a green field with a lattice of lozenges."""
    lozenges = "".join(
        f"M{x} {y - 5}l4 5l-4 5l-4-5z"
        for row, y in enumerate(range(10, 71, 6))
        for x in (range(10, 51, 10) if row % 2 == 0 else range(15, 46, 10))
    )
    return (
        f'<rect x="3" y="3" width="54" height="74" rx="5" fill="{GREEN}"/>'
        f'<path fill="{FACE}" fill-opacity=".3" d="{lozenges}"/>'
    )


# ---------------------------------------------------------------------------------- files


def faces(glyphs: Mapping[str, str]) -> dict[str, str]:
    """Symbol id → drawing: t1m … t9m, t1p … t9p, t1s … t9s, t7z, and tback."""
    drawn = {f"t{n}m": character(n, glyphs) for n in range(1, 10)}
    drawn |= {f"t{n}p": circles(n) for n in range(1, 10)}
    drawn |= {f"t{n}s": bamboo(n) for n in range(1, 10)}
    drawn["t7z"] = red_dragon()
    drawn["tback"] = back()
    return drawn


def sprite(drawn: Mapping[str, str], font: str) -> str:
    """The file that pages use faces from: ``<use href="tiles.svg#t5m"/>``."""
    symbols = "\n".join(
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawing}</symbol>'
        for name, drawing in drawn.items()
    )
    return (
        f"<!-- Drawn by `manage.py draw_tiles`; see docs/art.md. Characters: {font} -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}\n</svg>\n'
    )


_NUMERAL_DRAWING = re.compile(
    r'<symbol id="t(\d)m"[^>]*><path [^>]*? d="([^"]+)"/><path [^>]*? d="([^"]+)"/></symbol>'
)
_FONT_NAME = re.compile(r"Characters: (.+?) -->")


def glyphs_of(drawn_sprite: str) -> tuple[dict[str, str], str]:
    """The ten outlines and the font's name back out of a sprite, to redraw without the font."""
    glyphs: dict[str, str] = {}
    for number, numeral, wan in _NUMERAL_DRAWING.findall(drawn_sprite):
        glyphs |= {NUMERALS[int(number) - 1]: numeral, WAN: wan}
    font = _FONT_NAME.search(drawn_sprite)
    if len(glyphs) != 10 or font is None:
        raise ValueError("the sprite does not hold the ten outlines of the characters")
    return glyphs, font.group(1)


def plain(drawing: str) -> str:
    """The same drawing in fixed colours, for files that stand alone."""
    return re.sub(r"var\(--[\w-]+,(#\w+)\)", r"\1", drawing)


def favicon() -> str:
    """A square tile seen a little from above, with the rosette of 一筒: legible at 16 pixels."""
    return plain(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        f'<rect width="64" height="64" rx="13" fill="{GREEN}"/>'
        f'<rect width="64" height="57" rx="13" fill="{FACE}"/>'
        f'<g transform="translate(2 -11.5)">{circles(1)}</g></svg>\n'
    )


def icon(drawn: Mapping[str, str]) -> str:
    """Three tiles fanned out on the green of the table, inside the safe circle of a mask."""
    tiles = "".join(
        f'<g transform="translate(256 760) rotate({turn}) translate(-84 {rise}) scale(2.8)">'
        f'<rect x="0" y="4" width="60" height="82" rx="7" fill="#000" fill-opacity=".22"/>'
        f'<rect width="60" height="84.5" rx="7" fill="#c8bf9f"/>'
        f'<rect width="60" height="80" rx="7" fill="{FACE}"/>{drawn[name]}</g>'
        for name, turn, rise in (("t1s", -15, -604), ("t8m", 15, -604), ("t1p", 0, -626))
    )
    return plain(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">'
        '<rect width="512" height="512" fill="#1b5742"/>'
        f'<g transform="translate(256 256) scale(.88) translate(-256 -278)">{tiles}</g></svg>\n'
    )
