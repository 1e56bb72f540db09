"""Two files of any size, scored block by block of whole queries: the same table as in memory, to the last bit.

A file is cut into pieces of whole lines, each read by the ordinary reader. What it says of its last query waits for the
next piece. A query is scored as soon as both files have it; queries of one file alone, and judged queries of neither,
are scored at the end.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.judged import Pool, pooled
from rankdash.metrics import Measure
from rankdash.policy import Policy
from rankdash.reading import LIMITS, ReadError, read_run
from rankdash.reading.source import Document, open_document
from rankdash.scoring.rankings import join
from rankdash.scoring.score import UNREAD, inputs_of, score_queries, wrong_between
from rankdash.scoring.table import PerQuery
from rankdash.tables import Judgments, Run, told_apart

Ints = npt.NDArray[np.int64]
#: A piece of a file: lines of text, or rows of Parquet.
Content = Any
#: Files that are larger than this together are scored block by block.
LARGE = 64_000_000
#: Bytes of text, and rows of Parquet, that are read at once.
_BYTES, _ROWS = 1 << 22, 100_000
#: After so many pieces, what both files have is scored: scoring costs something however few queries there are.
_PIECES = 4
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
) -> PerQuery | None:
    """Return the per-query table of the runs in two files, as ``scored_in_memory`` returns it.

    ``how`` are the arguments of ``read_run`` for A and for B. None where a file has to be read whole, which also says
    what is wrong with it. Errors as for ``compare``.
    """
    if any(options.keys() - {"order", "columns"} for options in how):
        return None
    try:
        with ThreadPoolExecutor(len(paths)) as pool:  # the next pieces are read while lists are scored
            runs = (_whole_lists(path, size, options) for path, options in zip(paths, how, strict=True))
            files = [_File(partial(pool.submit, next, lists, None)) for lists in runs]
            return _scored(files, paths, judgments, policy, tuple(measures))
    except (UnfitError, ReadError):
        return None


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
        for batch in pq.ParquetFile(path).iter_batches(rows):
            yield pa.Table.from_batches([batch])
    except (pa.ArrowException, OSError) as error:
        raise UnfitError from error


def _bytes(content: Content, above: bytes) -> Any:
    """Return a piece of a file as the content of a file, under the lines that are ``above`` the rows of each."""
    if isinstance(content, pa.Table):
        import pyarrow.parquet as pq

        sink = pa.BufferOutputStream()
        pq.write_table(content, sink, compression="none")
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
        codes = arrow.codes(arrow.one_chunk(run.table.column("query_id")))
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
        alike = run.ordered_by == first.ordered_by and run.source.notes == first.source.notes
        is_doubtful = any(note.level == "warning" for note in run.source.notes)
        if not alike or is_doubtful or "relevance" in run.table.column_names or run.source.rows != len(codes):
            raise UnfitError
        source = replace(run.source, first_row=top + 1, rows=end)
        yield replace(run, table=run.table.select(columns).slice(0, end), source=source)


def _whole_lists(path: str, size: int, how: Mapping[str, Any]) -> Iterator[Run]:
    """Yield the runs in a file, each of whole lists; the source of each is that of the file up to there.

    UnfitError where the rows of a query do not stand together.
    """
    document = open_document(path, _UNLIMITED)
    rows, tags = 0, set[str]()
    for run in _pieces(path, document, size, how):
        rows += run.source.rows
        tags.add(run.source.tag)
        source = replace(run.source, rows=rows, tag=run.source.tag if len(tags) == 1 else "")
        yield replace(run, source=source)


def _joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Return tables below each other, in one chunk. UnfitError for other columns."""
    if any(not table.schema.equals(tables[0].schema) for table in tables):
        raise UnfitError
    whole = pa.concat_tables(tables)
    return pa.table({name: arrow.one_chunk(whole.column(name)) for name in whole.column_names})


# --- both files, query by query ---------------------------------------------------------------------------------------


@dataclass(eq=False)
class _Block:
    """Lists that were read together: their rows without the query, and where the lists that wait begin and end."""

    table: pa.Table
    spans: dict[str, tuple[int, int]]

    def take(self, ids: list[str]) -> pa.Table:
        """Return the rows of some lists, which wait no longer. What waits keeps no more than as many rows again."""
        table = _rows(self.table, [self.spans.pop(query) for query in ids])
        waiting = sum(end - start for start, end in self.spans.values())
        if 0 < 2 * waiting <= len(self.table):
            self.table = _joined([_rows(self.table, list(self.spans.values()))])
            ends = np.cumsum([end - start for start, end in self.spans.values()]).tolist()
            self.spans = dict(zip(self.spans, zip([0, *ends], ends, strict=False), strict=True))
        return table


def _rows(table: pa.Table, spans: list[tuple[int, int]]) -> pa.Table:
    """Return rows of a table, one span below the other."""
    starts, ends = np.array(spans, np.int64).T
    breaks = np.flatnonzero(starts[1:] != ends[:-1])
    first, last = starts[np.append(0, breaks + 1)], ends[np.append(breaks, len(ends) - 1)]
    return pa.concat_tables([table.slice(at, end - at) for at, end in zip(first.tolist(), last.tolist(), strict=True)])


@dataclass
class _File:
    """A file that is read on: the lists that were not scored yet, and some of its rows."""

    begin: Callable[[], Future[Run | None]]  # begins to read further lists
    coming: Future[Run | None] | None = None
    last: Run | None = None
    is_done: bool = False
    waiting: dict[str, _Block] = field(default_factory=dict)  # by query
    seen: set[str] = field(default_factory=set)
    sample: list[pa.Table] = field(default_factory=list)
    sampled: int = 0

    def read_on(self) -> list[str]:
        """Read further lists, and return their queries; ``is_done`` where there are none. UnfitError where a list
        comes again.
        """
        run = (self.coming or self.begin()).result()
        if run is None:
            self.is_done = True
            return []
        self.coming = self.begin()
        column = arrow.one_chunk(run.table.column("query_id"))
        codes = arrow.codes(column)
        starts = np.flatnonzero(np.diff(codes, prepend=-1))
        ids: list[str] = column.dictionary.take(arrow.from_numpy(codes[starts])).to_pylist()
        known = len(self.seen)
        self.seen.update(ids)
        if len(self.seen) != known + len(ids):
            raise UnfitError
        self._remember(run.table, starts)
        if self.last and not run.table.schema.equals(self.last.table.schema):
            raise UnfitError
        self.last = run
        spans = zip(starts.tolist(), [*starts[1:].tolist(), len(codes)], strict=True)
        block = _Block(run.table.drop_columns("query_id"), dict(zip(ids, spans, strict=True)))
        self.waiting.update(dict.fromkeys(ids, block))
        return ids

    def _remember(self, table: pa.Table, starts: Ints) -> None:
        """Keep the first rows of the file, and one row of each later list: they tell what may be wrong with it."""
        few = max(_SAMPLE - self.sampled, 0)
        rows = np.concatenate((np.arange(min(few, len(table))), starts[starts >= few]))
        self.sampled += len(table)
        some = table.take(arrow.from_numpy(rows))
        ids = arrow.one_chunk(some.column("query_id")).cast(pa.string())
        self.sample.append(some.set_column(some.column_names.index("query_id"), "query_id", ids))

    def take(self, ids: list[str]) -> Run:
        """Return the lists of some queries; they wait no longer."""
        assert self.last is not None
        by_block: dict[_Block, list[str]] = {}
        for query in ids:
            by_block.setdefault(self.waiting.pop(query), []).append(query)
        for block, queries in by_block.items():
            queries.sort(key=block.spans.__getitem__)  # what stands together is copied together
        ordered = [query for queries in by_block.values() for query in queries]
        spans = [block.spans[query] for block, queries in by_block.items() for query in queries]
        tables = [block.take(queries) for block, queries in by_block.items()]
        empty = self.last.table.drop_columns("query_id").slice(0, 0)
        table = _joined([empty, *tables])
        codes = arrow.from_numpy(np.repeat(np.arange(len(ids), dtype=np.int32), [end - start for start, end in spans]))
        column = pa.DictionaryArray.from_arrays(codes, arrow.from_strings(ordered))
        return replace(self.last, table=table.add_column(0, "query_id", column))

    def sampled_run(self) -> Run:
        """Return the run of the whole file, with some of its rows."""
        assert self.last is not None
        table = _joined(self.sample)
        at = table.column_names.index("query_id")
        ids = arrow.one_chunk(table.column("query_id")).dictionary_encode()
        return replace(self.last, table=table.set_column(at, "query_id", ids))


@dataclass(frozen=True)
class _Judged:
    """The judgments, and where those of each query stand."""

    judgments: Judgments
    pool: Pool
    rows: Ints  # by query, and as they stand
    starts: Ints  # (q + 1,)

    @classmethod
    def of(cls, judgments: Judgments) -> _Judged:
        pool, ids = pooled(judgments), arrow.one_chunk(judgments.table.column("query_id"))
        query = arrow.positions(ids.dictionary, pool.query_ids)[arrow.codes(ids)]
        rows = np.argsort(query, kind="stable")
        return cls(judgments, pool, rows, np.searchsorted(query[rows], np.arange(pool.queries + 1)))

    def scored(self, a: Run, b: Run, query: Ints, policy: Policy, measures: tuple[str | Measure, ...]) -> PerQuery:
        """Return the table of some queries, by their numbers, from all lists of these and of unjudged queries."""
        spans = [self.rows[self.starts[at] : self.starts[at + 1]] for at in query]
        rows = np.sort(np.concatenate([np.empty(0, np.int64), *spans]))
        some = Judgments(self.judgments.table.take(arrow.from_numpy(rows)).combine_chunks(), self.judgments.source)
        rankings = join(a, b, some, depth=2 * policy.cutoff + 1, grades=self.pool.grades)
        scored = score_queries(rankings, policy, measures, without=UNREAD, neighbours=True).computed()
        first = scored.noticed.first
        if first is None:
            return scored
        moved = replace(first, row=int(rows[first.row]))
        return replace(scored, noticed=replace(scored.noticed, first=moved))


def _scored(
    files: list[_File],
    paths: tuple[str, str],
    judgments: Judgments,
    policy: Policy,
    measures: tuple[str | Measure, ...],
) -> PerQuery:
    judged = _Judged.of(judgments)
    tables: list[PerQuery] = []
    is_open = np.ones(judged.pool.queries, bool)

    def add(common: list[str] | None) -> None:
        """Score the queries that both files have; None: all that is left."""
        a, b = (file.take([*file.waiting] if common is None else common) for file in files)
        if common is None:
            query = np.flatnonzero(is_open)
        else:
            query = arrow.places(arrow.from_strings(common), judged.pool.query_ids)
        is_open[query] = False
        tables.append(judged.scored(a, b, query, policy, measures))

    common: list[str] = []
    for piece in count(1):
        behind = min((file for file in files if not file.is_done), key=lambda file: file.sampled, default=None)
        if behind is None:
            break
        other = files[behind is files[0]]
        common += [query for query in behind.read_on() if query in other.waiting]
        if common and piece % _PIECES == 0:
            add(common)
            common = []
    if any(file.last is None for file in files):
        raise UnfitError
    add(None)
    a, b = told_apart(files[0].sampled_run(), files[1].sampled_run(), paths)
    whole = join(a, b, judgments, depth=0, grades=judged.pool.grades)
    scored = replace(PerQuery.concatenated(tables).in_order(judged.pool.query_ids), inputs=inputs_of(whole, policy))
    return replace(scored, inputs=replace(scored.inputs, wrong=wrong_between(whole, scored)))  # type: ignore[type-var]
