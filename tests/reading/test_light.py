"""What reading a file never loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[2]

SCRIPT = """
import contextlib, sys
from rankdash.reading import ReadError, read_judgments, read_models, read_run
csv = b"query_id,doc_id,rank,title\\nq, a ,1,x\\nq,b,2,y\\n"
read_run(b"q Q0 a 1 2 t\\nq Q0 b 2 1 t\\n")
read_run(b"q  Q0 a 1 nan t\\n q Q0 b 2 1 t\\n")
read_run(csv)
read_run(csv.replace(b",2,", b",2.0,"))
read_run(b"q\\ta\\t1\\nq\\tb\\t2\\n")
read_run(b'query_id\\tdoc_id\\n"q"\\t"a"\\nq\\tb\\n')
read_run({"q": {"a": 1}})
read_run("run.parquet")
read_models(csv.replace(b"title", b"model"))
read_judgments(b"q 0 a 1\\n")
read_judgments(b"query_id,doc_id,relevance\\nq,a,\\nq,b,1\\n")
bad = [csv.replace(b",2,", b",2.5,"), csv.replace(b",2,", b",two,")]
for bad in (*bad, csv + b"x\\n", csv + b"\\xff", b"", csv.replace(b"doc_id", b"foo")):
    with contextlib.suppress(ReadError):
        read_run(bad)
        raise AssertionError(bad)
for slow in ("pandas", "scipy", "streamlit", "plotly", "python_calamine"):
    if slow in sys.modules:
        print(slow)
"""


def test_no_file_loads_pandas(tmp_path: Path) -> None:
    """Neither good nor bad TREC, CSV and Parquet files nor dicts load pandas, scipy, streamlit or plotly."""
    table = pa.table({"query_id": pa.array([7, 7]), "doc_id": ["a", "b"], "rank": [1, 2], "title": ["x", None]})
    pq.write_table(table, tmp_path / "run.parquet")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")
