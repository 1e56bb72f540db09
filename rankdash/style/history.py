"""Words of the History page, of decisions and online outcomes, and of saving."""

from __future__ import annotations

from collections.abc import Mapping

HISTORY = "History"
OFF = (
    "Saving is turned off on this server (RANKDASH_STORE=off), so there is no history: a reload of the page loses what "
    "is open. Without that setting everything that is opened is saved at once, and listed here."
)
EMPTY = "Nothing is saved yet"
EMPTY_WHY = (
    "Every comparison is saved here as soon as you open it, with its verdict and its decision. Press New comparison to "
    "begin. A demo is saved once you change it."
)
SHARED = (
    "Several people use this server, so this list shows only what this browser opened. Without the browser's cookies "
    "it is empty: keep the links that you need."
)
NO_MATCH = "No saved comparison fits. Change the search."
SEARCH, SEARCH_HINT = "Search", "Name, file, tag, decision, person or reason"
UPDATING = "Updating verdicts"
DATE, VERDICT, DECISION = "Date (UTC)", "Verdict", "Decision"
CHOICES: Mapping[str, str] = {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
#: The columns, and how wide each is at least: the first three fit a phone, and where there is room for more, all grow.
COLUMNS: Mapping[str, tuple[str, int]] = {
    "name": ("Comparison", 104),
    "outcome": (VERDICT, 122),
    "choice": (DECISION, 98),
    "changed": (DATE, 84),
    "delta": ("Difference", 46),
    "models": ("Models", 46),
}
#: The form of a date, and how wide that is, by whether all are of one year.
DATES: Mapping[bool, tuple[str, int]] = {True: ("MM-DD HH:mm", 84), False: ("YYYY-MM-DD HH:mm", 116)}
MODELS, INTERVAL = "{a} → {b}", "{low} to {high}"
#: The verdict in a list: as its page says it, by another version, of no revision that is shown, for fewer candidates.
SAID, SAID_BY = "{screen}: {tag}", "{verdict} (by rankdash {engine})"
SAID_OF = "{verdict} (1 of {n} tried)"
NOT_COMPUTED, NOT_FOR_ALL = "Changed since: open to update", "{n} candidates now: open to update"
TABLE_ALT = "{n} saved comparisons: name, verdict, decision, date, difference, models"
SELECT = "Click a name to open it; tick rows for more."
KEYS = (
    "With the keyboard, arrows go to a row, and Shift and Space tick it. “1 of 4 tried”: so many candidates were "
    "compared with this A on these judgments, deleted and corrected ones too; more of them take more evidence."
)
#: A group of comparisons without a name of its own, {name} is A, and with one; one of them, {name} is B, below it and
#: elsewhere; what was decided on one of them; and the button that shows and hides them.
GROUP, NAMED, MEMBER, OF_GROUP = "{n} candidates for {name}", "{name} ({n} candidates)", "↳ {name}", "{group}: {name}"
DECIDED_OF = "{name}: {choice}"
UNFOLD: Mapping[bool, str] = {False: "Show candidates", True: "Hide candidates"}
SHOWN = "{shown} of {n}"
OPEN, DUPLICATE, TAGS = "Open", "Duplicate", "Tags"
DELETE, UNDO = "Delete", "Undo"
COPY_OF = "{name} (copy)"
TAGS_LABEL, TAGS_HELP = "Tags", "Type a word and press Enter; any number of them."
SAVE = "Save"
#: Where they are more than a few, {names} is how many.
DELETED_MANY = "{n} comparisons"
DELETED = "Deleted: {names}. You can undo this for a day. Verdicts on other candidates still count the deleted ones."
SIDE_BY_SIDE = "Side by side"
SIDE_INTERVAL, SIDE_QUERIES, NOTHING = "95% interval", "Queries", "–"
#: Behind each of several of one name.
NUMBERED = " ({n})"
NOT_COMPARABLE = "{names} cannot be compared with {reference}. What differs: {parts}."
NOT_DRAWN = "Not drawn, because of another measure or no difference: {names}."
#: Which difference is the largest, and where its interval lies: above 0, around it, below it, nowhere.
LARGEST = "{name} has the largest difference, {interval}."
LIES: Mapping[int | None, str] = {
    1: "with a 95% interval above 0",
    0: "with a 95% interval that includes 0",
    -1: "with a 95% interval below 0",
    None: "without an interval",
}
NOT_WITH_EACH_OTHER = "None is proven better than another here: for that, drop the lists of all together with A."
#: What must be the same, in the order of ``Store.basis``.
BASIS = ("the judgments", "the file of queries", "the policy", "edited grades")
#: By whether a dot is hollow.
DOTS: Mapping[bool, str] = {
    False: "{difference} with its 95% interval",
    True: "{difference} with its 95% interval; hollow: cannot be compared",
}
DOTS_ALT = "The differences of {n} comparisons, each with its interval; the table above has the numbers"


NONE_YET = "Nothing is decided yet. A decision stays on record beside the verdict that it was made on."
#: What a decision was made on, and what was done to the comparison since then.
DECIDED_ON = "{models}: on saved version {revision}{since}, whose verdict was “{verdict}”"
#: On the banner of the verdict: {choice} is the decision, {since} what was done to the comparison since then.
STAMP = "Decided: {choice}, {by}, {at}, on saved version {revision}{since}"
STAMP_SINCE = "; {since}"
DELTA_WAS = ", {delta}"
#: The same behind the decision in a list: {choice} is the decision.
SINCE: Mapping[str, str] = {
    "": "",
    "edited": "edited since",
    "exchanged": "A and B exchanged",
    "other_lists": "about other lists",
    "deleted": "deleted since",
}
CHOSEN, ON_REVISION = "{choice} ({since})", " ({since})"
RECORD = "Decide"
ON_VERDICT = "On the verdict “{verdict}”."
WHY = "It is added to the record and never overwritten; a correction is a new entry."
CHOICE, BY = "Decision", "Decided by"
#: By whether the decision goes against the verdict.
REASON = ("Reason", "Reason (required against the verdict)")
BY_HELP = "A name for the record; nobody checks it."
ADD, ADDED = "Add to the record", "Added to the record, on the Verdict page and History."

ONLINE = "Online result"
ONLINE_WHY = "What the online test of these two models showed, once it has ended."
METRIC, METRIC_HINT = "Metric, with the unit of the difference", "Clicks per session, in %"
DELTA, WRITTEN_BY = "Difference, B − A", "Written by"

LOG_CSV, LOG_FILE = "Decisions as CSV", "launch_log.csv"
LOG_HELP = "Every decision as it was made, with its verdict and what the online test showed."
#: The picture: the differences over time.
PICTURE = "{difference} with its 95% interval, the oldest first, in the colour of its verdict"
PICTURE_OF = "{shown} of {n}: the others have another measure or no difference."
PICTURE_ALT = "The differences of {n} comparisons, the oldest first, each with its interval"


SAVING_OFF = "Not saved"
OFF_HELP = (
    "Saving is turned off on this server (RANKDASH_STORE=off): a reload loses the files, the edits and the policy."
)
OFF_LINK = (
    "The link names a saved comparison, and saving is turned off on this server (RANKDASH_STORE=off). Ask whoever runs "
    "it, or drop the files again."
)
SAVING, OPENING = "Saving", "Opening the saved comparison"
SAVE_AGAIN, SAVE_AS_NEW, BRING_BACK = "Save now", "Save as a new comparison", "Bring it back"
CANNOT_OPEN = "This comparison cannot be opened"
CANNOT_OPEN_WHY = "Open another one under History, or drop files here."
#: A comparison that was saved, and that nothing can be computed of: {why} says what is wrong with it.
CANNOT_COMPUTE = "It is saved, but this version of rankdash cannot compare it: {why}"

#: Before why what is open is not saved, by whether it was deleted in this tab, which is no fault.
MARK: Mapping[bool, str] = {True: ":material/delete:", False: ":orange[:material/warning:]"}
#: Behind the sentence on who changed the comparison, and when.
NOT_ON_TOP = "Your changes since then conflict with that, so they are not saved."
#: Where two people graded different documents at once.
POLICY_UNFIT = "The default policy is used, because the previous one does not fit these files. {why}"
BOTH_COUNT = "Another browser changed grades meanwhile. Theirs and yours both count."
TAKE_THEIRS, SAVE_COPY = "Show theirs", "Save mine as a copy"
