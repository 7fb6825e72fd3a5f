"""Static files under names that carry their hash, joined and made small once, cached for ever."""

import re
from pathlib import PurePath
from posixpath import dirname, join, normpath
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: A part of a sheet, as browsers read it too where nothing is collected.
_IMPORT = re.compile(r'@import url\("([^"]+)"\);')


def _minifier(suffix: str) -> Any:
    """What makes a file of this kind small; imported here, because serving needs none."""
    if suffix == ".css":
        from rcssmin import cssmin

        return cssmin
    if suffix == ".js":
        from rjsmin import jsmin

        return jsmin
    return None


class _Minified:
    """A storage that gives sheets whole and, like scripts, without spaces and comments."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def open(self, name: str) -> Any:
        """The file of this name, to be read."""
        file = self.storage.open(name)
        minify = _minifier(PurePath(name).suffix)
        if minify is None or ".min." in name:
            return file
        file.close()
        return ContentFile(minify(self._joined(name)).encode(), name=name)

    def _joined(self, name: str) -> str:
        """A file with what it imports in the place of each import."""
        with self.storage.open(name) as file:
            written = file.read().decode()
        folder = dirname(name)
        return _IMPORT.sub(lambda part: self._joined(normpath(join(folder, part[1]))), written)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.storage, name)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage; imports between our ES modules get hashed names too."""

    support_js_module_import_aggregation = True

    def load_manifest(self) -> tuple[dict[str, str], str]:
        """The names that were collected: none where they cannot be read, so that they are anew."""
        try:
            names, digest = super().load_manifest()
        except (ValueError, AttributeError):
            return {}, ""
        return names, digest

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Any:
        """Hash and compress what was collected; sheets and scripts are made small before."""
        small = {name: (_Minified(storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(small, *args, **options)
