"""Edits: small records on top of an upload, never in it. Undo, the list of edits and sharing are one mechanism."""

from rankdash.edits.applying import Edited, apply
from rankdash.edits.differences import Line, differences, grade_changes
from rankdash.edits.history import Edit, History, Step, What, swapped_edit
from rankdash.edits.labels import Candidate, candidates, labels_from
from rankdash.edits.numbers import QueryNumbers, query_numbers
from rankdash.edits.replaying import clashes, misfits, settled
from rankdash.edits.rows import edits_of, edits_table

__all__ = [
    "Candidate",
    "Edit",
    "Edited",
    "History",
    "Line",
    "QueryNumbers",
    "Step",
    "What",
    "apply",
    "candidates",
    "clashes",
    "differences",
    "edits_of",
    "edits_table",
    "grade_changes",
    "labels_from",
    "misfits",
    "query_numbers",
    "settled",
    "swapped_edit",
]
