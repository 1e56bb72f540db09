"""Excel workbooks: the sheet that is meant, as lines of text, so that everything else is read as in a text file."""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from rankdash.reading.archives import is_archive, opened_archive, unpacked
from rankdash.reading.document import Document, in_memory
from rankdash.reading.meanings import KINDS, TIERS, Wanted, key
from rankdash.reading.options import Choice
from rankdash.reading.problems import ReadError, listed, refuse

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CELL = re.compile(rb'<(?:\w+:)?(?:c|row)\s[^>]*?\br="([A-Z]{0,3})(\d{1,9})"')
_MOST_CELLS = 50_000_000
_HEADER_ROWS = 20
_SAFE_DIGITS = 10**15

Rows = list[list[Any]]


def is_workbook(document: Document) -> bool:
    """Whether this is an Excel workbook, old or new."""
    if document.head.startswith(_OLE):
        return True
    return _has_workbook(document)


def _has_workbook(document: Document) -> bool:
    if not is_archive(document):
        return False
    names = set(opened_archive(document).namelist())
    return bool(names & {"xl/workbook.xml", "xl/workbook.bin", "content.xml"})


def as_text(document: Document, wanted: Wanted) -> Document:
    """The sheet as a document of comma separated lines, one for each row. ReadError where it is not clear which."""
    if not document.head.startswith(_OLE):
        _check(document)
    names, read = _opened(document)
    rows, merged, notes = _chosen(document, names, read, wanted)
    _fill_down(rows, merged)
    if merged:
        notes = (*notes, "Merged cells were filled down.")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    rounded = 0
    for row in rows:
        cells = [_text(value) for value in row]
        rounded += sum(isinstance(value, float) and abs(value) >= _SAFE_DIGITS for value in row)
        writer.writerow(cells if any(cells) else [])
    if rounded:
        notes = (
            *notes,
            f"{rounded:,} numbers have more than 15 digits, which Excel has rounded; keep such ids as text.",
        )
    text = in_memory(document, pa.py_buffer(out.getvalue().encode("utf-8", "replace")), *notes)
    return replace(text, delimiter=",")


def _check(document: Document) -> None:
    """ReadError for a workbook that would take more memory than it may, and for other kinds of workbook."""
    archive = opened_archive(document)
    names = set(archive.namelist())
    if "xl/workbook.xml" not in names:
        raise refuse(document.name, "this is an office document, but no .xlsx or .xls workbook", "Save it as .xlsx.")
    done, columns, last = 0, 1, 1
    for info in archive.infolist():
        sheet = info.filename.startswith("xl/worksheets/")
        tail = b""
        for block in unpacked(document, archive, info, done):
            done += len(block)
            if sheet:
                tail += block
                for letters, number in set(_CELL.findall(tail)):
                    columns, last = max(columns, _column(letters)), max(last, int(number))
                tail = tail[-200:]
    if columns * last > _MOST_CELLS:
        raise refuse(
            document.name, f"a sheet reaches to row {last:,} and column {columns:,}", "That is too large a sheet."
        )


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _opened(document: Document) -> tuple[list[str], Any]:
    """The names of the sheets that are shown, and the workbook."""
    import python_calamine

    content = io.BytesIO(bytes(document.content(0, document.size)))
    workbook = _guarded(document, lambda: python_calamine.CalamineWorkbook.from_filelike(content))
    hidden = python_calamine.SheetVisibleEnum.Visible
    shown = [sheet.name for sheet in workbook.sheets_metadata if sheet.visible == hidden]
    return shown or list(workbook.sheet_names), workbook


def _guarded(document: Document, work: Any) -> Any:
    """What the library returns; anything that it raises, a panic of its Rust code too, is a ReadError."""
    try:
        return work()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, ReadError):
        raise
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        if "assword" in first:
            raise refuse(document.name, "the workbook is protected by a password", "Save it without one.") from None
        raise refuse(document.name, f"the workbook is damaged ({first})") from None


def _rows(document: Document, workbook: Any, name: str) -> tuple[Rows, list[Any]]:
    sheet = _guarded(document, lambda: workbook.get_sheet_by_name(name))
    limits = document.limits
    if sheet.total_height > limits.rows + _HEADER_ROWS or sheet.total_width > 1 << 14:
        raise refuse(document.name, f"there are {sheet.total_height:,} rows", f"At most {limits.rows:,} are read.")
    rows = _guarded(document, lambda: sheet.to_python(skip_empty_area=False))
    merged = _guarded(document, lambda: sheet.merged_cell_ranges) or []
    return rows, merged


def _chosen(
    document: Document, names: list[str], workbook: Any, wanted: Wanted
) -> tuple[Rows, list[Any], tuple[str, ...]]:
    """The sheet that was asked for, the only one with rows, or the only one whose headings fit."""
    asked = document.options.sheet
    choice = Choice("sheet", tuple(names))
    if asked != "":
        number = int(asked) - 1 if str(asked).isdecimal() and str(asked) not in names else -1
        name = names[number] if 0 <= number < len(names) else str(asked)
        if name not in workbook.sheet_names:
            raise refuse(document.name, f"there is no sheet {listed([str(asked)])}", f"Found: {listed(names)}.", choice)
        rows, merged = _rows(document, workbook, name)
        if not rows:
            raise refuse(document.name, f"the sheet {listed([name])} is empty", f"Found: {listed(names)}.", choice)
        return rows, merged, (f"The sheet {listed([name])} was read, as asked.",)
    sheets = {name: _rows(document, workbook, name) for name in names}
    filled = [name for name in names if any(any(cell not in ("", None) for cell in row) for row in sheets[name][0])]
    if not filled:
        raise refuse(document.name, "there is nothing in the workbook")
    fitting = filled if len(filled) == 1 else [name for name in filled if _fits(sheets[name][0], wanted)]
    if wanted == "run" and len(fitting) > 1:
        fitting = [name for name in fitting if _has_order(sheets[name][0])] or fitting
    if len(fitting) != 1:
        what = f"there are {len(filled)} sheets: {listed(filled)}"
        why = (
            "Choose one with --sheet NAME."
            if fitting
            else f"None looks like {KINDS[wanted].words}. Choose one with --sheet NAME."
        )
        raise refuse(document.name, what, why, choice)
    notes = (f"The sheet {listed(fitting)} was read; it is the only one that fits.",) if len(names) > 1 else ()
    return *sheets[fitting[0]], notes


def _has_order(rows: Rows) -> bool:
    """Whether one of the first rows has a heading for a rank or a score."""
    known = frozenset().union(*TIERS["run"]["rank"], *TIERS["run"]["score"])
    return any(key(str(cell)) in known for row in rows[:_HEADER_ROWS] for cell in row if isinstance(cell, str))


def _fits(rows: Rows, wanted: Wanted) -> bool:
    """Whether one of the first rows has headings for all that is needed."""
    tiers = TIERS[wanted]
    for row in rows[:_HEADER_ROWS]:
        found = {key(str(cell)) for cell in row if isinstance(cell, str)}
        if all(any(found & tier for tier in tiers[name]) for name in KINDS[wanted].required):
            return True
    return False


def _fill_down(rows: Rows, merged: Sequence[Any]) -> None:
    """Every cell of a merged range gets the value of its first one; a range along one row is a title and stays."""
    for (top, left), (bottom, right) in merged:
        if bottom == top or top >= len(rows) or left >= len(rows[top]):
            continue
        for row in rows[top : bottom + 1]:
            for column in range(left, min(right + 1, len(row))):
                row[column] = rows[top][left]


def _text(value: Any) -> str:
    """A cell as people see it: whole numbers without a point, dates in ISO format."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
