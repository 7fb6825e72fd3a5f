"""What people and programs read when a request comes to nothing, by status.

Each view is one of Django's error handlers (`calculator.urls`), or what `middleware.refusals`
puts in place of an empty answer.  No answer says more than its status needs.
"""

from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.utils.translation import gettext

from calculator.site import wire
from calculator.words import texts
from scoring.words import N_

API = "/api/"

#: Headline and sentence by status; every other refusal is told as a 400.
SENTENCES = {
    400: (
        N_("这个地址读不懂"),
        N_("地址里有这里不认识的内容。可以检查一下地址，或从头开始。"),
    ),
    403: (N_("这里不能这样做"), N_("这一下不是从本站的页面来的，或者这个链接只能看。")),
    404: (N_("没有这一页"), N_("地址也许抄错了，也许这一页已经不在了。")),
    405: (N_("这一页只能看"), N_("这里的页面只用来打开，不接受别的请求。")),
    413: (N_("内容太长"), N_("送来的内容太长，没有一手牌、一局牌会这么长。")),
    414: (N_("地址太长"), N_("地址里写得太长，没有一手牌、一局牌会这么长。")),
    429: (N_("太快了"), N_("这里来得太频繁了，过一会儿再试。")),
    503: (N_("现在打不开这一桌"), N_("存账的地方现在连不上，过一会儿再来。算牌和结算照常能用。")),
    422: (N_("要算的牌太多"), N_("这个地址里要算的牌太多，没有一手牌、一局牌会有这么多。")),
}

#: The same for programs: code by status, as far as the interface does not say it itself.
CODES = {404: "not_found", 413: "too_large", 414: "too_large"}


def refusal(request: HttpRequest, status: int, error: dict[str, Any] | None = None) -> HttpResponse:
    """The page, or for the programs' interface the JSON, of one status between 400 and 499.

    ``error`` is what a program is told, where that is more than the status.
    """
    if request.path_info.startswith(API):
        error = error or {"code": CODES.get(status, "bad_request")}
        if status == 414:
            error["limit"] = settings.MAX_QUERY
        answer = texts.localise({"status": "error", "errors": [error]})
        return HttpResponse(wire.encoded(answer), status=status, content_type="application/json")
    title, sentence = SENTENCES.get(status, SENTENCES[400])
    words = {"title": gettext(title), "sentence": gettext(sentence), "status": status}
    return render(request, "error.html", words, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the body was too long."""
    if isinstance(exception, DisallowedHost) and not request.path_info.startswith(API):
        # A page of ours would ask for the host again.
        said = f"{gettext(SENTENCES[400][0])}\n"
        return HttpResponse(said, status=400, content_type="text/plain; charset=utf-8")
    return refusal(request, getattr(exception, "status_code", 400))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return refusal(request, 404)


def not_posted(request: HttpRequest, reason: str = "") -> HttpResponse:
    """405: no page takes anything but GET and HEAD, so what has no token is not for us."""
    response = refusal(request, 405)
    response["Allow"] = "GET, HEAD"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault.  The page needs no request, no language and no static file."""
    if request.path_info.startswith(API):
        body = '{"status": "error", "errors": [{"code": "server_error"}]}'
        return HttpResponse(body, status=500, content_type="application/json")
    return HttpResponse(loader.get_template("500.html").render(), status=500)
