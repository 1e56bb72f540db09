"""Measures of what the first documents of a list are: how they differ, how many know them, how old they are.

What is known of documents is a table of items. The numbers of a whole set of lists, such as coverage, stand apart:
they belong to no query.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from rankdash.metrics.lists import Bools, Floats, JudgedRun, Lists, MeasureError, ratio
from rankdash.metrics.rows import Definition
from rankdash.records import frozen


def _first(lists: Lists, name: str, k: int) -> tuple[Any, Bools]:
    """Return what is known of the first k documents, (q, d, …), and at which ranks there is a document, (q, d)."""
    listed = lists.listed
    values, item = listed.known(name), listed.item[:, :k]
    return values[item], np.arange(item.shape[1]) < lists.run.length[:, None]


def ild(lists: Lists, k: int, by: str) -> Floats:
    """Return the mean distance of two of the first k documents, (q,), >= 0: of categories the columns that differ, of
    vectors 1 - cosine. Pairs of which one is unknown are left out; a single document has 0. RecTools.
    """
    values, shown = _first(lists, by, k)
    if by == "category":
        is_known = shown & (values >= 0).all(axis=2)
    else:
        is_known = shown & ~np.isnan(values).any(axis=2)
    total, pairs = np.zeros((2, len(shown)))
    for step in range(1, shown.shape[1]):
        one, other = values[:, step:], values[:, :-step]
        apart = (one != other).sum(axis=2) if by == "category" else 1 - (one * other).sum(axis=2)
        both = is_known[:, step:] & is_known[:, :-step]
        total += np.where(both, apart, 0).sum(axis=1)
        pairs += both.sum(axis=1)
    return np.where(shown.sum(axis=1) < 2, 0.0, ratio(total, pairs))


def miuf(lists: Lists, k: int, n_users: float) -> Floats:
    """Return the mean of -log2(users / n_users) of the first k, (q,), >= 0; an unknown document has 1 user. RecTools.

    MeasureError where a document has more users.
    """
    users, shown = _first(lists, "users", k)
    if np.nanmax(users, initial=0) > n_users:
        raise MeasureError(f"MIUF: a document has {np.nanmax(users):,.0f} users, and n_users is {n_users:g}.")
    novelty = -np.log2(np.fmax(users, 1) / n_users)
    return ratio(np.where(shown, novelty, 0).sum(axis=1), shown.sum(axis=1))


def serendipity(lists: Lists, k: int) -> Floats:
    """Return the mean over the first k of max(p(rank) - p(popularity), 0), 0 where a document is not relevant, (q,).

    p(i) = (n + 1 - i) / n, n items; the popularity of an item is the place of its number of users among these numbers,
    highest first, and that of a document without users gives 0. RecTools.
    """
    users, shown = _first(lists, "users", k)
    every, n = lists.listed.known("users"), lists.listed.items
    numbers = np.unique(every[every > 0])
    place = len(numbers) - np.searchsorted(numbers, users)
    popular = np.where(users > 0, (n + 1 - place) / n, 0.0)
    expected = (n + 1 - np.arange(1, shown.shape[1] + 1)) / n
    relevant = np.zeros(shown.shape, bool)
    run, (rank, relevance) = lists.run, lists.by_rank
    among = (rank <= shown.shape[1]) & (relevance >= lists.convention.rel)
    relevant[lists.query[among], rank[among] - 1] = True
    return ratio(np.where(relevant, np.maximum(expected - popular, 0), 0).sum(axis=1), np.minimum(run.length, k))


def ages(lists: Lists, k: int) -> tuple[Floats, Bools]:
    """Return the ages of the first k in days, (q, d), and which of them are known."""
    date, shown = _first(lists, "date", k)
    time = lists.listed.time
    assert time is not None
    return np.maximum(time[:, None] - date, 0), shown & ~np.isnan(date)


def fresh(lists: Lists, k: int, within: float) -> Floats:
    """Return the share of the first k with a date that are at most ``within`` days old, (q,); NaN without any."""
    age, dated = ages(lists, k)
    return ratio((dated & (age <= within)).sum(axis=1), dated.sum(axis=1))


def median_age(lists: Lists, k: int) -> Floats:
    """Return the median age in days of the first k with a date, (q,), >= 0; NaN without any."""
    age, dated = ages(lists, k)
    values, any_dated = np.full(len(age), np.nan), dated.any(axis=1)
    values[any_dated] = np.nanmedian(np.where(dated, age, np.nan)[any_dated], axis=1)
    return values


@frozen
class Catalogue:
    """What the first k of all lists show of the ``items`` of a table: ``shown`` of them, and ``unknown`` others.

    ``gini`` is how unevenly the items are shown, 0 where all are shown as often, None where none is; ``popularity`` the
    mean over the lists of the mean number of users, None without a column of users.
    """

    k: int
    items: int
    shown: int
    unknown: int
    coverage: float
    gini: float | None
    popularity: float | None

    @property
    def numbers(self) -> dict[str, float | None]:
        """The numbers by name."""
        named = {"coverage": self.coverage, "gini": self.gini, "popularity": self.popularity}
        return {f"{name}@{self.k}": value for name, value in named.items()}

    @classmethod
    def of(cls, run: JudgedRun, k: int) -> Catalogue:
        """Return the numbers of the lists of a run, beside a table of items."""
        listed = run.listed
        assert listed is not None
        item = listed.item[:, :k]
        shown = np.arange(item.shape[1]) < run.length[:, None]
        times = np.sort(np.bincount(item[item >= 0], minlength=listed.items))
        n, users = listed.items, listed.known("users")
        gini = ((2 * np.arange(1, n + 1) - n - 1) * times).sum() / (n * times.sum()) if times.any() else None
        popular = None
        if users is not None and shown.any():
            each = np.where(shown, np.nan_to_num(users[item]), 0).sum(axis=1)
            popular = float(np.nanmean(ratio(each, shown.sum(axis=1))))
        seen, unknown = int((times > 0).sum()), int((shown & (item < 0)).sum())
        return cls(k, n, seen, unknown, seen / n, None if gini is None else float(gini), popular)


_of_items = partial(Definition, cutoff="required", reads=(), range="0..1", empty=None)

ILD = _of_items(
    name="ILD",
    formula="the mean distance of two of the first k documents that have one: categories that differ, or 1 − cosine",
    latex=r"\frac{2}{k(k-1)}\sum_{i<j\le k} d(i,j)",
    source="Ziegler et al. 2005; RecTools IntraListDiversity",
    of_items=ild,
    range="0..2, or 0..columns",
    spellings="intra_list_diversity",
    needs=("by",),
    defaults={"by": "category"},
)

MIUF = _of_items(
    name="MIUF",
    formula="the mean of −log2(users of the document / n_users) over the first k",
    latex=r"-\frac{1}{k}\sum_{i=1}^{k}\log_2\frac{u_i}{n_{users}}",
    source="RecTools MeanInvUserFreq",
    of_items=miuf,
    range="0..log2(n_users)",
    needs=("n_users", "users"),
    defaults={"n_users": None},
)

SERENDIPITY = _of_items(
    name="Serendipity",
    formula="the mean over the first k of max(p(rank) − p(popularity), 0) where a document is relevant",
    latex=r"\frac{1}{k}\sum_{i=1}^{k}\max(p_i - p^u_i,\,0)\, r_i",
    source="RecTools Serendipity",
    of_items=serendipity,
    reads=("rel",),
    empty=0.0,
    needs=("users",),
)

FRESH = _of_items(
    name="fresh",
    formula="the share of those of the first k that have a date which are at most so many days old",
    latex=r"\frac{|\{i\le k: a_i\le w\}|}{|\{i\le k: a_i \textrm{ known}\}|}",
    source="defined here",
    of_items=fresh,
    needs=("within", "date", "time"),
    defaults={"within": None},
)

MEDIAN_AGE = _of_items(
    name="median_age",
    formula="the median age in days of those of the first k documents that have a date",
    latex=r"\mathrm{median}_{i\le k}\; a_i",
    source="defined here",
    of_items=median_age,
    range="0..∞",
    bounded=False,
    higher_is_better=False,
    unit="days",
    needs=("date", "time"),
)

#: In the order in which they are shown.
MEASURES = (ILD, MIUF, SERENDIPITY, FRESH, MEDIAN_AGE)
