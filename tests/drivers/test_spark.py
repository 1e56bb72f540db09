"""Scoring on a cluster: the values of the runs in memory, to the last bit; whatever is wrong is told in one sentence.

One Sail server in this process answers all of these tests.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.drivers import spark as driver
from rankdash.drivers.in_memory import scored_in_memory
from rankdash.drivers.spec import Spec
from tests.drivers.clusters import DEMO, NAMES, by_spark, in_memory, losing, many, printed, shared, table_of, write
from tests.long import every
from tests.noted import besides_notes
from tests.truth.test_per_query import MEASURES, same_columns
from tests.truth.worlds import World, world

__all__ = ["losing", "shared"]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session on a Sail server in this process, or on the remote that RANKDASH_SPARK names."""
    with driver.session(os.environ.get("RANKDASH_SPARK")) as found:
        yield found


@pytest.fixture(scope="module")
def cluster() -> str:
    """The address of a cluster whose workers may be killed; elsewhere its tests are left out."""
    return os.environ["RANKDASH_SPARK"]


def test_numbered_rows_give_the_table_of_the_runs_in_memory(session: Any) -> None:
    """Worlds with odd ids, ties, duplicates, contradictions and holes, rows in disorder: bit for bit, in order."""
    made, policy = many(range(8), alphabet="cells"), rd.Policy(primary="nDCG@3")
    whole, found = in_memory(made, policy), by_spark(session, made, policy, numbered=True)
    same_columns(whole, found)
    assert whole.noticed == found.noticed
    assert whole.noticed.conflicts


def test_rows_without_numbers_give_the_same_values(session: Any) -> None:
    """Nothing tells the order of the rows, and none is needed: the queries come in the order of their ids' bytes."""
    made, policy = many(range(8, 14), repeats=False), rd.Policy(primary="AP", convention="trec_eval-9")
    made = replace(made, judged=tuple(sorted(made.judged, key=lambda row: row[1].encode())))
    whole, found = in_memory(made, policy).by_id(), by_spark(session, made, policy, numbered=False)
    assert found.query_ids.to_pylist() == sorted(found.query_ids.to_pylist(), key=str.encode)
    same_columns(whole, found)
    there, here = (rd.compare_scored(one) for one in (whole, found))
    assert rd.decide(there) == rd.decide(here)


LISTS = (("q1", "d1", 3.0), ("q1", "d2", 2.0), ("q2", "d1", 1.0), ("q2", "d3", 0.5))

TWICE = (("q1", "d1", 1.0), ("q1", "d1", 3.0), ("q2", "d3", 2.0), ("q2", "d1", 0.0))


def test_a_grade_that_no_document_keeps_is_no_grade(session: Any) -> None:
    """Of two grades the first counts: a higher one behind it changes neither ERR, whose largest grade it would be, nor
    what a label can do.
    """
    made, policy = World(0, LISTS, LISTS[::-1], TWICE), rd.Policy(primary="ERR@3")
    whole, found = in_memory(made, policy), by_spark(session, made, policy, numbered=True)
    assert found.scope.grades == (0.0, 1.0, 2.0)
    same_columns(whole, found)


@pytest.mark.parametrize("numbered", [True, False])
def test_grades_beside_the_documents_count_once_too(session: Any, numbered: bool) -> None:
    """Those of A before those of B; blank cells are none; 32 bits beside text are the number that they are."""
    a = {"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d3"], "score": [3.0, 2.0, 1.0]}
    a |= {"relevance": pa.array([0.1, None, 2.0], pa.float32())}
    b = {"query_id": ["q1", "q1", "q2"], "doc_id": ["d2", "d1", "d3"], "score": [3.0, 2.0, 1.0]}
    b |= {"relevance": ["NA", "4", "1"]}
    policy = rd.Policy(primary="ERR@3")
    runs = [rd.read_run(pa.table(one), name=name) for name, one in (("A", a), ("B", b))]
    number = {driver.ROW: [0, 1, 2]} if numbered else {}
    frames = [session.createDataFrame(pa.table(one | number)) for one in (a, b)]
    found = driver.score(*frames, None, Spec(policy, MEASURES), buckets=3)
    same_columns(scored_in_memory(*runs, None, policy, MEASURES), found)


def test_a_query_with_very_many_rows_is_scored(session: Any) -> None:
    """Skew: one list is longer than all others together."""
    rows = 200_000
    long = pa.table(
        {
            "query_id": ["long"] * rows + ["short"],
            "doc_id": [f"d{at}" for at in range(rows)] + ["d7"],
            "score": np.append(np.arange(rows, 0.0, -1.0), 1.0),
        }
    )
    judged = pa.table({"query_id": ["long", "short"], "doc_id": ["d7", "d7"], "relevance": [1.0, 1.0]})
    frame = session.createDataFrame(long)
    found = driver.score(frame, frame, session.createDataFrame(judged), buckets=3)
    assert dict(zip(found.query_ids.to_pylist(), found["length_a"].tolist(), strict=True)) == {
        "long": rows,
        "short": 1,
    }
    assert found["identical"].all()


@pytest.mark.usefixtures("cluster")
def test_a_lost_worker_changes_no_value(session: Any, losing: Callable[[bool], AbstractContextManager[None]]) -> None:
    """What it had is scored again by another one: bit for bit, and no query twice."""
    made, policy = many(range(8)), rd.Policy()
    with losing(False):
        found = by_spark(session, made, policy, numbered=True)
    same_columns(in_memory(made, policy), found)


@pytest.mark.usefixtures("cluster", "shared")
def test_workers_that_are_lost_again_and_again_end_in_one_sentence(
    losing: Callable[[bool], AbstractContextManager[None]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spark gives a bucket up after some trials; no folder is left, and the next command is served."""
    files = [*write(tmp_path / "in", "csv"), "-q", str(DEMO / "judgments.csv")]
    command = ("score", "--engine", "spark", "--buckets", "4", *files, "--out")
    with losing(True):
        status, nothing, told = printed(capsys, *command, str(tmp_path / "none"))
    assert (status, nothing, told.count("\n")) == (2, "", 1), told
    assert told.startswith("Spark failed: ")
    assert not (tmp_path / "none").exists()
    assert printed(capsys, *command, str(tmp_path / "scored")) == (0, "", "")


def without_sources(text: str) -> dict[str, Any]:
    """The JSON of a comparison, without what Spark does not know of the files of A and B."""
    told: dict[str, Any] = json.loads(text)
    for side in ("a", "b"):
        for name in ("sha256", "notes"):
            del told["inputs"][side][name]
    return told


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("ending", every(3, ["trec", "csv", "parquet"]))
def test_files_give_the_verdict_of_one_command(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo as TREC, CSV and a folder of Parquet files: text, CSV and JSON are those of `rankdash compare A B`."""
    judgments = ["-q", str(DEMO / "judgments.csv")]
    files = write(tmp_path / "in", ending)
    ordinary = [*(write(tmp_path / "csv", "csv") if ending == "parquet" else files), *judgments]
    out = str(tmp_path / "scored")
    scored = printed(capsys, "score", "--engine", "spark", "--buckets", "4", *files, *judgments, "--out", out)
    assert scored == (0, "", "")
    if ending == "csv":
        there, here = (printed(capsys, "compare", *more) for more in (ordinary, ["--scored", out]))
        assert (*here[:2], besides_notes(here[2])) == (*there[:2], besides_notes(there[2]))
        return
    there, here = (printed(capsys, "compare", *more, "--json", "-") for more in (ordinary, ["--scored", out]))
    said, expected = without_sources(here[1]), without_sources(there[1])
    if ending == "parquet":
        for side in ("a", "b"):
            said["inputs"][side]["source"] = expected["inputs"][side]["source"]
    assert said == expected


def spaced(lines: list[list[str]], chance: random.Random) -> str:
    """Lines of words with white space of any kind between and around them, and empty lines."""

    def blanks(least: int) -> str:
        return "".join(chance.choices(" \t\v\f", (9, 3, 1, 1), k=chance.choice([least, 1, 1, 1, 2, 3])))

    texts = [blanks(0) + "".join(word + blanks(1) for word in line) for line in lines]
    return "".join(f"{text}\n" + chance.choice(["", "", "\n", " \t\n"]) for text in texts)


def test_white_space_in_lines_is_that_of_the_reader(session: Any, tmp_path: Path) -> None:
    """TREC files with tabs, several blanks and empty lines, a name of the run or none: as they are read in memory."""
    chance = random.Random(3)
    made = world(21, queries=30, repeats=False)
    made = replace(made, judged=tuple(sorted(made.judged, key=lambda row: row[1].encode())))
    for name, rows in (("a", made.a), ("b", made.b)):
        lines = [
            [query, "Q0", doc, "1", repr(float(score)), "é run"[: 2 * (at % 2)]]
            for at, (query, doc, score) in enumerate(rows)
        ]
        (tmp_path / f"{name}.trec").write_text(spaced(lines, chance), "utf-8")
    judged = [[query, "0", doc, str(int(grade))] for query, doc, grade in made.judged]
    (tmp_path / "q.txt").write_text(spaced(judged, chance), "utf-8")
    files = [str(tmp_path / name) for name in ("a.trec", "b.trec", "q.txt")]
    frames = [driver.read(session, path, judgments=path.endswith("q.txt")) for path in files]
    policy = rd.Policy()
    found = driver.score(*frames, policy, order="score", buckets=3)
    a, b = (rd.read_run(path, order="score") for path in files[:2])
    whole = scored_in_memory(a, b, rd.read_judgments(files[2]), policy)
    same_columns(whole.by_id(), found)


@pytest.mark.parametrize("texts", [(), ("a", "b"), ("judgments",), ("a", "b", "judgments")])
def test_grades_in_a_column_of_the_runs_are_those_of_one_of_their_own(texts: tuple[str, ...], session: Any) -> None:
    """Scores, ranks and grades as text or numbers, in every mixture: the values of the runs in memory."""
    made, policy = world(22, queries=20, repeats=False), rd.Policy()
    made = replace(made, judged=tuple(sorted(made.judged, key=lambda row: row[1].encode())))
    frames = []
    for side, rows in (("a", made.a), ("b", made.b), ("judgments", made.judged)):
        table = table_of(rows, NAMES[side], numbered=False)
        if side in texts:
            column = table.column(2).cast(pa.string())
            table = table.set_column(2, NAMES[side], column)
        frames.append(session.createDataFrame(table))
    found = driver.score(*frames, Spec(policy, MEASURES), buckets=2)
    same_columns(in_memory(made, policy).by_id(), found)


def test_the_command_asks_a_remote(cluster: str, tmp_path: Path) -> None:
    """As it is typed, in a process of its own: the verdict of one command, and one sentence for a missing file."""
    files = write(tmp_path / "in", "csv")
    judgments = ["-q", str(DEMO / "judgments.csv")]

    def ran(*arguments: str) -> tuple[int, str, str]:
        found = subprocess.run([sys.executable, "-m", "rankdash", *arguments], capture_output=True, text=True)
        return found.returncode, found.stdout, found.stderr

    remote = ("score", "--engine", "spark", "--remote", cluster, "--buckets", "4")
    out = str(tmp_path / "scored")
    assert ran(*remote, *files, *judgments, "--out", out) == (0, "", "")
    assert ran("compare", "--scored", out) == ran("compare", *files, *judgments)
    status, nothing, told = ran(*remote, files[0], "/none/of/this.csv", *judgments, "--out", str(tmp_path / "none"))
    assert (status, nothing, told.count("\n")) == (2, "", 1), told
    assert "/none/of/this.csv" in told


def test_folders_keep_the_order_in_which_judgments_name_queries(tmp_path: Path) -> None:
    """Parts come in any order; opened, the queries stand as the judgments name them, or by their ids."""
    made, policy = many(range(3)), rd.Policy()
    whole = in_memory(made, policy)
    places = np.arange(len(whole))
    back = np.arange(len(whole))[::-1]
    turned = replace(whole, places=back).in_order()
    rd.write_scored(replace(turned, places=places[::-1].copy()), tmp_path / "s")
    from rankdash.scored.folder import opened

    same_columns(whole, opened(tmp_path / "s"))
