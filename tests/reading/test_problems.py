"""Problems and notes: a code for programs, a sentence for people, and each decision named as its reader makes it."""

import ast
import copy
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from rankdash.cli.commands import parser
from rankdash.notes import SENTENCES, advise, from_values, to_values
from rankdash.reading import Limits, Options, ReadError, read_judgments, read_run, read_votes
from rankdash.reading.problems import Code

PACKAGE = Path(__file__).parents[2] / "rankdash"
TREC = b"q1 Q0 d1 1 2.0 old\nq1 Q0 d2 2 1.0 old\n"
#: A source for each code: reader, source, options.
CASES: dict[Code, tuple[Any, Any, dict[str, Any]]] = {
    "bad_encoding": (read_run, "q1 Q0 d\xe9 1 2.0 old\n".encode("latin-1"), {"encoding": "utf-8"}),
    "bad_option": (read_run, b"query_id,doc_id,rank\nq1,d1,1\n", {"columns": {"doc_id": "nothing"}}),
    "bad_value": (read_judgments, b"query_id,doc_id,relevance\nq1,d1,2\nq1,d2,1x5\n", {}),
    "empty": (read_run, b"", {}),
    "malformed": (read_run, b'[{"query_id": "q1", "doc_id": ]', {}),
    "missing_column": (read_judgments, b"query_id,doc_id,mine\nq1,d1,2\n", {}),
    "missing_value": (read_run, b"query_id,doc_id,rank\n,d1,1\nq1,d2,2\n", {}),
    "other_kind": (read_judgments, TREC, {}),
    "too_large": (read_run, TREC, {"limits": Limits(rows=1)}),
    "unclear": (read_votes, b"query_id,model_a,model_b,vote\nq1,x,y,good\nq1,x,z,bad\n", {}),
    "unreadable": (read_run, "there/is/no/such.file", {}),
    "unsupported": (read_run, b"%PDF-1.7\n", {}),
}


@pytest.mark.parametrize("code", CASES)
def test_a_problem_has_the_code_of_what_is_wrong(code: Code) -> None:
    """Each code of the table is that of the problem that its words describe."""
    reader, source, options = CASES[code]
    with pytest.raises(ReadError) as caught:
        reader(source, **options)
    assert {problem.code for problem in caught.value.problems} == {code}


def test_every_problem_has_a_code_of_the_table() -> None:
    """No place makes a problem without a code, and no code of the table is left unused."""
    codes = []
    for file in [*(PACKAGE / "reading").rglob("*.py"), PACKAGE / "intake.py"]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="refuse" | "Problem" | "BadCells")):
                    codes.append(node.args[0])
    named = [place.value for place in codes if isinstance(place, ast.Constant)]
    assert set(named) == set(CASES) == set(get_args(Code))
    assert sum(not isinstance(place, ast.Constant) for place in codes) < 6  # handed on


@pytest.mark.parametrize("code", SENTENCES)
def test_every_sentence_names_its_decision_as_its_reader_makes_it(code: str) -> None:
    """A shell names an option that there is, Python an argument, a page neither; text of files stays as it is."""
    places = re.findall(r"\{(\w+)(:,)?", SENTENCES[code][1])
    facts: dict[str, Any] = {name: 3 if number else "{0}" for name, number in places} | {"key": "x"}
    sentence = advise(code, **{name: fact for name, fact in facts.items() if name.lower() != "choice"}, column="{y}")
    commands = next(action.choices["compare"] for action in parser()._actions if action.choices)  # type: ignore[call-overload,index]
    options = {name for action in commands._actions for name in action.option_strings}
    named = set(re.findall(r"--[a-z]+", sentence.phrase("shell")))
    assert named
    assert named <= options
    argument = re.search(r"\b([a-z]+)=", sentence.phrase("api"))
    assert argument
    assert argument[1] in {"order", "names", "queries", "judgments", *(field.name for field in fields(Options))}
    assert not re.search(r"--[a-z]|[a-z]=", sentence.phrase("page"))


def test_equal_contents_of_a_column_have_one_line() -> None:
    """Each word in place of a grade is named once, with the number of the other cells."""
    rows = b"".join(b"q,d%d,%s\n" % (row, (b"alpha", b"beta")[row % 2]) for row in range(30))
    with pytest.raises(ReadError) as refused:
        read_judgments(b"query_id,doc_id,relevance\n" + rows)
    first, second, more = refused.value.lines("shell")
    assert ("alpha" in first, "beta" in second, "28 more" in more) == (True, True, True)


def test_notes_and_problems_are_records() -> None:
    """In Python they name arguments; they are copied, and sent as JSON, whole."""
    run = read_run(b"query_id,doc_id,docno,rank\nq1,d1,x,1\n")
    (note,) = [note for note in run.source.notes if note.level == "warning"]
    assert note.code == "column_passed_over"
    assert ("--columns" in note.phrase("shell"), "--columns" in str(note)) == (True, False)
    assert from_values(to_values(run.source.notes)) == copy.deepcopy(run.source).notes == run.source.notes
    with pytest.raises(ReadError) as caught:
        read_judgments(b"query_id,doc_id,mine\nq1,d1,2\n")
    (problem,) = caught.value.problems
    assert (problem.code, problem.allowed.code) == ("missing_column", "choose_column")
    assert problem.choice
    assert (problem.choice.option, problem.choice.key) == ("columns", "relevance")
    assert 'columns={"relevance": …}' in str(caught.value)
    assert "columns" not in caught.value.lines("page")[0]
