"""Memos hold no more than they may, whatever is asked of them."""

from scoring.hand import Win
from scoring.memo import kept
from scoring.notation import parse
from scoring.rules import load
from scoring.score import KEPT, MOST_VERDICTS, Scorer, scorer


def test_a_full_memo_is_emptied_and_begins_anew() -> None:
    made: list[int] = []

    @kept(most=100)
    def digits(number: int) -> str:
        made.append(number)
        return "7" * number

    for number in (10, 20, 10, 30, 40, 10):
        assert digits(number) == "7" * number
    # 10 + 20 + 30 and what each weighs besides are kept; with 40 it begins anew.
    assert made == [10, 20, 30, 40, 10]


def test_an_answer_larger_than_the_memo_is_given_all_the_same() -> None:
    long = kept(most=10)(lambda number: "7" * number)
    assert [len(long(50)), len(long(50)), len(long(3))] == [50, 50, 3]


def test_all_scorers_together_keep_a_bounded_number_of_verdicts() -> None:
    hand = parse("11334466778899m").concealed
    scorers = [
        Scorer(load("chengdu").override({"fans": {"gen": n % 90, "qi_dui": n // 90 + 1}}), Win())
        for n in range(40)
    ]
    KEPT.number = MOST_VERDICTS - 30
    for each in scorers:
        each.value(hand)
    assert KEPT.number <= MOST_VERDICTS
    # The earlier ones have been emptied, and know their hand again when asked.
    assert not scorers[0]._signatures
    assert scorers[0].value(hand) == scorers[0].value(hand)


def test_rules_that_somebody_makes_up_have_few_scorers() -> None:
    for base in range(1, 400):
        scorer(load("chengdu").override({"base": base}), Win())
    assert scorer.cache_info().currsize == scorer.cache_info().maxsize == 256
