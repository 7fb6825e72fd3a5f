"""Does a hand win?  The losing ones are broken, of three suits or hold the missing suit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from ..addresses.hand import canonical
from ..contract import score
from ..hand import Hand
from ..patterns import PING_HU
from ..rules import Rules
from ..tiles import SUITS, Tile
from .hands import Made, as_planned, asking, hand_of, suits_of, with_other_tile
from .model import RIGHT, Choice, Draft, Question, Stratum

#: The choices of a question whether a hand wins.
WINS, DOES_NOT = "yes", "no"


def strata(rules: Rules, level: int) -> Iterator[Stratum]:
    """Why the hand wins or does not, by level."""
    yield Stratum(PING_HU, twist="wins")
    yield Stratum("qi_dui", twist="wins")
    yield Stratum(PING_HU, twist="third_suit")
    yield Stratum(PING_HU, twist="broken")
    if level > 1:
        yield Stratum("qing_yi_se", twist="wins")
        yield Stratum("qi_dui", twist="broken")
        yield Stratum(PING_HU, twist="void")
        yield Stratum("long_qi_dui", roots=1, twist="wins")
    if level > 2:
        yield Stratum("qing_yi_se", roots=1, twist="wins")
        yield Stratum("qing_yi_se", twist="broken")
        yield Stratum("dui_dui_hu", twist="third_suit")
        if rules.joker:
            yield Stratum(PING_HU, jokers=1, twist="wins")
            yield Stratum(PING_HU, jokers=1, twist="broken")


def _third_suit(made: Made, rng: Random, joker: Tile | None) -> Made | None:
    """The same hand with one set of a suit carried over to the suit that is missing."""
    missing = sorted(set(range(3)) - suits_of(made, joker))
    if len(missing) != 1:
        return None
    tiles = sorted(made.tiles)
    for start in rng.sample(tiles, len(tiles)):
        wanted = [start, start + 1, start + 2] if start % 9 < 7 else [start] * 3
        if start % 9 >= 7 or any(t not in tiles for t in wanted):
            wanted = [start] * 3
        if tiles.count(wanted[0]) < wanted.count(wanted[0]) or any(t not in tiles for t in wanted):
            continue
        for tile in wanted:
            tiles.remove(tile)
        tiles += [9 * missing[0] + t % 9 for t in wanted]
        if joker is not None and joker in tiles:
            return None
        return replace(made, tiles=tuple(tiles))
    return None


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A full hand, winning or spoilt; None where a random try fails."""
    joker, twist = rules.joker_tile, stratum.twist
    whole = hand_of(rules, level, stratum, rng, 3)
    if whole is None:
        return None
    made: Made | None = whole
    if twist == "broken":
        made = with_other_tile(whole, rng, joker, suits_of(whole, joker))
    elif twist == "third_suit":
        made = _third_suit(whole, rng, joker)
    if made is None:
        return None
    void = SUITS[rng.choice(sorted({t // 9 for t in made.tiles}))] if twist == "void" else ""
    # No tile is marked as the winning one, as that would tell.
    full = canonical(Hand(tuple(sorted((*made.tiles, made.win))), made.melds))
    request = asking(rules, full, void=void)

    def ask() -> Question | None:
        if not as_planned(whole, stratum, rules):
            return None
        answer = score(request)
        won = answer["status"] == "win"
        if won != (twist == "wins") or answer["status"] == "error":
            return None
        right, mistake = (WINS, "looks_broken") if won else (DOES_NOT, twist)
        choices = tuple(
            Choice(key, key, RIGHT if key == right else mistake) for key in (WINS, DOES_NOT)
        )
        return Question("win", level, "", request, choices, (right,))

    return Draft(f"{full.tiles}{full.melds}{void}", ask)
