"""What every page's frame needs: the same address in another language, tiles of a notation."""

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.template.loader import get_template
from django.utils.encoding import escape_uri_path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from calculator.words import texts
from calculator.words.languages import short_name, tag
from scoring.addresses.hand import DEFAULT_RULES
from scoring.notation import parse_tiles
from scoring.tiles import TILE_NAMES

register = template.Library()


@register.simple_tag
def part(name: str, **values: Any) -> SafeString:
    """A small template that shows these values and nothing else, such as one tile of many.

    The same values give the same markup, so that it is kept: most tiles of a page have been drawn.
    """
    shown = tuple((key, _firm(value)) for key, value in values.items())
    return _drawn(get_language(), name, shown)


def _firm(value: Any) -> Any:
    return tuple(value.items()) if isinstance(value, dict) else value


@lru_cache(maxsize=4096)
def _drawn(_language: str | None, name: str, shown: tuple[tuple[str, Any], ...]) -> SafeString:
    values = {key: dict(value) if isinstance(value, tuple) else value for key, value in shown}
    return SafeString(get_template(name).render(values))


PREFIXES = tuple(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)


@register.simple_tag(takes_context=True)
def in_language(context: RequestContext, code: str) -> str:
    """This page's address in another language: only the first part of the path differs."""
    request = context.get("request")
    if request is None:
        return f"/{code}/" if code in PREFIXES else "/"
    path, query = _path(request.path, code), request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def _path(path: str, code: str) -> str:
    first = path.split("/", 2)[1]
    if first in PREFIXES:
        path = path[len(first) + 1 :] or "/"
    # Two slashes at the start would lead to another host.
    path = escape_uri_path("/" + path.lstrip("/"))
    return f"/{code}{path}" if code in PREFIXES else path


@register.simple_tag
def languages() -> list[dict[str, str]]:
    """Every language: its code, its tag in a page, its name, and the same in a letter or two."""
    return [
        {"code": code, "tag": tag(code), "name": name, "short": short_name(code, name)}
        for code, name in settings.LANGUAGES
    ]


register.filter("language_tag", tag)
register.filter("listed", texts.joined)


@register.simple_tag(takes_context=True)
def own_addresses(context: RequestContext) -> SafeString:
    """The page's own address and that of the same page in each language, for search engines.

    Share menus take it too. A view gives the query of its state as ``own_query``: what was typed
    or said on the way there is no part of it.
    """
    request = context.get("request")
    if request is None:
        return SafeString()
    query = context.get("own_query", "")
    # Robots look at no queries: where the page begins, it has none.
    query = f"?{query}" if query and query != f"rules={DEFAULT_RULES}" else ""
    site = request.build_absolute_uri("/")[:-1]
    here = {code: f"{site}{_path(request.path, code)}{query}" for code, _ in settings.LANGUAGES}
    return format_html(
        '<link rel="canonical" href="{}">\n{}',
        here[get_language() or settings.LANGUAGE_CODE],
        format_html_join(
            "\n",
            '<link rel="alternate" hreflang="{}" href="{}">',
            ((tag(code), address) for code, address in here.items()),
        ),
    )


@register.simple_tag(takes_context=True)
def absolute(context: RequestContext, path: str) -> str:
    """A path of this site with scheme and host, as other programs need it."""
    request = context.get("request")
    return path if request is None else request.build_absolute_uri(path)


@register.filter
def tiles(notation: str) -> list[str]:
    """The names of the tiles in a plain notation: `12m` is `["1m", "2m"]`."""
    return [TILE_NAMES[tile] for tile in parse_tiles(notation)]
