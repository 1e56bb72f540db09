"""The rows of one query of a file: those that reading all of it gives, whatever the file is."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.intake import lookup
from rankdash.judged.splicing import only
from rankdash.sandbox import apart
from rankdash.scored.folder import files_of
from rankdash.tables import Judgments, Run
from tests.long import every
from tests.sandbox.test_apart import plain

QUERIES = ("q1", "q2", "é", "none")
LINES = [f"{query} Q0 d{rank} {rank} {9 - rank / 2} x\n" for query in QUERIES[:3] for rank in range(1, 6)]
TREC = "".join(LINES).encode()
SAMPLES: dict[str, tuple[str, bytes, dict[str, Any]]] = {
    "sorted.trec": ("run", TREC, {"order": "auto"}),
    "scattered.trec": ("run", "".join(LINES[::3] + LINES[1::3] + LINES[2::3]).encode(), {"order": "auto"}),
    "packed.trec.gz": ("run", gzip.compress(TREC), {"order": "rank"}),
    "titles.csv": ("run", "query_id,doc_id,title\nq1,a,red\né,b,\nq1,c,=1+1\n".encode(), {"order": "auto"}),
    "named.csv": ("run", b"query_id,doc_id,mine,rank\nq1,a,3,2\nq2,b,2,1\n", {"columns": {"score": "mine"}}),
    "qrels.txt": ("judgments", "q1 0 a 1\né 0 b 0\nq1 0 c 2\n".encode(), {}),
    "words.csv": ("judgments", b"query_id,doc_id,relevance\nq1,a,E\nq2,b,I\n", {"grades": {"E": 3.0, "I": 0.0}}),
    "both.csv": ("models", b"model,query_id,doc_id,rank,relevance\nx,q1,a,1,2\ny,q1,b,1,0\ny,q2,c,1,\n", {}),
    "graded.csv": ("graded", b"model,query_id,doc_id,rank,relevance\nx,q1,a,1,2\ny,q1,b,1,0\ny,q2,c,1,\n", {}),
}


def whole(path: Path, kind: str, how: dict[str, Any]) -> Run | Judgments:
    """The file, read as a whole."""
    if kind in ("run", "judgments"):
        return (rd.read_run if kind == "run" else rd.read_judgments)(path, **how)
    models = rd.read_models(path, **how)
    return models.runs[1] if kind == "models" else models.judgments


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("name", SAMPLES)
def test_the_rows_are_those_of_the_whole_file(name: str, query: str, tmp_path: Path) -> None:
    """In their order, with every column, the name, the order and the digest; none where the query is not there."""
    kind, content, how = SAMPLES[name]
    path = tmp_path / name
    path.write_bytes(content)
    reading = lookup.rows(str(path), kind, how, query, model="y")
    expected = whole(path, kind, how)
    wanted = only(expected, rd.read_queries({query: ""}).table.column("query_id").combine_chunks())[0]
    assert reading.table is not None
    assert reading.table.table.to_pydict().__repr__() == wanted.table.to_pydict().__repr__()
    assert reading.table.source.sha256 == hashlib.sha256(content).hexdigest()
    if isinstance(expected, Run):
        assert (reading.table.name, reading.table.ordered_by) == (expected.name, expected.ordered_by)


def test_a_process_of_its_own_gives_the_same(tmp_path: Path) -> None:
    """Asked as the dashboard asks; a file that is gone, or none, is an error and no exception."""
    path = tmp_path / "a.trec"
    path.write_bytes(TREC)
    how = {"order": "auto"}
    assert plain(apart.rows(str(path), "run", how, "é")) == plain(lookup.rows(str(path), "run", how, "é"))
    path.write_bytes(b"x")
    assert apart.rows(str(path), "run", how, "é").error is not None
    path.unlink()
    assert "cannot be opened" in str(apart.rows(str(path), "run", how, "é").error)


@pytest.mark.parametrize(
    "told",
    every(5, [None, 3, "x", [], {"a": 3},
     {"a": {"path": "a\0", "kind": "run", "how": {}}}, {"a": {"path": 1, "kind": "run"}},
     {"a": {"path": "p", "kind": "votes", "how": {}}, "c": {"path": "p", "kind": "run", "how": {}}},
     *({"a": {"path": "p", "kind": "run", "how": how}} for how in (
         3, {"x": 1}, {"scores": "/etc/passwd"}, {"order": "best"}, {"order": []}, {"header": "1"}, {"sheet": None},
         {"columns": {"score": 1}}, {"columns": []}, {"grades": {"E": "3"}}, {"grades": {"E": True}}, {"encoding": 8},
     ))]),
)  # fmt: skip
def test_a_manifest_that_names_no_files_is_read_without_them(told: Any, tmp_path: Path) -> None:
    """Whatever stands where the files should be named: the scores are opened, and no list is."""
    table = rd.score({"q1": {"d1": 2, "d2": 1}}, {"q1": {"d2": 2, "d1": 1}}, {"q1": {"d2": 1}})
    rd.write_scored(table, tmp_path / "scored")
    assert files_of(tmp_path / "scored") == {}
    manifest = tmp_path / "scored" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"files": told}))
    assert files_of(tmp_path / "scored") == {}
    assert rd.compare_scored(tmp_path / "scored").primary.paired.n == 1


def test_a_query_of_a_snapshot_is_found_by_its_id_and_its_text(tmp_path: Path) -> None:
    """Lists and ratings of a snapshot that were scored by the texts of its queries are found by these, too."""
    queries = [{"query_id": query, "query_text": text, "ratings": {"d1": 3}} for query, text in ((1, "tv"), (2, "bag"))]
    path = tmp_path / "41.json"
    path.write_text(json.dumps({"docs": {"1": [{"id": "d1"}], "2": [{"id": "d2"}]}, "queries": queries}), "utf-8")
    for query, document in (("2", "d2"), ("bag", "d2"), ("tv", "d1"), ("none", None)):
        run = lookup.rows(str(path), "run", {}, query).table
        rated = lookup.rows(str(path), "judgments", {}, query).table
        assert [(row["query_id"], row["doc_id"]) for row in run.table.to_pylist()] == [(query, document)] * bool(
            document
        )
        assert rated.table["query_id"].to_pylist() == [query] * bool(document)
