"""An answer is the same to the last key as when somebody last looked at it: `tests/frozen.py`."""

import pytest

from tests import frozen


@pytest.mark.parametrize("call", frozen.CALLS)
def test_every_answer_is_as_it_was_kept(call: str) -> None:
    kept = frozen.kept(call)
    number = 0
    for number, now in enumerate(frozen.answered(call), 1):
        assert now == kept[number - 1], "read what changed, then: python -m tests.frozen"
    assert number == len(kept) > 0


@pytest.mark.parametrize(
    "code",
    [
        *("bad_json", "bad_field", "bad_notation", "bad_option", "five_of_a_kind", "gen_absorbed"),
        *("impossible_win", "no_melds_in_seven_pairs", "not_a_win", "off_here", "term_off"),
        *("seat_already_won", "too_many_tiles", "unknown_field", "unknown_ruleset"),
    ],
)
def test_what_is_kept_shows_the_code(code: str) -> None:
    assert f'"code":"{code}"' in frozen.FILE.read_text(encoding="utf-8")
