// From round to round. Each of these is a job for the page: the state to show, and what is done once it
// is shown; the page does it in its turn among the taps.

import {
  alike,
  find,
  full,
  holdFor,
  keep,
  MOST_ROUNDS,
  merged,
  namesOf,
  newest,
  nothing,
  proposed,
  readEvening,
  reckoned,
  standing,
  take,
  VERSION,
  whole,
  writeEvening,
} from "./evening.js";
import { cols, foreign, fresh, here, hold, query, setForeign, tell, words } from "./page.js";
import { named, open as openQuestions, rename, renaming, undone } from "./people.js";
import { remember, spot, stack, stacks } from "./steps.js";

const MOST_UNREAD = 9; // rounds of a file that are named

/** The state of a step: its round may have gone on since, in another tab. */
function stateOf(step) {
  const evening = readEvening();
  const round = find(evening, step.here.id);
  if (step.here.id === here.id) return step.state;
  if (round) return whole(round);
  return evening.next && evening.next.id === step.here.id ? evening.next.query : step.state;
}

/** Undo or redo one step; `again` goes on where the step did nothing. */
export function step(from, to, again) {
  const last = () => stack(from).pop();
  const after = (before) => {
    const { here: there, foreign: strange, put, drop, left, next, names, unsure } = last();
    const same = there.id === here.id;
    const rest = stack(from).slice(0, -1);
    if (same && !put && !drop && !names && query === before) {
      // A tap that did nothing is no step.
      stacks({ [from]: rest });
      if (rest.length) again();
      return;
    }
    const evening = readEvening();
    const back = { ...spot(before), left };
    if (put) {
      back.drop = put.map(([, round]) => round.id);
      for (const [index, round] of put)
        if (!find(evening, round.id)) evening.rounds.splice(index, 0, round);
    }
    if (drop) back.put = take(evening, drop);
    if (next !== undefined) {
      back.next = evening.next || null;
      evening.next = next;
    }
    if (names) {
      for (const change of names) rename(evening, change);
      back.names = names.map(undone);
    }
    if (unsure) {
      back.unsure = evening.unsure || [];
      evening.unsure = unsure;
    }
    const one = left && find(evening, from === "undo" ? there.id : here.id);
    if (one) one.left = from !== "undo";
    writeEvening(evening);
    const round = find(evening, there.id);
    if (!round) hold(same ? { ...here, ...there } : there);
    else if (!same) hold({ id: round.id, link: round.query });
    if (!same) setForeign(strange);
    stacks({ [from]: rest, [to]: [...stack(to), back] });
    keep();
  };
  return [() => last() && stateOf(last()), after];
}

/** Go on with another round than the one on the page; undo leads back. */
function arrive(there, before, more = {}) {
  if (there.id === here.id && !foreign) return keep();
  remember({ ...spot(before), ...more });
  const evening = readEvening();
  const one = more.left && find(evening, here.id);
  if (one) one.left = true;
  writeEvening(evening);
  if (new URLSearchParams(before).has("a")) tell(words.entryStays);
  setForeign(false);
  hold({ ...there, link: there.link ?? cols().dataset.link });
  keep();
}

/** Whether there is no room for a round after the one that the evening has reached. */
function over() {
  const evening = readEvening();
  return full(evening) && !evening.next && newest(evening).id === here.id;
}

/** The next round. */
export function next() {
  let there;
  return [
    async () => {
      keep();
      const from = proposed();
      if (!foreign && over()) return void tell(words.fullEvening);
      const own = foreign ? { state: from, here: { id: fresh(), from } } : null;
      const found = own || (await standing(readEvening()));
      there = found.here;
      return found.state;
    },
    (before) => arrive(there, before, { left: true }),
  ];
}

/** Show a round of the evening and go on with it. */
export const open = (id) => [
  () => {
    keep();
    const round = find(readEvening(), id);
    return round && whole(round);
  },
  (before) => {
    const round = find(readEvening(), id);
    arrive({ id, link: round.query }, before);
  },
];

/** Take one round out of the evening, and go on where the rest stands. */
export function remove(id) {
  let there;
  const done = (before) => {
    const evening = readEvening();
    remember({ ...spot(before), put: take(evening, [id]) });
    writeEvening(evening);
    tell(words.removed);
  };
  const state = async () => {
    const evening = readEvening();
    const gone = find(evening, id);
    if (!gone) return undefined;
    const empty = cols().dataset.began !== "1" && here.place === undefined;
    const last = gone === newest(evening);
    // A round that is not on the page, nor the one that it follows: nothing else changes.
    if (foreign || !(id === here.id || (empty && last))) return void done(query);
    keep();
    const { rounds, next } = readEvening();
    const rest = rounds.filter((round) => round.id !== id);
    const waits = empty ? { id: here.id, query, from: here.from } : next;
    if (!rest.length) {
      // The names stay at the table.
      const asked = new URLSearchParams(gone.query);
      asked.delete("e");
      const from = asked.toString();
      there = { id: waits ? waits.id : fresh(), from };
      return merged(waits, from);
    }
    // After the newest round a new one begins, not the one before it again.
    if (last) newest({ rounds: rest }).left = true;
    const found = await standing({ rounds: rest, next: waits });
    there = found.here;
    return found.state;
  };
  const after = (before) => {
    done(before);
    hold({ ...there, link: there.link ?? cols().dataset.link });
    keep();
  };
  return [state, after];
}

/** A file that cannot be taken; the message says why. */
export class Unusable extends Error {}

/** The rounds that a file lists, as they are written. */
async function listed(file) {
  const data = JSON.parse(await file.text());
  const single = data.format === "suanfan-round";
  if (!single && data.format !== "suanfan-evening") throw new Unusable(words.badFile);
  if (data.version > VERSION) throw new Unusable(words.newerFile);
  const rounds = Array.from(single ? [{ query: data.address }] : data.rounds);
  if (!rounds.length) throw new Unusable(words.emptyFile);
  if (data.version !== VERSION) named(rounds.filter((each) => typeof each?.query === "string"));
  return { single, rounds };
}

/** Take the rounds of a file into the evening: what to say of it, and the job that goes on from there. */
export async function takeFile(file) {
  const { single, rounds: written } = await listed(file);
  const rounds = [];
  const unread = [];
  for (const [index, each] of written.entries()) {
    const { id, query: address, draft } = each || {};
    const made = await reckoned(String(draft || address));
    // Two rounds of one file have two ids, whatever it says.
    const own = typeof id === "string" && /^[a-z0-9]{6,30}$/.test(id) && !find({ rounds }, id);
    if (made) rounds.push(own ? { ...made, id } : made);
    else unread.push(index + 1);
  }
  if (!rounds.length && single) throw new Unusable(words.badFile);
  const evening = readEvening();
  const before = [...evening.rounds];
  // A round that the evening has is not counted again; two alike in one file are two.
  const twin = (round) =>
    before.find((other) => other.id === round.id || alike(other.query, round.query));
  const news = rounds.filter((round) => !twin(round));
  evening.rounds.push(...news.slice(0, MOST_ROUNDS - before.length));
  const left = before.length + news.length > MOST_ROUNDS;
  const added = evening.rounds.slice(before.length).map((round) => round.id);
  writeEvening(evening);
  if (added.length) remember({ ...spot(query), drop: added });
  const told = taken(added.length, rounds.length, unread, left);
  if (single && left) return { told, job: null };
  if (single) return { told, job: open((twin(rounds[0]) || rounds[0]).id) };
  return { told, job: goingOn(rounds, !before.length) };
}

/** What to say of a file: which of its rounds are new here, and which cannot be read. */
function taken(added, read, unread, left) {
  const all = added === read;
  const told = all ? words.imported : added ? words.importedSome : words.already;
  const few = [...unread.slice(0, MOST_UNREAD), ...(unread.length > MOST_UNREAD ? ["…"] : [])];
  const lost = words.unread.replace("%(rounds)s", () => few.join(words.comma));
  const parts = [
    added || !(left || unread.length) ? told : "",
    unread.length ? lost : "",
    left ? words.fullEvening : "",
  ];
  return parts.filter(Boolean).join(/^zh/.test(document.documentElement.lang) ? "" : " ");
}

/** Go on after the rounds of a file; a fresh device takes their names, rules and dealer. */
function goingOn(rounds, fresh) {
  const last = newest({ rounds });
  if (!last || cols().dataset.began === "1") return null;
  const untouched = fresh && query === here.from;
  const own = { query, from: here.from };
  const asked = new URLSearchParams(fresh ? merged(own, last.next) : query);
  if (!asked.get("n") && namesOf(rounds)) asked.set("n", namesOf(rounds));
  const after = () => {
    if (untouched) hold({ ...here, from: query });
    keep();
  };
  return [() => asked.toString(), after];
}

/** Answer a question about a name: a correction holds in every round; another person stays one. */
export function settleName(index, corrected) {
  const evening = readEvening();
  const unsure = evening.unsure || [];
  const { from, to } = openQuestions(evening, query)[index];
  const names = corrected ? renaming(evening, 0, from, to) : [];
  for (const change of names) rename(evening, change);
  evening.unsure = unsure.filter((each) => each.from !== from || each.to !== to);
  writeEvening(evening);
  if (names.length) remember({ ...spot(query), names: names.map(undone), unsure });
}

/** Clear the evening; somebody else's round stays on the page, the rules stay at the table. */
export function clear() {
  const rules = () => ["rules", "opt"].map((name) => [name, new URLSearchParams(query).get(name)]);
  const blank = () => new URLSearchParams(rules().filter(([, value]) => value)).toString();
  const after = (before) => {
    const evening = readEvening();
    const put = evening.rounds.map((round, index) => [index, round]);
    remember({ ...spot(before), put, next: evening.next || null });
    writeEvening(nothing());
    const { link } = cols().dataset;
    if (!foreign) hold({ id: fresh(), link, from: link });
    keep();
  };
  return [() => (foreign ? query : blank()), after];
}

/** Show a state of the page as one of the round that another state belongs to. */
export const join = (asked, state) => [
  () => asked,
  () => {
    holdFor(readEvening(), state);
    keep();
  },
];
