"""Decisions and what online tests showed: entries that are added, with a reason where they oppose the verdict."""

from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from rankdash.store import journal
from rankdash.store.database import REVISION, Database
from rankdash.store.journal import Decided, Observed, Since, Subject, decision_problems, opposes, record_decision
from rankdash.store.settings import StoreError
from rankdash.verdict import Outcome
from tests.store.journal import rows


def prepare(database: Database) -> Database:
    """A database with one comparison."""
    with database.writing() as connection:
        rows.comparison(connection, "1", head=3)
    return database


database = pytest.fixture(prepare, name="database")


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_reason_is_required_where_a_decision_opposes_the_verdict(outcome: Outcome) -> None:
    """To launch what the verdict does not, or not to launch what it does, takes a reason that can be read."""
    launches = outcome is Outcome.LAUNCH
    assert opposes("launch", outcome.value) is not launches
    assert opposes("no_launch", outcome.value) is launches
    assert not opposes("postponed", outcome.value)
    against = "no_launch" if launches else "launch"
    for reason in ("", "  \n", "\u200b\u2060"):
        assert any("the reason" in line for line in decision_problems(Decided(against, "Kim", reason), outcome.value))
        assert not decision_problems(Decided("postponed", "Kim", reason), outcome.value)
    assert decision_problems(Decided(against, "Kim", "Legal asks for it"), outcome.value) == ()
    assert len(decision_problems(Decided("", " "), outcome.value)) == 2


def test_a_correction_is_a_further_entry(database: Database) -> None:
    """Every decision stays with its verdict as computed; the newest one is first, also where the clock was set back."""
    seen = rows.result("NOT_PROVEN", revision=3)
    with database.writing() as connection:
        first = record_decision(connection, "1", Decided("launch", " Kim ", "We need it"), seen)
        later = record_decision(connection, "1", Decided("no_launch", "Kim"), seen)
        assert later.at > first.at
        assert journal.decisions(connection, "1") == (later, first)
    assert (first.by, first.reason, first.revision) == ("Kim", "We need it", 3)
    assert first.verdict == seen.to_dict()
    assert first.verdict["json"]["outcome"] == "NOT_PROVEN"


def test_a_refused_decision_leaves_no_entry(database: Database) -> None:
    """What opposes the verdict without a reason, and what is for no comparison, is refused and not written."""
    with database.writing() as connection:
        with pytest.raises(StoreError, match="write down the reason"):
            record_decision(connection, "1", Decided("launch", "Kim"), rows.result("WORSE"))
        with pytest.raises(StoreError, match="no saved comparison"):
            record_decision(connection, "2", Decided("launch", "Kim"), rows.result())
        assert journal.decisions(connection, "1") == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"metric": ""}, "What was measured is missing."),
        ({"by": "\t"}, "Who writes this is missing."),
        ({"by": "", "delta": float("nan")}, "Who writes this is missing.\nThe difference is missing"),
        ({"delta": float("inf")}, "The difference is missing"),
    ],
)
def test_what_an_online_test_showed_is_checked(changes: dict[str, object], said: str, database: Database) -> None:
    """The number is finite, and metric and writer are named; each problem is one sentence."""
    wrong = replace(Observed("CTR", "Kim", 0.02), **changes)
    with database.writing() as connection, pytest.raises(StoreError, match=said):
        journal.record_observed(connection, "1", wrong)


def test_what_online_tests_showed_is_added_and_never_changed(database: Database) -> None:
    """A further entry stands before the earlier ones, which stay as they were."""
    with database.writing() as connection:
        first = journal.record_observed(connection, "1", Observed("CTR", "Kim", 0.02))
        later = journal.record_observed(connection, "1", Observed("CTR", "Kim", 0.01))
        assert journal.observations(connection, "1") == (later, first)
        with pytest.raises(StoreError):
            journal.record_observed(connection, "1", Observed("", "", 0.1))
        with pytest.raises(StoreError, match="no saved comparison"):
            journal.record_observed(connection, "2", Observed("CTR", "Kim", 0.1))


def test_a_result_is_kept_as_it_was_first_computed(database: Database) -> None:
    """The same case under the same versions is one result; other versions are a further one, newest first."""
    first = rows.result("WORSE", revision=1)
    again = replace(first, outcome="LAUNCH", looks=9)
    undone = replace(first, revision=3, outcome="LAUNCH")
    newer = replace(first, revision=2, case=rows.case(2), at=first.at + timedelta(days=1))
    updated = replace(first, engine="9.9", at=first.at + timedelta(days=2))
    with database.writing() as connection:
        written = [journal.record_result(connection, "1", one) for one in (first, again, undone, newer, updated)]
        assert written == [True, False, False, True, True]
        assert journal.results(connection, "1") == (newer, updated, first)


def test_a_decision_is_about_a_revision_and_its_verdict(database: Database) -> None:
    """It keeps the names of its revision; a verdict of another case than that revision's, or of none, is refused."""
    with database.writing() as connection:
        named = {"name": "Then", "model_a": "new", "model_b": "old"}
        connection.execute(sa.update(REVISION).where(REVISION.c.number == 2).values(**named))
        made = record_decision(connection, "1", Decided("launch", "Kim"), rows.result(revision=2))
        for wrong in (replace(rows.result(revision=2), case=rows.case(1)), rows.result(revision=4)):
            with pytest.raises(StoreError, match=f"not that of revision {wrong.revision} "):
                record_decision(connection, "1", Decided("launch", "Kim"), wrong)
        assert journal.decisions(connection, "1") == (replace(made, since=Since.EDITED),)
    assert made.subject == Subject("Then", "new", "old", rows.case(2), None, None, None, None)


LISTS = Subject("x", "a", "b", "case", "1", "2", "j", None)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (LISTS, Since.SAME),
        (replace(LISTS, name="y", model_a="c"), Since.SAME),
        (replace(LISTS, case="other"), Since.EDITED),
        (replace(LISTS, case="other", judgments="k"), Since.EDITED),
        (replace(LISTS, case="other", baseline="2", candidate="1"), Since.EXCHANGED),
        (replace(LISTS, case="other", candidate="3"), Since.REPLACED),
        (replace(LISTS, case="other", baseline="2", candidate="3"), Since.REPLACED),
        (replace(LISTS, case="other", baseline=None), Since.EDITED),
        (None, Since.DELETED),
    ],
)
def test_what_has_become_of_a_decision_is_told(now: Subject | None, said: Since) -> None:
    """The same case is the same whatever it is called; other lists, either of the two, are no edit."""
    assert journal.since(LISTS, now) is said
