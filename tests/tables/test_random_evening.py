"""Four phones press whatever is on their pages, in any order, some of it twice."""

import re
from html import unescape
from random import Random

import pytest
from django.test import Client

from calculator.tables import book
from calculator.tables.evening import TableEvening
from calculator.tables.models import Table
from scoring.contract import settle
from tests.tables.test_pages import OURS, opened, seen, totals

pytestmark = pytest.mark.django_db

STEPS = 250


def hidden(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))


def pressed(html: str, chance: Random) -> str:
    """One of the buttons of a page, as a rule one that brings an entry to its end."""
    every = re.findall(r'name="do" value="([^"]+)"', html)
    onward = [one for one in every if one == "save" or re.match("who:|from:|fan:", one)]
    others = [one for one in every if not one.startswith("rules:")]
    return chance.choice(onward if onward and chance.random() < 0.75 else [*others, "undo"])


@pytest.mark.parametrize("rules", ["laok", "xueliu"])
def test_whatever_four_phones_press_the_coins_are_those_of_the_engine(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "MAX_A_MINUTE", 10 * STEPS)
    chance = Random(rules)
    site = Client(**OURS)
    token = opened(site, f"rules={rules}&n=Ann,Bob,Cat,Dan")
    pages = [seen(site, token) for _ in range(4)]
    for step in range(STEPS):
        phone = chance.randrange(4)
        given = {**hidden(pages[phone]), "device": f"d{phone}", "who": "ABCD"[phone]}
        if chance.random() < 0.3:
            answer = site.get(f"/t/{token}/news", {**given, "rev": given["saw"]})
            assert answer.status_code in (200, 204)
        else:
            given |= {"do": pressed(pages[phone], chance), "key": f"k{step}"}
            for _ in range(chance.choice([1, 1, 2])):
                answer = site.post(f"/t/{token}/", given, HTTP_HX_REQUEST="true")
                assert answer.status_code == 200
        if answer.status_code == 200:
            pages[phone] = unescape(answer.content.decode())
    kept = book.read(Table.objects.get())
    assert [entry.seq for entry in kept.entries] == list(range(1, kept.head + 1))
    assert kept.head > 10
    for one in kept.ledger.rounds:
        made = settle(one.page.request)
        if made["status"] == "settled":
            shown = totals(seen(site, token, f"?round={one.seq}"))
            assert [float(shown[str(seat)]) for seat in range(4)] == made["totals"]
            assert sum(made["totals"]) == 0
    assert all(sum(won or 0 for won in row) == 0 for row in TableEvening(kept.ledger).rounds)
