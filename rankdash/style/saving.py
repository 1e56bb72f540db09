"""Words of what is saved: the row of each page, a link that cannot be opened, and two people at one comparison."""

from __future__ import annotations

OFF = "Not saved"
OFF_HELP = (
    "Saving is turned off on this server (RANKDASH_STORE=off): a reload loses the files, the edits and the policy."
)
OFF_LINK = (
    "The link names a saved comparison, and saving is turned off on this server (RANKDASH_STORE=off). Ask whoever runs "
    "it, or drop the files again."
)
SAVING, OPENING = "Saving", "Opening the saved comparison"
SAVE_AGAIN, SAVE_AS_NEW = "Save now", "Save as a new comparison"
CANNOT_OPEN = "This comparison cannot be opened"
CANNOT_OPEN_WHY = "Open another one under History, or drop files here."
#: A comparison that was saved, and that nothing can be computed of: {why} says what is wrong with it.
CANNOT_COMPUTE = "It is saved, and cannot be compared by this version of rankdash: {why}"

STORED = (
    "As it was seen on {at}, computed by rankdash {engine} (policy version {policy}). This is another version, whose "
    "rules or numbers may differ; the stored verdict stays on record."
)
COMPUTE_ANEW = "Compute with this version"

CLASH = "Somebody else edited the same documents"
CLASH_WHY = (
    "Choose which edits of these documents stand; until then yours do. Everything else that both of you did is kept."
)
CLASH_COLUMNS = ("Query", "Document", "Theirs", "Yours")
THEIRS, MINE = "Keep theirs", "Use mine"
GRADE, RANK, REMOVED = "grade {value}", "rank {value} in {side}", "removed from {side}"
UNJUDGED, TAKEN_BACK = "no grade", "as it was before"
