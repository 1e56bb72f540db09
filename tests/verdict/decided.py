"""What the tests of deciding rules share: policies, and evidence with one part replaced."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankdash.policy import Policy
from rankdash.verdict import Evidence, Guardrail, Votes
from rankdash.verdict.fragility import _candidates
from rankdash.verdict.remaining import Differences
from tests.made_evidence import plain

#: What a case expects of the verdict, by attribute.
Expected = dict[str, str]
NO_HARM = Policy(intent="do_no_harm")
CONFIRM = Policy(votes="confirm")
FEW = Policy(n_min=1, changed_min=1, harm_n_min=1, harm_changed_min=1)
BEHIND = {"delta": -0.001, "lower95": -0.012, "upper95": 0.01, "lower90": -0.01, "upper90": 0.008}
ALONE = {"watch": (), "segments": (), "severe": None}


def guarded(*guards: Guardrail, **more: Any) -> Evidence:
    """The clean win with these guardrails, and nothing else that may be harmed unless it is said."""
    return plain(guardrails=guards, **{**ALONE, **more})


def voted(good: int, same: int, bad: int, delta: float, lower: float, upper: float, **more: Any) -> Votes:
    """Votes with an interval that is said."""
    return Votes(good, same, bad, delta, lower, upper, **{"lower90": lower, **more})


def removals(differences: Differences, c: float, up: bool, most: int) -> list[int]:
    """The queries that are taken out one after the other to move mean + c standard errors."""
    rows, gone = _candidates(differences, np.sort), list[int]()
    while len(gone) < most and (row := differences.farthest(rows, c, up=up)) is not None:
        gone.append(row)
        differences.drop(row)
    return gone
