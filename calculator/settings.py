"""Settings of the site, all of them, read from the environment.

| variable          | meaning                                                              |
|-------------------|----------------------------------------------------------------------|
| `SECRET_KEY`      | required to serve; at least 50 characters                            |
| `ALLOWED_HOSTS`   | names the site answers to, comma-separated; default: this machine    |
| `WEB_CONCURRENCY` | how many workers share the work; default 1                           |
| `HTTPS`           | `1` (default): redirect to https and announce it; `0`: a plain LAN   |
| `BEHIND_PROXY`    | `1`: trust the proxy's `X-Forwarded-Proto`, `X-Request-ID`; else `0` |
| `DEBUG`           | `1`: development, on this machine alone; default `0`                 |
| `STATIC_ROOT`     | where `collectstatic` puts the files; default `staticfiles/`         |
| `RELEASE`         | the release's mark; default: worked out from the files               |
| `DATABASE_URL`    | of the shared tables; default `sqlite:///…/data/tables.sqlite3`      |

A value that cannot be read, or that would be unsafe, stops the start with the variable's name.
Only shared tables need the database; nothing needs a session, a cookie or an account.
"""

import os
import re
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def flag(name: str, default: bool) -> bool:
    """An on/off variable of the environment: 1 or 0."""
    value = os.environ.get(name, "1" if default else "0")
    if value not in ("0", "1"):
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}")
    return value == "1"


def number(name: str, default: int) -> int:
    """A variable that counts something: a whole number, at least 1."""
    value = os.environ.get(name, str(default))
    if not re.fullmatch(r"[1-9][0-9]{0,3}", value):
        raise ImproperlyConfigured(f"{name} must be a whole number, at least 1, not {value!r}")
    return int(value)


#: A host as browsers name it: a name, an address, or a name with all that stand below it.
HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]", re.IGNORECASE)


def names(name: str, default: str) -> list[str]:
    """A comma-separated variable of the environment."""
    found = [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]
    if not found:
        raise ImproperlyConfigured(f"{name} must name at least one host")
    if "*" in found:
        raise ImproperlyConfigured(f"{name} must name the hosts; * would answer to any")
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} must name hosts alone (suanfan.example, 192.0.2.1, [2001:db8::1]) "
                f"without scheme, port or path, not {host!r}"
            )
    return found


def secret_key() -> str:
    """The key, or nothing: then commands still work, but serving is refused (see `apps.py`)."""
    value = os.environ.get("SECRET_KEY", "")
    if value and (len(value) < 50 or len(set(value)) < 5 or value.startswith("django-insecure-")):
        raise ImproperlyConfigured("SECRET_KEY must have at least 50 random characters")
    return value


#: Connections to PostgreSQL are kept; where there is none, that is said within three seconds.
POOLED = {"pool": {"min_size": 1, "max_size": 8, "timeout": 3}, "connect_timeout": 3}


def database() -> dict[str, Any]:
    """The database of the shared tables, from `DATABASE_URL`; a file where nothing is said."""
    url = os.environ.get("DATABASE_URL") or f"sqlite:///{BASE_DIR / 'data' / 'tables.sqlite3'}"
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(url))
    except (dj_database_url.UnknownSchemeError, ValueError) as error:
        raise ImproperlyConfigured("DATABASE_URL is no address of a database") from error
    if found["ENGINE"].endswith("sqlite3"):
        # Readers never wait for a writer; a writer waits for the one before and then has all.
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=5000;"
        found["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "init_command": pragmas}
        found["CONN_MAX_AGE"] = None
    elif found["ENGINE"].endswith("postgresql"):
        found["OPTIONS"] = {**found.get("OPTIONS", {}), **POOLED}
    else:
        raise ImproperlyConfigured("DATABASE_URL must be sqlite or postgresql")
    return found


THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")

DEBUG: bool = flag("DEBUG", default=False)
HTTPS: bool = flag("HTTPS", default=not DEBUG)
WORKERS: int = number("WEB_CONCURRENCY", default=1)  # gunicorn reads it too
BEHIND_PROXY: bool = flag("BEHIND_PROXY", default=False)
SECRET_KEY: str = secret_key() or ("only-for-development-" * 3 if DEBUG else "")
ALLOWED_HOSTS: list[str] = names("ALLOWED_HOSTS", ",".join(THIS_MACHINE))
if DEBUG and not set(ALLOWED_HOSTS) <= set(THIS_MACHINE):
    raise ImproperlyConfigured("DEBUG=1 shows the site's inside: ALLOWED_HOSTS must stay local")

INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "calculator.apps.SiteStaticFiles",
    "csp",
    "django_htmx",
    "template_partials",
    "scoring",
    "calculator",
    "calculator.tables.apps.TablesConfig",
]

MIDDLEWARE = [
    "calculator.site.middleware.request_log",
    "calculator.site.middleware.without_cookies",
    "calculator.site.middleware.codings_accepted",
    "calculator.site.middleware.head_without_body",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "calculator.site.middleware.CompressMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "calculator.site.middleware.PolicyMiddleware",
    "calculator.site.middleware.page_headers",
    "calculator.site.middleware.language_of_path",
    "calculator.site.middleware.refusals",
    "calculator.site.middleware.limits",
    "calculator.site.middleware.LimitWork",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "calculator.urls"
WSGI_APPLICATION = "calculator.wsgi.application"
# Shared tables alone are kept in a database. SQLite: a file of its own, written by one at a time.
DATABASES: dict[str, Any] = {"default": database()}

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
            ],
            "libraries": {"rarity": "calculator.rules.rarity"},
        },
    }
]

# Languages: by path alone. The source language needs no catalogue and no prefix.
LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("zh-hant", "繁體中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "calculator" / "locale"]
USE_TZ = True
TIME_ZONE = "Asia/Shanghai"

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "calculator.site.storage.StaticStorage"
    },
}
WHITENOISE_MAX_AGE = 3600
# A name with a hash never means another file.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\."
WHITENOISE_ALLOW_ALL_ORIGINS = False

# What browsers keep is kept for this release alone; where it is empty, `site.build` works it out.
RELEASE: str = os.environ.get("RELEASE", "")

# Limits. The API's own limit is the same number, answered with 413.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 0
FILE_UPLOAD_HANDLERS: list[str] = []
# The longest query string; our own addresses stay below 2,000 characters.
MAX_QUERY = 8000
APPEND_SLASH = True

# Security. Everything comes from this host; nothing is inline.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
# Browsers warn about this header where the page came over plain http.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
# No page reads or sets a cookie; should one ever do, it is a secure one.
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "calculator.site.errors.not_posted"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "calculator.site.logs.JsonFormatter"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "json"},
        "nowhere": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "calculator.requests": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        # Every answer has its line already; only tracebacks are worth another.
        "django": {"handlers": ["stderr"], "level": "ERROR", "propagate": False},
        "django.security": {"handlers": ["nowhere"], "propagate": False},
    },
}
