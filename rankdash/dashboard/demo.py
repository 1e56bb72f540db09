"""The comparison that a first visit sees."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from rankdash import style
from rankdash.case import Case
from rankdash.installation import resource
from rankdash.reading import read_judgments, read_queries, read_run
from rankdash.tables import Judgments, Queries, Run

FOLDER = resource("data/demo")
NAME = style.DEMO_NAME
#: The SHA-256 of each file: a truncated or changed file is not the demo that the pages describe.
DIGESTS: Mapping[str, str] = MappingProxyType(
    {
        "run_a.csv": "0fb0813b4e4c0b80c6cc2b4277fc7332a42b3bf16264b70ee8e07737bca3499d",
        "run_b.csv": "ef9a6a98a2868b5b0b0e7b6bb026b74b081b85db07ee92e0e37cade293d61446",
        "judgments.csv": "10c51a3e7e9e1d3c6a09804f2127d0be99c01b83bb996a54a32d99d85c17b9d4",
        "queries.csv": "b219753c2b399aa41da78af507a188b298f10c5527170f4348c93a922432a850",
    }
)


@dataclass(frozen=True)
class DemoFiles:
    """The content of the demo's files that are as they were made, and a sentence about each of the others."""

    content: Mapping[str, bytes]
    problems: tuple[str, ...]


@st.cache_resource(show_spinner=False)
def files() -> DemoFiles:
    """Return the demo's files, read once."""
    content: dict[str, bytes] = {}
    problems: list[str] = []
    for name, digest in DIGESTS.items():
        try:
            data = (FOLDER / name).read_bytes()
        except OSError:
            problems.append(style.DEMO_MISSING.format(file=name))
            continue
        if hashlib.sha256(data).hexdigest() == digest:
            content[name] = data
        else:
            problems.append(style.DEMO_CHANGED.format(file=name))
    return DemoFiles(content, tuple(problems))


@st.cache_resource(show_spinner=False)
def tables() -> tuple[Run, Run, Judgments, Queries] | None:
    """Run A, run B, the judgments and the queries of the demo; None where a file is not as it was made."""
    if files().problems:
        return None
    source = {name: named(name, content) for name, content in files().content.items()}
    a, b = (
        read_run(source[file], name=name)
        for file, name in zip(("run_a.csv", "run_b.csv"), style.DEMO_MODELS, strict=True)
    )
    return a, b, read_judgments(source["judgments.csv"]), read_queries(source["queries.csv"])


def is_shown(case: Case) -> bool:
    """Return whether A and B are the demo's: a comparison of other runs is not the demo, whatever judges them."""
    return {*case.file_digests} <= {*DIGESTS.values()}


def named(name: str, content: bytes) -> io.BytesIO:
    """Return a file in memory that has a name."""
    source = io.BytesIO(content)
    source.name = name
    return source
