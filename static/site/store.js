// What the browser keeps for us, by name. It may refuse: then it stands here as long as the page does.

const unkept = new Map();

/** What is kept under a name, or null: nothing, or nothing that can be read. */
export function stored(area, name) {
  try {
    return JSON.parse(unkept.get(name) ?? window[area].getItem(name));
  } catch {
    return null;
  }
}

export function store(area, name, value) {
  const text = JSON.stringify(value);
  try {
    window[area].setItem(name, text);
    unkept.delete(name);
  } catch {
    unkept.set(name, text);
  }
}
