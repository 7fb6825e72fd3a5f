// The rules that this device remembers: those played last, and the named ones of the house.

import { isObject, kept, listOf, store } from "./store.js";

const LAST = "rules";
const HOUSES = "houses";
const MOST = 30;

const sound = (one) =>
  isObject(one) && typeof one.rules === "string" && ["string", "undefined"].includes(typeof one.opt);

/** The rules played last, as `rules` and `opt`, or null. */
export const lastRules = () =>
  kept("localStorage", LAST, (value, lose) => {
    if (sound(value)) return { rules: value.rules, opt: value.opt || "" };
    if (value !== null) lose(value);
    return null;
  });

export const keepLastRules = (rules, opt) => store("localStorage", LAST, { rules, opt });

/** The named house rules, the oldest first. */
export const houseRules = () =>
  kept("localStorage", HOUSES, listOf((one) => sound(one) && typeof one.name === "string"));

/** Keep the named house rules; whether the browser did. */
export const keepHouseRules = (all) => store("localStorage", HOUSES, all.slice(-MOST));
