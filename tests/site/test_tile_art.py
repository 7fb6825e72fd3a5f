"""The committed sprite is whole, small, and what the drawing code draws."""

import gzip
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from calculator.management.commands.draw_tiles import ICONS
from calculator.site import tile_art

STATIC = Path(settings.BASE_DIR) / "static"
SPRITE = (STATIC / "tiles.svg").read_text("utf-8")
SVG = "{http://www.w3.org/2000/svg}"
FACES = [f"t{n}{suit}" for suit in "mps" for n in range(1, 10)]


@pytest.fixture(scope="module")
def symbols() -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(SPRITE)
    assert root.tag == f"{SVG}svg"
    assert {child.tag for child in root} == {f"{SVG}symbol"}
    return {child.attrib["id"]: child for child in root}


def test_sprite_has_the_faces_of_three_suits_the_red_dragon_and_the_back(symbols):
    assert list(symbols) == [*FACES, "t7z", "tback"]
    assert {symbol.attrib["viewBox"] for symbol in symbols.values()} == {"0 0 60 80"}


def test_no_two_faces_look_alike(symbols):
    drawings = [ElementTree.tostring(symbol[0]) + bytes(len(symbol)) for symbol in symbols.values()]
    assert len(set(drawings)) == 29


@pytest.mark.parametrize("number", range(2, 10))
def test_circles_and_bamboo_show_as_many_as_they_count(symbols, number):
    coins = [c for c in symbols[f"t{number}p"] if "stroke-dasharray" in c.attrib]
    assert len(coins) == number
    sticks = [p.attrib["d"] for p in symbols[f"t{number}s"] if "fill" in p.attrib]
    assert sum(d.count("Z") for d in sticks) == number


def test_character_tiles_share_one_wan_under_nine_numerals(symbols):
    drawn = [[path.attrib["d"] for path in symbols[f"t{n}m"]] for n in range(1, 10)]
    assert len({numeral for numeral, _ in drawn}) == 9
    assert len({wan for _, wan in drawn}) == 1


def test_sprite_stays_under_fourteen_kilobytes_compressed():
    assert len(gzip.compress(SPRITE.encode(), 9)) <= 14 * 1024


def test_sprite_needs_no_style_no_script_and_no_other_file():
    assert not re.search(r"<(style|script|image|use|text)\b|\b(style|href|on\w+)=|url\(", SPRITE)


def test_every_colour_can_be_restyled_and_has_a_fallback():
    paints = set(re.findall(r'(?:fill|stroke)="([^"]+)"', SPRITE))
    assert all(re.fullmatch(r"none|var\(--tile-[a-z]+,#[0-9a-f]{6}\)", paint) for paint in paints)


def test_font_and_its_licence_are_named_in_the_sprite():
    assert "SIL Open Font License" in SPRITE.partition("-->")[0]


def test_formulas_draw_the_committed_faces():
    glyphs, font = tile_art.glyphs_of(SPRITE)
    assert tile_art.sprite(tile_art.faces(glyphs), font) == SPRITE


def test_redrawing_without_a_font_changes_no_byte(tmp_path):
    shutil.copy(STATIC / "tiles.svg", tmp_path)
    call_command("draw_tiles", out=tmp_path)
    for name in ("tiles.svg", "favicon.svg"):
        assert (tmp_path / name).read_bytes() == (STATIC / name).read_bytes()


def test_drawing_from_nothing_without_a_font_is_refused(tmp_path):
    with pytest.raises(CommandError, match="No outlines"):
        call_command("draw_tiles", out=tmp_path)
    (tmp_path / "tiles.svg").write_text("<svg/>")
    with pytest.raises(CommandError, match="No outlines"):
        call_command("draw_tiles", out=tmp_path)


@pytest.mark.parametrize("name", ICONS)
def test_icons_are_squares_of_the_size_in_their_name(name):
    header = (STATIC / name).read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    width, height = int.from_bytes(header[16:20]), int.from_bytes(header[20:24])
    assert (width, height) == (ICONS[name], ICONS[name])
