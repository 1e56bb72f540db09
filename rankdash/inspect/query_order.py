"""The queries in order: by the difference of a measure, and by how much several candidates disagree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.records import frozen
from rankdash.scoring import Comparison, Rankings

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: As many of the largest losses, and of the largest gains, are named.
EXTREMES = 5


@frozen
class Changes:
    """A measure per query, largest loss first: the largest fall, or the largest rise where less is better.

    Axis n: the queries of the policy's population that have a delta. ``texts`` is "" where no file has the text.
    """

    query_ids: Sequence[str]
    texts: Sequence[str]
    query: Ints  # (n,) which query of the comparison
    a: Floats
    b: Floats
    delta: Floats
    good: int = 1  # the sign of an improvement, 0 without judgments

    def __len__(self) -> int:
        return len(self.query_ids)

    @property
    def gain(self) -> Floats:
        """The differences, above 0 where B is better."""
        return self.good * self.delta

    def evenly(self, most: int) -> Ints:
        """Return places of at most ``most`` queries, spread evenly over the order, with both ends."""
        spread = np.linspace(0, len(self) - 1, min(most, len(self)))
        places: Ints = np.unique(np.rint(spread)).astype(np.int64)
        return places

    def largest(self, most: int = EXTREMES) -> tuple[Ints, Ints]:
        """Return places of the largest losses and of the largest gains, at most ``most`` each, the largest first."""
        losses: Ints = np.flatnonzero(self.gain < 0)[:most].astype(np.int64)
        gains: Ints = np.flatnonzero(self.gain > 0)[::-1][:most].astype(np.int64)
        return losses, gains


def changes(comparison: Comparison) -> Changes:
    """Return the deltas of the primary measure, largest loss first; of equal deltas, in the order of the judgments."""
    return sorted_changes(comparison, comparison.scores_a[0], comparison.scores_b[0], comparison.deltas[0])


def sorted_changes(comparison: Comparison, a: Floats, b: Floats, delta: Floats, good: int = 1) -> Changes:
    """Return the changes of any values of A and of B with their differences, (q,) each, in the same order."""
    defined = np.flatnonzero(comparison.counted & ~np.isnan(delta))
    query: Ints = defined[np.argsort(good * delta[defined], kind="stable")].astype(np.int64)
    ids = arrow.Strings(comparison.scored.query_ids)
    return Changes(ids.take(query), _texts(comparison, query), query, a[query], b[query], delta[query], good)


@frozen
class Disagreement:
    """A query on which candidates differ: its text, "" where no file has it, and the values of A and each candidate."""

    query_id: str
    text: str
    values: tuple[float, ...]


def disagreements(compared: Sequence[Comparison], most: int = 2) -> tuple[int, tuple[Disagreement, ...]]:
    """Return how many queries some candidates of one A win and others lose, and those with the widest spread."""
    first = compared[0]
    ids = first.scored.query_ids
    rows = []
    for one in compared:
        at = arrow.positions(ids, one.scored.query_ids)
        counts = (at >= 0) & one.counted[at]
        rows.append(np.where(counts, np.stack((one.deltas[0], one.scores_b[0]))[:, at], np.nan))
    delta, value = np.stack(rows, axis=1)
    differ = np.flatnonzero((delta > 0).any(axis=0) & (delta < 0).any(axis=0))
    spread = np.nanmax(value[:, differ], axis=0) - np.nanmin(value[:, differ], axis=0)
    widest: Ints = differ[np.argsort(-spread, kind="stable")[:most]].astype(np.int64)
    values = np.vstack((first.scores_a[0], value))[:, widest].T.tolist()
    texts = _texts(first, widest)
    return len(differ), tuple(map(Disagreement, arrow.Strings(ids).take(widest), texts, map(tuple, values)))


def _texts(comparison: Comparison, query: Ints) -> arrow.Strings:
    """Return the texts of some queries of the comparison, "" where there is none."""
    texts = query_texts(comparison)
    if not texts:
        return arrow.Strings(pa.repeat(pa.scalar("", pa.string()), len(query)))
    every = arrow.Strings(arrow.from_strings([texts.get(query_id, "") for query_id in comparison.query_ids]))
    return every.take(query)


def query_texts(comparison: Comparison) -> dict[str, str]:
    """Return the text of each query that has one, by id: of the table of queries, else its first row in A or else B."""
    texts = comparison.facts.texts
    of_queries = {name: text for name, text in zip(comparison.query_ids, texts, strict=True) if text} if texts else {}
    return (_texts_of_runs(comparison.joined) if comparison.has_lists else {}) | of_queries


def _texts_of_runs(joined: Rankings) -> dict[str, str]:
    texts: dict[str, str] = {}
    for run in (joined.b, joined.a):
        if "query_text" not in run.table.column_names:
            continue
        ids = run.array("query_id")
        first = np.full(len(ids.dictionary), -1, np.int64)
        first[arrow.codes(ids)[::-1]] = np.arange(len(ids))[::-1]
        used = np.flatnonzero(first >= 0)
        names = ids.dictionary.take(arrow.from_numpy(used)).to_pylist()
        of_run = run.table.column("query_text").take(arrow.from_numpy(first[used])).to_pylist()
        texts |= {name: text for name, text in zip(names, of_run, strict=True) if text}
    return texts
