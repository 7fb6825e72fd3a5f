"""What a tap on the page of a round does: a state and an action give the next state.

Every button of the page is one action, ``verb:value``; with and without JavaScript they come
through here. Nothing is reckoned: what an event pays, and whether it may happen, is the engine's.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from scoring.addresses.hand import rules_of, switch_rules
from scoring.addresses.round import (
    MAX_ROUND_EVENTS,
    Event,
    RoundPage,
    complete,
    read_names,
)
from scoring.contract.round import MAX_NOTE
from scoring.hand import ADDED_KONG, DISCARD, EXPOSED_KONG, KONGS, ROB_KONG, SELF_DRAW, WAYS, Meld
from scoring.notation import (
    NotationError,
    format_meld,
    format_tiles,
    parse,
    parse_tile,
    parse_tiles,
)
from scoring.patterns import MA
from scoring.rules import MAX_FAN, UnknownRuleset, number
from scoring.settle import FALSE_WIN, FLOWER_PIG, NOT_READY, READY, SEATS
from scoring.tiles import TILE_NAMES, TILE_OF_NAME

ESCAPE = "escape"
DRAW = "draw"
PAYMENT = "payment"
#: What can be entered, in the order of the buttons.
KINDS: tuple[str, ...] = (*KONGS, *WAYS, DRAW, ESCAPE, FALSE_WIN, PAYMENT)

#: In the place of a seat: whoever is the first winner, as soon as that is said.
FIRST = "first"
#: A sum of points as it is typed.
_SUM = r"\d{1,7}(?:\.\d{1,2})?"
#: A longer text of horses is none.
MAX_HORSES = 20


@dataclass(frozen=True)
class Step:
    """The next state; ``done`` is False where the action meant nothing here.

    ``dropped`` are the house rules that another system does not take; ``lost`` is what the entry
    held and had to give up: ``gone`` (what 流局 said of a player who plays no more) or ``unwon``
    (a winner with his 番), each with the seat.
    """

    page: RoundPage
    done: bool = True
    dropped: tuple[str, ...] = ()
    lost: tuple[tuple[str, int], ...] = ()


def kind_of(event: Mapping[str, Any]) -> str:
    """Which button made an event: a kind of kong, a way of winning, ``draw`` or ``escape``.

    >>> kind_of({"type": "kong", "kind": "added_kong", "seat": 0})
    'added_kong'
    """
    if event["type"] == "kong":
        return str(event["kind"])
    return str(event["by"] if event["type"] == "win" else event["type"])


def robs(kong: Mapping[str, Any], win: Mapping[str, Any]) -> bool:
    """Whether a win robs (抢杠) the kong just before it: the page shows the two as one."""
    return bool(
        kong.get("robbed") and win.get("by") == ROB_KONG and win.get("from") == kong.get("seat")
    )


def groups(events: Sequence[Mapping[str, Any]]) -> list[range]:
    """The events as the page lists them: a robbed kong goes with its win.

    >>> groups([{"type": "draw", "hands": {}}])
    [range(0, 1)]
    """
    found: list[range] = []
    index = 0
    while index < len(events):
        pair = index + 1 < len(events) and robs(events[index], events[index + 1])
        found.append(range(index, index + 1 + pair))
        index += 1 + pair
    return found


def group_of(events: Sequence[Mapping[str, Any]], index: int) -> range:
    """The group that an event belongs to."""
    return next(group for group in groups(events) if index in group)


def before(page: RoundPage) -> Event | None:
    """The event just before the entry."""
    at = page.position
    return page.events[at - 1] if at else None


def with_entry(page: RoundPage) -> tuple[tuple[Event, ...], int]:
    """The events with the entry among them, and its index; an entry with holes is not taken."""
    entry = page.entry
    at = page.position
    if entry is None or not complete(entry):
        return page.events, -1
    head, tail = page.events[:at], page.events[at + (page.at is not None) :]
    if kind_of(entry) == ROB_KONG and not (head and robs(head[-1], entry)):
        if _robbed_before(page):
            head = head[:-1]  # the kong of another player was robbed before this edit
        kong = {"type": "kong", "seat": entry["from"], "kind": ADDED_KONG, "robbed": True}
        head = (*head, kong)
    elif kind_of(entry) != ROB_KONG and _robbed_before(page):
        head = head[:-1]  # nobody robs any more: the kong was noted down for that alone
    return (*head, entry, *tail), len(head)


def _robbed_before(page: RoundPage) -> bool:
    """Whether the entry replaces a win that robbed the kong just before it."""
    kong = before(page)
    return page.at is not None and kong is not None and robs(kong, page.events[page.at])


def _new(kind: str) -> Event:
    if kind in KONGS:
        event: Event = {"type": "kong", "seat": None, "kind": kind}
        return {**event, "from": None} if kind == EXPOSED_KONG else event
    if kind in WAYS:
        event = {"type": "win", "by": kind}
        return (
            {**event, "winners": []}
            if kind == SELF_DRAW
            else {**event, "from": None, "winners": []}
        )
    if kind == PAYMENT:
        return {"type": kind, "from": None, "to": None, "amount": None}
    return {"type": kind, "hands": {}} if kind == DRAW else {"type": kind, "seat": None}


def _tuned(page: RoundPage, entry: Event) -> RoundPage:
    """The page with this entry, its kong bonus on where the event before it is that kong."""
    if entry["type"] == "win" and any(w.get("hand") for w in entry["winners"]):
        # A hand was reckoned as it came: nothing is added to it, nothing dropped that fits.
        unfit = {SELF_DRAW: ("kong_discard",), DISCARD: ("after_kong",)}.get(
            entry["by"], ("after_kong", "kong_discard")
        )
        entry = {k: v for k, v in entry.items() if k not in unfit}
    elif entry["type"] == "win":
        kong = before(page)
        entry = {k: v for k, v in entry.items() if k not in ("after_kong", "kong_discard")}
        if kong is not None and kong["type"] == "kong" and not kong.get("robbed"):
            seats = [w["seat"] for w in entry["winners"]]
            if entry["by"] == SELF_DRAW and kong["seat"] in seats:
                entry["after_kong"] = kong["kind"]
            if entry["by"] == DISCARD and entry["from"] == kong["seat"]:
                entry["kong_discard"] = True
    return replace(page, entry=entry)


def konged(entry: Mapping[str, Any], kong: Mapping[str, Any] | None) -> bool:
    """Whether the kong just before is the winner's own, or that of the player who discards."""
    if kong is None or kong["type"] != "kong" or kong.get("robbed"):
        return False
    if entry["by"] == DISCARD:
        return bool(entry["from"] == kong["seat"])
    return any(w["seat"] == kong["seat"] for w in entry["winners"])


def lacks_kong(page: RoundPage) -> bool:
    """Whether the entry speaks of a kong just before it that nobody has noted down."""
    entry, kong = page.entry, before(page)
    if entry is None or entry["type"] != "win":
        return False
    after = entry.get("after_kong")
    if after:
        return not (konged(entry, kong) and kong is not None and kong["kind"] == after)
    return bool(entry.get("kong_discard")) and not konged(entry, kong)


def konger(entry: Mapping[str, Any]) -> int | None:
    """Whose kong 杠上花 or 杠上炮 speaks of: the winner's, or that of who discarded."""
    seat = (
        entry["from"]
        if entry["by"] == DISCARD
        else next((w["seat"] for w in entry["winners"]), None)
    )
    return None if seat is None else int(seat)


def _kong_before(page: RoundPage, value: str) -> RoundPage | None:
    """Note down the kong that the entry speaks of, just before it."""
    kind, _, giver_text = value.partition(":")
    entry, giver = page.entry, _read_seat(giver_text)
    if entry is None or not lacks_kong(page) or kind not in KONGS:
        return None
    seat, after = konger(entry), entry.get("after_kong")
    if seat is None or (after or kind) != kind or len(page.events) >= MAX_ROUND_EVENTS:
        return None
    kong = {"type": "kong", "seat": seat, "kind": kind}
    if kind == EXPOSED_KONG:
        if giver is None or giver == seat:
            return None
        kong["from"] = giver
    if after and (tile := _tile_of_kong(page, kind)):
        kong["tile"] = tile
    at = page.position
    events = (*page.events[:at], kong, *page.events[at:])
    return replace(page, events=events, at=None if page.at is None else page.at + 1)


def _tile_of_kong(page: RoundPage, kind: str) -> str:
    """The tile of the winner's last kong of a kind that is not noted down yet."""
    winner = page.entry["winners"][0] if page.entry else {}
    try:
        melds = parse(winner.get("hand") or "").melds
    except NotationError:
        return ""
    booked = [
        event.get("tile")
        for event in page.earlier
        if event["type"] == "kong" and event["seat"] == winner["seat"]
    ]
    found = [TILE_NAMES[meld.tile] for meld in melds if meld.kind == kind]
    return next((tile for tile in reversed(found) if tile not in booked), "")


def _begin(page: RoundPage, kind: str) -> RoundPage | None:
    if kind not in KINDS or (page.entry is None and len(page.events) >= MAX_ROUND_EVENTS):
        return None
    old, made = page.entry, _new(kind)
    if old is None:
        return replace(page, entry=made, at=None)
    if kind_of(old) == kind:
        return replace(page, entry=None, at=None)
    # Who was chosen already stays chosen.
    seats = [w["seat"] for w in old.get("winners", ())] or [old.get("seat")]
    if made["type"] == "win" and old["type"] == "win":
        made["winners"] = old["winners"][:1] if kind == SELF_DRAW else old["winners"]
    elif made["type"] == "win" and seats[0] is not None:
        made["winners"] = [{"seat": seats[0], "fan": None}]
    elif "seat" in made:
        made["seat"] = seats[0]
    if "from" in made:
        made["from"] = old.get("from")
    return _tuned(page, made)


def _who(page: RoundPage, value: str) -> RoundPage | None:
    entry, seat = page.entry, _read_seat(value)
    if entry is None or seat is None or entry["type"] == DRAW:
        return None
    made = dict(entry)
    if entry["type"] == PAYMENT:
        made["to"] = None if entry["to"] == seat else seat
    elif entry["type"] != "win":
        made["seat"] = None if entry["seat"] == seat else seat
    else:
        winners = list(entry["winners"])
        waiting = [i for i, w in enumerate(winners) if w["seat"] is None]
        if waiting:
            winners[waiting[0]] = {**winners[waiting[0]], "seat": seat}
        elif any(w["seat"] == seat for w in winners):
            winners = [w for w in winners if w["seat"] != seat]
        elif entry["by"] == SELF_DRAW:
            winners = [{"seat": seat, "fan": None}]
        elif len(winners) < len(page.seats) - 1:
            winners.append({"seat": seat, "fan": None})
        else:
            return None
        made["winners"] = winners
    if made.get("from") == seat:
        made["from"] = None
    return _tuned(page, made)


def _only_giver(page: RoundPage, before: Event | None) -> RoundPage:
    """The page whose entry names who gave the tile, where only one other player is left."""
    entry = page.entry
    if entry is None or entry.get("from", 0) is not None or entry == before:
        return page
    taken = {entry.get("seat"), *(winner["seat"] for winner in entry.get("winners", ()))} - {None}
    others = set(page.seats) - page.out_of_play - taken
    if len(taken) != 1 or len(others) != 1:
        return page
    return _tuned(page, {**entry, "from": others.pop()})


def _from(page: RoundPage, value: str) -> RoundPage | None:
    entry, seat = page.entry, _read_seat(value)
    if entry is None or seat is None or "from" not in entry:
        return None
    made = {**entry, "from": None if entry["from"] == seat else seat}
    for other in ("seat", "to"):
        if made.get(other) == seat:
            made[other] = None
    if entry["type"] == "win":
        made["winners"] = [w for w in entry["winners"] if w["seat"] != seat]
    return _tuned(page, made)


def _fan(page: RoundPage, value: str) -> RoundPage | None:
    who, _, fan_text = value.partition(":")
    if not fan_text.isascii() or not fan_text.isdecimal() or int(fan_text) > MAX_FAN:
        return None
    given: Event = {"fan": int(fan_text)}
    if who == FIRST:
        return _first_given(page, given)
    seat = _read_seat(who)
    return None if seat is None else _given(page, seat, given)


def _first_given(page: RoundPage, given: Event) -> RoundPage | None:
    """The first winner is given by 番, perhaps before it is said who that is."""
    entry = page.entry
    if entry is None or entry["type"] != "win":
        return None
    first, *others = entry["winners"] or [{"seat": None}]
    return replace(page, entry={**entry, "winners": [{"seat": first["seat"], **given}, *others]})


def _given(page: RoundPage, seat: int, given: Event) -> RoundPage | None:
    """A winner or a player at the end of the wall, given by ``fan`` or ``hand``."""
    entry = page.entry
    if entry is None:
        return None
    if entry["type"] == "win":
        if all(w["seat"] != seat for w in entry["winners"]):
            return None
        winners = [{"seat": seat, **given} if w["seat"] == seat else w for w in entry["winners"]]
        return replace(page, entry={**entry, "winners": winners})
    if entry["type"] != DRAW:
        return None
    old = entry["hands"].get(str(seat), {})
    standing = {"state": READY, **given} if "fan" in given else dict(given)
    if old.get("waived"):
        standing["waived"] = True
    return replace(page, entry={**entry, "hands": {**entry["hands"], str(seat): standing}})


def _unhand(page: RoundPage, value: str) -> RoundPage | None:
    """The entry waits for no hand any more; or the hand of this seat is taken out of it."""
    entry, of = page.entry, _read_seat(value)
    if entry is None or entry["type"] not in ("win", DRAW):
        return None
    if entry["type"] == DRAW:
        hands = {seat: s for seat, s in entry["hands"].items() if s.get("hand") != ""}
        return replace(page, entry={**entry, "hands": hands})
    winners = [
        {"seat": w["seat"], "fan": None}
        if w.get("hand") == "" or (of is not None and w["seat"] == of)
        else w
        for w in entry["winners"]
    ]
    return replace(page, entry={**entry, "winners": winners})


def _state(page: RoundPage, value: str) -> RoundPage | None:
    seat_text, _, state = value.partition(":")
    seat, entry = _read_seat(seat_text), page.entry
    if entry is None or entry["type"] != DRAW or seat is None:
        return None
    hands = dict(entry["hands"])
    old = hands.get(str(seat), {})
    if state == "off" or (old.get("state") == state and state != READY):
        hands.pop(str(seat), None)
    elif state == READY:
        hands[str(seat)] = {"state": READY, "fan": old.get("fan")}
    elif state in (FLOWER_PIG, NOT_READY):
        hands[str(seat)] = {"state": state}
    else:
        return None
    return replace(page, entry={**entry, "hands": hands})


def _waive(page: RoundPage, value: str) -> RoundPage | None:
    entry = page.entry
    if entry is None or entry["type"] != DRAW or value not in entry["hands"]:
        return None
    standing = dict(entry["hands"][value])
    if standing.pop("waived", None) is None:
        standing["waived"] = True
    return replace(page, entry={**entry, "hands": {**entry["hands"], value: standing}})


def _passive(page: RoundPage, value: str) -> RoundPage | None:
    """被动花猪: a pig that has thrown nothing but his void suit, or no longer one."""
    entry = page.entry
    if entry is None or entry["type"] != DRAW or value not in entry["hands"]:
        return None
    standing = dict(entry["hands"][value])
    if standing.pop("passive", None) is None:
        standing["passive"] = True
    return replace(page, entry={**entry, "hands": {**entry["hands"], value: standing}})


def _amount(page: RoundPage, value: str) -> RoundPage | None:
    """The sum of an agreed payment as typed, after the field's own number."""
    _, _, typed = value.partition(":")
    entry = page.entry
    if entry is None or entry["type"] != PAYMENT or not re.fullmatch(_SUM, typed, re.ASCII):
        return None
    cents = int(Decimal(typed) * 100)
    return replace(page, entry={**entry, "amount": number(cents)}) if cents else None


def _note(page: RoundPage, value: str) -> RoundPage | None:
    """What the payment is for."""
    _, _, typed = value.partition(":")
    entry = page.entry
    if entry is None or entry["type"] != PAYMENT or len(typed) > MAX_NOTE:
        return None
    made = {k: v for k, v in entry.items() if k != "note"}
    return replace(page, entry=made | ({"note": typed} if typed else {}))


def _flag(page: RoundPage, name: str) -> RoundPage | None:
    entry = page.entry
    kind = None if entry is None else kind_of(entry)
    if entry is None or kind not in _FLAGS.get(name, ()):
        return None
    made = dict(entry)
    if made.pop(name, None) is None:
        made[name] = True
        if name == "after_kong":
            kong = before(page)
            if kong is None or kong["type"] != "kong" or kong.get("robbed"):
                return None
            made[name] = kong["kind"]
        if name in ("late", "robbed"):
            made.pop("robbed" if name == "late" else "late", None)
    return replace(page, entry=made)


#: Conditions and the entries that have them.
_FLAGS: dict[str, tuple[str, ...]] = {
    "late": (ADDED_KONG,),
    "last_tile": (DISCARD, SELF_DRAW),
    "kong_discard": (DISCARD,),
    "after_kong": (SELF_DRAW,),
    "last_four": (ESCAPE,),
}


def _tile(page: RoundPage, value: str) -> RoundPage | None:
    entry = page.entry
    if entry is None or entry["type"] != "kong" or (value not in TILE_OF_NAME and value != "off"):
        return None
    made = dict(entry)
    if value == "off" or made.get("tile") == value:
        made.pop("tile", None)
    else:
        made["tile"] = value
    return replace(page, entry=made)


def _best(page: RoundPage, value: str) -> RoundPage | None:
    seat, _, multiple = value.partition(":")
    entry = page.entry
    if entry is None or entry["type"] != ESCAPE or _read_seat(seat) is None:
        return None
    if not multiple.isascii() or not multiple.isdecimal() or len(multiple) > 9:
        return None
    best = {**entry.get("best", {}), seat: int(multiple)}
    best = {s: m for s, m in best.items() if m}
    made = {**entry, "best": best}
    return replace(page, entry=made if best else {k: v for k, v in made.items() if k != "best"})


def _horses(page: RoundPage, value: str) -> RoundPage | None:
    """买马: the tiles turned over after a win that was given by hand."""
    seat_text, _, written = value.partition(":")
    seat, entry = _read_seat(seat_text), page.entry
    try:
        tiles = format_tiles(parse_tiles(written))
    except NotationError:
        return None
    if entry is None or entry["type"] != "win" or seat is None or len(written) > MAX_HORSES:
        return None
    winners = []
    for winner in entry["winners"]:
        if winner["seat"] == seat and winner.get("hand"):
            winner = {k: v for k, v in winner.items() if k != "horses"}
            winner |= {"horses": tiles} if tiles else {}
        winners.append(winner)
    return replace(page, entry={**entry, "winners": winners})


def _save(page: RoundPage, _: str) -> RoundPage | None:
    if page.entry is None or not complete(page.entry) or lacks_kong(page):
        return None
    events, _at = with_entry(page)
    return replace(page, events=events, entry=None, at=None)


def _cancel(page: RoundPage, _: str) -> RoundPage:
    return replace(page, entry=None, at=None)


def _edit(page: RoundPage, value: str) -> RoundPage | None:
    index = _read_index(page, value)
    if index is None:
        return None
    group = group_of(page.events, index)
    at = group[-1]
    return replace(page, entry=page.events[at], at=at)


def _delete(page: RoundPage, value: str) -> RoundPage | None:
    index = _read_index(page, value)
    if index is None:
        return None
    group = group_of(page.events, index)
    events = page.events[: group.start] + page.events[group.stop :]
    return replace(page, events=events, entry=None, at=None)


def _move(page: RoundPage, value: str, step: int) -> RoundPage | None:
    index = _read_index(page, value)
    if index is None:
        return None
    listed = groups(page.events)
    number = next(i for i, group in enumerate(listed) if index in group)
    other = number + step
    if not 0 <= other < len(listed):
        return None
    listed[number], listed[other] = listed[other], listed[number]
    events = tuple(page.events[i] for group in listed for i in group)
    return replace(page, events=events, entry=None, at=None)


def _dealer(page: RoundPage, value: str) -> RoundPage | None:
    seat = _read_seat(value)
    return None if seat is None else replace(page, dealer=seat)


def _clear(page: RoundPage, _: str) -> RoundPage:
    return replace(page, events=(), entry=None, at=None)


def _next(page: RoundPage, value: str) -> RoundPage | None:
    """下一局: the same table, the next dealer; the engine says who that is."""
    seat = _read_seat(value)
    return None if seat is None else RoundPage(page.rules, page.opt, seat, page.names)


def _read_seat(text: str) -> int | None:
    return int(text) if text in ("0", "1", "2", "3") else None


def _read_index(page: RoundPage, text: str) -> int | None:
    if text.isascii() and text.isdecimal() and len(text) < 4 and int(text) < len(page.events):
        return int(text)
    return None


_ACTIONS: dict[str, Callable[[RoundPage, str], RoundPage | None]] = {
    "new": _begin,
    "who": _who,
    "from": _from,
    "fan": _fan,
    "unhand": _unhand,
    "state": _state,
    "waive": _waive,
    "passive": _passive,
    "amount": _amount,
    "note": _note,
    "flag": _flag,
    "tile": _tile,
    "best": _best,
    "horses": _horses,
    "before": _kong_before,
    "save": _save,
    "cancel": _cancel,
    "edit": _edit,
    "delete": _delete,
    "up": lambda page, value: _move(page, value, -1),
    "down": lambda page, value: _move(page, value, 1),
    "dealer": _dealer,
    "clear": _clear,
    "next": _next,
}


def act(page: RoundPage, do: str) -> Step:
    """Do one action.

    >>> act(RoundPage(), "new:self_draw").page.query
    'rules=chengdu&a=ws'
    """
    verb, _, value = do.partition(":")
    fit, gone = _fitting(page)
    dropped: tuple[str, ...] = ()
    if verb == "rules":
        try:
            made, dropped = switch_rules(fit, value)
        except UnknownRuleset:
            return Step(page, done=False)
    else:
        action = _ACTIONS.get(verb)
        found = None if action is None else action(fit, value)
        if found is None:
            return Step(page, done=False)
        made = found
    if verb in LEAVING:
        gone = ()
    if verb in ("new", "who"):
        made = _only_giver(made, page.entry)
    made, more = _fitting(made)
    lost = [("gone", seat) for seat in (*gone, *more)]
    if verb in ("from", "new"):
        lost += [("unwon", seat) for seat in _unwon(page.entry, made.entry)]
    return Step(made, dropped=dropped, lost=tuple(lost))


#: Actions that leave the entry as it was: what it held is not noted down.
LEAVING = ("cancel", "edit", "delete", "up", "down", "clear", "next")


def _fitting(page: RoundPage) -> tuple[RoundPage, tuple[int, ...]]:
    """The page whose 流局 says nothing that can no longer be, and the seats that it is silent of.

    A change of an earlier event, or of the rules, may have made a winner of somebody: who has
    won plays no more, or in 血流 is neither 花猪 nor 没叫.

    >>> from scoring.addresses.round import read_round
    >>> page, _ = read_round({"e": "ws,12", "a": "n,0p,1n"})
    >>> fit, gone = _fitting(page)
    >>> fit.query, gone
    ('rules=chengdu&e=ws,12&a=n,0p', (1,))
    """
    entry = page.entry
    if entry is None or entry["type"] != DRAW:
        return page, ()
    out, won = page.out_of_play, page.has_won
    gone = [
        seat
        for seat, standing in entry["hands"].items()
        if int(seat) in out
        or (int(seat) in won and standing.get("state") in (FLOWER_PIG, NOT_READY))
    ]
    hands = {seat: standing for seat, standing in entry["hands"].items() if seat not in gone}
    return replace(page, entry={**entry, "hands": hands}), tuple(map(int, gone))


def _unwon(old: Event | None, new: Event | None) -> list[int]:
    """Seats that were winners, with 番 or a hand, and are none any more."""
    if old is None or new is None or old["type"] != "win" or new["type"] != "win":
        return []
    still = {winner["seat"] for winner in new["winners"]}
    return [
        winner["seat"]
        for winner in old["winners"]
        if winner["seat"] not in {*still, None}
        and (winner.get("fan") is not None or winner.get("hand"))
    ]


def entry_fields(page: RoundPage) -> dict[str, str]:
    """The fields of the entry that are typed into, by name, and what the entry has for each.

    ``f`` and a seat is its 番, ``h`` its horses (买马), ``b`` its best multiple where one leaves.

    >>> from scoring.addresses.round import read_round
    >>> entry_fields(read_round({"a": "wd3,02,1"})[0])
    {'f0': '2', 'f1': ''}
    """
    entry = page.entry
    fields = {} if entry is None else _FIELDS.get(entry["type"], _no_fields)(page, entry)
    return {name: "" if value is None else str(value) for name, value in fields.items()}


def _no_fields(page: RoundPage, entry: Event) -> dict[str, Any]:
    return {}


def _win_fields(page: RoundPage, entry: Event) -> dict[str, Any]:
    horses = rules_of(page).fan_of(MA) is not None
    found: dict[str, Any] = {}
    for winner in entry["winners"]:
        if winner["seat"] is not None:
            found[f"f{winner['seat']}"] = winner.get("fan")
            if horses and winner.get("hand"):
                found[f"h{winner['seat']}"] = winner.get("horses")
    return found


def _draw_fields(page: RoundPage, entry: Event) -> dict[str, Any]:
    out, hands = page.out_of_play, entry["hands"]
    standings = {seat: hands.get(str(seat), {}) for seat in page.seats if seat not in out}
    return {f"f{seat}": s.get("fan") for seat, s in standings.items() if "hand" not in s}


def _escape_fields(page: RoundPage, entry: Event) -> dict[str, Any]:
    if not entry.get("last_four"):
        return {}
    gone, best = {entry["seat"], *page.has_won}, entry.get("best", {})
    return {f"b{seat}": best.get(str(seat)) for seat in page.seats if seat not in gone}


def _payment_fields(page: RoundPage, entry: Event) -> dict[str, Any]:
    return {"m0": entry["amount"], "t0": entry.get("note")}


_FIELDS: dict[str, Callable[[RoundPage, Event], dict[str, Any]]] = {
    "win": _win_fields,
    DRAW: _draw_fields,
    ESCAPE: _escape_fields,
    PAYMENT: _payment_fields,
}


def decided(do: str) -> tuple[str, ...]:
    """The fields of the entry that an action has its own say about, whatever stands in them.

    >>> decided("fan:2:3"), decided("save")
    (('f2',), ())
    """
    verb, _, value = do.partition(":")
    seat = value.partition(":")[0]
    if verb == "sum":
        return ("m0", "t0")
    if verb == "bests":
        return tuple(f"b{seat}" for seat in SEATS)
    letters = {"fan": "f", "state": "f", "horses": "h", "best": "b", "amount": "m", "note": "t"}
    letter = letters.get(verb)
    return (f"{letter}{seat}",) if letter else ()


def named(page: RoundPage, names: Sequence[str]) -> RoundPage:
    """The page with these four names; four empty ones take the names away."""
    return replace(page, names=read_names(names))


def handed(page: RoundPage, hand: str, extra: Mapping[str, str]) -> RoundPage:
    """The page with a hand that comes back from the calculator.

    It goes where the entry waits for one; without such an entry it begins a win, whose winner is
    still to be chosen. ``extra`` holds the calculator's own ``void``, ``bless``, ``by``, ``after``,
    ``pao`` and ``last``: the win is noted down as it was reckoned there.
    """
    more = {"void": extra["void"]} if extra.get("void") in ("m", "p", "s") else {}
    blessed = {"blessing": extra["bless"]} if extra.get("bless") in ("tian_hu", "di_hu") else {}
    entry = page.entry
    if entry is not None and entry["type"] == DRAW:
        hands = dict(entry["hands"])
        for seat, standing in hands.items():
            if standing.get("hand") == "":
                hands[seat] = {**standing, "hand": hand, **more}
                return replace(page, entry={**entry, "hands": hands})
    if entry is not None and entry["type"] == "win":
        winners = list(entry["winners"])
        for number, winner in enumerate(winners):
            if winner.get("hand") == "":
                winners[number] = {"seat": winner["seat"], "hand": hand, **more, **blessed}
                return replace(page, entry=_as_reckoned({**entry, "winners": winners}, extra))
    made = _new(str(extra.get("by") if extra.get("by") in WAYS else DISCARD))
    made["winners"] = [{"seat": None, "hand": hand, **more, **blessed}]
    return replace(page, entry=_as_reckoned(made, extra), at=None)


def brought(page: RoundPage) -> dict[str, str]:
    """What :func:`handed` takes, of a page with nothing but a hand whose winner is not chosen.

    >>> from scoring.addresses.round import read_round
    >>> brought(read_round({"a": "wskal,-h123m"})[0])
    {'hand': '123m', 'by': 'self_draw', 'after': 'added_kong', 'last': '1'}
    """
    entry = page.entry
    if page.events or entry is None or entry["type"] != "win" or len(entry["winners"]) != 1:
        return {}
    [winner] = entry["winners"]
    if winner["seat"] is not None or not winner.get("hand"):
        return {}
    every = {
        "hand": winner["hand"],
        "by": entry["by"],
        "after": entry.get("after_kong"),
        "pao": entry.get("kong_discard") and "1",
        "last": entry.get("last_tile") and "1",
        "jue": entry.get("last_copy") and "1",
        "void": winner.get("void"),
        "bless": winner.get("blessing"),
    }
    return {name: value for name, value in every.items() if value}


def _as_reckoned(entry: Event, extra: Mapping[str, str]) -> Event:
    """A win under the circumstances that the calculator has reckoned it by.

    Several who win from one tile stay with the way they won.
    """
    by = str(extra.get("by") if extra.get("by") in WAYS else entry["by"])
    if len(entry["winners"]) > 1:
        by = entry["by"]
    made = {**_new(by), "winners": entry["winners"]}
    if "from" in made:
        made["from"] = entry.get("from")
    if by == SELF_DRAW and extra.get("after") in KONGS:
        made["after_kong"] = extra["after"]
    if by != SELF_DRAW and extra.get("pao") == "1":
        made["kong_discard"] = True
    if by != ROB_KONG and extra.get("last") == "1":
        made["last_tile"] = True
    if extra.get("jue") == "1":
        made["last_copy"] = True
    return made


def waiting(page: RoundPage, seat: int) -> RoundPage:
    """The page whose entry waits for this seat's hand: what the calculator comes back to."""
    return _given(page, seat, {"hand": ""}) or page


def booked_kongs(page: RoundPage, seat: int) -> list[str]:
    """The kinds of the kongs that are booked for a seat where the entry stands.

    >>> from scoring.addresses.round import read_round
    >>> page, _ = read_round({"e": "k1c.k0a.k1e2", "a": "ws,1"})
    >>> booked_kongs(page, 1)
    ['concealed_kong', 'exposed_kong']
    """
    return [
        event["kind"]
        for event in page.earlier
        if event["type"] == "kong" and event["seat"] == seat and not event.get("robbed")
    ]


def booked_melds(page: RoundPage, seat: int) -> str:
    """The kongs that are booked for a seat, in notation, as far as their tiles are known.

    >>> booked_melds(RoundPage(), 0)
    ''
    """
    found = [
        format_meld(Meld(event["kind"], parse_tile(event["tile"])))
        for event in page.earlier
        if event["type"] == "kong"
        and event["seat"] == seat
        and event.get("tile")
        and not event.get("robbed")
    ]
    return "".join(found)


__all__ = [
    "DRAW", "ESCAPE", "FIRST", "KINDS", "LEAVING", "PAYMENT", "Step", "act", "before",
    "booked_kongs", "booked_melds", "brought", "decided", "entry_fields", "group_of", "groups",
    "handed", "kind_of", "konged", "konger", "lacks_kong", "named",
    "robs", "waiting", "with_entry",
]  # fmt: skip
