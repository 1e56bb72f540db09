"""The per-query table: everything that a comparison and its verdict read about each query, and nothing else.

Scoring ends in this table, and what follows reads only the table, so it can be saved, sent, and put together from
blocks: whole queries in, rows of the table out, and the row of a query depends on no other query. What holds for all
queries is in small records beside the rows: ``Asked``, which has to be the same for all blocks, ``Outside`` and
``Noticed``, which add up, and ``Inputs``, which names what was scored.
"""

from rankdash.comparison.per_query.asked import Asked, Outside
from rankdash.comparison.per_query.columns import COLUMNS, READINGS, SCHEMA_VERSION
from rankdash.comparison.per_query.header import Header, TableError
from rankdash.comparison.per_query.noticed import UNNAMED, Inputs, Noticed, ScoredRun, Told
from rankdash.comparison.per_query.table import METADATA, Arrays, PerQuery

__all__ = [
    "COLUMNS",
    "METADATA",
    "READINGS",
    "SCHEMA_VERSION",
    "UNNAMED",
    "Arrays",
    "Asked",
    "Header",
    "Inputs",
    "Noticed",
    "Outside",
    "PerQuery",
    "ScoredRun",
    "TableError",
    "Told",
]
