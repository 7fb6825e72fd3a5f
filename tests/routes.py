"""Every address of the site, read from its URLconf, so that a new route is tested by itself."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms as django_forms
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import SlugConverter
from django.urls.resolvers import LocalePrefixPattern, RoutePattern

from calculator.learn.lessons import BY_ID
from calculator.site import forms
from scoring import rules

PREFIXES = ("", *(f"{code}/" for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE))
#: What stands for a part of a path: something that exists where one can know it.
KNOWN = {"ruleset": rules.ids()[0], "key": "qing_yi_se", "step": next(iter(BY_ID))}


@dataclass(frozen=True)
class Route:
    """One pattern of the URLconf, as an address with its variable parts in braces."""

    template: str
    parts: tuple[tuple[str, bool], ...]
    # The names of the variable parts, and whether each takes slugs alone.

    def filled(self, text: str | None = None) -> str:
        """An address: its parts are ``text``, or something that exists."""
        parts = {name: text or KNOWN.get(name, "x") for name, _ in self.parts}
        return self.template.format(**parts)

    @property
    def for_people(self) -> bool:
        """Whether anybody may open it: a shared table is open to who has its link."""
        private = "/t/{" in self.template or self.template.endswith("/settle/open/")
        return not private and not self.template.startswith(("/api/", "/healthz"))


def _walk(
    patterns: list[URLPattern | URLResolver], base: str, parts: tuple[tuple[str, bool], ...]
) -> Iterator[Route]:
    for entry in patterns:
        if isinstance(entry.pattern, LocalePrefixPattern):
            for prefix in PREFIXES:
                yield from _walk(entry.url_patterns, base + prefix, parts)
            continue
        assert isinstance(entry.pattern, RoutePattern), "the site routes by path() alone"
        text = str(entry.pattern)
        found = parts
        for name, converter in entry.pattern.converters.items():
            found = (*found, (name, isinstance(converter, SlugConverter)))
        for part in ("str", "slug", "int", "path", "uuid"):
            text = text.replace(f"<{part}:", "<")
        text = base + text.replace("<", "{").replace(">", "}")
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, text, found)
        else:
            yield Route(text, found)


def routes() -> list[Route]:
    """Every route, pages once per language."""
    return list(_walk(get_resolver("calculator.urls").url_patterns, "/", ()))


def parameters() -> list[str]:
    """Every name that a page reads from its query, and those of the programs' interface."""
    found = {"lang", "q"}
    for value in vars(forms).values():
        if isinstance(value, type) and issubclass(value, django_forms.Form):
            found |= value.base_fields.keys()
    return sorted(found)
