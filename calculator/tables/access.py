"""Who may come in: by the token in the path, or by six characters that somebody said aloud."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit

from django.db import DatabaseError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from calculator.site import errors
from calculator.tables.book import linked
from calculator.tables.models import Link, Table
from calculator.tables.tokens import code_digest, digest, new_code

CODE_FOR = timedelta(hours=12)


@dataclass(frozen=True)
class Visit:
    """A request to a table: the table, the token that opened it, and whether it may record."""

    table: Table
    token: str
    records: bool


View = Callable[..., HttpResponse]


def visit(token: str) -> Visit:
    """The table that a token opens; raises `Http404`."""
    link = Link.objects.select_related("table").filter(digest=digest(token)).first()
    if link is None or not compare_digest(link.digest, digest(token)):
        raise Http404("no such table")
    return Visit(link.table, token, link.records)


def at_table(view: Callable[..., HttpResponse]) -> View:
    """A view of a table: its token is never kept, indexed or sent on to another page."""

    @wraps(view)
    def inner(request: HttpRequest, token: str, *args: Any, **more: Any) -> HttpResponse:
        response = view(request, visit(token), *args, **more)
        return unkept(response)

    return stored(inner)


def unkept(response: HttpResponse) -> HttpResponse:
    """An answer that nobody keeps, indexes or tells another page of."""
    response["Cache-Control"] = "no-store"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def stored(view: View) -> View:
    """A view that needs the database: while that is down, it says so. Nothing else waits for it."""

    @csrf_exempt  # there is no cookie to ride on: what is not sent from our own page is refused
    @wraps(view)
    def inner(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.method == "POST" and not from_our_page(request):
            return errors.refusal(request, 403)
        try:
            return view(request, *args, **more)
        except DatabaseError:
            return unkept(errors.refusal(request, 503))

    return inner


def from_our_page(request: HttpRequest) -> bool:
    """Whether a browser says that a page of this site has sent the request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin") or request.headers.get("Referer", "")
    return urlsplit(origin).netloc == request.get_host()


@transaction.atomic
def said_aloud(table: Table) -> str:
    """A new code of a table, for twelve hours; the one before opens nothing any more."""
    code = new_code()
    Table.objects.filter(pk=table.pk).update(
        code=code_digest(code), code_until=timezone.now() + CODE_FOR
    )
    return code


def joined(code: str) -> str | None:
    """The token of a recording link of its own, for who knows the code of a table."""
    table = Table.objects.filter(code=code_digest(code), code_until__gt=timezone.now()).first()
    return None if table is None else linked(table)
