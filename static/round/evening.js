// The evening on this device: its rounds, the one being written, and where it goes on.

import { isObject, kept, listOf, store } from "../site/store.js";
import { cols, foreign, fresh, here, hold, load, paths, query, Refused, root, setForeign, tell, words } from "./page.js";
import { named } from "./people.js";
import { prefer } from "./rules.js";

export const KEY = "suanfan.evening";
/** Of an evening and of its file. In the first, people were seats. */
export const VERSION = 2;
/** More rounds are not kept; what reads the sheet reads no more either. */
export const MOST_ROUNDS = Number(paths.mostRounds);

export const nothing = () => ({ version: VERSION, rounds: [], current: null });

const TEXTS = ["id", "query", "totals"];
const MORE = ["draft", "from", "next"];
const isText = (value) => typeof value === "string";
const sound = (round) =>
  isObject(round) &&
  TEXTS.every((part) => isText(round[part])) &&
  MORE.every((part) => !round[part] || isText(round[part]));
const waiting = (next) => isObject(next) && isText(next.id) && isText(next.query);
const doubtful = (change) => isObject(change) && isText(change.from) && isText(change.to);

/** An evening as far as it can be read; more rounds than one has are set aside too. */
function understood(value, lose) {
  if (value === null) return nothing();
  if (!isObject(value) || !Array.isArray(value.rounds)) {
    lose(value);
    return nothing();
  }
  const read = listOf(sound)(value.rounds, lose);
  read.splice(MOST_ROUNDS).forEach(lose);
  const rounds = value.version === VERSION ? read : named(read);
  const evening = { ...value, version: VERSION, rounds };
  if (!isText(value.draft)) delete evening.draft;
  if (value.next && !waiting(value.next)) delete evening.next;
  evening.unsure = listOf(doubtful)(value.unsure ?? null, lose);
  return evening;
}

export const readEvening = () => kept("localStorage", KEY, understood);

export const writeEvening = (evening) => store("localStorage", KEY, evening);

export const find = (evening, id) => evening.rounds.find((round) => round.id === id);
export const newest = (evening) => evening.rounds[evening.rounds.length - 1];
/** A round's address, with the entry that was left half made. */
export const whole = (round) => round.draft || round.query;

/** Whether two addresses stand for one round, however they are written. */
export function alike(one, other) {
  const sorted = (query) => [...new URLSearchParams(query)].sort().join("&");
  return one === other || sorted(one) === sorted(other);
}

/** The names of the newest round that has any. */
export function namesOf(rounds) {
  const given = rounds.map((round) => new URLSearchParams(round.query).get("n"));
  return given.filter(Boolean).pop() || "";
}

/** Whether an evening has as many rounds as can be kept. */
export const full = (evening) => evening.rounds.length >= MOST_ROUNDS;

/** Keep the round on the page in the evening. */
export function keep() {
  if (foreign) return;
  const { link, totals, began, over } = cols().dataset;
  const evening = readEvening();
  const at = evening.rounds.findIndex((round) => round.id === here.id);
  const { id, from, place } = here;
  const waits = evening.next && evening.next.id === id;
  if (began === "1") {
    const round = evening.rounds[at] || { id, from };
    if (at < 0 && full(evening)) return tell(words.fullEvening);
    if (at < 0) evening.rounds.splice(place ?? evening.rounds.length, 0, round);
    const draft = query === link ? undefined : query;
    Object.assign(round, { query: link, draft, totals, over: over === "1", next: proposed() });
    if (waits) evening.next = null;
    Object.assign(evening, { draft: query, current: id });
    hold({ id, link });
  } else {
    // A round with nothing in it is none; one that others follow has its place kept.
    const [gone] = at < 0 ? [] : evening.rounds.splice(at, 1);
    const older = gone ? at < evening.rounds.length : place !== undefined;
    const start = gone ? gone.from : from;
    if (older) hold({ id, link, place: gone ? at : place });
    else {
      if (!alike(query, start)) evening.next = { id, query, from: start };
      else if (waits) evening.next = null;
      hold({ id, link, from: start });
    }
    const last = newest(evening);
    const left = evening.next ? evening.next.query : last ? whole(last) : query;
    evening.draft = older ? left : query;
    evening.current = older && !evening.next && last ? last.id : null;
  }
  writeEvening(evening);
}

/** The round after the one on the page, as the page proposes it. */
export function proposed(part = root) {
  const link = part.querySelector("a[data-next]");
  // As written: what stands in a template has no address of its own to be read with.
  return link ? link.getAttribute("href").split("?")[1] : "";
}

/** Another tab's newer state of the round on this page. */
export function newer() {
  const round = foreign ? null : find(readEvening(), here.id);
  return round && round.query !== here.link ? round : null;
}

/** Take rounds out of the evening; each with its place. */
export function take(evening, ids) {
  const put = [];
  evening.rounds.forEach((round, index) => ids.includes(round.id) && put.push([index, round]));
  evening.rounds = evening.rounds.filter((round) => !ids.includes(round.id));
  return put;
}

/** A round as the server reckons its address; nothing where it cannot read it. */
export async function reckoned(address) {
  const made = document.createElement("template");
  try {
    made.innerHTML = await load(new URLSearchParams(address).toString());
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
  const { link, query: draft, totals, over, began, read } = made.content.querySelector(".cols").dataset;
  if (began !== "1" || read !== "1") return null;
  const round = { id: fresh(), query: link, totals, over: over === "1", next: proposed(made.content) };
  return draft === link ? round : { ...round, draft };
}

/** A proposed round with what was changed of an earlier proposal, and the entry begun there. */
export function merged(next, proposed) {
  if (!next) return proposed;
  const asked = new URLSearchParams(proposed);
  const mine = new URLSearchParams(next.query);
  const from = new URLSearchParams(next.from || "");
  for (const names of [["rules", "opt"], ["d"], ["n"], ["a"], ["at"]]) {
    if (names.every((name) => mine.get(name) === from.get(name))) continue;
    for (const name of names) {
      if (mine.has(name)) asked.set(name, mine.get(name));
      else asked.delete(name);
    }
  }
  return asked.toString();
}

/** Where the evening stands: the round that is being written, else a new one after the newest. */
export async function standing(evening) {
  const { next } = evening;
  const last = newest(evening);
  if (!last) return { state: next.query, here: { id: next.id, from: next.from } };
  if (!next && last.id !== here.id && !last.over && !last.left)
    return { state: whole(last), here: { id: last.id, link: last.query } };
  const from = last.next || (await reckoned(last.query)).next;
  return { state: merged(next, from), here: { id: next ? next.id : fresh(), from } };
}

/** What this tab showed last. */
function mine(value, lose) {
  if (isObject(value)) return value;
  if (value !== null) lose(value);
  return {};
}

/** Which round of the evening it is that the address has: one that is kept, a new one, or none. */
export function identify() {
  const evening = readEvening();
  const { link, began } = cols().dataset;
  const given = new URLSearchParams(query);
  const draft = new URLSearchParams(evening.draft || "");
  const like = (other) =>
    ["e", "n", "d"].every((name) => (other.get(name) || "") === (given.get(name) || ""));
  const before = kept("sessionStorage", "suanfan.round.mine", mine);
  const known =
    (before.link === link && find(evening, before.id)) ||
    evening.rounds.find((round) => alike(round.query, link));
  const same = Boolean(evening.draft) && like(draft);
  const current = find(evening, evening.current);
  if (known) {
    evening.current = known.id;
    hold({ id: known.id, link });
  } else if (same && current && like(new URLSearchParams(current.query)))
    hold({ id: current.id, link: current.query });
  else hold(before.id && before.link === link ? before : unbegun(evening));
  setForeign(!known && !same && began === "1");
  writeEvening(evening);
  // The same round under other rules comes back from the house-rule sheet.
  if (same && query !== evening.draft) {
    keep();
    if (["rules", "opt"].some((name) => draft.get(name) !== given.get(name))) prefer();
  }
}

/** The round that waits for its first event, if the page shows it, else a new one. */
function unbegun(evening) {
  const { next } = evening;
  const { link } = cols().dataset;
  const last = newest(evening);
  if (next && next.query === query) return { id: next.id, link, from: next.from };
  return { id: fresh(), link, from: last ? last.next || "" : link };
}

/** The round of the evening that a state, kept without an address, belongs to. */
export function holdFor(evening, state) {
  const current = find(evening, evening.current);
  const events = (one) => new URLSearchParams(one).get("e") || "";
  if (current && events(current.query) && events(current.query) === events(state))
    hold({ id: current.id, link: current.query });
  else hold(unbegun(evening));
}

