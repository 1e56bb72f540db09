"""What the Search Relevance Workbench of OpenSearch stores: experiments, evaluation results and lists of judgments.

Each comes as the answer to a search, or as the document alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rankdash.reading.source.problems import listed, refuse
from rankdash.reading.tools.form import (
    AS_JUDGMENTS,
    BOTH_MODELS,
    SOME,
    Form,
    Notebook,
    Row,
    counted,
    leave,
    members,
    objects_in,
)
from rankdash.reading.tools.hits import hits_of, is_document, leave_answer, sources_of
from rankdash.tables import CONFIGURATIONS

#: What an experiment has in the place of lists, whatever it calls the query: the names of its evaluation results.
_NAMED = frozenset(("evaluationId", "evaluationResults"))
#: Where an experiment has its search configurations in the order in which somebody named them.
_ORDER = "searchConfigurationList"
#: What a result of an experiment calls its query, in older versions and in newer ones.
_QUERY = ("queryText", "query_text")
#: The indices of the workbench.
_OWN = re.compile(r"\.?(plugins-)?search-relevance-")
_VARIANT = "experimentVariantParameters"


def _results(source: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an experiment whose results are a list: older ones have {query: {search configuration: [document]}}."""
    results, names = source.get("results"), source.get(_ORDER)
    if not isinstance(results, Mapping) or not isinstance(names, (list, tuple)):
        return source
    listed_results = [
        {
            **{name: cell for name, cell in lists.items() if name not in names},
            "queryText": query,
            "snapshots": [{"searchConfigurationId": name, "docIds": lists[name]} for name in names if name in lists],
        }
        if isinstance(lists, Mapping)
        else lists
        for query, lists in results.items()
    ]
    return {**source, "results": listed_results}


def _is_pair(source: Mapping[str, Any]) -> bool:
    source = _results(source)
    shots = [shot for result in members(source, "results")[:SOME] for shot in members(result, "snapshots")[:SOME]]
    return any(isinstance(shot.get("docIds"), (list, tuple)) for shot in shots)


def _is_evaluated(source: Mapping[str, Any]) -> bool:
    return isinstance(source.get("documentIds"), (list, tuple)) and "searchText" in source


def _is_result(source: Mapping[str, Any]) -> bool:
    return source.get("documentIds") is not None and "searchText" in source


def _has_pairs(value: Any) -> bool:
    return any(map(_is_pair, sources_of(value)[:SOME]))


def _has_evaluations(value: Any) -> bool:
    return any(map(_is_evaluated, sources_of(value)[:SOME]))


def _is_experiment(source: Mapping[str, Any]) -> bool:
    return any(not _NAMED.isdisjoint(result) for result in members(source, "results")[:SOME])


def _names_evaluations(value: Any) -> bool:
    return any(map(_is_experiment, sources_of(value)[:SOME]))


def _has_judgments(value: Any) -> bool:
    handed_out = hits_of(value) is not None or is_document(value)
    return handed_out and any(members(source, "judgmentRatings") for source in sources_of(value)[:SOME])


def _only(documents: list[Mapping[str, Any]], book: Notebook, of: str) -> Mapping[str, Any]:
    """Return the only document. ReadError where there are several."""
    if len(documents) > 1:
        raise refuse(
            "unclear", book.name, f"it holds {len(documents):,} {of}", "Ask the search engine for one of them."
        )
    return documents[0]


class _Lists:
    """The lists of a source, each of another query or another search configuration."""

    def __init__(self, book: Notebook) -> None:
        self._book = book
        self._seen: set[tuple[str, str]] = set()
        self._empty = 0

    def rows(self, query: Any, model: Any, documents: Any) -> Iterator[Row]:
        """Yield the documents in their order. ReadError where they are no list, or a second one."""
        own = (str(query), str(model))
        if own in self._seen:
            what = f"it holds two lists of the query {listed([own[0]])} for the search configuration {listed([own[1]])}"
            do = "Ask the search engine for the results of one experiment, and of one run of it."
            raise refuse("unclear", self._book.name, what, do)
        self._seen.add(own)
        if documents is not None and not isinstance(documents, (list, tuple)):
            what = f"the documents of the query {listed([own[0]])} are no list"
            raise refuse("malformed", self._book.name, what, "Give a list of ids.")
        self._empty += not documents
        for place, document in enumerate(documents or (), start=1):
            yield {"query_id": query, "model": model, "rank": str(place), "doc_id": document}

    def note(self, more: int) -> None:
        """Say how many results, and how many ``more``, had no documents."""
        if empty := self._empty + more:
            self._book.notes.append(f"{counted(empty, 'result')} without documents.")


def _pairs(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of both search configurations, each a model."""
    leave_answer(book, value)
    experiment = _only([source for source in sources_of(value) if _is_pair(source)], book, "experiments")
    experiment = _results(experiment)
    leave(book, experiment, "results", *([_ORDER] if _is_ordered(experiment) else []))
    if _is_ordered(experiment):
        book.notes.append(f"{CONFIGURATIONS}: {listed(experiment[_ORDER])}.")
    lists, without = _Lists(book), 0
    for result in objects_in(experiment, "results", book):
        query = _query_of(result, book)
        leave(book, result, *_QUERY, "snapshots", within="results.")
        without += not result.get("snapshots")
        for shot in objects_in(result, "snapshots", book):
            leave(book, shot, "searchConfigurationId", "docIds", within="results.snapshots.")
            yield from lists.rows(query, shot.get("searchConfigurationId"), shot.get("docIds"))
    lists.note(without)


def _query_of(result: Mapping[str, Any], book: Notebook) -> str:
    """Return the query of a result. ReadError where it names none."""
    name = next((result[name] for name in _QUERY if isinstance(result.get(name), str)), None)
    if name is None:
        raise refuse("missing_value", book.name, "a result of the experiment names no query", f'Give "{_QUERY[0]}".')
    return str(name)


def _is_ordered(experiment: Mapping[str, Any]) -> bool:
    """Return whether an experiment lists the names of its search configurations."""
    names = experiment.get(_ORDER)
    return isinstance(names, (list, tuple)) and bool(names) and all(isinstance(name, str) for name in names)


def _evaluations(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of each query and search configuration."""
    leave_answer(book, value)
    lists, stored = _Lists(book), sources_of(value)
    results = [*filter(_is_result, stored)]
    for result in results:
        leave(book, result, "searchText", "searchConfigurationId", "documentIds", "metrics", _VARIANT)
        yield from lists.rows(result["searchText"], _model(result), result["documentIds"])
    lists.note(len(stored) - len(results))
    metrics = dict.fromkeys(
        str(metric["metric"]) for result in results for metric in members(result, "metrics") if "metric" in metric
    )
    if metrics:
        what = f"The workbench printed {listed([*metrics])}"
        book.notes.append(f"{what}: under the convention srw these are the numbers, there to two decimals.")


def _model(result: Mapping[str, Any]) -> str:
    """Return the model of a result: its search configuration, with the parameters where an experiment varies them."""
    own, variant = str(result.get("searchConfigurationId")), result.get(_VARIANT)
    return f"{own} {variant}" if isinstance(variant, str) and variant else own


def _one_model(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the same of one search configuration. ReadError where there are several."""
    results = filter(_is_result, sources_of(value))
    models = dict.fromkeys(map(_model, results))
    if len(models) > 1:
        what = f"these are the lists of {len(models):,} search configurations"
        raise refuse("other_kind", book.name, what, BOTH_MODELS)
    return _evaluations(value, book)


def _judgments(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the grades of one list of judgments."""
    leave_answer(book, value)
    held = _only(
        [stored for stored in sources_of(value) if members(stored, "judgmentRatings")], book, "lists of judgments"
    )
    leave(book, held, "judgmentRatings")
    for query in objects_in(held, "judgmentRatings", book):
        leave(book, query, "query", "ratings", within="judgmentRatings.")
        for rating in objects_in(query, "ratings", book):
            leave(book, rating, "docId", "rating", within="judgmentRatings.ratings.")
            yield {"query_id": query.get("query"), "doc_id": rating.get("docId"), "relevance": rating.get("rating")}


def _has_queries(value: Any) -> bool:
    return any(members(source, "querySetQueries") for source in sources_of(value)[:SOME])


def _queries(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the queries of one query set."""
    leave_answer(book, value)
    held = _only([stored for stored in sources_of(value) if members(stored, "querySetQueries")], book, "query sets")
    leave(book, held, "querySetQueries")
    for query in objects_in(held, "querySetQueries", book):
        leave(book, query, "queryText", within="querySetQueries.")
        yield {"query_id": query.get("queryText")}


def _is_own(value: Any) -> bool:
    """Return whether the hits of an answer are what the workbench stores in its own indices."""
    hits = hits_of(value) or []
    return bool(hits) and all(_OWN.match(str(hit.get("_index"))) is not None for hit in hits[:SOME])


_BARE = "It holds no lists and no grades: ask for evaluation results, a completed pairwise experiment, or judgments."
_NO_LISTS = "It holds queries, and no lists or grades."
_ELSEWHERE = "It names its evaluation results and holds none: ask the search engine for those of the experiment."
_NO_GRADES = "It holds no grades: give the list of judgments."
FORMS = (
    Form(
        "this is a pairwise experiment of OpenSearch, with the lists of two search configurations",
        _has_pairs,
        {"models": _pairs},
        {"run": BOTH_MODELS, "judgments": _NO_GRADES},
    ),
    Form(
        "this is an experiment of OpenSearch",
        _names_evaluations,
        {},
        {"run": _ELSEWHERE, "models": _ELSEWHERE, "judgments": "It holds no grades: give the list of judgments."},
    ),
    Form(
        "these are evaluation results of OpenSearch",
        _has_evaluations,
        {"run": _one_model, "models": _evaluations},
        {"judgments": _NO_GRADES},
    ),
    Form(
        "this is a list of judgments of OpenSearch",
        _has_judgments,
        {"judgments": _judgments},
        {
            "run": f"It holds grades and no order. {AS_JUDGMENTS}",
            "models": f"It holds grades and no lists. {AS_JUDGMENTS}",
        },
    ),
    Form(
        "this is a query set of OpenSearch",
        _has_queries,
        {"queries": _queries},
        {"run": _NO_LISTS, "models": _NO_LISTS, "judgments": _NO_LISTS},
    ),
    Form(
        "this is what the workbench of OpenSearch stores for itself",
        _is_own,
        {},
        {"run": _BARE, "models": _BARE, "judgments": _BARE, "queries": _BARE, "votes": _BARE},
    ),
)
