"""Files of at most 1 MB that are as much work as their makers could think of; none is a table that anybody has."""

import bz2
import gzip
import io
import itertools
import json
import lzma
import random
import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.reading.made_files import archive, open_document, workbook

MEGABYTE = 1_000_000
CSV = b"query_id,doc_id,rank\n"
#: Marks that stand on the letter before them, of falling classes, so that putting them in order moves every one.
MARKS = "\u031b\u0316\u0300\u0315"
SHEET = "xl/worksheets/sheet1.xml"
Made = Callable[[], bytes]


def filled(part: str | bytes, begin: str | bytes = b"", end: str | bytes = b"", size: int = MEGABYTE) -> bytes:
    """A part repeated up to a size, between a beginning and an end."""
    begin, part, end = (one.encode() if isinstance(one, str) else one for one in (begin, part, end))
    return begin + part * ((size - len(begin) - len(end)) // len(part)) + end


def lines_up_to(lines: Iterable[str], begin: str = "", size: int = MEGABYTE) -> bytes:
    """Lines until a size is reached, behind a beginning."""
    found, length = [begin], len(begin.encode())
    for line in lines:
        length += len(line.encode()) + 1
        if length > size:
            break
        found.append(line + "\n")
    return "".join(found).encode()


def numbered(line: str) -> Iterable[str]:
    """A line with a number in it, again and again."""
    return (line.replace("{i}", str(i)) for i in itertools.count())


def marked(count: int) -> str:
    """A letter with marks in an order that is no canonical one."""
    return "a" + "".join(itertools.islice(itertools.cycle(MARKS), count))


def at_random(signs: str) -> bytes:
    """Signs at random."""
    return "".join(random.Random(1).choices(signs, k=MEGABYTE)).encode()


# --- archives --------------------------------------------------------------------------------------------------------


def in_turn(times: int) -> bytes:
    """A table packed by gzip, zip, bzip2 and xz in turn, again and again."""
    content = CSV + b"q,a,1\n" * 100_000
    ways: list[Callable[[bytes], bytes]] = [
        gzip.compress,
        lambda inner: archive({"a": inner}),
        bz2.compress,
        lzma.compress,
    ]
    for pack in itertools.islice(itertools.cycle(ways), times):
        content = pack(content)
    return content


def overlapping(count: int = 9_000) -> bytes:
    """A zip archive of thousands of names for one packed file of many zeros."""
    raw = archive({"a.csv": bytes(30 * MEGABYTE)})
    at = raw.index(b"PK\x01\x02")
    entry, end = raw[at : raw.index(b"PK\x05\x06")], bytearray(raw[raw.index(b"PK\x05\x06") :])
    end[8:12] = struct.pack("<HH", count, count)
    end[12:20] = struct.pack("<II", len(entry) * count, at)
    return raw[:at] + entry * count + bytes(end)


def false_size() -> bytes:
    """A zip archive that says that its file has ten bytes."""
    content = bytearray(archive({"a.csv": CSV + b"q,a,1\n" * 8_000_000}))
    for sign, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(sign) + place
        content[at : at + 4] = struct.pack("<I", 10)
    return bytes(content)


# --- workbooks -------------------------------------------------------------------------------------------------------


def with_sheet(old: bytes, new: bytes, more: Mapping[str, bytes] | None = None) -> bytes:
    """A workbook whose sheet has something else in the place of a part."""
    with zipfile.ZipFile(io.BytesIO(workbook({"S": [["query_id", "doc_id"], ["q", "a"]]}))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    return archive({**files, SHEET: files[SHEET].replace(old, new), **(more or {})})


END = b"</sheetData>"


def shared_strings(count: int = 3_000_000) -> bytes:
    """A workbook with millions of shared strings, which nothing uses."""
    return with_sheet(b"", b"", {"xl/sharedStrings.xml": b"<sst>" + b"<si><t>x</t></si>" * count + b"</sst>"})


def far_cell() -> bytes:
    """A workbook whose one other cell is the last that there is."""
    return with_sheet(END, b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' + END)


def many_cells(count: int = 2_000_000) -> bytes:
    """A workbook of millions of small cells: they pack to very little."""
    row = b"<row>" + b"<c><v>1</v></c>" * 20 + b"</row>"
    return with_sheet(END, row * (count // 20) + END)


def repeated_string(count: int = 700_000) -> bytes:
    """A workbook whose cells all hold one long shared string."""
    text = b"<sst><si><t>" + b"x" * 32_000 + b"</t></si></sst>"
    rows = b'<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * (count // 2)
    return with_sheet(END, rows + END, {"xl/sharedStrings.xml": text})


def laughs() -> bytes:
    """A workbook with entities made of entities."""
    named = '<!ENTITY a "lol">'
    named += "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in itertools.pairwise("abcdefghij"))
    text = f"<?xml version='1.0'?><!DOCTYPE sst [{named}]><sst><si><t>&j;</t></si></sst>".encode()
    return with_sheet(b"", b"", {"xl/sharedStrings.xml": text})


def wide_repeats() -> bytes:
    """An OpenDocument sheet that repeats one cell over all columns and rows."""
    with zipfile.ZipFile(io.BytesIO(open_document({"S": [["query_id", "doc_id"], ["q", "a"]]}))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    cell = b'<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    rows = b'<table:table-row table:number-rows-repeated="1048576">' + cell + b"</table:table-row></table:table>"
    return archive({**files, "content.xml": files["content.xml"].replace(b"</table:table>", rows)})


def chained_xls() -> bytes:
    """An old workbook whose sectors follow each other in a ring."""
    head = bytearray(512)
    head[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    head[24:34] = struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    head[44:52] = struct.pack("<II", 1, 1)
    return bytes(head) + struct.pack("<II", 0xFFFFFFFD, 1) + struct.pack("<I", 1) * 126 + bytes(512) * 1_900


# --- Parquet and Arrow -----------------------------------------------------------------------------------------------


def parquet(table: pa.Table, **how: object) -> bytes:
    """A table as Parquet."""
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def arrow(table: pa.Table, packed: str | None = None) -> bytes:
    """A table as an Arrow file."""
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema, options=pa.ipc.IpcWriteOptions(compression=packed)) as stream:
        stream.write_table(table)
    return out.getvalue()


def zeros(rows: int, *names: str) -> pa.Table:
    """Columns of one repeated number."""
    return pa.table({name: np.zeros(rows, np.int32) for name in ("query_id", "doc_id", "rank", *names)})


def nested_list(depth: int) -> pa.DataType:
    """The type of lists in lists."""
    kind: pa.DataType = pa.int32()
    for _ in range(depth):
        kind = pa.list_(kind)
    return kind


def deep_arrow() -> bytes:
    """An Arrow stream whose schema is thousands deep."""
    out = io.BytesIO()
    with pa.ipc.new_stream(out, pa.schema([("query_id", nested_list(3_000)), ("doc_id", pa.string())])):
        pass
    return out.getvalue()


def bad_offsets() -> bytes:
    """An Arrow file whose texts begin and end beyond its bytes."""
    content = bytearray(arrow(pa.table({"query_id": ["q"] * 1000, "doc_id": [f"d{i}" for i in range(1000)]})))
    at = content.find(struct.pack("<4i", 0, 1, 2, 3))
    content[at : at + 16] = struct.pack("<4i", 0, 2**31 - 1, -5, 2**30)
    return bytes(content)


def shuffled_footer() -> bytes:
    """A Parquet file whose footer has other bytes in some places."""
    content, chance = bytearray(parquet(zeros(1_000))), random.Random(1)
    begin = len(content) - 8 - struct.unpack("<I", content[-8:-4])[0]
    for place in chance.sample(range(begin, len(content) - 8), 20):
        content[place] = chance.randrange(256)
    return bytes(content)


def repeated_text() -> bytes:
    """A Parquet file of one text of 500 bytes, many times over."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(3_000_000, np.int32)), pa.array(["x" * 500]))
    return parquet(zeros(3_000_000).append_column("title", text), compression="zstd")


def _gz(content: bytes) -> bytes:
    return gzip.compress(content, 9)


def _lines(begin: str, line: str) -> Made:
    return lambda: lines_up_to(numbered(line), begin)


_RUN, _SCORES, _GRADES, _VOTES = (
    CSV.decode(),
    "query_id,doc_id,score\n",
    "query_id,doc_id,relevance\n",
    "query_id,vote\n",
)
#: A part that is repeated, and what stands before and behind it.
_FILLED: Mapping[str, tuple[str | bytes, ...]] = {
    "digits.trec": ("1", "q ", "x 1\n"),
    "thousands.csv": ("1,", _SCORES + 'q,a,"', '1"\n'),
    "one-line.json": ("1,", '[{"query_id":"q","docs":[', "1]}]"),
    "deep.json": ("[",),
    "escaped.json": ('\\"', '["', "\\"),
    "open-quote.csv": ("q,a,1\n", _RUN + 'q,"b,1\n'),
    "quotes.csv": ('"', _RUN),
    "quotes-inside.csv": ('q,a"b"c,1\n', _RUN),
    "commas.csv": (",",),
    "brackets.csv": ("(", "query_id,doc_id,score,", "\nq,a,1,2\n"),
    "lines.csv": ("\n",),
    "long-line.csv": ("x",),
    "spaces.txt": (" ",),
    "colons.txt": ("a: b\n",),
    "comments.csv": ("#\n", _RUN),
    "rules.csv": ("---+---\n", _RUN),
    "late.letor": ("1 qid:1 1:1\n", "", "x" * 900),
    "marks.csv": (b"\xef\xbb\xbf", "", CSV),
    "latin.csv": (b"q,d\xe9,1\n", _RUN),
    "one-byte-late.csv": ("q,a,1\n", _RUN, b"\xff"),
    "utf-16-mark.csv": (b"\x00\xd8", b"\xff\xfe"),
    "markup.xml": ("<a>",),
    "numbers.txt": ("1\n",),
    "escapes.json": ("\\ud800", '[{"query_id":"q","doc_id":"', '"}]'),
    "members.gz": (gzip.compress(b""),),
}
#: A line that is repeated with a number in it, below another.
_NUMBERED: Mapping[str, tuple[str, str]] = {
    "exponent.json": ("", '{"query_id":"q","doc_id":"d{i}","score":1e999999999}'),
    "queries.letor": ("", "1 qid:{i} 1:1"),
    "grade-words.csv": (_GRADES, "q,d{i},word {i}"),
    "models.csv": ("model,query_id,doc_id,rank\n", "m{i},q,d,1"),
    "raters.csv": ("query_id,rater,vote\n", "q,r{i},good"),
    "trec-five.txt": ("", "q Q0 d{i} 1 1"),
    "separators.csv": (_RUN, "q,d{i}\u2028\u2029\x0b\x0c\x1c\x85,1"),
    "widening.csv": (_RUN, "{i}" + "\ufdfa" * 3_000 + ",a,1"),
    "marks-id.csv": (_RUN, "q,{i}" + marked(4_900) + ",1"),
}
#: Made when they are asked for.
ATTACKS: dict[str, Made] = {
    **{name: partial(filled, *parts) for name, parts in _FILLED.items()},
    **{name: _lines(*parts) for name, parts in _NUMBERED.items()},
    "names.json": lambda: json.dumps([{"query_id": "q", f"n{i}": 1} for i in range(30_000)]).encode(),
    "keys.json": lambda: json.dumps({str(i): {str(i): 1} for i in range(40_000)}).encode(),
    "hits.json": lambda: b'{"responses":[' + b",".join([b'{"hits":{"hits":[]}}'] * 47_000) + b"]}",
    "rank-columns.csv": lambda: ("query_id," + ",".join(f"rank{i}" for i in range(90_000)) + "\nq,a\n").encode(),
    "marks-heading.csv": lambda: ("query_id,doc_id," + marked(480_000) + "\nq,a,1\n").encode(),
    **{
        f"random-{i}.csv": partial(at_random, signs)
        for i, signs in enumerate((",;\t|\"' \n\ra1", '"",\n', "09.eE+- \n"))
    },
    "noise.bin": lambda: random.Random(1).randbytes(MEGABYTE),
    "bomb.gz": lambda: _gz(bytes(90 * MEGABYTE)) * 10,
    "open-quote.csv.gz": lambda: _gz(filled(b"q,a,1\n", CSV + b'"', size=40 * MEGABYTE)),
    "twice.gz": lambda: _gz(_gz(bytes(100 * MEGABYTE))),
    "bomb.xz": lambda: lzma.compress(filled(b"q,a,1\n", CSV, size=50 * MEGABYTE)),
    "in-turn.gz": lambda: in_turn(12),
    "many.zip": lambda: archive({f"{i}.csv": "" for i in range(9_000)}),
    "overlapping.zip": overlapping,
    "false-size.zip": false_size,
    "strings.xlsx": shared_strings,
    "far.xlsx": far_cell,
    "cells.xlsx": many_cells,
    "one-string.xlsx": repeated_string,
    "laughs.xlsx": laughs,
    "merged-each.xlsx": lambda: with_sheet(
        END, END + b"<mergeCells>" + b'<mergeCell ref="A1:B1048576"/>' * 500_000 + b"</mergeCells>"
    ),
    "deep.xlsx": lambda: with_sheet(END, b"<a>" * 2_000_000 + END),
    "repeats.ods": wide_repeats,
    "ring.xls": chained_xls,
    "zeros.parquet": lambda: parquet(zeros(15_000_000), compression="zstd"),
    "columns.parquet": lambda: parquet(pa.table({f"c{i}": [1] for i in range(3_400)})),
    "text.parquet": repeated_text,
    "deep.parquet": lambda: parquet(pa.table({"query_id": ["q"], "docs": pa.nulls(1, nested_list(90))})),
    "footer.parquet": shuffled_footer,
    "packed.arrow": lambda: arrow(zeros(20_000_000), "zstd"),
    "offsets.arrow": bad_offsets,
    "deep.arrows": deep_arrow,
}
