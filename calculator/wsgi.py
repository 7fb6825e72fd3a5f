"""The WSGI entry point: `gunicorn calculator.wsgi`."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from calculator.apps import require_secret_key, require_static_files

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.settings")

application = get_wsgi_application()
require_secret_key()
require_static_files()
# The views and with them the engine: loaded once, before workers are forked.
import_module(settings.ROOT_URLCONF)
