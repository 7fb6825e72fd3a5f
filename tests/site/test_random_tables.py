"""Whatever can be tapped in is answered: random tables on every page that shows a hand."""

import random
import re
from io import StringIO
from urllib.parse import quote

import pytest
from django.core.management import call_command
from django.test import Client

from calculator.hand.state import Table, act
from scoring import rules
from scoring.addresses.hand import HandPage, rules_of
from scoring.tiles import TILE_NAMES

#: How often an action is tried; each table draws a few of the rare ones.
LAYING = ("pung", "exposed_kong", "concealed_kong", "added_kong")
TURNS = (
    *("by:discard", "by:self_draw", "by:rob_kong", "after_kong", "kong_discard", "last_tile"),
    *("tian_hu", "di_hu", "void:m", "void:p", "void:s", "after:concealed_kong"),
)
PAGES = ("/", "/en/", "/zh-hant/fragment/result", "/fragment/compare", "/fragment/missing",
         "/compare/", "/preview.svg", "/house/")  # fmt: skip


def table_of(seed: str) -> Table:
    """A table that a restless thumb leaves behind."""
    chance = random.Random(seed)
    page = HandPage(rules=chance.choice(rules.ids()))
    table = Table.of(page, rules_of(page))
    suits = chance.choice(("m", "mp", "mps", "mps"))
    names = [name for name in TILE_NAMES if name[1] in suits]
    for _ in range(chance.choice((0, 0, 1, 2, 3, 4))):
        table = act(table, f"{chance.choice(LAYING)}:{chance.choice(names)}").table
    for _ in range(chance.choice((0, 1, 2, 4))):
        table = act(table, chance.choice(TURNS)).table
    for _ in range(chance.choice((3, 40, 60, 60))):
        table = act(table, f"tile:{chance.choice(names)}").table
    if chance.random() < 0.5:
        table = act(table, "back").table
    return table


@pytest.mark.parametrize("seed", range(40))
def test_every_table_is_answered_everywhere(client: Client, seed: int) -> None:
    for number in range(6):
        table = table_of(f"{seed}.{number}")
        for page in PAGES:
            address = f"{page}?{table.page.query}"
            assert client.get(address, follow=True).status_code == 200, address
        given = ["--rules", table.page.rules]
        hand = table.page.parameters.get("hand", "")
        call_command("score", *given, "--", hand or "1m", stdout=StringIO(), stderr=StringIO())


def test_a_hand_that_can_never_win_says_so(client: Client) -> None:
    for hand in ("1239m[777m][555p](8888s)9m", "1239m[777m][555p](8888s)"):
        given = {"rules": "chengdu", "hand": hand}
        assert "手牌怎么换都听不了" in client.get("/", given, follow=True).content.decode()
        english = client.get("/en/", given, follow=True).content.decode()
        assert "can never be part of a winning hand" in english


BUTTON = re.compile(r'name="do" value="([^"]+)"')
#: The buttons that fill an entry; the others begin, leave or undo one.
FILLING = ("who", "from", "fan", "flag", "tile", "state", "waive", "before", "save")
HANDS = ("1233455567899p!5p", "11m", "1112345678999s", "123m456p789s11m22p", "19m!9m")


@pytest.mark.parametrize("seed", range(12))
def test_any_buttons_of_the_round_page_lead_to_an_answer(client: Client, seed: int) -> None:
    chance = random.Random(seed)
    address = f"{chance.choice(('', '/en', '/zh-hant'))}/settle/?rules={chance.choice(rules.ids())}"
    for _ in range(40):
        response = client.get(address, follow=True)
        assert response.status_code == 200, address
        here = response.redirect_chain[-1][0] if response.redirect_chain else address
        assert client.get(here.replace("/settle/", "/fragment/round")).status_code == 200, here
        shown = BUTTON.findall(response.content.decode())
        filling = [value for value in shown if value.partition(":")[0] in FILLING]
        if filling and chance.random() < 0.8:
            shown = filling
        if chance.random() < 0.1:
            address = f"{here}&hand={quote(chance.choice(HANDS))}"
        elif "save" in shown and chance.random() < 0.3:
            address = f"{here}&do=save"
        else:
            address = f"{here}&do={quote(chance.choice(shown))}"
