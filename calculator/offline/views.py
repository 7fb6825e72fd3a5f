"""What makes the site an app that opens without a network.

| path                    | answers                                                      |
|-------------------------|--------------------------------------------------------------|
| `/manifest.webmanifest` | how a device installs it, in the language of the path        |
| `/sw.js`                | the service worker; at the root, because it is for all pages |
| `/engine.js`            | the worker that runs the site itself, where it is built      |
| `/offline/`             | what this device keeps, shown where the network is needed    |
"""

from csp.constants import SELF, WASM_UNSAFE_EVAL
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from calculator.offline.packs import built
from calculator.site import build
from calculator.site.wire import dumps
from calculator.words.languages import tag

#: Files of the pages that open without a network; others are kept when they are first asked for.
SHELL = (
    "site/site.css",
    "round/sheet.css",
    "site/theme.js",
    "offline/offline.js",
    "offline/engine.js",
    "offline/kept.js",
    "hand/app.js",
    "house/a4.css",
    "house/a6.css",
    "house/card.css",
    "house/card.js",
    "house/house.js",
    "learn/drill.js",
    "learn/sheet.css",
    "site/copy.js",
    "site/file.js",
    "site/picture.js",
    "site/rules.js",
    "site/store.js",
    "round/press.js",
    "round/round.js",
    "round/evening.js",
    "round/me.js",
    "round/page.js",
    "round/people.js",
    "round/rounds.js",
    "round/rules.js",
    "round/share.js",
    "round/sheet.js",
    "round/steps.js",
    "tables/device.js",
    "tables/open.js",
    "django_htmx/htmx-2.min.js",
    "tiles.svg",
    "favicon.svg",
)
#: A worker has the policy of its own answer, not that of the page: this one runs WebAssembly.
ENGINE_POLICY = {"script-src": [SELF, WASM_UNSAFE_EVAL]}


def prefixes() -> list[str]:
    """Where the pages of each language begin."""
    found = []
    for code, _ in settings.LANGUAGES:
        with override(code):
            found.append(reverse("hand"))
    return found


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
    packs = built()
    context = {
        "release": build.mark(),
        "shell": dumps([static(name) for name in SHELL]),
        "languages": dumps(prefixes()),
        # What is there when all of the engine is.
        "engine": dumps(packs[-1].url if packs else ""),
    }
    return render(request, "sw.js", context, content_type="text/javascript")


@csp_replace(ENGINE_POLICY)
@require_safe
@cache_control(no_cache=True)
def engine(request: HttpRequest) -> HttpResponse:
    """The worker that answers in the place of the server, with the names of its files."""
    packs = built()
    if not packs:
        raise Http404
    told = [{"url": p.url, "length": p.length, "wire": p.wire, "sha256": p.sha256} for p in packs]
    context = {"release": build.mark(), "packs": dumps(told)}
    return render(request, "engine.js", context, content_type="text/javascript")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What is kept on this device; its script fills in the list."""
    words = {
        "get": gettext("没有网络也能算（约%(size)s MB）"),
        "getting": gettext("正在存到这台设备上，这一页请开着。"),
        "starting": gettext("存好了，正在第一次启动。"),
        "kept": gettext("没有网络也能算：全都在这台设备上，占%(size)s MB。"),
        "stopped": gettext("停下了。已经存好的会留着，下次接着来。"),
        "failed": gettext("没有存成：网络断了，或这台设备放不下。可以再试。"),
        "saving": gettext("这台设备在省流量，先不下载。"),
    }
    return render(request, "offline.html", {"words": dumps(words)})
