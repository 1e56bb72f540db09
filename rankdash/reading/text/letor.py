"""LETOR and SVMlight: grade, query and features, with the scores of a model and the sizes of queries aside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankdash.arrow import from_numpy, from_strings
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.advice import advice
from rankdash.reading.source.document import Document, opened
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import Problem, ReadError, listed, refuse
from rankdash.reading.text.first_lines import first_lines
from rankdash.reading.values.numerals import is_number
from rankdash.reading.words.headings import Kind
from rankdash.tables import OrderedBy

_QUERY = re.compile(r"(?i)(?:qid|query|query_id|queryid|q)[:=](?P<id>\S+)")
_DOCUMENT = re.compile(r"(?i)\bdoc(?:ument)?[ _-]?(?:id|no)?\s*[:=]?\s*(?P<id>\S+)")


_HEADING = re.compile(r'"?(?!nan\b|inf)[a-z_]+"?', re.IGNORECASE)
_FEATURES = "The features of the documents were not read."
_NO_IDS = "There are no document ids; documents are numbered within their query."
_BEFORE_TEXT = "Documents are named by the first word behind #; the words behind it are those of their query."


@dataclass(frozen=True)
class LetorLine:
    """One line: the grade, the query or "", and the remark behind the features."""

    grade: float
    query: str
    remark: str
    has_features: bool


def _line(text: str) -> LetorLine | None:
    """Return the parts of a line; None where it is not of this format."""
    before, _, remark = text.partition("#")
    words = before.split()
    if len(words) < 2 or not is_number(words[0]):
        return None
    named = _QUERY.fullmatch(words[1])
    query = named["id"] if named else ""
    features = words[2:] if query else words[1:]
    if any(not feature.partition(":")[0].isdecimal() or ":" not in feature for feature in features):
        return None
    return LetorLine(float(words[0]), query, remark, bool(features))


def is_letor(document: Document) -> bool:
    """Return whether most of the first lines are a grade, a query or none, and numbered features."""
    fits = [_line(line) is not None for line in first_lines(document) if not line.lstrip().startswith("#")]
    return bool(fits) and fits[0] and sum(fits) * 2 > len(fits)


def read_letor(document: Document, kind: Kind) -> Grid:
    """Return judgments, or with the scores of models their runs. ReadError where queries, or scores, are missing."""
    options = document.options
    query, doc, grade, lines, notes = _columns(document)
    if kind in ("queries", "votes"):
        raise refuse("other_kind", document.name, f"this is a LETOR file (grade, qid, features), not {kind}")
    if kind != "judgments" and options.scores is None:
        what = "this is a LETOR file (grade, qid, features): it holds judgments, and no scores of a model"
        raise refuse("other_kind", document.name, what, advice("give_scores"))
    columns = {"query_id": from_strings(query), "doc_id": from_strings(doc), "relevance": from_numpy(np.array(grade))}
    rows = np.array(lines, np.int64)
    copies = 1
    order: OrderedBy | None = None
    if kind != "judgments":
        named = options.scores if isinstance(options.scores, Mapping) else {"": options.scores}
        if kind == "run" and len(named) != 1:
            raise refuse("bad_option", document.name, f"there are scores of {len(named)} models", "Give those of one.")
        scores = [_scores(document, source, len(query), notes) for source in named.values()]
        copies = len(scores)
        place = from_numpy(np.tile(np.arange(len(query)), copies))
        columns = {name: values.take(place) for name, values in columns.items()}
        columns["score"] = from_numpy(np.concatenate(scores))
        order = "rank" if _NO_IDS in notes else "score"
        if order == "rank":  # without ids of documents equal scores keep the order of the file
            columns["rank"] = from_numpy(np.concatenate([_ranks(query, own) for own in scores]))
        if kind == "models":
            columns["model"] = from_strings([str(name) for name in named for _ in query])
    at = np.tile(rows, copies)
    headings = tuple(columns)
    return Grid(document.name, columns, {}, headings, (*document.notes, *notes), order, lambda row: at[row], lines[0])


def _columns(document: Document) -> tuple[list[str], list[str], list[float], list[int], list[str]]:
    """Return queries, documents, grades, line numbers, and notes: one where the documents have no ids."""
    query: list[str] = []
    remarks: list[str] = []
    grade: list[float] = []
    lines: list[int] = []
    bad: list[Problem] = []
    number, features = 0, False
    for block in document.line_blocks():
        for raw in block.decode("utf-8-sig" if not number else "utf-8", "replace").removesuffix("\n").split("\n"):
            number += 1
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            match = _line(line)
            if match is None:
                bad.append(Problem("malformed", document.name, "is no line of a LETOR file", number, found=line[:40]))
                continue
            query.append(match.query)
            remarks.append(match.remark)
            grade.append(match.grade)
            features = features or match.has_features
            lines.append(number)
    if bad:
        raise ReadError(bad, len(bad))
    if not query:
        raise refuse("empty", document.name, "there are only comments, no line with a grade")
    if len(query) > document.limits.rows:
        raise refuse(
            "too_large", document.name, f"there are more than {document.limits.rows:,} rows", "That is the limit."
        )
    notes: list[str] = [_FEATURES] if features else []
    if any(query) and not all(query):
        what, do = "this line names no query (qid:), and others do", "Name the query on every line."
        raise ReadError((Problem("missing_value", document.name, what, lines[query.index("")], allowed=do),))
    if not all(query):
        query = _grouped(document, len(query), notes)
        notes.append("Queries are numbered in the order of their sizes.")
    return query, _documents(query, remarks, notes), grade, lines, notes


def _documents(query: Sequence[str], remarks: Sequence[str], notes: list[str]) -> list[str]:
    """Return the ids of the documents by the remarks of their lines, their numbers within the query where these name
    none, or one twice for a query.
    """
    doc = _before_text(query, remarks)
    if doc:
        notes.append(_BEFORE_TEXT)
        return doc
    doc = [_document(remark) for remark in remarks]
    if all(doc) and len(set(zip(query, doc, strict=True))) == len(doc):
        return doc
    notes.append(_NO_IDS)
    return _numbered(query)


def _before_text(query: Sequence[str], remarks: Sequence[str]) -> list[str]:
    """Return the first word of each remark where the text of its query follows, as in "# 7555 rambo"; [] elsewhere.

    So training sets of search engines are written. The text is the same on all lines of a query, the id on none.
    """
    texts: dict[str, str] = {}
    doc: list[str] = []
    for name, remark in zip(query, remarks, strict=True):
        first, _, text = remark.strip().partition(" ")
        if not text or _DOCUMENT.match(remark.strip()) or texts.setdefault(name, text) != text:
            return []
        doc.append(first)
    return doc if len(set(zip(query, doc, strict=True))) == len(doc) else []


def _document(rest: str) -> str:
    """Return the id in the remark behind the features: "docid = x", or a single word."""
    match = _DOCUMENT.search(rest[:300])
    if match:
        return match["id"]
    words = rest.split()
    return words[0] if len(words) == 1 else ""


def _grouped(document: Document, rows: int, notes: list[str]) -> list[str]:
    """Return the query of each line, from the sizes of queries in another file."""
    if document.options.groups is None:
        what = "the lines name no query (qid:)"
        raise refuse("missing_column", document.name, what, advice("give_groups"))
    sizes = _numbers(document.options.groups, document, "a number of lines", notes)
    if any(size < 0 or size != int(size) for size in sizes.tolist()) or sizes.sum() != rows:
        what = f"the sizes of the queries add up to {sizes.sum():,.0f}, and there are {rows:,} lines"
        raise refuse("bad_option", document.name, what, "Give the sizes that belong to this file.")
    return [str(i + 1) for i, size in enumerate(sizes.astype(int).tolist()) for _ in range(size)]


def _scores(document: Document, source: Any, rows: int, notes: list[str]) -> np.ndarray:
    scores = _numbers(source, document, "a score", notes)
    if len(scores) != rows:
        raise refuse(
            "bad_option",
            document.name,
            f"there are {len(scores):,} scores for {rows:,} lines",
            "Give one score per line.",
        )
    return scores


def _numbers(source: Any, document: Document, what: str, notes: list[str]) -> np.ndarray:
    """Return the numbers of a file with one on each line, with or without a heading.

    ReadError with the line that is not a number.
    """
    values: list[float] = []
    bad: list[Problem] = []
    with opened(source, document.limits, Options()) as other:
        notes.append(f"The numbers of {listed([other.name])} (SHA-256 {other.digest()[:12]}) were read with this file.")
        number = 0
        for block in other.line_blocks():
            for line in block.decode("utf-8-sig", "replace").splitlines():
                number += 1
                words = line.split()
                if number == 1 and len(words) == 1 and _HEADING.fullmatch(words[0]):
                    notes.append(f"The first line of {listed([other.name])} is a heading: {listed(words)}.")
                elif len(words) not in (0, 1, 3) or not all(map(is_number, words[-1:])):
                    bad.append(Problem("bad_value", other.name, f"is not {what}", number, found=line.strip()[:40]))
                elif words:
                    values.append(float(words[-1]))  # of three, query and line stand before it, as RankLib writes them
    if bad:
        raise ReadError(bad, len(bad))
    return np.array(values, np.float64)


def _numbered(query: Sequence[str]) -> list[str]:
    count: dict[str, int] = {}
    result = []
    for name in query:
        count[name] = count.get(name, 0) + 1
        result.append(str(count[name]))
    return result


def _ranks(query: Sequence[str], scores: np.ndarray) -> np.ndarray:
    """Return the rank of each line in its query by score, equal scores in the order of the file; int32."""
    _, code = np.unique(np.array(query), return_inverse=True)
    order = np.lexsort((np.arange(len(scores)), -scores, code))
    starts = np.flatnonzero(np.concatenate(([True], code[order][1:] != code[order][:-1])))
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order)))) + 1
    ranks = np.empty(len(order), np.int32)
    ranks[order] = place
    return ranks
