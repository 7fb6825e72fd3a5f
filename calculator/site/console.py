"""What the commands share: the language of the terminal, columns, streams of JSON lines."""

import os
import sys
import unicodedata
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn, cast

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation
from django.utils.translation import gettext

from calculator.site import streams

#: What a shell expects of a program that Ctrl-C has ended.
INTERRUPTED = 130


class SpeakingCommand(BaseCommand):
    """A command that speaks the language of the terminal, or the one of `--lang`.

    It needs no database, no server and no secret key.
    """

    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument(
            "--lang",
            choices=[code for code, _ in settings.LANGUAGES],
            default=language_of_terminal(os.environ),
            help="language of names and messages; default: that of the terminal",
        )
        return parser

    def execute(self, *args: Any, **options: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            # Not every terminal can show every character; none may end the command.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            with translation.override(options["lang"]):
                if sys.stdout is None:
                    self.fail(gettext("标准输出关着，没有地方写结果。"))
                done = super().execute(*args, **options)
                sys.stdout.flush()
                return done
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except OSError as error:
            # Whoever read the output has seen enough, or there is no room for it.
            if not isinstance(error, BrokenPipeError):
                self.stderr.write(str(error))
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

    def show(self, lines: Iterator[str]) -> None:
        """Print lines for people."""
        for line in lines:
            self.stdout.write(line.rstrip())

    def fail(self, *problems: str) -> NoReturn:
        """Say what is wrong, in plain words, and end with status 1."""
        for problem in problems:
            self.stderr.write(problem)
        sys.exit(1)

    def opened(self, file: str | None) -> AbstractContextManager[BufferedReader]:
        """A file by its name, or standard input where there is none."""
        try:
            if file and file != "-":
                return Path(file).open("rb")
        except OSError as error:
            self.fail(str(error))
        if sys.stdin is None:
            self.fail(gettext("标准输入关着，没有请求可读。"))
        return nullcontext(cast(BufferedReader, sys.stdin.buffer))

    def answer_stream(self, call: streams.Call, file: str | None, jobs: int) -> None:
        """Answer JSON lines; exit with 1 if one of them was an error."""
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        with self.opened(file) as source:
            clean = streams.answer_lines(call, source, self.stdout, sys.stderr, jobs)
        if not clean:
            sys.exit(1)


def add_stream_arguments(parser: ArgumentParser) -> None:
    """The options of a command that answers JSON lines."""
    parser.add_argument("--json", action="store_true", help="JSON lines in, JSON lines out")
    parser.add_argument(
        "--jobs",
        type=_at_least_one,
        default=streams.cores(),
        metavar="N",
        help="processes that answer JSON lines; default: one for each core",
    )


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text}: a whole number, at least 1")
    return int(text)


def language_of_terminal(environment: Any) -> str:
    """The language of a locale such as `zh_TW.UTF-8`; Chinese where it names none of ours.

    >>> language_of_terminal({"LANG": "zh_TW.UTF-8"})
    'zh-hant'
    """
    given = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    code = next(filter(None, given), "")
    code = code.partition(".")[0].replace("_", "-").lower()
    try:
        return translation.get_supported_language_variant(code)
    except LookupError:
        return settings.LANGUAGE_CODE


def width(text: str) -> int:
    """How many columns a terminal needs: full-width characters take two.

    >>> width("清一色 3")
    8
    """
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def columns(rows: Sequence[Sequence[str]], align: str = "", head: bool = False) -> Iterator[str]:
    """Rows in columns; `align` has a letter for each, `l` or `r`. A head gets a rule below it."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        cells = []
        for cell, wide, side in zip(row, widths, align.ljust(len(widths), "l"), strict=True):
            space = " " * (wide - width(cell))
            cells.append(space + cell if side == "r" else cell + space)
        yield "  ".join(cells)
        if head and number == 0:
            yield "─" * (sum(widths) + 2 * len(widths) - 2)
