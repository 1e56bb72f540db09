"""What the lines of TREC runs and qrels look like, by which they are told from other texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rankdash.reading.columns.headless import are_raters, has_iterations
from rankdash.reading.source.document import Document
from rankdash.reading.text.first_lines import ITERATIONS, first_lines, is_remark, words_of
from rankdash.reading.values.numerals import is_number

#: What stands for a number that is none.
NO_NUMBERS = frozenset(("nan", "inf", "-inf", "+inf", "infinity", "-infinity", "na", "null", "none", "-"))
#: The tokens of JSON: strings (the last one may not end), signs between values, and any other word.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_BETWEEN, _MARKS = frozenset("[]{}:,"), frozenset('",')
#: The words of qrels: query, iteration, document, grade.
_WORDS = 4


def _rows(document: Document) -> list[str]:
    """Return the first lines that are no comments."""
    return [line for line in first_lines(document) if not is_remark(words_of(line))]


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
    if second in ITERATIONS:  # a heading may end with 0, as pandas calls the index
        return numeric * 2 > len(rows) and not has_names(rows[0])
    if numeric < len(rows) or any(len(row) != 6 for row in rows) or not _decides_nothing(rows):
        return False
    return not any(
        "\t" in line and line.strip().count("\t") != len(row) - 1 for line, row in zip(lines, rows, strict=True)
    )


def has_names(words: Sequence[str]) -> bool:
    """Return whether neither rank nor score of a line is a number, or meant to be one."""
    return len(words) > 4 and not any(is_number(word) or word.lower() in NO_NUMBERS for word in words[3:5])


def _decides_nothing(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second words name no documents: they are all the same, or come again in the list of a query,
    as kinds of elements do, and the third do not.
    """
    second, third = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    return len({row[1] for row in rows}) == 1 or second < third == len(rows)


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
    if len(words) < _WORDS or words[1] in ("[", "{", ":"):
        return False
    if words[1].lower() != ITERATIONS[0] and (_MARKS & {*words[1], *words[2]} or words[2].endswith(":")):
        return False
    return all(map(is_number, words[3:5] if len(words) > _WORDS else words[3:])) and _has_neighbours(line)


def _has_neighbours(line: str) -> bool:
    """Return whether two values stand beside each other with nothing between them, or a string does not end."""
    tokens = _TOKEN.findall(line)
    is_open = any(token[0] == '"' and (len(token) == 1 or token[-1] != '"') for token in tokens)
    return is_open or any(not {token, following} & _BETWEEN for token, following in pairwise(tokens))
