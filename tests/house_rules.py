"""Random house rules, the far ones too: a table may set every option to its ends."""

from decimal import Decimal
from random import Random
from typing import Any

from scoring import rules

FAR_FANS = (0, 1, 2, 3, 5, 8, 20, 99)
BASES = ("0", "0.01", "0.1", "0.25", "0.5", "1", "3", "12.5", "1000", "12345.67", "1000000")


def options(rnd: Random, ruleset: str) -> dict[str, Any]:
    """Options that the system takes, with any value that an option may have."""
    made: dict[str, Any] = {}
    for option in rules.OPTIONS.values():
        if rnd.random() < 0.3:
            made[option.name] = _value(rnd, option)
    return _accepted(ruleset, made)


def _value(rnd: Random, option: rules.Option) -> Any:
    if option.choices:
        return rnd.choice(option.choices)
    match option.kind:
        case "flag":
            return rnd.random() < 0.5
        case "joker":
            return rnd.choice([None, "1s"])
        case "number":
            return Decimal(rnd.choice(BASES))
        case "fan_or_none":
            return rnd.choice([None, None, 0, 1, 3, 6, 24, 99])
        case "fans":
            names = rnd.sample(sorted(rules.TERMS), rnd.choice([1, 3, 10]))
            return {name: rnd.choice([None, *FAR_FANS]) for name in names}
        case "kong_points":
            return {key: rnd.choice([0, 1, 2, 7, 10_000]) for key in rules.KONG_POINT_KEYS}
    return {
        "points": rnd.choice(["cap", 0, 1, 16, 10_000]),
        "times_best": rnd.choice([0, 1, 2, 10_000]),
        "to": rnd.choice(rules.PIG_TO),
        "also_not_ready": rnd.random() < 0.5,
    }


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
