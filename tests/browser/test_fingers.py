"""What is under the finger stays under the finger, and no tap is lost: touched as people touch."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.address import query
from tests.browser.places import boxes, firsts
from tests.browser.test_round_page import expect_query, hold_first, open_page, own_requests
from tests.browser.touch import Finger

SCREENS = [(320, 480), (375, 553), (375, 667), (412, 732), (1280, 720)]

#: Every control of the open entry: where it stands, by what it is. The keys of a winner are known
#: by their place, as it may not be said yet who that is.
STANDS = """() => {
  const slots = [...document.querySelectorAll("#entry [data-winner]")];
  const found = {};
  for (const node of document.querySelectorAll("#entry button, #entry input, #entry a")) {
    const { x, y, width, height } = node.getBoundingClientRect();
    if (!width) continue;
    const slot = slots.indexOf(node.closest("[data-winner]"));
    const { value, name: field, dataset } = node;
    const seat = node.closest("[data-standing]")?.dataset.standing;
    const own = `${seat} ${dataset.act || value || field}`;
    const name = slot < 0 ? own : `${slot} ${dataset.fanKey || node.tagName}`;
    found[name] = [x, y, width, height].map(Math.round);
  }
  return found;
}"""

WHO = [f'[data-who="{seat}"]' for seat in range(4)]
GIVER = [f'[data-giver="{seat}"]' for seat in range(4)]


def fan(seat: int, key: int = 2) -> str:
    return f'[data-fan-of="{seat}"][data-fan-key="{key}"]'


def tile(name: str) -> str:
    return f'[data-tile="{name}"]'


#: The events before, and the taps of an entry: its controls in every state that they have.
ENTRIES: dict[str, tuple[str, list[str]]] = {
    "exposed_kong": (
        "rules=chengdu",
        [WHO[0], GIVER[1], GIVER[0], WHO[2], '[data-kong-tile="5p"]', GIVER[1]],
    ),
    "added_kong": ("rules=sbr", [WHO[1], '[data-kong-tile="9s"]', '[data-kong-tile="9s"]', WHO[2]]),
    "concealed_kong": ("rules=chengdu&e=ws,13", [WHO[0], WHO[2], '[data-kong-tile="1m"]']),
    "discard": (
        "rules=laok",
        ['[data-fan-key="5"]', WHO[0], GIVER[1], WHO[2], fan(2), fan(0), WHO[3], fan(3)],
    ),
    "discard after a kong": (
        "rules=xueliu&e=k1c",
        [WHO[0], GIVER[1], '[data-act="kong_discard"]', fan(0)],
    ),
    "self_draw": (
        "rules=chengdu&e=k1c",
        [WHO[1], fan(1), WHO[2], fan(2), WHO[2], '[data-act="save"]', WHO[1]],
    ),
    "rob_kong": ("rules=majsoul", [WHO[0], GIVER[3], WHO[1], fan(1), fan(0)]),
    "draw": (
        "rules=chengdu&e=k1c",
        [
            *('[data-standing="0"] [data-state="ready"]', fan(0, 3)),
            *('[data-standing="1"] [data-state="not_ready"]', fan(2, 1)),
            '[data-standing="1"] [data-state="flower_pig"]',
            '[data-standing="3"] [data-state="flower_pig"]',
            '[data-standing="0"] [data-state="not_ready"]',
        ],
    ),
    "draw in blood flow": (
        "rules=xueliu&e=ws,13",
        [
            *('[data-standing="1"] [data-state="ready"]', fan(1, 3)),
            *('[data-standing="2"] [data-state="flower_pig"]', fan(2, 10)),
            'button[value="waive:2"]',
        ],
    ),
    "escape": ("rules=laok", [WHO[0], '[data-act="last_four"]', WHO[1]]),
}


def settled(page: Page, before: str | None) -> None:
    """Wait until a tap has been answered."""
    expect(page.locator(".cols")).not_to_have_attribute("data-query", before or "")
    expect(page.locator(".busy")).to_have_count(0)


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: "x".join(map(str, screen)))
@pytest.mark.parametrize("entry", ENTRIES)
def test_no_control_of_an_entry_moves_because_another_is_tapped(
    page: Page, entry: str, screen: tuple[int, int]
) -> None:
    width, height = screen
    page.set_viewport_size({"width": width, "height": height})
    round_so_far, taps = ENTRIES[entry]
    kind = entry.split()[0]
    open_page(page, f"/settle/?{round_so_far}")
    page.locator(f'#entry [data-act="{kind}"]').tap()
    expect(page.locator(f'[data-entry="{kind}"]')).to_be_visible()
    for selector in taps:
        control = page.locator(f"#entry {selector}").first
        control.scroll_into_view_if_needed(timeout=5000)
        before: dict[str, Any] = page.evaluate(STANDS)
        state = page.locator(".cols").get_attribute("data-query")
        with page.expect_response("**/fragment/round*"):
            control.dispatch_event("click")
        expect(page.locator(".busy")).to_have_count(0)
        after: dict[str, Any] = page.evaluate(STANDS)
        moved = {
            name: (box, after[name])
            for name, box in before.items()
            if name in after and after[name] != box
        }
        assert moved == {}, (selector, state)


def test_two_winners_their_keys_what_is_missing_and_the_button_fit_a_small_phone(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 375, "height": 553})
    open_page(page, "/settle/?rules=chengdu&a=wd3,0,1")
    shown = (fan(0), fan(1, 7), ".hint", '[data-act="save"]')
    body, hint, save = firsts(page, ".entry-body", ".hint", '[data-act="save"]')
    for selector in shown[:2]:
        [key] = firsts(page, selector)
        assert body.y <= key.y and key.bottom <= body.bottom
    for part in (hint, save):
        assert part.y >= 0 and part.bottom <= 553
    # Beside the button, not above or below it.
    assert hint.right <= save.x
    expect(page.locator(".preview")).to_contain_text("还差：东几番、南几番")
    expect(page.locator(".preview")).to_contain_text("北付")


@pytest.mark.parametrize("width", [320, 375])
def test_at_the_end_of_the_wall_a_name_of_two_characters_stands_whole(
    page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 667})
    open_page(page, "/settle/?rules=chengdu&n=小王,老李,阿强,小美&a=n,0r2")
    cut = page.locator(".standing .worth-head b").evaluate_all(
        "names => names.filter((name) => name.scrollWidth > name.clientWidth).length"
    )
    assert cut == 0


def test_a_grey_button_says_what_is_missing(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&a=wd3")
    finger = Finger(page)
    finger.on('[data-act="save"]')
    expect(page.locator('[data-problem="missing"]')).to_be_visible()
    expect(page.locator(".hint")).to_have_text("还差：谁胡")
    expect_query(page, a="wd3")
    finger.on('[data-fan-key="2"]', '[data-act="save"]')
    expect(page.locator(".hint")).to_have_text("还差：谁胡")
    finger.on(WHO[1], '[data-act="save"]')
    expect_query(page, e="wd3,12")


@own_requests
def test_no_tap_is_lost_on_a_slow_line(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu")

    finger = Finger(page)
    finger.on('[data-act="exposed_kong"]', WHO[2])
    expect_query(page, a="k2e-")
    places = firsts(page, WHO[2], GIVER[0], '[data-act="save"]')
    finger.on('[data-act="cancel"]', '[data-act="exposed_kong"]')
    expect_query(page, a="k-e-")
    held = hold_first(page)
    for place in places:
        finger.tap(*place.middle)
        page.wait_for_timeout(200)
    held[0].continue_()
    expect_query(page, e="k2e0")


@own_requests
def test_a_winner_and_the_fan_may_be_tapped_before_the_winner_is_answered(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu")
    finger = Finger(page)
    finger.on('[data-act="self_draw"]', '[data-act="save"]')
    expect(page.locator('[data-problem="missing"]')).to_be_visible()
    held = hold_first(page)
    finger.on(WHO[1], '[data-fan-key="3"]', '[data-act="save"]')
    held[0].continue_()
    expect_query(page, e="ws,13")


@own_requests
def test_what_was_begun_after_a_refused_save_is_not_begun(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&a=ws,1")
    held = hold_first(page)
    finger = Finger(page)
    finger.on('[data-act="save"]', '[data-act="concealed_kong"]', WHO[2], '[data-act="save"]')
    held[0].continue_()
    expect(page.locator('[data-problem="missing"]')).to_be_visible()
    expect(page.locator(".busy")).to_have_count(0)
    expect_query(page, a="ws,1")


@own_requests
@pytest.mark.parametrize(
    ("control", "made"),
    [('[data-act="save"]', {"e": "ws,13"}), ('[data-act="undo"]', {"a": "ws,1"})],
)
def test_a_press_counts_whose_button_is_replaced_before_the_release(
    page: Page, control: str, made: dict[str, str]
) -> None:
    open_page(page, "/settle/?rules=chengdu&a=ws,1")
    held = hold_first(page)
    Finger(page).on('[data-fan-key="3"]')
    [place] = firsts(page, control)
    page.mouse.move(*place.middle)
    page.mouse.down()
    held[0].continue_()
    expect_query(page, a="ws,13")
    page.mouse.up()
    expect_query(page, **made)


@own_requests
def test_a_finger_that_rests_while_its_button_is_replaced_taps_once(page: Page) -> None:
    open_page(page, "/settle/?rules=chengdu&a=ws,1")
    held = hold_first(page)
    finger = Finger(page)
    finger.on('[data-fan-key="3"]')
    [place] = firsts(page, WHO[2])
    finger.down(*place.middle)
    held[0].continue_()
    expect_query(page, a="ws,13")
    finger.up()
    expect_query(page, a="ws,2")


@own_requests
def test_the_keys_of_the_first_winner_take_a_tap_at_once_when_a_second_has_come(
    page: Page,
) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,0")
    finger = Finger(page)
    finger.on(WHO[1])
    page.wait_for_selector(fan(1))
    finger.on(fan(0, 3), fan(1, 2), '[data-act="save"]')
    expect_query(page, e="wd3,03,12")


def test_a_tap_on_what_another_control_has_just_left_counts_for_nothing(page: Page) -> None:
    open_page(page, "/settle/?rules=laok&a=wd3,0,1")
    finger = Finger(page)
    [key] = firsts(page, fan(0))
    finger.on(WHO[0])
    # The keys of the second winner come into the place of the first one's.
    expect(page.locator(fan(0))).to_have_count(0)
    finger.tap(*key.middle)
    finger.on(WHO[2])
    expect_query(page, a="wd3,1,2")


#: Of places on the screen those where something of the page, outside of the entry, can be tapped.
BENEATH = """places => places.filter(([x, y]) => {
  const control = document.elementFromPoint(x, y)?.closest("a, button, summary, input, label");
  return control && !control.closest("#entry");
})"""


def controls(page: Page) -> list[tuple[float, float]]:
    return [box.middle for box in boxes(page.locator("#entry :is(button, a):visible"))]


@own_requests
@pytest.mark.parametrize("screen", [(320, 480), (375, 667), (412, 732)])
def test_a_tap_where_the_entry_is_still_to_come_counts_for_nothing(
    page: Page, screen: tuple[int, int]
) -> None:
    width, height = screen
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, "/settle/?rules=chengdu&e=k1c.k2c.k0c.k3c")
    finger = Finger(page)
    finger.on('[data-act="discard"]')
    expect(page.locator(".entry-body")).to_be_visible()
    places = controls(page)
    finger.on('[data-act="cancel"]')
    expect(page.locator(".entry-body")).to_have_count(0)
    beneath: list[tuple[float, float]] = page.evaluate(BENEATH, places)
    assert beneath
    held = hold_first(page)
    finger.on('[data-act="discard"]')
    for place in beneath:
        finger.tap(*place)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert page.locator("#round details[open]").count() == 0
    held[0].continue_()
    expect(page.locator(".entry-body")).to_be_visible()
    expect(page.locator(".busy")).to_have_count(0)
    assert query(page) == {"rules": "chengdu", "e": "k1c.k2c.k0c.k3c", "a": "wd-"}


def test_a_second_tap_on_a_button_that_closes_the_entry_counts_for_nothing(page: Page) -> None:
    events = "k1c.k2c.k0c.k3c.k1c.k2c.k0c.k3c"
    open_page(page, f"/settle/?rules=chengdu&e={events}&a=ws,1")
    finger = Finger(page)
    [cancel] = firsts(page, '[data-act="cancel"]')
    finger.on('[data-act="cancel"]')
    expect(page.locator(".entry-body")).to_have_count(0)
    assert page.evaluate(BENEATH, [cancel.middle])
    finger.on('[data-act="self_draw"]')
    expect(page.locator(".entry-body")).to_be_visible()
    assert firsts(page, '[data-act="cancel"]') == [cancel]
    finger.tap(*cancel.middle)
    page.wait_for_selector("#entry:not(.open)")
    finger.tap(*cancel.middle)
    assert page.locator("#round details[open]").count() == 0
    expect(page.locator(".busy")).to_have_count(0)
    assert query(page) == {"rules": "chengdu", "e": events}


# ------------------------------------------------------------------ the page of one hand


#: Everything of the form but the tiles of the hand, whose places change with the hand, the suits of
#: which one is void, and what is asked in the place of something else.
HAND_STANDS = """() => Object.fromEntries(
  [...document.querySelectorAll(
    ".badge, .to-text, .conds .row button, .conds .chips:not(.ask) button, .text-row > *, " +
    ".seen-row > button, .tray, .verbs button, .tray:not(.two) [data-tile]")]
    .map((node) => [[node.tagName, node.dataset.tile, node.dataset.act, node.dataset.void, node.id],
      ["x", "y", "width", "height"].map((side) => Math.round(node.getBoundingClientRect()[side]))]))
"""
SIGHT = """selector => {
  const [node, bar, tray] = [selector, ".bar", ".tray"].map((part) => document.querySelector(part));
  if (node.closest(".bar, .tray")) return;
  const [at, above, below] = [node, bar, tray].map((part) => part.getBoundingClientRect());
  if (at.top < above.bottom || at.bottom > below.top) scrollBy(0, at.top - above.bottom - 8);
}"""
COUNTED = """() => document.addEventListener("click", () => {
  document.body.dataset.clicks = Number(document.body.dataset.clicks || 0) + 1;
})"""
#: Each is tapped and measured; together they fill a hand with four melds and see a tile go.
HAND_TAPS = [
    *(tile(name) for name in ("1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "9m")),
    *(tile(name) for name in ("1p", "2p", "3p")),
    *('[data-act="self_draw"]', '[data-act="last_tile"]', '[data-act="rob_kong"]'),
    *('[data-act="discard"]', '[data-act="kong_discard"]', '[data-act="tian_hu"]'),
    *('[data-void="s"]', '[data-void="s"]', '[data-act="clear"]', '[data-act="undo"]'),
    *('[data-act="back"]', '[data-act="back"]', '[data-act="redo"]', '[data-act="clear"]'),
    *('[data-act="pung"]', tile("5p"), '[data-act="exposed_kong"]', tile("1s")),
    *('[data-act="concealed_kong"]', tile("7p"), '[data-act="concealed_kong"]', tile("8p")),
    *('[data-act="added_kong"]', tile("5p"), tile("9s"), tile("9s")),
    *('[data-act="after_kong"]', '#ask [value="after:concealed_kong"]', '[data-act="seen"]'),
    *(tile(name) for name in ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1p")),
    *('[data-act="seen"]', '[value="unsee:1m"]', "[data-digits-switch]"),
]


@pytest.mark.parametrize("screen", [(320, 480), (375, 667)])
@pytest.mark.parametrize("language", ["", "en/"])
def test_no_control_of_the_hand_page_moves_because_another_is_tapped(
    page: Page, screen: tuple[int, int], language: str
) -> None:
    width, height = screen
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, f"/{language}?rules=chengdu")
    page.evaluate(COUNTED)
    finger = Finger(page)
    for number, selector in enumerate(HAND_TAPS, start=1):
        # What lies under the picker is brought into sight first, as a thumb does.
        page.evaluate(SIGHT, selector)
        before: dict[str, Any] = page.evaluate(HAND_STANDS)
        [box] = firsts(page, selector)
        finger.tap(*box.middle)
        page.wait_for_selector(f"[data-clicks='{number}'] #result:not(.stale)")
        after: dict[str, Any] = page.evaluate(HAND_STANDS)
        # A key gives way by a pixel while it is pressed.
        moved = {
            name: (at, after[name])
            for name, at in before.items()
            if any(abs(old - new) > 1 for old, new in zip(at, after.get(name, at), strict=True))
        }
        assert not moved, (selector, moved)
    assert query(page)["hand"] == "99s[555-5p](7777p)(8888p)[1111s]"
    assert query(page)["after"] == "concealed_kong"
    assert query(page)["seen"] == "23456789m1p"


def test_a_tap_on_a_tile_that_has_just_come_there_counts_for_nothing(page: Page) -> None:
    open_page(page, "/?rules=chengdu&hand=123m")
    [first] = firsts(page, '[data-hand-tile="1m"]')
    finger = Finger(page)
    finger.tap(*first.middle)
    finger.tap(*first.middle)
    expect(page.locator("[data-hand-tile]")).to_have_count(2)


def test_new_melds_come_at_the_end_and_stay_there(page: Page) -> None:
    open_page(page, "/?rules=chengdu")
    melds = page.locator("[data-meld-tile]")
    order = "all => all.map(each => each.dataset.meldTile)"
    for n, tile in enumerate(("9s", "5p", "1m"), start=1):
        page.locator('[data-act="pung"]').tap()
        page.locator(f'[data-tile="{tile}"]').tap()
        expect(melds).to_have_count(n)
    assert melds.evaluate_all(order) == ["9s", "5p", "1m"]
    page.locator('[data-tile="3m"]').tap()
    assert melds.evaluate_all(order) == ["9s", "5p", "1m"]
    # The address is that of the hand, however it came about.
    assert query(page)["hand"] == "3m[111m][555p][999s]"


@pytest.mark.parametrize(
    "elsewhere", ['[data-hand-tile="9p"]', '[data-act="undo"]', "#text", '[data-tile="9m"]']
)
def test_typed_digits_are_seen_until_their_suit_comes_or_something_else_is_done(
    page: Page, elsewhere: str
) -> None:
    open_page(page, "/?rules=chengdu&hand=99p")
    page.locator('[data-tile="9p"]').tap()
    for key in "123":
        page.keyboard.press(key)
    expect(page.locator("#say")).to_contain_text("123")
    page.locator(elsewhere).first.click()
    expect(page.locator("#say")).not_to_contain_text("123")
    page.locator("#text").blur()
    held = page.locator("[data-hand-tile]").count()
    page.keyboard.press("m")
    expect(page.locator("[data-hand-tile]")).to_have_count(held)
