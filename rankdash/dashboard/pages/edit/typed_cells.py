"""What was typed into the cells of an editor, checked: Streamlit's bounds are a browser's courtesy, not a check."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rankdash.edits import ListLine
from rankdash.style import editing as words

LOWEST, HIGHEST = -100.0, 1000.0


def typed_lines(before: Sequence[ListLine], event: Mapping[str, Any]) -> tuple[list[ListLine], tuple[str, ...]]:
    """Return the list with what an editor reports as edited, added and deleted rows, and what is wrong with it."""
    gone = set(event.get("deleted_rows", ()))
    wrong: list[str] = []
    lines: list[ListLine] = []
    edited = {int(row): cells for row, cells in event.get("edited_rows", {}).items()}
    for place, line in enumerate(before):
        if place not in gone:
            lines.append(_line(line, edited[place], wrong) if place in edited else line)
    for cells in event.get("added_rows", ()):
        new = _line(ListLine("", None, None), cells, wrong)
        lines.append(new)
    times = Counter(line.doc_id for line in lines)
    wrong += [words.TWICE.format(doc=doc) for doc, n in times.items() if n > 1]
    return lines, tuple(dict.fromkeys(wrong))


def _line(line: ListLine, cells: Mapping[str, Any], wrong: list[str]) -> ListLine:
    doc_id = str(cells.get("id") or line.doc_id).strip()
    rank = line.rank
    if "rank" in cells and cells["rank"] is not None:
        rank = number_in(cells["rank"])
        if rank is None or rank < 1 or rank != int(rank):
            wrong.append(words.NOT_A_RANK.format(doc=doc_id, found=cells["rank"]))
    return ListLine(doc_id, rank, checked_grade(doc_id, cells["grade"], wrong) if "grade" in cells else line.grade)


def checked_grade(doc_id: str, typed: Any, wrong: list[str]) -> float | None:
    """Return the typed grade, None for an emptied cell. A text that is not a grade is added to ``wrong``."""
    if typed is None or typed == "":
        return None
    grade = number_in(typed)
    if grade is None or not LOWEST <= grade <= HIGHEST:
        wrong.append(words.NOT_A_GRADE.format(doc=doc_id, found=typed, low=LOWEST, high=HIGHEST))
        return None
    return grade


def number_in(typed: Any) -> float | None:
    """Return the finite number in a cell; None where there is none."""
    try:
        number = float(typed)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
