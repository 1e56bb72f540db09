"""What typed fields list for each query -> the rows of a run, of judgments and of votes, and those as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.reading.typed.forms import TypedForm, is_grade
from rankdash.reading.words.votes import SHORT
from rankdash.tables import VOTES, Judgments, Run, Source, Votes

_ALLOWED = "Use grades such as 3 or 0.5, id:grade for named documents, and ? for unjudged."
#: A place in words, and what stands there.
Entry = tuple[str, str]
#: Query, document, grade, and the list that it is for: "A", "B", or "" for both.
Graded = tuple[str, str, float, str]


@dataclass(frozen=True)
class TypedQuery:
    """One query: what each list holds, by side, and ``beside`` them the missed grades and the votes."""

    query_id: str
    lists: Mapping[str, Sequence[Entry]]
    beside: Mapping[str, Sequence[Entry]]


@dataclass
class TypedRows:
    """The rows of the tables as they are read, and a sentence about everything that cannot be read."""

    lists: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {"a": [], "b": []})  # query, document
    graded: list[Graded] = field(default_factory=list)
    votes: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def refuse(self, where: str, token: str, what: str) -> None:
        """Put down that something cannot be read."""
        self.problems.append(f'{where[0].upper()}{where[1:]}: "{token}" {what}')


def collected(queries: Sequence[TypedQuery], form: TypedForm) -> TypedRows:
    """Return the rows that queries have, read as a form."""
    rows, seen = TypedRows(), dict[tuple[str, str], int]()
    for query in queries:
        for side in ("a", "b"):
            for where, token in query.lists[side]:
                _LISTED[form.what](query.query_id, side, (where, token), seen, rows)
        for where, token in query.beside["missed"]:
            _missed(query.query_id, (where, token), seen, rows)
        for where, token in query.beside["vote"]:
            _voted(query.query_id, (where, token), rows)
    if not rows.lists["a"] and not rows.problems:
        rows.problems.append(f"List A is empty. {_ALLOWED}")
    if not rows.graded and form.what == "grades" and not rows.problems:
        rows.problems.append(f"No document has a grade. {_ALLOWED}")
    return rows


_Seen = dict[tuple[str, str], int]


def _grade_alone(query_id: str, side: str, entry: Entry, seen: _Seen, rows: TypedRows) -> None:
    """Take a grade for the next document of a list, which has no name."""
    number = seen[query_id, side] = seen.get((query_id, side), 0) + 1
    doc_id = f"{side.upper()}{number}"
    if _takes_grade(*entry, entry[1], rows):
        rows.lists[side].append((query_id, doc_id))
        if entry[1] != "?":
            rows.graded.append((query_id, doc_id, float(entry[1]), side.upper()))


def _pair(query_id: str, side: str, entry: Entry, seen: _Seen, rows: TypedRows) -> None:
    """Take a document with its grade, or without one."""
    where, token = entry
    doc_id, colon, grade = token.rpartition(":")
    if not colon and not is_grade(token):
        rows.lists[side].append((query_id, token))
    elif not doc_id:
        rows.refuse(where, token, "has no document. Where one has, all have: id:grade.")
    elif grade == "" or _takes_grade(where, token, grade, rows):
        rows.lists[side].append((query_id, doc_id.strip()))
        if grade not in ("", "?"):
            rows.graded.append((query_id, doc_id.strip(), float(grade), ""))


def _name(query_id: str, side: str, entry: Entry, seen: _Seen, rows: TypedRows) -> None:
    """Take a document that nobody has graded."""
    rows.lists[side].append((query_id, entry[1]))


_LISTED = {"grades": _grade_alone, "pairs": _pair, "names": _name}


def _takes_grade(where: str, token: str, grade: str, rows: TypedRows) -> bool:
    if not is_grade(grade):
        rows.refuse(where, token, f"is not a grade. {_ALLOWED}")
    return is_grade(grade)


def _missed(query_id: str, entry: Entry, seen: _Seen, rows: TypedRows) -> None:
    """Take the grade of a relevant document that neither list holds."""
    doc_id, _, grade = entry[1].rpartition(":")
    number = seen[query_id, "missed"] = seen.get((query_id, "missed"), 0) + 1
    if _takes_grade(*entry, "no" if grade in ("", "?") else grade, rows):
        rows.graded.append((query_id, doc_id or f"missed {number}", float(grade), ""))


def vote_of(token: str) -> str | None:
    """Return the vote that a word is; None for any other word."""
    word = token.strip().lower().replace(" ", "_")
    word = SHORT.get(word, word)
    return word if word in VOTES else None


def _voted(query_id: str, entry: Entry, rows: TypedRows) -> None:
    vote = vote_of(entry[1])
    if vote is None:
        rows.refuse(*entry, "is no vote. Use good, same or bad, seen from B.")
    else:
        rows.votes.append((query_id, vote))


def judgments_of(graded: Sequence[Graded], source: Source, *, apart: bool) -> Judgments | None:
    """Return grades as judgments, None without any; ``apart``: A and B share no document."""
    if not graded:
        return None
    query, doc, grade, only_for = zip(*graded, strict=True)
    columns = {"query_id": _ids(query), "doc_id": arrow.from_strings(list(doc))}
    columns["relevance"] = arrow.from_numpy(np.array(grade, np.float64))
    if apart:
        columns["only_for"] = arrow.from_strings(list(only_for))
    return Judgments(pa.Table.from_arrays(list(columns.values()), names=list(columns)), source)


def votes_of(votes: Sequence[tuple[str, str]], source: Source) -> Votes | None:
    """Return votes as a table, None without any."""
    if not votes:
        return None
    columns = [arrow.from_strings([*column]) for column in zip(*votes, strict=True)]
    return Votes(pa.Table.from_arrays(columns, ["query_id", "vote"]), source)


def run_of(name: str, rows: Sequence[tuple[str, str]], source: Source) -> Run:
    """Return a list as a run, its documents ranked as they stand."""
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


def _ids(values: Sequence[str]) -> pa.DictionaryArray:
    return arrow.from_strings(list(values)).dictionary_encode()
