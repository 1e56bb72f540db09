"""What users took, without a grade: users beside items, and nothing else but times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.synonyms import TIERS, key, last_words
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem, ReadError, listed
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import MEANING, TIMES, USERS

#: What the name of a column with a time begins with; no heading has it.
TIMED = "\x1ftimed\x1f"
_USERS, _TIMES = frozenset(map(key, USERS.split())), frozenset(map(key, TIMES.split()))
#: Names of columns that order, grade or vote.
_ORDERS = frozenset().union(
    *(tier for name in ("rank", "score", "relevance", "model") for tier in TIERS["run"][name]),
    *TIERS["votes"]["vote"][:2],
)
_CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp]\.?[Mm]\.?)?( ?(Z|UTC|GMT|[+-]\d{2}:?(\d{2})?))?"
_DAY = (
    r"(\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|"
    r"([A-Za-z]{3,9},? )?\d{1,2}[ /-][A-Za-z]{3,9}[ /-]\d{4}|([A-Za-z]{3,9},? )?[A-Za-z]{3,9} \d{1,2},? \d{4})"
)
#: A date as one number, or the seconds (or parts of seconds) since 1970; from 1973 on these have nine digits.
_UNIX = r"((19|20)\d{6}|\d{9,19}(\.\d+)?|\d(\.\d+)?[eE]\+?(0[89]|1\d))"
#: A cell with a date or a time. An empty one may be of an item that was shown and not taken.
_TIME = rf"^\s*({_DAY}([ T:]{{1,2}}{_CLOCK})?|{_UNIX})\s*$"


def are_of_users(headings: Sequence[str], names: Mapping[int, str]) -> bool:
    """Return whether a table without grades has users, and none of its columns orders, grades or votes."""
    query = next((headings[i] for i, own in names.items() if own == "query_id"), "")
    if key(query) not in _USERS:
        return False
    return not any(key(heading) in _ORDERS or not _ORDERS.isdisjoint(last_words(heading)) for heading in headings)


def times_of(headings: Sequence[str], names: Mapping[int, str]) -> dict[int, str] | None:
    """Return the names for the columns beside users and items, by column number; None where one is not called as dates
    and times are.
    """
    others = beside(headings, names)
    return {i: f"{TIMED}{i}" for i in others} if all(key(headings[i]) in _TIMES for i in others) else None


def beside(headings: Sequence[str], names: Mapping[int, str]) -> list[int]:
    """Return the numbers of the columns beside users and items."""
    return [i for i in range(len(headings)) if names.get(i) not in ("query_id", "doc_id")]


def without_times(grid: Grid) -> Grid:
    """Return the Grid without the columns of dates and times. ReadError where one of them holds anything else."""
    names = [name for name in grid.columns if name.startswith(TIMED)]
    wrong = [grid.title(name) for name in names if not _holds_times(grid.columns[name])]
    if wrong:
        raise ReadError((no_grade(grid.name, grid.headings, wrong),))
    again = grid.as_text
    kept = {name: column for name, column in grid.columns.items() if name not in names}
    return replace(grid, columns=kept, as_text=again and (lambda: without_times(again())))


def _holds_times(column: pa.Array) -> bool:
    """Return whether every cell is a date or a time."""
    if column.null_count:
        return False
    if pa.types.is_temporal(column.type):
        return not pa.types.is_duration(column.type)
    try:
        texts = as_text(column)[0]
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return False
    return bool(pc.all(pc.match_substring_regex(texts, _TIME), min_count=0).as_py())


def no_grade(file: str, headings: Sequence[str], beside: Sequence[str]) -> Problem:
    """Return the problem of users and items with columns beside them that may say whether a user took an item."""
    what = f"there is no column for {MEANING['relevance'].words}"
    others = listed(beside) if len(beside) == 1 else f"one of {listed(beside)}"
    facts = {"found": listed(headings), "others": others}
    plain = len(beside) == 1 and beside[0].isidentifier()
    allowed = advice("grade_beside", key="relevance", column=beside[0] if plain else "…", **facts)
    return Problem(
        "missing_column", file, what, allowed=allowed, choice=Choice("columns", tuple(headings), "relevance")
    )
