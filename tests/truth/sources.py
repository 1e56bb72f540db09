"""The sources that a world can be read from: what each is, which ids it can hold, and how it is written."""

import csv
import gzip
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import rankdash as rd
from tests.truth.worlds import Row, World

Write = Callable[[Sequence[Row], str, np.random.Generator], Any]


@dataclass(frozen=True)
class Source:
    """``write`` makes it of rows and the name of their number; ``repeats``: it can hold a document twice in a list."""

    write: Write
    alphabet: str
    repeats: bool = True

    def run(self, rows: Sequence[Row], seed: int = 0, name: str = "run") -> rd.Run:
        """Rows as a run, written and read back."""
        return rd.read_run(self.write(rows, "score", np.random.default_rng(seed)), name=name)

    def judgments(self, rows: Sequence[Row], seed: int = 0) -> rd.Judgments:
        """Rows as judgments, written and read back."""
        return rd.read_judgments(self.write(rows, "relevance", np.random.default_rng(seed)))

    def read(self, world: World) -> tuple[rd.Run, rd.Run, rd.Judgments]:
        """Both runs and the judgments of a world, written and read back."""
        runs = (self.run(world.a, world.seed, "A"), self.run(world.b, world.seed + 1, "B"))
        return *runs, self.judgments(world.judged, world.seed)


def nested(rows: Sequence[Row]) -> dict[str, list[list[Any]]]:
    """{query: [[document, number], ...]}."""
    found: dict[str, list[list[Any]]] = {}
    for query, doc, number in rows:
        found.setdefault(query, []).append([doc, number])
    return found


def _dict(rows: Sequence[Row], name: str, rng: np.random.Generator) -> dict[str, dict[str, float]]:
    return {query: dict(pairs) for query, pairs in nested(rows).items()}  # type: ignore[arg-type]


def _pairs(rows: Sequence[Row], name: str, rng: np.random.Generator) -> dict[str, list[list[Any]]]:
    return nested(rows)


def _frame(rows: Sequence[Row], name: str, rng: np.random.Generator) -> pd.DataFrame:
    kind = ["object", "string", "category"][int(rng.integers(3))]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", name]).astype({"query_id": kind, "doc_id": kind})


#: The types that ids have in Arrow tables; what is a dictionary may have any type of codes.
TEXTS: tuple[pa.DataType, ...] = (
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint16(), pa.string()),
    pa.dictionary(pa.int32(), pa.large_string()),
    pa.dictionary(pa.int64(), pa.string()),
)


def chunked(values: Sequence[Any], kind: pa.DataType, rng: np.random.Generator) -> pa.ChunkedArray:
    """A column cut at random places, some chunks empty, some with rows before them in their buffers."""
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    cuts = sorted(rng.integers(len(values) + 1, size=int(rng.integers(4))).tolist())
    chunks = []
    for start, stop in zip([0, *cuts], [*cuts, len(values)], strict=True):
        before = int(rng.integers(3))
        padded = pa.array([*values[:1] * before, *values[start:stop]], plain)
        if pa.types.is_dictionary(kind):
            padded = padded.dictionary_encode().cast(kind)
        chunks.append(padded[before * len(values[:1]) :])
    return pa.chunked_array(chunks, kind)


def _table(rows: Sequence[Row], name: str, rng: np.random.Generator) -> pa.Table:
    queries, docs, numbers = zip(*rows, strict=True)
    kinds = [TEXTS[i] for i in rng.integers(len(TEXTS), size=2)]
    kinds = [kind if len({*ids}) < 100 else pa.string() for kind, ids in zip(kinds, (queries, docs), strict=True)]
    columns = [chunked(queries, kinds[0], rng), chunked(docs, kinds[1], rng), chunked(numbers, pa.float64(), rng)]
    return pa.Table.from_arrays(columns, names=["query_id", "doc_id", name])


def _trec(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
    blank, end = [" ", "\t", "  "][int(rng.integers(3))], ["\n", "\r\n"][int(rng.integers(2))]
    if name == "relevance":
        lines = [blank.join((query, "0", doc, f"{number:g}")) for query, doc, number in rows]
    else:
        lines = [
            blank.join((query, "Q0", doc, str(at), repr(number), "tag")) for at, (query, doc, number) in enumerate(rows)
        ]
    return (end.join(lines) + end).encode()


def _delimited(delimiter: str) -> Write:
    def write(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
        text = io.StringIO()
        quoting = csv.QUOTE_ALL if rng.integers(2) else csv.QUOTE_MINIMAL
        writer = csv.writer(
            text, delimiter=delimiter, quoting=quoting, lineterminator=["\n", "\r\n"][int(rng.integers(2))]
        )
        writer.writerow(["query_id", "doc_id", name])
        writer.writerows(rows)
        return text.getvalue().encode()

    return write


def _packed(write: Write) -> Write:
    return lambda rows, name, rng: gzip.compress(write(rows, name, rng), 1, mtime=0)


def _parquet(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
    out = io.BytesIO()
    table = _table(rows, name, rng)
    kinds = [pa.string() if pa.types.is_string_view(field.type) else field.type for field in table.schema]
    table = table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))
    pq.write_table(
        table, out, row_group_size=int(rng.integers(1, 400)), use_dictionary=bool(rng.integers(2)),
        compression=["snappy", "zstd", "none"][int(rng.integers(3))],
    )  # fmt: skip
    return out.getvalue()


def _arrow(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
    out = io.BytesIO()
    table = _table(rows, name, rng).unify_dictionaries()
    with (pa.ipc.new_file if rng.integers(2) else pa.ipc.new_stream)(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=int(rng.integers(1, 400)))
    return out.getvalue()


def _records(rows: Sequence[Row], name: str) -> list[dict[str, Any]]:
    return [{"query_id": query, "doc_id": doc, name: number} for query, doc, number in rows]


def _json(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
    found = [_records(rows, name), nested(rows)][int(rng.integers(2))]
    return json.dumps(found, ensure_ascii=bool(rng.integers(2))).encode()


def _json_lines(rows: Sequence[Row], name: str, rng: np.random.Generator) -> bytes:
    ascii_only = bool(rng.integers(2))
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in _records(rows, name)).encode()


SOURCES = {
    "dict": Source(_dict, "any", repeats=False),
    "pairs": Source(_pairs, "any"),
    "frame": Source(_frame, "any"),
    "table": Source(_table, "any"),
    "trec": Source(_trec, "words"),
    "trec.gz": Source(_packed(_trec), "words"),
    "csv": Source(_delimited(","), "cells"),
    "csv.gz": Source(_packed(_delimited(",")), "cells"),
    "tsv": Source(_delimited("\t"), "cells"),
    "semicolons": Source(_delimited(";"), "cells"),
    "parquet": Source(_parquet, "any"),
    "arrow": Source(_arrow, "any"),
    "json": Source(_json, "any"),
    "json lines": Source(_json_lines, "any"),
}
