"""Evidence made in a test: from the reference's numbers, or from score vectors."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rankdash.evidence.gsb import gsb
from rankdash.scoring.results import Counts, Graded
from rankdash.verdict import Evidence, VoteNumbers
from rankdash.verdict.records import Numbers, Reading, Severe
from tests.evidence.cases import CASES

#: The reference's names, and ours.
OURS = {"judged_queries": "judged", "common_queries": "common", "queries_with_relevant": "primary_rises"}
_COUNTS = dict.fromkeys((field.name for field in fields(Counts)), 0) | {
    "identical": False,
    "same_file": False,
    "distinct_grades": 4,
    "judged_a": 1.0,
    "judged_b": 1.0,
    "kind": "judged",
    **dict.fromkeys(("ask", "repeated_texts", "likeness")),
}


def reading(numbers: Mapping[str, Any] | None) -> Reading | None:
    """One reading of the reference."""
    if numbers is None:
        return None
    about = {name: numbers["primary"].get(name) for name in ("n", "n_eff", "clusters")}
    guardrails, watch = (tuple(Numbers(**about | row) for row in numbers[kind]) for kind in ("guardrails", "watch"))
    rows = ({"value" if key == "name" else key: one for key, one in row.items()} for row in numbers["segments"])
    severe = None if numbers["severe"] is None else Severe(**numbers["severe"])
    return Reading(
        Numbers(**numbers["primary"]), guardrails, watch, tuple(Numbers(**segment) for segment in rows), severe
    )


def counts(numbers: Mapping[str, Any]) -> Counts:
    """Counts by the reference's names or ours; what is not named is as every check accepts it."""
    named = {OURS.get(name, name): value for name, value in numbers.items()}
    leaks = [named.pop(name, None) for name in ("leak_a", "leak_b")]
    likeness: Any = tuple(None if one is None else Graded(**one) for one in leaks) if any(leaks) else None
    found: dict[str, Any] = {**_COUNTS, "affected": None, "likeness": likeness, **named}
    return Counts(**found)


def evidence(numbers: Mapping[str, Any]) -> Evidence:
    """The evidence of a case of the reference."""
    votes = None if numbers["votes"] is None else votes_numbers(numbers["votes"])
    return Evidence(counts(numbers["data"]), reading(numbers["plain"]), reading(numbers["condensed"]), votes)


def data(n: int, **changes: Any) -> Counts:
    """Data that every check accepts, for n queries."""
    return counts({"judged": n, "common": n, "primary_rises": n, **changes})


def votes_numbers(numbers: Mapping[str, Any]) -> VoteNumbers:
    """Votes of plain numbers; how their interval was made plays no part. Counts alone have that of the counts."""
    found = {name: value for name, value in numbers.items() if name not in ("interval", "look", "raters")}
    return VoteNumbers(**found) if "delta" in found or found.get("n_side") is not None else votes(**found)


def votes(good: int, same: int, bad: int, **more: Any) -> VoteNumbers:
    """Votes with their interval."""
    table = gsb(good, same, bad)
    low, high = table.ci95 or (None, None)
    lower90 = table.ci90[0] if table.ci90 else None
    return VoteNumbers(good, same, bad, table.delta, low, high, lower90, **more)


#: A clean win.
CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])


def primary(**changes: Any) -> Evidence:
    """The clean win with another primary result."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, **changes)))


def checks(**changes: Any) -> Evidence:
    """The clean win with other data checks."""
    assert CLEAN.data is not None
    return replace(CLEAN, data=counts({**vars(CLEAN.data), **changes}))


def plain(**changes: Any) -> Evidence:
    """The clean win with other guardrails, watch measures, segments or severe changes."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, **changes))
