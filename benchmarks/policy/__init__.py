"""How often the policy launches when it should not, and when it should: a seeded simulation.

``population.py`` makes queries and scores them with rankdash, ``worlds.py`` says what is true in a replicate,
``evidence.py`` sums replicates up, ``tally.py`` asks the rules, ``tables.py`` and ``cells.py`` hold the numbers
to compare with, ``report.py`` makes the Markdown. ``python -m benchmarks.policy`` does all of it.
"""
