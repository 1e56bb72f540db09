"""Comparisons side by side: which of them are comparable, what differs, Holm over the candidates, and a trend.

Pure functions of frozen records. Two comparisons are comparable where queries and their weights, judgments, convention,
cutoff and policy are the same; that is a matter of content, never of file names. So comparable comparisons fall into
groups, and whichever of a group is the reference, the others of the group are comparable with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.case import content_digest
from rankdash.conventions import number
from rankdash.evidence.multiple import holm
from rankdash.judged import Pool
from rankdash.judged.pool import fingerprints, pair_prints
from rankdash.policy import Policy
from rankdash.policy.fields import FIELDS
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store.records import Saved
from rankdash.wording import count

Floats = npt.NDArray[np.float64]
Aspect = Literal["queries", "weights", "judgments", "convention", "cutoff", "policy"]

#: Weights are shares of their sum; shares that differ by less are equal but for rounding.
_SAME_SHARE = 1e-12
_NAMED_APART = ("convention", "cutoff")
#: What is measured where there are only votes.
_VOTES = "ΔGSB"


@dataclass(frozen=True)
class Comparand:
    """One comparison as it stands beside others.

    ``baseline`` and ``candidate`` are the content digests of the lists of A and B as they were compared; "" where there
    are only votes. ``query_ids`` (q,) are the judged queries, those with votes where there are only votes. ``weights``
    (q,) is None where queries are not weighted. ``pool`` is None where there are only votes, whose measure is ΔGSB.
    ``p`` is the two-sided p-value of ``delta``.
    """

    id: str
    at: datetime
    baseline: str
    candidate: str
    query_ids: pa.Array
    weights: Floats | None
    pool: Pool | None
    convention: Mapping[str, Any]
    policy: Policy
    measure: str
    n: int
    delta: float | None
    lower: float | None
    upper: float | None
    p: float | None


@dataclass(frozen=True)
class Difference:
    """One thing in which a comparison differs from the reference: in how many queries, grades, axes or fields."""

    aspect: Aspect
    count: int
    sentence: str


@dataclass(frozen=True)
class Tried:
    """One candidate among the others that were tried against the same baseline.

    ``holm_p`` is None where there is no p-value. ``tried`` counts the tests of the family, those without a p-value too.
    """

    id: str
    p: float | None
    holm_p: float | None
    tried: int


def entry_of(saved: Saved, comparison: Comparison | VotesAlone) -> Comparand:
    """Return a saved comparison as it is put beside others; ``comparison`` is what ``comparison_of`` made of it."""
    if isinstance(comparison, VotesAlone):
        gsb = comparison.votes.gsb
        ids = arrow.from_strings(sorted(set(comparison.vote_rows.table.column("query_id").to_pylist())))
        ends = gsb.ci95 or (None, None)
        numbers = (gsb.good + gsb.same + gsb.bad, gsb.delta, *ends, gsb.p)
        return Comparand(saved.id, saved.changed, "", "", ids, None, None, {}, comparison.policy, _VOTES, *numbers)
    paired, scored = comparison.primary.paired, comparison.scored
    numbers = (paired.n, paired.delta, paired.lower95, paired.upper95, paired.t_p)
    axes = comparison.convention.spelled_out()
    data = (scored.query_ids, comparison.facts.weights, comparison.joined.pool, axes, comparison.policy)
    a, b = content_digest(comparison.a), content_digest(comparison.b)
    return Comparand(saved.id, saved.changed, a, b, *data, comparison.primary.measure, *numbers)


def differences(entry: Comparand, reference: Comparand) -> tuple[Difference, ...]:
    """Return everything in which a comparison differs from the reference; nothing where the two are comparable."""
    return tuple(
        Difference(aspect, n, sentence)
        for aspect, differ in _ASPECTS.items()
        for n, sentence in differ(entry, reference)
    )


def comparable(entries: Iterable[Comparand], reference: Comparand) -> tuple[Comparand, ...]:
    """Return those that are comparable with the reference, in the order given."""
    return tuple(entry for entry in entries if not differences(entry, reference))


def trend(entries: Iterable[Comparand], reference: Comparand) -> tuple[Comparand, ...]:
    """Return the points of a line over time: comparable ones with a value, oldest first; nothing where there are fewer
    than 2.

    A comparison that was chosen twice gives one point.
    """
    chosen = {entry.id: entry for entry in entries if entry.delta is not None}
    points = sorted(comparable(chosen.values(), reference), key=lambda entry: (entry.at, entry.id))
    return tuple(points) if len(points) > 1 else ()


def tried(entries: Iterable[Comparand]) -> tuple[Tried, ...]:
    """Return Holm's adjusted p-value of each candidate among all that were given with the same baseline, in the order
    given.

    The same candidate on the same data under the same policy is one test, however often it was chosen.
    """
    given = list(entries)
    adjusted: dict[str, Tried] = {}
    for family in _grouped(given, _have_one_baseline):
        tests = _grouped(family, _are_one_test)
        p_values = [test[0].p for test in tests]
        for test, p in zip(tests, holm([np.nan if p is None else p for p in p_values]), strict=True):
            for entry in test:
                adjusted[entry.id] = Tried(entry.id, entry.p, None if np.isnan(p) else float(p), len(tests))
    return tuple(adjusted[entry.id] for entry in given)


def _grouped(entries: Iterable[Comparand], are_alike: Callable[[Comparand, Comparand], bool]) -> list[list[Comparand]]:
    """Return entries in groups, of which each is like another one of its group."""
    groups: list[list[Comparand]] = []
    for entry in entries:
        own = [group for group in groups if any(are_alike(entry, other) for other in group)]
        groups = [group for group in groups if group not in own] + [[*chain.from_iterable(own), entry]]
    return groups


def _have_one_baseline(entry: Comparand, other: Comparand) -> bool:
    return entry.id == other.id or entry.baseline == other.baseline != ""


def _are_one_test(entry: Comparand, other: Comparand) -> bool:
    same = entry.candidate == other.candidate != ""
    return (entry.id == other.id or same) and not differences(entry, other)


# --- the aspects: each returns at most one (count, sentence) ---------------------------------------------------------

_Findings = Sequence[tuple[int, str]]


def _queries(entry: Comparand, reference: Comparand) -> _Findings:
    both = int((_places(entry, reference) >= 0).sum())
    more, fewer = len(entry.query_ids) - both, len(reference.query_ids) - both
    return _if_any(
        more + fewer,
        f"Queries: {count(more)} only here, {count(fewer)} only in the reference, {count(both)} in both.",
    )


def _weights(entry: Comparand, reference: Comparand) -> _Findings:
    """Compare weights over the queries that both have: what each of these weighs among them."""
    if entry.weights is None and reference.weights is None:
        return ()
    places = _places(entry, reference)
    here = np.flatnonzero(places >= 0)
    shares = [_shares(entry.weights, here), _shares(reference.weights, places[here])]
    differ = int((np.abs(shares[0] - shares[1]) > _SAME_SHARE).sum())
    return _if_any(differ, f"Weights: {count(differ, 'query weighs', 'queries weigh')} more or less than there.")


def _shares(weights: Floats | None, at: npt.NDArray[np.int64]) -> Floats:
    taken = np.ones(len(at)) if weights is None else weights[at]
    total = taken.sum()
    shares: Floats = taken / total if total else taken
    return shares


def _judgments(entry: Comparand, reference: Comparand) -> _Findings:
    """Compare grades on the queries that both have; the first of several grades for one document counts."""
    if _VOTES in (entry.measure, reference.measure):
        return _if_any(int(entry.measure != reference.measure), "Judgments: one of the two has only votes.")
    if entry.pool is None or reference.pool is None:
        return ()
    regraded, more, fewer = _grade_differences(entry.pool, reference.pool)
    return _if_any(
        regraded + more + fewer,
        f"Judgments: {count(regraded, 'grade differs', 'grades differ')}, {count(more)} only here, "
        f"{count(fewer)} only in the reference.",
    )


def _grade_differences(pool: Pool, other: Pool) -> tuple[int, int, int]:
    """Return how many grades differ on the queries that both judge, how many only ``pool`` has, and how many only
    ``other``.
    """
    places = arrow.positions(pool.query_ids, other.query_ids)
    rows = np.flatnonzero(places[pool.query] >= 0)
    text = pool.index.text
    prints = pair_prints(fingerprints(text, pool.row[rows]), places[pool.query[rows]])
    matches = other.index.find(prints, text, pool.row[rows])
    both = matches >= 0
    regraded = int((pool.relevance[rows[both]] != other.relevance[matches[both]]).sum())
    shared = np.zeros(other.queries, bool)
    shared[places[places >= 0]] = True
    met = int(both.sum())
    return regraded, len(rows) - met, int(shared[other.query].sum()) - met


def _convention(entry: Comparand, reference: Comparand) -> _Findings:
    both = entry.convention and reference.convention  # votes have none
    return _fields("Convention", entry.convention, reference.convention) if both else ()


def _cutoff(entry: Comparand, reference: Comparand) -> _Findings:
    here, there = entry.policy.cutoff, reference.policy.cutoff
    return _if_any(int(here != there), f"Cutoff: {here}, not {there}.")


def _policy(entry: Comparand, reference: Comparand) -> _Findings:
    here, there = (
        {_label(name): value for name, value in comparand.policy.to_dict().items() if name not in _NAMED_APART}
        for comparand in (entry, reference)
    )
    return _fields("Policy", here, there)


def _label(name: str) -> str:
    """Return what people call a field of a policy, inside of a sentence."""
    label = FIELDS[name].label if name in FIELDS else name
    return label[0].lower() + label[1:] if label[0].isascii() else label


def _fields(what: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> _Findings:
    names = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    values = "; ".join(f"{name} {_said(here.get(name))}, not {_said(there.get(name))}" for name in names)
    return _if_any(len(names), f"{what}: {values}.")


def _said(value: Any) -> str:
    """Return a value of a policy or convention in a sentence."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_said(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(
            " ".join(map(_said, item)) if isinstance(item, (list, tuple)) else _said(item) for item in value
        )
    return "none" if value in (None, "") else str(value)


def _places(entry: Comparand, reference: Comparand) -> npt.NDArray[np.int64]:
    """Return where each query stands in the reference, (q,); -1 where it does not."""
    return arrow.positions(entry.query_ids, reference.query_ids)


def _if_any(n: int, sentence: str) -> _Findings:
    return ((n, sentence),) if n else ()


_ASPECTS: Mapping[Aspect, Callable[[Comparand, Comparand], _Findings]] = {
    "queries": _queries,
    "weights": _weights,
    "judgments": _judgments,
    "convention": _convention,
    "cutoff": _cutoff,
    "policy": _policy,
}
