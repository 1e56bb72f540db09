"""The worked calculation of a measure on a query, rank by rank, so that anyone can redo it by hand.

The value is the same as in every comparison, and the ranks show its summands. The summands are implemented a second
time, beside the measure, as in a textbook; a test compares their sum with the measure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import SHIFTS, STANDARD, Convention, preset
from rankdash.judged import Order, Pool, Side, are_apart, own_grades, pooled, ranked, ranked_rows, with_own
from rankdash.metrics import Lists, Measure, MeasureError, check_tool, parse_measure, score
from rankdash.metrics.items import ages
from rankdash.metrics.lists import WHOLE, Bools, Floats, Ints, gains, inverse_discount
from rankdash.metrics.rows import ByRank, Worked
from rankdash.records import Shown, frozen, replace
from rankdash.tables import Items, Judgments, Queries, Run

#: The subtopics of a document, and how many documents above it have each.
Seen = tuple[tuple[str, int], ...]


@frozen
class Rank:
    """A document of a list, and its summand in the measure.

    ``rank`` is None where condensed lists leave the document out; ``relevance`` None where it is unjudged. ``discount``
    is the convention's, or the mean of its tie group where that averages over ties; ``hits`` the number of relevant
    documents up to here; ``contribution`` its summand in the numerator (beyond the cutoff too, where k cuts a
    group of equal scores whose gain is averaged) and ``running`` the sum so far.

    For a measure of subtopics, ``subtopics`` names each one that the document is relevant to, with the number of
    relevant documents above. For a measure that reads dates, ``age`` is the age of the document in days; where gains
    fade, its gain has ``factor``.
    """

    rank: int | None
    doc_id: str
    relevance: float | None
    relevant: bool
    gain: float
    discount: float
    hits: int
    contribution: float
    running: float
    counted: bool  # within the cutoff
    tied: bool  # its score equals a neighbour's
    repeated: bool  # the run holds it again for this query; the first counts
    row: int  # of the run's table
    factor: float
    age: float | None
    subtopics: Seen


@frozen
class Ideal:
    """A document of the ideal list."""

    rank: int
    relevance: float
    gain: float
    discount: float
    contribution: float
    running: float
    factor: float  # in its gain, by its age
    age: float | None


@frozen
class Explanation(Shown):
    """A measure's value for one query, with everything that it was computed from.

    ``value`` equals ``above`` / ``below`` to the last digit where the measure is a quotient. ``below`` None: it is not,
    and ``above`` is the value. ``below`` 0: the convention defines the value. ``above`` is the sum over the ranks, for
    IDCG over the ideal list; without a sum no rank contributes. ``value`` None: undefined. ``tied_at_cutoff``: k cuts a
    group of equal scores, so the order of ties decides.
    """

    measure: Measure
    query_id: str
    value: float | None
    above: float
    below: float | None
    below_is: str
    ranks: tuple[Rank, ...]
    ideal: tuple[Ideal, ...]
    relevant: int  # R, of all judgments of the query
    judged: int
    unjudged_shown: int  # in the first k
    tied_at_cutoff: bool
    ideal_gains: tuple[float, ...] = ()  # of the first k documents of the ideal list, for a measure of subtopics

    def __repr__(self) -> str:
        value = "undefined" if self.value is None else f"{self.value:.6g}"
        return f"Explanation({self.measure.name} of {self.query_id!r}: {value})"


def explain(
    run: Run,
    judgments: Judgments,
    measure: str | Measure,
    query_id: str,
    convention: str | Convention = STANDARD,
    *,
    side: Side | None = None,
    items: Items | None = None,
    queries: Queries | None = None,
) -> Explanation:
    """Return the worked calculation of one measure on one query of a run.

    ``items`` and ``queries`` say what is known of documents and the time. A query that the run does not answer has
    an empty list. If the judgments have a column ``only_for``, ``side`` selects the grades of one list, "a" or "b"
    (None: all grades). MeasureError for a measure that does not exist, compares two lists or is computed
    differently by the tool of the convention, and for a query without judgments.
    """
    active = preset(convention) if isinstance(convention, str) else convention
    measure = check_tool(measure if isinstance(measure, Measure) else parse_measure(measure, active), active)
    if measure.compares_lists:
        raise MeasureError(f"{measure.name} compares two lists; it has no calculation of its own.")
    measure = _with_max_grade(measure, judgments)
    judgments = Judgments(judgments.table.take(arrow.from_numpy(_rows(judgments.table, query_id))))
    if not len(judgments.table):
        raise MeasureError(f"The query {query_id!r} has no judgments.")
    rows = _rows(run.table, query_id)
    own = replace(run, table=run.table.take(arrow.from_numpy(rows)))
    pool, order = pooled(judgments).knowing(judgments, items, queries), Order.of(measure.convention)
    in_order = ranked(own, pool, order, depth=min(measure.k or 1, len(rows) or 1))
    mine = np.ones(len(pool.row), bool)
    if side is not None and are_apart(judgments):
        mine = own_grades(judgments, pool, side)
        in_order = with_own(in_order, mine)
    scored, parameters = float(score(in_order.lists, [measure])[0, 0]), dict[str, Any](measure.parameters)
    lists = Lists(in_order.lists, measure.convention, parameters.get("half_life"))
    known = _grades(judgments, pool, mine), _subtopics(judgments, lists, measure)
    ranks, tied_at_cutoff = _walk(own, rows, query_id, known, measure, order, lists)
    value, worked = None if math.isnan(scored) else scored, measure.definition.worked or Worked(None)
    ideal = tuple(_ideal(lists, measure)) if worked.ideal else ()
    added = ranks if worked.adds else ideal
    below, below_is = worked.over(lists, measure.k, **parameters) if worked.over else (None, "")
    steps = worked.ideal_gains(lists, measure.k, **parameters) if worked.ideal_gains else []
    return Explanation(
        measure,
        query_id,
        value,
        added[-1].running if added else 0.0 if measure.definition.worked else value or 0.0,
        below,
        below_is,
        ranks,
        ideal,
        int(lists.judged_relevant[0]),
        int(lists.judged_relevant[0] + lists.judged_nonrelevant[0]),
        sum(rank.relevance is None for rank in ranks if rank.counted),
        tied_at_cutoff,
        tuple(float(gain[0]) for _, gain in steps),
    )


def _with_max_grade(measure: Measure, judgments: Judgments) -> Measure:
    """Return the measure with the largest grade of all judgments, if it takes one: a query alone may have less."""
    own = dict(measure.parameters)
    if own.get("max_grade", 0.0) is not None:
        return measure
    return replace(measure, parameters=tuple({**own, "max_grade": pooled(judgments).judged.largest_grade}.items()))


def _rows(table: pa.Table, query_id: str) -> Ints:
    return arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id)


def _subtopics(judgments: Judgments, lists: Lists, measure: Measure) -> list[Seen]:
    """Return the subtopics of each judged document in the list; none for a measure that does not read them."""
    found: list[Seen] = [()] * len(lists.query)
    if measure.definition.of_subtopics:
        covered = lists.covered(None)
        names = judgments.array("subtopic").dictionary.to_pylist()
        named = lists.subtopics.named[covered.subtopic]
        for row, name, seen in zip(covered.row.tolist(), named.tolist(), covered.seen.tolist(), strict=True):
            found[row] = (*found[row], (names[name], seen))
    return found


def _walk(
    run: Run,
    rows: Ints,
    query_id: str,
    known: tuple[dict[str, float], list[Seen]],
    measure: Measure,
    order: Order,
    lists: Lists,
) -> tuple[tuple[Rank, ...], bool]:
    """Return the list of a query from rank 1 down, and whether the cutoff runs through equal scores.

    ``run`` has the lines of this query alone, and ``rows`` their rows in the whole run.
    """
    convention, (grades, subtopics) = measure.convention, known
    row, first, last = ranked_rows(run, query_id, order)
    doc_ids = run.table.column("doc_id").take(arrow.from_numpy(row)).to_pylist()
    relevance = np.array([grades.get(doc_id, np.nan) for doc_id in doc_ids], np.float64)
    relevance = np.where(relevance < 0, 0.0 if convention.negative == "clip" else np.nan, relevance)
    judged = ~np.isnan(relevance)
    placed = judged if convention.unjudged == "condensed" else np.ones(len(row), bool)
    up_to = np.concatenate(([0], np.cumsum(placed)))
    place, group = up_to[1:] * placed, (up_to[first - 1] + 1, up_to[last])
    worked = measure.definition.worked or Worked(None)
    cut = int(worked.depth(lists)[0]) if worked.depth else measure.k or max(len(row), 1)
    counted, relevant = (place > 0) & (place <= cut), relevance >= convention.rel
    at, age, factor = lists.run.rank - 1, np.full(len(row), None), np.ones(len(row))
    factor[at] = lists.faded(factor[at], lists.run.age)
    age[at] = lists.run.age if measure.fades else None
    if "date" in measure.definition.needs:
        (days,), (is_dated,) = ages(lists, cut)
        age[: len(days)] = np.where(is_dated, days, None)
    gain = gains(np.nan_to_num(relevance), convention.gain) * factor
    if worked.gain is not None:
        gain[judged] = worked.gain(lists, None, **dict(measure.parameters))
    discount, gained = _discounted(measure, worked, gain, place, group, cut)
    by_row: Any = place, judged, relevant, counted, np.cumsum(relevant), np.nan_to_num(relevance), gained, first
    of_query: Any = (int(lists.judged_relevant[0]), int(lists.judged_nonrelevant[0])), dict(measure.parameters)
    step = ByRank(*by_row, *of_query)
    adds = worked.adds(step) if worked.adds else np.zeros(len(row))
    tied, cut_inside = last > first, (group[0] <= cut) & (group[1] > cut)
    per_rank = (relevant, gain, discount, step.hits, adds, np.cumsum(adds), counted, tied)
    columns = (column.tolist() for column in (*per_rank, _repeated(run, doc_ids), rows[row], factor, age))
    of_judged = iter(subtopics)
    about = [next(of_judged) if is_judged else () for is_judged in judged]
    ranks = tuple(
        Rank(at or None, doc_id, None if math.isnan(grade) else grade, *rest)
        for at, doc_id, grade, *rest in zip(place.tolist(), doc_ids, relevance.tolist(), *columns, about, strict=True)
    )
    return ranks, bool((tied & cut_inside).any())


def _discounted(
    measure: Measure, worked: Worked, gain: Floats, place: Ints, group: tuple[Ints, Ints], cut: int
) -> tuple[Floats, Floats]:
    """Return the discount at each rank of a list, and the gain of each document after its discount, (n,) each."""
    shift = SHIFTS[measure.convention.discount] if worked.gain is None else 1
    if worked.discount is not None and worked.gain is None and measure.convention.ties == "average":
        discount = _averaged(worked.discount, shift, place, group, cut)
        return discount, gain * discount
    discount = np.divide(1.0, inverse_discount(place, shift), out=np.zeros(len(place)), where=place > 0)
    gained = gain / (worked.discount or inverse_discount)(np.maximum(place, 1), shift)
    return discount, np.where((place > 0) & (place <= cut), gained, 0.0)


def _averaged(
    inverse: Callable[[Ints, int], Floats | Ints], shift: int, place: Ints, group: tuple[Ints, Ints], cut: int
) -> Floats:
    """Return each document's mean discount over the ranks of its group of equal scores, (n,); ``group`` has the first
    and the last of these ranks.

    It is 0 beyond the cutoff, and where condensed lists leave the document out.
    """
    first, last = group
    up_to = np.append(0.0, np.cumsum(1 / inverse(np.arange(1, int(last.max(initial=0)) + 1), shift)))
    weight = (up_to[np.minimum(last, cut)] - up_to[np.minimum(first - 1, cut)]) / np.maximum(last - first + 1, 1)
    return np.where(place > 0, weight, 0.0)


def _repeated(run: Run, doc_ids: list[str]) -> Bools:
    """Return which documents occur more than once in the run, which has only one query."""
    if len(run.table) == len(doc_ids):
        return np.zeros(len(doc_ids), bool)
    counts = Counter(run.table.column("doc_id").to_pylist())
    return np.array([counts[doc_id] > 1 for doc_id in doc_ids], bool)


def _grades(judgments: Judgments, pool: Pool, mine: Bools) -> dict[str, float]:
    """Return the grade of each document that counts; of two grades the first, of those for subtopics the highest."""
    doc_ids = judgments.table.column("doc_id").take(arrow.from_numpy(pool.row[mine])).to_pylist()
    return dict(zip(doc_ids, pool.relevance[mine].tolist(), strict=True))


def _ideal(lists: Lists, measure: Measure) -> Iterator[Ideal]:
    """Yield the ideal list, as far as it counts."""
    _, rank, gain = lists.ideal
    _, relevance = lists.pool
    factor = lists.faded(np.ones(len(relevance)), lists.pool_age)
    age: Any = lists.pool_age if measure.fades else np.full(len(relevance), None)
    cuts = {"k": measure.k, "min(k,n)": min(measure.k or WHOLE, int(lists.length[0])), "none": None}
    cut = cuts[measure.convention.ideal_cut]
    by_gain = np.argsort(-gains(relevance, measure.convention.gain) * factor, kind="stable")[: len(rank)]
    inverse = inverse_discount(rank, SHIFTS[measure.convention.discount])
    share = gain / inverse
    columns = (rank, relevance[by_gain], gain, 1 / inverse, share, np.cumsum(share), factor[by_gain], age[by_gain])
    for values in zip(*(column[:cut].tolist() for column in columns), strict=True):
        yield Ideal(*values)
