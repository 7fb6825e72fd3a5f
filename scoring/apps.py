"""The Django application of the engine: the only module of ``scoring`` that knows Django."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """Registers the engine with Django, so that its words are found by the catalogues."""

    name = "scoring"
