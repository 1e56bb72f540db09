"""Every problem of a source has a code, which tells a program what people read in the sentence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from rankdash.reading import Limits, ReadError, read_judgments, read_run, read_votes
from rankdash.reading.problems import CODES, Code

PACKAGE = Path(__file__).parents[2] / "rankdash"
TREC = b"q1 Q0 d1 1 2.0 old\nq1 Q0 d2 2 1.0 old\n"
PAIRS = b"query_id,model_a,model_b,vote\nq1,x,y,good\nq1,x,z,bad\n"
#: A source for each code: reader, source, options.
CASES: dict[Code, tuple[Any, Any, dict[str, Any]]] = {
    "bad_encoding": (read_run, "q1 Q0 d\xe9 1 2.0 old\n".encode("latin-1"), {"encoding": "utf-8"}),
    "bad_option": (read_run, b"query_id,doc_id,rank\nq1,d1,1\n", {"columns": {"doc_id": "nothing"}}),
    "bad_value": (read_judgments, b"query_id,doc_id,relevance\nq1,d1,2\nq1,d2,1,5\n".replace(b"1,5", b"1x5"), {}),
    "empty": (read_run, b"", {}),
    "malformed": (read_run, b'[{"query_id": "q1", "doc_id": ]', {}),
    "missing_column": (read_judgments, b"query_id,doc_id,mine\nq1,d1,2\n", {}),
    "missing_value": (read_run, b"query_id,doc_id,rank\n,d1,1\nq1,d2,2\n", {}),
    "other_kind": (read_judgments, TREC, {}),
    "too_large": (read_run, TREC, {"limits": Limits(rows=1)}),
    "unclear": (read_votes, PAIRS, {}),
    "unreadable": (read_run, "there/is/no/such.file", {}),
    "unsupported": (read_run, b"%PDF-1.7\n", {}),
}


@pytest.mark.parametrize("code", CODES)
def test_a_problem_has_the_code_of_what_is_wrong(code: Code) -> None:
    """Each code of the table is that of the problem that its words describe."""
    reader, source, options = CASES[code]
    with pytest.raises(ReadError) as caught:
        reader(source, **options)
    assert {problem.code for problem in caught.value.problems} == {code}


def made() -> Iterator[ast.expr]:
    """The first argument of every place of the readers that makes a problem."""
    for file in [*(PACKAGE / "reading").rglob("*.py"), *(PACKAGE / "intake").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="refuse" | "Problem" | "BadCells")):
                    yield node.args[0]


def test_every_problem_has_a_code_of_the_table() -> None:
    """No place makes a problem without a code, and no code of the table is left unused."""
    codes = [place.value for place in made() if isinstance(place, ast.Constant)]
    others = [ast.unparse(place) for place in made() if not isinstance(place, ast.Constant)]
    assert len(codes) > 100
    assert set(codes) == set(CODES) == set(get_args(Code))
    assert set(others) <= {"code", "cells.code"}  # handed on
