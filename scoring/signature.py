"""Signatures: what the value of a hand depends on, as the bits of one int.

Facts of the suits (``decompose``) stand lowest, then four-alikes, suits, ranks, and the melds
(``hand.MeldSummary.bits``).  The bits above are those of a single way to read a hand (``ways``).
"""

QUADS_SHIFT = 4  #: how many four-alikes, three bits
NOT_PURE = 1 << 7
NOT_258 = 1 << 8
TERMINALS = 1 << 9
MELDS_SHIFT = 10  #: the melds, twelve bits

JOKERS = 1 << 22  #: jokers are in the hand
STRAIGHT = 1 << 23  #: 123, 456 and 789 of one suit are among the sets
MIDDLE_FIVE = 1 << 24  #: the winning 5 may stand in the middle of 456
MIDDLE_TWO = 1 << 25  #: the winning 2条 may stand in the middle of 123条
#: Where the winning tile may stand: it stands in one place only.
PLACES = MIDDLE_FIVE | MIDDLE_TWO
