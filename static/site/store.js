// What the browser keeps for us, by name: every script but the first reads and writes it here. The
// browser may refuse; then it stands here as long as the page does. What is kept may be half written or
// another version's: whoever reads it says what is understood, and the rest is set aside.

const ASIDE = "suanfan.aside";
const MOST_ASIDE = 50;

const unkept = new Map();

/** The text kept under a name, or null. */
export function text(area, name) {
  try {
    return unkept.get(name) ?? window[area].getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text under a name; whether the browser did. */
export function storeText(area, name, value) {
  try {
    window[area].setItem(name, value);
    unkept.delete(name);
    return true;
  } catch {
    unkept.set(name, value);
    return false;
  }
}

/** Keep a value under a name; whether the browser did. */
export const store = (area, name, value) => storeText(area, name, JSON.stringify(value));

/** Whether the browser has refused what was last to be kept under a name. */
export const refused = (name) => unkept.has(name);

export const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What is kept under a name as `read` understands it: it is given the value, null where there is
 * none, and a function that takes what has to be set aside.
 */
export function kept(area, name, read) {
  const written = text(area, name);
  const lost = [];
  let value = null;
  try {
    value = JSON.parse(written);
  } catch {
    lost.push(written);
  }
  const understood = read(value, (part) => void lost.push(part));
  if (lost.length) {
    const pieces = lost.map((part) => ({ name, part }));
    store("localStorage", ASIDE, [...aside(), ...pieces].slice(-MOST_ASIDE));
    store(area, name, understood);
    dispatchEvent(new Event("aside"));
  }
  return understood;
}

/** What is kept under a name as it stands, or null: nothing, or nothing that can be read. */
export const stored = (area, name) => kept(area, name, (value) => value);

/** A reader of lists: what `sound` does not take is set aside. */
export const listOf = (sound) => (value, lose) => {
  if (Array.isArray(value)) return value.filter((each) => sound(each) || lose(each));
  if (value !== null) lose(value);
  return [];
};

/** What could not be read: the pieces, each with the name that it was kept under. */
export function aside() {
  try {
    return [].concat(JSON.parse(text("localStorage", ASIDE)) ?? []);
  } catch {
    return [];
  }
}

export const dropAside = () => store("localStorage", ASIDE, []);
