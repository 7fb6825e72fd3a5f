// Lessons and drills work without this. It remembers, on this device alone, what was answered:
// the score, the streak, which lessons are done; and says from that what to practise next.

import { copy } from "../site/copy.js";
import { lastRules } from "../site/rules.js";
import { isObject, kept, listOf, store } from "../site/store.js";

const STORE = "practice";
const page = document.querySelector(".learn");
const words = JSON.parse(page.dataset.words);
const question = page.querySelector("[data-question]");

// An address that names no rules means those that this device plays by, as on the hand page.
const named = new URLSearchParams(location.search);
if (!named.has("rules") && !named.has("opt") && navigator.onLine) {
  const { rules, opt } = lastRules() ?? {};
  if (rules && (rules !== "chengdu" || opt)) {
    named.set("rules", rules);
    if (opt) named.set("opt", opt);
    location.replace(`?${named}`);
  }
}

const isText = (value) => typeof value === "string";
const isTally = (kind) => isObject(kind) && Number.isFinite(kind.right) && Number.isFinite(kind.total);
/** What was answered, as far as it can be read. */
const understood = (value, lose) => {
  const given = isObject(value) ? value : {};
  if (value !== null && value !== given) lose(value);
  const part = (name, sound, none) => {
    if (given[name] === undefined || sound(given[name])) return given[name] ?? none;
    lose({ [name]: given[name] });
    return none;
  };
  const kinds = Object.entries(part("kinds", isObject, {}));
  return {
    kinds: Object.fromEntries(kinds.filter((one) => isTally(one[1]) || lose({ kinds: one }))),
    streak: part("streak", Number.isFinite, 0),
    best: part("best", Number.isFinite, 0),
    seen: listOf(isText)(given.seen ?? null, lose),
    lessons: listOf(isText)(given.lessons ?? null, lose),
  };
};
const save = (state) => store("localStorage", STORE, state);
const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

const state = kept("localStorage", STORE, understood);

// An answered question counts once, however often its page is shown again.
if (question?.dataset.correct && !state.seen.includes(question.dataset.key)) {
  const right = question.dataset.correct === "true";
  const kind = (state.kinds[question.dataset.question] ??= { right: 0, total: 0 });
  kind.total += 1;
  kind.right += right;
  state.streak = right ? state.streak + 1 : 0;
  state.best = Math.max(state.best, state.streak);
  state.seen = [question.dataset.key, ...state.seen].slice(0, 300);
  save(state);
}
if ("finished" in page.dataset && !state.lessons.includes(page.dataset.lesson)) {
  state.lessons.push(page.dataset.lesson);
  save(state);
}

const answered = Object.values(state.kinds);
const total = answered.reduce((sum, kind) => sum + kind.total, 0);
const right = answered.reduce((sum, kind) => sum + kind.right, 0);
const score = page.querySelector("[data-score]");
if (score && total) {
  const parts = [fill(words.score, { right, total })];
  if (state.streak > 1) parts.push(fill(words.streak, { n: state.streak }));
  else if (state.best > 2) parts.push(fill(words.best, { n: state.best }));
  score.textContent = parts.join(" · ");
}

for (const id of state.lessons) {
  const done = page.querySelector(`[data-lesson-link="${CSS.escape(id)}"] .path-done`);
  if (done) done.hidden = false;
}
for (const card of page.querySelectorAll("[data-kind-card]")) {
  const kind = state.kinds[card.dataset.kindCard];
  if (!kind) continue;
  const note = document.createElement("span");
  note.className = "drill-kind-score";
  note.textContent = `${kind.right}/${kind.total}`;
  card.prepend(note);
}

// What to practise next: the kind with the lowest share of right answers; one that was never
// tried counts as half right.
const advice = page.querySelector("[data-advice]");
if (advice && total >= 3) {
  const share = (kind) => {
    const { right: good = 0, total: all = 0 } = state.kinds[kind] ?? {};
    return (good + 1) / (all + 2);
  };
  const [weakest] = Object.keys(words.kinds).sort((a, b) => share(a) - share(b));
  const link = page.querySelector(`a[data-kind="${weakest}"]`);
  if (link) {
    const target = advice.querySelector("[data-advice-link]");
    target.href = link.href;
    target.textContent = fill(words.next, { kind: words.kinds[weakest] });
    advice.hidden = weakest === page.dataset.kind;
  }
}
const up = page.querySelector("[data-up]");
if (up && state.streak >= 5 && question?.dataset.correct === "true") {
  const link = up.querySelector("a");
  link.textContent = fill(words.up, { level: words.levels[up.dataset.up] });
  up.hidden = false;
}

// The next question is fetched while the explanation is read; the browser keeps it for a minute.
const next = page.querySelector("[data-next]");
if (next && !navigator.connection?.saveData) fetch(next.href).catch(() => {});

// Keys: 1–4 choose, Enter goes on.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, a, button, summary")) return;
  if (event.key === "Enter") next?.click();
  else page.querySelectorAll("button.option:not([disabled])")[Number(event.key) - 1]?.click();
});

const live = document.querySelector("#live");
for (const button of page.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const address = button.dataset.copy;
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      const failed = await navigator.share({ url: address }).catch(({ name }) => name);
      if (failed === undefined || failed === "AbortError") return;
    }
    button.textContent = (await copy(address)) ? words.copied : words.no_copy;
    if (live) live.textContent = button.textContent;
  });
}
