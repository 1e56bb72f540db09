"""Lists that are typed or pasted: ``3 2 3 0 1 2``, or ``d1:3 d2:2`` where documents have a name.

Grades without names say nothing about which documents A and B share: each list's own grades are then its ideal, plus
the grades of relevant documents that were missed. With names the judgments are the pool of both lists.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.reading.typed.votes import VotesError, typed_votes
from rankdash.reading.words.votes import SHORT
from rankdash.tables import VOTES, Judgments, Run, Source, Votes

#: Full-width digits and marks as typed with an East Asian keyboard, and what they are.
_WIDE = str.maketrans("０１２３４５６７８９．，、；：？［］（）\u3000\u2212", "0123456789.,,;:?[]() -")
_BETWEEN = re.compile(r"[\s,;]+")
_GRADE = re.compile(r"^\d{1,6}(\.\d+)?$")
_ALLOWED = "Use grades such as 3 or 0.5, id:grade for named documents, and ? for unjudged."
_MOST_PROBLEMS = 20
#: What is longer comes as a file, which need not be sent with every click.
MOST_LETTERS = 200_000


class TypedError(ValueError):
    """Typed lists that cannot be read: one sentence per line, each with the place, the token and what is allowed."""


@dataclass(frozen=True)
class Typed:
    """Two typed lists as tables. ``named``: documents have names; otherwise A and B share none.

    ``b`` is None where only one list was typed.
    """

    a: Run
    b: Run | None
    judgments: Judgments
    votes: Votes | None
    named: bool

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
        tables = [run.table for run in (self.a, self.b) if run is not None]
        return sum(_rows(table, query_id) for table in (*tables, self.judgments.table))


@dataclass(frozen=True)
class _TypedQuery:
    """One query: where it was typed, and the four cells."""

    query_id: str
    place: dict[str, str]
    cells: dict[str, str]


@dataclass
class _TypedRows:
    """The rows of the tables as they are read."""

    lists: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {"a": [], "b": []})  # query, document
    graded: list[tuple[str, str, float, str]] = field(default_factory=list)  # query, document, grade, only for
    votes: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


#: Lists as JSON or Python writes them: [3, 2, 3], ["d1:3", "d2:0"], (1, 0).
_BRACKETS = str.maketrans("[]()\"'", " " * 6)


def read_typed(shape: str, texts: Sequence[str]) -> Typed | Votes:
    """Return what was typed into the fields of a shape: "lists", a "table", or "votes" alone.

    TypedError where it cannot be read, and where it is longer than MOST_LETTERS.
    """
    size = sum(map(len, texts))
    if size > MOST_LETTERS:
        raise TypedError(
            f"More than {MOST_LETTERS:,} letters were typed or pasted. Save them as a file, and drop that."
        )
    try:
        return _SHAPES[shape](*texts)
    except VotesError as error:
        raise TypedError(str(error)) from None


def _lists_or_votes(a: str, b: str, missed: str, votes: str) -> Typed | Votes:
    """Return two lists; votes alone where there is nothing else."""
    return typed_lists(a, b, missed, votes) if any(map(str.strip, (a, b, missed))) else typed_votes(votes)


def typed_lists(a: str, b: str = "", missed: str = "", votes: str = "") -> Typed:
    """Return lists typed into fields: one query per line, the same line in every field; see ``Typed``.

    TypedError for a token that is no grade, and where the fields do not fit together.
    """
    fields = {"a": a, "b": b, "missed": missed, "vote": votes}
    lines = {name: text.rstrip().splitlines() for name, text in fields.items()}
    count = max(map(len, lines.values()))
    rows = [
        _TypedQuery(
            str(i + 1),
            {name: f"{_FIELDS[name]}, line {i + 1}" for name in lines},
            {name: own[i] if i < len(own) else "" for name, own in lines.items()},
        )
        for i in range(count)
    ]
    return _typed(
        [row for row in rows if any(cell.strip() for cell in row.cells.values())], "\n\f".join(fields.values())
    )


def typed_table(text: str) -> Typed:
    """Return a table pasted from a spreadsheet: query, list A, list B, and optionally missed grades and good / same /
    bad.

    A cell holds a whole list, or one grade; rows of one query are put together. A first row of names is left out.
    TypedError as for ``typed_lists``.
    """
    rows: list[_TypedQuery] = []
    names = ["query", "a", "b", "missed", "vote"]
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in (line.split("\t") if "\t" in line else re.split(r"[;|]", line))]
        if not rows and not any(letter.isdigit() for cell in cells[1:] for letter in cell.translate(_WIDE)):
            names = _columns(cells)
            continue
        if len(cells) < 2 or len(cells) > len(names):
            raise TypedError(
                f"Line {number}: {len(cells)} cells found. Use query, list A, list B and, if there are any, missed "
                "grades and good / same / bad, with a tab between."
            )
        fields = dict(zip(names, [*cells, *[""] * (len(names) - len(cells))], strict=True))
        if fields.get("missed") and _vote(fields["missed"]) and not fields.get("vote"):
            fields["missed"], fields["vote"] = "", fields["missed"]
        place = {name: f"Line {number}, {_FIELDS.get(name, name)}" for name in names}
        rows.append(_TypedQuery(fields.pop("query") or str(number), place, fields))
    return _typed(rows, text)


_FIELDS = {"a": "list A", "b": "list B", "missed": "missed", "vote": "good / same / bad"}
_HEADS = {"missed": "missed", "vote": "vote", "votes": "vote", "gsb": "vote", "good/same/bad": "vote"}


def _columns(heads: Sequence[str]) -> list[str]:
    """Return what the columns of a pasted table mean: the first three by place, the others by name."""
    further = [_HEADS.get(head.lower().replace(" ", ""), "missed") for head in heads[3:5]]
    return ["query", "a", "b", *dict.fromkeys(further), *(n for n in ("missed", "vote") if n not in further)]


def _typed(rows: list[_TypedQuery], text: str) -> Typed:
    named = any(":" in row.cells[side].translate(_WIDE) for row in rows for side in ("a", "b") if row.cells.get(side))
    collected, seen = _TypedRows(), dict[tuple[str, str], int]()
    for row in rows:
        for side in ("a", "b"):
            _read_list(row, side, named, seen, collected)
        _read_missed(row, seen, collected)
        _read_vote(row, collected)
    if not collected.lists["a"] and not collected.problems:
        collected.problems.append(f"List A is empty. {_ALLOWED}")
    if not collected.graded and not collected.problems:
        collected.problems.append(f"No document has a grade. {_ALLOWED}")
    if collected.problems:
        more = len(collected.problems) - _MOST_PROBLEMS
        raise TypedError(
            "\n".join([*collected.problems[:_MOST_PROBLEMS], *([f"And {more} more."] if more > 0 else [])])
        )
    return _tables(collected, named, hashlib.sha256(text.encode()).hexdigest())


def _tokens(row: _TypedQuery, name: str) -> Iterator[tuple[str, str]]:
    """Yield the tokens of a cell, each with its place in words."""
    cell = row.cells.get(name, "").translate(_WIDE)
    if re.fullmatch(r"\s*[\[(][^\[\](){}]*[\])]\s*", cell):
        cell = cell.translate(_BRACKETS)
    for number, token in enumerate((token for token in _BETWEEN.split(cell) if token), start=1):
        yield f"{row.place.get(name, name)}, token {number}", token


def _read_list(
    row: _TypedQuery, side: str, named: bool, seen: dict[tuple[str, str], int], collected: _TypedRows
) -> None:
    only_for = "" if named else side.upper()
    for where, token in _tokens(row, side):
        doc_id, colon, grade = token.rpartition(":")
        if named and not (colon and doc_id):
            collected.problems.append(
                f'{where[0].upper()}{where[1:]}: "{token}" has no document. Where one has, all have: id:grade.'
            )
            continue
        if not named:
            number = seen[row.query_id, side] = seen.get((row.query_id, side), 0) + 1
            doc_id = f"{only_for}{number}"
        if not _is_grade(where, token, grade, collected):
            continue
        collected.lists[side].append((row.query_id, doc_id))
        if grade not in ("", "?"):
            collected.graded.append((row.query_id, doc_id, float(grade), only_for))


def _is_grade(where: str, token: str, grade: str, collected: _TypedRows) -> bool:
    fits = grade in ("", "?") or bool(_GRADE.match(grade))
    if not fits:
        collected.problems.append(f'{where[0].upper()}{where[1:]}: "{token}" is not a grade. {_ALLOWED}')
    return fits


def _read_missed(row: _TypedQuery, seen: dict[tuple[str, str], int], collected: _TypedRows) -> None:
    for where, token in _tokens(row, "missed"):
        doc_id, _, grade = token.rpartition(":")
        number = seen[row.query_id, "missed"] = seen.get((row.query_id, "missed"), 0) + 1
        if _is_grade(where, token, grade or "no", collected):
            collected.graded.append((row.query_id, doc_id or f"missed {number}", float(grade), ""))


def _vote(token: str) -> str | None:
    word = token.strip().lower().replace(" ", "_")
    word = SHORT.get(word, word)
    return word if word in VOTES else None


def _read_vote(row: _TypedQuery, collected: _TypedRows) -> None:
    for where, token in _tokens(row, "vote"):
        vote = _vote(token)
        if vote is None:
            collected.problems.append(
                f'{where[0].upper()}{where[1:]}: "{token}" is no vote. Use good, same or bad, seen from B.'
            )
        else:
            collected.votes.append((row.query_id, vote))


def _tables(collected: _TypedRows, named: bool, digest: str) -> Typed:
    source = Source("typed", digest)
    query, doc, grade, only_for = zip(*collected.graded, strict=True)
    columns = {"query_id": _ids(query), "doc_id": arrow.from_strings(list(doc))}
    columns["relevance"] = arrow.from_numpy(np.array(grade, np.float64))
    if not named:
        columns["only_for"] = arrow.from_strings(list(only_for))
    table = pa.Table.from_arrays(list(columns.values()), names=list(columns))
    a, b = (_run(name, collected.lists[side], source) for name, side in (("A", "a"), ("B", "b")))
    votes = None
    if collected.votes:
        names = ["query_id", "vote"]
        votes = Votes(
            pa.Table.from_arrays([arrow.from_strings([*c]) for c in zip(*collected.votes, strict=True)], names), source
        )
    return Typed(a, b if collected.lists["b"] else None, Judgments(table, source), votes, named)


def _run(name: str, rows: list[tuple[str, str]], source: Source) -> Run:
    ranks, seen = [], dict[str, int]()
    for query, _ in rows:
        seen[query] = seen.get(query, 0) + 1
        ranks.append(seen[query])
    columns = [
        _ids([query for query, _ in rows]),
        arrow.from_strings([doc_id for _, doc_id in rows]),
        arrow.from_numpy(np.array(ranks, np.int32)),
    ]
    table = pa.Table.from_arrays(columns, names=["query_id", "doc_id", "rank"])
    return Run(f"List {name}", table, "rank", Source(f"typed {name}", source.sha256, len(rows)))


def _rows(table: pa.Table, query_id: str) -> int:
    return len(arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id))


def _ids(values: Sequence[str]) -> pa.DictionaryArray:
    return arrow.from_strings(list(values)).dictionary_encode()


_SHAPES: Mapping[str, Callable[..., Typed | Votes]] = {
    "lists": _lists_or_votes,
    "table": typed_table,
    "votes": typed_votes,
}
