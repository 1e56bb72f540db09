"""Documents as 64-bit fingerprints of their ids: equal ids meet as numbers, and what meets is compared as bytes."""

from __future__ import annotations

import secrets

import numpy as np
import numpy.typing as npt

from rankdash.arrow import Text
from rankdash.metrics.segments import Bools, Ints, same_as_before, segment_starts

Prints = npt.NDArray[np.uint64]

#: Rows worked on at once: few enough for the cache, enough to forget the loop.
BLOCK = 1 << 17

#: Fingerprints differ from process to process, so that no file can be made to collide.
_SALT = np.uint64(secrets.randbits(64))
_ODD = np.uint64(0x9E3779B97F4A7C15)


def fingerprints(text: Text, rows: slice | Ints) -> Prints:
    """A 64-bit fingerprint of each id, (rows,); ids that differ nearly never share one."""
    start, stop = (rows.start, rows.stop) if isinstance(rows, slice) else (0, len(rows))
    if stop - start <= BLOCK:
        return _fingerprints(text, rows)
    parts = range(start, stop, BLOCK)
    if isinstance(rows, slice):
        return np.concatenate([_fingerprints(text, slice(at, min(at + BLOCK, stop))) for at in parts])
    return np.concatenate([_fingerprints(text, rows[at : at + BLOCK]) for at in parts])


def _fingerprints(text: Text, rows: slice | Ints) -> Prints:
    lengths = text.lengths(rows)
    prints = _mixed((text.word(rows, 0) ^ _SALT) + lengths.astype(np.uint64) * _ODD)
    for i in range(1, int(lengths.max(initial=0) + 7) // 8):
        prints = _mixed(prints ^ text.word(rows, i))
    return prints


def pair_prints(prints: Prints, query: Ints) -> Prints:
    """Fingerprints of (query, document), (rows,)."""
    return (prints ^ (query.astype(np.uint64) + np.uint64(1)) * _ODD) * _ODD


def list_signatures(prints: Prints, place: Ints, starts: Ints) -> Prints:
    """A fingerprint of each list, documents and order, (lists,)."""
    return np.add.reduceat(_mixed(prints + place.astype(np.uint64) * _ODD), starts)


def _mixed(values: Prints) -> Prints:
    """Each number with its bits stirred (the finalizer of splitmix64): a bijection."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def repeats(prints: Prints, query: Ints, text: Text, rows: Ints) -> tuple[Ints, Ints]:
    """Positions whose (query, document) stands further up already, and the positions of the first ones."""
    ordered = np.sort(prints)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(twice):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    at = np.flatnonzero(np.isin(prints, twice))
    ids, lengths = rows[at], text.lengths(rows[at])
    words = [text.word(ids, i) for i in range(int(lengths.max(initial=0) + 7) // 8)]
    keys = (query[at], lengths, *words)
    order = np.lexsort(keys)  # stable: equal pairs keep the order in which they stand
    same = same_as_before(*(key[order] for key in keys))
    first = order[segment_starts(np.cumsum(~same))]
    return at[order[same]], at[first[same]]


def same_text(a: Text, rows_a: Ints, b: Text, rows_b: Ints) -> Bools:
    """Whether the ids are equal, byte by byte, (rows,)."""
    lengths = a.lengths(rows_a)
    same: Bools = lengths == b.lengths(rows_b)
    for i in range(int(lengths.max(initial=0) + 7) // 8):
        same &= a.word(rows_a, i) == b.word(rows_b, i)
    return same
