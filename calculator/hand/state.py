"""The table in front of the player: state + action → state, for the page without JavaScript.

`static/hand/app.js` holds the same reducer for the page with JavaScript; `tests/data/taps.json`
drives both, so that the two cannot drift. An action is a short text, the value of the button
pressed:

| action                      | what it does                                                      |
|-----------------------------|-------------------------------------------------------------------|
| `tile:5m`                   | a key of the picker: one tile, or the tile of the armed verb      |
| `hand:5m`                   | a tile of the hand: out with it, or (full hand) the winning tile  |
| `win`                       | the ringed winning tile: out with it                              |
| `out:5m`                    | out with it, whatever the count: a discard that is advised        |
| `arm:pung`                  | a verb: the next tile is laid down (again: not)                   |
| `pung:5m` (any meld kind)   | lay down that tile at once                                        |
| `meld:0:added_kong`         | change a meld; `meld:0:remove`, `meld:0:jokers:1`                 |
| `back`, `clear`             | the last tile out; everything but the rules out                   |
| `by:self_draw`              | how it was won                                                    |
| `after_kong`, `after:KIND`  | 杠上花: toggles, asks which kong if there are several   |
| `kong_discard`, `last_tile`, `last_copy`, `tian_hu`, `di_hu` | the others, each a toggle        |
| `void:m`, `void:off`        | 定缺: the missing suit                                             |
| `arm:seen`, `unsee:5m`      | tiles that lie open elsewhere                                     |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calculator.words import texts
from scoring.addresses.hand import HandPage
from scoring.hand import (
    ADDED_KONG,
    BLESSINGS,
    DISCARD,
    KONGS,
    MELD_KINDS,
    PUNG,
    ROB_KONG,
    SELF_DRAW,
    WAYS,
    Hand,
    Meld,
    suits_shown,
)
from scoring.rules import Rules
from scoring.tiles import (
    BIRD,
    COPIES,
    SUITS,
    TILE_OF_NAME,
    TILES,
    USUAL,
    ZHONG,
    Size,
    Tile,
    pack,
    suit,
)
from scoring.words import N_

SEEN = "seen"
ASK = "after_kong"
ARMS = (*MELD_KINDS, SEEN, ASK)

#: One line for people per reason; tiles, terms and numbers are filled in by name.
NOTES: dict[str, str] = {
    "none_left": N_("%(tile)s四张都用完了"),
    "hand_full": N_("手牌满了：点一张改胡张，点带圈的拿掉"),
    "pung_there": N_("%(tile)s已经碰了，只能补杠"),
    "kong_there": N_("%(tile)s已经杠了"),
    "melds_full": N_("已经有%(n)s副碰杠"),
    "no_room": N_("手牌多了%(n)s张，先拿掉再放这一副"),
    "too_few": N_("%(tile)s只剩%(n)s张，不够"),
    "joker_meld": N_("%(joker)s不能自己成碰杠，只能代别的牌"),
    "no_such_tile": N_("这桌没有%(tile)s"),
    "suits_full": N_("这桌只用%(n)s门牌，已经都有了"),
    "one_natural": N_("一副碰杠里至少要有一张本来的牌"),
    "nothing": N_("已经空了"),
    "need_kong": N_("杠上花要先有杠：按直杠、补杠或暗杠加一副"),
    "which_kong": N_("哪一种杠之后摸到的？"),
    "no_blessing": N_("有碰杠就没有%(term)s"),
    "taken": N_("%(tile)s用了手里的%(n)s张"),
    "implied": N_("%(term)s算%(by)s，已改"),
    "excluded": N_("%(term)s与%(others)s不能同时，已取消%(others)s"),
    "implied_excluded": N_("%(term)s算%(by)s，已改；取消%(others)s"),
    "cleared": N_("已清空，可以撤销"),
    "pick_tile": N_("%(verb)s哪张？点一张牌"),
    "pick_seen": N_("点桌上看得见的牌，再按一次结束"),
    "dropped": texts.DROPPED,
    "newer": texts.NEWER,
    "unknown_action": N_("没有这个动作"),
}


@dataclass(frozen=True)
class Note:
    """Why something was refused, or what else an action changed: a code and what fills it in."""

    code: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Play:
    """What of the rules decides what a tap may do."""

    joker: Tile | None = None
    suits: int = len(SUITS)
    size: Size = USUAL
    last_copy: bool = False
    di_hu_by: str = SELF_DRAW
    robbed: bool = False

    @classmethod
    def of(cls, rules: Rules) -> Play:
        """That of a table's rules."""
        return cls(
            joker=rules.joker_tile,
            suits=rules.suits,
            size=rules.size,
            last_copy="jue_zhang" in rules.fans,
            di_hu_by=rules.di_hu_by,
            robbed=rules.kong_discard_robbed,
        )

    def ways(self, name: str) -> tuple[str, ...]:
        """The ways of winning that a circumstance goes with, the usual one first."""
        if name == "di_hu":
            both = {"first_discard": (DISCARD,), "both": (SELF_DRAW, DISCARD)}
            return both.get(self.di_hu_by, (SELF_DRAW,))
        if name == "kong_discard" and self.robbed:
            return (DISCARD, ROB_KONG)
        return _WAYS.get(name, WAYS)


@dataclass(frozen=True)
class Table:
    """Everything on the page. ``tiles`` are in the order entered; of a full hand the last wins."""

    rules: str = "chengdu"
    tiles: tuple[Tile, ...] = ()
    named: bool = False
    melds: tuple[Meld, ...] = ()
    by: str = DISCARD
    after: str = ""
    pao: bool = False
    last: bool = False
    jue: bool = False
    bless: str = ""
    void: str = ""
    seen: tuple[Tile, ...] = ()
    opt: str = ""
    arm: str = ""
    play: Play = field(default_factory=Play)

    @classmethod
    def of(cls, page: HandPage, rules: Rules, *, arm: str = "") -> Table:
        """The table of an address, under the rules that it names."""
        hand = page.hand
        win = () if hand.win_tile is None else (hand.win_tile,)
        return cls(
            rules=page.rules,
            tiles=hand.tiles + win,
            named=hand.named,
            melds=hand.melds,
            by=page.by,
            after=page.after,
            pao=page.pao,
            last=page.last,
            jue=page.jue,
            bless=page.bless,
            void=page.void,
            seen=page.seen,
            opt=page.opt,
            arm=arm if arm in ARMS else "",
            play=Play.of(rules),
        )

    @property
    def page(self) -> HandPage:
        """What the address says of this table."""
        rest, win = self.tiles, None
        if self.is_full or self.named:
            rest, win = self.tiles[:-1], self.tiles[-1]
        return HandPage(
            rules=self.rules,
            hand=Hand(tuple(sorted(rest)), _sorted(self.melds), win, self.named, self.play.size),
            by=self.by,
            after=self.after,
            pao=self.pao,
            last=self.last,
            jue=self.jue,
            bless=self.bless,
            void=self.void,
            seen=self.seen,
            opt=self.opt,
        )

    @property
    def full_count(self) -> int:
        """How many concealed tiles this hand has when it has won."""
        return self.play.size.full - 3 * len(self.melds)

    @property
    def is_full(self) -> bool:
        """Whether there are exactly that many, so that one of them is the winning tile."""
        return 0 < len(self.tiles) == self.full_count

    def left(self, tile: Tile) -> int:
        """How many copies of a tile are neither in the hand nor seen elsewhere."""
        used = self.tiles.count(tile) + self.seen.count(tile)
        for meld in self.melds:
            if meld.tile == tile:
                used += meld.size - meld.jokers
            if tile == self.play.joker:
                used += meld.jokers
        return max(0, COPIES - used)

    @property
    def suits_open(self) -> str:
        """The suits that may still appear: once a table of two suits shows two, only those."""
        if self.play.suits == len(SUITS):
            return SUITS
        hand = Hand(self.tiles, self.melds)
        shown = suits_shown(hand, self.play.joker, pack(self.seen))
        if len(shown) < self.play.suits:
            return SUITS
        return "".join(SUITS[number] for number in sorted(shown))

    def foreign(self, tile: Tile) -> Note | None:
        """Why this table cannot show a tile at all."""
        if tile == self.play.joker:
            return None
        if tile == ZHONG:
            return Note("no_such_tile", {"tile": tile})
        if SUITS[suit(tile)] not in self.suits_open:
            return Note("suits_full", {"n": self.play.suits})
        return None

    def cleared(self) -> Table:
        """Nothing but the rules."""
        return Table(self.rules, opt=self.opt, play=self.play)

    @property
    def kong_kinds(self) -> tuple[str, ...]:
        """The kinds of kong that lie on the table."""
        return tuple(k for k in KONGS if any(m.kind == k for m in self.melds))


@dataclass(frozen=True)
class Step:
    """What an action led to: the next table, and one line to say about it."""

    table: Table
    note: Note | None = None
    refused: bool = False


def _refuse(table: Table, code: str, **args: Any) -> Step:
    return Step(table, Note(code, args), refused=True)


def _without(tiles: tuple[Tile, ...], tile: Tile, number: int = 1) -> tuple[Tile, ...]:
    """``tiles`` with the first ``number`` copies of ``tile`` taken out."""
    rest = list(tiles)
    for _ in range(number):
        rest.remove(tile)
    return tuple(rest)


def _sorted(melds: Iterable[Meld]) -> tuple[Meld, ...]:
    return tuple(sorted(melds, key=lambda m: (m.tile, MELD_KINDS.index(m.kind), m.jokers)))


def _settled(table: Table, before: Table) -> Table:
    """A winning tile stays named only while it is still the last of a full hand."""
    kept = table.is_full and before.is_full and table.tiles[-1] == before.tiles[-1]
    return replace(table, named=before.named and kept)


def _lay(table: Table, kind: str, tile: Tile, index: int | None = None) -> Step:
    """Lay down a meld, or turn the one at ``index`` into another kind.

    Unseen copies go first; concealed ones where four would be exceeded, or where the hand would
    hold more tiles than it may.
    """
    melds = list(table.melds)
    there = next((i for i, m in enumerate(melds) if m.tile == tile), None)
    if tile == table.play.joker:
        return _refuse(table, "joker_meld", joker=tile)
    if reason := table.foreign(tile):
        return Step(table, reason, refused=True)
    if index is None and there is not None:
        if kind == ADDED_KONG and melds[there].kind == PUNG:
            index = there
        else:
            code = "kong_there" if melds[there].is_kong else "pung_there"
            return _refuse(table, code, tile=tile)
    if index is None and len(melds) >= table.play.size.sets:
        return _refuse(table, "melds_full", n=len(melds))
    new = Meld(kind, tile) if index is None else replace(melds[index], kind=kind)
    if new.jokers >= new.size:
        return _refuse(table, "one_natural")
    need = new.size - (0 if index is None else melds[index].size)
    held, unseen = table.tiles.count(tile), table.left(tile)
    take = max(0, need - unseen)
    if take > held:
        return _refuse(table, "too_few", tile=tile, n=unseen + held)
    if index is None:
        melds.append(new)
    else:
        melds[index] = new
    full = table.play.size.full - 3 * len(melds)
    over = len(table.tiles) - take - full
    take += max(0, min(over, held - take, need - take))
    over = len(table.tiles) - take - full
    if over > 0 and index is None:
        return _refuse(table, "no_room", n=over)
    laid = replace(table, melds=tuple(melds), tiles=_without(table.tiles, tile, take), arm="")
    note = Note("taken", {"tile": tile, "n": take}) if take else None
    return Step(_settled(laid, table), note)


def _key(table: Table, tile: Tile) -> Step:
    if table.arm in MELD_KINDS:
        return _lay(table, table.arm, tile)
    if reason := table.foreign(tile):
        return Step(table, reason, refused=True)
    if not table.left(tile):
        return _refuse(table, "none_left", tile=tile)
    if table.arm == SEEN:
        return Step(replace(table, seen=tuple(sorted((*table.seen, tile)))))
    if len(table.tiles) >= table.full_count:
        return _refuse(table, "hand_full")
    return Step(replace(table, tiles=(*table.tiles, tile), named=False, arm=""))


def _tap(table: Table, tile: Tile) -> Step:
    """A tap on a tile of the hand that is not ringed."""
    if table.arm in MELD_KINDS:
        return _lay(table, table.arm, tile)
    if table.is_full and tile in table.tiles:
        return Step(replace(table, tiles=(*_without(table.tiles, tile), tile), named=True, arm=""))
    return _out(table, tile)


def _out(table: Table, tile: Tile) -> Step:
    """Take out the copy entered last."""
    if tile not in table.tiles:
        return _refuse(table, "nothing")
    last = len(table.tiles) - 1 - table.tiles[::-1].index(tile)
    rest = table.tiles[:last] + table.tiles[last + 1 :]
    return Step(replace(table, tiles=rest, named=False, arm=""))


def _pop(table: Table) -> Step:
    if not table.tiles:
        return _refuse(table, "nothing")
    return Step(replace(table, tiles=table.tiles[:-1], named=False, arm=""))


def _back(table: Table) -> Step:
    if table.arm:
        return Step(replace(table, arm=""))
    if table.tiles or not table.melds:
        return _pop(table)
    return Step(_settled(replace(table, melds=table.melds[:-1]), table))


def _arm(table: Table, arm: str) -> Step:
    if arm not in (*MELD_KINDS, SEEN):
        return _refuse(table, "unknown_action")
    if table.arm == arm:
        return Step(replace(table, arm=""))
    reason = why_not(table, f"arm:{arm}")
    if reason:
        return Step(table, reason, refused=True)
    note = Note("pick_seen") if arm == SEEN else Note("pick_tile", {"verb": arm})
    return Step(replace(table, arm=arm), note)


def _meld(table: Table, index: int, what: str) -> Step:
    """A choice from the menu of a meld."""
    if not 0 <= index < len(table.melds):
        return _refuse(table, "unknown_action")
    meld, melds = table.melds[index], list(table.melds)
    if what == "remove":
        del melds[index]
        return Step(_settled(replace(table, melds=tuple(melds), arm=""), table))
    if what in MELD_KINDS:
        if what == meld.kind:
            return Step(replace(table, arm=""))
        return _lay(table, what, meld.tile, index)
    joker = table.play.joker
    if what.startswith("jokers:") and what[7:] in ("0", "1", "2", "3") and joker is not None:
        jokers = int(what[7:])
        if jokers >= meld.size:
            return _refuse(table, "one_natural")
        # More jokers free natural tiles, fewer need them back: unseen copies first, as ever.
        needed = joker if jokers > meld.jokers else meld.tile
        number = abs(jokers - meld.jokers)
        take = max(0, number - table.left(needed))
        if take > table.tiles.count(needed):
            return _refuse(table, "too_few", tile=needed, n=table.left(needed))
        melds[index] = replace(meld, jokers=jokers, joker=joker if jokers else BIRD)
        tiles = _without(table.tiles, needed, take)
        laid = replace(table, melds=tuple(melds), tiles=tiles, arm="")
        note = Note("taken", {"tile": needed, "n": take}) if take else None
        return Step(_settled(laid, table), note)
    return _refuse(table, "unknown_action")


#: The ways of winning that a circumstance goes with, where not with all and under any rules; and
#: what cannot stand beside it. Ids as on the page.
_WAYS = {
    ASK: (SELF_DRAW,),
    "kong_discard": (DISCARD,),
    "tian_hu": (SELF_DRAW,),
    "last_tile": (DISCARD, SELF_DRAW),
}
_EXCLUDES = {
    ASK: ("kong_discard", *BLESSINGS),
    "kong_discard": (ASK, *BLESSINGS),
    "tian_hu": (ASK, "kong_discard", "di_hu", "last_tile"),
    "di_hu": (ASK, "kong_discard", "tian_hu", "last_tile"),
    "last_tile": BLESSINGS,
}


def chosen(table: Table) -> tuple[str, ...]:
    """The circumstances that are on, as ids of the page."""
    on = {
        ASK: table.after,
        "kong_discard": table.pao,
        "last_tile": table.last,
        "last_copy": table.jue,
        table.bless: table.bless,
    }
    return tuple(name for name, value in on.items() if value)


def _switch(table: Table, name: str, value: Any) -> Table:
    if name == ASK:
        return replace(table, after=value or "")
    if name == "kong_discard":
        return replace(table, pao=bool(value))
    if name == "last_tile":
        return replace(table, last=bool(value))
    if name == "last_copy":
        return replace(table, jue=bool(value))
    return replace(table, bless=name if value else "")


def _choose(table: Table, name: str, value: Any = True) -> Step:
    """Turn on a circumstance or a way of winning, with what it implies and excludes."""
    way, ways = name in WAYS, table.play.ways(name)
    by = name if way else table.by if table.by in ways else ways[0]
    changed = not way and by != table.by
    out = [
        other
        for other in chosen(table)
        if other in _EXCLUDES.get(name, ()) or by not in table.play.ways(other)
    ]
    after = replace(table, arm="", by=by)
    for other in out:
        after = _switch(after, other, None)
    if not way:
        after = _switch(after, name, value)
    args: dict[str, Any] = {"term": name}
    if changed:
        args["by"] = by
    if out:
        args["others"] = out
    code = {(True, True): "implied_excluded", (True, False): "implied", (False, True): "excluded"}
    key = (changed, bool(out))
    return Step(after, Note(code[key], args) if key in code else None)


def _toggle(table: Table, name: str) -> Step:
    if name in chosen(table):
        return Step(replace(_switch(table, name, None), arm=""))
    reason = why_not(table, name)
    if reason:
        return Step(table, reason, refused=True)
    if name != ASK:
        return _choose(table, name)
    if table.arm == ASK:
        return Step(replace(table, arm=""))
    kinds = table.kong_kinds
    if len(kinds) > 1:
        return Step(replace(table, arm=ASK), Note("which_kong"))
    return _choose(table, ASK, kinds[0])


def why_not(table: Table, action: str) -> Note | None:
    """Why a control is grey, or None where it does something."""
    verb, _, rest = action.partition(":")
    if action == ASK:
        return None if table.after or table.kong_kinds else Note("need_kong")
    if action in BLESSINGS:
        blocked = table.melds and table.bless != action
        return Note("no_blessing", {"term": action}) if blocked else None
    if action == "back":
        return None if table.tiles or table.melds or table.arm else Note("nothing")
    if action == "clear":
        return None if replace(table, arm="") != table.cleared() else Note("nothing")
    if verb == "arm" and rest in MELD_KINDS and table.arm != rest:
        steps = []
        for tile in TILES:
            steps.append(_lay(table, rest, tile))
            if not steps[-1].refused:
                return None
        if len(table.melds) >= table.play.size.sets:
            return Note("melds_full", {"n": len(table.melds)})
        return next((s.note for s in steps if s.note and s.note.code == "no_room"), steps[0].note)
    if verb in ("tile", "meld", *MELD_KINDS):
        step = act(table, action)
        return step.note if step.refused else None
    return None


def _laid(kind: str) -> Callable[[Table, Tile], Step]:
    return lambda table, tile: _lay(table, kind, tile)


def _unsee(table: Table, tile: Tile) -> Step:
    seen = _without(table.seen, tile) if tile in table.seen else table.seen
    return Step(replace(table, seen=seen))


def _meld_named(table: Table, rest: str) -> Step:
    index, _, what = rest.partition(":")
    return _meld(table, int(index) if index in ("0", "1", "2", "3") else -1, what)


def _by(table: Table, way: str) -> Step:
    return _choose(table, way) if way in WAYS else _refuse(table, "unknown_action")


def _after(table: Table, kong: str) -> Step:
    return _choose(table, ASK, kong) if kong in KONGS else _refuse(table, "unknown_action")


def _void(table: Table, suit: str) -> Step:
    if suit not in (*SUITS, "off"):
        return _refuse(table, "unknown_action")
    return Step(replace(table, void="" if suit == "off" else suit, arm=""))


def _unname(table: Table) -> Step:
    return _pop(table) if table.is_full else _refuse(table, "nothing")


def _clear(table: Table) -> Step:
    if why_not(table, "clear"):
        return _refuse(table, "nothing")
    return Step(table.cleared(), Note("cleared"))


_ALONE: dict[str, Callable[[Table], Step]] = {"win": _unname, "back": _back, "clear": _clear}
_WITH_TILE: dict[str, Callable[[Table, Tile], Step]] = {
    "tile": _key,
    "hand": _tap,
    "out": _out,
    "unsee": _unsee,
    **{kind: _laid(kind) for kind in MELD_KINDS},
}
_WITH_WORD: dict[str, Callable[[Table, str], Step]] = {
    "meld": _meld_named,
    "arm": _arm,
    "by": _by,
    "after": _after,
    "void": _void,
}
_CIRCUMSTANCES = (ASK, "kong_discard", "last_tile", "last_copy", *BLESSINGS)


def act(table: Table, action: str) -> Step:
    """One action on the table. An unknown one changes nothing and says so.

    >>> act(Table(), "tile:5m").table.tiles
    (4,)
    """
    verb, _, rest = action.partition(":")
    if action in _ALONE:
        return _ALONE[action](table)
    if rest in TILE_OF_NAME and verb in _WITH_TILE:
        return _WITH_TILE[verb](table, TILE_OF_NAME[rest])
    if verb in _WITH_WORD:
        return _WITH_WORD[verb](table, rest)
    if action in _CIRCUMSTANCES:
        return _toggle(table, action)
    return _refuse(table, "unknown_action")
