"""Ids that a spreadsheet leaves behind, which are noted: numbers that it has shortened, and a row of totals."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import codes
from rankdash.reading.columns.column_checks import Checked
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.problems import listed
from rankdash.reading.words.headings import MEANING

#: So many ids are looked at.
_FIRST = 2_000
_SHORTENED = r"^\d(\.\d+)?E\+\d\d$"
_TOTAL = re.compile(r"((grand|sub) ?)?totals?|sum|averages?|avg|mean|median|合计|总计|合計|総計|平均", re.IGNORECASE)


def odd_ids(grid: Grid, good: Checked) -> tuple[str, ...]:
    """Return notes on the ids of a text with headings, such as a spreadsheet saves."""
    if not (grid.headings and grid.delimiter):
        return ()
    query, documents = good.columns["query_id"], good.columns["doc_id"]
    notes = []
    for name, ids in (("query_id", query.dictionary), ("doc_id", documents)):
        first = ids.slice(0, _FIRST)
        shortened = first.filter(pc.match_substring_regex(first, _SHORTENED)).slice(0, 1).to_pylist()
        if shortened:
            what = (
                f'Column "{grid.title(name)}" holds ids such as {listed(shortened)}, as a spreadsheet shortens numbers'
            )
            notes.append(f"{what}: different ids may have become one.")
    return (*notes, *_total_at_the_end(query, documents))


def _total_at_the_end(query: pa.DictionaryArray, documents: pa.Array) -> list[str]:
    """Return a note on a last row that is of no query, or of no document, by the word there."""
    if len(query) < 2:
        return []
    row = len(query) - 1
    alone = int(np.count_nonzero(codes(query) == codes(query)[row])) == 1
    words = {"query_id": query[row].as_py() if alone else "", "doc_id": documents[row].as_py()}
    return [
        f"The last row has {listed([word])} for {MEANING[name].words}, as a row of totals: take it away if it is one."
        for name, word in words.items()
        if _TOTAL.fullmatch(word.strip())
    ]
