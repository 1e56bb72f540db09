"""Editors (``st.data_editor``) that stay on the screen, with their cursor, while typed cells take effect.

Why: an editor stores typed cells under its key, as changes to the table that it was given. With another table under the
same key it loses every second change (https://github.com/streamlit/streamlit/issues/7749), and the server can neither
set nor revert a typed cell (issue 6540). So an editor keeps its key and its first table as long as that table plus the
typed changes equals the current state. In every other case a new editor replaces it, under a new key.

It can go when an editor accepts another table without losing the cursor, and typed cells can be set and reverted.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

T = TypeVar("T")
#: Heights in pixels: of a row, and of the header row with the border.
ROW, _HEAD = 35, 38
_NUMBER, _GENERATION, _TAKEN = "editors_number", "editors_generation", "editors_taken"


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """An editor: its key, the value that it was given to show, and the generation of editors that it belongs to."""

    key: str
    given: T
    generation: int

    @property
    def typed(self) -> dict[str, Any]:
        """The typed changes, by "edited_rows", "added_rows" and "deleted_rows"; empty before the editor is drawn."""
        return dict(st.session_state.get(self.key, {}))

    @property
    def is_on_screen(self) -> bool:
        """Whether the editor was drawn, and its page has not been left since."""
        return self.key in st.session_state


def height(rows: int) -> int:
    """Return the height of a table with a header row, in pixels."""
    return _HEAD + ROW * rows


def generation() -> int:
    """Return the number of times that the editors of this session were replaced."""
    number: int = st.session_state.get(_GENERATION, 0)
    return number


def renew() -> None:
    """Replace every editor of this session when it is drawn next, so that it shows the current state."""
    st.session_state[_GENERATION] = generation() + 1


def latest(name: str) -> Drawn[Any] | None:
    """Return the last editor with a name, None if there is none in the current generation."""
    drawn: Drawn[Any] | None = st.session_state.get(f"{name}_drawn")
    return None if drawn is None or drawn.generation != generation() else drawn


def is_taken(key: str) -> bool:
    """Whether what an editor holds was taken over already, as ``taken`` says. What another editor has changed since is
    not to be changed back by it.
    """
    return bool(st.session_state.get(_TAKEN, {}).get(key, {}) == st.session_state.get(key, {}))


def taken(key: str) -> None:
    """Remembers that what an editor holds was taken over, or refused."""
    st.session_state[_TAKEN] = {**st.session_state.get(_TAKEN, {}), key: copy.deepcopy(st.session_state.get(key, {}))}


def begin(name: str, given: T) -> Drawn[T]:
    """Return a new editor with a name. Its key begins with the name and is never reused in this session."""
    before: Drawn[Any] | None = st.session_state.get(f"{name}_drawn")
    if before is not None:
        st.session_state.get(_TAKEN, {}).pop(before.key, None)
    number = st.session_state[_NUMBER] = st.session_state.get(_NUMBER, 0) + 1
    drawn = st.session_state[f"{name}_drawn"] = Drawn(f"{name}_{number}", given, generation())
    return drawn
