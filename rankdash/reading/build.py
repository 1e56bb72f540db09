"""From a Grid to a table of any kind: ids, numbers and order checked; what was decided is noted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow, tables
from rankdash.arrow import as_numpy, codes, decoded, encoded, filled, from_numpy, from_strings, is_text
from rankdash.notes import Advice, Note, advise, detail, listed, printable, warning
from rankdash.reading import grid as cells
from rankdash.reading.grid import IDS, NUMBERS, BadCells, Grid, Ids, Numbers, Rows, as_text, check, is_number
from rankdash.reading.headings import GRADES_AS_SCORES, MEANING, Kind, key, means, names_pairs_alone, names_queries
from rankdash.reading.problems import Choice, Problem, ReadError, refuse, too_many
from rankdash.reading.values import MAX_WORDS, Lists, are_falling, are_grades, are_scores, propose_grades, refuse_scores
from rankdash.tables import JUDGMENT_COLUMNS, RUN_COLUMNS, Judgments, Models, OrderedBy, Queries, Run, Source

_ALLOWED: Mapping[str, str | Advice] = {
    "relevance": advise("grade_words"),
    "rank": "Use 1, 2, 3, …",
    "score": "Use a number such as 12.5, or add a column rank.",
}
_MOST_MODELS = 200
#: Headings of what may be the grades of a query, or the stars of a product.
_RATINGS = frozenset("rating ratings bewertung 评分 打分 评价 評価 評点".split())
_LARGEST_RANK = 2**31 - 1
#: A list in a cell: in brackets, or with signs between its parts, and no address.
_LIST = re.compile(r"^[\[({].*[\])}]$|^(?!\w+:)[^|,;]+([|,;] ?[^|,;]+)+$")


# --- checked columns -------------------------------------------------------------------------------------------------


def _check(grid: Grid, order: OrderedBy) -> Grid:
    """Return the Grid with columns of the types that tables.py promises (and ``model``, encoded), with the order of the
    lists, and what was decided. ReadError with all bad cells.
    """
    ids = {name: grid.ids(name) for name in IDS if name in grid.columns}
    numbers = {name: grid.numbers(name) for name in NUMBERS if name in grid.columns}
    absent = [parsed.empty for parsed in ids.values()] + [parsed.blank for parsed in numbers.values()]
    blank = reduce(np.intersect1d, absent) if all(map(len, absent)) else np.zeros(0, np.int64)
    if len(blank) and len(blank) < grid.rows:  # rows that spreadsheets append
        text = f"{_rows(len(blank))} no values. Such rows are left out."
        kept = np.setdiff1d(np.arange(grid.rows), blank, assume_unique=True)
        return _check(grid.taking(kept, detail("blank_rows", text)), order)
    bad = [cells for name, parsed in ids.items() for cells in _bad_ids(grid, name, parsed)]
    notes = [note for name, parsed in numbers.items() for note in _commas(grid, name, parsed)]
    wrong, order_notes = _check_order(grid, order, numbers)
    bad += wrong
    notes += order_notes
    if "relevance" in numbers:
        bad += _bad_numbers(grid, "relevance", numbers["relevance"])
        notes += [_ungraded(grid, rows)] if len(rows := numbers["relevance"].blank) else []
    check(grid.name, bad, grid.row_of)
    columns = {name: values for name, values in grid.columns.items() if name not in (*IDS, *NUMBERS)}
    for name, own in ids.items():
        columns[name] = decoded(own.array) if name == "doc_id" else encoded(own.array)
    columns |= {
        name: from_numpy(parsed.values.astype(np.int32 if name == "rank" else np.float64, copy=False))
        for name, parsed in numbers.items()
    }
    return replace(grid.noting(*notes), columns=columns, order=order)


def _ungraded(grid: Grid, rows: Rows) -> Note:
    """Return the note on rows without a grade: a warning where errors of a spreadsheet stand in its place, or may."""
    errors = rows[cells.are_like(cells.ERROR, grid.columns["relevance"], rows)]
    if not len(errors) and not any(note.code == "blank_cells" for note in grid.notes):
        return detail("unjudged_rows", f"{_rows(len(rows))} no grade: not judged.")
    found = listed(dict.fromkeys(map(_cells(grid, "relevance"), errors.tolist()))) or "nothing"
    rows = errors if len(errors) else rows
    where = f'column "{grid.title("relevance")}", first in row {grid.row_of(rows[:1])[0]}'
    what = f"{_rows(len(rows))} {found} in place of a grade ({where})."
    return warning("lost_grades", f"{what} Errors of a spreadsheet count as not judged: correct such cells.")


def _taking(grid: Grid, rows: Rows) -> Grid:
    """Return some rows of a checked Grid; a dictionary of ids keeps only those that are left."""
    taken = grid.taking(rows)
    ids = {name: own for name, own in taken.columns.items() if pa.types.is_dictionary(own.type)}
    return replace(taken, columns={**taken.columns, **{name: encoded(decoded(own)) for name, own in ids.items()}})


def _commas(grid: Grid, name: str, parsed: Numbers) -> tuple[Note, ...]:
    """Return the warning on decimal commas in a column."""
    text = f'Column "{grid.title(name)}": decimal commas were read as decimal points.'
    return (warning("decimal_commas", text),) if parsed.commas else ()


def _check_order(grid: Grid, order: OrderedBy, numbers: dict[str, Numbers]) -> tuple[list[BadCells], list[Note]]:
    """Return the bad ranks and scores, and notes; ranks that cannot be used are taken out of ``numbers``."""
    bad: list[BadCells] = []
    notes: list[Note] = []
    none = _no_ranks(numbers["rank"]) if "rank" in numbers else np.zeros(0, np.int64)
    if order == "rank" and "rank" in numbers:
        allowed = advise("ranks_are_whole", key="score")
        choice = Choice("columns", grid.headings, "score")
        bad += _bad_numbers(grid, "rank", numbers["rank"], blanks=True)
        bad.append(BadCells("bad_value", none, grid.title("rank"), "is no rank", allowed, _cells(grid, "rank"), choice))
    elif "rank" in numbers and len(numbers["rank"].missing) + len(none):
        if grid.order == "score":  # of a TREC run: white space within an id moves all that follows
            bad += _bad_numbers(grid, "rank", numbers["rank"])
        n = len(numbers.pop("rank").missing) + len(none)
        notes.append(detail("ranks_unused", f"The ranks are not used: {_rows(n)} no whole number from 0 there."))
    if "score" in numbers and (n := len(numbers["score"].missing)):
        if order == "score" and "rank" not in numbers:
            bad += _bad_numbers(grid, "score", numbers["score"], blanks=True)
        elif order == "score":
            bad += _bad_numbers(grid, "score", numbers["score"])
            notes.append(warning("no_score", f"{_rows(n)} no finite score; their queries are ordered by rank."))
    if "score" in numbers and order == "score" and (n := int((np.abs(numbers["score"].values) >= cells.EXACT).sum())):
        text = f"{_rows(n)} a score beyond {cells.EXACT:,}: scores that differ in their last digits alone are equal."
        notes.append(warning("large_scores", text))
    return bad, notes


def _no_ranks(parsed: Numbers) -> Rows:
    """Return the data rows whose number is no rank: it has a fraction, is below 0, or beyond what ranks reach."""
    values = parsed.values
    if values.dtype == np.int32:
        return np.flatnonzero(values < 0)
    with np.errstate(invalid="ignore"):
        wrong = (values < 0) | (values > _LARGEST_RANK) | (np.floor(values) != values)
    return np.flatnonzero(wrong & ~np.isnan(values))


_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)


def _bad_numbers(grid: Grid, name: str, parsed: Numbers, *, blanks: bool = False) -> list[BadCells]:
    """Return the cells that are no numbers; with ``blanks`` also those without one. An infinite score beside ranks is
    none, but no mistake.
    """
    title, text = grid.title(name), _cells(grid, name)
    bad, rows, empty = cells.changed(grid, name, parsed, text, blanks=blanks)
    if blanks and grid.format == "JSON" and not grid.headings and len(parsed.missing):
        row = int(parsed.missing[0])
        query, document = (listed([_cells(grid, own)(row)]) for own in ("query_id", "doc_id"))
        what = f"query {query}, document {document}: the score is {'NaN or null' if row in parsed.blank else text(row)}"
        raise ReadError([Problem("bad_value", grid.name, what, allowed="Give a number.")], len(parsed.missing))
    if name == "score" and not blanks:
        rows = np.array([row for row in rows.tolist() if not _NOT_FINITE.fullmatch(text(row).strip())], np.int64)
    words = [*dict.fromkeys(map(text, rows[:10_000].tolist()))] if name == "relevance" else []
    if len(words) > MAX_WORDS:
        what, do = f"is one of more than {MAX_WORDS} words, too many for grades", "Check which column has the grades."
        raise ReadError([Problem("bad_value", grid.name, what, None, title, words[0], do)])
    choice = Choice("grades", tuple(words)) if words else None
    bad.append(BadCells("bad_value", rows, title, "is not a number", _ALLOWED[name], text, choice))
    bad.append(BadCells("missing_value", empty, title, f"{MEANING[name].words} is empty", _ALLOWED[name]))
    return bad


def _cells(grid: Grid, name: str) -> Callable[[int], str]:
    """Return what gives the cell of a column in a data row as text."""
    return lambda row: str(grid.columns[name][row].as_py())


def _bad_ids(grid: Grid, name: str, parsed: Ids) -> Iterator[BadCells]:
    title = grid.title(name)
    yield BadCells("missing_value", parsed.empty, title, f"{MEANING[name].words} is empty", "Write it in every row.")
    what, allowed = "is neither text nor a whole number", "Ids are texts or whole numbers."
    yield BadCells("bad_value", parsed.odd, title, what, allowed, _cells(grid, name))


def _text(column: pa.Array) -> pa.Array | None:
    """Return a column as text without nulls; None for one that holds something else."""
    try:
        return filled(as_text(column))
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None


def _texts(columns: Mapping[str, pa.Array], notes: list[Note]) -> dict[str, pa.Array]:
    """Return columns as text; those that hold something else are left out and noted."""
    texts = {name: text for name, column in columns.items() if (text := _text(column)) is not None}
    notes.extend(
        detail("left_out", f"Column {listed([name])} holds {column.type} and was left out.")
        for name, column in columns.items()
        if name not in texts
    )
    return texts


def _rows(n: int) -> str:
    return "1 row has" if n == 1 else f"{n:,} rows have"


# --- grades as words -------------------------------------------------------------------------------------------------


def grade_words(grid: Grid, wished: Mapping[str, float]) -> Grid:
    """Return the Grid with numbers in place of grade words: those ``wished``, or those of a scale that has all words.

    ReadError where a grade that is wished is not a finite number.
    """
    column = grid.columns.get("relevance")
    may_be_words = column is not None and (wished or is_text(column.type) or pa.types.is_dictionary(column.type))
    if not may_be_words or (text := _text(column)) is None:
        return grid
    cells = encoded(text)
    values = cells.dictionary.to_pylist()
    grades, notes = _as_wished(grid.name, values, wished) if wished else _as_said(values)
    grid = grid.noting(*notes)
    if not grades:
        return grid
    texts = from_strings([f"{grades[word]:.17e}" if word in grades else word for word in values])
    return replace(grid, columns={**grid.columns, "relevance": texts.take(cells.indices)})


def _as_said(values: Sequence[str]) -> tuple[dict[str, float], list[Note]]:
    """Return the grade of each word by a scale or the number in it; empty where there are too many for a scale."""
    words = [word for word in values if not is_number(word) and not cells.is_blank(word)]
    grades = propose_grades(words, alone=not any(map(is_number, values))) if len(words) <= MAX_WORDS else {}
    return grades, [warning("words_as_grades", _words(grades))] if grades else []


def _as_wished(file: str, values: Sequence[str], wished: Mapping[str, float]) -> tuple[dict[str, float], list[Note]]:
    """Return the wished grade of each value, matched exactly."""
    given: dict[str, float] = {}
    for word, grade in wished.items():
        try:
            number = float(grade)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            what = f'the grade of "{printable(str(word))}" is {printable(str(grade))}, which is no finite number'
            raise refuse("bad_option", file, what, "Give each word a number such as 3 or 0.5.")
        given[str(word)] = number + 0.0
    grades = {value: given[value] for value in values if value in given}
    notes = [detail("words_asked", _words(grades))] if grades else []
    if unused := [word for word in given if word not in grades]:
        notes.append(warning("unused_grades", f"A grade was given for {listed(unused)}, which no row has."))
    return grades, notes


def _words(grades: Mapping[str, float]) -> Advice:
    """Return the advice on words that were read as grades; its facts have a word for each grade."""
    pairs = sorted(grades.items(), key=lambda pair: -pair[1])[:MAX_WORDS]
    said = ", ".join({f"{printable(word.strip())} = {str(grade).removesuffix('.0')}": 0 for word, grade in pairs})
    return advise("words_as_grades", grades=said, **{repr(grades[word]): word for word in reversed([*grades])})


# --- runs ------------------------------------------------------------------------------------------------------------


def build_run(grid: Grid, order: str = "auto", *, alone: bool = False) -> Run:
    """Return the run of a Grid, under the name of its model; "" where no column has it. ReadError for bad cells, a
    missing order, and more than one model.

    ``alone``: a person said that no column names models.
    """
    models = encoded(grid.ids("model").array).dictionary.to_pylist() if "model" in grid.columns else []
    if len(models) > 1:
        what = f"there are {len(models):,} models in one file: {listed(models)}"
        raise refuse("other_kind", grid.name, what, advise("several_models"))
    grid = _predicted(grid) if order == "auto" else grid
    checked = _check(grid, _order(grid, order))
    if not alone and "model" not in checked.columns:
        _check_one_model(checked)
    if order == "auto":
        _check_is_run(checked)
    return _run("".join(models), checked, grid.rows, asked=order != "auto")


def _predicted(grid: Grid) -> Grid:
    """Return the Grid with the ratings of a run as its scores, where nothing else orders it and they are predictions:
    most of them are not whole.
    """
    ordered = {"rank", "score"} & grid.columns.keys()
    if ordered or key(grid.called.get("relevance", "")) not in ("rating", "ratings"):
        return grid
    if not are_scores(grid.numbers("relevance").values.astype(np.float64)):
        return grid
    columns, called = (
        {"score" if name == "relevance" else name: own for name, own in named.items()}
        for named in (grid.columns, grid.called)
    )
    text = f'The numbers in column "{grid.title("relevance")}" are not whole, and were read as predicted scores.'
    return replace(grid.noting(warning("predicted", text)), columns=columns, called=called)


def build_models(grid: Grid, order: str = "auto", names: Sequence[str] | None = None) -> Models:
    """Return the runs of a combined file in order of appearance, or those of ``names``, and the grades beside them."""
    grid = _check(grid, _order(grid, order))
    models = grid.columns["model"].dictionary.to_pylist()
    if missing := [name for name in names or () if name not in models]:
        raise refuse("bad_option", grid.name, f"there is no model {listed(missing)}", f"Found: {listed(models)}.")
    if not names and len(models) > _MOST_MODELS:
        raise too_many(grid.name, len(models), f'models in column "{grid.title("model")}"', _MOST_MODELS)
    model = codes(grid.columns["model"])
    runs = []
    for name in names or models:
        rows = np.flatnonzero(model == models.index(name))
        own = replace(_taking(grid, rows), first_row=grid.first_row and grid.first_row + int(rows[0]))
        runs.append(_run(name, own, len(rows), asked=order != "auto"))
    return Models(tuple(runs), _judgments(grid) if "relevance" in grid.columns else None)


def _order(grid: Grid, order: str) -> OrderedBy:
    """Return what orders the lists: what was chosen, or that of the format, else rank, score, or place of the rows."""
    if order not in ("auto", "rank", "score", "position"):
        raise ValueError(f'order is "{order}"; it can be auto, score, rank or position')
    if order in ("rank", "score") and order not in grid.columns:
        what = f"there is no column for {MEANING[order].words} to order by"
        raise refuse("missing_column", grid.name, what, f"Found: {listed(grid.headings or grid.columns)}.")
    if order != "auto":
        return order  # type: ignore[return-value]
    first: OrderedBy = "rank" if "rank" in grid.columns else "score" if "score" in grid.columns else "position"
    return grid.order or first


def _run(name: str, grid: Grid, rows: int, *, asked: bool) -> Run:
    """Return the run of a checked Grid, made of so many rows; its notes say how it is ordered."""
    notes, order = [*grid.notes], grid.order or "position"
    known = {name: values for name, values in grid.columns.items() if name in (*IDS, *NUMBERS)}
    columns = known | _texts({name: own for name, own in grid.columns.items() if name not in known}, notes)
    columns.pop("model", None)
    query = codes(columns["query_id"])
    notes += [_order_note(grid, asked=asked), *cells.lost_decimals(grid)]
    rises = order == "score" and "rank" not in columns and _rise(as_numpy(columns["score"]), query)
    if rises and not asked:
        notes.append(warning("scores_rise", advise("scores_rise", key="position")))
    if order == "rank":
        notes += count_ranks(query, as_numpy(columns["rank"]), columns["doc_id"])
    if order != "position" and key(grid.called.get("relevance", "")) in _RATINGS and _are_of_documents(grid):
        text = f"Each document has one {listed([grid.title('relevance')])} in all queries, like the stars of a product."
        notes.append(detail("of_documents", f"{text} If these are no grades for the queries, give judgments."))
    beside = [] if order != "position" or asked else [own for own in columns if own not in MEANING]
    if numbers := [own for own in beside if _holds_numbers(columns[own])]:
        found = [np.asarray(cells.parse_numbers(columns[own]).values, np.float64) for own in numbers]
        # Zeros and ones are as often flags of the documents.
        graded = len(found) > 1 and all(are_grades(one[~np.isnan(one)]) and (one > 1).any() for one in found)
        code = "raters_beside" if graded else "numbers_beside"
        notes.append(warning(code, advise("numbers_beside", key="rank", columns=listed(numbers))))
    source = Source(rows=rows, first_row=grid.first_row, notes=tuple(notes), tag=grid.tag)
    return Run(name, _table(columns, RUN_COLUMNS), order, source)


def _are_of_documents(grid: Grid) -> bool:
    """Return whether documents have one grade throughout, ten or more of a rarer grade in several queries."""
    values, grade, counts = np.unique(as_numpy(grid.columns["relevance"]), return_inverse=True, return_counts=True)
    document, pair, rarer = codes(encoded(grid.columns["doc_id"])), _pairs(grid), grade != counts.argmax()
    several = len(arrow.distinct(pair[rarer])) >= 10 + len(arrow.distinct(document[rarer]))
    return several and len(arrow.distinct(document * len(values) + grade)) == len(arrow.distinct(document))


def _order_note(grid: Grid, *, asked: bool) -> Note:
    """Return the note on what orders the lists; its code says whether a person decided it, or they may be no lists."""
    columns = grid.columns
    if grid.order == "position" and not asked and "relevance" in columns and not {"rank", "score"} & {*columns}:
        text = "There is no rank and no score: the lists are ordered as the rows stand. Judgments alone are not a run."
        return warning("ordered", text)
    by = "as the rows stand" if grid.order == "position" else f"by {grid.order}"
    others = [name for name in ("rank", "score") if name in columns and name != grid.order]
    instead = f", not by {' or '.join(others)}" if others else ""
    text = f"The lists are ordered {by}{instead}"
    code = "pairs_alone" if names_pairs_alone(grid.headings, grid.called) else "ordered"
    return detail("order_asked", f"{text}, as asked.") if asked else detail(code, f"{text}.")


def _rise(values: npt.NDArray[np.float64], query: npt.NDArray[np.int32]) -> bool:
    """Return whether numbers, (rows,), rise from row to row of a query, wherever the next one is; some may be equal."""
    first = slice(1 << 10)
    neighbours = np.diff(values[first])[np.diff(query[first]) == 0]
    if (~(neighbours >= 0)).any():  # the first rows of most lists decide
        return False
    steps = Lists.of(query).steps(values)
    return bool((steps >= 0).all()) and 2 * int((steps > 0).sum()) > len(steps)


def _holds_numbers(column: pa.Array) -> bool:
    cells = [cell for cell in column.slice(0, 50).to_pylist() if cell.strip()]
    return bool(cells) and all(map(is_number, cells)) and len({*cells}) > 1


def count_ranks(query: npt.NDArray[np.int32], rank: npt.NDArray[np.generic], documents: pa.Array) -> list[Note]:
    """Return a warning on ranks that repeat for another document, by query; one of its own where a tenth of the lists
    have such, by whether a quarter of the documents repeats as well.
    """
    order = np.lexsort((rank, query))
    query, rank = query[order], rank[order].astype(np.float64)
    same = np.flatnonzero((query[1:] == query[:-1]) & (rank[1:] == rank[:-1]))
    first, second = (documents.take(arrow.from_numpy(order[same + step])) for step in (0, 1))
    twice = len(arrow.distinct(query[same][arrow.bits(pc.not_equal(first, second))]))
    where = "1 query" if twice == 1 else f"{twice:,} queries"
    if not twice:
        return []
    if 10 * twice < len(arrow.distinct(query)):
        return [warning("ranks_repeat", f"In {where} ranks repeat; rows of equal rank keep their order.")]
    pairs = query * np.int64(len(documents)) + codes(arrow.encoded(documents))[order]
    if 4 * len(arrow.distinct(pairs)) < 3 * len(pairs):
        again = f"In {where} ranks repeat, and documents too, as where a file holds two exports."
        return [warning("ranks_mixed", f"{again} Keep the rows of one.")]
    return [warning("ranks_mixed", advise("ranks_mixed", where=where, key="position"))]


def _table(columns: Mapping[str, pa.Array], first: Sequence[str]) -> pa.Table:
    ordered = {name: columns[name] for name in (*first, *columns) if name in columns}
    return pa.Table.from_arrays([*ordered.values()], names=[*ordered])


def _check_is_run(grid: Grid) -> None:
    """Raise ReadError where the rows of a run are texts, or hold a list each."""
    query = codes(grid.columns["query_id"])
    called = tuple(key(grid.called.get(name, "")) for name in ("query_id", "doc_id"))
    if grid.order == "position" and called == ("text", "id") and len(arrow.distinct(query)) == len(query):
        what = "these are ids with texts, not lists of documents"
        raise refuse("other_kind", grid.name, what, "Give texts of queries as the queries, of documents as the items.")
    if grid.order == "position" and grid.headings and len(arrow.distinct(query)) == len(query):
        cells = grid.columns["doc_id"].slice(0, 50).to_pylist()
        if sum(map(bool, map(_LIST.search, cells))) * 2 > len(cells):
            what = "a cell holds a list of documents"
            raise refuse("unsupported", grid.name, what, "Write a row for each document: query_id, doc_id, rank.")


def check_scores(grid: Grid, kind: Kind) -> None:
    """Raise ReadError under headings of BEIR or ranx, which call a grade a score too, where a run has grades, or
    judgments have scores. Where the source has types, grades are those that are whole by their type.
    """
    if frozenset(map(key, grid.headings)) not in GRADES_AS_SCORES:
        return
    if kind == "judgments" and "relevance" in grid.columns:
        refuse_scores(grid)
    if kind == "run" and "score" in grid.columns and are_grades(scores := grid.numbers("score").values.astype(float)):
        is_whole = pa.types.is_integer(grid.columns["score"].type)
        if is_whole or not are_falling(Lists.of(codes(encoded(grid.ids("query_id").array))), scores):
            what, do = "the scores look like grades: small whole numbers", advise("judgments_or_scores", key="score")
            raise refuse("other_kind", grid.name, what, do, Choice("columns", grid.headings, "score"))


def _check_one_model(grid: Grid) -> None:
    """Raise ReadError where documents of a query repeat, and the words of a further column tell the lists apart."""
    others = {name: own for name, own in grid.columns.items() if name not in (*IDS, *NUMBERS)}
    if not others:
        return
    pair = _pairs(grid)
    if len(arrow.distinct(pair)) == len(pair):
        return
    for name, text in _texts(others, []).items():
        words = encoded(text)
        names = words.dictionary.to_pylist()
        if not 1 < len(names) <= 50 or (all(map(is_number, names)) and "rank" not in grid.columns):
            continue
        if len(arrow.distinct(pair * len(names) + codes(words))) == len(pair):
            title = grid.title(name)
            what = f'documents of a query repeat, and column "{title}" tells lists apart: {listed(names)}'
            allowed = advise("lists_of_models", key="model", column=title)
            raise refuse("unclear", grid.name, what, allowed, Choice("columns", grid.headings or (title,), "model"))


def _pairs(grid: Grid) -> npt.NDArray[np.int64]:
    """Return a number for each row, the same for the same query and document."""
    query, document = codes(grid.columns["query_id"]), codes(encoded(grid.columns["doc_id"]))
    pairs: npt.NDArray[np.int64] = query.astype(np.int64) * (int(document.max(initial=0)) + 1) + document
    return pairs


# --- judgments -------------------------------------------------------------------------------------------------------


def build_judgments(grid: Grid, *, suppose: bool = True) -> Judgments:
    """Return the judgments of the Grid, rows without a grade left out.

    Without a column of grades every document has grade 1, where that may be supposed. ReadError for bad cells, without
    any grade, and for documents judged in several iterations.
    """
    if "relevance" not in grid.columns:
        if not suppose:
            raise refuse("missing_column", grid.name, "there is no column for the relevance", "")
        text = "There are no grades. Each row has grade 1; nothing else is judged."
        ones = from_numpy(np.ones(grid.rows))
        grid = replace(grid.noting(warning("one_grade", text)), columns={**grid.columns, "relevance": ones})
    grid = _check(grid, "position")
    if "iteration" in grid.columns and "subtopic" not in grid.columns:
        grid = _with_subtopics(grid)
    judgments = _judgments(grid)
    if judgments is None:
        blank = [str(note) for note in grid.notes if note.code == "blank_cells"]
        do = f"{blank[0]} Save the file in Excel, and give it again." if blank else ""
        raise refuse("empty", grid.name, f'no row has a grade in column "{grid.title("relevance")}"', do)
    return judgments


def _with_subtopics(grid: Grid) -> Grid:
    """Return the columns, iterations as subtopics where a document has several. ReadError for those with a heading."""
    word = encoded(grid.ids("iteration").array)
    if len(word.dictionary) < 2:
        return grid
    pair = _pairs(grid)
    if len(arrow.distinct(pair * len(word.dictionary) + codes(word))) == len(arrow.distinct(pair)):
        return grid
    if not grid.headings:
        return replace(grid, columns={**grid.columns, "subtopic": word})
    _, first = np.unique(pair, return_index=True)
    row = int(grid.row_of(np.setdiff1d(np.arange(len(word)), first)[:1])[0])
    what, do = "a document is judged in several iterations", advise("leave_out_iteration", key="iteration")
    raise refuse("unsupported", grid.name, what, do, Choice("columns", ("",), "iteration"), row=row)


def _judgments(grid: Grid) -> Judgments | None:
    """Return the judgments in the rows with a grade; None where no row has a grade."""
    grades = as_numpy(grid.columns["relevance"])
    rows = np.flatnonzero(~np.isnan(grades))
    if not len(rows):
        return None
    columns, notes = {name: grid.columns[name] for name in JUDGMENT_COLUMNS}, grid.notes
    if "subtopic" in grid.columns:
        columns["subtopic"] = encoded(grid.ids("subtopic").array)
        notes = (*notes, cells.note_subtopics(columns["subtopic"].dictionary.to_pylist(), is_named=bool(grid.headings)))
    if "only_for" in grid.columns:
        columns["only_for"] = filled(as_text(grid.columns["only_for"]))
        if strange := {*columns["only_for"].unique().to_pylist()} - {"A", "B", ""}:
            what = f"column only_for holds {listed(sorted(strange)[:3])}"
            raise refuse("bad_value", grid.name, what, "Write A, B, or nothing for both lists.")
    if len(rows) < len(grades):
        columns = dict(_taking(replace(grid, columns=columns), rows).columns)
    return Judgments(_table(columns, JUDGMENT_COLUMNS), grid.source(notes))


# --- queries ---------------------------------------------------------------------------------------------------------


def build_queries(grid: Grid) -> Queries:
    """Return the queries of the Grid; of rows with the same id the first is kept.

    ReadError for empty ids, bad weights, and rows that are lists or judgments.
    """
    ids = grid.ids("query_id")
    text = as_text(ids.array).cast(pa.string())
    _check_are_queries(grid, text)
    notes = [*grid.notes]
    columns, untimed = {"query_id": text}, list[BadCells]()
    if "time" in grid.columns:
        columns["time"] = moments(grid, "time", untimed)
        if columns["time"].null_count == grid.rows:  # words or numbers, which tell segments
            del columns["time"]
            called = {grid.title("time") if name == "time" else name: own for name, own in grid.columns.items()}
            grid, untimed = replace(grid, columns=called), []
    facts = _texts({name: own for name, own in grid.columns.items() if name not in ("weight", *columns)}, notes)
    columns |= {name: pc.utf8_trim_whitespace(own) for name, own in facts.items()}
    others = [columns[name].to_pylist() for name in facts]
    blank = np.array([row for row in ids.empty.tolist() if not any(values[row] for values in others)], np.int64)
    nameless = np.setdiff1d(ids.empty, blank, assume_unique=True)
    bad = [BadCells("missing_value", nameless, grid.title("query_id"), "the query id is empty"), *untimed]
    check(grid.name, bad, grid.row_of)
    code = codes(encoded(text))
    kept = np.setdiff1d(np.sort(np.unique(code, return_index=True)[1]), blank, assume_unique=True)
    if not len(kept):
        raise refuse("empty", grid.name, "no row has a query id")
    if len(blank):
        notes.append(detail("blank_rows", f"{_rows(len(blank))} no values. Such rows are left out."))
    if twice := grid.rows - len(blank) - len(kept):
        text_ = f"{twice:,} {'row repeats' if twice == 1 else 'rows repeat'} the id of a query above; the first counts."
        notes.append(warning("queries_repeat", text_))
    if "weight" in grid.columns:
        columns["weight"] = _weights(grid, code, kept, notes)
    columns = {name: values.take(from_numpy(kept)) for name, values in columns.items()}
    table = _table(columns, ("query_id", "text", "weight"))
    if "cluster" in columns and (own := grid.title("cluster")) != "cluster":  # a policy may know it by its heading
        at = table.column_names.index("cluster")
        field = table.field(at).with_metadata({tables.CLUSTER_HEADING: own.encode("utf-8", "replace")})
        table = table.set_column(at, field, table.column(at))
    return Queries(table, grid.source(notes))


def _check_are_queries(grid: Grid, queries: pa.Array) -> None:
    """Raise ReadError for documents of queries: a heading names documents, or without headings queries come again."""
    names, count = grid.headings, pc.count_distinct(queries).as_py()
    graded = means(names, "run", "rank", "score", "relevance") or "docid" in map(key, names)
    bare = count < grid.rows and not means(names, "queries", "text", "weight", "cluster")
    unnamed = not names and 2 * count < grid.rows + 1
    if unnamed or (means(names, "run", "doc_id") and (graded or bare)):
        what = "these are lists or judgments, not queries: there are documents beside the ids"
        raise refuse("other_kind", grid.name, what, "Write each query on a line, under the heading query.")


def _weights(grid: Grid, code: npt.NDArray[np.int32], kept: Rows, notes: list[Note]) -> pa.Array:
    """Return finite weights of at least 0, NaN for a blank cell. ReadError for others, and several of one query."""
    parsed, wrong = _sizes(grid, "weight", "is no weight")
    values = parsed.values.astype(np.float64)
    of_query = np.full(int(code.max(initial=0)) + 1, np.nan)
    of_query[code[kept]] = values[kept]
    other = np.flatnonzero((of_query[code] != values) & ~np.isnan(values) & ~np.isnan(of_query[code]))
    what, allowed = "differs from the weight of the same query above", "Give one weight for each query."
    differs = BadCells("bad_value", other, grid.title("weight"), what, allowed, _cells(grid, "weight"))
    check(grid.name, [wrong, differs], grid.row_of)
    notes += _commas(grid, "weight", parsed)
    if n := len(parsed.blank):
        text_ = f"{n:,} {'query has' if n == 1 else 'queries have'} a blank cell in place of a weight."
        notes.append(warning("blank_weights", text_))
    return from_numpy(values)


def _sizes(grid: Grid, name: str, what: str) -> tuple[Numbers, BadCells]:
    """Return a column of numbers of at least 0, and the cells that hold others."""
    parsed, allowed = grid.numbers(name), "Use numbers of at least 0."
    wrong = np.sort(np.concatenate((parsed.bad, np.flatnonzero(parsed.values < 0))))
    return parsed, BadCells("bad_value", wrong, grid.title(name), what, allowed, _cells(grid, name))


# --- items -----------------------------------------------------------------------------------------------------------


def build_items(grid: Grid) -> tables.Items:
    """Return the items of the Grid; of rows with the same id the first is kept.

    ReadError for empty ids, for dates, vectors and numbers of users that are none, and for lists and judgments.
    """
    if names_queries(grid.headings):
        what = "these are lists or judgments, not items: there are queries beside the documents"
        raise refuse("other_kind", grid.name, what, "Give a row for each document: its id, its category or its date.")
    ids = grid.ids("doc_id")
    notes, bad = [*grid.notes], [*_bad_ids(grid, "doc_id", ids)]
    columns = {"doc_id": decoded(ids.array).cast(pa.string())}
    known = ("doc_id", *tables.ITEM_COLUMNS[2:])
    own = {name: column for name, column in grid.columns.items() if name not in known}
    columns |= {name: pc.utf8_trim_whitespace(text) for name, text in _texts(own, notes).items()}
    if "date" in grid.columns:
        columns["date"] = moments(grid, "date", bad)
    if "users" in grid.columns:
        parsed, wrong = _sizes(grid, "users", "is no number of users")
        bad.append(wrong)
        columns["users"] = from_numpy(parsed.values.astype(np.float64))
    if "vector" in grid.columns and (vectors := _vectors(grid, bad)):
        columns["vector"] = vectors
    check(grid.name, bad, grid.row_of)
    kept = np.sort(np.unique(codes(encoded(columns["doc_id"])), return_index=True)[1])
    if twice := grid.rows - len(kept):
        text = f"{twice:,} {'row repeats' if twice == 1 else 'rows repeat'} the id of an item above; the first counts."
        notes.append(warning("items_repeat", text))
    taken = {name: column.take(from_numpy(kept)) for name, column in columns.items()}
    return tables.Items(_table(taken, tables.ITEM_COLUMNS), grid.source(notes))


#: Headings that say that numbers are a Unix time: how many milliseconds each counts.
_UNIX = {"unix": 1000, "unixtime": 1000, "unixtimestamp": 1000, "epoch": 1000, "unixtimems": 1, "epochms": 1}


def moments(grid: Grid, name: str, bad: list[BadCells]) -> pa.Array:
    """Return a column of days or times as timestamps in UTC, null where a cell is blank; ``bad`` gets what is none."""
    column, title = decoded(grid.columns[name]), grid.title(name)
    if pa.types.is_temporal(column.type) and not pa.types.is_time(column.type):
        return column.cast(pa.timestamp("ms", getattr(column.type, "tz", None)), safe=False).cast(arrow.UTC_TIMES)
    text = encoded(filled(as_text(column)))
    values = [cells.milliseconds(cell, _UNIX.get(key(title), 0)) for cell in text.dictionary.to_pylist()]
    found = np.array(values, np.float64)[codes(text)]
    allowed = "Use ISO dates such as 2026-11-01, or call numbers unix_time (seconds) or unix_time_ms."
    bad.append(BadCells("bad_value", np.flatnonzero(np.isinf(found)), title, "is no date", allowed, _cells(grid, name)))
    return arrow.times(found)


def _vectors(grid: Grid, bad: list[BadCells]) -> pa.Array | None:
    """Return the vectors, fixed-size lists of float64 with NaN for a blank cell; None where there are none. ``bad``
    gets what is no vector, or has another length than the first.
    """
    rows = [_vector(cell) for cell in grid.columns["vector"].to_pylist()]
    width = next((len(row) for row in rows if row), 0)
    wrong = np.array([at for at, row in enumerate(rows) if row is None or len(row) not in (0, width)], np.int64)
    allowed = "Write numbers in brackets, as many in every row: [0.1, 0.2]."
    bad.append(BadCells("bad_value", wrong, grid.title("vector"), "is no vector", allowed))
    if len(wrong) or not width:
        return None
    flat = np.array([row or [math.nan] * width for row in rows], np.float64)
    return pa.FixedSizeListArray.from_arrays(from_numpy(flat.ravel()), width)


def _vector(cell: Any) -> list[float] | None:
    """Return the numbers of a cell, none of a blank one; None for what is no list of numbers."""
    try:
        values = json.loads(cell) if isinstance(cell, str) and cell.strip() else cell or []
        row = [float(value) for value in values]
    except (TypeError, ValueError):
        return None
    return row if all(map(math.isfinite, row)) else None
