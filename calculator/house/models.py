"""Model hands and rounds (举例): what a rule changes, in numbers, where no own hand shows it.

They are the examples of the rules pages, valued and settled under the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Self

from django.utils.translation import get_language, gettext

from calculator.house.worth import InFront, as_it_can_be
from calculator.words import badge, examples
from calculator.words import rounds as round_words
from calculator.words.answers import balance, hand_in_words
from scoring.addresses.hand import hand_request, read_options
from scoring.contract import settle
from scoring.contract.hand import read_query
from scoring.notation import format_hand
from scoring.rules import OptionErrors, Rules
from scoring.work import apart

Json = dict[str, Any]

#: So many values of an option are shown on a model.
_MOST = 2
#: Numbers that are tried where no value that comes to mind makes a difference.
_FURTHER = ("2", "6", "10")


@lru_cache(maxsize=2048)
def effects(rules: Rules, path: str, tried: tuple[str, ...], _language: str) -> tuple[Json, ...]:
    """What other values of an option make of a model, as ``value``, ``before``, ``after`` and the
    model in words, ``told``; nothing where its examples show no difference."""
    # They are kept: who asks first does not pay for them.
    with apart():
        for values in (tried, _FURTHER):
            others = list(_others(rules, path, values))
            for shown in (_on_hands, _on_rounds):
                if found := tuple(islice(shown(rules, path, others), _MOST)):
                    return found[:1] if found[0]["value"] == found[-1]["value"] else found
    return ()


def _key(path: str) -> str:
    return path.removeprefix("fans.").partition(".")[0]


def _others(rules: Rules, path: str, tried: Iterable[str]) -> Iterator[tuple[str, Rules]]:
    for value in tried:
        try:
            other = rules.override(read_options(f"{path}:{value}"))
        except OptionErrors:
            continue
        if other != rules:
            yield value, other


def _on_hands(rules: Rules, path: str, others: list[tuple[str, Rules]]) -> Iterator[Json]:
    for parameters in examples.HANDS.get(_key(path), ()):
        besides = _besides(parameters.get("opt", ""), path)
        now = _Hand.under(rules, parameters, besides)
        for value, other in others:
            then = _Hand.under(other, parameters, besides)
            if now and then and (found := now.compared(then)):
                told = now.told if now.won or not then.won else then.told
                if path in examples.HOW:
                    how = gettext(examples.HOW[path])
                    told = gettext("%(hand)s，%(how)s") % {"hand": told, "how": how}
                yield {"value": value, "told": told, "before": found[0], "after": found[1]}


def _besides(opt: str, path: str) -> str:
    """The house rules of an example, but for the option that is varied."""
    return ",".join(part for part in opt.split(",") if part.partition(":")[0] != path)


@dataclass(frozen=True)
class _Hand:
    """A model hand under some rules; ``with_rules`` says what it is played with besides."""

    hand: InFront
    with_rules: tuple[str, ...]

    @classmethod
    def under(cls, rules: Rules, parameters: Mapping[str, str], besides: str) -> Self | None:
        """An example under some rules and others besides; None where it cannot be."""
        try:
            table = rules.override(read_options(besides))
        except OptionErrors:
            return None
        query, _errors, _notes = read_query(hand_request(parameters), rules=table)
        if query is None:
            return None
        own = badge.every_change(rules)
        more = tuple(each for each in badge.every_change(table) if each not in own)
        return cls(InFront(as_it_can_be(query)), more)

    @property
    def won(self) -> bool:
        return self.hand.now is not None and not self.hand.wait

    @property
    def told(self) -> str:
        """The hand in words, with the rules that it needs."""
        query = self.hand.query
        if (get_language() or "").startswith("zh"):
            told = hand_in_words(query.hand, won=self.won)
        else:
            told = format_hand(query.hand)
        if not self.with_rules:
            return told
        rules = "·".join(self.with_rules)
        return gettext("%(hand)s（%(rules)s）") % {"hand": told, "rules": rules}

    def compared(self, other: _Hand) -> tuple[str, str] | None:
        """This and another in words; None where they say the same."""
        now, then = self.hand.now, other.hand.now
        if now is not None and then is not None and now != then:
            return now.compared(then)
        found = self._said(), other._said()
        return None if found[0] == found[1] else found

    def _said(self) -> str:
        if self.hand.missing:
            return gettext("还差%(n)s张") % {"n": self.hand.missing}
        if self.hand.number_of_waits:
            return gettext("听%(n)s种牌") % {"n": self.hand.number_of_waits}
        if self.hand.now is not None:
            return self.hand.now.words
        return gettext("没叫") if self.hand.query.hand.missing else gettext("不胡")


def _on_rounds(rules: Rules, path: str, others: list[tuple[str, Rules]]) -> Iterator[Json]:
    for request, _reason in examples.ROUNDS.get(_key(path), ()):
        now = _settled(request, rules)
        told = gettext("；").join(map(round_words.event, request["events"]))
        for value, other in others:
            then = _settled(request, other)
            if now is None or then is None or now == then:
                continue
            before, after = _apart(now, then)
            yield {"value": value, "told": told, "before": before, "after": after}


def _settled(request: Json, rules: Rules) -> tuple[tuple[Any, ...], int | None] | None:
    """The totals of a model round and who deals after it, as far as it goes under some rules; None
    where it cannot be played so."""
    asked = {**request, "ruleset": rules.id, "options": rules.changes()}
    answer = settle(asked)
    ends = [e["event"] for e in answer.get("errors", ()) if e.get("why") == "after_end"]
    if ends:
        answer = settle({**asked, "events": request["events"][: ends[0]]})
    if answer["status"] != "settled":
        return None
    return tuple(answer["totals"]), answer["next_dealer"]


def _apart(now: Any, then: Any) -> tuple[str, str]:
    """Two outcomes in words, as far as they differ."""
    seats = [s for s, (a, b) in enumerate(zip(now[0], then[0], strict=False)) if a != b]
    if not seats:
        return _dealer(now[1]), _dealer(then[1])
    before, after = (
        gettext("，").join(
            gettext("%(seat)s %(points)s")
            % {"seat": round_words.seat(s), "points": balance(outcome[0][s])}
            for s in seats
        )
        for outcome in (now, then)
    )
    return before, after


def _dealer(seat: int | None) -> str:
    return gettext("下局%(seat)s坐庄") % {"seat": round_words.seat(seat)}
