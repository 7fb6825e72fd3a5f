"""`manage.py texts`: collect what people read, merge the catalogues, compile them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calculator.words import catalogues

#: How many problems are shown at once.
SHOWN = 20


class Command(BaseCommand):
    help = "Extract the messages, merge them into the catalogues, compile the catalogues."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        mode = parser.add_mutually_exclusive_group()
        mode.add_argument(
            "--check", action="store_true", help="change nothing; fail if a catalogue is behind"
        )
        mode.add_argument(
            "--compile", action="store_true", help="only compile the catalogues that changed"
        )

    def handle(self, *, check: bool, compile: bool, **_: Any) -> None:
        if compile:
            catalogues.compile_stale()
            return
        template = catalogues.extracted()
        if check:
            found = [
                problem
                for locale in catalogues.locales()
                for problem in catalogues.problems(locale, template)
            ]
            if found:
                rest = [f"… and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
                raise CommandError("\n".join([*found[:SHOWN], *rest]))
            return
        for locale in catalogues.locales():
            file = catalogues.po_file(locale)
            file.parent.mkdir(parents=True, exist_ok=True)
            catalog = catalogues.merged(locale, template)
            file.write_bytes(catalogues.written(catalog))
            texts = [catalogues.forms(message.string) for message in catalog if message.id]
            done = sum(map(all, texts))
            self.stdout.write(f"{locale}: {done} of {len(texts)} messages translated")
        catalogues.compile_stale()
