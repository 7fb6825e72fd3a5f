"""Why, and what elsewhere: the same hand in every system, two systems side by side, the reasons.

| path                | answers                                                              |
|---------------------|----------------------------------------------------------------------|
| `/compare/`         | the dispute view: the rules in force against `with=<system>`         |
| `/fragment/compare` | below the result: the reasons, every system's answer                 |
| `/fragment/missing` | below that: how far the hand is from every other pattern             |
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from calculator.site import examples, links
from calculator.site.forms import HandForm
from calculator.site.hands import Asked, rulings_beside
from calculator.words import badge, glossary, options, rulebook, texts
from calculator.words.answers import conditions, held, points, sentence, term_name
from scoring import rules as engine
from scoring.addresses.hand import hand_request, write_query
from scoring.compare import money
from scoring.contract import compare, explain
from scoring.hand import EXPOSED_KONG
from scoring.patterns import PING_HU, TERMS
from scoring.rules import Rules
from scoring.words import N_, shortened

Json = dict[str, Any]

#: What can decide besides a term.
DECIDING = {
    "scale": N_("番与倍"),
    "cap": N_("封顶"),
    "self_draw_bonus": N_("自摸"),
}
BASIS = {
    "stated": N_("%(rules)s：%(each)s番，原文写明"),
    "assumed": N_("%(rules)s：%(each)s番，推定，原文没有写明"),
    "reading": N_("%(rules)s：%(each)s番，原文可以两样读"),
    "house": N_("家规：%(each)s番，这张桌自己定的"),
}
#: So many of the patterns that are missing stand open; the rest is folded.
NEAREST = 5
#: An exchange of more tiles than this is a number, no picture.
MOST_TILES = 5


def _deciding_name(key: str) -> str:
    return texts.term(key) if key in TERMS else texts.word(DECIDING, key)


def _rows(state: Asked) -> tuple[list[Json], list[Json]]:
    """The rows of `compare` for what the address says as it stands, or its errors."""
    answer = compare(hand_request(state.parameters))
    errors = [*(answer["errors"] if isinstance(answer, dict) else ()), *state.form.too_long]
    return [] if isinstance(answer, dict) or errors else answer, errors


def comparison(state: Asked) -> Json:
    """Every system's answer to the hand of a state, with the line that decides the difference."""
    given = state.parameters
    rows, _errors = _rows(state)
    shown: list[Json] = []
    own = next((row for row in rows if _is_own(row, state.rules)), None)
    dispute = f"{reverse('compare')}?{write_query(given)}"
    for row in rows:
        is_own = row is own
        one: Json = {
            "id": row["ruleset"],
            "name": badge.badge(state.rules)
            if "options" in row
            else texts.ruleset(row["ruleset"], short=True),
            "own": is_own,
            "status": row["status"],
            "link": dispute if is_own else f"{dispute}&with={row['ruleset']}",
        }
        if "fan" in row:
            one |= {
                "fan": str(row["fan"]),
                "multiple": str(row["multiple"]),
                "points": points(row["points_at_equal_base"]),
                "terms": sentence(row["terms"]),
                "assumed": row["assumed"],
                "deciding": [_deciding_name(key) for key in row.get("deciding", ())[:2]],
                "same": own is not None and row["multiple"] == own.get("multiple"),
            }
        elif row["status"] == "error":
            one["why"] = " ".join(texts.message(error) for error in row["errors"])
        else:
            one["why"] = texts.word(texts.STATUSES, row["status"])
        shown.append(one)
    return {"rows": shown, "base": badge.base(state.rules)}


def _is_own(row: Json, rules: Rules) -> bool:
    if rules.changes():
        return "options" in row
    return str(row["ruleset"]) == rules.id


def _explained(state: Asked, *, lacking: bool) -> Json:
    """What `explain` says of the hand, in words; with ``lacking`` the distances too."""
    told: Json = texts.localise(explain(hand_request(state.parameters), lacking=lacking))
    return told


def reasons(state: Asked, answer: Json) -> Json:
    """Where each line comes from, and what did not count."""
    if answer["status"] == "error":
        return {"lines": [], "not_counted": []}
    system = texts.ruleset(state.rules.id)
    rulings = rulings_beside(state.page, answer["rulings"], answer, state.back)
    lines = []
    for line in answer["lines"]:
        said = {"rules": system, "each": line["each"]}
        lines.append(
            {
                "id": line["id"],
                "name": term_name(line),
                "link": links.to_term(line["id"]),
                "worth": gettext("%(n)s番") % {"n": line["fan"]},
                "tiles": [{"face": t, "name": texts.tile(t)} for t in line["tiles"]],
                "all": len(line["tiles"]) > 4,
                "basis": gettext(BASIS[line["basis"]]) % said,
                "assumed": line["basis"] == "assumed",
                "rules_link": reverse("rules_system", args=[state.rules.id]),
                "rulings": [r for r in rulings if r["terms"][:1] == [line["id"]]],
            }
        )
    return {"lines": lines, "not_counted": _not_counted(answer["not_counted"], rulings)}


def lacks(answer: Json) -> Json:
    """What the hand lacks of every other pattern, nearest first."""
    missing = [_missing(one) for one in answer.get("patterns", ())]
    reachable = [one for one in missing if one["distance"] is not None]
    return {
        "nearest": reachable[:NEAREST],
        "more": reachable[NEAREST:],
        "barred": [one for one in missing if one["distance"] is None],
        "won": answer["status"] == "win",
    }


def _not_counted(notes: list[Json], rulings: list[Json]) -> list[Json]:
    """Why a term did not count, and on which reading of the rules that rests.

    What the pattern that counts has in it is told in one sentence.
    """
    inside: dict[str, list[str]] = {}
    found: list[Json] = []
    for note in notes:
        term, by = str(note.get("term")), str(note.get("by"))
        if note["code"] == "outweighed" and glossary.contains(TERMS[by], TERMS[term]):
            inside.setdefault(by, []).append(texts.term(term))
        else:
            about = {f"fans.{term}"} | ({f"fans.{by}"} if note["code"] == "gen_absorbed" else set())
            resting = [r for r in rulings if about & set(r["on"]) and r["differs"]]
            found.append({"text": note["message"], "rulings": resting})
    contained = [
        gettext("%(by)s已经包含%(terms)s，不再另算。")
        % {"by": texts.term(by), "terms": texts.joined(terms)}
        for by, terms in inside.items()
    ]
    return [{"text": text, "rulings": []} for text in contained] + found


def _missing(one: Json) -> Json:
    def tiles(names: list[str]) -> list[Json]:
        return [{"face": name, "name": texts.tile(name)} for name in names]

    # One tile is always drawn; it is worth a word where more are, or where nothing else is needed.
    draw = max(0, len(one["take"]) - len(one["give"]))
    return {
        "id": one["id"],
        "name": texts.term(one["id"]),
        "link": links.to_term(one["id"]),
        "fan": gettext("%(n)s番") % {"n": one["fan"]},
        "assumed": one["assumed"],
        "distance": one["distance"],
        "draw": draw if draw > 1 or not one["distance"] else 0,
        "give": tiles(one["give"]) if len(one["give"]) <= MOST_TILES else [],
        "take": tiles(one["take"]) if len(one["take"]) <= MOST_TILES else [],
        "obstacles": [obstacle["message"] for obstacle in one["obstacles"]],
    }


def below_result(state: Asked) -> Json:
    """What stands below a result: reasons and every system's answer."""
    compared = comparison(state)
    valued = any(row["own"] and "fan" in row for row in compared["rows"])
    return {
        "sprite": static("tiles.svg"),
        "compared": compared if valued else None,
        "why": reasons(state, _explained(state, lacking=False)),
    }


@require_safe
def fragment(request: HttpRequest) -> HttpResponse:
    """What the page fetches below its result."""
    state = Asked(HandForm.read(request.GET))
    return render(request, "compare/_below.html", below_result(state))


@require_safe
def missing_fragment(request: HttpRequest) -> HttpResponse:
    """What the page fetches last, when somebody scrolls there: it takes the longest."""
    state = Asked(HandForm.read(request.GET))
    given = {"sprite": static("tiles.svg"), "lacks": lacks(_explained(state, lacking=True))}
    return render(request, "compare/_lacks.html", given)


def _side(rules: Rules, row: Json | None) -> Json:
    side: Json = {
        "name": badge.badge(rules) if rules.changes() else gettext(rules.name),
        "id": rules.id,
        "link": reverse("rules_system", args=[rules.id]),
        "value": "",
    }
    if row is None or "fan" not in row:
        if row is not None:
            side["why"] = (
                " ".join(texts.message(error) for error in row["errors"])
                if row["status"] == "error"
                else texts.word(texts.STATUSES, row["status"])
            )
        return side
    bare = rules.multiple(row["fan"])
    return {
        **side,
        "fan": row["fan"],
        "value": gettext("%(fan)s番 · %(multiple)s倍") % row,
        "terms": {line["id"]: line for line in row["terms"]},
        "assumed": row["assumed"],
        "raw": gettext("%(n)s番") % {"n": row["uncapped_fan"]},
        "cap": badge.cap(rules)
        if row["fan"] == row["uncapped_fan"]
        else gettext("%(raw)s → %(fan)s番") % {"raw": row["uncapped_fan"], "fan": row["fan"]},
        "scale": options.value_said("scale", rules.scale),
        "extra": gettext("+%(n)s倍") % {"n": row["multiple"] - bare}
        if row["multiple"] != bare
        else gettext("不加"),
        "multiple": gettext("%(n)s倍") % {"n": row["multiple"]},
        "points": points(row["points_at_equal_base"]),
    }


def _lines_beside(left: Json, right: Json, deciding: list[str]) -> list[Json]:
    """The two breakdowns line by line, the differing ones marked."""
    if "terms" not in left or "terms" not in right:
        return []

    def said(side: Json, key: str) -> str:
        line = side["terms"].get(key)
        return "" if line is None else gettext("%(n)s番") % {"n": line["fan"]}

    rows = []
    for key in TERMS:
        if key in left["terms"] or key in right["terms"]:
            line = left["terms"].get(key) or right["terms"][key]
            rows.append(
                {
                    "key": key,
                    "name": term_name(line),
                    "link": links.to_term(key),
                    "left": said(left, key),
                    "right": said(right, key),
                    "decides": key in deciding,
                    **_guesses(key in left["assumed"], key in right["assumed"]),
                }
            )
    for key, name in (
        ("raw", gettext("合计")),
        ("cap", gettext("封顶")),
        ("scale", gettext("番变成倍")),
        ("extra", gettext("自摸加底")),
        ("multiple", gettext("倍")),
        ("points", gettext("同样的底，付")),
    ):
        if key == "extra" and left["extra"] == right["extra"] == gettext("不加"):
            continue
        option = "self_draw_bonus" if key == "extra" else key
        rows.append(
            {
                "key": key,
                "name": name,
                "link": "",
                "left": left[key],
                "right": right[key],
                "decides": option in deciding,
                "total": key in ("raw", "multiple", "points"),
                **_guesses(key in left["assumed"], key in right["assumed"]),
            }
        )
    return rows


def _guesses(left: bool, right: bool) -> Json:
    """Whether the two values of a row are ones that no source states."""
    return {"left_guess": left, "right_guess": right}


def _rules_beside(left: Rules, right: Rules) -> list[Json]:
    """The options and terms in which two rules themselves differ, in money."""
    found = []
    for key in TERMS:
        if money(left, key) != money(right, key):
            found.append(
                {
                    "name": texts.term(key),
                    "link": links.to_term(key),
                    "left": _worth(left, key),
                    "right": _worth(right, key),
                    **_guesses(key in left.unstated_terms, key in right.unstated_terms),
                }
            )
    pairs = zip(rulebook.settings_rows(left), rulebook.settings_rows(right), strict=True)
    for one, other in pairs:
        if one.path == "cap" and _most(left) == _most(right):
            continue
        if one.value != other.value:
            found.append(
                {
                    "name": one.name,
                    "link": links.to_term(one.rule),
                    "left": _most(left) if one.path == "cap" else one.value,
                    "right": _most(right) if one.path == "cap" else other.value,
                    **_guesses(one.assumed, other.assumed),
                }
            )
    return found


def _worth(rules: Rules, term: str) -> str:
    """A term in a system: 番, and for a pattern the 倍 that two systems are compared by."""
    fan = rulebook.fan_in(rules, term)
    if fan is None:
        return gettext("没有")
    if TERMS[term].kind == "pattern":
        return gettext("%(fan)s番 · %(multiple)s倍") % {"fan": fan, "multiple": rules.multiple(fan)}
    return gettext("%(n)s番") % {"n": texts.fans(fan)}


def _most(rules: Rules) -> str:
    """What a cap leaves, as money: two caps at one multiple are one."""
    if rules.cap is None:
        return badge.cap(rules)
    return gettext("%(n)s倍封顶") % {"n": rules.multiple(rules.cap)}


def _starts(left: Rules, right: Rules) -> str:
    """One sentence where two systems count the same hands from different numbers."""
    first, second = left.fan_of(PING_HU) or 0, right.fan_of(PING_HU) or 0
    if first == second or left.multiple(first) != right.multiple(second):
        return ""
    said = {"left": gettext(left.short), "right": gettext(right.short), "a": first, "b": second}
    return gettext("%(left)s从 %(a)s 番数起，%(right)s从 %(b)s 番数起；倍数一样的这里不列。") % said


def _payers(state: Asked, right: Rules) -> str:
    """That two systems ask others for a win after a kong from a discard (点杠花)."""
    left = state.rules
    if state.page.after != EXPOSED_KONG or left.bloom == right.bloom:
        return ""
    ways = {
        "left": options.value_said("bloom", left.bloom),
        "right": options.value_said("bloom", right.bloom),
    }
    return gettext("谁付不一样，看点杠花：%(left)s；%(right)s。") % ways


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Two rules and one hand: where the difference comes from."""
    state = Asked(HandForm.read(request.GET))
    rows, errors = _rows(state)
    presets = {row["ruleset"]: row for row in rows if "options" not in row}
    other = request.GET.get("with", "")
    if other not in engine.ids():
        errors += [{"code": "unknown_ruleset", "ruleset": shortened(other)}] if other else []
        other = _first_other(state.rules, rows)
    right = engine.load(other)
    own = next((row for row in rows if _is_own(row, state.rules)), None)
    left_side = _side(state.rules, own)
    right_side = _side(right, presets.get(other))
    deciding = presets.get(other, {}).get("deciding", [])
    shows = not state.is_empty
    explained = _explained(state, lacking=True) if shows and rows else None
    lines = _lines_beside(left_side, right_side, deciding)
    differences = _rules_beside(state.rules, right)
    return render(
        request,
        "compare/page.html",
        {
            "section": "hand",
            "own_query": write_query(
                {**state.parameters, **({"with": other} if "with" in request.GET else {})}
            ),
            "sprite": static("tiles.svg"),
            "faults": texts.listed(errors),
            "empty": not shows,
            "examples": () if shows else examples.to_try(state.rules, "compare"),
            "left": left_side,
            "right": right_side,
            "same": "fan" in left_side and "fan" in right_side and not deciding,
            "payers": _payers(state, right),
            "deciding": [_deciding_name(key) for key in deciding],
            "lines": lines,
            "differences": differences,
            "starts": _starts(state.rules, right),
            "guessed": any(row["left_guess"] or row["right_guess"] for row in differences),
            "guessed_lines": any(row["left_guess"] or row["right_guess"] for row in lines),
            "groups": held(state.page.hand, won=any("fan" in row for row in rows)),
            "way": conditions(state.page),
            "back": links.to_hand(state.parameters),
            "kept": list(state.parameters.items()),
            "systems": [
                {"id": one, "name": texts.ruleset(one), "on": one == other} for one in engine.ids()
            ],
            "own_systems": [
                {
                    "name": badge.badge(state.rules)
                    if one == state.rules.id
                    else texts.ruleset(one, short=True),
                    "on": one == state.rules.id,
                    "link": _swap(state, one, other),
                }
                for one in engine.ids()
            ],
            "compared": comparison(state) if any("fan" in row for row in rows) else None,
            "why": reasons(state, explained) if explained else None,
            "lacks": lacks(explained) if explained else None,
        },
    )


def _swap(state: Asked, ruleset: str, other: str) -> str:
    given = {**state.parameters, "rules": ruleset}
    if ruleset != state.rules.id:
        given.pop("opt", None)
    return f"{reverse('compare')}?{write_query({**given, 'with': other})}"


def _first_other(rules: Rules, rows: list[Json]) -> str:
    """The most telling other side: the table's own preset, or the first that differs."""
    if rules.changes():
        return rules.id
    for row in rows:
        if row.get("deciding"):
            return str(row["ruleset"])
    return next(one for one in engine.ids() if one != rules.id)
