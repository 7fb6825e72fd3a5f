"""`manage.py offline`: make the files that let the site run in a browser without a network."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calculator.site.start import require_static_files


class Command(BaseCommand):
    help = "Make the files for browsers without a network (after collectstatic)."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from calculator.offline.making import make

            require_static_files()
        except Exception as error:
            raise CommandError(str(error)) from error
        for pack in make():
            size = f"{pack.wire / 1e6:.2f} MB, {pack.length / 1e6:.2f} MB unpacked"
            self.stdout.write(f"{pack.file}: {size}")
