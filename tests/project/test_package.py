"""The engine as a package: one wheel, alone, that works from any folder."""

import json
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

PROGRAM = """
import json, sys
from pathlib import Path
import scoring
from scoring import contract, rules

def absent(name):
    try:
        __import__(name)
    except ImportError:
        return True
    return False

answer = contract.score({"ruleset": "chengdu", "hand": "11223345678999m"})
round_ = {"ruleset": "laok", "events": [
    {"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}]}
print(json.dumps({
    "fan": answer["fan"],
    "totals": contract.settle(round_)["totals"],
    "systems": rules.ids(),
    "engine": str(Path(scoring.__file__).parent),
    "absent": [absent(name) for name in ("django", "calculator")],
}))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; its complaints where it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the sources."""
    source = tmp_path_factory.mktemp("source")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("scoring", "calculator"):
        shutil.copytree(ROOT / name, source / name, ignore=ignore)
    for name in ("pyproject.toml", METADATA["readme"], *METADATA["license-files"]):
        shutil.copy(ROOT / name, source / name)
    run(
        *(sys.executable, "-m", "pip", "wheel", ".", "--quiet", "--wheel-dir", "dist"),
        *("--no-build-isolation", "--no-deps", "--no-index"),
        cwd=source,
    )
    (built,) = (source / "dist").iterdir()
    return built


def test_the_wheel_holds_the_whole_engine_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    engine = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "scoring").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert held == engine
    assert "scoring/py.typed" in held


def test_the_engine_needs_nothing_but_python() -> None:
    assert METADATA["dependencies"] == []


def test_the_wheel_installs_alone_and_scores_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
        *("--no-index", "--disable-pip-version-check", wheel),
        cwd=elsewhere,
    )
    answer: dict[str, Any] = json.loads(run(python, "-I", "-c", PROGRAM, cwd=elsewhere))
    assert answer["fan"] == 2
    assert answer["totals"] == [24, -24, 0, 0]
    assert len(answer["systems"]) == len(list((ROOT / "scoring" / "rulesets").glob("*.toml")))
    assert Path(answer["engine"]).is_relative_to(home)
    assert answer["absent"] == [True, True]
