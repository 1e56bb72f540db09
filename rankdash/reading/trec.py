"""TREC runs and qrels: words between white space, read as they are where that is regular."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, distinct
from rankdash.notes import detail, warning
from rankdash.reading.grid import Grid
from rankdash.reading.headings import KINDS, Kind
from rankdash.reading.orders import Lists, are_grades, are_ranks
from rankdash.reading.problems import listed, refuse, too_many
from rankdash.reading.source import Document
from rankdash.reading.text import (
    ITERATIONS,
    QRELS,
    RUN,
    Cells,
    Head,
    Layout,
    UnfitError,
    parse,
    read_grid,
    refuse_scores,
    row_numbers,
    words_of,
)
from rankdash.reading.values import encoded, is_number, is_text, parse_numbers

#: What stands for a number that is none.
_NO_NUMBERS = frozenset(("nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na", "null", "none", "-"))


def is_trec_run(head: Head) -> bool:
    """Return whether the lines are a TREC run: query, Q0, document, rank, score, tag."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    if not rows or len(rows[0]) < 5 or any("," in line and len(words_of(line)) < 5 for line in head.first):
        return False
    second = rows[0][1].lower()
    if second == "q0":
        return True
    numeric = sum(len(row) >= 5 and is_number(row[3]) and is_number(row[4]) for row in rows)
    if second in ITERATIONS:
        return numeric * 2 > len(rows)
    if numeric < len(rows) or any(len(row) != 6 for row in rows):
        return False
    if any("\t" in line and line.strip().count("\t") != 5 for line in head.first):
        return False
    seconds, documents = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    return len({row[1] for row in rows}) == 1 or seconds < documents == len(rows)


def is_qrels(head: Head) -> bool:
    """Return whether the lines are TREC judgments: query, iteration, document, grade."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    whole = [row for row in rows if len(row) == 4]
    rounds = {row[1].lower() for row in whole}
    if rounds <= set(ITERATIONS):
        return len(whole) * 2 > len(rows)
    if len(whole) < len(rows):
        return False
    if not all(is_number(row[3]) for row in rows) or any("," in row[0] for row in rows):
        return False
    seconds, documents = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    grades = are_grades(np.array([float(row[3]) for row in rows]))
    ranks = all(map(is_number, rounds)) and are_ranks(Lists.of_words(row[0] for row in rows), _floats(rows, 1))
    return (
        grades
        and not ranks
        and documents > 1
        and (seconds < documents or not all(is_number(row[2]) for row in rows))
        and (len(rounds) == 1 or all(map(is_number, rounds)))
    )


def read_trec_run(document: Document, head: Head, kind: Kind) -> Grid:
    """Return a run, ordered by score. ReadError where the kind is judgments or a combined file."""
    name = document.name
    rows = [words_of(line) for line in head.first]
    if kind != "run":
        what = f"this is a TREC run of one model (query, Q0, document, rank, score, tag), not {KINDS[kind].words}"
        do = {"judgments": "Give it as a run.", "models": "Give the lists of the other model, too."}.get(kind, "")
        raise refuse("other_kind", name, what, do)
    if all(len(row) == 5 for row in rows):
        _check_five_words(name, rows)
    grid = _read_words(document, head, RUN, 5, "where a TREC run has 6 (query, Q0, document, rank, score, tag)")
    _check_exchanged(grid)
    return _check_tags(document, head, replace(grid, order="score", format="TREC run"))


def _check_exchanged(grid: Grid) -> None:
    """Raise ReadError where the scores count 1, 2, 3, … through every list, and the ranks fall along them."""
    score = parse_numbers(grid.columns["score"]).values.astype(np.float64, copy=False)
    if not len(score) or score.min() not in (0, 1) or score.max() > len(score) or (score != np.floor(score)).any():
        return  # or one is NaN
    rank = parse_numbers(grid.columns["rank"]).values.astype(np.float64)
    lists = Lists.of(codes(encoded(grid.columns["query_id"])))
    steps = lists.steps(rank, by=score)
    if are_ranks(lists, score) and not are_ranks(lists, rank) and (steps < 0).any() and (steps <= 0).all():
        what = "the fifth words, the scores of a TREC run, count like ranks, and the fourth fall along them"
        raise refuse("unclear", grid.name, what, "Write the rank before the score.")


def _check_five_words(name: str, rows: Cells) -> None:
    """Raise ReadError where every line has five words that may be a rank and a tag, or a grade and something else."""
    scores = [row[4].lower() for row in rows]
    tagged = all(not is_number(score) and score not in _NO_NUMBERS for score in scores)
    if not tagged and all(is_number(row[3]) and is_number(row[4]) for row in rows):
        fourth, fifth = _floats(rows, 3), _floats(rows, 4)
        repeat = len({(row[0], row[3]) for row in rows}) < len(rows)
        graded = (
            repeat and are_grades(fourth) and len({*fourth.tolist()}) > 1 and bool((fifth == np.floor(fifth)).all())
        )
        if not graded and (
            bool((fourth == np.floor(fourth)).all()) or are_ranks(Lists.of_words(row[0] for row in rows), fifth)
        ):
            return
    what = "the lines have 5 words, where a TREC run has 6 (query, Q0, document, rank, score, tag)"
    raise refuse("malformed", name, what, "Write a rank and a score on every line: 0 will do for the rank.")


def read_qrels(document: Document, head: Head, kind: Kind) -> Grid:
    """Return judgments. ReadError where the kind is a run or a combined file."""
    if kind != "judgments":
        what = "these are judgments (query, iteration, document, grade)"
        raise refuse("other_kind", document.name, what, "Give the file as the judgments.")
    unused = document.options.columns.get("iteration") == ""
    names = {i: name for i, name in QRELS.items() if not (unused and name == "iteration")}
    expected = "where qrels have 4 (query, iteration, document, grade)"
    grid = _read_words(document, head, names, 4, expected)
    relevance = grid.columns["relevance"]
    if pa.types.is_floating(relevance.type) and not document.options.columns.get("relevance"):
        refuse_scores(grid)
    return replace(grid, format="TREC qrels")


def _read_words(document: Document, head: Head, names: Mapping[int, str], words: int, expected: str) -> Grid:
    """Return the Grid of a TREC file: as it is where white space is regular, else made regular."""
    make = Grid(document.name, {}, {name: name for name in names.values()}, (), document.notes)
    first = words_of(head.first[0])
    header = (
        len(head.first) > 1
        and len(first) > 4
        and words == 5
        and not any(is_number(word) or word.lower() in _NO_NUMBERS for word in first[3:5])
    )
    header = header and all(is_number(word) for word in words_of(head.first[1])[3:5])
    if header:
        make = make.noting(detail("header", "The first line was read as a header."))
    loose = Layout(document, names, words, "\t", head.blank, int(header), words=words, expected=expected)
    layout = regular_layout(loose, head.first)
    grid = None
    if layout is not None:
        try:
            columns = parse(layout)
            _check_regular(columns)
            grid = read_grid_of(layout, make, columns, loose)
        except UnfitError:
            grid = None
    grid = grid or read_grid(loose, make)
    return _check_second_words(loose, grid) if words == 5 else _check_remarks(grid)


def read_grid_of(layout: Layout, make: Grid, columns: dict[str, pa.Array], loose: Layout) -> Grid:
    """Return ``make`` with columns that were parsed; the slow reading explains what is wrong with them."""
    records = len(next(iter(columns.values())))
    if records > layout.document.limits.rows:
        raise too_many(layout.document.name, records, "rows", layout.document.limits.rows)
    return replace(
        make,
        columns=columns,
        row_of=lambda rows: row_numbers(loose, records)[rows],
        first_row=loose.above + loose.header + 1,
        as_text=lambda: read_grid(loose, make),
    )


def regular_layout(loose: Layout, lines: Sequence[str]) -> Layout | None:
    """Return how the file is read as it is; None where the first lines do not have one sign between their words."""
    for delimiter in ("\t", " "):
        rows = [line.split(delimiter) for line in lines]
        if all(len(row) == len(rows[0]) >= loose.width and all(row) for row in rows):
            return replace(loose, width=len(rows[0]), delimiter=delimiter, words=0)
    return None


def _check_regular(columns: Mapping[str, pa.Array]) -> None:
    """Raise UnfitError where an id is empty or holds white space: then more than one sign separates two words."""
    for name in ("query_id", "doc_id"):
        column = columns[name]
        text = Text.of(column.dictionary if pa.types.is_dictionary(column.type) else column)
        data = text.data[int(text.offsets[0]) : int(text.offsets[-1])]
        blocks = (data[at : at + (1 << 20)] for at in range(0, len(data), 1 << 20))
        if any(int(block.min()) <= 32 for block in blocks) or bool((text.offsets[1:] == text.offsets[:-1]).any()):
            raise UnfitError("white space within an id")


def _check_remarks(grid: Grid) -> Grid:
    """Return the Grid. ReadError where a comment with as many words as a row was read as one."""
    queries = encoded(grid.columns["query_id"])
    at = [i for i, name in enumerate(queries.dictionary.to_pylist()) if name == "#"] if len(queries) else []
    if at:
        rows = np.flatnonzero(np.isin(codes(queries), at))
        row = int(grid.row_of(rows[:1])[0])
        do = "Remove the lines that begin with # and a blank."
        raise refuse("malformed", grid.name, "this is a comment among the rows", do, row=row)
    return grid


def _check_second_words(loose: Layout, grid: Grid) -> Grid:
    """Return the Grid. ReadError where some second words are Q0 or 0, and others not: a word is missing."""
    grid = _check_remarks(grid)
    if is_text(grid.columns["score"].type):  # some lines have other words than numbers there
        seconds = parse(replace(loose, names={1: "iteration"}))["iteration"]
        names = seconds.dictionary.to_pylist()
        usual = next((word for word in ITERATIONS if word in {name.lower() for name in names}), "")
        odd = [i for i, name in enumerate(names) if usual and name.lower() not in ITERATIONS]
        rows = np.flatnonzero(np.isin(codes(seconds), odd))
        if len(rows):
            what = f"a word is missing, or one too many: {usual.upper()} does not stand in the second place"
            raise refuse("malformed", grid.name, what, "", row=int(grid.row_of(rows[:1])[0]))
    return grid


def _check_tags(document: Document, head: Head, grid: Grid) -> Grid:
    """Return the run with its tag. ReadError where its lines have several tags, each with lists of the same queries.

    Tags are read where they can matter: where a query comes again, or its ranks or scores begin anew.
    """
    tags = [words[5] for words in map(words_of, head.first) if len(words) > 5]
    only = tags[0] if tags and len({*tags}) == 1 else ""
    if not tags or (len({*tags}) == 1 and not _may_be_mixed(grid)):
        return replace(grid, tag=only)
    layout = Layout(document, {0: "query_id", 2: "doc_id", 5: "tag"}, 6, "\t", head.blank, words=6)
    try:
        columns = parse(layout)
    except UnfitError:  # some lines have no tag
        return replace(grid, tag=only)
    tag = columns["tag"]
    every = tag.dictionary.to_pylist()
    if len(every) < 2:
        return replace(grid, tag=only)
    query, doc = (codes(encoded(columns[name])).astype(np.int64) for name in ("query_id", "doc_id"))
    if len(distinct(query * (int(doc.max()) + 1) + doc)) < len(tag):
        what = f"there are {len(every)} models in one file, by their tags: {listed(every)}"
        raise refuse("other_kind", document.name, what, "Keep the lines of one tag in a file.")
    text = f"There are several tags, {listed(every)}: the file was read as one run."
    return grid.noting(warning("several_tags", text))


def _may_be_mixed(grid: Grid) -> bool:
    """Return whether a query comes again further down, or scores rise or ranks fall within a query."""
    query = codes(encoded(grid.columns["query_id"]))
    begins = np.flatnonzero(np.diff(query)) + 1
    if len(begins) + 1 > len(encoded(grid.columns["query_id"]).dictionary):
        return True
    inside = np.diff(query) == 0
    for name, sign in (("score", 1), ("rank", -1)):
        column = grid.columns[name]
        if is_text(column.type):
            return True
        steps = np.diff(as_numpy(column).astype(np.float64)) * sign
        if bool((steps[inside] > 0).any()):
            return True
    return False


def _floats(rows: Cells, at: int) -> npt.NDArray[np.float64]:
    return np.array([float(row[at]) for row in rows])
