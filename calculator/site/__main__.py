"""`python -m calculator.site`: the site under gunicorn, whose arguments these are.

What is wrong with the settings is told in one line, before gunicorn reads them itself.
"""

import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured


def main() -> None:
    """Check, load, and hand over."""
    try:
        import_module("calculator.wsgi")
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    sys.argv[1:1] = ["--config", "python:calculator.site.server"]
    import_module("gunicorn.app.wsgiapp").run()


if __name__ == "__main__":
    main()
