"""A source as bytes: a path, bytes or a binary file; unpacked, limited, in UTF-8, with its digest.

Nothing here knows of tables. The names of files are not used, only their first bytes.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa

from rankdash.notes import Note, advise, detail, listed, warning, whole_text
from rankdash.reading.problems import Choice, NotUtf8Error, Problem, ReadError, damaged, exceed, refuse
from rankdash.records import field, frozen, replace

if TYPE_CHECKING:
    import zipfile

BLOCK = 1 << 20
#: The bytes that a table in columns, or a workbook, may unpack to, however small its file is.
LEAST = 1 << 25
#: The first bytes, by which a source is recognised.
HEAD = 1 << 18
Blocks = Iterator[bytes]
LINE_END = re.compile(r"\r\n|\n|\r")  # str.splitlines would also split at characters that are allowed in ids


@frozen
class Limits:
    """Upper bounds for one source. A file given by its path may be as large as an unpacked one.

    ``upload`` and ``unpacked`` in bytes, ``ratio`` unpacked to packed bytes, ``rows``, ``columns``, ``cell`` bytes,
    ``id`` bytes of an id, ``line`` bytes of a line of text; ``memory`` bytes and ``seconds`` of a processor that
    opening a workbook may take at most, in a process of its own. ``apart``: the process that reads has such limits,
    and workbooks are opened in it.
    """

    upload: int = 300_000_000
    unpacked: int = 2_000_000_000
    ratio: int = 200
    rows: int = 20_000_000
    columns: int = 1_000
    cell: int = 1_000_000
    id: int = 10_000
    line: int = 16_000_000
    memory: int = 2_500_000_000
    seconds: int = 60
    apart: bool = False


LIMITS = Limits()


@frozen
class Options:
    """Decisions about one source; empty ones are made from the content, and noted.

    ``columns`` maps meanings to headings, ``{"relevance": "gain"}``, or to "" where no column has that meaning;
    ``encoding`` is a name that Python knows; ``sheet`` the name of a sheet of a workbook, or its number from 1;
    ``member`` a file in an archive or a split of predictions;
    ``grades`` maps words to grades, ``{"E": 3, "I": 0}``; ``pair`` names the models A and B of votes, and ``models``
    are the names of the runs A and B, which votes may name. ``scores`` is the file of scores that belongs to a LETOR
    file, or a mapping of such files by model, ``groups`` the file of the sizes of its queries.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    sheet: str | int = ""
    member: str = ""
    grades: Mapping[str, float] = field(default_factory=dict)
    pair: tuple[str, str] | None = None
    models: tuple[str, str] | None = None
    scores: Any = None
    groups: Any = None


OPTIONS = Options()


def megabytes(size: int) -> str:
    """Return a number of bytes as text: "500 MB", "0.2 MB"."""
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e6:.2g} MB"


@frozen
class Document:
    """The unpacked bytes of one source.

    ``name`` is the file name as shown to people, ``head`` the first bytes, ``whole`` whether these are all.
    ``blocks`` yields all bytes from the beginning at each call; ``path`` is the file with exactly these bytes, ""
    without one, ``held`` are all bytes if they are in memory. ``digest`` returns the SHA-256 of the bytes as they were
    given. ``above`` is the number of lines above the table, ``delimiter`` separates cells if it is known, and
    ``encoding`` is that of the text before it was made UTF-8.
    """

    name: str
    head: bytes
    whole: bool
    blocks: Callable[[], Blocks] = field(repr=False)
    limits: Limits
    digest: Callable[[], str] = field(repr=False)
    options: Options = OPTIONS
    path: str = ""
    held: bytes | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()
    above: int = 0
    delimiter: str = ""
    encoding: str = "UTF-8"

    def stream(self) -> Any:
        """Return a new binary stream over all bytes."""
        if self.path:
            return pa.OSFile(self.path)
        return stream_of(self.blocks()) if self.held is None else pa.BufferReader(self.held)

    def content(self) -> bytes:
        """Return all bytes."""
        return b"".join(self.blocks()) if self.held is None else self.held

    def lines(self) -> Blocks:
        """Yield the bytes in blocks of whole lines; the last may lack its line end. LimitError for a longer line."""
        end = b"\r" if b"\r" in self.head and b"\n" not in self.head else b"\n"
        rest = b""
        for number, block in enumerate(self.blocks()):
            cut = block.rfind(end) + 1
            if not cut and len(rest) + len(block) > self.limits.line:
                what = f"this line has more than {megabytes(self.limits.line)}, the limit"
                row = 1 + sum(before.count(end) for before in islice(self.blocks(), number))
                raise exceed(self.name, what, "Give one row on each line.", row)
            if cut:
                lines, rest = rest + block[:cut], block[cut:]
                yield lines
            else:
                rest += block
        if rest:
            yield rest

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the lines with their numbers, from 1; between blocks an empty one."""
        before = 0
        for block in self.lines():
            lines = LINE_END.split(block.decode("utf-8-sig" if not before else "utf-8", "replace"))
            yield from enumerate(lines, start=before + 1)
            before += len(lines) - 1

    def noting(self, *notes: Note, **changes: Any) -> Document:
        """Return the document with further notes and changes."""
        return replace(self, notes=(*self.notes, *notes), **changes)

    def holding(self, content: bytes, *notes: Note, **changes: Any) -> Document:
        """Return the document with other content that is held in memory. ReadError where there is none."""
        if not content:
            raise refuse("empty", self.name, "the file is empty")
        inside = {"head": content[:HEAD], "whole": len(content) <= HEAD, "path": "", "held": content}
        return self.noting(*notes, blocks=lambda: _cut(content), **inside, **changes)


class _Stream(io.RawIOBase):
    """Blocks of bytes as one stream."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
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


def stream_of(blocks: Iterable[bytes]) -> IO[bytes]:
    """Return a stream over blocks, each made when it is needed."""
    return io.BufferedReader(_Stream(blocks), BLOCK)


def _cut(content: bytes) -> Blocks:
    return (content[at : at + BLOCK] for at in range(0, len(content), BLOCK))


# --- opening ---------------------------------------------------------------------------------------------------------

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
#: What paths hardly have, and the content of a file does.
_CONTENT = re.compile(r"[\n\0]|^\s*[{\[]")


def open_document(source: Any, limits: Limits = LIMITS, options: Options = OPTIONS) -> Document:
    """Return the document behind a path, bytes or a binary file object, or a document that is open, unpacked.

    ReadError where it cannot be opened, is empty, is larger than the limits, or is packed and damaged.
    """
    return _unpacked(open_packed(source, limits, options))


def open_packed(source: Any, limits: Limits = LIMITS, options: Options = OPTIONS) -> Document:
    """Return the document as it is, with no regard to packing. ReadError as for ``open_document``."""
    if isinstance(source, Document):
        return replace(source, options=options)
    if isinstance(source, (str, os.PathLike)):
        return _from_path(os.fspath(source), limits, options)
    return _from_memory(source, limits, options)


WORKBOOK = "Excel workbook"
#: What is no text, by its first bytes; a zip archive that was not unpacked is one of an office program.
_BINARY = {
    b"PAR1": "Parquet",
    **dict.fromkeys((b"ARROW1\0\0", b"\xff\xff\xff\xff"), "Arrow"),
    **dict.fromkeys((b"PK\x03\x04", b"\xd0\xcf\x11\xe0"), WORKBOOK),
}


def form_of(document: Document) -> str:
    """Return what people call the format of a document by its first bytes; "" for a text."""
    return next((form for begins, form in _BINARY.items() if document.head.startswith(begins)), "")


def is_file(source: Any) -> bool:
    """Return whether a source is a path, bytes or an open file, and no object with rows."""
    return isinstance(source, (Document, str, os.PathLike, bytes, bytearray, memoryview)) or (
        hasattr(source, "read") and not hasattr(source, "columns")
    )


def _from_path(path: str, limits: Limits, options: Options) -> Document:
    name = whole_text(os.path.basename(path) or path)
    if whole_text(path) != path:
        raise refuse("unsupported", name, "the path of the file is not UTF-8", "Rename it, or give its bytes.")
    if _URL.match(path):
        raise refuse("unsupported", path[:200], "URLs are not read", "Download the file, and give that.")
    if "\0" not in path and os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        what = "pipes and devices are not read, because a file is read more than once"
        raise refuse("unsupported", name, what, "Write it to a file, and give that.")
    try:
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            head = file.read(HEAD)
    except IsADirectoryError:
        raise refuse("unreadable", name, "this is a folder", "Give one file.") from None
    except (OSError, ValueError) as error:
        if _CONTENT.search(path):
            what = "this is the content of a file, not a path"
            raise refuse("unsupported", path[:60], what, "Give text.encode().") from None
        why = getattr(error, "strerror", None) or type(error).__name__
        raise refuse("unreadable", name, f"the file cannot be opened: {why}") from None
    _check_size(name, size, limits.unpacked)
    digest, whole = cache(lambda: _digest_of_file(path)), size <= HEAD
    path_, held = ("", head) if whole else (path, None)
    return Document(name, head, whole, lambda: _file_blocks(path), limits, digest, options, path_, held)


def _from_memory(source: Any, limits: Limits, options: Options) -> Document:
    name = getattr(source, "name", None)
    shown = whole_text(os.path.basename(name)) if isinstance(name, str) and name else "the file"
    if not isinstance(source, (bytes, bytearray, memoryview)):
        # getvalue shares the bytes of an upload that may have been read before; read() would start where that ended.
        source = source.getvalue() if hasattr(source, "getvalue") else source.read()
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else bytes(source)
    _check_size(shown, len(content), limits.upload)
    digest = cache(lambda: hashlib.sha256(content).hexdigest())
    head, whole = content[:HEAD], len(content) <= HEAD
    return Document(shown, head, whole, lambda: _cut(content), limits, digest, options, held=content)


def _check_size(name: str, size: int, most: int) -> None:
    if size == 0:
        raise refuse("empty", name, "the file is empty")
    if size > most:
        raise exceed(name, f"the file has {megabytes(size)}", f"At most {megabytes(most)} are read.")


def _file_blocks(path: str) -> Blocks:
    with open(path, "rb", buffering=0) as file:
        while block := file.read(BLOCK):
            yield block


def _digest_of_file(path: str) -> str:
    with open(path, "rb", buffering=0) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- packing ---------------------------------------------------------------------------------------------------------

_DICTIONARY = 1 << 28  # the memory that xz may ask for: enough for its highest preset


def _damages(*further: type[Exception]) -> tuple[type[Exception], ...]:
    """Return what is raised for packed data that is damaged."""
    import lzma
    import zipfile

    unpacking = (RuntimeError, NotImplementedError, EOFError, OSError, MemoryError)
    return (zlib.error, lzma.LZMAError, zipfile.BadZipFile, pa.ArrowException, *unpacking, *further)


#: The first bytes of packed files, and how Arrow calls their packing.
PACKINGS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}


def packing_of(head: bytes) -> str:
    """Return the name of a packing; "" for a file that is not packed."""
    name = next((name for begins, name in PACKINGS.items() if head.startswith(begins)), "")
    return "" if name == "bz2" and head[4:10] not in (b"1AY&SY", b"\x17rE8P\x90") else name


def _unpacked(document: Document) -> Document:
    """Return the document, unpacked if it was packed: once, and the only file of a zip archive."""
    if name := packing_of(document.head):

        def unpacked() -> Blocks:
            return _limited(document, name, _unpack(name, document.blocks()), size_of(document))

        inside = _derived(document, unpacked, detail("unpacked", f"The file was unpacked ({name})."))
        if inside.head.startswith(b"PK\x03\x04"):
            raise _twice(document)
        return inside
    if document.head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not is_office(document):
        return _member_of(document)
    return document


def size_of(document: Document) -> int:
    """Return the number of bytes of a document."""
    return os.path.getsize(document.path) if document.path else sum(map(len, document.blocks()))


def may_unpack(packed: int, limits: Limits, least: int = BLOCK) -> int:
    """Return how many bytes may come out of so many packed ones: at least ``least``, at most the limit.

    >>> may_unpack(1_000_000, Limits())
    200000000
    """
    return min(limits.unpacked, max(limits.ratio * packed, least))


def _derived(document: Document, blocks: Callable[[], Blocks], *notes: Note) -> Document:
    """Return the document with other content. ReadError where that is empty or damaged at the beginning."""
    head = b""
    for block in blocks():
        head += block
        if len(head) > HEAD:
            break
    if not head:
        raise refuse("empty", document.name, "the file is empty")
    if packing_of(head):
        raise _twice(document)
    head, whole = head[:HEAD], len(head) <= HEAD
    return document.noting(*notes, head=head, whole=whole, blocks=blocks, path="", held=head if whole else None)


def _twice(document: Document) -> ReadError:
    return refuse("unsupported", document.name, "the file is packed twice", "Pack it once, as .gz or .zip.")


def _limited(document: Document, name: str, blocks: Blocks, packed: int) -> Blocks:
    """Yield the blocks. ReadError as soon as they exceed the limits, and where they are damaged."""
    limits = document.limits
    most = may_unpack(packed, limits)
    done = 0
    try:
        for block in filter(None, blocks):
            done += len(block)
            if done > most:
                what = f"the file unpacks to more than {megabytes(most)}"
                raise exceed(document.name, what, f"At most {limits.ratio} times the packed size is unpacked.")
            yield block
    except _damages() as error:
        raise damaged(document.name, f"{name} data", error, "Pack or upload the file again.") from None


def _unpack(name: str, blocks: Blocks) -> Blocks:
    """Yield the content of packed data, one member after the other."""
    packed = stream_of(blocks)
    if name == "xz":  # which Arrow does not read
        yield from _unpack_xz(packed)
        return
    with pa.CompressedInputStream(pa.PythonFile(packed, "r"), name) as stream:
        while block := stream.read(BLOCK):
            yield block


def _unpack_xz(packed: IO[bytes]) -> Blocks:
    import lzma

    rest = b""
    while rest := rest or packed.read(BLOCK):
        member = lzma.LZMADecompressor(lzma.FORMAT_XZ, _DICTIONARY)
        while not member.eof:
            yield member.decompress(rest, BLOCK)
            rest = packed.read(BLOCK) if member.needs_input else b""
            if member.needs_input and not rest:
                raise EOFError
        rest = member.unused_data


# --- zip archives ----------------------------------------------------------------------------------------------------

#: The parts that only a document of an office program has.
_OFFICE = frozenset("xl/workbook.xml xl/workbook.bin content.xml word/document.xml ppt/presentation.xml".split())
_MOST_MEMBERS = 10_000
#: Files, and not what operating systems add.
_DATA = re.compile(r"^(?!.*__MACOSX)(.*/)?(?!\.|__)[^/]+$")
_END = b"PK\x05\x06"
_LONGEST_END = (1 << 16) + 22


def open_archive(document: Document) -> zipfile.ZipFile:
    """Return the opened zip archive. ReadError where it is damaged, or lists more files than are read."""
    import zipfile

    content = document.content()
    end = content[-_LONGEST_END:]
    at = end.rfind(_END)
    size = int.from_bytes(end[at + 12 : at + 16], "little") if at >= 0 else 0
    if b"PK\x06\x06" in end or size > 400 * _MOST_MEMBERS:  # zipfile would make an object for each file
        raise exceed(document.name, f"the archive holds more than {_MOST_MEMBERS:,} files", "Pack only the file meant.")
    try:
        return zipfile.ZipFile(io.BytesIO(content))
    except _damages(ValueError) as error:
        early = EOFError() if at < 0 or len(end) < at + 22 else error
        raise damaged(document.name, "workbook or zip archive", early, "Save or upload the file again.") from None


def is_office(document: Document) -> bool:
    """Return whether a zip archive is a document of an office program."""
    with open_archive(document) as archive:
        return not _OFFICE.isdisjoint(archive.namelist())


def member_blocks(document: Document, archive: zipfile.ZipFile, info: zipfile.ZipInfo, before: int = 0) -> Blocks:
    """Yield the blocks of one file of an archive; ``before`` is the number of bytes unpacked already.

    ReadError beyond the limits, by the size that the archive declares, and by the bytes that arrive.
    """
    if info.flag_bits & 1:
        raise refuse("unreadable", document.name, "the archive needs a password", "Pack it again without one.")
    packed = len(document.content())
    most = may_unpack(packed, document.limits)
    if before + info.file_size > most:
        raise exceed(document.name, f"the archive unpacks to more than {megabytes(most)}", "Pack only the file meant.")

    def blocks() -> Blocks:
        yield from ()
        with archive.open(info) as member:
            while block := member.read(BLOCK):
                yield block

    yield from _limited(document, "zip", blocks(), packed)


def _member_of(document: Document) -> Document:
    """Return the document of the only file in an archive, or of the one that was chosen."""
    names = member_names(document)
    chosen = document.options.member
    fitting = [name for name in names if chosen in (name, os.path.basename(name))] if chosen else names
    choice = Choice("member", names)
    if not names:
        raise refuse("empty", document.name, "the archive holds no file")
    if chosen and len(fitting) != 1:
        what = f"there is no file {listed([chosen])} in the archive"
        raise refuse("bad_option", document.name, what, f"Found: {listed(names)}.", choice)
    if len(fitting) > 1:
        what = f"one file of an archive is read, and this one has {len(names):,}: {listed(names)}"
        raise refuse("unclear", document.name, what, advise("choose_member"), choice)

    def blocks() -> Blocks:
        with open_archive(document) as archive:
            yield from member_blocks(document, archive, archive.getinfo(fitting[0]))

    return _derived(document, blocks, detail("member_read", f"The file {listed(fitting)} of the archive was read."))


def member_names(document: Document) -> tuple[str, ...]:
    """Return the names of the files in a zip archive, without those that operating systems add."""
    with open_archive(document) as archive:
        return tuple(dict.fromkeys(name for name in archive.namelist() if _DATA.search(name)))


# --- encodings -------------------------------------------------------------------------------------------------------

#: Offered where a guess is wrong.
ENCODINGS = tuple("UTF-8 UTF-16 GB18030 Big5 Shift_JIS EUC-JP EUC-KR Windows-1252 Windows-1250 Windows-1251".split())
_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: What people write for an encoding, where Python reads less under that name than tools do.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949"}
_WIDER |= {"iso8859-1": "cp1252", "utf-8": "utf-8-sig"}
#: The first bytes of frequent characters, which each alphabet has in one range, and the first of their second bytes.
_FREQUENT = {
    "cp932": (range(0x88, 0x98), 0x40),
    "gb18030": (range(0xB0, 0xD8), 0xA1),
    "cp950": (range(0xA4, 0xC7), 0x40),
    "euc_jp": (range(0xB0, 0xD0), 0xA1),
    "cp949": (range(0xB0, 0xC9), 0xA1),
}
#: The encodings that are guessed, by Python's names, in order of preference among equals.
_GUESSED = dict(zip(_FREQUENT, "Shift_JIS GB18030 Big5 EUC-JP EUC-KR".split(), strict=True))
_GUESSED |= {"cp1252": "Windows-1252", "cp1250": "Windows-1250"}
_KANA = "".join(map(chr, range(0x3041, 0x30FF)))
#: Characters in or beside Latin words, and signs.
_LATIN = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])|[€£©®°…–—’“”«»²³½]")
#: Words, and signs that stand alone or are common beside words: others are letters of another encoding.
_LETTER = r"[^\W\d_ª²³µ¹º¼½¾ˇ]"
_WORD = re.compile(f"{_LETTER}+")
_ALONE = rf"(?<!{_LETTER})(?!{_LETTER})[^\x00-\x7f](?!{_LETTER})"
_SIGN = re.compile(rf"{_ALONE}|(?<=[mnMN])[²³ªº](?!{_LETTER})|(?<!{_LETTER})[¡£¥¿]|[€©®°…–—’“”«»™×]")
#: Letters of ASCII and other characters that stand together, and such a character alone.
_RUN = re.compile(r"[^\x00-@\[-`{-\x7f]+")
_SINGLE = re.compile(r"(?<![^\x00-\x7f])[^\x00-\x7f](?![^\x00-\x7f])")
_SAMPLE = 1 << 16


def as_utf8(document: Document) -> Document:
    """Return the text in UTF-8 where an option or its first bytes tell the encoding; else the document itself."""
    wish = document.options.encoding
    codec = _codec(document, wish) if wish else mark_of(document.head)
    if codec in ("", "utf-8-sig"):
        return document
    name = wish or codec.upper()
    return _recoded(document, codec, name, detail("encoding", f"The text was read as {name}."))


def mark_of(head: bytes) -> str:
    """Return the encoding that a byte order mark, or zeros between letters, give away; "" where there is neither."""
    for mark in _MARKS:
        if head.startswith(mark):
            return f"utf-{8 * len(mark)}"
    start = head[: 1 << 12]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) > 3 and max(even, odd) * 20 > len(start) and min(even, odd) * 10 < max(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def guess_encoding(document: Document, problem: NotUtf8Error) -> Document:
    """Return the text in UTF-8 by the encoding whose frequent characters it has, with a warning.

    Raise the same problem where there is none, where most of it is UTF-8, so that the rest is damage, and where
    somebody named an encoding.
    """
    sample = b""
    for block in document.blocks():
        sample += b"".join(line for line in block.splitlines(True) if not line.isascii())
        if len(sample) > _SAMPLE:
            break
    text = sample.decode("utf-8", "replace")
    beyond = sum(char > "\x7f" for char in text)
    if document.options.encoding or beyond >= 2 * text.count("\ufffd"):  # as many characters as damages
        raise problem
    shares = {codec: _share(sample[:_SAMPLE], codec) for codec in _GUESSED}
    codec = max(shares, key=lambda codec: shares[codec])
    if shares[codec] < 0.5:
        raise problem
    name = _GUESSED[codec]
    return _recoded(document, codec, name, warning("encoding_guessed", advise("encoding_guessed", encoding=name)))


def _share(sample: bytes, codec: str) -> float:
    """Return the share of characters beyond ASCII that are frequent in an encoding, less those that others look like
    in it; 0 where it cannot be.
    """
    try:  # the sample may end within a character
        text = codecs.getincrementaldecoder(codec)("strict").decode(sample)
    except UnicodeDecodeError:
        return 0
    beyond = [char for char in text if char > "\x7f"]
    if not beyond:
        return 0
    if codec.startswith("cp125"):
        return _share_of_words(text, len(beyond)) - 0.1 * (codec == "cp1250")  # a sign after a word may be a footnote
    if codec == "cp949" and len(beyond) >= 8 and all("\uac00" <= char <= "\ud7a3" for char in beyond if char.isalpha()):
        return 2
    frequent = _frequent(codec)
    odd = sum("\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" for char in beyond)
    return (sum(char in frequent for char in beyond) - odd) / len(beyond)


def _share_of_words(text: str, beyond: int) -> float:
    """Return the share of characters beyond ASCII in words and signs; 2 more where they cannot stand in two bytes each:
    then each has at most one letter of ASCII beside it, and few are alone.
    """
    words = "".join(own for own in _WORD.findall(text) if own.islower() or own.isupper() or own.istitle())
    share = (sum(char > "\x7f" for char in words) + len(_SIGN.findall(text))) / beyond
    plain = sum(len(run) for run in _RUN.findall(text) if not run.isascii()) - beyond
    is_certain = share > 0.75 and plain > beyond and 4 * len(_SINGLE.findall(text)) > beyond
    return 2 + share if is_certain else len(_LATIN.findall(text)) / beyond


def _frequent(codec: str) -> frozenset[str]:
    """Return the frequent characters of an encoding."""
    leads, trail = _FREQUENT[codec]
    pairs = bytes(byte for lead in leads for second in range(trail, 0xFF) for byte in (lead, second))
    return frozenset(pairs.decode(codec, "ignore") + (_KANA if codec in ("cp932", "euc_jp") else ""))


def _codec(document: Document, name: str) -> str:
    """Return the name that Python gives an encoding of text."""
    try:
        codec = codecs.lookup(name)
        "".encode(codec.name)
    except (LookupError, ValueError, UnicodeError):
        what, choice = f'there is no encoding "{whole_text(name)}"', Choice("encoding", ENCODINGS)
        raise refuse("bad_option", document.name, what, f"Use {', '.join(ENCODINGS)}, …", choice) from None
    return _WIDER.get(codec.name, codec.name)


def _recoded(document: Document, codec: str, name: str, note: Note) -> Document:
    """Return the text in UTF-8. NotUtf8Error with the row of the first bytes that are none in this encoding."""
    decoder = codecs.getincrementaldecoder(codec)("strict")
    out, size, row = [], 0, 1
    for block in (*document.blocks(), b""):
        try:
            text = decoder.decode(block, not block)
        except UnicodeError as error:
            at = error.start if isinstance(error, UnicodeDecodeError) else 0
            row += bytes(getattr(error, "object", b""))[:at].count(b"\n")
            raise not_utf8(document, row, f"the text cannot be read as {codec}") from None
        row += text.count("\n")
        out.append(text.encode("utf-8", "replace"))
        size += len(out[-1])
        if size > document.limits.unpacked:
            most = megabytes(document.limits.unpacked)
            raise exceed(document.name, f"the text has more than {most} in UTF-8", "That is the limit.")
    return document.holding(b"".join(out).removeprefix(codecs.BOM_UTF8), note, encoding=name)


def not_utf8(document: Document, row: int, what: str = "the text is not UTF-8") -> NotUtf8Error:
    """Return the error for bytes that are no UTF-8."""
    allowed, choice = advise("name_encoding"), Choice("encoding", ENCODINGS)
    return NotUtf8Error((Problem("bad_encoding", document.name, what, row, allowed=allowed, choice=choice),))


def first_row_not_utf8(document: Document) -> int | None:
    """Return the number, from 1, of the first line that is not UTF-8; None where all of the text is UTF-8."""
    before = 0
    for block in document.lines():
        try:
            block.decode()
        except UnicodeDecodeError as error:
            return before + block.count(b"\n", 0, error.start) + 1
        before += block.count(b"\n")
    return None
