"""What stands behind every chart and table for those who do not see it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

VIEWS = sorted((Path(__file__).parents[2] / "rankdash/dashboard").rglob("*.py"))
DRAWN = {"plotly_chart", "table", "dataframe"}


def calls(file: Path) -> list[ast.Call]:
    """The calls in a file that put a chart or a table on a page."""
    return [
        node
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in DRAWN
        and isinstance(node.func.value, ast.Name | ast.Attribute)
        and ast.unparse(node.func.value) == "st"
    ]


@pytest.mark.parametrize("file", VIEWS, ids=lambda file: file.stem)
def test_every_chart_and_table_has_a_sentence(file: Path) -> None:
    """Each says in ``alt`` what it shows."""
    silent = [node.lineno for node in calls(file) if "alt" not in {keyword.arg for keyword in node.keywords}]
    assert not silent
