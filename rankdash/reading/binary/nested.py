"""Arrow tables with lists and structs in their cells, made flat: one row for each item of the lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash.arrow import as_numpy, from_numpy, one_chunk
from rankdash.reading.binary.sizes import text_sizes
from rankdash.reading.columns.synonyms import TIERS, key
from rankdash.reading.source.limits import Limits, megabytes
from rankdash.reading.source.problems import Problem, ReadError, refuse, too_many
from rankdash.reading.source.unread import not_read
from rankdash.reading.words.headings import GRADES, LISTS, NUMBER_LISTS, Kind

_INDEX = re.compile(r"__index_level_\d+__")
_PARTS = ("doc_id", "rank", "score", "relevance", "title")


def is_nested(kind: pa.DataType) -> bool:
    """Return whether a type is a list, a struct or a map."""
    return bool(pa.types.is_nested(kind))


def _is_list(kind: pa.DataType) -> bool:
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list, pa.types.is_map)
    return any(check(kind) for check in lists)


def flat(name: str, table: pa.Table, kind: Kind, limits: Limits) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table without structs, and with one row for each document of its lists, within the limits; and notes.

    ReadError where the lists of a row have different lengths.
    """
    table, unread = _without_lists(table) if kind == "queries" else (table, ())
    table, notes = _opened(table)
    notes = (*unread, *notes)
    lists = [i for i, field in enumerate(table.schema) if _is_list(field.type) and _holds_documents(field)]
    lists = lists or [i for i, field in enumerate(table.schema) if pa.types.is_map(field.type)]
    if any(_names_a_document(field) for field in table.schema):  # the lists are about that document
        lists = []
    if not lists or kind in ("queries", "votes"):
        return table, notes
    columns = [_plain(one_chunk(table.column(i))) for i in lists]
    lengths = _lengths(name, table.column_names[lists[0]], columns)
    if lengths.sum() > limits.rows:
        raise too_many(name, int(lengths.sum()), "documents", limits.rows)
    others = [one_chunk(table.column(i)) for i in range(len(table.schema)) if i not in lists]
    beside = sum(int((text_sizes(column) * lengths).sum()) for column in others)
    if beside > limits.unpacked:
        what = f"what stands beside the lists unpacks to {megabytes(beside)}"
        raise refuse("too_large", name, what, f"At most {megabytes(limits.unpacked)} are read.")
    parent = np.repeat(np.arange(table.num_rows), lengths)
    made: dict[str, pa.Array] = {}
    for i, column in zip(lists, columns, strict=True):
        made |= _items(table.column_names[i], column.flatten(), kind)
    for i, own in enumerate(table.column_names):
        if i not in lists and own not in made:
            made[own] = one_chunk(table.column(i)).take(from_numpy(parent))
    if kind != "judgments" and not _has_order(list(made)):
        first = np.repeat(np.cumsum(lengths) - lengths, lengths)
        made["rank"] = from_numpy((np.arange(len(parent)) - first + 1).astype(np.int32))
    note = f"The lists in the table were read as {len(parent):,} rows."
    return pa.Table.from_arrays(list(made.values()), names=list(made)), (*notes, note)


def _without_lists(table: pa.Table) -> tuple[pa.Table, tuple[str, ...]]:
    """Return a table of queries without what holds their documents or grades, and a note that names it."""
    lists = [field.name for field in table.schema if is_nested(field.type) and _is_about_documents(field)]
    return table.drop_columns(lists) if lists else table, not_read("Not read", lists)


def _is_about_documents(field: pa.Field) -> bool:
    own = key(field.name)
    return own in LISTS or own in GRADES or (_is_list(field.type) and _holds_documents(field))


def _opened(table: pa.Table) -> tuple[pa.Table, tuple[str, ...]]:
    """Return the table with the fields of structs as columns, and without the numbers that pandas gives rows; a note on
    these.
    """
    names = table.column_names
    kept = [at for at, own in enumerate(names) if not _INDEX.fullmatch(own)]
    notes = not_read("Not read", [own for own in names if _INDEX.fullmatch(own)]) if kept else ()
    if 0 < len(kept) < len(names):
        table = table.select(kept)
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    return table, notes


def _lengths(name: str, heading: str, columns: Sequence[pa.Array]) -> npt.NDArray[np.int64]:
    """Return the length of the lists of each row; ReadError where two of them differ."""
    lengths = [as_numpy(pc.fill_null(pc.list_value_length(column), 0).cast(pa.int64())) for column in columns]
    for other in lengths[1:]:
        wrong = np.flatnonzero(other != lengths[0])
        if len(wrong):
            problem = Problem(
                "malformed", name, "the lists of this row have different lengths", int(wrong[0]) + 1, heading
            )
            raise ReadError((problem,), len(wrong))
    result: npt.NDArray[np.int64] = lengths[0]
    return result


def _plain(column: pa.Array) -> pa.Array:
    """Return a list, whatever kind of list it was; a map is a list of structs."""
    kind = column.type
    if pa.types.is_map(kind):
        fields = [pa.field("doc_id", kind.key_type), pa.field("number", kind.item_type)]
        return column.cast(pa.map_(kind.key_type, kind.item_type)).cast(pa.list_(pa.struct(fields)))
    if pa.types.is_fixed_size_list(kind):
        return column.cast(pa.list_(kind.value_type))
    return column


def _names_a_document(field: pa.Field) -> bool:
    """Return whether a column of single values has a name that only documents have."""
    return not is_nested(field.type) and any(key(field.name) in tier for tier in TIERS["run"]["doc_id"][:2])


def _holds_documents(field: pa.Field) -> bool:
    """Return whether a list is one of documents or of something beside them, by its items or its heading."""
    own = key(field.name)
    if own in LISTS or own in NUMBER_LISTS or any(own in tier for part in _PARTS for tier in TIERS["run"][part]):
        return True
    if pa.types.is_map(field.type) or not pa.types.is_struct(field.type.value_type):
        return False
    names = [key(field.type.value_type.field(i).name) for i in range(field.type.value_type.num_fields)]
    return any(name in tier for name in names for tier in TIERS["run"]["doc_id"])


def _items(heading: str, values: pa.Array, kind: Kind) -> dict[str, pa.Array]:
    """Return the columns of the items of a list."""
    if pa.types.is_struct(values.type):
        names = [values.type.field(i).name for i in range(values.type.num_fields)]
        number = "relevance" if kind == "judgments" else "score"
        return {
            (number if name == "number" else name): part for name, part in zip(names, values.flatten(), strict=True)
        }
    own = key(heading)
    return {"doc_id" if own in LISTS else NUMBER_LISTS.get(own, heading): values}


def _has_order(names: Sequence[str]) -> bool:
    return any(key(name) in tier for name in names for part in ("rank", "score") for tier in TIERS["run"][part])
