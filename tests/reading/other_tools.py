"""Small files and objects in the forms of other tools: those that are read, and those that are refused."""

import io
import json
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

Lists = list[tuple[str, str]]
LISTS: Lists = [("tv", "d1"), ("tv", "d2")]
GRADES = [("tv", "d1", 3.0), ("tv", "d2", 0.0)]
MEANS = [("tv", "d1", 2.5), ("tv", "d2", 0.0)]
BOTH = {"old": LISTS, "new": [("tv", "d2"), ("tv", "d3")]}
FAILED = {"error": {"type": "parsing_exception", "reason": "x"}, "status": 400}


def lines(*values: Any) -> bytes:
    """Values as JSON, one a line."""
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def parquet(columns: dict[str, Any] | pa.Table) -> bytes:
    """Columns as a Parquet file."""
    pq.write_table(pa.table(columns), out := io.BytesIO())
    return out.getvalue()


def answer(*documents: tuple[str, float], **stored: Any) -> dict[str, Any]:
    """The answer of a search engine with hits."""
    hits = [{"_index": "shop", "_id": own, "_score": s, "_source": {"title": own, **stored}} for own, s in documents]
    return {"took": 3, "timed_out": False, "_shards": {"total": 1}, "hits": {"total": {"value": 2}, "hits": hits}}


def stored(*sources: dict[str, Any]) -> dict[str, Any]:
    """The answer of a search engine with documents that a tool stored in it."""
    hits = [{"_index": "kept", "_id": f"x{n}", "_score": 1.0, "_source": one} for n, one in enumerate(sources)]
    return {"took": 1, "timed_out": False, "hits": {"total": {"value": len(hits)}, "hits": hits}}


def client(body: Any) -> Any:
    """An answer as the Python client wraps it."""
    return SimpleNamespace(body=body, meta=SimpleNamespace(status=200))


def given(rating: Any, by: str | None, *, aside: bool = False) -> dict[str, Any]:
    """A rating in a book of Quepid."""
    return {"rating": rating, "unrateable": aside, "judge_later": False, "user_email": by, "explanation": ""}


SEARCH = answer(("d1", 1.5), ("d2", 2.5))
NO_HITS = answer()
MANY = {"took": 5, "responses": [{**SEARCH, "status": 200}, FAILED, NO_HITS]}
RANK_EVAL = {
    "metric_score": 0.5,
    "details": {
        "tv": {
            "metric_score": 0.5,
            "unrated_docs": [],
            "hits": [
                {"hit": {"_index": "shop", "_id": "d1", "_score": 1.5}, "rating": 3},
                {"hit": {"_index": "shop", "_id": "d2", "_score": 2.5}, "rating": 0},
            ],
        }
    },
    "failures": {},
}
REQUESTS = [
    {"id": "tv", "request": {"query": {}}, "ratings": [{"_index": "p", "_id": d, "rating": g} for _, d, g in GRADES]}
]
RESULT = {"searchConfigurationId": "old", "searchText": "tv", "documentIds": ["d1", "d2"], "metrics": []}
PAIR: dict[str, Any] = {
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
OLD_PAIR = {**PAIR, "results": {"tv": {"old": ["d1", "d2"], "new": ["d2", "d3"], "pairwiseComparison": {"x": 0.3}}}}
QUERY_SET = {"name": "S", "sampling": "manual", "querySetQueries": [{"queryText": "tv"}, {"queryText": "radio"}]}
RATED = {
    "id": "j1",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [{"query": "tv", "ratings": [{"docId": d, "rating": str(g)} for _, d, g in GRADES]}],
}
KEPT = [{"query": query, "doc_id": own, "rating": grade, "tags": ["x"]} for query, own, grade in GRADES]
SNAPSHOT: dict[str, Any] = {
    "id": 7,
    "name": "Friday",
    "time": "2026-05-14T13:02:11Z",
    "docs": {
        "1": [
            {"id": "d2", "position": 2, "rated_only": False, "fields": {"title": "U", "id": "z"}},
            {"id": "d1", "position": 1, "rated_only": False, "fields": {"title": "T", "id": "z"}},
            {"id": "d9", "position": None, "rated_only": True},
        ]
    },
    "queries": [{"query_id": 1, "query_text": "tv", "ratings": {"d1": 3, "d2": 0}}],
    "scores": [{"query_id": 1, "score": 0.5, "all_rated": True}],
}
CASE = {
    "case_name": "C",
    "scorer": {"scale": [0, 1, 2, 3]},
    "queries": [{"query_text": "tv", "notes": None, "ratings": {"d1": 3, "d2": 0}}],
    "try": {"args": {}},
}
BOOK = {
    "name": "B",
    "scale": [0, 1],
    "query_doc_pairs": [
        {"query_text": "tv", "doc_id": "d1", "position": 1, "judgements": [given(3.0, "a@x"), given(2.0, "b@x")]},
        {"query_text": "tv", "doc_id": "d2", "position": 2, "judgements": [given(0.0, "a@x")]},
        {"query_text": "tv", "doc_id": "d3", "position": 3, "judgements": [given(None, "a@x", aside=True)]},
    ],
}
TWO = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
BASIC = "query,docid,rating\n"
MTEB = {"mteb_model_meta": {"model_name": "m"}, "default": {"test": {"tv": {"d1": 0.9, "d2": 0.5}}}}
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
FALLING = {f"q{n}": {f"d{n}{d}": 1 / (d + 1.5) for d in range(5)} for n in range(2)}
QRELS = {f"q{n}": {f"d{n}{m}": grade for m, grade in enumerate((2, 0, 1))} for n in range(4)}


def _pairs(value: dict[str, dict[str, Any]]) -> Lists:
    return [(query, own) for query, documents in value.items() for own in documents]


#: By name: a source; what each reader makes of it, all others refuse; and the codes of warnings.
READ: dict[str, tuple[Any, dict[str, Any], set[str]]] = {
    "Quepid: snapshot": (SNAPSHOT, {"run": LISTS, "judgments": GRADES}, set()),
    "Quepid: snapshot, CSV": (
        f"{TWO}mine,Mon,7,tv,d1,1\nmine,Mon,7,tv,d2,2\n".encode(),
        {"run": LISTS, "models": {"mine": LISTS}},
        set(),
    ),
    "Quepid: two snapshots, CSV": (
        f"{TWO}old,Mon,7,tv,d1,1\nold,Mon,7,tv,d2,2\nnew,Mon,7,tv,d2,1\nnew,Mon,7,tv,d3,2\n".encode(),
        {"models": BOTH},
        set(),
    ),
    "Quepid: book": (BOOK, {"judgments": MEANS}, {"mean_of_ratings"}),
    "Quepid: book, CSV": (b"query,docid,A B,b@x.x\ntv,d1,3.0,2\ntv,d2,0,\n", {"judgments": MEANS}, {"mean_of_ratings"}),
    "Quepid: case": (CASE, {"judgments": GRADES}, set()),
    "Quepid: ratings": ({"queries": [{"query": "tv", "ratings": {"d1": 3, "d2": 0}}]}, {"judgments": GRADES}, set()),
    "Quepid: basic export": (
        f'{BASIC}tv,d1,3\n"radio, old"\ntv,d2,0\nmp3,,\n'.encode(),
        {"judgments": GRADES, "run": LISTS},
        {"no_documents", "ordered"},
    ),
    "Quepid: basic export of a spreadsheet": (
        b"query;docid;rating\ntv;d1;3,0\nradio;;\ntv;d2;0,0\n",
        {"judgments": GRADES, "run": LISTS},
        {"no_documents", "ordered", "decimal_commas"},
    ),
    "Quepid: detailed export": (
        f'{DETAILED}t,c,7,tv,d1,1,"A\nt,c",3\nt,"c, d",7,"old, radio"\nt,c,7,tv,d2,2,T,0\n'.encode(),
        {"run": LISTS, "judgments": GRADES},
        {"no_documents"},
    ),
    "Quepid: TREC export": (b"12 0 d1 3\n12 0 d2 0\n", {"judgments": [("12", "d1", 3.0), ("12", "d2", 0.0)]}, set()),
    "Elasticsearch: {query: answer}": (
        {"tv": SEARCH, "radio": FAILED, "mp3": NO_HITS},
        {"run": LISTS},
        {"no_documents", "searches_failed"},
    ),
    "Elasticsearch: {query: answer} a line": (
        lines({"tv": SEARCH}, {"radio": FAILED}, {"mp3": NO_HITS}),
        {"run": LISTS},
        {"no_documents", "searches_failed"},
    ),
    "Elasticsearch: an answer a line": (
        lines(*({"query": q, "response": own} for q, own in (("radio", NO_HITS), ("tv", SEARCH), ("mp3", FAILED)))),
        {"run": LISTS},
        {"no_documents", "searches_failed"},
    ),
    "Elasticsearch: a query beside each answer": (
        [{"query": "radio", **FAILED}, {"query": "tv", **SEARCH}],
        {"run": LISTS},
        {"searches_failed"},
    ),
    "Elasticsearch: one line": (lines({"query_id": "tv", "result": SEARCH}), {"run": LISTS}, set()),
    "Elasticsearch: answers of the client": ({"tv": client(SEARCH)}, {"run": LISTS}, set()),
    "Elasticsearch: _msearch": (
        MANY,
        {"run": [("1", "d1"), ("1", "d2")]},
        {"unnamed_queries", "searches_failed", "no_documents"},
    ),
    "Elasticsearch: _msearch of the client": (
        client({"responses": [SEARCH]}),
        {"run": [("1", "d1"), ("1", "d2")]},
        {"unnamed_queries"},
    ),
    "Elasticsearch: _rank_eval": (RANK_EVAL, {"run": LISTS, "judgments": GRADES}, {"only_shown"}),
    "Elasticsearch: request of _rank_eval": ({"requests": REQUESTS}, {"judgments": GRADES}, set()),
    "Elasticsearch: requests alone": (REQUESTS, {"judgments": GRADES}, set()),
    "workbench: pairwise experiment": (stored(PAIR), {"models": BOTH}, set()),
    "workbench: pairwise experiment alone": (PAIR, {"models": BOTH}, set()),
    "workbench: evaluation results": (stored(RESULT), {"run": LISTS, "models": {"old": LISTS}}, set()),
    "workbench: evaluation results of two": (
        [RESULT, {**RESULT, "searchConfigurationId": "new", "documentIds": ["d2", "d3"]}],
        {"models": BOTH},
        set(),
    ),
    "workbench: judgments": (stored(RATED), {"judgments": GRADES}, set()),
    "workbench: judgments by GET": ({"_id": "x", "found": True, "_source": RATED}, {"judgments": GRADES}, set()),
    "MTEB: predictions": (MTEB, {"run": LISTS}, set()),
    "BEIR: results": (FALLING, {"run": _pairs(FALLING)}, set()),
    "BEIR: qrels": (
        QRELS,
        {
            "judgments": [(q, own, float(g)) for q, docs in QRELS.items() for own, g in docs.items()],
            "run": _pairs(QRELS),
        },
        {"may_be_grades"},
    ),
    "BEIR: queries": (
        lines({"_id": "q1", "text": "tv"}, {"_id": "q2", "text": "fm"}),
        {"queries": ["q1", "q2"]},
        set(),
    ),
    "ranx: Run": (SimpleNamespace(run={"tv": {"d1": 2.0, "d2": 1.0}}, name="bm25"), {"run": LISTS}, set()),
    "ranx: Qrels": (SimpleNamespace(qrels={"tv": {"d1": 3, "d2": 0}}, name="q"), {"judgments": GRADES}, set()),
    "ranx: Run, Parquet": (
        parquet({"q_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [2.0, 1.0]}),
        {"run": LISTS},
        set(),
    ),
    "ranx: Qrels, Parquet": (
        parquet({"q_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [3, 0]}),
        {"judgments": GRADES},
        set(),
    ),
    "ir_measures: ScoredDoc": ([ScoredDoc("tv", "d1", 2.0), ScoredDoc("tv", "d2", 1.0)], {"run": LISTS}, set()),
    "ir_measures: Qrel": (
        [Qrel("tv", "d1", 3, "0"), Qrel("tv", "d2", 0, "0")],
        {"judgments": GRADES, "run": LISTS},
        {"ordered"},
    ),
    "recommender: ratings": (
        pd.DataFrame(
            {"user_id": ["tv", "tv"], "item_id": ["d1", "d2"], "rating": [3, 0], "timestamp": [881250949] * 2}
        ),
        {"judgments": GRADES, "run": LISTS},
        {"ordered"},
    ),
    "recommender: weights": (
        pd.DataFrame({"user_id": ["tv", "tv"], "item_id": ["d1", "d2"], "score": [2.5, 1.5]}),
        {"run": LISTS},
        set(),
    ),
    "recommender: users and items": (
        pd.DataFrame({"user_id": ["tv", "tv"], "item_id": ["d1", "d2"], "timestamp": [1_700_000_000, 1_700_000_001]}),
        {"judgments": [("tv", "d1", 1.0), ("tv", "d2", 1.0)], "run": LISTS},
        {"one_grade", "numbers_beside"},
    ),
}

_SOLR = {"responseHeader": {"status": 0}, "response": {"docs": [{"id": "d1", "sku": "a"}, {"id": "d2", "sku": "b"}]}}
_VESPA = {
    "root": {
        "id": "toplevel",
        "relevance": 1.0,
        "children": [
            {"id": "group:root:0", "relevance": 1.0, "children": []},
            {"id": "d1", "relevance": 0.03, "fields": {"sku": "s1"}},
            {"id": "d2", "relevance": 0.02, "fields": {"sku": "s2"}},
        ],
    }
}
_QDRANT = {"result": {"points": [{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.8}]}, "status": "ok", "time": 0.1}
_PINECONE = {"result": {"hits": [{"_id": "d1", "_score": 0.9}, {"_id": "d2", "_score": 0.8}]}, "usage": {}}
_STUDIO = [
    {"workspace_id": "w", "scenario_id": "tv", "index": "shop", "doc_id": own, "rating": grade}
    for _, own, grade in GRADES
]
_GOLD = {
    "queries": [{"placeholders": {"$query": "tv"}, "relevant_documents": {"3": ["d1"], "0": ["d2"]}}],
    "id_field": "id",
}
_RATIO = {"label": "x", "metrics": {"P@1": {"versions": {"v1": {"value": 1}}}}, "corpora": [{"topics": []}]}

#: By name, as docs/formats.md has it: a source that is refused as whatever it is given, and the code of the refusal as
#: a run.
WITHDRAWN: dict[str, tuple[Any, str]] = {
    "judgments in an index": (stored(*KEPT), "missing_column"),
    "OpenSearch workbench, older pairwise experiment": (OLD_PAIR, "other_kind"),
    "OpenSearch workbench, query set": (QUERY_SET, "malformed"),
    "OpenSearch workbench, experiment without lists": (
        {"id": "x", "results": [{"queryText": "tv", "searchConfigurationId": "c", "evaluationId": "e"}]},
        "other_kind",
    ),
    "one answer of a search": (SEARCH, "missing_column"),
    "Vespa": (_VESPA, "malformed"),
    "Solr": (_SOLR, "malformed"),
    "Qdrant": (_QDRANT, "malformed"),
    "Pinecone": (_PINECONE, "malformed"),
    "Azure AI Search": (
        {"@odata.context": "x", "value": [{"@search.score": 0.9, "id": "d1"}, {"id": "d2"}]},
        "malformed",
    ),
    "Quickwit": ({"num_hits": 2, "hits": [{"id": "d1"}, {"id": "d2"}], "errors": []}, "malformed"),
    "Algolia": (
        {"hits": [{"objectID": "d1", "sku": "s1", "id": 7}, {"objectID": "d2", "sku": "s2", "id": 8}], "query": "tv"},
        "malformed",
    ),
    "Meilisearch": (
        {"hits": [{"id": "d1", "keywords": "a"}, {"id": "d2", "keywords": "b"}], "query": "tv", "limit": 20},
        "malformed",
    ),
    "Typesense": (
        {
            "found": 2,
            "hits": [{"document": {"id": d}, "text_match": 5} for d in ("d1", "d2")],
            "request_params": {"q": "tv"},
        },
        "malformed",
    ),
    "Haystack": ({"retriever": {"documents": [{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.8}]}}, "malformed"),
    "hits in groups": (
        {"result": {"groups": [{"id": "a", "hits": [{"id": "d1"}, {"id": "d2"}]}]}, "status": "ok"},
        "malformed",
    ),
    "Relevance Studio, judgements": (stored(*_STUDIO), "missing_column"),
    "Relevance Studio, evaluation": (
        {
            "strategy_id": ["old", "new"],
            "results": [
                {
                    "strategy_id": model,
                    "searches": [{"scenario_id": "tv", "hits": [{"hit": {"_id": d}} for _, d in own]}],
                }
                for model, own in BOTH.items()
            ],
        },
        "missing_value",
    ),
    "RRE": (_GOLD, "malformed"),
    "Chroma": ({"ids": [["d1", "d2"]], "distances": [[0.1, 0.4]], "documents": [["x", "y"]]}, "malformed"),
    "LlamaIndex, relevant_docs": (
        {"queries": {"tv": "a tv"}, "corpus": {"d1": "x"}, "relevant_docs": {"tv": ["d1", "d2"]}},
        "malformed",
    ),
    "LlamaIndex, nodes": (
        {"tv": [SimpleNamespace(node=SimpleNamespace(id_=d), score=s) for d, s in (("d1", 2.0), ("d2", 1.0))]},
        "bad_value",
    ),
    "LangChain": ({"tv": [SimpleNamespace(id=d, page_content="x") for d in ("d1", "d2")]}, "bad_value"),
    "ragas": ([SimpleNamespace(user_input="tv", retrieved_context_ids=["d1", "d2"])], "malformed"),
    "lists by name": ({"tv": {"d1": {"score": 0.9, "title": "x"}, "d2": {"score": 0.8, "tags": ["y"]}}}, "malformed"),
    "ids beside scores": ({"tv": {"doc_ids": ["d1", "d2"], "scores": [2.5, 1]}}, "malformed"),
    "ids by rank": ({"tv": {"1": "d1", "2": "d2"}}, "malformed"),
    "columns, JSON": ({"query_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "score": [2.5, 1]}, "malformed"),
    "records with a list": ([{"query_id": "tv", "results": ["d1", "d2"]}], "unsupported"),
    "a table under a name": ({"data": [{"query_id": "tv", "doc_id": d} for d in ("d1", "d2")], "took": 1}, "malformed"),
    "lists of A and B in a record": (
        [{"query_id": "tv", "results_a": ["d1", "d2"], "results_b": ["d2", "d3"]}],
        "missing_column",
    ),
    "MovieLens": (b"tv::d1::3::881250949\ntv::d2::0::881250950\n", "missing_column"),
    "RecBole": (
        b"user_id:token\titem_id:token\trating:float\ttimestamp:float\ntv\td1\t3\t1\ntv\td2\t0\t1\n",
        "missing_column",
    ),
    "NumPy, FAISS": (np.array([[4, 7, 9, -1], [3, 1, 2, 5]]), "unclear"),
    "pandas, a series": (
        pd.DataFrame({"query_id": ["tv", "tv"], "doc_id": ["d1", "d2"], "relevance": [3, 0]}).set_index(
            ["query_id", "doc_id"]
        )["relevance"],
        "malformed",
    ),
    "lists in cells": (pa.table({"query_id": ["tv"], "doc_id": [["d1", "d2"]]}), "unsupported"),
    "RRE, evaluation": (_RATIO, "malformed"),
    "Quepid, general export": (b"Team Name,Case Name,Case ID,Query Text,Score\nt,c,7,tv,0.5\n", "missing_column"),
    "promptfoo": ({"results": {"results": [{"id": "r1", "score": 1, "vars": {"query": "tv"}}]}}, "malformed"),
    "Label Studio": ([{"id": 1, "data": {"query": "tv", "doc_id": "d1"}, "annotations": []}], "unsupported"),
    "values of measures": ({f"q{n}": {"map": 0.5, "ndcg": 0.7} for n in range(3)}, "other_kind"),
    "means of measures": ({"cosine_ndcg@10": 0.5, "cosine_map@100": 0.25}, "malformed"),
    "TREC topics": (b"<top>\n<num> Number: 301\n<title> tv\n</top>\n", "unsupported"),
}
