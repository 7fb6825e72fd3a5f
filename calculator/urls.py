"""Addresses. Pages carry their language in the path; the rest has none."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.cache import never_cache


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """For whoever watches the server: it answers."""
    return HttpResponse("ok\n", content_type="text/plain")


# For programs: no language in the path.
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
]

# For people: /…, /zh-hant/…, /en/….  Fragments for HTMX have paths of their own.
urlpatterns += i18n_patterns(
    prefix_default_language=False,
)
