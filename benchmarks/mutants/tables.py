"""Mutants of module-level tables, which mutmut leaves alone: a row dropped, a number changed, two rows exchanged.

A table is a tuple, list, dict, set or number that a module assigns to a name at its top, and the defaults of a frozen
record's fields. Every mutant is run against the tests until one fails.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from benchmarks.mutants.copying import tests
from benchmarks.mutants.importing import passing

EQUIVALENT = Path(__file__).parent / "equivalent_tables.toml"
#: Names that hold types or text for people who read the source, and no table of the field.
_NO_TABLE = frozenset({"__all__"})

_NUMBERS = ("tests/metrics/test_cases.py", "tests/metrics/test_names.py", "tests/test_gains.py", "tests/test_method.py")
_RULES = ("tests/verdict", "tests/test_verdict.py", "tests/test_caveats.py")
#: What is tried first, in a second or two; then the tests of the rules or numbers; then all tests of some rooms.
DECLARED = ("tests/test_tables.py",)
QUICK: Mapping[str, tuple[str, ...]] = {
    "conventions": _NUMBERS,
    "metrics": _NUMBERS,
    "judged": ("tests/judged", "tests/metrics/test_cases.py"),
    "comparison": ("tests/test_concerns.py", "tests/test_comparison.py", "tests/test_swapped.py"),
    "evidence": ("tests/evidence",),
    "verdict": _RULES,
    "policy": ("tests/test_policy.py",),
}


@dataclass(frozen=True)
class TableMutant:
    """One fault: the file, what is changed in words, and the bytes from ``start`` to ``end`` that become ``text``."""

    file: Path
    what: str
    edits: tuple[tuple[int, int, bytes], ...]

    @property
    def table(self) -> str:
        """The name of the table."""
        return self.what.partition(":")[0]

    def applied(self, source: bytes) -> bytes:
        """The source with the fault in it."""
        for start, end, text in sorted(self.edits, reverse=True):
            source = source[:start] + text + source[end:]
        return source


def run(tree: Path, rooms: Sequence[str], workers: int) -> list[TableMutant]:
    """The mutants that no test notices, printed."""
    equivalent = {(one["file"], one["table"]) for one in tomllib.loads(EQUIVALENT.read_text("utf-8"))["table"]}
    every = [fault for path in _files(tree, rooms) for fault in mutants(path)]
    faults = [fault for fault in every if (fault.file.relative_to(tree).as_posix(), fault.table) not in equivalent]
    survivors = []
    for room, some in _by_room(tree, faults).items():
        left = some
        for names in (DECLARED, QUICK[room], tests(tree)):
            left = list(_survivors(tree, left, names, workers)) if left else left
        print(f"tables of {room}: {len(some) - len(left)} of {len(some)} mutants killed", flush=True)
        for fault in left:
            print(f"  survives: {fault.file.relative_to(tree)}: {fault.what}", flush=True)
        survivors += left
    verdict = "MISSED" if survivors else "OK"
    print(
        f"tables: {len(faults) - len(survivors)} of {len(faults)} mutants killed (all of them: {verdict}); "
        f"{len(every) - len(faults)} that are equivalent are not counted"
    )
    return survivors


def _files(tree: Path, rooms: Sequence[str]) -> list[Path]:
    package = tree / "rankdash"
    inside = (path for room in (*rooms, "policy") for path in sorted((package / room).rglob("*.py")))
    return [package / "conventions.py", *inside]


def _by_room(tree: Path, faults: Iterable[TableMutant]) -> dict[str, list[TableMutant]]:
    rooms: dict[str, list[TableMutant]] = {}
    for fault in faults:
        name = fault.file.relative_to(tree / "rankdash").parts[0].removesuffix(".py")
        rooms.setdefault(name, []).append(fault)
    return rooms


def _survivors(tree: Path, faults: Sequence[TableMutant], names: Sequence[str], workers: int) -> Iterator[TableMutant]:
    sources = {number: (fault.file, fault.applied(fault.file.read_bytes())) for number, fault in enumerate(faults)}
    for number, passed in passing(tree, sources, names, workers):
        if passed:
            yield faults[number]


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
    for node in () if _is_field(value) else ast.walk(value):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, bool | int | float):
            continue
        other = (not node.value) if isinstance(node.value, bool) else node.value * 2 + 1
        edit = (*source.span(node, node), repr(other).encode())
        yield TableMutant(source.path, f"{name}: {node.value} -> {other} in line {node.lineno}", (edit,))


def _rows(source: _Source, name: str, value: ast.expr) -> Iterator[TableMutant]:
    """Each row of a table dropped, and each exchanged with the next one; of a mapping, what the keys stand for."""
    value = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords else value
    rows = _elements(value)
    if len(rows) < 2:
        return
    for start, end in (source.span(first, last) for first, last in rows):
        comma = re.match(rb"\s*,", source.text[end:])
        cut = end + (comma.end() if comma else 0)
        yield TableMutant(source.path, f"{name}: without {_short(source.text[start:end])}", ((start, cut, b""),))
    if isinstance(value, ast.Tuple | ast.List | ast.Dict):
        spans = [source.span(last, last) for _, last in rows]
        for one, other in pairwise(spans):
            texts = source.text[slice(*one)], source.text[slice(*other)]
            if texts[0] != texts[1]:
                what = f"{name}: {_short(texts[0])} and {_short(texts[1])} exchanged"
                yield TableMutant(source.path, what, ((*one, texts[1]), (*other, texts[0])))


def _is_field(value: ast.expr) -> bool:
    """Whether this is dataclasses.field(...), whose switches say how a record is made and are no row of a table."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "field"


def _elements(value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """First and last node of every row of a table."""
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        return [(one, one) for one in value.elts]
    if isinstance(value, ast.Dict):
        return [(key, one) for key, one in zip(value.keys, value.values, strict=True) if key is not None]
    return []


def _short(text: bytes) -> str:
    return " ".join(text.decode().split())[:60]
