"""Ids into words where they are shown: `{{ "gen"|term }}`, `{{ 8|points }}`, `{% link "gen" %}`."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from calculator.words import glossary, texts

register = template.Library()
register.filter("translated", gettext)
register.filter("others", glossary.others)


@register.filter
def named(key: str) -> str:
    """The name of a term or rule."""
    return gettext(glossary.name_id(key))


@register.filter
def meaning(key: str) -> str:
    """What a term or rule means."""
    return gettext(glossary.text_id(key))


@register.filter
def melds_word(kind: str) -> str:
    """The name of a kind of kong."""
    return texts.word(texts.MELDS, kind)


register.filter("fans", texts.fans)


@register.simple_tag
def guess(assumed: bool, joined: str = "") -> SafeString:
    """推: the mark of a value that no source states."""
    if not assumed:
        return SafeString()
    return format_html('{}<span class="guess">{}</span>', joined, gettext("推"))
