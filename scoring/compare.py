"""The same hand under other rules (比较), and the line that makes the difference."""

from __future__ import annotations

from dataclasses import dataclass

from .hand import KONGS
from .patterns import PATTERN_ORDER, SI_JI
from .rules import Rules
from .score import Verdict


@dataclass(frozen=True, slots=True)
class Valued:
    """A verdict with the rules that gave it."""

    rules: Rules
    verdict: Verdict


def deciding(one: Valued, other: Valued) -> tuple[str, ...]:
    """The ids of what makes two values of one hand differ, the weightiest first.

    Term ids, and ``scale``, ``cap`` or ``self_draw_bonus`` where those differ in effect.  Patterns
    are weighed above the plain hand of their own system, so that systems that count from 0 and from
    1 compare alike.

    >>> from .hand import Win
    >>> from .notation import parse
    >>> from .rules import load
    >>> from .score import value
    >>> hand = parse("11113355558888m").concealed
    >>> two = [Valued(load(i), value(hand, rules=load(i))) for i in ("chengdu", "majsoul")]
    >>> deciding(*two)
    ('cap',)
    """
    if one.verdict.multiple == other.verdict.multiple:
        return ()
    found: list[tuple[int, str]] = []
    mine, theirs = _weights(one), _weights(other)
    for term in dict.fromkeys((*mine, *theirs)):
        apart = abs(mine.get(term, 0) - theirs.get(term, 0))
        if apart:
            found.append((apart, term))
    for name, differs in (
        ("scale", one.rules.scale != other.rules.scale),
        ("cap", _cut(one) != _cut(other)),
        ("self_draw_bonus", _unit(one) != _unit(other)),
    ):
        if differs:
            found.append((abs(_cut(one) - _cut(other)) if name == "cap" else 99, name))
    found.sort(key=lambda item: -item[0])
    return tuple(term for _, term in found)


def money(rules: Rules, term: str) -> tuple[str, int] | tuple[tuple[str, int], ...] | None:
    """What a term does to the money of a hand, so that two systems can be compared; None: nothing.

    A pattern alone makes a multiple; a bonus multiplies it or, where 番 is the multiple, adds to
    it.  Of 杠上花 one for each kind of kong.

    >>> from .rules import load
    >>> money(load("chengdu"), "qing_yi_se") == money(load("laok"), "qing_yi_se")
    True
    >>> money(load("chengdu"), "concealed_kong") == money(load("laok"), "concealed_kong")
    False
    """
    if term == SI_JI:
        return None if rules.joker is None else ("makes", rules.multiple(rules.si_ji_fan))
    if term not in rules.fans:
        return None
    if term in PATTERN_ORDER:
        return "makes", rules.multiple(rules.fan_of(term) or 0)
    each = tuple(_added(rules, rules.fan_of(term, kong) or 0) for kong in KONGS)
    return each if len(set(each)) > 1 else each[0]


def _added(rules: Rules, fan: int) -> tuple[str, int]:
    return ("adds", fan) if rules.scale == "linear" else ("times", 2**fan)


def _weights(valued: Valued) -> dict[str, int]:
    """What each term adds beyond the plain hand."""
    rules, verdict = valued.rules, valued.verdict
    plain = rules.fan_of("ping_hu") or 0
    weights = {line.id: line.fan for line in verdict.terms}
    if rules.combine == "max":
        for term in verdict.patterns:
            weights[term] -= plain
    return {term: weight for term, weight in weights.items() if weight or term not in PATTERN_ORDER}


def _cut(valued: Valued) -> int:
    """How much the cap takes away."""
    return valued.verdict.uncapped_fan - valued.verdict.fan


def _unit(valued: Valued) -> int | str:
    """What a self-draw adds to the multiple, or that it doubles it."""
    added = valued.verdict.multiple - valued.rules.multiple(valued.verdict.fan)
    return "double" if added and valued.rules.self_draw_bonus == "double" else added
