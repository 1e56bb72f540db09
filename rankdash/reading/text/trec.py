"""TREC runs and qrels: words between white space, no header, no quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import Text, codes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.columns.headless import are_raters, counts_through, has_iterations
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.unnamed import NAME_ABOVE, check_grades, with_rank_and_score
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import BadCells, Problem, ReadError, check, listed, refuse
from rankdash.reading.source.unread import not_read
from rankdash.reading.text.cells import Layout
from rankdash.reading.text.first_lines import ITERATIONS, blank_lines, first_lines, is_remark, words_of
from rankdash.reading.text.lines import Lines, grids_of, read_as_text, read_lines, read_typed
from rankdash.reading.values.column_collector import UnfitError
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import as_text, encoded, numbers
from rankdash.reading.values.several_lists import names_of_lists
from rankdash.reading.words.headings import KINDS, Kind

_NO_NUMBERS = frozenset(("nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na", "null", "none", "-"))
_RUN = {0: "query_id", 2: "doc_id", 3: "rank", 4: "score"}
_RANK_TO_WRITE = "Write one before the score: 0 in every line will do, for the lists go by score."
_SCORE_TO_WRITE = "Write one behind the rank: the rank with a minus sign before it will do, for the lists go by score."
_TAGGED = {0: "query_id", 2: "doc_id", 3: "rank", 5: "tag"}
_BLOCK = 1 << 20
#: So many bytes at the end hold the last line.
_END = 1 << 12
#: The tokens of JSON: strings (the last one may not end), signs between values, and any other word.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_BETWEEN, _MARKS = frozenset("[]{}:,"), frozenset('",')
_QRELS = {0: "query_id", 1: ITERATION, 2: "doc_id", 3: "relevance"}


def _rows(document: Document) -> list[str]:
    """Return the first lines that are no comments."""
    return [line for line in first_lines(document) if not is_remark(words_of(line))]


def _check_remarks(document: Document, grid: Grid) -> Grid:
    """Return the Grid. ReadError where a comment with as many words as a row was read as one."""
    if not _has_sign(encoded(as_text(grid.columns["query_id"])[0]).dictionary):
        return grid
    number = 0
    for block in document.line_blocks():
        for line in block.decode("utf-8", "replace").splitlines():
            number += 1
            words = words_of(line)
            if words and is_remark(words):
                what, do = "is a comment among the rows", "Remove the lines that begin with # and a blank."
                raise ReadError((Problem("malformed", document.name, what, number, found=line[:40], allowed=do),))
    return grid


def _has_sign(queries: pa.Array) -> bool:
    """Return whether one of the ids is # alone."""
    return bool(pc.any(pc.match_substring_regex(queries, "^#$")).as_py())


def is_run(document: Document) -> bool:
    """Return whether this is a TREC run: query, Q0, document, rank, score, tag."""
    lines = _rows(document)
    rows = [words_of(line) for line in lines]
    if not rows or len(rows[0]) < 5:
        return False
    second = rows[0][1].lower()
    if second == "q0":
        return True
    numeric = sum(len(row) >= 5 and is_number(row[3]) and is_number(row[4]) for row in rows)
    if second in ITERATIONS:
        return numeric * 2 > len(rows)
    if numeric < len(rows) or any(len(row) != 6 or row[1] != rows[0][1] for row in rows):
        return False
    return not any(
        "\t" in line and line.strip().count("\t") != len(row) - 1 for line, row in zip(lines, rows, strict=True)
    )


def is_qrels(document: Document) -> bool:
    """Return whether these are TREC judgments: query, iteration, document, grade."""
    rows = [words_of(line) for line in _rows(document)]
    if not rows or not all(len(row) == 4 for row in rows):
        return False
    iterations = {row[1].lower() for row in rows}
    if iterations <= set(ITERATIONS):
        return True
    word = rows[0][1].lower()
    alike = len(iterations) == 1 and (len(word) == 1 or word.startswith("iter"))
    if len(rows) < 2 or any("," in row[0] for row in rows) or not (alike or all(map(is_number, iterations))):
        return False
    return has_iterations(rows, white=True) and not are_raters(rows)


def is_no_json(text: str) -> bool:
    """Return whether a text that begins with a bracket has a first line as in a TREC file: the bracket belongs to an
    id.

    Words and numbers stand beside each other there, with no comma or colon between them, as nowhere in JSON.
    """
    line = text.lstrip().partition("\n")[0]
    words = words_of(line)
    if len(words) < len(_QRELS) or words[1] in ("[", "{", ":"):
        return False
    if words[1].lower() != ITERATIONS[0] and (_MARKS & {*words[1], *words[2]} or words[2].endswith(":")):
        return False
    return all(map(is_number, words[3:5] if len(words) > len(_QRELS) else words[3:])) and _has_neighbours(line)


def _has_neighbours(line: str) -> bool:
    """Return whether two values stand beside each other with nothing between them, or a string does not end."""
    tokens = _TOKEN.findall(line)
    is_open = any(token[0] == '"' and (len(token) == 1 or token[-1] != '"') for token in tokens)
    return is_open or any(not {token, following} & _BETWEEN for token, following in pairwise(tokens))


def read_run(document: Document, kind: Kind) -> Grid:
    """Return a run, ordered by score. ReadError where the kind is judgments or a combined file."""
    if kind != "run":
        what = "this is a TREC run of one model (query, Q0, document, rank, score, tag)"
        needed = "a table with a column for the model" if kind == "models" else KINDS[kind].words
        raise refuse(
            "other_kind", document.name, f"{what}, not {needed}", "Give it as a run." if kind == "judgments" else ""
        )
    lines = first_lines(document)
    _check_words(document, lines)
    irregular = _run_lines(document, lines)
    grid = _check_remarks(document, _read(irregular, lines))
    if len(_tags(document, lines)) > 1 or _come_again(grid):
        _check_tags(irregular)
    regular = pa.types.is_integer(grid.columns["rank"].type)
    wishes = document.options.columns
    return grid if regular and not wishes and not _may_be_exchanged(lines) else with_rank_and_score(grid, wishes)


def _come_again(grid: Grid) -> bool:
    """Return whether rows of a query stand below those of another one that stand below rows of it."""
    query = grid.columns["query_id"]
    if not pa.types.is_dictionary(query.type):
        return False
    begun = int(np.count_nonzero(np.diff(codes(query)))) + 1
    return begun > len(query.dictionary)


def _check_tags(irregular: Lines) -> None:
    """Raise ReadError where a query has a list of each of several tags, with the same documents."""
    try:
        columns = read_as_text(
            replace(irregular, names=_TAGGED, layout=replace(irregular.layout, width=6), words=6)
        ).columns
    except ReadError:  # some rows have no tag
        return
    ranks = numbers(columns["rank"])
    rank = None if len(ranks.blank) or len(ranks.bad) else ranks.values
    lists = names_of_lists(codes(encoded(columns["query_id"])), columns["doc_id"], {"tag": columns["tag"]}, rank)
    if lists is not None:
        what = f"there are {len(lists[1])} models in one file, by their tags: {listed(lists[1])}"
        raise refuse("other_kind", irregular.document.name, what, "Keep the lines of one tag in a file.")


def _check_words(document: Document, lines: Sequence[str]) -> None:
    """Raise ReadError where every line has 5 words, of which no two can be rank and score."""
    rows = [words_of(line) for line in lines]
    if document.options.columns or any(len(row) != 5 or not is_number(row[3]) for row in rows):
        return
    tagged = all(not is_number(row[4]) and row[4].lower() not in _NO_NUMBERS for row in rows)
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
    strict = _strict(_run_lines(document, lines), lines)
    if strict is None:
        raise UnfitError("white space is not regular")
    if _may_be_exchanged(lines):
        raise UnfitError("the scores look like ranks")
    if len(_tags(document, lines)) > 1:
        raise UnfitError("several tags, perhaps of several models")
    for end, grid in grids_of(strict, size):
        if strict.layout.delimiter == " " and _has_blanks(grid):
            raise UnfitError("white space within an id")
        if _has_sign(grid.columns["query_id"].dictionary):
            raise UnfitError("a comment")
        yield end, grid


def _may_be_exchanged(lines: Sequence[str]) -> bool:
    """Return whether the fifth words of the first lines, the scores, are ranks, and the fourth are not."""
    rows = [row for row in map(words_of, lines) if len(row) > 4 and is_number(row[3]) and is_number(row[4])]
    return counts_through(rows, 4) and not counts_through(rows, 3)


def _run_lines(document: Document, lines: Sequence[str]) -> Lines:
    """Return how the lines of a run are read, whatever white space there is."""
    notes = _tag_note(_tags(document, lines))
    skip = int(len(lines) > 1 and _has_names(lines[0]) and _has_numbers(lines[1]))
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


def _tags(document: Document, lines: Sequence[str]) -> list[str]:
    """Return the tags of the first lines, and of the last one of a file on the disk."""
    start = max(0, document.size - _END)
    end = bytes(document.content(start, document.size)) if document.path else document.head[start:]
    last = end.rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")
    rows = [words_of(line) for line in (*lines, last)]
    return [*dict.fromkeys(row[5] for row in rows if len(row) > 5 and (is_number(row[3]) or is_number(row[4])))]


def _tag_note(tags: list[str]) -> tuple[str, ...]:
    """Return the note on tags: nothing uses them."""
    if not tags:
        return ("The run has no tag.",)
    if len(tags) > 1:
        return (f"There are several tags, {listed(tags)}: the file was read as one run.",)
    return not_read("The tag of the run, which decides nothing", tags)


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
    grid = _check_remarks(document, _read(lines, first_lines(document)))
    if pa.types.is_floating(grid.columns["relevance"].type) and not document.options.columns.get("relevance"):
        check_grades(grid, NAME_ABOVE)
    return grid


def _has_names(line: str) -> bool:
    """Return whether neither rank nor score is a number, or meant to be one."""
    words = words_of(line)
    return len(words) > 4 and not any(is_number(word) or word.lower() in _NO_NUMBERS for word in words[3:5])


def _has_numbers(line: str) -> bool:
    words = words_of(line)
    return len(words) > 4 and is_number(words[3]) and is_number(words[4])


def _read(irregular: Lines, lines: Sequence[str]) -> Grid:
    """Return the Grid of the file as it is if all lines are regular, else with white space normalised; the result is
    the same.
    """
    strict = _strict(irregular, lines)
    if strict is not None:
        try:
            grid = read_typed(strict, lambda: read_as_text(irregular))
            if strict.layout.delimiter == " " and _has_blanks(grid):
                raise UnfitError("white space within an id")
            return grid
        except UnfitError:
            pass
    if irregular.order != "score":
        return read_lines(irregular)
    return _checked(read_lines(replace(irregular, names={**irregular.names, 1: ITERATION})))


def _strict(irregular: Lines, lines: Sequence[str]) -> Lines | None:
    """Return how the file is read as it is; None where the first lines are not regular."""
    delimiter = _regular(lines, irregular.layout.width)
    if not delimiter:
        return None
    width = len(lines[0].split(delimiter))
    layout = replace(irregular.layout, width=width, delimiter=delimiter, strict=True)
    return replace(irregular, layout=layout, words=None)


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


def _regular(lines: Sequence[str], width: int) -> str:
    """Return the only character between the words of all first lines; "" where there are several."""
    for delimiter in ("\t", " "):
        rows = [line.split(delimiter) for line in lines]
        if all(len(row) == len(rows[0]) >= width and all(row) for row in rows):
            return delimiter
    return ""


def _has_blanks(grid: Grid) -> bool:
    """Return whether an id holds white space, which then separates two words."""
    texts = (Text.of(grid.columns["query_id"].dictionary), Text.of(grid.columns["doc_id"]))
    used = (text.data[: int(text.offsets[-1])] for text in texts)  # a short array has zeros behind its bytes
    blocks = (data[at : at + _BLOCK] for data in used for at in range(0, len(data), _BLOCK))
    return any(bool(block.min() <= 32) for block in blocks)
