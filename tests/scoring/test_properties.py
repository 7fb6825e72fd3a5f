"""What must hold of every hand: symmetries of the game, sums, and waits that are waits."""

import copy
import random
from collections import Counter

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scoring import contract
from scoring.hand import MELD_KINDS, Meld, make_hand
from scoring.notation import format_hand, parse
from tests.case_files import pairs
from tests.independent import hands
from tests.independent.scorer import RULESETS, read_tiles, write_tile

# Properties of one status throw away the requests of every other.
often = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
seldom = settings(often, max_examples=60)

SUITS = st.permutations("mps")
WITHOUT_JOKERS = [ruleset for ruleset in RULESETS if ruleset != "yaoji"]


@st.composite
def requests(draw, rulesets=RULESETS):
    """A random request, made from one number so that a failure can be told in one line."""
    rnd = random.Random(draw(st.integers(0, 2**40)))
    return hands.request(rnd, draw(st.sampled_from(rulesets)))


def answer(request):
    return contract.score(copy.deepcopy(request))


def worth(got):
    """Everything of an answer that a symmetry of the game must leave as it is."""
    if got["status"] == "error":
        return sorted({error["code"] for error in got["errors"]})
    if got["status"] == "win":
        numbers = [got[key] for key in ("fan", "uncapped_fan", "multiple", "points")]
        return [numbers, pairs(got["terms"])]
    if got["status"] == "ready":
        return sorted(
            [wait["multiple"], wait["uncapped_fan"], wait["left"], pairs(wait["terms"])]
            for wait in got["waits"]
        )
    if got["status"] == "not_won":
        return [got["shanten"], len(got["discards"])]
    if got["status"] == "not_ready":
        return [got["shanten"], sorted(row["left"] for row in got["useful"])]
    return got["missing"]


def renamed(request, name):
    """The request with every tile that matters to the hand put through `name` (27 → 27)."""

    def text(tiles):
        return "".join(write_tile(name(tile)) for tile in read_tiles(tiles)[0])

    changed = copy.deepcopy(request)
    plain, *last = changed["hand"].split("!")
    changed["hand"] = "!".join(map(text, [plain, *last]))
    for meld in changed.get("melds", []):
        meld["tile"] = text(meld["tile"])
    for key in ("win_tile", "seen"):
        if key in changed:
            changed[key] = text(changed[key])
    return changed


def settled_by_the_suits(request):
    """Whether a term or a joker makes one suit special."""
    fans = request.get("options", {}).get("fans", {})
    return has_jokers(request) or fans.get("ka_er_tiao") is not None


tiles = st.integers(0, 26)
melds = st.builds(Meld, st.sampled_from(MELD_KINDS), tiles, st.integers(0, 2)).filter(
    lambda meld: not (meld.jokers and meld.tile == 18)
)


@often
@given(
    st.lists(tiles, max_size=14),
    st.lists(melds, max_size=4).map(tuple),
    st.none() | tiles,
)
def test_what_is_written_is_read_back(concealed, laid_down, win_tile):
    hand = make_hand(concealed, laid_down, win_tile=win_tile)
    assert parse(format_hand(hand)) == hand


@often
@given(st.text(alphabet="0123456789mpsMPS万筒条饼索一九[]()!-+ ,碰暗杠补直幺鸡东🀇🀡", max_size=30))
def test_text_is_read_whole_or_its_faults_are_named(text):
    got = contract.score({"ruleset": "chengdu", "hand": text})
    if got["status"] == "error":
        for error in got["errors"]:
            if error["code"] == "bad_notation":
                assert text[error["at"] :].startswith(error["text"])
    else:
        hand = parse(text)
        assert parse(format_hand(hand)) == hand


@often
@given(requests(WITHOUT_JOKERS), SUITS)
def test_a_permutation_of_the_suits_changes_no_score(request, suits):
    assume(not settled_by_the_suits(request))
    order = ["mps".index(suit) for suit in suits]
    changed = renamed(request, lambda tile: 9 * order[tile // 9] + tile % 9)
    if "void" in changed:
        changed["void"] = suits["mps".index(changed["void"])]
    assert worth(answer(changed)) == worth(answer(request))


@often
@given(requests(WITHOUT_JOKERS))
def test_the_mirror_of_ones_and_nines_changes_no_score(request):
    assume(not settled_by_the_suits(request))
    changed = renamed(request, lambda tile: 9 * (tile // 9) + 8 - tile % 9)
    assert worth(answer(changed)) == worth(answer(request))


@often
@given(requests(), st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_changes_no_score(request, rnd):
    """Once the winning tile is named, neither tiles nor melds need any order."""
    concealed, named = read_tiles(request["hand"])
    sets = request.get("options", {}).get("sets", 4)
    full = len(concealed) == 3 * sets + 2 - 3 * len(request.get("melds", []))
    if named is None and "win_tile" not in request and full and concealed:
        request = {**request, "win_tile": write_tile(concealed[-1])}
    changed = copy.deepcopy(request)
    rnd.shuffle(concealed)
    changed["hand"] = "".join(map(write_tile, concealed))
    if named is not None:
        changed["hand"] += "!" + write_tile(named)
    if "melds" in changed:
        rnd.shuffle(changed["melds"])
    assert worth(answer(changed)) == worth(answer(request))


@often
@given(requests())
def test_terms_add_up_in_every_reading_and_the_readings_are_best_first(request):
    got = answer(request)
    assume(got["status"] == "win")
    for reading in [got, *got["alternatives"]]:
        assert sum(term["fan"] for term in reading["terms"]) == reading["uncapped_fan"]
    multiples = [reading["multiple"] for reading in [got, *got["alternatives"]]]
    assert multiples == sorted(multiples, reverse=True)


@often
@given(requests())
def test_the_shape_holds_exactly_the_tiles_of_the_hand(request):
    """Set by set, jokers as what they stand for; inside melds they stay jokers."""
    got = answer(request)
    assume(got["status"] == "win")
    on_table, inside, laid_down = Counter(), Counter(), 0
    for meld in request.get("melds", []):
        tile, jokers = meld["tile"], meld.get("jokers", 0)
        on_table[tile] += (3 if meld["kind"] == "pung" else 4) - jokers
        on_table[joker_of(request)] += jokers
        inside[tile] += jokers
        laid_down += 1
    tiles, named = read_tiles(request["hand"])
    concealed = Counter(map(write_tile, tiles if named is None else [*tiles, named]))
    full = 3 * request.get("options", {}).get("sets", 4) + 2
    if named is None and "win_tile" in request and len(tiles) < full - 3 * laid_down:
        concealed[request["win_tile"]] += 1
    for reading in [got, *got["alternatives"]]:
        if reading["shape"]["kind"] == "four_jokers":
            continue
        stands_for = Counter(reading["jokers"]) - inside
        naturals = concealed.copy()
        if has_jokers(request):
            assert naturals.pop(joker_of(request), 0) == stands_for.total()
        assert tiles_of(reading["shape"]) == on_table + naturals + stands_for


def tiles_of(shape):
    """All tiles of a shape, whatever brackets its melds stand in."""
    parts = [shape["pair"], *shape["sets"]] if shape["kind"] == "standard" else shape["pairs"]
    text = "".join(parts)
    for mark in "[]()-":
        text = text.replace(mark, "")
    return Counter(map(write_tile, read_tiles(text)[0]))


def joker_of(request):
    """The tile that is a joker at this table, if one is."""
    return "7z" if request.get("options", {}).get("joker") == "zhong" else "1s"


def has_jokers(request):
    preset = "1s" if request["ruleset"] == "yaoji" else None
    return request.get("options", {}).get("joker", preset) is not None


@often
@given(requests())
def test_discard_and_self_draw_differ_by_the_self_draw_rule_alone(request):
    for key in ("after_kong", "kong_discard", "blessing", "payer_kongs"):
        request.pop(key, None)
    claimed = answer({**request, "by": "discard"})
    drawn = answer({**request, "by": "self_draw"})
    assume(claimed["status"] == drawn["status"] == "win")
    # Four jokers are worth the hand's own value as a self-draw, whoever brought the last tile.
    assume(not (has_jokers(request) and len(claimed["jokers"]) == 4))
    assume(claimed["terms"][0]["id"] != "si_ji")
    of_self_draw = {"zi_mo", "men_qing_zi_mo"}
    extra = sum(term["fan"] for term in drawn["terms"] if term["id"] in of_self_draw)
    options = request.get("options", {})
    # Twice as much, or one unit below the cap, is not one unit more.
    assume(options.get("self_draw_bonus") not in ("double", "base_capped"))
    cap = contract_cap(request["ruleset"], options)
    if cap is None:
        rest = [term for term in pairs(drawn["terms"]) if term[0] not in of_self_draw]
        assert rest == pairs(claimed["terms"])
        assert drawn["fan"] == claimed["fan"] + extra
    else:
        assert min(cap, claimed["fan"]) <= drawn["fan"] <= min(cap, claimed["fan"] + extra)
    if drawn["fan"] == claimed["fan"]:
        assert drawn["multiple"] - claimed["multiple"] in (0, 1)


def contract_cap(ruleset, options):
    return options.get("cap", hands.preset(ruleset, "cap"))


@seldom
@given(requests())
def test_each_wait_wins_as_told_and_no_other_tile_does(request):
    concealed, named = read_tiles(request["hand"])
    assume(named is None and "win_tile" not in request)
    assume(len(concealed) == 13 - 3 * len(request.get("melds", [])))
    preset = hands.preset(request["ruleset"], "dead_waits")
    dead = request.get("options", {}).get("dead_waits", preset)
    # A kong made with a joker leaves a natural tile in the wall that is nevertheless a fifth copy.
    assume(dead == "exclude" or not has_jokers(request))
    request = {**request, "by": "self_draw"}
    got = answer(request)
    assume(got["status"] in ("ready", "not_ready"))
    waits = {wait["tile"]: wait for wait in got.get("waits", [])}
    wins = {}
    joker = joker_of(request)
    for tile in dict.fromkeys((*map(write_tile, range(27)), joker)):
        full = answer({**request, "win_tile": tile})
        # Below the least 番 a hand is ready all the same.
        if full["status"] == "win" or full.get("below_minimum"):
            wins[tile] = full
        elif tile in waits:
            # A dead wait: the fifth copy is in the player's own melds, so it can never come.
            assert waits[tile]["left"] == 0
            assert [error["code"] for error in full["errors"]] == ["five_of_a_kind"]
    if got.get("joker_wins"):
        # Any joker completes the hand; whoever holds all four gets no fifth.
        held = list(map(write_tile, concealed)).count(joker)
        assert wins.pop(joker, None) is not None or held == 4
    elif "1s" in wins and wins["1s"].get("patterns") == ["si_ji"]:
        wins.pop("1s")
    if dead == "seen":
        # The copy that comes may be one of those seen; as a wait nobody counts it.
        own = Counter(map(write_tile, concealed))
        own.update(map(write_tile, read_tiles(request.get("seen", ""))[0]))
        for meld in request.get("melds", []):
            own[meld["tile"]] += 3 if meld["kind"] == "pung" else 4
        wins = {tile: full for tile, full in wins.items() if own[tile] < 4}
    assert set(wins) <= set(waits)
    for tile, full in wins.items():
        if full["status"] != "win":
            continue
        assert waits[tile]["fan"] == full["fan"]
        assert waits[tile]["multiple"] == full["multiple"]
        assert pairs(waits[tile]["terms"]) == pairs(full["terms"])


@seldom
@given(requests(WITHOUT_JOKERS))
def test_no_wait_is_on_a_tile_held_four_times(request):
    request = copy.deepcopy(request)
    request.setdefault("options", {})["dead_waits"] = "exclude"
    assume(not settled_by_the_suits(request))
    got = answer(request)
    assume(got["status"] == "ready")
    held = read_tiles(request["hand"])[0]
    for meld in request.get("melds", []):
        held += read_tiles(meld["tile"])[0] * (3 if meld["kind"] == "pung" else 4)
    for wait in got["waits"]:
        assert held.count(read_tiles(wait["tile"])[0][0]) < 4
