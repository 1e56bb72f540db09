"""Lists that are typed or pasted: ``3 2 3 0 1 2``, ``d1:3 d2:2`` where documents have a name, or names alone.

Grades without names say nothing about which documents A and B share: each list's own grades are then its ideal, plus
the grades of relevant documents that were missed. With names the judgments are the pool of both lists.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from rankdash import arrow
from rankdash.reading.typed.forms import (
    WIDE,
    TypedForm,
    TypedForms,
    entries,
    forms_of_cells,
    forms_of_fields,
    has_grades,
    paired,
)
from rankdash.reading.typed.rows import (
    Entry,
    Graded,
    TypedQuery,
    collected,
    judgments_of,
    run_of,
    vote_of,
    votes_of,
)
from rankdash.reading.typed.votes import VotesError, typed_votes
from rankdash.strings.quoting import whole_text
from rankdash.tables import Judgments, Run, Source, Votes

_MOST_PROBLEMS = 5
#: What is longer comes as a file, which need not be sent with every click.
MOST_LETTERS = 200_000


class TypedError(ValueError):
    """Typed lists that cannot be read: one sentence per line, each with the place, what stands there and what is
    allowed.
    """


class UnclearError(TypedError):
    """Typed lists that can be read in several ways, ``forms``; ``wrong`` is what the first of them cannot read."""

    def __init__(self, forms: Sequence[TypedForm], wrong: Sequence[str] = ()) -> None:
        self.forms, self.wrong = tuple(forms), tuple(wrong)
        ways = " or ".join(SAID[form.what, form.lines] for form in self.forms)
        super().__init__("\n".join((*self.wrong, f"These lists could be {ways}: say which.")))


#: What a form makes of lists, in words.
SAID: Mapping[tuple[str, str], str] = {
    ("grades", "one"): "one list of grades",
    ("grades", "each"): "a list of grades on each line, one per query",
    ("pairs", "one"): "one list with a document on each line",
    ("pairs", "each"): "a list of documents on each line, one per query",
    ("names", "one"): "one list with the name of a document on each line",
    ("names", "each"): "a list of names on each line, one per query",
}


@dataclass(frozen=True)
class Typed:
    """Two typed lists as tables.

    ``b`` is None where only one list was typed, ``judgments`` where no document has a grade. ``form`` is how they were
    read, ``forms`` every way in which they could be; where documents have no names, A and B share none.
    """

    a: Run
    b: Run | None
    judgments: Judgments | None
    votes: Votes | None
    form: TypedForm
    forms: tuple[TypedForm, ...]

    @property
    def named(self) -> bool:
        """Whether documents have names."""
        return self.form.what != "grades"

    @property
    def query_ids(self) -> list[str]:
        """The queries, in order."""
        ids = [arrow.one_chunk(run.table.column("query_id")) for run in (self.a, self.b) if run is not None]
        return list(dict.fromkeys(query for part in ids for query in part.dictionary.to_pylist()))

    def longest(self, query_id: str) -> int:
        """Return how many documents the longer list of a query has."""
        return max(_rows(run.table, query_id) for run in (self.a, self.b) if run is not None)

    def size(self, query_id: str) -> int:
        """Return how many documents and grades a query has, in both lists and beside them."""
        tables = [tabled.table for tabled in (self.a, self.b, self.judgments) if tabled is not None]
        return sum(_rows(table, query_id) for table in tables)

    def documents(self, run: Run | None, query_id: str) -> list[str]:
        """Return the documents of a list for a query, from rank 1 down."""
        return [] if run is None else _of_query(run.table, query_id).column("doc_id").to_pylist()

    def grades(self, query_id: str) -> dict[str, float]:
        """Return the grade of each graded document of a query; of several grades the first counts."""
        if self.judgments is None:
            return {}
        rows = _of_query(self.judgments.table, query_id)
        return dict(zip(*(rows.column(name).to_pylist()[::-1] for name in ("doc_id", "relevance")), strict=True))

    def graded(self, grades: Mapping[tuple[str, str], float]) -> Typed:
        """Return the same with other grades, by query and document, in place of those that were typed."""
        if not grades:
            return self
        typed = [] if self.judgments is None else self.judgments.table.to_pylist()
        all_grades = {(row["query_id"], row["doc_id"]): row["relevance"] for row in typed[::-1]} | dict(grades)
        digest = hashlib.sha256(f"{self.a.source.sha256}{sorted(all_grades.items())}".encode()).hexdigest()
        rows: list[Graded] = [(query_id, doc_id, grade, "") for (query_id, doc_id), grade in all_grades.items()]
        return replace(self, judgments=judgments_of(rows, Source("typed", digest), apart=not self.named))


def graded_by_hand(grades: Mapping[tuple[str, str], float], source: Source) -> Judgments | None:
    """Return grades, by query and document, as judgments; None without any."""
    return judgments_of([(*place, grade, "") for place, grade in grades.items()], source, apart=False)


def read_typed(shape: str, texts: Sequence[str], form: TypedForm | None = None) -> Typed | Votes:
    """Return what was typed into the fields of a shape: "lists", a "table", or "votes" alone; read as a ``form``.

    TypedError where it cannot be read, and where it is longer than MOST_LETTERS; UnclearError where it can be read in
    several ways, and no form was given.
    """
    size = sum(map(len, texts))
    if size > MOST_LETTERS:
        raise TypedError(
            f"More than {MOST_LETTERS:,} letters were typed or pasted. Save them as a file, and drop that."
        )
    if any(whole_text(text) != text for text in texts):
        raise TypedError("Half a character stands in the text: type or paste it again.")
    try:
        return typed_votes(*texts) if shape == "votes" else _SHAPES[shape](*texts, form=form)
    except VotesError as error:
        raise TypedError(str(error)) from None


def _lists_or_votes(a: str, b: str, missed: str, votes: str, form: TypedForm | None) -> Typed | Votes:
    """Return two lists; votes alone where there is nothing else. Words that are votes are no documents."""
    if not any(map(str.strip, (a, b, missed))):
        return typed_votes(votes)
    typed = typed_lists(a, b, missed, votes, form)
    for name, text in (("A", a), ("B", b)):
        if form is None and typed.form.what == "names" and text.strip() and _are_votes(text):
            raise TypedError(f"List {name} holds votes, and no documents.")
    return typed


def _are_votes(text: str) -> bool:
    try:
        return bool(typed_votes(text))
    except VotesError:
        return False


#: What may stand around a document on its line.
_AROUND = " \t,;"


def typed_lists(a: str, b: str = "", missed: str = "", votes: str = "", form: TypedForm | None = None) -> Typed:
    """Return lists typed into fields; see ``Typed``. Where each line is the list of a query, a query has the same
    line in every field; where all lines are one list, so are those of missed grades and votes.

    TypedError for a token that is no grade, and where the fields do not fit together; UnclearError where there are
    several forms, and none was given.
    """
    fields = {"a": a, "b": b, "missed": missed, "vote": votes}
    lines = {name: [paired(line) for line in text.rstrip().splitlines()] for name, text in fields.items()}
    forms = forms_of_fields(["\n".join(lines[side]) for side in "ab"], [missed, votes])

    def queries(form: TypedForm) -> list[TypedQuery]:
        if form.lines == "one":
            return [_all_lines(lines, form)]
        longest = max(map(len, lines.values()))
        cells = [{name: own[i] if i < len(own) else "" for name, own in lines.items()} for i in range(longest)]
        return [
            _query(str(i), {name: f"{_FIELDS[name]}, line {i}" for name in lines}, row, form)
            for i, row in enumerate(cells, start=1)
            if any(cell.strip() for cell in row.values())
        ]

    return _typed(queries, forms, form, "\n\f".join(fields.values()))


def _all_lines(lines: Mapping[str, Sequence[str]], form: TypedForm) -> TypedQuery:
    """Return the query of fields that hold one list each."""
    entries_of: dict[str, list[Entry]] = {}
    for name, own in lines.items():
        what = form.what if name in ("a", "b") else "grades"
        whole = what != "grades" and len([*filter(str.strip, own)]) > 1
        listed = [(i, [line.strip(_AROUND)] if whole else entries(line, what)) for i, line in enumerate(own, start=1)]
        entries_of[name] = [(f"{_FIELDS[name]}, line {i}", token) for i, tokens in listed for token in tokens if token]
    sides = {side: entries_of.pop(side) for side in "ab"}
    return TypedQuery("1", sides, entries_of)


def typed_table(text: str, form: TypedForm | None = None) -> Typed:
    """Return a table pasted from a spreadsheet: query, list A, list B, and optionally missed grades and good / same /
    bad.

    A cell holds a whole list, or one document; rows of one query are put together. A first row of names is left out.
    TypedError and UnclearError as for ``typed_lists``.
    """
    lines = {number: _cells(line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()}
    rows: list[tuple[str, dict[str, str], dict[str, str]]] = []
    names = ["query", "a", "b", "missed", "vote"]
    first, *others = lines.values() if lines else ([""],)
    if lines and _is_heading(first, [cell for cells in others for cell in cells[1:3]]):
        names = _columns(lines.pop(min(lines)))
    for number, cells in lines.items():
        if len(cells) < 2 or len(cells) > len(names):
            raise TypedError(
                f"Line {number}: {len(cells)} cells found. Use query, list A, list B and, if there are any, missed "
                "grades and good / same / bad, with a tab between."
            )
        fields = dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=True))
        if fields.get("missed") and vote_of(fields["missed"]) and not fields.get("vote"):
            fields["missed"], fields["vote"] = "", fields["missed"]
        place = {name: f"Line {number}, {_FIELDS.get(name, name)}" for name in names}
        rows.append((fields.pop("query") or str(number), place, fields))
    forms = forms_of_cells([fields[side] for _, _, fields in rows for side in "ab" if fields.get(side)])
    return _typed(lambda form: [_query(*row, form) for row in rows], forms, form, text)


_FIELDS = {"a": "list A", "b": "list B", "missed": "missed", "vote": "good / same / bad"}
_HEADS = {"missed": "missed", "vote": "vote", "votes": "vote", "gsb": "vote", "good/same/bad": "vote"}
#: Headings of the column of queries.
_OF_QUERIES = ("", "q", "query", "queries", "query_id", "query id", "qid")


def _is_heading(cells: Sequence[str], below: Sequence[str]) -> bool:
    """Return whether the first row of a table names its columns: it has no digit, and its first cell says so, or there
    are grades ``below``, which it has none of.
    """
    has_digit = any(letter.isdigit() for cell in cells[1:] for letter in cell.translate(WIDE))
    return not has_digit and (cells[0].lower() in _OF_QUERIES or any(map(has_grades, below)))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in (line.split("\t") if "\t" in line else re.split(r"[;|]", line))]


def _columns(heads: Sequence[str]) -> list[str]:
    """Return what the columns of a pasted table mean: the first three by place, the others by name."""
    further = [_HEADS.get(head.lower().replace(" ", ""), "missed") for head in heads[3:5]]
    return ["query", "a", "b", *dict.fromkeys(further), *(n for n in ("missed", "vote") if n not in further)]


def _query(query_id: str, place: Mapping[str, str], cells: Mapping[str, str], form: TypedForm) -> TypedQuery:
    """Return a query of which each field has a cell; a cell is a single document where the form says so."""

    def listed(name: str) -> list[Entry]:
        what = form.what if name in ("a", "b") else "grades"
        cell = cells.get(name, "").strip(_AROUND)
        whole = what != "grades" and form.lines == "one"
        return [(place[name], token) for token in ([cell] if whole else entries(cell, what)) if token]

    return TypedQuery(query_id, {side: listed(side) for side in "ab"}, {n: listed(n) for n in ("missed", "vote")})


def _typed(
    queries: Callable[[TypedForm], list[TypedQuery]], forms: TypedForms, form: TypedForm | None, text: str
) -> Typed:
    """Return the lists read as a form, or as the first possible form where that is sure."""
    chosen = form or forms.possible[0]
    rows = collected(queries(chosen), chosen)
    more = len(rows.problems) - _MOST_PROBLEMS
    wrong = [*rows.problems[:_MOST_PROBLEMS], *([f"And {more} more."] if more > 0 else [])]
    if form is None and not forms.is_sure:
        raise UnclearError(forms.possible, wrong)
    if wrong:
        raise TypedError("\n".join(wrong))
    source = Source("typed", hashlib.sha256(text.encode()).hexdigest())
    a, b = (run_of(side.upper(), rows.lists[side], source) for side in ("a", "b"))
    judgments = judgments_of(rows.graded, source, apart=chosen.what == "grades")
    return Typed(a, b if rows.lists["b"] else None, judgments, votes_of(rows.votes, source), chosen, forms.possible)


def _rows(table: pa.Table, query_id: str) -> int:
    return len(arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id))


def _of_query(table: pa.Table, query_id: str) -> pa.Table:
    return table.take(arrow.from_numpy(arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id)))


_SHAPES: Mapping[str, Callable[..., Typed | Votes]] = {"lists": _lists_or_votes, "table": typed_table}
