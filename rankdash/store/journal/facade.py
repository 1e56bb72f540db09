"""``Journal``: what a store has on record beside its comparisons, each call one short transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

import sqlalchemy as sa

from rankdash.case import content_digest
from rankdash.comparison import Comparison, TableError, VotesAlone, swapped_votes
from rankdash.judged import swapped_judgments
from rankdash.policy import Policy, PolicyError
from rankdash.scored import METADATA, UNNAMED, Header
from rankdash.store.database import Database
from rankdash.store.database.schema import COMPARISON, RESULT, REVISION, SEEN, STEP, now
from rankdash.store.journal import decisions, launch_log, listing, looks, observations, results, tags
from rankdash.store.journal.decisions import Decided, Decision
from rankdash.store.journal.launch_log import Logged, Point
from rankdash.store.journal.listing import Listed, Search
from rankdash.store.journal.looks import Look
from rankdash.store.journal.observations import Observation, Observed
from rankdash.store.journal.results import Result
from rankdash.store.journal.writing import check_there, insert_once
from rankdash.store.records import Saved, step_from_dict
from rankdash.verdict import Verdict

#: The word of a revision that imported a file of labels: the data are other ones from there on.
LABELS = "labels"
#: The word of a revision whose files were read in another way: the data are the same.
REREAD = "reread"
#: By the digest of a table that of the same seen from the other side: known by content alone, and asked for often.
_TURNED: dict[str, str] = {}


class Journal:
    """Results, looks, decisions, online tests, tags and lists. Every method raises StoreError and nothing else."""

    database: Database

    def looks(self, saved: Saved) -> int:
        """How many states of the data the verdict of this pair was shown for, this one included. Nothing is written."""
        with self.database.reading() as connection:
            return looks.looks(connection, _look(connection, saved))

    def candidates(self, saved: Saved) -> int:
        """How many models were compared with this A on these judgments, this B included. Nothing is written."""
        with self.database.reading() as connection:
            return looks.candidates(connection, _look(connection, saved))

    def looked(self, saved: Saved) -> int:
        """The same, where the verdict is shown now: this state counts from here on."""
        with self.database.reading() as connection:
            look = _look(connection, saved)
            if looks.is_known(connection, look):
                return looks.looks(connection, look)
        with self.database.writing() as connection:
            looks.record(connection, look)
            return looks.looks(connection, look)

    def computed(self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict) -> Result:
        """The verdict of a revision, written down; as it was first computed of its case, if it was. It is no look."""
        return self._written(saved, comparison, verdict, is_look=False)

    def seen(self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict) -> Result:
        """The same, where the verdict is shown now: this state of the data counts as looked at from here on."""
        return self._written(saved, comparison, verdict, is_look=True)

    def _written(self, saved: Saved, comparison: Comparison | VotesAlone, verdict: Verdict, *, is_look: bool) -> Result:
        with self.database.reading() as connection:
            check_there(connection, saved.id)
            look = _look(connection, saved)
            found = results.result_of(comparison, verdict, saved, look.content)
            known = results.known(connection, saved.id, found)
            is_known = known is not None and not (is_look and not looks.is_known(connection, look))
        if not is_known:
            with self.database.writing() as connection:
                if is_look:
                    looks.record(connection, look)
                results.record(connection, saved.id, found)
                known = results.known(connection, saved.id, found)
        return replace(known or found, revision=saved.number)

    def first_policy(self, saved: Saved) -> Policy | None:
        """The policy under which the results of these tables were seen first; None where they never were.

        None too where this version cannot read that policy.
        """
        with self.database.reading() as connection:
            look = _look(connection, saved)
            of_these = (RESULT.c.comparison == saved.id, RESULT.c.content == look.content)
            first = sa.select(sa.func.min(RESULT.c.revision)).where(*of_these).scalar_subquery()
            asked = sa.select(REVISION.c.state).where(REVISION.c.comparison == saved.id, REVISION.c.number == first)
            state = connection.scalar(asked)
        with suppress(PolicyError):
            return None if state is None else Policy.from_dict(state["policy"])
        return None

    def opened_by(self, id: str, browser: str) -> None:
        """Notes that a browser opened a comparison: on a server of several people its list names it from then on."""
        with self.database.writing() as connection:
            check_there(connection, id)
            insert_once(connection, SEEN, {"browser": browser, "comparison": id, "at": now()})

    def results(self, id: str) -> tuple[Result, ...]:
        """Every verdict of a comparison as it was seen, the newest first."""
        with self.database.reading() as connection:
            return results.results(connection, id)

    def decide(self, id: str, decided: Decided, result: Result) -> Decision:
        """Adds a decision on a result of one of its revisions. DecisionError, a StoreError, tells everything that is
        missing.
        """
        with self.database.writing() as connection:
            return decisions.record_decision(connection, id, decided, result)

    def decisions(self, id: str) -> tuple[Decision, ...]:
        """Every decision on a comparison; the first one is in force."""
        with self.database.reading() as connection:
            return decisions.decisions(connection, id)

    def observe(self, id: str, observed: Observed, *, revision: int | None = None) -> Observation:
        """Adds what an online test showed of A and B as a revision has them, None: the head. DecisionError, a
        StoreError, tells everything that is wrong.
        """
        with self.database.writing() as connection:
            return observations.record_observed(connection, id, observed, revision)

    def observations(self, id: str) -> tuple[Observation, ...]:
        """What online tests of a comparison showed, the newest first."""
        with self.database.reading() as connection:
            return observations.observations(connection, id)

    def tag(self, id: str, text: str) -> bool:
        """Gives a comparison a tag; whether it is a new one."""
        with self.database.writing() as connection:
            return tags.add(connection, id, text)

    def untag(self, id: str, text: str) -> bool:
        """Takes a tag away; whether it was there."""
        with self.database.writing() as connection:
            return tags.remove(connection, id, text)

    def tags(self, id: str) -> tuple[str, ...]:
        """The tags of a comparison, in the order of their letters."""
        with self.database.reading() as connection:
            return tags.of(connection, [id])[id]

    def all_tags(self) -> tuple[str, ...]:
        """Every tag that a comparison has."""
        with self.database.reading() as connection:
            return tags.used(connection)

    def listed(self, search: Search | None = None) -> Listed:
        """The comparisons of a search, a page of them; None: the last changed ones."""
        with self.database.reading() as connection:
            return listing.listed(connection, search or Search())

    def launch_log(self, browser: str | None = None) -> bytes:
        """Every decision as CSV, oldest first; given a browser, those on comparisons that it opened."""
        with self.database.reading() as connection:
            return launch_log.launch_log(connection, browser)

    def logged(self, browser: str | None = None, *, most: int | None = None) -> tuple[Logged, ...]:
        """The same as records; of more than ``most`` the newest."""
        with self.database.reading() as connection:
            return launch_log.logged(connection, browser, most=most)

    def points(self, browser: str | None = None) -> tuple[Point, ...]:
        """What was measured and what was observed online, of the comparisons that were decided and have both."""
        with self.database.reading() as connection:
            return launch_log.points(connection, browser)


def reread(connection: sa.Connection, before: Saved, after: Saved) -> None:
    """What was looked at before a file was read in another way is looked at in this reading."""
    looks.reread(connection, _look(connection, before), _look(connection, after))


def _look(connection: sa.Connection, saved: Saved) -> Look:
    """What is looked at in a comparison as it is saved."""
    a, b, judgments, votes = (saved.digest(role) for role in ("a", "b", "judgments", "votes"))
    if saved.content.scored is not None:
        a, b, judgments = _scored_digests(saved)
    turned = (b, a, _turned_judgments(saved, judgments), _turned_votes(saved, votes))
    imported = _imported(connection, saved.lineage) if saved.state.history.position else ()
    labels = looks.labels_in_force(saved.state.history, imported)
    content = looks.state_digest([(a, b, judgments, votes), turned], labels)
    return Look(saved.lineage, content, a, b, judgments)


def _scored_digests(saved: Saved) -> tuple[str | None, str | None, str | None]:
    """What the lists and judgments of scored queries are known by: the files that they were read from. Where nobody
    knows these, every table of scores is of data of its own.
    """
    runs, scored = saved.content.runs, saved.content.scored
    unknown = None, None, saved.digest("scored")
    if runs is None or scored is None or not all(run.source.sha256 for run in runs):
        return unknown
    try:
        inputs = Header.from_json((scored.table.schema.metadata or {}).get(METADATA)).inputs or UNNAMED
    except TableError:  # of another version
        return unknown
    told = [*((run.ordered_by, run.source.sha256) for run in runs), ("", inputs.judgments.sha256)]
    of_a, of_b, judged = (hashlib.sha256(f"rankdash file {' '.join(one)}".encode()).hexdigest() for one in told)
    return of_a, of_b, judged


def _turned_judgments(saved: Saved, digest: str | None) -> str | None:
    """The digest of the judgments for B and A: another one only where grades say which list they are for."""
    judgments = saved.content.judgments
    if judgments is None or digest is None or "only_for" not in judgments.table.column_names:
        return digest
    if digest not in _TURNED:
        _TURNED[digest] = content_digest(swapped_judgments(judgments))
    return _TURNED[digest]


def _turned_votes(saved: Saved, digest: str | None) -> str | None:
    """The digest of the votes seen from A."""
    votes = saved.content.votes
    if votes is None or digest is None:
        return digest
    if digest not in _TURNED:
        _TURNED[digest] = content_digest(swapped_votes(votes))
    return _TURNED[digest]


def _imported(connection: sa.Connection, lineage: str) -> Collection[str]:
    """The digests of the files of labels that were ever imported into a comparison or its duplicates."""
    of_lineage = sa.select(COMPARISON.c.id).where(COMPARISON.c.lineage == lineage)
    states = sa.select(REVISION.c.state).where(REVISION.c.comparison.in_(of_lineage), REVISION.c.what == LABELS)
    tips = [state["tip"] for state in connection.scalars(states)]
    bodies = connection.scalars(sa.select(STEP.c.body).where(STEP.c.id.in_(tips))) if tips else ()
    return {looks.labels_digest(step_from_dict(body)) for body in bodies}
