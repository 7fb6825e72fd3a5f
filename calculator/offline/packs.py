"""The three files that let the site run in a browser without a network, where they are built.

`make offline` leaves them below the static files (`making.py` says how):

| file                  | holds                                              | changes with |
|-----------------------|----------------------------------------------------|--------------|
| `runtime.<hash>.pack` | Pyodide: Python for browsers, its standard library | Pyodide      |
| `library.<hash>.pack` | Django and what else the pages are made with       | Django       |
| `site.<hash>.pack`    | the engine, the site, its templates and catalogues | the site     |

Each is a line of JSON, the names and lengths of its files in order, and then those files.
"""

import json
from dataclasses import dataclass
from functools import cache

from django.conf import settings

from calculator.site import build

#: Where the packs and their index lie, in `STATIC_ROOT` and below `STATIC_URL`.
FOLDER = "engine"
INDEX = "index.json"


@dataclass(frozen=True)
class Pack:
    """One of the files: its name, its length, the bytes that come over the wire, its SHA-256."""

    file: str
    length: int
    wire: int
    sha256: str

    @property
    def url(self) -> str:
        """The path it is served under; for ever, because the name carries a hash."""
        return f"{settings.STATIC_URL}{FOLDER}/{self.file}"


@cache
def built() -> tuple[Pack, ...]:
    """Runtime, library and site; nothing where they are not built or are of another release."""
    try:
        text = (settings.STATIC_ROOT / FOLDER / INDEX).read_text("utf-8")
    except FileNotFoundError:
        return ()
    index = json.loads(text)
    if index["release"] != build.mark():
        return ()
    return tuple(Pack(**pack) for pack in index["packs"])
