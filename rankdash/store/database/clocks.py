"""Whether the clock was set: what was deleted a moment ago must not look a month old.

Linux counts the seconds since it was started, whatever the clock says. The clock less this count is the moment of the
start; while the machine runs, it differs only as far as the clock was set in between.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

#: The id of this start of the machine, and the seconds since then.
_START, _SINCE = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/uptime")


def clock(at: datetime) -> str:
    """Return the reading of the clock at a moment, for ``was_set``; "" where the system does not give it."""
    with suppress(OSError, ValueError, IndexError):
        return f"{_START.read_text().strip()} {at.timestamp() - float(_SINCE.read_text().split()[0]):.0f}"
    return ""


def was_set(then: str | None, now: str) -> timedelta:
    """Return how far the clock was set forward between two moments, by what ``clock`` returned at each; 0 where the
    machine was started in between or is another machine, for then only its clock can be believed.
    """
    (first, _, before), (second, _, after) = (text.partition(" ") for text in (then or "", now))
    return timedelta(seconds=float(after) - float(before)) if first == second != "" else timedelta(0)
