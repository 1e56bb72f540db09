"""Scoring on a cluster: whatever is wrong is told in one sentence, and nothing is written.

One Sail server in this process answers all of these tests.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import rankdash as rd
from rankdash import installation
from rankdash.drivers import spark as driver
from rankdash.drivers.cluster import remote
from tests.drivers.clusters import printed, shared
from tests.truth.test_per_query import same_columns

__all__ = ["shared"]


@pytest.fixture(scope="module")
def session() -> Iterator[SparkSession]:
    """A session on a Sail server in this process, or on the remote that RANKDASH_SPARK names."""
    with driver.session(os.environ.get("RANKDASH_SPARK")) as found:
        yield found


def test_files_of_a_remote_are_looked_for_there(session: Any, tmp_path: Path) -> None:
    """What only a cluster sees need not be on this machine; Spark says that it is not there, Sail finds no columns."""
    path = str(tmp_path / "none.parquet")
    with pytest.raises(driver.SparkError, match="there is no such file"):
        driver.read(session, path)
    with pytest.raises((driver.SparkError, rd.ReadError), match=r"Spark failed: |Found: \."):
        driver.score(*(driver.read(session, path, here=False) for _ in range(3)))


ROWS = {"query_id": ["q1", "q1"], "doc_id": ["x", "y"], "score": [2.0, 1.0]}

JUDGED = {"query_id": ["q1"], "doc_id": ["x"], "relevance": [1.0]}

WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "A: there is no column for the document id": ({"query_id": ["q"], "score": [1.0]}, {}, {}),
    "A has no rank and no score to order by": ({"query_id": ["q"], "doc_id": ["x"]}, {}, {}),
    "A: a row has no query_id; beside it stands 'x'.": (ROWS | {"query_id": [None, "q1"]}, {}, {}),
    "A: the score of a row of query 'q1' is 'high', no number.": (ROWS | {"score": ["high", "2"]}, {}, {}),
    "A: the score of a row of query 'q1' is None, no number.": (ROWS | {"score": [None, 2.0]}, {}, {}),
    "A: the rank of a row of query 'q1' is 1.5, no whole number from 0.": (ROWS | {"rank": [1.5, 2.0]}, {}, {}),
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


def test_documents_that_are_judged_under_another_writing_are_told(session: Any) -> None:
    """Ids in another case are told over all buckets together, as for files in memory."""
    ids = [(f"q{n}", f"Doc{d}") for n in range(9) for d in range(4)]
    run = {"query_id": [q for q, _ in ids], "doc_id": [d for _, d in ids], "score": [9.0 - n for n in range(36)]}
    names = [doc if doc < "Doc2" else doc.lower() for _, doc in ids]
    judged = {"query_id": run["query_id"], "doc_id": names, "relevance": [1] * 36}
    frames = [session.createDataFrame(pa.table(one)) for one in (run, run, judged)]
    found = driver.score(*frames, buckets=3)
    assert found.inputs is not None
    told = [(one.input, one.sentence) for one in found.inputs.wrong or ()]
    assert [side for side, _ in told] == ["a", "b"]
    assert all("almost match some of the judgments, and count as unjudged" in sentence for _, sentence in told)
    assert all('"Doc2" here is "doc2" there' in sentence for _, sentence in told)


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


def test_what_a_server_passed_on_begins_with_the_reason() -> None:
    """Sail puts the names of its own errors before that of a file that is no text, once for each step."""
    passed = "RuntimeError: External error: RuntimeError: Arrow error: Parser error: invalid UTF-8 data at line 1"
    with pytest.raises(driver.SparkError, match=r"^Spark failed: Parser error: invalid UTF-8"), remote.refusals():
        raise PySparkException(passed)


def test_a_remote_that_does_not_answer_is_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Spark's client would try for minutes; what is no address of a remote is told too."""
    refused = "sc://127.0.0.1:9 cannot be reached (Connection refused): is Spark Connect running there?\n"
    for address, said in {
        "sc://127.0.0.1:9": refused,
        "127.0.0.1:9": "The remote is no address of Spark Connect: write it like sc://HOST:15002.\n",
    }.items():
        out = str(tmp_path / "out")
        found = printed(capsys, "score", "--engine", "spark", "--remote", address, "a", "b", "-q", "q", "--out", out)
        assert found == (2, "", said)


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
def test_a_port_of_another_program_is_told_in_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, says: bytes
) -> None:
    """What listens and says nothing, or speaks HTTP, is told: Spark's client would wait for ever."""
    monkeypatch.setattr(remote, "_PATIENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port, held = other.getsockname()[1], []

        def answer() -> None:
            with suppress(OSError):
                while True:
                    held.append(other.accept()[0])
                    held[-1].sendall(says)

        threading.Thread(target=answer, daemon=True).start()
        at = f"sc://ann:secret@127.0.0.1:{port}"
        found = printed(
            capsys, "score", "--engine", "spark", "--remote", at, "a", "b", "-q", "q", "--out", str(tmp_path)
        )
        other.shutdown(socket.SHUT_RDWR)
    for one in held:
        one.close()
    said = f"sc://127.0.0.1:{port} does not answer as Spark Connect does: is it another program's?\n"
    assert found == (2, "", said)


def test_without_the_extra_one_sentence_tells_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing else needs it, and nothing is guessed."""
    monkeypatch.setattr(installation, "_is_there", lambda module: module not in installation.SPARK)
    found = printed(capsys, "score", "--engine", "spark", "a", "b", "-q", "q", "--out", str(tmp_path / "out"))
    assert found[:2] == (2, "")
    assert found[2].startswith("Scoring on a cluster needs pyspark-client, pysail, which are not installed here: run")
    assert "[spark]" in found[2]
