"""A PostgreSQL of this test run's own: found, or installed as `python -m tests.postgres`.

`python -m tests.postgres pytest …` starts one in a folder of its own, runs the command with its
`DATABASE_URL`, and stops it.  It refuses to run as root, so as root it runs as `postgres`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.packages import apt
from tests.served import free_port

FOLDERS = Path("/usr/lib/postgresql")
USER = "postgres"


def find() -> Path | None:
    """The folder with the programs of the newest PostgreSQL here, or None."""
    found = shutil.which("initdb")
    folders = sorted(FOLDERS.glob("*/bin"), key=lambda path: int(path.parent.name))
    return Path(found).parent if found else folders[-1] if folders else None


class Postgres:
    """One server in a folder; it can be stopped at once and started again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.port = programs, folder, free_port()
        self.url = f"postgres://{USER}@127.0.0.1:{self.port}/{USER}"

    def _do(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", USER, "--", *command]
        # A server that goes on running keeps what it was given to write to.
        with (self.folder / "log").open("ab") as log:
            subprocess.run(command, check=True, stdout=log, stderr=log, cwd=self.folder)

    def make(self) -> None:
        """An empty cluster that trusts this machine and syncs nothing: it lives for one test."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER, USER)
        self._do("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", USER, "-N")

    def start(self) -> None:
        """Start, and return when it answers."""
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c fsync=off"
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", options, "start")

    def stop(self) -> None:
        """Stop at once, as a power cut would."""
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL that runs."""
    programs = find()
    assert programs is not None, "no PostgreSQL here: `apt install postgresql`"
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = Postgres(programs, Path(folder))
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()


def main(command: list[str]) -> int:
    """Run a command beside a PostgreSQL; without a command, see that there is one."""
    if not find():
        apt("postgresql")
    if not command:
        print(f"PostgreSQL: {find() or 'none here'}")
        return 0
    with postgres() as server:
        environment = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.run([sys.executable, "-m", *command], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
