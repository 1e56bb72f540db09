"""Queries that one file knows by their ids in Quepid and another by their texts: all are called by their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import pyarrow as pa

from rankdash import arrow
from rankdash.tables import QUEPID_IDS, QUEPID_TEXTS, Judgments, Queries, Run, Votes

_Key = TypeVar("_Key", bound=str)


def by_texts(tables: Mapping[_Key, Any]) -> dict[_Key, Any]:
    """Return the tables of one comparison, those of Quepid's snapshots by the texts of their queries where more queries
    meet so than by their ids.

    They meet those of the judgments; without judgments those of the first table. A snapshot in which two queries would
    have one name keeps the ids.
    """
    there = {key: table for key, table in tables.items() if isinstance(table, (Run, Judgments, Queries, Votes))}
    texts = {key: _texts(table) for key, table in there.items() if QUEPID_IDS in table.source.notes}
    if not texts:
        return dict(tables)
    ids = {key: table.table.column("query_id").unique().to_pylist() for key, table in there.items()}
    names = {key: [texts.get(key, {}).get(name, name) for name in own] for key, own in ids.items()}
    alike = {key: texts[key] for key in texts if texts[key] and len(set(names[key])) == len(ids[key])}
    about = next((key for key, table in there.items() if isinstance(table, Judgments)), next(iter(there), None))
    if _met({**ids, **{key: names[key] for key in alike}}, about) <= _met(ids, about):
        return dict(tables)
    return {key: _renamed(table, alike[key]) if key in alike else table for key, table in tables.items()}


def _met(names: Mapping[_Key, Sequence[str]], about: _Key | None) -> int:
    """Return how many queries the tables share with the one that they are ``about``."""
    theirs = set() if about is None else set(names[about])
    return sum(name in theirs for key, own in names.items() if key != about for name in own)


def _texts(table: Any) -> dict[str, str]:
    """Return the texts of the queries of a snapshot, by their ids; nothing where it does not bring them."""
    name = "text" if isinstance(table, Queries) else "query_text"
    if name not in table.table.column_names:
        return {}
    pairs = zip(*(table.table.column(own).to_pylist() for own in ("query_id", name)), strict=True)
    return {query: text for query, text in pairs if text}


def _renamed(table: Any, texts: Mapping[str, str]) -> Any:
    ids = arrow.one_chunk(table.table.column("query_id"))
    is_coded = pa.types.is_dictionary(ids.type)
    values = (ids.dictionary if is_coded else ids).to_pylist()
    names = arrow.from_strings([texts.get(value, value) for value in values])
    column = pa.DictionaryArray.from_arrays(ids.indices, names) if is_coded else names
    rows = table.table.set_column(table.table.column_names.index("query_id"), "query_id", column)
    notes = tuple(QUEPID_TEXTS if note == QUEPID_IDS else note for note in table.source.notes)
    return replace(
        table,
        table=rows.drop_columns([*{"query_text"} & {*rows.column_names}]),
        source=replace(table.source, notes=notes),
    )
