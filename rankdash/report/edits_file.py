"""The file of edits: written on the Edit page, read back where files are dropped and by the command line."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import pyarrow as pa

from rankdash import arrow
from rankdash.edits import Edit, What
from rankdash.scoring import Side
from rankdash.strings.formulas import disarmed, taken_back

COLUMNS = ("query_id", "doc_id", "what", "list", "before", "after")
#: The words of the column list, by the side of an edit: a grade counts in both lists.
_LIST: Mapping[Side | None, str] = {"a": "A", "b": "B", None: "A and B"}
_SIDE = {word: side for side, word in _LIST.items()}
_LARGEST, _MOST_PROBLEMS = 50_000_000, 20


class EditsError(ValueError):
    """A file of edits that cannot be read: one sentence per line."""


def edits_csv(edits: Iterable[Edit]) -> bytes:
    """Return the edits in order: query_id, doc_id, what, list, before, after.

    Numbers are exact; a cell is empty where there is none.
    """
    rows = [(e.query_id, e.doc_id, e.what, _LIST[e.side], _number(e.before), _number(e.after)) for e in edits]
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    out.writerow(COLUMNS)
    columns = [_safe([row[i] for row in rows]) if i < 2 else [row[i] for row in rows] for i in range(len(COLUMNS))]
    out.writerows(zip(*columns, strict=True))
    return text.getvalue().encode()


def is_edits(content: bytes | memoryview) -> bool:
    """Return whether a file begins like a file of edits."""
    head = bytes(content[:200]).decode("utf-8-sig", "replace").splitlines()
    return bool(head) and tuple(next(csv.reader(head[:1]), ())) == COLUMNS


def read_edits(content: bytes, name: str) -> tuple[Edit, ...]:
    """Return the edits of a file, in order. EditsError names the row, its content and what is allowed."""
    if not is_edits(content) or len(content) > _LARGEST:
        raise EditsError(f"{name}: this is no list of edits. Its columns are {', '.join(COLUMNS)}.")
    try:
        lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))[1:]
    except (UnicodeDecodeError, csv.Error):
        raise EditsError(f"{name}: the file is damaged. Save the list of edits again as CSV in UTF-8.") from None
    rows = [(number, row) for number, row in enumerate(lines, start=2) if any(row)]
    short = [number for number, row in rows if len(row) != len(COLUMNS)]
    if short:
        raise EditsError(f"{name}, row {short[0]:,}: there are not {len(COLUMNS)} cells.")
    ids = [taken_back(arrow.from_strings([row[i] for _, row in rows]))[0].to_pylist() for i in (0, 1)]
    edits, wrong = [], []
    for (number, row), query_id, doc_id in zip(rows, *ids, strict=True):
        try:
            edits.append(_edit(query_id, doc_id, *row[2:]))
        except ValueError as error:
            wrong.append(f"{name}, row {number:,}: {error}")
    if wrong:
        raise EditsError("\n".join(wrong[:_MOST_PROBLEMS]))
    return tuple(edits)


def _edit(query_id: str, doc_id: str, what: str, list_: str, before: str, after: str) -> Edit:
    """Return the edit of a row. ValueError where the row is none."""
    if what not in get_args(What):
        raise ValueError(f'{what!r} is no edit. "what" is {", ".join(get_args(What))}.')
    if list_ not in _SIDE or (what != "grade" and _SIDE[list_] is None):
        raise ValueError(f'{list_!r} is no list. "list" is A or B, and "A and B" for a grade of both.')
    if not query_id or not doc_id:
        raise ValueError("the query or the document has no id.")
    numbers = [None if text == "" else _checked(text, what) for text in (before, after)]
    if what in ("rank", "add") and numbers[1] is None:
        raise ValueError(f'"after" is empty. For {what!r} it is a rank from 1.')
    kind: Any = what
    return Edit(query_id, doc_id, kind, _SIDE[list_], *numbers)


def _checked(text: str, what: str) -> float:
    value = float(text) if text.isascii() else math.nan
    if not math.isfinite(value) or (what != "grade" and (value < 1 or value != int(value))):
        raise ValueError(f"{text!r} is no {'grade' if what == 'grade' else 'rank from 1'}.")
    return value


def _safe(values: Sequence[str]) -> list[str]:
    result: list[str] = disarmed(pa.chunked_array([arrow.from_strings(list(values))])).to_pylist()
    return result


def _number(value: float | None) -> str:
    """Return a number with all of its digits."""
    return "" if value is None else str(int(value)) if value == int(value) else repr(float(value))
