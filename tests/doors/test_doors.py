"""Whatever enters by whatever door takes no more than it may, and is read or refused in a sentence."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.doors.entered import Ticker, entered
from tests.doors.table import DOORS
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
#: A machine that runs other tests is slower than one that measures.
PATIENCE = 3.0
_ALL = [(door, name) for door, names in SOME.items() for name in names]


def test_every_door_is_tried() -> None:
    """No door is left out, and every input that is named exists."""
    assert SOME.keys() == DOORS.keys()
    assert all(name in DOORS[door].inputs for door, name in _ALL)


@pytest.mark.parametrize(("door", "name"), every(6, _ALL))
def test_what_enters_takes_no_more_than_it_may(door: str, name: str) -> None:
    """No traceback, at most ten seconds and 1 GB, and another session goes on: with patience for a busy machine."""
    found: dict[str, Any] = entered(DOORS[door], name)
    assert not found["failed"], found["said"]
    assert found["seconds"] < PATIENCE * 10
    assert found["delay"] is None or found["delay"] < PATIENCE * 0.5


def test_a_thread_that_holds_up_others_is_noticed() -> None:
    """The ticker tells how long it could not run: work that never lets go of the interpreter shows."""
    with Ticker() as ticker:
        time.sleep(0.05)
        quiet = ticker.longest
        sorted(range(3_000_000), key=int.bit_count)
    assert ticker.longest > 2 * quiet
