// House rules that a device remembers: named, applied, exported, imported. The sheet itself is the
// server's; this module keeps its open groups over a swap and tells the page what was chosen.

import { copy } from "../site/copy.js";
import { houseRules, keepHouseRules } from "../site/rules.js";

const FORMAT = "suanfan-house-rules";
const box = document.getElementById("house");
const saved = document.querySelector("[data-saved]");
const keep = document.querySelector("[data-keep]");
const inPage = Boolean(document.querySelector("main[data-words]"));
if (box && saved) start();

function start() {
  const words = JSON.parse(saved.dataset.words);
  const list = saved.querySelector("[data-list]");
  const name = keep.querySelector("input:not([type])");
  const say = (line) => (keep.querySelector("[data-saved-say]").textContent = line);

  /** The rules in force: the sheet's, or the address's before the sheet has come. */
  const now = () => {
    const sheet = box.querySelector("[data-house]");
    if (sheet) return { rules: sheet.dataset.rules, opt: sheet.dataset.opt };
    const given = new URLSearchParams(location.search);
    return { rules: given.get("rules") || "chengdu", opt: given.get("opt") || "" };
  };

  const like = ({ rules, opt }) => (one) => one.rules === rules && (one.opt || "") === opt;

  // The table of the link that was opened: it may be kept under the name that it came with.
  const sent = saved.dataset.name ? { ...now(), name: saved.dataset.name } : null;
  if (sent) name.value = sent.name;

  /** The badge bears the name under which the table has kept its rules, or that it came with. */
  function nameBadge() {
    const badge = document.querySelector("#result .badge");
    const one = badge && now().opt && [...houseRules(), ...(sent ? [sent] : [])].find(like(now()));
    if (!one || badge.title) return;
    badge.title = badge.lastChild.textContent;
    badge.lastChild.textContent = one.name;
  }
  document.addEventListener("htmx:afterSwap", nameBadge);

  const make = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const named = (sentence, one) => sentence.replace("%(name)s", () => one.name);
  const query = ({ rules, opt = "" }, more = {}) =>
    new URLSearchParams({ rules, ...(opt ? { opt } : {}), ...more });
  /** Keep the tables with one of them changed: into others, or none. */
  const change = (index, ...into) => {
    const all = houseRules();
    all.splice(index, 1, ...into);
    say(keepHouseRules(all) ? "" : words.full);
    draw();
  };

  /** The name as a field, until it is entered or left. */
  function rename(item, one, index) {
    const field = make("input", { value: one.name, maxLength: 30, autocomplete: "off" });
    field.setAttribute("aria-label", named(words.new_name, one));
    let done = false;
    const end = (called) => {
      if (done) return;
      done = true;
      change(index, { ...one, name: called.trim() || one.name });
      list.children[index].querySelector(".use").focus();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") end(field.value);
      if (event.key === "Escape") {
        event.stopPropagation();
        end(one.name);
      }
    });
    field.addEventListener("blur", () => end(field.value));
    item.replaceChildren(field);
    field.focus();
    field.select();
  }

  function showQr(menu, one) {
    menu.querySelectorAll("img").forEach((old) => old.remove());
    const src = `${saved.dataset.qr}?${query(one, { name: one.name })}`;
    menu.append(make("img", { className: "qr", src, width: 200, height: 200, alt: named(words.qr_of, one) }));
  }

  function menuOf(item, one, index) {
    const button = (textContent, act) =>
      make("button", { type: "button", textContent, onclick: act });
    const link = new URL(`${saved.dataset.home}?${query(one, { name: one.name })}`, location.href).href;
    const menu = make(
      "div",
      { className: "more-menu" },
      button(words.rename, () => rename(item, one, index)),
      button(words.copy, () => change(index, one, { ...one, name: named(words.copied_name, one).slice(0, 30) })),
      button(words.link, async () => say((await copy(link)) ? words.copied : words.no_copy)),
      button(words.qr, () => showQr(menu, one)),
      make("a", {
        textContent: words.file,
        href: `${saved.dataset.file}?${query(one, { name: one.name })}`,
        download: "",
      }),
      make("a", {
        textContent: words.card,
        href: `${saved.dataset.cardPage}?${query(one, { name: one.name })}`,
      }),
      button(words.delete, () => {
        change(index);
        (list.querySelector(".use") || name).focus();
      }),
    );
    const summary = make("summary", { textContent: "⋯" });
    summary.setAttribute("aria-label", named(words.more, one));
    return make("details", { className: "more" }, summary, menu);
  }

  function draw() {
    nameBadge();
    const all = houseRules();
    saved.hidden = !all.length;
    list.replaceChildren(
      ...all.map((one, index) => {
        const use = make("button", {
          type: "button", className: "use", textContent: one.name, onclick: () => apply(one),
        });
        use.setAttribute("aria-pressed", String(like(now())(one)));
        const item = make("li", {}, use);
        item.append(menuOf(item, one, index));
        return item;
      }),
    );
  }

  /** Play by these rules from now on: the page's state changes, then the sheet follows. */
  function apply({ rules, opt = "" }) {
    if (inPage) {
      document.dispatchEvent(new CustomEvent("house", { detail: { rules, opt } }));
      load();
    } else {
      const given = new URLSearchParams(location.search);
      given.set("rules", rules);
      given.set("opt", opt);
      location.search = given;
    }
  }
  function load() {
    if (!window.htmx) return;
    // htmx looks at the page only when all scripts are there; the sheet does not wait for that.
    window.htmx.process(box);
    window.htmx.trigger(box, "load-house");
  }

  keep.querySelector("[data-save]").addEventListener("click", () => {
    const called = name.value.trim();
    if (!called) return name.focus();
    const others = houseRules().filter((one) => one.name !== called);
    say(keepHouseRules([...others, { name: called, ...now() }]) ? words.saved : words.full);
    name.value = "";
    draw();
  });
  name.addEventListener("keydown", (event) => {
    if (event.key === "Enter") keep.querySelector("[data-save]").click();
  });

  /** The options of a file as the `opt` of an address; the server checks them. */
  const flat = (value, path) =>
    value !== null && typeof value === "object"
      ? Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key))
      : [`${path}:${value === null || value === false ? "off" : value === true ? "on" : value}`];

  keep.querySelector("[data-import]").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    try {
      const text = await new Promise((done, failed) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result);
        reader.onerror = failed;
        reader.readAsText(file.slice(0, 65536));
      });
      const read = JSON.parse(text);
      if (read.format !== FORMAT || typeof read.ruleset !== "string") throw new Error("format");
      const one = {
        name: String(read.name || read.ruleset).slice(0, 30),
        rules: read.ruleset,
        opt: flat(read.options || {}, "").join(","),
      };
      say(keepHouseRules([...houseRules().filter((other) => other.name !== one.name), one]) ? "" : words.full);
      apply(one);
      draw();
    } catch {
      say(words.bad);
    }
  });

  // A swap keeps the groups open that were, and the page hears what the table chose.
  let open = null;
  let held = null;
  box.addEventListener("htmx:beforeSwap", () => {
    open = [...box.querySelectorAll("details[open]")].map((group) => group.id);
    held = box.contains(document.activeElement) ? document.activeElement : null;
  });
  box.addEventListener("htmx:afterSwap", () => {
    const sheet = box.querySelector("[data-house]");
    if (!sheet) return;
    tries = 0;
    if (open && open.length)
      for (const id of open) {
        const group = document.getElementById(id);
        if (group) group.open = true;
      }
    // The focus stays; a button that is gone hands it on to what is left.
    const next =
      held &&
      ((held.id && document.getElementById(held.id)) ||
        box.querySelector(".changes button") ||
        box.querySelector("summary"));
    if (next) next.focus({ preventScroll: true });
    if (asked) {
      const { rules, opt } = sheet.dataset;
      document.dispatchEvent(new CustomEvent("house", { detail: { rules, opt } }));
    }
    if (!inPage) {
      history.replaceState(null, "", sheet.dataset.address);
      for (const link of document.querySelectorAll(".languages a")) link.search = location.search;
      for (const link of document.querySelectorAll("[rel=canonical], [rel=alternate]"))
        link.href = link.href.replace(/(\?.*)?$/, location.search);
    }
    asked = false;
    draw();
  });
  let asked = false;
  // What was tapped before the sheet had come is set when it does.
  let early = "";
  box.addEventListener("click", ({ target }) => {
    if (target.name === "set" && !box.querySelector("[data-house]")) early = target.id;
  });
  box.addEventListener("htmx:afterSettle", () => {
    const button = document.getElementById(early);
    early = "";
    if (button) button.click();
  });
  let again;
  box.addEventListener("htmx:beforeRequest", (event) => {
    asked = event.target !== box; // a change of the form, not the first look
    clearTimeout(again);
  });

  // Without a network: said where the eye is, and asked again as it was.
  const net = Object.assign(document.createElement("p"), { className: "house-error" });
  net.setAttribute("role", "alert");
  let tries = 0;
  let lost = null;
  let repeated = null;
  function retry() {
    clearTimeout(again);
    if (!lost || !lost.source.isConnected) return;
    repeated = lost.path;
    window.htmx.trigger(lost.source, lost.source === box ? "load-house" : "submit");
    repeated = null;
  }
  box.addEventListener("htmx:configRequest", ({ detail }) => {
    lost = null;
    // The button that was pressed is in the address of then, not in the form of now.
    if (repeated) Object.assign(detail, { path: repeated, parameters: {} });
  });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
    box.addEventListener(failure, ({ target, detail }) => {
      lost = { source: target, path: detail.pathInfo.finalRequestPath };
      net.textContent = target === box ? words.not_fetched : words.not_counted;
      const cause = detail.requestConfig.triggeringEvent;
      const near = cause && (cause.submitter || cause.target).closest(".rule, .changes > li");
      if (near) near.append(net);
      else if (!net.isConnected) box.prepend(net);
      net.scrollIntoView({ block: "nearest" });
      tries = Math.min(tries + 1, 5);
      again = setTimeout(retry, 600 * 2 ** tries);
    });
  window.addEventListener("online", retry);
  box.addEventListener("click", (event) => {
    const link = event.target.closest("[data-export]");
    if (link && name.value.trim()) {
      const address = new URL(link.href);
      address.searchParams.set("name", name.value.trim());
      link.href = address;
    }
  });
  document.addEventListener("sheet-open", load);
  if (document.querySelector("#rules.open")) load(); // opened before this module had come
  draw();
}
