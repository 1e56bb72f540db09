"""What a Parquet file says of itself: rows, and the size of each column. Read here, because pyarrow 26 ends the whole
process where the statistics of a column chunk are damaged (``RowGroupMetaData.column``).

Source: the Thrift compact protocol, and parquet.thrift of the Parquet format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rankdash.reading.source.document import Document

_LARGEST = 1 << 26
_DEEPEST = 24
_BOOLEANS = (1, 2)


class FooterError(ValueError):
    """The end of the file is damaged."""


@dataclass
class Column:
    """The sums over all chunks of one column, lists and structs with all their leaves."""

    values: int = 0
    size: int = 0


@dataclass(frozen=True)
class Footer:
    """Rows, leaves, the most values of a leaf, and columns by name."""

    rows: int
    leaves: int
    longest: int
    columns: dict[str, Column] = field(default_factory=dict)


class _Reader:
    """Thrift's compact protocol: structs are dicts by field number."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0
        self._kinds: dict[int, Callable[[int], Any]] = {
            1: lambda depth: True,
            2: lambda depth: False,
            3: lambda depth: self._byte(),
            4: lambda depth: self._signed(),
            5: lambda depth: self._signed(),
            6: lambda depth: self._signed(),
            7: lambda depth: self._bytes(8),
            8: lambda depth: self._bytes(self._unsigned()),
            9: self._list,
            10: self._list,
            11: self._map,
            12: self.struct,
        }

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the fields of one struct."""
        result: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            result[number] = self._value(head & 15, depth + 1)
        return result

    def _value(self, kind: int, depth: int) -> Any:
        if kind not in self._kinds or depth > _DEEPEST:
            raise FooterError("it is no Thrift")
        return self._kinds[kind](depth)

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size, kind = head >> 4, head & 15
        size = self._unsigned() if size == 15 else size
        return [self._byte() if kind in _BOOLEANS else self._value(kind, depth + 1) for _ in range(self._fits(size))]

    def _map(self, depth: int) -> None:
        size = self._fits(self._unsigned())
        kinds = self._byte() if size else 0
        for _ in range(size):
            self._value(kinds >> 4, depth + 1)
            self._value(kinds & 15, depth + 1)

    def _fits(self, size: int) -> int:
        if size > len(self._content) - self._at:
            raise FooterError("it ends too early")
        return size

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, size: int) -> bytes:
        result = self._content[self._at : self._at + self._fits(size)]
        self._at += size
        return result

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise FooterError("a number is too long")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)


def _size(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise FooterError("a size is no number")
    return value


def footer_of(document: Document) -> Footer:
    """Return rows and columns of a Parquet file. FooterError where its end is damaged."""
    if document.size < 12:
        raise FooterError("the file is too short")
    end = bytes(document.content(document.size - 8, document.size))
    length = int.from_bytes(end[:4], "little")
    if end[4:] != b"PAR1" or length > min(_LARGEST, document.size - 8):
        raise FooterError("the file is cut off")
    footer = _Reader(bytes(document.content(document.size - 8 - length, document.size - 8))).struct()
    columns: dict[str, Column] = {}
    leaves, values = 0, Counter[tuple[bytes, ...]]()
    try:
        groups = footer[4]
        for group in groups:
            leaves = max(leaves, len(group[1]))
            for chunk in group[1]:
                meta = chunk[3]
                column = columns.setdefault(meta[3][0].decode("utf-8", "replace"), Column())
                column.values += _size(meta[5])
                values[tuple(meta[3])] += meta[5]
                column.size += _size(meta[6])
        return Footer(_size(footer[3]), leaves, max(values.values(), default=0), columns)
    except (KeyError, IndexError, TypeError, AttributeError):
        raise FooterError("something is missing at its end") from None
