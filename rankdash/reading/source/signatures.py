"""File signatures: how the first bytes tell packing, format and encoding, or that a file is not a table.

The names of files are not used.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

_NEAR = 1 << 12
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_TABLES = "Give TREC, CSV, TSV, JSON, Excel (.xlsx, .xls, .xlsb), .ods, LETOR, Parquet or Arrow."
_UNPACK = "Unpack it first."
_AGAIN = "Download the file again, signed in."
_PARQUET = "Save the table as Parquet or CSV."
_SAVE = "Open it in Excel and save it as .xlsx or CSV."


Check = Callable[[bytes], bool]


def _always(_: bytes) -> bool:
    return True


@dataclass(frozen=True)
class Signature:
    """What a file is whose bytes from ``at`` on are ``begins``, and of which the first bytes pass ``fits``.

    ``name`` of what can be read; of what is no table, ``what`` is wrong with it, and what to ``do``.
    """

    role: Literal["packing", "archive", "workbook", "table", "other", "text"]
    name: str
    begins: bytes = b""
    at: int = 0
    fits: Check = _always
    what: str = ""
    do: str = ""


def _has_zeros(head: bytes) -> bool:
    """Return whether there are zeros among the first bytes: what may begin a text as well is none with them."""
    return b"\0" in head[:_NEAR]


def _is_stream(head: bytes) -> bool:
    """Return whether an Arrow stream says how long its schema is."""
    return 0 < int.from_bytes(head[4:8], "little", signed=True) < 1 << 24


def _other(begins: bytes, name: str, do: str = _TABLES, fits: Check = _always, at: int = 0) -> Signature:
    """Return the signature of what is no table."""
    return Signature("other", name, begins, at, fits, what=f"this is {name}, not a table", do=do)


#: The first that fits counts.
SIGNATURES = (
    Signature("packing", "gzip", b"\x1f\x8b"),
    Signature("packing", "bzip2", b"BZh", fits=lambda head: head[4:10] == b"1AY&SY"),
    Signature("packing", "xz", b"\xfd7zXZ\x00"),
    Signature("packing", "zstd", b"\x28\xb5\x2f\xfd"),
    Signature("archive", "zip", b"PK\x03\x04"),
    Signature("archive", "zip", b"PK\x05\x06"),
    Signature("workbook", "OLE", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    Signature("table", "Parquet", b"PAR1"),
    Signature("table", "Arrow", b"ARROW1\0\0"),
    Signature("table", "Arrow", b"\xff\xff\xff\xff", fits=_is_stream),
    _other(b"\x89PNG", "a picture (PNG)"),
    _other(b"\xff\xd8\xff", "a picture (JPEG)"),
    _other(b"GIF8", "a picture (GIF)"),
    _other(b"RIFF", "a picture or a recording (RIFF)", fits=_has_zeros),
    _other(b"%PDF", "a PDF document"),
    _other(b"ustar", "a tar archive", _UNPACK, at=257),
    _other(b"\x04\x22\x4d\x18", "packed with LZ4", _UNPACK),
    _other(b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    _other(b"Rar!", "a RAR archive", _UNPACK, fits=_has_zeros),
    _other(b"\x1f\x9d", "packed with compress", _UNPACK),
    _other(b"PARE", "an encrypted Parquet file", "Save the table without encryption.", fits=_has_zeros),
    _other(b"FEA1", "a Feather file of the first version", _PARQUET, fits=_has_zeros),
    _other(b"\x93NUMPY", "a NumPy array"),
    _other(b"\x89HDF", "an HDF5 file", _PARQUET),
    _other(b"SQLite format 3", "an SQLite database", _PARQUET),
    _other(b"ORC", "an ORC file", _PARQUET, fits=_has_zeros),
    _other(b"Obj\x01", "an Avro file", _PARQUET),
    _other(b"<stata_dta>", "a Stata file", _PARQUET),
    _other(b"MATLAB 5.0 MAT-file", "a MATLAB file", _PARQUET),
    _other(b"version https://git-lfs", "a pointer of Git LFS to the file", "Fetch the file itself with git lfs pull."),
    _other(b"\x7fELF", "a program"),
    _other(b"MZ\x90\0", "a program"),
    _other(b"{\\rtf", "a text document (RTF)"),
)
TEXT = Signature("text", "text")
_PICKLE_HEAD = re.compile(rb"\x80[\x02-\x05]|\((dp|lp)\d+\n|c(__builtin__|copy_reg|numpy|pandas)[.\n]")
_MARKUP = re.compile(rb"<(!doctype|html|head|body|script|meta|title|div|table|!--|\?xml|svg)", re.I)

_MODEL = "Give the lists that it makes, or the scores of the documents."
#: Texts of other tools that are no tables: how each begins, what it is, and what to do.
_TEXTS = (
    (
        re.compile(rb"\s*<top(ics)?\b", re.I),
        "these are TREC topics, not a table",
        "Write each query on a line: its number, a tab, and its title.",
    ),
    (
        re.compile(
            rb"## (LambdaMART|LambdaRank|MART|RankNet|RankBoost|AdaRank|Coordinate Ascent|ListNet|Random Forests|"
            rb"Linear Regression)\s"
        ),
        "this is a model of RankLib, not a table",
        _MODEL,
    ),
    (re.compile(rb"tree\r?\nversion="), "this is a model of LightGBM, not a table", _MODEL),
    (re.compile(rb"booster\[\d+\]:?\r?\n"), "this is a model of XGBoost, not a table", _MODEL),
    (re.compile(rb"Version \d+\.\d+\.\d+\r?\nId\b"), "this is a model of Vowpal Wabbit, not a table", _MODEL),
)

_ENOUGH = 1 << 14
_VALUE = re.compile(rb"[01]\.\d{4}")
#: What trec_eval calls its measures.
_MEASURE = re.compile(
    rb"runid|num_(q|ret|rel|rel_ret|nonrel_judged_ret)|(gm_)?map|(gm_)?bpref|Rprec|recip_rank|infAP|G|binG|utility|"
    rb"11pt_avg|(iprec_at_recall|P|relative_P|recall|Rprec_mult|ndcg_cut|map_cut|success|set_F|relstring)_[\d.]+|"
    rb"R?ndcg(_rel)?|set_(P|recall|relative_P|map|F)|(map|P|Rprec_mult)_avgjg(_[\d.]+)?"
)
#: What ir_measures calls its measures, and a line of its output: query, measure and value, as text or as JSON.
_ITS_NAME = (
    rb"(nDCG|AP|P|R|RR|ERR|RBP|Bpref|Rprec|Success|Judged|IPrec|SetP|SetR|SetF|SetAP|SetRelP|NumQ|NumRel|NumRet|Compat|"
    rb"Accuracy|infAP|INST|INSQ|alpha_nDCG|ERR_IA|NRBP|nNRBP|AP_IA|P_IA|StRecall|BPM|SDCG|NERR\d+|MRR|MAP|NDCG)"
    rb"(\([^\t]*\))?(@\d+)?"
)
_ITS_MEASURE = re.compile(_ITS_NAME)
_ITS_LINE = re.compile(
    rb"[^\t]+\t" + _ITS_NAME + rb"\t-?[\d.]+(e-?\d+)?|"
    rb'\{"query_id": ?"[^"]*", ?"measure": ?"' + _ITS_NAME + rb'", ?"value": ?-?[\d.]+(e-?\d+)?\}'
)
#: What ranx calls its measures.
_OF_RANX = re.compile(
    r"(hits|hit_rate|precision|recall|f1|r_precision|mrr|map|ndcg|ndcg_burges|dcg|dcg_burges|bpref|rank_biased_precision|rbp)"
    r"([@.-]l?\d+)*"
)
#: What sentence-transformers and MTEB call theirs, the first behind the function that compares: cosine_ndcg@10.
_OF_EVALUATORS = re.compile(
    r"(\w+[_-])?(accuracy|precision|recall|ndcg|mrr|map|hit_rate)(@k|@\d+|_at_\d+)|main_score", re.IGNORECASE
)
#: Shorter names of measures are those of documents as well.
_TELLING = 3
#: The headings of the scores of a case, as Quepid exports them.
_ITS_SCORES = re.compile(rb"(team name,case name,case id,)?query text,score,(date last scored,)?count(,|\r?\n|\r|$)")


def _is_of_quepid(head: bytes) -> bool:
    """Return whether the headings are those of the scores of Quepid's queries, beside no document."""
    headings = head.removeprefix(codecs.BOM_UTF8).split(b"\n", 1)[0].replace(b'"', b"").lower()
    return _ITS_SCORES.match(headings) is not None and b",doc id" not in headings


def _is_of_ir_measures(head: bytes) -> bool:
    """Return whether every line is a query, a measure of ir_measures and its value; the last may not end."""
    lines = [line.strip() for line in head[:_ENOUGH].splitlines() if line.strip()]
    whole = lines if len(head) < _ENOUGH else lines[:-1]
    return bool(whole) and all(map(_ITS_LINE.fullmatch, whole))


def are_measures(names: Iterable[str], *, telling: bool = False) -> bool:
    """Return whether every name is that of a measure of trec_eval, ir_measures, ranx or an evaluator; ``telling``: and
    one of them is no short word or letter, as documents are called too.
    """
    some = [*names]
    forms = ((name, name.encode("utf-8", "replace")) for name in some)
    every = all(
        _MEASURE.fullmatch(own)
        or _ITS_MEASURE.fullmatch(own)
        or _OF_RANX.fullmatch(name)
        or _OF_EVALUATORS.fullmatch(name)
        for name, own in forms
    )
    return every and (not telling or any(len(name) >= _TELLING for name in some))


def _is_evaluation(head: bytes) -> bool:
    """Return whether most lines are a measure, a query (or "all") and its value.

    A query may be called as a measure is: there are several measures, a value for all, or values as trec_eval writes
    them.
    """
    lines = [line.split() for line in head[:_ENOUGH].splitlines() if line.strip()]
    values = [words for words in lines if len(words) == 3 and _MEASURE.fullmatch(words[0])]
    if len(values) * 2 <= len(lines):
        return False
    several = any(words[1] == b"all" for words in values) or len({words[0] for words in values}) > 1
    return several or all(_VALUE.fullmatch(words[2]) for words in values)


def signature_of(head: bytes) -> Signature:
    """Return the signature of a file with these first bytes; ``TEXT`` where they match no other."""
    for sign in SIGNATURES:
        if head.startswith(sign.begins, sign.at) and sign.fits(head):
            return sign
    return _pickled(head) or _evaluated(head) or _of_a_tool(head) or _marked_up(head) or TEXT


def marked(head: bytes) -> str:
    """Return the encoding that a byte order mark, or zeros between letters, give away; "" where there is neither."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    quarters = [head[place : 1 << 12 : 4] for place in range(4)]
    zeros = [bool(quarter) and quarter.count(0) == len(quarter) for quarter in quarters]
    if zeros in ([False, False, True, True], [False, True, True, True]):
        return "utf-32-le"
    if zeros in ([True, True, False, False], [True, True, True, False]):
        return "utf-32-be"
    even, odd = head[: 1 << 12 : 2].count(0), head[1 : 1 << 12 : 2].count(0)
    enough = max(even, odd) > 3 and max(even, odd) * 20 > len(head[: 1 << 12])
    if enough and min(even, odd) * 10 < max(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return ""


def _refused(what: str, do: str) -> Signature:
    return Signature("other", "", what=what, do=do)


def _pickled(head: bytes) -> Signature | None:
    if not _PICKLE_HEAD.match(head):
        return None
    return _refused("this is a pickled Python object, which is never loaded", _PARQUET)


def _evaluated(head: bytes) -> Signature | None:
    if _is_of_quepid(head):
        what = "these are Quepid's scores of queries, without documents, not a run and no judgments"
        return _refused(what, "Export the case as Detailed, or a Snapshot.")
    if _is_of_ir_measures(head):
        what = "this is the output of ir_measures (query, measure, value), not a run and no judgments"
    elif _is_evaluation(head):
        what = "this is the output of trec_eval (measure, query, value), not a run and no judgments"
    else:
        return None
    return _refused(what, "Give the run and the judgments that were evaluated.")


def _of_a_tool(head: bytes) -> Signature | None:
    bare = head.removeprefix(codecs.BOM_UTF8)
    return next((_refused(what, do) for begins, what, do in _TEXTS if begins.match(bare)), None)


def _marked_up(head: bytes) -> Signature | None:
    markup = _MARKUP.match(head.removeprefix(codecs.BOM_UTF8).lstrip()[:100])
    if markup is None:
        return None
    low = head.lower()
    if b"office:spreadsheet" in low or (b"<table" in low and b"office:excel" in low):
        return _refused("this is a workbook saved as XML or as a web page", _SAVE)
    if markup[1].lower() in (b"?xml", b"svg"):
        return _refused("this is XML, not a table", _TABLES)
    login = any(sign in low for sign in (b"password", b"login", b"log in", b"sign in"))
    page = "a web page (HTML), perhaps the page of a login" if login else "a web page (HTML)"
    return _refused(f"this is {page}, not a table", _SAVE if b"<table" in low and not login else _AGAIN)
