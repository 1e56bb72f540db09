"""Workbooks of Excel and LibreOffice: the sheet that is meant, as lines of text; all else is read as in a text file.

The workbook is opened in a process of its own with limits, or here where this process has such limits.
"""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any
from zipfile import ZipFile

from rankdash.notes import advise, detail, listed, warning
from rankdash.reading import sheets
from rankdash.reading.grid import is_number, not_read
from rankdash.reading.headings import KINDS, TIERS, Kind, is_known, key, means
from rankdash.reading.problems import Choice, LimitError, exceed, refuse, too_many
from rankdash.reading.sheets import Answer
from rankdash.reading.source import LEAST, Document, may_unpack, megabytes, member_blocks, open_archive
from rankdash.system import Process, receive, send

_MOST_CELLS = 25_000_000
#: How many times its size a workbook unpacks to: its parts are long names around short values.
_RATIO = 30
_PATIENCE = 5  # how many times the seconds may pass while other processes have the processor
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: The name of the stream of a workbook that a password protects.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

#: Cells of .xlsx that come as blanks: formulas whose value is not stored, and errors.
_BLANK = re.compile(
    rb"""<(?:\w+:)?c (?=[^<>]{0,99}\bt=["']e["']|[^<>]{0,99}><(?:\w+:)?f(?:/|[^<>]*/|[^<>]*>[^<>]*</(?:\w+:)?f)>"""
    rb"""(?:<(?:\w+:)?v/?>(?:</(?:\w+:)?v>)?)?</(?:\w+:)?c>)(?:[^<>]{0,99}?\br=["']([A-Z]{1,3}\d{1,7})["'])?"""
)

_ROUNDED = "{n:,} numbers have more than 15 digits, which Excel has rounded; keep such ids as text."
_BLANKS = "Cells with an error, or a formula without a stored value: {n:,}"
Sheet = Mapping[str, Any]


def _bounds(document: Document) -> tuple[int, int]:
    """Return the bytes of memory and the seconds of a processor that opening a workbook may take, by its size."""
    size, limits = len(document.content()), document.limits
    return min(limits.memory, 600_000_000 + 40 * size), min(limits.seconds, 5 + 2 * size // 1_000_000)


def sheet_names(document: Document) -> tuple[str, ...]:
    """Return the sheets of a workbook without notes, and without hidden ones where others are shown. ReadError where it
    is damaged.
    """
    _check(document)
    with closing(_answers(document)) as answers:
        return tuple(sheet["name"] for sheet in _tables(_understand(document, next(answers))["sheets"]))


def as_text(document: Document, kind: Kind) -> Document:
    """Return a sheet as a document of comma separated lines, one for each row.

    ReadError where several sheets could be meant.
    """
    blanks, first = _check(document)
    lines: list[bytes] = []
    size, limit = 0, document.limits.unpacked
    with closing(_answers(document)) as answers:
        every = _understand(document, next(answers))["sheets"]
        name, notes = _choose(document, every, kind)
        answer = answers.send(name)
        while isinstance(answer, bytes):
            lines.append(answer)
            size += len(answer)
            if size > limit:
                what = f"the cells hold more than {megabytes(limit)} of text"
                raise exceed(document.name, what, "Save the sheet as CSV.")
            answer = next(answers)
        facts = _understand(document, answer)
    where = f", first {first}" if first and sum(bool(sheet["rows"]) for sheet in every) == 1 else ""
    counted = {
        "merged": (detail, facts["merged"], "Merged cells were filled down."),
        "rounded": (warning, facts["rounded"], _ROUNDED),
        "blank_cells": (warning, blanks, f"{_BLANKS}{where}. They count as blank. Correct them and save in Excel."),
    }
    noted = (note(code, text.format(n=n)) for code, (note, n, text) in counted.items() if n)
    return document.holding(b"".join(lines), *notes, *noted, delimiter=",")


def _check(document: Document) -> tuple[int, str]:
    """Return how many cells come as blanks, and the name of the first, such as C2; "" where it has none.

    ReadError where the workbook says that it unpacks to too much, or is another document of an office.
    """
    if document.head.startswith(_OLE):  # of Excel 97, which has no parts
        return 0, ""
    with open_archive(document) as archive:
        size = sum(info.file_size for info in archive.infolist())
        limits = replace(document.limits, ratio=min(_RATIO, document.limits.ratio))
        most = may_unpack(len(document.content()), limits, LEAST)
        if size > most:
            what = f"the workbook unpacks to {megabytes(size)}"
            raise exceed(document.name, what, f"At most {megabytes(most)} are read.")
        parts = {info.filename: info for info in archive.infolist()}
        kind = b"".join(member_blocks(document, archive, parts["mimetype"])) if "mimetype" in parts else b""
        if not parts.keys() & {"xl/workbook.xml", "xl/workbook.bin"} and b"spreadsheet" not in kind:
            what = "this is an office document, not a workbook"
            raise refuse("unsupported", document.name, what, "Save the table as .xlsx, .ods or CSV.")
        cells = _blank_cells(document, archive)
        first = next(cells, None)
        return (0, "") if first is None else (1 + sum(1 for _ in cells), (first[1] or b"").decode())


def _blank_cells(document: Document, archive: ZipFile) -> Iterator[re.Match[bytes]]:
    """Yield the cells of a workbook that come as blanks, read in blocks of whole rows."""
    before = 0
    for info in archive.infolist():
        if info.filename.startswith("xl/worksheets/"):
            text = b""
            for block in member_blocks(document, archive, info, before):
                text += block
                end = max(text.rfind(b"row>"), 0) or len(text)
                yield from _BLANK.finditer(text, 0, end)
                text = text[end:]
            before += info.file_size


def _answers(document: Document) -> Generator[Answer, str, None]:
    """Return what ``sheets.answers`` yields of a workbook."""
    if document.limits.apart:
        return sheets.answers(io.BytesIO(document.content()), _MOST_CELLS)
    return _answers_elsewhere(document)


def _answers_elsewhere(document: Document) -> Generator[Answer, str, None]:
    """Yield the same from a process of its own. LimitError where it takes more memory or time than it may."""
    memory, seconds = _bounds(document)
    process = Process(sheets.__file__)
    clock = threading.Timer(_PATIENCE * seconds, process.end)
    clock.start()
    try:
        process.begin()
        send(process.source, {"cells": _MOST_CELLS, "memory": memory, "seconds": seconds}, [document.content()])
        name = yield receive(process.out)[0]
        send(process.source, name)
        while True:
            value, parts = receive(process.out)
            yield parts[0] if parts else value
    except (EOFError, OSError, ValueError):
        late = process.is_out_of_time() or clock.finished.is_set()
        raise _too_much(document, f"{seconds} seconds" if late else megabytes(memory)) from None
    finally:
        clock.cancel()
        process.end()


def _too_much(document: Document, taken: str) -> LimitError:
    what = f"opening the workbook takes more than {taken}"
    return exceed(document.name, what, "Remove empty rows and columns, or save the sheet as CSV.")


def _understand(document: Document, answer: Answer) -> dict[str, Any]:
    """Return an answer that is no error. ReadError where it is one."""
    facts = answer if isinstance(answer, dict) else {}
    error = facts.get("error", "")
    if facts.get("memory"):
        raise _too_much(document, megabytes(_bounds(document)[0]))
    if reach := facts.get("reach"):
        allowed = f"At most {_MOST_CELLS:,} are read; clear cells far from the table."
        raise exceed(document.name, f"the sheets reach over {reach:,} cells", allowed)
    if error:
        is_locked = "assword" in error or _ENCRYPTED in document.content()
        what = "protected by a password" if is_locked else f"damaged ({error})"
        do = "Save it in Excel without a password." if is_locked else "Open it in Excel and save it again."
        raise refuse("unreadable", document.name, f"the workbook is {what}", do)
    return facts


def _choose(document: Document, every: Sequence[Sheet], kind: Kind) -> tuple[str, tuple[Any, ...]]:
    """Return the name of the sheet and notes: the chosen one, else the only one with rows or fitting headings."""
    names, tables = [sheet["name"] for sheet in _shown(every)], _tables(every)
    wish, choice = document.options.sheet, Choice("sheet", tuple(sheet["name"] for sheet in tables))
    if wish != "":
        number = int(wish) - 1 if str(wish).isdecimal() and str(wish) not in names else -1
        name = names[number] if 0 <= number < len(names) else str(wish)
        chosen = next((sheet for sheet in every if sheet["name"] == name), None)
        if chosen is None:
            what = f"there is no sheet {listed([str(wish)])}"
            raise refuse("bad_option", document.name, what, f"Found: {listed(names)}.", choice)
        note = detail("sheet_asked", f"The sheet {listed([name])} was read, as asked.")
    else:
        filled = [sheet for sheet in tables if sheet["rows"]]
        fitting = filled if len(filled) == 1 else [sheet for sheet in filled if _fits(sheet, kind)]
        ordered = [sheet for sheet in fitting if any(means(row, "run", "rank", "score") for row in sheet["head"])]
        fitting = ordered if kind == "run" and len(ordered) == 1 else fitting
        if not filled:
            raise refuse("empty", document.name, "there is nothing in the workbook")
        if len(fitting) != 1:
            what = f"there are {len(filled)} sheets: {listed(sheet['name'] for sheet in filled)}"
            why = "" if fitting else f"None looks like {KINDS[kind].words}. "
            raise refuse("unclear", document.name, what, advise("choose_sheet", why=why), choice)
        chosen, name = fitting[0], fitting[0]["name"]
        note = detail("sheet", f"The sheet {listed([name])} was read.")
    if not chosen["rows"]:
        raise refuse("empty", document.name, f"the sheet {listed([name])} is empty", f"Found: {listed(names)}.", choice)
    if chosen["rows"] > document.limits.rows + sheets.HEAD:
        raise too_many(document.name, chosen["rows"], "rows", document.limits.rows)
    others = [sheet["name"] for sheet in every if sheet["name"] != name and sheet["rows"]]
    return name, (*([note] if others or wish != "" else []), *not_read("Other sheets were not read", others))


def _shown(every: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets that people see; where none is, all."""
    return [sheet for sheet in every if sheet["visible"]] or list(every)


def _tables(every: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets that people see, without those of notes; where there is no other, all."""
    shown = _shown(every)
    return [sheet for sheet in shown if not _are_notes(sheet)] or shown


def _are_notes(sheet: Sheet) -> bool:
    """Return whether a sheet begins with words below each other, or in pairs, that are no headings of a table."""
    rows = [cells for row in sheet["head"] if (cells := [*filter(str.strip, row)])]
    headed = any(
        _fits({"head": [row]}, own) and all(is_known(cell, own) for cell in row) for row in rows for own in KINDS
    )
    alone = any(len(row) == 1 and not is_number(row[0]) for row in rows)
    return alone and not headed and all(len(row) < 3 for row in rows)


def _fits(sheet: Sheet, kind: Kind) -> bool:
    """Return whether one of the first rows has headings for all that is needed."""
    needed = [TIERS[kind][name] for name in KINDS[kind].required]
    rows = [{*map(key, row)} for row in sheet["head"]]
    return any(all(any(keys & tier for tier in tiers) for tiers in needed) for keys in rows)
