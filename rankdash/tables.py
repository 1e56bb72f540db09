"""What a Run and Judgments are: columns, types, and where they came from. One place.

Tables are Arrow tables with the column names of ir_measures, so that frames pass between the tools. What a file
looked like is not known here (``reading/`` knows), nor how a list is ordered in detail (``judged/`` knows).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

import pyarrow as pa

from rankdash import arrow
from rankdash.notes import Note
from rankdash.records import InNotebooks, field, frame, frozen, replace

if TYPE_CHECKING:
    import pandas as pd

OrderedBy = Literal["score", "rank", "position"]
#: The names of A and of B.
Pair = tuple[str, str]

#: Columns with a known meaning. All other columns are unchanged and only shown.
RUN_COLUMNS = ("query_id", "doc_id", "rank", "score", "relevance", "title", "query_text")
JUDGMENT_COLUMNS = ("query_id", "doc_id", "relevance")
ITEM_COLUMNS = ("doc_id", "category", "date", "vector", "users")
VOTE_COLUMNS = ("query_id", "vote", "rater", "left", "doc_id", "reason")

#: The key, in the metadata of the column ``cluster``, of what its source calls it.
CLUSTER_HEADING = b"heading"

#: Notes that say which sheet of a workbook, or which file of an archive, was read.
_OF_A_PART = ("sheet", "sheet_asked", "member_read")

#: What a judged query without a weight can weigh.
MISSING_WEIGHTS = (0, 1)


@frozen
class Source:
    """Where a table came from, and every decision that reading it took.

    - ``name`` is the file name as shown to people, "" for a table made in memory;
    - ``sha256`` is the digest of the bytes, of a table made in memory that of its columns;
    - ``rows`` is the number of data rows read, ``first_row`` the number of the first in the file (0: there is no file);
    - ``notes`` are what was understood and decided;
    - ``tag`` is the only tag of a TREC run, "" where there is none, or several.
    """

    name: str = ""
    sha256: str = ""
    rows: int = 0
    first_row: int = 0
    notes: tuple[Note, ...] = ()
    tag: str = ""

    def has(self, code: str) -> bool:
        """Return whether there is a note with a code."""
        return any(note.code == code for note in self.notes)

    def noting(self, *notes: Note) -> Source:
        """Return the same source with further notes."""
        return replace(self, notes=(*self.notes, *notes))

    @property
    def identity(self) -> tuple[str, frozenset[Note]]:
        """The digest, and the notes on the part that was read: two sheets of a workbook are two sources."""
        return self.sha256, frozenset(note for note in self.notes if note.code in _OF_A_PART)

    @property
    def order_was_asked(self) -> bool:
        """Whether a person decided what orders the lists of this run."""
        return self.has("order_asked")

    @property
    def of_users(self) -> bool:
        """Whether its columns are of users and items, in place of queries and documents."""
        return self.has("of_users")

    @property
    def was_labelled_here(self) -> bool:
        """Whether every grade was given on a page, to lists without judgments."""
        return self.has("labelled_here")


class TableRecord(InNotebooks, arrow.ByContent):
    """A record around a table."""

    table: pa.Table
    source: Source

    def array(self, name: str) -> pa.Array:
        """Return a column as a single array."""
        return arrow.one_chunk(self.table.column(name))

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a frame."""
        return frame(self.table)

    def _size(self) -> str:
        """Return how large the table is, in words."""
        rows = f"{len(self.table):,} {'row' if len(self.table) == 1 else 'rows'}"
        if "query_id" not in self.table.column_names:
            return rows
        queries = len(self.array("query_id").unique())
        return f"{rows} of {queries:,} {'query' if queries == 1 else 'queries'}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size()})"


@frozen
class Run(TableRecord):
    """One model's ranked lists, whole.

    ``table`` has one chunk per column and no null in an id:

    - ``query_id`` dictionary<int32, string>; ``doc_id`` string or large_string;
    - ``score`` float64, NaN where the file had no finite number (then ``rank`` exists); ``rank`` int32, from 0;
    - ``relevance`` float64, NaN = unjudged: a grade written beside the document (optional);
    - ``title``, ``query_text`` and any further column: string (optional).

    ``ordered_by`` says which column orders the lists: score (higher first), rank (lower first), or position (as
    the rows stand). Rows may come in any order. ``read_as`` is the name it was read with, "" where it still has it.

    ``to_pandas()`` returns the rows as a frame.
    """

    name: str
    table: pa.Table
    ordered_by: OrderedBy
    source: Source = field(default_factory=Source)
    read_as: str = ""

    def renamed(self, name: str) -> Run:
        """Return the same run under another display name; under its first one it is as it was read."""
        first = self.read_as or self.name
        return replace(self, name=name, read_as="" if name == first else first)

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {self._size()}, ordered by {self.ordered_by})"


def distinct_names(names: Sequence[str], files: Sequence[str]) -> tuple[str, ...]:
    """Return a distinct name for each run. Runs of one name take the names of their files, with endings and as many
    folders as needed; if these are the same too, the later ones get a number. ``files`` are paths or names, "" where
    there is no file.

    >>> distinct_names(("input", "input"), ("runs/input.bm25", "runs/input.tasb"))
    ('input.bm25', 'input.tasb')
    >>> distinct_names(("old", "run", "run"), ("old.trec", "b/run.trec", "c/run.trec"))
    ('old', 'b/run.trec', 'c/run.trec')
    """
    paths = [PurePath(file).parts for file in files]
    for length in range(max(map(len, paths), default=0) + 1):
        found = tuple(
            str(PurePath(*path[-length:])) if length and path and names.count(name) > 1 else name
            for name, path in zip(names, paths, strict=True)
        )
        if len(set(found)) == len(found):
            return found
    earlier = [names[:at].count(name) for at, name in enumerate(names)]
    return tuple(f"{name} ({n + 1})" if n else name for name, n in zip(names, earlier, strict=True))


def own_names(runs: Sequence[Run]) -> list[str]:
    """Return the names of runs; of several sheets, or other parts, of one file without its name: "old", not "w/old"."""
    parts = {run.source.identity: run.source.sha256 for run in runs}
    of_several = {sha256 for sha256 in parts.values() if [*parts.values()].count(sha256) > 1}
    files = [f"{PurePath(run.source.name).stem}/" if run.source.sha256 in of_several else "" for run in runs]
    return [run.name.removeprefix(file) for run, file in zip(runs, files, strict=True)]


def with_distinct_names(a: Run, b: Run, files: tuple[str, str] = ("", "")) -> tuple[Run, Run]:
    """Return two runs under names that differ, as ``distinct_names`` has them; without paths by their files' names."""
    name_a, name_b = distinct_names(own_names((a, b)), (files[0] or a.source.name, files[1] or b.source.name))
    return (a if a.name == name_a else a.renamed(name_a), b if b.name == name_b else b.renamed(name_b))


def side_of(name: str, models: Pair | None) -> str:
    """Return which of two models, A or B, has exactly this name, apart from white space around it; "" for neither.

    >>> side_of("new", ("old", "new")), side_of("New", ("old", "new")), side_of("x", ("x", "x"))
    ('B', '', '')
    """
    own, a, b = (one.strip() for one in (name, *(models or ("", ""))))
    return "" if not own or a == b else "A" if own == a else "B" if own == b else ""


@frozen
class Judgments(TableRecord):
    """(query, document) -> relevance. A document without a row is unjudged, never silently 0.

    ``table`` has one chunk per column:

    - ``query_id`` dictionary<int32, string>; ``doc_id`` string or large_string; ``relevance`` float64, finite;
    - ``subtopic`` dictionary<int32, string> (optional): what the grade is for, "" for no subtopic;
    - ``only_for`` string (optional): "A" or "B", the run that a grade is for, "" for both. Lists without document ids
      have it;
    - ``query_text`` string (optional): the texts that a snapshot of Quepid has beside its ids.

    The same pair may stand twice; ``judged/`` keeps the first. With subtopics a document has the highest of its grades,
    and only the same subtopic twice is a repetition.

    ``to_pandas()`` returns the rows as a frame.
    """

    table: pa.Table
    source: Source = field(default_factory=Source)


@frozen
class Queries(TableRecord):
    """Facts about the queries.

    ``table`` has one chunk per column:

    - ``query_id`` string, each once; ``text`` string (optional);
    - ``weight`` float64, >= 0 and NaN where the cell is blank (optional);
    - ``time`` timestamp[ms, UTC], when it was asked (optional);
    - ``cluster`` string, the group that a query belongs to, "" for none (optional);
    - every further column is text and names a segment of the query.

    ``missing_weight`` is the weight of a judged query without one, 0 or 1; None: it was not chosen.

    ``to_pandas()`` returns the rows as a frame.
    """

    table: pa.Table
    source: Source = field(default_factory=Source)
    missing_weight: float | None = None

    def __post_init__(self) -> None:
        if self.missing_weight is None:
            return
        if self.missing_weight not in MISSING_WEIGHTS:
            raise ValueError(f"missing_weight is {self.missing_weight!r}: it is 0 or 1.")
        object.__setattr__(
            self, "missing_weight", float(self.missing_weight)
        )  # one value has one form where it is kept

    def weighing(self, missing_weight: float | None) -> Queries:
        """Return the same queries, a judged one without a weight weighing as much. ValueError unless it is 0 or 1."""
        return replace(self, missing_weight=missing_weight)


@frozen
class Items(TableRecord):
    """Facts about the documents, and the time of the queries.

    ``table`` has one chunk per column:

    - ``doc_id`` string, each once;
    - ``category`` string, and further ones ``category_2``, …, "" where a document has none (optional);
    - ``date`` timestamp[ms, UTC], null where there is none (optional);
    - ``vector`` fixed-size list of float64, NaN where there is none (optional);
    - ``users`` float64, how many had the document, NaN where it is unknown (optional);
    - every further column is text and only shown.

    ``at`` is the time of the queries without a time of their own, in ISO form in UTC; "": none.

    ``to_pandas()`` returns the rows as a frame.
    """

    table: pa.Table
    source: Source = field(default_factory=Source)
    at: str = ""

    def asked_at(self, at: str) -> Items:
        """Return the items with a time of the queries in ISO form; "" removes it. ValueError for any other text."""
        return replace(self, at=at and datetime.fromtimestamp(moment(at), UTC).isoformat())


#: A day, perhaps with a time, in ISO form.
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].+)?", re.ASCII)


def moment(text: str) -> float:
    """Return the seconds since 1970 of a day or time in ISO form, in UTC unless it says otherwise. ValueError for any
    other text.

    >>> moment("1970-01-02"), moment("1970-01-01T01:00:00+01:00")
    (86400.0, 0.0)
    """
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise ValueError(f"{text!r} is no date: write it like 2026-11-01 or 2026-11-01T09:30:00Z.") from None


@frozen
class VotedList:
    """A list that people voted on: what it was called, and the digest of its content as it was read."""

    name: str
    digest: str


@frozen
class Votes(TableRecord):
    """Side-by-side human judgments of two models, seen from B.

    ``table`` has one chunk per column, text without nulls:

    - ``query_id``; ``vote``, one of VOTES; ``rater`` (optional);
    - ``left``, the model that stood on the left: A, B or "" (optional);
    - ``doc_id``, ``reason`` (optional).

    ValueError for any other word, which would count as "same" or as no side.

    ``pair`` are the names that the votes give A and B; None where they name no model. ``about`` are the lists of A and
    B that people voted on; None: those that the votes stand beside.

    ``to_pandas()`` returns the rows as a frame.
    """

    table: pa.Table
    source: Source = field(default_factory=Source)
    pair: tuple[str, str] | None = None
    about: tuple[VotedList, VotedList] | None = None

    def __post_init__(self) -> None:
        for name, words in (("vote", VOTES), ("left", ("A", "B", ""))):
            if name in self.table.column_names:
                strange = set(self.table.column(name).unique().to_pylist()) - set(words)
                if strange:
                    some = ", ".join(sorted(map(repr, strange))[:3])
                    raise ValueError(f"Votes hold {some} as {name}: use {', '.join(map(repr, words))}.")


#: The values of a vote; both_good and both_bad count as same, but stay distinct.
VOTES = ("good", "same", "bad", "both_good", "both_bad")


@frozen
class Models(arrow.ByContent):
    """What one combined file holds: the run of each model, in order of appearance, and the grades beside them."""

    runs: tuple[Run, ...]
    judgments: Judgments | None

    @property
    def source(self) -> Source:
        """Where all of them came from, as it is noted of the first run."""
        return self.runs[0].source

    def __repr__(self) -> str:
        judged = "no judgments" if self.judgments is None else repr(self.judgments)
        return f"Models({', '.join(repr(run.name) for run in self.runs)}; {judged})"
