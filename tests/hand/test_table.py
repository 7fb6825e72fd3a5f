"""The reducer of the calculator page: `tests/data/taps.json`, shared with the page's script."""

import json
from pathlib import Path
from typing import Any

import pytest

from calculator.hand.state import NOTES, Table, act, why_not
from scoring.addresses.hand import read_hand, rules_of
from scoring.notation import parse_tiles
from scoring.tiles import TILE_NAMES

TAPS = json.loads((Path(__file__).parents[1] / "data" / "taps.json").read_text(encoding="utf-8"))


def table_of(given: dict[str, str]) -> Table:
    page, bad = read_hand({k: v for k, v in given.items() if k not in ("arm", "order")})
    assert not bad
    table = Table.of(page, rules_of(page), arm=given.get("arm", ""))
    if "order" in given:
        table = Table(**{**vars(table), "tiles": tuple(parse_tiles(given["order"]))})
    return table


def order_of(table: Table) -> str:
    return "".join(TILE_NAMES[tile] for tile in table.tiles)


@pytest.mark.parametrize("tap", TAPS, ids=[tap["claim"] for tap in TAPS])
def test_taps(tap: dict[str, Any]) -> None:
    step = act(table_of(tap["from"]), tap["do"])
    expected = table_of(tap["to"])
    assert step.table.page.query == expected.page.query
    assert step.table.arm == expected.arm
    assert (step.note.code if step.note else None) == tap.get("note")
    if "order" in tap["to"]:
        assert order_of(step.table) == tap["to"]["order"]


def test_every_address_of_a_tap_is_canonical() -> None:
    for tap in TAPS:
        given = {k: v for k, v in tap["to"].items() if k not in ("arm", "order")}
        assert table_of(tap["to"]).page.parameters == {"rules": "chengdu", **given}


def test_whatever_refuses_an_action_changes_nothing() -> None:
    for tap in TAPS:
        table = table_of(tap["from"])
        step = act(table, tap["do"])
        assert not step.refused or step.table == table


def test_a_grey_control_says_why() -> None:
    full = table_of({"hand": "11223344556677m"})
    assert why_not(full, "tile:9p").code == "hand_full"
    assert why_not(full, "arm:pung").code == "no_room"
    assert why_not(full, "after_kong").code == "need_kong"
    assert why_not(table_of({}), "clear").code == "nothing"
    assert why_not(table_of({"hand": "123m"}), "tile:4m") is None


def test_every_reason_has_a_sentence() -> None:
    for tap in TAPS:
        step = act(table_of(tap["from"]), tap["do"])
        if step.note:
            names = ("n", "tile", "joker", "term", "by", "others", "verb")
            assert NOTES[step.note.code] % dict.fromkeys(names, "x")
