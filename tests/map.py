"""The picture of rooms and arrows in docs/architecture.md, drawn from the code: `make map`.

Every folder or module just below the two packages is a box; an arrow says that something in the
one imports something of the other. `tests/project/test_project.py` holds the picture to the code.
"""

from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- make map -->\n", "<!-- end of the map -->\n"
#: Boxes that everything leans on; arrows to them would hide the others.
GROUND = ("scoring", "calculator.words", "calculator.site")
#: Where Django people look: no rooms.
LEFT_OUT = ("management", "settings", "templatetags", "wsgi", "apps", "urls")


def rooms() -> dict[str, set[str]]:
    """Every room of the site, with what it imports from: other rooms, and the ground."""
    graph = grimp.build_graph("calculator", "scoring")
    names = sorted(
        name
        for name in graph.find_children("calculator")
        if name.rpartition(".")[2] not in LEFT_OUT
    )
    for name in (*names, "scoring"):
        graph.squash_module(name)
    boxes = {*names, "scoring"}
    return {name: graph.find_modules_directly_imported_by(name) & boxes for name in names}


def picture() -> str:
    """The rooms as a Mermaid flowchart, from above to below."""
    found = rooms()
    upper = [name for name in found if name not in GROUND]
    lines = ["```mermaid", "flowchart TD"]
    lines += ["  subgraph rooms", *(f"    {_box(name)}" for name in upper), "  end"]
    lines += [
        f"  {_box(name)} --> {_box(other)}"
        for name in upper
        for other in sorted(found[name].difference(GROUND))
    ]
    ground = sorted({_box(other) for name in upper for other in found[name].intersection(GROUND)})
    lines += [f"  rooms --> {other}" for other in ground]
    lines += [
        f"  {_box(name)} --> {_box(other)}"
        for name in GROUND
        for other in sorted(found.get(name, ()))
    ]
    return "\n".join([*lines, "```", ""])


def _box(name: str) -> str:
    return name.removeprefix("calculator.")


def drawn(page: str) -> str:
    """The page with the picture as the code has it now."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + picture() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text()))
