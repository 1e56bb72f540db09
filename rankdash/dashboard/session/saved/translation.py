"""A comparison as the store keeps it, and as a session shows it: tables as uploaded, or with A and B exchanged."""

from __future__ import annotations

from dataclasses import replace

from rankdash.case import Case, votes_title
from rankdash.edits import History
from rankdash.policy import Policy
from rankdash.store import State, case_of, description_of
from rankdash.tables import Judgments, Run, Votes


def content_of(opened: Case | Votes) -> Case:
    """Return what is open without edits: a comparison, or votes alone."""
    return Case(votes=opened) if isinstance(opened, Votes) else opened.unedited


def state_of(opened: Case | Votes, history: History, policy: Policy, *, swapped: bool = False) -> State:
    """Return what can change of a comparison. ``swapped``: A and B of what is open are B and A of the upload."""
    if isinstance(opened, Votes):
        return State(votes_title(opened), "", "", swapped, policy, history)
    a, b = opened.a.name, opened.b.name
    if swapped:
        a, b, history = b, a, history.swapped()
    return State(opened.name, a, b, swapped, policy, history)


def shown(content: Case, state: State) -> Case | None:
    """Return what is saved as a session shows it, with its edits; None for votes alone."""
    return None if content.runs is None else case_of(content, state)


def renamed(case: Case, state: State) -> Case:
    """Return a case that shows the tables of a state already, under the names that it gives them."""
    a, b = (state.b, state.a) if state.swapped else (state.a, state.b)
    return case.renamed(state.name, a, b)


def history_of(state: State) -> History:
    """Return the edits as a session shows them."""
    return state.history.swapped() if state.swapped else state.history


def word(before: History, after: History) -> str:
    """Return what led from one history to another: "undone", "redone", "reset", "held" or "edited"."""
    if before.steps == after.steps:
        return "undone" if after.position < before.position else "redone"
    if after.steps and after.steps[-1].held:
        return "held"
    return "reset" if after.steps and after.steps[-1].reset else "edited"


def same_tables(first: Case, second: Case) -> bool:
    """Return whether two comparisons hold the very same tables."""
    these, those = first.tables, second.tables
    return these.keys() == those.keys() and all(table is those[role] for role, table in these.items())


def as_saved(case: Case, saved: Case) -> Case:
    """Return a case in which each table that is saved already, under whatever name, is the very object that is saved,
    so that it does not count as exchanged.
    """
    kept = saved.tables
    tables = {role: kept[role] if _is_saved(table, kept.get(role)) else table for role, table in case.tables.items()}
    return Case.of(tables, case.name)


def _is_saved(table: object, saved: object) -> bool:
    if isinstance(table, Run) and isinstance(saved, Run) and table.first_name == saved.first_name:
        table = replace(table, name=saved.name, read_as=saved.read_as)
    if not isinstance(table, Run | Judgments | Votes) or not isinstance(saved, Run | Judgments | Votes):
        return table is saved
    return description_of(table) == description_of(saved) and bool(table.table == saved.table)
