"""Static files under names that carry their hash, made small once, cached for ever."""

from typing import Any

import rcssmin
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage


class _Minified:
    """A storage that gives style sheets without spaces and comments, and all else as it is."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def open(self, name: str) -> Any:
        """The file of this name, to be read."""
        file = self.storage.open(name)
        if not name.endswith(".css"):
            return file
        with file:
            return ContentFile(rcssmin.cssmin(file.read().decode()).encode(), name=name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.storage, name)


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage; imports between our ES modules get hashed names too."""

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Any:
        """Hash and compress what was collected; style sheets are made small before."""
        small = {name: (_Minified(storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(small, *args, **options)
