"""More attacks of at most 1 MB: containers, workbooks and tables whose form says more than they hold."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import json
import lzma
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tests.reading.made_files import archive, open_document, workbook

MEGABYTE = 1_000_000
CSV = b"query_id,doc_id,rank\n"
SHEET = "xl/worksheets/sheet1.xml"
ROWS: list[list[object]] = [["query_id", "doc_id"], ["q", "a"]]


def in_turn(times: int = 12) -> bytes:
    """A table packed by gzip, zip, bzip2 and xz in turn, again and again."""
    content = CSV + b"q,a,1\n" * 100_000
    ways: list[Callable[[bytes], bytes]] = [
        gzip.compress,
        lambda inner: archive({"a.csv": inner}),
        bz2.compress,
        lzma.compress,
    ]
    for pack in itertools.islice(itertools.cycle(ways), times):
        content = pack(content)
    return content


def overlapping(count: int = 9_000) -> bytes:
    """A zip archive of thousands of names for one packed file of many zeros."""
    kernel = io.BytesIO()
    with zipfile.ZipFile(kernel, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.csv", bytes(30 * MEGABYTE))
    raw = kernel.getvalue()
    at = raw.index(b"PK\x01\x02")
    entry, end = raw[at : raw.index(b"PK\x05\x06")], bytearray(raw[raw.index(b"PK\x05\x06") :])
    entries = entry * count
    end[8:12] = struct.pack("<HH", count, count)
    end[12:20] = struct.pack("<II", len(entries), at)
    return raw[:at] + entries + bytes(end)


def false_size() -> bytes:
    """A zip archive that says that its file has ten bytes."""
    content = bytearray(archive({"a.csv": CSV + b"q,a,1\n" * 8_000_000}))
    for sign, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(sign) + place
        content[at : at + 4] = struct.pack("<I", 10)
    return bytes(content)


def large_claim() -> bytes:
    """A tar archive whose file says that it has an exabyte."""
    info = tarfile.TarInfo("a.csv")
    info.size = 2**60
    return info.tobuf(tarfile.GNU_FORMAT) + CSV


def long_names() -> bytes:
    """A packed tar archive whose headers claim names of hundreds of MB."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 180 * MEGABYTE
    return gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(180 * MEGABYTE), 9)


def _parts(rows: list[list[object]]) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(workbook({"S": rows}))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def with_sheet(change: Callable[[bytes], bytes], more: dict[str, bytes] | None = None) -> bytes:
    """A workbook with another sheet than it was made with."""
    files = _parts(ROWS)
    return archive({**files, SHEET: change(files[SHEET]), **(more or {})})


def merged(ranges: bytes) -> bytes:
    """A workbook with merged ranges."""
    end = b"</sheetData><mergeCells>" + ranges + b"</mergeCells>"
    return with_sheet(lambda sheet: sheet.replace(b"</sheetData>", end))


def many_merged(count: int = 180_000) -> bytes:
    """A workbook with hundreds of thousands of merged ranges below each other."""
    return merged(b"".join(b'<mergeCell ref="A%d:B%d"/>' % (2 * i + 1, 2 * i + 2) for i in range(count)))


def repeated_string(count: int = 700_000) -> bytes:
    """A workbook whose cells all hold one long shared string."""
    text = b"<sst><si><t>" + b"x" * 32_000 + b"</t></si></sst>"
    rows = b'<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>' * (count // 2)
    end = rows + b"</sheetData>"
    return with_sheet(lambda sheet: sheet.replace(b"</sheetData>", end), {"xl/sharedStrings.xml": text})


def laughs() -> bytes:
    """A workbook with entities made of entities."""
    names = "abcdefghij"
    told = '<!ENTITY a "lol">' + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in itertools.pairwise(names))
    text = f"<?xml version='1.0'?><!DOCTYPE sst [{told}]><sst><si><t>&j;</t></si></sst>".encode()
    return with_sheet(lambda sheet: sheet, {"xl/sharedStrings.xml": text})


def many_sheets(count: int = 3_500) -> bytes:
    """A workbook of thousands of sheets."""
    return workbook({f"S{i}": [["a"]] for i in range(count)})[:MEGABYTE]


def deep_sheet(depth: int = 2_000_000) -> bytes:
    """A workbook whose elements stand in each other, millions deep."""
    return with_sheet(lambda sheet: sheet.replace(b"</sheetData>", b"<a>" * depth + b"</sheetData>"))


def wide_repeats() -> bytes:
    """An OpenDocument sheet that repeats one cell over all columns and rows."""
    with zipfile.ZipFile(io.BytesIO(open_document({"S": ROWS}))) as packed:
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
    head[76:80] = struct.pack("<I", 0)
    table = struct.pack("<II", 0xFFFFFFFD, 1) + struct.pack("<I", 1) * 126
    return bytes(head) + table + bytes(512) * 1_900


def parquet(table: pa.Table, **how: object) -> bytes:
    """A table as Parquet."""
    out = io.BytesIO()
    pq.write_table(table, out, **how)
    return out.getvalue()


def _run(rows: int) -> pa.Table:
    zeros = np.zeros(rows, np.int32)
    return pa.table({"query_id": zeros, "doc_id": np.arange(rows, dtype=np.int32), "rank": zeros})


def told_much() -> bytes:
    """A Parquet file with metadata of a MB."""
    table = _run(10).replace_schema_metadata({"pandas": "[" * 300_000, **{f"k{i}": "v" for i in range(30_000)}})
    return parquet(table)[-MEGABYTE:]


def many_groups() -> bytes:
    """A Parquet file of thousands of row groups of one row."""
    return parquet(_run(1_850), row_group_size=1)


def deep_parquet(depth: int = 90) -> bytes:
    """A Parquet file with lists in lists."""
    kind: pa.DataType = pa.int32()
    for _ in range(depth):
        kind = pa.list_(kind)
    value: object = 1
    for _ in range(depth):
        value = [value]
    return parquet(pa.table({"query_id": ["q"], "docs": pa.array([value], kind)}))


def deep_arrow(depth: int = 3_000) -> bytes:
    """An Arrow stream whose schema is thousands deep."""
    kind: pa.DataType = pa.int32()
    for _ in range(depth):
        kind = pa.list_(kind)
    out = io.BytesIO()
    with pa.ipc.new_stream(out, pa.schema([("query_id", kind), ("doc_id", pa.string())])):
        pass
    return out.getvalue()


def repeated_text() -> bytes:
    """A Parquet file of one text of 500 bytes, many times over."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(3_000_000, np.int32)), pa.array(["x" * 500]))
    ids = pa.array(np.zeros(3_000_000, np.int32))
    return parquet(pa.table({"query_id": ids, "doc_id": text, "title": text, "rank": ids}), compression="zstd")


def long_lists() -> bytes:
    """A Parquet file of one row, whose list has millions of items."""
    return parquet(pa.table({"query_id": ["q"], "docs": [np.zeros(30_000_000, np.int32)]}), compression="zstd")


def packed_arrow() -> bytes:
    """An Arrow file whose columns are packed: they unpack to thousands of times their size."""
    table, out = _run(20_000_000).drop_columns(["doc_id"]), io.BytesIO()
    table = table.append_column("doc_id", table.column("query_id"))
    with pa.ipc.new_file(out, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    return out.getvalue()


def other_footer(change: Callable[[bytearray, int], None]) -> bytes:
    """A Parquet file with a changed footer, which begins at a place."""
    content = bytearray(parquet(_run(1_000)))
    change(content, len(content) - 8 - struct.unpack("<I", content[-8:-4])[0])
    return bytes(content)


def _shuffled_footer(content: bytearray, at: int) -> None:
    chance = random.Random(1)
    for place in chance.sample(range(at, len(content) - 8), 20):
        content[place] = chance.randrange(256)


def _large_numbers(content: bytearray, at: int) -> None:
    content[at + 8 : at + 17] = b"\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"


def objects(depth: int) -> str:
    """JSON objects in each other."""
    return '{"a":' * depth + "1" + "}" * depth


IN_FORM: dict[str, Callable[[], bytes]] = {
    "in-turn.gz": in_turn,
    "overlapping.zip": overlapping,
    "false-size.zip": false_size,
    "claim.tar": large_claim,
    "long-name.tar.gz": long_names,
    "merged-all.xlsx": lambda: merged(b'<mergeCell ref="A1:XFD1048576"/>'),
    "merged-each.xlsx": lambda: merged(b'<mergeCell ref="A1:B1048576"/>' * 500_000),
    "merged-many.xlsx": many_merged,
    "dimension.xlsx": lambda: with_sheet(
        lambda sheet: sheet.replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')),
    "one-string.xlsx": repeated_string,
    "laughs.xlsx": laughs,
    "sheets.xlsx": many_sheets,
    "deep.xlsx": deep_sheet,
    "attributes.xlsx": lambda: with_sheet(
        lambda sheet: sheet.replace(b"<sheetData>", b"<sheetData " + b'a="1" ' * 4_000_000 + b">")),
    "repeats.ods": wide_repeats,
    "ring.xls": chained_xls,
    "told.parquet": told_much,
    "groups.parquet": many_groups,
    "deep.parquet": deep_parquet,
    "text.parquet": repeated_text,
    "list.parquet": long_lists,
    "footer.parquet": lambda: other_footer(_shuffled_footer),
    "numbers.parquet": lambda: other_footer(_large_numbers),
    "deep.arrows": deep_arrow,
    "packed.arrow": packed_arrow,
    "objects.jsonl": lambda: "\n".join([objects(900)] * 180).encode(),
    "lists.json": lambda: b"[" + b",".join([b"[" * 500 + b"]" * 500] * 990) + b"]",
    "same-name.json": lambda: b"[{" + b",".join([b'"doc_id":"a"'] * 70_000) + b"}]",
    "same-name-deep.json": lambda: b"{" + b",".join([b'"q":{"a":1}'] * 80_000) + b"}",
    "records-in-one.json": lambda: json.dumps({"q": [{"doc_id": f"d{i}"} for i in range(40_000)]}).encode(),
    "hits.json": lambda: b'{"responses":[' + b",".join([b'{"hits":{"hits":[]}}'] * 47_000) + b"]}",
    "escapes.json": lambda: b'[{"query_id":"q","doc_id":"' + b"\\ud800" * 160_000 + b'"}]',
    "long-keys.json": lambda: b"[" + b",".join([b'{"%s%d":1}' % (b"k" * 9_900, i) for i in range(100)]) + b"]",
    "long-ids.json": lambda: json.dumps(
        [{"query_id": "q", "doc_id": "x" * 9_900 + str(i)} for i in range(100)]).encode(),
    "commas.json": lambda: b"[" + b"," * 999_000 + b"]",
    "empty-objects.json": lambda: b"[" + b"{}," * 330_000 + b"{}]",
    "empty-lines.jsonl": lambda: b'{"query_id":"q","doc_id":"a"}\n' + b"{}\n" * 330_000,
    "columns.json": lambda: json.dumps(
        {"query_id": {str(i): "q" for i in range(35_000)}, "doc_id": {str(i): "d" for i in range(35_000)}}).encode(),
    "lengths.json": lambda: b"[" + b",".join(b"[%s0]" % (b"0," * (i % 900)) for i in range(1_000)) + b"]",
}  # fmt: skip
