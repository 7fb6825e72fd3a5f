"""How rare a hand is (稀有程度): exact counts over all winning hands without melds.

The counts are in ``data/rarity.json``, computed by :func:`compute` from every hand of
``enumerate.concealed`` (which needs NumPy) and only read here otherwise.  A *shape* is a set of
tiles; a shape can be held in several *ways*, copies told apart.  Hands count as won by discard.
Under a system with jokers the hands without any are counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .enumerate import concealed
from .hand import BLESSINGS
from .patterns import GEN, PATTERNS, PING_HU, SI_JI, TERMS
from .rules import Rules, ids, load
from .tiles import SUIT_BITS, UNIT

FILE = Path(__file__).with_name("data") / "rarity.json"


@dataclass(frozen=True, slots=True)
class Share:
    """Some of all hands: how many shapes, in how many ways, and of how many.

    >>> share = of_term("qing_long_qi_dui")
    >>> share.shapes, share.of_shapes
    (6804, 2561091)
    """

    shapes: int
    ways: int
    of_shapes: int
    of_ways: int

    @property
    def one_in(self) -> float:
        """One shape in so many is one of these."""
        return self.of_shapes / self.shapes

    @property
    def one_way_in(self) -> float:
        """The same weighted by the ways in which the tiles can be held."""
        return self.of_ways / self.ways


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return data


def of_term(term: str) -> Share | None:
    """How many hands have a pattern or term of the tiles in some reading, whatever the system.

    None for a term that no hand without melds has, or that the tiles do not decide.
    """
    data = _data()
    pair = data["terms"].get(term)
    return None if pair is None else Share(*pair, *data["all"])


def of_pattern(ruleset: str, pattern: str) -> Share | None:
    """How many hands count a base pattern under a system; None also where nothing was counted.

    >>> of_pattern("chengdu", "qing_long_qi_dui") == of_term("qing_long_qi_dui")
    True
    """
    data = _data()["systems"].get(ruleset, {})
    pair = data.get("patterns", {}).get(pattern)
    return None if pair is None else Share(*pair, *data["all"])


def by_fan(ruleset: str, *, capped: bool = True) -> dict[int, Share]:
    """How many hands are worth each number of fan under a system, ascending.

    Nothing for a system that has not been counted.

    >>> sum(share.shapes for share in by_fan("laok").values())
    2561091
    """
    data = _data()["systems"].get(ruleset, {})
    rows = data.get("fan" if capped else "uncapped_fan", {})
    return {int(fan): Share(*pair, *data["all"]) for fan, pair in rows.items()}


def compute() -> dict[str, Any]:
    """Count everything anew: what the file holds.  Some ten seconds; needs NumPy."""
    import numpy as np

    from .many import from_packed, score_many, ways

    def pair(chosen: Any, weight: Any) -> list[int]:
        return [int(chosen.sum()), int(weight[chosen].sum())]

    def pairs(numbers: Any, weight: Any) -> dict[str, list[int]]:
        return {str(one): pair(numbers == one, weight) for one in np.unique(numbers).tolist()}

    codes = from_packed(list(concealed()))
    weights = ways(codes)
    terms: dict[str, list[int]] = {}
    for term, rules in _alone():
        found = pair(score_many(codes, rules=rules).uncapped_fan > 0, weights)
        if found[0]:
            terms[term] = found
    straights = from_packed(sorted(_straights()))
    terms["yi_tiao_long"] = [len(straights), int(ways(straights).sum())]

    systems: dict[str, Any] = {}
    for ruleset in ids():
        rules = load(ruleset)
        mine = np.ones(len(codes), dtype=np.bool_)
        if rules.joker_tile is not None:
            suit, rank = divmod(rules.joker_tile, 9)
            mine = codes[:, suit] & 7 << 3 * rank == 0
        values, weight = score_many(codes[mine], rules=rules), weights[mine]
        counted = {term.id: np.zeros(len(weight), np.bool_) for term in PATTERNS}
        for at, verdict in enumerate(values.verdicts):
            for name in verdict.patterns:
                counted[name] |= values.verdict == at
        systems[ruleset] = {
            "all": pair(values.verdict >= 0, weight),
            "patterns": {name: pair(rows, weight) for name, rows in counted.items() if rows.any()},
            "fan": pairs(values.fan, weight),
            "uncapped_fan": pairs(values.uncapped_fan, weight),
        }
    return {"all": [len(codes), int(weights.sum())], "terms": terms, "systems": systems}


def _alone() -> Iterator[tuple[str, Rules]]:
    """Rules that see one term and nothing else, for each term of the tiles."""
    plain = load("chengdu").override({"fans": {t: None for t in TERMS if t != PING_HU}})
    yield PING_HU, plain.override({"fans": {PING_HU: 1}})
    for term in PATTERNS:
        if term.id not in (PING_HU, SI_JI, *BLESSINGS):
            yield term.id, plain.override({"fans": {term.id: 1}})
    for name in (GEN, "zhong_zhang"):
        yield name, plain.override({"fans": {name: 1}})


def _straights() -> set[int]:
    """The hands with 123, 456 and 789 of one suit among their sets."""
    straight = sum(UNIT[:9])
    found = set()
    for part in concealed(3):
        for suit in range(3):
            hand = part + (straight << SUIT_BITS * suit)
            crowded = hand >> 2 & (hand | hand >> 1) & sum(UNIT)
            occupied = sum(bool(hand >> SUIT_BITS * s & (1 << SUIT_BITS) - 1) for s in range(3))
            if not crowded and occupied <= 2:
                found.add(hand)
    return found
