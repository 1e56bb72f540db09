"""Drivers: how the rows of a query are brought together, in memory, from files in blocks or on a cluster.

Comes in: runs and judgments, as tables or as sources. Goes out: rankings or a per-query table, which a comparison
weighs. A driver never computes a value itself: ``comparison.score_queries`` is the one scorer.
"""
