"""The same hands for `mahjong` (PyPI), the library that bots of the Japanese game use."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.bench.deals import Deal

TYPES = {"pung": "pon", "exposed_kong": "kan", "added_kong": "shouminkan", "concealed_kong": "kan"}


def prepare(deals: list[Deal]) -> tuple[Callable[..., Any], list[tuple[Any, ...]]]:
    """Its scoring function and the arguments for each hand, its tiles numbered 0–135 singly.

    Every hand is a self-draw on the last tile of the wall, since a hand without any yaku would be
    refused there; then each is scored in full.
    """
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    config = HandConfig(is_tsumo=True, is_haitei=True)
    calls = []
    for deal in deals:
        copies: Counter[int] = Counter()

        def single(tile: int, copies: Counter[int] = copies) -> int:
            copies[tile] += 1
            return 4 * tile + copies[tile] - 1

        melds = []
        for kind, tile in deal.melds:
            tiles = [single(tile) for _ in range(3 if kind == "pung" else 4)]
            melds.append(Meld(meld_type=TYPES[kind], tiles=tiles, opened=kind != "concealed_kong"))
        concealed = [single(tile) for tile in deal.tiles]
        everything = concealed + [tile for meld in melds for tile in meld.tiles]
        calls.append((everything, concealed[-1], melds, None, config))
    return HandCalculator.estimate_hand_value, calls
