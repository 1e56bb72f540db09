"""Fields for text take no more than they need."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import rankdash

DASHBOARD = Path(rankdash.__file__).parent / "dashboard"
FIELDS = {"text_input", "text_area", "chat_input"}


def drawn() -> Iterator[tuple[str, ast.Call]]:
    """Every call that draws a field for text, by its own name or given to another function, with its place."""
    for path in DASHBOARD.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                first = node.func if _name(node.func) in FIELDS else node.args[0] if node.args else None
                if first is not None and _name(first) in FIELDS:
                    yield f"{path.relative_to(DASHBOARD)}:{node.lineno}", node


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_every_field_has_an_end() -> None:
    """Each field for text says how many letters it takes; Streamlit cuts off what a browser sends beyond."""
    found = dict(drawn())
    assert len(found) > 10
    bare = [
        place
        for place, call in found.items()
        if len(call.args) < 3 and not any(word.arg == "max_chars" for word in call.keywords)
    ]
    assert not bare
