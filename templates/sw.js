// What this browser keeps for the time without a network. Written by calculator/offline/views.py:
// the names below carry the hashes of their files, so a new release is a new service worker.

const RELEASE = "{{ release }}";
const SHELL = {{ shell|safe }};
const LANGUAGES = {{ languages|safe }};
// The last of the files that the engine runs from, where it is built (`templates/engine.js`).
const ENGINE = {{ engine|safe }};
// The pages that make the shell of a language, after its prefix.
const PAGES = ["", "settle/", "offline/"];

const shell = `shell-${RELEASE}`;
const pages = `pages-${RELEASE}`;
const results = `results-${RELEASE}`;
const MOST = { [pages]: 80, [results]: 200 };
// How long a slow network is waited for where something is kept.
const PATIENCE = { [pages]: 5000, [results]: 3000 };

// Who has the engine on the device waits no longer than this for a network that does not answer, and
// not at all while it has just been found wanting.
const LIMIT = 1500;
const WANTING = 10000;

// What is a file or for programs has no page beside it that ends in a slash.
const FILE = /\.\w+$|^\/api\//;
// Parts of pages that are kept, and files that are made of an address.
const PART = /\/(fragment\/\w+|qr\.svg)$/;
const MADE = /\/(round\.json|rules\.json|manifest\.webmanifest)$/;

// A shared table is kept by nobody but the server.
const SHARED = /\/(t\/[^/]+|join)\//;

const home = (path) => LANGUAGES.find((at) => at !== "/" && path.startsWith(at)) || "/";

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      // The language is that of the pages that are open.
      const open = await self.clients.matchAll({ includeUncontrolled: true });
      const homes = new Set(open.map((client) => home(new URL(client.url).pathname)));
      if (!homes.size) homes.add("/");
      const first = [...homes].flatMap((prefix) => PAGES.map((page) => prefix + page));
      if (ENGINE) first.push("/engine.js");
      const got = await Promise.all([...SHELL.map((name) => whole(name)), ...first.map(fresh)]);
      const kept = await caches.open(shell);
      for (const answer of got) await kept.put(answer.url, answer);
      await self.skipWaiting();
    })(),
  );
});

/** A file or a page, or no installation at all: the shell of the release before goes on. */
async function whole(address, options) {
  const answer = await fetch(address, options);
  if (!answer.ok || answer.redirected) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

const ours = (answer) => answer.headers.get("X-Release") === RELEASE;

/**
 * A page or the engine's worker of this release, past the browser's own cache. What a proxy has kept of
 * the release before, or an instance that has yet to be replaced, is refused: the next page that opens
 * tries again.
 */
async function fresh(address) {
  const answer = await whole(address, { cache: "reload" });
  if (!ours(answer)) throw new Error(`${address}: of another release`);
  return answer;
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      // Pages that are open, or that the browser keeps for a minute, are of the release before.
      const before = names.filter((name) => name.startsWith("shell-") && name !== shell).pop();
      for (const name of names)
        if (![shell, pages, results, before, "engine"].includes(name)) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (SHARED.test(pathname)) return;
  const go = request.mode === "navigate";
  if (pathname === "/engine.js") event.respondWith(script(request));
  else if (pathname.startsWith("/static/engine/")) event.respondWith(part(request));
  else if (pathname.startsWith("/static/")) event.respondWith(asset(request));
  else if (go && pathname.endsWith("/")) quickest(event, pages, () => page(event));
  else if (PART.test(pathname))
    quickest(event, results, () => newest(event, results).catch(() => Response.error()));
  else if (go && !FILE.test(pathname)) quickest(event, pages, () => slashed(request));
  else if (MADE.test(pathname)) quickest(event, "", () => fetch(request));
});

// ---------------------------------------------------------------- the engine on the device

/** The worker of this release: its address may carry the release, so that it is a worker of its own. */
async function script(request) {
  return (await caches.match(request, { cacheName: shell, ignoreSearch: true })) ?? fetch(request);
}

/** A file of the engine: the worker itself says what is kept of them. */
async function part(request) {
  return (await caches.match(request, { cacheName: "engine" })) ?? fetch(request);
}

const engine = () => ENGINE && caches.match(ENGINE, { cacheName: "engine" });
let wanting = 0; // when the network was last found wanting

/** From the network or from the engine, whichever comes first; without an engine, as ``otherwise`` does. */
function quickest(event, name, otherwise) {
  event.respondWith(
    (async () => {
      if (!(await engine())) return otherwise();
      const { request } = event;
      let there = false;
      const asked = fetch(request).then((answer) => {
        if (answer.status >= 500) throw new Error(`${answer.status}`);
        there = true;
        wanting = 0;
        return answer;
      });
      const lost = asked.catch(() => {});
      const limit = Date.now() - wanting < WANTING ? 0 : LIMIT;
      const made = Promise.race([lost, new Promise((done) => setTimeout(done, limit))]).then(() => {
        if (there) return asked;
        wanting = Date.now();
        return computed(request).catch((error) => cold(request, error));
      });
      try {
        const answer = await Promise.any([asked, made]);
        if (name && answer.ok && !answer.redirected && ours(answer))
          event.waitUntil(keep(await caches.open(name), name, request.url, answer.clone()));
        return answer;
      } catch {
        return Response.error();
      }
    })(),
  );
}

/** What the engine answers: it is asked through the pages that are open. */
async function computed({ url }) {
  const open = await self.clients.matchAll({ type: "window" });
  return Promise.any(open.map((client) => through(client, url)));
}

function through(client, url) {
  return new Promise((done, fail) => {
    const { port1, port2 } = new MessageChannel();
    // A page that is closing, or whose script has not come, hands nothing on.
    const deaf = setTimeout(fail, 3000);
    port1.onmessage = ({ data: { heard, said, error } }) => {
      if (heard) clearTimeout(deaf);
      else if (said) done(response(said, url));
      else fail(error);
    };
    client.postMessage({ asked: url }, [port2]);
  });
}

function response({ status, headers, body }, url) {
  if (status >= 300 && status < 400)
    return Response.redirect(new URL(new Headers(headers).get("Location"), url), status);
  return new Response(body, { status, headers });
}

/** Nobody is there to ask: what is kept under this address, or a page that starts the engine. */
async function cold(request, error) {
  for (const cacheName of [pages, results, shell]) {
    const kept = await caches.match(request.url, { cacheName });
    if (kept) return kept;
  }
  if (request.mode !== "navigate") throw error;
  return standIn(new URL(request.url).pathname, [], "data-cold");
}

// ---------------------------------------------------------------- what was kept before

/** An address without its closing slash: the site sends it on, and so does this where it is away. */
async function slashed(request) {
  try {
    return await fetch(request);
  } catch {
    const address = new URL(request.url);
    address.pathname += "/";
    return Response.redirect(address);
  }
}

/** Files never change under their name, whichever release they are of. */
async function asset(request) {
  const found = await caches.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(shell)).put(request, answer.clone());
  return answer;
}

/** From the network; what is kept only where that fails, is slow, or answers with a fault. */
async function newest(event, name) {
  const { request } = event;
  const cache = await caches.open(name);
  const kept = await cache.match(request.url);
  const asked = fetch(request).then(async (answer) => {
    if (answer.ok && !answer.redirected && ours(answer))
      event.waitUntil(keep(cache, name, request.url, answer.clone()));
    else if (kept && answer.status >= 500) return kept;
    return answer;
  });
  if (!kept) return asked;
  const patience = new Promise((done) => setTimeout(done, PATIENCE[name], kept));
  return Promise.race([asked.catch(() => kept), patience]);
}

async function keep(cache, name, url, answer) {
  await cache.put(url, answer);
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - MOST[name]))) await cache.delete(old);
}

/** A page: the newest, the same one as kept, the empty one of its kind, or the page of what is kept. */
async function page(event) {
  try {
    return await newest(event, pages);
  } catch {
    const { pathname } = new URL(event.request.url);
    const same = await caches.match(event.request.url, { cacheName: shell });
    return same ?? standIn(pathname, [pathname], "data-kept");
  }
}

/** A kept page in the place of another, marked so: its script reads the address itself. */
async function standIn(pathname, first, mark) {
  const made = await caches.open(shell);
  const homes = [home(pathname), ...LANGUAGES];
  for (const path of [...first, ...homes.map((at) => `${at}offline/`)]) {
    const kept = await made.match(path);
    if (!kept) continue;
    const text = (await kept.text()).replace("<html ", `<html ${mark} `);
    return new Response(text, { headers: kept.headers });
  }
  return Response.error();
}
