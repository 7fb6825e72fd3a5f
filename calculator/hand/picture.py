"""A picture of a hand with its value, for the preview that messengers show of a link.

1200 × 630, as they ask for. Everything is an outline (tiles from the sprite, letters from
`lettering.json`, both made by ``manage.py draw_tiles``), so no font is needed where it is drawn.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from calculator.site import tile_art

WIDTH, HEIGHT = 1200, 630
MARGIN = 56
LETTERING = Path(__file__).with_name("lettering.json")
#: Letters of the value, the waits and the brand; anything else is left out of the picture.
CHARACTERS = "0123456789.·×+算番倍听聽abcdefghijklmnopqrstuvwxyz"

FELT, BODY, EDGE, SEAL = "#17503c", "#fdfaf0", "#cdc3a8", "#b3261e"
ON_FELT, ON_FELT_2 = "#ffffff", "#b4cfc1"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What is shown: a line of text, tiles under it, and the hand in groups."""

    text: str
    waits: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    won: bool = False
    # The last group is the winning tile.


@cache
def _letters() -> dict[str, tuple[float, str]]:
    """Character → how far it advances and its outline, in hundredths of its size."""
    stored = json.loads(LETTERING.read_text("utf-8"))
    return {character: (advance, path) for character, advance, path in stored}


@cache
def _faces() -> dict[str, str]:
    """Drawings of the sprite in fixed colours, by the names of their tiles."""
    sprite = (Path(settings.BASE_DIR) / "static" / "tiles.svg").read_text("utf-8")
    glyphs, _ = tile_art.glyphs_of(sprite)
    return {name[1:]: tile_art.plain(d) for name, d in tile_art.faces(glyphs).items()}


def read() -> None:
    """Read what pictures are drawn with."""
    _letters()
    _faces()


def _line(text: str, x: float, y: float, size: float, colour: str, *, middle: bool = False) -> str:
    """Text on the base line ``y``, beginning at ``x`` or centred there; in small letters."""
    # No others are outlined.
    known = [_letters().get(c, (30.0, "")) for c in text.lower()]
    scale = size / 100
    if middle:
        x -= sum(advance for advance, _ in known) * scale / 2
    drawn = ""
    for advance, path in known:
        if path:
            at = f"translate({tile_art.num(x)} {tile_art.num(y)}) scale({scale:.3f})"
            drawn += f'<path transform="{at}" d="{path}"/>'
        x += advance * scale
    return f'<g fill="{colour}">{drawn}</g>'


def _tile(name: str, x: float, y: float, width: float, *, won: bool = False) -> str:
    """One tile: a rounded body on its edge, the face upon it."""
    high, corner, inset = width * 1.36, width * 0.12, width * 0.07
    ring = 0.07 * width
    frame = (
        f'<rect x="{x - ring:.1f}" y="{y - ring:.1f}" width="{width + 2 * ring:.1f}" '
        f'height="{high + 2 * ring:.1f}" rx="{corner + ring:.1f}" fill="{SEAL}"/>'
        if won
        else ""
    )
    scale = (width - 2 * inset) / tile_art.WIDTH
    return (
        f'{frame}<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}" '
        f'rx="{corner:.1f}" fill="{EDGE}"/>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high * 0.965:.1f}" '
        f'rx="{corner:.1f}" fill="{BODY}"/>'
        f'<g transform="translate({x + inset:.1f} {y + inset * 0.8:.1f}) scale({scale:.3f})">'
        f"{_faces()[name]}</g>"
    )


def _row(groups: Sequence[Sequence[str]], y: float, widest: float, *, won: bool = False) -> str:
    """Groups of tiles in one centred row, a gap between groups."""
    tiles = sum(map(len, groups))
    # A gap is four tenths of a tile, tiles stand a twentieth apart.
    units = tiles * 1.05 + 0.4 * (len(groups) - 1)
    width = min(widest, (WIDTH - 2 * MARGIN) / units)
    x = (WIDTH - units * width) / 2
    drawn = ""
    for at, group in enumerate(groups):
        for name in group:
            drawn += _tile(name, x, y, width, won=won and at == len(groups) - 1)
            x += 1.05 * width
        x += 0.4 * width
    return drawn


def svg(picture: Picture) -> str:
    """The picture as SVG."""
    drawn = _line("算番", MARGIN, 96, 52, ON_FELT_2)
    if picture.waits:
        drawn += _line(picture.text, WIDTH / 2, 200, 110, ON_FELT, middle=True)
        drawn += _row([picture.waits], 235, 84)
    else:
        size = 170 if len(picture.text) < 9 else 130
        drawn += _line(picture.text, WIDTH / 2, 315, size, ON_FELT, middle=True)
    drawn += _row(picture.groups, 425 if picture.text else 275, 84, won=picture.won)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>{drawn}</svg>'
    )


@lru_cache(maxsize=32)
def png(picture: Picture) -> bytes:
    """The picture as PNG: what messengers can show."""
    from resvg_py import svg_to_bytes  # large, and only pictures need it

    return bytes(svg_to_bytes(svg_string=svg(picture), skip_system_fonts=True))
