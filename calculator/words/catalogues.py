"""The message catalogues: what people read, collected, merged and compiled.

Messages are simplified Chinese.  They come from the Python sources (`gettext` and its relatives,
and `N_` for words that are looked up later), from the templates, and from the rule files, where
every value with a Chinese character in it is a message.
"""

import os
import re
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

KEYWORDS: dict[str, Any] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
CHINESE = re.compile("[\u3400-\u9fff]")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")
# Header lines that would name a person or a day; the history of the files has those.
UNWANTED = re.compile(
    rb'^"(POT-Creation-Date|PO-Revision-Date|Report-Msgid-Bugs-To|Last-Translator|Language-Team)'
    rb": .*\n",
    re.MULTILINE,
)
# What a message is for pgettext and its relatives: context, singular (and plural), both texts.
Found = tuple[str | None, str | tuple[str, ...]]


def extracted() -> Catalog:
    """Every message of the project with the files that use it."""
    catalog = Catalog(fuzzy=False)
    base = Path(settings.BASE_DIR)
    for pattern, messages in (
        ("calculator/**/*.py", python_messages),
        ("scoring/**/*.py", python_messages),
        ("templates/**/*.*", template_messages),
        ("scoring/rulesets/*.toml", toml_messages),
        ("scoring/tables/*.toml", toml_messages),
    ):
        for file in sorted(base.glob(pattern)):
            name = file.relative_to(base).as_posix()
            for context, message in messages(file.read_text("utf-8")):
                catalog.add(message, locations=[(name, 0)], context=context)
    return catalog


def python_messages(source: str) -> Iterator[Found]:
    """The messages of Python source."""
    calls: Any = extract_python(BytesIO(source.encode()), KEYWORDS, (), {"encoding": "utf-8"})
    for _, keyword, arguments, _ in calls:
        texts = arguments if isinstance(arguments, tuple) else (arguments,)
        wanted = KEYWORDS[keyword] or (1,)
        context = texts[0] if isinstance(wanted[0], tuple) else None
        picked = [texts[at - 1] for at in wanted if isinstance(at, int)]
        if all(picked):
            yield context, picked[0] if len(picked) == 1 else tuple(picked)


def template_messages(source: str) -> Iterator[Found]:
    """The messages of a Django template."""
    # Indentation means nothing in what `templatize` leaves, but would to Python's tokenizer.
    lines = templatize(source).splitlines()
    yield from python_messages("\n".join(line.lstrip() for line in lines))


def toml_messages(source: str) -> Iterator[Found]:
    """The Chinese values of a rule file, in order."""

    def walk(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for part in value.values():
                yield from walk(part)
        elif isinstance(value, list):
            for part in value:
                yield from walk(part)
        elif isinstance(value, str) and CHINESE.search(value):
            yield value

    for text in walk(tomllib.loads(source)):
        yield None, text


def locales() -> list[str]:
    """The locales that need a catalogue: every language but the source language."""
    return [to_locale(code) for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def po_file(locale: str) -> Path:
    """Where the catalogue of a locale stands."""
    return Path(settings.LOCALE_PATHS[0]) / locale / "LC_MESSAGES" / "django.po"


def merged(locale: str, template: Catalog) -> Catalog:
    """The catalogue of a locale with exactly the messages of today."""
    file = po_file(locale)
    if file.exists():
        with file.open("rb") as source:
            catalog = read_po(source, locale=locale)
    else:
        catalog = Catalog(locale=locale, project="算番", version="1", fuzzy=False)
    catalog.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalog.header_comment = ""
    return catalog


def written(catalog: Catalog) -> bytes:
    """The text of a catalogue: the same messages always give the same bytes."""
    out = BytesIO()
    write_po(out, catalog, width=100, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return UNWANTED.sub(b"", out.getvalue()).lstrip()


def forms(text: Any) -> tuple[str, ...]:
    """The texts of one side of a message: one, or one per plural form."""
    return tuple(text) if isinstance(text, (tuple, list)) else (text,)


def problems(locale: str, template: Catalog) -> Iterator[str]:
    """What keeps the catalogue of a locale from being complete and current."""
    catalog = merged(locale, template)
    file = po_file(locale)
    if not file.exists() or file.read_bytes() != written(catalog):
        yield f"{locale}: stale; run `python manage.py texts`"
    for message in catalog:
        if not message.id:
            continue
        sources, targets = forms(message.id), forms(message.string)
        if not all(targets):
            yield f"{locale}: no translation of {sources[0]!r}"
        elif message.fuzzy:
            yield f"{locale}: unreviewed translation of {sources[0]!r}"
        else:
            known = set(PLACEHOLDER.findall(" ".join(sources)))
            used = set(PLACEHOLDER.findall(" ".join(targets)))
            if used - known or (known - used and len(targets) == 1):
                yield f"{locale}: placeholders of {sources[0]!r} differ"


def compile_stale() -> None:
    """Compile each catalogue that changed since it was last compiled."""
    for file in map(po_file, locales()):
        target = file.with_suffix(".mo")
        if not file.exists() or (
            target.exists() and target.stat().st_mtime >= file.stat().st_mtime
        ):
            continue
        with file.open("rb") as source:
            catalog = read_po(source)
        # Replaced in one step: another process may be reading the old one.
        part = target.with_suffix(f".{os.getpid()}.part")
        with part.open("wb") as out:
            write_mo(out, catalog)
        part.replace(target)
