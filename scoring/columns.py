"""Values of the hands in a file of columns (Parquet or Arrow), for whoever analyses game records.

Needs NumPy and PyArrow, the optional extra ``table``.  A file is read and written in parts, so that
its size does not matter.

A row is a full hand.  ``tiles`` is a list of its concealed tiles, numbers 0–26 (27, 红中, has no
place in arrays); ``m``, ``p`` and ``s`` in its stead are its suit codes, see :mod:`scoring.many`.
``melds``, if there is such a column, is a list of numbers as ``many.meld_numbers`` makes them.
What is written has a row for each hand in the same order: ``fan``, ``uncapped_fan``, ``multiple``
and ``pattern``, the id of the base pattern; all are null where a hand does not win.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .hand import MAX_MELDS, MELD_KINDS, Win
from .many import Ints, Values, as_codes, score_many
from .patterns import PATTERNS
from .rules import Rules
from .tiles import TILES

#: So many hands are scored at a time.
PART = 1 << 17

_MOST_MELD_NUMBER = 4 * len(TILES) * len(MELD_KINDS)

SCHEMA = pa.schema(
    [
        ("fan", pa.int32()),
        ("uncapped_fan", pa.int32()),
        ("multiple", pa.int64()),
        ("pattern", pa.dictionary(pa.int32(), pa.string())),
    ]
)
_PATTERN_IDS = pa.array([term.id for term in PATTERNS])


class BadTable(ValueError):
    """A file whose columns are no hands; ``row`` is the first such row from 0, or None."""

    def __init__(self, why: str, row: int | None = None) -> None:
        super().__init__(why)
        self.row = row


def score_file(source: Path, target: Path, *, rules: Rules, win: Win = Win()) -> int:  # noqa: B008
    """Write the values of the hands of a file to another and return how many there are.

    A name that ends in ``.parquet`` is a Parquet file, any other an Arrow file.  Raises
    :class:`BadTable`, and :class:`OSError` for a file that cannot be read or written; then nothing
    is left at ``target``.
    """
    unfinished = target.with_name(target.name + ".part")
    done = 0
    try:
        with ExitStack() as opened:
            parts = _parts(source, opened)
            written = opened.enter_context(_writer(unfinished, target.suffix == ".parquet"))
            for part in parts:
                values = _score(part, done, rules, win)
                written.write_batch(_as_batch(values))
                done += part.num_rows
        unfinished.replace(target)
    except pa.ArrowInvalid as error:
        raise BadTable(str(error)) from error
    finally:
        unfinished.unlink(missing_ok=True)
    return done


def _parts(source: Path, opened: ExitStack) -> Iterator[pa.RecordBatch]:
    """The rows of a file, some at a time, with the columns that are read."""
    if source.suffix == ".parquet":
        file = opened.enter_context(pq.ParquetFile(source))
        named = _columns(file.schema_arrow.names)
        yield from file.iter_batches(PART, columns=named)
        return
    mapped = opened.enter_context(pa.memory_map(str(source)))
    arrow = opened.enter_context(pa.ipc.open_file(mapped))
    named = _columns(arrow.schema.names)
    for number in range(arrow.num_record_batches):
        batch = arrow.get_batch(number).select(named)
        for at in range(0, batch.num_rows, PART):
            yield batch.slice(at, PART)


def _columns(given: list[str]) -> list[str]:
    """The columns that say what the hands are."""
    hands = ["tiles"] if "tiles" in given else ["m", "p", "s"]
    if not set(hands) <= set(given):
        raise BadTable("no column tiles, and not m, p and s")
    return [*hands, "melds"] if "melds" in given else hands


def _writer(file: Path, parquet: bool) -> AbstractContextManager[Any]:
    made: AbstractContextManager[Any]
    made = pq.ParquetWriter(file, SCHEMA) if parquet else pa.ipc.new_file(str(file), SCHEMA)
    return made


def _score(part: pa.RecordBatch, before: int, rules: Rules, win: Win) -> Values:
    """The values of some rows; where one of them is no hand, that is told with its place."""
    try:
        return _values(part, rules, win)
    except ValueError as error:
        if part.num_rows == 1:
            raise BadTable(str(error), before) from error
    half = part.num_rows // 2
    _score(part.slice(0, half), before, rules, win)
    _score(part.slice(half), before + half, rules, win)
    raise AssertionError("rows are no hands together and hands apart")


def _values(part: pa.RecordBatch, rules: Rules, win: Win) -> Values:
    names = part.schema.names
    if "tiles" in names:
        place, tiles = _flat(part.column("tiles"), 0, TILES[-1])
        counts = np.bincount(place * len(TILES) + tiles, minlength=part.num_rows * len(TILES))
        hands = as_codes(counts.reshape(-1, len(TILES)))
    else:
        columns = [_numbers(part.column(name)) for name in "mps"]
        hands = as_codes(np.stack(columns, axis=1))
    melds = np.zeros((part.num_rows, MAX_MELDS), dtype=np.int32)
    if "melds" in names:
        place, numbers = _flat(part.column("melds"), 1, _MOST_MELD_NUMBER)
        # Of the melds of each row, the first, the second and so on.
        at = np.arange(len(place)) - np.searchsorted(place, place)
        if at.size and at.max() >= MAX_MELDS:
            raise ValueError("more melds than a hand has sets")
        melds[place, at] = numbers
        return score_many(hands, melds, rules=rules, win=win)
    return score_many(hands, rules=rules, win=win)


def _flat(lists: pa.Array, least: int, most: int) -> tuple[Ints, Ints]:
    """The numbers of a column of lists, each with the place of its row."""
    if not (pa.types.is_list(lists.type) or pa.types.is_large_list(lists.type)
            or pa.types.is_fixed_size_list(lists.type)):  # fmt: skip
        raise ValueError("a column of lists is needed")
    if lists.null_count:
        raise ValueError("a row without a list")
    numbers = _numbers(lists.flatten())
    if numbers.size and not least <= numbers.min() <= numbers.max() <= most:
        raise ValueError(f"numbers from {least} to {most} are needed")
    lengths = lists.value_lengths().to_numpy(zero_copy_only=False)
    return np.repeat(np.arange(len(lists)), lengths), numbers


def _numbers(column: pa.Array) -> Ints:
    if column.null_count or not pa.types.is_integer(column.type):
        raise ValueError("whole numbers are needed, and none may be missing")
    found: Ints = column.to_numpy(zero_copy_only=False)
    return found


def _as_batch(values: Values) -> pa.RecordBatch:
    lost = values.verdict < 0
    ids = pa.DictionaryArray.from_arrays(pa.array(values.pattern, mask=lost), _PATTERN_IDS)
    numbers = (values.fan, values.uncapped_fan, values.multiple)
    return pa.record_batch([*(pa.array(n, mask=lost) for n in numbers), ids], schema=SCHEMA)
