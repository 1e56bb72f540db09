"""Worlds as tables of a cluster, and workers that are lost: what tests of scoring on a cluster share."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.comparison import PerQuery
from rankdash.drivers import spark as driver
from rankdash.drivers.in_memory import scored_in_memory
from rankdash.drivers.spec import Spec
from tests.truth.test_per_query import MEASURES
from tests.truth.worlds import Row, World, world

DEMO = Path(__file__).parents[2] / "data" / "demo"

NAMES = {"a": "score", "b": "score", "judgments": "relevance"}


@pytest.fixture
def losing(tmp_path: Path) -> Callable[[bool], AbstractContextManager[None]]:
    """Workers are killed while they score: the one that is first, or always."""

    @contextmanager
    def lose(always: bool) -> Iterator[None]:
        flag = str(tmp_path / "lost")

        def score_bucket(table: pa.Table, plan: Any) -> Any:
            from rankdash.drivers.cluster.bucket import score_bucket as score

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


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status of a command, what it printed, and what it told beside it."""
    status = main(arguments)
    found = capsys.readouterr()
    return status, found.out, found.err


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
