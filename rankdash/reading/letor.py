"""LETOR and SVMlight: grade, query and features, with the scores of a model and the sizes of queries in other files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.arrow import from_numpy, from_strings
from rankdash.notes import advise, detail
from rankdash.reading.grid import Grid, is_number
from rankdash.reading.headings import Kind
from rankdash.reading.problems import Choice, Problem, ReadError, refuse, too_many
from rankdash.reading.source import Document, as_utf8, open_document
from rankdash.reading.text import Head, read_head
from rankdash.reading.values import Lists
from rankdash.records import frozen
from rankdash.tables import OrderedBy

_QUERY = re.compile(r"(?i)(?:qid|query|query_id|queryid|q)[:=](?P<id>\S+)")
_DOCUMENT = re.compile(r"(?i)\bdoc(?:ument)?[ _-]?(?:id|no)?\s*[:=]?\s*(?P<id>\S+)")
_HEADING = re.compile(r'"?(?!nan\b|inf)[a-z_]+"?', re.IGNORECASE)


@frozen
class _Line:
    """One line: the grade, the query or "", and the remark behind the features."""

    grade: float
    query: str
    remark: str


def _read_line(text: str) -> _Line | None:
    """Return the parts of a line; None where it is not of this format."""
    before, _, remark = text.partition("#")
    words = before.split()
    if len(words) < 2 or not is_number(words[0]):
        return None
    named = _QUERY.fullmatch(words[1])
    features = words[2:] if named else words[1:]
    if any(not feature.partition(":")[0].isdecimal() or ":" not in feature for feature in features):
        return None
    return _Line(float(words[0]), named["id"] if named else "", remark)


def begins_as_letor(source: Any) -> bool:
    """Return whether the first lines of a file are those of a LETOR file; False where it cannot be opened."""
    try:
        return is_letor(read_head(as_utf8(open_document(source))))
    except ReadError:
        return False


def is_letor(head: Head) -> bool:
    """Return whether most of the first lines are a grade, a query or none, and numbered features."""
    rows = [line for line in head.first if not line.lstrip().startswith("#")]
    if not rows or _read_line(rows[0]) is None:
        return False
    return sum(_read_line(line) is not None for line in rows) * 2 > len(rows)


def read_letor(document: Document, kind: Kind) -> Grid:
    """Return judgments, or with the scores of models their runs. ReadError where queries, or scores, are missing."""
    options, name = document.options, document.name
    if kind != "judgments" and (options.scores is None or kind not in ("run", "models")):
        what = "this is a LETOR file (grade, qid, features): it holds judgments, and no scores of a model"
        raise refuse("other_kind", name, what, advise("give_scores"))
    lines, rows = _lines(document)
    query = [line.query for line in lines]
    if not all(query):
        query = _group(document, query, rows)
    doc, named = _documents(query, [line.remark for line in lines])
    unnamed = detail("no_doc_ids", "There are no document ids; documents are numbered within their query.")
    notes = (*document.notes, *(() if named else (unnamed,)))
    grades = from_numpy(np.array([line.grade for line in lines], np.float64))
    columns = {"query_id": from_strings(query), "doc_id": from_strings(doc), "relevance": grades}
    copies, order = 1, None
    if kind != "judgments":
        columns, copies, order = _with_scores(document, kind, columns, query, named)
    at = np.tile(np.array(rows, np.int64), copies)
    return Grid(name, columns, {}, tuple(columns), notes, order, lambda row: at[row], rows[0], format="LETOR")


def _with_scores(
    document: Document, kind: Kind, columns: dict[str, Any], query: Sequence[str], named: bool
) -> tuple[dict[str, Any], int, OrderedBy]:
    """Return the columns once for each file of scores, with these; their number; and what orders the lists."""
    given = document.options.scores
    models = given if isinstance(given, Mapping) else {"": given}
    if kind == "run" and len(models) != 1:
        raise refuse("bad_option", document.name, f"there are scores of {len(models)} models", "Give those of one.")
    scores = [_numbers(source, document, "a score") for source in models.values()]
    for own in scores:
        if len(own) != len(query):
            what = f"there are {len(own):,} scores for {len(query):,} lines"
            raise refuse("bad_option", document.name, what, "Give one score per line.")
    place = from_numpy(np.tile(np.arange(len(query)), len(scores)))
    columns = {name: values.take(place) for name, values in columns.items()}
    columns["score"] = from_numpy(np.concatenate(scores))
    if not named:  # without ids of documents equal scores keep the order of the file
        columns["rank"] = from_numpy(np.concatenate([_ranks(query, own) for own in scores]))
    if kind == "models":
        columns["model"] = from_strings([str(name) for name in models for _ in query])
    return columns, len(scores), "score" if named else "rank"


def _lines(document: Document) -> tuple[list[_Line], list[int]]:
    """Return the lines with a grade and their numbers. ReadError for a line of another form."""
    lines: list[_Line] = []
    rows: list[int] = []
    bad: list[Problem] = []
    for number, text in document.numbered():
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        read = _read_line(line)
        if read is None:
            bad.append(Problem("malformed", document.name, "is not a line of a LETOR file", number, found=line[:40]))
            continue
        lines.append(read)
        rows.append(number)
        if len(rows) > document.limits.rows:
            raise too_many(document.name, len(rows), "rows or more", document.limits.rows)
    if bad:
        raise ReadError(bad, len(bad))
    return lines, rows


def _group(document: Document, query: Sequence[str], rows: Sequence[int]) -> list[str]:
    """Return the query of each line, from the sizes of queries in another file."""
    if any(query):
        what, row = "this line names no query (qid:), but others do", rows[list(query).index("")]
        raise refuse("missing_value", document.name, what, "Name the query on every line.", row=row)
    if document.options.groups is None:
        what = "the lines name no query (qid:)"
        raise refuse("missing_column", document.name, what, advise("give_groups"), Choice("groups", ()))
    sizes = _numbers(document.options.groups, document, "a number of lines")
    if any(size < 0 or size != int(size) for size in sizes.tolist()) or sizes.sum() != len(rows):
        what = f"the sizes of the queries add up to {sizes.sum():,.0f}, and there are {len(rows):,} lines"
        raise refuse("bad_option", document.name, what, "Give the sizes that belong to this file.")
    return [str(i + 1) for i, size in enumerate(sizes.astype(int).tolist()) for _ in range(size)]


def _documents(query: Sequence[str], remarks: Sequence[str]) -> tuple[list[str], bool]:
    """Return the ids of the documents by the remarks of their lines, "docid = x" or a first word as in "# 7555 rambo",
    and whether these name them; else their numbers within the query.
    """
    found = ((_DOCUMENT.search(remark[:300]), remark[:300].split()) for remark in remarks)
    ids = [match["id"] if match else "".join(words[:1]) for match, words in found]
    if all(ids) and len(set(zip(query, ids, strict=True))) == len(ids):
        return ids, True
    return [*map(str, _ranks(query, np.zeros(len(query))).tolist())], False


def _numbers(source: Any, document: Document, what: str) -> npt.NDArray[np.float64]:
    """Return the numbers of a file with one on each line, with or without a heading; or of a sequence in memory.

    ReadError with the line that is not a number.
    """
    if isinstance(source, (list, tuple, np.ndarray)):
        return np.asarray(source, np.float64)
    values, bad = read_numbers(open_document(source, document.limits), what)
    if bad:
        raise ReadError(bad, len(bad))
    return values


def read_numbers(document: Document, what: str = "a number") -> tuple[npt.NDArray[np.float64], list[Problem]]:
    """Return the numbers of a file with one on each line, and the lines that have none."""
    values: list[float] = []
    bad: list[Problem] = []
    for number, line in document.numbered():
        words = line.split()
        if number == 1 and len(words) == 1 and _HEADING.fullmatch(words[0]):
            continue
        if len(words) not in (0, 1, 3) or not all(map(is_number, words[-1:])):
            bad.append(Problem("bad_value", document.name, f"is not {what}", number, found=line.strip()[:40]))
        elif words:
            values.append(float(words[-1]))  # of three, query and line stand before it, as RankLib writes them
    return np.array(values, np.float64), bad


def _ranks(query: Sequence[str], scores: npt.NDArray[np.float64]) -> npt.NDArray[np.int32]:
    """Return the rank of each line in its query by score, equal scores in the order of the file; int32."""
    _, code = np.unique(np.array(query), return_inverse=True)
    order = np.lexsort((-scores, code))
    ranks = np.empty(len(order), np.int32)
    ranks[order] = Lists.of(code[order].astype(np.int32)).place + 1
    return ranks
