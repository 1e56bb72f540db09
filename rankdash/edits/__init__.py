"""Edits: small records on top of an upload, never in it. Undo, the list of edits and sharing are one mechanism."""

from rankdash.edits.applying import Edited, apply
from rankdash.edits.differences import Line, differences, grade_changes
from rankdash.edits.exports import edits_csv, judgments_csv, labels_from, run_csv, worklist_csv
from rankdash.edits.history import Edit, History, Step, What

__all__ = [
    "Edit",
    "Edited",
    "History",
    "Line",
    "Step",
    "What",
    "apply",
    "differences",
    "edits_csv",
    "grade_changes",
    "judgments_csv",
    "labels_from",
    "run_csv",
    "worklist_csv",
]
