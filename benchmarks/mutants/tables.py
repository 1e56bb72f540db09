"""Mutants of module-level tables, which mutmut leaves alone: a row dropped, a number changed, two rows exchanged.

A table is a tuple, list, dict, set or number that a module assigns to a name at its top, and the defaults of a frozen
record's fields. Every mutant is run against the tests until one fails.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from benchmarks.mutants.importing import passing
from benchmarks.mutants.sources import Source, replaced

EQUIVALENT = Path(__file__).parent / "equivalent_tables.toml"
#: Names that hold types or text for people who read the source, and no table of the field.
_NO_TABLE = frozenset({"__all__"})

#: What has tables and is no room whose functions are mutated.
BESIDE = ("conventions", "policy")
#: What says most tables row by row, in a second or two.
_DECLARED = ("tests/policy/test_tables.py",)
_NUMBERS = (
    _DECLARED,
    ("tests/metrics/test_examples.py", "tests/metrics/test_values.py", "tests/metrics/test_likeness.py"),
    ("tests/metrics/test_names.py", "tests/inspect/test_method.py", "tests/metrics/test_scoring.py"),
    ("tests/test_gains.py",),
    ("tests/metrics/test_cases.py",),
)
#: For each room the tests of its tables in turns, the quick ones first: what survives a turn meets the next.
TURNS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "metrics": _NUMBERS,
    "judged": (
        ("tests/judged/test_apart.py", "tests/judged/test_first_ranks.py", "tests/judged/test_order.py"),
        ("tests/judged/test_fingerprints.py", "tests/metrics/test_scoring.py"),
    ),
    "comparison": (
        _DECLARED,
        ("tests/scored/test_settings_beside.py", "tests/comparison/test_swapped.py", "tests/drivers/test_spec.py"),
        ("tests/comparison",),
    ),
    "evidence": (
        _DECLARED,
        (
            "tests/evidence/test_sides.py",
            "tests/evidence/test_shown.py",
            "tests/evidence/test_limits.py",
            "tests/evidence/test_paired.py",
            "tests/evidence/test_harm_signflips.py",
            "tests/evidence/test_significance_tests.py",
        ),
        (
            "tests/evidence/test_gsb.py",
            "tests/evidence/test_power.py",
            "tests/evidence/test_bootstrap.py",
            "tests/evidence/test_distributions.py",
        ),
    ),
    "verdict": (_DECLARED, ("tests/verdict",)),
    "conventions": _NUMBERS,
    "policy": (_DECLARED, ("tests/policy/test_policy.py",)),
}


Edits = tuple[tuple[int, int, bytes], ...]


@dataclass(frozen=True)
class TableMutant:
    """One fault: the file, what is changed in words, and the bytes from ``start`` to ``end`` that become ``text``."""

    file: Path
    what: str
    edits: Edits

    @property
    def table(self) -> str:
        """The name of the table."""
        return self.what.partition(":")[0]

    def applied(self, source: bytes) -> bytes:
        """The source with the fault in it."""
        return replaced(source, self.edits)


@dataclass(frozen=True)
class Tally:
    """What became of the mutants of one room's tables; equivalent ones are not among ``number``."""

    room: str
    number: int
    equivalent: int
    survivors: list[str]

    def text(self) -> str:
        """The room's line, and its survivors."""
        killed, verdict = self.number - len(self.survivors), "MISSED" if self.survivors else "OK"
        line = f"tables of {self.room}: {killed} of {self.number} mutants killed (all of them: {verdict})"
        rest = f"{self.equivalent} that are equivalent are not counted"
        return "\n".join([f"{line}, {rest}", *(f"  survives: {one}" for one in self.survivors)])


def run(tree: Path, room: str, workers: int) -> Tally:
    """What became of the mutants of a room's tables."""
    equivalent = {(one["file"], one["table"]) for one in tomllib.loads(EQUIVALENT.read_text("utf-8"))["table"]}
    every = [fault for path in _files(tree / "rankdash", room) for fault in mutants(path)]
    faults = [fault for fault in every if (fault.file.relative_to(tree).as_posix(), fault.table) not in equivalent]
    left = faults
    for names in TURNS[room]:
        left = list(_survivors(tree, left, names, workers)) if left else left
    survivors = [f"{fault.file.relative_to(tree).as_posix()}: {fault.what}" for fault in left]
    return Tally(room, len(faults), len(every) - len(faults), survivors)


def named() -> list[str]:
    """Every test that is named for a room's tables."""
    return list(chain.from_iterable(chain.from_iterable(TURNS.values())))


def _files(package: Path, room: str) -> list[Path]:
    return sorted((package / room).rglob("*.py")) if (package / room).is_dir() else [package / f"{room}.py"]


def _survivors(tree: Path, faults: Sequence[TableMutant], names: Sequence[str], workers: int) -> Iterator[TableMutant]:
    sources = {number: (fault.file, fault.applied(fault.file.read_bytes())) for number, fault in enumerate(faults)}
    for number, passed in passing(tree, sources, names, workers):
        if passed:
            yield faults[number]


def mutants(path: Path) -> Iterator[TableMutant]:
    """The faults of every table of a module."""
    source = Source(path.read_bytes())
    for name, value in _tables(ast.parse(source.text)):
        for what, edits in (*_numbers(source, value), *_rows(source, value)):
            yield TableMutant(path, f"{name}: {what}", edits)


def _tables(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names at the top of a module, and fields of its frozen records, with what they are given."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.dump(one) for one in node.decorator_list):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and field.value is not None:
                    yield f"{node.name}.{field.target.id}", field.value
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            pairs = zip(target.elts, node.value.elts, strict=True) if several else [(target, node.value)]
            for one, value in pairs:
                if isinstance(one, ast.Name) and one.id not in _NO_TABLE:
                    yield one.id, value


def _numbers(source: Source, value: ast.expr) -> Iterator[tuple[str, Edits]]:
    """Every number made another one, every truth value the other one; what a lambda does is a function's matter."""
    for node in () if _is_field(value) else _outside_lambdas(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            other = (not node.value) if isinstance(node.value, bool) else node.value * 2 + 1
            yield f"{node.value} -> {other} in line {node.lineno}", ((*source.span(node, node), repr(other).encode()),)


def _outside_lambdas(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Lambda):
            yield from _outside_lambdas(child)


def _rows(source: Source, value: ast.expr) -> Iterator[tuple[str, Edits]]:
    """Each row of a table dropped, and each exchanged with the next one; of a mapping, what the keys stand for."""
    value = value.args[0] if isinstance(value, ast.Call) and len(value.args) == 1 and not value.keywords else value
    rows = _elements(value)
    if len(rows) < 2:
        return
    for start, end in (source.span(first, last) for first, last in rows):
        comma = re.match(rb"\s*,", source.text[end:])
        cut = end + (comma.end() if comma else 0)
        yield f"without {_short(source.text[start:end])}", ((start, cut, b""),)
    if isinstance(value, ast.Tuple | ast.List | ast.Dict):
        spans = [source.span(last, last) for _, last in rows]
        for one, other in pairwise(spans):
            texts = source.text[slice(*one)], source.text[slice(*other)]
            if texts[0] != texts[1]:
                what = f"{_short(texts[0])} and {_short(texts[1])} exchanged"
                yield what, ((*one, texts[1]), (*other, texts[0]))


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
