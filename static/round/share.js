// Copy, share and print: on the page of a round and on that of the evening.

const say = document.getElementById("round-say");

export function tell(text) {
  say.textContent = text;
  say.hidden = false;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (say.hidden = true), 4000);
}

async function copy(value, button) {
  let done = true;
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    // Plain http: only the old way is allowed.
    const area = Object.assign(document.createElement("textarea"), { value, className: "unseen" });
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  tell(done ? say.dataset.copied : say.dataset.noCopy);
}

const share = (what) => navigator.share({ title: document.title, ...what }).catch(() => {});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { copy: from, copyText, share: url, shareText } = button.dataset;
  if (from) copy(document.querySelector(from).value, button);
  else if (copyText) copy(copyText, button);
  else if (url) share({ url });
  else if (shareText) share({ text: document.querySelector(shareText).value });
  else if (button.hasAttribute("data-print")) window.print();
});
