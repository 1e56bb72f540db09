"""SECURITY.md: each promise has its tests, and its figures are those in force."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rankdash.reading.source import LIMITS, megabytes

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISES = re.findall(r"^- (.*?)(?=\n\n|\n- )", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise[:40])
def test_each_promise_has_its_tests(promise: str) -> None:
    """Behind each promise stand tests that exist under these names."""
    assert len(PROMISES) >= 12
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", promise)
    assert named
    for file, name in named:
        functions = {node.name for node in ast.walk(ast.parse((ROOT / file).read_bytes())) if hasattr(node, "name")}
        assert name in functions


def test_the_limits_are_those_in_force() -> None:
    """Every limit that is named is the one that the readers have."""
    sizes = [megabytes(size) for size in (LIMITS.unpacked, LIMITS.upload, LIMITS.line, LIMITS.memory)]
    for figure in (*sizes, f"{LIMITS.rows:,} rows", f"{LIMITS.columns:,} columns", f"{LIMITS.ratio} times"):
        assert figure in " ".join(TEXT.split())
    assert f"{LIMITS.seconds} seconds" in TEXT
