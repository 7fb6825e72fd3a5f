// The page of what is kept: hands and pages that open without a network.

list().catch(() => (document.querySelector("[data-kept-nothing]").hidden = false));

async function list() {
  // The page may stand in for any other: its address says nothing.
  const base = document.querySelector(".brand").pathname;
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
