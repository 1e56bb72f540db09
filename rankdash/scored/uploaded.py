"""The files of a folder of scored queries as they are uploaded: a manifest, and the parts that it names.

Nothing here knows what the values mean: columns and header are returned as they stand, and the caller checks them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.intake.files import FileReading, Given, content_of
from rankdash.reading import LIMITS, Limits, Problem, ReadError
from rankdash.scored.aliases import Aliases, aliases_in_all
from rankdash.scored.table import ALIASES
from rankdash.tables import Scored, Source

MANIFEST = "manifest.json"
#: What the folder is, and the version of its form; that of the columns is in the header.
FORM, VERSION = "rankdash scored queries", 1
#: The column with the place of a query, and the number of bytes that end a Parquet file: its footer's length, a mark.
PLACES, _TAIL = "place", 8
#: The bytes that a manifest may have.
_LARGEST = 5_000_000
_SCORE_AGAIN = "Drop all files of the folder that rankdash score wrote, or score the runs again."


def footer_digest(file: BinaryIO) -> str:
    """Return the digest of a Parquet file's footer, which says where everything is; "" where it has none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - _TAIL, 0))
    length = int.from_bytes(file.read(4), "little")
    if length > size - _TAIL:
        return ""
    file.seek(size - _TAIL - length)
    return hashlib.sha256(file.read()).hexdigest()


def scored(files: Sequence[Given], under: str, *, limits: Limits = LIMITS) -> FileReading:
    """Return a reading with the ``Scored`` table of uploaded files; the header is in its metadata ``under`` that name.

    Whatever is in the files, nothing is raised: the reading has the error.
    """
    contents = {os.path.basename(file.name): content_of(file.source) for file in files}
    try:
        manifest = _manifest(contents)
        table, aliases = _together([(_part(contents, entry), entry.get("aliases", {})) for entry in manifest["parts"]])
        header = json.dumps(manifest["header"], ensure_ascii=False)
        metadata = {under.encode(): header, ALIASES: json.dumps(aliases)}
        table = _in_order(table, manifest["order"]).replace_schema_metadata(metadata)
        table.validate(full=True)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError, pa.ArrowException) as error:
        why = str(error) if type(error) is _Broken else "the files are not what rankdash score wrote"
        return FileReading(error=ReadError((Problem("unreadable", MANIFEST, why, allowed=_SCORE_AGAIN),)))
    return FileReading(Scored(table, Source(rows=len(table))))


class _Broken(ValueError):
    """What is wrong with the files, in words."""


def _manifest(contents: Mapping[str, bytes]) -> Mapping[str, Any]:
    if MANIFEST not in contents:
        raise _Broken(f"{MANIFEST} is missing")
    if len(contents[MANIFEST]) > _LARGEST:
        raise _Broken(f"{MANIFEST} has more than {_LARGEST:,} bytes")
    manifest: Mapping[str, Any] = json.loads(contents[MANIFEST])
    if manifest["form"] != FORM:
        raise _Broken(f"{MANIFEST} is none of scored queries")
    if manifest["version"] != VERSION:
        raise _Broken(f"the queries were scored in form {manifest['version']!r}, and this program reads form {VERSION}")
    return manifest


def _part(contents: Mapping[str, bytes], entry: Mapping[str, Any]) -> pa.Table:
    import pyarrow.parquet as pq

    name = os.path.basename(entry["name"])
    if name not in contents:
        raise _Broken(f"{name} is missing")
    content = contents[name]
    if len(content) != entry["bytes"] or footer_digest(io.BytesIO(content)) != entry["sha256"]:
        raise _Broken(f"{name} is not the file that was written")
    with pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True) as file:
        return file.read().replace_schema_metadata(None)


def _together(parts: Sequence[tuple[pa.Table, Aliases]]) -> tuple[pa.Table, Aliases]:
    """Return the parts as a single table, and the columns that equal an earlier one in all of them."""
    (first, of_first), *_ = parts
    types = {name: first.schema.field(of_first.get(name, name)).type for name in [*first.column_names, *of_first]}
    aliases = aliases_in_all([of_part for _, of_part in parts], types)
    columns = {
        name: [part.column(of_part.get(name, name)) for part, of_part in parts] for name in types if name not in aliases
    }
    chunks = {name: [chunk for column in several for chunk in column.chunks] for name, several in columns.items()}
    return pa.table({name: arrow.one_chunk(pa.chunked_array(several)) for name, several in chunks.items()}), aliases


def _in_order(table: pa.Table, order: str) -> pa.Table:
    """Return the queries in their order: as they stand, by the places of their judgments, or by the bytes of ids."""
    if order == "rows":
        return table
    if order == "ids":
        return table.take(pc.array_sort_indices(arrow.one_chunk(table.column("query_id"))))
    places = arrow.as_numpy(arrow.one_chunk(table.column(PLACES)))
    return table.take(arrow.from_numpy(np.argsort(places, kind="stable"))).drop_columns([PLACES])
