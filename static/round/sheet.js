// The sheet of the evening, below the round.

import { refused } from "../site/store.js";
import { KEY, readEvening } from "./evening.js";
import { foreign, here, paths, query, root, words } from "./page.js";
import { open, sheetQuery } from "./people.js";

let shownEvening = "";

/** Draw the sheet of the evening as it is kept now. */
export async function showEvening() {
  const evening = readEvening();
  const section = document.getElementById("evening");
  const sheet = document.getElementById("evening-sheet");
  section.hidden = false;
  section.classList.toggle("none", !evening.rounds.length);
  for (const name of ["export", "table", "forget"]) {
    section.querySelector(`[data-do="${name}"]`).hidden = !evening.rounds.length;
  }
  document.getElementById("round-unkept").hidden = !refused(KEY);
  ask(open(evening, query));
  const asked = sheetQuery(evening.rounds);
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

/** How everybody at the table stands this evening, small beside the name. */
function standBeside(sheet) {
  const people = [...sheet.querySelectorAll("thead th")].slice(1).map((head) => head.textContent);
  const sums = sheet.querySelectorAll("[data-evening-person]");
  for (const place of root.querySelectorAll("[data-tonight]")) {
    const at = foreign ? -1 : people.indexOf(place.dataset.tonight);
    place.hidden = at < 0;
    if (at < 0) continue;
    place.textContent = words.tonight.replace("%(total)s", () => sums[at].textContent);
    people[at] = null; // the next of that name is another one
  }
}

function markHere(evening, sheet) {
  standBeside(sheet);
  evening.rounds.forEach((round, index) => {
    const row = sheet.querySelector(`[data-round="${index}"]`);
    if (row) row.classList.toggle("here", round.id === here.id);
  });
}

/** Ask of each new name whether it is a correction or another person. */
function ask(unsure) {
  const place = document.getElementById("round-unsure");
  place.hidden = !unsure.length;
  const asked = unsure.map(({ from, to }) =>
    words.unsure.replace("%(new)s", () => to).replace("%(old)s", () => from),
  );
  const lines = [...place.querySelectorAll("span")].map((line) => line.textContent);
  if (lines.join() === asked.join()) return;
  place.replaceChildren(
    ...asked.map((question, index) => {
      const line = document.getElementById("round-ask").content.firstElementChild.cloneNode(true);
      line.querySelector("span").textContent = question;
      for (const button of line.querySelectorAll("button")) button.dataset.unsure = index;
      return line;
    }),
  );
}
