"""Edits: small records on top of an upload, never in it. Undo, the list of edits and sharing are one mechanism."""

from rankdash.edits.applying import EditedTables, apply
from rankdash.edits.differences import ListLine, differences, grade_changes
from rankdash.edits.history import Edit, EditStep, Held, History, What, common, swapped_edit, swapped_held
from rankdash.edits.labels import LabelCandidate, candidates, labels_from, why_none
from rankdash.edits.numbers import QueryNumbers, query_numbers
from rankdash.edits.replaying import clashes, misfits, settled
from rankdash.edits.rows import edits_of, edits_table
from rankdash.edits.undo import Turn, redoing, undoing
from rankdash.edits.voted import Standing, standing

__all__ = [
    "Edit",
    "EditStep",
    "EditedTables",
    "Held",
    "History",
    "LabelCandidate",
    "ListLine",
    "QueryNumbers",
    "Standing",
    "Turn",
    "What",
    "apply",
    "candidates",
    "clashes",
    "common",
    "differences",
    "edits_of",
    "edits_table",
    "grade_changes",
    "labels_from",
    "misfits",
    "query_numbers",
    "redoing",
    "settled",
    "standing",
    "swapped_edit",
    "swapped_held",
    "undoing",
    "why_none",
]
