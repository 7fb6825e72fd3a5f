// What a finger meant: an answer may put another control under it while it is on its way.

// So long after a change a tap may still be meant for what stood there before.
const SETTLING = 700;
const SELECTOR = "button[name=do]";

/** By which a control is found again after it was put anew. */
const key = (node) =>
  [node.tagName, node.value, node.dataset.act, node.closest("[id]")?.id].join();

const within = ({ left, right, top, bottom }, { clientX: x, clientY: y }, down = 0) =>
  left <= x && x <= right && top + down <= y && y <= bottom + down;

const winners = (part) => document.querySelectorAll(`${part} [data-winner]`).length;

/**
 * Whether a control means what another meant in its place: a key is for whoever was chosen there,
 * as long as nobody was taken out before.
 */
function alike(old, value, many) {
  const [, of, fan] = old.value.match(/^fan:(\w+):(.*)/) || [];
  if (old.value === value || !fan) return old.value === value;
  return value.endsWith(`:${fan}`) && (of === "first" || old.many === many);
}

/**
 * Call `tap` for every button of the page that is pressed. A press counts for the button that it
 * began on, also where that one was replaced before the release. Returns a function to be called
 * before the controls of `part` are put anew: in a place that one of them has just left to another, or
 * to what lies below when it was tapped, a tap counts for nothing.
 */
export function listen(root, part, tap) {
  let pressed = null; // where a press began
  let spent = false; // it counted when it was released: the click that follows is none
  let stood = [];
  let stoodAt = 0; // places of the part are told from its lower edge: the page may have scrolled
  let changed = -SETTLING;
  let tapped = null; // the place of the control of the part that was tapped last

  const edge = () => root.querySelector(part).getBoundingClientRect().bottom;
  const displaced = (event, button) => {
    if (!event.detail || event.timeStamp - changed > SETTLING) return false;
    // What lies below is seen, but a second tap on what is gone is not for it.
    if (!button.closest(part)) return Boolean(tapped) && within(tapped, event);
    // Of those that overlap one was seen; which one does not matter if it is still there.
    const there = stood.filter(({ box }) => within(box, event, edge() - stoodAt));
    return there.length > 0 && !there.some((old) => alike(old, button.value, winners(part)));
  };

  const count = (button, box) => {
    tapped = button.closest(part) && box;
    tap(button);
  };

  document.addEventListener("pointerdown", (event) => {
    spent = false;
    const control = event.target.closest("button, a, summary");
    pressed =
      control && root.contains(control) ? { control, box: control.getBoundingClientRect() } : null;
  });
  document.addEventListener("pointercancel", () => (pressed = null));
  document.addEventListener("pointerup", (event) => {
    if (!pressed || pressed.control.isConnected || !within(pressed.box, event)) return;
    const { control, box } = pressed;
    if (control.matches(SELECTOR)) count(control, box);
    else [...root.querySelectorAll(control.tagName)].find((o) => key(o) === key(control))?.click();
    spent = true;
  });
  document.addEventListener(
    "click",
    (event) => {
      const control = event.target.closest("button, a, summary");
      const counts = !(spent && event.detail) && !(control && displaced(event, control));
      if (event.detail) spent = false;
      if (counts) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("click", (event) => {
    const button = event.target.closest(SELECTOR);
    if (!button || !root.contains(button)) return;
    event.preventDefault();
    count(button, button.getBoundingClientRect());
  });

  return () => {
    changed = performance.now();
    stoodAt = edge();
    stood = [...root.querySelectorAll(`${part} ${SELECTOR}`)].map((button) => ({
      value: button.value,
      many: winners(part),
      box: button.getBoundingClientRect(),
    }));
  };
}
