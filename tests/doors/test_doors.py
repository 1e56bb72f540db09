"""Whatever enters by whatever door is read or refused in a sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.doors.table import DOORS, REFUSED
from tests.long import every

#: Of each door the first inputs, and those that once took too much or ended in a traceback.
SOME: dict[str, tuple[str, ...]] = {
    "upload": ("one query, 100,000 documents",),
    "typed lists": ("one list", "brackets"),
    "pasted votes": ("a million counted", "raters on one query"),
    "votes file": ("60,000 raters on one query",),
    "edits.csv": ("one document up and down",),
    "labels": ("one document again and again",),
    "policy on the page": ("the deepest cutoff", "a key of 500,000 parts", "brackets within what is read"),
    "stored JSON": tuple(DOORS["stored JSON"].inputs),
    "TOML in a shell": ("a key of 500,000 parts",),
    "votes in a shell": ("60,000 raters on one query",),
    "edits in a shell": ("documents put at the top of one list",),
    "typed text in a shell": ("brackets",),
}
_ALL = [(door, name) for door, names in SOME.items() for name in names]


def test_every_door_is_tried() -> None:
    """No door is left out, and every input that is named exists."""
    assert SOME.keys() == DOORS.keys()
    assert all(name in DOORS[door].inputs for door, name in _ALL)


@pytest.mark.parametrize(("door", "name"), every(6, _ALL))
def test_what_enters_is_read_or_refused(door: str, name: str) -> None:
    """No input ends in a traceback; what each takes is measured by `make bench-reading`."""
    with suppress(REFUSED):
        DOORS[door].prepare(name, DOORS[door].inputs[name])()
