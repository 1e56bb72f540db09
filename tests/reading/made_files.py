"""Small files of formats that need more than a string: workbooks and archives, made byte by byte."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

_OFFICE = "http://schemas.openxmlformats.org"
_MAIN = f"{_OFFICE}/spreadsheetml/2006/main"
_LINKS = f"{_OFFICE}/package/2006/relationships"
_LINK = f"{_OFFICE}/officeDocument/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

Row = Sequence[object]


def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a table, or all of them."""
    return [tuple(row[name] for name in names or row) for row in table.table.to_pylist()]


def archive(files: Mapping[str, bytes | str]) -> bytes:
    """A zip archive of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def workbook(sheets: Mapping[str, Sequence[Row]], merged: Sequence[str] = (), hidden: Sequence[str] = ()) -> bytes:
    """An .xlsx workbook: rows of text, numbers, truths and None (no cell), the same merged ranges on each sheet."""
    numbers = range(1, len(sheets) + 1)
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{types}.worksheet+xml"/>' for i in numbers
    )
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_LINK}/worksheet" Target="worksheets/sheet{i}.xml"/>' for i in numbers
    )
    states = {name: ' state="hidden"' if name in hidden else "" for name in sheets}
    named = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}"{states[name]} r:id="r{i}"/>'
        for i, name in enumerate(sheets, start=1)
    )
    files = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_OFFICE}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>{parts}</Types>',
        "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_LINKS}"><Relationship Id="r1" '
        f'Type="{_LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINK}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_LINKS}">{links}</Relationships>',
    }
    for i, rows in enumerate(sheets.values(), start=1):
        files[f"xl/worksheets/sheet{i}.xml"] = _sheet(rows, merged)
    return archive(files)


def _sheet(rows: Sequence[Row], merged: Sequence[str]) -> str:
    lines = "".join(
        f'<row r="{i}">{"".join(_cell(chr(65 + j) + str(i), value) for j, value in enumerate(row))}</row>'
        for i, row in enumerate(rows, start=1)
    )
    ranges = "".join(f'<mergeCell ref="{place}"/>' for place in merged)
    ranges = f'<mergeCells count="{len(merged)}">{ranges}</mergeCells>' if merged else ""
    return f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>{lines}</sheetData>{ranges}</worksheet>'


def _cell(place: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f'<c r="{place}"><v>{value!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def old_workbook(rows: Sequence[Row]) -> bytes:
    """An .xls workbook (BIFF8 in a compound file) with one sheet of text and numbers."""
    cells = b"".join(
        _old_cell(i, j, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value is not None
    )
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 6)) + cells + _record(0x000A, b"")
    name = b"\x05\x00Sheet"
    start = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 6)) + _record(0x0042, b"\xb0\x04")
    place = len(start) + 4 + 6 + len(name) + 4
    globals_ = start + _record(0x0085, struct.pack("<IH", place, 0) + name) + _record(0x000A, b"")
    return _compound(globals_ + sheet)


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _old_cell(row: int, column: int, value: object) -> bytes:
    place = struct.pack("<HHH", row, column, 0)
    if isinstance(value, (int, float)):
        return _record(0x0203, place + struct.pack("<d", value))
    text = str(value)
    return _record(0x0204, place + struct.pack("<HB", len(text), 1) + text.encode("utf-16-le"))


def _compound(stream: bytes) -> bytes:
    """A compound file with one stream, called Workbook."""
    stream = stream.ljust(max(4096, -(-len(stream) // 512) * 512), b"\0")
    sectors = len(stream) // 512
    table = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, sectors + 2), 0xFFFFFFFE]
    table += [0xFFFFFFFF] * (128 - len(table))
    assert len(table) == 128

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        text = (name + "\0").encode("utf-16-le") if name else b""
        return (
            text.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(text), kind, 1, 0xFFFFFFFF, 0xFFFFFFFF, child)
            + bytes(36)
            + struct.pack("<IQ", start, size)
        )

    none = 0xFFFFFFFF
    folder = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry("Workbook", 2, none, 2, len(stream))
    folder += entry("", 0, none, 0, 0) * 2
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    head += struct.pack("<I", 0) + struct.pack("<I", none) * 108
    return head + struct.pack("<128I", *table) + folder + stream


def open_document(sheets: Mapping[str, Sequence[Row]]) -> bytes:
    """An .ods workbook of LibreOffice: text, numbers, truths and None (an empty cell)."""
    names = "".join(
        f' xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{one}:1.0"' for one in ("office", "table", "text")
    )
    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(f"<table:table-row>{''.join(map(_open_cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": f"{_HEAD}<office:document-content{names}>{body}</office:document-content>",
            "META-INF/manifest.xml": f"{_HEAD}<manifest:manifest/>",
        }
    )


def _open_cell(value: object) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        kind = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, (int, float)):
        kind = f'office:value-type="float" office:value="{value!r}"'
    else:
        kind = 'office:value-type="string"'
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"


def binary_workbook(rows: Sequence[Row]) -> bytes:
    """An .xlsb workbook (BIFF12) with one sheet of text and numbers."""
    sheet = _binary(0x81) + _binary(0x94, struct.pack("<IIII", 0, len(rows) - 1, 0, max(map(len, rows)) - 1))
    sheet += _binary(0x91)
    for i, row in enumerate(rows):
        sheet += _binary(0x00, struct.pack("<I", i) + bytes(21))
        sheet += b"".join(_binary_cell(j, value) for j, value in enumerate(row) if value is not None)
    sheet += _binary(0x92) + _binary(0x82)
    bundle = struct.pack("<II", 0, 1) + _wide("r1") + _wide("Sheet")
    book = _binary(0x83) + _binary(0x8F) + _binary(0x9C, bundle) + _binary(0x90) + _binary(0x9D) + _binary(0x84)
    link = f'<Relationship Id="r1" Type="{_LINK}/worksheet" Target="worksheets/sheet1.bin"/>'
    return archive(
        {
            "[Content_Types].xml": f"{_HEAD}<Types/>",
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": f'{_HEAD}<Relationships xmlns="{_LINKS}">{link}</Relationships>',
            "xl/worksheets/sheet1.bin": sheet,
        }
    )


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _binary(kind: int, content: bytes = b"") -> bytes:
    """A record: type and length in groups of seven bits."""
    head, length = bytearray(), len(content)
    head += bytes([kind]) if kind < 128 else bytes([kind & 127 | 128, kind >> 7])
    while length > 127:
        head.append(length & 127 | 128)
        length >>= 7
    return bytes(head) + bytes([length]) + content


def _binary_cell(column: int, value: object) -> bytes:
    place = struct.pack("<II", column, 0)
    if isinstance(value, (int, float)):
        return _binary(0x05, place + struct.pack("<d", value))
    return _binary(0x06, place + _wide(str(value)))
