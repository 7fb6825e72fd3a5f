"""What a question of a drill is: its kinds and levels, what it shows, its choices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from ..patterns import PING_HU
from ..rules import Rules

Json = dict[str, Any]

#: What can be asked, easiest first.
KINDS: tuple[str, ...] = (
    "win",
    "fan",
    "patterns",
    "waits",
    "discard",
    "change",
    "payment",
    "pig",
    "settle",
)
LEVELS: tuple[int, ...] = (1, 2, 3)
#: What the winning hands of a drill can be narrowed to.
TOPICS: tuple[str, ...] = ("pungs", "pairs", "pure", "outside", "roots", "luck")
#: The kinds of question that a topic narrows.
TOPICAL: frozenset[str] = frozenset(("fan", "patterns", "payment"))

#: What a round assumes of who deals next, which is not asked.
DEALING: frozenset[str] = frozenset(("dealer", "nobody_won"))

#: The `mistake` of the right choice.
RIGHT = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose from.

    ``key`` stands for it in an address; ``value`` is what it says; ``mistake`` is the code of what
    leads there, empty for the right answer, and ``term`` the term that the mistake is about.
    """

    key: str
    value: Any
    mistake: str = RIGHT
    term: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its right answer.

    ``request`` is a request to ``score``, or to ``settle`` for the kind ``settle``.  ``answer`` are
    the keys of the right choices: one, or all waits.  ``changed`` is the request after the change
    of the kind ``change``, ``change`` what is changed; ``seat`` is whose total is asked.
    ``assumed`` are the ids of values used that the source of the rules does not state.
    """

    kind: str
    level: int
    stratum: str
    request: Json
    choices: tuple[Choice, ...]
    answer: tuple[str, ...]
    assumed: tuple[str, ...] = ()
    change: str = ""
    changed: Json | None = None
    seat: int | None = None

    def is_right(self, given: Collection[str]) -> bool:
        """Whether these keys are the right answer, all of it and nothing else."""
        return set(given) == set(self.answer)

    def chosen(self, key: str) -> Choice | None:
        """The choice with a key, or None."""
        return next((choice for choice in self.choices if choice.key == key), None)

    @property
    def key(self) -> str:
        """What makes this question another one than the next: the hand, the way, what is asked."""
        return repr((self.kind, self.request, self.changed, self.seat))


@dataclass(frozen=True, slots=True)
class Stratum:
    """What a question is to show.

    ``shape`` is the pattern that the tiles make (whatever the rules call it), ``roots`` and
    ``kongs`` how many the hand has, ``luck`` a circumstance of the win, ``jokers`` how many are
    among its tiles; ``twist`` is what a kind of question of its own adds.
    """

    shape: str = PING_HU
    roots: int = 0
    kongs: int = 0
    luck: str = ""
    jokers: int = 0
    twist: str = ""

    @property
    def name(self) -> str:
        """A short name for reports: ``qing_yi_se+gen``."""
        parts = [self.twist] if self.twist else []
        if not self.twist or self.shape != PING_HU:
            parts.append(self.shape)
        parts += ["gen"] * self.roots + ["kong"] * self.kongs
        parts += [self.luck] * bool(self.luck) + ["joker"] * self.jokers
        return "+".join(parts)


@dataclass(frozen=True, slots=True)
class Draft:
    """A hand or round that may become a question: cheap to make, then asked about."""

    key: str
    ask: Callable[[], Question | None]


#: Rules, level, stratum and randomness to drafts; a try may come to nothing.
Maker = Callable[[Rules, int, Stratum, Random], Iterable[Draft]]


def one(maker: Callable[[Rules, int, Stratum, Random], Draft | None]) -> Maker:
    """A maker of one draft, or none where a random try fails, as a maker of several."""

    def several(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Iterable[Draft]:
        draft = maker(rules, level, stratum, rng)
        return () if draft is None else (draft,)

    return several


def hundredths(amount: int | float | Decimal) -> int:
    """An amount of an answer in hundredths again, as sums of floats would not be exact."""
    return int(100 * Fraction(str(amount)))
