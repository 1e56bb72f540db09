"""Books and cases of Quepid: grades that several people gave, and the ratings of queries by their text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from rankdash.reading.source.problems import refuse
from rankdash.reading.tools.form import AS_JUDGMENTS, SOME, Form, Notebook, Row, leave, members, objects_in
from rankdash.reading.values.averages import Averages
from rankdash.reading.words.headings import KINDS, Kind

_PAIR = ("query_text", "doc_id", "judgements")
#: What a case has that holds other things than ratings.
_OF_CASE = ("queries", "scorer", "options", "try")
#: What a snapshot is known by, and all that it has.
_NAMED = {"id", "name", "time"}
_OF_SNAPSHOT = {*_NAMED, "has_snapshot_file", "scorer", "try", "docs", "queries", "scores"}
_GIVEN = ("rating", "unrateable", "judge_later", "user_email")


def _is_book(value: Any) -> bool:
    return bool(members(value, "query_doc_pairs"))


def _is_case(value: Any) -> bool:
    """Return whether queries have ratings by document, and neither they nor what stands around them has other lists."""
    queries = members(value, "queries")[:SOME]
    if (
        not queries
        or "case_name" not in value
        or any(_holds(inner) for name, inner in value.items() if name not in _OF_CASE)
    ):
        return False
    return all(
        isinstance(query.get("ratings"), Mapping) and not any(map(_is_list, query.values())) for query in queries
    )


def _is_bare(value: Any) -> bool:
    """Return whether a snapshot, or a list of them, has neither documents nor queries."""
    several = members(value, "snapshots")
    return all(map(_is_bare, several)) if several else _lacks_lists(value) and not value.get("queries")


def _lacks_lists(value: Any) -> bool:
    """Return whether a snapshot has no documents."""
    if not isinstance(value, Mapping) or not _NAMED < value.keys() <= _OF_SNAPSHOT:
        return False
    docs = value.get("docs") or {}
    return isinstance(docs, Mapping) and not any(docs.values())


def _holds(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _book(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the mean of the ratings of each document; what was put off or found unrateable is none."""
    leave(book, value, "query_doc_pairs")
    averages, aside, again = Averages(), 0, 0
    for pair in objects_in(value, "query_doc_pairs", book):
        leave(book, pair, *_PAIR, within="query_doc_pairs.")
        ratings: dict[str, list[float]] = {}
        for given in objects_in(pair, "judgements", book):
            leave(book, given, *_GIVEN, within="query_doc_pairs.judgements.")
            if given.get("unrateable") is True or given.get("judge_later") is True or given.get("rating") is None:
                aside += 1
                continue
            ratings.setdefault(str(given.get("user_email") or ""), []).append(_number(book, given["rating"]))
        unnamed = ratings.pop("", [])
        again += sum(len(values) > 1 for values in ratings.values())
        mean = averages.of({rater: sum(values) / len(values) for rater, values in ratings.items()}, unnamed)
        yield {"query_id": pair.get("query_text"), "doc_id": pair.get("doc_id"), "relevance": mean}
    book.notes += averages.book_notes()
    if again:
        book.notes.append(f"Raters who rated a document more than once count there with their mean: {again:,}.")
    if aside:
        book.notes.append(f"Ratings without a grade, put off or found unrateable: {aside:,}.")


def _number(book: Notebook, rating: Any) -> float:
    """Return a rating as a number. ReadError where it is none, or not finite."""
    try:
        number = math.nan if isinstance(rating, bool) else float(rating)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise refuse("bad_value", book.name, "a rating of the book is no number", "Export the book again.")
    return number


_GRADES = f"It holds grades and no order. {AS_JUDGMENTS}"
_OTHERS: tuple[Kind, ...] = ("run", "models", "votes")
_EMPTY = "this is a snapshot of Quepid without documents"
_WHOLE = "Wait until Quepid has written it, and get it with ?shallow=false; it is empty where no query had results."
FORMS = (
    Form(_EMPTY, _is_bare, {}, dict.fromkeys(KINDS, _WHOLE), large=False),
    Form(_EMPTY, _lacks_lists, {}, dict.fromkeys(_OTHERS, _WHOLE), large=False),
    Form("this is a book of Quepid", _is_book, {"judgments": _book}, dict.fromkeys(_OTHERS, _GRADES)),
    Form("these are the ratings of a case of Quepid", _is_case, {}, dict.fromkeys(_OTHERS, _GRADES)),
)
