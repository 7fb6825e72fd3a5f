"""A ledger: what entries come to, what a page makes of entries, and who meets whom."""

from random import Random

import pytest

from calculator.tables.ledger import Draft, Ledger, beginning, difference, fold, further, meet
from scoring.addresses.round import read_round
from scoring.contract import settle


def numbered(*drafts: Draft) -> list[Draft]:
    """Entries as they are kept: each with its number, all of the first round."""
    return [
        Draft(d.kind, d.text, 0 if d.kind == "round" else d.round or 1, d.target, seq)
        for seq, d in enumerate(drafts, start=1)
    ]


def events(ledger: Ledger) -> str:
    return ledger.last.parameters.get("e", "")


BEGUN = Draft("round", "rules=laok&n=Ann,Bob,Cat,Dan")


@pytest.mark.parametrize(
    ("entries", "left"),
    [
        ([], ""),
        ([Draft("add", "k2c"), Draft("add", "ws,03")], "k2c.ws,03"),
        ([Draft("add", "k2c"), Draft("add", "ws,03", target=2)], "ws,03.k2c"),
        ([Draft("add", "k2c"), Draft("edit", "k1c", target=2)], "k1c"),
        ([Draft("add", "k2c"), Draft("delete", target=2)], ""),
        ([Draft("add", "k2c"), Draft("add", "k1c"), Draft("move", "2", target=3)], "k1c.k2c"),
        ([Draft("add", "k2c"), Draft("add", "k1c"), Draft("move", "", target=2)], "k1c.k2c"),
        ([Draft("add", "k2c"), Draft("undo", target=2)], ""),
        ([Draft("add", "k2c"), Draft("undo", target=2), Draft("undo", target=3)], "k2c"),
        ([Draft("add", "k2c"), Draft("edit", "k1c", target=2), Draft("undo", target=3)], "k2c"),
        ([Draft("add", "k2c"), Draft("delete", target=2), Draft("edit", "k1c", target=2)], ""),
        ([Draft("undo", target=7), Draft("add", "k2c")], "k2c"),
    ],
)
def test_entries_come_to_the_events_that_are_left(entries: list[Draft], left: str) -> None:
    assert events(fold(numbered(BEGUN, *entries))) == left


def test_names_rules_and_dealer_are_entries_too() -> None:
    said = Draft("names", "Bob,Ann,,"), Draft("rules", "rules=sbr&opt=cap:4"), Draft("dealer", "2")
    (one,) = fold(numbered(BEGUN, *said)).rounds
    assert one.page.query == "rules=sbr&opt=cap:4&d=2&n=Bob,Ann,,"


def test_a_change_of_rules_drops_the_house_rules_of_before() -> None:
    begun = Draft("round", "rules=laok&opt=cap:4")
    assert fold(numbered(begun, Draft("rules", "rules=sbr"))).last.page.query == "rules=sbr"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "k2c"),
        ("k2c", "k2c.ws,03"),
        ("k2c.ws,03", "k2c"),
        ("k2c.ws,03", "k1c.ws,03"),
        ("k2c.ws,03.k1c", "k1c.k2c.ws,03"),
        ("k2c.ws,03.k1c", "ws,03"),
        ("k2c", "k1ar.wr1,02.k2c"),
        ("k1ar.wr1,02.k2c", "k2c"),
    ],
)
def test_what_a_page_makes_of_a_round_comes_to_that_page(before: str, after: str) -> None:
    entries = [beginning(read_round({"rules": "laok"})[0])]
    first = read_round({"rules": "laok", "e": before})[0]
    made = numbered(*entries)
    for page in (first, read_round({"rules": "laok", "e": after})[0]):
        made = numbered(*made, *difference(fold(made).last, page))
    assert events(fold(made)) == after


def test_random_changes_of_a_round_come_to_what_the_page_says() -> None:
    chance = Random("ledger")
    pool = ["k2c", "k1a", "k0e3", "ws,03", "wd1,22", "k3c", "k1ar.wr1,02"]
    made = numbered(Draft("round", "rules=xueliu"))
    for _ in range(300):
        wanted = [chance.choice(pool) for _ in range(chance.randrange(6))]
        page = read_round({"rules": "xueliu", "e": ".".join(wanted)})[0]
        made = numbered(*made, *difference(fold(made).last, page))
        assert fold(made).last.page == page


def met(mine: Draft, *others: Draft) -> int:
    """How many of what others wrote meanwhile a new entry touches, after one kong of West."""
    made = numbered(BEGUN, Draft("add", "k2c"), *others)
    return len(meet([Draft(mine.kind, mine.text, 1, mine.target)], made[2:], fold(made)))


@pytest.mark.parametrize(
    ("mine", "other", "touch"),
    [
        # Two players' kongs are the same money in either order.
        (Draft("add", "k0c"), Draft("add", "k1c"), False),
        # The same event recorded on two phones is never booked twice.
        (Draft("add", "k0c"), Draft("add", "k0c"), True),
        (Draft("add", "wd1,03"), Draft("add", "wd1,03"), True),
        # Who has won pays no later kong: the order counts.
        (Draft("add", "ws,03"), Draft("add", "k1c"), True),
        (Draft("add", "n,0r1"), Draft("add", "k1c"), True),
        (Draft("edit", "k3c", target=2), Draft("delete", target=2), True),
        (Draft("edit", "k3c", target=2), Draft("add", "k1c"), False),
        (Draft("undo", target=2), Draft("undo", target=2), True),
        (Draft("names", "A,B,C,D"), Draft("add", "k1c"), False),
        (Draft("names", "A,B,C,D"), Draft("names", "A,B,C,E"), True),
        (Draft("names", "A,B,C,D", target=1), Draft("names", "A,B,C,E", round=9), True),
        (Draft("rules", "rules=sbr"), Draft("add", "k1c"), True),
        (Draft("fee", "2"), Draft("add", "k1c"), False),
    ],
)
def test_two_writers_meet_where_their_entries_touch(mine: Draft, other: Draft, touch: bool) -> None:
    assert bool(met(mine, other)) == touch


def test_what_does_not_touch_is_the_same_money_in_either_order() -> None:
    chance = Random("order")
    pool = ["k0c", "k1a", "k2e3", "k3e1", "wd1,02", "wd3,21", "ws,11"]
    apart = 0
    for _ in range(300):
        mine, other = Draft("add", chance.choice(pool)), Draft("add", chance.choice(pool))
        if met(mine, other):
            continue
        apart += 1
        orders = [f"k2c.{mine.text}.{other.text}", f"k2c.{other.text}.{mine.text}"]
        totals = [
            settle(read_round({"rules": "laok", "e": e})[0].request)["totals"] for e in orders
        ]
        assert totals[0] == totals[1]
    assert apart > 20


def test_a_ledger_goes_on_from_where_it_was_read_to() -> None:
    chance = Random("further")
    made: list[Draft] = [*numbered(BEGUN, BEGUN)]
    for seq in range(3, 200):
        kind = chance.choice(["add", "add", "edit", "delete", "undo", "names", "fee", "round"])
        text = {"names": "Ann,Eve,,", "fee": "2", "round": "rules=sbr"}.get(kind, "k2c")
        made.append(Draft(kind, text, chance.choice([1, 2]), chance.randrange(seq), seq))
    known, read = fold(()), 0
    while read < len(made):
        more = read + chance.randrange(1, 9)
        known, read = further(known, made[:read], made[read:more]), more
    assert known == fold(made)


def called(*entries: Draft) -> list[list[str]]:
    """The names of the rounds of an evening in which Bob has played twice, once as the first."""
    other = Draft("round", "rules=laok&n=Bob,,Cat,Dan")
    return [one.names for one in fold(numbered(BEGUN, other, *entries)).rounds]


def test_a_name_put_right_is_right_in_every_round() -> None:
    right = Draft("names", "Ann,Rob,Cat,Dan", round=1, target=1)
    assert called(right) == [["Ann", "Rob", "Cat", "Dan"], ["Rob", "", "Cat", "Dan"]]
    assert called(right, Draft("undo", target=3)) == called()


def test_another_person_in_a_seat_is_another_person_from_then_on_alone() -> None:
    assert called(Draft("names", "Ann,Eve,Cat,Dan", round=1))[1] == ["Bob", "", "Cat", "Dan"]


def test_who_had_no_name_gets_it_in_every_round_in_which_the_seat_has_none() -> None:
    right = Draft("names", "Bob,Eve,Cat,Dan", round=2, target=2)
    assert called(right) == [["Ann", "Bob", "Cat", "Dan"], ["Bob", "Eve", "Cat", "Dan"]]


def test_a_name_that_somebody_else_has_in_a_round_is_not_given_twice() -> None:
    right = Draft("names", "Ann,,Cat,Dan", round=2, target=2)  # Bob was Ann, but Ann was there
    assert called(right) == [["Ann", "Bob", "Cat", "Dan"], ["Ann", "", "Cat", "Dan"]]


def test_two_names_that_stood_the_wrong_way_round_change_places_everywhere() -> None:
    right = Draft("names", "Ann,Cat,Bob,Dan", round=1, target=1)
    assert called(right) == [["Ann", "Cat", "Bob", "Dan"], ["Cat", "", "Bob", "Dan"]]


def test_the_fee_stays_with_who_gets_it() -> None:
    right = Draft("names", "Ann,Rob,Cat,Dan", round=1, target=1)
    assert fold(numbered(BEGUN, Draft("fee", "8,evening,each,Bob"), right)).fee.endswith(",Rob")
