"""The forms in which other tools write JSON, and their objects: one function each, from the value to its rows.

Quepid, Elasticsearch and OpenSearch, the workbench of OpenSearch, ranx, and MTEB. docs/formats.md shows for every other
tool the line that makes a plain form.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankdash.notes import detail, warning
from rankdash.reading.headings import KINDS, Kind, key, means
from rankdash.reading.objects import SOME, Book, Row
from rankdash.reading.problems import listed, refuse

_AS_RUN = "Give the file as a run."
_AS_JUDGMENTS = "Give the file as the judgments."
_BOTH = "Give it as the one file with both models."
_EVERY: tuple[Kind, ...] = ("run", "judgments", "models", "queries", "votes")
Rows = Callable[[Any, Book], Iterable[Row]]


@dataclass(frozen=True)
class Form:
    """A form of another tool: what it is called, how it is recognised, its rows by kind of table, and the way out for
    kinds that it does not hold.
    """

    called: str
    fits: Callable[[Any], bool]
    rows: Mapping[Kind, Rows] = field(default_factory=dict)
    refused: Mapping[Kind, str] = field(default_factory=dict)


def read_form(value: Any, book: Book, *, lined: bool = False) -> list[Row] | None:
    """Return the rows of a value in a form of another tool; None where it has none of these forms.

    ReadError where the form holds no table of this kind.
    """
    form = next((form for form in FORMS if form.fits(value)), None)
    if form is None:
        return None
    if book.kind in form.refused:
        what = f"{form.called}, not {KINDS[book.kind].words}"
        raise refuse("other_kind", book.name, what, form.refused[book.kind])
    if book.kind not in form.rows:
        return None
    rows = list(form.rows[book.kind](value, book))
    if not rows:
        raise refuse("empty", book.name, f"{form.called}, and holds no documents")
    return rows


def _objects(value: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in the list that a member of an object is; none where it is no such list."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return [item for item in inner if isinstance(item, Mapping)] if isinstance(inner, (list, tuple)) else []


def _all_objects(value: Mapping[str, Any], name: str, book: Book) -> list[Mapping[str, Any]]:
    """Return the same. ReadError where it is no list, or an item is no object."""
    inner = value.get(name)
    if inner is None:
        return []
    if not isinstance(inner, (list, tuple)) or not all(isinstance(item, Mapping) for item in inner):
        raise refuse("malformed", book.name, f'"{name}" is no list of objects', "Export the file again.")
    return [*inner]


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


# --- Elasticsearch and OpenSearch ------------------------------------------------------------------------------------


def hits_of(answer: Any) -> list[Mapping[str, Any]] | None:
    """Return the hits of an answer to a search; None where it is none."""
    outer = answer.get("hits") if isinstance(answer, Mapping) else None
    inner = outer.get("hits") if isinstance(outer, Mapping) else None
    if not isinstance(inner, (list, tuple)):
        return None
    hits = [hit for hit in inner if isinstance(hit, Mapping) and "_id" in hit]
    return hits if len(hits) == len(inner) else None


def _is_failure(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and "hits" not in value
        and bool(value.get("error"))
        and {*value} <= {"error", "status", "took"}
    )


def _names_query(value: Mapping[str, Any]) -> Any:
    """Return the query that an answer names beside its hits; None where it names none."""
    return next((value[name] for name in value if _is_plain(value[name]) and means([name], "run", "query_id")), None)


def _are_answers(values: Iterable[Any]) -> bool:
    some = [*values][:SOME]
    return any(hits_of(one) is not None for one in some) and all(
        hits_of(one) is not None or _is_failure(one) for one in some
    )


def _hold_judgments(value: Any) -> bool:
    """Return whether the hits are rows of judgments that were exported from an index."""
    hits = hits_of(value) or (value if isinstance(value, (list, tuple)) else [])
    some = [hit.get("_source") for hit in hits[:SOME] if isinstance(hit, Mapping)]
    return bool(some) and all(_is_grade(source) for source in some)


def _is_grade(source: Any) -> bool:
    return isinstance(source, Mapping) and all(
        means(map(str, source), "judgments", meaning) for meaning in ("query_id", "doc_id", "relevance")
    )


def _stored_grades(value: Any, book: Book) -> Iterator[Row]:
    for hit in hits_of(value) or value:
        source = hit["_source"]
        yield {name: cell for name, cell in source.items() if _is_plain(cell)}


def _named_answers(value: Any, book: Book) -> Iterator[Row]:
    return _hit_rows([*value.items()], book)


def _listed_answers(value: Any, book: Book) -> Iterator[Row]:
    """Yield the hits of answers in the order of their searches; queries that no answer names are numbered from 1."""
    answers = value["responses"] if isinstance(value, Mapping) else value
    names = [_names_query(answer) if isinstance(answer, Mapping) else None for answer in answers]
    if any(name is None for name in names):
        text = f"The answers name no queries: they are numbered from 1 to {len(answers):,}, in their order."
        book.notes.append(warning("unnamed_queries", text))
        names = [*range(1, len(answers) + 1)]
    return _hit_rows([*zip(names, answers, strict=True)], book)


def _one_answer(value: Any, book: Book) -> Iterator[Row]:
    name = _names_query(value)
    if name is None:
        raise refuse("missing_column", book.name, "the answer to one search names no query", "Give {query: answer}.")
    return _hit_rows([(name, value)], book)


def _hit_rows(answers: Sequence[tuple[Any, Any]], book: Book) -> Iterator[Row]:
    """Yield the hits of answers by query, in their order."""
    failed = [str(query) for query, answer in answers if hits_of(answer) is None]
    if failed:
        book.notes.append(warning("searches_failed", f"Searches failed, so that there is no list: {listed(failed)}."))
    held = [(query, answer, hits_of(answer) or []) for query, answer in answers if hits_of(answer) is not None]
    partial = [str(query) for query, answer, _ in held if answer.get("timed_out") is True or _shards_failed(answer)]
    if partial:
        text = f"Searches timed out or failed in part, so that documents may be missing: {listed(partial)}."
        book.notes.append(warning("searches_partial", text))
    empty = sum(not hits for _, _, hits in held)
    if empty:
        text = f"{empty:,} {'query has' if empty == 1 else 'queries have'} no documents."
        book.notes.append(warning("no_documents", text))
    scored = all(_is_plain(hit.get("_score")) for _, _, hits in held for hit in hits)
    for query, answer, hits in held:
        book.leave(answer, "hits", "took", "timed_out", "_shards")
        for place, hit in enumerate(hits, start=1):
            yield _hit_row(query, place, hit, scored, book)


def _shards_failed(answer: Mapping[str, Any]) -> bool:
    shards = answer.get("_shards")
    return isinstance(shards, Mapping) and shards.get("failed") not in (0, None, "0")


def _hit_row(query: Any, place: int, hit: Mapping[str, Any], scored: bool, book: Book) -> Row:
    """Return the row of a hit. A name in ``columns`` may be a path into what is stored under it."""
    source = hit.get("_source")
    stored = source if isinstance(source, Mapping) else {}
    row: Row = {"query_id": query, "doc_id": hit.get("_id"), "rank": place}
    row |= {"score": hit["_score"]} if scored else {}
    title = next(
        (cell for name, cell in stored.items() if isinstance(cell, str) and means([name], "run", "title")), None
    )
    row |= {"title": title} if title is not None else {}
    if place <= SOME:
        for path, cell in _paths(stored):
            if len(book.fields) < 20 or path in book.fields:
                book.fields.setdefault(path, {})[str(cell)] = None
    for meaning, heading in book.options.columns.items():
        cell = hit.get(heading) if heading in hit else dict(_paths(stored)).get(heading.removeprefix("_source."))
        if cell is not None:
            row = {name: own for name, own in row.items() if name != meaning} | {heading: cell}
    return row


def _paths(stored: Mapping[str, Any], within: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield the texts and whole numbers that are stored under a hit, by their paths."""
    for name, cell in stored.items():
        if isinstance(cell, Mapping) and depth < 2:
            yield from _paths(cell, f"{within}{name}.", depth + 1)
        elif isinstance(cell, (str, int)) and not isinstance(cell, bool) and len(str(cell)) <= 100:
            yield f"{within}{name}", cell


def _is_rank_eval(value: Any) -> bool:
    details = value.get("details") if isinstance(value, Mapping) else None
    if not isinstance(details, Mapping) or not all(isinstance(answer, Mapping) for answer in details.values()):
        return False
    return (
        "metric_score" in value
        or "quality_level" in value
        or any(
            isinstance(hit.get("hit"), Mapping)
            for answer in [*details.values()][:SOME]
            for hit in _objects(answer, "hits")
        )
    )


def _rank_eval_rows(value: Any, book: Book) -> Iterator[Row]:
    """Yield the hits of a rank evaluation with their ratings, in their order."""
    text = (
        "An answer rates only the documents that it shows. Where its ratings are the judgments, nDCG, recall and AP are "
        "too high: give the request as judgments, which has all ratings."
    )
    book.notes.append(warning("only_shown", text))
    failed = value.get("failures")
    if isinstance(failed, Mapping) and failed:
        book.notes.append(
            warning("searches_failed", f"Searches failed, so that there is no list: {listed(map(str, failed))}.")
        )
    lists = {query: _all_objects(answer, "hits", book) for query, answer in value["details"].items()}
    hit_of = {query: [(rated, rated.get("hit") or {}) for rated in hits] for query, hits in lists.items()}
    scored = all(_is_plain(hit.get("_score")) for hits in hit_of.values() for _, hit in hits)
    for query, hits in hit_of.items():
        for place, (rated, hit) in enumerate(hits, start=1):
            score = {"score": hit["_score"]} if scored else {}
            yield {
                "query_id": query,
                "doc_id": hit.get("_id"),
                "rank": place,
                **score,
                "relevance": rated.get("rating"),
            }


def _is_rank_eval_request(value: Any) -> bool:
    requests = _objects(value, "requests")
    return bool(requests) and all(isinstance(one.get("ratings"), (list, tuple)) for one in requests[:SOME])


def _rank_eval_request(value: Any, book: Book) -> Iterator[Row]:
    for request in _all_objects(value, "requests", book):
        for rating in _all_objects(request, "ratings", book):
            yield {"query_id": request.get("id"), "doc_id": rating.get("_id"), "relevance": rating.get("rating")}


# --- the Search Relevance Workbench of OpenSearch --------------------------------------------------------------------


def _stored(value: Any) -> list[Mapping[str, Any]]:
    """Return what was stored under the hits of an answer, or the document itself."""
    if isinstance(value, (list, tuple)):
        return [found for one in value[: SOME * 64] for found in _stored(one)]
    hits = hits_of(value)
    if hits is None:
        source = value.get("_source") if isinstance(value, Mapping) else None
        return [source] if isinstance(source, Mapping) else [value] if isinstance(value, Mapping) else []
    return [hit["_source"] for hit in hits if isinstance(hit.get("_source"), Mapping)]


def _shots(source: Mapping[str, Any]) -> list[tuple[Any, Any, Any]]:
    """Return the lists of a pairwise experiment: query, search configuration, documents."""
    results, names = source.get("results"), source.get("searchConfigurationList")
    if isinstance(results, Mapping):  # as older versions have it
        return [
            (query, name, lists[name])
            for query, lists in results.items()
            if isinstance(lists, Mapping)
            for name in (names if isinstance(names, (list, tuple)) else lists)
            if name in lists
        ]
    return [
        (result.get("queryText", result.get("query_text")), shot.get("searchConfigurationId"), shot.get("docIds"))
        for result in _objects(source, "results")
        for shot in _objects(result, "snapshots")
    ]


def _is_pairwise(value: Any) -> bool:
    return any(
        any(isinstance(documents, (list, tuple)) for *_, documents in _shots(one)) for one in _stored(value)[:SOME]
    )


def _pairwise(value: Any, book: Book) -> Iterator[Row]:
    """Yield the documents of both search configurations, each a model."""
    held = [one for one in _stored(value) if _shots(one)]
    if len(held) > 1:
        raise refuse("unclear", book.name, f"it holds {len(held):,} experiments", "Give one of them.")
    order = held[0].get("searchConfigurationList")
    if isinstance(order, (list, tuple)) and order:
        text = f"The experiment names its search configurations in this order: {listed(map(str, order))}."
        book.notes.append(detail("configurations", text))
    return _listed_documents(_shots(held[0]), book)


def _listed_documents(lists: Iterable[tuple[Any, Any, Any]], book: Book) -> Iterator[Row]:
    """Yield the documents of lists: query, model, documents. ReadError for a second list of one query and model."""
    seen: set[tuple[str, str]] = set()
    for query, model, documents in lists:
        if query is None:
            raise refuse("missing_value", book.name, "a result names no query", "Export the results again.")
        own = (str(query), str(model))
        if own in seen:
            what = f"it holds two lists of the query {listed([own[0]])} for the search configuration {listed([own[1]])}"
            raise refuse("unclear", book.name, what, "Give the results of one run of one experiment.")
        seen.add(own)
        if not isinstance(documents, (list, tuple)) and documents is not None:
            raise refuse("malformed", book.name, f"the documents of the query {listed([own[0]])} are no list", "")
        for place, document in enumerate(documents or (), start=1):
            yield {"query_id": query, "model": model, "rank": place, "doc_id": document}


def _is_evaluation(source: Any) -> bool:
    return (
        isinstance(source, Mapping) and isinstance(source.get("documentIds"), (list, tuple)) and "searchText" in source
    )


def _are_evaluations(value: Any) -> bool:
    return any(map(_is_evaluation, _stored(value)[:SOME]))


def _model(result: Mapping[str, Any]) -> str:
    variant = result.get("experimentVariantParameters")
    return (
        f"{result.get('searchConfigurationId')} {variant}"
        if isinstance(variant, str) and variant
        else str(result.get("searchConfigurationId"))
    )


def _evaluations(value: Any, book: Book) -> Iterator[Row]:
    results = [*filter(_is_evaluation, _stored(value))]
    models = dict.fromkeys(map(_model, results))
    if book.kind == "run" and len(models) > 1:
        what = f"these are the lists of {len(models):,} search configurations"
        raise refuse("other_kind", book.name, what, _BOTH)
    return _listed_documents(
        ((result["searchText"], _model(result), result["documentIds"]) for result in results), book
    )


def _names_evaluations(value: Any) -> bool:
    named = ("evaluationId", "evaluationResults")
    return any(
        any(name in result for name in named) for one in _stored(value)[:SOME] for result in _objects(one, "results")
    )


def _workbench_judgments(value: Any) -> bool:
    return any(_objects(one, "judgmentRatings") for one in _stored(value)[:SOME])


def _ratings(value: Any, book: Book) -> Iterator[Row]:
    held = [one for one in _stored(value) if _objects(one, "judgmentRatings")]
    if len(held) > 1:
        raise refuse("unclear", book.name, f"it holds {len(held):,} lists of judgments", "Give one of them.")
    for query in _all_objects(held[0], "judgmentRatings", book):
        for rating in _all_objects(query, "ratings", book):
            yield {"query_id": query.get("query"), "doc_id": rating.get("docId"), "relevance": rating.get("rating")}


def _query_set(value: Any) -> bool:
    return any(_objects(one, "querySetQueries") for one in _stored(value)[:SOME])


def _set_queries(value: Any, book: Book) -> Iterator[Row]:
    for one in _stored(value):
        for query in _all_objects(one, "querySetQueries", book):
            yield {"query_id": query.get("queryText")}


# --- Quepid ----------------------------------------------------------------------------------------------------------

NOT_SYNCED = (
    "The grade of a document is the mean of its ratings. Quepid syncs another one into a case: of three ratings or more "
    "the one they have in common, or the lowest of the top three."
)


def _is_book(value: Any) -> bool:
    return bool(_objects(value, "query_doc_pairs"))


def _book_rows(value: Any, book: Book) -> Iterator[Row]:
    """Yield the mean of the ratings of each document; what was put off or found unrateable is none."""
    several = 0
    for pair in _all_objects(value, "query_doc_pairs", book):
        given = [
            _rating(one.get("rating"), book)
            for one in _all_objects(pair, "judgements", book)
            if one.get("rating") is not None
            and one.get("unrateable") is not True
            and one.get("judge_later") is not True
        ]
        several += len(given) > 1
        mean = sum(given) / len(given) if given else None
        yield {"query_id": pair.get("query_text"), "doc_id": pair.get("doc_id"), "relevance": mean}
    if several:
        book.notes.append(warning("mean_of_ratings", NOT_SYNCED))


def _rating(value: Any, book: Book) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise refuse("bad_value", book.name, "a rating is no number", "Export the file again.")
    return number


def _rated_queries(value: Any) -> list[Mapping[str, Any]]:
    queries = _objects(value, "queries")
    return queries if queries and all("ratings" in query for query in queries[:SOME]) else []


def _is_case(value: Any) -> bool:
    return bool(_rated_queries(value)) and not isinstance(value.get("docs"), Mapping)


def _case_ratings(value: Any, book: Book) -> Iterator[Row]:
    """Yield the ratings of a case or a snapshot, by the texts of the queries."""
    for query in _all_objects(value, "queries", book):
        ratings = query.get("ratings")
        name = query.get("query_text", query.get("text"))
        for doc, grade in ratings.items() if isinstance(ratings, Mapping) else ():
            yield {"query_id": name, "doc_id": doc, "relevance": None if grade is None else _rating(grade, book)}


def _is_snapshot(value: Any) -> bool:
    """Return whether this is a snapshot: lists by the ids of queries, whose texts and ratings stand beside them."""
    return isinstance(value, Mapping) and isinstance(value.get("docs"), Mapping) and {"name", "time"} <= value.keys()


def _snapshot_rows(value: Any, book: Book) -> Iterator[Row]:
    """Yield the documents of a snapshot by the texts of their queries, without those that are shown for their rating."""
    texts = {
        str(query.get("query_id", query.get("id"))): query.get("query_text") for query in _objects(value, "queries")
    }
    named = all(texts.get(str(query)) for query in value["docs"])
    if not named:
        book.notes.append(warning("quepid_ids", "Queries go by their ids in Quepid, not by their texts."))
    for query, documents in value["docs"].items():
        if not isinstance(documents, (list, tuple)):
            raise refuse("malformed", book.name, f"the documents of query {listed([str(query)])} are no list", "")
        place = 0
        for document in documents:
            if not isinstance(document, Mapping) or "id" not in document:
                raise refuse("malformed", book.name, f"a document of query {listed([str(query)])} has no id", "")
            if document.get("rated_only"):
                continue
            place += 1
            title = (document.get("fields") or {}).get("title") if isinstance(document.get("fields"), Mapping) else None
            shown = {"title": title} if isinstance(title, str) else {}
            yield {"query_id": texts[str(query)] if named else query, "doc_id": document["id"], "rank": place, **shown}


def _snapshot_queries(value: Any, book: Book) -> Iterator[Row]:
    for query in _objects(value, "queries"):
        yield {"query_id": query.get("query_text", query.get("text"))}


# --- predictions of MTEB ---------------------------------------------------------------------------------------------


def _is_predicted(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("mteb_model_meta"), Mapping)


def _predictions(value: Any, book: Book) -> Iterator[Row]:
    """Yield the lists of the only split. ReadError where there are several, or none."""
    splits = {
        f"{subset}/{split}": lists
        for subset, inner in value.items()
        if subset != "mteb_model_meta" and isinstance(inner, Mapping)
        for split, lists in inner.items()
    }
    chosen = [name for name in splits if book.options.member in ("", name, name.rpartition("/")[2])]
    if len(chosen) != 1 or not isinstance(splits[chosen[0]], Mapping):
        raise refuse(
            "unclear", book.name, f"it holds predictions of {listed(splits)}", "Give those of one retrieval task."
        )
    for query, documents in splits[chosen[0]].items():
        for doc, score in documents.items() if isinstance(documents, Mapping) else ():
            yield {"query_id": query, "doc_id": doc, "score": score}


# --- the table of forms ----------------------------------------------------------------------------------------------

_NO_GRADES = "It holds no grades: give the list of judgments."
_ONE_MODEL = f"It holds the lists of one model. {_AS_RUN}"
_ANSWERS: Mapping[Kind, str] = {"judgments": f"It holds no grades. {_AS_RUN}", "models": _ONE_MODEL}
_GRADES_ALONE: Mapping[Kind, str] = dict.fromkeys(
    ("run", "models", "votes", "queries"), f"It holds grades and no order. {_AS_JUDGMENTS}"
)
_ELSEWHERE = "It names its evaluation results and holds none: ask the search engine for those of the experiment."

#: The first that fits counts; what is stored in a search engine comes before what it answers.
FORMS: tuple[Form, ...] = (
    Form(
        "this is a pairwise experiment of OpenSearch",
        _is_pairwise,
        {"models": _pairwise},
        {"run": _BOTH, "judgments": _NO_GRADES},
    ),
    Form(
        "this is an experiment of OpenSearch",
        _names_evaluations,
        {},
        {"run": _ELSEWHERE, "models": _ELSEWHERE, "judgments": _NO_GRADES},
    ),
    Form(
        "these are evaluation results of OpenSearch",
        _are_evaluations,
        {"run": _evaluations, "models": _evaluations},
        {"judgments": _NO_GRADES},
    ),
    Form("this is a list of judgments of OpenSearch", _workbench_judgments, {"judgments": _ratings}, _GRADES_ALONE),
    Form(
        "this is a query set of OpenSearch",
        _query_set,
        {"queries": _set_queries},
        dict.fromkeys(("run", "models", "judgments", "votes"), "It holds queries, and no lists or grades."),
    ),
    Form(
        "this is the error of a search engine",
        _is_failure,
        {},
        dict.fromkeys(_EVERY, "It has no hits: search again."),
    ),
    Form("these are judgments in a search engine", _hold_judgments, {"judgments": _stored_grades}, _GRADES_ALONE),
    Form(
        "this is the answer to a rank evaluation",
        _is_rank_eval,
        {"run": _rank_eval_rows, "judgments": _rank_eval_rows},
        {"models": _ONE_MODEL},
    ),
    Form(
        "this is the request of a rank evaluation",
        _is_rank_eval_request,
        {"judgments": _rank_eval_request},
        _GRADES_ALONE,
    ),
    Form("this is the answer to a search", lambda value: hits_of(value) is not None, {"run": _one_answer}, _ANSWERS),
    Form(
        "these are answers to several searches",
        lambda value: _are_answers(value if isinstance(value, (list, tuple)) else _objects(value, "responses")),
        {"run": _listed_answers},
        _ANSWERS,
    ),
    Form(
        "these are answers to searches, by query",
        lambda value: isinstance(value, Mapping) and _are_answers(value.values()),
        {"run": _named_answers},
        _ANSWERS,
    ),
    Form("this is a book of Quepid", _is_book, {"judgments": _book_rows}, _GRADES_ALONE),
    Form(
        "this is a snapshot of Quepid",
        _is_snapshot,
        {"run": _snapshot_rows, "judgments": _case_ratings, "queries": _snapshot_queries},
        {"models": _ONE_MODEL},
    ),
    Form("these are the ratings of a case of Quepid", _is_case, {"judgments": _case_ratings}, _GRADES_ALONE),
    Form("these are predictions of MTEB", _is_predicted, {"run": _predictions}, _ANSWERS),
)


def unwrap(source: Any, kind: Kind) -> tuple[Any, str]:
    """Return what an object of ranx or the client of a search engine holds, and its name; any other as it is.

    ReadError where it holds no table of this kind.
    """
    if isinstance(source, (Mapping, str, bytes, list, tuple)):
        return source, ""
    if isinstance(getattr(source, "run", None), Mapping):
        if kind == "judgments":
            what, do = "this is a Run of ranx, not judgments", "Give it as a run, and its Qrels as the judgments."
            raise refuse("other_kind", "the table", what, do)
        name = getattr(source, "name", None)
        return source.run, name if isinstance(name, str) else ""
    if isinstance(getattr(source, "qrels", None), Mapping):
        if kind != "judgments":
            what, do = f"these are Qrels of ranx, not {KINDS[kind].words}", "Give them as the judgments."
            raise refuse("other_kind", "the table", what, do)
        return source.qrels, ""
    if isinstance(getattr(source, "body", None), Mapping):
        return source.body, ""
    return source, ""


# --- tables of Quepid ------------------------------------------------------------------------------------------------

#: The first headings of a book of Quepid as CSV; a column for each rater follows.
BOOK = ("query", "docid")
_PERSON = re.compile(r"[^@\s]+@[^@\s]+|[^\W\d_a-z][^\W\d_]*\.?([ '’-]+[^\W\d_a-z][^\W\d_]*\.?)+")


def raters_of(headings: Sequence[str]) -> list[int]:
    """Return the columns of the raters of a book of Quepid as CSV, from 0; none where the headings are not its own."""
    others = [*range(2, len(headings))]
    if tuple(headings[:2]) != BOOK or not others or "rating" in map(key, headings):
        return []
    return others if all(headings[i].strip() for i in others) else []


def are_people(headings: Iterable[str]) -> bool:
    """Return whether headings are addresses or names of people."""
    return all(_PERSON.fullmatch(heading.strip()) for heading in headings)
