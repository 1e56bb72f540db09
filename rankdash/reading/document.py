"""A source as one stream of bytes: a path, bytes or a binary file; unpacked, bounded, with its digest.

Knows nothing of tables. The bytes of a path are never held whole: they are read block by block, as often as needed.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.reading.limits import Limits, megabytes
from rankdash.reading.options import OPTIONS, Options
from rankdash.reading.problems import refuse

_BLOCK = 1 << 20
_HEAD = 1 << 18
_NEAR = 1 << 12
_GZIP = b"\x1f\x8b"
#: The bytes that end a line.
LINE_ENDS = np.zeros(256, bool)
LINE_ENDS[[10, 13]] = True


@dataclass(frozen=True)
class Document:
    """The unpacked bytes of one source.

    ``name`` is the file name as shown to people, ``head`` the first bytes (256 kB at most), ``digest`` gives the
    SHA-256 of the bytes as given (packed, where they were), waiting for it where needed. ``above`` is the number of
    lines at the top that are no part of the table, ``delimiter`` what stands between cells where that is known.
    """

    name: str
    size: int
    head: bytes
    limits: Limits
    digest: Callable[[], str]
    path: str | None = None
    data: pa.Buffer | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    options: Options = OPTIONS
    above: int = 0
    delimiter: str = ""

    def stream(self) -> pa.NativeFile:
        """A new stream over all bytes."""
        return pa.OSFile(self.path) if self.path is not None else pa.BufferReader(self.data)

    def segments(self, size: int = _BLOCK) -> Iterator[tuple[int, int]]:
        """Where segments of whole lines begin and end, about ``size`` bytes each; the last may lack its line end."""
        start = 0
        with self.stream() as stream:
            while start < self.size:
                end = min(start + size, self.size)
                while end < self.size:
                    stream.seek(end)
                    near = bytes(stream.read_buffer(_NEAR))
                    found = near.find(b"\n")
                    end += found + 1 if found >= 0 else len(near)
                    if found >= 0:
                        break
                yield start, end
                start = end

    def content(self, start: int, end: int) -> pa.Buffer:
        """The bytes from ``start`` to ``end``."""
        if self.data is not None:
            return self.data.slice(start, end - start)
        with self.stream() as stream:
            stream.seek(start)
            return stream.read_buffer(end - start)

    def line_blocks(self) -> Iterator[bytes]:
        """The bytes in blocks of whole lines, about 1 MB each; the last one may lack its line end."""
        return (bytes(self.content(start, end)) for start, end in self.segments())

    def contains(self, byte: bytes) -> bool:
        """Whether one byte stands anywhere."""
        with self.stream() as stream:
            while block := stream.read(_BLOCK):
                if byte in block:
                    return True
        return False

    def first_row_not_utf8(self) -> int | None:
        """The line, from 1, of the first byte that is not UTF-8; None when the whole text is."""
        before = 0
        for block in self.line_blocks():
            try:
                codecs.utf_8_decode(block, "strict", True)
            except UnicodeDecodeError as error:
                return before + block.count(b"\n", 0, error.start) + 1
            before += block.count(b"\n")
        return None

    def lines_with_content(self, empty: npt.NDArray[np.bool_] = LINE_ENDS) -> npt.NDArray[np.int64]:
        """The numbers, from 1, of the lines with more than ``empty`` bytes ((256,) bool); (lines,) int64."""
        found: list[npt.NDArray[np.int64]] = []
        before = 0
        for block in self.line_blocks():
            values = np.frombuffer(block, np.uint8)
            ends = np.flatnonzero(values == 10)
            starts = np.concatenate(([0], ends + 1))[: len(ends) + (values[-1] != 10)]
            filled = np.add.reduceat((~empty[values]).astype(np.int32), starts) > 0
            found.append(np.flatnonzero(filled) + before + 1)
            before += len(ends)
        lines = np.concatenate(found) if found else np.zeros(0, np.int64)
        return lines[lines > self.above]


@contextmanager
def opened(
    source: str | os.PathLike[str] | bytes | IO[bytes], limits: Limits, options: Options = OPTIONS
) -> Iterator[Document]:
    """The document behind a path, bytes or a binary file object. Its digest is computed beside the reading.

    ReadError when it cannot be opened, is empty, is larger than the limits, or is damaged gzip.
    """
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    with ThreadPoolExecutor(1, "rankdash-digest") as beside:
        if path is not None:
            document = _from_path(path, limits, beside)
        else:
            document = _from_memory(_content(source), _name(source), limits, beside)
        yield replace(document, options=options)


def in_memory(document: Document, data: pa.Buffer, *notes: str) -> Document:
    """The same document with other content: recoded, repaired or taken out of an archive."""
    if not data.size:
        raise refuse(document.name, "the file is empty")
    notes = (*document.notes, *notes)
    return replace(document, path=None, data=data, head=_head(data), size=data.size, notes=notes)


def _from_path(path: str, limits: Limits, beside: ThreadPoolExecutor) -> Document:
    name = os.path.basename(path)
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise refuse(name or path, f"the file cannot be opened: {error.strerror or error}") from None
    _check_size(name, size, limits.unpacked)
    digest = beside.submit(_digest_of_file, path).result
    if head.startswith(_GZIP):
        with open(path, "rb") as file:
            data, notes = _unpacked(name, file.read, size, limits), (_UNPACKED,)
        return Document(name, data.size, _head(data), limits, digest, data=data, notes=notes)
    return Document(name, size, head, limits, digest, path=path)


def _from_memory(content: bytes, name: str, limits: Limits, beside: ThreadPoolExecutor) -> Document:
    _check_size(name, len(content), limits.upload)
    digest = beside.submit(lambda: hashlib.sha256(content).hexdigest()).result
    if content[:2] == _GZIP:
        places = iter(range(0, len(content) + _BLOCK, _BLOCK))
        data = _unpacked(name, lambda _: content[(at := next(places)) : at + _BLOCK], len(content), limits)
        return Document(name, data.size, _head(data), limits, digest, data=data, notes=(_UNPACKED,))
    return Document(name, len(content), content[:_HEAD], limits, digest, data=pa.py_buffer(content))


_UNPACKED = "The file was unpacked (gzip)."


def _content(source: Any) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    # getvalue shares the bytes of an upload that may have been read before; read() would start where that ended.
    content = source.getvalue() if hasattr(source, "getvalue") else source.read()
    return content.encode() if isinstance(content, str) else bytes(content)


def _name(source: Any) -> str:
    name = getattr(source, "name", None)
    return os.path.basename(name) if isinstance(name, str) and name else "the file"


def _head(data: pa.Buffer) -> bytes:
    return bytes(data.slice(0, min(_HEAD, data.size)))


def _check_size(name: str, size: int, largest: int) -> None:
    if size == 0:
        raise refuse(name, "the file is empty")
    if size > largest:
        raise refuse(name, f"the file has {megabytes(size)}", f"At most {megabytes(largest)} are read.")


def _digest_of_file(path: str) -> str:
    digest = hashlib.sha256()
    block = bytearray(_BLOCK)
    with open(path, "rb", buffering=0) as file:
        while n := file.readinto(block):
            digest.update(memoryview(block)[:n])
    return digest.hexdigest()


def _unpacked(name: str, read: Callable[[int], bytes], packed: int, limits: Limits) -> pa.Buffer:
    """The content of all gzip members, never more than the limits allow."""
    largest = min(limits.unpacked, limits.ratio * packed)
    out = pa.BufferOutputStream()
    member = zlib.decompressobj(wbits=31)
    rest, ended = read(_BLOCK), False
    try:
        while rest:
            if ended and not (rest := rest.lstrip(b"\0")):  # tapes pad with zeros
                rest = read(_BLOCK)
                continue
            if ended:
                member = zlib.decompressobj(wbits=31)
            out.write(member.decompress(rest, _BLOCK))
            if out.tell() > largest:
                raise refuse(name, f"the file unpacks to more than {megabytes(largest)}", _ALLOWED.format(limits))
            ended = member.eof
            rest = (member.unused_data if ended else member.unconsumed_tail) or read(_BLOCK)
    except zlib.error as error:
        raise refuse(name, f"the gzip data is damaged ({error})") from None
    if not ended:
        raise refuse(name, "the gzip data ends too early", "Pack or upload the file again.")
    if not out.tell():
        raise refuse(name, "the file is empty")
    return out.getvalue()


_ALLOWED = "At most {0.unpacked:,} bytes and {0.ratio} times the packed size are unpacked."
