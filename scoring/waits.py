"""听牌: the tiles that a hand one short of full waits on."""

from __future__ import annotations

from .decompose import ALL_FACTS, PAIRS, SUIT_FACTS
from .hand import MeldSummary, Win
from .rules import Rules
from .score import Scorer, Verdict, scorer
from .tiles import (
    COPIES,
    SUIT_BITS,
    SUIT_FIELDS,
    SUIT_MASK,
    TILES,
    UNIT,
    Packed,
    Tile,
    count,
)
from .work import spend

_DISCARD = Win()


def candidates(packed: Packed, melds: MeldSummary, rules: Rules) -> tuple[Tile, ...]:
    """The tiles that may be a wait at all: not the joker, not one that is held four times."""
    held = packed if rules.dead_waits == "exposed_count" else packed + melds.held
    joker = rules.joker_tile
    return tuple(t for t in TILES if t != joker and (held >> 3 * t & 7) < COPIES)


def is_dead(packed: Packed, melds: MeldSummary, tile: Tile) -> bool:
    """死叫: whether the awaited copy would be the fifth."""
    return count(packed, tile) + count(melds.held, tile) >= COPIES


def waits(
    packed: Packed, melds: MeldSummary, rules: Rules, *, void: int | None = None
) -> list[Tile]:
    """The tiles that complete a hand one short of full (听牌), ascending.

    Whether any copy is left elsewhere does not matter; a joker is never listed.

    >>> from .hand import summarise
    >>> from .notation import parse
    >>> from .rules import load
    >>> waits(parse("1113456666788s").packed, summarise(()), load("chengdu"))
    [19, 22, 24, 25]
    >>> waits(parse("123678m2333678s").packed, summarise(()), load("yaoji"))
    [19, 21]
    """
    joker = rules.joker_tile
    if joker is not None and (melds.jokers or count(packed, joker)):
        return [t for t, _ in valued(packed, melds, scorer(rules, _DISCARD), void=void)]
    present = packed | melds.present
    occupied = [s for s in range(3) if present & SUIT_FIELDS[s]]
    if len(occupied) > 2 or void in occupied:
        return []
    facts = SUIT_FACTS
    codes = (packed & SUIT_MASK, packed >> SUIT_BITS & SUIT_MASK, packed >> 2 * SUIT_BITS)
    fact = (facts[codes[0]], facts[codes[1]], facts[codes[2]])
    keep = ~PAIRS if melds.number else ALL_FACTS
    found: list[Tile] = []
    held = packed if rules.dead_waits == "exposed_count" else packed + melds.held
    for suit in range(3):
        others = fact[suit - 1] & fact[suit - 2] & keep
        if not others:
            continue
        code, shift = codes[suit], 9 * suit
        # A tile without a neighbour, or one like it, completes nothing.
        near = code | code << 3 | code >> 3
        for rank in range(9):
            if (
                near >> 3 * rank & 7
                and (held >> 3 * (shift + rank) & 7) < COPIES
                and facts[code + UNIT[rank]] & others
            ):
                found.append(shift + rank)
    if joker in found:
        found.remove(joker)
    return found


def valued(
    packed: Packed, melds: MeldSummary, by: Scorer, *, void: int | None = None
) -> list[tuple[Tile, Verdict]]:
    """Every wait with its verdict under a scorer's rules and way of winning."""
    rules = by.rules
    joker = rules.joker_tile
    if joker is not None and count(packed, joker) + melds.jokers >= rules.jokers_that_win:
        return []
    if joker is not None and (melds.jokers or count(packed, joker)):
        tiles: tuple[Tile, ...] | list[Tile] = candidates(packed, melds, rules)
    else:
        tiles = waits(packed, melds, rules, void=void)
    spend(1 + len(tiles))
    verdicts = ((tile, _with_tile(packed, melds, by, tile, void)) for tile in tiles)
    return [(tile, verdict) for tile, verdict in verdicts if verdict is not None]


def value_with(
    packed: Packed, melds: MeldSummary, by: Scorer, tile: Tile, *, void: int | None = None
) -> Verdict | None:
    """What one wait is worth under a scorer's rules; None where it is none."""
    if tile not in candidates(packed, melds, by.rules):
        return None
    spend(1)
    return _with_tile(packed, melds, by, tile, void)


def _with_tile(
    packed: Packed, melds: MeldSummary, by: Scorer, tile: Tile, void: int | None
) -> Verdict | None:
    dead = tile if is_dead(packed, melds, tile) else None
    return by.verdict(packed + UNIT[tile], melds, win_tile=tile, void=void, dead=dead)
