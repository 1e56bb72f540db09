"""Text as a table: cells between commas, tabs, semicolons, bars or white space, and the words of TREC files.

The first lines decide the format. Arrow parses numbers and ids; if a cell does not fit, all cells are read as text,
so that an error can name the row.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from rankdash import arrow
from rankdash.arrow import Text, as_numpy, codes, encoded, from_numpy, from_strings, is_text, one_chunk
from rankdash.notes import Note, advise, detail, listed, warning
from rankdash.reading.grid import BLANKS, IDS, NUMBERS, Grid, Rows, is_number
from rankdash.reading.headings import KINDS, Kind, Matched, is_known, key, match, match_unnamed
from rankdash.reading.problems import SHOWN, Problem, ReadError, refuse, too_many
from rankdash.reading.source import LINE_END, Document, first_row_not_utf8, not_utf8, stream_of
from rankdash.reading.values import Lists, are_grades, are_ranks, check_unnamed, floats, refuse_scores
from rankdash.records import frozen, replace

#: How many lines decide what a text is.
LINES = 50
DELIMITERS = (",", "\t", ";", "|")
#: Stands for any white space between words.
WHITE = " "
Cells = list[list[str]]

_LINE = re.compile(r"[^\r\n]+")
#: Alone it ends a line, as in other tables; before a line feed it is white space.
_LONE_RETURN = re.compile(rb"\r(?!\n)")
_MOST_ABOVE = 20
_QUOTED = r'(?s)^"(.*)"$'
_NAN = from_numpy(np.array([np.nan]))[0]  # pa.scalar would import pandas
#: What printed tables have between rows.
_RULE = re.compile(r"[-=+:|_]{2,}")
_CODE = pa.dictionary(pa.int32(), pa.string())
#: The types in which columns with a meaning are read at first; every other column is text.
_TYPES: Mapping[str, pa.DataType] = {
    "query_id": _CODE,
    "model": _CODE,
    "iteration": _CODE,
    "subtopic": _CODE,
    "tag": _CODE,
    "rank": pa.int32(),
    "score": pa.float64(),
    "relevance": pa.float64(),
}


class UnfitError(ValueError):
    """The cells do not fit the types of their columns; a slower reading may explain it."""


@frozen
class Head:
    """The beginning of a ``text``: the ``first`` lines that are not blank, at most 50, below so many ``blank`` ones."""

    text: str
    first: list[str]
    blank: int


def read_head(document: Document) -> Head:
    """Return the beginning of a text. ReadError where it is not UTF-8 text, or blank."""
    head = document.head.removeprefix(codecs.BOM_UTF8)
    if not document.whole:
        head = head[: head.rfind(b"\n") + 1] or head
    if (at := head.find(b"\0")) >= 0:
        what, do = "this is not a text file", "Give TREC, CSV, TSV, JSON, Excel or Parquet."
        raise refuse("unsupported", document.name, what, do, row=head.count(b"\n", 0, at) + 1)
    try:
        text, _ = codecs.utf_8_decode(head, "strict", document.whole)
    except UnicodeDecodeError:
        raise not_utf8(document, first_row_not_utf8(document) or 1) from None
    if document.above:
        text = LINE_END.split(text, maxsplit=document.above)[-1]
    if not text.strip():
        raise refuse("empty", document.name, "the file is empty")
    first = list(islice((line for line in _LINE.finditer(text) if line[0].strip()), LINES))
    return Head(text, [line[0] for line in first], len(LINE_END.findall(text, 0, first[0].start())))


#: Returns the words between ASCII white space, as trec_eval separates them.
words_of = re.compile(r"[^ \t\n\v\f\r]+").findall


@frozen
class Layout:
    """How the cells of a text become columns.

    ``names`` maps column numbers to names, of ``width`` columns between ``delimiter``. ``above`` lines at the top and
    then ``header`` rows are no data. With ``words`` the white space is made regular first, and that many words of each
    line are read. With ``bare`` a line is a row, and quotes around a whole cell go; with ``harmless`` texts are
    made what they were before they were disarmed. ``expected`` ends the sentence about a row of another width.
    """

    document: Document
    names: Mapping[int, str]
    width: int
    delimiter: str
    above: int = 0
    header: int = 0
    quoting: bool = False
    words: int = 0
    bare: bool = False
    harmless: bool = False
    expected: str = ""


def squeeze(block: bytes, words: int) -> bytes:
    """Return the first ``words`` words of each line, between single tabs; empty lines stay.

    ``block`` consists of whole lines. Words are separated by any run of ASCII white space, as in trec_eval.
    """
    lines = _LONE_RETURN.sub(b"\n", block).split(b"\n")
    return b"\n".join(b"\t".join(line.split(None, words)[:words]) for line in lines)


def parse(layout: Layout, *, typed: bool = True) -> dict[str, pa.Array]:
    """Return the columns of a text by name, numbers with NaN where a cell is blank, ids without nulls.

    UnfitError when a cell does not fit the type of its column, a row has another number of cells, or bytes are not
    UTF-8. ReadError beyond the limits.
    """
    document, limits = layout.document, layout.document.limits
    types = {str(i): _TYPES.get(name, pa.string()) if typed else pa.string() for i, name in layout.names.items()}
    blank = [text for text in BLANKS if not text.startswith("#")]  # an error of a spreadsheet is read as text
    convert = pa.csv.ConvertOptions(
        include_columns=[*types], column_types=types, null_values=blank, strings_can_be_null=False
    )
    cut = pa.csv.ParseOptions(
        delimiter="\t" if layout.words else layout.delimiter,
        quote_char='"' if layout.quoting else False,
        newlines_in_values=layout.quoting,
    )
    for block in (1 << 22, limits.line):
        rows = pa.csv.ReadOptions(
            column_names=[str(i) for i in range(layout.width)],
            skip_rows=layout.above,
            skip_rows_after_names=layout.header,
            block_size=block,
            use_threads=not document.whole,  # which cost more than they save there
        )
        squeezed = (squeeze(lines, layout.words) for lines in document.lines())
        try:
            table = pa.csv.read_csv(stream_of(squeezed) if layout.words else document.stream(), rows, cut, convert)
            break
        except pa.ArrowInvalid as error:
            if "straddling" not in str(error) or block == limits.line:
                raise UnfitError(str(error)) from None
    if table.num_rows > limits.rows:
        raise too_many(document.name, table.num_rows, "rows", limits.rows)
    parts = {name: table.column(str(i)) for i, name in layout.names.items()}
    del table  # a column in parts goes as soon as it is joined
    columns = {name: one_chunk(parts.pop(name)) for name in layout.names.values()}
    for name, column in columns.items():
        if column.null_count and pa.types.is_integer(column.type):
            raise UnfitError("a blank in a column of integers")
        if column.null_count and pa.types.is_floating(column.type):
            columns[name] = one_chunk(pc.coalesce(column, _NAN))
        if layout.bare:
            columns[name] = _unquoted(columns[name])
        if layout.harmless and name not in IDS and is_text(column.type):
            columns[name] = arrow.taken_back(columns[name])
    return columns


def parse_text(layout: Layout) -> dict[str, pa.Array]:
    """Return the columns of a text by name, all as text. ReadError with the first uneven rows when there are any."""
    try:
        return parse(layout, typed=False)
    except UnfitError:
        raise _explain(layout) from None


def _unquoted(column: pa.Array) -> pa.Array:
    """Return the same cells, those in quotes without them."""
    if pa.types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(column.indices, _unquoted(column.dictionary))
    if not is_text(column.type):
        return column
    inside = pc.replace_substring(pc.replace_substring_regex(column, _QUOTED, r"\1"), '""', '"')
    return one_chunk(pc.if_else(pc.match_substring_regex(column, _QUOTED), inside, column))


def check_lines(document: Document) -> bool:
    """Return whether a text holds a quote. LimitError where it has more lines than rows are read, before any of them
    is parsed.
    """
    if document.whole:
        return b'"' in document.head
    most, lines, quoted = document.limits.rows, 0, False
    for block in document.blocks():
        quoted = quoted or b'"' in block
        lines += block.count(b"\n")
        if lines > most + _MOST_ABOVE:
            raise too_many(document.name, lines, "lines or more", most)
    return quoted


def read_grid(layout: Layout, make: Grid, columns: dict[str, pa.Array] | None = None) -> Grid:
    """Return ``make`` with the columns of a text: numbers and ids where every cell allows it, else text.

    ``columns`` are those of a faster reading. ReadError with the first uneven rows when there are any.
    """
    if columns is None:
        try:
            columns = parse(layout)
        except UnfitError:
            columns = parse_text(layout)
    records = len(next(iter(columns.values())))
    if not records:
        raise refuse("empty", layout.document.name, "there is a header but no row below it")
    if layout.quoting:
        _check_quotes(layout, records)
    return replace(
        make,
        columns=columns,
        row_of=lambda rows: row_numbers(layout, records)[rows],
        first_row=layout.above + layout.header + 1,
    )


def row_numbers(layout: Layout, records: int) -> Rows:
    """Return the line of the file in which each data row begins, (records,)."""
    begins = [number for number, _ in _records(layout) if number > layout.above][layout.header :]
    first = layout.above + layout.header + 1
    return np.array(begins if len(begins) == records else range(first, first + records), np.int64)


def _records(layout: Layout, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each record of a text, with the line in which it begins; of an overlong cell its line alone,
    ``strict``: of a quote with something between it and the end of its cell too.
    """
    if not layout.quoting:
        for number, line in layout.document.numbered():
            if line.strip() if layout.words else line:
                yield number, words_of(line)[: layout.words] if layout.words else line.split(layout.delimiter)
        return
    stream = io.TextIOWrapper(stream_of(layout.document.blocks()), "utf-8-sig", "replace", newline="")
    reader, before = csv.reader(stream, delimiter=layout.delimiter, strict=strict), 0
    try:
        for row in reader:
            if row:
                yield before + 1, row
            before = reader.line_num
    except csv.Error:
        yield before + 1, []


def _check_quotes(layout: Layout, records: int) -> None:
    """Raise ReadError where a quote took in the rows below it: what it holds is a row, or it is not closed in an id."""
    lines = sum(len(LINE_END.findall(block.decode("utf-8", "replace"))) for block in layout.document.lines())
    if lines <= records + layout.above + layout.header:
        return
    ids = [at for at, name in layout.names.items() if name in ("query_id", "doc_id")]
    numbers = [at for at, name in layout.names.items() if name in NUMBERS]
    closed = all(row for _, row in _records(layout, strict=True))

    def is_row(line: str) -> bool:
        cells = line.split(layout.delimiter)
        filled = bool(numbers) and all(is_number(cells[at].strip()) for at in numbers if at < len(cells))
        return len(cells) >= layout.width and (filled or not closed)

    for number, row in _records(layout):
        broken = not closed and any(at < len(row) and LINE_END.search(row[at].strip()) for at in ids)
        if not row or broken or any(is_row(line) for cell in row if "\n" in cell for line in cell.split("\n")):
            what = "a quote that begins here is not closed, or spans the rows below"
            do = "Close it, or export the table again."
            raise refuse("malformed", layout.document.name, what, do, row=number)


def _explain(layout: Layout) -> ReadError:
    """Return the error that says why the cells could not even be read as text."""
    document = layout.document
    row = first_row_not_utf8(document)
    if row is not None:
        return not_utf8(document, row)
    what = {0: "a cell is too long, or a quote is never closed", 1: f"1 cell {layout.expected}"}
    problems, count, last = list[Problem](), 0, 0
    for last, cells in _records(layout):
        if last > layout.above and (width := len(cells)) != layout.width:
            count += 1
            if count <= SHOWN:
                said = what.get(width, f"{width} cells {layout.expected}")
                problems.append(Problem("malformed", document.name, said, last))
    if not problems:
        return refuse("malformed", document.name, "the file cannot be read as a table")
    if count == 1 and problems[0].row == last:
        problems = [replace(problems[0], allowed="It is the last row: the file may be cut off. Export it again.")]
    return ReadError(problems, count)


# --- delimited text --------------------------------------------------------------------------------------------------


def read_delimited(document: Document, head: Head, kind: Kind) -> Grid:
    """Return the columns that the kind needs of a delimited text. ReadError when one is missing, or rows are uneven."""
    document, head, delimiter, rows = _cut(document, head, kind)
    width, white = len(rows[0]), delimiter == WHITE
    if white and any(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in rows[0]):
        what = "quoted words are separated by blanks"
        raise refuse("malformed", document.name, what, "Write commas or tabs between them.")
    if width > document.limits.columns:
        raise too_many(document.name, width, "columns", document.limits.columns)
    wishes = document.options.columns
    named = any(wish == cell.strip() for wish in wishes.values() if wish and not wish.isdecimal() for cell in rows[0])
    header = named or _has_header(rows, kind)
    if header and len(rows) == 1 and document.whole:
        raise refuse("empty", document.name, "there is a header but no row below it")
    headings = _headings(rows[0]) if header else ()
    above = document.above + head.blank
    matched = _match(document, rows, headings, kind, above + 1)
    where = "the header" if header else "the first row"
    layout = Layout(
        document,
        {at: name for at, name in matched.names.items() if name != arrow.DISARMED},
        width,
        delimiter,
        above,
        int(header),
        quoting=check_lines(document) and not white,
        words=width + 1 if white else 0,
        harmless=arrow.DISARMED in headings,
        expected=f"where {where} has {width}",
    )
    notes = [*document.notes, *matched.notes, *_pointed(rows[int(header) :], matched)]
    if layout.harmless:
        notes.append(detail("disarmed", "Texts escaped for spreadsheets were read without the escape."))
    formats = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", WHITE: "text with white space"}
    format = formats.get(delimiter, "delimited text")
    make = Grid(document.name, {}, matched.called, headings, tuple(notes), format=format)
    grid = refuse_lines(_read_quoted(layout, make), rows, kind)
    return grid if header else check_unnamed(grid, kind, wishes)


def _cut(document: Document, head: Head, kind: Kind) -> tuple[Document, Head, str, Cells]:
    """Return the text from where its table begins, the delimiter whose header has most names, or whose rows are even,
    and the cells of the first rows.
    """
    there = [sign for sign in DELIMITERS if sign == "," or sign in head.text]
    delimiters: Sequence[str] = (document.delimiter,) if document.delimiter else (*there, WHITE)
    cuts = {delimiter: _rows(head, delimiter, document) for delimiter in delimiters}
    names = {delimiter: _count_names(rows[0], kind) for delimiter, rows in cuts.items()}
    even = {d: len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows) for d, rows in cuts.items()}
    others = [names[d] for d in cuts if d != WHITE and even[d]]
    loose = WHITE in cuts and bool(others) and (not even[WHITE] or max(others) > 1)  # words between other signs
    fits = {d: (d != WHITE or not loose, names[d], even[d], d != WHITE, len(rows[0])) for d, rows in cuts.items()}
    best = max(fits, key=lambda delimiter: fits[delimiter])
    signs = [sign for sign in delimiters if sign != WHITE] if best == WHITE and not even[WHITE] else delimiters
    # Uneven words are a title, whatever they say.
    if (names[best] < 2 or signs is not delimiters) and (lower := _header_below(head, signs, kind)):
        note = detail("lines_above", f"Lines above the header that were left out: {lower}.")
        document = document.noting(note, above=document.above + lower)
        return _cut(document, read_head(document), kind)
    return document, head, best, cuts[best]


def _header_below(head: Head, delimiters: Sequence[str], kind: Kind) -> int:
    """Return how many lines stand above a line with two known names or more; 0 where there is none."""
    for at, line in enumerate(LINE_END.split(head.text, _MOST_ABOVE)[:_MOST_ABOVE]):
        cells = [words_of(line) if sign == WHITE else line[:10_000].split(sign) for sign in delimiters]
        if at and any(_count_names([cell.strip('"') for cell in own], kind) > 1 for own in cells):
            return at
    return 0


def _count_names(cells: Iterable[str], kind: Kind) -> int:
    return len({key(cell) for cell in cells if is_known(cell, kind)})


def _rows(head: Head, delimiter: str, document: Document) -> Cells:
    """Return the cells of the first rows."""
    if delimiter == WHITE:
        return [words_of(line) for line in head.first]
    try:
        reader = csv.reader(io.StringIO(head.text, newline=""), delimiter=delimiter)
        rows = [row for row in islice(reader, LINES + 1) if len(row) > 1 or any(map(str.strip, row))]
    except csv.Error:  # a cell of more than 128 kB, for example: the first line has to do
        rows = []
    rows = rows or [head.first[0].split(delimiter)]
    return rows[:-1] if not document.whole and 1 < len(rows) <= LINES else rows[:LINES]


def _has_header(rows: Cells, kind: Kind) -> bool:
    """Return whether the first row contains the names of the columns: a known name and no number above numbers, else
    an unknown name above a column of numbers.
    """
    first, rest = rows[0], rows[1:]
    below = [[row[j] for row in rest if j < len(row) and row[j].strip()] for j in range(len(first))]
    numeric = [bool(cells) and all(map(is_number, cells)) for cells in below]
    numbers = [is_number(cell) for cell in first]
    if any(number and (is_below or not rest) for number, is_below in zip(numbers, numeric, strict=True)):
        return False
    if _count_names(first, kind):
        return True
    if not any(map(_has_digit, first)) and any(cells and all(map(_has_digit, cells)) for cells in below):
        return True  # words above ids
    return any(is_below and not number for number, is_below in zip(numbers, numeric, strict=True))


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _headings(row: Sequence[str]) -> tuple[str, ...]:
    """Return the headings, as they were before they were made harmless for a spreadsheet."""
    headings = [cell.strip() for cell in row]
    return tuple(arrow.taken_back(from_strings(headings)).to_pylist() if arrow.DISARMED in headings else headings)


def _match(document: Document, rows: Cells, headings: Sequence[str], kind: Kind, line: int) -> Matched:
    """Return what the columns are. ReadError with the ``line`` of the first row."""
    name, wishes = document.name, document.options.columns
    try:
        if headings:
            return match(name, headings, kind, wishes)
        numbered = [f"column {j + 1}" for j in range(len(rows[0]))]
        by_number = {own: f"column {at}" if at.isdecimal() else at for own, at in wishes.items()}
        if by_number:
            free = zip(("query_id", "doc_id"), numbered, strict=False)
            by_place = {own: at for own, at in free if own in KINDS[kind].required and at not in by_number.values()}
            return match(name, numbered, kind, by_place | by_number)
        return match_unnamed(name, rows, kind)
    except ReadError as error:
        raise ReadError([replace(each, row=each.row or line) for each in error.problems], error.count) from None


def _read_quoted(layout: Layout, make: Grid) -> Grid:
    """Return the Grid of a text with quotes. Most tools write lines with tabs without quoting, so a title that begins
    with a quote must not take in the rows below it.
    """
    if layout.delimiter == "\t":
        with suppress(ReadError):
            return read_grid(replace(layout, quoting=False, bare=True), make)
    return read_grid(layout, make)


def refuse_lines(grid: Grid, rows: Sequence[list[str]] = (), kind: Kind = "run") -> Grid:
    """Return the Grid. ReadError where a row is no data: a comment, a rule of a printed table, the header again."""
    queries = encoded(grid.columns["query_id"]) if "query_id" in grid.columns else encoded(from_strings([]))
    may_be_odd = bool(grid.headings) or pc.any(pc.match_substring(queries.dictionary, "#")).as_py()
    names = [name.strip().removeprefix("\ufeff") for name in (queries.dictionary.to_pylist() if may_be_odd else ())]
    doc = grid.columns.get("doc_id")

    def is_odd(code: int, name: str) -> bool:
        if name == "#" or name.startswith("# "):
            return True
        if grid.headings and name == grid.title("query_id"):
            return doc is None or doc[int(np.argmax(codes(queries) == code))].as_py() == grid.title("doc_id")
        return bool(grid.headings and _RULE.fullmatch(name))

    odd = [code for code, name in enumerate(names) if is_odd(code, name)]
    wrong = np.flatnonzero(np.isin(codes(queries), odd)) if odd else np.zeros(0, np.int64)
    if grid.headings and len(rows) > 1 and any(rows[1]) and all(is_known(own, kind) for own in rows[1] if own.strip()):
        wrong = np.zeros(1, np.int64)
    if len(wrong):
        what = "this line is not a row: it is a comment, a rule, or repeats the headings"
        raise refuse("malformed", grid.name, what, "Remove it.", row=int(grid.row_of(wrong[:1])[0]))
    return grid


def _pointed(rows: Cells, matched: Matched) -> Iterator[Note]:
    """Yield warnings on columns whose points may stand between thousands, by the first rows: "1.250" beside "900"."""
    for at, name in matched.names.items():
        if name not in ("rank", "score", "relevance", "weight"):
            continue
        cells = [row[at].strip() for row in rows if at < len(row)]
        pointed = [cell for cell in cells if re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})+", cell)]
        if pointed and len(pointed) < len(cells) and all(re.fullmatch(r"\d{1,3}", c) for c in {*cells} - {*pointed}):
            what = f"Column {listed([matched.called.get(name, name)])}: {listed(pointed[:1])} is among whole numbers"
            yield warning("points", f"{what}, and was read with a decimal point. Remove points between thousands.")


# --- TREC runs and qrels ---------------------------------------------------------------------------------------------


#: The second words of TREC runs and qrels, as they are mostly written.
_ITERATIONS = frozenset(("q0", "0"))
#: The meanings of the words of TREC runs and qrels.
_RUN = {0: "query_id", 2: "doc_id", 3: "rank", 4: "score"}
_QRELS = {0: "query_id", 1: "iteration", 2: "doc_id", 3: "relevance"}
_SIX = "where a TREC run has 6 (query, Q0, document, rank, score, tag)"


def is_trec_run(head: Head) -> bool:
    """Return whether the lines are a TREC run: query, Q0, document, rank, score, tag."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    if not rows or len(rows[0]) < 5 or any(len(words_of(line)) < 5 and "," in line for line in head.first):
        return False
    second = rows[0][1].lower()
    numeric = sum(len(row) >= 5 and is_number(row[3]) and is_number(row[4]) for row in rows)
    return second == "q0" or (second in _ITERATIONS and numeric * 2 > len(rows))


def is_qrels(head: Head) -> bool:
    """Return whether the lines are TREC judgments: query, iteration or subtopic, document, grade."""
    rows = [words for words in map(words_of, head.first) if words[0] != "#"]
    whole = [row for row in rows if len(row) == 4]
    rounds = {row[1].lower() for row in whole}
    if rounds <= _ITERATIONS:
        return len(whole) * 2 > len(rows)
    if len(whole) < len(rows) or not all(is_number(row[3]) for row in rows) or any("," in row[0] for row in rows):
        return False
    seconds, documents = (len({(row[0], row[at]) for row in rows}) for at in (1, 2))
    numbers, repeat = all(map(is_number, rounds)), documents < len(rows)
    return (
        are_grades(floats(rows, 3))
        and (repeat or not (numbers and are_ranks(Lists.of_words(row[0] for row in rows), floats(rows, 1))))
        and documents > 1
        and (seconds < documents or not all(is_number(row[2]) for row in rows))
        and (len(rounds) == 1 or numbers or repeat)
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
    grid, layout = _read_words(document, head, _RUN, 6, _SIX)
    _check_exchanged(grid)
    return _check_tags(layout, head, replace(grid, order="score", format="TREC run"))


def _check_exchanged(grid: Grid) -> None:
    """Raise ReadError where the scores count 1, 2, 3, … through every list, and the ranks fall along them."""
    score = grid.numbers("score").values.astype(np.float64, copy=False)
    if not len(score) or score.min() not in (0, 1) or score.max() > len(score) or (score != np.floor(score)).any():
        return  # or one is NaN
    rank = grid.numbers("rank").values.astype(np.float64)
    lists = Lists.of(codes(encoded(grid.columns["query_id"])))
    steps = lists.steps(rank, by=score)
    if are_ranks(lists, score) and not are_ranks(lists, rank) and (steps < 0).any() and (steps <= 0).all():
        what = "the fifth words, the scores of a TREC run, count like ranks, and the fourth fall along them"
        raise refuse("unclear", grid.name, what, "Write the rank before the score.")


def read_qrels(document: Document, head: Head, kind: Kind) -> Grid:
    """Return judgments. ReadError where the kind is a run or a combined file."""
    if kind != "judgments":
        what = "these are judgments (query, iteration, document, grade); a TREC run has 6 columns"
        raise refuse("other_kind", document.name, what, advise("give_judgments"))
    asked = document.options.columns
    second = "subtopic" if asked.get("subtopic") else "" if asked.get("iteration") == "" else "iteration"
    names = {i: name for i, name in {**_QRELS, 1: second}.items() if name}
    grid, _ = _read_words(document, head, names, 4, "where qrels have 4 (query, iteration, document, grade)")
    if pa.types.is_floating(grid.columns["relevance"].type) and not document.options.columns.get("relevance"):
        refuse_scores(grid)
    _check_grades(grid)
    return replace(grid, format="TREC qrels")


def _check_grades(grid: Grid) -> None:
    """Raise ReadError where documents are numbers like grades, some again and again in a query, and a grade is none."""
    queries, docs = (grid.columns[name].slice(0, 1000).to_pylist() for name in ("query_id", "doc_id"))
    named, grades = sorted({*docs}), grid.numbers("relevance").values
    again = len({*zip(queries, docs, strict=True)}) < len(docs)
    if again and all(map(is_number, named)) and are_grades(np.array([*map(float, named)])) and grades.max() > 100:
        what = f"column 3 holds {', '.join(named)}, and column 4 numbers such as {grades.max():.0f}"
        do = "Write the document before the grade."
        raise refuse("malformed", grid.name, f"{what}: document and grade are exchanged", do, row=1)


def _read_words(document: Document, head: Head, names: Mapping[int, str], words: int, due: str) -> tuple[Grid, Layout]:
    """Return a TREC file, and how it was cut: as it is where white space is regular, else made regular."""
    make = Grid(document.name, {}, {name: name for name in names.values()}, (), document.notes)
    loose = Layout(document, names, words, "\t", head.blank, words=words, expected=due)
    for delimiter in ("\t", " "):
        rows = [line.split(delimiter) for line in head.first]
        if all(len(row) == len(rows[0]) >= words and all(row) for row in rows):
            with suppress(UnfitError):
                regular = replace(loose, width=len(rows[0]), delimiter=delimiter, words=0)
                columns = parse(regular)
                _check_regular(columns)
                return refuse_lines(read_grid(loose, make, columns)), regular
    check_lines(document)
    return refuse_lines(read_grid(loose, make)), loose


def _check_regular(columns: Mapping[str, pa.Array]) -> None:
    """Raise UnfitError where an id is empty or holds white space: then more than one sign separates two words."""
    for name in ("query_id", "doc_id"):
        column = columns[name]
        text = Text.of(column.dictionary if pa.types.is_dictionary(column.type) else column)
        data = text.data[int(text.offsets[0]) : int(text.offsets[-1])]
        blocks = (data[at : at + (1 << 20)] for at in range(0, len(data), 1 << 20))
        if any(int(block.min()) <= 32 for block in blocks) or bool((text.offsets[1:] == text.offsets[:-1]).any()):
            raise UnfitError("white space within an id")


def _check_tags(layout: Layout, head: Head, grid: Grid) -> Grid:
    """Return the run with its tag. ReadError where its lines have several tags, each with lists of the same queries.

    Tags are read where they can matter: where a query comes again, or its ranks or scores begin anew.
    """
    tags = [words[5] for words in map(words_of, head.first) if len(words) > 5]
    if len({*tags}) > 1 or _may_be_mixed(grid):
        tags = parse(replace(layout, names={5: "tag"}))["tag"].dictionary.to_pylist()
    if len({*tags}) > 1:
        named = listed(filter(None, tags)) + " or none" * ("" in tags)
        query, doc = (codes(encoded(grid.columns[name])).astype(np.int64) for name in ("query_id", "doc_id"))
        if len(arrow.distinct(query * (int(doc.max()) + 1) + doc)) < len(doc):
            what = f"there are {len(tags)} models in one file, by their tags: {named}"
            raise refuse("other_kind", grid.name, what, "Keep the lines of one tag in a file.")
        text = f"There are several tags, {named}: the file was read as one run."
        return grid.noting(warning("several_tags", text))
    return replace(grid, tag=tags[0])


def _may_be_mixed(grid: Grid) -> bool:
    """Return whether a query comes again further down, or scores rise or ranks fall within a query."""
    ids, numbers = encoded(grid.columns["query_id"]), [grid.columns["score"], grid.columns["rank"]]
    inside = codes(ids)[1:] == codes(ids)[:-1]
    if len(inside) - inside.sum() >= len(ids.dictionary) or any(is_text(column.type) for column in numbers):
        return True
    score, rank = map(as_numpy, numbers)
    return bool((((score[1:] > score[:-1]) | (rank[1:] < rank[:-1])) & inside).any())
