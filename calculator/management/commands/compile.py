"""The engine compiled: `manage.py compile`, with `--wheel` as a wheel to install."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

#: What most of the time of a value, of waits, of distances and of an answer is spent in.
HOT = (
    "tiles", "hand", "decompose", "signature", "patterns", "ways", "score", "waits", "shanten",
    "notation", "analyse", "explain", "compare", "contract/hand",
)  # fmt: skip


class Command(BaseCommand):
    help = "Compile the engine with mypyc; a C compiler must be there (docs/contributing.md)."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wheel", action="store_true", help="make a wheel in build/wheel")

    def handle(self, *args: Any, **options: Any) -> None:
        # Only here: neither is there where the site is served.
        from mypyc.build import mypycify
        from setuptools import setup

        build = Path(settings.BASE_DIR) / "build"
        hot = (f"scoring/{name}.py" for name in HOT)
        # The settings for `make lint` are of no use here: they ask for Django.
        modules = mypycify(
            ["--config-file=", "--strict", *hot],
            opt_level="3",
            debug_level="0",
            group_name="suanfan",
            target_dir=str(build / "c"),
        )
        goal = (
            ["bdist_wheel", "--dist-dir", str(build / "wheel")]
            if options["wheel"]
            else ["build", "--build-lib", str(build / "compiled")]
        )
        setup(script_args=["--quiet", *goal], ext_modules=modules)
