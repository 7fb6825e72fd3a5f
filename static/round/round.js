// The page of a round: taps without reloading, undo and redo, and the evening on this device.
// What a tap does is decided by the server; this only asks for it and keeps what came back.

const main = document.getElementById("main");
const root = document.getElementById("round");
const say = document.getElementById("round-say");
const net = document.getElementById("round-net");
const words = JSON.parse(main.dataset.words);
const paths = main.dataset;
const KEY = "suanfan.evening";

const cols = () => root.querySelector(".cols");
let query = cols().dataset.query;
// A round that came by a link and is not of this evening: it joins when somebody says so.
let foreign = false;
// The round that this page shows: its id in the evening, and its address when last seen, as another
// tab may have changed it since. Of one with nothing in it yet, `from` is what the evening proposed,
// and `place` where it stood before it was emptied.
let here = { id: fresh(), link: "" };

/* ---------------------------------------------------------------- what the browser keeps */

// Storage may be forbidden or full: what it did not take stands here as long as the page does.
const unkept = new Map();

/** What is kept under a name, or null: nothing, or nothing that can be read. */
function stored(area, name) {
  try {
    return JSON.parse(unkept.get(name) ?? window[area].getItem(name));
  } catch {
    return null;
  }
}

function store(area, name, value) {
  const text = JSON.stringify(value);
  try {
    window[area].setItem(name, text);
    unkept.delete(name);
  } catch {
    unkept.set(name, text);
  }
}

/* ---------------------------------------------------------------- the evening, kept here */

function readEvening() {
  const kept = stored("localStorage", KEY);
  if (kept && Array.isArray(kept.rounds)) return kept;
  return { version: 1, rounds: [], current: null };
}

const writeEvening = (evening) => store("localStorage", KEY, evening);

function fresh() {
  return Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
}

const find = (evening, id) => evening.rounds.find((round) => round.id === id);
const newest = (evening) => evening.rounds[evening.rounds.length - 1];
/** A round's address, with the entry that was left half made. */
const whole = (round) => round.draft || round.query;

function hold(round) {
  here = round;
  store("sessionStorage", "suanfan.round.mine", round);
}

function setForeign(yes) {
  foreign = yes;
  document.getElementById("round-foreign").hidden = !yes;
}

/** Keep the round on the page in the evening. */
function keep() {
  if (foreign) return;
  const { link, totals, began, over } = cols().dataset;
  const evening = readEvening();
  const at = evening.rounds.findIndex((round) => round.id === here.id);
  const { id, from, place } = here;
  const waits = evening.next && evening.next.id === id;
  if (began === "1") {
    const round = evening.rounds[at] || { id, from };
    if (at < 0) evening.rounds.splice(place ?? evening.rounds.length, 0, round);
    const draft = query === link ? undefined : query;
    Object.assign(round, { query: link, draft, totals, over: over === "1", next: following() });
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
      if (query !== start) evening.next = { id, query, from: start };
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
function following(part = root) {
  const link = part.querySelector("a[data-next]");
  // As written: what stands in a template has no address of its own to be read with.
  return link ? link.getAttribute("href").split("?")[1] : "";
}

/** Another tab's newer state of the round on this page. */
function newer() {
  const round = foreign ? null : find(readEvening(), here.id);
  return round && round.query !== here.link ? round : null;
}

/** Show what another tab made of this round. A new entry stays; one that changes an event goes. */
async function catchUp() {
  const round = newer();
  const asked = new URLSearchParams(round.query);
  const shown = new URLSearchParams(query);
  if (shown.get("a") && !shown.get("at")) asked.set("a", shown.get("a"));
  swap(await load(asked.toString()));
  hold({ id: round.id, link: round.query });
  stacks({ undo: [], redo: [] });
  tell(words.elsewhere);
}

/* ---------------------------------------------------------------- the rules kept here */

const RULES = "rules"; // what the page of one hand remembers, too
const HOUSES = "houses"; // named on the sheet of house rules

const preset = (id) =>
  [...root.querySelectorAll("[data-preset]")].find((button) => button.dataset.preset === id);

/** The rules that were chosen last on this device, if any. */
function remembered() {
  const kept = stored("localStorage", RULES);
  return kept && preset(kept.rules) ? kept : null;
}

function prefer() {
  const given = new URLSearchParams(query);
  store("localStorage", RULES, { rules: given.get("rules"), opt: given.get("opt") || "" });
}

/** A query under other rules. */
function under(state, { rules, opt }) {
  const asked = new URLSearchParams(state);
  asked.set("rules", rules);
  if (opt) asked.set("opt", opt);
  else asked.delete("opt");
  return asked.toString();
}

/** The named house rules stand in the menu of rules, after the presets. */
function drawHouses() {
  const sheet = root.querySelector("#round-rules .to-sheet");
  const kept = stored("localStorage", HOUSES);
  if (!sheet || !Array.isArray(kept) || root.querySelector("[data-house]")) return;
  const given = new URLSearchParams(query);
  kept.forEach((one, index) => {
    if (!one || typeof one.name !== "string" || !preset(one.rules)) return;
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

let shownEvening = "";

async function showEvening() {
  const evening = readEvening();
  const section = document.getElementById("evening");
  const sheet = document.getElementById("evening-sheet");
  const rows = evening.rounds.map((round) => round.totals).join("_");
  const names = namesNow(evening);
  section.hidden = false;
  section.classList.toggle("none", !evening.rounds.length);
  for (const name of ["export", "forget"]) {
    section.querySelector(`[data-do="${name}"]`).hidden = !evening.rounds.length;
  }
  const asked = new URLSearchParams({ ...(names ? { n: names } : {}), r: rows }).toString();
  document.getElementById("evening-link").search = asked;
  if (asked === shownEvening) return markHere(evening, sheet);
  try {
    const answer = await fetch(`${paths.evening}?${asked}`);
    if (!answer.ok) return;
    const html = await answer.text();
    const active = sheet.contains(document.activeElement) ? document.activeElement.dataset : {};
    sheet.innerHTML = html;
    shownEvening = asked;
    for (const key of ["open", "remove"]) {
      const again = active[key] && sheet.querySelector(`[data-${key}="${active[key]}"]`);
      if (again) again.focus({ preventScroll: true });
    }
    markHere(evening, sheet);
  } catch {
    // Offline: the sheet comes with the next tap that goes through.
  }
}

/** The names of the newest round that has any. */
function namesOf(rounds) {
  const named = rounds.map((round) => new URLSearchParams(round.query).get("n"));
  return named.filter(Boolean).pop() || "";
}

/** The names at the table now: an older round on the page, or somebody else's, has its own. */
function namesNow(evening) {
  const last = newest(evening);
  const own = !foreign && here.place === undefined;
  const shown = own && (!last || last.id === here.id || !find(evening, here.id));
  const now = shown ? query : last && last.next && merged(evening.next, last.next);
  return new URLSearchParams(now || "").get("n") || namesOf(evening.rounds);
}

function markHere(evening, sheet) {
  evening.rounds.forEach((round, index) => {
    const row = sheet.querySelector(`[data-round="${index}"]`);
    if (row) row.classList.toggle("here", round.id === here.id);
  });
}

/* ---------------------------------------------------------------- taps */

// What was tapped, in order: taps, which go to the server together, and jobs, each of which shows
// another state.
let queue = [];
let busy = false;
const MOST = 20; // taps that the server does at once
const MOST_UNREAD = 9; // rounds of a file that are named

function tell(text) {
  say.textContent = text;
  say.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (say.hidden = true), 4000);
}

/** Put the server's answer on the page, the focus where it was. */
function swap(html, done = []) {
  const active = document.activeElement;
  const value = active && active.name === "do" ? active.value : null;
  const act = active && active.dataset ? active.dataset.act : null;
  const open = [...root.querySelectorAll("details[open][id]")].map((each) => each.id);
  root.innerHTML = html;
  for (const id of open) {
    const details = document.getElementById(id);
    if (details && id !== "round-rules" && !done.includes(id)) details.open = true;
  }
  query = cols().dataset.query;
  // A function: in a text `$&` would stand for what is replaced.
  document.title = document.title.replace(/^.*(?= · )/, () => cols().dataset.title);
  history.replaceState(null, "", `${paths.page}?${query}${location.hash}`);
  for (const link of document.querySelectorAll(".languages a")) link.search = location.search;
  for (const link of document.querySelectorAll("[rel=canonical], [rel=alternate]"))
    link.href = link.href.replace(/(\?.*)?$/, () => `?${cols().dataset.link}`);
  drawHouses();
  speak();
  const again =
    (value && [...root.querySelectorAll("button[name=do]")].find((b) => b.value === value)) ||
    (act && root.querySelector(`[data-act="${act}"]`));
  if (again && !again.disabled) again.focus({ preventScroll: true });
  marks();
}

/** Say what changed to those who do not see it: the entry, else the balance. */
function speak() {
  const entry = root.querySelector(".preview");
  const text = entry ? entry.textContent : cols().dataset.title;
  document.getElementById("round-live").textContent = text.replace(/\s+/g, " ").trim();
}

class Refused extends Error {}
class Unreached extends Error {}

async function load(asked) {
  let answer;
  let html;
  try {
    answer = await fetch(`${paths.fragment}?${asked}`);
    html = await answer.text();
  } catch {
    throw new Unreached();
  }
  if (!answer.ok) throw new Refused(answer.status === 414 ? words.tooLong : words.refused);
  return html;
}

/** Whether what is shown is the newest; where not, the taps are sent again until they arrive. */
function reached(yes) {
  net.hidden = yes;
  root.classList.toggle("stale", !yes);
  clearTimeout(reached.timer);
  reached.failed = yes ? 0 : Math.min((reached.failed || 0) + 1, 4);
  if (!yes) reached.timer = setTimeout(run, 600 * 2 ** reached.failed);
}

/** Do what is queued, in order, upon the newest state. */
async function run() {
  if (busy || !(queue.length || newer())) return;
  busy = true;
  root.classList.add("busy");
  try {
    while (newer()) await catchUp();
    if (queue.length && queue[0].state) await show(queue.shift());
    else if (queue.length) await send();
    reached(true);
    showEvening();
  } catch (error) {
    // A fault of this page is none of the network's: asking again would not mend it.
    if (!(error instanceof Unreached || error instanceof Refused)) throw error;
    reached(false);
  } finally {
    busy = false;
    root.classList.remove("busy");
  }
  if (net.hidden) run();
}

/** Ask for the taps that come next, at once; those that do not arrive are sent again. */
async function send() {
  // What was typed is done before the tap that it goes with: such a tap is the first of those sent.
  const job = queue.findIndex((each, index) => each.state || (index && each.fields.length));
  const taps = queue.splice(0, job < 0 ? MOST : Math.min(job, MOST));
  const again = () => (queue = [...taps, ...queue]);
  const before = query;
  const asked = new URLSearchParams(query);
  const steps = [];
  for (const tap of taps) {
    // The state before each tap is that before the first, with the taps between to be done.
    steps.push(spot(asked.toString()));
    asked.append("do", tap.value);
    for (const [name, value] of tap.fields) asked.set(name, value);
  }
  let html;
  try {
    html = await load(asked.toString());
  } catch (error) {
    if (error instanceof Refused) {
      for (const input of fieldsIn(root)) delete input.dataset.sent;
      return tell(error.message);
    }
    again();
    throw error;
  }
  if (newer()) return again();
  const events = root.querySelectorAll(".event").length;
  const named = taps.some(
    ({ value, fields }) =>
      !value.startsWith("dealer:") && fields.some(([name]) => name.startsWith("n")),
  );
  const putBack = keepTyping(taps);
  swap(html, named ? ["round-names"] : []);
  putBack(dropUnseeing());
  if (query !== before || taps.length > 1) remember({ ...steps[0], state: before }, ...steps.slice(1));
  keep();
  lead(root.querySelectorAll(".event").length - events, taps);
  if (taps.some((tap) => tap.value.startsWith("rules:"))) prefer();
}

/** Bring a new event into sight, and the focus of a button that is gone to what comes next. */
function lead(more, taps) {
  const lost = document.activeElement === document.body;
  if (more > 0) {
    const last = root.querySelector(".event:last-child");
    last.scrollIntoView({ block: "nearest" });
    if (lost) last.querySelector("summary").focus({ preventScroll: true });
  } else if (lost && taps.some((tap) => /^(save|cancel|delete)/.test(tap.value))) {
    root.querySelector(".kind-keys button")?.focus({ preventScroll: true });
  }
}

const FIELDS = /^[nfbh][0-3]$/;
// Taps after which the page has another entry, or none: what was typed into this one is not for it.
const LEAVES = /^(save|cancel|edit|delete|up|down|clear|next)/;

const fieldsIn = (part) =>
  [...part.querySelectorAll("input")].filter(({ name }) => FIELDS.test(name));

/** What the round has for a field, and below it what is on its way there. */
const held = ({ dataset, defaultValue }) => dataset.held ?? defaultValue;
const unsent = (input) => input.value !== (input.dataset.sent ?? held(input));

/** What is typed and not sent yet goes along with the next tap; names go together. */
function typedFields(group) {
  const names = fieldsIn(root).filter(({ name }) => name.startsWith("n"));
  const named = names.some(unsent);
  return fieldsIn(root)
    .filter((input) => unsent(input) || (named && names.includes(input)) || group?.contains(input))
    .map((input) => {
      input.dataset.sent = input.value;
      return [input.name, input.value];
    });
}

/** A field that is written in while an answer is on its way keeps its text and the focus. */
function keepTyping(taps) {
  const leaves = taps.some(({ value }) => LEAVES.test(value));
  const typed = fieldsIn(root)
    .filter(unsent)
    .map(({ name, value }) => [name, value]);
  const { name: focused, selectionStart, selectionEnd } = document.activeElement;
  return (dropped) => {
    const fields = fieldsIn(root);
    // A save that was refused has left the entry as it was.
    const left = leaves && !fields.some(({ dataset }) => "held" in dataset);
    for (const input of fields) {
      if (left && !input.name.startsWith("n")) continue;
      const mine = [...typed, ...dropped].find(([field]) => field === input.name);
      if (!mine) continue;
      input.value = mine[1];
      if (input.name !== focused) continue;
      input.focus({ preventScroll: true });
      input.setSelectionRange(selectionStart, selectionEnd);
    }
    offerSave();
  };
}

/**
 * Where something cannot be read, taps that were made before that was seen were meant for after
 * it: they go, up to one that brings it anew. What was typed with them goes along with that one;
 * without one it is given back.
 */
function dropUnseeing() {
  const wrong = fieldsIn(root).filter(({ dataset }) => "held" in dataset);
  if (!wrong.length) return [];
  const mends = ({ fields = [] }) => wrong.every(({ name }) => fields.some(([of]) => of === name));
  const mending = queue.find(mends);
  const unseeing = queue.slice(0, mending ? queue.indexOf(mending) : queue.length);
  const dropped = unseeing.filter(({ fields }) => fields);
  queue = queue.filter((each) => !dropped.includes(each));
  const typed = dropped.flatMap(({ fields }) => fields);
  if (mending) mending.fields.unshift(...typed);
  return mending ? [] : typed.reverse();
}

function tap(button) {
  const fields = typedFields(button.closest(".names, .typed, .bests"));
  // The finger sees at once that it was felt; the server says what came of it.
  button.classList.add("touched");
  queue.push({ value: button.value, fields });
  run();
}

// A link, or the button of a house rule, asks for another state: what is typed is noted down first.
let leading = false;
document.addEventListener(
  "click",
  (event) => {
    const ways = () => [...root.querySelectorAll("#table a, #table [data-house]")];
    const index = ways().indexOf(event.target.closest("a, button"));
    if (index < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const fields = typedFields();
    if (!fields.length && !leading) return;
    event.preventDefault();
    event.stopPropagation();
    if (!fields.length) return;
    leading = true;
    queue.push({ value: "", fields });
    go(() => undefined).then(() => {
      leading = false;
      if (!root.querySelector("[data-held]")) ways()[index]?.click();
    });
  },
  true,
);

/** The number that an entry lacks goes along with 记下 as soon as it is typed. */
function offerSave() {
  const save = root.querySelector("[data-needs]");
  if (!save) return;
  const names = save.dataset.needs.split(" ");
  save.disabled = !names.every((name) => root.querySelector(`[name="${name}"]`).value.trim());
}
document.addEventListener("input", offerSave);

/**
 * Show another state of the page, after the taps before it: `state` says which, if any, in its
 * turn, and `after` does what goes with it. Where it does not come nothing changes. What one job
 * leads to comes `first`.
 */
function go(state, after = keep, first = false) {
  return new Promise((done) => {
    queue[first ? "unshift" : "push"]({ state, after, done });
    run();
  });
}

async function show(job) {
  const { state, after, done } = job;
  try {
    const asked = await state();
    if (asked === undefined) return;
    const html = await load(asked);
    if (newer()) return void queue.unshift(job);
    const before = query;
    swap(html);
    after(before);
    done(true);
  } catch (error) {
    if (error instanceof Unreached) tell(words.offline);
    else if (error instanceof Refused) tell(error.message);
    else throw error;
  } finally {
    if (queue[0] !== job) done(false);
  }
}

/* ---------------------------------------------------------------- undo and redo */

// A step is the state to go back to, in which round, and what goes with it: rounds that it puts back
// or drops, the round that was `left` for the next.

const spot = (state) => ({ state, here, foreign });

const stack = (name) =>
  (stored("sessionStorage", `suanfan.round.${name}`) || []).filter((each) => each.here);

function stacks(lists) {
  for (const [name, list] of Object.entries(lists))
    store("sessionStorage", `suanfan.round.${name}`, list.slice(-200));
  marks();
}

const remember = (...steps) => stacks({ undo: [...stack("undo"), ...steps], redo: [] });

function marks() {
  for (const name of ["undo", "redo"]) {
    const button = root.querySelector(`[data-act="${name}"]`);
    if (button) button.setAttribute("aria-disabled", String(!stack(name).length));
  }
  const last = stack("undo").pop();
  document.querySelector('[data-do="restore"]').hidden = !(last && last.put);
}

/** The state of a step: its round may have gone on since, in another tab. */
function stateOf(step) {
  const evening = readEvening();
  const round = find(evening, step.here.id);
  if (step.here.id === here.id) return step.state;
  if (round) return whole(round);
  return evening.next && evening.next.id === step.here.id ? evening.next.query : step.state;
}

function step(from, to, first = false) {
  const last = () => stack(from).pop();
  const after = (before) => {
    const { here: there, foreign: strange, put, drop, left, next } = last();
    const same = there.id === here.id;
    const rest = stack(from).slice(0, -1);
    if (same && !put && !drop && query === before) {
      // A tap that did nothing is no step.
      stacks({ [from]: rest });
      if (rest.length) step(from, to, true);
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
  go(() => last() && stateOf(last()), after, first);
}

/** Take rounds out of the evening; each with its place. */
function take(evening, ids) {
  const put = [];
  evening.rounds.forEach((round, index) => ids.includes(round.id) && put.push([index, round]));
  evening.rounds = evening.rounds.filter((round) => !ids.includes(round.id));
  return put;
}

/* ---------------------------------------------------------------- files */

function download(name, data) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }),
  );
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A round as the server reckons its address; nothing where it cannot read it. */
async function reckoned(address) {
  const made = document.createElement("template");
  try {
    made.innerHTML = await load(new URLSearchParams(address).toString());
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
  const { link, query: draft, totals, over, began, read } = made.content.querySelector(".cols").dataset;
  if (began !== "1" || read !== "1") return null;
  const round = { id: fresh(), query: link, totals, over: over === "1", next: following(made.content) };
  return draft === link ? round : { ...round, draft };
}

/* ---------------------------------------------------------------- from round to round */

/** A proposed round with what was changed of an earlier proposal, and the entry begun there. */
function merged(next, proposed) {
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
async function standing(evening) {
  const { next } = evening;
  const last = newest(evening);
  if (!last) return { state: next.query, here: { id: next.id, from: next.from } };
  if (!next && last.id !== here.id && !last.over && !last.left)
    return { state: whole(last), here: { id: last.id, link: last.query } };
  const from = last.next || (await reckoned(last.query)).next;
  return { state: merged(next, from), here: { id: next ? next.id : fresh(), from } };
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

/** The next round. */
function goNext() {
  let there;
  return go(
    async () => {
      keep();
      const from = following();
      const own = foreign ? { state: from, here: { id: fresh(), from } } : null;
      const found = own || (await standing(readEvening()));
      there = found.here;
      return found.state;
    },
    (before) => arrive(there, before, { left: true }),
  );
}

/** Show a round of the evening and go on with it. */
const openRound = (id) =>
  go(
    () => {
      keep();
      const round = find(readEvening(), id);
      return round && whole(round);
    },
    (before) => {
      const round = find(readEvening(), id);
      arrive({ id, link: round.query }, before);
    },
  );

/** Take one round out of the evening, and go on where the rest stands. */
async function removeRound(id) {
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
  await go(state, (before) => {
    done(before);
    hold({ ...there, link: there.link ?? cols().dataset.link });
    keep();
  });
}

/** The rounds that a file lists, as they are written. */
async function listed(file) {
  const data = JSON.parse(await file.text());
  const rounds = data.format === "suanfan-round" ? [{ query: data.address }] : data.rounds;
  if (!/^suanfan-(round|evening)$/.test(data.format) || rounds.length > 200) throw new Error("format");
  return { single: data.format === "suanfan-round", rounds: Array.from(rounds) };
}

async function takeFile(file) {
  try {
    const { single, rounds: written } = await listed(file);
    const rounds = [];
    const unread = [];
    for (const [index, each] of written.entries()) {
      const { id, query: address, draft } = each || {};
      const made = await reckoned(String(draft || address));
      const named = typeof id === "string" && /^[a-z0-9]{6,30}$/.test(id);
      if (made) rounds.push(named ? { ...made, id } : made);
      else unread.push(index + 1);
    }
    if (!rounds.length && single) throw new Error("round");
    const evening = readEvening();
    const before = [...evening.rounds];
    // A round that the evening has is not counted again; two alike in one file are two.
    const twin = (round) =>
      before.find((other) => other.id === round.id || other.query === round.query);
    for (const round of rounds) {
      if (!twin(round) && !find(evening, round.id)) evening.rounds.push(round);
    }
    const added = evening.rounds.slice(before.length).map((round) => round.id);
    writeEvening(evening);
    if (added.length) remember({ ...spot(query), drop: added });
    if (single) await openRound((twin(rounds[0]) || rounds[0]).id);
    else {
      const last = newest({ rounds });
      if (last && cols().dataset.began !== "1") {
        // A fresh device goes on with the names, rules and dealer of the file.
        const took = !before.length;
        const untouched = took && query === here.from;
        const own = { query, from: here.from };
        const asked = new URLSearchParams(took ? merged(own, last.next) : query);
        if (!asked.get("n") && namesOf(rounds)) asked.set("n", namesOf(rounds));
        await go(
          () => asked.toString(),
          () => {
            if (untouched) hold({ ...here, from: query });
            keep();
          },
        );
      } else await showEvening();
    }
    const all = added.length === rounds.length;
    const told = all ? words.imported : added.length ? words.importedSome : words.already;
    const few = [...unread.slice(0, MOST_UNREAD), ...(unread.length > MOST_UNREAD ? ["…"] : [])];
    const lost = words.unread.replace("%(rounds)s", () => few.join(words.comma));
    const parts = [rounds.length || !unread.length ? told : "", unread.length ? lost : ""];
    tell(parts.filter(Boolean).join(/^zh/.test(document.documentElement.lang) ? "" : " "));
  } catch (error) {
    tell(error instanceof Unreached ? words.offline : words.badFile);
  }
}

/* ---------------------------------------------------------------- events of the page */

/** Ask once more on the button itself, for five seconds. */
function sure(button, label, question) {
  if (button.unsure) {
    button.unsure();
    return true;
  }
  const { textContent } = button;
  const name = button.getAttribute("aria-label");
  button.textContent = label;
  if (name) button.setAttribute("aria-label", question);
  tell(question);
  button.unsure = () => {
    delete button.unsure;
    button.textContent = textContent;
    if (name) button.setAttribute("aria-label", name);
  };
  setTimeout(() => button.unsure && button.unsure(), 5000);
  return false;
}

const DO = {
  export() {
    const { rounds } = readEvening();
    download("evening.json", { format: "suanfan-evening", version: 1, rounds });
  },
  adopt() {
    setForeign(false);
    keep();
    showEvening();
  },
  forget(button) {
    if (!sure(button, words.sure, words.clear)) return;
    // Somebody else's round stays on the page; the rules stay at the table.
    const rules = () => ["rules", "opt"].map((name) => [name, new URLSearchParams(query).get(name)]);
    const blank = () => new URLSearchParams(rules().filter(([, value]) => value)).toString();
    go(
      () => (foreign ? query : blank()),
      (before) => {
        const evening = readEvening();
        const put = evening.rounds.map((round, index) => [index, round]);
        remember({ ...spot(before), put, next: evening.next || null });
        writeEvening({ version: 1, rounds: [], current: null });
        const { link } = cols().dataset;
        if (!foreign) hold({ id: fresh(), link, from: link });
        keep();
      },
    );
  },
  restore() {
    step("undo", "redo");
  },
};

/** Remove a round; the focus goes to the row that takes its place. */
async function dropRow(id, index) {
  await removeRound(id);
  await showEvening();
  const rows = document.querySelectorAll("[data-remove]");
  const next = rows[Math.min(index, rows.length - 1)] || document.querySelector('[data-do="restore"]');
  next.focus({ preventScroll: true });
}

async function copy(value, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    // Plain http: only the old way is allowed.
    const area = Object.assign(document.createElement("textarea"), { value, className: "unseen" });
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  tell(done ? words.copied : words.noCopy);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const next = event.target.closest("a[data-next]");
  const calculator = event.target.closest("a[data-calculator]");
  if (calculator && foreign) return;
  if (calculator) {
    // The entry waits for the hand, also when the way back gets lost.
    const evening = readEvening();
    evening.draft = new URL(calculator.href).searchParams.get("back");
    writeEvening(evening);
    return;
  }
  if (next) {
    event.preventDefault();
    goNext().then((shown) => shown && window.scrollTo(0, 0));
    return;
  }
  if (!button) {
    // A menu that hangs open closes when something else is tapped.
    const rules = document.getElementById("round-rules");
    if (rules && rules.open && !rules.contains(event.target)) rules.open = false;
    return;
  }
  if (button.name === "do" && root.contains(button)) {
    event.preventDefault();
    tap(button);
  } else if (button.dataset.act === "undo") step("undo", "redo");
  else if (button.dataset.act === "redo") step("redo", "undo");
  else if (button.dataset.copy) copy(document.querySelector(button.dataset.copy).value, button);
  else if (button.dataset.copyText) copy(button.dataset.copyText, button);
  else if (button.dataset.share)
    navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {});
  else if (button.hasAttribute("data-print")) window.print();
  else if (button.dataset.do) DO[button.dataset.do](button);
  else if (button.dataset.house) {
    const one = (stored("localStorage", HOUSES) || [])[Number(button.dataset.house)];
    if (one)
      go(
        () => under(query, one),
        (before) => {
          keep();
          if (query === before) return;
          remember(before);
          prefer();
        },
      );
  } else if (button.dataset.open) {
    const round = readEvening().rounds[Number(button.dataset.open)];
    if (round) openRound(round.id).then((shown) => shown && window.scrollTo(0, 0));
  } else if (button.dataset.remove) {
    const index = Number(button.dataset.remove);
    const round = readEvening().rounds[index];
    if (round && sure(button, words.again, button.dataset.question)) dropRow(round.id, index);
  }
});

addEventListener("online", run);
// Another tab wrote, or may have while this page slept.
addEventListener("pageshow", run);
document.addEventListener("visibilitychange", run);
addEventListener("storage", (event) => {
  if (event.key !== KEY && event.key !== null) return;
  if (newer()) run();
  else showEvening();
});

// Enter in a field presses the button beside it, not the first button of the form.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !FIELDS.test(event.target.name || "")) return;
  event.preventDefault();
  const group = event.target.closest(".names, .typed, .bests");
  const button = group && group.querySelector("button.go, .typed button, button[value^=typed], .bests button");
  if (button) tap(button);
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.do === "import" && event.target.files[0]) {
    takeFile(event.target.files[0]);
    event.target.value = "";
  }
});

/* ---------------------------------------------------------------- the beginning */

/** Which round of the evening it is that the address has: one that is kept, a new one, or none. */
function identify() {
  const evening = readEvening();
  const { link, began } = cols().dataset;
  const given = new URLSearchParams(query);
  const draft = new URLSearchParams(evening.draft || "");
  const like = (other) =>
    ["e", "n", "d"].every((name) => (other.get(name) || "") === (given.get(name) || ""));
  const before = stored("sessionStorage", "suanfan.round.mine") || {};
  const known =
    (before.link === link && find(evening, before.id)) ||
    evening.rounds.find((round) => round.query === link);
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
function holdFor(evening, state) {
  const current = find(evening, evening.current);
  const events = (one) => new URLSearchParams(one).get("e") || "";
  if (current && events(current.query) && events(current.query) === events(state))
    hold({ id: current.id, link: current.query });
  else hold(unbegun(evening));
}

/** Show a state of the page as one of the round that another state belongs to. */
const join = (asked, state) =>
  go(
    () => asked,
    () => {
      holdFor(readEvening(), state);
      keep();
    },
  );

async function begin() {
  const evening = readEvening();
  const given = new URLSearchParams(location.search);
  const current = find(evening, evening.current);
  // A hand whose winner is still to be chosen, alone in the address.
  const hand =
    !given.get("e") &&
    /^w([dsr])-?(?:k([eac]?))?(l?),-h([^_,]*)(?:_v([mps]))?(?:_b([td]))?/.exec(given.get("a") || "");
  const waits = /,[0-3]h(?:[_,]|$)/.test(new URLSearchParams(evening.draft || "").get("a") || "");
  if (document.documentElement.hasAttribute("data-kept") && location.search) {
    // Without a network it is the empty page; the round may have been seen before.
    await go(() => location.search.slice(1), identify);
  } else if (!location.search) {
    // Nothing asked for: where the table left off, else by the rules chosen last.
    const left = evening.draft || (current ? current.query : "");
    const asked = new URLSearchParams(left);
    const kept = evening.rounds.length || asked.get("e") || asked.get("a") ? null : remembered();
    const start = kept ? under(left, kept) : left;
    if (start && start !== query) await join(start, start);
    else {
      holdFor(evening, start);
      showEvening();
    }
  } else if (hand && (waits || current)) {
    // A hand that comes from the calculator joins the round that is being written.
    const state = waits ? evening.draft : current.query;
    const joined = new URLSearchParams(state);
    const [, by, kong, last, tiles, suit, bless] = hand;
    const came = {
      by: { d: "discard", s: "self_draw", r: "rob_kong" }[by],
      hand: tiles,
      after: { e: "exposed_kong", a: "added_kong", c: "concealed_kong" }[kong],
      pao: kong === "" && "1",
      last: last && "1",
      void: suit,
      bless: { t: "tian_hu", d: "di_hu" }[bless],
      under: ["rules", "opt"].some((name) => joined.get(name) !== given.get(name)) && "1",
    };
    for (const [name, value] of Object.entries(came)) if (value) joined.set(name, value);
    await join(joined.toString(), state);
  } else {
    identify();
    showEvening();
  }
  drawHouses();
  marks();
  run();
}

begin().finally(() => (main.dataset.ready = "1"));
