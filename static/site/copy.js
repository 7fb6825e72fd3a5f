// Into the clipboard, over plain http too.

/** Copy a text; whether that worked. The focus goes back to where it was. */
export async function copy(value) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    // Plain http: only the old way is allowed.
    const before = document.activeElement;
    const area = Object.assign(document.createElement("textarea"), { value, className: "unseen" });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}
