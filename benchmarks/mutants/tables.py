"""Mutants of module-level tables, which mutmut leaves alone: a row dropped, a number changed, two rows exchanged.

A table is a tuple, list, dict, set or number that a module assigns to a name at its top, and the defaults of a frozen
record's fields. Every mutant is run against the tests until one fails.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

from benchmarks.mutants.copying import tests

#: Names that hold types or text for people who read the source, and no table of the field.
_NO_TABLE = frozenset({"__all__"})


@dataclass(frozen=True)
class TableMutant:
    """One fault: the file, what is changed in words, and the bytes from ``start`` to ``end`` that become ``text``."""

    file: Path
    what: str
    edits: tuple[tuple[int, int, bytes], ...]

    def applied(self, source: bytes) -> bytes:
        """The source with the fault in it."""
        for start, end, text in sorted(self.edits, reverse=True):
            source = source[:start] + text + source[end:]
        return source


def run(tree: Path, rooms: Sequence[str]) -> list[TableMutant]:
    """The mutants that no test notices, printed."""
    package = tree / "rankdash"
    files = [path for room in (*rooms, "policy") for path in sorted((package / room).rglob("*.py"))]
    faults = [fault for path in (package / "conventions.py", *files) for fault in mutants(path)]
    workers = os.cpu_count() or 2
    copies = [tree.with_name(f"{tree.name}-tables-{number}") for number in range(workers)]
    for copy in copies:
        rmtree(copy, ignore_errors=True)
        copytree(tree, copy, ignore=ignore_patterns("mutants", ".git"))
    if not _passes(copies[0]):
        raise SystemExit(f"the tests fail without any fault in {copies[0]}")
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda n: _survivors(tree, copies[n], faults[n::workers]), range(workers))
        survivors = [fault for part in parts for fault in part]
    verdict = "MISSED" if survivors else "OK"
    print(f"tables: {len(faults) - len(survivors)} of {len(faults)} mutants killed (all of them: {verdict})")
    for fault in survivors:
        print(f"  {fault.file.relative_to(tree)}: {fault.what}")
    return survivors


def _survivors(tree: Path, copy: Path, faults: Sequence[TableMutant]) -> list[TableMutant]:
    found = []
    for fault in faults:
        path = copy / fault.file.relative_to(tree)
        source = path.read_bytes()
        path.write_bytes(fault.applied(source))
        if _passes(copy):
            found.append(fault)
        path.write_bytes(source)
    return found


def _passes(tree: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--all", "-p", "no:cacheprovider", *tests(tree)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    ran = subprocess.run(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return ran.returncode == 0


@dataclass(frozen=True)
class _Source:
    """A module, and where its nodes stand in its bytes."""

    path: Path
    text: bytes
    lines: tuple[int, ...]  # where each line begins

    @classmethod
    def of(cls, path: Path) -> _Source:
        text = path.read_bytes()
        return cls(path, text, (0, *accumulate(map(len, text.splitlines(keepends=True)))))

    def span(self, first: ast.expr, last: ast.expr) -> tuple[int, int]:
        """The bytes from the beginning of one node to the end of another."""
        end_line, end_column = last.end_lineno or last.lineno, last.end_col_offset or last.col_offset
        return self.lines[first.lineno - 1] + first.col_offset, self.lines[end_line - 1] + end_column


def mutants(path: Path) -> Iterator[TableMutant]:
    """The faults of every table of a module."""
    source = _Source.of(path)
    for name, value in _tables(ast.parse(source.text)):
        yield from _numbers(source, name, value)
        yield from _rows(source, name, value)


def _tables(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names at the top of a module, and fields of its frozen records, with what they are given."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.dump(one) for one in node.decorator_list):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.value is not None:
                    yield f"{node.name}.{field.target.id}", field.value
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id not in _NO_TABLE:
                yield target.id, node.value


def _numbers(source: _Source, name: str, value: ast.expr) -> Iterator[TableMutant]:
    """Every number made another one, every truth value the other one."""
    for node in ast.walk(value):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, bool | int | float):
            continue
        other = (not node.value) if isinstance(node.value, bool) else node.value * 2 + 1
        edit = (*source.span(node, node), repr(other).encode())
        yield TableMutant(source.path, f"{name}: {node.value} -> {other} in line {node.lineno}", (edit,))


def _rows(source: _Source, name: str, value: ast.expr) -> Iterator[TableMutant]:
    """Each row of a table dropped, and each exchanged with the next one."""
    rows = _elements(value)
    if len(rows) < 2:
        return
    spans = [source.span(first, last) for first, last in rows]
    texts = [source.text[start:end] for start, end in spans]
    for (start, end), text in zip(spans, texts, strict=True):
        comma = re.match(rb"\s*,", source.text[end:])
        cut = end + (comma.end() if comma else 0)
        yield TableMutant(source.path, f"{name}: without {_short(text)}", ((start, cut, b""),))
    if isinstance(value, ast.Tuple | ast.List | ast.Call):
        for one, other in pairwise(range(len(rows))):
            edits = ((*spans[one], texts[other]), (*spans[other], texts[one]))
            what = f"{name}: {_short(texts[one])} and {_short(texts[other])} exchanged"
            yield TableMutant(source.path, what, edits)


def _elements(value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """First and last node of every row of a table."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords:
        return _elements(value.args[0])
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        return [(one, one) for one in value.elts]
    if isinstance(value, ast.Dict):
        return [(key, one) for key, one in zip(value.keys, value.values, strict=True) if key is not None]
    return []


def _short(text: bytes) -> str:
    return " ".join(text.decode().split())[:60]
