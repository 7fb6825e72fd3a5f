"""The engine and the independent settlement agree on random rounds of every system and option.

`SETTLE_ROUNDS` in the environment sets how many rounds; each is settled as it is and once more with
one thing changed, which often makes it illegal.
"""

import os
import random

import pytest

from scoring.contract import settle
from tests.independent import rounds
from tests.independent.scorer import score
from tests.independent.settlement import SYSTEMS, fewest_payments
from tests.independent.settlement import settle as settle_plainly
from tests.round_files import faults, numbers

ROUNDS = int(os.environ.get("SETTLE_ROUNDS", "3200"))
SEEDS = range(ROUNDS // len(SYSTEMS))


def seen(seat):
    """A seat of an answer in the independent settlement's words."""
    if seat["state"] == "won":
        return "won"
    return seat["state"], seat["best"] and seat["best"]["multiple"]


def first_event(found):
    """The first event that has a fault, None where the request as a whole has one."""
    return min((at for _, at in found if at is not None), default=None)


def disagreement(request):
    """What the two say differently of one round, or None."""
    mine, theirs = settle_plainly(request, score), settle(request)
    if mine["status"] != theirs["status"]:
        return mine, theirs
    if mine["status"] == "error":
        # Either may find more in the bad event than the other, and what is written wrong in later
        # ones; the first is the same.
        found, expected = faults(theirs), faults(mine)
        same_event = first_event(found) == first_event(expected)
        return None if same_event and found & expected else (mine, theirs)
    same = numbers(mine) == numbers(theirs) and mine["open"] == theirs["open"]
    same = same and mine["seats"] == [seen(seat) for seat in theirs["seats"]]
    payments = fewest_payments(mine["totals"], mine["penalties"])
    same = same and len(theirs["fewest_transfers"]) == payments
    return None if same else (mine, theirs)


@pytest.mark.parametrize("ruleset", sorted(SYSTEMS))
def test_random_rounds(ruleset):
    settled = 0
    for seed in SEEDS:
        rnd = random.Random(f"{ruleset} {seed}")
        request = rounds.request(rnd, ruleset)
        for asked in (request, rounds.spoilt(rnd, request)):
            assert disagreement(asked) is None, asked
        settled += settle(request)["status"] == "settled"
    # What the generator calls legal is legal: the test would be empty otherwise.
    assert settled == len(SEEDS)
