// The calculator page. One state, held here and written into the address; the server draws the
// result. The first half is the same reducer as calculator/hand/state.py (tests/data/taps.json drives
// both); the second half draws the state and listens.

import { copy } from "../site/copy.js";
import { keepLastRules, lastRules } from "../site/rules.js";
import { isObject, kept, listOf, store, storeText } from "../site/store.js";

const SUITS = "mps";
const RULES = "chengdu";
const KONGS = ["exposed_kong", "added_kong", "concealed_kong"];
const MELDS = ["pung", ...KONGS];
const WAYS = ["discard", "self_draw", "rob_kong"];
const BLESSINGS = ["tian_hu", "di_hu"];
const ASK = "after_kong";
const SEEN = "seen";
const DRAGON = "7z";
export const TILES = [
  ...[...SUITS].flatMap((s) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => n + s)),
  DRAGON,
];

const rank = (tile) => TILES.indexOf(tile);
const byRank = (a, b) => rank(a) - rank(b);
const count = (list, tile) => list.filter((t) => t === tile).length;
const size = (meld) => (meld.kind === "pung" ? 3 : 4);
const last = (list) => list[list.length - 1];
const without = (list, tile, number = 1) => {
  const rest = list.slice();
  for (let i = 0; i < number; i++) rest.splice(rest.indexOf(tile), 1);
  return rest;
};

// ---------------------------------------------------------------- notation and address

/** Write tiles in the order given, ranks gathered while the suit stays. */
const writeTiles = (tiles) =>
  tiles.map((t, i) => (tiles[i + 1] && tiles[i + 1][1] === t[1] ? t[0] : t)).join("");

/** Read canonical tiles, in the order written. */
const readTiles = (text) =>
  (text.match(/[1-9]+[mpsz]/g) || []).flatMap((run) =>
    [...run.slice(0, -1)].map((n) => n + run.slice(-1)),
  );

const writeMeld = ({ kind, tile, jokers, joker = "1s" }) => {
  const n = tile[0].repeat(size({ kind }) - jokers);
  const inner =
    (kind === "added_kong" ? n.slice(1) + "-" + n[0] : n) +
    tile[1] +
    (jokers ? joker[0].repeat(jokers) + joker[1] : "");
  return kind === "concealed_kong" ? `(${inner})` : `[${inner}]`;
};

const readMeld = (text) => {
  const tiles = readTiles(text.replace("-", ""));
  const jokers = tiles.length - count(tiles, tiles[0]);
  let kind = tiles.length === 3 ? "pung" : "exposed_kong";
  if (text[0] === "(") kind = "concealed_kong";
  else if (text.includes("-")) kind = "added_kong";
  return { kind, tile: tiles[0], jokers, joker: last(tiles) };
};

export const full = (t) => 3 * t.play.sets + 2 - 3 * t.melds.length;
const isFull = (t) => t.tiles.length > 0 && t.tiles.length === full(t);
/** The winning tile, or nothing: the last one entered of a full hand. */
const winner = (t) => (isFull(t) || t.named ? t.tiles[t.tiles.length - 1] : "");

/** Melds stand on the page as they were laid, in the address in order. */
const sorted = (melds) =>
  melds
    .slice()
    .sort(
      (a, b) =>
        byRank(a.tile, b.tile) ||
        MELDS.indexOf(a.kind) - MELDS.indexOf(b.kind) ||
        a.jokers - b.jokers,
    );

export const writeHand = (t) => {
  const win = winner(t);
  const rest = (win ? t.tiles.slice(0, -1) : t.tiles.slice()).sort(byRank);
  const shown = win && !t.named ? [...rest, win] : rest;
  return writeTiles(shown) + sorted(t.melds).map(writeMeld).join("") + (win && t.named ? "!" + win : "");
};

const PARAMETERS = ["rules", "hand", "by", "after", "pao", "last", "jue", "bless", "void", "seen", "opt"];

export const parameters = (t) => {
  const every = {
    rules: t.rules,
    hand: t.raw || writeHand(t),
    by: t.by === "discard" ? "" : t.by,
    after: t.after,
    pao: t.pao ? "1" : "",
    last: t.last ? "1" : "",
    jue: t.jue ? "1" : "",
    bless: t.bless,
    void: t.void,
    seen: writeTiles(t.seen),
    opt: t.opt,
  };
  return PARAMETERS.filter((name) => every[name]).map((name) => [name, every[name]]);
};

const escaped = (value) =>
  encodeURIComponent(value)
    .replace(/[()'*~]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase())
    .replace(/%7E/g, "~")
    .replace(/%3A/g, ":")
    .replace(/%2C/g, ",");

export const write = (t) =>
  parameters(t)
    .map(([name, value]) => `${name}=${escaped(value)}`)
    .join("&");

/** Whether something kept is a state that can be written. */
const isState = (value) => {
  try {
    return isObject(value) && Array.isArray(value.tiles) && Boolean(write(value));
  } catch {
    return false;
  }
};

/** What of the rules decides what a tap may do; `systems` holds what is unusual in each. */
const playOf = (rules, opt, systems) => {
  const own = Object.fromEntries(opt.split(",").map((part) => part.split(":")));
  const set = (path) => own[path] || (systems[rules] || {})[path];
  const joker = set("joker");
  return {
    joker: { "1s": "1s", zhong: DRAGON }[joker] || "",
    suits: Number(set("suits") || 3),
    sets: Number(set("sets") || 4),
    jue: (set("fans.jue_zhang") || "off") !== "off",
    diHu: { first_discard: ["discard"], both: ["self_draw", "discard"] }[set("di_hu_by")],
    robbed: set("kong_discard_robbed") === "on",
  };
};

/** The state of a canonical query. */
export const read = (query, systems = {}, readable = true) => {
  const given = new URLSearchParams(query);
  const get = (name) => given.get(name) || "";
  const [, plain = "", laid = "", , win = ""] =
    (readable && get("hand").match(/^([1-9mpsz]*)((?:[[(][^\])]*[\])])*)(!([1-9][mpsz]))?$/)) || [];
  const t = {
    rules: get("rules") || RULES,
    tiles: readTiles(plain),
    named: Boolean(win),
    melds: (laid.match(/[[(][^\])]*[\])]/g) || []).map(readMeld),
    by: get("by") || "discard",
    after: get("after"),
    pao: get("pao") === "1",
    last: get("last") === "1",
    jue: get("jue") === "1",
    bless: get("bless"),
    void: get("void"),
    seen: readTiles(get("seen")),
    opt: get("opt"),
    arm: "",
    draft: "",
    raw: readable ? "" : get("hand"),
  };
  t.play = playOf(t.rules, t.opt, systems);
  if (win) t.tiles.push(win);
  return t;
};

// ---------------------------------------------------------------- the reducer

export const left = (t, tile) => {
  let used = count(t.tiles, tile) + count(t.seen, tile);
  for (const meld of t.melds) {
    if (meld.tile === tile) used += size(meld) - meld.jokers;
    if (tile === t.play.joker) used += meld.jokers;
  }
  return Math.max(0, 4 - used);
};
/** The suits that may still appear: once a table of two suits shows two, only those. */
const suitsOpen = (t) => {
  const natural = [...t.tiles, ...t.seen].filter((tile) => tile !== t.play.joker);
  const shown = new Set([...natural, ...t.melds.map((m) => m.tile)].map((tile) => tile[1]));
  const open = [...SUITS].filter((s) => shown.has(s));
  return t.play.suits === 3 || open.length < t.play.suits ? SUITS : open.join("");
};
/** Why this table cannot show a tile at all. */
const foreign = (t, tile) => {
  if (tile === t.play.joker) return null;
  if (tile === DRAGON) return { code: "no_such_tile", tile };
  return suitsOpen(t).includes(tile[1]) ? null : { code: "suits_full", n: t.play.suits };
};
const kongKinds = (t) => KONGS.filter((kind) => t.melds.some((m) => m.kind === kind));

const step = (table, code, args) => ({ table, note: code ? { code, ...args } : null });
const refuse = (table, code, args) => ({ table, note: { code, ...args }, refused: true });
/** A winning tile stays named only while it is still the last of a full hand. */
const settled = (t, before) => ({
  ...t,
  named: before.named && isFull(t) && isFull(before) && last(t.tiles) === last(before.tiles),
});

function lay(t, kind, tile, index = -1) {
  const melds = t.melds.slice();
  const there = melds.findIndex((m) => m.tile === tile);
  if (tile === t.play.joker) return refuse(t, "joker_meld", { joker: tile });
  const strange = foreign(t, tile);
  if (strange) return { table: t, note: strange, refused: true };
  if (index < 0 && there >= 0) {
    if (kind === "added_kong" && melds[there].kind === "pung") index = there;
    else return refuse(t, melds[there].kind === "pung" ? "pung_there" : "kong_there", { tile });
  }
  if (index < 0 && melds.length >= t.play.sets) return refuse(t, "melds_full", { n: melds.length });
  const made = index < 0 ? { kind, tile, jokers: 0 } : { ...melds[index], kind };
  if (made.jokers >= size(made)) return refuse(t, "one_natural");
  const need = size(made) - (index < 0 ? 0 : size(melds[index]));
  const held = count(t.tiles, tile);
  const unseen = left(t, tile);
  let take = Math.max(0, need - unseen);
  if (take > held) return refuse(t, "too_few", { tile, n: unseen + held });
  if (index < 0) melds.push(made);
  else melds[index] = made;
  const over = () => t.tiles.length - take - full({ ...t, melds });
  take += Math.max(0, Math.min(over(), held - take, need - take));
  if (over() > 0 && melds.length > t.melds.length) return refuse(t, "no_room", { n: over() });
  const laid = { ...t, melds, tiles: without(t.tiles, tile, take), arm: "" };
  return step(settled(laid, t), take && "taken", { tile, n: take });
}

function key(t, tile) {
  if (MELDS.includes(t.arm)) return lay(t, t.arm, tile);
  const strange = foreign(t, tile);
  if (strange) return { table: t, note: strange, refused: true };
  if (!left(t, tile)) return refuse(t, "none_left", { tile });
  if (t.arm === SEEN) return step({ ...t, seen: [...t.seen, tile].sort(byRank) });
  if (t.tiles.length >= full(t)) return refuse(t, "hand_full");
  return step({ ...t, tiles: [...t.tiles, tile], named: false, arm: "" });
}

function out(t, tile) {
  const at = t.tiles.lastIndexOf(tile);
  if (at < 0) return refuse(t, "nothing");
  return step({ ...t, tiles: t.tiles.filter((_, i) => i !== at), named: false, arm: "" });
}

function tap(t, tile) {
  if (MELDS.includes(t.arm)) return lay(t, t.arm, tile);
  if (isFull(t) && t.tiles.includes(tile))
    return step({ ...t, tiles: [...without(t.tiles, tile), tile], named: true, arm: "" });
  return out(t, tile);
}

function pop(t) {
  if (!t.tiles.length) return refuse(t, "nothing");
  return step({ ...t, tiles: t.tiles.slice(0, -1), named: false, arm: "" });
}

function back(t) {
  if (t.arm) return step({ ...t, arm: "" });
  if (t.tiles.length || !t.melds.length) return pop(t);
  return step(settled({ ...t, melds: t.melds.slice(0, -1) }, t));
}

function arm(t, what) {
  if (![...MELDS, SEEN].includes(what)) return refuse(t, "unknown_action");
  if (t.arm === what) return step({ ...t, arm: "" });
  const reason = whyNot(t, `arm:${what}`);
  if (reason) return { table: t, note: reason, refused: true };
  const armed = { ...t, arm: what };
  return what === SEEN ? step(armed, "pick_seen") : step(armed, "pick_tile", { verb: what });
}

function meldMenu(t, index, what) {
  const meld = t.melds[index];
  if (!meld) return refuse(t, "unknown_action");
  if (what === "remove")
    return step(settled({ ...t, melds: t.melds.filter((_, i) => i !== index), arm: "" }, t));
  if (MELDS.includes(what))
    return what === meld.kind ? step({ ...t, arm: "" }) : lay(t, what, meld.tile, index);
  const { joker } = t.play;
  if (/^jokers:[0-3]$/.test(what) && joker) {
    const jokers = Number(what.slice(7));
    if (jokers >= size(meld)) return refuse(t, "one_natural");
    const needed = jokers > meld.jokers ? joker : meld.tile;
    const take = Math.max(0, Math.abs(jokers - meld.jokers) - left(t, needed));
    if (take > count(t.tiles, needed))
      return refuse(t, "too_few", { tile: needed, n: left(t, needed) });
    const melds = t.melds.map((m, i) => (i === index ? { ...m, jokers, joker } : m));
    const laid = { ...t, melds, tiles: without(t.tiles, needed, take), arm: "" };
    return step(settled(laid, t), take && "taken", { tile: needed, n: take });
  }
  return refuse(t, "unknown_action");
}

/** The ways of winning that a circumstance goes with, the usual one first. */
const waysOf = ({ play }, name) =>
  ({
    [ASK]: ["self_draw"],
    kong_discard: play.robbed ? ["discard", "rob_kong"] : ["discard"],
    tian_hu: ["self_draw"],
    di_hu: play.diHu || ["self_draw"],
    last_tile: ["discard", "self_draw"],
  })[name] || WAYS;
const EXCLUDES = {
  [ASK]: ["kong_discard", ...BLESSINGS],
  kong_discard: [ASK, ...BLESSINGS],
  tian_hu: [ASK, "kong_discard", "di_hu", "last_tile"],
  di_hu: [ASK, "kong_discard", "tian_hu", "last_tile"],
  last_tile: BLESSINGS,
};
export const chosen = (t) => [
  ...(t.after ? [ASK] : []),
  ...(t.pao ? ["kong_discard"] : []),
  ...(t.last ? ["last_tile"] : []),
  ...(t.jue ? ["last_copy"] : []),
  ...(t.bless ? [t.bless] : []),
];
const turn = (t, name, value) => {
  if (name === ASK) return { ...t, after: value || "" };
  if (name === "kong_discard") return { ...t, pao: Boolean(value) };
  if (name === "last_tile") return { ...t, last: Boolean(value) };
  if (name === "last_copy") return { ...t, jue: Boolean(value) };
  return { ...t, bless: value ? name : "" };
};

function choose(t, name, value = true) {
  const way = WAYS.includes(name);
  const ways = waysOf(t, name);
  const by = way ? name : ways.includes(t.by) ? t.by : ways[0];
  const changed = !way && by !== t.by;
  const others = chosen(t).filter(
    (other) => (EXCLUDES[name] || []).includes(other) || !waysOf(t, other).includes(by),
  );
  let next = others.reduce((table, other) => turn(table, other), { ...t, arm: "", by });
  if (!way) next = turn(next, name, value);
  const code = [changed && "implied", others.length && "excluded"].filter(Boolean).join("_");
  return step(next, code, { term: name, by, others });
}

function toggle(t, name) {
  if (chosen(t).includes(name)) return step({ ...turn(t, name), arm: "" });
  const reason = whyNot(t, name);
  if (reason) return { table: t, note: reason, refused: true };
  if (name !== ASK) return choose(t, name);
  if (t.arm === ASK) return step({ ...t, arm: "" });
  const kinds = kongKinds(t);
  return kinds.length > 1 ? step({ ...t, arm: ASK }, "which_kong") : choose(t, ASK, kinds[0]);
}

const cleared = (t) => ({ ...read(""), rules: t.rules, opt: t.opt, play: t.play });

/** Why a control is grey, or null where it does something. */
export function whyNot(t, action) {
  const [verb, rest] = action.split(":");
  if (action === ASK) return t.after || kongKinds(t).length ? null : { code: "need_kong" };
  if (BLESSINGS.includes(action))
    return t.melds.length && t.bless !== action ? { code: "no_blessing", term: action } : null;
  if (action === "back") return t.tiles.length || t.melds.length || t.arm ? null : { code: "nothing" };
  if (action === "clear")
    return t.raw || write(t) !== write(cleared(t)) ? null : { code: "nothing" };
  if (verb === "arm" && MELDS.includes(rest) && t.arm !== rest) {
    const steps = TILES.map((tile) => lay(t, rest, tile));
    if (steps.some((s) => !s.refused)) return null;
    if (t.melds.length >= t.play.sets) return { code: "melds_full", n: t.melds.length };
    return (steps.find((s) => s.note.code === "no_room") || steps[0]).note;
  }
  if (verb === "tile" || verb === "meld" || MELDS.includes(verb)) {
    const made = act(t, action);
    return made.refused ? made.note : null;
  }
  return null;
}

/** One action on the table. An unknown one changes nothing and says so. */
export function act(t, action) {
  const at = action.indexOf(":");
  const verb = at < 0 ? action : action.slice(0, at);
  const rest = at < 0 ? "" : action.slice(at + 1);
  if (["tile", "hand", "out", "unsee", ...MELDS].includes(verb)) {
    if (!TILES.includes(rest)) return refuse(t, "unknown_action");
    if (verb === "tile") return key(t, rest);
    if (verb === "hand") return tap(t, rest);
    if (verb === "out") return out(t, rest);
    if (verb === "unsee")
      return step(t.seen.includes(rest) ? { ...t, seen: without(t.seen, rest) } : t);
    return lay(t, verb, rest);
  }
  if (verb === "meld") {
    const [, index, what] = rest.match(/^([0-3]):(.*)$/) || [0, -1, ""];
    return meldMenu(t, Number(index), what);
  }
  if (verb === "arm") return arm(t, rest);
  if (verb === "by" && WAYS.includes(rest)) return choose(t, rest);
  if (verb === "after" && KONGS.includes(rest)) return choose(t, ASK, rest);
  if (verb === "void" && [...SUITS, "off"].includes(rest))
    return step({ ...t, void: rest === "off" ? "" : rest, arm: "" });
  if (action === "win") return isFull(t) ? pop(t) : refuse(t, "nothing");
  if (action === "back") return back(t);
  if (action === "clear")
    return whyNot(t, action) ? refuse(t, "nothing") : step(cleared(t), "cleared");
  if ([ASK, "kong_discard", "last_tile", "last_copy", ...BLESSINGS].includes(action))
    return toggle(t, action);
  return refuse(t, "unknown_action");
}

// ---------------------------------------------------------------- the page

const page = document.querySelector("main[data-words]");
if (page) start(page);

function start(main) {
  const words = JSON.parse(main.dataset.words);
  const { sprite, normalise } = main.dataset;
  const $ = (id) => document.getElementById(id);
  const form = $("table");
  const [hand, box, text, say, tray, ask, menu, sheet] = [
    "hand", "result", "text", "say", "tray", "ask", "menu", "rules",
  ].map($);
  // The server wrote the hand as it stands; a hand that it could not read stays text.
  // Without a network it is the empty page, and the address says which hand.
  const offline = document.documentElement.hasAttribute("data-kept");
  const written = new URLSearchParams(
    offline ? location.search : [...$("state").children].map((input) => [input.name, input.value]),
  );
  const unread = text.getAttribute("aria-invalid") === "true" && !written.get("draft");
  let table = {
    ...read(written, words.systems, !unread),
    arm: written.get("arm") || "",
    draft: written.get("draft") || "",
  };

  // -------------------------------------------------------------- undo, kept through a reload
  let past = [];
  let future = [];
  const snapshot = () => ({ ...table, arm: "" });
  const remember = () => {
    store("sessionStorage", "history", { now: snapshot(), past: past.slice(-100), future });
    storeText("sessionStorage", "hand", write(table)); // where the menu leads back to (offline.js)
  };
  const before = kept("sessionStorage", "history", (value, lose) => {
    if (isObject(value) && isState(value.now))
      return {
        now: value.now,
        past: listOf(isState)(value.past ?? null, lose),
        future: listOf(isState)(value.future ?? null, lose),
      };
    if (value !== null) lose(value);
    return null;
  });
  if (before && write(before.now) === write(table)) {
    const { play } = table;
    const played = (t) => ({ ...t, play: playOf(t.rules, t.opt, words.systems) });
    [past, future] = [before.past.map(played), before.future.map(played)];
    table = { ...before.now, play, arm: table.arm, draft: before.now.draft || table.draft };
  }

  // -------------------------------------------------------------- words
  const name = (id) => words.terms[id] || words.ways[id] || words.melds[id] || id;
  const fill = (sentence, args) =>
    sentence.replace(/%\((\w+)\)s/g, (_, key) => (args[key] === undefined ? "" : args[key]));
  const sentence = ({ code, tile, joker, n, term, by, others, verb }) =>
    fill(words.notes[code], {
      n,
      tile: words.tiles[tile],
      joker: words.jokers[joker],
      term: name(term),
      by: name(by),
      verb: name(verb),
      others: (others || []).map(name).join(words.join),
    });
  let silence;
  const tell = (line) => {
    clearTimeout(silence);
    if (table.arm === ASK) line = ""; // the choices below the conditions ask
    say.textContent = line;
    say.hidden = !line;
    if (line && !table.arm) silence = setTimeout(() => showDigits(), 4000);
  };
  // Digits typed for a suit that is still to come: seen as long as they wait for it.
  let digits = "";
  const showDigits = () => {
    say.textContent = digits && fill(words.digits, { digits });
    say.hidden = !digits;
  };

  // -------------------------------------------------------------- drawing
  const stamp = (id) => $(id).content.firstElementChild.cloneNode(true);
  const put = (node, attribute, value) => {
    if (value === null || value === false) node.removeAttribute(attribute);
    else if (node.getAttribute(attribute) !== String(value)) node.setAttribute(attribute, value);
  };
  const face = (node, tile) => put(node.querySelector("use"), "href", `${sprite}#t${tile}`);
  const span = (className, textContent) => {
    const node = Object.assign(document.createElement("span"), { className, textContent });
    node.setAttribute("aria-hidden", "true");
    return node;
  };
  /** Make the children of a box one for each item, keeping those that are there. */
  const match = (parent, selector, items, make, draw) => {
    const nodes = [...parent.querySelectorAll(`:scope > ${selector}`)];
    items.forEach((item, i) => {
      let node = nodes[i];
      if (!node) {
        node = make();
        parent.append(node);
      }
      draw(node, item, i);
    });
    nodes.slice(items.length).forEach((node) => node.remove());
  };

  const nameOf = (tile) =>
    tile === table.play.joker ? fill(words.wild, { tile: words.tiles[tile] }) : words.tiles[tile];
  /** The tile that stands apart: the winning one, once the answer says that the hand has won. */
  const called = (tile) =>
    fill(hand.classList.contains("unwon") ? words.last : words.win, { tile: nameOf(tile) });

  function drawTile(node, tile, won) {
    const label = won ? called(tile) : nameOf(tile);
    node.value = won ? "win" : `hand:${tile}`;
    node.className = won ? "tile won" : "tile";
    put(node, "data-hand-tile", tile);
    put(node, "data-win-tile", won ? tile : null);
    put(node, "data-wild", tile === table.play.joker ? words.mark : null);
    put(node, "aria-label", label);
    face(node, tile);
  }

  function drawMeld(node, meld, index) {
    node.open = false;
    put(node, "data-meld", meld.kind);
    put(node, "data-meld-tile", meld.tile);
    put(node, "data-index", index);
    put(
      node.querySelector("summary"),
      "aria-label",
      fill(words.meld, { meld: words.melds[meld.kind], tile: words.tiles[meld.tile] }),
    );
    node.querySelector(".meld-kind").textContent = words.melds[meld.kind];
    const n = size(meld);
    const faces = Array.from({ length: n }, (_, i) => (i >= n - meld.jokers ? meld.joker : meld.tile));
    if (meld.kind === "concealed_kong") faces[0] = faces[3] = "back";
    match(
      node.querySelector(".meld-tiles"),
      ".tile",
      faces,
      () => {
        const tile = span("tile", "");
        tile.append(stamp("tile-template").querySelector("svg"));
        return tile;
      },
      face,
    );
    for (const button of node.querySelectorAll("[data-choice]")) {
      const choice = button.dataset.choice;
      const on = choice === meld.kind || choice === `jokers:${meld.jokers}`;
      if (choice.startsWith("jokers")) {
        const { joker } = table.play;
        button.hidden = !joker;
        if (joker)
          button.textContent = fill(words.joker_count, { joker: words.jokers[joker], n: choice.slice(7) });
      }
      button.value = `meld:${index}:${choice}`;
      put(button, "aria-pressed", on ? "true" : null);
      put(button, "aria-disabled", !on && whyNot(table, button.value) ? "true" : null);
    }
  }

  /** The key of the red dragon stands before the verbs where it is played with. */
  function drawDragon() {
    let button = tray.querySelector(`[data-tile="${DRAGON}"]`);
    if (table.play.joker !== DRAGON) {
      if (button) button.remove();
    } else if (!button) {
      button = tray.querySelector(".suit > .key").cloneNode(true);
      button.dataset.tile = DRAGON;
      button.value = `tile:${DRAGON}`;
      button.tabIndex = 0;
      face(button, DRAGON);
      tray.querySelector(".verbs").prepend(button);
    }
  }

  /** `typing`: the text field keeps what is being typed there. */
  function draw(typing = false) {
    const win = winner(table);
    const rest = (win ? table.tiles.slice(0, -1) : table.tiles.slice()).sort(byRank);
    const focused = document.activeElement;
    hand.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
    // Melds stand before the tiles, a new one after those that are there.
    match(hand, ".meld", table.melds, () => stamp("meld-template"), drawMeld);
    const melds = [...hand.querySelectorAll(":scope > .meld")];
    melds.forEach((meld, i) => {
      if (meld !== hand.children[i]) hand.insertBefore(meld, hand.children[i]);
    });
    const tiles = win ? [...rest, win] : rest;
    match(hand, ".tile", tiles, () => stamp("tile-template"), (node, tile, i) =>
      drawTile(node, tile, Boolean(win) && i === rest.length),
    );
    hand.querySelectorAll(":scope > .tile .seal").forEach((seal) => seal.remove());
    const won = hand.querySelector(":scope > .won");
    if (won) won.append(span("seal", hand.dataset.seal));
    for (let i = table.tiles.length; i < full(table); i++) hand.append(span("ghost", ""));
    hand.append(hand.querySelector(".to-text"));
    if (focused && !focused.isConnected && tiles.length)
      [...hand.querySelectorAll(":scope > .tile")].pop().focus();
    $("count").textContent = fill(words.count, { n: table.tiles.length, full: full(table) });

    drawDragon();
    for (const button of tray.querySelectorAll("[data-tile]")) {
      const tile = button.dataset.tile;
      const n = left(table, tile);
      put(button, "data-left", n);
      put(button, "data-wild", tile === table.play.joker ? words.mark : null);
      put(button, "aria-label", fill(words.left[n], { tile: nameOf(tile) }));
      put(button, "aria-disabled", whyNot(table, `tile:${tile}`) ? "true" : null);
      button.lastElementChild.textContent = n;
    }
    const open = [...suitsOpen(table)].filter((suit) => suit !== table.void);
    for (const row of tray.querySelectorAll("[data-suit]"))
      row.hidden = !open.includes(row.dataset.suit);
    tray.classList.toggle("two", open.length === 2);
    form.querySelector(".voids").hidden = table.play.suits < 3 && !table.void;
    put(tray, "data-arm", table.arm || null);

    const on = [table.by, ...chosen(table), ...(table.arm ? [table.arm] : [])];
    for (const button of form.querySelectorAll("[data-act]")) {
      const what = button.dataset.act;
      if (button.hasAttribute("aria-pressed")) put(button, "aria-pressed", String(on.includes(what)));
      let grey = false;
      if (what === "undo") grey = !past.length;
      else if (what === "redo") grey = !future.length;
      else if (!on.includes(what)) grey = whyNot(table, button.value);
      put(button, "aria-disabled", grey ? "true" : null);
      if (what === "last_copy") button.hidden = !table.play.jue && !table.jue;
    }
    for (const button of form.querySelectorAll("[data-void]")) {
      const chosenSuit = button.dataset.void === table.void;
      put(button, "aria-pressed", String(chosenSuit));
      button.value = `void:${chosenSuit ? "off" : button.dataset.void}`;
    }
    const kinds = kongKinds(table);
    ask.hidden = table.arm !== ASK;
    for (const button of ask.querySelectorAll("button")) {
      const kind = button.value.slice(6);
      button.hidden = !kinds.includes(kind);
      put(button, "aria-pressed", String(table.after === kind));
    }
    match($("seen"), ".tile", table.seen, () => stamp("seen-template"), (node, tile) => {
      node.value = `unsee:${tile}`;
      put(node, "aria-label", fill(words.unsee, { tile: words.tiles[tile] }));
      face(node, tile);
    });
    const shown = inText();
    if (!(typing && document.activeElement === text) && text.value !== shown) text.value = shown;
    for (const button of sheet.querySelectorAll("[data-preset]"))
      put(button, "aria-pressed", String(button.dataset.preset === table.rules && !table.opt));
  }

  /** What the text field shows: a text that could not be read, or the hand. */
  const inText = () => table.draft || table.raw || writeHand(table);

  // What is wrong with the draft; the server said it, and a result that comes later keeps it.
  let faults = null;
  function drawFaults() {
    const box = $("problems-text"); // beside the field
    const line = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
    if (faults && !table.draft) {
      faults = null;
      box.replaceChildren();
    } else if (faults && faults.draft === table.draft) {
      const marked = line("p", "");
      marked.className = "marked";
      marked.setAttribute("aria-hidden", "true");
      marked.append(...faults.marked.map((part) => (part.bad ? line("mark", part.text) : part.text)));
      box.replaceChildren(...faults.problems.map((problem) => line("p", problem)));
      if (faults.marked.length) box.append(marked);
      for (const problem of box.querySelectorAll("p:not(.marked)"))
        problem.dataset.problem = "bad_notation";
    }
    put(text, "aria-invalid", box.children.length ? "true" : null);
  }

  // -------------------------------------------------------------- the address and the result
  /** The state with the way back to the round that asked for this hand. */
  const addressed = () => {
    const way = $("back") ? `&${new URLSearchParams({ back: $("back").value })}` : "";
    return `${write(table)}${way}`;
  };
  function publish() {
    $("state").replaceChildren(
      ...parameters(table).map(([name, value]) =>
        Object.assign(document.createElement("input"), { type: "hidden", name, value }),
      ),
    );
    const query = addressed();
    history.replaceState(null, "", `${location.pathname}?${query}`);
    for (const link of document.querySelectorAll(".languages a"))
      link.search = `?${query}`;
    // What a browser's own menu shares.
    for (const link of document.querySelectorAll("[rel=canonical], [rel=alternate]"))
      link.href = link.href.replace(/(\?.*)?$/, `?${write(table)}`);
    remember();
    request();
  }

  // Every state has a number; an answer to an older one is thrown away.
  let version = 0;
  let retry = 0;
  // Without a network the empty page stands in: its result is not that of the hand.
  box.classList.toggle("unasked", offline && table.tiles.length + table.melds.length > 0);
  const notRenewed = $("net").textContent;
  let waiting;
  let sending;
  let latest = -Infinity;
  function request() {
    version += 1;
    // A key alone asks at once; keys pressed in one breath ask together.
    const breath = performance.now() - latest < 20 ? 20 : 0;
    latest = performance.now();
    clearTimeout(waiting);
    clearTimeout(sending);
    box.classList.add("stale");
    box.setAttribute("aria-busy", "true");
    sending = setTimeout(() => {
      // Where htmx did not arrive the whole page is fetched instead.
      if (window.htmx) window.htmx.trigger(box, "refresh");
      else location.reload();
    }, breath);
  }
  const warn = (line) => {
    $("net").textContent = line;
    $("net").hidden = false;
  };
  const cut = () => warn(box.classList.contains("unasked") ? words.not_asked : notRenewed);
  const lost = (status) => {
    clearTimeout(waiting);
    // The same address would be refused again.
    if (status === 414) return warn(words.address_too_long);
    cut();
    retry = Math.min(retry + 1, 5);
    waiting = setTimeout(request, 600 * 2 ** retry);
  };
  window.addEventListener("online", () => {
    if (box.classList.contains("stale")) request();
    readText(text.value);
  });
  // Parts of the result that fetch for themselves send their events through here too.
  const own = (name, listener) =>
    box.addEventListener(name, (event) => event.target === box && listener(event));
  own("htmx:configRequest", (event) => (event.detail.version = version));
  let badgeFocused = false;
  own("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig.version !== version) event.detail.shouldSwap = false;
    else remain();
    badgeFocused = Boolean(box.querySelector(".badge:focus"));
  });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
    own(failure, (event) => {
      if (event.detail.requestConfig.version === version) lost(event.detail.xhr.status);
    });
  let quiet;
  own("htmx:afterSwap", (event) => {
    if (event.detail.requestConfig.version !== version) return;
    retry = 0;
    $("net").hidden = true;
    box.classList.remove("stale", "unasked");
    box.removeAttribute("aria-busy");
    if (badgeFocused) box.querySelector(".badge").focus({ preventScroll: true });
    dress();
    // Said once, when the hand has come to rest.
    clearTimeout(quiet);
    const result = box.querySelector("[data-result]");
    quiet = setTimeout(() => ($("live").textContent = result.dataset.say), 800);
  });

  /** What a new result changes outside of it. */
  function dress() {
    const result = box.querySelector("[data-result]");
    document.title = result.dataset.title;
    hand.classList.toggle("unwon", result.dataset.status !== "win");
    const apart = hand.querySelector(":scope > .won");
    if (apart) put(apart, "aria-label", called(apart.dataset.winTile));
    drawFaults();
    const bad = [...document.querySelectorAll("[data-problem-tile]")].map(
      (problem) => problem.dataset.problemTile,
    );
    bad.push(...(result.dataset.badTiles || "").split(" "));
    for (const node of hand.querySelectorAll("[data-hand-tile]"))
      node.classList.toggle("bad", bad.includes(node.dataset.handTile));
  }

  // -------------------------------------------------------------- doing things
  function become(next, line, typing = false) {
    remain();
    const anew = write(next) !== write(table) || next.raw !== table.raw;
    if (anew || next.draft !== table.draft) {
      // One step back leads from a text, however often it was wrong while typing, to before it.
      if (!(typing && table.draft)) past.push(snapshot());
      else if (!next.draft && past.length && write(last(past)) === write(next)) past.pop();
      future = [];
    }
    table = next;
    draw(typing);
    drawFaults();
    remember();
    if (anew) publish();
    tell(line || "");
  }

  function perform(action) {
    digits = "";
    if (action === "undo" || action === "redo") {
      const [from, to] = action === "undo" ? [past, future] : [future, past];
      if (!from.length) return tell(words.nothing_more);
      remain();
      to.push(snapshot());
      table = from.pop();
      draw();
      drawFaults();
      if (table.draft) explain();
      publish();
      return tell(action === "undo" ? words.undone : words.redone);
    }
    if (action.startsWith("rules:")) return switchRules(action);
    if (since) since.push(action);
    const start = { ...table, raw: "", draft: "" };
    const made = act(start, action);
    if (made.refused) return tell(sentence(made.note));
    return become(made.table, made.note ? sentence(made.note) : "");
  }

  // What only the server knows: free text, and which house rules another preset takes.
  let asking;
  async function askServer(extra) {
    if (asking) asking.abort();
    asking = new AbortController();
    const query = `${write(table)}&${new URLSearchParams(extra)}`;
    const tooLong = { readable: false, problems: [words.too_long], marked: [], say: "" };
    if ("text" in extra && query.length > words.max_query) return tooLong;
    const answer = await fetch(`${normalise}?${query}`, { signal: asking.signal });
    // A proxy may take less than the site does.
    if ("text" in extra && answer.status === 414) return tooLong;
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }
  let heard = null; // the text that was read last
  let since = null; // what was tapped while a text is being read: it comes after the text
  async function viaServer(extra, typing = false) {
    const reading = "text" in extra ? (since = []) : null;
    try {
      const made = await askServer(extra);
      if (!box.classList.contains("stale")) $("net").hidden = true;
      if ("text" in extra) heard = extra.text;
      if ("text" in extra && !made.readable) {
        faults = { ...made, draft: extra.text };
        become({ ...table, draft: extra.text }, made.say, typing);
      } else {
        become(read(made.query, words.systems, made.readable), made.say, typing);
        if (reading && reading === since) {
          since = null;
          reading.forEach(perform);
        }
      }
      return true;
    } catch (error) {
      if (error.name !== "AbortError") cut();
      return false;
    } finally {
      if (reading === since) since = null;
    }
  }
  async function switchRules(action) {
    const rules = action.slice(6);
    closeSheet();
    if (table.opt) await viaServer({ do: action });
    else become({ ...table, rules, play: playOf(rules, "", words.systems) });
    prefer();
  }
  const prefer = () =>
    keepLastRules(table.rules, table.opt);

  // What the sheet of house rules (house.js) has chosen.
  document.addEventListener("house", ({ detail }) => {
    const { rules, opt, play } = read(new URLSearchParams(detail), words.systems);
    become({ ...table, rules, opt, play });
    // The sheet lies over the page: nobody was about to tap what stood below it.
    stood = [];
    prefer();
  });

  const readText = (value) => {
    if (value !== inText()) viaServer({ text: value }, true);
  };
  /** Ask again what is wrong with a draft that came back. */
  const explain = async () => {
    const { draft } = table;
    try {
      faults = { ...(await askServer({ text: draft })), draft };
      drawFaults();
    } catch {
      // without a network the text stands there unexplained
    }
  };

  // A tap so soon after a change may be meant for what stood in its place: it counts for nothing.
  const SETTLING = 300;
  let stood = []; // what stood where, before each change of late
  // A tile of the hand is the tile that it shows; every other control stays itself.
  const identity = (button) => (hand.contains(button) ? button.value : button);
  const remain = () => {
    const at = performance.now();
    const places = [...form.querySelectorAll("button[name=do]")].map((button) => ({
      is: identity(button),
      box: button.getBoundingClientRect(),
    }));
    stood = [...stood.filter((before) => at - before.at <= SETTLING), { at, top: scrollY, places }];
  };
  const displaced = (button, { detail, timeStamp, clientX: x, clientY: y }) => {
    // What the tap itself has asked may be answered at once.
    if (!detail || ask.contains(button)) return false;
    return stood.some(({ at, top, places }) => {
      // Whoever has scrolled since has seen what is there.
      if (timeStamp - at > SETTLING || top !== scrollY) return false;
      // Of those that overlap one was seen; which one does not matter if it is still there.
      const there = places.filter(
        ({ box }) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom,
      );
      return there.length > 0 && !there.some(({ is }) => is === identity(button));
    });
  };

  // Older browsers do not say which button submits, and some do not focus it.
  let clicked = null;
  document.addEventListener(
    "click",
    (event) => {
      // Whoever opens a menu sees what is in it.
      if (event.target.closest("summary")) stood = [];
      clicked = event.target.closest("button[name=do]");
      if (!clicked || !form.contains(clicked) || !displaced(clicked, event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter || clicked;
    if (button && button.name === "set") return; // house.js sets it when its sheet has come
    const action = button && button.name === "do" ? button.value : "";
    if (!action || action === "text") return readText(text.value);
    return perform(action);
  });
  let typing;
  text.addEventListener("input", () => {
    clearTimeout(typing);
    heard = null;
    typing = setTimeout(() => readText(text.value), 250);
  });
  text.addEventListener("blur", () => {
    clearTimeout(typing);
    // Read already: now the field shows how the hand is written.
    if (text.value === heard) draw();
    else readText(text.value);
  });

  document.addEventListener("click", async (event) => {
    const target = event.target.closest("button, a, summary");
    if (pressed) {
      // the end of a long press is no tap
      pressed = false;
      if (target && target.matches(".key")) return event.preventDefault();
    }
    closeMenus(event.target);
    if (!target) return;
    const { act: what, verb, copy: line, share } = target.dataset;
    if (what === "undo" || what === "redo") perform(what);
    else if (verb) {
      menu.hidden = true;
      perform(`${verb}:${menu.dataset.on}`);
    } else if (target.matches(".badge")) {
      event.preventDefault();
      openSheet();
    } else if (target.hasAttribute("data-to-text")) {
      event.preventDefault();
      text.scrollIntoView({ block: "center" });
      text.focus({ preventScroll: true });
      text.select();
    } else if (target.hasAttribute("data-close")) {
      event.preventDefault();
      closeSheet();
    } else if (line !== undefined) tell((await copy(line)) ? words.copied : words.no_copy);
    else if (share) navigator.share({ title: document.title, url: share }).catch(() => {});
    else if (target.hasAttribute("data-print")) await printSheet();
    else if (target.hasAttribute("data-example")) {
      event.preventDefault();
      become({ ...read(target.search, words.systems), opt: table.opt, play: table.play });
      window.scrollTo({ top: 0 });
    }
  });

  // Paper shows the QR code, which no screen has fetched before somebody asks for it.
  async function printSheet() {
    const picture = box.querySelector("[data-print-qr]");
    if (picture) {
      picture.loading = "eager";
      await picture.decode().catch(() => {});
    }
    window.print();
  }

  function closeMenus(but) {
    for (const meld of hand.querySelectorAll(".meld[open]"))
      if (!meld.contains(but)) meld.open = false;
    if (!menu.contains(but)) menu.hidden = true;
  }

  // -------------------------------------------------------------- the sheet of rules
  let opener;
  function openSheet() {
    opener = true;
    sheet.classList.add("open");
    document.dispatchEvent(new CustomEvent("sheet-open"));
    (sheet.querySelector("[aria-pressed=true]") || sheet.querySelector("button")).focus();
  }
  function closeSheet() {
    if (!sheet.classList.contains("open") && location.hash !== "#rules") return;
    sheet.classList.remove("open");
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
    if (opener) box.querySelector(".badge").focus({ preventScroll: true });
    opener = false;
  }
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const inside = [...sheet.querySelectorAll("button, .close, input, select")].filter(
      (node) => node.offsetParent,
    );
    const [first, end] = [inside[0], last(inside)];
    const edge = event.shiftKey ? first : end;
    if (document.activeElement === edge) {
      event.preventDefault();
      (event.shiftKey ? end : first).focus();
    }
  });

  // -------------------------------------------------------------- long press on a key
  let pressed = false;
  let pressing;
  const openMenu = (button) => {
    const tile = button.dataset.tile;
    menu.dataset.on = tile;
    menu.querySelector("p").textContent = words.tiles[tile];
    for (const item of menu.querySelectorAll("[data-verb]"))
      put(item, "aria-disabled", whyNot(table, `${item.dataset.verb}:${tile}`) ? "true" : null);
    menu.hidden = false;
    const at = button.getBoundingClientRect();
    const x = Math.min(Math.max(8, at.left + at.width / 2 - 108), innerWidth - 224);
    menu.style.left = `${x}px`;
    menu.style.top = `${Math.max(8, at.top - menu.offsetHeight - 8)}px`;
  };
  tray.addEventListener("pointerdown", (event) => {
    const button = event.target.closest(".suit > .key");
    clearTimeout(pressing);
    pressed = false;
    if (!button || event.button) return;
    pressing = setTimeout(() => {
      // A finger that went up while the page was busy has been heard of by then.
      pressing = setTimeout(() => {
        pressed = true;
        openMenu(button);
      }, 50);
    }, 450);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"])
    tray.addEventListener(end, () => clearTimeout(pressing));
  tray.addEventListener("contextmenu", (event) => {
    if (event.target.closest(".key")) event.preventDefault();
  });

  // -------------------------------------------------------------- keyboard and paste
  document.addEventListener("focusin", ({ target }) => {
    if (!digits || !target.matches("input, textarea, select")) return;
    digits = "";
    showDigits();
  });
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const command = event.ctrlKey || event.metaKey;
    if (key === "Escape") {
      digits = "";
      closeMenus(null);
      closeSheet();
      if (table.arm) become({ ...table, arm: "" });
      else tell("");
      return;
    }
    if (target.matches("input, textarea, select") || sheet.classList.contains("open")) return;
    if (command && !event.altKey && /^[zy]$/i.test(key)) {
      event.preventDefault();
      perform(key.toLowerCase() === "y" || event.shiftKey ? "redo" : "undo");
      return;
    }
    if (command || event.altKey) return;
    if (/^[1-9]$/.test(key)) {
      digits += key;
      tell(fill(words.digits, { digits }));
    } else if (digits && /^[mpsz]$/i.test(key)) {
      const suit = key.toLowerCase();
      const entered = [...digits];
      digits = "";
      entered.forEach((digit) => perform(`tile:${digit}${suit}`));
    } else if (key === "Backspace") {
      event.preventDefault();
      if (digits) {
        digits = digits.slice(0, -1);
        tell(digits ? fill(words.digits, { digits }) : "");
      } else perform("back");
    } else if (key.startsWith("Arrow")) move(event);
  });
  /** Arrows walk over the keys of the picker and the tiles of the hand. */
  function move(event) {
    const here = event.target.closest(".suit > .key, #hand > .tile");
    if (!here) return;
    event.preventDefault();
    const rows = [
      [...hand.querySelectorAll(":scope > .tile")],
      ...[...tray.querySelectorAll(".suit")].filter((r) => !r.hidden).map((r) => [...r.children]),
    ].filter((row) => row.length);
    const y = rows.findIndex((row) => row.includes(here));
    const x = rows[y].indexOf(here);
    const dx = { ArrowLeft: -1, ArrowRight: 1 }[event.key] || 0;
    const dy = { ArrowUp: -1, ArrowDown: 1 }[event.key] || 0;
    const row = rows[Math.min(rows.length - 1, Math.max(0, y + dy))];
    const next = row[Math.min(row.length - 1, Math.max(0, x + dx))];
    roam(next);
    next.focus();
  }
  /** One key of the picker takes part in the tab order, the arrows reach the others. */
  function roam(button) {
    if (!button.matches(".suit > .key")) return;
    for (const key of tray.querySelectorAll(".suit > .key")) key.tabIndex = key === button ? 0 : -1;
  }
  tray.addEventListener("focusin", (event) => roam(event.target));
  roam(tray.querySelector(".key"));
  document.addEventListener("paste", (event) => {
    // More than an address holds is read no better for being there in full.
    const pasted = event.clipboardData.getData("text").trim().slice(0, words.max_query);
    // The field would join the lines of a text copy, and cut off its link where it has no room.
    const fits = text.value.length + pasted.length <= text.maxLength;
    if (event.target === text && (!fits || pasted.includes("\n"))) event.preventDefault();
    else if (event.target.matches("input, textarea")) return;
    if (pasted) viaServer({ text: pasted });
  });

  // -------------------------------------------------------------- first things
  let first = false;
  if (!location.search) {
    const last = lastRules();
    if (last && last.rules in words.systems && (last.rules !== table.rules || last.opt)) {
      table = read(new URLSearchParams(last), words.systems);
      first = true;
    }
  }
  const { search } = location;
  if (/[?&](arm|say|draft)=/.test(search))
    history.replaceState(null, "", `${location.pathname}?${addressed()}`);
  draw();
  dress();
  if (table.draft) explain();
  // A request that a newer one overtakes is no error to write into the console.
  if (window.htmx)
    window.htmx.logger = (_, event, detail) => {
      if (event === "htmx:sendAbort" || event === "htmx:afterRequest") delete detail.error;
    };
  // htmx looks at the page only when all scripts are there; the result does not wait for that.
  if (window.htmx) window.htmx.process(box);
  if (first || offline) publish();
  else remember();
  main.dataset.ready = "";
}
