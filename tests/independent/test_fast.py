"""The fast scorer says of single hands what the brute-force scorer says."""

from random import Random

import numpy as np
import pytest

from . import fast, hands, scorer

NUMBER = 400


def direct(ruleset, by, concealed, melds, jokers=0):
    table = scorer.table_of(ruleset, {})
    how = {**scorer.NO_SITUATION, "by": by, "no_joker": not jokers}
    naturals = list(concealed)
    last = max(tile for tile in range(27) if naturals[tile])
    verdict = scorer.best_verdict(table, naturals, jokers, melds, how, None, last, False)
    return fast.as_answer(table, verdict)


def sample(seed, joker_free=False):
    """Hands that win and, one in five, hands with a tile changed, as counts and melds."""
    rnd = Random(seed)
    counts, melds = [], []
    while len(counts) < NUMBER:
        concealed, own = hands.winning_tiles(rnd)
        if rnd.random() < 0.2:
            hands.change_tile(rnd, concealed, own)
        held = scorer.count(concealed)[:27]  # no 红中
        if hands.possible(concealed, own) and not (joker_free and held[fast.JOKER]):
            counts.append(held)
            melds.append(tuple(own))
    return np.array(counts, dtype=np.int8), melds


@pytest.mark.parametrize("by", ["discard", "self_draw"])
@pytest.mark.parametrize("ruleset", scorer.RULESETS)
def test_hands_agree(ruleset, by):
    counts, melds = sample(f"{ruleset} {by}")
    # Forget what other tests have found, so that hands of a kind meet here for the first time.
    fast.ANSWERS.clear()
    place, found = fast.answers(ruleset, by, fast.kinds(counts, melds, range(NUMBER)))
    lost = 0
    for at in range(NUMBER):
        expected = direct(ruleset, by, counts[at].tolist(), melds[at])
        assert found[place[at]] == expected, (counts[at].tolist(), melds[at])
        lost += expected is None
    assert 0 < lost < NUMBER // 2


@pytest.mark.parametrize(("jokers", "number"), [(1, 60), (2, 12), (3, 2)])
def test_hands_with_jokers_agree(jokers, number):
    counts, _ = sample(f"jokers {jokers}", joker_free=True)
    rnd = Random(jokers)
    naturals = []
    for row in counts[counts.sum(axis=1) == 14][:number]:
        for _ in range(jokers):
            row[rnd.choice(np.flatnonzero(row).tolist())] -= 1
        naturals.append(row)
    found = fast.with_jokers("yaoji", "discard", np.array(naturals), jokers)
    for row, got in zip(naturals, found, strict=True):
        expected = direct("yaoji", "discard", row.tolist(), (), jokers)
        assert (got and got.key) == (expected and expected.key), row.tolist()


def test_four_jokers_are_worth_the_cap():
    expected = scorer.score({"ruleset": "yaoji", "hand": "1111s456p789p1m2m3m5m"})
    got = fast.four_jokers("yaoji")
    assert (got.fan, got.uncapped_fan, got.multiple) == (
        *(expected[key] for key in ("fan", "uncapped_fan", "multiple")),
    )


def test_waits_agree():
    counts, _ = sample("waits")
    full = counts[counts.sum(axis=1) == 14][:40]
    rnd = Random(13)
    for row in full:
        row[rnd.choice(np.flatnonzero(row).tolist())] -= 1
    place, found = fast.waits("laok", "discard", full)
    for row, places in zip(full, place, strict=True):
        tiles = [tile for tile in range(27) for _ in range(row[tile])]
        text = "".join(map(scorer.write_tile, tiles))
        expected = scorer.score({"ruleset": "laok", "hand": text})
        got = {scorer.write_tile(t): found[p] for t, p in enumerate(places) if found[p]}
        assert set(got) == set(expected.get("waits", {}))
        for tile, wait in got.items():
            assert wait.multiple == expected["waits"][tile]["multiple"]


def test_a_suit_that_fits_nowhere_has_no_description():
    assert fast.describe((1, 0, 0, 0, 0, 0, 0, 0, 0)) is None
    assert fast.describe((0,) * 9) is not None
    pairs = fast.describe((2, 2, 0, 0, 0, 0, 0, 0, 0))
    assert pairs is not None
    assert pairs[:2] == ((), True)
