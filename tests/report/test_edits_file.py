"""The file of edits: out of the page, back into the page and the command line, exactly."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.edits import Edit, apply, misfits
from rankdash.judged import Order
from rankdash.report.tables import EditsError, is_edits, read_edits
from rankdash.report.tables import judgments_csv as judgments_as_csv
from rankdash.report.tables import run_csv as run_as_csv
from tests.browsed import judgments_csv, run_csv
from tests.edits.made_edits import edits_csv

EDITS = (
    Edit("q1", "d1-0", "grade", None, 0, 0.1234567890123),
    Edit("q2", "d2-0", "rank", "a", 1, 3),
    Edit("q3", "new", "add", "b", None, 2),
    Edit("q3", "d3-1", "remove", "a", 2, None),
    Edit("q1", "d1-0", "grade", None, 0.1234567890123, -1),
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Two runs, their judgments and edits of them."""
    content = {"a": run_csv(False), "b": run_csv(True), "q": judgments_csv(), "edits": edits_csv(EDITS)}
    found = {name: tmp_path / f"{name}.csv" for name in content}
    for name, path in found.items():
        path.write_bytes(content[name])
    return found


def compared(files: dict[str, Path], *more: str) -> tuple[int, dict]:
    """What the command line says of the files, as JSON."""
    out = files["a"].with_name("out.json")
    out.unlink(missing_ok=True)
    named = [str(files["a"]), str(files["b"]), "--judgments", str(files["q"]), "--json", str(out), *more]
    status = main(["compare", *named])
    return status, json.loads(out.read_text("utf-8")) if out.exists() else {}


def test_edits_come_back_as_they_were() -> None:
    """Ids that look like formulas, every digit of a grade, missing numbers, order: all of it survives the file."""
    hostile = (Edit("=q", '\'-d,\n"x"', "grade", "a", None, 1 / 3), Edit("+q", "@d", "add", "b", None, 1))
    for edits in (EDITS, hostile, ()):
        content = edits_csv(edits)
        assert is_edits(content)
        assert read_edits(content, "edits.csv") == edits


def test_the_command_line_applies_edits_and_says_so(files: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The numbers are those of the edited tables; JSON, text and per-query values name what was edited."""
    tables = apply(EDITS, *(rd.read_run(files[side]) for side in "ab"), rd.read_judgments(files["q"]))
    truth = rd.compare(tables.a, tables.b, tables.judgments)
    per_query = files["a"].with_name("values.csv")
    status, found = compared(files, "--edits", str(files["edits"]), "--per-query", str(per_query))
    assert status == 0
    assert found["measures"][0]["delta"] == truth.primary.paired.delta
    assert [edit["doc_id"] for edit in found["edits"]] == [edit.doc_id for edit in EDITS]
    lines = per_query.read_text("utf-8").splitlines()
    assert lines[0].endswith('"edited"')
    assert {line.split(",")[0].strip('"') for line in lines[1:] if line.endswith('"yes"')} == {"q1", "q2", "q3"}
    named = [str(files["a"]), str(files["b"]), "--judgments", str(files["q"])]
    assert main(["compare", *named, "--edits", str(files["edits"])]) == 0
    assert "edited: 5 edits" in capsys.readouterr().out
    assert compared(files)[1]["edits"] == []


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("q1,d,move,A,,1", "is no edit"),
        ("q1,d,rank,A and B,,1", "is no list"),
        ("q1,d,rank,A,1,0", "is no rank from 1"),
        ("q1,d,rank,A,1,", '"after" is empty'),
        ("q1,d,grade,A and B,,nan", "is no grade"),
        ("q1,,grade,A and B,,1", "no id"),
        ("q1,d", "not 6 cells"),
    ],
)
def test_a_row_that_is_no_edit_is_told_with_its_place(row: str, said: str) -> None:
    """The sentence names file, row, what was found and what is allowed."""
    with pytest.raises(EditsError, match=r"mine\.csv, row 2") as error:
        read_edits(f"query_id,doc_id,what,list,before,after\n{row}\n".encode(), "mine.csv")
    assert said in str(error.value)


def test_ranks_before_an_edit_follow_the_convention_in_force() -> None:
    """A file that is saved under another order of ties fits under that order, and says so under another one."""
    run = rd.read_run({"q": {"a": 1.0, "b": 1.0, "c": 1.0}})
    grades = rd.read_judgments({"q": {"a": 1}})
    ascending = rd.Convention(ties="docid_asc")
    edits = (Edit("q", "a", "rank", "a", 3, 2),)
    assert misfits(edits, run, run, grades) == ()
    assert misfits(edits, run, run, grades, ascending)


def test_every_file_of_the_page_holds_its_numbers_exactly() -> None:
    """Scores, grades and edits of any size and number of digits, under ids like formulas, are read back the same."""
    rng = np.random.default_rng(4)
    values = [
        0.1234567,
        1 / 3,
        0.1 + 0.2,
        5e-324,
        1e16 + 2,
        123456789.123456789,
        2**53 + 2.0,
        1e22,
        *rng.normal(size=40),
    ]
    values += (rng.random(40) * 10.0 ** rng.integers(-9, 9, 40)).tolist()
    docs = [f"{'=+-@'[i % 4]}{'1' * (i % 3)}d{i}" for i in range(len(values))]
    grades = {doc: abs(value) for doc, value in zip(docs, values, strict=True)}
    scores = {**dict(zip(docs, values, strict=True)), "tied 1": 0.5, "tied 2": 0.5}
    joined = rd.join(
        rd.read_run({"-q": scores}), rd.read_run({"-q": scores}), rd.read_judgments({"-q": grades}), depth=9
    )
    run = rd.read_run(run_as_csv(joined, "a", Order(), {"-q"})).table
    assert dict(zip(run["doc_id"].to_pylist(), run["score"].to_pylist(), strict=True)) == scores
    judged = rd.read_judgments(judgments_as_csv(joined, {"-q"})).table
    assert dict(zip(judged["doc_id"].to_pylist(), judged["relevance"].to_pylist(), strict=True)) == grades
    edits = tuple(Edit("-q", doc, "grade", None, value, -value) for doc, value in scores.items())
    assert read_edits(edits_csv(edits), "edits.csv") == edits
