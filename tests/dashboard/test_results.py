"""Results that sessions share are keyed on all that they are made of, made once, and hash no table by a sample."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.dashboard import results
from rankdash.dashboard.results import digest
from rankdash.edits import Edit
from tests.truth.revisions import POLICIES, judgments, run, votes

PACKAGE = Path(__file__).parents[2] / "rankdash"
#: What keeps results: our own decorator, Streamlit's, Python's.
KEEPERS = {"cache_data", "cache_resource", "lru_cache", "cache", "cached"}
#: Where a file can name one of them: in a decorator.
DECORATED = re.compile(rf"^ *@.*\b({'|'.join(KEEPERS)})\b".encode(), re.MULTILINE)
SESSION = PACKAGE / "dashboard" / "session"
#: What a result may not depend on, for no key holds it: Streamlit, and the modules that read what a session has open.
READS = re.compile(r"\bsession\.(now|change)\(")
OF_A_SESSION = {"st", "session", *(path.stem for path in SESSION.glob("*.py") if READS.search(path.read_text("utf-8")))}
#: What those modules offer that reads no session.
OF_ALL_SESSIONS = {"Case", "opened"}


def _keeper(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def cached() -> Iterator[tuple[str, str, ast.FunctionDef]]:
    """File, keeper and function of everything in the package that keeps results."""
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if not DECORATED.search(text):  # parsing all files takes a second and a half
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                for decorator in node.decorator_list:
                    if _keeper(decorator) in KEEPERS:
                        yield str(path.relative_to(PACKAGE)), _keeper(decorator), node


FOUND = list(cached())


def test_cached_functions_are_found() -> None:
    """The search sees what keeps comparisons, rankings, views, charts, rows and presets."""
    names = {node.name for _, keeper, node in FOUND if keeper == "cached"}
    assert names >= {"_opened", "_joined", "_viewed", "_pair", "figure", "_concerns", "_under"}


@pytest.mark.parametrize(("file", "keeper", "node"), FOUND, ids=lambda one: getattr(one, "name", str(one)))
def test_a_cached_function_reads_its_key_and_nothing_else(file: str, keeper: str, node: ast.FunctionDef) -> None:
    """No argument is left out of a key, and what is shared by sessions reads nothing of a session.

    Streamlit's own caches keep only what takes no argument but a name: what belongs to the program and its files.
    """
    parameters = [one.arg for one in (*node.args.args, *node.args.kwonlyargs)]
    assert not [name for name in parameters if name.startswith("_")]
    if keeper in ("cache_data", "cache_resource"):
        kinds = {ast.unparse(one.annotation) for one in node.args.args if one.annotation}
        assert kinds <= {"api.DemoName"}, f"{file}: key {node.name} by dashboard/results.py"
    if keeper == "cached":
        body = [child for statement in node.body for child in ast.walk(statement)]
        inside = [child.value for child in body if isinstance(child, ast.Attribute) and child.attr in OF_ALL_SESSIONS]
        read = {child.id for child in body if isinstance(child, ast.Name) and child not in inside}
        assert not read & OF_A_SESSION
        opened = [c for c in body if isinstance(c, ast.Call) and getattr(c.func, "attr", "") == "opened"]
        assert all(len(call.args) == 2 for call in opened), "without a policy it is that of the session"


def others(value: Any) -> Iterator[Any]:
    """The same value with something else in it, at every place where there is anything."""
    if is_dataclass(value) and not isinstance(value, type):
        yield from _other_records(value)
    elif isinstance(value, pa.Table):
        yield from _other_tables(value)
    elif isinstance(value, tuple):
        yield (*value, "more")
        for i, item in enumerate(value):
            for other in others(item):
                yield (*value[:i], other, *value[i + 1 :])
    elif isinstance(value, str):
        yield f"{value}x"
    else:
        yield "something" if value is None else value + 1


def _other_records(value: Any) -> Iterator[Any]:
    for field in fields(value):
        for other in others(getattr(value, field.name)):
            try:
                yield replace(value, **{field.name: other})
            except (ValueError, TypeError):
                continue  # there is no such policy or convention


def _other_tables(value: pa.Table) -> Iterator[pa.Table]:
    yield value.slice(1)
    yield value.rename_columns([f"{name}x" for name in value.column_names])
    for i, name in enumerate(value.column_names):
        rows, kind = value.column(i).to_pylist(), value.schema.field(i).type
        changed = [f"{rows[0]}x" if isinstance(rows[0], str) else rows[0] + 1, *rows[1:]]
        ids = pa.types.is_dictionary(kind)
        plain = pa.array(changed, kind.value_type if ids else kind)
        yield value.set_column(i, name, plain.dictionary_encode() if ids else plain)


def test_a_digest_changes_with_everything_in_it() -> None:
    """Every name, note, cell, column, decision, edit, field of a policy: each gives another digest than all others."""
    graded = Edit("q1", "d1", "grade", None, None, 3)
    queries = rd.read_queries([{"query_id": "q1", "text": "t", "weight": "2"}])
    inputs = Case((run("r0"), run("r1")), judgments("j0"), queries, votes(), edits=(graded,), name="name")
    for value in (inputs, *POLICIES.values()):
        made = [value, *others(value)]
        assert len({digest(one) for one in made}) == len(made)


def test_readings_and_runs_of_one_file_and_tables_in_memory_differ() -> None:
    """One file read in two ways, both models of one file, and dicts and frames of one name are told apart."""
    one, two = rd.read_models(b"model,query_id,doc_id,rank\nx,q1,d1,1\ny,q1,d1,1\n").runs
    dicts = [rd.read_run({"q1": {"d1": score}}, name="dict") for score in (1.0, 2.0)]
    made = [run("r0"), run("r0", "score"), run("r1"), one, two, *dicts, run("r0").renamed("other")]
    assert len({digest(each) for each in made}) == len(made)
    assert digest(np.zeros(2)) != digest(np.zeros(2, np.int64)) != digest(np.zeros((2, 1), np.int64))
    assert digest(("ab", "c")) != digest(("a", "bc")) != digest(["a", "bc"])
    with pytest.raises(TypeError):
        digest(object())


def test_two_tables_that_differ_in_one_cell_share_no_result() -> None:
    """Streamlit hashes a sample of a large table: a result is kept under one string, and made anew for another cell."""
    scores = np.zeros(200_000)

    @results.cached()
    def total(table: pa.Table, array: np.ndarray) -> float:
        return float(table.column("x").to_numpy().sum() + array.sum())

    def of(place: int | None) -> pa.Table:
        changed = scores.copy()
        if place is not None:
            changed[place] = 1
        return pa.table({"x": changed})

    assert total(of(None), scores) == total(of(None), scores) == 0
    assert {total(of(place), scores) for place in (0, 77_777, 123_456)} == {1}
    assert total(of(None), of(99_999).column("x").to_numpy()) == 1
