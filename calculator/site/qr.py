"""An address as a QR code (二维码)."""

from io import BytesIO

import segno
from django.http import HttpResponse
from django.utils.safestring import SafeString, mark_safe

from scoring.addresses.round import MAX_ADDRESS


def inline(target: str, width: int) -> SafeString:
    """The code as part of another drawing, about so broad; nothing where it would be too dense."""
    if len(target) > MAX_ADDRESS:
        return mark_safe("")
    code = segno.make(target, error="m", micro=False)
    scale = width / code.symbol_size(border=0)[0]
    return mark_safe(code.svg_inline(scale=scale, border=0))


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
