"""Comparisons that last: tables as files known by their content, everything else in a database.

``Store.open(Settings.from_environment())`` is the way in. Nothing here is imported by ``import rankdash`` or by
``rankdash compare``.

>>> store = Store.open(Settings.from_environment({"RANKDASH_HOME": folder}))   # doctest: +SKIP
>>> saved = store.create(Case((run_a, run_b), judgments), State("B for A", "old", "new"))   # doctest: +SKIP
>>> store.load(saved.id).content.a.table.equals(run_a.table)   # doctest: +SKIP
True
"""

from rankdash.store.comparisons import Store
from rankdash.store.database import new_id
from rankdash.store.journal import Decided, Decision, Observation, Observed, RecordedVerdict, answers
from rankdash.store.listing import Listed, ListedRow, Search
from rankdash.store.records import ConflictError, Saved, State, case_of, comparison_of, content_of, state_of
from rankdash.store.settings import DeletedError, Settings, StoreError
