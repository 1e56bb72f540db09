"""``Case``: everything that a comparison is made of, in one frozen record, and its name; ``compared``: the one place
where a comparison is made, for pages, command line, API and saved comparisons alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow, scoring
from rankdash.judged import SIDES, Order, rows_in_order
from rankdash.metrics import Measure
from rankdash.metrics.lists import same_as_before
from rankdash.policy import Policy
from rankdash.records import frozen, remembered, replace
from rankdash.scoring import Comparison, Rankings, VotesAlone, compare_joined, compare_votes, join
from rankdash.tables import Items, Judgments, Queries, Run, VotedList, Votes, with_distinct_names

if TYPE_CHECKING:
    from rankdash.edits import Edit, Held, VoteValidity


Tabled = Run | Judgments | Queries | Votes | Items
#: The digest changes its meaning with this number only.
FORMAT = "rankdash content 1"
Update = Callable[[Any], None]
Ints = npt.NDArray[np.int64]


def content_digest(record: Tabled) -> str:
    """Return the SHA-256, 64 hexadecimal digits, of the canonical columns of a table; it is computed once for a table
    in memory, whatever its names.

    The same lists have one digest as TREC, CSV, Parquet or packed, with the queries in any order. The digest covers:

    1. what the table is, and what orders its lists;
    2. the ids of the queries in the order of their bytes, each with its number of rows;
    3. every other column, by name: its rows query by query in that order, within a query in the order of the table;
    4. the weight of queries without one, and the time of the queries, where a user chose them.

    Items are written in the same way, by their own ids. Text is the same whether it is a dictionary or has wide
    offsets. Numbers are float64, with one zero and one NaN. A rank beside finite scores that order the list is left
    out: TREC files always have one, and nothing depends on it. Names, sources and notes are left out too.
    """
    kind, order = type(record).__name__.lower(), record.ordered_by if isinstance(record, Run) else ""
    said, computed = _said(record), _computed(record.table)
    if (kind, order, said) not in computed:
        computed[kind, order, said] = _digest(record, kind, order, said)
    return computed[kind, order, said]


def lists_digest(run: Run) -> str:
    """Return the digest of the lists of a run, whatever is shown or graded beside the documents."""
    return content_digest(replace(run, table=_lists_alone(run.table)))


def ranked_digest(run: Run, order: Order) -> str:
    """Return the digest of the documents of each query in their order, whatever else is in the file: scores, ranks,
    titles, or rows that are there again.
    """
    key, computed = ("ranked", run.ordered_by, order.score_type), _computed(run.table)
    if key not in computed:
        table = run.table.select(["query_id", "doc_id"])
        table = table if _is_in_order(run, order) else table.take(arrow.from_numpy(rows_in_order(run, order)))
        computed[key] = content_digest(replace(run, table=table, ordered_by="position"))
    return computed[key]


def _is_in_order(run: Run, order: Order) -> bool:
    codes = arrow.codes(run.array("query_id"))
    beside = same_as_before(codes)
    if len(beside) - np.count_nonzero(beside) > len(arrow.distinct(codes)):
        return False
    if run.ordered_by == "position":
        return True
    values = arrow.as_numpy(run.array(run.ordered_by))
    values = -values.astype(order.score_type) if run.ordered_by == "score" else values
    return bool((values[1:] > values[:-1])[beside[1:]].all())


@remembered
def _lists_alone(table: pa.Table) -> pa.Table:
    names = [name for name in table.column_names if name in ("query_id", "doc_id", "rank", "score")]
    return table.select(names) if len(names) < table.num_columns else table  # whose digest may be known


def _said(record: Tabled) -> str:
    """Return what a user decided about a table, as text; "" for nothing."""
    if isinstance(record, Queries) and record.missing_weight is not None:
        return f"missing_weight {record.missing_weight:g}"
    return f"at {record.at}" if isinstance(record, Items) and record.at else ""


@remembered
def _computed(_: Any) -> dict[tuple[str, ...], str]:
    """Return the digests of a table as they are computed, by what the record is, what orders its lists, and what was
    decided on it.
    """
    return {}


def _digest(record: Tabled, kind: str, order: str, said: str) -> str:
    digest = hashlib.sha256()
    for word in (FORMAT, kind, order):
        _word(digest.update, word)
    about = "doc_id" if isinstance(record, Items) else "query_id"
    names, counts, table = _by_id(record.table, about)
    _column(digest.update, about, names)
    digest.update(counts.astype("<i8").data)
    for name in sorted(_that_count(record) - {about}, key=str.encode):
        _column(digest.update, name, arrow.one_chunk(table.column(name)))
    if said:
        _word(digest.update, said)
    return digest.hexdigest()


def _that_count(record: Tabled) -> set[str]:
    """Return the columns that are part of the content."""
    names = set(record.table.column_names)
    if isinstance(record, Run) and record.ordered_by == "score" and {"rank", "score"} <= names:
        score = record.array("score")
        if not score.null_count and np.isfinite(arrow.as_numpy(score.cast(pa.float64()))).all():
            names.remove("rank")
    return names


def _by_id(table: pa.Table, about: str) -> tuple[pa.Array, Ints, pa.Table]:
    """Return the ids in a column in the order of their bytes, the number of rows of each, and the table of the other
    columns, its rows id by id in that order.
    """
    ids = arrow.encoded(arrow.one_chunk(table.column(about)))
    values = ids.dictionary.unique()
    names = values.take(pc.array_sort_indices(values))
    place_of = arrow.positions(ids.dictionary, names).astype(np.int32)
    codes = arrow.codes(ids)
    starts = np.flatnonzero(~same_as_before(codes))  # rows of an id are mostly contiguous
    places, lengths = place_of[codes[starts]], np.diff(starts, append=len(ids))
    counts = np.bincount(places, lengths, len(names)).astype(np.int64)
    used, order = np.flatnonzero(counts), np.argsort(places, kind="stable")
    from rankdash.edits import stretches

    rows = stretches(table.drop_columns([about]), starts[order], lengths[order])
    return names.take(arrow.from_numpy(used)), counts[used], rows


def _word(update: Update, word: str) -> None:
    data = word.encode()
    update(len(data).to_bytes(8, "little"))
    update(data)


def _column(update: Update, name: str, column: pa.Array) -> None:
    """Add the name, kind and length of a column to the digest, then the rows without a value, and the values; a row
    without a value counts as empty.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    column = arrow.bare(column)
    is_number = _fits_float(column)
    _word(update, name)
    update(b"n" if is_number else b"t")
    update(len(column).to_bytes(8, "little"))
    missing = np.flatnonzero(arrow.bits(column.is_null())) if column.null_count else np.empty(0, np.int64)
    update(len(missing).to_bytes(8, "little"))
    update(missing.astype("<i8"))
    (_numbers if is_number else _texts)(update, column)


def _fits_float(column: pa.Array) -> bool:
    """Return whether a column holds numbers that float64 can tell apart."""
    if pa.types.is_integer(column.type):
        ends = pc.min_max(column).as_py()
        return max(-(ends["min"] or 0), ends["max"] or 0) <= 2**53
    return bool(pa.types.is_floating(column.type))


def _numbers(update: Update, column: pa.Array) -> None:
    values = arrow.as_numpy((pc.fill_null(column, 0) if column.null_count else column).cast(pa.float64()))
    values = values + 0.0  # one zero
    values[np.isnan(values)] = np.nan
    update(values.astype("<f8", copy=False))


def _texts(update: Update, column: pa.Array) -> None:
    """Add the lengths of all values in bytes to the digest, and then the bytes."""
    if not arrow.is_text(column.type):
        column = pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.large_string())
    text = arrow.Text.of(pc.fill_null(column, "") if column.null_count else column)
    update(np.diff(text.offsets).astype("<i8", copy=False))
    update(text.data[text.offsets[0] : text.offsets[-1]])


Role = Literal["a", "b", "judgments", "queries", "votes", "items"]
#: What each table of a case is, in the order in which they are shown.
ROLES: tuple[Role, ...] = get_args(Role)


@frozen
class Case:
    """The tables of one comparison as they were read, which model is A, and what people changed on top of them.

    ``runs`` are the baseline A and the candidate B under the names that are shown; None: there are votes alone.
    ``judgments`` None: the grades written in the runs. ``held`` are lists for which a user confirmed the votes.
    ``name`` is the name that a user gave the comparison; "": the names of its models.
    """

    runs: tuple[Run, Run] | None = None
    judgments: Judgments | None = None
    queries: Queries | None = None
    votes: Votes | None = None
    items: Items | None = None
    edits: tuple[Edit, ...] = ()
    held: tuple[Held, ...] = ()
    name: str = ""

    @classmethod
    def of(cls, tables: Mapping[Any, Any], name: str = "") -> Case:
        """Return the case of some tables, by role. KeyError for a single run."""
        rest = {role: table for role, table in tables.items() if role not in SIDES}
        runs = (tables["a"], tables["b"]) if tables.keys() & {*SIDES} else None
        return cls(runs, **rest, name=name)

    @property
    def a(self) -> Run:
        """The baseline. Votes alone have none: ask for ``runs``."""
        assert self.runs is not None
        return self.runs[0]

    @property
    def b(self) -> Run:
        """The candidate. Votes alone have none: ask for ``runs``."""
        assert self.runs is not None
        return self.runs[1]

    @property
    def tables(self) -> dict[Role, Tabled]:
        """The tables that there are, by role."""
        runs: dict[Role, Any] = dict(zip(SIDES, self.runs, strict=True)) if self.runs is not None else {}
        rest: dict[Role, Any] = {role: getattr(self, role) for role in ROLES if role not in SIDES}
        return runs | {role: table for role, table in rest.items() if table is not None}

    @property
    def of_users(self) -> bool:
        """Whether queries are users and documents are items, as a file says."""
        return any(table.source.of_users for table in self.tables.values())

    @property
    def unedited(self) -> Case:
        """The same case without its edits, and without what was said about votes on edited lists."""
        return replace(self, edits=(), held=())

    @property
    def names(self) -> dict[str, str]:
        """What the comparison ("name") and its models ("a", "b") are called."""
        a, b = ("", "") if self.runs is None else (self.a.name, self.b.name)
        return {"name": self.name, "a": a, "b": b}

    @property
    def title(self) -> str:
        """What the comparison is called."""
        if self.runs is None and self.votes is not None:
            return self.name or votes_title(self.votes)
        return title(*self.names.values())

    @property
    def identities(self) -> tuple[Hashable, ...]:
        """The identities of the sources of A, B and the judgments: they tell whose results a person has seen, under any
        names.
        """
        return tuple(table.source.identity for table in (self.a, self.b, self.judgments) if table is not None)

    def with_tables(self, name: str = "", **tables: Any) -> Case:
        """Return the case with other tables and without edits. Votes that stay are on the lists that were there before;
        what was said about lists as a whole stays too.
        """
        held = tuple(entry for entry in self.held if not entry.query_id)
        return replace(Case.of({**self.knowing_lists().tables, **tables}, name or self.name), held=held)

    def knowing_lists(self, before: Case | None = None) -> Case:
        """Return the case with votes that know which lists they are on: those of this case, or those of ``before`` if
        it had the same votes.
        """
        lists = self if before is None or self.votes is not before.votes else before
        if self.votes is None or lists.runs is None:
            return self
        votes = self.votes
        return replace(self, votes=replace(votes, about=votes.about or lists_of(*lists.runs)))

    def swapped(self) -> Case:
        """Return the comparison of B with A: edits stay with their lists, votes are turned around."""
        runs = None if self.runs is None else self.runs[::-1]
        judgments = None if self.judgments is None else scoring.swapped_judgments(self.judgments)
        votes = None if self.votes is None else scoring.swapped_votes(self.votes)
        edits, held = tuple(edit.swapped() for edit in self.edits), tuple(entry.swapped() for entry in self.held)
        return replace(self, runs=runs, judgments=judgments, votes=votes, edits=edits, held=held)

    def asked_at(self, at: str) -> Case:
        """Return the case with a time in ISO form for all queries; "" removes it."""
        return replace(self, items=self.items and self.items.asked_at(at))

    def weighing(self, missing_weight: float) -> Case:
        """Return the case in which a judged query without a weight weighs ``missing_weight``."""
        return replace(self, queries=self.queries and self.queries.weighing(missing_weight))

    def renamed(self, name: str, a: str = "", b: str = "") -> Case:
        """Return the case under other names; a model without a new name keeps its own."""
        if self.runs is None:
            return replace(self, name=name)
        return replace(self, name=name, runs=(_named(self.a, a), _named(self.b, b)))

    def with_distinct_names(self, files: tuple[str, str] = ("", "")) -> Case:
        """Return the case with names of A and B that differ; ``files`` are their paths, where somebody gave some."""
        return self if self.runs is None else replace(self, runs=with_distinct_names(*self.runs, files))


def _named(run: Run, name: str) -> Run:
    """Return a run under a name; the same object where it has that name already, or the name is empty."""
    return run if run.name == name or not name else run.renamed(name)


_MODELS = "{a} → {b}"
_VOTES = "Votes"


def title(name: str, a: str, b: str) -> str:
    """Return what a comparison is called: ``name``, "" for its models as they are shown now.

    >>> title("", "old", "new"), title("Spring", "old", "new")
    ('old → new', 'Spring')
    """
    return given_name(name, a, b) or (_MODELS.format(a=a, b=b) if a or b else _VOTES)


def given_name(name: str, a: str, b: str) -> str:
    """Return the name that somebody gave; "" where it says no more than the models do, so that it follows them."""
    name = name.strip()
    return "" if name == _MODELS.format(a=a, b=b) else name


def votes_title(votes: Votes) -> str:
    """Return what votes without lists are called: by the models that they name, else by their file."""
    return title("" if votes.pair else votes.source.name, *(votes.pair or ("", "")))


def ranked(case: Case, policy: Policy) -> Rankings:
    """Return both runs of a case in order, with its edits applied. ComparisonError where there are no judgments."""
    a, b, judgments = case.a, case.b, case.judgments
    if case.edits:
        from rankdash.edits import apply

        a, b, judgments = apply(case.edits, a, b, judgments, policy.scoring)
    return join(a, b, judgments, depth=2 * policy.cutoff, items=case.items, queries=case.queries)


def compared(
    case: Case,
    policy: Policy,
    *,
    measures: str | Measure | Iterable[str | Measure] = (),
    experts: bool = False,
    rankings: Callable[[Case, Policy], Rankings] = ranked,
) -> Comparison | VotesAlone:
    """Return the comparison of a case under a policy; of votes alone, what raters say.

    Parameters
    ----------
    case : Case                what is compared
    policy : Policy            its measures come first
    measures                   names of further measures; a single name may be a string
    experts : bool             also permutation, bootstrap, Wilcoxon and sign test of every measure
    rankings                   the function that puts the runs of a case in order; for callers that keep its result, or
                               read the runs from files that are never whole in memory

    Raises
    ------
    ComparisonError, MeasureError
                               as for ``rankdash.compare``
    """
    if case.runs is None:
        assert case.votes is not None
        return compare_votes(case.votes, policy)
    voted = valid_votes_of(case, policy)
    queries, votes = case.queries, None if voted is None else voted.votes
    return compare_joined(rankings(case, policy), policy, measures, queries=queries, votes=votes, experts=experts)


def valid_votes_of(case: Case, policy: Policy) -> VoteValidity | None:
    """Return which votes of a case count under a policy; None without votes, and where there are votes alone."""
    if case.votes is None or case.runs is None:
        return None
    from rankdash.edits import valid_votes

    about = case.votes.about
    known = {own.digest for own in about or ()}.union(*((one.a, one.b) for one in case.held))
    lists = None if about is None else (_as_known(case.a, known), _as_known(case.b, known))
    tables = case.votes, case.a, case.b, case.edits, case.held
    return valid_votes(*tables, lists=lists, convention=policy.scoring, cutoff=policy.cutoff)


def _as_known(run: Run, known: Container[str]) -> VotedList:
    """Return a list as votes know it: those saved before may know it with what is shown beside its documents."""
    whole = content_digest(run)
    return VotedList(run.name, whole if whole in known else lists_digest(run))


def lists_of(a: Run, b: Run) -> tuple[VotedList, VotedList]:
    """Return the names and digests by which votes know the lists that they are on."""
    return VotedList(a.name, lists_digest(a)), VotedList(b.name, lists_digest(b))
