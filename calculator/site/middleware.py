"""What every request passes through: log line, language of the path, headers, compression."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation

from calculator.site import build, errors
from calculator.site.logs import request_id
from scoring.contract.hand import too_much
from scoring.work import TooMuchWork, bounded

Handler = Callable[[HttpRequest], HttpResponse]

requests_log = logging.getLogger("calculator.requests")

# nginx's `$request_id`, and ours.
GIVEN_ID = re.compile(r"[0-9a-f]{32}")

# What opens a shared table stands in its path, and in no log.
TOKEN = re.compile(r"(/t/)[^/]+/")

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb")
)


def request_log(get_response: Handler) -> Handler:
    """Give the request an id and write one line about it, without the query: that is the hand.

    An id that a trusted proxy has given is kept, so that its log and ours can be laid together.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        given = request.headers.get("X-Request-ID", "") if settings.BEHIND_PROXY else ""
        name = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        token = request_id.set(name)
        try:
            response = get_response(request)
            response["X-Request-ID"] = name
            requests_log.info(
                "request",
                extra={
                    "id": name,
                    "method": request.method,
                    "path": TOKEN.sub(r"\1-/", request.path),
                    "status": response.status_code,
                    "ms": round((time.perf_counter() - started) * 1000, 1),
                    "bytes": None if response.streaming else len(response.content),
                },
            )
        finally:
            request_id.reset(token)
        return response

    return middleware


def without_cookies(get_response: Handler) -> Handler:
    """Read no cookie, so that none can change an answer or be set in return for one."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.META.pop("HTTP_COOKIE", None)
        return get_response(request)

    return middleware


def codings_accepted(get_response: Handler) -> Handler:
    """Forget the codings that a request refuses (`gzip;q=0`): who compresses looks for names."""
    refused = re.compile(r"[^,]*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)

    def middleware(request: HttpRequest) -> HttpResponse:
        if accepted := request.META.get("HTTP_ACCEPT_ENCODING"):
            request.META["HTTP_ACCEPT_ENCODING"] = refused.sub("", accepted)
        return get_response(request)

    return middleware


def head_without_body(get_response: Handler) -> Handler:
    """Answer HEAD with the headers of GET, the length too, and nothing after them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.content = b""
        return response

    return middleware


def limits(get_response: Handler) -> Handler:
    """Refuse a query that no address of ours comes near, before anything reads it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if len(request.META.get("QUERY_STRING", "")) > settings.MAX_QUERY:
            return errors.refusal(request, 414)
        return get_response(request)

    return middleware


class LimitWork:
    """Count the hands that a request has valued; past the limit it is a 422."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request within the limit."""
        with bounded():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """What Django asks where a view has failed."""
        if not isinstance(exception, TooMuchWork):
            return None
        return errors.refusal(request, 422, too_much(exception))


def refusals(get_response: Handler) -> Handler:
    """Give a refusal without words, such as Django's own 405, the page of its status."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if 400 <= response.status_code < 500 and not response.streaming and not response.content:
            told = errors.refusal(request, response.status_code)
            for name, value in response.items():
                if not name.lower().startswith("content-"):
                    told[name] = value
            return told
        return response

    return middleware


def language_of_path(get_response: Handler) -> Handler:
    """Take the language from the first part of the path and from nowhere else.

    So an address means the same text for everybody, and answers need no `Vary`.
    """
    others = {code for code, _ in settings.LANGUAGES} - {settings.LANGUAGE_CODE}

    def middleware(request: HttpRequest) -> HttpResponse:
        first = request.path_info[1:].partition("/")[0]
        with translation.override(first if first in others else settings.LANGUAGE_CODE):
            response = get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response

    return middleware


def page_headers(get_response: Handler) -> Handler:
    """Headers that are the same everywhere; the release is for the service worker, which keeps
    pages of its own alone.

    Answers to GET may be kept for a minute, refusals and faults not at all.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("X-Release", build.mark())
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if request.method in ("GET", "HEAD") and response.status_code == 200:
            response.headers.setdefault("Cache-Control", "public, max-age=60")
        elif response.status_code >= 400:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


class PolicyMiddleware(CSPMiddleware):
    """The policy of the settings, word for word the same from every process."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        response = super().process_response(request, response)
        if policy := response.headers.get(HEADER):
            response.headers[HEADER] = "; ".join(sorted(policy.split("; ")))
        return response


class CompressMiddleware(GZipMiddleware):
    """Compress for those who ask; the plain answer suits everybody and needs no `Vary`."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return response
        return super().process_response(request, response)
