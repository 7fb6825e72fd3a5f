// From the page of a round to a shared table: opened with the evening of this device, and the way
// back to it with a hand from the calculator.

import { readEvening } from "../round/evening.js";
import { isObject, kept, store } from "../site/store.js";
import { device } from "./device.js";

document.querySelector("[data-open-table]").addEventListener("submit", ({ target }) => {
  const rounds = readEvening().rounds.map((round) => round.query).filter(Boolean);
  if (rounds.length) target.elements.rounds.value = rounds.join("\n");
  target.elements.device.value = device();
});

// The calculator leads to the page of a round: with the entry that a table asked a hand for, and
// nothing else changed, it goes on to that table.
const asked = kept("sessionStorage", "suanfan.table", (value) => (isObject(value) ? value : null));
const given = new URLSearchParams(location.search);
store("sessionStorage", "suanfan.table", null);
if (asked && given.has("a") && (given.get("e") || "") === asked.events) {
  const back = new URLSearchParams(["a", "at"].filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
  location.replace(`${asked.address}?${back}`);
}
