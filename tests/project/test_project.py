"""Claims about the project as a whole: what may import what, what the files may say."""

import ast
import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import calculator
import scoring
from tests import map as drawing

ROOT = Path(__file__).parents[2]
COMMANDS = "calculator.management.commands"


def imported(file: Path) -> set[str]:
    """The top names that a Python file imports absolutely, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_engine_imports_no_django_outside_its_app_config() -> None:
    files = sorted((ROOT / "scoring").rglob("*.py"))
    guilty = [file.name for file in files if imported(file) & {"django", "calculator"}]
    assert guilty == ["apps.py"]


def test_the_engine_runs_where_there_is_no_django() -> None:
    program = (
        "import sys; sys.modules['django'] = None\n"
        "from scoring import contract\n"
        "answer = contract.score({'ruleset': 'chengdu', 'hand': '11223345678999m'})\n"
        "print(answer['fan'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "2\n"


def test_the_independent_scorers_import_nothing_of_the_engine() -> None:
    files = sorted((ROOT / "tests" / "independent").glob("*.py"))
    judges = [file for file in files if not file.name.startswith("test_")]
    assert len(judges) >= 3
    assert not [file.name for file in judges if imported(file) & {"scoring", "calculator"}]


def modules() -> list[str]:
    """Every module with docstrings that may hold examples."""
    return sorted(
        module.name
        for package in (scoring, calculator)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if module.name not in ("calculator.wsgi",)
    )


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def tracked() -> list[Path]:
    """The files of the project, without what is generated or installed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def requirement_files() -> list[Path]:
    return sorted([*ROOT.glob("requirements*.txt"), *ROOT.glob("tests/*/requirements.txt")])


@pytest.mark.parametrize("file", requirement_files(), ids=lambda file: file.name)
def test_every_requirement_is_pinned_with_a_hash_and_no_index_is_named(file: Path) -> None:
    pinned = re.compile(r"[A-Za-z0-9._-]+==\S+( ;[^#]*)?\s+--hash=sha256:[0-9a-f]{64}")
    lines = file.read_text().replace("\\\n", " ").splitlines()
    entries = [line for line in lines if line and not line.startswith("#")]
    assert entries
    for entry in entries:
        assert pinned.match(entry), entry
        assert "://" not in entry
        assert "index" not in entry


def test_the_two_requirement_files_pin_the_same_versions() -> None:
    pins = [
        dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", file.read_text(), re.MULTILINE))
        for file in (ROOT / "requirements.txt", ROOT / "requirements-dev.txt")
    ]
    assert pins[0].items() <= pins[1].items()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_no_file_names_a_path_of_one_machine_or_a_registry() -> None:
    # Written apart, so that this file passes too.
    folders = (f"/{name}/" for name in ("work", "root", "tmp"))
    unwanted = re.compile("|".join((*folders, "pypi" + r"\.org", "registry" + r"\.npm")))
    found = []
    for file in tracked():
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{file.relative_to(ROOT)}: {hit}" for hit in unwanted.findall(text)]
    assert not found


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_top_level_holds_what_it_should_and_nothing_else() -> None:
    top = {file.relative_to(ROOT).parts[0] for file in tracked()}
    visible = {name for name in top if not name.startswith(".") and name != "README.md"}
    assert visible == {
        *("LICENSE", "Makefile", "manage.py", "pyproject.toml"),
        *("requirements.txt", "requirements-dev.txt"),
        *("calculator", "docs", "scoring", "static", "templates", "tests"),
    }


def test_the_map_of_the_rooms_is_drawn_from_the_code() -> None:
    page = drawing.PAGE.read_text(encoding="utf-8")
    assert page == drawing.drawn(page), "run make map"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text()
