"""A whole evening on two phones, one of them on a slow line: eight rounds, and no wrong coin.

What is tapped is written down a second time by hand, as the events of each round; everybody's sum
is reckoned from those by the engine, apart from the page.
"""

from collections import Counter
from contextlib import suppress
from decimal import Decimal

from playwright.sync_api import Browser, Page, Route, expect

from scoring.addresses.round import read_round
from scoring.contract import settle
from tests.browser.conftest import PHONE
from tests.browser.test_round_page import expect_query, open_page
from tests.browser.touch import Finger


def who(seat: int) -> str:
    return f'[data-who="{seat}"]'


def giver(seat: int) -> str:
    return f'[data-giver="{seat}"]'


def fan(seat: int, key: int) -> str:
    return f'[data-fan-of="{seat}"][data-fan-key="{key}"]'


def state(seat: int, what: str) -> str:
    return f'[data-standing="{seat}"] [data-state="{what}"]'


FIRST = ("Ann", "Bob", "Cat", "Dan")
SWAPPED = ("Bob", "Ann", "Cat", "Dan")
EVE = ("Bob", "Ann", "Cat", "Eve")
BACK = ("Dan", "Ann", "Bob", "Eve")
#: What is tapped of an entry, and the events of the round so far once it is noted down.
Entry = tuple[str, tuple[str, ...], str]
ROUNDS: list[tuple[tuple[str, ...], list[Entry]]] = [
    (
        FIRST,
        [
            ("exposed_kong", (who(2), giver(0)), "k2e0"),
            ("discard", (who(2), giver(0), fan(2, 3)), "k2e0.wd0,23"),
            ("self_draw", (who(1), fan(1, 3)), "k2e0.wd0,23.ws,13"),
            (
                "draw",
                (state(0, "flower_pig"), state(3, "ready"), fan(3, 2)),
                "k2e0.wd0,23.ws,13.n,0p,3r2",
            ),
        ],
    ),
    (
        FIRST,
        [
            ("concealed_kong", (who(0),), "k0c"),
            ("discard", (who(0), giver(3), who(1), fan(0, 3), fan(1, 1)), "k0c.wd3,03,11"),
            ("self_draw", (who(2), fan(2, 4)), "k0c.wd3,03,11.ws,24"),
        ],
    ),
    (
        SWAPPED,
        [
            ("discard", (who(0), giver(1), fan(0, 2)), "wd1,02"),
            ("added_kong", (who(3),), "wd1,02.k3a"),
            (
                "draw",
                (state(1, "ready"), fan(1, 2), state(2, "not_ready"), state(3, "ready"), fan(3, 1)),
                "wd1,02.k3a.n,1r2,2n,3r1",
            ),
        ],
    ),
    (EVE, [("discard", (who(3), giver(0), fan(3, 3)), "wd0,33")]),
    (
        EVE,
        [
            ("exposed_kong", (who(1), giver(2)), "k1e2"),
            (
                "discard",
                (who(0), giver(1), who(2), who(3), fan(0, 1), fan(2, 2), fan(3, 3)),
                "k1e2.wd1k,01,22,33",
            ),
        ],
    ),
    (BACK, [("self_draw", (who(0), fan(0, 2)), "ws,02"), ("escape", (who(3),), "ws,02.x3")]),
    (BACK, [("rob_kong", (who(0), giver(2), fan(0, 3)), "k2ar.wr2,03")]),
    (
        FIRST,
        [
            ("self_draw", (who(3), fan(3, 5)), "ws,35"),
            ("concealed_kong", (who(2),), "ws,35.k2c"),
            ("discard", (who(2), giver(0), fan(2, 4)), "ws,35.k2c.wd0,24"),
            (
                "draw",
                (state(0, "ready"), fan(0, 1), state(1, "flower_pig")),
                "ws,35.k2c.wd0,24.n,0r1,1p",
            ),
        ],
    ),
]


class Phone:
    """A phone at the table; on a slow line every answer comes only after the next taps."""

    def __init__(self, page: Page, *, slow: bool) -> None:
        self.page = page
        self.finger = Finger(page)
        self.slow = slow
        self.holding = False
        self.held: list[Route] = []
        if slow:
            page.route("**/fragment/round*", self._answer)
        open_page(page, "/settle/?rules=chengdu&n=" + ",".join(FIRST))

    def _answer(self, route: Route) -> None:
        if self.holding:
            self.held.append(route)
        else:
            route.continue_()

    def let_go(self) -> None:
        """Whatever was held arrives, and what comes is held no more."""
        self.holding = False
        while self.held:
            self.held.pop().continue_()

    def tap(self, selector: str) -> None:
        """Tap a control as soon as it is there; only one that is not waits for an answer."""
        if not self.page.locator(selector).count():
            self.let_go()
        self.finger.on(selector)
        self.holding = self.slow

    def note_down(self, entry: Entry) -> None:
        kind, taps, events = entry
        self.tap(f'.kind-keys [data-act="{kind}"]')
        for selector in (*taps, '[data-act="save"]'):
            self.tap(selector)
        self.let_go()
        expect_query(self.page, e=events)

    def seat(self, names: tuple[str, ...], *, before: tuple[str, ...]) -> None:
        if names == before:
            return
        self.page.locator("#round-names summary").tap()
        for seat, name in enumerate(names):
            self.page.locator(f"#n{seat}").fill(name)
        self.page.locator('button[value="names"]').tap()
        expect_query(self.page, n=",".join(names))

    def next_round(self) -> None:
        # Where a key has just been a first tap may count for nothing: people tap again.
        link = self.page.locator("a[data-next]").first
        while self.page.locator(".event").count():
            link.tap()
            with suppress(AssertionError):
                expect(self.page.locator(".event")).to_have_count(0, timeout=1000)

    def expect_sums(self, expected: dict[str, str]) -> None:
        """What the page says of everybody's evening, as soon as the sheet has come."""
        heads = self.page.locator("#evening-sheet thead th")
        expect(heads).to_have_count(len(expected) + 1)
        names = heads.all_inner_texts()[1:]
        totals = self.page.locator("[data-evening-person]")
        for place, name in enumerate(names):
            expect(totals.nth(place)).to_have_attribute("data-evening-total", expected[name])


def reckoned(rounds: list[tuple[tuple[str, ...], list[Entry]]]) -> tuple[dict[str, str], list[int]]:
    """Everybody's sum by the engine alone, and who deals after each round."""
    sums: Counter[str] = Counter()
    dealers = [0]
    for names, entries in rounds:
        given = {"rules": "chengdu", "e": entries[-1][2], "d": str(dealers[-1])}
        page, bad = read_round(given)
        answer = settle(page.request)
        assert not bad and answer["status"] == "settled"
        for name, total in zip(names, answer["totals"], strict=True):
            sums[name] += Decimal(str(total))
        dealers.append(answer["next_dealer"])
    assert sum(sums.values()) == 0
    return {name: str(total) for name, total in sums.items()}, dealers


def play(phone: Phone) -> None:
    """The whole evening; after each round the sheet is right."""
    before = FIRST
    for number, (names, entries) in enumerate(ROUNDS, start=1):
        phone.seat(names, before=before)
        if names == EVE != before:
            expect(phone.page.locator("#round-unsure")).to_contain_text("Eve 是 Dan")
            phone.page.locator('[data-do="replaced"]').tap()
        for entry in entries:
            phone.note_down(entry)
        expected, dealers = reckoned(ROUNDS[:number])
        expect(phone.page.locator("tr[data-round]")).to_have_count(number)
        last = phone.page.locator("#evening-sheet tr.here [data-open]")
        expect(last).to_have_attribute("data-open", str(number - 1))
        phone.expect_sums(expected)
        if number < len(ROUNDS):
            phone.next_round()
            dealer = phone.page.locator(f'[data-dealer="{dealers[-1]}"]')
            expect(dealer).to_have_attribute("aria-pressed", "true")
        before = names


def test_two_phones_write_down_an_evening_of_eight_rounds_without_a_wrong_coin(
    browser: Browser, base_url: str
) -> None:
    expected, _dealers = reckoned(ROUNDS)
    for slow in (False, True):
        context = browser.new_context(**PHONE, base_url=base_url, service_workers="block")
        phone = Phone(context.new_page(), slow=slow)
        play(phone)
        # What the device keeps is the same after the browser was closed.
        phone.page.reload()
        phone.page.wait_for_selector("main[data-ready]")
        expect(phone.page.locator("tr[data-round]")).to_have_count(len(ROUNDS))
        phone.expect_sums(expected)
        context.close()
