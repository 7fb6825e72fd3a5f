"""What is collected for the network is made small and means the same."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage
from django.test import override_settings

from calculator.site.storage import StaticStorage

STATIC = Path(__file__).parent.parent / "static"


SHEET = STATIC / "site" / "site.css"


def test_every_part_of_the_style_sheet_stands_in_it_once() -> None:
    named = re.findall(r'@import url\("(.+)"\);', SHEET.read_text())
    parts = sorted((SHEET.parent / name).resolve() for name in named)
    assert parts == sorted(path for path in STATIC.rglob("*.css") if path != SHEET)


def test_the_collected_style_sheet_is_one_small_and_has_every_rule(tmp_path: Path) -> None:
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    written = "".join(path.read_text() for path in STATIC.rglob("*.css") if path != SHEET)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.css").write_text(SHEET.read_text())
    with override_settings(DEBUG=False):
        list(storage.post_process({"site/site.css": (FileSystemStorage(STATIC), "site/site.css")}))
    (collected,) = (tmp_path / "site").glob("site.*.css")
    small = collected.read_text()
    assert "/*" not in small
    assert "@import" not in small
    assert len(small) < 0.85 * len(written)
    assert small.count("{") == re.sub(r"/\*.*?\*/", "", written, flags=re.DOTALL).count("{")


@pytest.mark.parametrize("script", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_a_collected_script_is_small_and_keeps_its_words(script: Path, tmp_path: Path) -> None:
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    name, written = script.name, script.read_text()
    (tmp_path / name).write_text(written)
    with override_settings(DEBUG=False):
        list(storage.post_process({name: (FileSystemStorage(script.parent), name)}))
    (collected,) = tmp_path.glob(f"{Path(name).stem}.*.js")
    small = collected.read_text()
    assert len(small) < 0.85 * len(written)
    assert not re.search(r"^\s*(//|/\*|\*)", small, flags=re.MULTILINE)
    texts = r'"[^"\n`]*"'
    bare = re.sub(r"^\s*(//|/\*\*?|\*).*$|(?<=[;{}),]) //.*$", "", written, flags=re.MULTILINE)
    assert re.findall(texts, small) == re.findall(texts, bare)
