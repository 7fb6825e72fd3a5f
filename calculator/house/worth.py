"""What a hand is worth under some rules, and what others would change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext

from calculator.words import texts
from calculator.words.answers import points
from scoring.analyse import (
    IncompleteResult,
    Query,
    ReadyResult,
    Result,
    WinPayment,
    WinResult,
    analyse,
    impossible,
    payments,
)
from scoring.hand import Win
from scoring.rules import Rules, number
from scoring.score import scorer
from scoring.tiles import TILE_NAMES
from scoring.waits import value_with


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand is worth under some rules; equal when the table would pay the same."""

    fan: int
    multiple: int
    cents: int
    payments: tuple[WinPayment, ...]

    def compared(self, other: Worth | None) -> tuple[str, str]:
        """This and another in words, as briefly as tells them apart."""
        if other is None:
            return self.words, gettext("不胡")
        if (self.fan, self.multiple) != (other.fan, other.multiple):
            return self.words, other.words
        if self.cents != other.cents:
            return self.points, other.points
        return self.paid, other.paid

    @property
    def words(self) -> str:
        """番 and 倍."""
        return gettext("%(fan)s番%(multiple)s倍") % {"fan": self.fan, "multiple": self.multiple}

    @property
    def points(self) -> str:
        """The money that one payer pays."""
        return gettext("付%(n)s") % {"n": points(number(self.cents))}

    @property
    def paid(self) -> str:
        """Who pays."""
        return gettext("；").join(
            texts.payment(p.who, players=p.players, amount=points(number(p.cents)), shares=p.shares)
            for p in self.payments
        )


def as_it_can_be(query: Query) -> Query:
    """A hand that cannot have been won as told under its rules, without 地胡 and 杠上炮: those
    that only some tables call so."""
    if not impossible(query):
        return query
    return replace(query, win=replace(query.win, blessing=None, kong_discard=False))


@dataclass(frozen=True)
class InFront:
    """The hand in front of the player: a win, or the best wait of a hand that is ready."""

    query: Query

    @cached_property
    def _result(self) -> Result:
        return analyse(self.query)

    @property
    def valued(self) -> bool:
        """Whether there is a value to compare."""
        return isinstance(self._result, WinResult | ReadyResult)

    @property
    def wait(self) -> str:
        """The wait that is compared, where the hand has not won."""
        if isinstance(self._result, ReadyResult):
            return TILE_NAMES[self._result.waits[0].tile]
        return ""

    @property
    def number_of_waits(self) -> int:
        """How many tiles it waits on; 0 where it is not ready."""
        return len(self._result.waits) if isinstance(self._result, ReadyResult) else 0

    @property
    def missing(self) -> int:
        """How many tiles it lacks to be ready, where it has fewer."""
        return self._result.missing if isinstance(self._result, IncompleteResult) else 0

    @cached_property
    def now(self) -> Worth | None:
        """What it is worth under the rules in force."""
        return self.under(self.query.rules)

    def under(self, rules: Rules) -> Worth | None:
        """What it is worth under other rules."""
        query = as_it_can_be(replace(self.query, rules=rules))
        packed, melds = query.hand.packed, query.melds
        if isinstance(self._result, WinResult):
            win = query.win
            verdict = scorer(rules, win).verdict(
                packed, melds, win_tile=query.hand.win_tile, void=query.void
            )
        elif isinstance(self._result, ReadyResult):
            win = Win(query.win.by if query.win.self_drawn else "discard")
            wait = self._result.waits[0].tile
            verdict = value_with(packed, melds, scorer(rules, win), wait, void=query.void)
        else:
            return None
        if verdict is None or self._too_little(query, verdict.uncapped_fan):
            return None
        paid = payments(replace(query, win=win), verdict)
        cents = verdict.multiple * rules.base_cents
        return Worth(verdict.fan, verdict.multiple, cents, paid)

    def _too_little(self, query: Query, fan: int) -> bool:
        """起胡: whether a hand that has won would not have, for want of fan."""
        least = query.rules.min_fan or 0
        return not self.wait and not query.four_jokers and fan < least

    def effect(self, rules: Rules) -> tuple[str, str] | None:
        """What other rules would change, before and after; None where nothing."""
        if self.now is None:
            return None
        other = self.under(rules)
        return None if other == self.now else self.now.compared(other)
