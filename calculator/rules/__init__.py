"""The rules, term by term and system by system."""
