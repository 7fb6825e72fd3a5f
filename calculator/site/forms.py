"""What the pages take from an address: every limit on length and choice stands here."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from django import forms
from django.conf import settings

from scoring.addresses.hand import HAND_PARAMETERS, hand_request
from scoring.addresses.round import MAX_EVENTS_TEXT, MAX_NAME, ROUND_PARAMETERS
from scoring.contract.hand import read_rules
from scoring.evening import MAX_PEOPLE
from scoring.notation import MAX_LENGTH

#: A house-rule list longer than this is no table's; it is told as an error of the options.
MAX_OPTIONS = 1500
#: What the field of the hand holds: all of it Chinese, nine bytes each, it fits an address with
#: the hand beside it. A text copy has its link at the end and may be longer, if it is not Chinese.
MAX_PASTED = 800


#: A table's name is no longer than this.
MAX_TABLE_NAME = 30

#: What programs hang on a link that passes through them.
TAGS = re.compile(r"utm_\w+|\w*clid|from|isappinstalled|a?scene|clicktime|enterid")


def table_name(text: str) -> str:
    """The name of a table as it is shown: one line of what can be seen, no longer than is kept.

    >>> table_name("  Friday\\n\\u202eclub ")
    'Friday club'
    """
    line = " ".join(text.split())
    return "".join(letter for letter in line if letter.isprintable())[:MAX_TABLE_NAME]


class Parameter(forms.CharField):
    """One parameter of an address: a text that may be missing.

    Nobody changes it, so every request has the same one: copying them took longer than checking
    what was sent.
    """

    def __init__(self, max_length: int, *, strip: bool = True) -> None:
        super().__init__(required=False, max_length=max_length, strip=strip)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


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

    @property
    def newer(self) -> bool:
        """Whether the address has a parameter that nothing here knows."""
        return any(name not in self.fields and not TAGS.fullmatch(name) for name in self.data)

    @property
    def too_long(self) -> list[dict[str, Any]]:
        """The errors of the address's own parameters that are longer than any can be."""
        return [
            {"code": "bad_field", "field": name, "expected": "shorter"}
            for name in self.errors
            if name in self.own
        ]

    @property
    def rule_errors(self) -> list[dict[str, Any]]:
        """What is wrong with the rules of the address (`rules`, `opt`), as the engine tells it."""
        errors = [e for e in self.too_long if e["field"] in ("rules", "opt")]
        given = {name: v for name, v in self.given.items() if name in ("rules", "opt")}
        read_rules(hand_request(given), errors)
        return errors


class HandForm(AddressForm):
    """The parameters of the page of one hand, and what a button without JavaScript adds."""

    own = tuple(HAND_PARAMETERS)

    rules = Parameter(40)
    hand = Parameter(MAX_LENGTH, strip=False)
    by = Parameter(40)
    after = Parameter(40)
    pao = Parameter(5)
    last = Parameter(5)
    jue = Parameter(5)
    bless = Parameter(40)
    void = Parameter(5)
    seen = Parameter(MAX_LENGTH)
    opt = Parameter(MAX_OPTIONS)
    # The state of the page that no link carries.
    arm = Parameter(20)
    do = Parameter(200)
    text = Parameter(settings.MAX_QUERY, strip=False)
    # A text that could not be read, kept beside the hand as it was.
    draft = Parameter(settings.MAX_QUERY, strip=False)
    say = Parameter(400)
    # The round that asked for a hand: the query of its page.
    back = Parameter(4000)
    # What whoever sent the link calls the table; it never decides anything.
    name = Parameter(200)

    @property
    def table_name(self) -> str:
        """What the table is called."""
        return table_name(self.cleaned_data.get("name", ""))

    def extra(self, name: str) -> str | None:
        """One of the other parameters, or None where the address does not have it."""
        return self.cleaned_data.get(name) if name in self.data else None


class RoundForm(AddressForm):
    """The parameters of the page of a round, what its fields add, and a hand that comes back."""

    own = tuple(ROUND_PARAMETERS)

    rules = Parameter(40)
    opt = Parameter(MAX_OPTIONS)
    d = Parameter(1)
    n = Parameter(120)
    e = Parameter(MAX_EVENTS_TEXT, strip=False)
    a = Parameter(MAX_LENGTH, strip=False)
    at = Parameter(3)
    # Names and numbers that are typed.
    n0 = Parameter(40)
    n1 = Parameter(40)
    n2 = Parameter(40)
    n3 = Parameter(40)
    f0 = Parameter(20)
    f1 = Parameter(20)
    f2 = Parameter(20)
    f3 = Parameter(20)
    b0 = Parameter(20)
    b1 = Parameter(20)
    b2 = Parameter(20)
    b3 = Parameter(20)
    h0 = Parameter(20)
    h1 = Parameter(20)
    h2 = Parameter(20)
    h3 = Parameter(20)
    # What the calculator sends back.
    hand = Parameter(MAX_LENGTH)
    by = Parameter(40)
    after = Parameter(40)
    pao = Parameter(5)
    last = Parameter(5)
    jue = Parameter(5)
    bless = Parameter(40)
    void = Parameter(5)
    under = Parameter(1)
    say = Parameter(80)
    dropped = Parameter(MAX_OPTIONS)

    def extra(self, name: str) -> str:
        """One of the other parameters, empty where the address does not have it."""
        return str(self.cleaned_data.get(name) or "")


class EveningForm(AddressForm):
    """The parameters of the sheet of an evening: its people, and what they won in each round."""

    own = ("n", "r")

    n = Parameter(MAX_PEOPLE * (MAX_NAME + 3))
    r = Parameter(settings.MAX_QUERY)
    # The day that stands on its picture.
    day = forms.DateField(required=False)


class LearnForm(AddressForm):
    """The parameters of the lessons and drills; `a` may stand several times."""

    own = ("rules", "opt", "kind", "topic")

    rules = Parameter(40)
    opt = Parameter(MAX_OPTIONS)
    kind = Parameter(20)
    level = forms.IntegerField(required=False, min_value=1, max_value=9)
    topic = Parameter(20)
    seed = forms.RegexField(r"^[0-9A-Za-z-]{1,20}$", required=False)
    n = forms.IntegerField(required=False, min_value=0, max_value=999_999)
    # The answer: a key, or several; `done` says that none at all is an answer too.
    a = Parameter(60)
    done = Parameter(1)

    def number(self, name: str, default: int) -> int:
        """A whole number that fits, or the default."""
        value = self.cleaned_data.get(name)
        return default if value is None else int(value)
