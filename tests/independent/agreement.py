"""Where an answer of the engine differs from the independent one."""

from decimal import Decimal

from tests.case_files import pairs

NUMBERS = ("fan", "uncapped_fan", "multiple")
BLESSINGS = {"tian_hu", "di_hu"}


def differences(expected, got):
    """What the answer `got` has otherwise than `expected`, as short lines; empty if alike."""
    if expected["status"] != got["status"]:
        return [f"status {got['status']}, expected {expected['status']}"]
    check = {"win": win, "ready": ready, "not_ready": not_ready, "not_won": not_won}
    if expected["status"] in check:
        return check[expected["status"]](expected, got)
    if expected["status"] == "incomplete":
        return differing(expected, got, ["missing"])
    codes = {error["code"] for error in got["errors"]}
    return [] if expected["code"] in codes else [f"codes {codes}, expected {expected['code']}"]


def differing(expected, got, keys):
    return [
        f"{key} {got.get(key)}, expected {expected[key]}"
        for key in keys
        if got.get(key) != expected[key]
    ]


def value(expected, got):
    """Numbers and terms of a win or of one wait."""
    found = differing(expected, got, NUMBERS)
    if Decimal(str(got["points"])) != expected["points"]:
        found.append(f"points {got['points']}, expected {expected['points']}")
    terms = pairs(got["terms"])
    if terms not in expected["ties"]:
        found.append(f"terms {terms}, expected {expected['ties']}")
    if sum(term["fan"] for term in got["terms"]) != got["uncapped_fan"]:
        found.append("the terms do not add up to uncapped_fan")
    return found


def win(expected, got):
    found = value(expected, got)
    patterns = set(got["patterns"]) - BLESSINGS
    if patterns not in [set(chosen) - BLESSINGS for chosen in expected["patterns"]]:
        found.append(f"patterns {got['patterns']}, expected {expected['patterns']}")
    who = {row["who"] for row in got["payments"]}
    amounts = sorted(
        Decimal(str(row["amount"])) for row in got["payments"] for _ in range(row["players"])
    )
    paid = sorted(expected["payments"]["amounts"])
    if expected["payments"]["who"] == "giver":
        amounts, paid = [sum(amounts)], [sum(paid)]
    if who != {expected["payments"]["who"]} or amounts != paid:
        found.append(f"payments {got['payments']}, expected {expected['payments']}")
    return found


def waits(expected, got):
    by_tile = {wait["tile"]: wait for wait in got}
    if set(by_tile) != set(expected):
        return [f"waits {sorted(by_tile)}, expected {sorted(expected)}"]
    found = []
    for tile, wait in expected.items():
        lines = value(wait, by_tile[tile]) + differing(wait, by_tile[tile], ["left"])
        found += [f"wait {tile}: {line}" for line in lines]
    multiples = [wait["multiple"] for wait in got]
    if multiples != sorted(multiples, reverse=True):
        found.append("the waits are not in order, best first")
    return found


def ready(expected, got):
    found = waits(expected["waits"], got["waits"])
    if expected.get("joker_wins") and not got.get("joker_wins"):
        found.append("joker_wins is missing")
    return found


def not_ready(expected, got):
    found = differing(expected, got, ["shanten"])
    useful = {row["tile"]: row["left"] for row in got["useful"]}
    named = {tile: left for tile, left in useful.items() if tile in expected["useful"]}
    others = set(useful) - set(named) - set(expected["jokers"])
    if named != expected["useful"] or others:
        found.append(f"useful {useful}, expected {expected['useful']}")
    return found + pig(expected, got)


def not_won(expected, got):
    found = differing(expected, got, ["shanten"])
    by_tile = {row["tile"]: row["waits"] for row in got["discards"]}
    if set(by_tile) != set(expected["discards"]):
        return [f"discards {sorted(by_tile)}, expected {sorted(expected['discards'])}"]
    for tile, wanted in expected["discards"].items():
        found += [f"discard {tile}: {line}" for line in waits(wanted, by_tile[tile])]
    ranks = [
        (
            # Points at any base; at a base of nothing the multiple still says which is better.
            max(wait["multiple"] for wait in row["waits"]),
            sum(wait["left"] for wait in row["waits"]),
        )
        for row in got["discards"]
    ]
    if ranks != sorted(ranks, reverse=True):
        found.append("the discards are not in order, best first")
    return found + pig(expected, got)


def pig(expected, got):
    if bool(got.get("flower_pig")) != expected["flower_pig"]:
        return [f"flower_pig {got.get('flower_pig')}, expected {expected['flower_pig']}"]
    return []
