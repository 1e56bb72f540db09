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
NOTE = "Note"
SAVING, OPENING = "Saving", "Opening the saved comparison"
SAVING_HELP = "This comparison is being written to the disk. Its link is in the address when that is done."
#: {where} is the database.
READ_ONLY = (
    "Nothing is saved here, because rankdash may only read {where}: what you change stays in memory until this page is "
    "closed, unless the user who runs rankdash gets the right to write there, or RANKDASH_HOME names another folder."
)
SAVE_AGAIN, SAVE_AS_NEW = "Save now", "Save as a new comparison"
CANNOT_OPEN = "This comparison cannot be opened"
CANNOT_OPEN_WHY = "Open another one under History, or drop files here."
#: A comparison that was saved, and that nothing can be computed of: {why} says what is wrong with it.
CANNOT_COMPUTE = "It is saved, and cannot be compared by this version of rankdash: {why}"

STORED = (
    "As it was seen on {at}, computed by rankdash {engine} (policy version {policy}). This is another version, whose "
    "rules or numbers may differ; the stored verdict stays on record."
)
#: {version} is that of the policy in force now.
COMPUTE_ANEW = "What would version {version} say?"

#: Whether the later edits are those of whoever is asked: the title, the reason, the columns, and the two answers.
CLASH = {True: "Somebody else edited the same documents", False: "Two people edited the same documents at once"}
CLASH_WHY = {
    True: (
        "Choose whose edits of these documents stand; until then yours do. Everything else that both of you did is "
        "kept."
    ),
    False: (
        "Nobody has said yet whose edits of these documents stand; until then the later ones do. Everything else that "
        "both did is kept."
    ),
}
CLASH_COLUMNS = {
    True: ("Query", "Document", "Theirs", "Yours"),
    False: ("Query", "Document", "Earlier edit", "Later edit"),
}
EARLIER = {True: "Keep theirs", False: "Keep the earlier"}
LATER = {True: "Use mine", False: "Keep the later"}
GRADE, RANK, REMOVED = "grade {value}", "rank {value} in {side}", "removed from {side}"
UNJUDGED, TAKEN_BACK = "no grade", "as it was before"

#: Somebody else saved the open comparison since the page was drawn.
CHANGED = "Changed in another browser or tab"
SHOW = "Show"

#: Undo, and redo (True), where somebody else's edits are at stake. {who} made them.
TURN = {False: "Take back your edit?", True: "Make your edit again?"}
TURN_WHY = {
    False: "{who} edited the same documents after you.",
    True: "{who} edited the same documents since you took your edit back.",
}
OTHERS = {False: "Take back somebody else's edit?", True: "Make somebody else's edit again?"}
OTHERS_WHY = {
    False: "You have no edit here to take back. {who} made the last one.",
    True: "You have no edit here to make again. {who} made the one that was taken back last.",
}
TURN_COLUMNS = ("Query", "Document", "Your edit", "Now")
OTHERS_COLUMNS = ("Query", "Document", "Edit")
TAKE_BACK, MAKE_AGAIN = "Take it back", "Make it again"
ONLY_MINE, WITH_THEIRS = "Take back mine, keep theirs", "Take back both"
#: Who edited, and when in UTC; {who} of somebody who gave no name.
WHO, SOMEBODY = "{who} ({at} UTC)", "Somebody in another browser"
