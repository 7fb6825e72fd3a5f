// The page of a round: taps without reloading, in order, and what the buttons of the evening do.
// What a tap does is decided by the server; this only asks for it and shows what came back.

import { download, downloadJson } from "../site/file.js";
import { houseRules } from "../site/rules.js";
import { isObject, kept, listOf, store } from "../site/store.js";
import {
  find,
  identify,
  holdFor,
  keep,
  KEY,
  newer,
  readEvening,
  VERSION,
  writeEvening,
} from "./evening.js";
import {
  cols,
  foreign,
  here,
  hold,
  load,
  main,
  paths,
  query,
  Refused,
  root,
  setForeign,
  showsNow,
  tell,
  Unreached,
  words,
} from "./page.js";
import { compared, namesIn, rename, sheetQuery, undone } from "./people.js";
import { listen } from "./press.js";
import { sit, sitAt } from "./me.js";
import * as rounds from "./rounds.js";
import { drawHouses, prefer, remembered, under } from "./rules.js";
import { showEvening } from "./sheet.js";
import { marks, remember, spot, stacks } from "./steps.js";

const net = document.getElementById("round-net");

/* ---------------------------------------------------------------- taps */

// What was tapped, in order: taps, which go to the server together, and jobs, each of which shows
// another state.
let queue = [];
let sending = []; // those of the taps that are on their way
let busy = false;
const MOST = 20; // taps that the server does at once

/** Where the keys stand that begin an entry: at the edge that the rest of it grows from. */
const height = () => root.querySelector(".kinds").getBoundingClientRect().top;

// Taps that begin an entry, or open one again.
const BEGINS = /^(new|edit):/;
const begins = ({ value }) => BEGINS.test(value || "");

/** The panel of an entry that is on its way stands at once: what it covers takes no tap. */
function makeRoom(open) {
  const edge = height();
  document.getElementById("entry").classList.toggle("open", open);
  scrollBy(0, height() - edge);
}
const noRoom = () => makeRoom(Boolean(root.querySelector(".entry-body")));

/** Put the server's answer on the page, the focus where it was. */
function swap(html, done = []) {
  const active = document.activeElement;
  const value = active && active.name === "do" ? active.value : null;
  const act = active && active.dataset ? active.dataset.act : null;
  const open = [...root.querySelectorAll("details[open][id]")].map((each) => each.id);
  const scrolled = root.querySelector(".entry-body")?.scrollTop;
  const edge = height();
  replacing();
  root.innerHTML = html;
  for (const id of open) {
    const details = document.getElementById(id);
    if (details && id !== "round-rules" && !done.includes(id)) details.open = true;
  }
  showsNow();
  // A function: in a text `$&` would stand for what is replaced.
  document.title = document.title.replace(/^.*(?= · )/, () => cols().dataset.title);
  history.replaceState(null, "", `${paths.page}?${query}${location.hash}`);
  for (const link of document.querySelectorAll(".languages a")) link.search = location.search;
  for (const link of document.querySelectorAll("[rel=canonical], [rel=alternate]"))
    link.href = link.href.replace(/(\?.*)?$/, () => `?${cols().dataset.link}`);
  drawHouses();
  sit();
  speak();
  // Neither the page nor the entry scrolls away from under the finger.
  const body = root.querySelector(".entry-body");
  if (body && scrolled) body.scrollTop = scrolled;
  scrollBy(0, height() - edge);
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

/** Whether what is shown is the newest; where not, the taps are sent again until they arrive. */
function reached(yes) {
  net.hidden = yes;
  root.classList.toggle("stale", !yes);
  clearTimeout(reached.timer);
  reached.failed = yes ? 0 : Math.min((reached.failed || 0) + 1, 4);
  if (yes) return;
  noRoom();
  reached.timer = setTimeout(run, 600 * 2 ** reached.failed);
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
    sending = [];
    busy = false;
    root.classList.remove("busy");
  }
  if (net.hidden) run();
}

/** Ask for the taps that come next, at once; those that do not arrive are sent again. */
async function send() {
  // What was typed is done before the tap that it goes with: such a tap is the first of those sent.
  // What comes after 记下 may have been meant for another entry, so that is the last of them.
  const job = queue.findIndex(
    (each, index) =>
      each.state || (index && (each.fields.length || queue[index - 1].value === "save")),
  );
  const taps = queue.splice(0, job < 0 ? MOST : Math.min(job, MOST));
  sending = taps;
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
      noRoom();
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
  if (queue.some(begins)) makeRoom(true);
  const names = namePeople(before);
  if (query !== before || taps.length > 1)
    remember({ ...steps[0], state: before, names }, ...steps.slice(1));
  keep();
  lead(root.querySelectorAll(".event").length - events, taps);
  if (taps.some((tap) => tap.value.startsWith("rules:"))) prefer();
}

/** Take the names just given into the evening; what undoes it. */
function namePeople(before) {
  const [was, now] = [namesIn(before), namesIn(query)];
  if (foreign || was.join() === now.join()) return undefined;
  const evening = readEvening();
  const { named, unsure } = compared(evening, was, now, here.id);
  for (const change of named) rename(evening, change);
  evening.unsure = [...(evening.unsure || []), ...unsure];
  writeEvening(evening);
  return named.length ? named.map(undone) : undefined;
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
    const stays = '[data-held], [data-problem="missing"]';
    const left = leaves && !root.querySelector(stays);
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

// Taps that begin with another event: after 记下 that is the next one.
const ANEW = /^(new|edit|delete|up|down|clear|next)/;

/**
 * Where something cannot be read, taps that were made before that was seen were meant for after
 * it: they go, up to one that brings it anew. What was typed with them goes along with that one;
 * without one it is given back. Where something is still to be said, what goes is the event that
 * was begun after it.
 */
function dropUnseeing() {
  const anew = queue.findIndex(({ value }) => ANEW.test(value || ""));
  if (anew >= 0 && root.querySelector('[data-problem="missing"]'))
    queue = [...queue.slice(0, anew), ...queue.slice(anew).filter(({ state }) => state)];
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
  const fields = typedFields(button.closest(".names, .bests"));
  // The finger sees at once that it was felt; the server says what came of it.
  button.classList.add("touched");
  if (begins(button)) makeRoom(true);
  queue.push({ value: button.value, fields });
  run();
}

const replacing = listen(root, "#entry", tap);

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
  const ready = names.every((name) => root.querySelector(`[name="${name}"]`)?.value.trim());
  save.setAttribute("aria-disabled", String(!ready));
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
    const { rounds: kept } = readEvening();
    downloadJson("evening.json", { format: "suanfan-evening", version: VERSION, rounds: kept });
  },
  rescue() {
    DO.export();
  },
  async table() {
    try {
      download("evening.csv", await asTable(readEvening().rounds), "text/csv;charset=utf-8");
    } catch {
      tell(words.offline);
    }
  },
  adopt() {
    setForeign(false);
    keep();
    showEvening();
  },
  forget(button) {
    if (sure(button, words.sure, words.clear)) go(...rounds.clear());
  },
  restore() {
    step("undo", "redo");
  },
  renamed(button) {
    answerName(button, true);
  },
  replaced(button) {
    answerName(button, false);
  },
};

/** The evening as rows of a spreadsheet: the server writes the totals, then each round's transfers. */
async function asTable(kept) {
  const rows = [`${paths.eveningTable}?${sheetQuery(kept)}`];
  kept.forEach((round, index) => rows.push(`${paths.roundTable}?${round.query}&part=${index + 1}`));
  let written = "\ufeff"; // by which a spreadsheet knows the letters; reading takes it away
  for (const address of rows) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(address);
    written += await answer.text();
  }
  return written;
}

function answerName(button, corrected) {
  rounds.settleName(Number(button.dataset.unsure), corrected);
  document.getElementById("round-names").querySelector("summary").focus({ preventScroll: true });
  if (newer()) run();
  else showEvening();
}

function step(from, to, first = false) {
  go(...rounds.step(from, to, () => step(from, to, true)), first);
}

/** Remove a round; the focus goes to the row that takes its place. */
async function dropRow(id, index) {
  await go(...rounds.remove(id));
  await showEvening();
  const rows = document.querySelectorAll("[data-remove]");
  const next = rows[Math.min(index, rows.length - 1)] || document.querySelector('[data-do="restore"]');
  next.focus({ preventScroll: true });
}

async function takeFile(file) {
  try {
    const { told, job } = await rounds.takeFile(file);
    if (job) await go(...job);
    else await showEvening();
    tell(told);
  } catch (error) {
    if (error instanceof Unreached) tell(words.offline);
    else tell(error instanceof rounds.Unusable ? error.message : words.badFile);
  }
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
    go(...rounds.next()).then((shown) => shown && window.scrollTo(0, 0));
    return;
  }
  if (!button) {
    // A menu that hangs open closes when something else is tapped.
    const rules = document.getElementById("round-rules");
    if (rules && rules.open && !rules.contains(event.target)) rules.open = false;
    return;
  }
  if (button.dataset.act === "undo") step("undo", "redo");
  else if (button.dataset.act === "redo") step("redo", "undo");
  else if (button.dataset.meSeat) sitAt(Number(button.dataset.meSeat));
  else if (button.dataset.do) DO[button.dataset.do](button);
  else if (button.dataset.house) {
    const one = houseRules()[Number(button.dataset.house)];
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
    if (round) go(...rounds.open(round.id)).then((shown) => shown && window.scrollTo(0, 0));
  } else if (button.dataset.remove) {
    const index = Number(button.dataset.remove);
    const round = readEvening().rounds[index];
    if (round && sure(button, words.again, button.dataset.question)) dropRow(round.id, index);
  }
});

addEventListener("online", run);
// Another tab wrote, or may have while this page slept.
document.addEventListener("visibilitychange", run);
addEventListener("storage", (event) => {
  if (event.key !== KEY && event.key !== null) return;
  if (newer()) run();
  else showEvening();
});

// Enter in a field notes down what is typed, as the first button of the form does without scripts.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !FIELDS.test(event.target.name || "")) return;
  event.preventDefault();
  queue.push({ value: "", fields: typedFields(event.target.closest(".names, .bests")) });
  run();
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.do === "import" && event.target.files[0]) {
    takeFile(event.target.files[0]);
    event.target.value = "";
  }
});

/* ---------------------------------------------------------------- the beginning and the end */

/**
 * Show the state that the page begins with. Until it is there nothing is shown, so that nothing can
 * be tapped, and it is asked for again: what the server sent without knowing of it is another round.
 */
async function first(state, after) {
  main.dataset.awaits = "";
  for (let tries = 1; !(await go(state, after)); tries = Math.min(tries + 1, 4))
    await new Promise((done) => {
      addEventListener("online", done, { once: true });
      setTimeout(done, 600 * 2 ** tries);
    });
  delete main.dataset.awaits;
}

const LEFT = "suanfan.round.left";

/** The page may go: taps that have no answer yet, and what is typed, are there when it is back. */
function leave() {
  const fields = fieldsIn(root).filter(unsent).map(({ name, value }) => [name, value]);
  const taps = [...sending, ...queue.filter(({ state }) => !state)];
  if (fields.length) keep();
  store("sessionStorage", LEFT, fields.length || taps.length ? { query, fields, taps } : null);
}

const isField = (field) => Array.isArray(field) && field.length === 2 && FIELDS.test(field[0]);

/** What was left, as far as it can be read. */
function understood(value, lose) {
  if (value === null) return null;
  if (!isObject(value) || !Array.isArray(value.taps)) return lose(value) ?? null;
  const fields = listOf(isField);
  const sound = (tap) => isObject(tap) && typeof tap.value === "string" && Array.isArray(tap.fields);
  return {
    query: value.query,
    fields: fields(value.fields ?? null, lose),
    taps: listOf(sound)(value.taps, lose).map((tap) => ({ ...tap, fields: fields(tap.fields, lose) })),
  };
}

function resume() {
  const left = kept("sessionStorage", LEFT, understood);
  if (!left || left.query !== query) return;
  store("sessionStorage", LEFT, null);
  for (const [name, value] of left.fields) {
    const input = root.querySelector(`[name="${name}"]`);
    if (!input) continue;
    input.value = value;
    const folded = input.closest("details");
    if (folded) folded.open = true;
  }
  queue.push(...left.taps);
  offerSave();
}

addEventListener("pagehide", leave);
addEventListener("pageshow", ({ persisted }) => {
  // The taps that this page had left may have been done by the one that came after it.
  if (persisted && (sending.length || queue.length)) location.reload();
  else run();
});

async function begin() {
  const evening = readEvening();
  const given = new URLSearchParams(location.search);
  const current = find(evening, evening.current);
  // A hand whose winner is still to be chosen, alone in the address.
  const { brought } = cols().dataset;
  const waits = /,[0-3]h(?:[_,]|$)/.test(new URLSearchParams(evening.draft || "").get("a") || "");
  if (document.documentElement.hasAttribute("data-kept") && location.search) {
    // Without a network it is the empty page; the round may have been seen before.
    await first(() => location.search.slice(1), identify);
  } else if (!location.search) {
    // Nothing asked for: where the table left off, else by the rules chosen last.
    const left = evening.draft || (current ? current.query : "");
    const asked = new URLSearchParams(left);
    const kept = evening.rounds.length || asked.get("e") || asked.get("a") ? null : remembered();
    const start = kept ? under(left, kept) : left;
    if (start && start !== query) await first(...rounds.join(start, start));
    else {
      holdFor(evening, start);
      showEvening();
    }
  } else if (brought && (waits || current)) {
    // A hand that comes from the calculator joins the round that is being written.
    const state = waits ? evening.draft : current.query;
    const joined = new URLSearchParams(state);
    const other = ["rules", "opt"].some((name) => joined.get(name) !== given.get(name));
    for (const [name, value] of new URLSearchParams(brought)) joined.set(name, value);
    if (other) joined.set("under", "1");
    await first(...rounds.join(joined.toString(), state));
  } else {
    identify();
    showEvening();
  }
  sit();
  drawHouses();
  marks();
  resume();
  // An entry that was left open stands whole on the screen.
  const below = document.getElementById("entry").getBoundingClientRect().bottom - innerHeight;
  if (root.querySelector(".entry-body") && below > 0) scrollBy(0, below);
  run();
}

begin().finally(() => (main.dataset.ready = "1"));