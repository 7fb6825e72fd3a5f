"""Learning by example: a short path of lessons, and drills without end.

| path              | answers                                                                 |
|-------------------|-------------------------------------------------------------------------|
| `/learn/`         | the path, and the drills to choose from                                 |
| `/learn/<step>/`  | one lesson under the reader's rules; `n` is which of its questions      |
| `/learn/drill/`   | question `n` of a seed; without a seed, to the first one of a new seed  |

`rules` and `opt` are those of the calculator. An answer is part of the address (`a`, several for
several tiles), so everything works without scripts and a question can be shared as it stands.
"""

import secrets
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from calculator.learn import present as questions
from calculator.learn.feedback import Answered
from calculator.learn.lesson import Figure, Part, Text, facts, ladder
from calculator.learn.lessons import BY_ID, LESSONS
from calculator.site.examples import hand_example, round_example
from calculator.site.forms import LearnForm
from calculator.site.wire import dumps
from calculator.words import badge, glossary, texts
from calculator.words.answers import points, sentence, value_words
from calculator.words.options import value_in_short
from scoring import rules as engine
from scoring.addresses.hand import read_hand, rules_of, write_options, write_query
from scoring.contract import compare
from scoring.drills import (
    DEALING,
    KINDS,
    LEVELS,
    TOPICAL,
    Question,
    dealt,
    mixed_kind,
    question,
    topics,
)
from scoring.notation import parse
from scoring.rules import OptionErrors, Rules
from scoring.tiles import TILE_NAMES
from scoring.words import N_

Json = dict[str, Any]

#: What a parameter is called where it is not one of the calculator.
FIELDS = {
    "kind": N_("题目"),
    "level": N_("难度"),
    "topic": N_("范围"),
    "seed": N_("这一套题"),
    "n": N_("第几题"),
    "a": N_("回答"),
    "done": N_("回答"),
}
#: A drill of every kind in turn.
MIXED = "mix"
#: No answer has more parts than there are tiles.
MOST_PARTS = 27


def rules_asked(form: LearnForm) -> Rules:
    """The rules that the address names; what it cannot mean is left out, and told by `_faults`."""
    return dealt(rules_of(read_hand(form.given)[0]))


#: What the lessons tell of; smaller tables are told that it is so.
FULL = {"players": 4, "suits": 3, "sets": 4}


def at_full_size(rules: Rules) -> Rules:
    """The rules at the table of the lessons: four players, three suits, thirteen tiles."""
    try:
        return rules.override({n: full for n, full in FULL.items() if getattr(rules, n) != full})
    except OptionErrors:
        return rules.preset or rules


def _smaller(rules: Rules) -> str:
    """How a table is smaller than that of the lessons, in a few words."""
    return "·".join(
        value_in_short(name, getattr(rules, name))
        for name, full in FULL.items()
        if getattr(rules, name) != full
    )


def _faults(form: LearnForm) -> list[Json]:
    """What the address says and cannot mean, in words; the page is shown without it."""
    given, errors = form.given, form.rule_errors
    unfit = [name for name in form.errors if name not in ("rules", "opt")]
    for name, known in (("kind", (MIXED, *KINDS)), ("topic", questions.TOPICS)):
        if given.get(name) and given[name] not in known:
            unfit.append(name)
    if form.number("level", 1) not in LEVELS:
        unfit.append("level")
    told = [
        {
            "code": "bad_field",
            "message": gettext(texts.ERRORS["bad_field"]) % {"name": texts.word(FIELDS, name)},
        }
        for name in dict.fromkeys(unfit)
    ]
    return [*texts.listed(errors), *told]


def _of_rules(rules: Rules) -> dict[str, str]:
    """The parameters that say which rules."""
    options = write_options(rules)
    return {"rules": rules.id, **({"opt": options} if options else {})}


def _address(name: str, parameters: Mapping[str, str], *args: str) -> str:
    return f"{reverse(name, args=args)}?{write_query(parameters)}"


def _systems(rules: Rules, name: str, *args: str, **more: str) -> list[Json]:
    """The rule systems to choose from, each with the same page under it."""
    return [
        {
            "id": one,
            "short": texts.ruleset(one, short=True),
            "link": _address(name, {"rules": one, **more}, *args),
            "on": one == rules.id,
        }
        for one in engine.ids()
    ]


def _given(query: QueryDict, asked: Question) -> Answered | None:
    """What the reader answered; None where the address holds no answer to this question."""
    keys = {choice.key for choice in asked.choices}
    parts = [part for part in dict.fromkeys(query.getlist("a")[:MOST_PARTS]) if part in keys]
    if not parts and "done" not in query:
        return None
    if asked.kind != "waits":
        parts = parts[:1]
        if not parts:
            return None
    return Answered(tuple(parts), asked.is_right(parts))


def _choose(kind: str, level: int, topic: str) -> dict[str, str]:
    found = {"kind": kind, "level": str(level)}
    return {**found, "topic": topic} if topic else found


def _words() -> str:
    """The words of the script, as JSON."""
    return dumps(
        {
            "score": gettext("答对%(right)s题，共%(total)s题"),
            "streak": gettext("连对%(n)s题"),
            "best": gettext("最长连对%(n)s题"),
            "next": gettext("接着练：%(kind)s"),
            "up": gettext("连对不少了，试试“%(level)s”"),
            "copied": gettext("链接已复制"),
            "no_copy": gettext("复制不了：请长按链接"),
            "kinds": {kind: gettext(questions.KINDS[kind]) for kind in KINDS},
            "levels": {str(level): gettext(questions.LEVELS[level]) for level in LEVELS},
        }
    )


# ---------------------------------------------------------------- lessons


def _defined(part: Part) -> list[Json]:
    """The words that a part defines, each with its page."""
    return [
        {
            "id": key,
            "name": gettext(glossary.name_id(key)),
            "link": reverse("rules_term", args=[key]),
        }
        for key in part.defines
    ]


def _part(part: Part, rules: Rules, numbers: Json) -> Json:
    """A paragraph or a figure of a lesson."""
    made: Json = {"kind": "text", "defined": _defined(part)}
    if isinstance(part, Text):
        return {**made, "text": gettext(part.text) % numbers}
    if part.term:
        made["sentence"] = gettext(glossary.text_id(part.term))
    return {**made, **_figure(part, rules)}


def _figure(figure: Figure, rules: Rules) -> Json:
    """A figure with what the engine says of it."""
    made: Json = {"kind": figure.kind, "caption": gettext(figure.caption) if figure.caption else ""}
    if figure.kind == "tiles":
        made["rows"] = [
            {
                "name": gettext(name),
                "tiles": [
                    {"face": TILE_NAMES[t], "label": texts.tile(TILE_NAMES[t])}
                    for t in parse(written).concealed
                ],
            }
            for name, written in figure.rows
        ]
    elif figure.kind == "ladder":
        made["rows"] = [{**row, "points": points(row["points"])} for row in ladder(rules)]
        made["assumed"] = texts.assumed("scale") if "scale" in rules.unstated else ""
    elif figure.kind in ("hand", "shape"):
        made["example"] = hand_example(figure.parameters(rules))
    elif figure.kind == "round":
        made["example"] = round_example(figure.request(rules), figure.reason, unasked=DEALING)
    else:
        made |= _in_every_system(figure, rules)
    return made


def _in_every_system(figure: Figure, rules: Rules) -> Json:
    """One hand, and what it is worth under each system and under the reader's own rules."""
    changes = rules.changes()
    rows = compare({"ruleset": rules.id, "options": changes, "hand": figure.hand})
    return {
        "example": hand_example(figure.parameters(rules)),
        "rows": [
            {
                "id": row["ruleset"],
                "system": badge.badge(rules)
                if "options" in row
                else texts.ruleset(row["ruleset"], short=True),
                "own": "options" in row if changes else row["ruleset"] == rules.id,
                "terms": sentence(row["terms"]),
                "value": value_words(row),
                "guess": bool(row["assumed"]),
            }
            for row in rows
            if isinstance(row, dict) and row.get("status") == "win"
        ],
    }


def _progress(rules: Rules) -> list[Json]:
    return [
        {
            "id": lesson.id,
            "number": number,
            "title": gettext(lesson.title),
            "about": gettext(lesson.about),
            "link": _address("lesson", _of_rules(rules), lesson.id),
        }
        for number, lesson in enumerate(LESSONS, start=1)
    ]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The path and the drills."""
    form = LearnForm.read(request.GET)
    rules = rules_asked(form)
    mine = _of_rules(rules)
    return render(
        request,
        "learn/index.html",
        {
            "section": "learn",
            "own_query": write_query(mine),
            "faults": _faults(form),
            "rules": rules,
            "badge": badge.badge(rules),
            "systems": _systems(rules, "learn"),
            "lessons": _progress(rules),
            "drills": [
                {
                    "kind": kind,
                    "name": gettext(questions.KINDS[kind]),
                    "about": gettext(questions.ABOUT[kind]),
                    "levels": [
                        {
                            "level": level,
                            "name": gettext(questions.LEVELS[level]),
                            "link": _address("drill", {**mine, **_choose(kind, level, "")}),
                        }
                        for level in LEVELS
                    ],
                }
                for kind in KINDS
            ],
            "mixed": _address("drill", {**mine, **_choose(MIXED, 1, "")}),
            "words": _words(),
        },
    )


@require_safe
def lesson(request: HttpRequest, step: str) -> HttpResponse:
    """One lesson, with one of its questions."""
    if step not in BY_ID:
        raise Http404
    form = LearnForm.read(request.GET)
    own, found = rules_asked(form), BY_ID[step]
    rules, mine = at_full_size(own), _of_rules(own)
    at = min(form.number("n", 0), len(found.asks) - 1)
    asked = found.asked(rules, at)
    answered = _given(request.GET, asked)
    numbers = facts(rules)
    path = _progress(own)
    place = next(i for i, one in enumerate(path) if one["id"] == step)
    ask = found.asks[at]

    def numbered(n: int) -> str:
        return f"{_address('lesson', {**mine, 'n': str(n)}, step)}#try"

    more = at + 1 < len(found.asks)
    return render(
        request,
        "learn/lesson.html",
        {
            "section": "learn",
            "own_query": write_query({**mine, **({"n": str(at)} if at else {})}),
            "faults": _faults(form),
            "lesson": path[place],
            "before": path[place - 1] if place else None,
            "after": path[place + 1] if place + 1 < len(path) else None,
            "rules": rules,
            "badge": badge.badge(rules),
            "smaller": _smaller(own),
            "card": f"{reverse('house_card')}?{write_query(mine)}",
            "systems": _systems(rules, "lesson", step),
            "index": _address("learn", mine),
            "sprite": static("tiles.svg"),
            "home": reverse("hand"),
            "many": len(path),
            "steps": [at <= place for at in range(len(path))],
            "parts": [_part(part, rules, numbers) for part in found.read(rules)],
            "question": questions.shown(asked, rules, answered),
            "question_key": f"{rules.id}/{write_options(rules)}/lesson/{step}/{at}",
            "level": ask.level,
            "at": at + 1,
            "asks": [
                {"n": n + 1, "on": n == at, "link": numbered(n)} for n in range(len(found.asks))
            ],
            "action": f"{reverse('lesson', args=[step])}#try",
            "hidden": [*mine.items(), ("n", str(at))],
            "again": numbered(at),
            "next": numbered(at + 1) if more else "",
            "drill": _address("drill", {**mine, **_choose(ask.kind, ask.level, ask.topic)}),
            "finished": answered is not None and not more,
            "words": _words(),
        },
    )


# ---------------------------------------------------------------- drills


class Drill:
    """What the address of a drill says, as far as it makes sense."""

    def __init__(self, form: LearnForm) -> None:
        cleaned = form.cleaned_data
        self.rules = rules_asked(form)
        kind = cleaned.get("kind") or MIXED
        self.kind = kind if kind in KINDS else MIXED
        level = form.number("level", 1)
        self.level = level if level in LEVELS else LEVELS[-1]
        topic = cleaned.get("topic") or ""
        topical = self.kind in TOPICAL and topic in topics(self.rules)
        self.topic = topic if topical else ""
        self.seed = cleaned.get("seed") or ""
        self.number = form.number("n", 0)

    @property
    def parameters(self) -> dict[str, str]:
        """What stays the same over the questions of a seed."""
        return {**_of_rules(self.rules), **_choose(self.kind, self.level, self.topic)}

    def address(self, number: int, seed: str = "", sent: Mapping[str, str] | None = None) -> str:
        """The page of a question; ``sent`` stands for what it says of the drill."""
        kept = {**self.parameters, **(sent or {}), "seed": seed or self.seed, "n": str(number)}
        return _address("drill", kept)

    def asked(self) -> Question:
        """The question of this address."""
        kind, number = self.kind, self.number
        if kind == MIXED:
            # Each kind counts its own questions, so that none comes twice.
            kind, number = mixed_kind(self.seed, number), number // len(KINDS)
        return question(self.rules, kind, self.level, self.seed, number, self.topic)


def new_seed() -> str:
    """A seed that is short enough to be read out."""
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(5))


def _settings(drill: Drill) -> Json:
    """What the form above a drill offers."""
    rules = drill.rules
    kinds = [(MIXED, gettext("什么都练")), *((k, gettext(questions.KINDS[k])) for k in KINDS)]
    return {
        "systems": [
            {"id": one, "name": texts.ruleset(one), "on": one == rules.id} for one in engine.ids()
        ],
        "kinds": [{"id": k, "name": name, "on": k == drill.kind} for k, name in kinds],
        "levels": [
            {"id": n, "name": gettext(questions.LEVELS[n]), "on": n == drill.level} for n in LEVELS
        ],
        "topics": [
            {"id": t, "name": gettext(questions.TOPICS[t]), "on": t == drill.topic}
            for t in (topics(rules) if drill.kind in TOPICAL else ())
        ],
        "opt": write_options(rules),
    }


@require_safe
def drill(request: HttpRequest) -> HttpResponse:
    """One question of a drill, and once it is answered, why."""
    form = LearnForm.read(request.GET)
    made = Drill(form)
    if not made.seed and "seed" not in form.errors:
        # What cannot be read goes along, so that the page can tell it.
        sent = {
            n: str(form.data[n])
            for n in ("rules", "opt", "kind", "level", "topic")
            if n in form.data and _faults(form)
        }
        redirect = HttpResponseRedirect(made.address(0, new_seed(), sent))
        add_never_cache_headers(redirect)
        return redirect
    made.seed = made.seed or new_seed()
    asked = made.asked()
    answered = _given(request.GET, asked)
    rules, number = made.rules, made.number
    here = made.address(number)
    harder = made.level + 1 if made.level < LEVELS[-1] else None
    kind_name = gettext(questions.KINDS[asked.kind])
    response = render(
        request,
        "learn/drill.html",
        {
            "section": "learn",
            "own_query": here.partition("?")[2],
            "faults": _faults(form),
            "rules": rules,
            "badge": badge.badge(rules),
            "sprite": static("tiles.svg"),
            "home": reverse("hand"),
            "kind_name": kind_name,
            "level": made.level,
            "level_name": gettext(questions.LEVELS[made.level]),
            "topic_name": gettext(questions.TOPICS[made.topic]) if made.topic else "",
            "number": number + 1,
            "question": questions.shown(asked, rules, answered),
            "question_key": f"{write_query(made.parameters)}/{made.seed}/{number}",
            "action": reverse("drill"),
            "hidden": [*made.parameters.items(), ("seed", made.seed), ("n", str(number))],
            "again": here,
            "next": made.address(number + 1),
            "link": request.build_absolute_uri(here),
            "index": _address("learn", _of_rules(rules)),
            "settings": _settings(made),
            "harder": harder,
            "kind_links": {
                kind: _address("drill", {**_of_rules(rules), **_choose(kind, made.level, "")})
                for kind in KINDS
            },
            "up_link": _address(
                "drill",
                {**_of_rules(rules), **_choose(made.kind, harder or made.level, made.topic)},
            ),
            "words": _words(),
        },
    )
    if "seed" in form.errors:
        add_never_cache_headers(response)
    return response
