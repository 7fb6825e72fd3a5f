"""The ledger (账本) of a shared table: entries in order, and the evening that they come to.

An entry says one thing that somebody did; nothing is ever overwritten. `fold` reads the entries
into rounds in the grammar of the addresses, and `scoring` reckons what those pay.

| kind     | text                      | what it does                                           |
|----------|---------------------------|--------------------------------------------------------|
| `round`  | the query of a round      | begins one under these rules, names and dealer: 下一局 |
| `add`    | an event                  | before the line `target`, or at the end of `round`     |
| `edit`   | an event                  | instead of the line `target`                           |
| `move`   | the line to stand before  | `target` goes there, or to the end                     |
| `delete` |                           | the line `target` goes                                 |
| `names`  | names with commas between | the players of `round`; with a `target`, what the same |
|          |                           | people are called in every round, and who gets the fee |
| `rules`  | `rules=…&opt=…`           | the rules of `round`                                   |
| `dealer` | a seat                    | who deals `round`                                      |
| `fee`    | see `fees.py`             | 台板 of the evening                                    |
| `undo`   |                           | the entry `target` counts no more                      |

A line of a round is known by the entry that added it, whatever is edited or moved later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qsl

from calculator.round.state import groups
from scoring.addresses.hand import write_query
from scoring.addresses.round import Event, RoundPage, read_event, read_round, write_event
from scoring.contract import settle
from scoring.settle import SEATS

ROUND = "round"
NAMES = "names"
#: Entries that say something else of a round as a whole.
ABOUT_ROUNDS = (NAMES, "rules", "dealer")


class Written(Protocol):
    """What the fold reads of an entry, wherever it is kept."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def target(self) -> int: ...


Entry = TypeVar("Entry", bound=Written)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that is not booked yet."""

    kind: str
    text: str = ""
    round: int = 0
    target: int = 0
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a round: its event as in an address, known by the entry that added it."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a ledger: what its address says without the events, and its lines."""

    seq: int
    about: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...] = ()

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the round's address."""
        events = ".".join(line.text for line in self.lines)
        return {**dict(self.about), **({"e": events} if events else {})}

    @property
    def names(self) -> list[str]:
        """The four names; of who has none it is empty."""
        return [*dict(self.about).get("n", "").split(","), "", "", "", ""][:4]

    @property
    def page(self) -> RoundPage:
        """The round as its page has it."""
        return read_round(self.parameters)[0]

    def said(self, **about: str) -> Round:
        """The same with something else said of the whole round."""
        return replace(self, about=tuple({**dict(self.about), **about}.items()))


@dataclass(frozen=True)
class Ledger:
    """An evening as its entries tell it; ``void`` are the entries that were taken back."""

    rounds: tuple[Round, ...] = ()
    fee: str = ""
    void: frozenset[int] = field(default_factory=frozenset)

    @property
    def last(self) -> Round:
        """The round being played."""
        return self.rounds[-1]

    def round_of(self, seq: int) -> Round:
        """The round that an entry began; the one being played where none did."""
        return next((one for one in self.rounds if one.seq == seq), self.last)


def taken_back(entries: Sequence[Written]) -> frozenset[int]:
    """The entries that count no more; what was taken back by an entry taken back counts again.

    >>> sorted(taken_back([Draft("add", seq=1), Draft("undo", target=1, seq=2)]))
    [1]
    """
    void: set[int] = set()
    for entry in reversed(entries):
        if entry.kind == "undo" and entry.seq not in void:
            void.add(entry.target)
    return frozenset(void)


def fold(entries: Iterable[Written]) -> Ledger:
    """The evening that entries come to.

    Entries about a line or a round that is not there any more do nothing.

    >>> made = fold([Draft("round", "rules=laok", seq=1), Draft("add", "ws,03", round=1, seq=2)])
    >>> made.last.page.query
    'rules=laok&e=ws,03'
    """
    every = list(entries)
    return _gone_on(Ledger(void=taken_back(every)), every)


def further(ledger: Ledger, entries: Sequence[Written], new: Sequence[Written]) -> Ledger:
    """The evening of entries whose ledger is known, after some more.

    >>> begun = [Draft("round", "rules=laok", seq=1)]
    >>> new = [Draft("add", "ws,03", round=1, seq=2)]
    >>> further(fold(begun), begun, new) == fold([*begun, *new])
    True
    """
    if any(entry.kind == "undo" for entry in new):
        return fold([*entries, *new])
    return _gone_on(ledger, new)


def _gone_on(ledger: Ledger, entries: Iterable[Written]) -> Ledger:
    rounds = {one.seq: one for one in ledger.rounds}
    fee = ledger.fee
    for entry in entries:
        if entry.seq in ledger.void:
            continue
        if entry.kind == ROUND:
            rounds[entry.seq] = Round(entry.seq, tuple(parse_qsl(entry.text)))
        elif entry.kind == "fee":
            fee = entry.text
        elif entry.kind == NAMES and entry.target and entry.round in rounds:
            called = _called(rounds[entry.round], entry.text)
            rounds = {seq: _put_right(one, called) for seq, one in rounds.items()}
            amount, *how = fee.split(",")
            fee = ",".join([amount, *how[:2], *(called.get(name, name) for name in how[2:])])
            _apply(rounds, entry)
        elif entry.kind != "undo":
            _apply(rounds, entry)
    return Ledger(tuple(rounds.values()), fee, ledger.void)


def _apply(rounds: dict[int, Round], entry: Written) -> None:
    """What one entry does to the round that it is about."""
    about = rounds.get(entry.round)
    if about is None:
        return
    if entry.kind in ABOUT_ROUNDS:
        rounds[about.seq] = about.said(**_SAID[entry.kind](entry.text))
        return
    lines = list(about.lines)
    at = next((i for i, line in enumerate(lines) if line.seq == entry.target), None)
    if entry.kind == "add":
        lines.insert(len(lines) if at is None else at, Line(entry.seq, entry.text))
    elif at is not None:
        line = lines.pop(at)
        if entry.kind == "edit":
            lines.insert(at, replace(line, text=entry.text))
        elif entry.kind == "move":
            to = next((i for i, one in enumerate(lines) if str(one.seq) == entry.text), len(lines))
            lines.insert(to, line)
    rounds[about.seq] = replace(about, lines=tuple(lines))


#: Who is somebody else in every round: a name, or the seat of who had none, and what is right.
Called = dict[str | int, str]


def _called(round: Round, text: str) -> Called:
    """What names put right say of the people of a round; of two with one name they say nothing."""
    old, new = round.names, [*text.split(","), "", "", "", ""]
    return {
        name or seat: new[seat]
        for seat, name in enumerate(old)
        if new[seat] not in ("", name) and (not name or old.count(name) == 1)
    }


def _put_right(round: Round, called: Called) -> Round:
    """A round with its people called as they should be, unless two would have one name then."""
    old = round.names
    new = [called.get(name or seat, name) for seat, name in enumerate(old)]
    if new == old or _doubles(new) > _doubles(old):
        return round
    return round.said(n=",".join(new))


def _doubles(names: list[str]) -> int:
    """How many of the names somebody else has too."""
    named = [name for name in names if name]
    return len(named) - len(set(named))


_SAID: dict[str, Callable[[str], dict[str, str]]] = {
    "names": lambda text: {"n": text},
    "dealer": lambda text: {"d": text},
    "rules": lambda text: {"opt": "", **dict(parse_qsl(text))},
}


# From a page to entries.


def beginning(page: RoundPage) -> Draft:
    """The entry that begins a round under a page's rules, names and dealer."""
    return Draft(ROUND, replace(page, events=(), entry=None, at=None).query)


def lines_of(page: RoundPage) -> list[str]:
    """The events of a page as lines: a robbed kong stands with its win."""
    texts = [write_event(event) for event in page.events]
    return [".".join(texts[each.start : each.stop]) for each in groups(page.events)]


def difference(round: Round, page: RoundPage) -> list[Draft]:
    """The entries that make a round what a page says: as few as there are changes.

    >>> laok = Round(1, (("rules", "laok"),), (Line(2, "ws,03"),))
    >>> difference(laok, read_round({"rules": "laok", "e": "ws,03.k2c"})[0])
    [Draft(kind='add', text='k2c', round=1, target=0, seq=0)]
    """
    now, wanted = round.page, page.parameters
    found: list[Draft] = []
    if (now.rules, now.opt) != (page.rules, page.opt):
        ruled = {name: text for name, text in wanted.items() if name in ("rules", "opt")}
        found.append(Draft("rules", write_query(ruled), round.seq))
    if now.names != page.names:
        found.append(Draft("names", ",".join(page.names), round.seq))
    if now.dealer != page.dealer:
        found.append(Draft("dealer", str(page.dealer), round.seq))
    return [*found, *_changed(round, lines_of(page))]


def _changed(round: Round, after: list[str]) -> list[Draft]:
    before = [line.text for line in round.lines]
    if moved := _moved(round, after):
        return [moved]
    found: list[Draft] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        old, new = round.lines[a:b], after[c:d]
        for line, text in zip(old, new, strict=False):
            found.append(Draft("edit", text, round.seq, line.seq))
        found += [Draft("delete", "", round.seq, line.seq) for line in old[len(new) :]]
        follows = round.lines[b].seq if b < len(before) else 0
        found += [Draft("add", text, round.seq, follows) for text in new[len(old) :]]
    return found


def _moved(round: Round, after: list[str]) -> Draft | None:
    """The one line that stands elsewhere, where nothing else has changed."""
    before = [line.text for line in round.lines]
    if before == after or sorted(before) != sorted(after):
        return None
    for at, line in enumerate(round.lines):
        rest = before[:at] + before[at + 1 :]
        for to in range(len(after)):
            if [*rest[:to], line.text, *rest[to:]] == after:
                others = [*round.lines[:at], *round.lines[at + 1 :]]
                return Draft(
                    "move", str(others[to].seq) if to < len(others) else "", round.seq, line.seq
                )
    return None


# Whether two people meet.


def meet(mine: Sequence[Draft], others: Sequence[Entry], now: Ledger) -> list[Entry]:
    """Those of the others' entries that mine touch: they have to be seen before mine is booked.

    `others` were booked since the writer last looked; `now` is the ledger with them. Entries that
    only say of two different players what happened to each, and come to the same money in either
    order, do not touch.
    """
    return [each for each in others if any(_touch(one, each, now) for one in mine)]


def _touch(mine: Draft, other: Written, now: Ledger) -> bool:
    kinds = {mine.kind, other.kind}
    if "fee" in kinds or kinds == {NAMES, "add"}:
        return mine.kind == other.kind
    if kinds == {NAMES} and (mine.target or other.target):
        return True
    if ROUND in kinds:
        return mine.kind == other.kind or mine.kind != ROUND or other.round != mine.round
    if mine.round != other.round:
        return False
    if kinds == {"add"}:
        return not _apart(mine, other, now)
    if kinds & set(ABOUT_ROUNDS):
        return True
    if "add" in kinds:
        return _beside(mine, other, now)
    return mine.target == other.target


def _beside(mine: Draft, other: Written, now: Ledger) -> bool:
    """Whether a new line stands where the other entry changes one: a win tells of its kong."""
    lines = [line.seq for line in now.round_of(mine.round).lines]
    new, changed = (mine, other) if mine.kind == "add" else (other, mine)
    if new.target == changed.target or changed.target not in lines:
        return True
    if not any(e.get("after_kong") or e.get("kong_discard") for e in _events(new.text)):
        return False
    follows = lines.index(changed.target) + 1
    return lines[follows : follows + 1] == ([new.seq] if new.seq else [])


def _apart(mine: Draft, other: Written, now: Ledger) -> bool:
    """Whether two new lines are about different players and the same money in either order."""
    if mine.target or other.target or _seats(mine.text) & _seats(other.text):
        return False
    lines = list(now.round_of(mine.round).lines)
    place = next((i for i, line in enumerate(lines) if line.seq == other.seq), None)
    if place is None:
        return False
    new = Line(0, mine.text)
    after, before = [*lines, new], [*lines[:place], new, *lines[place:]]
    round = now.round_of(mine.round)
    return bool(
        _money(replace(round, lines=tuple(after))) == _money(replace(round, lines=tuple(before)))
    )


def _money(round: Round) -> Any:
    """The totals of a round; of one that cannot be settled, something that equals nothing."""
    answer: dict[str, Any] = settle(round.page.request)
    return answer["totals"] if answer["status"] == "settled" else object()


def _events(text: str) -> list[Event]:
    """The events of a line."""
    return [read_event(part) for part in text.split(".")]


def _seats(text: str) -> set[int | None]:
    """Who acts in a line: who gets and who gives; everybody where the round ends."""
    found: set[int | None] = set()
    for event in _events(text):
        found |= {event.get("seat"), event.get("from"), event.get("to")}
        found |= {winner["seat"] for winner in event.get("winners", ())}
        if event["type"] in ("draw", "escape"):
            found |= set(SEATS)
    return found - {None}
