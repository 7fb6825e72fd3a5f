// The page of a round: taps without reloading, undo and redo, and the evening on this device.
// What a tap does is decided by the server; this only asks for it and keeps what came back.

const main = document.getElementById("main");
const root = document.getElementById("round");
const say = document.getElementById("round-say");
const net = document.getElementById("round-net");
const words = main.dataset;
const KEY = "suanfan.evening";

const cols = () => root.querySelector(".cols");
let query = cols().dataset.query;
// A round that came by a link and is not of this evening: only looked at until it is changed.
let foreign = "";

/* ---------------------------------------------------------------- the evening, kept here */

function readEvening() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (kept && Array.isArray(kept.rounds)) return kept;
  } catch {
    // Nothing kept, or something that is not ours.
  }
  return { version: 1, rounds: [], current: null };
}

function writeEvening(evening) {
  try {
    localStorage.setItem(KEY, JSON.stringify(evening));
  } catch {
    // A browser that keeps nothing: the address still has the round.
  }
}

const fresh = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
const find = (evening, id) => evening.rounds.find((round) => round.id === id);

/** Keep the round on the page as the current one of the evening. */
function keep() {
  const { link, totals, began, over } = cols().dataset;
  if (link === foreign) return;
  const evening = readEvening();
  let round = find(evening, evening.current);
  if (!round && began !== "1") {
    evening.draft = query;
    writeEvening(evening);
    return;
  }
  if (!round) {
    round = { id: fresh() };
    evening.rounds.push(round);
    evening.current = round.id;
  }
  Object.assign(round, { query: link, totals, over: over === "1" });
  evening.draft = query;
  if (began !== "1") {
    // A round with nothing in it is none.
    evening.rounds = evening.rounds.filter((other) => other !== round);
    evening.current = null;
  }
  writeEvening(evening);
}

let shownEvening = "";

async function showEvening() {
  const evening = readEvening();
  const section = document.getElementById("evening");
  const sheet = document.getElementById("evening-sheet");
  const rows = evening.rounds.map((round) => round.totals).join("_");
  const names = new URLSearchParams(query).get("n") || "";
  section.hidden = false;
  for (const name of ["export", "forget"]) {
    section.querySelector(`[data-do="${name}"]`).hidden = !evening.rounds.length;
  }
  const asked = new URLSearchParams({ ...(names ? { n: names } : {}), r: rows }).toString();
  document.getElementById("evening-link").search = asked;
  if (asked === shownEvening) return markHere(evening, sheet);
  try {
    const answer = await fetch(`${words.evening}?${asked}`);
    if (!answer.ok) return;
    sheet.innerHTML = await answer.text();
    shownEvening = asked;
    markHere(evening, sheet);
  } catch {
    // Offline: the sheet comes with the next tap that goes through.
  }
}

function markHere(evening, sheet) {
  evening.rounds.forEach((round, index) => {
    const row = sheet.querySelector(`[data-round="${index}"]`);
    if (row) row.classList.toggle("here", round.id === evening.current);
  });
}

/* ---------------------------------------------------------------- taps */

let queue = [];
let busy = false;

function tell(text) {
  say.textContent = text;
  say.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (say.hidden = true), 4000);
}

/** Put the server's answer on the page, the focus where it was. */
function swap(html) {
  const active = document.activeElement;
  const value = active && active.name === "do" ? active.value : null;
  const act = active && active.dataset ? active.dataset.act : null;
  const open = [...root.querySelectorAll("details[open][id]")].map((each) => each.id);
  root.innerHTML = html;
  for (const id of open) {
    const details = document.getElementById(id);
    if (details && id !== "round-rules") details.open = true;
  }
  query = cols().dataset.query;
  document.title = document.title.replace(/^.*(?= · )/, cols().dataset.title);
  history.replaceState(null, "", `${words.page}?${query}${location.hash}`);
  for (const link of document.querySelectorAll(".languages a")) link.search = location.search;
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

async function load(asked) {
  const answer = await fetch(`${words.fragment}?${asked}`);
  if (!answer.ok) throw new Refused(String(answer.status));
  return answer.text();
}

/** Whether what is shown is the newest; where not, the taps are sent again until they arrive. */
function reached(yes) {
  net.hidden = yes;
  root.classList.toggle("stale", !yes);
  clearTimeout(reached.timer);
  reached.failed = yes ? 0 : Math.min((reached.failed || 0) + 1, 4);
  if (!yes) reached.timer = setTimeout(run, 600 * 2 ** reached.failed);
}

/** Ask for the queued taps at once, in order, upon the newest state. */
async function run() {
  if (busy || !queue.length) return;
  busy = true;
  root.classList.add("busy");
  const taps = queue;
  queue = [];
  const before = query;
  const asked = new URLSearchParams(query);
  for (const tap of taps) {
    asked.append("do", tap.value);
    for (const [name, value] of tap.fields) asked.set(name, value);
  }
  try {
    swap(await load(asked.toString()));
    reached(true);
    if (query !== before) remember(before);
    keep();
    showEvening();
  } catch (error) {
    if (error instanceof Refused) tell(words.refused);
    else queue = [...taps, ...queue];
    reached(error instanceof Refused);
  }
  busy = false;
  root.classList.remove("busy");
  if (net.hidden) run();
}

const FIELDS = /^[nfbh][0-3]$/;

function tap(button) {
  const fields = [];
  const group = button.closest(".names, .typed, .bests");
  if (group) {
    for (const input of group.querySelectorAll("input")) {
      if (FIELDS.test(input.name)) fields.push([input.name, input.value]);
    }
  }
  // The finger sees at once that it was felt; the server says what came of it.
  button.classList.add("touched");
  queue.push({ value: button.value, fields });
  run();
}

/** Show another state of the page, without a tap. */
async function go(to) {
  try {
    swap(await load(to));
    keep();
    showEvening();
  } catch {
    tell(words.offline);
  }
}

/* ---------------------------------------------------------------- undo and redo */

const stack = (name) => JSON.parse(sessionStorage.getItem(`suanfan.round.${name}`) || "[]");
const store = (name, list) =>
  sessionStorage.setItem(`suanfan.round.${name}`, JSON.stringify(list.slice(-200)));

function remember(state) {
  store("undo", [...stack("undo"), state]);
  store("redo", []);
  marks();
}

function marks() {
  for (const name of ["undo", "redo"]) {
    const button = root.querySelector(`[data-act="${name}"]`);
    if (button) button.setAttribute("aria-disabled", String(!stack(name).length));
  }
}

function step(from, to) {
  const list = stack(from);
  if (!list.length) return;
  const state = list.pop();
  store(from, list);
  store(to, [...stack(to), query]);
  go(state);
}

function forgetSteps() {
  store("undo", []);
  store("redo", []);
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

/** The totals of a round's address, as the server reckons them. */
async function totalsOf(address) {
  const made = document.createElement("template");
  made.innerHTML = await load(new URLSearchParams(address).toString());
  const data = made.content.querySelector(".cols").dataset;
  return { id: fresh(), query: data.link, totals: data.totals, over: data.over === "1" };
}

async function takeFile(file) {
  try {
    const data = JSON.parse(await file.text());
    const addresses =
      data.format === "suanfan-evening"
        ? data.rounds.map((round) => String(round.query))
        : data.format === "suanfan-round"
          ? [String(data.address)]
          : null;
    if (!addresses || addresses.length > 200) throw new Error("format");
    const rounds = [];
    for (const address of addresses) rounds.push(await totalsOf(address));
    const evening = readEvening();
    const have = new Set(evening.rounds.map((round) => round.query));
    const added = rounds.filter((round) => data.format === "suanfan-round" || !have.has(round.query));
    evening.rounds.push(...added);
    if (data.format === "suanfan-round" && added.length) evening.current = added[0].id;
    writeEvening(evening);
    if (data.format === "suanfan-round") await go(rounds[0].query);
    else await showEvening();
    tell(words.imported);
  } catch {
    tell(words.badFile);
  }
}

/* ---------------------------------------------------------------- events of the page */

const DO = {
  export() {
    const { rounds } = readEvening();
    download("evening.json", { format: "suanfan-evening", version: 1, rounds });
  },
  forget(button) {
    if (button.dataset.sure !== "1") {
      button.dataset.sure = "1";
      button.dataset.label = button.textContent;
      button.textContent = words.sure;
      tell(words.clear);
      setTimeout(() => {
        button.dataset.sure = "";
        button.textContent = button.dataset.label;
      }, 5000);
      return;
    }
    writeEvening({ version: 1, rounds: [], current: null });
    forgetSteps();
    keep();
    showEvening();
  },
};

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
  if (calculator) {
    // The entry waits for the hand, also when the way back gets lost.
    const evening = readEvening();
    evening.draft = new URL(calculator.href).searchParams.get("back");
    writeEvening(evening);
    return;
  }
  if (next) {
    event.preventDefault();
    const evening = readEvening();
    evening.current = null;
    writeEvening(evening);
    forgetSteps();
    go(next.getAttribute("href").split("?")[1] || "").then(() => window.scrollTo(0, 0));
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
  else if (button.dataset.open) {
    const evening = readEvening();
    const round = evening.rounds[Number(button.dataset.open)];
    if (!round) return;
    evening.current = round.id;
    writeEvening(evening);
    forgetSteps();
    go(round.query).then(() => window.scrollTo(0, 0));
  }
});

addEventListener("online", run);

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
    await go(location.search.slice(1));
  } else if (!location.search && (evening.draft || current)) {
    // Nothing asked for: where the table left off.
    await go(evening.draft || current.query);
  } else if (hand && (waits || current)) {
    // A hand that comes from the calculator joins the round that is being written.
    const joined = new URLSearchParams(waits ? evening.draft : current.query);
    const [, by, kong, last, tiles, suit, bless] = hand;
    const came = {
      by: { d: "discard", s: "self_draw", r: "rob_kong" }[by],
      hand: tiles,
      after: { e: "exposed_kong", a: "added_kong", c: "concealed_kong" }[kong],
      pao: kong === "" && "1",
      last: last && "1",
      void: suit,
      bless: { t: "tian_hu", d: "di_hu" }[bless],
    };
    for (const [name, value] of Object.entries(came)) if (value) joined.set(name, value);
    await go(joined.toString());
  } else {
    const known = evening.rounds.find((round) => round.query === cols().dataset.link);
    const draft = evening.draft && new URLSearchParams(evening.draft);
    const same = draft && (draft.get("e") || "") === (given.get("e") || "");
    if (known) evening.current = known.id;
    else if (!same && cols().dataset.began === "1") {
      evening.current = null;
      foreign = cols().dataset.link;
    }
    writeEvening(evening);
    // The same round under other rules comes back from the house-rule sheet.
    if (same && query !== evening.draft) keep();
    showEvening();
  }
  marks();
}

begin().finally(() => (main.dataset.ready = "1"));
