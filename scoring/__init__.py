"""The rules of Sichuan mahjong (四川麻将) as a small pure library.

Bottom up: ``tiles`` → ``hand`` → ``notation`` → ``decompose`` → ``ways`` → ``patterns`` →
``rules`` → ``score`` → ``shanten``, ``waits`` → ``analyse`` → ``explain``, ``compare`` → ``settle``
→ ``contract`` (JSON in and out) and ``permalink`` (addresses in and out).  Arrows never point back.

>>> from scoring import contract
>>> contract.score({"ruleset": "chengdu", "hand": "11223345678999m"})["fan"]
2
"""
