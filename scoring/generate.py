"""Questions for practice (练习): hands and rounds made from a seed, each with one right answer.

:func:`question` makes question ``number`` of a seed: the same arguments give the same question,
anywhere.  What is asked is a request of the contract (``score`` or ``settle``), and the right
answer is what the engine says to it.  The wrong choices are mistakes that players make: a root
forgotten, the dragon's root paid twice, a lesser reading, the cap ignored; each says which.

A level's questions are spread evenly over its *strata* (what the hand or the round shows).  Within
each hundred numbers of a seed no question comes twice: numbers that share a stratum look for hands
in different *lanes*, a checksum of the hand itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from random import Random
from typing import Any
from zlib import crc32

from .contract import score, settle
from .hand import (
    ADDED_KONG,
    BLESSINGS,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KONGS,
    PUNG,
    ROB_KONG,
    SELF_DRAW,
    Hand,
    Meld,
    Win,
    summarise,
)
from .notation import format_hand, parse
from .patterns import GANG_SHANG_HUA, GEN, PATTERNS, PING_HU, SI_JI, TERMS, ZI_MO
from .permalink import canonical
from .rules import Rules, ids, load, number
from .score import scorer
from .tiles import COPIES, SUITS, TILE_NAMES, TILES, Tile

Json = dict[str, Any]

#: What can be asked, easiest first.
KINDS: tuple[str, ...] = (
    "win",
    "fan",
    "patterns",
    "waits",
    "discard",
    "change",
    "payment",
    "pig",
    "settle",
)
LEVELS: tuple[int, ...] = (1, 2, 3)
#: What the winning hands of a drill can be narrowed to.
TOPICS: tuple[str, ...] = ("pungs", "pairs", "pure", "outside", "roots", "luck")
#: The kinds of question that a topic narrows.
TOPICAL: frozenset[str] = frozenset(("fan", "patterns", "payment"))

#: The kinds that ask for money: nothing to ask where the base is 0.
_MONEY: frozenset[str] = frozenset(("payment", "settle"))

#: The numbers of a seed among which no question comes twice.
BLOCK = 100
#: How many hands are tried in the lane of a number before any lane will do, and in all.
_PATIENCE = 8000
_ATTEMPTS = 9000
#: How many of them are put to the engine.
_ASKS = 500

RIGHT = ""
#: Seats of a round.
_SEATS = range(4)


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose from.

    ``key`` stands for it in an address; ``value`` is what it says; ``mistake`` is the code of what
    leads there, empty for the right answer, and ``term`` the term that the mistake is about.
    """

    key: str
    value: Any
    mistake: str = RIGHT
    term: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its right answer.

    ``request`` is a request to ``score``, or to ``settle`` for the kind ``settle``.  ``answer`` are
    the keys of the right choices: one, or all waits.  ``changed`` is the request after the change
    of the kind ``change``, ``change`` what is changed; ``seat`` is whose total is asked.
    ``assumed`` are the ids of values used that the source of the rules does not state.
    """

    kind: str
    level: int
    stratum: str
    request: Json
    choices: tuple[Choice, ...]
    answer: tuple[str, ...]
    assumed: tuple[str, ...] = ()
    change: str = ""
    changed: Json | None = None
    seat: int | None = None

    def is_right(self, given: Collection[str]) -> bool:
        """Whether these keys are the right answer, all of it and nothing else."""
        return set(given) == set(self.answer)

    def chosen(self, key: str) -> Choice | None:
        """The choice with a key, or None."""
        return next((choice for choice in self.choices if choice.key == key), None)

    @property
    def key(self) -> str:
        """What makes this question another one than the next: the hand, the way, what is asked."""
        return repr((self.kind, self.request, self.changed, self.seat))


def question(
    rules: Rules, kind: str, level: int, seed: str, number: int, topic: str = ""
) -> Question:
    """Question ``number`` (from 0) of a seed.

    Raises :class:`ValueError` for a kind, level or topic that does not exist.

    >>> asked = question(load("chengdu"), "fan", 1, "abc", 0)
    >>> asked == question(load("chengdu"), "fan", 1, "abc", 0), asked.is_right(asked.answer)
    (True, True)
    """
    wanted = stratum_at(rules, kind, level, seed, number, topic)
    if kind in _MONEY and not rules.base_cents:
        return question(rules, "win", level, seed, number)
    strata = strata_of(rules, kind, level, topic)
    lanes = -(-BLOCK // len(strata))
    lane = number % BLOCK // len(strata)
    rng = Random(f"{rules.id}/{seed}/{kind}/{level}/{topic}/{number}")
    # A table's own rules can leave a stratum without a question; then another one is shown.
    for stratum in (wanted, *(other for other in strata if other != wanted)):
        tries, asks = (_ATTEMPTS, _ASKS) if stratum is wanted else (_ATTEMPTS // 20, _ASKS // 20)
        for attempt in range(tries):
            if asks <= 0:
                break
            for draft in _MAKERS[kind](rules, level, stratum, rng):
                if attempt < _PATIENCE and crc32(draft.key.encode()) % lanes != lane:
                    continue
                asks -= 1
                made = draft.ask()
                if made is not None:
                    return replace(made, level=level, stratum=stratum.name)
    # Where nothing of a kind can be asked, whether a hand wins can.
    return question(rules, "win", level, seed, number)


def stratum_at(
    rules: Rules, kind: str, level: int, seed: str, number: int, topic: str = ""
) -> Stratum:
    """What a question is going to show, without making it; raises as :func:`question` does.

    >>> stratum_at(load("chengdu"), "win", 1, "abc", 0).twist in ("wins", "third_suit", "broken")
    True
    """
    if kind not in KINDS or level not in LEVELS or (topic and topic not in TOPICS) or number < 0:
        raise ValueError(f"no such question: {kind!r} {level!r} {topic!r} {number!r}")
    strata = list(strata_of(rules, kind, level, topic))
    Random(f"{seed}/{kind}/{level}/{topic}/{number // BLOCK}").shuffle(strata)
    return strata[number % BLOCK % len(strata)]


def mixed_kind(seed: str, number: int, kinds: Sequence[str] = KINDS) -> str:
    """The kind of a question of a drill of all kinds: each once, in an order of its own, and again.

    >>> sorted(mixed_kind("abc", n) for n in range(9)) == sorted(KINDS)
    True
    """
    order = list(kinds)
    Random(f"{seed}/{number // len(order)}").shuffle(order)
    return order[number % len(order)]


@dataclass(frozen=True, slots=True)
class Stratum:
    """What a question is to show.

    ``shape`` is the pattern that the tiles make (whatever the rules call it), ``roots`` and
    ``kongs`` how many the hand has, ``luck`` a circumstance of the win, ``jokers`` how many are
    among its tiles; ``twist`` is what a kind of question of its own adds.
    """

    shape: str = PING_HU
    roots: int = 0
    kongs: int = 0
    luck: str = ""
    jokers: int = 0
    twist: str = ""

    @property
    def name(self) -> str:
        """A short name for reports: ``qing_yi_se+gen``."""
        parts = [self.twist] if self.twist else []
        if not self.twist or self.shape != PING_HU:
            parts.append(self.shape)
        parts += ["gen"] * self.roots + ["kong"] * self.kongs
        parts += [self.luck] * bool(self.luck) + ["joker"] * self.jokers
        return "+".join(parts)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A hand or round that may become a question: cheap to make, then asked about."""

    key: str
    ask: Callable[[], Question | None]


_Maker = Callable[[Rules, int, Stratum, Random], Iterable[_Draft]]


def _one(maker: Callable[[Rules, int, Stratum, Random], _Draft | None]) -> _Maker:
    """A maker of one draft, or none where a random try fails, as a maker of several."""

    def several(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Iterable[_Draft]:
        draft = maker(rules, level, stratum, rng)
        return () if draft is None else (draft,)

    return several


# ---------------------------------------------------------------- strata of winning hands

_PURE = frozenset(
    ("qing_yi_se", "qing_dui", "qing_qi_dui", "qing_long_qi_dui", "qing_yao_jiu")
) | {"qing_jin_gou_diao", "qing_shi_ba_luo_han"}
_OUTSIDE = frozenset(("dai_yao_jiu", "qing_yao_jiu"))
_PAIRED = frozenset(("qi_dui", "qing_qi_dui", "long_qi_dui", "qing_long_qi_dui"))
_DRAGONS = frozenset(("long_qi_dui", "qing_long_qi_dui"))
_LAID = frozenset(("jin_gou_diao", "qing_jin_gou_diao", "shi_ba_luo_han", "qing_shi_ba_luo_han"))
_ALL_KONGS = frozenset(("shi_ba_luo_han", "qing_shi_ba_luo_han"))
_PUNGED = frozenset(("dui_dui_hu", "qing_dui", "jiang_dui")) | _LAID

#: Shapes that some systems put together from patterns and roots instead of naming them.
_PARTS: dict[str, tuple[str, ...]] = {
    "qing_dui": ("dui_dui_hu", "qing_yi_se"),
    "qing_qi_dui": ("qi_dui", "qing_yi_se"),
    "long_qi_dui": ("qi_dui", GEN),
    "qing_long_qi_dui": ("qing_qi_dui", GEN),
    "qing_yao_jiu": ("dai_yao_jiu", "qing_yi_se"),
    "qing_jin_gou_diao": ("jin_gou_diao", "qing_yi_se"),
    "qing_shi_ba_luo_han": ("shi_ba_luo_han", "qing_yi_se"),
}
#: In a system that takes one pattern, those that a root can still complete.
_PLUS_ROOT = _DRAGONS

_WINS: dict[int, tuple[Stratum, ...]] = {
    1: tuple(Stratum(s) for s in (PING_HU, "dui_dui_hu", "qing_yi_se", "qi_dui")),
    2: (
        *(Stratum(s) for s in (PING_HU, "dui_dui_hu", "qing_yi_se", "qi_dui")),
        *(Stratum(s) for s in ("dai_yao_jiu", "qing_dui", "jiang_dui")),
        Stratum("long_qi_dui", roots=1),
        Stratum(PING_HU, roots=1),
        Stratum("qing_yi_se", roots=1),
        Stratum(PING_HU, kongs=1),
        Stratum("dui_dui_hu", kongs=1),
        Stratum("qing_yi_se", kongs=1),
    ),
    3: (
        *(Stratum(s) for s in ("qing_dui", "jiang_dui", "qing_qi_dui", "qing_yao_jiu")),
        *(Stratum(s) for s in ("jin_gou_diao", "qing_jin_gou_diao")),
        Stratum("shi_ba_luo_han", kongs=4),
        Stratum("qing_shi_ba_luo_han", kongs=4),
        Stratum("long_qi_dui", roots=2),
        Stratum("qing_long_qi_dui", roots=1),
        Stratum("qing_long_qi_dui", roots=2),
        Stratum(PING_HU, roots=2),
        Stratum("qing_yi_se", roots=2),
        Stratum("dai_yao_jiu", roots=1),
        Stratum("qing_yi_se", roots=1, kongs=1),
        Stratum("dui_dui_hu", kongs=2),
        Stratum("qing_dui", kongs=1),
        Stratum("dai_yao_jiu", kongs=1),
    ),
}
_LUCK: tuple[Stratum, ...] = (
    Stratum(PING_HU, kongs=1, luck="gang_shang_hua"),
    Stratum("qing_yi_se", kongs=1, luck="gang_shang_hua"),
    Stratum(PING_HU, luck="gang_shang_pao"),
    Stratum("dui_dui_hu", luck="gang_shang_pao"),
    Stratum(PING_HU, luck="qiang_gang"),
    Stratum("qing_yi_se", luck="qiang_gang"),
    Stratum("dui_dui_hu", luck="hai_di"),
    Stratum("qi_dui", luck="hai_di"),
    Stratum(PING_HU, luck="tian_hu"),
    Stratum("qing_yi_se", luck="di_hu"),
    Stratum(PING_HU, luck="men_qing_zi_mo"),
    Stratum("qi_dui", luck="men_qing_zi_mo"),
)
_WILD: dict[int, tuple[Stratum, ...]] = {
    1: (),
    2: (
        Stratum(PING_HU, jokers=1),
        Stratum("qing_yi_se", jokers=1),
        Stratum("dui_dui_hu", jokers=1),
        Stratum("qi_dui", jokers=1),
    ),
    3: (
        Stratum("qing_yi_se", jokers=2),
        Stratum("dui_dui_hu", jokers=2),
        Stratum("long_qi_dui", roots=1, jokers=2),
        Stratum("qing_qi_dui", jokers=1),
        Stratum(SI_JI, jokers=4),
    ),
}


def _has_shape(rules: Rules, shape: str) -> bool:
    """Whether a shape is worth something of its own under these rules."""
    if rules.fan_of(shape) is not None:
        return True
    parts = _PARTS.get(shape, ())
    if not parts or (rules.combine != "sum" and shape not in _PLUS_ROOT):
        return False
    return all(_has_shape(rules, part) for part in parts)


def _plays(rules: Rules, stratum: Stratum) -> bool:
    if not _has_shape(rules, stratum.shape):
        return False
    if stratum.roots and rules.fan_of(GEN) is None and stratum.shape not in rules.fans:
        return False
    if stratum.roots and stratum.shape not in _DRAGONS and rules.fan_of(GEN) is None:
        return False
    if stratum.kongs and all(rules.fan_of(kind) is None for kind in KONGS):
        return stratum.shape in _ALL_KONGS
    return not stratum.luck or rules.fan_of(stratum.luck, EXPOSED_KONG) is not None


def _about(stratum: Stratum, topic: str) -> bool:
    """Whether a stratum belongs to a topic."""
    shape = stratum.shape
    return {
        "": True,
        "pungs": shape in _PUNGED,
        "pairs": shape in _PAIRED,
        "pure": shape in _PURE,
        "outside": shape in _OUTSIDE,
        "roots": bool(stratum.roots or stratum.kongs),
        "luck": bool(stratum.luck or stratum.jokers),
    }[topic]


def winning_strata(rules: Rules, level: int, topic: str = "") -> tuple[Stratum, ...]:
    """What the winning hands of a level show under these rules; never empty.

    A topic that a level does not have yet is taken from the nearest level that has it.
    """
    every = {
        at: [
            s
            for s in (*_WINS[at], *(_LUCK if at == 3 else ()), *(_WILD[at] if rules.joker else ()))
            if _plays(rules, s)
        ]
        for at in LEVELS
    }
    for at in sorted(LEVELS, key=lambda at: abs(at - level)):
        found = tuple(s for s in every[at] if _about(s, topic))
        if found:
            return found
    return tuple(every[level])


def topics(rules: Rules) -> tuple[str, ...]:
    """The topics that these rules have anything on.

    >>> "outside" in topics(load("sbr"))
    False
    """
    every = [s for level in LEVELS for s in winning_strata(rules, level)]
    return tuple(t for t in TOPICS if any(_about(s, t) for s in every))


def strata_of(rules: Rules, kind: str, level: int, topic: str = "") -> tuple[Stratum, ...]:
    """What the questions of a kind and level show under these rules."""
    if kind in TOPICAL:
        return winning_strata(rules, level, topic)
    return tuple(_STRATA[kind](rules, level))


# ---------------------------------------------------------------- hands


@dataclass(frozen=True)
class _Made:
    """A winning hand: concealed tiles without the winning one, melds, the winning tile."""

    tiles: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    win: Tile

    @cached_property
    def hand(self) -> Hand:
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
        return canonical(Hand(tuple(sorted(self.tiles)), self.melds))


_Set = tuple[str, Tile]


def _pick_suits(shape: str, rng: Random) -> list[int]:
    return rng.sample(range(3), 1 if shape in _PURE else 2)


def _pungs_of(shape: str, suits: Sequence[int]) -> list[Tile]:
    ranks: Iterable[int] = range(9)
    if shape in _OUTSIDE:
        ranks = (0, 8)
    elif shape == "jiang_dui":
        ranks = (1, 4, 7)
    return [9 * s + r for s in suits for r in ranks]


def _chows_of(shape: str, suits: Sequence[int]) -> list[Tile]:
    return [9 * s + r for s in suits for r in ((0, 6) if shape in _OUTSIDE else range(7))]


def _members(part: _Set) -> tuple[Tile, ...]:
    kind, tile = part
    return (tile, tile + 1, tile + 2) if kind == "chow" else (tile,) * (4 if kind == "kong" else 3)


def _pick_sets(stratum: Stratum, rng: Random) -> tuple[list[_Set], Tile] | None:
    """Four sets and the tile of a pair; None where the random picks do not fit together."""
    shape = stratum.shape
    suits = _pick_suits(shape, rng)
    pungs, chows = _pungs_of(shape, suits), _chows_of(shape, suits)
    sets: list[_Set] = []
    pungs = rng.sample(pungs, min(4, len(pungs)))
    for tile in pungs[: stratum.kongs]:
        sets.append(("kong", tile))
    if shape in _PUNGED:
        sets += [("pung", tile) for tile in pungs[stratum.kongs : 4]]
    else:
        for tile in pungs[stratum.kongs : stratum.kongs + stratum.roots]:
            through = [c for c in chows if c <= tile <= c + 2]
            if not through:
                return None
            sets += [("pung", tile), ("chow", rng.choice(through))]
        while len(sets) < 4:
            if len(sets) < 3 and rng.random() < 0.35:
                sets.append(("pung", rng.choice(_pungs_of(shape, suits))))
            else:
                sets.append(("chow", rng.choice(chows)))
    if len(sets) != 4:
        return None
    pair = rng.choice(_pungs_of(shape, suits))
    every = [t for part in sets for t in _members(part)] + [pair, pair]
    if any(every.count(t) > COPIES for t in every):
        return None
    return sets, pair


def _build(stratum: Stratum, rng: Random, joker: Tile | None, most_melds: int) -> _Made | None:
    """A random winning hand with the tiles that a stratum asks for; None where a try fails."""
    made = _pairs(stratum, rng) if stratum.shape in _PAIRED else _standard(stratum, rng, most_melds)
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


def _pairs(stratum: Stratum, rng: Random) -> _Made | None:
    suits = _pick_suits(stratum.shape, rng)
    kinds = [9 * s + r for s in suits for r in range(9)]
    quads = max(stratum.roots, stratum.shape in _DRAGONS)
    picked = rng.sample(kinds, 7 - quads)
    tiles = [t for at, t in enumerate(picked) for _ in range(4 if at < quads else 2)]
    win = tiles.pop(rng.randrange(14))
    return _Made(tuple(tiles), (), win)


def _standard(stratum: Stratum, rng: Random, most_melds: int) -> _Made | None:
    picked = _pick_sets(stratum, rng)
    if picked is None:
        return None
    sets, pair = picked
    closed = stratum.luck in (*BLESSINGS, "men_qing_zi_mo")
    free = [tile for kind, tile in sets if kind == "pung"]
    rng.shuffle(free)
    wanted = 4 if stratum.shape in _LAID else rng.choice((0, 0, 1, 1, 2))
    laid = set() if closed else set(free[: min(wanted, most_melds - stratum.kongs)])
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
    return _Made(tuple(tiles), tuple(melds), win)


@lru_cache(maxsize=4)
def _namer(joker: str | None) -> Rules:
    """Rules under which every shape has a name of its own, the greatest shape the most fan."""
    rules = load(ids()[0])
    named = [term.id for term in PATTERNS if not term.house and term.id not in BLESSINGS]
    # The one in one suit is the greater of two, wherever the table lists it.
    named.sort(key=lambda shape: (shape in _ALL_KONGS, shape in _ALL_KONGS and shape in _PURE))
    fans = {shape: at for at, shape in enumerate(named)}
    off = dict.fromkeys(term for term in rules.fans if term not in fans)
    return rules.override({"fans": {**off, **fans}, "cap": None, "joker": joker})


def shape_of(hand: Hand, joker: str | None = None) -> str | None:
    """The pattern that the tiles of a full hand make, whatever any rules pay for it.

    >>> from .notation import parse
    >>> shape_of(parse("22244455577799m"))
    'qing_dui'
    """
    names = _namer(joker)
    found = scorer(names, Win()).verdict(hand.packed, summarise(hand.melds))
    return found.patterns[0] if found else None


def _roots(hand: Hand) -> int:
    """Four-alikes that are not declared as a kong, jokers left out."""
    held = [*hand.concealed]
    for meld in hand.melds:
        held += [meld.tile] * 3 if meld.kind == PUNG else []
    return sum(held.count(t) == COPIES for t in set(held))


def _as_planned(made: _Made, stratum: Stratum, joker: str | None) -> bool:
    if stratum.shape == SI_JI:
        return True
    if shape_of(made.hand, joker) != stratum.shape:
        return False
    return bool(stratum.jokers) or _roots(made.hand) == max(
        stratum.roots, stratum.shape in _DRAGONS
    )


def _options(rules: Rules) -> Json:
    changes = rules.changes()
    return {"options": changes} if changes else {}


def _asking(rules: Rules, hand: Hand, **more: Any) -> Json:
    """A request to ``score`` about a hand; what is off or None is left out."""
    given = {key: value for key, value in more.items() if value}
    return {"ruleset": rules.id, **_options(rules), "hand": format_hand(hand), **given}


def _luck(stratum: Stratum, made: _Made, rng: Random, level: int) -> Json | None:
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
    last: Json = {"last_tile": True} if luck == "hai_di" else {}
    drawn = stratum.shape == SI_JI or (level > 1 and rng.random() < 0.4)
    return {"by": SELF_DRAW, **last} if drawn else last


def _four_jokers(rng: Random, joker: Tile) -> _Made:
    """Any hand that holds the four jokers."""
    rest = [t for t in TILES if t != joker for _ in range(COPIES)]
    return _Made((*rng.sample(rest, 10), joker, joker, joker), (), joker)


def _hand_of(rules: Rules, level: int, stratum: Stratum, rng: Random, most: int) -> _Made | None:
    """A random hand for a stratum, not yet checked; ``most`` melds on the first level."""
    joker = rules.joker_tile
    if stratum.shape == SI_JI and joker is not None:
        return _four_jokers(rng, joker)
    return _build(stratum, rng, joker, most_melds=1 if level == 1 else most)


# ---------------------------------------------------------------- mistakes with numbers

_Wrong = tuple[int, str, str | None]


def _merged(rules: Rules, options: Mapping[str, Any]) -> Json:
    """A table's options with more on top, tables inside them merged."""
    merged = dict(rules.changes())
    for name, value in options.items():
        old = merged.get(name)
        both = isinstance(value, Mapping) and isinstance(old, Mapping)
        merged[name] = {**old, **value} if both and old is not None else value
    return merged


def _held_patterns(rules: Rules, request: Json, answer: Json) -> list[tuple[str, Json]]:
    """The patterns that would count if the better ones did not, best first, each with its answer.

    The first is the one that counts.  Only for systems that take one pattern.
    """
    found = [(answer["patterns"][0], answer)]
    off: dict[str, None] = {}
    while found[-1][0] != PING_HU and len(found) < 6:
        off[found[-1][0]] = None
        lesser = score({**request, "options": _merged(rules, {"fans": off})})
        if lesser["status"] != "win" or lesser["patterns"][0] in off:
            break
        found.append((lesser["patterns"][0], lesser))
    return found


def _wrong_fans(rules: Rules, request: Json, answer: Json) -> Iterator[_Wrong]:
    """The fan that players arrive at by mistake, the likeliest mistakes first."""
    fan, raw = answer["fan"], answer["uncapped_fan"]
    terms = {term["id"]: term for term in answer["terms"]}
    gen = rules.fan_of(GEN)
    capped = rules.capped
    if raw > fan:
        yield raw, "ignored_cap", None
    absorbs = [p for p in answer["patterns"] if TERMS[p].absorbs_quads]
    if absorbs and gen:
        yield capped(raw + gen), "dragon_twice", absorbs[0]
    if GEN in terms:
        lost = terms[GEN]["fan"] // terms[GEN]["count"]
        yield capped(raw - lost), "forgot_root", GEN
        yield capped(raw - terms[GEN]["fan"]), "forgot_roots", GEN
    if any(TERMS[p].absorbs_kongs for p in answer["patterns"]):
        yield capped(raw + 4), "kongs_twice", answer["patterns"][0]
    for kind in KONGS:
        if kind in terms:
            yield capped(raw - terms[kind]["fan"]), "forgot_kong", kind
            if gen:
                yield capped(raw + gen * terms[kind]["count"]), "kong_as_root", kind
            usual = (rules.fan_of(EXPOSED_KONG) or 0) * terms[kind]["count"]
            if usual != terms[kind]["fan"]:
                yield capped(raw - terms[kind]["fan"] + usual), "kongs_alike", kind
    for term in ("gang_shang_hua", "gang_shang_pao", "qiang_gang", "hai_di"):
        if term in terms:
            yield capped(raw - terms[term]["fan"]), "forgot_bonus", term
    for term in ("wu_ji", "men_qing_zi_mo"):
        if term in terms:
            yield capped(raw - terms[term]["fan"]), "forgot_bonus", term
    if rules.combine == "sum":
        for pattern in answer["patterns"]:
            if pattern in terms and terms[pattern]["fan"]:
                yield capped(raw - terms[pattern]["fan"]), "forgot_pattern", pattern
    elif answer["patterns"]:
        for pattern, lesser in _held_patterns(rules, request, answer)[1:]:
            yield lesser["fan"], "lesser_pattern", pattern
        best = answer["patterns"][0]
        parts = [rules.fan_of(part) for part in _PARTS.get(best, ())]
        if parts and GEN not in _PARTS[best]:
            own = rules.fan_of(best) or 0
            total = sum(part or 0 for part in parts)
            yield capped(raw - own + total), "added_patterns", best
    for other in answer.get("alternatives", ()):
        yield other["fan"], "lesser_reading", None
    if request.get("by") == SELF_DRAW and not {ZI_MO, "men_qing_zi_mo"} & terms.keys():
        if rules.fan_of("men_qing_zi_mo"):
            yield capped(raw + 1), "self_draw_open", "men_qing_zi_mo"
        elif rules.self_draw_bonus == "none":
            yield capped(raw + 1), "self_draw_fan", None
        elif rules.self_draw_bonus == "base":
            yield capped(raw + 1), "self_draw_base", None
    yield from _seen_too_much(rules, request, answer)
    plain = rules.fan_of(PING_HU)
    if plain == 0 and rules.scale == "double":
        yield capped(raw + 1), "plain_is_one", PING_HU
    elif plain == 1:
        yield capped(raw - 1), "plain_is_nothing", PING_HU
    near = [fan + step for step in (1, -1, 2, -2, 3, -3)]
    # Nobody chooses more than the cap by miscounting, as long as there is anything else.
    for other in sorted(near, key=lambda other: rules.cap is not None and other > rules.cap):
        yield other, "miscounted", None


def _seen_too_much(rules: Rules, request: Json, answer: Json) -> Iterator[_Wrong]:
    """The fan of those who see more in a hand than these rules or its tiles have."""
    raw, capped = answer["uncapped_fan"], rules.capped
    hand = parse(request["hand"])
    held = [*hand.concealed, *(m.tile for m in hand.melds for _ in range(m.size))]
    gen = rules.fan_of(GEN)
    if gen and any(held.count(t) == 3 for t in held if t != rules.joker_tile):
        yield capped(raw + gen), "pung_as_root", GEN
    if all(m.kind == CONCEALED_KONG for m in hand.melds) and not rules.fan_of("men_qing"):
        yield capped(raw + 1), "foreign_term", "men_qing"
    if all(t % 9 not in (0, 8) for t in held) and not rules.fan_of("zhong_zhang"):
        yield capped(raw + 1), "foreign_term", "zhong_zhang"
    best = answer["patterns"][0] if answer["patterns"] else ""
    if rules.combine != "sum" and best not in _PURE and len({t // 9 for t in held}) > 1:
        pure = next((p for p, (part, *_) in _PARTS.items() if part == best and p in _PURE), "")
        pure = "qing_yi_se" if best == PING_HU else pure
        fan, own = rules.fan_of(pure), rules.fan_of(best)
        if fan is not None and own is not None:
            yield capped(raw - own + fan), "not_this_pattern", pure


def _numbers(right: int, wrongs: Iterable[_Wrong], least: int, many: int = 4) -> tuple[Choice, ...]:
    """The right number among the first wrong ones that differ from it and each other, in order."""
    found = {right: Choice(str(right), right)}
    for value, mistake, term in wrongs:
        if len(found) == many:
            break
        if value >= least:
            found.setdefault(value, Choice(str(value), value, mistake, term))
    return tuple(found[value] for value in sorted(found))


def _keys(choices: Iterable[Choice]) -> tuple[str, ...]:
    return tuple(choice.key for choice in choices if choice.mistake == RIGHT)


def _win_draft(
    rules: Rules,
    level: int,
    stratum: Stratum,
    rng: Random,
    ask: Callable[[Json, Json], Question | None],
) -> _Draft | None:
    """A draft about a winning hand; ``ask`` gets the request and the engine's answer."""
    made = _hand_of(rules, level, stratum, rng, 4)
    if made is None:
        return None

    def asked() -> Question | None:
        if not _as_planned(made, stratum, rules.joker):
            return None
        how = _luck(stratum, made, rng, level)
        if how is None:
            return None
        request = _asking(rules, made.hand, **how)
        answer = score(request)
        if answer["status"] != "win" or answer["notes"]:
            return None
        counted = {term["id"] for term in answer["terms"]}
        if stratum.luck and stratum.luck not in counted:
            return None
        return ask(request, answer)

    return _Draft(made.key, asked)


def _fan(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    def ask(request: Json, answer: Json) -> Question:
        choices = _numbers(answer["fan"], _wrong_fans(rules, request, answer), rules.least)
        return Question(
            "fan", level, "", request, choices, _keys(choices), tuple(answer["assumed"])
        )

    return _win_draft(rules, level, stratum, rng, ask)


# ---------------------------------------------------------------- which patterns

_Counted = tuple[tuple[str, int], ...]


def _named(answer: Json) -> _Counted:
    """The patterns that count, with the roots."""
    patterns = [p for p in answer["patterns"] if p != PING_HU] or list(answer["patterns"])
    roots = [(t["id"], t["count"]) for t in answer["terms"] if t["id"] == GEN]
    return (*((p, 1) for p in patterns), *roots)


def _with_roots(counted: _Counted, more: int) -> _Counted:
    roots = dict(counted).get(GEN, 0) + more
    bare = tuple(pair for pair in counted if pair[0] != GEN)
    return (*bare, (GEN, roots)) if roots else bare


def _counted_key(counted: _Counted) -> str:
    return ".".join(f"{term}-{n}" if term == GEN else term for term, n in counted)


def _wrong_patterns(
    rules: Rules, request: Json, answer: Json, level: int, rng: Random
) -> Iterator[tuple[_Counted, str, str | None]]:
    right = _named(answer)
    gen = rules.fan_of(GEN)
    kongs = [t for t in answer["terms"] if t["id"] in KONGS]
    absorbs = [p for p in answer["patterns"] if TERMS[p].absorbs_quads]
    if absorbs and gen:
        yield _with_roots(right, 1), "dragon_twice", absorbs[0]
    if dict(right).get(GEN):
        yield _with_roots(right, -1), "forgot_root", GEN
    if kongs and gen:
        yield _with_roots(right, sum(t["count"] for t in kongs)), "kong_as_root", kongs[0]["id"]
    held: set[str] = set(answer["patterns"])
    if rules.combine == "sum":
        for pattern, _ in right:
            fewer = tuple(pair for pair in right if pair[0] != pattern)
            if pattern not in (GEN, PING_HU):
                bare = fewer if any(p != GEN for p, _ in fewer) else ((PING_HU, 1), *fewer)
                yield bare, "forgot_pattern", pattern
    else:
        lesser = _held_patterns(rules, request, answer)
        held |= {pattern for pattern, _ in lesser}
        for pattern, other in lesser[1:]:
            # 清龙七对, or 清七对 with one root more: the same value, so not to be asked about.
            if other["uncapped_fan"] != answer["uncapped_fan"]:
                yield _named(other), "lesser_pattern", pattern
    known = [s.shape for at in LEVELS[: max(2, level)] for s in winning_strata(rules, at)]
    others = [p for p in dict.fromkeys(known) if p in rules.fans and p not in held and p != SI_JI]
    rng.shuffle(others)
    roots = tuple(pair for pair in right if pair[0] == GEN)
    for pattern in others:
        if TERMS[pattern].absorbs_quads and roots:
            continue
        if rules.combine == "sum":
            # Nobody takes seven pairs for a hand of pungs.
            if {pattern, *held} & _PAIRED and {pattern, *held} & _PUNGED:
                continue
            kept = tuple(pair for pair in right if pair[0] not in (GEN, PING_HU))
            both = (*kept, (pattern, 1))
            ordered = tuple(sorted(both, key=lambda pair: list(TERMS).index(pair[0])))
            yield (*ordered, *roots), "not_this_pattern", pattern
        else:
            yield ((pattern, 1), *roots), "not_this_pattern", pattern
    if gen:
        yield _with_roots(right, 1), "extra_root", GEN


def _patterns(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    shuffled = Random(rng.random())

    def ask(request: Json, answer: Json) -> Question | None:
        right = _named(answer)
        found = {_counted_key(right): Choice(_counted_key(right), right)}
        for counted, mistake, term in _wrong_patterns(rules, request, answer, level, shuffled):
            if len(found) == 4:
                break
            key = _counted_key(counted)
            found.setdefault(key, Choice(key, counted, mistake, term))
        if len(found) < 3:
            return None
        choices = list(found.values())
        shuffled.shuffle(choices)
        return Question(
            "patterns",
            level,
            "",
            request,
            tuple(choices),
            (_counted_key(right),),
            tuple(a for a in answer["assumed"] if a != "scale"),
        )

    return _win_draft(rules, level, stratum, rng, ask)


# ---------------------------------------------------------------- who pays


def _payment_key(rows: Sequence[Json]) -> str:
    return ".".join(f"{row['who']}-{row['players']}-{row['amount']}" for row in rows)


def _wrong_payments(
    rules: Rules, request: Json, answer: Json
) -> Iterator[tuple[list[Json], str, str | None]]:
    rows = answer["payments"]
    first = rows[0]
    who, shares = first["who"], first.get("shares", 1)
    share = _cents(first["amount"]) // shares
    bare = rules.multiple(answer["fan"])
    extra = answer["multiple"] - bare

    def pays(multiple: int) -> list[Json]:
        return [{**first, "amount": number(multiple * shares * rules.base_cents)}]

    if request.get("payer_kongs"):
        yield pays(answer["multiple"]), "forgot_payer_kongs", None
    if who == "giver":
        other = 1 if shares > 1 else 3
        lone: Json = {"who": "giver", "players": 1, "amount": number(share * other)}
        yield [{"who": "each_other", "players": 3, "amount": number(share)}], "bloom_each", None
        yield [lone if other == 1 else {**lone, "shares": other}], "bloom_once", None
    elif who == "each_other":
        yield [{**first, "who": "discarder", "players": 1}], "one_pays", None
    else:
        yield [{**first, "who": "each_other", "players": 3}], "all_pay", None
    if extra:
        yield pays(bare), "forgot_self_draw_base", None
    if answer["uncapped_fan"] > answer["fan"]:
        yield pays(rules.multiple(answer["uncapped_fan"]) + extra), "ignored_cap", None
    if rules.base != 1:
        yield [{**first, "amount": answer["multiple"] * shares}], "forgot_base", None
    if rules.scale == "double":
        yield pays(answer["fan"] + extra), "fan_not_multiple", None
        if rules.fan0:
            yield pays((1 << answer["fan"]) + extra), "doubled_once_more", None
    for fan, mistake, term in _wrong_fans(rules, request, answer):
        if fan >= rules.least:
            yield pays(rules.multiple(fan) + extra), mistake, term


def _payment(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    kongs = [k for k in rng.choices(KONGS, k=rng.choice((0, 1, 1, 2))) if rules.fan_of(k)]
    owed = kongs if rules.kong_in_out and level > 1 else []

    def ask(request: Json, answer: Json) -> Question | None:
        if owed and request.get("by") != SELF_DRAW:
            request = {**request, "payer_kongs": [owed]}
            answer = score(request)
        rows = answer["payments"]
        found = {_payment_key(rows): Choice(_payment_key(rows), rows)}
        for wrong, mistake, term in _wrong_payments(rules, request, answer):
            if len(found) == 4:
                break
            if wrong[0]["amount"] > 0:
                key = _payment_key(wrong)
                found.setdefault(key, Choice(key, wrong, mistake, term))
        if len(found) < 4:
            return None
        choices = sorted(found.values(), key=lambda c: (c.value[0]["amount"], c.value[0]["who"]))
        return Question(
            "payment", level, "", request, tuple(choices), _keys(choices), tuple(answer["assumed"])
        )

    return _win_draft(rules, level, stratum, rng, ask)


# ---------------------------------------------------------------- does it win


def _win_strata(rules: Rules, level: int) -> Iterator[Stratum]:
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


#: The choices of a question whether a hand wins.
WINS, DOES_NOT = "yes", "no"


def _other_tile(made: _Made, rng: Random, joker: Tile | None, suits: Collection[int]) -> _Made:
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


def _suits(made: _Made, joker: Tile | None) -> set[int]:
    tiles = [*made.tiles, made.win, *(m.tile for m in made.melds)]
    return {t // 9 for t in tiles if t != joker}


def _third_suit(made: _Made, rng: Random, joker: Tile | None) -> _Made | None:
    """The same hand with one set of a suit carried over to the suit that is missing."""
    missing = sorted(set(range(3)) - _suits(made, joker))
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


def _wins(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    joker, twist = rules.joker_tile, stratum.twist
    whole = _hand_of(rules, level, stratum, rng, 3)
    if whole is None:
        return None
    made: _Made | None = whole
    if twist == "broken":
        made = _other_tile(whole, rng, joker, _suits(whole, joker))
    elif twist == "third_suit":
        made = _third_suit(whole, rng, joker)
    if made is None:
        return None
    void = SUITS[rng.choice(sorted({t // 9 for t in made.tiles}))] if twist == "void" else ""
    request = _asking(rules, made.hand, void=void)

    def ask() -> Question | None:
        if not _as_planned(whole, stratum, rules.joker):
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

    return _Draft(made.key, ask)


# ---------------------------------------------------------------- waits


def _wait_strata(rules: Rules, level: int) -> Iterator[Stratum]:
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


_WAIT_COUNTS: dict[str, Callable[[int], bool]] = {
    "one_wait": lambda n: n == 1,
    "two_waits": lambda n: n == 2,
    "three_waits": lambda n: n == 3,
    "four_waits": lambda n: n == 4,
    "five_waits": lambda n: n >= 5,
    "many_waits": lambda n: n >= 2,
    "held_quad": lambda n: n >= 1,
}


def _only_here(tiles: Sequence[Tile], stratum: Stratum) -> bool:
    """Whether a waiting hand belongs to no other stratum: with pairs or four alike as it says."""
    counts = [tiles.count(t) for t in set(tiles)]
    paired = sum(n // 2 for n in counts) == 6
    return paired == (stratum.shape in _PAIRED) and (paired or (4 in counts) == bool(stratum.roots))


def _beside_quad(rng: Random, joker: Tile | None) -> _Made | None:
    """A hand that waits on both sides of a run, one of them held four times in a kong."""
    made = _standard(Stratum(PING_HU, kongs=1), rng, 3)
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


def _waits(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    joker = rules.joker_tile
    quad = stratum.twist == "held_quad"
    made = _beside_quad(rng, joker) if quad else _hand_of(rules, level, stratum, rng, 4)
    if made is None:
        return None

    def ask() -> Question | None:
        if not quad and not _as_planned(made, stratum, rules.joker):
            return None
        hand = made.waiting
        if not quad and not _only_here(hand.tiles, stratum):
            return None
        request = _asking(rules, hand)
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
            open_to_all = _merged(rules, {"dead_waits": "exposed_count"})
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
        return Question("waits", level, "", request, choices, _keys(choices))

    return _Draft(made.waiting_key, ask)


# ---------------------------------------------------------------- best discard


def _discard_strata(rules: Rules, level: int) -> Iterator[Stratum]:
    if level == 1:
        yield Stratum(twist="stray")
        yield Stratum(twist="loose")
        yield Stratum("qi_dui", twist="loose")
    elif level == 2:
        yield Stratum(twist="loose")
        yield Stratum("dui_dui_hu", twist="loose")
        yield Stratum("qi_dui", twist="loose")
        yield Stratum("qing_yi_se", twist="loose")
        yield Stratum("qing_yi_se", twist="stray")
    else:
        yield Stratum("qing_yi_se", twist="choice")
        yield Stratum("qing_yi_se", roots=1, twist="choice")
        yield Stratum("qing_qi_dui", twist="choice")
        yield Stratum("qing_dui", twist="choice")
        yield Stratum(twist="choice")
        if rules.joker:
            yield Stratum(jokers=1, twist="choice")


#: How many exchanges of one tile are tried with one hand.
_EXCHANGES = 48


def _best_by_far(discards: Sequence[Json]) -> bool:
    """Whether no other discard is better than the first in value or in tiles, nor as good in both.

    So the answer does not depend on whether somebody plays for value or for a quick win.
    """

    def worth(discard: Json) -> tuple[int, int]:
        waits = discard["waits"]
        return waits[0]["multiple"], sum(wait["left"] for wait in waits)

    value, left = worth(discards[0])
    for other in discards[1:]:
        its_value, its_left = worth(other)
        if its_value > value or its_left > left or (its_value, its_left) == (value, left):
            return False
    return left > 0


def _discard(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Iterator[_Draft]:
    """Winning hands with one tile exchanged: full hands that may be ready after a discard."""
    joker = rules.joker_tile
    whole = _hand_of(rules, level, stratum, rng, 2)
    if whole is None:
        return
    suits = _suits(whole, joker)
    if stratum.twist == "stray":
        suits = set(range(3)) - suits
    if not suits or not _as_planned(whole, stratum, rules.joker):
        return
    for _ in range(_EXCHANGES):
        made = _other_tile(whole, rng, joker, suits)
        full = canonical(Hand(made.hand.concealed, made.melds))
        yield _Draft(
            f"{full.tiles}{full.melds}", partial(_ask_discard, rules, level, stratum, full)
        )


def _ask_discard(rules: Rules, level: int, stratum: Stratum, full: Hand) -> Question | None:
    request = _asking(rules, full)
    found = score(request).get("discards", ())
    if len(found) <= (stratum.twist == "choice") or not _best_by_far(found):
        return None
    best = found[0]["tile"]
    ready = {discard["tile"] for discard in found}
    choices = tuple(
        Choice(
            name, name, RIGHT if name == best else "lesser_wait" if name in ready else "not_ready"
        )
        for name in (TILE_NAMES[t] for t in sorted(set(full.concealed)))
        if name != rules.joker
    )
    return Question("discard", level, "", request, choices, (best,))


# ---------------------------------------------------------------- what changes if


def _change_strata(rules: Rules, level: int) -> Iterator[Stratum]:
    yield Stratum(twist="self_draw")
    yield Stratum(twist="one_suit")
    if level > 1:
        if any(rules.fan_of(kind) for kind in KONGS):
            yield Stratum("dui_dui_hu", twist="kong")
            yield Stratum(PING_HU, twist="kong")
        yield Stratum("qing_yi_se", twist="other_wait")
        yield Stratum("dui_dui_hu", twist="other_wait")
    if level > 2:
        for luck in ("gang_shang_hua", "gang_shang_pao", "hai_di"):
            if rules.fan_of(luck, EXPOSED_KONG):
                yield Stratum("dui_dui_hu", kongs=luck == "gang_shang_hua", twist=luck)
        if rules.fan_of("qiang_gang"):
            yield Stratum(twist="qiang_gang")
        yield Stratum("qing_dui", twist="cap")
        yield Stratum("qing_yi_se", twist="ruleset")
        yield Stratum("qing_qi_dui", twist="ruleset")
        yield Stratum("qi_dui", twist="one_suit")


def _one_suit(made: _Made, joker: Tile | None) -> _Made | None:
    """The tiles of the smaller suit carried over to the other one; None where they do not fit."""
    suits = sorted(_suits(made, joker))
    if len(suits) != 2:
        return None
    every = [*made.tiles, made.win, *(m.tile for m in made.melds for _ in range(m.size))]
    kept = max(suits, key=lambda s: sum(t // 9 == s for t in every))

    def carried(tile: Tile) -> Tile:
        return tile if tile == joker or tile // 9 == kept else 9 * kept + tile % 9

    moved = [carried(t) for t in every]
    if any(moved.count(t) > COPIES for t in moved) or (joker in moved and joker not in every):
        return None
    melds = tuple(replace(m, tile=carried(m.tile)) for m in made.melds)
    return _Made(tuple(carried(t) for t in made.tiles), melds, carried(made.win))


_Change = tuple[Json, Json, str]


def _kong_instead(rules: Rules, made: _Made, rng: Random) -> _Change | None:
    held = [*made.tiles, made.win]
    pungs = [m for m in made.melds if m.kind == PUNG and m.tile not in held]
    if not pungs:
        return None
    pung = rng.choice(pungs)
    kind = rng.choice([k for k in KONGS if rules.fan_of(k) is not None])
    melds = tuple(replace(m, kind=kind) if m is pung else m for m in made.melds)
    after = replace(made, melds=melds)
    return _asking(rules, made.hand), _asking(rules, after.hand), f"kong.{kind}"


def _other_wait(rules: Rules, made: _Made) -> _Change | None:
    answer = score(_asking(rules, made.waiting))
    if answer["status"] != "ready" or len(answer["waits"]) < 2:
        return None
    values = {wait["tile"]: wait["multiple"] for wait in answer["waits"] if wait["left"]}
    won = TILE_NAMES[made.win]
    others = [tile for tile in values if values[tile] != values.get(won, values[tile])]
    if not others:
        return None
    after = replace(made, win=TILE_NAMES.index(others[0]))
    return _asking(rules, made.hand), _asking(rules, after.hand), "other_wait"


def _changes(rules: Rules, stratum: Stratum, made: _Made, rng: Random) -> _Change | None:
    """The request before and after a change, and the code of the change."""
    twist, hand = stratum.twist, made.hand
    before = _asking(rules, hand)
    if twist == "self_draw":
        return before, _asking(rules, hand, by=SELF_DRAW), twist
    if twist == "one_suit":
        pure = _one_suit(made, rules.joker_tile)
        return None if pure is None else (before, _asking(rules, pure.hand), twist)
    if twist == "kong":
        return _kong_instead(rules, made, rng)
    if twist == "other_wait":
        return _other_wait(rules, made)
    if twist == GANG_SHANG_HUA:
        # The giver of a 直杠 may pay alone; the question asks what each player pays.
        apart = () if rules.bloom == "self_draw" else (EXPOSED_KONG,)
        kinds = [m.kind for m in made.melds if m.is_kong and m.kind not in apart]
        if not kinds:
            return None
        kind = rng.choice(kinds)
        drawn = _asking(rules, hand, by=SELF_DRAW)
        return drawn, {**drawn, "after_kong": kind}, f"{twist}.{kind}"
    if twist == "qiang_gang":
        if made.win in (*made.tiles, *(m.tile for m in made.melds)):
            return None
        return before, {**before, "by": ROB_KONG}, twist
    if twist == "gang_shang_pao":
        return before, {**before, "kong_discard": True}, twist
    if twist == "hai_di":
        return before, {**before, "last_tile": True}, twist
    if twist == "cap":
        fan = score(before)["uncapped_fan"]
        cap = None if rules.cap is not None and rules.cap < fan else max(rules.least, fan - 1)
        return before, {**before, "options": _merged(rules, {"cap": cap})}, f"cap.{cap}"
    others = [r for r in ids() if r != rules.id and load(r).joker == rules.joker]
    other = rng.choice(others or [r for r in ids() if r != rules.id])
    return before, {"ruleset": other, "hand": before["hand"]}, f"ruleset.{other}"


def _change(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    made = _hand_of(rules, level, stratum, rng, 3)
    if made is None:
        return None

    def ask() -> Question | None:
        if not _as_planned(made, stratum, rules.joker):
            return None
        changed = _changes(rules, stratum, made, rng)
        if changed is None:
            return None
        before, after, code = changed
        old, new = score(before), score(after)
        if old["status"] != "win" or new["status"] != "win":
            return None
        assumed = tuple(dict.fromkeys((*old["assumed"], *new["assumed"])))
        then = rules
        if after["ruleset"] != rules.id or after.get("options") != before.get("options"):
            then = load(after["ruleset"]).override(after.get("options", {}))
        bare = then.multiple(new["fan"])
        extra = new["multiple"] - bare
        wrongs: list[_Wrong] = [(old["multiple"], "nothing_changes", None)]
        if extra:
            wrongs.append((bare, "forgot_self_draw_base", None))
        if new["uncapped_fan"] > new["fan"]:
            wrongs.append((then.multiple(new["uncapped_fan"]) + extra, "ignored_cap", None))
        wrongs += [
            (then.multiple(fan) + extra, mistake, term)
            for fan, mistake, term in _wrong_fans(then, after, new)
            if fan >= then.least
        ]
        choices = _numbers(new["multiple"], wrongs, 1)
        if len(choices) < 4 or (stratum.twist == "ruleset" and old["multiple"] == new["multiple"]):
            return None
        return Question(
            "change", level, "", before, choices, _keys(choices), assumed, code, after
        )

    return _Draft(made.key, ask)


# ---------------------------------------------------------------- pig, not ready, ready

#: How a hand can stand when the wall is empty.
READY, NOT_READY, FLOWER_PIG = "ready", "not_ready", "flower_pig"
STANDINGS: tuple[str, ...] = (FLOWER_PIG, NOT_READY, READY)


def _pig_strata(rules: Rules, level: int) -> Iterator[Stratum]:
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


def _own_quad(made: _Made, rng: Random) -> _Made | None:
    """One tile left beside four melds, the same as the tile of one of its own pungs."""
    tiles = [m.tile for m in made.melds if m.kind == PUNG]
    if len(made.melds) != 4 or not tiles:
        return None
    return replace(made, tiles=(rng.choice(tiles),))


def _pig(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    joker, twist = rules.joker_tile, stratum.twist
    whole = _hand_of(rules, level, stratum, rng, 4)
    if whole is None:
        return None
    made = whole
    suits = _suits(made, joker)
    absent = sorted(set(range(3)) - suits)
    void = absent[0] if len(absent) == 1 and (level > 1 or twist != "three_suits") else None
    if twist == NOT_READY:
        made = _other_tile(made, rng, joker, suits)
        if level > 1 and rng.random() < 0.5:
            made = _other_tile(made, rng, joker, suits)
    elif twist == "three_suits":
        made = _other_tile(made, rng, joker, absent)
        void = None if rng.random() < 0.5 else void
    elif twist == "void_left":
        counts = {s: sum(t // 9 == s for t in made.tiles if t != joker) for s in suits}
        if any(m.tile // 9 == min(counts, key=lambda s: counts[s]) for m in made.melds):
            return None
        void = min(counts, key=lambda s: counts[s])
    elif twist == "own_quad":
        quad = _own_quad(made, rng)
        if quad is None:
            return None
        made = quad
    expected = {READY: READY, NOT_READY: NOT_READY, "own_quad": ""}.get(twist, FLOWER_PIG)

    def ask() -> Question | None:
        if not _as_planned(whole, stratum, rules.joker):
            return None
        request = _asking(rules, made.waiting, void="" if void is None else SUITS[void])
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
            Choice(key, key, RIGHT if key == right else mistakes[right, key]) for key in STANDINGS
        )
        return Question("pig", level, "", request, choices, (right,))

    return _Draft(made.waiting_key, ask)


# ---------------------------------------------------------------- the end of a round


def _settle_strata(rules: Rules, level: int) -> Iterator[Stratum]:
    yield Stratum(twist="check")
    yield Stratum(twist="discard_win")
    yield Stratum(twist="self_draw_win")
    if level > 1:
        yield Stratum(twist="pig")
        yield Stratum(twist="shared")
        if not rules.kong_in_out:
            yield Stratum(twist="kong")
            yield Stratum(twist="refund")
        if rules.difference:
            yield Stratum(twist="difference")
    if level > 2:
        yield Stratum(twist="pigs")
        yield Stratum(twist="robbed")
        yield Stratum(twist="by_hand")
        yield Stratum(twist="bloom")
        if rules.kong_in_out:
            yield Stratum(twist="kong_owed")
        else:
            yield Stratum(twist="transfer")
        if not rules.blood_flow:
            yield Stratum(twist="three_wins")


def _some_fan(rules: Rules, level: int, rng: Random) -> int:
    if rules.scale == "linear":
        return rng.choice((1, 3, 5, 8, 10)[: 3 + level])
    return rules.fan0 + rng.choice((0, 1, 2, 3, 4, 5)[: 3 + level])


class _Round:
    """A round being made up: its events, who has won, who is still in."""

    def __init__(self, rules: Rules, level: int, rng: Random) -> None:
        self.rules, self.level, self.rng = rules, level, rng
        self.events: list[Json] = []
        self.won: list[int] = []
        self.seats = rng.sample(_SEATS, 4)

    def fan(self) -> int:
        return _some_fan(self.rules, self.level, self.rng)

    def kong(self, seat: int, giver: int, kind: str | None = None) -> str:
        kind = kind or self.rng.choice(KONGS)
        event: Json = {"type": "kong", "seat": seat, "kind": kind}
        if kind == EXPOSED_KONG:
            event["from"] = giver
        self.events.append(event)
        return kind

    def win(self, winners: Sequence[int], by: str, **more: Any) -> None:
        event = {"type": "win", "by": by, **more}
        event["winners"] = [{"seat": seat, "fan": self.fan()} for seat in winners]
        self.events.append(event)
        self.won += winners

    def draw(self, states: Sequence[str], by_hand: str = "") -> None:
        """The wall is empty: the seats that have not won stand as told, the last state for all."""
        hands: Json = {}
        left = [seat for seat in self.seats if seat not in self.won]
        for at, seat in enumerate(left):
            state = states[min(at, len(states) - 1)]
            hands[str(seat)] = {"state": state}
            if state == READY:
                hands[str(seat)] = {"hand": by_hand} if by_hand else {**hands[str(seat)]}
                if by_hand:
                    by_hand = ""
                else:
                    hands[str(seat)]["fan"] = self.fan()
        self.events.append({"type": "draw", "hands": dict(sorted(hands.items()))})


def _waiting_hand(rules: Rules, rng: Random) -> str | None:
    """A ready hand with more than one wait, to be valued at the end of the wall."""
    stratum = Stratum(rng.choice((PING_HU, "qing_yi_se", "dui_dui_hu")))
    made = _build(stratum, rng, rules.joker_tile, most_melds=2)
    if made is None or not _as_planned(made, stratum, rules.joker):
        return None
    answer = score(_asking(rules, made.waiting))
    several = answer["status"] == "ready" and len({w["multiple"] for w in answer["waits"]}) > 1
    return format_hand(made.waiting) if several else None


def _ending(rules: Rules, level: int, twist: str, rng: Random) -> list[Json] | None:
    """The events of a round that ends as the stratum asks."""
    made = _Round(rules, level, rng)
    a, b, c, d = made.seats
    some = [rng.choice((READY, NOT_READY)), rng.choice((READY, NOT_READY))]
    if twist == "check":
        made.draw([READY, NOT_READY, *some])
    elif twist == "discard_win":
        made.win([a], "discard", **{"from": b})
        made.draw([READY, NOT_READY, some[0]])
    elif twist == "self_draw_win":
        made.win([a], SELF_DRAW)
        made.draw([READY, NOT_READY, some[0]])
    elif twist == "shared":
        made.win([a, b], "discard", **{"from": rng.choice((c, d))})
        made.draw([READY, NOT_READY])
    elif twist == "pig":
        if rng.random() < 0.5:
            made.win([d], "discard", **{"from": c})
        made.draw([READY, FLOWER_PIG, NOT_READY, READY])
    elif twist == "pigs":
        made.kong(a, b)
        made.kong(b, c)
        made.draw([READY, FLOWER_PIG, FLOWER_PIG, some[0]])
    elif twist in ("kong", "refund"):
        owner = a if twist == "kong" else b
        made.kong(owner, c)
        if rng.random() < 0.5:
            made.kong(a, d)
        made.draw([READY, NOT_READY, *some])
    elif twist == "kong_owed":
        made.kong(b, a)
        if rng.random() < 0.5:
            made.kong(c, d)
        made.win([a], rng.choice((SELF_DRAW, "discard")))
        if made.events[-1]["by"] == "discard":
            made.events[-1]["from"] = b
        made.draw([READY, NOT_READY, some[0]])
    elif twist == "difference":
        if rng.random() < 0.4:
            made.win([d], SELF_DRAW)
        made.draw([READY, READY, READY, some[0]])
    elif twist == "transfer":
        made.kong(a, d)
        winners = [b, c] if rng.random() < 0.3 else [b]
        made.win(winners, "discard", **{"from": a}, kong_discard=True)
        made.draw([NOT_READY, READY, some[0]])
    elif twist == "robbed":
        made.events.append({"type": "kong", "seat": a, "kind": ADDED_KONG, "robbed": True})
        made.win([b], ROB_KONG, **{"from": a})
        made.draw([NOT_READY, READY, some[0]])
    elif twist == "bloom":
        made.kong(a, b, EXPOSED_KONG)
        made.win([a], SELF_DRAW, after_kong=EXPOSED_KONG)
        made.draw([READY, NOT_READY, some[0]])
    elif twist == "three_wins":
        made.kong(d, a)
        made.win([a], "discard", **{"from": d})
        made.win([b], SELF_DRAW)
        made.win([c], "discard", **{"from": d})
    else:
        hand = _waiting_hand(rules, rng)
        if hand is None:
            return None
        if rng.random() < 0.5:
            made.kong(rng.choice((a, b)), d)
        made.draw([READY, NOT_READY, *some], by_hand=hand)
    return made.events


def _misread(rules: Rules) -> Iterator[tuple[Json, str]]:
    """Rules that people forget or mix up at the end, as options, each with the mistake's code."""
    yield {"cap": None}, "ignored_cap"
    if rules.base != 1:
        yield {"base": 1}, "forgot_base"
    yield {"call_check": "none"}, "forgot_check"
    yield {"pig": {"points": 0, "times_best": 0}}, "forgot_pig"
    yield {"pig": {"also_not_ready": not rules.pig.also_not_ready}}, "pig_checked"
    yield {"refund": not rules.refund}, "forgot_refund" if rules.refund else "refunded"
    wrong = "forgot_difference" if rules.difference else "paid_difference"
    yield {"difference": not rules.difference}, wrong
    kongs = dict.fromkeys(("exposed", "exposed_others", "added", "concealed"), 0)
    yield {"kong_points": kongs}, "forgot_kongs"
    yield {"kong_transfer": "none"}, "forgot_transfer"
    if rules.kong_in_out:
        yield {"kong_in_out": False}, "forgot_payer_kongs"
    if rules.self_draw_bonus == "base":
        yield {"self_draw_bonus": "none"}, "forgot_self_draw_base"
    for bloom in ("self_draw", "giver_pays_all"):
        if bloom != rules.bloom:
            yield {"bloom": bloom}, "bloom_otherwise"
    for to in ("non_pigs", "ready"):
        if to != rules.pig.to:
            yield {"pig": {"to": to}}, "pig_to_others"


def _cents(amount: int | float | Decimal) -> int:
    """An amount of an answer in hundredths again, as sums of floats would not be exact."""
    return int(100 * Fraction(str(amount)))


def _total(cents: int, mistake: str = RIGHT) -> Choice:
    amount = number(cents)
    return Choice(str(amount), amount, mistake)


def _settle(rules: Rules, level: int, stratum: Stratum, rng: Random) -> _Draft | None:
    events = _ending(rules, level, stratum.twist, rng)
    if events is None:
        return None
    request: Json = {"ruleset": rules.id, **_options(rules), "dealer": 0, "events": events}
    seat = rng.choice(_SEATS)

    def ask() -> Question | None:
        answer = settle(request)
        if answer["status"] != "settled" or answer["open"] or answer["warnings"]:
            return None
        right = _cents(answer["totals"][seat])
        if not right:
            return None
        found = {right: _total(right)}
        for options, mistake in _misread(rules):
            other = settle({**request, "options": _merged(rules, options)})
            if other["status"] == "settled" and len(found) < 4:
                value = _cents(other["totals"][seat])
                found.setdefault(value, _total(value, mistake))
        base = rules.base_cents or 100
        for step in (-right - right, base, -base, 2 * base, -2 * base, 3 * base):
            if len(found) < 4:
                wrong = "wrong_way" if step == -right - right else "miscounted"
                value = right + step
                found.setdefault(value, _total(value, wrong))
        choices = tuple(found[value] for value in sorted(found))
        # Who deals next is not asked.
        assumed = tuple(key for key in answer["assumed"] if key != "dealer")
        return Question(
            "settle", level, "", request, choices, (found[right].key,), assumed, seat=seat
        )

    return _Draft(f"{events}{seat}", ask)


_STRATA: dict[str, Callable[[Rules, int], Iterator[Stratum]]] = {
    "win": _win_strata,
    "waits": _wait_strata,
    "discard": _discard_strata,
    "change": _change_strata,
    "pig": _pig_strata,
    "settle": _settle_strata,
}
_MAKERS: dict[str, _Maker] = {
    "win": _one(_wins),
    "fan": _one(_fan),
    "patterns": _one(_patterns),
    "waits": _one(_waits),
    "discard": _discard,
    "change": _one(_change),
    "payment": _one(_payment),
    "pig": _one(_pig),
    "settle": _one(_settle),
}
