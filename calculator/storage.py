"""Static files under names that carry their hash, compressed once, cached for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise's storage; imports between our ES modules get hashed names too."""

    support_js_module_import_aggregation = True
