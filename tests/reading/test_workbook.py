"""Workbooks: sheets, header rows, merged cells, what Excel does to ids, and the limits of opening one."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from rankdash.reading import (
    LIMITS,
    Limits,
    Options,
    ReadError,
    read_judgments,
    read_models,
    read_run,
    workbook as workbooks,
)
from rankdash.reading.recognition import recognise, understand
from tests.reading.made_files import archive, binary_workbook, old_workbook, open_document, workbook
from tests.reading.test_tools import codes, refusal

ROWS = [["query_id", "doc_id", "rank", "title"], ["q1", 7, 1, "a\nb"], ["q1", "007", 2, None]]
SHEETS: dict[str, list[list[object]]] = {
    "A": [["query_id", "doc_id", "rank"], ["q", "a", 1]],
    "B": [["query_id", "doc_id", "rank"], ["q", "b", 1]],
    "labels": [["query_id", "doc_id", "label"], ["q", "b", "E"]],
    "notes": [],
}


def ids(run: Any) -> list[str]:
    """The documents of a run."""
    found: list[str] = run.table.column("doc_id").to_pylist()
    return found


def changed(old: bytes, new: bytes, rows: list[list[object]]) -> bytes:
    """A workbook with something else in the XML of its sheet."""
    with zipfile.ZipFile(io.BytesIO(workbook({"S": rows}))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    name = "xl/worksheets/sheet1.xml"
    assert old in files[name]
    return archive({**files, name: files[name].replace(old, new)})


@pytest.mark.parametrize(
    "content", [workbook({"S": ROWS}), old_workbook(ROWS), binary_workbook(ROWS), open_document({"S": ROWS})]
)
@pytest.mark.parametrize("apart", [False, True])
def test_old_and_new_workbooks_are_read(content: bytes, apart: bool) -> None:
    """A sheet of .xlsx, .xls, .xlsb and .ods is a table, opened here or apart; whole numbers have no point."""
    run = read_run(content, limits=Limits(apart=apart))
    assert run.table.to_pylist() == [
        {"query_id": "q1", "doc_id": "7", "rank": 1, "title": "a\nb"},
        {"query_id": "q1", "doc_id": "007", "rank": 2, "title": ""},
    ]


def test_the_header_is_found_and_rows_keep_their_numbers() -> None:
    """Titles and blank rows around the table are left out; problems name the row of the sheet."""
    rows: list[Any] = [["Export of Monday"], [], ["Query", "ASIN", "Position"], ["q", "a", 1], [], ["q", "b", 2]]
    assert ids(read_run(workbook({"S": rows}))) == ["a", "b"]
    rows[5][2] = "two"
    with pytest.raises(ReadError) as error:
        read_run(workbook({"S": rows}))
    assert [(problem.row, problem.column) for problem in error.value.problems] == [(6, "Position")]
    assert ids(read_run(workbook({"S": [[], [None], *[[None, *row] for row in ROWS], ["", ""]]}))) == ["7", "007"]


@pytest.mark.parametrize("title", [["Search quality, 2026", None, None], [None, "Report", None]])
@pytest.mark.parametrize("merged", [[], ["A1:C1"]])
def test_a_title_above_the_headings_is_no_part_of_the_table(title: list[Any], merged: list[str]) -> None:
    """Merged or not, a sheet with a title is recognised as what it holds."""
    content = workbook({"Sheet1": [title, ["query", "doc", "grade"], ["q1", "d1", 3], ["q1", "d2", 0]]}, merged)
    assert recognise(content).kind == "judgments"
    assert read_judgments(content).table.column("relevance").to_pylist() == [3, 0]


def test_merged_cells_are_filled_down() -> None:
    """A query that is merged over its rows is the query of each, with a note; else its cells are empty."""
    rows: list[list[object]] = [["query_id", "doc_id", "rank"], ["q1", "a", 1], [None, "b", 2], ["q2", "c", 1]]
    content = workbook({"S": rows}, merged=["A2:A3"])
    assert read_run(content).table.column("query_id").to_pylist() == ["q1", "q1", "q2"]
    assert "merged" in codes(content, level="detail")
    assert refusal(workbook({"S": rows})) == "missing_value"


def test_the_sheet_that_fits_is_read_or_asked_for() -> None:
    """The only sheet that fits is read; several are named; sheet= chooses by name or number, hidden ones too."""
    assert read_judgments(workbook(SHEETS)).table.column("relevance").to_pylist() == [3]
    with pytest.raises(ReadError) as error:
        read_run(workbook(SHEETS))
    assert (error.value.problems[0].code, error.value.problems[0].allowed.code) == ("unclear", "choose_sheet")
    assert error.value.choices[0].values == ("A", "B", "labels", "notes")
    assert ids(read_run(workbook(SHEETS), sheet="B")) == ["b"]
    assert ids(read_run(workbook(SHEETS), sheet=1)) == ["a"]
    for sheet, code in (("C", "bad_option"), (9, "bad_option"), ("notes", "empty")):
        assert refusal(workbook(SHEETS), sheet=sheet) == code
    hidden = workbook(SHEETS, hidden=["B"])
    assert ids(read_run(hidden)) == ["a"]
    assert "not_read" in codes(hidden, level="detail")
    assert ids(read_run(hidden, sheet="B")) == ["b"]
    assert ids(read_run(workbook({"检索结果": ROWS, "标注": ROWS}), sheet="标注")) == ["7", "007"]


@pytest.mark.parametrize("heading", [["Notes"], ["Sheet", "What"], ["query_id", "the number of the query"]])
def test_a_sheet_of_notes_is_passed_over_and_said(heading: list[object]) -> None:
    """Words below each other, or in pairs, are no table beside one; queries are, and numbers."""
    book = {"first": [["About"], [], heading], "A": SHEETS["A"]}
    assert recognise(workbook(book)).form.sheets == ("A",)
    assert any(note.code == "not_read" for note in read_run(workbook(book)).source.notes)
    assert ids(read_run(workbook(book), sheet=2)) == ["a"]
    for table in ([["query"], ["tv set"]], [["0.5"], ["0.25"]], [["q", "d", "1"], ["q", "e", "0"]]):
        assert refusal(workbook({"S": table, "A": SHEETS["A"]}), "judgments") == "unclear"


def test_what_excel_does_to_cells_is_a_warning() -> None:
    """Ids that it has rounded, errors, and formulas without a stored value, which count as blank."""
    assert "rounded" in codes(workbook({"S": [["query_id", "doc_id", "rank"], ["q", 1234567890123456789, 1]]}))
    rows: list[list[object]] = [["query_id", "doc_id", "relevance"], ["q", "a", 1], ["q", "b", 2]]
    old = b'<c r="C2"><v>1</v></c>'
    for new in (b'<c r="C2"><f>A1+B1</f></c>', b'<c r="C2"><f>A1</f><v></v></c>', b'<c r="C2" t="e"><v>#N/A</v></c>'):
        blank = changed(old, new, rows)
        assert ids(read_judgments(blank)) == ["b"]
        assert {"blank_cells", "lost_grades"} <= {*codes(blank, "judgments")}
        assert ": 1, first C2. " in str(read_judgments(blank).source.notes[0])
    alone = changed(old, b'<c r="C2"><f>A1+B1</f></c>', rows[:2])
    with pytest.raises(ReadError, match=r'no row has a grade in column "relevance".*formula without a stored value'):
        read_judgments(alone)
    stored = changed(old, b'<c r="C2"><f>A1+B1</f><v>1</v></c>', rows)
    assert read_judgments(stored).table.column("relevance").to_pylist() == [1, 2]
    assert not codes(stored, "judgments")


def test_truths_are_grades_and_a_column_tells_models_apart() -> None:
    """TRUE and FALSE are 1 and 0; a sheet may hold both models."""
    rows: list[list[object]] = [["query", "doc", "relevant"], ["q", "x", True], ["q", "y", False]]
    assert read_judgments(workbook({"S": rows})).table.column("relevance").to_pylist() == [1, 0]
    both: list[list[object]] = [["query", "model", "rank", "doc"], ["q", "old", 1, "x"], ["q", "new", 1, "y"]]
    assert [run.name for run in read_models(workbook({"S": both})).runs] == ["old", "new"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (workbook({"S": ROWS})[:-40], "unreadable"),
        (old_workbook(ROWS)[:700], "unreadable"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "unreadable"),
        (workbook({"S": []}), "empty"),
        (archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook"}), "unreadable"),
        (archive({"content.xml": "<x/>"}), "unsupported"),
        (archive({"word/document.xml": "<x/>"}), "unsupported"),
        (archive({"content.xml": "<x/>", "mimetype": "application/vnd.oasis.opendocument.text"}), "unsupported"),
        (b"<html xmlns:x='urn:schemas-microsoft-com:office:excel'><table><tr>", "unsupported"),
        (archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": " " * 40_000_000}), "too_large"),
    ],
)
def test_damaged_and_other_documents_are_refused(content: bytes, code: str) -> None:
    """A cut, empty or foreign workbook is refused in a sentence, here and apart."""
    for apart in (False, True):
        assert refusal(content, limits=Limits(apart=apart)) == code
    for gone in (9, 100):  # within the record at the end, and before it
        with pytest.raises(ReadError, match="workbook or zip archive ends too early"):
            read_run(workbook({"S": ROWS})[:-gone])
    with pytest.raises(ReadError, match="protected by a password"):
        read_run(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"))


def test_sheets_beyond_the_limits_are_refused() -> None:
    """Rows; a cell in the last row and column of Excel; a text that many cells share; each before it is made."""
    many = workbook({"S": [ROWS[0], *[["q", f"d{i}", i, "t"] for i in range(100)]]})
    assert refusal(many, limits=Limits(rows=50)) == "too_large"
    far = changed(b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>', ROWS)
    assert refusal(far) == "too_large"
    old = old_workbook([["query_id", "doc_id"], ["q", "a"]])
    place = old.index(b"\x04\x02\x0b\x00\x01\x00\x01\x00") + 4  # the record of text in row 2, column 2
    assert refusal(old[:place] + b"\xff\xff\xff\xff" + old[place + 4 :]) == "too_large"


def test_the_names_of_sheets_are_told_without_asking_for_one() -> None:
    """A look at a workbook lists the sheets that people see, and goes on where there is none that fits."""
    form = understand(workbook(SHEETS), LIMITS, Options())
    assert (form.format, form.sheets) == ("Excel workbook", ("A", "B", "labels", "notes"))
    packed = archive({"book.xlsx": workbook(SHEETS), "run.csv": b"q,d,1"})
    assert understand(packed, LIMITS, Options(member="book.xlsx")).sheets == ("A", "B", "labels", "notes")
    assert understand(workbook({"S": ROWS})[:-40], LIMITS, Options()).sheets == ()


@pytest.mark.parametrize("rows", [b"a,1\nb,2\n", b"12\n", b"a,", b""])
def test_a_process_that_ends_too_early_is_a_limit(rows: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that is ended while it writes rows, be it behind one, is a sentence about the limits."""
    sheets = {"sheets": [{"name": "S", "visible": True, "rows": 2, "head": [["a", "1"]]}]}
    worker = tmp_path / "worker.py"
    first = json.dumps({"value": sheets, "parts": []}).encode() + b"\n"
    then = b'{"value": null, "parts": [8]}\n' + rows
    worker.write_text(f"import sys\nout = sys.stdout.buffer\nout.write({first!r})\nout.flush()\nout.write({then!r})")
    monkeypatch.setattr(workbooks.sheets, "__file__", str(worker))
    assert refusal(workbook({"S": ROWS})) == "too_large"
