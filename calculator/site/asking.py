"""What a round asks of the calculator: whose hand its entry waits for, and who would pay it."""

from urllib.parse import parse_qsl

from django.utils.translation import gettext

from calculator.words import texts
from scoring.addresses.round import read_round
from scoring.contract import settle
from scoring.hand import SELF_DRAW
from scoring.rules import MAX_FAN


def payers_of(query: str) -> int:
    """How many pay a self-draw of the entry of a round's address, as the engine books it.

    >>> payers_of("rules=chengdu&e=wd0,12&a=ws,2h")
    2
    """
    page, _ = read_round(dict(parse_qsl(query)))
    winners = (page.entry or {}).get("winners") or [{"seat": None}]
    seat = winners[0]["seat"]
    if seat is None:
        seat = next(iter(set(page.seats) - page.out_of_play), 0)
    drawn = {"type": "win", "by": SELF_DRAW, "winners": [{"seat": seat, "fan": MAX_FAN}]}
    answer = settle({**page.request, "events": [*page.earlier, drawn]})
    rows = answer.get("settled", answer).get("transfers", ())
    # Nothing is booked after a mistake; then all that can be said is who has not dropped out.
    booked = {row["from"] for row in rows if row["event"] == page.position}
    return len(booked) or len(page.seats) - 1 - len(page.out_of_play - {seat})


def hand_wanted(query: str) -> tuple[str, bool]:
    """Whose hand the entry of a round's address waits for, and whether it has won with it.

    An unnamed player is told by the seat's wind; nobody is "".

    >>> hand_wanted("a=ws,2h"), hand_wanted("n=王,,,&a=n,0h")
    (('西', True), ('王', False))
    """
    page, _ = read_round(dict(parse_qsl(query)))
    entry = page.entry or {}
    waits = [w["seat"] for w in entry.get("winners", ()) if w.get("hand") == ""]
    waits += [int(seat) for seat, s in entry.get("hands", {}).items() if s.get("hand") == ""]
    if not waits or waits[0] is None:
        return "", True
    name = page.names[waits[0]] if page.names else ""
    return name or gettext(texts.SEATS[waits[0]]), entry["type"] != "draw"
