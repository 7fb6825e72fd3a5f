"""Random winning hands, the same ones every time, made without any help from the engine.

A tile is an int 0–26 (9 × suit + rank − 1). Hands are built up from sets, so that they win, and
thrown away when a tile would exist five times.
"""

from collections import Counter
from dataclasses import dataclass
from random import Random

SEED = 108
MELD_KINDS = ("pung", "exposed_kong", "added_kong", "concealed_kong")
ONE_BAMBOO = 18


@dataclass(frozen=True)
class Deal:
    """A hand that wins: concealed tiles, the winning one last, and melds as (kind, tile)."""

    tiles: tuple[int, ...]
    melds: tuple[tuple[str, int], ...] = ()

    @property
    def counts(self) -> Counter[int]:
        """How many of each tile there are, melds included."""
        counts = Counter(self.tiles)
        for kind, tile in self.melds:
            counts[tile] += 3 if kind == "pung" else 4
        return counts


def _draw(random: Random, melds: bool) -> Deal:
    suits = random.sample(range(3), 1 if random.random() < 0.25 else 2)

    def tile(ranks: int = 9) -> int:
        return 9 * random.choice(suits) + random.randrange(ranks)

    tiles: list[int] = []
    declared: list[tuple[str, int]] = []
    if not melds and random.random() < 0.1:
        # Seven different pairs: four alike as two pairs win nowhere but here.
        kinds = [9 * suit + rank for suit in suits for rank in range(9)]
        tiles += random.sample(kinds, 7) * 2
    else:
        tiles += [tile()] * 2
        for _ in range(4):
            if melds and (random.random() < 0.5 or not declared):
                declared.append((random.choice(MELD_KINDS), tile()))
            elif random.random() < 0.65:
                first = tile(7)
                tiles += [first, first + 1, first + 2]
            else:
                tiles += [tile()] * 3
    random.shuffle(tiles)
    return Deal(tuple(tiles), tuple(declared))


def winning_hands(number: int, *, melds: bool, without: int | None = None) -> list[Deal]:
    """``number`` hands that win, in at most two suits; ``without`` keeps one tile out of them."""
    random = Random(f"{SEED} {melds} {without}")
    found: list[Deal] = []
    while len(found) < number:
        deal = _draw(random, melds)
        if max(deal.counts.values()) <= 4 and not (without is not None and deal.counts[without]):
            found.append(deal)
    return found


def with_jokers(deals: list[Deal], number: int) -> list[Deal]:
    """The same hands with the first ``number`` concealed tiles replaced by 1条."""
    return [Deal((ONE_BAMBOO,) * number + d.tiles[number:], d.melds) for d in deals]
