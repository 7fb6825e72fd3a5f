"""Random winning hands that show what a stratum asks for, and requests about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from ..addresses.hand import canonical
from ..hand import BLESSINGS, KONGS, PUNG, ROB_KONG, SELF_DRAW, Hand, Meld, Win, summarise
from ..notation import format_hand
from ..patterns import GANG_SHANG_HUA, PATTERNS, SEVEN_PAIRS, SI_JI, TERMS
from ..rules import Rules, ids, load
from ..score import scorer
from ..tiles import COPIES, SIZES, TILES, USUAL, Size, Tile
from .model import Json, Stratum
from .strata import ALL_KONGS, DRAGONS, LAID, OF_258, OUTSIDE, PAIRED, PUNGED, PURE


@dataclass(frozen=True)
class Made:
    """A winning hand: concealed tiles without the winning one, melds, the winning tile."""

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    win: Tile

    @cached_property
    def hand(self) -> Hand:
        """The full hand, as the site writes it."""
        return canonical(Hand(tuple(sorted(self.tiles)), self.melds, self.win, named=True))

    @property
    def key(self) -> str:
        """The same for the same hand, cheap."""
        return f"{sorted(self.tiles)}{sorted([m.tile, m.kind] for m in self.melds)}{self.win}"

    @property
    def waiting_key(self) -> str:
        """As `key`, without the winning tile."""
        return replace(self, win=0).key

    @property
    def waiting(self) -> Hand:
        """The hand before the winning tile, as the site writes it."""
        return canonical(Hand(tuple(sorted(self.tiles)), self.melds))


_Set = tuple[str, Tile]


def _pick_suits(shape: str, rng: Random) -> list[int]:
    return rng.sample(range(3), 1 if shape in PURE else 2)


def _pungs_of(shape: str, suits: Sequence[int]) -> list[Tile]:
    ranks: Iterable[int] = range(9)
    if shape in OUTSIDE:
        ranks = (0, 8)
    elif shape in OF_258:
        ranks = (1, 4, 7)
    return [9 * s + r for s in suits for r in ranks]


def _chows_of(shape: str, suits: Sequence[int]) -> list[Tile]:
    return [9 * s + r for s in suits for r in ((0, 6) if shape in OUTSIDE else range(7))]


def _members(part: _Set) -> tuple[Tile, ...]:
    kind, tile = part
    return (tile, tile + 1, tile + 2) if kind == "chow" else (tile,) * (4 if kind == "kong" else 3)


def _pick_sets(stratum: Stratum, rng: Random, number: int) -> tuple[list[_Set], Tile] | None:
    """So many sets and the tile of a pair; None where the random picks do not fit together."""
    shape = stratum.shape
    suits = _pick_suits(shape, rng)
    pungs, chows = _pungs_of(shape, suits), _chows_of(shape, suits)
    sets: list[_Set] = []
    pungs = rng.sample(pungs, min(number, len(pungs)))
    for tile in pungs[: stratum.kongs]:
        sets.append(("kong", tile))
    if shape in PUNGED:
        sets += [("pung", tile) for tile in pungs[stratum.kongs : number]]
    else:
        for tile in pungs[stratum.kongs : stratum.kongs + stratum.roots]:
            through = [c for c in chows if c <= tile <= c + 2]
            if not through:
                return None
            sets += [("pung", tile), ("chow", rng.choice(through))]
        while len(sets) < number:
            if len(sets) < number - 1 and rng.random() < 0.35:
                sets.append(("pung", rng.choice(_pungs_of(shape, suits))))
            else:
                sets.append(("chow", rng.choice(chows)))
    if len(sets) != number:
        return None
    pair = rng.choice(_pungs_of(shape, suits))
    every = [t for part in sets for t in _members(part)] + [pair, pair]
    if any(every.count(t) > COPIES for t in every):
        return None
    return sets, pair


def build(rules: Rules, stratum: Stratum, rng: Random, most_melds: int) -> Made | None:
    """A random winning hand with the tiles that a stratum asks for; None where a try fails."""
    joker, size = rules.joker_tile, rules.size
    if stratum.shape in PAIRED:
        made = _pairs(stratum, rng, size)
    elif stratum.shape == "jiu_lian":
        made = _nine_gates(rng)
    else:
        made = standard(stratum, rng, most_melds, size.sets)
    if made is None or (joker is not None and joker in (made.win, *made.tiles)):
        return None
    if joker is not None and any(m.tile == joker for m in made.melds):
        return None
    if stratum.jokers and joker is not None:
        tiles = list(made.tiles)
        if len(tiles) <= stratum.jokers:
            return None
        for at in rng.sample(range(len(tiles)), stratum.jokers):
            tiles[at] = joker
        made = replace(made, tiles=tuple(tiles))
    return made


def _pairs(stratum: Stratum, rng: Random, size: Size) -> Made | None:
    suits = _pick_suits(stratum.shape, rng)
    kinds = _pungs_of(stratum.shape, suits)
    quads = max(stratum.roots, stratum.shape in DRAGONS)
    number = size.full // 2 - quads
    if number > len(kinds):
        return None
    if stratum.shape == "lian_qi_dui":
        low = rng.randrange(len(kinds) - number + 1)
        picked = kinds[low : low + number]
    else:
        picked = rng.sample(kinds, number)
    tiles = [t for at, t in enumerate(picked) for _ in range(4 if at < quads else 2)]
    win = tiles.pop(rng.randrange(size.full))
    return Made(tuple(tiles), (), win)


def _nine_gates(rng: Random) -> Made:
    low = 9 * rng.randrange(3)
    tiles = [low + rank for rank in (0, 0, *range(9), 8, 8, rng.randrange(9))]
    win = tiles.pop(rng.randrange(len(tiles)))
    return Made(tuple(tiles), (), win)


def standard(stratum: Stratum, rng: Random, most_melds: int, number: int) -> Made | None:
    """So many sets and a pair, as many of them declared as asked; None where a try fails."""
    picked = _pick_sets(stratum, rng, number)
    if picked is None:
        return None
    sets, pair = picked
    closed = stratum.luck in (*BLESSINGS, "men_qing_zi_mo")
    free = [tile for kind, tile in sets if kind == "pung"]
    rng.shuffle(free)
    wanted = number if stratum.shape in LAID else rng.choice((0, 0, 1, 1, 2))
    laid = set() if closed else set(free[: max(0, min(wanted, most_melds - stratum.kongs))])
    melds: list[Meld] = []
    tiles = [pair, pair]
    for kind, tile in sets:
        if kind == "kong":
            melds.append(Meld(rng.choice(KONGS), tile))
        elif kind == "pung" and tile in laid:
            melds.append(Meld(PUNG, tile))
        else:
            tiles += _members((kind, tile))
    win = tiles.pop(rng.randrange(len(tiles)))
    return Made(tuple(tiles), tuple(melds), win)


@lru_cache(maxsize=64)
def _namer(joker: str | None, sets: int, house: str) -> Rules:
    """Rules under which every shape has a name of its own, the greatest shape the most fan; of the
    shapes that no system has only one, or none."""
    rules = load(ids()[0])
    named = [term.id for term in PATTERNS if not term.house and term.id not in BLESSINGS]
    # The one in one suit is the greater of two, wherever the table lists it.
    named.sort(key=lambda shape: (shape in ALL_KONGS, shape in ALL_KONGS and shape in PURE))
    fans = {shape: at for at, shape in enumerate([*named, *filter(None, [house])])}
    off = dict.fromkeys(term for term in rules.fans if term not in fans)
    if not SIZES[sets].pairs:
        fans.pop(SEVEN_PAIRS)
    table = {"cap": None, "joker": joker, "sets": sets}
    return rules.override({"fans": {**off, **fans}, **table})


def shape_of(
    hand: Hand, joker: str | None = None, sets: int = USUAL.sets, house: str = ""
) -> str | None:
    """The pattern that the tiles of a full hand make, whatever any rules pay for it.

    >>> from ..notation import parse
    >>> shape_of(parse("22244455577799m"))
    'qing_dui'
    """
    names = _namer(joker, sets, house)
    found = scorer(names, Win()).verdict(hand.packed, summarise(hand.melds))
    return found.patterns[0] if found else None


def _roots(hand: Hand) -> int:
    """Four-alikes that are not declared as a kong, jokers left out."""
    held = [*hand.concealed]
    for meld in hand.melds:
        held += [meld.tile] * 3 if meld.kind == PUNG else []
    return sum(held.count(t) == COPIES for t in set(held))


def as_planned(made: Made, stratum: Stratum, rules: Rules) -> bool:
    """Whether a hand has the shape and the roots of its stratum."""
    if stratum.shape == SI_JI:
        return True
    house = stratum.shape if TERMS[stratum.shape].house else ""
    if shape_of(made.hand, rules.joker, rules.sets, house) != stratum.shape:
        return False
    return bool(stratum.jokers) or _roots(made.hand) == max(stratum.roots, stratum.shape in DRAGONS)


def _four_jokers(rng: Random, joker: Tile, full: int) -> Made:
    """Any hand that holds the four jokers."""
    rest = [t for t in TILES if t != joker for _ in range(COPIES)]
    return Made((*rng.sample(rest, full - COPIES), joker, joker, joker), (), joker)


def hand_of(rules: Rules, level: int, stratum: Stratum, rng: Random, most: int) -> Made | None:
    """A random hand for a stratum, not yet checked; ``most`` melds on the first level."""
    joker = rules.joker_tile
    if stratum.shape == SI_JI and joker is not None:
        return _four_jokers(rng, joker, rules.size.full)
    return build(rules, stratum, rng, most_melds=1 if level == 1 else most)


def suits_of(made: Made, joker: Tile | None) -> set[int]:
    """The suits of a hand, jokers left out."""
    tiles = [*made.tiles, made.win, *(m.tile for m in made.melds)]
    return {t // 9 for t in tiles if t != joker}


def with_other_tile(made: Made, rng: Random, joker: Tile | None, suits: Collection[int]) -> Made:
    """The hand with one concealed tile exchanged for a random one of these suits."""
    tiles = list(made.tiles)
    at = rng.choice([i for i, t in enumerate(tiles) if t != joker])
    held = [*tiles, made.win]
    for meld in made.melds:
        held += [meld.tile] * meld.size
    room = [t for t in TILES if t // 9 in suits and held.count(t) < COPIES]
    room = [t for t in room if t not in (tiles[at], joker)]
    tiles[at] = rng.choice(room)
    return replace(made, tiles=tuple(tiles))


def options_of(rules: Rules) -> Json:
    """The house rules, as a request has them."""
    changes = rules.changes()
    return {"options": changes} if changes else {}


def with_options(rules: Rules, options: Mapping[str, Any]) -> Json:
    """A table's options with more on top, tables inside them merged."""
    merged = dict(rules.changes())
    for name, value in options.items():
        old = merged.get(name)
        both = isinstance(value, Mapping) and isinstance(old, Mapping)
        merged[name] = {**old, **value} if both and old is not None else value
    return merged


def asking(rules: Rules, hand: Hand, **more: Any) -> Json:
    """A request to ``score`` about a hand; what is off or None is left out."""
    given = {key: value for key, value in more.items() if value}
    return {"ruleset": rules.id, **options_of(rules), "hand": format_hand(hand), **given}


def circumstances(stratum: Stratum, made: Made, rng: Random, level: int) -> Json | None:
    """How the hand was won, as fields of the request; None where it cannot have been so."""
    luck = stratum.luck
    if luck == GANG_SHANG_HUA:
        kind = rng.choice([m.kind for m in made.melds if m.kind in KONGS])
        return {"by": SELF_DRAW, "after_kong": kind}
    if luck == "gang_shang_pao":
        return {"kong_discard": True}
    if luck == "qiang_gang":
        held = [*made.tiles, *(m.tile for m in made.melds)]
        return None if made.win in held else {"by": ROB_KONG}
    if luck in BLESSINGS:
        return {"by": SELF_DRAW, "blessing": luck} if not made.melds else None
    if luck == "men_qing_zi_mo":
        return {"by": SELF_DRAW}
    if luck == "jue_zhang":
        return {"last_copy": True}
    last: Json = {"last_tile": True} if luck == "hai_di" else {}
    drawn = stratum.shape == SI_JI or (level > 1 and rng.random() < 0.4)
    return {"by": SELF_DRAW, **last} if drawn else last
