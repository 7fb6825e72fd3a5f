"""Static files under names that carry their hash, made small once, cached for ever."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import rcssmin
import rjsmin
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

_MINIFIERS: dict[str, Callable[[str], str]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


class _Minified:
    """A storage that gives sheets and scripts without spaces and comments, all else as it is."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def open(self, name: str) -> Any:
        """The file of this name, to be read."""
        file = self.storage.open(name)
        minify = _MINIFIERS.get(PurePath(name).suffix)
        if minify is None or ".min." in name:
            return file
        with file:
            return ContentFile(minify(file.read().decode()).encode(), name=name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.storage, name)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage; imports between our ES modules get hashed names too."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Any:
        """Hash and compress what was collected; sheets and scripts are made small before."""
        small = {name: (_Minified(storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(small, *args, **options)
