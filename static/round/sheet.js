// The sheet of the evening, below the round.

import { find, newest, merged, readEvening } from "./evening.js";
import { foreign, here, paths, query } from "./page.js";

let shownEvening = "";

export async function showEvening() {
  const evening = readEvening();
  const section = document.getElementById("evening");
  const sheet = document.getElementById("evening-sheet");
  const rows = evening.rounds.map((round) => round.totals).join("_");
  const names = namesNow(evening);
  section.hidden = false;
  section.classList.toggle("none", !evening.rounds.length);
  for (const name of ["export", "forget"]) {
    section.querySelector(`[data-do="${name}"]`).hidden = !evening.rounds.length;
  }
  const asked = new URLSearchParams({ ...(names ? { n: names } : {}), r: rows }).toString();
  document.getElementById("evening-link").search = asked;
  if (asked === shownEvening) return markHere(evening, sheet);
  try {
    const answer = await fetch(`${paths.evening}?${asked}`);
    if (!answer.ok) return;
    const html = await answer.text();
    const active = sheet.contains(document.activeElement) ? document.activeElement.dataset : {};
    sheet.innerHTML = html;
    shownEvening = asked;
    for (const key of ["open", "remove"]) {
      const again = active[key] && sheet.querySelector(`[data-${key}="${active[key]}"]`);
      if (again) again.focus({ preventScroll: true });
    }
    markHere(evening, sheet);
  } catch {
    // Offline: the sheet comes with the next tap that goes through.
  }
}

/** The names of the newest round that has any. */
export function namesOf(rounds) {
  const named = rounds.map((round) => new URLSearchParams(round.query).get("n"));
  return named.filter(Boolean).pop() || "";
}

/** The names at the table now: an older round on the page, or somebody else's, has its own. */
function namesNow(evening) {
  const last = newest(evening);
  const own = !foreign && here.place === undefined;
  const shown = own && (!last || last.id === here.id || !find(evening, here.id));
  const now = shown ? query : last && last.next && merged(evening.next, last.next);
  return new URLSearchParams(now || "").get("n") || namesOf(evening.rounds);
}

function markHere(evening, sheet) {
  evening.rounds.forEach((round, index) => {
    const row = sheet.querySelector(`[data-round="${index}"]`);
    if (row) row.classList.toggle("here", round.id === here.id);
  });
}
