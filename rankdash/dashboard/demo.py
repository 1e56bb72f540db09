"""The comparison that a first visit sees."""

from __future__ import annotations

import io
from collections.abc import Mapping

import streamlit as st

from rankdash import api, style
from rankdash.case import Case
from rankdash.installation import resource

FOLDER = resource("data/demo")
NAME = style.DEMO_NAME
FILES = ("run_a.csv", "run_b.csv", "judgments.csv", "queries.csv")


@st.cache_resource(show_spinner=False)
def files() -> Mapping[str, bytes]:
    """Return the demo's files that are installed, read once."""
    return {name: (FOLDER / name).read_bytes() for name in FILES if (FOLDER / name).is_file()}


@st.cache_resource(show_spinner=False)
def tables() -> api.Demo | None:
    """Run A, run B, the judgments and the queries of the demo; None where a file is not installed."""
    return api.demo() if len(files()) == len(FILES) else None


def is_shown(case: Case) -> bool:
    """Return whether A and B are the demo's: a comparison of other runs is not the demo, whatever judges them."""
    return {*case.identities} <= {table.source.identity for table in tables() or ()}


def named(name: str, content: bytes) -> io.BytesIO:
    """Return a file in memory that has a name."""
    source = io.BytesIO(content)
    source.name = name
    return source
