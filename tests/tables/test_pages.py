"""The pages of a shared table, without scripts: opened, joined, recorded, taken back, removed."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from calculator.tables import access, book, views
from calculator.tables.ledger import further
from calculator.tables.models import Entry, Link, Presence, Table
from calculator.tables.present import HERE, MOST_HERE
from calculator.tables.tokens import watching

pytestmark = pytest.mark.django_db

OURS = {"HTTP_SEC_FETCH_SITE": "same-origin"}


@pytest.fixture
def ann() -> Client:
    return Client(**OURS)


def opened(client: Client, rounds: str = "rules=laok&n=Ann,Bob,Cat,Dan") -> str:
    """The token of a new table."""
    answer = client.post("/settle/open/", {"rounds": rounds, "who": "Ann", "device": "a"})
    assert answer.status_code == 302
    return re.fullmatch(r"/t/([^/]+)/people/", answer["Location"])[1]


def seen(client: Client, token: str, query: str = "") -> str:
    answer = client.get(f"/t/{token}/{query}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def totals(html: str) -> dict[str, str]:
    return dict(re.findall(r'data-seat="(\d)" data-total="(-?[\d.]+)"', html))


def press(client: Client, token: str, *actions: str, **more: str) -> str:
    """Press buttons one after another as a page without scripts does; where the last leads."""
    where = f"/t/{token}/"
    for action in actions:
        html = unescape(client.get(where).content.decode())
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
        answer = client.post(f"/t/{token}/", {**hidden, **more, "do": action})
        assert answer.status_code == 302
        where = answer["Location"]
    return where


def test_a_win_is_recorded_by_one_phone_and_seen_by_another(ann: Client) -> None:
    token = opened(ann)
    press(ann, token, "new:discard", "who:0", "from:1", "fan:0:2", "save")
    html = seen(Client(), token)
    assert totals(html) == {"0": "12", "1": "-12", "2": "0", "3": "0"}
    assert totals(seen(Client(), watching(token))) == totals(html)


def test_who_only_watches_records_nothing(ann: Client) -> None:
    token = watching(opened(ann))
    where = press(ann, token, "new:self_draw", "who:0", "fan:0:2", "save")
    assert "refused=watching" in where
    assert "只能看" in seen(ann, token, "?" + where.partition("?")[2])
    assert Entry.objects.count() == 1


def test_the_next_round_is_dealt_by_who_won_and_both_are_kept(ann: Client) -> None:
    token = opened(ann)
    press(ann, token, "new:discard", "who:2", "from:1", "fan:2:2", "save", "next")
    html = seen(ann, token)
    assert totals(html) == {"0": "0", "1": "0", "2": "0", "3": "0"}
    first, second = re.findall(r'\?round=(\d+)"', html)
    assert totals(seen(ann, token, f"?round={first}"))["2"] == "12"
    assert book.read(Table.objects.get()).ledger.last.page.dealer == 2
    assert int(second) > int(first)


def test_who_was_slower_is_told_and_keeps_what_was_being_entered(ann: Client) -> None:
    token = opened(ann)
    press(ann, token, "new:discard", "who:0", "from:1", "fan:0:2")
    slow = press(ann, token, "new:discard", "who:0", "from:1", "fan:0:2")
    html = unescape(ann.get(slow).content.decode())
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    quick = {**hidden, "who": "Bob", "device": "b", "key": "quick", "do": "save"}
    ann.post(f"/t/{token}/", quick)
    answer = ann.post(f"/t/{token}/", {**hidden, "device": "a", "key": "slow", "do": "save"})
    html = unescape(ann.get(answer["Location"]).content.decode())
    assert 'data-problem="met"' in html
    assert "Bob 记了" in html
    assert 'name="a" value="wd1,02"' in html
    assert totals(html)["0"] == "12"


def test_an_entry_is_taken_back_and_that_again(ann: Client) -> None:
    token = opened(ann)
    press(ann, token, "new:discard", "who:0", "from:1", "fan:0:2", "save")
    for target, left in (("2", "0"), ("3", "12")):
        ann.post(f"/t/{token}/history/", {"undo": target, "saw": "9"})
        assert totals(seen(ann, token))["0"] == left
    html = unescape(ann.get(f"/t/{token}/history/").content.decode())
    assert re.findall(r'data-entry="(\d)"( class="void")?', html) == [
        ("4", ""), ("3", ' class="void"'), ("2", ""), ("1", "")
    ]  # fmt: skip


def test_a_code_leads_to_a_recording_link_of_its_own_for_twelve_hours(
    ann: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = opened(ann)
    html = ann.post(f"/t/{token}/people/", {"do": "code"}).content.decode()
    code = re.search(r'data-code="(\w{6})"', html)[1]
    answer = ann.post("/join/", {"code": f" {code.lower()} "})
    theirs = re.fullmatch(r"/t/([^/]+)/", answer["Location"])[1]
    assert theirs != token
    press(ann, theirs, "new:discard", "who:0", "from:1", "fan:0:2", "save")
    assert totals(seen(ann, token))["0"] == "12"
    late = access.timezone.now() + access.CODE_FOR
    monkeypatch.setattr(access.timezone, "now", lambda: late)
    assert ann.post("/join/", {"code": code}).status_code == 404


def test_codes_cannot_be_tried_without_end(ann: Client) -> None:
    opened(ann)
    tries = [ann.post("/join/", {"code": "AAAAAA"}).status_code for _ in range(40)]
    assert tries == [404] * 30 + [429] * 10


def test_tables_cannot_be_opened_without_end(ann: Client) -> None:
    asked = {"rounds": "", "device": "a"}
    answers = [ann.post("/settle/open/", asked).status_code for _ in range(25)]
    assert answers == [302] * 20 + [429] * 5


def test_new_links_shut_out_who_had_the_old_ones(ann: Client) -> None:
    token = opened(ann)
    answer = ann.post(f"/t/{token}/people/", {"do": "renew"})
    new = re.fullmatch(r"/t/([^/]+)/people/", answer["Location"])[1]
    assert ann.get(f"/t/{token}/").status_code == 404
    assert ann.get(f"/t/{watching(token)}/").status_code == 404
    assert totals(seen(ann, new))


def test_a_removed_table_is_gone_at_once(ann: Client) -> None:
    token = opened(ann)
    assert ann.post(f"/t/{token}/people/", {"do": "remove", "sure": "1"}).status_code == 302
    assert not Table.objects.exists() and not Link.objects.exists()
    assert ann.get(f"/t/{token}/").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_SEC_FETCH_SITE": "same-site"},
        {"HTTP_ORIGIN": "https://elsewhere.example"},
        {},
    ],
)
def test_what_another_site_sends_is_refused(ann: Client, headers: dict[str, str]) -> None:
    token = opened(ann)
    stranger = Client(**headers)
    for path in (f"/t/{token}/", f"/t/{token}/people/", f"/t/{token}/entries", "/settle/open/"):
        assert stranger.post(path, {"do": "renew"}).status_code == 403
    assert Entry.objects.count() == 1


def test_the_pages_of_a_table_are_kept_by_nobody_and_named_to_nobody(ann: Client) -> None:
    token = opened(ann)
    for path in ("", "people/", "history/", "qr.svg", "news?rev=0"):
        answer = ann.get(f"/t/{token}/{path}")
        assert answer["Cache-Control"] == "no-store"
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "noindex" in answer["X-Robots-Tag"]
        assert not answer.cookies


def test_the_token_is_in_no_log(ann: Client, capsys: pytest.CaptureFixture[str]) -> None:
    token = opened(ann)
    seen(ann, token)
    ann.get(f"/t/{token}x/")
    ann.get(f"/en/t/{token}/people/")
    assert token not in capsys.readouterr().err


def test_nothing_new_is_said_without_a_page(ann: Client) -> None:
    token = opened(ann)
    assert ann.get(f"/t/{token}/news?rev=1").status_code == 204
    press(ann, token, "new:discard", "who:0", "from:1", "fan:0:2", "save")
    answer = ann.get(f"/t/{token}/news?rev=1")
    assert totals(answer.content.decode())["0"] == "12"


def test_names_and_notes_are_escaped_everywhere(ann: Client) -> None:
    token = opened(ann, "rules=laok&n=<b>x,Bob,Cat,Dan")
    for path in ("", "people/", "history/"):
        assert b"<b>x" not in ann.get(f"/t/{token}/{path}").content


def send(client: Client, token: str, device: str, query: str, saw: int, key: str) -> tuple:
    given = {"device": device, "who": device, "query": query, "saw": saw, "key": key, "round": 1}
    answer = client.post(f"/t/{token}/entries", given)
    return answer.status_code, answer.json()


def test_a_device_sends_its_page_and_only_what_it_changed_is_booked(ann: Client) -> None:
    token = opened(ann, "rules=laok")
    assert send(ann, token, "a", "rules=laok&e=k0c", 1, "k1") == (200, {"head": 2})
    # Bob has not seen that kong: his page is without it, and nothing of it is lost.
    assert send(ann, token, "b", "rules=laok&e=k1c", 1, "k2") == (200, {"head": 3})
    # What Ann made on top of her own kong alone.
    assert send(ann, token, "a", "rules=laok&e=k0c.k2c", 1, "k3") == (200, {"head": 4})
    assert book.read(Table.objects.get()).ledger.last.page.query == "rules=laok&e=k0c.k1c.k2c"


def test_a_queue_sent_twice_is_booked_once(ann: Client) -> None:
    token = opened(ann, "rules=laok")
    queue = [("rules=laok&e=k0c", "q1"), ("rules=laok&e=k0c.k2c", "q2")]
    for query, key in [*queue, *queue]:
        assert send(ann, token, "a", query, 1, key)[0] == 200
    assert book.read(Table.objects.get()).ledger.last.page.query == "rules=laok&e=k0c.k2c"


def test_a_device_that_meets_another_is_told_whom(ann: Client) -> None:
    token = opened(ann, "rules=laok")
    send(ann, token, "b", "rules=laok&e=wd1,02", 1, "k1")
    status, told = send(ann, token, "a", "rules=laok&e=wd1,02", 1, "k2")
    assert status == 409
    assert "b 记了" in told["met"][0]


def sums(html: str) -> dict[str, str]:
    return dict(re.findall(r'data-evening-person="(\d+)" data-evening-total="(-?[\d.]+)"', html))


def evening(client: Client, token: str, **fee: str) -> dict[str, str]:
    """Everybody's sum of the evening, after a change of the fee if there is one."""
    if fee:
        assert client.post(f"/t/{token}/evening/", {"saw": "99", **fee}).status_code == 302
    return sums(client.get(f"/t/{token}/evening/").content.decode())


def test_the_evening_of_a_table_adds_up_by_person(ann: Client) -> None:
    rounds = "rules=laok&n=Ann,Bob,Cat,Dan&e=wd1,02\nrules=laok&n=Bob,Ann,Cat,Eve&e=wd1,02"
    token = opened(ann, rounds)
    assert evening(ann, token) == {"0": "0", "1": "0", "2": "0", "3": "0", "4": "0"}


def test_the_evening_of_a_table_can_be_copied_and_drawn(ann: Client) -> None:
    token = opened(ann, "rules=laok&n=Ann,Bob,Cat,Dan&e=wd1,02")
    html = ann.get(f"/t/{token}/evening/").content.decode()
    assert "第 1 局：Ann +12，Bob −12" in html
    found = re.search(r'data-picture="([^"]+)"', html)
    assert found
    picture = ann.get(unescape(found[1])).content.decode()
    assert ">Ann</text>" in picture and ">+12</text>" in picture
    assert 'src="/static/round/share' in html


@pytest.mark.parametrize(
    ("fee", "left"),
    [
        ({"amount": "8", "per": "evening", "share": "each", "to": ""}, ("10", "-14", "-2", "-2")),
        ({"amount": "8", "per": "evening", "share": "each", "to": "Cat"}, ("10", "-14", "6", "-2")),
        ({"amount": "8", "per": "round", "share": "winner", "to": ""}, ("4", "-12", "0", "0")),
        ({"amount": "", "per": "round", "share": "winner", "to": ""}, ("12", "-12", "0", "0")),
    ],
)
def test_the_table_fee_is_a_row_of_the_evening(
    ann: Client, fee: dict[str, str], left: tuple[str, ...]
) -> None:
    token = opened(ann, "rules=laok&n=Ann,Bob,Cat,Dan&e=wd1,02")
    assert tuple(evening(ann, token, **fee).values()) == left


def test_another_table_keeps_names_and_rules_and_begins_at_nothing(ann: Client) -> None:
    token = opened(ann, "rules=laok&n=Ann,Bob,Cat,Dan&e=wd1,02")
    html = unescape(ann.get(f"/t/{token}/evening/").content.decode())
    again = opened(ann, re.search(r'name="rounds" value="([^"]*)"', html)[1])
    assert book.read(Table.objects.latest("pk")).ledger.last.page.query == (
        "rules=laok&n=Ann,Bob,Cat,Dan"
    )
    assert evening(ann, again) == {}


def test_two_of_one_name_are_two_people(ann: Client) -> None:
    token = opened(ann, "rules=laok&n=Ann,Ann,Cat,Dan&e=wd1,02")
    assert evening(ann, token) == {"0": "12", "1": "-12", "2": "0", "3": "0"}


def test_a_name_that_was_wrong_is_put_right_over_the_rounds_before(ann: Client) -> None:
    token = opened(ann, "rules=laok&n=Ann,Bbo,Cat,Dan&e=wd1,02")
    assert "以前各局也改" not in seen(ann, token)
    press(ann, token, "next")
    assert "以前各局也改" in seen(ann, token)
    press(ann, token, "rename", n0="Ann", n1="Bob", n2="Cat", n3="Dan")
    assert [one.names[1] for one in book.read(Table.objects.get()).ledger.rounds] == ["Bob"] * 2
    assert "改正了名字" in unescape(ann.get(f"/t/{token}/history/").content.decode())
    assert evening(ann, token) == {"0": "12", "1": "-12", "2": "0", "3": "0"}


def test_two_pages_without_scripts_are_two_writers(ann: Client) -> None:
    token = opened(ann, "rules=laok")
    first, second = (
        dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', seen(ann, token)))
        for _ in range(2)
    )
    for hidden in (first, second):
        ann.post(f"/t/{token}/", {**hidden, "a": "wd1,02", "do": "save"})
    assert totals(seen(ann, token))["0"] == "12"


def test_a_button_that_comes_twice_is_one_entry_and_another_of_that_page_is_not(
    ann: Client,
) -> None:
    token = opened(ann, "rules=laok")
    html = seen(ann, token)
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    for event in ("k0c", "k0c", "k1c"):
        ann.post(f"/t/{token}/", {**hidden, "a": event, "do": "save"})
    assert book.read(Table.objects.get()).ledger.last.page.query == "rules=laok&e=k0c.k1c"


def test_the_ledger_is_read_and_folded_once_for_a_button(
    ann: Client, django_assert_max_num_queries: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = opened(ann)
    folded: list[int] = []
    monkeypatch.setattr(book, "further", lambda *a: folded.append(len(a[2])) or further(*a))
    given = {"do": "save", "a": "wd1,02", "device": "a", "key": "k", "saw": "1"}
    with django_assert_max_num_queries(12):
        ann.post(f"/t/{token}/", given, HTTP_HX_REQUEST="true")
    assert folded == [1, 0, 1]  # all, what others wrote meanwhile, what was written now


def test_news_without_anything_new_read_no_ledger(
    ann: Client, django_assert_num_queries: Callable
) -> None:
    token = opened(ann)
    with django_assert_num_queries(1):
        assert ann.get(f"/t/{token}/news?rev=1").status_code == 204


def test_no_more_devices_are_kept_than_come_to_a_table(ann: Client) -> None:
    token = opened(ann)
    for number in range(MOST_HERE + 5):
        ann.get(f"/t/{token}/news?rev=1&here=1&device=d{number}&who=W")
    assert Presence.objects.count() == MOST_HERE
    Presence.objects.update(seen=timezone.now() - HERE)
    ann.get(f"/t/{token}/news?rev=1&here=1&device=late&who=Late")
    assert [one.who for one in Presence.objects.all()] == ["Late"]


def test_who_was_here_before_the_clock_was_set_back_is_not_here_for_hours(ann: Client) -> None:
    token = opened(ann)
    ann.get(f"/t/{token}/news?rev=1&here=1&device=d&who=Ghost")
    Presence.objects.update(seen=timezone.now() + timedelta(hours=2))
    assert "Ghost" not in seen(ann, token)


def test_who_watches_the_server_asks_the_database_once_a_second(
    django_assert_num_queries: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(views, "monotonic", lambda: now[0])
    monkeypatch.setattr(views, "database", views.Watched())
    with django_assert_num_queries(1):
        for _ in range(50):
            assert Client().get("/healthz").content == b"ok\ndatabase ok\n"
    now[0] += 1
    with django_assert_num_queries(1):
        Client().get("/healthz")


def test_news_lead_to_the_next_round_who_was_at_the_last_one_and_enters_nothing(
    ann: Client,
) -> None:
    token = opened(ann, "rules=laok&n=Ann,Bob,Cat,Dan&e=k0c")
    press(ann, token, "next")

    def news(query: str) -> str:
        return seen(ann, token, f"news?{query}")

    assert "桌上已经打到" not in news("rev=2&round=1")
    assert totals(news("rev=2&round=1"))["0"] == "0"
    assert "桌上已经打到第 2 局" in news("rev=2&round=1&a=k-c")
    # Whoever has the earlier round open on purpose stays there.
    press(ann, token, "new:concealed_kong", "who:1", "save")
    assert totals(news("rev=3&round=1"))["0"] == "36"
