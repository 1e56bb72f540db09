"""Edits: small records on top of an upload, never in it. Undo, the list of edits and sharing are one mechanism."""

from rankdash.edits.applying import Edited, apply
from rankdash.edits.differences import Line, differences, grade_changes
from rankdash.edits.history import Edit, Held, History, Step, What, swapped_edit, swapped_held
from rankdash.edits.labels import Candidate, candidates, labels_from
from rankdash.edits.numbers import QueryNumbers, query_numbers
from rankdash.edits.replaying import clashes, misfits, settled
from rankdash.edits.rows import edits_of, edits_table
from rankdash.edits.voted import Standing, standing

__all__ = [
    "Candidate",
    "Edit",
    "Edited",
    "Held",
    "History",
    "Line",
    "QueryNumbers",
    "Standing",
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
    "standing",
    "swapped_edit",
    "swapped_held",
]
