"""Why a hand is worth what it is (为什么), what it lacks of more, and what did not count.

Everything is answered in ids, tiles and numbers; the sentences belong to whoever shows them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .analyse import Query, ReadyResult, Result, WinPayment, WinResult, analyse, excluded_by
from .decompose import PAIRS, hand_facts
from .hand import KONGS, summarise
from .patterns import BONUSES, GEN, PATTERNS, SI_JI, TERMS, ZI_MO, Reading, Target, Term
from .rules import Rules, Ruling
from .score import Counted, Scorer, Verdict, scorer
from .shanten import distance
from .tiles import (
    COPIES,
    SUIT_FIELDS,
    TERMINAL_FIELDS,
    TILES,
    UNIT,
    Packed,
    Tile,
    count,
    iterate,
    suits_of,
)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a breakdown: the tiles counted and where the value stands.

    ``tiles`` are kinds, ascending.  ``basis`` is ``"stated"`` (in the source), ``"assumed"`` (the
    source is silent), ``"reading"`` (it can be read in two ways) or ``"house"`` (the table's own);
    ``option`` is where it can be changed.
    """

    id: str
    fan: int
    count: int
    each: int
    tiles: tuple[Tile, ...]
    basis: str
    option: str


@dataclass(frozen=True, slots=True)
class Rests:
    """A hand whose value rests on a reading of the source (读法).

    ``terms`` are those of the hand that do, in the order of the table; ``other`` is the hand's
    value under the other reading: the win, or the best wait; None where there is none.
    ``differs`` is ``"multiple"``, ``"payments"`` where only who pays changes, or None.
    """

    ruling: Ruling
    terms: tuple[str, ...]
    rules: Rules
    other: Verdict | None
    payments: tuple[WinPayment, ...]
    differs: str | None


@dataclass(frozen=True, slots=True)
class Missing:
    """A pattern that the hand does not have.

    ``distance`` is the least number of tiles to exchange (beyond those still to be drawn), None
    where no exchange leads there; ``give`` and ``take`` are one nearest exchange, ``take`` with the
    tiles still to be drawn; ``obstacles`` are codes of what is in the way besides.
    """

    id: str
    fan: int
    distance: int | None
    give: tuple[Tile, ...]
    take: tuple[Tile, ...]
    obstacles: tuple[Json, ...]


def lines(result: WinResult) -> tuple[Line, ...]:
    """Each line of a win's breakdown with its tiles and the basis of its value.

    >>> from .analyse import analyse
    >>> from .notation import parse
    >>> from .rules import load
    >>> result = analyse(Query(load("chengdu"), parse("11112223334455m")))
    >>> [(line.id, line.tiles) for line in lines(result)][1]
    ('gen', (0,))
    """
    query = result.query
    made = _made(result)
    return tuple(_line(query, made, counted) for counted in result.verdict.terms)


def _made(result: WinResult) -> Packed:
    """The concealed tiles with the jokers of the best reading as what they stand for."""
    query, reading = result.query, result.readings[0]
    joker = query.rules.joker_tile
    packed = query.hand.packed
    if joker is None or reading.division is None:
        return packed
    packed -= count(packed, joker) * UNIT[joker]
    return packed + sum(UNIT[t] for t in reading.jokers)


def _line(query: Query, made: Packed, counted: Counted) -> Line:
    rules, melds = query.rules, query.hand.melds
    term = TERMS[counted.id]
    tiles: tuple[Tile, ...]
    if term.id == GEN:
        alike = made + query.melds.pungs
        tiles = tuple(t for t in TILES if count(alike, t) == COPIES)
    elif term.id in KONGS:
        tiles = tuple(sorted(m.tile for m in melds if m.kind == term.id))
    elif term.kind == "pattern" or term.target is not None:
        tiles = tuple(sorted({*iterate(made), *(m.tile for m in melds)}))
    elif query.hand.win_tile is not None:
        tiles = (query.hand.win_tile,)
    else:
        tiles = ()
    return Line(
        counted.id,
        counted.fan,
        counted.count,
        counted.fan // counted.count,
        tiles,
        basis(rules, counted.id),
        f"fans.{counted.id}",
    )


#: Terms whose value comes from other options than their own 番.
_MADE_BY = {ZI_MO: ("self_draw_bonus",), SI_JI: ("joker", "cap")}


def basis(rules: Rules, term: str) -> str:
    """Where the value of a term comes from: ``stated``, ``assumed``, ``reading`` or ``house``.

    >>> from .rules import load
    >>> basis(load("laok"), "ma"), basis(load("laok").override({"fans": {"ma": 2}}), "ma")
    ('assumed', 'house')
    >>> basis(load("chengdu"), "gang_shang_hua"), basis(load("laok"), "gang_shang_hua")
    ('reading', 'stated')
    """
    preset = rules.preset or rules
    if rules.fans.get(term) != preset.fans.get(term) or any(
        getattr(rules, option) != getattr(preset, option) for option in _MADE_BY.get(term, ())
    ):
        return "house"
    if f"fans.{term}" in rules.assumed:
        return "assumed"
    return "reading" if any(f"fans.{term}" in r.on for r in rules.open_readings) else "stated"


def rests_on(result: Result) -> tuple[Rests, ...]:
    """The readings of the source that a win, or the waits of a ready hand, rest on.

    A reading matters where a term that rests on it counts, or where the other reading would change
    what is paid.

    >>> from .analyse import analyse
    >>> from .notation import parse
    >>> from .rules import load
    >>> found = rests_on(analyse(Query(load("chengdu"), parse("1122335577m8888p"))))
    >>> [(one.terms, one.other.fan) for one in found]
    [(('long_qi_dui',), 5)]
    """
    if not isinstance(result, WinResult | ReadyResult):
        return ()
    rules, counted = result.query.rules, _counted(result)
    found: list[Rests] = []
    for ruling in rules.open_readings:
        terms = tuple(t for t in TERMS if t in counted and f"fans.{t}" in ruling.on)
        if not ruling.in_a_hand or not (terms or _may_change(result.query, ruling)):
            continue
        table = rules.override(ruling.options)
        other = analyse(replace(result.query, rules=table))
        differs = _differs(result, other)
        if terms or differs:
            paid = other.payments if isinstance(other, WinResult) else ()
            found.append(Rests(ruling, terms, table, _best(other), paid, differs))
    return tuple(found)


def _counted(result: WinResult | ReadyResult) -> set[str]:
    verdicts = (
        [result.verdict]
        if isinstance(result, WinResult)
        else [wait.verdict for wait in result.waits]
    )
    return {line.id for verdict in verdicts for line in verdict.terms}


def _may_change(query: Query, ruling: Ruling) -> bool:
    """Whether a reading that no counted term rests on can still change what a hand is worth."""
    tables = {path.partition(".")[0] for path in ruling.on}
    if query.win.blessing is not None and f"fans.{query.win.blessing}" in ruling.on:
        return True
    return bool(tables & {"cap", "bloom", "scale", "self_draw_bonus"})


def _best(result: Result) -> Verdict | None:
    if isinstance(result, WinResult):
        return result.verdict
    return result.waits[0].verdict if isinstance(result, ReadyResult) else None


def _differs(one: Result, other: Result) -> str | None:
    mine, theirs = _best(one), _best(other)
    if mine is None or theirs is None or mine.multiple != theirs.multiple:
        return "multiple"
    if isinstance(one, WinResult) and isinstance(other, WinResult):
        return "payments" if one.payments != other.payments else None
    return None


def missing(query: Query) -> tuple[Missing, ...]:
    """The patterns that the hand does not have, nearest first, those out of reach last.

    Only what the rules value is listed: the patterns, and the bonus terms that are a shape.

    >>> from .notation import parse
    >>> from .rules import load
    >>> nearest = missing(Query(load("chengdu"), parse("123456789m12355p")))[0]
    >>> nearest.id, nearest.distance, len(nearest.give)
    ('qing_yi_se', 5, 5)
    """
    found: list[Missing] = []
    for term in (*PATTERNS, *BONUSES):
        fan = query.rules.fan_of(term.id)
        if term.target is None:
            continue
        if term.id == SI_JI:
            if query.jokers < query.rules.jokers_that_win <= COPIES:
                found.append(_jokers_missing(query))
        elif fan is not None:
            lack = _lack(query, term, fan)
            if lack.distance != 0 or lack.obstacles or query.hand.missing:
                found.append(lack)
    order = {term: number for number, term in enumerate(TERMS)}
    found.sort(key=lambda m: (99 if m.distance is None else m.distance, -m.fan, order[m.id]))
    return tuple(found)


def _jokers_missing(query: Query) -> Missing:
    rules = query.rules
    joker = rules.joker_tile
    assert joker is not None
    flat = scorer(rules, query.win).verdict(COPIES * UNIT[joker], summarise(()))
    number = COPIES - query.jokers
    fan = 0 if flat is None else flat.uncapped_fan
    far = max(0, number - max(0, query.hand.missing))
    natural = [t for t in query.hand.concealed if t != joker]
    return Missing(SI_JI, fan, far, tuple(natural[:far]), (joker,) * number, ())


def _lack(query: Query, term: Term, fan: int) -> Missing:
    target = term.target or Target()
    packed, joker = query.hand.packed, query.rules.joker_tile
    found = distance(packed, query.melds, query.rules, void=query.void, shape=target)
    if found is None:
        return Missing(term.id, fan, None, (), (), _obstacles(query, target))
    wild = 0 if joker is None else count(packed, joker)
    natural = packed - (0 if joker is None else wild * UNIT[joker])
    take: list[Tile] = []
    give: list[Tile] = []
    for tile in TILES:
        have, want = count(natural, tile), count(found.target, tile)
        take += [tile] * max(0, want - have)
        give += [tile] * max(0, have - want)
    # The jokers at hand fill what only they can be, then the last of the rest.
    take.sort(key=lambda t: t == joker)
    far = max(0, found.lacking - max(0, query.hand.missing))
    return Missing(term.id, fan, far, tuple(give), tuple(take[: len(take) - wild]), ())


def _obstacles(query: Query, target: Target) -> tuple[Json, ...]:
    """What no exchange of concealed tiles can mend: the melds, or the missing suit."""
    found = (*_obstacles_of_form(query, target), *_obstacles_of_tiles(query, target))
    return found or ({"code": "no_tiles_left"},)


def _obstacles_of_form(query: Query, target: Target) -> Iterator[Json]:
    """How many melds there are, and of what kind."""
    melds, size = query.melds, query.rules.size
    if target.melded and melds.number != size.sets:
        yield {"code": "needs_melds", "count": size.sets - melds.number}
    if target.konged and melds.kongs != size.sets:
        yield {"code": "needs_kongs", "count": size.sets - melds.kongs}
    if target.form == "seven_pairs":
        if melds.number:
            yield {"code": "no_melds_in_seven_pairs", "count": melds.number}
        if not size.pairs:
            yield {"code": "no_pairs_in_this_size"}
    if target.closed and melds.open:
        yield {"code": "open_melds"}


def _obstacles_of_tiles(query: Query, target: Target) -> Iterator[Json]:
    """What the tiles of the melds are."""
    melds = query.melds

    def meld_tiles(fields: Packed) -> list[Tile]:
        return [m.tile for m in query.hand.melds if UNIT[m.tile] & fields]

    if suits_of(melds.present) > (1 if target.pure else 2):
        yield {"code": "melds_in_suits", "count": suits_of(melds.present)}
    if target.outside and not melds.outside:
        yield {"code": "melds_inside", "tiles": meld_tiles(~TERMINAL_FIELDS)}
    if target.ranks is not None and melds.present & target.ranks.others:
        yield {"code": target.ranks.code, "tiles": meld_tiles(target.ranks.others)}
    if target.whole and melds.number and target.form != "seven_pairs":
        yield {"code": "no_melds_in_this", "count": melds.number}
    if query.void is not None and melds.present & SUIT_FIELDS[query.void]:
        yield {"code": "melds_in_void"}


def not_counted(result: WinResult) -> tuple[Json, ...]:
    """What a player may expect to count and does not, each with a code and its parameters.

    ``gen_absorbed``, ``kongs_absorbed``, ``outweighed`` (another pattern counts instead),
    ``off_here`` (the system has no such term), ``melds_no_seven_pairs``, ``capped``.

    >>> from .analyse import analyse
    >>> from .notation import parse
    >>> from .rules import load
    >>> result = analyse(Query(load("laok"), parse("22334455556677p")))
    >>> not_counted(result)[0]["code"]
    'gen_absorbed'
    """
    query, verdict = result.query, result.verdict
    if result.readings[0].division is None:
        return ()
    reading = _summary(scorer(query.rules, replace(query.win, horses=0)), result)
    found = [*_absorbed(verdict), *_no_patterns(query.rules, verdict, reading)]
    found += _no_bonuses(query.rules, verdict, reading)
    pairs = hand_facts(_made(result), 0) & PAIRS
    if query.hand.melds and pairs and query.rules.fan_of("qi_dui") is not None:
        found.append({"code": "melds_no_seven_pairs", "term": "qi_dui"})
    if verdict.uncapped_fan > verdict.fan:
        found.append({"code": "capped", "uncapped_fan": verdict.uncapped_fan, "cap": verdict.fan})
    return tuple(found)


def _absorbed(verdict: Verdict) -> Iterator[Json]:
    """根 and 杠 that a pattern of the hand has taken in."""
    for id in verdict.patterns:
        if TERMS[id].absorbs_quads:
            yield {"code": "gen_absorbed", "term": GEN, "by": id}
        if TERMS[id].absorbs_kongs:
            yield {"code": "kongs_absorbed", "term": id, "by": id}


def _no_patterns(rules: Rules, verdict: Verdict, reading: Reading) -> Iterator[Json]:
    """Patterns that the hand has, and another one or nothing counts instead."""
    counted = {line.id for line in verdict.terms}
    for term in PATTERNS:
        if term.id in counted or not term.holds(reading) or term.house:
            continue
        fan = rules.fan_of(term.id)
        if fan is None:
            yield {"code": "off_here", "term": term.id}
        elif fan and verdict.patterns and term.id != PATTERNS[0].id:
            yield {"code": "outweighed", "term": term.id, "fan": fan, "by": verdict.patterns[0]}


def _no_bonuses(rules: Rules, verdict: Verdict, reading: Reading) -> Iterator[Json]:
    """Bonuses that the hand has, and these rules or one of its patterns leave out."""
    counted = {line.id for line in verdict.terms}
    for term in BONUSES:
        if term.id in counted or not term.holds(reading):
            continue
        if by := excluded_by(rules, term.id, verdict):
            yield {"code": "excluded", "term": term.id, "by": by}
        if rules.fan_of(term.id) is None and not term.house:
            yield {"code": "off_here", "term": term.id}


def _summary(by: Scorer, result: WinResult) -> Reading:
    query, best = result.query, result.readings[0]
    assert best.division is not None
    return by.summary(best.division, _made(result), query.melds, jokers=bool(query.jokers))
