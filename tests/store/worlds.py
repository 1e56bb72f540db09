"""Random tables of every kind that can be stored: odd text, nulls, NaN of any bits, dictionaries in any order."""

import struct
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from rankdash.tables import Run

#: No lone surrogates: Arrow holds UTF-8.
ODD = ["", "\0", "é", "e\u0301", "x" * 5000, "1", "01"]
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(ODD)
FURTHER = ["title", "query_text", "a.b", "", "ü", "PARQUET:x"]
floats = st.integers(0, 2**64 - 1).map(lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0]) | st.sampled_from(
    [0.0, -0.0, 1.5, float("inf"), float("nan")]
)
ids = st.sampled_from(["q1", "q10", "q2", "", "é", "Q1", "中", "\U0001f600", "z" * 300])


@st.composite
def any_table(draw: st.DrawFn, least: int = 0) -> pa.Table:
    """A run's table: ids, a score or a rank or both, and further columns."""
    n = draw(st.integers(least, 8))
    columns: dict[str, Any] = {"query_id": draw(_ids(n)), "doc_id": pa.array(_several(draw, text, n), _width(draw))}
    if draw(st.booleans()):
        columns["score"] = pa.array(_several(draw, floats, n), pa.float64())
    if draw(st.booleans()):
        columns["rank"] = pa.array(_several(draw, st.integers(1, 50), n), pa.int32())
    if draw(st.booleans()):
        columns["relevance"] = pa.array(_several(draw, floats | st.none(), n), pa.float64())
    for name in draw(st.lists(st.sampled_from(FURTHER), unique=True, max_size=3)):
        columns[name] = pa.array(_several(draw, text | st.none(), n), _width(draw))
    names = list(columns)
    return pa.Table.from_arrays([columns[name] for name in names], names=names)


@st.composite
def _ids(draw: st.DrawFn, n: int) -> pa.DictionaryArray:
    """Ids as a dictionary: in the order of first use, or in any order and with values that nobody uses."""
    values = _several(draw, ids, n)
    if draw(st.booleans()):
        return pa.array(values, pa.string()).dictionary_encode()
    known = draw(st.permutations(sorted({*values, "never used"})))
    codes = pa.array([known.index(value) for value in values], pa.int32())
    return pa.DictionaryArray.from_arrays(codes, pa.array(known, pa.string()))


def _several(draw: st.DrawFn, values: st.SearchStrategy[Any], n: int) -> list[Any]:
    return draw(st.lists(values, min_size=n, max_size=n))


def _width(draw: st.DrawFn) -> pa.DataType:
    return draw(st.sampled_from([pa.string(), pa.large_string()]))


def run_of(table: pa.Table) -> Run:
    """A run of a table, ordered by what it has."""
    for name in ("score", "rank"):
        if name in table.column_names:
            return Run("run", table, name)  # type: ignore[arg-type]
    return Run("run", table, "position")
