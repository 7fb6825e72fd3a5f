"""Which discard is best, where one is better than all others in value and in tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random

from ..addresses.hand import canonical
from ..contract import score
from ..hand import Hand
from ..rules import Rules
from ..tiles import TILE_NAMES
from .hands import as_planned, asking, hand_of, suits_of, with_other_tile
from .model import RIGHT, Choice, Draft, Json, Question, Stratum

#: How many exchanges of one tile are tried with one hand.
_EXCHANGES = 48


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """How plain the best discard is, by level."""
    if level == 1:
        yield Stratum(twist="stray")
        yield Stratum(twist="loose")
        yield Stratum("qi_dui", twist="loose")
    elif level == 2:
        yield Stratum(twist="loose")
        yield Stratum("dui_dui_hu", twist="loose")
        yield Stratum("qi_dui", twist="loose")
        yield Stratum("qing_yi_se", twist="loose")
        yield Stratum("qing_yi_se", twist="stray")
    else:
        yield Stratum("qing_yi_se", twist="choice")
        yield Stratum("qing_yi_se", roots=1, twist="choice")
        yield Stratum("qing_qi_dui", twist="choice")
        yield Stratum("qing_dui", twist="choice")
        yield Stratum(twist="choice")
        if rules.joker:
            yield Stratum(jokers=1, twist="choice")


def _best_by_far(discards: Sequence[Json]) -> bool:
    """Whether no other discard is better than the first in value or in tiles, nor as good in both.

    So the answer does not depend on whether somebody plays for value or for a quick win.
    """

    def worth(discard: Json) -> tuple[int, int]:
        waits = discard["waits"]
        return waits[0]["multiple"], sum(wait["left"] for wait in waits)

    value, left = worth(discards[0])
    for other in discards[1:]:
        its_value, its_left = worth(other)
        if its_value > value or its_left > left or (its_value, its_left) == (value, left):
            return False
    return left > 0


def drafts(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Iterator[Draft]:
    """Winning hands with one tile exchanged: full hands that may be ready after a discard."""
    joker = rules.joker_tile
    whole = hand_of(rules, level, stratum, rng, 2)
    if whole is None:
        return
    suits = suits_of(whole, joker)
    if stratum.twist == "stray":
        suits = set(range(3)) - suits
    if not suits or not as_planned(whole, stratum, rules):
        return
    for _ in range(_EXCHANGES):
        made = with_other_tile(whole, rng, joker, suits)
        full = canonical(Hand(made.hand.concealed, made.melds))
        yield Draft(f"{full.tiles}{full.melds}", partial(_ask_discard, rules, level, stratum, full))


def _ask_discard(rules: Rules, level: int, stratum: Stratum, full: Hand) -> Question | None:
    request = asking(rules, full)
    answer = score(request)
    found = answer.get("discards", ())
    if len(found) <= (stratum.twist == "choice") or not _best_by_far(found):
        return None
    best = found[0]["tile"]
    ready = {discard["tile"] for discard in found}
    choices = tuple(
        Choice(
            name, name, RIGHT if name == best else "lesser_wait" if name in ready else "not_ready"
        )
        for name in (TILE_NAMES[t] for t in sorted(set(full.concealed)))
        if name != rules.joker_name
    )
    assumed = tuple(answer["assumed"])
    return Question("discard", level, "", request, choices, (best,), assumed)
