"""Opens a workbook in a process of its own, with little memory and no way to write: ``workbooks.py`` starts it.

It imports nothing of rankdash, so that it starts at once. A library that breaks on a hostile file breaks nothing else.

In: a line of JSON (``path`` of modules, ``size`` of the workbook, ``memory``, ``seconds``, ``cells``), then that file.
Out: a line of JSON with the ``sheets`` (name, visible, rows, columns, the first rows as text), or with an ``error``.
In: a line with the ``sheet`` that is meant. Out: a line with what was found in it, then its cells as CSV.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import sys
from collections.abc import Iterator
from typing import IO, Any

HEAD = 20
_SAFE_DIGITS = 10**15


def text_of(value: Any) -> str:
    """Return a cell as people see it: whole numbers without a point, dates in ISO format."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)


def filled(rows: Iterator[list[Any]], merged: list[Any]) -> Iterator[list[Any]]:
    """Yield the rows, every cell of a merged range with the value of its first one.

    A range along one row is a title and stays as it is.
    """
    begin: dict[int, list[Any]] = {}
    for (top, left), (bottom, right) in merged:
        if bottom > top:
            begin.setdefault(top, []).append((left, bottom, right))
    active: list[tuple[int, int, int, Any]] = []
    for number, row in enumerate(rows):
        active = [one for one in active if one[1] >= number]
        for left, bottom, right in begin.get(number, ()):
            if left < len(row):
                active.append((left, bottom, right, row[left]))
        for left, _, right, value in active:
            for column in range(left, min(right + 1, len(row))):
                row[column] = value
        yield row


def _limit(memory: int, seconds: int) -> None:
    """Let the system refuse more memory and processor time than that, where it can."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _told(out: IO[bytes], **told: Any) -> None:
    out.write(json.dumps(told).encode() + b"\n")
    out.flush()


class FarError(ValueError):
    """Sheets that reach over more cells than are read; the argument is how many."""


def _sheets(workbook: Any, cells: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the sheets by name, and what is told of them. FarError where they reach too far."""
    import python_calamine

    shown = {
        one.name: one.visible == python_calamine.SheetVisibleEnum.Visible
        for one in workbook.sheets_metadata
        if one.typ == python_calamine.SheetTypeEnum.WorkSheet
    }
    sheets: dict[str, Any] = {}
    told = []
    reach = 0
    for name, visible in shown.items():
        sheet = sheets[name] = workbook.get_sheet_by_name(name)
        reach += sheet.total_height * sheet.total_width
        if reach > cells:
            raise FarError(reach)
        head = [[text_of(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False, nrows=HEAD)]
        told.append({"name": name, "visible": visible, "rows": sheet.total_height, "head": head})
    return sheets, told


def _written(sheet: Any, out: IO[bytes]) -> None:
    """The sheet as lines of CSV, and before them what was found in it."""
    merged = [one for one in (sheet.merged_cell_ranges or []) if one[1][0] > one[0][0]]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rounded = 0
    _told(out, merged=len(merged))
    for row in filled(sheet.iter_rows(), merged):
        cells = [text_of(value) for value in row]
        rounded += sum(isinstance(value, float) and abs(value) >= _SAFE_DIGITS for value in row)
        writer.writerow(cells if any(cells) else [])
        if text.tell() > 1 << 20:
            out.write(text.getvalue().encode("utf-8", "replace"))
            text.seek(0)
            text.truncate()
    out.write(text.getvalue().encode("utf-8", "replace"))
    _told(out, rounded=rounded)


def main() -> None:
    """Read what is asked for, and answers."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    asked = json.loads(source.readline())
    content = io.BytesIO(source.read(asked["size"]))
    sys.path[:] = asked["path"]
    _limit(asked["memory"], asked["seconds"])
    try:
        import python_calamine

        workbook = python_calamine.CalamineWorkbook.from_filelike(content)
        sheets, told = _sheets(workbook, asked["cells"])
        _told(out, sheets=told)
        if chosen := source.readline():
            _written(sheets[json.loads(chosen)["sheet"]], out)
    except MemoryError:
        _told(out, memory=True)
    except FarError as error:
        _told(out, reach=error.args[0])
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        _told(out, error=first)


if __name__ == "__main__":
    main()
