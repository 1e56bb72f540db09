"""Edits: small records on top of an upload, never in it."""

from rankdash.edits.edit import (
    Edit,
    Held,
    ListLine,
    Pair,
    What,
    differences,
    in_order,
    labelled,
    labels_from,
    merge_grades,
)
from rankdash.edits.tables import apply, clashes, stretches, unlisted
from rankdash.edits.voted import VoteValidity, valid_votes
