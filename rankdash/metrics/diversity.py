"""Measures of subtopics: how many of a query's subtopics a list covers, how early, and how little it repeats itself.

A document gains for each of its relevant subtopics, a share of what it gained where the subtopic was seen above. All is
ndeval's: which subtopics count, the ideal list, and its order among documents that gain the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log
from typing import Any, TypeVar

import numpy as np

from rankdash.metrics.lists import (
    WHOLE,
    Covered,
    Floats,
    Ints,
    Lists,
    Subtopics,
    inverse_discount,
    ratio,
    same_as_before,
)
from rankdash.metrics.rows import ByRank, Definition, Peer, Shows, Worked
from rankdash.records import frozen

T = TypeVar("T")
#: What gains are worth at their ranks, for the parameters of a measure.
Weigh = Callable[..., Floats]
_STEP = 1 << 20  # ranks of a thinkable list that are in memory at once
_MOST_BITS = 62  # subtopics of a query that one number can tell
#: A part of a sum of 1 or more that is smaller leaves the sum as it is.
_NOTHING = 2.0**-60


def _once(lists: Lists, key: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return what ``make`` derives from the subtopics of the judgments, once for both runs."""
    return lists.run.pool.once((*key, lists.convention.negative, lists.convention.rel), make)


def _shares(share: float, most: int) -> Floats:
    """Return 1, the share, its square and so on, (most + 1,), multiplied one after the other as ndeval does."""
    shares: Floats = np.cumprod(np.append(1.0, np.full(most, share)))
    return shares


# --- of the judgments ------------------------------------------------------------------------------------------------


def relevant_documents(lists: Lists) -> tuple[Ints, Ints]:
    """Return the number of relevant documents of each subtopic, and its query, two (s,)."""

    def make() -> tuple[Ints, Ints]:
        subtopics = lists.subtopics
        documents = np.bincount(subtopics.subtopic)
        query = np.zeros(len(documents), np.int64)
        query[subtopics.subtopic] = lists.run.pool.query[subtopics.document]
        return documents, query

    return _once(lists, ("relevant",), make)


def number_of_subtopics(lists: Lists, k: int | None = None) -> Ints:
    """Return S, the subtopics of each query with a relevant document, (q,)."""

    def make() -> Ints:
        documents, query = relevant_documents(lists)
        return lists.count(query[documents > 0])

    return _once(lists, ("S",), make)


@frozen
class Kinds:
    """Documents of a query that are relevant to the same subtopics are of one kind. Axes: t over kinds, by query;
    d over documents, kind after kind; p over pairs (kind, subtopic), by kind.
    """

    query: Ints  # (t,)
    start: Ints  # (t,) its first document
    size: Ints  # (t,) its documents
    place: Ints  # (d,) in the order by document id, descending: the smaller, the earlier
    kind: Ints  # (p,)
    subtopic: Ints  # (p,)


def _kinds(subtopics: Subtopics, query_of: Ints) -> Kinds:
    first = np.flatnonzero(~same_as_before(subtopics.document))
    documents = subtopics.document[first]
    lowest = np.full(int(query_of.max(initial=-1)) + 1, WHOLE)
    np.minimum.at(lowest, query_of[subtopics.document], subtopics.subtopic)
    number = subtopics.subtopic - lowest[query_of[subtopics.document]]
    few = int(number.max(initial=0)) < _MOST_BITS
    told = np.bitwise_or.reduceat(1 << number, first) if few and len(first) else np.arange(len(first))
    by_id = subtopics.by_id(documents)
    told, query = told[by_id], query_of[documents[by_id]]
    place = np.lexsort((told, query))  # stable: within a kind by document id
    start = np.flatnonzero(~same_as_before(query[place], told[place]))
    kind, at = subtopics.pairs(documents[by_id[place[start]]])
    size = np.diff(start, append=len(place))
    return Kinds(query[place[start]], start, size, place, kind, subtopics.subtopic[at])


def _greedy(kinds: Kinds, alpha: float) -> Iterator[tuple[Ints, Floats]]:
    """Yield the queries, and the gains of their documents, of the ideal lists rank by rank: each takes the document
    with the largest gain, of these the one with the largest id.
    """
    worth = np.ones(int(kinds.subtopic.max(initial=-1)) + 1)
    queries = np.flatnonzero(~same_as_before(kinds.query))
    group = np.cumsum(~same_as_before(kinds.query)) - 1
    used = np.zeros(len(kinds.size), np.int64)
    while (left := used < kinds.size).any():
        gain = np.bincount(kinds.kind, worth[kinds.subtopic], len(left))
        largest = np.maximum.reduceat(np.where(left, gain, -1.0), queries)[group]
        following = kinds.place[kinds.start + np.minimum(used, kinds.size - 1)]
        place = np.where(left & (gain == largest), following, WHOLE)
        taken = left & (place == np.minimum.reduceat(place, queries)[group])
        yield kinds.query[taken], gain[taken]
        worth[kinds.subtopic[taken[kinds.kind]]] *= 1 - alpha
        used += taken


def ideal_gains(lists: Lists, k: int, alpha: float) -> list[tuple[Ints, Floats]]:
    """Return the queries, and the gains of their documents, of the first k of the ideal lists, rank by rank."""

    def make() -> list[tuple[Ints, Floats]]:
        kinds = _once(lists, ("kinds",), lambda: _kinds(lists.subtopics, lists.run.pool.query))
        return [step for step, _ in zip(_greedy(kinds, alpha), range(k), strict=False)]

    return _once(lists, ("ideal", k, alpha), make)


def ideal_sum(lists: Lists, k: int, weigh: Weigh, **own: float) -> Floats:
    """Return what the first k of the ideal list gain at their ranks, added per query, (q,)."""
    total = np.zeros(lists.run.queries)
    for rank, (query, gain) in enumerate(ideal_gains(lists, k, own["alpha"]), start=1):
        total[query] += weigh(gain, np.full(len(query), rank), **own)
    return total


def thinkable_sum(lists: Lists, k: int, weigh: Weigh, **own: float) -> Floats:
    """Return what a list would gain that had all subtopics at every rank, (q,); 1 where k = 1 stays undivided."""
    if k == 1 and lists.convention.novelty_at_1 == "undivided":
        return np.where(number_of_subtopics(lists) > 0, 1.0, 0.0)
    total, share = 0.0, 1.0
    for first in range(0, k, _STEP):
        ranks = np.arange(first + 1, min(k, first + _STEP) + 1)
        shares = share * _shares(1 - own["alpha"], len(ranks))
        total += float(weigh(shares[:-1], ranks, **own).sum())
        share = float(shares[-1])
        if not share:
            break
    return number_of_subtopics(lists) * np.float64(total)


# --- of a list -------------------------------------------------------------------------------------------------------


def novelty(lists: Lists, k: int | None, alpha: float, **own: float) -> Floats:
    """Return the gain of each judged document in the lists, (h,): (1 - alpha)^(times seen above) for each subtopic. It
    is 0 below k.
    """
    covered = lists.covered(k)
    return _of_rows(lists, covered, _shares(1 - alpha, int(covered.seen.max(initial=0)))[covered.seen])


def _precisions(lists: Lists, k: int | None) -> Floats:
    """Return (documents up to here that are relevant to a subtopic) / (all that are), over its subtopics, (h,)."""
    covered, (documents, _) = lists.covered(k), relevant_documents(lists)
    return _of_rows(lists, covered, (covered.seen + 1) / documents[covered.subtopic])


def _of_rows(lists: Lists, covered: Covered, values: Floats) -> Floats:
    """Return the values of pairs added for each judged document, (h,), in the order of the subtopics."""
    return np.bincount(covered.row, values, len(lists.query)).astype(np.float64, copy=False)


def _discounted(gain: Floats, rank: Ints, **own: float) -> Floats:
    return gain / inverse_discount(rank, 1)  # whatever the discount of the convention is


def _by_rank(gain: Floats, rank: Ints, **own: float) -> Floats:
    return gain / rank


def _alike(gain: Floats, rank: Ints, **own: float) -> Floats:
    return gain


def _persistent(gain: Floats, rank: Ints, beta: float, **own: float) -> Floats:
    return gain * _shares(beta, int(rank.max(initial=1)) - 1)[rank - 1]


def _undivided(rank: Ints, shift: int) -> Ints:
    return np.ones_like(rank)


# --- the rows --------------------------------------------------------------------------------------------------------


def _row(
    names: tuple[str, ...], parts: tuple[Callable[..., Floats], Weigh, Callable[..., Floats | Ints], str], **rest: Any
) -> Definition:
    """Return the row of a measure: the weighted sum of the gains, over the largest one.

    ``names`` are ours, the one in ndeval, and further ones.
    """
    (name, ndeval, *others), (gain, weigh, over, letter) = names, parts

    def of_lists(lists: Lists, k: int | None, **own: float) -> Floats:
        rows = np.flatnonzero(lists.within(k))
        gained = weigh(gain(lists, k, **own)[rows], lists.rank[rows], **own)
        return ratio(lists.total(lists.query[rows], gained), over(lists, k, **own))

    def adds(step: ByRank) -> Floats:
        return np.where(step.counted, weigh(step.gained, np.maximum(step.rank, 1), **step.own), 0.0)

    def divisor(lists: Lists, k: int | None, **own: float) -> tuple[float, str]:
        return float(over(lists, k, **own)[0]), letter

    of_ideal = ideal_gains if getattr(over, "func", None) is ideal_sum else None
    cut, at_k, kind = ("@{k}", "@k", "cut") if rest["cutoff"] == "required" else ("", "", "whole")
    shows: Shows = "discounted novelty" if weigh is _discounted else "novelty"
    written = f"ndeval:{name}(missing_query='zero'){at_k}"
    theirs = [name, *others][-1] + cut
    peers = Peer("ndeval", **{kind: ndeval + cut}), Peer("ir_measures", **{kind: theirs}, written=written)
    spellings = {ndeval.lower(), ndeval.lower().replace("-", "_"), *map(str.lower, others)} - {name.lower()}
    return Definition(
        name=name,
        of_lists=of_lists,
        spellings=" ".join(sorted(spellings)),
        reads=("rel", "unjudged"),
        lacking=number_of_subtopics,
        substitute=True,
        of_subtopics=True,
        worked=Worked(adds, divisor, "Gains", shows, discount=_undivided, gain=gain, ideal_gains=of_ideal),
        peers=peers,
        **rest,
    )


def _thinkable_nrbp(lists: Lists, k: None, alpha: float, beta: float) -> Floats:
    return number_of_subtopics(lists) / (1 - (1 - alpha) * beta)


def _best_nrbp(lists: Lists, k: None, alpha: float, beta: float) -> Floats:
    """Return the sum of NRBP over the ideal list, (q,), as far down as a document can still change it."""
    most = max(int(number_of_subtopics(lists).max(initial=1)), 1)
    depth = 1 if beta == 0 else 1 + int(log(_NOTHING / most) / log(beta))
    return ideal_sum(lists, depth, _persistent, alpha=alpha, beta=beta)


_CLARKE, _CHAPELLE = "Clarke et al. 2008; ndeval 4.5", "Chapelle et al. 2011; ndeval 4.5"
_ALPHA, _BETA = {"alpha": 0.5}, {"alpha": 0.5, "beta": 0.5}
_GAIN = r"\sum_{j}(1-\alpha)^{c_{ij}}"
_GAINS = "a document gains (1 − alpha)^(times seen above) for each of its subtopics"

ALPHA_NDCG = _row(
    ("alpha_nDCG", "alpha-nDCG"),
    (novelty, _discounted, partial(ideal_sum, weigh=_discounted), "ideal α-DCG"),
    formula=f"the sum of gain / log2(rank + 1) up to k, over the same sum for the ideal list; {_GAINS}",
    latex=rf"\frac{{1}}{{\mathrm{{ideal}}}}\sum_{{i=1}}^{{k}}\frac{{{_GAIN}}}{{\log_2(i+1)}}",
    source=_CLARKE,
    cutoff="required",
    defaults=_ALPHA,
)

ALPHA_DCG = _row(
    ("alpha_DCG", "alpha-DCG"),
    (novelty, _discounted, partial(thinkable_sum, weigh=_discounted), "S · Σ (1 − α)^(i − 1) / log2(i + 1)"),
    formula=f"the sum of gain / log2(rank + 1) up to k, over the sum with S subtopics at every rank; {_GAINS}",
    latex=rf"\sum_{{i=1}}^{{k}}\frac{{{_GAIN}}}{{\log_2(i+1)}}\Big/\sum_{{i=1}}^{{k}}\frac{{S(1-\alpha)^{{i-1}}}}{{\log_2(i+1)}}",
    source=_CLARKE,
    cutoff="required",
    defaults=_ALPHA,
)

ERR_IA = _row(
    ("ERR_IA", "ERR-IA"),
    (novelty, _by_rank, partial(thinkable_sum, weigh=_by_rank), "S · Σ (1 − α)^(i − 1) / i"),
    formula=f"the sum of gain / rank up to k, over the sum with S subtopics at every rank; {_GAINS}",
    latex=rf"\sum_{{i=1}}^{{k}}\frac{{{_GAIN}}}{{i}}\Big/\sum_{{i=1}}^{{k}}\frac{{S(1-\alpha)^{{i-1}}}}{{i}}",
    source=_CHAPELLE,
    cutoff="required",
    defaults=_ALPHA,
)

NERR_IA = _row(
    ("nERR_IA", "nERR-IA"),
    (novelty, _by_rank, partial(ideal_sum, weigh=_by_rank), "that of the ideal list"),
    formula=f"the sum of gain / rank up to k, over the same sum for the ideal list; {_GAINS}",
    latex=rf"\frac{{1}}{{\mathrm{{ideal}}}}\sum_{{i=1}}^{{k}}\frac{{{_GAIN}}}{{i}}",
    source=_CHAPELLE,
    cutoff="required",
    defaults=_ALPHA,
)

NRBP = _row(
    ("NRBP", "NRBP"),
    (novelty, _persistent, _thinkable_nrbp, "S / (1 − (1 − α) β)"),
    formula=f"(1 − (1 − alpha) beta) / S times the sum of gain · beta^(rank − 1); {_GAINS}",
    latex=rf"\frac{{1-(1-\alpha)\beta}}{{S}}\sum_{{i}}\beta^{{i-1}}{_GAIN}",
    source="Clarke et al. 2009; ndeval 4.5",
    cutoff="none",
    defaults=_BETA,
)

NNRBP = _row(
    ("nNRBP", "nNRBP"),
    (novelty, _persistent, _best_nrbp, "that of the ideal list"),
    formula=f"the sum of gain · beta^(rank − 1), over the same sum for the ideal list; {_GAINS}",
    latex=rf"\frac{{1}}{{\mathrm{{ideal}}}}\sum_{{i}}\beta^{{i-1}}{_GAIN}",
    source="Clarke et al. 2009; ndeval 4.5",
    cutoff="none",
    defaults=_BETA,
)

P_IA = _row(
    ("P_IA", "P-IA"),
    (partial(novelty, alpha=0.0), _alike, lambda lists, k: k * number_of_subtopics(lists), "k S"),
    formula="relevant subtopics of the first k documents, counted for each document, over k S",
    latex=r"\frac{1}{kS}\sum_{j}\mathrm{hits}_j(k)",
    source="Agrawal et al. 2009; ndeval 4.5",
    cutoff="required",
)

AP_IA = _row(
    ("AP_IA", "MAP-IA"),
    (_precisions, _by_rank, lambda lists, k: number_of_subtopics(lists), "S"),
    formula="the mean over S subtopics of AP, for which the documents relevant to the subtopic alone are relevant",
    latex=r"\frac{1}{S}\sum_{j}\mathrm{AP}_j",
    source="Agrawal et al. 2009; ndeval 4.5",
    cutoff="none",
    mean="MAP-IA",
)

STREC = _row(
    ("STREC", "strec", "StRecall"),  # ir_measures calls it StRecall
    (partial(novelty, alpha=1.0), _alike, lambda lists, k: number_of_subtopics(lists), "S"),
    formula="subtopic recall: subtopics with a relevant document among the first k, over S",
    latex=r"\frac{|\mathrm{subtopics}(k)|}{S}",
    source="Zhai et al. 2003; ndeval 4.5",
    cutoff="required",
)

#: In the order in which they are shown.
MEASURES = (ALPHA_NDCG, ALPHA_DCG, ERR_IA, NERR_IA, NRBP, NNRBP, P_IA, AP_IA, STREC)
