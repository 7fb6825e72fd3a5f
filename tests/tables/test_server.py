"""A served table in bad hours: workers that die, a database that is not there, much at once."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from threading import Event

import pytest

from tests import postgres
from tests.served import ROOT, Served, manage, served

#: 番 that tell the wins of one player apart.
FANS = range(10, 22)


def ask(site: Served, path: str, given: dict[str, object] | None = None) -> tuple[int, str, bytes]:
    """Status, final address and body of a request from one of the site's own pages."""
    data = None if given is None else urllib.parse.urlencode(given).encode()
    request = urllib.request.Request(
        f"{site.url}{path}", data, headers={"Sec-Fetch-Site": "same-origin"}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.url, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.url or "", error.read()


def opened(site: Served) -> str:
    given = {"rounds": "rules=xueliu", "who": "Ann", "device": "a", "key": "open"}
    status, address, _ = ask(site, "/settle/open/", given)
    assert status == 200
    return address.split("/t/")[1].split("/")[0]


def exported(site: Served) -> dict:
    done = subprocess.run(
        [sys.executable, "manage.py", "tables", "export", "1"],
        cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def record(site: Served, token: str, seat: int, begun: Event) -> None:
    """A phone that notes down the wins of its seat, each until it is told that it is booked."""
    made: list[str] = []
    for fan in FANS:
        made.append(f"ws,{seat}{fan}")
        given = {
            "device": f"phone-{seat}", "who": f"P{seat}", "saw": 1, "round": 1,
            "key": f"{seat}-{fan}", "query": f"rules=xueliu&e={'.'.join(made)}",
        }  # fmt: skip
        while True:
            try:
                status, _, body = ask(site, f"/t/{token}/entries", given)
            except (OSError, HTTPException):
                continue  # the answer was lost: nobody knows whether it was booked
            if status == 200:
                break
            assert status >= 500 or status == 429, body
        if fan == FANS[3]:
            begun.set()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")
def test_nothing_is_lost_or_doubled_where_a_worker_is_killed_in_the_middle(site: Served) -> None:
    def kill() -> None:
        for worker in site.workers:
            os.kill(worker, signal.SIGKILL)

    recorded(site, kill)


@pytest.mark.skipif(postgres.find() is None, reason="no PostgreSQL here")
def test_nothing_is_lost_or_doubled_where_postgresql_is_restarted_in_the_middle(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("restarted")
    with (
        postgres.postgres() as server,
        served(folder, WEB_CONCURRENCY="2", DATABASE_URL=server.url) as site,
    ):
        manage(site.environment, "migrate", "--verbosity", "0")

        def restart() -> None:
            server.stop()
            assert ask(site, "/?rules=chengdu&hand=22244455577799m")[0] == 200
            server.start()

        recorded(site, restart)
        assert ask(site, "/healthz")[2] == b"ok\ndatabase ok\n"


def recorded(site: Served, trouble: Callable[[], None]) -> None:
    """Four phones note down their wins, there is trouble in the middle, and all is kept once."""
    token = opened(site)
    begun = Event()
    with ThreadPoolExecutor(4) as phones:
        done = [phones.submit(record, site, token, seat, begun) for seat in range(4)]
        assert begun.wait(60)
        trouble()
        for one in done:
            one.result(timeout=120)
    kept = exported(site)
    assert [entry["seq"] for entry in kept["entries"]] == list(range(1, 4 * len(FANS) + 2))
    texts = [entry["text"] for entry in kept["entries"][1:]]
    assert sorted(texts) == sorted(f"ws,{seat}{fan}" for seat in range(4) for fan in FANS)


def test_without_its_database_a_table_says_so_and_all_else_goes_on(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    nowhere = "postgres://nobody@127.0.0.1:1/none"
    with served(tmp_path_factory.mktemp("down"), DATABASE_URL=nowhere) as site:
        assert ask(site, "/healthz")[2] == b"ok\ndatabase down\n"
        assert ask(site, "/?rules=chengdu&hand=22244455577799m")[0] == 200
        status, _, body = ask(site, "/t/x/")
        assert status == 503
        assert "现在打不开这一桌" in body.decode()
        assert ask(site, "/settle/open/", {"device": "a"})[0] == 503
