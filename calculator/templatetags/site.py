"""What every page's frame needs: the same address in another language, tiles of a notation."""

from collections.abc import Iterable

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext

from scoring.notation import parse_tiles
from scoring.tiles import TILE_NAMES

register = template.Library()

PREFIXES = tuple(code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE)


@register.simple_tag(takes_context=True)
def in_language(context: RequestContext, code: str) -> str:
    """This page's address in another language: only the first part of the path differs."""
    request = context.get("request")
    if request is None:
        return f"/{code}/" if code in PREFIXES else "/"
    path, query = request.path, request.META.get("QUERY_STRING", "")
    first = path.split("/", 2)[1]
    if first in PREFIXES:
        path = path[len(first) + 1 :] or "/"
    # Two slashes at the start would lead to another host.
    path = escape_uri_path("/" + path.lstrip("/"))
    path = f"/{code}{path}" if code in PREFIXES else path
    return f"{path}?{query}" if query else path


@register.simple_tag(takes_context=True)
def absolute(context: RequestContext, path: str) -> str:
    """A path of this site with scheme and host, as other programs need it."""
    request = context.get("request")
    return path if request is None else request.build_absolute_uri(path)


@register.filter
def listed(names: Iterable[str]) -> str:
    """Names one after the other, as the language lists them.

    >>> listed(["刮风", "下雨"])
    '刮风、下雨'
    """
    return gettext("、").join(names)


@register.filter
def tiles(notation: str) -> list[str]:
    """The names of the tiles in a plain notation: `12m` is `["1m", "2m"]`."""
    return [TILE_NAMES[tile] for tile in parse_tiles(notation)]
