"""Packages of the distribution that tests need, installed where that may be done."""

import os
import shutil
import subprocess
from functools import cache

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def run(*command: str) -> bool:
    """Run an installer, quietly; whether it worked."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=900,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


@cache
def _lists() -> None:
    """What the distribution has now, asked once; the lists of before may do as well."""
    run("apt-get", "update")


def apt(*packages: str) -> bool:
    """Install packages as root; whether that worked."""
    if not (ROOT and shutil.which("apt-get")):
        return False
    _lists()
    print("Installing", *packages, "with apt …", flush=True)
    return run("apt-get", "install", "--yes", "--no-install-recommends", *packages)
