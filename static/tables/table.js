// A shared table: taps go to the server in order and are kept on the device until they arrive; what
// others record comes by itself. What a tap means, and what the ledger is, the server alone knows.

import { copy } from "../site/copy.js";
import { isObject, kept, listOf, store } from "../site/store.js";
import { been, beenAt, device, random } from "./device.js";

const main = document.getElementById("main");
const root = document.getElementById("shared");
const say = document.getElementById("table-say");
const net = document.getElementById("table-net");
const address = main.dataset.table;
const words = JSON.parse(main.dataset.words);
const QUEUE = `suanfan.queue.${main.dataset.queue}`;

const DEVICE = device();
const me = () => been().find((table) => table.address === address) || {};

/** Keep this table among those that the device has been at, the latest first. */
function visited(more = {}) {
  const others = been().filter((table) => table.address !== address);
  const mine = { ...me(), ...more, address, at: Date.now(), names: main.dataset.names };
  beenAt([mine, ...others].slice(0, 20));
}

/* ---------------------------------------------------------------- taps, kept until they arrive */

// A tap has a key of its own: sent twice, it is one entry.
const isTap = (tap) =>
  isObject(tap) && [tap.key, tap.value].every((each) => typeof each === "string") && Array.isArray(tap.fields);
let queue = kept("localStorage", QUEUE, listOf(isTap));
let busy = false;
let failed = 0;

function waiting() {
  store("localStorage", QUEUE, queue);
  net.hidden = !failed;
  net.textContent = queue.length ? words.waiting.replace("%(n)s", queue.length) : words.away;
}

const form = () => root.querySelector("#table");

function tap(button) {
  const typed = [...form().elements].filter((field) => /^[nfbh][0-3]$/.test(field.name));
  const fields = typed
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => [field.name, field.value]);
  // Names go together.
  if (fields.some(([name]) => name[0] === "n"))
    for (const field of typed)
      if (field.name[0] === "n" && field.value === field.defaultValue)
        fields.push([field.name, field.value]);
  button.classList.add("touched");
  queue.push({ key: random(), value: button.value, fields });
  waiting();
  run();
}

/** Send what was tapped, one after another: each upon what the one before has made. */
async function run() {
  if (busy || !queue.length) return;
  busy = true;
  try {
    while (queue.length) {
      const html = await sent(queue[0]);
      queue.shift();
      failed = 0;
      waiting();
      show(html);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // fetch: the network is away
    failed = Math.min(failed + 1, 5);
    waiting();
    setTimeout(run, 500 * 2 ** failed);
  } finally {
    busy = false;
  }
}

/** The table after a tap; a refusal is said, and the tap is gone. */
async function sent(tap) {
  const given = new URLSearchParams(new FormData(form()));
  for (const name of [...given.keys()]) if (/^[nfbh][0-3]$/.test(name)) given.delete(name);
  for (const [name, value] of tap.fields) given.set(name, value);
  given.set("do", tap.value);
  given.set("key", tap.key);
  given.set("device", DEVICE);
  given.set("who", me().who || "");
  const answer = await fetch(address, { method: "POST", body: given, headers: { "HX-Request": "true" } });
  // A server that is being replaced, or is too busy, is asked again as a lost network is.
  if (answer.status >= 500) throw new TypeError(answer.status);
  if (answer.redirected && !answer.url.includes("/t/")) return void location.assign(answer.url);
  if (!answer.ok) {
    tell(answer.status === 404 ? words.gone : words.refused);
    return null;
  }
  return answer.text();
}

/* ---------------------------------------------------------------- what is shown */

function tell(text) {
  say.textContent = text;
  say.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (say.hidden = true), 4000);
}

/** Put an answer on the page: what is open stays open, what is being typed stays, and the focus. */
function show(html) {
  if (!html) return;
  const open = [...root.querySelectorAll("details[open][id]")].map((each) => each.id);
  const typed = [...root.querySelectorAll("input")].filter((each) => each.value !== each.defaultValue);
  const { value, name } = document.activeElement || {};
  root.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const field of typed) {
    const now = root.querySelector(`input[name="${field.name}"]`);
    if (now && field.name && field.type !== "hidden") now.value = field.value;
  }
  const again = [...root.querySelectorAll("button, input")].find(
    (each) => each.name === name && (each.type !== "submit" || each.value === value),
  );
  if (name) again?.focus({ preventScroll: true });
  htmx.process(root);
  shown();
}

/** What goes with a new state: the title, and one line for those who do not see it. */
function shown() {
  const { title } = root.querySelector(".cols").dataset;
  document.title = document.title.replace(/^.*(?= · )/, () => title);
  const met = root.querySelector("[data-problem]");
  document.getElementById("table-live").textContent = (met || { textContent: title }).textContent;
}

/* ---------------------------------------------------------------- news */

const look = () => htmx.trigger(document.getElementById("table-news"), "look");
let timer = 0;
let turn = 0;

/** Ask for news: every two seconds while the page is seen, twice a minute while it is not. */
function watch() {
  clearTimeout(timer);
  timer = setTimeout(watch, document.hidden ? 30_000 : 1800);
  if (!busy) look();
}
document.addEventListener("visibilitychange", watch);
addEventListener("online", () => {
  run();
  watch();
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const given = new FormData(form());
  detail.parameters = {
    rev: given.get("saw"),
    round: given.get("round"),
    ...(given.get("a") ? { a: given.get("a") } : {}),
    ...(given.get("at") ? { at: given.get("at") } : {}),
    device: DEVICE,
    who: me().who || "",
    // That this device is here is written down now and then.
    ...(turn++ % 12 ? {} : { here: "1" }),
  };
});
document.addEventListener("htmx:beforeSwap", (event) => {
  event.detail.shouldSwap = false;
  const { status, responseText } = event.detail.xhr;
  // What was tapped meanwhile is newer than this answer.
  if (status === 200 && !busy && !queue.length) show(responseText);
});

/* ---------------------------------------------------------------- events of the page */

root.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=do]");
  if (button) {
    event.preventDefault();
    if (!button.disabled) tap(button);
  } else if (event.target.closest("[data-act=undo]")) {
    queue.push({ key: random(), value: "undo", fields: [] });
    waiting();
    run();
  } else if (event.target.closest("[data-calculator]")) {
    // The calculator leads back to the page of a round, and that to this table.
    const events = new URLSearchParams(root.querySelector(".cols").dataset.link).get("e") || "";
    store("sessionStorage", "suanfan.table", { address, events });
  } else if (event.target.closest(TAKEN)) {
    taken(event.target.closest(TAKEN));
  } else if (event.target.closest("[data-me]")) {
    visited({ who: event.target.closest("[data-me]").dataset.me });
    root.querySelector("#who-am-i").open = false;
    turn = 0;
    look();
  }
});
const TAKEN = "button[data-copy], button[data-copy-text], button[data-share], button[data-print]";

/** What can be taken along from the round: copied, shared, printed. */
async function taken({ dataset }) {
  if ("print" in dataset) print();
  else if ("share" in dataset)
    navigator.share({ title: document.title, url: dataset.share }).catch(() => {});
  else {
    const text = dataset.copyText ?? root.querySelector(dataset.copy).value;
    tell((await copy(text)) ? words.copied : words.noCopy);
  }
}

root.addEventListener("submit", (event) => event.preventDefault());
root.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  const part = event.target.closest(".names, .typed, .bests");
  part?.querySelector("button[name=do]")?.click();
});

store("sessionStorage", "suanfan.table", null);
visited();
waiting();
run();
watch();
