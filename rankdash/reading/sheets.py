"""The sheets of a workbook, and the cells of one of them as lines of CSV: where python-calamine is called.

Run as a script it is a process of its own, with limits, that answers ``workbooks.py``. It imports nothing of the
readers, so that it starts at once.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import sys
from collections.abc import Generator, Iterator
from typing import Any

HEAD = 20
_SAFE_DIGITS = 10**15
#: Letters of a block of lines.
_BLOCK = 1 << 20


def text_of(value: Any) -> str:
    """Return a cell as people see it: whole numbers without a point, dates in ISO format."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    return "" if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value)


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
        active = [area for area in active if area[1] >= number]
        for left, bottom, right in begin.get(number, ()):
            if left < len(row):
                active.append((left, bottom, right, row[left]))
        for left, _, right, value in active:
            for column in range(left, min(right + 1, len(row))):
                row[column] = value
        yield row


class FarError(ValueError):
    """Sheets that reach over more cells than are read; the argument is how many."""


Answer = dict[str, Any] | bytes


def answers(content: io.BytesIO, cells: int) -> Generator[Answer, str, None]:
    """Yield the ``sheets`` of a workbook (name, visible, rows, the first of them as text); the name of one is sent.

    Then yield its cells as blocks of lines of CSV, and the numbers of cells that were ``merged`` or ``rounded``. Where
    the workbook cannot be read, an ``error`` comes, or the cells that it would ``reach`` over.
    """
    try:
        import python_calamine

        sheets, facts = _sheets(python_calamine.CalamineWorkbook.from_filelike(content), cells)
        name = yield {"sheets": facts}
        yield from _lines(sheets[name])
    except (GeneratorExit, MemoryError):
        raise
    except FarError as error:
        yield {"reach": error.args[0]}
    except BaseException as error:  # noqa: BLE001 - a panic of the library is no Exception
        yield {"error": str(error).splitlines()[0][:100] if str(error) else type(error).__name__}


def _sheets(workbook: Any, cells: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the sheets by name, and the facts about each. FarError where they reach too far."""
    import python_calamine

    shown = {
        sheet.name: sheet.visible == python_calamine.SheetVisibleEnum.Visible
        for sheet in workbook.sheets_metadata
        if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet
    }
    sheets: dict[str, Any] = {}
    facts = []
    reach = 0
    for name, visible in shown.items():
        sheet = sheets[name] = workbook.get_sheet_by_name(name)
        reach += sheet.total_height * sheet.total_width
        if reach > cells:
            raise FarError(reach)
        head = [[text_of(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False, nrows=HEAD)]
        facts.append({"name": name, "visible": visible, "rows": sheet.total_height, "head": head})
    return sheets, facts


def _lines(sheet: Any) -> Iterator[Answer]:
    """Yield the sheet as lines of CSV, and what was noticed in it."""
    merged = [cells for cells in (sheet.merged_cell_ranges or []) if cells[1][0] > cells[0][0]]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rounded = 0
    for row in filled(sheet.iter_rows(), merged):
        cells = [value if value.__class__ is str else text_of(value) for value in row]
        rounded += sum(isinstance(value, float) and abs(value) >= _SAFE_DIGITS for value in row)
        writer.writerow(cells if any(cells) else [])
        if text.tell() > _BLOCK:
            yield text.getvalue().encode("utf-8", "replace")
            text.seek(0)
            text.truncate()
    yield text.getvalue().encode("utf-8", "replace")
    yield {"merged": len(merged), "rounded": rounded}


def main() -> None:
    """Answer for one workbook: in come its limits and bytes, then the name of a sheet."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.path[:] = json.loads(source.readline())["path"]
    from rankdash.system import limit, receive, send

    request, (content,) = receive(source)
    limit(request["memory"], request["seconds"])
    replies = answers(io.BytesIO(content), request["cells"])
    try:
        first = next(replies)
        send(out, first)
        if isinstance(first, dict) and "sheets" in first:
            reply = replies.send(receive(source)[0])
            while isinstance(reply, bytes):
                send(out, None, [reply])
                reply = next(replies)
            send(out, reply)
    except MemoryError:
        send(out, {"memory": True})
    except (EOFError, BrokenPipeError):  # the names of the sheets were all that was asked for
        return


if __name__ == "__main__":
    main()
