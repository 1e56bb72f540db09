"""Files that are no table: known from their first bytes, named, and refused."""

from __future__ import annotations

import codecs
import re

from rankdash.reading.document import Document
from rankdash.reading.problems import refuse

_TABLES = "Give TREC, CSV, TSV, JSON, Excel (.xlsx, .xls), LETOR or Parquet."
_UNPACK = "Unpack it, or pack it as .gz or .zip."
#: The first bytes, what the file is, and what to do.
_SIGNS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG", "a picture (PNG)", _TABLES),
    (b"\xff\xd8\xff", "a picture (JPEG)", _TABLES),
    (b"GIF8", "a picture (GIF)", _TABLES),
    (b"%PDF", "a PDF document", _TABLES),
    (b"BZh", "packed with bzip2", _UNPACK),
    (b"\xfd7zXZ\x00", "packed with xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"ARROW1", "an Arrow or Feather file", "Save the table as Parquet."),
    (b"\x93NUMPY", "a NumPy array", _TABLES),
    (b"\x89HDF", "an HDF5 file", _TABLES),
    (b"SQLite format 3", "an SQLite database", _TABLES),
    (b"ORC", "an ORC file", "Save the table as Parquet."),
    (b"Obj\x01", "an Avro file", "Save the table as Parquet."),
    (b"\x7fELF", "a program", _TABLES),
    (b"{\\rtf", "a text document (RTF)", _TABLES),
)
_PICKLE_HEAD = re.compile(rb"\x80[\x02-\x05]|\((dp|lp)\d+\n|c(__builtin__|copy_reg|numpy|pandas)[.\n]")
_MARKUP = re.compile(rb"<(!doctype|html|head|body|script|meta|title|div|table|!--|\?xml|svg)", re.I)


def refuse_foreign(document: Document) -> None:
    """ReadError for a picture, a program's own format, a web page and the like, naming what it is."""
    head = document.head
    if head.startswith((b"PK\x03\x04", b"\x1f\x8b")):
        raise refuse(document.name, "the file is packed twice", "Pack it once, as .gz or .zip.")
    for sign, what, do in _SIGNS:
        if head.startswith(sign) and not (sign in (b"ORC", b"BZh") and b"," in head[:20]):
            raise refuse(document.name, f"this is {what}, not a table", do)
    if head[257:262] == b"ustar":
        raise refuse(document.name, "this is a tar archive, not a table", _UNPACK)
    if _PICKLE_HEAD.match(head):
        raise refuse(
            document.name, "this is a pickled Python object, which is never loaded", "Save the table as Parquet or CSV."
        )
    markup = _MARKUP.match(head.removeprefix(codecs.BOM_UTF8).lstrip()[:100])
    if markup and markup[1].lower() in (b"?xml", b"svg"):
        raise refuse(document.name, "this is XML, not a table", _TABLES)
    if markup:
        login = b"password" in head.lower() or b"login" in head.lower() or b"sign in" in head.lower()
        page = "a web page (HTML), perhaps the page of a login" if login else "a web page (HTML)"
        raise refuse(document.name, f"this is {page}, not a table", "Download the file again, signed in.")
