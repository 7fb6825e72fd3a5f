"""The house rules (家规)."""
