"""Excel workbooks: sheets, header rows, merged cells, and what Excel does to ids."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from rankdash.reading import LIMITS, Options, ReadError, form_of, read_judgments, read_models, read_run, recognise
from rankdash.reading.binary import workbooks
from rankdash.reading.source import Limits
from rankdash.reading.source.document import opened
from tests.long import every
from tests.reading.made_files import archive, binary_workbook, old_workbook, open_document, workbook

ROWS = [["query_id", "doc_id", "rank", "title"], ["q1", 7, 1, "a\nb"], ["q1", "007", 2, None]]


def ids(run: object) -> list[str]:
    """The documents of a run."""
    return run.table.column("doc_id").to_pylist()


@pytest.mark.parametrize(
    "content", [workbook({"S": ROWS}), old_workbook(ROWS), binary_workbook(ROWS), open_document({"S": ROWS})]
)
def test_old_and_new_workbooks_are_read(content: bytes) -> None:
    """A sheet of .xlsx, .xls, .xlsb and .ods is a table; whole numbers have no point, text stays."""
    run = read_run(content)
    assert run.table.to_pylist() == [
        {"query_id": "q1", "doc_id": "7", "rank": 1, "title": "a\nb"},
        {"query_id": "q1", "doc_id": "007", "rank": 2, "title": ""},
    ]


def test_the_header_is_found_and_rows_keep_their_numbers() -> None:
    """Titles and blank rows above the header are left out; problems name the row of the sheet."""
    rows = [["Export of Monday"], [], ["Query", "ASIN", "Position"], ["q", "a", 1], [], ["q", "b", 2]]
    run = read_run(workbook({"S": rows}))
    assert ids(run) == ["a", "b"]
    assert any("above the header left out" in note for note in run.source.notes)
    rows[5][2] = "two"
    with pytest.raises(ReadError, match='row 6, column "Position": "two" is not a number'):
        read_run(workbook({"S": rows}))


def test_merged_cells_are_filled_down() -> None:
    """A query that is merged over its rows is the query of each, with a note."""
    rows = [["query_id", "doc_id", "rank"], ["q1", "a", 1], [None, "b", 2], ["q2", "c", 1]]
    run = read_run(workbook({"S": rows}, merged=["A2:A3"]))
    assert run.table.column("query_id").to_pylist() == ["q1", "q1", "q2"]
    assert "Merged cells were filled down." in run.source.notes
    with pytest.raises(ReadError, match='row 3, column "query_id": the query id is empty'):
        read_run(workbook({"S": rows}))


@pytest.mark.parametrize("count", every(3, [2, 40, 400]))
def test_a_look_at_a_workbook_sees_its_first_lines(count: int) -> None:
    """The lines are those of the whole sheet, as many as fit, and nothing that is told behind them."""
    rows = [["query_id", "doc_id", "rank"], *(["q", f"document {i}\n{i}", i] for i in range(1, count))][:count]
    content = workbook({"S": rows}, merged=["A2:A3"])
    with opened(io.BytesIO(content), LIMITS, Options()) as document:
        text = workbooks.as_text(document, "run")
        whole = bytes(text.content(0, text.size))
    for most in (1, 20, 21, 22, 100, 1_000, len(whole), len(whole) + 1, 1 << 20):
        with opened(io.BytesIO(content), LIMITS, Options()) as document:
            lines = workbooks.first_lines(document, "run", most)
        assert lines == whole[: whole[:most].rfind(b"\n") + 1]


SHEETS = {
    "A": [["query_id", "doc_id", "rank"], ["q", "a", 1]],
    "B": [["query_id", "doc_id", "rank"], ["q", "b", 1]],
    "labels": [["query_id", "doc_id", "label"], ["q", "b", "E"]],
    "notes": [],
}


def test_the_sheet_that_fits_is_read_or_asked_for() -> None:
    """The only sheet that fits is read, with a note; several are named; sheet= chooses by name or number."""
    judgments = read_judgments(workbook(SHEETS))
    assert judgments.table.column("relevance").to_pylist() == [3]
    assert 'The sheet "labels" was read; it is the only one that fits.' in judgments.source.notes
    with pytest.raises(ReadError) as error:
        read_run(workbook(SHEETS))
    assert str(error.value) == 'the file: there are 3 sheets: "A", "B", "labels". Choose one with sheet=….'
    assert error.value.choices[0].values == ("A", "B", "labels", "notes")
    assert ids(read_run(workbook(SHEETS), sheet="B")) == ["b"]
    assert ids(read_run(workbook(SHEETS), sheet=1)) == ["a"]
    with pytest.raises(ReadError, match=r'there is no sheet "C"\. Found: "A", "B"'):
        read_run(workbook(SHEETS), sheet="C")
    with pytest.raises(ReadError, match='the sheet "notes" is empty'):
        read_run(workbook(SHEETS), sheet="notes")
    one_run = {name: rows for name, rows in SHEETS.items() if name != "B"}
    assert ids(read_run(workbook(one_run))) == ["a"]


def test_the_row_of_the_headings_of_a_sheet_can_be_told() -> None:
    """header= is the row of the sheet, from 1, that holds the headings; what stands above is left out."""
    rows = [["run of", "May"], ["query_id", "remark"], ["query_id", "doc_id"], ["q", "right"]]
    content = workbook({"S": rows})
    assert ids(read_run(content, header=3)) == ["right"]
    assert "The headings stand in row 3, as asked." in read_run(content, header=3).source.notes


def test_hidden_sheets_do_not_count() -> None:
    """A hidden sheet is read only when it is asked for."""
    content = workbook(SHEETS, hidden=["B"])
    assert ids(read_run(content)) == ["a"]
    assert ids(read_run(content, sheet="B")) == ["b"]


def test_ids_that_excel_has_rounded_are_noted() -> None:
    """Numbers of more than 15 digits are no ids any more; a note says so."""
    run = read_run(workbook({"S": [["query_id", "doc_id", "rank"], ["q", 1234567890123456789, 1]]}))
    assert any("1 numbers have more than 15 digits, which Excel has rounded" in note for note in run.source.notes)


def test_truths_and_both_models_are_read() -> None:
    """TRUE and FALSE are grades, and a sheet may hold both models."""
    rows = [["query", "rank", "doc_a", "doc_b"], ["q", 1, "x", "y"]]
    assert [run.name for run in read_models(workbook({"S": rows})).runs] == ["A", "B"]
    rows = [["query", "doc", "relevant"], ["q", "x", True], ["q", "y", False]]
    judgments = read_judgments(workbook({"S": rows}), columns={"relevance": "relevant"})
    assert judgments.table.column("relevance").to_pylist() == [1, 0]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (workbook({"S": ROWS})[:-40], "the zip archive is damaged"),
        (old_workbook(ROWS)[:700], "the workbook is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "the workbook is damaged"),
        (workbook({"S": []}), "there is nothing in the workbook"),
        (archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook"}), "the workbook is damaged"),
        (archive({"content.xml": "<x/>", "mimetype": "x"}), "no workbook"),
    ],
)
def test_damaged_and_other_workbooks_are_refused(content: bytes, what: str) -> None:
    """A cut, empty or foreign workbook is refused in a sentence."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


def test_a_sheet_that_reaches_too_far_is_refused() -> None:
    """One cell in the last row and column of Excel would be a table of 17 billion cells."""
    content = workbook({"S": ROWS})
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    name = "xl/worksheets/sheet1.xml"
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    files[name] = files[name].replace("</sheetData>", far + "</sheetData>")
    with pytest.raises(ReadError, match=r"opening the workbook takes more than 60\d MB"):
        read_run(archive(files))


def test_an_old_sheet_that_reaches_too_far_is_refused() -> None:
    """The format allows a cell that would make a table of four billion cells; it is refused before it is made."""
    content = old_workbook([["query_id", "doc_id"], ["q", "a"]])
    place = content.index(b"\x04\x02\x0b\x00\x01\x00\x01\x00") + 4  # the record of text in row 2, column 2
    with pytest.raises(ReadError, match=r"opening the workbook takes more than 60\d MB"):
        read_run(content[:place] + b"\xff\xff\xff\xff" + content[place + 4 :])


def test_a_text_that_many_cells_share_counts_in_each() -> None:
    """A long text that a small sheet names in every cell is refused before it is copied into each."""
    with zipfile.ZipFile(io.BytesIO(workbook({"S": ROWS}))) as packed:
        files = {name: packed.read(name).decode() for name in packed.namelist()}
    cells = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(1, 4000))
    files["xl/worksheets/sheet1.xml"] = f"<worksheet><sheetData>{cells}</sheetData></worksheet>"
    files["xl/sharedStrings.xml"] = f"<sst><si><t>{'x' * 900_000}</t></si></sst>"
    with pytest.raises(ReadError, match=r"opening the workbook takes more than 60\d MB"):
        read_run(archive(files))


def test_limits_hold_for_workbooks() -> None:
    """Rows and unpacked bytes are limited as for other files."""
    many = workbook({"S": [ROWS[0], *[["q", f"d{i}", i, "t"] for i in range(100)]]})
    with pytest.raises(ReadError, match="there are 100 rows"):
        read_run(many, limits=Limits(rows=50))
    with pytest.raises(ReadError, match="the archive unpacks to more than"):
        read_run(archive({"[Content_Types].xml": "<Types/>", "xl/workbook.xml": " " * 30_000_000}))


def changed(old: bytes, new: bytes, rows: list[list[object]] = ROWS) -> bytes:
    """A workbook with something else in the XML of its sheet."""
    with zipfile.ZipFile(io.BytesIO(workbook({"S": rows}))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    name = "xl/worksheets/sheet1.xml"
    assert old in files[name]
    return archive({**files, name: files[name].replace(old, new)})


def test_formulas_without_values_and_errors_are_noted() -> None:
    """A formula that was never computed and an error cell are blank, and a note counts them."""
    rows = [["query_id", "doc_id", "relevance"], ["q", "a", 1], ["q", "b", 2]]
    old = b'<c r="C2"><v>1</v></c>'
    formula = read_judgments(changed(old, b'<c r="C2"><f>A1+B1</f></c>', rows))
    assert formula.table.column("doc_id").to_pylist() == ["b"]
    assert any("1 formulas without a stored value count as blank" in note for note in formula.source.notes)
    error = read_judgments(changed(old, b'<c r="C2" t="e"><v>#N/A</v></c>', rows))
    assert any("1 cells with an error of Excel" in note for note in error.source.notes)
    stored = read_judgments(changed(old, b'<c r="C2"><f>A1+B1</f><v>1</v></c>', rows))
    assert stored.table.column("relevance").to_pylist() == [1, 2]
    assert not any("formula" in note for note in stored.source.notes)


def test_rows_and_columns_around_the_table_do_not_count() -> None:
    """Empty rows above, an empty column before, and empty cells behind the table leave the same run."""
    framed = [[], [None, None], *[[None, *row] for row in ROWS], ["", ""]]
    assert ids(read_run(workbook({"S": framed}))) == ["7", "007"]


def test_sheets_have_names_in_any_script_and_hidden_ones_are_told() -> None:
    """A sheet is chosen by its name in Chinese; hidden sheets with rows are named in a note."""
    content = workbook({"检索结果": ROWS, "标注": ROWS}, hidden=["标注"])
    run = read_run(content)
    assert 'Hidden sheets were not read: "标注".' in run.source.notes
    assert ids(read_run(content, sheet="标注")) == ["7", "007"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (archive({"word/document.xml": "<x/>"}), "this is an office document, but no workbook"),
        (archive({"content.xml": "<x/>", "mimetype": "application/vnd.oasis.opendocument.text"}), "but no workbook"),
        (b"<html xmlns:x='urn:schemas-microsoft-com:office:excel'><table><tr>", "a workbook saved as XML or as a web"),
        (b"<html><table><tr><td>query_id", r"this is a web page .* Open it in Excel and save it as \.xlsx"),
        (b"\x1f\x9d" + bytes(20), "packed with compress"),
        (b"PARE" + bytes(20), "an encrypted Parquet file"),
    ],
)
def test_other_documents_are_named(content: bytes, what: str) -> None:
    """A text document, a web page under the name of a workbook and other formats are named, with what to do."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


def test_the_names_of_sheets_are_told_without_asking_for_one() -> None:
    """A look at a workbook lists the sheets that people see, and goes on where there is none that fits."""
    form = form_of(workbook(SHEETS), LIMITS, Options())
    assert (form.format, form.sheets) == ("Excel workbook", ("A", "B", "labels", "notes"))
    packed = form_of(archive({"book.xlsx": workbook(SHEETS), "run.csv": b"q,d,1"}), LIMITS, Options(member="book.xlsx"))
    assert (packed.sheets, packed.members) == (("A", "B", "labels", "notes"), ("book.xlsx", "run.csv"))
    assert form_of(workbook({"S": ROWS})[:-40], LIMITS, Options()).sheets == ()


@pytest.mark.parametrize("rows", [b"a,1\nb,2\n", b"12\n", b"a,", b""])
def test_a_sheet_that_ends_too_early_is_told(rows: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that is ended while it writes rows, be it behind one, is a sentence about the limits."""
    sheets = {"sheets": [{"name": "S", "visible": True, "rows": 2, "head": [["a", "1"]]}]}
    worker = tmp_path / "worker.py"
    first = json.dumps({"value": sheets, "parts": []}).encode() + b"\n"
    then = b'{"value": null, "parts": [8]}\n' + rows
    steps = ("import sys", "out = sys.stdout.buffer", f"out.write({first!r})", "out.flush()")
    worker.write_text("\n".join((*steps, f"out.write({then!r})")))
    monkeypatch.setattr(workbooks.sheets, "__file__", str(worker))
    with pytest.raises(ReadError, match="opening the workbook takes more than"):
        read_run(workbook({"S": ROWS}))


@pytest.mark.parametrize("title", [["Search quality, 2026", None, None], [None, "Report", None]])
@pytest.mark.parametrize("merged", [[], ["A1:C1"]])
def test_a_title_above_the_headings_is_no_part_of_the_table(title: list[str | None], merged: list[str]) -> None:
    """A sheet with a title is recognised as what it holds, and a text with the line in which Excel names its sign is
    read below its title, too.
    """
    rows = [title, ["query", "doc", "grade"], ["q1", "d1", 3], ["q1", "d2", 0]]
    content = workbook({"Sheet1": rows}, merged)
    assert recognise(content).kind == "judgments"
    assert read_judgments(content).table.column("relevance").to_pylist() == [3, 0]
    text = "sep=;\n" + "".join(";".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows)
    assert recognise(text.encode()).kind == "judgments"
    assert read_judgments(text.encode()).table.column("relevance").to_pylist() == [3, 0]
