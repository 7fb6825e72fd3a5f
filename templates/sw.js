// What this browser keeps for the time without a network. Written by calculator/offline/views.py:
// the names below carry the hashes of their files, so a new release is a new service worker.

const RELEASE = "{{ release }}";
const SHELL = {{ shell|safe }};
const LANGUAGES = {{ languages|safe }};
// The pages that make the shell of a language, after its prefix.
const PAGES = ["", "settle/", "offline/"];

const shell = `shell-${RELEASE}`;
const pages = `pages-${RELEASE}`;
const results = `results-${RELEASE}`;
const MOST = { [pages]: 80, [results]: 200 };
// How long a slow network is waited for where something is kept.
const PATIENCE = { [pages]: 5000, [results]: 3000 };

// What is a file or for programs has no page beside it that ends in a slash.
const FILE = /\.\w+$|^\/api\//;

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
 * A page of this release, past the browser's own cache. What a proxy has kept of the release before,
 * or an instance that has yet to be replaced, is refused: the next page that opens tries again.
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
        if (![shell, pages, results, before].includes(name)) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (SHARED.test(pathname)) return;
  if (pathname.startsWith("/static/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && pathname.endsWith("/")) event.respondWith(page(event));
  else if (/\/(fragment\/\w+|qr\.svg)$/.test(pathname))
    event.respondWith(newest(event, results).catch(() => Response.error()));
  else if (request.mode === "navigate" && !FILE.test(pathname)) event.respondWith(slashed(request));
});

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
    const prefix = home(pathname);
    const made = await caches.open(shell);
    const same = await made.match(event.request.url);
    if (same) return same;
    const homes = [prefix, ...LANGUAGES];
    for (const path of [pathname, ...homes.map((at) => `${at}offline/`)]) {
      const kept = await made.match(path);
      if (!kept) continue;
      // The page's script reads the address itself.
      const text = (await kept.text()).replace("<html ", "<html data-kept ");
      return new Response(text, { headers: kept.headers });
    }
    return Response.error();
  }
}
