"""Ready-made tables (现成的牌桌): a rule system and its options under a name, to start from.

A table is one TOML file in ``tables/``: its id (the file's name), its name and source (message
ids), its system, and under ``options`` what it changes, as a request writes it.  An address holds
the system and the options and never the table, so an old link keeps its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .rules import Rules, UnknownRuleset, overridden, read_file
from .rules import load as load_rules

TABLES = Path(__file__).with_name("tables")

_TEXT_KEYS = ("id", "name", "system", "source")

#: The order in which they are offered; a table that is not named here comes after them.
_ORDER = (
    "sbr_four", "chengdu_common", "rooms", "rooms_flow", "zhong_flow",
    "three_two", "three_three", "four_two", "two_two",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """One ready-made table; ``rules.changes()`` is what it changes against its system.

    >>> load("three_two").rules.players
    3
    """

    id: str
    name: str
    source: str
    rules: Rules


def read(path: Path) -> Table:
    """Read and check one table.

    Raises :class:`RulesError`, whose message names the file and the key.
    """
    data, wrong = read_file(path, _TEXT_KEYS, ("options",))
    options = data.get("options")
    if not isinstance(options, Mapping):
        raise wrong("options", "a table of options is needed")
    try:
        system = load_rules(data["system"])
    except UnknownRuleset:
        raise wrong("system", f"no system {data['system']!r}") from None
    rules = overridden(system, options, wrong)
    if not rules.changes():
        raise wrong("options", "they change nothing")
    return Table(data["id"], data["name"], data["source"], rules)


@lru_cache(maxsize=8)
def ids(folder: Path = TABLES) -> tuple[str, ...]:
    """The ids of all ready-made tables, in the order in which they are offered.

    >>> ids()[:2]
    ('sbr_four', 'chengdu_common')
    """
    found = {path.stem for path in folder.glob("*.toml")}
    ordered = [name for name in _ORDER if name in found]
    return (*ordered, *sorted(found - set(ordered)))


@lru_cache(maxsize=64)
def load(table: str, folder: Path = TABLES) -> Table:
    """One ready-made table.

    Raises :class:`KeyError` for an unknown id, :class:`RulesError` for a file that cannot be used.

    >>> load("two_two").name
    '二人两房'
    """
    if table not in ids(folder):
        raise KeyError(table)
    return read(folder / f"{table}.toml")
