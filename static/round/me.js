// Who holds the phone sits at the bottom of every square of seats; the others follow to the right.

import { isObject, kept, store } from "../site/store.js";
import { query, root } from "./page.js";
import { namesIn } from "./people.js";

const KEY = "suanfan.me";

/** The person as kept: by the name, else by the seat. */
function understood(value, lose) {
  if (isObject(value) && typeof value.name === "string" && Number.isInteger(value.seat)) return value;
  if (value !== null) lose(value);
  return { name: "", seat: 0 };
}

/** Turn the squares so that the chosen person sits at the bottom. */
export function sit() {
  const { name, seat } = kept("localStorage", KEY, understood);
  const at = name ? namesIn(query).indexOf(name) : seat;
  root.dataset.me = Math.max(at, 0);
  for (const button of root.querySelectorAll("[data-me-seat]"))
    button.setAttribute("aria-pressed", String(button.dataset.meSeat === root.dataset.me));
}

export function sitAt(seat) {
  store("localStorage", KEY, { name: namesIn(query)[seat] || "", seat });
  sit();
}
