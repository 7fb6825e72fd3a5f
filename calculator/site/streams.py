"""Streams of JSON lines: a request a line in, an answer a line out, in order, on every core."""

import os
import select
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BufferedReader
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TextIO

from django.conf import settings
from django.utils.translation import get_language, ngettext, override

from calculator.site import wire
from calculator.words import texts

Call = Callable[[dict[str, Any]], Any]

#: A line longer than this is no request; it is read past without being kept.
LINE_LIMIT: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

#: So many bytes are read at first, that the first answers come at once, and at most at a time.
FIRST, MOST = 4 * 1024, 64 * 1024
#: Fewer lines than this are answered here: they take less time than to hand them over.
FEW = 50


def cores() -> int:
    """How many processes may answer; one where there is no `fork` to make them with."""
    if "fork" not in get_all_start_methods():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batches(source: BufferedReader) -> Iterator[list[bytes | None]]:
    """The lines of a stream, as many at a time as can be had without waiting for more.

    None stands for a line that is too long to be kept.
    """
    size, begun, too_long = FIRST, b"", False
    while chunk := source.read1(size):
        size = min(2 * size, MOST)
        *ended, begun = (begun + chunk).split(b"\n")
        if ended:
            lines = [None if _too_long(line) else line for line in ended]
            if too_long:
                lines[0] = None
            yield lines
            too_long = False
        if too_long or _too_long(begun):
            begun, too_long = b"", True
    if begun or too_long:
        yield [None if too_long else begun]


def _too_long(line: bytes) -> bool:
    return len(line.rstrip(b"\r")) > LINE_LIMIT


def more_at_once(source: BufferedReader) -> bool:
    """Whether more can be read without waiting for somebody to write it."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError):
        return True  # a stream of no file never waits


class Answers(NamedTuple):
    """The answers to some lines as text, how many they are, and whether none is an error."""

    text: str
    number: int
    clean: bool


def answer_some(call: Call, lines: list[bytes | None]) -> Answers:
    """The answers to some lines, a line each."""
    answers = [answer_line(call, line) for line in lines]
    text = "".join(f"{wire.encoded(answer).decode()}\n" for answer in answers)
    return Answers(text, len(lines), not any(map(wire.is_error, answers)))


def answer_line(call: Call, line: bytes | None) -> Any:
    """The answer to one line, with its words; an unreadable one gets an error answer."""
    if line is None:
        return texts.localise(
            {"status": "error", "errors": [{"code": "too_large", "limit": LINE_LIMIT}]}
        )
    try:
        request = wire.loads(line)
    except wire.BadJson as bad:
        return texts.localise({"status": "error", "errors": [bad.error]})
    return texts.localise(call(request), texts.players_of(request))


def _answer_here(call: Call, language: str, ours: Connection, theirs: Connection) -> None:
    """What a process does that answers for another, until that one sends no more or is gone."""
    theirs.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the other
    with override(language):
        try:
            while True:
                ours.send(answer_some(call, ours.recv()))
        except (EOFError, OSError):
            return


class Workers:
    """Processes that answer, begun with the first lines that they are given.

    They take turns, each with some lines at a time, so that the answers come in order and no more
    is held than is being worked on.
    """

    def __init__(self, call: Call, jobs: int) -> None:
        self._call, self._jobs = call, jobs
        self._begun = False
        self._idle: deque[Connection] = deque()
        self._busy: deque[Connection] = deque()

    @property
    def busy(self) -> bool:
        """Whether answers are still to come."""
        return bool(self._busy)

    @property
    def due(self) -> bool:
        """Whether the next answers are there, or have to be waited for before more is given."""
        return self.busy and (not self._idle or self._busy[0].poll())

    def give(self, lines: list[bytes | None]) -> None:
        """Hand over some lines to one that is idle."""
        if not self._begun:
            self._begun = True
            self._idle.extend(self._begin() for _ in range(self._jobs))
        worker = self._idle.popleft()
        worker.send(lines)
        self._busy.append(worker)

    def take(self) -> Answers:
        """The next answers in order, waiting for them."""
        worker = self._busy.popleft()
        try:
            answers: Answers = worker.recv()
        except EOFError:
            raise ChildProcessError("a process that answers has ended") from None
        self._idle.append(worker)
        return answers

    def _begin(self) -> Connection:
        context = get_context("fork")
        ours, theirs = context.Pipe()
        # It ends with this one, however this one ends.
        context.Process(
            target=_answer_here,
            args=(self._call, get_language() or settings.LANGUAGE_CODE, theirs, ours),
            daemon=True,
        ).start()
        theirs.close()
        return ours

    def close(self) -> None:
        """Let them go."""
        for worker in (*self._idle, *self._busy):
            worker.close()


def answer(call: Call, source: BufferedReader, jobs: int = 1) -> Iterator[Answers]:
    """The answers to a stream of requests, one JSON per line, in order and in constant memory."""
    coming = batches(source)
    with closing(Workers(call, jobs)) as workers:
        while True:
            while workers.due or (workers.busy and not more_at_once(source)):
                yield workers.take()
            lines = next(coming, None)
            if lines is None:
                break
            if jobs > 1 and (workers.busy or len(lines) > FEW):
                workers.give(lines)
            else:
                yield answer_some(call, lines)
        while workers.busy:
            yield workers.take()


def answer_lines(
    call: Call, source: BufferedReader, out: Any, progress: TextIO, jobs: int = 1
) -> bool:
    """Answer a stream and show how far it is where that is a terminal.

    Returns whether every line was answered without an error.
    """
    show = progress.isatty()
    shown = time.monotonic()
    clean = True
    number = 0
    for answers in answer(call, source, jobs):
        clean = clean and answers.clean
        number += answers.number
        out.write(answers.text)
        out.flush()
        if show and time.monotonic() - shown > 0.2:
            shown = time.monotonic()
            progress.write("\r" + lines_done(number))
    if show and number:
        progress.write("\r" + lines_done(number) + "\n")
    return clean


def lines_done(number: int) -> str:
    """How far a stream has come, in words."""
    return ngettext("已完成 %(number)s 行", "已完成 %(number)s 行", number) % {"number": number}
