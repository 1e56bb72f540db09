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
        "WORSE": "No launch: B is worse",
        "TOO_SMALL": "No launch: gain too small",
        "NOT_PROVEN": "No launch yet: not proven yet",
        "NOT_COMPARABLE": "No launch: cannot compare yet",
    }
)
CHOICES: Mapping[str, str] = MappingProxyType(
    {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
)
UNDECIDED = "No decision yet"
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "name": "Comparison",
        "outcome": "Verdict",
        "choice": "Decision",
        "delta": "Difference",
        "models": "Models",
        "changed": "Changed",
        "interval": "95% interval",
        "tags": "Tags",
    }
)
#: How wide they are. Those that are shown fit a page of 1,280 points; the menu of the table has the others.
WIDTHS: Mapping[str, int] = MappingProxyType(
    {
        "name": 250,
        "outcome": 242,
        "choice": 220,
        "delta": 126,
        "models": 150,
        "changed": 92,
        "interval": 130,
        "tags": 120,
    }
)
COLUMNS_SHOWN = ("name", "outcome", "choice", "delta", "models", "changed")
MODELS, INTERVAL = "{a} → {b}", "{low} to {high}"
#: The verdict in a list: as its page says it, by another version, of no revision that is shown.
SAID, SAID_BY = "{screen}: {tag}", "{verdict} (by rankdash {engine})"
OF_SOME = "{verdict} ({n} of {judged} queries)"
NOT_COMPUTED = "Not computed since the last change"
TABLE_ALT = "{n} saved comparisons: name, models, date, difference, verdict, decision, tags"
SELECT = "Click a name to open it. Tick rows to change them, or to put them side by side."
KEYS = "With the keyboard: arrows go to a row, Shift and Space tick it, and the buttons above the table act on it."
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
SIDE_MEASURE, SIDE_VALUES = "{measure} · {role}", "{a} → {b}, **{delta}**"
SIDE_WON, SIDE_QUERIES, SIDE_HOLM = "Won / tied / lost", "Queries", "p, Holm"
OPEN_ONE = "Open {name}"
HOLM = "Holm: p over all candidates that were selected with the same lists as A. Several tries make a small p likelier."
OF_QUERIES = "{name}: {note}"
HOLM_OF, NOTHING = "{p} ({n} tried)", "–"
COMPARABLE = "Comparable with {reference}: {names}. The same queries, judgments, convention, cutoff and policy."
#: Several of one name, with when each began.
DATED = "{name} ({date})"
NOT_COMPARABLE = "{name} is not comparable with {reference}:"
DOTS = "Δ{measure} with its 95% interval"
DOTS_HOLLOW = "A hollow dot: not comparable with {reference}."
DOTS_ALT = "The differences of {n} comparisons, each with its interval; the table above has the numbers"
TREND = "Over time"
TREND_ALT = "The difference of {n} comparable comparisons over time, each with its interval"
