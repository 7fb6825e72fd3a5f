// Undo and redo: the steps that lead back, in this tab.

import { isObject, kept, listOf, store } from "../site/store.js";
import { foreign, here, root } from "./page.js";

// A step is the state to go back to, in which round, and what goes with it: rounds that it puts back
// or drops, the round that was `left` for the next.

export const spot = (state) => ({ state, here, foreign });

const sound = (step) => isObject(step) && typeof step.state === "string" && isObject(step.here);

export const stack = (name) => kept("sessionStorage", `suanfan.round.${name}`, listOf(sound));

export function stacks(lists) {
  for (const [name, list] of Object.entries(lists))
    store("sessionStorage", `suanfan.round.${name}`, list.slice(-200));
  marks();
}

export const remember = (...steps) => stacks({ undo: [...stack("undo"), ...steps], redo: [] });

export function marks() {
  for (const name of ["undo", "redo"]) {
    const button = root.querySelector(`[data-act="${name}"]`);
    if (button) button.setAttribute("aria-disabled", String(!stack(name).length));
  }
  const last = stack("undo").pop();
  document.querySelector('[data-do="restore"]').hidden = !(last && last.put);
}
