"""Tables that are given as a run and are none: texts by their ids, and grades by document."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import as_numpy, codes, distinct
from rankdash.reading.columns.column_checks import Checked
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.orders import Ints, are_falling, are_small
from rankdash.reading.columns.raters import raters_of
from rankdash.reading.columns.synonyms import key
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem, ReadError, refuse
from rankdash.reading.values.parsing import as_text
from rankdash.reading.words.headings import BOOK

#: The headings of qrels of BEIR, which calls the grade a score.
_BEIR = frozenset(("queryid", "corpusid", "score"))
#: What the columns of {query: {document: number}} are called here.
_OF_DICTS = ("query_id", "doc_id", "score")
MAY_BE_GRADES = (
    "The scores are small whole numbers in no order, as grades are: if these are judgments, give the file as such."
)


def check_is_run(grid: Grid, good: Checked) -> tuple[str, ...]:
    """Return a note where the rows of a run may be grades.

    ReadError where they are texts of queries or documents, or grades that BEIR calls scores.
    """
    query = codes(good.columns["query_id"])
    _check_texts(grid, good, query)
    _check_book(grid, good)
    named_as_grades = set(map(key, grid.headings)) == _BEIR
    unnamed = not grid.called and grid.headings == _OF_DICTS and _are_whole(grid.columns["score"])
    if good.order != "score" or not (named_as_grades or unnamed):
        return ()
    scores = as_numpy(good.columns["score"])
    if not are_small(scores) or are_falling(scores, query):
        return ()
    if unnamed:
        return (MAY_BE_GRADES,)
    what = "the scores are small whole numbers in no order, as grades are"
    allowed, choice = advice("judgments_or_scores", key="score"), Choice("order", ("score",))
    raise ReadError((Problem("other_kind", grid.name, what, allowed=allowed, choice=choice),))


def _check_texts(grid: Grid, good: Checked, query: Ints) -> None:
    """Raise ReadError where each row is a text and its id, as those of queries or of a corpus are."""
    called = tuple(key(grid.called.get(name, "")) for name in ("query_id", "doc_id"))
    if good.order == "position" and called == ("text", "id") and len(distinct(query)) == len(query):
        what = "these are texts and their ids, as those of queries or of a corpus, and no lists of documents"
        raise refuse("other_kind", grid.name, what, "Give the texts of queries as the queries.")


def _check_book(grid: Grid, good: Checked) -> None:
    """Raise ReadError for a book of Quepid: a column of grades for each rater, and nothing that orders documents."""
    taken = [i for i, heading in enumerate(grid.headings) if heading in BOOK]
    raters = raters_of(grid.headings, "judgments", dict.fromkeys(taken, ""))
    columns = [grid.columns[grid.headings[i]] for i in raters if grid.headings[i] in grid.columns]
    graded = [pc.match_substring_regex(as_text(column)[0], r"^\s*(\d|10)?(\.0+)?\s*$") for column in columns]
    if good.order == "position" and graded and all(pc.all(cells).as_py() is not False for cells in graded):
        raise refuse("other_kind", grid.name, "this is a book of Quepid, not a run", "Give the file as the judgments.")


def _are_whole(scores: pa.Array) -> bool:
    """Return whether scores are written as whole numbers: 1.0 is a score, as tools write it, and 1 may be a grade."""
    return not pc.any(pc.match_substring(scores, ".")).as_py()
