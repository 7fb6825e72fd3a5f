"""The Django application, and the one check that every command makes."""

from typing import Any

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core import checks
from django.core.exceptions import ImproperlyConfigured

from calculator.site.start import require_secret_key


class CalculatorConfig(AppConfig):
    default = True
    name = "calculator"

    def ready(self) -> None:
        checks.register(secret_key_present, checks.Tags.security)


class SiteStaticFiles(StaticFilesConfig):
    """Collects what the pages use: of what ships with django-htmx, that is htmx 2 alone."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.ignore_patterns = [*self.ignore_patterns, "ext", "htm*x-4*", "htmx-2.js"]


def secret_key_present(**_: Any) -> list[checks.CheckMessage]:
    """Nothing is served without a secret key; commands that serve nothing run without one."""
    try:
        require_secret_key()
    except ImproperlyConfigured as error:
        return [checks.Error(str(error), id="calculator.E001")]
    return []
