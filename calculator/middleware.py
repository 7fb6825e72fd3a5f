"""What every request passes through: log line, language of the path, headers, compression."""

import json
import logging
import time
import uuid
from collections.abc import Callable
from typing import ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponse]

requests_log = logging.getLogger("calculator.requests")

PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "geolocation", "microphone", "payment", "usb")
)


class JsonFormatter(logging.Formatter):
    """One JSON object per line; a traceback stays inside its line."""

    FIELDS: ClassVar = ("id", "method", "path", "status", "ms", "bytes")

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {"time": f"{stamp}.{record.msecs:03.0f}Z"}
        line["level"] = record.levelname.lower()
        fields = {name: getattr(record, name) for name in self.FIELDS if hasattr(record, name)}
        line |= fields or {"message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def request_log(get_response: Handler) -> Handler:
    """Give the request an id and write one line about it, without the query: that is the hand."""

    def middleware(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = uuid.uuid4().hex
        response = get_response(request)
        response["X-Request-ID"] = request_id
        requests_log.info(
            "request",
            extra={
                "id": request_id,
                "method": request.method,
                "path": request.path,
                "status": response.status_code,
                "ms": round((time.perf_counter() - started) * 1000, 1),
                "bytes": None if response.streaming else len(response.content),
            },
        )
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
    """Headers that are the same everywhere; answers to GET may be kept for a minute."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        if request.method in ("GET", "HEAD") and response.status_code == 200:
            response.headers.setdefault("Cache-Control", "public, max-age=60")
        return response

    return middleware


class CompressMiddleware(GZipMiddleware):
    """Compress for those who ask; the plain answer suits everybody and needs no `Vary`."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return response
        return super().process_response(request, response)
