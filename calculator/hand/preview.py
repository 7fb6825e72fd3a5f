"""The picture of a hand that link previews show; pages name it in their `og:image`.

| path           | answers                                    |
|----------------|--------------------------------------------|
| `/preview.png` | the hand of the address with its value     |
| `/preview.svg` | the same as a drawing                      |
"""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from calculator.hand import picture as preview
from calculator.hand.views import State
from calculator.site.forms import HandForm
from calculator.words.answers import meld_faces, value_words
from scoring.addresses.hand import hand_request
from scoring.contract import score
from scoring.tiles import TILE_NAMES, TILE_OF_NAME

#: The hand of the site's own picture, where an address has none or none that can be read.
OWN = {"rules": "chengdu", "hand": "1233455567899p!5p"}

keep = cache_control(public=True, max_age=24 * 3600)


def _picture(request: HttpRequest) -> preview.Picture:
    """What the picture of a request shows."""
    state = State(HandForm.read(request.GET))
    if state.bad or not (state.table.tiles or state.table.melds):
        state = State(HandForm.read(OWN))
    table = state.table
    answer = score(hand_request(state.parameters))
    tiles = [TILE_NAMES[tile] for tile in table.tiles]
    ending = [tiles.pop()] if table.is_full or table.named else []
    tiles.sort(key=TILE_OF_NAME.__getitem__)
    melds = [meld_faces(meld) for meld in table.melds]
    text, waits = "", ()
    if answer["status"] == "win":
        text = value_words(answer)
    elif answer["status"] == "ready":
        text = gettext("听")
        waits = tuple(sorted((w["tile"] for w in answer["waits"]), key=TILE_OF_NAME.__getitem__))
    return preview.Picture(
        text=text,
        waits=waits,
        groups=tuple(tuple(group) for group in (tiles, *melds, ending) if group),
        won=bool(ending) and answer["status"] == "win",
    )


@require_safe
@keep
def png(request: HttpRequest) -> HttpResponse:
    """The picture as PNG."""
    return HttpResponse(preview.png(_picture(request)), content_type="image/png")


@require_safe
@keep
def svg(request: HttpRequest) -> HttpResponse:
    """The picture as SVG."""
    return HttpResponse(preview.svg(_picture(request)), content_type="image/svg+xml")
