"""Editors (``st.data_editor``) that stay on the screen, with the cursor in them, while what is typed takes effect.

Why: an editor keeps what is typed as changes to the table that it was given, under its key. Given another table under
the same key it loses every second change (https://github.com/streamlit/streamlit/issues/7749), and the server can
neither set a typed cell nor take it back (issue 6540). So an editor keeps its key and its table as long as that table
with what was typed into it is what is in force. For everything else another editor begins, under another key.

It can go when an editor shows another table without losing the cursor, and what is typed can be set or taken back.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

T = TypeVar("T")
#: Pixels: a row, and the headings with the border.
ROW, _HEAD = 35, 38
_NUMBER, _GENERATION, _TAKEN = "editors_number", "editors_generation", "editors_taken"


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """An editor: its key, what it was given to show, and how often all editors had begun anew before it."""

    key: str
    given: T
    generation: int

    @property
    def typed(self) -> dict[str, Any]:
        """What was typed into it: "edited_rows", "added_rows" and "deleted_rows". Empty before it is drawn."""
        return dict(st.session_state.get(self.key, {}))

    @property
    def is_on_screen(self) -> bool:
        """Whether the page has drawn it, and has not been left since."""
        return self.key in st.session_state


def height(rows: int) -> int:
    """The pixels of a table of so many rows with its headings."""
    return _HEAD + ROW * rows


def generation() -> int:
    """How often editors began anew in this session."""
    found: int = st.session_state.get(_GENERATION, 0)
    return found


def renew() -> None:
    """Lets every editor of this session begin anew with what is in force."""
    st.session_state[_GENERATION] = generation() + 1


def latest(name: str) -> Drawn[Any] | None:
    """The editor that was begun last under a name; None where there is none since editors began anew."""
    found: Drawn[Any] | None = st.session_state.get(f"{name}_drawn")
    return None if found is None or found.generation != generation() else found


def is_taken(key: str) -> bool:
    """Whether what an editor holds was taken over already, as ``taken`` says. What another editor has changed since is
    not to be changed back by it.
    """
    return bool(st.session_state.get(_TAKEN, {}).get(key, {}) == st.session_state.get(key, {}))


def taken(key: str) -> None:
    """Remembers that what an editor holds was taken over, or refused."""
    st.session_state[_TAKEN] = {**st.session_state.get(_TAKEN, {}), key: copy.deepcopy(st.session_state.get(key, {}))}


def begin(name: str, given: T) -> Drawn[T]:
    """Another editor under a name. Its key begins with the name and is never used again in this session."""
    before: Drawn[Any] | None = st.session_state.get(f"{name}_drawn")
    if before is not None:
        st.session_state.get(_TAKEN, {}).pop(before.key, None)
    number = st.session_state[_NUMBER] = st.session_state.get(_NUMBER, 0) + 1
    drawn = st.session_state[f"{name}_drawn"] = Drawn(f"{name}_{number}", given, generation())
    return drawn
