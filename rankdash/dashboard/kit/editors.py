"""Editors (``st.data_editor``) that stay on the screen, with their cursor, while typed cells take effect.

Why: an editor stores typed cells under its key, as changes to the table that it was given. With another table under the
same key it loses every second change (https://github.com/streamlit/streamlit/issues/7749), and the server can neither
set nor revert a typed cell (issue 6540). So an editor keeps its key and its first table as long as that table plus the
typed changes equals the current state. In every other case a new editor replaces it, under a new key.

It can go when an editor accepts another table without losing the cursor, and typed cells can be set and reverted.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rankdash.dashboard.kit import widgets

T = TypeVar("T")
#: Heights in pixels: of a row, and of the header row with the border.
ROW, _HEAD = 35, 38
_STATE = "editors"


@dataclass(frozen=True)
class Drawn(Generic[T]):
    """An editor: its key, the value that it was given to show, and the generation of editors that it belongs to."""

    key: str
    given: T
    generation: int

    @property
    def typed(self) -> dict[str, Any]:
        """The typed changes, by "edited_rows", "added_rows" and "deleted_rows"; empty before the editor is drawn."""
        return dict(widgets.value_of(self.key, {}))

    @property
    def is_on_screen(self) -> bool:
        """Return whether the editor was drawn, and its page has not been left since."""
        return widgets.is_drawn(self.key)


def height(rows: int) -> int:
    """Return the height of a table with a header row, in pixels."""
    return _HEAD + ROW * rows


@dataclass
class _Editors:
    """The editors of a session: how many there were, how often all were replaced, and the last of each name."""

    number: int = 0
    generation: int = 0
    drawn: dict[str, Drawn[Any]] = field(default_factory=dict)
    taken: dict[str, Any] = field(default_factory=dict)  # what was taken over of each, by its key


def _editors() -> _Editors:
    return widgets.held(_STATE, _Editors)


def generation() -> int:
    """Return the number of times that the editors of this session were replaced."""
    return _editors().generation


def renew() -> None:
    """Replace every editor of this session when it is drawn next, so that it shows the current state."""
    _editors().generation += 1


def latest(name: str) -> Drawn[Any] | None:
    """Return the last editor with a name, None if there is none in the current generation."""
    drawn = _editors().drawn.get(name)
    return None if drawn is None or drawn.generation != generation() else drawn


def is_taken(key: str) -> bool:
    """Return whether what an editor holds was taken over already, as ``taken`` says. What another editor has changed
    since is not to be changed back by it.
    """
    return bool(_editors().taken.get(key, {}) == widgets.value_of(key, {}))


def taken(key: str) -> None:
    """Remember that what an editor holds was taken over, or refused."""
    _editors().taken[key] = copy.deepcopy(widgets.value_of(key, {}))


def begin(name: str, given: T) -> Drawn[T]:
    """Return a new editor with a name. Its key begins with the name and is never reused in this session."""
    editors = _editors()
    before = editors.drawn.get(name)
    if before is not None:
        editors.taken.pop(before.key, None)
    editors.number += 1
    drawn = editors.drawn[name] = Drawn(f"{name}_{editors.number}", given, generation())
    return drawn
