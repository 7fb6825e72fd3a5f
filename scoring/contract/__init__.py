"""The contract: JSON in and out (接口), the front door of the engine.

>>> score({"ruleset": "chengdu", "hand": "11334466778899m"})["multiple"]
16
"""

from .hand import compare, explain, read_rules, rulings, score
from .round import settle

__all__ = ["compare", "explain", "read_rules", "rulings", "score", "settle"]
