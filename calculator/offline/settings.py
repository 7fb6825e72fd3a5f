"""The settings of the site where it runs in a browser: one visitor, no server, no files to serve.

The worker (`templates/engine.js`) sets the variables of `calculator.settings` before.
"""

from calculator.settings import *  # noqa: F403
from calculator.settings import INSTALLED_APPS, MIDDLEWARE, STORAGES

#: Serving files, compressing and logging are a server's; the partials bring the admin with them.
_SERVERS = (
    "template_partials",
    "whitenoise.runserver_nostatic",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "calculator.site.middleware.CompressMiddleware",
    "calculator.site.middleware.request_log",
)

INSTALLED_APPS = [name for name in INSTALLED_APPS if name not in _SERVERS]
MIDDLEWARE = [name for name in MIDDLEWARE if name not in _SERVERS]
#: Where there is no server to collect the files, their names are all that is wanted.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}
#: Shared tables are the server's; their pages are not asked for here.
DATABASES: dict[str, object] = {}  # type: ignore[no-redef]
#: What goes wrong is told on the browser's console.
LOGGING = {
    "version": 1,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "ERROR"},
}
