"""Writing into a ledger: nothing twice, nothing lost, nobody overwritten, whatever the order."""

from dataclasses import replace
from random import Random

import pytest
from django.db import IntegrityError, connection, transaction

from calculator.tables import book
from calculator.tables.ledger import Draft, fold
from calculator.tables.models import Asked, Entry, Link, Presence, Table
from calculator.tables.tokens import digest, watching

pytestmark = pytest.mark.django_db

ANN, BOB = (book.Writer(device, who, 1) for device, who in (("a", "Ann"), ("b", "Bob")))


@pytest.fixture
def table() -> Table:
    return book.opened([Draft("round", "rules=laok")], ANN, "open")[0]


def write(table: Table, drafts: list[Draft], writer: book.Writer, key: str) -> book.Written:
    """What a request does."""
    return book.write(book.read(table), drafts, writer, key)


def events(table: Table) -> str:
    return book.read(table).ledger.last.parameters.get("e", "")


def test_a_table_opens_with_the_rounds_that_the_device_has() -> None:
    drafts = [Draft("round", "rules=laok"), Draft("add", "ws,03")]
    drafts += [Draft("round", "rules=laok&d=1"), Draft("add", "k2c")]
    table, token = book.opened(drafts, ANN, "open")
    rounds = [one.page.query for one in book.read(table).ledger.rounds]
    assert rounds == ["rules=laok&e=ws,03", "rules=laok&d=1&e=k2c"]
    assert {link.records: link.digest for link in table.links.all()} == {
        True: digest(token),
        False: digest(watching(token)),
    }


def test_two_writers_who_do_not_meet_are_both_booked(table: Table) -> None:
    write(table, [Draft("add", "k0c")], ANN, "1")
    assert not write(table, [Draft("add", "k1c")], BOB, "2").met
    assert events(table) == "k0c.k1c"


def test_a_writer_who_meets_another_is_told_and_nothing_is_booked(table: Table) -> None:
    write(table, [Draft("add", "wd1,03")], ANN, "1")
    (met,) = write(table, [Draft("add", "wd1,03")], BOB, "2").met
    assert (met.who, met.text) == ("Ann", "wd1,03")
    assert events(table) == "wd1,03"


def test_a_writer_who_has_seen_the_other_entry_writes_on(table: Table) -> None:
    head = write(table, [Draft("add", "wd1,03")], ANN, "1").head
    write(table, [Draft("add", "wd1,22")], replace(BOB, saw=head), "2")
    assert events(table) == "wd1,03.wd1,22"


def test_the_same_key_twice_is_one_entry(table: Table) -> None:
    first = write(table, [Draft("add", "k0c"), Draft("add", "k1c")], ANN, "1")
    assert write(table, [Draft("add", "k0c"), Draft("add", "k1c")], ANN, "1") == first
    assert events(table) == "k0c.k1c"


@pytest.mark.parametrize(
    "broken",
    [
        {"place": "1:9", "seq": 9, "previous": 8},  # a gap
        {"seq": 2},  # the number of another
        {"previous": 1},  # two heads
        {"previous": None},  # two beginnings
        {"place": "x"},
        {"kind": "magic"},
        {"key": "open.0"},
    ],
)
def test_the_database_itself_refuses_a_gap_a_double_and_a_second_head(broken: dict) -> None:
    table = book.opened([Draft("round", "rules=laok"), Draft("add", "k2c")], ANN, "open")[0]
    sound = {"place": f"{table.pk}:3", "seq": 3, "previous": 2, "kind": "add", "key": "new"}
    made = {**sound, **broken}
    before = made.pop("previous")
    entry = Entry(
        table=table, previous_id=before and f"{table.pk}:{before}", device="x", text="k1c", **made
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save(force_insert=True)
        connection.check_constraints()


def test_a_full_ledger_and_a_hasty_writer_are_refused(table: Table, monkeypatch) -> None:
    monkeypatch.setattr(book, "MAX_A_MINUTE", 2)
    for number in range(2):
        write(table, [Draft("add", "k0c")], ANN, str(number))
    with pytest.raises(book.Refused, match="fast"):
        write(table, [Draft("add", "k0c")], ANN, "3")
    monkeypatch.setattr(book, "MAX_ENTRIES", 3)
    with pytest.raises(book.Refused, match="full"):
        write(table, [Draft("add", "k0c")], ANN, "4")
    with pytest.raises(book.Refused, match="long"):
        write(table, [Draft("add", "k" * 9000)], ANN, "5")
    assert events(table) == "k0c.k0c"


def test_a_new_link_shuts_out_who_had_the_old_one(table: Table) -> None:
    old = set(table.links.values_list("digest", flat=True))
    token = book.renewed(table)
    assert {digest(token), digest(watching(token))} == set(
        table.links.values_list("digest", flat=True)
    )
    assert not old & set(Link.objects.values_list("digest", flat=True))


def test_a_table_is_removed_with_all_that_is_kept_of_it(table: Table) -> None:
    for number in range(100):
        write(table, [Draft("add", "k0c")], ANN, str(number))
    book.removed(table)
    for model in (Table, Entry, Link, Presence, Asked):
        assert not model.objects.exists()


def test_four_writers_in_any_order_lose_and_double_nothing() -> None:
    """Against the fold in one process: what was booked is there once, in the order of booking."""
    chance = Random("four writers")
    for evening in range(12):
        table = book.opened([Draft("round", "rules=xueliu")], ANN, f"open{evening}")[0]
        saw = dict.fromkeys("abcd", 1)
        kept: list[Draft] = []
        for number in range(25):
            device = chance.choice("abcd")
            text = chance.choice(["k0c", "k1c", "k2a", "ws,13", "wd2,31", "k3e0"])
            writer = book.Writer(device, device, saw[device])
            for _ in range(chance.choice([1, 1, 2])):  # sent twice where the answer was lost
                done = write(table, [Draft("add", text)], writer, f"{number}")
            if done.met:
                saw[device] = done.head
                continue
            kept.append(Draft("add", text, 1, 0, done.head))
            saw[device] = done.head if chance.random() < 0.5 else saw[device]
        expected = fold([Draft("round", "rules=xueliu", seq=1), *kept])
        assert book.read(table).ledger.rounds == expected.rounds
