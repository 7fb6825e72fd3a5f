"""A table that several phones share: one ledger, kept on the server by explicit choice."""
