"""Two files of any size, put in order piece by piece: the same table as in memory, to the last bit.

A file is cut into pieces of whole lines, each read by the ordinary reader. What it says of its last query waits for the
next piece. The lists of a piece are put in order against their judgments at once. Of its rows only those stay that are
read again: the first ranks of judged queries, one row of each list, and the first rows of the file.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow, judged
from rankdash.judged import SIDES, Order, Pool, RankedRun, Side, are_apart, pooled, ranked
from rankdash.metrics import Measure
from rankdash.metrics.lists import same_as_before
from rankdash.notes import Findings
from rankdash.policy import Policy
from rankdash.reading import LIMITS, ReadError, read_run
from rankdash.reading.source import BLOCK, Document, open_document
from rankdash.records import frozen, replace
from rankdash.scoring.rankings import Rankings, RunRankings
from rankdash.scoring.score import orders_of, scored_from
from rankdash.scoring.table import PerQuery, scope_of, with_settings
from rankdash.tables import Items, Judgments, Queries, Run, with_distinct_names

Ints = npt.NDArray[np.int64]
#: A piece of a file: lines of text, or rows of Parquet.
Content = Any
#: Files that are larger than this together are read piece by piece.
LARGE = 64_000_000
#: Bytes of text, and rows of Parquet, that are read at once.
_BYTES, _ROWS = 3 << 20, 75_000
#: The columns that scoring reads.
_READ = ("query_id", "doc_id", "rank", "score")
#: A line that may be no row, or not all of one.
_NO_ROW = re.compile(rb"^\s*$|[\"\r]", re.MULTILINE)
#: Files of any size; each piece of them has the usual limits.
_UNLIMITED = replace(LIMITS, upload=sys.maxsize, unpacked=sys.maxsize)
#: So many of the first rows are looked at for ids that almost match.
_SAMPLE = 50_000


class UnfitError(ValueError):
    """The file has to be read whole: its queries do not stand together, or its pieces are not read alike."""


def score_files(
    paths: tuple[str, str],
    judgments: Judgments,
    policy: Policy,
    measures: Iterable[str | Measure] = (),
    *,
    how: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
    size: int = _BYTES,
    items: Items | None = None,
    queries: Queries | None = None,
) -> PerQuery | None:
    """Return the per-query table of the runs in two files, as ``scored_in_memory`` returns it.

    ``how`` are the arguments of ``read_run`` for A and for B. None where a file has to be read whole, which also says
    what is wrong with it. Errors as for ``compare``.
    """
    found = rank_files(paths, judgments, policy, measures, how=how, size=size, items=items, queries=queries)
    return None if found is None else found.scored(0, 1)


def rank_files(
    paths: Sequence[str],
    judgments: Judgments,
    policy: Policy,
    measures: Iterable[str | Measure] = (),
    *,
    how: Sequence[Mapping[str, Any]],
    size: int = _BYTES,
    items: Items | None = None,
    queries: Queries | None = None,
) -> RankedFiles | None:
    """Return the runs in two files or more, each read and put in order once. None and errors as for ``score_files``."""
    measures = tuple(measures)
    pool = pooled(judgments).knowing(judgments, items, queries)
    scope = scope_of(policy, measures, pool.grades, apart=are_apart(judgments))
    if scope.alike or any(options.keys() - {"order", "columns"} for options in how):
        return None
    orders, judged, unfit = orders_of(with_settings(scope, policy)), _Judged.of(judgments, pool), threading.Event()

    def put_in_order(path: str, options: Mapping[str, Any]) -> _InPieces:
        try:
            runs = _until(unfit, _whole_lists(path, size, options))
            return _put_in_order(judged, orders, 2 * policy.cutoff + 1, runs)
        except (UnfitError, ReadError):
            unfit.set()
            raise

    try:
        with ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as threads:
            try:
                pieces = list(threads.map(put_in_order, paths, how))
            finally:
                unfit.set()  # after an interrupt no thread reads on to the end of its file
    except (UnfitError, ReadError):
        return None
    depth = max(part.values["top_row"].shape[1] for run in pieces for parts in run.parts.values() for part in parts)
    lists = tuple(_merged_orders(run, pool, depth) for run in pieces)
    return RankedFiles(tuple(run.run for run in pieces), lists, tuple(paths), judgments, pool, depth, policy, measures)


@frozen
class RankedFiles:
    """The runs in files, each in every order of ties that a policy and its measures need."""

    runs: tuple[Run, ...]
    lists: tuple[Mapping[Order, RankedRun], ...]
    paths: tuple[str, ...]
    judgments: Judgments
    pool: Pool
    depth: int
    policy: Policy
    measures: tuple[str | Measure, ...]

    def scored(self, a: int, b: int) -> PerQuery | None:
        """Return the per-query table of two of the runs; None where these have to be read whole."""
        runs = with_distinct_names(self.runs[a], self.runs[b], (self.paths[a], self.paths[b]))
        by_side: dict[Side, RunRankings] = {}
        for side, run, lists in zip(SIDES, runs, (self.lists[a], self.lists[b]), strict=True):
            own = judged.own_grades(self.judgments, self.pool, side) if are_apart(self.judgments) else None
            by_side[side] = _InOrder(run, self.pool, self.depth, own)
            made = lists if own is None else {order: judged.with_own(one, own) for order, one in lists.items()}
            by_side[side]._made.update(made)
        try:
            joined = Rankings(*runs, self.judgments, self.pool, self.depth, by_side)
            return scored_from(joined, self.policy, self.measures)
        except UnfitError:
            return None


def _until(unfit: threading.Event, runs: Iterator[Run]) -> Iterator[Run]:
    """Yield runs. UnfitError as soon as the other file turns out to be unfit."""
    for run in runs:
        if unfit.is_set():
            raise UnfitError
        yield run


# --- a file as runs of whole lists ------------------------------------------------------------------------------------


def _texts(document: Document, size: int) -> Iterator[bytes]:
    """Yield a text in pieces of whole lines, which cut no quoted cell."""
    held: list[bytes] = []
    length = quotes = 0
    for lines in document.lines():
        end = 0
        while end < len(lines):
            at, end = end, lines.find(b"\n", end + size - 1) + 1 or len(lines)
            held.append(lines[at:end])
            length += end - at
            quotes += held[-1].count(b'"') if b'"' in held[-1] else 0
            if length >= size and quotes % 2 == 0:
                yield b"".join(held)
                held, length, quotes = [], 0, 0
    if length:
        yield b"".join(held)


def _tables(path: str, rows: int) -> Iterator[pa.Table]:
    """Yield a Parquet file in tables of so many rows."""
    import pyarrow.parquet as pq

    try:
        for batch in pq.ParquetFile(path, buffer_size=BLOCK, pre_buffer=False).iter_batches(rows):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise UnfitError from error


def _bytes(content: Content, above: bytes) -> Any:
    """Return a piece of a file as the content of a file, under the lines that are ``above`` the rows of each."""
    if isinstance(content, pa.Table):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, content.schema) as stream:
            stream.write_table(content)
        return sink.getvalue().to_pybytes()
    if not content.isascii():
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnfitError from error
    return above + content


def _last_rows(content: Content, rows: int, of: int) -> Content:
    """Return the last rows of a piece that has ``of`` rows. UnfitError where a row is no line."""
    if isinstance(content, pa.Table):
        return content.slice(of - rows)
    at = len(content)
    for _ in range(rows):
        at = content.rfind(b"\n", 0, at - 1) + 1
    if _NO_ROW.search(content, at, len(content) - 1):
        lines = content.count(b"\n") + (not content.endswith(b"\n"))
        if lines != of or content.count(b"\r") != content.count(b"\r\n"):
            raise UnfitError
    return content[at:]


def _behind(held: Content | None, content: Content) -> Content:
    """Return two pieces as one."""
    if held is None:
        return content
    return pa.concat_tables([held, content]) if isinstance(content, pa.Table) else held + content


def _pieces(path: str, document: Document, size: int, how: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the runs in the pieces of a file, each of whole lists. UnfitError where they are not read alike."""
    is_parquet = document.head.startswith(b"PAR1")
    if not is_parquet and (b"\0" in document.head or document.head.lstrip()[:1] in (b"{", b"[", b"<")):
        raise UnfitError
    contents = _tables(path, max(2, _ROWS * size // _BYTES)) if is_parquet else _texts(document, size)
    first: Run | None = None
    held: Content | None = None
    top: int | None = None
    above = b""
    for content in chain(contents, (None,)):
        is_last = content is None
        whole: Content = held if content is None else _behind(held, content)
        run = read_run(document.holding(_bytes(whole, above)), limits=_UNLIMITED, **how)
        columns = [name for name in _READ if name in run.table.column_names]
        codes = arrow.codes(run.array("query_id"))
        others = np.flatnonzero(codes != codes[-1])
        end = len(codes) if is_last else int(others[-1]) + 1 if len(others) else 0
        if top is None:
            top = run.source.first_row - 1
            if not is_parquet:
                lines = whole.splitlines(keepends=True)
                above, whole = b"".join(lines[:top]), b"".join(lines[top:])
        held = whole if not end else _last_rows(whole, len(codes) - end, len(codes))
        if not end:
            continue
        first = first or run
        own, of_first = ((one.name, one.ordered_by, one.source.notes) for one in (run, first))
        is_doubtful = any(note.level == "warning" for note in run.source.notes)
        if own != of_first or is_doubtful or "relevance" in run.table.column_names or run.source.rows != len(codes):
            raise UnfitError
        source = replace(run.source, first_row=top + 1, rows=end)
        yield replace(run, table=run.table.select(columns).slice(0, end), source=source)


def _whole_lists(path: str, size: int, how: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the runs in a file, each of whole lists; the source of each covers the file up to there.

    UnfitError if the rows of a query are not contiguous.
    """
    document = open_document(path, _UNLIMITED)
    rows, tags = 0, set[str]()
    for run in _pieces(path, document, size, how):
        rows += run.source.rows
        tags.add(run.source.tag)
        source = replace(run.source, rows=rows, tag=run.source.tag if len(tags) == 1 else "")
        yield replace(run, source=source)


# --- lists in order ---------------------------------------------------------------------------------------------------


@frozen
class _Judged:
    """The judgments, and where those of each query stand."""

    judgments: Judgments
    number: Mapping[str, int]  # of each query
    rows: Ints  # by query, and as they stand
    starts: Ints  # (q + 1,)
    judgment: Ints  # (rows,) which judgment of the pool each row is, -1 where a row is repeated

    @classmethod
    def of(cls, judgments: Judgments, pool: Pool) -> _Judged:
        """Return pooled judgments, which ``judgments`` are as a table."""
        ids = judgments.array("query_id")
        query = arrow.positions(ids.dictionary, pool.query_ids)[arrow.codes(ids)]
        rows, judgment = np.argsort(query, kind="stable"), np.full(len(query), -1)
        judgment[pool.row] = np.arange(len(pool.row))
        number = {name: at for at, name in enumerate(pool.query_ids.to_pylist())}
        starts = np.searchsorted(query[rows], np.arange(pool.queries + 1))
        return cls(judgments, number, rows, starts, judgment)

    def of_queries(self, ids: Iterable[str]) -> tuple[Pool, Ints, Ints]:
        """Return the judgments of some queries; the number of each of their queries among all, and of each judgment."""
        query = np.array(sorted(self.number[name] for name in ids if name in self.number), np.int64)
        spans = [self.rows[self.starts[at] : self.starts[at + 1]] for at in query]
        rows = np.sort(np.concatenate([np.empty(0, np.int64), *spans]))
        pool = pooled(Judgments(self.judgments.table.take(arrow.from_numpy(rows)).combine_chunks()))
        return pool, query, self.judgment[rows[pool.row]]


@frozen
class _InOrder(RunRankings):
    """A run that was put in order piece by piece. UnfitError for what needs rows that are gone."""

    is_whole = False

    def ranked(self, order: Order) -> RankedRun:
        """Return the run in an order of ties."""
        order = self.decisive(order)
        if order not in self._made:
            raise UnfitError
        return self._made[order]


#: The arrays with one value for each judged query, and the value of a query without a list.
_OF_QUERY = {"list_print": 0, "tied_rows": 0}
_FIRST_RANKS = {"top_row": -1, "top_print": 0, "top_judgment": -1}


@frozen
class _Part:
    """The lists of some judged queries. Queries, rows and judgments have their numbers in the whole run."""

    query: Ints  # (p,)
    hits: npt.NDArray[np.int32]  # (5, h) query, rank, first and last rank of the tie group, judgment
    values: Mapping[str, npt.NDArray[Any]]  # (p,) or (p, depth), by the names of RankedRun, and "length"
    findings: Findings

    @classmethod
    def of(cls, run: RankedRun, query: Ints, row: Ints, judgment: Ints) -> _Part:
        """Return lists in order, from the numbers that their queries, rows and judgments have in the whole run."""
        lists = run.lists
        hits = query[lists.query], lists.rank, lists.tie_first, lists.tie_last, judgment[lists.document]
        values = {name: getattr(run, name) for name in (*_OF_QUERY, *_FIRST_RANKS)} | {"length": lists.length}
        values |= {"top_row": row[run.top_row], "top_judgment": judgment[run.top_judgment]}
        return cls(query, np.array(hits, np.int32), values, run.findings)


@frozen
class _InPieces:
    """A run with the rows that stay, and its lists in each order of ties."""

    run: Run
    parts: Mapping[Order, list[_Part]]


def _put_in_order(judged: _Judged, orders: Collection[Order], depth: int, runs: Iterator[Run]) -> _InPieces:
    """Return the run in a file. UnfitError where a list comes again, and for columns of other types."""
    run, seen, tables, above = None, set[str](), list[pa.Table](), 0
    parts: dict[Order, list[_Part]] = {order: [] for order in orders}
    for run in runs:
        column = run.array("query_id")
        codes = arrow.codes(column)
        starts = np.flatnonzero(~same_as_before(codes))
        ids = column.dictionary.take(arrow.from_numpy(codes[starts])).to_pylist()
        before = len(seen)
        seen.update(ids)
        if len(seen) < before + len(ids):
            raise UnfitError
        pool, query, judgment = judged.of_queries(ids)
        deep = min(depth, int(np.diff(starts, append=len(codes)).max()))
        lists = {order: ranked(run, pool, order, deep) for order in orders}
        stays = np.zeros(len(codes), bool)
        stays[: max(_SAMPLE - above, 0)] = stays[starts] = True
        for one in lists.values():
            stays[one.top_row[one.top_row >= 0]] = True
        row = np.append(above + np.cumsum(stays) - 1, -1)  # at the end, where a list has ended
        judgment = np.append(judgment, -1)  # at the end, for documents without a grade
        for order, one in lists.items():
            parts[order].append(_Part.of(one, query, row, judgment))
        tables.append(_with_names(run.table.take(arrow.from_numpy(np.flatnonzero(stays)))))
        above += len(tables[-1])
        if not tables[-1].schema.equals(tables[0].schema):
            raise UnfitError
    if run is None:
        raise UnfitError
    whole = pa.concat_tables(tables)
    columns = {name: arrow.one_chunk(whole.column(name)) for name in whole.column_names}
    columns["query_id"] = columns["query_id"].dictionary_encode()
    return _InPieces(replace(run, table=pa.table(columns)), parts)


def _with_names(table: pa.Table) -> pa.Table:
    """Return a table whose queries are strings, and no longer numbers in the dictionary of its piece."""
    names = arrow.one_chunk(table.column("query_id")).cast(pa.string())
    return table.set_column(table.column_names.index("query_id"), "query_id", names)


def _merged(parts: list[_Part], pool: Pool, depth: int, run: Run) -> RankedRun:
    """Return the lists of all judged queries, with ``depth`` first ranks."""
    hits = np.concatenate([part.hits for part in parts], axis=1)
    hits = hits[:, np.argsort(hits[0], kind="stable")]  # within a query the ranks already rise
    query, rank, first, last, document = hits.astype(np.int64)

    def every(name: str, none: int) -> Any:
        """Return the values of all queries, (q,) or (q, depth)."""
        kind = parts[0].values[name]
        whole = np.full((pool.queries, depth)[: kind.ndim], none, kind.dtype)
        for part in parts:
            value = part.values[name]
            whole[(part.query, slice(value.shape[1])) if kind.ndim == 2 else part.query] = value
        return whole

    lists = pool.lists(every("length", 0), query, rank, first, last, document)
    if pool.known is not None:
        lists = replace(lists, listed=pool.known.listed(run.table, every("top_row", -1)))
    return RankedRun(
        lists=lists,
        **{name: every(name, none) for name, none in (_OF_QUERY | _FIRST_RANKS).items()},
        findings=sum((part.findings for part in parts), Findings()),
    )


def _merged_orders(run: _InPieces, pool: Pool, depth: int) -> dict[Order, RankedRun]:
    """Return the lists of a run in each order of ties."""
    orders = {}
    for order, parts in run.parts.items():
        orders[order] = _merged(parts, pool, depth, run.run)
        parts.clear()  # merging takes as much memory again
    return orders
