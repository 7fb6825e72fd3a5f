"""Put the site under load on this machine alone: `python -m tests.load [--seconds 300]`.

Needs wrk and nginx (`apt install wrk nginx openssl`).  Three things are measured:

1. gunicorn with two workers, asked directly: page, partial, score, settle, all of them together;
2. the memory of the workers meanwhile;
3. two instances behind nginx, as on the internet, while slow and hostile clients are at work, and
   while workers are killed: how many requests are lost.
"""

import argparse
import http.client
import json
import os
import platform
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

from scoring.notation import format_tiles
from tests import deployment
from tests.bench import deals

CONNECTIONS = 16
SLOW = 100
HANDS = 4000
HOST = "localhost"
SCRIPT = Path(__file__).with_name("asks.lua")


# What is asked.


def asks(folder: Path) -> dict[str, Path]:
    """A file of requests of each kind, no two alike where a hand is concerned."""
    random = Random(1)
    hands = [format_tiles(sorted(d.tiles)) for d in deals.winning_hands(HANDS, melds=False)]
    systems = ("chengdu", "laok", "jipin", "xueliu", "majsoul")

    def query(hand: str) -> str:
        return urlencode({"rules": random.choice(systems), "hand": hand})

    def score(hand: str) -> str:
        return json.dumps({"ruleset": random.choice(systems), "hand": hand})

    def settle(number: int) -> str:
        events = [
            {"type": "kong", "seat": number % 4, "kind": "concealed_kong"},
            {
                "type": "win",
                "by": "discard",
                "from": (number + 1) % 4,
                "winners": [{"seat": number % 4, "fan": random.randrange(1, 8)}],
            },
            {
                "type": "win",
                "by": "self_draw",
                "winners": [{"seat": (number + 2) % 4, "fan": random.randrange(1, 8)}],
            },
        ]
        return json.dumps({"ruleset": "laok", "dealer": number % 4, "events": events})

    kinds = {
        "page": [f"/?{query(hand)}" for hand in hands],
        "partial": [f"/fragment/result?{query(hand)}" for hand in hands],
        "score": [f"/api/v1/score\t{score(hand)}" for hand in hands],
        "settle": [f"/api/v1/settle\t{settle(number)}" for number in range(HANDS)],
    }
    mixed = [line for lines in kinds.values() for line in lines]
    random.shuffle(mixed)
    kinds["all together"] = mixed
    files = {}
    for kind, lines in kinds.items():
        files[kind] = folder / f"{kind.replace(' ', '-')}.txt"
        files[kind].write_text("\n".join(lines) + "\n", "ascii")
    return files


def wrk(port: int, file: Path, seconds: int, host: str = HOST) -> dict[str, Any]:
    """One run of wrk; what `asks.lua` prints."""
    command = (
        *("wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--timeout", "10s"),
        *("--duration", f"{seconds}s", "--script", str(SCRIPT), f"http://127.0.0.1:{port}"),
        *("--", str(file), host),
    )
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(printed.strip().splitlines()[-1])
    return found


# What must do no harm.


def drip(port: int, over: threading.Event) -> None:
    """Many clients that send their request a byte a second and never finish it."""
    text = f"GET /?rules=chengdu HTTP/1.1\r\nHost: {deployment.HOST}\r\nX-Slow: {'x' * 4000}"
    clients: list[tuple[socket.socket, int]] = []
    while not over.wait(1.0):
        clients += [
            (socket.create_connection(("127.0.0.1", port), timeout=5), 0)
            for _ in range(SLOW - len(clients))
        ]
        still = []
        for client, sent in clients:
            try:
                client.sendall(text[sent : sent + 1].encode())
                still.append((client, sent + 1))
            except OSError:
                client.close()
        clients = still
    for client, _ in clients:
        client.close()


def hostile(port: int, over: threading.Event, statuses: Counter[str]) -> None:
    """Requests that are too long, too deep or too many, a few each second."""
    long = "1" * 10_000
    opt = ",".join(["fans.gen:99"] * 600)
    bad: list[tuple[str, str, str | None]] = [
        ("GET", f"/?hand={long}", None),
        ("GET", f"/fragment/result?rules=chengdu&hand={long[:7000]}", None),
        ("GET", f"/?rules=chengdu&opt={opt}", None),
        ("GET", f"/settle/?rules=laok&e={'.'.join(['k2e5m0'] * 900)}", None),
        ("POST", "/api/v1/score", json.dumps({"ruleset": "chengdu", "hand": long})),
        ("POST", "/api/v1/score", '{"a":' * 9000 + "1" + "}" * 9000),
        ("POST", "/api/v1/settle", "[" * 60_000),
        ("POST", "/api/v1/score", "x" * 1_000_000),
        ("POST", "/api/v1/compare", json.dumps({"hand": "1" * 400, "ruleset": "yaoji"})),
    ]
    turn = 0
    while not over.wait(0.1):
        method, address, body = bad[turn % len(bad)]
        turn += 1
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            connection.request(method, address, body, {"Host": deployment.HOST})
            statuses[str(connection.getresponse().status)] += 1
        except OSError as error:
            statuses[type(error).__name__] += 1
        finally:
            connection.close()


# What is watched.


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def memory(pid: int) -> float:
    """The megabytes that the workers of a master have for themselves and their share."""
    total = 0
    for each in children(pid):
        for line in Path(f"/proc/{each}/smaps_rollup").read_text("ascii").splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, int]]:
    """gunicorn with two workers: its port and its process."""
    (port,) = deployment.free_ports(1)
    environment = {
        "SECRET_KEY": secrets.token_urlsafe(64),
        "HTTPS": "0",
        "WEB_CONCURRENCY": "2",
        "STATIC_ROOT": str(folder / "static"),
    }
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=deployment.ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        check=True,
    )
    log = folder / "log"
    with deployment.running(log, port, *deployment.instance_command(port), **environment) as one:
        yield port, one.pid


def faults(log: Path) -> int:
    """How many answers of 500 and more the site has logged."""
    lines = (json.loads(line) for line in log.read_text("utf-8").splitlines() if line[:1] == "{")
    return sum(line.get("status", 0) >= 500 or "traceback" in line for line in lines)


def report(kind: str, run: dict[str, Any]) -> None:
    print(
        f"{kind:<34}{run['requests'] / run['seconds']:>7.0f}/s"
        f"{run['p50']:>9.1f}{run['p95']:>9.1f}{run['p99']:>9.1f}{run['worst']:>9.0f} ms"
        f"{run['lost'] + run['late']:>6}{run['refused']:>8}",
        flush=True,
    )


def under_load(folder: Path, seconds: int) -> None:
    """The first two measurements."""
    files = asks(folder)
    part = max(1, seconds // len(files))
    with served(folder) as (port, pid):
        wrk(port, files["all together"], max(1, part // 4))
        warm = [memory(pid)]
        for kind, file in files.items():
            report(kind, wrk(port, file, part))
            warm.append(memory(pid))
    print(
        "memory of both workers, MB, warm and after each:", " ".join(f"{each:.0f}" for each in warm)
    )
    print(f"faults in the site's log: {faults(folder / 'log')}\n")


def deployed(folder: Path, seconds: int) -> None:
    """The third: the files of `docs/deploy`, without TLS and with limits for one address."""
    changes = {
        "rate=20r/s": "rate=50000r/s",
        "rate=5r/s": "rate=50000r/s",
        "limit_conn suanfan_connections 40": "limit_conn suanfan_connections 400",
    }
    files = asks(folder)
    with deployment.site(folder, changes, encrypted=False) as site:
        report("two instances behind nginx", ask_all(site, files, seconds // 3))

        over = threading.Event()
        statuses: Counter[str] = Counter()
        others = [
            threading.Thread(target=drip, args=(site.port, over)),
            threading.Thread(target=hostile, args=(site.port, over, statuses)),
        ]
        for other in others:
            other.start()
        try:
            report(f"  {SLOW} slow clients, hostile ones", ask_all(site, files, seconds // 3))
        finally:
            over.set()
            for other in others:
                other.join()

        def kill() -> None:
            os.kill(children(site.processes[0].pid)[0], signal.SIGKILL)

        timers = [threading.Timer(seconds / 3 * share, kill) for share in (0.3, 0.6)]
        for timer in timers:
            timer.start()
        report("  a worker killed, twice", ask_all(site, files, seconds // 3))
        for timer in timers:
            timer.join()
    told = ", ".join(f"{status}: {n}" for status, n in sorted(statuses.items()))
    print(f"hostile requests by what came back: {told}")
    logs = (folder / "first", folder / "second")
    print(f"faults in the site's logs: {sum(map(faults, logs))}")


def ask_all(site: deployment.Site, files: dict[str, Path], seconds: int) -> dict[str, Any]:
    return wrk(site.port, files["all together"], max(1, seconds), deployment.HOST)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="how long, altogether")
    seconds = min(parser.parse_args().seconds, 600)
    if not shutil.which("wrk"):
        raise SystemExit("wrk is not here: `apt install wrk nginx openssl`")
    print(
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, {CONNECTIONS} connections, "
        f"load before: {os.getloadavg()[0]:.1f}; {time.strftime('%Y-%m-%d')}\n"
    )
    print(
        f"{'gunicorn, two workers':<34}{'':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'worst':>12}"
        f"{'lost':>6}{'refused':>8}"
    )
    for measure, share in ((under_load, 0.7), (deployed, 0.3)):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), max(5, round(seconds * share)))


if __name__ == "__main__":
    main()
