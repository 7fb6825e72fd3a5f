#!/usr/bin/env python
"""The command line of the site and of the engine: `python manage.py help`."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit("Django is not installed here; `make setup` makes a .venv.") from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
