"""Who pays how much for a win."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ..contract import score
from ..hand import KONGS, SELF_DRAW
from ..rules import Rules, number
from .model import Choice, Draft, Json, Question, Stratum, hundredths
from .value import right_keys, win_draft, wrong_fans


def _payment_key(rows: Sequence[Json]) -> str:
    return ".".join(f"{row['who']}-{row['players']}-{row['amount']}" for row in rows)


def _wrong_payments(
    rules: Rules, request: Json, answer: Json, level: int
) -> Iterator[tuple[list[Json], str, str | None]]:
    first = answer["payments"][0]
    shares = first.get("shares", 1)
    bare = rules.multiple(answer["fan"])
    extra = answer["multiple"] - bare

    def pays(multiple: int) -> list[Json]:
        return [{**first, "amount": number(multiple * shares * rules.base_cents)}]

    if request.get("payer_kongs"):
        yield pays(answer["multiple"]), "forgot_payer_kongs", None
    yield from _wrong_payers(first, rules.players - 1)
    if extra:
        yield pays(bare), "forgot_self_draw_base", None
    if answer["uncapped_fan"] > answer["fan"]:
        yield pays(rules.multiple(answer["uncapped_fan"]) + extra), "ignored_cap", None
    if rules.base != 1:
        yield [{**first, "amount": answer["multiple"] * shares}], "forgot_base", None
    if rules.scale == "double":
        yield pays(answer["fan"] + extra), "fan_not_multiple", None
        if rules.fan0:
            yield pays((1 << answer["fan"]) + extra), "doubled_once_more", None
    for fan, mistake, term in wrong_fans(rules, request, answer, level):
        if fan >= rules.least:
            yield pays(rules.multiple(fan) + extra), mistake, term


def _wrong_payers(first: Json, others: int) -> Iterator[tuple[list[Json], str, str | None]]:
    """The right amount from somebody else; of two players only one can pay."""
    if others == 1:
        return
    shares = first.get("shares", 1)
    if first["who"] == "giver":
        share = hundredths(first["amount"]) // shares
        other = 1 if shares > 1 else others
        lone: Json = {"who": "giver", "players": 1, "amount": number(share * other)}
        each: Json = {"who": "each_other", "players": others, "amount": number(share)}
        yield [each], "bloom_each", None
        yield [lone if other == 1 else {**lone, "shares": other}], "bloom_once", None
    elif first["who"] == "each_other":
        yield [{**first, "who": "discarder", "players": 1}], "one_pays", None
    else:
        yield [{**first, "who": "each_other", "players": others}], "all_pay", None


def draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A win and who pays for it, other kongs at the table included; None where a try fails."""
    kongs = [k for k in rng.choices(KONGS, k=rng.choice((0, 1, 1, 2))) if rules.fan_of(k)]
    owed = kongs if rules.kong_in_out and level > 1 else []

    def ask(request: Json, answer: Json) -> Question | None:
        if owed and request.get("by") != SELF_DRAW:
            request = {**request, "payer_kongs": [owed]}
            answer = score(request)
        rows = answer["payments"]
        found = {_payment_key(rows): Choice(_payment_key(rows), rows)}
        for wrong, mistake, term in _wrong_payments(rules, request, answer, level):
            if len(found) == 4:
                break
            if wrong[0]["amount"] > 0:
                key = _payment_key(wrong)
                found.setdefault(key, Choice(key, wrong, mistake, term))
        if len(found) < 4:
            return None
        choices = sorted(found.values(), key=lambda c: (c.value[0]["amount"], c.value[0]["who"]))
        right, assumed = right_keys(choices), tuple(answer["assumed"])
        return Question("payment", level, "", request, tuple(choices), right, assumed)

    return win_draft(rules, level, stratum, rng, ask)
