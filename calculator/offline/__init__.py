"""What works without a network."""
