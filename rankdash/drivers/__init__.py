"""Drivers: how the rows of a query are brought together, in memory or on a cluster, to be scored and kept.

Comes in: runs and judgments, as tables or as sources. Goes out: a per-query table, which ``compare_scored`` weighs.
``spec.py`` has the one scorer; a driver never computes a value itself.
"""
