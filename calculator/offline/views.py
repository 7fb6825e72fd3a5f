"""What makes the site an app that opens without a network.

| path                    | answers                                                      |
|-------------------------|--------------------------------------------------------------|
| `/manifest.webmanifest` | how a device installs it, in the language of the path        |
| `/sw.js`                | the service worker; at the root, because it is for all pages |
| `/offline/`             | what this device keeps, shown where the network is needed    |
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from calculator.site import build
from calculator.site.wire import dumps
from calculator.words.languages import tag

#: Files of the pages that open without a network; others are kept when they are first asked for.
SHELL = (
    "site/site.css",
    "site/theme.js",
    "offline/offline.js",
    "hand/app.js",
    "house/house.js",
    "site/file.js",
    "site/rules.js",
    "site/store.js",
    "round/press.js",
    "round/round.js",
    "round/evening.js",
    "round/page.js",
    "round/people.js",
    "round/rounds.js",
    "round/rules.js",
    "round/sheet.js",
    "round/steps.js",
    "tables/device.js",
    "tables/open.js",
    "django_htmx/htmx-2.min.js",
    "tiles.svg",
    "favicon.svg",
)


@require_safe
def manifest(_request: HttpRequest) -> HttpResponse:
    """The web app manifest."""
    language = get_language() or settings.LANGUAGE_CODE
    icons = [
        {"src": static(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png",
         "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ]  # fmt: skip
    shortcuts = [
        {"name": gettext("结算"), "url": reverse("round")},
        {"name": gettext("规则"), "url": reverse("rules")},
        {"name": gettext("学"), "url": reverse("learn")},
    ]
    text = dumps(
        {
            "id": "/",
            "name": gettext("算番：四川麻将"),
            "short_name": gettext("算番"),
            "description": gettext("算番，四川麻将：一手牌几番、谁付谁，按你们桌上的规则。"),
            "lang": tag(language),
            "start_url": reverse("hand"),
            "scope": "/",
            "display": "standalone",
            "background_color": "#f4f1e8",
            "theme_color": "#f4f1e8",
            "icons": icons,
            "shortcuts": shortcuts,
        }
    )
    return HttpResponse(text, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker with the names of today's files."""
    prefixes = []
    for code, _ in settings.LANGUAGES:
        with override(code):
            prefixes.append(reverse("hand"))
    context = {
        "release": build.mark(),
        "shell": dumps([static(name) for name in SHELL]),
        "languages": dumps(prefixes),
    }
    return render(request, "sw.js", context, content_type="text/javascript")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What is kept on this device; its script fills in the list."""
    return render(request, "offline.html")
