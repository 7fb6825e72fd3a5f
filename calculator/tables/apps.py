"""The one application of the site that has a database."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "calculator.tables"
    label = "tables"
