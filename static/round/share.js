// Copy, share and print: on the page of a round and on that of the evening.

import { copy } from "../site/copy.js";
import { today } from "../site/file.js";
import { asPicture, givePicture } from "../site/picture.js";

const say = document.getElementById("round-say");

export function tell(text) {
  say.textContent = text;
  say.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (say.hidden = true), 4000);
}

const copied = async (value) => tell((await copy(value)) ? say.dataset.copied : say.dataset.noCopy);

const MOST_PIXELS = 8e6; // a phone draws no picture of many more

/** The picture that an address draws, in the letters of this device. */
async function drawn(address) {
  const image = new Image();
  image.src = `${address}&day=${today()}`;
  await image.decode();
  const { naturalWidth: wide, naturalHeight: high } = image;
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / (wide * high)));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [wide, high].map((side) => Math.floor(side * scale));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return asPicture(canvas);
}

async function giveEvening(address) {
  try {
    await givePicture("evening.png", await drawn(address));
  } catch {
    tell(say.dataset.noPicture);
  }
}

const share = (what) => navigator.share({ title: document.title, ...what }).catch(() => {});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { copy: from, copyText, picture, share: url, shareText } = button.dataset;
  if (from) copied(document.querySelector(from).value);
  else if (copyText) copied(copyText);
  else if (picture) giveEvening(picture);
  else if (url) share({ url });
  else if (shareText) share({ text: document.querySelector(shareText).value });
  else if (button.hasAttribute("data-print")) window.print();
});
