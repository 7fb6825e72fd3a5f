"""The site on every Python and at both ends of its dependencies: `python -m tests.matrix`.

As far as this machine has them: what it has not is said. Each pair gets an environment of its own
below `.matrix/` and runs the tests that ask every page and every call, without a browser.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
ENDS = ("lowest", "newest")
#: The rooms whose tests ask every page and every call.
TESTS = [f"tests/{room}" for room in ("hand", "round", "house", "compare", "api", "site")]


def interpreter(version: str) -> str | None:
    """A Python of this version that starts, by its name or where pyenv keeps it."""
    own = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
    for found in (shutil.which(f"python{version}"), *map(str, reversed(own))):
        if found and subprocess.run((found, "--version"), capture_output=True).returncode == 0:
            return found
    return None


def lowest(requirement: str) -> str:
    """A requirement at the lower end of its range.

    >>> lowest("Django>=5.2,<5.3")
    'Django==5.2'
    """
    return re.sub(r"(\[.*\])?>=([\w.]+).*", r"\1==\2", requirement)


def requirements(end: str) -> list[str]:
    """What is installed: the site's own at one end, the tools of the tests as they come."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = extras["project"]["optional-dependencies"]
    site = [lowest(one) for one in extras["site"]] if end == "lowest" else extras["site"]
    left_out = ("mahjong", "mypy", "ruff", "django-stubs", "opencc")
    return [*site, *(one for one in extras["dev"] if not one.startswith(left_out)), *extras["fast"]]


def problems(python: str, version: str, end: str) -> Iterator[str]:
    """What goes wrong with one pair."""
    place = ROOT / ".matrix" / f"{version}-{end}"
    inside = str(place / "bin" / "python")
    for what, command in (
        ("no environment", (python, "-m", "venv", "--clear", str(place))),
        ("not installed", (inside, "-m", "pip", "install", "--quiet", *requirements(end))),
        ("tests", (inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)),
    ):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{what}: {(done.stdout + done.stderr)[-2000:]}"
            return


def main() -> int:
    """Every pair, one after the other."""
    failed = 0
    for version in PYTHONS:
        python = interpreter(version)
        for end in ENDS:
            if python is None:
                print(f"Python {version}, {end}: not on this machine, not tried")
                continue
            found = list(problems(python, version, end))
            failed += len(found)
            print(f"Python {version}, {end}:", *(found or ["passed"]), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
