"""Saved comparisons in lists: what tells those of one name apart."""

from __future__ import annotations

from datetime import datetime

import pytest

from rankdash.report.text import told_apart

DAY = datetime(2026, 3, 1, 9, 30, 5)


@pytest.mark.parametrize(
    ("begun", "told"),
    [
        ((DAY, DAY.replace(day=2)), ("2026-03-01", "2026-03-02")),
        ((DAY, DAY.replace(hour=10)), ("2026-03-01 09:30", "2026-03-01 10:30")),
        ((DAY, DAY.replace(second=9)), ("2026-03-01 09:30:05", "2026-03-01 09:30:09")),
        ((DAY, DAY), ("1", "2")),
    ],
)
def test_comparisons_of_one_name_are_told_apart(begun: tuple[datetime, ...], told: tuple[str, ...]) -> None:
    """By the date as exactly as it takes, or a number; a name that stands there once is left alone."""
    wanted = [f"old → new ({told[0]})", "Spring", f"old → new ({told[1]})"]
    assert told_apart(["old → new", "Spring", "old → new"], [begun[0], DAY, begun[1]]) == wanted
