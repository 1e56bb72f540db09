"""One small run, its judgments and more, in every ordinary form that a person may have them in."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from tests.made import named_file
from tests.reading.made_files import workbook

Row = tuple[str, str, float]
#: Queries, documents and scores of a run: neither queries nor documents stand in the order of their names.
RUN: list[Row] = [
    ("q2", "d1", 2.5), ("q2", "d9", 1.25), ("q1", "d3", 9.75), ("q1", "d1", 4.5), ("q1", "d2", 0.125),
    ("q3", "d7", 1.5), ("q3", "d2", 0.5),
]  # fmt: skip
ACCENTS: list[Row] = [("qé1", "d–1", 2.0), ("qé1", "dü2", 1.0)]


def text(rows: list[Row], sign: str = ",", head: str = "query_id,doc_id,score", comma: str = ".") -> str:
    """A table as text."""
    lines = [sign.join((query, doc, str(score).replace(".", comma))) for query, doc, score in rows]
    return "\n".join([*([head.replace(",", sign)] if head else []), *lines, ""])


def trec(rows: list[Row], tag: str = "tag") -> str:
    """A run as trec_eval reads it."""
    return "".join(f"{query} Q0 {doc} {at} {score} {tag}\n" for at, (query, doc, score) in enumerate(rows, 1))


def columns(rows: list[Row] = RUN) -> dict[str, list[Any]]:
    """A table, column by column."""
    return dict(zip(("query_id", "doc_id", "score"), map(list, zip(*rows, strict=True)), strict=True))


def records() -> list[dict[str, Any]]:
    """A table, row by row."""
    return [dict(zip(columns(), row, strict=True)) for row in RUN]


def nested() -> dict[str, dict[str, float]]:
    """The scores of documents, query by query."""
    found: dict[str, dict[str, float]] = {}
    for query, doc, score in RUN:
        found.setdefault(query, {})[doc] = score
    return found


def parquet() -> bytes:
    """A Parquet file."""
    pq.write_table(pa.table(columns()), out := io.BytesIO())
    return out.getvalue()


def arrow() -> bytes:
    """An Arrow file."""
    table = pa.table(columns())
    with pa.ipc.new_file(out := io.BytesIO(), table.schema) as written:
        written.write_table(table)
    return out.getvalue()


def zipped() -> bytes:
    """A zip archive of one file."""
    with zipfile.ZipFile(out := io.BytesIO(), "w") as written:
        written.writestr("run.csv", text(RUN))
    return out.getvalue()


def lists() -> dict[str, list[str]]:
    """Documents in their order, query by query."""
    return {query: list(docs) for query, docs in nested().items()}


#: Forms of the run: what makes each, and whether scores are in it (otherwise the order alone).
RUNS: dict[str, tuple[Callable[[], Any], bool]] = {
    "TREC": (lambda: trec(RUN).encode(), True),
    "CSV": (lambda: text(RUN).encode(), True),
    "CSV with ;": (lambda: text(RUN, ";").encode(), True),
    "CSV with ; and decimal commas": (lambda: text(RUN, ";", comma=",").encode(), True),
    "TSV": (lambda: text(RUN, "\t").encode(), True),
    "CSV with a byte order mark": (lambda: text(RUN).encode("utf-8-sig"), True),
    "CSV with Windows' line ends": (lambda: text(RUN).replace("\n", "\r\n").encode(), True),
    "UTF-16": (lambda: text(RUN).encode("utf-16"), True),
    "cp1252": (lambda: text(ACCENTS).encode("cp1252"), True),
    "GB18030": (lambda: text(RUN, head="查询,文档,得分").encode("gb18030"), True),
    "headless TSV": (lambda: text(RUN, "\t", head="").encode(), True),
    "JSON records": (lambda: json.dumps(records()).encode(), True),
    "JSON Lines": (lambda: "\n".join(map(json.dumps, records())).encode(), True),
    "JSON {q: {d: x}}": (lambda: json.dumps(nested()).encode(), True),
    "JSON {q: [d]}": (lambda: json.dumps(lists()).encode(), False),
    "JSON {q: [{...}]}": (
        lambda: json.dumps(
            {q: [{"doc_id": d, "score": x} for d, x in docs.items()] for q, docs in nested().items()}
        ).encode(),
        True,
    ),
    "Parquet": (parquet, True),
    "Arrow": (arrow, True),
    "Excel": (lambda: workbook({"Run": [list(columns()), *map(list, RUN)]}), True),
    "gzip": (lambda: named_file("run.csv.gz", gzip.compress(text(RUN).encode())), True),
    "bzip2": (lambda: named_file("run.csv.bz2", bz2.compress(text(RUN).encode())), True),
    "xz": (lambda: named_file("run.csv.xz", lzma.compress(text(RUN).encode())), True),
    "zstd": (lambda: named_file("run.csv.zst", bytes(pa.compress(text(RUN).encode(), "zstd", asbytes=True))), True),
    "zip": (lambda: named_file("run.zip", zipped()), True),
    "pandas": (lambda: pd.DataFrame(columns()), True),
    "polars": (lambda: pytest.importorskip("polars").DataFrame(columns()), True),
    "Arrow table": (lambda: pa.table(columns()), True),
    "dict of dicts": (nested, True),
    "dict of lists": (lists, False),
    "list of dicts": (records, True),
    "list of tuples": (lambda: {q: list(docs.items()) for q, docs in nested().items()}, True),
}

TWO = {"model": ["old"] * len(RUN) + ["new"] * len(RUN), **columns([*RUN, *reversed(RUN)])}
#: Other ordinary sources: how each is read, and the columns that are looked at.
OTHERS: dict[str, tuple[Callable[[], Any], str, list[tuple[Any, ...]]]] = {
    "qrels": (
        lambda: rd.read_judgments(b"q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"),
        "query_id doc_id relevance",
        [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d1", 1)],
    ),
    "judgments as CSV": (
        lambda: rd.read_judgments(b"query,document,grade\nq1,d1,2\nq1,d2,0\n"),
        "query_id doc_id relevance",
        [("q1", "d1", 2), ("q1", "d2", 0)],
    ),
    "judgments as a dict": (
        lambda: rd.read_judgments({"q1": {"d1": 2, "d2": 0}}),
        "query_id doc_id relevance",
        [("q1", "d1", 2), ("q1", "d2", 0)],
    ),
    "votes": (
        lambda: rd.read_votes(b"query_id,vote,rater\nq1,good,r1\nq1,bad,r2\nq2,same,r1\n"),
        "query_id vote rater",
        [("q1", "bad", "r2"), ("q1", "good", "r1"), ("q2", "same", "r1")],
    ),
    "votes on two names": (
        lambda: rd.read_votes(
            b"query_id,model_a,model_b,winner\nq1,old,new,new\nq2,new,old,tie\nq3,new,old,old\n", pair=("old", "new")
        ),
        "query_id vote",
        [("q1", "good"), ("q2", "same"), ("q3", "bad")],
    ),
    "queries": (
        lambda: rd.read_queries(b"query_id,query,weight,device\nq1,shoes,3,phone\nq2,hat,1,desk\n"),
        "query_id text weight device",
        [("q1", "shoes", 3, "phone"), ("q2", "hat", 1, "desk")],
    ),
    "queries as a dict": (
        lambda: rd.read_queries([{"query_id": "q1", "query": "shoes"}]),
        "query_id text",
        [("q1", "shoes")],
    ),
}
