"""`make bench`: how fast the engine is, on this machine, next to what else there is.

Nothing here is a test and nothing is asserted: numbers depend on the machine, ratios less so.
"""
