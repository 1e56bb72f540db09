"""What a file holds, by trying: a run, judgments, both models, votes, queries, or numbers beside a LETOR file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack

from rankdash.reading.grid import Grid
from rankdash.reading.headings import MEANING, TIERS, Kind, check_meanings, key
from rankdash.reading.letor import is_letor, read_numbers
from rankdash.reading.problems import Choice, ReadError
from rankdash.reading.readers import How, ReadOutcome, Request, read_document
from rankdash.reading.source import (
    LIMITS,
    Document,
    Limits,
    Options,
    as_utf8,
    guess_encoding,
    mark_of,
    member_names,
    open_document,
)
from rankdash.reading.text import read_head
from rankdash.reading.values import is_blank_number, is_number, texts_of

LETOR = "LETOR"
NUMBERS: Literal["numbers"] = "numbers"
#: So many rows show what a table is.
_ROWS = 20_000
_MOST_WORDS = 50
#: In the order in which they are tried.
KINDS: tuple[Kind, ...] = ("votes", "models", "run", "judgments", "queries")
_VOTE_KEYS = frozenset().union(
    *TIERS["votes"]["vote"][:2],
    *(tier for name in ("left", "right", "model_a", "model_b") for tier in TIERS["votes"][name]),
)


@dataclass(frozen=True)
class Understood:
    """How a source was understood, for people who want to check it, and correct it.

    ``format`` is for people ("CSV", "Excel workbook", ``NUMBERS``), ``encoding`` that of its text ("" for binary
    formats), ``sheets`` those of a workbook, ``members`` those of an archive. ``headings`` are in the order of the
    source; ``columns`` are pairs of a meaning and the heading read as it; ``words`` are the words used as grades, at
    most 50.
    """

    format: str = ""
    encoding: str = ""
    sheets: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()

    def with_grid(self, grid: Grid) -> Understood:
        """Return the same with what the columns mean, as a reader understood it."""
        named = tuple((meaning, heading) for meaning, heading in grid.called.items() if meaning in MEANING)
        format = grid.format if not self.sheets else self.format
        return replace(self, format=format or self.format, headings=grid.headings, columns=named, words=_words(grid))


@dataclass(frozen=True)
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
    form, text = _understand(document)
    if form.format == NUMBERS:
        return Recognised(NUMBERS, form=form)
    tried = _Attempts(text or document, options, limits)
    if form.format == LETOR:
        error = tried.outcome("judgments").error
        if error is not None and not any(problem.advice == "give_groups" for problem in error.problems):
            raise error
        return Recognised("judgments", (Choice("groups", ()),) if error else (), form)
    return Recognised(*_kind_of(tried), form)


def understand(source: Any, limits: Limits, options: Options) -> Understood:
    """Return the form of a file: its format, encoding, sheets and members. What cannot be told stays empty."""
    with suppress(ReadError):
        return _understand(open_document(source, limits, options))[0]
    with suppress(ReadError):  # an archive of several files
        return Understood("zip archive", members=member_names(open_archive_of(source, limits, options)))
    return Understood()


def open_archive_of(source: Any, limits: Limits, options: Options) -> Document:
    """Return the document of an archive itself, in place of a file in it."""
    from rankdash.reading import source as bytes_

    if isinstance(source, (str, bytes)) and not isinstance(source, bytes):
        return bytes_._from_path(source, limits, options)
    return bytes_._from_memory(source, limits, options)


def _understand(document: Document) -> tuple[Understood, Document | None]:
    """Return the form of a document, and the first part of its text in UTF-8; None for other formats."""
    from rankdash.reading import workbook

    if workbook.is_workbook(document):
        return Understood("Excel workbook", sheets=workbook.sheet_names(document)), None
    if document.head.startswith((b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff")):
        return Understood("Parquet" if document.head.startswith(b"PAR1") else "Arrow"), None
    encoding = document.options.encoding or mark_of(document.head).upper() or "UTF-8"
    text = as_utf8(document)
    try:
        head = read_head(text)
    except ReadError as problem:
        from rankdash.reading.problems import NotUtf8Error

        if not isinstance(problem, NotUtf8Error):
            raise
        text = guess_encoding(text, problem)
        guess = next(note for note in text.notes if note.code == "encoding_guessed")
        encoding = str(dict(getattr(guess.text, "facts", ())).get("encoding", ""))
        head = read_head(text)
    sample = _first_part(text)
    if is_letor(head):
        return Understood(LETOR, encoding), sample
    words = [line.split() for line in head.first]
    headed = len(words) > 1 and len(words[0]) == 1 and words[0][0].isidentifier()
    if all(len(own) == 1 and is_number(own[0]) for own in words[int(headed) :]):
        return Understood(NUMBERS, encoding), sample
    return Understood("text", encoding), sample


def _first_part(document: Document) -> Document:
    """Return the document of the first whole lines of a large text; a JSON text as it is."""
    if document.whole or document.head.lstrip()[:1] in (b"[", b"{"):
        return document
    lines = document.head[: document.head.rfind(b"\n") + 1]
    return document.holding(lines) if lines else document


class _Attempts:
    """A source, read as each kind of table when a rule first asks for it."""

    def __init__(self, document: Document, options: Options, limits: Limits) -> None:
        self._document, self._options, self._limits = document, options, limits
        self._outcomes: dict[Kind, ReadOutcome] = {}

    def outcome(self, kind: Kind) -> ReadOutcome:
        """Return the outcome of reading the source as a kind of table."""
        if kind not in self._outcomes:
            request = Request(kind, self._options, self._limits, rows=_ROWS)
            try:
                self._outcomes[kind] = request.build(read_document(self._document, kind))
            except ReadError as error:
                if any(choice.option in ("sheet", "encoding") for choice in error.choices):
                    raise
                self._outcomes[kind] = ReadOutcome(error=error)
        return self._outcomes[kind]

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

    def choices(self, kind: Kind) -> tuple[Choice, ...]:
        """Return the choices that make the file readable as a kind, where nothing else is wrong with it."""
        error = self.outcome(kind).error
        if error is None or any(problem.choice is None for problem in error.problems):
            return ()
        return error.choices


def _votes(tried: _Attempts) -> bool:
    headings = {key(name) for kind in KINDS if (grid := tried.outcome(kind).grid) for name in grid.headings}
    asks = any(choice.option == "pair" for choice in tried.choices("votes"))
    return bool(headings & _VOTE_KEYS) and (tried.table("votes") is not None or asks)


def _models(tried: _Attempts) -> bool:
    models = tried.table("models")
    return models is not None and len(models.runs) > 1


def _ranked(tried: _Attempts) -> bool:
    return tried.table("run") is not None and tried.has("run", "rank", "score")


def _graded(tried: _Attempts) -> bool:
    return tried.table("judgments") is not None and tried.has("judgments", "relevance")


def _facts(tried: _Attempts) -> bool:
    return tried.table("queries") is not None and tried.has("queries", "text", "weight", "cluster")


def _alone(kind: Kind) -> Callable[[_Attempts], bool]:
    return lambda tried: tried.table(kind) is not None


#: In this order: the first that fits is it.
_RULES: tuple[tuple[Kind, Callable[[_Attempts], bool]], ...] = (
    ("votes", _votes),
    ("models", _models),
    ("run", _ranked),
    ("judgments", _graded),
    ("queries", _facts),
    ("run", _alone("run")),
    ("votes", _alone("votes")),
    ("queries", _alone("queries")),
    ("judgments", _alone("judgments")),
)


def _kind_of(tried: _Attempts) -> tuple[Kind, tuple[Choice, ...]]:
    """Return the kind, and what has to be decided. ReadError where there is none."""
    for kind, fits in _RULES:
        if fits(tried):
            return kind, tried.choices(kind)
    for kind in ("votes", "judgments", "run", "models"):
        marks = {"votes": "vote", "judgments": "relevance", "run": "rank", "models": "model"}
        named = marks[kind] in tried.called(kind) or (kind == "run" and "score" in tried.called("run"))
        if named:
            return kind, tried.choices(kind)
    for kind in ("run", "judgments", "models", "votes"):
        if tried.choices(kind):
            return kind, tried.choices(kind)
    tried.outcome("run").result()
    return "run", ()


def _words(grid: Grid) -> tuple[str, ...]:
    """Return the words of the column of grades that are no numbers, in order of appearance."""
    column = grid.columns.get("relevance")
    if column is None or not str(column.type).startswith(("string", "large_string", "dictionary")):
        return ()
    words = dict.fromkeys(texts_of(column))
    return tuple(word for word in words if not is_number(word) and not is_blank_number(word))[:_MOST_WORDS]


__all__ = ["KINDS", "LETOR", "NUMBERS", "Recognised", "Understood", "read_numbers", "recognise", "understand"]
