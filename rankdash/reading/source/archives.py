"""Zip archives: which file in one is meant, unpacked within the limits. No path from them is ever used."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from rankdash.reading.source.advice import advice
from rankdash.reading.source.blocks import BLOCK, Blocks
from rankdash.reading.source.document import Document, derived
from rankdash.reading.source.limits import may_unpack, megabytes
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import ReadError, listed, refuse
from rankdash.reading.source.unread import not_read

_EMPTY = b"PK\x05\x06"
_LONGEST_END = (1 << 16) + 22
_MOST_MEMBERS = 10_000
_MOST_DIRECTORY = 400 * _MOST_MEMBERS
_DAMAGES = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError, OverflowError)


def opened_archive(document: Document) -> zipfile.ZipFile:
    """Return the opened zip archive. ReadError where it is damaged, or has more files than are read."""
    document = document.held()
    try:
        _check_directory(document)
        archive = zipfile.ZipFile(document.stream())
        members = archive.infolist()
    except ReadError:
        raise
    except _DAMAGES as error:
        raise _damaged(document, error) from None
    if len(members) > _MOST_MEMBERS:
        raise _too_many(document)
    return archive


def _check_directory(document: Document) -> None:
    """Raise ReadError where the list of files is too long; zipfile would create an object for each file."""
    end = bytes(document.content(max(document.size - _LONGEST_END, 0), document.size))
    at = end.rfind(_EMPTY)
    size = int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0
    large = end.rfind(b"PK\x06\x06")
    if large >= 0:
        size = max(size if size < 0xFFFFFFFF else 0, int.from_bytes(end[large + 40 : large + 48], "little"))
    if size > _MOST_DIRECTORY:
        raise _too_many(document)


def _too_many(document: Document) -> ReadError:
    return refuse(
        "too_large", document.name, f"the archive holds more than {_MOST_MEMBERS:,} files", "Pack only the file meant."
    )


def _damaged(document: Document, error: Exception) -> ReadError:
    first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
    return refuse("unreadable", document.name, f"the zip archive is damaged ({first})", "Pack or upload it again.")


def member_of(document: Document) -> Document:
    """Return the document of the only file in an archive, or of the one that was chosen.

    ReadError where several files could be meant.
    """
    document = document.held()
    members = _members(document)
    names = list(members)
    chosen = document.options.member
    fitting = [name for name in names if chosen in (name, os.path.basename(name))] if chosen else names
    choice = Choice("member", tuple(names))
    if not names:
        raise refuse("empty", document.name, "the archive holds no file")
    if chosen and len(fitting) != 1:
        raise refuse(
            "bad_option",
            document.name,
            f"there is no file {listed([chosen])} in the archive",
            f"Found: {listed(names)}.",
            choice,
        )
    if len(fitting) > 1:
        what = f"there are {len(names):,} files in the archive: {listed(names)}"
        raise refuse("unclear", document.name, what, advice("choose_member"), choice)
    blocks = members[fitting[0]]
    if next(blocks(), None) is None:
        raise refuse("empty", document.name, f"the file {listed(fitting)} in the archive is empty")
    others = not_read("Files of the archive that were not read", [name for name in names if name != fitting[0]])
    return derived(document, blocks, f"The file {listed(fitting)} of the archive was read.", *others)


_Member = TypeVar("_Member")
Members = Mapping[str, Callable[[], Blocks]]


def member_names(document: Document) -> tuple[str, ...]:
    """Return the names of the files in an archive, without those that operating systems add. ReadError where it is
    damaged.
    """
    return tuple(_members(document.held()))


def _members(document: Document) -> Members:
    with opened_archive(document) as archive:
        infos = [info for info in archive.infolist() if _is_data(info.filename) and not info.is_dir()]

    def blocks(info: zipfile.ZipInfo) -> Blocks:
        with opened_archive(document) as archive:
            yield from unpacked(document, archive, info)

    return {name: partial(blocks, info) for name, info in _named((info.filename, info) for info in infos)}


def _named(members: Iterable[tuple[str, _Member]]) -> Iterator[tuple[str, _Member]]:
    """Yield the members with unique names: an archive may contain two files of one name."""
    seen: dict[str, int] = {}
    for name, member in members:
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), member


def unpacked(document: Document, archive: zipfile.ZipFile, info: zipfile.ZipInfo, before: int = 0) -> Blocks:
    """Yield the blocks of one member; ``before`` is the number of bytes unpacked already.

    ReadError beyond the limits.
    """
    largest, allowed = may_unpack(document.size, BLOCK, document.limits)
    if before + info.file_size > largest:  # zipfile reads no more than this
        what = f"the archive unpacks to more than {megabytes(largest)}"
        raise refuse("too_large", document.name, what, allowed)
    if info.flag_bits & 1:
        raise refuse("unreadable", document.name, "the archive needs a password", "Pack it again without one.")
    try:
        with archive.open(info) as member:
            yield from iter(partial(member.read, BLOCK), b"")
    except ReadError:
        raise
    except _DAMAGES as error:
        raise _damaged(document, error) from None


def _is_data(path: str) -> bool:
    name = os.path.basename(path)
    return bool(name) and not name.startswith((".", "__")) and "__MACOSX" not in path
