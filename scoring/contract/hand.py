"""The contract: JSON in and out (接口).

Requests and answers are plain dicts, described by the OpenAPI file of the site; the page, the
command line and the HTTP API all come through here, so they give the same numbers.  Answers hold
ids, codes and numbers; words are added by whoever shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import wraps
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..analyse import (
    ImpossibleResult,
    IncompleteResult,
    NotReadyResult,
    NotWonResult,
    Query,
    ReadyResult,
    Result,
    Wait,
    WinPayment,
    WinResult,
    analyse,
    assumed_of,
)
from ..compare import Valued, deciding
from ..decompose import CHOW, PUNG_SET
from ..explain import Missing, Rests, lines, missing, not_counted, rests_on
from ..hand import (
    BLESSINGS,
    DISCARD,
    EXPOSED_KONG,
    KONGS,
    MELD_KINDS,
    WAYS,
    Hand,
    Meld,
    Problem,
    Win,
    five_of_a_kind,
    problems,
    suits_shown,
)
from ..notation import NotationError, format_hand, format_meld, format_tiles, parse, parse_tiles
from ..rules import RULESETS, OptionErrors, Rules, UnknownRuleset, ids, load, number, whole
from ..score import ScoredReading, Verdict
from ..tiles import BIRD, SUITS, TILE_NAMES, TILES, USUAL, ZHONG, Packed, Tile, pack
from ..words import shortened
from ..work import TooMuchWork, bounded, current

Json = dict[str, Any]

MAX_LIST = 16
#: 点杠花 paid by the giver of the 直杠 once.
_GIVER_ALONE = ("discard", "giver_self_draw")
#: So many errors, notes or warnings are told one by one; then how many more there are.
MOST_LISTED = 50

_Answer = TypeVar("_Answer")

_REQUEST_KEYS = frozenset(
    (
        "ruleset",
        "options",
        "hand",
        "melds",
        "win_tile",
        "by",
        "after_kong",
        "kong_discard",
        "last_tile",
        "last_copy",
        "blessing",
        "seat",
        "dealer",
        "void",
        "horses",
        "payer_kongs",
        "seen",
    )
)

#: Those that say more than the rules and the tiles.
_CIRCUMSTANCES = _REQUEST_KEYS - {"ruleset", "options", "hand", "melds", "win_tile"}

_MELD_KEYS = frozenset(("kind", "tile", "jokers"))


def within_limits(call: Callable[..., _Answer]) -> Callable[..., _Answer | Json]:
    """A call of the contract that answers ``too_much_work`` where a request asks for more.

    Where somebody counts already (``work.bounded``) it is theirs to say so.
    """

    @wraps(call)
    def bounded_call(*request: Any, **more: Any) -> _Answer | Json:
        if current() is not None:
            return call(*request, **more)
        try:
            with bounded():
                return call(*request, **more)
        except TooMuchWork as error:
            return failed([too_much(error)])

    return bounded_call


def too_much(error: TooMuchWork) -> Json:
    """The error of a request that asks for too many hands."""
    return {"code": "too_much_work", "most": error.most}


def listed(found: Sequence[Json]) -> list[Json]:
    """The first of many errors or notes; the last entry then says how many more there are."""
    if len(found) <= MOST_LISTED:
        return list(found)
    return [*found[:MOST_LISTED], {"code": "more", "count": len(found) - MOST_LISTED}]


def _bad_field(name: str, expected: str) -> Json:
    """The error of a field that has another value than is expected."""
    return {"code": "bad_field", "field": name, "expected": expected}


def _bad_notation(error: NotationError, name: str) -> list[Json]:
    """An error for each thing that cannot be read in a field."""
    return [
        {"code": "bad_notation", "text": each.text, "at": each.at, "why": each.why, "field": name}
        for each in error.problems
    ]


def read_rules(
    request: Mapping[str, Any], errors: list[Json], folder: Path = RULESETS
) -> Rules | None:
    """The rules that a request names, with its options; faults are added to ``errors``."""
    ruleset = request.get("ruleset")
    if not isinstance(ruleset, str):
        errors.append(_bad_field("ruleset", "id"))
        return None
    try:
        rules = load(ruleset, folder)
    except UnknownRuleset:
        errors.append({"code": "unknown_ruleset", "ruleset": shortened(ruleset)})
        return None
    options = request.get("options")
    if options is None:
        return rules
    if not isinstance(options, Mapping):
        errors.append(_bad_field("options", "object"))
        return None
    try:
        return rules.override(options)
    except OptionErrors as faults:
        errors += faults.errors
        return None


def _choice(
    request: Mapping[str, Any], name: str, choices: Sequence[str], errors: list[Json]
) -> str | None:
    value = request.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or value not in choices:
        errors.append(_bad_field(name, "|".join(choices)))
        return None
    return value


def _flag(request: Mapping[str, Any], name: str, errors: list[Json]) -> bool:
    value = request.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        errors.append(_bad_field(name, "true|false"))
        return False
    return value


def _seat(
    request: Mapping[str, Any], name: str, errors: list[Json], rules: Rules | None
) -> int | None:
    value = request.get(name)
    last = 3 if rules is None else rules.players - 1
    seat = whole(value, 0, last)
    if value is not None and seat is None:
        errors.append(_bad_field(name, f"0..{last}"))
    return seat


def _tiles(request: Mapping[str, Any], name: str, errors: list[Json]) -> list[Tile]:
    """Tiles given as notation or as a list of notations."""
    value = request.get(name)
    if value is None:
        return []
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = " ".join(value)
    if not isinstance(value, str):
        errors.append(_bad_field(name, "tiles"))
        return []
    try:
        return parse_tiles(value)
    except NotationError as error:
        errors += _bad_notation(error, name)
        return []


def unknown_fields(given: Mapping[str, Any], known: Collection[str], where: str = "") -> list[Json]:
    """A note on each field that nobody reads: nothing is dropped in silence."""
    return [
        {"code": "unknown_field", "field": f"{where}{shortened(str(key))}"}
        for key in given
        if key not in known
    ]


def read_melds(
    value: Any, errors: list[Json], unknown: list[Json], joker: Tile | None = None
) -> list[Meld]:
    """The melds of a request's ``melds`` list; their jokers are of the kind ``joker``.

    Faults are added to ``errors``, notes on fields that nobody reads to ``unknown``.
    """
    found: list[Meld] = []
    if value is None:
        return found
    faults: list[Json] = []
    if not isinstance(value, list):
        faults.append(_bad_field("melds", "list"))
        value = []
    for index, item in enumerate(value[:MAX_LIST]):
        where = f"melds[{index}]"
        if not isinstance(item, Mapping):
            faults.append(_bad_field(where, "object"))
            continue
        unknown += unknown_fields(item, _MELD_KEYS, f"{where}.")
        part: list[Json] = []
        meld = _meld(item, joker, part)
        faults += [{**error, "field": f"{where}.{error['field']}"} for error in part]
        if meld is not None:
            found.append(meld)
    if len(value) > MAX_LIST:
        faults.append({"code": "too_many_melds", "count": len(value)})
    errors += faults
    return found


def _meld(item: Mapping[str, Any], joker: Tile | None, faults: list[Json]) -> Meld | None:
    """One meld of the list; None where something of it is wrong."""
    kind = _choice(item, "kind", MELD_KINDS, faults)
    tiles = _tiles(item, "tile", faults)
    jokers = 0 if item.get("jokers") is None else whole(item["jokers"], 0, 3)
    if jokers is None:
        faults.append(_bad_field("jokers", "0..3"))
    told = {error.get("field") for error in faults}
    if kind is None and "kind" not in told:
        faults.append(_bad_field("kind", "|".join(MELD_KINDS)))
    if len(tiles) != 1 and "tile" not in told:
        faults.append(_bad_field("tile", "tile"))
    if faults or kind is None or jokers is None:
        return None
    return Meld(kind, tiles[0], jokers, joker if jokers and joker is not None else BIRD)


def _hand(
    request: Mapping[str, Any], errors: list[Json], unknown: list[Json], rules: Rules | None
) -> Hand | None:
    text = request.get("hand")
    before = len(errors)
    size, joker = (USUAL, None) if rules is None else (rules.size, rules.joker_tile)
    apart: list[Meld] = []
    if "melds" in request:
        apart = read_melds(request["melds"], errors, unknown, joker)
    hand = None
    if not isinstance(text, str):
        errors.append(_bad_field("hand", "notation"))
    else:
        try:
            hand = parse(text, tuple(apart), size=size)
        except NotationError as error:
            errors += _bad_notation(error, "hand")
    win = _win_tile(request, errors, before) if "win_tile" in request else None
    if hand is None or before != len(errors):
        return None
    return hand if win is None else _with_win(hand, win, errors)


def _win_tile(request: Mapping[str, Any], errors: list[Json], before: int) -> Tile | None:
    """The winning tile named apart; ``before`` is how many errors there were before the hand's."""
    wins = _tiles(request, "win_tile", errors)
    if len(wins) > 1 or (request["win_tile"] is not None and not wins and before == len(errors)):
        errors.append(_bad_field("win_tile", "tile"))
    return wins[0] if wins else None


def _with_win(hand: Hand, win: Tile, errors: list[Json]) -> Hand:
    """The hand with its winning tile named: one of a full hand, or beside one that is short."""
    if hand.named:
        if hand.win_tile != win:
            errors.append(_bad_field("win_tile", "the tile named in the hand"))
        return hand
    concealed = list(hand.concealed)
    if not hand.missing > 0 and win in concealed:
        concealed.remove(win)
    elif not hand.missing > 0:
        errors.append({"code": "win_tile_absent", "tile": TILE_NAMES[win]})
        return hand
    return replace(hand, tiles=tuple(concealed), win_tile=win, named=True)


def _payer_kongs(value: Any, errors: list[Json]) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    expected = "a list of kong kinds for each payer"
    if not isinstance(value, list) or len(value) > MAX_LIST:
        errors.append(_bad_field("payer_kongs", expected))
        return ()
    if value and all(isinstance(v, str) for v in value):
        value = [value]  # one payer
    found: list[tuple[str, ...]] = []
    for kinds in value:
        if not isinstance(kinds, list) or any(k not in KONGS for k in kinds) or len(kinds) > 4:
            errors.append(_bad_field("payer_kongs", expected))
            return ()
        found.append(tuple(kinds))
    return tuple(found)


def hand_errors(hand: Hand, rules: Rules | None, seen: Packed = 0) -> list[Json]:
    """The contract's errors for everything that is impossible about a hand.

    ``seen`` is what lies open elsewhere.
    """
    joker = None if rules is None else rules.joker_tile
    found = problems(hand, joker)
    errors: list[Json] = []
    if not found and (rules is None or rules.suits == len(SUITS)):
        return errors
    if Problem.TOO_MANY_MELDS in found:
        errors.append({"code": "too_many_melds", "count": len(hand.melds)})
    if Problem.TOO_MANY_TILES in found:
        errors.append(
            {"code": "too_many_tiles", "count": len(hand.concealed), "most": hand.full_count}
        )
    if Problem.FIVE_OF_A_KIND in found:
        for tile in five_of_a_kind(hand, joker):
            errors.append({"code": "five_of_a_kind", "tile": TILE_NAMES[tile]})
    if Problem.MELD_WITHOUT_NATURAL in found or Problem.MELD_OF_JOKERS in found:
        expected = "no jokers" if joker is None else "a natural tile in each"
        errors.append(_bad_field("melds", expected))
    if Problem.FOREIGN_TILES in found and rules is not None:
        errors.append(_bad_field("hand", "no 7z"))
    if rules is not None and rules.suits < len(suits_shown(hand, joker, seen)):
        errors.append({"code": "too_many_suits", "suits": rules.suits})
    return errors


def read_query(
    request: Any, *, folder: Path = RULESETS, rules: Rules | None = None
) -> tuple[Query | None, list[Json], list[Json]]:
    """A request as a query, with errors (then there is no query) and notes on unknown fields.

    ``rules`` stand instead of those that the request names.
    """
    errors: list[Json] = []
    if not isinstance(request, Mapping):
        return None, [{"code": "bad_json", "why": "not_an_object"}], []
    unknown = unknown_fields(request, _REQUEST_KEYS)
    rules = rules or read_rules(request, errors, folder)
    hand = _hand(request, errors, unknown, rules)
    said = _said(request, errors, rules)
    if hand is not None:
        errors += hand_errors(hand, rules, said.seen)
    if errors or rules is None or hand is None:
        return None, errors, unknown
    void = said.void
    query = Query(
        rules,
        hand,
        said.win,
        _unused_suit(hand, rules, said.seen) if void is None else SUITS.index(void),
        said.seen,
        said.seat,
        said.dealer,
        said.payer_kongs,
        said.horses,
    )
    return query, [], unknown


class _Said(NamedTuple):
    """What a request says of how a hand was won, and of the table around it."""

    win: Win = Win()
    void: str | None = None
    seen: Packed = 0
    seat: int | None = None
    dealer: int | None = None
    payer_kongs: tuple[tuple[str, ...], ...] = ()
    horses: tuple[Tile, ...] = ()


_NOTHING_SAID = _Said()


def _said(request: Mapping[str, Any], errors: list[Json], rules: Rules | None) -> _Said:
    """All that a request says beside the rules and the tiles; most say nothing."""
    if _CIRCUMSTANCES.isdisjoint(request):
        return _NOTHING_SAID
    win = Win(
        _choice(request, "by", WAYS, errors) or DISCARD,
        _choice(request, "after_kong", KONGS, errors),
        _flag(request, "kong_discard", errors),
        _flag(request, "last_tile", errors),
        last_copy=_flag(request, "last_copy", errors),
        blessing=_choice(request, "blessing", BLESSINGS, errors),
    )
    void = _choice(request, "void", tuple(SUITS), errors)
    if void is not None and rules is not None and rules.suits < len(SUITS):
        errors.append(_bad_field("void", "null with two suits"))
    seat, dealer = (_seat(request, name, errors, rules) for name in ("seat", "dealer"))
    seen = _seen(request, errors, rules)
    horses = _horses(request, errors, rules)
    payer_kongs = _payer_kongs(request.get("payer_kongs"), errors)
    bloom = "" if win.after_kong != EXPOSED_KONG or rules is None else rules.bloom
    others = 3 if rules is None else rules.players - 1
    if len(payer_kongs) > (others if win.self_drawn and bloom not in _GIVER_ALONE else 1):
        errors.append(_bad_field("payer_kongs", "at most one list for each payer"))
    return _Said(win, void, seen, seat, dealer, payer_kongs, horses)


def _seen(request: Mapping[str, Any], errors: list[Json], rules: Rules | None) -> Packed:
    seen = _tiles(request, "seen", errors)
    if any(seen.count(t) > 4 for t in set(seen)):
        errors.append(_bad_field("seen", "at most four of a kind"))
    if ZHONG in seen and rules is not None and rules.joker_tile != ZHONG:
        errors.append(_bad_field("seen", "no 7z"))
    return pack(seen)


def _horses(
    request: Mapping[str, Any], errors: list[Json], rules: Rules | None
) -> tuple[Tile, ...]:
    horses = _tiles(request, "horses", errors)
    if ZHONG in horses:
        errors.append(_bad_field("horses", "no 7z"))
    if len(horses) > MAX_LIST:
        errors.append(_bad_field("horses", f"at most {MAX_LIST}"))
    if horses:
        for name in ("seat", "dealer"):
            if request.get(name) is None:
                errors.append(_bad_field(name, f"0..{3 if rules is None else rules.players - 1}"))
    return tuple(horses)


def _unused_suit(hand: Hand, rules: Rules, seen: Packed) -> int | None:
    """The suit that a table with two suits does without, once it shows both; else None."""
    if rules.suits == len(SUITS):
        return None
    shown = suits_shown(hand, rules.joker_tile, seen)
    return next(iter(set(range(len(SUITS))) - shown)) if len(shown) == rules.suits else None


def failed(errors: list[Json]) -> Json:
    """The answer to a request that cannot be read or cannot be."""
    return {"status": "error", "errors": listed(errors)}


@within_limits
def score(request: Any, *, folder: Path = RULESETS) -> Json:
    """One hand (算番): the answer to a ``score`` request, by its status.

    ``folder`` holds the rule files.

    >>> answer = score({"ruleset": "chengdu", "hand": "22244455577799m"})
    >>> answer["status"], answer["fan"], answer["multiple"]
    ('win', 3, 8)
    """
    query, errors, unknown = read_query(request, folder=folder)
    if query is None:
        return failed(errors)
    answer = render(query)
    return answer if answer["status"] == "error" else _noted(answer, unknown)


def _noted(answer: Json, notes: Sequence[Json]) -> Json:
    """An answer with notes on the request, if there are any, after its own."""
    return {**answer, "notes": listed([*answer.get("notes", []), *notes])} if notes else answer


def render(query: Query) -> Json:
    """The analysis of a query as the contract writes it."""
    result = analyse(query)
    if isinstance(result, ImpossibleResult):
        return failed(_impossible_json(result))
    answer = _RENDER[type(result)](result)
    answer["ruleset"] = query.rules.id
    answer["hand"] = format_hand(query.hand)
    return answer


def terms_json(verdict: Verdict) -> list[Json]:
    """The lines of a breakdown."""
    return [{"id": t.id, "fan": t.fan, "count": t.count} for t in verdict.terms]


def _value_json(verdict: Verdict, rules: Rules) -> Json:
    return {
        "fan": verdict.fan,
        "uncapped_fan": verdict.uncapped_fan,
        "multiple": verdict.multiple,
        "points": number(verdict.multiple * rules.base_cents),
    }


def shape_json(reading: ScoredReading, melds: Sequence[Meld]) -> Json:
    """How a hand is read: sets and pair, melds in the brackets of the notation."""
    division = reading.division
    if division is None:
        return {"kind": "four_jokers"}
    if division.pairs:
        return {
            "kind": "seven_pairs",
            "pairs": [_PAIR_TEXTS[t] for t in division.pairs],
        }
    return {
        "kind": "standard",
        "pair": _PAIR_TEXTS[division.pair],
        "sets": [
            *map(_SET_TEXTS.__getitem__, sorted(division.sets, key=_by_tile)),
            *map(format_meld, melds),
        ],
    }


_by_tile = itemgetter(1, 0)
#: Every set and every pair as it is written.
_SET_TEXTS = {
    **{(PUNG_SET, t): format_tiles([t] * 3) for t in TILES},
    **{(CHOW, t): format_tiles([t, t + 1, t + 2]) for t in TILES if t % 9 < 7},
}
_PAIR_TEXTS = [format_tiles([t] * 2) for t in TILES]


def _payment_json(payment: WinPayment) -> Json:
    """Who pays, how many of them, and how much each; ``shares`` where one pays for several."""
    row: Json = {
        "who": payment.who,
        "players": payment.players,
        "amount": number(payment.cents),
    }
    return {**row, "shares": payment.shares} if payment.shares > 1 else row


def _win_json(result: WinResult) -> Json:
    query, best = result.query, result.readings[0]
    hand = query.hand
    meld_jokers = [m.tile for m in hand.melds for _ in range(m.jokers)]
    return {
        "status": "win",
        **_value_json(best.verdict, query.rules),
        "terms": terms_json(best.verdict),
        "patterns": list(best.verdict.patterns),
        "shape": shape_json(best, hand.melds),
        "win_tile": None if hand.win_tile is None else TILE_NAMES[hand.win_tile],
        "jokers": [TILE_NAMES[t] for t in (*best.jokers, *meld_jokers)],
        "payments": [_payment_json(p) for p in result.payments],
        "alternatives": [
            {
                "shape": shape_json(reading, hand.melds),
                "jokers": [TILE_NAMES[t] for t in (*reading.jokers, *meld_jokers)],
                "terms": terms_json(reading.verdict),
                **_value_json(reading.verdict, query.rules),
            }
            for reading in result.readings[1:]
        ],
        "assumed": list(result.assumed),
        "notes": list(result.notes),
    }


def _waits_json(waits: Sequence[Wait], rules: Rules) -> list[Json]:
    return [
        {
            "tile": TILE_NAMES[w.tile],
            "left": w.left,
            **_value_json(w.verdict, rules),
            "terms": terms_json(w.verdict),
            "assumed": list(assumed_of(rules, w.verdict)),
        }
        for w in waits
    ]


def _assumed_in(waits: Iterable[Json]) -> list[str]:
    """What several waits use that the source does not state, each once."""
    return list(dict.fromkeys(key for wait in waits for key in wait["assumed"]))


def _ready_json(result: ReadyResult) -> Json:
    rules = result.query.rules
    waits = _waits_json(result.waits, rules)
    answer: Json = {"status": "ready", "waits": waits, "assumed": _assumed_in(waits)}
    if rules.joker is not None:
        answer["joker_wins"] = True
    return answer


def _not_won_json(result: NotWonResult) -> Json:
    rules = result.query.rules
    discards: list[Json] = [
        {"tile": TILE_NAMES[d.tile], "waits": _waits_json(d.waits, rules)} for d in result.discards
    ]
    below = {"below_minimum": True} if result.below_minimum else {}
    return {
        "status": "not_won",
        **below,
        "discards": discards,
        "shanten": result.shanten,
        "flower_pig": result.flower_pig,
        "assumed": _assumed_in(wait for discard in discards for wait in discard["waits"]),
    }


def _not_ready_json(result: NotReadyResult) -> Json:
    return {
        "status": "not_ready",
        "shanten": result.shanten,
        "useful": [{"tile": TILE_NAMES[t], "left": left} for t, left in result.useful],
        "flower_pig": result.flower_pig,
        "assumed": [],
    }


def _incomplete_json(result: IncompleteResult) -> Json:
    return {"status": "incomplete", "missing": result.missing}


_RENDER: dict[type, Callable[[Any], Json]] = {
    WinResult: _win_json,
    ReadyResult: _ready_json,
    NotWonResult: _not_won_json,
    NotReadyResult: _not_ready_json,
    IncompleteResult: _incomplete_json,
}


@within_limits
def compare(request: Any, *, folder: Path = RULESETS) -> list[Json] | Json:
    """The same hand under every system (各规则比较): a list of rows, or an error.

    One row for each preset, in the usual order; before them one, with ``options``, for the table's
    own rules where the request changes any.  All are taken at the same table: its players, suits,
    sets and 红中.  ``multiple`` is the value at an equal base,
    ``points`` the multiple times the system's own base, ``points_at_equal_base`` times the base of
    the request; of a ready hand, its best wait.  ``deciding`` are
    the ids of what makes a row differ from the request's own rules, ``assumed`` those of the values
    that the row uses and its source does not state; a row without a value uses none.  Fields that
    nobody reads are noted in every row (``notes``).

    >>> rows = compare({"ruleset": "chengdu", "hand": "11334466778899m"})
    >>> [row["multiple"] for row in rows][:3]
    [16, 32, 16]
    """
    query, errors, unknown = read_query(request, folder=folder)
    if query is None:
        return failed(errors)
    own = _compared(query.rules, analyse(query))
    rows: list[Json] = []
    if query.rules.preset is not None and query.rules.changes():
        options = _options_json(query.rules.changes())
        row = _compare_row(query, own, own)
        rows.append({"ruleset": query.rules.id, "options": options, **row})
    # Of what was read, only what may be in a hand depends on the system: on its joker.
    faults: dict[Tile | None, list[Json]] = {}
    for ruleset in ids(folder):
        rules = load(ruleset, folder).at_table_of(query.rules)
        joker = rules.joker_tile
        if joker not in faults:
            faults[joker] = hand_errors(query.hand, rules)
        if rules is query.rules:
            rows.append(_compare_row(query, own, own))
        elif faults[joker]:
            rows.append({"ruleset": ruleset, **failed(faults[joker])})
        else:
            other = analyse(replace(query, rules=rules))
            rows.append(_compare_row(query, own, _compared(rules, other)))
    return [_noted(row, unknown) for row in rows]


def _compared(rules: Rules, result: Result) -> tuple[Rules, Result, Verdict | None]:
    """A result with the verdict that stands for it: the win, or the best wait."""
    if isinstance(result, WinResult):
        return rules, result, result.verdict
    if isinstance(result, ReadyResult):
        return rules, result, result.waits[0].verdict
    return rules, result, None


def _compare_row(
    query: Query,
    own: tuple[Rules, Result, Verdict | None],
    other: tuple[Rules, Result, Verdict | None],
) -> Json:
    rules, result, verdict = other
    row: Json = {"ruleset": rules.id}
    if isinstance(result, ImpossibleResult):
        return {**row, **failed(_impossible_json(result))}
    row["status"] = _STATUS[type(result)]
    if verdict is None:
        return {**row, "assumed": []}
    used = result.assumed if isinstance(result, WinResult) else assumed_of(rules, verdict)
    row |= {
        "fan": verdict.fan,
        "uncapped_fan": verdict.uncapped_fan,
        "multiple": verdict.multiple,
        "points": number(verdict.multiple * rules.base_cents),
        "points_at_equal_base": number(verdict.multiple * query.rules.base_cents),
        "terms": terms_json(verdict),
        "assumed": list(used),
    }
    if own[2] is not None:
        row["deciding"] = list(deciding(Valued(own[0], own[2]), Valued(rules, verdict)))
    return row


def _options_json(options: Mapping[str, Any]) -> Json:
    return {
        name: float(value) if isinstance(value, Decimal) else value
        for name, value in options.items()
    }


@within_limits
def explain(request: Any, *, lacking: bool = True, folder: Path = RULESETS) -> Json:
    """Why a hand is worth what it is, and what it lacks of every other pattern (为什么).

    ``lines`` of a win with the tiles counted and the basis of each value.  ``patterns`` are those
    that the hand does not have, nearest first: each with ``distance`` (null: out of reach), one
    exchange (``give``, ``take``), ``obstacles`` and whether its value is ``assumed``.
    ``not_counted`` is what a player may expect and does not count; ``rulings`` are those of
    :func:`rulings`.  Without ``lacking`` there are no patterns, which take most of the time.
    Fields that nobody reads are noted (``notes``).

    >>> answer = explain({"ruleset": "chengdu", "hand": "123456789m55m22p3p"})
    >>> [(p["id"], p["distance"]) for p in answer["patterns"]][0]
    ('ping_hu', 1)
    """
    query, errors, unknown = read_query(request, folder=folder)
    if query is None:
        return failed(errors)
    result = analyse(query)
    if isinstance(result, ImpossibleResult):
        return failed(_impossible_json(result))
    answer: Json = {
        "status": _STATUS[type(result)],
        "ruleset": query.rules.id,
        "hand": format_hand(query.hand),
        "patterns": [_missing_json(m, query.rules) for m in missing(query)] if lacking else [],
        "lines": [],
        "not_counted": [],
        "rulings": [_rests_json(one) for one in rests_on(result)],
    }
    if isinstance(result, WinResult):
        answer["lines"] = [
            {
                "id": line.id,
                "fan": line.fan,
                "count": line.count,
                "each": line.each,
                "tiles": [TILE_NAMES[t] for t in line.tiles],
                "ruleset": query.rules.id,
                "option": line.option,
                "basis": line.basis,
            }
            for line in lines(result)
        ]
        answer["not_counted"] = [*not_counted(result), *result.notes]
    return _noted(answer, unknown)


def rulings(request: Any, *, folder: Path = RULESETS) -> list[Json]:
    """The readings of the source that the value of a hand rests on (读法); none for other hands.

    Each with the ``terms`` that rest on it, the ``options`` that take the other reading, and what
    the hand is worth then (of a ready hand, its best wait).  ``differs`` says what changes:
    ``multiple``, ``payments`` where only who pays does, or null.

    >>> asked = {"ruleset": "chengdu", "hand": "1122335577m8888p"}
    >>> [(one["terms"], one["options"], one["fan"]) for one in rulings(asked)]
    [(['long_qi_dui'], {'fans': {'long_qi_dui': 5, 'qing_long_qi_dui': 6}}, 5)]
    """
    query, _errors, _unknown = read_query(request, folder=folder)
    return [] if query is None else [_rests_json(one) for one in rests_on(analyse(query))]


def _rests_json(one: Rests) -> Json:
    row: Json = {
        "on": list(one.ruling.on),
        "terms": list(one.terms),
        "options": _options_json(one.ruling.options),
        "reading": one.ruling.text,
        "other_reading": one.ruling.other,
        "differs": one.differs,
    }
    if one.other is not None:
        row |= _value_json(one.other, one.rules)
        row["payments"] = [_payment_json(p) for p in one.payments]
    return row


def _missing_json(lack: Missing, rules: Rules) -> Json:
    return {
        "id": lack.id,
        "fan": lack.fan,
        "assumed": lack.id in rules.unstated_terms,
        "distance": lack.distance,
        "give": [TILE_NAMES[t] for t in lack.give],
        "take": [TILE_NAMES[t] for t in lack.take],
        "obstacles": [
            {
                key: [TILE_NAMES[t] for t in value] if key == "tiles" else value
                for key, value in obstacle.items()
            }
            for obstacle in lack.obstacles
        ],
    }


def _impossible_json(result: ImpossibleResult) -> list[Json]:
    return [{"code": "impossible_win", "why": why} for why in result.whys]


_STATUS: dict[type, str] = {
    WinResult: "win",
    ReadyResult: "ready",
    NotWonResult: "not_won",
    NotReadyResult: "not_ready",
    IncompleteResult: "incomplete",
}
