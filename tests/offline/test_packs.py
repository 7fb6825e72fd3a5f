"""The files for browsers without a network: offered where they are built of this release alone."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from calculator.offline import packs
from calculator.offline.views import SHELL
from calculator.site import build
from tests.deployment import ROOT

PACKS = [
    {"file": f"{name}.0123456789ab.pack", "length": 9, "wire": 5, "sha256": "00" * 32}
    for name in ("runtime", "library", "site")
]


@pytest.fixture
def index(settings: Any, tmp_path: Path) -> Iterator[Path]:
    """Where the index of the packs lies, in a folder that has none."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / packs.FOLDER).mkdir()
    packs.built.cache_clear()
    yield tmp_path / packs.FOLDER / packs.INDEX
    packs.built.cache_clear()


def test_where_nothing_is_built_there_is_no_engine(index: Path, client: Client) -> None:
    assert client.get("/engine.js", secure=True).status_code == 404
    assert 'ENGINE = "";' in client.get("/sw.js", secure=True).content.decode()


def test_packs_of_another_release_are_not_offered(index: Path, client: Client) -> None:
    index.write_text(json.dumps({"release": "00000000", "packs": PACKS}), "utf-8")
    assert client.get("/engine.js", secure=True).status_code == 404


def test_the_worker_names_its_files_and_alone_may_run_webassembly(
    index: Path, client: Client
) -> None:
    index.write_text(json.dumps({"release": build.mark(), "packs": PACKS}), "utf-8")
    worker = client.get("/engine.js", secure=True)
    for pack in PACKS:
        assert f'"/static/engine/{pack["file"]}"' in worker.content.decode()
    assert "'wasm-unsafe-eval'" in worker["Content-Security-Policy"]
    assert "unsafe" not in client.get("/offline/", secure=True)["Content-Security-Policy"]
    shell = client.get("/sw.js", secure=True).content.decode()
    assert 'ENGINE = "/static/engine/site.0123456789ab.pack";' in shell


def test_the_release_is_what_the_setting_says(settings: Any) -> None:
    settings.RELEASE = "abcdef01"
    build.mark.cache_clear()
    assert build.mark() == "abcdef01"
    build.mark.cache_clear()


def test_the_browsers_settings_load_nothing_that_only_servers_need() -> None:
    program = (
        "import sys\n"
        "from calculator.offline.engine import answer, warm\n"
        "warm('http://localhost')\n"
        "heavy = {'resvg_py', 'rcssmin', 'rjsmin', 'whitenoise', 'sqlite3', 'psycopg', 'numpy'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={
            "DJANGO_SETTINGS_MODULE": "calculator.offline.settings",
            "HTTPS": "0",
            "STATIC_ROOT": str(ROOT / "staticfiles"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "[]\n", done.stderr[-2000:]


def test_every_script_and_sheet_of_a_page_that_opens_without_a_network_is_kept() -> None:
    static = ROOT / "static"
    scripts = {path for path in static.rglob("*.js") if path.parent.name != "tables"}
    pages = "".join(page.read_text() for page in (ROOT / "templates").rglob("*.html"))
    sheets = {static / name for name in re.findall(r"static '([\w/]+\.css)'", pages)}
    kept = {static / name for name in SHELL}
    assert sorted((scripts | sheets) - kept) == []
