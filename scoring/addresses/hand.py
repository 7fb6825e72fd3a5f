"""Addresses: the whole state of a page in its query string, both ways.

The page of one hand, ``/?rules=…``:

| parameter | values                                                    | left out when        |
|-----------|-----------------------------------------------------------|----------------------|
| ``rules`` | a rule system's id                                        | never                |
| ``hand``  | canonical notation (see :mod:`.notation`)                 | empty                |
| ``by``    | ``self_draw``, ``rob_kong``                               | ``discard``          |
| ``after`` | a kind of kong: 杠上花                                      | none                 |
| ``pao``   | ``1``: 杠上炮                                               | no                   |
| ``last``  | ``1``: 海底                                                 | no                   |
| ``jue``   | ``1``: 绝张                                                | no                   |
| ``bless`` | ``tian_hu``, ``di_hu``                                    | none                 |
| ``void``  | ``m``, ``p``, ``s``: 定缺                                   | not declared         |
| ``seen``  | tiles that lie open elsewhere, sorted                     | none                 |
| ``opt``   | house rules that differ from the preset, see below        | none                 |

``opt`` lists ``name:value`` with commas; a name inside a table is written with a dot
(``fans.gen:off``, ``fans.gang_shang_hua.added_kong:2``). Values are numbers, ``on`` and ``off``
(``off`` is also "none" of ``cap``, ``joker``, ``min_fan`` and the terms) or one of the option's own
words; of ``excludes`` each bonus with its patterns, ``men_qing-qi_dui-qing_dui.gen-qi_dui``.

One state has one address; :func:`write_hand` writes it and :func:`read_hand` reads that one and
everything else that a person may type.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar, Protocol, TypeVar
from urllib.parse import parse_qsl, quote

from ..hand import BLESSINGS, DISCARD, KONGS, MELD_KINDS, ROB_KONG, SELF_DRAW, WAYS, Hand
from ..notation import (
    NotationError,
    NotationProblem,
    format_hand,
    format_tiles,
    parse,
    parse_tile,
    parse_tiles,
)
from ..rules import OptionErrors, Rules, UnknownRuleset, load
from ..tiles import SUITS, USUAL, Size, Tile

DEFAULT_RULES = "chengdu"

#: The parameters of the page of one hand, in the order in which they are written.
HAND_PARAMETERS: tuple[str, ...] = (
    "rules",
    "hand",
    "by",
    "after",
    "pao",
    "last",
    "jue",
    "bless",
    "void",
    "seen",
    "opt",
)

#: Left as they are; the rest is escaped, so that no chat program cuts a link at a bracket.
_SAFE = "!:,-."


@dataclass(frozen=True)
class HandPage:
    """The state of the calculator page. ``opt`` is canonical, see the module.

    >>> HandPage(hand=parse("123m")).query
    'rules=chengdu&hand=123m'
    """

    rules: str = DEFAULT_RULES
    hand: Hand = field(default_factory=Hand)
    by: str = DISCARD
    after: str = ""
    pao: bool = False
    last: bool = False
    jue: bool = False
    bless: str = ""
    void: str = ""
    seen: tuple[Tile, ...] = ()
    opt: str = ""

    @property
    def parameters(self) -> dict[str, str]:
        """The address's parameters, defaults left out, in order."""
        every = {
            "rules": self.rules,
            "hand": format_hand(self.hand),
            "by": "" if self.by == DISCARD else self.by,
            "after": self.after,
            "pao": "1" if self.pao else "",
            "last": "1" if self.last else "",
            "jue": "1" if self.jue else "",
            "bless": self.bless,
            "void": self.void,
            "seen": format_tiles(self.seen),
            "opt": self.opt,
        }
        return {name: every[name] for name in HAND_PARAMETERS if every[name]}

    @property
    def query(self) -> str:
        """The query string, without the question mark."""
        return write_query(self.parameters)


def write_query(parameters: Mapping[str, str]) -> str:
    """Parameters as a query string that survives being pasted into a chat.

    >>> write_query({"rules": "laok", "hand": "11m(5555p)!1m", "opt": "cap:4"})
    'rules=laok&hand=11m%285555p%29!1m&opt=cap:4'
    """
    return "&".join(f"{name}={quote(value, safe=_SAFE)}" for name, value in parameters.items())


def canonical(hand: Hand) -> Hand:
    """The same hand with its melds in order, so that one state has one address."""
    melds = sorted(hand.melds, key=lambda m: (m.tile, MELD_KINDS.index(m.kind), m.jokers))
    return replace(hand, melds=tuple(melds))


def hand_request(parameters: Mapping[str, str]) -> dict[str, Any]:
    """The parameters as a request to ``score``, unchecked: the engine finds what is wrong.

    >>> hand_request({"hand": "123m", "last": "1"})
    {'ruleset': 'chengdu', 'hand': '123m', 'last_tile': True}
    """
    given = {name: value for name, value in parameters.items() if value}
    request: dict[str, Any] = {
        "ruleset": given.get("rules", DEFAULT_RULES),
        "hand": given.get("hand", ""),
    }
    if "opt" in given:
        request["options"] = read_options(given["opt"])
    for name, key in (("by", "by"), ("after", "after_kong"), ("bless", "blessing")):
        if name in given:
            request[key] = given[name]
    for name, key in (("void", "void"), ("seen", "seen")):
        if name in given:
            request[key] = given[name]
    for name, key in (("pao", "kong_discard"), ("last", "last_tile"), ("jue", "last_copy")):
        if name in given:
            request[key] = {"1": True, "0": False}.get(given[name], given[name])
    return request


def read_hand(parameters: Mapping[str, str]) -> tuple[HandPage, tuple[str, ...]]:
    """The state that an address stands for, and the names of the parameters it cannot mean.

    Those have their default in the state.

    >>> read_hand({"rules": "laok", "by": "magic"})[1]
    ('by',)
    """
    bad: list[str] = []

    def one_of(name: str, allowed: tuple[str, ...], default: str) -> str:
        value = parameters.get(name) or default
        if value in (*allowed, default):
            return value
        bad.append(name)
        return default

    def flag(name: str) -> bool:
        return one_of(name, ("0", "1"), "") == "1"

    hand = Hand()
    seen: tuple[Tile, ...] = ()
    try:
        rules = load(parameters.get("rules") or DEFAULT_RULES)
    except UnknownRuleset:
        bad.append("rules")
        rules = load(DEFAULT_RULES)
    opt, size = "", rules.size
    try:
        own = rules.override(read_options(parameters.get("opt", "")))
        opt, size = write_options(own), own.size
    except OptionErrors:
        bad.append("opt")
    try:
        hand = canonical(parse(parameters.get("hand", ""), size=size))
    except NotationError:
        bad.append("hand")
    try:
        seen = tuple(sorted(parse_tiles(parameters.get("seen", ""))))
    except NotationError:
        bad.append("seen")
    page = HandPage(
        rules=rules.id,
        hand=hand,
        by=one_of("by", WAYS, DISCARD),
        after=one_of("after", KONGS, ""),
        pao=flag("pao"),
        last=flag("last"),
        jue=flag("jue"),
        bless=one_of("bless", BLESSINGS, ""),
        void=one_of("void", tuple(SUITS), ""),
        seen=seen,
        opt=opt,
    )
    return page, tuple(bad)


_ENDING = re.compile(r"(?:(自摸|点炮|點炮|抢杠|搶槓|搶杠)[胡糊和]?|[胡糊和])([^胡糊和]*)$")
#: The first line of a text copy: the hand in words, then in notation.
_COPIED = re.compile(r"(.+)（([\w!()\[\]+-]+)）")
_INSIDE = re.compile("自摸|点炮|點炮|抢杠|搶槓|搶杠")
_CALLED = re.compile("[胡糊]")
_WAY_WORDS = {"自摸": SELF_DRAW, "点炮": DISCARD, "點炮": DISCARD}


def read_text(text: str, size: Size = USUAL) -> dict[str, str]:
    """What a typed or pasted text says of the page: parameters to lay over those it has, of a link
    all that it has.

    ``size`` is that of the page's hand.

    Besides a hand in any notation it understands the address of a page and the page's own text
    copy, and a way of winning or a winning tile at the end.  Raises :class:`.NotationError`.

    >>> read_text("22244455577799m 自摸")
    {'hand': '22244455577799m', 'by': 'self_draw'}
    >>> read_text("https://host/?rules=laok&hand=11m&last=1")
    {'rules': 'laok', 'hand': '11m', 'last': '1'}
    """
    before, _, after = text.rpartition("?")
    link = after.split(maxsplit=1)[0] if after.strip() else ""
    given = {"rules": DEFAULT_RULES, **dict(parse_qsl(link))}
    if "hand" in given:
        try:
            parse(given["hand"])
        except NotationError:
            raise NotationError([NotationProblem(link, len(before) + 1, "unknown")]) from None
        return given
    first, _, rest = text.partition("\n")
    if copied := _COPIED.fullmatch(first.strip()):
        with suppress(NotationError):
            said, written = parse(_read_inside(copied[1], size)["hand"]), parse(copied[2])
            if (said.concealed, set(said.melds)) == (written.concealed, set(written.melds)):
                return {"hand": format_hand(written)}
    # The second line of a text copy is the badge of the rules.
    return _read_line(first if "·" in rest.partition("\n")[0] else text, size)


def _read_line(text: str, size: Size) -> dict[str, str]:
    """A hand, and how it was won where the text says so."""
    ending = _ENDING.search(text)
    if ending is None:
        return _read_inside(text, size)
    hand = parse(text[: ending.start()], size=size) if _tile_at_most(ending[2]) else None
    if hand is None:
        return _read_inside(text, size)
    if tile := ending[2].strip(_BETWEEN):
        hand = _won_on(hand, parse_tile(tile))
    return _said(hand, ending[1])


def _read_inside(text: str, size: Size) -> dict[str, str]:
    """A hand with a way of winning or 胡 and the winning tile somewhere within the text."""
    ways = set(_INSIDE.findall(text))
    if len(ways) < 2:
        # As long as it was, so that every problem keeps its place.
        text = _INSIDE.sub(lambda way: " " * len(way[0]), text)
    hand = parse(_CALLED.sub("!", text), size=size)
    if _CALLED.search(text) and hand.missing < 0 and hand.win_tile in hand.tiles:
        rest = list(hand.tiles)
        rest.remove(hand.win_tile)
        hand = replace(hand, tiles=tuple(rest))
    return _said(hand, *ways)


_BETWEEN = " \t\r\n,，、;；。"


def _tile_at_most(text: str) -> bool:
    """Whether a text is one tile, or nothing."""
    try:
        return not text.strip(_BETWEEN) or parse_tile(text.strip(_BETWEEN)) >= 0
    except NotationError:
        return False


def _won_on(hand: Hand, won: Tile) -> Hand:
    """A hand that was won on a tile: one of its own where it is full, else one more."""
    rest = list(hand.concealed)
    if not hand.missing and won in rest:
        rest.remove(won)
    return replace(hand, tiles=tuple(rest), win_tile=won, named=True)


def _said(hand: Hand, way: str | None = None) -> dict[str, str]:
    made = {"hand": format_hand(hand)}
    return {**made, "by": _WAY_WORDS.get(way, ROB_KONG)} if way else made


class RuledPage(Protocol):
    """A page whose address names a rule system and a table's own rules."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def rules(self) -> str:
        """The id of the system."""

    @property
    def opt(self) -> str:
        """The house rules."""


Page = TypeVar("Page", bound=RuledPage)


def rules_of(page: RuledPage) -> Rules:
    """The rules in force on a page of a hand or of a round."""
    return load(page.rules).override(read_options(page.opt))


_NONE_WHEN_OFF = ("cap", "joker", "min_fan")


def _value(path: list[str], text: str) -> Any:
    if text == "on":
        return True
    if text == "off":
        return None if path[0] in (*_NONE_WHEN_OFF, "fans") else False
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    if not number.is_finite():
        return text
    return int(number) if number == number.to_integral() and abs(number) < 10**9 else number


def read_options(text: str) -> dict[str, Any]:
    """House rules of an address as the ``options`` of a request, unchecked.

    >>> read_options("cap:4,fans.gen:off,pig.points:cap")
    {'cap': 4, 'fans': {'gen': None}, 'pig': {'points': 'cap'}}
    """
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition(":")
        path = name.split(".")
        inside = options
        for key in path[:-1]:
            # A name used both as a value and as a table: the table, whose check will complain.
            if not isinstance(inside.get(key), dict):
                inside[key] = {}
            inside = inside[key]
        inside[path[-1]] = _value(path, value)
    return options


def write_value(value: Any) -> str:
    """The value of one option as an address writes it.

    >>> write_value(None), write_value(True), write_value(Decimal("0.5"))
    ('off', 'on', '0.5')
    """
    if isinstance(value, Mapping):  # patterns beside which a bonus does not count
        value = ".".join("-".join((bonus, *patterns)) for bonus, patterns in value.items())
    if value is None or value is False or value == "":
        return "off"
    return "on" if value is True else str(value)


def write_options(rules: Rules) -> str:
    """What differs from the preset, as the ``opt`` of an address.

    >>> write_options(load("chengdu").override({"cap": 4, "fans": {"gen": None}}))
    'fans.gen:off,cap:4'
    """
    return ",".join(
        f"{path}:{write_value(each)}"
        for name, value in rules.changed().items()
        for path, each in (
            ((f"{name}.{kind}", fan) for kind, fan in value.items())
            if isinstance(value, Mapping) and name.startswith("fans.")
            else ((name, value),)
        )
    )


def switch_rules(page: Page, ruleset: str) -> tuple[Page, tuple[str, ...]]:
    """A page under another preset, and the house rules (as in ``opt``) that it does not take.

    Raises :class:`.rules.UnknownRuleset`.
    """
    rules = load(ruleset)
    dropped: list[str] = []
    for part in filter(None, page.opt.split(",")):
        try:
            rules = rules.override(read_options(part))
        except OptionErrors:
            dropped.append(part)
    return replace(page, rules=ruleset, opt=write_options(rules)), tuple(dropped)
