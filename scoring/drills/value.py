"""How many fan, and which patterns: the right ones, and those that players count by mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from ..contract import score
from ..hand import CONCEALED_KONG, EXPOSED_KONG, KONGS, SELF_DRAW
from ..notation import parse
from ..patterns import BONUSES, GEN, PING_HU, SI_JI, TERMS, ZI_MO
from ..rules import Rules
from .hands import as_planned, asking, circumstances, hand_of, with_options
from .model import LEVELS, RIGHT, Choice, Draft, Json, Question, Stratum
from .strata import PAIRED, PARTS, PUNGED, PURE, winning_strata

Wrong = tuple[int, str, str | None]


def _held_patterns(rules: Rules, request: Json, answer: Json) -> list[tuple[str, Json]]:
    """The patterns that would count if the better ones did not, best first, each with its answer.

    The first is the one that counts.  Only for systems that take one pattern.
    """
    found = [(answer["patterns"][0], answer)]
    off: dict[str, None] = {}
    while found[-1][0] != PING_HU and len(found) < 6:
        off[found[-1][0]] = None
        lesser = score({**request, "options": with_options(rules, {"fans": off})})
        if lesser["status"] != "win" or lesser["patterns"][0] in off:
            break
        found.append((lesser["patterns"][0], lesser))
    return found


def wrong_fans(rules: Rules, request: Json, answer: Json, level: int) -> Iterator[Wrong]:
    """The fan that players arrive at by mistake, the likeliest mistakes first.

    The first level speaks of what it shows alone, so that a beginner knows every word of it.
    """
    fan, raw = answer["fan"], answer["uncapped_fan"]
    if raw > fan:
        yield raw, "ignored_cap", None
    yield from _roots_miscounted(rules, answer)
    yield from _kongs_miscounted(rules, answer)
    yield from _bonuses_forgotten(rules, answer)
    yield from _patterns_miscounted(rules, request, answer)
    for other in answer.get("alternatives", ()):
        yield other["fan"], "lesser_reading", None
    yield from _draw_miscounted(rules, request, answer)
    yield from _seen_too_much(rules, request, answer, level)
    plain = rules.fan_of(PING_HU)
    if plain == 0 and rules.scale == "double":
        yield rules.capped(raw + 1), "plain_is_one", PING_HU
    elif plain == 1:
        yield rules.capped(raw - 1), "plain_is_nothing", PING_HU
    near = [fan + step for step in (1, -1, 2, -2, 3, -3)]
    # Nobody chooses more than the cap by miscounting, as long as there is anything else.
    for other in sorted(near, key=lambda other: rules.cap is not None and other > rules.cap):
        yield other, "miscounted", None


def _by_id(answer: Json) -> dict[str, Json]:
    return {term["id"]: term for term in answer["terms"]}


def _roots_miscounted(rules: Rules, answer: Json) -> Iterator[Wrong]:
    raw, gen, terms = answer["uncapped_fan"], rules.fan_of(GEN), _by_id(answer)
    absorbs = [p for p in answer["patterns"] if TERMS[p].absorbs_quads]
    if absorbs and gen:
        yield rules.capped(raw + gen), "dragon_twice", absorbs[0]
    if GEN in terms:
        lost = terms[GEN]["fan"] // terms[GEN]["count"]
        yield rules.capped(raw - lost), "forgot_root", GEN
        yield rules.capped(raw - terms[GEN]["fan"]), "forgot_roots", GEN


def _kongs_miscounted(rules: Rules, answer: Json) -> Iterator[Wrong]:
    raw, gen, terms = answer["uncapped_fan"], rules.fan_of(GEN), _by_id(answer)
    if any(TERMS[p].absorbs_kongs for p in answer["patterns"]):
        yield rules.capped(raw + rules.sets), "kongs_twice", answer["patterns"][0]
    for kind in KONGS:
        if kind in terms:
            yield rules.capped(raw - terms[kind]["fan"]), "forgot_kong", kind
            if gen:
                yield rules.capped(raw + gen * terms[kind]["count"]), "kong_as_root", kind
            usual = (rules.fan_of(EXPOSED_KONG) or 0) * terms[kind]["count"]
            if usual != terms[kind]["fan"]:
                yield rules.capped(raw - terms[kind]["fan"] + usual), "kongs_alike", kind


def _bonuses_forgotten(rules: Rules, answer: Json) -> Iterator[Wrong]:
    terms = _by_id(answer)
    for term in _FORGOTTEN:
        if term in terms:
            yield rules.capped(answer["uncapped_fan"] - terms[term]["fan"]), "forgot_bonus", term


#: The bonuses that are forgotten, the likeliest first.
_FORGOTTEN = (
    "gang_shang_hua",
    "gang_shang_pao",
    "qiang_gang",
    "hai_di",
    "wu_ji",
    "men_qing_zi_mo",
    *(term.id for term in BONUSES if term.house and term.id != ZI_MO),
)


def _patterns_miscounted(rules: Rules, request: Json, answer: Json) -> Iterator[Wrong]:
    raw, terms = answer["uncapped_fan"], _by_id(answer)
    if rules.combine == "sum":
        for pattern in answer["patterns"]:
            if pattern in terms and terms[pattern]["fan"]:
                yield rules.capped(raw - terms[pattern]["fan"]), "forgot_pattern", pattern
    elif answer["patterns"]:
        for pattern, lesser in _held_patterns(rules, request, answer)[1:]:
            yield lesser["fan"], "lesser_pattern", pattern
        best = answer["patterns"][0]
        parts = [rules.fan_of(part) for part in PARTS.get(best, ())]
        if parts and GEN not in PARTS[best]:
            own = rules.fan_of(best) or 0
            total = sum(part or 0 for part in parts)
            yield rules.capped(raw - own + total), "added_patterns", best


def _draw_miscounted(rules: Rules, request: Json, answer: Json) -> Iterator[Wrong]:
    if request.get("by") != SELF_DRAW or {ZI_MO, "men_qing_zi_mo"} & _by_id(answer).keys():
        return
    more = rules.capped(answer["uncapped_fan"] + 1)
    if rules.fan_of("men_qing_zi_mo"):
        yield more, "self_draw_open", "men_qing_zi_mo"
    elif rules.self_draw_bonus == "none":
        yield more, "self_draw_fan", None
    elif rules.self_draw_bonus == "base":
        yield more, "self_draw_base", None


def _seen_too_much(rules: Rules, request: Json, answer: Json, level: int) -> Iterator[Wrong]:
    """The fan of those who see more in a hand than these rules or its tiles have."""
    if level == LEVELS[0]:
        return
    raw, capped = answer["uncapped_fan"], rules.capped
    hand = parse(request["hand"])
    held = [*hand.concealed, *(m.tile for m in hand.melds for _ in range(m.size))]
    gen = rules.fan_of(GEN)
    if gen and any(held.count(t) == 3 for t in held if t != rules.joker_tile):
        yield capped(raw + gen), "pung_as_root", GEN
    if level == LEVELS[-1]:
        if all(m.kind == CONCEALED_KONG for m in hand.melds) and not rules.fan_of("men_qing"):
            yield capped(raw + 1), "foreign_term", "men_qing"
        if all(t % 9 not in (0, 8) for t in held) and not rules.fan_of("zhong_zhang"):
            yield capped(raw + 1), "foreign_term", "zhong_zhang"
    best = answer["patterns"][0] if answer["patterns"] else ""
    if rules.combine != "sum" and best not in PURE and len({t // 9 for t in held}) > 1:
        pure = next((p for p, (part, *_) in PARTS.items() if part == best and p in PURE), "")
        pure = "qing_yi_se" if best == PING_HU else pure
        fan, own = rules.fan_of(pure), rules.fan_of(best)
        if fan is not None and own is not None:
            yield capped(raw - own + fan), "not_this_pattern", pure


def numbers(right: int, wrongs: Iterable[Wrong], least: int, many: int = 4) -> tuple[Choice, ...]:
    """The right number among the first wrong ones that differ from it and each other, in order."""
    found = {right: Choice(str(right), right)}
    for value, mistake, term in wrongs:
        if len(found) == many:
            break
        if value >= least:
            found.setdefault(value, Choice(str(value), value, mistake, term))
    return tuple(found[value] for value in sorted(found))


def right_keys(choices: Iterable[Choice]) -> tuple[str, ...]:
    """The keys of the right ones among the choices."""
    return tuple(choice.key for choice in choices if choice.mistake == RIGHT)


def win_draft(
    rules: Rules,
    level: int,
    stratum: Stratum,
    rng: Random,
    ask: Callable[[Json, Json], Question | None],
) -> Draft | None:
    """A draft about a winning hand; ``ask`` gets the request and the engine's answer."""
    made = hand_of(rules, level, stratum, rng, 4)
    if made is None:
        return None

    def asked() -> Question | None:
        if not as_planned(made, stratum, rules):
            return None
        how = circumstances(stratum, made, rng, level)
        if how is None:
            return None
        request = asking(rules, made.hand, **how)
        answer = score(request)
        if answer["status"] != "win" or answer["notes"]:
            return None
        counted = {term["id"] for term in answer["terms"]}
        if stratum.luck and stratum.luck not in counted:
            return None
        return ask(request, answer)

    return Draft(made.key, asked)


def fan_draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A winning hand and its fan; None where a random try fails."""

    def ask(request: Json, answer: Json) -> Question:
        choices = numbers(answer["fan"], wrong_fans(rules, request, answer, level), rules.least)
        return Question(
            "fan", level, "", request, choices, right_keys(choices), tuple(answer["assumed"])
        )

    return win_draft(rules, level, stratum, rng, ask)


_Counted = tuple[tuple[str, int], ...]


def _named(answer: Json) -> _Counted:
    """The patterns that count, with the roots."""
    patterns = [p for p in answer["patterns"] if p != PING_HU] or list(answer["patterns"])
    roots = [(t["id"], t["count"]) for t in answer["terms"] if t["id"] == GEN]
    return (*((p, 1) for p in patterns), *roots)


def _with_roots(counted: _Counted, more: int) -> _Counted:
    roots = dict(counted).get(GEN, 0) + more
    bare = tuple(pair for pair in counted if pair[0] != GEN)
    return (*bare, (GEN, roots)) if roots else bare


def _counted_key(counted: _Counted) -> str:
    return ".".join(f"{term}-{n}" if term == GEN else term for term, n in counted)


def _wrong_patterns(
    rules: Rules, request: Json, answer: Json, level: int, rng: Random
) -> Iterator[tuple[_Counted, str, str | None]]:
    right = _named(answer)
    gen = rules.fan_of(GEN)
    kongs = [t for t in answer["terms"] if t["id"] in KONGS]
    absorbs = [p for p in answer["patterns"] if TERMS[p].absorbs_quads]
    if absorbs and gen:
        yield _with_roots(right, 1), "dragon_twice", absorbs[0]
    if dict(right).get(GEN):
        yield _with_roots(right, -1), "forgot_root", GEN
    if kongs and gen:
        yield _with_roots(right, sum(t["count"] for t in kongs)), "kong_as_root", kongs[0]["id"]
    held: set[str] = set(answer["patterns"])
    if rules.combine == "sum":
        yield from _one_fewer(right)
    else:
        lesser = _held_patterns(rules, request, answer)
        held |= {pattern for pattern, _ in lesser}
        for pattern, other in lesser[1:]:
            # 清龙七对, or 清七对 with one root more: the same value, so not to be asked about.
            if other["uncapped_fan"] != answer["uncapped_fan"]:
                yield _named(other), "lesser_pattern", pattern
    known = [s.shape for at in LEVELS[:level] for s in winning_strata(rules, at)]
    others = [p for p in dict.fromkeys(known) if p in rules.fans and p not in held and p != SI_JI]
    rng.shuffle(others)
    yield from _not_these(rules, right, others, held)
    if gen and level > 1:
        yield _with_roots(right, 1), "extra_root", GEN


def _one_fewer(right: _Counted) -> Iterator[tuple[_Counted, str, str | None]]:
    """One of several patterns forgotten."""
    for pattern, _ in right:
        fewer = tuple(pair for pair in right if pair[0] != pattern)
        if pattern not in (GEN, PING_HU):
            bare = fewer if any(p != GEN for p, _ in fewer) else ((PING_HU, 1), *fewer)
            yield bare, "forgot_pattern", pattern


def _not_these(
    rules: Rules, right: _Counted, others: Iterable[str], held: set[str]
) -> Iterator[tuple[_Counted, str, str | None]]:
    """Patterns that the hand does not have."""
    roots = tuple(pair for pair in right if pair[0] == GEN)
    for pattern in others:
        if TERMS[pattern].absorbs_quads and roots:
            continue
        if rules.combine == "sum":
            # Nobody takes seven pairs for a hand of pungs.
            if {pattern, *held} & PAIRED and {pattern, *held} & PUNGED:
                continue
            kept = tuple(pair for pair in right if pair[0] not in (GEN, PING_HU))
            both = (*kept, (pattern, 1))
            ordered = tuple(sorted(both, key=lambda pair: list(TERMS).index(pair[0])))
            yield (*ordered, *roots), "not_this_pattern", pattern
        else:
            yield ((pattern, 1), *roots), "not_this_pattern", pattern


def patterns_draft(rules: Rules, level: int, stratum: Stratum, rng: Random) -> Draft | None:
    """A winning hand and its patterns; None where a random try fails."""
    # A whole number, not the float: its hash has another length where Python has 32 bits.
    shuffled = Random(int(rng.random() * 2**61))

    def ask(request: Json, answer: Json) -> Question | None:
        right = _named(answer)
        found = {_counted_key(right): Choice(_counted_key(right), right)}
        for counted, mistake, term in _wrong_patterns(rules, request, answer, level, shuffled):
            if len(found) == 4:
                break
            key = _counted_key(counted)
            found.setdefault(key, Choice(key, counted, mistake, term))
        if len(found) < 3:
            return None
        choices = list(found.values())
        shuffled.shuffle(choices)
        return Question(
            "patterns",
            level,
            "",
            request,
            tuple(choices),
            (_counted_key(right),),
            tuple(a for a in answer["assumed"] if a != "scale"),
        )

    return win_draft(rules, level, stratum, rng, ask)
