"""How far a hand is from winning, by plain search over every winning hand.

A target is a whole winning hand: sets and a pair beside the fixed melds, or seven pairs. The cost
of a target is the number of its tiles that the hand does not hold. Suits are independent, so each
suit is walked rank by rank over every choice of pungs, pair and runs, and the three answers are put
together. Nothing here knows the engine.
"""

from functools import lru_cache
from itertools import combinations, product

FAR = 99
RANKS = range(9)
NINE = tuple(RANKS)
OUTER = (0, 8)
MIDDLE = (1, 2, 3, 4, 5, 6, 7)
TWO_FIVE_EIGHT = (1, 4, 7)
SUITS = range(3)
BIRD = 18  # 1条, the joker of a joker system

# What a standard target may be made of: ranks of pungs, ranks of the pair, lowest ranks of runs.
ANYTHING = (NINE, NINE, (0, 1, 2, 3, 4, 5, 6))
ONLY_PUNGS = (NINE, NINE, ())
ONLY_258_PUNGS = (TWO_FIVE_EIGHT, TWO_FIVE_EIGHT, ())
ONLY_OUTSIDE = (OUTER, OUTER, (0, 6))
ONLY_MIDDLE = (MIDDLE, MIDDLE, (1, 2, 3, 4, 5))
DRAGON_RUNS = (0, 3, 6)
#: The pairs hands that need four alike, and how often.
QUADS = {"long_qi_dui": 1, "shuang_long_qi_dui": 2, "san_long_qi_dui": 3}
NINE_GATES = tuple(enumerate((3, 1, 1, 1, 1, 1, 1, 1, 3)))


@lru_cache(maxsize=100_000)
def suit_costs(held, room, parts=ANYTHING, forced=(), spare=False):
    """Least missing tiles in one suit for each (sets, pairs, fifth copies used).

    `held` counts the tiles in hand, `room` how many copies the melds leave. With `spare` one tile
    of the suit may pass its room by one (the dead wait of the competition rules), but never four
    concealed copies. `forced` are lowest ranks of runs that must be there.
    """
    pungs, pairs, runs = parts
    # (runs begun one rank back, two ranks back, sets, pairs, fifth copies) -> missing tiles
    states = {(0, 0, 0, 0, 0): 0}
    for rank in RANKS:
        following = {}
        for (back1, back2, sets, pair, fifth), cost in states.items():
            for pung, has_pair, begun in product((0, 1), (0, 1), range(5)):
                if (pung and rank not in pungs) or (has_pair and rank not in pairs):
                    continue
                if (begun and rank not in runs) or (rank in forced and not begun):
                    continue
                wanted = 3 * pung + 2 * has_pair + begun + back1 + back2
                over = max(0, wanted - room[rank])
                if over and not (spare and over == 1 and wanted <= 4):
                    continue
                key = (begun, back1, sets + pung + begun, pair + has_pair, fifth + over)
                if key[2] > 4 or key[3] > 1 or key[4] > 1:
                    continue
                total = cost + max(0, wanted - held[rank])
                if total < following.get(key, FAR):
                    following[key] = total
        states = following
    costs = {}
    for (back1, back2, sets, pair, fifth), cost in states.items():
        if back1 == 0 and back2 == 0:
            key = (sets, pair, fifth)
            costs[key] = min(cost, costs.get(key, FAR))
    return costs


def room_of(melds, birds):
    """How many copies of each tile a target may hold beside the melds."""
    room = [4] * 27
    for kind, tile in melds:
        room[tile] -= 3 if kind == "pung" else 4
    if birds is not None:
        room[BIRD] = birds
    return room


def standard_missing(
    held,
    melds,
    suits,
    parts=ANYTHING,
    *,
    birds=None,
    dragon_in=None,
    spare=False,
    sets=4,
    room=None,
):
    """Least missing tiles of a target of sets and a pair within the given suits."""
    room = room or room_of(melds, birds)
    best = FAR
    tables = []
    for suit in SUITS:
        if suit not in suits:
            tables.append({(0, 0, 0): 0})
            continue
        part = slice(9 * suit, 9 * suit + 9)
        forced = DRAGON_RUNS if dragon_in == suit else ()
        tables.append(suit_costs(tuple(held[part]), tuple(room[part]), parts, forced, spare))
    for (k0, p0, f0), c0 in tables[0].items():
        for (k1, p1, f1), c1 in tables[1].items():
            for (k2, p2, f2), c2 in tables[2].items():
                if k0 + k1 + k2 == sets - len(melds) and p0 + p1 + p2 == 1 and f0 + f1 + f2 <= 1:
                    best = min(best, c0 + c1 + c2)
    return best


def seven_pairs_missing(held, suits, ranks=NINE, *, birds=None, quads=0, room=None, pairs=7):
    """Least missing tiles of seven pairs within the given suits, four alike being two pairs."""
    room = room or room_of([], birds)
    tiles = [9 * suit + rank for suit in suits for rank in ranks]
    best = FAR
    # The second pair of a tile never costs less than its first, so the cheapest seven will do;
    # `quads` tiles bring both their pairs whatever they cost.
    for chosen in combinations([tile for tile in tiles if room[tile] == 4], quads):
        costs = []
        for tile in tiles:
            first = max(0, 2 - held[tile])
            if tile not in chosen and room[tile] >= 2:
                costs.append(first)
            if tile not in chosen and room[tile] == 4:
                costs.append(max(0, 4 - held[tile]) - first)
        wanted = pairs - 2 * quads
        total = sum(max(0, 4 - held[tile]) for tile in chosen)
        if len(costs) >= wanted:
            best = min(best, total + sum(sorted(costs)[:wanted]))
    return best


def suit_choices(melds, void, most):
    """Sets of at most `most` suits that hold every meld and leave the void suit out."""
    needed = {tile // 9 for _, tile in melds}
    choices = []
    for bits in product((False, True), repeat=3):
        suits = {suit for suit in SUITS if bits[suit]}
        if 1 <= len(suits) <= most and needed <= suits and void not in suits:
            choices.append(sorted(suits))
    return choices


def missing(held, melds, void=None, *, birds=None, spare=False, sets=4, gone=None):
    """Least tiles that any winning hand has and this one lacks; FAR when none can be reached.

    `birds` is how many 1条 a target may hold where they are jokers: the fourth joker, those in
    melds counted, is a win of its own.
    """
    best = FAR
    for suits in suit_choices(melds, void, 2):
        room = room_of(melds, birds)
        if gone is not None:
            room = [min(n, 4 - lost) for n, lost in zip(room, gone, strict=False)]
        more = {"sets": sets, "room": room}
        best = min(best, standard_missing(held, melds, suits, spare=spare, **more))
        if not melds and sets != 3:
            best = min(best, seven_pairs_missing(held, suits, room=room, pairs=(3 * sets + 2) // 2))
    return best


def distance(held, melds, pattern, void=None, *, birds=None, sets=4):
    """Least target tiles that the hand lacks of a win with the pattern; None if melds forbid it.

    `held` are 27 counts, `melds` pairs of kind and tile, `birds` as for `missing`. Tiles that are
    still to be drawn count like those to be exchanged. `sets` are those of a winning hand; the
    pairs hand has as many pairs as there is room for, if it comes out even.
    """
    pairs = (3 * sets + 2) // 2
    paired = not melds and sets != 3

    def standard(parts=ANYTHING, dragon_in=None):
        return standard_missing(
            held, melds, suits, parts, birds=birds, dragon_in=dragon_in, sets=sets
        )

    def seven_pairs(ranks=NINE, quads=0):
        more = {"birds": birds, "quads": quads, "pairs": pairs}
        return seven_pairs_missing(held, suits, ranks, **more) if 2 * quads <= pairs else FAR

    def exactly(*wanted):
        """Least missing tiles of the cheapest of some whole hands in one suit."""
        room = room_of(melds, birds)[9 * suits[0] : 9 * suits[0] + 9]
        here = held[9 * suits[0] : 9 * suits[0] + 9]
        costs = [
            sum(max(0, n - own) for n, own in zip(target, here, strict=True))
            for target in wanted
            if all(n <= most for n, most in zip(target, room, strict=True))
        ]
        return min(costs, default=FAR)

    kinds = [kind for kind, _ in melds]
    ranks = [tile % 9 for _, tile in melds]
    one_suit = pattern.startswith("qing_") or pattern in ("lian_qi_dui", "jiu_lian")
    form = {
        "qing_dui": "dui_dui_hu",
        "qing_qi_dui": "qi_dui",
        "qing_long_qi_dui": "long_qi_dui",
        "qing_yao_jiu": "dai_yao_jiu",
        "qing_jin_gou_diao": "jin_gou_diao",
        "qing_shi_ba_luo_han": "shi_ba_luo_han",
        "qing_yi_se": "ping_hu",
    }.get(pattern, pattern)
    best = FAR
    for suits in suit_choices(melds, void, 1 if one_suit else 2):
        if form in ("ping_hu", "men_qing"):
            if form == "men_qing" and any(kind != "concealed_kong" for kind in kinds):
                continue
            best = min(best, standard())
            if paired:
                best = min(best, seven_pairs())
        elif form == "dui_dui_hu":
            best = min(best, standard(ONLY_PUNGS))
        elif form == "jiang_dui":
            if all(rank in TWO_FIVE_EIGHT for rank in ranks):
                best = min(best, standard(ONLY_258_PUNGS))
        elif form == "dai_yao_jiu":
            if all(rank in OUTER for rank in ranks):
                best = min(best, standard(ONLY_OUTSIDE))
        elif form == "zhong_zhang":
            if all(rank in MIDDLE for rank in ranks):
                best = min(best, standard(ONLY_MIDDLE))
                if paired:
                    best = min(best, seven_pairs(MIDDLE))
        elif form == "yi_tiao_long":
            for suit in suits:
                best = min(best, standard(dragon_in=suit))
        elif form == "jin_gou_diao":
            if len(melds) == sets:
                best = min(best, standard())
        elif form == "jiang_jin_gou_diao":
            if len(melds) == sets and all(rank in TWO_FIVE_EIGHT for rank in ranks):
                best = min(best, standard(ONLY_258_PUNGS))
        elif form == "shi_ba_luo_han":
            if len(melds) == sets and "pung" not in kinds:
                best = min(best, standard())
        elif form in QUADS or form in ("qi_dui", "jiang_qi_dui"):
            if paired:
                allowed = TWO_FIVE_EIGHT if form == "jiang_qi_dui" else NINE
                best = min(best, seven_pairs(allowed, QUADS.get(form, 0)))
        elif form == "lian_qi_dui":
            if paired:
                rest = 9 - pairs
                rows = ([0] * n + [2] * pairs + [0] * (rest - n) for n in range(rest + 1))
                best = min(best, exactly(*rows))
        elif form == "jiu_lian":
            if not melds and sets == 4:
                best = min(best, exactly(*([n + (r == x) for r, n in NINE_GATES] for x in NINE)))
        else:
            raise KeyError(pattern)
    return None if best >= FAR else best
