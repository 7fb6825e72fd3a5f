"""A round made ready for its page: seats, the entry being made, the log, the tables, in words.

Nothing is reckoned here: every number is the engine's.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils.translation import gettext, ngettext

from calculator.round.state import (
    DRAW,
    ESCAPE,
    FIRST,
    KINDS,
    PAYMENT,
    before,
    booked_kongs,
    entry_fields,
    groups,
    kind_of,
    konged,
    konger,
    lacks_kong,
    with_entry,
)
from calculator.site import build, wire
from calculator.words import badge, texts
from calculator.words.answers import balance, meld_faces, points, sentence, used_in_words
from calculator.words.rounds import isolated, title
from scoring.addresses.hand import hand_request, rules_of
from scoring.addresses.round import RoundPage, complete, holes
from scoring.contract import score, settle
from scoring.hand import (
    ADDED_KONG,
    DISCARD,
    EXPOSED_KONG,
    KONGS,
    ROB_KONG,
    SELF_DRAW,
    Win,
)
from scoring.notation import NotationError, parse
from scoring.rules import Rules
from scoring.score import least_fan
from scoring.settle import FALSE_WIN, FLOWER_PIG, NOT_READY, READY, TABLES
from scoring.tiles import TILE_NAMES
from scoring.words import N_

Json = dict[str, Any]

KIND_NAMES = {
    **{kind: texts.MELDS[kind] for kind in KONGS},
    **texts.WAYS,
    DRAW: N_("流局"),
    ESCAPE: N_("逃跑"),
    FALSE_WIN: N_("诈和"),
    PAYMENT: N_("约定"),
}
_WHO = {
    "kong": N_("谁开的杠"),
    "win": N_("谁胡"),
    "escape": N_("谁走了"),
    FALSE_WIN: N_("谁诈和"),
    PAYMENT: N_("付给谁"),
}
_FROM = {
    "exposed_kong": N_("谁点的杠"),
    DISCARD: N_("谁点的炮"),
    ROB_KONG: N_("抢了谁的杠"),
    PAYMENT: N_("谁付"),
}
TABLE_NAMES = {
    "kong": N_("杠"),
    "win": N_("胡"),
    "escape": N_("逃跑"),
    "flower_pig": N_("查花猪"),
    "not_ready": N_("查叫"),
    "difference": N_("补差价"),
    "refund": N_("退税"),
    "false_win": N_("诈和"),
    "agreed": N_("约定"),
}
#: Tables that are shown only when something stands in them.
_RARE = ("escape", "false_win", "agreed")
STATE_NAMES = {FLOWER_PIG: N_("花猪"), NOT_READY: N_("没叫"), READY: N_("有叫")}
_FLAG_NAMES = {
    "after_kong": N_("杠上花"),
    "kong_discard": N_("杠上炮"),
    "last_tile": N_("海底"),
    "late": N_("不是刚摸到的"),
    "last_four": N_("最后四张之内"),
}
#: The hands of a round that are drawn; more stand there in letters.
MOST_DRAWN = 20
#: Keys for 番: so many at most; more are typed.
KEYS = 8
LINEAR_KEYS = 10


def plain(value: int | float | Decimal) -> str:
    """An amount for a program that reads the page: a hyphen for the minus."""
    return points(value).replace("−", "-")


def sign(value: float | Decimal) -> str:
    """Which way an amount goes, as a class of the style sheet."""
    return "plus" if value > 0 else "minus" if value < 0 else "nil"


def names_of(page: RoundPage) -> list[str]:
    """The four names; an unnamed seat has its wind."""
    given = page.names or ("", "", "", "")
    return [
        isolated(name) if name else gettext(texts.SEATS[seat]) for seat, name in enumerate(given)
    ]


def faces(notation: str) -> list[Json]:
    """A hand's tiles to be drawn small, in groups that stay on one line: each concealed tile, each
    meld, the winning tile."""
    try:
        hand = parse(notation)
    except NotationError:
        return []
    found: list[Json] = [{"faces": [TILE_NAMES[t]], "won": False} for t in hand.tiles]
    for meld in hand.melds:
        found.append({"faces": meld_faces(meld), "won": False})
    if hand.win_tile is not None:
        found.append({"faces": [TILE_NAMES[hand.win_tile]], "won": True})
    return found


# What a transfer was for.


def why_words(row: Mapping[str, Any], names: Sequence[str]) -> str:
    """What an amount was reckoned from: 3番 · 自摸加底."""
    why = row.get("why")
    if why is None:
        return ""
    parts = [gettext("%(n)s番") % {"n": why["fan"]}]
    if "than" in why:
        parts = [gettext("%(more)s番补%(less)s番") % {"more": why["fan"], "less": why["than"]}]
    if "kongs" in why:
        parts.append(gettext("赔的人自己的杠加%(n)s番") % {"n": why["kongs"]})
    if "extra" in why:
        parts.append(gettext("自摸加底"))
    if "times" in why:
        parts.append(gettext("乘%(n)s") % {"n": why["times"]})
    if "share_of" in why:
        parts.append(gettext("替%(name)s付") % {"name": names[why["share_of"]]})
    return " · ".join(parts)


def _nobody(seat: int | None, names: Sequence[str]) -> str:
    return gettext("罚分") if seat is None else names[seat]


def transfer(row: Mapping[str, Any], names: Sequence[str]) -> Json:
    """One transfer in words."""
    return {
        **row,
        "payer": names[row["from"]],
        "taker": _nobody(row["to"], names),
        "amount_text": points(row["amount"]),
        "amount_plain": plain(row["amount"]),
        "reason_text": texts.word(texts.REASONS, row["reason"]),
        "why_text": why_words(row, names),
    }


def bundles(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Json]:
    """Transfers of one event, those alike as one line: 南、北 → 东 各 8; 东 → 南、北 各 16."""
    found: list[Json] = []
    for row in rows:
        alike = (row["reason"], row["amount"], why_words(row, names))
        for bundle in found:
            if bundle["alike"] != alike:
                continue
            if bundle["takers"] == [row["to"]]:
                bundle["payers"].append(row["from"])
                break
            if bundle["payers"] == [row["from"]]:
                bundle["takers"].append(row["to"])
                break
        else:
            sides = {"payers": [row["from"]], "takers": [row["to"]]}
            found.append({**transfer(row, names), **sides, "alike": alike})
    for bundle in found:
        bundle["payers_text"] = texts.joined(names[s] for s in dict.fromkeys(bundle["payers"]))
        bundle["taker"] = texts.joined(_nobody(s, names) for s in bundle["takers"])
        bundle["each"] = len(bundle["payers"]) + len(bundle["takers"]) > 2
    return found


def _won_by(event: Mapping[str, Any], names: Sequence[str]) -> list[Json]:
    """Winners or players at the wall's end, each with what they are worth or show."""
    found: list[Json] = []
    if event["type"] == "win":
        several = len(event["winners"]) > 1
        for winner in event["winners"]:
            found.append(
                {
                    "seat": winner["seat"],
                    "name": names[winner["seat"]] if several else "",
                    "text": _fan_words(winner),
                    "faces": faces(winner.get("hand") or ""),
                    "hand": winner.get("hand"),
                }
            )
    elif event["type"] == DRAW:
        for seat, standing in sorted(event["hands"].items()):
            state = standing.get("state")
            text = texts.word(STATE_NAMES, state) if state else ""
            if state == READY:
                text = gettext("有叫，%(fan)s 番") % {"fan": standing["fan"]}
            if standing.get("waived"):
                text = gettext("%(state)s，放过了胡牌") % {"state": text}
            if standing.get("passive"):
                text = gettext("被动花猪")
            found.append(
                {
                    "seat": int(seat),
                    "name": names[int(seat)],
                    "text": text,
                    "faces": faces(standing.get("hand") or ""),
                    "hand": standing.get("hand"),
                }
            )
    return found


def _fan_words(given: Mapping[str, Any]) -> str:
    fan = given.get("fan")
    return "" if fan is None else gettext("%(n)s番") % {"n": fan}


def hand_link(page: RoundPage, event: Mapping[str, Any], given: Mapping[str, Any]) -> Json:
    """The calculator's parameters for a hand of a round, under the event's conditions."""
    by = event.get("by", DISCARD)
    parameters = {
        "rules": page.rules,
        "hand": given.get("hand") or "",
        "by": "" if by == DISCARD else by,
        "after": event.get("after_kong") or "",
        "pao": "1" if event.get("kong_discard") else "",
        "last": "1" if event.get("last_tile") else "",
        "bless": given.get("blessing") or "",
        "void": given.get("void") or "",
        "opt": page.opt,
    }
    return {name: value for name, value in parameters.items() if value}


def hand_words(link: Mapping[str, str], rules: Rules) -> str:
    """What a winner's hand is worth, in a few words: 清一色 + 根×1，3番.

    ``link`` is the calculator's parameters for it.
    """
    if not link.get("hand"):
        return ""
    answer = score(hand_request(link))
    status = answer["status"]
    if status == "error":
        return _error_words(answer)
    if status != "win":
        return texts.word(texts.STATUSES, status)
    worth = {"terms": sentence(answer["terms"]), "fan": answer["fan"]}
    return gettext("%(terms)s，%(fan)s番") % worth


def hand_at_the_end(link: Mapping[str, str], rules: Rules) -> tuple[str, str]:
    """What a hand shows at the wall's end, as 查叫 reads it: its state, and that in words."""
    if not link.get("hand"):
        return "", ""
    answer = score(hand_request({**link, "by": rules.check_by}))
    if answer["status"] == "error":
        return "", _error_words(answer)
    if answer.get("flower_pig"):
        return FLOWER_PIG, texts.word(STATE_NAMES, FLOWER_PIG)
    if answer["status"] != "ready":
        return NOT_READY, texts.word(STATE_NAMES, NOT_READY)
    fans = [wait["fan"] for wait in answer["waits"]]
    counts = min(fans) if rules.call_check == "min" else fans[0]
    return READY, gettext("有叫，%(fan)s 番") % {"fan": counts}


def _error_words(answer: Json) -> str:
    return " ".join(texts.message(error) for error in answer["errors"])


# The whole round.


def replayed(request: Json) -> tuple[list[Json], Json]:
    """What is wrong with a round, and the round as far as it can be settled."""
    answer = settle(request)
    return answer.get("errors", []), answer.get("settled", answer)


class Shown:
    """A page's round, settled, with everything its template asks for."""

    def __init__(self, page: RoundPage, typed: Mapping[str, str] | None = None) -> None:
        self.page = page
        #: What stands in fields of the entry and cannot be read.
        self.typed = typed or {}
        self.fields = entry_fields(page)
        self.rules: Rules = rules_of(page)
        self.names = names_of(page)
        self.errors, self.settled = replayed(page.request)
        #: The event after which nothing is settled.
        self.broken = self.errors[0]["event"] if self.errors else None

    @property
    def over(self) -> bool:
        """Whether the round has come to its end."""
        return not self.settled["open"] and not self.errors

    def dealing(self) -> str:
        """Who deals next, and why."""
        deals = self.settled["next_dealer"]
        name = {"name": self.names[deals]}
        if self.rules.next_dealer == "rotate":
            return gettext("轮流坐庄，下一局%(name)s坐庄。") % name
        first = next((event for event in self.page.events if event["type"] == "win"), None)
        if first is None and deals == self.page.dealer:
            return gettext("这一局没有人胡，下一局还是%(name)s坐庄。") % name
        if first is not None and [w["seat"] for w in first["winners"]] == [deals]:
            return gettext("%(name)s第一个胡，下一局坐庄。") % name
        if first is not None and len(first["winners"]) > 1 and first["from"] == deals:
            return gettext("第一次胡就有几家，%(name)s点的炮，下一局坐庄。") % name
        return gettext("下一局%(name)s坐庄。") % name

    def seats(self) -> list[Json]:
        """The four seats: name, balance, how they stand."""
        found = []
        for seat in self.page.seats:
            result, total = self.settled["seats"][seat], self.settled["totals"][seat]
            marks = []
            if result["state"] == "won":
                marks += [gettext("胡 %(n)s 番") % {"n": fan} for fan in result["fans"]]
            elif result["state"]:
                marks.append(texts.word(STATE_NAMES, result["state"]))
            if result.get("left"):
                marks.append(gettext("已离开"))
            found.append(
                {
                    "seat": seat,
                    "name": self.names[seat],
                    "given": self.page.names[seat] if self.page.names else "",
                    "wind": gettext(texts.SEATS[seat]),
                    "dealer": seat == self.page.dealer,
                    "total": balance(total),
                    "plain": plain(total),
                    "sign": sign(total),
                    "marks": marks,
                    "won": result["state"] == "won",
                }
            )
        return found

    def log(self) -> list[Json]:
        """The events with what each moved and the balance after it."""
        return self._log

    @cached_property
    def _log(self) -> list[Json]:
        found: list[Json] = []
        drawn = 0
        events = self.page.events
        listed = groups(events)
        for number, group in enumerate(listed):
            at = group[-1]
            event = events[at]
            rows = [row for row in self.settled["transfers"] if row["event"] in group]
            errors = [e for e in self.errors if e.get("event") in group]
            stopped = self.broken is not None and self.broken < group.start
            running = self.settled["running"]
            tile = events[group[0]].get("tile")
            given = []
            for won in _won_by(event, self.names):
                drawn += bool(won["hand"])
                given.append(
                    self._given_words(event, won, stopped=stopped, drawn=drawn <= MOST_DRAWN)
                )
            found.append(
                {
                    "number": number + 1,
                    "at": at,
                    "kind": kind_of(event),
                    "title": title(event, self.names),
                    "tile": tile,
                    "given": given,
                    "bundles": bundles(rows, self.names),
                    "errors": [
                        {"code": e["code"], "message": texts.message(e, self.names)}
                        for e in errors
                    ],
                    "stopped": stopped,
                    "later": self._later(event) if not (rows or errors or stopped) else "",
                    "running": [
                        {"name": self.names[s], "text": balance(running[at][s]),
                         "sign": sign(running[at][s])}
                        for s in self.page.seats
                    ] if at < len(running) else [],
                    "first": number == 0,
                    "last": number == len(listed) - 1,
                    "editing": self.page.at is not None and self.page.at in group,
                }
            )  # fmt: skip
        return found

    def _valued(self, event: Mapping[str, Any], link: Mapping[str, str]) -> str:
        """What a hand is worth or shows, in a few words."""
        if event["type"] == DRAW:
            return hand_at_the_end(link, self.rules)[1]
        return hand_words(link, self.rules)

    def _given_words(
        self, event: Mapping[str, Any], given: Json, *, stopped: bool, drawn: bool
    ) -> Json:
        """A hand or 番 in words; what stands after a mistake is not valued, nor drawn."""
        link = hand_link(self.page, event, self._given(event, given["seat"]))
        drawn = drawn and not stopped
        text = given["text"]
        if given["hand"]:
            found = "" if stopped else self._valued(event, link)
            text = texts.joined(filter(None, (found, text, "" if drawn else given["hand"])))
        return {**given, "link": link, "text": text, "faces": given["faces"] if drawn else []}

    @staticmethod
    def _given(event: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
        if event["type"] == DRAW:
            return dict(event["hands"][str(seat)])
        return next(dict(w) for w in event["winners"] if w["seat"] == seat)

    def tables(self) -> list[Json]:
        """杠 · 胡 · 查花猪 · 查叫 · 补差价 · 退税 · 合计: a row each, a cell for every seat."""
        found: list[Json] = []
        for name, sums in self.settled["tables"].items():
            rows = [r for r in self.settled["transfers"] if r["reason"] in TABLES[name]]
            if not rows and name in _RARE:
                continue
            cells = []
            for seat in self.page.seats:
                mine = [r for r in rows if seat in (r["from"], r["to"])]
                cells.append(
                    {
                        "seat": seat,
                        "name": self.names[seat],
                        "text": balance(sums[seat]) if mine else "",
                        "sign": sign(sums[seat]),
                        "rows": [
                            {
                                **transfer(r, self.names),
                                "mine": ("+" if r["to"] == seat else "−") + points(r["amount"]),
                                "sign": "plus" if r["to"] == seat else "minus",
                                "event_text": title(self.page.events[r["event"]], self.names),
                            }
                            for r in mine
                        ],
                    }
                )
            found.append(
                {
                    "id": name,
                    "name": texts.word(TABLE_NAMES, name),
                    "cells": cells,
                    "penalty": points(sums[-1]) if sums[-1] else "",
                    "any": bool(rows),
                }
            )
        return found

    def payments(self) -> list[Json]:
        """Who pays whom so that the table is settled with the fewest payments."""
        return payments(self.settled["fewest_transfers"], self.names)

    def ledger(self) -> list[Json]:
        """Every transfer, in order."""
        return [transfer(row, self.names) for row in self.settled["transfers"]]

    def warnings(self) -> list[str]:
        """What deserves a second look, and how many more problems there are than are listed."""
        more = [error for error in self.errors if "event" not in error]
        return [texts.message(w, self.names) for w in (*more, *self.settled["warnings"])]

    def as_text(self, link: str) -> str:
        """The round as plain text, to be pasted anywhere."""
        lines = [badge.badge(self.rules)]
        for entry in self.log():
            given = (" ".join(filter(None, (g["name"], g["text"]))) for g in entry["given"])
            worth = texts.joined(filter(None, given))
            lines.append(f"{entry['number']}. {entry['title']}" + (f" {worth}" if worth else ""))
            for b in entry["bundles"]:
                flow = {"reason": b["reason_text"], "flow": _flow(b)}
                lines.append("   " + gettext("%(reason)s：%(flow)s") % flow)
        totals = zip(self.names, self.settled["totals"], strict=False)
        lines.append(" ".join(f"{name} {balance(total)}" for name, total in totals))
        lines += [f"{p['payer']} → {p['taker']} {p['amount']}" for p in self.payments()]
        lines += used_in_words(self.settled)
        return "\n".join([*lines, link])

    def preview(self) -> str:
        """The line under the title where a link is previewed: who pays whom, and the rules."""
        paid = [f"{p['payer']} → {p['taker']} {p['amount']}" for p in self.payments()]
        guess = [gettext("有推定值")] if paid and self.settled["assumed"] else []
        return " · ".join([*paid, *guess, badge.badge(self.rules)])

    def report(self, link: str) -> str:
        """What helps whoever looks into a round: address, version, numbers. In no language."""
        totals = " ".join(wire.dumps(total) for total in self.settled["totals"])
        lines = [link, f"{gettext('算番')} {build.version()} {build.mark()}", f"totals {totals}"]
        for row in self.settled["transfers"]:
            taker, amount = wire.dumps(row["to"]), wire.dumps(row["amount"])
            lines.append(f"{row['event']}: {row['from']} > {taker} {amount} {row['reason']}")
        if assumed := self.settled["assumed"]:
            lines.append(f"assumed {', '.join(assumed)}")
        return "\n".join(lines)

    # The entry being made.

    def kinds(self) -> list[Json]:
        """The buttons that begin an entry."""
        entry = self.page.entry
        on = None if entry is None else kind_of(entry)
        return [
            {"id": kind, "name": texts.word(KIND_NAMES, kind), "on": kind == on} for kind in KINDS
        ]

    def entry(self) -> Json | None:
        """The form of the entry, its payers and what it still needs."""
        entry = self.page.entry
        if entry is None:
            return None
        kind = kind_of(entry)
        page = self.page
        stay = self.rules.blood_flow
        out = page.out_of_play
        made: Json = {
            "kind": kind,
            "name": texts.word(KIND_NAMES, kind),
            "editing": page.at is not None,
            "flags": self._flags(entry, kind),
            "tiles": entry["type"] == "kong",
            "tile": entry.get("tile"),
        }
        if kind != DRAW:
            alone = entry.get("to") if kind == PAYMENT else entry.get("seat")
            chosen = [w["seat"] for w in entry.get("winners", ())] or [alone]
            if kind in (ESCAPE, PAYMENT):
                out = set()
            made["who"] = {
                "verb": "who",
                "label": texts.word(_WHO, entry["type"]),
                "seats": self._square(chosen, out, "who"),
            }
        if "from" in entry:
            made["giver"] = {
                "verb": "from",
                "label": texts.word(_FROM, kind),
                "seats": self._square([entry["from"]], out, "from"),
            }
        if entry["type"] == "win":
            nobody: Json = {"seat": None, "fan": None}
            made["given"] = [self._winner(entry, w) for w in entry["winners"] or [nobody]]
            made["kong_before"] = self._kong_before(entry, out)
        if kind == DRAW:
            made["standings"] = [
                self._standing(entry, seat, won=seat in page.has_won)
                for seat in self.page.seats
                if stay or seat not in out
            ]
            spares = self.rules.passive_pig == "not_ready"
            if spares or any(each["passive"] for each in made["standings"]):
                made["passive"] = made["standings"]
        if kind == PAYMENT:
            made["who"], made["giver"] = made["giver"], made["who"]
            made["payment"] = {"amount": self._field("m0"), "note": self._field("t0")}
        if kind == ESCAPE and entry.get("last_four"):
            won = page.has_won
            made["least"] = self.rules.runaway_points
            made["best"] = [
                {"seat": s, "name": self.names[s], "field": self._field(f"b{s}")}
                for s in self.page.seats
                if s != entry["seat"] and s not in won
            ]
        made["doubts"] = self._too_little([*made.get("given", ()), *made.get("standings", ())])
        return made | self._preview(entry, kind)

    def _kong_before(self, entry: Mapping[str, Any], out: set[int]) -> Json | None:
        """What can be noted down as the kong that the entry speaks of, a button for each."""
        seat = konger(entry)
        if seat is None or not lacks_kong(self.page):
            return None
        choices = []
        for kind in [entry["after_kong"]] if entry.get("after_kong") else KONGS:
            givers = [s for s in self.page.seats if s != seat and s not in out]
            for giver in givers if kind == EXPOSED_KONG else (None,):
                kong = {"type": "kong", "seat": seat, "kind": kind, "from": giver}
                value = f"before:{kind}" if giver is None else f"before:{kind}:{giver}"
                choices.append({"value": value, "name": title(kong, self.names)})
        label = (
            gettext("杠上花前面的那一杠")
            if entry.get("after_kong")
            else gettext("杠上炮前面的那一杠")
        )
        return {"label": label, "choices": choices}

    def _square(self, chosen: Sequence[int | None], out: set[int], verb: str) -> list[Json]:
        return [
            {
                "seat": seat,
                "name": self.names[seat],
                "on": seat in chosen,
                "why": gettext("%(name)s已经胡了") % {"name": self.names[seat]}
                if seat in out and seat not in chosen
                else "",
                "value": f"{verb}:{seat}",
            }
            for seat in self.page.seats
        ]

    def _flags(self, entry: Mapping[str, Any], kind: str) -> list[Json]:
        kong = before(self.page)
        names = {
            ADDED_KONG: ["late"] if self.rules.late_added_kong_free else [],
            DISCARD: ["kong_discard", "last_tile"],
            SELF_DRAW: ["after_kong", "last_tile"],
            ESCAPE: ["last_four"],
        }.get(kind, [])
        found = []
        for name in names:
            on = bool(entry.get(name))
            if name in ("kong_discard", "after_kong") and not (on or konged(entry, kong)):
                continue
            if name == "last_tile" and not any(w.get("hand") for w in entry["winners"]) and not on:
                continue  # 番 given by the table has everything in it
            found.append({"id": name, "name": texts.word(_FLAG_NAMES, name), "on": on})
        return found

    def keys(self) -> list[Json]:
        """The keys for 番, each with the multiple that it stands for."""
        rules = self.rules
        if rules.scale == "linear":
            fans = range(1, LINEAR_KEYS + 1)
        else:
            top = rules.cap if rules.cap is not None else rules.fan0 + KEYS - 1
            fans = range(rules.fan0, max(rules.fan0, min(top, rules.fan0 + LINEAR_KEYS)) + 1)
        return [
            {"fan": fan, "multiple": gettext("%(n)s倍") % {"n": rules.multiple(rules.capped(fan))}}
            for fan in fans
        ]

    def _least(self, entry: Mapping[str, Any], seat: int | None) -> Json:
        """The least 番 that a player can have, as far as the round knows, and why."""
        kongs = [] if seat is None else booked_kongs(self.page, seat)
        win = (
            Win(self.rules.check_by)
            if entry["type"] == DRAW
            else Win(
                entry["by"],
                after_kong=entry.get("after_kong"),
                kong_discard=bool(entry.get("kong_discard")),
                last_tile=bool(entry.get("last_tile")),
            )
        )
        fan = least_fan(kongs, rules=self.rules, win=win)
        found = [texts.MELDS[kind] for kind in dict.fromkeys(kongs)]
        found += [_FLAG_NAMES[flag] for flag in ("after_kong", "kong_discard") if entry.get(flag)]
        found += [texts.WAYS[ROB_KONG]] if entry.get("by") == ROB_KONG else []
        known = {"terms": texts.joined(map(gettext, found)), "fan": fan}
        return {**known, "text": gettext("有%(terms)s：至少 %(fan)s 番") % known if found else ""}

    def _too_little(self, given: Iterable[Json]) -> list[str]:
        """Whoever is given less than the booked kongs alone are worth: it is taken, and said."""
        return [
            gettext("%(name)s有%(terms)s，至少 %(fan)s 番；这里照 %(given)s 番记。")
            % {**each["least"], "name": each["name"], "given": each["fan"]}
            for each in given
            if each["fan"] is not None
            and each["fan"] < each["least"]["fan"]
            and each["seat"] is not None
        ]

    def _winner(self, entry: Mapping[str, Any], winner: Mapping[str, Any]) -> Json:
        seat = winner["seat"]
        link = hand_link(self.page, entry, winner)
        return {
            "seat": seat,
            "name": "" if seat is None else self.names[seat],
            "fan": winner.get("fan"),
            "hand": winner.get("hand"),
            "faces": faces(winner.get("hand") or ""),
            "keys": self.keys(),
            "fan_value": f"fan:{FIRST if seat is None else seat}",
            "least": self._least(entry, seat),
            "link": link,
            "found": hand_words(link, self.rules),
            "field": self._field(f"f{seat}"),
            "horses": self._field(f"h{seat}"),
        }

    def _field(self, name: str) -> Json | None:
        """A field that is typed into: what it shows, and what the entry has for it."""
        held = self.fields.get(name)
        if held is None:
            return None
        wrong = name in self.typed
        return {"value": self.typed.get(name, held), "held": held, "wrong": wrong}

    def _standing(self, entry: Mapping[str, Any], seat: int, *, won: bool) -> Json:
        standing = entry["hands"].get(str(seat), {})
        hand = standing.get("hand")
        link = hand_link(self.page, entry, standing)
        read, found = hand_at_the_end(link, self.rules)
        state = standing.get("state") or read
        return {
            "seat": seat,
            "name": self.names[seat],
            "won": won,
            "states": [
                {"id": s, "name": texts.word(STATE_NAMES, s), "on": s == state,
                 "value": f"state:{seat}:{s}"}
                for s in (() if won else (FLOWER_PIG, NOT_READY))
            ] + [
                {"id": READY, "name": texts.word(STATE_NAMES, READY), "on": state == READY,
                 "value": f"state:{seat}:{READY}"}
            ],
            "fan": standing.get("fan"),
            "hand": hand,
            "faces": faces(hand or ""),
            "open": state == READY or bool(standing.get("waived")),
            "keys": self.keys(),
            "fan_value": f"fan:{seat}",
            "least": self._least(entry, seat),
            "field": self._field(f"f{seat}"),
            "waived": bool(standing.get("waived")),
            "pig": state == FLOWER_PIG or bool(standing.get("passive")),
            "passive": bool(standing.get("passive")),
            "link": link,
            "found": found,
        }  # fmt: skip

    def _preview(self, entry: Mapping[str, Any], kind: str) -> Json:
        """Who would pay what, and what the entry still needs before it can be saved."""
        missing = holes(entry)
        lacking = [name for hole in missing for name in self._lacking(hole, entry, kind)]
        if lacks_kong(self.page):
            flower = gettext("杠上花") if entry.get("after_kong") else gettext("杠上炮")
            lacking.append(gettext("%(names)s前面的那一杠") % {"names": flower})
        made: Json = {"missing": "", "problems": [], "bundles": [], "payers": "", "ready": False}
        if lacking:
            made["missing"] = gettext("还差：%(names)s") % {"names": texts.joined(lacking)}
            made["payers"] = self._payers(entry)
            if missing == ("fan",) and not lacks_kong(self.page):
                made["needs"] = [f"f{seat}" for seat in _without_fan(entry)]
            if missing == ("amount",):
                made["needs"] = ["m0"]
            return made
        events, at = with_entry(self.page)
        errors, settled = replayed({**self.page.request, "events": list(events[: at + 1])})
        absent = [e["seat"] for e in errors if e["code"] == "missing_hand"]
        if absent:
            names = texts.joined(self.names[s] for s in absent)
            made["missing"] = gettext("还差：%(names)s") % {"names": names}
            errors = [e for e in errors if e["code"] != "missing_hand"]
        made["problems"] = [
            {"code": e["code"], "message": texts.message(e, self.names)} for e in errors
        ]
        rows = [r for r in settled["transfers"] if r["event"] == at]
        made["bundles"] = bundles(rows, self.names)
        if not rows and not errors and not absent:
            made["nothing"] = self._later(entry) or gettext("谁也不用付。")
        made["ready"] = not absent
        return made

    def _later(self, event: Mapping[str, Any]) -> str:
        """杠进杠出: what an event says instead of who pays, where that comes with a win."""
        if event["type"] == "kong" and self.rules.kong_in_out and not event.get("robbed"):
            return gettext("现在不付，有人胡再算。")
        return ""

    def _payers(self, entry: Mapping[str, Any]) -> str:
        """Who will pay, as far as that is known before the 番 is."""
        made = dict(entry)
        if made["type"] != "win" or not made["winners"]:
            return ""
        least = self.rules.least
        made["winners"] = [
            {"seat": w["seat"], "fan": least + 1} for w in made["winners"] if w["seat"] is not None
        ]
        if not made["winners"] or not complete(made):
            return ""
        events, at = with_entry(RoundPage(
            self.page.rules, self.page.opt, self.page.dealer, self.page.names,
            self.page.events, made, self.page.at,
        ))  # fmt: skip
        _, settled = replayed({**self.page.request, "events": list(events[: at + 1])})
        rows = [r for r in settled["transfers"] if r["event"] == at and r["reason"] == "win"]
        if not rows:
            return ""
        who = dict.fromkeys(row["from"] for row in rows)
        return gettext("%(names)s付") % {"names": texts.joined(self.names[s] for s in sorted(who))}

    def _lacking(self, hole: str, entry: Mapping[str, Any], kind: str) -> list[str]:
        """What fills a hole of the entry, in words."""
        if hole in ("seat", "winners", "to"):
            return [texts.word(_WHO, entry["type"])]
        if hole == "from":
            return [texts.word(_FROM, kind)]
        if hole == "amount":
            return [gettext("多少分")]
        if hole == "hand":
            waits = [seat for seat, each in _givens(entry) if each.get("hand") == ""]
            return [gettext("%(name)s的牌") % {"name": self._name(seat)} for seat in waits]
        fanless = [self._name(seat) for seat in _without_fan(entry)]
        return [gettext("%(name)s几番") % {"name": name} for name in fanless]

    def _name(self, seat: int | None) -> str:
        return gettext("这手牌") if seat is None else self.names[seat]

    @property
    def number(self) -> int:
        """Where the entry stands among the listed events, from one."""
        at = self.page.position
        return sum(group.start < at for group in groups(self.page.events)) + 1


def _givens(entry: Mapping[str, Any]) -> list[tuple[int | None, Mapping[str, Any]]]:
    """The players of an entry who are given by 番 or hand."""
    if entry["type"] == DRAW:
        return [(int(seat), standing) for seat, standing in entry["hands"].items()]
    return [(winner["seat"], winner) for winner in entry["winners"]]


def _without_fan(entry: Mapping[str, Any]) -> list[int | None]:
    """Those of them whose 番 is still to be said."""
    return [
        seat
        for seat, given in _givens(entry)
        if given.get("state", READY) == READY
        and given.get("hand") is None
        and given.get("fan") is None
    ]


def _flow(bundle: Mapping[str, Any]) -> str:
    arrow = f"{bundle['payers_text']} → {bundle['taker']}"
    if bundle["each"]:
        return f"{arrow} " + gettext("各%(n)s") % {"n": bundle["amount_text"]}
    return f"{arrow} {bundle['amount_text']}"


def payments(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Json]:
    """Payments in words."""
    return [
        {
            "from": row["from"],
            "to": row["to"],
            "payer": names[row["from"]],
            "taker": _nobody(row["to"], names),
            "amount": points(row["amount"]),
        }
        for row in rows
    ]


def count_words(number: int) -> str:
    """How many payments."""
    return ngettext("%(n)s笔付清", "%(n)s笔付清", number) % {"n": number}
