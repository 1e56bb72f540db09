"""Files of at most 1 MB that are as much work as their makers could think of; none is a table that anybody has."""

from __future__ import annotations

import bz2
import gzip
import io
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

from tests.reading.attacks_in_form import IN_FORM
from tests.reading.attacks_in_text import IN_TEXT
from tests.reading.made_files import archive, workbook

MEGABYTE = 1_000_000
CSV = b"query_id,doc_id,rank\n"


def filled(part: str | bytes, begin: str | bytes = b"", end: str | bytes = b"", size: int = MEGABYTE) -> bytes:
    """A part repeated up to a size, between a beginning and an end."""
    begin, part, end = (one.encode() if isinstance(one, str) else one for one in (begin, part, end))
    return begin + part * ((size - len(begin) - len(end)) // len(part)) + end


def each_name(count: int = 60_000) -> bytes:
    """JSON records that each bring a name of their own."""
    return json.dumps([{"query_id": "q", "doc_id": "d", f"n{i}": 1} for i in range(count)]).encode()[:MEGABYTE] + b"]"


def _lines(make: Callable[[int], str], begin: str = "", size: int = MEGABYTE) -> bytes:
    text, i = [begin], 0
    length = len(begin)
    while length < size:
        line = make(i)
        length += len(line)
        text.append(line)
        i += 1
    return "".join(text).encode()[:size]


def _zip_of(make: Callable[[zipfile.ZipFile], None]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        make(packed)
    return out.getvalue()


def many_files() -> bytes:
    """A zip archive of thousands of empty tables."""
    return _zip_of(lambda packed: [packed.writestr(f"{i}.csv", "") for i in range(9_000)] and None)


def nested(depth: int = 20) -> bytes:
    """Archives in archives."""
    content = CSV + b"q,a,1\n"
    for i in range(depth):
        content = archive({f"{i}.zip": content})
    return content


def many_tar() -> bytes:
    """A packed tar archive of many empty files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as packed:
        for i in range(60_000):
            packed.addfile(tarfile.TarInfo(f"{i}"))
    return out.getvalue()


def _parts(rows: list[list[object]]) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(workbook({"S": rows}))) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


SHEET = "xl/worksheets/sheet1.xml"


def shared_strings(count: int = 3_000_000) -> bytes:
    """A workbook with millions of shared strings, which nothing uses."""
    files = _parts([["query_id", "doc_id"], ["q", "a"]])
    text = b"<sst>" + b"<si><t>x</t></si>" * count + b"</sst>"
    return archive({**files, "xl/sharedStrings.xml": text})


def far_cell() -> bytes:
    """A workbook whose one other cell is the last that there is."""
    files = _parts([["query_id", "doc_id"], ["q", "a"]])
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    return archive({**files, SHEET: files[SHEET].replace(b"</sheetData>", far)})


def many_cells(count: int = 2_000_000) -> bytes:
    """A workbook of millions of small cells: they pack to very little."""
    files = _parts([["query_id", "doc_id"], ["q", "a"]])
    row = b"<row>" + b"<c><v>1</v></c>" * 20 + b"</row>"
    return archive({**files, SHEET: files[SHEET].replace(b"</sheetData>", row * (count // 20) + b"</sheetData>")})


def wide_parquet() -> bytes:
    """A Parquet file of one repeated number, many times over."""
    out = io.BytesIO()
    zeros = pa.array(np.zeros(15_000_000, np.int64))
    pq.write_table(pa.table({"query_id": zeros, "doc_id": zeros, "rank": zeros}), out, compression="zstd")
    return out.getvalue()


def many_columns() -> bytes:
    """A Parquet file of thousands of columns."""
    out = io.BytesIO()
    pq.write_table(pa.table({f"c{i}": [1] for i in range(3_400)}), out)
    return out.getvalue()


def bad_offsets() -> bytes:
    """An Arrow file whose texts begin and end beyond its bytes."""
    table = pa.table({"query_id": ["q"] * 1000, "doc_id": [f"d{i}" for i in range(1000)]})
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as stream:
        stream.write_table(table)
    content = bytearray(out.getvalue())
    at = content.find(struct.pack("<4i", 0, 1, 2, 3))
    content[at : at + 16] = struct.pack("<4i", 0, 2**31 - 1, -5, 2**30)
    return bytes(content)


def _noise() -> bytes:
    return random.Random(1).randbytes(MEGABYTE)


#: Made when they are asked for.
ATTACKS: dict[str, Callable[[], bytes]] = {
    "digits.trec": lambda: filled("1", "q ", "x 1\n"),
    "digits.csv": lambda: filled("1", "query_id,doc_id,score\nq,a,", "\n"),
    "digits-400.csv": lambda: _lines(lambda i: f"q,d{i},{'1' * 390}x\n", "query_id,doc_id,score\n"),
    "digits.json": lambda: filled("1", b'[{"query_id":"q","doc_id":"a","score":', "}]"),
    "exponent.csv": lambda: _lines(lambda i: f"q,d{i},1e999999999\n", "query_id,doc_id,score\n"),
    "exponent.json": lambda: _lines(lambda i: f'{{"query_id":"q","doc_id":"d{i}","score":1e999999999}}\n'),
    "brackets.csv": lambda: filled("(", "query_id,doc_id,score,", "\nq,a,1,2\n"),
    "section.txt": lambda: filled("a", "["),
    "section-words.txt": lambda: filled("a ", "[", "\nquery_id,doc_id\nq,a\n"),
    "sections.txt": lambda: filled("[a a a a\n", b"", CSV),
    "backslashes.csv": lambda: filled("\\", CSV + b'q,"a', '"",1\n'),
    "escaped.json": lambda: filled('\\"', '["', "\\"),
    "blanks.csv": lambda: filled(" ", "query_id,doc_id,vote\nq,a,", "x\n"),
    "names.json": each_name,
    "names-deep.json": lambda: _lines(lambda i: f'{{"query_id":"q","x{i}":{{"y{i}":1}}}}\n'),
    "keys.json": lambda: _lines(lambda i: f'"{i}":1,', "{")[:-20] + b'"z":1}',
    "keys-deep.json": lambda: _lines(lambda i: f'"{i}":{{"{i}":1}},', "{")[:-40] + b'"z":{"z":1}}',
    "deep.json": lambda: filled("[") + b"",
    "deep-closed.json": lambda: b"[" * 500_000 + b"]" * 500_000,
    "deep-objects.json": lambda: filled('{"a":'),
    "wrapped.json": lambda: filled('{"data":', b"", b""),
    "one-line.json": lambda: filled("1,", '[{"query_id":"q","docs":[', "1]}]"),
    "open-quote.csv": lambda: filled("q,a,1\n", CSV + b'q,"b,1\n'),
    "quotes.csv": lambda: filled('"', CSV),
    "quotes-apart.csv": lambda: filled('"a\n",', CSV),
    "quote-rows.csv": lambda: filled('q,"a\n1,2,3",1\n', CSV),
    "quotes-open.csv": lambda: filled('q,"a,1\n', CSV),
    "commas.csv": lambda: filled(","),
    "comma-lines.csv": lambda: filled(",\n"),
    "semicolons.csv": lambda: filled(";", b"", b"\n") * 1,
    "wide.csv": lambda: _lines(lambda i: f"c{i},"),
    "wide-known.csv": lambda: filled("doc_id,", "query_id,", "x\n1,2\n"),
    "long-name.csv": lambda: filled("Ab ", b"query_id,doc_id,", b"\nq,a,1\n"),
    "lines.csv": lambda: filled("\n"),
    "blank-lines.csv": lambda: filled(" \n"),
    "returns.csv": lambda: filled("\r"),
    "long-line.csv": lambda: filled("x"),
    "spaces.txt": lambda: filled(" "),
    "words.txt": lambda: filled("a "),
    "colons.txt": lambda: filled("a: b\n"),
    "comments.csv": lambda: filled("#\n", CSV),
    "rules.csv": lambda: filled("---+---\n", CSV),
    "headers.csv": lambda: filled(CSV),
    "footers.csv": lambda: filled("total: 1\n", CSV + b"q,a,1\n"),
    "no-end.trec": lambda: filled("q Q0 d 1 1 t ", b"q Q0 d 1 1 t\n"),
    "feature.letor": lambda: filled("1 qid:1 1000000000:1\n"),
    "features.letor": lambda: _lines(lambda i: f"{i}:1 ", "1 qid:1 "),
    "queries.letor": lambda: _lines(lambda i: f"1 qid:{i} 1:1\n"),
    "list-brackets.csv": lambda: filled("[", 'query_id,docs\nq,"', '"\n'),
    "list-cells.csv": lambda: filled('q,"[[[[[[[[[[[[[[[[[[[[[[[[[["\n', "query_id,docs\n"),
    "list-quotes.csv": lambda: filled("'", 'query_id,docs\nq,"[', '"\n'),
    "list-numbers.csv": lambda: filled("1,", 'query_id,docs\nq,"[', '1]"\n'),
    "rank-columns.csv": lambda: _lines(lambda i: f"rank{i + 1},", "query_id,")[:-9] + b"\nq,a\n",
    "grade-words.csv": lambda: _lines(lambda i: f"q,d{i},word {i}\n", "query_id,doc_id,relevance\n"),
    "vote-words.csv": lambda: _lines(lambda i: f"q{i},word {i}\n", "query_id,vote\n"),
    "models.csv": lambda: _lines(lambda i: f"m{i},q,d,1\n", "model,query_id,doc_id,rank\n"),
    "noise.bin": _noise,
    "noise-high.txt": lambda: bytes(byte | 0x80 for byte in _noise()),
    "latin.csv": lambda: filled("q,d\xe9,1\n".encode("latin-1"), CSV),
    "mixed.csv": lambda: filled("q,d\xe9,1\n".encode("latin-1") + "甲\n".encode("gb18030"), CSV),
    "marks.csv": lambda: filled(b"\xef\xbb\xbf", b"", CSV),
    "utf-16.csv": lambda: filled("q,a,1\n".encode("utf-16-le"), CSV.decode().encode("utf-16-le")),
    "utf-16-mark.csv": lambda: filled(b"\x00\xd8", b"\xff\xfe"),
    "zeros.bin": lambda: filled(b"\0"),
    "bomb.gz": lambda: gzip.compress(bytes(90 * MEGABYTE), 9) * 10,
    "rows.csv.gz": lambda: gzip.compress(filled(b"q,a,1\n", CSV, b"", 190 * MEGABYTE), 9),
    "open-quote.csv.gz": lambda: gzip.compress(filled(b"q,a,1\n", CSV + b'"', b"", 40 * MEGABYTE), 9),
    "names.json.gz": lambda: gzip.compress(
        b"".join(b'{"query_id":"q","n%d":1}\n' % i for i in range(250_000)), 9)[:MEGABYTE],
    "twice.gz": lambda: gzip.compress(gzip.compress(bytes(100 * MEGABYTE), 9), 9),
    "members.gz": lambda: filled(gzip.compress(b"")),
    "bomb.bz2": lambda: bz2.compress(filled(b"q,a,1\n", CSV, b"", 50 * MEGABYTE)),
    "bomb.xz": lambda: lzma.compress(filled(b"q,a,1\n", CSV, b"", 150 * MEGABYTE)),
    "nested.zip": nested,
    "many.zip": many_files,
    "many.tar.gz": many_tar,
    "strings.xlsx": shared_strings,
    "far.xlsx": far_cell,
    "cells.xlsx": many_cells,
    "zeros.parquet": wide_parquet,
    "columns.parquet": many_columns,
    "offsets.arrow": bad_offsets,
    **IN_FORM,
    **IN_TEXT,
}  # fmt: skip
