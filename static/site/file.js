// Files that a script makes.

/** The day of this device: 2026-05-01. */
export function today() {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return day.map((part) => String(part).padStart(2, "0")).join("-");
}

/** A file's name with the day on it: evening-2026-05-01.json. */
export const dated = (name) => name.replace(/(?=\.[^.]+$)/, `-${today()}`);

/** Give the reader a file. */
export function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = dated(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The same of data. */
export const downloadJson = (name, data) =>
  download(name, JSON.stringify(data, null, 1), "application/json");
