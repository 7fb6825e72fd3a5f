"""The files of `docs/deploy` work: two instances behind nginx are one site, and one is enough."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import proxy
from tests.browser.releases import PARTS, copied, served
from tests.deployment import DEPLOY, HOST, ROOT, Site, instance, instance_command, site
from tests.load import attack
from tests.routes import routes

HAND = {"ruleset": "chengdu", "hand": "11223345678999m"}
ROUND = {
    "ruleset": "laok",
    "events": [{"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}],
}
#: What one user does: looks, taps, asks for a hand and a round, comes back.
VISITS: tuple[tuple[str, str, object], ...] = (
    ("GET", "/", None),
    ("GET", "/?rules=chengdu&hand=1233455567899p!5p", None),
    ("GET", "/fragment/result?rules=chengdu&hand=1233455567899p!5p", None),
    ("GET", "/zh-hant/rules/chengdu/", None),
    ("GET", "/en/rules/terms/qing_yi_se/", None),
    ("GET", "/settle/", None),
    ("GET", "/qr.svg?rules=chengdu&hand=1233455567899p!5p", None),
    ("GET", "/api/v1/rules", None),
    ("POST", "/api/v1/score", HAND),
    ("POST", "/api/v1/settle", ROUND),
    ("GET", "/nowhere", None),
)


@dataclass(frozen=True)
class Answer:
    """What came back, without what differs between any two answers."""

    status: int
    headers: dict[str, str]
    body: bytes


def encrypted(port: int, name: str) -> ssl.SSLSocket:
    """A connection to nginx under a name; its certificate is the test's own."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), timeout=30)
    return context.wrap_socket(plain, server_hostname=name)


def ask(port: int, method: str, address: str, body: object = None, **headers: str) -> Answer:
    """One request to nginx, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.sock = encrypted(port, HOST)
    return answer(connection, method, address, body, headers)


def ask_instance(port: int, method: str, address: str, body: object = None) -> Answer:
    """The same of one instance, as nginx would ask it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    return answer(connection, method, address, body, {"X-Forwarded-Proto": "https"})


def answer(
    connection: http.client.HTTPConnection,
    method: str,
    address: str,
    body: object,
    headers: dict[str, str],
) -> Answer:
    try:
        data = None if body is None else json.dumps(body)
        sent = {"Host": HOST, "Content-Type": "application/json", **headers}
        connection.request(method, address, data, sent)
        response = connection.getresponse()
        got = {name.lower(): value for name, value in response.getheaders()}
        for name in ("date", "x-request-id", "server", "connection"):
            got.pop(name, None)
        return Answer(response.status, got, response.read())
    finally:
        connection.close()


def children(pid: int) -> list[int]:
    """The workers of a server."""
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def need_nginx() -> None:
    """Fail without nginx where everything is tested, skip elsewhere."""
    if proxy.find() is None:
        if os.environ.get("CI"):
            pytest.fail(proxy.MISSING)
        pytest.skip(proxy.MISSING)


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A deployment whose limit on requests is out of the way."""
    need_nginx()
    faster = {"rate=20r/s": "rate=5000r/s", "rate=5r/s": "rate=5000r/s"}
    with site(tmp_path_factory.mktemp("deployed"), faster) as made:
        yield made


def test_two_instances_give_the_same_answers(deployed: Site) -> None:
    first, second = deployed.instances
    for method, address, body in VISITS:
        one = ask_instance(first, method, address, body)
        assert one.status in (200, 404), address
        assert one == ask_instance(second, method, address, body), address
    for route in routes():
        one = ask_instance(first, "GET", route.filled())
        # A fresh drill is a fresh one each time.
        if one.status != 302:
            assert one == ask_instance(second, "GET", route.filled()), route.template


def test_behind_the_proxy_they_are_one_site(deployed: Site) -> None:
    for method, address, body in VISITS * 2:
        direct = ask_instance(deployed.instances[0], method, address, body)
        fronted = ask(deployed.port, method, address, body)
        assert (fronted.status, fronted.body) == (direct.status, direct.body), address
        for name in ("content-type", "content-security-policy", "cache-control", "etag"):
            assert fronted.headers.get(name) == direct.headers.get(name), (address, name)


def log_of(deployed: Site) -> list[dict[str, object]]:
    """nginx's own lines."""
    return [json.loads(line) for line in (deployed.folder / "access.log").read_text().splitlines()]


def test_what_may_be_kept_is_answered_from_the_proxy(deployed: Site) -> None:
    address = "/fragment/result?rules=chengdu&hand=22334455667788m"
    for _ in range(3):
        assert ask(deployed.port, "GET", address).status == 200
        assert ask(deployed.port, "POST", "/api/v1/score", HAND).status == 200
    time.sleep(0.2)
    lines = log_of(deployed)[-6:]
    fragments = [line["cache"] for line in lines if line["method"] == "GET"]
    assert fragments == ["MISS", "HIT", "HIT"]
    assert "HIT" not in [line["cache"] for line in lines if line["method"] == "POST"]
    assert not any("22334455667788m" in json.dumps(line) for line in lines)


def test_whoever_asks_past_every_cache_gets_the_newest_and_so_do_all_after(deployed: Site) -> None:
    address = "/fragment/result?rules=chengdu&hand=22334455667799m"
    newest = {"Cache-Control": "no-cache", "Pragma": "no-cache"}
    for headers in ({}, newest, {}):
        assert ask(deployed.port, "GET", address, **headers).status == 200
    time.sleep(0.2)
    assert [line["cache"] for line in log_of(deployed)[-3:]] == ["MISS", "BYPASS", "HIT"]


def test_one_id_stands_in_both_logs(deployed: Site) -> None:
    assert ask(deployed.port, "GET", "/rules/yaoji/?unseen=1").status == 200
    time.sleep(0.2)
    (line,) = (one for one in log_of(deployed) if one["path"] == "/rules/yaoji/")
    logs = "".join((deployed.folder / name).read_text() for name in ("first", "second"))
    assert f'"id": "{line["id"]}"' in logs


def test_the_language_of_the_interface_is_kept_apart(deployed: Site) -> None:
    for language in ("en", "zh-hant", "en", "zh-hant"):
        told = ask(deployed.port, "GET", "/api/v1/rules/sbr", **{"Accept-Language": language})
        assert told.headers["content-language"] == language


def test_pages_are_compressed_by_the_proxy_and_the_copy_serves_everybody(deployed: Site) -> None:
    packed = ask(deployed.port, "GET", "/rules/laok/", **{"Accept-Encoding": "gzip"})
    plain = ask(deployed.port, "GET", "/rules/laok/")
    assert packed.headers["content-encoding"] == "gzip"
    assert b"<html" in plain.body
    assert len(packed.body) < len(plain.body) / 2


@pytest.mark.parametrize(
    ("method", "address", "body", "status"),
    [
        ("GET", "/?hand=" + "1" * 10_000, None, 414),
        ("POST", "/api/v1/score", {"hand": "1" * 200_000}, 413),
    ],
)
def test_what_is_too_long_even_for_the_proxy_is_told_in_words(
    deployed: Site, method: str, address: str, body: object, status: int
) -> None:
    refused = ask(deployed.port, method, address, body)
    assert refused.status == status
    assert "没有一手牌" in refused.body.decode()


def test_any_other_host_gets_nothing(deployed: Site) -> None:
    with pytest.raises(ssl.SSLError):
        encrypted(deployed.port, "elsewhere.example")
    with pytest.raises(http.client.RemoteDisconnected):
        ask(deployed.port, "GET", "/", Host="elsewhere.example")
    connection = http.client.HTTPConnection("127.0.0.1", deployed.unencrypted, timeout=30)
    with pytest.raises(http.client.RemoteDisconnected):
        answer(connection, "GET", "/", None, {"Host": "elsewhere.example"})


def test_plain_http_is_sent_to_https(deployed: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", deployed.unencrypted, timeout=30)
    sent = answer(connection, "GET", "/rules/?q=gen", None, {})
    assert (sent.status, sent.headers["location"]) == (301, f"https://{HOST}/rules/?q=gen")
    assert "max-age" in ask(deployed.port, "GET", "/").headers["strict-transport-security"]


def eventually(condition: Callable[[], bool]) -> None:
    """Wait for something that other threads bring about."""
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail("it did not come about")


def test_users_notice_nothing_when_an_instance_dies_or_stops(deployed: Site) -> None:
    """The last test of this deployment: it ends with one instance."""
    statuses: list[int] = []
    broken: list[str] = []
    over = threading.Event()

    def user(number: int) -> None:
        turn = 0
        while not over.is_set():
            turn += 1
            method, address, body = VISITS[turn % len(VISITS)]
            # Never twice the same address, so that the cache cannot help.
            fresh = f"{address}{'&' if '?' in address else '?'}seen={number % 9 + 1}m&x={turn}"
            try:
                statuses.append(ask(deployed.port, method, fresh, body).status)
            except (OSError, http.client.HTTPException) as error:
                broken.append(f"{error!r} {address}")

    users = [threading.Thread(target=user, args=(number,)) for number in range(4)]
    for thread in users:
        thread.start()
    try:
        eventually(lambda: len(statuses) > 30)
        # A worker freezes until everybody waits for it, and dies.
        master = deployed.processes[0].pid
        worker = int(Path(f"/proc/{master}/task/{master}/children").read_text().split()[0])
        os.kill(worker, signal.SIGSTOP)
        still = -1
        while still != (still := len(statuses)):
            time.sleep(1)
        os.kill(worker, signal.SIGKILL)
        eventually(lambda: len(statuses) > still + 30)
        deployed.processes[0].terminate()
        deployed.processes[0].wait(timeout=30)
        gone = len(statuses)
        eventually(lambda: len(statuses) > gone + 60)
    finally:
        over.set()
        for thread in users:
            thread.join()
    assert set(statuses) <= {200, 302, 404}
    # All four were asked again of the other instance; only an answer that was half on its way
    # at that very moment cannot be taken back.
    assert len(broken) <= 1, broken
    with pytest.raises(OSError, match="refused"):
        ask_instance(deployed.instances[0], "GET", "/healthz")
    assert ask(deployed.port, "GET", "/healthz").status == 200


def test_one_address_that_asks_too_fast_is_told_to_wait(tmp_path: Path) -> None:
    need_nginx()
    with site(tmp_path, {"rate=20r/s": "rate=1r/m", "burst=100": "burst=20"}) as slow:
        answers = [ask(slow.port, "GET", "/api/v1/rules") for _ in range(30)]
    statuses = [one.status for one in answers]
    # A whole table may tap at once; then it is slowed down.
    assert set(statuses[:20]) == {200}
    assert set(statuses[-5:]) == {429}
    assert "现在太忙" in answers[-1].body.decode()


def test_who_posts_too_fast_may_still_look(tmp_path: Path) -> None:
    need_nginx()
    body = {"ruleset": "chengdu", "hand": "22334455667799m"}
    with site(tmp_path, {"rate=5r/s": "rate=1r/m", "burst=50": "burst=5"}) as slow:
        posted = [ask(slow.port, "POST", "/api/v1/score", body).status for _ in range(12)]
        looked = ask(slow.port, "GET", "/api/v1/rules").status
    assert (set(posted[:5]), set(posted[-5:]), looked) == ({200}, {429}, 200)


def test_four_who_attack_at_once_take_no_page_from_anybody_else(tmp_path: Path) -> None:
    need_nginx()
    with site(tmp_path, {}, encrypted=False) as troubled, attack.attacked(troubled.port) as told:
        assert attack.visit(troubled.port, 40, 0, Random(1)).failed == 0
    assert told.total() > 0
    assert not [status for status in told if status >= 500]


def test_what_costs_most_is_limited_apart(tmp_path: Path) -> None:
    need_nginx()
    changes = {"rate=2r/s": "rate=1r/m", "burst=40 delay=4": "burst=5 nodelay"}
    with site(tmp_path, changes, encrypted=False) as slow:
        long, short = (f"/settle/?rules=laok&e={'.'.join(['k2c'] * n)}" for n in (90, 3))
        asked = [attack.ask(slow.port, "127.0.0.1", "GET", long) for _ in range(9)]
        assert (asked[0], asked[-1]) == (200, 429)
        assert attack.ask(slow.port, "127.0.0.1", "GET", short) == 200


def test_what_takes_too_long_is_not_asked_of_the_other_instance_too(tmp_path: Path) -> None:
    need_nginx()
    with site(tmp_path, {"proxy_read_timeout 5s": "proxy_read_timeout 1s"}) as halted:
        stopped = [process.pid for process in halted.processes]
        stopped += [child for pid in stopped for child in children(pid)]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            answer = ask(halted.port, "GET", "/?rules=chengdu&hand=123m")
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
    assert answer.status == 504
    (line,) = (tmp_path / "access.log").read_text("utf-8").splitlines()[-1:]
    assert json.loads(line)["upstream"].count("127.0.0.1") == 1


def test_no_log_holds_a_query_whatever_goes_wrong(tmp_path: Path) -> None:
    need_nginx()
    hand = "22334455667799m"
    address = f"/fragment/result?rules=chengdu&hand={hand}"
    with site(tmp_path, {"rate=20r/s": "rate=1r/m", "burst=100": "burst=4"}) as troubled:
        seen = [ask(troubled.port, "GET", address).status]
        seen.append(ask(troubled.port, "GET", f"{address}&x={'1' * 9000}").status)
        for process in troubled.processes:
            process.terminate()
            process.wait(timeout=30)
        seen += [ask(troubled.port, "GET", f"{address}&x={x}").status for x in range(6)]
    assert {200, 414, 429, 502} <= set(seen)
    logs = {name: (tmp_path / name).read_text() for name in ("error.log", "access.log", "front")}
    assert '"status":502' in logs["access.log"]
    assert not [name for name, text in logs.items() if hand in text]


def statuses(port: int, addresses: set[str]) -> dict[str, int]:
    """The status of each address."""
    found = {}
    for address in sorted(addresses):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", address, headers={"Host": "localhost"})
        found[address] = connection.getresponse().status
        connection.close()
    return found


def test_a_release_that_is_copied_over_a_running_one_takes_none_of_its_answers_away(
    tmp_path: Path,
) -> None:
    """Whatever lies there now: the running one has read all that it will ever need."""
    tree = copied(tmp_path, "one")
    with served(tree) as port:
        for part in PARTS:
            gone = tree / part
            gone.unlink() if gone.is_file() else shutil.rmtree(gone)
        found = statuses(port, {route.filled() for route in routes()})
    assert found["/"] == found["/en/rules/terms/qing_yi_se/"] == 200
    # Shared tables have no database here: they say so with a 503.
    assert not [address for address, status in found.items() if status == 500]


# One instance alone, as on a table's own network.


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Its port."""
    with instance(tmp_path_factory.mktemp("alone")) as port:
        yield port


def posted_in_chunks(port: int, *chunks: bytes) -> tuple[int, Any]:
    """The status of an answer to a body that comes without a length, and the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Host": HOST, "X-Forwarded-Proto": "https"}
        connection.request("POST", "/api/v1/score", iter(chunks), headers, encode_chunked=True)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def test_a_body_that_comes_in_chunks_is_read(alone: int) -> None:
    body = json.dumps(HAND).encode()
    whole = posted_in_chunks(alone, body)
    assert whole[0] == 200
    assert whole[1]["status"] == "win"
    assert posted_in_chunks(alone, body[:7], body[7:8], body[8:]) == whole
    assert posted_in_chunks(alone)[0] == 400


def test_a_body_that_comes_in_chunks_may_be_as_long_as_any(alone: int) -> None:
    most = json.dumps(HAND).encode().ljust(64 * 1024)
    assert posted_in_chunks(alone, most[:9000], most[9000:])[0] == 200
    status, answer = posted_in_chunks(alone, most, b" ")
    assert status == 413
    assert answer["errors"][0]["code"] == "too_large"


def test_chunks_that_are_none_are_no_json(alone: int) -> None:
    head = f"POST /api/v1/score HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", alone), timeout=30) as connection:
        connection.sendall(head.encode() + b"xyz\r\n{}\r\n0\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 400 ")


# What cannot be started here is at least true to the tree.


def container_text() -> str:
    return (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", "")


def test_the_container_runs_as_nobody_in_the_way_of_every_instance() -> None:
    text = container_text()
    assert re.search(r"^USER 10001:10001$", text, re.MULTILINE)
    (command,) = re.findall(r"^CMD (\[.+\])$", text, re.MULTILINE)
    assert json.loads(command)[1:4] == instance_command(0)[1:4]


ASK = """
import sys
import django
django.setup()
from django.test import Client
for path in sys.argv[1:]:
    answer = Client().get(path, headers={"host": "localhost"})
    assert answer.status_code < 400, (path, answer.status_code)
"""


def test_every_page_opens_from_what_the_container_copies_and_makes(tmp_path: Path) -> None:
    text = container_text()
    tree = tmp_path / "tree"
    tree.mkdir()
    for names in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        *sources, to = names.split()
        for source in sources:
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, tree / to)
            else:
                shutil.copy(ROOT / source, tree / to)
    environment = {
        "SECRET_KEY": "of-a-container-that-is-tried-" + "0123456789" * 4,
        "ALLOWED_HOSTS": "localhost",
        "HTTPS": "0",
        "DJANGO_SETTINGS_MODULE": "calculator.settings",
    }

    def run(*command: str, **more: str) -> None:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tree,
            capture_output=True,
            check=False,
            env={"PATH": os.environ["PATH"], **more},
        )
        assert done.returncode == 0, done.stderr.decode()

    made = [part.split() for part in re.findall(r"python manage\.py ([^&\n]+)", text)]
    assert [part[0] for part in made] == ["texts", "collectstatic", "offline"]
    # What is built once for all tests need not be built for this one.
    (ROOT / "build").mkdir(exist_ok=True)
    (tree / "build").symlink_to(ROOT / "build")
    for arguments in made:
        run("manage.py", *arguments)
    pages = [route.filled() for route in routes() if route.for_people]
    run("-c", ASK, "/?rules=chengdu&hand=1233455567899p!5p", *pages, **environment)
