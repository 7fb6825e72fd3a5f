"""The commands: tables for people, JSON lines for programs."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest
from django.core.management import call_command

from calculator.site import console, streams
from scoring import ready, rules
from tests.case_files import hand_cases, in_terms_of
from tests.round_files import round_cases

ROOT = Path(__file__).parents[2]
PURE = "11223345678999m"
KONG = "concealed_kong"


def said(capsys: pytest.CaptureFixture[str], *arguments: str, **options: Any) -> str:
    """What a command prints."""
    call_command(*arguments, **{"lang": "zh-hans", **options})
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, **options: Any) -> str:
    """What a command complains about before it ends with status 1."""
    with pytest.raises(SystemExit) as ended:
        call_command(*arguments, **{"lang": "zh-hans", **options})
    assert ended.value.code == 1
    return capsys.readouterr().err


def manage(
    *arguments: str, cwd: Path = ROOT, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own, with nothing in its environment."""
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        cwd=cwd,
        input=stdin,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        check=False,
    )


# One hand.


def test_a_hand_is_scored_as_a_table_that_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "score", PURE, "--rules", "laok", "--by", "self_draw")
    rows = dict(line.rsplit(maxsplit=1) for line in text.splitlines() if line.count(" "))
    assert (rows["清一色"], rows["合计"], rows["倍"], rows["分"]) == ("3", "3", "4", "24")
    assert "其余 3 家各付 24" in text
    assert "读作：123m 123m 456m 789m 99m" in text


def test_columns_stand_under_each_other_whatever_the_width_of_the_characters() -> None:
    lines = list(console.columns([("番种", "番"), ("Pure 清", "10")], "lr"))
    assert [console.width(line) for line in lines] == [11, 11]
    assert lines == ["番种     番", "Pure 清  10"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("1113456666788s",), "2s   4   3   8   8  清一色、根"),
        (("11123456789m99p1s",), "花猪：三门都有"),
        (("123456m11789p12m", "--void", "m"), "花猪：还有定缺的万"),
        (("123m",), "还差 10 张牌。"),
        (("147m258p369s1234m",), "有用的牌"),
        ((PURE, "--opt", "cap:1"), "封顶后   1"),
        ((PURE, "--last-tile"), "注：这套规则不计海底。"),
        (("123456m77m(5555p)123p", "--by", "self_draw", "--after-kong", KONG), "杠上花   3"),
        (("234m567m99m[111p]456p", "--rules", "xueliu"), "推定（出处没有写明）：平胡"),
        (("123456m789p11s11m", "--void", "m"), "花猪"),
        ((PURE, "--rules", "laok", "--horses", "3m1p", "--seat", "2", "--dealer", "0"), "买马"),
        (("1113456666788s", "--seen", "222s"), "2s   1"),
    ],
)
def test_every_status_and_option_has_its_words(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
) -> None:
    assert expected in said(capsys, "score", *arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("1x2m",), "“x”认不出来（第 2 个字）。"),
        (("11111m",), "一万超过了四张。"),
        ((PURE, "--rules", "texas"), "没有叫“texas”的规则，也许更新的版本才有。"),
        ((PURE, "--opt", "cap:many"), "“封顶”要写 0 到 99 的整数"),
        ((PURE, "--after-kong", "added_kong"), "杠上花一定是自摸。"),
        ((), "请写一手牌"),
        ((PURE, "--json", "--void", "m"), "--json 的每一行自带全部条件"),
        (("--json", "no/such/file"), "no/such/file"),
    ],
)
def test_what_is_wrong_is_said_and_ends_with_status_1(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
) -> None:
    assert expected in refused(capsys, "score", *arguments)


@pytest.mark.parametrize("command", ["score", "settle"])
def test_a_key_that_is_said_twice_is_an_error_line_that_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    lines = tmp_path / "lines"
    lines.write_text('{"ruleset": "laok", "ruleset": "yaoji"}\n', "utf-8")
    with pytest.raises(SystemExit):
        call_command(command, "--json", str(lines))
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert (error["code"], error["key"]) == ("bad_json", "ruleset")
    if command == "settle":
        assert "“ruleset”写了不止一次。" in refused(capsys, "settle", str(lines))


def test_all_problems_of_a_hand_are_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    problems = refused(capsys, "score", "1x2m3y", "--opt", "foo:1,cap:x")
    assert len(problems.splitlines()) >= 4


def test_a_hand_is_compared_under_every_system(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "score", PURE, "--compare")
    for ruleset in rules.ids():
        assert rules.load(ruleset).name in text


# Languages.


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "zh-hans"),
        ({"LANG": "C.UTF-8"}, "zh-hans"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-hans"),
        ({"LANG": "zh_HK"}, "zh-hant"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh-hant"),
        ({"LANG": "de_DE.UTF-8"}, "zh-hans"),
    ],
)
def test_the_language_follows_the_terminal(environment: dict[str, str], language: str) -> None:
    assert console.language_of_terminal(environment) == language


# Rule systems.


def test_all_systems_and_ready_made_tables_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    systems, _, tables = said(capsys, "rules").partition("\n\n")
    for part, listed in ((systems, rules.ids()), (tables, ready.ids())):
        assert [line.split()[0] for line in part.splitlines()[2:]] == list(listed)


@pytest.mark.parametrize("ruleset", rules.ids())
def test_one_system_is_printed_with_every_value(
    capsys: pytest.CaptureFixture[str], ruleset: str
) -> None:
    text = said(capsys, "rules", ruleset)
    system = rules.load(ruleset)
    assert system.source in text
    assert all(term in text for term in system.fans)
    assert all(reading in text for reading in (*(r.text for r in system.readings), *system.play))


def test_an_assumed_value_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "rules", "laok")
    assert any("买马" in line and "推定" in line for line in text.splitlines())


def test_one_system_as_json_holds_all_options(capsys: pytest.CaptureFixture[str]) -> None:
    book = json.loads(said(capsys, "rules", "jipin", json=True))
    assert book["options"].keys() == set(rules.FIELDS)
    assert book["options"]["cap"] == 4


def test_an_unknown_system_is_refused_with_the_known_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "chengdu" in refused(capsys, "rules", "texas")


# JSON lines.


def test_lines_are_answered_in_order_and_a_bad_one_does_not_stop_the_rest(tmp_path: Path) -> None:
    lines = [
        json.dumps({"ruleset": "chengdu", "hand": PURE}),
        "no json",
        json.dumps({"ruleset": "chengdu", "hand": "1x"}),
        "",
        "[1, 2]",
        '"' + "x" * streams.LINE_LIMIT + '"',
        json.dumps({"ruleset": "laok", "hand": PURE}),
    ]
    done = manage("score", "--json", cwd=tmp_path, stdin="\n".join(lines).encode())
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    codes = [answer.get("errors", [{}])[0].get("code") for answer in answers]
    assert codes == [None, "bad_json", "bad_notation", "bad_json", "bad_json", "too_large", None]
    assert [answers[0]["points"], answers[-1]["points"]] == [4, 24]
    assert done.returncode == 1
    assert done.stderr == b""


def test_a_clean_stream_ends_with_status_0() -> None:
    line = json.dumps({"ruleset": "chengdu", "hand": PURE}).encode() + b"\n"
    done = manage("score", "--json", stdin=line * 2)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2


def test_an_empty_stream_is_answered_with_nothing() -> None:
    done = manage("score", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    line = json.dumps({"ruleset": "chengdu", "hand": PURE})
    program = f"{sys.executable} {ROOT / 'manage.py'} score --json | head -n 1"
    done = subprocess.run(
        program, shell=True, input=(line + "\n") * 500, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["fan"] == 2


class Endless(io.BytesIO):
    """A stream that would never fit into memory: it makes its lines when they are read."""

    def __init__(self, line: bytes, number: int) -> None:
        super().__init__()
        self.line, self.left = line, number

    def read1(self, size: int | None = -1) -> bytes:
        self.left -= 1
        return self.line if self.left >= 0 else b""


def test_a_stream_is_answered_line_by_line() -> None:
    source = Endless(b'{"ruleset": "chengdu", "hand": "123m"}\n', 3)
    seen: list[int] = []

    class Out(io.StringIO):
        def write(self, text: str) -> int:
            seen.append(source.left)
            return len(text)

    assert streams.answer_lines(lambda request: request, source, Out(), io.StringIO())
    assert seen == [2, 1, 0]


def test_progress_is_shown_to_terminals_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for progress, expected in ((io.StringIO(), ""), (Terminal(), "\r已完成 2 行\n")):
        source = Endless(b"{}\n", 2)
        streams.answer_lines(lambda request: request, source, io.StringIO(), progress)
        assert progress.getvalue() == expected


LONG = b'"' + b"x" * streams.LINE_LIMIT + b'"'


@pytest.mark.parametrize("chunk", [1 << 20, 1000, 7])
def test_lines_are_the_same_however_much_is_read_at_once(chunk: int) -> None:
    class Pipe(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(min(chunk, size or chunk))

    given = [b"{}", b"", LONG, b"x" * streams.LINE_LIMIT + b"\r", b"[1]", LONG + LONG, b"{ }"]
    for end in (b"", b"\n"):
        source = Pipe(b"\n".join(given) + end)
        found = [line for lines in streams.batches(source) for line in lines]
        assert found == [None if line.count(b"x") > streams.LINE_LIMIT - 1 and b'"' in line
                         else line for line in given]  # fmt: skip


def test_answers_of_several_processes_are_in_order_and_the_same(tmp_path: Path) -> None:
    """Some lines are quick and some are slow, and every ninth is none."""
    cases = [json.dumps(request, ensure_ascii=False) for _, request, _ in hand_cases()]
    lines = [line if at % 9 else line[1:] for at, line in enumerate(cases * 3)]
    file = tmp_path / "requests.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    one, three = (manage("score", "--json", str(file), "--jobs", jobs) for jobs in "13")
    assert len(three.stdout.splitlines()) == len(lines)
    assert three.stdout == one.stdout
    assert (three.returncode, three.stderr) == (one.returncode, one.stderr) == (1, b"")


@contextmanager
def writing(pipe: IO[bytes], text: bytes) -> Iterator[None]:
    """Write to a pipe meanwhile, as far as somebody reads it."""

    def write() -> None:
        with suppress(BrokenPipeError):
            pipe.write(text)
            pipe.flush()

    writer = threading.Thread(target=write)
    writer.start()
    yield
    writer.join()


def test_whoever_asks_one_thing_at_a_time_is_answered_before_he_asks_the_next() -> None:
    line = json.dumps({"ruleset": "chengdu", "hand": PURE}).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "score", "--json", "--jobs", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        # One, then more than one process answers alone, then one again.
        for number in (1, 3 * streams.MOST // len(line), 1):
            with writing(asked.stdin, line * number):
                for _ in range(number):
                    assert json.loads(asked.stdout.readline())["fan"] == 2
        asked.stdin.close()
        assert asked.wait() == 0


def test_ctrl_c_ends_a_stream_and_its_processes_without_a_word() -> None:
    line = json.dumps({"ruleset": "chengdu", "hand": PURE}).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "score", "--json", "--jobs", "2"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Whoever runs the tests in the background may have it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        assert asked.stderr is not None
        with writing(asked.stdin, line * (9 * streams.MOST // len(line))):
            asked.stdout.readline()
            os.killpg(asked.pid, signal.SIGINT)
            asked.stdout.read()  # ends when nobody is left who could write
        assert asked.stderr.read() == b""
        assert asked.wait() == console.INTERRUPTED


def test_a_process_that_is_gone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(request: dict[str, Any]) -> Any:
        os._exit(1)

    with pytest.raises(ChildProcessError):
        list(streams.answer(ends, io.BytesIO(b"{}\n" * 2 * streams.FEW), jobs=2))


def test_at_least_one_process_answers(capsys: pytest.CaptureFixture[str]) -> None:
    done = manage("score", "--json", "--jobs", "0")
    assert done.returncode == 2
    assert b"at least 1" in done.stderr


@pytest.fixture
def hand_lines(tmp_path: Path) -> Iterator[Path]:
    """Every case of one hand as a file of JSON lines."""
    file = tmp_path / "requests.jsonl"
    lines = [json.dumps(request, ensure_ascii=False) for _, request, _ in hand_cases()]
    file.write_text("\n".join(lines), "utf-8")
    yield file


def test_every_known_hand_gets_its_answer_on_the_command_line(hand_lines: Path) -> None:
    done = manage("score", "--json", str(hand_lines))
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    cases = hand_cases()
    assert len(answers) == len(cases)
    wrong = [
        label
        for (label, _, expected), answer in zip(cases, answers, strict=True)
        if in_terms_of(expected, answer) != expected
    ]
    assert not wrong


# Rounds.


def test_a_round_is_settled_as_tables(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    round_ = {
        "ruleset": "laok",
        "players": ["甲", "乙", "丙", "丁"],
        "events": [{"type": "win", "by": "discard", "from": 1, "winners": [{"seat": 0, "fan": 3}]}],
    }
    file.write_text(json.dumps(round_))
    text = said(capsys, "settle", str(file))
    rows = [line.split() for line in text.splitlines()]
    assert ["1", "胡牌", "乙", "甲", "24"] in rows
    assert [cell for cell in rows[6] if cell != "胡了"] == ["甲", "3", "24"]
    assert "这一局还没有结束" in text
    # The site's own file has the round under `request`.
    file.write_text(json.dumps({"format": "suanfan-round", "version": 1, "request": round_}))
    assert said(capsys, "settle", str(file)) == text


def test_a_bad_event_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    win = {"type": "win", "by": "discard", "from": 0, "winners": [{"seat": 0, "fan": 3}]}
    file.write_text(json.dumps({"ruleset": "laok", "events": [win]}))
    assert "事件 1：" in refused(capsys, "settle", str(file))


def test_no_json_is_no_round(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text("{")
    assert "JSON" in refused(capsys, "settle", str(file))


def test_rounds_are_settled_as_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    cases = round_cases()
    file.write_text("\n".join(json.dumps(request) for _, request, _ in cases), "utf-8")
    done = manage("settle", "--json", str(file))
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    wrong = [
        label
        for (label, _, expected), answer in zip(cases, answers, strict=True)
        if answer.get("totals") != expected["totals"]
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("score --json <&-", "标准输入关着"),
        ("settle <&-", "标准输入关着"),
        ("score 11m >&-", "标准输出关着"),
        ("rules > /dev/full", "No space left"),
    ],
)
def test_a_closed_or_full_stream_is_said_in_one_line(command: str, said: str) -> None:
    done = subprocess.run(
        f"{sys.executable} {ROOT / 'manage.py'} {command}",
        shell=True,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert len(done.stderr.decode().splitlines()) == 1
