"""Random whole rounds given by 番: kongs, wins and, short of three wins, the end of the wall."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.bench.deals import SEED

ROUNDS = 10_000


def _play(random: Random) -> Iterator[Any]:
    from scoring.settle import Draw, Kong, Standing, WinEvent, Winner

    playing = [0, 1, 2, 3]
    kongs = [0] * 4
    for _ in range(random.choice((2, 3, 3))):
        for _ in range(random.choice((0, 1, 1, 2))):
            seat, giver = random.sample(playing, 2)
            if kongs[seat] == 4:
                continue
            kongs[seat] += 1
            kind = random.choice(("exposed_kong", "added_kong", "concealed_kong"))
            yield Kong(seat, kind, giver=giver if kind == "exposed_kong" else None)
        seat, giver = random.sample(playing, 2)
        winners = (Winner(seat, random.randrange(1, 6)),)
        if random.random() < 0.5:
            yield WinEvent("self_draw", winners)
        else:
            yield WinEvent("discard", winners, giver=giver)
        playing.remove(seat)
    if len(playing) == 2:
        hands: list[Standing | None] = [None] * 4
        for seat in playing:
            state = random.choice(("ready", "ready", "not_ready", "flower_pig"))
            hands[seat] = Standing(state, fan=2 if state == "ready" else 0)
        yield Draw((hands[0], hands[1], hands[2], hands[3]))


def rounds(number: int) -> list[tuple[Any, ...]]:
    """Events of so many rounds, the same ones every time."""
    random = Random(f"{SEED} rounds")
    return [tuple(_play(random)) for _ in range(number)]
