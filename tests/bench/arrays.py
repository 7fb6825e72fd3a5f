"""Many hands at once, and what a million different hands cost in memory."""

import resource
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tests.bench.deals import Deal

WARM, MEASURED = 100_000, 1_000_000


def many(dealt: list[Deal], calls: list[tuple[Any, ...]], name: str) -> Iterator[tuple[str, str]]:
    """The hands of the other rows as arrays, then every concealed hand there is."""
    from scoring import enumerate as every
    from scoring import rules, score
    from scoring.many import from_packed, meld_numbers, score_many
    from scoring.tiles import pack

    chengdu = rules.load("chengdu")
    codes = from_packed([pack(tiles) for tiles, _ in calls])
    melds = meld_numbers([own for _, own in calls])
    begin = time.process_time()
    score_many(codes[:1], melds[:1], rules=chengdu)
    if not dealt[0].melds:
        yield "score_many: its tables", f"{1000 * (time.process_time() - begin):.0f} ms"
    begin = time.process_time()
    values = score_many(codes, melds, rules=chengdu)
    spent = time.process_time() - begin
    one_by_one = [score.value(*call, rules=chengdu) for call in calls]
    assert [v and v.multiple for v in one_by_one] == values.multiple.tolist()
    yield f"{name}: score_many", f"{len(dealt) / spent:,.0f} /s"
    if not dealt[0].melds:
        codes = from_packed(list(every.concealed()))
        begin = time.process_time()
        values = score_many(codes, rules=chengdu)
        spent = time.process_time() - begin
        assert (values.verdict >= 0).all()
        yield f"score_many: all {len(codes):,} hands", f"{len(codes) / spent:,.0f} /s"


def memory() -> Iterator[tuple[str, str]]:
    """How the greatest use of memory grows over a million different hands, scored one by one."""
    from scoring import enumerate as every
    from scoring import rules, score
    from scoring.hand import summarise

    scorer = score.scorer(rules.load("chengdu"), score.Win())
    stream = every.hands(3)

    def go(number: int) -> int:
        for group, part in islice(stream, number):
            scorer.verdict(part, summarise(group.melds))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = go(WARM)
    after = go(MEASURED)
    yield f"memory over {MEASURED:,} more hands", f"+{(after - before) / 1024:.1f} MiB"
