"""A million hands and a quarter of a million rounds: `python -m tests.bench.million`.

How long, and how much memory all its processes hold, early on and at the end.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from tests.bench import deals, streams
from tests.independent import rounds

#: How often memory is looked at, in seconds.
EVERY = 0.25


def wins(number: int) -> Iterator[str]:
    """Different hands that win, half of them with melds, a part of them at a time."""
    for melds in (False, True):
        yield from streams.wins({"": deals.winning_hands(number // 2, melds=melds)})


def settled(number: int) -> Iterator[str]:
    """Rounds of every kind, three in ten under house rules."""
    chance = random.Random(deals.SEED)
    for _ in range(number):
        yield json.dumps(rounds.request(chance, house_rules=chance.random() < 0.3))


def resident(process: int) -> int:
    """What a process and its children hold in memory, in KiB."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    held = 0
    for each in (process, *children):
        try:
            status = Path(f"/proc/{each}/status").read_text()
        except FileNotFoundError:
            continue  # it has just ended
        held += sum(int(row.split()[1]) for row in status.splitlines() if row.startswith("VmRSS"))
    return held


def measure(command: str, lines: Iterable[str]) -> str:
    """One row: lines a second of one core and by the clock, and the memory."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requests.jsonl"
        with file.open("w", encoding="utf-8") as written:
            number = sum(written.write(line + "\n") > 0 for line in lines)
        size, held = file.stat().st_size, []
        before, began = getrusage(RUSAGE_CHILDREN), time.perf_counter()
        manage = [sys.executable, str(streams.ROOT / "manage.py"), command, "--json", str(file)]
        with subprocess.Popen(manage, stdout=subprocess.DEVNULL) as running:
            while running.poll() is None:
                held.append(resident(running.pid))
                time.sleep(EVERY)
        clock, after = time.perf_counter() - began, getrusage(RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    early, all_along = max(held[: len(held) // 5 + 1]) / 1024, max(held) / 1024
    return (
        f"{command} --json: {number:,} lines of {size / 1e6:.0f} MB, "
        f"{number / spent:,.0f} /s of one core, {number / clock:,.0f} /s by the clock, "
        f"{early:.0f} MiB in the first fifth, {all_along:.0f} MiB at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    number = parser.parse_args().lines
    print(measure("score", wins(number)), flush=True)
    print(measure("settle", settled(number // 4)), flush=True)


if __name__ == "__main__":
    main()
