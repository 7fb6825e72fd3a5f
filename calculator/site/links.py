"""Links from one room to another: the pages that every page may point to."""

from collections.abc import Mapping

from django.urls import reverse

from scoring.addresses.hand import write_query


def to_hand(parameters: Mapping[str, str], extra: Mapping[str, str] | None = None) -> str:
    """The calculator page with these parameters, in the active language."""
    return f"{reverse('hand')}?{write_query({**parameters, **(extra or {})})}"


def to_term(key: str) -> str:
    """The page of a term or rule."""
    return reverse("rules_term", args=[key])
