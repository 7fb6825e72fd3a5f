"""Random house rules, the far ones too: a table may set every option to its ends."""

from decimal import Decimal
from random import Random
from typing import Any

from scoring import rules

FAR_FANS = (0, 1, 2, 3, 5, 8, 20, 99)
FAR_NUMBERS = (0, 1, 2, 3, 6, 16, 24, 99, 9_999)
BASES = ("0", "0.01", "0.1", "0.25", "0.5", "1", "3", "12.5", "1000", "12345.67", "1000000")


#: What makes another table of it: other hands, or wins that may not be declared.
SIZES = frozenset(("players", "suits", "sets", "joker", "min_fan", "excludes"))


def options(rnd: Random, ruleset: str, *, sizes: bool = False) -> dict[str, Any]:
    """Options that the system takes, with any value that an option may have.

    `sizes` has tables of other sizes among them, too.
    """
    made: dict[str, Any] = {}
    for name in rules.FIELDS:
        if (sizes or name not in SIZES) and rnd.random() < 0.3:
            made[name] = _value(rnd, name)
    return _accepted(ruleset, made)


def _value(rnd: Random, name: str) -> Any:
    """Any value of an option; of a table of values, of each of its keys or of some terms."""
    option = rules.OPTIONS.get(name)
    if option is not None:
        return _one(rnd, option.takes)
    if name == "fans":
        names = rnd.sample(sorted(rules.TERMS), rnd.choice([1, 3, 10]))
        return {term: rnd.choice([None, *FAR_FANS]) for term in names}
    inside = [path for path in rules.OPTIONS if path.startswith(f"{name}.")]
    return {path.partition(".")[2]: _one(rnd, rules.OPTIONS[path].takes) for path in inside}


def _one(rnd: Random, takes: Any) -> Any:
    if not isinstance(takes, rules.Takes) or not (takes.also or takes.high is not None):
        # What a bonus does not count beside.
        return rnd.choice([{}, {"zhong_zhang": ["jiang_dui"], "gen": ["qi_dui", "dui_dui_hu"]}])
    if takes.places:
        return Decimal(rnd.choice(BASES))
    numbers = [] if takes.high is None else [n for n in FAR_NUMBERS if n <= takes.high]
    return rnd.choice([*takes.also, *numbers])


def _accepted(ruleset: str, made: dict[str, Any]) -> dict[str, Any]:
    """The same without what this system refuses (a fan under its least, no joker to switch)."""
    preset = rules.load(ruleset)
    while True:
        try:
            preset.override(made)
        except rules.OptionErrors as error:
            names = {str(e["option"]) for e in error.errors}
            assert names, error.errors
            for name in names:
                option, _, key = name.partition(".")
                if key and isinstance(made.get(option), dict):
                    made[option].pop(key.partition(".")[0], None)
                elif made.pop(option, None) is None:
                    made.pop("scale", None)
        else:
            return made
