"""A brute-force scorer, written from the rules alone: plain first, quick second.

`score(request)` answers the part of the contract that is about one hand's worth. It tries every
assignment of the jokers, every way to cut the tiles into sets, and every pattern, and keeps the
best by the stated order. All values are typed out here; no file of the project is read.
"""

from decimal import Decimal
from functools import lru_cache
from itertools import combinations_with_replacement, product

from .shanten import FAR, missing

RULESETS = ("chengdu", "yaoji", "laok", "jipin", "xueliu", "yichang", "sbr", "majsoul")

# fmt: off
# What other tables play is off in all of them.
NEW = (None,) * 8
# id                     chengdu yaoji laok  jipin xueliu yichang sbr  majsoul
FANS = {
    "ping_hu":            (0,    1,    1,    1,    1,    1,    0,    1),
    "dui_dui_hu":         (1,    2,    2,    2,    3,    3,    1,    2),
    "qing_yi_se":         (2,    3,    3,    3,    5,    5,    2,    3),
    "dai_yao_jiu":        (2,    3,    3,    3,    None, None, None, 3),
    "qi_dui":             (2,    3,    3,    3,    5,    5,    2,    3),
    "long_qi_dui":        (4,    5,    5,    None, None, None, None, 4),
    "qing_dui":           (3,    4,    4,    4,    8,    8,    None, 4),
    "jiang_dui":          (3,    4,    4,    None, None, None, None, 4),
    "qing_qi_dui":        (4,    5,    5,    5,    10,   10,   None, 5),
    "qing_long_qi_dui":   (5,    6,    6,    None, None, None, None, 6),
    "qing_yao_jiu":       (4,    5,    5,    5,    None, None, None, 5),
    "jin_gou_diao":       (None, None, None, None, None, None, 1,    3),
    "qing_jin_gou_diao":  (None, None, None, None, None, None, None, 5),
    "qing_shi_ba_luo_han": (None, None, None, None, None, None, None, 6),
    "shi_ba_luo_han":     (None, None, None, None, None, None, None, 6),
    "tian_hu":            (5,    6,    6,    None, None, None, None, 6),
    "di_hu":              (5,    6,    6,    None, None, None, None, 6),
    "si_ji":              (None, None, None, None, None, None, None, None),
    "jiang_qi_dui":       (None, None, None, None, None, None, None, None),
    "men_qing":           (None, None, None, None, None, None, None, None),
    "zhong_zhang":        (None, None, None, None, None, None, None, None),
    "yi_tiao_long":       (None, None, None, None, None, None, None, None),
    "jia_xin_wu":         (None, None, None, None, None, None, None, None),
    "ka_er_tiao":         (None, None, None, None, None, None, None, None),
    "jiang_jin_gou_diao": NEW, "shuang_long_qi_dui": NEW, "san_long_qi_dui": NEW,
    "lian_qi_dui": NEW, "jiu_lian": NEW, "ban_ban_gao": NEW, "dan_diao": NEW, "ka_zhang": NEW,
    "bian_zhang": NEW, "jue_zhang": NEW,
    "zi_mo": (1,    1,    1,    1,    1,    1,    1,    1),
    "gen":                (1,    1,    1,    1,    None, None, 1,    1),
    "exposed_kong":       (1,    1,    1,    1,    1,    1,    1,    1),
    "added_kong":         (1,    1,    1,    1,    1,    1,    1,    1),
    "concealed_kong":     (2,    1,    1,    1,    2,    2,    1,    1),
    "gang_shang_hua":     (None, 1,    1,    1,    None, None, 1,    1),
    "gang_shang_pao":     (1,    1,    1,    1,    None, None, 1,    1),
    "qiang_gang":         (1,    1,    1,    1,    None, None, 1,    1),
    "hai_di":             (None, None, None, None, None, None, 1,    1),
    "wu_ji":              (None, 1,    None, None, None, None, None, None),
    "men_qing_zi_mo":     (None, None, None, None, 1,    None, None, None),
    "ma":                 (None, None, 1,    None, None, None, None, None),
}
# name                    chengdu yaoji laok  jipin xueliu yichang sbr  majsoul
SCALES = {
    "combine":  ("max",    "max",    "max",    "max",    "max",    "max",    "sum",    "max"),
    "scale":    ("double", "double", "double", "double", "linear", "linear", "double", "double"),
    "fan0":     (0,        1,        1,        1,        0,        0,        0,        1),
    "base":     (1,        1,        6,        2,        1,        1,        1,        1000),
    "cap":      (None,     6,        None,     4,        None,     None,     3,        6),
    "self_draw_bonus": ("none", "none", "none", "none", "none", "none", "base", "base"),
    "bloom":    ("self_draw", "giver_pays_all", "giver_pays_all", "self_draw", "self_draw",
                 "self_draw", "self_draw", "self_draw"),
    "kong_in_out": (False, False,    False,    False,    True,     True,     False,    False),
    "dead_waits": ("exclude", "exclude", "exclude", "exclude", "exclude", "exclude",
                   "exposed_count", "exclude"),
    "di_hu_by": ("self_draw",) * 8,
    "blessing_alone": (False,) * 8,
    "min_fan":  (None,) * 8,
    "excludes": ({},) * 8,
    "suits":    (3,) * 8,
    "sets":     (4,) * 8,
    "joker":    (None,     "1s",     None,     None,     None,     None,     None,     None),
}
# fmt: on
CHENGDU_BLOOM = {"exposed_kong": 2, "added_kong": 2, "concealed_kong": 3}
KONGS = ("exposed_kong", "added_kong", "concealed_kong")

# The order of the tables of patterns: the first one wins what is still a tie.
PATTERNS = (
    "ping_hu", "dui_dui_hu", "qing_yi_se", "dai_yao_jiu", "qi_dui", "long_qi_dui", "qing_dui",
    "jiang_dui", "qing_qi_dui", "qing_long_qi_dui", "qing_yao_jiu", "jin_gou_diao",
    "qing_jin_gou_diao", "qing_shi_ba_luo_han", "shi_ba_luo_han", "tian_hu", "di_hu", "si_ji",
    "jiang_qi_dui", "jiang_jin_gou_diao", "shuang_long_qi_dui", "san_long_qi_dui", "lian_qi_dui",
    "jiu_lian",
)  # fmt: skip
# How many roots a dragon takes with it.
DRAGONS = {
    "long_qi_dui": 1,
    "qing_long_qi_dui": 1,
    "shuang_long_qi_dui": 2,
    "san_long_qi_dui": 3,
}
ZHONG = 27
LUO_HANS = {"shi_ba_luo_han", "qing_shi_ba_luo_han"}
NOT_OF_ONE_HAND = {
    "kong_points", "late_added_kong_free", "kong_transfer", "blood_flow", "round_ends", "refund",
    "pig", "call_check", "call_check_winners", "difference", "kong_transfer_several", "check_by",
    "check_kongs", "passive_pig", "next_dealer", "nobody_won", "false_win",
}  # fmt: skip


class Problem(Exception):
    """A request that gets no number, with the code of the contract."""


def table_of(ruleset, options):
    """Every value in force: the preset with the house rules laid over it."""
    if ruleset not in RULESETS:
        raise Problem("unknown_ruleset")
    column = RULESETS.index(ruleset)
    table = {name: row[column] for name, row in SCALES.items()}
    table["ruleset"] = ruleset
    table["blessing_adds"] = False
    table["players"] = 4
    table["kong_discard_robbed"] = ruleset == "sbr"
    fans = {term: row[column] for term, row in FANS.items()}
    bloom = dict.fromkeys(KONGS, fans["gang_shang_hua"])
    last = dict.fromkeys(("self_draw", "discard"), fans["hai_di"])
    if ruleset == "chengdu":
        bloom = dict(CHENGDU_BLOOM)
    for name, value in options.items():
        if name == "fans":
            for term, fan in value.items():
                if term not in fans:
                    raise Problem("bad_option")
                if term == "hai_di":
                    last.update(fan if isinstance(fan, dict) else dict.fromkeys(last, fan))
                elif term != "gang_shang_hua":
                    fans[term] = fan
                elif isinstance(fan, dict):
                    bloom.update(fan)
                else:
                    bloom = dict.fromkeys(KONGS, fan)
        elif name in table and name not in ("ruleset", "combine", "fan0"):
            table[name] = value
        elif name not in NOT_OF_ONE_HAND:
            raise Problem("unknown_option")
    # Null leaves the one fan of a self-draw where the table adds one.
    fans["zi_mo"] = 1 if fans["zi_mo"] is None else fans["zi_mo"]
    # A linear fan is the multiple itself; nothing is taken off.
    table["fans"] = fans
    table["last_fans"] = last
    if table["blessing_alone"] and table["blessing_adds"]:
        raise Problem("bad_option")
    table["bloom_fans"] = bloom
    return table


def value_of(table, fan):
    """Multiple of a number of fan, before anything that stands above the cap."""
    if table["scale"] == "linear":
        return fan
    return 2 ** (fan - table["fan0"])


def capped(table, fan):
    return fan if table["cap"] is None else min(fan, table["cap"])


# Tiles are 0-26: 1m … 9m, 1p … 9p, 1s … 9s.


def read_tiles(text):
    """Tiles in the order typed, and the tile named after `!`, of ranks-then-suit text."""
    named = None
    if "!" in text:
        text, last = text.split("!")
        (named,), _ = read_tiles(last)
    tiles, ranks = [], []
    for letter in text:
        if letter in "123456789":
            ranks.append(int(letter))
        elif letter == "z" and set(ranks) == {7}:
            tiles += [ZHONG] * len(ranks)
            ranks = []
        elif letter in "mps" and ranks:
            tiles += [9 * "mps".index(letter) + rank - 1 for rank in ranks]
            ranks = []
        else:
            raise Problem("bad_notation")
    if ranks:
        raise Problem("bad_notation")
    return tiles, named


def write_tile(tile):
    return "7z" if tile == ZHONG else f"{tile % 9 + 1}{'mps'[tile // 9]}"


def count(tiles):
    """How many of each kind; the last of them is 红中."""
    counts = [0] * 28
    for tile in tiles:
        counts[tile] += 1
    return counts


@lru_cache(maxsize=200_000)
def cut_suit(counts):
    """Every way to cut the nine counts of a suit into pungs and runs, as (kind, rank) tuples."""
    for rank in range(9):
        if counts[rank]:
            break
    else:
        return [()]
    ways = []
    if counts[rank] >= 3:
        rest = list(counts)
        rest[rank] -= 3
        ways += [(("pung", rank), *way) for way in cut_suit(tuple(rest))]
    if rank <= 6 and counts[rank + 1] and counts[rank + 2]:
        rest = list(counts)
        for step in range(3):
            rest[rank + step] -= 1
        ways += [(("run", rank), *way) for way in cut_suit(tuple(rest))]
    return ways


def readings(concealed, melds):
    """Every reading of a full hand: ("standard", concealed sets, pair) or ("seven_pairs", …)."""
    found = []
    if not melds and sum(concealed) and not any(number & 1 for number in concealed):
        found.append(("seven_pairs", (), None))
    # Sets are threes, so one suit, the pair's own, holds two tiles over.
    over = [sum(concealed[low : low + 9]) % 3 for low in (0, 9, 18)]
    if sorted(over) != [0, 0, 2]:
        return found
    low = 9 * over.index(2)
    for pair in range(low, low + 9):
        if concealed[pair] < 2:
            continue
        rest = list(concealed)
        rest[pair] -= 2
        suits = [cut_suit(tuple(rest[9 * suit : 9 * suit + 9])) for suit in range(3)]
        for ways in product(*suits):
            sets = [(kind, 9 * suit + rank) for suit in range(3) for kind, rank in ways[suit]]
            found.append(("standard", tuple(sets), pair))
    return found


def fitting(table, reading, concealed, melds, blessing):
    """The patterns that hold for one reading of a full hand."""
    shape, sets, pair = reading
    counts = list(concealed)
    for kind, tile in melds:
        counts[tile] += 3 if kind == "pung" else 4
    present = [tile for tile in range(27) if counts[tile]]
    flush = len({tile // 9 for tile in present}) == 1
    only_258 = all(tile % 9 + 1 in (2, 5, 8) for tile in present)
    seven = shape == "seven_pairs"
    dragon = seven and any(number == 4 for number in concealed)
    pungs = not seven and all(kind == "pung" for kind, _ in sets)
    outside = (
        not seven
        and pair % 9 in (0, 8)
        and all(tile % 9 in ((0, 8) if kind == "pung" else (0, 6)) for kind, tile in sets)
        and all(tile % 9 in (0, 8) for _, tile in melds)
    )
    quads = sum(number == 4 for number in concealed)
    ranks = [tile % 9 for tile in present]
    in_a_row = seven and flush and not quads and ranks[-1] - ranks[0] == len(ranks) - 1
    gates = [concealed[tile] - (3 if tile % 9 in (0, 8) else 1) for tile in own_suit(present)]
    hook = len(melds) == table["sets"]
    four_kongs = hook and all(kind in KONGS for kind, _ in melds)
    holds = {
        "ping_hu": True,
        "dui_dui_hu": pungs,
        "qing_yi_se": flush,
        "dai_yao_jiu": outside,
        "qi_dui": seven,
        "long_qi_dui": dragon,
        "qing_dui": pungs and flush,
        "jiang_dui": pungs and only_258,
        "qing_qi_dui": seven and flush,
        "qing_long_qi_dui": dragon and flush,
        "qing_yao_jiu": outside and flush,
        "jin_gou_diao": hook,
        "qing_jin_gou_diao": hook and flush,
        "qing_shi_ba_luo_han": four_kongs and flush,
        "shi_ba_luo_han": four_kongs,
        "tian_hu": blessing == "tian_hu",
        "di_hu": blessing == "di_hu",
        "si_ji": False,
        "jiang_qi_dui": seven and only_258,
        "jiang_jin_gou_diao": hook and only_258,
        "shuang_long_qi_dui": seven and quads >= 2,
        "san_long_qi_dui": seven and quads >= 3,
        "lian_qi_dui": in_a_row,
        "jiu_lian": flush and not melds and sorted(gates) == [0] * 8 + [1],
    }
    return {name for name in PATTERNS if holds[name] and table["fans"][name] is not None}


def own_suit(present):
    """The nine tiles of the suit of the first tile."""
    low = 9 * (present[0] // 9)
    return range(low, low + 9)


def roots(concealed, melds):
    """Tiles held four times and not declared as a kong; a fifth, dead copy makes no second."""
    counts = list(concealed)
    konged = set()
    for kind, tile in melds:
        counts[tile] += 3 if kind == "pung" else 4
        if kind in KONGS:
            konged.add(tile)
    return sum(1 for tile in range(27) if counts[tile] >= 4 and tile not in konged)


def bonus_terms(table, reading, concealed, melds, how):
    """(id, fan) of everything that is added to the patterns, 根 and 杠 before any absorption."""
    _, sets, _ = reading
    fans = table["fans"]
    found = []
    # The tile that won stands in one place.
    kind, place = how["place"]

    def add(term, number, each=None):
        each = fans[term] if each is None else each
        if number and each is not None:
            found.append((term, number * each))

    add("gen", roots(concealed, melds))
    for kong in KONGS:
        add(kong, sum(1 for kind, _ in melds if kind == kong))
    closed = all(kind == "concealed_kong" for kind, _ in melds)
    counts = list(concealed)
    for _, tile in melds:
        counts[tile] += 1
    add("men_qing", closed)
    add("men_qing_zi_mo", closed and how["by"] == "self_draw")
    add("zhong_zhang", not any(counts[tile] for tile in range(27) if tile % 9 in (0, 8)))
    add(
        "yi_tiao_long",
        any(all(("run", 9 * suit + low) in sets for low in (0, 3, 6)) for suit in range(3)),
    )
    runs = [low for kind_, low in sets if kind_ == "run"]
    add("ban_ban_gao", sum(runs.count(low) // 2 for low in set(runs)))
    add("dan_diao", kind == "pair")
    add("ka_zhang", kind == "middle")
    add("jia_xin_wu", kind == "middle" and place % 9 == 4)
    add("ka_er_tiao", kind == "middle" and place == 19)
    add("bian_zhang", kind == "edge")
    add("jue_zhang", how["last_copy"])
    as_discard = (
        table["bloom"] == "discard"
        and how["by"] == "self_draw"
        and how["after_kong"] == "exposed_kong"
    )
    if table["self_draw_bonus"] == "fan" and how["by"] == "self_draw" and not as_discard:
        add("zi_mo", 1)
    if how["after_kong"]:
        fan = table["bloom_fans"][how["after_kong"]]
        if fan is not None:
            found.append(("gang_shang_hua", fan))
    add("gang_shang_pao", how["kong_discard"])
    add("qiang_gang", how["by"] == "rob_kong")
    by_draw = "self_draw" if how["by"] == "self_draw" else "discard"
    add("hai_di", how["last_tile"], table["last_fans"][by_draw] or 0)
    if table["joker"]:
        add("wu_ji", how["no_joker"])
    add("ma", how["horses"])
    return found


def above_the_cap(table, how, fan, kongs=0):
    """Units of base that a self-draw adds to the capped fan of the winner.

    `kongs` is the fan of the payer's own kongs.
    """
    if how["by"] != "self_draw":
        return 0
    if table["bloom"] == "discard" and how["after_kong"] == "exposed_kong":
        return 0
    if table["self_draw_bonus"] == "double":
        return value_of(table, fan + kongs)
    if table["self_draw_bonus"] == "base_capped" and table["cap"] is not None:
        return int(value_of(table, fan) + 1 <= value_of(table, table["cap"]))
    return int(table["self_draw_bonus"] in ("base", "base_capped"))


def places_of(reading, winners):
    """Every place where a tile that won may stand, and standing nowhere in particular."""
    _, sets, pair = reading
    found = [("", None)]
    for tile in winners:
        if tile == pair:
            found.append(("pair", tile))
        for kind, low in sets:
            if kind == "run" and tile == low + 1:
                found.append(("middle", tile))
            if kind == "run" and (low % 9, tile - low) in ((0, 2), (6, 0)):
                found.append(("edge", tile))
    return sorted(set(found), key=str)


def verdicts(table, concealed, melds, how):
    """Every (key, terms, base patterns) of a full hand, jokers assigned; the key is the order."""
    for reading in readings(concealed, melds):
        fits = fitting(table, reading, concealed, melds, how["blessing"])
        blessings = fits & {"tian_hu", "di_hu"}
        for place in places_of(reading, how["winners"]):
            bonuses = bonus_terms(table, reading, concealed, melds, {**how, "place": place})
            if table["blessing_alone"] and blessings:
                choices, bonuses = [sorted(blessings)], []
            elif table["combine"] == "sum":
                choices = [sorted(fits, key=PATTERNS.index)]
            elif table["blessing_adds"]:
                choices = [[name] for name in fits - blessings]
            else:
                choices = [[name] for name in fits]
            for chosen in choices:
                yield verdict_of(table, chosen, blessings, bonuses, how)


def verdict_of(table, chosen, blessings, bonuses, how):
    """The key, the terms and the patterns where these patterns count."""
    fans = table["fans"]
    terms = [(name, fans[name]) for name in chosen]
    base = sum(fan for _, fan in terms)
    if table["combine"] == "max" and table["blessing_adds"]:
        terms += [(name, fans[name]) for name in blessings]
    taken = max((DRAGONS.get(name, 0) for name in chosen), default=0)
    for term, fan in bonuses:
        if set(table["excludes"].get(term, ())) & set(chosen):
            continue
        if term == "gen":
            fan = max(0, fan - taken * fans["gen"])
        if term in KONGS and LUO_HANS & set(chosen):
            continue
        terms.append((term, fan))
    uncapped = sum(fan for _, fan in terms)
    fan = capped(table, uncapped)
    multiple = value_of(table, fan) + above_the_cap(table, how, fan)
    order = -PATTERNS.index(chosen[0]) if table["combine"] == "max" else 0
    key = (multiple, base, uncapped, order)
    return key, tuple(sorted(term for term in terms if term[1])), tuple(chosen)


def best_verdict(table, naturals, jokers, melds, how, void, win_tile, waiting):
    """The best verdict of a full hand over every assignment of the jokers, or None."""
    meld_suits = {tile // 9 for _, tile in melds}
    natural_suits = {tile // 9 for tile in range(27) if naturals[tile]} | meld_suits
    if len(natural_suits) > 2 or void in natural_suits:
        return None
    suits = [suit for suit in range(3) if suit != void]
    pool = [9 * suit + rank for suit in suits for rank in range(9)]
    melded = [0] * 27
    for kind, tile in melds:
        melded[tile] += 3 if kind == "pung" else 4
    best, ties, patterns = None, set(), set()
    for assigned in combinations_with_replacement(pool, jokers):
        if assigned and len(natural_suits.union(tile // 9 for tile in assigned)) > 2:
            continue
        concealed = list(naturals)
        for tile in assigned:
            concealed[tile] += 1
        # A fifth copy is dead, so no joker can stand for the tile that is waited on.
        dead = win_tile if waiting and win_tile not in assigned else None
        if not copies_allowed(table, concealed, melded, dead):
            continue
        winners = set(assigned) if win_tile == joker_tile(table) else {win_tile}
        for key, terms, chosen in verdicts(table, concealed, melds, {**how, "winners": winners}):
            if best is None or key > best:
                best, ties, patterns = key, set(), set()
            if key == best:
                ties.add(terms)
                patterns.add(chosen)
    if best is None:
        return None
    return {"key": best, "ties": sorted(ties), "patterns": sorted(patterns)}


def copies_allowed(table, concealed, melded, dead):
    """At most four of a kind, except for a wait `dead` in the melds where such waits count."""
    for tile in range(27):
        total = concealed[tile] + melded[tile]
        if total <= 4:
            continue
        dead_wait = table["dead_waits"] == "exposed_count" and tile == dead
        if not (dead_wait and concealed[tile] <= 4 and total <= 5):
            return False
    return True


def joker_tile(table):
    return {None: None, "1s": 18, "zhong": ZHONG}[table["joker"]]


def money(table, multiple):
    return Decimal(str(table["base"])) * multiple


def answer_of(table, verdict):
    multiple, _, uncapped, _ = verdict["key"]
    return {
        "fan": capped(table, uncapped),
        "uncapped_fan": uncapped,
        "multiple": multiple,
        "points": money(table, multiple),
        "terms": [list(term) for term in verdict["ties"][0]],
        "ties": [[list(term) for term in terms] for terms in verdict["ties"]],
        "patterns": [list(chosen) for chosen in verdict["patterns"]],
    }


def payments_of(table, how, request, uncapped, *, flat=False, by_all=False):
    """What each payer pays: (who, amounts). The one who gave the kong may pay for all.

    `by_all`: every other player pays whatever happened; `flat`: nothing stands above the cap.
    """
    kongs = request.get("payer_kongs")
    bloomed = how["after_kong"] == "exposed_kong" and how["by"] == "self_draw"
    others = table["players"] - 1
    if by_all:
        who, payers = "each_other", others
    elif how["by"] == "discard":
        who, payers = "discarder", 1
    elif how["by"] == "rob_kong":
        who, payers = "robbed", 1
    elif bloomed and table["bloom"] in ("discard", "giver_self_draw"):
        who, payers = "giver", 1
    elif bloomed and table["bloom"] == "giver_pays_all":
        who, payers = "giver", others
    else:
        who, payers = "each_other", others
    if not kongs or not table["kong_in_out"]:
        kongs = []
    # Where all pay although a single payer was told of, the others have no kong.
    kongs = [*kongs, *[[]] * payers][:payers]
    amounts = []
    for held in kongs:
        extra = sum(table["fans"][kind] or 0 for kind in held)
        fan = capped(table, uncapped)
        multiple = value_of(table, fan + extra)
        multiple += 0 if flat else above_the_cap(table, how, fan, extra)
        amounts.append(money(table, multiple))
    return {"who": who, "amounts": amounts}


NO_SITUATION = {
    "after_kong": None,
    "kong_discard": False,
    "last_tile": False,
    "last_copy": False,
    "blessing": None,
    "horses": 0,
}


def read_hand(table, request):
    """Concealed tiles, melds with what each holds of jokers, the named winning tile."""
    tiles, named = read_tiles(request["hand"])
    if request.get("win_tile"):
        (named,), _ = read_tiles(request["win_tile"])
        added_apart = False
    else:
        added_apart = named is not None
    melds, meld_jokers = [], []
    for meld in request.get("melds") or []:
        (tile,), _ = read_tiles(meld["tile"])
        melds.append((meld["kind"], tile))
        meld_jokers.append(meld.get("jokers", 0))
    if len(melds) > table["sets"]:
        raise Problem("too_many_melds")
    full = full_count(table, melds)
    if added_apart or (named is not None and len(tiles) == full - 1):
        tiles.append(named)
    elif named is not None and named not in tiles:
        raise Problem("win_tile_absent")
    physical = count(tiles)
    for (kind, tile), jokers in zip(melds, meld_jokers, strict=True):
        physical[tile] += (3 if kind == "pung" else 4) - jokers
        if jokers:
            physical[joker_tile(table)] += jokers
    if any(number > 4 for number in physical):
        raise Problem("five_of_a_kind")
    if len(tiles) > full:
        raise Problem("too_many_tiles")
    if table["suits"] == 2 and request.get("void"):
        raise Problem("bad_field")
    if len(suits_shown(table, request, tiles, melds)) > table["suits"]:
        raise Problem("too_many_suits")
    win_tile = named if named is not None else (tiles[-1] if tiles else None)
    return tiles, melds, sum(meld_jokers), win_tile, named is not None, physical


def full_count(table, melds):
    """How many concealed tiles a hand has that has won."""
    return 3 * (table["sets"] - len(melds)) + 2


def suits_shown(table, request, tiles, melds):
    """The suits of a hand and of what lies open; a joker has none."""
    seen = read_tiles(request["seen"])[0] if request.get("seen") else []
    shown = [tile for tile in (*tiles, *seen) if tile != joker_tile(table)]
    return {tile // 9 for tile in (*shown, *(tile for _, tile in melds))} - {3}


def check_possible(table, request, melds, physical, win_tile, named):
    """Raise when the win cannot have happened as told."""
    by = request.get("by", "discard")
    kong = request.get("after_kong")
    blessing = request.get("blessing")
    seat, dealer = request.get("seat"), request.get("dealer")
    impossible = Problem("impossible_win")
    if kong and (by != "self_draw" or kong not in [kind for kind, _ in melds]):
        raise impossible
    twice = by == "rob_kong" and table["kong_discard_robbed"]
    if request.get("kong_discard") and by != "discard" and not twice:
        raise impossible
    if by == "rob_kong" and request.get("last_tile"):
        raise impossible
    if by == "rob_kong" and named and not table["joker"] and physical[win_tile] > 1:
        raise impossible
    if blessing:
        ways = ["self_draw"]
        if blessing == "di_hu":
            ways = {"self_draw": ways, "first_discard": ["discard"]}.get(
                table["di_hu_by"], ["self_draw", "discard"]
            )
        if melds or by not in ways or kong or request.get("kong_discard"):
            raise impossible
        if seat is not None and dealer is not None and (seat == dealer) != (blessing == "tian_hu"):
            raise impossible
        refused = table["ruleset"] == "xueliu" and blessing == "tian_hu"
        if refused and table["fans"]["tian_hu"] is None:
            raise impossible
    if named and win_tile == joker_tile(table) and by != "self_draw":
        raise impossible


def score(request):
    """The contract's answer to one request, as far as the worth of the hand goes."""
    try:
        return score_readable(request)
    except Problem as problem:
        return {"status": "error", "code": problem.args[0]}


def score_readable(request):
    table = table_of(request["ruleset"], request.get("options") or {})
    tiles, melds, meld_jokers, win_tile, named, physical = read_hand(table, request)
    void = "mps".index(request["void"]) if request.get("void") else None
    shown = suits_shown(table, request, tiles, melds)
    if table["suits"] == 2 and len(shown) == 2:
        void = ({0, 1, 2} - shown).pop()
    full = full_count(table, melds)
    joker = joker_tile(table)
    naturals = count(tiles)
    jokers = 0
    if joker is not None:
        jokers = naturals[joker]
        naturals[joker] = 0
    all_jokers = jokers + meld_jokers
    hits = 0
    for horse in request.get("horses") or []:
        (tile,), _ = read_tiles(horse)
        hits += (request["dealer"] + tile % 9) % table["players"] == request["seat"]
    how = {
        "by": request.get("by", "discard"),
        "after_kong": request.get("after_kong"),
        "kong_discard": request.get("kong_discard", False),
        "last_tile": request.get("last_tile", False),
        "last_copy": request.get("last_copy", False),
        "blessing": request.get("blessing"),
        "horses": hits,
        "no_joker": all_jokers == 0,
    }
    if all_jokers == 4 and table["joker"] == "1s":
        check_possible(table, request, melds, physical, win_tile, named)
        return four_jokers(table, request, naturals, jokers, melds, how, void, tiles, win_tile)
    if len(tiles) == full:
        verdict = best_verdict(table, naturals, jokers, melds, how, void, win_tile, False)
        least = table["min_fan"]
        below = bool(verdict) and least is not None and verdict["key"][2] < least
        if verdict and not below:
            # A hand that has not won has no win that could be impossible.
            check_possible(table, request, melds, physical, win_tile, named)
            answer = {"status": "win", **answer_of(table, verdict)}
            answer["payments"] = payments_of(table, how, request, verdict["key"][2])
            return answer
        answer = not_won(table, request, tiles, melds, meld_jokers, void)
        return {**answer, "below_minimum": True} if below else answer
    if len(tiles) == full - 1:
        return ready(table, request, tiles, melds, meld_jokers, void)
    return {"status": "incomplete", "missing": full - 1 - len(tiles)}


def four_jokers(table, request, naturals, jokers, melds, how, void, tiles, win_tile):
    """四幺鸡: won at once and worth the cap; without a cap the hand itself may be worth more."""
    set_by_the_table = table["fans"]["si_ji"]
    worth = set_by_the_table
    if worth is None:
        worth = 6 if table["cap"] is None else table["cap"]
    fan = capped(table, worth)
    answer = {
        "fan": fan,
        "uncapped_fan": worth,
        "multiple": value_of(table, fan),
        "points": money(table, value_of(table, fan)),
        "terms": [["si_ji", worth]] if worth else [],
        "ties": [[["si_ji", worth]] if worth else []],
        "patterns": [["si_ji"]],
        "payments": payments_of(table, how, request, worth, flat=True, by_all=True),
    }
    if set_by_the_table is None and table["cap"] is None and len(tiles) == full_count(table, melds):
        drawn = {**how, "by": "self_draw", "kong_discard": False}
        verdict = best_verdict(table, naturals, jokers, melds, drawn, void, win_tile, False)
        if verdict and verdict["key"][0] > answer["multiple"]:
            answer = answer_of(table, verdict)
            answer["payments"] = payments_of(table, drawn, request, verdict["key"][2], by_all=True)
    return {"status": "win", **answer}


def waits_of(table, request, tiles, melds, meld_jokers, void, discarded=()):
    """The waits of a hand one tile short, each with its value, and whether a joker wins.

    What it has just discarded lies open and counts as seen.
    """
    joker = joker_tile(table)
    naturals = count(tiles)
    jokers = 0
    if joker is not None:
        jokers = naturals[joker]
        naturals[joker] = 0
    by = request.get("by", "discard")
    by = by if by == "self_draw" else "discard"
    how = {**NO_SITUATION, "by": by, "no_joker": jokers + meld_jokers == 0}
    waits = {}
    left = left_of(request, [*tiles, *discarded], melds, table)
    for tile in range(27):
        if tile == joker or (table["dead_waits"] == "seen" and not left[write_tile(tile)]):
            continue
        naturals[tile] += 1
        verdict = best_verdict(table, naturals, jokers, melds, how, void, tile, True)
        naturals[tile] -= 1
        if verdict:
            waits[write_tile(tile)] = answer_of(table, verdict)
    return waits


def left_of(request, tiles, melds, table):
    """Copies of each tile that nobody has shown: four less the hand, the melds and `seen`."""
    counts = count(tiles)
    jokers = 0
    for meld, (kind, tile) in zip(request.get("melds") or [], melds, strict=True):
        size = 3 if kind == "pung" else 4
        counts[tile] += size - meld.get("jokers", 0)
        jokers += meld.get("jokers", 0)
    if jokers:
        counts[joker_tile(table)] += jokers
    if request.get("seen"):
        for tile in read_tiles(request["seen"])[0]:
            counts[tile] += 1
    return {write_tile(tile): max(0, 4 - counts[tile]) for tile in range(28)}


def ready(table, request, tiles, melds, meld_jokers, void):
    waits = waits_of(table, request, tiles, melds, meld_jokers, void)
    if waits:
        left = left_of(request, tiles, melds, table)
        for tile, wait in waits.items():
            wait["left"] = left[tile]
        answer = {"status": "ready", "waits": waits}
        if table["joker"]:
            answer["joker_wins"] = True
        return answer
    distance = shanten(table, request, tiles, melds, meld_jokers, void)
    left = left_of(request, tiles, melds, table)
    useful = {}
    for tile in range(27):
        if distance is None or tile == joker_tile(table):
            continue
        if shanten(table, request, [*tiles, tile], melds, meld_jokers, void) < distance:
            useful[write_tile(tile)] = left[write_tile(tile)]
    return {
        "status": "not_ready",
        "shanten": distance,
        "useful": useful,
        # Any joker is of use; whether it is listed among the useful tiles is left open.
        "jokers": [write_tile(joker_tile(table))] if table["joker"] else [],
        "flower_pig": is_pig(table, tiles, melds, void),
    }


def not_won(table, request, tiles, melds, meld_jokers, void):
    discards = {}
    for tile in sorted(set(tiles) - {joker_tile(table)}):
        rest = list(tiles)
        rest.remove(tile)
        waits = waits_of(table, request, rest, melds, meld_jokers, void, [tile])
        if waits:
            left = left_of(request, tiles, melds, table)
            for name, wait in waits.items():
                wait["left"] = left[name]
            discards[write_tile(tile)] = waits
    return {
        "status": "not_won",
        "discards": discards,
        "shanten": shanten(table, request, tiles, melds, meld_jokers, void),
        "flower_pig": is_pig(table, tiles, melds, void),
    }


def shanten(table, request, tiles, melds, meld_jokers, void):
    """Exchanges until the hand is ready: one less than what it lacks of the nearest win.

    None when the melds allow no win at all: three suits, or the void suit.
    """
    naturals = count(tiles)
    spare = table["dead_waits"] == "exposed_count"
    more = {"spare": spare, "sets": table["sets"], "gone": gone(table, request, melds)}
    if not table["joker"]:
        lacking = missing(naturals, melds, void, **more)
        return None if lacking >= FAR else max(0, lacking - 1)
    if table["joker"] == "zhong":
        lacking = missing(naturals, melds, void, **more)
        return None if lacking >= FAR else max(0, lacking - naturals[ZHONG] - 1)
    jokers, naturals[18] = naturals[18], 0
    birds = 3 - meld_jokers
    lacking = missing(naturals, melds, void, birds=birds, **more)
    if lacking >= FAR:
        return None
    # The tile waited on must be no joker, so some other tile than jokers must be lacking.
    birds = min(birds, lacking - 1)
    same = missing(naturals, melds, void, birds=birds, **more) == lacking
    return max(0, lacking - jokers - (1 if same else 0))


def gone(table, request, melds):
    """Where the tiles seen count: how many of each nobody can draw, the hand's own left out."""
    if table["dead_waits"] != "seen":
        return None
    counts = count(read_tiles(request["seen"])[0] if request.get("seen") else [])
    for meld, (kind, tile) in zip(request.get("melds") or [], melds, strict=True):
        counts[tile] += (3 if kind == "pung" else 4) - meld.get("jokers", 0)
    return counts


def is_pig(table, tiles, melds, void):
    joker = joker_tile(table)
    suits = {tile // 9 for tile in tiles if tile != joker} | {tile // 9 for _, tile in melds}
    return table["suits"] == 3 and (len(suits) == 3 or void in suits)
