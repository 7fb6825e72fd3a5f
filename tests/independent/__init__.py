"""A second scorer, written from the rules alone, that the engine is held to."""
