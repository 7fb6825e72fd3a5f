"""Which version of the site this is: for reports, and for what browsers keep offline."""

import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

#: Where everything lies that an answer depends on.
FOLDERS = {
    "scoring": (".py", ".toml", ".json"),
    "calculator": (".py", ".mo", ".json"),
    "templates": (".html", ".js"),
    "static": (".css", ".js", ".svg"),
}


@cache
def version() -> str:
    """The release as the project's own file names it: `1.1.0`."""
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


@cache
def mark() -> str:
    """Eight hex digits that differ whenever an answer or a page may differ."""
    if settings.RELEASE:
        return settings.RELEASE
    digest = sha256()
    root = Path(settings.BASE_DIR)
    for folder, kinds in FOLDERS.items():
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in kinds and file.is_file():
                digest.update(str(file.relative_to(root)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:8]
