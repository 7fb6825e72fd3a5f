"""The settlement: one round, and the evening."""
