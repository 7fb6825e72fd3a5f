"""A sample of all changes that mutmut makes to `scoring/`: does a test notice each of them?

`python -m tests.mutation.sample --every 40` takes every 40th change of every module, in a process
of its own each (`asker.py`), and asks the tests named here, the quick ones and those about the
module first. What has been tried is kept in `mutants/sample.json`, so that it can be stopped and
goes on; `--every 1` is the whole.

The changed function is put into a copy of the source, so that what is tried is as quick as what is
served, and nothing is left of mutmut's own switches.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue

from mutmut import __main__ as mutmut

ROOT = Path("mutants")
KEPT = ROOT / "sample.json"
LONGEST = 120
DEFINED = re.compile(r"^ *(?:async )?def (x\S+?__mutmut_\d+)\(", re.MULTILINE)

VALUES = ("readings", "value", "waits", "jokers", "cases", "rule_tables")
ROUNDS = ("settle_answers", "settle_cases", "settle_properties", "settle_agrees")
#: The tests about a module; the values of hands and of rounds follow for all.
ABOUT = {
    "analyse": ("properties", "api"),
    "compare": ("api",),
    "contract.hand": (*VALUES, "cli", "properties", "api"),
    "contract.round": (*ROUNDS, "cli", "api"),
    "enumerate": ("enumerate", "rarity"),
    "evening": ("round_page",),
    "explain": ("explain_distances", "hand_page", "api"),
    "drills": ("generate", "learn_pages"),
    "many": ("many", "every_hand"),
    "notation": (*VALUES, "properties", "hand_page", "cli", "api"),
    "addresses.hand": ("permalink", "table", "hand_page"),
    "addresses.round": ("permalink_round", "round_page"),
    "rarity": ("rarity", "rules_pages"),
    "rules": ("rule_files", "rule_tables", "house", "api"),
    "score": (*VALUES, "engine_agrees"),
    "settle": (*ROUNDS, "rule_files"),
    "shanten": (*VALUES, "explain_distances", "properties"),
    "tiles": (*VALUES, "many"),
}
#: The kept answers that a change of a module shows in first.
FIRST = {"drills": "drill", "notation": "read", "contract.round": "settle", "settle": "settle"}
#: How much of the long comparisons is asked at first, and of what seems to survive that.
QUICK = {"AGREEMENT_CASES": "200", "DRILLS": "12", "SETTLE_ROUNDS": "160"}
WHOLE = {"AGREEMENT_CASES": "4000", "SETTLE_ROUNDS": "3200"}
COMPARISONS = ("tests/scoring/test_engine_agrees.py", "tests/scoring/test_settle_agrees.py")


def prepare() -> None:
    """Let mutmut write every change beside the source, in `mutants/`."""
    ROOT.mkdir(exist_ok=True)
    mutmut.copy_src_dir()
    mutmut.copy_also_copy_files()
    mutmut.setup_source_paths()
    mutmut.create_mutants(os.cpu_count() or 1)


def changes() -> list[str]:
    """The names of all changes, module by module."""
    return [
        ".".join((*path.relative_to(ROOT).with_suffix("").parts, name))
        for path in sorted((ROOT / "scoring").rglob("*.py"))
        for name in DEFINED.findall(path.read_text())
    ]


def tests_for(module: str) -> list[str]:
    """The tests to be asked about a change of this module, the likeliest and quickest first."""
    answers = "tests/scoring/test_frozen_answers.py::test_every_answer_is_as_it_was_kept"
    first = FIRST.get(module, "score")
    quick = ("read", "address", "options", "told", "explain", "compare", "settle", "booked")
    names = dict.fromkeys((*ABOUT.get(module, ()), *VALUES, *ROUNDS[:2]))
    return [
        *(f"{answers}[{call}]" for call in dict.fromkeys((first, "score", *quick))),
        "tests/project/test_project.py::test_the_examples_in_the_docstrings_hold",
        *(str(next(Path("tests").glob(f"*/test_{name}.py"))) for name in names),
        f"{answers}[drill]",
    ]


@lru_cache
def _functions(path: Path) -> dict[str, str]:
    """The source of every function of a module by its name (`Class.method`)."""
    source = path.read_text()
    lines = source.split("\n")
    found = {}
    for node in ast.parse(source).body:
        inner = [node] if isinstance(node, ast.FunctionDef) else getattr(node, "body", [])
        outer = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in inner:
            if isinstance(function, ast.FunctionDef):
                begin, end = function.lineno - 1, function.end_lineno
                found[outer + function.name] = "\n".join(lines[begin:end])
    return found


def changed(change: str) -> tuple[Path, str]:
    """The module of a change and its source with the change made."""
    *module, function = change.split(".")
    path = Path(*module).with_suffix(".py")
    parts = function.rpartition("__mutmut_")[0].removeprefix("x").removeprefix("_").strip("ǁ")
    *outer, name = parts.split("ǁ")
    old = _functions(path)[".".join((*outer, name))]
    new = _functions(ROOT / path)[".".join((*outer, function))].replace(function, name)
    source = path.read_text()
    assert source.count(old) == 1
    return path, source.replace(old, new)


class Tree:
    """A copy of the project to try changes in, and the process that asks its tests."""

    def __init__(self, job: int) -> None:
        self.root = ROOT / f"job{job}"
        shutil.rmtree(self.root, ignore_errors=True)
        for name in ("scoring", "calculator", "docs", "static", "templates", "tests"):
            shutil.copytree(name, self.root / name)
        for name in ("manage.py", "pyproject.toml", "README.md", "Makefile"):
            shutil.copy2(name, self.root / name)
        self.asker = subprocess.Popen(
            (sys.executable, "-m", "tests.mutation.asker"),
            cwd=self.root, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, tests: list[str], amounts: dict[str, str], *, seconds: int, keep: bool) -> str:
        """What these tests say of the source as it stands in the tree."""
        assert self.asker.stdin and self.asker.stdout
        print(json.dumps((seconds, tests, keep, amounts)), file=self.asker.stdin, flush=True)
        return self.asker.stdout.readline().strip()

    def unchanged(self, modules: list[str]) -> str:
        """What the tests say without any change; what is compiled for them is kept."""
        tests = [test for module in modules for test in tests_for(module)]
        return self.ask([*dict.fromkeys(tests)], QUICK, seconds=900, keep=True)

    def changed(self, change: str) -> str:
        """What the tests say of a change: noticed, survived or endless."""
        path, source = changed(change)
        (self.root / path).write_text(source)
        said = self.ask(tests_for(change.split(".")[1]), QUICK, seconds=LONGEST, keep=False)
        if said == "survived":
            said = self.ask([*COMPARISONS], WHOLE, seconds=LONGEST, keep=False)
        shutil.copy2(path, self.root / path)
        return said


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.sample", description=__doc__)
    parser.add_argument("--every", type=int, default=40, help="one change in so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", type=int, default=0, help="the first change taken")
    parser.add_argument("--only", default="", help="changes whose name has this pattern in it")
    given = parser.parse_args()
    prepare()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    picked = [name for name in changes()[given.start :: given.every] if re.search(given.only, name)]
    picked.sort(key=lambda name: ".generate." in name)  # its tests take the longest
    left = [name for name in picked if name not in kept]
    modules = sorted({name.split(".")[1] for name in left})
    trees = [Tree(job) for job in range(given.jobs)]
    ready: SimpleQueue[Tree] = SimpleQueue()

    def ask(change: str) -> str:
        tree = ready.get()
        try:
            return tree.changed(change)
        finally:
            ready.put(tree)

    with ThreadPoolExecutor(given.jobs) as pool:
        for said in pool.map(lambda tree: tree.unchanged(modules), trees):
            if said != "survived":
                raise SystemExit(f"the tests fail without any change: {said}")
        for tree in trees:
            ready.put(tree)
        results = pool.map(ask, left)
        for number, (name, said) in enumerate(zip(left, results, strict=True), 1):
            kept[name] = said
            KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False))
            print(f"{number}/{len(left)} {said} {name}", flush=True)
    for module in dict.fromkeys(name.split(".")[1] for name in picked):
        said = [kept[name] for name in picked if name.split(".")[1] == module]
        print(f"{module:16} {len(said):5} tried, {said.count('survived'):4} survived")
    survived = sum(kept[name] == "survived" for name in picked)
    print(f"{len(picked)} tried, {survived} survived: {1 - survived / len(picked):.1%} noticed")


if __name__ == "__main__":
    main()
