"""Example hands and rounds as pages show them, with what the engine makes of them."""

from collections.abc import Collection
from typing import Any

from django.urls import reverse

from calculator.site.hands import rulings_beside
from calculator.words import badge, texts
from calculator.words import rounds as round_words
from calculator.words.answers import conditions, held, meld_faces, points, present, used, void_tiles
from scoring import rules as engine
from scoring.addresses.hand import hand_request, read_hand, rules_of, write_options, write_query
from scoring.addresses.round import RoundPage
from scoring.contract import rulings, score, settle
from scoring.rules import Rules
from scoring.tiles import TILE_NAMES

Json = dict[str, Any]

#: Three hands to try: parameters without the rules.
TO_TRY = (
    {"hand": "1233455567899p!5p"},
    {"hand": "2345678p[999p](2222s)!8p", "by": "self_draw", "after": "concealed_kong"},
    {"hand": "2333344455566m"},
)


def to_try(rules: Rules, path: str = "hand") -> list[Json]:
    """Three hands to begin with, as links to a page that takes a hand."""
    found: list[Json] = []
    for given in TO_TRY:
        page, _ = read_hand({"rules": rules.id, **given})
        shown = present(score(hand_request(page.parameters)), rules_of(page))
        faces = [f for m in page.hand.melds for f in meld_faces(m)]
        faces += [TILE_NAMES[t] for t in page.hand.tiles]
        if page.hand.win_tile is not None:
            faces.append(TILE_NAMES[page.hand.win_tile])
        found.append(
            {
                "link": f"{reverse(path)}?{write_query(page.parameters)}",
                "faces": faces,
                "headline": shown["headline"],
                "value": shown["value"],
                "guess": shown["guess"],
            }
        )
    return found


def hand_example(parameters: dict[str, str]) -> Json:
    """An example hand with what the engine says of it."""
    page, _bad = read_hand(parameters)
    rules = rules_of(page)
    request = hand_request(parameters)
    answer = score(request)
    jokers = page.hand.concealed.count(rules.joker_tile) if rules.joker_tile is not None else 0
    void_held = void_tiles(page.hand, page.void, rules)
    told = rulings_beside(page, rulings(request), answer)
    shown = present(answer, rules, jokers=jokers, void_held=void_held, rulings=told)
    return {
        "shown": shown,
        "held": held(page.hand),
        "badge": badge.badge(rules),
        "rules": rules.id,
        "way": conditions(page),
        "link": f"{reverse('hand')}?{write_query(page.parameters)}",
    }


def _round_page(request: Json, rules: Rules) -> RoundPage:
    """The address of an example round."""
    return RoundPage(
        rules=rules.id,
        opt=write_options(rules),
        dealer=request["dealer"],
        events=tuple(request["events"]),
    )


def round_example(request: Json, reason: str, *, unasked: Collection[str] = ()) -> Json:
    """An example round with the payments that the engine makes of it.

    ``unasked`` are assumed values that the example does not show.
    """
    answer = settle(request)
    answer["assumed"] = [key for key in answer["assumed"] if key not in unasked]
    rules = engine.load(request["ruleset"]).override(request.get("options", {}))

    seat = round_words.seat
    return {
        "badge": badge.badge(rules),
        "rules": rules.id,
        "link": f"{reverse('round')}?{_round_page(request, rules).query}",
        "events": [round_words.event(one) for one in request["events"]],
        "transfers": [
            {
                "from": seat(t["from"]),
                "to": seat(t["to"]),
                "amount": points(t["amount"]),
                "reason": texts.word(texts.REASONS, t["reason"]),
                "here": t["reason"] == reason,
            }
            for t in answer["transfers"]
        ],
        "totals": [
            {
                "seat": seat(number),
                "total": points(total),
                "sign": "plus" if total > 0 else "minus" if total < 0 else "",
            }
            for number, total in enumerate(answer["totals"])
        ],
        "next_dealer": seat(answer["next_dealer"]) if not answer.get("open") else "",
        "assumed": used(answer),
    }
