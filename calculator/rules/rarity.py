"""How rare a term is, and how the hands of a system spread over its 番."""

from typing import Any

from django import template
from django.utils.translation import gettext

from calculator.rules.charts import Row, bars
from scoring import rarity
from scoring.rules import load

register = template.Library()


@register.inclusion_tag("rules/_rarity.html")
def rarity_of(term: str) -> dict[str, Any]:
    """How many of all winning hands without melds have a term; nothing for other terms."""
    share = rarity.of_term(term)
    if share is None:
        return {"shapes": ""}
    return {
        "shapes": f"{share.shapes:,}",
        "all": f"{share.of_shapes:,}",
        "one_in": one_in(share.one_in),
        "one_way_in": one_in(share.one_way_in),
        "every": share.shapes == share.of_shapes,
    }


@register.inclusion_tag("rules/_spread.html")
def fan_spread(ruleset: str) -> dict[str, Any]:
    """A chart of how many winning hands without melds are worth each number of 番.

    Nothing for a system that has not been counted.
    """
    shares = rarity.by_fan(ruleset)
    if not shares:
        return {"chart": ""}
    rows, heard = [], []
    for fan, share in shares.items():
        name = gettext("%(n)s番") % {"n": fan}
        shape, way = share.shapes / share.of_shapes, share.ways / share.of_ways
        rows.append(Row(name, ((shape, percent(shape)), (way, percent(way)))))
        heard.append(
            gettext("%(fan)s：牌形 %(shapes)s，机会 %(ways)s")
            % {"fan": name, "shapes": percent(shape), "ways": percent(way)}
        )
    return {
        "chart": bars(rows, gettext("；").join(heard)),
        "all": f"{next(iter(shares.values())).of_shapes:,}",
        "jokers": load(ruleset).joker is not None,
    }


def one_in(number: float) -> str:
    """One in so many, as long as that is readable.

    >>> one_in(3.6), one_in(20.2), one_in(15799368.8)
    ('3.6', '20', '15,799,369')
    """
    return f"{number:.1f}" if number < 10 else f"{number:,.0f}"


def percent(part: float) -> str:
    """A part of 1 in percent, with as many digits as it needs.

    >>> percent(0.3768), percent(0.0097), percent(0.0000004)
    ('38%', '0.97%', '0.00004%')
    """
    hundred = 100 * part
    if hundred >= 10:
        return f"{hundred:.0f}%"
    if hundred >= 1:
        return f"{hundred:.1f}%"
    digits = 2
    while digits < 6 and round(hundred, digits) < 10**-digits * 2:
        digits += 1
    return f"{hundred:.{digits}f}%"
