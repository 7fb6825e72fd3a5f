// The service worker, whether there is a network, the way back to the hand, what the device keeps and
// cannot be read: on every page.
import { downloadJson } from "../site/file.js";
import { aside, dropAside, text } from "../site/store.js";

if ("serviceWorker" in navigator)
  // When the page has all it needs and the first taps are done: nothing waits for what is for later.
  addEventListener("load", () => setTimeout(register, 2000));

async function register() {
  try {
    await navigator.serviceWorker.register("/sw.js");
  } catch {
    // storage may be forbidden; then nothing is kept
  }
}

const mark = () => {
  for (const sign of document.querySelectorAll("[data-no-network]")) sign.hidden = navigator.onLine;
};
// The menu leads back to the hand that this tab had last.
const home = document.querySelector(".brand");
const lead = () => {
  const hand = text("sessionStorage", "hand");
  if (home && hand) home.search = `?${hand}`;
};
if (home) home.addEventListener("click", lead);
addEventListener("pageshow", lead);
lead();

addEventListener("online", mark);
addEventListener("offline", mark);
mark();

// ---------------------------------------------------------------- what could not be read

const unread = document.querySelector("[data-aside]");
const tellUnread = () => (unread.hidden = !aside().length);
unread.querySelector("[data-aside-save]").addEventListener("click", () =>
  downloadJson("unread.json", { format: "suanfan-unread", pieces: aside() }),
);
unread.querySelector("[data-aside-drop]").addEventListener("click", () => {
  dropAside();
  tellUnread();
});
addEventListener("aside", tellUnread);
tellUnread();

// ---------------------------------------------------------------- the page of what is kept

const hands = document.querySelector("[data-kept-hands]");
if (hands && "caches" in window)
  list().catch(() => (document.querySelector("[data-kept-nothing]").hidden = false));

async function list() {
  // The page may stand in for any other: its address says nothing.
  const base = home.pathname;
  const kept = { hands: new Map(), pages: new Map() };
  const seen = new Set();
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of (await cache.keys()).reverse()) {
      const { pathname, search } = new URL(request.url);
      const asked = [...new URLSearchParams(search).keys()];
      const isHand = pathname === `${base}fragment/result` || (pathname === base && asked.includes("hand"));
      if (isHand) {
        if (kept.hands.size >= 20 || kept.hands.has(base + search)) continue;
        const made = await parsed(cache, request);
        const result = made.querySelector("[data-result]");
        const worth = result && /^(win|ready)$/.test(result.dataset.status);
        if (worth) kept.hands.set(base + search, result.dataset.say);
      } else if (name.startsWith("pages-") && pathname.startsWith(base) && pathname !== base) {
        // Of a page with parameters the latest is enough; what was asked for once is none.
        if (seen.has(pathname) || asked.includes("do")) continue;
        seen.add(pathname);
        kept.pages.set(pathname + search, (await parsed(cache, request)).title);
      }
    }
  }
  for (const [kind, links] of Object.entries(kept)) {
    const section = document.querySelector(`[data-kept-${kind}]`);
    section.hidden = !links.size;
    for (const [href, text] of links) {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent: text }));
      section.querySelector("ul").append(item);
    }
  }
  document.querySelector("[data-kept-nothing]").hidden = kept.hands.size + kept.pages.size > 0;
}

async function parsed(cache, request) {
  const text = await (await cache.match(request)).text();
  return new DOMParser().parseFromString(text, "text/html");
}
