// This device, as the ledgers of shared tables name it.

import { isObject, kept, listOf, store } from "../site/store.js";

/** Twenty-four hexadecimal digits that nobody else has. */
export const random = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");

/** The name of this device, made when it is first asked for. */
export function device() {
  const known = kept("localStorage", "suanfan.device", (value, lose) => {
    if (typeof value === "string" && /^[0-9a-f]{24}$/.test(value)) return value;
    return value === null ? value : void lose(value);
  });
  if (known) return known;
  const made = random();
  store("localStorage", "suanfan.device", made);
  return made;
}

const ADDRESS = /^\/([\w-]+\/)?t\/[\w-]+\/$/;

/** The tables that this device has been at, the latest first. */
export const been = () =>
  kept(
    "localStorage",
    "suanfan.tables",
    listOf((table) => isObject(table) && ADDRESS.test(table.address)),
  );

export const beenAt = (tables) => store("localStorage", "suanfan.tables", tables);
