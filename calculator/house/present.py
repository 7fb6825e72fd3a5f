"""The house-rule sheet: every option in plain words, what it does to the hand in front of you.

A field of the sheet is named like its option in an address, `o.cap` or `o.fans.gen`, and takes the
same words (see `scoring.addresses.hand`), so that the sheet, the address and a file of house
rules say one thing in one way. Numbers come from the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import get_language, gettext

from calculator.house import models
from calculator.house.worth import InFront
from calculator.words import badge, examples, glossary, options, rulebook, texts
from calculator.words.strips import Choice, fan_words, suggested, value_at
from scoring import ready
from scoring import rules as engine
from scoring.addresses.hand import read_options, write_value
from scoring.hand import KONGS
from scoring.patterns import GANG_SHANG_HUA, PING_HU, TERMS, ZI_MO
from scoring.rules import OPTIONS, OptionErrors, Rules
from scoring.words import N_
from scoring.work import MOST_HANDS, current

Json = dict[str, Any]

#: Fields of the sheet begin with this.
PREFIX = "o."

GROUPS: dict[str, str] = {
    "table": N_("几个人、几门牌、几张牌"),
    "pattern": N_("番：牌型"),
    "bonus": N_("番：加番"),
    "house": N_("番：可以打开的"),
    "value": N_("番：怎么算"),
    "cap": N_("底和封顶"),
    "self_draw": N_("自摸"),
    "kong": N_("杠"),
    "wall": N_("流局"),
    "round": N_("诈和与坐庄"),
}

MOST_FAN, MOST_UNITS = 13, 10
PIG_POINTS = (0, 1, 2, 4, 5, 8, 9, 16, 24, 32, "cap")


@dataclass(frozen=True)
class Line:
    """One option of the sheet."""

    path: str
    rule: str
    group: str
    name: str
    text: str
    value: str
    choices: tuple[Choice, ...] = ()
    changed: bool = False
    #: Whether the value in force is one that no source states.
    guess: bool = False
    preset: str = ""
    effects: tuple[str, ...] = ()
    #: What it does to a model, where it does nothing to the hand in front.
    models: tuple[str, ...] = ()
    offer: Json | None = field(default=None)
    #: Why what was typed is not in force; `value` is then what was typed.
    fault: str = ""

    @property
    def field(self) -> str:
        """The name of the form's field."""
        return PREFIX + self.path

    @property
    def said(self) -> str:
        """The value in force in words."""
        return next((choice.name for choice in self.choices if choice.on), self.value)

    @property
    def amount(self) -> bool:
        """Whether a sum is typed; what else has no choices is text."""
        return bool(OPTIONS[self.path].takes.places)

    @property
    def id(self) -> str:
        """The id of the form's control."""
        return "o-" + self.path.replace(".", "-")


def _by_kind(path: str, value: Any) -> bool:
    """Whether a term has a number for each of its kinds."""
    return isinstance(value, Mapping) and path.startswith("fans.")


def with_value(rules: Rules, path: str, value: str) -> Rules:
    """The rules with one option set as an address would; raises `OptionErrors`."""
    return set_together(rules, f"{path}:{value}")


def set_together(rules: Rules, text: str) -> Rules:
    """The rules with several options set, as the `opt` of an address; raises `OptionErrors`."""
    return rules.override(read_options(text))


def without_change(rules: Rules, path: str) -> Rules:
    """One option as in the preset again."""
    preset = rules.preset or rules
    back = value_at(preset, path)
    if _by_kind(path, back):
        return rules.override({"fans": {path.partition(".")[2]: dict(back)}})
    return with_value(rules, path, write_value(back))


def apply(rules: Rules, fields: Mapping[str, str]) -> tuple[Rules, list[Json]]:
    """The rules with what a sheet says, and the errors of what cannot be.

    Only fields that differ from the rules in force are applied, each on its own, so that one bad
    value does not undo the others.
    """
    errors: list[Json] = []
    before = rules
    for path, value in sorted(fields.items(), key=lambda item: item[0].count(".")):
        if path not in OPTIONS or _is_written(before, path, value):
            continue
        try:
            rules = with_value(rules, path, value)
        except OptionErrors as faults:
            errors += faults.errors
    return rules, errors


def _is_written(rules: Rules, path: str, value: str) -> bool:
    now = value_at(rules, path)
    if not value and isinstance(now, Mapping) and not now:
        return True  # an empty field, where nothing is excluded
    return value == ("each" if _by_kind(path, now) else write_value(now))


def tables(rules: Rules) -> list[Json]:
    """The ready-made tables, each with what it changes against its system and where it is from."""
    return [
        {
            **row,
            "on": ready.load(row["table"]).rules == rules,
            "system": texts.ruleset(row["ruleset"]),
        }
        for row in rulebook.ready_made()
    ]


def sheet(rules: Rules, hand: InFront | None) -> list[Json]:
    """The groups of the sheet with their lines."""
    groups: dict[str, list[Line]] = {group: [] for group in GROUPS}
    for line in lines(rules, hand):
        groups[line.group].append(line)
    return [
        {
            "id": group,
            "name": texts.word(GROUPS, group),
            "lines": found,
            "changed": sum(line.changed for line in found),
            "effects": sum(bool(line.effects) for line in found),
        }
        for group, found in groups.items()
    ]


def lines(rules: Rules, hand: InFront | None) -> Iterator[Line]:
    """Every option of the sheet, in the order of the rules."""
    for term in TERMS.values():
        yield _term_line(rules, term.id, hand)
        if term.id == GANG_SHANG_HUA and term.id in rules.fans:
            for kong in KONGS:
                yield _kong_line(rules, kong, hand)
    for option in OPTIONS.values():
        if not option.path.startswith("fans."):
            yield _option_line(rules, option, hand)


def _line(
    rules: Rules,
    path: str,
    *,
    rule: str,
    group: str,
    name: str,
    text: str,
    choices: Iterable[tuple[str, str]],
    tried: Iterable[str],
    hand: InFront | None,
    offer: Json | None = None,
) -> Line:
    now, was = value_at(rules, path), value_at(rules.preset or rules, path)
    value = "each" if _by_kind(path, now) else write_value(now)
    made = tuple(Choice(v, said, on=v == value) for v, said in choices)
    said_now = {choice.value: choice.name for choice in made}
    changed = now != was
    effects: list[str] = []
    others = [other for other in tried if other != value]
    if hand is not None and hand.valued:
        for other in others:
            try:
                found = hand.effect(with_value(rules, path, other))
            except OptionErrors:
                continue
            if found:
                said = _if_chosen(path, value, other, said_now.get(other, other))
                effects.append(_effect(said, *found))
    return Line(
        path=path,
        rule=rule,
        group=group,
        name=name,
        text=text,
        value=value,
        choices=made,
        changed=changed,
        guess=path in rules.unstated,
        preset=_preset_words(path, was) if changed else "",
        effects=tuple(effects[:3]),
        models=() if effects else tuple(_on_models(rules, path, value, others, said_now)),
        offer=offer,
    )


def _effect(choice: str, before: str, after: str) -> str:
    """What a choice that has not been made would change."""
    told = {"choice": choice, "before": before, "after": after}
    return gettext("%(choice)s：%(before)s → %(after)s") % told


def _on_models(
    rules: Rules, path: str, value: str, others: Sequence[str], said: Mapping[str, str]
) -> Iterator[str]:
    """What other choices would change of a model hand or round, a sentence each."""
    if (work := current()) is not None and work.hands > MOST_HANDS // 4:
        return  # the hand in front comes first
    for found in models.effects(rules, path, tuple(others), get_language() or ""):
        choice = _if_chosen(path, value, found["value"], said.get(found["value"], found["value"]))
        effect = _effect(choice, found["before"], found["after"])
        yield gettext("举例，%(told)s。%(effect)s") % {"told": found["told"], "effect": effect}


def _if_chosen(path: str, value: str, other: str, said: str) -> str:
    """A choice that has not been made, as briefly as it can be named."""
    if other == "off" and path != "cap":
        return gettext("关掉后")
    if other == "on":
        return gettext("打开后")
    if path == "excludes":
        return options.excluded(other)
    if path in options.WORDS and other in options.WORDS[path].short:
        return options.value_in_short(path, other)
    if value == "off" and path.startswith("fans."):
        return gettext("打开后（%(value)s）") % {"value": said}
    return gettext("改成%(value)s") % {"value": said}


def _preset_words(path: str, value: Any) -> str:
    if not path.startswith("fans."):
        return options.value_said(path, value)
    if isinstance(value, Mapping):
        return gettext("按杠分开")
    return gettext("不算") if value is None else fan_words(value)


def _numbers(low: int, high: int, *also: Any) -> list[int]:
    return sorted({*range(low, high + 1), *(n for n in also if isinstance(n, int))})


def _term_line(rules: Rules, key: str, hand: InFront | None) -> Line:
    term = TERMS[key]
    now, was = rules.fans.get(key), (rules.preset or rules).fans.get(key)
    least = rules.least if term.kind == "pattern" else 0
    choices: list[tuple[str, str]] = []
    if key != PING_HU:
        off = gettext("不算") if key != ZI_MO else gettext("按一番")
        choices.append(("off", off))
    if isinstance(now, Mapping):
        choices.append(("each", gettext("按杠分开")))
    hint = suggested(rules, key) if now is None else now
    choices += [(str(n), fan_words(n)) for n in _numbers(least, MOST_FAN, now, was, hint)]
    tried = [str(hint)] if now is None else ["off"]
    if now != was and not isinstance(was, Mapping):
        tried = list(dict.fromkeys([*tried, write_value(was)]))
    return _line(
        rules,
        f"fans.{key}",
        rule=key,
        group=glossary.kind_of(term),
        name=gettext(term.name),
        text=gettext(glossary.DEFINITIONS[key]),
        choices=choices,
        tried=tried,
        hand=hand,
        offer=_offer(rules, key),
    )


def _offer(rules: Rules, key: str) -> Json | None:
    """A pattern that the table has switched on brings its 清 form along, if it wants."""
    pure = glossary.pure_form(TERMS[key])
    on = key in rules.fans and key not in (rules.preset or rules).fans
    if pure is None or not on or pure.id in rules.fans or rules.combine == "sum":
        return None
    fan = suggested(rules, pure.id)
    said = {"term": gettext(pure.name), "fan": fan}
    return {
        "set": f"fans.{pure.id}:{fan}",
        "text": gettext("也算%(term)s：%(fan)s番") % said,
    }


def _kong_line(rules: Rules, kong: str, hand: InFront | None) -> Line:
    path = f"fans.{GANG_SHANG_HUA}.{kong}"
    now, was = value_at(rules, path), value_at(rules.preset or rules, path)
    return _line(
        rules,
        path,
        rule=GANG_SHANG_HUA,
        group="bonus",
        name=texts.term_after(GANG_SHANG_HUA, kong),
        text="",
        choices=[(str(n), fan_words(n)) for n in _numbers(0, MOST_FAN, now, was)],
        tried=[str(was)] if was is not None else [],
        hand=hand,
    )


def _option_line(rules: Rules, option: engine.Option, hand: InFront | None) -> Line:
    path, takes = option.path, option.takes
    name, _, inside = path.partition(".")
    now, was = value_at(rules, path), value_at(rules.preset or rules, path)
    values: list[Any] = list(takes.also)
    tried: list[Any] = values
    if path == "joker":
        values = tried = [None, *(v for v in takes.also if v)]
    elif path == "cap":
        values = [None, *_numbers(max(1, rules.least), MOST_FAN, now, was)]
        tried = [None, *range(max(3, rules.least), 7)]
    elif path == "pig.points":
        more = [n for n in (now, was) if isinstance(n, int)]
        values = [*sorted({*more, *(n for n in PIG_POINTS if isinstance(n, int))}), "cap"]
    elif path == "base":
        values, tried = [], [was]
    elif path == "excludes":
        tried = [hand["opt"].rpartition(":")[2] for hand in examples.HANDS[path]]
    elif takes.high is not None:
        values = [*takes.also, *_numbers(0, MOST_UNITS, now, was)]
    if takes.high is not None and path not in ("cap", "base", "pig.points"):
        tried = [*takes.also, *(n for n in (1, 2) if n != now)]
    return _line(
        rules,
        path,
        rule=name,
        group=option.group,
        name=options.name(path),
        text=""
        if inside and inside not in ("points", "exposed")
        else gettext(glossary.text_id(name)),
        choices=[(write_value(value), options.value_said(path, value)) for value in values],
        tried=[write_value(value) for value in tried],
        hand=hand,
    )


FILE_FORMAT = "suanfan-house-rules"


def exported(rules: Rules, name: str, address: str) -> Json:
    """House rules as a small file: read it with any program, or open its address."""
    return {
        "format": FILE_FORMAT,
        "version": 1,
        "name": name or badge.badge(rules),
        "ruleset": rules.id,
        "options": rules.changes(),
        "address": address,
    }
