"""The columns of the per-query table: names, types, units and ranges, as two declared tables.

A column is added here, and computed in the part of ``scoring.py`` that it names; then ``SCHEMA_VERSION`` goes up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import pyarrow as pa

from rankdash.judged import SIDES

Kind = Literal["int", "float", "bool"]

#: The version of the columns, their meaning and the records beside them. A table of another version is refused.
SCHEMA_VERSION = 4
#: Earlier versions that are still read, each with the parts that they lack. They have no aliases.
OLDER: Mapping[int, tuple[str, ...]] = {2: ("graded",), 3: ()}
TYPES: Mapping[Kind, pa.DataType] = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}


@dataclass(frozen=True)
class QueryColumn:
    """A column of the table. ``sided``: there are two, ending in ``_a`` and ``_b``. All columns of a ``part`` are
    computed together.
    """

    name: str
    kind: Kind
    part: str
    about: str
    sided: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in the table."""
        return tuple(f"{self.name}_{side}" for side in SIDES) if self.sided else (self.name,)


#: The columns beside ``query_id`` and the values of measures, each of one number per query; k is the cutoff.
COLUMNS: tuple[QueryColumn, ...] = (
    QueryColumn("length", "int", "lists", "documents in the list, each once; 0: the query is not answered", True),
    QueryColumn("hits", "int", "lists", "judged documents in the list, however deep", True),
    QueryColumn("relevant", "int", "lists", "R: relevant documents among the judgments that count for the run", True),
    QueryColumn("judgments", "int", "lists", "judged documents, in a list or not"),
    QueryColumn("contradictions", "int", "lists", "rows of the judgments with another grade than an earlier row"),
    QueryColumn("duplicates", "int", "lists", "rows left out, for the document stands higher in the list", True),
    QueryColumn("tied_rows", "int", "lists", "rows whose score equals a neighbour's, in the whole list", True),
    QueryColumn("by_rank", "int", "lists", "1: ordered by rank, for a score is not a finite number; else 0", True),
    QueryColumn("changed", "bool", "top", "the first k differ in documents or order"),
    QueryColumn("judged", "float", "top", "Judged@k, in [0, 1]; NaN without a list", True),
    QueryColumn("tied", "int", "ties", "places of the first k whose document has a neighbour's score", True),
    QueryColumn("identical", "bool", "identical", "both lists are the same to their ends, documents and order"),
    QueryColumn("graded", "int", "graded", "documents in the list with a grade of at least 0", True),
    QueryColumn("in_grade_order", "bool", "graded", "the grades in the list do not rise from top to bottom", True),
    QueryColumn("two_grades", "bool", "graded", "the list holds two different grades", True),
    QueryColumn("unjudged_shown", "int", "documents", "documents in the first k of A or B without a judgment"),
    QueryColumn("ideal", "float", "documents", "IDCG@k over all judged documents, >= 0"),
    QueryColumn("unjudged_moved_in", "float", "parts", "what unjudged documents that push others add to ΔnDCG@k"),
    QueryColumn("relevant_dropped", "float", "parts", "what relevant documents that left the first k add to it"),
    QueryColumn("relevant_gained", "float", "parts", "what relevant documents that came into the first k add to it"),
    QueryColumn("reordering", "float", "parts", "what relevant documents that moved within the first k add to it"),
    QueryColumn("least", "float", "bounds", "the smallest ΔnDCG@k with what is unjudged at the best grade or at 0"),
    QueryColumn("most", "float", "bounds", "the largest; both are NaN where no labels give a value"),
    QueryColumn("may_not_count", "bool", "bounds", "some of these labels leave the query without a value"),
    QueryColumn("overlap", "float", "alike", "documents in both first k over those in either; NaN without lists"),
    QueryColumn("rbo", "float", "alike", "RBO of the whole lists, p = 0.9, in [0, 1]; NaN without lists"),
)
#: Name in the table -> its row.
COLUMN_OF: Mapping[str, QueryColumn] = MappingProxyType({name: row for row in COLUMNS for name in row.names})


@dataclass(frozen=True)
class ListReading:
    """Some measures under a way to read the lists. The names of its columns consist of name, side (if any) and measure.
    ``ordered``: each measure reads a single list, in the order of the convention.
    """

    name: str
    part: str
    about: str
    sided: bool = True
    ordered: bool = True


#: The values of measures, each with a column per side and measure: NaN where undefined or left out.
READINGS: tuple[ListReading, ...] = (
    ListReading("plain", "plain", "every measure"),
    ListReading("condensed", "condensed", "the policy's measures with unjudged documents left out of the lists"),
    ListReading(
        "best_of_ties", "tie_ends", "the same, each group of equal scores in its best order by grade", ordered=False
    ),
    ListReading("worst_of_ties", "tie_ends", "the same, in its worst order", ordered=False),
    ListReading("next_grade", "next_grade", "the same, relevant from the second positive grade; where no grade is 0"),
    ListReading("explained", "explained", "nDCG@k, the measure that parts and bounds are about"),
    ListReading("alike", "alike_asked", "measures that compare the two lists", sided=False, ordered=False),
)
