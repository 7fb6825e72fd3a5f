// This device, as the ledgers of shared tables name it.

import { store, stored } from "../site/store.js";

/** Twenty-four hexadecimal digits that nobody else has. */
export const random = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");

/** The name of this device, made when it is first asked for. */
export function device() {
  const known = stored("localStorage", "suanfan.device");
  if (typeof known === "string" && /^[0-9a-f]{24}$/.test(known)) return known;
  const made = random();
  store("localStorage", "suanfan.device", made);
  return made;
}
