"""`manage.py verify`: every winning hand, by the engine and by an independent scorer.

Needs the project's own `tests/` and NumPy. Stop it with Ctrl-C whenever you like; with `--state` it
goes on where it stopped. The result on the author's side is in docs/verification.md.
"""

import hashlib
import json
import os
import signal
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from math import inf
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from calculator.site.console import INTERRUPTED
from scoring import rules

SAVE_EVERY = 5.0


class Command(BaseCommand):
    help = "Score every winning hand with the engine and with an independent scorer; compare."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "parts",
            nargs="*",
            help="concealed melds1 melds2 melds3 melds4 waits jokers terms hooks three two zhong "
            "places; default: all of them",
        )
        parser.add_argument("--rules", nargs="+", metavar="ID", help="default: every system")
        parser.add_argument(
            "--step", type=int, default=1, metavar="N", help="a sample: every N-th hand only"
        )
        parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
        parser.add_argument("--state", type=Path, metavar="FILE", help="keep and resume results")

    def handle(self, *, parts: list[str], **options: Any) -> None:
        every_hand = _every_hand()
        _choose(parts, every_hand.PARTS)
        _choose(options["rules"] or (), rules.ids())
        if options["step"] < 1 or options["jobs"] < 1:
            raise CommandError("--step and --jobs are at least 1")
        systems = options["rules"] or list(rules.ids())
        units = every_hand.units(parts or every_hand.PARTS, options["step"])
        about = {"rules": systems, "step": options["step"], "files": fingerprint()}
        state = State(options["state"], about)
        if state.started_over:
            self.stderr.write("The results kept are of another engine or choice: starting over.")
        check = partial(every_hand.check, systems=tuple(systems))
        self._work(state, units, check, options["jobs"])
        found = {unit.key: state.units[unit.key] for unit in units}
        for line in report(found, systems):
            self.stdout.write(line)
        if any(one["differences"] for one in found.values()):
            sys.exit(1)

    def _work(
        self, state: "State", units: Sequence[Any], check: Callable[[Any], Any], jobs: int
    ) -> None:
        """Check what the state does not have yet; told to stop, it keeps what is done."""
        todo = [unit for unit in units if unit.key not in state.units]
        progress = Progress(self.stderr, [unit.key for unit in units], len(units) - len(todo))
        try:
            for unit, found in results(check, todo, jobs):
                state.units[unit.key] = asdict(found)
                state.save(SAVE_EVERY)
                progress.show(state)
        except KeyboardInterrupt:
            finished = sum(unit.key in state.units for unit in units)
            self.stderr.write(f"Stopped after {finished} of {len(units)} pieces.")
            sys.exit(INTERRUPTED)
        finally:
            state.save()
            progress.end()


def _every_hand() -> Any:
    """The tests' own walk over every hand."""
    if str(settings.BASE_DIR) not in sys.path:
        sys.path.append(str(settings.BASE_DIR))
    try:
        return import_module("tests.every_hand")
    except ImportError as error:
        raise CommandError(f"This needs the project's tests and NumPy: {error}") from error


def _choose(asked: Iterable[str], known: Iterable[str]) -> None:
    for one in asked:
        if one not in known:
            raise CommandError(f"{one}: one of {' '.join(known)}")


def results(
    check: Callable[[Any], Any], units: Sequence[Any], jobs: int
) -> Iterator[tuple[Any, Any]]:
    """Each unit with what came of it, as soon as it is done."""
    work = partial(done, check)
    if jobs == 1:
        yield from map(work, units)
        return
    # Only this process hears Ctrl-C; leaving the pool ends the others at once.
    with Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap_unordered(work, units)


def done(check: Callable[[Any], Any], unit: Any) -> tuple[Any, Any]:
    """A unit with what came of it."""
    return unit, check(unit)


def fingerprint() -> str:
    """A digest of everything that the results depend on."""
    base = Path(settings.BASE_DIR)
    names = ("tiles", "hand", "decompose", "patterns", "rules", "score", "waits", "many")
    files = [base / "scoring" / f"{name}.py" for name in (*names, "enumerate")]
    files += sorted(rules.RULESETS.glob("*.toml"))
    files += [base / "tests" / "independent" / f"{name}.py" for name in ("scorer", "fast", "hands")]
    files.append(base / "tests" / "every_hand.py")
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class State:
    """The results so far, in a file if there is one."""

    def __init__(self, file: Path | None, about: dict[str, Any]) -> None:
        self.file, self.about = file, about
        self.units: dict[str, dict[str, Any]] = {}
        self.started_over = False
        self._saved = -inf
        if file is not None and file.exists():
            try:
                kept = json.loads(file.read_text("utf-8"))
                same = kept["about"] == about
                self.units = dict(kept["units"]) if same else {}
            except (ValueError, KeyError, TypeError) as error:
                raise CommandError(f"{file} holds no results of this command") from error
            self.started_over = not same

    def save(self, every: float = 0.0) -> None:
        """Write the file, unless that was done less than ``every`` seconds ago."""
        if self.file is None or time.monotonic() - self._saved < every:
            return
        fresh = self.file.with_name(f"{self.file.name}.new")
        fresh.write_text(json.dumps({"about": self.about, "units": self.units}), "utf-8")
        fresh.replace(self.file)
        self._saved = time.monotonic()

    def of(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """What was found in these units, as far as they are done; a file may hold others too."""
        return [self.units[key] for key in keys if key in self.units]


class Progress:
    """A line on the terminal that says how far it is; nothing where that is no terminal."""

    def __init__(self, stream: Any, keys: Sequence[str], before: int) -> None:
        self.stream = stream
        self.keys, self.before = keys, before
        self.began = time.monotonic()
        self.shown = stream.isatty()

    def show(self, state: State) -> None:
        if not self.shown:
            return
        found = state.of(self.keys)
        here = len(found) - self.before
        left = (time.monotonic() - self.began) / here * (len(self.keys) - len(found))
        hands, values, differences = (
            sum(int(one[what]) for one in found) for what in ("hands", "compared", "differences")
        )
        self.stream.write(
            f"\r{hands:,} hands, {values:,} values, {differences:,} differences; "
            f"{len(found)} of {len(self.keys)} pieces, {clock(left)} left ",
            ending="",
        )
        self.stream.flush()

    def end(self) -> None:
        if self.shown:
            self.stream.write("")


def clock(seconds: float) -> str:
    """Minutes and seconds.

    >>> clock(75)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def report(units: dict[str, dict[str, Any]], systems: Sequence[str]) -> Iterator[str]:
    """The numbers of each part, then some of the differences."""
    yield f"{'part':<12}{'hands':>12}{'values':>14}{'differences':>13}"
    parts = list(dict.fromkeys(key.partition(":")[0] for key in units))
    for part in [*parts, ""]:
        found = [one for key, one in units.items() if key.startswith(f"{part}:") or not part]
        hands, compared, differences = (
            sum(one[what] for one in found) for what in ("hands", "compared", "differences")
        )
        yield f"{part or 'all':<12}{hands:>12,}{compared:>14,}{differences:>13,}"
    yield f"Systems: {' '.join(systems)}; each hand by discard and by self-draw."
    examples = [line for one in units.values() for line in one["examples"]]
    yield from examples[:20]
