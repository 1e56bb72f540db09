"""Sessions without pages on a store of their own: what tests of saved comparisons share."""

from typing import Any

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.session import actions, open_comparison, session
from rankdash.edits import Edit
from tests.dashboard.test_naming import inputs

GRADE = Edit("q1", "d1-0", "grade", None, 0, 3)
OTHER = Edit("q2", "d2-1", "grade", None, 0, 3)
MOVE = Edit("q2", "d2-0", "rank", "a", 1, 3)


class Tab:
    """A session without pages: what is done in it is done there alone."""

    def __init__(self, comparison: str = "") -> None:
        self.memory: dict[str, Any] = {}
        if comparison:
            self(actions.open_saved, comparison)

    def __call__(self, what: Any, *args: Any, **how: Any) -> Any:
        """Do something in this session."""
        before = st.session_state
        st.session_state = self.memory  # type: ignore[assignment]
        try:
            return what(*args, **how)
        finally:
            st.session_state = before

    @property
    def shown(self) -> tuple[Any, ...]:
        """All that is open: names, tables, edits, policy."""
        now = self(open_comparison.current)
        tables = [None if one is None else one.table for one in (now.a, now.b, now.judgments, now.queries, now.votes)]
        return now.names, tables, now.edits, self(session.now).policy

    def edit(self, *edits: Edit) -> None:
        """Make edits in one step."""
        self(lambda: actions.edit((*open_comparison.edits(), *edits)))

    @property
    def id(self) -> str:
        """The saved comparison that is open."""
        return str(self(session.now).saved.id)


def saved_tab(found: Case | None = None) -> Tab:
    """A session that has opened a comparison, and so saved it."""
    tab = Tab()
    tab(actions.open_inputs, found or inputs())
    assert tab(session.now).problem == ""
    return tab
