"""Whatever enters by whatever door is read or refused in a sentence."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.doors.table import DOORS, REFUSED
from tests.long import every


@pytest.mark.parametrize(("door", "name"), every(6, [(door, name) for door in DOORS for name in DOORS[door].inputs]))
def test_what_enters_is_read_or_refused(door: str, name: str) -> None:
    """No input ends in a traceback."""
    with suppress(REFUSED):
        DOORS[door].prepare(name, DOORS[door].inputs[name])()
