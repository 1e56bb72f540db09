"""Words of the History page."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

HISTORY = "History"
OFF = (
    "Saving is turned off on this server (RANKDASH_STORE=off), so there is no history: a reload of the page loses what "
    "is open. Without that setting everything that is opened is saved at once, and stands here."
)
EMPTY = "Nothing is saved yet"
EMPTY_WHY = (
    "Open two models under New comparison: the comparison is saved at once, and so is every edit, name and policy as "
    "it happens. Here you find it again, with its verdict and what was decided; its link opens it for everybody who "
    "can reach this server. The demo is saved once you change it."
)
SHARED = (
    "Several people use this server, so this list names what this browser opened. It ends with the browser's cookies: "
    "keep the link of what you want to find again."
)
NO_MATCH = "No saved comparison fits. Change the search, or look among the archived ones."
SEARCH, SEARCH_HINT = "Search", "Name, model or tag"
SORT = "Sort by"
SORTS: Mapping[str, str] = MappingProxyType(
    {
        "changed": "Last changed",
        "created": "First opened",
        "name": "Name",
        "delta": "Difference",
        "outcome": "Verdict",
        "choice": "Decision",
    }
)
REVERSED, ARCHIVED = "Reversed", "Archived"
VERDICT, DECISION, TAG, ANY = "Verdict", "Decision", "Tag", "All"
OUTCOMES: Mapping[str, str] = MappingProxyType(
    {
        "LAUNCH": "Launch",
        "WORSE": "No launch: worse",
        "TOO_SMALL": "No launch: too small",
        "NOT_PROVEN": "No launch yet: not proven",
        "NOT_COMPARABLE": "No launch: cannot compare",
    }
)
CHOICES: Mapping[str, str] = MappingProxyType(
    {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
)
UNDECIDED = "No decision yet"
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "name": "Comparison",
        "models": "Models",
        "changed": "Changed",
        "measure": "Measure",
        "delta": "Δ",
        "interval": "95% interval",
        "outcome": "Verdict",
        "choice": "Decision",
        "tags": "Tags",
    }
)
MODELS, INTERVAL = "{a} → {b}", "{low} to {high}"
#: The verdict in a list: as its page says it, by another version, of no revision that is shown, of doubtful tables.
SAID, SAID_BY = "{screen}: {tag}", "{verdict} (by rankdash {engine})"
OF_SOME = "{verdict} ({n} of {judged} queries)"
NOT_COMPUTED = "Not computed since the last change"
MISREAD = "Read under old rules: open to recompute"
TABLE_ALT = "{n} saved comparisons: name, models, date, difference, verdict, decision, tags"
SELECT = "Select one in the first column to open or change it, several to put them side by side."
SHOWN, PAGE = "{shown} of {n}", "Page"
OPEN, DUPLICATE, RENAME, TAGS = "Open", "Duplicate", "Rename", "Tags"
ARCHIVE, UNARCHIVE, DELETE, UNDO = "Archive", "Bring back", "Delete", "Undo"
COPY_OF = "{name} (copy)"
NAME = "Name"
NAME_MISSING = "It needs a name."
TAGS_LABEL, TAGS_HELP = "Tags", "Type a word and press Enter; any number of them."
SAVE = "Save"
DELETED = "Deleted: {names}. It can be brought back within a day."
SIDE_BY_SIDE = "Side by side"
COMPUTING = "Computing {name}"
SIDE_COLUMNS = ("Comparison", "Models", "Measure", "Δ", "95% interval", "Queries", "p, Holm")
HOLM = "Holm: p over all candidates that were selected with the same lists as A. Several tries make a small p likelier."
OF_QUERIES = "{name}: {note}"
HOLM_OF, NOTHING = "{p} ({n} tried)", "–"
COMPARABLE = "Comparable with {reference}: {names}. The same queries, judgments, convention, cutoff and policy."
#: One of several that have the same name.
NUMBERED = "{name} ({n})"
#: Several of one name, with when each began.
DATED = "{name} ({date})"
NOT_COMPARABLE = "{name} is not comparable with {reference}:"
TREND = "Over time"
TREND_ALT = "The difference of {n} comparable comparisons over time, each with its interval"
DISK = "Space on the disk"
DISK_USED = "{comparisons}, {files} of tables and {database} of database."
DISK_DELETED = "{n} of them deleted: they are erased a day after that, and with them the files that nothing else uses."
DISK_FREE = "To free space, delete comparisons that nobody needs any more; archived ones take as much as others."
ERASE, ERASE_HELP = "Erase what is deleted now", "What was deleted can then not be brought back."
