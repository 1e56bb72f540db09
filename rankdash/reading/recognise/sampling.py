"""The first part of a source, large enough to recognise what it is, so that a large file need not be read for that."""

from __future__ import annotations

import codecs
import io
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rankdash.reading.binary import workbooks
from rankdash.reading.columns.synonyms import is_known
from rankdash.reading.json.prefix import closed, scanned
from rankdash.reading.json.shapes import are_grades, holds_documents, is_part_name, key, names_its_query
from rankdash.reading.recognise.understanding import Understood, form_of
from rankdash.reading.source import archives
from rankdash.reading.source.blocks import unpacked
from rankdash.reading.source.document import opened
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import ReadError
from rankdash.reading.source.signatures import Signature, signature_of
from rankdash.reading.words.headings import LISTS, QUERIES

#: How many bytes of a text tell, and how many rows of a table.
HEAD, ROWS = 1 << 18, 20_000
_TAIL = 1 << 12
#: So many members of a JSON text must be whole.
_ENOUGH = 16
_DEEPEST = 4


@dataclass(frozen=True)
class Sample:
    """What to read in the place of a source; ``cut`` where its end is not in it, or an error may not be the source's.

    ``form`` is that of the source where the sample has another.
    """

    source: Any
    cut: bool = False
    form: Understood | None = None


def sample_of(source: Any, limits: Limits, options: Options) -> Sample:
    """Return the first whole lines or members of a file of any packing, under its name; else the source itself."""
    head, size = _start(source)
    name = getattr(source, "name", source if isinstance(source, str) else "")
    sign = signature_of(head)
    if sign.name in ("zip", "OLE"):  # their list of files is at the end
        form = form_of(source, limits, options)
        lines_in = _unpacked_table(source, limits, options, form)
        return Sample(_named(lines_in, name), cut=True, form=form) if lines_in else Sample(source, form=form)
    packed = sign.role == "packing"
    if packed:
        head = _unpacked(head, sign, limits)
        size = len(head)
    if size <= HEAD or _is_binary(head):
        return Sample(source)
    if head.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"[", b"{")):
        members, lined = _first_members(head)
        members += _last_lines(source) if lined and not packed else b""
        return Sample(_named(members, name), cut=True) if members else Sample(source)
    lines = head[: head.rfind(b"\n") + 1]
    if not lines:
        return Sample(source)
    if packed or b'"' in lines:  # the last line may be the middle of a cell
        return Sample(_named(lines, name), cut=True)
    return Sample(_named(lines + _last_lines(source), name))


def _start(source: Any) -> tuple[bytes, int]:
    """Return the first bytes of a file and its size; b"" and 0 for what is not a file."""
    if isinstance(source, (str, os.PathLike)) and os.path.isfile(source):
        with suppress(OSError), open(source, "rb") as file:
            return file.read(HEAD + 1), os.path.getsize(source)
    if hasattr(source, "getvalue"):
        source = source.getvalue()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source[: HEAD + 1]), len(source)
    return b"", 0


def _last_lines(source: Any) -> bytes:
    """Return the last whole lines of a file that is larger than its first bytes: what is sorted has other
    values there.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            file.seek(max(os.path.getsize(source) - _TAIL, HEAD))
            end = file.read()
    else:
        content = source.getvalue() if hasattr(source, "getvalue") else source
        end = bytes(content[max(len(content) - _TAIL, HEAD) :])
    return end[end.find(b"\n") + 1 :] if b"\n" in end else b""


def _named(content: bytes, name: Any) -> io.BytesIO:
    sample = io.BytesIO(content)
    if name:
        sample.name = os.fspath(name)
    return sample


def _is_binary(head: bytes) -> bool:
    return b"\0" in head or signature_of(head).role not in ("text", "other")


def _unpacked(head: bytes, packing: Signature, limits: Limits) -> bytes:
    """Return what the first bytes of a packed file unpack to."""
    content = b""
    with suppress(ReadError):
        for block in unpacked("", packing, io.BytesIO(head).read, len(head), limits):
            content += block
    return content[: HEAD + 1]


def _unpacked_table(source: Any, limits: Limits, options: Options, form: Understood) -> bytes:
    """Return the first lines of the only file in an archive or the only sheet of a workbook; b"" where there are
    several.
    """
    if len(form.sheets) > 1 and options.sheet == "":
        return b""
    with suppress(ReadError), opened(source, limits, options) as document:
        if not workbooks.is_workbook(document):
            document = archives.member_of(document)
        if workbooks.is_workbook(document):
            return b"sep=,\n" + workbooks.first_lines(document, "run", HEAD)
        if document.size > HEAD and not _is_binary(document.head):
            return document.head[: document.head.rfind(b"\n") + 1]
    return b""


def _first_members(head: bytes) -> tuple[bytes, bool]:
    """Return a JSON text of the first values, or of the first members of the value or of the rows it wraps; whether
    values.

    b"" where that could be something else: fewer than 16 are whole, they are columns, or queries whose lists may
    follow.
    """
    ended, levels = scanned(head)
    if ended:
        return head[:ended] + b"\n", True
    for depth, level in enumerate(levels[:_DEEPEST]):
        if depth and levels[depth - 1].sign == b"{" and not _is_wrapper(level.name):
            break
        if level.commas >= _ENOUGH:
            made = closed(head, levels, depth)
            apart = _may_go_on(made) if depth else _has_columns(made)
            return b"" if apart else made, False
    return b"", False


def _is_wrapper(name: bytes) -> bool:
    return is_part_name(name.strip(b'"').decode("utf-8", "replace"))


def _may_go_on(made: bytes) -> bool:
    """Return whether what follows the first rows may say more than they: the lists of queries that are texts or ratings
    alone, or the query whose list this is.
    """
    value: Any = None
    with suppress(ValueError, RecursionError):
        value = json.loads(made)
    name = next(reversed(value), "") if isinstance(value, dict) else ""
    rows = value[name] if name else None
    some = [row for row in islice(rows.values() if isinstance(rows, dict) else rows or (), _ENOUGH) if row]
    if isinstance(rows, list) and key(name) in LISTS:
        return not any(isinstance(row, dict) and names_its_query(row) for row in some)
    lists = (item for row in some if isinstance(row, dict) for item in row.items() if not are_grades(item[0]))
    return key(name) in QUERIES and not any(holds_documents(*item) for item in lists)


def _has_columns(made: bytes) -> bool:
    """Return whether the members of an object are columns: some are called so."""
    with suppress(ValueError, RecursionError):
        value = json.loads(made)
        return isinstance(value, dict) and any(is_known(name, "run") for name in value)
    return True
