"""Documents as 64-bit fingerprints of their ids: numbers are matched, and what matches is compared as bytes.

An id's fingerprint depends on its bytes alone, never on the rows beside it. Fingerprints only find candidates: whether
two ids are equal, and which of two comes first, is always decided by their bytes. (Exact codes instead, from a
dictionary of all ids, take several times as long on long lists.)
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import Text
from rankdash.metrics.segments import Bools, Ints, same_as_before

Prints = npt.NDArray[np.uint64]

#: Rows worked on at once: few enough for the cache, so many that the loop costs nothing.
BLOCK = 1 << 17

#: How many numbers two bytes can hold.
_FEW = 1 << 16
#: From so many ids on, comparing fingerprints is faster than comparing the ids.
_MANY = 10_000
#: Fingerprints differ from process to process, so that no file can be made to collide.
_SALT = np.uint64(int.from_bytes(os.urandom(8)))
_ODD = np.uint64(0x9E3779B97F4A7C15)


def fingerprints(text: Text, rows: slice | Ints) -> Prints:
    """Return a 64-bit fingerprint of each id, (rows,); ids that differ nearly never share one."""
    start, stop = (rows.start, rows.stop) if isinstance(rows, slice) else (0, len(rows))
    if stop - start <= BLOCK:
        return _fingerprints(text, rows)
    parts = range(start, stop, BLOCK)
    if isinstance(rows, slice):
        return np.concatenate([_fingerprints(text, slice(at, min(at + BLOCK, stop))) for at in parts])
    return np.concatenate([_fingerprints(text, rows[at : at + BLOCK]) for at in parts])


def _fingerprints(text: Text, rows: slice | Ints) -> Prints:
    """Return each id's length and first word, mixed, then mixed with every further word that the id has."""
    ids = text.at(rows)
    prints = _mixed((ids.word(0) ^ _SALT) + ids.lengths.astype(np.uint64) * _ODD)
    word, longer = 1, np.flatnonzero(ids.lengths > 8)
    while len(longer):
        prints[longer] = _mixed(prints[longer] ^ ids.word(word, longer))
        word += 1
        longer = longer[ids.lengths[longer] > 8 * word]
    return prints


def pair_prints(prints: Prints, query: Ints) -> Prints:
    """Return fingerprints of (query, document), (rows,)."""
    return (prints ^ (query.astype(np.uint64) + np.uint64(1)) * _ODD) * _ODD


def _mixed(values: Prints) -> Prints:
    """Return each number with its bits mixed (the finalizer of splitmix64): a bijection."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@dataclass(frozen=True)
class Index:
    """Entries, each a (query, document), to be found by their fingerprint and confirmed by their bytes.

    Axis e: the entries, by fingerprint.
    """

    text: Text  # the ids of the table with the entries
    prints: Prints  # (e,) ascending
    entry: Ints  # (e,) the number of the entry
    row: Ints  # (e,) its row in that table

    @classmethod
    def of(cls, prints: Prints, text: Text, rows: Ints) -> Index:
        """Return an index of entries, which are numbered as they are given."""
        order = np.argsort(prints)
        return cls(text, prints[order], order, rows[order])

    def find(self, prints: Prints, text: Text, rows: Ints, start: Ints | None = None) -> Ints:
        """Return the number of the entry equal to each (query, document), (rows,); -1 where there is none.

        The search begins at ``start`` (by default the first entry with the same fingerprint) and tries entries one
        after the other, so that neither an early start nor a collision costs more than a pass. (Equal ids of different
        queries cannot collide.)
        """
        entries = np.full(len(prints), -1, np.int64)
        at = np.searchsorted(self.prints, prints) if start is None else start
        open_ = np.arange(len(prints))
        while True:
            inside = at < len(self.prints)
            open_, at = open_[inside], at[inside]
            here, there = prints[open_], self.prints[at]
            equal = np.flatnonzero(there == here)
            same = same_text(text, rows[open_[equal]], self.text, self.row[at[equal]])
            entries[open_[equal[same]]] = self.entry[at[equal[same]]]
            further = there <= here
            further[equal[same]] = False
            if not further.any():
                return entries
            open_, at = open_[further], at[further] + 1


def occurring_twice(prints: Prints) -> Prints:
    """Return the fingerprints that occur more than once, ascending."""
    ordered = np.sort(prints)
    twice: Prints = ordered[1:][ordered[1:] == ordered[:-1]]
    return twice


def all_distinct(ids: pa.Array) -> bool:
    """Return whether no id occurs twice in an array without nulls.

    Of many ids, the fingerprints are tried first: gathering a million ids in a dictionary takes several times as long.
    """
    if len(ids) >= _MANY and not len(occurring_twice(fingerprints(Text.of(ids), slice(0, len(ids))))):
        return True
    return len(ids.unique()) == len(ids)


def repeats(prints: Prints, query: Ints, text: Text, rows: Ints, twice: Prints | None = None) -> tuple[Ints, Ints]:
    """Return the positions whose (query, document) occurred before, and the positions of the first occurrences.

    ``prints`` are fingerprints of the pairs, ``rows`` the rows of the text; ``twice`` is the result of
    ``occurring_twice``, where that is known.
    """
    twice = occurring_twice(prints) if twice is None else twice
    if not len(twice):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    at = np.flatnonzero(np.isin(prints, twice))
    order, same = by_bytes(text, rows[at], query[at])
    first = np.arange(len(order))
    first[same] = 0
    first = order[np.maximum.accumulate(first)]
    return at[order[same]], at[first[same]]


def by_bytes(text: Text, rows: Ints, group: Ints, *, descending: bool = False) -> tuple[Ints, Bools]:
    """Return rows ordered by group (ascending) and, within a group, by id as bytes, as trec_eval compares ids.

    Returns the positions of the rows in that order, (rows,), equal ids as they stand; and for each place whether group
    and id equal those of the place before, (rows,). Ids are compared eight bytes at a time, and only where all before
    were equal, so that a long id among many short ones costs nothing.
    """
    order = np.argsort(group, kind="stable")
    same = np.zeros(len(rows), bool)
    ids, places, group, word = text.at(rows), np.arange(len(rows)), group[order], 0
    while len(places):
        here = order[places]
        key = ids.word(word, here)
        left = np.minimum(ids.lengths[here] - 8 * word, 9)  # 0 .. 8: the id ends in this word; 9: it goes on
        few = group.astype(np.uint16) if int(group[-1]) < _FEW else group  # takes half the time
        sorting = np.lexsort((-left, ~key, few) if descending else (left, key, few))
        order[places], key, left = here[sorting], key[sorting], left[sorting]
        alike = same_as_before(group, key, left)
        same[places] = alike & (left < 9)
        alike &= left == 9
        group = np.cumsum(~alike)
        goes_on = alike.copy()
        goes_on[:-1] |= alike[1:]
        places, group, word = places[goes_on], group[goes_on], word + 1
    return order, same


def same_text(a: Text, rows_a: Ints, b: Text, rows_b: Ints) -> Bools:
    """Return whether the ids are equal, byte by byte, (rows,)."""
    first, second = a.at(rows_a), b.at(rows_b)
    same: Bools = (first.lengths == second.lengths) & (first.word(0) == second.word(0))
    word, open_ = 1, np.flatnonzero(same & (first.lengths > 8))
    while len(open_):
        equal = first.word(word, open_) == second.word(word, open_)
        same[open_[~equal]] = False
        word += 1
        open_ = open_[equal & (first.lengths[open_] > 8 * word)]
    return same
