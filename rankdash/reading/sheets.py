"""Excel workbooks: the sheet that is meant, as lines of text, so that everything else is read as in a text file."""

from __future__ import annotations

import csv
import datetime
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.reading.archives import is_archive, opened_archive, unpacked
from rankdash.reading.compound import CompoundError, cells_of
from rankdash.reading.document import Document, in_memory
from rankdash.reading.limits import megabytes
from rankdash.reading.meanings import KINDS, TIERS, Wanted, key
from rankdash.reading.options import Choice
from rankdash.reading.problems import ReadError, listed, refuse

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CELL = re.compile(rb'<(?:\w+:)?(?:c|row)\s[^>]{0,200}?\br=["\']([A-Z]{0,3})(\d{1,9})["\']')
_SHARED = re.compile(rb"<v>(\d{1,9})</v>")
_MOST_CELLS = 25_000_000
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
    if document.head.startswith(_OLE):
        _check_old(document)
    else:
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
    done = cells = 0
    for info in archive.infolist():
        tail, columns, last = b"", 1, 1
        for block in unpacked(document, archive, info, done):
            done += len(block)
            tail += block
            found = _CELL.findall(tail)
            columns = max([columns, *map(_column, {letters for letters, _ in found})])
            last = max([last, *map(int, {number for _, number in found})])
            tail = tail[-200:]
        cells += columns * last
    if cells > _MOST_CELLS:
        raise refuse(document.name, f"the sheets reach over {cells:,} cells", f"At most {_MOST_CELLS:,} are read.")
    _check_strings(document, archive)


def _check_strings(document: Document, archive: zipfile.ZipFile) -> None:
    """ReadError where texts that cells share would be larger than the limits in all cells together."""
    content = {info.filename: info for info in archive.infolist()}
    shared = next((info for name, info in content.items() if name.endswith("sharedStrings.xml")), None)
    if shared is None:
        return
    texts = b"".join(unpacked(document, archive, shared)).split(b"</si>")
    lengths = np.array([len(text) for text in texts], np.int64)
    size = 0
    for name, info in content.items():
        if info is shared or not name.endswith(".xml"):
            continue
        sheet = b"".join(unpacked(document, archive, info))
        if int(lengths.max()) * sheet.count(b"<v>") <= document.limits.unpacked // 10:
            continue
        places = np.array([int(place) for place in _SHARED.findall(sheet)], np.int64)
        size += int(lengths[places[places < len(lengths)]].sum())
    if size > document.limits.unpacked:
        allowed = f"At most {megabytes(document.limits.unpacked)} are read."
        raise refuse(document.name, f"the cells hold {megabytes(size)} of text", allowed)


def _check_old(document: Document) -> None:
    """ReadError for an old workbook that is damaged, or reaches too far."""
    try:
        cells = cells_of(bytes(document.content(0, document.size)))
    except CompoundError as error:
        raise refuse(document.name, f"the workbook is damaged ({error})") from None
    if cells > _MOST_CELLS:
        raise refuse(document.name, f"the sheets reach over {cells:,} cells", f"At most {_MOST_CELLS:,} are read.")


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
    if isinstance(value, str):
        return value
    if value is None:
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
