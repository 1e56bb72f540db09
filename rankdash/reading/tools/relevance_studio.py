"""Judgements and evaluations of Relevance Studio, as documents or as the answer to a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankdash.reading.source.problems import refuse
from rankdash.reading.tools.form import AS_JUDGMENTS, BOTH_MODELS, SOME, Form, Notebook, Row, leave, members
from rankdash.reading.tools.search_engines import leave_answer, sources_of

_JUDGED = ("scenario_id", "doc_id", "rating")


def _documents(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else sources_of(value)


def _are_judgments(value: Any) -> bool:
    some = _documents(value)[:SOME]
    fits = [isinstance(one, Mapping) and all(name in one for name in _JUDGED) for one in some]
    return bool(fits) and all(fits)


def _is_evaluation(source: Any) -> bool:
    return any(members(result, "searches") for result in members(source, "results")[:SOME])


def _has_evaluations(value: Any) -> bool:
    return any(map(_is_evaluation, sources_of(value)[:SOME]))


def _judgments(value: Any, book: Notebook) -> Iterator[Row]:
    if isinstance(value, Mapping):
        leave_answer(book, value)
    for one in _documents(value):
        leave(book, one, *_JUDGED)
        yield {"query_id": one.get("scenario_id"), "doc_id": one.get("doc_id"), "relevance": one.get("rating")}


def _evaluation(value: Any, book: Notebook) -> Mapping[str, Any]:
    """Return the only evaluation. ReadError where there are several."""
    held = [*filter(_is_evaluation, sources_of(value))]
    if len(held) > 1:
        raise refuse("unclear", book.name, f"it holds {len(held):,} evaluations", "Give one of them.")
    leave_answer(book, value)
    leave(book, held[0], "results")
    return held[0]


def _lists(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of each strategy, a model, with their grades."""
    for result in members(_evaluation(value, book), "results"):
        leave(book, result, "strategy_id", "searches", within="results.")
        for search in members(result, "searches"):
            leave(book, search, "scenario_id", "hits", within="results.searches.")
            for place, hit in enumerate(members(search, "hits"), start=1):
                inner = hit["hit"] if isinstance(hit.get("hit"), Mapping) else {}
                leave(book, hit, "hit", "rating", within="hits.")
                leave(book, inner, "_id", within="hits.hit.")
                own = {"query_id": search.get("scenario_id"), "model": result.get("strategy_id")}
                yield {**own, "rank": str(place), "doc_id": inner.get("_id"), "relevance": hit.get("rating")}


def _grades(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield each grade once, however many strategies found the document."""
    seen = set()
    for row in _lists(value, book):
        grade = {name: row[name] for name in ("query_id", "doc_id", "relevance")}
        if (own := (*grade.values(),)) not in seen:
            seen.add(own)
            yield grade


def _one_model(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the same of one strategy. ReadError where there are several."""
    evaluations = filter(_is_evaluation, sources_of(value))
    models = {str(result.get("strategy_id")) for one in evaluations for result in members(one, "results")}
    if len(models) > 1:
        what = f"these are the lists of {len(models):,} strategies"
        raise refuse("other_kind", book.name, what, BOTH_MODELS)
    return _lists(value, book)


_AS_JUDGMENTS = f"It holds grades and no order. {AS_JUDGMENTS}"
FORMS = (
    Form(
        "this is a list of judgements of Relevance Studio",
        _are_judgments,
        {"judgments": _judgments},
        {"run": _AS_JUDGMENTS, "models": _AS_JUDGMENTS},
    ),
    Form(
        "this is an evaluation of Relevance Studio",
        _has_evaluations,
        {"run": _one_model, "models": _lists, "judgments": _grades},
    ),
)
