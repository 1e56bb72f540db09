"""From a Grid to a Run, Judgments or Models: ids, numbers and order checked; what was decided is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, distinct, from_numpy
from rankdash.reading.columns.column_checks import Checked, checked
from rankdash.reading.columns.grid import NUMBERS, Grid
from rankdash.reading.columns.headings import RANX, missing_column
from rankdash.reading.columns.iterations import iteration_notes
from rankdash.reading.columns.orders import are_rising, are_small
from rankdash.reading.columns.synonyms import key
from rankdash.reading.source.advice import advice
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.tables.grades import with_one_grade
from rankdash.reading.tables.mistaken_runs import check_is_run
from rankdash.reading.tables.odd_ids import odd_ids
from rankdash.reading.tables.one_model import check_one_model
from rankdash.reading.tables.quepid_snapshots import snapshot_notes
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, encoded, filled
from rankdash.reading.words.headings import EXPORT, MEANING
from rankdash.tables import AS_ASKED, JUDGMENT_COLUMNS, ORDERED, RUN_COLUMNS, Judgments, Models, OrderedBy, Run, Source

SHOWN_ALONE = (
    "These are the ratings of documents that Quepid showed when they were exported: where relevant ones were not found "
    "nDCG, AP and R are too high. Its Basic export has all ratings."
)
#: With other signs, ids can differ in Unicode form alone, which only all of them can tell.
_ASCII = 127
#: The columns that a run read in parts may have: no grades, which speak of both runs, and no texts.
_IN_PARTS = {"query_id", "doc_id", "rank", "score"}
#: Rows that decide whether a column holds numbers.
_ROWS = 50


def run_of(grid: Grid, name: str, order: str, *, alone: bool = False, doubting: bool = True) -> Run:
    """Return the run of a Grid. ReadError for bad cells, a missing order, more than one model, and, unless it is not
    ``doubting``, for rows that are texts or grades.

    ``alone``: a person said that there is one model.
    """
    notes = snapshot_notes(grid)
    if "model" in grid.columns:
        models = encoded(grid.ids("model").array).dictionary.to_pylist()
        if len(models) > 1:
            what = f"there are {len(models):,} models in one file: {listed(models)}"
            raise refuse("other_kind", grid.name, what, advice("several_models"))
    good = checked(grid, _order(grid, order))
    good = replace(good, notes=(*good.notes, *notes))
    if not alone and "model" not in grid.columns:
        check_one_model(grid, good)
    good = replace(good, notes=(*good.notes, *odd_ids(grid, good)))
    if doubting and order == "auto":
        good = replace(good, notes=(*good.notes, *check_is_run(grid, good)))
    run = _run(name, good, grid.rows, grid.first_row, chosen=order != "auto")
    return run.with_stored(grid.stored) if grid.stored else run


def part_of(grid: Grid, order: str) -> Run | None:
    """Return the run of a part of a Grid whose rows say nothing about the whole; None where they might.

    That is what ``run_of`` returns for these rows, if it notes nothing but what was decided before and the order of
    the lists. Ranks are not counted: a list may go on in the next part. ReadError as for ``run_of``.
    """
    good = checked(grid, _order(grid, order))
    documents = Text.of(good.columns["doc_id"])
    beyond_ascii = bool(documents.data[documents.offsets[0] : documents.offsets[-1]].max(initial=0) > _ASCII)
    if not set(good.columns) <= _IN_PARTS or good.notes != grid.notes or beyond_ascii or _rises(good):
        return None
    notes = (*good.notes, _ordered(good, chosen=order != "auto"))
    source = Source(rows=grid.rows, first_row=grid.first_row, notes=notes)
    return Run("run", _table(good.columns, RUN_COLUMNS), good.order, source)


def models_of(grid: Grid, order: str, names: Sequence[str] | None) -> Models:
    """Return the runs of a combined file in order of appearance, or those of ``names``, and the grades beside them."""
    notes = snapshot_notes(grid)
    good = checked(grid, _order(grid, order))
    good = replace(good, notes=(*good.notes, *notes))
    model = codes(good.columns["model"])
    models = good.columns["model"].dictionary.to_pylist()
    missing = [name for name in names or () if name not in models]
    if missing:
        what = f"there is no model {listed(missing)}"
        raise refuse("bad_option", grid.name, what, f"Found: {listed(models)}.")
    rows = {name: np.flatnonzero(model == models.index(name)) for name in names or models}
    above = grid.first_row
    runs = tuple(
        _run(name, _taken(good, place), len(place), above and above + int(place[0]), chosen=order != "auto")
        for name, place in rows.items()
    )
    judgments = _judgments(good, above, grid.name) if "relevance" in good.columns else None
    return Models(runs, judgments)


def judgments_of(grid: Grid, *, supposing: bool = True, chosen: bool = False) -> Judgments:
    """Return the judgments of the Grid, rows without a grade left out.

    Without a column of grades every document has grade 1, unless nothing may be supposed. ``chosen``: a person named
    the column of grades. ReadError for bad cells, without any grade, and for grades of subtopics.
    """
    if "relevance" not in grid.columns:
        grid = with_one_grade(grid, supposing=supposing)
    good = checked(grid, "position")
    good = replace(good, notes=(*good.notes, *iteration_notes(grid), *odd_ids(grid, good), *_shown_alone(grid)))
    judgments = _judgments(good, grid.first_row, grid.name)
    if not chosen and set(grid.headings) == RANX and not are_small(as_numpy(good.columns["relevance"])):
        raise ReadError((missing_column(grid.name, "relevance", grid.headings, "judgments"),))
    if judgments is None:
        raise refuse("empty", grid.name, f'no row has a grade in column "{grid.title("relevance")}"')
    return judgments


def _shown_alone(grid: Grid) -> list[str]:
    """Return the note on ratings that lack the documents that no search showed, as Quepid exports them."""
    return [SHOWN_ALONE] if {*map(key, EXPORT)} <= {*map(key, grid.headings)} else []


def _order(grid: Grid, order: str) -> OrderedBy:
    """Return what orders the lists: the column that was chosen, or that of the format, else rank, score, or the place
    of the rows.
    """
    if order == "position":
        return "position"
    if order not in ("auto", "rank", "score"):
        raise ValueError(f'order is "{order}"; it can be auto, score, rank or position')
    if order != "auto" and order not in grid.columns:
        what = f"there is no column for {MEANING[order].words} to order by"
        raise refuse("missing_column", grid.name, what, f"Found: {listed(grid.headings or grid.columns)}.")
    if order != "auto":
        return "rank" if order == "rank" else "score"
    if grid.order:
        return grid.order
    return "rank" if "rank" in grid.columns else "score" if "score" in grid.columns else "position"


def _run(name: str, good: Checked, rows: int, first_row: int, *, chosen: bool) -> Run:
    """Return a run of checked columns; its notes say how it is ordered."""
    kept = {column: values for column, values in good.columns.items() if column != "model"}
    notes = [*good.notes, _ordered(good, chosen=chosen)]
    extras: dict[str, pa.Array] = {}
    for column, values in kept.items():
        if column in ("query_id", "doc_id", *NUMBERS):
            continue
        try:
            extras[column] = filled(as_text(values)[0])
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            notes.append(f"Column {listed([column])} holds {values.type} and was left out.")
    kept = {column: values for column, values in kept.items() if column in ("query_id", "doc_id", *NUMBERS)} | extras
    if not chosen and _rises(good):
        notes.append(advice("scores_rise", key="position"))
    if good.order == "rank":
        notes += counted(codes(kept["query_id"]), as_numpy(kept["rank"]))
    table = _table(kept, RUN_COLUMNS)
    source = Source(rows=rows, first_row=first_row, notes=(*notes, *_unordered_note(table)))
    return Run(name, table, good.order, source)


def _rises(good: Checked) -> bool:
    """Return whether the lists are ordered by scores that rise from row to row, so that the last row comes first."""
    if good.order != "score" or "rank" in good.columns:
        return False
    return are_rising(as_numpy(good.columns["score"]), codes(good.columns["query_id"]))


def _ordered(good: Checked, *, chosen: bool) -> str:
    """Return the note on what orders the lists."""
    if (
        good.order == "position"
        and not chosen
        and "relevance" in good.columns
        and not {"rank", "score"} & {*good.columns}
    ):
        return "There is no rank and no score: the lists are ordered as the rows stand. Judgments alone are no run."
    by = "as the rows stand" if good.order == "position" else f"by {good.order}"
    others = [name for name in ("rank", "score") if name in good.columns and name != good.order]
    instead = f", not by {' or '.join(others)}" if others else ""
    finite = good.order != "score" or not np.isnan(as_numpy(good.columns["score"])).any()
    where = "" if finite else ", where all scores are finite"
    return f"{ORDERED} {by}{instead}{where}{AS_ASKED if chosen else '.'}"


def _judgments(good: Checked, first_row: int, file: str) -> Judgments | None:
    """Return the judgments in the rows with a grade; None where no row has a grade."""
    grades = as_numpy(good.columns["relevance"])
    graded = np.flatnonzero(~np.isnan(grades))
    if not len(graded):
        return None
    columns = {name: good.columns[name] for name in JUDGMENT_COLUMNS} | _only_for(good, file)
    if len(graded) < len(grades):
        columns = dict(_taken(replace(good, columns=columns), graded).columns)
    source = Source(rows=len(grades), first_row=first_row, notes=good.notes)
    return Judgments(_table(columns, JUDGMENT_COLUMNS), source)


def _only_for(good: Checked, file: str) -> dict[str, pa.Array]:
    """Return the column that says for which list a grade is, if there is one.

    ReadError where it has other values.
    """
    if "only_for" not in good.columns:
        return {}
    said = filled(as_text(good.columns["only_for"])[0])
    strange = [word for word in dict.fromkeys(said.to_pylist()) if word not in ("A", "B", "")]
    if strange:
        raise refuse(
            "bad_value",
            file,
            f"column only_for holds {listed(strange[:3])}",
            "It says A, B, or nothing for both lists.",
        )
    return {"only_for": said}


def _taken(good: Checked, rows: np.ndarray) -> Checked:
    """Return some of the rows; a dictionary of ids keeps only those that are left."""
    place = from_numpy(rows)
    columns = {name: values.take(place) for name, values in good.columns.items()}
    for name, values in columns.items():
        if pa.types.is_dictionary(values.type):
            columns[name] = encoded(values.dictionary_decode())
    return replace(good, columns=columns)


def _table(columns: Mapping[str, pa.Array], first: Sequence[str]) -> pa.Table:
    names = [name for name in first if name in columns]
    names += [name for name in columns if name not in names]
    return pa.Table.from_arrays([columns[name] for name in names], names=names)


def counted(query: npt.NDArray[np.int32], rank: npt.NDArray[np.generic]) -> list[str]:
    """Return notes on ranks that leave gaps or repeat, by query; at most two."""
    same, step = query[1:] == query[:-1], np.diff(rank.astype(np.float64, copy=False))
    first = np.append(0, np.flatnonzero(~same) + 1)
    ones = len(query) and bool((step[same] == 1).all() and (rank[first] <= np.int32(1)).all())
    if ones and len(distinct(query[first])) == len(first):  # as in nearly every file with ranks
        return []
    order = np.lexsort((rank, query))
    query, rank = query[order], rank[order]
    same, step = query[1:] == query[:-1], np.diff(rank.astype(np.float64, copy=False))
    first = np.append(0, np.flatnonzero(~same) + 1)
    late = query[first][rank[first] > np.int32(1)]
    gaps = len(distinct(np.append(late, query[1:][same & (step > 1)])))
    twice = len(distinct(query[1:][same & (step == 0)]))
    notes = []
    if gaps:
        notes.append(f"In {_queries(gaps)} the ranks have gaps; positions are counted anew.")
    if twice:
        notes.append(f"In {_queries(twice)} ranks repeat; rows of equal rank keep their order.")
    return notes


def _queries(n: int) -> str:
    return "1 query" if n == 1 else f"{n:,} queries"


def numbers_beside(table: pa.Table) -> tuple[str, ...]:
    """Return the further columns of a run whose first cells are all numbers; none where a rank or a score is known."""
    if {"rank", "score"} & set(table.column_names):
        return ()
    first = table.slice(0, _ROWS)
    others = [name for name in first.column_names if name not in RUN_COLUMNS]
    return tuple(name for name in others if _are_numbers(first.column(name).to_pylist()))


def _are_numbers(cells: list[str]) -> bool:
    filled_cells = [cell for cell in cells if cell and cell.strip()]
    return bool(filled_cells) and all(map(is_number, filled_cells))


def _unordered_note(table: pa.Table) -> tuple[str, ...]:
    """Return the note on numbers that could order the lists; nothing where there are none."""
    names = numbers_beside(table)
    return (advice("numbers_beside", key="rank", columns=listed(names)),) if names else ()
