"""Small files and objects in the forms of other tools, and what is read of each: the rows of docs/formats.md."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

LISTS = [("tv", "d1"), ("tv", "d2")]
GRADES = [("tv", "d1", 3.0), ("tv", "d2", 0.0)]
NAMED = "by the name of the file"
AS_JUDGMENTS = "Give the file as the judgments."
BOTH = "Give it as the one file with both models."
FIRST, SECOND = [("tv", "d1"), ("tv", "d2")], [("tv", "d2"), ("tv", "d3")]


#: Models, as the tools of their names write them.
MODELS = {
    "RankLib": "## LambdaMART\n## No. of trees = 1000\n\n<ensemble>\n",
    "LightGBM": "tree\nversion=v4\nnum_class=1\n\nTree=0\n",
    "XGBoost": "booster[0]:\n0:[f2<0.5] yes=1,no=2,missing=1\n",
    "Vowpal Wabbit": "Version 9.8.0\nId \nMin label:0\n",
}


@dataclass(frozen=True)
class Case:
    """A row of the table: a tool, what it writes, a source in that form, and what each reader makes of it.

    ``reads`` has (query, document) of a run, with the grade of judgments, by the model of a combined file; a text is a
    part of the sentence that refuses it. ``note`` is a part of a note. ``open`` says that unknown members can stand in
    the source, which is then a dict or the text of a table.
    """

    tool: str
    what: str
    source: Any
    reads: dict[str, Any]
    note: str = ""
    open: bool = False
    made: Callable[[Any, Path], Any] = field(default=lambda source, folder: source)


def as_json(source: Any, folder: Path, name: str = "file.json") -> str:
    """The path of a file with a value as JSON."""
    (folder / name).write_text(json.dumps(source), encoding="utf-8")
    return str(folder / name)


def _as_lines(source: list[Any], folder: Path) -> bytes:
    return "".join(f"{json.dumps(one)}\n" for one in source).encode()


def as_text(source: str, folder: Path) -> bytes:
    """The bytes of a text."""
    return source.encode()


#: Ratings of users with their times, without headings, by what stands between them: the source, and how it is read.
OF_USERS = {
    sign: (
        f"tv{sign}d1{sign}3{sign}881250949\ntv{sign}d2{sign}0{sign}881250950\n",
        {"judgments": GRADES, "run": "Give ratings as the judgments."},
        'Columns that were not read: "column 4".',
        False,
        as_text,
    )
    for sign in ("\t", "::", ",")
}


def answer(*documents: tuple[str, float], **stored: Any) -> dict[str, Any]:
    """The answer of a search engine with hits."""
    hits = [
        {"_index": "shop", "_id": own, "_score": score, "_source": {"title": own, **stored}} for own, score in documents
    ]
    return {"took": 3, "timed_out": False, "_shards": {"total": 1}, "hits": {"total": {"value": 2}, "hits": hits}}


def stored(*sources: dict[str, Any]) -> dict[str, Any]:
    """The answer of a search engine with documents that a tool stored in it."""
    hits = [{"_index": "kept", "_id": f"x{n}", "_score": 1.0, "_source": one} for n, one in enumerate(sources)]
    return {"took": 1, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits}}


SEARCH = answer(("d1", 2.5), ("d2", 1.5))
MANY = {"took": 5, "responses": [{**SEARCH, "status": 200}, {"error": {"type": "x"}, "status": 404}]}
RANK_EVAL = {
    "metric_score": 0.5,
    "details": {
        "tv": {
            "metric_score": 0.5,
            "unrated_docs": [],
            "hits": [
                {"hit": {"_index": "shop", "_id": "d1", "_score": 2.5}, "rating": 3},
                {"hit": {"_index": "shop", "_id": "d2", "_score": 1.5}, "rating": 0},
            ],
        }
    },
    "failures": {},
}
PAIRWISE = stored(
    {
        "id": "e1",
        "type": "PAIRWISE_COMPARISON",
        "searchConfigurationList": ["old", "new"],
        "results": [
            {
                "queryText": "tv",
                "metrics": [{"metric": "jaccard", "value": 0.3}],
                "snapshots": [
                    {"searchConfigurationId": "old", "docIds": ["d1", "d2"]},
                    {"searchConfigurationId": "new", "docIds": ["d2", "d3"]},
                ],
            }
        ],
    }
)
OLD_PAIRWISE = stored(
    {
        "id": "e1",
        "type": "PAIRWISE_COMPARISON",
        "searchConfigurationList": ["old", "new"],
        "results": {"tv": {"old": ["d1", "d2"], "new": ["d2", "d3"], "pairwiseComparison": {"jaccard": 0.3}}},
    }
)
QUERY_SET = {"name": "S", "sampling": "manual", "querySetQueries": [{"queryText": "tv"}, {"queryText": "radio"}]}
PENDING = {
    "took": 1,
    "hits": {"hits": [{"_index": ".plugins-search-relevance-experiment", "_id": "e1", "_source": {}}]},
}
VESPA = {
    "root": {
        "id": "toplevel",
        "relevance": 1.0,
        "fields": {"totalCount": 2},
        "children": [
            {"id": "group:root:0", "relevance": 1.0, "children": []},
            {"id": "d1", "relevance": 0.03, "fields": {"sku": "s1"}},
            {"id": "d2", "relevance": 0.02, "fields": {"sku": "s2"}},
        ],
    }
}
QDRANT = {"result": {"points": [{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.8}]}, "status": "ok", "time": 0.1}
PINECONE = {"result": {"hits": [{"_id": "d1", "_score": 0.9, "fields": {}}, {"_id": "d2", "_score": 0.8}]}, "usage": {}}
AZURE = {
    "@odata.context": "https://x",
    "value": [{"@search.score": 0.9, "id": "d1"}, {"@search.score": 1.5, "id": "d2"}],
}
QUICKWIT = {"num_hits": 2, "hits": [{"id": "d1"}, {"id": "d2"}], "elapsed_time_micros": 7, "errors": []}
ALGOLIA = {"hits": [{"objectID": "d1", "sku": "s1", "id": 7}, {"objectID": "d2", "sku": "s2", "id": 8}], "query": "tv"}
MEILISEARCH = {"hits": [{"id": "d1", "keywords": "a"}, {"id": "d2", "keywords": "b"}], "query": "tv", "limit": 20}
TYPESENSE = {
    "found": 2,
    "hits": [{"document": {"id": "d1"}, "text_match": 5}, {"document": {"id": "d2"}, "text_match": 9}],
    "request_params": {"q": "tv", "per_page": 10},
}
SOLR = {"responseHeader": {"status": 0}, "response": {"docs": [{"id": "d1", "text": "a b"}, {"id": "d2", "text": "c"}]}}
EVALUATED = stored(
    {"searchConfigurationId": "old", "searchText": "tv", "documentIds": ["d1", "d2"], "metrics": []},
)
RATED = stored(
    {
        "id": "j1",
        "type": "IMPORT_JUDGMENT",
        "judgmentRatings": [
            {"query": "tv", "ratings": [{"docId": "d1", "rating": "3.0"}, {"docId": "d2", "rating": "0.0"}]}
        ],
    }
)
JUDGED = stored(
    {"workspace_id": "w", "scenario_id": "tv", "index": "shop", "doc_id": "d1", "rating": 3},
    {"workspace_id": "w", "scenario_id": "tv", "index": "shop", "doc_id": "d2", "rating": 0},
)
STUDIO = {
    "strategy_id": ["old", "new"],
    "results": [
        {"strategy_id": model, "searches": [{"scenario_id": "tv", "metrics": {}, "hits": hits}]}
        for model, hits in (
            ("old", [{"hit": {"_id": "d1"}, "rating": 3}, {"hit": {"_id": "d2"}, "rating": 0}]),
            ("new", [{"hit": {"_id": "d2"}, "rating": 0}, {"hit": {"_id": "d3"}, "rating": None}]),
        )
    ],
    "unrated_docs": [],
}
SNAPSHOT = {
    "name": "Friday",
    "docs": {"1": [{"id": "d1", "position": 1}, {"id": "d2", "position": 2}]},
    "queries": [{"query_id": 1, "query_text": "tv", "ratings": {"d1": 3, "d2": 0}}],
    "scores": [{"query_id": 1, "score": 0.5}],
}
CASE = {
    "case_name": "C",
    "scorer": {"scale": [0, 1, 2, 3]},
    "queries": [{"query_text": "tv", "notes": None, "ratings": {"d1": 3, "d2": 0}}],
    "try": {"args": {}},
}


def _given(rating: Any, by: str, aside: bool = False) -> dict[str, Any]:
    return {"rating": rating, "unrateable": aside, "judge_later": False, "user_email": by, "explanation": ""}


BOOK = {
    "name": "B",
    "query_doc_pairs": [
        {"query_text": "tv", "doc_id": "d1", "position": 1, "judgements": [_given(3.0, "a@x"), _given(2.0, "b@x")]},
        {"query_text": "tv", "doc_id": "d2", "position": 2, "judgements": [_given(0.0, "a@x")]},
        {"query_text": "tv", "doc_id": "d3", "position": 3, "judgements": [_given(None, "a@x", True)]},
    ],
}
MEANS = [("tv", "d1", 2.5), ("tv", "d2", 0.0)]
RRE_LISTS = {
    "id_field": "id",
    "index": "shop",
    "queries": [{"placeholders": {"$query": "tv"}, "relevant_documents": {"3": ["d1"], "0": ["d2"]}}],
}
RRE_GAINS = {
    "tag": "t",
    "topics": [
        {
            "description": "T",
            "query_groups": [
                {
                    "name": "G",
                    "queries": [{"template": "q.json", "placeholders": {"$query": "tv"}}],
                    "relevant_documents": {"d1": {"gain": 3}, "d2": {"gain": 0}},
                }
            ],
        }
    ],
}
MTEB = {"mteb_model_meta": {"model_name": "m"}, "default": {"test": {"tv": {"d1": 0.9, "d2": 0.5}}}}
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
FRAME = pd.DataFrame({"query_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [2.0, 1.0]})
QRELS_FRAME = pd.DataFrame({"query_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "relevance": [3, 0]})
INDEX = ["query_id", "doc_id"]


class Lazy:
    """A lazy frame, shaped as polars has it."""

    def __init__(self, table: pa.Table) -> None:
        self.collect = lambda: table
        self.collect_schema = lambda: table.schema


class Parted:
    """A frame in parts, shaped as dask has it: its items are the names of columns."""

    npartitions = 2

    def __init__(self, frame: pd.DataFrame) -> None:
        self.compute = lambda: frame

    def __iter__(self) -> Any:
        """The names of columns."""
        return iter(self.compute())


class Unopened:
    """A file of a file system, shaped as fsspec has it."""

    def __init__(self, path: str) -> None:
        self.fs, self.path = None, path

    def open(self) -> Any:
        """The opened file."""
        return open(self.path, "rb")

    def __enter__(self) -> Any:
        self._file = self.open()
        return self._file

    def __exit__(self, *error: object) -> None:
        self._file.close()


def _unopened(source: Any, folder: Path) -> Unopened:
    (folder / "a.trec").write_text(source, encoding="utf-8")
    return Unopened(str(folder / "a.trec"))


def _lz4_of_ranx(source: Any, folder: Path) -> bytes:
    """Anything packed twice, as ranx packs runs that end in .lz4."""
    packed = _lz4(str(source), folder)
    made = pa.BufferOutputStream()
    with pa.CompressedOutputStream(made, "lz4") as stream:
        stream.write(packed)
    return bytes(made.getvalue().to_pybytes())


def _lz4(source: str, folder: Path) -> bytes:
    made = pa.BufferOutputStream()
    with pa.CompressedOutputStream(made, "lz4") as stream:
        stream.write(source.encode())
    return bytes(made.getvalue().to_pybytes())


def _parquet(source: dict[str, Any], folder: Path) -> str:
    pq.write_table(pa.table(source), folder / "file.parquet")
    return str(folder / "file.parquet")


def _answered(source: Any, folder: Path) -> str:
    return as_json(source, folder, "tv.json")


TREC = "tv Q0 d1 1 2.5 m\ntv 0 d2 2 1.5 m\n"
SAMPLES = [SimpleNamespace(user_input="tv", retrieved_context_ids=["d1", "d2"], reference_context_ids=["d1"])]
ONES = "every document that is named has grade 1"
UNMADE = [SimpleNamespace(id="d1", score=2.0), SimpleNamespace(id="d2", score=1.0)]
NODES = [SimpleNamespace(node=SimpleNamespace(id_=own), score=score) for own, score in (("d1", 2.0), ("d2", 1.0))]
CHROMA = {
    "ids": [["d1", "d2"], ["d3"]],
    "distances": [[0.1, 0.4], [0.2]],
    "documents": [["one text", "another"], ["third"]],
    "metadatas": None,
}
MEASURED = {"tv": {"map": 0.5, "ndcg": 0.7}, "radio": {"map": 0.25, "ndcg": 0.4}}
VALUES = "these are values of measures, not "
TEXTS = [SimpleNamespace(page_content="x", metadata={"source": "a.pdf"}, id=None)]
SCORES = "Quepid's scores of queries, without documents"
TWO = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"

CASES = (
    Case(
        "Quepid",
        "snapshot, JSON",
        SNAPSHOT,
        {"run": [("1", "d1"), ("1", "d2")], "judgments": [("1", "d1", 3.0), ("1", "d2", 0.0)]},
        "was read",
        True,
        as_json,
    ),
    Case(
        "Quepid",
        "snapshot, CSV",
        f"{TWO}mine,Mon,7,tv,d1,1\nmine,Mon,7,tv,d2,2\n",
        {"run": LISTS},
        "by rank",
        True,
        as_text,
    ),
    Case(
        "Quepid",
        "snapshot without documents, JSON",
        {"id": 7, "name": "Friday", "time": "2026-05-14T13:02:11Z", "has_snapshot_file": True},
        dict.fromkeys(("run", "judgments", "models"), "a snapshot of Quepid without documents"),
        "",
        True,
        as_json,
    ),
    Case(
        "Quepid",
        "two snapshots, CSV",
        f"{TWO}old,Mon,7,tv,d1,1\nold,Mon,7,tv,d2,2\nnew,Mon,7,tv,d2,1\nnew,Mon,7,tv,d3,2\n",
        {"models": {"old": FIRST, "new": SECOND}, "run": "there are 2 models in one file"},
        "",
        True,
        as_text,
    ),
    Case(
        "Quepid", "book, JSON", BOOK, {"judgments": MEANS, "run": AS_JUDGMENTS}, "the mean of 2 raters", True, as_json
    ),
    Case(
        "Quepid",
        "book, CSV",
        "query,docid,Ann Lee,bob@x.org\ntv,d1,3.0,2.0\ntv,d2,0,\n",
        {"judgments": MEANS},
        "the mean of 2 raters",
        False,
        as_text,
    ),
    Case("Quepid", "case, JSON", CASE, {"judgments": GRADES, "run": AS_JUDGMENTS}, "was read", True, as_json),
    Case(
        "Quepid",
        "ratings, JSON",
        {"queries": [{"query": "tv", "ratings": {"d1": 3, "d2": 0}}]},
        {"judgments": GRADES, "run": AS_JUDGMENTS},
        "",
        True,
        as_json,
    ),
    Case(
        "Quepid",
        "basic export, CSV",
        "query,docid,rating\ntv,d1,3\ntv,d2,0\nradio\n",
        {"judgments": GRADES},
        "1 query has no documents.",
        False,
        as_text,
    ),
    Case(
        "Quepid",
        "detailed export, CSV",
        "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
        "t,c,7,tv,d1,1,T,3\nt,c,7,tv,d2,2,T,0\n",
        {"judgments": GRADES, "run": LISTS},
        "",
        True,
        as_text,
    ),
    Case(
        "Quepid",
        "general export, CSV",
        "Team Name,Case Name,Case ID,Query Text,Score,Date Last Scored,Count,Information Need,Notes,Options\n"
        "t,c,7,tv,0.5,2026-05-14,10,,,\nt,c,7,radio,1.0,2026-05-14,3,,,\n",
        {"run": SCORES, "judgments": SCORES, "models": SCORES},
        "",
        True,
        as_text,
    ),
    Case(
        "Quepid",
        "TREC export",
        "12 0 d1 3\n12 0 d2 0\n",
        {"judgments": [("12", "d1", 3.0), ("12", "d2", 0.0)], "run": AS_JUDGMENTS},
        "",
        False,
        as_text,
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`_search`, a file",
        SEARCH,
        {"run": LISTS, "judgments": "It holds no grades."},
        "by the name of the file",
        True,
        _answered,
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`_search`, bytes or a dict",
        SEARCH,
        {"run": "names no query. Give {query: answer}"},
    ),
    Case("Elasticsearch, OpenSearch", "`{query: _search}`", {"tv": SEARCH}, {"run": LISTS}, "Not read"),
    Case(
        "Elasticsearch, OpenSearch",
        "a query a line with its `_search`",
        [{"query": "tv", "response": SEARCH}, {"query": "radio", "response": {"error": {"type": "x"}, "status": 400}}],
        {"run": LISTS},
        'there is no list: "radio"',
        False,
        _as_lines,
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`_search` over judgments",
        stored(*({"query": query, "doc_id": own, "rating": grade} for query, own, grade in GRADES)),
        {"judgments": GRADES, "run": "names no query"},
        "was read as the relevance",
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "an answer of the Python client",
        SimpleNamespace(body=MANY, meta=1),
        {"run": [("1", "d1"), ("1", "d2")]},
        "numbered from 1 to 2",
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`{query: answer}` of the Python client",
        {"tv": SimpleNamespace(body=SEARCH, meta=1)},
        {"run": LISTS},
        "Not read",
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`_msearch`",
        MANY,
        {"run": [("1", "d1"), ("1", "d2")], "judgments": "It holds no grades."},
        "numbered from 1 to 2",
        True,
        as_json,
    ),
    Case(
        "Elasticsearch, OpenSearch",
        "`_rank_eval`",
        RANK_EVAL,
        {"run": LISTS, "judgments": GRADES},
        "by rank",
        True,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "pairwise experiment",
        PAIRWISE,
        {"models": {"old": FIRST, "new": SECOND}, "run": BOTH, "judgments": "give the list of judgments"},
        "",
        True,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "pairwise experiment, results by query",
        OLD_PAIRWISE,
        {"models": {"old": FIRST, "new": SECOND}, "run": BOTH, "judgments": "give the list of judgments"},
        "",
        True,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "query set",
        QUERY_SET,
        {"run": "It holds queries", "judgments": "It holds queries", "models": "It holds queries"},
        "",
        False,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "anything else in its indices",
        PENDING,
        {"run": "stores for itself", "judgments": "stores for itself", "models": "stores for itself"},
        "",
        False,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "evaluation results",
        EVALUATED,
        {"run": LISTS, "judgments": "give the list of judgments"},
        "by rank",
        True,
        as_json,
    ),
    Case(
        "OpenSearch workbench",
        "list of judgments",
        RATED,
        {"judgments": GRADES, "run": AS_JUDGMENTS},
        "",
        True,
        as_json,
    ),
    Case(
        "Vespa",
        "an answer, a file",
        VESPA,
        {"run": LISTS, "judgments": "It holds no grades."},
        "by the name of the file",
        True,
        _answered,
    ),
    Case("Vespa", "`{query: answer}`", {"tv": VESPA}, {"run": LISTS, "judgments": "It holds no grades."}, "Not read"),
    Case(
        "Solr",
        "an answer, a file",
        SOLR,
        {"run": LISTS, "judgments": "It holds no grades."},
        "by the name of the file",
        True,
        _answered,
    ),
    Case("Solr", "`{query: answer}`", {"tv": SOLR}, {"run": LISTS, "judgments": "It holds no grades."}, "Not read"),
    *(
        Case(
            tool, "an answer, a file", value, {"run": LISTS, "judgments": "It holds no grades."}, NAMED, True, _answered
        )
        for tool, value in (
            ("Qdrant", QDRANT),
            ("Pinecone", PINECONE),
            ("Azure AI Search", AZURE),
            ("Quickwit", QUICKWIT),
        )
    ),
    Case("Qdrant", "`{query: answer}`", {"tv": QDRANT}, {"run": LISTS, "judgments": "It holds no grades."}, "Not read"),
    Case("Pinecone", "`{query: answer}`", {"tv": PINECONE}, {"run": LISTS, "judgments": "no grades."}, "Not read"),
    *(
        Case(tool, "an answer", value, {"run": LISTS}, "was read as the query id", False, as_json)
        for tool, value in (("Algolia", ALGOLIA), ("Meilisearch", MEILISEARCH), ("Typesense", TYPESENSE))
    ),
    *(
        Case(tool, "answers to several queries", {"results": [value]}, {"run": LISTS}, "query id", False, as_json)
        for tool, value in (("Algolia", ALGOLIA), ("Meilisearch", MEILISEARCH), ("Typesense", TYPESENSE))
    ),
    Case(
        "Amazon Kendra",
        "an answer, a file",
        {"QueryId": "u", "ResultItems": [{"Id": "u-1", "DocumentId": "d1"}, {"Id": "u-2", "DocumentId": "d2"}]},
        {"run": LISTS, "judgments": "It holds no grades."},
        NAMED,
        True,
        _answered,
    ),
    Case(
        "Haystack",
        "what a pipeline returns",
        {"retriever": {"documents": [{"id": "d1", "content": "x", "score": 0.9}]}},
        {"run": "give {query: documents} of one component", "models": "It names no query"},
        "",
        False,
        as_json,
    ),
    Case(
        "Solr, Qdrant, Typesense",
        "hits in groups",
        {"result": {"groups": [{"id": "a", "hits": [{"id": "d1", "score": 0.9}]}]}, "status": "ok", "time": 0.1},
        dict.fromkeys(("run", "judgments"), "hits stand in groups"),
        "",
        False,
        as_json,
    ),
    Case("Relevance Studio", "judgements", JUDGED, {"judgments": GRADES, "run": AS_JUDGMENTS}, "", True, as_json),
    Case(
        "Relevance Studio",
        "evaluation",
        STUDIO,
        {"models": {"old": FIRST, "new": SECOND}, "judgments": GRADES, "run": BOTH},
        "",
        True,
        as_json,
    ),
    Case(
        "RRE",
        "ratings, `{grade: [document]}`",
        RRE_LISTS,
        {"judgments": GRADES, "run": AS_JUDGMENTS},
        "",
        True,
        as_json,
    ),
    Case(
        "RRE", "ratings, `{document: gain}`", RRE_GAINS, {"judgments": GRADES, "run": AS_JUDGMENTS}, "", True, as_json
    ),
    Case(
        "RRE",
        "evaluation",
        {"name": "E", "metrics": {"P@1": {"versions": {"v1": {"value": 1}}}}, "corpora": [{"topics": []}]},
        dict.fromkeys(("run", "judgments", "models"), "this is an evaluation of the Rated Ranking Evaluator"),
        "",
        True,
        as_json,
    ),
    Case(
        "MTEB",
        "predictions",
        MTEB,
        {"run": LISTS, "judgments": "It holds scores and no grades."},
        "was read",
        False,
        as_json,
    ),
    Case(
        "BEIR",
        "results, `{query: {document: score}}`",
        {"tv": {"d1": 2.0, "d2": 1.0}},
        {"run": LISTS},
        "by score",
        False,
        as_json,
    ),
    Case(
        "BEIR",
        "qrels, JSON",
        {f"q{n}": {f"d{n}{m}": m for m in range(3)} for n in range(4)},
        {
            "judgments": [(f"q{n}", f"d{n}{m}", float(m)) for n in range(4) for m in range(3)],
            "run": [(f"q{n}", f"d{n}{m}") for n in range(4) for m in range(3)],
        },
        "",
        False,
        as_json,
    ),
    Case(
        "BEIR",
        "queries and corpus, JSON Lines",
        '{"_id": "q1", "text": "tv"}\n{"_id": "q2", "text": "radio"}\n',
        {"run": "these are texts and their ids, as those of queries or of a corpus"},
        "",
        False,
        as_text,
    ),
    Case(
        "ranx",
        "`Run`",
        SimpleNamespace(run={"tv": {"d1": 2.0, "d2": 1.0}}, name="bm25"),
        {"run": LISTS, "judgments": "this is a Run of ranx, not judgments"},
    ),
    Case(
        "ranx",
        "`Qrels`",
        SimpleNamespace(qrels={"tv": {"d1": 3, "d2": 0}}, name="q"),
        {"judgments": GRADES, "run": "these are Qrels of ranx, not a run"},
    ),
    Case(
        "ranx",
        "Qrels, Parquet",
        {"q_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [3, 0]},
        {"judgments": GRADES, "run": "as ranx writes grades. Give the file as the judgments"},
        "was read as the relevance",
        False,
        _parquet,
    ),
    Case(
        "ranx",
        "Run, Parquet",
        {"q_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [2.0, 1.0]},
        {"run": LISTS, "judgments": "If it is a run, give it as a run."},
        "by score",
        False,
        _parquet,
    ),
    Case(
        "ranx",
        "Run, JSON",
        {f"q{n}": {f"d{n}{d}": 1 / (d + 1.5) for d in range(5)} for n in range(2)},
        {
            "run": [(f"q{n}", f"d{n}{d}") for n in range(2) for d in range(5)],
            "judgments": "scores: most are no whole numbers, and they fall down every list",
        },
        "",
        False,
        as_json,
    ),
    Case(
        "ranx",
        "Run, LZ4",
        {"tv": {"d1": 2.0, "d2": 1.0}},
        dict.fromkeys(("run", "judgments", "models"), "packed with LZ4, not a table. Unpack it first."),
        "",
        False,
        _lz4_of_ranx,
    ),
    Case(
        "ranx",
        "report of a comparison, JSON",
        {"stat_test": "student", "metrics": ["mrr"], "model_names": ["m"], "m": {"scores": {"mrr": 0.5}}},
        dict.fromkeys(("run", "judgments", "models"), "Give the runs and the qrels that were compared."),
        "",
        False,
        as_json,
    ),
    Case(
        "ir_measures",
        "`ScoredDoc`",
        [ScoredDoc("tv", "d1", 2.0), ScoredDoc("tv", "d2", 1.0)],
        {"run": LISTS},
        "by score",
    ),
    Case("ir_measures", "`Qrel`", [Qrel("tv", "d1", 3, "0"), Qrel("tv", "d2", 0, "0")], {"judgments": GRADES}),
    Case(
        "ir_measures, trec_eval", "a run with a mixed second column", TREC, {"run": LISTS}, "by score", False, as_text
    ),
    Case(
        "cwl_eval",
        "a run with the type of each element",
        "tv E1 d1 1 3.0 t\ntv E1 d2 2 2.0 t\n".replace(" ", "  ") + "bag E1 d2 1 2.0 t\nbag E2 d1 2 1.0 t\n",
        {"run": [*LISTS, ("bag", "d2"), ("bag", "d1")], "judgments": "Give it as a run."},
        'The second words, which decide nothing: "E1", "E2".',
        False,
        as_text,
    ),
    Case(
        "TREC",
        "query, 0 or Q0, and document",
        "tv 0 d1\ntv 0 d2\n",
        {"run": LISTS, "judgments": "behind the query, the iteration and the document there is no grade"},
        "as the rows stand",
        False,
        as_text,
    ),
    Case(
        "TREC",
        "topics",
        "<top>\n\n<num> Number: 301\n<title> tv\n</top>\n",
        dict.fromkeys(("run", "judgments", "models"), "Write each query on a line: its number, a tab, and its title."),
        "",
        False,
        as_text,
    ),
    Case(
        "trec_eval",
        "preferences (prefs)",
        "tv 0 0 d1 2\ntv 0 0 d2 1\ntv 0 1 d1 1\n",
        dict.fromkeys(("run", "judgments"), "these are preferences (query, judge, group, document, preference)"),
        "",
        False,
        as_text,
    ),
    *(
        Case(
            tool,
            "a model",
            text,
            dict.fromkeys(("run", "judgments", "models"), f"this is a model of {tool}, not a table"),
            "",
            False,
            as_text,
        )
        for tool, text in MODELS.items()
    ),
    Case(
        "LightGBM",
        "sizes of queries (`.query`)",
        "12\n7\n30\n",
        dict.fromkeys(("run", "judgments"), "the sizes of the queries, beside a LETOR file"),
        "",
        False,
        as_text,
    ),
    Case("MovieLens", "`u.data`", *OF_USERS["\t"]),
    Case("MovieLens", "`ratings.dat`", *OF_USERS["::"]),
    Case("Amazon", "ratings of reviews, CSV", *OF_USERS[","]),
    Case(
        "RecBole",
        "interactions (`.inter`)",
        "user_id:token\titem_id:token\trating:float\ttimestamp:float\ntv\td1\t3\t881250949\ntv\td2\t0\t881250949\n",
        {"judgments": GRADES},
        'Column "rating" was read as the relevance.',
        False,
        as_text,
    ),
    Case("LangChain, search clients", "objects with an id", {"tv": UNMADE}, {"run": LISTS}, "by score"),
    Case("LangChain", "documents without an id", {"tv": TEXTS}, {"run": "without an id. Give it an attribute doc_id"}),
    Case(
        "Chroma",
        "result",
        CHROMA,
        {"run": [("1", "d1"), ("1", "d2"), ("2", "d3")], "judgments": "It holds no grades."},
        "numbered from 1 to 2",
        True,
        as_json,
    ),
    Case(
        "Chroma",
        "`{query: result}`",
        {"tv": {**CHROMA, "ids": [["d1", "d2"]]}},
        {"run": LISTS, "judgments": "It holds no grades."},
        "Not read",
    ),
    Case("LlamaIndex", "nodes with a score", {"tv": NODES}, {"run": LISTS}, "by score"),
    Case(
        "LlamaIndex",
        "data set with `relevant_docs`",
        {"queries": {"tv": "a tv"}, "corpus": {"d1": "x", "d2": "y"}, "relevant_docs": {"tv": ["d1", "d2"]}},
        {"judgments": [("tv", "d1", 1.0), ("tv", "d2", 1.0)], "run": 'Give it as judgments: "relevant_docs"'},
        ONES,
        True,
        as_json,
    ),
    Case(
        "ragas",
        "samples with ids of contexts",
        SAMPLES,
        {"run": LISTS, "judgments": [("tv", "d1", 1.0)]},
        "were read, and nothing else",
    ),
    Case(
        "ragas",
        "samples with texts alone",
        [SimpleNamespace(user_input="tv", retrieved_contexts=["x"], retrieved_context_ids=None)],
        {"run": "has texts of contexts and no ids of them"},
    ),
    Case(
        "any",
        "golden set, `{query: [document]}`",
        {"tv": ["d1", "d2"]},
        {"judgments": [("tv", "d1", 1.0), ("tv", "d2", 1.0)], "run": LISTS},
        "",
    ),
    Case(
        "any",
        "lists by name, `{query: {document: {name: value}}}`",
        {"tv": {"d1": {"score": 0.9, "title": "x"}, "d2": {"score": 0.8, "title": "y"}}},
        {"run": LISTS},
        "by score",
        False,
        as_json,
    ),
    Case(
        "any",
        "sets, `{query: {document}}`",
        {"tv": {"d1", "d2"}},
        {"judgments": [("tv", "d1", 1.0), ("tv", "d2", 1.0)], "run": "are a set, which has no order"},
        ONES,
    ),
    Case(
        "any",
        "several candidates, one file",
        "query_id,model,doc_id,rank\n" + "".join(f"tv,{m},{d},{r}\n" for m in "xyz" for r, d in ((1, "d1"), (2, "d2"))),
        {"models": dict.fromkeys("xyz", LISTS), "run": "there are 3 models in one file"},
        "by rank",
        True,
        as_text,
    ),
    Case(
        "any",
        "lists of several candidates, told apart by tags or a column with another heading",
        "".join(f"tv Q0 {d} {r} {-r} {m}\n" for m in "xy" for r, d in ((1, "d1"), (2, "d2"))),
        {"run": 'there are 2 models in one file, by their tags: "x", "y"', "models": "a column for the model"},
        "",
        False,
        as_text,
    ),
    Case(
        "trec_eval, ir_measures, ranx",
        "values of measures, `{query: {measure: value}}`",
        MEASURED,
        dict.fromkeys(("run", "judgments"), VALUES),
        "",
        False,
        as_json,
    ),
    Case(
        "BEIR, MTEB, sentence-transformers",
        "values of measures, `{measure: value}`",
        {"cosine_ndcg@10": 0.5, "cosine_map@100": 0.25},
        dict.fromkeys(("run", "judgments", "models"), VALUES),
        "",
        False,
        as_json,
    ),
    Case(
        "promptfoo",
        "results",
        {"evalId": "e", "results": {"results": [{"id": "r1", "score": 1, "vars": {"query": "tv"}}], "stats": {}}},
        dict.fromkeys(("run", "judgments"), "these are results of promptfoo"),
        "",
        False,
        as_json,
    ),
    Case(
        "Label Studio",
        "tasks, JSON",
        [{"id": 1, "data": {"query": "tv", "doc_id": "d1"}, "annotations": [{"result": []}]}],
        dict.fromkeys(("run", "judgments"), "Export them as CSV or as JSON-MIN."),
        "",
        False,
        as_json,
    ),
    Case(
        "any",
        "users and items, no rating",
        pd.DataFrame({"user_id": ["u", "u"], "item_id": ["i", "j"], "timestamp": [1_700_000_000, 1_700_000_001]}),
        {"judgments": [("u", "i", 1.0), ("u", "j", 1.0)]},
        ONES,
    ),
    Case("pandas", "a frame with the ids in its index", FRAME.set_index(INDEX), {"run": LISTS}, "by score"),
    Case(
        "pandas", "a series with the ids in its index", QRELS_FRAME.set_index(INDEX)["relevance"], {"judgments": GRADES}
    ),
    Case(
        "pandas",
        "a series without a name",
        FRAME.set_index(INDEX)["score"].rename(None),
        {"run": 'Name it: series.rename("score")'},
    ),
    Case(
        "pandas",
        "an index of several levels without names",
        pd.DataFrame({"score": [2.0, 1.0]}, index=pd.MultiIndex.from_tuples(LISTS)),
        dict.fromkeys(("run", "judgments"), 'Name them: index.names = ["query_id", "doc_id"].'),
    ),
    Case("polars", "a lazy frame", Lazy(pa.Table.from_pandas(FRAME)), {"run": LISTS}, "by score"),
    Case("dask", "a frame", Parted(FRAME), {"run": LISTS}, "by score"),
    Case(
        "NumPy, FAISS",
        "ids, four columns or more",
        np.array([[4, 7, 9, -1], [3, 1, 2, 5]]),
        {"run": [("0", "4"), ("0", "7"), ("0", "9"), ("1", "3"), ("1", "1"), ("1", "2"), ("1", "5")]},
        "numbered from 0 to 1",
    ),
    Case("fsspec", "a file that is not opened", TREC, {"run": LISTS}, "by score", False, _unopened),
    Case("LZ4", "any text, packed", TREC, {"run": "Unpack it first."}, "", False, _lz4),
    Case("any", "the text of a file, as str", "query_id,doc_id,score\ntv,d1,2\n", {"run": "Give text.encode(), or"}),
    Case("any", "a URL", "https://example.org/a.trec", {"run": "URLs are not read. Download the file"}),
)
