"""What is collected for the network is made small and means the same."""

import re
from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage
from django.test import override_settings

from calculator.site.storage import StaticStorage

STATIC = Path(__file__).parents[2] / "static"
TEMPLATES = STATIC.with_name("templates")


#: What all pages load, and what the pages of a round and the lessons load after it.
SHEETS = tuple(STATIC / name for name in ("site/site.css", "round/sheet.css", "learn/sheet.css"))
#: What stands last in each: it has the last word.
LAST = [STATIC / "site" / "large.css", STATIC / "site" / "contrast.css"]


def parts(sheet: Path) -> list[Path]:
    """What a sheet is joined of, in order."""
    named = re.findall(r'@import url\("(.+)"\);', sheet.read_text())
    return [(sheet.parent / name).resolve() for name in named]


def test_every_part_of_a_style_sheet_stands_in_one_of_them_once() -> None:
    every = [part for sheet in SHEETS for part in parts(sheet)]
    assert all(parts(sheet)[-2:] == LAST for sheet in SHEETS)
    templates = "".join(page.read_text() for page in TEMPLATES.rglob("*.html"))
    alone = {STATIC / name for name in re.findall(r"static '([\w/]+\.css)'", templates)}
    written = [path for path in STATIC.rglob("*.css") if path not in {*SHEETS, *alone}]
    assert sorted(every) == sorted([*written, *LAST, *LAST])


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_a_collected_style_sheet_is_one_small_and_has_every_rule(
    sheet: Path, tmp_path: Path
) -> None:
    storage = StaticStorage(location=tmp_path, base_url="/static/")
    written = "".join(part.read_text() for part in parts(sheet))
    name = str(sheet.relative_to(STATIC))
    (tmp_path / name).parent.mkdir()
    (tmp_path / name).write_text(sheet.read_text())
    with override_settings(DEBUG=False):
        list(storage.post_process({name: (FileSystemStorage(STATIC), name)}))
    (collected,) = (tmp_path / name).parent.glob(f"{sheet.stem}.*.css")
    small = collected.read_text()
    assert "/*" not in small
    assert "@import" not in small
    assert len(small) < 0.85 * len(written)
    assert small.count("{") == re.sub(r"/\*.*?\*/", "", written, flags=re.DOTALL).count("{")


SCRIPTS = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("*.js"))


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every script as it is collected, by its name in the project."""
    folder = tmp_path_factory.mktemp("collected")
    storage = StaticStorage(location=folder, base_url="/static/")
    for name in SCRIPTS:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text((STATIC / name).read_text())
    with override_settings(DEBUG=False):
        paths = {name: (FileSystemStorage(STATIC), name) for name in SCRIPTS}
        for _ in storage.post_process(paths):
            pass
    return {
        name: (folder / storage.hashed_files[storage.hash_key(name)]).read_text()
        for name in SCRIPTS
    }


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_collected_script_is_small_and_keeps_its_words(
    name: str, collected: dict[str, str]
) -> None:
    small, written = collected[name], (STATIC / name).read_text()
    assert len(small) < 0.85 * len(written)
    assert not re.search(r"^\s*(//|/\*|\*)", small, flags=re.MULTILINE)
    bare = re.sub(r"^\s*(//|/\*\*?|\*).*$|(?<=[;{}),]) //.*$", "", written, flags=re.MULTILINE)
    texts = r'"[^"\n`]*"'
    hashed = re.compile(r'^(".*)\.[0-9a-f]{12}(\.js")$')
    assert [hashed.sub(r"\1\2", found) for found in re.findall(texts, small)] == re.findall(
        texts, bare
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_collected_script_imports_what_is_kept_for_ever(
    name: str, collected: dict[str, str]
) -> None:
    imports = re.compile(
        r'^import\b[^;"]*from ?"([^"]+)";|(?<=;)import\b[^;"]*from ?"([^"]+)";', re.M
    )
    imported = ["".join(found) for found in imports.findall(collected[name])]
    assert len(imported) == len(imports.findall((STATIC / name).read_text()))
    for path in imported:
        assert re.search(r"\.[0-9a-f]{12}\.js$", path), path
