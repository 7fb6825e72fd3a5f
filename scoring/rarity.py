"""How rare a hand is (稀有程度): exact counts over all winning hands without melds.

The counts are in ``data/rarity.json``, computed by :func:`compute` from every hand of
``enumerate.concealed`` (which needs NumPy) and only read here otherwise.  A *shape* is a set of
tiles; a shape can be held in several *ways*, copies told apart.  Hands count as won by discard.
Under a system with jokers the hands without any are counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .enumerate import concealed
from .hand import BLESSINGS
from .patterns import GEN, PATTERNS, PING_HU, SI_JI, TERMS, Target, Term
from .rules import Rules, ids, load
from .tiles import (
    ONES,
    SIZES,
    SUIT_BITS,
    SUITS,
    UNIT,
    USUAL,
    Packed,
    Size,
    suits_of,
    total,
)

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


def of_term(term: str, sets: int = USUAL.sets) -> Share | None:
    """How many hands have a pattern or term of the tiles in some reading, whatever the system.

    ``sets`` says how large the hands are.  None for a term that no hand without melds has, or that
    the tiles do not decide.

    >>> of_term("shuang_long_qi_dui", sets=3) is None
    True
    """
    data = _data()["sizes"][str(sets)]
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

    sizes: dict[str, Any] = {}
    for sets, size in SIZES.items():
        codes = from_packed(list(concealed(size=size)))
        weights = ways(codes)
        terms: dict[str, list[int]] = {}
        for term, rules in _alone():
            values = score_many(codes, rules=replace(rules, sets=sets))
            terms[term] = pair(values.uncapped_fan > 0, weights)
        for row in (t for t in TERMS.values() if t.asks and t.target is not None):
            hands = from_packed(sorted(_made(row, size)))
            terms[row.id] = [len(hands), int(ways(hands).sum()) if len(hands) else 0]
        counted_terms = {term: found for term, found in terms.items() if found[0]}
        sizes[str(sets)] = {"all": [len(codes), int(weights.sum())], "terms": counted_terms}

    codes = from_packed(list(concealed()))
    weights = ways(codes)
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
    return {"all": [len(codes), int(weights.sum())], "sizes": sizes, "systems": systems}


def _alone() -> Iterator[tuple[str, Rules]]:
    """Rules that see one term and nothing else, for each term of the tiles."""
    plain = load("chengdu").override({"fans": {t: None for t in TERMS if t != PING_HU}})
    yield PING_HU, plain.override({"fans": {PING_HU: 1}})
    for term in PATTERNS:
        if term.id not in (PING_HU, SI_JI, *BLESSINGS) and not term.asks:
            yield term.id, plain.override({"fans": {term.id: 1}})
    for name in (GEN, "zhong_zhang"):
        yield name, plain.override({"fans": {name: 1}})


def _made(term: Term, size: Size) -> set[Packed]:
    """The hands that have a term of the sets: those with its runs, or those that it lists."""
    target = term.target or Target()
    found: set[Packed] = set()
    for suit in range(len(SUITS)):
        shift = SUIT_BITS * suit
        found |= {whole << shift for whole in target.whole if total(whole) == size.full}
        for runs in target.runs:
            if len(runs) <= size.sets:
                chows = sum(UNIT[low] + UNIT[low + 1] + UNIT[low + 2] for low in runs) << shift
                found |= {part + chows for part in concealed(len(runs), size=size)}
    return {hand for hand in found if not _crowded(hand) and suits_of(hand) <= 2}


def _crowded(hand: Packed) -> Packed:
    return hand >> 2 & (hand | hand >> 1) & ONES
