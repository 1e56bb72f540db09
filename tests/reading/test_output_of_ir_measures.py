"""The output of ir_measures is refused by name, wherever lists or grades are wanted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd

VALUES = [(f"q{q}", measure, q / 7) for q in range(4) for measure in ("nDCG@10", "AP(rel=2)", "RR")]
FORMS = {
    "text": "".join(f"{query}\t{measure}\t{value:.4f}\n" for query, measure, value in VALUES),
    "one": "q1\tnDCG@10\t0.5\n",
    "json lines": "".join(
        json.dumps({"query_id": query, "measure": measure, "value": value}) + "\n" for query, measure, value in VALUES
    ),
}


@pytest.mark.parametrize("read", [rd.read_run, rd.read_judgments])
@pytest.mark.parametrize("form", FORMS)
def test_values_of_measures_are_no_lists_and_no_grades(form: str, read: Callable[..., Any], tmp_path: Path) -> None:
    """Whoever gives the values per query is told what they are, and what to give."""
    (tmp_path / "values.txt").write_text(FORMS[form], "utf-8")
    with pytest.raises(rd.ReadError, match=r"the output of ir_measures .*Give the run and the judgments"):
        read(tmp_path / "values.txt")


def test_lists_of_documents_that_are_called_as_measures_are_read(tmp_path: Path) -> None:
    """A document with such a name among others is no measure."""
    (tmp_path / "run.tsv").write_text("q1\tAP\t3.5\nq1\tother\t2.5\nq2\tRR\t1.5\n", "utf-8")
    assert len(rd.read_run(tmp_path / "run.tsv").table) == 3
