"""What must hold before anything is served, and what is read once for as long as it is.

Each check raises `ImproperlyConfigured` with the name of the setting and what is wrong with it.
"""

import gettext as gnu
import struct
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ImproperlyConfigured
from django.template import engines
from django.utils.translation import gettext, override, to_locale

from calculator.site import build
from scoring import rarity, rules


def require_secret_key() -> None:
    """Something to sign with."""
    _ = settings.DEBUG  # a setting that cannot be read speaks for itself
    try:
        _ = settings.SECRET_KEY
    except ImproperlyConfigured as error:
        raise ImproperlyConfigured("SECRET_KEY is not set in the environment") from error


def require_static_files() -> None:
    """The static files of these very pages, collected."""
    if settings.DEBUG:
        return
    storage: Any = staticfiles_storage
    for folder in map(Path, settings.STATICFILES_DIRS):
        for file in folder.rglob("*"):
            name = file.relative_to(folder).as_posix()
            collected = settings.STATIC_ROOT / storage.hashed_files.get(name, "?")
            if file.is_file() and not collected.is_file():
                raise ImproperlyConfigured(
                    f"STATIC_ROOT lacks {name}: run `python manage.py collectstatic`"
                )


def require_catalogues() -> None:
    """A compiled catalogue for each language but the source's own."""
    for language, _ in settings.LANGUAGES:
        if language == settings.LANGUAGE_CODE:
            continue
        for folder in settings.LOCALE_PATHS:
            file = folder / to_locale(language) / "LC_MESSAGES" / "django.mo"
            try:
                with file.open("rb") as compiled:
                    said = gnu.GNUTranslations(compiled).info()
            except (OSError, ValueError, struct.error):
                said = {}
            if not said:
                raise ImproperlyConfigured(
                    f"LANGUAGES has {language!r}, whose catalogue {file.name} is missing or "
                    "cannot be read: run `python manage.py texts --compile`"
                )


def require_everything() -> None:
    """All of the above."""
    require_secret_key()
    require_static_files()
    require_catalogues()


def read_everything() -> None:
    """Read what pages are made of, so that a release copied over this one changes no answer."""
    build.version()
    build.mark()
    for language, _ in settings.LANGUAGES:
        with override(language):
            gettext("算番")
    folder = Path(settings.BASE_DIR) / "templates"
    for file in folder.rglob("*.*"):
        engines["django"].get_template(file.relative_to(folder).as_posix())
    for ruleset in rules.ids():
        rules.load(ruleset)
    rarity.of_term("qing_yi_se")
