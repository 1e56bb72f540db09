"""A PDF that Chromium printed: how many pages it has, and what they say. Enough of the format for that."""

import re
import unicodedata
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\b(.*?)endobj", re.DOTALL)
_PAGE = re.compile(rb"/Type\s*/Page\b")
_FONT = re.compile(rb"/(F\d+) (\d+) 0 R")
#: A font is chosen, or glyphs of it are drawn.
_DRAWN = re.compile(rb"/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)> Tj")
_CHAR = re.compile(rb"^<([0-9A-Fa-f]+)> <([0-9A-Fa-f]{4,})>$", re.MULTILINE)
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)>")


def pages(pdf: bytes) -> int:
    """How many pages a PDF has."""
    return sum(bool(_PAGE.search(content)) for content in _objects(pdf).values())


def text(pdf: bytes) -> str:
    """Every letter on the pages, in the order in which it is drawn, without spaces and ligatures."""
    objects = _objects(pdf)
    fonts: dict[bytes, dict[str, str]] = {}
    for content in objects.values():
        for name, number in _FONT.findall(content):
            mapping = re.search(rb"/ToUnicode (\d+)", objects[int(number)])
            fonts[name] = _letters(_stream(objects[int(mapping[1])])) if mapping else {}
    return unicodedata.normalize("NFKC", "".join(_said(_stream(content), fonts) for content in objects.values()))


def _said(drawing: bytes, fonts: dict[bytes, dict[str, str]]) -> str:
    letters, said = dict[str, str](), []
    for font, glyphs in _DRAWN.findall(drawing):
        if font:
            letters = fonts[font]
            continue
        width = len(next(iter(letters), "00"))
        codes = glyphs.decode().upper()
        said += [letters.get(codes[at : at + width], "") for at in range(0, len(codes), width)]
    return "".join("".join(said).split())


def _objects(pdf: bytes) -> dict[int, bytes]:
    return {int(number): content for number, content in _OBJECT.findall(pdf)}


def _stream(content: bytes) -> bytes:
    """What an object holds, unpacked; nothing where it holds a picture or no data."""
    packed = content.partition(b"stream")[2].lstrip(b"\r\n")
    if not packed or b"/Image" in content:
        return b""
    return zlib.decompressobj().decompress(packed) if b"/FlateDecode" in content else packed


def _letters(mapping: bytes) -> dict[str, str]:
    """What each glyph of a font stands for, by its number as it is written."""
    found = {code.decode().upper(): _utf16(letters) for code, letters in _CHAR.findall(mapping)}
    for first, last, letters in _RANGE.findall(mapping):
        start, begin = int(first, 16), int(letters, 16)
        found |= {f"{code:0{len(first)}X}": chr(begin + code - start) for code in range(start, int(last, 16) + 1)}
    return found


def _utf16(letters: bytes) -> str:
    return bytes.fromhex(letters.decode()).decode("utf-16-be")
