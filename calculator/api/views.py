"""The JSON interface under `/api/v1/`: the engine's own requests and answers over HTTP.

Names and messages follow `?lang=` or `Accept-Language`; ids and numbers never change.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.urls import URLPattern, path
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.common import no_append_slash
from django.views.decorators.csrf import csrf_exempt

from calculator.api import openapi
from calculator.site import wire
from calculator.site.responses import as_json, respond
from calculator.words import rulebook, texts
from scoring import contract, rules
from scoring.words import shortened

LIMIT: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

Call = Callable[[dict[str, Any]], Any]
View = Callable[..., HttpResponse]


LANGUAGES = "|".join(code for code, _ in settings.LANGUAGES)


def failure(code: str, **parameters: Any) -> dict[str, Any]:
    """An error answer like the engine's."""
    return {"status": "error", "errors": [{"code": code, **parameters}]}


def spoken(code: str) -> str | None:
    """The language of ours that a code means: `zh-TW` is `zh-hant`."""
    try:
        return translation.get_supported_language_variant(code.lower())
    except LookupError:
        return None


def language_asked(request: HttpRequest) -> str:
    """The language of `?lang=`, else the best one of `Accept-Language`, else Chinese."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    wanted = [code for code, weight in accepted if weight > 0]
    found = map(spoken, (request.GET.get("lang", ""), *wanted))
    return next(filter(None, found), settings.LANGUAGE_CODE)


def unspoken(request: HttpRequest) -> HttpResponse | None:
    """The refusal of a `?lang=` that is none of ours."""
    asked = request.GET.get("lang", "")
    if not asked or spoken(asked):
        return None
    return respond(failure("bad_field", field="lang", expected=LANGUAGES))


def endpoint(method: str | None) -> Callable[[View], View]:
    """What all views here share: one method, the language asked for, no cookie to forge.

    Without a method the view is asked whatever the method is.
    """
    allowed = ("GET", "HEAD", "OPTIONS") if method == "GET" else (method or "", "OPTIONS")

    def decorate(view: View) -> View:
        @csrf_exempt
        @wraps(view)
        def wrapped(request: HttpRequest, **parts: str) -> HttpResponse:
            with translation.override(language_asked(request)):
                if method is None or (request.method in allowed and request.method != "OPTIONS"):
                    response = unspoken(request) or view(request, **parts)
                else:
                    response = HttpResponse(status=204)
                    if request.method != "OPTIONS":
                        response = respond(failure("method_not_allowed", allowed=method))
                    response["Allow"] = ", ".join(allowed)
                response["Content-Language"] = translation.get_language()
            patch_vary_headers(response, ["Accept-Language"])
            return response

        return wrapped

    return decorate


def body_of(request: HttpRequest) -> bytes:
    """What was sent, at most `LIMIT` bytes of it, and all of it.

    Django reads as much as the length says, nothing of what comes in chunks and has none. Where
    the server knows the end of a body, the body itself is asked.
    """
    length = request.META.get("CONTENT_LENGTH")
    if length or not request.META.get("wsgi.input_terminated"):
        if len(request.body) < int(length or 0):
            raise UnreadablePostError("the body ends before its length")
        return request.body
    try:
        sent: bytes = request.META["wsgi.input"].read(LIMIT + 1)
    except Exception as error:  # every server has its own for chunks that are none
        raise UnreadablePostError(*error.args) from error
    if len(sent) > LIMIT:
        raise RequestDataTooBig
    return sent


def posted(call: Call) -> View:
    """The view that passes the body to one call of the engine."""

    @endpoint("POST")
    def view(request: HttpRequest) -> HttpResponse:
        try:
            asked = wire.loads(body_of(request))
        except RequestDataTooBig:
            return respond(failure("too_large", limit=LIMIT))
        except wire.BadJson as bad:
            return respond({"status": "error", "errors": [bad.error]})
        except UnreadablePostError:
            return respond(failure("bad_json"))
        return respond(call(asked), texts.players_of(asked))

    return view


@endpoint("GET")
def rule_list(_request: HttpRequest) -> HttpResponse:
    """All rule systems, and the ready-made tables."""
    systems = [rulebook.summary(rules.load(one)) for one in rules.ids()]
    return respond({"rulesets": systems, "tables": rulebook.ready_made()})


@endpoint("GET")
def rule_detail(_request: HttpRequest, ruleset: str) -> HttpResponse:
    """One rule system with every value, its source and its readings."""
    if ruleset not in rules.ids():
        response = respond(failure("unknown_ruleset", ruleset=shortened(ruleset)))
        response.status_code = 404
        return response
    return respond(rulebook.describe(rules.load(ruleset)))


@endpoint("GET")
def description(_request: HttpRequest) -> HttpResponse:
    """This interface, described as OpenAPI 3.1."""
    return as_json(openapi.document())


@no_append_slash
@endpoint(None)
def nothing(_request: HttpRequest, rest: str = "") -> HttpResponse:
    """Any other address below `/api/`, whatever is asked of it."""
    return respond(failure("not_found", path=shortened(rest)))


urlpatterns: list[URLPattern] = [
    path("v1/score", posted(contract.score), name="score"),
    path("v1/compare", posted(contract.compare), name="compare"),
    path("v1/explain", posted(contract.explain), name="explain"),
    path("v1/settle", posted(contract.settle), name="settle"),
    path("v1/rules", rule_list, name="rules"),
    path("v1/rules/<str:ruleset>", rule_detail, name="rule"),
    path("v1/openapi.json", description, name="openapi"),
    path("", nothing),
    path("<path:rest>", nothing),
]
