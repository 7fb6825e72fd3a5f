"""The command line on streams of JSON lines and on files of columns, as people use it."""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scoring.hand import Meld, make_hand
from scoring.notation import format_hand
from tests.bench.deals import SEED, Deal
from tests.independent import hands as requests

ROOT = Path(__file__).resolve().parents[2]
#: How many lines, and how many hands in columns.
LINES, ROWS = 40_000, 3_000_000


def _spent(*arguments: str) -> float:
    """The time of the processor, all processes together, that a command takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "score", *arguments],
        stdout=subprocess.DEVNULL,
        check=False,  # some requests are errors
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def wins(hands: dict[str, list[Deal]]) -> list[str]:
    """Requests for hands that win, with and without melds."""
    dealt = [deal for some in hands.values() for deal in some]
    random.Random(SEED).shuffle(dealt)
    made = [
        make_hand(list(d.tiles[:-1]), tuple(Meld(*m) for m in d.melds), win_tile=d.tiles[-1])
        for d in dealt
    ]
    return [json.dumps({"ruleset": "chengdu", "hand": format_hand(hand)}) for hand in made]


def mixed(number: int) -> list[str]:
    """Requests of every kind: wins, waits and hands that are far off, many under house rules."""
    chance = random.Random(SEED)
    return [
        json.dumps(requests.request(chance, house_rules=chance.random() < 0.3))
        for _ in range(number)
    ]


def lines(hands: dict[str, list[Deal]]) -> Iterator[tuple[str, str]]:
    """Lines a second of one core; how soon the first answer comes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requests.jsonl"
        for what, asked in (("wins", wins(hands)), ("mixed requests", mixed(LINES // 4))):
            # The same line again costs what a line costs; what starts and ends the command is left.
            file.write_text("\n".join(asked[:1]) + "\n", "utf-8")
            begin = _spent("--json", str(file))
            file.write_text("\n".join(asked) + "\n", "utf-8")
            spent = _spent("--json", str(file), "--jobs", str(max(2, os.cpu_count() or 2)))
            yield f"lines of {what}, of one core", f"{len(asked) / (spent - begin):,.0f} /s"
        file.write_text("\n".join(wins(hands)) + "\n", "utf-8")
        started = time.perf_counter()
        command = [sys.executable, str(ROOT / "manage.py"), "score", "--json", str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as asked_all:
            assert asked_all.stdout is not None
            asked_all.stdout.readline()
            yield "the first answer, by the clock", f"{time.perf_counter() - started:.2f} s"
            asked_all.terminate()


def columns(hands: dict[str, list[Deal]]) -> Iterator[tuple[str, str]]:
    """Hands a second from one Parquet file into another."""
    try:
        import numpy as np
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        yield "columns of Parquet", "not installed"
        return
    tiles = np.array([deal.tiles for deal in hands["no melds"]], dtype=np.uint8)
    rows = np.tile(tiles, (ROWS // len(tiles), 1))
    lists = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), rows.shape[1])
    with tempfile.TemporaryDirectory() as folder:
        source, target = (str(Path(folder) / name) for name in ("in.parquet", "out.parquet"))
        parquet.write_table(pa.table({"tiles": lists}), source)
        spent = _spent("--table", source, target)
    yield f"{len(rows):,} hands, Parquet to Parquet", f"{len(rows) / spent:,.0f} /s"
