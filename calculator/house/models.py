"""Model hands and rounds (举例): what a rule changes, in numbers, where no own hand shows it.

They are the examples of the rules pages, valued and settled under the rules in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from django.utils.translation import get_language, gettext

from calculator.house.worth import InFront
from calculator.words import examples
from calculator.words import rounds as round_words
from calculator.words.answers import balance, hand_in_words
from scoring.addresses.hand import hand_request, read_options
from scoring.contract import settle
from scoring.contract.hand import read_query
from scoring.notation import format_hand
from scoring.rules import OptionErrors, Rules

Json = dict[str, Any]

#: So many values of an option are shown on a model.
_MOST = 2
#: Numbers that are tried where no value that comes to mind makes a difference.
_FURTHER = ("2", "6", "10")


@lru_cache(maxsize=2048)
def effects(rules: Rules, path: str, tried: tuple[str, ...], _language: str) -> tuple[Json, ...]:
    """What other values of an option make of a model, as ``value``, ``before``, ``after`` and the
    model in words, ``told``; nothing where its examples show no difference."""
    key = path.removeprefix("fans.").partition(".")[0]
    for values in (tried, _FURTHER):
        others = list(_others(rules, path, values))
        for shown in (_on_hands, _on_rounds):
            if found := tuple(islice(shown(rules, key, others), _MOST)):
                return found[:1] if found[0]["value"] == found[-1]["value"] else found
    return ()


def _others(rules: Rules, path: str, tried: Iterable[str]) -> Iterator[tuple[str, Rules]]:
    for value in tried:
        try:
            other = rules.override(read_options(f"{path}:{value}"))
        except OptionErrors:
            continue
        if other != rules:
            yield value, other


def _on_hands(rules: Rules, key: str, others: list[tuple[str, Rules]]) -> Iterator[Json]:
    for parameters in examples.HANDS.get(key, ()):
        query, _errors, _notes = read_query(hand_request(parameters), rules=rules)
        if query is None:
            continue
        hand = InFront(query)
        chinese = (get_language() or "").startswith("zh")
        won = not hand.wait
        told = hand_in_words(query.hand, won=won) if chinese else format_hand(query.hand)
        for value, other in others:
            if found := hand.effect(other):
                yield {"value": value, "told": told, "before": found[0], "after": found[1]}


def _on_rounds(rules: Rules, key: str, others: list[tuple[str, Rules]]) -> Iterator[Json]:
    for request, _reason in examples.ROUNDS.get(key, ()):
        now = _settled(request, rules)
        told = gettext("；").join(map(round_words.event, request["events"]))
        for value, other in others:
            then = _settled(request, other)
            if now is None or then is None or now == then:
                continue
            before, after = _apart(now, then)
            yield {"value": value, "told": told, "before": before, "after": after}


def _settled(request: Json, rules: Rules) -> tuple[tuple[Any, ...], int | None] | None:
    """The totals of a model round and who deals after it; None where it cannot be played so."""
    answer = settle({**request, "ruleset": rules.id, "options": rules.changes()})
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
