"""A plugin of pytest for `make compiled`: what is tested is what has been compiled."""

from scoring import score

if not str(score.__file__).endswith((".so", ".pyd")):
    raise SystemExit(f"{score.__file__} is not compiled")
