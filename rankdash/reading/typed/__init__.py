"""Lists and votes that are typed or pasted into a field -> tables."""

from __future__ import annotations

from rankdash.reading.typed.forms import TypedForm
from rankdash.reading.typed.lists import (
    MOST_LETTERS,
    Typed,
    TypedError,
    UnclearError,
    graded_by_hand,
    read_typed,
    typed_lists,
    typed_table,
)
from rankdash.reading.typed.votes import VotesError, typed_votes

__all__ = [
    "MOST_LETTERS",
    "Typed",
    "TypedError",
    "TypedForm",
    "UnclearError",
    "VotesError",
    "graded_by_hand",
    "read_typed",
    "typed_lists",
    "typed_table",
    "typed_votes",
]
