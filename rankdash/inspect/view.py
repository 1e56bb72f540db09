"""What somebody looks at, apart from what decides: any measure, cutoff and convention, query by query, and numbers that
explain a method. The verdict reads none of it.

Means under other conventions are plain, over the query set of the convention itself, as other tools print them: a
policy's weights and population have no part in them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash import arrow, metrics
from rankdash.conventions import AXES, PRESETS, Convention, preset
from rankdash.evidence.gsb import gsb
from rankdash.evidence.paired import Paired, deltas
from rankdash.inspect.explain import Explanation, explain
from rankdash.inspect.query_order import Changes, sorted_changes
from rankdash.judged import Order, only, ranked
from rankdash.metrics import DEFINITIONS, Definition, ListPair, Measure, MeasureError, mean, parse_measure
from rankdash.metrics.similarity import RBO_DEPTH
from rankdash.reading.typed import typed_lists
from rankdash.records import frozen
from rankdash.scoring import SIDES, Comparison, Rankings, Side

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

OUTCOMES = ("won", "tied", "lost")
#: The cells per side of a scatter of many points; in each cell, one point is drawn.
CELLS = 40
#: Grades from which on documents may be relevant that are tried for a number of another tool.
_MOST_GRADES = 6
#: The cutoffs over which a measure is followed.
CURVE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100)


@frozen
class InOrder:
    """Columns over all queries, (q,) each, that are read in the order of some queries, (n,).

    A column is put in order on access: most are never read, and for a million queries each takes 8 MB.
    """

    columns: Mapping[str, npt.NDArray[Any]]
    query: Ints  # (n,)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = self.columns[name][self.query]
        return values

    def only(self, places: Ints) -> InOrder:
        """Return the columns for the queries at some places."""
        return InOrder(self.columns, self.query[places])


@frozen
class Viewed:
    """One measure of a comparison, query by query, largest loss first.

    Axis n as in ``changes``. ``k`` is the depth to which lists are compared. ``unjudged`` is the share of unjudged
    documents among the first k of both lists; ``changed`` whether the first k differ in documents or order. ``total``
    has the weights of the policy.
    """

    measure: Measure
    k: int
    changes: Changes
    unjudged: Floats
    changed: Bools
    segments: InOrder
    total: Paired

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def tally(self) -> dict[str, int]:
        """The number of queries by outcome."""
        return {outcome: int(mask.sum()) for outcome, mask in _outcomes(self.changes.gain).items()}

    def only(self, places: Ints) -> Viewed:
        """Return the queries at some places, ascending, each once."""
        changes = self.changes
        if len(places) == len(self):
            return self
        names = {name: arrow.Strings.of(getattr(changes, name)).take(places) for name in ("query_ids", "texts")}
        taken: Any = names | {name: getattr(changes, name)[places] for name in ("query", "a", "b", "delta")}
        arrays = {name: getattr(self, name)[places] for name in ("unjudged", "changed")}
        return replace(self, changes=replace(changes, **taken), **arrays, segments=self.segments.only(places))

    def ends(self, most: int) -> Viewed:
        """Return the first and the last queries, at most ``most`` together; all where they fit."""
        n, half = len(self), most // 2
        places = np.arange(n) if n <= most else np.r_[:half, n - half : n]
        return self.only(places.astype(np.int64))


@frozen
class Filter:
    """Which queries to show. Empty fields do not restrict them."""

    text: str = ""
    outcome: str | None = None  # of OUTCOMES
    segment: tuple[str, str] | None = None  # column and value
    unjudged: bool = False  # some of the first k of A or B
    changed: bool = False  # the first k differ


@frozen
class WaterfallStep:
    """One bar of the waterfall: it runs from ``start`` to ``end``; ``queries`` have a share in it."""

    part: str
    start: float
    end: float
    value: float
    queries: int


@frozen
class Curve:
    """A measure's means over cutoffs, of A and of B."""

    ks: tuple[int, ...]
    a: tuple[float | None, ...]
    b: tuple[float | None, ...]


def shared_lists(comparison: Comparison, orders: tuple[Order, Order]) -> ListPair:
    """Return the documents in the first ranks of both A and B, as deep as RBO and the offered cutoffs need.

    The result does not depend on the measure, and is fast where a comparison keeps ``view_depth`` ranks.
    """
    return comparison.joined.shared(orders, view_depth(comparison.policy.cutoff))


def view_depth(cutoff: int) -> int:
    """Return how many first ranks a comparison has to keep so that comparing lists needs no second pass."""
    return max(2 * cutoff, RBO_DEPTH)


def orders_of(joined: Rankings, measure: Measure) -> tuple[Order, Order]:
    """Return how equal scores of A and of B are ordered, as far as there are any."""
    order = Order.of(measure.convention)
    return joined.decisive("a", order), joined.decisive("b", order)


def viewed(comparison: Comparison, measure: Measure, pair: ListPair) -> Viewed:
    """Return one measure of a comparison, query by query; without judgments overlap@k, which A has with itself and B
    with A. MeasureError where a grade is out of the measure's range.
    """
    joined, k = comparison.joined, measure.k or comparison.policy.cutoff
    a, b = (joined.scores(side, (measure,))[0] for side in SIDES)
    if not comparison.is_judged:
        measure = parse_measure(f"overlap@{k}", measure.convention)
        (b,) = _alike(comparison, pair, measure)
        a = np.where(np.isnan(b), np.nan, 1.0)
    changes = sorted_changes(comparison, a, b, deltas(a, b), measure.good)
    changes = replace(changes, good=measure.good * comparison.is_judged)  # no change of lists is good or bad by itself
    query = changes.query
    return Viewed(
        measure,
        k,
        changes,
        unjudged=_unjudged(comparison, measure, k, pair)[query],
        changed=_changed(pair, k)[query],
        segments=InOrder(comparison.facts.segments, query),
        total=comparison.sample.pair(a, b, None, good=measure.good),
    )


def likeness(comparison: Comparison, viewed: Viewed, pair: ListPair) -> tuple[Floats, Floats]:
    """Return overlap and churn of the queries of a view, (n,) each: the share of documents in both first k among those
    in either, and 1 - RBO of the whole lists; NaN where a list is empty.
    """
    measures = parse_measure(f"overlap@{viewed.k}"), parse_measure("RBO")
    overlap, rbo = _alike(comparison, pair, *measures)[:, viewed.changes.query]
    return overlap, 1 - rbo


def _alike(comparison: Comparison, pair: ListPair, *measures: Measure) -> Floats:
    """Return measures of two lists, (measures, q); NaN where documents have no names: A and B share none that could be
    identified.
    """
    values = metrics.compare_lists(pair, measures)
    return np.full_like(values, np.nan) if comparison.scored.scope.apart else values


def left_out(comparison: Comparison, viewed: Viewed) -> arrow.Strings:
    """Return the judged queries with a weight that have no value in a view, or do not count for the policy."""
    left = comparison.sample.everywhere().counted.copy()
    left[viewed.changes.query] = False
    return arrow.Strings(comparison.scored.query_ids).take(np.flatnonzero(left).astype(np.int64))


def _unjudged(comparison: Comparison, measure: Measure, k: int, pair: ListPair) -> Floats:
    """Return the share of unjudged documents among the first k of both lists, (q,), 0 where both are empty."""
    judged = parse_measure(f"Judged@{k}", measure.convention.with_axes({"unjudged": "nonrelevant"}))
    shares = (comparison.joined.scores(side, (judged,))[0] for side in SIDES)
    places = [np.minimum(length, k) for length in (pair.length_a, pair.length_b)]
    missing = sum((1 - np.nan_to_num(share, nan=1.0)) * there for share, there in zip(shares, places, strict=True))
    there = np.add(*places)
    unjudged: Floats = np.divide(missing, there, out=np.zeros(len(there)), where=there > 0)
    return unjudged


def _changed(pair: ListPair, k: int) -> Bools:
    """Return whether the first k of A and of B differ in documents or order, (q,)."""
    stayed = pair.query[(pair.rank_a == pair.rank_b) & (pair.rank_a <= k)]
    same = np.bincount(stayed, minlength=len(pair.length_a))
    changed: Bools = same < np.minimum(np.maximum(pair.length_a, pair.length_b), k)
    return changed


def regraded(joined: Rankings, before: Rankings, query_ids: Iterable[str]) -> None:
    """Take over the order of ``before``, of the same two runs, where only the grades of some queries differ."""
    old, new, ids = before.pool, joined.pool, arrow.from_strings([*query_ids])
    if joined.apart or not old.query_ids.equals(new.query_ids):
        return
    at = arrow.positions(ids, new.query_ids)
    moved = np.full(len(old.query) + 1, -1, np.int32)  # where its judgments are now; the last is of unjudged documents
    moved[:-1][~np.isin(old.query, at)] = np.flatnonzero(~np.isin(new.query, at))
    for side, rankings in joined.by_side.items():
        few = only(rankings.run, ids)[0]
        for order, whole in [*before.by_side[side]._made.items()]:
            part = ranked(few, new, order, joined.depth)
            both = (whole.lists, moved[whole.lists.document]), (part.lists, part.lists.document)
            hits = np.hstack([(run.query, run.rank, run.tie_first, run.tie_last, judged) for run, judged in both])
            hits = hits[:, hits[4] >= 0]
            query, rank, first, last, document = hits[:, np.argsort(hits[0], kind="stable")]
            lists = new.lists(whole.lists.length, query, rank, first, last, document)
            lists = replace(lists, listed=whole.lists.listed)
            top = np.maximum(moved[whole.top_judgment], part.top_judgment)
            rankings._made[order] = replace(whole, lists=lists, top_judgment=top)


def matching(view: Viewed, chosen: Filter) -> Ints:
    """Return the places of the queries that a filter lets through, ascending."""
    keep = np.ones(len(view), bool)
    if chosen.text.strip():
        keep &= _named(view.changes, chosen.text.strip().casefold())
    if chosen.outcome in OUTCOMES:
        keep &= _outcomes(view.changes.gain)[chosen.outcome]
    if chosen.segment is not None and chosen.segment[0] in view.segments.columns:
        keep &= view.segments[chosen.segment[0]] == chosen.segment[1]
    if chosen.unjudged:
        keep &= view.unjudged > 0
    if chosen.changed:
        keep &= view.changed
    return np.flatnonzero(keep).astype(np.int64)


def _outcomes(gain: Floats) -> dict[str, Bools]:
    """Return which differences, above 0 where B is better, are wins, ties and losses of B, (n,) each, by OUTCOMES."""
    return dict(zip(OUTCOMES, (gain > 0, gain == 0, gain < 0), strict=True))


def _named(changes: Changes, needle: str) -> Bools:
    """Return whether the id or the text of a query contains ``needle``, which is casefolded, in any case, (n,)."""
    names = zip(changes.query_ids, changes.texts, strict=True)
    return np.fromiter((needle in " ".join(name).casefold() for name in names), bool)


def waterfall(comparison: Comparison) -> tuple[WaterfallStep, ...]:
    """Return the parts of the mean ΔnDCG@k at the policy's cutoff, in order; empty where there are none."""
    explained = comparison.explained
    parts, means, weights = explained.parts, explained.waterfall, explained.weights
    if parts is None or means is None:
        return ()
    steps, start = [], 0.0
    for name, value in means.items():
        queries = int(((parts[name] != 0) & (weights > 0)).sum())
        steps.append(WaterfallStep(name, start, start + value, value, queries))
        start += value
    return (*steps, WaterfallStep("total", 0.0, start, start, int((weights > 0).sum())))


def curve(comparison: Comparison, measure: Measure) -> Curve:
    """Return the means of a measure at cutoffs up to the longest list; of nDCG where the measure takes no cutoff."""
    name = measure.base_name if measure.definition.cutoff != "none" else "nDCG"
    longest = max(int(length.max(initial=1)) for length in comparison.scored.pair("length"))
    ks = tuple(k for k in CURVE if k <= longest) or (1,)
    paired = means(comparison, tuple(_at_cutoff(measure, name, k) for k in ks))
    return Curve(ks, tuple(mean.mean_a for mean in paired), tuple(mean.mean_b for mean in paired))


def means(comparison: Comparison, measures: tuple[Measure, ...]) -> tuple[Paired, ...]:
    """Return A and B by any measures, on the queries that count for the policy, with its weights."""
    a, b = (comparison.joined.scores(side, measures) for side in SIDES)
    return tuple(comparison.sample.pair(*pair, None) for pair in zip(a, b, strict=True))


#: The days in which a gain fades, or within which a document is fresh, of a measure that is offered.
_DAYS = {"half_life": 7, "within": 7}
#: The axes that every measure reads: the order of a list, its documents, and which queries count.
_OF_LISTS = ("ties", "score_type", "missing_query", "no_relevant", "unjudged", "negative")


def offered(comparison: Comparison, role: str = "") -> list[str]:
    """Return the measures that say how good a list is, without cutoffs, for which all that they read is there; among
    those that can be watched are some with a unit.
    """
    convention = comparison.convention
    lists = metrics.Lists(comparison.joined.ranked("a", Order.of(convention)).lists, convention)
    names: list[str] = []
    for row in _readable(comparison):
        if row.of_pair is None and (row.higher_is_better or (role == "watch" and row.unit)):
            names += (row.name, *(f"{row.name}({name}={days})" for name, days in _DAYS.items() if name in row.defaults))
    return [name for name in names if not metrics.lacking(lists, measure_of(comparison, name, None))]


def _readable(comparison: Comparison) -> list[Definition]:
    return [row for row in DEFINITIONS.values() if not (row.of_subtopics and comparison.joined.pool.graded is None)]


def measure_of(comparison: Comparison, name: str, k: int | None, preset: str = "") -> Measure:
    """Return a measure by its ``base_name``, at a cutoff if it takes one.

    Without a preset the policy's convention applies, and measures of the policy keep their own. Where a cutoff is
    required and none is given, the policy's applies.
    """
    takes = metrics.definition_of(name).cutoff
    k = None if takes == "none" else comparison.policy.cutoff if k is None and takes == "required" else k
    own = next((measure for measure in comparison.measures if measure.base_name == name), None)
    if own is not None and not preset:
        return own if k == own.k else _at_cutoff(own, name, k)
    cut = name if k is None else f"{name}@{k}"
    return parse_measure(f"{preset}:{cut}" if preset else cut, comparison.convention)


def _at_cutoff(measure: Measure, name: str, k: int | None) -> Measure:
    """Return the measure ``name`` under the convention of ``measure``, at a cutoff."""
    return parse_measure(name if k is None else f"{name}@{k}", measure.convention)


def apart(x: Floats, y: Floats, most: int) -> tuple[Ints, Ints]:
    """Return the points to draw, and how many points each represents: all, or of more than ``most`` the first in each
    cell of a grid.

    Points on top of each other would cost time and show nothing.
    """
    defined = np.flatnonzero(~np.isnan(x) & ~np.isnan(y))
    if len(defined) <= most:
        return defined.astype(np.int64), np.ones(len(defined), np.int64)
    across, up = (_cell(values[defined]) for values in (x, y))
    _, first, counts = np.unique(across * (CELLS + 1) + up, return_index=True, return_counts=True)
    order = np.argsort(first)
    return defined[first[order]].astype(np.int64), counts[order].astype(np.int64)


def _cell(values: Floats) -> Ints:
    low, high = float(values.min()), float(values.max())
    cells: Ints = np.rint((values - low) / ((high - low) or 1.0) * CELLS).astype(np.int64)
    return cells


@frozen
class Mean:
    """A measure of A and of B, averaged over the queries where it is defined; None where it is undefined or cannot be
    computed.

    ``delta`` is the mean difference over the queries where both are defined.
    """

    measure: str
    a: float | None
    b: float | None
    delta: float | None
    n: int

    @property
    def is_uneven(self) -> bool:
        """Whether A and B were averaged over other queries than the difference, so that it is not B − A."""
        return self.a is not None and self.b is not None and abs(self.b - self.a - (self.delta or 0.0)) >= 5e-7

    def equals(self, other: Mean) -> bool:
        """Return whether two means are the same numbers, to six decimals."""
        pairs = ((self.a, other.a), (self.b, other.b), (self.delta, other.delta))
        return all((x is None) == (y is None) and abs((x or 0.0) - (y or 0.0)) < 5e-7 for x, y in pairs)


@frozen
class Printed:
    """Where a number was found: preset, place among the measures, side, the value itself, the nearest first.

    ``exact``: rounded as it was printed, each of them is that number; otherwise they are the nearest. ``off``: how far
    the first is from the number as it was printed.
    """

    exact: bool
    places: tuple[tuple[str, int, Side, float], ...]
    off: float = 0.0


def at_cutoff(forms: Iterable[str], k: int) -> tuple[str, ...]:
    """Return the names of measures at a cutoff: "nDCG@k" is nDCG@10.

    >>> at_cutoff(["nDCG@k", "AP"], 10)
    ('nDCG@10', 'AP')
    """
    return tuple(form.replace("@k", f"@{k}") for form in forms)


def from_each_grade(comparison: Comparison, forms: Iterable[str]) -> tuple[str, ...]:
    """Return the names of measures of the documents from a grade on, for the lowest grades above 0."""
    grades = sorted(grade for grade in comparison.scored.scope.grades if grade > 0)[:_MOST_GRADES]
    return tuple(form.format(grade=f"{grade:g}") for grade, form in product(grades, forms))


def other_forms(comparison: Comparison, forms: Collection[str]) -> list[str]:
    """Return the other measures of a list, in the forms in which they exist: without a cutoff, with @k, or both; those
    of subtopics where there are some.
    """
    rows = (row for row in _readable(comparison) if row.of_lists is not None)
    return [form for row in rows for form in row.forms if form not in forms]


def means_under(comparison: Comparison, convention: Convention, names: Iterable[str]) -> tuple[Mean, ...]:
    """Return the measures of the comparison under a convention, in their order."""
    return tuple(_mean(comparison, convention, name) for name in names)


def under_each(
    comparison: Comparison, names: Iterable[str], conventions: Mapping[str, Convention] = PRESETS
) -> dict[str, tuple[Mean, ...]]:
    """Return the same measures under every convention, by its name: one mean per measure."""
    measures = tuple(names)
    return {name: means_under(comparison, convention, measures) for name, convention in conventions.items()}


def conventions_near(convention: Convention) -> tuple[Mapping[str, Convention], ...]:
    """Return conventions by name, in the order in which a number is looked for: those of the tools, those that differ
    from one in a single axis, and the same without unjudged documents.
    """
    without = convention.with_axes({"unjudged": "condensed"})
    return PRESETS, _near("one", convention), _near("condensed", without)


def _near(name: str, convention: Convention) -> dict[str, Convention]:
    each = (convention.with_axes({axis: value}) for axis, values in AXES.items() for value in values)
    return {f"{name} {at}": one for at, one in enumerate(each) if one != convention}


def axes_of(measure: Measure) -> tuple[str, ...]:
    """Return the axes of a convention that can change a measure: its own, and those of every list."""
    return (*measure.definition.axes, *_OF_LISTS)


def _mean(comparison: Comparison, convention: Convention, name: str) -> Mean:
    measure = parse_measure(name, convention)
    try:
        a, b = (comparison.joined.scores(side, (measure,))[0] for side in SIDES)
    except MeasureError:  # a grade that the gain does not take
        return Mean(name, None, None, None, 0)
    delta, n = mean(deltas(a, b))
    return Mean(name, mean(a)[0], mean(b)[0], delta, n)


def printed_as(under: Mapping[str, Sequence[Mean]], text: str, most: int = 60) -> Printed | None:
    """Return where a number that a tool printed stands among the means under each preset; where nowhere, the ``most``
    nearest. None where the text is no number.

    >>> printed_as({"standard": [Mean("AP", 0.71234, 0.5, None, 9)]}, "0.7123")
    Printed(exact=True, places=(('standard', 0, 'a', 0.71234),), off=0.0)
    >>> printed_as({"standard": [Mean("AP", 0.71234, 0.5, None, 9)]}, "0.71234000000000008").exact
    True
    """
    written = text.strip().replace(",", ".")
    try:
        wanted = float(written)
    except ValueError:
        return None
    off = max(0.5 * 10.0 ** -len(written.partition(".")[2]), 1e-12) * (1 + 1e-9)  # sums differ in their last bits
    places = [
        (preset, at, side, value)
        for preset, means in under.items()
        for at, mean in enumerate(means)
        for side, value in zip(SIDES, (mean.a, mean.b), strict=True)
        if value is not None
    ]
    places.sort(key=lambda place: abs(place[3] - wanted))
    found = [place for place in places if abs(place[3] - wanted) <= off]
    nearest = abs(places[0][3] - wanted) if places and not found else 0.0
    return Printed(bool(found), tuple(found or places[:most]), nearest)


def first_printed_as(
    tries: Iterable[tuple[tuple[str, ...], Mapping[str, Sequence[Mean]]]], text: str
) -> tuple[Printed | None, tuple[str, ...]]:
    """Return where a number stands in the first of several tables of means in which it does, and the measures of that
    table; where it is in none, the nearest of all.

    >>> tables = {"AP": Mean("AP", 0.7, 0.5, None, 9), "RR": Mean("RR", 0.61, 0.4, None, 9)}
    >>> first_printed_as((((name,), {"standard": [mean]}) for name, mean in tables.items()), "0.6")[1]
    ('RR',)
    """
    every: list[tuple[Printed, tuple[str, ...]]] = []
    for forms, under in tries:
        found = printed_as(under, text)
        if found is None or found.exact:
            return found, forms
        every.append((found, forms))
    return min(every, key=lambda one: one[0].off)


def textbook(grades: str, measure: str, missed: str = "", convention: str = "standard") -> Explanation:
    """Return how a measure of a list of grades is worked out; ``missed`` are the grades of documents that it misses.
    TypedError for what is no list of grades.

    >>> round(textbook("3 2 3 0 1 2", "DCG@6").value, 6)
    6.861127
    """
    lists = typed_lists(grades, missed=missed)
    assert lists.judgments is not None
    return explain(lists.a, lists.judgments, measure, lists.query_ids[0], preset(convention), side="a")


def textbook_gsb(votes: str) -> float | None:
    """Return ΔGSB of one vote per query, good, same or bad, computed now; in [-1, 1].

    >>> textbook_gsb("good same bad bad")
    -0.25
    """
    return gsb(*map(votes.split().count, ("good", "same", "bad"))).delta
