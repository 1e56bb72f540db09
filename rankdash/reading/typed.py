"""Lists that are typed or pasted: grades ``3 2 3 0 1 2``, documents with a grade ``d1:3 d2:0``, or names alone.

Each line is the list of one query; a column of single cells is one list. Grades without names say nothing about which
documents A and B share: each list's own grades are then its ideal, plus the grades of relevant documents that were
missed. With names the judgments are the pool of both lists. Votes are a column, or words, of good, same and bad.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.reading.values import read_vote_words
from rankdash.tables import Judgments, Run, Source, Votes

What = Literal["grades", "pairs", "names"]
#: Query, document, grade, and the list that it is for: "A", "B", or "" for both.
Graded = tuple[str, str, float, str]

#: What is longer comes as a file, which need not be sent with every click.
MOST_LETTERS = 200_000
_MOST_PROBLEMS = 5
_FIELDS = {"a": "list A", "b": "list B", "missed": "missed", "votes": "votes"}
_ALLOWED = "Use grades such as 3 or 0.5, id:grade for named documents, and ? for unjudged."
#: Full-width digits and marks as typed with an East Asian keyboard, and brackets around lists.
_WIDE = str.maketrans("０１２３４５６７８９．，、；：？\u3000\u2212［］（）[]()\"'", "0123456789.,,;:? -          ")
_GRADE = re.compile(r"\d{1,6}(\.\d+)?|\?")
_PAIR = re.compile(r"(.+):(\d{1,6}(?:\.\d+)?|\?)")
_SHORT_VOTES = {"+": "good", "=": "same", "-": "bad", "−": "bad", "＋": "good", "＝": "same", "－": "bad"}


class TypedError(ValueError):
    """Typed lists that cannot be read: one sentence per line, each with the place, what stands there and what is
    allowed.
    """


@dataclass(frozen=True)
class Typed:
    """Two typed lists as tables.

    ``b`` is None where only one list was typed, ``judgments`` where no document has a grade. ``named``: documents have
    names; else A and B share none.
    """

    a: Run
    b: Run | None
    judgments: Judgments | None
    votes: Votes | None
    named: bool

    @property
    def query_ids(self) -> list[str]:
        """The queries, in order."""
        ids = [arrow.one_chunk(run.table.column("query_id")) for run in (self.a, self.b) if run is not None]
        return list(dict.fromkeys(query for part in ids for query in part.dictionary.to_pylist()))

    def longest(self, query_id: str) -> int:
        """Return how many documents the longer list of a query has."""
        return max(len(self.documents(run, query_id)) for run in (self.a, self.b))

    def size(self, query_id: str) -> int:
        """Return how many documents and grades a query has, in both lists and beside them."""
        tables = [tabled.table for tabled in (self.a, self.b, self.judgments) if tabled is not None]
        return sum(len(_of_query(table, query_id)) for table in tables)

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
        every = {(row["query_id"], row["doc_id"]): row["relevance"] for row in typed[::-1]} | dict(grades)
        digest = hashlib.sha256(f"{self.a.source.sha256}{sorted(every.items())}".encode()).hexdigest()
        return replace(self, judgments=grade_by_hand(every, Source("typed", digest)))


def grade_by_hand(grades: Mapping[tuple[str, str], float], source: Source) -> Judgments | None:
    """Return grades, by query and document, as judgments; None without any."""
    return _judgments([(*place, grade, "") for place, grade in grades.items()], source, shared=True)


def read_typed(shape: str, texts: Sequence[str]) -> Typed | Votes:
    """Return what was typed into the fields of a shape: "lists" (A, B, missed, votes), or "votes" alone.

    TypedError where it cannot be read, and where it is longer than MOST_LETTERS.
    """
    if sum(map(len, texts)) > MOST_LETTERS:
        raise TypedError(f"More than {MOST_LETTERS:,} letters were typed. Save them as a file, and drop that.")
    if any(text.encode("utf-8", "replace").decode() != text for text in texts):
        raise TypedError("Half a character stands in the text: type or paste it again.")
    if shape == "votes" or not any(text.strip() for text in texts[:3]):
        return typed_votes(texts[-1])
    return typed_lists(*texts)


@dataclass
class _Rows:
    """The rows of the tables as they are read, and a sentence about everything that cannot be read."""

    lists: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: {"a": [], "b": []})
    graded: list[Graded] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def refuse(self, where: str, token: str, what: str) -> None:
        """Put down that something cannot be read."""
        self.problems.append(f'{where[0].upper()}{where[1:]}: "{token[:40]}" {what}')


def typed_lists(a: str, b: str = "", missed: str = "", votes: str = "") -> Typed:
    """Return lists typed into fields; see ``Typed``. A query has the same line in every field.

    TypedError for a token that is no grade where the others are, and where the fields do not fit together.
    """
    fields = {"a": a, "b": b, "missed": missed}
    lines = {name: [_tokens(line) for line in text.rstrip().split("\n")] for name, text in fields.items()}
    if all(len(tokens) < 2 for name in "ab" for tokens in lines[name]) and len(votes.split("\n")) < 2:
        lines = {name: [[token for tokens in own for token in tokens]] for name, own in lines.items()}
    tokens = [token for name in "ab" for own in lines[name] for token in own]
    what = _what(tokens)
    _check_ids([own for name in "ab" for own in lines[name]], what)
    if what == "names":
        for name in "ab":
            _check_titles(fields[name], lines[name], _FIELDS[name])
    rows = _Rows()
    for name in ("a", "b", "missed"):
        for number, own in enumerate(lines[name], start=1):
            where = f"{_FIELDS[name]}, line {number}"
            for place, token in enumerate(own, start=1):
                _take(rows, str(number), name, where, token, place, what)
    if not rows.lists["a"] and not rows.problems:
        rows.problems.append(f"List A is empty. {_ALLOWED}")
    if rows.problems:
        raise TypedError("\n".join(rows.problems[:_MOST_PROBLEMS]))
    digest = hashlib.sha256("\n\f".join((*fields.values(), votes)).encode()).hexdigest()
    voted = typed_votes(votes) if votes.strip() else None
    return Typed(
        _run("A", rows.lists["a"], digest),
        _run("B", rows.lists["b"], digest) if rows.lists["b"] else None,
        _judgments(rows.graded, Source("typed", digest), shared=what != "grades"),
        voted,
        what != "grades",
    )


def _tokens(line: str) -> list[str]:
    """Return what a line lists: its words, or what stands between commas, semicolons and tabs where these occur."""
    text = line.translate(_WIDE)
    pieces = [piece.strip() for piece in re.split(r"[,;\t]", text) if piece.strip()]
    alone = len(pieces) < 2 or all(_GRADE.fullmatch(word) for piece in pieces for word in piece.split())
    return [word for piece in pieces for word in piece.split()] if alone else pieces


def _check_titles(text: str, lines: Sequence[Sequence[str]], where: str) -> None:
    """Raise TypedError where lines of several words stand beside lines of one: titles, one a line, or lists of ids?"""
    sizes = {len(own) for own in lines if own}
    are_words = any(len(token) > 2 and token.isalpha() for own in lines for token in own)
    if are_words and 1 in sizes and len(sizes) > 1 and not re.search(r"[,;\t]", text.translate(_WIDE)):
        raise TypedError(
            f"{where}: some lines have one word and others several, so that a line may be a name or a list. "
            "Write each list in one line, with commas between the names."
        )


def _what(tokens: Sequence[str]) -> What:
    """Return what the tokens are: grades alone, documents with grades, or names."""
    if any(_PAIR.fullmatch(token) for token in tokens):
        return "pairs"
    return "grades" if tokens and all(map(_GRADE.fullmatch, tokens)) else "names"


def _check_ids(lists: Sequence[Sequence[str]], what: What) -> None:
    """Raise TypedError where numbers are higher than people grade and distinct: they may be ids."""
    if what != "grades":
        return
    for own in lists:
        numbers = [token for token in own if token != "?"]
        if (
            len(numbers) > 2
            and all(map(str.isdecimal, numbers))
            and len({*numbers}) == len(numbers)
            and max(map(int, numbers)) > 10
        ):
            raise TypedError(
                "These numbers may be grades or ids. Write ids with a colon behind them, as in 17: or 17:3."
            )


def _take(rows: _Rows, query_id: str, name: str, where: str, token: str, place: int, what: What) -> None:
    """Take one token of a field as a document, its grade, or both."""
    pair = _PAIR.fullmatch(token)
    side = name.upper() if name in "ab" else ""
    if what == "grades" or name == "missed":
        doc_id, grade = (pair[1].strip(), pair[2]) if pair else (f"{side or 'missed '}{place}", token)
        if not _GRADE.fullmatch(grade) or (name == "missed" and grade == "?"):
            rows.refuse(where, token, f"is not a grade. {_ALLOWED}")
            return
    else:
        doc_id, grade = (pair[1].strip(), pair[2]) if pair else (token.removesuffix(":").strip(), "?")
        if not doc_id or (what == "pairs" and _GRADE.fullmatch(token)):
            rows.refuse(where, token, "has no document. Where one has, all have: id:grade.")
            return
    if side:
        rows.lists[name].append((query_id, doc_id))
    if grade != "?":
        rows.graded.append((query_id, doc_id, float(grade), side if what == "grades" else ""))


def typed_votes(text: str) -> Votes:
    """Return votes that were typed into a field, seen from B. Queries are numbered from 1.

    TypedError for a word that is not a vote.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    words = [word.strip() for line in lines for word in re.split(r"[,;\t，；、]", line) if word.strip()]
    if len(words) == 1 and len(lines) == 1 and not read_vote_words(words).votes and words[0] not in _SHORT_VOTES:
        words = words[0].split()
    words = [_SHORT_VOTES.get(word, word) for word in words]
    reading = read_vote_words(words)
    allowed = "Use good, same and bad, seen from B: one word for each query."
    if reading.doubt:
        raise TypedError(f"{reading.doubt[:1].upper()}{reading.doubt[1:]}. {allowed}")
    wrong = [
        f'Vote {at:,}: "{word[:40]}" is no vote. {allowed}'
        for at, word in enumerate(words, start=1)
        if reading.votes.get(word) in (None, "left", "right")
    ]
    if wrong or not words:
        raise TypedError("\n".join(wrong[:_MOST_PROBLEMS]) or f"There is no vote. {allowed}")
    ids = arrow.from_strings([str(at) for at in range(1, len(words) + 1)])
    votes = arrow.from_strings([reading.votes[word] for word in words])
    source = Source("typed votes", hashlib.sha256(text.encode()).hexdigest(), len(words), notes=reading.notes)
    return Votes(pa.Table.from_arrays([ids, votes], ["query_id", "vote"]), source)


def _judgments(graded: Sequence[Graded], source: Source, *, shared: bool) -> Judgments | None:
    """Return grades as judgments, None without any; unless ``shared``, a grade is for one list alone."""
    if not graded:
        return None
    query, doc, grade, only_for = zip(*graded, strict=True)
    columns = {"query_id": _ids(query), "doc_id": arrow.from_strings(list(doc))}
    columns["relevance"] = arrow.from_numpy(np.array(grade, np.float64))
    if not shared:
        columns["only_for"] = arrow.from_strings(list(only_for))
    return Judgments(pa.Table.from_arrays(list(columns.values()), names=list(columns)), source)


def _run(name: str, rows: Sequence[tuple[str, str]], digest: str) -> Run:
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
    return Run(f"List {name}", table, "rank", Source(f"typed {name}", digest, len(rows)))


def _ids(values: Sequence[str]) -> pa.DictionaryArray:
    return arrow.from_strings(list(values)).dictionary_encode()


def _of_query(table: pa.Table, query_id: str) -> pa.Table:
    return table.take(arrow.from_numpy(arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id)))
