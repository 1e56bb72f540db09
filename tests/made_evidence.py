"""Evidence made in a test: from the reference's numbers, or from score vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rankdash.evidence.paired import Paired, deltas, paired
from rankdash.evidence.votes import gsb
from rankdash.verdict import DataChecks, Evidence, Guardrail, Leak, Primary, Reading, Segment, Severe, Votes, Watch
from tests.evidence.cases import CASES


def reading(numbers: Mapping[str, Any] | None) -> Reading | None:
    """One reading of the reference."""
    if numbers is None:
        return None
    return Reading(
        primary=Primary(**numbers["primary"]),
        guardrails=tuple(Guardrail(**row) for row in numbers["guardrails"]),
        watch=tuple(Watch(**row) for row in numbers["watch"]),
        segments=tuple(Segment(**row) for row in numbers["segments"]),
        severe=None if numbers["severe"] is None else Severe(**numbers["severe"]),
    )


def evidence(numbers: Mapping[str, Any]) -> Evidence:
    """The evidence of a case of the reference."""
    leaks = {
        name: None if value is None else Leak(**value) for name, value in numbers["data"].items() if "leak" in name
    }
    return Evidence(
        data=DataChecks(**{**numbers["data"], **leaks}),
        plain=reading(numbers["plain"]),
        condensed=reading(numbers["condensed"]),
        votes=None if numbers["votes"] is None else Votes(**numbers["votes"]),
    )


def data(n: int, **changes: Any) -> DataChecks:
    """Data that every check accepts, for n queries."""
    checks = DataChecks(
        judged_queries=n,
        common_queries=n,
        missing_a=0,
        missing_b=0,
        queries_with_relevant=n,
        distinct_grades=4,
        unjudged_shown=0,
        identical=False,
        kind="judged",
        judged_a=1.0,
        judged_b=1.0,
    )
    return replace(checks, **changes)


def tested(found: Paired) -> dict[str, Any]:
    """What the rules read of a guardrail or a watch measure."""
    return {name: getattr(found, name) for name in ("delta", "changed", "lower90", "upper90", "p_harm", "p_flip")}


def from_scores(scores: Mapping[str, tuple[Any, Any]], votes: Votes | None = None, **checks: Any) -> Evidence:
    """Evidence of score vectors {measure: (a, b)}: the first is the primary, AP a guardrail, the others watched."""
    results = {name: paired(a, b) for name, (a, b) in scores.items()}
    name, primary = next(iter(results.items()))
    changes = deltas(*scores[name])
    found = Reading(
        primary=Primary(
            n=primary.n,
            changed=primary.changed,
            wins=primary.wins,
            losses=primary.losses,
            delta=primary.delta,
            lower95=primary.lower95,
            upper95=primary.upper95,
            lower90=primary.lower90,
            upper90=primary.upper90,
            mean_a=primary.mean_a,
            mean_b=primary.mean_b,
            mde80=primary.mde80,
            p_flip=primary.p_flip,
            required_n_mpe=primary.required_n_mpe,
            required_n_seen=primary.required_n_seen,
        ),
        guardrails=tuple(Guardrail(key, **tested(r)) for key, r in results.items() if key == "AP"),
        watch=tuple(Watch(key, **tested(r)) for key, r in results.items() if key not in (name, "AP")),
        severe=Severe(int(np.sum(changes >= 0.2)), int(np.sum(changes <= -0.2))),
    )
    return Evidence(data(primary.n, **checks), found, None, votes)


def votes_numbers(numbers: Mapping[str, Any]) -> Votes:
    """Votes of plain numbers."""
    return Votes(**numbers)


def votes(good: int, same: int, bad: int, **more: Any) -> Votes:
    """Votes with their interval."""
    table = gsb(good, same, bad)
    low, high = table.ci95 or (None, None)
    lower90 = table.ci90[0] if table.ci90 else None
    return Votes(good, same, bad, table.delta, low, high, lower90, **more)


#: What a reading says where B changes nothing at all.
UNCHANGED: dict[str, Any] = {"changed": 0, "wins": 0, "losses": 0, "delta": 0.0} | dict.fromkeys(
    ("lower95", "upper95", "lower90", "upper90")
)
#: A clean win.
CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])


def primary(**changes: Any) -> Evidence:
    """The clean win with another primary result."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, **changes)))


def checks(**changes: Any) -> Evidence:
    """The clean win with other data checks."""
    assert CLEAN.data is not None
    return replace(CLEAN, data=replace(CLEAN.data, **changes))


def plain(**changes: Any) -> Evidence:
    """The clean win with other guardrails, watch measures, segments or severe changes."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, **changes))
