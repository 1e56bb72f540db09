"""Problems of a source: for programs a code, for people one sentence with place, content, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from rankdash.notes import Advice, Medium, phrase, printable
from rankdash.records import frozen

#: Problems are shown together, but not more than this many.
SHOWN = 20

#: The codes of problems, for programs.
Code = Literal[
    "bad_encoding",  # the text is not in the encoding that it was read as
    "bad_option",  # a decision of the caller does not fit the source: a sheet or column that is not there
    "bad_value",  # a cell, or a whole column, does not hold what its column takes
    "empty",  # there is no row, or none that counts
    "malformed",  # the text or record breaks the rules of its format
    "missing_column",  # no column has a meaning that is needed
    "missing_value",  # a cell that is needed is empty
    "other_kind",  # a table, but of another kind than the one that was asked for
    "too_large",  # a limit of size, number, time or memory is exceeded
    "unclear",  # there are several ways to read it, and the caller has to choose
    "unreadable",  # the source cannot be opened: it is damaged, protected or not there
    "unsupported",  # the format is known, and is not read
]


@frozen
class Choice:
    """A decision that a source needs: the field of Options, the key in it if it is a mapping, and the possible values.

    A page offers ``values`` and reads again; at a shell it is ``--option``.
    """

    option: str
    values: tuple[str, ...]
    key: str = ""


@frozen
class Problem:
    """One problem of a source. ``str()`` is the whole text, which names arguments of the API.

    ``code`` is a ``Code``. ``row`` counts as in the file, ``column`` is the heading, ``found`` the content.
    ``what`` ends the sentence that begins with place and content ("is not a number"). ``allowed`` says what would be
    accepted or what to do. ``choice`` is the decision that would help, if there is one.
    """

    code: Code
    file: str
    what: str
    row: int | None = None
    column: str | None = None
    found: str | None = None
    allowed: str | Advice = ""
    choice: Choice | None = None

    def __str__(self) -> str:
        return self.phrase("api")

    def phrase(self, medium: Medium, *, named: bool = True) -> str:
        """Return the whole text for a medium; without the name of the file where that is shown beside it."""
        row = [] if self.row is None else [f"row {self.row}"]
        column = [] if self.column is None else [f'column "{printable(self.column)}"']
        place = ", ".join([*([printable(self.file)] if named else []), *row, *column])
        content = "" if self.found is None else f'"{printable(self.found)}" '
        text = f"{content}{self.what}. {phrase(self.allowed, medium)}".rstrip()
        return f"{place}: {text}" if place else text


class ReadError(ValueError):
    """A source cannot be read as what it was given for.

    ``problems`` are the first 20 problems, ``count`` is the number of all. ``str()`` is one line per problem, which
    names arguments of the API; ``lines("shell")`` names the options of the command line. ``reader`` is the function
    that takes these arguments, where another one was called.
    """

    def __init__(self, problems: Sequence[Problem], count: int | None = None, reader: str = "") -> None:
        self.problems = tuple(problems[:SHOWN])
        self.count = len(problems) if count is None else count
        self.reader = reader
        super().__init__(self.problems, self.count, reader)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions that the source leaves open, without repetition."""
        return tuple(dict.fromkeys(problem.choice for problem in self.problems if problem.choice is not None))

    def __str__(self) -> str:
        return "\n".join(self.lines("api"))

    def lines(self, medium: Medium, shown: str = "") -> list[str]:
        """Return one line per problem, phrased for a medium; without the name of the file that is ``shown`` beside it.
        Equal contents of a column have one line.
        """
        first: dict[object, str] = {}
        for own in self.problems:
            first.setdefault((own.file, own.column, own.what, own.found), own.phrase(medium, named=own.file != shown))
        lines, more = [*first.values()], self.count - len(first)
        if more:
            many = f"and {more:,} more {'problem' if more == 1 else 'problems'}."
            lines.append(many if shown else f"{self.problems[0].file}: {many}")
        arguments = (own.allowed.argument for own in self.problems if isinstance(own.allowed, Advice))
        taken = dict.fromkeys(filter(None, arguments))
        if medium == "api" and self.reader and taken:
            named = " and ".join(f"{argument}=" for argument in taken)
            lines.append(f"rankdash.{self.reader} takes {named}: give what it returns.")
        return lines


class LimitError(ReadError):
    """The source is larger than the limits. No other way of reading it will help."""


class NotUtf8Error(ReadError):
    """The text is not UTF-8. Another encoding may read it."""


def refuse(
    code: Code, file: str, what: str, allowed: str | Advice = "", choice: Choice | None = None, **place: Any
) -> ReadError:
    """Return the error for a source that is wrong as a whole, or in one ``place``: row, column, what was found."""
    return ReadError((Problem(code, file, what, allowed=allowed, choice=choice, **place),))


def damaged(file: str, what: str, error: BaseException, do: str) -> ReadError:
    """Return the error for a source that cannot be opened; an EOFError means that its end is missing."""
    first = [*str(error).splitlines(), type(error).__name__][0][:100]
    is_cut = isinstance(error, EOFError) or first.startswith(("Truncated compressed", "Expected to "))  # of Arrow
    how = "ends too early" if is_cut else f"is damaged ({first})"
    return refuse("unreadable", file, f"the {what} {how}", do)


def exceed(file: str, what: str, allowed: str, row: int | None = None) -> LimitError:
    """Return the error for a source beyond the limits."""
    return LimitError((Problem("too_large", file, what, row=row, allowed=allowed),))


def too_many(file: str, number: int, things: str, most: int) -> LimitError:
    """Return the error for a source with more rows, columns or the like than are read."""
    return exceed(file, f"there are {number:,} {things}", f"At most {most:,} are read.")
