"""Judgements and evaluations of Relevance Studio, as documents or as the answer to a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import (
    AS_JUDGMENTS,
    BOTH_MODELS,
    SOME,
    Form,
    Notebook,
    Row,
    leave,
    members,
    objects_in,
    only_objects,
)
from rankdash.reading.tools.hits import hits_of, is_hit, leave_answer, sources_of

_JUDGED = ("scenario_id", "doc_id", "rating")
#: What no judgement has: these are the columns of a table.
_OF_TABLES = frozenset(("query_id", "rank", "score", "model"))


def _documents(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) and not any(map(is_hit, value[:SOME])) else sources_of(value)


def _are_judgments(value: Any) -> bool:
    some = _documents(value)[:SOME]
    return bool(some) and all(map(_is_judgment, some))


def _is_judgment(value: Any) -> bool:
    return isinstance(value, Mapping) and all(name in value for name in _JUDGED) and _OF_TABLES.isdisjoint(value)


def _is_evaluation(source: Any) -> bool:
    searches = [search for result in members(source, "results")[:SOME] for search in members(result, "searches")[:SOME]]
    return any(isinstance(search.get("hits"), (list, tuple)) for search in searches)


def _has_evaluations(value: Any) -> bool:
    return any(map(_is_evaluation, sources_of(value)[:SOME]))


def _judgments(value: Any, book: Notebook) -> Iterator[Row]:
    leave_answer(book, value)
    judgments = only_objects(_documents(value), "the list", book)
    _check_workspaces(judgments, book)
    for row in judgments:
        leave(book, row, *_JUDGED)
        yield {
            "query_id": row.get("scenario_id"),
            "doc_id": row.get("doc_id"),
            "relevance": row.get("rating"),
        }


def _check_workspaces(judgments: list[Mapping[str, Any]], book: Notebook) -> None:
    """ReadError where two workspaces rate a document of a scenario differently."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for row in judgments:
        document = (str(row.get("scenario_id")), str(row.get("doc_id")))
        workspace, rating = str(row.get("workspace_id")), str(row.get("rating"))
        other, before = first.setdefault(document, (workspace, rating))
        if other != workspace and before != rating:
            what = f"the workspaces {listed([other, workspace])} rate the document {listed([document[1]])} differently"
            raise refuse("unclear", book.name, what, "Give the judgements of one workspace.")


def _evaluation(value: Any, book: Notebook) -> Mapping[str, Any]:
    """Return the only evaluation. ReadError where there are several."""
    held = [*filter(_is_evaluation, sources_of(value))]
    if len(held) > 1:
        raise refuse("unclear", book.name, f"it holds {len(held):,} evaluations", "Give one of them.")
    leave_answer(book, value)
    leave(book, held[0], "results")
    return held[0]


def _lists(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of each strategy, a model, with their grades; by its name, where it has one of its own."""
    without: list[str] = []
    models, texts = _names(value, "strategies"), _names(value, "scenarios")
    if models:
        book.notes.append("Strategies go by their names, scenarios by their ids.")
    for result in objects_in(_evaluation(value, book), "results", book):
        leave(book, result, "strategy_id", "searches", within="results.")
        for search in objects_in(result, "searches", book):
            leave(book, search, "scenario_id", "hits", within="results.searches.")
            model, query = str(result.get("strategy_id")), search.get("scenario_id")
            own = {"query_id": query, "model": models.get(model, result.get("strategy_id"))}
            own |= {"query_text": texts[str(query)]} if str(query) in texts else {}
            if not search.get("hits") and search.get("metrics") == {}:
                without.append(f"{texts.get(str(query), query)} ({own['model']})")
            for place, hit in enumerate(objects_in(search, "hits", book), start=1):
                inner = hit["hit"] if isinstance(hit.get("hit"), Mapping) else {}
                leave(book, hit, "hit", "rating", within="hits.")
                leave(book, inner, "_id", within="hits.hit.")
                yield {**own, "rank": str(place), "doc_id": inner.get("_id"), "relevance": hit.get("rating")}
    if without:
        what = "Searches failed, or were not made for want of judgements, so that there is no list"
        book.notes.append(f"{what}: {listed(without)}.")


def _kept(value: Any, what: str) -> dict[str, Mapping[str, Any]]:
    """Return what an evaluation kept of its strategies, scenarios or judgements, by their ids."""
    runtimes = (evaluation.get("runtime") for evaluation in filter(_is_evaluation, sources_of(value)))
    kept = next((runtime.get(what) for runtime in runtimes if isinstance(runtime, Mapping)), None)
    return {own: one for own, one in kept.items() if isinstance(one, Mapping)} if isinstance(kept, Mapping) else {}


def _names(value: Any, what: str) -> dict[str, str]:
    """Return the names of all strategies or scenarios by their ids; none where one lacks its name, or shares it."""
    kept = _kept(value, what)
    names = {own: one["name"] for own, one in kept.items() if isinstance(one.get("name"), str) and one["name"].strip()}
    return names if len({*names.values()}) == len(kept) else {}


def _in_force(value: Any) -> list[Row]:
    """Return the grades that the evaluation kept beside its results: those of every document."""
    rows = filter(_is_judgment, _kept(value, "judgements").values())
    return [{"query_id": row["scenario_id"], "doc_id": row["doc_id"], "relevance": row["rating"]} for row in rows]


def _grades(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield each grade once, however many strategies found the document: those that were in force, and those shown."""
    seen, kept = set(), _in_force(value)
    if kept:
        book.notes.append(f"The judgements of its runtime were read, and those of its hits: {len(kept):,}.")
    for row in chain(kept, _lists(value, book)):
        grade = {name: row[name] for name in ("query_id", "doc_id", "relevance")}
        if (own := (*grade.values(),)) not in seen:
            seen.add(own)
            yield grade


def _one_model(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the same of one strategy. ReadError where there are several."""
    evaluations = filter(_is_evaluation, sources_of(value))
    models = {str(result.get("strategy_id")) for evaluation in evaluations for result in members(evaluation, "results")}
    if len(models) > 1:
        what = f"these are the lists of {len(models):,} strategies"
        raise refuse("other_kind", book.name, what, BOTH_MODELS)
    return _models(value, book)


def _models(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the same, and say what the ratings of hits alone do to measures."""
    whole = "The same file as the judgments (-q FILE)" if _in_force(value) else "The list of judgements"
    book.notes.append(
        "An evaluation rates only the documents that its hits show: where these ratings are the judgments, nDCG, "
        f"recall and AP are too high. {whole} has all ratings."
    )
    return _lists(value, book)


def _is_own(value: Any) -> bool:
    """Return whether the hits of an answer are what the Studio keeps in its own indices."""
    hits = hits_of(value) or []
    return bool(hits) and all(str(hit.get("_index")).startswith("esrs-") for hit in hits[:SOME])


_BARE = "It holds no lists and no grades: give a completed evaluation, or judgements."
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
        {"run": _one_model, "models": _models, "judgments": _grades},
    ),
    Form(
        "this is what Relevance Studio keeps for itself",
        _is_own,
        {},
        dict.fromkeys(("run", "models", "judgments", "queries", "votes"), _BARE),
    ),
)
