"""Rule systems (规则): frozen, validated values with a table's own changes on top.

A system is one TOML file in ``rulesets/``; its keys are the options of :data:`OPTIONS`, so a file
and a house rule pass through the same checks.  ``load("chengdu")`` reads a preset,
``rules.override({...})`` makes the house's version of it, ``rules.changes()`` says what differs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .hand import BLESSINGS, KONGS
from .patterns import GANG_SHANG_HUA, PATTERNS, PING_HU, READING_DEPENDENT, SI_JI, TERMS, ZI_MO
from .tiles import TILE_OF_NAME, Tile
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

#: A fan value: one number, or for 杠上花 one number per kind of kong.
FanValue = int | Mapping[str, int]


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
    """A value that an option does not take; carries the key inside it and what it takes."""

    def __init__(self, expected: str, key: str = "", *, unknown: bool = False) -> None:
        super().__init__(expected)
        self.expected, self.key, self.unknown = expected, key, unknown


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a rule system: its name, group, what it takes, and its check.

    ``kind`` is ``number``, ``choice``, ``fan_or_none``, ``flag``, ``fans``, ``kong_points``,
    ``pig`` or ``joker``; ``choices`` are the values of a choice.
    """

    name: str
    group: str
    kind: str
    check: Callable[[Any], Any]
    choices: tuple[str, ...] = ()


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


def _whole(value: Any, low: int, high: int) -> int:
    found = whole(value, low, high)
    if found is None:
        raise _Bad(f"{low}..{high}")
    return found


def _base(value: Any) -> Decimal:
    expected = f"0..{MAX_BASE}, two decimals"
    if isinstance(value, bool) or not isinstance(value, (int, Decimal, float)):
        raise _Bad(expected)
    number = value if isinstance(value, Decimal) else Decimal(str(value))
    if not number.is_finite() or not 0 <= number <= MAX_BASE or number != round(number, 2):
        raise _Bad(expected)
    number = number.normalize()
    return number.quantize(Decimal(1)) if number == number.to_integral() else number


def _cap(value: Any) -> int | None:
    if value is None:
        return None
    try:
        return _whole(value, 0, MAX_FAN)
    except _Bad as bad:
        raise _Bad(f"{bad.expected}|null") from None


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Bad("true|false")
    return value


def _choice(*choices: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise _Bad("|".join(choices))
        return value

    return check


def _joker(value: Any) -> str | None:
    if value is not None and value != "1s":
        raise _Bad("1s|null")
    return None if value is None else "1s"


def _fans(value: Any) -> dict[str, FanValue | None]:
    if not isinstance(value, Mapping):
        raise _Bad("{id: fan|null}")
    out: dict[str, FanValue | None] = {}
    for key, fan in value.items():
        if key not in TERMS:
            raise _Bad("term id", shortened(str(key)), unknown=True)
        if fan is None:
            out[key] = None
        elif key == GANG_SHANG_HUA and isinstance(fan, Mapping):
            kinds: dict[str, int] = {}
            for kind, each in fan.items():
                if kind not in KONGS:
                    raise _Bad("|".join(KONGS), f"{key}.{shortened(str(kind))}", unknown=True)
                try:
                    kinds[kind] = _whole(each, 0, MAX_FAN)
                except _Bad as bad:
                    raise _Bad(bad.expected, f"{key}.{kind}") from None
            out[key] = MappingProxyType(kinds)
        else:
            try:
                out[key] = _whole(fan, 0, MAX_FAN)
            except _Bad as bad:
                raise _Bad(f"{bad.expected}|null", key) from None
    return out


KONG_POINT_KEYS: tuple[str, ...] = ("exposed", "exposed_others", "added", "concealed")


def _kong_points(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise _Bad("{exposed, exposed_others, added, concealed}")
    out: dict[str, int] = {}
    for key, points in value.items():
        if key not in KONG_POINT_KEYS:
            raise _Bad("|".join(KONG_POINT_KEYS), shortened(str(key)), unknown=True)
        try:
            out[key] = _whole(points, 0, MAX_POINTS)
        except _Bad as bad:
            raise _Bad(bad.expected, key) from None
    return out


PIG_TO: tuple[str, ...] = ("non_pigs", "unwon", "ready", "nobody")
_PIG_CHECKS: dict[str, Callable[[Any], Any]] = {
    "points": lambda v: "cap" if v == "cap" else _whole(v, 0, MAX_POINTS),
    "times_best": lambda v: _whole(v, 0, MAX_POINTS),
    "to": _choice(*PIG_TO),
    "also_not_ready": _flag,
}


def _pig(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _Bad("{points, times_best, to, also_not_ready}")
    out: dict[str, Any] = {}
    for key, part in value.items():
        if key not in _PIG_CHECKS:
            raise _Bad("|".join(_PIG_CHECKS), shortened(str(key)), unknown=True)
        try:
            out[key] = _PIG_CHECKS[key](part)
        except _Bad as bad:
            raise _Bad(bad.expected, key) from None
    return out


def _option(name: str, group: str, kind: str, check: Callable[[Any], Any]) -> Option:
    return Option(name, group, kind, check)


def _choice_option(name: str, group: str, *choices: str) -> Option:
    return Option(name, group, "choice", _choice(*choices), choices)


#: Every option of the contract, in the order of the house-rule sheet.  Groups: ``value`` 番,
#: ``cap`` 封顶, ``self_draw`` 自摸, ``kong`` 杠, ``wall`` 流局, ``play`` the rest.
OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        _option("fans", "value", "fans", _fans),
        _choice_option("scale", "value", "double", "linear"),
        _option("blessing_adds", "value", "flag", _flag),
        _option("joker", "value", "joker", _joker),
        _option("base", "cap", "number", _base),
        _option("cap", "cap", "fan_or_none", _cap),
        _choice_option("self_draw_bonus", "self_draw", "none", "base", "fan"),
        _option("kong_points", "kong", "kong_points", _kong_points),
        _option("late_added_kong_free", "kong", "flag", _flag),
        _option("kong_in_out", "kong", "flag", _flag),
        _choice_option("kong_transfer", "kong", "each", "split", "undo", "none"),
        _choice_option("bloom", "kong", "self_draw", "discard", "giver_pays_all"),
        _option("blood_flow", "wall", "flag", _flag),
        _choice_option("round_ends", "wall", "three_wins", "wall", "first_win"),
        _option("pig", "wall", "pig", _pig),
        _choice_option("call_check", "wall", "max", "min", "none"),
        _option("call_check_winners", "wall", "flag", _flag),
        _option("difference", "wall", "flag", _flag),
        _option("refund", "wall", "flag", _flag),
        _choice_option("dead_waits", "wall", "exclude", "exposed_count"),
    )
}


@dataclass(frozen=True, slots=True)
class Pig:
    """查花猪: what a flower pig pays, in units of base, and to whom.

    ``points`` may be ``"cap"``: the multiple of the cap.  ``times_best`` is how many times the
    recipient's best wait, if that is more.
    """

    points: int | str = 0
    times_best: int = 0
    to: str = "non_pigs"
    also_not_ready: bool = False


@dataclass(frozen=True, slots=True)
class KongPoints:
    """刮风下雨: kong money in units of base; ``exposed_others`` is 擦挂."""

    exposed: int = 0
    exposed_others: int = 0
    added: int = 0
    concealed: int = 0


@dataclass(frozen=True)
class Rules:
    """规则: one rule system, or a table's own version of it.

    The fields named in :data:`OPTIONS` can be overridden; the others belong to the file.
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
    scale: str = "double"
    base: Decimal = Decimal(1)
    cap: int | None = None
    fans: Mapping[str, FanValue] = field(default_factory=dict)
    blessing_adds: bool = False
    joker: str | None = None
    self_draw_bonus: str = "none"
    kong_points: KongPoints = KongPoints()
    late_added_kong_free: bool = False
    kong_in_out: bool = False
    kong_transfer: str = "each"
    bloom: str = "self_draw"
    blood_flow: bool = False
    round_ends: str = "three_wins"
    pig: Pig = Pig()
    call_check: str = "max"
    call_check_winners: bool = False
    difference: bool = False
    refund: bool = True
    dead_waits: str = "exclude"
    #: 查叫 values a wait as by discard or, in some systems, as by self-draw.
    check_by: str = "discard"
    #: Blessings that the system rules out; switching the term on admits them.
    refuses: tuple[str, ...] = ()
    #: 逃跑: what a player who leaves pays each other unwon player, in units of base; None = the
    #: system has no such rule.
    escape_points: int | None = None
    #: Ids of values and options that the source does not state.
    assumed: frozenset[str] = frozenset()
    #: Play rules, readings and other remarks of the rules pages: message ids.
    play: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    preset: Rules | None = field(default=None, compare=False, repr=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.id, tuple(sorted(_flatten(self.options())))))

    @cached_property
    def joker_tile(self) -> Tile | None:
        """The tile that is a joker (幺鸡), or None."""
        return None if self.joker is None else TILE_OF_NAME[self.joker]

    @cached_property
    def reading_dependent(self) -> bool:
        """Whether a term is on that needs the sets of the reading (夹心五, 卡二条, 一条龙)."""
        return any(term in self.fans for term in READING_DEPENDENT)

    def fan_of(self, term: str, kong: str | None = None) -> int | None:
        """What one of a term is worth, in fan, or None when it is off.

        ``kong`` is the kind of kong for 杠上花.

        >>> load("chengdu").fan_of("gang_shang_hua", "concealed_kong")
        3
        """
        value = self.fans.get(term)
        if isinstance(value, Mapping):
            return value.get(kong or KONGS[0], 0)
        return value

    @cached_property
    def unstated(self) -> frozenset[str]:
        """The ids of ``assumed`` whose values the table has not set itself (推定).

        >>> sorted(load("laok").override({"fans": {"ma": 2}}).unstated)
        ['dealer', 'dealer.nobody_won', 'escape_points', 'pig.to']
        """
        preset = self.preset
        if preset is None:
            return self.assumed
        return frozenset(key for key in self.assumed if _named(self, key) == _named(preset, key))

    @cached_property
    def unstated_terms(self) -> frozenset[str]:
        """The terms among ``unstated``.

        >>> load("laok").unstated_terms
        frozenset({'ma'})
        """
        return frozenset(
            key.removeprefix("fans.") for key in self.unstated if key.startswith("fans.")
        )

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

    def options(self) -> dict[str, Any]:
        """All options with their values in force, as the contract writes them."""
        return {name: _plain(getattr(self, name)) for name in OPTIONS}

    def changes(self) -> dict[str, Any]:
        """What differs from the preset, as the smallest ``options`` that make these rules.

        >>> load("chengdu").override({"cap": 4}).changes()
        {'cap': 4}
        """
        if self.preset is None:
            return {}
        mine, theirs = self.options(), self.preset.options()
        out: dict[str, Any] = {}
        for name, value in mine.items():
            if value == theirs[name]:
                continue
            if not isinstance(value, dict):
                out[name] = value
                continue
            keys = [*value, *(k for k in theirs[name] if k not in value)]
            if name == "fans":
                keys = [k for k in TERMS if k in keys]
            out[name] = {k: value.get(k) for k in keys if value.get(k) != theirs[name].get(k)}
        return out

    def override(self, options: Mapping[str, Any]) -> Rules:
        """These rules with a table's options on top.

        Raises :class:`OptionErrors` with every unknown option and every value out of range.

        >>> load("chengdu").override({"fans": {"gen": 2}}).fan_of("gen")
        2
        """
        if not options:
            return self
        errors: list[dict[str, Any]] = []
        values: dict[str, Any] = {}
        for name, raw in options.items():
            option = OPTIONS.get(name)
            if option is None:
                errors.append({"code": "unknown_option", "option": shortened(str(name))})
                continue
            for part in _parts(option, raw):
                try:
                    _merge(values, name, option.check(part))
                except _Bad as bad:
                    code = "unknown_option" if bad.unknown else "bad_option"
                    key = f"{name}.{bad.key}" if bad.key else name
                    errors.append({"code": code, "option": key, "expected": bad.expected})
        made = self._replaced(values)
        for error in errors:
            if error["code"] == "bad_option":
                error["expected"] = made._range(error["option"]) or error["expected"]
        errors += made._conflicts()
        if errors:
            raise OptionErrors(errors)
        return made

    def _replaced(self, values: Mapping[str, Any]) -> Rules:
        changed: dict[str, Any] = dict(values)
        if "fans" in values:
            changed["fans"] = _merged_fans(self.fans, values["fans"])
        if "kong_points" in values:
            changed["kong_points"] = replace(self.kong_points, **values["kong_points"])
        if "pig" in values:
            changed["pig"] = replace(self.pig, **values["pig"])
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
            {"code": "bad_option", "option": option, "expected": self._range(option)}
            for option in unfit
        ]

    def _range(self, option: str) -> str:
        """What the cap and the 番 of a pattern may be under these rules; "" for other options."""
        table, _, term = option.partition(".")
        if option == f"fans.{PING_HU}":
            return f"{self.least}..{MAX_FAN}"
        if option == "cap" or (table == "fans" and any(term == p.id for p in PATTERNS)):
            return f"{self.least}..{MAX_FAN}|null"
        return ""


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


def _named(rules: Rules, key: str) -> Any:
    """The value of an id of ``assumed``; None for what is no option and no table can set."""
    name, _, part = key.partition(".")
    if name == "fans":
        return rules.fans.get(part)
    value = getattr(rules, name, None)
    return getattr(value, part, None) if part else value


def _flatten(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flatten(inner, f"{path}.{key}")
    else:
        yield path, repr(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (Pig, KongPoints)):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral() else value
    return value


def _parts(option: Option, raw: Any) -> list[Any]:
    """A table of values is checked key by key, so that every fault in it is told."""
    if isinstance(raw, Mapping) and option.kind in ("fans", "kong_points", "pig") and raw:
        return [{key: value} for key, value in raw.items()]
    return [raw]


def _merge(values: dict[str, Any], name: str, checked: Any) -> None:
    if isinstance(checked, dict):
        values.setdefault(name, {}).update(checked)
    else:
        values[name] = checked


def _merged_fans(
    old: Mapping[str, FanValue], new: Mapping[str, FanValue | None]
) -> Mapping[str, FanValue]:
    fans = dict(old)
    for term, fan in new.items():
        if fan is None:
            fans.pop(term, None)
        elif isinstance(fan, Mapping):
            before = fans.get(term, 0)
            kinds = dict(before) if isinstance(before, Mapping) else dict.fromkeys(KONGS, before)
            fans[term] = _kinds({**kinds, **fan})
        else:
            fans[term] = fan
    return MappingProxyType({term: fans[term] for term in TERMS if term in fans})


def _kinds(kinds: Mapping[str, int]) -> FanValue:
    """One number where every kind of kong has the same, so that equal rules are equal."""
    values = {kinds.get(kind, 0) for kind in KONGS}
    if len(values) == 1:
        return values.pop()
    return MappingProxyType({kind: kinds.get(kind, 0) for kind in KONGS})


#: What no option holds and a file can only say that its source does not state: who deals after a
#: first win that was shared, or after no win; a pig's own kongs under 杠进杠出.
_NO_OPTIONS = frozenset(("dealer", "dealer.nobody_won", "pig.kong_in_out"))

_TEXT_KEYS = ("id", "name", "short", "source", "combine")
_FILE_KEYS = frozenset(
    (*_TEXT_KEYS, "fan0", "check_by", "refuses", "escape_points", "assumed", "play", "readings")
)


def read(path: Path) -> Rules:
    """Read and check one rule file.

    Raises :class:`RulesError`, whose message names the file and the key.
    """

    def wrong(key: str, what: str) -> RulesError:
        return RulesError(f"{path.name}: {key}: {what}")

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"{path.name}: {error}") from error
    for key in data:
        if key not in _FILE_KEYS and key not in OPTIONS:
            raise wrong(key, "unknown key")
    for key in _TEXT_KEYS:
        if not isinstance(data.get(key), str) or not data[key]:
            raise wrong(key, "a text is needed")
    if data["id"] != path.stem:
        raise wrong("id", f"must be the file's name, {path.stem!r}")
    if data["combine"] not in ("max", "sum"):
        raise wrong("combine", "max|sum")
    if data.get("check_by", "discard") not in ("discard", "self_draw"):
        raise wrong("check_by", "discard|self_draw")
    if any(b not in BLESSINGS for b in data.get("refuses", [])):
        raise wrong("refuses", "|".join(BLESSINGS))
    try:
        fan0 = _whole(data.get("fan0"), 0, MAX_FAN)
        escape = data.get("escape_points")
        escape = None if escape is None else _whole(escape, 0, MAX_POINTS)
    except _Bad as bad:
        raise wrong("fan0 or escape_points", bad.expected) from None
    for key in ("assumed", "play", "readings"):
        if not all(isinstance(text, str) for text in data.get(key, [])):
            raise wrong(key, "a list of texts is needed")
    plain = Rules(
        **{key: data[key] for key in _TEXT_KEYS},
        fan0=fan0,
        check_by=data.get("check_by", "discard"),
        refuses=tuple(data.get("refuses", ())),
        escape_points=escape,
        assumed=frozenset(data.get("assumed", ())),
        play=tuple(data.get("play", ())),
        readings=tuple(data.get("readings", ())),
    )
    options = {key: value for key, value in data.items() if key in OPTIONS}
    options["fans"] = options.get("fans", {})
    if options.get("cap") == "none":
        options["cap"] = None  # TOML has no null
    try:
        made = plain.override(options)
    except OptionErrors as errors:
        first = errors.errors[0]
        raise wrong(first["option"], first.get("expected", first["code"])) from None
    known = {*OPTIONS, *(f"fans.{t}" for t in TERMS)}
    known |= {f"kong_points.{k}" for k in KONG_POINT_KEYS}
    known |= {f"pig.{k}" for k in _PIG_CHECKS} | {"escape_points"} | _NO_OPTIONS
    for key in made.assumed:
        if key not in known:
            raise wrong("assumed", f"unknown id {key!r}")
    return replace(made, preset=None)


@lru_cache(maxsize=64)
def ids(folder: Path = RULESETS) -> tuple[str, ...]:
    """The ids of all rule systems, in the order in which they are shown.

    >>> ids()[:2]
    ('chengdu', 'yaoji')
    """
    found = {path.stem for path in folder.glob("*.toml")}
    ordered = [name for name in _ORDER if name in found]
    return (*ordered, *sorted(found - set(ordered)))


#: The order of the rules' tables; a system that is not named here comes after them.
_ORDER = ("chengdu", "yaoji", "laok", "jipin", "xueliu", "yichang", "sbr", "majsoul")


@lru_cache(maxsize=64)
def load(ruleset: str, folder: Path = RULESETS) -> Rules:
    """The preset of a rule system.

    Raises :class:`UnknownRuleset`, or :class:`RulesError` for a file that cannot be used.

    >>> load("laok").name
    '老K血战到底'
    """
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
