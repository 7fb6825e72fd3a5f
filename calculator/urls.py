"""Addresses. Pages carry their language in the path; the rest has none."""

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import never_cache

from calculator.compare import views as compare
from calculator.hand import preview
from calculator.hand import views as hand
from calculator.house import card
from calculator.house import views as house
from calculator.learn import views as learn
from calculator.offline import views as offline
from calculator.round import views as round
from calculator.rules import views as rules
from calculator.tables import views as tables

#: For search engines: pages, not the endless states of one page. Those that preview a link for
#: somebody who was given it may look at any.
ROBOTS = """\
User-agent: facebookexternalhit
User-agent: Twitterbot
User-agent: LinkedInBot
User-agent: Slackbot-LinkExpanding
User-agent: TelegramBot
User-agent: WhatsApp
User-agent: Discordbot
Disallow: /api/

User-agent: *
Disallow: /*?
Disallow: /*fragment/
Disallow: /api/
"""

handler400 = "calculator.site.errors.bad_request"
handler404 = "calculator.site.errors.not_found"
handler500 = "calculator.site.errors.server_error"


@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """For whoever watches the server: it answers, and whether the shared tables' database does.

    The status is 200 all the same: all but the shared tables works without it.
    """
    state = "ok" if tables.database.answers() else "down"
    return HttpResponse(f"ok\ndatabase {state}\n", content_type="text/plain")


def robots(_request: HttpRequest) -> HttpResponse:
    """What crawlers may fetch."""
    return HttpResponse(ROBOTS, content_type="text/plain")


def favicon(_request: HttpRequest) -> HttpResponse:
    """Where browsers look when a page that is no HTML names no icon."""
    return HttpResponseRedirect(static("favicon.svg"))


# For programs: no language in the path.
urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("robots.txt", robots, name="robots"),
    path("favicon.ico", favicon, name="favicon"),
    path("sw.js", offline.worker, name="worker"),
    path("engine.js", offline.engine, name="engine"),
    path("api/", include(("calculator.api.views", "api"))),
]

# For people: /…, /zh-hant/…, /en/….  Fragments for HTMX have paths of their own.
urlpatterns += i18n_patterns(
    path("", hand.hand_page, name="hand"),
    path("fragment/result", hand.hand_result, name="hand_result"),
    path("fragment/state", hand.hand_state, name="hand_state"),
    path("qr.svg", hand.qr, name="qr"),
    path("preview.png", preview.png, name="preview"),
    path("preview.svg", preview.svg, name="preview_svg"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("offline/", offline.page, name="offline"),
    path("settle/", round.round_page, name="round"),
    path("settle/evening/", round.evening_page, name="evening"),
    path("settle/round.json", round.round_file, name="round_file"),
    path("settle/round.csv", round.round_table, name="round_table"),
    path("settle/evening.csv", round.evening_table, name="evening_table"),
    path("settle/evening.svg", round.evening_drawing, name="evening_drawing"),
    path("settle/qr.svg", round.round_qr, name="round_qr"),
    path("fragment/round", round.round_fragment, name="round_fragment"),
    path("fragment/evening", round.evening_fragment, name="evening_fragment"),
    path("settle/open/", tables.opened, name="table_open"),
    path("join/", tables.join, name="join"),
    path("t/<slug:token>/", tables.page, name="table"),
    path("t/<slug:token>/news", tables.news, name="table_news"),
    path("t/<slug:token>/entries", tables.entries, name="table_entries"),
    path("t/<slug:token>/people/", tables.people, name="table_people"),
    path("t/<slug:token>/history/", tables.history, name="table_history"),
    path("t/<slug:token>/evening/", tables.evening, name="table_evening"),
    path("t/<slug:token>/qr.svg", tables.qr, name="table_qr"),
    path("house/", house.page, name="house"),
    path("house/rules.json", house.file, name="house_file"),
    path("house/card/", card.page, name="house_card"),
    path("house/card.svg", card.svg, name="house_card_svg"),
    path("fragment/house", house.fragment, name="house_fragment"),
    path("compare/", compare.page, name="compare"),
    path("fragment/compare", compare.fragment, name="compare_fragment"),
    path("fragment/missing", compare.missing_fragment, name="missing_fragment"),
    path("rules/", rules.index, name="rules"),
    path("rules/terms/<slug:key>/", rules.term, name="rules_term"),
    path("rules/<slug:ruleset>/", rules.system, name="rules_system"),
    path("learn/", learn.index, name="learn"),
    path("learn/drill/", learn.drill, name="drill"),
    path("learn/<slug:step>/", learn.lesson, name="lesson"),
    prefix_default_language=False,
)
