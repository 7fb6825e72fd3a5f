// The service worker, whether there is a network, the way back to the hand, what the device keeps and
// cannot be read: on every page.
import { downloadJson } from "../site/file.js";
import { aside, dropAside, storeText, text } from "../site/store.js";

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
  // Where the engine is on this device no network is no matter.
  for (const sign of document.querySelectorAll("[data-no-network]"))
    sign.hidden = navigator.onLine || "engine" in document.documentElement.dataset;
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

// ---------------------------------------------------------------- what few pages need

const root = document.documentElement;
const OFFER = "suanfan.engine"; // "missed" when the engine should be told of, then "told"

function answersItself() {
  const engine = () => import("./engine.js");
  // What the network did not answer; the service worker has no other way to the engine.
  navigator.serviceWorker.addEventListener("message", ({ data: { asked }, ports: [port] }) => {
    if (asked) engine().then(({ pass }) => pass(asked, port));
  });
  const missed = () => storeText("localStorage", OFFER, text("localStorage", OFFER) ?? "missed");
  addEventListener("offline", missed);
  addEventListener("appinstalled", missed);
  if ("kept" in root.dataset || matchMedia("(display-mode: standalone)").matches) missed();
  const wanted = document.querySelector("[data-engine-choice]") || text("localStorage", OFFER) === "missed";
  const here = async () => caches.has("engine");
  here()
    .then((found) => (found || wanted) && engine().then(({ look }) => look(found)))
    .catch(() => {}); // storage may be forbidden
}

try {
  if ("serviceWorker" in navigator && "caches" in window) answersItself();
} catch {
  // storage may be forbidden, and so may be the look at it
}
if (document.querySelector("[data-kept-hands]")) import("./kept.js");
