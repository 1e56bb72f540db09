"""Files that are no table: known from their first bytes, named, and refused."""

from __future__ import annotations

import codecs
import re

from rankdash.reading.source.blocks import packing_of
from rankdash.reading.source.document import Document
from rankdash.reading.source.problems import refuse

_TABLES = "Give TREC, CSV, TSV, JSON, Excel (.xlsx, .xls, .xlsb), .ods, LETOR, Parquet or Arrow."
_UNPACK = "Unpack it, or pack it as .gz or .zip."
_AGAIN = "Download the file again, signed in."
_PARQUET = "Save the table as Parquet or CSV."
#: The first bytes, what the file is, and what to do.
_SIGNS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG", "a picture (PNG)", _TABLES),
    (b"\xff\xd8\xff", "a picture (JPEG)", _TABLES),
    (b"GIF8", "a picture (GIF)", _TABLES),
    (b"RIFF", "a picture or a recording (RIFF)", _TABLES),
    (b"%PDF", "a PDF document", _TABLES),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x04\x22\x4d\x18", "packed with LZ4", _UNPACK),
    (b"\x1f\x9d", "packed with compress", _UNPACK),
    (b"PARE", "an encrypted Parquet file", "Save the table without encryption."),
    (b"FEA1", "a Feather file of the first version", _PARQUET),
    (b"\x93NUMPY", "a NumPy array", _TABLES),
    (b"\x89HDF", "an HDF5 file", _PARQUET),
    (b"SQLite format 3", "an SQLite database", _PARQUET),
    (b"ORC", "an ORC file", _PARQUET),
    (b"Obj\x01", "an Avro file", _PARQUET),
    (b"<stata_dta>", "a Stata file", _PARQUET),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", _PARQUET),
    (b"version https://git-lfs", "a pointer of Git LFS to the file", "Fetch the file itself with git lfs pull."),
    (b"\x7fELF", "a program", _TABLES),
    (b"MZ\x90\0", "a program", _TABLES),
    (b"{\\rtf", "a text document (RTF)", _TABLES),
)
#: These may begin a text as well, which has no zeros.
_LETTERS = frozenset((b"RIFF", b"Rar!", b"PARE", b"FEA1", b"ORC"))
_PICKLE_HEAD = re.compile(rb"\x80[\x02-\x05]|\((dp|lp)\d+\n|c(__builtin__|copy_reg|numpy|pandas)[.\n]")
_MARKUP = re.compile(rb"<(!doctype|html|head|body|script|meta|title|div|table|!--|\?xml|svg)", re.I)

_ENOUGH = 1 << 14
_VALUE = re.compile(rb"[01]\.\d{4}")
#: What trec_eval calls its measures.
_MEASURE = re.compile(
    rb"runid|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?map|(gm_)?bpref|Rprec|recip_rank|infAP|G|binG|utility|"
    rb"11pt_avg|(iprec_at_recall|P|relative_P|recall|Rprec_mult|ndcg_cut|map_cut|success|set_F|relstring)_[\d.]+|"
    rb"R?ndcg(_rel)?|set_(P|recall|relative_P|map|F)|(map|P|Rprec_mult)_avgjg(_[\d.]+)?"
)


def _is_evaluation(head: bytes) -> bool:
    """Whether most lines are a measure, a query (or "all") and its value.

    A query may be called as a measure is: there are several measures, a value for all, or values as trec_eval writes
    them.
    """
    lines = [line.split() for line in head[:_ENOUGH].splitlines() if line.strip()]
    values = [words for words in lines if len(words) == 3 and _MEASURE.fullmatch(words[0])]
    if len(values) * 2 <= len(lines):
        return False
    several = any(words[1] == b"all" for words in values) or len({words[0] for words in values}) > 1
    return several or all(_VALUE.fullmatch(words[2]) for words in values)


def refuse_foreign(document: Document) -> None:
    """ReadError for a picture, a program's own format, a web page and the like, naming what it is."""
    head = document.head
    if head.startswith(b"PK\x03\x04") or packing_of(head):
        raise refuse(document.name, "the file is packed twice", "Pack it once, as .gz or .zip.")
    for sign, what, do in _SIGNS:
        if head.startswith(sign) and (sign not in _LETTERS or b"\0" in head[:4096]):
            raise refuse(document.name, f"this is {what}, not a table", do)
    if head[257:262] == b"ustar":
        raise refuse(document.name, "there is an archive in the archive", _UNPACK)
    if _PICKLE_HEAD.match(head):
        raise refuse(
            document.name, "this is a pickled Python object, which is never loaded", "Save the table as Parquet or CSV."
        )
    if _is_evaluation(head):
        what = "this is the output of trec_eval (measure, query, value), not a run and no judgments"
        raise refuse(document.name, what, "Give the run and the judgments that were evaluated.")
    markup = _MARKUP.match(head.removeprefix(codecs.BOM_UTF8).lstrip()[:100])
    if markup is None:
        return
    low = head.lower()
    if b"office:spreadsheet" in low or (b"<table" in low and b"office:excel" in low):
        what = "this is a workbook saved as XML or as a web page"
        raise refuse(document.name, what, "Open it in Excel and save it as .xlsx or CSV.")
    if markup[1].lower() in (b"?xml", b"svg"):
        raise refuse(document.name, "this is XML, not a table", _TABLES)
    login = any(sign in low for sign in (b"password", b"login", b"log in", b"sign in"))
    page = "a web page (HTML), perhaps the page of a login" if login else "a web page (HTML)"
    do = "Open it in Excel and save it as .xlsx or CSV." if b"<table" in low and not login else _AGAIN
    raise refuse(document.name, f"this is {page}, not a table", do)
