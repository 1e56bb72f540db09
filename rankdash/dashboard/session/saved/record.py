"""A comparison as the store keeps it, and as a session shows it: tables as uploaded, or with A and B exchanged."""

from __future__ import annotations

from dataclasses import fields, replace

from rankdash.dashboard.session.inputs import Inputs
from rankdash.edits import History
from rankdash.policy import Policy
from rankdash.store import Content, Saved, State
from rankdash.style import evidence as words
from rankdash.tables import Run, Votes


def content_of(opened: Inputs | Votes) -> Content:
    """Return the tables of what is open: of a comparison, or votes alone."""
    if isinstance(opened, Votes):
        return Content(None, None, None, None, opened)
    return Content(opened.a, opened.b, opened.judgments, opened.queries, opened.votes, opened.scored)


def state_of(opened: Inputs | Votes, history: History, policy: Policy, *, swapped: bool = False) -> State:
    """Return what can change of a comparison. ``swapped``: A and B of what is open are B and A of the upload."""
    if isinstance(opened, Votes):
        return State(opened.source.name or words.VOTES_ONLY, "", "", swapped, policy, history)
    a, b = opened.a.name, opened.b.name
    if swapped:
        a, b, history = b, a, history.swapped()
    return State(opened.name, a, b, swapped, policy, history)


def inputs_of(content: Content, state: State) -> Inputs | None:
    """Return the tables as a session shows them, without edits; None for votes alone."""
    if content.a is None or content.b is None:
        return None
    a, b = _named(content.a, state.a), _named(content.b, state.b)
    inputs = Inputs(state.name, a, b, content.judgments, content.queries, content.votes, scored=content.scored)
    return inputs.swapped() if state.swapped else inputs


def edited_inputs_of(saved: Saved) -> Inputs | None:
    """Return the tables of a saved comparison as a session shows them, with its edits; None for votes alone."""
    inputs = inputs_of(saved.content, saved.state)
    history = history_of(saved.state)
    return None if inputs is None else replace(inputs, edits=history.edits, held=history.held)


def renamed(inputs: Inputs, state: State) -> Inputs:
    """Return inputs that show the tables of a state already, under the names that it gives them."""
    a, b = (state.b, state.a) if state.swapped else (state.a, state.b)
    return replace(inputs.unedited, name=state.name, a=_named(inputs.a, a), b=_named(inputs.b, b))


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


def same_tables(one: Content, other: Content) -> bool:
    """Return whether two comparisons hold the very same tables."""
    return all(getattr(one, field.name) is getattr(other, field.name) for field in fields(Content))


def _named(run: Run, name: str) -> Run:
    return run if run.name == name else run.renamed(name)
