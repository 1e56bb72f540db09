"""TREC runs and qrels: words between white space, read as they are where that is regular."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, distinct
from rankdash.notes import warning
from rankdash.reading.grid import Grid
from rankdash.reading.headings import KINDS, Kind
from rankdash.reading.orders import Lists, are_grades, are_ranks
from rankdash.reading.problems import listed, refuse
from rankdash.reading.source import Document
from rankdash.reading.text import (
    Cells,
    Head,
    Layout,
    UnfitError,
    parse,
    read_grid,
    refuse_lines,
    refuse_scores,
    words_of,
)
from rankdash.reading.values import encoded, is_number, is_text, parse_numbers

#: The second words of TREC runs and qrels, as they are mostly written.
_ITERATIONS = frozenset(("q0", "0"))
#: The meanings of the words of TREC runs and qrels.
_RUN = {0: "query_id", 2: "doc_id", 3: "rank", 4: "score"}
_QRELS = {0: "query_id", 1: "iteration", 2: "doc_id", 3: "relevance"}
_SIX = "where a TREC run has 6 (query, Q0, document, rank, score, tag)"


def is_trec_run(head: Head) -> bool:
    """Return whether the lines are a TREC run: query, Q0, document, rank, score, tag."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    if not rows or len(rows[0]) < 5 or any("," in line and len(words_of(line)) < 5 for line in head.first):
        return False
    second = rows[0][1].lower()
    numeric = sum(len(row) >= 5 and is_number(row[3]) and is_number(row[4]) for row in rows)
    return second == "q0" or (second in _ITERATIONS and numeric * 2 > len(rows))


def is_qrels(head: Head) -> bool:
    """Return whether the lines are TREC judgments: query, iteration, document, grade."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    whole = [row for row in rows if len(row) == 4]
    rounds = {row[1].lower() for row in whole}
    if rounds <= _ITERATIONS:
        return len(whole) * 2 > len(rows)
    if len(whole) < len(rows) or not all(is_number(row[3]) for row in rows) or any("," in row[0] for row in rows):
        return False
    numbers = all(map(is_number, rounds))
    seconds, documents = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    return (
        are_grades(_floats(rows, 3))
        and not (numbers and are_ranks(Lists.of_words(row[0] for row in rows), _floats(rows, 1)))
        and documents > 1
        and (seconds < documents or not all(is_number(row[2]) for row in rows))
        and (len(rounds) == 1 or numbers)
    )


def read_trec_run(document: Document, head: Head, kind: Kind) -> Grid:
    """Return a run, ordered by score. ReadError where the kind is judgments or a combined file."""
    name = document.name
    if kind != "run":
        what = f"this is a TREC run of one model (query, Q0, document, rank, score, tag), not {KINDS[kind].words}"
        do = {"judgments": "Give it as a run.", "models": "Give the lists of the other model, too."}.get(kind, "")
        raise refuse("other_kind", name, what, do)
    if all(len(words_of(line)) < 6 for line in head.first):
        do = "Write a rank, a score and a tag on every line: 0 will do for the rank."
        raise refuse("malformed", name, f"the lines have 5 words, {_SIX}", do)
    grid = _read_words(document, head, _RUN, 6, _SIX)
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


def read_qrels(document: Document, head: Head, kind: Kind) -> Grid:
    """Return judgments. ReadError where the kind is a run or a combined file."""
    if kind != "judgments":
        what = "these are judgments (query, iteration, document, grade)"
        raise refuse("other_kind", document.name, what, "Give the file as the judgments.")
    unused = document.options.columns.get("iteration") == ""
    names = {i: name for i, name in _QRELS.items() if not (unused and name == "iteration")}
    grid = _read_words(document, head, names, 4, "where qrels have 4 (query, iteration, document, grade)")
    if pa.types.is_floating(grid.columns["relevance"].type) and not document.options.columns.get("relevance"):
        refuse_scores(grid)
    return replace(grid, format="TREC qrels")


def _read_words(document: Document, head: Head, names: Mapping[int, str], words: int, expected: str) -> Grid:
    """Return the Grid of a TREC file: as it is where white space is regular, else made regular."""
    make = Grid(document.name, {}, {name: name for name in names.values()}, (), document.notes)
    loose = Layout(document, names, words, "\t", head.blank, words=words, expected=expected)
    columns = None
    for delimiter in ("\t", " "):
        rows = [line.split(delimiter) for line in head.first]
        if all(len(row) == len(rows[0]) >= words and all(row) for row in rows):
            with suppress(UnfitError):
                columns = parse(replace(loose, width=len(rows[0]), delimiter=delimiter, words=0))
                _check_regular(columns)
                return refuse_lines(read_grid(loose, make, columns))
    return refuse_lines(read_grid(loose, make))


def _check_regular(columns: Mapping[str, pa.Array]) -> None:
    """Raise UnfitError where an id is empty or holds white space: then more than one sign separates two words."""
    for name in ("query_id", "doc_id"):
        column = columns[name]
        text = Text.of(column.dictionary if pa.types.is_dictionary(column.type) else column)
        data = text.data[int(text.offsets[0]) : int(text.offsets[-1])]
        blocks = (data[at : at + (1 << 20)] for at in range(0, len(data), 1 << 20))
        if any(int(block.min()) <= 32 for block in blocks) or bool((text.offsets[1:] == text.offsets[:-1]).any()):
            raise UnfitError("white space within an id")


def _check_tags(document: Document, head: Head, grid: Grid) -> Grid:
    """Return the run with its tag. ReadError where its lines have several tags, each with lists of the same queries.

    Tags are read where they can matter: where a query comes again, or its ranks or scores begin anew.
    """
    tags = [words[5] for words in map(words_of, head.first) if len(words) > 5]
    if len({*tags}) > 1 or _may_be_mixed(grid):
        columns = parse(Layout(document, {0: "query_id", 2: "doc_id", 5: "tag"}, 6, "\t", head.blank, words=6))
        tags = columns["tag"].dictionary.to_pylist()
        query, doc = (codes(encoded(columns[name])).astype(np.int64) for name in ("query_id", "doc_id"))
        if len(tags) > 1 and len(distinct(query * (int(doc.max()) + 1) + doc)) < len(doc):
            what = f"there are {len(tags)} models in one file, by their tags: {listed(tags)}"
            raise refuse("other_kind", document.name, what, "Keep the lines of one tag in a file.")
    if len({*tags}) > 1:
        text = f"There are several tags, {listed(tags)}: the file was read as one run."
        return grid.noting(warning("several_tags", text))
    return replace(grid, tag=tags[0])


def _may_be_mixed(grid: Grid) -> bool:
    """Return whether a query comes again further down, or scores rise or ranks fall within a query."""
    ids, numbers = encoded(grid.columns["query_id"]), [grid.columns["score"], grid.columns["rank"]]
    inside = np.diff(codes(ids)) == 0
    if len(inside) - inside.sum() >= len(ids.dictionary) or any(is_text(column.type) for column in numbers):
        return True
    score, rank = (np.diff(as_numpy(column).astype(np.float64)) for column in numbers)
    return bool(((score > 0) | (rank < 0))[inside].any())


def _floats(rows: Cells, at: int) -> npt.NDArray[np.float64]:
    return np.array([float(row[at]) for row in rows])
