"""The calculator: one hand."""
