"""An address as a QR code (二维码)."""

from io import BytesIO

import segno
from django.http import HttpResponse

from scoring.addresses.round import MAX_ADDRESS


def picture(target: str, *, error: str) -> HttpResponse:
    """The code as SVG; ``error`` is how much of it may be hidden (``l``, ``m``).

    An address too long for a code that a phone can read is refused with 414.
    """
    if len(target) > MAX_ADDRESS:
        return HttpResponse(status=414)
    out = BytesIO()
    segno.make(target, error=error, micro=False).save(
        out, kind="svg", scale=4, border=2, xmldecl=False, svgns=True, omitsize=True
    )
    return HttpResponse(out.getvalue(), content_type="image/svg+xml")
