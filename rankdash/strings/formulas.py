"""Protection against texts that a spreadsheet would run as a formula, and its removal where such a table is read.

An apostrophe is put in front of a text that begins like a formula, or like apostrophes and a formula, so that the
change can be undone. Marks that turn the direction of writing, and make a cell look like another, are spelled out, as
``\\u202e``. A table with such a text has a column that says so, and only such a table is changed back: in other files
an apostrophe is part of the text.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow

#: The column of a written table that tells for each row whether an apostrophe was put in front of a text.
DISARMED = "disarmed"
_BEGINS = r"[=+\-@\t\r＝＋－＠]"
_TURNS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SPELLED = {sign: f"\\u{ord(sign):04x}" for sign in _TURNS}
_BACKSLASH = "\\u005c"
#: Text that looks like a sign that was spelled out; its backslash is spelled out.
_LOOKS_SPELLED = rf"\\({'|'.join(text[1:] for text in (*_SPELLED.values(), _BACKSLASH))})"
_TURNED = f"[{_TURNS}]|{_LOOKS_SPELLED}"
_DANGEROUS = f"^'*{_BEGINS}|{_TURNED}"


def disarmed(text: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return a text column in which no text begins like a formula of a spreadsheet, or turns the writing."""
    if _any(pc.match_substring_regex(text, _TURNED)):
        text = pc.replace_substring_regex(text, pattern=_LOOKS_SPELLED, replacement=rf"\{_BACKSLASH}\1")
        for sign, spelled in _SPELLED.items():
            text = pc.replace_substring(text, pattern=sign, replacement=spelled)
    return pc.replace_substring_regex(text, pattern=f"^('*{_BEGINS})", replacement="'\\1")


def taken_back(text: pa.Array) -> tuple[pa.Array, int]:
    """Return a column as it was before ``disarmed``, and how many texts were changed back."""
    count = pc.sum(pc.match_substring_regex(text, f"^'+{_BEGINS}|{_LOOKS_SPELLED}")).as_py() or 0
    text = pc.replace_substring_regex(text, pattern=f"^'('*{_BEGINS})", replacement="\\1")
    if _any(pc.match_substring_regex(text, _LOOKS_SPELLED)):
        for sign, spelled in {**_SPELLED, "\\": _BACKSLASH}.items():
            text = pc.replace_substring(text, pattern=spelled, replacement=sign)
    return text, count


def for_spreadsheets(table: pa.Table) -> pa.Table:
    """Return the table with its texts and headings disarmed, and with the column ``DISARMED`` where any had to be."""
    names = disarmed(arrow.from_strings(table.column_names)).to_pylist()
    texts = [column for column in table.columns if _is_text(column.type)]
    if names == table.column_names and not any(_any(pc.match_substring_regex(text, _DANGEROUS)) for text in texts):
        return table
    rows = [False] * len(table)
    for text in texts:
        like = pc.fill_null(pc.match_substring_regex(text, _DANGEROUS), False).to_pylist()
        rows = [before or now for before, now in zip(rows, like, strict=True)]
    said = arrow.from_strings(["yes" if row else "" for row in rows])
    columns = [disarmed(column) if _is_text(column.type) else column for column in table.columns]
    return pa.Table.from_arrays([*columns, said], names=[*names, DISARMED])


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _any(matched: pa.ChunkedArray) -> bool:
    return bool(pc.any(matched).as_py())
