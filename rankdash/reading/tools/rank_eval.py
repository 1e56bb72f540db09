"""Answers of Elasticsearch and OpenSearch to _rank_eval: lists of hits with their ratings, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from rankdash.reading.source.problems import listed
from rankdash.reading.tools.form import (
    AS_RUN,
    SOME,
    Form,
    Notebook,
    Row,
    counted,
    is_plain,
    leave,
    members,
    objects_in,
    only_objects,
)
from rankdash.reading.tools.hits import failed_searches


def _is_evaluation(value: Any) -> bool:
    """Return whether a value is the answer to a rank evaluation: its score and details, or hits with their ratings."""
    details = value.get("details") if isinstance(value, Mapping) else None
    if not isinstance(details, Mapping) or not all(isinstance(answer, Mapping) for answer in details.values()):
        return False
    some = [*islice(details.values(), SOME)]
    return any(name in value for name in _SCORES) or any(
        isinstance(hit.get("hit"), Mapping) for answer in some for hit in members(answer, "hits")[:SOME]
    )


def _evaluated(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the hits of a rank evaluation with their ratings, in their order."""
    leave(book, value, "details", *_SCORES, "failures")
    only_objects([*value["details"].values()], '"details"', book)
    lists = {query: objects_in(answer, "hits", book) for query, answer in value["details"].items()}
    empty = sum(not hits for hits in lists.values())
    if empty:
        book.notes.append(f"{counted(empty, 'query')} {'has' if empty == 1 else 'have'} no documents.")
    book.notes += [ONLY_SHOWN, *_notes(value, lists)]
    scored = all(is_plain(_hit(rated).get("_score")) for hits in lists.values() for rated in hits)
    for query, hits in lists.items():
        leave(book, value["details"][query], "hits", within="details.")
        for place, rated in enumerate(hits, start=1):
            hit = _hit(rated)
            leave(book, rated, "hit", "rating", within="hits.")
            leave(book, hit, "_id", *(("_score",) if scored else ()), within="hits.hit.")
            score = {"score": hit["_score"]} if scored else {}
            row = {"query_id": query, "doc_id": hit.get("_id"), "rank": str(place), **score}
            yield {**row, "relevance": rated.get("rating")}


#: What it calls the mean of its metric, and in older versions.
_SCORES = ("metric_score", "quality_level")
#: An answer has the ratings of its hits, whatever else the request rates.
ONLY_SHOWN = (
    "An answer rates only the documents that it shows: where its ratings are the judgments (in a comparison, those of "
    "A and B together), nDCG, recall and AP are too high. The request as judgments (-q request.json) has all ratings."
)
#: What a rank evaluation calls a metric, and the measure that has its number; k is that of the request.
_METRICS = {
    "precision": "P@k",
    "recall": "R@k, with all ratings of the request as the judgments",
    "mean_reciprocal_rank": "RR@k",
    "dcg": "DCG@k",
    "expected_reciprocal_rank": "ERR(max_grade=m)@k, m for maximum_relevance",
}
_NORMALIZED = "nDCG@k, with all ratings of the request as the judgments"


def _notes(value: Mapping[str, Any], lists: Mapping[str, list[Mapping[str, Any]]]) -> Iterator[str]:
    """Yield notes: which queries failed, which have no rating, and which measure the printed score is the mean of."""
    failed = value.get("failures")
    if isinstance(failed, Mapping) and failed:
        counted_as = "They do not count there, and here as a query without a list does."
        yield f"{failed_searches([*map(str, failed)])} {counted_as}"
    unrated = [query for query, hits in lists.items() if hits and all(hit.get("rating") is None for hit in hits)]
    if unrated:
        yield f"Queries without a rating among their hits, which count 0 in its mean: {listed([*map(str, unrated)])}."
    details = [answer.get("metric_details") for answer in value["details"].values()]
    names = {name: inner for answer in details if isinstance(answer, Mapping) for name, inner in answer.items()}
    score = next((value[name] for name in _SCORES if name in value), None)
    if len(names) == 1 and is_plain(score):
        ((name, inner),) = names.items()
        normalized = isinstance(inner, Mapping) and "normalized_dcg" in inner
        if measure := _NORMALIZED if normalized else _METRICS.get(name):
            yield f"The engine printed {score} as {name}: under the convention rank_eval this is {measure}."


def _hit(rated: Mapping[str, Any]) -> Mapping[str, Any]:
    hit = rated.get("hit")
    return hit if isinstance(hit, Mapping) else {}


FORMS = (
    Form(
        "this is the answer to a rank evaluation",
        _is_evaluation,
        {"run": _evaluated, "judgments": _evaluated},
        {"models": f"It holds the lists of one model. {AS_RUN}"},
        large=False,
    ),
)
