"""Workbooks of Excel and LibreOffice: the sheet that is meant, as lines of text; all else is read as in a text file.

The workbook is opened in a process of its own with limits, or here where this process has such limits.
"""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pyarrow as pa

from rankdash.limited_process import Process, receive, send
from rankdash.reading.binary import sheets
from rankdash.reading.binary.sheets import Answer
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.advice import advice
from rankdash.reading.source.archives import opened_archive, unpacked
from rankdash.reading.source.document import Document, in_memory
from rankdash.reading.source.limits import LEAST, for_opening, may_unpack, megabytes
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import LimitError, Problem, listed, refuse, too_many
from rankdash.reading.source.signatures import signature_of
from rankdash.reading.source.unread import not_read
from rankdash.reading.words.headings import KINDS, Kind

#: A part that only such a workbook has: .xlsx and .xlsm, .xlsb, .ods.
_PARTS = frozenset(("xl/workbook.xml", "xl/workbook.bin", "content.xml"))
_OTHER = ("word/document.xml", "ppt/presentation.xml")
_SPREADSHEET = b"application/vnd.oasis.opendocument.spreadsheet"
#: Cells of .xlsx that come as blanks, and what is said of them.
_BLANK = {
    re.compile(rb"</(?:\w+:)?f>(?:<(?:\w+:)?v/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>"): (
        "{:,} formulas without a stored value count as blank; open the workbook in Excel and save it to store them."
    ),
    re.compile(
        rb"<(?:\w+:)?c [^<>]{0,99}t=[\"\']e[\"\']"
    ): "{:,} cells with an error of Excel (#N/A, …) count as blank.",
}
_LONGEST_CELL = 1000
#: How many times its size a workbook unpacks to: its parts are long names around short values.
_RATIO = 30
_MOST_CELLS = 25_000_000
_PATIENCE = 5  # how many times the seconds may pass while other processes have the processor

Sheet = Mapping[str, Any]


def is_workbook(document: Document) -> bool:
    """Return whether this is a workbook, or another document of an office program."""
    sign = signature_of(document.head)
    if sign.name != "zip":
        return sign.role == "workbook"
    with opened_archive(document) as archive:
        return bool({*_PARTS, *_OTHER} & set(archive.namelist()))


def sheet_names(document: Document) -> tuple[str, ...]:
    """Return the sheets of a workbook, hidden ones left out where others are shown.

    ReadError where it cannot be opened.
    """
    document = document.held()
    _check(document)
    with closing(_answers(document)) as answers:
        return tuple(sheet["name"] for sheet in _shown(_understood(document, next(answers))["sheets"]))


def as_text(document: Document, kind: Kind) -> Document:
    """Return a sheet as a document of comma separated lines, one for each row.

    ReadError where several sheets could be meant.
    """
    document = document.held()
    notes = _check(document)
    kept, most = pa.BufferOutputStream(), document.limits.unpacked
    with closing(_answers(document)) as answers:
        name, why = _chosen(document, _understood(document, next(answers))["sheets"], kind)
        answer = answers.send(name)
        while isinstance(answer, bytes):
            kept.write(answer)
            if kept.tell() > most:
                what = f"the cells hold more than {megabytes(most)} of text"
                raise refuse("too_large", document.name, what, f"At most {megabytes(most)} are read.")
            answer = next(answers)
    noticed = _understood(document, answer)
    if noticed["merged"]:
        notes = (*notes, "Merged cells were filled down.")
    if n := noticed["rounded"]:
        notes = (*notes, f"{n:,} numbers have more than 15 digits, which Excel has rounded; keep such ids as text.")
    return replace(in_memory(document, kept.getvalue(), *why, *notes), delimiter=",")


def first_lines(document: Document, kind: Kind, most: int) -> bytes:
    """Return the first lines of what ``as_text`` returns, at most so many bytes, of a workbook whose sheets are known.

    No more lines are made, so that a look takes no longer than opening the workbook does.
    """
    document = document.held()
    lines = b""
    with closing(_answers(document)) as answers:
        name, _ = _chosen(document, _understood(document, next(answers))["sheets"], kind)
        answer = answers.send(name)
        while isinstance(answer, bytes) and len(lines) <= most:
            lines += answer
            answer = next(answers)
    return lines[: lines.rfind(b"\n", 0, most) + 1]


def _check(document: Document) -> tuple[str, ...]:
    """Return notes about the parts of the workbook. ReadError where it unpacks to too much, or is no workbook."""
    if signature_of(document.head).name != "zip":  # of Excel 97, which has no parts
        return ()
    done = 0
    blanks = dict.fromkeys(_BLANK, 0)
    with opened_archive(document) as archive:
        names = set(archive.namelist())
        if not _PARTS & names or ("content.xml" in names and not _is_spreadsheet(document)):
            what = "this is an office document, but no workbook"
            raise refuse("unsupported", document.name, what, "Save the table as .xlsx, .ods or CSV.")
        said = sum(info.file_size for info in archive.infolist())
        limits = replace(document.limits, ratio=min(_RATIO, document.limits.ratio))
        largest, allowed = may_unpack(document.size, LEAST, limits)
        if said > largest:
            raise refuse("too_large", document.name, f"the workbook unpacks to {megabytes(said)}", allowed)
        for info in archive.infolist():
            tail = b""
            for block in unpacked(document, archive, info, done):
                done += len(block)
                if info.filename.startswith("xl/worksheets/"):
                    block = tail + block
                    cut = block.rfind(b"<c ", -_LONGEST_CELL) if len(block) > _LONGEST_CELL else 0
                    cut = len(block) if cut < 0 else cut or len(block)
                    for sign in _BLANK:
                        blanks[sign] += len(sign.findall(block, 0, cut))
                    tail = block[cut:]
            for sign in _BLANK:
                blanks[sign] += len(sign.findall(tail))
    return tuple(note.format(n) for (sign, note), n in zip(_BLANK.items(), blanks.values(), strict=True) if n)


def _is_spreadsheet(document: Document) -> bool:
    with opened_archive(document) as archive:
        kind = next((info for info in archive.infolist() if info.filename == "mimetype"), None)
        return kind is None or b"".join(unpacked(document, archive, kind)).strip().startswith(_SPREADSHEET)


def _answers(document: Document) -> Generator[Answer, str, None]:
    """Return what ``sheets.answers`` yields of a workbook."""
    if document.limits.apart:
        return sheets.answers(io.BytesIO(document.content(0, document.size)), _MOST_CELLS)
    return _answers_elsewhere(document)


def _answers_elsewhere(document: Document) -> Generator[Answer, str, None]:
    """Yield the same from a process of its own. LimitError where it takes more memory or time than it may."""
    memory, seconds = for_opening(document.size, document.limits)
    process = Process(sheets.__file__)
    clock = threading.Timer(_PATIENCE * seconds, process.end)
    clock.start()
    try:
        process.begin()
        request = {"cells": _MOST_CELLS, "memory": memory, "seconds": seconds}
        send(process.source, request, [document.content(0, document.size)])
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
    allowed = "Take out what is not needed, empty rows and columns too, or save the sheet as CSV."
    return LimitError((Problem("too_large", document.name, what, allowed=allowed),))


def _understood(document: Document, answer: Answer) -> dict[str, Any]:
    """Return an answer that is no error. ReadError where it is one."""
    facts = answer if isinstance(answer, dict) else {}
    error = facts.get("error", "")
    if facts.get("memory"):
        raise _too_much(document, megabytes(for_opening(document.size, document.limits)[0]))
    if "assword" in error:
        raise refuse("unreadable", document.name, "the workbook is protected by a password", "Save it without one.")
    if reach := facts.get("reach"):
        what = f"the sheets reach over {reach:,} cells"
        raise refuse(
            "too_large", document.name, what, f"At most {_MOST_CELLS:,} are read; clear what is far from the table."
        )
    if error:
        raise refuse(
            "unreadable", document.name, f"the workbook is damaged ({error})", "Open it in Excel and save it again."
        )
    return facts


def _chosen(document: Document, sheets: Sequence[Sheet], kind: Kind) -> tuple[str, tuple[str, ...]]:
    """Return the name of the sheet, and notes: the sheet that was chosen, else the only one with rows, or with fitting
    headings.
    """
    shown = _shown(sheets)
    names = [sheet["name"] for sheet in shown]
    wish = document.options.sheet
    choice = Choice("sheet", tuple(names))
    if wish != "":
        number = int(wish) - 1 if str(wish).isdecimal() and str(wish) not in names else -1
        name = names[number] if 0 <= number < len(names) else str(wish)
        chosen = next((sheet for sheet in sheets if sheet["name"] == name), None)
        if chosen is None:
            raise refuse(
                "bad_option",
                document.name,
                f"there is no sheet {listed([str(wish)])}",
                f"Found: {listed(names)}.",
                choice,
            )
        if not chosen["rows"]:
            raise refuse(
                "empty", document.name, f"the sheet {listed([name])} is empty", f"Found: {listed(names)}.", choice
            )
        _check_rows(document, chosen)
        return name, (f"The sheet {listed([name])} was read, as asked.", *_others(sheets, name))
    filled = [sheet for sheet in shown if sheet["rows"]]
    if not filled:
        raise refuse("empty", document.name, "there is nothing in the workbook")
    fitting = filled if len(filled) == 1 else [sheet for sheet in filled if _fits(sheet, kind)]
    if kind == "run" and len(fitting) > 1:
        fitting = [sheet for sheet in fitting if _has_order(sheet)] or fitting
    if len(fitting) != 1:
        what = f"there are {len(filled)} sheets: {listed([sheet['name'] for sheet in filled])}"
        why = "" if fitting else f"None looks like {KINDS[kind].words}. "
        raise refuse("unclear", document.name, what, advice("choose_sheet", why=why), choice)
    name = fitting[0]["name"]
    _check_rows(document, fitting[0])
    notes = [f"The sheet {listed([name])} was read; it is the only one that fits."] if len(names) > 1 else []
    return name, (*notes, *_others(sheets, name))


def _others(sheets: Sequence[Sheet], name: str) -> tuple[str, ...]:
    """Return notes on the other sheets with rows in them."""
    others = [sheet for sheet in sheets if sheet["name"] != name and sheet["rows"]]
    shown, hidden = ([sheet["name"] for sheet in others if sheet["visible"] is seen] for seen in (True, False))
    return *not_read("Other sheets were not read", shown), *not_read("Hidden sheets were not read", hidden)


def _shown(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets that people see; where none is, all."""
    return [sheet for sheet in sheets if sheet["visible"]] or list(sheets)


def _check_rows(document: Document, sheet: Sheet) -> None:
    most = document.limits.rows
    if sheet["rows"] > most + sheets.HEAD:
        raise too_many(document.name, sheet["rows"], "rows", most)


def _has_order(sheet: Sheet) -> bool:
    """Return whether one of the first rows has a heading for a rank or a score."""
    keys = frozenset().union(*TIERS["run"]["rank"], *TIERS["run"]["score"])
    return any(key(cell) in keys for row in sheet["head"] for cell in row)


def _fits(sheet: Sheet, kind: Kind) -> bool:
    """Return whether one of the first rows has headings for all that is needed."""
    tiers = TIERS[kind]
    for row in sheet["head"]:
        keys = set(map(key, row))
        if all(any(keys & tier for tier in tiers[name]) for name in KINDS[kind].required):
            return True
    return False
