"""Edits: small records on top of an upload, never in it."""

from rankdash.edits.edit import (
    Edit,
    Held,
    ListLine,
    Pair,
    What,
    differences,
    grade_changes,
    in_order,
    labelled,
    labels_from,
    merge_grades,
)
from rankdash.edits.tables import apply, clashes, gathered
from rankdash.edits.voted import Standing, standing

__all__ = ["Edit", "Held", "ListLine", "Pair", "Standing", "What", "apply", "clashes", "differences", "gathered"]
__all__ += ["grade_changes", "in_order", "labelled", "labels_from", "merge_grades", "standing"]
