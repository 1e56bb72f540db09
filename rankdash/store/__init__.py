"""Comparisons that last: tables as files known by their content, everything else in a database.

``Store.open(Settings.from_environment())`` is the way in. Nothing here is imported by ``import rankdash`` or by
``rankdash compare``.

>>> store = Store.open(Settings.from_environment({"RANKDASH_HOME": folder}))   # doctest: +SKIP
>>> saved = store.create(Case((run_a, run_b), judgments), State("B for A", "old", "new"))   # doctest: +SKIP
>>> store.load(saved.id).content.a.table.equals(run_a.table)   # doctest: +SKIP
True
"""

from rankdash.store.comparisons import Store
from rankdash.store.errors import StoreError
from rankdash.store.journal.comparable import Comparand, Difference, Tried, comparable, differences, trend, tried
from rankdash.store.journal.decisions import CHOICES, Decided, Decision, opposes
from rankdash.store.journal.entry_checks import DecisionError
from rankdash.store.journal.launch_log import Logged, Point
from rankdash.store.journal.listing import SORTS, UNDECIDED, Listed, ListedRow, Search
from rankdash.store.journal.looks import LABELS, REREAD
from rankdash.store.journal.observations import Observation, Observed
from rankdash.store.journal.results import RecordedVerdict, result_of
from rankdash.store.journal.subjects import Since, Subject
from rankdash.store.merging import answered, merged, questions
from rankdash.store.opening import case_of, comparison_of, content_of, entry_of, scored_content, state_of
from rankdash.store.records import Clash, Input, Mark, Saved, State, description_of
from rankdash.store.scored import is_large
from rankdash.store.settings import Settings

__all__ = [
    "CHOICES",
    "LABELS",
    "REREAD",
    "SORTS",
    "UNDECIDED",
    "Clash",
    "Comparand",
    "Decided",
    "Decision",
    "DecisionError",
    "Difference",
    "Input",
    "Listed",
    "ListedRow",
    "Logged",
    "Mark",
    "Observation",
    "Observed",
    "Point",
    "RecordedVerdict",
    "Saved",
    "Search",
    "Settings",
    "Since",
    "State",
    "Store",
    "StoreError",
    "Subject",
    "Tried",
    "answered",
    "case_of",
    "comparable",
    "comparison_of",
    "content_of",
    "description_of",
    "differences",
    "entry_of",
    "is_large",
    "merged",
    "opposes",
    "questions",
    "result_of",
    "scored_content",
    "state_of",
    "trend",
    "tried",
]
