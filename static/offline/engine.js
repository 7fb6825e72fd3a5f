// The site's own Python on this device: where pages reach it, and the choice of having it.
// Imported where one of both is wanted (offline.js); the worker is templates/engine.js.

import { storeText, text } from "../site/store.js";

const root = document.documentElement;
const OFFER = "suanfan.engine"; // as in offline.js
const ADDRESS = "/engine.js";
let worker = null;

/** Where the worker is asked. Another release of the site is another worker, hence the address. */
function reached() {
  worker ??= (async () => {
    const script = await fetch(ADDRESS);
    await script.text(); // an answer that is not read keeps its connection
    if (!script.ok) throw new Error(`${script.status}`);
    const address = `${ADDRESS}?${script.headers.get("X-Release")}`;
    const type = { type: "module" };
    if (!("SharedWorker" in window)) return new Worker(address, type);
    // So that it outlives the way from one page to the next, where a browser can do that.
    return new SharedWorker(address, { ...type, extendedLifetime: true }).port;
  })();
  worker.catch(() => (worker = null));
  return worker;
}

/** Hand a request on to the worker, which answers over the port itself. */
export async function pass(url, port) {
  port.postMessage({ heard: true });
  try {
    (await reached()).postMessage({ do: "answer", url }, [port]);
  } catch (error) {
    port.postMessage({ error: String(error) });
  }
}

/** Ask the worker; what it tells on the way goes to ``heard``. */
export async function ask(message, heard) {
  const to = await reached();
  return new Promise((done, fail) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if ("part" in data) return heard?.(data.part);
      port1.close();
      return "error" in data ? fail(new Error(data.error)) : done(data.said);
    };
    to.postMessage(message, [port2]);
  });
}

const saving = () => Boolean(navigator.connection?.saveData);

/** A release may have brought files that the device has not got yet. */
async function renew() {
  if (navigator.onLine && !saving() && !(await ask({ do: "state" })).kept) await ask({ do: "get" });
}

/** Another release has taken over: it has a worker of its own, and files that have yet to come. */
async function follow() {
  worker = null;
  if (await caches.has("engine")) await renew();
}

const RESUMED = "resumed"; // the address that was answered for, until its page is there

/** Let this device answer for the address of the page, and open it again. */
async function resume() {
  if (text("sessionStorage", RESUMED) === location.href) throw new Error("it did not help");
  await ask({ do: "answer", url: location.href });
  storeText("sessionStorage", RESUMED, location.href);
  location.reload();
}

/** What this page has to do with the engine; ``here`` says whether it is on the device. */
export async function look(here) {
  if (here) root.dataset.engine = "";
  // What fails here is tried again by the next page.
  navigator.serviceWorker.addEventListener("controllerchange", () => follow().catch(() => {}));
  for (const sign of document.querySelectorAll("[data-no-network]")) sign.hidden ||= here;
  if ("cold" in root.dataset) return cold();
  storeText("sessionStorage", RESUMED, "");
  const box = document.querySelector("[data-engine-choice]");
  if (box) return choice(box);
  return here ? renew() : offer();
}

/** This page stands for one that the engine has yet to make. */
async function cold() {
  const [wait, rest] = ["[data-starting]", "[data-missed]"].map((at) => document.querySelector(at));
  wait.hidden = !(rest.hidden = true);
  try {
    await resume();
  } catch {
    storeText("sessionStorage", RESUMED, "");
    rest.hidden = !(wait.hidden = true);
  }
}

/** Tell of the engine once: on a device that has installed the site, or has missed the network. */
async function offer() {
  if (text("localStorage", OFFER) !== "missed" || !navigator.onLine) return;
  if (saving() || (await ask({ do: "state" })).kept) return;
  const page = await (await fetch(`${document.querySelector(".brand").pathname}offline/`)).text();
  const told = new DOMParser().parseFromString(page, "text/html").querySelector("[data-engine-offer]");
  document.querySelector("main").prepend(told.content);
  storeText("localStorage", OFFER, "told");
}

// ---------------------------------------------------------------- the choice, on the page of what is kept

async function choice(box) {
  const words = JSON.parse(box.dataset.words);
  const [said, bar] = [box.querySelector("[role=status]"), box.querySelector("progress")];
  const button = (name) => box.querySelector(`[data-engine-${name}]`);
  const megabytes = (bytes) => Math.max(1, Math.round(bytes / 1e6));
  const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

  const show = ({ kept, wire, taken }) => {
    bar.hidden = button("stop").hidden = true;
    button("get").hidden = kept || saving();
    button("get").textContent = fill(words.get, { size: megabytes(wire) });
    button("remove").hidden = !taken;
    said.textContent = kept
      ? fill(words.kept, { size: megabytes(taken) })
      : saving() ? words.saving : "";
    box.hidden = false;
  };

  button("get").addEventListener("click", async () => {
    button("get").hidden = true;
    bar.hidden = button("stop").hidden = false;
    bar.value = 0;
    said.textContent = words.getting;
    let failed = "";
    // Firefox asks its owner, who may let that wait; nothing else does.
    navigator.storage?.persist?.().catch(() => {});
    try {
      await ask({ do: "get" }, (part) => {
        bar.value = part;
        if (part === 1) said.textContent = words.starting;
      });
    } catch (error) {
      failed = /AbortError/.test(error.message) ? words.stopped : words.failed;
    }
    show(await ask({ do: "state" }));
    if (failed) said.textContent = failed;
  });
  button("stop").addEventListener("click", () => ask({ do: "stop" }));
  button("remove").addEventListener("click", async () => show(await ask({ do: "remove" })));
  show(await ask({ do: "state" }));
}
