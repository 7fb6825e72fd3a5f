// The site's own Python in this browser: engine, pages and words, without a server. Written by
// calculator/offline/views.py; what it fetches is made by `make offline`.
//
// A page asks through a port: {do: "state" | "get" | "stop" | "remove" | "answer", …}. What it hears
// of it comes over the port that it sent along.

const RELEASE = "{{ release }}";
// Runtime, library, site: address, length, bytes over the wire, SHA-256.
const PACKS = {{ packs|safe }};
const KEPT = "engine";
const MEMORY = `${PACKS[0].url}.memory.${RELEASE}`;
const RUNTIME = PACKS[0].url.replace(/pack$/, "d/");
const TYPES = { mjs: "text/javascript", wasm: "application/wasm", json: "application/json" };

// ---------------------------------------------------------------- what is kept on the device

/** A pack's files by name. */
function* opened(bytes) {
  const end = bytes.indexOf(10);
  let at = end + 1;
  for (const [name, length] of JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))))
    yield [name, bytes.subarray(at, (at += length))];
}

/** What stands in the cache for a pack: of the runtime its first file, which is put there last. */
const sign = (pack) => (pack === PACKS[0] ? `${RUNTIME}pyodide.mjs` : pack.url);

async function missing() {
  if (!(await caches.has(KEPT))) return PACKS;
  const cache = await caches.open(KEPT);
  const held = await Promise.all(PACKS.map((pack) => cache.match(sign(pack))));
  return PACKS.filter((_, at) => !held[at]);
}

async function state() {
  const wanted = await missing();
  let taken = 0;
  if (await caches.has(KEPT)) {
    const cache = await caches.open(KEPT);
    for (const request of await cache.keys())
      taken += Number((await cache.match(request)).headers.get("Content-Length"));
  }
  const sum = (list) => list.reduce((all, pack) => all + pack.wire, 0);
  return { kept: !wanted.length, wire: sum(wanted.length ? wanted : PACKS), taken };
}

function put(cache, url, bytes) {
  const type = TYPES[url.split(".").pop()] ?? "application/octet-stream";
  const headers = { "Content-Type": type, "Content-Length": bytes.length };
  return cache.put(url, new Response(bytes, { headers }));
}

async function fetched(pack, signal, heard) {
  const answer = await fetch(pack.url, { signal, cache: "no-store" });
  if (!answer.ok) throw new Error(`${pack.url}: ${answer.status}`);
  const bytes = new Uint8Array(pack.length);
  let at = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.set(value, at);
    at += value.length;
    heard(value.length);
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex !== pack.sha256) throw new Error(`${pack.url}: not what it should be`);
  return bytes;
}

let getting = null; // the AbortController of what is being fetched

async function get(tell) {
  if (getting) throw new Error("being fetched already");
  getting = new AbortController();
  try {
    const wanted = await missing();
    const all = wanted.reduce((sum, pack) => sum + pack.length, 0);
    let got = 0;
    for (const pack of wanted) {
      const bytes = await fetched(pack, getting.signal, (more) => tell({ part: (got += more) / all }));
      const cache = await caches.open(KEPT);
      if (pack === PACKS[0]) {
        for (const [name, part] of [...opened(bytes)].reverse())
          await put(cache, RUNTIME + name, part);
      } else await put(cache, pack.url, bytes);
    }
    await tidy();
    tell({ part: 1 });
    await python();
    return await state();
  } finally {
    getting = null;
  }
}

/** Nothing of another release stays. */
async function tidy() {
  const cache = await caches.open(KEPT);
  const ours = [MEMORY, ...PACKS.map((pack) => pack.url)];
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!ours.includes(pathname) && !pathname.startsWith(RUNTIME)) await cache.delete(request);
  }
}

async function remove() {
  getting?.abort();
  await caches.delete(KEPT);
  started = null;
  return state();
}

// ---------------------------------------------------------------- Python

let started = null;

const python = () =>
  (started ??= start().catch((error) => {
    started = null;
    throw error;
  }));

async function start() {
  const cache = await caches.open(KEPT);
  const read = async (url) => {
    const found = await cache.match(url);
    return found && new Uint8Array(await found.arrayBuffer());
  };
  const [memory, library, site] = await Promise.all([MEMORY, PACKS[1].url, PACKS[2].url].map(read));
  const { loadPyodide } = await import(`${RUNTIME}pyodide.mjs`);
  const load = (options) =>
    loadPyodide({
      indexURL: RUNTIME,
      env: {
        HOME: "/site",
        PYTHONPATH: "/site:/library",
        DJANGO_SETTINGS_MODULE: "calculator.offline.settings",
        HTTPS: location.protocol === "https:" ? "1" : "0",
        ALLOWED_HOSTS: location.hostname,
        RELEASE,
      },
      fsInit: async (files) => {
        unpack(files, "/library", library);
        unpack(files, "/site", site);
      },
      ...options,
    });
  if (memory)
    try {
      const made = await load({ _loadSnapshot: memory, createPyodideModule: roomy(memory.length) });
      made.runPython("import random; random.seed()");
      return calls(made);
    } catch {
      // Of another browser version, or cut off: it is made anew.
      await cache.delete(MEMORY);
    }
  const made = await load({ _makeSnapshot: true });
  const at = JSON.stringify(location.origin);
  made.runPython(`from calculator.offline import engine; engine.warm(${at})`);
  await put(cache, MEMORY, made.makeMemorySnapshot()).catch(() => {}); // the device may be full
  return calls(made);
}

function unpack(files, root, bytes) {
  for (const [name, part] of opened(bytes)) {
    const path = `${root}/${name}`;
    files.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    files.writeFile(path, part, { canOwn: true });
  }
}

/** Pyodide puts a memory back without making room for it, where it has grown since the start. */
const roomy = (length) => async (settings) => {
  const { default: make } = await import(`${RUNTIME}pyodide.asm.mjs`);
  const instantiate = settings.instantiateWasm;
  settings.instantiateWasm = (imports, done) =>
    instantiate(imports, (instance, module) => {
      const { memory } = instance.exports;
      const more = Math.ceil((length - memory.buffer.byteLength) / 65536);
      if (more > 0) memory.grow(more);
      done(instance, module);
    });
  return make(settings);
};

const calls = (made) => made.runPython("from calculator.offline.engine import answer; answer");

async function answer({ method = "GET", url, headers = {}, body = "" }) {
  const call = await python();
  const made = call(method, url, JSON.stringify(headers), body);
  const [status, pairs, bytes] = made.toJs();
  made.destroy();
  return { status, headers: pairs, body: bytes };
}

// ---------------------------------------------------------------- who asks

const DOES = { state, get, remove, answer, stop: () => getting?.abort() };

async function hear({ data, ports: [port] }) {
  const tell = (more) => port.postMessage(more);
  try {
    const said = await DOES[data.do](data.do === "get" ? tell : data);
    tell({ said });
  } catch (error) {
    tell({ error: String(error) });
  }
}

if ("SharedWorkerGlobalScope" in self)
  self.onconnect = ({ ports: [port] }) => (port.onmessage = hear);
else self.onmessage = hear;
