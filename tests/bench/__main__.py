"""Measure and print a table: `python -m tests.bench [--hands N]`."""

import argparse
import gc
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from random import Random
from statistics import median
from typing import Any

from tests.bench import arrays, deals, guobiao, paint, riichi, rounds, site, streams

#: Waits lists and contract calls are measured on one in so many hands.
PART = 4
COMPILED = streams.ROOT / "build" / "compiled"


def seconds(call: Callable[..., Any], arguments: Iterable[tuple[Any, ...]], **more: Any) -> float:
    """How much of this processor it takes to call ``call`` once with each of ``arguments``.

    Time of the processor, not of the clock: another busy program does not count.  As with
    ``timeit``, what is left of the hands of other rows is not collected meanwhile.
    """
    gc.collect()
    gc.disable()
    begin = time.process_time()
    for each in arguments:
        call(*each, **more)
    spent = time.process_time() - begin
    gc.enable()
    return spent


def engine_calls(hands: list[deals.Deal]) -> list[tuple[Any, ...]]:
    """The arguments of `scoring.score.value` for each hand."""
    from scoring.hand import Meld

    return [(d.tiles, tuple(Meld(kind, tile) for kind, tile in d.melds)) for d in hands]


def values(hands: dict[str, list[deals.Deal]]) -> Iterator[tuple[str, str]]:
    """From tile ints to a value, beside the other library on the same hands."""
    begin = time.perf_counter()
    from scoring import rules, score

    yield "import of the engine", f"{1000 * (time.perf_counter() - begin):.0f} ms"
    chengdu = rules.load("chengdu")
    ours_of_all = theirs_of_all = 0.0
    for name, dealt in hands.items():
        calls = engine_calls(dealt)
        other, other_calls = riichi.prepare(dealt)
        first = seconds(score.value, calls, rules=chengdu)
        theirs = seconds(other, other_calls)
        again = seconds(score.value, calls, rules=chengdu)
        assert all(score.value(*call, rules=chengdu) for call in calls)
        yield f"{name}: value, first pass", per_second(len(calls), first)
        yield f"{name}: value, second pass", per_second(len(calls), again)
        yield f"{name}: mahjong 2.1.0", per_second(len(calls), theirs)
        yield f"{name}: ratio, first pass", f"{theirs / first:.1f} ×"
        if prepared := guobiao.prepare(dealt):
            theirs = seconds(*prepared)
            ours_of_all, theirs_of_all = ours_of_all + first, theirs_of_all + theirs
            yield f"{name}: PyMahjongGB 1.4.0", per_second(len(calls), theirs)
            yield f"{name}: ratio, first pass", f"{theirs / first:.1f} ×"
        else:
            yield f"{name}: PyMahjongGB 1.4.0", "not installed"
        yield from arrays.many(dealt, calls, name)
    if theirs_of_all:
        number = sum(map(len, hands.values()))
        yield "all: value, first pass", per_second(number, ours_of_all)
        yield "all: PyMahjongGB 1.4.0", per_second(number, theirs_of_all)
        yield "all: ratio, first pass", f"{theirs_of_all / ours_of_all:.1f} ×"


def through_the_contract(hands: dict[str, list[deals.Deal]]) -> Iterator[tuple[str, str]]:
    """From canonical text to the whole answer: shape, other readings, payments."""
    from scoring import contract, rules, score
    from scoring.hand import Meld, make_hand
    from scoring.notation import format_hand

    for name, dealt in hands.items():
        part = dealt[: len(dealt) // PART]
        requests = []
        for deal in part:
            melds = tuple(Meld(kind, tile) for kind, tile in deal.melds)
            hand = make_hand(list(deal.tiles[:-1]), melds, win_tile=deal.tiles[-1])
            requests.append(({"ruleset": "chengdu", "hand": format_hand(hand)},))
        assert contract.score(*requests[0])["status"] == "win"
        spent = seconds(contract.score, requests)
        bare = seconds(score.value, engine_calls(part[::-1]), rules=rules.load("chengdu"))
        yield f"{name}: text to answer", per_second(len(part), spent)
        yield f"{name}: cost, bare value = 1", f"{spent / bare:.1f} ×"
        if not part[0].melds:
            some = requests[: max(1, len(requests) // 50)]
            times = [seconds(contract.compare, [request]) for request in some]
            yield "one compare, median", f"{1000 * median(times):.2f} ms"


def hands_that_did_not_win(dealt: list[deals.Deal]) -> Iterator[tuple[str, str]]:
    """From text to the whole answer where a hand waits, wants a discard or is far from ready."""
    from scoring import contract
    from scoring.notation import format_tiles

    chance, part = Random(deals.SEED), dealt[: len(dealt) // PART]
    wall = [tile for tile in range(27) for _ in range(4)]
    strays = [9 * min(range(3), key=lambda s: sum(t // 9 == s for t in d.tiles)) for d in part]
    asked = {
        "waits": [deal.tiles[:-1] for deal in part],
        "discards": [(*d.tiles[:-1], stray + 4) for d, stray in zip(part, strays, strict=True)],
        "distance of random tiles": [tuple(chance.sample(wall, 13)) for _ in part],
    }
    for what, hands in asked.items():
        requests = [({"ruleset": "chengdu", "hand": format_tiles(sorted(h))},) for h in hands]
        spent = seconds(contract.score, requests)
        yield f"text to {what}", f"{1000 * spent / len(requests):.2f} ms"


def waits_lists(hands: dict[str, list[deals.Deal]]) -> Iterator[tuple[str, str]]:
    """All waits of hands one tile short, then the same again with the value of each."""
    from scoring import rules, score, waits
    from scoring.hand import Win, summarise
    from scoring.tiles import pack

    chengdu = rules.load("chengdu")
    scorer = score.scorer(chengdu, Win())
    for name, dealt in hands.items():
        part = dealt[: len(dealt) // PART]
        short = [(tiles[:-1], melds) for tiles, melds in engine_calls(part)]

        def listed(tiles: tuple[int, ...], melds: tuple[Any, ...]) -> object:
            return waits.waits(pack(tiles), summarise(melds), chengdu)

        def valued(tiles: tuple[int, ...], melds: tuple[Any, ...]) -> object:
            return waits.valued(pack(tiles), summarise(melds), scorer)

        yield f"{name}: waits lists", per_second(len(short), seconds(listed, short))
        yield f"{name}: waits lists with values", per_second(len(short), seconds(valued, short))


def jokers(number: int) -> Iterator[tuple[str, str]]:
    """What three jokers cost, on the same hands of `yaoji` with and without."""
    from scoring import rules, score

    yaoji = rules.load("yaoji")
    without = deals.winning_hands(number, melds=False, without=deals.ONE_BAMBOO)
    none = seconds(score.value, engine_calls(without), rules=yaoji)
    three_calls = engine_calls(deals.with_jokers(without, 3))
    assert all(score.value(*call, rules=yaoji) for call in three_calls[:100])
    three = seconds(score.value, three_calls, rules=yaoji)
    yield "three jokers (yaoji): value, first pass", per_second(number, three)
    yield "three jokers: cost, hands without = 1", f"{three / none:.1f} ×"


def settlements() -> Iterator[tuple[str, str]]:
    """Whole rounds given by 番, to the four totals."""
    from scoring import rules
    from scoring.settle import settle

    laok = rules.load("laok")
    played = rounds.rounds(rounds.ROUNDS)

    def totals(events: tuple[Any, ...]) -> None:
        result = settle(laok, events)
        assert not result.errors
        assert not sum(result.totals)

    spent = seconds(totals, [(events,) for events in played])
    yield "rounds given by fan (laok)", per_second(len(played), spent)


def compiled(number: int) -> Iterator[tuple[str, str]]:
    """The rows of the engine once more, from what `make compiled` makes of the same source."""
    if not (COMPILED / ".made").exists():
        yield "the engine compiled", "no compiler"
        return
    path = os.pathsep.join((str(COMPILED), str(streams.ROOT)))
    rows = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--engine", "--hands", str(number)],
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": path},
        cwd=streams.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    yield from (tuple(row.rsplit("\t", 1)) for row in rows.stdout.splitlines())


def per_second(number: int, spent: float) -> str:
    return f"{number / spent:,.0f} /s"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--hands", type=int, default=10_000, help="hands of each kind")
    parser.add_argument("--engine", action="store_true", help="of a compiled engine, bare rows")
    given = parser.parse_args()
    number = given.hands
    hands = {
        "no melds": deals.winning_hands(number, melds=False),
        "melds": deals.winning_hands(number, melds=True),
    }
    engine = (
        values(hands),
        waits_lists(hands),
        jokers(number),
        settlements(),
        through_the_contract(hands),
        hands_that_did_not_win(hands["no melds"]),
        streams.lines(hands),
    )
    if given.engine:
        for what, measured in chain.from_iterable(engine):
            print(f"compiled, {what}\t{measured}", flush=True)
        return
    print(f"{number:,} random winning hands of each kind, Python {platform.python_version()}\n")
    rest = (
        arrays.memory(),
        streams.columns(hands),
        site.result(hands["no melds"]),
        paint.rows(hands["no melds"]),
    )
    for section in (*engine, compiled(number), *rest):
        for what, measured in section:
            print(f"{what:<52}{measured:>14}", flush=True)
        print()


if __name__ == "__main__":
    main()
