"""Mutants of module-level tables, which mutmut leaves alone: a row dropped, a number changed, two rows exchanged.

A table is a tuple, list, dict, set or number that a module assigns to a name at its top, and the defaults of a frozen
record's fields. Every mutant is run against the tests until one fails.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, rmtree

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
    """The mutants that no test notices, printed as they are found."""
    faults = [fault for room in rooms for path in sorted((tree / "rankdash" / room).rglob("*.py")) for fault in mutants(path)]
    faults += [fault for fault in mutants(tree / "rankdash" / "conventions.py")]
    faults += [fault for path in sorted((tree / "rankdash" / "policy").rglob("*.py")) for fault in mutants(path)]
    workers = os.cpu_count() or 2
    trees = [tree.with_name(f"{tree.name}-tables-{number}") for number in range(workers)]
    for other in trees:
        rmtree(other, ignore_errors=True)
        (tree / "mutants").exists()
        copytree(tree, other, ignore=lambda folder, names: {"mutants"} if Path(folder) == tree else set())
    with ThreadPoolExecutor(workers) as pool:
        shares = [faults[number::workers] for number in range(workers)]
        found = pool.map(_survivors, [tree] * workers, trees, shares)
        survivors = [fault for part in found for fault in part]
    killed = len(faults) - len(survivors)
    print(f"tables: {killed} of {len(faults)} mutants killed ({'OK' if not survivors else 'MISSED'})")
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
    ran = subprocess.run(command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return ran.returncode == 0


def mutants(path: Path) -> Iterator[TableMutant]:
    """The faults of every table of a module."""
    source = path.read_bytes()
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))

    def span(node: ast.expr | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset

    for name, value in _tables(ast.parse(source)):
        yield from _numbers(path, name, value, span)
        yield from _rows(path, name, value, span, source)


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


def _numbers(path: Path, name: str, value: ast.expr, span: object) -> Iterator[TableMutant]:
    """Every number made another one, every truth value the other one."""
    for node in ast.walk(value):
        if not isinstance(node, ast.Constant) or isinstance(node.value, str | bytes) or node.value in (None, ...):
            continue
        other = (not node.value) if isinstance(node.value, bool) else node.value * 2 + 1
        start, end = span(node)  # type: ignore[operator]
        yield TableMutant(path, f"{name}: {node.value} -> {other} in line {node.lineno}", ((start, end, repr(other).encode()),))


def _rows(path: Path, name: str, value: ast.expr, span: object, source: bytes) -> Iterator[TableMutant]:
    """Each row of a table dropped, and each exchanged with the next one of another content."""
    rows = _elements(value)
    spans = [(span(first)[0], span(last)[1]) for first, last in rows]  # type: ignore[operator]
    texts = [source[start:end] for start, end in spans]
    for (start, end), text in zip(spans, texts, strict=True):
        after = source[end:].lstrip()
        cut = end + len(source[end:]) - len(after) + 1 if after.startswith(b",") else end
        if len(rows) > 1:
            yield TableMutant(path, f"{name}: without {_short(text)}", ((start, cut, b""),))
    if isinstance(value, ast.Tuple | ast.List | ast.Call):
        for one, other in zip(range(len(rows)), range(1, len(rows)), strict=False):
            if texts[one] != texts[other]:
                edits = ((*spans[one], texts[other]), (*spans[other], texts[one]))
                yield TableMutant(path, f"{name}: {_short(texts[one])} and {_short(texts[other])} exchanged", edits)


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
