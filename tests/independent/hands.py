"""Random requests for one hand: every kind of hand, system, house rule and win condition.

`request(random)` makes one from a `random.Random`, so a seed says everything. Hands are built as
wins of many kinds first and then, at times, spoilt: a tile less, a tile changed, a tile of a third
suit, jokers put in. Most requests are legal; some ask for what cannot be, on purpose.
"""

from .scorer import FANS, KONGS, PATTERNS, RULESETS, SCALES, ZHONG, write_tile

MELD_KINDS = ("pung", *KONGS)
HOUSE = (
    *("jiang_qi_dui", "men_qing", "zhong_zhang", "yi_tiao_long", "jia_xin_wu", "ka_er_tiao"),
    *("jiang_jin_gou_diao", "shuang_long_qi_dui", "san_long_qi_dui", "lian_qi_dui", "jiu_lian"),
    *("ban_ban_gao", "dan_diao", "ka_zhang", "bian_zhang", "jue_zhang"),
)
SHAPES = ("mixed", "mixed", "runs", "pungs", "outside", "two_five_eight", "pairs", "dragon", "row")
JOKER = 18


def preset(ruleset, name):
    return SCALES[name][RULESETS.index(ruleset)]


def options(rnd, ruleset):
    """Some house rules of a table: any option that changes what one hand is worth."""
    chosen = {}
    linear = preset(ruleset, "scale") == "linear"
    lowest = 0 if linear else preset(ruleset, "fan0")
    if rnd.random() < 0.3:
        chosen["cap"] = rnd.choice([None, None, *range(1, 9), 12])
    if rnd.random() < 0.2:
        chosen["base"] = rnd.choice([0, 0.5, 1, 1.25, 2, 3, 5, 10, 1000])
    if rnd.random() < 0.25:
        chosen["self_draw_bonus"] = rnd.choice(["none", "base", "fan", "base_capped", "double"])
    if rnd.random() < 0.25:
        chosen["bloom"] = rnd.choice(["self_draw", "giver_pays_all", "discard", "giver_self_draw"])
    if rnd.random() < 0.2:
        chosen["kong_in_out"] = rnd.random() < 0.6
    if rnd.random() < 0.2:
        chosen["blessing_adds"] = rnd.random() < 0.7
    if rnd.random() < 0.15:
        chosen["dead_waits"] = rnd.choice(["exclude", "exposed_count", "seen", "seen"])
    if rnd.random() < 0.12:
        chosen["joker"] = rnd.choice([None, "1s", "zhong", "zhong"])
    if rnd.random() < 0.08:
        chosen["scale"] = rnd.choice(["linear", "double"])
    if rnd.random() < 0.1:
        chosen["sets"] = rnd.choice([2, 2, 3])
    if rnd.random() < 0.08:
        chosen["suits"] = 2
    if rnd.random() < 0.08:
        chosen["players"] = rnd.choice([2, 3])
    if rnd.random() < 0.1:
        chosen["di_hu_by"] = rnd.choice(["self_draw", "first_discard", "both"])
    if rnd.random() < 0.1 and not chosen.get("blessing_adds"):
        chosen["blessing_alone"] = True
    if rnd.random() < 0.1:
        chosen["min_fan"] = rnd.randint(1, 5)
    if rnd.random() < 0.1:
        chosen["kong_discard_robbed"] = rnd.random() < 0.8
    if rnd.random() < 0.15:
        bonuses = [term for term in sorted(FANS) if term not in PATTERNS]
        plain = [term for term in PATTERNS if term not in ("tian_hu", "di_hu", "si_ji")]
        chosen["excludes"] = {
            bonus: rnd.sample(plain, rnd.randint(1, 4)) for bonus in rnd.sample(bonuses, 2)
        }
    fans = {}
    for term in rnd.sample(sorted(FANS), rnd.choice([0, 0, 1, 2, 4, 8])):
        if term == "gang_shang_hua" and rnd.random() < 0.5:
            kinds = rnd.sample(KONGS, rnd.randint(1, 3))
            fans[term] = {kind: rnd.randint(0, 3) for kind in kinds}
        elif term == "hai_di" and rnd.random() < 0.5:
            fans[term] = {rnd.choice(["self_draw", "discard"]): rnd.choice([None, 1, 2])}
        elif rnd.random() < 0.2 and term not in ("ping_hu", "zi_mo"):
            fans[term] = None
        else:
            floor = lowest if term in PATTERNS else 0
            fans[term] = rnd.randint(floor, floor + 6)
    for term in rnd.sample(HOUSE, rnd.choice([0, 0, 0, 1, 3, 6])):
        fans[term] = rnd.randint(lowest if term in PATTERNS else 1, 5)
    if chosen.get("sets") == 3:
        fans.pop("qi_dui", None)  # no pairs win there
    if fans:
        chosen["fans"] = fans
    return chosen


def winning_tiles(rnd, sets=4):
    """Concealed tiles and melds (kind, tile) of a hand that wins, never more than four alike."""
    while True:
        shape = rnd.choice(SHAPES)
        suits = rnd.sample(range(3), rnd.choice([1, 2, 2]))
        concealed, melds = [], []
        full = 3 * sets + 2
        if shape in ("pairs", "dragon", "row") and full % 2:
            continue
        if shape == "row":
            if rnd.random() < 0.3 and sets == 4:
                low = 9 * suits[0]
                nines = [*[0] * 3, 1, 2, 3, 4, 5, 6, 7, *[8] * 3, rnd.randrange(9)]
                concealed = [low + rank for rank in nines]
            else:
                low = 9 * suits[0] + rnd.randrange(10 - full // 2)
                concealed = [low + step for step in range(full // 2) for _ in range(2)]
        elif shape in ("pairs", "dragon"):
            ranks = rnd.choice([range(9), range(9), (1, 4, 7)])
            pool = [9 * suit + rank for suit in suits for rank in ranks] * 2
            if shape == "dragon":
                four = rnd.sample(pool, min(len(pool), rnd.randint(1, 3)))
                concealed = [tile for tile in set(four) for _ in range(4)]
            while len(concealed) < full:
                concealed += [rnd.choice(pool)] * 2
            concealed = concealed[:full]
        else:
            exposed = rnd.choice([0, 0, 1, 2, 3, 4])
            for number in range(sets):
                suit = rnd.choice(suits)
                if shape == "two_five_eight":
                    rank = rnd.choice((1, 4, 7))
                elif shape == "outside":
                    rank = rnd.choice((0, 8))
                else:
                    rank = rnd.randrange(9)
                run = {"runs": 0.95, "mixed": 0.6, "outside": 0.5}.get(shape, 0)
                if number < exposed:
                    melds.append((rnd.choice(MELD_KINDS), 9 * suit + rank))
                elif rnd.random() < run:
                    low = rnd.choice((0, 6)) if shape == "outside" else rnd.randrange(7)
                    concealed += [9 * suit + low + step for step in range(3)]
                else:
                    concealed += [9 * suit + rank] * 3
            pool = {"two_five_eight": (1, 4, 7), "outside": (0, 8)}.get(shape, range(9))
            concealed += [9 * rnd.choice(suits) + rnd.choice(pool)] * 2
        if possible(concealed, melds):
            return concealed, melds


def copies(concealed, melds):
    counts = [0] * 28
    for tile in concealed:
        counts[tile] += 1
    for kind, tile in melds:
        counts[tile] += 3 if kind == "pung" else 4
    return counts


def possible(concealed, melds):
    return max(copies(concealed, melds)) <= 4


def change_tile(rnd, concealed, melds):
    """One concealed tile exchanged for any other that is still to be had."""
    counts = copies(concealed, melds)
    free = [tile for tile in range(27) if counts[tile] < 4]
    concealed[rnd.randrange(len(concealed))] = rnd.choice(free)


def put_in_jokers(rnd, concealed, melds, tile_of_joker=JOKER):
    """Jokers in place of some tiles, also inside melds; returns the jokers of each meld."""
    inside = [0] * len(melds)
    number = rnd.choice([0, 1, 1, 2, 2, 3, 3, 4])
    number = max(0, number - concealed.count(tile_of_joker))
    for _ in range(number):
        if melds and rnd.random() < 0.3:
            where = rnd.randrange(len(melds))
            size = 3 if melds[where][0] == "pung" else 4
            if inside[where] < size - 1:
                inside[where] += 1
                continue
        naturals = [at for at, tile in enumerate(concealed) if tile != tile_of_joker]
        if naturals:
            concealed[rnd.choice(naturals)] = tile_of_joker
    return inside


def request(rnd, ruleset=None, house_rules=True):
    """One random request for `score`."""
    ruleset = ruleset or rnd.choice(RULESETS)
    asked = {"ruleset": ruleset}
    chosen = options(rnd, ruleset) if house_rules and rnd.random() < 0.6 else {}
    if chosen:
        asked["options"] = chosen
    joker = chosen.get("joker", preset(ruleset, "joker"))
    while True:
        sets = chosen.get("sets", 4)
        concealed, melds = winning_tiles(rnd, sets)
        spoil = rnd.choice(["win"] * 6 + ["ready"] * 3 + ["near", "far", "ready_far", "few"])
        for _ in range({"near": 1, "far": 3, "ready_far": 2}.get(spoil, 0)):
            change_tile(rnd, concealed, melds)
        inside = [0] * len(melds)
        if joker:
            wild = ZHONG if joker == "zhong" else JOKER
            if any(tile == wild for _, tile in melds):
                continue
            inside = put_in_jokers(rnd, concealed, melds, wild)
            if concealed.count(wild) + sum(inside) > 4:
                continue
        if possible(concealed, melds):
            break
    rnd.shuffle(concealed)
    if spoil in ("ready", "ready_far"):
        concealed.pop()
    elif spoil == "few":
        for _ in range(rnd.randint(2, min(5, len(concealed)))):
            concealed.pop()
    full = len(concealed) == 3 * (sets - len(melds)) + 2
    if rnd.random() < 0.003:
        concealed.append(concealed[0] if concealed else 0)
    asked["hand"] = "".join(write_tile(tile) for tile in concealed)
    if melds:
        asked["melds"] = [
            {"kind": kind, "tile": write_tile(tile), **({"jokers": jokers} if jokers else {})}
            for (kind, tile), jokers in zip(melds, inside, strict=True)
        ]
    by = rnd.choice(["discard", "self_draw", "self_draw", "rob_kong"])
    if by != "discard" or rnd.random() < 0.5:
        asked["by"] = by
    if rnd.random() < 0.2 and (chosen.get("suits") != 2 or rnd.random() < 0.02):
        asked["void"] = rnd.choice("mps")
    if full and concealed:
        conditions(rnd, asked, concealed, melds, by)
        if asked.get("win_tile") in map(write_tile, concealed) and rnd.random() < 0.3:
            name_apart(rnd, asked, concealed)
    elif rnd.random() < 0.3:
        counts = copies(concealed, melds)
        wall = [tile for tile in range(27) for _ in range(4 - min(4, counts[tile]))]
        asked["seen"] = "".join(write_tile(tile) for tile in rnd.sample(wall, rnd.randint(1, 30)))
    return asked


def name_apart(rnd, asked, concealed):
    """The winning tile beside a hand that is one short: as a field or after `!`."""
    names = [write_tile(tile) for tile in concealed]
    names.remove(asked["win_tile"])
    asked["hand"] = "".join(names)
    if rnd.random() < 0.5:
        asked["hand"] += "!" + asked.pop("win_tile")


def conditions(rnd, asked, concealed, melds, by):
    """How a full hand won: mostly legal, now and then not."""
    if rnd.random() < 0.6:
        asked["win_tile"] = write_tile(rnd.choice(concealed))
    if rnd.random() < 0.005:
        asked["win_tile"] = write_tile(rnd.randrange(27))
    kinds = [kind for kind, _ in melds if kind in KONGS]
    special = rnd.random()
    if by == "self_draw" and kinds and special < 0.5:
        asked["after_kong"] = rnd.choice(kinds)
    elif by == "self_draw" and not melds and special < 0.4:
        asked["blessing"] = rnd.choice(["tian_hu", "di_hu"])
        if rnd.random() < 0.5:
            seats = asked.get("options", {}).get("players", 4)
            asked["dealer"] = rnd.randrange(seats)
            others = (asked["dealer"] + rnd.randint(1, seats - 1)) % seats
            asked["seat"] = asked["dealer"] if asked["blessing"] == "tian_hu" else others
    elif (by == "discard" and special < 0.25) or (by == "rob_kong" and special < 0.2):
        asked["kong_discard"] = True
    elif by == "discard" and not melds and special < 0.4:
        asked["blessing"] = "di_hu"
    if rnd.random() < 0.15:
        asked["last_copy"] = True
    if "blessing" not in asked and rnd.random() < 0.15:
        asked["last_tile"] = True
    if "seat" not in asked and rnd.random() < 0.15:
        seats = asked.get("options", {}).get("players", 4)
        asked["dealer"], asked["seat"] = rnd.randrange(seats), rnd.randrange(seats)
        if "blessing" not in asked:
            asked["horses"] = [write_tile(rnd.randrange(27)) for _ in range(2)]
    if rnd.random() < 0.2:
        bloom = asked.get("options", {}).get("bloom", preset(asked["ruleset"], "bloom"))
        alone = bloom in ("discard", "giver_self_draw")
        alone = alone and asked.get("after_kong") == "exposed_kong"
        others = asked.get("options", {}).get("players", 4) - 1
        payers = others if by == "self_draw" and not alone else 1
        asked["payer_kongs"] = [
            [rnd.choice(KONGS) for _ in range(rnd.choice([0, 1, 2]))] for _ in range(payers)
        ]
    if rnd.random() < 0.01 and "payer_kongs" not in asked:  # one thing wrong, not two
        wrong = rnd.choice(["after_kong", "kong_discard", "blessing"])
        asked[wrong] = {
            "after_kong": rnd.choice(KONGS),
            "kong_discard": True,
            "blessing": rnd.choice(["tian_hu", "di_hu"]),
        }[wrong]
