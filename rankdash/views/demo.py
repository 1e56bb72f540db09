"""The comparison that a first visit sees."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from rankdash import style
from rankdash.reading import read_judgments, read_queries, read_run
from rankdash.tables import Judgments, Queries, Run

FOLDER = Path(__file__).parents[2] / "data" / "demo"
NAME = style.DEMO_NAME


@st.cache_resource(show_spinner=False)
def tables() -> tuple[Run, Run, Judgments, Queries] | None:
    """Run A, run B, the judgments and the queries of the demo; None where its files are not there."""
    if not (FOLDER / "judgments.csv").exists():
        return None
    a, b = (
        read_run(FOLDER / file, name=name)
        for file, name in zip(("run_a.csv", "run_b.csv"), style.DEMO_MODELS, strict=True)
    )
    return a, b, read_judgments(FOLDER / "judgments.csv"), read_queries(FOLDER / "queries.csv")


@st.cache_resource(show_spinner=False)
def digests() -> frozenset[str]:
    """The digests of the demo's files."""
    return frozenset(table.source.sha256 for table in tables() or ())
