"""The comparison that a first visit sees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.csv
import streamlit as st

from rankdash import style
from rankdash.reading import read_judgments, read_run
from rankdash.tables import Judgments, Run

FOLDER = Path(__file__).parents[2] / "data" / "demo"
NAME = style.DEMO_NAME


@st.cache_resource(show_spinner=False)
def tables() -> tuple[Run, Run, Judgments] | None:
    """Run A, run B and the judgments of the demo; None where its files are not there."""
    if not (FOLDER / "judgments.csv").exists():
        return None
    texts = _texts()
    a, b = (
        _with_texts(read_run(FOLDER / file, name=name), texts)
        for file, name in zip(("run_a.csv", "run_b.csv"), style.DEMO_MODELS, strict=True)
    )
    return a, b, read_judgments(FOLDER / "judgments.csv")


@st.cache_resource(show_spinner=False)
def digests() -> frozenset[str]:
    """The digests of the demo's files."""
    return frozenset(table.source.sha256 for table in tables() or ())


def _texts() -> dict[str, str]:
    """What was asked, by query id: our own file, so its columns are known."""
    table = pyarrow.csv.read_csv(FOLDER / "queries.csv")
    return dict(zip(table.column("query_id").to_pylist(), table.column("text").to_pylist(), strict=True))


def _with_texts(run: Run, texts: dict[str, str]) -> Run:
    """The run with what was asked beside each row, as a file with a column for it would have it."""
    column = pyarrow.array([texts.get(query_id, "") for query_id in run.table.column("query_id").to_pylist()])
    return replace(run, table=run.table.append_column("query_text", column))
