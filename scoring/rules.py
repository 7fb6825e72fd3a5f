"""Rule systems (规则): frozen, validated values with a table's own changes on top.

A system is one TOML file in ``rulesets/``; its keys are the fields of :class:`Rules`, each with
what it takes, so a file and a house rule pass through the same checks.  ``load("chengdu")`` reads
a preset, ``rules.override({...})`` makes the house's version of it,
``rules.changes()`` says what differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from .hand import BLESSINGS, DISCARD, KONGS, SELF_DRAW, Win
from .patterns import (
    BONUSES,
    GANG_SHANG_HUA,
    HAI_DI,
    OUTSIDE_HANDS,
    PATTERNS,
    PING_HU,
    READING_DEPENDENT,
    SEVEN_PAIRS,
    SI_JI,
    TERMS,
    ZI_MO,
)
from .tiles import BIRD, COPIES, SIZES, SUITS, TILE_NAMES, USUAL, ZHONG, Size, Tile
from .words import shortened

RULESETS = Path(__file__).with_name("rulesets")

MAX_FAN = 99
MAX_POINTS = 9999
MAX_BASE = Decimal(1_000_000)
#: 花猪 under ``points = "cap"`` while nothing is capped, in units of base.
UNCAPPED_PIG = 8
#: What a runaway (逃跑) pays where the system does not say, in units of base.
UNSAID_ESCAPE_POINTS = 16
#: What four jokers are worth, in 番, where nothing caps a hand.
SI_JI_UNCAPPED = 6
#: The tiles that a table may make jokers (任用), by what the option calls them.
JOKERS: dict[str, Tile] = {"1s": BIRD, "zhong": ZHONG}
#: No hand holds so many jokers.
NEVER = COPIES + 1

#: Terms whose worth may differ by kind: 杠上花 by the kong before it, 海底 by the way of winning.
KINDS: dict[str, tuple[str, ...]] = {GANG_SHANG_HUA: KONGS, HAI_DI: (SELF_DRAW, DISCARD)}
#: A fan value: one number, or one number per kind, None where that kind does not count.
FanValue = int | Mapping[str, int | None]


class RulesError(ValueError):
    """A rule file that cannot be used; the message names the file and the key."""


class OptionErrors(ValueError):
    """House rules that cannot be used; ``errors`` are the contract's error objects."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__("; ".join(f"{e['code']}: {e['option']}" for e in errors))
        self.errors = errors


class UnknownRuleset(KeyError):
    """No rule file has this id."""


class _Bad(ValueError):
    """A value that an option does not take."""


_WRITTEN: dict[Any, str] = {None: "null", True: "true", False: "false"}


class Takes(NamedTuple):
    """What an option takes: certain values as they are, and numbers of a range.

    ``places`` is how many decimals a number may have; ``also`` are further values.
    """

    also: tuple[Any, ...] = ()
    low: int = 0
    high: int | None = None
    places: int = 0

    @property
    def expected(self) -> str:
        """The same in the contract's own words: ``0..99|null``, ``max|min|none``."""
        if self.high is None:
            return "|".join(_WRITTEN.get(value, str(value)) for value in self.also)
        least = f"{self.low}..{self.high}" + (", two decimals" if self.places else "")
        return least + ("|null" if None in self.also else "")

    def read(self, value: Any) -> Any:
        """The value as the rules hold it; raises :class:`_Bad`."""
        for known in self.also:
            if value is known or (isinstance(value, str) and value == known):
                return known
            if type(known) is int and whole(value, known, known) is not None:
                return known
        found = None
        if self.high is not None:
            found = money(value) if self.places else whole(value, self.low, self.high)
        if found is None:
            raise _Bad(self.expected)
        return found


class Lists(Takes):
    """What ``excludes`` takes: patterns for each bonus; an address writes ``-`` and ``.``."""

    @property
    def expected(self) -> str:
        return "{bonus id: [pattern ids]}"

    def read(self, value: Any) -> Mapping[str, tuple[str, ...]]:
        if isinstance(value, str):
            rows = [row.split("-") for row in value.split(".")]
            value = {row[0]: row[1:] for row in rows}
        if not isinstance(value, Mapping):
            value = {} if value is None or value is False else {None: None}
        if not all(_is_list_of_patterns(patterns) for patterns in value.values()):
            raise _Bad(self.expected)
        bonuses = [term.id for term in BONUSES]
        if any(bonus not in bonuses for bonus in value):
            raise _Bad(self.expected)
        ordered = {
            bonus: tuple(term.id for term in PATTERNS if term.id in value[bonus])
            for bonus in bonuses
            if value.get(bonus)
        }
        return MappingProxyType(ordered)


def _is_list_of_patterns(value: Any) -> bool:
    known = [term.id for term in PATTERNS]
    return isinstance(value, list | tuple) and all(pattern in known for pattern in value)


def whole(value: Any, low: int, high: int) -> int | None:
    """A whole number in a range, however it is written; None for anything else.

    Truth values are no numbers.

    >>> whole(3.0, 0, 9), whole(Decimal("3.5"), 0, 9), whole(True, 0, 9)
    (3, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, float)):
        return None
    if isinstance(value, Decimal) and not value.is_finite():
        return None  # some of them cannot even be compared
    # The range first: nothing else is asked of a number of a thousand digits.
    return int(value) if low <= value <= high and value == int(value) else None


def money(value: Any) -> Decimal | None:
    """A sum of at most two decimals, however it is written; None for anything else.

    >>> money(12.50), money(0.125)
    (Decimal('12.5'), None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, float)):
        return None
    number = value if isinstance(value, Decimal) else Decimal(str(value))
    if not number.is_finite() or not 0 <= number <= MAX_BASE or number != round(number, 2):
        return None
    number = number.normalize()
    return number.quantize(Decimal(1)) if number == number.to_integral() else number


FAN = Takes(high=MAX_FAN)
FAN_OR_OFF = Takes((None,), high=MAX_FAN)
POINTS = Takes(high=MAX_POINTS)
FLAG = Takes((True, False))
MONEY = Takes(high=int(MAX_BASE), places=2)


def _option(default: Any, takes: Takes | type, group: str = "", *, round_only: bool = False) -> Any:
    """A field that a table may set; those of a table of values belong to its group, and are
    ``round_only`` as it is: they change payments of a round and never the value of one hand."""
    more = {"takes": takes, "group": group, "round_only": round_only}
    return field(default=default, metadata=more)


def _choice(group: str, default: Any, *values: Any, round_only: bool = False) -> Any:
    return _option(default, Takes(values), group, round_only=round_only)


@dataclass(frozen=True, slots=True)
class Pig:
    """查花猪: what a flower pig pays, in units of base, and to whom.

    ``points`` may be ``"cap"``: the multiple of the cap.  ``times_best`` is how many times the
    recipient's best wait, if that is more.
    """

    points: int | str = _option(0, Takes(("cap",), high=MAX_POINTS))
    times_best: int = _option(0, POINTS)
    to: str = _choice("", "non_pigs", "non_pigs", "unwon", "ready", "nobody")
    also_not_ready: bool = _option(False, FLAG)


@dataclass(frozen=True, slots=True)
class KongPoints:
    """刮风下雨: kong money in units of base; ``exposed_others`` is 擦挂."""

    exposed: int = _option(0, POINTS)
    exposed_others: int = _option(0, POINTS)
    added: int = _option(0, POINTS)
    concealed: int = _option(0, POINTS)


@dataclass(frozen=True, slots=True)
class Ruling:
    """读法: how these rules read their source where it is silent or can be read in two ways.

    ``on`` are the terms and options that rest on it, ``also`` those whose page mentions it, each as
    in ``assumed``.  ``text`` says in one sentence what the source leaves open and what is taken
    here (a message id).  ``options`` are the house rules that take the other reading; none where no
    option goes that way.  ``other`` says what they do where their names alone would not.
    """

    on: tuple[str, ...]
    text: str
    also: tuple[str, ...] = ()
    other: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """The options that take the other reading, by path."""
        return tuple(path for path, _ in _leaves(self.options))

    @property
    def in_a_hand(self) -> bool:
        """Whether the value of one hand, or who pays for it, can rest on it."""
        return any(not OPTIONS[path].round_only for path in self.paths)


@dataclass(frozen=True, slots=True)
class FalseWin:
    """诈和: what a false win pays, in units of base, and to whom.

    ``returns_kongs``: kong money that is still his goes back to those who paid it.
    """

    points: int = _option(8, POINTS)
    to: str = _choice("", "unwon", "unwon", "nobody")
    returns_kongs: bool = _option(False, FLAG)


@dataclass(frozen=True)
class Rules:
    """规则: one rule system, or a table's own version of it.

    The fields that are options can be overridden; the others belong to the file.
    ``fans`` holds only the terms that are switched on.  ``preset`` is the untouched system.

    >>> load("chengdu").multiple(3)
    8
    """

    id: str
    name: str
    short: str
    source: str
    combine: str
    fan0: int
    fans: Mapping[str, FanValue] = field(default_factory=dict)
    players: int = _choice("table", 4, 4, 3, 2)
    suits: int = _choice("table", len(SUITS), len(SUITS), 2)
    sets: int = _choice("table", next(iter(SIZES)), *SIZES)
    scale: str = _choice("value", "double", "double", "linear")
    blessing_adds: bool = _option(False, FLAG, "value")
    blessing_alone: bool = _option(False, FLAG, "value")
    di_hu_by: str = _choice("value", SELF_DRAW, SELF_DRAW, "first_discard", "both")
    excludes: Mapping[str, tuple[str, ...]] = field(
        default_factory=lambda: MappingProxyType({}),
        metadata={"takes": Lists(), "group": "value", "round_only": False},
    )
    joker: str | None = _option(None, Takes((*JOKERS, None)), "value")
    base: Decimal = _option(Decimal(1), MONEY, "cap")
    cap: int | None = _option(None, FAN_OR_OFF, "cap")
    min_fan: int | None = _option(None, FAN_OR_OFF, "cap")
    self_draw_bonus: str = _choice(
        "self_draw", "none", "none", "base", "fan", "base_capped", "double"
    )
    kong_points: KongPoints = _option(KongPoints(), KongPoints, "kong", round_only=True)
    late_added_kong_free: bool = _option(False, FLAG, "kong", round_only=True)
    kong_in_out: bool = _option(False, FLAG, "kong", round_only=True)
    kong_transfer: str = _choice(
        "kong", "each", "each", "split", "undo", "none", "all", round_only=True
    )
    kong_transfer_several: bool = _option(True, FLAG, "kong", round_only=True)
    kong_discard_robbed: bool = _option(False, FLAG, "kong")
    bloom: str = _choice(
        "kong", "self_draw", "self_draw", "discard", "giver_pays_all", "giver_self_draw"
    )
    blood_flow: bool = _option(False, FLAG, "wall", round_only=True)
    round_ends: str = _choice(
        "wall", "three_wins", "three_wins", "wall", "first_win", round_only=True
    )
    pig: Pig = _option(Pig(), Pig, "wall", round_only=True)
    call_check: str = _choice("wall", "max", "max", "min", "none", round_only=True)
    call_check_winners: bool = _option(False, FLAG, "wall", round_only=True)
    check_by: str = _choice("wall", "discard", "discard", "self_draw", round_only=True)
    check_kongs: bool = _option(True, FLAG, "wall", round_only=True)
    passive_pig: str = _choice("wall", "pig", "pig", "not_ready", round_only=True)
    difference: bool = _option(False, FLAG, "wall", round_only=True)
    refund: bool = _option(True, FLAG, "wall", round_only=True)
    dead_waits: str = _choice("wall", "exclude", "exclude", "exposed_count", "seen")
    next_dealer: str = _choice("round", "first_winner", "first_winner", "rotate", round_only=True)
    nobody_won: str = _choice("round", "stays", "stays", "next", round_only=True)
    false_win: FalseWin = _option(FalseWin(), FalseWin, "round", round_only=True)
    #: Blessings that the system rules out; switching the term on admits them.
    refuses: tuple[str, ...] = ()
    #: 逃跑: what a player who leaves pays each other unwon player, in units of base; None = the
    #: system has no such rule.
    escape_points: int | None = None
    #: Ids of values and options that the source does not state.
    assumed: frozenset[str] = frozenset()
    #: Play rules of the rules pages: message ids.
    play: tuple[str, ...] = ()
    readings: tuple[Ruling, ...] = ()
    preset: Rules | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, tuple((path, repr(v)) for path, v in self.values.items())))

    @cached_property
    def joker_tile(self) -> Tile | None:
        """The tile that is a joker (幺鸡, 红中), or None."""
        return None if self.joker is None else JOKERS[self.joker]

    @property
    def joker_name(self) -> str | None:
        """The joker as a tile: ``"1s"``, ``"7z"`` or None."""
        return None if self.joker_tile is None else TILE_NAMES[self.joker_tile]

    @cached_property
    def jokers_that_win(self) -> int:
        """四幺鸡: so many jokers have won at once; 红中 never do.

        >>> load("yaoji").jokers_that_win, load("chengdu").jokers_that_win == NEVER
        (4, True)
        """
        return COPIES if self.joker_tile == BIRD else NEVER

    @cached_property
    def size(self) -> Size:
        """How large a winning hand is.

        >>> load("chengdu").override({"sets": 2}).size.full
        8
        """
        return SIZES[self.sets]

    @cached_property
    def reading_dependent(self) -> bool:
        """Whether a term is on that needs the sets of the reading (夹心五, 卡二条, 一条龙)."""
        return self.pungs_outside or any(term in self.fans for term in READING_DEPENDENT)

    @cached_property
    def pungs_outside(self) -> bool:
        """Whether one reading may have pungs alone and be outside, and both add up.

        Two suits have four terminals: too few for four pungs and a pair, enough for three.

        >>> table = {"fans": {"dai_yao_jiu": 2}, "sets": 3}
        >>> load("sbr").override(table).pungs_outside, load("laok").override(table).pungs_outside
        (True, False)
        """
        adds_up = self.combine == "sum" and self.sets < USUAL.sets
        return adds_up and any(term in self.fans for term in OUTSIDE_HANDS)

    def fan_of(self, term: str, kind: str | None = None) -> int | None:
        """What one of a term is worth, in fan, or None when it is off.

        ``kind`` is the kind of kong for 杠上花, the way of winning for 海底.

        >>> load("chengdu").fan_of("gang_shang_hua", "concealed_kong")
        3
        """
        value = self.fans.get(term)
        return None if value is None else _of_kind(value, kind)

    def fan_for(self, term: str, win: Win) -> int | None:
        """The same for a way of winning."""
        kind = SELF_DRAW if win.self_drawn else DISCARD
        return self.fan_of(term, win.after_kong if term == GANG_SHANG_HUA else kind)

    @cached_property
    def unstated(self) -> frozenset[str]:
        """The ids of ``assumed`` whose values the table has not set itself (推定).

        >>> sorted(load("yichang").override({"pig": {"points": 2}}).unstated)[:2]
        ['dealer', 'false_win.points']
        """
        preset = self.preset
        if preset is None:
            return self.assumed
        mine, theirs = self.values, preset.values
        of_tables = {k for k in _GROUPS if getattr(self, k) != getattr(preset, k)}
        return frozenset(
            k for k in self.assumed if mine.get(k) == theirs.get(k) and k not in of_tables
        )

    @cached_property
    def unstated_terms(self) -> frozenset[str]:
        """The terms among ``unstated``.

        >>> load("laok").unstated_terms
        frozenset({'ma'})
        """
        return frozenset(
            key.removeprefix("fans.") for key in self.unstated if key.startswith("fans.")
        )

    @cached_property
    def open_readings(self) -> tuple[Ruling, ...]:
        """The readings that the table has not settled itself: by setting one of their options, or
        one that the other reading cannot be with.

        >>> table = load("chengdu").override({"fans": {"gang_shang_hua": 1}})
        >>> len(load("chengdu").open_readings) - len(table.open_readings)
        1
        """
        changed = self.changed()
        return tuple(
            r
            for r in self.readings
            if not any(path in changed for path in r.paths) and self._takes(r.options)
        )

    def _takes(self, options: Mapping[str, Any]) -> bool:
        try:
            self.override(options)
        except OptionErrors:
            return False
        return True

    @property
    def least(self) -> int:
        """The least 番 of a hand: where doubling begins, or 0 where 番 is the multiple.

        >>> load("laok").least, load("yichang").least
        (1, 0)
        """
        return 0 if self.scale == "linear" else self.fan0

    @property
    def pig_points(self) -> int:
        """花猪: what a flower pig pays, in units of base; for ``"cap"`` the multiple of the cap.

        >>> load("jipin").pig_points
        8
        """
        if isinstance(self.pig.points, int):
            return self.pig.points
        return UNCAPPED_PIG if self.cap is None else self.multiple(self.cap)

    @property
    def runaway_points(self) -> int:
        """逃跑: what a runaway pays each other unwon player, in units of base, said or not.

        >>> load("laok").runaway_points, load("chengdu").runaway_points
        (16, 16)
        """
        return UNSAID_ESCAPE_POINTS if self.escape_points is None else self.escape_points

    @property
    def si_ji_fan(self) -> int:
        """四幺鸡: what four jokers are worth, before the cap; the cap where nothing is said.

        >>> load("yaoji").si_ji_fan
        6
        """
        own = self.fan_of(SI_JI)
        return own if own is not None else SI_JI_UNCAPPED if self.cap is None else self.cap

    def self_draw_units(self, fan: int, kongs: int = 0) -> int:
        """自摸: what a payer adds for a self-draw, in units of base.

        ``fan`` is the winner's, already capped, ``kongs`` the 番 that the payer's own kongs add.

        >>> capped = load("jipin").override({"self_draw_bonus": "base_capped"})
        >>> capped.self_draw_units(3), capped.self_draw_units(4)
        (1, 0)
        """
        if self.self_draw_bonus == "double":
            return self.multiple(fan + kongs)
        if self.self_draw_bonus == "base_capped":
            return int(self.cap is None or self.multiple(fan) < self.multiple(self.cap))
        return int(self.self_draw_bonus == "base")

    def capped(self, fan: int) -> int:
        """番 after the cap (封顶)."""
        return fan if self.cap is None or fan <= self.cap else self.cap

    def multiple(self, fan: int) -> int:
        """倍: what so many fan, already capped, are worth in units of base.

        >>> load("laok").multiple(4)
        8
        """
        if self.scale == "linear":
            return fan
        return 1 << (fan - self.fan0) if fan >= self.fan0 else 1

    def points(self, multiple: int) -> int | Decimal:
        """Exact points of a multiple: whole where they are whole, else with decimals.

        >>> load("laok").points(8)
        48
        """
        return exact(multiple * self.base_cents)

    @cached_property
    def base_cents(self) -> int:
        """The base in hundredths, so that money stays in whole numbers."""
        return int(self.base * 100)

    @cached_property
    def values(self) -> dict[str, Any]:
        """All options with their values in force, by path; of the terms those that are on."""
        found: dict[str, Any] = {f"fans.{term}": fan for term, fan in self.fans.items()}
        for path in OPTIONS:
            if not path.startswith("fans."):
                found[path] = attrgetter(path)(self)
        return found

    def options(self) -> dict[str, Any]:
        """All options with their values in force, as the contract writes them."""
        return {"fans": {}, **nested(self.values)}

    def changed(self) -> dict[str, Any]:
        """What differs from the preset, by path, in the order of the options; None: off.

        >>> load("chengdu").override({"fans": {"gen": None}, "cap": 4}).changed()
        {'fans.gen': None, 'cap': 4}
        """
        return dict(self._changed)

    @cached_property
    def _changed(self) -> dict[str, Any]:
        mine, theirs = self.values, (self.preset or self).values
        return {p: mine.get(p) for p in OPTIONS if mine.get(p) != theirs.get(p)}

    def changes(self) -> dict[str, Any]:
        """The same as the smallest ``options`` that make these rules.

        >>> load("chengdu").override({"cap": 4}).changes()
        {'cap': 4}
        """
        return nested(self._changed)

    def override(self, options: Mapping[str, Any]) -> Rules:
        """These rules with a table's options on top.

        Raises :class:`OptionErrors` with every unknown option and every value out of range.

        >>> load("chengdu").override({"fans": {"gen": 2}}).fan_of("gen")
        2
        """
        if not options:
            return self
        values, errors = _read_options(options)
        if not errors:
            known = _MADE.get(key := _key(self, values))
            if known is not None:
                return known
        made = self._with(values)
        for error in errors:
            if error["code"] == "bad_option":
                error["expected"] = made._range(error["option"]) or error["expected"]
        errors += made._conflicts()
        if errors:
            raise OptionErrors(errors)
        if len(_MADE) >= _MOST_MADE:
            _MADE.clear()
        return _MADE.setdefault(key, made)

    def at_table_of(self, other: Rules) -> Rules:
        """These rules with the players, suits, sets and 红中 of another table.

        >>> load("laok").at_table_of(load("chengdu").override({"sets": 2})).changes()
        {'sets': 2}
        """
        names = ["players", "suits", "sets", *["joker"] * (other.joker_tile == ZHONG)]
        table = {name: getattr(other, name) for name in names}
        return self.override({k: v for k, v in table.items() if v != getattr(self, k)})

    def _with(self, values: Mapping[str, Any]) -> Rules:
        fans, changed = dict(self.fans), {}
        for path, value in values.items():
            table, _, key = path.partition(".")
            term, _, kind = key.partition(".")
            if not key:
                changed[path] = value
            elif table != "fans":
                changed[table] = replace(changed.get(table, getattr(self, table)), **{key: value})
            elif kind:
                old = fans.get(term)
                kinds = {k: None if old is None else _of_kind(old, k) for k in KINDS[term]} | {
                    kind: value
                }
                # One number where every kind has the same, so that equal rules are equal.
                alike = len({*kinds.values()}) == 1
                fans[term] = value if alike else MappingProxyType(kinds)
            else:
                fans[term] = value
            if table == "fans" and key and fans.get(term) is None:
                fans.pop(term, None)
        changed["fans"] = MappingProxyType({term: fans[term] for term in TERMS if term in fans})
        if "blood_flow" in values and "round_ends" not in values:
            # The end of the round follows the mode of play unless the table sets it too.
            usual = {True: ("three_wins", "wall"), False: ("wall", "three_wins")}
            before, after = usual[values["blood_flow"]]
            if self.round_ends == before:
                changed["round_ends"] = after
        return replace(self, **changed, preset=self.preset or self)

    def _conflicts(self) -> list[dict[str, Any]]:
        """Values that are each in range but not together."""
        unfit = [] if PING_HU in self.fans else [f"fans.{PING_HU}"]
        for pattern in PATTERNS:
            fan = self.fan_of(pattern.id)
            if fan is not None and fan < self.least:
                unfit.append(f"fans.{pattern.id}")
        if self.cap is not None and self.cap < self.least:
            unfit.append("cap")
        return [
            *(
                {"code": "bad_option", "option": option, "expected": self._range(option)}
                for option in unfit
            ),
            *(
                {"code": "bad_option", "option": option, "expected": f"not with {other}"}
                for option, other in self._apart()
            ),
        ]

    def _apart(self) -> Iterator[tuple[str, str]]:
        """Pairs of options that the table has set and that cannot be together."""
        if self.blessing_alone and self.blessing_adds:
            yield "blessing_alone", "blessing_adds"
        pairs, preset = self.fans.get(SEVEN_PAIRS), self.preset
        own = pairs is not None and preset is not None and pairs != preset.fans.get(SEVEN_PAIRS)
        if own and not self.size.pairs:
            yield f"fans.{SEVEN_PAIRS}", "sets"

    def _range(self, option: str) -> str:
        """What the cap and the 番 of a pattern may be under these rules; "" for other options."""
        table, _, term = option.partition(".")
        if option == f"fans.{PING_HU}":
            return f"{self.least}..{MAX_FAN}"
        if option == "cap" or (table == "fans" and any(term == p.id for p in PATTERNS)):
            return f"{self.least}..{MAX_FAN}|null"
        return ""


#: Rules that tables have made of others, so that the same options make the same object, with all
#: that is known of it; so many are kept.
_MADE: dict[tuple[Rules, tuple[tuple[str, Any], ...]], Rules] = {}
_MOST_MADE = 512


def _key(rules: Rules, values: Mapping[str, Any]) -> tuple[Rules, tuple[tuple[str, Any], ...]]:
    """Rules and the values that a table lays over them, to look up what they make."""
    return rules, tuple(
        (path, tuple(value.items()) if isinstance(value, Mapping) else value)
        for path, value in values.items()
    )


class Option(NamedTuple):
    """One option: where it stands in a request, its group on the sheet, what it takes."""

    path: str
    group: str
    takes: Takes
    round_only: bool = False


def _options(owner: type, outer: Option | None = None) -> Iterator[Option]:
    """The options that are fields of a class, tables of values opened."""
    for each in fields(owner):
        takes = each.metadata.get("takes")
        if takes is None:
            continue
        found = Option(each.name, each.metadata["group"], takes, each.metadata["round_only"])
        if outer is not None:
            found = outer._replace(path=f"{outer.path}.{each.name}", takes=takes)
        if isinstance(takes, Takes):
            yield found
        else:
            yield from _options(takes, found)


#: Every option of the contract by its path, in the order of the house-rule sheet.  Groups:
#: ``table`` 几个人, ``value`` 番, ``cap`` 封顶, ``self_draw`` 自摸, ``kong`` 杠, ``wall`` 流局,
#: ``round`` 一局.
OPTIONS: dict[str, Option] = {
    option.path: option
    for option in (
        *(Option(f"fans.{term}", "value", FAN_OR_OFF) for term in TERMS),
        *(
            Option(f"fans.{term}.{kind}", "value", FAN_OR_OFF)
            for term, kinds in KINDS.items()
            for kind in kinds
        ),
        *_options(Rules),
    )
}


def _keys(table: str) -> list[str]:
    return [path.removeprefix(f"{table}.") for path in OPTIONS if path.startswith(f"{table}.")]


#: The options that are groups of values (杠钱, 查花猪, 诈和).
_GROUPS = tuple(each.name for each in fields(Rules) if isinstance(each.metadata.get("takes"), type))

#: Tables of values: what each takes, and what its keys are.
_TABLES: dict[str, tuple[str, str]] = {
    "fans": ("{id: fan|null}", "term id"),
    **{f"fans.{term}": ("", "|".join(kinds)) for term, kinds in KINDS.items()},
    **{t: (f"{{{', '.join(_keys(t))}}}", "|".join(_keys(t))) for t in _GROUPS},
}


def _read_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The values of options by their paths, and what is wrong with the others."""
    errors: list[dict[str, Any]] = []
    values: dict[str, Any] = {}
    for path, raw in _leaves(options):
        option, table = OPTIONS.get(path), path.rpartition(".")[0]
        if option is not None:
            try:
                values[path] = option.takes.read(raw)
            except _Bad as bad:
                errors.append({"code": "bad_option", "option": path, "expected": str(bad)})
        elif path in _TABLES:
            expected = _TABLES[path][0]
            errors.append({"code": "bad_option", "option": path, "expected": expected})
        else:
            keys = {"expected": _TABLES[table][1]} if table in _TABLES else {}
            errors.append({"code": "unknown_option", "option": path, **keys})
    return values, errors


def _leaves(options: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, Any]]:
    """Each value of a request's options with its path."""
    for key, value in options.items():
        path = f"{table}{shortened(str(key))}"
        if isinstance(value, Mapping) and path in _TABLES:
            yield from _leaves(value, f"{path}.")
        else:
            yield path, value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Options by path as the contract writes them, tables inside.

    >>> nested({"cap": 4, "fans.gen": None})
    {'cap': 4, 'fans': {'gen': None}}
    """
    found: dict[str, Any] = {}
    for path, value in values.items():
        table, _, key = path.partition(".")
        inside = found.setdefault(table, {}) if key else found
        inside[key or table] = _plain(value)
    return found


def _of_kind(fan: FanValue, kind: str | None) -> int | None:
    """What a kind of a term is worth; of no kind in particular, the first that counts."""
    if not isinstance(fan, Mapping):
        return fan
    if kind is not None and kind in fan:
        return fan[kind]
    return next(v for v in fan.values() if v is not None)


#: From here on (hundredths) a binary fraction can no longer hold every amount to its last digit.
TOO_LARGE_FOR_FLOAT = 10**15


def exact(cents: int) -> int | Decimal:
    """Hundredths as a whole number where they are whole, else as a decimal.

    >>> exact(250), exact(300)
    (Decimal('2.5'), 3)
    """
    if cents % 100 == 0:
        return cents // 100
    # Written out, as arithmetic with decimals would round at 28 digits.
    return Decimal(f"{cents}e-2" if cents % 10 else f"{cents // 10}e-1")


def number(cents: int) -> int | float | Decimal:
    """Hundredths as an answer holds them, to the last digit.

    A whole number, a decimal fraction (float), or a `Decimal` where a float would lose a digit:
    only from ten million million on, which takes a table without a cap.

    >>> number(300), number(250), number(2**60 + 1)
    (3, 2.5, Decimal('11529215046068469.77'))
    """
    if -TOO_LARGE_FOR_FLOAT < cents < TOO_LARGE_FOR_FLOAT:
        return cents / 100 if cents % 100 else cents // 100
    return exact(cents)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: list(v) if isinstance(v, tuple) else v for key, v in value.items()}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral() else value
    return value


#: What no option holds and a file can only say that its source does not state: who deals after a
#: first win that was shared; a pig's own kongs under 杠进杠出.
_NO_OPTIONS = frozenset(("dealer", "pig.kong_in_out"))

#: The options as they stand side by side in a request.
FIELDS = tuple(dict.fromkeys(path.partition(".")[0] for path in OPTIONS))

_TEXT_KEYS = ("id", "name", "short", "source", "combine")
_FILE_KEYS = ("fan0", "refuses", "escape_points", "assumed", "play", "readings")


#: Makes the error of a file from the key and what is wrong with it.
Wrong = Callable[[str, str], "RulesError"]


def read_file(
    path: Path, texts: Iterable[str], keys: Iterable[str]
) -> tuple[dict[str, Any], Wrong]:
    """The keys of a rule file, with the maker of its further errors.

    ``texts`` must be there, as texts; ``keys`` may. Raises :class:`RulesError`, whose message names
    the file and the key.
    """

    def wrong(key: str, what: str) -> RulesError:
        return RulesError(f"{path.name}: {key}: {what}")

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"{path.name}: {error}") from error
    for key in data:
        if key not in (*texts, *keys):
            raise wrong(key, "unknown key")
    for key in texts:
        if not isinstance(data.get(key), str) or not data[key]:
            raise wrong(key, "a text is needed")
    if data["id"] != path.stem:
        raise wrong("id", f"must be the file's name, {path.stem!r}")
    return data, wrong


def overridden(rules: Rules, options: Mapping[str, Any], wrong: Wrong) -> Rules:
    """Rules with the options of a file, which raises its own error for the first bad one."""
    try:
        return rules.override(with_null(options))
    except OptionErrors as errors:
        first = errors.errors[0]
        raise wrong(first["option"], first.get("expected", first["code"])) from None


def read(path: Path) -> Rules:
    """Read and check one rule file.

    Raises :class:`RulesError`, whose message names the file and the key.
    """
    data, wrong = read_file(path, _TEXT_KEYS, (*_FILE_KEYS, *FIELDS))
    options = {key: value for key, value in data.items() if key in FIELDS}
    made = overridden(_described(data, wrong), {"fans": {}, **options}, wrong)
    made = replace(made, preset=None)
    for key in made.assumed:
        if key not in _SAYABLE:
            raise wrong("assumed", f"unknown id {key!r}")
    return replace(
        made, readings=tuple(_ruling(row, made, wrong) for row in data.get("readings", ()))
    )


def _described(data: Mapping[str, Any], wrong: Wrong) -> Rules:
    """What a file says beside its options."""
    if data["combine"] not in ("max", "sum"):
        raise wrong("combine", "max|sum")
    if any(b not in BLESSINGS for b in data.get("refuses", [])):
        raise wrong("refuses", "|".join(BLESSINGS))
    for key in ("assumed", "play"):
        if not all(isinstance(text, str) for text in data.get(key, [])):
            raise wrong(key, "a list of texts is needed")
    try:
        fan0 = FAN.read(data.get("fan0"))
        escape = data.get("escape_points")
        escape = None if escape is None else POINTS.read(escape)
    except _Bad as bad:
        raise wrong("fan0 or escape_points", str(bad)) from None
    return Rules(
        **{key: data[key] for key in _TEXT_KEYS},
        fan0=fan0,
        refuses=tuple(data.get("refuses", ())),
        escape_points=escape,
        assumed=frozenset(data.get("assumed", ())),
        play=tuple(data.get("play", ())),
    )


#: What a file may say of its values: that they are assumed, or rest on a reading.
_SAYABLE = frozenset((*OPTIONS, *FIELDS, "escape_points", *_NO_OPTIONS))


def with_null(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a file, which has no null: a cap, a joker or a term that is off is ``"none"``."""
    made = dict(options)
    for key in ("cap", "joker"):
        if made.get(key) == "none":
            made[key] = None
    if "fans" in made:
        made["fans"] = {k: None if v == "none" else v for k, v in made["fans"].items()}
    return made


_RULING_KEYS = frozenset(field.name for field in fields(Ruling))


def _ruling(row: Any, rules: Rules, wrong: Wrong) -> Ruling:
    """One row of a file's readings; its options must change these rules."""
    if not isinstance(row, dict) or not {"on", "text"} <= set(row) <= _RULING_KEYS:
        raise wrong("readings", "each has on and text, and may have also, other, options")
    for key in (*row["on"], *row.get("also", ())):
        if key not in _SAYABLE:
            raise wrong("readings", f"unknown id {key!r}")
    options = with_null(row.get("options", {}))
    if options and overridden(rules, options, wrong).values == rules.values:
        raise wrong("readings", f"the options of {row['on'][0]!r} change nothing")
    also, other = tuple(row.get("also", ())), row.get("other", "")
    return Ruling(tuple(row["on"]), row["text"], also, other, options)


def ids(folder: Path = RULESETS) -> tuple[str, ...]:
    """The ids of all rule systems, in the order in which they are shown.

    >>> ids()[:2]
    ('chengdu', 'yaoji')
    """
    return _ids(folder)


@lru_cache(maxsize=64)
def _ids(folder: Path) -> tuple[str, ...]:
    found = {path.stem for path in folder.glob("*.toml")}
    ordered = [name for name in _ORDER if name in found]
    return (*ordered, *sorted(found - set(ordered)))


#: The order of the rules' tables; a system that is not named here comes after them.
_ORDER = ("chengdu", "yaoji", "laok", "jipin", "xueliu", "yichang", "sbr", "majsoul")


def load(ruleset: str, folder: Path = RULESETS) -> Rules:
    """The preset of a rule system.

    Raises :class:`UnknownRuleset`, or :class:`RulesError` for a file that cannot be used.

    >>> load("laok").name
    '老K血战到底'
    """
    return _load(ruleset, folder)


@lru_cache(maxsize=64)
def _load(ruleset: str, folder: Path) -> Rules:
    path = folder / f"{ruleset}.toml"
    if ruleset not in ids(folder) or not path.is_file():
        raise UnknownRuleset(ruleset)
    return read(path)


def zi_mo_fan(rules: Rules) -> int | None:
    """自摸加番: what it is worth, or None where self-draw adds no fan."""
    if rules.self_draw_bonus != "fan":
        return None
    fan = rules.fan_of(ZI_MO)
    return 1 if fan is None else fan
