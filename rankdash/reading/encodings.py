"""Text in UTF-8: what tells the encoding of a file, and what is guessed where nothing tells it."""

from __future__ import annotations

import codecs
import re

from rankdash.notes import Note, advise, detail, warning
from rankdash.reading.problems import Choice, NotUtf8Error, Problem, exceed, refuse
from rankdash.reading.source import Document, megabytes
from rankdash.strings import whole_text

#: Offered where a guess is wrong.
ENCODINGS = ("UTF-8", "UTF-16", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "Windows-1252")
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: What people write for an encoding, where Python reads less under that name than tools do.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949"}
_WIDER |= {"iso8859-1": "cp1252", "utf-8": "utf-8-sig"}
#: The encodings that are guessed, by Python's names, in order of preference among equals.
_GUESSED = {
    "cp932": "Shift_JIS",
    "gb18030": "GB18030",
    "cp950": "Big5",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "cp1252": "Windows-1252",
}
#: The first bytes of frequent characters, which each alphabet has in one range, and the first of their second bytes.
_FREQUENT = {
    "cp932": (range(0x88, 0x98), 0x40),
    "gb18030": (range(0xB0, 0xD8), 0xA1),
    "cp950": (range(0xA4, 0xC7), 0x40),
    "euc_jp": (range(0xB0, 0xD0), 0xA1),
    "cp949": (range(0xB0, 0xC9), 0xA1),
}
_KANA = "".join(map(chr, range(0x3041, 0x30FF)))
#: Characters in or beside Latin words, and signs.
_LATIN = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])|[€£©®°…–—’“”«»²³½]")
_SAMPLE = 1 << 16


def as_utf8(document: Document) -> Document:
    """Return the text in UTF-8 where an option or its first bytes tell the encoding; else the document itself."""
    wish = document.options.encoding
    if wish:
        codec = _codec(document, wish)
        if codec == "utf-8-sig":
            return document
        return _recoded(document, codec, detail("encoding_asked", f"The text was read as {wish}, as asked."))
    mark = mark_of(document.head)
    if not mark:
        return document
    return _recoded(document, mark, detail("encoding", f"The text was read as {mark.upper()}."))


def mark_of(head: bytes) -> str:
    """Return the encoding that a byte order mark, or zeros between letters, give away; "" where there is neither."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
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
    note = warning("encoding_guessed", advise("encoding_guessed", encoding=_GUESSED[codec]))
    return _recoded(document, codec, note)


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
    if codec == "cp1252":
        return len(_LATIN.findall(text)) / len(beyond)
    if codec == "cp949" and len(beyond) >= 8 and all("\uac00" <= char <= "\ud7a3" for char in beyond if char.isalpha()):
        return 2
    frequent = _frequent(codec)
    odd = sum("\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" for char in beyond)
    return (sum(char in frequent for char in beyond) - odd) / len(beyond)


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


def _recoded(document: Document, codec: str, note: Note) -> Document:
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
    return document.holding(b"".join(out).removeprefix(codecs.BOM_UTF8), note)


def not_utf8(document: Document, row: int, what: str = "the text is not UTF-8") -> NotUtf8Error:
    """Return the error for bytes that are no UTF-8."""
    problem = Problem(
        "bad_encoding",
        document.name,
        what,
        row,
        allowed=advise("name_encoding"),
        choice=Choice("encoding", ENCODINGS),
    )
    return NotUtf8Error((problem,))


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
