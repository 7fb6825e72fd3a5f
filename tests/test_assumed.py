"""Values that no source states are marked wherever a hand shows them: answers, tables, pages."""

import pytest

from scoring.contract import compare, score

#: Waits for 清对 (9m) and for 清一色 (8m).
WAITS_FOR_TWO = "2224445557779m"


def test_every_wait_says_what_no_source_states_of_its_value():
    answer = score({"ruleset": "xueliu", "hand": WAITS_FOR_TWO})
    assert {wait["tile"]: wait["assumed"] for wait in answer["waits"]} == {
        "9m": ["qing_dui", "scale"],
        "8m": ["qing_yi_se", "scale"],
    }
    assert answer["assumed"] == ["qing_dui", "scale", "qing_yi_se"]
    stated = score({"ruleset": "chengdu", "hand": WAITS_FOR_TWO})
    assert stated["assumed"] == [] == stated["waits"][0]["assumed"]
    own = {"scale": "double", "fans": {"qing_dui": 9}}
    answer = score({"ruleset": "xueliu", "hand": WAITS_FOR_TWO, "options": own})
    assert answer["assumed"] == ["qing_yi_se"]


def test_so_does_every_wait_behind_a_discard():
    answer = score({"ruleset": "yichang", "hand": "2224445557779m1p"})
    (best, *_) = answer["discards"]
    assert best["tile"] == "1p"
    assert [wait["assumed"] for wait in best["waits"]] == [["qing_dui"], []]
    assert answer["assumed"] == ["qing_dui"]


@pytest.mark.parametrize("hand", [WAITS_FOR_TWO, WAITS_FOR_TWO + "9m"])
def test_every_row_of_a_comparison_says_it_too(hand):
    rows = compare({"ruleset": "chengdu", "options": {"cap": 4}, "hand": hand})
    assert {row["ruleset"]: row["assumed"] for row in rows if row["assumed"]} == {
        "xueliu": ["qing_dui", "scale"],
        "yichang": ["qing_dui"],
    }


def test_a_hand_without_a_value_uses_none():
    answer = score({"ruleset": "xueliu", "hand": "147m258p369s1234m"})
    assert (answer["status"], answer["assumed"]) == ("not_ready", [])
    rows = compare({"ruleset": "xueliu", "hand": "147m258p369s1234m"})
    assert all(row["assumed"] == [] for row in rows)


@pytest.mark.parametrize(
    ("kongs", "options", "assumed"),
    [
        ([["added_kong"]], {}, ["added_kong"]),
        ([["added_kong", "concealed_kong", "added_kong"]], {}, ["added_kong", "concealed_kong"]),
        ([["added_kong"]], {"fans": {"added_kong": 2}}, []),
        ([["added_kong"]], {"kong_in_out": False}, []),
        ([[]], {}, []),
    ],
)
def test_what_the_kongs_of_a_payer_add_may_be_assumed(kongs, options, assumed):
    asked = {"hand": "123456789m22p345p", "payer_kongs": kongs, "options": options}
    assert score({"ruleset": "yichang", **asked})["assumed"] == assumed
    # The same values are stated there.
    assert "added_kong" not in score({"ruleset": "xueliu", **asked})["assumed"]
