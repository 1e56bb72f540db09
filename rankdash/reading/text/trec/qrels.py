"""TREC qrels: query, iteration, document and grade, with no header and no quotes."""

from __future__ import annotations

import pyarrow as pa

from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.unnamed import NAME_ABOVE, check_grades
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import refuse
from rankdash.reading.text.cells import Layout
from rankdash.reading.text.first_lines import blank_lines, first_lines
from rankdash.reading.text.lines import Lines
from rankdash.reading.text.trec.words import check_remarks, read_words
from rankdash.reading.words.headings import Kind

_QRELS = {0: "query_id", 1: ITERATION, 2: "doc_id", 3: "relevance"}


def read_qrels(document: Document, kind: Kind) -> Grid:
    """Return judgments. ReadError where the kind is a run or a combined file."""
    if kind != "judgments":
        what = "these are judgments (query, iteration, document, grade), not a run"
        raise refuse("other_kind", document.name, what, "Give the file as the judgments.")
    unused = document.options.columns.get(ITERATION) == ""
    names = {i: name for i, name in _QRELS.items() if not (unused and name == ITERATION)}
    lines = Lines(
        document,
        Layout(4, "\t"),
        names,
        {name: name for name in names.values()},
        (),
        "where qrels have 4 (query, iteration, document, grade)",
        words=4,
        above=blank_lines(document),
    )
    grid = check_remarks(document, read_words(lines, first_lines(document)))
    if pa.types.is_floating(grid.columns["relevance"].type) and not document.options.columns.get("relevance"):
        check_grades(grid, NAME_ABOVE)
    return grid
