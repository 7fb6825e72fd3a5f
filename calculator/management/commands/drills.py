"""`manage.py drills`: check generated questions by the thousand, and how they are spread."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring import rules as engine
from scoring.contract import score, settle
from scoring.drills import BLOCK, KINDS, LEVELS, WINS, Question, payers, question, stratum_at
from scoring.hand import DISCARD, Win
from scoring.notation import format_hand, parse
from scoring.rules import Rules
from scoring.score import least_fan
from scoring.tiles import TILE_NAMES

Json = dict[str, Any]


class Command(BaseCommand):
    help = (
        "Make questions of every kind, level and rule system, hold each to the engine, and print "
        "how they are spread over what a level is to show."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=10_000, help="of each kind and system")
        parser.add_argument("--rules", choices=engine.ids(), action="append", help="only these")
        parser.add_argument("--kind", choices=KINDS, action="append", help="only these")
        parser.add_argument("--seed", default="drills", help="where to begin")
        parser.add_argument("--spread", action="store_true", help="print every stratum")
        parser.add_argument(
            "--report",
            action="store_true",
            help="only print what the first hundred questions of each level show",
        )

    def handle(
        self,
        *,
        count: int,
        rules: list[str] | None,
        kind: list[str] | None,
        seed: str,
        spread: bool,
        report: bool,
        **_: Any,
    ) -> None:
        if report:
            for line in report_lines(rules or engine.ids(), kind or KINDS):
                self.stdout.write(line)
            return
        wrong = 0
        for ruleset in rules or engine.ids():
            for name in kind or KINDS:
                found = check(engine.load(ruleset), name, count, seed)
                wrong += len(found.faults)
                self.stdout.write(
                    f"{ruleset:8} {name:9} {found.made:6} questions, {found.doubles} double within "
                    f"a hundred, {len(found.faults)} wrong"
                )
                for fault in found.faults[:10]:
                    self.stdout.write(f"    {fault}")
                if spread:
                    for line in spread_lines(found.strata):
                        self.stdout.write(f"    {line}")
        if wrong:
            raise CommandError(f"{wrong} questions are wrong")


def report_lines(rulesets: Iterable[str], kinds: Iterable[str]) -> Iterator[str]:
    """What the first hundred questions of each kind and level show, under each system."""
    for ruleset in rulesets:
        rules = engine.load(ruleset)
        for kind in kinds:
            for level in LEVELS:
                shown = Counter(
                    stratum_at(rules, kind, level, "report", number).name for number in range(BLOCK)
                )
                parts = ", ".join(f"{name} {shown[name]}" for name in sorted(shown))
                yield f"{ruleset} {kind} {level}: {parts}"


class Found:
    """What a check found: how many questions, their strata, doubles and faults."""

    def __init__(self) -> None:
        self.made = self.doubles = 0
        self.strata: Counter[tuple[int, str]] = Counter()
        self.faults: list[str] = []


def numbers(count: int, seed: str) -> Iterator[tuple[int, str, int]]:
    """So many questions as (level, seed, number): the levels in turn, a hundred of each seed."""
    for at in range(count):
        turn, level = divmod(at, len(LEVELS))
        yield LEVELS[level], f"{seed}-{turn // BLOCK}", turn % BLOCK


def check(rules: Rules, kind: str, count: int, seed: str) -> Found:
    """Make and check so many questions of a kind."""
    found = Found()
    seen: set[tuple[int, str, str]] = set()
    for level, own_seed, number in numbers(count, seed):
        asked = question(rules, kind, level, own_seed, number)
        key = (level, own_seed, asked.key)
        found.made += 1
        found.doubles += key in seen
        seen.add(key)
        found.strata[level, asked.stratum] += 1
        found.faults += [
            f"{rules.id} {kind} {level} {own_seed} {number}: {fault}"
            for fault in faults(rules, asked)
        ]
    return found


def spread_lines(strata: Counter[tuple[int, str]]) -> Iterator[str]:
    """How the questions are spread: one line for each level and stratum."""
    for level in LEVELS:
        here = {name: n for (at, name), n in strata.items() if at == level}
        for name, n in sorted(here.items()):
            yield f"level {level}  {n / sum(here.values()):6.1%}  {name}"


def faults(rules: Rules, asked: Question) -> Iterator[str]:
    """What is wrong with a question, held to `score` and `settle` anew."""
    keys = [choice.key for choice in asked.choices]
    marked = tuple(choice.key for choice in asked.choices if not choice.mistake)
    if len(set(keys)) != len(keys):
        yield f"a choice stands twice: {keys}"
    if marked != tuple(asked.answer):
        yield f"marked right are {marked}, not {asked.answer}"
    if asked.kind != "waits" and len(asked.answer) != 1:
        yield f"{len(asked.answer)} right answers"
    if not set(keys) - set(asked.answer):
        yield "nothing to get wrong"
    if asked.kind == "settle":
        yield from _impossible(rules, asked.request["events"])
    true = _TRUTH[asked.kind](rules, asked)
    for choice in asked.choices:
        if (choice.value in true) != (choice.key in asked.answer):
            yield f"{choice.key} is {'right' if choice.value in true else 'wrong'}"


def _impossible(rules: Rules, events: list[Json]) -> Iterator[str]:
    """What the end of a round says of a player against what is booked of him before."""
    kongs: dict[int, list[str]] = {seat: [] for seat in range(rules.players)}
    last: Json = {}
    for event in events:
        if event["type"] == "kong" and not event.get("robbed"):
            kongs[event["seat"]].append(event["kind"])
        elif event["type"] == "win":
            if (kind := event.get("after_kong")) and (last.get("kind"), last.get("seat")) != (
                kind,
                event["winners"][0]["seat"],
            ):
                yield "杠上花 after no such kong"
            if event.get("kong_discard") and last.get("seat") != event["from"]:
                yield "杠上炮 of somebody who has not konged"
            win = Win(event["by"], kind, bool(event.get("kong_discard")))
            for one in event["winners"]:
                yield from _too_little(rules, one, kongs[one["seat"]], win)
        elif event["type"] == "draw":
            for seat, shown in event["hands"].items():
                yield from _too_little(rules, shown, kongs[int(seat)], Win(DISCARD))
        last = event


def _too_little(rules: Rules, shown: Json, kongs: list[str], win: Win) -> Iterator[str]:
    """A hand of fewer fan than its kongs and its luck bring, or without the kongs that it has."""
    if "fan" in shown and shown["fan"] < (least := least_fan(kongs, rules=rules, win=win)):
        yield f"{shown} with {kongs}, worth {least} at least"
    if "hand" in shown:
        laid = sorted(meld.kind for meld in parse(shown["hand"]).melds if meld.is_kong)
        if laid != sorted(kongs):
            yield f"{shown} with {kongs} booked"


def _win(_rules: Rules, asked: Question) -> list[Any]:
    return [WINS if score(asked.request)["status"] == "win" else "no"]


def _fan(_rules: Rules, asked: Question) -> list[Any]:
    return [score(asked.request)["fan"]]


def _patterns(_rules: Rules, asked: Question) -> list[Any]:
    answer = score(asked.request)
    terms = {term["id"]: term["count"] for term in answer["terms"]}
    patterns = [p for p in answer["patterns"] if p != "ping_hu"] or ["ping_hu"]
    roots = [("gen", terms["gen"])] if "gen" in terms else []
    return [(*((p, 1) for p in patterns), *roots)]


def _waits(rules: Rules, asked: Question) -> list[Any]:
    """Every tile that wins when it is added; where none is left to add, as the rules say."""
    hand = asked.request["hand"]
    ready = {wait["tile"] for wait in score(asked.request)["waits"]}
    found = []
    for choice in asked.choices:
        full = score({**asked.request, "hand": f"{hand}!{choice.key}"})
        # A fifth copy cannot be added; whether it is awaited all the same is up to the rules.
        dead = full["status"] == "error" and rules.dead_waits != "exclude"
        if choice.key in ready if dead else full["status"] == "win":
            found.append(choice.value)
    return found


def _discard(_rules: Rules, asked: Question) -> list[Any]:
    """The discards that no other one is better than in value or in tiles."""
    hand = parse(asked.request["hand"])
    worth: dict[str, tuple[int, int]] = {}
    for tile in dict.fromkeys(hand.concealed):
        rest = list(hand.concealed)
        rest.remove(tile)
        written = format_hand(type(hand)(tuple(rest), hand.melds))
        answer = score({**asked.request, "hand": written})
        if answer["status"] == "ready" and TILE_NAMES[tile] in {c.key for c in asked.choices}:
            waits = answer["waits"]
            worth[TILE_NAMES[tile]] = (
                max(wait["multiple"] for wait in waits),
                sum(wait["left"] for wait in waits),
            )
    return [
        tile
        for tile, (value, left) in worth.items()
        if all(value >= other[0] and left >= other[1] for other in worth.values())
    ]


def _change(_rules: Rules, asked: Question) -> list[Any]:
    assert asked.changed is not None
    answer = score(asked.changed)
    return [answer["multiple"] * payers(asked.change, answer)]


def _payment(_rules: Rules, asked: Question) -> list[Any]:
    return [score(asked.request)["payments"]]


def _pig(rules: Rules, asked: Question) -> list[Any]:
    """How the seat stands when a round ends with this hand."""
    request = asked.request
    shown: Json = {"hand": request["hand"]}
    if "void" in request:
        shown["void"] = request["void"]
    others = {str(seat): {"state": "not_ready"} for seat in range(1, rules.players)}
    events = [{"type": "draw", "hands": {"0": shown, **others}}]
    given = {key: request[key] for key in ("ruleset", "options") if key in request}
    return [settle({**given, "events": events})["seats"][0]["state"]]


def _settle(_rules: Rules, asked: Question) -> list[Any]:
    assert asked.seat is not None
    return [settle(asked.request)["totals"][asked.seat]]


_TRUTH = {
    "win": _win,
    "fan": _fan,
    "patterns": _patterns,
    "waits": _waits,
    "discard": _discard,
    "change": _change,
    "payment": _payment,
    "pig": _pig,
    "settle": _settle,
}
