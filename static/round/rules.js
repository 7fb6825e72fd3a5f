// The rules of a round: those that this device remembers, and the menu of them.

import { houseRules, keepLastRules, lastRules } from "../site/rules.js";
import { query, root } from "./page.js";

const preset = (id) =>
  [...root.querySelectorAll("[data-preset]")].find((button) => button.dataset.preset === id);

/** The rules that were chosen last on this device, if any. */
export function remembered() {
  const kept = lastRules();
  return kept && preset(kept.rules) ? kept : null;
}

export function prefer() {
  const given = new URLSearchParams(query);
  keepLastRules(given.get("rules"), given.get("opt") || "");
}

/** A query under other rules. */
export function under(state, { rules, opt }) {
  const asked = new URLSearchParams(state);
  asked.set("rules", rules);
  if (opt) asked.set("opt", opt);
  else asked.delete("opt");
  return asked.toString();
}

/** The named house rules stand in the menu of rules, after the presets. */
export function drawHouses() {
  const sheet = root.querySelector("#round-rules .to-sheet");
  const kept = houseRules();
  if (!sheet || root.querySelector("[data-house]")) return;
  const given = new URLSearchParams(query);
  kept.forEach((one, index) => {
    if (!preset(one.rules)) return;
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.dataset.house = index;
    const same = one.rules === given.get("rules") && (one.opt || "") === (given.get("opt") || "");
    button.setAttribute("aria-pressed", String(same));
    const name = Object.assign(document.createElement("b"), { textContent: one.name });
    const system = preset(one.rules).querySelector("b").textContent;
    button.append(name, Object.assign(document.createElement("span"), { textContent: system }));
    sheet.before(button);
  });
}
