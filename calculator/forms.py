"""What the pages take from an address: every limit on length and choice stands here."""

from collections.abc import Mapping
from typing import Any

from django import forms

from scoring.notation import MAX_LENGTH
from scoring.permalink import HAND_PARAMETERS

#: A house-rule list longer than this is no table's; it is told as an error of the options.
MAX_OPTIONS = 1500


class HandForm(forms.Form):
    """The parameters of the page of one hand, and what a button without JavaScript adds."""

    rules = forms.CharField(required=False, max_length=40)
    hand = forms.CharField(required=False, max_length=MAX_LENGTH, strip=False)
    by = forms.CharField(required=False, max_length=40)
    after = forms.CharField(required=False, max_length=40)
    pao = forms.CharField(required=False, max_length=5)
    last = forms.CharField(required=False, max_length=5)
    bless = forms.CharField(required=False, max_length=40)
    void = forms.CharField(required=False, max_length=5)
    seen = forms.CharField(required=False, max_length=MAX_LENGTH)
    opt = forms.CharField(required=False, max_length=MAX_OPTIONS)
    # The state of the page that no link carries.
    arm = forms.CharField(required=False, max_length=20)
    do = forms.CharField(required=False, max_length=200)
    text = forms.CharField(required=False, max_length=MAX_LENGTH, strip=False)
    say = forms.CharField(required=False, max_length=400)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "HandForm":
        """A form that has been cleaned; what does not fit is in its errors."""
        form = cls(data)
        form.full_clean()
        return form

    @property
    def given(self) -> dict[str, str]:
        """The address's own parameters, as far as they fit; empty ones left out."""
        cleaned = self.cleaned_data
        return {name: cleaned[name] for name in HAND_PARAMETERS if cleaned.get(name)}

    def extra(self, name: str) -> str | None:
        """One of the other parameters, or None where the address does not have it."""
        return self.cleaned_data.get(name) if name in self.data else None
