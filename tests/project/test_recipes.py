"""The recipes of docs/contributing.md hold: each is followed on a copy, and every page is asked."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest

from scoring.patterns import TERMS
from tests.routes import PREFIXES, routes

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "docs" / "contributing.md").read_text("utf-8")
#: What a copy of the site is made of.
PARTS = ("calculator", "scoring", "templates", "static")

ASK = """
import sys
import django
django.setup()
from django.test import Client
client = Client(raise_request_exception=False, headers={"host": "localhost"})
print(*[a for a in sys.stdin.read().split() if client.get(a).status_code >= 400])
"""
READY = "hand=1233455567899p"
WON = f"{READY}!5p"
SETTLED = "e=w1e0f3.d"


def recipe(title: str) -> str:
    """The code of one recipe."""
    section = RECIPES.partition(f"## {title}\n")[2].partition("\n## ")[0]
    found = re.search(r"```\w+\n(.+?)```", section, re.DOTALL)
    assert found is not None, title
    return found[1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the site, to be changed."""
    for part in PARTS:
        ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignored)
    for file in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def python(tree: Path, *arguments: str, asked: str = "") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "calculator.settings"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={**environment, "SECRET_KEY": "0123456789" * 6, "HTTPS": "0", "DEBUG": "1"},
        input=asked,
        capture_output=True,
        text=True,
        check=False,
    )


def refused(tree: Path, addresses: list[str]) -> str:
    """The addresses that the copy does not answer."""
    done = python(tree, "-c", ASK, asked="\n".join(addresses))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def started(tree: Path) -> str:
    """The last line of what stops the start."""
    done = python(tree, "manage.py", "check")
    assert done.returncode != 0
    return done.stderr.splitlines()[-1]


def changed(tree: Path, name: str, before: str, more: str) -> None:
    """Put a text before another, which stands in the file once."""
    file = tree / name
    text = file.read_text("utf-8")
    assert text.count(before) == 1, (name, before)
    file.write_text(text.replace(before, more + before), "utf-8")


def pages(query: str) -> list[str]:
    """Every page and answer that shows rules, with these, in every language."""
    rules = re.sub(r".*rules=(\w+).*", r"\1", query)
    paths = [
        *(f"?{query}&{hand}" for hand in ("hand=", READY, WON)),
        *(f"fragment/result?{query}&{hand}" for hand in (READY, WON)),
        *(f"{page}?{query}&{WON}" for page in ("house/", "fragment/house", "compare/")),
        f"house/?{query}&back=round",
        *(f"settle/?{query}&{events}" for events in ("e=", SETTLED)),
        *("rules/", f"rules/{rules}/", f"learn/?{query}", f"learn/patterns/?{query}"),
        *(f"learn/drill/?{query}&kind={kind}&seed=a&n=1" for kind in ("value", "settle")),
    ]
    return [f"/{prefix}{path}" for prefix in PREFIXES for path in paths]


def test_a_rule_system_is_one_file(tree: Path) -> None:
    file = tree / "scoring" / "rulesets" / "home.toml"
    file.write_text(recipe("Add a rule system"), "utf-8")
    asked = [*pages("rules=home"), "/api/v1/rules/home", "/api/v1/openapi.json"]
    assert refused(tree, asked) == ""
    assert python(tree, "manage.py", "rules", "home").returncode == 0


def test_a_language_is_one_row_and_its_catalogue(tree: Path) -> None:
    changed(tree, "calculator/settings.py", '("en", "English")', '("ja", "日本語"), ')
    made = python(tree, "manage.py", "texts")
    assert made.returncode == 0, made.stderr
    assert (tree / "calculator" / "locale" / "ja" / "LC_MESSAGES" / "django.po").exists()
    # The engine of the phones is built, not copied.
    addresses = [route.filled() for route in routes() if route.for_people]
    addresses = [address for address in addresses if address != "/engine.js"]
    theirs = [a.replace("/en/", "/ja/", 1) for a in addresses if a.startswith("/en/")]
    assert refused(tree, [*addresses, *theirs, f"/ja/?rules=chengdu&{WON}"]) == ""


#: An option that changes a hand, and one that changes a round: its field and its words.
OPTIONS = {
    "quiet": (
        '    quiet: bool = _option(False, FLAG, "value")\n',
        '    "quiet": Words(N_("不吭声"), N_("胡了不说。"), choices=YES_OR_NO,\n'
        '        short={"on": N_("不吭声"), "off": N_("要吭声")}),\n',
    ),
    "fine": (
        '    fine: int = _option(0, POINTS, "wall", round_only=True)\n',
        '    "fine": Words(N_("罚款"), N_("罚几底。"), choices={"n": N_("%(n)s 底")},\n'
        '        short={"n": N_("罚%(n)s底")}),\n',
    ),
}


@pytest.mark.parametrize(("name", "value"), [("quiet", "on"), ("fine", "3")])
def test_an_option_is_a_field_and_a_row_of_words(tree: Path, name: str, value: str) -> None:
    field, words = OPTIONS[name]
    changed(tree, "scoring/rules.py", "    blessing_adds: bool", field)
    assert started(tree).endswith(f"words of: {name}")
    changed(tree, "calculator/words/options.py", '    "blessing_adds": Words(', words)
    asked = [*pages(f"rules=laok&opt={name}:{value}"), f"/rules/terms/{name}/"]
    asked += ["/api/v1/rules/laok", "/api/v1/openapi.json"]
    assert refused(tree, asked) == ""
    assert python(tree, "manage.py", "rules", "laok").returncode == 0


MANY = """
import random
from itertools import islice
from scoring.enumerate import concealed
from scoring.many import from_packed, score_many
from scoring.rules import load
from scoring.score import value
from scoring.tiles import iterate
some = random.Random(1).sample([*islice(concealed(), 20_000)], 400)
found = score_many(from_packed(some), rules=load("laok"))
assert found.fan.tolist() == [value([*iterate(h)], rules=load("laok")).fan for h in some]
"""


@pytest.mark.parametrize("bits", [1, 5])
def test_bits_of_new_facts_leave_the_values_of_whole_arrays_as_they_are(
    tree: Path, bits: int
) -> None:
    file = tree / "scoring" / "signature.py"
    text = file.read_text("utf-8")
    # The bits of the ranks, the highest of them or all, move up; the melds stand above them.
    for place in (r"^MELDS_SHIFT = ", r"^TERMINALS = 1 << |(?<=1 << )(?=8 \+ at)"):
        text, times = re.subn(place, rf"\g<0>{bits} + ", text, flags=re.MULTILINE)
        assert times == 1
    file.write_text(text, "utf-8")
    done = python(tree, "-c", MANY)
    assert done.returncode == 0, done.stderr


def test_a_pattern_is_a_row_and_its_definition(tree: Path) -> None:
    row = recipe("Add a pattern")
    (key,) = re.findall(r'^    "(\w+)",$', row, re.MULTILINE)
    assert key not in TERMS
    row = indent(row, "    ")
    changed(tree, "scoring/patterns.py", '    _pattern(\n        "jiang_dui",', row)
    assert started(tree).endswith(f"definitions of: {key}")
    meaning = f'    "{key}": N_("照牌桌说的。"),\n'
    changed(tree, "calculator/words/glossary.py", '    "jiang_dui": N_(', meaning)
    asked = [*pages(f"rules=chengdu&opt=fans.{key}:3"), f"/rules/terms/{key}/"]
    assert refused(tree, [*asked, "/api/v1/rules/chengdu", "/api/v1/openapi.json"]) == ""
