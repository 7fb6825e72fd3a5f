"""What browsers do that keep nothing: scripts to run before those of a page."""

#: Storage is forbidden: the very look at it throws, as where cookies are blocked.
FORBIDDEN = """() => {
  const forbid = (owner, name) => Object.defineProperty(owner, name, {
    get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
  });
  for (const name of ["localStorage", "sessionStorage", "caches"]) forbid(window, name);
  forbid(Navigator.prototype, "serviceWorker");
}"""

#: Storage is full: what is kept can be read, nothing can be added.
FULL = """() => {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}"""

STORAGE = {"forbidden": FORBIDDEN, "full": FULL}
