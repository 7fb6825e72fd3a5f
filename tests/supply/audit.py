"""Known vulnerabilities of what is pinned: `python -m tests.supply.audit`, by pip-audit.

Ends with 0 where every package was asked about and none is known to be vulnerable, with 1 where one
is, and with 2 where a question was not answered: then nothing is known, which is no good news.
"""

import json
import subprocess
import sys
from typing import Any

ASK = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json")
FILES = ("requirements.txt", "requirements-dev.txt")


def verdict(report: dict[str, Any]) -> tuple[int, list[str]]:
    """The status and what is to be said of pip-audit's report."""
    packages = report["dependencies"]
    known = [
        f"{one['name']} {one['version']}: {fault['id']}"
        f" (mended in {', '.join(fault['fix_versions']) or 'no version'})"
        for one in packages
        for fault in one.get("vulns", ())
    ]
    silent = [one["name"] for one in packages if "skip_reason" in one]
    said = list(known)
    if silent:
        said.append(f"could not ask about {len(silent)} of {len(packages)}: {', '.join(silent)}")
    return (1 if known else 2 if silent else 0), said or [f"{len(packages)} asked, none known"]


def asked(file: str) -> tuple[int, list[str]]:
    """The same for one file of pins."""
    command = (sys.executable, "-m", "pip_audit", "--requirement", file, *ASK)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return verdict(json.loads(done.stdout))
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        return 2, [f"could not ask at all: {last}"]


def main() -> int:
    """Every file of pins."""
    statuses = []
    for file in FILES:
        status, said = asked(file)
        statuses.append(status)
        print(*(f"{file}: {line}" for line in said), sep="\n")
    return 1 if 1 in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
