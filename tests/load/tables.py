"""Shared tables under load: `python -m tests.load.tables --tables 300 --phones 4 --seconds 60`.

Every phone asks for news every 1.8 seconds, as the page's script does; at every table somebody
notes something down every `--every` seconds, tap by tap.  Once with SQLite and once with a
PostgreSQL of its own, where there is one; gunicorn with two workers, asked directly, on the same
cores as all the phones.  At the end as many entries must be kept as were said to be booked.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import quantiles
from urllib.parse import urlencode, urlsplit

from tests import postgres
from tests.served import ROOT, Served, manage, served

#: As in `static/tables/table.js`.
EVERY = 1.8
HERE = 12
NAMES = "rules=xueliu&n=Ann,Bob,Cat,Dan"
#: What is tapped for one event, each with the entry as it stands before.
KONG = (("new:concealed_kong", ""), ("who:{s}", "k-c"), ("save", "k{s}c"))
WIN = (
    *(("new:self_draw", ""), ("who:{s}", "ws"), ("fan:{s}:2", "ws,{s}")),
    ("save", "ws,{s}2"),
)
#: A round has so many events, then comes the next one.
ROUND = 12
#: Pages that need no table, asked this often a second before and while the tables are there.
PAGES = 5

Times = defaultdict[str, list[float]]


@dataclass
class Load:
    """What is asked of the site, and what came of it."""

    port: int
    phones: int
    every: float
    times: Times = field(default_factory=lambda: defaultdict(list))
    booked: int = 0
    lost: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> None:
        """So long, or until it is over."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)


class Line:
    """One connection that is kept, as a browser's or a proxy's."""

    def __init__(self, load: Load, address: str) -> None:
        self.load, self.address = load, address
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, what: str, path: str, given: dict[str, object] | None = None) -> str:
        """The body of an answer; its time is noted under `what`. Asked until there is one."""
        while True:
            begun = time.perf_counter()
            try:
                status, found = await asyncio.wait_for(self._once(path, given), 30)
            except (OSError, EOFError, TimeoutError):
                self.streams = None
                status, found = 0, ""
            if status in (200, 204, 302):
                self.load.times[what].append(1000 * (time.perf_counter() - begun))
                return found
            self.load.lost += 1
            await asyncio.sleep(0.5)

    async def _once(self, path: str, given: dict[str, object] | None) -> tuple[int, str]:
        body = urlencode(given or {}).encode()
        head = (
            f"{'GET' if given is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n"
            f"X-Forwarded-For: {self.address}\r\nSec-Fetch-Site: same-origin\r\n"
            "HX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.load.port)
        reader, writer = self.streams
        writer.write(head.encode() + body)
        said = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"(?im)^content-length: (\d+)", said)
        text = (await reader.readexactly(int(length[1]) if length else 0)).decode()
        if "connection: close" in said.lower():
            self.streams = None
        status = int(said.split(" ", 2)[1])
        to = re.search(r"(?im)^location: (\S+)", said)
        return status, to[1] if status == 302 and to else text


class Phone:
    """One phone at a table: the last entry that it has seen."""

    def __init__(self, line: Line, path: str, number: int, head: int) -> None:
        self.line, self.path, self.head = line, path, head
        self.device = f"{abs(hash(path)):x}"[:12] + f"-{number}"
        self.who = f"P{number}"

    async def watch(self, load: Load, chance: Random) -> None:
        """Ask for news, again and again."""
        turn = 0
        await load.wait(chance.random() * EVERY)
        while not load.over.is_set():
            given = {"rev": self.head, "device": self.device, "who": self.who}
            more = {} if turn % HERE else {"here": 1}
            html = await self.line.ask("poll", f"{self.path}news?{urlencode({**given, **more})}")
            self._saw(html)
            turn += 1
            await load.wait(EVERY)

    async def tap(self, what: str, do: str, entry: str, key: str) -> bool:
        """Press a button; whether something was booked, where that was meant."""
        given = {"do": do, "a": entry, "saw": self.head, "key": key}
        html = await self.line.ask(what, self.path, {**given, "device": self.device, "who": "P"})
        before, refused = self.head, 'data-problem="' in html
        self._saw(html)
        return self.head > before and not refused

    def _saw(self, html: str) -> None:
        if found := re.search(r'data-head="(\d+)"', html):
            self.head = int(found[1])


async def table(load: Load, number: int, chance: Random) -> list[asyncio.Task[None]]:
    """A new table with its phones, at which something happens until all is over."""
    address = f"10.{number >> 8 & 255}.{number & 255}.1"
    opener = Line(load, address)
    given = {"rounds": NAMES, "who": "P", "device": "opener", "key": f"t{number}"}
    path = urlsplit(await opener.ask("open", "/settle/open/", given)).path
    path = path.removesuffix("people/")
    load.booked += 1
    phones = [Phone(Line(load, address), path, n, 1) for n in range(load.phones)]
    watching = [asyncio.create_task(phone.watch(load, chance)) for phone in phones]

    async def play() -> None:
        events = 0
        await load.wait(chance.random() * load.every)
        while not load.over.is_set():
            # The one at the table who notes down has an own line for it, as a browser has.
            at_hand = chance.randrange(load.phones)
            hand = Phone(opener, path, at_hand, phones[at_hand].head)
            taps = chance.choice((KONG, WIN)) if events < ROUND else (("next", ""),)
            events = events + 1 if events < ROUND else 0
            seat = chance.randrange(4)
            for at, (do, entry) in enumerate(taps):
                last = at == len(taps) - 1
                made = do.format(s=seat), entry.format(s=seat)
                key = f"{number}-{time.monotonic_ns()}"
                booked = await hand.tap("entry" if last else "tap", *made, key)
                load.booked += booked and last
                await load.wait(0.4)
            await load.wait(load.every)

    return [*watching, asyncio.create_task(play())]


async def pages(load: Load, what: str, chance: Random) -> None:
    """People who only count a hand."""
    line = Line(load, "10.255.0.1")
    while not load.over.is_set():
        ranks = "".join(sorted(chance.choice("123456789") for _ in range(4)))
        hand = f"112233{ranks}5557m" if len(set(ranks)) > 1 else "11223345678999m"
        await line.ask(what, f"/fragment/result?rules=chengdu&hand={hand}")
        await load.wait(1 / PAGES)


async def played(load: Load, site: Served, tables: int, seconds: float) -> float:
    """All of it; the share of one processor's time that the workers took."""
    chance = Random("tables")
    quiet = asyncio.create_task(pages(load, "page, quiet", chance))
    await asyncio.sleep(min(seconds, 10))
    load.over.set()
    await quiet
    load.over.clear()
    running = [task for n in range(tables) for task in await table(load, n, chance)]
    await asyncio.sleep(min(seconds / 4, 10))
    for what in ("poll", "tap", "entry"):  # from here on it counts
        load.times[what].clear()
    running.append(asyncio.create_task(pages(load, "page, beside tables", chance)))
    begun, before = time.monotonic(), spent(site)
    await asyncio.sleep(seconds)
    share = (spent(site) - before) / (time.monotonic() - begun)
    load.over.set()
    await asyncio.gather(*running)
    return share


def spent(site: Served) -> float:
    """Seconds of processor time of the workers."""
    ticks = 0
    for worker in site.workers:
        fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def kept(site: Served) -> int:
    """How many entries all tables have."""
    done = subprocess.run(
        [sys.executable, "manage.py", "tables"],
        cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return sum(int(line.split()[-1]) for line in done.stdout.splitlines() if line.strip())


@contextmanager
def databases() -> Iterator[list[tuple[str, dict[str, str]]]]:
    """SQLite, and a PostgreSQL where one can be started."""
    found: list[tuple[str, dict[str, str]]] = [("SQLite", {})]
    if postgres.find() is None:
        yield found
        return
    with postgres.postgres() as server:
        yield [*found, ("PostgreSQL", {"DATABASE_URL": server.url})]


def measure(name: str, settings: dict[str, str], given: argparse.Namespace) -> bool:
    """Measure with one database and print it; whether nothing was lost."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), WEB_CONCURRENCY="2", BEHIND_PROXY="1", **settings) as site,
    ):
        manage(site.environment, "migrate", "--verbosity", "0")
        port = urlsplit(site.url).port
        assert port is not None
        load = Load(port, given.phones, given.every)
        share = asyncio.run(played(load, site, given.tables, given.seconds))
        found = kept(site)
    print(f"\n{name}: {given.tables} tables × {given.phones} phones, {given.seconds:.0f} s")
    for what, times in load.times.items():
        cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
        print(
            f"  {what:<20}{len(times):>8}  p50 {cuts[49]:>7.1f} ms  p95 {cuts[94]:>7.1f} ms"
            f"  p99 {cuts[98]:>7.1f} ms"
        )
    print(f"  workers: {share:.2f} processors; answers lost and asked again: {load.lost}")
    print(f"  entries: {load.booked} said to be booked, {found} kept", flush=True)
    return found == load.booked


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.tables", description=__doc__)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--phones", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60, help="how long, with each database")
    parser.add_argument("--every", type=float, default=40, help="seconds between two events")
    given = parser.parse_args()
    with databases() as found:
        sound = [measure(name, settings, given) for name, settings in found]
    sys.exit(not all(sound))


if __name__ == "__main__":
    main()
