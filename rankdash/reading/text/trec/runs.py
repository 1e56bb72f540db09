"""TREC runs: query, Q0, document, rank, score and tag, with no header and no quotes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from rankdash.arrow import codes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headless import counts_through
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.orders import are_small
from rankdash.reading.columns.unnamed import with_rank_and_score
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import BadCells, check, refuse
from rankdash.reading.source.unread import not_read
from rankdash.reading.text.cells import Layout
from rankdash.reading.text.first_lines import ITERATIONS, blank_lines, first_lines, words_of
from rankdash.reading.text.lines import Lines, grids_of, read_lines
from rankdash.reading.text.trec.signs import NO_NUMBERS, has_names
from rankdash.reading.text.trec.tags import checked_tags, of_one_tag, tag_note, tags_of, with_tags
from rankdash.reading.text.trec.words import check_remarks, has_blanks, has_sign, read_words, strict_lines
from rankdash.reading.values.column_collector import UnfitError
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, encoded
from rankdash.reading.words.headings import KINDS, Kind

_RUN = {0: "query_id", 2: "doc_id", 3: "rank", 4: "score"}
_RANK_TO_WRITE = "Write one before the score: 0 in every line will do, for the lists go by score."
_SCORE_TO_WRITE = "Write one behind the rank: the rank with a minus sign before it will do, for the lists go by score."


def read_run(document: Document, kind: Kind) -> Grid:
    """Return a run, ordered by score. ReadError where the kind is judgments or a combined file."""
    lines = first_lines(document)
    _check_grades(document, lines)
    if kind != "run":
        what = "this is a TREC run of one model (query, Q0, document, rank, score, tag)"
        needed = "a table with a column for the model" if kind == "models" else KINDS[kind].words
        do = {"judgments": "Give it as a run.", "models": "Give the lists of the other model, too."}.get(kind, "")
        raise refuse("other_kind", document.name, f"{what}, not {needed}", do)
    _check_words(document, lines)
    tags = tags_of(document, lines)
    irregular = _run_lines(document, lines, tags)
    if tags and (every := checked_tags(irregular)):
        irregular = _run_lines(document, lines, every)
    grid = check_remarks(document, read_words(irregular, lines, _with_second_words))
    regular = pa.types.is_integer(grid.columns["rank"].type)
    wishes = document.options.columns
    return grid if regular and not wishes and not _may_be_exchanged(lines) else with_rank_and_score(grid, wishes)


def _check_grades(document: Document, lines: Sequence[str]) -> None:
    """Raise ReadError where every line has 5 words, of which the fourth may be grades, beside judges or strata."""
    rows = [words_of(line) for line in lines]
    if document.options.columns or any(len(row) != 5 or row[1] != "0" or not is_number(row[3]) for row in rows):
        return
    fourth = {row[3] for row in rows}
    repeat = len({(row[0], row[3]) for row in rows}) < len(rows)
    whole = all(is_number(row[4]) and float(row[4]).is_integer() for row in rows)
    if repeat and whole and len(fourth) > 1 and are_small(np.array([*map(float, fourth)])):
        what = "the lines have 5 words, and the fourth are no ranks: these may be judgments with a further column"
        do = "Write judgments as query, iteration, document, grade, and a run with ranks, or 0 for each of them."
        raise refuse("malformed", document.name, what, do)


def _check_words(document: Document, lines: Sequence[str]) -> None:
    """Raise ReadError where every line has 5 words, of which no two can be rank and score."""
    rows = [words_of(line) for line in lines]
    if document.options.columns or any(len(row) != 5 or not is_number(row[3]) for row in rows):
        return
    tagged = all(not is_number(row[4]) and row[4].lower() not in NO_NUMBERS for row in rows)
    whole = sum(float(row[3]).is_integer() for row in rows)
    if not tagged and (2 * whole >= len(rows) or counts_through(rows, 4)):
        return
    ranked = counts_through(rows, 3)
    what = (
        f'the lines have 5 words, with "{rows[0][3]}" behind the document, where a TREC run has 6 (query, Q0, '
        f"document, rank, score, tag): the {'score' if ranked else 'rank'} is missing"
    )
    raise refuse("malformed", document.name, what, _SCORE_TO_WRITE if ranked else _RANK_TO_WRITE)


def run_in_pieces(document: Document, size: int) -> Iterator[tuple[int, Grid]]:
    """Yield what ``read_run`` returns in pieces of about ``size`` bytes, each with the bytes up to its end.

    UnfitError where the lines are not regular.
    """
    lines = first_lines(document)
    _check_grades(document, lines)
    strict = strict_lines(_run_lines(document, lines, tags_of(document, lines)), lines)
    if strict is None:
        raise UnfitError("white space is not regular")
    if _may_be_exchanged(lines):
        raise UnfitError("the scores look like ranks")
    for end, grid in of_one_tag(grids_of(with_tags(strict), size)):
        if strict.layout.delimiter == " " and has_blanks(grid):
            raise UnfitError("white space within an id")
        if has_sign(grid.columns["query_id"].dictionary):
            raise UnfitError("a comment")
        yield end, grid


def _may_be_exchanged(lines: Sequence[str]) -> bool:
    """Return whether the fifth words of the first lines, the scores, are ranks, and the fourth are not."""
    rows = [row for row in map(words_of, lines) if len(row) > 4 and is_number(row[3]) and is_number(row[4])]
    return counts_through(rows, 4) and not counts_through(rows, 3)


def _run_lines(document: Document, lines: Sequence[str], tags: Sequence[str]) -> Lines:
    """Return how the lines of a run are read, whatever white space there is."""
    notes = (*_second_note(lines), *tag_note(tags))
    skip = int(len(lines) > 1 and has_names(words_of(lines[0])) and _has_numbers(lines[1]))
    if skip:
        notes = (*notes, "The first line was read as a header.")
    return Lines(
        document,
        Layout(5, "\t", skip=skip),
        _RUN,
        {name: name for name in _RUN.values()},
        (),
        "where a TREC run has 6 (query, Q0, document, rank, score, tag)",
        notes,
        "score",
        words=5,
        above=blank_lines(document),
    )


def _second_note(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the note on second words that differ among the first lines; on rounds none, which nothing uses."""
    second = dict.fromkeys(words[1] for words in map(words_of, lines) if len(words) > 1)
    usual = any(word.lower() in ITERATIONS for word in second)
    return () if usual or len(second) == 1 else not_read("The second words, which decide nothing", second)


def _has_numbers(line: str) -> bool:
    words = words_of(line)
    return len(words) > 4 and is_number(words[3]) and is_number(words[4])


def _with_second_words(irregular: Lines) -> Grid:
    return _checked(read_lines(replace(irregular, names={**irregular.names, 1: ITERATION})))


def _checked(grid: Grid) -> Grid:
    """Return the same run without the second words.

    ReadError where some are Q0 or 0, and others not: a word is missing.
    """
    words = encoded(as_text(grid.columns[ITERATION])[0])
    place, values = codes(words), words.dictionary.to_pylist()
    lowered = {word.lower() for word in values}
    usual = next((word for word in ITERATIONS if word in lowered), "")
    if usual:
        odd = [word.lower() not in ITERATIONS and (usual == "q0" or not is_number(word)) for word in values]
        what = f"stands where other rows have {usual.upper()}; a word is missing, or one too many"
        bad = np.flatnonzero(np.array(odd, bool)[place])
        check(
            grid.name,
            [BadCells("bad_value", bad, ITERATION, what, text=lambda row: str(values[place[row]]))],
            grid.row_of,
        )
    again = grid.as_text
    columns = {name: column for name, column in grid.columns.items() if name != ITERATION}
    return replace(grid, columns=columns, as_text=again and (lambda: _checked(again())))
