"""Text notation (牌谱记法) of tiles, melds and hands, both ways.

Canonical: ranks then suit letter (``123m456p77s``), melds after the concealed tiles (``[555p]``
pung, ``[5555p]`` exposed kong, ``[555-5p]`` added kong, ``(5555p)`` concealed kong, jokers written
``1s`` or ``7z`` after the natural tiles), a named winning tile last (``!7s``).  红中 is ``7z``.
On input a good deal more is understood: Chinese tile names and numerals, full-width forms, Unicode
tiles, the letter before the ranks, ranges (``1-9m``), a meld with all its tiles (``碰111筒``);
characters that nobody sees are skipped.  ``parse(format_hand(hand)) == hand`` for every hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from .hand import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    MELD_KINDS,
    PUNG,
    Hand,
    Meld,
    make_hand,
)
from .tiles import BIRD, SUITS, TILE_NAMES, TILE_OF_NAME, TILES, USUAL, ZHONG, Size, Tile

_RANKS = {c: i for i, c in enumerate("123456789", 1)}
_RANKS |= {c: i for i, c in enumerate("一二三四五六七八九", 1)}
_RANKS |= {c: i for i, c in enumerate("壹贰叁肆伍陆柒捌玖", 1)}
_RANKS |= {c: i for i, c in enumerate("１２３４５６７８９", 1)}
_RANKS |= {"貳": 2, "參": 3, "叄": 3, "陸": 6}
_SUIT_LETTERS = ("mMwW万萬ｍＭｗＷ", "pPbB筒饼餅ｐＰｂＢ", "sStT条索條ｓＳｔＴ", "zZｚＺ")
_SUITS = {char: number for number, chars in enumerate(_SUIT_LETTERS) for char in chars}
_TILES = {chr(0x1F007 + i): i for i in range(9)}  # 🀇 … 🀏
_TILES |= {chr(0x1F010 + i): 18 + i for i in range(9)}  # 🀐 … 🀘
_TILES |= {chr(0x1F019 + i): 9 + i for i in range(9)}  # 🀙 … 🀡
_TILES |= {"中": ZHONG, chr(0x1F004): ZHONG}
#: Tiles that two characters name.
_PAIRS = dict.fromkeys(("幺鸡", "么鸡", "幺雞", "么雞", "幺鷄", "么鷄"), BIRD)
_PAIRS |= dict.fromkeys(("红中", "紅中"), ZHONG)
_SPACES = frozenset(" \t\r\n\u3000\u00a0,，、;；。.·|/")
_DASHES = frozenset("-－‐–—+＋")
_WINS = frozenset("!！")
_OPEN = {"[": "[", "［": "[", "【": "[", "(": "(", "（": "("}
_CLOSE = {"]": "[", "］": "[", "】": "[", ")": "(", "）": "("}
_WORDS = {
    "碰": PUNG,
    "直杠": EXPOSED_KONG,
    "明杠": EXPOSED_KONG,
    "补杠": ADDED_KONG,
    "巴杠": ADDED_KONG,
    "暗杠": CONCEALED_KONG,
    "直槓": EXPOSED_KONG,
    "明槓": EXPOSED_KONG,
    "補槓": ADDED_KONG,
    "補杠": ADDED_KONG,
    "巴槓": ADDED_KONG,
    "暗槓": CONCEALED_KONG,
    "刮风": EXPOSED_KONG,
    "刮風": EXPOSED_KONG,
    "下雨": CONCEALED_KONG,
}
#: Tiles of other games: Sichuan mahjong has no honours. What they are called beside their name.
_HONOURS = frozenset("东東南西北发發白") | {chr(0x1F000 + i) for i in (0, 1, 2, 3, 5, 6)}
_HONOUR_ENDS = frozenset("风風板")
_RANGES = frozenset("-－‐–—~～至到")
#: A kong whose kind is not said: each kind counts and pays otherwise, so none is guessed.
_ANY_KONG = frozenset("杠槓")

#: A text longer than this is refused whole; the longest legal hand is far shorter.
MAX_LENGTH = 400


@dataclass(frozen=True, slots=True)
class NotationProblem:
    """What could not be read: the offending text, its 0-based position and a reason code.

    Reasons: ``unknown``, ``honour`` (a tile of other games), ``no_suit`` (ranks without a suit),
    ``no_rank`` (a suit without ranks), ``unclosed``, ``unopened``, ``bad_meld``, ``no_tile``
    (``!`` or a meld word with no tile after it), ``which_kong`` (杠 without its kind),
    ``two_wins``, ``too_long``.
    """

    text: str
    at: int
    why: str


class NotationError(ValueError):
    """A text that is no hand; ``problems`` lists everything that is wrong with it."""

    def __init__(self, problems: Sequence[NotationProblem]) -> None:
        super().__init__("; ".join(f"{p.why} at {p.at}: {p.text!r}" for p in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # rank, suit, tile, space, dash, win, open, close, word
    value: int | str
    text: str
    at: int


def _known() -> dict[str, tuple[str, int | str]]:
    """What each character or pair of them is, and its value."""
    kinds: tuple[tuple[str, dict[str, int] | dict[str, str]], ...] = (
        ("rank", _RANKS),
        ("suit", _SUITS),
        ("tile", {**_TILES, **_PAIRS}),
        ("word", _WORDS),
        ("space", {char: char for char in _SPACES}),
        ("dash", {char: char for char in _DASHES | _RANGES}),
        ("win", {char: char for char in _WINS}),
        ("open", _OPEN),
        ("close", _CLOSE),
        ("honour", {char: char for char in _HONOURS}),
    )
    return {name: (kind, value) for kind, names in kinds for name, value in names.items()}


_KNOWN = _known()


def _unseen(char: str) -> bool:
    """Whether nobody sees a character: joiners, marks of direction, which form of a picture."""
    return "\ufe00" <= char <= "\ufe0f" or unicodedata.category(char) == "Cf"


def _tokens(text: str, problems: list[NotationProblem]) -> list[_Token]:
    tokens: list[_Token] = []
    places = [at for at, char in enumerate(text) if not _unseen(char)]
    seen = "".join(text[at] for at in places)
    index = 0
    while index < len(seen):
        name = seen[index : index + 2]
        if name not in _KNOWN:
            name = seen[index]
        at = places[index]
        index += len(name)
        kind, value = _KNOWN.get(name, ("unknown", name))
        if kind == "honour":
            if text[at + 1 : at + 2] in _HONOUR_ENDS:
                name, index = text[at : at + 2], index + 1
            problems.append(NotationProblem(name, at, "honour"))
        elif kind == "unknown":
            _add_unknown(name, at, problems)
        else:
            tokens.append(_Token(kind, value, name, at))
    return tokens


def _add_unknown(char: str, at: int, problems: list[NotationProblem]) -> None:
    """One problem for each unbroken stretch of what nobody knows."""
    last = problems[-1] if problems else None
    if char in _ANY_KONG:
        problems.append(NotationProblem(char, at, "which_kong"))
    elif last is not None and last.why == "unknown" and last.at + len(last.text) == at:
        problems[-1] = NotationProblem(last.text + char, last.at, "unknown")
    else:
        problems.append(NotationProblem(char, at, "unknown"))


def _letter_first(tokens: Iterable[_Token]) -> bool:
    """Whether the string writes suits before ranks: its first rank or suit decides."""
    for token in tokens:
        if token.kind == "suit":
            return True
        if token.kind == "rank":
            return False
    return False


def _tile(number: _Token, letter: _Token) -> Tile | None:
    """The tile of a rank and a letter; of the honours only 红中 is known."""
    suit, rank = int(letter.value), int(number.value)
    if suit < len(SUITS):
        return 9 * suit + rank - 1
    return ZHONG if rank == 7 else None


@dataclass(slots=True)
class _Run:
    """Tiles read from consecutive tokens, and the gaps between them."""

    tiles: list[Tile]
    gaps: list[tuple[int, _Token]]  # (tiles and pending ranks before it, the dash or space)


def _read_run(
    tokens: Sequence[_Token], letter_first: bool, problems: list[NotationProblem]
) -> _Run:
    """Read ranks and suits (in one order) and single tiles; gaps are kept for the melds."""
    run = _Run([], [])
    pending: list[_Token] = []
    letter: _Token | None = None
    used = True

    def orphans() -> None:
        """Ranks that found no suit: one problem for each unbroken stretch of them."""
        stretch: list[_Token] = []
        for token in [*pending, None]:
            end = stretch[-1].at + len(stretch[-1].text) if stretch else 0
            if stretch and (token is None or token.at != end):
                text = "".join(t.text for t in stretch)
                problems.append(NotationProblem(text, stretch[0].at, "no_suit"))
                stretch = []
            if token is not None:
                stretch.append(token)
        pending.clear()

    def add(number: _Token, letter: _Token) -> None:
        tile = _tile(number, letter)
        if tile is None:
            beside = letter.at == number.at + len(number.text)
            written = number.text + letter.text if beside else number.text
            problems.append(NotationProblem(written, number.at, "honour"))
        else:
            run.tiles.append(tile)

    def lonely_suit() -> None:
        if letter is not None and not used:
            problems.append(NotationProblem(letter.text, letter.at, "no_rank"))

    for token in tokens:
        if token.kind in ("space", "dash"):
            run.gaps.append((len(run.tiles) + len(pending), token))
        elif token.kind == "tile":
            orphans()
            run.tiles.append(int(token.value))
            lonely_suit()
            letter, used = None, True
        elif token.kind == "suit":
            if letter_first:
                orphans()
                lonely_suit()
                letter, used = token, False
            elif pending:
                for written in pending:
                    add(written, token)
                pending.clear()
            else:
                problems.append(NotationProblem(token.text, token.at, "no_rank"))
        elif token.kind == "rank":
            if not letter_first or letter is None:
                pending.append(token)
            else:
                used = True
                add(token, letter)
    orphans()
    lonely_suit()
    return run


def _meld_of(run: _Run, bracket: str) -> Meld | None:
    """The meld that the tiles in a bracket make, or None."""
    tiles = run.tiles
    if len(tiles) not in (3, 4):
        return None
    joker = ZHONG if ZHONG in tiles else BIRD
    naturals = [t for t in tiles if t != joker]
    if not naturals:
        naturals = list(tiles)
    if len(set(naturals)) != 1 or tiles[: len(naturals)] != naturals:
        return None
    tile, jokers = naturals[0], len(tiles) - len(naturals)
    wild = joker if jokers else BIRD
    # A gap counts when it stands before a natural tile; one beside the jokers or the bracket is
    # spacing. Before the only natural tile of a kong, a space may be what a query makes of "+".
    lone = len(naturals) == 1 and len(tiles) == 4 and bracket == "["
    inner = [
        g for g in run.gaps if g[0] < len(naturals) and (g[0] > 0 or g[1].kind == "dash" or lone)
    ]
    spacing = [g for g in run.gaps if g not in inner]
    if any(token.kind == "dash" for _, token in spacing):
        return None
    if inner:
        if {before for before, _ in inner} != {len(naturals) - 1}:
            return None
        kong = len(tiles) == 4 and bracket == "["
        return Meld(ADDED_KONG, tile, jokers, wild) if kong else None
    if bracket == "(":
        return Meld(CONCEALED_KONG, tile, jokers, wild) if len(tiles) == 4 else None
    return Meld(PUNG if len(tiles) == 3 else EXPOSED_KONG, tile, jokers, wild)


def _spread(tokens: Sequence[_Token]) -> list[_Token]:
    """Ranges of ranks written out: ``1-9`` before a suit."""
    found: list[_Token] = []
    for token in tokens:
        first, dash = (found[-2], found[-1]) if len(found) > 1 else (None, None)
        ranged = (
            token.kind == "rank"
            and first is not None
            and dash is not None
            and (first.kind, dash.kind) == ("rank", "dash")
            and dash.text in _RANGES
            and int(first.value) < int(token.value)
        )
        if ranged and first is not None:
            found.pop()
            between = range(int(first.value) + 1, int(token.value))
            found += [_Token("rank", rank, token.text, token.at) for rank in between]
        found.append(token)
    return found


def _whole(tokens: Sequence[_Token], word: int, letter_first: bool) -> tuple[Tile, int] | None:
    """The tile of a meld that is written with all its tiles after its word, and the index after.

    Three for a pung, four for a kong, directly after one another: ``碰111筒``, ``碰1p1p1p``.
    """
    size = 3 if tokens[word].value == PUNG else 4
    start = word + 1
    while start < len(tokens) and tokens[start].kind == "space":
        start += 1
    for length in (2 * size, size + 1, size):
        written = tokens[start : start + length]
        if len(written) < length or any(t.kind not in ("rank", "suit", "tile") for t in written):
            continue
        faults: list[NotationProblem] = []
        run = _read_run(written, letter_first, faults)
        if not faults and len(run.tiles) == size and len(set(run.tiles)) == 1:
            return run.tiles[0], start + length
    return None


#: Ranks before their suit, melds after them, a named winning tile last.
_CANONICAL = re.compile(r"((?:[1-9]+[mps])*)((?:\[[^]]+]|\([^)]+\))*)(?:!([1-9][mps]))?")
_RUNS = re.compile(r"([1-9]+)([mps])")
_MELDS = re.compile(r"\[[^]]+]|\([^)]+\)")
#: The digits of a run as tiles of its suit.
_TILES_OF_RANKS = {
    letter: bytes.maketrans(b"123456789", bytes(TILES[9 * s : 9 * s + 9]))
    for s, letter in enumerate(SUITS)
}


def _read_canonical(text: str) -> tuple[list[Tile], tuple[Meld, ...], Tile | None] | None:
    """Tiles, melds and named winning tile of a text as it is written here; None for any other.

    Nearly every text is of this form, and no character of it needs a look of its own.
    """
    written = _CANONICAL.fullmatch(text)
    if written is None:
        return None
    runs, brackets, last = written.groups()
    tiles: list[Tile] = []
    for ranks, letter in _RUNS.findall(runs):
        tiles += ranks.encode().translate(_TILES_OF_RANKS[letter])
    melds: list[Meld] = []
    for bracket in _MELDS.findall(brackets) if brackets else ():
        meld = _WRITTEN_MELDS.get(bracket)
        if meld is None:
            return None
        melds.append(meld)
    return tiles, tuple(melds), TILE_OF_NAME[last] if last else None


def parse(text: str, more: tuple[Meld, ...] = (), *, size: Size = USUAL) -> Hand:
    """Read a hand (手牌) of a size from text in any accepted notation.

    ``more`` are melds given apart from the text; they come after those in it.  Raises
    :class:`NotationError` with every problem.  Positions are 0-based indexes of ``text``.

    >>> format_hand(parse("一万二万三万 暗杠5筒 7条7条"))
    '123m77s(5555p)'
    """
    if len(text) > MAX_LENGTH:
        raise NotationError([NotationProblem(text[:20], MAX_LENGTH, "too_long")])
    plain = _read_canonical(text)
    if plain is not None:
        tiles, declared, last = plain
        return make_hand(tiles, declared + more, win_tile=last, size=size)
    problems: list[NotationProblem] = []
    tokens = _tokens(text, problems)
    letter_first = _letter_first(tokens)
    concealed: list[Tile] = []
    melds: list[Meld] = []
    win: Tile | None = None
    loose: list[_Token] = []
    index = 0

    def one_tile(start: int) -> tuple[Tile | None, int]:
        """The single tile written at ``start`` and the index after it."""
        while start < len(tokens) and tokens[start].kind == "space":
            start += 1
        if start < len(tokens) and tokens[start].kind == "tile":
            return int(tokens[start].value), start + 1
        kinds = ["suit", "rank"] if letter_first else ["rank", "suit"]
        if [t.kind for t in tokens[start : start + 2]] == kinds:
            both = {t.kind: t for t in tokens[start : start + 2]}
            return _tile(both["rank"], both["suit"]), start + 2
        return None, start

    def flush() -> None:
        loose[:] = _spread(loose)
        for token in loose:
            if token.kind == "dash":
                problems.append(NotationProblem(token.text, token.at, "unknown"))
        run = _read_run([t for t in loose if t.kind != "dash"], letter_first, problems)
        concealed.extend(run.tiles)
        loose.clear()

    while index < len(tokens):
        token = tokens[index]
        if token.kind == "open":
            flush()
            end = index + 1
            while end < len(tokens) and tokens[end].kind not in ("open", "close", "win", "word"):
                end += 1
            closed = end < len(tokens) and tokens[end].kind == "close"
            if not closed or tokens[end].value != token.value:
                stop = (
                    tokens[end].at + 1
                    if closed
                    else (tokens[end].at if end < len(tokens) else len(text))
                )
                problems.append(NotationProblem(text[token.at : stop], token.at, "unclosed"))
                index = end + 1 if closed else end
                continue
            inner: list[NotationProblem] = []
            run = _read_run(tokens[index + 1 : end], letter_first, inner)
            meld = None if inner else _meld_of(run, str(token.value))
            if meld is None:
                written = text[token.at : tokens[end].at + 1]
                problems.append(NotationProblem(written, token.at, "bad_meld"))
            else:
                melds.append(meld)
            index = end + 1
        elif token.kind == "close":
            flush()
            problems.append(NotationProblem(token.text, token.at, "unopened"))
            index += 1
        elif token.kind in ("word", "win"):
            flush()
            tile, after = one_tile(index + 1)
            if token.kind == "word" and (whole := _whole(tokens, index, letter_first)):
                tile, after = whole
            if tile is None:
                problems.append(NotationProblem(token.text, token.at, "no_tile"))
            elif token.kind == "word":
                melds.append(Meld(str(token.value), tile))
            elif win is not None:
                end_at = tokens[after - 1].at + len(tokens[after - 1].text)
                problems.append(NotationProblem(text[token.at : end_at], token.at, "two_wins"))
            else:
                win = tile
            index = after
        else:
            loose.append(token)
            index += 1
    flush()
    if problems:
        raise NotationError(sorted(problems, key=lambda p: p.at))
    return make_hand(concealed, (*melds, *more), win_tile=win, size=size)


def parse_tiles(text: str) -> list[Tile]:
    """Read loose tiles, in the order written: what is seen elsewhere, horses, one tile.

    Raises :class:`NotationError`; melds and ``!`` are not allowed.

    >>> parse_tiles("33m5p")
    [2, 2, 13]
    """
    if len(text) > MAX_LENGTH:
        raise NotationError([NotationProblem(text[:20], MAX_LENGTH, "too_long")])
    plain = _read_canonical(text)
    if plain is not None and not plain[1] and plain[2] is None:
        return plain[0]
    problems: list[NotationProblem] = []
    tokens = _tokens(text, problems)
    for token in tokens:
        if token.kind in ("open", "close", "win", "word", "dash"):
            problems.append(NotationProblem(token.text, token.at, "unknown"))
    readable = [t for t in tokens if t.kind in ("rank", "suit", "tile", "space")]
    run = _read_run(readable, _letter_first(readable), problems)
    if problems:
        raise NotationError(sorted(problems, key=lambda p: p.at))
    return run.tiles


def parse_tile(text: str) -> Tile:
    """Read exactly one tile; raises :class:`NotationError` otherwise.

    >>> parse_tile("幺鸡")
    18
    """
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise NotationError([NotationProblem(text, 0, "no_tile")])
    return tiles[0]


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write tiles in the order given, ranks gathered while the suit stays.

    >>> format_tiles([0, 1, 2, 9])
    '123m1p'
    """
    text = suit = ""
    for tile in tiles:
        name = TILE_NAMES[tile]
        if name[1] != suit:
            text += suit
            suit = name[1]
        text += name[0]
    return text + suit


@cache
def format_meld(meld: Meld) -> str:
    """Write a meld (副露) in brackets, the inverse of reading it.

    >>> format_meld(Meld(ADDED_KONG, 13, jokers=1))
    '[55-5p1s]'
    """
    number, letter = TILE_NAMES[meld.tile][0], TILE_NAMES[meld.tile][1]
    ranks = number * (meld.size - meld.jokers)
    if meld.kind == ADDED_KONG:
        ranks = ranks[:-1] + "-" + number
    inner = f"{ranks}{letter}" + format_tiles([meld.joker] * meld.jokers)
    return f"({inner})" if meld.kind == CONCEALED_KONG else f"[{inner}]"


#: Every meld without jokers by how it is written.
_WRITTEN_MELDS = {
    format_meld(meld): meld for meld in (Meld(kind, tile) for kind in MELD_KINDS for tile in TILES)
}


def format_hand(hand: Hand) -> str:
    """Write a hand canonically: sorted tiles, melds, a named winning tile apart.

    A winning tile that was not named stands last among the concealed tiles.

    >>> format_hand(Hand((0, 1, 2), (), 3, named=True))
    '123m!4m'
    """
    last = [] if hand.win_tile is None or hand.named else [hand.win_tile]
    text = format_tiles([*hand.tiles, *last])
    text += "".join(format_meld(m) for m in hand.melds)
    if hand.named and hand.win_tile is not None:
        text += f"!{TILE_NAMES[hand.win_tile]}"
    return text
