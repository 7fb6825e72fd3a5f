"""What the pages take from an address: every limit on length and choice stands here."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from django import forms

from scoring.notation import MAX_LENGTH
from scoring.permalink import HAND_PARAMETERS
from scoring.permalink_round import MAX_EVENTS_TEXT, ROUND_PARAMETERS

#: A house-rule list longer than this is no table's; it is told as an error of the options.
MAX_OPTIONS = 1500
#: What somebody pastes into the field of the hand: the longest text copy has its link at the end.
MAX_PASTED = 4000


class AddressForm(forms.Form):
    """The parameters of a page; `own` are those that its address is made of."""

    own: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """A form that has been cleaned; what does not fit is in its errors."""
        form = cls(data)
        form.full_clean()
        return form

    @property
    def given(self) -> dict[str, str]:
        """The address's own parameters, as far as they fit; empty ones left out."""
        cleaned = self.cleaned_data
        return {name: cleaned[name] for name in self.own if cleaned.get(name)}


class HandForm(AddressForm):
    """The parameters of the page of one hand, and what a button without JavaScript adds."""

    own = tuple(HAND_PARAMETERS)

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
    text = forms.CharField(required=False, max_length=MAX_PASTED, strip=False)
    # A text that could not be read, kept beside the hand as it was.
    draft = forms.CharField(required=False, max_length=MAX_PASTED, strip=False)
    say = forms.CharField(required=False, max_length=400)
    # The round that asked for a hand: the query of its page.
    back = forms.CharField(required=False, max_length=4000)

    def extra(self, name: str) -> str | None:
        """One of the other parameters, or None where the address does not have it."""
        return self.cleaned_data.get(name) if name in self.data else None


class RoundForm(AddressForm):
    """The parameters of the page of a round, what its fields add, and a hand that comes back."""

    own = tuple(ROUND_PARAMETERS)

    rules = forms.CharField(required=False, max_length=40)
    opt = forms.CharField(required=False, max_length=MAX_OPTIONS)
    d = forms.CharField(required=False, max_length=1)
    n = forms.CharField(required=False, max_length=120)
    e = forms.CharField(required=False, max_length=MAX_EVENTS_TEXT, strip=False)
    a = forms.CharField(required=False, max_length=MAX_LENGTH, strip=False)
    at = forms.CharField(required=False, max_length=3)
    # Names and numbers that are typed.
    n0 = forms.CharField(required=False, max_length=40)
    n1 = forms.CharField(required=False, max_length=40)
    n2 = forms.CharField(required=False, max_length=40)
    n3 = forms.CharField(required=False, max_length=40)
    f0 = forms.CharField(required=False, max_length=20)
    f1 = forms.CharField(required=False, max_length=20)
    f2 = forms.CharField(required=False, max_length=20)
    f3 = forms.CharField(required=False, max_length=20)
    b0 = forms.CharField(required=False, max_length=20)
    b1 = forms.CharField(required=False, max_length=20)
    b2 = forms.CharField(required=False, max_length=20)
    b3 = forms.CharField(required=False, max_length=20)
    h0 = forms.CharField(required=False, max_length=20)
    h1 = forms.CharField(required=False, max_length=20)
    h2 = forms.CharField(required=False, max_length=20)
    h3 = forms.CharField(required=False, max_length=20)
    # What the calculator sends back.
    hand = forms.CharField(required=False, max_length=MAX_LENGTH)
    by = forms.CharField(required=False, max_length=40)
    after = forms.CharField(required=False, max_length=40)
    pao = forms.CharField(required=False, max_length=5)
    last = forms.CharField(required=False, max_length=5)
    bless = forms.CharField(required=False, max_length=40)
    void = forms.CharField(required=False, max_length=5)
    under = forms.CharField(required=False, max_length=1)
    say = forms.CharField(required=False, max_length=40)
    # The totals of an evening.
    r = forms.CharField(required=False, max_length=8000)

    def extra(self, name: str) -> str:
        """One of the other parameters, empty where the address does not have it."""
        return str(self.cleaned_data.get(name) or "")


class LearnForm(AddressForm):
    """The parameters of the lessons and drills; `a` may stand several times."""

    rules = forms.CharField(required=False, max_length=40)
    opt = forms.CharField(required=False, max_length=MAX_OPTIONS)
    kind = forms.CharField(required=False, max_length=20)
    level = forms.IntegerField(required=False, min_value=1, max_value=9)
    topic = forms.CharField(required=False, max_length=20)
    seed = forms.RegexField(r"^[0-9A-Za-z-]{1,20}$", required=False)
    n = forms.IntegerField(required=False, min_value=0, max_value=999_999)
    # The answer: a key, or several; `done` says that none at all is an answer too.
    a = forms.CharField(required=False, max_length=60)
    done = forms.CharField(required=False, max_length=1)

    def number(self, name: str, default: int) -> int:
        """A whole number that fits, or the default."""
        value = self.cleaned_data.get(name)
        return default if value is None else int(value)
