"""Per-query values as CSV or Parquet."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.csv

from rankdash.comparison import Comparison
from rankdash.formulas import disarmed
from rankdash.view import Viewed


def per_query_csv(comparison: Comparison) -> bytes:
    """Columns query_id, measure, a, b, delta as UTF-8 CSV; empty where undefined.

    Ids that a spreadsheet would run as a formula get an apostrophe in front.
    """
    table = comparison.per_query_table
    text = {name: disarmed(table.column(name)) for name in ("query_id", "measure")}
    columns = [text.get(name, table.column(name)) for name in table.column_names]
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(pa.Table.from_arrays(columns, names=table.column_names), buffer)
    return buffer.getvalue()


def rows_csv(table: pa.Table) -> bytes:
    """A table of text and numbers as UTF-8 CSV, in which no cell is a formula; empty where a number is undefined."""
    columns = [disarmed(column) if pa.types.is_string(column.type) else column for column in table.columns]
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(pa.Table.from_arrays(columns, names=table.column_names), buffer)
    return buffer.getvalue()


def viewed_csv(found: Viewed) -> bytes:
    """The queries that are viewed, in their order, as UTF-8 CSV; ids and texts are disarmed."""
    changes = found.changes
    text = {"query_id": changes.query_ids, "text": changes.texts}
    numbers = {
        "a": changes.a,
        "b": changes.b,
        "delta": changes.delta,
        f"overlap@{found.k}": found.overlap,
        f"unjudged@{found.k}": found.unjudged,
        "churn": found.churn,
    }
    columns = {name: pa.array(values, pa.string()) for name, values in text.items()}
    columns |= {name: pa.array(values, pa.float64(), from_pandas=True) for name, values in numbers.items()}
    return rows_csv(pa.table(columns))


def per_query_parquet(comparison: Comparison) -> bytes:
    """Columns query_id, measure, a, b, delta as Parquet; null where undefined; ids as they are."""
    import pyarrow.parquet as pq  # loading it costs more than a small comparison

    buffer = io.BytesIO()
    pq.write_table(comparison.per_query_table, buffer)
    return buffer.getvalue()
