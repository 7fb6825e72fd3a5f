"""A hand that an address asks for, as every page that takes one knows it."""

from dataclasses import replace
from typing import Any

from calculator.site import links
from calculator.site.forms import HandForm
from calculator.words import rulings
from scoring.addresses.hand import HandPage, read_hand, rules_of
from scoring.hand import Hand

Json = dict[str, Any]


class Asked:
    """What a request asks: a hand under rules, and what of the address could not be read."""

    def __init__(self, form: HandForm) -> None:
        self.form = form
        self.bad: tuple[str, ...] = ()
        self.read(form.given)
        self.bad += tuple(error["field"] for error in form.too_long)

    def read(self, given: dict[str, str]) -> None:
        """Take these parameters of an address."""
        self.given = given
        self.page, self.bad = read_hand(given)
        self.rules = rules_of(self.page)

    @property
    def is_empty(self) -> bool:
        """Whether there is no tile, and nothing that was meant as one."""
        return self.page.hand == Hand() and not self.bad

    @property
    def back(self) -> str:
        """The query of the round that asked for this hand, if one did."""
        return self.form.extra("back") or ""

    @property
    def parameters(self) -> dict[str, str]:
        """The address's parameters: canonical, but what could not be read stays as written."""
        made = self.page.parameters
        if not self.bad:
            return made
        given = {name: self.given[name] for name in self.bad if name in self.given}
        return {**made, **given}


def rulings_beside(page: HandPage, rows: list[Json], answer: Json, back: str = "") -> list[Json]:
    """The readings of the rules that a hand rests on, each with the hand under the other one."""

    def linked(opt: str) -> str:
        return links.to_hand(replace(page, opt=opt).parameters, {"back": back} if back else None)

    return rulings.beside(rules_of(page), rows, answer["status"], linked)
