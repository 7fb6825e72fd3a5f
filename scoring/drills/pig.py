"""How a hand stands when the wall is empty: a flower pig, not ready, or ready."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ..contract import score
from ..hand import PUNG
from ..patterns import PING_HU
from ..rules import Rules
from ..tiles import SUITS
from .hands import Made, as_planned, asking, hand_of, suits_of, with_other_tile
from .model import RIGHT, Choice, Draft, Question, Stratum

#: How a hand can stand when the wall is empty.
READY, NOT_READY, FLOWER_PIG = "ready", "not_ready", "flower_pig"
STANDINGS: tuple[str, ...] = (FLOWER_PIG, NOT_READY, READY)


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """How the hand is to stand, by level."""
    yield Stratum(PING_HU, twist=READY)
    yield Stratum(PING_HU, twist=NOT_READY)
    yield Stratum(PING_HU, twist="three_suits")
    if level > 1:
        yield Stratum("qi_dui", twist=READY)
        yield Stratum("qi_dui", twist=NOT_READY)
        yield Stratum(PING_HU, twist="void_left")
        yield Stratum("dui_dui_hu", twist="three_suits")
    if level > 2:
        yield Stratum("qing_yi_se", twist=READY)
        yield Stratum("qing_yi_se", twist=NOT_READY)
        yield Stratum("jin_gou_diao", twist="own_quad")
        if rules.joker:
            yield Stratum(PING_HU, jokers=1, twist=READY)
            yield Stratum(PING_HU, jokers=1, twist=NOT_READY)


def _own_quad(made: Made, rng: Random, sets: int) -> Made | None:
    """One tile left beside all melds, the same as the tile of one of its own pungs."""
    tiles = [m.tile for m in made.melds if m.kind == PUNG]
    if len(made.melds) != sets or not tiles:
        return None
    return replace(made, tiles=(rng.choice(tiles),))


def _twisted(
    rules: Rules, level: int, twist: str, made: Made, rng: Random
) -> tuple[Made, int | None] | None:
    """The hand as the stratum asks, and its missing suit where it has declared one."""
    joker = rules.joker_tile
    suits = suits_of(made, joker)
    absent = sorted(set(range(3)) - suits)
    void = absent[0] if len(absent) == 1 and (level > 1 or twist != "three_suits") else None
    if rules.suits < len(SUITS):
        void = None  # nobody declares one
    if twist == NOT_READY:
        made = with_other_tile(made, rng, joker, suits)
        if level > 1 and rng.random() < 0.5:
            made = with_other_tile(made, rng, joker, suits)
    elif twist == "three_suits":
        made = with_other_tile(made, rng, joker, absent)
        void = None if rng.random() < 0.5 else void
    elif twist == "void_left":
        counts = {s: sum(t // 9 == s for t in made.tiles if t != joker) for s in suits}
        void = min(counts, key=lambda s: counts[s])
        if any(m.tile // 9 == void for m in made.melds):
            return None
    elif twist == "own_quad":
        quad = _own_quad(made, rng, rules.sets)
        return None if quad is None else (quad, void)
    return made, void


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A hand at the end of the wall; None where a random try fails."""
    twist = stratum.twist
    whole = hand_of(rules, level, stratum, rng, 4)
    twisted = None if whole is None else _twisted(rules, level, twist, whole, rng)
    if whole is None or twisted is None:
        return None
    made, void = twisted
    expected = {READY: READY, NOT_READY: NOT_READY, "own_quad": ""}.get(twist, FLOWER_PIG)

    def ask() -> Question | None:
        if not as_planned(whole, stratum, rules):
            return None
        request = asking(rules, made.waiting, void="" if void is None else SUITS[void])
        answer = score(request)
        right = FLOWER_PIG if answer.get("flower_pig") else answer["status"]
        if right not in STANDINGS or (expected and right != expected):
            return None
        mistakes = {
            (READY, NOT_READY): "missed_wait",
            (READY, FLOWER_PIG): "no_pig",
            (NOT_READY, READY): "own_quad" if twist == "own_quad" else "no_wait",
            (NOT_READY, FLOWER_PIG): "no_pig",
            (FLOWER_PIG, READY): "pig_first",
            (FLOWER_PIG, NOT_READY): "pig_first",
        }
        choices = tuple(
            Choice(key, key, RIGHT if key == right else mistakes[right, key])
            for key in STANDINGS
            if rules.suits == len(SUITS) or key != FLOWER_PIG
        )
        return Question("pig", level, "", request, choices, (right,))

    return Draft(made.waiting_key, ask)
