"""No text gets an exception past a boundary or an answer that violates a property.

`FUZZ_EXAMPLES` sets how many new texts each target gets; `python -m tests.fuzz` goes on for longer.
"""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import contract
from tests import fuzz
from tests.independent import scorer

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "150"))


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_what_is_kept_still_holds(target: str) -> None:
    kept = fuzz.corpus(target)
    assert kept
    for text in kept:
        fuzz.TARGETS[target](text)


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_good_texts_hold(target: str) -> None:
    for text in fuzz.seeds(target)[::7]:
        fuzz.TARGETS[target](text)


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_mangled_texts_hold(target: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
    @given(st.integers(0, 2**32))
    def hold(seed: int) -> None:
        fuzz.TARGETS[target](fuzz.made(target, random.Random(seed)))

    hold()


@pytest.mark.parametrize("target", ["notation", "options", "hand_address", "round_address"])
def test_any_text_at_all_holds(target: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
    @given(st.text(max_size=60))
    def hold(text: str) -> None:
        fuzz.TARGETS[target](text)

    hold()


def test_four_jokers_cannot_stand_for_a_tile_that_is_held_four_times() -> None:
    """Found here: eight of a kind flowed over and left seven pairs without a 9."""
    request = {
        "ruleset": "xueliu",
        "options": {"joker": "1s", "fans": {"zhong_zhang": 6}},
        "hand": "66m88m1111s33s9999s",
    }
    expected, got = scorer.score(request), contract.score(request)
    assert got["patterns"] == ["si_ji"]
    assert (got["fan"], got["multiple"]) == (expected["fan"], expected["multiple"]) == (6, 6)
