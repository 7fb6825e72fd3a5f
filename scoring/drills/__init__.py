"""Questions for practice (练习): hands and rounds made from a seed, each with one right answer.

:func:`question` makes question ``number`` of a seed: the same arguments give the same question,
anywhere.  What is asked is a request of the contract (``score`` or ``settle``), and the right
answer is what the engine says to it.  The wrong choices are mistakes that players make: a root
forgotten, the dragon's root paid twice, a lesser reading, the cap ignored; each says which.

A level's questions are spread evenly over its *strata* (what the hand or the round shows).  Within
each hundred numbers of a seed no question comes twice: numbers that share a stratum look for hands
in different *lanes*, a checksum of the hand itself.

A kind of question is a name in ``model.KINDS`` and a module here with its ``strata`` and the maker
of its drafts; both are listed below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from zlib import crc32

from ..rules import MAX_FAN, Rules
from . import change, discard, payment, pig, rounds, value, waits, win
from .change import payers
from .hands import shape_of
from .model import (
    DEALING,
    KINDS,
    LEVELS,
    RIGHT,
    TOPICAL,
    TOPICS,
    Choice,
    Maker,
    Question,
    Stratum,
    one,
)
from .strata import fits, topics, winning_strata
from .win import WINS

__all__ = [
    "BLOCK",
    "DEALING",
    "KINDS",
    "LEVELS",
    "RIGHT",
    "TOPICAL",
    "TOPICS",
    "WINS",
    "Choice",
    "Question",
    "Stratum",
    "mixed_kind",
    "payers",
    "question",
    "shape_of",
    "strata_of",
    "stratum_at",
    "topics",
    "winning_strata",
]

#: The kinds that ask for money: nothing to ask where no hand is worth any.
_MONEY: frozenset[str] = frozenset(("payment", "settle"))
#: The numbers of a seed among which no question comes twice.
BLOCK = 100
#: How much is tried for one question, in drafts made; the last part of it in any lane.
_EFFORT = 9000
_ANY_LANE = 1500
#: What it takes to put a draft to the engine, in drafts made; a round is settled a dozen times.
_ASKING = 25
_SETTLING = 150

_STRATA: dict[str, Callable[[Rules, int], Iterator[Stratum]]] = {
    "win": win.strata,
    "waits": waits.strata,
    "discard": discard.strata,
    "change": change.strata,
    "pig": pig.strata,
    "settle": rounds.strata,
}
_MAKERS: dict[str, Maker] = {
    "win": one(win.draft),
    "fan": one(value.fan_draft),
    "patterns": one(value.patterns_draft),
    "waits": one(waits.draft),
    "discard": discard.drafts,
    "change": one(change.draft),
    "payment": one(payment.draft),
    "pig": one(pig.draft),
    "settle": one(rounds.draft),
}


def question(
    rules: Rules, kind: str, level: int, seed: str, number: int, topic: str = ""
) -> Question:
    """Question ``number`` (from 0) of a seed.

    Raises :class:`ValueError` for a kind, level or topic that does not exist.

    >>> from ..rules import load
    >>> asked = question(load("chengdu"), "fan", 1, "abc", 0)
    >>> asked == question(load("chengdu"), "fan", 1, "abc", 0), asked.is_right(asked.answer)
    (True, True)
    """
    rules = dealt(rules)
    wanted = stratum_at(rules, kind, level, seed, number, topic)
    if kind in _MONEY and not rules.multiple(rules.capped(MAX_FAN)) * rules.base_cents:
        return question(rules, "win", level, seed, number)
    strata = strata_of(rules, kind, level, topic)
    lanes = -(-BLOCK // len(strata))
    lane = number % BLOCK // len(strata)
    rng = Random(f"{rules.id}/{seed}/{kind}/{level}/{topic}/{number}")
    asking = _SETTLING if kind == "settle" else _ASKING
    # A table's own rules can leave a stratum without a question; then another one is shown.
    others = [other for other in strata if other != wanted]
    for stratum in (wanted, *others):
        effort = _EFFORT if stratum is wanted else _EFFORT // (2 * len(others))
        while effort > 0:
            effort -= 1
            for draft in _MAKERS[kind](rules, level, stratum, rng):
                if effort > _ANY_LANE and crc32(draft.key.encode()) % lanes != lane:
                    continue
                effort -= asking
                made = draft.ask()
                if made is not None:
                    return replace(made, level=level, stratum=stratum.name)
    # Where nothing of a kind can be asked, whether a hand wins can; under its system it always can.
    if kind == "win" and rules.preset is not None:
        rules = rules.preset
    return question(rules, "win", level, seed, number)


def dealt(rules: Rules) -> Rules:
    """The rules that a question is asked under: what hands are worth, not whether they may win.

    >>> from ..rules import load
    >>> dealt(load("chengdu").override({"sets": 2, "min_fan": 3})).changes()
    {'sets': 2}
    """
    return rules if rules.min_fan is None else rules.override({"min_fan": None})


def stratum_at(
    rules: Rules, kind: str, level: int, seed: str, number: int, topic: str = ""
) -> Stratum:
    """What a question is going to show, without making it; raises as :func:`question` does.

    >>> from ..rules import load
    >>> stratum_at(load("chengdu"), "win", 1, "abc", 0).twist in ("wins", "third_suit", "broken")
    True
    """
    if kind not in KINDS or level not in LEVELS or (topic and topic not in TOPICS) or number < 0:
        raise ValueError(f"no such question: {kind!r} {level!r} {topic!r} {number!r}")
    strata = list(strata_of(rules, kind, level, topic))
    Random(f"{seed}/{kind}/{level}/{topic}/{number // BLOCK}").shuffle(strata)
    return strata[number % BLOCK % len(strata)]


def strata_of(rules: Rules, kind: str, level: int, topic: str = "") -> tuple[Stratum, ...]:
    """What the questions of a kind and level show under these rules."""
    if kind in TOPICAL:
        return winning_strata(rules, level, topic)
    return tuple(s for s in _STRATA[kind](rules, level) if fits(rules, s))


def mixed_kind(seed: str, number: int, kinds: Sequence[str] = KINDS) -> str:
    """The kind of a question of a drill of all kinds: each once, in an order of its own, and again.

    >>> sorted(mixed_kind("abc", n) for n in range(9)) == sorted(KINDS)
    True
    """
    order = list(kinds)
    Random(f"{seed}/{number // len(order)}").shuffle(order)
    return order[number % len(order)]
