"""The same hands for `PyMahjongGB`, a C++ library under Python for the Chinese official rules.

It is built from source, so it is no part of what the tests need: `make bench` tries to install it.
"""

from collections.abc import Callable
from typing import Any

from tests.bench.deals import Deal

SUITS = "WBT"
DECLARED = {
    "pung": ("PENG", 1),
    "exposed_kong": ("GANG", 1),
    "added_kong": ("GANG", 1),
    "concealed_kong": ("GANG", 0),
}


def name(tile: int) -> str:
    """Its code of a tile: W 万, B 筒, T 条, then the rank."""
    return f"{SUITS[tile // 9]}{tile % 9 + 1}"


def prepare(deals: list[Deal]) -> tuple[Callable[..., Any], list[tuple[Any, ...]]] | None:
    """Its scoring function and the arguments for each hand; None where it is not installed."""
    try:
        from MahjongGB import MahjongFanCalculator
    except ImportError:
        return None
    calls = []
    for deal in deals:
        packs = []
        for kind, tile in deal.melds:
            word, offer = DECLARED[kind]
            packs.append((word, name(tile), offer))
        hand = tuple(name(tile) for tile in deal.tiles[:-1])
        calls.append(
            (tuple(packs), hand, name(deal.tiles[-1]), 0, False, False, False, False, 0, 0)
        )
    return MahjongFanCalculator, calls
