"""What a file holds, by trying: a table of any kind, or numbers beside a LETOR file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, Unpack

from rankdash.arrow import as_numpy, codes
from rankdash.reading import source as files
from rankdash.reading.grid import Grid, is_blank, is_number, texts_of
from rankdash.reading.headings import MEANING, TIERS, Kind, check_meanings, key, means, names_queries, names_rater
from rankdash.reading.letor import is_letor
from rankdash.reading.problems import Choice, NotUtf8Error, ReadError
from rankdash.reading.readers import How, ReadOutcome, build_as, read_document, refuse_other_files
from rankdash.reading.source import LIMITS, Document, Limits, Options, as_utf8, guess_encoding, open_document
from rankdash.reading.text import read_head
from rankdash.reading.values import MAX_WORDS, Lists, are_falling, are_grades
from rankdash.records import frozen, replace
from rankdash.tables import ITEM_COLUMNS

LETOR = "LETOR"
NUMBERS: Literal["numbers"] = "numbers"
#: So many rows show what a table is.
_ROWS = 20_000
#: So many values of a JSON text show what it is.
_VALUES = 2_000
#: Headings of the judgments of a case that Quepid exports.
_EXPORT = frozenset(map(key, ("Team Name", "Case Name", "Case ID", "Rating")))
_JUDGED = re.compile(r"(?i)judg|label|qrel|(?<![a-z])rating|(?<!up|wn)grade|relev|annot|bewert|golden|标注|评分|評価")
_VOTE_KEYS = frozenset().union(
    *TIERS["votes"]["vote"][:2],
    *(tier for name in ("left", "right", "model_a", "model_b") for tier in TIERS["votes"][name]),
)


@frozen
class Understood:
    """How a source was understood, for users who want to check and correct it.

    ``format`` is a text to show ("CSV", "Excel workbook", ``NUMBERS``), ``encoding`` the encoding of a text ("" for
    binary formats), ``sheets`` of a workbook, ``members`` of an archive. ``headings`` are in the order of the source;
    ``columns`` are pairs of a meaning and its heading; ``words`` are the words used as grades, at most 50.
    ``unnamed``: the numbers beside documents of a JSON text have no name, and may be scores or grades.
    """

    format: str = ""
    encoding: str = ""
    sheets: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    unnamed: bool = False

    def with_grid(self, grid: Grid) -> Understood:
        """Return the same with what the columns mean, as a reader understood it."""
        named = tuple((meaning, heading) for meaning, heading in grid.called.items() if meaning in MEANING)
        format = grid.format if not self.sheets else self.format
        return replace(self, format=format or self.format, headings=grid.headings, columns=named, words=_words(grid))


@frozen
class Recognised:
    """The kind of a file, what has to be decided before it can be read, and what was understood of its format.

    ``kind`` is "numbers" for a file with one number on each line: scores or sizes of queries of a LETOR file.
    """

    kind: Kind | Literal["numbers"]
    choices: tuple[Choice, ...] = ()
    form: Understood = Understood()


def recognise(source: Any, *, limits: Limits = LIMITS, **how: Unpack[How]) -> Recognised:
    """Return what a file holds, judged by the first part of a text. ReadError where it is no table of any kind."""
    options = Options(**how)
    check_meanings(options.columns)
    document = open_document(source, limits, options)
    refuse_other_files(document)
    form, text = _understand(document)
    form = replace(form, members=understand(source, limits, options).members) if options.member else form
    if form.format == NUMBERS:
        return Recognised(NUMBERS, form=form)
    sample = text and _first_part(text)
    tried = _Attempts(sample or document, options, limits)
    if sample is not text and (models := tried.table("models")) and len(models.runs) == 1:
        tried.read_whole("models", document)  # another model may follow below the first
    if form.format == LETOR:
        error = tried.outcome("judgments").error
        if error is not None and not error.choices:
            raise error
        return Recognised("judgments", error.choices if error else (), form)
    grid = tried.outcome("judgments").grid
    form = replace(form, unnamed=grid is not None and grid.format == "JSON" and not grid.headings)
    return Recognised(*_kind_of(tried), form)


def understand(source: Any, limits: Limits, options: Options) -> Understood:
    """Return the form of a file: its format, encoding, sheets and members; unknown ones are empty."""
    form = Understood()
    with suppress(ReadError):
        form = _understand(open_document(source, limits, options))[0]
    with suppress(ReadError):
        packed = files.open_packed(source, limits, options)
        if packed.head.startswith(b"PK") and not files.is_office(packed):
            form = replace(form, format=form.format or "zip archive", members=files.member_names(packed))
    return form


def _understand(document: Document) -> tuple[Understood, Document | None]:
    """Return the form of a document, and its text in UTF-8; None for other formats."""
    form = files.form_of(document)
    if form == files.WORKBOOK:
        from rankdash.reading.workbook import sheet_names

        return Understood(form, sheets=sheet_names(document)), None
    if form:
        return Understood(form), None
    text = as_utf8(document)
    try:
        head = read_head(text)
    except NotUtf8Error as problem:
        text = guess_encoding(text, problem)
        head = read_head(text)
    if is_letor(head):
        return Understood(LETOR, text.encoding), text
    words = [line.split() for line in head.first]
    headed = len(words) > 1 and len(words[0]) == 1 and words[0][0].isidentifier()
    are_numbers = all(len(own) == 1 and is_number(own[0]) for own in words[int(headed) :])
    return Understood(NUMBERS if are_numbers else "text", text.encoding), text


def _first_part(document: Document) -> Document:
    """Return the document of the first whole lines of a large text, or of the first values of a large JSON text."""
    if document.whole:
        return document
    if document.head.lstrip()[:1] in (b"[", b"{"):
        with suppress(ValueError, RecursionError):
            return document.holding(json.dumps(_first_values(json.loads(document.content()))).encode())
    lines = document.head[: document.head.rfind(b"\n") + 1]
    return document.holding(lines) if lines else document


def _first_values(value: Any) -> Any:
    """Return the first values of a list or an object, and the last one, which shows a second model below the first."""
    if isinstance(value, list):
        return [*value[:_VALUES], *value[_VALUES:][-1:]]
    if isinstance(value, dict):
        members = _first_values([*value.items()])
        return {name: _first_values(inner) if isinstance(inner, list) else inner for name, inner in members}
    return value


class _Attempts:
    """A source, read as each kind of table when a rule first asks for it."""

    def __init__(self, document: Document, options: Options, limits: Limits) -> None:
        self._document, self._options, self._limits, self.name = document, options, limits, document.name
        self.chosen = frozenset(meaning for meaning, heading in options.columns.items() if heading)
        self._outcomes: dict[Kind, ReadOutcome] = {}

    def outcome(self, kind: Kind) -> ReadOutcome:
        """Return the outcome of reading the source as a kind of table."""
        if kind not in self._outcomes:
            self._outcomes[kind] = self._read(kind, self._document)
        return self._outcomes[kind]

    def read_whole(self, kind: Kind, document: Document) -> None:
        """Read a kind of table from the whole document, in place of its first part."""
        self._outcomes[kind] = self._read(kind, document)

    def _read(self, kind: Kind, document: Document) -> ReadOutcome:
        try:
            return build_as(kind, read_document(document, kind), self._options, self._limits, rows=_ROWS)
        except ReadError as error:
            if any(choice.option in ("sheet", "encoding") for choice in error.choices):
                raise
            return ReadOutcome(error=error)

    def table(self, kind: Kind) -> Any:
        """Return the table of a kind; None where the source cannot be read as one."""
        return self.outcome(kind).table

    def called(self, kind: Kind) -> Mapping[str, str]:
        """Return the headings by what they mean in a table of a kind; none without a header."""
        grid = self.outcome(kind).grid
        return grid.called if grid else {}

    def has(self, kind: Kind, *names: str) -> bool:
        """Return whether the source has one of some columns in a table of a kind."""
        grid = self.outcome(kind).grid
        return grid is not None and any(name in grid.columns for name in names)

    def choices(self, kind: Kind, option: str = "") -> tuple[Choice, ...]:
        """Return the choices that make the file readable as a kind, where nothing else is wrong with it."""
        error = self.outcome(kind).error
        if error is None or any(problem.choice is None for problem in error.problems):
            return ()
        if option == "columns" and len({problem.what for problem in error.problems}) > 1:
            return ()
        return tuple(choice for choice in error.choices if choice.option == (option or choice.option))


def _votes(tried: _Attempts) -> bool:
    """Return whether a heading means a vote or a side, or a rater of queries, or asks what is better, and votes can be
    read, perhaps once something is chosen.
    """
    grid = tried.outcome("judgments").grid or tried.outcome("votes").grid
    headings = {key(name) for name in grid.headings} if grid else set()
    rated = any(names_rater(own) or "better" in own for own in headings) and not means(headings, "run", "doc_id")
    can = tried.table("votes") is not None or bool(tried.choices("votes", "" if rated else "pair"))
    return can and bool(rated or headings & _VOTE_KEYS)


def _models(tried: _Attempts) -> bool:
    models = tried.table("models")
    # Where there are subtopics, rows repeat for these.
    asks = {own.key for own in tried.choices("run", "columns")} == {"model"} and not tried.has("judgments", "subtopic")
    may_be_grades = tried.table("judgments") is not None or bool(tried.choices("judgments", "grades"))
    asks = asks and (not may_be_grades or tried.has("run", "rank", "score"))
    return asks or (models is not None and len(models.runs) > 1)


def _export(tried: _Attempts) -> bool:
    """Return whether the table is an export of the judgments of a case of Quepid, which has positions too."""
    grid = tried.outcome("judgments").grid
    return bool(grid and _EXPORT.issubset(map(key, grid.headings)) and tried.table("judgments"))


def _items(tried: _Attempts) -> bool:
    """Return whether rows have facts of a document, or its title, and no row is about a query."""
    grid = tried.outcome("items").grid
    listed = grid is not None and (
        names_queries(grid.headings) or means(grid.headings, "run", "rank", "score", "relevance", "model")
    )
    named = key(tried.called("items").get("doc_id", "id")) != "id"  # which may be that of a query
    named = named or (tried.has("items", "title") and not tried.has("queries", "weight", "cluster"))
    told = ITEM_COLUMNS[1:] if _JUDGED.search(tried.name) else ("title", *ITEM_COLUMNS[1:])
    return named and not listed and tried.table("items") is not None and tried.has("items", *told)


def _ranked(tried: _Attempts) -> bool:
    """Return whether ranks or scores order lists. Small whole numbers that do not fall, and that can be read as
    judgments, are grades; the places of graded documents in a JSON list are not ranks.
    """
    run, judgments = tried.table("run"), tried.outcome("judgments").grid
    if run is None or not (run.ordered_by == "score" or tried.has("run", "rank", "score")):
        return False
    rank = tried.has("run", "relevance") and tried.called("run").get("rank")
    if rank and judgments and _graded(tried) and judgments.headings and rank not in judgments.headings:
        return False
    scores = None if run.ordered_by != "score" else as_numpy(run.array("score"))
    if scores is None or "score" in tried.chosen or "model" in tried.called("run") or not are_grades(scores):
        return True
    if tried.table("judgments") is None and not tried.choices("judgments", "columns"):
        return True
    if tried.table("judgments") is not None and _JUDGED.search(tried.name):
        return False
    own = tried.called("run").get("score") == tried.called("judgments").get("relevance", "")
    return not own and are_falling(Lists.of(codes(run.array("query_id"))), scores)


def _unordered(tried: _Attempts) -> bool:
    """Return whether lists need only a choice of the column of ranks or scores, whose numbers are not grades, or of the
    column of documents.
    """
    choices = tried.choices("run", "columns")
    keys = {choice.key for choice in choices}
    if keys == {"doc_id"} and means(choices[0].values, "run", "rank", "score"):
        named = {*map(key, choices[0].values)}
        # A search engine reports each query at its mean position; beside pages these are documents.
        is_report = "impressions" in named and not any("page" in own for own in named)
        return len(choices[0].values) > 2 and tried.table("votes") is None and not is_report
    if not keys or not keys <= {"rank", "score"}:
        return False
    judgments = tried.table("judgments")
    if judgments is None or "rank" not in keys:
        return judgments is None
    grades, query = (judgments.array(name) for name in ("relevance", "query_id"))
    return not are_grades(as_numpy(grades)) or are_falling(Lists.of(codes(query)), as_numpy(grades))


def _weighted(tried: _Attempts) -> bool:
    """Return whether a column of weights belongs to queries: each occurs once, with a text of its own, and without a
    document id.
    """
    queries, graded = tried.table("queries"), tried.called("judgments")
    if queries is None or queries.source.has("queries_repeat") or not tried.has("queries", "text"):
        return False
    differ = len(queries.table.column("text").unique()) == len(queries.table)
    has_id = any(key(graded.get("doc_id", "")) in tier for tier in TIERS["run"]["doc_id"][:2])
    return differ and not has_id and tried.called("queries").get("weight", "") == graded.get("relevance")


def _graded(tried: _Attempts) -> bool:
    return tried.has("judgments", "relevance") and (
        tried.table("judgments") is not None or (bool(tried.choices("judgments")) and tried.table("votes") is None)
    )


def _named_judgments(tried: _Attempts) -> bool:
    """Return whether a file named after judgments has numbers under an unknown heading, or any file has small ones
    under several, such as raters, or the word "relevant". The user then chooses the grades.
    """
    run = tried.table("run")
    codes = ("raters_beside", "numbers_beside")[: 2 if _JUDGED.search(tried.name) else 1]
    return run is not None and (
        any(map(run.source.has, codes))
        or any("relevant" in map(str.casefold, map(str, own.unique().to_pylist())) for own in run.table.columns[2:])
    )


def _texts(tried: _Attempts) -> bool:
    """Return whether there are texts and weights of queries, and not of documents in lists."""
    has_facts = tried.table("queries") is not None and tried.has("queries", "text", "weight", "cluster")
    return has_facts and key(tried.called("run").get("doc_id", "id")) == "id"


def _repeats(tried: _Attempts) -> bool:
    """Return whether most query ids repeat and the user can choose which columns are documents and grades."""
    grid = tried.outcome("queries").grid
    many = grid is not None and len(grid.columns) > 2 and 2 * len(grid.columns["query_id"].unique()) < grid.rows
    return many and bool(tried.choices("judgments"))


def _may_be_grades(tried: _Attempts) -> bool:
    """Return whether votes, most of them numbers, may be grades: query ids repeat, and no rater or side is named."""
    grid = tried.outcome("votes").grid
    if grid is None or "vote" not in grid.columns or tried.has("votes", "rater", "left", "model_a"):
        return False
    texts = {*texts_of(grid.columns["vote"])}
    return _repeats(tried) and 2 * sum(map(is_number, texts)) > len(texts)


#: In this order: the first that fits is it.
_RULES: tuple[tuple[Kind, Callable[[_Attempts], bool]], ...] = (
    ("votes", _votes),
    ("judgments", _export),
    ("run", _unordered),
    ("models", _models),
    ("items", _items),
    ("run", _ranked),
    ("queries", _weighted),
    ("judgments", _graded),
    ("judgments", _named_judgments),
    ("judgments", lambda tried: _texts(tried) and _repeats(tried)),
    ("queries", _texts),
    ("run", lambda tried: getattr(tried.table("run"), "ordered_by", "") == "position"),
    ("votes", lambda tried: tried.table("votes") is not None and not _may_be_grades(tried)),
)
#: The column by which a table of a kind is known, where its cells are wrong.
_MARKS: tuple[tuple[Kind, str], ...] = (
    ("models", "model"),
    ("run", "rank"),
    ("run", "score"),
    ("judgments", "relevance"),
    ("votes", "vote"),
    ("queries", "weight"),
)
#: Where the column may as well be one of judgments.
_DOUBTS: Mapping[str, Callable[[_Attempts], bool]] = {"votes": _may_be_grades, "queries": _repeats}
#: What can be read once something is decided.
_ASKING: tuple[tuple[Kind, str], ...] = (
    ("judgments", "columns"),
    ("judgments", "grades"),
    ("models", "columns"),
    ("run", "columns"),
    ("run", "member"),
    ("judgments", "member"),
)


def _kind_of(tried: _Attempts) -> tuple[Kind, tuple[Choice, ...]]:
    """Return the kind, and what has to be decided. ReadError where there is none."""
    for kind, fits in _RULES:
        if fits(tried):
            return kind, tried.choices(kind)
    _check_rows(tried)
    for kind, error in _marked(tried):
        return kind, error.choices
    _check_lists(tried)
    queries = tried.outcome("queries")
    are_facts = queries.table is not None and not means(queries.table.table.column_names, "run", "rank", "score")
    if are_facts and queries.table.table.column_names == ["query_id"] and queries.table.source.has("no_header"):
        are_facts = "quer" in tried.name.casefold()  # else any text of lines would be queries
    for kind, option in _ASKING:
        choices = tried.choices(kind, option)
        is_open = any(choice.option != "columns" or len(choice.values) > 1 for choice in choices)
        if is_open and not (are_facts and kind in ("models", "run")):
            return kind, choices
    if are_facts:
        kind = "judgments" if _repeats(tried) else "queries"
        return kind, tried.choices(kind)
    tried.outcome("run").result()
    return "run", ()


def _marked(tried: _Attempts) -> Iterator[tuple[Kind, ReadError]]:
    """Yield the kinds whose column is there with cells that are wrong, and the errors."""
    for kind, column in _MARKS:
        error = tried.outcome(kind).error
        are_cells = error is not None and all(problem.column is not None for problem in error.problems)
        is_doubtful = are_cells and kind in _DOUBTS and _DOUBTS[kind](tried)
        if error and are_cells and column in tried.called(kind) and not is_doubtful:
            yield kind, error


def _check_rows(tried: _Attempts) -> None:
    """Raise the error of a table whose rows do not fit its header, rather than ask about its columns."""
    for kind in TIERS:
        broken = tried.outcome(kind).error
        if broken and all(problem.code == "malformed" and problem.row is not None for problem in broken.problems):
            raise broken


def _check_lists(tried: _Attempts) -> None:
    """Raise the error of lists with a row that is wrong, or with a list in a cell: what has ranks or scores, or several
    documents in a row, is not asked for its grades.
    """
    asked, error = tried.choices("judgments", "columns"), tried.outcome("run").error
    in_cells = error is not None and error.problems[0].code == "unsupported"
    if in_cells or (any(means(choice.values, "run", "rank", "score") for choice in asked) and not tried.choices("run")):
        tried.outcome("run").result()


def _words(grid: Grid) -> tuple[str, ...]:
    """Return the words of the column of grades that are no numbers, in order of appearance."""
    column = grid.columns.get("relevance")
    if column is None or not str(column.type).startswith(("string", "large_string", "dictionary")):
        return ()
    words = [word for word in dict.fromkeys(texts_of(column)) if not (is_number(word) or is_blank(word))]
    return tuple(words[:MAX_WORDS])
