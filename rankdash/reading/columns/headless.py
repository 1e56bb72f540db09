"""Tables without a header line: what their columns are, by their number and by what stands in them."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from rankdash.reading.columns.grid import IDS
from rankdash.reading.columns.headings import Mapping, positional
from rankdash.reading.columns.iterations import ITERATION
from rankdash.reading.columns.orders import are_small, are_times
from rankdash.reading.source.advice import advice
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.source.unread import not_read
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.vote_words import is_blank, on_a_scale, reading_of
from rankdash.reading.words.headings import KINDS, MEANING, Kind

Cells = list[list[str]]
#: The columns of a table with a query and the votes of two raters.
_TWO_RATERS = 3
#: Where numbers stand that may be the rank and the score, behind a query and a document.
_NUMBERS = range(2, 4)
_ROUNDS = frozenset(("q0", "0"))


def by_position(
    file: str, rows: Cells, kind: Kind, *, white: bool = False, chosen: collections.abc.Mapping[str, int]
) -> Mapping:
    """Return the meaning of the columns of a file without a header, by their number and by which have numbers.

    Words between ``white`` space without any number are prose or a log. ``chosen`` are the columns, from 0, that a
    person chose for the document, the rank or the score. Of a run, what other numbers are is left ``undecided``.
    """
    width = len(rows[0])
    number = _numeric(rows)
    iteration = _is_iteration(file, rows, kind, decided="doc_id" in chosen)
    if kind == "judgments" and width == 4:
        iteration = iteration or (all(len(row) == 4 for row in rows) and has_iterations(rows, white=white))
    _check_kind(file, rows, kind, white=white)
    texts = kind in ("run", "judgments") and not (iteration or white) and _is_text_of_queries(rows)
    if "doc_id" in chosen or (texts and kind == "run"):
        names = _beside_texts(file, rows, kind, chosen.get("doc_id"))
    elif texts:
        names = None
    elif kind == "run" and not iteration and (why := _numbers_before_documents(rows, number)):
        raise _which_documents(file, (1, 2), width, why)
    else:
        names = _names(width, _without_times(rows, number) if kind == "judgments" else number, iteration, kind)
    if kind == "votes" and width > 2 and are_raters(rows):
        names = ["query_id", *(f"rater {j}" for j in range(1, width))]
    if names is None:
        raise _no_table(file, rows, kind, iteration=iteration)
    pairs = len({row[0] for row in rows}) < len(rows) and not (white and width > 2)
    if kind == "run" and not any(number[1:]) and not pairs and not iteration:
        what = "there is no header line and no rank or score, and rows are no pairs of query and document of a list"
        raise refuse("missing_column", file, what, f"Put the names of the columns above them: {KINDS[kind].header}.")
    if kind != "run":
        names += [None] * (width - len(names))
        return replace(positional(names), notes=(columns_note(filter(None, names)), *_others(names, kind)))
    for meaning, at in chosen.items():
        names[at] = meaning
    numbers = _NUMBERS if names[1] == "doc_id" else range(3, 5) if iteration else range(1, width)
    undecided = [names[j] for j in numbers if j < width and number[j] and names[j] == f"column {j + 1}"]
    return replace(positional(names), undecided=tuple(filter(None, undecided)))


def _is_iteration(file: str, rows: Cells, kind: Kind, *, decided: bool) -> bool:
    """Return whether the second column has the rounds of judging of TREC files, 0 or Q0, and no documents.

    ReadError where each query may have a document 0; ``decided``: somebody said which column has the documents.
    """
    width, second = len(rows[0]), {row[1].strip().lower() for row in rows if len(row) > 1}
    if width < 3 or not second <= _ROUNDS:
        return False
    if width > 3 or second != {"0"} or not _numeric(rows)[2] or not _may_name(rows, 1):
        return True
    if kind in ("run", "judgments") and not decided:
        raise _which_documents(file, (1, 2), width, 'column 2 is "0" in every row')
    return False


def _no_table(file: str, rows: Cells, kind: Kind, *, iteration: bool) -> ReadError:
    """Return the problem of columns that do not make a table of a kind."""
    width = len(rows[0])
    do = "column does" if width == 1 else "columns do"
    what = f"there is no header line, and {width} {do} not make {KINDS[kind].words}"
    if iteration and width == 3 and kind == "judgments":
        what = f"{what}: behind the query, the iteration and the document there is no grade"
    elif width == 1 and all(_numeric(rows)):
        what = f"{what}: numbers alone are the scores, or the sizes of the queries, beside a LETOR file"
    return refuse("missing_column", file, what, f"Put the names of the columns above them: {KINDS[kind].header}.")


def columns_note(names: Iterable[str]) -> str:
    """Return the note on columns without headings, by the names that they were given."""
    read = ", ".join(MEANING[name].words for name in names if name in MEANING)
    return f"There is no header line; the columns were read as {read}."


def _others(names: Sequence[str | None], kind: Kind) -> tuple[str, ...]:
    """Return the note on the columns that are not read; those of iterations and raters have notes of their own."""
    others = [f"column {j + 1}" for j, name in enumerate(names) if name is None]
    return not_read("Columns that were not read", others) if kind in ("judgments", "queries") else ()


def _numeric(rows: Cells) -> list[bool]:
    """Return which columns hold numbers alone."""
    return [all(j < len(row) and is_number(row[j]) for row in rows) for j in range(len(rows[0]))]


def _check_kind(file: str, rows: Cells, kind: Kind, *, white: bool) -> None:
    """Raise ReadError where the rows are votes, queries or preferences, and the kind is a run or judgments."""
    if white and kind in ("run", "judgments") and _are_preferences(rows):
        what = "these are preferences (query, judge, group, document, preference), it seems"
        raise refuse("other_kind", file, what, f"Give {KINDS[kind].words}; preferences are not read.")
    if kind in ("run", "judgments") and are_raters(rows):
        what = f"there is no header line, and each column behind the first holds votes, it seems: {KINDS[kind].words}?"
        raise refuse("other_kind", file, what, f"Give the file as the votes, or put names above: {KINDS[kind].header}.")
    if kind == "run" and len(rows[0]) == 2 and _are_queries(rows):
        raise refuse("other_kind", file, "these are queries (id, text), not a run", "Give the file as the queries.")


def has_iterations(rows: Cells, *, white: bool) -> bool:
    """Return whether four columns are a query, an iteration or subtopic, a document and a grade, by the first rows.

    Both the second and the third could name documents: within a query documents repeat less. Numbers in the second
    that count through each query are ranks.
    """
    if not all(is_number(row[3]) for row in rows):
        return False
    second, third = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    numeric = [all(is_number(row[at]) for row in rows) for at in (1, 2)]
    if numeric[1]:  # they could be ranks, beside documents in the second column
        return second * 2 <= len(rows) < third * 2
    if second < len(rows) or third < len(rows):
        return second < third or numeric[0]
    grades = are_small(np.array([float(row[3]) for row in rows]))
    return grades and (white or numeric[0]) and not (numeric[0] and _are_ranks(rows))


def are_raters(rows: Cells) -> bool:
    """Return whether each row is a query that occurs once, and the vote of each rater: words, or numbers also below 0.

    Numbers from 0 to 2 are votes only where there are at least three raters, each with different votes.
    """
    width = len(rows[0])
    if (
        width < 2
        or len(rows) < 2
        or any(len(row) != width for row in rows)
        or len({row[0] for row in rows}) < len(rows)
    ):
        return False
    columns = [[row[j].strip() for row in rows] for j in range(1, width)]
    texts = {text for column in columns for text in column}
    if not all(text and is_number(text) for text in texts):
        reading = reading_of(sorted(texts))
        worded = any(not is_blank(text) and not is_number(text) for text in texts)
        return width > 2 and worded and bool(reading.votes) and not reading.unknown and not reading.doubt
    several = width > _TWO_RATERS and all(len({*column}) > 1 for column in columns)
    return on_a_scale(texts) and (several or min(map(float, texts)) < 0)


def counts_through(rows: Cells, column: int) -> bool:
    """Return whether the numbers in a column count 1, 2, 3, … or 0, 1, 2, … through each query, one of several rows."""
    return len({row[0] for row in rows}) < len(rows) and _are_ranks(rows, column)


def _are_ranks(rows: Cells, column: int = 1) -> bool:
    """Return whether the numbers in a column count 1, 2, 3, … or 0, 1, 2, … through each query."""
    seen: dict[str, list[float]] = {}
    for row in rows:
        seen.setdefault(row[0], []).append(float(row[column]))
    lists = [sorted(numbers) for numbers in seen.values()]
    return any(all(ranks == [*range(first, first + len(ranks))] for ranks in lists) for first in (0, 1))


def _are_preferences(rows: Cells) -> bool:
    """Return whether each row is a query, who judged, a group, a document and a number, as in prefs of trec_eval: the
    first three come again, and the fourth differ.
    """
    if any(len(row) != 5 for row in rows) or not _numeric(rows)[4]:
        return False
    groups, documents = ({tuple(row[:at]) for row in rows} for at in (3, 4))
    return len(groups) < len(documents) == len(rows)


def _are_queries(rows: Cells) -> bool:
    """Return whether rows of two cells are different ids and texts of several words."""
    texts = sum(" " in row[1].strip() for row in rows if len(row) > 1)
    return len({row[0] for row in rows}) == len(rows) and texts * 2 > len(rows)


def _names(width: int, number: Sequence[bool], iteration: bool, kind: Kind) -> list[str | None] | None:
    if kind == "models" or width < 2:
        return None
    if kind == "queries":
        return ["query_id", "weight" if width == 2 and number[1] else "text", *_numbered(width)[2:]]
    if kind == "votes":
        return ["query_id", "vote"] if width == 2 else None
    if kind == "judgments":
        if iteration:
            return ["query_id", ITERATION, "doc_id", "relevance"] if width == 4 else None
        return ["query_id", "doc_id", "relevance"] if width >= 3 and not any(number[3:]) else None
    if iteration:
        return ["query_id", None, "doc_id", *_numbered(width)[3:5]] if width != 4 else None
    if any(number[2:]) and not number[2]:
        return None
    return ["query_id", "doc_id", *_numbered(width)[2:]]


def _is_text_of_queries(rows: Cells) -> bool:
    """Return whether the second column is the same in all rows of a query, and some query has two rows: a document
    would differ.
    """
    said: dict[str, set[str]] = {}
    for row in rows:
        said.setdefault(row[0], set()).update(row[1:2])
    others = len(set(map(tuple, rows)))  # rows that are alike in everything tell nothing
    return len(said) < others and len(rows[0]) > 2 and all(len(values) == 1 for values in said.values())


def _beside_texts(file: str, rows: Cells, kind: Kind, documents: int | None) -> list[str | None] | None:
    """Return the columns of lists whose second column is not a document: a rank, documents, and perhaps a score.

    ReadError where several columns could be the documents. None where none can be.
    """
    width = len(rows[0])
    number = _numeric(rows)
    free = [j for j in range(1, width) if j != documents]
    if any(len(row) != width for row in rows):
        return None
    rank = next((j for j in free if number[j] and kind == "run" and _are_ranks(rows, j)), None)
    if documents is None:
        able = [j for j in free if j != rank and _may_name(rows, j)]
        able = [j for j in able if not any(" " in row[j].strip() for row in rows)] or able
        if len(able) != 1:
            why = "column 2 says the same in all rows of a query"
            raise _which_documents(file, able or free, width, why)
        documents = able[0]
    numbers = [j for j in free if number[j] and j != documents]
    names: list[str | None] = [*_numbered(width)]
    names[0], names[documents] = "query_id", "doc_id"
    if kind == "run":
        return names if len(numbers) <= len(_NUMBERS) else None
    if len(numbers) != 1:
        return None
    names[numbers[0]] = "relevance"
    return [name if name in IDS or name == "relevance" else None for name in names]


def _numbers_before_documents(rows: Cells, number: Sequence[bool]) -> str:
    """Return why the numbers in the second column may be ranks or grades, before documents in the third; "" where they
    are none.
    """
    if len(number) < 3 or not number[1] or number[2] or any(len(row) != len(number) for row in rows):
        return ""
    if not _may_name(rows, 2):
        return ""
    if counts_through(rows, 1):
        return "column 2 counts through each query"
    if len(number) > 3 or any(" " in row[2].strip() for row in rows):
        return ""
    are_grades = are_small(np.array([float(row[1]) for row in rows])) or not _may_name(rows, 1)
    return "column 2 holds numbers as grades are" if are_grades else ""


def _without_times(rows: Cells, number: Sequence[bool]) -> list[bool]:
    """Return which columns hold numbers that are no times, such as those of ratings of users behind these."""
    return [own and not are_times(np.array([float(row[j]) for row in rows])) for j, own in enumerate(number)]


def _may_name(rows: Cells, column: int) -> bool:
    """Return whether the cells of a column may be documents: none twice in a query, and no numbers with decimals."""
    pairs = {(row[0], row[column]) for row in rows}
    return len(pairs) == len(rows) and not any(is_number(row[column]) and not row[column].isdecimal() for row in rows)


def _which_documents(file: str, able: Sequence[int], width: int, why: str) -> Exception:
    headings = tuple(filter(None, _numbered(width)))
    candidates = listed(headings[j] for j in able)
    what = f"there is no header line, {why}, and the document id could be {candidates}"
    allowed = advice("choose_unnamed_column", key="doc_id")
    return refuse("unclear", file, what, allowed, Choice("columns", headings, "doc_id"))


def _numbered(width: int) -> list[str | None]:
    return [f"column {j + 1}" for j in range(width)]
