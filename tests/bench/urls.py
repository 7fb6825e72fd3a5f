"""The site's own addresses and a view that does nothing, to measure against."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from calculator.urls import urlpatterns as site


def empty(_request: HttpRequest) -> HttpResponse:
    """The least that Django can do."""
    return HttpResponse(b"")


urlpatterns = [path("bench-empty", empty), *site]
