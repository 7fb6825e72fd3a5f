// Runs before the first paint: the chosen theme without a flash, and the mark that scripts run.
(() => {
  const root = document.documentElement;
  const saved = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage may be forbidden; then nothing is remembered
    }
  };
  const save = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // as above
    }
  };
  root.classList.add("js");
  // Over plain http browsers share nothing and keep nothing.
  if (!window.isSecureContext) root.classList.add("plain-http");
  if (!navigator.share) root.classList.add("no-share");
  if (saved("theme")) root.dataset.theme = saved("theme");
  // The page of a round begins with what this device remembers, as soon as its script has come.
  if (saved("suanfan.evening") || saved("rules")) root.classList.add("remembers");
  if (saved("digits") === "on") root.dataset.digits = "on";

  const dark = () =>
    root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  // The browser's own frame: the first colour is that of the light, the second that of the dark.
  const frame = [...document.querySelectorAll("meta[name=theme-color]")];
  const colours = frame.map((meta) => meta.content);
  const paint = () => {
    if (root.dataset.theme) for (const meta of frame) meta.content = colours[dark() ? 1 : 0];
  };
  paint();
  const mark = () => {
    paint();
    for (const button of document.querySelectorAll("[data-theme-switch]"))
      button.setAttribute("aria-pressed", String(dark()));
    for (const button of document.querySelectorAll("[data-digits-switch]"))
      button.setAttribute("aria-pressed", String(root.dataset.digits === "on"));
  };
  document.addEventListener("DOMContentLoaded", mark);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-switch]")) {
      root.dataset.theme = dark() ? "light" : "dark";
      save("theme", root.dataset.theme);
      mark();
    } else if (event.target.closest("[data-digits-switch]")) {
      root.dataset.digits = root.dataset.digits === "on" ? "off" : "on";
      save("digits", root.dataset.digits);
      mark();
    }
  });
})();
