"""Look for the costliest requests that are allowed: `python -m tests.load.search --seconds 600`.

For every route a request is changed a little, again and again, and kept where it costs more of this
processor's time or answers more bytes (hill climbing, from several starts).  The worst of each
route are printed; the exit status is 1 where one is above the limits.
"""

import argparse
import gc
import json
import logging
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

MOST_MS = 50
MOST_BYTES = 256 * 1024
#: A longer address is refused before anything is read.
MOST_TEXT = 6500
#: A change that does not help is tried so often before the climb starts anew.
PATIENCE = 40

SYSTEMS = ("chengdu", "yaoji", "laok", "jipin", "xueliu", "yichang", "sbr", "majsoul")
OPTIONS = (
    "fans.jia_xin_wu:1,fans.yi_tiao_long:1,fans.ka_er_tiao:1",
    "cap:off,joker:1s",
    "cap:0",
    "fans.zhong_zhang:1,fans.men_qing:1",
    "blood_flow:on,difference:on,call_check_winners:on",
    "dead_waits:exposed_count",
    "kong_points.exposed_others:1",
    "base:0.01",
)
EVENTS = (
    "wd0,1{h},2{h},3{h}", "ws,0{h}", "n,0h{w},1h{w},2h{w},3h{w}", "wd0,12,22,32", "ws,010",
    "k0e1", "k1c", "k2a5m", "k1ar.wr1,02", "x0l,19,29", "n", "n,0p,1n,3r2",
)  # fmt: skip

State = dict[str, Any]


def tiles(chance: random.Random, number: int, jokers: int) -> str:
    """So many tiles, few kinds as a rule, some of them 1条."""
    wide = chance.choice((5, 9, 13, 18, 27))
    kinds = [k for k in chance.sample(range(27), wide) if k != 18] * 4
    dealt = sorted(chance.sample(kinds, max(0, number - jokers))) + [18] * jokers
    return "".join(f"{t % 9 + 1}{'mps'[t // 9]}" for t in dealt)


def hand(chance: random.Random, full: bool | None = None) -> str:
    """A hand of thirteen or fourteen tiles, sometimes with melds."""
    full = chance.random() < 0.5 if full is None else full
    melds = "".join(
        chance.sample(["[777m]", "(2222p)", "[333-3p]", "[55m1s]"], chance.randrange(3))
    )
    number = 13 + full - 3 * melds.count("[") - 3 * melds.count("(")
    return tiles(chance, number, chance.choice((0, 0, 1, 2, 3, 3))) + melds


@dataclass(frozen=True)
class Request:
    """One request in the making: its route, rules, hand and events."""

    route: str
    rules: str
    opt: str
    hand: str
    events: tuple[str, ...]
    level: int = 3
    number: int = 0

    def changed(self, chance: random.Random) -> "Request":
        """The same with one thing changed."""
        events = list(self.events)
        at = chance.randrange(len(events) + 1)
        steps: tuple[Callable[[], Request], ...] = (
            lambda: replace(self, rules=chance.choice(SYSTEMS)),
            lambda: replace(self, opt=",".join(chance.sample(OPTIONS, chance.randrange(3)))),
            lambda: replace(self, hand=hand(chance)),
            lambda: replace(self, number=chance.randrange(1000), level=chance.randrange(1, 4)),
            lambda: replace(self, events=(*events[:at], event(chance), *events[at:])),
            lambda: replace(self, events=(*events, *events)[:200]),
            lambda: replace(self, events=tuple(events[: max(1, at)])),
        )
        return chance.choice(steps)()

    def query(self) -> State:
        """The parameters of a page."""
        kinds = ("settle", "waits", "change", "discard", "pig", "fan", "payment", "patterns")
        given = {
            "rules": self.rules, "opt": self.opt, "hand": self.hand, "text": "", "q": self.hand,
            "e": ".".join(self.events)[:MOST_TEXT], "a": self.events[-1],
            "with": "sbr", "n": str(self.number), "kind": kinds[self.number % len(kinds)],
            "level": str(self.level), "seed": "s",
            "r": ".".join(["0.8,-8,0,0"] * (self.number % 300)),
        }  # fmt: skip
        if self.route.endswith(("/settle/", "round", "round.json", "evening", "evening/")):
            given.pop("hand")
            given["n"] = "东,南,西,北"
        return {name: value for name, value in given.items() if value and name != "text"}

    def body(self) -> State:
        """The JSON of a call."""
        from scoring.addresses.hand import read_options
        from scoring.addresses.round import UnreadableEvent, read_event

        events = []
        for text in ".".join(self.events).split("."):
            try:
                events.append(read_event(text))
            except UnreadableEvent:
                continue
        body: State = {"ruleset": self.rules, "hand": self.hand, "events": events[:200]}
        return {**body, "options": read_options(self.opt)} if self.opt else body


def event(chance: random.Random) -> str:
    """One event of an address, its hands dealt."""
    made = chance.choice(EVENTS)
    while "{h}" in made:
        made = made.replace("{h}", f"h{hand(chance, True)}".replace(".", ""), 1)
    while "{w}" in made:
        made = made.replace("{w}", hand(chance, False), 1)
    return made


def ask(client: Any, request: Request) -> tuple[float, int, int]:
    """Milliseconds of the processor, bytes and status of the answer."""
    address = request.route
    post = address.startswith("/api/v1/") and address.rsplit("/", 1)[1] in (
        "score", "compare", "explain", "settle",
    )  # fmt: skip
    begin = time.process_time()
    if post:
        answer = client.post(
            address, json.dumps(request.body(), default=str), content_type="application/json"
        )
    else:
        answer = client.get(address, request.query())
    spent = 1000 * (time.process_time() - begin)
    length = 0 if answer.streaming else len(answer.content)
    return spent, length, answer.status_code


def climb(client: Any, route: str, chance: random.Random, end: float) -> list[tuple[Any, ...]]:
    """The costliest requests of one route: by time and by length."""
    worst: dict[str, tuple[float, Request, tuple[float, int, int]]] = {}
    while time.monotonic() < end:
        by = chance.choice(("time", "length"))
        events = tuple(event(chance) for _ in range(chance.choice((1, 4, 16))))
        opt = chance.choice(OPTIONS)
        at = Request(route, chance.choice(SYSTEMS), opt, hand(chance), events)
        best, without = -1.0, 0
        while without < PATIENCE and time.monotonic() < end:
            other = at.changed(chance)
            measured = ask(client, other)
            if measured[0] > MOST_MS:  # once more: another program may have been in the way
                measured = min(measured, ask(client, other))
            cost = measured[0] if by == "time" else float(measured[1])
            if cost > best:
                at, best, without = other, cost, 0
                if cost > worst.get(by, (-1.0,))[0]:
                    worst[by] = (cost, other, measured)
            else:
                without += 1
    return [(by, measured, request) for by, (_, request, measured) in sorted(worst.items())]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load.search", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="how long, altogether")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calculator.settings")
    os.environ["DEBUG"] = "1"
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from tests.routes import routes

    settings.ALLOWED_HOSTS = ["testserver"]
    logging.disable(logging.CRITICAL)
    client = Client()
    ask(client, Request("/", "chengdu", "", "", ("n",)))
    chosen = [r for r in routes() if not r.template.startswith(("/en/", "/zh-hant/"))]
    chance = random.Random(given.seed)
    above = False
    # As a server does once it has read everything (`calculator.wsgi`).
    gc.collect()
    gc.freeze()
    for route in chosen:
        address = route.filled()
        ask(client, Request(address, "chengdu", "", "", ("n",)))
        end = time.monotonic() + given.seconds / len(chosen)
        for by, (spent, length, status), request in climb(client, address, chance, end):
            over = spent > MOST_MS or length > MOST_BYTES
            above = above or over
            print(
                f"{'!' if over else ' '} {spent:>6.0f} ms {length:>8} B {status} {by:<6} {address}"
            )
            if over:
                print(f"    {request}")
            sys.stdout.flush()
    sys.exit(above)


if __name__ == "__main__":
    main()
