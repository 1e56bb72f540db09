"""A JSON text, read a block at a time: its values, and the members of those that are too large to be held whole."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import IO, Any, Final

from rankdash.reading.json.prefix import begun
from rankdash.reading.source.blocks import BLOCK
from rankdash.reading.source.document import Document
from rankdash.reading.source.encodings import not_utf8
from rankdash.reading.source.limits import megabytes
from rankdash.reading.source.problems import Code, NotUtf8Error, Problem, ReadError, refuse

_WHOLE = 1 << 21  # smaller texts are loaded as a whole
_BEGINNING = 1 << 16  # letters that show what a value is
_NEAR = 12  # a literal that is cut off begins so near the end
_SPACE = " \t\n\r"
_CORRECT = "JSON has double quotes around every text, no comments, and no comma before a closing bracket."
_DEEPEST = 64


class Large:
    """Marks a value that is too large for memory: the reader enters or skips it."""


LARGE: Final = Large()


class JsonText:
    """A position in a JSON text. Numbers are not converted.

    ``twice`` counts names that are repeated in an object; the first of each is read. ``damage`` is how a problem
    describes a text that cannot be read.
    """

    def __init__(self, document: Document, stream: IO[bytes]) -> None:
        self._document, self._stream = document, stream
        self._letters = codecs.getincrementaldecoder("utf-8-sig")("strict")
        self._text, self._at, self._ended = "", 0, False
        self._row, self._column = 1, 0  # of the first letter in memory
        self._counted, self._lines = 0, 0  # line ends before a place in the text in memory
        self.twice = 0
        self.damage = "the JSON text is damaged"
        kept: Any = {"parse_int": str, "parse_float": str, "parse_constant": str}
        self._scan = json.JSONDecoder(object_pairs_hook=self._object, **kept).raw_decode

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            self.twice += len(pairs) - len(result)
            return dict(reversed(pairs))
        return result

    def row(self) -> int:
        """Return the line of the position."""
        self._lines += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._row + self._lines

    def peek(self) -> str:
        """Return the next letter that is no white space; "" at the end."""
        while True:
            text, at, size = self._text, self._at, len(self._text)
            while at < size and text[at] in _SPACE:
                at += 1
            self._at = at
            if at < size:
                return text[at]
            if self._ended:
                return ""
            self._more()

    def value(self) -> Any:
        """Return the value at the position. ReadError where it is damaged, or larger than one object may be."""
        result = self._try(self._document.limits.line)
        if result is LARGE:
            most = megabytes(self._document.limits.line)
            what = f"a single value has more than {most}"
            raise self._problem("too_large", what, f"At most {most} are read in one object.")
        return result

    def whole(self) -> Any:
        """Return the value that begins here, LARGE where it takes more than 2 MB and is not one line among others."""
        result = self._try(_WHOLE)
        if result is not LARGE or "\n" in self._text[self._at :]:
            return result
        while not self._ended and len(self._text) - self._at < self._document.limits.line:
            self._more()
            if "\n" in self._text[self._at :].rstrip():
                return self.value()
        return result

    def beginning(self) -> Any:
        """Return the beginning of the large value at the position, with every bracket closed; None where that shows
        nothing.
        """
        return begun(self._text[self._at : self._at + _BEGINNING].encode("utf-8", "replace"))

    def _try(self, most: int) -> Any:
        self.peek()
        twice = self.twice
        while True:
            self.twice = twice
            try:
                value, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as problem:
                error = problem
            except RecursionError:
                raise self._problem("malformed", "the JSON text is nested too deeply", "") from None
            else:
                if end < len(self._text) or self._ended:
                    self._at = end
                    return value
                error = json.JSONDecodeError("", self._text, end)
            cut = error.pos >= len(self._text) - _NEAR or error.msg.startswith("Unterminated string")
            if not cut or self._ended:
                raise self._damage(error)
            if len(self._text) - self._at > most:
                return LARGE
            self._more()

    def lines(self) -> list[Any]:
        """Return the values of the whole lines in memory if each line has exactly one; else nothing, and the position
        stays.
        """
        end = self._text.rfind("\n")
        if end <= self._at:
            return []
        text, twice = self._text[self._at : end], self.twice
        try:
            values, last = self._scan(f"[{text.replace(chr(10), ',')}]", 0)
        except (ValueError, RecursionError):
            values, last = [], 0
        if last != len(text) + 2 or len(values) != text.count("\n") + 1:
            self.twice = twice
            return []
        self._at = end + 1
        return list(values)

    def enter(self) -> str:
        """Go into the array or object that begins here; "[" or "{"."""
        bracket = self.peek()
        self._at += 1
        return bracket

    def items(self) -> Iterator[int]:
        """Yield the number, from 1, of each item of an array that was entered. The position is then at that item,
        which is to be read next.
        """
        number = 0
        while self.peek() != "]" or number:
            number += 1
            yield number
            if not self._goes_on("]"):
                return
        self._at += 1

    def members(self) -> Iterator[str]:
        """Yield each name in an object that was entered. The position is then at its value, to be read next."""
        started = False
        while self.peek() != "}" or started:
            started = True
            if self.peek() != '"':
                raise self._damage(self._error("Expecting property name enclosed in double quotes"))
            name = self._name()
            if self.peek() != ":":
                raise self._damage(self._error("Expecting ':' delimiter"))
            self._at += 1
            yield name
            if not self._goes_on("}"):
                return
        self._at += 1

    def skip(self, depth: int = 0) -> None:
        """Go behind the value that begins here, however large it is."""
        if self._try(_WHOLE) is not LARGE:
            return
        if self.peek() not in "[{" or depth > _DEEPEST:
            self.value()
        elif self.enter() == "[":
            for _ in self.items():
                self.skip(depth + 1)
        else:
            for _ in self.members():
                self.skip(depth + 1)

    def next_line(self, row: int) -> None:
        """Go behind the end of a line."""
        while self.row() <= row and self.peek():
            at = self._text.find("\n", self._at)
            self._at = len(self._text) if at < 0 else at + 1

    def _goes_on(self, bracket: str) -> bool:
        """Return whether a comma follows; else the closing bracket does."""
        sign = self.peek()
        if sign != "," and sign != bracket:
            raise self._damage(self._error("Expecting ',' delimiter"))
        self._at += 1
        return sign == ","

    def _name(self) -> str:
        while True:
            try:
                name, end = self._scan(self._text, self._at)
            except json.JSONDecodeError as error:
                if self._ended or len(self._text) - self._at > self._document.limits.cell:
                    raise self._damage(error) from None
            else:
                self._at = end
                return str(name)
            self._more()

    def _more(self) -> None:
        """Discard what was read, and load as much as the rest, at least one block."""
        before = self._text[: self._at]
        lines = before.count("\n")
        self._row += lines
        self._column = len(before) - before.rfind("\n") - 1 if lines else self._column + len(before)
        block = self._stream.read(max(BLOCK, len(self._text) - self._at))
        self._ended = not block
        try:
            text = self._letters.decode(bytes(block), self._ended)
        except UnicodeDecodeError:
            row = self._document.first_row_not_utf8() or 1
            raise NotUtf8Error((not_utf8(self._document, row),)) from None
        self._text, self._at = self._text[self._at :] + text, 0
        self._counted = self._lines = 0

    def _error(self, what: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(what, self._text, self._at)

    def _damage(self, error: json.JSONDecodeError) -> ReadError:
        column = error.colno + (self._column if error.lineno == 1 else 0)
        what = f"{self.damage} ({error.msg}, column {column})"
        row = self._row + error.lineno - 1
        return ReadError((Problem("malformed", self._document.name, what, row, allowed=_CORRECT),))

    def _problem(self, code: Code, what: str, allowed: str) -> ReadError:
        return refuse(code, self._document.name, what, allowed)
