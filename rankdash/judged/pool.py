"""The judgments of a comparison, each (query, document) once, found by fingerprints and confirmed by bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.metrics.lists import Bools, Floats, Ints, JudgedPool, JudgedRun, Subtopics, same_as_before
from rankdash.records import cached_property, field, frozen, replace
from rankdash.tables import Items, Judgments, Queries, Run

if TYPE_CHECKING:
    from rankdash.judged.items import Known

Prints = npt.NDArray[np.uint64]

#: Rows worked on at once: few enough for the cache, so many that the loop costs nothing.
BLOCK = 1 << 17

#: From so many ids on, comparing fingerprints is faster than comparing the ids.
_MANY = 10_000
#: Marks for each row with which a row that occurs twice is found without sorting.
_MARKS = 16
#: Fingerprints differ from process to process, so that no file can be made to collide.
_SALT = np.uint64(int.from_bytes(os.urandom(8)))
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)  # bits of a fingerprint of (query, document) for each of them


def fingerprints(text: Text, rows: slice | Ints) -> Prints:
    """Return a 64-bit fingerprint of each id, (rows,); ids that differ nearly never share one."""
    start, stop = (rows.start, rows.stop) if isinstance(rows, slice) else (0, len(rows))
    edges = ((at, min(at + BLOCK, stop)) for at in range(start, stop, BLOCK))
    parts = (slice(*edge) if isinstance(rows, slice) else rows[slice(*edge)] for edge in edges)
    return np.concatenate([np.empty(0, np.uint64), *(_fingerprints(text, part) for part in parts)])


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
    """Return fingerprints of (query, document), (rows,), that sort by query first, so that lists are contiguous."""
    return (query.astype(np.uint64) << _HALF) | (prints >> _HALF)


def _mixed(values: Prints) -> Prints:
    """Return each number with its bits mixed (the finalizer of splitmix64): a bijection."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@frozen
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
        order = np.argsort(prints, kind="stable")  # mostly by query already: then half the time
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
    if 0 < len(prints) <= BLOCK:
        # Eight slots for each: only the few that share one are sorted, which takes a third of the time.
        bits = np.uint64((8 * len(prints) - 1).bit_length())
        slot = (prints * _ODD >> (np.uint64(64) - bits)).view(np.int64)
        prints = prints[np.bincount(slot)[slot] > 1]
    ordered = np.sort(prints, kind="stable")  # mostly by query already: then half the time
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
        few = arrow.brief(group)
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


@frozen
class Conflict:
    """Two grades for the same (query, document). The first counts; ``row`` of the judgments table has the other."""

    query_id: str
    doc_id: str
    kept: float
    other: float
    row: int = field(default=-1, compare=False)


@frozen
class Pool:
    """The judgments, each (query, document) once. Axes: q queries, in order of appearance; j judgments, by query,
    and within a query by relevance, highest first.
    """

    query_ids: pa.Array  # (q,) strings
    query: Ints  # (j,)
    relevance: Floats  # (j,)
    row: Ints  # (j,) the row of the judgments table
    index: Index  # the judgments by fingerprint
    repeated: int  # rows with the same grade as an earlier row
    conflict: Conflict | None  # the first of rows with another grade than an earlier row
    conflict_count: int  # how many these are
    graded: tuple[Ints, Ints, Floats, Ints] | None = None  # (g,) document, subtopic, grade; (j,) which document each is
    known: Known | None = None  # what a table of items says of the documents

    @property
    def queries(self) -> int:
        """The number of judged queries."""
        return len(self.query_ids)

    @cached_property
    def grades(self) -> tuple[float, ...]:
        """Return the distinct grades of the judgments, ascending."""
        return tuple(arrow.distinct(self.relevance).tolist())

    @cached_property
    def judged(self) -> JudgedPool:
        """Return the judgments as the measures see them."""
        return JudgedPool(self.query, self.relevance, None, self.graded and self._subtopics, self.ages)

    def _subtopics(self, least: float) -> Subtopics:
        """Return what documents are relevant to, by a grade of at least that, as the measures see it, in the order in
        which the subtopics appear.
        """
        assert self.graded is not None
        document, subtopic, grade, of_judgment = self.graded
        kept = np.flatnonzero((grade >= least) & (subtopic >= 0))
        judgment = np.empty(len(of_judgment), np.int64)
        judgment[of_judgment] = np.arange(len(of_judgment))
        names = int(subtopic.max(initial=0)) + 1
        document, subtopic = np.divmod(np.sort(judgment[document[kept]] * names + subtopic[kept], kind="stable"), names)
        of_query = arrow.from_numpy(self.query[document] * names + subtopic).dictionary_encode()
        named = arrow.as_numpy(of_query.dictionary) % names
        return Subtopics(document, arrow.codes(of_query).astype(np.int64), named, self._by_id)

    def _by_id(self, judgments: Ints) -> Ints:
        """Return the places of judgments by query, and within a query by document id as bytes, descending."""
        return by_bytes(self.index.text, self.row[judgments], self.query[judgments], descending=True)[0]

    @cached_property
    def ages(self) -> Floats | None:
        """Return the age of each judged document in days, (j,), 0 without a date; None where dates or times lack."""
        return None if self.known is None else self.known.ages(self.query)

    def knowing(self, judgments: Judgments, items: Items | None, queries: Queries | None) -> Pool:
        """Return the same judgments beside what is known of their documents, and of the time of their queries."""
        if items is None:
            return self
        from rankdash.judged.items import Known  # few comparisons have items

        doc_ids = arrow.one_chunk(judgments.table.column("doc_id").take(arrow.from_numpy(self.row)))
        return replace(self, known=Known.of(items, queries, self.query_ids, doc_ids))

    @cached_property
    def filter(self) -> JudgedFilter:
        """Return what finds the judgments of the rows of a run, made once for every run and order."""
        return JudgedFilter.of(self)

    def lists(self, length: Ints, query: Ints, rank: Ints, first: Ints, last: Ints, document: Ints) -> JudgedRun:
        """Return lists against these judgments; ``document`` is which judgment each hit is, (h,)."""
        age = None if self.ages is None else self.ages[document]
        return JudgedRun(length, query, rank, first, last, self.relevance[document], self.judged, document, age)


@frozen
class JudgedFilter:
    """Finds the judgments of rows: a mark per fingerprint first, then its place in the index."""

    index: Index
    marked: Bools  # by the last bits of a fingerprint: whether any judgment has these
    starts: npt.NDArray[np.int32]  # by query and the first bits of its document: where the judgments with these begin
    start_shift: np.uint64

    @classmethod
    def of(cls, pool: Pool) -> JudgedFilter:
        """Return a filter with two starts or more and 100 marks or more per judgment, as far as the cache has room."""
        prints = pool.index.prints
        marked = np.zeros(1 << int(np.clip(np.log2(len(prints) + 1) + 7, 10, 20)), bool)
        marked[(prints & np.uint64(len(marked) - 1)).view(np.int64)] = True  # numpy would cast unsigned places
        bits = int(np.ceil(np.log2(len(prints) / max(pool.queries, 1) + 1))) + 1
        start_shift = _HALF - np.uint64(bits)
        sizes = np.bincount((prints >> start_shift).view(np.int64), minlength=(pool.queries << bits) + 1)
        return cls(pool.index, marked, (np.cumsum(sizes) - sizes).astype(np.int32), start_shift)

    def matches(self, prints: Prints, text: Text, rows: Ints) -> tuple[Ints, Ints]:
        """Return the rows of a block that are judged, ascending, and which judgment of the pool each of them is."""
        maybe = np.flatnonzero(self.marked[(prints & np.uint64(len(self.marked) - 1)).view(np.int64)])
        prints = prints[maybe]
        start = self.starts.take((prints >> self.start_shift).view(np.int64), mode="clip").astype(np.int64)
        judgment = self.index.find(prints, text, rows[maybe], start)
        matched = judgment >= 0
        return maybe[matched], judgment[matched]


def pooled(judgments: Judgments) -> Pool:
    """Return the judgments with each (query, document) once: the first is kept, a different grade later is a conflict.
    Of grades for subtopics each document has the highest.
    """
    table = judgments.table
    ids = arrow.one_chunk(table.column("query_id"))
    query = arrow.codes(ids).astype(np.int64)
    query_ids, query = _used(ids.dictionary, query)
    relevance = arrow.as_numpy(arrow.one_chunk(table.column("relevance"))).astype(np.float64, copy=False)
    text, subtopic = Text.of(table.column("doc_id")), subtopics_of(table)
    if subtopic is None:
        prints = pair_prints(fingerprints(text, slice(0, len(text))), query)
        repeated, firsts = repeats(prints, query, text, np.arange(len(query)))
    else:
        first, document, prints = _documents(arrow.one_chunk(table.column("doc_id")), query, text)
        repeated, firsts = _repeated(document, subtopic)
    by_row = np.argsort(repeated)
    repeated, firsts = repeated[by_row], firsts[by_row]
    differ = relevance[repeated] != relevance[firsts]
    conflict = None
    if differ.any():
        at, kept_at = (int(rows[differ][0]) for rows in (repeated, firsts))
        named = query_ids[int(query[at])].as_py(), table.column("doc_id")[at].as_py()
        conflict = Conflict(*named, float(relevance[kept_at]), float(relevance[at]), at)
    kept = np.delete(np.arange(len(query)), repeated) if len(repeated) else slice(None)  # a view, not a copy
    row, grade = np.arange(len(query))[kept], relevance[kept]
    if subtopic is not None:
        row, grade = first, np.full(len(first), -np.inf)
        np.maximum.at(grade, document[kept], relevance[kept])
    order = np.lexsort((-grade, query[row]))
    graded = None if subtopic is None else (document[kept], subtopic[kept], relevance[kept], order)
    row, grade = row[order], grade[order]
    index = Index.of(prints[row if subtopic is None else order], text, row)
    conflict_count = int(differ.sum())
    repeated_alike = len(repeated) - conflict_count
    return Pool(query_ids, query[row], grade, row, index, repeated_alike, conflict, conflict_count, graded)


def subtopics_of(table: pa.Table) -> Ints | None:
    """Return the number of each row's subtopic, (rows,), -1 for none; None where grades are not for subtopics."""
    if "subtopic" not in table.column_names:
        return None
    ids = arrow.one_chunk(table.column("subtopic"))
    subtopic = arrow.codes(ids).astype(np.int64)
    subtopic[arrow.rows_of(ids, "")] = -1
    return subtopic


def _documents(ids: pa.Array, query: Ints, text: Text) -> tuple[Ints, Ints, Prints]:
    """Return the first row of each (query, document), which of these documents is in each row, (rows,), and the
    fingerprint of each.

    Subtopics of a document mostly stand together: of neighbours that are the same one is looked up.
    """
    begins = np.ones(len(query), bool)
    begins[1:] = ~arrow.bits(pc.equal(ids[1:], ids[:-1])) | (query[1:] != query[:-1])
    rows = np.flatnonzero(begins)
    prints = pair_prints(fingerprints(text, rows), query[rows])
    number = first = np.arange(len(rows))
    if len(occurring_twice(prints)):
        number = arrow.codes(arrow.from_numpy(prints.view(np.int64)).dictionary_encode()).astype(np.int64)
        first = np.empty(int(number.max(initial=-1)) + 1, np.int64)
        first[number[::-1]] = np.arange(len(rows))[::-1]
        blocks = ((rows[at : at + BLOCK], rows[first[number[at : at + BLOCK]]]) for at in range(0, len(rows), BLOCK))
        if not all((query[own] == query[to]).all() and same_text(text, own, text, to).all() for own, to in blocks):
            order, same = by_bytes(text, rows, query[rows])  # fingerprints collide
            number[order] = np.cumsum(~same) - 1
            first = order[~same]
    return rows[first], np.repeat(number, np.diff(rows, append=len(query))), prints[first]


def _repeated(document: Ints, subtopic: Ints) -> tuple[Ints, Ints]:
    """Return the rows whose document and subtopic occurred before, and the rows in which they first occurred."""
    pair = document * (int(subtopic.max(initial=-1)) + 2) + subtopic + 1
    most = int(pair.max(initial=-1)) + 1
    if most <= _MARKS * len(pair):
        seen = np.zeros(most, bool)
        seen[pair] = True
        if seen.sum() == len(pair):
            return np.empty(0, np.int64), np.empty(0, np.int64)
    order = np.argsort(pair, kind="stable")
    same = same_as_before(pair[order])
    first = np.where(same, 0, np.arange(len(pair)))
    return order[same], order[np.maximum.accumulate(first)][same]


def without_judgments(*runs: Run) -> Pool:
    """Return the pool of all queries of the runs, of which nothing is judged."""
    names = [run.array("query_id").unique().cast(pa.string()) for run in runs]
    none, text = np.empty(0, np.int64), Text.of(arrow.from_strings([]))
    index = Index.of(np.empty(0, np.uint64), text, none)
    return Pool(pa.concat_arrays(names).unique(), none, np.empty(0), none, index, 0, None, 0)


def no_judgments() -> Judgments:
    """Return a table of judgments without rows."""
    text = arrow.from_strings([])
    arrays = text.dictionary_encode(), text, arrow.from_numpy(np.empty(0))
    return Judgments(pa.Table.from_arrays(arrays, names=["query_id", "doc_id", "relevance"]))


def inline_judgments(*runs: Run) -> Judgments | None:
    """Return the grades written beside the documents of the runs, pooled in their order; None where no run has any."""
    columns: list[tuple[pa.Array, pa.Array, pa.Array]] = []
    for run in runs:
        if "relevance" not in run.table.column_names:
            continue
        relevance = run.array("relevance")
        rows = arrow.from_numpy(np.flatnonzero(~np.isnan(arrow.as_numpy(relevance))).astype(np.int64))
        text = run.array("doc_id").cast(pa.large_string())
        columns.append((run.array("query_id").take(rows), text.take(rows), relevance.take(rows)))
    if not columns:
        return None
    arrays = [arrow.one_chunk(pa.chunked_array(parts)) for parts in zip(*columns, strict=True)]
    return Judgments(pa.Table.from_arrays(arrays, names=["query_id", "doc_id", "relevance"]))


def _used(dictionary: pa.Array, codes: Ints) -> tuple[pa.Array, Ints]:
    """Return the dictionary without the values that no row uses, and the codes in it."""
    used = np.zeros(len(dictionary), bool)
    used[codes] = True
    if used.all():
        return dictionary, codes
    return dictionary.take(arrow.from_numpy(np.flatnonzero(used))), (np.cumsum(used) - 1)[codes]
