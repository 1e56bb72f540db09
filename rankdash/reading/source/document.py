"""A source as one stream of bytes: a path, bytes or a binary file; unpacked, limited, with its digest.

It knows nothing of tables. A file given by its path is never loaded as a whole: it is read block by block, as often as
necessary.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.source.blocks import BLOCK, Blocks, said_size, streamed, unpacked, with_whole_lines
from rankdash.reading.source.limits import Limits, may_unpack, megabytes
from rankdash.reading.source.options import OPTIONS, Options
from rankdash.reading.source.problems import LimitError, Problem, refuse
from rankdash.reading.source.signatures import signature_of
from rankdash.strings.quoting import whole_text

_HEAD = 1 << 18
#: What is said of more bytes in memory than may be: a file may have more.
_IN_MEMORY = "At most {limit} are read here; larger files are compared at a shell: rankdash A B -q Q."
_NEAR = 1 << 12
_KEPT = 1 << 26
#: The bytes that end a line.
LINE_ENDS = np.zeros(256, bool)
LINE_ENDS[[10, 13]] = True


@dataclass(frozen=True)
class TextPiece:
    """Whole lines of a text: the bytes from ``start`` to ``end``, and what gives them."""

    start: int
    end: int
    content: Callable[[], pa.Buffer]


@dataclass(frozen=True)
class Document:
    """The unpacked bytes of one source.

    ``name`` is the file name as shown to people, ``head`` the first bytes (at most 256 kB). ``digest`` returns the
    SHA-256 of the bytes as given, before unpacking; it waits until that is computed. The bytes are those of the file at
    ``path``, or ``data`` in memory, or the blocks that ``again`` returns at each call. ``above`` is the number of lines
    at the top that are not part of the table. ``delimiter`` separates cells, "" where it is not known yet.
    """

    name: str
    size: int
    head: bytes
    limits: Limits
    digest: Callable[[], str]
    path: str | None = None
    data: pa.Buffer | None = field(default=None, repr=False)
    again: Callable[[], Blocks] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    options: Options = OPTIONS
    above: int = 0
    delimiter: str = ""

    def stream(self) -> pa.NativeFile | IO[bytes]:
        """Return a new stream over all bytes."""
        if self.again is not None:
            return streamed(self.again())
        return pa.OSFile(self.path) if self.path is not None else pa.BufferReader(self.data)

    def pieces(self, size: int = BLOCK) -> Iterator[TextPiece]:
        """Yield pieces of whole lines, about ``size`` bytes each; the last may lack its line end.

        ReadError where a line is longer than the limits.
        """
        end = b"\r" if b"\r" in self.head and b"\n" not in self.head else b"\n"
        if self.again is None:
            yield from self._placed(size, end)
            return
        start = 0
        for block, good in with_whole_lines(self.again(), size, end, self.limits.line):
            if not good:
                raise self._too_long(start, end)
            buffer = pa.py_buffer(block)
            yield TextPiece(start, start + len(block), lambda buffer=buffer: buffer)  # type: ignore[misc]
            start += len(block)

    def _placed(self, size: int, line_end: bytes) -> Iterator[TextPiece]:
        """Yield pieces, each of which is read when it is needed."""
        start = 0
        with self.stream() as stream:
            while start < self.size:
                end = min(start + size, self.size)
                while end < self.size:
                    stream.seek(end)
                    near = bytes(stream.read(_NEAR))
                    place = near.find(line_end)
                    end += place + 1 if place >= 0 else len(near)
                    if place >= 0:
                        break
                    if end - start > size + self.limits.line:
                        raise self._too_long(start, line_end)
                yield TextPiece(start, end, partial(self.content, start, end))
                start = end

    def _too_long(self, start: int, line_end: bytes) -> LimitError:
        """Return the error for the first line after ``start`` that is longer than the limit."""
        row, done = 1, 0
        with self.stream() as stream:
            while done <= start + self.limits.line and (block := stream.read(BLOCK)):
                row += block.count(line_end)
                done += len(block)
        most = megabytes(self.limits.line)
        allowed = "Give one row on each line, and see whether this is a table at all."
        return LimitError(
            (Problem("too_large", self.name, f"this line has more than {most}, the limit", row, allowed=allowed),)
        )

    def content(self, start: int, end: int) -> pa.Buffer:
        """Return the bytes from ``start`` to ``end``."""
        if self.data is not None:
            return self.data.slice(start, end - start)
        with self.stream() as stream:
            if self.again is None:
                stream.seek(start)
                return pa.py_buffer(stream.read(end - start))
            while start > 0 and (block := stream.read(min(start, BLOCK))):
                start, end = start - len(block), end - len(block)
            return pa.py_buffer(stream.read(end))

    def held(self) -> Document:
        """Return the document with its bytes in memory or in a file, for formats that need random access."""
        return self if self.again is None else replace(self, data=self.content(0, self.size), again=None)

    def line_blocks(self) -> Blocks:
        """Return the bytes in blocks of whole lines, about 1 MB each; the last one may lack its line end."""
        return (bytes(piece.content()) for piece in self.pieces())

    def contains(self, byte: bytes) -> bool:
        """Return whether a byte occurs in the content."""
        with self.stream() as stream:
            while block := stream.read(BLOCK):
                if byte in block:
                    return True
        return False

    def first_row_not_utf8(self) -> int | None:
        """Return the number, from 1, of the first line that is not UTF-8; None where all of the text is UTF-8."""
        before = 0
        for block in self.line_blocks():
            try:
                codecs.utf_8_decode(block, "strict", True)
            except UnicodeDecodeError as error:
                return before + block.count(b"\n", 0, error.start) + 1
            before += block.count(b"\n")
        return None

    def lines_with_content(self, empty: npt.NDArray[np.bool_] = LINE_ENDS) -> npt.NDArray[np.int64]:
        """Return the numbers, from 1, of the lines with more than ``empty`` bytes ((256,) bool); (lines,) int64."""
        numbers: list[npt.NDArray[np.int64]] = []
        before = 0
        for block in self.line_blocks():
            values = np.frombuffer(block, np.uint8)
            ends = np.flatnonzero(values == 10)
            starts = np.concatenate(([0], ends + 1))[: len(ends) + (values[-1] != 10)]
            filled = np.add.reduceat((~empty[values]).astype(np.int32), starts) > 0
            numbers.append(np.flatnonzero(filled) + before + 1)
            before += len(ends)
        lines = np.concatenate(numbers) if numbers else np.zeros(0, np.int64)
        return lines[lines > self.above]


#: A URL that was made a path has one slash less.
_PATH_OF_URL = re.compile(r"(https?|s3|gs|hf|ftp|file):/[^/]")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
#: What paths hardly have, and texts of lists do.
_CONTENT = re.compile(r"[\n\0]|^\s*[{\[]")
#: Letters of a text that was taken for a path.
_SHOWN = 200


@contextmanager
def opened(
    source: str | os.PathLike[str] | bytes | IO[bytes],
    limits: Limits,
    options: Options = OPTIONS,
    *,
    digest: bool = True,
    whole: bool = True,
) -> Iterator[Document]:
    """Open the document behind a path, bytes or a binary file object.

    Its digest is computed beside the reading; "" where nobody needs the ``digest`` of a path. A packed file is unpacked
    once to see how large it is. ``whole`` False: only the beginning is needed, and the size of a large packed file is
    a lower bound.

    ReadError when it cannot be opened, is empty, is larger than the limits, or is damaged gzip.
    """
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    if path is not None:
        _check_path(path)
    with ThreadPoolExecutor(1, "rankdash-digest") as beside:
        if path is not None:
            of_file = beside.submit(_digest_of_file, path).result if digest else str
            document = _from_path(path, os.path.basename(path), limits, of_file, whole)
        else:
            document = _from_memory(_content(source), _name(source), limits, beside)
        yield replace(document, options=options)


def in_memory(document: Document, data: pa.Buffer, *notes: str) -> Document:
    """Return the document with other content: a sheet as text, or a repaired text."""
    if not data.size:
        raise refuse("empty", document.name, "the file is empty")
    notes = (*document.notes, *notes)
    return replace(document, path=None, data=data, again=None, head=_head(data), size=data.size, notes=notes)


def derived(document: Document, blocks: Callable[[], Blocks], *notes: str, whole: bool = True) -> Document:
    """Return the document with other content, the blocks that ``blocks`` returns at each call: unpacked or recoded.

    Up to 64 MB stay in memory. A larger content is made again each time it is read, block by block. Unless ``whole``,
    a content of more than 256 kB is only begun, and ``size`` is what was seen of it.
    """
    kept, size, head, most = pa.BufferOutputStream(), 0, b"", _KEPT if whole else _HEAD
    for block in blocks():
        size += len(block)
        head += block[: _HEAD - len(head)]
        if size <= most:
            kept.write(block)
        elif not whole:
            break
    if not size:
        raise refuse("empty", document.name, "the file is empty")
    data, again = (kept.getvalue(), None) if size <= most else (None, blocks)
    notes = (*document.notes, *notes)
    return replace(document, path=None, data=data, again=again, head=head, size=size, notes=notes)


def _check_path(path: str) -> None:
    """Raise ReadError where a path is not UTF-8, or is standard input, a pipe or a device: nothing waits for these."""
    if whole_text(path) != path:
        what, do = "the path of the file is not UTF-8", "Rename it, or give its bytes."
        raise refuse("unsupported", whole_text(path)[:_SHOWN], what, do)
    is_there = os.path.exists(path)
    if (is_there and not os.path.isfile(path) and not os.path.isdir(path)) or (path == "-" and not is_there):
        what = "standard input and pipes are not read, for a file is read more than once"
        raise refuse("unsupported", path, what, "Write it to a file, and give that.")


def _from_path(path: str, name: str, limits: Limits, digest: Callable[[], str], whole: bool) -> Document:
    if _URL.match(path) or (_PATH_OF_URL.match(path) and not os.path.exists(path)):
        raise refuse("unsupported", path[:_SHOWN], "URLs are not read", "Download the file, and give that.")
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except IsADirectoryError:
        do = "Give one file: docs/formats.md shows how to make one of answers that stand in a file each."
        raise refuse("unreadable", name or path, "this is a folder", do) from None
    except (OSError, ValueError) as error:
        if _CONTENT.search(path):
            what = "this is the content of a file, and no path of one"
            raise refuse("unsupported", path[:_SHOWN], what, "Give text.encode(), or io.StringIO(text).") from None
        why = getattr(error, "strerror", None) or error
        raise refuse("unreadable", name or path, f"the file cannot be opened: {why}") from None
    _check_size(name, size, limits.unpacked, "At most {limit} are read.")
    return _opened(Document(name, size, head, limits, digest, path=path), whole)


def _from_memory(content: bytes, name: str, limits: Limits, beside: ThreadPoolExecutor) -> Document:
    _check_size(name, len(content), limits.upload, _IN_MEMORY)
    digest = beside.submit(lambda: hashlib.sha256(content).hexdigest()).result
    return _opened(Document(name, len(content), content[:_HEAD], limits, digest, data=pa.py_buffer(content)))


def _opened(document: Document, whole: bool = True) -> Document:
    """Return the document, unpacked if it was packed."""
    packing = signature_of(document.head)
    if packing.role != "packing":
        return document

    said = said_size(
        packing, document.size, document.head, bytes(document.content(max(document.size - 4, 0), document.size))
    )
    largest, allowed = may_unpack(document.size, BLOCK, document.limits)
    if said > largest:
        raise refuse("too_large", document.name, f"the file says that it unpacks to {megabytes(said)}", allowed)

    def blocks() -> Blocks:
        with document.stream() as stream:
            yield from unpacked(document.name, packing, stream.read, document.size, document.limits)

    return derived(document, blocks, f"The file was unpacked ({packing.name}).", whole=whole)


def _content(source: Any) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    # getvalue shares the bytes of an upload that may have been read before; read() would start where that ended.
    content = source.getvalue() if hasattr(source, "getvalue") else source.read()
    return content.encode() if isinstance(content, str) else bytes(content)


def _name(source: Any) -> str:
    name = getattr(source, "name", None)
    return whole_text(os.path.basename(name)) if isinstance(name, str) and name else "the file"


def _head(data: pa.Buffer) -> bytes:
    return bytes(data.slice(0, min(_HEAD, data.size)))


def _check_size(name: str, size: int, largest: int, allowed: str) -> None:
    if size == 0:
        raise refuse("empty", name, "the file is empty")
    if size > largest:
        raise refuse("too_large", name, f"the file has {megabytes(size)}", allowed.format(limit=megabytes(largest)))


def _digest_of_file(path: str) -> str:
    digest = hashlib.sha256()
    block = bytearray(BLOCK)
    with open(path, "rb", buffering=0) as file:
        while n := file.readinto(block):
            digest.update(memoryview(block)[:n])
    return digest.hexdigest()
