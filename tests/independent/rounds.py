"""Random rounds for `settle`: every system, every money option, every way that a round can go.

`request(random)` makes a legal round from a `random.Random`, so a seed says everything; most
winners are given by 番, some by hand. `spoilt(random, request)` changes one thing, and often makes
the round illegal.
"""

import copy
from collections import Counter

from .hands import JOKER, KONGS, put_in_jokers, winning_tiles
from .scorer import ZHONG, write_tile
from .settlement import SYSTEMS, table_rules

#: Jokers by what the option calls them.
JOKERS = {None: None, "1s": JOKER, "zhong": ZHONG}
STATES = ("ready", "not_ready", "flower_pig")


def options(rnd, ruleset):
    """Some house rules of a table: any option that changes who pays what."""
    some = {
        "base": lambda: rnd.choice([0, 0.01, 0.25, 0.5, 1, 1.5, 2, 5, 10, 1000]),
        "cap": lambda: rnd.choice([None, 3, 4, 5, 6, 8]),
        "self_draw_bonus": lambda: rnd.choice(
            ["none", "base", "base", "fan", "base_capped", "double"]
        ),
        "bloom": lambda: rnd.choice(["self_draw", "discard", "giver_pays_all", "giver_self_draw"]),
        "kong_points": lambda: part(rnd, exposed=3, exposed_others=2, added=2, concealed=4),
        "late_added_kong_free": lambda: rnd.random() < 0.5,
        "kong_in_out": lambda: rnd.random() < 0.6,
        "kong_transfer": lambda: rnd.choice(["each", "split", "undo", "none", "all"]),
        "kong_transfer_several": lambda: rnd.random() < 0.3,
        "kong_discard_robbed": lambda: rnd.random() < 0.7,
        "blood_flow": lambda: rnd.random() < 0.5,
        "round_ends": lambda: rnd.choice(["three_wins", "wall", "first_win"]),
        "refund": lambda: rnd.random() < 0.6,
        "pig": lambda: pig(rnd),
        "call_check": lambda: rnd.choice(["max", "min", "none"]),
        "call_check_winners": lambda: rnd.random() < 0.7,
        "difference": lambda: rnd.random() < 0.7,
        "check_by": lambda: rnd.choice(["discard", "self_draw", "self_draw"]),
        "check_kongs": lambda: rnd.random() < 0.3,
        "passive_pig": lambda: rnd.choice(["pig", "not_ready", "not_ready"]),
        "next_dealer": lambda: rnd.choice(["first_winner", "rotate"]),
        "nobody_won": lambda: rnd.choice(["stays", "next", "next"]),
        "false_win": lambda: false_win(rnd),
        "players": lambda: rnd.choice([4, 3, 3, 2]),
        "suits": lambda: rnd.choice([3, 2, 2]),
        "sets": lambda: rnd.choice([4, 3, 2]),
        "joker": lambda: rnd.choice([None, "1s", "zhong", "zhong"]),
        "fans": lambda: part(rnd, exposed_kong=2, added_kong=3, concealed_kong=3),
    }
    chosen = [name for name in some if rnd.random() < 0.2]
    found = {name: some[name]() for name in chosen}
    if rnd.random() < 0.04:
        linear = SYSTEMS[ruleset]["scale"] == "linear"
        found["scale"] = "double" if linear else "linear"
    return found


def part(rnd, **most):
    """Some of these keys, each with a number up to its most."""
    keys = rnd.sample(sorted(most), rnd.randint(1, len(most)))
    return {key: rnd.randint(0, most[key]) for key in keys}


def pig(rnd):
    whole = {
        "points": rnd.choice(["cap", 0, 1, 5, 8, 16, 24]),
        "times_best": rnd.choice([0, 1, 2, 5]),
        "to": rnd.choice(["non_pigs", "unwon", "ready", "nobody"]),
        "also_not_ready": rnd.random() < 0.5,
    }
    return {key: whole[key] for key in rnd.sample(sorted(whole), rnd.randint(1, 4))}


def false_win(rnd):
    whole = {
        "points": rnd.choice([0, 1, 8, 24]),
        "to": rnd.choice(["unwon", "nobody"]),
        "returns_kongs": rnd.random() < 0.7,
    }
    return {key: whole[key] for key in rnd.sample(sorted(whole), rnd.randint(1, 3))}


class Table:
    """What a made-up round has to remember to stay legal."""

    def __init__(self, rnd, ruleset, chosen, by_hand):
        self.rnd = rnd
        self.ruleset = ruleset
        self.rules = table_rules(ruleset, chosen)
        self.by_hand = by_hand
        self.events = []
        self.won = set()
        self.left = set()
        self.false = set()
        self.seats = range(self.rules["players"])
        self.over = False
        self.shown = {}
        self.joker = JOKERS[self.rules["joker"]]
        self.joker_name = None if self.joker is None else write_tile(self.joker)
        #: The suits that may be shown.
        self.suits = rnd.sample(range(3), self.rules["suits"])

    def playing(self):
        gone = self.false | (self.left if self.rules["blood_flow"] else self.won)
        return [seat for seat in self.seats if seat not in gone]

    def unwon(self):
        return [seat for seat in self.seats if seat not in self.won | self.false]

    def fan(self):
        lowest = 0 if self.rules["scale"] == "linear" else self.rules["fan0"]
        return lowest + self.rnd.choice([0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 9])

    def kong(self, robbed=False):
        rnd, playing = self.rnd, self.playing()
        kind = "added_kong" if robbed else rnd.choice(KONGS)
        kongs = [e["seat"] for e in self.events if e["type"] == "kong" and not e.get("robbed")]
        takers = [
            s
            for s in playing
            if (kind != "exposed_kong" or s not in self.won)
            and (robbed or kongs.count(s) < self.rules["sets"])
        ]
        if len(playing) < 2 or not takers:
            return None
        seat = rnd.choice(takers)
        event = {"type": "kong", "seat": seat, "kind": kind}
        if kind == "exposed_kong":
            event["from"] = rnd.choice([s for s in playing if s != seat])
        if robbed:
            event["robbed"] = True
        elif kind == "added_kong" and rnd.random() < 0.3:
            event["late"] = True
        self.events.append(event)
        return event

    def win(self, event, seats):
        """Book a win of these seats; `event` has everything but its winners."""
        shared = None if event["by"] == "self_draw" else {}
        event["winners"] = [self.winner(event, seat, shared) for seat in seats]
        self.events.append(event)
        self.won |= set(seats)
        ends = self.rules["round_ends"]
        three_end = ends == "three_wins" or not self.rules["blood_flow"]
        self.over = ends == "first_win" or (three_end and len(self.unwon()) < 2)

    def winner(self, event, seat, shared):
        found = None
        if self.rnd.random() < self.by_hand:
            found = self.winning_hand(event, seat, shared)
        return found or {"seat": seat, "fan": self.fan()}

    def cards(self):
        """Concealed tiles and melds of a hand that wins, in notation, jokers put in."""
        rnd = self.rnd
        while True:
            concealed, melds = winning_tiles(rnd, self.rules["sets"])
            inside = [0] * len(melds)
            if self.joker is not None:
                if any(tile == self.joker for _, tile in melds):
                    continue
                if rnd.random() < 0.6:
                    inside = put_in_jokers(rnd, concealed, melds, self.joker)
            own = [*concealed, *(tile for _, tile in melds)]
            if any(tile // 9 not in self.suits for tile in own if tile != self.joker):
                continue
            shown = [
                {"kind": kind, "tile": write_tile(tile), "jokers": jokers}
                for (kind, tile), jokers in zip(melds, inside, strict=True)
            ]
            return [write_tile(tile) for tile in concealed], shown

    def fits(self, seat, tiles, free=None):
        """No tile five times over the latest hands; `free` was counted with a winner before."""
        count = Counter(tiles)
        for other, shown in self.shown.items():
            if other != seat:
                count.update(shown)
        if free:
            count[free] -= 1
        return max(count.values()) <= 4

    def winning_hand(self, event, seat, shared):
        """A winner given by hand, or None where none was found that fits the event."""
        rnd = self.rnd
        for _ in range(20):
            tiles, melds = self.cards()
            if shared:
                if shared["tile"] not in tiles:
                    continue
                win_tile = shared["tile"]
            else:
                win_tile = rnd.choice(tiles) if tiles else None
            if not self.may_win(event, tiles, melds, win_tile):
                continue
            everything = tiles + self.meld_tiles(melds)
            if not self.fits(seat, everything, (shared or {}).get("tile")):
                continue
            if shared is not None:
                shared["tile"] = win_tile
            self.shown[seat] = everything
            found = {"seat": seat, "hand": "".join(tiles), "melds": melds, "win_tile": win_tile}
            if self.ruleset == "laok" and rnd.random() < 0.4:
                found["horses"] = [write_tile(rnd.randrange(27)) for _ in range(2)]
            return found
        return None

    def may_win(self, event, tiles, melds, win_tile):
        kinds = [meld["kind"] for meld in melds]
        if event.get("after_kong") and event["after_kong"] not in kinds:
            return False
        if event["by"] == "rob_kong":
            held = tiles.count(win_tile) + sum(meld["tile"] == win_tile for meld in melds)
            if held > 1:
                return False
        jokers = (tiles + self.meld_tiles(melds)).count(self.joker_name)
        won = self.joker == JOKER and jokers == 4
        return event["by"] == "self_draw" or (win_tile != self.joker_name and not won)

    def meld_tiles(self, melds):
        tiles = []
        for meld in melds:
            naturals = (3 if meld["kind"] == "pung" else 4) - meld["jokers"]
            tiles += [meld["tile"]] * naturals + [self.joker_name] * meld["jokers"]
        return tiles

    def step(self):
        """One more thing happens."""
        rnd = self.rnd
        what = rnd.random()
        if what < 0.3:
            self.kong()
        elif what < 0.4:
            earlier = self.events[-1] if self.events else {}
            kong = self.kong(robbed=True)
            if kong:
                others = [s for s in self.playing() if s != kong["seat"]]
                seats = rnd.sample(others, rnd.choice([1, 1, min(2, len(others))]))
                event = {"type": "win", "by": "rob_kong", "from": kong["seat"]}
                again = earlier.get("type") == "kong" and earlier["seat"] == kong["seat"]
                if again and self.rules["kong_discard_robbed"]:
                    event["kong_discard"] = True
                self.win(event, seats)
        elif what < 0.55:
            kong = self.kong()
            if kong and rnd.random() < 0.5:
                event = {"type": "win", "by": "self_draw", "after_kong": kong["kind"]}
                self.win(event, [kong["seat"]])
            elif kong:
                event = {"type": "win", "by": "discard", "from": kong["seat"]}
                event["kong_discard"] = True
                self.win(event, self.on_discard(kong["seat"]))
        elif what < 0.75:
            loser = rnd.choice(self.playing())
            event = {"type": "win", "by": "discard", "from": loser}
            if rnd.random() < 0.1:
                event["last_tile"] = True
            self.win(event, self.on_discard(loser))
        elif what < 0.88:
            self.win({"type": "win", "by": "self_draw"}, [rnd.choice(self.playing())])
        elif what < 0.91:
            self.false_win()
        elif what < 0.93:
            self.payment()
        elif what < (0.98 if self.ruleset == "laok" else 0.94):
            self.escape()

    def on_discard(self, loser):
        others = [s for s in self.playing() if s != loser]
        return self.rnd.sample(others, self.rnd.choice([1, 1, 1, min(2, len(others)), len(others)]))

    def false_win(self):
        seat = self.rnd.choice(self.playing())
        self.events.append({"type": "false_win", "seat": seat})
        self.false.add(seat)
        left = self.playing() if self.rules["blood_flow"] else self.unwon()
        self.over = len(left) < 2

    def payment(self):
        payer, to = self.rnd.sample(self.seats, 2)
        event = {"type": "payment", "from": payer, "to": to}
        event["amount"] = self.rnd.choice([1, 10, 12.5, 0.01, 100])
        if self.rnd.random() < 0.5:
            event["note"] = self.rnd.choice(["", "茶钱", "last time, 2.5 ~ 3"])
        self.events.append(event)

    def escape(self):
        rnd = self.rnd
        winners, unwon = sorted(self.won - self.left - self.false), self.unwon()
        if not (winners or unwon):
            return
        seat = rnd.choice(winners if winners and (rnd.random() < 0.6 or not unwon) else unwon)
        event = {"type": "escape", "seat": seat}
        if seat in self.won:
            self.left.add(seat)
        else:
            self.over = True
            if rnd.random() < 0.6:
                event["last_four"] = rnd.random() < 0.7
                others = [s for s in unwon if s != seat]
                event["best"] = {str(s): 2 ** rnd.randint(0, 7) for s in others}
        self.events.append(event)

    def draw(self):
        rnd, hands = self.rnd, {}
        for seat in self.seats:
            if seat in self.false:
                continue
            if seat in self.won:
                listed = self.rules["blood_flow"] and seat not in self.left and rnd.random() < 0.3
                if listed:
                    hands[str(seat)] = {"state": "ready", "fan": self.fan()}
                continue
            shown = self.shown_hand(seat) if rnd.random() < self.by_hand else None
            hands[str(seat)] = shown or self.stated()
        for hand in hands.values():
            if hand.get("state", "ready") == "ready" and rnd.random() < 0.15:
                hand["waived"] = True
            if rnd.random() < 0.15:
                hand["passive"] = True
        self.events.append({"type": "draw", "hands": hands})
        self.over = True

    def stated(self):
        state = self.rnd.choice(STATES[: self.rules["suits"]])  # no pig among two suits
        return {"state": state, "fan": self.fan()} if state == "ready" else {"state": state}

    def shown_hand(self, seat):
        """A hand one tile short: ready, or with a tile or two changed."""
        rnd = self.rnd
        for _ in range(20):
            tiles, melds = self.cards()
            if not tiles:
                continue
            tiles.pop(rnd.randrange(len(tiles)))
            for _ in range(rnd.choice([0, 0, 0, 1, 2])):
                tile = 9 * rnd.choice(self.suits) + rnd.randrange(9)
                tiles[rnd.randrange(len(tiles))] = write_tile(tile)
            everything = tiles + self.meld_tiles(melds)
            if self.joker == JOKER and everything.count(self.joker_name) > 3:
                continue
            if self.fits(seat, everything):
                self.shown[seat] = everything
                hand = {"hand": "".join(tiles), "melds": melds}
                if rnd.random() < 0.3 and self.rules["suits"] == 3:
                    hand["void"] = rnd.choice("mps")
                return hand
        return None


def request(rnd, ruleset=None, house_rules=True, by_hand=0.15):
    """One random legal round; `by_hand` is how many of the winners and ready hands are shown."""
    ruleset = ruleset or rnd.choice(sorted(SYSTEMS))
    chosen = options(rnd, ruleset) if house_rules and rnd.random() < 0.75 else {}
    table = Table(rnd, ruleset, chosen, by_hand if rnd.random() < 0.5 else 0)
    for _ in range(rnd.randint(0, 7)):
        if table.over or len(table.playing()) < 2:
            break
        table.step()
    if not table.over and rnd.random() < 0.85:
        table.draw()
    if rnd.random() < 0.05:
        table.payment()
    asked = {"ruleset": ruleset, "dealer": rnd.choice(table.seats), "events": table.events}
    if chosen:
        asked["options"] = chosen
    return asked


def spoilt(rnd, asked):
    """The same round with one thing changed, often so that it cannot have happened."""
    asked = copy.deepcopy(asked)
    events = asked["events"]
    if not events:
        return asked
    at = rnd.randrange(len(events))
    event = events[at]
    change = rnd.choice(["delete", "twice", "swap", "seat", "from", "field", "hands", "after_end"])
    if change == "delete":
        del events[at]
    elif change == "twice":
        events.insert(at, copy.deepcopy(event))
    elif change == "swap":
        other = rnd.randrange(len(events))
        events[at], events[other] = events[other], event
    elif change == "seat":
        whose = rnd.choice(event["winners"]) if event["type"] == "win" else event
        if "seat" in whose:
            whose["seat"] = rnd.choice([0, 1, 2, 3, 4, -1])
    elif change == "from" and "from" in event:
        event["from"] = rnd.choice([0, 1, 2, 3, 4, None])
    elif change == "field":
        wrong = {
            "kong": [("kind", "pung"), ("late", True), ("robbed", True), ("from", None)],
            "win": [
                ("by", "chow"),
                ("kong_discard", True),
                ("after_kong", rnd.choice(KONGS)),
                ("winners", []),
                ("winners", [{"seat": 0, "fan": -1}]),
                ("winners", [{"seat": 0, "fan": 1}, {"seat": 0, "fan": 1}]),
                ("winners", [{"seat": 0, "fan": 1}, {"seat": 1, "fan": 1}]),
            ],
            "escape": [("seat", rnd.randrange(4))],
            "false_win": [("seat", rnd.randrange(4))],
            "payment": [
                ("to", rnd.randrange(4)),
                ("amount", rnd.choice([0, -1, 0.001])),
                ("note", "三" * 81),
            ],
            "draw": [("hands", {})],
        }
        name, value = rnd.choice(wrong[event["type"]])
        event[name] = value
    elif change == "hands" and event["type"] == "draw":
        hands = event["hands"]
        seat = str(rnd.randrange(4))
        if seat in hands and rnd.random() < 0.5:
            del hands[seat]
        else:
            states = [{"state": "flower_pig"}, {"state": "asleep"}, {"state": "ready", "fan": 3}]
            hands[seat] = rnd.choice(states)
    elif change == "after_end":
        seat = rnd.randrange((asked.get("options") or {}).get("players", 4))
        events.append({"type": "kong", "seat": seat, "kind": "concealed_kong"})
    return asked
