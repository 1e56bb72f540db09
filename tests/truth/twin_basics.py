"""What the twins of the verdict share: statuses, what an outcome is called and returns, and plain numbers."""

from __future__ import annotations

from typing import Any

PASSED, FAILED, OPEN, NONE = "passed", "failed", "not_proven", "not_applicable"
EXIT = {"LAUNCH": 0, "WORSE": 3, "TOO_SMALL": 4, "NOT_PROVEN": 5, "NOT_COMPARABLE": 6}
SCREEN = {"LAUNCH": "Launch", "NOT_PROVEN": "No launch yet"}
HARM = ("H1", "H2", "H3", "H4", "H5")
Row = dict[str, Any]


def side(x: float, limit: float) -> int:
    """Below, at or above a limit, noise aside."""
    apart = round(x - limit, 12)
    return 0 if apart == 0 else 1 if apart > 0 else -1


def least(row: Row) -> float:
    """What gates count: the least of queries, what they are worth, and groups."""
    return min(row[key] for key in ("n", "n_eff", "clusters") if row.get(key) is not None)


def usable(votes: Row | None, policy: Row) -> bool:
    """Whether the votes may speak."""
    if votes is None or votes["delta"] is None or decided(votes) < policy["votes_min"]:
        return False
    return votes["n_side"] is None or votes["n_side"] >= voted(votes) / 2


def voted(votes: Row) -> int:
    """Queries with votes."""
    return int(votes["good"] + votes["same"] + votes["bad"])


def decided(votes: Row) -> int:
    """Queries whose votes prefer one side."""
    return int(votes["good"] + votes["bad"] if votes.get("decided") is None else votes["decided"])


def leaks(data: Row) -> list[str]:
    """The runs that are made of the judgments."""
    found = []
    for run in "ab":
        leak = data.get(f"leak_{run}")
        if leak and leak["judged"] == leak["listed"] and leak["in_grade_order"] == leak["lists"]:
            found += [run.upper()] if leak["two_grades"] >= 30 else []
    return found
