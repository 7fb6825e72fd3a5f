"""The engine as it is written, or compiled where `COMPILED=1` asks for it (docs/speed.md)."""

import os

from setuptools import setup

#: What most of the time of a value, of waits and of distances is spent in.
HOT = (
    "tiles", "hand", "decompose", "signature", "patterns", "ways", "score", "waits", "shanten",
    "notation", "analyse", "explain", "compare", "contract/hand",
)  # fmt: skip


def extensions() -> list[object]:
    """The hot modules for the C compiler, or none."""
    if os.environ.get("COMPILED") != "1":
        return []
    from mypyc.build import mypycify

    # The settings for `make lint` are of no use here: they ask for Django.
    return mypycify(
        ["--config-file=", "--strict", *(f"scoring/{name}.py" for name in HOT)],
        opt_level="3",
        debug_level="0",
        group_name="suanfan",
    )


setup(ext_modules=extensions())
