"""Edits: small records on top of an upload, never in it."""

from rankdash.edits.edit import (
    Edit,
    Held,
    LabelCandidate,
    ListLine,
    What,
    candidates,
    differences,
    grade_changes,
    labels_from,
    merge_grades,
    why_none,
)
from rankdash.edits.tables import apply, clashes, gathered
from rankdash.edits.voted import Standing, standing

__all__ = ["Edit", "Held", "LabelCandidate", "ListLine", "Standing", "What", "apply", "candidates", "clashes"]
__all__ += ["differences", "gathered", "grade_changes", "labels_from", "merge_grades", "standing", "why_none"]
