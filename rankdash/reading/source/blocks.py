"""Blocks of bytes: as one stream, as pieces of whole lines, and unpacked (gzip, bzip2, xz, zstd) within limits."""

from __future__ import annotations

import bz2
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from rankdash.reading.source.limits import Limits, may_unpack, megabytes
from rankdash.reading.source.problems import ReadError, refuse
from rankdash.reading.source.signatures import Signature

BLOCK = 1 << 20
_PACKED = 1 << 16  # what is left behind a member is copied, and members may be small
_MOST_TIMES = 1032  # what deflate can do
_ZSTD_HEAD = 18  # the longest head of a frame
_DICTIONARY = 1 << 28  # the memory that xz may ask for: enough for its highest preset

Blocks = Iterator[bytes]


class _Stream(io.RawIOBase):
    """Blocks of bytes as one stream."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = memoryview(block)
        n = min(len(target), len(self._rest))
        target[:n] = self._rest[:n]
        self._rest = self._rest[n:]
        return n


def streamed(blocks: Iterable[bytes]) -> io.BufferedReader:
    """Return a stream over blocks, each made when it is needed."""
    return io.BufferedReader(_Stream(iter(blocks)), BLOCK)


def with_whole_lines(blocks: Iterable[bytes], size: int, end: bytes, longest: int) -> Iterator[tuple[bytes, bool]]:
    """Yield pieces of about ``size`` bytes that end after a line end, except the last one.

    Each comes with whether its lines are short enough: after a line of more than ``longest`` bytes, False, nothing
    follows.
    """
    waiting = bytearray()
    for block in blocks:
        waiting += block
        if len(waiting) < size:
            continue
        cut = waiting.rfind(end) + 1
        if cut:
            yield bytes(waiting[:cut]), True
            del waiting[:cut]
        elif len(waiting) > size + longest:
            yield bytes(waiting), False
            return
    if waiting:
        yield bytes(waiting), True


class _Zlib:
    """zlib's object with the interface that those of bz2 and lzma have."""

    def __init__(self) -> None:
        self._object = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._object.eof

    @property
    def unused_data(self) -> bytes:
        return self._object.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._object.unconsumed_tail

    def decompress(self, data: bytes, most: int) -> bytes:
        return self._object.decompress(self._object.unconsumed_tail + data, most)


#: The decompressor of one member, by the name of the packing's signature; Arrow unpacks zstd.
UNPACKERS: Mapping[str, Callable[[], Any]] = {
    "gzip": _Zlib,
    "bzip2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(memlimit=_DICTIONARY),
}


def said_size(packing: Signature, packed: int, head: bytes, end: bytes) -> int:
    """Return how many bytes a packed file of so many bytes says that it unpacks to; 0 where it does not, or cannot: of
    gzip its last bytes say so, which anything may be where the file is cut.
    """
    if packing.name == "gzip":
        said = int.from_bytes(end, "little")
        return said if said <= _MOST_TIMES * packed else 0
    if packing.name != "zstd" or len(head) < _ZSTD_HEAD:
        return 0
    flags = head[4]
    size, add = ((1 if flags & 32 else 0), 0) if flags < 64 else ((2, 256), (4, 0), (8, 0))[(flags >> 6) - 1]
    at = 5 + (not flags & 32) + (0, 1, 2, 4)[flags & 3]
    return int.from_bytes(head[at : at + size], "little") + add if size else 0


def unpacked(name: str, packing: Signature, read: Callable[[int], bytes], packed: int, limits: Limits) -> Blocks:
    """Yield the content of all members of a packed file in blocks of 1 MB.

    ReadError beyond the limits, and where it is damaged.
    """
    largest, allowed = may_unpack(packed, BLOCK, limits)
    done = 0
    try:
        for block in (
            _members(name, packing, read) if packing.name in UNPACKERS else _by_arrow(read, packing.name.lower())
        ):
            done += len(block)
            if done > largest:
                raise refuse("too_large", name, f"the file unpacks to more than {megabytes(largest)}", allowed)
            yield block
    except (MemoryError, ReadError):
        raise
    except (zlib.error, lzma.LZMAError, EOFError, OSError, pa.ArrowException) as error:
        first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise refuse(
            "unreadable", name, f"the {packing.name} data is damaged ({first})", "Pack or upload the file again."
        ) from None
    if not done:
        raise refuse("empty", name, "the file is empty")


def _members(name: str, packing: Signature, read: Callable[[int], bytes]) -> Blocks:
    """Yield the content of members one after the other; tapes pad them with zeros."""
    again = "Pack or upload the file again."
    unpacker = UNPACKERS[packing.name]
    member, rest = unpacker(), read(_PACKED)
    while True:
        if block := member.decompress(rest, BLOCK):
            yield block
        if member.eof:
            rest = member.unused_data.lstrip(b"\0")
            while not rest and (more := read(_PACKED)):
                rest = more.lstrip(b"\0")
            if not rest:
                return
            if not rest.startswith(packing.begins[: len(rest)]):
                raise refuse("unreadable", name, f"behind the {packing.name} data there is something else", again)
            member = unpacker()
        elif not member.needs_input:
            rest = b""
        elif not (rest := read(_PACKED)):
            raise refuse("unreadable", name, f"the {packing.name} data ends too early", again)


def _by_arrow(read: Callable[[int], bytes], codec: str) -> Blocks:
    def pieces() -> Blocks:
        while block := read(BLOCK):
            yield block

    with pa.CompressedInputStream(pa.PythonFile(streamed(pieces()), "r"), codec) as stream:
        while block := stream.read(BLOCK):
            yield block
