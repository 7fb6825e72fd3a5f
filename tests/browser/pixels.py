"""What is on the screen, pixel by pixel: the contrast within a rectangle, and around its edge."""

import base64
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

#: Luminance (WCAG) of a picture's rectangles: the darkest, the brightest, how much is bright, and
#: the luminances met along the edge, from two pixels outside to four inside.
_MEASURE = """async ([picture, boxes, scale]) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(bitmap, 0, 0);
  const part = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = (data, at) =>
    0.2126 * part(data[at]) + 0.7152 * part(data[at + 1]) + 0.0722 * part(data[at + 2]);
  return boxes.map(([x, y, width, height]) => {
    const left = Math.max(0, Math.floor((x - 2) * scale));
    const top = Math.max(0, Math.floor((y - 2) * scale));
    const wide = Math.min(bitmap.width - left, Math.ceil((width + 4) * scale));
    const high = Math.min(bitmap.height - top, Math.ceil((height + 4) * scale));
    if (wide < 1 || high < 1) return null;
    const { data } = pen.getImageData(left, top, wide, high);
    const rim = 6 * scale;
    let low = 1, top_ = 0, bright = 0, inside = 0, edgeLow = 1, edgeTop = 0;
    for (let row = 0; row < high; row += 1)
      for (let column = 0; column < wide; column += 1) {
        const found = light(data, 4 * (row * wide + column));
        const edge = Math.min(row, column, high - 1 - row, wide - 1 - column);
        if (edge < rim) { edgeLow = Math.min(edgeLow, found); edgeTop = Math.max(edgeTop, found); }
        if (edge < 2 * scale) continue;
        inside += 1;
        low = Math.min(low, found); top_ = Math.max(top_, found);
        if (found > 0.6) bright += 1;
      }
    return [low, top_, bright / Math.max(1, inside), edgeLow, edgeTop];
  });
}"""


@dataclass(frozen=True)
class Seen:
    """What was measured of one rectangle."""

    darkest: float
    brightest: float
    bright: float
    edge_darkest: float
    edge_brightest: float

    @property
    def contrast(self) -> float:
        """Of the brightest and the darkest pixel inside, as WCAG has it: from 1 to 21."""
        return (self.brightest + 0.05) / (self.darkest + 0.05)

    @property
    def edge(self) -> float:
        """The same of what lies along the edge."""
        return (self.edge_brightest + 0.05) / (self.edge_darkest + 0.05)


def measured(page: Page, meter: Page, boxes: list[Any], scale: int) -> list[Seen]:
    """The rectangles (x, y, width, height) of a page; ``meter`` is an empty page that looks."""
    picture = base64.b64encode(page.screenshot(animations="disabled")).decode()
    found = meter.evaluate(_MEASURE, [picture, boxes, scale])
    return [Seen(*one) for one in found if one is not None]
