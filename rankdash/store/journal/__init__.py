"""What a store has on record beside its comparisons: results as they were seen, looks, decisions, tags, lists.

Records go in and come out, and nothing that was written is changed: a correction is a further entry. ``comparable``
puts comparisons side by side, and reads no store.
"""

from rankdash.store.journal.decisions import CHOICES, Decided, Decision
from rankdash.store.journal.facade import Journal
from rankdash.store.journal.launch_log import Logged, Point
from rankdash.store.journal.listing import SORTS, UNDECIDED, Listed, ListedRow, Search
from rankdash.store.journal.looks import LABELS, REREAD
from rankdash.store.journal.observations import KINDS, Observation, Observed
from rankdash.store.journal.results import RecordedVerdict, result_of
from rankdash.store.journal.subjects import Since, Subject
from rankdash.store.journal.writing import DecisionError

__all__ = [
    "CHOICES",
    "KINDS",
    "LABELS",
    "REREAD",
    "SORTS",
    "UNDECIDED",
    "Decided",
    "Decision",
    "DecisionError",
    "Journal",
    "Listed",
    "ListedRow",
    "Logged",
    "Observation",
    "Observed",
    "Point",
    "RecordedVerdict",
    "Search",
    "Since",
    "Subject",
    "result_of",
]
