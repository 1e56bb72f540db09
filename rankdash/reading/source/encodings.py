"""Which encoding a text has that is not UTF-8 and has no mark at its start: the one in which it reads most likely."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from rankdash.reading.source.advice import advice
from rankdash.reading.source.document import Document
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import Problem

_SAMPLE = 1 << 16
#: Encodings of one byte a character, of the time of the web.
_SINGLE = [f"cp125{i}" for i in range(9)] + ["koi8_r", "koi8_u", "iso8859_2", "iso8859_5", "iso8859_7", "tis_620"]
_UTF8 = rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
#: Offered where a guess is wrong.
ENCODINGS = ("UTF-8", "UTF-16", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "Windows-1252")


@dataclass(frozen=True)
class CandidateEncoding:
    """An encoding as people and as Python call it, and whether two of its bytes are a frequent character."""

    name: str
    codec: str
    frequent: Callable[[str, bytes], bool]


def _lead(first: int, last: int, trail: int = 0x40) -> Callable[[str, bytes], bool]:
    return lambda _, raw: len(raw) == 2 and first <= raw[0] <= last and raw[1] >= trail


def _is_kana(char: str) -> bool:
    return "\u3041" <= char <= "\u30fe"


def _japanese(first: int, last: int) -> Callable[[str, bytes], bool]:
    lead = _lead(first, last)
    return lambda char, raw: _is_kana(char) or lead(char, raw)


#: In order of preference among equals. The frequent characters of each alphabet are in one range of first bytes.
CANDIDATES = (
    CandidateEncoding("Shift_JIS", "cp932", _japanese(0x88, 0x97)),
    CandidateEncoding("GB18030", "gb18030", _lead(0xB0, 0xD7, 0xA1)),
    CandidateEncoding("Big5", "cp950", _lead(0xA4, 0xC6)),
    CandidateEncoding("EUC-JP", "euc_jp", _japanese(0xB0, 0xCF)),
    CandidateEncoding("EUC-KR", "cp949", _lead(0xB0, 0xC8, 0xA1)),
)


def is_broken_utf8(content: bytes) -> bool:
    """Return whether most characters beyond ASCII are UTF-8, so that the others are damage and not another encoding."""
    text = content.decode("utf-8", "replace")
    beyond = sum(char > "\x7f" for char in text)
    return beyond > 2 * text.count("\ufffd")


def is_mixed(sample: bytes, codec: str) -> bool:
    """Return whether some characters are UTF-8 and others not, so that no encoding of one byte a character reads them
    all.
    """
    if codec in {each.codec for each in CANDIDATES}:
        return False  # pairs of their bytes may look like UTF-8
    return any(match[0].decode("utf-8", "ignore") or match[0][0] == 0xED for match in re.finditer(_UTF8, sample))


def sample_of(content: bytes) -> bytes:
    """Return the first lines with characters beyond ASCII, 64 kB at most."""
    lines = (line for line in re.split(rb"(?<=[\n\r])", content) if not line.isascii())
    beyond, size = [], 0
    for line in lines:
        beyond.append(line)
        size += len(line)
        if size >= _SAMPLE:
            break
    return b"".join(beyond)[: 4 * _SAMPLE]


def guessed(content: bytes) -> list[tuple[str, str]]:
    """Return encodings that the content may have, likely ones first: (name for people, name for Python)."""
    sample = sample_of(content)
    scores = [(_likely(sample, each), each.name, each.codec) for each in CANDIDATES]
    if _is_hangul(sample):
        scores.append((2.0, "EUC-KR", "cp949"))
    scores.append((_western(sample), "Windows-1252", "cp1252"))
    best = sorted(scores, key=lambda score: -score[0])
    likely = [(name, codec) for score, name, codec in best if score >= 0.5]
    return likely or _asked(sample)


def _asked(sample: bytes) -> list[tuple[str, str]]:
    """Return what charset-normalizer makes of it, and Windows-1252, which reads nearly anything."""
    from charset_normalizer import from_bytes

    match = from_bytes(sample[:_SAMPLE], cp_isolation=_SINGLE).best()
    single = [] if match is None or match.encoding not in _SINGLE else [match.encoding]
    return [(name.replace("_", "-"), name) for name in single] + [("Windows-1252", "cp1252")]


def _likely(sample: bytes, candidate: CandidateEncoding) -> float:
    """Return the share of characters beyond ASCII that are frequent in this encoding; 0 where it cannot be."""
    text = _decoded(sample, candidate.codec)
    beyond = [char for char in text if char > "\x7f"]
    if not beyond:
        return 0.0
    good = 0.0
    for char in beyond:
        if unicodedata.category(char)[0] in "PSZN" or "\uff01" <= char <= "\uff5e":
            good += 0.75
        elif "\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff":
            good -= 0.5  # half-width katakana and private characters: what other encodings look like in this one
        elif candidate.frequent(char, char.encode(candidate.codec, "replace")):
            good += 1
        elif "\u4e00" <= char <= "\u9fff":
            good += 0.3
    return good / len(beyond)


def _is_hangul(sample: bytes) -> bool:
    """Return whether all characters of two bytes, and at least eight, are where EUC-KR has Korean syllables.

    GB18030 has the more frequent half of its characters there: eight of them and no other are rarer than one in 100.
    """
    text = _decoded(sample, "euc_kr")
    beyond = [char for char in text if char > "\x7f" and char.isalpha()]
    return len(beyond) >= 8 and all("\uac00" <= char <= "\ud7a3" for char in beyond)


def _western(sample: bytes) -> float:
    """Return the share of characters beyond ASCII that stand in or beside Latin words."""
    text = _decoded(sample, "cp1252")
    beyond = [i for i, char in enumerate(text) if char > "\x7f"]
    if not beyond:
        return 0.0
    good = 0
    for i in beyond:
        around = text[max(i - 1, 0) : i] + text[i + 1 : i + 2]
        latin = any(char.isascii() and char.isalpha() for char in around)
        good += latin if text[i].isalpha() else (latin or text[i] in "€£©®°…–—’“”«»²³½")
    return good / len(beyond)


def _decoded(sample: bytes, codec: str) -> str:
    """Return the text of the sample, which may end within a character; "" where it is not in this encoding."""
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(sample)
    except UnicodeDecodeError:
        return ""


def not_utf8(document: Document, row: int) -> Problem:
    """Return the problem of bytes that are no UTF-8."""
    choice = Choice("encoding", ENCODINGS)
    return Problem(
        "bad_encoding", document.name, "the text is not UTF-8", row, allowed=advice("name_encoding"), choice=choice
    )
