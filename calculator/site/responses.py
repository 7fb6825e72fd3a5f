"""Answers of the engine as JSON over HTTP, with the words of the reader's language; files."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.timezone import localdate

from calculator.site import wire
from calculator.words import texts

#: The status of an answer that is an error, by its code; every other code is a 422.
STATUS_OF_CODE = {"bad_json": 400, "not_found": 404, "method_not_allowed": 405, "too_large": 413}


def respond(answer: Any, players: Sequence[str] | None = None) -> HttpResponse:
    """An answer with its words, as JSON, with the status that its errors call for."""
    status = 200
    if wire.is_error(answer):
        status = STATUS_OF_CODE.get(answer["errors"][0]["code"], 422)
    return as_json(texts.localise(answer, players), status)


def as_json(value: Any, status: int = 200) -> HttpResponse:
    """A response of JSON."""
    return HttpResponse(wire.encoded(value), status=status, content_type="application/json")


def attached(name: str) -> str:
    """A header that names a file with the day on it."""
    stem, _, kind = name.partition(".")
    return f'attachment; filename="{stem}-{localdate():%Y-%m-%d}.{kind}"'
