"""The per-query table: everything that a comparison and its verdict read about each query, and nothing else.

Scoring ends in this table, and what follows reads only the table, so it can be saved, sent, and put together from
blocks: whole queries in, rows of the table out, and the row of a query depends on no other query. What holds for all
queries is in small records beside the rows: ``Scope``, which has to be the same for all blocks, ``Outside`` and
``Noticed``, which add up, and ``ScoredInputs``, which names what was scored.
"""

from rankdash.scored.aliases import Arrays
from rankdash.scored.columns import COLUMNS, READINGS, SCHEMA_VERSION
from rankdash.scored.header import Header, TableError
from rankdash.scored.noticed import UNNAMED, InputMistake, Noticed, ScoredInputs, ScoredRun
from rankdash.scored.scope import Outside, Scope
from rankdash.scored.table import METADATA, PerQuery

__all__ = [
    "COLUMNS",
    "METADATA",
    "READINGS",
    "SCHEMA_VERSION",
    "UNNAMED",
    "Arrays",
    "Header",
    "InputMistake",
    "Noticed",
    "Outside",
    "PerQuery",
    "Scope",
    "ScoredInputs",
    "ScoredRun",
    "TableError",
]
