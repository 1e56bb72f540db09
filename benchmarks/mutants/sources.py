"""Changes in the text of a module: where its nodes stand, and its lambdas as functions with names."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate


class Source:
    """The bytes of a module, and where its nodes stand in them."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._lines = (0, *accumulate(map(len, text.splitlines(keepends=True))))

    def line_of(self, node: ast.stmt) -> int:
        """The byte at which the line begins in which a node does."""
        return self._lines[node.lineno - 1]

    def span(self, first: ast.expr, last: ast.expr) -> tuple[int, int]:
        """The bytes from the beginning of one node to the end of another."""
        end_line, end_column = last.end_lineno or last.lineno, last.end_col_offset or last.col_offset
        return self._lines[first.lineno - 1] + first.col_offset, self._lines[end_line - 1] + end_column


def replaced(text: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """The text with other bytes from ``start`` to ``end`` of each edit; edits do not overlap."""
    for start, end, other in sorted(edits, reverse=True):
        text = text[:start] + other + text[end:]
    return text


def with_named_lambdas(text: bytes) -> str:
    """The source of a module in which every lambda of a statement at its top is a function above the statement, named
    after the place that the lambda has: ``C1_conditions``.
    """
    source, names, edits = Source(text), Counter[str](), []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            functions = ""
            for place, one in _lambdas(node.value, ast.unparse(target)):
                names[place] += 1
                name = place if names[place] == 1 else f"{place}_{names[place]}"
                body = text[slice(*source.span(one.body, one.body))].decode()
                functions += f"def {name}({ast.unparse(one.args)}):\n    return (\n        {body}\n    )\n\n\n"
                edits.append((*source.span(one, one), name.encode()))
            edits.append((source.line_of(node), source.line_of(node), functions.encode()))
    return replaced(text, edits).decode()


def _lambdas(node: ast.AST, place: str) -> Iterator[tuple[str, ast.Lambda]]:
    """The outermost lambdas within an expression, each with its place in words."""
    if isinstance(node, ast.Lambda):
        yield place, node
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            named = isinstance(key, ast.Constant) and str(key.value).isidentifier()
            yield from _lambdas(value, f"{place}_{key.value}" if named else place)  # type: ignore[union-attr]
    elif not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for child in ast.iter_child_nodes(node):
            within = f"{place}_{child.arg}" if isinstance(child, ast.keyword) and child.arg else place
            yield from _lambdas(child, within)
