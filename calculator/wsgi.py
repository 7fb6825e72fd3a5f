"""The entry point of servers: `python -m calculator.site`, which is gunicorn with our settings."""

import gc
import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from calculator.site import start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.settings")

start.require_everything()
application = get_wsgi_application()
# The views and with them the engine: loaded once, before workers are forked.
import_module(settings.ROOT_URLCONF)
start.read_everything()
import_module("calculator.hand.picture").read()

# What has been read stays: no request pays for looking through it, and workers share it.
gc.collect()
gc.freeze()
