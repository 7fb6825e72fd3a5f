"""Ordinary pages while four attack: `python -m tests.load.attack [--pages 200]`.

The deployment of `docs/deploy` as it is documented, limits included, without TLS.  Every attacker
asks without a pause, on four connections from one address, for the costliest things that are known;
the visitors come from other addresses.  Exit status 1 where a page failed.
"""

import argparse
import http.client
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import quantiles
from urllib.parse import urlencode

from tests import deployment

ATTACKERS = 4
CONNECTIONS = 4
VISITORS = 20

#: Three jokers, and the terms that depend on how the sets are divided.
OPT = "fans.jia_xin_wu:1,fans.yi_tiao_long:1,fans.ka_er_tiao:1"


def hand(chance: Random) -> str:
    """A ready hand with three jokers, another one each time."""
    tiles = sorted(chance.sample([*range(1, 10)] * 3, 10))
    return f"{''.join(map(str, tiles))}{chance.choice('mp')}111s"


def attack(chance: Random) -> tuple[str, str, str | None]:
    """One request that costs as much as is allowed."""
    hands = [hand(chance) for _ in range(4)]
    draw = "n," + ",".join(f"{seat}h{one}" for seat, one in enumerate(hands))
    rules = {"rules": "yaoji", "opt": OPT}
    body = {
        "ruleset": "yaoji",
        "events": [{"type": "draw", "hands": {str(s): {"hand": h} for s, h in enumerate(hands)}}],
    }
    return chance.choice(
        [
            ("GET", f"/settle/?{urlencode({**rules, 'e': draw})}", None),
            ("GET", f"/fragment/round?{urlencode({**rules, 'e': '.'.join([draw] * 20)})}", None),
            ("GET", f"/house/?{urlencode({**rules, 'hand': hands[0]})}", None),
            ("GET", f"/compare/?{urlencode({**rules, 'hand': hands[0]})}", None),
            ("POST", "/api/v1/settle", json.dumps(body)),
        ]
    )


def ask(port: int, source: str, method: str, address: str, body: str | None = None) -> int:
    """The status of an answer, read to its end; 0 where none came."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    try:
        line.request(method, address, body, {"Host": deployment.HOST})
        answer = line.getresponse()
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        line.close()


@contextmanager
def attacked(port: int) -> Iterator[Counter[int]]:
    """While this lasts the site is attacked; what the attackers were answered."""
    over = threading.Event()
    answers: Counter[int] = Counter()
    begun = threading.Barrier(ATTACKERS * CONNECTIONS + 1)

    def go_on(attacker: int, number: int) -> None:
        chance = Random(f"{attacker} {number}")
        begun.wait()
        while not over.is_set():
            answers[ask(port, f"127.0.1.{attacker + 1}", *attack(chance))] += 1

    threads = [
        threading.Thread(target=go_on, args=(attacker, number))
        for attacker in range(ATTACKERS)
        for number in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    begun.wait()
    try:
        yield answers
    finally:
        over.set()
        for thread in threads:
            thread.join()


@dataclass(frozen=True)
class Visit:
    """How ordinary pages came: how many did not, and the milliseconds of each."""

    failed: int
    times: list[float]

    @property
    def p95(self) -> float:
        """Below which 95 of 100 were."""
        return quantiles(self.times, n=20)[-1]


def visit(port: int, pages: int, pause: float, chance: Random) -> Visit:
    """Open so many pages, no two alike, as people do: no cache has them."""
    failed, times = 0, []
    for number in range(pages):
        tiles = "".join(sorted(chance.sample("112233445566778899", 13)))
        begun = time.perf_counter()
        page = f"/?rules=chengdu&hand={tiles}{chance.choice('mps')}"
        failed += ask(port, f"127.0.2.{number % VISITORS + 1}", "GET", page) != 200
        times.append(1000 * (time.perf_counter() - begun))
        time.sleep(pause)
    return Visit(failed, times)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.attack", description=__doc__)
    parser.add_argument("--pages", type=int, default=200)
    pages = parser.parse_args().pages
    with (
        tempfile.TemporaryDirectory() as folder,
        deployment.site(Path(folder), {}, encrypted=False) as site,
    ):
        quiet = visit(site.port, pages, 0.1, Random("quiet"))
        with attacked(site.port) as answers:
            time.sleep(5)  # what may come at once has come
            loud = visit(site.port, pages, 0.1, Random("loud"))
    for name, found in (("quiet", quiet), ("attacked", loud)):
        print(f"{name:<10}{found.failed} of {pages} failed, p95 {found.p95:.0f} ms")
    told = ", ".join(f"{status}: {n}" for status, n in sorted(answers.items()))
    print(f"attackers, by what came back: {told}")
    sys.exit(bool(quiet.failed + loud.failed))


if __name__ == "__main__":
    main()
