"""The engine on the device, started cold: `python -m tests.bench.device [--starts 5]`.

A browser is started on a profile in which the engine was chosen, while no server runs, and opens a
hand never seen; by the clock, the browser's own start not counted.  Then the same on a quarter of
the processors, for which Linux has control groups that root alone may make.
"""

import argparse
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserType, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import PHONE
from tests.browser.engine import ASK, NAMES, START, UNSEEN, Site, choose

GROUP = Path("/sys/fs/cgroup/cpu/suanfan-quarter")
PERIOD = 100_000
#: Results that are asked for one after the other, each of another hand.
HANDS = [f"/fragment/result?rules=chengdu&hand=1112345678999s!{n}s" for n in range(1, 10)]


@contextmanager
def throttled(folder: Path) -> Iterator[str]:
    """A program that starts Chromium on a quarter of this machine's processors."""
    GROUP.mkdir()
    try:
        (GROUP / "cpu.cfs_period_us").write_text(str(PERIOD))
        (GROUP / "cpu.cfs_quota_us").write_text(str(PERIOD * (os.cpu_count() or 1) // 4))
        program = folder / "quarter"
        program.write_text(f'#!/bin/sh\necho $$ > {GROUP}/tasks\nexec {chromium.find()} "$@"\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        yield str(program)
    finally:
        GROUP.rmdir()


@contextmanager
def started(kind: BrowserType, program: str, profile: Path, site: Site) -> Iterator[Page]:
    """A browser on this profile."""
    context = kind.launch_persistent_context(
        profile, executable_path=program, args=chromium.ARGUMENTS, **PHONE, base_url=site.address
    )
    context.set_default_timeout(START)
    try:
        yield context.pages[0]
    finally:
        context.close()


def held() -> float:
    """Megabytes that all processes of the browser hold, what they share counted once."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"chromium" in (folder / "cmdline").read_bytes():
                rows = (folder / "smaps_rollup").read_text().splitlines()
                found += sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))
        except OSError:
            continue  # it has ended, or is somebody else's
    return found / 1024


def cold(page: Page, site: Site) -> tuple[float, float, float]:
    """Seconds to the first answer, milliseconds for each of some more, and megabytes."""
    page.goto("about:blank")
    begin = time.perf_counter()
    page.goto(UNSEEN)
    expect(page.locator("[data-result][data-fan]")).to_be_visible(timeout=START)
    first = time.perf_counter() - begin
    begin = time.perf_counter()
    page.evaluate(ASK, [site.module(), [{"url": site.address + hand} for hand in HANDS]])
    return first, 1000 * (time.perf_counter() - begin) / len(HANDS), held()


def measured(kind: BrowserType, program: str, profile: Path, site: Site, starts: int) -> str:
    """The medians of some cold starts."""
    found = []
    for _ in range(starts):
        with tempfile.TemporaryDirectory() as name:  # what was answered once is kept
            fresh = shutil.copytree(profile, Path(name) / "profile", symlinks=True)
            with started(kind, program, fresh, site) as page:
                found.append(cold(page, site))
    first, answer, memory = (median(each) for each in zip(*found, strict=True))
    slowest = max(each[0] for each in found)
    return (
        f"first answer {first:.2f} s (slowest {slowest:.2f}), the next {answer:.0f} ms each, "
        f"{memory:.0f} MB of memory with the browser"
    )


def main() -> None:
    """Choose the engine, stop the server, start cold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--starts", type=int, default=5)
    starts = parser.parse_args().starts
    usual = chromium.find() or ""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, kind = Path(name), playwright.chromium
        (folder / "site").mkdir()
        site = Site(folder / "site")
        profile = folder / "profile"
        begin = time.perf_counter()
        with started(kind, usual, profile, site) as page:
            choose(page)
            print(f"fetched and started once: {time.perf_counter() - begin:.1f} s")
            print(f"kept: {len(page.evaluate(NAMES))} files")
        with site.gone():
            print("cold,", measured(kind, usual, profile, site, starts), flush=True)
            with throttled(folder) as program:
                print("on a quarter,", measured(kind, program, profile, site, starts))


if __name__ == "__main__":
    main()
