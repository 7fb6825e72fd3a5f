"""A second, plain settlement of one round, written from the rules alone.

It shares nothing with the package under test: the money half of the eight systems is typed again
below, hands are valued by a function handed in, and amounts are fractions. Slow and literal on
purpose; agreement with the engine on random rounds is the point.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

KONG_KINDS = ("exposed_kong", "added_kong", "concealed_kong")
SUITS = "mps"


def _system(**values: Any) -> dict[str, Any]:
    """One column of the money tables; what is not named is the commonest cell."""
    column: dict[str, Any] = {
        "scale": "double",
        "fan0": 1,
        "base": 1,
        "cap": None,
        "self_draw_bonus": "none",
        "fans": {"exposed_kong": 1, "added_kong": 1, "concealed_kong": 1},
        "kong_points": {"exposed": 2, "exposed_others": 0, "added": 1, "concealed": 2},
        "late_added_kong_free": False,
        "kong_in_out": False,
        "kong_transfer": "each",
        "bloom": "self_draw",
        "blood_flow": False,
        "round_ends": "three_wins",
        "refund": True,
        "call_check": "max",
        "call_check_winners": False,
        "difference": False,
        "check_by": "discard",
        "joker": None,
        "players": 4,
        "suits": 3,
        "sets": 4,
        "min_fan": None,
        "kong_transfer_several": True,
        "kong_discard_robbed": False,
        "check_kongs": True,
        "passive_pig": "pig",
        "next_dealer": "first_winner",
        "nobody_won": "stays",
        "false_win": _FALSE_WIN,
    }
    column.update(values)
    return column


def _pig(points: int | str, times_best: int, to: str, also_not_ready: bool) -> dict[str, Any]:
    return {
        "points": points,
        "times_best": times_best,
        "to": to,
        "also_not_ready": also_not_ready,
    }


_FALSE_WIN = {"points": 8, "to": "unwon", "returns_kongs": False}
_NO_KONG_MONEY = {"exposed": 0, "exposed_others": 0, "added": 0, "concealed": 0}
_ONE_ONE_TWO = {"exposed": 1, "exposed_others": 0, "added": 1, "concealed": 2}
_BLOOD_FLOW: dict[str, Any] = {
    "scale": "linear",
    "fan0": 0,
    "fans": {"exposed_kong": 1, "added_kong": 1, "concealed_kong": 2},
    "kong_points": _NO_KONG_MONEY,
    "kong_in_out": True,
    "kong_transfer": "none",
    "blood_flow": True,
    "round_ends": "wall",
    "refund": False,
}

SYSTEMS: dict[str, dict[str, Any]] = {
    "chengdu": _system(
        fan0=0,
        fans={"exposed_kong": 1, "added_kong": 1, "concealed_kong": 2},
        pig=_pig(16, 0, "non_pigs", True),
        difference=True,
    ),
    "yaoji": _system(
        cap=6,
        kong_points=_ONE_ONE_TWO,
        bloom="giver_pays_all",
        pig=_pig(16, 0, "non_pigs", True),
        difference=True,
        joker="1s",
    ),
    "laok": _system(
        base=6,
        kong_points=_ONE_ONE_TWO,
        bloom="giver_pays_all",
        pig=_pig(9, 0, "non_pigs", False),
    ),
    "jipin": _system(base=2, cap=4, pig=_pig("cap", 0, "non_pigs", True)),
    "xueliu": _system(**_BLOOD_FLOW, pig=_pig(0, 2, "ready", False), check_by="self_draw"),
    "yichang": _system(**_BLOOD_FLOW, pig=_pig(0, 5, "ready", False)),
    "sbr": _system(
        fan0=0,
        cap=3,
        self_draw_bonus="base",
        late_added_kong_free=True,
        kong_transfer="undo",
        pig=_pig(24, 0, "nobody", True),
        kong_discard_robbed=True,
        passive_pig="not_ready",
        false_win={"points": 24, "to": "nobody", "returns_kongs": True},
    ),
    "majsoul": _system(
        base=1000,
        cap=6,
        self_draw_bonus="base",
        late_added_kong_free=True,
        kong_transfer="undo",
        pig=_pig(8, 1, "unwon", False),
    ),
}

_MERGED = ("fans", "kong_points", "pig", "false_win")


def table_rules(ruleset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The money rules of one table: the system's column with the table's own options over it."""
    rules = dict(SYSTEMS[ruleset])
    for name, value in options.items():
        rules[name] = {**rules[name], **value} if name in _MERGED else value
    if options.get("blood_flow") and "round_ends" not in options:
        rules["round_ends"] = "wall"
    rules["base"] = exact(rules["base"])
    return rules


def exact(number: Any) -> Fraction:
    """A number of the request without a binary fraction: 0.1 means one tenth."""
    return Fraction(str(number))


def multiple_of(rules: Mapping[str, Any], fan: int, kongs: int = 0) -> Fraction:
    """Units of the base for a winner's 番, capped, plus the payer's own kongs, which are not."""
    capped = fan if rules["cap"] is None else min(fan, rules["cap"])
    if rules["scale"] == "linear":
        return Fraction(capped + kongs)
    return Fraction(2) ** (capped + kongs - rules["fan0"])


def drawn_units(rules: Mapping[str, Any], fan: int, kongs: int = 0) -> Fraction:
    """Units that a self-draw puts on top of what one payer pays."""
    bonus, own = rules["self_draw_bonus"], multiple_of(rules, fan)
    if bonus == "double":
        return multiple_of(rules, fan, kongs)
    if bonus == "base_capped" and rules["cap"] is not None:
        return Fraction(int(own + 1 <= multiple_of(rules, rules["cap"])))
    return Fraction(int(bonus in ("base", "base_capped")))


def shown_tiles(hand: str, melds: list[Mapping[str, Any]], joker: str | None) -> list[str]:
    """Every tile of a hand in canonical notation, melds and the tile after ``!`` included."""
    tiles: list[str] = []
    ranks = ""
    for mark in hand:
        if mark.isdigit():
            ranks += mark
        elif mark in SUITS + "z":
            tiles += [rank + mark for rank in ranks]
            ranks = ""
    for meld in melds:
        size, jokers = (3 if meld["kind"] == "pung" else 4), meld.get("jokers", 0)
        tiles += [meld["tile"]] * (size - jokers) + [joker or "1s"] * jokers
    return tiles


Problem = tuple[str, dict[str, Any]]


class Bad(Exception):
    """What is wrong with one event: (code, extra fields) of each problem."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(problems)
        self.problems = problems


def bad(code: str, **extra: Any) -> Bad:
    return Bad((code, extra))


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _one_of(*values: Any) -> Callable[[Any], bool]:
    return lambda value: value in values


def _money(value: Any) -> bool:
    if type(value) not in (int, float) or value < 0:
        return False
    return (exact(value) * 100).denominator == 1


def _parts(**checks: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, dict)
        and all(key in checks and checks[key](part) for key, part in value.items())
    )


OPTIONS: dict[str, Callable[[Any], bool]] = {
    "base": _money,
    "scale": _one_of("double", "linear"),
    "cap": lambda value: value is None or _whole(value),
    "fans": lambda value: isinstance(value, dict),
    "blessing_adds": _flag,
    "self_draw_bonus": _one_of("none", "base", "fan", "base_capped", "double"),
    "bloom": _one_of("self_draw", "discard", "giver_pays_all", "giver_self_draw"),
    "kong_points": _parts(exposed=_whole, exposed_others=_whole, added=_whole, concealed=_whole),
    "late_added_kong_free": _flag,
    "kong_in_out": _flag,
    "kong_transfer": _one_of("each", "split", "undo", "none", "all"),
    "kong_transfer_several": _flag,
    "kong_discard_robbed": _flag,
    "blood_flow": _flag,
    "round_ends": _one_of("three_wins", "wall", "first_win"),
    "refund": _flag,
    "pig": _parts(
        points=lambda value: value == "cap" or _whole(value),
        times_best=_whole,
        to=_one_of("non_pigs", "unwon", "ready", "nobody"),
        also_not_ready=_flag,
    ),
    "call_check": _one_of("max", "min", "none"),
    "call_check_winners": _flag,
    "difference": _flag,
    "dead_waits": _one_of("exclude", "exposed_count", "seen"),
    "suits": _one_of(3, 2),
    "sets": _one_of(4, 3, 2),
    "min_fan": lambda value: value is None or _whole(value),
    "di_hu_by": _one_of("self_draw", "first_discard", "both"),
    "blessing_alone": _flag,
    "excludes": lambda value: isinstance(value, dict),
    "joker": _one_of("1s", "zhong", None),
    "players": _one_of(4, 3, 2),
    "check_by": _one_of("discard", "self_draw"),
    "check_kongs": _flag,
    "passive_pig": _one_of("pig", "not_ready"),
    "next_dealer": _one_of("first_winner", "rotate"),
    "nobody_won": _one_of("stays", "next"),
    "false_win": _parts(points=_whole, to=_one_of("unwon", "nobody"), returns_kongs=_flag),
}


def wrong_with(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is wrong with a request before its first event."""
    found: list[dict[str, Any]] = []
    if request.get("ruleset") not in SYSTEMS:
        found.append({"code": "unknown_ruleset"})
    for name, value in (request.get("options") or {}).items():
        if name not in OPTIONS:
            found.append({"code": "unknown_option", "option": name})
        elif not OPTIONS[name](value):
            found.append({"code": "bad_option", "option": name})
    dealer, players = request.get("dealer", 0), (request.get("options") or {}).get("players", 4)
    if type(dealer) is not int or not 0 <= dealer < players:
        found.append({"code": "bad_field", "field": "dealer"})
    events = request.get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        found.append({"code": "bad_field", "field": "events"})
    return found


class Round:
    """The state of one round while its events are replayed."""

    def __init__(self, request: Mapping[str, Any], value_of: Callable[[dict], dict]) -> None:
        self.request = request
        self.value_of = value_of
        self.options = request.get("options") or {}
        self.rules = table_rules(request["ruleset"], self.options)
        self.seats = range(self.rules["players"])
        self.joker = {"zhong": "7z"}.get(self.rules["joker"], self.rules["joker"])
        self.dealer = request.get("dealer", 0)
        self.events = request["events"]
        self.lines: list[tuple[int, int, int | None, Fraction, str]] = []
        self.kongs: list[dict[str, Any]] = []
        self.wins: dict[int, list[int]] = {seat: [] for seat in self.seats}
        self.left: set[int] = set()
        self.false: set[int] = set()
        self.first_win: Mapping[str, Any] | None = None
        self.over = False
        self.states: dict[int, str] = {}
        self.best: dict[int, Fraction] = {}
        self.shown: dict[int, tuple[int, list[str], str | None]] = {}
        self.robbed: set[tuple[int, str]] = set()
        self.suits: set[str] = set()

    # --- who is in -------------------------------------------------------------------------

    def has_won(self, seat: int) -> bool:
        return bool(self.wins[seat])

    def plays(self, seat: int) -> bool:
        """Still pays and receives: not gone, and not won unless winners play on."""
        if seat in self.left or seat in self.false:
            return False
        return self.rules["blood_flow"] or not self.has_won(seat)

    def others(self, seat: int) -> list[int]:
        return [o for o in self.seats if o != seat and self.plays(o)]

    def pay(self, at: int, payer: int, to: int | None, amount: Fraction, reason: str) -> None:
        if amount:
            self.lines.append((at, payer, to, amount, reason))

    def own_kong_fan(self, seat: int) -> int:
        """番 that a payer's own booked kongs add to what he pays, where kongs go out as well."""
        if not self.rules["kong_in_out"]:
            return 0
        fans = self.rules["fans"]
        return sum(fans[k["kind"]] or 0 for k in self.kongs if k["seat"] == seat)

    def amount(self, fan: int, payer: int | None, drawn: bool = False) -> Fraction:
        kongs = 0 if payer is None else self.own_kong_fan(payer)
        units = multiple_of(self.rules, fan, kongs)
        if drawn:
            capped = fan if self.rules["cap"] is None else min(fan, self.rules["cap"])
            units += drawn_units(self.rules, capped, kongs)
        return self.rules["base"] * units

    # --- reading ---------------------------------------------------------------------------

    def seat_of(self, event: Mapping[str, Any], key: str) -> int:
        seat = event.get(key)
        if type(seat) is not int or seat not in self.seats:
            raise bad("bad_field", field=key)
        return seat

    def acting(self, seat: int) -> list[Problem]:
        """What is wrong with an event in which this seat gains something."""
        if self.has_won(seat) and not self.rules["blood_flow"]:
            return [("seat_already_won", {"seat": seat})]
        return [("not_allowed", {"seat": seat})] if seat in self.left | self.false else []

    def giving(self, seat: int, takers: list[int]) -> list[Problem]:
        """What is wrong with an event in which this seat discarded to others, or was robbed."""
        found: list[Problem] = []
        if seat in takers or (self.has_won(seat) and not self.rules["blood_flow"]):
            found.append(("bad_from", {"seat": seat}))
        elif seat in self.left | self.false:
            found.append(("not_allowed", {"seat": seat}))
        return found

    def fan_of(self, given: Mapping[str, Any]) -> int:
        fan = given.get("fan")
        lowest = 0 if self.rules["scale"] == "linear" else self.rules["fan0"]
        if type(fan) is not int or fan < lowest:
            raise bad("bad_field", field="fan")
        return fan

    def just_before(self, at: int) -> Mapping[str, Any] | None:
        """The kong booked by the event immediately before, robbed ones included."""
        if at and self.events[at - 1]["type"] == "kong":
            return self.events[at - 1]
        return None

    def show(self, at: int, shown: dict[int, tuple[list[str], str | None]]) -> None:
        """No tile may exist five times over the hands that the seats showed last."""
        latest = dict(self.shown)
        for seat, (tiles, win_tile) in shown.items():
            latest[seat] = (at, tiles, win_tile)
        count = Counter(tile for _, tiles, _ in latest.values() for tile in tiles)
        claimed: Counter[tuple[int, str]] = Counter(
            (event, tile) for event, _, tile in latest.values() if tile is not None
        )
        for (_, tile), winners in claimed.items():
            count[tile] -= winners - 1
        for seat, tile in self.robbed:
            # Who was robbed may still show the kong: its fourth tile is the winner's.
            count[tile] -= latest.get(seat, (0, [], None))[1].count(tile) == 4
        for tile, copies in sorted(count.items()):
            if copies > 4:
                raise bad("impossible_tiles", tile=tile)
        self.suits |= {tile[1] for tile in count if tile != self.joker}
        if len(self.suits) > self.rules["suits"]:
            raise bad("too_many_suits")
        self.shown = latest

    # --- the kinds of event -----------------------------------------------------------

    def kong(self, at: int, event: Mapping[str, Any]) -> None:
        seat, kind = self.seat_of(event, "seat"), event.get("kind")
        if kind not in KONG_KINDS:
            raise bad("bad_field", field="kind")
        for flag in ("late", "robbed"):
            if event.get(flag) and kind != "added_kong":
                raise bad("bad_field", field=flag)
        problems = self.acting(seat)
        held = sum(k["seat"] == seat for k in self.kongs)
        if not event.get("robbed") and held >= self.rules["sets"]:
            problems.append(("too_many_melds", {"seat": seat}))
        if kind == "exposed_kong":
            giver = self.seat_of(event, "from")
            problems += self.giving(giver, [seat])
            if self.rules["blood_flow"] and self.has_won(seat) and seat not in self.left:
                problems.append(("not_allowed", {"seat": seat}))
        elif event.get("robbed"):
            after = self.events[at + 1] if at + 1 < len(self.events) else {"type": None}
            if not self.may_rob(after, seat):
                problems.append(("bad_event_order", {}))
        if problems:
            raise Bad(*problems)
        if event.get("robbed"):
            return
        points, base = self.rules["kong_points"], self.rules["base"]
        income: list[tuple[int, Fraction]] = []
        if kind == "exposed_kong":
            for other in self.others(seat):
                units = points["exposed"] if other == giver else points["exposed_others"]
                income.append((other, base * exact(units)))
        else:
            units = points["concealed" if kind == "concealed_kong" else "added"]
            if event.get("late") and self.rules["late_added_kong_free"]:
                units = 0
            income = [(other, base * exact(units)) for other in self.others(seat)]
        for payer, amount in income:
            self.pay(at, payer, seat, amount, kind)
        self.kongs.append(
            {"at": at, "seat": seat, "kind": kind, "income": income, "from": event.get("from")}
        )

    def may_rob(self, event: Mapping[str, Any], seat: int) -> bool:
        """Whether an event robs this seat, or is written so that it may have been meant to."""
        kind, by, loser = event.get("type"), event.get("by"), event.get("from")
        if kind != "win":
            known = ("kong", "escape", "draw", "false_win", "payment")
            return kind is not None and kind not in known
        if by != "rob_kong":
            return by not in ("discard", "self_draw")
        return loser == seat or loser not in self.seats

    def win(self, at: int, event: Mapping[str, Any]) -> None:
        by, winners = event.get("by"), event.get("winners")
        if by not in ("discard", "self_draw", "rob_kong"):
            raise bad("bad_field", field="by")
        if not isinstance(winners, list) or not 1 <= len(winners) <= (
            1 if by == "self_draw" else len(self.seats) - 1
        ):
            raise bad("bad_field", field="winners")
        seats = [self.seat_of(winner, "seat") for winner in winners]
        if len(set(seats)) != len(seats):
            raise bad("bad_field", field="winners")
        loser = None if by == "self_draw" else self.seat_of(event, "from")
        if event.get("after_kong") and by != "self_draw":
            raise bad("bad_field", field="after_kong")
        spoken = ("discard", "rob_kong") if self.rules["kong_discard_robbed"] else ("discard",)
        if event.get("kong_discard") and by not in spoken:
            raise bad("bad_field", field="kong_discard")
        problems = [problem for seat in seats for problem in self.acting(seat)]
        if loser is not None:
            problems += self.giving(loser, seats)
        kong = self.just_before(at) or {}
        if by == "rob_kong" and event.get("last_tile"):
            problems.append(("impossible_win", {}))
        if not self.kong_fits(at, event, kong, seats[0], loser):
            problems.append(("bad_event_order", {}))
        if problems:
            raise Bad(*problems)
        fans, drawn, four_jokers = self.fans_of_winners(at, event, winners)
        bloom = self.rules["bloom"] if event.get("after_kong") == "exposed_kong" else "self_draw"
        for seat in seats:
            alone = by != "self_draw" or bloom in ("discard", "giver_self_draw")
            if seat not in four_jokers and alone:
                payer = kong["from"] if by == "self_draw" else loser
                self.pay(at, payer, seat, self.amount(fans[seat], payer, drawn[seat]), "win")
                continue
            for other in self.others(seat):
                gives = bloom == "giver_pays_all" and seat not in four_jokers
                payer = kong["from"] if gives else other
                self.pay(at, payer, seat, self.amount(fans[seat], other, drawn[seat]), "win")
        if event.get("kong_discard"):
            self.move_kong_income(at, loser, seats)
        if self.first_win is None:
            self.first_win = event
        for seat in seats:
            self.wins[seat].append(fans[seat])
        ends = self.rules["round_ends"]
        three_end = ends == "three_wins" or not self.rules["blood_flow"]
        self.over = ends == "first_win" or (three_end and len(self.unwon()) <= 1)

    def unwon(self) -> list[int]:
        """Who has neither won nor claimed a win that was none."""
        return [s for s in self.seats if not self.has_won(s) and s not in self.false]

    def kong_fits(
        self,
        at: int,
        event: Mapping[str, Any],
        kong: Mapping[str, Any],
        winner: int,
        loser: int | None,
    ) -> bool:
        """Whether the kong that this win speaks of is the event directly before it."""
        if event["by"] == "rob_kong":
            earlier = (self.just_before(at - 1) or {}) if at else {}
            again = earlier.get("seat") == loser and not earlier.get("robbed")
            fits = again or not event.get("kong_discard")
            return bool(kong.get("robbed")) and kong.get("seat") == loser and fits
        if event.get("after_kong"):
            return (kong.get("seat"), kong.get("kind")) == (winner, event["after_kong"])
        return not event.get("kong_discard") or kong.get("seat") == loser

    def fans_of_winners(
        self, at: int, event: Mapping[str, Any], winners: list[Mapping[str, Any]]
    ) -> tuple[dict[int, int], dict[int, bool], set[int]]:
        """Capped 番 of every winner, as the table said or as the hand is worth, who gets what a
        self-draw adds, and who has won with four jokers."""
        fans: dict[int, int] = {}
        bloomed = event.get("after_kong") == "exposed_kong" and self.rules["bloom"] == "discard"
        self_drawn = event["by"] == "self_draw" and not bloomed
        drawn = {winner["seat"]: self_drawn for winner in winners}
        four_jokers: set[int] = set()
        shown: dict[int, tuple[list[str], str | None]] = {}
        for winner in winners:
            if "hand" not in winner:
                fan = self.fan_of(winner)
                if self.rules["min_fan"] is not None and fan < self.rules["min_fan"]:
                    raise bad("not_a_win", seat=winner["seat"])
                cap = self.rules["cap"]
                fans[winner["seat"]] = fan if cap is None else min(fan, cap)
                continue
            options = dict(self.options)
            if bloomed:
                options["self_draw_bonus"] = "none"
            asked: dict[str, Any] = {
                "ruleset": self.request["ruleset"],
                "options": options,
                "hand": winner["hand"],
                "by": event["by"],
                "seat": winner["seat"],
                "dealer": self.dealer,
            }
            for key in ("melds", "win_tile", "blessing", "horses", "void"):
                if winner.get(key) is not None:
                    asked[key] = winner[key]
            for key in ("after_kong", "kong_discard", "last_tile", "last_copy"):
                if event.get(key):
                    asked[key] = event[key]
            answer = self.value_of(asked)
            if answer["status"] == "error":
                raise bad(answer["code"])
            if answer["status"] != "win":
                raise bad("not_a_win", seat=winner["seat"])
            fans[winner["seat"]] = answer["fan"]
            tiles = shown_tiles(winner["hand"], winner.get("melds") or [], self.joker)
            if self.rules["joker"] == "1s" and tiles.count("1s") == 4:
                # Worth the cap and nothing else, or the hand itself as a self-draw; all pay.
                four_jokers.add(winner["seat"])
                above = exact(answer["multiple"]) - multiple_of(self.rules, answer["fan"])
                drawn[winner["seat"]] = above > 0
            shared = winner.get("win_tile") if event["by"] != "self_draw" else None
            shown[winner["seat"]] = (tiles, shared)
            if event["by"] == "rob_kong" and shared is not None:
                self.robbed.add((event["from"], shared))
        self.show(at, shown)
        return fans, drawn, four_jokers

    def move_kong_income(self, at: int, holder: int, winners: list[int]) -> None:
        """杠上炮: what the last kong brought, or all of them, goes on, back, or stays."""
        how = self.rules["kong_transfer"]
        if how == "none":
            return
        if how != "undo" and len(winners) > 1 and not self.rules["kong_transfer_several"]:
            return
        own = [kong for kong in self.kongs if kong["seat"] == holder]
        income = [share for kong in own[0 if how == "all" else -1 :] for share in kong["income"]]
        total = sum((amount for _, amount in income), Fraction(0))
        for kong in own[0 if how == "all" else -1 :]:
            kong["income"] = []
        if how == "undo":
            for payer, amount in income:
                if payer not in self.false:
                    self.pay(at, holder, payer, amount, "kong_undo")
            return
        if how in ("each", "all"):
            for winner in winners:
                self.pay(at, holder, winner, total, "kong_transfer")
            return
        step = Fraction(1) if self.rules["base"].denominator == 1 else Fraction(1, 100)
        share = total / len(winners) // step * step
        nearest = min(winners, key=lambda seat: (seat - holder) % len(self.seats))
        for winner in winners:
            rest = total - share * len(winners) if winner == nearest else Fraction(0)
            self.pay(at, holder, winner, share + rest, "kong_transfer")

    def false_win(self, at: int, event: Mapping[str, Any]) -> None:
        """诈和: the penalty, the kong money if it has to go back, and no further part."""
        seat = self.seat_of(event, "seat")
        if problems := self.acting(seat):
            raise Bad(*problems)
        penalty = self.rules["false_win"]
        due = self.rules["base"] * exact(penalty["points"])
        if penalty["to"] == "nobody":
            self.pay(at, seat, None, due, "false_win")
        else:
            for other in self.others(seat):
                self.pay(at, seat, other, due, "false_win")
        if penalty["returns_kongs"]:
            self.refund(at, [seat])
            for kong in self.kongs:
                if kong["seat"] == seat:
                    kong["income"] = []
        self.false.add(seat)
        if self.rules["blood_flow"]:
            self.over = sum(self.plays(s) for s in self.seats) <= 1
        else:
            self.over = len(self.unwon()) <= 1

    def refund(self, at: int, seats: list[int]) -> None:
        """These players give back the kong money that is still theirs."""
        for kong in self.kongs:
            if kong["seat"] in seats:
                for payer, amount in kong["income"]:
                    if payer not in self.false:
                        self.pay(at, kong["seat"], payer, amount, "refund")

    def payment(self, at: int, event: Mapping[str, Any]) -> None:
        """What the table has agreed."""
        payer, to = self.seat_of(event, "from"), self.seat_of(event, "to")
        amount = event.get("amount")
        if not _money(amount) or not amount:
            raise bad("bad_field", field="amount")
        if not isinstance(event.get("note", ""), str) or len(event.get("note", "")) > 80:
            raise bad("bad_field", field="note")
        if payer == to:
            raise bad("bad_from", seat=payer)
        self.pay(at, payer, to, exact(amount), "agreed")

    def escape(self, at: int, event: Mapping[str, Any]) -> None:
        seat = self.seat_of(event, "seat")
        if seat in self.left | self.false:
            raise bad("not_allowed", seat=seat)
        if self.has_won(seat):
            for _, payer, to, amount, reason in list(self.lines):
                if to == seat and reason == "win":
                    self.pay(at, seat, payer, amount, "forfeit")
            self.left.add(seat)
            return
        best = event.get("best") or {}
        for other in self.unwon():
            if other == seat:
                continue
            units = Fraction(16)
            if event.get("last_four"):
                units = max(units, exact(best.get(str(other), 0)))
            self.pay(at, seat, other, self.rules["base"] * units, "escape")
        self.over = True

    # --- the empty wall --------------------------------------------------------------------

    def draw(self, at: int, event: Mapping[str, Any]) -> None:
        hands = {int(seat): given for seat, given in (event.get("hands") or {}).items()}
        flow = self.rules["blood_flow"]
        problems: list[Problem] = []
        for seat in hands:
            if seat not in self.seats:
                raise bad("bad_field", field="hands")
            if self.has_won(seat) and not flow:
                problems.append(("seat_already_won", {"seat": seat}))
            elif seat in self.left | self.false:
                problems.append(("not_allowed", {"seat": seat}))
        for seat in self.unwon():
            if seat not in hands:
                problems.append(("missing_hand", {"seat": seat}))
        if problems:
            raise Bad(*problems)

        fans: dict[int, int] = {}  # the 番 that the check uses, of every ready seat
        bonus_for: set[int] = set()  # seats whose value carries the self-draw base
        waived: set[int] = set()
        shown: dict[int, tuple[list[str], str | None]] = {}
        for seat, given in sorted(hands.items()):
            state, fan, best = self.state_of(given)
            if self.has_won(seat) and state != "ready":
                raise bad("bad_field", field="state", seat=seat)
            self.states[seat] = state
            if state == "ready":
                fans[seat] = fan
                self.best[seat] = best
                if self.rules["check_by"] == "self_draw":
                    bonus_for.add(seat)
                if given.get("waived"):
                    waived.add(seat)
            if "hand" in given:
                tiles = shown_tiles(given["hand"], given.get("melds") or [], self.joker)
                shown[seat] = (tiles, None)
        self.show(at, shown)
        if flow:
            for seat in self.seats:
                if self.has_won(seat) and seat not in fans and seat not in self.false:
                    fans[seat] = max(self.wins[seat])
        for seat, best in self.best.items():
            self.best[seat] = multiple_of(self.rules, best)
            if seat in bonus_for:
                capped = best if self.rules["cap"] is None else min(best, self.rules["cap"])
                self.best[seat] += drawn_units(self.rules, capped)
        self.check_the_table(at, fans, bonus_for, waived)
        self.over = True

    def state_of(self, given: Mapping[str, Any]) -> tuple[str, int, int]:
        """(state, 番 that the check uses, 番 of the best wait) of one entry of the draw."""
        if "hand" not in given:
            state = given.get("state")
            possible = ("ready", "not_ready", "flower_pig")[: self.rules["suits"]]
            if state not in possible:
                raise bad("bad_field", field="state")
            fan = self.fan_of(given) if state == "ready" else 0
            return self.pig_or_not(state, given), fan, fan
        options = dict(self.options)
        if not self.rules["check_kongs"]:
            options["fans"] = {**options.get("fans", {}), **dict.fromkeys(KONG_KINDS)}
        asked: dict[str, Any] = {
            "ruleset": self.request["ruleset"],
            "options": options,
            "hand": given["hand"],
            "by": self.rules["check_by"],
        }
        for key in ("melds", "void", "seen"):
            if given.get(key) is not None:
                asked[key] = given[key]
        answer = self.value_of(asked)
        if answer["status"] == "error":
            raise bad(answer["code"])
        tiles = shown_tiles(given["hand"], given.get("melds") or [], self.joker)
        kongs = sum(m["kind"] != "pung" for m in given.get("melds") or [])
        if len(tiles) - kongs != 3 * self.rules["sets"] + 1:
            raise bad("bad_field", field="hand")
        if self.rules["joker"] == "1s" and tiles.count("1s") == 4:
            raise bad("bad_field", field="hand")
        suits = {tile[1] for tile in tiles if tile != self.joker}
        if len(suits) == 3 or given.get("void") in suits:
            return self.pig_or_not("flower_pig", given), 0, 0
        if answer["status"] != "ready":
            return "not_ready", 0, 0
        choose = min if self.rules["call_check"] == "min" else max
        waits = [wait["fan"] for wait in answer["waits"].values()]
        return "ready", choose(waits), max(waits)

    def pig_or_not(self, state: str, given: Mapping[str, Any]) -> str:
        """被动花猪: a pig that has thrown nothing but his void suit may be merely not ready."""
        spared = given.get("passive") and self.rules["passive_pig"] == "not_ready"
        return "not_ready" if state == "flower_pig" and spared else state

    def check_the_table(
        self, at: int, fans: Mapping[int, int], bonus_for: set[int], waived: set[int]
    ) -> None:
        rules, base = self.rules, self.rules["base"]
        pigs = [s for s in self.seats if self.states.get(s) == "flower_pig"]
        unready = [s for s in self.seats if self.states.get(s) == "not_ready"]

        def value(seat: int, payer: int | None) -> Fraction:
            return self.amount(fans[seat], payer, seat in bonus_for)

        pig = rules["pig"]
        fixed = pig["points"]
        if fixed == "cap":
            fixed = 8 if rules["cap"] is None else multiple_of(rules, rules["cap"])
        flat = base * exact(fixed)
        for seat in pigs:
            if pig["to"] == "nobody":
                self.pay(at, seat, None, flat, "flower_pig")
                continue
            for other in self.seats:
                if other in pigs or other in self.false:
                    continue
                if pig["to"] == "unwon" and self.has_won(other):
                    continue
                if pig["to"] == "ready" and other not in fans:
                    continue
                due = flat
                if other in fans and pig["times_best"]:
                    due = max(due, exact(pig["times_best"]) * value(other, seat))
                self.pay(at, seat, other, due, "flower_pig")

        if rules["call_check"] != "none":
            for seat in unready + (pigs if pig["also_not_ready"] else []):
                for other in fans:
                    if other not in waived:
                        self.pay(at, seat, other, value(other, seat), "not_ready")
                if rules["call_check_winners"] and not rules["blood_flow"]:
                    for other in self.seats:
                        if self.has_won(other):
                            due = self.amount(self.wins[other][0], seat)
                            self.pay(at, seat, other, due, "not_ready")

        if rules["difference"]:
            for low, high in permutations(fans, 2):
                gap = value(high, None) - value(low, None)
                if gap > 0 and high not in waived:
                    self.pay(at, low, high, gap, "difference")

        if rules["refund"]:
            self.refund(at, unready + pigs)

    # --- all of it -------------------------------------------------------------------------

    def play(self) -> dict[str, Any]:
        steps = {
            "kong": self.kong, "win": self.win, "escape": self.escape, "draw": self.draw,
            "false_win": self.false_win, "payment": self.payment,
        }  # fmt: skip
        for at, event in enumerate(self.events):
            try:
                if event.get("type") not in steps:
                    raise bad("bad_field", field="type")
                if self.over and event["type"] != "payment":
                    raise bad("bad_event_order")
                steps[event["type"]](at, event)
            except Bad as problem:
                errors = [{"code": code, "event": at, **more} for code, more in problem.problems]
                return {"status": "error", "errors": errors}
        return self.result()

    def next_dealer(self) -> int:
        following = (self.dealer + 1) % len(self.seats)
        if self.rules["next_dealer"] == "rotate":
            return following
        if self.first_win is None:
            return following if self.rules["nobody_won"] == "next" else self.dealer
        winners = self.first_win["winners"]
        return winners[0]["seat"] if len(winners) == 1 else self.first_win["from"]

    def result(self) -> dict[str, Any]:
        totals = [Fraction(0)] * len(self.seats)
        penalties = Fraction(0)
        flows: dict[str, Fraction] = defaultdict(Fraction)
        for at, payer, to, amount, reason in self.lines:
            totals[payer] -= amount
            if to is None:
                penalties += amount
            else:
                totals[to] += amount
            flows[f"{at}:{payer}>{to}:{reason}"] += amount
        return {
            "status": "settled",
            "totals": totals,
            "penalties": penalties,
            "next_dealer": self.next_dealer(),
            "flows": dict(flows),
            "open": not self.over,
            "seats": [
                "won" if self.has_won(seat) else (self.states.get(seat), self.best.get(seat))
                for seat in self.seats
            ],
        }


def settle(request: Mapping[str, Any], value_of: Callable[[dict], dict]) -> dict[str, Any]:
    """Totals, penalties, next dealer, flows and seats of a round, or its first bad event.

    ``value_of`` scores one hand (request and answer as for a single hand). Flows map
    ``event:from>to:reason`` to a sum; ``None`` is nobody, who receives penalties.
    """
    found = wrong_with(request)
    if found:
        return {"status": "error", "errors": found}
    return Round(request, value_of).play()


def fewest_payments(totals: list[Fraction], penalties: Fraction = Fraction(0)) -> int:
    """The least number of payments that settles the table, by trying every grouping.

    Debts that cancel inside a group of n people need n − 1 payments, so the answer is the number
    of people with a balance less the largest number of groups that cancel.
    """
    balances = [b for b in (*totals, penalties) if b]
    best = len(balances)

    def place(rest: list[Fraction], groups: list[Fraction]) -> None:
        nonlocal best
        if not rest:
            if not any(groups):
                best = min(best, len(balances) - len(groups))
            return
        for i in range(len(groups)):
            place(rest[1:], [*groups[:i], groups[i] + rest[0], *groups[i + 1 :]])
        place(rest[1:], [*groups, rest[0]])

    place(balances, [])
    return best
