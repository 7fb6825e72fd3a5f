"""The brute-force scorer for millions of hands: each kind of hand is scored once.

A suit is described by how it can be cut, with and without a pair, by whether it is pairs alone, by
its fours and its ranks. Hands of the same description in all three suits, beside melds of the same
description, are worth the same; one of them is given to `scorer`, and the answer is remembered.
Nothing here is shared with the engine, and the tests hold it to `scorer` hand by hand.

Hands are NumPy arrays of 27 counts, melds lists of (kind, tile). A table that is asked is the id of
a system, or that with the JSON of its house rules.
"""

import json
from functools import lru_cache
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import numpy as np

from . import scorer

NEW, DEAD = -1, 0
MELDS = 4
CHUNK = 1 << 16
JOKER = 18


class Answer(NamedTuple):
    """What `scorer` says of a hand: the order's key, then all terms and patterns tied for best."""

    key: tuple
    fan: int
    uncapped_fan: int
    multiple: int
    ties: tuple
    patterns: tuple


def describe(counts, full=False):
    """All that matters of a suit of nine counts, or None when it can be part of no win.

    `full`: what 板板高, 一条龙, 连七对 and 九莲宝灯 ask, too; then there are more kinds.
    """
    cuts = set()
    for pair in (None, *range(9)):
        rest = list(counts)
        if pair is not None:
            rest[pair] -= 2
        if min(rest) < 0 or sum(rest) % 3:
            continue
        for way in scorer.cut_suit(tuple(rest)):
            pungs = all(kind == "pung" for kind, _ in way)
            outside = pair in (None, 0, 8) and all(
                rank in ((0, 8) if kind == "pung" else (0, 6)) for kind, rank in way
            )
            runs = [low for kind, low in way if kind == "run"]
            twice = sum(runs.count(low) // 2 for low in set(runs))
            more = (twice, {0, 3, 6} <= set(runs)) if full else ()
            cuts.add((pair is not None, pungs, outside, *more))
    even = all(number % 2 == 0 for number in counts)
    if not cuts and not even:
        return None
    present = [rank for rank in range(9) if counts[rank]]
    return (
        tuple(sorted(cuts)),
        even,
        sum(number == 4 for number in counts),
        bool(present),
        all(rank in (1, 4, 7) for rank in present),
        any(rank in (0, 8) for rank in present),
        *((in_a_row(counts), nine_gates(counts)) if full else ()),
    )


def in_a_row(counts):
    """Whether a suit is pairs of ranks that follow each other."""
    held = [rank for rank in range(9) if counts[rank]]
    follow = all(after == before + 1 for before, after in pairwise(held))
    return follow and all(counts[rank] == 2 for rank in held)


def nine_gates(counts):
    """Whether a suit is 1112345678999 and one more."""
    return sorted(counts[rank] - (3 if rank in (0, 8) else 1) for rank in range(9)) == [0] * 8 + [1]


class Suits:
    """Descriptions of suits by number; a suit is looked up by its counts read in base five."""

    def __init__(self, full=False):
        self.full = full
        self.numbers = {None: DEAD}
        self.of_state = np.full(5**9, NEW, dtype=np.int16)

    def look_up(self, counts):
        """The number of each suit's description; `counts` has nine columns."""
        states = counts.astype(np.int32) @ (5 ** np.arange(9, dtype=np.int32))
        found = self.of_state[states]
        for state in np.unique(states[found == NEW]).tolist():
            suit = tuple(state // 5**rank % 5 for rank in range(9))
            number = self.numbers.setdefault(describe(suit, self.full), len(self.numbers))
            self.of_state[state] = number
        return self.of_state[states]


SUITS = {full: Suits(full) for full in (False, True)}
#: A number takes so many bits of the code of a hand.
BITS = 12


@lru_cache(maxsize=1 << 20)
def describe_melds(melds):
    """All that matters of melds beside the concealed part: kinds, suits, ranks."""
    return (
        tuple(sorted(kind for kind, _ in melds)),
        tuple(sorted({tile // 9 for _, tile in melds})),
        all(tile % 9 in (0, 8) for _, tile in melds),
        all(tile % 9 in (1, 4, 7) for _, tile in melds),
        any(tile % 9 in (0, 8) for _, tile in melds),
    )


class Kinds(NamedTuple):
    """Hands sorted into kinds: each hand's kind, and each kind's key with a hand of it."""

    of_hand: np.ndarray
    keys: list
    hands: list


def kinds(counts, melds=((),), which=None, full=False):
    """Sort hands into kinds. `melds` are the choices that occur, `which` each hand's own; `full` as
    in `describe`."""
    number = len(counts)
    which = np.zeros(number, dtype=np.int64) if which is None else np.asarray(which, np.int64)
    suits = [SUITS[full].look_up(counts[:, 9 * s : 9 * s + 9]).astype(np.int64) for s in range(3)]
    names, of_choice = {}, np.empty(len(melds), dtype=np.int64)
    pungs = np.full((len(melds), MELDS), -1, dtype=np.int64)
    for at, choice in enumerate(melds):
        of_choice[at] = names.setdefault(describe_melds(tuple(choice)), len(names))
        claimed = [tile for kind, tile in choice if kind == "pung"]
        pungs[at, : len(claimed)] = claimed
    rows = np.arange(number)
    roots = np.zeros(number, dtype=np.int64)
    for column in range(MELDS):
        tile = pungs[which, column]
        roots += (tile >= 0) & (counts[rows, tile] == 1)
    code = of_choice[which]
    for part in (*suits, roots):
        code = code << BITS | part
    # A suit that fits nowhere makes the hand one of the losing kind.
    code[(suits[0] == DEAD) | (suits[1] == DEAD) | (suits[2] == DEAD)] = -1
    codes, first, of_hand = np.unique(code, return_index=True, return_inverse=True)
    descriptions = list(names)
    keys, hands = [], []
    for one, at in zip(codes.tolist(), first.tolist(), strict=True):
        mask = (1 << BITS) - 1
        key = None
        if one >= 0:
            parts = tuple(one >> shift & mask for shift in (3 * BITS, 2 * BITS, BITS, 0))
            key = (full, descriptions[one >> 4 * BITS], *parts)
        keys.append(key)
        hands.append((tuple(counts[at].tolist()), tuple(melds[which[at]])))
    return Kinds(of_hand.reshape(-1), keys, hands)


@lru_cache(maxsize=64)
def table_of(asked):
    ruleset, options = (asked, "{}") if isinstance(asked, str) else asked
    return scorer.table_of(ruleset, json.loads(options))


ANSWERS = {}


def answer(asked, by, key, hand, no_joker=True):
    """The answer for one kind of hand, found from a hand of that kind; None: it does not win."""
    if key is None:
        return None
    known = (asked, by, no_joker, key)
    if known not in ANSWERS:
        if len(ANSWERS) > 1_000_000:
            ANSWERS.clear()
        concealed, melds = hand
        how = {**scorer.NO_SITUATION, "by": by, "no_joker": no_joker}
        table = table_of(asked)
        last = max(tile for tile in range(27) if concealed[tile])
        verdict = scorer.best_verdict(table, concealed, 0, melds, how, None, last, False)
        ANSWERS[known] = as_answer(table, verdict)
    return ANSWERS[known]


def as_answer(table, verdict):
    if verdict is None:
        return None
    multiple, _, uncapped, _ = verdict["key"]
    return Answer(
        verdict["key"],
        scorer.capped(table, uncapped),
        uncapped,
        multiple,
        tuple(verdict["ties"]),
        tuple(verdict["patterns"]),
    )


def answers(asked, by, sorted_hands):
    """(each hand's place, the answers there) for hands sorted into kinds, without jokers."""
    found = [
        answer(asked, by, key, hand)
        for key, hand in zip(sorted_hands.keys, sorted_hands.hands, strict=True)
    ]
    return sorted_hands.of_hand, found


@lru_cache(maxsize=4)
def assignments(jokers):
    """Every way to let so many jokers stand for tiles, as rows of counts."""
    chosen = list(combinations_with_replacement(range(27), jokers))
    rows = np.zeros((len(chosen), 27), dtype=np.int8)
    for at, tiles in enumerate(chosen):
        for tile in tiles:
            rows[at, tile] += 1
    return rows


def with_jokers(asked, by, naturals, jokers, full=False):
    """The best answer of each hand of natural tiles with so many jokers, up to four of them.

    Every assignment is tried; of the ties only one is kept.
    """
    every = assignments(jokers)
    best = []
    step = max(1, CHUNK // len(every))
    for at in range(0, len(naturals), step):
        hands = naturals[at : at + step]
        tried = (hands[:, None, :] + every[None, :, :]).reshape(-1, 27)
        suits = (tried.reshape(-1, 3, 9) > 0).any(axis=2).sum(axis=1)
        possible = np.flatnonzero((tried.max(axis=1) <= 4) & (suits <= 2))
        sorted_hands = kinds(tried[possible], full=full)
        found = [
            answer(asked, by, key, hand, no_joker=False)
            for key, hand in zip(sorted_hands.keys, sorted_hands.hands, strict=True)
        ]
        distinct = sorted({one for one in found if one}, key=lambda one: one.key)
        rank = np.array([distinct.index(one) if one else -1 for one in found], dtype=np.int64)
        ranks = np.full(len(tried), -1, dtype=np.int64)
        ranks[possible] = rank[sorted_hands.of_hand]
        tops = ranks.reshape(len(hands), len(every)).max(axis=1).tolist()
        best += [distinct[top] if top >= 0 else None for top in tops]
    return best


def four_jokers(asked):
    """四幺鸡 under a system with a cap: worth the cap, flat."""
    table = table_of(asked)
    fan = table["cap"]
    multiple = scorer.value_of(table, fan)
    terms = ((("si_ji", fan),),)
    return Answer((multiple, fan, fan, 0), fan, fan, multiple, terms, (("si_ji",),))


def waits(asked, by, counts):
    """(place, answers) for each hand without melds or jokers and each of the 27 tiles added.

    Rows are hands, columns tiles; a tile that is held four times is none.
    """
    place = np.empty((len(counts), 27), dtype=np.int64)
    found = [None]
    for tile in range(27):
        fuller = counts.copy()
        fuller[:, tile] += 1
        room = np.flatnonzero(fuller[:, tile] <= 4)
        suits = (fuller[room].reshape(-1, 3, 9) > 0).any(axis=2).sum(axis=1)
        room = room[suits <= 2]
        of_hand, new = answers(asked, by, kinds(fuller[room]))
        place[:, tile] = 0
        place[room, tile] = of_hand + len(found)
        found += new
    return place, found
