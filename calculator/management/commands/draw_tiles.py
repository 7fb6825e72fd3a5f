"""Draw the tile faces and the icons made of them into `static/`; see docs/art.md.

With a font the letters of the link preview are outlined too, into `calculator/lettering.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from resvg_py import svg_to_bytes

from calculator.hand.picture import CHARACTERS, LETTERING
from calculator.site import tile_art

ICONS = {"icon-192.png": 192, "icon-512.png": 512, "apple-touch-icon.png": 180}


def outlines(font_file: Path, face: int) -> tuple[dict[str, str], str]:
    """The ten glyphs of a font as path data in place on the tile, and the font's own name for it.

    Numerals are drawn broader than high, as they are engraved; all of them at one scale, so that
    their strokes weigh the same.
    """
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    font = TTFont(font_file, fontNumber=face)
    glyph_set, character_map = font.getGlyphSet(), font.getBestCmap()
    em = font["head"].unitsPerEm

    def outline(character: str, centre_y: float, broad: float, high: float) -> str:
        glyph = glyph_set[character_map[ord(character)]]
        bounds = BoundsPen(glyph_set)
        glyph.draw(bounds)
        left, bottom, right, top = bounds.bounds
        x, y = broad / em, high / em
        path = SVGPathPen(glyph_set, ntos=tile_art.num)
        shift_x = tile_art.WIDTH / 2 - x * (left + right) / 2
        shift_y = centre_y + y * (bottom + top) / 2
        glyph.draw(TransformPen(path, (x, 0, 0, -y, shift_x, shift_y)))
        return str(path.getCommands())

    glyphs = {c: outline(c, 19.5, 44, 32.5) for c in tile_art.NUMERALS}
    glyphs[tile_art.WAN] = outline(tile_art.WAN, 56.5, 47, 42)
    names = font["name"]
    licence = names.getDebugName(13) or names.getDebugName(0) or "licence not stated"
    return glyphs, f"{names.getDebugName(4)}, {names.getDebugName(5)}. {licence}".replace("--", "-")


def lettering(font_file: Path, face: int) -> dict[str, tuple[float, str]]:
    """Character → advance and outline at a size of 100, the base line at 0."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    font = TTFont(font_file, fontNumber=face)
    glyph_set, character_map = font.getGlyphSet(), font.getBestCmap()
    scale = 100 / font["head"].unitsPerEm
    found = {}
    for character in CHARACTERS:
        glyph = glyph_set[character_map[ord(character)]]
        path = SVGPathPen(glyph_set, ntos=tile_art.num)
        glyph.draw(TransformPen(path, (scale, 0, 0, -scale, 0, 0)))
        found[character] = (round(glyph.width * scale, 1), str(path.getCommands()))
    return found


class Command(BaseCommand):
    requires_system_checks = ()
    help = "Draw static/tiles.svg and favicon.svg; with --icons the PNG icons too."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "font",
            nargs="?",
            type=Path,
            help="font file for numerals and 萬; without it the outlines of the sprite are kept",
        )
        parser.add_argument("--face", type=int, default=0, help="face of a font collection")
        parser.add_argument("--icons", action="store_true", help="render the PNG icons as well")
        parser.add_argument("--out", type=Path, default=Path(settings.BASE_DIR) / "static")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        sprite_file = out / "tiles.svg"
        try:
            if options["font"]:
                glyphs, font = outlines(options["font"], options["face"])
                letters = lettering(options["font"], options["face"])
                rows = [json.dumps([c, *v], ensure_ascii=False) for c, v in letters.items()]
                LETTERING.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")
            else:
                glyphs, font = tile_art.glyphs_of(sprite_file.read_text("utf-8"))
        except (OSError, KeyError, ValueError, ImportError) as error:
            raise CommandError(f"No outlines for the characters: {error}") from error

        drawn = tile_art.faces(glyphs)
        sprite_file.write_text(tile_art.sprite(drawn, font), "utf-8")
        (out / "favicon.svg").write_text(tile_art.favicon(), "utf-8")
        if options["icons"]:
            for name, size in ICONS.items():
                icon = svg_to_bytes(svg_string=tile_art.icon(drawn), width=size)
                (out / name).write_bytes(bytes(icon))
