"""Addresses. Pages carry their language in the path; the rest has none."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import never_cache

from calculator.views import hand, rules


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """For whoever watches the server: it answers."""
    return HttpResponse("ok\n", content_type="text/plain")


# For programs: no language in the path.
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("api/", include(("calculator.api", "api"))),
]

# For people: /…, /zh-hant/…, /en/….  Fragments for HTMX have paths of their own.
urlpatterns += i18n_patterns(
    path("", hand.hand_page, name="hand"),
    path("fragment/result", hand.hand_result, name="hand_result"),
    path("fragment/state", hand.hand_state, name="hand_state"),
    path("qr.svg", hand.qr, name="qr"),
    path("rules/", rules.index, name="rules"),
    path("rules/terms/<slug:key>/", rules.term, name="rules_term"),
    path("rules/<slug:ruleset>/", rules.system, name="rules_system"),
    prefix_default_language=False,
)
