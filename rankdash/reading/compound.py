"""How far the sheets of an old workbook (.xls) reach, told before a library makes room for all of it.

One cell in the last row and column that a record can name would be a table of four billion cells.
Source: the Compound File Binary format and the Excel binary format, as Microsoft publishes them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

_END = 0xFFFFFFFA  # this and above are no sectors
_STREAMS = ("workbook", "book")
_BEGIN, _SHEET_END = (0x0809, 0x0409, 0x0209, 0x0009), 0x000A
#: Records of cells: row and column are their first two numbers.
_CELLS = frozenset((0x0001, 0x0002, 0x0003, 0x0004, 0x0005, 0x0006, 0x007E, 0x00BD, 0x00BE, 0x00D6, 0x00FD))
_CELLS |= frozenset((0x0201, 0x0202, 0x0203, 0x0204, 0x0205, 0x0206, 0x0207, 0x027E, 0x0406))
_HEADER = 512


class CompoundError(ValueError):
    """The file is no compound file, or damaged."""


def cells_of(content: bytes) -> int:
    """How many cells the sheets reach over together. CompoundError where the file is damaged."""
    try:
        return sum(_reach(stream) for stream in _streams(content))
    except (struct.error, IndexError, UnicodeDecodeError, ValueError) as error:
        raise CompoundError(str(error) or "it ends too early") from None


def _streams(content: bytes) -> Iterator[bytes]:
    """The streams that a workbook may be in."""
    shift, mini_shift = struct.unpack_from("<HH", content, 30)
    if shift not in (9, 12) or mini_shift != 6:
        raise CompoundError("its sectors have no usual size")
    size = 1 << shift
    tables, first = struct.unpack_from("<I", content, 44)[0], struct.unpack_from("<I", content, 48)[0]
    cutoff, mini_table, _, more, _ = struct.unpack_from("<IIIII", content, 56)
    places = [place for place in struct.unpack_from("<109I", content, 76) if place < _END]
    while more < _END and len(places) <= tables:
        sector = struct.unpack(f"<{size // 4}I", _sector(content, more, size))
        places += [place for place in sector[:-1] if place < _END]
        more = sector[-1]
    table = np.frombuffer(b"".join(_sector(content, place, size) for place in places), "<u4")
    folder = _chain(content, table, first, size)
    entries = [folder[at : at + 128] for at in range(0, len(folder) - 127, 128)]
    root = entries[0]
    mini = _chain(content, table, struct.unpack_from("<I", root, 116)[0], size)
    mini_fat = np.frombuffer(_chain(content, table, mini_table, size), "<u4")
    for entry in entries:
        length = struct.unpack_from("<H", entry, 64)[0]
        if entry[: max(length - 2, 0)].decode("utf-16-le", "replace").casefold() in _STREAMS:
            start, long = struct.unpack_from("<IQ", entry, 116)
            short = long < cutoff
            yield _chain(mini, mini_fat, start, 64, 0) if short else _chain(content, table, start, size)


def _sector(content: bytes, place: int, size: int) -> bytes:
    start = max(size, _HEADER) + place * size
    return content[start : start + size]


def _chain(content: bytes, table: np.ndarray, start: int, size: int, above: int | None = None) -> bytes:
    """The sectors of one stream, each at most once."""
    parts: list[bytes] = []
    before = max(size, _HEADER) if above is None else above
    while start < _END:
        if start >= len(table) or len(parts) > len(table):
            raise CompoundError("a chain of sectors leads nowhere")
        parts.append(content[before + start * size : before + (start + 1) * size])
        start = int(table[start])
    return b"".join(parts)


def _reach(stream: bytes) -> int:
    """Rows times columns of each sheet, all together."""
    total = at = rows = columns = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        if kind in _CELLS and length >= 4:
            row, column = struct.unpack_from("<HH", stream, at + 4)
            if kind in (0x00BD, 0x00BE) and length >= 6:
                column = max(column, struct.unpack_from("<H", stream, at + 2 + length)[0])
            rows, columns = max(rows, row + 1), max(columns, column + 1)
        elif kind == _SHEET_END or kind in _BEGIN:
            total += rows * columns
            rows = columns = 0
        at += 4 + length
    return total + rows * columns
