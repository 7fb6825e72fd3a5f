"""What a lesson is made of: paragraphs, figures and questions, and the numbers they speak in.

Paragraphs are message ids whose placeholders are filled with :func:`facts` of the reader's rules;
figures are tiles, hands and rounds that the engine values under those rules; questions come from
the generator.  No number is typed.  Each part says which words it defines (ids of the glossary);
a page shows and asks nothing that it or an earlier one has not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from calculator.learn.conditions import When, always, has
from calculator.words import examples, texts
from scoring.addresses.hand import hand_request, write_options
from scoring.contract import score, settle
from scoring.drills import BLOCK, Question, question, stratum_at
from scoring.hand import BLESSINGS, KONGS
from scoring.patterns import GEN, PATTERNS, PING_HU, Term
from scoring.rules import Rules, zi_mo_fan

Json = dict[str, Any]
Claim = Callable[[Json], bool]


def any_answer(_answer: Json) -> bool:
    """Nothing is claimed of the answer."""
    return True


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph, the rules under which it is true, and the words that it defines."""

    text: str
    when: When = always
    defines: tuple[str, ...] = ()

    def holds(self, rules: Rules) -> bool:
        """Whether these rules are spoken of."""
        return self.when(rules)


@dataclass(frozen=True, slots=True)
class Figure:
    """Something to look at: `kind` is `tiles`, `ladder`, `hand`, `shape`, `round` or `systems`.

    `tiles` has rows, each a caption and tiles.  `hand` and `how` are parameters of an address
    without the rules; a `shape` shows whether the hand wins and not what for.  `events` are a
    round, `reason` the payments of it to mark.  `term` is the word that the figure shows: its
    sentence and its page stand above.  `claim` is what the caption says, asked of the engine's
    answer.
    """

    kind: str
    caption: str = ""
    hand: str = ""
    how: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    events: tuple[Json, ...] = ()
    reason: str = ""
    term: str = ""
    when: When = always
    claim: Claim = any_answer

    @property
    def defines(self) -> tuple[str, ...]:
        """The word that the figure defines, if any."""
        return (self.term,) if self.term else ()

    @property
    def name(self) -> str:
        """What the figure shows: of those with one name a page shows one."""
        return self.term or self.caption or self.kind

    def parameters(self, rules: Rules) -> dict[str, str]:
        """The address of the hand under these rules."""
        given = {"rules": rules.id, "hand": self.hand, **dict(self.how)}
        if options := write_options(rules):
            given["opt"] = options
        return given

    def request(self, rules: Rules) -> Json:
        """The round under these rules."""
        return {
            "ruleset": rules.id,
            "options": rules.changes(),
            "dealer": 0,
            "events": list(self.events),
        }

    def holds(self, rules: Rules) -> bool:
        """Whether these rules show what the figure is there for.

        A table's own rules may end a round earlier, not know the payment, or value a hand otherwise
        than the caption says.
        """
        if not self.when(rules):
            return False
        if self.kind == "round":
            answer = settle(self.request(rules))
            return (
                answer["status"] == "settled"
                and any(row["reason"] == self.reason for row in answer["transfers"])
                and self.claim(answer)
            )
        return self.claim is any_answer or self.claim(score(hand_request(self.parameters(rules))))


@dataclass(frozen=True, slots=True)
class Ask:
    """A question of a lesson: a kind and level of the generator, and what it is to show.

    `show` are names of strata, the first that the rules have; `flat` asks for a hand without melds.
    """

    kind: str
    level: int
    show: tuple[str, ...] = ()
    topic: str = ""
    flat: bool = False

    def questions(self, rules: Rules, seed: str) -> Iterator[Question]:
        """The questions of the seed that show what is wanted, in order."""
        names = [
            stratum_at(rules, self.kind, self.level, seed, number, self.topic).name
            for number in range(BLOCK)
        ]
        wanted = next((name for name in self.show if name in names), None)
        for number, name in enumerate(names):
            if wanted in (None, name):
                made = question(rules, self.kind, self.level, seed, number, self.topic)
                if not self.flat or _is_flat(made):
                    yield made


def _is_flat(asked: Question) -> bool:
    return not {*"[("} & {*asked.request["hand"]}


Part = Text | Figure


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step of the path: its parts in the order in which they are read, then the questions."""

    id: str
    title: str
    about: str
    parts: tuple[Part, ...]
    asks: tuple[Ask, ...]
    #: The patterns that are shown where a part of the kind `patterns` stands.
    patterns: Callable[[str], bool] | None = None

    def read(self, rules: Rules) -> list[Part]:
        """The parts that are true under these rules, each once."""
        found: dict[str, Part] = {}
        for part in self.parts:
            if isinstance(part, Figure) and part.kind == "patterns":
                shown = [
                    f for f in pattern_figures(rules) if self.patterns and self.patterns(f.term)
                ]
                found |= {figure.name: figure for figure in shown}
                continue
            name = part.text if isinstance(part, Text) else part.name
            if name not in found and part.holds(rules):
                found[name] = part
        return list(found.values())

    def paragraphs(self, rules: Rules) -> list[str]:
        """The message ids of the paragraphs that hold under these rules."""
        return [part.text for part in self.read(rules) if isinstance(part, Text)]

    def shown(self, rules: Rules) -> list[Figure]:
        """The figures that are true under these rules, the first of those with one caption."""
        return [part for part in self.read(rules) if isinstance(part, Figure)]

    def asked(self, rules: Rules, at: int) -> Question:
        """Question `at` of the lesson; none comes twice."""
        asked: dict[str, Question] = {}
        for ask in self.asks[: at + 1]:
            made = ask.questions(rules, f"lesson-{self.id}")
            last = next(one for one in made if one.key not in asked)
            asked[last.key] = last
        return last


def example(term: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The first example hand of a term on the rules pages, without its rules."""
    first = dict(examples.HANDS[term][0])
    hand = first.pop("hand")
    kept = {name: value for name, value in first.items() if name not in ("rules", "opt")}
    return hand, tuple(kept.items())


def of_term(term: str, when: When | None = None, kind: str = "hand") -> Figure:
    """A term with its sentence, its page and its example."""
    hand, how = example(term)
    return Figure(kind, hand=hand, how=how, term=term, when=when or has(term))


def shows(term: str, times: int = 1) -> Claim:
    """The hand has the term so often in its breakdown."""
    return lambda answer: any(
        row["id"] == term and row["count"] == times for row in answer.get("terms", ())
    )


def counts(term: str, hand: str) -> When:
    """Under rules that count the term in this hand: its greatest pattern, or one of them."""
    return lambda rules: Figure("hand", hand=hand, claim=shows(term)).holds(rules)


def pattern_figures(rules: Rules) -> Iterator[Figure]:
    """Every pattern that counts under these rules, from the least to the greatest.

    A table may give a pattern less than another that is always there too; then it never counts.
    """

    def place(term: Term) -> tuple[bool, int, bool]:
        pure = term.target is not None and term.target.pure
        return term.id in BLESSINGS, rules.fan_of(term.id) or 0, pure

    known = [t for t in PATTERNS if t.id in examples.HANDS and rules.fan_of(t.id) is not None]
    for term in sorted(known, key=place):
        hand, how = example(term.id)
        figure = Figure("hand", hand=hand, how=how, term=term.id, claim=shows(term.id))
        if figure.holds(rules):
            yield figure


def facts(rules: Rules) -> Json:
    """The numbers of these rules that the lessons speak of."""
    plain = rules.fan_of(PING_HU) or 0
    money = rules.kong_points
    found: Json = {
        "plain": plain,
        "base": rules.points(1),
        "points": rules.points(rules.multiple(rules.capped(plain))),
        "cap": rules.cap,
        "cap_multiple": rules.multiple(rules.cap) if rules.cap is not None else "",
        "exposed_points": rules.points(money.exposed),
        "others_points": rules.points(money.exposed_others),
        "added_points": rules.points(money.added),
        "concealed_points": rules.points(money.concealed),
        "pig": rules.points(rules.pig_points),
        "times": rules.pig.times_best,
        "joker": texts.joker(rules.joker),
        "zi_mo": zi_mo_fan(rules),
    }
    for step in range(3):
        fan = plain + step
        found |= {f"f{step}": fan, f"m{step}": rules.multiple(rules.capped(fan))}
    for term, name in (
        (GEN, "gen"),
        *zip(KONGS, ("exposed", "added", "concealed"), strict=True),
        *((term, term) for term in ("hai_di", "men_qing_zi_mo", "wu_ji")),
    ):
        found[name] = rules.fan_of(term)
    return found


def ladder(rules: Rules) -> list[Json]:
    """From the plain hand up: fan, multiple, points; as far as the cap, or six steps."""
    plain = rules.capped(rules.fan_of(PING_HU) or 0)
    last = plain + 5 if rules.cap is None else min(rules.cap, plain + 6)
    return [
        {
            "fan": fan,
            "multiple": rules.multiple(fan),
            "points": rules.points(rules.multiple(fan)),
            "cap": fan == rules.cap,
        }
        for fan in range(plain, last + 1)
    ]


def steps_before_cap(number: int, *, only: bool = False) -> When:
    """From a plain hand there are at least so many steps up to the cap, or only so many."""

    def when(rules: Rules) -> bool:
        steps = len(ladder(rules)) - 1
        return steps == number if only else steps >= number

    return when
