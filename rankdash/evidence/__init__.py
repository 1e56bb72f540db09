"""Per-query scores and votes -> what they prove: intervals, tests, good/same/bad, what explains a difference.

Arrays and numbers in, frozen records out. Nothing here knows a table, a file, a policy or a screen. Every comparison
needs ``paired.py``; ``experts.py`` is for those who want more tests.
"""
