// The page of a round: its parts, the round that it shows, and how it asks the server.

import { store } from "../site/store.js";

export const main = document.getElementById("main");
export const root = document.getElementById("round");
export const words = JSON.parse(main.dataset.words);
export const paths = main.dataset;

export const cols = () => root.querySelector(".cols");
export let query = cols().dataset.query;
// A round that came by a link and is not of this evening: it joins when somebody says so.
export let foreign = false;
// The round that this page shows: its id in the evening, and its address when last seen, as another
// tab may have changed it since. Of one with nothing in it yet, `from` is what the evening proposed,
// and `place` where it stood before it was emptied.
export let here = { id: fresh(), link: "" };

export function fresh() {
  return Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
}

export function hold(round) {
  here = round;
  store("sessionStorage", "suanfan.round.mine", round);
}

export function setForeign(yes) {
  foreign = yes;
  document.getElementById("round-foreign").hidden = !yes;
}

/** The page has been given another state. */
export function showsNow() {
  query = cols().dataset.query;
}

export { tell } from "./share.js";

export class Refused extends Error {}
export class Unreached extends Error {}

export async function load(asked) {
  let answer;
  let html;
  try {
    answer = await fetch(`${paths.fragment}?${asked}`);
    html = await answer.text();
  } catch {
    throw new Unreached();
  }
  // What answers for a server that does not is not the server.
  if ([502, 503, 504].includes(answer.status)) throw new Unreached();
  if (!answer.ok) throw new Refused(answer.status === 414 ? words.tooLong : words.refused);
  return html;
}

