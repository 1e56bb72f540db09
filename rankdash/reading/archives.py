"""Zip archives: which file in it is meant, unpacked within the limits. No path from an archive is ever used."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Iterator

import pyarrow as pa

from rankdash.reading.document import Document, in_memory
from rankdash.reading.limits import megabytes
from rankdash.reading.options import Choice
from rankdash.reading.problems import listed, refuse

_MAGIC = b"PK\x03\x04"
_EMPTY = b"PK\x05\x06"
_BLOCK = 1 << 20
_MOST_MEMBERS = 10_000


def is_archive(document: Document) -> bool:
    """Whether the bytes begin as a zip archive does; workbooks are such archives too."""
    return document.head.startswith((_MAGIC, _EMPTY))


def opened_archive(document: Document) -> zipfile.ZipFile:
    """The archive. ReadError when it is damaged, or has more files than anybody packs."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(bytes(document.content(0, document.size))))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError, UnicodeError) as error:
        raise refuse(document.name, f"the zip archive is damaged ({error})") from None
    if len(members) > _MOST_MEMBERS:
        raise refuse(document.name, f"the archive holds {len(members):,} files", f"At most {_MOST_MEMBERS:,} are read.")
    return archive


def member_of(document: Document) -> Document:
    """The document of the one file in an archive, or of the one that was chosen. ReadError where it is not clear."""
    archive = opened_archive(document)
    members = {info.filename: info for info in archive.infolist() if _is_data(info)}
    names = list(members)
    chosen = document.options.member
    fitting = [name for name in names if chosen in (name, os.path.basename(name))] if chosen else names
    choice = Choice("member", tuple(names))
    if not names:
        raise refuse(document.name, "the archive holds no file")
    if chosen and len(fitting) != 1:
        raise refuse(
            document.name, f"there is no file {listed([chosen])} in the archive", f"Found: {listed(names)}.", choice
        )
    if len(fitting) > 1:
        what = f"there are {len(names):,} files in the archive: {listed(names)}"
        raise refuse(document.name, what, "Choose one with --member NAME.", choice)
    out = pa.BufferOutputStream()
    for block in unpacked(document, archive, members[fitting[0]]):
        out.write(block)
    if not out.tell():
        raise refuse(document.name, f"the file {listed(fitting)} in the archive is empty")
    return in_memory(document, out.getvalue(), f"The file {listed(fitting)} of the archive was read.")


def unpacked(document: Document, archive: zipfile.ZipFile, info: zipfile.ZipInfo, before: int = 0) -> Iterator[bytes]:
    """The blocks of one member; ``before`` is how many bytes were unpacked already. ReadError beyond the limits."""
    limits = document.limits
    largest = min(limits.unpacked, max(limits.ratio * document.size, 1 << 20))
    done = before
    if info.flag_bits & 1:
        raise refuse(document.name, "the archive needs a password", "Pack it again without one.")
    try:
        with archive.open(info) as member:
            while block := member.read(_BLOCK):
                done += len(block)
                if done > largest:
                    what = f"the archive unpacks to more than {megabytes(largest)}"
                    allowed = (
                        f"At most {limits.unpacked:,} bytes and {limits.ratio} times the packed size are unpacked."
                    )
                    raise refuse(document.name, what, allowed)
                yield block
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, ValueError) and hasattr(error, "problems"):
            raise
        raise refuse(document.name, f"the zip archive is damaged ({error})") from None


def _is_data(info: zipfile.ZipInfo) -> bool:
    name = os.path.basename(info.filename)
    return not info.is_dir() and bool(name) and not name.startswith((".", "__")) and "__MACOSX" not in info.filename
