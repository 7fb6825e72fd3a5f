"""One hand under every system, and what it lacks."""
