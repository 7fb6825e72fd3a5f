"""The distance that `explain` gives to each pattern is the least there is, by brute force."""

import copy
import random

import pytest

from scoring import contract
from tests.independent import hands, scorer, shanten

# Patterns whose shape is a matter of tiles; the blessings and 四幺鸡 are not.
OF_TILES = set(scorer.PATTERNS) - {"tian_hu", "di_hu", "si_ji"}
HOUSE = {"zhong_zhang", "yi_tiao_long", "men_qing"}


def expected(request, pattern):
    """Tiles to exchange beyond those still to be drawn, or None where no exchange leads there."""
    table = scorer.table_of(request["ruleset"], request.get("options", {}))
    tiles, melds, meld_jokers, *_ = scorer.read_hand(table, request)
    held = scorer.count(tiles)
    jokers, birds = 0, None
    if table["joker"]:
        jokers, held[18], birds = held[18], 0, 3 - meld_jokers
    void = "mps".index(request["void"]) if "void" in request else unused_suit(table, request)
    sets = table["sets"]
    lacking = shanten.distance(held, melds, pattern, void, birds=birds, sets=sets)
    if lacking is None:
        return None
    return lacking - jokers - (3 * sets + 2 - 3 * len(melds) - len(tiles))


def unused_suit(table, request):
    """The suit that a table of two suits does without, once the other two are shown."""
    shown = [
        *scorer.read_tiles(request["hand"])[0],
        *(scorer.read_tiles(meld["tile"])[0][0] for meld in request.get("melds", [])),
        *scorer.read_tiles(request.get("seen", ""))[0],
        *scorer.read_tiles(request.get("win_tile", ""))[0],
    ]
    named = scorer.read_tiles(request["hand"])[1]
    shown += [] if named is None else [named]
    suits = {tile // 9 for tile in shown if not (table["joker"] and tile == 18)}
    return next(iter({0, 1, 2} - suits)) if table["suits"] == 2 == len(suits) else None


@pytest.mark.parametrize("ruleset", scorer.RULESETS)
def test_distances_are_the_least(ruleset):
    rnd = random.Random(f"explain {ruleset}")
    compared = 0
    while compared < 250:
        request = hands.request(rnd, ruleset)
        got = contract.explain(copy.deepcopy(request))
        if got["status"] == "error" or four_jokers(request) or of_other_jokers(request):
            continue
        table = scorer.table_of(ruleset, request.get("options", {}))
        told = {row["id"]: row for row in got["patterns"]}
        for pattern in OF_TILES | HOUSE:
            if table["fans"][pattern] is None:
                continue
            least = expected(request, pattern)
            if pattern in told:
                assert (request, pattern, told[pattern]["distance"]) == (request, pattern, least)
                compared += 1
            else:
                # What the hand has already is not listed; a winning hand lacks nothing of it.
                assert (request, pattern, got["status"], least) == (request, pattern, "win", 0)
        order = [row["distance"] for row in got["patterns"] if row["distance"] is not None]
        assert order == sorted(order)


def of_other_jokers(request):
    """Whether the brute force knows no such table: other jokers, or wins that are none."""
    options = request.get("options", {})
    return options.keys() & {"joker", "min_fan"}


def four_jokers(request):
    inside = sum(meld.get("jokers", 0) for meld in request.get("melds", []))
    tiles, named = scorer.read_tiles(request["hand"])
    return inside + tiles.count(18) + (named == 18) >= 4


@pytest.mark.parametrize("ruleset", ["laok", "yaoji", "sbr"])
def test_the_exchange_named_leads_there(ruleset):
    """Taking what is named and giving what is named makes a hand that wins with the pattern."""
    rnd = random.Random(f"exchange {ruleset}")
    tried = 0
    while tried < 60:
        request = hands.request(rnd, ruleset, house_rules=False)
        got = contract.explain(copy.deepcopy(request))
        if got["status"] == "error" or four_jokers(request):
            continue
        tiles, named = scorer.read_tiles(request["hand"])
        tiles += [named] if named is not None else []
        for row in got["patterns"]:
            if row["id"] not in OF_TILES | HOUSE or row["distance"] is None:
                continue
            assert len(row["give"]) == row["distance"]
            made = list(tiles)
            if "win_tile" in request and len(made) < 14 - 3 * len(request.get("melds", [])):
                made += scorer.read_tiles(request["win_tile"])[0]
            for tile in row["give"]:
                made.remove(scorer.read_tiles(tile)[0][0])
            made += [scorer.read_tiles(tile)[0][0] for tile in row["take"]]
            changed = {key: request[key] for key in ("ruleset", "melds", "void") if key in request}
            changed |= {
                "hand": "".join(map(scorer.write_tile, made)),
                "by": "self_draw",
                "options": {"cap": None, "fans": {row["id"]: 50}},
            }
            answer = scorer.score(changed)
            assert (changed, answer["status"]) == (changed, "win")
            assert [row["id"], 50] in answer["ties"][0]
            tried += 1
