"""Recodes a text to UTF-8: from the encoding that was chosen, is marked, or is guessed. A note names a guess."""

from __future__ import annotations

import codecs
from dataclasses import replace

from rankdash.reading.source.advice import advice
from rankdash.reading.source.blocks import BLOCK, Blocks
from rankdash.reading.source.document import Document, derived
from rankdash.reading.source.encodings import ENCODINGS, guessed, is_broken_utf8, is_mixed, not_utf8, sample_of
from rankdash.reading.source.limits import megabytes
from rankdash.reading.source.options import Choice
from rankdash.reading.source.problems import NotUtf8Error, refuse
from rankdash.reading.source.signatures import marked

_SAMPLE = 1 << 16
_CHOICE = Choice("encoding", ENCODINGS)
#: What people write for an encoding, where Python reads less under that name than tools do.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "big5hkscs", "euc_kr": "cp949"}
_WIDER |= {"iso8859-1": "cp1252", "utf-8": "utf-8-sig"}


def as_utf8(document: Document) -> Document:
    """Return the document in UTF-8 where an option or its first bytes tell the encoding; else the document itself."""
    encoding = document.options.encoding
    if encoding:
        codec = _codec(document, encoding)
        if codec != "utf-8-sig":
            return _recoded(document, codec, f"The text was read as {encoding}, as asked.")
        return document
    mark = marked(document.head)
    if not mark:
        return document
    try:
        return _recoded(document, mark, f"The text was read as {mark.upper()}.")
    except NotUtf8Error:
        return document


def from_guess(document: Document, problem: NotUtf8Error) -> Document:
    """Return the document in the most likely encoding that reads all of it.

    The same problem where it is damaged UTF-8.
    """
    sample = b""
    for block in document.line_blocks():
        sample += sample_of(block)
        if len(sample) > _SAMPLE:
            break
    if document.options.encoding or is_broken_utf8(sample):
        raise problem
    for name, codec in guessed(sample):
        if is_mixed(sample, codec):
            continue
        note = advice("encoding_guessed", encoding=name)
        try:
            return _recoded(document, codec, note)
        except NotUtf8Error:
            continue
    raise problem


def _codec(document: Document, name: str) -> str:
    """Return the name that Python gives an encoding of text."""
    try:
        codec = codecs.lookup(name)
        "".encode(codec.name)
    except (LookupError, ValueError):
        what = f'there is no encoding "{name}"'
        raise refuse("bad_option", document.name, what, f"Use {', '.join(ENCODINGS)}, …", _CHOICE) from None
    return _WIDER.get(codec.name, codec.name)


def _recoded(document: Document, codec: str, note: str) -> Document:
    """Return the text in UTF-8. NotUtf8Error with the line of the first bytes that are none in this encoding."""
    return derived(document, lambda: _blocks(document, codec), note)


def _blocks(document: Document, codec: str) -> Blocks:
    decoder = codecs.getincrementaldecoder(codec)("strict")
    row, size, block = 1, 0, b"."
    with document.stream() as stream:
        while block:
            block = stream.read(BLOCK)
            try:
                text = decoder.decode(block, not block)
            except UnicodeError as error:
                before = bytes(error.object[: error.start]) if isinstance(error, UnicodeDecodeError) else b""
                what = f"the text cannot be read as {codec}"
                row += before.count(b"\n")
                raise NotUtf8Error((replace(not_utf8(document, row), what=what),)) from None
            row += text.count("\n")
            size += len(text)
            if size > document.limits.unpacked:
                most = megabytes(document.limits.unpacked)
                raise refuse(
                    "too_large", document.name, f"the text has more than {most} in UTF-8", "That is the limit."
                )
            if text:
                yield text.encode("utf-8", "surrogatepass")
