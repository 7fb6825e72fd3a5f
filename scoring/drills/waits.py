"""What a hand waits on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from ..contract import score
from ..patterns import PING_HU
from ..rules import Rules
from ..tiles import COPIES, TILE_NAMES, TILES, Tile
from .hands import Made, as_planned, asking, hand_of, standard, with_options
from .model import RIGHT, Choice, Draft, Question, Stratum
from .strata import PAIRED
from .value import right_keys

_WAIT_COUNTS: dict[str, Callable[[int], bool]] = {
    "one_wait": lambda n: n == 1,
    "two_waits": lambda n: n == 2,
    "three_waits": lambda n: n == 3,
    "four_waits": lambda n: n == 4,
    "five_waits": lambda n: n >= 5,
    "many_waits": lambda n: n >= 2,
    "held_quad": lambda n: n >= 1,
}


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """How many tiles are awaited, by level."""
    if level == 1:
        yield Stratum(twist="one_wait")
        yield Stratum(twist="two_waits")
        yield Stratum("qi_dui", twist="one_wait")
    elif level == 2:
        yield Stratum(twist="one_wait")
        yield Stratum(twist="two_waits")
        yield Stratum(twist="three_waits")
        yield Stratum("dui_dui_hu", twist="two_waits")
        yield Stratum("qing_yi_se", twist="three_waits")
        yield Stratum(twist="held_quad")
        yield Stratum("jin_gou_diao", twist="one_wait")
    else:
        yield Stratum("qing_yi_se", twist="three_waits")
        yield Stratum("qing_yi_se", twist="four_waits")
        yield Stratum("qing_yi_se", twist="five_waits")
        yield Stratum("qing_yi_se", roots=1, twist="many_waits")
        yield Stratum("qing_qi_dui", twist="many_waits")
        yield Stratum(twist="held_quad")
        if rules.joker:
            yield Stratum(jokers=1, twist="many_waits")


def _only_here(tiles: Sequence[Tile], stratum: Stratum, full: int) -> bool:
    """Whether a waiting hand belongs to no other stratum: with pairs or four alike as it says."""
    counts = [tiles.count(t) for t in set(tiles)]
    paired = sum(n // 2 for n in counts) == full // 2 - 1
    return paired == (stratum.shape in PAIRED) and (paired or (4 in counts) == bool(stratum.roots))


def _beside_quad(rng: Random, joker: Tile | None, sets: int) -> Made | None:
    """A hand that waits on both sides of a run, one of them held four times in a kong."""
    made = standard(Stratum(PING_HU, kongs=1), rng, 3, sets)
    if made is None or (joker is not None and joker in (*made.tiles, made.win)):
        return None
    kong = next(m.tile for m in made.melds if m.is_kong)
    ends = [(kong + 3, (kong + 1, kong + 2))] if kong % 9 < 6 else []
    ends += [(kong - 3, (kong - 1, kong - 2))] if kong % 9 > 2 else []
    tiles = [*made.tiles, made.win]
    for win, run in ends:
        if all(t in tiles for t in (win, *run)) and kong != joker:
            tiles.remove(win)
            return replace(made, tiles=tuple(tiles), win=win)
    return None


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A waiting hand; None where a random try fails."""
    joker = rules.joker_tile
    quad = stratum.twist == "held_quad"
    made = _beside_quad(rng, joker, rules.sets) if quad else hand_of(rules, level, stratum, rng, 4)
    if made is None:
        return None

    def ask() -> Question | None:
        if not quad and not as_planned(made, stratum, rules):
            return None
        hand = made.waiting
        if not quad and not _only_here(hand.tiles, stratum, rules.size.full):
            return None
        request = asking(rules, hand)
        answer = score(request)
        if answer["status"] != "ready":
            return None
        right = {wait["tile"] for wait in answer["waits"]}
        if not _WAIT_COUNTS[stratum.twist](len(right)):
            return None
        held = [*hand.tiles, *(m.tile for m in hand.melds for _ in range(m.size))]
        quads = {TILE_NAMES[t] for t in set(held) if held.count(t) == COPIES}
        if quad:
            # The trap is real only where the fifth copy would complete the hand.
            open_to_all = with_options(rules, {"dead_waits": "exposed_count"})
            awaited = score({**request, "options": open_to_all})["waits"]
            if not quads & {wait["tile"] for wait in awaited}:
                return None
        suits = {t // 9 for t in held if t != joker}
        shown = [TILE_NAMES[t] for t in TILES if t // 9 in suits and t != joker]
        if not right < set(shown):  # with jokers everything may win: nothing to get wrong
            return None
        choices = tuple(
            Choice(name, name, RIGHT if name in right else "held_quad" if name in quads else "none")
            for name in shown
        )
        return Question("waits", level, "", request, choices, right_keys(choices))

    return Draft(made.waiting_key, ask)
