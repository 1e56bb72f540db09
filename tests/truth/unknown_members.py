"""Sources with members, columns and attributes that no reader knows, in every form; made at random, with their names.

A form is a function of the rows, of what is unknown, and of chance. It returns the source, and for each unknown the
names of which one at least has to be told.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pyarrow as pa

#: (query, document, number): a score of a run, a grade of judgments.
Row = tuple[str, str, float]

NAMES = ("x", "took", "explain", "Größe", "facets", "x y", "_shard", "note", "x\x1b[1m", "特徴", "vector", "features")


@dataclass
class Unknown:
    """Unknown members in the making: ``told`` has for each the names of which one has to be told."""

    chance: random.Random
    told: list[set[str]] = field(default_factory=list)

    def name(self) -> str:
        """A name that no other member has."""
        return f"{self.chance.choice(NAMES)}{self.chance.choice('qzj')}{len(self.told)}"

    def put(self, where: dict[str, Any], values: Sequence[Callable[[random.Random], Any]]) -> None:
        """Adds up to two unknown members to an object."""
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            name, value = self.name(), self.chance.choice(values)(self.chance)
            where[name] = value
            self.told.append({name} | ({*value} if isinstance(value, dict) else set()))

    def mixed(self, known: Mapping[str, Any], values: Sequence[Callable[[random.Random], Any]]) -> dict[str, Any]:
        """The members of an object among unknown ones, in any order."""
        made = dict(known)
        self.put(made, values)
        names = [*made]
        self.chance.shuffle(names)
        return {name: made[name] for name in names}


def _flat(chance: random.Random) -> dict[str, Any]:
    return {f"inner{chance.randint(10**6, 10**7)}": chance.randint(0, 9)}


#: Plain values, and all of them: lists and objects of any depth too.
PLAIN: tuple[Callable[[random.Random], Any], ...] = (
    lambda chance: chance.randint(0, 5),
    lambda chance: chance.random(),
    lambda chance: "text",
    lambda chance: "",
    lambda chance: None,
    lambda chance: chance.random() < 0.5,
)
ANY = (
    *PLAIN,
    _flat,
    lambda chance: {},
    lambda chance: [],
    lambda chance: [0.5, 1.5],
    lambda chance: ["a", "b"],
    lambda chance: [{"a": 1}],
    lambda chance: {f"deep{chance.randint(10**6, 10**7)}": {"m": {"n": [1, {"o": 2}]}}},
)


def by_query(rows: Sequence[Row]) -> dict[str, list[tuple[str, float]]]:
    """The documents of each query."""
    found: dict[str, list[tuple[str, float]]] = {}
    for query, doc, number in rows:
        found.setdefault(query, []).append((doc, number))
    return found


def flat_records(rows: Sequence[Row], number: str, unknown: Unknown, values: Any = PLAIN) -> list[dict[str, Any]]:
    """A record for each row; all have the same unknown members, whose values differ."""
    extra: dict[str, Any] = {}
    unknown.put(extra, values)
    unknown.put(extra, values)
    made = [{"query_id": query, "doc_id": doc, number: value, **extra} for query, doc, value in rows]
    names = [*made[0]]
    unknown.chance.shuffle(names)
    return [{name: one[name] for name in names} for one in made]


def csv_text(rows: Sequence[Row], number: str, unknown: Unknown) -> bytes:
    """A table with a header."""
    records = flat_records(rows, number, unknown)
    out = io.StringIO()
    writer = csv.DictWriter(out, [*records[0]], delimiter=unknown.chance.choice(",;\t|"), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().encode()


def json_records(rows: Sequence[Row], number: str, unknown: Unknown) -> bytes:
    """An array of records, or a line for each."""
    records = flat_records(rows, number, unknown, ANY)
    if unknown.chance.random() < 0.5:
        return "\n".join(map(json.dumps, records)).encode()
    return json.dumps(records, ensure_ascii=False).encode()


def nested(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """A list for each query, with members beside it and beside the documents."""
    chance = unknown.chance
    lists = by_query(rows)
    member = (
        chance.choice(["docs", "results", "hits"]) if number == "score" else chance.choice(["ratings", "judgments"])
    )
    extra: dict[str, Any] = {}
    unknown.put(extra, ANY)
    around: dict[str, Any] = {}
    unknown.put(around, ANY)
    records = []
    for query, docs in lists.items():
        documents = [{"doc_id": doc, number: value, **extra} for doc, value in docs]
        records.append({"query_id": query, member: documents, **around})
    shape = chance.choice(["records", "wrapped", "by query"])
    if shape == "records":
        return records
    if shape == "wrapped":
        return unknown.mixed({chance.choice(["data", "queries", "rows"]): records}, ANY)
    return {record.pop("query_id"): record if around else record[member] for record in records}


def parts(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """{query: {document: number}} in a member, with others beside it, lists or grades of other numbers among them."""
    chance = unknown.chance
    run, qrels = chance.choice(["run", "results"]), chance.choice(["qrels", "ratings"])
    own, other = (run, qrels) if number == "score" else (qrels, run)
    known: dict[str, Any] = {own: {query: dict(docs) for query, docs in by_query(rows).items()}}
    if chance.random() < 0.6:
        known[other] = {query: {doc: chance.randint(0, 3) for doc, _ in docs} for query, docs in by_query(rows).items()}
        unknown.told.append({other})
    return unknown.mixed(known, ANY)


def json_nested(rows: Sequence[Row], number: str, unknown: Unknown) -> bytes:
    """Nested lists, or parts, as JSON."""
    return json.dumps(unknown.chance.choice([nested, parts])(rows, number, unknown)).encode()


def dicts(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """The same in memory."""
    made = unknown.chance.choice([nested, parts])(rows, number, unknown)
    return made if isinstance(made, dict) else {"data": made}


def objects(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """Objects for each query, with attributes that nobody knows."""
    extra: dict[str, Any] = {}
    unknown.put(extra, (*PLAIN[:4], lambda chance: [0.5], lambda chance: object()))
    unknown.put(extra, PLAIN[:3])
    names = {name.lstrip("_"): name for name in extra}  # a leading underscore is private
    unknown.told = [{name.lstrip("_") for name in told} for told in unknown.told]
    extra = {name: extra[own] for name, own in names.items()}
    return {
        query: [SimpleNamespace(doc_id=doc, **{number: value}, **extra) for doc, value in docs]
        for query, docs in by_query(rows).items()
    }


_COLUMNS: tuple[Callable[[int], Any], ...] = (
    lambda n: pa.array([[1, 2]] * n),
    lambda n: pa.array([[]] * n, pa.list_(pa.int64())),
    lambda n: pa.array([{"a": 1}] * n),
    lambda n: pa.array([[{"a": 1}, {"a": 2}]] * n),
    lambda n: pa.array([[]] * n, pa.list_(pa.struct([("a", pa.int64())]))),
    lambda n: pa.array([[("k", 1)]] * n, pa.map_(pa.string(), pa.int64())),
    lambda n: pa.array([datetime.date(2026, 1, 2)] * n),
    lambda n: pa.array([b"\xff"] * n),
    lambda n: pa.nulls(n),
    lambda n: pa.array([True] * n),
    lambda n: pa.array(["x"] * n).dictionary_encode(),
    lambda n: pa.array([0.5] * n),
)


def tables(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """An Arrow table, a Parquet file or a frame with columns of any type."""
    chance = unknown.chance
    columns = {"query_id": pa.array([row[0] for row in rows]), "doc_id": pa.array([row[1] for row in rows])}
    columns[number] = pa.array([row[2] for row in rows])
    for _ in range(chance.randint(0, 3)):
        name = unknown.name()
        columns[name] = chance.choice(_COLUMNS)(len(rows))
        unknown.told.append({name})
    names = [*columns]
    chance.shuffle(names)
    table = pa.table({name: columns[name] for name in names})
    form = chance.choice(["table", "stream", "frame"])
    if form == "frame":
        return table.to_pandas()
    if form == "table":
        return table
    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


def records(rows: Sequence[Row], number: str, unknown: Unknown) -> Any:
    """Records in memory."""
    return flat_records(rows, number, unknown, (*PLAIN, lambda chance: [0.5], lambda chance: object()))


#: Seldom the slowest, often the ones with most to leave out.
FORMS = (csv_text, json_records, json_nested, json_nested, dicts, dicts, objects, records, tables)
