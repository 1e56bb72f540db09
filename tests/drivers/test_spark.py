"""Scoring on a cluster: the values of the runs in memory, to the last bit; whatever is wrong is told in one sentence.

One Sail server in this process answers all of these tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as f

import rankdash as rd
from rankdash import needed
from rankdash.__main__ import main
from rankdash.comparison import PerQuery
from rankdash.drivers import spark as driver
from rankdash.drivers.in_memory import scored_in_memory
from rankdash.drivers.spec import Spec
from tests.truth.test_per_query import MEASURES, same_columns
from tests.truth.worlds import Row, World, world

DEMO = Path(__file__).parents[2] / "data" / "demo"
NAMES = {"a": "score", "b": "score", "judgments": "relevance"}


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session on a Sail server in this process, or on the remote that RANKDASH_SPARK names."""
    with driver.session(os.environ.get("RANKDASH_SPARK")) as found:
        yield found


@pytest.fixture(scope="module")
def cluster() -> str:
    """The address of a cluster whose workers may be killed; elsewhere its tests are left out."""
    return os.environ["RANKDASH_SPARK"]


@pytest.fixture
def losing(tmp_path: Path) -> Callable[[bool], AbstractContextManager[None]]:
    """Workers are killed while they score: the one that is first, or always."""

    @contextmanager
    def lose(always: bool) -> Iterator[None]:
        flag = str(tmp_path / "lost")

        def score_bucket(table: pa.Table, plan: Any) -> Any:
            from rankdash.drivers.bucket import score_bucket as score

            try:
                os.close(os.open(flag, os.O_CREAT | (0 if always else os.O_EXCL)))
            except FileExistsError:
                return score(table, plan)
            end_worker()
            return score(table, plan)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(driver, "score_bucket", score_bucket)
            yield

    return lose


def end_worker() -> None:
    """Kill the process of Spark that this one belongs to: the worker, which is of Java."""
    one = os.getpid()
    while one > 1:
        if Path(f"/proc/{one}/comm").read_text("utf-8").strip() == "java":
            os.kill(one, signal.SIGKILL)
            return
        one = int(Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2].split()[1])


@pytest.fixture
def shared(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line uses the session of these tests."""

    @contextmanager
    def same(remote: str | None = None) -> Iterator[Any]:
        assert remote is None
        yield session

    monkeypatch.setattr(driver, "session", same)


def many(seeds: range, **how: Any) -> World:
    """Several worlds in one, their queries told apart."""
    worlds = [world(seed, queries=12, **how) for seed in seeds]
    rows = [
        tuple((f"w{one.seed}|{query}", doc, value) for one in worlds for query, doc, value in getattr(one, name))
        for name in ("a", "b", "judged")
    ]
    return World(0, *rows)


def table_of(rows: tuple[Row, ...], value: str, *, numbered: bool, shuffled: int | None = None) -> pa.Table:
    """Rows as a table; shuffled where a seed is given."""
    places = list(range(len(rows)))
    if shuffled is not None:
        places = np.random.default_rng(shuffled).permutation(len(rows)).tolist()
    columns: dict[str, Any] = {
        "query_id": [rows[at][0] for at in places],
        "doc_id": [rows[at][1] for at in places],
        value: pa.array([float(rows[at][2]) for at in places]),
    }
    return pa.table(columns | ({driver.ROW: places} if numbered else {}))


def in_memory(made: World, policy: rd.Policy) -> PerQuery:
    """The table of the runs in memory."""
    a, b = (rd.read_run(list(rows), name=name) for name, rows in (("A", made.a), ("B", made.b)))
    return scored_in_memory(a, b, rd.read_judgments(list(made.judged)), policy, MEASURES)


def by_spark(session: Any, made: World, policy: rd.Policy, *, numbered: bool, buckets: int = 5) -> PerQuery:
    """The table that Spark returns, of rows in disorder."""
    frames = [
        session.createDataFrame(table_of(rows, NAMES[side], numbered=numbered, shuffled=7))
        for side, rows in (("a", made.a), ("b", made.b), ("judgments", made.judged))
    ]
    return driver.score(*frames, Spec(policy, MEASURES), buckets=buckets)


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
    assert found.asked.grades == (0.0, 1.0, 2.0)
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


def test_the_bucket_of_a_query_is_that_of_zlib(session: Any) -> None:
    """The hash is one that every side has, so that parts of different drivers fit together."""
    ids = ["q1", "é", "e\u0301", "查询", "", "🙂"]
    found = session.createDataFrame(pa.table({"id": ids})).select(f.crc32(f.col("id").cast("binary")).alias("n"))
    assert sorted(found.toArrow().column("n").to_pylist()) == sorted(zlib.crc32(one.encode()) for one in ids)


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


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status of a command, what it printed, and what it told beside it."""
    status = main(arguments)
    found = capsys.readouterr()
    return status, found.out, found.err


def without_sources(text: str) -> dict[str, Any]:
    """The JSON of a comparison, without what Spark does not know of the files of A and B."""
    told: dict[str, Any] = json.loads(text)
    for side in ("a", "b"):
        for name in ("sha256", "notes"):
            del told["inputs"][side][name]
    return told


def write(folder: Path, ending: str) -> list[str]:
    """The demo's runs by score as files of a format, Parquet in three parts; the arguments that name them."""
    folder.mkdir()
    for name in ("run_a", "run_b"):
        table = rd.read_run(DEMO / f"{name}.csv", order="score").table.select(["query_id", "doc_id", "score"])
        table = table.set_column(0, "query_id", table.column("query_id").cast(pa.string()))
        if ending == "trec":
            rows = table.to_pandas().itertuples(index=False)
            lines = (f"{query} Q0 {doc} 1 {score!r} run\n" for query, doc, score in rows)
            (folder / f"{name}.trec").write_text("".join(lines), "utf-8")
        elif ending == "parquet":
            (folder / f"{name}.parquet").mkdir()
            for at, start in enumerate(range(0, len(table), 500)):
                pq.write_table(table.slice(start, 500), folder / f"{name}.parquet" / f"{at}.parquet")
        else:
            pyarrow.csv.write_csv(table.rename_columns(["qid", "docno", "score"]), folder / f"{name}.csv")
    return [str(folder / f"{name}.{ending}") for name in ("run_a", "run_b")]


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("ending", ["trec", "csv", "parquet"])
def test_files_give_the_verdict_of_one_command(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The demo as TREC, CSV and a folder of Parquet files: text, CSV and JSON are those of `rankdash compare A B`."""
    judgments = ["-q", str(DEMO / "judgments.csv")]
    files = write(tmp_path / "in", ending)
    ordinary = [*(write(tmp_path / "csv", "csv") if ending == "parquet" else files), *judgments]
    out = str(tmp_path / "scored")
    scored = printed(capsys, "score", "--engine", "spark", "--buckets", "4", *files, *judgments, "--out", out)
    assert scored == (0, "", "")
    if ending == "csv":
        assert printed(capsys, "compare", "--scored", out) == printed(capsys, "compare", *ordinary)
        return
    there, here = (printed(capsys, "compare", *more, "--json", "-") for more in (ordinary, ["--scored", out]))
    said, expected = without_sources(here[1]), without_sources(there[1])
    if ending == "parquet":
        for side in ("a", "b"):
            said["inputs"][side]["source"] = expected["inputs"][side]["source"]
    assert said == expected


def test_files_of_a_remote_are_looked_for_there(session: Any, tmp_path: Path) -> None:
    """What only a cluster sees need not be on this machine; Spark says that it is not there, Sail finds no columns."""
    path = str(tmp_path / "none.parquet")
    with pytest.raises(driver.SparkError, match="there is no such file"):
        driver.read(session, path)
    with pytest.raises((driver.SparkError, rd.ReadError), match=r"Spark failed: |Found: \."):
        driver.score(*(driver.read(session, path, here=False) for _ in range(3)))


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


ROWS = {"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "score": [2.0, 1.0]}
JUDGED = {"query_id": ["q1"], "doc_id": ["x"], "relevance": [1.0]}
WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "A: there is no column for the document id": ({"query_id": ["q"], "score": [1.0]}, {}, {}),
    "A has no rank and no score to order by": ({"query_id": ["q"], "doc_id": ["x"]}, {}, {}),
    "A: a row has no query_id; beside it stands 'x'.": (ROWS | {"query_id": [None, "q1"]}, {}, {}),
    "A: the score of a row of query 'q1' is 'high', no number.": (ROWS | {"score": ["high", "2"]}, {}, {}),
    "A: the score of a row of query 'q1' is None, no number.": (ROWS | {"score": [None, 2.0]}, {}, {}),
    "column 'query_id' is of type double; make it text": (ROWS | {"query_id": [1.0, 2.0]}, {}, {}),
    'A: ids in column "doc_id" have white space': (ROWS | {"doc_id": ["x ", "y"]}, {}, {}),
    "document 'x' of query 'q1' has the grades 1 and 2, and rows have no order here": (
        {},
        {},
        {"query_id": ["q1", "q1"], "doc_id": ["x", "x"], "relevance": [1.0, 2.0]},
    ),
    "There are no judgments: no row has a grade.": ({}, {}, JUDGED | {"relevance": pa.array([None], pa.float64())}),
}


SUBTOPICS = {"query_id": ["q1", "q1"], "doc_id": ["x", "x"], "iteration": ["1", "2"], "relevance": [1.0, 1.0]}
WRONG |= {
    "A has rows of several models, 'm1' and 'm2': keep those of one.": (ROWS | {"model": ["m1", "m2"]}, {}, {}),
    "The judgments have a document several times in a query, for different subtopics": ({}, {}, SUBTOPICS),
    "Judgments that say which list a grade is for are scored in memory.": ({}, {}, JUDGED | {"only_for": ["A"]}),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_is_wrong_with_a_source_is_told_in_one_sentence(said: str, session: Any) -> None:
    """A missing column, a row without an id or a number, rows whose order would matter: where, what, what to do."""
    tables = [ordinary | wrong for ordinary, wrong in zip((ROWS, ROWS, JUDGED), WRONG[said], strict=True)]
    if "doc_id" not in WRONG[said][0] and WRONG[said][0]:
        tables[0] = WRONG[said][0]
    if "score" not in WRONG[said][0] and WRONG[said][0]:
        tables[0] = WRONG[said][0]
    frames = [session.createDataFrame(pa.table(one)) for one in tables]
    with pytest.raises((rd.ComparisonError, rd.ReadError)) as error:
        driver.score(*frames, buckets=2)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_one_model_and_rounds_of_judging_are_no_problem(session: Any, tmp_path: Path) -> None:
    """A column that says the same in every row, and one that tells rounds, in a table and in qrels."""
    tables = (ROWS | {"model": ["m", "m"]}, ROWS, SUBTOPICS | {"doc_id": ["x", "y"]})
    frames = [session.createDataFrame(pa.table(one)) for one in tables]
    (tmp_path / "q.txt").write_text("q1 1 x 1\nq1 2 y 1\n")
    rounds = driver.read(session, str(tmp_path / "q.txt"), judgments=True)
    same_columns(*(driver.score(*frames[:2], judged, buckets=2) for judged in (frames[2], rounds)))
    (tmp_path / "q.txt").write_text("q1 1 x 1\nq1 2 x 1\n")
    with pytest.raises(rd.ComparisonError, match="for different subtopics"):
        driver.score(*frames[:2], driver.read(session, str(tmp_path / "q.txt"), judgments=True))


def test_ties_by_the_order_of_rows_are_refused(session: Any) -> None:
    """A convention that leaves equal scores as the rows stand needs rows that are numbered."""
    frames = [session.createDataFrame(pa.table(one)) for one in (ROWS, ROWS, JUDGED)]
    policy = rd.Policy(convention=rd.Convention(ties="input_order"))
    with pytest.raises(rd.ComparisonError, match="breaks ties by the order of the rows, which A does not have"):
        driver.score(*frames, policy)


def test_no_query_in_common_is_refused_with_what_differs(session: Any) -> None:
    """Ids that almost match are named as they are for files in memory."""
    other = JUDGED | {"query_id": ["topic-q1"]}
    found = driver.score(*(session.createDataFrame(pa.table(one)) for one in (ROWS, ROWS, other)))
    assert found.inputs is not None
    assert found.inputs.wrong is not None
    told = found.inputs.wrong[0]
    assert told.fatal
    assert '"q1" here is "topic-q1" there' in told.sentence


@pytest.mark.usefixtures("shared")
def test_bad_files_and_places_are_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line that is no line of a run, a file that is not there or is damaged; nothing is written."""
    monkeypatch.chdir(tmp_path)
    Path("a.trec").write_text("q1 Q0 x 1 2.0 r\nq1 Q0 y 2 1.0 r\n")
    Path("bad.trec").write_text("q1 Q0 x 1 2.0 r\nq1 Q0 y\n")
    Path("bad.parquet").write_bytes(b"PAR1 this is none PAR1")
    Path("q.txt").write_text("q1 0 x 1\n")
    wrong = {
        "none.trec": "none.trec: there is no such file.",
        "bad.trec": "B: a row has no query_id; beside it stands 'q1 Q0 y'.",
        "bad.parquet": "Spark failed: ",
    }
    for name, said in wrong.items():
        runs = [str(tmp_path / one) for one in ("a.trec", name)]  # a server elsewhere has another working directory
        status, nothing, told = printed(capsys, "score", "--engine", "spark", *runs, "-q", "q.txt", "--out", "out")
        assert (status, nothing, told.count("\n")) == (2, "", 1), told
        assert said in told
    assert not Path("out").exists()
    assert not [path for path in Path().iterdir() if "unfinished" in path.name]


def test_a_remote_that_does_not_answer_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Spark's client would try for minutes; what is no address of a remote is told too."""
    for remote, said in {
        "sc://127.0.0.1:9": "127.0.0.1:9 cannot be reached (Connection refused): is Spark Connect running there?\n",
        "127.0.0.1:9": "'127.0.0.1:9' is no remote of Spark Connect: write it like sc://HOST:15002.\n",
    }.items():
        out = str(tmp_path / "out")
        found = printed(capsys, "score", "--engine", "spark", "--remote", remote, "a", "b", "-q", "q", "--out", out)
        assert found == (2, "", said)


def test_without_the_extra_one_sentence_tells_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing else needs it, and nothing is guessed."""
    monkeypatch.setattr(needed, "_is_there", lambda module: module not in needed.SPARK)
    found = printed(capsys, "score", "--engine", "spark", "a", "b", "-q", "q", "--out", str(tmp_path / "out"))
    assert found[:2] == (2, "")
    assert found[2].startswith("Scoring on a cluster needs pyspark-client, pysail, which are not installed here: run")
    assert "[spark]" in found[2]


def test_folders_keep_the_order_in_which_judgments_name_queries(tmp_path: Path) -> None:
    """Parts come in any order; opened, the queries stand as the judgments name them, or by their ids."""
    made, policy = many(range(3)), rd.Policy()
    whole = in_memory(made, policy)
    places = np.arange(len(whole))
    back = np.arange(len(whole))[::-1]
    turned = replace(whole, places=back).in_order()
    rd.write_scored(replace(turned, places=places[::-1].copy()), tmp_path / "s")
    from rankdash.drivers.folder import opened

    same_columns(whole, opened(tmp_path / "s"))
