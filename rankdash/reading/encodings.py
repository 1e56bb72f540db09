"""Text in UTF-8: what tells the encoding of a file, and what is guessed where nothing tells it."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

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
#: The encodings that are guessed, by the names that charset-normalizer and Python give them.
_GUESSED = {
    "cp932": "Shift_JIS",
    "gb18030": "GB18030",
    "cp950": "Big5",
    "big5": "Big5",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "euc_kr": "EUC-KR",
    "shift_jis": "Shift_JIS",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
}
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
    """Return the text in UTF-8 by the most likely encoding that reads all of it, with a warning.

    Raise the same problem where most of it is UTF-8, so that the rest is damage, and where somebody named an encoding.
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
    for codec in (*_likely(sample[:_SAMPLE]), "cp1252"):
        note = warning("encoding_guessed", advise("encoding_guessed", encoding=_GUESSED.get(codec, codec)))
        try:
            return _recoded(document, codec, note)
        except NotUtf8Error:
            continue
    raise problem


def _likely(sample: bytes) -> list[str]:
    """Return encodings by how well they read a sample of lines beyond ASCII, the best first.

    charset-normalizer decides between encodings of one byte a character. Short texts in those of two bytes are told by
    their frequent characters: each alphabet has them in one range of first bytes.
    """
    from charset_normalizer import from_bytes

    scores = {codec: _share(sample, codec, leads) for codec, leads in _FREQUENT.items()}
    scores["cp1252"] = _latin(sample)
    likely = sorted((codec for codec in scores if scores[codec] >= 0.5), key=lambda codec: -scores[codec])
    if likely:
        return likely
    best = from_bytes(sample, cp_isolation=["cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "koi8_r"]).best()
    return [] if best is None else [best.encoding]


#: The first bytes of frequent characters, and whether kana are frequent too; in order of preference among equals.
_FREQUENT: Mapping[str, tuple[range, int, bool]] = {
    "cp932": (range(0x88, 0x98), 0x40, True),
    "gb18030": (range(0xB0, 0xD8), 0xA1, False),
    "cp950": (range(0xA4, 0xC7), 0x40, False),
    "euc_jp": (range(0xB0, 0xD0), 0x40, True),
    "cp949": (range(0xB0, 0xC9), 0xA1, False),
}


def _share(sample: bytes, codec: str, frequent: tuple[range, int, bool]) -> float:
    """Return the share of characters beyond ASCII that are frequent in an encoding; 0 where it cannot be."""
    leads, trail, kana = frequent
    beyond = [char for char in _decoded(sample, codec) if char > "\x7f"]
    good = 0.0
    for char in beyond:
        raw = char.encode(codec, "replace")
        if "\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff":
            good -= 0.5  # half-width katakana and private characters: what other encodings look like in this one
        elif (kana and "\u3041" <= char <= "\u30fe") or (len(raw) == 2 and raw[0] in leads and raw[1] >= trail):
            good += 1
        elif "\uff01" <= char <= "\uff5e" or not char.isalnum():
            good += 0.75
        elif "\u4e00" <= char <= "\u9fff":
            good += 0.3
    hangul = codec == "cp949" and len(beyond) >= 8 and all("\uac00" <= c <= "\ud7a3" for c in beyond if c.isalpha())
    return 2.0 if hangul else good / len(beyond) if beyond else 0.0


def _latin(sample: bytes) -> float:
    """Return the share of characters beyond ASCII that stand in or beside Latin words, read as Windows-1252."""
    text = _decoded(sample, "cp1252")
    beyond = [i for i, char in enumerate(text) if char > "\x7f"]
    near = [any(c.isascii() and c.isalpha() for c in text[max(i - 1, 0) : i] + text[i + 1 : i + 2]) for i in beyond]
    signs = sum(
        close or text[i] in "€£©®°…–—’“”«»²³½" for i, close in zip(beyond, near, strict=True) if not text[i].isalpha()
    )
    letters = sum(close for i, close in zip(beyond, near, strict=True) if text[i].isalpha())
    return (signs + letters) / len(beyond) if beyond else 0.0


def _decoded(sample: bytes, codec: str) -> str:
    """Return the text of a sample, which may end within a character; "" where it is not in this encoding."""
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(sample)
    except UnicodeDecodeError:
        return ""


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
