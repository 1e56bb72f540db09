"""Ids of an upload that a user chose to read as numbers: 001, 1.0 and 1 are one id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.intake import FileReading
from rankdash.notes import warning
from rankdash.reading import Problem, ReadError
from rankdash.tables import Models


def with_numbers(reading: FileReading) -> FileReading:
    """Return a reading whose table has its ids as numbers, or the error where two ids of it would become one."""
    table = reading.table
    try:
        if isinstance(table, Models):
            judgments = table.judgments and _numbered(table.judgments)
            return replace(reading, table=Models(tuple(map(_numbered, table.runs)), judgments))
        return replace(reading, table=table and _numbered(table))
    except ReadError as error:
        return replace(reading, table=None, error=error)


def _numbered(table: Any) -> Any:
    rows, source = table.table, table.source
    for name in {"query_id", "doc_id"} & {*rows.column_names}:
        ids = rows.column(name).combine_chunks()
        is_text = not pa.types.is_dictionary(ids.type)
        texts = ids if is_text else ids.dictionary
        numbers = pc.replace_substring_regex(texts, r"^0*([0-9]+)(?:\.0)?$", r"\1")
        if pc.count_distinct(numbers) != pc.count_distinct(texts):
            what = f'two ids of column "{name}" are the same number, such as 01 and 1'
            raise ReadError([Problem("unclear", source.name, what, allowed="Match ids as they are written.")])
        column = numbers if is_text else ids.from_arrays(ids.indices, numbers)
        rows = rows.set_column(rows.column_names.index(name), name, column)
    said = warning("ids_as_numbers", "Ids were matched as numbers, as asked: 001 and 1.0 are 1.")
    return replace(table, table=rows, source=source.noting(said))
