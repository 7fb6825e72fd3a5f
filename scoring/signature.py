"""Signatures: what the value of a hand depends on, as the bits of one int.

Facts of the suits (``decompose``) stand lowest, then four-alikes, suits, limits on ranks that are
broken, and the melds (``hand.MeldSummary.bits``).  The bits above are those of a single way to read
a hand (``ways``).
"""

from .tiles import RANK_LIMITS, Ranks

QUADS_SHIFT = 4  #: how many four-alikes, three bits
NOT_PURE = 1 << 7
#: Each limit on ranks with the bit that says that it is broken.
RANK_BITS: tuple[tuple[Ranks, int], ...] = tuple(
    (limit, 1 << 8 + at) for at, limit in enumerate(RANK_LIMITS)
)
ALL_RANKS = sum(bit for _, bit in RANK_BITS)
MELDS_SHIFT = 8 + len(RANK_LIMITS)  #: the melds, twelve bits

_UP = MELDS_SHIFT + 12
JOKERS = 1 << _UP  #: jokers are in the hand
STRAIGHT = 1 << _UP + 1  #: 123, 456 and 789 of one suit are among the sets
TWINS_SHIFT = _UP + 2  #: how many times two runs are the same, two bits
TWINS = 3 << TWINS_SHIFT
CHAIN = 1 << _UP + 4  #: every suit is pairs of ranks in a row
GATES = 1 << _UP + 5  #: every suit is 1112345678999 and one more, or empty

# Where the winning tile may stand: it stands in one place only.
IN_PAIR = 1 << _UP + 6
MIDDLE = 1 << _UP + 7  #: in the middle of a run
EDGE = 1 << _UP + 8  #: as the 3 of 123 or the 7 of 789
MIDDLE_FIVE = 1 << _UP + 9  #: in the middle of 456
MIDDLE_TWO = 1 << _UP + 10  #: in the middle of 123条
PLACES = IN_PAIR | MIDDLE | EDGE | MIDDLE_FIVE | MIDDLE_TWO
#: Each place with all that is said of a tile that stands there.
STANDS: tuple[tuple[int, int], ...] = (
    (MIDDLE_FIVE, MIDDLE_FIVE | MIDDLE),
    (MIDDLE_TWO, MIDDLE_TWO | MIDDLE),
    (MIDDLE, MIDDLE),
    (IN_PAIR, IN_PAIR),
    (EDGE, EDGE),
)
#: Above the places, which of them the tile does stand in: a number of :data:`PLACED`.
PLACED_SHIFT = _UP + 11
PLACED: tuple[int, ...] = (0, *(place for _, place in STANDS))
