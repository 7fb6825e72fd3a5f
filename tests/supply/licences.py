"""The licences of everything that is shipped with the site: `python -m tests.supply.licences`.

Written from the distributions that are installed, at the versions that are pinned.
"""

import json
import re
from importlib.metadata import Distribution, distribution
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "third-party.txt"

HEAD = """\
What 算番 is shipped with: the packages of requirements.txt, what they bring along, and a font's
outlines. Each stands under its own licence; 算番 itself under that of the file LICENSE.
Made by `make licences`.
"""
#: What is inside a package and has a licence of its own, or is drawn from: name, where, licence.
INSIDE = (
    ("htmx 2", "django-htmx; served to browsers", "0BSD"),
    ("Unicode CLDR data", "babel", "Unicode-3.0"),
    ("libpq", "psycopg-binary", "PostgreSQL"),
    ("OpenSSL", "psycopg-binary", "Apache-2.0"),
    ("MIT Kerberos with libcom_err", "psycopg-binary", "MIT"),
    ("OpenLDAP", "psycopg-binary", "OLDAP-2.8"),
    ("Cyrus SASL", "psycopg-binary", "BSD-Attribution-HPND-disclaimer"),
    ("keyutils", "psycopg-binary", "LGPL-2.0-or-later"),
    ("libxcrypt", "psycopg-binary", "LGPL-2.1-or-later"),
    (
        "LXGW WenKai Bold 1.250, © LXGW and the Klee Project Authors",
        "outlines of its characters in static/tiles.svg and calculator/hand/lettering.json",
        "OFL-1.1",
    ),
)
#: How a licence begins where a package does not say which it is.
BEGINNINGS = {"Permission is hereby granted, free of charge": "MIT"}
LICENCE_FILE = re.compile(r"\.dist-info/(licenses/)?(licen[cs]e|copying|notice)[^/]*$", re.I)


def pins() -> dict[str, str]:
    """The packages that the site runs on, with their versions."""
    text = (ROOT / "requirements.txt").read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE))


def texts(package: Distribution) -> list[str]:
    """The licence texts that a package brings along."""
    found = [file for file in package.files or [] if LICENCE_FILE.search(str(file))]
    return [file.read_text("utf-8").strip() for file in sorted(found, key=str)]


def licence(package: Distribution) -> str:
    """The licence of a package: as it declares it, else as its text begins."""
    declared = package.metadata
    classifiers = [c.rpartition(" :: ")[2] for c in declared.get_all("Classifier") or []]
    named = [c for c in classifiers if c.endswith("License")]
    said = declared.get("License-Expression") or declared.get("License") or "".join(named[:1])
    whole = "\n".join(texts(package))
    return said or next((name for begun, name in BEGINNINGS.items() if begun in whole), "")


def compiled_in(package: Distribution) -> list[tuple[str, str, str]]:
    """What is compiled into a package, by the bill of materials that it brings along."""
    found = []
    for file in package.files or []:
        if str(file).endswith(".cyclonedx.json"):
            for part in json.loads(file.read_text("utf-8"))["components"]:
                said = [one.get("expression") or one["license"]["id"] for one in part["licenses"]]
                found.append((part["name"], part["version"], " AND ".join(said)))
    return sorted(found)


def text() -> str:
    """The whole file."""
    rule = "=" * 78
    parts = [HEAD]
    for name, version in pins().items():
        package = distribution(name)
        parts += [f"{rule}\n{name} {version}: {licence(package)}", *texts(package)]
        if inside := compiled_in(package):
            parts.append("Compiled into it:")
            parts.append("\n".join(f"  {n} {v}: {said}" for n, v, said in inside))
    parts.append(f"{rule}\nInside, or drawn from:")
    parts.append("\n".join(f"  {name} ({where}): {said}" for name, where, said in INSIDE))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
