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


def run_python(*arguments: str, seed: str) -> subprocess.CompletedProcess[str]:
    """Python beside the script, with a hash seed of our choice and without leaving bytecode in data/."""
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=DATA, capture_output=True, text=True, encoding="utf-8", env=environment, check=False
    )


#: Checks both folders against the committed files, which another test compares with what the script makes.
CHECK_BOTH = """
import sys
import make_demo
files = {path.name: path.read_bytes() for path in sorted(make_demo.HERE.iterdir())}
make_demo.make_files = lambda: files
assert make_demo.main(["--check"]) == 0
print("right", file=sys.stderr)
raise SystemExit(make_demo.main(["--check", "--out", sys.argv[1]]))
"""


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


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the script has just written the demo."""
    folder = tmp_path_factory.mktemp("demo") / "deep" / "down"
    done = run_python("make_demo.py", "--out", str(folder), seed="4711")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.mark.long
def test_script_writes_the_committed_files_byte_for_byte(rewritten: Path) -> None:
    """Every demo file is exactly what the script writes, and the script writes nothing else."""
    assert sorted(path.name for path in rewritten.iterdir()) == sorted(FILES)
    assert sorted(path.name for path in (DATA / "demo").iterdir()) == sorted(FILES)
    for name in FILES:
        assert (rewritten / name).read_bytes() == (DATA / "demo" / name).read_bytes(), name


@pytest.mark.long
def test_check_names_the_file_that_differs(rewritten: Path) -> None:
    """--check is silent and 0 on the right files; on wrong or absent ones it is 1, names only these, mends nothing."""
    altered = (rewritten / "run_b.csv").read_bytes() + b"q999,1,P0001,1.000000,x\n"
    kept = (rewritten / "queries.csv").read_bytes()
    (rewritten / "run_b.csv").write_bytes(altered)
    (rewritten / "queries.csv").unlink()
    try:
        done = run_python("-c", CHECK_BOTH, str(rewritten), seed="0")
        assert done.returncode == 1
        said = [Path(line.split(": ")[0]).name for line in done.stderr.splitlines()]
        assert said == ["right", "queries.csv", "run_b.csv"]
        assert (rewritten / "run_b.csv").read_bytes() == altered
    finally:
        (rewritten / "queries.csv").write_bytes(kept)
        (rewritten / "run_b.csv").write_bytes((DATA / "demo" / "run_b.csv").read_bytes())


def test_files_are_small_plain_utf8_text() -> None:
    """All files are UTF-8 with newline line ends, without a byte order mark, and below 2.5 MB together."""
    contents = [(DATA / "demo" / name).read_bytes() for name in FILES]
    assert sum(map(len, contents)) < 2_500_000
    for content in contents:
        assert not content.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in content
        assert content.endswith(b"\n")
        content.decode("utf-8")


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


def test_products_are_worded_not_numbered() -> None:
    """Titles are unique, every product has a description and a price, and some are titled in Chinese and Japanese."""
    products = rows("products.csv")
    assert len({row["doc_id"] for row in products}) == len({row["title"] for row in products}) == len(products)
    assert all(row["description"] and Decimal(row["price"]) > 0 for row in products)
    assert {row["language"] for row in products} == {"en", "zh", "ja"}
    assert any(re.search("[\u30a0-\u30ff]", row["title"]) for row in products)
    assert not [row["title"] for row in products if re.search(r"[{}~|]|  | ,|\bProduct \d", row["title"])]


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
