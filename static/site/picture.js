// Pictures that leave the device.

import { dated, download } from "./file.js";

/** What a canvas shows, as PNG. */
export const asPicture = (canvas) => new Promise((done) => canvas.toBlob(done, "image/png"));

/** A phone sends a picture on; where it cannot, and elsewhere, it is a file of this name. */
export async function givePicture(name, picture) {
  const files = [new File([picture], dated(name), { type: picture.type })];
  const sends = matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files });
  const failed = sends && (await navigator.share({ files }).catch((error) => error.name));
  if (!sends || (failed && failed !== "AbortError")) download(name, picture, picture.type);
}
