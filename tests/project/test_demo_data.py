"""The demo comparison in data/demo: it is what its script writes, and it hangs together."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
FILES = ("products.csv", "queries.csv", "run_a.csv", "run_b.csv", "judgments.csv")
RUNS = ("run_a.csv", "run_b.csv")
Row = dict[str, str]


def rows(name: str) -> list[Row]:
    """The rows of a committed demo file."""
    with (DATA / "demo" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ranked_lists(name: str) -> dict[str, list[Row]]:
    """Query id -> the rows of its list, in the order of the file."""
    lists: dict[str, list[Row]] = defaultdict(list)
    for row in rows(name):
        lists[row["query_id"]].append(row)
    return lists


@pytest.mark.long
def test_script_writes_the_committed_files_byte_for_byte(tmp_path: Path) -> None:
    """Every demo file is exactly what the script writes, whatever the hash seed, and it writes nothing else."""
    environment = os.environ | {"PYTHONHASHSEED": "4711", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "make_demo.py", "--out", str(tmp_path / "demo")]
    done = subprocess.run(command, cwd=DATA, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    for folder in (tmp_path / "demo", DATA / "demo"):
        assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    for name in FILES:
        assert (tmp_path / "demo" / name).read_bytes() == (DATA / "demo" / name).read_bytes(), name


def test_queries_cover_traffic_and_languages() -> None:
    """At least 240 different queries: head, torso, tail; English, some Chinese, some Japanese."""
    queries = rows("queries.csv")
    assert len(queries) >= 240
    assert len({row["query_id"] for row in queries}) == len({row["text"] for row in queries}) == len(queries)
    assert {row["traffic"] for row in queries} == {"head", "torso", "tail"}
    for language, letters in (("zh", "[\u4e00-\u9fff]"), ("ja", "[\u3040-\u30ff\u4e00-\u9fff]")):
        texts = [row["text"] for row in queries if row["language"] == language]
        assert 0.08 <= len(texts) / len(queries) <= 0.10
        assert all(re.search(letters, text) for text in texts)


def test_ids_lead_from_file_to_file() -> None:
    """Every query and document of the runs and judgments exists, and a run shows the title of the catalogue."""
    titles = {row["doc_id"]: row["title"] for row in rows("products.csv")}
    queries = {row["query_id"] for row in rows("queries.csv")}
    for name in RUNS:
        for row in rows(name):
            assert row["query_id"] in queries
            assert titles[row["doc_id"]] == row["title"]
    judgments = rows("judgments.csv")
    assert len({(row["query_id"], row["doc_id"]) for row in judgments}) == len(judgments)
    assert {row["query_id"] for row in judgments} <= queries
    assert {row["doc_id"] for row in judgments} <= set(titles)
    assert {row["relevance"] for row in judgments} == {"0", "1", "2", "3"}


@pytest.mark.parametrize("name", RUNS)
def test_ranked_lists_are_ordered(name: str) -> None:
    """Ranks run 1 to n with n at most 20, no document twice; scores fall, equal scores by document id, descending."""
    for query_id, ranking in ranked_lists(name).items():
        assert [int(row["rank"]) for row in ranking] == list(range(1, len(ranking) + 1)), query_id
        assert len(ranking) <= 20
        assert len({row["doc_id"] for row in ranking}) == len(ranking), query_id
        assert all(re.fullmatch(r"\d+\.\d{6}", row["score"]) for row in ranking)
        keys = [(Decimal(row["score"]), row["doc_id"]) for row in ranking]
        assert keys == sorted(keys, reverse=True), query_id


def test_both_runs_are_judged_alike() -> None:
    """At ranks 1 to 10 over 94% of what a run shows is judged, but not all; A and B differ by under 1 point."""
    judged = {(row["query_id"], row["doc_id"]) for row in rows("judgments.csv")}
    shares = []
    for name in RUNS:
        top = [row for row in rows(name) if int(row["rank"]) <= 10]
        shares.append(sum((row["query_id"], row["doc_id"]) in judged for row in top) / len(top))
    assert all(0.94 < share < 1 for share in shares)
    assert abs(shares[0] - shares[1]) < 0.01


def test_no_side_wins_everywhere() -> None:
    """The runs answer the same queries, differ on most of them, and some queries have no relevant document at all."""
    lists_a, lists_b = (ranked_lists(name) for name in RUNS)
    assert lists_a.keys() == lists_b.keys()
    shown = [[[row["doc_id"] for row in lists[query][:10]] for query in lists_a] for lists in (lists_a, lists_b)]
    assert sum(a != b for a, b in zip(*shown, strict=True)) > len(lists_a) / 2
    best: dict[str, int] = defaultdict(int)
    for row in rows("judgments.csv"):
        best[row["query_id"]] = max(best[row["query_id"]], int(row["relevance"]))
    assert any(grade == 0 for grade in best.values())
