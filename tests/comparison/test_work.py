"""How much work a comparison is, counted and not timed: steps of Python, and bytes that are read."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from tests.growth import steps

IO = Path("/proc/self/io")


def tables(queries: int, depth: int) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Two runs with lists of a depth, and two judgments of each query."""
    random = np.random.default_rng(1)
    ids = [f"q{at}" for at in range(queries)]

    def run() -> pa.Table:
        scores = random.random(queries * depth) - np.tile(np.arange(depth), queries)
        documents = np.tile([f"d{at}" for at in range(depth)], queries)
        return pa.table({"query_id": np.repeat(ids, depth), "doc_id": documents, "score": scores})

    grades = {"query_id": ids * 2, "doc_id": ["d1"] * queries + ["d2"] * queries}
    return run(), run(), pa.table({**grades, "relevance": [1.0] * queries + [2.0] * queries})


def decided(a: object, b: object, judgments: object) -> rd.Verdict:
    """The verdict on two runs."""
    return rd.decide(rd.compare(a, b, judgments))


def test_python_runs_no_step_for_a_row_and_few_for_a_query() -> None:
    """A hundred times the rows, or the queries, take hardly more steps: the loops are those of numpy and Arrow."""
    decided(*tables(2, 5))  # what is loaded once counts for neither
    few, deep, many = (steps(decided, *tables(*size)) for size in ((20, 10), (20, 1_000), (2_000, 10)))
    assert deep <= 1.3 * few
    assert many <= 1.6 * few


@pytest.mark.skipif(not IO.exists(), reason="the system does not count what is read")
@pytest.mark.parametrize("large", [1, 1 << 40], ids=["in pieces", "whole"])
def test_a_file_is_read_three_times_at_most(large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows, its digest, and where it is read whole its lines are counted before."""
    monkeypatch.setattr("rankdash.scoring.blocks.LARGE", large)
    files = [tmp_path / name for name in "ab"]
    for file, tenth in zip(files, "12", strict=True):
        lists = (f"q{at} Q0 document-{doc} {doc} {99 - doc}.{tenth} t\n" for at in range(1_500) for doc in range(40))
        file.write_text("".join(lists))
    judgments = {f"q{at}": {"document-1": 1} for at in range(1_500)}

    def read() -> int:
        return int(IO.read_text().split()[1])

    rd.score(*files, judgments)
    before = read()
    rd.score(*files, judgments)
    assert read() - before <= (2.2 if large == 1 else 3.3) * sum(file.stat().st_size for file in files)
