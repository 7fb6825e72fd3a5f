// Who is who in an evening: people go by their names, wherever they sit. A seat without a name is
// somebody of its own.

/** The names of an address by seat; of a seat without one it is empty. */
export const namesIn = (query) => (new URLSearchParams(query).get("n") || "").split(",");

const wind = (seat) => document.querySelector(`label[for="n${seat}"]`)?.textContent ?? `${seat + 1}`;

/** The people of a round by seat: two of one name are the first and the second of it. */
function peopleOf({ query, totals }) {
  const names = namesIn(query);
  const before = (seat) => names.slice(0, seat).filter((name) => name === names[seat]).length;
  return totals
    .split(",")
    .map((_, seat) =>
      names[seat]
        ? { key: `${names[seat]},${before(seat)}`, name: names[seat] }
        : { key: `,${seat}`, name: "", seat },
    );
}

/** The address of the sheet: everybody who played, and what they won or lost in each round. */
export function sheetQuery(rounds) {
  const people = new Map();
  for (const round of rounds)
    for (const person of peopleOf(round)) if (!people.has(person.key)) people.set(person.key, person);
  const keys = [...people.keys()];
  // Of the first four, who has no name is named by the sheet.
  const names = [...people.values()].map(({ name, seat }, n) => name || (seat === n ? "" : wind(seat)));
  const rows = rounds.map((round) => {
    const mine = peopleOf(round).map(({ key }) => keys.indexOf(key));
    const amounts = round.totals.split(",");
    return keys.map((_, n) => amounts[mine.indexOf(n)] ?? "").join(",").replace(/,+$/, "");
  });
  const named = names.some(Boolean) ? `n=${names.map(encodeURIComponent).join(",")}&` : "";
  return `${named}r=${rows.join("_")}`;
}

/** An address with one name changed: that of whoever was called so, or of a seat that had none. */
function withName(query, { seat, from, to }) {
  const asked = new URLSearchParams(query);
  const names = namesIn(query);
  while (names.length <= seat) names.push("");
  const at = from ? names.indexOf(from) : names[seat] ? -1 : seat;
  if (at < 0 || (to && names.includes(to))) return query;
  names[at] = to;
  if (names.some(Boolean)) asked.set("n", names.join(","));
  else asked.delete("n");
  return asked.toString();
}

/** Change a name in the rounds of an evening that `change` lists, and in what they propose. */
export function rename(evening, change) {
  for (const round of [...evening.rounds, evening.next]) {
    if (!round || !change.ids.includes(round.id)) continue;
    for (const part of ["query", "draft", "next", "from"])
      if (round[part]) round[part] = withName(round[part], change);
  }
}

/** What undoes a change of a name. */
export const undone = ({ from, to, ...rest }) => ({ ...rest, from: to, to: from });

/** The rounds of an evening in which somebody may be called otherwise. */
export function renaming(evening, seat, from, to, not) {
  const rounds = [...evening.rounds, ...(evening.next ? [evening.next] : [])];
  const change = { seat, from, to };
  const ids = rounds
    .filter(({ id, query }) => id !== not && withName(query, change) !== query)
    .map(({ id }) => id);
  return ids.length ? [{ ...change, ids }] : [];
}

/**
 * What names typed at the table say of the people of the evening, `id` being the round on the page:
 * `named`, seats that had no name before, and `unsure`, new names in the place of somebody who has
 * played: that may be a correction or another person. Names that the evening knows are those people.
 */
export function compared(evening, before, after, id) {
  const others = evening.rounds.filter((round) => round.id !== id);
  const known = new Set([...before, ...others.flatMap(({ query }) => namesIn(query))]);
  const fresh = [];
  const named = [];
  after.forEach((name, seat) => {
    if (!name || known.has(name) || after.indexOf(name) < seat) return;
    if (before[seat]) fresh.push({ name, seat });
    else named.push(...renaming(evening, seat, "", name, id));
  });
  const played = (name) => others.some(({ query }) => namesIn(query).includes(name));
  const gone = before.filter((name) => name && !after.includes(name));
  const unsure = [];
  // First whoever sat there, then whoever else is gone.
  for (const sameSeat of [true, false])
    for (const { name, seat } of fresh) {
      const at = sameSeat ? gone.indexOf(before[seat]) : 0;
      if (at < 0 || !gone.length || unsure.some(({ to }) => to === name)) continue;
      const [from] = gone.splice(at, 1);
      unsure.push({ from, to: name });
    }
  return { named, unsure: unsure.filter(({ from }) => played(from)) };
}

/** The questions about names that are still open: both names have to be there. */
export function open(evening, query) {
  const names = new Set([...evening.rounds.map((round) => round.query), query].flatMap(namesIn));
  return (evening.unsure || []).filter(({ from, to }) => names.has(from) && names.has(to));
}

/**
 * An evening kept by the first release went by seats: a round without names is of those who sat
 * there next, else of those before.
 */
export function named(rounds) {
  const seats = Math.max(0, ...rounds.map(({ query }) => namesIn(query).length));
  for (let seat = 0; seat < seats; seat++) {
    const last = rounds.map(({ query }) => namesIn(query)[seat]).filter(Boolean).pop();
    let name = last;
    for (const round of [...rounds].reverse()) {
      name = namesIn(round.query)[seat] || name;
      if (name) rename({ rounds: [round] }, { seat, from: "", to: name, ids: [round.id] });
    }
  }
  return rounds;
}
