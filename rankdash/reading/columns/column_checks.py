"""Checks of the columns with a meaning: ids are not empty, ranks and scores are numbers, grades are numbers or blank.

Ids that look alike but differ are different ids; a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, from_numpy
from rankdash.reading.columns.grid import IDS, NUMBERS, Grid, unfit
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import BadCells, Rows, check, listed, printable
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import Ids, Numbers, decoded, encoded, ids, is_text, numbers
from rankdash.reading.words.headings import MEANING
from rankdash.strings.normalforms import normalized
from rankdash.tables import OrderedBy

#: What to do about a cell that is no number.
ALLOWED = {
    "relevance": advice("grade_words"),
    "rank": "Use 1, 2, 3, …",
    "score": "Use a number such as 12.5, or add a column rank.",
}


_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_SCORES_BESIDE_RANKS = "Use a number such as 12.5; nan leaves the order to the rank."
#: With more queries, similar ids are not searched for.
_MOST_QUERIES = 50_000
#: So many documents with such signs are looked at.
_MOST_DOCUMENTS = 200_000
#: Visible ASCII characters are between these two bytes.
_BLANK, _DELETE = 32, 127
#: Signs that a normal form (NFC) may write otherwise: marks, parts of Korean letters, and doubles of other signs.
_CHANGING = (
    r"[\p{M}\x{1100}-\x{11ff}\x{340}\x{341}\x{374}\x{37e}\x{387}\x{1f71}-\x{1fff}\x{2000}\x{2001}\x{2126}-\x{212b}"
    r"\x{2329}\x{232a}\x{f900}-\x{fad9}\x{2f800}-\x{2fa1d}]"
)
#: Up to here every whole number is a float64 of its own.
_EXACT = 2**53 - 1
_LARGEST_RANK = 2**31 - 1


@dataclass(frozen=True)
class Checked:
    """The columns of a Grid as a Run has them (and ``model``, encoded), the order, and what was decided."""

    columns: Mapping[str, pa.Array]
    order: OrderedBy
    notes: tuple[str, ...]


def checked(grid: Grid, order: OrderedBy) -> Checked:
    """Return the columns of the Grid, of the types that tables.py promises. ReadError with all bad cells."""
    named = {name: _ids(grid, name) for name in IDS if name in grid.columns}
    counts = {name: _numbers(grid, name) for name in NUMBERS if name in grid.columns}
    grid, named, counts = _without_blank_rows(grid, named, counts)
    bad = [cells for name, parsed in named.items() for cells in _bad_ids(grid, name, parsed)]
    notes = [note for name, parsed in named.items() for note in _id_notes(grid, name, parsed)]
    notes += [f'Column "{grid.title(name)}": {note}' for name, parsed in counts.items() for note in parsed.notes]
    wrong, order_notes = _checked_order(grid, order, counts)
    bad += wrong
    notes += order_notes
    if "relevance" in counts:
        bad += _bad_numbers(grid, "relevance", counts["relevance"], blanks=False)
        if n := len(counts["relevance"].blank):
            notes.append(f"{_rows(n)} no grade: not judged.")
    if bad:
        check(grid.name, bad, grid.row_of)
    columns = {name: values for name, values in grid.columns.items() if name not in (*IDS, *NUMBERS)}
    columns |= {name: parsed.array if name == "doc_id" else encoded(parsed.array) for name, parsed in named.items()}
    columns |= {name: _array(name, parsed) for name, parsed in counts.items()}
    notes += queries_alike(columns["query_id"].dictionary)
    notes += _documents_alike(columns["doc_id"]) if "doc_id" in columns else []
    return Checked(columns, order, (*grid.notes, *notes))


def _checked_order(grid: Grid, order: OrderedBy, counts: dict[str, Numbers]) -> tuple[list[BadCells], list[str]]:
    """Return the bad ranks and scores, and notes; ranks that cannot be used are taken out of ``counts``."""
    bad: list[BadCells] = []
    notes: list[str] = []
    none = no_ranks(counts["rank"]) if "rank" in counts else np.zeros(0, np.int64)
    if order == "rank" and "rank" in counts:
        bad += _bad_numbers(grid, "rank", counts["rank"], blanks=True) + _bad_ranks(grid, none)
    elif "rank" in counts and len(counts["rank"].missing) + len(none):
        if grid.order == "score":  # white space within an id moves all that follows
            bad += _bad_numbers(grid, "rank", counts["rank"], blanks=False)
        unused = counts.pop("rank")
        notes.append(f"The ranks are not used: {_rows(len(unused.missing) + len(none))} no whole number from 0 there.")
        notes += _first_bad(grid, "rank", replace(unused, bad=np.sort(np.concatenate((unused.bad, none)))))
    if "score" in counts and (n := len(counts["score"].missing)):
        if order == "score" and "rank" not in counts:
            bad += _bad_numbers(grid, "score", counts["score"], blanks=True)
        elif order == "score":
            bad += _words_for_scores(grid, counts["score"])
            notes.append(f"{_rows(n)} no finite score; their queries are ordered by rank.")
        else:
            notes.append(f"{_rows(n)} no finite score; the order does not need it.")
        notes += _first_bad(grid, "score", counts["score"])
    if "score" in counts and order == "score" and (n := int((np.abs(counts["score"].values) > _EXACT).sum())):
        notes.append(f"{_rows(n)} a score beyond {_EXACT:,}: scores that differ in their last digits alone are equal.")
    return bad, notes


def no_ranks(parsed: Numbers) -> Rows:
    """Return the data rows whose number is no rank: it has a fraction, is below 0, or beyond what ranks reach."""
    if parsed.values.dtype == np.int32 and not (parsed.values < 0).any():
        return np.zeros(0, np.int64)
    with np.errstate(invalid="ignore"):
        wrong = (parsed.values < 0) | (parsed.values > _LARGEST_RANK) | (np.floor(parsed.values) != parsed.values)
    return np.flatnonzero(wrong & ~np.isnan(parsed.values))


def _bad_ranks(grid: Grid, rows: Rows) -> list[BadCells]:
    if not len(rows):
        return []
    column, title = grid.columns["rank"], grid.title("rank")
    choice = Choice("columns", grid.headings or (title,), "score")
    allowed = advice("ranks_are_whole", key="score")
    return [BadCells("bad_value", rows, title, "is no rank", allowed, lambda row: str(column[row].as_py()), choice)]


def _ids(grid: Grid, name: str) -> Ids:
    try:
        column = grid.columns[name]
        if name == "doc_id" and pa.types.is_dictionary(column.type):
            column = decoded(column)
        return ids(column, harmless=grid.is_harmless)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "ids") from None


def _numbers(grid: Grid, name: str) -> Numbers:
    try:
        return numbers(grid.columns[name], counting=name == "rank")
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise unfit(grid, name, "numbers") from None


def _without_blank_rows(
    grid: Grid, named: dict[str, Ids], counts: dict[str, Numbers]
) -> tuple[Grid, dict[str, Ids], dict[str, Numbers]]:
    """Return the Grid without the rows that have neither an id nor a number, which spreadsheets append."""
    absent = [parsed.empty for parsed in named.values()] + [parsed.blank for parsed in counts.values()]
    blank = reduce(np.intersect1d, absent) if all(map(len, absent)) else np.zeros(0, np.int64)
    if not len(blank) or len(blank) == grid.rows:
        return grid, named, counts
    kept = np.setdiff1d(np.arange(grid.rows), blank)
    row_of = grid.row_of
    grid = replace(
        grid,
        columns={name: values.take(from_numpy(kept)) for name, values in grid.columns.items()},
        notes=(*grid.notes, f"{_rows(len(blank))} nothing in them and were left out."),
        row_of=lambda rows: row_of(kept[rows]),
    )
    return grid, {name: _ids(grid, name) for name in named}, {name: _numbers(grid, name) for name in counts}


def _bad_ids(grid: Grid, name: str, parsed: Ids) -> list[BadCells]:
    cells, column, title = [], grid.columns[name], grid.title(name)
    if len(parsed.empty):
        cells.append(BadCells("missing_value", parsed.empty, title, f"{MEANING[name].words} is empty"))
    if len(parsed.odd):
        what, allowed = "is neither text nor a whole number", "Ids are texts or whole numbers."
        cells.append(BadCells("bad_value", parsed.odd, title, what, allowed, lambda row: str(column[row].as_py())))
    return cells


def _id_notes(grid: Grid, name: str, parsed: Ids) -> list[str]:
    if not (parsed.trimmed or parsed.armoured or parsed.disarmed or parsed.typed):
        return []
    title, notes = grid.title(name), []
    if parsed.trimmed:
        ids_had = "1 id" if parsed.trimmed == 1 else f"{parsed.trimmed:,} ids"
        notes.append(f'White space around {ids_had} in column "{title}" was removed.')
    if parsed.armoured:
        notes.append(f'Column "{title}": {parsed.armoured:,} ids stood as ="…", as Excel keeps them; the id was read.')
    if parsed.disarmed:
        had = "1 id" if parsed.disarmed == 1 else f"{parsed.disarmed:,} ids"
        notes.append(f'Column "{title}": {had} had been disarmed for spreadsheets; the id was read.')
    if parsed.typed:
        notes.append(f'Column "{title}" holds {parsed.typed}; they were read as text.')
    return notes


def _bad_numbers(grid: Grid, name: str, parsed: Numbers, *, blanks: bool) -> list[BadCells]:
    if not len(parsed.bad) and not (blanks and len(parsed.blank)):
        return []
    column, title = grid.columns[name], grid.title(name)
    choice = _words(column, parsed) if name == "relevance" and len(parsed.bad) else None
    cells = [
        BadCells(
            "bad_value",
            parsed.bad,
            title,
            "is not a number",
            ALLOWED[name],
            lambda row: str(column[row].as_py()),
            choice,
        )
    ]
    if blanks:
        cells.append(BadCells("missing_value", parsed.blank, title, f"{MEANING[name].words} is empty", ALLOWED[name]))
    return cells


def _first_bad(grid: Grid, name: str, parsed: Numbers) -> list[str]:
    """Return a note on the first cell that should be a number and is none, where reading goes on without it."""
    if not len(parsed.bad):
        return []
    row = int(grid.row_of(parsed.bad[:1])[0])
    text = printable(str(grid.columns[name][int(parsed.bad[0])].as_py()))
    return [f'Column "{grid.title(name)}": "{text}" in row {row} is the first such cell.']


def _words_for_scores(grid: Grid, parsed: Numbers) -> list[BadCells]:
    """Return the cells that are no numbers at all, not even infinite. Where only the text shows which these are, return
    every cell that may be; ``settled`` then reads the text.
    """
    column = grid.columns["score"]
    texts = {row: str(column[row].as_py()) for row in parsed.bad.tolist()}
    if is_text(column.type):
        bad = [row for row, text in texts.items() if not is_number(text) and not _NOT_FINITE.fullmatch(text.strip())]
    else:
        bad = list(texts) if grid.as_text is not None else []
    rows = np.array(bad, np.int64)
    return [
        BadCells("bad_value", rows, grid.title("score"), "is not a number", _SCORES_BESIDE_RANKS, texts.__getitem__)
    ]


def _words(column: pa.Array, parsed: Numbers) -> Choice:
    """Return the words that need a grade: the first 50 different ones."""
    words = dict.fromkeys(str(column[row].as_py()) for row in parsed.bad[:10_000].tolist())
    return Choice("grades", tuple(words)[:50])


def _array(name: str, parsed: Numbers) -> pa.Array:
    """Return the numbers as float64, or int32 for ranks."""
    return from_numpy(parsed.values.astype(np.int32 if name == "rank" else np.float64, copy=False))


def _rows(n: int) -> str:
    return "1 row has" if n == 1 else f"{n:,} rows have"


def queries_alike(names: pa.Array) -> list[str]:
    """Return a note on queries whose ids, each there once, differ only in what people do not see as a difference."""
    if len(names) > _MOST_QUERIES or _differ_in_any_case(names):
        return []
    groups: dict[str, list[str]] = {}
    for value in names.to_pylist():
        groups.setdefault(" ".join(normalized("NFKC", value).casefold().split()), []).append(value)
    alike = [values for values in groups.values() if len(values) > 1]
    if not alike:
        return []
    example = f"{listed(alike[0][:2])}: they count as different queries"
    what = "query has" if len(alike) == 1 else "queries have"
    return [f"{len(alike):,} {what} ids that differ only in case, width or blanks, like {example}."]


def _documents_alike(documents: pa.Array) -> list[str]:
    """Return a note on documents whose ids are the same but for their Unicode form."""
    text = Text.of(documents)
    if not bool((text.data[text.offsets[0] : text.offsets[-1]] > _DELETE).any()):
        return []
    some = documents.filter(pc.match_substring_regex(documents, _CHANGING)).slice(0, _MOST_DOCUMENTS)
    forms: dict[str, list[str]] = {}
    for value in dict.fromkeys(some.to_pylist()):
        forms.setdefault(normalized("NFC", value), []).append(value)
    composed = pa.array([form for form, values in forms.items() if form not in values], documents.type)
    for form in documents.filter(pc.is_in(documents, value_set=composed)).unique().to_pylist():
        forms[form].append(form)
    pairs = [values for values in forms.values() if len(values) > 1]
    if not pairs:
        return []
    what = "document has ids" if len(pairs) == 1 else "documents have ids"
    example = f"like {' and '.join(f'{value!a}' for value in sorted(pairs[0])[:2])}"
    return [f"{len(pairs):,} {what} that differ only in Unicode form, {example}: they count as different documents."]


def _differ_in_any_case(names: pa.Array) -> bool:
    """Return whether ids, each there once, are visible ASCII and differ in lower case, too; False where this is not
    certain.
    """
    text = Text.of(names)
    data = text.data[text.offsets[0] : text.offsets[-1]]
    if bool(((data <= _BLANK) | (data >= _DELETE)).any()):
        return False
    return len(pc.ascii_lower(names).dictionary_encode().dictionary) == len(names)
