"""The forms in which other tools write: one function each, from the value to its rows, and the CSV files of Quepid.

Quepid, Elasticsearch and OpenSearch, the workbench of OpenSearch, ranx, and MTEB. docs/formats.md shows for every other
tool the line that makes a plain form.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rankdash.notes import advise, listed, warning
from rankdash.reading.headings import KINDS, TIERS, Kind, key, means
from rankdash.reading.objects import SOME, Book, Row, join_objects, no_documents, rows_of
from rankdash.reading.problems import Problem, ReadError, refuse
from rankdash.reading.source import Document
from rankdash.records import frozen

_AGAIN = "Export the file again."
#: What a field with the number of a product is called.
_IDS = TIERS["run"]["doc_id"][1]
Rows = Callable[[Any, Book], Iterable[Row]]


@frozen
class Form:
    """A form of another tool: what it is called, how it is recognised, and its rows by kind of table."""

    called: str
    fits: Callable[[Any], bool]
    rows: Mapping[Kind, Rows]


def rows_of_value(value: Any, book: Book) -> list[Row]:
    """Return the rows of a value in a form of another tool, or in a plain form.

    ReadError where it holds no table of this kind.
    """
    value = join_objects(value, book)
    form = next((form for form in FORMS if form.fits(value)), None)
    if form is None:
        return rows_of(value, book)
    if book.kind not in form.rows:
        give = " or ".join(KINDS[kind].words for kind in form.rows)
        what = f"{form.called}, not {KINDS[book.kind].words}"
        raise refuse("other_kind", book.name, what, f"Give it as {give}." if give else "Give the lists of documents.")
    rows = list(form.rows[book.kind](value, book))
    if not rows:
        raise refuse("empty", book.name, f"{form.called}, and holds no documents")
    return rows


def _objects(value: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in the list that a member of an object is; none where it is no such list."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return [item for item in inner if isinstance(item, Mapping)] if isinstance(inner, (list, tuple)) else []


def _object(value: Any, name: str) -> Mapping[str, Any]:
    """Return the object that a member of an object is; an empty one where it is none."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _all_objects(value: Mapping[str, Any], name: str, book: Book) -> list[Mapping[str, Any]]:
    """Return the same. ReadError where it is no list, or an item is no object."""
    inner = value.get(name)
    if inner is None:
        return []
    if not isinstance(inner, (list, tuple)) or not all(isinstance(item, Mapping) for item in inner):
        raise refuse("malformed", book.name, f'"{name}" is not a list of objects', _AGAIN)
    return [*inner]


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


# --- answers of Elasticsearch and OpenSearch -------------------------------------------------------------------------


def hits_of(answer: Any) -> list[Mapping[str, Any]] | None:
    """Return the hits of an answer to a search; None where it is none."""
    inner = _object(answer, "hits").get("hits")
    if not isinstance(inner, (list, tuple)):
        return None
    hits = [hit for hit in inner if isinstance(hit, Mapping) and "_id" in hit]
    return hits if len(hits) == len(inner) else None


def _is_failure(value: Any) -> bool:
    return isinstance(value, Mapping) and "hits" not in value and bool(value.get("error")) and "status" in value


def _named_answer(value: Any) -> tuple[Any, Any]:
    """Return the query that stands beside an answer, None where none does, and the answer."""
    if not isinstance(value, Mapping):
        return None, value
    names = (own for name, own in value.items() if _is_plain(own) and means([name], "run", "query_id"))
    within = (value[name] for name in ("response", "result", "body") if isinstance(value.get(name), Mapping))
    return next(names, None), next(within, value)


def _are_answers(values: Iterable[Any]) -> bool:
    some = [_named_answer(one)[1] for one in islice(values, SOME)]
    return bool(some) and all(hits_of(one) is not None or _is_failure(one) for one in some)


def _one_answer(value: Any, book: Book) -> Iterator[Row]:
    name, answer = _named_answer(value)
    if name is None and not _is_failure(answer):
        do = 'Write the answers of a model into one file, each after its query: {"tv": answer, "radio": answer}.'
        raise refuse("missing_column", book.name, "the answer to one search names no query", do)
    return _hit_rows([(name, answer)], book)


def _listed_answers(value: Any, book: Book) -> Iterator[Row]:
    """Yield the hits of answers in the order of their searches; queries that no answer names are numbered from 1."""
    answers = [*map(_named_answer, value["responses"] if isinstance(value, Mapping) else value)]
    if any(name is None for name, _ in answers):
        book.notes.append(warning("unnamed_queries", advise("unnamed_queries", count=len(answers))))
        answers = [(number, answer) for number, (_, answer) in enumerate(answers, start=1)]
    return _hit_rows(answers, book)


def _hit_rows(answers: Sequence[tuple[Any, Any]], book: Book) -> Iterator[Row]:
    """Yield the hits of answers by query, in their order. ReadError where all searches failed."""
    lists = [(query, answer, hits_of(answer)) for query, answer in answers]
    if odd := [str(query) for query, answer, hits in lists if hits is None and not _is_failure(answer)]:
        raise refuse("malformed", book.name, f"these are not answers to a search: {listed(odd)}", "Search again.")
    held = [(query, answer, hits) for query, answer, hits in lists if hits is not None]
    if not held:
        raise refuse("other_kind", book.name, "this is the error of a search engine", "It has no hits: search again.")
    book.warn("searches_failed", _FAILED, (query for query, _, hits in lists if hits is None))
    _note_partial([(query, answer) for query, answer, _ in held], book)
    book.notes += no_documents(sum(not hits for _, _, hits in held))
    scored = all(_is_plain(hit.get("_score")) for _, _, hits in held for hit in hits)
    for query, answer, hits in held:
        book.leave(answer, "hits", "took", "timed_out", "_shards")
        for place, hit in enumerate(hits, start=1):
            yield _hit_row(query, place, hit, scored, book)


_FAILED = "Searches failed and have no list"


def _note_partial(answers: Iterable[tuple[Any, Mapping[str, Any]]], book: Book) -> None:
    """Warn of searches that timed out, or that some shards did not answer."""
    partial = (
        query
        for query, answer in answers
        if answer.get("timed_out") is True or _object(answer, "_shards").get("failed") not in (0, None)
    )
    book.warn("searches_partial", "Searches timed out or failed in part. Documents may be missing", partial)


def _hit_row(query: Any, place: int, hit: Mapping[str, Any], scored: bool, book: Book) -> Row:
    """Return the row of a hit. A name in ``columns`` may be a path into what is stored under it."""
    stored = _object(hit, "_source")
    row: Row = {"query_id": query, "doc_id": hit.get("_id"), "rank": place}
    row |= {"score": hit["_score"]} if scored else {}
    titles = [cell for name, cell in stored.items() if isinstance(cell, str) and means([str(name)], "run", "title")]
    row |= {"title": titles[0]} if titles else {}
    ids = {name: cell for name, cell in stored.items() if key(name) in _IDS and _is_plain(cell)}
    row = {name: cell for name, cell in ids.items() if str(cell) != row["doc_id"]} | row
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


# --- rank evaluations ------------------------------------------------------------------------------------------------


def _is_rank_eval(value: Any) -> bool:
    details = _object(value, "details").values()
    return all(isinstance(answer, Mapping) for answer in details) and any(
        "hit" in hit for answer in islice(details, SOME) for hit in _objects(answer, "hits")
    )


def _rank_eval(value: Any, book: Book) -> Iterator[Row]:
    """Yield the hits of a rank evaluation with their ratings, in their order."""
    text = (
        "An answer rates only the documents that it shows. Where its ratings are the judgments, nDCG, recall and AP "
        "are too high: give the request as judgments, which has all ratings."
    )
    book.notes.append(warning("only_shown", text))
    book.warn("searches_failed", _FAILED, _object(value, "failures"))
    lists = {query: _all_objects(answer, "hits", book) for query, answer in value["details"].items()}
    scored = all(_is_plain(_object(rated, "hit").get("_score")) for hits in lists.values() for rated in hits)
    for query, hits in lists.items():
        for place, rated in enumerate(hits, start=1):
            hit = _object(rated, "hit")
            row = {"query_id": query, "doc_id": hit.get("_id"), "rank": place, "relevance": rated.get("rating")}
            yield row | ({"score": hit["_score"]} if scored else {})


def _requests(value: Any) -> Any:
    return value.get("requests") if isinstance(value, Mapping) else value


def _is_rank_eval_request(value: Any) -> bool:
    requests = _requests(value)
    some = requests[:SOME] if isinstance(requests, (list, tuple)) else []
    return bool(some) and all(isinstance(one, Mapping) and {"id", "request", "ratings"} <= one.keys() for one in some)


def _requested_ratings(value: Any, book: Book) -> Iterator[Row]:
    for request in _all_objects({"requests": _requests(value)}, "requests", book):
        for rating in _all_objects(request, "ratings", book):
            yield {"query_id": request.get("id"), "doc_id": rating.get("_id"), "relevance": rating.get("rating")}


# --- what is stored in a search engine: judgments, and the Search Relevance Workbench --------------------------------

Stored = Mapping[str, Any]


def _stored(value: Any, most: int | None = None) -> list[Any]:
    """Return what is stored under the hits of an answer or of a list, or the document itself."""
    hits = hits_of(value)
    items = hits if hits is not None else value if isinstance(value, (list, tuple)) else [value]
    return [one.get("_source", one) if isinstance(one, Mapping) else one for one in items[:most]]


def _holds(is_form: Callable[[Stored], bool]) -> Callable[[Any], bool]:
    """Return whether one of the first documents has a form."""
    return lambda value: any(isinstance(one, Mapping) and is_form(one) for one in _stored(value, SOME))


def _kept(value: Any, is_form: Callable[[Stored], bool], book: Book) -> list[Stored]:
    """Return the documents that have a form; warn of others, and of an answer that does not hold all of them."""
    every = _stored(value)
    kept = [one for one in every if isinstance(one, Mapping) and is_form(one)]
    if others := len(every) - len(kept):
        text = f"{others:,} of {len(every):,} documents are of another kind and were left out."
        book.notes.append(warning("left_out", text))
    if hits_of(value) is not None:
        _note_partial([("the only one", value)], book)
        total = value["hits"].get("total")
        total = total.get("value") if isinstance(total, Mapping) else total
        if isinstance(total, int) and total > len(every):
            text = f"The answer holds {len(every):,} of {total:,} hits, because the search asked for no more."
            book.notes.append(warning("first_of_many", text))
    return kept


def _only(kept: Sequence[Stored], what: str, book: Book) -> Stored:
    if len(kept) > 1:
        raise refuse("unclear", book.name, f"it holds {len(kept):,} {what}", "Give one of them.")
    return kept[0]


def _shots(one: Stored) -> list[tuple[Any, Any, Any]]:
    """Return the lists of a pairwise experiment: query, search configuration, documents."""
    return [
        (result.get("queryText", result.get("query_text")), shot.get("searchConfigurationId"), shot.get("docIds"))
        for result in _objects(one, "results")
        for shot in _objects(result, "snapshots") or [dict[str, Any]()]
    ]


def _is_pairwise(one: Stored) -> bool:
    return any(isinstance(documents, (list, tuple)) for *_, documents in _shots(one))


def _pairwise(value: Any, book: Book) -> Iterator[Row]:
    """Yield the documents of both search configurations, each a model."""
    one = _only(_kept(value, _is_pairwise, book), "experiments", book)
    for result in _objects(one, "results"):
        _all_objects(result, "snapshots", book)
    return _listed_documents(_shots(one), book)


def _listed_documents(lists: Iterable[tuple[Any, Any, Any]], book: Book) -> Iterator[Row]:
    """Yield the documents of lists: query, model, documents. ReadError for a second list of one query and model."""
    seen: set[tuple[str, str]] = set()
    empty = 0
    for query, model, documents in lists:
        if not _is_plain(query):
            raise refuse("missing_value", book.name, "a result names no query", "Export the results again.")
        own = (str(query), str(model))
        if own in seen:
            what = f"it holds two lists of the query {listed([own[0]])} for the search configuration {listed([own[1]])}"
            raise refuse("unclear", book.name, what, "Give the results of one run of one experiment.")
        seen.add(own)
        if not isinstance(documents, (list, tuple)) and documents is not None:
            raise refuse("malformed", book.name, f"the documents of the query {listed([own[0]])} are no list", _AGAIN)
        empty += not documents
        for place, document in enumerate(documents or (), start=1):
            yield {"query_id": query, "model": model, "rank": place, "doc_id": document}
    book.notes += no_documents(empty)


def _is_evaluation(one: Stored) -> bool:
    return {"documentIds", "searchText", "searchConfigurationId"} <= one.keys()


def _evaluations(value: Any, book: Book) -> Iterator[Row]:
    """Yield the lists of evaluation results; each search configuration, and each of its variants, is a model."""
    lists = []
    for one in _kept(value, _is_evaluation, book):
        variant = one.get("experimentVariantParameters")
        model = " ".join(str(part) for part in (one["searchConfigurationId"], variant) if part)
        lists.append((one["searchText"], model, one["documentIds"]))
    models = {model for _, model, _ in lists}
    if book.kind == "run" and len(models) > 1:
        what = f"these are the lists of {len(models):,} search configurations"
        raise refuse("other_kind", book.name, what, "Give it as the one file with both models.")
    return _listed_documents(lists, book)


def _has_ratings(one: Stored) -> bool:
    return bool(_objects(one, "judgmentRatings"))


def _ratings(value: Any, book: Book) -> Iterator[Row]:
    one = _only(_kept(value, _has_ratings, book), "lists of judgments", book)
    for query in _all_objects(one, "judgmentRatings", book):
        for rating in _all_objects(query, "ratings", book):
            yield {"query_id": query.get("query"), "doc_id": rating.get("docId"), "relevance": rating.get("rating")}


# --- Quepid ----------------------------------------------------------------------------------------------------------

NOT_SYNCED = (
    "The grade of a document is the mean of its raters. Quepid syncs another one into a case: of three ratings or more "
    "the one they have in common, or the lowest of the top three."
)


def _book_rows(value: Any, book: Book) -> Iterator[Row]:
    """Yield the mean of the raters of each document; what was put off or found unrateable is none.

    Several ratings by one rater count as their mean, each of those without a name by itself.
    """
    several = False
    for pair in _all_objects(value, "query_doc_pairs", book):
        ratings: dict[str, list[float]] = {}
        for number, one in enumerate(_all_objects(pair, "judgements", book)):
            if not (one.get("rating") is None or one.get("unrateable") is True or one.get("judge_later") is True):
                ratings.setdefault(str(one.get("user_email") or number), []).append(_rating(one["rating"], book))
        several = several or len(ratings) > 1
        mean = _mean([_mean(own) for own in ratings.values()]) if ratings else None
        yield {"query_id": pair.get("query_text"), "doc_id": pair.get("doc_id"), "relevance": mean}
    if several:
        book.notes.append(warning("mean_of_ratings", NOT_SYNCED))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _rating(value: Any, book: Book) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise refuse("bad_value", book.name, "a rating is no number", _AGAIN)
    return number


def _is_case(value: Any) -> bool:
    queries = _objects(value, "queries")
    return bool(queries) and all("ratings" in query for query in queries[:SOME])


def _is_snapshot(value: Any) -> bool:
    """Return whether this is a snapshot: lists by the ids of queries, whose texts and ratings stand beside them."""
    docs = isinstance(value, Mapping) and isinstance(value.get("docs"), Mapping)
    return docs and ({"name", "time"} <= value.keys() or _is_case(value))


def _query_names(value: Any, book: Book) -> dict[str, Any]:
    """Return the texts of queries by their ids, or the ids where not every query has a text of its own."""
    queries = _all_objects(value, "queries", book)
    ids = [str(query.get("query_id", query.get("id"))) for query in queries]
    texts = [query.get("query_text", query.get("text", query.get("query"))) for query in queries]
    shown = _object(value, "docs")
    if all(map(_is_plain, texts)) and len({*texts}) == len(texts) and {*shown} <= {*ids}:
        return dict(zip(ids if len({*ids}) == len(ids) else texts, texts, strict=True))
    book.notes.append(warning("quepid_ids", "Queries go by their ids in Quepid, not by their texts."))
    return {id_: id_ for id_ in (*ids, *shown)}


def _case_ratings(value: Any, book: Book) -> Iterator[Row]:
    """Yield the ratings of a case or a snapshot."""
    names = _query_names(value, book)
    for query in _all_objects(value, "queries", book):
        ratings = query.get("ratings") or {}
        name = names.get(str(query.get("query_id", query.get("id"))), query.get("query_text", query.get("query")))
        if not isinstance(ratings, Mapping):
            raise refuse("malformed", book.name, f"the ratings of query {listed([str(name)])} are no object", _AGAIN)
        for doc, grade in ratings.items():
            yield {"query_id": name, "doc_id": doc, "relevance": None if grade is None else _rating(grade, book)}


def _snapshot_rows(value: Any, book: Book) -> Iterator[Row]:
    """Yield the documents of a snapshot in their positions, without those that are shown for their rating."""
    names = _query_names(value, book)
    empty = 0
    for query in value["docs"]:
        found = _all_objects(value["docs"], query, book)
        shown = [document for document in found if not document.get("rated_only")]
        empty += not shown
        positions = [document.get("position") for document in shown]
        ranks = positions if all(isinstance(at, int) for at in positions) else range(1, len(shown) + 1)
        for rank, document in zip(ranks, shown, strict=True):
            title = _object(document, "fields").get("title")
            row = {"query_id": names[str(query)], "doc_id": document.get("id"), "rank": rank}
            yield row | ({"title": title} if isinstance(title, str) else {})
    book.notes += no_documents(empty)


#: The first headings of the exports of Quepid as CSV: the query is the last of them that says something of no document.
_BASIC = ("query", "docid")
_DETAILED = ("teamname", "casename", "caseid", "querytext")
_PERSON = re.compile(r"[^@\s]+@[^@\s]+|[^\W\d_a-z][^\W\d_]*\.?([ '’-]+[^\W\d_a-z][^\W\d_]*\.?)+")


def are_raters(headings: Sequence[str]) -> bool:
    """Return whether these are the headings of a book of Quepid: query, document, and addresses or names of people."""
    keys, others = tuple(map(key, headings)), headings[2:]
    return keys[:2] == _BASIC and bool(others) and all(_PERSON.fullmatch(name.strip()) for name in others)


def plain_csv(document: Document, first: str, kind: Kind) -> Document:
    """Return an export of Quepid as a plain table: queries without documents left out, the mean in place of raters.

    ``first`` is its first line; any other document is returned as it is. ReadError for a book given as another kind.
    """
    delimiter = document.delimiter or max(",;\t", key=first.count)
    headings = [cell.strip() for cell in next(csv.reader([first[:10_000]], delimiter=delimiter), [])]
    keys = tuple(map(key, headings))
    raters = are_raters(headings) and "relevance" not in document.options.columns
    if not raters and keys[:4] != _DETAILED and keys != (*_BASIC, "rating"):
        return document
    if raters and kind != "judgments":
        what = f"this is a book of Quepid, not {KINDS[kind].words}"
        raise refuse("other_kind", document.name, what, advise("give_judgments"))
    last = 3 if keys[:4] == _DETAILED else 0
    reader = csv.reader(io.StringIO(document.content().decode("utf-8-sig"), newline=""), delimiter=delimiter)
    writer = csv.writer(text := io.StringIO(newline=""), delimiter=delimiter, lineterminator="\n")
    problems: list[Problem] = []
    below = empty = 0
    for row in reader:
        bare = below and len(row) > last and not any(map(str.strip, row[last + 1 :]))
        empty += bool(bare)
        if below and raters and not bare and len(row) == len(headings):
            row = [*row[:2], _mean_of_cells(document.name, reader.line_num, headings, row, problems)]
        elif raters and not below and [*map(str.strip, row)] == [*headings]:
            row = [*row[:2], "relevance"]
        below = below or [*map(str.strip, row[:2])] == [*headings[:2]]
        writer.writerow([] if bare else row)
    if problems:
        raise ReadError(problems)
    if not (raters or empty):
        return document
    notes = [warning("mean_of_ratings", f"{NOT_SYNCED} Raters: {listed(headings[2:])}.")] if raters else []
    return document.holding(text.getvalue().encode(), *notes, *no_documents(empty))


def _mean_of_cells(file: str, line: int, headings: Sequence[str], row: Sequence[str], problems: list[Problem]) -> str:
    """Return the mean of the grades in a row of a book; what is no whole number from 0 to 10 is a problem."""
    grades = []
    for heading, cell in zip(headings[2:], row[2:], strict=True):
        if re.fullmatch(r"\s*([0-9]|10)([.,]0*)?\s*", cell):
            grades.append(float(cell.replace(",", ".")))
        elif cell.strip():
            what, allowed = "is no grade of a rater", "Use whole numbers from 0 to 10."
            problems.append(Problem("bad_value", file, what, line, heading, cell, allowed))
    return repr(_mean(grades)) if grades else ""


# --- predictions of MTEB ---------------------------------------------------------------------------------------------


def _predictions(value: Any, book: Book) -> Iterator[Row]:
    """Yield the lists of the only split. ReadError where there are several, or none."""
    splits = {
        f"{subset}/{split}": lists
        for subset, inner in value.items()
        if subset != "mteb_model_meta" and isinstance(inner, Mapping)
        for split, lists in inner.items()
        if isinstance(lists, Mapping)
    }
    chosen = [name for name in splits if book.options.member in ("", name, name.rpartition("/")[2])]
    lists = splits[chosen[0]] if len(chosen) == 1 else None
    if lists is None or not all(isinstance(documents, Mapping) for documents in lists.values()):
        what = f"it holds predictions of {listed(splits)}"
        raise refuse("unclear", book.name, what, "Give those of one retrieval task.")
    for query, documents in lists.items():
        yield from ({"query_id": query, "doc_id": doc, "score": score} for doc, score in documents.items())


# --- the table of forms ----------------------------------------------------------------------------------------------

#: The first that fits counts; what is stored in a search engine comes before what it answers.
FORMS: tuple[Form, ...] = (
    Form("this is a pairwise experiment of OpenSearch", _holds(_is_pairwise), {"models": _pairwise}),
    Form(
        "these are evaluation results of OpenSearch",
        _holds(_is_evaluation),
        {"run": _evaluations, "models": _evaluations},
    ),
    Form(
        "this is an experiment of OpenSearch without its lists",
        _holds(
            lambda one: (
                "searchConfigurationList" in one
                or any("searchConfigurationId" in own for own in _objects(one, "results"))
            )
        ),
        {},
    ),
    Form("this is a list of judgments of OpenSearch", _holds(_has_ratings), {"judgments": _ratings}),
    Form("this is the answer to a rank evaluation", _is_rank_eval, {"run": _rank_eval, "judgments": _rank_eval}),
    Form("this is the request of a rank evaluation", _is_rank_eval_request, {"judgments": _requested_ratings}),
    Form("this is the answer to a search", lambda value: _are_answers([value]), {"run": _one_answer}),
    Form(
        "these are answers to several searches",
        lambda value: _are_answers(value if isinstance(value, (list, tuple)) else _objects(value, "responses")),
        {"run": _listed_answers},
    ),
    Form(
        "these are answers to searches, by query",
        lambda value: isinstance(value, Mapping) and _are_answers(value.values()),
        {"run": lambda value, book: _hit_rows([(own, _named_answer(one)[1]) for own, one in value.items()], book)},
    ),
    Form("this is a book of Quepid", lambda value: bool(_objects(value, "query_doc_pairs")), {"judgments": _book_rows}),
    Form("this is a snapshot of Quepid", _is_snapshot, {"run": _snapshot_rows, "judgments": _case_ratings}),
    Form("these are the ratings of a case of Quepid", _is_case, {"judgments": _case_ratings}),
    Form(
        "these are predictions of MTEB",
        lambda value: isinstance(value, Mapping) and isinstance(value.get("mteb_model_meta"), Mapping),
        {"run": _predictions},
    ),
    Form("this is a notebook of Jupyter", lambda own: isinstance(own, dict) and "nbformat" in own, {}),
    Form("this is a link to Google Drive", lambda own: isinstance(own, dict) and {"doc_id", "email"} <= {*own}, {}),
)


def unwrap(source: Any, kind: Kind) -> tuple[Any, str]:
    """Return what an object of ranx or the client of a search engine holds, and its name; any other as it is.

    ReadError where it holds no table of this kind.
    """
    if isinstance(source, Mapping):
        wrapped = any(isinstance(getattr(own, "body", None), Mapping) for own in islice(source.values(), SOME))
        return ({name: getattr(own, "body", own) for name, own in source.items()} if wrapped else source), ""
    if isinstance(source, (str, bytes, list, tuple)):
        return source, ""
    for held, own, called in (("run", "run", "a Run"), ("qrels", "judgments", "Qrels")):
        if isinstance(inner := getattr(source, held, None), Mapping):
            if kind != own:
                what = f"the object is {called} of ranx, not {KINDS[kind].words}"
                raise refuse("other_kind", "the table", what, "Give a Run as a run, and its Qrels as the judgments.")
            name = getattr(source, "name", None)
            return inner, name if isinstance(name, str) and own == "run" else ""
    body = getattr(source, "body", None)
    return (body if isinstance(body, Mapping) else source), ""
