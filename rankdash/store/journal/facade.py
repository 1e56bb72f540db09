"""``Journal``: what a store has on record beside its comparisons, each call one short transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from rankdash.scoring import Comparison, VotesAlone
from rankdash.store.database import Database
from rankdash.store.journal import listing, tags
from rankdash.store.journal.decisions import decisions as decisions_on
from rankdash.store.journal.decisions import record_decision
from rankdash.store.journal.entry_checks import check_there
from rankdash.store.journal.launch_log import launch_log as log_as_csv
from rankdash.store.journal.launch_log import logged as lines_of_log
from rankdash.store.journal.launch_log import points as points_of_log
from rankdash.store.journal.looks import candidates_of, is_recorded, look_of, looks_of, record
from rankdash.store.journal.observations import observations as observations_on
from rankdash.store.journal.observations import record_observed
from rankdash.store.journal.results import RecordedVerdict, policy_seen_first, recorded_first, result_of
from rankdash.store.journal.results import record as record_result
from rankdash.store.journal.results import results as results_of
from rankdash.store.records import Saved
from rankdash.verdict import Verdict

P = ParamSpec("P")
T = TypeVar("T")
_Work = Callable[Concatenate[sa.Connection, P], T]
_Method = Callable[Concatenate["Journal", P], T]


def _reads(work: _Work[P, T]) -> _Method[P, T]:
    """Return a method that does its work in one transaction that reads."""

    @wraps(work)
    def method(journal: Journal, /, *args: P.args, **named: P.kwargs) -> T:
        with journal.database.reading() as connection:
            return work(connection, *args, **named)

    return method


def _writes(work: _Work[P, T]) -> _Method[P, T]:
    """Return a method that does its work in one transaction that writes."""

    @wraps(work)
    def method(journal: Journal, /, *args: P.args, **named: P.kwargs) -> T:
        with journal.database.writing() as connection:
            return work(connection, *args, **named)

    return method


class Journal:
    """Results, looks, decisions, online tests, tags and lists. Every method raises StoreError and nothing else.

    A method that is not written out here is a function of a module of this room, done in one transaction.
    """

    database: Database

    looks = _reads(looks_of)
    candidates = _reads(candidates_of)
    first_policy = _reads(policy_seen_first)
    results = _reads(results_of)
    decisions = _reads(decisions_on)
    decide = _writes(record_decision)
    observations = _reads(observations_on)
    observe = _writes(record_observed)
    tag = _writes(tags.add)
    untag = _writes(tags.remove)
    all_tags = _reads(tags.used)
    listed = _reads(listing.listed)
    opened_by = _writes(listing.note_opened)
    launch_log = _reads(log_as_csv)
    logged = _reads(lines_of_log)
    points = _reads(points_of_log)

    def computed(self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict) -> RecordedVerdict:
        """Write the verdict of a revision down. Return it as it was first computed of its case. It is no look."""
        return self._written(saved, comparison, verdict, is_look=False)

    def seen(self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict) -> RecordedVerdict:
        """Do the same where the verdict is shown now: this state of the data counts as looked at from here on."""
        return self._written(saved, comparison, verdict, is_look=True)

    def _written(
        self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict, *, is_look: bool
    ) -> RecordedVerdict:
        with self.database.reading() as connection:
            check_there(connection, saved.id)
            look = look_of(connection, saved)
            result = result_of(comparison, verdict, saved, look.content)
            first = recorded_first(connection, saved.id, result)
            is_there = first is not None and not (is_look and not is_recorded(connection, look))
        if not is_there:
            with self.database.writing() as connection:
                if is_look:
                    record(connection, look)
                record_result(connection, saved.id, result)
                first = recorded_first(connection, saved.id, result)
        return replace(first or result, revision=saved.number)
