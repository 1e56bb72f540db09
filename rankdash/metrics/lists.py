"""The arrays that every measure is computed from, and what a convention makes of them: the gain of a grade, and the
discount of a rank.

``judged/`` matches a run with its judgments once; from then on a comparison is flat arrays over queries and over the
judged documents in the lists. Documents without a judgment are not in the arrays: their gain is 0, and the ranks of the
others show where they stood. A measure is then a few operations on rows sorted by query, whatever their number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rankdash.conventions import LARGEST_GAIN, Convention, Gains
from rankdash.records import cached_property, field, frozen, replace

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


#: 2^30 - 1 is the largest gain that is still a sensible number; LightGBM and RankLib stop near it too.
LARGEST_EXP2_GRADE = 30


class MeasureError(ValueError):
    """A measure that cannot be computed as asked: an unknown name, a missing cutoff, a grade out of range."""


class NotComputed(MeasureError, KeyError):
    """A measure that exists, looked up in a comparison that does not hold it."""

    __str__ = Exception.__str__  # KeyError's puts the sentence into quotation marks


def gains(relevance: Floats, gain: str | Gains) -> Floats:
    """Return gains of grades, same shape, >= 0. Relevance <= 0 gains 0. MeasureError for grades too large to add."""
    if isinstance(gain, Gains):
        from_table = np.zeros(len(relevance))
        for grade, value in gain.table:  # a handful of grades, however many documents
            if grade > 0:
                from_table[relevance == grade] = value
        return from_table
    positive = np.maximum(relevance, 0.0)
    largest = float(positive.max(initial=0.0))
    if gain == "linear":
        if largest > LARGEST_GAIN:
            raise MeasureError(
                f"The grade {largest:g} is too large to be added up; the largest is {LARGEST_GAIN:g}. "
                "Use smaller grades, or a table of gains."
            )
        return positive
    if largest > LARGEST_EXP2_GRADE:
        raise MeasureError(
            f"The grade {largest:g} is too large for the gain 2^grade - 1; the largest is {LARGEST_EXP2_GRADE}. "
            "Use the gain linear, or a table of gains."
        )
    return np.exp2(positive) - 1.0


def inverse_discount(rank: Ints, shift: int) -> Floats:
    """Return what a gain is divided by at each rank, same shape, >= 1: log2(rank + shift)."""
    return np.log2(np.maximum(rank + shift, 2))


def same_as_before(*keys: npt.NDArray[Any]) -> Bools:
    """Return whether each row equals the row above it in all keys, (rows,); False for the first row."""
    same = np.zeros(len(keys[0]), bool)
    if len(same):
        same[1:] = np.logical_and.reduce([key[1:] == key[:-1] for key in keys])
    return same


def segment_starts(query: Ints) -> Ints:
    """Return the row at which the query of each row begins, (rows,); the column is sorted by query."""
    starts = np.flatnonzero(~same_as_before(query))
    return np.repeat(starts, np.diff(starts, append=len(query)))


def positions(query: Ints) -> Ints:
    """Return the position of each row within its query, from 1, (rows,)."""
    return np.arange(1, len(query) + 1) - segment_starts(query)


def running_count(marked: Bools, query: Ints) -> Ints:
    """Return the number of marked rows up to and with each row, within its query, (rows,)."""
    total = np.cumsum(marked)
    return total - np.concatenate(([0], total))[segment_starts(query)]


def product_before(values: Floats, query: Ints) -> Floats:
    """Return the product of the values above each row, within its query, (rows,); 1 for its first row.

    Doubling: after pass s each row holds the product of the last 2^s values above it. No logarithms, so nothing is
    lost.
    """
    place = positions(query) - 1
    product = np.where(place > 0, np.concatenate((values[:1], values[:-1])), 1.0)
    step = 1
    while step <= place.max(initial=0):
        reaches = np.flatnonzero(place >= step)
        product[reaches] = product[reaches] * product[reaches - step]
        step *= 2
    return product


T = TypeVar("T")
WHOLE = np.iinfo(np.int64).max  # the cutoff of a measure without one
#: Half-lives after which a gain fades no more.
_LONGEST = 1000
_KEPT = 64  # arrays over all queries that a pool keeps


@frozen
class Subtopics:
    """The subtopics of judged documents, as flat arrays over p: ascending by document, and so by query."""

    document: Ints  # (p,) which judgment of the pool
    subtopic: Ints  # (p,) a number for each subtopic of a query, counted through all queries
    named: Ints  # (s,) which name each of these numbers has, among those of the judgments
    by_id: Callable[[Ints], Ints]  # the places of judgments by query, and within a query by id, descending

    def pairs(self, documents: Ints) -> tuple[Ints, Ints]:
        """Return which of the documents each of their pairs has, and which pair here it is, two (c,)."""
        size = np.bincount(self.document, minlength=int(documents.max(initial=-1)) + 1)
        many = size[documents]
        row = np.repeat(np.arange(len(documents)), many)
        first = (np.cumsum(size) - size)[documents] - (np.cumsum(many) - many)
        return row, np.arange(len(row)) + first[row]


@frozen
class Covered:
    """The subtopics that the documents in the lists are relevant to, by rank. Axis c: pairs (document, subtopic)."""

    row: Ints  # (c,) which of the judged documents in the lists
    subtopic: Ints  # (c,)
    seen: Ints  # (c,) documents above it that are relevant to the subtopic


@frozen
class Listed:
    """The first ranks of the lists as items of a table. Axes: q, d first ranks, i items and one more for an unknown.

    ``known`` returns a column of the items, (i,) or (i, …); None where the table has none.
    """

    item: Ints  # (q, d) which item it is; -1 where it is none, or the list has ended
    time: Floats | None  # (q,) the time of the query, in days since 1970; None unless all are known
    items: int
    known: Callable[[str], Any]


@frozen
class JudgedPool:
    """All judgments, as flat arrays over j: ascending by query and within a query by relevance, highest first.

    Both runs of a comparison share a pool, and what measures derive from it - ideal lists, R - is computed once.
    """

    query: Ints  # (j,)
    relevance: Floats  # (j,) as judged, negative ones too
    whole: JudgedPool | None = None  # None, or all judgments, of which these are for one list only
    subtopics: Callable[[float], Subtopics] | None = None  # where there are some: those of grades of at least that
    age: Floats | None = None  # (j,) days, where dates and times are known
    _made: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def part(self, kept: Bools) -> JudgedPool:
        """Return some of the judgments, (j,); their largest grade stays that of all judgments."""
        age = None if self.age is None else self.age[kept]
        return JudgedPool(self.query[kept], self.relevance[kept], self.whole or self, age=age)

    @property
    def largest_grade(self) -> float:
        """The largest grade in all judgments, 0 where none is positive: A and B share it whatever each list holds."""
        return float((self.whole or self).relevance.max(initial=0.0))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` returns; it is called once for a key, as long as the result is kept."""
        if key not in self._made:
            if len(self._made) >= _KEPT:
                self._made.clear()
            self._made[key] = make()
        made: T = self._made[key]
        return made


@frozen
class JudgedRun:
    """The ranked lists of a run against the judgments, as flat arrays.

    Axes: q over the queries of the judgments; h over *hits*, the judged documents in the lists, ascending by query
    and within a query by rank. Duplicates are gone and ties are broken; ``tie_first`` and ``tie_last`` keep the ranks
    of the group of equal scores that a hit stood in (both equal to ``rank`` where there was no tie).
    """

    length: Ints  # (q,) documents in the list; 0: the run has no list for this query
    query: Ints  # (h,)
    rank: Ints  # (h,) from 1
    tie_first: Ints  # (h,)
    tie_last: Ints  # (h,)
    relevance: Floats  # (h,) as judged, negative ones too
    pool: JudgedPool
    document: Ints  # (h,) which judgment of the pool, of all where these are a part, each hit is
    age: Floats | None = None  # (h,) days, where dates and times are known
    listed: Listed | None = None  # where there is a table of items

    @property
    def queries(self) -> int:
        """The number of queries in the judgments."""
        return len(self.length)


@frozen
class Relevant:
    """The relevant documents in the lists, ascending by query and within a query by rank. Axis r over them."""

    row: Ints  # (r,) which of the judged documents in the lists each is
    query: Ints  # (r,)
    rank: Ints  # (r,)

    @cached_property
    def number(self) -> Ints:
        """The number of relevant documents down to each, (r,), from 1: hits(rank)."""
        return positions(self.query)


@frozen
class Lists:
    """A ``JudgedRun`` under a convention: relevance, ranks, gains and counts as the measures read them."""

    run: JudgedRun
    convention: Convention
    half_life: float | None = None  # days in which a gain fades to half
    _covered: dict[int | None, Covered] = field(default_factory=dict, init=False, repr=False, compare=False)

    def fading(self, half_life: float | None) -> Lists:
        """Return the same lists with gains that fade; these where ``half_life`` is None."""
        return self if half_life is None else replace(self, half_life=half_life)

    def faded(self, gain: Floats, age: Floats | None) -> Floats:
        """Return gains by the ages of their documents, same shape. From 1,000 half-lives on they fade no more: a gain
        above 0 stays above 0.
        """
        if self.half_life is None or age is None:
            return gain
        return gain * np.exp2(-np.minimum(age / self.half_life, _LONGEST))

    @property
    def listed(self) -> Listed:
        """The first ranks as items; a measure that reads them is computed where there are some."""
        assert self.run.listed is not None
        return self.run.listed

    @property
    def by_rank(self) -> tuple[Ints, Floats]:
        """Rank and relevance of each judged document, two (h,), whatever condensed lists leave out."""
        return self._of_hits(self.run.rank), self.relevance

    @cached_property
    def _kept(self) -> Bools | None:
        """The hits that count as judged, (h,); None where all of them do."""
        negative = self.run.relevance < 0
        return ~negative if self.convention.negative == "unjudged" and negative.any() else None

    def _of_hits(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values if self._kept is None else values[self._kept]

    @cached_property
    def query(self) -> Ints:
        """Query of each judged document in the lists, (h,)."""
        return self._of_hits(self.run.query)

    @cached_property
    def relevance(self) -> Floats:
        """Relevance of each judged document in the lists, (h,), >= 0."""
        relevance: Floats = np.maximum(self._of_hits(self.run.relevance), 0.0)
        return relevance

    @cached_property
    def _place(self) -> Ints:
        """Position of each judged document among the judged documents of its list, (h,), from 1."""
        return positions(self.query)

    @cached_property
    def rank(self) -> Ints:
        """Rank of each judged document, (h,), from 1; in condensed lists, the rank among judged documents."""
        if self.convention.unjudged == "condensed":
            return self._place
        return self._of_hits(self.run.rank)

    def within(self, k: int | None) -> Bools:
        """Return whether each judged document is among the first k of its list, (h,); without k, all are."""
        return self.rank <= (k or WHOLE)

    @cached_property
    def tie_span(self) -> tuple[Ints, Ints]:
        """First and last rank of the group of equal scores of each judged document, two (h,)."""
        first, last = self._of_hits(self.run.tie_first), self._of_hits(self.run.tie_last)
        if self.convention.unjudged != "condensed":
            return first, last
        group = np.cumsum(~same_as_before(self.query, first)) - 1
        starts = np.flatnonzero(~same_as_before(self.query, first))
        sizes = np.bincount(group, minlength=len(starts))
        return self._place[starts][group], (self._place[starts] + sizes - 1)[group]

    @cached_property
    def length(self) -> Ints:
        """Documents in each list, (q,)."""
        if self.convention.unjudged == "condensed":
            return np.bincount(self.query, minlength=self.run.queries)
        return self.run.length

    @cached_property
    def gain(self) -> Floats:
        """Gain of each judged document in the lists, (h,), >= 0."""
        age = None if self.run.age is None else self._of_hits(self.run.age)
        return self.faded(gains(self.relevance, self.convention.gain), age)

    @cached_property
    def relevant(self) -> Bools:
        """Whether each judged document in the lists is relevant, (h,)."""
        return self._relevant(self.relevance)

    @cached_property
    def hits(self) -> Relevant:
        """The relevant documents in the lists."""
        rows = np.flatnonzero(self.relevant)
        return Relevant(rows, self.query[rows], self.rank[rows])

    def _relevant(self, relevance: Floats) -> Bools:
        return relevance >= self.convention.rel

    @cached_property
    def _judgments(self) -> tuple[Ints, Floats]:
        def make() -> tuple[Ints, Floats]:
            query, relevance = self.run.pool.query, self.run.pool.relevance
            if self.convention.negative == "clip":
                return query, np.maximum(relevance, 0.0)
            judged = relevance >= 0
            return (query, relevance) if judged.all() else (query[judged], relevance[judged])

        return self.run.pool.once(("judgments", self.convention.negative), make)

    @cached_property
    def pool(self) -> tuple[Ints, Floats]:
        """Query and relevance of the documents that the ideal list is made from, two (p,), ascending by query."""
        return (self.query, self.relevance) if self.convention.ideal == "retrieved" else self._judgments

    @property
    def pool_age(self) -> Floats | None:
        """The ages of the documents that the ideal list is made from, (p,); None where they are not known."""
        whole, age = self.run.pool, self.run.pool.age
        if self.convention.ideal == "retrieved":
            return None if self.run.age is None else self._of_hits(self.run.age)
        return age if age is None or self.convention.negative == "clip" else age[whole.relevance >= 0]

    def of_pool(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` derives from the pool of the ideal, once for both runs where that is all judgments."""
        if self.convention.ideal == "retrieved":
            return make()
        return self.run.pool.once((key, self.convention.negative, self.convention.gain, self.half_life), make)

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Floats]:
        """The ideal lists: query, rank and gain of every document with a gain > 0, three (i,)."""
        return self.of_pool("ideal", self._ideal)

    def _ideal(self) -> tuple[Ints, Ints, Floats]:
        query, relevance = self.pool
        gain = self.faded(gains(relevance, self.convention.gain), self.pool_age)
        positive = np.flatnonzero(gain > 0)
        query, gain = query[positive], gain[positive]
        if ((gain[1:] > gain[:-1]) & (query[1:] == query[:-1])).any():
            order = np.lexsort((-gain, query))
            query, gain = query[order], gain[order]
        return query, positions(query), gain

    @cached_property
    def pool_relevant(self) -> Ints:
        """Relevant documents in the pool of the ideal, (q,): the R of AP."""
        if self.convention.ideal == "judged":
            return self.judged_relevant
        query, relevance = self.pool
        return self.count(query[self._relevant(relevance)])

    @cached_property
    def judged_relevant(self) -> Ints:
        """Relevant documents among all judgments, (q,): R."""

        def make() -> Ints:
            query, relevance = self._judgments
            return self.count(query[self._relevant(relevance)])

        return self.run.pool.once(("R", self.convention.negative, self.convention.rel), make)

    @cached_property
    def judged_nonrelevant(self) -> Ints:
        """Judged documents that are not relevant, (q,): N."""
        query, relevance = self._judgments
        return self.count(query[~self._relevant(relevance)])

    @cached_property
    def positive_grades(self) -> Ints:
        """Documents of the pool with a positive grade, (q,)."""
        query, relevance = self.pool
        return self.count(query[relevance > 0])

    @cached_property
    def subtopics(self) -> Subtopics:
        """The subtopics that the judged documents are relevant to. MeasureError where the judgments have none."""
        pool, negative, rel = self.run.pool, self.convention.negative, self.convention.rel
        if pool.subtopics is None:
            raise MeasureError(
                "The judgments have no subtopics. Give TREC qrels that have them (query, subtopic, document, grade), "
                'or a column "subtopic".'
            )
        make, least = pool.subtopics, rel if rel > 0 else -np.inf if negative == "clip" else 0.0
        return pool.once(("subtopics", least), lambda: make(least))

    def covered(self, k: int | None) -> Covered:
        """Return the subtopics that the documents in the first k of the lists are relevant to; without k, in all."""
        if k not in self._covered:
            rows = np.flatnonzero(self.within(k))
            row, pair = self.subtopics.pairs(self._of_hits(self.run.document)[rows])
            subtopic = self.subtopics.subtopic[pair]
            order = np.argsort(subtopic, kind="stable")
            seen = np.empty(len(order), np.int64)
            seen[order] = positions(subtopic[order]) - 1
            self._covered[k] = Covered(rows[row], subtopic, seen)
        return self._covered[k]

    def count(self, queries: Ints) -> Ints:
        """Return how often each query occurs, (q,)."""
        return np.bincount(queries, minlength=self.run.queries)

    def total(self, queries: Ints, values: Floats) -> Floats:
        """Return the sum of values per query, (q,), added in their order, as trec_eval adds them."""
        sums: Floats = np.bincount(queries, weights=values, minlength=self.run.queries).astype(np.float64, copy=False)
        return sums


def ratio(above: Floats | Ints, below: Floats | Ints, nothing: float = np.nan) -> Floats:
    """Return the quotient, same shape; ``nothing`` where the denominator is 0."""
    values = np.full(len(below), nothing)
    np.divide(above, below, out=values, where=below > 0)
    return values
