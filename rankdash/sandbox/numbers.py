"""Ids of an upload that are read as numbers, where somebody said so: 001, 1.0 and 1 are one id."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from rankdash.intake import FileReading
from rankdash.notes import warning
from rankdash.reading import Problem, ReadError
from rankdash.tables import Models

_NUMBER = {"pattern": r"^0*([0-9]+)(?:\.0)?$", "replacement": r"\1"}


def with_numbers(reading: FileReading) -> FileReading:
    """Return a reading whose table has its ids as numbers, or the error where two ids of it would become one."""
    try:
        return replace(reading, table=_numbered(reading.table))
    except ReadError as error:
        return replace(reading, table=None, error=error)


def _numbered(table: Any) -> Any:
    if isinstance(table, Models):
        return replace(table, runs=tuple(map(_numbered, table.runs)), judgments=_numbered(table.judgments))
    if table is None:
        return None
    rows, source = table.table, table.source
    for at, name in enumerate(rows.column_names):
        if name not in ("query_id", "doc_id"):
            continue
        ids = rows.column(at).combine_chunks()
        texts = ids.dictionary if pa.types.is_dictionary(ids.type) else ids
        numbers = pc.replace_substring_regex(texts, **_NUMBER)
        if pc.count_distinct(numbers) != pc.count_distinct(texts):
            what = f'two ids of column "{name}" are the same number, such as 01 and 1'
            raise ReadError([Problem("unclear", source.name, what, allowed="Match ids as they are written.")])
        rows = rows.set_column(at, name, numbers if texts is ids else ids.from_arrays(ids.indices, numbers))
    said = warning("ids_as_numbers", "Ids were matched as numbers, as asked: 001 and 1.0 are 1.")
    return replace(table, table=rows, source=source.noting(said))
