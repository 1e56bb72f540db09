"""Results of Chroma, and answers of other engines: lists for queries that they do not name, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from rankdash.reading.columns.headings import missing_column
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.tools.form import AS_RUN, SOME, Form, Notebook, Row, counted, is_plain, leave, members, objects_in
from rankdash.reading.tools.hits import at_path
from rankdash.reading.tools.search_engines import query_of
from rankdash.tables import UNNAMED_QUERIES

#: What stands beside the ids, each a list for each query, or null where it was not asked for.
_BESIDE = ("distances", "documents", "metadatas", "embeddings")


def _is_result(value: Any) -> bool:
    """Return whether a value has lists of ids, and two of what Chroma returns beside them."""
    if not isinstance(value, Mapping) or not _are_lists(value.get("ids")):
        return False
    beside = [value[name] for name in _BESIDE if name in value]
    return len(beside) > 1 and all(part is None or isinstance(part, (list, tuple)) for part in beside)


def _are_lists(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(ids, (list, tuple)) for ids in value)


def _are_named(value: Any) -> bool:
    """Return whether these are results by query."""
    return isinstance(value, Mapping) and bool(value) and all(map(_is_result, islice(value.values(), SOME)))


def _numbered(value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the documents of each query, numbered in the order in which they were asked."""
    lists = value["ids"]
    book.notes.append(f"{UNNAMED_QUERIES[0]}: they are numbered from 1 to {len(lists):,}, in their order.")
    return _rows({str(number): ids for number, ids in enumerate(lists, start=1)}, value, book)


def _by_query(value: Any, book: Notebook) -> Iterator[Row]:
    for query, result in value.items():
        if not _is_result(result) or len(result["ids"]) != 1:
            what = f"the member {listed([str(query)])} is no result of one query"
            raise refuse("malformed", book.name, what, "Give {query: result}, each of one query.")
        yield from _rows({query: result["ids"][0]}, result, book)


def _rows(lists: Mapping[Any, Any], result: Mapping[str, Any], book: Notebook) -> Iterator[Row]:
    leave(book, result, "ids")
    empty = sum(not ids for ids in lists.values())
    if empty:
        book.notes.append(f"{counted(empty, 'query')} {'has' if empty == 1 else 'have'} no documents.")
    for query, ids in lists.items():
        if not isinstance(ids, (list, tuple)) or not all(map(is_plain, ids)):
            what = f"the ids of query {listed([str(query)])} are no list of texts"
            raise refuse("malformed", book.name, what, "Give the result as Chroma returned it.")
        for place, own in enumerate(ids, start=1):
            yield {"query_id": query, "doc_id": own, "rank": str(place)}


@dataclass(frozen=True)
class Engine:
    """How an engine answers: the path to its list of hits, what each calls its score and its id.

    ``fields`` is the member with what is stored; "" where it stands in the hit itself. An answer has ``beside`` on its
    first level; where that is nothing, hits are known by their scores, which Vespa has above them, too.
    """

    path: tuple[str, ...]
    score: str
    fields: str = ""
    beside: tuple[str, ...] = ()
    own: str = "id"


#: (in Vespa groups of hits stand among the children, too)
_VESPA = Engine(("root", "children"), "relevance", "fields")
_SOLR = Engine(("response", "docs"), "score", beside=("responseHeader",))
_QDRANT = Engine(("result", "points"), "score", "payload", ("status", "time"))
_OLD_QDRANT = Engine(("result",), "score", "payload", ("status", "time"))
_PINECONE = Engine(("result", "hits"), "_score", "fields", ("usage",), "_id")
_OLD_PINECONE = Engine(("matches",), "score", "metadata", ("namespace",))
_AZURE = Engine(("value",), "@search.score")
#: (the id of a query of Kendra is one of that search alone)
_KENDRA = Engine(("ResultItems",), "", beside=("QueryId",), own="DocumentId")
_QUICKWIT = Engine(("hits",), "_score", beside=("num_hits", "elapsed_time_micros"))
_GROUPS = ("group:", "grouplist:")


def _around(engine: Engine, value: Any) -> Mapping[str, Any] | None:
    """Return the object around the list of hits; None where there is none."""
    for name in engine.path[:-1]:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else None


def _is_answer(engine: Engine, value: Any) -> bool:
    """Return whether a value is an answer of the engine."""
    outer = _around(engine, value)
    if outer is None:
        return False
    hits = outer.get(engine.path[-1])
    if engine.beside:
        objects = isinstance(hits, (list, tuple)) and all(isinstance(hit, Mapping) for hit in hits[:SOME])
        return objects and all(name in value for name in engine.beside)
    some = members(outer, engine.path[-1])[:SOME]
    return any(engine.score in node and (engine.own in node or node is not outer) for node in (outer, *some))


def _are_answers(engine: Engine, value: Any) -> bool:
    """Return whether these are answers of the engine by query."""
    some = [*islice(value.values(), SOME)] if isinstance(value, Mapping) else []
    return bool(some) and all(_is_answer(engine, answer) for answer in some)


def _of_file(engine: Engine, value: Any, book: Notebook) -> Iterator[Row]:
    """Yield the hits of an answer for the query by whose name the file is called. ReadError where it has none."""
    return _hits(engine, query_of(book), value, book)


def _by_key(engine: Engine, value: Any, book: Notebook) -> Iterator[Row]:
    for query, answer in value.items():
        if not _is_answer(engine, answer):
            what = f"the member {listed([str(query)])} is no answer to a search"
            raise refuse("malformed", book.name, what, "Give {query: answer}.")
        yield from _hits(engine, query, answer, book)


def _hits(engine: Engine, query: Any, answer: Mapping[str, Any], book: Notebook) -> Iterator[Row]:
    """Yield the hits in their order; groups of hits are left unread."""
    outer, list_name = _around(engine, answer) or {}, engine.path[-1]
    leave(book, answer, engine.path[0])
    if outer is not answer:
        leave(book, outer, list_name, within=f"{engine.path[0]}.")
    hits = [hit for hit in objects_in(outer, list_name, book) if not _is_group(hit)]
    if len(hits) < len(outer.get(list_name) or ()):
        book.unread.add("groups of hits")
    scored = all(is_plain(hit.get(engine.score)) for hit in hits)
    path = book.options.columns.get("doc_id") or engine.own
    for place, hit in enumerate(hits, start=1):
        leave(book, hit, engine.own, engine.score, engine.fields)
        stored = hit.get(engine.fields) if engine.fields else hit
        stored = stored if isinstance(stored, Mapping) else {}
        book.stored.add({engine.own: hit.get(engine.own), **stored})
        own = hit.get(path) if path in hit else at_path(stored, path.removeprefix(f"{engine.fields}."))
        if own is None:
            raise ReadError((missing_column(book.name, "doc_id", [*dict.fromkeys((*hit, *stored))], "run"),))
        score = {"score": hit[engine.score]} if scored else {}
        yield {"query_id": query, path if path != engine.own else "doc_id": own, "rank": str(place), **score}


def _is_group(hit: Mapping[str, Any]) -> bool:
    return str(hit.get("id")).startswith(_GROUPS)


def _forms(engine: Engine, name: str) -> tuple[Form, Form]:
    """Return the forms of one answer of an engine, and of answers by query."""
    single, several = f"this is an answer of {name}", f"these are answers of {name}, by query"
    return (
        Form(single, partial(_is_answer, engine), {"run": partial(_of_file, engine)}, _REFUSED),
        Form(several, partial(_are_answers, engine), {"run": partial(_by_key, engine)}, _REFUSED, large=False),
    )


_REFUSED: Mapping[Any, str] = {
    "judgments": f"It holds no grades. {AS_RUN}",
    "models": f"It holds the lists of one model. {AS_RUN}",
}
_IN_GROUPS: Mapping[Any, str] = dict.fromkeys(
    ("run", "judgments", "models"), "Search without grouping, so that each query has one list."
)


def _is_grouped(value: Any) -> bool:
    """Return whether hits stand in groups, as Solr, Qdrant and Typesense answer where they are asked for these."""
    if not isinstance(value, Mapping):
        return False
    result = value.get("result")
    groups = result.get("groups") if isinstance(result, Mapping) and "status" in value else value.get("grouped_hits")
    return isinstance(groups, (list, tuple)) or (
        isinstance(value.get("grouped"), Mapping) and "responseHeader" in value
    )


#: How the names of components end that return documents.
_COMPONENTS = ("retriever", "ranker", "joiner")
_BY_COMPONENT: Mapping[Any, str] = dict.fromkeys(
    ("run", "judgments", "models"), "It names no query: give {query: documents} of one component."
)


def _is_of_pipeline(value: Any) -> bool:
    """Return whether these are documents by the name of a component."""
    if not isinstance(value, Mapping) or not value or not all(str(name).endswith(_COMPONENTS) for name in value):
        return False
    return all(isinstance(part, Mapping) and [*part] == ["documents"] for part in value.values())


def _are_grouped(value: Any) -> bool:
    some = [*islice(value.values(), SOME)] if isinstance(value, Mapping) else []
    return bool(some) and all(map(_is_grouped, some))


FORMS = (
    Form("this is a result of Chroma", _is_result, {"run": _numbered}, _REFUSED),
    Form("these are results of Chroma, by query", _are_named, {"run": _by_query}, _REFUSED, large=False),
    *_forms(_VESPA, "Vespa"),
    *_forms(_SOLR, "Solr"),
    *_forms(_QDRANT, "Qdrant"),
    *_forms(_PINECONE, "Pinecone"),
    # by query, their hits are read as those of any list are
    _forms(_OLD_QDRANT, "Qdrant")[0],
    _forms(_OLD_PINECONE, "Pinecone")[0],
    _forms(_AZURE, "Azure AI Search")[0],
    _forms(_QUICKWIT, "Quickwit")[0],
    _forms(_KENDRA, "Amazon Kendra")[0],
    Form("this is what a pipeline of Haystack returned", _is_of_pipeline, {}, _BY_COMPONENT),
    Form("this is an answer whose hits stand in groups", _is_grouped, {}, _IN_GROUPS),
    Form("these are answers whose hits stand in groups, by query", _are_grouped, {}, _IN_GROUPS, large=False),
)
