"""`manage.py rarity`: count anew how rare each pattern and each 番 is, over all winning hands."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring import rarity


class Command(BaseCommand):
    help = "Count every winning hand without melds per pattern and per fan; write the data file."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; 1 if it differs")

    def handle(self, *, check: bool, **_: Any) -> None:
        try:
            text = written(rarity.compute())
        except ImportError as error:
            raise CommandError(f"This needs NumPy: {error}") from error
        if check:
            if not rarity.FILE.exists() or rarity.FILE.read_text("utf-8") != text:
                raise CommandError(f"{rarity.FILE.name} is behind: run `python manage.py rarity`")
        else:
            rarity.FILE.write_text(text, "utf-8")
        for line in lines(json.loads(text)):
            self.stdout.write(line)


def written(data: dict[str, Any]) -> str:
    """The counts as text, a line for each pair."""
    text = json.dumps(data, indent=1)
    while "[\n" in text:
        head, _, rest = text.partition("[\n")
        pair, _, tail = rest.partition("]")
        text = f"{head}[{' '.join(pair.split())}]{tail}"
    return text + "\n"


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The counts for people."""
    shapes, ways = data["all"]
    yield f"{'':<20}{'shapes':>10}{'one in':>14}{'ways':>20}{'one in':>16}"
    for name, (some, held) in sorted(
        data["sizes"]["4"]["terms"].items(), key=lambda row: -row[1][0]
    ):
        yield f"{name:<20}{some:>10,}{shapes / some:>14,.1f}{held:>20,}{ways / held:>16,.1f}"
