"""The tags of TREC runs: lists of several models under several tags are refused, and not mixed into one run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rankdash.arrow import codes
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.text.first_lines import words_of
from rankdash.reading.text.lines import TAG, Lines, read_as_text
from rankdash.reading.values.column_collector import UnfitError
from rankdash.reading.values.numerals import is_number
from rankdash.reading.values.parsing import encoded, numbers
from rankdash.reading.values.several_lists import names_of_lists
from rankdash.tables import TAG_NOTE

_TAGGED = {0: "query_id", 2: "doc_id", 3: "rank", 5: "tag"}
#: So many bytes at the end hold the last line.
_END = 1 << 12
#: Blanks and tabs between six words.
_BETWEEN = 5
#: A line of six words: its tag with the sign before it, and its end.
_FIRST_LINE = re.compile(
    rb"[ \t]*(?:[^ \t\r\n]+[ \t]+){4}[^ \t\r\n]+[ \t]*(?P<end>(?P<tag>[ \t][^ \t\r\n]+)[ \t\r]*\n)"
)


def tags_of(document: Document, lines: Sequence[str]) -> list[str]:
    """Return the tags of the first lines, and of the last one of a file on the disk."""
    start = max(0, document.size - _END)
    end = bytes(document.content(start, document.size)) if document.path else document.head[start:]
    last = end.rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")
    rows = [words_of(line) for line in (*lines, last)]
    return [*dict.fromkeys(row[5] for row in rows if len(row) > 5 and (is_number(row[3]) or is_number(row[4])))]


def tag_note(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the note on tags: nothing uses them."""
    if not tags:
        return ("The run has no tag.",)
    if len(tags) > 1:
        return (f"There are several tags, {listed(tags)}: the file was read as one run.",)
    return (f"{TAG_NOTE}{listed(tags)}.",)


def checked_tags(irregular: Lines) -> list[str]:
    """Return the tags of all lines; none where all have that of the first, or some lack one.

    ReadError where a query has a list of each of several tags, with the same documents.
    """
    if _is_one_tag(irregular.document):
        return []
    try:
        columns = read_as_text(
            replace(irregular, names=_TAGGED, layout=replace(irregular.layout, width=6), words=6)
        ).columns
    except ReadError:  # some rows have no tag
        return []
    ranks = numbers(columns["rank"])
    rank = None if len(ranks.blank) or len(ranks.bad) else ranks.values
    lists = names_of_lists(codes(encoded(columns["query_id"])), columns["doc_id"], {"tag": columns["tag"]}, rank)
    if lists is not None:
        what = f"there are {len(lists[1])} models in one file, by their tags: {listed(lists[1])}"
        raise refuse("other_kind", irregular.document.name, what, "Keep the lines of one tag in a file.")
    tags: list[str] = encoded(columns["tag"]).dictionary.to_pylist()
    return tags


def _is_one_tag(document: Document) -> bool:
    """Return whether every line ends as the first one does, which has a tag at its end, and has no seventh word; False
    where that is not certain.
    """
    first = _FIRST_LINE.match(document.head)
    if first is None:
        return False
    for block in document.line_blocks():
        whole, last = block.count(b"\n"), block.rpartition(b"\n")[2]
        if block.count(first["end"]) < whole or (last and not last.endswith(first["tag"])):
            return False
        if block.count(b" ") + block.count(b"\t") != _BETWEEN * (whole + bool(last)):
            return False
    return True


def with_tags(strict: Lines) -> Lines:
    """Return how regular lines are read with their tags, where they have any."""
    return replace(strict, names={**strict.names, 5: TAG}) if strict.layout.width > 5 else strict


def of_one_tag(pieces: Iterable[tuple[int, Grid]]) -> Iterator[tuple[int, Grid]]:
    """Yield the pieces of lines with tags without these. UnfitError where one has another tag."""
    seen: set[str] = set()
    for end, grid in pieces:
        if TAG in grid.columns:
            seen.update(grid.columns[TAG].dictionary.to_pylist())
            if len(seen) > 1:
                raise UnfitError("several tags, perhaps of several models")
            grid = replace(grid, columns={name: column for name, column in grid.columns.items() if name != TAG})
        yield end, grid
