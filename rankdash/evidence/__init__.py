"""Per-query scores and votes -> what they prove: intervals, tests, good/same/bad, what explains a difference.

Arrays and numbers in, frozen records out. Nothing here knows a table, a file, a policy or a screen. ``paired.py`` is
what every comparison needs; ``experts.py`` and ``bootstrap.py`` are asked for.
"""
