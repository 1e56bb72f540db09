"""Edits: small records on top of an upload, never in it. Undo, the list of edits and sharing are one mechanism."""

from rankdash.edits.applying import Edited, apply
from rankdash.edits.differences import Line, differences, grade_changes
from rankdash.edits.history import Edit, History, Step, What

__all__ = ["Edit", "Edited", "History", "Line", "Step", "What", "apply", "differences", "grade_changes"]
