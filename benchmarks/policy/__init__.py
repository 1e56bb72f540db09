"""How often the policy launches when it should not, and when it should: a seeded simulation.

``population.py`` makes queries and scores them with rankdash, ``worlds.py`` says what is true in a replicate,
``evidence.py`` sums replicates up, ``tally.py`` asks the rules, ``tables.py`` holds the numbers to compare with and
``report.py`` the Markdown. ``python -m benchmarks.policy`` does all of it.
"""
