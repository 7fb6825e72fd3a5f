// The rule card as a picture: what stands on the paper is drawn again where it stands, larger.

import { asPicture, givePicture } from "../site/picture.js";

const paper = document.querySelector("[data-card]");
const HIGH = { a6: 1748, a4: 2480 };

/** The lines of a text as they are broken, each with its place. */
function lines(node) {
  const range = document.createRange();
  const found = [];
  [...node.data].reduce((at, letter) => {
    range.setStart(node, at);
    range.setEnd(node, at + letter.length);
    const [box] = range.getClientRects();
    const line = found[found.length - 1];
    if (box && line && Math.abs(line.top - box.top) < box.height / 2) line.text += letter;
    else if (box) found.push({ text: letter, left: box.left, top: box.top, bottom: box.bottom });
    return at + letter.length;
  }, 0);
  return found;
}

async function drawn() {
  const frame = paper.getBoundingClientRect();
  const scale = HIGH[paper.dataset.card] / frame.height;
  const letters = HIGH[paper.dataset.card] / paper.offsetHeight;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(frame.width * scale);
  canvas.height = HIGH[paper.dataset.card];
  const pen = canvas.getContext("2d");
  const x = (left) => (left - frame.left) * scale;
  const y = (top) => (top - frame.top) * scale;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  const walk = document.createTreeWalker(paper, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const style = getComputedStyle(walk.currentNode.parentElement);
    pen.font = `${style.fontWeight} ${parseFloat(style.fontSize) * letters}px ${style.fontFamily}`;
    pen.fillStyle = style.color;
    for (const { text, left, top, bottom } of lines(walk.currentNode))
      pen.fillText(text, x(left), y((top + bottom) / 2));
  }
  for (const node of paper.querySelectorAll("*")) {
    const style = getComputedStyle(node);
    const broad = parseFloat(style.borderBottomWidth) * letters;
    if (!broad) continue;
    const box = node.getBoundingClientRect();
    pen.fillStyle = style.borderBottomColor;
    pen.fillRect(x(box.left), y(box.bottom) - broad, box.width * scale, broad);
  }
  const code = paper.querySelector("[data-card-qr]");
  await code.decode();
  const box = code.getBoundingClientRect();
  pen.drawImage(code, x(box.left), y(box.top), box.width * scale, box.height * scale);
  return asPicture(canvas);
}

document.querySelector("[data-card-print]").addEventListener("click", () => window.print());
document.querySelector("[data-card-picture]").addEventListener("click", async ({ target }) =>
  givePicture(target.dataset.cardPicture, await drawn()),
);
